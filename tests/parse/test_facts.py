"""facts.json in every form that people and models leave it in."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memtui.core.model import Status
from tests.parse.reading import check_lines, read, utc

SPEC = """{
  "project": "商城",
  "facts": [
    {
      "id": "fact-001",
      "fact": "WebSocket 连接需要心跳保活，间隔 30 秒",
      "evidence": "用户手动添加",
      "timestamp": "2026-02-08T10:00:00Z",
      "status": "superseded",
      "supersededBy": "fact-002",
      "category": "configuration"
    },
    {"id": "fact-002", "fact": "Heartbeat every 15 s", "status": "active", "category": "convention",
     "confidence": 0.9, "owner": {"team": "支付"}},
    {"id": "fact-003", "fact": "旧部署脚本", "status": "ARCHIVED", "category": "preference"},
    {"id": "fact-004", "fact": "odd", "status": "draft"}
  ]
}
"""


def test_the_form_of_the_specification() -> None:
    parsed = read("facts", SPEC)
    first, second, third, fourth = parsed.entries
    assert not parsed.problems
    assert (first.start, first.end) == (4, 12)
    assert (second.start, second.end) == (13, 14)
    assert (third.start, third.end) == (15, 15)
    assert (first.key, first.kind, first.tags) == ("fact-001", "fact", ("configuration",))
    assert (first.status, first.superseded_by) == (Status.SUPERSEDED, "fact-002")
    assert first.evidence == "用户手动添加"
    assert first.created == utc(2026, 2, 8, 10)
    assert second.kind == "rule"
    assert second.confidence == 0.9
    assert dict(second.extra) == {"owner": {"team": "支付"}}
    assert (third.status, third.kind) == (Status.ARCHIVED, "pref")
    assert (fourth.status, dict(fourth.extra)) == (Status.ACTIVE, {"status": "draft"})


def test_what_can_be_searched_is_words_not_json() -> None:
    first = read("facts", SPEC).entries[0]
    assert first.search is not None
    assert "心跳保活" in first.search
    assert "configuration" in first.search
    assert '"fact"' not in first.search


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"facts": []}', []),
        ("", []),
        ("\ufeff" + '{"facts": [{"fact": "带 BOM"}]}', ["带 BOM"]),
        ('["一条事实", {"fact": "two"}, null, ""]', ["一条事实", "two"]),
        ('{"fact-1": {"fact": "keyed"}, "meta": {"author": "x"}}', ["keyed"]),
        ('{"facts": {"a": {"fact": "x"}, "b": "y"}}', ["x", "y"]),
        ('{"facts": [], "archived_facts": [{"id": "f", "fact": "old"}], "tags": ["t"]}', ["old"]),
        ('{"facts": [{"id": "f", "content": "said elsewhere"}]}', ["said elsewhere"]),
    ],
)
def test_other_forms(text: str, expected: list[str]) -> None:
    parsed = read("facts", text)
    assert [entry.text for entry in parsed.entries] == expected
    assert not parsed.problems


def test_a_named_successor_without_a_status_supersedes() -> None:
    text = '[{"fact": "a", "superseded_by": "f2"}, {"fact": "b", "status": "active", "supersededBy": "f3"}]'
    first, second = read("facts", text).entries
    assert (first.status, first.superseded_by) == (Status.SUPERSEDED, "f2")
    assert (second.status, second.superseded_by) == (Status.ACTIVE, "f3")


def faulty(item: str) -> str:
    return f'{{"facts": [\n{{"fact": "before"}},\n{item},\n{{"fact": "after 之后"}}\n]}}'


@pytest.mark.parametrize(
    ("item", "reason"),
    [
        ('{"fact": NaN}', "NaN"),
        ('{"fact": "x", "n": Infinity}', "Infinity"),
        ('{"fact": "x", "n": ' + "9" * 5000 + "}", "digits"),
        ('{"fact": ' + "[" * 200_000 + "]" * 200_000 + "}", "nested"),
        ('{"fact": ' + "[" * 150 + "]" * 150 + "}", "nested"),
        ('{"fact" "x"}', "not valid JSON"),
        ("{'fact': 'single'}", "not valid JSON"),
        ("undefined", "not valid JSON"),
    ],
)
def test_what_stands_around_a_fault_still_shows(item: str, reason: str) -> None:
    parsed = read("facts", faulty(item))
    assert [entry.text for entry in parsed.entries] == ["before", "after 之后"]
    assert [entry.start for entry in parsed.entries] == [2, 4]
    assert [problem.line for problem in parsed.problems] == [3]
    assert reason in parsed.problems[0].reason


@pytest.mark.parametrize(
    ("text", "texts", "lines"),
    [
        ('[{"fact": "a",},\n{"fact": "b"},\n]', ["a", "b"], [1, 3]),
        ('[{"fact": "a"}\n{"fact": "b"}]', ["a", "b"], [2]),
        ('[{"fact": "a\nb"},\n{"fact": "c"}]', ["a\nb", "c"], [1]),
        ('[{"fact": "a", "fact": "b"}]', ["b"], [1]),
        ('{"facts": [{"fact": "a"}],\n"facts": [{"fact": "b"}]}', ["a", "b"], [2]),
        ('[{"fact": "a"}] trailing', ["a"], [1]),
        ('[{"fact": "a"}]\0\0\0', ["a"], [1]),
        ('{"facts": [{"fact": "a"},\n{"fact": "torn', ["a"], [2]),
        ('{"facts": [{"fact": "a"},\n', ["a"], [2]),
        ("no json at all", [], [1]),
    ],
)
def test_small_faults_are_named_with_their_line(text: str, texts: list[str], lines: list[int]) -> None:
    parsed = read("facts", text)
    assert [entry.text for entry in parsed.entries] == texts
    assert [problem.line for problem in parsed.problems] == lines


def test_a_file_of_faults_is_given_up_in_good_time() -> None:
    parsed = read("facts", "[" + "NaN," * 100_000 + "1]")
    assert len(parsed.problems) < 300
    assert "too many" in parsed.problems[-1].reason


def test_a_file_that_was_cut_says_so() -> None:
    parsed = read("facts", '[{"fact": "a"}, {"fact"', size=1_000_000)
    assert [entry.text for entry in parsed.entries] == ["a"]
    assert "1,000,000 bytes" in parsed.problems[-1].reason


@settings(max_examples=150, deadline=None)
@given(st.text(alphabet='{}[]",:\\ \n\0afct1é中\ud800', max_size=60) | st.binary(max_size=40))
def test_no_text_at_all_is_too_much(text: str | bytes) -> None:
    raw = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    for name in ("facts", "json", "memories-json", "jsonl", "daily-jsonl", "events"):
        check_lines(read(name, raw))


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.text(min_size=1).map(str.strip).filter(bool), max_size=8),
    st.sampled_from([None, 0, 2, 7]),
    st.booleans(),
)
def test_every_fact_is_found_on_its_own_lines(facts: list[str], indent: int | None, ascii_: bool) -> None:
    text = json.dumps(
        {"facts": [{"id": f"f{n}", "fact": fact} for n, fact in enumerate(facts)]}, indent=indent
    )
    if not ascii_:
        text = json.dumps(json.loads(text), indent=indent, ensure_ascii=False)
        try:
            text.encode()
        except UnicodeEncodeError:
            return
    parsed = read("facts", text)
    lines = text.split("\n")
    assert not parsed.problems
    assert [entry.key for entry in parsed.entries] == [f"f{n}" for n in range(len(facts))]
    for entry in parsed.entries:
        assert f'"{entry.key}"' in "\n".join(lines[entry.start - 1 : entry.end])
    check_lines(parsed)


@pytest.mark.parametrize("cut", range(0, len(SPEC.encode()), 7))
def test_a_file_torn_anywhere_shows_the_facts_that_are_whole(cut: int) -> None:
    data = SPEC.encode()[:cut]
    parsed = read("facts", data)
    whole = [line for line in ("fact-001", "fact-002", "fact-003", "fact-004") if ends(line) <= cut]
    assert [entry.key for entry in parsed.entries] == whole
    check_lines(parsed)
    assert parsed.problems or not data.strip()


def ends(key: str) -> int:
    """The byte after the closing brace of a fact."""
    at = SPEC.index(f'"{key}", "fact"') if key != "fact-001" else 0
    close = SPEC.index("    },\n", at) + 5 if key == "fact-001" else SPEC.index("}\n", at) + 1
    if key in {"fact-002", "fact-003"}:
        close = SPEC.index("},\n", at) + 1 if key == "fact-003" else SPEC.index("}},\n", at) + 2
    return len(SPEC[:close].encode())


def test_a_date_as_people_type_it() -> None:
    facts = read(
        "facts", '[{"fact": "a", "timestamp": "2026/2/8"}, {"fact": "b", "timestamp": "2026-02-08"}]'
    ).entries
    assert facts[0].created == facts[1].created is not None


def test_facts_by_their_ids_know_their_own_lines() -> None:
    parsed = read("facts", '{"facts": {\n "f1": {"fact": "a"},\n "f2": "b",\n "f3": {\n  "fact": "c"}\n}}')
    assert [(entry.key, entry.text, entry.start, entry.end) for entry in parsed.entries] == [
        ("f1", "a", 2, 2),
        ("f2", "b", 3, 3),
        ("f3", "c", 4, 5),
    ]


def test_what_was_archived_and_deleted_is_archived() -> None:
    parsed = read("facts", '[{"fact": "a", "status": "archived", "deleted_at": "2026-02-20"}]')
    assert parsed.entries[0].status is Status.ARCHIVED


@pytest.mark.parametrize("name", ["importance", "importance_score"])
def test_importance_by_both_of_its_names(name: str) -> None:
    parsed = read("facts", json.dumps({"facts": [{"id": "fact-001", "fact": "uses uv", name: 0.8}]}))
    (entry,) = parsed.entries
    assert entry.importance == 0.8 and "importance_score" not in entry.extra
