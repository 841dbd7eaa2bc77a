"""What several tools remember in words of their own, on the demo's homes."""

from __future__ import annotations

from pathlib import Path

from memtui.analysis.process import update_analyses
from memtui.demo import copy
from memtui.layouts import load_badge
from memtui.review.queue import LARGE
from memtui.store.vault import Vault


def test_the_same_thing_in_several_tools_words_is_found_once(tmp_path: Path) -> None:
    homes = copy(tmp_path / "demo")
    with Vault.open(homes) as vault:
        made = update_analyses(vault, ("echoes",))
        groups = made[str(vault.homes[0].path), "echoes"].value
        tools = {str(home.path): load_badge(home.layout).letters for home in vault.homes}
    assert len(groups) >= 5
    for group in groups:
        assert 2 <= len(group) <= LARGE
        assert len({tools[memory.home] for memory in group}) > 1
    ids = [memory.id for group in groups for memory in group]
    assert len(ids) == len(set(ids))
    first = " ".join(memory.text for memory in groups[0])
    assert len({tools[memory.home] for memory in groups[0]}) == 3
    assert "paste the last line" in first
    assert all("reversal" not in memory.text for memory in groups[0])
    with Vault.open(homes[:1]) as vault:
        assert update_analyses(vault, ("echoes",))[str(vault.homes[0].path), "echoes"].value == []
