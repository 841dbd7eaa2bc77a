"""The end of a session: lessons that were really used, how it went, what was heard; said again, nothing more.

How sessions went and how often the agent was corrected is read out of transcripts in both languages.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memtui import Vault
from memtui.evolution import audit, experiences, sessions_read
from memtui.evolution.audit import PATH, Log
from memtui.evolution.experiences import find_used_lessons, identify_experience
from memtui.language import classify
from memtui.language.conversation import Extract
from memtui.language.outcome import find_corrections
from memtui.language.signals import find_in_talk
from memtui.sessions.capture import place_of
from tests.evolution.talks import Ended, ended, own, scripts
from tests.sessions.recorded import Claude

PUSH = "Ask Lin before you push to main"
TIMER = "The payment sandbox wants amounts in cents, not in euros"
QUERY = "不要在循环里逐条查询数据库，先批量取出来"
LESSONS = (PUSH, TIMER, QUERY, "Prefers short answers without headings", "Tag every release with the date")


def tape() -> Claude:
    made = Claude()
    made.user("Fix the amount of the refund")
    return made


@pytest.fixture
def made() -> Claude:
    return tape()


def hits(*lessons: str, indent: int | None = 2) -> str:
    results = [
        {"path": "MEMORY.md", "start_line": number, "score": 0.9, "snippet": f"- **{text}** (2026-02-26, auto)"}
        for number, text in enumerate(lessons, 5)
    ]  # fmt: skip
    return json.dumps({"results": results, "backend": "sqlite_fts"}, ensure_ascii=False, indent=indent)


@pytest.fixture(params=[own, scripts])
def vault(request: pytest.FixtureRequest, tmp_path: Path) -> Any:
    make: Callable[..., Path] = request.param
    with Vault.open([make(tmp_path / "h", *LESSONS)]) as opened:
        yield opened


def texts(vault: Vault, done: Ended) -> list[str]:
    return [use.memory.text for use in find_used_lessons(vault, done.talk, done.found)]


def end(vault: Vault, done: Ended) -> Log:
    path = place_of(vault.homes[0], done.session, done.talk)
    sessions_read.note_session_end(vault, vault.homes[0], done.session, done.found, done.talk, path=path, group="g")
    return audit.read(vault, vault.homes[0])


def test_what_was_looked_up_was_used(vault: Vault, tmp_path: Path, made: Claude) -> None:
    made.does("mcp__memtui__memory_search", {"query": "refund amount"}, hits(TIMER, QUERY))
    made.does("Bash", {"command": "memtui search push"}, f"MEMORY.md:5  {PUSH}\n")
    made.says("Done.")
    found = find_used_lessons(vault, *ended(made, tmp_path)[1:])
    assert {use.memory.text for use in found} == {TIMER, QUERY, PUSH}
    assert "refund amount" in found[0].context and "(line 2)" in found[0].context


def test_an_answer_that_was_cut_short_still_tells(vault: Vault, tmp_path: Path, made: Claude) -> None:
    made.does("memory_get", {"path": "MEMORY.md"}, hits(QUERY, indent=None)[:-40])
    assert texts(vault, ended(made, tmp_path)) == [QUERY]


def test_a_listing_is_no_use(vault: Vault, tmp_path: Path, made: Claude) -> None:
    every = [*LESSONS, *(f"Lesson number {word} is about something else" for word in ("one", "two"))]
    made.does("memory_get", {"path": "MEMORY.md"}, "\n".join(f"- {text}" for text in every))
    many = vault.homes[0].path / "MEMORY.md"
    many.write_text(many.read_text("utf-8") + "".join(f"- {text}\n" for text in every[5:]), "utf-8")
    vault.refresh()
    assert texts(vault, ended(made, tmp_path)) == []


def test_what_the_agent_says_it_goes_by_was_used(vault: Vault, tmp_path: Path, made: Claude) -> None:
    made.says(f"As remembered: {TIMER[0].lower()}{TIMER[1:]}. So I divide by 100.")
    made.says(f"根据之前的经验，{QUERY}。")
    assert texts(vault, ended(made, tmp_path)) == [TIMER, QUERY]


def test_what_merely_sounds_alike_was_not(vault: Vault, tmp_path: Path, made: Claude) -> None:
    made.user(PUSH)
    made.does("Read", {"file_path": "/home/u/shop/NOTES.md"}, f"- {TIMER}")
    made.says("I ask before I push. The payment sandbox is slow. Amounts are in euros here.")
    made.says("The payment sandbox wants amounts in euros, not in cents.")
    made.says("先查询数据库。")
    made.does("mcp__memtui__memory_search", {"query": "x"}, hits("Something else entirely about tests"))
    made.does("mcp__memtui__memory_append", {"text": TIMER}, json.dumps({"text": TIMER}))
    assert texts(vault, ended(made, tmp_path)) == []


def test_what_a_hook_stopped_it_with_was_used(vault: Vault, tmp_path: Path, made: Claude) -> None:
    made.does("Edit", {"file_path": "/a.py"}, f"PreToolUse:Edit hook error:\n{QUERY}", failed=True)
    assert texts(vault, ended(made, tmp_path)) == [QUERY]


def test_what_the_session_taught_is_no_use(tmp_path: Path) -> None:
    path = scripts(tmp_path / "h", PUSH)
    file = path / "MEMORY.md"
    taught = "Always use decimal for money"
    file.write_text(file.read_text("utf-8") + f"- **{taught}** (2026-03-02, auto)\n", "utf-8")
    made = tape()
    made.says("I used a float.")
    made.user(f"Remember: {taught.lower()}.")
    made.says(f"{taught}: noted.")
    with Vault.open([path]) as vault:
        done = ended(made, tmp_path)
        assert [one.text for one in done.found.learned] == [taught]
        assert texts(vault, done) == []


def test_the_log_says_it_once(vault: Vault, tmp_path: Path) -> None:
    home = vault.homes[0].path
    made = tape()
    made.does("mcp__memtui__memory_search", {"query": "refund amount"}, hits(TIMER))
    made.does("Edit", {"file_path": "/home/u/shop/pay.py", "old_string": "a", "new_string": "b"})
    made.user("No, that's wrong: the limit is five.")
    made.does("Bash", {"command": "pytest -q"}, "9 passed")
    made.says("All tests pass.")
    found = end(vault, ended(made, tmp_path))
    memory = next(memory for memory in vault.memories() if memory.text == TIMER)
    assert [(ref.experience, ref.session) for ref in found.refs] == [
        (identify_experience(vault, memory).id, made.session)
    ]
    (went,) = found.outcomes
    assert (went.status, went.corrections) == ("success", 1) and "pytest -q" in went.reason and "limit" in went.reason
    (heard,) = found.heard
    assert [sign.type for sign in heard.signals] == [sign.type for sign in find_in_talk(ended(made, tmp_path).talk)]
    before = (home / PATH).read_bytes()
    assert end(vault, ended(made, tmp_path)) == found and (home / PATH).read_bytes() == before
    # It goes on: what is new is added, and its last word holds.
    made.user("Now the release")
    made.does("Bash", {"command": "pytest -q"}, "2 failed, 7 passed", failed=True)
    made.says("Two tests fail; I could not fix them.")
    later = end(vault, ended(made, tmp_path))
    assert len(later.refs) == 1 and [one.status for one in later.outcomes] != ["success"]
    assert (home / PATH).read_bytes().startswith(before)
    assert end(vault, ended(made, tmp_path)) == later


def test_what_the_agent_told_already_is_not_said_again(vault: Vault, tmp_path: Path, made: Claude) -> None:
    made.does("mcp__memtui__memory_search", {"query": "refund amount"}, hits(TIMER))
    memory = next(memory for memory in vault.memories() if memory.text == TIMER)
    audit.append_use(
        vault, vault.homes[0], identify_experience(vault, memory), made.session, who="agent:x", outcome="failed"
    )
    found = end(vault, ended(made, tmp_path))
    assert len(found.refs) == 1 and [one.status for one in found.outcomes] == ["failed"]


def test_what_another_log_says_is_known_here(tmp_path: Path) -> None:
    """The lesson stands in the user's home and was noted there; the session belongs to the project's."""
    user, project = scripts(tmp_path / "user", TIMER), own(tmp_path / "project", PUSH)
    made = tape()
    made.does("mcp__memtui__memory_search", {"query": "refund amount"}, hits(TIMER, PUSH))
    with Vault.open([project, user]) as vault:
        memory = next(memory for memory in vault.memories() if memory.text == TIMER)
        audit.append_use(
            vault, vault.homes[1], identify_experience(vault, memory), made.session, who="agent:x", outcome="failed"
        )
        found = end(vault, ended(made, tmp_path))
        assert [one.status for one in found.outcomes] == ["failed"] and len(found.refs) == 1
        told = {memory.text: (effect.good, effect.bad) for effect, memory in experiences.load_effects(vault) if memory}
        assert told == {TIMER: (0, 1), PUSH: (0, 1)}


def test_a_sub_agent_leaves_nothing(vault: Vault, tmp_path: Path, made: Claude) -> None:
    made.does("mcp__memtui__memory_search", {"query": "refund amount"}, hits(TIMER))
    assert end(vault, ended(made, tmp_path, sidechain=True)) == audit.Log()


def test_a_session_of_nothing_is_noted_all_the_same(vault: Vault, tmp_path: Path) -> None:
    found = end(vault, ended(tape(), tmp_path))
    assert [one.status for one in found.outcomes] == ["unknown"] and found.refs == ()


def test_what_it_wrote_is_undone_with_its_group(vault: Vault, tmp_path: Path) -> None:
    end(vault, ended(tape(), tmp_path))
    vault.undo("g", who="person")
    assert not (vault.homes[0].path / PATH).exists() or not (vault.homes[0].path / PATH).read_bytes()


def corrected_tape(*replies: str, first: str = "Add a retry to the payment client", han: bool = False) -> Claude:
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
        "No, use tenacity instead of a loop.", "That's wrong: the timeout is in seconds.",
        "Hm, that's not what I asked for.", "Thanks, but that is wrong, the limit is five.",
        "I told you not to touch the migration.", "You forgot the idempotency key.",
        "Why did you rename the function?", "Please revert that.", "This should have been a decorator.",
        "You again used print for logging.", "不对，应该用 tenacity。", "错了，超时单位是秒。",
        "我要的不是这个。", "你又忘了加幂等键。", "不要乱改迁移文件。", "你理解错了，我说的是退款接口。",
        "怎么又用 print 了", "应该放在 utils 里，而不是 models 里",
    ],
)  # fmt: skip
def test_a_correction_is_heard(tmp_path: Path, said: str) -> None:
    done = ended(corrected_tape(said), tmp_path)
    (one,) = find_corrections(done.talk)
    assert one.line > 1 and one.text.strip("。.?") in said
    told = sessions_read.judge_outcome(done.talk, done.found)
    assert told.corrections == 1 and f"line {one.line}" in told.reason and one.text[:10] in told.reason


def test_a_talk_that_was_heard_is_not_judged_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done = ended(corrected_tape("That's wrong: the timeout is in seconds."), tmp_path)
    told = sessions_read.judge_outcome(done.talk, Extract("")), find_in_talk(done.talk)
    heard = classify.hear_talk(done.talk)
    monkeypatch.delattr(classify, "judge_talk")
    assert (sessions_read.judge_outcome(done.talk, Extract(""), heard), find_in_talk(done.talk, heard)) == told
    assert told[1]


@pytest.mark.parametrize(
    "said",
    [
        "Great, thanks!", "No problem, go on with the tests.", "No need for more, commit it.",
        "Now add a test for the timeout, no mocks please.", "What does the second argument mean?",
        "Is that wrong?", "Use port 8080 for the next one.", "Can you also update the changelog?",
        "The docs are not wrong then, good.", "好的，继续。", "没问题，提交吧。", "接下来给它加上测试。",
        "这个参数是什么意思？", "不错，可以了。", "不用加日志了，直接提交。", "是不是错了？",
    ],
)  # fmt: skip
def test_what_is_none_is_not(tmp_path: Path, said: str) -> None:
    assert find_corrections(ended(corrected_tape(said), tmp_path).talk) == []


def test_the_first_words_correct_nobody(tmp_path: Path) -> None:
    done = ended(corrected_tape(first="No, that's wrong: the build uses the old flag. Fix it."), tmp_path)
    assert find_corrections(done.talk) == []


def test_each_turn_counts_once_and_a_refusal_does(tmp_path: Path) -> None:
    made = corrected_tape("No, that's wrong. You forgot the key. Wrong again.", "不对，还是错了。你漏了一个字段。")
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
    made = corrected_tape("还是不行，一直报错", han=True)
    made.does("Bash", {"command": "pytest -q"}, "1 failed, 9 passed", failed=True)
    made.says("测试仍然失败。")
    done = ended(made, tmp_path)
    told = sessions_read.judge_outcome(done.talk, done.found)
    assert told.status == "failed" and "测试" in told.reason
    made.user("用户说的：谢谢，可以了")
    assert sessions_read.judge_outcome(*ended(made, tmp_path)[1:]).status in {"success", "failed"}


def test_a_model_that_says_nothing_of_it(tmp_path: Path) -> None:
    made = corrected_tape()
    made.does("Bash", {"command": "pytest -q"}, "9 passed")
    made.says("All tests pass.")
    done = ended(made, tmp_path)
    assert sessions_read.judge_outcome(done.talk, Extract("t", by="model")).status == "success"
    assert (
        sessions_read.judge_outcome(done.talk, Extract("t", outcome="something else", by="model")).status == "unknown"
    )


def test_nothing_said_is_unknown(tmp_path: Path) -> None:
    made = Claude()
    made.user("hello")
    done = ended(made, tmp_path)
    told = sessions_read.judge_outcome(done.talk, done.found)
    assert (told.status, told.corrections, told.reason) == ("unknown", 0, "")
