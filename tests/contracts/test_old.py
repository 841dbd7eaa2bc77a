"""What earlier versions left on disk opens in this one: index, journal, trash, decisions, settings, jobs."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from filelock import FileLock

from tests.contracts.archive import FOLDER, open_old
from tests.contracts.stage import PLACE, Stage

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="paths of POSIX")

VERSIONS = sorted(path.name.removesuffix(".tar.xz") for path in FOLDER.glob("*.tar.xz"))


class Old:
    """A stage with a version's data, and what was known when it was made."""

    def __init__(self, version: str) -> None:
        self.stage: Stage = open_old(version)
        self.known: dict[str, Any] = json.loads((FOLDER / f"{version}.json").read_text("utf-8"))
        self.home = self.stage.root / "home"
        self.status = 0

    def __call__(self, *words: str) -> Any:
        answer = self.stage.run(*words)
        self.status = self.stage.notes[-1]["status"]
        return answer

    def here(self, *words: str) -> Any:
        return self(*words, "--home", str(self.home), "--json")


@pytest.fixture(params=VERSIONS)
def old(request: pytest.FixtureRequest) -> Iterator[Old]:
    PLACE.mkdir(exist_ok=True)
    with FileLock(f"{PLACE}/old.lock"):
        yield Old(request.param)


def test_there_is_old_data() -> None:
    assert "0.1.0" in VERSIONS


def test_the_index_is_used_or_made_anew(old: Old) -> None:
    (told,) = old.here("status")["homes"]
    assert (old.status, told["memories"], told["warning"]) == (0, old.known["memories"], None)
    found = old.here("search", "Deploys main")
    assert (old.status, found["results"][0]["kind"]) == (0, "decision")
    talks = str(old.stage.user / ".claude")
    assert old("traces", "支付", "--days", "0", "--home", talks, "--json")["results"]
    for verb in ("signals", "effects"):
        old.here("evolution", verb)
        assert old.status in {0, 1}
    old.here("index", "--rebuild")
    assert old.status == 0
    assert old.here("status")["homes"][0]["memories"] == old.known["memories"]


def test_the_index_of_a_home_that_grew(old: Old) -> None:
    with (old.home / "MEMORY.md").open("a", encoding="utf-8") as file:
        file.write("\n- Backups run at night\n")
    assert old.here("search", "Backups night")["results"][0]["path"] == "MEMORY.md"


def test_old_writes_are_taken_back(old: Old) -> None:
    rules = old.home / "areas" / "tools" / "rg" / "rules.md"
    assert "always" in rules.read_text("utf-8")
    verbs = [one["verb"] for one in old.here("history", "-n", "50")["writes"]]
    assert {"append", "add", "edit", "delete", "approve"} <= set(verbs)
    old.here("history", "show", old.known["edited"])
    assert old.status == 0
    old.here("undo", old.known["edited"])
    assert (old.status, "always" in rules.read_text("utf-8")) == (0, False)
    old.here("redo")
    assert (old.status, "always" in rules.read_text("utf-8")) == (0, True)
    old.here("append", "and new ones follow")
    assert old.status == 0
    assert {one["id"] for one in old.here("history", "-n", "50")["writes"]} >= {old.known["edited"]}


def test_the_trash_gives_back(old: Old) -> None:
    (gone,) = old.here("trash")["trash"]
    assert gone["id"] == old.known["deleted"]
    old.here("trash", "restore", gone["id"])
    assert old.status == 0
    assert "outbox" in (old.home / "areas" / "projects" / "general" / "rules.md").read_text("utf-8")


def test_decisions_hold(old: Old) -> None:
    waiting = {one["id"] for one in old.here("review")["candidates"]}
    assert old.known["waiting"] in waiting
    assert old.known["rejected"] not in waiting
    assert "Prefers short answers" in json.dumps(old.here("review", "--rejected"))
    old.here("review", "propose", "Prefers short answers", "--kind", "pref")
    assert old.status == 3
    old.here("review", "approve", old.known["waiting"])
    assert old.status == 0
    assert "Redis caches" in (old.home / "MEMORY.md").read_text("utf-8")


def test_settings_hold(old: Old) -> None:
    assert old("config", "get", "search.max_results") == 7
    settings = {one["key"]: one["value"] for one in old("config", "list", "--json")["settings"]}
    assert settings["homes.paths"] == [str(old.home)]
    assert "e,f4" in json.dumps(settings)
    old("homes")
    assert not old.stage.notes[-1].get("err")
    assert str(old.home) in json.dumps(old("homes", "--json"))
    old("context")
    assert old.status == 1, "it was switched off for this project"
    old("context", "--on", "--project")
    old("context")
    assert old.status == 0


def test_a_job_that_waits_is_done(old: Old) -> None:
    assert old("sessions", "retry", "--json") == {"done": 1, "failed": []}
    assert list(old.stage.root.glob(f"**/sessions/{old.known['session']}.md"))


def test_a_report_is_read(old: Old) -> None:
    assert old("consolidate", "--last")
    assert old.status == 0


def test_what_was_installed_goes_to_the_byte(old: Old) -> None:
    settings = old.stage.user / ".claude" / "settings.json"
    assert settings.read_text("utf-8") != old.known["settings"]
    old("uninstall", "claude-code", "-y")
    assert (old.status, settings.read_text("utf-8")) == (0, old.known["settings"])


def test_the_door_of_python(old: Old) -> None:
    shown = old.stage.run(old.home, module="tests.contracts.door")
    assert shown["memories"] == old.known["memories"]
