"""Arguments as agents give them, and the schema that tells them how."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import pytest

from memtui.agents.tool_schema import (
    Of,
    build_json_schema,
    check_arguments,
    list_parameters,
    read_description,
)
from memtui.agents.tools import TOOLS
from memtui.core.errors import UsageError


def _tool(
    caller: object,
    query: Annotated[str, Of("What.", most=10)],
    max_results: Annotated[int | None, Of("How many.", 1, 50)] = None,
    min_score: Annotated[float, Of("How good.", 0, 1)] = 0.5,
    from_: Annotated[int, Of("Where.", 1)] = 1,
    auto: Annotated[bool, Of("Whether.")] = False,
    tags: Annotated[tuple[str, ...], Of("Tags.", also=("labels",))] = (),
    todos: Annotated[tuple[str, ...], Of("Sentences.", prose=True)] = (),
    corpus: Annotated[Literal["memory", "all"], Of("Which.")] = "all",
) -> dict[str, Any]:
    """Look for
    something.

    And more.
    """
    return {}


def read(**given: object) -> dict[str, Any]:
    return check_arguments(list_parameters(_tool), given)


def test_the_schema_says_what_the_signature_says() -> None:
    schema = build_json_schema(list_parameters(_tool))
    assert schema["required"] == ["query"]
    assert schema["additionalProperties"] is False
    told = schema["properties"]
    assert list(told) == [
        "query", "max_results", "min_score", "from", "auto", "tags", "todos", "corpus",
    ]  # fmt: skip
    assert told["max_results"] == {
        "type": "integer", "description": "How many.", "minimum": 1, "maximum": 50,
    }  # fmt: skip
    assert told["corpus"]["enum"] == ["memory", "all"]
    assert told["tags"]["items"] == {"type": "string"}
    assert read_description(_tool) == "Look for something.\n\nAnd more."


@pytest.mark.parametrize("name", ["max_results", "maxResults", "max-results", "MaxResults"])
def test_either_spelling(name: str) -> None:
    assert read(query="x", **{name: 3}) == {"query": "x", "max_results": 3}


@pytest.mark.parametrize("name", ["from", "from_"])
def test_a_word_of_python_s_own(name: str) -> None:
    assert read(query="x", **{name: "7"}) == {"query": "x", "from_": 7}


def test_kindly_coerced() -> None:
    assert read(query=5, max_results="12", min_score="0.25", auto="true", tags="a, b，c", labels=None) == {
        "query": "5", "max_results": 12, "min_score": 0.25, "auto": True, "tags": ("a", "b", "c"),
    }  # fmt: skip
    assert read(query="x", max_results=4.0)["max_results"] == 4
    assert read(query="x", max_results=1000)["max_results"] == 50
    assert read(query="x", max_results=-3)["max_results"] == 1
    assert read(query="x", labels='["p, q", "r"]')["tags"] == ("p, q", "r")
    assert read(query="x", todos="Use this, not that; test it")["todos"] == ("Use this, not that", "test it")
    assert read(query="x", todos="使用 FastAPI,前缀 /api/v2")["todos"] == ("使用 FastAPI", "前缀 /api/v2")
    assert read(query="x", todos="选择 JWT，因为无状态")["todos"] == ("选择 JWT，因为无状态",)
    assert read(query="x", todos="at most 1,000 rows, not more")["todos"] == ("at most 1,000 rows, not more",)
    assert read(query="x", corpus="ALL ")["corpus"] == "all"
    assert read(query="x", maxResults=None) == {"query": "x"}


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({}, "'query' is missing"),
        ({"query": "  "}, "'query' is empty"),
        ({"query": ["x"]}, "a text"),
        ({"query": True}, "a text"),
        ({"query": "x" * 11}, "longer than 10"),
        ({"query": "\ud800"}, "half a character"),
        ({"query": "x", "max_reslts": 1}, "Did you mean 'max_results'?"),
        ({"query": "x", "zzz": 1}, "There are: query"),
        ({"query": "x", "max_results": "many"}, "a whole number"),
        ({"query": "x", "max_results": 1.5}, "a whole number"),
        ({"query": "x", "max_results": True}, "a whole number"),
        ({"query": "x", "min_score": "nan"}, "a number"),
        ({"query": "x", "min_score": 1e999}, "a number"),
        ({"query": "x", "auto": "perhaps"}, "true or false"),
        ({"query": "x", "tags": 3}, "a list of texts"),
        ({"query": "x", "tags": [{"a": 1}]}, "a list of texts"),
        ({"query": "x", "corpus": "memry"}, "Did you mean 'memory'?"),
        ({"query": "x", "max_results": 3, "maxResults": 4}, "given twice"),
    ],
)
def test_refused_with_a_sentence(given: dict[str, Any], told: str) -> None:
    with pytest.raises(UsageError, match=r".") as error:
        read(**given)
    assert told in str(error.value)


@pytest.mark.parametrize("given", [None, [], "x", 3])
def test_arguments_are_an_object(given: object) -> None:
    with pytest.raises(UsageError):
        check_arguments(list_parameters(_tool), given)


@pytest.mark.parametrize("one", TOOLS, ids=lambda one: one.name)
def test_every_tool_describes_itself(one: Any) -> None:
    schema = one.schema
    assert len(one.description) > 60 and one.title
    assert all(value["description"].endswith(".") for value in schema["properties"].values())
    assert {"project", "cwd"} <= set(schema["properties"])
    assert set(schema["required"]) <= set(schema["properties"])
