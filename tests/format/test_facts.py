"""facts.json, written: what the parser finds afterwards is what was meant, and no other byte has moved."""

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
from tests.parse.reading import invert_pieces, read

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
    draft = Draft(
        "端口是 8081", "decision", tags=("net",), confidence=0.9, evidence="said so", expires=NOW + 86400
    )
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
        return splice_pieces(
            SHAPES[name], facts.add(SHAPES[name], Draft("new", "rule"), NOW, PATH).pieces
        ).decode()

    tail = '"evidence":"","timestamp":"2026-02-13"'
    assert add("minified").endswith(
        f',{{"id":"fact-003","fact":"new",{tail},"status":"active","category":"rule"}}]}}'
    )
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
            assert [(other.key, other.text) for other in found] == [
                (other.key, other.text) for other in others
            ]
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
