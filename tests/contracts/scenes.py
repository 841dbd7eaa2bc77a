"""The scenes that only read; `writing.py` and `agents.py` have the others."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from tests.contracts.agents import play_hooks, play_tools
from tests.contracts.stage import DEMO_NOW, PLACE, Stage
from tests.contracts.writing import HOMES, first, play_flows, play_layouts, play_learning, play_writes

_DEMO = ("mei", "claude/projects/-home-mei-code-shop", "codex", "openclaw/workspace")


def play_help(stage: Stage) -> None:
    """Every command's help, and the version."""
    stage.begin()
    stage.run("--version")
    lines = stage.run("--help")
    names = [match[1] for line in lines if (match := re.match(r"  ([a-z]+) {2,}\S", line))]
    for name in names:
        stage.run(name, "--help")


def play_config(stage: Stage) -> None:
    """Keys, types, defaults; set, get, and what is refused."""
    stage.begin()
    stage.run("config", "list", "--json")
    stage.run("config", "path")
    stage.run("config", "set", "search.max_results", "7")
    stage.run("config", "set", "homes.exclude", "codex,~/notes", "--json")
    stage.run("config", "set", "keymap.item.edit", "e,f4")
    stage.run("config", "get", "search.max_results")
    stage.run("config", "get", "homes.exclude", "--json")
    stage.run("config", "get", "search.max_results", env={"MEMTUI_SEARCH_MAX_RESULTS": "3"})
    stage.run("config", "set", "search.mode", "psychic", "--json")
    stage.run("config", "set", "search.max_result", "3")
    stage.run("config", "get", "nothing.such", "--json")
    stage.look()
    stage.write("user/.config/memtui/config.toml", "[search]\nmode = 3\nnews = true\n[broken\n")
    stage.run("config", "get", "search.mode")
    stage.run("search", "x")


def play_homes(stage: Stage) -> None:
    """Which homes are found around a user and a project, and what each layout holds."""
    for name in dict.fromkeys(name.partition("/")[0] for name in HOMES):
        stage.bring(name, f"homes/{name}")
    for name, to in (
        ("claude", "user/.claude"),
        ("codex", "user/.codex"),
        ("memtui", "user/.memtui"),
        ("openclaw", "user/.openclaw/workspace"),
        ("helloagents/user", "user"),
        ("helloagents/project", "work"),
        ("skillix", "work"),
    ):
        stage.bring(name, to)
    stage.begin()
    stage.run("homes", "--json")
    stage.run("homes")
    stage.run("status")
    every = [word for name in HOMES for word in ("--home", str(stage.root / "homes" / name))]
    stage.run("homes", *every, "--json")
    stage.run("status", *every, "--json")
    for verb in ("profile", "facts", "sessions", "evolution"):
        stage.run(verb, "list", "--status", "all", "-n", "500", *every, "--json", keep=_rows)
    stage.run("search", "test 测试 支付 deploy", "-n", "12", *every, "--json", keep=_hits)
    for name in HOMES:
        stage.run("context", "--home", stage.root / "homes" / name, "--json", keep=_given)
    stage.run("facts", "list", "--home", stage.root / "homes" / "memtui", "-n", "2", "--json")
    stage.run("search", "rg", "--home", stage.root / "homes" / "memtui", "--json")
    stage.run("facts", "list", "--home", stage.root / "homes" / "code_memory")


def play_search(stage: Stage) -> None:
    """Queries in two languages, modes, filters, explanations; lines of files; wrong use."""
    homes = _open_demo(stage)
    mei = homes[:2]
    for query in (
        "payment callback",
        "支付回调",
        "redis 连接数",
        "支付 callback",
        '"release branch"',
        "deploys -codex",
        "kind:decision 支付",
        "layer:journal since:2026-11-01 redis",
        "库存",
        "why Postgres",
        "幂",
    ):
        stage.run("search", query, "-n", "5", *homes, "--json", keep=_hits)
        stage.run("search", query, "-n", "5", *homes, "--mode", "scan", "--json", keep=_hits)
    for extra in (
        ("--layer", "core"),
        ("--kind", "decision"),
        ("--status", "all"),
        ("--since", "2026-11-10"),
        ("--until", "2026-10-01"),
        ("--path", "areas/*"),
        ("--min-score", "0.5"),
        ("--fusion", "rrf"),
    ):
        stage.run("search", "支付 payment", "-n", "3", *extra, *mei, "--json", keep=_hits)
    stage.run("search", "payment sweeper", "-n", "3", "--explain", *mei, "--json")
    stage.run("search", "payment sweeper", "-n", "3", "--explain", *mei)
    stage.run("search", "支付", "-n", "3", *mei)
    stage.run("search", "--mode", "hybrid", "redis", "-n", "1", *mei, "--json")
    stage.run("search", "zzzznothing", *mei, "--json")
    stage.run("search", "zzzznothing", *mei)
    stage.run("search", *mei, "--json")
    stage.run("search", "x", "--mode", "psychic", *mei, "--json")
    stage.run("search", "x", "-n", "0", *mei)
    stage.run("search", "x", "--since", "someday", *mei, "--json")
    stage.run("search", "x", "--home", stage.root / "nowhere", "--json")
    stage.run("get", "MEMORY.md", "--lines", "5", *mei, "--json")
    stage.run("get", "MEMORY.md:3", "--lines", "2", *mei)
    stage.run("get", "MEMORY.md", "--from", "9999", *mei, "--json")
    stage.run("get", "nothing.md", *mei, "--json")
    stage.run("get", "../../etc/passwd", *mei, "--json")
    stage.run("route", "支付", *mei, "--json")
    stage.run("traces", "ferry", "--days", "0", "-n", "3", *homes, "--json")
    stage.run("traces", "ferry", "--days", "3", "--role", "user", "-n", "2", *homes)
    stage.run("serach", "x")
    stage.run("search", "x", "--jsno")


def play_views(stage: Stage) -> None:
    """What the views of the app show too: lists, Review, evolution, contexts, upkeep as dry runs."""
    homes = _open_demo(stage)
    mei = homes[:2]
    for verb in ("profile", "facts", "sessions", "evolution"):
        stage.run(verb, "list", "-n", "12", *mei, "--json", keep=_rows)
        stage.run(verb, "list", "-n", "6", *mei)
    shown = stage.run("facts", "list", "-n", "1", *mei, "--json", keep=_rows)["memories"][0]["id"]
    stage.run("facts", "show", shown, *mei, "--json")
    stage.run("facts", "show", shown, *mei)
    session = stage.run("sessions", "list", "--path", "sessions/*", "-n", "1", *mei, "--json", keep=_rows)
    stage.run("sessions", "show", session["memories"][0]["id"], *mei, "--json")
    stage.run("sessions", "current", "--json")
    waiting = stage.run("review", "list", *mei, "--json", keep=_waiting)["candidates"]
    stage.run("review", "list", *mei)
    first = {one["origin"]: one["id"] for one in reversed(waiting)}
    for candidate in first.values():
        stage.run("review", "explain", candidate, *mei, "--json", keep=_four)
    stage.run("review", "show", *first.values(), *mei, keep=_cut)
    stage.run("review", "approve", *first.values(), "--dry-run", *mei, "--json", keep=_cut)
    stage.run("review", "--refused", *mei, "--json", keep=lambda out: out["refused"][:12])
    stage.run("review", "explain", *mei)
    stage.run("review", "show", "0000", *mei, "--json")
    for verb in ("signals", "effects", "gates", "report", "skills"):
        stage.run("evolution", verb, *mei, "--json", keep=lambda out: _cut(_four(out)))
    stage.run("evolution", "signals", *mei)
    for source in ("startup", "resume"):
        stage.run("context", "--source", source, *mei)
    stage.run("context", "--characters", "1500", "--items", *mei, "--json", keep=lambda out: _cut(_four(out)))
    stage.run("status", *homes, "--json")
    stage.run("distill", *mei, keep=lambda out: out[:60])
    stage.run("lifecycle", *mei, "--json", keep=_four)
    stage.run("lifecycle", "--soon", *mei, "--json")
    stage.run("consolidate", "--weekly", "--dry-run", *mei, "--json", keep=_four)
    stage.run("avoid", "list", *mei, "--json", keep=_four)
    stage.run("doctor", "--memories", *mei, "--json", keep=_checks)
    stage.run("history", *mei, "--json")
    stage.run("trash", *mei)
    stage.look("nothing was written")


def _open_demo(stage: Stage) -> list[str]:
    place = stage.demo()
    stage.begin()
    return [word for home in _DEMO for word in ("--home", str(place / home))]


def _rows(answer: Any) -> Any:
    """Memories as lines: where, what, when; the whole shape of one is noted elsewhere."""
    if not isinstance(answer, dict) or "memories" not in answer:
        return answer
    names = ("layer", "kind", "status", "created", "updated", "expires")
    lines = [
        f"{one['id']} {_home(one)}{one['path']}:{one['start_line']}-{one['end_line']} "
        + " ".join(str(one.get(name)) for name in names)
        + f" | {'/'.join(one['heading'])} | {one['title']} | {one['text'][:80]}"
        for one in answer["memories"]
    ]
    return {**answer, "memories": lines}


def _home(one: Any) -> str:
    """Which of several homes it is in."""
    _root, found, name = str(one["home"]).partition("/homes/homes/")
    return f"{name}: " if found else ""


def _hits(answer: Any) -> Any:
    """Hits as lines."""
    if not isinstance(answer, dict) or "results" not in answer:
        return answer
    lines = [
        f"{one['score']:.3f} {_home(one)}{one['path']}:{one['start_line']}-{one['end_line']} {one['layer']} "
        f"{one['kind']} {one['status']} {one['time']} others {one['others']} why {one['why']} | {one['snippet'][:70]}"
        for one in answer["results"]
    ]
    return {**answer, "results": lines}


def _given(answer: Any) -> Any:
    """A context without what explains it."""
    return {"text": answer["text"].splitlines()} if isinstance(answer, dict) and "text" in answer else answer


def _waiting(answer: Any) -> Any:
    """Candidates as lines; each origin's first is explained whole."""
    lines = [
        f"{one['id']} {one['origin']} {one['kind']} {one['score']} {one['text'][:80]} | {one['reason'][:120]} | "
        f"{one['warnings']} -> {(one['target'] or {}).get('path')} {(one['target'] or {}).get('section')}"
        for one in answer["candidates"]
    ]
    return {**answer, "candidates": lines}


def _four(answer: Any) -> Any:
    return first(answer, 4)


def _cut(answer: Any) -> Any:
    """Long texts, as differences are, only with their beginning."""
    if isinstance(answer, dict):
        return {key: _cut(one) for key, one in answer.items()}
    if isinstance(answer, list):
        return [_cut(one) for one in answer[:60]]
    return answer[:240] if isinstance(answer, str) else answer


def _checks(answer: Any) -> Any:
    """What is checked, and how it stands: the words name versions of this machine."""
    return sorted({f"{one['name']} {one['state']}" for one in answer["checks"]})


def play_vault(stage: Stage) -> None:
    """The door of Python: `from memtui import Vault`."""
    home = stage.bring("memtui", "home")
    stage.begin()
    stage.run(home, module="tests.contracts.door")


SCENES: dict[str, Callable[[Stage], None]] = {
    "views": play_views, "search": play_search, "homes": play_homes, "layouts": play_layouts,
    "learning": play_learning, "hooks": play_hooks, "writes": play_writes, "flows": play_flows,
    "help": play_help, "config": play_config, "tools": play_tools, "vault": play_vault,
}  # fmt: skip
"""The longest first, for whoever plays two at a time."""


def play(name: str) -> list[dict[str, Any]]:
    """Play a scene, and answer what was noted."""
    from filelock import FileLock

    PLACE.mkdir(exist_ok=True)
    with FileLock(f"{PLACE}/{name}.lock"):
        stage = Stage(name, DEMO_NOW) if name in {"search", "views", "learning", "flows"} else Stage(name)
        SCENES[name](stage)
        notes: list[dict[str, Any]] = json.loads(json.dumps(stage.notes))
        return notes
