"""What others share, searched beside one's own: what is found, and how much of it is looked at (issue 18)."""

from __future__ import annotations

import os
import random
import shutil
from contextlib import ExitStack
from pathlib import Path

import pytest

from memtui import Vault
from memtui.core.model import Hit
from memtui.fs.places import find_cache_directory
from memtui.search.fts import DEPTH
from memtui.search.texts import MemoryTexts

WORDS = [f"{one}{two}{three}" for one in ("kes", "osp", "har") for two in "aeiou" for three in ("trel", "rey", "rier")]


@pytest.fixture
def homes(tmp_path: Path) -> list[Path]:
    """One's own home, and three that others share, of different sizes."""
    crew = find_cache_directory() / "team" / "crew"
    found = [tmp_path / "own" / ".memtui", *(crew / f"p{n}@m" / f"notes{n}.memtui.abc12{n}" for n in range(3))]
    chance, moment = random.Random(7), 1_700_000_000
    weights = [1 / (number + 2) for number in range(len(WORDS))]
    for number, (home, files) in enumerate(zip(found, (40, 25, 8, 1), strict=True)):
        (home / "areas").mkdir(parents=True)
        for file in range(files):
            lines = (" ".join(chance.choices(WORDS, weights, k=chance.randint(3, 20))) for _line in range(15))
            path = home / "areas" / f"n{number}-{file}.md"
            path.write_text("# notes\n\n" + "".join(f"- {line}\n" for line in lines), encoding="utf-8")
            moment += 60
            os.utime(path, (moment, moment))
    return found


def place(hits: list[Hit]) -> list[tuple[str, int]]:
    return [(hit.path, hit.start_line) for hit in hits]


def copy_homes(homes: list[Path], folder: Path) -> list[Path]:
    """The same homes, where nobody takes them for what others share."""
    copies = [folder / str(number) / ".memtui" for number in range(len(homes))]
    for home, copy in zip(homes, copies, strict=True):
        shutil.copytree(home, copy)
    return copies


def test_where_all_that_match_are_looked_at_the_page_is_the_same_as_without_a_bound(
    homes: list[Path], tmp_path: Path
) -> None:
    with ExitStack() as held:
        shared = held.enter_context(Vault.open(homes, wait=True))
        whole = held.enter_context(Vault.open(copy_homes(homes, tmp_path / "copies"), wait=True))
        assert [home.origin is not None for home in shared.homes] == [False, True, True, True]
        asked = 0
        for query in (*WORDS[15:], *(f"{one} {two}" for one, two in zip(WORDS[20:], WORDS[30:], strict=False))):
            found, expected = (vault.find(query, mode="fts", limit=50) for vault in (shared, whole))
            if expected.total <= DEPTH:
                asked += 1
                assert place(found) == place(expected)
                assert [hit.score for hit in found] == [hit.score for hit in expected]
                assert found.total == expected.total
        assert asked > 10


def test_the_first_page_is_as_though_all_stood_in_one_home(homes: list[Path], tmp_path: Path) -> None:
    """Of more matches than are looked at, the best of all homes are: as many as of one's own home alone."""
    one = tmp_path / "one" / ".memtui"
    for home in homes:
        shutil.copytree(home, one, dirs_exist_ok=True)
    read: list[int] = []
    fill = MemoryTexts.fill

    def count(texts: MemoryTexts, places: list[object], *more: object) -> list[str]:
        read.append(len(places))
        return fill(texts, places, *more)  # type: ignore[arg-type]

    with ExitStack() as held, pytest.MonkeyPatch.context() as patched:
        shared = held.enter_context(Vault.open(homes, wait=True))
        whole = held.enter_context(Vault.open([one], wait=True))
        queries = [*WORDS[:8], *(f"{first} {second}" for first, second in zip(WORDS, WORDS[5:20], strict=False))]
        same = common = 0.0
        patched.setattr(MemoryTexts, "fill", count)
        for query in queries:
            expected = place(whole.find(query, mode="fts"))
            read.clear()
            found = place(shared.find(query, mode="fts"))
            assert sum(read) <= DEPTH * 1.3
            same += found[0] == expected[0]
            common += len(set(found) & set(expected)) / len(expected)
        assert same / len(queries) >= 0.9
        assert common / len(queries) >= 0.9


def test_what_others_share_brings_what_holds_every_word_however_much_there_is() -> None:
    """A mirror of common words costs little (issue 18), and its only line that holds both of them is not missed."""
    mirror = find_cache_directory() / "team" / "crew" / "ann@laptop" / "notes.memtui.abc123"
    (mirror / "areas").mkdir(parents=True)
    common = "".join(f"- kestrel {number}\n- osprey {number}\n" for number in range(1300))
    (mirror / "areas" / "birds.md").write_text(f"# birds\n\n{common}- kestrel beside osprey\n{common}")
    with Vault.open([mirror], wait=True) as vault:
        found = vault.find("kestrel osprey", mode="fts")
        assert found[0].snippet == "- kestrel beside osprey"
        assert (found.more, found.bounded) == (True, False)
        assert vault.find("kestrel 7", mode="fts")[0].snippet == "- kestrel 7"
