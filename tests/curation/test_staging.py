"""A group of decisions is one write: composed, all or nothing for each file, and undone at once."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from memtui import formats as parse_module
from memtui.core.edits import Append, Draft, Edit, Piece, Receipt, compose, splice_pieces
from memtui.core.errors import ConflictError, MemtuiError, ReadOnlyError
from memtui.core.model import Filter, Layer, Memory, Parsed, Status
from memtui.formats import Source
from memtui.fs.places import state
from memtui.review import foremost, queue
from memtui.store import staging, verbs
from memtui.store import standing as standing_module
from memtui.store.candidates import Candidate
from memtui.store.staging import Stage, apply_each
from memtui.store.standing import reload_memory
from memtui.store.vault import Vault
from tests.curation.facts_of import memtui
from tests.homes import read_files

RULES = "areas/projects/shop/rules.md"
OTHER = "areas/projects/mail/rules.md"


def said(number: int) -> str:
    """A sentence that is like no other one."""
    return f"The {chr(97 + number) * 5} service stores {chr(98 + number) * 4} files under {chr(99 + number) * 6}"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    made = memtui(tmp_path, {}, "# MEMORY\n\n- Answer in Chinese\n")
    for path, first in ((RULES, 0), (OTHER, 6)):
        lines = [said(number) for number in range(first, first + 6)]
        (made / path).parent.mkdir(parents=True, exist_ok=True)
        text = "".join(f"- {line}\r\n" for line in [*lines, *lines[:3]])
        (made / path).write_bytes(f"# Rules\r\n\r\n{text}".encode())
    return made


def safe(vault: Vault) -> list[Candidate]:
    """What `A` approves."""
    return [one for one in queue.load_queue(vault).waiting if not one.warnings]


def proposed(vault: Vault, home: Path, many: int) -> list[Candidate]:
    """Candidates for core memory and for one project's facts, in turn."""
    texts = (
        "Answer people in short sentences", "Prices are integers in cents", "Deploy on Tuesday mornings only",
        "Every migration has a way back", "Parcels leave from Leipzig", "Tokens expire after one hour",
    )  # fmt: skip
    return [
        queue.propose(vault, str(home), Draft(texts[number]), "agent:x", layer=layer)
        for number in range(many)
        for layer in [(Layer.CORE, Layer.KNOWLEDGE)[number % 2]]
    ]


def active(vault: Vault, path: str) -> list[Memory]:
    """The memories of a file that hold."""
    return [
        memory for memory in vault.memories(Filter(statuses=frozenset({Status.ACTIVE})), "path") if memory.path == path
    ]


def archived(vault: Vault, memory: Memory) -> Receipt:
    return verbs.archive(vault, reload_memory(vault, memory))


def test_what_two_edits_make_is_what_one_composed_of_them_makes() -> None:
    dice = random.Random(7)

    def edits(data: bytes) -> tuple[Piece, ...]:
        cuts = sorted(dice.randrange(len(data) + 1) for _cut in range(2 * dice.randrange(4)))
        return tuple(
            Piece(start, end, bytes(dice.choices(b"ab\n", k=dice.randrange(4))), dice.random() < 0.3)
            for start, end in zip(cuts[::2], cuts[1::2], strict=True)
        )

    for _round in range(3000):
        base = bytes(dice.choices(b"xyz\n", k=dice.randrange(12)))
        whole: tuple[Piece, ...] = ()
        now = base
        for _step in range(4):
            pieces = edits(now)
            whole, now = compose(whole, pieces, len(base)), splice_pieces(now, pieces)
            assert splice_pieces(base, whole) == now


def test_a_group_is_one_write_and_one_undo_gives_every_byte_back(vault: Vault, home: Path) -> None:
    waiting = [*safe(vault), *proposed(vault, home, 6)]
    assert len(waiting) == 12 and {one.origin for one in waiting} == {"duplicate", "proposed"}
    before = read_files(home)
    done, left = queue.approve_all(vault, waiting)
    assert not left and len(done) == 1
    (record,) = [record for record in vault.history() if record.verb == "approve"]
    places = [(change.home, change.path) for change in record.changes]
    assert len(places) == len(set(places)) and {RULES, OTHER, "MEMORY.md"} <= {path for _home, path in places}
    assert len((home / "evolution/decisions.jsonl").read_bytes().splitlines()) == 12
    after = read_files(home)
    for path in (RULES, OTHER):
        data = after[path]
        assert data.count(b"superseded") == 3 and b"\r\r" not in data
        assert data.replace(b"\r\n", b"").count(b"\n") == 0
    assert not queue.load_queue(vault).waiting
    vault.undo()
    assert read_files(home) == before and len(queue.load_queue(vault).waiting) == 12
    vault.redo()
    assert read_files(home) == after


def test_it_writes_what_one_after_the_other_would(vault: Vault, home: Path) -> None:
    chosen = safe(vault)
    before = read_files(home)
    done, _left = queue.approve_all(vault, chosen)
    together = read_files(home)
    vault.undo(done[0].id)
    assert read_files(home) == before
    for one in chosen:
        queue.approve(vault, one)
    singly = read_files(home)
    changed = {path for path in singly if not path.startswith("evolution/")}
    assert {path: singly[path] for path in changed} == {path: together[path] for path in changed}


def test_the_index_of_documents_is_made_of_all_of_them(vault: Vault, home: Path) -> None:
    queue.approve_all(vault, [*safe(vault), *proposed(vault, home, 4)])
    after = read_files(home)
    from memtui.store.route_documents import build_index_update

    assert after["INDEX.md"] and build_index_update(vault, vault.homes[0]) is None


def test_what_cannot_be_written_is_left_and_the_others_are_done(vault: Vault, home: Path) -> None:
    chosen = safe(vault)
    before = (home / OTHER).read_bytes()
    (home / OTHER).chmod(0o400)
    done, left = queue.approve_all(vault, chosen)
    assert len(done) == 1 and (home / OTHER).read_bytes() == before
    assert {one.text for one, _error in left} == {said(number) for number in range(6, 9)}
    assert {type(error) for _one, error in left} == {ReadOnlyError}
    assert (home / RULES).read_bytes().count(b"superseded") == 3
    assert len((home / "evolution/decisions.jsonl").read_bytes().splitlines()) == 3
    assert not list((state() / "journal/pending").iterdir())


def test_a_candidate_that_is_settled_already_is_left(vault: Vault, home: Path) -> None:
    first, *others = safe(vault)
    queue.approve(vault, first)
    done, left = queue.approve_all(vault, [first, *others])
    assert len(done) == 1 and [one.id for one, _error in left] == [first.id]
    assert (home / RULES).read_bytes().count(b"superseded") == 3


def test_somebody_who_saves_meanwhile_loses_nothing(vault: Vault, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    saved: list[int] = []
    commit = Stage.commit

    def late(stage: Stage, group: str = "") -> Receipt:
        if not saved:
            saved.append(1)
            with open(home / RULES, "ab") as file:
                file.write(b"- by hand\r\n")
        return commit(stage, group)

    monkeypatch.setattr(Stage, "commit", late)
    done, left = queue.approve_all(vault, safe(vault))
    assert (len(done), left) == (1, [])
    data = (home / RULES).read_bytes()
    assert data.endswith(b"- by hand\r\n") and data.count(b"superseded") == 3
    assert not (state() / "drafts").exists()


def test_somebody_who_saves_all_the_time_only_stops_what_is_about_that_file(
    vault: Vault, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit = Stage.commit

    def late(stage: Stage, group: str = "") -> Receipt:
        with open(home / RULES, "ab") as file:
            file.write(b"- by hand\r\n")
        return commit(stage, group)

    monkeypatch.setattr(Stage, "commit", late)
    done, left = queue.approve_all(vault, safe(vault))
    assert len(done) == 1 and len(left) == 3
    assert all(isinstance(error, ConflictError) for _one, error in left)
    assert b"superseded" not in (home / RULES).read_bytes()
    assert (home / RULES).read_bytes().count(b"- by hand") == staging.AGAIN + 2
    assert (home / OTHER).read_bytes().count(b"superseded") == 3


def test_a_failure_in_the_middle_takes_the_files_before_it_back(
    vault: Vault, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from memtui.core.errors import FullError
    from memtui.store.carry_out import carry_out

    before = read_files(home)
    seen = [0]

    def full(*given: object) -> object:
        seen[0] += 1
        if seen[0] > 1:
            raise FullError("No room on the disk.")
        return carry_out(*given)  # type: ignore[arg-type]

    monkeypatch.setattr("memtui.store.write_path.carry_out", full)
    memories = [*active(vault, RULES)[:2], *active(vault, OTHER)[:2]]
    done, left = apply_each(vault, memories, archived)
    assert (done, len(left)) == ([], 4)
    assert read_files(home) == before and not vault.history()


def test_memories_of_one_file_are_archived_deleted_and_moved_as_one(vault: Vault, home: Path) -> None:
    before = read_files(home)
    first = active(vault, RULES)
    for verb in (
        archived,
        lambda stage, one: verbs.delete(stage, reload_memory(stage, one)),
        lambda stage, one: verbs.move(stage, reload_memory(stage, one), path=OTHER),
    ):
        many = len(vault.history())
        done, left = apply_each(vault, first[:4], verb, group="one")
        assert not left and len(done) == 1 and len(vault.history()) == many + 1
        assert all(one.text.encode() not in b"".join(_holding(home, RULES)) for one in first[:4])
        vault.undo()
        assert read_files(home) == before


def _holding(home: Path, path: str) -> list[bytes]:
    return [line for line in (home / path).read_bytes().split(b"\r\n")[6:-4] if b"~~" not in line]


def test_what_is_staged_is_read_and_taken_back(vault: Vault, home: Path) -> None:
    root = str(vault.homes[0].path)
    stage = Stage(vault)
    base = stage.bytes_of(root, RULES) or b""
    stage.begin()
    stage.apply([Edit(root, RULES, base, (Piece(0, 0, b"- new\n"),))], verb="edit")
    stage.apply([Append(root, RULES, "- last\n- of all")], verb="append", confirmed=True)
    assert stage.bytes_of(root, RULES) == b"- new\n" + base + b"- last\r\n- of all\r\n"
    (edit,) = stage.wanted
    assert isinstance(edit, Edit) and edit.base == base and edit.new == stage.bytes_of(root, RULES)
    with pytest.raises(ConflictError):
        stage.apply([Edit(root, RULES, base, ())], verb="edit")
    stage.back()
    assert not stage.wanted and stage.bytes_of(root, RULES) == base
    new = "areas/tools/x/rules.md"
    stage.apply([Edit(root, new, None, (Piece(0, 0, b"- a\n"),))], verb="add")
    stage.apply([Edit(root, new, b"- a\n", (), remove=True)], verb="delete")
    assert not stage.wanted and (home / RULES).read_bytes() == base
    with pytest.raises(MemtuiError):
        stage.commit()


def test_many_rejections_are_one_write(vault: Vault, home: Path) -> None:
    waiting = safe(vault)
    done, left = queue.reject_all(vault, waiting, "both are wanted")
    assert (len(done), left) == (1, []) and not queue.load_queue(vault).waiting
    lines = (state() / "review/rejected.jsonl").read_bytes().splitlines()
    assert len(lines) == len(waiting)
    vault.undo(done[0].id)
    assert len(queue.load_queue(vault).waiting) == len(waiting)
    queue.reject_all(vault, waiting)
    done, left = queue.reconsider_all(vault, waiting)
    assert (len(done), left) == (1, []) and len(queue.load_queue(vault).waiting) == len(waiting)


def test_a_large_file_is_not_parsed_anew_for_each_decision(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [f"- {said(number % 20)} in region {number} of {number * 7}\n" for number in range(60)]
    (home / RULES).write_text("# Rules\n\n" + "".join(lines + lines[:40]), "utf-8")
    parses = []
    parse = parse_module.parse

    def counted(source: Source) -> Parsed:
        parses.append(source.path)
        return parse(source)

    monkeypatch.setattr(standing_module, "parse", counted)
    monkeypatch.setattr(staging, "parse", counted)
    monkeypatch.setattr(foremost, "MOST", 1000)
    monkeypatch.setattr(foremost, "A_PLACE", 1000)
    with Vault.open([home]) as vault:
        waiting = [one for one in safe(vault) if one.origin == "duplicate"]
        assert len(waiting) >= 40
        parses.clear()
        done, left = queue.approve_all(vault, waiting)
        assert len(done) == 1 and len(left) < 3
        assert parses.count(RULES) < 20
