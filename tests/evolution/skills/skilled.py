"""A user with an agent's directory, and a home whose sessions say what comes back and what helped."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from memtui.core.config import Config
from memtui.core.model import Home
from memtui.store.vault import Vault

NPM = "npm install fails with ERESOLVE: react-dom 18 conflicts with the peer dependency of react"
DOCKER = "The docker daemon was not running, so the integration tests failed"
FIX_NPM = "When ERESOLVE names react-dom, pin react to 18.2 instead of forcing the install"
FIX_DOCKER = "The docker daemon has to run before the integration tests: colima start fixed it"


class Scene(NamedTuple):
    """A user and one home of theirs."""

    user: Path
    home: Path

    def open(self, config: Config | None = None) -> tuple[Vault, Home]:
        """The vault over the home, and the home."""
        vault = Vault.open([self.home], config=config)
        return vault, vault.homes[0]

    def files(self) -> dict[str, bytes]:
        """Everything of the user's that is memtui's neither by index nor by journal: files and directories."""
        found: dict[str, bytes] = {}
        for place, folders, names in os.walk(self.user):
            folders[:] = [name for name in folders if not (place == str(self.user) and name in _OURS)]
            for name in folders:
                found[os.path.join(place, name) + "/"] = b""
            for name in names:
                found[os.path.join(place, name)] = (Path(place) / name).read_bytes()
        return found


_OURS = {".cache", ".state", ".config", ".data"}


def scene(
    kind: str = "code-memory",
    *,
    points: Iterable[str] = (NPM, DOCKER),
    decisions: Iterable[str] = (FIX_NPM, FIX_DOCKER),
    sessions: int = 6,
    log: bool = True,
) -> Scene:
    """A home of that layout under this test's own user, with so many sessions that went well."""
    user = Path(os.environ["HOME"])
    home = {"code-memory": user / ".claude/memory", "memtui": user / ".memtui"}[kind]
    for name in ("sessions", "evolution", "daily"):
        (home / name).mkdir(parents=True)
    (home / "MEMORY.md").write_text("# Memory\n")
    if kind == "memtui":
        (home / "user").mkdir()
    for number in range(sessions):
        session(home, f"s{number}", f"2026-11-{10 + number:02d}", points, decisions)
    outcomes = [
        {
            "timestamp": f"2026-11-{10 + number:02d}T15:00:00",
            "event_type": "outcome",
            "session_id": f"s{number}",
            "outcome": "success",
            "corrections": 0,
        }
        for number in range(sessions)
    ]
    if log:
        (home / "evolution/audit.jsonl").write_text("".join(f"{json.dumps(one)}\n" for one in outcomes))
    return Scene(user, home)


def session(home: Path, name: str, day: str, points: Iterable[str], decisions: Iterable[str]) -> None:
    """One summary, as spec 002 has it."""
    lines = [
        f"# 会话摘要: {name}", "", "- **项目**: shop", f"- **时间**: {day} 14:30 (最后更新)", "- **工作目录**: /w/shop",
        "", "---", "", "## 主题", "Continuous integration", "", "## 关键知识点", *(f"- {one}" for one in points), "",
        "## 决策记录", *(f"- {one}" for one in decisions), "",
    ]  # fmt: skip
    (home / f"sessions/{name}.md").write_text("\n".join(lines))
