"""One server for all tests of a process; every test has a team and people of its own on it."""

from __future__ import annotations

import os
from contextlib import contextmanager
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from tests.team.scene import MISSING, Machine, start_server

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """Its address, for its owner."""
    try:
        with start_server() as dsn:
            yield dsn
    except ImportError:
        pytest.skip(MISSING)


class Team(NamedTuple):
    """A team with its machines; the first person is its admin."""

    name: str
    dsn: str
    owner: Any
    """A connection of the tables' owner, whom no policy stops."""
    folder: Path
    tag: str

    def who(self, name: str) -> str:
        """The role of somebody of this test."""
        return f"{name}{self.tag}"

    def add(self, name: str, machine: str, role: str = "member") -> Machine:
        """Another person's, or the same person's, machine in it."""
        from memtui.team.tables import add_member, make_team

        who = self.who(name)
        there = self.owner.execute("SELECT who FROM memtui.member WHERE team = %s", [self.name]).fetchall()
        if not there:
            make_team(self.owner, self.name, "team", who)
        elif (who,) not in there:
            admin = import_module("psycopg").connect(self.dsn, user=there[0][0], autocommit=True)
            with admin:
                add_member(admin, self.name, who, role, "x")
        return Machine(self.folder / machine, self.dsn, who, machine).join(self.name)

    @contextmanager
    def open_database(self) -> Iterator[tuple[Any, str]]:
        """An empty database of the same server, while it lasts: a connection of its owner, and its address."""
        driver: Any = import_module("psycopg")
        name = f"other{self.tag}"
        self.owner.execute(f"CREATE DATABASE {name}")
        address = str(driver.conninfo.make_conninfo(self.dsn, dbname=name))
        try:
            with driver.connect(address, autocommit=True) as link:
                yield link, address
        finally:
            self.owner.execute(f"DROP DATABASE {name} WITH (FORCE)")

    def connect(self, name: str) -> Any:
        """A connection as that person."""
        return import_module("psycopg").connect(self.dsn, user=self.who(name), autocommit=True)


@pytest.fixture
def team(server: str, tmp_path: Path) -> Iterator[Team]:
    from memtui.team import tables

    tag = os.urandom(3).hex()
    with import_module("psycopg").connect(server, autocommit=True) as link:
        tables.migrate(link)
        yield Team(f"shop{tag}", server, link, tmp_path, tag)
