"""Spec 004's decay window: the newest are kept, not the oldest."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memtui.store.decay import Window, count_midnights, select_visible_facts
from tests.curation.facts_of import DAY, fact, now

FACTS = st.lists(
    st.builds(
        fact,
        st.just("x"),
        st.one_of(st.none(), st.floats(-1, 12, allow_nan=False)),
        st.one_of(st.none(), st.floats(0, 1)),
    ),
    max_size=40,
)


def test_the_table_of_the_specification() -> None:
    facts = [fact(f"{day} {number}", day + number / 100, 0.8) for day in range(9) for number in range(5)]
    sure = [fact(f"sure {day}", float(day), 0.9) for day in range(9)]
    kept = select_visible_facts([*facts, *sure], now(), Window(facts_limit=1000))
    ages = [count_midnights(found.created or 0, now()) for found in kept]
    assert [ages.count(age) for age in range(9)] == [6, 6, 3, 3, 3, 1, 1, 0, 0]


def test_of_a_day_the_newest_three_are_kept() -> None:
    facts = [fact(str(hour), 3 - hour / 24) for hour in range(8)]
    assert [found.text for found in select_visible_facts(facts, now())] == ["7", "6", "5"]


def test_of_all_the_newest_fifteen() -> None:
    facts = [fact(str(number), number / 1000) for number in range(40)]
    assert [found.text for found in select_visible_facts(facts, now())] == [
        str(number) for number in range(15)
    ]


@given(FACTS)
def test_nothing_left_out_is_newer_than_what_is_kept_of_its_day(facts: list) -> None:  # type: ignore[type-arg]
    window = Window()
    kept = select_visible_facts(facts, now(), window)
    assert len(kept) <= window.facts_limit
    assert [found.created for found in kept] == sorted((found.created for found in kept), reverse=True)
    chosen = set(map(id, kept))
    for left in facts:
        if id(left) in chosen or left.created is None:
            continue
        age = count_midnights(left.created, now())
        if age < window.load_days_full:
            # Only the limit leaves it out: all that is kept is as new at least.
            assert len(kept) == window.facts_limit
        if age < window.load_days_partial:
            same = [found for found in kept if count_midnights(found.created, now()) == age]
            assert all(found.created >= left.created for found in same)
        if age >= window.load_days_max:
            assert all(count_midnights(found.created, now()) < window.load_days_max for found in kept)


@given(FACTS)
def test_seeing_twice_is_seeing_once(facts: list) -> None:  # type: ignore[type-arg]
    once = select_visible_facts(facts, now())
    assert select_visible_facts(reversed(once), now()) == once


def test_days_are_counted_by_midnights() -> None:
    assert count_midnights(now() - 0.4 * DAY, now()) == 0
    assert count_midnights(now() - 0.6 * DAY, now()) == 1
    assert count_midnights(now() + DAY, now()) == 0
