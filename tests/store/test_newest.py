"""Filters written in a query mean the same to lists, counts and searches, with an index and without."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from memtui.core.config import Config
from memtui.core.model import Filter, Status
from memtui.store.lookup import list_newest
from memtui.store.vault import Vault
from tests.homes import write_files

FILES = {
    "MEMORY.md": "# Preferences\n\n- the token is refreshed by hand #auth\n- tea, not coffee\n",
    "daily/2026-02-24.md": "- 2026-02-24T10:12:33Z [decision] the token lives for an hour #Auth #billing\n",
    "notes/login.md": "---\ntags: [auth, login]\n---\n# Login\n\n- the token is kept in the keyring\n",
}


@pytest.fixture
def vault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Vault]:
    for name in ("XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, str(tmp_path / "xdg"))
    write_files(tmp_path / "home", FILES)
    with Vault.open([tmp_path / "home"], config=Config()) as opened:
        yield opened


@pytest.mark.parametrize("mode", ["fts", "scan"])
@pytest.mark.parametrize("tag", ["auth", "billing", "login", "nothing"])
def test_a_tag_means_the_same_everywhere(vault: Vault, mode: str, tag: str) -> None:
    wanted = Filter(tags=frozenset({tag}))
    carrying = {memory.id for memory in vault.memories() if tag in [one.lower() for one in memory.tags]}
    assert {memory.id for memory in vault.memories(wanted)} == carrying
    assert len(vault.ids(wanted)) == len(carrying)
    assert list_newest(vault, wanted, 10).total == len(carrying)
    others = Filter(without=(wanted._replace(statuses=frozenset()),))
    assert len(vault.ids(others)) == len(vault.ids()) - len(carrying)
    found = vault.find("token", 50, filter=wanted, mode=mode)
    every = {memory.id for memory in vault.memories(wanted) if "token" in memory.text}
    assert {vault.at(hit.home, hit.path, hit.start_line).id for hit in found} == every  # type: ignore[union-attr]
    assert bool(every) == (tag != "nothing")


def test_what_says_no_time_stands_behind_what_does(vault: Vault, tmp_path: Path) -> None:
    # Its file is the newest of all.
    (tmp_path / "home" / "notes" / "later.md").write_text("# Later\n\n- written just now, and undated\n", "utf-8")
    vault.refresh()
    found = vault.find("layer:core,knowledge,journal")
    dated = [hit.path == "daily/2026-02-24.md" for hit in found]
    assert len(found) > 3 and dated[0] and not any(dated[1:])


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


def test_a_list_says_what_its_status_left_out(vault: Vault, tmp_path: Path) -> None:
    facts = [{"id": "f1", "fact": "old", "status": "superseded"}, {"id": "f2", "fact": "new"}]
    file = tmp_path / "home" / "facts.json"
    file.write_text(json.dumps({"facts": facts}), "utf-8")
    vault.refresh()
    found = vault.find("path:facts.json")
    assert [hit.snippet for hit in found] == ["new"]
    assert dict(found.hidden) == {Status.SUPERSEDED: 1}
    assert not vault.find("path:facts.json status:all").hidden


def test_a_list_shows_lines_as_a_search_does(vault: Vault, tmp_path: Path) -> None:
    (tmp_path / "home" / "long.md").write_text("- " + "很长\x1b" * 300 + "\n", "utf-8")
    vault.refresh()
    (hit,) = vault.find("path:long.md")
    assert len(hit.snippet) <= 240
    assert "\x1b" not in hit.snippet


def test_a_list_without_an_index_is_made_from_the_files(vault: Vault, tmp_path: Path) -> None:
    with Vault.open([tmp_path / "home"], config=Config()) as other:
        for file in (tmp_path / "xdg" / "memtui").rglob("*"):
            if file.is_file():
                file.unlink()
        found = other.find("tag:auth")
        assert {hit.path for hit in found} == {"MEMORY.md", "daily/2026-02-24.md", "notes/login.md"}
        assert (found.backend, found.total) == ("scan", len(vault.find("tag:auth")))
        assert "the files themselves" in found.warning


def test_a_list_says_what_it_cannot_show(vault: Vault, tmp_path: Path) -> None:
    (tmp_path / "home" / "daily" / "2026-02-24.md").unlink()
    found = vault.find("tag:auth")
    assert {hit.path for hit in found} == {"MEMORY.md", "notes/login.md"}
    assert found.total == len(found)
    assert "1 memory cannot be read" in found.warning


@pytest.mark.parametrize("mode", ["fts", "scan"])
def test_a_hit_leads_to_its_own_memory_where_several_stand_on_a_line(vault: Vault, tmp_path: Path, mode: str) -> None:
    facts = [{"id": f"f{number}", "fact": f"port number{number} is taken"} for number in range(5)]
    (tmp_path / "home" / "facts.json").write_text(json.dumps({"facts": facts}), "utf-8")
    vault.refresh()
    found = vault.find("port taken", mode=mode)
    assert sorted(vault.of(hit).text for hit in found) == [fact["fact"] for fact in facts]  # type: ignore[union-attr]
    assert len({hit.key for hit in found}) == 5
    for number in range(5):
        (hit,) = vault.find(f"number{number}", mode=mode)
        memory = vault.of(hit)
        assert memory is not None
        assert memory.text == facts[number]["fact"]
    # Asked for by its key, it does not push the others on its line out.
    assert len(vault.find("f3 port taken", mode=mode)) == 5


@pytest.mark.parametrize("mode", ["fts", "scan"])
@pytest.mark.parametrize("time", ["since:999999y", "until:9999-12-31", "until:2262-04-12", "since:1600-01-01"])
def test_a_time_beyond_what_the_index_can_hold_is_one(vault: Vault, mode: str, time: str) -> None:
    found = vault.find(f"token {time}", mode=mode)
    assert len(found) == 3
    assert not found.warning
    assert vault.find(time, mode=mode).total == len(vault.ids())
