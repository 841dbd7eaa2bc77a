"""Lists and counts are what looking at every entry would give; the clock alone makes an entry expire."""

from __future__ import annotations

import fnmatch
import os
from collections.abc import Callable
from pathlib import Path
from typing import Literal

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memtui.core.model import Filter, Layer, Status
from memtui.index.filters import IndexRow
from memtui.index.queries import Index, list_index_directories, list_index_tags, list_sort_keys
from memtui.index.sync import sync
from tests.index.lined import LAYOUT, home

EVERY = Filter(statuses=frozenset())
FILES = {
    "MEMORY.md": (
        "# 偏好\n- [pref] one %0.9\n- [pref] two @1000 %0.1 #Auth #测试\n"
        "# Facts\n- [fact] three =f1 ~5000 #auth\n- [fact] four !f1\n"
    ),
    "daily/2026-01-01.md": "- :session a @2000 &s1\n- :session b @3000 ~100 $s1\n- [todo] c #测试\n",
    "daily/[x].md": "- :core odd name @1500 =f1 &s2 $s1\n",
    "daily/é.md": "- [todo] accents ~9999999999\n",
}


@pytest.fixture
def full(root: Path, index: Index, monkeypatch: pytest.MonkeyPatch) -> Index:
    sync(home(root, FILES), index, layout=LAYOUT)
    monkeypatch.setenv("MEMTUI_NOW", "1970-01-01T01:00:00Z")
    return index


def texts(full: Index, root: Path, rows: list[IndexRow]) -> list[str]:
    return [(root / row.path).read_text("utf-8").split("\n")[row.line - 1][2:] for row in rows]


THREE = "[fact] three =f1 ~5000 #auth"
TAGGED = {
    ("MEMORY.md", 3): ("auth", "测试"),
    ("MEMORY.md", 5): ("auth",),
    ("daily/2026-01-01.md", 3): ("测试",),
}

BORN = {("daily/2026-01-01.md", 1): "s1", ("daily/2026-01-01.md", 2): "s1", ("daily/[x].md", 1): "s2"}


def passes(row: IndexRow, wanted: Filter) -> bool:
    """The filter's meaning, in so many words."""
    tags = set(TAGGED.get((row.path, row.line), ()))
    path = wanted.path
    if "*" in path or "?" in path:
        at = fnmatch.fnmatchcase(row.path, path.replace("[", "[[]"))
    else:
        at = row.path.startswith(path)
    return (
        at
        and (not wanted.layers or row.layer in wanted.layers)
        and (not wanted.kinds or row.kind in wanted.kinds)
        and (not wanted.statuses or row.status in wanted.statuses)
        and (wanted.since is None or row.time >= wanted.since)
        and (wanted.until is None or row.time < wanted.until)
        and (not wanted.tags or bool(tags & wanted.tags))
        and (not wanted.session or BORN.get((row.path, row.line)) == wanted.session)
        and (wanted.expiring is None or (row.expires is not None and row.expires < wanted.expiring))
        and not any(passes(row, other) for other in wanted.without)
    )


FILTERS = st.builds(
    Filter,
    layers=st.frozensets(st.sampled_from(Layer), max_size=3),
    kinds=st.frozensets(st.sampled_from(["pref", "fact", "todo", "note", "nothing"]), max_size=2),
    statuses=st.frozensets(st.sampled_from(Status), max_size=3),
    since=st.none() | st.sampled_from([1000.0, 1500.5, 2e9]),
    until=st.none() | st.sampled_from([1000.0, 2500.0, 2e9]),
    path=st.sampled_from(["", "daily", "daily/", "MEMORY.md", "*é*", "daily/[x].md", "daily/?x*", "daily/[?].md", "M"]),
    tags=st.frozensets(st.sampled_from(["auth", "测试", "au", "nothing"]), max_size=2),
    session=st.sampled_from(["", "", "s1", "s2", "nothing"]),
    expiring=st.none() | st.sampled_from([0.0, 2000.0, 5e9]),
    without=st.just(()),
)
FILTERS = st.builds(
    lambda wanted, without: wanted._replace(without=tuple(without)),
    FILTERS,
    st.lists(FILTERS.map(lambda wanted: wanted._replace(statuses=frozenset())), max_size=2),
)


@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(FILTERS, st.sampled_from(["recent", "time", "path", "confidence"]))
def test_lists_and_counts_are_what_looking_at_each_gives(
    full: Index, wanted: Filter, order: Literal["recent", "time", "path", "confidence"]
) -> None:
    every = full.rows(full.ids(EVERY))
    assert len(every) == 9
    every.sort(key=lambda row: (row.path, row.line, row.id), reverse=True)
    keys: dict[str, Callable[[IndexRow], tuple[float | str, ...]]] = {
        "recent": lambda row: (-row.id,),
        "time": lambda row: (-int(row.time),),
        "path": lambda row: (row.path, row.line),
        "confidence": lambda row: (-(row.confidence or 0.0), -row.id),
    }
    expected = sorted((row for row in every if passes(row, wanted)), key=keys[order])
    found = full.ids(wanted, order)
    assert list(found) == [row.id for row in expected]
    assert full.count(wanted) == len(expected)
    assert list(full.ids(wanted, order, limit=2)) == list(found[:2])


def test_of_one_time_the_order_is_the_disks(root: Path, index: Index) -> None:
    """Whatever was taken in first: a home that is indexed anew stands as it stood."""
    files = {name: f"- {name}\n- second\n" for name in ("b.md", "a.md", "c.md")}
    place = home(root, files)
    for name in files:
        os.utime(root / name, (1_700_000_000, 1_700_000_000))
    for some in (["b.md"], ["c.md", "a.md"]):
        sync(place, index, some, layout=LAYOUT)
    expected = [(name, line) for name in ("c.md", "b.md", "a.md") for line in (2, 1)]
    ids = index.ids(EVERY, "time")
    assert [(row.path, row.line) for row in index.rows(ids)] == expected
    assert [one for _key, one in list_sort_keys(index, EVERY, "time")] == list(ids)
    assert list(index.ids(EVERY, "time", limit=3)) == list(ids)[:3]


def test_tags_and_directories_are_known(full: Index) -> None:
    assert list_index_tags(full) == ["auth", "测试"]
    assert list_index_directories(full) == ["daily/"]


def test_counts_follow_the_clock(full: Index) -> None:
    def total(status: Status, now: float) -> int:
        return sum(n for key, n in full.counts(now=now).items() if key[2] is status)

    assert [total(Status.EXPIRED, now) for now in (99, 100, 4999, 5000, 10**10)] == [0, 1, 1, 2, 3]
    assert [total(Status.ACTIVE, now) for now in (99, 100, 4999, 5000, 10**10)] == [8, 7, 7, 6, 5]
    assert total(Status.SUPERSEDED, 10**10) == 1
    assert full.counts(now=0)[Layer.JOURNAL, "pref", Status.ACTIVE] == 2


def test_rows_come_in_the_order_asked_for_and_without_those_gone(full: Index) -> None:
    ids = list(full.ids(EVERY))
    wanted = [*reversed(ids), 10**9, ids[0]]
    assert [row.id for row in full.rows(wanted)] == [*reversed(ids), ids[0]]
    assert full.rows([]) == []
    assert len(full.rows(ids * 300)) == len(ids) * 300


def test_a_row_knows_its_place(full: Index, root: Path) -> None:
    for row in full.rows(full.ids(EVERY)):
        assert row.start is not None
        assert row.size is not None
        line = (root / row.path).read_bytes()[row.start : row.start + row.size]
        assert line.decode().startswith("- ")
        assert b"\n" not in line
        found = full.row_at(row.path, row.line)
        assert found == row
    assert full.row_at("MEMORY.md", 1) is None
    assert full.row_at("nothing.md", 1) is None


def test_a_row_without_a_time_has_its_files(full: Index, root: Path) -> None:
    rows = {row.line: row for row in full.in_file("MEMORY.md")}
    assert (rows[3].time, rows[3].dated) == (1000, True)
    assert abs(rows[2].time - (root / "MEMORY.md").stat().st_mtime) < 1
    assert not rows[2].dated


def test_keys_and_neighbours(full: Index, root: Path) -> None:
    assert {row.path for row in full.by_key("f1")} == {"MEMORY.md", "daily/[x].md"}
    assert full.by_key("f") == []
    three = full.by_key("f1")[0] if full.by_key("f1")[0].path == "MEMORY.md" else full.by_key("f1")[1]
    assert texts(full, root, full.neighbours(three.id)) == [THREE, "[fact] four !f1"]
    first = full.in_file("daily/2026-01-01.md")[0]
    assert texts(full, root, full.neighbours(first.id, 2)) == [
        ":session a @2000 &s1",
        ":session b @3000 ~100 $s1",
        "[todo] c #测试",
    ]
    assert full.neighbours(10**9) == []


def test_a_checkout_is_listed_as_it_is_read(root: Path, index: Index) -> None:
    """All its files have the time of the checkout: by path then, and each from its head, though a line is dated."""
    files = {
        "MEMORY.md": "- first\n- second\n- [2026-05-01] third\n",
        "topics/a.md": "- fourth\n",
        "topics/ab.md": "- fifth\n",
    }
    sync(home(root, files), index, layout=LAYOUT)
    rows = index.rows(index.ids(EVERY))
    assert [row.path for row in rows] == ["MEMORY.md"] * 3 + ["topics/a.md", "topics/ab.md"]
    assert [row.line for row in rows][:3] == [1, 2, 3]


def test_ids_grow_with_recency(root: Path, index: Index) -> None:
    """The date in a name counts, as a checkout gives all files one time; a later change of the file does not."""
    files = {
        "daily/2026-02-01.md": "- b\n",
        "daily/2024-12-31.md": "- a\n",
        "20260301-x.md": "- c\n",
        "z.md": "- d\n",
    }
    sync(home(root, files), index, layout=LAYOUT)
    assert [row.path for row in reversed(index.rows(index.ids(EVERY)))] == [
        "daily/2024-12-31.md",
        "daily/2026-02-01.md",
        "20260301-x.md",
        "z.md",
    ]
