"""facts.json in every form that people and models leave it in; and written: what the parser finds afterwards is what
was meant, and no other byte has moved.
"""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memtui.core.edits import Draft, splice_pieces
from memtui.core.errors import RefusedError
from memtui.core.model import Entry, Status
from memtui.formats import facts
from tests.formats.reading import check_lines, invert_pieces, read, utc

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
    text = json.dumps({"facts": [{"id": f"f{n}", "fact": fact} for n, fact in enumerate(facts)]}, indent=indent)
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
    facts = read("facts", '[{"fact": "a", "timestamp": "2026/2/8"}, {"fact": "b", "timestamp": "2026-02-08"}]').entries
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


NOW = 1_771_000_000.0
PATH = "areas/projects/shop/facts.json"
SHAPES = {
    "nothing": b"",
    "blank": b"\n",
    "template": b'{"facts": []}\n',
    "template minified": b'{"facts":[]}',
    "template indented": b'{\n\t"x": 1,\n\t"facts": []\n}\n',
    "object": b"{}",
    "array": b"[]\n",
    "others only": b'{\n    "project": "shop",\n    "archived_facts": [{"id": "a-7", "fact": "x"}]\n}',
    "minified": b'{"facts":[{"id":"fact-001","fact":"a","status":"active"},{"id":"fact-002","fact":"b"}]}',
    "one a line": b'{"facts": [\n  {"id": "fact-001", "fact": "a"},\n  {"id": "fact-002", "fact": "b"}\n]}\n',
    "crlf": b'\xef\xbb\xbf{\r\n  "facts": [\r\n    {\r\n      "id": "fact-001",\r\n      "fact": "a"\r\n'
    b"    }\r\n  ]\r\n}\r\n",
    "bare array": b'[\n  {"id": 3, "text": "a", "timestamp": "2026-01-01T00:00:00Z"}\n]',
    "by id": b'{"facts": {"fact-001": {"fact": "a"}, "fact-002": "b"}}',
    "by id at the top": b'{"fact-001": {"fact": "a", "status": "active"}, "version": 2}',
    "texts": b'["a", "b"]',
    "texts in lines": b'{"facts": [\n  "a"\n], "owner": "\xe6\x94\xaf\xe4\xbb\x98"}',
    "escapes": b'{"facts": [{"id": "fact-001", "fact": "\\u652f\\u4ed8"}]}',
    "twice": b'{"facts": [{"id": "fact-001", "fact": "a", "fact": "b", "status": "draft", "status": "active"}]}',
}


def entries(data: bytes) -> list[Entry]:
    return read("facts", data, PATH).entries


def bare(data: bytes) -> Any:
    return json.loads(data.decode("utf-8-sig"))


@pytest.mark.parametrize("data", SHAPES.values(), ids=SHAPES)
def test_a_new_fact_stands_last_and_all_else_stays(data: bytes) -> None:
    draft = Draft("端口是 8081", "decision", tags=("net",), confidence=0.9, evidence="said so", expires=NOW + 86400)
    added = facts.add(data, draft, NOW, PATH)
    new = splice_pieces(data, added.pieces)
    before, after = entries(data), entries(new)
    assert [(entry.key, entry.text) for entry in after[:-1]] == [(entry.key, entry.text) for entry in before]
    assert after[-1].text == draft.text
    assert after[-1].key == added.key
    assert not {added.key} & {entry.key for entry in before} - {""}
    if added.key:
        assert (after[-1].kind, after[-1].tags, after[-1].confidence) == ("decision", ("net",), 0.9)
        assert (after[-1].evidence, after[-1].expires) == ("said so", NOW + 86400)
    assert len(read("facts", new).problems) == len(read("facts", data).problems)
    assert splice_pieces(new, invert_pieces(data, added.pieces)) == data
    (piece,) = added.pieces
    assert new.startswith(data[: piece.start]) and new.endswith(data[piece.end :])


def test_the_files_own_hand() -> None:
    def add(name: str) -> str:
        return splice_pieces(SHAPES[name], facts.add(SHAPES[name], Draft("new", "rule"), NOW, PATH).pieces).decode()

    tail = '"evidence":"","timestamp":"2026-02-13"'
    assert add("minified").endswith(f',{{"id":"fact-003","fact":"new",{tail},"status":"active","category":"rule"}}]}}')
    assert "\n" not in add("template minified")
    assert '\n\t\t{\n\t\t\t"id": "fact-001",\n' in add("template indented")
    assert "\n" not in add("crlf").replace("\r\n", "")
    assert add("crlf").endswith('"category": "rule"\r\n    }\r\n  ]\r\n}\r\n')
    assert add("one a line").count("\n") == SHAPES["one a line"].count(b"\n") + 1
    assert '{"id": 4, "text": "new", "timestamp": "2026-02-13T' in add("bare array")
    assert add("texts") == '["a", "b", "new"]'
    assert '"a-8"' in add("others only")
    escaped = splice_pieces(SHAPES["escapes"], facts.add(SHAPES["escapes"], Draft("偏好"), NOW, PATH).pieces)
    assert escaped.isascii()


@pytest.mark.parametrize(
    ("ids", "key"),
    [
        (["fact-001", "fact-009"], "fact-010"),
        (["fact-099", "fact-100"], "fact-101"),
        (["F1", "F2", "F7"], "F8"),
        (["a1b2c3d4"], "fact-001"),
        ([], "fact-001"),
        (["fact-003", "x", "y", "z"], "fact-004"),
        (["\r1", "\r2"], "fact-001"),
        (["f１", "f２"], "fact-001"),
    ],
)
def test_ids_go_on_as_the_file_counts_them(ids: list[str], key: str) -> None:
    data = json.dumps({"facts": [{"id": name, "fact": "x"} for name in ids]}).encode()
    assert facts.add(data, Draft("new"), NOW, PATH).key == key


def test_what_is_no_id_is_not_counted() -> None:
    data = b'{"2024": {"total": 3}, "facts": []}'
    assert facts.add(data, Draft("new"), NOW, PATH).key == "fact-001"


def test_a_name_beside_is_not_given_again() -> None:
    data = b'{"fact-001": {"fact": "x"}, "fact-002": {"note": 1}}'
    assert facts.add(data, Draft("new"), NOW, PATH).key == "fact-003"


def test_an_id_that_something_points_to_is_not_given_again() -> None:
    data = b'{"facts": [{"id": "fact-001", "fact": "x", "supersededBy": "fact-002"}]}'
    assert facts.add(data, Draft("new"), NOW, PATH).key == "fact-003"
    assert facts.add(data, Draft("new", key="log-7"), NOW, PATH).key == "log-7"
    assert facts.add(data, Draft("new", key="fact-001"), NOW, PATH).key == "fact-003"


@pytest.mark.parametrize("data", [data for data in SHAPES.values() if entries(data)])
def test_every_verb_on_every_shape(data: bytes) -> None:
    every = entries(data)
    for number, entry in enumerate(every):
        others = [other for other in every if other is not entry]

        def check(new: bytes, number: int = number, others: list[Entry] = others) -> Entry:
            found = entries(new)
            mine = found.pop(number)
            assert [(other.key, other.text) for other in found] == [(other.key, other.text) for other in others]
            return mine

        pieces = facts.change(data, entry, {"text": "Ü “x”\n\\", "tags": ("p", "q"), "expires": NOW}, NOW)
        changed = check(splice_pieces(data, pieces))
        assert (changed.text, changed.tags, changed.expires) == ("Ü “x”\n\\", ("p", "q"), NOW)
        pieces = facts.mark(data, entry, Status.SUPERSEDED, NOW, successor="fact-77")
        marked = splice_pieces(data, pieces)
        assert (check(marked).status, check(marked).superseded_by) == (Status.SUPERSEDED, "fact-77")
        back = splice_pieces(marked, facts.mark(marked, check(marked), Status.ACTIVE, NOW))
        assert (check(back).status, check(back).superseded_by) == (Status.ACTIVE, "")
        if b'"status": "active"' in data or b'"status":"active"' in data[: data.find(b"}")]:
            assert back == data or number
        new = splice_pieces(data, facts.remove(data, entry))
        assert [(other.key, other.text) for other in entries(new)] == [(o.key, o.text) for o in others]


def test_marking_is_a_few_bytes() -> None:
    data = b'{"facts":[{"id":"fact-001","fact":"a","status":"active","x":[1,  2]}]}'
    (entry,) = entries(data)
    new = splice_pieces(data, facts.mark(data, entry, Status.SUPERSEDED, NOW, successor="fact-002"))
    assert new == data.replace(b'"active"', b'"superseded","supersededBy":"fact-002"')
    snake = b'{"facts":[{"id":"a","fact":"a","status":"active"},{"id":"b","fact":"b","superseded_by":"a"}]}'
    new = splice_pieces(snake, facts.mark(snake, entries(snake)[0], Status.SUPERSEDED, NOW, successor="c"))
    assert b'"superseded","superseded_by":"c"}' in new


def test_a_category_that_is_read_as_a_tag_stays() -> None:
    data = b'{"facts": [{"id": "fact-001", "fact": "a", "category": "configuration"}]}'
    (entry,) = entries(data)
    assert entry.tags == ("configuration",)
    assert facts.change(data, entry, {"tags": ("configuration",)}, NOW) == ()
    new = splice_pieces(data, facts.change(data, entry, {"tags": ("configuration", "net")}, NOW))
    assert bare(new)["facts"][0] == {
        "id": "fact-001",
        "fact": "a",
        "category": "configuration",
        "tags": ["net"],
    }


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b'{"facts": [{"id": "fact-001", "fact": "a"},\n {"id": ', "line 2"),
        (b'{"facts": [\n\n{"id": "fact-001", "fact": "a",}]}', "line 3"),
        (b'{"facts": [{"id": "fact-001", "fact": NaN}]}', "NaN"),
        (b'{"facts": []} tail', "more text after the end"),
        (b'{"facts": ["\xff"]}', "not UTF-8"),
        ('{"facts": []}'.encode("utf-16"), "UTF-16"),
        (b'{"facts": "soon"}', "neither a list nor an object"),
        (b'"text"', "neither an object nor an array"),
        (b'{"facts": ' + b"[" * 200 + b"]" * 200 + b"}", "too deep"),
    ],
)
def test_what_is_broken_is_never_rewritten(data: bytes, reason: str) -> None:
    with pytest.raises(RefusedError, match=reason):
        facts.add(data, Draft("new"), NOW, PATH)


def test_half_a_character_is_refused_and_line_separators_are_escaped() -> None:
    data = SHAPES["one a line"]
    with pytest.raises(RefusedError, match="half of a character"):
        facts.add(data, Draft("x \ud800"), NOW, PATH)
    new = splice_pieces(data, facts.add(data, Draft("x\u2028y"), NOW, PATH).pieces)
    assert "\u2028".encode() not in new
    assert entries(new)[-1].text == "x\u2028y"


def test_an_entry_that_moved_is_refused() -> None:
    (entry, _second) = entries(SHAPES["one a line"])
    with pytest.raises(RefusedError, match="no longer holds"):
        facts.remove(b"\n" + SHAPES["one a line"], entry)


TEXT = st.text(st.characters(codec="utf-8"), max_size=12)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=6,
)
FACT = st.fixed_dictionaries(
    {"fact": st.text(st.characters(codec="utf-8", categories=("L", "N")), min_size=1, max_size=9)},
    optional={
        "id": st.sampled_from(["fact-001", "fact-002", "x", "f7"]),
        "status": st.sampled_from(["active", "archived", "draft", "superseded"]),
        "supersededBy": st.sampled_from(["fact-002", ""]),
        "category": TEXT,
        "tags": st.lists(TEXT, max_size=2),
        "extra": VALUES,
    },
)
SPACES = ["", "", " ", "\n", "\r\n", "\n  ", "\t"]


def ugly(value: Any, seed: Random, ascii: bool) -> str:
    """JSON with white space as no program would leave it."""

    def gap() -> str:
        return seed.choice(SPACES)

    if isinstance(value, dict):
        inside = ",".join(
            f"{gap()}{json.dumps(key, ensure_ascii=ascii)}{gap()}:{gap()}{ugly(item, seed, ascii)}{gap()}"
            for key, item in value.items()
        )
        return "{" + (inside or gap()) + "}"
    if isinstance(value, list):
        inside = ",".join(f"{gap()}{ugly(item, seed, ascii)}{gap()}" for item in value)
        return "[" + (inside or gap()) + "]"
    return json.dumps(value, ensure_ascii=ascii)


@st.composite
def documents(draw: st.DrawFn) -> bytes:
    """A document around some facts."""
    seed = draw(st.randoms(use_true_random=False))
    around = draw(st.dictionaries(TEXT.filter(lambda key: key.lower() != "facts"), VALUES, max_size=2))
    inside = draw(st.lists(FACT, min_size=1, max_size=4))
    shape = draw(st.sampled_from(["list", "object", "bare"]))
    named = {f"k{number}": fact for number, fact in enumerate(inside)}
    value = inside if shape == "bare" else {**around, "facts": inside if shape == "list" else named}
    text = ugly(value, seed, draw(st.booleans()))
    return draw(st.sampled_from(["", "\ufeff", "\n"])).encode() + text.encode() + seed.choice(SPACES).encode()


@settings(max_examples=300, deadline=None)
@given(documents(), st.data())
def test_whatever_stands_around(before: bytes, data: st.DataObject) -> None:
    found = entries(before)
    if not found:
        return
    added = facts.add(before, Draft("new one", "rule"), NOW, PATH)
    after = splice_pieces(before, added.pieces)
    assert [(e.key, e.text, e.status) for e in entries(after)] == [
        *((e.key, e.text, e.status) for e in found), (added.key, "new one", Status.ACTIVE),
    ]  # fmt: skip
    number = data.draw(st.integers(0, len(found) - 1))
    entry = found[number]
    twins = [e for e in found if (e.start, e.key, e.text) == (entry.start, entry.key, entry.text)]
    if len(twins) > 1:
        return
    pieces = facts.mark(before, entry, Status.ARCHIVED, NOW)
    assert [e.status for e in entries(splice_pieces(before, pieces))][number] is Status.ARCHIVED
    assert _without(bare(splice_pieces(before, pieces)), "status") == _without(bare(before), "status")
    pieces = facts.change(before, entry, {"text": "other"}, NOW)
    expected = [e.text for e in found]
    expected[number] = "other"
    assert [e.text for e in entries(splice_pieces(before, pieces))] == expected
    gone = splice_pieces(before, facts.remove(before, entry))
    assert [e.text for e in entries(gone)] == [e.text for e in found[:number] + found[number + 1 :]]
    for made in (pieces, added.pieces):
        assert splice_pieces(splice_pieces(before, made), invert_pieces(before, made)) == before


def _without(value: Any, name: str) -> Any:
    if isinstance(value, dict):
        return {key: _without(item, name) for key, item in value.items() if key != name}
    return [_without(item, name) for item in value] if isinstance(value, list) else value
