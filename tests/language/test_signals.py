from __future__ import annotations

import time

import pytest

from memtui.core.model import Memory
from memtui.language.signals import LONGEST, find_in_entries, find_in_talk, find_signals
from tests.language import corpus
from tests.language.script import talk


def types(text: str, role: str = "") -> set[str]:
    return {signal.type for signal in find_signals(text, role)}


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize(("which", "precision", "recall"), [("seen", 0.95, 0.95), ("unseen", 0.88, 0.9)])
def test_lines_are_heard_as_people_mean_them(which: str, lang: str, precision: float, recall: float) -> None:
    score = corpus.scores(which, lang)[""]
    assert score.right > 30
    assert score.precision >= precision, score
    assert score.recall >= recall, score


@pytest.mark.parametrize(("which", "least"), [("seen", 0.95), ("unseen", 0.78)])
def test_the_same_trouble_has_one_name(which: str, least: float) -> None:
    alike, many = corpus.named_alike(which)
    assert many > 10
    assert alike >= least * many


@pytest.mark.parametrize(
    ("text", "type", "about"),
    [
        ("ECONNREFUSED 127.0.0.1:6379 from Redis", "environment_issue", "econnrefused redis"),
        ("Redis 连接被拒绝", "environment_issue", "econnrefused redis"),
        ("Port 5432 was already in use", "environment_issue", "port 5432 in use"),
        ("5432 端口被占用", "environment_issue", "port 5432 in use"),
        ("No module named 'numpy'", "dependency_issue", "modulenotfounderror numpy"),
        (
            "npm install failed: ERESOLVE, peer dependency conflict on react",
            "dependency_issue",
            "peer-dependency react",
        ),
        ("Slow query on orders", "performance_issue", "slow query order"),
        (
            "OrderService.applyDiscount threw a NullPointerException",
            "error",
            "nullpointerexception orderservice",
        ),
        ("OrderService 空指针异常", "error", "nullpointerexception orderservice"),
        ("lodash 漏洞 CVE-2021-23337，已升级", "security_issue", "cve-2021-23337"),
        ("缺少解析 Parquet 的能力", "capability_gap", "parquet"),
        ("User corrected me: pnpm, not npm", "correction", "npm pnpm"),
        ("It is broken", "error", ""),
    ],
)
def test_names(text: str, type: str, about: str) -> None:
    assert [(signal.type, signal.about) for signal in find_signals(text)] == [(type, about)]


def test_different_troubles_have_different_names() -> None:
    texts = [
        "Slow query on orders",
        "Slow query on invoices",
        "orders N+1 queries",
        "Port 80 in use",
        "Port 81 in use",
    ]
    assert len({find_signals(text)[0].about for text in texts}) == len(texts)


@pytest.mark.parametrize(
    "text",
    [
        "Added error handling", "实现了错误处理", "wrote the performance section of the README", "没有发现性能问题",
        "security review passed: nothing found", "renamed ErrorBoundary", "upgraded react to 19", "fixed a typo",
        "no errors", "0 failures", "tests pass", "errors.py", "if it fails we retry", "超时时间设为 30 秒",
        "Moved the parser into crash_report.py", "Trained a logistic regression", "Recurring payments were added",
    ],
)  # fmt: skip
@pytest.mark.parametrize("role", ["", "user", "assistant"])
def test_work_is_no_trouble(text: str, role: str) -> None:
    assert find_signals(text, role) == ()


def test_what_came_back_is_named_after_what_it_is() -> None:
    found = {signal.type: signal.about for signal in find_signals("Redis connection refused once more")}
    assert found == {"environment_issue": "econnrefused redis", "recurring_issue": "econnrefused redis"}
    assert types("Answer once more in English") == set()


def test_only_a_person_corrects() -> None:
    assert types("No, that's wrong: use pnpm", "user") == {"correction"}
    assert types("No, that's wrong: use pnpm", "assistant") == set()
    assert types("I can't open the tracker from here", "assistant") == {"capability_gap"}
    assert types("I can't open the tracker from here", "user") == set()


def test_a_signal_is_one_safe_line_that_says_where_and_why() -> None:
    text = "all fine\n" + "The build failed \x1b[31m\u202e" + "very " * 80
    (signal,) = find_signals(text, path="sessions/a.md", line=7)
    assert (signal.path, signal.line) == ("sessions/a.md", 8)
    assert len(signal.text) <= LONGEST
    assert "\x1b" not in signal.text
    assert "\u202e" not in signal.text
    assert signal.why


def test_a_summary_tells_each_trouble_once_with_its_line() -> None:
    def memory(text: str, line: int, kind: str = "event", **extra: str) -> Memory:
        return Memory(text, line, line, kind, path="sessions/a.md", extra=extra)

    heard = find_in_entries([
        memory("Fixed the crash of OrderService", 1, "session"),
        memory("Fixed the crash of OrderService", 5),
        memory("Crash of OrderService on start", 6),
        memory("src/failed_crash.py", 7, "file"),
        memory("user: the build is broken", 8, "message", role="user"),
        memory("tool(exec): Error: connect ECONNREFUSED", 8, "message", role="tool"),
        memory("Added paging", 9),
    ])  # fmt: skip
    assert [(one.type, one.about, one.line) for one in heard] == [
        ("error", "crash orderservice", 5),
        ("error", "build-failure", 8),
    ]


def test_red_and_green_is_work() -> None:
    heard = find_in_talk(
        talk("""
U: add paging to the list
$! pytest tests/list => E   AssertionError: assert 1 == 2
W: list.py
$ pytest tests/list => 3 passed
A: Paging is in, all tests pass.
""")
    )
    assert heard == ()


def test_a_failure_that_stayed_is_heard() -> None:
    (signal,) = find_in_talk(
        talk("""
U: add paging to the list
$! pytest tests/list => E   ModuleNotFoundError: No module named 'numpy'
W: list.py
""")
    )
    assert (signal.type, signal.about, signal.line) == ("dependency_issue", "modulenotfounderror numpy", 2)


def test_a_failure_that_took_several_attempts_is_heard() -> None:
    attempt = "$! pytest tests/list => E   AssertionError: assert 1 == 2\nW: a.ts\n"
    heard = find_in_talk(talk(f"U: list it\n{attempt * 3}$ pytest tests/list => 3 passed\nA: Done."))
    assert [one.type for one in heard] == ["error"]
    assert find_in_talk(talk(f"U: list it\n{attempt * 2}$ pytest tests/list => 3 passed\nA: Done.")) == ()


def test_a_failure_with_a_name_is_heard_though_the_next_attempt_passed() -> None:
    attempt = "$! npm run migrate => Error: connect ECONNREFUSED 127.0.0.1:5432\nW: a.ts\n"
    heard = find_in_talk(talk(f"U: migrate it\n{attempt}$ npm run migrate => ok\nA: Done."))
    assert [one.type for one in heard] == ["environment_issue"]


def test_what_people_say_of_their_talk_is_heard() -> None:
    heard = find_in_talk(
        talk("""
U: why does the checkout page crash on Safari?
A: Let me check the log for errors.
$ rg crash => 3 hits
A: I fixed the handler.
U: no, that's wrong, keep the handler and fix the listener
A: Done. I could not verify it, there is no Safari on this machine.
""")
    )
    assert [(one.type, one.line) for one in heard] == [("error", 1), ("correction", 5), ("capability_gap", 6)]
    # Nobody corrects an agent that has done nothing yet, and a no may answer what it asked.
    assert find_in_talk(talk("U: no, use pnpm\nA: Hello.")) == ()
    assert find_in_talk(talk("U: hi\nA: The first one?\nU: no, the second one")) == ()
    assert len(find_in_talk(talk("U: hi\nA: The first one.\nU: no, the second one"))) == 1


@pytest.mark.parametrize(
    "said",
    [
        "不对，以后禁止在代码里写死密钥，必须从环境变量读取",
        "不是这样，从现在起必须先跑测试",
        "No, from now on always use pnpm",
        "Wrong, and please never push to main",
    ],
)
def test_a_no_before_a_rule_corrects_and_is_told_with_it(said: str) -> None:
    (heard,) = find_in_talk(talk(f"U: 登录\nA: 写好了。\nU: {said}"))
    assert (heard.type, heard.text) == ("correction", said)
    assert find_in_talk(talk("U: 登录\nA: 写好了。\nU: 没错，以后都这样")) == ()


@pytest.mark.parametrize(
    "text",
    [
        "a " * 50_000, "fail" * 20_000, "no " * 20_000, "错误" * 20_000, "_" * 50_000, "port " * 9_000,
        "X_" * 30_000,
    ],
)  # fmt: skip
def test_hostile_lines_cost_little(text: str) -> None:
    find_signals("a build failed, 又失败了")
    began = time.process_time()
    find_signals(text)
    find_signals(text, "user")
    assert time.process_time() - began < 0.5
