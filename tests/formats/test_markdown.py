"""Markdown -> entries: blocks, headings, kinds, frontmatter, stamps, and that nothing vanishes.

Our own reader of frontmatter is lenient, without aliases, bounded.
"""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memtui.core.model import Layer, Role, Status
from memtui.formats import Source, parse
from memtui.formats.frontmatter import LINES, find_frontmatter_end, parse_frontmatter_fields
from memtui.formats.markdown import PIECE
from tests.formats.reading import check_lines, read, utc


def texts(text: str | bytes) -> list[str]:
    return [entry.text for entry in read("markdown", text).entries]


def test_items_keep_their_continuations_and_nested_items() -> None:
    text = "- one\n  goes on\n  - inner\n\n  after a blank\n- two\n\nA paragraph\nof two lines.\n"
    parsed = read("markdown", text)
    assert [(entry.text, entry.start, entry.end) for entry in parsed.entries] == [
        ("one\ngoes on\n- inner\n\nafter a blank", 1, 5),
        ("two", 6, 6),
        ("A paragraph\nof two lines.", 8, 9),
    ]


@pytest.mark.parametrize("marker", ["- ", "* ", "+ ", "1. ", "12) ", "1、", "• "])
def test_every_list_marker_is_taken_off(marker: str) -> None:
    assert texts(f"{marker}甲\n{marker}乙\n") == ["甲", "乙"]


def test_a_long_item_gives_its_nested_items_entries_of_their_own() -> None:
    inner = "".join(f"  - inner {number} {'x' * 200}\n" for number in range(9))
    parsed = read("markdown", f"- outer\n{inner}- next\n")
    assert [entry.text.split(" x")[0] for entry in parsed.entries] == [
        "outer",
        *(f"inner {number}" for number in range(9)),
        "next",
    ]
    assert [entry.start for entry in parsed.entries] == list(range(1, 12))


def test_a_long_paragraph_is_divided_at_line_ends() -> None:
    parsed = read("markdown", "".join(f"line {number} {'字' * 300}\n" for number in range(10)))
    assert len(parsed.entries) > 1
    covered = [line for entry in parsed.entries for line in range(entry.start, entry.end + 1)]
    assert covered == list(range(1, 11))
    assert all(len(entry.text) <= PIECE + 3 for entry in parsed.entries)


def test_table_rows_know_their_header() -> None:
    parsed = read("markdown", "| 模块 | 说明 |\n|:--|--:|\n| auth | a \\| b |\n| | |\nx | y\n")
    assert [(entry.text, entry.start, dict(entry.extra)) for entry in parsed.entries] == [
        ("auth · a | b", 3, {"模块": "auth", "说明": "a | b"}),
        ("x · y", 5, {"模块": "x", "说明": "y"}),
    ]


def test_fences_hold_neither_headings_nor_items() -> None:
    parsed = read("markdown", "## 用户偏好\n```md\n## 规则\n- no item\n```\n~~~~\n~~~\n# no\n~~~~\n- item\n")
    assert [(entry.text, entry.kind, entry.heading) for entry in parsed.entries] == [
        ("## 规则\n- no item", "pref", ("用户偏好",)),
        ("~~~\n# no", "pref", ("用户偏好",)),
        ("item", "pref", ("用户偏好",)),
    ]


def test_an_unclosed_fence_ends_at_the_next_section_and_is_reported() -> None:
    parsed = read("markdown", "```\ncode\n\n## After\n- here\n")
    assert [(entry.text, entry.heading) for entry in parsed.entries] == [("code", ()), ("here", ("After",))]
    assert [(problem.line, "never closed" in problem.reason) for problem in parsed.problems] == [(1, True)]


def test_headings_of_both_kinds_make_paths_and_empty_sections_can_be_found() -> None:
    parsed = read("markdown", "Title\n=====\n\n## A ##\n### B\ntext\n## C\n\nD\n---\nmore\n# E")
    assert [(entry.text, entry.kind, entry.heading) for entry in parsed.entries] == [
        ("text", "note", ("Title", "A", "B")),
        ("C", "note", ("Title",)),
        ("more", "note", ("Title", "D")),
        ("E", "note", ()),
    ]
    assert parsed.title == "Title"


def test_a_rule_of_equals_signs_is_no_memory() -> None:
    assert texts("# Log\n\n=====\n\n- one\n\n===\ntwo\n") == ["one", "two"]


def test_a_thematic_break_below_a_field_is_no_heading() -> None:
    assert texts("**模式:** 对话\n---\nbody\n") == ["**模式:** 对话", "body"]


@pytest.mark.parametrize(
    ("heading", "kind"),
    [
        ("用户偏好", "pref"), ("📌 2. 关键决策（重要）", "decision"), ("Lessons Learned", "lesson"),
        ("三、避坑经验", "lesson"), ("Project Facts", "fact"), ("未完成", "todo"), ("Open Questions", "todo"),
        ("Work Log", "event"), ("技能", "skill"), ("编码规范", "rule"), ("Team decisions so far", "decision"),
        ("Something else", "note"), ("已完成的待办", "event"),
    ],
)  # fmt: skip
def test_headings_name_kinds_in_both_languages(heading: str, kind: str) -> None:
    assert [entry.kind for entry in read("markdown", f"# Doc\n## {heading}\n- x\n").entries] == [kind]


def test_an_inner_heading_without_a_kind_inherits_the_outer_one() -> None:
    assert [entry.kind for entry in read("markdown", "## 偏好\n### 编辑器\n- vim\n# Other\n- x\n").entries] == [
        "pref",
        "note",
    ]


@pytest.mark.parametrize(
    ("line", "text", "fields"),
    [
        ("- [ ] open", "open", {"kind": "todo"}),
        ("- [x] done", "done", {"kind": "todo", "extra": {"done": True}}),
        ("- **whole** (2026-02-26, auto)", "whole", {"created": utc(2026, 2, 26), "extra": {"auto": True}}),
        ("- [2026-02-20] 文本", "文本", {"created": utc(2026, 2, 20)}),
        ("- 2026-02-25 03:16 ran (source=run-7)", "ran", {"created": utc(2026, 2, 25, 3, 16), "session": "run-7"}),
        ("- 用 uv（confidence: 0.9）", "用 uv", {"confidence": 0.9}),
        ("- a (confidence: 80%) #x #标签", "a", {"confidence": 0.8, "tags": ("x", "标签")}),
        ("- ~~old~~", "old", {"status": Status.SUPERSEDED}),
        ("- [pref] ~~old~~", "old", {"status": Status.SUPERSEDED, "kind": "pref"}),
        ("- **~~old~~** (2026-02-08)", "old", {"status": Status.SUPERSEDED}),
        ("- ~~old~~ (archived)", "old", {"status": Status.ARCHIVED}),
        ("- old (archived 2026-11-21)", "old", {"status": Status.ARCHIVED, "updated": utc(2026, 11, 21)}),
        (
            "- ~~old~~ (superseded 2026-11-21 → the new one, as it begins)",
            "old",
            {"status": Status.SUPERSEDED, "superseded_by": "the new one as it begins"},
        ),
        (
            "- ~~old~~ (superseded 2026-11-21 → 新的一句…)",
            "old",
            {"status": Status.SUPERSEDED, "superseded_by": "新的一句…"},
        ),
        ("- old (superseded by fact-041)", "old", {"status": Status.SUPERSEDED, "superseded_by": "fact-041"}),
        ("- old → fact-041", "old", {"status": Status.SUPERSEDED, "superseded_by": "fact-041"}),
        ("- [pref] tabs", "tabs", {"kind": "pref"}),
        ("- **决策**: 用 RS256", "**决策**: 用 RS256", {"kind": "decision"}),
        ("- see [t](a/b.md) and [[wiki|W]]", "see [t](a/b.md) and [[wiki|W]]", {"links": ("a/b.md", "wiki")}),
        ("- see [u](<c d.md>)", "see [u](<c d.md>)", {"links": ("c d.md",)}),
        ("- x <!-- importance: 8 -->", "x", {"importance": 8.0}),
        ("- until then (expires: 2026-03-01)", "until then", {"expires": utc(2026, 3, 1, 23, 59, 59)}),
    ],
)  # fmt: skip
def test_marks_become_fields(line: str, text: str, fields: dict[str, object], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMTUI_TZ", "UTC")
    (entry,) = read("markdown", line + "\n").entries
    assert entry.text == text
    assert {name: getattr(entry, name) for name in fields} == fields


@pytest.mark.parametrize(
    "text",
    [
        "fixed in #123", "colour is #ff0088", "see (the README)", "f(2026-02-08)", "[draft] but what", "a → b",
        "[t](source.md)", "2026-99-99 nonsense", "C#", "(", ")", "#", "→", "**", "~~~~", "[x]y", "costs 5 (or 6)",
        "2026-02-24 was a bad day",
    ],
)  # fmt: skip
def test_what_is_not_understood_stays_in_the_text(text: str) -> None:
    assert texts(f"- {text}\n") == [text]


def test_frontmatter_in_the_dialects_that_are_written() -> None:
    nested = (
        "---\nname: no-mocks\ndescription: \"Tests: hit a real database\"\nmetadata: \n  node_type: memory\n"
        "  type: feedback\n  originSessionId: 5b1c\n  modified: 2026-02-10T10:00:00.123Z\n---\n\nBody [[slug]].\n"
    )  # fmt: skip
    head, body = read("markdown", nested).entries
    assert (head.text, head.title, head.kind, head.start, head.end) == (
        "Tests: hit a real database", "no-mocks", "feedback", 1, 9,
    )  # fmt: skip
    assert head.extra == {"node_type": "memory"}
    assert (body.text, body.title, body.kind, body.session, body.updated) == (
        "Body [[slug]].", "", "feedback", "5b1c", utc(2026, 2, 10, 10) + 0.123,
    )  # fmt: skip
    flat = "---\nname: a: b — c\ndescription: |\n  two\n  lines\ntype: user\ntags: [x, y]\n---\n- item\n"
    head, body = read("markdown", flat).entries
    assert (head.title, head.text, head.tags, body.kind) == ("a: b — c", "two\nlines", ("x", "y"), "user")


def test_many_blocks_of_frontmatter_in_one_file() -> None:
    block = (
        "---\nrollout_summary_files:\n  - {0}.md (cwd=/p)\ndescription: about {0}\nkeywords: k{0}, z\n---\n"
        "- {0} item\n\n"
    )
    parsed = read("markdown", block.format("a") + "prose\n\n---\n\nStatus: fine\n\n---\n" + block.format("b"))
    assert [(entry.text, entry.tags) for entry in parsed.entries] == [
        ("about a", ("ka", "z")), ("a item", ("ka", "z")), ("prose", ("ka", "z")), ("Status: fine", ("ka", "z")),
        ("about b", ("kb", "z")), ("b item", ("kb", "z")),
    ]  # fmt: skip
    assert parsed.entries[0].extra == {"rollout_summary_files": ["a.md (cwd=/p)"]}


def test_frontmatter_that_never_closes_is_text() -> None:
    assert texts("---\nname: x\n\nprose here\n") == ["name: x", "prose here"]


def test_stamps_in_comments_speak_for_what_they_stand_by() -> None:
    text = (
        "# M\n<!-- memory_md_update: at=2026-02-25T03:16:00Z source=run-1 -->\n\n## A\n<!-- importance: 3 -->\n"
        "- one\n- two <!-- importance: 8 -->\n<!-- trigger: deploy -->\n\n<!-- just prose -->\n"
        "<!-- importance: 5 -->\n- three\n"
        "## B\n- four\n<!--\nhidden\n-->\n- five\n"
    )
    one, two, three, four, five = read("markdown", text).entries
    assert [entry.importance for entry in (one, two, three, four)] == [3.0, 8.0, 5.0, None]
    assert two.extra == {"trigger": "deploy"}
    assert {entry.source for entry in (one, two, three, four, five)} == {"run-1"}
    assert one.updated == utc(2026, 2, 25, 3, 16)
    assert (five.text, five.start) == ("five", 18)


def test_bytes_that_are_no_text_are_reported_and_the_rest_is_read() -> None:
    data = "- 前\n".encode() + b"\0" * 300 + "- 后\n- 截".encode()[:-1]
    parsed = read("markdown", data)
    assert [entry.text for entry in parsed.entries] == ["前", "后", "\ufffd\ufffd"]
    assert [(problem.line, problem.reason) for problem in parsed.problems] == [
        (2, "300 NUL bytes"),
        (3, "bytes that are not UTF-8"),
    ]
    assert texts(b"\xef\xbb\xbf# T\r\n\r\n- one\r\n- two") == ["one", "two"]
    assert texts("- 一\r\n".encode("utf-16")) == ["一"]


def test_lines_written_on_in_utf_16_are_read_and_reported() -> None:
    """As `>>` does it in a shell on Windows: half of the line end belongs to the next line."""
    data = "# 日志\r\n\r\n- 一个读取器\r\n".encode() + "- two readers, 两个读取器\r\n- 三个读取器\r\n- last\r\n".encode(
        "utf-16-le"
    )
    for masked in (False, True):
        source = Source("a.md", Role(Layer.KNOWLEDGE, "note", "markdown"), data, masked=masked)
        parsed = parse(source)
        assert [(one.start, one.text) for one in parsed.entries] == [
            (3, "一个读取器"), (4, "two readers, 两个读取器"), (5, "三个读取器"), (6, "last"),
        ]  # fmt: skip
        assert "UTF-16 in a file in UTF-8: 3" in parsed.problems[0].reason
    assert source.text.split("\n")[3] == "- two readers, 两个读取器"


def test_a_secret_in_utf_16_is_masked() -> None:
    key = "AKIA" + "Q3EXWJ5R7TZ2NMLP"
    data = b"- x y\n" + f"- key {key} of the store\r\n".encode("utf-16-le")
    source = Source("a.md", Role(Layer.KNOWLEDGE, "note", "markdown"), data, masked=True)
    assert key not in source.text
    assert not source.bare


def test_a_file_longer_than_what_was_read_says_so() -> None:
    """Nothing is cut off in silence (T41)."""
    parsed = read("markdown", "- a\n", size=99)
    assert [problem.reason for problem in parsed.problems] == ["only the first 4 of 99 bytes were read"]


def test_a_huge_line_is_shown_shortened() -> None:
    parsed = read("markdown", "- " + "字" * 1_100_000 + "\n- next\n")
    assert parsed.entries[0].text.endswith("characters)")
    assert len(parsed.entries[0].text) < 70_000
    assert parsed.entries[1].text == "next"
    assert "shown shortened" in parsed.problems[0].reason


@pytest.mark.parametrize(
    "text",
    [
        "```x\n## h\n" * 20_000, "<!--\n" * 50_000, "---\na: b\n" * 20_000, "- [](" * 50_000, "- a\n\n" * 30_000,
        "".join(" " * depth + "- x\n" for depth in range(1500)), "|-" * 50_000 + "\n", "<!-- " * 30_000, "#x " * 50_000,
        "`" * 1000 + "\n" + "``` a\n" * 20_000, "(" * 50_000 + ")" * 50_000, "<a " * 50_000, "**" * 50_000,
    ],
    ids=lambda text: repr(text[:8]),
)  # fmt: skip
def test_hostile_repetition_stays_linear(text: str) -> None:
    import time

    begin = time.process_time()
    check_lines(read("markdown", text))
    assert time.process_time() - begin < 2.5


_FRAGMENTS = st.sampled_from([
    "- {}", "  - {}", "    * {}", "1. {}", "# {}", "## {}", "{}", "> {}", "| {} | b |", "```", "~~~", "", "---", "===",
    "\t{}", "- [ ] {}", "- 2026-02-24T10:12:33Z [pref] {} #t (source=run-1)", "2026-02-24 10:00 {}", "**{}**", "<div>",
    "- {} <!-- importance: 2 -->", "[{}](x.md)", "{}\r", "- ", "##{}", "•{}", "  {}", "```{}", "-{}", "　{}",
    "- **决策**: {}", "- [x]", "- #{}", "- (source={})", "- <!-- id: {} -->", "- 09:30 {}", "## 14:30 - 项目: {}",
    "**时间:** {}", "## Daily Summary (auto)", "- date: {}", "1. **主题**: {}", "2. **决策记录**:",
    "[user]: {}", "<!-- said -->", "name: {}",
])  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(st.lists(_FRAGMENTS, max_size=25), st.sampled_from(["markdown", "journal", "session", "index"]))
def test_every_word_on_disk_is_in_some_entry(fragments: list[str], parser: str) -> None:
    """Each line carries a word of its own: it must stand in a span, or in a heading path, or be a fence's name."""
    lines = [fragment.format(f"w{number}w") for number, fragment in enumerate(fragments)]
    parsed = read(parser, "\n".join(lines) + "\n", "2026-02-24.md")
    check_lines(parsed)
    covered = {line for entry in parsed.entries for line in range(entry.start, entry.end + 1)}
    headings = {part for entry in parsed.entries for part in entry.heading} | {parsed.title}
    for number, line in enumerate(lines):
        word = f"w{number}w"
        if word in line and number + 1 not in covered:
            empty_heading = parser in {"session", "index"} and (line.startswith("#") or _setext(lines, number))
            assert any(word in part for part in headings) or "```" in line or empty_heading, (lines, line)


def _setext(lines: list[str], number: int) -> bool:
    return number + 1 < len(lines) and lines[number + 1].strip() in {"---", "==="}


@settings(max_examples=150, deadline=None)
@given(st.binary(max_size=400), st.sampled_from(["markdown", "journal", "session", "index"]))
def test_any_bytes_are_read_without_an_error(data: bytes, parser: str) -> None:
    parsed = read(parser, data, "daily/2026-02-24.md")
    assert not any("could not be understood" in problem.reason for problem in parsed.problems)
    check_lines(parsed)


def test_a_document_is_named_once() -> None:
    text = "---\nname: deploy\ndescription: how\n---\n# Deploy\n\nFirst.\n\n- second\n\n## More\n\nthird\n"
    assert [entry.title for entry in read("markdown", text).entries] == ["deploy", "", "", ""]


def test_forms_that_nobody_filled_in_are_no_memories() -> None:
    form = "# 核心记忆\n\n## 用户偏好\n\n## 项目背景\n\n## 重要决策\n\n## Notes\n\n## 2026-02-10\n"
    assert read("markdown", form).entries == []
    said = read("markdown", "# MEMORY\n\n## 偏好\n\n## 周五不发布\n").entries
    assert [(entry.text, entry.kind) for entry in said] == [("周五不发布", "note")]


def test_what_is_quoted_below_the_title_is_about_the_document() -> None:
    text = "# shop 开发规范\n\n> 自动提取，可手动编辑\n\n- 金额用 Decimal\n\n## 禁止项\n\n> 直接 push\n"
    kinds = [entry.kind for entry in read("markdown", text, kind="rule").entries]
    assert kinds == ["note", "rule", "rule"]


def test_bold_that_goes_on_over_lines_loses_its_stars() -> None:
    (entry,) = read("markdown", "- **declare -A 不可用，\n  要用数组** (2026-02-27, auto)\n").entries
    assert entry.text == "declare -A 不可用，\n要用数组"
    (entry,) = read("markdown", "- **a** and\n  **b**\n").entries
    assert entry.text == "**a** and\n**b**"


@pytest.mark.parametrize(("mark", "done"), [("√", True), ("✓", True), ("-", True), ("?", False), (" ", False)])
def test_tasks_are_ticked_in_many_ways(mark: str, done: bool) -> None:
    (entry,) = read("markdown", f"- [{mark}] 1.1 写锁\n").entries
    assert (entry.kind, entry.text, bool(entry.extra.get("done"))) == ("todo", "1.1 写锁", done)


def test_a_block_of_codex_leads_to_what_it_was_made_of() -> None:
    text = (
        "---\nrollout_summary_files:\n  - a.md (success, cwd=/x, updated_at=2026-02-06T20:10:00Z)\n"
        "  - b.md (cwd=/x, updated_at=2026-02-07T11:00:00Z)\ndescription: keys\nkeywords: jwt, rs256\n---\n"
        "- use RS256\n\n---\nrollout_summary_files:\n  - c.md\ndescription:\nkeywords:\n---\n- sqlite\n"
    )
    first, item, second, other = read("markdown", text).entries
    assert (first.links, first.updated, first.tags) == (
        ("a.md", "b.md"), utc(2026, 2, 7, 11), ("jwt", "rs256"),
    )  # fmt: skip
    assert (item.updated, item.tags) == (first.updated, first.tags)
    assert (second.links, other.tags, other.updated) == (("c.md",), (), None)


def test_a_byte_order_mark_amid_the_text_hides_no_heading() -> None:
    one, two = read("markdown", "## 0.2.1\n- new\n\n\ufeff## 0.2.0\n- old\n").entries
    assert (one.heading, two.heading, two.start) == (("0.2.1",), ("0.2.0",), 5)


def block(text: str) -> dict[str, object]:
    return parse_frontmatter_fields(text.split("\n"))


def test_scalars_stay_text_and_lose_only_their_quotes() -> None:
    text = 'a: NO\nb: 2026-02-30\nc: "x: \\"y\\""\nd: \'it\'\'s\'\ne: - : # no\nf: x # comment\ng: ~\nh: "open'
    assert block(text) == {
        "a": "NO", "b": "2026-02-30", "c": 'x: "y"', "d": "it's", "e": "- :", "f": "x", "g": "", "h": "open",
    }  # fmt: skip


def test_lists_mappings_and_block_scalars() -> None:
    text = (
        "tags: [a, 'b c', \"d\"]\nfiles:\n- one.md (cwd=/p, at=1)\n- two\n  goes on\nmetadata: \n  type: user\n"
        "  deep:\n    er: x\nlit: |\n  l1\n   l2\n\nfold: >-\n  f1\n  f2\nplain:\n  wrapped\n  text\nend: 1"
    )
    assert block(text) == {
        "tags": ["a", "b c", "d"], "files": ["one.md (cwd=/p, at=1)", "two goes on"],
        "metadata": {"type": "user", "deep": {"er": "x"}}, "lit": "l1\nl2", "fold": "f1 f2", "plain": "wrapped text",
        "end": "1",
    }  # fmt: skip


def test_anchors_and_aliases_are_only_text() -> None:
    assert block("a: &x [1]\nb: *x\nc: !!python/object x") == {
        "a": "&x [1]",
        "b": "*x",
        "c": "!!python/object x",
    }


def test_where_a_block_ends() -> None:
    assert find_frontmatter_end(["---", "name: x", "---"], 0) == 2
    assert find_frontmatter_end(["---", "name: x", "..."], 0) == 2
    assert find_frontmatter_end(["---", "---"], 0) == -1
    assert find_frontmatter_end(["---", "name: x"], 0) == -1
    assert find_frontmatter_end(["---", "", "name: x", "---"], 0) == 3
    assert find_frontmatter_end(["a", "---", "", "name: x", "---"], 1) == -1
    assert find_frontmatter_end(["a", "---", "colour: x", "---"], 1) == -1
    assert find_frontmatter_end(["a", "---", "keywords: x", "---"], 1) == 3
    assert find_frontmatter_end(["---", "name: x", *["a: b"] * LINES, "---"], 0) == -1
    assert find_frontmatter_end(["---", "name: " + "x" * 70_000, "---"], 0) == -1


@settings(max_examples=200, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            ["a: b", "  a: b", "- x", "  - x", "a:", "\ta:", "|", "a: |", "  a: >", "", "# c", ":", "a:: b"]
        ),
        max_size=30,
    )
)
def test_any_lines_are_read(lines: list[str]) -> None:
    assert isinstance(parse_frontmatter_fields(lines), dict)


def test_deep_nesting_is_cut_off() -> None:
    found: object = parse_frontmatter_fields([" " * depth + "a:" for depth in range(3000)])
    depth = 0
    while isinstance(found, dict) and "a" in found:
        found = found["a"]
        depth += 1
    assert depth < 40


def test_mappings_on_one_line() -> None:
    text = "---\nname: a\nmetadata: {type: feedback, \"originSessionId\": 's, 1', tags: [x, y]}\n---\nb\n"
    head, body = read("markdown", text).entries
    assert (head.kind, head.session, head.tags, body.kind) == ("feedback", "s, 1", ("x", "y"), "feedback")
    (template,) = read("markdown", "---\nname: {{title}}\n---\n").entries
    assert template.title == "{{title}}"
    assert block("a: " + "{b: " * 5000 + "}" * 5000)["a"]
