"""What is left for the worker: compactions, turns, ends; and what a prompt and a start do at once."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from memtui.agents.hooks import hook_process, run
from memtui.agents.hooks.session_events import has_committed
from memtui.consolidation import worker
from memtui.core.config import Config
from memtui.sessions import jobs
from tests.agents.hooks.payloads import SESSION, checked, stdin

DEFAULT = Config()


def fire(event: str, cwd: Path, agent: str = "claude-code", config: Config = DEFAULT, **more: Any) -> dict[str, Any]:
    answer = checked(run(event, stdin(event, cwd, agent, **more), config, agent=agent), event, agent)
    assert not [one for one in hook_process.list_fired_hooks() if one.failures], hook_process.list_fired_hooks()
    return answer


def left() -> list[tuple[str, dict[str, Any]]]:
    return [(job.kind, dict(job.more)) for job in jobs.list_jobs()]


def recorded(cwd: Path, *records: dict[str, Any]) -> Path:
    """A transcript where Claude Code keeps them."""
    from pathlib import Path

    folder = Path.home() / ".claude" / "projects" / str(cwd).replace("/", "-")
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{SESSION}.jsonl"
    with file.open("a", encoding="utf-8") as opened:
        for record in records:
            opened.write(
                json.dumps({"sessionId": SESSION, "cwd": str(cwd), "timestamp": "2026-02-10T14:30:05Z"} | record) + "\n"
            )
    return file


def said(text: str) -> dict[str, Any]:
    return {"type": "user", "uuid": "u", "message": {"role": "user", "content": text}}


def ran(command: str) -> dict[str, Any]:
    call = {"type": "tool_use", "id": "t", "name": "Bash", "input": {"command": command}}
    return {"type": "assistant", "uuid": "v", "message": {"role": "assistant", "content": [call]}}


RESULT = {
    "type": "user",
    "message": {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t", "content": "ok"}]},
}


def test_a_compaction_is_flushed(demo: Path, home: Path) -> None:
    fire("PreCompact", demo)
    assert left() == [("flush", {"trigger": "auto"})]
    fire("PostCompact", demo)
    ((kind, more),) = left()
    assert kind == "flush" and "RS256" in more["text"]
    assert jobs.list_jobs()[0].session.id == SESSION


def test_a_summary_of_a_few_characters_is_read(demo: Path, home: Path) -> None:
    """Spec 001's flush has no floor: in Chinese a dozen characters are a decision."""
    fire("PostCompact", demo, compact_summary="决定采用 RS256 签名")
    assert worker.drain(Config()) == 1
    assert "决定采用 RS256 签名" in "".join(path.read_text("utf-8") for path in home.rglob("daily/*.md"))


def test_a_session_that_ends_is_left_once(demo: Path, home: Path) -> None:
    for _again in range(3):
        fire("SessionEnd", demo)
    assert left() == [("end", {"reason": "prompt_input_exit"})]


def test_a_turn_is_captured_when_something_was_said(demo: Path, home: Path) -> None:
    file = recorded(demo, said("Fix the login"), ran("git status"))
    fire("Stop", demo, transcript_path=str(file))
    assert left() == [("capture", {"trigger": "stop"})]
    jobs.finish_job(jobs.list_jobs()[0])
    fire("Stop", demo, transcript_path=str(file))
    assert left() == []
    recorded(demo, said("Now commit it"), ran('git add -A && git -C . commit -m "x"'), RESULT)
    fire("Stop", demo, transcript_path=str(file))
    assert left() == [("capture", {"trigger": "commit"})]


@pytest.mark.parametrize("event", ["Stop", "PreCompact", "PostCompact", "SessionEnd"])
def test_sub_agents_leave_nothing(event: str, demo: Path, home: Path) -> None:
    fire(event, demo, agent_id="a1")
    assert left() == []


def test_sub_agents_that_stop_do_nothing(demo: Path, home: Path) -> None:
    assert fire("SubagentStop", demo) == {}
    assert left() == []


def test_codex_tells_the_end_of_a_turn_by_notify(demo: Path, home: Path) -> None:
    told = {
        "type": "agent-turn-complete",
        "thread-id": "019c32d0-ad7a-70b2-b378-c2b94a4ce4a3",
        "turn-id": "1",
        "cwd": str(demo),
        "input-messages": ["Fix the login"],
        "last-assistant-message": "Done.",
    }
    assert run("notify", json.dumps(told), Config(), agent="codex") == ""
    (job,) = jobs.list_jobs()
    assert job.kind == "capture" and job.session.id.endswith("c2b94a4ce4a3") and job.session.agent == "codex"
    jobs.finish_job(job)
    assert run("notify", json.dumps({**told, "type": "approval-requested"}), Config(), agent="codex") == ""
    assert left() == []


def test_capturing_may_be_off(demo: Path, home: Path) -> None:
    off = Config(capture=Config().capture._replace(enabled=False))
    for event in ("Stop", "PreCompact", "PostCompact", "UserPromptSubmit"):
        fire(event, demo, config=off, **({"prompt": "remember this"} if event == "UserPromptSubmit" else {}))
    assert left() == []


@pytest.mark.parametrize(
    ("records", "expected"),
    [
        ([said("go"), ran("git commit -m x"), RESULT], True),
        ([said("go"), ran("cd a && git -c user.name=x commit --amend"), RESULT], True),
        ([said("go"), ran("git commit -m x"), RESULT, said("thanks")], False),
        ([said("please git commit"), ran("git log"), RESULT], False),
        ([said("go"), ran("echo git; ls commit")], False),
        ([], False),
    ],
)
def test_commits_of_the_last_turn(records: list[dict[str, Any]], expected: bool, demo: Path) -> None:
    assert has_committed(str(recorded(demo, *records))) is expected


def test_commits_of_codex(tmp_path: Path) -> None:
    call = {
        "type": "function_call",
        "name": "shell",
        "arguments": json.dumps({"command": ["git", "commit", "-m", "x"]}),
    }
    lines = [
        {"type": "event_msg", "payload": {"type": "user_message", "message": "go"}},
        {"type": "response_item", "payload": call},
    ]
    file = tmp_path / "rollout.jsonl"
    file.write_text("\n".join(map(json.dumps, lines)) + '\n{"cut off', encoding="utf-8")
    assert has_committed(str(file))
    with file.open("a", encoding="utf-8") as opened:
        opened.write("\n" + json.dumps(lines[0]) + "\n")
    assert not has_committed(str(file))


@pytest.mark.parametrize("path", ["", "\0", "/nowhere/x.jsonl", "/dev/zero", "/"])
def test_no_transcript_is_no_commit(path: str) -> None:
    assert has_committed(path) is False


@pytest.mark.parametrize(
    "prompt",
    [
        "请记住：测试用 pytest", "Remember this: deploys run from main", "记下来", "save this please",
        "保存：前缀是 /api", "记录: 测试库在 10.0.0.6", "以后都这样：先跑测试", "下次提醒我先跑迁移",
        "把这个记下来：库在 10.0.0.5",
    ],
)  # fmt: skip
def test_what_is_to_be_remembered_is_captured_soon(prompt: str, demo: Path, home: Path) -> None:
    fire("UserPromptSubmit", demo, prompt=prompt)
    assert left() == [("capture", {"trigger": "asked", "grows": 0})]


def test_other_prompts_are_not(demo: Path, home: Path) -> None:
    fire("UserPromptSubmit", demo)
    assert left() == []


def test_a_prompt_is_led_to_its_documents(demo: Path, home: Path) -> None:
    (home / "areas/projects/demo/summary.md").write_text("# demo\n\nA shop.\n", encoding="utf-8")
    rules = home.parent / "rules"
    rules.mkdir()
    (rules / "memory-loader.md").write_text(
        "| 触发条件 | 加载文件 |\n|---|---|\n| 涉及项目架构 | `projects/{项目}/summary.md` |\n", encoding="utf-8"
    )
    told = fire("UserPromptSubmit", demo, prompt="demo 的项目架构是怎样的?")["hookSpecificOutput"]["additionalContext"]
    assert str(home / "areas/projects/demo/summary.md") in told and "A shop" not in told
    off = Config(hooks=Config().hooks._replace(route=False))
    assert fire("UserPromptSubmit", demo, config=off, prompt="demo 的项目架构是怎样的?") == {}


def test_the_scratchpad_follows_the_prompt(demo: Path, _own_user: Path) -> None:
    fire("UserPromptSubmit", demo, prompt="Refactor the login flow so that tokens expire after a day")
    pad = (_own_user / ".memtui" / "scratchpad.md").read_text(encoding="utf-8")
    assert "Refactor the login flow" in pad
    fire("UserPromptSubmit", demo, agent_id="a1", prompt="Search all usages of the deprecated payment client")
    assert (_own_user / ".memtui" / "scratchpad.md").read_text(encoding="utf-8") == pad


def test_a_session_is_given_what_is_remembered(demo: Path, home: Path) -> None:
    told = fire("SessionStart", demo)["hookSpecificOutput"]["additionalContext"]
    assert "测试一律用 pytest" in told
    assert [kind for kind, _more in left()] == ["start"]
    off = Config(context=Config().context._replace(enabled=False))
    assert fire("SessionStart", demo, config=off) == {}


def test_a_start_makes_no_home(demo: Path, _own_user: Path) -> None:
    fire("SessionStart", demo)
    assert not (_own_user / ".memtui").exists()


def test_a_large_budget_still_fits_into_a_context(demo: Path, home: Path) -> None:
    lines = "".join(f"- 偏好 {number}: {'说明' * 20}\n" for number in range(2_000))
    (home / "MEMORY.md").write_text(f"# MEMORY\n\n## 偏好\n{lines}", encoding="utf-8")
    wide = Config(context=Config().context._replace(characters=200_000, tokens=50_000))
    told = fire("SessionStart", demo, config=wide)["hookSpecificOutput"]["additionalContext"]
    assert told.count("<memory ") == told.count("</memory>")
