"""Homes too large to copy: found on the server, opened file by file, and nobody finds what he may not see."""

from __future__ import annotations

import time
from importlib import import_module
from typing import TYPE_CHECKING, Any

import pytest

from memtui.agents import recall
from memtui.agents.caller import open_caller, place_call
from memtui.core.config import Config
from tests.team.scene import Machine, Proxy, use

if TYPE_CHECKING:
    from pathlib import Path

    from tests.team.conftest import Team

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
    ann, bob = team.add("ann", "laptop"), team.add("bob", "desk")
    limit(bob)
    bob.run("sync")
    fill(ann)
    ann.write("MEMORY.md", "# Memory\n\n- orders go through Kafka\n- 心跳间隔是三十秒\n- my salary #private\n")
    ann.share_all()
    bob.run("sync")
    return ann, bob


def test_a_large_home_is_found_and_opened_but_not_copied(
    large: tuple[Machine, Machine], team: Team, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, bob = large
    assert not bob.read_mirror(), "nothing of it is copied"
    found = bob.ask("search", "Kafka")
    (hit,) = found["results"]
    assert hit["snippet"].endswith("orders go through Kafka") and hit["origin"]["owner"] == ann.who
    assert found["backend"].endswith("server") and not found["warning"]
    assert bob.ask("search", "心跳间隔")["results"][0]["path"] == "MEMORY.md"
    assert bob.find("deploys number 17 who:" + ann.who)["results"], "words are stemmed as here"
    bob.ask("search", "Kafka who:me", status=1)
    bob.ask("search", "salary", status=1)
    # What a tool for agents answers is marked as somebody else's.
    use(bob, monkeypatch)
    with open_caller(place_call(cwd=str(bob.folder)), Config()) as caller:
        (result,) = recall.memory_search(caller, "Kafka")["results"]
        assert result["trust"] == "shared" and not bob.read_mirror()
        text = recall.memory_get(caller, "MEMORY.md", home=hit["home"])
        assert "Kafka" in text["text"] and text["trust"] == "shared"
        assert not recall.memory_get(caller, "areas/none.md", home=hit["home"])["text"]
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
    assert count_rows(team) == (0, 0, 0)


def count_rows(team: Team) -> tuple[int, int, int]:
    """Homes of the team, their files that are cut, and chunks of any home that is not there, or of the team."""
    homes, cut = team.owner.execute(
        "SELECT count(*), coalesce(sum(cut), 0)::int FROM memtui.home WHERE team = %s AND chunks > 0",
        [team.name],
    ).fetchone()
    (chunks,) = team.owner.execute(
        """SELECT count(*) FROM memtui.chunk c LEFT JOIN memtui.cut u ON (u.home, u.id) = (c.home, c.file)
        LEFT JOIN memtui.home h ON h.id = u.home WHERE h.id IS NULL OR h.team = %s""",
        [team.name],
    ).fetchone()
    return homes, cut, chunks


def test_it_is_copied_again_when_more_is_copied(large: tuple[Machine, Machine], team: Team) -> None:
    ann, bob = large
    limit(bob, 0)
    # A second exchange within two seconds asks nothing.
    time.sleep(2.1)
    assert bob.ask("sync")[0]["written"] == 31
    (hit,) = bob.ask("search", "Kafka")["results"]
    assert hit["origin"]["machine"] == "laptop"
    limit(bob)
    time.sleep(2.1)
    assert bob.ask("sync")[0]["removed"] == 31
    held = [
        file for file in (bob.folder / "cache").rglob("*") if file.is_file() and b"kafka" in file.read_bytes().lower()
    ]
    assert not held, "an index of the copies went with them"
    assert bob.ask("search", "Kafka")["results"]
    # Who is removed finds nothing, and leaves nothing.
    ann.run("team", "members", "remove", bob.who)
    assert "no member" in str(bob.ask("search", "Kafka", status=1)["warning"]) or not bob.read_mirror()
    ann.run("team", "leave")
    assert count_rows(team) == (0, 0, 0)


def test_a_server_that_is_away_costs_a_moment(team: Team) -> None:
    proxy = Proxy(team.dsn)
    try:
        ann = team.add("ann", "laptop")
        bob = team.add("bob", "desk")
        through = import_module("psycopg").conninfo.make_conninfo(bob.dsn, host="127.0.0.1", port=proxy.port)
        bob.run("team", "join", through, "--team", team.name, "--password-command", "echo x")
        limit(bob)
        bob.run("sync")
        fill(ann)
        ann.share_all()
        bob.run("sync")
        bob.write("MEMORY.md", "- deploying is for Tuesdays\n")
        assert len(bob.find("deploying", "--limit", "50")["results"]) > 1
        proxy.closed = True
        began = time.monotonic()
        found = bob.ask("search", "deploying")
        assert [hit["path"] for hit in found["results"]] == ["MEMORY.md"], "one's own is found"
        assert f"{ann.who}@laptop" in found["warning"] and "not searched" in found["warning"]
        assert time.monotonic() - began < 20
    finally:
        proxy.close()


def test_nobody_asks_for_words_of_others(team: Team) -> None:
    """Whatever a member sends: another team's words are not found, and that they are there is not felt."""
    from memtui.team.tables import make_team

    team.add("ann", "laptop")
    eve = team.who("eve")
    make_team(team.owner, f"other{team.tag}", "team", eve)
    psycopg = import_module("psycopg")
    homes = {}
    for name, word, count in (("ann", "canaryword", 3000), ("eve", "plainword", 10)):
        mine = team.name if name == "ann" else f"other{team.tag}"
        with team.connect(name) as link:
            link.execute(
                """INSERT INTO memtui.file (team, owner, machine, home, path, etag, body, rev)
                VALUES (%s, %s, 'm', 'h.memtui.000000', 'MEMORY.md', 'e', %s, 0)""",
                [mine, team.who(name), word.encode() * 10],
            )
            put = "SELECT memtui.put_chunks(%s, 'm', 'h.memtui.000000', %s, %s, %s, %s, %s, %s, %s, %s)"
            columns: list[list[Any]] = [
                [1] * count,
                [0] * count,
                [10] * count,
                ["[]"] * count,
                [None] * count,
            ]
            link.execute(put, [mine, ["MEMORY.md"], ["e"], *columns, [f"'{word}':1"] * count])
            (homes[name],) = link.execute("SELECT id FROM memtui.home WHERE owner = %s", [team.who(name)]).fetchone()
    (chunks,) = team.owner.execute("SELECT count(*) FROM memtui.chunk WHERE home = %s", [homes["ann"]]).fetchone()
    assert chunks == 3000
    with team.connect("eve") as link:

        def ask(home: int, *words: str) -> Any:
            return link.execute("SELECT * FROM memtui.search_chunks(%s, %s, 100)", [[home], list(words)]).fetchall()

        def touch(word: str) -> int:
            """Pages that the question reads."""
            sql = "EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) SELECT * FROM memtui.search_chunks(%s, %s, 100)"
            ask(homes["eve"], word)
            (plan,) = link.execute(psycopg.ClientCursor(link).mogrify(sql, [[homes["eve"]], [word]])).fetchone()
            return int(plan[0]["Plan"]["Shared Hit Blocks"]) + int(plan[0]["Plan"]["Shared Read Blocks"])

        assert len(ask(homes["eve"], "'plainword'")) == 10
        assert not ask(homes["ann"], "'canaryword'") and not ask(homes["eve"], "'canaryword'")
        assert not ask(homes["eve"], f"'{homes['ann']}:canaryword'")
        # What a word costs of which another team has thousands is what one costs that nobody has.
        assert touch("'canaryword'") == touch("'nobodysaid'")
        assert touch(f"'{homes['ann']}:canaryword'") == touch("'5:nobodysaid'")
        hostile = ("canaryword", "!'x'", "'a\\' | 'b'", f"{homes['ann']}:canaryword", "'x' | canaryword:*")
        for one in hostile:
            with pytest.raises(psycopg.Error):
                ask(homes["eve"], one)
        for table in ("chunk", "cut"):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                link.execute(f"SELECT count(*) FROM memtui.{table}")
        assert link.execute("SELECT owner FROM memtui.home").fetchall() == [(eve,)]
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            link.execute("UPDATE memtui.home SET team = team")
        # Nor are words put into another's home, or under another's number.
        link.execute(put, [team.name, ["MEMORY.md"], ["e"], *columns, ["'x':1"] * 10])
        assert not link.execute("SELECT * FROM memtui.list_uncut(%s, 'm', 10)", [team.name]).fetchall()
        for words in (f"'{homes['ann']}:x':1 y:1", "'a\\':1"):
            link.execute("UPDATE memtui.file SET etag = etag || 'f' WHERE owner = %s", [eve])
            (etag,) = link.execute("SELECT etag FROM memtui.file WHERE owner = %s", [eve]).fetchone()
            with pytest.raises(psycopg.Error):
                link.execute(put, [f"other{team.tag}", ["MEMORY.md"], [etag], *columns, [words] * 10])
    (left,) = team.owner.execute("SELECT count(*) FROM memtui.chunk WHERE home = %s", [homes["ann"]]).fetchone()
    assert left == 3000


def test_a_server_becomes_one_that_searches(team: Team, tmp_path: Path) -> None:
    """The tables of the version before, with clients of this one; then theirs; and an older client's save on these."""
    from memtui.team import tables

    driver = import_module("psycopg")
    with team.open_database() as (link, old):
        tables.migrate(link, 3)
        who = team.who("old")
        tables.make_team(link, "old", "team", who)
        one, two = (Machine(tmp_path / place, old, who, place).join("old") for place in ("one", "two"))
        limit(two)
        fill(one)
        one.share_all()
        assert two.ask("sync")[0]["written"] == 30, "a server that cannot search is copied"
        assert tables.migrate(link) == 3
        two.run("sync")
        assert two.read_mirror(), "nor is one that was told no words yet"
        one.run("sync")
        assert two.ask("sync")[0]["removed"] == 30
        assert two.find("deploying")["results"]
        # An older memtui saves: its words go, and the home stays as it is.
        with driver.connect(old, user=who, autocommit=True) as older:
            older.execute(
                "UPDATE memtui.file SET etag = 'other', body = 'gone' WHERE path = 'areas/projects/shop/n1.md'"
            )
        assert link.execute("SELECT files - cut FROM memtui.home").fetchone() == (1,)
        two.run("sync")
        assert not two.read_mirror()
        one.run("sync")
        assert link.execute("SELECT files, cut FROM memtui.home").fetchone() == (30, 30)


def test_a_session_is_given_of_it_what_it_would_be_given_of_a_copy(large: tuple[Machine, Machine], team: Team) -> None:
    """With `context.team`: of the session's project alone, named, few bytes, and without asking anybody."""
    ann, bob = large
    ann.write("areas/projects/memtui/rules.md", "# rules\n\n- the drawer is counted twice\n")
    ann.write("areas/projects/other/rules.md", "# rules\n\n- nothing of this\n")
    ann.run("sync")
    bob.place = bob.folder / "memtui"
    (bob.place / ".git").mkdir(parents=True)
    bob.write("MEMORY.md", "- mine\n")
    bob.run("sync")

    def read_start() -> tuple[str, list[str]]:
        found = bob.ask("context")
        return found["text"], [one["reason"] for one in found["left"]]

    assert "drawer" not in read_start()[0]
    bob.run("config", "set", "context.team", "true")
    text, left = read_start()
    assert "drawer" not in text and any("memtui sync" in reason for reason in left), "nobody is asked, and it is said"
    time.sleep(2.1)
    bob.run("sync")
    text, left = read_start()
    assert not any("memtui sync" in reason for reason in left)
    assert f"{ann.who}@laptop:areas/projects/memtui/rules.md" in text and "drawer is counted twice" in text
    assert "orders go through Kafka" in text and "salary" not in text
    assert "nothing of this" not in text and "ordinary line" not in text
    here = bob.read_mirror()
    assert 0 < sum(map(len, here.values())) <= 256 << 10 and len(here) < 33
    ann.write("areas/projects/memtui/rules.md", "# rules\n\n- the drawer is counted once\n")
    ann.run("sync")
    bob.run("sync")
    assert "counted once" in read_start()[0], "it is kept up"
