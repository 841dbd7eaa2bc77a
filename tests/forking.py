"""memtui as a process of its own that need not start: the copy of an interpreter which has loaded everything already.

For tests that call it hundreds of times and look at what it answers. What a fresh interpreter loads, and that it starts
at all, is for tests/core/test_startup.py and for the tests that start one; so is whatever a locale does to its streams.
"""

from __future__ import annotations

import atexit
import gc
import json
import os
import pkgutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from threading import Thread

ROOT = Path(__file__).parent.parent
PIPE = 60_000
"""Bytes that a pipe takes before anybody reads."""
LOADED = ("memtui.cli", "memtui.agents.hooks")
"""Packages whose modules, and what they import, are loaded before the first copy is made."""


def run_memtui(
    words: Sequence[str],
    *,
    given: bytes = b"",
    cwd: str | Path | None = None,
    env: Mapping[str, str] | None = None,
    program: str = str(ROOT / "memtui" / "__main__.py"),
) -> subprocess.CompletedProcess[bytes]:
    """`memtui WORDS`: its status and what it wrote, once it and all that hold its stdout have ended."""
    if not hasattr(os, "fork"):
        fresh = [sys.executable, "-m", "memtui", *words]
        return subprocess.run(fresh, input=given, cwd=cwd, env=env, capture_output=True, check=False)
    argv = [program, *words]
    wanted = {"argv": argv, "cwd": str(cwd or Path.cwd()), "env": dict(env or os.environ)}
    reads, writes = zip(*(os.pipe() for _pipe in range(3)), strict=True)
    with tempfile.TemporaryFile() as request, tempfile.TemporaryFile() as talk:
        request.write(json.dumps(wanted).encode("utf-8", "surrogatepass"))
        request.flush()
        socket.send_fds(_server(), [b"."], [reads[0], writes[1], talk.fileno(), writes[2], request.fileno()])
        for end in (reads[0], writes[1], writes[2]):
            os.close(end)
        feeder = Thread(target=_feed, args=(writes[0], given))
        if len(given) > PIPE:
            feeder.start()
        else:
            feeder.run()
        with open(reads[1], "rb") as out, open(reads[2], "rb") as ending:
            told, status = out.read(), ending.read()
        if len(given) > PIPE:
            feeder.join()
        talk.seek(0)
        return subprocess.CompletedProcess(argv, int(status), told, talk.read())


def _feed(end: int, given: bytes) -> None:
    try:
        with open(end, "wb") as pipe:
            pipe.write(given)
    except BrokenPipeError:
        pass


@cache
def _server() -> socket.socket:
    """This process's own interpreter that is copied; it leaves when nobody can ask any more."""
    ours, theirs = socket.socketpair()
    env = {"PATH": os.environ.get("PATH", ""), "PYTHONPATH": str(ROOT), "LC_ALL": "C.UTF-8"}
    argv = [sys.executable, "-m", "tests.forking", str(theirs.fileno())]
    null = subprocess.DEVNULL
    process = subprocess.Popen(
        argv, cwd=ROOT, env=env, pass_fds=[theirs.fileno()], stdin=null, stdout=null, stderr=null
    )
    theirs.close()
    atexit.register(process.wait)
    atexit.register(ours.close)
    return ours


def serve(asked: socket.socket) -> None:
    """Answer with a copy for every request; each copy returns from here and runs memtui to its own end."""
    for package in LOADED:
        for found in pkgutil.iter_modules(import_module(package).__path__, f"{package}."):
            import_module(found.name)
    gc.freeze()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    while True:
        word, fds, _flags, _address = socket.recv_fds(asked, 1, 5)
        if not word:
            os._exit(0)
        if os.fork() == 0:
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            child = os.fork()
            if child == 0:
                break
            for fd in (asked.fileno(), *fds[:3]):
                os.close(fd)
            _pid, status = os.waitpid(child, 0)
            os.write(fds[3], str(os.waitstatus_to_exitcode(status)).encode())
            os._exit(0)
        for fd in fds:
            os.close(fd)
    with open(fds[4], "rb") as request:
        request.seek(0)
        wanted = json.loads(request.read().decode("utf-8", "surrogatepass"))
    for number, fd in enumerate(fds[:3]):
        os.dup2(fd, number)
        os.close(fd)
    os.close(fds[3])
    asked.close()
    os.chdir(wanted["cwd"])
    os.environ.clear()
    os.environ.update(wanted["env"])
    time.tzset()
    sys.argv[:] = wanted["argv"]


if __name__ == "__main__":
    from memtui.__main__ import main

    serve(socket.socket(fileno=int(sys.argv[1])))
    main()
