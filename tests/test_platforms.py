"""What stands in for what a platform lacks, forced here: memtui on a machine without POSIX's own modules and calls.

A child process takes away what Windows does not have (modules, calls, flags, directory descriptors, fork), refuses to
rename or remove a file that is open, as it does, and then runs the real program. macOS: no inotify, no renameat2.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="it is Linux that is made to look like another")

WINDOWS = r"""
import sys, os, errno, types
# The interpreter's own library and others' keep the real `os` and `signal`: what is imported below gets another.
import asyncio, concurrent.futures, ctypes, logging, multiprocessing, select, shutil, signal, socket, subprocess
import tempfile, threading, uuid, filelock, platformdirs, textual.app, textual.drivers.linux_driver
import textual.widgets, watchdog.observers.polling

for name in ("fcntl", "pwd", "grp", "resource", "termios", "tty", "pty", "watchdog.observers.inotify"):
    sys.modules[name] = None
sys.platform = "win32"


def bare(module, *missing):
    copy = types.ModuleType(module.__name__)
    for name, value in vars(module).items():
        if name not in missing:
            setattr(copy, name, value)
    sys.modules[module.__name__] = copy
    return copy


def refuse_open(call, names):
    def called(*arguments, **more):
        numbers = [f"/proc/self/fd/{number}" for number in os.listdir("/proc/self/fd")]
        held = {os.readlink(number) for number in numbers if os.path.lexists(number)}
        for path in arguments[:names]:
            if os.path.abspath(os.fspath(path)) in held:
                error = PermissionError(errno.EACCES, "The process cannot access the file", os.fspath(path))
                error.winerror = 32
                raise error
        return call(*arguments, **more)
    return called


for name, names in (("unlink", 1), ("remove", 1), ("replace", 2), ("rename", 2)):
    setattr(os, name, refuse_open(getattr(os, name), names))
there = bare(
    os,
    *"O_NOFOLLOW O_DIRECTORY O_NONBLOCK O_CLOEXEC O_NOCTTY POSIX_SPAWN_OPEN SCHED_IDLE fork forkpty uname"
    " getuid geteuid getgid getegid getpgrp getpgid setsid killpg nice chown fchown lchown fchmod posix_fallocate"
    " posix_spawn mkfifo statvfs sched_setscheduler sched_getaffinity sched_param listxattr getxattr setxattr"
    " tcgetpgrp".split(),
)
there.supports_dir_fd, there.supports_fd = set(), set()
bare(signal, *"SIGKILL SIGTSTP SIGSTOP SIGHUP SIGUSR1 SIGALRM SIGWINCH SIGCONT setitimer pthread_sigmask".split())


def refuse_directory(call):
    def called(*arguments, **more):
        for key in ("dir_fd", "src_dir_fd", "dst_dir_fd"):
            if more.pop(key, None) is not None:
                raise NotImplementedError(key)
        return call(*arguments, **more)
    return called


for name in ("open", "stat", "mkdir", "link", "unlink", "remove", "replace", "rename"):
    setattr(there, name, refuse_directory(getattr(there, name)))
"""

MACOS = r"""
import sys, os, types
import asyncio, ctypes, multiprocessing, subprocess, tempfile, textual.app, watchdog.observers.polling
sys.modules["watchdog.observers.inotify"] = None
sys.platform = "darwin"
missing = "posix_fallocate SCHED_IDLE sched_setscheduler sched_getaffinity sched_param listxattr getxattr".split()
there = types.ModuleType("os")
for name, value in vars(os).items():
    if name not in missing:
        setattr(there, name, value)
sys.modules["os"] = there
ctypes.CDLL = lambda *_arguments, **_more: type("Library", (), {})()
"""

COMMAND = "\nfrom memtui.__main__ import main\nsys.exit(main())\n"

JOURNEY = r"""
import contextlib, io, json
from memtui.cli.run import run

def ask(*words):
    told = io.StringIO()
    with contextlib.redirect_stdout(told):
        status = run([*words, "--home", sys.argv[1], "--json"])
    assert status == 0, (words, status, told.getvalue())
    return told.getvalue()

assert "测试一律用 pytest" in ask("search", "测试")
ask("append", "Never deploy on Fridays", "--kind", "decision")
assert "Never deploy" in ask("search", "never deploy")
ask("facts", "supersede", json.loads(ask("search", "Fridays is fine"))["results"][0]["id"], "Deploy on Mondays")
"""

APP = r"""
import asyncio
from pathlib import Path
from memtui import Vault
from memtui.core.config import Config
from memtui.tui.app import MemtuiApp

async def walk(home):
    app = MemtuiApp(Vault.open([home]), Config())
    async with app.run_test(size=(120, 36)) as pilot:
        for _ in range(200):
            await pilot.pause(0.05)
            if app.query("Rows") and "pytest" in str(app.export_screenshot()):
                break
        for key in ("2", "3", "4", "5", "6", "0", "slash", "p", "escape", "question_mark", "escape", "ctrl+z"):
            await pilot.press(key)
            await pilot.pause(0.05)
        print("shown" if "pytest" in str(app.export_screenshot()) else "not shown")

asyncio.run(walk(Path(sys.argv[1])))
"""


def run(tmp_path: Path, prelude: str, body: str, *words: str) -> subprocess.CompletedProcess[str]:
    """The program on such a machine, with a home directory of its own."""
    own = {name: str(tmp_path / name.lower()) for name in ("XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME")}
    return subprocess.run(
        [sys.executable, "-c", prelude + body, *words],
        capture_output=True,
        check=False,
        text=True,
        timeout=120,
        cwd=tmp_path,
        env={
            **os.environ,
            **own,
            "HOME": str(tmp_path),
            "MEMTUI_WORKER": "off",
            "MEMTUI_HOME": str(tmp_path / "notes"),
        },
    )


@pytest.mark.parametrize("prelude", [WINDOWS, MACOS], ids=["windows", "macos"])
def test_the_commands_work_there(tmp_path: Path, prelude: str) -> None:
    home = tmp_path / "notes"
    home.mkdir()
    notes = home / "MEMORY.md"
    notes.write_text("# 偏好\n\n- 测试一律用 pytest\n- Deploy on Fridays is fine\n", "utf-8")
    before = notes.read_bytes()

    done = run(tmp_path, prelude, JOURNEY, str(home))
    assert done.returncode == 0, (done.stdout, done.stderr)
    assert b"Deploy on Mondays" in notes.read_bytes()
    for word in ("undo", "doctor"):
        done = run(tmp_path, prelude, COMMAND, word, "--home", str(home), "--json")
        assert done.returncode == 0, (word, done.stdout, done.stderr)
        assert json.loads(done.stdout)
        assert notes.read_bytes() == before


def test_the_app_works_there(tmp_path: Path) -> None:
    home = tmp_path / "notes"
    home.mkdir()
    (home / "MEMORY.md").write_text("# 偏好\n\n- 测试一律用 pytest\n", "utf-8")
    done = run(tmp_path, WINDOWS, APP, str(home))
    assert (done.returncode, done.stdout.strip()) == (0, "shown"), done.stderr


def test_a_sharing_violation_is_waited_for(tmp_path: Path) -> None:
    """A virus scanner holds a new file open for a moment: the write waits for it, and gives up after a second."""
    from memtui.fs.folder import retry_interrupted

    tries: list[int] = []

    def refuse(times: int) -> str:
        tries.append(1)
        if len(tries) <= times:
            error = PermissionError(13, "The process cannot access the file")
            error.winerror = 32  # type: ignore[attr-defined]
            raise error
        return "done"

    assert retry_interrupted(refuse, 3) == "done"
    tries.clear()
    with pytest.raises(PermissionError):
        retry_interrupted(refuse, 10_000)
