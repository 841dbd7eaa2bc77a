"""What this version leaves on disk, for those to come: `python -m tests.contracts.archive` writes `old/VERSION.*`.

Run once before a release. `test_old.py` opens every archive in `old/` with the code as it then is.
"""

from __future__ import annotations

import json
import os
import tarfile
import time
from typing import Any

import memtui
from tests.contracts.agents import SESSION, read_payload, write_talk
from tests.contracts.stage import HERE, PLACE, Stage

FOLDER = HERE / "old"


def main() -> None:
    """Make a home, let memtui write all that it writes, and keep the whole user with it."""
    stage = Stage(f"old-{memtui.__version__}")
    home = stage.bring("memtui", "home")
    stage.bring("claude", "user/.claude")
    stage.cwd = stage.root / "work" / "demo"
    stage.write("work/demo/a.py", "x = 1\n")
    settings = stage.root / "user" / ".claude" / "settings.json"
    write_talk(stage)
    stage.begin()
    before = settings.read_text("utf-8")
    here = ("--home", str(home), "--json")
    for key, value in (("search.max_results", "7"), ("homes.paths", str(home)), ("keymap.item.edit", "e,f4")):
        stage.run("config", "set", key, value)
    stage.run("append", "Deploys run from main", "--kind", "decision", "--tag", "arch", *here)
    added = stage.run("facts", "add", "Orders go through the outbox", "--kind", "rule", *here)
    edited = stage.run("facts", "edit", _id(stage, here, "Prefer rg"), "Prefer rg over grep, always", *here)
    deleted = stage.run("facts", "delete", _id(stage, here, "outbox"), "-y", *here)
    for text, kind in (
        ("Tests use pytest", "rule"),
        ("Prefers short answers", "pref"),
        ("Redis caches", "fact"),
    ):
        stage.run("review", "propose", text, "--kind", kind, "--who", "codex", *here)
    waiting = {one["text"]: one["id"] for one in stage.run("review", *here)["candidates"]}
    stage.run("review", "approve", waiting["Tests use pytest"], *here)
    stage.run("review", "reject", waiting["Prefers short answers"], "--reason", "not true", *here)
    stage.run("evolution", "signals", *here)
    stage.run("consolidate", *here)
    stage.run("traces", "支付", "--days", "0", "--home", stage.user / ".claude", "--json")
    stage.run("install", "claude-code", "--settings", "-y", "--json")
    stage.run("context", "--off", "--project")
    stage.run(
        "hook",
        "SessionEnd",
        "--agent",
        "claude-code",
        stdin=read_payload("claude-code", "SessionEnd", stage.cwd),
    )
    stage.look()
    stage.run("index", *here)
    stage.run("review", *here)
    known: dict[str, Any] = {
        "memories": stage.run("status", *here)["homes"][0]["memories"],
        "added": added["receipts"][0]["id"],
        "edited": edited["receipts"][0]["id"],
        "deleted": deleted["receipts"][0]["id"],
        "rejected": waiting["Prefers short answers"],
        "waiting": waiting["Redis caches"],
        "settings": before,
        "session": SESSION,
    }
    (FOLDER / f"{memtui.__version__}.json").write_text(json.dumps(known, indent=1) + "\n", encoding="utf-8")
    with tarfile.open(FOLDER / f"{memtui.__version__}.tar.xz", "w:xz") as tar:
        tar.add(stage.root, arcname=".", filter=_nobody)


def open_old(version: str) -> Stage:
    """Unpack what that version left where it was made, as if it had been made a moment ago."""
    stage = Stage(f"old-{version}")
    with tarfile.open(FOLDER / f"{version}.tar.xz") as tar:
        tar.extractall(stage.root, filter="data")
    stage.cwd = stage.root / "work" / "demo"
    stage.now = stage.now.replace(hour=20)
    state = stage.user / ".state" / "memtui"
    # By the real clock memtui forgets what is a month old.
    for day in (state / "journal").glob("20*.jsonl"):
        day.rename(day.with_name(time.strftime("%Y-%m-%d", time.gmtime()) + ".jsonl"))
    for folder, _folders, names in os.walk(state):
        for name in names:
            os.utime(os.path.join(folder, name))
    return stage


def _id(stage: Stage, here: tuple[str, ...], words: str) -> str:
    listed = stage.run("facts", "list", "-n", "500", *here)["memories"]
    return str(next(one["id"] for one in listed if words in one["text"]))


def _nobody(info: tarfile.TarInfo) -> tarfile.TarInfo | None:
    info.uid = info.gid = 0
    info.uname = info.gname = ""
    return None if info.name.endswith(".lock") else info


if __name__ == "__main__":
    PLACE.mkdir(exist_ok=True)
    main()
