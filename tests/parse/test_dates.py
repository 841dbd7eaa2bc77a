"""Which day a line of a note is of: its own, its list's, its section's, its document's."""

from __future__ import annotations

import pytest

from memtui.core import clock
from memtui.core.model import Layer, Role
from memtui.formats import Source, parse
from memtui.formats.dates import normalize_dates, parse_path_moment
from tests.parse.reading import read


def day(text: str, line: int, path: str = "notes.md", parser: str = "markdown") -> str:
    """The day of the entry on a line; empty: it has none."""
    found = next(one for one in read(parser, text, path).entries if one.start <= line <= one.last)
    return "" if found.created is None else clock.format_day(found.created)


@pytest.mark.parametrize(
    ("written", "read_as"),
    [
        ("02.03.2026", "2026-03-02"), ("2.3.2026", "2026-03-02"), ("09-02-2026", "2026-02-09"),
        ("02-17-2026", "2026-02-17"), ("17/02/2026", "2026-02-17"), ("02/03/2026", "02/03/2026"),
        ("March 4, 2026", "2026-03-04"), ("4th March 2026", "2026-03-04"), ("4. März 2026", "2026-03-04"),
        ("4 марта 2026", "2026-03-04"), ("4 de março de 2026", "2026-03-04"), ("4 août 2026", "2026-08-04"),
        ("2026년 3월 4일", "2026-03-04"), ("Version 12.40.2026", "Version 12.40.2026"),
        ("10.0.4.2026", "10.0.4.2026"), ("Table 4, 2026", "Table 4, 2026"),
    ],
)  # fmt: skip
def test_days_as_people_write_them(written: str, read_as: str) -> None:
    assert normalize_dates(f"on {written} we") == f"on {read_as} we"


@pytest.mark.parametrize(
    "line",
    [
        "- Reader checked again, re-evaluated April 1, 2026: wait",
        "- imports — done by 2026-04-01",
        "- the cache is warm — 2026-04-01",
        "- Reader seit 01.04.2026 aktiv",
        "First meeting: 2026-04-01. They want it short.",
    ],
)
def test_what_a_sentence_says_of_when(line: str) -> None:
    assert day(f"# Notes\n\n{line}\n", 3) == "2026-04-01"


@pytest.mark.parametrize(
    "field",
    [
        "**Date:** 2026-04-01  \n**Task:** readers", "- **Datum:** 01-04-2026", "Дата изучения: 2026-04-01",
        "_Created: April 1, 2026_", "Fecha: 1 de abril de 2026",
    ],
)  # fmt: skip
def test_a_field_at_the_head_is_of_the_document(field: str) -> None:
    text = f"# Reader\n\n{field}\n\n## What\n\n- two passes\n"
    assert day(text, len(text.splitlines())) == "2026-04-01"


def test_a_line_at_the_foot_is_too_and_a_change_is_not() -> None:
    assert day("# R\n\n## What\n\n- two passes\n\n---\n*Erstellt: 01.04.2026*\n", 5) == "2026-04-01"
    assert day("# R\n\n## What\n\n- two passes\n\n---\nAktualisiert: 01.04.2026\n", 5) == ""
    assert day("# R\n\nDate of birth: 2011-04-01\n\n## What\n\n- two passes\n", 7) == ""


def test_a_field_dates_its_section_whichever_line_it_is() -> None:
    text = "# L\n\n## Reader\n\n- **Lesson**: two passes\n- **Source**: 2026-04-01 fixes\n\n### More\n\n- x y\n\n"
    text += "## Writer\n\n- **Lesson**: one pass\n"
    assert [day(text, line) for line in (5, 10, 14)] == ["2026-04-01", "2026-04-01", ""]
    records = "# L\n\n## Reader\n\n- a\n- Date: 2026-04-01\n- b\n- Date: 2026-04-02\n"
    assert day(records, 5) == ""


def test_records_below_one_another_have_no_title() -> None:
    text = "## [E-1] one\n\n**Logged**: 2026-04-01\n\n### What\n\nfirst\n\n"
    text += "## [E-2] two\n\n**Logged**: 2026-04-02\n\n### What\n\nsecond\n\n## [E-3]\n\nthird\n"
    assert [day(text, line) for line in (7, 15, 19)] == ["2026-04-01", "2026-04-02", ""]


def test_a_label_dates_its_list_below_what_else_it_says() -> None:
    text = "# N\n\n**Web pages (done 2026-04-01):**\nserved from `web/`.\n- one\n- two\n\n"
    text += "Notes (2026-04-02):\nmore\n- three\n"
    assert [day(text, line) for line in (4, 5, 6, 10)] == ["2026-04-01", "2026-04-01", "2026-04-01", ""]


def test_a_label_dates_its_list_and_no_more() -> None:
    text = "# N\n\n**Status (2026-04-01):**\n- one\n- two\n\nlater\n\n**Fixed（2026-04-02, by hand）**：\n\n- three\n"
    assert [day(text, line) for line in (4, 5, 7, 11)] == ["2026-04-01", "2026-04-01", "", "2026-04-02"]


@pytest.mark.parametrize(
    ("column", "cell", "found"),
    [
        ("Completed", "2026-04-01 13:02", "2026-04-01"), ("来源", "2026-04-01", "2026-04-01"),
        ("Stand", "01.04.2026", "2026-04-01"), ("Deadline", "2026-04-01", ""), ("计划完成", "2026-04-01", ""),
        ("When", "2999-04-01", ""), ("File", "report-2026-04-01.txt", ""),
    ],
)  # fmt: skip
def test_a_cell_that_is_a_day_dates_its_row(column: str, cell: str, found: str) -> None:
    assert day(f"# N\n\n| what | {column} |\n|--|--|\n| reader | {cell} |\n", 5) == found


def test_a_part_is_of_the_day_that_its_own_heading_names() -> None:
    text = "---\nname: a\ndescription: d, since 2026-03-01\n---\n\nfirst\n\n## 2026-04-01 more\n\nsecond\n"
    entries = read("markdown", text, "a.md", kind="topic").entries
    assert [clock.format_day(one.created or 0) for one in entries] == [
        "2026-03-01",
        "2026-03-01",
        "2026-04-01",
    ]


def test_what_a_document_is_named_for_dates_no_line_about_it() -> None:
    assert day("# N\n\n- see `docs/adr-202603251800-store.md` for it\n", 3) == ""
    assert day("# N\n\n## Moved (readers of the second phase, 2026-04-01)\n\n- one\n", 5) == "2026-04-01"


@pytest.mark.parametrize(
    "heading",
    [
        "April 1, 2026 — readers", "Wednesday, April 1, 2026", "Session 01.04.2026", "Сессия 1 апреля 2026",
        "周三 2026-04-01", "Readers — 2026-04-01 10:30", "Readers | 2026-04-01 (late)", "Meeting 2026/4/1",
    ],
)  # fmt: skip
def test_a_heading_with_its_day(heading: str) -> None:
    assert day(f"# N\n\n## {heading}\n\n### What\n\n- two passes\n", 7) == "2026-04-01"


@pytest.mark.parametrize(
    "line", ["计划 2026-04-01 上线", "预计2026-04-01完成", "It must be done by 2026-04-01."]
)
def test_what_is_to_be_by_a_day_is_not_of_it(line: str) -> None:
    assert day(f"# N\n\n- {line}\n", 3) == ""


def test_what_a_task_was_done_on_and_what_it_is_due_on() -> None:
    assert day("# N\n\n- [x] two passes ✅ 2026-04-01\n", 3) == "2026-04-01"
    assert day("# N\n\n- [ ] two passes 📅 2026-04-01\n", 3) == ""


@pytest.mark.parametrize(
    "line", ["**Last contact:** Apr 1, 2026", "Last seen: 2026-04-01", "上次联系时间：2026-04-01"]
)
def test_what_a_group_of_fields_says_of_its_day(line: str) -> None:
    assert day(f"# People\n\n## Ann\n\n- likes tea\n- {line}\n\n## Bo\n\n- likes milk\n", 5) == "2026-04-01"


LOG = """# Last session

> Updated 2026-07-20.

## Session 92 (2026-07-20) — lookups as trees

- The tree needs its parent's column.

### What is open

- [ ] Try it on the page of companies.

## Session 91 (2026-07-18)

- Menus are read from the table.

## How to write here

- The newest stands first.
"""


@pytest.mark.parametrize(
    ("path", "kind", "layers"),
    [
        ("memory/last_session.md", "topic", ["", "", "journal", "journal", "journal", ""]),
        ("WORK-LOG.md", "note", ["", "", "journal", "journal", "journal", ""]),
        ("memory/decision_log.md", "topic", [""] * 6),
        ("memory/sessionless.md", "topic", [""] * 6),
    ],
)
def test_the_dated_sections_of_a_log_are_days(path: str, kind: str, layers: list[str]) -> None:
    entries = parse(Source(path, Role(Layer.KNOWLEDGE, kind, "markdown"), LOG.encode())).entries
    assert [entry.layer.value if entry.layer else "" for entry in entries][-5:] == layers[-5:]
    assert "topic" not in {entry.kind for entry in entries if entry.layer}


def test_days_are_of_the_zone_that_holds_now(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was read in another zone is not remembered: lists would stand in another order."""
    for zone, hours in (("UTC", 0), ("Asia/Shanghai", -8), ("UTC", 0)):
        monkeypatch.setenv("MEMTUI_TZ", zone)
        midnight = 1771891200.0 + hours * 3600
        assert parse_path_moment("memory/2026-02-24.md") == midnight
        assert read("markdown", "## 2026-02-24\n\n- ruff\n").entries[0].created == midnight
