"""What a session is given can be switched off: everywhere, for a project, for one session."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from memtui.core.config import Config, load
from memtui.core.errors import UsageError
from memtui.sessions.rules import everywhere_switched, off, project_switched, switched
from tests.sessions.beginnings import budget, session

if TYPE_CHECKING:
    from pathlib import Path


def test_on_by_itself() -> None:
    assert off(session(), Config()) == ""


@pytest.mark.parametrize(
    ("value", "is_off"), [("1", True), ("yes", True), ("0", False), ("", False), ("off", False)]
)
def test_by_the_environment(monkeypatch: pytest.MonkeyPatch, value: str, is_off: bool) -> None:
    monkeypatch.setenv("MEMTUI_OFF", value)
    assert bool(off(session(), Config())) is is_off


@pytest.mark.parametrize(
    ("entry", "is_off"),
    [
        ("github.com_acme_shop", True),
        ("Shop", True),
        ("/home/u/shop", True),
        ("/home/u", True),
        ("/home/u/sho", False),
        ("other", False),
        (" ", False),
    ],
)
def test_by_project(entry: str, is_off: bool) -> None:
    assert bool(off(session(), budget(off=(entry,)))) is is_off


def test_a_session_by_itself() -> None:
    one, two = session(id="one"), session(id="../../two")
    switched(one, False)
    switched(one, False)
    switched(two, False)
    assert off(one, Config())
    assert off(two, Config())
    assert off(session(id="three"), Config()) == ""
    switched(one, True)
    switched(one, True)
    assert off(one, Config()) == ""
    with pytest.raises(UsageError):
        switched(session(id=""), False)


def test_a_project_in_the_settings(_own_user: Path) -> None:
    assert project_switched(session(), False, load()[0]) == ("github.com_acme_shop",)
    config = load()[0]
    assert off(session(), config)
    assert off(session()._replace(project="other", name="other", cwd="/x"), config) == ""
    assert project_switched(session(), False, config) == ("github.com_acme_shop",)
    assert project_switched(session(), True, config) == ()
    assert off(session(), load()[0]) == ""


def test_everywhere() -> None:
    everywhere_switched(False)
    assert off(session(), load()[0])
    everywhere_switched(True)
    assert off(session(), load()[0]) == ""
