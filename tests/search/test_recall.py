"""Names in queries: what homes know, what is quoted, what is written as a name; and how homes are asked."""

from __future__ import annotations

import json
import os
import shutil
import time
from collections.abc import Sequence
from pathlib import Path

import apsw
import pytest

from memtui.core.model import Filter
from memtui.search.names import (
    MOST,
    KnownNames,
    _held,
    extract_coined_names,
    extract_query_names,
    load_home_names,
    load_names,
    merge_home_names,
)
from memtui.search.texts import SearchTarget
from memtui.store.vault import Vault

HOMES = Path(__file__).parent.parent / "homes"
NAMES = ("支付", "支付回调", "my-shop", "merge queue", "Ünïcode", "the", "rg")


def known_by(targets: Sequence[SearchTarget]) -> KnownNames:
    return merge_home_names([load_home_names(target) for target in targets])


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("When did Caroline go to Chengdu?", ["Caroline", "Chengdu"]),
        ("Caroline's cat", ["Caroline"]),
        ("Deploy the thing", []),
        ("What happened on Monday in March", []),
        ("New York in spring. Then what", ["New York"]),
        ("支付回调怎么幂等", ["支付回调"]),
        ("我的支付", ["支付"]),
        ("how does MY_SHOP start", ["my-shop"]),
        ("the Merge Queue rules", ["merge queue"]),
        ("unicode text", ["Ünïcode"]),
        ("how do `retries` and “exactly once” work", ["retries", "exactly once"]),
        ("《三体》讲什么", ["三体"]),
        ("use JWT or getUserName in user_id", ["JWT", "getUserName", "user_id"]),
        ("orgy rgb", []),
        ("", []),
        ("\0\ud800(((", []),
    ],
)
def test_names_in_a_query(query: str, expected: list[str]) -> None:
    assert extract_query_names(query, NAMES) == expected
    assert extract_query_names(query, KnownNames(NAMES)) == expected


def test_made_up_words() -> None:
    assert extract_coined_names("WebSocket and `ripgrep`, plainly. RS256 snake_case iPhone A") == [
        "WebSocket", "ripgrep", "RS256", "snake_case", "iPhone",
    ]  # fmt: skip


@pytest.mark.parametrize("query", ["A" * 100_000, "支" * 100_000, "`" * 10_000, "Aa" * 50_000, "A b " * 20_000])
def test_any_query_is_quick(query: str) -> None:
    known = KnownNames(f"name {n}" for n in range(MOST + 50))
    assert len(known) == MOST
    began = time.thread_time()
    extract_query_names(query, known)
    assert time.thread_time() - began < 1


def test_what_homes_know(tmp_path: Path) -> None:
    shutil.copytree(HOMES / "memtui", tmp_path / "m")
    facts = tmp_path / "m/areas/projects/shop/facts.json"
    facts.write_text(json.dumps({"facts": [{"id": "f", "fact": "x", "entities": ["网关", "Stripe"]}]}), "utf-8")
    shutil.copytree(HOMES / "claude/projects/-home-lin-my-shop", tmp_path / "-home-lin-my-shop")
    with Vault.open([tmp_path / "m", tmp_path / "-home-lin-my-shop"]) as vault:
        targets = [shelf.target() for shelf in vault._shelves]
        known = known_by(targets)
        assert {"shop", "rg", "网关", "Stripe", "payment_callback", "deploy"} <= set(known)
        assert known_by(targets) is known
        facts.write_text('{"facts": [{"id": "f", "fact": "x", "tags": ["Kafka"]}]}', "utf-8")
        vault.refresh()
        assert "kafka" in merge_home_names(list(map(load_home_names, targets))) and "Stripe" not in known_by(targets)


def test_what_a_database_knows(tmp_path: Path) -> None:
    place = tmp_path / "w/data/memory"
    place.mkdir(parents=True)
    db = apsw.Connection(str(place / "openakita.db"))
    db.execute("CREATE TABLE memories(id TEXT PRIMARY KEY, content TEXT, tags TEXT)")
    db.execute("CREATE TABLE episodes(id TEXT PRIMARY KEY, session_id TEXT, summary TEXT, entities TEXT)")
    db.execute("""INSERT INTO memories VALUES('1', 'x', '["Kafka"]'), ('2', 'y', 'no list'), ('3', 'z', NULL)""")
    db.execute("""INSERT INTO episodes VALUES('e', 's', 'done', '["林悦", 3]')""")
    db.close()
    with Vault.open([tmp_path / "w"]) as vault:
        known = known_by([shelf.target() for shelf in vault._shelves])
        assert extract_query_names("林悦用的 kafka 吗", known) == ["林悦", "Kafka"]


def test_names_are_kept_beside_the_index(tmp_path: Path) -> None:
    """Whatever stands in the file that keeps them, the answer is what the home's records say."""
    shutil.copytree(HOMES / "memtui", tmp_path / "m")
    facts = tmp_path / "m/areas/projects/shop/facts.json"
    facts.write_text('{"facts": [{"id": "f", "fact": "x", "entities": ["Stripe"]}]}', "utf-8")

    def names() -> dict[str, str] | None:
        with Vault.open([tmp_path / "m"]) as vault:
            index = vault._shelves[0].target().index
            assert index is not None
            _held.clear()
            assert "stripe" in {name.lower() for name in known_by(vault.targets(Filter()))}
            return load_names(index)

    assert names() == names()
    with Vault.open([tmp_path / "m"]) as vault:
        place = vault._shelves[0].place
        index = vault._shelves[0].target().index
        assert index is not None
        file = place.directory / f"{place.stem}.names"
        kept = json.loads(file.read_bytes())
        for bad in (b"", b"\xff", b"[]", b"{}", b"null", b"[" * 100_000, json.dumps({**kept, "names": 3}).encode(),
                    json.dumps({**kept, "names": ["x"]}).encode(), json.dumps({**kept, "names": {"x": 3}}).encode(),
                    json.dumps({**kept, "generation": -1}).encode(),
                    json.dumps({**kept, "index": "other"}).encode()):  # fmt: skip
            file.write_bytes(bad)
            assert load_names(index) is None
        file.unlink()
        os.mkfifo(file)
        assert load_names(index) is None
        assert names()
        file.unlink()
        (tmp_path / "other").write_text(json.dumps({**kept, "names": {"wrong": "wrong"}}))
        file.symlink_to(tmp_path / "other")
        assert load_names(index) is None
        facts.write_text('{"facts": [{"id": "f", "fact": "x", "entities": ["Kafka", "Stripe"]}]}', "utf-8")
    assert (names() or {}).get("kafka") == "Kafka"
