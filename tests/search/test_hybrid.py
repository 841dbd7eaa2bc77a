"""Words and meaning together: a stand-in for a model that knows a few pairs of words, so that every reason is known."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from memtui import Vault
from memtui.core.config import Config, SearchConfig
from memtui.core.errors import UnavailableError
from memtui.core.model import Filter, Layer
from memtui.index.queries import Index
from memtui.search import search
from memtui.search.texts import SearchTarget
from memtui.search.vector import Sense, compute_chance_score

CONCEPTS = (
    ("deploy", "release", "ship", "部署", "上线"),
    ("cat", "kitten", "pet", "猫", "宠物"),
    ("tea", "drink", "coffee", "茶"),
    ("database", "postgres", "数据库"),
)


def sense(text: str) -> list[float]:
    """One axis a concept, and one for everything else."""
    low = text.lower()
    found = [float(sum(low.count(word) for word in words)) for words in CONCEPTS]
    whole = [*found, 0.3]
    length = math.sqrt(sum(value * value for value in whole))
    return [value / length for value in whole]


class StandIn:
    """The vectors of a home, worked out from its lines as they are asked for."""

    def __init__(self, index: Index, root: Path, *, forget: frozenset[str] = frozenset()) -> None:
        self._rows = [row for file in index.files() for row in index.in_file(file.path)]
        self._root = root
        self._forget = forget
        self.count = len(self._rows)
        self.dimensions = len(CONCEPTS) + 1

    def add_up(self) -> tuple[Any, int]:
        return np.zeros(self.dimensions), self.count

    def scores(self, query: Any, *, share: float, common: Any, layers: frozenset[int] | None = None) -> Near:
        del share, common, layers
        near = {}
        for row in self._rows:
            lines = (self._root / row.path).read_text("utf-8").split("\n")[row.line - 1 : row.last]
            own = sense("\n".join(lines))
            if row.path not in self._forget:
                near[row.id, row.crc] = sum(a * b for a, b in zip(own, query, strict=True))
        return Near(near)


class Near:
    """As `memtui.vectors.Scores`."""

    def __init__(self, near: dict[tuple[int, int], float]) -> None:
        self._near = near
        values = list(near.values())
        self.mean = sum(values) / max(len(values), 1)
        self.deviation = math.sqrt(sum((v - self.mean) ** 2 for v in values) / max(len(values), 1)) or 1.0

    def best(self, depth: int) -> list[tuple[int, int, float]]:
        order = sorted(self._near.items(), key=lambda item: -item[1])[:depth]
        return [(id_, crc, score) for (id_, crc), score in order]

    def of(self, pairs: Iterable[tuple[int, int]]) -> list[float | None]:
        return [self._near.get(pair) for pair in pairs]


MEMORY = """# Memory

## Work
- The release goes out on Thursdays after the smoke test
- 数据库连接池的上限是 20
- Never force-push to main

## Home
- The kitten is called Biscuit and is afraid of the vacuum cleaner
- Jasmine in the morning, nothing after four
- ~~The cat is called Toast~~
"""


@pytest.fixture
def target(tmp_path: Path) -> Iterator[SearchTarget]:
    root = tmp_path / "home"
    root.mkdir()
    (root / "MEMORY.md").write_text(MEMORY, "utf-8")
    with Vault.open([root]) as vault:
        made = vault._shelves[0].target()
        assert made.index is not None
        vectors: Any = StandIn(made.index, root)
        made.vectors = lambda: vectors
        yield made


def ask(target: SearchTarget, query: str, mode: str = "hybrid", **more: Any) -> list[str]:
    return [hit.snippet for hit in found(target, query, mode, **more)]


def found(target: SearchTarget, query: str, mode: str = "hybrid", **more: Any) -> Any:
    return search([target], query, mode=mode, embed=lambda text: (sense(text), "stand-in"), **more)


def test_meaning_finds_what_no_word_names(target: SearchTarget) -> None:
    # A single word is not looked for in others; a sentence is.
    assert ask(target, "ship", "fts") == []
    assert "Thursdays" in ask(target, "when do we ship", "fts")[0]
    assert "Thursdays" in ask(target, "when do we ship")[0]
    assert "Thursdays" in ask(target, "什么时候上线")[0]
    assert "连接池" in ask(target, "postgres")[0]
    assert "Thursdays" in ask(target, "when do we ship", "vector")[0]


@pytest.mark.parametrize("mode", ["hybrid", "vector"])
def test_a_field_that_nobody_filled_in_is_near_nothing(tmp_path: Path, mode: str) -> None:
    (tmp_path / "MEMORY.md").write_text("# Memory\n\n- **Teapot:**\n- The teapot has a blue lid\n", "utf-8")
    with Vault.open([tmp_path]) as vault:
        made = vault._shelves[0].target()
        assert made.index is not None
        vectors: Any = StandIn(made.index, tmp_path)
        made.vectors = lambda: vectors
        assert ask(made, "coffee", mode) == ["- The teapot has a blue lid"]
        # By its word it is found: somebody may want to fill it in.
        assert "- **Teapot:**" in ask(made, "teapot", mode)


def test_what_memories_have_in_common_is_that_of_all_homes_of_the_model() -> None:
    def shelf(total: list[float], count: int) -> Any:
        held = SimpleNamespace(dimensions=len(total), add_up=lambda: (np.array(total), count))
        return SimpleNamespace(vectors=lambda: held)

    small, large, other = shelf([0.0, 2.0], 2), shelf([6.0, 0.0], 6), shelf([1.0, 1.0, 1.0], 3)
    sense_of_all = Sense("hybrid", None, SearchConfig())
    none: list[Any] = [SimpleNamespace(vectors=None), SimpleNamespace(vectors=lambda: None)]
    sense_of_all.begin([small, large, other, *none])
    assert sense_of_all._find_common(small.vectors()).tolist() == [0.6, 0.2]
    # Another search asks other homes.
    sense_of_all.begin([small])
    assert sense_of_all._find_common(small.vectors()).tolist() == [0.0, 0.5]
    sense_of_all.begin([])
    assert sense_of_all._find_common(other.vectors()).tolist() == [0.2, 0.2, 0.2]


def test_words_still_find_what_stands_there(target: SearchTarget) -> None:
    assert "Biscuit" in ask(target, "Biscuit")[0]
    assert "force-push" in ask(target, "force-push")[0]
    assert "连接池" in ask(target, "连接池")[0]


@pytest.mark.parametrize("fusion", ["zscore", "rrf", "weighted"])
def test_every_fusion_scores_between_nothing_and_one(target: SearchTarget, fusion: str) -> None:
    results = found(target, "kitten release", config=SearchConfig(fusion=fusion))
    assert results.fusion == fusion
    assert {"Biscuit" in hit.snippet or "release" in hit.snippet for hit in results[:2]} == {True}
    scores = [hit.score for hit in results]
    assert scores == sorted(scores, reverse=True)
    assert all(0 <= score <= 1 for score in scores)
    assert all(hit.score >= scores[1] for hit in found(target, "kitten release", min_score=scores[1],
                                                       config=SearchConfig(fusion=fusion)))  # fmt: skip


def test_a_hit_says_why(target: SearchTarget) -> None:
    best = found(target, "what is the kitten called")[0]
    assert best.parts.word_rank == 1
    assert best.parts.meaning_rank == 1
    assert best.parts.words > 0
    assert best.parts.meaning is not None
    assert best.parts.meaning > 0.5
    results = found(target, "kitten")
    assert results.backend == "hybrid"
    assert results.model == "stand-in"
    assert results.covered[0] == results.covered[1] > 0
    assert results.warning == ""


def test_filters_and_refusals_hold_for_meaning(target: SearchTarget) -> None:
    assert not any("Toast" in line for line in ask(target, "pet"))
    assert any("Toast" in line for line in ask(target, "pet", filter=Filter(statuses=frozenset())))
    assert ask(target, "pet", filter=Filter(layers=frozenset({Layer.JOURNAL}))) == []
    assert not any("Biscuit" in line for line in ask(target, "pet -Biscuit"))
    assert ask(target, '"no such words" pet') == ask(target, "no such words pet")
    assert all("vacuum" in line for line in ask(target, '"vacuum cleaner" deploy'))


def test_without_a_model_the_words_answer_and_say_so(target: SearchTarget) -> None:
    def broken(text: str) -> tuple[Any, str]:
        raise UnavailableError("the server does not answer")

    results = search([target], "Biscuit", mode="hybrid", embed=broken)
    assert results.backend == "fts"
    assert "does not answer" in results.warning
    assert "Biscuit" in results[0].snippet
    target.vectors = None
    results = search([target], "Biscuit", mode="hybrid", embed=broken)
    assert "memtui index" in results.warning
    assert search([target], "Biscuit", mode="auto", embed=broken).warning == ""


def test_half_made_vectors_degrade_and_say_so(target: SearchTarget, tmp_path: Path) -> None:
    assert target.index is not None
    half: Any = StandIn(target.index, tmp_path / "home")
    half._rows = half._rows[:3]
    half.count = 3
    target.vectors = lambda: half
    results = found(target, "Biscuit")
    assert "Biscuit" in results[0].snippet
    assert results.covered[0] < results.covered[1]
    assert "50 %" in results.warning


def test_typing_answers_by_words_first_and_by_meaning_later(target: SearchTarget) -> None:
    from threading import Event

    done = Event()
    later: list[Any] = []

    def refine(better: Any) -> None:
        later.append(better)
        done.set()

    quick = found(target, "kitten", typing=True, refine=refine)
    assert quick.backend == "fts"
    assert quick.bounded
    assert done.wait(60)
    assert later[0].backend == "hybrid"


def test_new_memories_are_raised_only_if_asked_for(tmp_path: Path) -> None:
    from memtui.core import clock

    root = tmp_path / "home"
    (root / "daily").mkdir(parents=True)
    (root / "MEMORY.md").write_text("# Memory\n\n- the tea is in the tin\n", "utf-8")
    now = clock.now()
    for days, word in ((300, "older"), (1, "newer")):
        day = clock.convert_to_local(now - days * 86400).date().isoformat()
        (root / "daily" / f"{day}.md").write_text(f"# {day}\n- {day}T10:00:00Z [note] {word} tea\n", "utf-8")
    with Vault.open([root], config=Config(search=SearchConfig(recency=1.0))) as vault:
        hits = vault.find("tea", mode="fts")
        raised = {hit.snippet.split()[-2]: hit.parts.recency for hit in hits}
    assert raised["newer"] > raised["older"] > 0
    assert raised["the"] == 0


def test_a_near_duplicate_comes_after_what_says_something_else(tmp_path: Path) -> None:
    root = tmp_path / "home"
    root.mkdir()
    lines = (
        "tea tea is kept in the red tin by the window",
        "tea tea is kept in the red tin by the window.",
        "coffee or tea?",
    )
    (root / "MEMORY.md").write_text("# M\n\n" + "".join(f"- {line}\n\nx\n\n" for line in lines), "utf-8")
    for diversity, second in ((0.0, "tin"), (0.9, "coffee")):
        with Vault.open([root], config=Config(search=SearchConfig(diversity=diversity))) as vault:
            assert second in vault.find("tea tin", mode="fts")[1].snippet


def test_what_is_only_alike_makes_room_too(tmp_path: Path) -> None:
    """Spec 001 §2.2's MMR, in a journal whose lines differ in a word or two."""
    root = tmp_path / "home"
    (root / "daily").mkdir(parents=True)
    (root / "MEMORY.md").write_text("# M\n", "utf-8")
    lines = [f"2026-03-27T10:0{n}:00Z [decision] 缓存采用 Redis 集群，端口 637{n}" for n in range(4)]
    lines.append("2026-03-27T11:00:00Z [todo] 缓存命中率的监控还没有做，要接 Grafana 面板")
    (root / "daily" / "2026-03-27.md").write_text("".join(f"- {line}\n" for line in lines), "utf-8")
    places = []
    for diversity in (0.0, 0.7):
        with Vault.open([root], config=Config(search=SearchConfig(diversity=diversity))) as vault:
            hits = vault.find("缓存", mode="fts")
            places.append(next(number for number, hit in enumerate(hits) if "Grafana" in hit.snippet))
    assert places == [4, 1]


def test_a_time_that_the_question_names_recalls_its_memories(tmp_path: Path) -> None:
    root = tmp_path / "home"
    (root / "daily").mkdir(parents=True)
    (root / "MEMORY.md").write_text("# Memory\n", "utf-8")
    for day, line in (("2026-02-09", "把网关换成了新的"), ("2026-03-20", "量了窗帘的尺寸")):
        (root / "daily" / f"{day}.md").write_text(f"# {day}\n- {day}T10:00:00Z [note] {line}\n", "utf-8")
    with Vault.open([root]) as vault:
        hits = vault.find("2026年2月做了什么", mode="fts")
        assert [hit.snippet.rpartition(" ")[2] for hit in hits[:1]] == ["把网关换成了新的"]
        assert "2026年2月" in hits[0].parts.recalled
        assert "窗帘" in vault.find("what happened in March 2026", mode="fts")[0].snippet


def test_names_that_the_homes_know_are_said_and_raised(tmp_path: Path) -> None:
    import json

    root = tmp_path / "home"
    (root / "daily").mkdir(parents=True)
    (root / "MEMORY.md").write_text(
        "# Memory\n\n- the kitten of Larkspur\n\n# Else\n\n- the kitten of nobody\n", "utf-8"
    )
    fact = {"content": "Larkspur sells plants", "memory_type": "W", "entities": ["Larkspur"], "confidence": 0.9}
    (root / "daily" / "2026-02-09.jsonl").write_text(json.dumps(fact) + "\n", "utf-8")
    with Vault.open([root]) as vault:
        made = vault._shelves[0].target()
        assert made.index is not None
        vectors: Any = StandIn(made.index, root)
        made.vectors = lambda: vectors
        hits = found(made, "larkspur kitten")
    assert "Larkspur" in hits[0].snippet
    assert "Larkspur" in hits[0].parts.recalled
    assert not any(hit.parts.recalled for hit in hits if "nobody" in hit.snippet)


@pytest.mark.parametrize("mode", ["auto", "hybrid", "vector"])
@pytest.mark.parametrize("signs", ["，。", "→", "🦫"])
def test_signs_alone_mean_nothing_and_nothing_is_missed(target: SearchTarget, mode: str, signs: str) -> None:
    assert found(target, signs, mode).warning == ""


def test_of_hits_no_nearer_than_chance_it_is_told() -> None:
    def held(count: int) -> list[tuple[Any, int]]:
        return [(None, count)]

    assert compute_chance_score(held(5)) == 0.5
    assert (
        0.70
        < compute_chance_score(held(200))
        < compute_chance_score(held(400))
        < 0.75
        < compute_chance_score(held(100_000))
        < 0.81
    )
