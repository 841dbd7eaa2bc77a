from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from memtui.core.model import Filter, Home, Layer, Level, Status
from memtui.search import search
from memtui.search.candidate import Pool, SearchCandidate
from memtui.search.query import parse
from memtui.search.rank import rank
from memtui.search.vector import fuse, weigh
from memtui.search.worth import has_question, is_time_question
from memtui.vectors.reader import Scores
from tests.search.conftest import Workshop

HOME = Home(Path("/h"), "plain", "", "h")
OTHER = Home(Path("/o"), "plain", "", "o")


def memory(
    text: str, line: int = 1, *, path: str = "a.md", heading: str = "", time: float = 0.0, home: Home = HOME
) -> SearchCandidate:
    made = SearchCandidate(home, path, line, line, Layer.CORE, "note", Status.ACTIVE, time, heading)
    made.fill(text, None)
    return made


def ranked(query: str, *found: SearchCandidate, size: int = 1000) -> list[str]:
    return [candidate.body for candidate in rank(parse(query), [Pool(size, list(found))])]


def test_more_of_the_words_is_better_and_none_is_left_out() -> None:
    assert ranked("alpha beta", memory("beta x"), memory("alpha beta", path="b.md"), memory("gamma", path="c.md")) == [
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
    assert ranked("数据库", loose, memory("这里很长很长很长很长很长的一句话里面有一个数据库在中间", path="b.md"))[
        0
    ].startswith("这里")


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
    found = rank(parse("alpha"), [Pool(9, [memory("alpha", 1, time=1), memory("alpha", 9, path="b.md", time=2)])])
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
    note, lesson, done = (memory(f"{word} deploy again", path=f"{word}.md") for word in ("note", "lesson", "done"))
    note.kind = done.kind = "event"
    note.layer, done.layer = Layer.EVOLUTION, Layer.SESSION
    lesson.fill("lesson deploy again, by hand and at night", None)
    assert [c.path for c in rank(parse("deploy"), [Pool(9, [note, lesson, done])])] == [
        "done.md",
        "lesson.md",
        "note.md",
    ]


TALK = (
    "# 2026-03-02\n\n"
    "- Ann: the hike was lovely\n"
    "- Ben: Which boots did you wear on the hike?\n"
    "- Ann: the brown ones from Lund, same boots as always\n"
    "- Ben: nice\n"
    "- [ ] ask whether the hike needs boots?\n"
    "- [ ] pay for boots\n"
    "- 小李：备份放在哪个仓库？\n"
    "- 小王：都备份到二号机房\n"
    "- 小李：仓库要打扫\n"
)


@pytest.mark.parametrize("mode", ["fts", "scan"])
def test_a_question_lends_its_score_to_the_line_that_answers_it(workshop: Workshop, mode: str) -> None:
    target = workshop.target({"a.md": TALK})
    lines = [hit.start_line for hit in search([target], "which boots on the hike", mode=mode)]
    assert lines[0] == 5
    # What stands below a task is another one.
    assert lines.index(8) > lines.index(3)
    assert [hit.start_line for hit in search([target], "备份放在哪个仓库", mode=mode)][:2] == [9, 10]


def test_who_asks_when_is_not_answered_by_the_next_line() -> None:
    assert is_time_question("When did Ann hike?")
    assert is_time_question("what day is the release")
    assert is_time_question("什么时候发布")
    assert not is_time_question("whenever it rains")
    assert not is_time_question("备份放在哪里")
    assert not has_question("- see https://example.org/?page=2")
    assert has_question("- Ben: really? I did not know")
    assert has_question("- 真的？我不知道")


@pytest.mark.parametrize("mode", ["fts", "scan"])
def test_of_what_tells_of_one_thing_the_newest_comes_first(workshop: Workshop, mode: str) -> None:
    days = ("2026-03-01", "2026-05-01", "2026-07-01")
    said = {day: f"- the staging database runs on port {5 + number}432\n" for number, day in enumerate(days)}
    said_too = {day: f"- 线上的连接池大小是 {10 + number}0\n" for number, day in enumerate(days)}
    files = {f"{day}.md": said[day] + said_too[day] for day in reversed(days)}
    target = workshop.target(files)
    found = search([target], "which port has the staging database", mode=mode)
    assert [hit.path for hit in found[:3]] == ["2026-07-01.md", "2026-05-01.md", "2026-03-01.md"]
    assert found[0].score >= found[1].score >= found[2].score
    assert search([target], "连接池多大", mode=mode)[0].path == "2026-07-01.md"
    headed = workshop.target({"MEMORY.md": "".join(f"## {day}\n\n{said[day]}\n" for day in days)})
    assert search([headed], "which port has the staging database", mode=mode)[0].heading == ("2026-07-01",)


@pytest.mark.parametrize("mode", ["fts", "scan"])
def test_what_says_that_it_changed_comes_before_what_was_said_earlier(workshop: Workshop, mode: str) -> None:
    files = {
        # A line without a date of its own says what held when somebody wrote it, whenever its file was saved.
        "MEMORY.md": "# Rules\n\n- Deploys leave by the release train at 10:30 and 15:30, Monday to Thursday\n",
        "2026-01-05.md": "- Train moved: 11:00 and 16:00 from this week on, nurseries are late #release\n",
        "2025-06-27.md": "- Storybook runs on port 6007 because the mock server has 6006\n",
        "2026-01-28.md": "- Storybook moved to port 6020 when the mock server was merged\n",
        "2025-03-01.md": "- 提示改为 8 秒后消失\n- the gate moved to port 7000, the port of the old gate\n",
        "2026-02-01.md": "- 提示 4 秒后消失，图标也是\n- the gate runs on port 7001, a port of its own\n",
    }
    target = workshop.target(files)

    def first(query: str) -> str:
        found = search([target], query, mode=mode)
        assert [hit.score for hit in found] == sorted((hit.score for hit in found), reverse=True)
        return found[0].path

    assert first("at what times does the release train leave") == "2026-01-05.md"
    assert first("on which port does Storybook run") == "2026-01-28.md"
    # A change that something newer was said after is no longer how it is.
    assert first("on which port does the gate run") == "2026-02-01.md"
    assert first("Deploys leave by the release train at 10:30, Monday to Thursday") == "MEMORY.md"


@pytest.mark.parametrize("mode", ["fts", "scan"])
def test_months_and_a_third_telling_show_what_is_newest_and_what_was_first(workshop: Workshop, mode: str) -> None:
    target = workshop.target(
        {
            "MEMORY.md": "# Shop\n\n- 仓库盘点改到每月 5 号，2026 年 3 月起。\n"
            "- 仓库盘点定在每月 20 号，2025 年 2 月起。\n"
            "- Backup window of the shop database: Sunday (since 2025-11-03, because of the campaigns).\n",
            "2025-04-02.md": "- Backups of the shop database are taken on Fridays\n",
            "2026-05-11.md": "- From today the shop database has its backups taken on Wednesdays, by night\n",
            "2024-05-01.md": "- Parcels of the shop are sent with Hermes\n",
            "2025-05-01.md": "- Parcels of the shop are sent with DHL\n",
        }
    )

    def first(query: str) -> str:
        found = search([target], query, mode=mode)
        assert [hit.score for hit in found] == sorted((hit.score for hit in found), reverse=True)
        return found[0].snippet

    # A month is enough to tell the newer of two.
    assert "2026 年 3 月" in first("仓库盘点定在每月几号")
    assert "Wednesdays" in first("backup window of the shop database")
    assert "DHL" in first("parcels of the shop are sent with")
    assert "Hermes" in first("whom were parcels of the shop sent with originally")
    # What the one before the newest was is not for the order to say.
    assert "2025 年 2 月" in first("仓库盘点原来定在每月几号")


def test_a_name_in_a_list_of_files_comes_after_what_says_something(workshop: Workshop) -> None:
    names = "## Files\n\n- `app/refund/queue.py`\n- `app/refund/models.py`\n\n## Rules\n\n"
    target = workshop.target({"a.md": f"{names}- the state of a refund is set by the channel, never by hand\n"})
    assert search([target], "refund", mode="fts")[0].start_line == 8
    assert search([target], "app/refund/models.py", mode="fts")[0].start_line == 4


def test_who_asks_why_gets_the_decision(workshop: Workshop) -> None:
    target = workshop.target(
        {
            "MEMORY.md": "# About\n\n- the shop runs on postgres\n- postgres has a replica in each zone\n",
            "2026-01-05.md": "- 2026-01-05T08:00:00Z [decision] events stay in postgres, as they are evidence\n",
        }
    )
    assert search([target], "why postgres", mode="fts")[0].path == "2026-01-05.md"


def test_what_only_sounds_alike_keeps_its_place(workshop: Workshop) -> None:
    shop = "- [2026-03-01] the port of the shop service is 8080\n"
    bank = "- [2026-07-01] the port of the bank service is 9090\n"
    target = workshop.target({"MEMORY.md": shop + bank})
    assert search([target], "port of the shop service", mode="fts")[0].start_line == 1
    assert search([target], "port of the bank service", mode="fts")[0].start_line == 2


def test_a_live_memory_comes_before_its_near_copy_in_an_archive(workshop: Workshop) -> None:
    target = workshop.target(
        {"a.md": "- ~~the staging port is 5432, staging as always~~\n- the staging port is 6432, as always\n"}
    )
    found = search([target], "staging port always", mode="fts", filter=Filter(statuses=frozenset()))
    assert [hit.status for hit in found][:1] == [Status.ACTIVE]


def placed(
    text: str, line: int, *, level: Level = Level.MEMORY, reach: int = 0, path: str = "topic.md"
) -> SearchCandidate:
    made = memory(text, line, path=path)
    made.level, made.reach = level, reach or line
    return made


def test_a_part_gets_of_what_its_memory_says() -> None:
    head = placed("reviews run on the large model", 1, reach=9)
    inside = placed("set it by hand on every call", 5, level=Level.PART)
    beyond = placed("set it by hand on every call", 12, level=Level.PART)
    elsewhere = placed("set it by hand on every call", 5, level=Level.PART, path="other.md")
    found = rank(parse("reviews by which model, set by hand?"), [Pool(1000, [elsewhere, beyond, inside, head])])
    assert next(one.line for one in found if one.level == Level.PART) == 5
    assert inside.score > beyond.score >= elsewhere.score


def test_who_asks_gets_what_tells_before_labels_and_logs_of_changes() -> None:
    label = placed("cache expiry", 1, level=Level.CONTEXT, path="a.md")
    logged = placed("cache expiry", 1, path="changes.md")
    logged.kind, logged.layer = "event", Layer.KNOWLEDGE
    tells = placed("cache expiry", 1, path="z.md")
    tells.layer = Layer.KNOWLEDGE

    def scores(query: str) -> list[float]:
        rank(parse(query), [Pool(1000, [label, logged, tells])])
        return [label.score, logged.score, tells.score]

    asked, when, typed = map(scores, ("what is the cache expiry?", "when was the cache expiry?", "cache expiry"))
    assert max(asked[:2]) < asked[2]
    assert when[0] < when[1] == when[2]
    assert typed[0] == typed[1] == typed[2]


def test_who_asks_gets_what_was_kept_apart_and_lines_of_the_kind_that_is_asked_for() -> None:
    kept, day = placed("cache expiry of the shop", 1, path="a.md"), placed("cache expiry of the shop", 1)
    cause = placed("cache expiry, because the shop", 1, path="b.md")
    day.layer = cause.layer = Layer.JOURNAL

    def scores(query: str) -> list[float]:
        rank(parse(query), [Pool(1000, [kept, day, cause])])
        return [kept.score, day.score, cause.score]

    what, why, typed = map(scores, ("what is the cache expiry?", "why is the cache expiry?", "cache expiry"))
    assert what[0] > what[1] == what[2]
    assert why[2] > why[1]
    assert typed[0] == typed[1] == typed[2]


def test_only_what_ends_in_a_question_lends_to_what_follows() -> None:
    def follows(text: str) -> float:
        asked, answer = memory(text, 1), memory("the shed is blue, mostly", 2)
        asked.prose = answer.prose = True
        rank(parse("which colour does the shed have"), [Pool(1000, [asked, answer])])
        return answer.neighbours

    asks_it = follows("what colour should the shed have?")
    assert asks_it > follows("a colour? the shed has one, and that was decided long ago")
    assert asks_it == pytest.approx(follows('**Ann**: "what colour should the shed have?"'), rel=0.3)


def test_the_best_match_by_words_gains_where_words_explain_little() -> None:
    def order(words: float) -> list[str]:
        best, near = memory("holds a little", path="w.md"), memory("means a little more", path="m.md")
        best.score, best.cosine, near.score, near.cosine = words, 0.5, 0.0, 0.52
        others = [memory(f"other {number}", path=f"{number}.md") for number in range(30)]
        scores = cast("Scores", SimpleNamespace(mean=0.4, deviation=0.1))
        fuse([best, near, *others], [(scores, 32)], "zscore", "a question")
        return [one.path for one in sorted([best, near], key=lambda one: -one.score)]

    assert order(0.01) == ["w.md", "m.md"]
    assert order(0.0) == ["m.md", "w.md"]


def test_labels_mean_less_to_who_asks() -> None:
    label, tells = placed("the cache:", 1, level=Level.CONTEXT), placed("the cache:", 1, path="z.md")
    for query, alike in (("how long is it kept?", False), ("cache expiry", True)):
        label.cosine = tells.cosine = 0.5
        weigh([label, tells], 0.1, query)
        assert label.meaning is not None
        assert tells.meaning is not None
        assert label.meaning == tells.meaning if alike else label.meaning < tells.meaning
