"""A new run has the one before it written down (spec 001 §4.3), though its tool has no hooks."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from memtui.agents.caller import CallPlace, open_caller
from memtui.cli.run import run
from memtui.consolidation import worker
from memtui.core.config import Config
from memtui.sessions import jobs

TALK = (
    ("user", "把认证从 session 迁移到 JWT"),
    ("assistant", "好的，我来改认证模块。用 RS256 还是 HS256？"),
    ("user", "我们决定采用 RS256，因为要跨服务验证"),
    ("assistant", "已改为 RS256，测试全部通过。刷新 token 的逻辑还没有做。"),
)


def _run(project: Path, name: str, age: float) -> None:
    folder = project / ".multi_agent" / "runs" / name / "agents" / "primary"
    folder.mkdir(parents=True)
    file = folder / "history.jsonl"
    lines = (json.dumps({"role": role, "content": said}, ensure_ascii=False) for role, said in TALK)
    file.write_text("\n".join(lines) + "\n", "utf-8")
    now = file.stat().st_mtime - age
    os.utime(file, (now, now))


@pytest.mark.parametrize(("capture", "by"), [(True, "tool"), (True, "context"), (False, "tool")])
def test_a_new_run_captures_the_one_before(
    capture: bool, by: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    user, project = tmp_path / "me", tmp_path / "proj"
    monkeypatch.setenv("HOME", str(user))
    monkeypatch.setenv("MEMTUI_WORKER", "off")
    memory = user / ".xinghebot" / "workspace" / "mykey" / "memory"
    memory.mkdir(parents=True)
    (memory / "MEMORY.md").write_text("# MEMORY\n", "utf-8")
    project.mkdir()
    section = {"project_key": "mykey", "auto_capture_on_new_session": capture}
    (project / "config.json").write_text(json.dumps({"memory": section}), "utf-8")
    _run(project, "run-20261123-090000-aaa111", 300)
    with open_caller(CallPlace(project), Config()):
        pass
    assert worker.drain(Config()) > 0
    assert not (memory / "sessions").exists(), "the run that goes on is not over"
    _run(project, "run-20261124-090000-bbb222", 0)
    for _again in range(2):
        if by == "context":
            monkeypatch.chdir(project)
            assert run(["context"]) == 0
        else:
            with open_caller(CallPlace(project), Config()) as caller:
                assert caller.session.id == "run-20261124-090000-bbb222"
        worker.drain(Config())
    assert jobs.list_jobs() == []
    written = [path.name for path in (memory / "sessions").glob("*.md")]
    if not capture:
        assert written == []
        return
    assert len(written) == 1
    assert written[0].endswith("-run-20261123-090000-aaa111.md")
    assert "RS256" in (memory / "sessions" / written[0]).read_text("utf-8")
