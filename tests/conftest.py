"""Every test has a user of its own: no cache, state or config of the person who runs them is read or written."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

from memtui.core import locale

if TYPE_CHECKING:
    from pathlib import Path


# How fast a busy machine makes examples is no matter of what is tested.
settings.register_profile("unhurried", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("unhurried")


@pytest.fixture(autouse=True)
def _own_user(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    user = tmp_path_factory.mktemp("user")
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
    # Searching by meaning is for the tests that ask for it: a model takes longer to load than most tests run.
    monkeypatch.setenv("MEMTUI_VECTOR_BACKEND", "off")
    return user
