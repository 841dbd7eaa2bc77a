"""`python -m tests.team.scale [--members N] [--files N]`: what grows with a team, on a real server.

10 million chunks are about 570,000 files of 17 entries (2.7 kB). At a tenth of the files and at all of them it asks,
as an ordinary member among so many: how long a save takes, how long the others' question after it, what is on the
server's disk; how many saves a second one team takes from eight writers, and eight teams from one each; and what a save
costs where so many machines listen. What a machine's mirror takes is reckoned from these bytes.
"""

from __future__ import annotations

import argparse
import statistics
import threading
import time
from importlib import import_module
from typing import TYPE_CHECKING, Any

from tests.team.scene import start_server

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

TEAM = "crowd"
LISTENERS = (10, 40, 80)
ROW = """INSERT INTO memtui.file AS f (team, owner, machine, home, path, etag, body, rev)
    VALUES (%s, session_user, 'm', 'h.memtui.000000', %s, %s, %s, 0)
    ON CONFLICT (team, owner, machine, home, path) DO UPDATE SET etag = excluded.etag, body = excluded.body"""
SINCE = """SELECT owner, machine, home, path, body, rev, gone FROM memtui.file
    WHERE team = %s AND rev > %s AND rev <= %s AND NOT (owner = session_user AND machine = 'm') ORDER BY rev"""


def name_person(number: int) -> str:
    """The role of one of them."""
    return f"scale{number}"


def make_members(link: Any, count: int, teams: Sequence[str]) -> None:
    """So many people, all in the first team, the first eight in one of the others each."""
    from memtui.team.tables import make_team

    for number in range(count):
        link.execute(f"CREATE ROLE {name_person(number)} LOGIN IN ROLE memtui_member")
    for number, team in enumerate(teams):
        make_team(link, team, "team", name_person(max(0, number - 1)))
    link.execute(
        "INSERT INTO memtui.member SELECT %s, 'scale' || i, 'member' FROM generate_series(1, %s::bigint) i",
        [teams[0], count - 1],
    )


def fill(link: Any, before: int, upto: int, members: int) -> None:
    """Files of everybody in turn, as pushes of 500 would have left them."""
    link.execute("ALTER TABLE memtui.file DISABLE TRIGGER stamp")
    for first in range(before, upto, 20_000):
        link.execute(
            """INSERT INTO memtui.file (team, owner, machine, home, path, etag, body, rev)
            SELECT %s, 'scale' || (i %% %s::bigint), 'm', 'h.memtui.000000', 'areas/n' || i || '.md', md5(i::text),
            convert_to(
                (SELECT string_agg('- ' || md5(i || '-' || j) || md5(j || '-' || i) || md5((i + j)::text)
                    || md5((i * j)::text) || ' ' || md5('x' || i || j), E'\\n') FROM generate_series(1, 17) j), 'UTF8'),
                i / 500 + 1 FROM generate_series(%s::bigint, %s::bigint) i""",
            [TEAM, members, first, min(first + 20_000, upto) - 1],
        )
    link.execute("UPDATE memtui.team SET rev = %s WHERE id = %s", [upto // 500 + 1, TEAM])
    link.execute("ALTER TABLE memtui.file ENABLE TRIGGER stamp")
    link.execute("VACUUM ANALYZE memtui.file")
    link.execute("ANALYZE memtui.member")
    link.execute("CHECKPOINT")


def time_calls(call: Callable[[int], object], times: int = 60) -> float:
    """The median of so many calls, in milliseconds."""
    took = []
    for number in range(times):
        began = time.perf_counter()
        call(number)
        took.append((time.perf_counter() - began) * 1000)
    return statistics.median(took)


def measure_size(link: Any, dsn: str, files: int) -> None:
    """What a member's save and question take, and the disk."""
    driver: Any = import_module("psycopg")
    with driver.connect(dsn, user=name_person(7), autocommit=True) as mine:
        save = time_calls(lambda number: mine.execute(ROW, [TEAM, "areas/mine.md", str(number), b"- x\n" * 600]))
        rev = mine.execute("SELECT rev FROM memtui.team WHERE id = %s", [TEAM]).fetchone()[0]
        with driver.connect(dsn, user=name_person(8), autocommit=True) as other:
            ask = time_calls(lambda _number: other.execute(SINCE, [TEAM, rev - 1, rev]).fetchall())
    size = link.execute("SELECT pg_total_relation_size('memtui.file')").fetchone()[0]
    print(
        f"{files:>9,} files: a save {save:.1f} ms, the others' question after it {ask:.2f} ms, "
        f"{size / 1e6:,.0f} MB on the server ({size / files:,.0f} bytes a file)",
        flush=True,
    )


def measure_writers(dsn: str, teams: Sequence[str]) -> float:
    """Saves a second of eight writers, each in the team of its place."""
    driver: Any = import_module("psycopg")
    done = [0] * 8
    end = time.monotonic() + 5

    def write(number: int) -> None:
        with driver.connect(dsn, user=name_person(number), autocommit=True) as link:
            while time.monotonic() < end:
                done[number] += 1
                link.execute(ROW, [teams[number], f"areas/w{number}.md", str(done[number]), b"- x\n" * 600])

    threads = [threading.Thread(target=write, args=(number,)) for number in range(8)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    return sum(done) / 5


def measure_listeners(dsn: str, count: int) -> float:
    """Milliseconds from a save until so many have heard of it and have what it changed."""
    driver: Any = import_module("psycopg")
    links = [driver.connect(dsn, user=name_person(20 + number), autocommit=True) for number in range(count)]
    try:
        for one in links:
            one.execute("LISTEN memtui")
        with driver.connect(dsn, user=name_person(3), autocommit=True) as writer:
            took = []
            for number in range(10):
                began = time.perf_counter()
                writer.execute(ROW, [TEAM, "areas/heard.md", str(number), b"- x\n" * 600])
                for one in links:
                    next(one.notifies(timeout=10, stop_after=1))
                    rev = one.execute("SELECT rev FROM memtui.team WHERE id = %s", [TEAM]).fetchone()[0]
                    assert one.execute(SINCE, [TEAM, rev - 1, rev]).fetchall()
                took.append((time.perf_counter() - began) * 1000)
        return statistics.median(took)
    finally:
        for one in links:
            one.close()


def main() -> int:
    """Print what was found."""
    from memtui.team.tables import migrate

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--members", type=int, default=1000)
    parser.add_argument("--files", type=int, default=570_000)
    given = parser.parse_args()
    driver: Any = import_module("psycopg")
    teams = [TEAM, *(f"crowd{number}" for number in range(8))]
    with start_server() as dsn, driver.connect(dsn, autocommit=True) as link:
        migrate(link)
        make_members(link, given.members, teams)
        print(f"{given.members:,} members", flush=True)
        before = 0
        for files in (given.files // 10, given.files):
            began = time.monotonic()
            fill(link, before, files, given.members)
            print(f"  filled in {time.monotonic() - began:.0f} s", flush=True)
            measure_size(link, dsn, files)
            before = files
        one, eight = measure_writers(dsn, [TEAM] * 8), measure_writers(dsn, teams[1:])
        print(f"eight writers: {one:,.0f} saves a second in one team, {eight:,.0f} in eight teams", flush=True)
        for count in LISTENERS:
            took = measure_listeners(dsn, count)
            print(
                f"{count:>9} machines listen: all have a save after {took:.0f} ms ({took / count:.2f} each)",
                flush=True,
            )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
