"""`memtui avoid check` and `memtui avoid list`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import Caller


@pytest.fixture
def script(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A script in the project of the home, which is the working directory."""
    monkeypatch.chdir(home.parent)
    file = home.parent / "deploy.sh"
    file.write_text("#!/bin/bash\ndeclare -A map\nrm -rf $map\n", "utf-8")
    return file


def test_check(call: Caller, script: Path) -> None:
    done = call("avoid", "check", "deploy.sh")
    assert done.status == 1
    assert done.out.startswith("deploy.sh:2 block shell-declare-A: ")
    assert "deploy.sh:3 warn shell-remove-unquoted: " in done.out
    assert done.err == "2 findings.\n"
    answer = call("avoid", "check", "deploy.sh", "--json", "--blocking").json
    assert [(found["file"], found["line"], found["rule"]) for found in answer["findings"]] == [
        ("deploy.sh", 2, "shell-declare-A")
    ]
    script.write_text("echo\n", "utf-8")
    clean = call("avoid", "check", "deploy.sh")
    assert (clean.status, clean.out, clean.err) == (0, "", "Nothing found.\n")


def test_what_cannot_be_checked(call: Caller, script: Path) -> None:
    del script
    assert call("avoid", "check", "none.sh").status == 4
    assert call("avoid", "check").status == 2
    assert call("avoid", "list", "a.sh", "b.sh").status == 2


def test_list_and_rules_of_ones_own(call: Caller, home: Path, script: Path) -> None:
    assert script.exists()
    everything = call("avoid", "list", "--json").json["rules"]
    about = call("avoid", "list", "deploy.sh", "--json").json["rules"]
    assert {"shell-declare-A"} < {rule["id"] for rule in about} < {rule["id"] for rule in everything}
    assert call("avoid", "list", "notes.txt").status == 1
    (home / "avoid.toml").write_text(
        '[[rule]]\nid = "shell-declare-A"\nenabled = false\n[[rule]]\nid = "bad"\n', "utf-8"
    )
    done = call("avoid", "check", "deploy.sh", "--blocking")
    assert done.status == 0
    assert "rule 'bad' is left out" in done.err
    assert call("avoid", "check", "deploy.sh", "--blocking", "--json").json == {"findings": []}
