from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from memtui.search.suggest import Titles

TITLES = [
    "daily/2026-02-24.md", "Deploy the shop", "shop/rules.md", "数据库连接池", "用户偏好", "İstanbul", "",
    "a\nb",
]  # fmt: skip


def test_no_query_gives_the_first() -> None:
    assert Titles(TITLES).find("", 3) == [0, 1, 2]
    assert Titles([]).find("x") == []


def test_words_in_any_order_and_case() -> None:
    assert Titles(TITLES).find("SHOP dep") == [1]
    assert Titles(TITLES).find("连接") == [3]
    assert Titles(TITLES).find("偏") == [4]


def test_a_beginning_comes_before_a_middle() -> None:
    assert Titles(["the shop", "shop", "workshop"]).find("shop") == [1, 0, 2]


def test_letters_in_order_are_found_after_words() -> None:
    found = Titles(["a b c", "abc", "xaxbxcx", "cba"]).find("abc")
    assert found == [1, 0, 2]
    assert Titles(["数据库连接池"]).find("数连池") == [0]


def test_typing_on_and_back_again_changes_nothing() -> None:
    titles = Titles([f"dir{number}/some-{number * 7919 % 1000}-file.md" for number in range(3000)])
    typed = ["s", "sm", "smf", "smf7", "smf", "smx", "s", "df9", "df99"]
    assert [titles.find(query) for query in typed] == [
        Titles([f"dir{number}/some-{number * 7919 % 1000}-file.md" for number in range(3000)]).find(query)
        for query in typed
    ]


@settings(max_examples=150, deadline=None)
@given(st.lists(st.text(alphabet="abC数据/ \n", max_size=8), max_size=12), st.text(alphabet="abc数据 ", max_size=4))
def test_what_holds_the_letters_is_found_and_nothing_else(titles: list[str], query: str) -> None:
    letters = "".join(query.lower().split())
    words = query.lower().split()

    def fits(title: str) -> bool:
        low = title.lower().replace("\n", " ")
        if all(word in low for word in words):
            return True
        place = -1
        for letter in letters:
            place = low.find(letter, place + 1)
            if place < 0:
                return False
        return len(letters) > 1

    assert sorted(Titles(titles).find(query)) == [number for number, title in enumerate(titles) if fits(title)]


def test_marks() -> None:
    titles = Titles([])
    assert titles.marks("shop dep", "Deploy shop") == ((0, 3), (7, 11))
    assert titles.marks("dsp", "Deploy shop") == ((0, 1), (7, 8), (10, 11))
    assert titles.marks("zz", "Deploy") == ()
