from __future__ import annotations

from pathlib import Path

from memtui.model import Home, Layer, Status
from memtui.search.candidate import Candidate, Pool
from memtui.search.query import parse
from memtui.search.rank import rank

HOME = Home(Path("/h"), "plain", "", "h")
OTHER = Home(Path("/o"), "plain", "", "o")


def memory(
    text: str, line: int = 1, *, path: str = "a.md", heading: str = "", time: float = 0.0, home: Home = HOME
) -> Candidate:
    made = Candidate(home, path, line, line, Layer.CORE, "note", Status.ACTIVE, time, heading)
    made.fill(text, None)
    return made


def ranked(query: str, *found: Candidate, size: int = 1000) -> list[str]:
    return [candidate.body for candidate in rank(parse(query), [Pool(size, list(found))])]


def test_more_of_the_words_is_better_and_none_is_left_out() -> None:
    assert ranked(
        "alpha beta", memory("beta x"), memory("alpha beta", path="b.md"), memory("gamma", path="c.md")
    ) == [
        "alpha beta",
        "beta x",
    ]


def test_rare_words_weigh_more() -> None:
    common = [memory("common word", number, path=f"{number}.md") for number in range(20)]
    assert ranked("common rare", *common, memory("rare word", path="r.md"))[0] == "rare word"


def test_a_heading_helps_and_what_says_it_itself_comes_first() -> None:
    assert ranked("alpha", memory("alpha x", path="b.md"), memory("beta x", heading="alpha"))[0] == "alpha x"
    helped = memory("alpha y", path="c.md", heading="beta")
    assert ranked("alpha beta", memory("alpha x", path="b.md"), helped)[0] == "alpha y"


def test_the_run_as_it_stands_comes_first() -> None:
    loose = memory("数据 据库 数据 据库 数据 据库")
    assert ranked(
        "数据库", loose, memory("这里很长很长很长很长很长的一句话里面有一个数据库在中间", path="b.md")
    )[0].startswith("这里")


def test_neighbours_share_in_prose_only() -> None:
    lone, near, beside = memory("alpha", path="b.md"), memory("alpha", 5), memory("alpha", 6)
    for candidate in (lone, near, beside):
        candidate.prose = True
    rank(parse("alpha"), [Pool(1000, [lone, near, beside])])
    assert near.score == beside.score
    assert near.score > lone.score
    for candidate in (lone, near, beside):
        candidate.prose = False
    rank(parse("alpha"), [Pool(1000, [lone, near, beside])])
    assert near.score == lone.score


def test_neighbours_stay_in_their_section_file_and_home() -> None:
    first, second = memory("alpha", 5, heading="one"), memory("alpha", 6, heading="two")
    third, fourth = memory("alpha", 5, path="b.md", home=OTHER), memory("alpha", 6, path="b.md")
    every = [first, second, third, fourth]
    for candidate in every:
        candidate.prose = True
    rank(parse("alpha"), [Pool(1000, every)])
    assert len({candidate.score for candidate in every}) == 1


def test_recency_breaks_ties() -> None:
    found = rank(
        parse("alpha"), [Pool(9, [memory("alpha", 1, time=1), memory("alpha", 9, path="b.md", time=2)])]
    )
    assert [candidate.time for candidate in found] == [2, 1]


def test_scores_are_shares_and_compare_between_homes() -> None:
    one = Pool(1000, [memory("alpha beta")])
    two = Pool(1000, [memory("alpha beta", home=OTHER)])
    first, second = rank(parse("alpha beta"), [one, two])
    assert first.score == second.score
    assert 0 < first.score < 1


def test_what_is_demanded_must_be_there() -> None:
    assert ranked('"alpha beta"', memory("alpha beta"), memory("alphas betas", path="b.md")) == ["alpha beta"]
    assert ranked("alpha -beta", memory("alpha beta"), memory("alpha", path="b.md")) == ["alpha"]


def test_nothing_is_nothing() -> None:
    assert rank(parse("alpha"), []) == []
    assert rank(parse("alpha"), [Pool(0)]) == []


def test_what_tools_note_about_themselves_comes_after_what_is_remembered() -> None:
    note, lesson, done = (
        memory(f"{word} deploy again", path=f"{word}.md") for word in ("note", "lesson", "done")
    )
    note.kind = done.kind = "event"
    note.layer, done.layer = Layer.EVOLUTION, Layer.SESSION
    lesson.fill("lesson deploy again, by hand and at night", None)
    assert [c.path for c in rank(parse("deploy"), [Pool(9, [note, lesson, done])])] == [
        "done.md",
        "lesson.md",
        "note.md",
    ]
