"""How sessions went and how often the agent was corrected, of transcripts in both languages."""

from __future__ import annotations

from pathlib import Path

import pytest

from memtui.evolution import sessions_read
from memtui.language.conversation import Extract
from memtui.language.outcome import find_corrections
from tests.evolution.talks import ended
from tests.sessions.recorded import Claude


def tape(*replies: str, first: str = "Add a retry to the payment client", han: bool = False) -> Claude:
    """A task, work on it, and what the person says to that, each time with an answer."""
    made = Claude()
    made.user("给支付客户端加上重试" if han else first)
    made.says("已经改好了。" if han else "I changed the client.")
    made.does("Edit", {"file_path": "/home/u/shop/pay.py", "old_string": "a", "new_string": "b"})
    for reply in replies:
        made.user(reply)
        made.does("Edit", {"file_path": "/home/u/shop/pay.py", "old_string": "b", "new_string": "c"})
        made.says("好的，改了。" if han else "Changed it.")
    return made


@pytest.mark.parametrize(
    "said",
    [
        "No, use tenacity instead of a loop.",
        "That's wrong: the timeout is in seconds.",
        "Hm, that's not what I asked for.",
        "Thanks, but that is wrong, the limit is five.",
        "I told you not to touch the migration.",
        "You forgot the idempotency key.",
        "Why did you rename the function?",
        "Please revert that.",
        "This should have been a decorator.",
        "You again used print for logging.",
        "不对，应该用 tenacity。",
        "错了，超时单位是秒。",
        "我要的不是这个。",
        "你又忘了加幂等键。",
        "不要乱改迁移文件。",
        "你理解错了，我说的是退款接口。",
        "怎么又用 print 了",
        "应该放在 utils 里，而不是 models 里",
    ],
)
def test_a_correction_is_heard(tmp_path: Path, said: str) -> None:
    done = ended(tape(said), tmp_path)
    (one,) = find_corrections(done.talk)
    assert one.line > 1 and one.text.strip("。.?") in said
    told = sessions_read.judge_outcome(done.talk, done.found)
    assert told.corrections == 1 and f"line {one.line}" in told.reason and one.text[:10] in told.reason


@pytest.mark.parametrize(
    "said",
    [
        "Great, thanks!",
        "No problem, go on with the tests.",
        "No need for more, commit it.",
        "Now add a test for the timeout, no mocks please.",
        "What does the second argument mean?",
        "Is that wrong?",
        "Use port 8080 for the next one.",
        "Can you also update the changelog?",
        "The docs are not wrong then, good.",
        "好的，继续。",
        "没问题，提交吧。",
        "接下来给它加上测试。",
        "这个参数是什么意思？",
        "不错，可以了。",
        "不用加日志了，直接提交。",
        "是不是错了？",
    ],
)
def test_what_is_none_is_not(tmp_path: Path, said: str) -> None:
    assert find_corrections(ended(tape(said), tmp_path).talk) == []


def test_the_first_words_correct_nobody(tmp_path: Path) -> None:
    done = ended(tape(first="No, that's wrong: the build uses the old flag. Fix it."), tmp_path)
    assert find_corrections(done.talk) == []


def test_each_turn_counts_once_and_a_refusal_does(tmp_path: Path) -> None:
    made = tape("No, that's wrong. You forgot the key. Wrong again.", "不对，还是错了。你漏了一个字段。")
    called = made.calls("Edit", {"file_path": "/home/u/shop/a.py", "old_string": "a", "new_string": "b"})
    refused = "The tool use was rejected. To tell you how to proceed, the user said:\nkeep the public names as they are"
    made.returns(called, refused, failed=True)
    made.says("Understood.")
    done = ended(made, tmp_path)
    assert len(find_corrections(done.talk)) == 3
    assert find_corrections(done.talk)[-1].text == "keep the public names as they are"


def test_how_it_went_and_why(tmp_path: Path) -> None:
    made = Claude()
    made.user("Why do the payment tests fail?")
    made.does("Bash", {"command": "pytest -q tests"}, "2 failed, 3 passed", failed=True)
    made.says("Two tests fail; I could not fix them.")
    failed = ended(made, tmp_path)
    told = sessions_read.judge_outcome(failed.talk, failed.found)
    assert told.status == "failed" and told.session == made.session and told.time == failed.talk.ended
    assert "pytest -q tests" in told.reason and "line" in told.reason and told.corrections == 0
    made.does("Edit", {"file_path": "/home/u/shop/pay.py", "old_string": "a", "new_string": "b"})
    made.does("Bash", {"command": "pytest -q tests"}, "5 passed")
    made.says("All tests pass now.")
    passed = ended(made, tmp_path)
    assert sessions_read.judge_outcome(passed.talk, passed.found).status == "success"


def test_in_chinese(tmp_path: Path) -> None:
    made = tape("还是不行，一直报错", han=True)
    made.does("Bash", {"command": "pytest -q"}, "1 failed, 9 passed", failed=True)
    made.says("测试仍然失败。")
    done = ended(made, tmp_path)
    told = sessions_read.judge_outcome(done.talk, done.found)
    assert told.status == "failed" and "测试" in told.reason
    made.user("用户说的：谢谢，可以了")
    assert sessions_read.judge_outcome(*ended(made, tmp_path)[1:]).status in {"success", "failed"}


def test_a_model_that_says_nothing_of_it(tmp_path: Path) -> None:
    made = tape()
    made.does("Bash", {"command": "pytest -q"}, "9 passed")
    made.says("All tests pass.")
    done = ended(made, tmp_path)
    assert sessions_read.judge_outcome(done.talk, Extract("t", by="model")).status == "success"
    assert (
        sessions_read.judge_outcome(done.talk, Extract("t", outcome="something else", by="model")).status
        == "unknown"
    )


def test_nothing_said_is_unknown(tmp_path: Path) -> None:
    made = Claude()
    made.user("hello")
    done = ended(made, tmp_path)
    told = sessions_read.judge_outcome(done.talk, done.found)
    assert (told.status, told.corrections, told.reason) == ("unknown", 0, "")
