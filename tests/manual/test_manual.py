"""The manual: every topic has a page, and a page can be read at any width."""

from __future__ import annotations

import os
import re

import pytest
from rich.cells import cell_len

from memtui.core.locale import LANGUAGES, choose_language
from memtui.manual import (
    CLOSING,
    OPENING,
    TOPICS,
    Topic,
    find_topic,
    flatten,
    lay_out,
    load_page,
    locate_page,
    write_man,
)


def draw(text: str, cells: int, *, ticks: bool = False) -> list[str]:
    return [flatten(line) for line in lay_out(text, cells, ticks=ticks)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_topic_has_a_page_and_every_page_a_topic(language: str) -> None:
    folder = os.path.dirname(locate_page(TOPICS[0], language))
    assert {name for name in os.listdir(folder) if name.endswith(".md")} == {f"{topic.name}.md" for topic in TOPICS}
    for topic in TOPICS:
        text = load_page(topic)
        assert re.match(r"# \S.*\n\n", text), topic.name
        assert "<!--" not in text, topic.name
        # A table stands within written text, never alone.
        prose = [line for line in text.split("\n") if line and line[0] not in "#|"]
        assert prose, topic.name


def test_a_topic_is_found_however_it_is_capitalised() -> None:
    assert find_topic("KEYS") is find_topic("keys") is not None
    assert find_topic("nothing") is None


@pytest.mark.parametrize("cells", [20, 40, 80, 100])
@pytest.mark.parametrize("topic", TOPICS, ids=lambda topic: topic.name)
def test_a_page_fits_its_width_and_loses_no_word(topic: Topic, cells: int) -> None:
    text = load_page(topic)
    code = {line for fence in re.findall(r"```\w+\n(.*?)```", text, re.DOTALL) for line in fence.split("\n")}
    lines = draw(text, cells)
    assert not [line for line in lines if cell_len(line) > cells and line.removeprefix("  ") not in code]
    squeezed = re.sub(r"\s", "", "".join(lines))
    # Letters of the text outside of tables, which may be read in another order.
    prose = re.sub(r"(?m)^\|.*$|^```.*$|^#+ |^- ", "", text)
    for word in re.findall(r"[^\W_]{4,}", prose):
        assert word in squeezed, word


def test_a_table_is_drawn_in_columns_where_it_fits_and_row_by_row_where_not() -> None:
    table = "| key | does | n |\n|---|---|--:|\n| `a` | " + "approve this one " * 4 + "| 7 |\n| `b` | x | 12 |\n"
    assert draw(table, 90)[-1].split() == ["b", "x", "12"]
    assert draw(table, 90)[-1].endswith("12")
    wrapped = draw(table, 50)
    assert wrapped[1].startswith("a    approve")
    assert wrapped[2].startswith("     ")
    records = draw(table, 30)
    assert records[0] == "a"
    assert records[1].startswith("    does: approve")
    assert "    n: 7" in records


def test_lists_code_and_chinese_text() -> None:
    text = "1. one\n2. two `x`\n\n- a **b**\n  c\n\n```sh\n  run it   # now\n```\n\n"
    text += "支付回调一律幂等，重试三次，再报警给值班的人。\n"
    assert draw(text, 24, ticks=True) == [
        "1. one",
        "2. two `x`",
        "",
        "• a b c",
        "",
        "    run it   # now",
        "",
        "支付回调一律幂等，重试三",
        "次，再报警给值班的人。",
    ]


@pytest.mark.parametrize("cells", range(32, 60, 5))
def test_no_line_of_chinese_begins_or_ends_with_what_belongs_to_its_neighbour(cells: int) -> None:
    page = "键（environment_issue、environment_issue:docker），或唯一的开头。"
    page += "放入 DIR（agents.outbox）。「先看」，再说；“好”！"
    lines = draw(page, cells)
    assert not [line for line in lines if line[0] in CLOSING or line[-1] in OPENING]
    assert "".join("".join(lines).split()) == "".join(page.split())


def test_a_man_page_of_chinese_may_be_broken_between_characters() -> None:
    choose_language("zh")
    try:
        told = write_man("看看", ["memtui"])
    finally:
        choose_language("")
    plain = told.replace("\\:", "")
    assert "\\:" in told
    assert not re.search(r"\\:[，。、；：！？）」』》”]|[（「『《“]\\:", told)
    for line in told.splitlines():
        # Between two places to break at nothing is wider than a narrow terminal, but for code.
        parts = re.split(r"\\:| ", re.sub(r"\\fB.*?\\fR", "x", line))
        assert line[:1] == "." or all(cell_len(part) <= 60 or part.isascii() for part in parts), line
    assert "在终端中查看、搜索和维护编程智能体的记忆" in plain
