"""Nothing that is written is lost: odd values, odd spellings, odd encodings."""

from __future__ import annotations

import pytest

from memtui.core.model import Status
from tests.formats.reading import read, utc


@pytest.fixture(autouse=True)
def _zone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMTUI_TZ", "Asia/Shanghai")


@pytest.mark.parametrize(
    ("parser", "text", "odd"),
    [
        ("facts", '[{"fact": "a", "timestamp": "昨天", "confidence": "high"}]', {"timestamp", "confidence"}),
        ("daily-jsonl", '{"type": "fact", "content": "a", "timestamp": "tomorrow"}\n', {"timestamp"}),
        (
            "jsonl",
            '{"text": "a", "expires_at": "never", "importance": "much"}\n',
            {"expires_at", "importance"},
        ),
        ("memories-json", '[{"content": "a", "created_at": "2026-02-30"}]', {"created_at"}),
    ],
)
def test_a_value_that_cannot_be_understood_is_shown_as_it_stands(parser: str, text: str, odd: set[str]) -> None:
    (entry,) = read(parser, text).entries
    assert odd <= entry.extra.keys()
    assert (entry.created, entry.confidence, entry.expires) == (None, None, None)


@pytest.mark.parametrize(
    ("parser", "text", "status"),
    [
        ("daily-jsonl", '{"type": "fact", "content": "a", "superseded_by": "b"}\n', Status.SUPERSEDED),
        ("jsonl", '{"text": "a", "supersededBy": "b"}\n', Status.SUPERSEDED),
        ("jsonl", '{"text": "a", "supersededBy": "b", "status": "active"}\n', Status.ACTIVE),
        ("facts", '[{"fact": "a", "deleted_at": "2026-02-01"}]', Status.DELETED),
        ("memories-json", '[{"content": "a", "superseded_by": "b", "scope": "Legacy_Quarantine"}]', Status.SUPERSEDED),
        ("markdown", "---\nname: a\nsuperseded_by: b\n---\n", Status.SUPERSEDED),
        ("markdown", "---\nname: a\nsuperseded_by: b\nstatus: active\n---\n", Status.ACTIVE),
    ],
)  # fmt: skip
def test_who_names_a_successor_and_no_status_is_superseded(parser: str, text: str, status: Status) -> None:
    assert read(parser, text).entries[0].status is status


def test_names_in_another_case_mean_the_same() -> None:
    text = '{"Facts": [{"ID": "f1", "Fact": "caps", "Status": "Archived", "Timestamp": "2026-02-08T10:00:00Z"}]}'
    (fact,) = read("facts", text).entries
    assert (fact.key, fact.text, fact.status) == ("f1", "caps", Status.ARCHIVED)
    assert fact.created == utc(2026, 2, 8, 10)
    (record,) = read("daily-jsonl", '{"Type": "FACT", "Memory_Type": "o", "Content": "caps"}\n').entries
    assert (record.kind, record.text) == ("pref", "caps")


def test_a_fact_without_words_is_reported() -> None:
    parsed = read("facts", '{"facts": [\n{"id": "fact-001"},\n{"id": "fact-002", "fact": "b"}]}')
    assert [entry.key for entry in parsed.entries] == ["fact-002"]
    assert [(problem.line, problem.reason) for problem in parsed.problems] == [(2, "a fact with nothing in it")]


def test_the_day_in_a_files_name_dates_what_does_not_date_itself() -> None:
    records = '{"type": "fact", "content": "a"}\n{"content": "b", "timestamp": "2026-02-25T10:00:00Z"}\n'
    dated, own = read("daily-jsonl", records, "daily/2026-02-24.jsonl").entries
    assert (dated.created, own.created) == (utc(2026, 2, 23, 16), utc(2026, 2, 25, 10))
    (summary,) = read("json", '{"summary": "did"}', "daily_summaries/2026-02-24.json").entries
    assert summary.created == utc(2026, 2, 23, 16)
    (summary,) = read("json", '{"date": "2026-02-23", "summary": "did"}', "2026-02-24.json").entries
    assert summary.created == utc(2026, 2, 22, 16)


def test_what_chinese_systems_write_is_read() -> None:
    parsed = read("markdown", "# 国标\n- 这是 GB18030 编码的文件\n".encode("gb18030"))
    assert [(entry.text, entry.heading) for entry in parsed.entries] == [("这是 GB18030 编码的文件", ("国标",))]
    assert "GB18030" in parsed.problems[0].reason
    parsed = read("facts", '{"facts": [{"id": "a", "fact": "国标码"}]}'.encode("gb18030"))
    assert parsed.entries[0].text == "国标码"


@pytest.mark.parametrize(
    "data",
    [
        "- café crème, für die Straße\n".encode("latin-1"),
        "- Grüße\n".encode("latin-1"),
        b"- plain\n- torn " + "中".encode()[:-1],
        "- 中文一行正常的字\n- 坏".encode()[:-1] + b"\n",
    ],
)
def test_what_is_no_gb18030_is_not_taken_for_it(data: bytes) -> None:
    (problem,) = read("markdown", data).problems
    assert problem.reason.startswith("bytes that are not UTF-8")


@pytest.mark.parametrize("parser", ["facts", "json", "jsonl", "daily-jsonl", "events", "memories-json"])
def test_bad_bytes_in_records_are_reported_with_their_line(parser: str) -> None:
    parsed = read(parser, b'{"id": "a", "content": "x",\n "text": "bad \xff byte"}'.replace(b"\n", b""))
    assert [(problem.line, problem.reason) for problem in parsed.problems] == [(1, "bytes that are not UTF-8")]


@pytest.mark.parametrize("parser", ["json", "facts", "daily-jsonl", "events", "jsonl"])
def test_names_that_no_file_could_hold_do_not_get_into_texts(parser: str) -> None:
    for name in (b"bad\xff", b"\\ud800"):
        data = b'{"' + name + b'": {"' + name + b'": 1, "x": "y"}, "category": "' + name + b'", "fact": "f"}'
        for entry in read(parser, data).entries:
            f"{entry.text}{entry.title}{entry.search}{entry.tags}".encode()


def test_an_item_of_nothing_but_marks_is_shown_as_it_stands() -> None:
    (entry,) = read("markdown", "-\n#tag\n").entries
    assert entry.text == "#tag"


def test_a_string_that_never_ends_before_a_bracket() -> None:
    parsed = read("facts", '["whole", "torn]}')
    assert [entry.text for entry in parsed.entries] == ["whole"]
    assert all("could not be understood" not in problem.reason for problem in parsed.problems)
