"""What a document says of itself besides what somebody remembers: stamps, bookkeeping, blanks, colophons."""

from __future__ import annotations

from itertools import pairwise

import pytest

from memtui.core.model import Entry, Layer, Level, Role
from memtui.formats import Source, parse

MEMORY, CONTEXT = Level.MEMORY, Level.CONTEXT


def read(text: str, kind: str = "note", path: str = "memory/garden.md") -> list[Entry]:
    return parse(Source(path, Role(Layer.KNOWLEDGE, kind, "markdown"), text.encode())).entries


def rows(text: str) -> list[int]:
    return [entry.start for entry in read(text) if entry.level is MEMORY]


@pytest.mark.parametrize(
    "note",
    [
        "**Commit**: 3fa9c21\n**Duration:** 25 minutes",
        "**Commit**：3fa9c21b\n**完成時間**：25 分鐘",
        "Time spent: 2h",
        "**Tags**: #pump #valve",
        "标签: #水泵 #阀门",
    ],
)
def test_how_a_piece_of_work_is_filed_is_no_memory(note: str) -> None:
    assert rows(
        f"# Day\n\n## Pump\n\n- The pump starts at six\n\n{note}\n\n## Roof\n\n- It leaks at the chimney\n"
    ) == [
        5,
        11 + note.count("\n"),
    ]


@pytest.mark.parametrize(
    "note",
    [
        "**Commit**: squash before you push",
        "**Commit**: 3fa9c21 keeps the motor running",
        "**Tags**: the red ones are for the roof",
        "Duration: as long as the dough needs",
        "**Commit**: 3fa9c21\n**Next**: the roof",
    ],
)
def test_what_only_begins_like_that_is_one(note: str) -> None:
    assert rows(f"# Day\n\n## Pump\n\n- The pump starts at six\n\n{note}\n") == [5, 7]


def test_a_field_that_nobody_filled_in_is_no_memory() -> None:
    assert rows("# Client\n\n- Owner:\n- Deliverable: the new gate\n- Paid on:\n") == [4]
    # What leads to something, or says something itself, stays.
    assert rows("# Client\n\n- Owner:\n  - Ines\n  - Tom\n") == [3]
    many = "".join(f"  - the {number}th of the tools that hang on the long wall of the shed\n" for number in range(60))
    assert rows(f"# Shed\n\n- On the wall:\n{many}- the key hangs outside\n") == [3, 64]
    assert rows("# Client\n\n- Whoever paints the gate must read both of these before he starts:\n- the plan\n") == [
        3,
        4,
    ]


def test_a_word_in_italics_at_the_foot_is_no_memory() -> None:
    text = "# Pump\n\n- It starts at six\n\n---\n\n{}\n"
    assert rows(text.format("*This page was made after the flood.*")) == [3]
    assert rows(text.format("_The user prefers short answers_")) == [3, 7]
    assert rows(text.format("*Never* start it dry.")) == [3, 7]
    assert rows(text.format("*You must never start it dry.*")) == [3, 7]
    assert rows("# Pump\n\n*It starts at six.*\n") == [3]


def test_a_title_in_bold_above_a_table_is_none_of_its_rows() -> None:
    table = "| Bed | Plants |\n|---|---|\n| one | beans |\n| two | peas |\n"
    assert rows(f"# 庭院\n\n**苗床之間要留一步寬！**\n\n{table}") == [3, 7, 8]
    assert rows(f"# Garden\n\n**Back garden (north)**\n\n{table}\n**All in all 40 plants**\n") == [7, 8, 10]


def test_what_was_lost_in_another_encoding_is_no_memory() -> None:
    lost = "\ufffd" * 9
    assert rows(f"# Pump\n\n- It starts at six\n- {lost} six {lost}\n- One \ufffd stands for a sign\n") == [3, 5]


def test_a_traditional_stamp_at_the_head_is_no_memory() -> None:
    assert rows("# 庭院\n\n> 版本：v1.0\n> 最後更新：2026-03-22\n\n---\n\n## 水\n\n- 六點開始抽水\n") == [10]


def test_a_list_that_stands_for_itself_parts_what_is_above_from_what_is_below() -> None:
    text = (
        "# Day\n\n**Need**: the gate has to open by itself\n\n**What was made**:\n"
        "- the motor is in\n- the lamp blinks\n\n"
        "**Where it is**:\n```\n/srv/gate\n```\n"
    )
    found = [(entry.start, entry.last) for entry in read(text) if entry.level is MEMORY]
    assert all(last < start for (_, last), (start, _) in pairwise(found))


def test_an_overview_is_one_memory() -> None:
    badges = "<p><img src='a.png'></p>\n\n# Gate\n\n[![x](y)](z)\n\n"
    text = f"{badges}Opens the gate at six.\n\n## Use\n\n- [ ] press the knob\n"
    (one,) = [entry for entry in read(text, "overview", "README.md") if entry.level is MEMORY]
    assert (one.kind, one.title, one.last) == ("fact", "Gate: Opens the gate at six.", 11)
