"""Sessions that are kept twice, as a summary and as a transcript, are one session."""

from __future__ import annotations

from pathlib import Path

from memtui.core.config import Config
from memtui.core.model import Filter, Layer
from memtui.language.conversation import Extract, Session
from memtui.layouts.discovery import open_home_at
from memtui.sessions.capture import find_session_memory, gather_page
from memtui.sessions.forms import record
from memtui.store.session_ids import (
    drop_summarized_transcripts,
    find_summarized_transcripts,
    is_readable_transcript,
)
from memtui.store.vault import Vault
from tests.sessions.recorded import Claude, Codex

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
    vault = Vault(
        [open_home_at(own), open_home_at(user / ".claude"), open_home_at(user / ".codex")], Config()
    )
    for name, agent in ((claude.session, "claude-code"), (codex.name, "codex")):
        found = Extract("What was done", done=("it",), decisions=("RS256",), todos=("more",))
        record(
            vault, vault.homes[0], Session(name, agent, "/home/u/shop", "shop", "shop"), found, trigger="end"
        )
    vault.refresh()
    return vault, claude, codex


def test_a_summary_stands_for_its_transcript(tmp_path: Path) -> None:
    vault, claude, codex = vault_of(tmp_path)
    with vault:
        twice = find_summarized_transcripts(vault, HEADS)
        transcripts, summaries = vault.load(twice), vault.load(twice.values())
        pairs = {
            one.session: two.session for one, two in zip(transcripts, summaries, strict=True) if one and two
        }
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
