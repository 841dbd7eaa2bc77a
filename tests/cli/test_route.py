"""`memtui route` names documents, and makes INDEX.md anew."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Caller


def test_the_documents_that_words_lead_to(call: Caller, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (home / "INDEX.md").write_text(
        "| keywords | document |\n|---|---|\n| 支付, pay | areas/projects/shop/rules.md |\n", "utf-8"
    )
    route = {
        "home": str(home),
        "path": "areas/projects/shop/rules.md",
        "trigger": "支付",
        "source": "INDEX.md:3",
        "command": "",
    }
    done = call("route", "支付怎么做", "--json")
    assert (done.status, done.json) == (0, {"routes": [route]})
    shown = call("route", "how to", "pay")
    assert (shown.status, shown.err) == (0, "")
    assert shown.out == ".memtui/areas/projects/shop/rules.md  pay  INDEX.md:3\n"
    assert call("route", "nothing of it", "--json").json == {"routes": []}
    none = call("route", "nothing of it")
    assert (none.status, none.out, none.err) == (1, "", "No rule leads anywhere.\n")
    monkeypatch.setenv("MEMTUI_ROUTING_TRIGGERS", "buy|kaufen: MEMORY.md")
    assert call("route", "kaufen", "--json").json["routes"][0]["source"] == "config"
    monkeypatch.setenv("MEMTUI_ROUTING_ENABLED", "false")
    assert "routing.enabled" in call("route", "kaufen").err


def test_making_the_index_anew(call: Caller, home: Path) -> None:
    planned = call("route", "--regenerate", "--dry-run")
    assert planned.status == 0 and "+| shop" in planned.out
    assert not (home / "INDEX.md").exists()
    done = call("route", "--regenerate", "--json")
    assert done.json["receipt"]["paths"] == [str(home / "INDEX.md")]
    assert "owned" not in done.out or "\x1b" not in done.out
    assert call("route", "shop", "--json").json["routes"]
    again = call("route", "--regenerate")
    assert (again.status, again.err) == (1, "INDEX.md is up to date.\n")
    assert call("undo").status == 0
    assert not (home / "INDEX.md").exists()


@pytest.mark.parametrize("argv", [[], ["--dry-run"], ["x", "--dry-run"], ["x", "--regenerate"]], ids=str)
def test_wrong_use(call: Caller, home: Path, argv: list[str]) -> None:
    assert call("route", *argv).status == 2


def test_a_home_of_another_layout_has_no_index_of_ours(call: Caller, alone: Path) -> None:
    (alone / "notes").mkdir()
    (alone / "notes/a.md").write_text("# a\n", "utf-8")
    assert call("route", "--regenerate", "--home", "notes").status == 2
