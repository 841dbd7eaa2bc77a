"""`memtui review` and `memtui distill`: the same queue as in the app, decided from the command line."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Caller
from tests.homes import read_files

HOMES = Path(__file__).parent.parent / "homes"
SECRET = "ghp_" + "a1B2c3D4e5F6" * 3


def fact(number: int, text: str, **more: Any) -> str:
    record = {
        "id": f"log-{number}", "type": "fact", "memory_type": "O", "content": text, "entities": [],
        "confidence": 0.95, "timestamp": "2026-02-20T09:10:00Z", "source": {"session": "3f1c"},
    }  # fmt: skip
    return json.dumps(record | more, ensure_ascii=False) + "\n"


@pytest.fixture
def skillix(alone: Path) -> Path:
    place = alone / "shop" / ".cursor" / "skills" / "memory-data"
    (place / "daily").mkdir(parents=True)
    (place / "MEMORY.md").write_text("# 核心记忆\n\n## 用户偏好\n\n## 项目背景\n\n## 重要决策\n", "utf-8")
    (place / "daily" / "2026-02-20.jsonl").write_text(
        fact(1, "用户偏好 pnpm，不用 npm")
        + fact(2, "Prefers small commits with a reason")
        + fact(3, "数据库选择 PostgreSQL，方案已定", memory_type="W")
        + fact(4, "也许会换编辑器吧，还没有想好", confidence=0.5)
        + fact(5, "Reviews want a picture of every screen", timestamp="2026-02-28T11:00:00Z"),
        "utf-8",
    )
    return place


def waiting(call: Caller, home: Path, *argv: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = call("review", "list", "--home", str(home), "--json", *argv).json["candidates"]
    return found


def test_the_queue_and_what_is_known_of_each(call: Caller, skillix: Path) -> None:
    before = read_files(skillix)
    found = waiting(call, skillix)
    assert {one["text"] for one in found} == {
        "用户偏好 pnpm，不用 npm",
        "Prefers small commits with a reason",
        "数据库选择 PostgreSQL，方案已定",
    }
    first = found[0]
    assert first["target"]["path"] == "MEMORY.md"
    assert first["sources"][0]["path"] == "daily/2026-02-20.jsonl"
    assert first["sources"][0]["session"] == "3f1c"
    assert {"id", "origin", "kind", "layer", "score", "parts", "near", "warnings", "seen"} <= first.keys()
    listed = call("review", "--home", str(skillix))
    assert len(listed.out.splitlines()) == 3
    assert "2 facts were not proposed" in listed.err
    page = call("review", "show", first["id"][:8], "--home", str(skillix))
    assert f"+- {first['text']}" in page.out
    assert "3f1c" in page.out
    shown = call("review", "show", first["id"], "--home", str(skillix), "--json").json["candidates"][0]
    assert shown["diff"].startswith("--- a/MEMORY.md\n+++ b/MEMORY.md\n@@ ")
    assert shown["obstacle"] is None
    assert read_files(skillix) == before


def test_why_and_why_not(call: Caller, skillix: Path) -> None:
    first = waiting(call, skillix)[0]
    told = call("review", "explain", first["id"], "--home", str(skillix), "--json").json["candidates"][0]
    assert {part["name"] for part in told["parts"]} >= {"confidence"}
    refused = call("review", "explain", "--refused", "--home", str(skillix), "--json").json["refused"]
    assert {one["reason"] for one in refused} == {"confidence .50 < .85", "0.0 days old < 1"}
    assert all(one["path"] and one["line"] for one in refused)
    people = call("review", "explain", "--refused", "--home", str(skillix))
    assert (people.status, len(people.out.splitlines())) == (0, 2)


def test_approving_writes_just_what_was_shown_and_undo_takes_it_back(call: Caller, skillix: Path) -> None:
    before = read_files(skillix)
    first = waiting(call, skillix)[0]
    diff = call("review", "show", first["id"], "--home", str(skillix), "--json").json["candidates"][0]["diff"]
    dry = call("review", "approve", first["id"], "--dry-run", "--home", str(skillix), "--json")
    assert (dry.status, dry.json["count"], dry.json["candidates"][0]["diff"]) == (0, 1, diff)
    assert read_files(skillix) == before
    done = call("review", "approve", first["id"], "--home", str(skillix), "--json")
    assert (done.status, done.json["failed"], done.json["decided"]) == (0, [], [first["id"]])
    assert done.json["receipts"][0]["paths"] == [str(skillix / "MEMORY.md")]
    added = [line[1:] for line in diff.splitlines() if line.startswith("+") and not line.startswith("+++")]
    assert set(added) <= set((skillix / "MEMORY.md").read_text("utf-8").splitlines())
    assert first["id"] not in {one["id"] for one in waiting(call, skillix)}
    assert call("undo", "--home", str(skillix)).status == 0
    assert read_files(skillix) == before
    assert first["id"] in {one["id"] for one in waiting(call, skillix)}


def test_a_bulk_is_one_decision(call: Caller, skillix: Path) -> None:
    before = read_files(skillix)
    dry = call("review", "approve", "--all", "--dry-run", "--home", str(skillix))
    assert "3 candidates would be approved. Nothing was written." in dry.err
    assert read_files(skillix) == before
    done = call("review", "approve", "--safe", "--home", str(skillix))
    assert done.status == 0
    assert "3 candidates were approved." in done.err
    assert done.out == f"{skillix}/MEMORY.md\n"
    assert call("review", "--home", str(skillix)).status == 1
    command = done.err.split("undo: memtui ")[1].splitlines()[0]
    assert call(*command.split(), "--home", str(skillix)).status == 0
    assert read_files(skillix) == before
    assert len(waiting(call, skillix)) == 3


def test_changed_before_it_is_approved(call: Caller, skillix: Path) -> None:
    first = next(one for one in waiting(call, skillix) if "pnpm" in one["text"])
    done = call(
        "review", "approve", first["id"], "--text", "偏好 pnpm 9", "--section", "重要决策", "--home", str(skillix)
    )
    assert done.status == 0
    text = (skillix / "MEMORY.md").read_text("utf-8")
    assert text.index("## 重要决策") < text.index("- 偏好 pnpm 9")
    assert "不用 npm" not in text
    two = [one["id"] for one in waiting(call, skillix)]
    assert call("review", "approve", *two, "--text", "x", "--home", str(skillix)).status == 2


def test_into_another_home(call: Caller, skillix: Path, home: Path) -> None:
    first = waiting(call, skillix)[0]
    before = read_files(skillix)
    done = call("review", "approve", first["id"], "--to-home", str(home), "--home", str(skillix), "--json")
    assert (done.status, done.json["failed"]) == (0, [])
    assert read_files(skillix) == before
    assert first["text"] in (home / "MEMORY.md").read_text("utf-8")
    other = waiting(call, skillix)[0]
    assert call("review", "approve", other["id"], "--to-home", "nowhere", "--home", str(skillix)).status == 2


def test_rejected_is_never_proposed_again_until_reconsidered(call: Caller, skillix: Path) -> None:
    first = waiting(call, skillix)[0]
    before = read_files(skillix)
    assert call("review", "reject", first["id"], "--reason", "已过时", "--home", str(skillix)).status == 0
    assert read_files(skillix) == before
    assert first["id"] not in {one["id"] for one in waiting(call, skillix)}
    (rejected,) = waiting(call, skillix, "--rejected")
    assert (rejected["id"], rejected["reason"]) == (first["id"], "已过时")
    for verb in ("show", "explain"):
        told = call("review", verb, first["id"], "--home", str(skillix))
        assert told.status == 0 and "已过时" in told.out and "was rejected" in told.err
    assert call("review", "reconsider", first["id"], "--home", str(skillix)).status == 0
    assert first["id"] in {one["id"] for one in waiting(call, skillix)}
    assert call("review", "reject", "--all", "--dry-run", "--home", str(skillix)).status == 0
    assert len(waiting(call, skillix)) == 3
    assert call("review", "reject", "--all", "--home", str(skillix)).status == 0
    assert call("undo", "--home", str(skillix)).status == 0
    assert len(waiting(call, skillix)) == 3


def test_what_an_agent_proposes_waits(call: Caller, home: Path) -> None:
    before = read_files(home)
    done = call(
        "review", "propose", "Always run the linter first", "--kind", "rule", "--who", "codex", "--home", str(home),
        "--json",
    )  # fmt: skip
    assert done.status == 0
    one = done.json["candidate"]
    assert (one["origin"], one["who"], one["kind"]) == ("proposed", "agent:codex", "rule")
    assert read_files(home) == before
    assert one["id"] in {other["id"] for other in waiting(call, home, "--origin", "proposed")}
    secret = call("review", "propose", f"the key is {SECRET}", "--home", str(home), "--json")
    assert SECRET not in secret.out + secret.err
    assert call("review", "approve", one["id"], "--home", str(home)).status == 0
    assert "Always run the linter first" in (home / "MEMORY.md").read_text("utf-8")
    assert call("review", "propose", "--home", str(home)).status == 2


@pytest.mark.parametrize(
    "argv",
    [
        ["approve"], ["reject"], ["show"], ["reconsider"], ["explain"], ["list", "x"], ["approve", "zzzz"],
        ["approve", "x", "--all"], ["reject", "x", "--text", "y"], ["approve", "x", "--reason", "y"],
        ["decide"], ["list", "--origin", "nowhere"],
    ],
    ids=" ".join,
)  # fmt: skip
def test_wrong_use_changes_nothing(call: Caller, skillix: Path, argv: list[str]) -> None:
    before = read_files(skillix)
    assert call("review", *argv, "--home", str(skillix)).status == 2
    assert read_files(skillix) == before


def test_nothing_waits(call: Caller, alone: Path) -> None:
    shutil.copytree(HOMES / "codex", alone / "codex")
    for argv in ([], ["approve", "--safe"], ["explain", "--refused"]):
        done = call("review", *argv, "--home", "codex", *(["--origin", "proposed"] if not argv else []))
        assert done.status in {0, 1}


def test_distill_shows_before_it_writes(call: Caller, skillix: Path) -> None:
    before = read_files(skillix)
    shown = call("distill", "--home", str(skillix))
    assert shown.status == 0
    assert "+- 用户偏好 pnpm，不用 npm" in shown.out
    assert "confidence .50 < .85" in shown.out
    assert "3 facts would be proposed, 2 would not. Nothing was written" in shown.err
    answer = call("distill", "--dry-run", "--home", str(skillix), "--json").json
    assert (answer["status"], len(answer["candidates"]), len(answer["refused"])) == ("dry_run", 3, 2)
    assert read_files(skillix) == before
    done = call("distill", "--apply", "--max", "2", "--home", str(skillix), "--json")
    assert (done.status, done.json["status"], len(done.json["receipts"])) == (0, "applied", 2)
    assert {receipt["who"] for receipt in done.json["receipts"]} == {"distillation"}
    text = (skillix / "MEMORY.md").read_text("utf-8")
    assert text.index("## 用户偏好") < text.index("- 用户偏好 pnpm，不用 npm") < text.index("## 项目背景")
    assert call("distill", "--apply", "--home", str(skillix)).status == 0
    after = read_files(skillix)
    again = call("distill", "--apply", "--home", str(skillix), "--json")
    assert (again.status, again.json["receipts"]) == (1, [])
    assert read_files(skillix) == after, "idempotent"
    while call("undo", "--home", str(skillix)).status == 0:
        pass
    assert read_files(skillix) == before


def test_distill_switched_off_and_on_its_own(call: Caller, skillix: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = read_files(skillix)
    monkeypatch.setenv("MEMTUI_DISTILL_ENABLED", "false")
    off = call("distill", "--apply", "--home", str(skillix), "--json")
    assert (off.status, off.json["status"]) == (0, "disabled")
    assert "distill.enabled" in off.err
    assert read_files(skillix) == before
    monkeypatch.setenv("MEMTUI_DISTILL_ENABLED", "true")
    monkeypatch.setenv("MEMTUI_DISTILL_MODE", "auto")
    assert call("distill", "--dry-run", "--home", str(skillix)).status == 0
    assert read_files(skillix) == before
    assert call("distill", "--home", str(skillix), "--json").json["status"] == "applied"
    assert read_files(skillix) != before
    assert call("distill", "--apply", "--dry-run").status == 2


def test_distill_says_what_the_disk_would_not_take(
    call: Caller, skillix: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from memtui import Vault
    from memtui.core.errors import FullError

    def full(_vault: Vault, *_changes: object, **_more: object) -> None:
        raise FullError("no room")

    monkeypatch.setattr(Vault, "apply", full)
    done = call("distill", "--apply", "--home", str(skillix))
    assert done.status == 4 and "no room" in done.err


def test_what_was_rejected_is_not_said_to_wait(call: Caller, home: Path) -> None:
    named = call("review", "propose", "Squash every commit").out.strip()
    assert call("review", "reject", named, "--reason", "we do not").status == 0
    again = call("review", "propose", "Squash every commit", "--json")
    assert again.status == 3 and again.json["waiting"] is False and "we do not" in again.err


def test_decided_in_several_processes_at_once_it_is_written_once(call: Caller, skillix: Path) -> None:
    texts = {one["text"] for one in waiting(call, skillix)}
    argv = [
        sys.executable, "-m", "memtui", "review", "approve", "--origin", "distilled", "--all", "--home",
        str(skillix),
    ]  # fmt: skip
    children = [subprocess.Popen(argv, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) for _ in range(4)]
    assert {child.wait() for child in children} <= {0, 1, 3}
    lines = (skillix / "MEMORY.md").read_text("utf-8")
    assert {text: lines.count(text) for text in texts} == dict.fromkeys(texts, 1)


def test_in_an_agents_shell_the_agent_approves(call: Caller, skillix: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from memtui.fs.places import state
    from memtui.store.passage import LEDGER

    first, *rest = waiting(call, skillix)
    monkeypatch.setenv("CLAUDECODE", "1")
    assert call("review", "approve", first["id"], "--home", str(skillix)).status == 0
    decided = [json.loads(line) for line in (state() / "review/decisions.jsonl").read_text("utf-8").splitlines()]
    assert [one["who"] for one in decided] == ["agent:claude-code"]
    assert not (state() / LEDGER).exists()
    monkeypatch.delenv("CLAUDECODE")
    assert call("review", "approve", *(one["id"] for one in rest), "--home", str(skillix)).status == 0
    assert len((state() / LEDGER).read_text("utf-8").splitlines()) == len(rest)


def test_in_an_agents_shell_the_agent_rejects_and_reconsiders(
    call: Caller, skillix: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from memtui.fs.places import state
    from memtui.store.candidates import REJECTED

    first, *_rest = waiting(call, skillix)
    monkeypatch.setenv("CLAUDECODE", "1")
    for verb in ("reject", "reconsider"):
        assert call("review", verb, first["id"], "--home", str(skillix)).status == 0
    decided = [json.loads(line) for line in (state() / REJECTED).read_text("utf-8").splitlines()]
    assert {one["who"] for one in decided} == {"agent:claude-code"}
