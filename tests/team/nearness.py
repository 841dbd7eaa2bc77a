"""`python -m tests.team.nearness [--chunks N] [--home PATH]`: what asking a server by meaning costs, and finds.

First, of a home of so many memories with words and vectors made up: a question by words alone and one by both, in
turn. Then, where a home is given, one machine that copies it and one that asks the server answer the same questions,
made of words of its memories: how much of the copy's best ten the server gives.
"""

from __future__ import annotations

import argparse
import random
import statistics
import tempfile
import time
from importlib import import_module
from pathlib import Path
from typing import Any

from tests.team.scene import Machine, start_server

SIZE, FILE = 384, 17
TEAM = "near"


def fill(link: Any, team: str, chunks: int, chance: random.Random) -> int:
    """A home of so many memories; its number."""
    numpy: Any = import_module("numpy")
    made = numpy.random.default_rng(1)
    home = [team, "m", "h.memtui.000000"]
    words = [f"w{number}" for number in range(20_000)]
    for first in range(0, chunks // FILE, 200):
        paths = [f"areas/n{number}.md" for number in range(first, min(first + 200, chunks // FILE))]
        texts = [" ".join(chance.choices(words, k=12)) for _ in range(FILE * len(paths))]
        bodies = ["\n".join(texts[at * FILE : at * FILE + FILE]).encode() for at in range(len(paths))]
        link.execute(
            """INSERT INTO memtui.file (team, owner, machine, home, path, etag, body, rev)
            SELECT %s, session_user, %s, %s, p, 'e', b, 0 FROM unnest(%s::text[], %b::bytea[]) AS x (p, b)""",
            [*home, paths, bodies],
        )
        many = len(texts)
        files = [at // FILE + 1 for at in range(many)]
        about = '[1, 1, "knowledge", "note", "active", null, null, "", 0, 1, 0, [], ""]'
        tokens = [" ".join(f"'{word}':{at}" for at, word in enumerate(set(text.split()), 1)) for text in texts]
        columns: list[list[Any]] = [files, [0] * many, [40] * many, [about] * many, [None] * many, tokens]
        etags = ["e"] * len(paths)
        put = "SELECT memtui.put_chunks(%s, %s, %s, %s, %s, %s, %s, %s, %s, %s::text[], %s)"
        link.execute(put, [*home, paths, etags, *columns])
        rows = made.integers(-127, 128, (many, SIZE)).tolist()
        listed = link.execute(
            "SELECT numbers FROM memtui.list_unmeant(%s, %s, %s, 'made', %s, 's', 200)", [*home, SIZE]
        )
        numbers = [number for (some,) in listed.fetchall()[::-1] for number in some]
        columns = [files, numbers, [False] * many, [str(row) for row in rows]]
        put = "SELECT memtui.put_meaning(%s, %s, %s, 'made', %s, 's', %s, %s, %s, %s, %s, %s, %s)"
        link.execute(put, [*home, SIZE, paths, etags, [False] * len(paths), *columns])
    return int(link.execute("SELECT id FROM memtui.home WHERE owner = session_user").fetchone()[0])


def measure_speed(link: Any, owner: Any, home: int, chance: random.Random) -> None:
    """Both questions in turn, a hundred times each."""
    owner.execute("VACUUM ANALYZE memtui.chunk, memtui.meaning, memtui.cut")
    took: dict[str, list[float]] = {"words": [], "words and meaning": []}
    for turn in range(105):
        words = [f"'w{chance.randrange(20_000)}'" for _ in range(4)]
        vector = str([round(chance.gauss(0, 0.05), 5) for _ in range(SIZE)])
        asked = {
            "words": ("search_chunks(%s, %s, 200)", [[home], words]),
            "words and meaning": ("search_meaning(%s, %s, 200, 'made', %s)", [[home], words, vector]),
        }
        for name, (function, given) in asked.items():
            began = time.perf_counter()
            found = link.execute(f"SELECT * FROM memtui.{function}", given, binary=True).fetchall()
            if turn >= 5:
                took[name].append(1000 * (time.perf_counter() - began))
            assert found
    for name, times in took.items():
        times.sort()
        print(
            f"{name}: p50 {statistics.median(times):.0f} ms, p95 {times[len(times) * 95 // 100]:.0f} ms",
            flush=True,
        )
    size = owner.execute("SELECT pg_total_relation_size('memtui.meaning')").fetchone()[0]
    print(f"the vectors take {size / 1e6:,.0f} MB on the server", flush=True)


def read_lines(home: Path, chance: random.Random, count: int) -> list[str]:
    """So many lines that say something."""
    lines = [
        line.strip()
        for file in sorted(home.rglob("*.md"))
        for line in file.read_text("utf-8", "replace").split("\n")
        if 60 < len(line.strip()) < 300 and line.lstrip().startswith("-")
    ]
    return chance.sample(lines, min(count, len(lines)))


def measure_hits(folder: Path, dsn: str, home: Path, chance: random.Random) -> None:
    """The same questions to a machine that copies a home and to one that asks the server."""
    owner, copies, asks = (
        Machine(folder / name, dsn, who, name).join(TEAM) for name, who in (("a", "p0"), ("b", "p1"), ("c", "p2"))
    )
    for one in (owner, copies, asks):
        one.env["MEMTUI_VECTOR_BACKEND"] = "auto"
    asks.run("config", "set", "team.copy_mb", "1")
    asks.run("sync")
    copies.run("config", "set", "team.copy_mb", "0")
    owner.run("--home", str(home), "index")
    told = owner.ask("team", "share", "--home", str(home), "--yes", "--layer", "core", "--layer", "knowledge")
    began = time.monotonic()
    owner.run("sync")
    for one in (copies, asks):
        one.run("sync")
    copies.run("index")
    print(f"{told['sent']} files, {told['bytes']:,} bytes; {time.monotonic() - began:.0f} s", flush=True)
    print(asks.run("team"), flush=True)
    for mode in ("vector", "hybrid"):
        same = asked = there = 0
        for line in read_lines(home, random.Random(3), 60):
            words = [word for word in line.split() if word.isalnum()]
            query = " ".join(word for at, word in enumerate(words) if at % 2)[:120]
            if not query:
                continue
            best = [
                [(hit["path"], hit["start_line"]) for hit in one.ask("search", "--mode", mode, query)["results"]]
                for one in (copies, asks)
            ]
            same += len(set(best[0]) & set(best[1]))
            asked += len(best[0])
            there += 1
        print(
            f"{mode}: of the copy's best ten to {there} questions the server gives {same / max(asked, 1):.1%}",
            flush=True,
        )


def main() -> int:
    """Print what was found."""
    from memtui.team.tables import add_member, can_search_meaning, make_team, migrate

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--chunks", type=int, default=100_000)
    parser.add_argument("--home", type=Path)
    given = parser.parse_args()
    driver: Any = import_module("psycopg")
    chance = random.Random(1)
    with (
        start_server() as dsn,
        tempfile.TemporaryDirectory() as folder,
        driver.connect(dsn, autocommit=True) as link,
    ):
        migrate(link)
        if not can_search_meaning(link, 5):
            print("the server has no pgvector")
            return 1
        make_team(link, TEAM, "team", "p0")
        with driver.connect(dsn, user="p0", autocommit=True) as mine:
            for name in ("p1", "p2"):
                add_member(mine, TEAM, name, "member", "x")
        if given.home:
            measure_hits(Path(folder), dsn, given.home, chance)
        if given.chunks:
            make_team(link, "made", "team", "p3")
            with driver.connect(dsn, user="p3", autocommit=True) as mine:
                began = time.monotonic()
                home = fill(mine, "made", given.chunks, chance)
                print(f"{given.chunks:,} memories in {time.monotonic() - began:.0f} s", flush=True)
                measure_speed(mine, link, home, chance)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
