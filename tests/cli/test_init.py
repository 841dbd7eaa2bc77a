"""`memtui init` makes what is missing; `memtui migrate` copies and accounts for every memory."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from memtui.core.model import Filter
from memtui.store.vault import Vault
from tests.cli.conftest import Caller
from tests.homes import read_files

HOMES = Path(__file__).parent.parent / "homes"
SECRET = "ghp_" + "a1B2c3D4e5F6" * 3


def test_a_new_home_of_ones_own(call: Caller, alone: Path) -> None:
    planned = call("init", "--dry-run", "--json").json
    assert not (alone / ".memtui").exists()
    done = call("init", "--json").json
    assert done["made"] == planned["made"]
    assert planned["dry_run"] is True
    assert (done["home"], done["layout"], done["dry_run"]) == (str(alone / ".memtui"), "memtui", False)
    assert {"MEMORY.md", "scratchpad.md", "areas/projects/", "daily/"} <= set(done["made"])
    assert not (alone / ".memtui/user/profile.md").exists()
    assert (alone / ".memtui/MEMORY.md").stat().st_mode & 0o777 == 0o600
    assert call("homes", "--json").json[0]["layout"] == "memtui"
    again = call("init", "--json")
    assert (again.status, again.json["made"]) == (1, [])
    assert call("init", "--profile", "--json").json["made"] == ["user/profile.md"]
    assert call("undo").status == 0
    assert call("undo").status == 0
    assert read_files(alone / ".memtui") == {}


def test_it_speaks_the_persons_language(call: Caller, alone: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LC_ALL", raising=False)
    monkeypatch.setenv("LANG", "zh_CN.UTF-8")
    assert call("init", "notes", "--profile").status == 0
    assert "## 用户偏好" in (alone / "notes/MEMORY.md").read_text("utf-8")
    assert "## 沟通风格" in (alone / "notes/user/profile.md").read_text("utf-8")
    assert call("homes", "--home", "notes", "--json").json[0]["layout"] == "memtui"


def test_the_persons_own_files_begin_as_spec_000_has_them(
    call: Caller, alone: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = alone / "proj"
    (project / ".git").mkdir(parents=True)
    (project / ".helloagents/modules").mkdir(parents=True)
    (project / ".helloagents/INDEX.md").write_text("# i\n", "utf-8")
    monkeypatch.chdir(project)
    own = alone / ".helloagents/user/profile.md"
    for argv in (("profile", "init"), ("init", "--layout", "helloagents")):
        assert call(*argv).status == 0
        assert own.read_text("utf-8") == "# 用户记忆\n\n## 偏好\n\n## 技术背景\n\n## 沟通风格\n"
        if argv[0] == "profile":
            assert call("undo").status == 0
    assert call("profile", "add", "偏好 ruff").status == 0
    assert call("profile", "add", "主力语言 Go", "--kind", "fact").status == 0
    text = own.read_text("utf-8")
    assert "## 偏好\n\n- 偏好 ruff\n" in text
    assert "## 技术背景\n\n- 主力语言 Go\n" in text
    assert not (project / ".helloagents/user").exists()
    assert not (alone / ".memtui").exists()


def test_nothing_that_is_there_is_touched(call: Caller, home: Path) -> None:
    before = read_files(home)
    assert "+# " in call("init", "--dry-run").out
    assert read_files(home) == before
    done = call("init")
    assert done.status == 0
    assert f"{home}/scratchpad.md" in done.out.splitlines()
    after = read_files(home)
    assert {name: after[name] for name in before} == before
    assert set(after) - set(before) == {"scratchpad.md"}


@pytest.mark.parametrize("layout", ["xinghebot", "code-memory", "skillix", "memtui"])
def test_every_layout_is_recognised_and_written_to(call: Caller, alone: Path, layout: str) -> None:
    place = {"skillix": "p/.cursor/skills/memory-data", "xinghebot": ".multi_agent/memory"}.get(layout, "m")
    assert call("init", place, "--layout", layout).status == 0
    assert call("homes", "--home", place, "--json").json[0]["layout"] == layout
    assert call("append", "x y z", "--home", place).status == 0
    assert call("undo", "--home", place).status == 0


@pytest.mark.parametrize(
    "argv", [["a", "--home", "b"], ["full"], ["x", "--layout", "codex"], [".memtui", "--layout", "skillix"]], ids=str
)
def test_wrong_use(call: Caller, home: Path, alone: Path, argv: list[str]) -> None:
    (alone / "full").mkdir()
    (alone / "full" / "thesis.tex").write_text("x", "utf-8")
    before = read_files(alone / "full") | read_files(home)
    assert call("init", *argv).status == 2
    assert read_files(alone / "full") | read_files(home) == before


@pytest.mark.parametrize(
    "name", ["code_memory", "skillix/.cursor/skills/memory-data", "openclaw", "xinghebot", "codex"]
)
def test_migrating_accounts_for_every_memory(call: Caller, alone: Path, name: str) -> None:
    shutil.copytree(HOMES / name, alone / "old")
    before = read_files(alone / "old")
    with Vault.open([alone / "old"]) as vault:
        every = {memory.id for memory in vault.memories(Filter(statuses=frozenset(), parts=True))}
    planned = call("migrate", "old", "--json")
    assert (planned.status, planned.json["status"]) == (0, "dry_run")
    assert not (alone / ".memtui").exists(), "a dry run makes nothing"
    assert sorted(every) == sorted(memory["id"] for memory in planned.json["memories"])
    assert planned.json["copied"] + sum(one["count"] for one in planned.json["left"]) == len(planned.json["memories"])
    assert all(memory["path"] or memory["reason"] for memory in planned.json["memories"])
    assert "Nothing was written" in call("migrate", "old").err
    done = call("migrate", "old", "--apply", "--json")
    assert (done.status, done.json["failed"]) == (0, [])
    assert done.json["copied"] == planned.json["copied"]
    kept = {path: etag for path, etag in read_files(alone / "old").items() if not path.startswith("index/memory")}
    assert kept == before
    texts = {path: (alone / ".memtui" / path).read_text("utf-8") for path in read_files(alone / ".memtui")}
    assert "".join(texts.values()).count("old/") >= 1 or done.json["copied"] == 0
    again = call("migrate", "old", "--json")
    assert (again.status, again.json["copied"]) == (1, 0), "what is there already is not written twice"
    assert call("undo").status == 0
    assert read_files(alone / ".memtui") == {}


def test_migrating_keeps_what_it_carries(call: Caller, alone: Path) -> None:
    shutil.copytree(HOMES / "skillix", alone / "shop")
    assert call("migrate", "shop", "new", "--apply").status == 0
    lines = (alone / "new/daily/2026-02-20.jsonl").read_text("utf-8").splitlines()
    (record,) = (one for one in map(json.loads, lines) if one["content"] == "支付回调会重复到达")
    assert (record["confidence"], record["entities"], record["source"]) == (
        0.9,
        ["支付", "webhook"],
        {"session": "3f1c"},
    )
    assert record["timestamp"].startswith("2026-02-20T09:10")


def test_migrating_masks_secrets(call: Caller, home: Path, alone: Path) -> None:
    (home / "MEMORY.md").write_text(f"# M\n\n## Notes\n\n- token {SECRET} for deploys\n", "utf-8")
    done = call("migrate", str(home), "--to", "skillix", "new", "--apply")
    assert done.status == 0
    copied = (alone / "new/MEMORY.md").read_text("utf-8")
    assert "for deploys" in copied
    assert SECRET not in copied + done.out + done.err
    assert SECRET in (home / "MEMORY.md").read_text("utf-8")


def test_migrating_where_it_cannot_be_meant(call: Caller, home: Path, alone: Path) -> None:
    shutil.copytree(HOMES / "codex", alone / "codex")
    for argv in (
        [str(home)],
        [str(home), "--to", "skillix"],
        [str(home), "codex"],
        [str(home), "--home", "codex"],
        ["nowhere"],
        [str(home), "new", "--to", "skillix", "--apply", "--dry-run"],
    ):
        assert call("migrate", *argv).status == 2, argv
    left = call("migrate", str(home), "new", "--to", "codex", "--json")
    assert left.json["copied"] + sum(one["count"] for one in left.json["left"]) == len(left.json["memories"])
    assert any("new takes no" in one["reason"] for one in left.json["left"])
    assert not (alone / "new").exists()


def _inside(alone: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository of the person's, as the directory that they work in."""
    project = alone / "shop"
    (project / ".git").mkdir(parents=True)
    monkeypatch.chdir(project)
    return project


def test_the_tools_own_places_need_no_path(call: Caller, alone: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project = _inside(alone, monkeypatch)
    (project / ".git" / "config").write_text('[remote "origin"]\n\turl = git@github.com:acme/shop.git\n')
    done = call("init", "--layout", "xinghebot", "--json").json
    workspace = alone / ".xinghebot" / "workspace" / "github.com_acme_shop" / "memory"
    assert (done["home"], done["layout"]) == (str(workspace), "xinghebot")
    headings = [line for line in (workspace / "MEMORY.md").read_text("utf-8").splitlines() if line[:3] == "## "]
    assert headings == ["## Preferences", "## Project Facts", "## Decisions", "## TODO"]
    done = call("init", "--layout", "helloagents", "--json").json
    assert done["home"] == str(alone / ".helloagents")
    assert "user/profile.md" in done["made"]
    assert not (project / ".helloagents").exists()
    base = call("init", ".helloagents", "--layout", "helloagents", "--json").json
    assert set(base["made"]) == {"modules/", "sessions/", "INDEX.md"}


def test_a_preference_never_goes_into_a_repository(call: Caller, alone: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project = _inside(alone, monkeypatch)
    sessions = project / ".helloagents" / "user" / "sessions"
    sessions.mkdir(parents=True)
    (sessions / "20260307_ab12cd34.md").write_text("# 会话摘要\n", "utf-8")
    (project / ".helloagents" / "context.md").write_text("# c\n", "utf-8")
    assert call("profile", "add", "偏好 ruff").status == 0
    assert "偏好 ruff" in (alone / ".helloagents" / "user" / "profile.md").read_text("utf-8")
    assert not (project / ".helloagents" / "user" / "profile.md").exists()


def test_the_workspace_is_made_on_first_use(call: Caller, alone: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project = _inside(alone, monkeypatch)
    (project / "config.json").write_text('{"memory": {"root_dir": "mem/ory"}}', "utf-8")
    assert call("append", "主库是 PostgreSQL").status == 0
    assert len(list((project / "mem" / "ory" / "daily").glob("*.md"))) == 1
    assert not (alone / ".memtui").exists()
    # A repository has nothing made outside of it.
    (project / "config.json").write_text('{"memory": {"root_dir": "../elsewhere"}}', "utf-8")
    assert call("append", "第二条").status == 0
    assert not (alone / "elsewhere").exists()
