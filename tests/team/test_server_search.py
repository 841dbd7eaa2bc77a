"""Homes too large to copy: found on the server, opened file by file, and nobody finds what he may not see."""

from __future__ import annotations

import json
import time
from importlib import import_module
from typing import TYPE_CHECKING, Any

import pytest

from tests.team.scene import Proxy, dump_tables

if TYPE_CHECKING:
    from tests.team.conftest import Team
    from tests.team.scene import Machine

FILLER = "".join(f"- an ordinary line about deploying the service, number {number}\n" for number in range(700))


def fill(machine: Machine, files: int = 30) -> None:
    """More than a megabyte of notes."""
    for number in range(files):
        machine.write(f"areas/projects/shop/n{number}.md", f"# note {number}\n\n{FILLER}")


def limit(machine: Machine, megabytes: int = 1) -> None:
    """How much of one home it copies."""
    machine.run("config", "set", "team.copy_mb", str(megabytes))


@pytest.fixture
def large(team: Team) -> tuple[Machine, Machine]:
    """Ann shares more than Bob copies."""
    team.owner.execute("UPDATE memtui.about SET searched = 1000000")
    ann, bob = team.add("ann", "laptop"), team.add("bob", "desk")
    limit(bob)
    fill(ann)
    ann.write("MEMORY.md", "# Memory\n\n- orders go through Kafka\n- 心跳间隔是三十秒\n- my salary #private\n")
    ann.share_all()
    ann.run("sync")
    bob.run("sync")
    return ann, bob


def test_a_large_home_is_found_and_opened_but_not_copied(large: tuple[Machine, Machine], team: Team) -> None:
    ann, bob = large
    assert not bob.read_mirror(), "nothing of it is copied"
    found = bob.ask("search", "Kafka")
    (hit,) = found["results"]
    assert hit["snippet"].endswith("orders go through Kafka") and hit["origin"]["owner"] == ann.who
    assert found["backend"].endswith("server") and not found["warning"]
    assert bob.ask("search", "心跳间隔")["results"][0]["path"] == "MEMORY.md"
    assert bob.ask("search", "deploys number 17 who:" + ann.who)["results"], "words are stemmed as here"
    bob.ask("search", "Kafka who:me", status=1)
    bob.ask("search", "salary", status=1)
    # What a tool for agents answers is marked as somebody else's.
    told = bob.ask("tools", "memory_search", json.dumps({"query": "Kafka"}))
    assert told["results"][0]["trust"] == "shared"
    text = bob.ask("tools", "memory_get", json.dumps({"path": "MEMORY.md", "home": hit["home"]}))
    assert "Kafka" in text["text"] and text["trust"] == "shared"
    assert set(bob.read_mirror()) == {f"{ann.who}@laptop/MEMORY.md"}, "that one file was brought"
    (again,) = bob.ask("search", "Kafka")["results"]
    assert again["home"] == hit["home"], "found once, here"
    # It is kept up from then on, and goes with what its owner takes back.
    ann.write("MEMORY.md", "# Memory\n\n- orders go through Pulsar\n")
    ann.run("sync")
    bob.run("sync")
    assert b"Pulsar" in bob.read_mirror()[f"{ann.who}@laptop/MEMORY.md"]
    assert bob.ask("search", "Pulsar")["results"]
    ann.run("team", "unshare")
    bob.run("sync")
    assert not bob.read_mirror()
    bob.ask("search", "deploying", status=1)
    for table in ("home", "cut", "chunk"):
        assert not team.owner.execute(
            f"SELECT 1 FROM memtui.{table} x WHERE {'team = %s' if table == 'home' else 'home IN (SELECT id FROM memtui.home WHERE team = %s)'}",
            [team.name],
        ).fetchone()
    assert not team.owner.execute(
        "SELECT 1 FROM memtui.chunk WHERE home NOT IN (SELECT id FROM memtui.home)"
    ).fetchone()
