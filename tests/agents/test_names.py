"""What an agent calls a file, a session or a project can name nothing else (T33)."""

from __future__ import annotations

from pathlib import Path

import pytest

from memtui.agents import caller
from memtui.core.errors import OutsideError, RefusedError, UsageError
from memtui.core.model import Home

EVERYWHERE = [
    "..", "../x", "a/../../x", "/etc/passwd", "a\0b", "a\\b", "..\\x", "%2e%2e/x", "%2E%2e%2fx", "~", "~/x",
    "~root/x", "a.", "a ", "x" * 300, "CON", "con.md", "LPT1", ".", "", "a\nb", "a\x1bb",
]  # fmt: skip


@pytest.mark.parametrize("value", EVERYWHERE)
def test_no_path_leads_out(value: str) -> None:
    with pytest.raises(OutsideError):
        caller.check_relative_path(value)


@pytest.mark.parametrize("value", [*EVERYWHERE, "a/b", "é", "a b", "a:b", "...", "nul"])
def test_no_id_is_a_path(value: str) -> None:
    with pytest.raises(RefusedError):
        caller.check_identifier(value, "'session'")


@pytest.mark.parametrize(
    "value", ["MEMORY.md", "daily/2026-02-24.md", "areas/projects/商店/rules.md", ".x/a b.md"]
)
def test_paths_of_memories(value: str) -> None:
    assert caller.check_relative_path(value) == value


@pytest.mark.parametrize(
    "value", ["01998f2e-7c1b", "run-20260224-153000-abc123", "github.com_owner_repo", "a.b"]
)
def test_ids(value: str) -> None:
    assert caller.check_identifier(value, "'session'") == value


def test_a_directory_is_absolute_and_there(tmp_path: Path) -> None:
    inner = tmp_path / "a"
    inner.mkdir()
    assert caller.check_directory(str(inner)) == str(inner.resolve())
    for value in ("a", f"{inner}/../a", str(tmp_path / "none"), f"{inner}\0", "~", str(inner / "%2e%2e")):
        with pytest.raises(RefusedError):
            caller.check_directory(value)


def test_who_says_which_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    places = {name: tmp_path / name for name in ("said", "started", "env", "claude", "root", "here")}
    for place in places.values():
        place.mkdir()
    monkeypatch.chdir(places["here"])
    env = {"MEMTUI_PROJECT": str(places["env"]), "CLAUDE_PROJECT_DIR": str(places["claude"])}
    roots = [str(tmp_path / "gone"), str(places["root"])]
    started = str(places["started"])
    expected = [
        (caller.place_call(str(places["said"]), started=started, env=env, roots=roots), "said", "parameter"),
        (
            caller.place_call(cwd=str(places["said"]), started=started, env=env, roots=roots),
            "said",
            "parameter",
        ),
        (caller.place_call(started=started, env=env, roots=roots), "started", "--project"),
        (caller.place_call(env=env, roots=roots), "env", "environment"),
        (
            caller.place_call(env={"CLAUDE_PROJECT_DIR": str(places["claude"])}, roots=roots),
            "claude",
            "environment",
        ),
        (caller.place_call(env={"MEMTUI_PROJECT": "/nowhere"}, roots=roots), "root", "roots"),
        (caller.place_call(env={}), "here", "cwd"),
    ]
    for found, name, told in expected:
        assert (found.cwd.name, found.told) == (name, told)
    keyed = caller.place_call("shop", env={})
    assert (keyed.key, keyed.told) == ("shop", "parameter")
    with pytest.raises(RefusedError):
        caller.place_call("../shop", env={})


def test_a_project_by_its_name(tmp_path: Path) -> None:
    homes = [
        Home(tmp_path / "a", "memtui", "", "~/.memtui"),
        Home(tmp_path / "b", "xinghebot", "", "github.com_o_shop", "github.com_o_shop"),
        Home(tmp_path / "c", "claude", "", "blog", "/home/ann/blog", current=True),
    ]
    found = caller.sort_by_project(homes, "github.com_o_shop")
    assert [(home.label, home.current) for home in found] == [
        ("github.com_o_shop", True), ("~/.memtui", False), ("blog", False),
    ]  # fmt: skip
    assert caller.sort_by_project(homes, "BLOG")[0].label == "blog"
    with pytest.raises(UsageError, match=r"github\.com_o_shop"):
        caller.sort_by_project(homes, "github.com_o_shp")
