"""A summary says at most 300 characters, and what it says is worth them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.language.conversation import Extract
from memtui.language.items import count_characters, limit_extract, shorten

TEXTS = st.text(
    st.sampled_from("abc XYZ.,;:!?-—`* \n。，、；：！？的决定了é😀"),
    max_size=400,
)
PARTS = st.lists(TEXTS, max_size=12).map(tuple)


@given(TEXTS, TEXTS, TEXTS, PARTS, PARTS, PARTS, PARTS, st.integers(0, 400))
def test_never_more_than_asked_for(
    topic: str,
    goal: str,
    outcome: str,
    done: tuple[str, ...],
    points: tuple[str, ...],
    decisions: tuple[str, ...],
    todos: tuple[str, ...],
    most: int,
) -> None:
    made = Extract(
        topic, goal=goal, outcome=outcome, done=done, points=points, decisions=decisions, todos=todos
    )
    short = limit_extract(made, most)
    assert count_characters(short) <= most
    assert limit_extract(short, most) == short
    if count_characters(made) <= most:
        assert short == made


@given(TEXTS, st.integers(0, 300))
def test_what_is_shortened_is_a_beginning(text: str, most: int) -> None:
    short = shorten(text, most)
    assert len(short) <= most or short == text
    plain = str.maketrans("", "", "`*")
    assert text.translate(plain).startswith(short.removesuffix("…").translate(plain))


@pytest.mark.parametrize(
    ("text", "most", "expected"),
    [
        ("Use uv. It locks every dependency, and it is fast.", 12, "Use uv."),
        ("Version 1.2.3 of it is what we use, for it is signed.", 38, "Version 1.2.3 of it is what we use…"),
        ("Deploying takes several minutes every time", 20, "Deploying takes…"),
        ("采用方案甲。因为部署简单，而且便宜。", 8, "采用方案甲。"),
        ("选择令牌而非会话，因为需要支持微服务间认证", 12, "选择令牌而非会话…"),
        ("选择令牌而非会话因为需要支持", 8, "选择令牌而非会…"),
        ("Run `make check` before every commit of yours", 12, "Run make…"),
        ("short", 20, "short"),
        ("anything", 1, ""),
    ],
)  # fmt: skip
def test_it_ends_where_something_ends(text: str, most: int, expected: str) -> None:
    assert shorten(text, most) == expected


def test_decisions_and_open_items_outlive_key_points() -> None:
    made = Extract(
        "Sign-in",
        points=tuple(
            f"Point {number} about how all of it works inside, at some length" for number in range(9)
        ),
        decisions=("JWT rather than sessions: services authenticate each other",),
        todos=("Rotate the refresh tokens",),
    )
    short = limit_extract(made)
    assert short.decisions == made.decisions
    assert short.todos == made.todos
    assert short.points
    whole = len(short.points) - 1
    assert short.points[:whole] == made.points[:whole]
    assert made.points[whole].startswith(short.points[whole].rstrip("…"))


def test_one_endless_item_does_not_push_out_the_others() -> None:
    made = Extract("Sign-in", decisions=("because of this, " * 100, "use uv"), todos=("write the tests",))
    short = limit_extract(made)
    assert short.decisions[1] == "use uv"
    assert short.todos == ("write the tests",)


def test_files_tools_and_lessons_do_not_count() -> None:
    made = Extract("t", files=("a/very/long/path.py",) * 50, tools=("Edit",) * 100)
    assert limit_extract(made) is made
