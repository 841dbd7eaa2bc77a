"""Homes of tools that memtui only reads: found as they are, with their rows, roles, dates and sessions."""

from __future__ import annotations

import gzip
import os
import shutil
from pathlib import Path

import pytest

from memtui import Vault
from memtui.core.config import Config
from memtui.core.edits import Draft
from memtui.core.errors import RefusedError
from memtui.core.model import Filter, Home, Layer, Memory, Status
from memtui.formats.transcripts import read_turns
from memtui.layouts import OTHERS, load_layout
from memtui.layouts.discovery import discover_homes, list_homes_at, open_home_at
from memtui.sessions import start
from tests.homes import others
from tests.layouts.places import around, repository, write
from tests.sessions.beginnings import NOW, Homes, session

SHOWN, ALL = Filter(), Filter(statuses=frozenset())


@pytest.fixture
def there(tmp_path: Path) -> tuple[Path, Path]:
    return others.build(tmp_path.resolve())


def found(user: Path, project: Path) -> list[Home]:
    return discover_homes(around(project, user))


def rows(homes: list[Home], asked: Filter = SHOWN) -> list[Memory]:
    with Vault(homes) as vault:
        vault.refresh()
        return list(vault.memories(asked, "path"))


def test_every_tool_is_found_without_configuration_and_says_why(there: tuple[Path, Path]) -> None:
    user, project = there
    homes = found(user, project)
    base = user.parent
    assert {home.path.relative_to(base).as_posix(): home.layout for home in homes} == {
        "shop": "agents_md", "shop/.cursor": "cursor", "shop/.github": "copilot",
        "shop/.windsurf": "windsurf", "shop/memory-bank": "cline", "shop/.clinerules": "cline",
        "shop/.kiro": "kiro", "shop/.engram": "engram", "shop/.gemini": "gemini",
        "ana/.claude-mem": "claude-mem", "ana/.engram": "engram",
        "ana/basic-memory": "basic-memory", "ana/work-notes": "basic-memory", "ana/.gemini": "gemini",
        "ana/.copilot": "copilot", "ana/.config/opencode": "opencode",
        "ana/.local/share/opencode": "opencode", "ana/.codeium/windsurf/memories": "windsurf",
        "ana/Documents/Cline/Rules": "cline", "ana/.kiro": "kiro", "ana/.letta": "letta",
        "ana/vault/90 - AI": "obsidian",
    }  # fmt: skip
    assert all(home.reason and not home.writable for home in homes)
    assert {home.layout.replace("-", "_") for home in homes} == set(OTHERS)
    assert {"shop", "shop/.cursor", "shop/memory-bank"} <= {home.label for home in homes if home.current}
    assert "1 memory in a form of its own" in next(h.reason for h in homes if h.path.name == "memories")
    # Opened by its path each is the same, and a project shows all that it holds.
    for home in homes:
        assert open_home_at(home.path).layout == home.layout, home.path
    assert next(home.layout for home in list_homes_at(project)) == "agents_md"
    assert {home.path for home in list_homes_at(project)} == {home.path for home in homes if home.current}


def test_rows_are_memories_and_none_is_a_label_or_a_template(there: tuple[Path, Path]) -> None:
    shown = {(memory.kind, memory.text): memory for memory in rows(found(*there))}
    texts = [text for _kind, text in shown]
    assert len(texts) == len(set(texts))
    assert not [
        text
        for text in texts
        if text.startswith(("description", "alwaysApply", "relates_to", "I am Cline", "[TO BE", "See ["))
    ]
    assert {
        ("rule", "Use strict mode"), ("rule", "Prefer composition over inheritance"), ("rule", "One assertion a test"),
        ("rule", "Every endpoint answers within 200 ms"), ("rule", "Prices are integers in cents"),
        ("rule", "Components are named after what they show"), ("rule", "Styles live beside their component"),
        ("rule", "Rebase instead of merging"), ("rule", "PostgreSQL 16, no ORM"), ("rule", "Answer in English"),
        ("rule", "I read diffs on a phone: keep them short"), ("rule", "Explain before you run a command"),
        ("rule", "Never push to main"), ("rule", "Use British spelling in documents"), ("rule", "Small commits"),
        ("todo", "Delete the old cart table"), ("todo", "Refunds"), ("todo", "2. Expire it"),
        ("todo", "write the runbook"), ("decision", "Retry a failed charge three times with jitter"),
        ("pref", "Use UTC everywhere"), ("fact", "Stand-up is at ten"), ("pref", "Error messages are kind."),
        ("decision", "Stock is counted in the database, never in the cache."),
        ("lesson", "The importer chokes on empty rows"), ("note", "I deploy on Thursdays only."),
        ("note", "The shop's database is PostgreSQL 16."), ("note", "I keep the shop's code tidy."),
        ("note", "The provider calls back within ten seconds"),
    } <= shown.keys()  # fmt: skip
    retry = shown["decision", "Retry a failed charge three times with jitter"]
    assert retry.tags == ("reliability", "payments") and retry.evidence == "agreed with Ana"
    assert retry.created == 1772618400.0
    assert shown["todo", "2. Expire it"].extra.get("done") is False or "done" not in shown["todo", "2. Expire it"].extra
    aside = {(memory.text, memory.status) for memory in rows(found(*there), ALL)}
    assert ("A cart is a hash.", Status.CODE) in aside
    assert ("Search memory first.", Status.GENERATED) in aside
    assert ("Run the script.", Status.SKILL) in aside


def test_databases_tell_what_when_and_of_which_session_and_stay_untouched(there: tuple[Path, Path]) -> None:
    user, project = there
    stores = [user / ".claude-mem/claude-mem.db", user / ".engram/engram.db"]
    before = [(file.read_bytes(), sorted(os.listdir(file.parent))) for file in stores]
    made = {memory.text.split("\n")[0]: memory for memory in rows(found(user, project), ALL)}
    cart = made["The cart table was the hottest one, so carts go to Redis."]
    assert (cart.kind, cart.title, cart.created) == ("decision", "Cart moves to Redis", 1785578700.0)
    assert "Carts expire after a day, by TTL" in cart.text and cart.tags == ("architecture", "performance")
    # The session is the agent's own, so that its transcript can be opened.
    assert cart.session == "0aa1c7de-1111-4222-8333-0123456789ab"
    summary = made["Redis keeps carts well."]
    assert (summary.layer, summary.title) == (Layer.SESSION, "Make the cart faster")
    stock, old = (
        made["Stock is counted in the database, never in the cache."],
        made["Stock is counted in the cache."],
    )
    assert stock.created == 1782979800.0, "SQLite's datetime('now') is UTC"
    assert (old.status, old.superseded_by) == (Status.SUPERSEDED, stock.key)
    assert made["Was deleted."].status is Status.DELETED
    assert [(file.read_bytes(), sorted(os.listdir(file.parent))) for file in stores] == before


def test_what_a_repository_hands_on_packed_is_read_and_never_what_unpacks_to_too_much(
    there: tuple[Path, Path],
) -> None:
    _user, project = there
    folder = project / ".engram"
    made = {memory.text: memory for memory in rows([open_home_at(folder)], ALL)}
    refund = made["A refund is a booking of its own, never a change."]
    assert (refund.kind, refund.title, refund.key) == ("decision", "Refunds are bookings", "obs-1")
    assert (refund.session, refund.created) == ("s-1", 1782898200.0)
    assert made["Taken back."].status is Status.DELETED and made["Refunds were drawn up."].layer is Layer.SESSION
    # Every summary is called "Session summary: shop"; what the session was for tells it from the next one.
    assert "Draw up how refunds are booked." in {memory.title for memory in made.values()}
    assert len(made) == 4
    for name, data in (("bomb", gzip.compress(b"[" + b" " * 11_000_000)), ("torn", b"\x1f\x8b\x08\x00torn")):
        (folder / f"chunks/{name}.jsonl.gz").write_bytes(data)
    (folder / "chunks/odd.jsonl.gz").write_bytes(gzip.compress(b'[{"observations": [3]}]'))
    with Vault([open_home_at(folder)]) as vault:
        vault.refresh()
        (status,) = vault.status()
        assert {problem.path: problem.reason for problem in status.problems} == {
            "chunks/bomb.jsonl.gz": "more than 10,485,760 bytes when unpacked",
            "chunks/torn.jsonl.gz": "this is not gzipped JSON",
        }
    # Beside the database that the files were taken from, each memory is shown once.
    others.make_database(folder / "engram.db", others.ENGRAM)
    assert {memory.path for memory in rows([open_home_at(folder)], ALL)} == {"engram.db"}


def test_an_agent_s_memory_is_known_whatever_its_repository_is_called(tmp_path: Path) -> None:
    mine, prompts = repository(tmp_path / "notes-of-memo"), repository(tmp_path / "prompts")
    write(mine / "system/persona.md", "---\ndescription: Who I am.\n---\n\nI am curious.\n")
    write(mine / "reference/shop.md", "---\ndescription: The shop.\n---\n\n- Stock is counted at night\n")
    write(prompts / "system/persona.md", "# Persona\n\nYou are a concierge.\n")
    (home,) = discover_homes(around(mine, tmp_path / "nobody"))
    assert (home.layout, home.label, home.path) == ("letta", "notes-of-memo", mine.resolve())
    assert {(memory.text, memory.layer) for memory in rows([home])} == {
        ("I am curious.", Layer.CORE), ("Stock is counted at night", Layer.KNOWLEDGE)
    }  # fmt: skip
    assert open_home_at(mine).layout == "letta"
    assert not discover_homes(around(prompts, tmp_path / "nobody"))


def test_sessions_have_their_turns_as_they_stand_in_the_end(there: tuple[Path, Path]) -> None:
    user, project = there
    heads = {memory.session: memory for memory in rows(found(user, project), Filter(kinds=frozenset({"session"})))}
    gemini = heads["abc12345-1111-4222-8333-0123456789ab"]
    assert (gemini.text, gemini.title) == ("Checkout was slow for want of an index", "Why is checkout slow?")
    assert gemini.extra["cwd"] == "/home/ana/shop"
    assert {
        "old00001",
        "ses_01",
        "2d6da700-f689-47d7-9d20-d8fed7053e82",
    } <= heads.keys() and "ses_02" not in heads
    turns = read_turns(os.path.join(gemini.home, gemini.path), "gemini-transcript").turns
    assert [(turn.role, turn.text) for turn in turns] == [
        ("user", "Why is checkout slow?"),
        ("assistant", "The query has no index."),
        ("assistant", "log.txt"),
        ("tool", "seq scan on orders"),
        # What was rewound is gone, what came after it stands.
        ("user", "Add the index"),
    ]
    copilot = heads["2d6da700-f689-47d7-9d20-d8fed7053e82"]
    turns = read_turns(os.path.join(copilot.home, copilot.path), "copilot-transcript").turns
    assert [turn.text for turn in turns] == ["Add a foo helper", "I look first.", "foo.py", "def foo(): 1"]


def test_a_database_takes_the_place_of_the_files_that_were_moved_into_it(there: tuple[Path, Path]) -> None:
    user, project = there
    others.make_database(user / ".local/share/opencode/opencode.db", others.OPENCODE)
    homes = [home for home in found(user, project) if home.path.name == "opencode"]
    made = [(memory.text, memory.path, memory.status) for memory in rows(homes, ALL) if memory.kind == "session"]
    assert made == [
        ("Move the cart to Redis", "opencode.db", Status.ACTIVE),
        ("An old one", "opencode.db", Status.ARCHIVED),
    ]


def test_each_memory_is_shown_once_beside_claude_s(there: tuple[Path, Path]) -> None:
    user, project = there
    write(
        project / "CLAUDE.md",
        "- Ask first\n\n@memory-bank/activeContext.md @GEMINI.md\nSee memory-bank/progress.md.\n",
    )
    homes = found(user, project)
    assert {home.layout for home in homes if home.path == project} == {"claude_md"}
    shown = [memory.text for memory in rows([home for home in homes if home.current])]
    assert len(shown) == len(set(shown))
    assert {"Ask first", "Prices are integers in cents", "Moving the cart to Redis", "Refunds"} <= set(shown)


@pytest.mark.parametrize(("agent", "given_it"), [("claude-code", True), ("codex", False), ("cursor", False)])
def test_a_session_is_given_nothing_that_an_agent_reads_by_itself(
    there: tuple[Path, Path], agent: str, given_it: bool
) -> None:
    user, project = there
    who = session(project, source="startup")._replace(agent=agent, project="shop")
    told = start.load_session_start(Homes(tuple(found(user, project))), who, Config(), now=NOW)
    assert ("Prices are integers in cents" in told.text) is given_it
    for own in (
        "Use strict mode",
        "composition",
        "PostgreSQL 16, no ORM",
        "Moving the cart",
        "Answer in English",
    ):
        assert own not in told.text


def test_nothing_is_written_and_nobody_else_is_mistaken_for_them(there: tuple[Path, Path], tmp_path: Path) -> None:
    user, project = there
    for home in found(user, project):
        kind = load_layout(home.layout)
        for layer in Layer:
            with pytest.raises(RefusedError):
                kind.target(home, layer, Draft("x"), 0.0)
        assert kind.read_only("any.md") and not kind.append_only("any.md")
    # An agent's workspace with an AGENTS.md is still that agent's, and documents with one are documents.
    claw = write(repository(tmp_path / "claw") / "SOUL.md").parent
    for name in ("AGENTS.md", "MEMORY.md", "memory/2026-03-05.md"):
        write(claw / name)
    assert [home.layout for home in discover_homes(around(claw, tmp_path / "nobody"))] == ["openclaw"]
    # A file that says nothing is no home.
    silent = repository(tmp_path / "silent")
    (silent / ".windsurfrules").touch()
    assert not discover_homes(around(silent, tmp_path / "nobody"))
    write(tmp_path / "docs/AGENTS.md")
    write(tmp_path / "docs/guide.md")
    assert open_home_at(tmp_path / "docs").layout == "plain"


def test_a_store_is_never_called_empty(tmp_path: Path) -> None:
    folder = tmp_path / "copy"
    file = others.make_database(folder / "engram.db", others.ENGRAM)
    assert open_home_at(folder).reason == "engram: engram.db"
    shutil.move(file, folder / "unknown.sqlite3")
    home = open_home_at(folder)
    assert home.layout == "plain" and "unknown.sqlite3" in home.reason and "no memories" not in home.reason
    (folder / "engram.db").write_bytes(b"not a database at all")
    with Vault([open_home_at(folder)]) as vault:
        vault.refresh()
        (status,) = vault.status()
        assert [problem.reason for problem in status.problems] == ["this is not a SQLite database"]
