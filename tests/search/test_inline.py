"""Filters written in a query: what they mean, and that nothing else turns into one."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memtui.core import clock
from memtui.core.model import Filter, Home, Layer, Status
from memtui.search import search
from memtui.search.inline import NAMES, TypedQuery, complete_query, parse_inline_filters
from memtui.search.texts import SearchTarget
from tests.search.conftest import Workshop

SHOP = Home(Path("/homes/shop"), "plain", "a test", "shop", "shop-api")
USER = Home(Path("/home/me/.claude"), "claude", "a test", "~/.claude")
KNOWN = {"kind": ["fact", "rule", "todo"], "tag": ["auth", "v1.2", "测试"], "path": ["daily/"]}
NONE = Filter(statuses=frozenset())
DAY = 86400


def understood(text: str, within: Filter = Filter()) -> TypedQuery:  # noqa: B008 - it cannot change
    return parse_inline_filters(text, within, (SHOP, USER), KNOWN.__getitem__)


def test_a_whole_label_layout_or_path_is_one_home_s_though_it_is_a_part_of_others() -> None:
    notes = Home(Path("/homes/shop/notes"), "claude_md", "a test", "shop")
    old = Home(Path("/homes/shop-old"), "plain", "a test", "shop-old")

    def chosen(text: str) -> set[str]:
        return set(parse_inline_filters(text, Filter(), (SHOP, USER, notes, old)).filter.homes)

    assert chosen("home:/homes/shop") == {"/homes/shop"}
    assert chosen("home:claude") == {"/home/me/.claude"}
    assert chosen("home:shop") == {"/homes/shop", "/homes/shop/notes"}
    assert chosen("home:sho") == {"/homes/shop", "/homes/shop/notes", "/homes/shop-old"}


def test_filters_leave_the_words() -> None:
    found = understood("token kind:rule,fact home:shop status:all layer:l1 刷新")
    assert found.words == "token 刷新"
    assert found.filter == Filter(
        layers=frozenset({Layer.KNOWLEDGE}),
        kinds=frozenset({"rule", "fact"}),
        homes=frozenset({"/homes/shop"}),
        statuses=frozenset(),
    )
    assert not found.wrong
    assert found.chips == ("kind:rule,fact", "home:shop", "status:all", "layer:l1")


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("path:daily/", Filter(path="daily/")),
        ('path:"my notes/"', Filter(path="my notes/")),
        ("path:“我的笔记/”", Filter(path="我的笔记/")),
        ("status:arch", Filter(statuses=frozenset({Status.ARCHIVED}))),
        ("status:active status:superseded", Filter(statuses=frozenset({Status.ACTIVE, Status.SUPERSEDED}))),
        ("kind:ru", Filter(kinds=frozenset({"rule"}))),
        ("KIND:Rule", Filter(kinds=frozenset({"rule"}))),
        ("kind：rule", Filter(kinds=frozenset({"rule"}))),
        ("ｋｉｎｄ：ｒｕｌｅ", Filter(kinds=frozenset({"rule"}))),
        ("tag:#Auth，测试", Filter(tags=frozenset({"auth", "测试"}))),
        ("tag:auth tag:测试", Filter(tags=frozenset({"auth", "测试"}))),
        ("project:api", Filter(homes=frozenset({"/homes/shop"}))),
        ("home:shop home:claude", Filter(homes=frozenset({"/homes/shop", "/home/me/.claude"}))),
        ("home:home project:shop", Filter(homes=frozenset({"/homes/shop"}))),
        ("-home:shop", Filter(homes=frozenset({"/home/me/.claude"}))),
        ("layer:timeline", Filter(layers=frozenset({Layer.SESSION, Layer.JOURNAL}))),
        ("-kind:todo", Filter(without=(NONE._replace(kinds=frozenset({"todo"})),))),
        ("-path:daily/ -tag:auth", Filter(
            without=(NONE._replace(path="daily/"), NONE._replace(tags=frozenset({"auth"}))))),
    ],
)  # fmt: skip
def test_each_filter(text: str, wanted: Filter) -> None:
    found = understood(f"a {text}")
    assert (found.filter, found.words, found.wrong) == (wanted, "a", "")


def test_times(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMTUI_NOW", "2026-11-21T15:00:00Z")
    found = understood("since:2d until:2026-11-20")
    assert found.filter.since == clock.now() - 2 * DAY
    assert found.filter.until == clock.parse("2026-11-21")
    assert understood('since:"last week"').filter.since == clock.parse("2026-11-09")
    assert understood("until:去年三月").filter.until == clock.parse("2025-04-01")
    assert "both" in understood("since:today until:2020").wrong
    assert understood("expiring:7d").filter.expiring == clock.now() + 7 * DAY
    assert understood("expiring:today").filter.expiring == clock.parse("2026-11-22")
    assert understood("expiring:2026-12").filter.expiring == clock.parse("2027-01-01")


def test_what_is_typed_stands_over_what_holds_anyway() -> None:
    within = Filter(kinds=frozenset({"todo"}), homes=frozenset({str(USER.path)}))
    found = understood("kind:rule x", within)
    assert found.filter == within._replace(kinds=frozenset({"rule"}))


@pytest.mark.parametrize(
    "text",
    [
        "since:whenever", "expiring:whenever", "expiring:2020", "-expiring:7d", "layer:cake", "status:odd",
        "home:nowhere", "project:nope", "kind:of", "tag:no", "-since:7d",
    ],
)  # fmt: skip
def test_a_filter_that_means_nothing_stays_a_word_and_is_said(text: str) -> None:
    found = understood(f"a {text}")
    assert found.words == f"a {text}"
    assert text.lstrip("-") in found.wrong
    assert found.filter == Filter()


def test_what_is_not_there_can_be_left_out() -> None:
    found = understood("-kind:zebra,todo -tag:nowhere")
    assert found.words == "" and not found.wrong and len(found.chips) == 2
    found = understood("-kind:zebra a")
    assert found.words == "a" and not found.wrong


def test_slips_are_said() -> None:
    assert "Did you mean fact?" in understood("-kind:fcat x").wrong
    assert "did you mean since:?" in understood("sinec:7d x").wrong
    assert "Did you mean fact?" in understood("kind:fcat x").wrong


@pytest.mark.parametrize(
    "text",
    [
        "http://x.y/kind:rule", "foo:bar", "12:30", "路径:x", "std::vector", '"kind:rule x"', "“kind:rule”",
        "a-kind:rule", "kind:", "kind: rule", "\0kind:rule", "\u202ekind:rule", "🚀kind:rule", "xkind:rule",
        "note: this", "C:\\kind",
        'say "a kind:rule', "kind:\ud800", 'kind:"rule', "::", ":", "-:", "layer", "time:12:30",
    ],
)  # fmt: skip
def test_no_filter_by_surprise(text: str) -> None:
    found = understood(text)
    assert found.filter == Filter()
    assert found.words == text.strip()


@settings(max_examples=300, deadline=None)
@given(
    st.text(max_size=40)
    | st.lists(
        st.sampled_from([*NAMES, ":", "：", '"', "“", "-", " ", ",", "，", "fact", "7d", "\0", "\ud800", "*", "/"]),
        max_size=10,
    ).map("".join),
    st.booleans(),
)
def test_any_text_will_do(text: str, knows: bool) -> None:
    found = parse_inline_filters(text, Filter(), (SHOP, USER), KNOWN.__getitem__ if knows else None)
    for chip in found.chips:
        assert chip in text
    if not found.chips:
        assert (found.words, found.filter) == (text.strip(), Filter())
    again = parse_inline_filters(found.words, found.filter, (SHOP, USER), KNOWN.__getitem__ if knows else None)
    assert len(again.words) <= len(found.words)


def test_any_length_will_do() -> None:
    for text in ("kind:fact " * 10_000, "a:" * 50_000, "foo:bar " * 12_000, '"' * 100_000, "-kind:todo " * 9_000):
        began = time.process_time()
        understood(text)
        assert time.process_time() - began < 0.5


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("token ki", ["token kind:"]),
        ("kind", ["kind:"]),
        ("-pa", ["-path:"]),
        ("kind:", ["kind:fact", "kind:rule", "kind:todo"]),
        ("kind:rule,t", ["kind:rule,todo"]),
        ("KIND:R", ["KIND:Rule"]),
        ("tag:测", ["tag:测试"]),
        ("layer:co", ["layer:core"]),
        ("status:a", ["status:active", "status:archived", "status:all"]),
        ("home:~", ["home:~/.claude"]),
        ("project:sh", ["project:shop-api"]),
        ('path:"d', ['path:"daily/"']),
        ('say "x" ki', ['say "x" kind:']),
        ("since:t", ["since:today"]),
        ("ex", ["expiring:"]),
        ("expiring:t", ["expiring:today"]),
        ("k", []),
        ("kind:rule", []),
        ('"ki', []),
        ("http://ki", []),
        ("foo:", []),
        ("词ki", []),
    ],
)
def test_filters_are_completed(text: str, wanted: list[str]) -> None:
    found = complete_query(text, len(text), (SHOP, USER), KNOWN.__getitem__)
    assert [one.lower() for one in found] == [one.lower() for one in wanted]
    assert all(one.startswith(text) for one in found)


def test_what_stands_behind_the_cursor_stays() -> None:
    assert complete_query("ki token", 2, (SHOP,), KNOWN.__getitem__) == ["kind: token"]
    assert complete_query("kitoken", 2, (SHOP,), KNOWN.__getitem__) == []


@pytest.mark.parametrize("text", ['"' * 3000, "ki " * 900, '"a" ' * 480 + "kind:", "a:" * 900, '" ' * 990 + "ki"])
def test_completing_never_takes_long(text: str) -> None:
    began = time.process_time()
    complete_query(text, len(text), (SHOP, USER), KNOWN.__getitem__)
    assert time.process_time() - began < 0.1


TAGGED = {
    "a.md": "---\ntags: [auth, login]\n---\n# A\n- the token is refreshed\n- a second line\n",
    "b.md": "- the token is old #auth\n- the token is new #billing\n",
}


@pytest.fixture(scope="module")
def tagged(shared_workshop: Workshop) -> SearchTarget:
    return shared_workshop.target(TAGGED)


@pytest.mark.parametrize("mode", ["fts", "scan"])
@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("token tag:auth", {"- the token is refreshed", "- the token is old #auth"}),
        ("token tag:login", {"- the token is refreshed"}),
        ("token -tag:auth", {"- the token is new #billing"}),
        ("token tag:au", set()),
        ("token -path:a", {"- the token is old #auth", "- the token is new #billing"}),
    ],
)
def test_tags_are_found_wherever_they_stand(tagged: SearchTarget, mode: str, text: str, wanted: set[str]) -> None:
    found = parse_inline_filters(text, Filter(), (tagged.home,))
    hits = search([tagged], found.words, filter=found.filter, mode=mode)
    assert {hit.snippet for hit in hits} == wanted
    if tagged.index is not None and wanted:
        assert tagged.index.count(found.filter) >= len(wanted)
