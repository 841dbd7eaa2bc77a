"""What comes in by any door: no secret hides in a tag, a heading or a file's name, and nobody is turned away."""

from __future__ import annotations

import json
import threading
from pathlib import Path

import pytest

from memtui import Vault
from memtui.core.edits import Draft
from memtui.core.errors import LockedError
from memtui.core.model import Filter, Layer
from memtui.fs.locks import hold_lock, lock_for
from memtui.fs.places import state
from memtui.review import queue
from memtui.store import candidates, verbs
from memtui.store.append import append

PASSWORD = "Tr0ub4dor3xyz"
ADDRESS = f"postgres://bob:{PASSWORD}@db.acme.io/x"


@pytest.fixture
def claude(tmp_path: Path) -> Path:
    home = tmp_path / "memory"
    home.mkdir()
    (home / "MEMORY.md").write_text("- [Testing](testing.md) — pytest only\n", "utf-8")
    (home / "testing.md").write_text("# Testing\n\n- pytest only\n", "utf-8")
    return home


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    home = tmp_path / ".memtui"
    (home / "daily").mkdir(parents=True)
    (home / "MEMORY.md").write_text("# Memory\n\n## Notes\n\n- one\n", "utf-8")
    return home


def said(*roots: Path) -> str:
    """Everything that stands below, names included; in lower case, as file names are."""
    found = [path for root in roots for path in root.rglob("*")]
    return "\n".join(
        f"{path}\n{path.read_bytes().decode('utf-8', 'replace') if path.is_file() else ''}" for path in found
    ).lower()


def test_no_file_is_named_for_a_secret(claude: Path) -> None:
    with Vault.open([claude]) as vault:
        receipt = verbs.add(vault, vault.homes[0], Draft(ADDRESS, "reference"))
        verbs.add(vault, vault.homes[0], Draft("the database", "reference", title=ADDRESS))
        assert any("masked" in warning for warning in receipt.warnings)
        waits = queue.propose(vault, str(claude), Draft("we page on errors", "reference"), "agent:x")
        assert PASSWORD not in queue.diff(vault, waits, text=ADDRESS)
        receipt = queue.approve(vault, waits, text=ADDRESS)
        assert any("masked" in warning for warning in receipt.warnings)
    assert PASSWORD.lower() not in said(claude, state())


def test_no_tag_heading_or_source_hides_a_secret(mine: Path) -> None:
    draft = Draft("a note", "note", ADDRESS, (ADDRESS, "curl -u admin:Gh7Kd92LpQ https://x"), source=ADDRESS)
    with Vault.open([mine]) as vault:
        home = vault.homes[0]
        done = append(vault, home, draft)
        assert done.receipt is not None and any("masked" in warning for warning in done.receipt.warnings)
        verbs.add(vault, home, draft, layer=Layer.CORE)
        verbs.add(vault, home, draft)
        queue.approve(vault, queue.propose(vault, str(home.path), draft, "agent:x"))
        for verb in ("tag", "edit", "supersede"):
            memory = next(m for m in vault.memories(Filter()) if m.text == "one" or m.text.startswith("two"))
            if verb == "tag":
                verbs.tag(vault, memory, [ADDRESS])
            elif verb == "edit":
                verbs.edit(vault, memory, {"text": "two", "tags": (ADDRESS, "plain")})
            else:
                verbs.supersede(vault, memory, draft._replace(text="three"))
    found = said(mine, state())
    assert PASSWORD.lower() not in found and "gh7kd92lpq" not in found
    assert "#plain" in found


def test_who_adds_at_once_takes_turns(mine: Path) -> None:
    failed: list[BaseException] = []

    def work(name: int) -> None:
        try:
            with Vault.open([mine]) as vault:
                for number in range(12):
                    verbs.add(vault, vault.homes[0], Draft(f"writer {name} says number {number}", "fact"))
        except BaseException as error:
            failed.append(error)

    writers = [threading.Thread(target=work, args=(name,)) for name in range(4)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert not failed
    (file,) = mine.rglob("facts.json")
    plain = json.loads(file.read_bytes())["facts"]
    assert len({fact["id"] for fact in plain}) == len({fact["fact"] for fact in plain}) == len(plain) == 48


def test_the_first_decision_ever_keeps_the_second_one_out(mine: Path) -> None:
    with candidates.hold_decision_lock():
        # What the first one makes on its way must not change which lock the next one takes.
        (state() / "review").mkdir(parents=True, exist_ok=True)
        with pytest.raises(LockedError), hold_lock(lock_for(state(), f"{candidates.APPROVED}#alone"), 0.0):
            raise AssertionError("two at once")


def test_the_first_note_of_a_home_is_written_once(tmp_path: Path) -> None:
    home = tmp_path / ".memtui"
    (home / "user").mkdir(parents=True)
    (home / "MEMORY.md").write_text("# Memory\n", "utf-8")
    appended: list[bool] = []

    def work(vault: Vault) -> None:
        appended.append(append(vault, vault.homes[0], Draft("said by all", "note")).receipt is not None)

    vaults = [Vault.open([home]) for _writer in range(6)]
    writers = [threading.Thread(target=work, args=(vault,)) for vault in vaults]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    for vault in vaults:
        vault.close()
    assert sorted(appended) == [False] * 5 + [True]
