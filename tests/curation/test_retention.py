"""How long memories stay: worked examples of spec 003, and what holds for every memory and every clock."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.core.config import LifecycleConfig
from memtui.core.errors import UsageError
from memtui.core.model import Entry, Layer, Status
from memtui.store import retention
from memtui.store.retention import DAY

NOW = 1_772_366_400.0
CONFIG = LifecycleConfig()


def entry(*, days: float | None = 0.0, importance: float | None = 0.5, **more: Any) -> Entry:
    """A memory that was last changed so many days ago; what is no field of an entry is its home's own."""
    fields = {name: more.pop(name) for name in ("tags", "status", "expires", "layer", "created") if name in more}
    return Entry("x", 1, 1, updated=None if days is None else NOW - days * DAY, importance=importance,
                 extra=more, **fields)  # fmt: skip


def short(**more: Any) -> Entry:
    return entry(**{"priority": "short_term", **more})


def what(found: Entry, now: float = NOW, config: LifecycleConfig = CONFIG) -> str:
    due = retention.compute_verdict(found, now, config)
    return "" if due is None else due.what


# -- durations ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("said", "days"),
    [("permanent", None), ("7d", 7), ("24h", 1), ("session", 2 / 24), ("TRANSIENT", 1), ("short_term", 3),
     ("Long-Term", 30), ("long term", 30), (" 7D ", 7), ("never", None), ("永不", None), ("90min", 1 / 16), ("2w", 14)],
)  # fmt: skip
def test_durations(said: str, days: float | None) -> None:
    assert retention.compute_expiry(said, NOW) == (None if days is None else NOW + days * DAY)


@pytest.mark.parametrize("said", ["", "soon", "-3d", "7", "1.5d", "d", "7 days and a bit", "٧d"])
def test_what_is_no_duration(said: str) -> None:
    with pytest.raises(UsageError):
        retention.compute_expiry(said, NOW)


def test_types_have_their_time() -> None:
    assert retention.choose_default_duration("lesson") == retention.choose_default_duration("error") == "7d"
    assert retention.choose_default_duration("rule") == "permanent"
    assert (
        retention.choose_default_duration("rule", ("Task",))
        == retention.choose_default_duration("rule", ("任务",))
        == "24h"
    )
    for kind in ("fact", "pref", "preference", "skill", "note"):
        assert retention.choose_default_duration(kind) == "permanent"


# -- decay --------------------------------------------------------------------------------------------------------


def test_worked_examples() -> None:
    """Importance .5 at ten percent a day: .295 after five days, .098 after 15.5."""
    assert retention.compute_faded_importance(short(days=5.0), NOW) == pytest.approx(0.5 * 0.9**5)
    assert what(short(days=4.8)) == ""
    assert what(short(days=4.9)) == "demote"
    assert what(short(days=15.2)) == "demote"
    assert what(short(days=15.4)) == "remove"
    assert what(short(days=15.4, access_count=2)) == "remove"
    assert what(short(days=15.4, access_count=3)) == "demote"
    assert what(short(days=100, importance=0.9, decay_rate=0.01)) == ""
    assert what(short(days=1, importance=0.2)) == "demote"


def test_only_what_says_so_fades() -> None:
    for priority in ("long_term", "transient", "permanent", "high", 3, None):
        assert what(entry(days=400, priority=priority)) == ""
    for priority in ("SHORT_TERM", "Short-Term", " short term ", "MemoryPriority.SHORT_TERM"):
        assert what(entry(days=400, priority=priority)) == "remove"


def test_last_looked_at_comes_first() -> None:
    assert what(short(days=400, last_accessed_at="2026-03-01T10:00:00Z")) == ""
    assert what(short(days=0, last_accessed_at="2026-01-01T10:00:00")) == "remove"
    assert what(short(days=None, created=NOW - 10 * DAY)) == "demote"


def test_odd_values_are_read_kindly() -> None:
    assert what(short(days=None)) == ""
    assert what(short(days=-500)) == ""
    assert what(short(days=3, importance=None)) == ""
    assert what(short(days=3, importance=-7)) == ""
    assert what(short(days=10, importance=8)) == ""
    for rate in ("fast", None, float("nan"), -1, 7):
        assert retention.compute_faded_importance(short(days=2, decay_rate=rate), NOW) == pytest.approx(0.405)
    assert what(short(days=400, access_count="often")) == "demote"
    assert what(short(days=400, access_count="1")) == "remove"
    assert what(short(days=400, last_accessed_at="bad date")) == ""
    assert what(short(days=None, created=NOW - 400 * DAY, updated_at="bad date")) == ""
    assert what(short(days=1, decay_rate=1)) == "remove"


def test_expiry() -> None:
    assert what(entry(expires=NOW)) == what(entry(expires=NOW - 1)) == "expire"
    assert what(entry(expires=NOW + 1)) == ""
    assert what(entry(expires=None)) == ""
    assert what(short(days=6, expires=NOW - 1)) == "expire"
    assert what(short(days=60, expires=NOW - 1)) == "remove"
    due = retention.compute_verdict(entry(expires=NOW - 40 * DAY), NOW, CONFIG)
    assert due is not None and due.why == "expired on 2026-01-20"


def test_transient_is_a_day_or_less() -> None:
    assert retention.compute_transient_expiry(short(), NOW) == NOW + DAY
    assert retention.compute_transient_expiry(short(expires=NOW + 60), NOW) == NOW + 60
    assert retention.compute_transient_expiry(short(expires=NOW + 9 * DAY), NOW) == NOW + DAY


def test_the_thresholds_are_settings() -> None:
    config = CONFIG._replace(demote=0.6, remove=0.5, used=1)
    assert what(short(days=0.5), config=config) == "remove"
    assert what(short(days=0.5, access_count=1), config=config) == "demote"
    assert what(short(days=400), config=CONFIG._replace(demote=0, remove=0)) == ""


# -- exempt -------------------------------------------------------------------------------------------------------

EXEMPT = [
    {"tags": ("Pinned",)}, {"tags": ("a", "evergreen")}, {"tags": ("置顶",)}, {"pinned": True}, {"pinned": "yes"},
    {"Evergreen": "true"}, {"pinned": 1}, {"metadata": {"pinned": True}}, {"priority": "PERMANENT"},
    {"layer": Layer.PROFILE},
]  # fmt: skip


@pytest.mark.parametrize("said", EXEMPT)
def test_what_is_exempt(said: dict[str, Any]) -> None:
    found = entry(days=4000, expires=NOW - 1, **{"priority": "short_term", **said})
    assert retention.explain_exemption(found)
    assert what(found) == ""


@pytest.mark.parametrize(
    "said",
    [{"pinned": False}, {"pinned": "no"}, {"pinned": 0}, {"pinned": None}, {"tags": ("unpinned",)},
     {"metadata": "pinned"}, {"metadata": {"pinned": False}}],
)  # fmt: skip
def test_what_is_not(said: dict[str, Any]) -> None:
    assert what(entry(expires=NOW - 1, **said)) == "expire"


@pytest.mark.parametrize("status", [Status.SUPERSEDED, Status.ARCHIVED, Status.DELETED])
def test_what_is_over_stays_as_it_is(status: Status) -> None:
    assert what(short(days=4000, expires=NOW - 1, status=status)) == ""


# -- for every memory ---------------------------------------------------------------------------------------------

_odd = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=12))
_memories = st.builds(
    entry,
    days=st.one_of(st.none(), st.floats(-100, 4000)),
    importance=st.one_of(st.none(), st.floats(-2, 12)),
    expires=st.one_of(st.none(), st.floats(NOW - 100 * DAY, NOW + 100 * DAY)),
    status=st.sampled_from(list(Status)),
    priority=st.one_of(st.sampled_from(["short_term", "SHORT_TERM", "transient", "long_term", "permanent"]), _odd),
    decay_rate=st.one_of(st.floats(0, 1), _odd),
    access_count=st.one_of(st.integers(0, 9), _odd),
    last_accessed_at=_odd,
    pinned=_odd,
)
_RANK = ["", "demote", "expire", "remove"]


@given(_memories, st.floats(0, 500))
def test_with_time_it_only_moves_on(found: Entry, more: float) -> None:
    assert _RANK.index(what(found)) <= _RANK.index(what(found, NOW + more * DAY))


@given(_memories, st.floats(0, 4000))
def test_what_is_exempt_stays_for_ever(found: Entry, more: float) -> None:
    if retention.explain_exemption(found):
        assert what(found, NOW + more * DAY) == ""
    found.tags = ("pinned",)
    assert what(found, NOW + more * DAY) == ""


@given(_memories, st.floats(0, 30))
def test_done_twice_is_done_once(found: Entry, more: float) -> None:
    """What a step makes of a memory is not due for the same step again, nor for any at that moment."""
    now = NOW + more * DAY
    due = what(found, now)
    if due == "demote":
        found.expires = retention.compute_transient_expiry(found, now)
        found.extra = {**found.extra, "priority": "transient"}
    elif due:
        found.status = Status.ARCHIVED
    assert what(found, now) == ""


@given(_memories)
def test_nothing_gets_an_end_that_nobody_gave_it(found: Entry) -> None:
    found.expires = None
    found.extra = {**found.extra, "priority": "long_term"}
    assert what(found, NOW + 40_000 * DAY) == ""


def test_the_reason_never_contradicts_the_threshold() -> None:
    """0.295 is below 0.3, and must not read as 0.30; what was faint from the start has not faded."""
    due = retention.compute_verdict(short(importance=0.5, days=5), NOW, CONFIG)
    assert due is not None and due.why == "importance faded to 0.29 after 5 days"
    due = retention.compute_verdict(short(importance=0.2, days=0.5), NOW, CONFIG)
    assert due is not None and due.what == "demote" and due.why == "its importance is only 0.18"
