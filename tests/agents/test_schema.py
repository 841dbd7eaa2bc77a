"""Arguments as agents give them, and the schema that tells them how; a name of a file, a session or a project can name
nothing else (T33).
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

import pytest

from memtui.agents import caller
from memtui.agents.tool_schema import Of, build_json_schema, check_arguments, list_parameters, read_description
from memtui.agents.tools import TOOLS
from memtui.core.errors import OutsideError, RefusedError, UsageError
from memtui.core.model import Home


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


EVERYWHERE = [
    "..", "../x", "a/../../x", "/etc/passwd", "a\0b", "a\\b", "..\\x", "%2e%2e/x", "%2E%2e%2fx", "~", "~/x",
    "~root/x", "a.", "a ", "x" * 300, "CON", "con.md", "LPT1", ".", "", "a\nb", "a\x1bb",
]  # fmt: skip


@pytest.mark.parametrize("value", EVERYWHERE)
def test_no_path_leads_out(value: str) -> None:
    with pytest.raises(OutsideError):
        caller.check_relative_path(value)


@pytest.mark.parametrize("value", [*EVERYWHERE, "a/b", "é", "a b", "a:b", "...", "nul"])
def test_no_id_is_a_path(value: str) -> None:
    with pytest.raises(RefusedError):
        caller.check_identifier(value, "'session'")


@pytest.mark.parametrize("value", ["MEMORY.md", "daily/2026-02-24.md", "areas/projects/商店/rules.md", ".x/a b.md"])
def test_paths_of_memories(value: str) -> None:
    assert caller.check_relative_path(value) == value


@pytest.mark.parametrize("value", ["01998f2e-7c1b", "run-20260224-153000-abc123", "github.com_owner_repo", "a.b"])
def test_ids(value: str) -> None:
    assert caller.check_identifier(value, "'session'") == value


def test_a_directory_is_absolute_and_there(tmp_path: Path) -> None:
    inner = tmp_path / "a"
    inner.mkdir()
    assert caller.check_directory(str(inner)) == str(inner.resolve())
    for value in ("a", f"{inner}/../a", str(tmp_path / "none"), f"{inner}\0", "~", str(inner / "%2e%2e")):
        with pytest.raises(RefusedError):
            caller.check_directory(value)


def test_who_says_which_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    places = {name: tmp_path / name for name in ("said", "started", "env", "claude", "root", "here")}
    for place in places.values():
        place.mkdir()
    monkeypatch.chdir(places["here"])
    env = {"MEMTUI_PROJECT": str(places["env"]), "CLAUDE_PROJECT_DIR": str(places["claude"])}
    roots = [str(tmp_path / "gone"), str(places["root"])]
    started = str(places["started"])
    expected = [
        (caller.place_call(str(places["said"]), started=started, env=env, roots=roots), "said", "parameter"),
        (caller.place_call(cwd=str(places["said"]), started=started, env=env, roots=roots), "said", "parameter"),
        (caller.place_call(started=started, env=env, roots=roots), "started", "--project"),
        (caller.place_call(env=env, roots=roots), "env", "environment"),
        (caller.place_call(env={"CLAUDE_PROJECT_DIR": str(places["claude"])}, roots=roots), "claude", "environment"),
        (caller.place_call(env={"MEMTUI_PROJECT": "/nowhere"}, roots=roots), "root", "roots"),
        (caller.place_call(env={}), "here", "cwd"),
    ]
    for found, name, told in expected:
        assert (found.cwd.name, found.told) == (name, told)
    keyed = caller.place_call("shop", env={})
    assert (keyed.key, keyed.told) == ("shop", "parameter")
    with pytest.raises(RefusedError):
        caller.place_call("../shop", env={})


def test_a_project_by_its_name(tmp_path: Path) -> None:
    homes = [
        Home(tmp_path / "a", "memtui", "", "~/.memtui"),
        Home(tmp_path / "b", "xinghebot", "", "github.com_o_shop", "github.com_o_shop"),
        Home(tmp_path / "c", "claude", "", "blog", "/home/ann/blog", current=True),
    ]
    found = caller.sort_by_project(homes, "github.com_o_shop")
    assert [(home.label, home.current) for home in found] == [
        ("github.com_o_shop", True), ("~/.memtui", False), ("blog", False),
    ]  # fmt: skip
    assert caller.sort_by_project(homes, "BLOG")[0].label == "blog"
    with pytest.raises(UsageError, match=r"github\.com_o_shop"):
        caller.sort_by_project(homes, "github.com_o_shp")
