"""Tables in a reading pane: whole columns where there is no room for all."""

from __future__ import annotations

from memtui.tui.prose import draw_text_table, split_tables

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
