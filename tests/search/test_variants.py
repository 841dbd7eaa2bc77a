"""Traditional and simplified find each other, in the index and in the files alike."""

from __future__ import annotations

import pytest

from memtui.search import search
from memtui.search.query import parse
from memtui.search.texts import SearchTarget
from memtui.search.variants import MOST, Scripts, simplify_characters
from tests.search.conftest import Workshop

NOTES = {
    "notes/a.md": "- 資料庫的連線池已經調整過了\n- 他的頭髮很長\n- 颱風之後網路才恢復\n- 乾淨的後臺\n",
    "notes/b.md": "- 数据库的连接池已经调整过了\n- 他的头发很长\n- 台风之后网络才恢复\n- 干净的后台\n",
    "notes/c.md": "- 会議の記録を読む\n- 회의 기록\n",
}


@pytest.fixture(scope="module")
def target(shared_workshop: Workshop) -> SearchTarget:
    return shared_workshop.target(NOTES)


def found(target: SearchTarget, query: str, mode: str) -> list[str]:
    return [hit.snippet for hit in search([target], query, mode=mode)]


@pytest.mark.parametrize("mode", ["fts", "scan"])
@pytest.mark.parametrize(
    ("query", "wanted"),
    [
        ("头发", ["- 他的头发很长", "- 他的頭髮很長"]),
        ("頭髮", ["- 他的頭髮很長", "- 他的头发很长"]),
        ("后台", ["- 干净的后台", "- 乾淨的後臺"]),
        ("乾淨", ["- 乾淨的後臺", "- 干净的后台"]),
        ("台风", ["- 台风之后网络才恢复", "- 颱風之後網路才恢復"]),
        ('"後臺"', ["- 乾淨的後臺", "- 干净的后台"]),
        ("髮", ["- 他的頭髮很長", "- 他的头发很长"]),
    ],
)
def test_either_script_finds_both_and_its_own_first(
    target: SearchTarget, mode: str, query: str, wanted: list[str]
) -> None:
    assert found(target, query, mode)[:2] == wanted
    for hit in search([target], query, mode=mode, limit=2):
        assert hit.marks, hit.snippet
        start, end = hit.marks[0]
        assert 1 <= len(hit.snippet[start:end]) <= 2


@pytest.mark.parametrize("mode", ["fts", "scan"])
def test_what_is_left_out_is_left_out_in_both(target: SearchTarget, mode: str) -> None:
    assert found(target, "的 -头发 -干净 -数据 -資料", mode) == []


@pytest.mark.parametrize("mode", ["fts", "scan"])
def test_japanese_and_korean_are_as_they_were(target: SearchTarget, mode: str) -> None:
    assert found(target, "記録を", mode)[0] == "- 会議の記録を読む"
    assert not Scripts("記録を読む")
    assert not Scripts("회의 記錄")
    assert all(not term.others for term in parse("会議の記録").terms)


def test_one_character_may_be_several() -> None:
    assert Scripts("发").forms("发") == ("發", "髮")
    assert Scripts("發").forms("發") == ("发",)
    assert Scripts("为什么").forms("为") == ("為", "爲")
    assert Scripts("名著").forms("名著") == ("名着",)
    assert not Scripts("deploy")
    assert Scripts("你好").forms("你好") == ()


def test_a_query_in_one_script_is_not_taken_for_the_other() -> None:
    assert Scripts("後面").forms("面") == ()
    assert "麵" in Scripts("面").forms("面")


def test_forms_are_bounded() -> None:
    long = "只台干蒙里面发系" * 5
    assert len(Scripts(long).forms(long)) == MOST
    assert all(len(term.others) <= MOST for term in parse(long).terms)


def test_stop_words_are_known_in_both_scripts() -> None:
    assert simplify_characters("為什麼") == "为什么"
    assert [term.label for term in parse("為什麼會話會過期").terms if term.fts] == [
        term.label.replace("会", "會").replace("话", "話").replace("过", "過").replace("为", "為").replace("么", "麼")
        for term in parse("为什么会话会过期").terms
        if term.fts
    ]
