from __future__ import annotations

from pathlib import Path

import pytest

from tests.curation.facts_of import NOW


@pytest.fixture(autouse=True)
def _clock(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("MEMTUI_NOW", NOW)
    monkeypatch.setenv("MEMTUI_HOME", str(tmp_path / ".memtui"))
