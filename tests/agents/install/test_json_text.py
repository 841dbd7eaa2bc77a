"""JSON changed as text says the same as JSON changed as values, and keeps every other byte."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memtui.agents.install.edited_json import decode_json_file, insert_member, remove_member, replace_value
from memtui.core.errors import RefusedError

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=12,
)
INDENTS = st.sampled_from([None, 2, 4, "\t"])
ENDS = st.sampled_from(["\n", "\r\n"])


def written(value: Any, indent: Any, end: str) -> str:
    return json.dumps(value, indent=indent, ensure_ascii=False).replace("\n", end)


@settings(deadline=None)
@given(st.dictionaries(st.text(max_size=5), VALUES, max_size=4), VALUES, INDENTS, ENDS)
def test_what_is_put_in_is_there_and_goes_again(
    value: dict[str, Any], new: Any, indent: Any, end: str
) -> None:
    value.pop("ours", None)
    text = written(value, indent, end)
    more = insert_member(text, [], "ours", new)
    assert json.loads(more) == value | {"ours": new}
    assert list(json.loads(more)) == [*value, "ours"]
    less = remove_member(more, ["ours"])
    assert json.loads(less) == value
    if value:
        assert less == text


@settings(deadline=None)
@given(st.lists(VALUES, max_size=4), VALUES, INDENTS, ENDS)
def test_a_list_grows_at_its_end(value: list[Any], new: Any, indent: Any, end: str) -> None:
    text = written({"a": 1, "list": value}, indent, end)
    more = insert_member(text, ["list"], "", new)
    assert json.loads(more)["list"] == [*value, new]
    assert json.loads(remove_member(more, ["list", len(value)]))["list"] == value


@settings(deadline=None)
@given(st.lists(VALUES, min_size=1, max_size=4), st.data(), INDENTS)
def test_any_member_is_replaced_or_goes(value: list[Any], data: st.DataObject, indent: Any) -> None:
    at = data.draw(st.integers(0, len(value) - 1))
    text = written(value, indent, "\n")
    assert json.loads(replace_value(text, [at], "new")) == [*value[:at], "new", *value[at + 1 :]]
    assert json.loads(remove_member(text, [at])) == [*value[:at], *value[at + 1 :]]


def test_the_style_of_the_file_is_kept() -> None:
    text = '{\r\n\t"a": {\r\n\t\t"b": [1]\r\n\t}\r\n}'
    assert insert_member(text, ["a"], "c", "x" * 80) == text.replace(
        "[1]", '[1],\r\n\t\t"c": "' + "x" * 80 + '"'
    )
    assert insert_member(text, ["a", "b"], "", 2) == text.replace("[1]", "[1, 2]")
    assert insert_member('{"a":1}', [], "b", [2]) == '{"a":1, "b": [2]}'


@pytest.mark.parametrize(
    "text",
    [
        '{"a": 1, "a": 2}',
        '{"deep": [{"a": 1, "a": 1}]}',
        '{"a": 1,}',
        '{"a": 1} // mine',
        '/* mine */ {"a": 1}',
        '{"a": NaN}',
        "{'a': 1}",
        '{"a": 1',
        "[" * 100_000,
        "",
    ],
)
def test_what_is_no_strict_json_is_refused(text: str) -> None:
    with pytest.raises(RefusedError, match=r"settings\.json .*left alone"):
        decode_json_file(text.encode(), "settings.json")


def test_what_is_no_text_is_refused() -> None:
    with pytest.raises(RefusedError):
        decode_json_file('{"a": 1}'.encode("utf-16"), "settings.json")
