"""Any JSON at all becomes something a person can read."""

from __future__ import annotations

from memtui.core.model import Status
from tests.parse.reading import check_lines, read, utc

GENERATOR = """{
  "last_generation_at": "2026-02-26T12:00:00Z",
  "generation_count": 2,
  "nothing": null,
  "generated": [
    {"name": "auto-env-fix", "path": "~/.claude/skills/auto-env-fix/SKILL.md"},
    {"name": "自动迁移", "path": "x", "generated_at": "2026-02-26T12:00:00Z"}
  ],
  "limits": {"cooldown": 24, "unit": "小时"},
  "triggers": ["environment_issue", "依赖问题"]
}
"""


def test_an_object_gives_an_entry_a_key_and_a_list_of_objects_one_an_item() -> None:
    parsed = read("json", GENERATOR, kind="capability")
    assert not parsed.problems
    assert [(entry.text, entry.start, entry.end) for entry in parsed.entries] == [
        ("last_generation_at: 2026-02-26T12:00:00Z", 2, 2),
        ("generation_count: 2", 3, 3),
        ("auto-env-fix", 6, 6),
        ("自动迁移", 7, 7),
        ("cooldown: 24; unit: 小时", 9, 9),
        ("triggers: environment_issue, 依赖问题", 10, 10),
    ]
    assert {entry.kind for entry in parsed.entries} == {"capability"}
    assert parsed.entries[0].created == utc(2026, 2, 26, 12)
    assert parsed.entries[2].heading == ("generated",)
    assert parsed.entries[2].extra["path"].endswith("SKILL.md")
    assert parsed.entries[4].title == "limits"
    check_lines(parsed)


def test_an_array_of_objects_takes_the_likeliest_text() -> None:
    text = """[
      {"id": 7, "title": "Login", "description": "Use OIDC", "tags": "安全, sso", "updated_at": 1770000000000},
      {"role": "user", "content": [{"type": "text", "text": "你好"}, {"type": "image"}]},
      {"message": {"role": "assistant", "content": "hi"}},
      "bare", 12, {}, null
    ]"""
    parsed = read("json", text)
    first, second, third, bare, number = parsed.entries
    assert (first.text, first.title, first.key, first.tags) == ("Use OIDC", "Login", "7", ("安全", "sso"))
    assert first.updated == 1_770_000_000
    assert first.search == "Use OIDC\nLogin\n安全 sso"
    assert second.text == "user: 你好"
    assert third.text == "hi"
    assert (bare.text, number.text) == ("bare", "12")


def test_a_lone_value_and_nothing() -> None:
    assert [entry.text for entry in read("json", '"只有一句"').entries] == ["只有一句"]
    assert read("json", " \n").entries == []
    assert read("json", "{}").problems == []


def test_lone_surrogates_become_replacement_characters() -> None:
    parsed = read("json", '{"a": "\\ud800x", "\\udfff": "y"}')
    assert [entry.text for entry in parsed.entries] == ["a: ?x", "?: y"]
    check_lines(parsed)


def test_a_very_long_text_is_cut_and_the_cut_is_said() -> None:
    entry = read("json", '{"a": "' + "长" * 100_000 + '"}').entries[0]
    assert len(entry.text) < 70_000
    assert entry.text.endswith("characters)")


def test_times_of_a_document_date_what_stands_beside_them() -> None:
    text = '{"updatedAt": "2026-09-01T10:00:00Z", "outcome": "clean", "conclusion": "没有问题"}'
    parsed = read("json", text, ".helloagents/sessions/main/ab12cd34/artifacts/qa-review.json")
    assert [(entry.text, entry.session) for entry in parsed.entries] == [
        ("outcome: clean", "ab12cd34"), ("conclusion: 没有问题", "ab12cd34"),
    ]  # fmt: skip
    assert {entry.updated for entry in parsed.entries} == {utc(2026, 9, 1, 10)}
    assert len(read("json", '{"updatedAt": "2026-09-01T10:00:00Z"}').entries) == 1


def test_a_rule_is_told_by_its_words() -> None:
    (entry,) = read("json", '{"rules": [{"id": "r1", "rule": "no any", "pattern": "any"}]}').entries
    assert (entry.text, entry.key, entry.extra) == ("no any", "r1", {"pattern": "any"})


def test_what_a_program_reports_of_a_run_is_state() -> None:
    report = '{"timestamp": "2026-04-05", "total": 9, "removed": 2, "after": 7, "note": "Both were on the list twice."}'
    assert {entry.status for entry in read("json", report, "memory/sync-2026-04-05.json").entries} == {
        Status.STATE
    }
    run = '{"started_at": "2026-04-05T10:00:00Z", "duration_ms": 90, "output": "All the mails went out."}'
    assert {entry.status for entry in read("json", run).entries} == {Status.STATE}
    said = '{"updated": "2026-04-05", "rule": "Never mail on Sundays.", "tone": "Short and kind words.", "limit": 3}'
    assert Status.ACTIVE in {entry.status for entry in read("json", said).entries}
