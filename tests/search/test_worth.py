"""What a line is worth as an answer."""

from __future__ import annotations

from pathlib import Path

import pytest

from memtui import Vault
from memtui.core.model import Filter, Status
from memtui.search.vector_jobs import build_vector_text
from memtui.search.worth import (
    is_conversation_heading,
    is_question,
    matches_speaker,
    measure_question_share,
    measure_thinness,
)
from memtui.store import verbs


@pytest.mark.parametrize(
    ("heading", "line", "said"),
    [
        ("2026-05-07\x1fWork", "- 2026-05-07T10:00:00Z [note] Ann: hello there (source=x)", "Work\nAnn: hello there"),
        ("", "- [x] 完成 13:05 的发布", "完成 13:05 的发布"),
        ("", "- [10:24] deploy failed", "deploy failed"),
        ("偏好", "> - 用户喜欢深色主题 <!-- id=1 -->", "偏好\n用户喜欢深色主题"),
        ("Rules", "", "Rules"),
        ("", "- 用 ruff 检查 #python", "用 ruff 检查 (python)"),
        ("", "1. first\n2. second", "first\nsecond"),
    ],
)  # fmt: skip
def test_a_model_is_given_what_a_line_says(heading: str, line: str, said: str) -> None:
    assert build_vector_text(heading, line, None, "daily/x.md") == said


@pytest.mark.parametrize("query", ["What broke?", "what did Ann buy", "他去了哪里", "部署要几步", "is it done"])
def test_questions(query: str) -> None:
    assert is_question(query)


@pytest.mark.parametrize("query", ["deploy rollback", "缓存超时", "", "is", "E0308", "whatever"])
def test_what_is_no_question(query: str) -> None:
    assert not is_question(query)


def test_how_much_of_a_line_asks() -> None:
    assert measure_question_share("- 2026-05-07T10:00:00Z [note] Where did it go?") == 1
    assert measure_question_share("it went home") == 0
    assert 0 < measure_question_share("- I moved the cache to the second host. What about you?") < 0.6
    assert measure_question_share("我把缓存挪走了。你呢？") < 0.5


def test_how_little_a_line_says() -> None:
    assert measure_thinness("- That's great!") > 0.5
    assert measure_thinness("- The cache lives on the second host now, behind the old name") < 0.1
    assert measure_thinness("- 缓存现在放在第二台机器上，名字没有变，端口也没有变。") == 0
    assert measure_thinness("x" * 10_000) == 0


def test_who_says_it() -> None:
    line = "- 2026-05-07T10:00:00Z [note] Ann: I bought a canoe"
    assert matches_speaker(line, "what did ann buy")
    assert not matches_speaker(line, "what did hannah buy")
    assert not matches_speaker(line, "what did bob buy")
    assert matches_speaker("- **小李**：明天出差", "小李明天去哪")
    assert not matches_speaker("- nothing of the kind", "nothing")


@pytest.mark.parametrize(
    ("heading", "talk"),
    [
        ("Session: 2026-03-01 10:00:00 UTC\x1fSummary", True),
        ("会话 2026-03-01 10:00", True),
        ("Session notes", False),
        ("2026-03-01\x1fSession: 2026-03-01 10:00", False),
        ("", False),
    ],
)
def test_what_was_recorded_word_by_word(heading: str, talk: bool) -> None:
    assert is_conversation_heading(heading) is talk


def test_what_was_written_down_comes_before_what_was_said(tmp_path: Path) -> None:
    home = tmp_path / ".memtui"
    (home / "daily").mkdir(parents=True)
    said = "- the greenhouse pump, the pump of the greenhouse, runs when the tank is full\n"
    talk = f"# Session: 2026-03-01 10:00:00 UTC\n\n{said}"
    (home / "daily" / "2026-03-01.md").write_text(talk, "utf-8")
    (home / "MEMORY.md").write_text(
        "# MEMORY\n\n- the greenhouse has a pump: it runs at six in the morning and rests until noon\n", "utf-8"
    )
    with Vault.open([home]) as vault:
        assert "at six" in vault.find("when does the greenhouse pump run?")[0].snippet
        assert "tank" in vault.find("greenhouse pump")[0].snippet


@pytest.mark.parametrize(
    ("query", "answer", "others"),
    [
        ("which port does the gateway use?", "the gateway answers on 8443", ["the gateway has a new owner"]),
        ("why is the gateway slow?", "the gateway is slow because its cache is cold", ["is the gateway slow?"]),
        (
            "where is the config of the gateway",
            "config of the gateway: `etc/gate.toml`",
            ["the config of the gateway is long"],
        ),
        ("网关的日志保留多少天？", "网关的日志保留 14 天", ["网关的日志保留策略已讨论"]),
        ("may I restart the gateway?", "never restart the gateway by day", ["restart of the gateway: done"]),
    ],
)
def test_a_question_says_what_its_answer_looks_like(tmp_path: Path, query: str, answer: str, others: list[str]) -> None:
    home = tmp_path / ".memtui"
    (home / "daily").mkdir(parents=True)
    lines = [*others, answer]
    for number, line in enumerate(lines, 1):
        (home / "daily" / f"2026-03-0{number}.md").write_text(f"# 2026-03-0{number}\n\n- {line}\n", "utf-8")
    with Vault.open([home]) as vault:
        hits = vault.find(query)
        assert hits[0].snippet.endswith(answer)
        assert 0 < hits[0].score <= 1
        assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)


def test_a_question_falls_through_to_what_is_done(tmp_path: Path) -> None:
    """Plans that are done are no memories of today, but hold the reasons; what a person archived stays away."""
    base = tmp_path / ".helloagents"
    plan = base / "history" / "2026-02" / "202602140515_shell" / "how.md"
    plan.parent.mkdir(parents=True)
    plan.write_text("# 技术设计\n\n## ADR-001\n\n- Electron → 拒绝原因：安装包太大\n- 外壳用 Tauri\n", "utf-8")
    (base / "project.md").write_text("# 技术约定\n\n- 外壳用 Tauri，版本 2\n- 端口 8443\n", "utf-8")
    notes = tmp_path / ".memtui"
    notes.mkdir()
    (notes / "MEMORY.md").write_text("# MEMORY\n\n- the lamp is a Philips one\n- the kettle is red\n", "utf-8")
    with Vault.open([base, notes]) as vault:
        for query in ("Electron 为什么没选？", "electron"):
            hits = vault.find(query)
            assert [hit.status for hit in hits] == [Status.ARCHIVED]
            assert "安装包太大" in hits[0].snippet
            assert hits[0].why.endswith("archived")
        first, *others = vault.find("外壳用的是什么？")
        assert first.status is Status.ACTIVE
        assert any(hit.status is Status.ARCHIVED for hit in others)
        assert all(hit.status is Status.ACTIVE for hit in vault.find("tauri 版本"))
        verbs.archive(vault, next(one for one in vault.memories(Filter()) if "Philips" in one.text))
        left = vault.find("which lamp is it?")
        assert not any("Philips" in hit.snippet for hit in left)
        assert left.hidden == {Status.ARCHIVED: 1}
        assert "Philips" in vault.find("lamp status:archived")[0].snippet


SAID_ANEW = (
    ("which port does the gateway listen on?", "gateway port",
     ("The gateway listens on port 8100", "gateway port moved to 8200", "The gateway is now served on port 8300")),
    ("who is on call for payments?", "payments on call",
     ("Payments on call: Maria", "Payments on call is Jonas", "On call for payments: Priya")),
    ("发布窗口是周几？", "发布窗口", ("发布窗口为周二下午", "发布窗口为周三上午", "发布窗口为周四晚上")),
    ("日志保留多少天？", "日志保留天数", ("日志保留 7 天", "日志保留改为 14 天", "日志保留 30 天")),
)  # fmt: skip
"""A question, its words, and three answers, each of which took the place of the one before."""


@pytest.mark.parametrize("form", ["- {said} ({day})", "- [{day}] {said}", "## {day}\n\n- {said}\n"])
@pytest.mark.parametrize("newest_first", [True, False])
def test_the_newest_of_three_comes_first(tmp_path: Path, form: str, newest_first: bool) -> None:
    home = tmp_path / ".memtui"
    home.mkdir()
    lines: list[str] = []
    for number, day in enumerate(("2026-03-01", "2026-05-01", "2026-07-01")):
        lines += [form.format(day=day, said=answers[number]) for _asked, _words, answers in SAID_ANEW]
    text = "\n".join(reversed(lines) if newest_first else lines)
    (home / "MEMORY.md").write_text(f"# MEMORY\n\n{text}\n", "utf-8")
    with Vault.open([home]) as vault:
        for asked, words, answers in SAID_ANEW:
            for query in (asked, words):
                said = [one for hit in vault.find(query) for one in answers if one in hit.snippet]
                assert said[0] == answers[-1]


@pytest.mark.parametrize(
    ("asked", "past", "answers"),
    [
        (
            "what is the rate limit of the public API?",
            "what was the rate limit of the public API originally?",
            ("Public API rate limit: 60 requests a minute", "API rate limit (public) is 120 requests a minute"),
        ),
        ("消息队列用的哪个？", "最初消息队列用的哪个？", ("消息队列用 RabbitMQ", "消息队列选了 RocketMQ")),
    ],
)
def test_who_asks_how_it_was_gets_the_old(tmp_path: Path, asked: str, past: str, answers: tuple[str, str]) -> None:
    home = tmp_path / ".memtui"
    (home / "daily").mkdir(parents=True)
    for day, said in zip(("2026-03-04", "2026-07-09"), answers, strict=True):
        (home / "daily" / f"{day}.md").write_text(
            f"# {day}\n\n- the office has two floors\n- {said}\n- 整理了文档\n", "utf-8"
        )
    with Vault.open([home]) as vault:
        assert answers[1] in vault.find(asked)[0].snippet
        assert answers[0] in vault.find(past)[0].snippet
