"""Every test has a user of its own: no cache, state or config of the person who runs them is read or written."""

from __future__ import annotations

import gc
import os
import shutil
import sys
import threading
import time
from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from memtui.core import locale

# How fast a busy machine makes examples is no matter of what is tested.
settings.register_profile("unhurried", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("unhurried")


MEMORY = Path("/dev/shm")
ROOM = 4 << 30
"""Bytes: several times what the tests write at once."""


def until(met: Callable[..., object], *about: object, timeout: float = 60.0) -> None:
    """Wait until it is so, of what it is asked about."""
    end = time.monotonic() + timeout
    pause = threading.Event()
    while not met(*about):
        assert time.monotonic() < end, "it never came to be"
        pause.wait(0.01)


def pytest_configure() -> None:
    """Temporary directories lie in memory where there is room: most of the time of a test was a disk's, asked to sync.

    What is written, in what order, and which calls are made stays the same. PYTEST_DEBUG_TEMPROOT names another place.
    """
    # Hundreds of processes are started here: what the first of them compiles the others read, whatever is set outside.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    sys.dont_write_bytecode = False
    if "PYTEST_DEBUG_TEMPROOT" in os.environ or not os.access(MEMORY, os.W_OK):
        return
    if shutil.disk_usage(MEMORY).free > ROOM:
        os.environ["PYTEST_DEBUG_TEMPROOT"] = str(MEMORY)


def pytest_collection_finish() -> None:
    """What thousands of tests are made of stays until the end: it is no garbage, and is not looked through for any."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session")
def _users(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, count[int]]:
    # Numbered here: `mktemp` would read a directory of thousands for every test.
    return tmp_path_factory.mktemp("users"), count()


@pytest.fixture(autouse=True)
def _own_user(_users: tuple[Path, count[int]], monkeypatch: pytest.MonkeyPatch) -> Path:
    place, numbers = _users
    user = place / f"user{next(numbers)}"
    user.mkdir()
    monkeypatch.setenv("HOME", str(user))
    for name in ("CACHE", "CONFIG", "DATA", "STATE"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(user / f".{name.lower()}"))
    for name in (
        "CLAUDE_CONFIG_DIR",
        "CODEX_HOME",
        "MEMTUI_HOME",
        "MEMTUI_NOW",
        "MEMTUI_UI_LOCALE",
        "OPENAKITA_ROOT",
        "NO_COLOR",
    ):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("MEMTUI_TZ", "UTC")
    monkeypatch.setenv("LANGUAGE", "en")
    locale.choose_language("", by="config")
    locale.choose_language("")
    # Searching by meaning is for the tests that ask for it: a model takes longer to load than most tests run.
    monkeypatch.setenv("MEMTUI_VECTOR_BACKEND", "off")
    return user
