"""Whatever happens to a home, a sync makes its index what a new one would be; what did not change keeps its row.

A file written in the very moment it was read may change again without its times showing it.

A great part of the home gone at once is taken for an accident until it stays so (T15).
"""

from __future__ import annotations

import os
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

import memtui.formats
from memtui.core.model import Home, Layer, Problem, Status
from memtui.fs.places import Place, place
from memtui.index import rows, schema
from memtui.index import sync as module
from memtui.index.queries import Index
from memtui.index.sync import sync
from tests.index.lined import EVERY, LAYOUT, home, many, match, run, write


def content(index: Index) -> Counter[tuple[object, ...]]:
    """Everything an index says about entries, but for their numbers; and that its parts agree."""
    rows = index.rows(index.ids(EVERY))
    counted = Counter((row.layer, row.kind, row.status) for row in rows)
    assert counted == Counter(index.counts())
    words: dict[Any, Any] = dict(
        index.db.execute("SELECT doc, count(*) FROM (SELECT doc, term FROM inst) GROUP BY doc").fetchall()  # type: ignore[arg-type]
    )
    assert set(words) <= {row.id for row in rows}
    assert sum(file.entries for file in index.files()) == len(rows)
    held = index.db.execute("SELECT DISTINCT session, file FROM entry WHERE session IS NOT NULL ORDER BY 1, 2")
    assert held.fetchall() == index.db.execute("SELECT session, file FROM born ORDER BY 1, 2").fetchall()
    return Counter((row[1:13] + row[14:18], words.get(row.id)) for row in rows)


@pytest.fixture(autouse=True)
def words(index: Index) -> None:
    index.db.execute("CREATE VIRTUAL TABLE temp.inst USING fts5vocab(main, fts, instance)")


def test_a_home_is_taken_in(root: Path, index: Index) -> None:
    home(root, {"a.md": "# 偏好\n\n- 我喜欢 pytest\n- [pref] tabs =k1\n", "b/c.md": "- other\n", "x.txt": "no"})
    changes = run(root, index)
    assert (changes.added, changes.changed, changes.removed, bool(changes)) == (2, 0, 0, True)
    assert index.generation() == 1
    assert index.progress() == (2, 2, True)
    assert match(index, "pytest") == [("a.md", 3)]
    assert match(index, '"喜欢"') == [("a.md", 3)]
    assert sorted(match(index, '"偏好"')) == [("a.md", 3), ("a.md", 4)]
    row = index.by_key("k1")[0]
    assert (row.kind, row.heading, row.layer, row.status) == ("pref", ("偏好",), Layer.JOURNAL, Status.ACTIVE)
    data = (root / "a.md").read_bytes()
    assert row.start is not None
    assert row.size is not None
    assert data[row.start : row.start + row.size].decode() == "- [pref] tabs =k1"
    assert index.files()[0].title == "偏好"


def test_nothing_changed_is_nothing_done(root: Path, index: Index) -> None:
    home(root, {"a.md": "- one\n", "b.md": "- two\n"})
    run(root, index)
    before = index.generation()
    changes = run(root, index)
    assert not changes
    assert index.generation() == before
    os.utime(root / "a.md")
    assert not run(root, index)
    assert index.generation() == before


def test_an_append_inserts_one_row_and_keeps_the_others(root: Path, index: Index) -> None:
    home(root, {"a.md": "".join(f"- line {n}\n" for n in range(50))})
    run(root, index)
    before = index.ids(EVERY)
    with open(root / "a.md", "a", encoding="utf-8") as file:
        file.write("- 新的 line\n")
    assert run(root, index, ["a.md"]).changed == 1
    after = index.ids(EVERY)
    assert list(after[1:]) == list(before)
    assert match(index, '"新的"') == [("a.md", 51)]


def test_an_insertion_at_the_top_moves_the_others_without_new_rows(root: Path, index: Index) -> None:
    home(root, {"a.md": "- one\n- two\n"})
    run(root, index)
    before = set(index.ids(EVERY))
    write(root, "a.md", "# new\n\n- zero\n- one\n- two\n")
    run(root, index)
    rows = index.in_file("a.md")
    # Under another heading an entry is another entry: its heading is searched with it.
    assert [(row.line, row.heading) for row in rows] == [(3, ("new",)), (4, ("new",)), (5, ("new",))]
    write(root, "a.md", "# new\n\n- minus\n- zero\n- one\n- two\n")
    kept = {row.id for row in rows}
    run(root, index)
    rows = index.in_file("a.md")
    assert [row.line for row in rows] == [3, 4, 5, 6]
    assert {row.id for row in rows[1:]} == kept
    assert rows[0].id > max(kept)
    assert not kept & before
    data = (root / "a.md").read_bytes()
    for row, text in zip(rows, ("minus", "zero", "one", "two"), strict=True):
        assert data[row.start : (row.start or 0) + (row.size or 0)] == f"- {text}".encode()


TEXTS = st.lists(
    st.sampled_from(
        ["- one\n", "- two 记忆\n", "- [pref] x\n", "# 标题\n", "\n", "- BROKEN\n", "- !k2 old =k1\n", "- caf\udce9\n",
         '- {"a":1} "shown"\n', "prose\r\n", "- :core y ~5\n", "- @77 %0.5 z", "- of &s1\n",
         "- of $s2\n", "\x00\x00\n", "- a\x1bb\n"]
    ),
    max_size=8,
).map("".join)  # fmt: skip
PATHS = st.sampled_from(["a.md", "b.md", "d/a.md", "d/b.md", "d/e/c.md", "f.db", "pruned/x.md", "n.txt"])
STEPS = st.lists(st.tuples(PATHS, st.none() | TEXTS), min_size=1, max_size=6)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(STEPS, st.booleans()), min_size=1, max_size=4))
def test_after_any_changes_the_index_is_what_a_new_one_would_be(
    tmp_path_factory: pytest.TempPathFactory, rounds: list[tuple[list[tuple[str, str | None]], bool]]
) -> None:
    root = tmp_path_factory.mktemp("home")
    where = place(root, "lined")
    with Index(where, schema.begin(where, "lined"), write=True) as index:
        index.db.execute("CREATE VIRTUAL TABLE temp.inst USING fts5vocab(main, fts, instance)")
        for steps, whole in rounds:
            for path, text in steps:
                if text is not None:
                    write(root, path, text.encode("utf-8", "surrogateescape"))
                elif (root / path).exists():
                    (root / path).unlink()
            run(root, index, None if whole else [path for path, _ in steps])
        with Index(where, schema.begin(where, "lined"), write=True) as new:
            new.db.execute("CREATE VIRTUAL TABLE temp.inst USING fts5vocab(main, fts, instance)")
            run(root, new)
            assert content(index) == content(new)
            assert index.problems() == new.problems()
            assert [file[1:] for file in index.files()] == [file[1:] for file in new.files()]


GROWN = "".join(
    f"- the build of part {n} went through, and nobody had to look at it again, as before\n" for n in range(900)
)
PIECES = st.lists(
    st.sampled_from(
        ["- one\n", "- 记忆 two\n", "- the database password is ", "hunter2-Xk9\n", "pass", "word: Gr4fana!bergen\n",
         "| user | password |\n", "|---|---|\n", "| anna | tbd |\n", "| root | Hq8!kzP27vv |\n", "- AKIA",
         "QRPX7VTZ2MNB4KWD\n", "-----BEGIN RSA PRIVATE KEY-----\n", "MIIEowIBAAKCAQEAx3Vd9kLmQ2pRtYb7Wz8Hn4Jc\n" * 3,
         "-----END RSA PRIVATE KEY-----\n", "credentials:\n", "  key: Hq8kzP27vvAAbb99xx\n", "\u200b", "ｐａｓｓ",
         "- x\x00y\n", "\n", "- caf\udce9\n", "- Each manifest says kind: Secret at its top.\n",
         "```yaml\ndata:\n  DB_ONE: aHVudGVyMjIyMjI0NDU1\n```\n"]
    ),
    max_size=6,
).map("".join)  # fmt: skip


@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(PIECES, min_size=2, max_size=3))
@example(["| user | password |\n|---|---|\n" + "| anna | tbd |\n" * 190, "| bob | kzP27vvq |\n"])
def test_where_a_large_file_only_grew_secrets_are_found_as_in_a_new_one(
    tmp_path_factory: pytest.TempPathFactory, pieces: list[str]
) -> None:
    root = tmp_path_factory.mktemp("home")
    where = place(root, "lined")
    with Index(where, schema.begin(where, "lined"), write=True) as index:
        index.db.execute("CREATE VIRTUAL TABLE temp.inst USING fts5vocab(main, fts, instance)")
        for end in range(len(pieces)):
            text = GROWN + "".join(pieces[: end + 1])
            write(root, "a.md", text.encode("utf-8", "surrogateescape"))
            run(root, index, ["a.md"])
        with Index(where, schema.begin(where, "lined"), write=True) as new:
            new.db.execute("CREATE VIRTUAL TABLE temp.inst USING fts5vocab(main, fts, instance)")
            run(root, new)
            assert content(index) == content(new)
            bare = "SELECT bare, etag, size FROM file"
            assert index.db.execute(bare).fetchall() == new.db.execute(bare).fetchall()


def test_a_file_made_and_unmade_between_two_looks_is_gone(root: Path, index: Index) -> None:
    """The directory then looks as it did before the file was there, and must not be taken for unchanged."""
    home(root, {"z.md": "- z\n"})
    run(root, index)
    write(root, "a.md", "- one\n")
    run(root, index, ["a.md"])
    (root / "a.md").unlink()
    assert run(root, index).removed == 1
    assert [file.path for file in index.files()] == ["z.md"]


def test_a_new_file_named_twice_is_taken_in_once(root: Path, index: Index) -> None:
    home(root, {"f.db": "- row\n", "a.md": "- one\n"})
    assert run(root, index, ["a.md", "f.db-wal", "f.db"]).added >= 2
    assert [file.path for file in index.files()] == ["a.md", "f.db"]
    assert content(index)


def test_a_database_is_read_through_its_text_view(root: Path, index: Index) -> None:
    home(root, {"m.db": "- select\n"})
    run(root, index)
    assert match(index, "select") == [("m.db", 1)]
    write(root, "m.db-wal", "- fresh\n")
    assert run(root, index, ["m.db-wal"]).changed == 1
    assert match(index, "fresh") == [("m.db", 2)]
    write(root, "m.db-wal", "- fresher\n")
    assert run(root, index).changed == 1
    assert not run(root, index)


@pytest.mark.parametrize("encoding", ["utf-16", "gb18030"])
def test_other_encodings_have_lines_but_no_places(root: Path, index: Index, encoding: str) -> None:
    home(root, {"a.md": "- 偏好 测试\n".encode(encoding)})
    run(root, index)
    assert match(index, '"偏好"') == [("a.md", 1)]
    row = index.in_file("a.md")[0]
    assert (row.line, row.start, row.size) == (1, None, None)


def test_a_byte_order_mark_is_not_part_of_the_first_line(root: Path, index: Index) -> None:
    home(root, {"a.md": b"\xef\xbb\xbf- one\r\n- two"})
    run(root, index)
    assert [(row.start, row.size) for row in index.in_file("a.md")] == [(3, 6), (10, 5)]


def test_what_cannot_be_read_is_a_problem_and_the_rest_is_there(root: Path, index: Index) -> None:
    home(root, {"a.md": "- one\n- BROKEN\n", "b.md": "- RAISE\n", "c.short.md": "- long\n" * 1000})
    (root / "l.md").symlink_to("/nowhere")
    changes = run(root, index)
    assert changes.added == 3
    assert index.problems() == [
        Problem("a.md", 2, "broken"),
        Problem("b.md", 0, "could not be read: an accident"),
        Problem("l.md", 0, "a link to something that is not there"),
    ]
    (root / "l.md").unlink()
    write(root, "a.md", "- one\n")
    run(root, index)
    assert [problem.path for problem in index.problems()] == ["b.md"]


def test_a_file_that_breaks_the_search_for_secrets_keeps_nothing_else_from_being_found(
    root: Path, index: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    def mask(text: str, data: bytes | None) -> str:
        if "word" in text:
            raise UnicodeEncodeError("utf-8", text, 0, 1, "an accident")
        return text

    monkeypatch.setattr(memtui.formats, "mask_text_secrets", mask)
    home(root, {"a.md": "- one\n", "b.md": "- my word is hidden\n"})
    assert run(root, index).added == 2
    assert [(problem.path, problem.reason.partition(":")[0]) for problem in index.problems()] == [
        ("b.md", "could not be read")
    ]
    assert index.in_file("a.md")
    assert not index.in_file("b.md")


def test_a_directory_that_comes_and_goes(root: Path, index: Index) -> None:
    home(root, {"x.md": "- x\n", "d/e/a.md": "- a\n", "d/b.md": "- b\n"})
    run(root, index, ["d"])
    assert [file.path for file in index.files()] == ["d/b.md", "d/e/a.md"]
    (root / "d").rename(root / "moved")
    changes = run(root, index, ["d", "moved"])
    assert (changes.added, changes.removed) == (2, 2)
    assert [file.path for file in index.files()] == ["moved/b.md", "moved/e/a.md"]
    run(root, index)
    assert [file.path for file in index.files()] == ["moved/b.md", "moved/e/a.md", "x.md"]


def test_a_file_becomes_a_directory_and_back(root: Path, index: Index) -> None:
    home(root, {"a.md": "- one\n", "z.md": "- z\n"})
    run(root, index)
    (root / "a.md").unlink()
    write(root, "a.md/b.md", "- two\n")
    run(root, index, ["a.md"])
    assert [file.path for file in index.files()] == ["a.md/b.md", "z.md"]
    (root / "a.md" / "b.md").unlink()
    (root / "a.md").rmdir()
    write(root, "a.md", "- three\n")
    run(root, index, ["a.md"])
    assert [file.path for file in index.files()] == ["a.md", "z.md"]


@pytest.mark.parametrize("path", ["../x.md", "/etc/passwd", "a\0b.md", "pruned/x.md", ".git/x.md", "caf\udce9.md"])
def test_paths_that_are_not_ours_do_nothing(root: Path, index: Index, path: str) -> None:
    home(root, {"a.md": "- one\n", "pruned/x.md": "- x\n", ".git/x.md": "- x\n"})
    run(root, index)
    before = index.generation()
    assert not run(root, index, [path])
    assert index.generation() == before


def test_a_great_many_files_are_left_to_a_build(root: Path, index: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MANY", 10)
    many(root)
    changes = run(root, index)
    assert (changes.many, bool(changes)) == (20, False)
    assert index.progress() == (0, 0, False)


def test_a_save_is_taken_in_while_the_home_is_looked_over(root: Path, index: Index) -> None:
    home(root, {f"{n}/a.md": "- one\n" for n in range(5)})
    run(root, index)
    write(root, "2/a.md", "- two\n")
    asked: list[str] = []

    def between() -> list[str]:
        if len(asked) == 3:
            write(root, "0/b.md", "- saved\n")
            assert run(root, index, ["0/b.md"]).added == 1
        asked.append("")
        return ["0/b.md"] if len(asked) == 4 else []

    the_home = Home(root, "lined", "", "")
    assert sync(the_home, index, layout=LAYOUT, between=between).changed == 1
    assert len(asked) == 6
    # Nothing is believed of the directory that was written to behind the look at it.
    (root / "0" / "b.md").unlink()
    assert run(root, index).removed == 1


def test_another_process_may_write_between_look_and_change(
    root: Path, index: Index, where: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    home(root, {"a.md": "- one\n", "b.md": "- two\n"})
    run(root, index)
    write(root, "a.md", "- one\n- more\n")
    (root / "b.md").unlink()
    write(root, "new.md", "- new\n")
    real = module.plan_sync

    def overtaken(*values: Any) -> Any:
        plan = real(*values)
        monkeypatch.setattr(module, "plan_sync", real)
        with Index.open(where, write=True) as other:
            assert run(root, other)
        return plan

    monkeypatch.setattr(module, "plan_sync", overtaken)
    run(root, index)
    assert not run(root, index)
    assert [(file.path, file.entries) for file in index.files()] == [("a.md", 2), ("new.md", 1)]
    assert len(index.ids(EVERY)) == 3
    assert sum(index.counts().values()) == 3


def test_nothing_is_half_done_when_the_disk_fails(root: Path, index: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    many(root)
    run(root, index)
    before = content(index)
    write(root, "0/0.md", "- changed\n")
    write(root, "1/1.md", "- changed\n")
    calls: list[int] = []
    real = rows.take

    def failing(*values: object) -> object:
        calls.append(1)
        if len(calls) == 2:
            raise MemoryError
        return real(*values)  # type: ignore[arg-type]

    monkeypatch.setattr(module, "take", failing)
    with pytest.raises(MemoryError):
        run(root, index)
    assert content(index) == before
    monkeypatch.setattr(module, "take", real)
    assert run(root, index).changed == 2


def test_a_file_just_written_is_read_again(root: Path, index: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rows, "RACY", 3600 * 10**9)
    home(root, {"a.md": "- one\n"})
    run(root, index)
    read: list[str] = []
    real = rows._parse_safely

    def parsed(source: object) -> object:
        read.append("x")
        return real(source)  # type: ignore[arg-type]

    monkeypatch.setattr(rows, "_parse_safely", parsed)
    # The same bytes are not parsed again; other bytes of the same size and times would be.
    assert not run(root, index)
    assert index.db.execute("SELECT ctime FROM file").get == -1
    assert not read
    status = (root / "a.md").stat()
    (root / "a.md").write_bytes(b"- two\n")
    os.utime(root / "a.md", ns=(status.st_atime_ns, status.st_mtime_ns))
    assert run(root, index).changed == 1
    monkeypatch.setattr(rows, "RACY", 0)
    run(root, index)
    assert index.db.execute("SELECT ctime > 0 FROM file").get == 1
    assert index.db.execute("SELECT signature IS NOT NULL FROM dir").get == 1
    assert len(read) == 1


def later(monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    now = time.time()
    monkeypatch.setattr("time.time", lambda: now + seconds)


def test_an_emptied_home_is_believed_the_second_time(root: Path, index: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    many(root)
    run(root, index)
    for file in root.rglob("*.md"):
        file.unlink()
    changes = run(root, index)
    assert (changes.suspect, changes.removed) == (20, 0)
    assert len(index.ids(EVERY)) == 20
    assert run(root, index).suspect == 20
    later(monkeypatch, module.AGREE + 0.1)
    changes = run(root, index)
    assert (changes.suspect, changes.removed) == (0, 20)
    assert len(index.ids(EVERY)) == 0


def test_files_that_come_back_were_never_gone(root: Path, index: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    many(root)
    run(root, index)
    before = index.ids(EVERY)
    root.rename(root.parent / "away")
    changes = run(root, index)
    assert (changes.suspect, changes.away) == (20, True)
    (root.parent / "away").rename(root)
    assert not run(root, index).suspect
    assert index.ids(EVERY) == before
    later(monkeypatch, module.AGREE + 0.1)
    for file in root.rglob("*.md"):
        file.unlink()
    assert run(root, index).suspect == 20, "an old suspicion must not vouch for a new one"


def test_a_third_or_five_files_are_pruned_at_once(root: Path, index: Index) -> None:
    many(root)
    run(root, index)
    for number in range(6):
        (root / str(number % 3) / f"{number}.md").unlink()
    assert run(root, index).removed == 6
    for file in list(root.rglob("*.md"))[:5]:
        file.unlink()
    assert run(root, index, [f"{n % 3}/{n}.md" for n in range(20)]).removed == 5


def test_new_files_are_taken_in_while_others_are_missed(root: Path, index: Index) -> None:
    many(root)
    run(root, index)
    for file in root.rglob("*.md"):
        file.unlink()
    write(root, "new.md", "- brand\n")
    changes = run(root, index)
    assert (changes.added, changes.suspect) == (1, 20)
    assert match(index, "brand") == [("new.md", 1)]
