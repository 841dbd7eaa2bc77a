from __future__ import annotations

from pathlib import Path

import pytest

from memtui.index import rows
from tests.vectors.bench import Bench


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Bench:
    """An empty home with an empty index."""
    monkeypatch.setattr(rows, "RACY", 0)
    return Bench(tmp_path / "home")


@pytest.fixture
def filled(bench: Bench) -> Bench:
    """A home of two files, its vectors made."""
    bench.write("one.md", "# Food\n\n- apples are red\n- bananas are yellow\n\n# Cars\n\n- engines need oil\n")
    bench.write("two.md", "# 数据库\n\n- 数据库连接超时\n- 重试三次\n")
    assert bench.fill().done == 5
    return bench
