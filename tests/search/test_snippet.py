from __future__ import annotations

from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from memtui.core.model import Home, Layer, Status
from memtui.search.candidate import Pool, SearchCandidate
from memtui.search.query import parse
from memtui.search.rank import rank
from memtui.search.texts import LONGEST, build_snippet, explain_match

HOME = Home(Path("/h"), "plain", "", "h")


def candidate(raw: str, heading: str = "", searched: str | None = None) -> SearchCandidate:
    made = SearchCandidate(HOME, "a.md", 1, 1, Layer.CORE, "note", Status.ACTIVE, None, heading)
    made.fill(raw, searched)
    return made


def marked(query: str, raw: str, typing: bool = False) -> list[str]:
    text, marks = build_snippet(parse(query, typing), candidate(raw))
    return [text[start:end] for start, end in marks]


def test_the_line_comes_as_it_stands() -> None:
    raw = "- 2026-02-24T10:12:33Z [pref] 用户偏好：输出尽量精简"
    text, marks = build_snippet(parse("偏好"), candidate(raw))
    assert text == raw
    assert [text[start:end] for start, end in marks] == ["偏好"]


def test_marks_cover_stems_pairs_and_beginnings() -> None:
    assert marked("deploy", "Deploying and deployed, undeployed") == ["Deploying", "deployed"]
    assert marked("数据库", "用户数据库") == ["数据库"]
    assert marked("conf", "a Config file", typing=True) == ["Conf"]
    assert marked("库", "数据库，库存") == ["库", "库"]
    assert marked("name", "getUserName") == ["Name"]
    assert marked("resume", "my Résumé") == ["Résumé"]
    assert marked("deploy", "ｄｅｐｌｏｙ now") == ["ｄｅｐｌｏｙ"]


def test_the_best_line_of_several_is_chosen() -> None:
    raw = "deploy here\nnothing\ndeploy the server  \nserver"
    assert build_snippet(parse("deploy server"), candidate(raw))[0] == "deploy the server"


def test_a_long_line_is_cut_around_its_matches() -> None:
    raw = "x " * 400 + "the needle and the haystack " + "y " * 400
    text, marks = build_snippet(parse("needle haystack"), candidate(raw))
    assert len(text) <= LONGEST
    assert text.startswith("…")
    assert text.endswith("…")
    assert [text[start:end] for start, end in marks] == ["needle", "haystack"]


def test_a_match_at_either_end_is_kept() -> None:
    text, marks = build_snippet(parse("needle"), candidate("a" * 500 + " needle"))
    assert text.endswith("needle")
    assert marks
    text, marks = build_snippet(parse("needle"), candidate("needle " + "a" * 500))
    assert text.startswith("needle")
    assert marks


@settings(max_examples=200)
@given(st.text(max_size=600), st.sampled_from(["a", "ab 字", "é", '"x y"', "ﬁ", "🚀", "0"]))
def test_marks_stand_inside_the_snippet(raw: str, query: str) -> None:
    text, marks = build_snippet(parse(query), candidate(raw))
    assert len(text) <= LONGEST
    last = 0
    for start, end in marks:
        assert last <= start < end <= len(text)
        last = end


def explained(query: str, raw: str, heading: str = "") -> str:
    found = candidate(raw, heading)
    rank(parse(query), [Pool(1000, [found])])
    return explain_match(parse(query), found)


def test_why_names_words_and_headings() -> None:
    assert explained("偏好 pytest nothing", "偏好 pytest", "项目\x1f偏好 list") == "偏好, pytest · heading 偏好 list"
    assert explained("偏好", "x", "偏好") == "heading 偏好"


def test_why_does_not_repeat_the_parts_of_a_run() -> None:
    assert explained("数据库", "用户数据库") == "数据库"


@given(st.text("ab 库数据-\tÉé", max_size=20), st.text("ab 库数据.Éé \t\nA", max_size=60))
@settings(max_examples=300, deadline=None)
def test_what_ranking_knows_of_a_line_changes_nothing(query: str, raw: str) -> None:
    plain, ranked = candidate(raw), candidate(raw)
    ranked.prose = True
    rank(parse(query), [Pool(1000, [ranked])])
    assert build_snippet(parse(query), ranked) == build_snippet(parse(query), plain)


def test_a_record_shows_its_text_though_its_tags_matched() -> None:
    text, marks = build_snippet(parse("tagged"), candidate("What was learnt", searched="What was learnt tagged"))
    assert (text, marks) == ("What was learnt", ())


def test_controls_in_a_line_are_shown_one_for_one() -> None:
    text, marks = build_snippet(parse("dle"), candidate("- mid\0\0 dle\x1b[31m\tend"))
    assert text == "- mid\ufffd\ufffd dle\ufffd[31m\tend"
    assert [text[start:end] for start, end in marks] == ["dle"]
