"""Homes and sessions for what is given at a start."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any, NamedTuple

from memtui.core.config import Config
from memtui.core.model import Home
from memtui.language.conversation import Session
from memtui.layouts.discovery import open_home_at
from memtui.sessions import start
from memtui.sessions.packing import SessionContext

NOW = 1_772_000_000.0
"""2026-02-25T06:13:20Z."""
DAY = 86400.0


class Homes(NamedTuple):
    """What `given` needs of a vault."""

    homes: tuple[Home, ...]


def session(cwd: Path | str = "/home/u/shop", id: str = "s-now", **more: Any) -> Session:
    return Session(id, "claude-code", str(cwd), "github.com_acme_shop", "shop", **more)


def given(*roots: Path | Home, who: Session | None = None, config: Config | None = None) -> SessionContext:
    homes = tuple(open_home_at(root) if isinstance(root, Path) else root for root in roots)
    return start.load_session_start(Homes(homes), who or session(), config or Config(), now=NOW)


def budget(characters: int = 8000, tokens: int = 2500, **more: Any) -> Config:
    config = Config()
    return config._replace(context=config.context._replace(characters=characters, tokens=tokens, **more))


def summary(id: str, project: str = "shop", told: str = "做了一件事", mode: str = "工作流") -> str:
    """As spec 000 has it."""
    named = f"**项目:** {project}\n" if project else ""
    return (
        f"# 会话摘要\n\n**Session ID:** {id}\n**时间:** 2026-02-20 10:00\n{named}**模式:** {mode}\n\n"
        f"## 做了什么\n- {told}\n\n## 关键决策\n- 无\n"
    )


def aged(path: Path, days: float) -> None:
    os.utime(path, (NOW - days * DAY, NOW - days * DAY))


def fact(name: str, days: float, confidence: float | None = 0.8, **more: Any) -> str:
    from memtui.core import clock

    stamp = clock.convert_to_local(NOW - days * DAY).isoformat()
    record: dict[str, Any] = {
        "id": f"log-{name}",
        "type": "fact",
        "memory_type": "W",
        "content": name,
        "timestamp": stamp,
    }
    if confidence is not None:
        record["confidence"] = confidence
    return json.dumps(record | more, ensure_ascii=False)


def paths(found: SessionContext) -> list[str]:
    return [item.path for item in found.items if item.path]
