"""Pairs of facts of which it is known whether they contradict, repeat or only resemble one another, in one home.

`pairs.jsonl` was written from life: kinds 'contradiction' and 'duplicate' are to be found, 'apart' and 'near' are not;
`strangers.jsonl` is what stands around them. Half of the pairs is for working on the rules.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from memtui.language.similarity import normalize_text
from memtui.review import foremost, queue
from memtui.store.candidates import Candidate
from memtui.store.vault import Vault

_HERE = Path(__file__).parent
_PLACES = (("facts", "facts"), ("core", "core"), ("rules", "rules"), ("core", "journal"), ("rules", "facts"))
_KEPT = (("facts", "facts"), ("core", "core"), ("rules", "rules"), ("rules", "facts"))
_DAYS = ("2026-02-03T09:00:00Z", "2026-02-20T09:00:00Z")


class Pair(NamedTuple):
    """Two facts, and what they are to each other."""

    kind: str
    older: str
    newer: str

    @property
    def held_out(self) -> bool:
        """Whether it is kept for measuring only."""
        return hashlib.sha256(f"{self.older}\0{self.newer}".encode()).digest()[0] % 2 == 1

    @property
    def key(self) -> frozenset[str]:
        """What it is found again by."""
        return frozenset((normalize_text(self.older), normalize_text(self.newer)))


class Measure(NamedTuple):
    """How many of the planted pairs were proposed, and what else was."""

    planted: int
    found: int
    false: int

    @property
    def recall(self) -> float:
        """The share of the planted ones that was found."""
        return self.found / self.planted

    @property
    def precision(self) -> float:
        """The share of the proposals that was planted."""
        return self.found / ((self.found + self.false) or 1)


def pairs() -> list[Pair]:
    """All of them."""
    return [Pair(**record) for record in _records("pairs.jsonl")]


def strangers() -> list[str]:
    """Facts that have nothing to do with one another."""
    return [record["text"] for record in _records("strangers.jsonl")]


def planted(root: Path, among: Iterable[Pair], around: Iterable[str]) -> Path:
    """A home that remembers the pairs and the strangers: facts.json, MEMORY.md, rules and a journal."""
    home = root / ".memtui"
    written: dict[str, list[tuple[str, str]]] = {name: [] for name in ("facts", "core", "rules", "journal")}
    for number, text in enumerate(around):
        written["facts" if number % 3 else "core"].append((_DAYS[number % 2], text))
    for number, pair in enumerate(among):
        places = _PLACES if pair.kind in {"contradiction", "apart"} else _KEPT
        for place, day, text in zip(places[number % len(places)], _DAYS, pair[1:], strict=True):
            written[place].append((day, text))
    shop = home / "areas/projects/shop"
    shop.mkdir(parents=True)
    (home / "daily").mkdir()
    facts = [
        {"id": f"f{number}", "fact": text, "timestamp": day, "status": "active"}
        for number, (day, text) in enumerate(written["facts"])
    ]
    (shop / "facts.json").write_text(json.dumps({"facts": facts}, ensure_ascii=False, indent=1), "utf-8")
    (home / "MEMORY.md").write_text(_listed("# MEMORY\n\n## Facts\n\n", written["core"]), "utf-8")
    (shop / "rules.md").write_text(_listed("# Rules\n\n", written["rules"]), "utf-8")
    journal = "".join(f"- {day} [fact] {text}\n" for day, text in written["journal"])
    (home / "daily/2026-02-20.md").write_text(f"# 2026-02-20\n\n{journal}", "utf-8")
    return home


def every(vault: Vault) -> list[Candidate]:
    """All that waits, not only what a person is shown first."""
    held, (foremost.MOST, foremost.A_PLACE) = (foremost.MOST, foremost.A_PLACE), (100_000, 100_000)
    told, foremost.COMPARED = foremost.COMPARED, frozenset()
    try:
        return queue.load_queue(vault).waiting
    finally:
        (foremost.MOST, foremost.A_PLACE), foremost.COMPARED = held, told


def proposed(home: Path) -> Iterator[tuple[str, str, str]]:
    """Origin and the two texts of what a person would be asked: of a contradiction the newer one first."""
    with Vault.open([home]) as vault:
        for candidate in every(vault):
            if candidate.origin in {"contradiction", "duplicate"}:
                for one in candidate.members or (candidate,):
                    yield one.origin, one.text, one.near[0].text


def measured(
    origin: str, among: Iterable[Pair], said: Iterable[tuple[str, str, str]]
) -> tuple[Measure, list[Pair], list[tuple[str, str]]]:
    """The measure of one origin, with the pairs that were missed and the proposals that are wrong.

    A proposal counts for the half that its texts belong to; one that concerns strangers counts for either.
    """
    among = list(among)
    wanted = {pair.key: pair for pair in among if pair.kind == origin}
    mine = {text for pair in among for text in pair.key}
    theirs = {text for pair in pairs() for text in pair.key} - mine
    found: set[frozenset[str]] = set()
    wrong: list[tuple[str, str]] = []
    for which, one, two in said:
        key = frozenset((normalize_text(one), normalize_text(two)))
        if which != origin:
            continue
        if key in wanted:
            found.add(key)
        elif not key & theirs:
            wrong.append((one, two))
    missed = [pair for key, pair in wanted.items() if key not in found]
    return Measure(len(wanted), len(found), len(wrong)), missed, wrong


def _listed(head: str, lines: Iterable[tuple[str, str]]) -> str:
    return head + "".join(f"- {text}\n" for _day, text in lines)


def _records(name: str) -> list[dict[str, str]]:
    return [json.loads(line) for line in (_HERE / name).read_text("utf-8").splitlines()]
