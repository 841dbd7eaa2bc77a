"""All of it happens at one moment, unless a test says another."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from memtui import Vault
from tests.curation.facts_of import NOW


@pytest.fixture(autouse=True)
def _clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMTUI_NOW", NOW)


@pytest.fixture
def vault(home: Path) -> Iterator[Vault]:
    """The module's own home, opened."""
    with Vault.open([home]) as opened:
        yield opened
