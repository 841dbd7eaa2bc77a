"""What is suggested where nothing was found: words that are there, and nothing that is hidden."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memtui.core.model import Filter
from memtui.search import search
from memtui.search.suggest import suggest
from memtui.search.texts import SearchTarget
from tests.search.conftest import Workshop

FILES = {
    "notes/a.md": (
        "# Configuration\n- the websocket configuration needs a heartbeat\n- deploying with Kubernetes\n"
        "- 数据库的连接池\n- the retry_budget is 3\n- résumé of Caroline\n"
    ),
    "notes/b.md": "- billing subscriptions are renewed\n- 缓存缓存\n",
    "secret.md": (
        '- password = "Tr0ub4dor&3xyzzyplugh"\n- api_key: sk-ant-api03-QwertyUiopAsdfghjklZxcvbnm1234567890abcdEFGH\n'
    ),
}


@pytest.fixture(scope="module")
def target(shared_workshop: Workshop) -> SearchTarget:
    return shared_workshop.target(FILES)


@pytest.mark.parametrize(
    ("query", "wanted"),
    [
        ("websokcet", "websocket"),
        ("configuraiton", "configuration"),
        ("deplyoing", "deploying"),
        ("kuberentes", "kubernetes"),
        ("subscirption", "subscriptions"),
        ("Caorline", "caroline"),
        ("resmue", "resume"),
        ("数具库", "数据库"),
        ("websokcet 数具库", "websocket 数据库"),
        ('"websokcet configuration"', '"websocket configuration"'),
        ("retry_bugdet", "retry_budget"),
        ("the websokcet?", "the websocket?"),
    ],
)
def test_slips_are_put_right(target: SearchTarget, query: str, wanted: str) -> None:
    assert suggest(query, [target]) == wanted
    assert search([target], wanted)


@pytest.mark.parametrize(
    "query",
    [
        "", "websocket", "zqxv", "abc", "x" * 500, "1234567", "->", "🚀", "字", "连接池", "Tr0ub4dro",
        "QwertyUipo",
    ],
)  # fmt: skip
def test_nothing_is_suggested_for_nothing(target: SearchTarget, query: str) -> None:
    assert suggest(query, [target]) == ""


def test_what_is_left_out_is_not_suggested(target: SearchTarget, workshop: Workshop) -> None:
    other = workshop.target({"x.md": "- zymurgyquark\n"})
    assert suggest("zymurgyqurak", [target, other]) == "zymurgyquark"
    assert suggest("zymurgyqurak", [target]) == ""
    assert suggest("websokcet", [target], Filter(path="notes/b")) == ""
    assert suggest('"deploying websokcet"', [target]) == ""


def test_without_an_index_there_is_nothing_to_suggest(target: SearchTarget) -> None:
    assert suggest("websokcet", [target.over(None)]) == ""


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(max_size=30) | st.text(alphabet='websocket数据库 "-_:', max_size=20))
def test_what_is_suggested_finds_something(target: SearchTarget, text: str) -> None:
    better = suggest(text, [target])
    assert not better or search([target], better)
