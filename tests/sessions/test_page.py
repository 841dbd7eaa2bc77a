"""A session's page: its summary, its transcript and what was born there, found together over several homes."""

from __future__ import annotations

import json
from pathlib import Path

from memtui.core.config import Config
from memtui.language.conversation import Extract, Session
from memtui.layouts.discovery import open_home_at
from memtui.sessions.capture import gather_page
from memtui.sessions.forms import record
from memtui.store.vault import Vault

ID = "1d6e01ef-b78f-434c-8dc3-4c67277cd896"


def _vault(tmp_path: Path) -> Vault:
    own = tmp_path / ".memtui"
    for part in ("user", "areas", "daily"):
        (own / part).mkdir(parents=True)
    (own / "daily" / "2026-02-24.md").write_text(
        f"- 2026-02-24T10:12:33Z [decision] use JWT #arch (source={ID})\n"
        "- 2026-02-24T10:15:00Z [note] another (source=other)\n",
        "utf-8",
    )
    claude = Path.home() / ".claude" / "projects" / "-home-ann-shop"
    claude.mkdir(parents=True)
    lines = [
        {"type": "user", "uuid": "1", "sessionId": ID, "cwd": "/home/ann/shop", "timestamp": "2026-02-24T10:00:00Z",
         "message": {"role": "user", "content": "move auth to JWT please"}},
        {"type": "assistant", "uuid": "2", "parentUuid": "1", "sessionId": ID,
         "timestamp": "2026-02-24T10:01:00Z",
         "message": {"role": "assistant", "content": [{"type": "text", "text": "done"}]}},
    ]  # fmt: skip
    (claude / f"{ID}.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    vault = Vault([open_home_at(own), open_home_at(Path.home() / ".claude")], Config())
    found = Extract("Move auth to JWT", done=("Moved auth",), decisions=("RS256",), todos=("refresh",))
    record(
        vault,
        vault.homes[0],
        Session(ID, "claude-code", "/home/ann/shop", "shop", "shop"),
        found,
        trigger="end",
    )
    vault.refresh()
    return vault


def test_all_of_one_session_wherever_one_comes_from(tmp_path: Path) -> None:
    with _vault(tmp_path) as vault:
        for memory in [one for one in vault.memories() if one.session == ID]:
            page = gather_page(vault, memory)
            assert page.id == ID
            assert page.head.path == f"sessions/{ID}.md"
            assert [(part.kind, part.text) for part in page.parts] == [
                ("event", "Moved auth"),
                ("decision", "RS256"),
                ("todo", "refresh"),
            ]
            assert [one.text for one in page.born] == ["use JWT"]
            assert page.transcript is not None
            turns = vault.turns(page.transcript)
            assert turns is not None
            assert [turn.text for turn in turns.turns] == ["move auth to JWT please", "done"]


def test_a_transcript_alone_is_its_own_page(tmp_path: Path) -> None:
    with _vault(tmp_path) as vault:
        own = [home for home in vault.homes if home.layout != "memtui"]
    with Vault(own, Config()) as vault:
        vault.refresh()
        page = gather_page(vault, next(vault.memories()))
        assert page.transcript == page.head
        assert (page.parts, page.born) == ((), ())
