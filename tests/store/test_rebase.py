"""Changes are found again, or are not: what an undo may rely on."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memtui.core.edits import Edit, Piece, diff_lines, splice_pieces
from memtui.fs.write_journal import Patch
from memtui.store.carry_out import build_patches, invert_patches, revert_patches
from tests.formats.reading import invert_pieces

LINES = st.lists(st.sampled_from([b"# A\n", b"- one\n", b"- two\r\n", b"\n", b"- \xff\n", b"x" * 40]), max_size=12)


@st.composite
def edited(draw: st.DrawFn) -> tuple[bytes, tuple[Piece, ...]]:
    base = draw(st.one_of(LINES.map(b"".join), st.binary(max_size=80)))
    cuts = sorted(draw(st.lists(st.integers(0, len(base)), max_size=6)))
    pairs = list(zip(cuts[::2], cuts[1::2], strict=False))
    new = st.one_of(st.binary(max_size=12), st.sampled_from([b"- new\n", b"\n- new", b""]))
    return base, tuple(Piece(start, end, draw(new)) for start, end in pairs)


@given(edited())
def test_an_edit_changes_nothing_outside_its_pieces_and_back_is_the_base(made: tuple[bytes, tuple[Piece, ...]]) -> None:
    base, pieces = made
    new = splice_pieces(base, pieces)
    assert splice_pieces(new, invert_pieces(base, pieces)) == base
    kept = base
    for piece in reversed(pieces):
        kept = kept[: piece.start] + kept[piece.end :]
    left = new
    for piece in reversed(invert_pieces(base, pieces)):
        left = left[: piece.start] + left[piece.end :]
    assert kept == left


@given(edited())
def test_the_journal_s_patches_take_back_exactly(made: tuple[bytes, tuple[Piece, ...]]) -> None:
    base, pieces = made
    done = build_patches(base, pieces)
    new = splice_pieces(base, pieces)
    assert splice_pieces(new, invert_patches(done)) == base
    assert splice_pieces(base, tuple(Piece(p.start, p.start + len(p.old), p.new) for p in done)) == new


@given(st.binary(max_size=200), st.binary(max_size=200))
def test_the_difference_of_two_texts_makes_one_of_the_other(old: bytes, new: bytes) -> None:
    assert Edit("h", "p", old, diff_lines(old, new)).new == new


MEMORY = "# 记忆\n\n## 用户偏好\n\n- 偏好 pytest\n- 中文回答\n\n## 项目规范\n\n- 测试放 tests/\n".encode()


def _add(base: bytes, after: str, line: str) -> tuple[bytes, tuple[Piece, ...]]:
    at = base.index(after.encode()) + len(after.encode())
    pieces = (Piece(at, at, line.encode()),)
    return splice_pieces(base, pieces), pieces


def _back(now: bytes, base: bytes, pieces: tuple[Piece, ...]) -> bytes | None:
    found = revert_patches(now, build_patches(base, pieces))
    return None if found is None else splice_pieces(now, found)


def test_one_of_several_additions_goes_by_itself() -> None:
    first, one = _add(MEMORY, "- 中文回答\n", "- 先给结论\n")
    second, _two = _add(first, "- 先给结论\n", "- 再给理由\n")
    third, _three = _add(second, "# 记忆\n", "\n> 前言\n")
    gone = _back(third, MEMORY, one)
    assert gone == third.replace("- 先给结论\n".encode(), b"")


def test_a_changed_line_is_not_taken_back_over_somebody_s_head() -> None:
    first, one = _add(MEMORY, "- 中文回答\n", "- 先给结论\n")
    assert _back(first.replace("先给结论".encode(), "先给理由".encode()), MEMORY, one) is None


def test_a_removed_line_returns_between_its_neighbours() -> None:
    line = "- 中文回答\n".encode()
    at = MEMORY.index(line)
    pieces = (Piece(at, at + len(line), b""),)
    now = splice_pieces(MEMORY, pieces).replace(b"# ", "前言\n# ".encode(), 1)
    assert _back(now, MEMORY, pieces) == MEMORY.replace(b"# ", "前言\n# ".encode(), 1)


def test_removed_neighbours_return_in_their_order_where_the_lines_around_them_changed() -> None:
    base = b"# M\n- zebra\n- apple\n- mango\n- last\n"
    pieces = tuple(Piece(base.index(line), base.index(line) + len(line), b"") for line in (b"- zebra\n", b"- apple\n"))
    now = splice_pieces(base, pieces).replace(b"- mango\n", b"- melon\n")
    assert _back(now, base, pieces) == base.replace(b"- mango\n", b"- melon\n")


def test_twin_lines_are_told_apart_by_their_neighbours() -> None:
    base = b"a\n- same\nb\n\nc\nd\n"
    now, pieces = _add(base, "c\n", "- same\n")
    assert _back(b"z\n" + now, base, pieces) == b"z\n" + base
    assert revert_patches(b"- same\n- same\n", build_patches(base, pieces)) is None


def test_a_heading_stays_for_what_came_under_it() -> None:
    base = b"# M\n"
    pieces = (Piece(4, 4, b"\n## Rules\n\n", frame=True), Piece(4, 4, b"- one\n"))
    now = splice_pieces(base, pieces) + b"- two\n"
    assert _back(now, base, pieces) == b"# M\n\n## Rules\n\n- two\n"


def test_a_value_inside_a_line_is_found_by_its_whole_line() -> None:
    base = b'{"facts":[\n {"id":"a","status":"active"},\n {"id":"b","status":"active"}\n]}\n'
    at = base.index(b'"active"}\n')
    pieces = (Piece(at, at + 8, b'"superseded"'),)
    now = splice_pieces(base, pieces).replace(b'"a","status":"active"', b'"a","status":"superseded"')
    back = _back(now, base, pieces)
    assert back == base.replace(b'"a","status":"active"', b'"a","status":"superseded"')


def test_what_healed_a_torn_line_stays_for_the_line_behind_it() -> None:
    base = b"- torn"
    first = build_patches(base, (Piece(6, 6, b"\n- one\n"),))
    now = b"- torn\n- one\n- two\n"
    appended = (Patch(6, b"", b"\n- one\n"),)
    for done in (first, appended):
        pieces = revert_patches(now, done)
        assert pieces is not None and splice_pieces(now, pieces) == b"- torn\n- two\n"
    crlf = (Patch(6, b"", b"\r\n- one\r\n"),)
    pieces = revert_patches(b"- torn\r\n- one\r\n- two", crlf)
    assert pieces is not None and splice_pieces(b"- torn\r\n- one\r\n- two", pieces) == b"- torn\r\n- two"


def test_half_a_line_is_never_taken_back() -> None:
    base = b"# M\n\n## Notes"
    done = build_patches(base, (Piece(len(base), len(base), b"\n\n- one"),))
    assert revert_patches(b"x\n# M\n\n## Notes\n\n- one", done) is not None
    assert revert_patches(b"# M\n\n## Notes\n\n- one (archived 2026-11-21)\n", done) is None
    long = b"a" * 3000 + b" one " + b"b" * 3000
    at = long.index(b" one ")
    done = build_patches(long, (Piece(at + 1, at + 4, b"two"),))
    now = b"# head\n" + long.replace(b" one ", b" two ") + b" more"
    pieces = revert_patches(now, done)
    assert pieces is not None and b" one " in splice_pieces(now, pieces)
