"""A session's page: its summary, its transcript and what was born there, found together over several homes; sessions
that are kept twice are one session.
"""

from __future__ import annotations

import json
from pathlib import Path

from memtui.core.config import Config
from memtui.core.model import Filter, Layer
from memtui.language.conversation import Extract, Session
from memtui.layouts.discovery import open_home_at
from memtui.sessions.capture import find_session_memory, gather_page
from memtui.sessions.forms import record
from memtui.store.session_ids import drop_summarized_transcripts, find_summarized_transcripts, is_readable_transcript
from memtui.store.vault import Vault
from tests.sessions.recorded import Claude, Codex

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
    record(vault, vault.homes[0], Session(ID, "claude-code", "/home/ann/shop", "shop", "shop"), found, trigger="end")
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


HEADS = Filter(layers=frozenset({Layer.SESSION}), kinds=frozenset({"session"}))


def vault_of(tmp_path: Path) -> tuple[Vault, Claude, Codex]:
    """A Claude Code session and one of Codex's with summaries in a home of ours, and a session without one."""
    user = tmp_path / "user"
    claude, codex, alone = Claude(), Codex(), Claude(session="7d6e01ef-b78f-434c-8dc3-4c67277cd896")
    for one in (claude, alone):
        one.user("move auth to JWT please")
        one.says("done")
    codex.user("restart the ferry")
    codex.says("restarted")
    for talk in (claude, codex, alone):
        talk.save(user)
    own = tmp_path / ".memtui"
    for part in ("user", "areas", "daily"):
        (own / part).mkdir(parents=True)
    vault = Vault([open_home_at(own), open_home_at(user / ".claude"), open_home_at(user / ".codex")], Config())
    for name, agent in ((claude.session, "claude-code"), (codex.name, "codex")):
        found = Extract("What was done", done=("it",), decisions=("RS256",), todos=("more",))
        record(vault, vault.homes[0], Session(name, agent, "/home/u/shop", "shop", "shop"), found, trigger="end")
    vault.refresh()
    return vault, claude, codex


def test_a_summary_stands_for_its_transcript(tmp_path: Path) -> None:
    vault, claude, codex = vault_of(tmp_path)
    with vault:
        twice = find_summarized_transcripts(vault, HEADS)
        transcripts, summaries = vault.load(twice), vault.load(twice.values())
        pairs = {one.session: two.session for one, two in zip(transcripts, summaries, strict=True) if one and two}
        assert pairs == {claude.session: claude.session, codex.id: codex.name}
        assert len(vault.ids(HEADS)) == 5
        every = [one for one in vault.load(vault.ids(HEADS)) if one is not None]
        left = drop_summarized_transcripts(
            every, lambda path: next(home for home in vault.homes if str(home.path) == path)
        )
        assert len(left) == 3
        assert sum(one.path.endswith(".jsonl") for one in left) == 1
        # Where the summary does not pass, the transcript is all there is.
        assert not find_summarized_transcripts(
            vault, HEADS._replace(homes=frozenset(str(home.path) for home in vault.homes[1:]))
        )


def test_only_files_of_agents_are_transcripts(tmp_path: Path) -> None:
    vault, claude, _codex = vault_of(tmp_path)
    with vault:
        own, agents, _rest = vault.homes
        assert not is_readable_transcript(own, f"sessions/{claude.session}.md")
        assert is_readable_transcript(
            agents, next(one.path for one in vault.memories() if one.home == str(agents.path))
        )


def test_a_page_is_found_by_either_name(tmp_path: Path) -> None:
    vault, _claude, codex = vault_of(tmp_path)
    with vault:
        for name in (codex.name, codex.id):
            memory = find_session_memory(vault, name)
            assert memory is not None
            page = gather_page(vault, memory)
            assert page.head.path == f"sessions/{codex.name}.md"
            assert page.transcript is not None
        assert find_session_memory(vault, "nobody-knows") is None
