"""Text becomes lines that fit, lose nothing, and command nothing.

Tables in a reading pane: whole columns where there is no room for all.
"""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

from memtui.tui import draw
from memtui.tui.prose import (
    draw_field_table,
    draw_inline,
    draw_plain,
    draw_prose,
    draw_text_table,
    find_breaks,
    split_tables,
    wrap_pieces,
)

TEXTS = st.text(
    st.sampled_from("ab 中文，。（）「」`*#-[]~_\n\t\x1b\x07\u202e\u200d👩‍💻é/.:h") | st.characters(), max_size=200
)


@given(TEXTS, st.integers(4, 60))
@settings(max_examples=300, deadline=None)
def test_no_line_is_wider_than_the_pane(text: str, cells: int) -> None:
    for line in (*draw_prose(text, cells), *draw_plain(text, cells)):
        assert draw.count_cells(line) <= cells + 1
        assert not any(ord(char) < 32 or 0x7F <= ord(char) < 0xA0 for piece, _ in line for char in piece)


@given(st.text(st.sampled_from("ab 中文，。（「"), max_size=80), st.integers(4, 30))
def test_breaking_loses_only_the_spaces_it_breaks_at(text: str, cells: int) -> None:
    spans = find_breaks(text, cells)
    assert "".join(text[start:end] for start, end in spans).replace(" ", "") == text.replace(" ", "")
    assert all(cell_len(text[start:end]) <= cells for start, end in spans)


def test_chinese_breaks_between_characters_but_not_before_a_stop() -> None:
    lines = ["".join(piece for piece, _ in line) for line in wrap_pieces([("选择方案甲，因为快。", "")], 10)]
    assert lines == ["选择方案", "甲，因为", "快。"]


def test_a_stop_that_may_not_begin_a_line_does_not_make_one_too_wide() -> None:
    assert all(cell_len("。。a（a，"[start:end]) <= 4 for start, end in find_breaks("。。a（a，", 4))


def test_latin_breaks_at_spaces() -> None:
    lines = ["".join(piece for piece, _ in line).rstrip() for line in wrap_pieces([("one two three", "")], 8)]
    assert lines == ["one two", "three"]


def test_a_bullet_hangs() -> None:
    lines = ["".join(piece for piece, _ in line) for line in draw_prose("- one two three", 9)]
    assert lines == ["• one two", "  three"]


def test_inline_marks_become_styles() -> None:
    styles = dict(draw_inline("use **black** and `ruff`, see [[note]] #style"))
    assert styles["black"] == "bold"
    assert styles["ruff"] == "code"
    assert styles["[[note]]"] == "link"
    assert styles["#style"] == "tag"


MARKED = """## Why **now**
- one
  - nested [doc](https://example.com/a) and `code`
- [x] done

> quoted
> again

1. first
2. second

| a | b |
|---|---|
| 1 | 2 |

```py
x = 1
```
<!-- aside --> &#27;[31m
"""


def test_markdown_is_drawn_as_it_is_meant() -> None:
    lines = ["".join(piece for piece, _style in line).rstrip() for line in draw_prose(MARKED, 60)]
    assert lines == [
        "Why now", "• one", "  • nested doc (https://example.com/a) and code", "• ☑ done", "", "│ quoted", "│ again",
        "", "1. first", "2. second", "", "a  b", "1  2", "", "py", "▏ x = 1", "<!-- aside --> &#27;[31m",
    ]  # fmt: skip
    drawn = [piece for line in draw_prose(MARKED, 60, ("one",)) for piece in line]
    assert {("Why ", "head"), ("now", "bold"), ("doc", "link"), ("code", "code"), ("one", "mark")} <= set(drawn)


def test_words_are_marked_in_any_case() -> None:
    (line,) = draw_prose("Use PyTest", 40, ("pytest",))
    assert ("PyTest", "mark") in line


def test_a_long_text_is_cut_and_says_so() -> None:
    lines = draw_prose("x" * 70_000, 100)
    assert "4,464 more characters" in lines[-1][0][0]


@given(TEXTS, st.integers(3, 80))
def test_rows_are_exactly_as_wide_as_asked(text: str, cells: int) -> None:
    shown = draw.clip_to_line(text)
    pieces = draw.fit_row([(" ● ", "ok")], [(shown, "")], [(" .95 ", "dim")], cells)
    assert draw.count_cells(pieces) == cells


@given(TEXTS, st.lists(st.tuples(st.integers(-5, 220), st.integers(-5, 220)), max_size=5))
def test_marks_from_anywhere_never_break_a_row(text: str, marks: list[tuple[int, int]]) -> None:
    pieces = draw.mark_places(text, marks)
    assert all(style in {"", "mark"} for _, style in pieces)
    assert "\x1b" not in "".join(piece for piece, _ in pieces)


def test_a_path_keeps_its_end() -> None:
    assert (
        draw.clip_start("sessions/2026/11/long-name.md:12", 18) == "…/long-name.md:12"[-18:]
        or len(draw.clip_start("sessions/2026/11/long-name.md:12", 18)) <= 18
    )
    assert draw.clip_start("short.md:1", 18) == "short.md:1"


def test_a_path_of_windows_keeps_its_backslashes_and_what_is_escaped_is_not_shown() -> None:
    def text(raw: str) -> str:
        return "\n".join("".join(piece for piece, _style in line) for line in draw_prose(raw, 90))

    assert text(r"C:\Users\mei\.openclaw\workspace\(old)") == r"C:\Users\mei\.openclaw\workspace\(old)"
    assert text(r"D:\.cache holds it") == r"D:\.cache holds it"
    assert text(r"snake\_case, 1\. first, \*not bold\*") == "snake_case, 1. first, *not bold*"


REPORT = """| Signal | Count | Priority | Status | Last seen | Sessions |
| --- | --- | --- | --- | --- | --- |
| environment_issue | 6/8 | CRITICAL | active | 2026-11-20 | 3e99c66a, fbbee4a7, a96c448f, 8698207c |
| error | 1/8 | normal | suppressed | 2026-11-16 | f2ce2b04 |"""


def shown(cells: int) -> list[str]:
    ((_text, rows),) = split_tables(REPORT)
    return ["".join(text for text, _style in line) for line in draw_text_table(rows, cells)]


def test_where_it_is_narrow_the_last_columns_go_and_the_first_can_be_read() -> None:
    lines = shown(36)
    assert lines[1].split() == ["environment_issue", "6/8", "CRITICAL"]
    assert lines[-1] == "… 3 more columns: z makes room"


def test_where_there_is_room_everything_is_there() -> None:
    lines = shown(110)
    assert len(lines) == 3
    assert lines[1].endswith("8698207c")


def test_no_line_is_too_long_at_any_width() -> None:
    for cells in range(4, 120):
        assert all(len(line) <= cells for line in shown(cells))


def test_an_age_is_read_whole_below_its_moment() -> None:
    rows = [("created", "2026-11-28 10:20  (12 小时)", "")]
    drawn = ["".join(text for text, _style in line) for line in draw_field_table(rows, 7, 32)]
    assert [line.strip() for line in drawn] == ["created  2026-11-28 10:20", "(12 小时)"]
    assert len(draw_field_table(rows, 7, 60)) == 1


TABLE = """| Key | What it is for |
| --- | --- |
| retry | twice, then<br>the queue |
| 超时 | 三十秒以后放弃，并把订单放回队列，不再自动重试，由值班的人来看 |"""


def test_a_cell_goes_on_below_itself_and_a_tag_breaks_its_line() -> None:
    drawn = ["".join(text for text, _style in line) for line in draw_prose(TABLE, 40)]
    assert drawn[:3] == ["Key    What it is for", "retry  twice, then", "       the queue"]
    assert "".join(line.strip() for line in drawn[3:]).endswith("由值班的人来看")
    assert all(line.startswith(("超时", "       ")) for line in drawn[3:])
    assert not any("…" in line or "<br>" in line for line in drawn)
    assert [line[0][0] for line in draw_prose("one<br/>two, and `<br>` as code", 40)][:2] == ["one", "two, and "]
