"""A rule whose document is not there is found; whatever may be right is not."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

from memtui.core.config import Config, RoutingConfig
from memtui.review.checkup import check_homes
from memtui.store.route_documents import list_broken_rules
from memtui.store.vault import Vault
from tests.routing.homes_of import HOMES, claude, made, opened
from tests.routing.test_loader import SPEC

if TYPE_CHECKING:
    from pathlib import Path


def test_what_a_loader_promises(tmp_path: Path) -> None:
    lines = "- grep → areas/tools/gone/summary.md\n- rg → areas/tools/rg/summary.md\n- x → /etc/hosts.md, ../../y.md\n"
    home = claude(tmp_path, SPEC + lines)
    (found,) = list_broken_rules(opened(home))
    assert (found.home, found.path, found.target) == (str(home), "", "areas/tools/gone/summary.md")
    assert found.source == "rules/memory-loader.md:11"
    both = list_broken_rules(opened(home.parent, home))
    assert len(both) == 1, "one loader of two homes is one"
    assert (both[0].path, both[0].line) == ("rules/memory-loader.md", 11)


def test_what_an_index_promises(tmp_path: Path) -> None:
    shutil.copytree(HOMES / "helloagents/project", tmp_path / "p")
    with Vault.open([tmp_path / "p"]) as vault:
        assert [(one.path, one.line, one.target) for one in list_broken_rules(vault)] == [
            (".helloagents/modules/_index.md", 6, "./ghost.md")
        ], "a module without a path promises nothing"
        (finding,) = (one for one in check_homes(vault) if one.what == "rule")
        assert (finding.path, finding.line) == (".helloagents/modules/_index.md", 6)
        assert "./ghost.md" in finding.text


def test_what_the_config_promises(tmp_path: Path) -> None:
    shutil.copytree(HOMES / "memtui", tmp_path / "m")
    own = ("grep: areas/tools/rg/rules.md", "deploy: areas/none.md", "x: areas/projects/{x}/none.md")
    vault = Vault.open([tmp_path / "m"], config=Config(routing=RoutingConfig(True, own)), wait=False)
    assert [(one.source, one.target) for one in list_broken_rules(vault)] == [("config", "areas/none.md")]
    made(tmp_path / "m", {"areas/none.md": "# n\n"})
    assert list_broken_rules(vault) == []
