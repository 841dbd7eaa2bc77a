"""Daily notes: spec 001's lines and summaries, spec 002's notes by the hour, spec 004's first dailies."""

from __future__ import annotations

import pytest

from memtui.core.model import Layer, Level, Role
from memtui.formats import Source, parse
from tests.formats.reading import read, utc


@pytest.fixture(autouse=True)
def _zone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMTUI_TZ", "Asia/Shanghai")


def test_a_dated_line_gives_time_kind_tags_and_source() -> None:
    line = "- 2026-02-24T10:12:33Z [pref] 命令使用 rg 优先。 #prefs #cli (source=run-20260224-1)\n"
    (entry,) = read("journal", line, "daily/2026-02-24.md").entries
    assert (entry.text, entry.kind, entry.created) == (
        "命令使用 rg 优先。",
        "pref",
        utc(2026, 2, 24, 10, 12, 33),
    )
    assert (entry.tags, entry.source, entry.session) == (("prefs", "cli"), "run-20260224-1", "run-20260224-1")


def test_kinds_nobody_knows_are_kept_as_written() -> None:
    (entry,) = read("journal", "- 2026-02-24T10:12:33+08:00 [Quirk] x\n", "daily/2026-02-24.md").entries
    assert (entry.kind, entry.created) == ("quirk", utc(2026, 2, 24, 2, 12, 33))


@pytest.mark.parametrize(
    "line",
    [
        "- 2026-02-24T25:61:00Z [note] x", "- 2026-02-24T10:00:00Z [no", "2026-02-24T10:00:00Z [note] x", "- [pref x",
        "-x",
    ],
)  # fmt: skip
def test_malformed_lines_are_entries_of_their_own(line: str) -> None:
    text = f"- 2026-02-24T09:00:00Z [note] before\n{line}\n- 2026-02-24T11:00:00Z [note] after\n"
    before, odd, after = read("journal", text, "daily/2026-02-24.md").entries
    assert (before.text, after.text) == ("before", "after")
    assert (odd.start, odd.end) == (2, 2)
    assert odd.created is not None


def test_a_line_without_a_time_has_its_files_day_locally() -> None:
    (entry,) = read("journal", "- 随手记\n", "daily/2026-02-24.md").entries
    assert entry.created == utc(2026, 2, 23, 16)


@pytest.mark.parametrize(
    ("path", "day"),
    [
        ("memory/2026-02-06-flash-loan.md", (2026, 2, 5, 16)),
        ("memory/ai-trending-20260130.md", (2026, 1, 29, 16)),
        ("journal/2026/02/24.md", (2026, 2, 23, 16)),
        ("memory/20269999-2026-02-24.md", (2026, 2, 23, 16)),
        ("memory/people.md", None),
    ],
)
def test_the_date_stands_anywhere_in_the_name_or_nowhere(path: str, day: tuple[int, ...] | None) -> None:
    (entry,) = read("journal", "text\n", path).entries
    assert entry.created == (utc(*day) if day else None)


def test_daily_summary_blocks() -> None:
    text = (
        "- 2026-02-24T10:00:00Z [note] x\n\n## Daily Summary (auto)\n<!-- auto_daily_summary: 2026-02-24 -->\n"
        "- date: 2026-02-24\n- generated_at: 2026-02-25T00:00:05+08:00\n- source_runs: run-1, run-2\n\n"
        "- Highlights: 完成\n- **Decisions**: 用 SQLite\n\n## Later\n- y\n"
    )
    line, head, highlights, decision, later = read("journal", text, "daily/2026-02-24.md").entries
    assert (line.kind, later.kind, later.heading) == ("note", "note", ("Later",))
    assert (head.kind, head.start, head.end, head.source) == ("summary", 3, 7, "run-1, run-2")
    assert head.created == utc(2026, 2, 24, 16, 0, 5)
    assert head.extra["date"] == "2026-02-24"
    assert (highlights.kind, decision.kind) == ("summary", "decision")
    assert highlights.heading == ("Daily Summary (auto)",)


def test_notes_by_the_hour() -> None:
    text = (
        "# 2026-02-10\n\n> 自动生成的每日开发笔记\n\n## 14:30 - 项目: demo\n"
        "- **文件**: `auth.ts`\n\n## 15:02 - 项目: demo\n"
        "- **主题**: 登录\n- **会话记录**: [sessions/abc.md](sessions/abc.md)\n- **要点**:\n  - 一\n  - 二\n"
        "- **知识提取**: 2 条待审阅\n\n"
        "## 18:00 - demo [总结]\n- **决策**: 选 JWT\n- 别的\n"
    )
    entries = read("journal", text, "daily/2026-02-10.md").entries
    # Where the session stands, and how much was taken out of it, is nothing remembered.
    assert [entry.start for entry in entries if entry.level is Level.CONTEXT] == [10, 14]
    file, topic, link, points, _taken, decision, other = entries
    assert [entry.kind for entry in (file, topic, link, points, decision, other)] == [
        "file", "summary", "note", "note", "decision", "summary",
    ]  # fmt: skip
    assert (file.created, other.created) == (utc(2026, 2, 10, 6, 30), utc(2026, 2, 10, 10))
    assert {entry.extra["project"] for entry in (file, topic, other)} == {"demo"}
    assert link.links == ("sessions/abc.md",)
    assert [entry.session for entry in (file, topic, link, points, decision)] == ["", "abc", "abc", "abc", ""]


def test_the_first_dailies_of_the_cursor_skill() -> None:
    text = "# 2026-02-01 对话记忆\n\n## Session - 21:14:17\n\n### 主题\n聊天\n\n### 标签\npython, #测试\n"
    topic, tags = read("journal", text, "daily/2026-02-01.md").entries
    assert (topic.text, topic.kind, topic.tags) == ("聊天", "summary", ("python", "测试"))
    assert topic.created == utc(2026, 2, 1, 13, 14, 17)
    assert tags.start == 9


def test_lines_by_the_hour_and_days_in_headings() -> None:
    text = "# Log\n## 2026-02-10\n- 9:05 coffee\n- [14:30] meeting\n- 7 things\n- 25:00 never\n"
    coffee, meeting, things, never = read("journal", text, "notes/log.md").entries
    assert (coffee.text, coffee.created) == ("coffee", utc(2026, 2, 10, 1, 5))
    assert (meeting.text, meeting.created) == ("meeting", utc(2026, 2, 10, 6, 30))
    assert (things.text, things.created) == ("7 things", utc(2026, 2, 9, 16))
    assert never.text == "25:00 never"
    late, early = read(
        "journal", "# 2026-02-10\n## ~10:13 PM\n- a\n## x\n- 12:05 AM b\n", "daily/2026-02-10.md"
    ).entries
    assert (late.created, early.created) == (utc(2026, 2, 10, 14, 13), utc(2026, 2, 9, 16, 5))
    assert early.text == "b"


@pytest.mark.parametrize(
    "sections",
    [
        "### Decisions\n- d\n\n### TODO\n- t\n",
        "**Decisions**\n- d\n\n**TODO:**\n- t\n",
        "Decisions:\n- d\n\nTODO：\n\n- t\n",
        "- Decisions\n  - d\n- **TODO**:\n  - t\n",
        "- Decisions: d\n- TODO: t\n",
    ],
)
def test_a_models_summary_in_any_form(sections: str) -> None:
    text = (
        "## Daily Summary (auto)\n<!-- auto_daily_summary: 2026-02-24 -->\n- date: 2026-02-24\n\n"
        f"{sections}- 2026-02-24T23:30:00Z [note] appended later\n"
    )
    for windows in (text, text.replace("\n", "\r\n")):
        kinds = [entry.kind for entry in read("journal", windows, "daily/2026-02-24.md").entries]
        assert kinds == ["summary", "decision", "todo", "note"]
    head, decision, todo, later = read("journal", text, "daily/2026-02-24.md").entries
    assert [entry.kind for entry in (head, decision, todo)] == ["summary", "decision", "todo"]
    assert (later.kind, later.heading, later.text) == ("note", (), "appended later")
    assert text.split("\n")[todo.start - 1].strip().endswith("t")


def test_a_kind_in_brackets_before_a_bracket() -> None:
    (entry,) = read("journal", "- 2026-02-24T10:00:00Z [decision] (auth) use JWT\n").entries
    assert (entry.kind, entry.text) == ("decision", "(auth) use JWT")


@pytest.mark.parametrize("fields", ["type: episodic\ntags: [a, b]\ncreated: 2026-04-05", "title: Work of the day"])
def test_a_days_frontmatter_is_a_label(fields: str) -> None:
    text = f"---\n{fields}\n---\n\n# Work, 2026-04-05\n\n- 16:33 The booking form sends its date in UTC\n"
    role = Role(Layer.JOURNAL, "note", "journal")
    found = parse(Source("memory/2026-04-05.md", role, text.encode())).entries
    (only,) = [entry.text for entry in found if entry.level is Level.MEMORY]
    assert only.endswith("The booking form sends its date in UTC")


def test_a_days_frontmatter_that_describes_it_stays() -> None:
    text = "---\nname: booking\ndescription: The booking form sends UTC\n---\n\n- The form was mended\n"
    role = Role(Layer.JOURNAL, "note", "journal")
    found = parse(Source("memory/2026-04-05.md", role, text.encode())).entries
    assert "The booking form sends UTC" in [entry.text for entry in found if entry.level is Level.MEMORY]
