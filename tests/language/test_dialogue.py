"""What an answer means with what it answers, and what the last word on a subject leaves standing.

What an agent offers in the middle of a sentence, and an answer that is a label.
"""

from __future__ import annotations

import pytest

from memtui.language.dialogue import list_options
from memtui.language.sentences import is_narration, split
from memtui.language.summary import extract
from tests.language.script import talk


@pytest.mark.parametrize(
    ("offer", "answer", "words"),
    [
        ("Two options: 1. Redis, fast; 2. Postgres, no new service", "then the second", ("Postgres",)),
        ("I could key by IP or key by token.", "token", ("token",)),
        ("Shall I use argon2id with 64 MB?", "yes, do it", ("argon2id", "64 MB")),
        ("两个办法：A 提高最低版本，B 代码里做降级。", "B吧", ("降级",)),
        ("数据库里存 UTC 可以吗？", "嗯，UTC", ("UTC",)),
        (
            "I can keep it in the flash (a), or ask the sensor anew (b), which one?",
            "b then",
            ("ask the sensor",),
        ),
    ],
)
def test_an_answer_is_completed_from_what_it_answers(offer: str, answer: str, words: tuple[str, ...]) -> None:
    (decided,) = extract(talk(f"U: how do we do it?\nA: {offer}\nU: {answer}\nA: ok")).decisions
    assert all(word in decided for word in words)


@pytest.mark.parametrize(
    ("offer", "answer", "chosen", "other"),
    [
        ("可以改成：甲、用流水号去重；乙、把时间精度提到毫秒。", "甲", "流水号", "毫秒"),
        ("1 换掉日历组件；2 锁住旧版本；3 自己维护一份。", "2吧", "锁住旧版本", "日历组件"),
    ],
)
def test_an_answer_names_what_was_chosen_and_nothing_else(offer: str, answer: str, chosen: str, other: str) -> None:
    (decided,) = extract(talk(f"U: 怎么办？\nA: {offer}\nU: {answer}\nA: 好")).decisions
    assert chosen in decided
    assert other not in decided


def test_what_was_taken_back_is_neither_decided_nor_done() -> None:
    found = extract(
        talk("""
U: rate limit it
A: I could key by IP or key by token.
U: token
W: a.py
A: Rate limiting is keyed by token now.
U: hm, revert that
A: Reverted.
""")
    )
    assert found.decisions == ()
    assert not any("keyed by token" in text for text in found.done)


def test_thanks_for_nothing_is_no_thanks() -> None:
    said = "U: fix the header\nW: a.py\nA: Changed the header.\nU: great, thanks for nothing, now it is blue"
    assert "confirmed" not in extract(talk(said)).outcome


def test_what_others_wrote_teaches_nothing() -> None:
    said = "U: 客户发来的要求\n「所有接口必须返回 XML。」\n「日志一律保留 180 天，不得删除。」\nA: 第 1 条有冲突。"
    found = extract(talk(said))
    assert (found.learned, found.decisions) == ((), ())


@pytest.mark.parametrize("text", ["0.4 s instead of 2.1", "3.14 is close enough", "1.5 GB are free"])
def test_a_decimal_is_no_lists_number(text: str) -> None:
    assert [one.text for one in split(text, "assistant")] == [text]


def test_lists_of_options() -> None:
    listed = list_options("a) a timeout, b) a task of its own, c) hoping")
    assert [(one.label, one.text) for one in listed] == [
        ("a", "a timeout"),
        ("b", "a task of its own"),
        ("c", "hoping"),
    ]
    assert [one.text for one in list_options("有两条路：一是令牌桶，二是滑动窗口。")] == [
        "令牌桶",
        "滑动窗口",
    ]


OFFER = "The query does a sequential scan. Two options: A) add a GIN index, B) move to Meilisearch."


@pytest.mark.parametrize(
    "answer", ["A", "A.", "a please", "lets do A", "option A", "A. we don't want another service to run"]
)
def test_a_label_means_what_was_offered(answer: str) -> None:
    found = extract(talk(f"U: search is slow, find out why\nA: {OFFER}\nU: {answer}\nA: Done: search is at 84 ms."))
    assert found.decisions == ("search is slow, find out why → Chose option A: add a GIN index",)


def test_lists_within_a_line() -> None:
    assert [one.text for one in list_options("方案A：加索引；方案B：换引擎。")] == ["加索引", "换引擎"]
    for plain in ("v1.2 is at 3.4, see 1) this", "call f(a) then g(b)", "at 10.0.0.1: up", "a) only one"):
        assert list_options(plain) == []


def test_an_open_item_does_not_say_that_it_is_open() -> None:
    said = "U: fix search, then commit\nA: Fixed it.\n\nStill open: run migration 0042 on staging."
    assert extract(talk(said)).todos == ("Run migration 0042 on staging",)


def test_a_bold_word_that_begins_a_line_is_no_mark_of_a_list() -> None:
    told = list(split("**Remaining** four tests, each needs a fixture\n* one of a list", "assistant"))
    assert [(one.text, one.item) for one in told] == [
        ("Remaining four tests, each needs a fixture", False),
        ("one of a list", True),
    ]


def test_a_label_reaches_back_to_the_list_it_is_of() -> None:
    found = extract(
        talk("""
U: the install breaks on the arm runner
A: Options: 1) bump sharp to 0.33, 2) another image, 3) install vips first.
U: which breaks least?
A: The first touches two calls of ours.
U: go with 1
""")
    )
    (decided,) = found.decisions
    assert "bump sharp to 0.33" in decided
    assert "another image" not in decided


def test_two_answers_about_one_thing_are_both_kept() -> None:
    found = extract(
        talk("""
U: 把书单转成笔记，一本书一个文件
A: 同名的书加译者，没有译者再加出版年。
U: 好，加译者
A: 评分用数字还是星号？
U: 数字，好排序
""")
    )
    assert len(found.decisions) == 2
    assert "出版年" in found.decisions[0]
    assert "数字" in found.decisions[1]


def test_what_the_person_decides_about_a_reservation_is_no_longer_open() -> None:
    said = """
U: rename all invoices by date, please
W: rename.py
A: All 312 files are renamed. The broken emoji in old notes I have not touched.
U: {}
"""
    assert any("emoji" in text for text in extract(talk(said.format("thanks"))).todos)
    assert not any("emoji" in text for text in extract(talk(said.format("leave the emoji as they are"))).todos)


def test_what_a_person_puts_off_besides_leaves_a_success() -> None:
    found = extract(
        talk("""
U: clean up the disk of the build server, it is full
A: I can delete the dangling images and the build cache.
U: do it
A: Done, 49 % now.
U: good, the stopped container has to wait until the vendor looked at it in december
""")
    )
    assert any("vendor" in text for text in found.todos)
    assert found.outcome.startswith("success")


@pytest.mark.parametrize(
    "said",
    [
        "Let me update the order page and check for errors.",
        "Perfect, now let's create the summary page.",
        "The user wants the torque curve as a table.",
        "现在让我检查一下配置文件。",
        "好的，我先看一下日志。",
    ],
)
def test_an_agent_that_says_what_it_does_next_says_nothing_to_keep(said: str) -> None:
    sentence = next(split(said, "assistant"))
    assert is_narration(sentence)
    assert not is_narration(sentence._replace(role="user"))
    found = extract(talk(f"U: please go on with the order page\nW: a.py\nA: {said}"))
    assert not any(said[:12] in text for text in (*found.done, *found.decisions, *found.todos))


@pytest.mark.parametrize("said", ["I left the retry path alone.", "I kept the order.", "重试的那段我没动。"])
def test_a_report_is_no_narration(said: str) -> None:
    assert not is_narration(next(split(said, "assistant")))


def test_what_the_person_says_fails_was_not_done() -> None:
    lines = ["U: 给支付客户端加上重试", "W: pay.py", "A: 支付客户端的重试已经加好了。"]
    assert any("重试" in text for text in extract(talk("\n".join(lines))).done)
    later = [*lines, "U: 还是不行，一直报错", "A: 明白。"]
    assert not any("加好" in text for text in extract(talk("\n".join(later))).done)


def test_answers_by_number_stand_behind_what_was_asked_in_a_list() -> None:
    asked = (
        "A few questions:\n\n1. **Where the button goes:**\n   - In the header?\n   - Beside the total?\n"
        "2. **Who may see it?**\n   - Everybody, or the staff?\n3. The third is only a note."
    )
    for answer in ("1. in the header\n2. the staff", "1 in the header 2 the staff"):
        found = extract(talk(f"U: add a button that counts the till again\nA: {asked}\nU: {answer}")).decisions
        assert found == ("Where the button goes → in the header", "Who may see it → the staff"), answer


def test_answers_by_number_are_all_kept_where_the_summary_is_full() -> None:
    subjects = ("encoding", "heading", "separator", "footer", "colour", "width", "currency", "order")
    replies = (
        "look how it is now",
        "the second",
        "is it not as in invoices",
        "none that I know",
        "blue",
        "it does not matter",
        "yours",
        "by date",
    )
    asked = "\n".join(
        f"{at}. Which {one} should the export have, where a branch opens it in another program?"
        for at, one in enumerate(subjects, 1)
    )
    answered = " ".join(f"{at}. {one}" for at, one in enumerate(replies, 1))
    deeds = "\n".join(
        f"- Added the {one} to `app/{one}.py`, with its tests and a page of help for the staff"
        for one in [
            "reader",
            "writer",
            "printer",
            "scanner",
            "labeler",
            "counter",
            "sorter",
            "packer",
            "sender",
            "keeper",
        ]
    )
    told = f"W: app/export.py\nA: All of it is in place. What I changed:\n\n{deeds}"
    said = f"U: plan the export\nA: Before I begin:\n{asked}\nU: {answered}\n{told}\nU: ok"
    decided = extract(talk(said)).decisions
    assert [one.rpartition(" → ")[2] for one in decided] == list(replies)
