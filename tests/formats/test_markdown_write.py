"""Where a new list item goes, in whose manner, and how one says that it no longer holds (reliability T44); and Claude's
topic files, with the line of MEMORY.md that goes with each.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.core.edits import Draft, splice_pieces
from memtui.core.errors import RefusedError
from memtui.core.model import Status
from memtui.formats import markdown_write, topic
from tests.formats.ugly import read

NOW = 1_795_219_200.0
"""2026-11-21 00:00 UTC."""


def added(data: bytes, draft: Draft, path: str = "MEMORY.md") -> bytes:
    return splice_pieces(data, markdown_write.add(data, draft, NOW, path).pieces)


def pref(text: str = "新", section: str = "用户偏好") -> Draft:
    return Draft(text, "pref", section)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("# M\n\n## 用户偏好\n\n- a\n\n## B\n", "# M\n\n## 用户偏好\n\n- a\n- 新\n\n## B\n"),
        (
            "# M\n```\n## 用户偏好\n```\n## 用户偏好\n- a\n",
            "# M\n```\n## 用户偏好\n```\n## 用户偏好\n- a\n- 新\n",
        ),
        ("## 用户偏好（旧）\n- a\n", "## 用户偏好（旧）\n- a\n\n## 用户偏好\n- 新\n"),
        ("## 用户偏好 ##  \n- a\n", "## 用户偏好 ##  \n- a\n- 新\n"),
        ("#### 用户偏好\n- a\n", "#### 用户偏好\n- a\n- 新\n"),
        ("用户偏好\n---\n- a\n", "用户偏好\n---\n- a\n- 新\n"),
        ("# M\r\n\r\n## 用户偏好\r\n\r\n- a\r\n", "# M\r\n\r\n## 用户偏好\r\n\r\n- a\r\n- 新\r\n"),
        ("\ufeff## 用户偏好\n- a\n", "\ufeff## 用户偏好\n- a\n- 新\n"),
        ("## 用户偏好\n- a", "## 用户偏好\n- a\n- 新"),
        ("# M\n\n## 用户偏好", "# M\n\n## 用户偏好\n\n- 新"),
        ("# M\n\n## 用户偏好\n", "# M\n\n## 用户偏好\n\n- 新\n"),
        ("# M\n\n## B\n- b", "# M\n\n## B\n- b\n\n## 用户偏好\n- 新"),
        ("# M\n\n## 用户偏好\n\n## B\n\n- b\n", "# M\n\n## 用户偏好\n\n- 新\n\n## B\n\n- b\n"),
        ("## 用户偏好\n- a\n### deeper\n- b\n", "## 用户偏好\n- a\n- 新\n### deeper\n- b\n"),
        ("## 用户偏好\n* a\n\n---\n", "## 用户偏好\n* a\n* 新\n\n---\n"),
        ("## 用户偏好\n1. a\n2. b\n", "## 用户偏好\n1. a\n2. b\n3. 新\n"),
        ("## 用户偏好\n  - a\n    more\n", "## 用户偏好\n  - a\n    more\n  - 新\n"),
        ("## 用户偏好\nwords\n", "## 用户偏好\nwords\n\n- 新\n"),
        ("## 用户偏好\n- a\n\n<!-- for the next -->\n", "## 用户偏好\n- a\n- 新\n\n<!-- for the next -->\n"),
        ("## 用户偏好\n- a\n```\nnever closed\n", "## 用户偏好\n- a\n- 新\n```\nnever closed\n"),
        ("", "# MEMORY\n\n## 用户偏好\n\n- 新\n"),
        ("# M\n\n\n", "# M\n\n\n## 用户偏好\n\n- 新\n"),
    ],
)
def test_a_list_item_goes_to_the_end_of_its_own_section(before: str, after: str) -> None:
    assert added(before.encode(), pref()).decode() == after


def test_nothing_is_put_into_code_that_is_never_closed() -> None:
    with pytest.raises(RefusedError, match="never closed"):
        added(b"# M\n\n```\ncode\n", pref("x", "New"))


def test_two_sections_at_once_keep_their_order() -> None:
    data = b"# M\n\n## A\n\n- a\n\n## B\n\n- b\n"
    for text, section in (("a2", "A"), ("b2", "B"), ("a3", "A"), ("c", "C")):
        data = added(data, pref(text, section))
    assert data == b"# M\n\n## A\n\n- a\n- a2\n- a3\n\n## B\n\n- b\n- b2\n\n## C\n\n- c\n"


def test_bytes_that_are_no_text_stay() -> None:
    data = b"# \xff\xfe\n\n## A\n- caf\xe9 \x00\n"
    assert added(data, pref("new", "A")) == data + b"- new\n"
    gbk = "# 旧文件\n## 用户偏好\n- 用国标码写下的一条偏好\n".encode("gbk")
    assert added(gbk, pref("新的一句")) == gbk + "- 新的一句\n".encode("gbk")
    with pytest.raises(RefusedError):
        added("\ufeff# 宽\n".encode("utf-16-le"), pref())


def test_a_heading_that_is_made_is_a_piece_of_its_own() -> None:
    first, second = markdown_write.add(b"# M\n", pref("a", "New"), NOW, "MEMORY.md").pieces
    assert (first.frame, first.new, second.frame, second.new) == (True, b"\n## New\n\n", False, b"- a\n")


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("# head", ["- \\# head"]),
        ("a\n## 用户偏好\n- x", ["- a", "  \\## 用户偏好", "  - x"]),
        ("- already a bullet", ["- already a bullet"]),
        ("---", ["- \\---"]),
        ("a\n---", ["- a", "  \\---"]),
        ("```\nopen", ["- \\```", "  open"]),
        ("see\n```py\n# code\n```", ["- see", "  ```py", "  # code", "  ```"]),
        ("a\r\nb\u2028c\n\n\n\nd  ", ["- a", "  b", "  c", "", "  d"]),
        ("#tag first", ["- #tag first"]),
    ],
)
def test_a_text_stays_one_item_whatever_it_looks_like(text: str, lines: list[str]) -> None:
    data = b"# M\n\n## A\n\n- a\n\n## B\n\n- b\n"
    new = added(data, pref(text, "A"))
    assert new.decode() == "# M\n\n## A\n\n- a\n" + "\n".join(lines) + "\n\n## B\n\n- b\n"
    assert [entry.text for entry in read(new)][::2] == ["a", "b"]
    assert len(read(new)) == 3


def test_the_house_form_is_kept() -> None:
    rules = "# shop 开发规范\n\n## 编码规范\n- 金额用整数分 (2026-02-08)\n".encode()
    new = added(rules, Draft("金额不用浮点", "rule", "编码规范"), "areas/projects/shop/rules.md")
    assert new.decode().endswith("- 金额不用浮点 (2026-11-21)\n")
    avoid = "# 用户记忆\n\n## 避坑经验\n- **a** (2026-02-26, auto)\n- [2026-02-20] b\n".encode()
    assert added(avoid, Draft("c", "lesson", "避坑经验", source="s1")).decode().endswith("- **c** (2026-11-21, auto)\n")
    assert added(avoid, Draft("c", "lesson", "避坑经验")).decode().endswith("- [2026-11-21] c\n")
    bot = b"# MEMORY\n<!-- memory_md_update: at=2026-02-25T03:16:00Z source=run-2 -->\n\n## Preferences\n\n## TODO\n"
    new = added(bot, Draft("short answers", "pref", "Preferences", source="run-1"))
    assert b"## Preferences\n\n- short answers (source=run-1)\n\n## TODO" in new
    assert new.startswith(bot[:80])
    plain = "# 核心记忆\n\n## 用户偏好\n\n- 中文回答\n".encode()
    assert added(plain, Draft("x", "pref", "用户偏好", confidence=0.9, source="s")).endswith(b"- x\n")
    draft = Draft("x", "pref", "用户偏好", confidence=0.9)
    assert added(plain + "- 缩进（confidence: 0.8）\n".encode(), draft).decode().endswith("- x（confidence: 0.9）\n")
    assert added(plain + b"- a (confidence: 0.8)\n", draft).endswith(b"- x (confidence: 0.9)\n")
    log = b"## Work Log\n- 2026-02-25 03:16 moved the database\n"
    assert added(log, Draft("done", "event", "Work Log")).endswith(b"- 2026-11-21 00:00 done\n")
    assert added(plain, Draft("x", tags=("a b", "#c"), section="用户偏好")).endswith(b"- x #a-b #c\n")


def test_frontmatter_is_never_added() -> None:
    new = added(b"- a\n", Draft("b", "rule"), "CLAUDE.md")
    assert new == b"- a\n- b\n"
    new = added(b"---\nname: x\n---\n- a\n", Draft("b", "rule"), "topic.md")
    assert new == b"---\nname: x\n---\n- a\n- b\n"


def marked(data: bytes, status: Status, line: int, successor: str = "") -> bytes:
    entry = next(entry for entry in read(data) if entry.start == line)
    return splice_pieces(data, markdown_write.mark(data, entry, status, NOW, successor=successor))


@pytest.mark.parametrize(
    "line",
    [
        "- old", "- old <!-- trigger: deploy --> <!-- importance: 8 -->", "- **old** (2026-02-26, auto)",
        "- [2026-02-20] old #tag", "- 2026-02-24T10:12:33Z [pref] old #a (source=run-1)", "- [ ] old",
        "1. old", "- old\n  and more (confidence: 0.9)", "old words\nin two lines (expires: 2027-01-01)",
    ],
)  # fmt: skip
def test_what_no_longer_holds_says_so_and_can_be_restored(line: str) -> None:
    data = f"# M\n\n## Rules\n{line}".encode()
    was = read(data)[0]
    for status in (Status.SUPERSEDED, Status.ARCHIVED):
        new = marked(data, status, 4, "The new one, as it begins (more or less)")
        entry = read(new)[0]
        assert (entry.status, entry.text, entry.tags, entry.confidence) == (
            status,
            was.text,
            was.tags,
            was.confidence,
        )
        assert entry.superseded_by == "The new one as it begins more or less"
        assert entry.extra.items() >= was.extra.items()
        assert marked(new, Status.ACTIVE, 4) == data
        again = marked(new, Status.ARCHIVED, 4)
        assert read(again)[0].status is Status.ARCHIVED
        assert marked(again, Status.ACTIVE, 4) == data


def test_how_a_mark_reads() -> None:
    assert (
        marked("- 旧".encode(), Status.SUPERSEDED, 1, "fact-7").decode() == "- ~~旧~~ (superseded 2026-11-21 → fact-7)"
    )
    assert marked(b"- old <!-- k: v -->\n", Status.ARCHIVED, 1) == b"- old (archived 2026-11-21) <!-- k: v -->\n"
    for theirs in (
        "- ~~old~~ (superseded by fact-2)",
        "- old (archived)",
        "- old → fact-2",
        "- ~~old~~",
        "- ~~old~~ (superseded → a, b)",
    ):
        assert marked(theirs.encode(), Status.ACTIVE, 1) == b"- old"
    assert marked(b"- old (2026-02-26, archived)", Status.ACTIVE, 1) == b"- old (2026-02-26)"


def test_a_mark_that_would_not_be_read_is_refused() -> None:
    with pytest.raises(RefusedError):
        marked(b"---\nstatus: archived\n---\n- old\n", Status.ACTIVE, 4)
    with pytest.raises(RefusedError):
        marked(b"```\ncode\n```\n", Status.ARCHIVED, 1)


def test_an_old_and_a_new_line_can_be_written_at_once() -> None:
    data = b"## A\n- old"
    entry = read(data)[0]
    pieces = markdown_write.add(data, Draft("new", section="A"), NOW, "MEMORY.md").pieces
    pieces += markdown_write.mark(data, entry, Status.SUPERSEDED, NOW, successor="new")
    both = tuple(sorted(pieces, key=lambda piece: (piece.start, piece.end)))
    assert splice_pieces(data, both).decode() == "## A\n- ~~old~~ (superseded 2026-11-21 → new)\n- new"


def changed(data: bytes, line: int, **changes: object) -> bytes:
    entry = next(entry for entry in read(data) if entry.start == line)
    return splice_pieces(data, markdown_write.change(data, entry, changes, NOW))


def test_marks_that_are_not_touched_stay() -> None:
    line = "- 2026-02-24T10:12:33Z [pref] old #a (source=run-1) <!-- trigger: x -->\r\n"
    assert changed(line.encode(), 1, text="new") == line.replace("old", "new").encode()
    assert changed(line.encode(), 1, tags=("b", "c")) == line.replace("#a", "#b #c").encode()
    assert changed(line.encode(), 1, kind="rule") == line.replace("[pref]", "[rule]").encode()
    assert changed(b"- a (confidence: 0.9, 2026-02-08)", 1, confidence=0.5) == b"- a (confidence: 0.5, 2026-02-08)"
    assert changed(b"- a (expires: 2027-01-01) #t", 1, expires=None) == b"- a #t"
    assert changed(b"- a", 1, expires=NOW) == b"- a (expires: 2026-11-21T00:00)"
    assert changed(b"- a", 1, expires=NOW + 86399) == b"- a (expires: 2026-11-21)"
    assert changed(b"- a\n  b\n  c (2026-02-08)\n- d\n", 1, text="a\nB\nc") == b"- a\n  B\n  c (2026-02-08)\n- d\n"
    assert changed(b"- a (2026-02-08)\n- d\n", 1, text="a\nmore") == b"- a\n  more (2026-02-08)\n- d\n"
    assert changed(b"one\ntwo\n\nthree\n", 1, text="one\n- 2\n# 3") == b"one\n\\- 2\n\\# 3\n\nthree\n"
    assert changed(b"```\na\nb\n```\n", 1, text="a\nc") == b"```\na\nc\n```\n"


@pytest.mark.parametrize("end", ["", "\n"])
def test_the_last_line_takes_new_words_and_a_mark_at_once(end: str) -> None:
    made = changed(f"# Box\n\n先写本地表。{end}".encode(), 3, text="再投递", key="m-1")
    assert made == f"# Box\n\n再投递 <!-- id: m-1 -->{end}".encode()


def test_what_it_replaced_goes_on_naming_it() -> None:
    data = marked(b"- old\n- new, and more\n", Status.SUPERSEDED, 1, "new, and more")
    new = changed(data, 2, text="newer (still)")
    assert new.decode() == "- ~~old~~ (superseded 2026-11-21 → newer still)\n- newer (still)\n"


def test_what_has_no_place_is_refused() -> None:
    for changes in ({"entities": ("x",)}, {"title": "t"}, {"text": " "}):
        with pytest.raises(RefusedError):
            changed(b"- a\n", 1, **changes)
    with pytest.raises(RefusedError):
        changed(b"| a | b |\n|---|---|\n| c | d |\n", 3, text="c")


def removed(data: bytes, line: int) -> bytes:
    entry = next(entry for entry in read(data) if entry.start == line)
    return splice_pieces(data, markdown_write.remove(data, entry))


def test_only_an_entrys_own_lines_go() -> None:
    data = b"## A\n- a\n  - under a\n- b\n<!-- importance: 3 -->\n- c"
    assert removed(data, 2) == b"## A\n- b\n<!-- importance: 3 -->\n- c"
    assert removed(data, 4) == b"## A\n- a\n  - under a\n- c"
    assert removed(data, 6) == b"## A\n- a\n  - under a\n- b\n<!-- importance: 3 -->"
    assert removed(b"words\n- x\n---\n", 2) == b"words\n\n---\n"
    with pytest.raises(RefusedError):
        removed(b"---\nname: x\n---\n\nbody\n", 1)


def test_frontmatter_is_changed_name_by_name() -> None:
    data = (
        b'---\r\nname: x\r\ndescription: "a: b"\r\nmetadata: \r\n  type: user\r\n'
        b"  modified: 2026-11-02T03:02:44.120Z\r\nodd:   kept \r\n---\r\n\r\nbody\r\n"
    )
    new = changed(data, 1, text="c: d", kind="project")
    assert new == (
        b'---\r\nname: x\r\ndescription: "c: d"\r\nmetadata: \r\n  type: project\r\n'
        b"  modified: 2026-11-21T00:00:00.000Z\r\nodd:   kept \r\n---\r\n\r\nbody\r\n"
    )
    entry = read(data)[0]
    gone = splice_pieces(data, markdown_write.mark(data, entry, Status.SUPERSEDED, NOW, successor="other-topic"))
    assert gone == data.replace(b"kept \r\n", b"kept \r\nstatus: superseded\r\nsuperseded_by: other-topic\r\n")
    assert {entry.status for entry in read(gone)} == {Status.SUPERSEDED}
    assert splice_pieces(gone, markdown_write.mark(gone, read(gone)[0], Status.ACTIVE, NOW)) == data


ROWS = "## 依赖\n\n| 依赖 | 版本 | 用途 |\n|---|:--:|---|\n| Hono | 待定 | 路由 |\n| `a\\|b` |  | 构建 (2026-02-01)\n"


@pytest.mark.parametrize("at", [0, 1])
@pytest.mark.parametrize("end", ["\n", "\r\n", ""])
def test_a_tables_row_is_marked_and_restored_byte_by_byte(at: int, end: str) -> None:
    data = ROWS.removesuffix("\n").replace("\n", end or "\n").encode() + end.encode()
    entry = read(data)[at]
    for status in (Status.SUPERSEDED, Status.ARCHIVED):
        marked = splice_pieces(data, markdown_write.mark(data, entry, status, NOW, successor="Hono · 4 · 路由"))
        found = read(marked)
        assert [one.status for one in found].count(status) == 1
        assert (found[at].status, found[at].text) == (status, entry.text)
        again = splice_pieces(marked, markdown_write.mark(marked, found[at], Status.ACTIVE, NOW))
        assert again == data


@given(st.lists(st.text("abc|· 新(\\`", min_size=1, max_size=6), min_size=1, max_size=4))
def test_a_tables_row_takes_other_words_or_refuses_them(cells: list[str]) -> None:
    data = ROWS.encode()
    entry, wanted = read(data)[0], " · ".join(cells)
    try:
        made = splice_pieces(data, markdown_write.change(data, entry, {"text": wanted}, NOW))
    except RefusedError:
        return
    assert made.splitlines()[:4] == data.splitlines()[:4]
    assert made.splitlines()[5:] == data.splitlines()[5:]
    assert made.splitlines()[4].decode().replace("\\|", "").count("|") == 4, "its columns stay"


def test_a_tables_row_is_edited_cell_by_cell_and_grows_by_rows() -> None:
    data = ROWS.encode()
    edited = splice_pieces(data, markdown_write.change(data, read(data)[0], {"text": "Hono · 4|5 · 路由"}, NOW))
    assert edited.decode() == ROWS.replace("待定", "4\\|5")
    with pytest.raises(RefusedError, match="3 parts"):
        markdown_write.change(data, read(data)[0], {"text": "Hono · 4"}, NOW)
    assert added(data, pref("Vite · 5 · 构建", "依赖")).decode() == ROWS + "| Vite | 5 | 构建 |\n"
    assert added(data, pref("one sentence", "依赖")).decode() == ROWS + "\n- one sentence\n"


INDEX = "- [支付](payment.md) — 幂等键\n- [Deploy](deploy.md) — smoke test first\n".encode()


def test_a_topic_is_a_file_in_todays_dialect() -> None:
    draft = Draft("Use uv: it is faster.\n\n**Why:** pip is slow\n", "lesson", title="Use uv", source="s 1")
    data = splice_pieces(b"", topic.add(b"", draft, NOW, "memory/use-uv.md").pieces)
    assert data.decode() == (
        '---\nname: use-uv\ndescription: "Use uv: it is faster. **Why:** pip is slow"\nmetadata: \n'
        "  node_type: memory\n  type: feedback\n  originSessionId: s-1\n---\n\n"
        "Use uv: it is faster.\n\n**Why:** pip is slow\n"
    )
    entry = read(data, path="memory/use-uv.md")[0]
    assert (entry.title, entry.kind, entry.session) == ("use-uv", "feedback", "s-1")
    more = splice_pieces(data, topic.add(data, Draft("and more"), NOW, "memory/use-uv.md").pieces)
    assert more.startswith(data) and more.endswith(b"- and more\n")
    with pytest.raises(RefusedError):
        topic.record(draft, NOW, "memory/use-uv.md")


def test_its_line_stands_behind_the_others_in_their_manner() -> None:
    new = splice_pieces(INDEX, topic.add_index_line(INDEX, Draft("x " * 200, title="A [b]"), "memory/a-b.md"))
    line = new.decode().split("\n")[2]
    assert line.startswith("- [A (b)](a-b.md) — x x x") and line.endswith("…") and len(line) < 150
    assert new.startswith(INDEX)
    assert (
        splice_pieces(b"", topic.add_index_line(b"", Draft("hook", title="T"), "t.md"))
        == "- [T](t.md) — hook\n".encode()
    )
    stars = b"# Index\n\n* [a](a.md): one\n\nwords\n"
    assert splice_pieces(stars, topic.add_index_line(stars, Draft("two"), "b-c.md")) == (
        b"# Index\n\n* [a](a.md): one\n* [B c](b-c.md): two\n\nwords\n"
    )
    assert topic.add_index_line(INDEX, Draft("again"), "memory/deploy.md") == ()


def test_its_line_follows_the_file() -> None:
    renamed = topic.update_index_line(INDEX, "memory/deploy.md", name="Ship", hook="tag first")
    assert splice_pieces(INDEX, renamed) == INDEX.replace(
        b"[Deploy](deploy.md) \xe2\x80\x94 smoke test first", b"[Ship](deploy.md) \xe2\x80\x94 tag first"
    )
    gone = splice_pieces(INDEX, topic.mark_index_line(INDEX, "deploy.md", Status.SUPERSEDED, NOW, successor="ship"))
    assert "- ~~[Deploy](deploy.md) — smoke test first~~ (superseded 2026-11-21 → ship)\n" in gone.decode()
    hooked = splice_pieces(gone, topic.update_index_line(gone, "deploy.md", hook="old"))
    assert "- ~~[Deploy](deploy.md) — old~~ (superseded 2026-11-21 → ship)\n" in hooked.decode()
    assert splice_pieces(gone, topic.mark_index_line(gone, "deploy.md", Status.ACTIVE, NOW)) == INDEX
    assert splice_pieces(INDEX, topic.remove_index_line(INDEX, "memory/deploy.md")) == INDEX.split(b"\n")[0] + b"\n"
    assert topic.remove_index_line(INDEX, "other.md") == topic.update_index_line(INDEX, "other.md", name="x") == ()


def test_the_hour_of_a_days_note_stays_outside_of_its_mark() -> None:
    from memtui.core.model import Layer, Role
    from memtui.formats import Source, parse

    data = b"# 2026-11-20\n\n- 15:30 the ledger is reviewed\n\n09:05 the north pier has cameras\n"
    role = Role(Layer.JOURNAL, "note", "journal")
    for number, text in enumerate(("the ledger is reviewed", "the north pier has cameras")):
        entry = parse(Source("memory/2026-11-20.md", role, data)).entries[number]
        assert entry.text == text
        gone = splice_pieces(data, markdown_write.mark(data, entry, Status.SUPERSEDED, NOW, successor="it is weekly"))
        assert b"superseded 2026-11-21" in gone and b"~~" not in gone
        again = parse(Source("memory/2026-11-20.md", role, gone)).entries[number]
        assert (again.text, again.status, again.superseded_by) == (text, Status.SUPERSEDED, "it is weekly")
        assert splice_pieces(gone, markdown_write.mark(gone, again, Status.ACTIVE, NOW)) == data
