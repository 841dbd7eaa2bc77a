"""Filters written in a query mean the same to lists, counts and searches, with an index and without."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from memtui.config import Config
from memtui.model import Filter
from memtui.newest import newest
from memtui.vault import Vault

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

FILES = {
    "MEMORY.md": "# Preferences\n\n- the token is refreshed by hand #auth\n- tea, not coffee\n",
    "daily/2026-02-24.md": "- 2026-02-24T10:12:33Z [decision] the token lives for an hour #Auth #billing\n",
    "notes/login.md": "---\ntags: [auth, login]\n---\n# Login\n\n- the token is kept in the keyring\n",
}


@pytest.fixture
def vault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Vault]:
    for name in ("XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, str(tmp_path / "xdg"))
    for path, text in FILES.items():
        file = tmp_path / "home" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
    with Vault.open([tmp_path / "home"], config=Config()) as opened:
        yield opened


@pytest.mark.parametrize("mode", ["fts", "scan"])
@pytest.mark.parametrize("tag", ["auth", "billing", "login", "nothing"])
def test_a_tag_means_the_same_everywhere(vault: Vault, mode: str, tag: str) -> None:
    wanted = Filter(tags=frozenset({tag}))
    carrying = {memory.id for memory in vault.memories() if tag in [one.lower() for one in memory.tags]}
    assert {memory.id for memory in vault.memories(wanted)} == carrying
    assert len(vault.ids(wanted)) == len(carrying)
    assert newest(vault, wanted, 10).total == len(carrying)
    others = Filter(without=(wanted._replace(statuses=frozenset()),))
    assert len(vault.ids(others)) == len(vault.ids()) - len(carrying)
    found = vault.find("token", 50, filter=wanted, mode=mode)
    every = {memory.id for memory in vault.memories(wanted) if "token" in memory.text}
    assert {vault.at(hit.home, hit.path, hit.start_line).id for hit in found} == every  # type: ignore[union-attr]
    assert bool(every) == (tag != "nothing")


def test_what_is_known_can_be_asked_for(vault: Vault) -> None:
    assert {"auth", "billing", "login"} <= set(vault.known("tag"))
    assert {"daily/", "notes/"} <= set(vault.known("path"))
    assert "decision" in vault.known("kind")


def test_a_query_that_is_only_filters_is_a_list(vault: Vault) -> None:
    found = vault.find("tag:auth -path:daily/")
    assert {hit.path for hit in found} == {"MEMORY.md", "notes/login.md"}
    assert found.total == len(found)
    assert [hit.path for hit in vault.find("token tag:login")] == ["notes/login.md"]
    assert "tag:nonsense" in vault.find("token tag:nonsense").warning
