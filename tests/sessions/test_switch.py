"""What a session is given can be switched off: everywhere, for a project, for one session."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from memtui.core.config import Config, load
from memtui.core.errors import UsageError
from memtui.sessions.rules import explain_switch, switch_everywhere, switch_project, switch_session
from tests.sessions.beginnings import budget, session

if TYPE_CHECKING:
    from pathlib import Path


def test_on_by_itself() -> None:
    assert explain_switch(session(), Config()) == ""


@pytest.mark.parametrize(
    ("value", "is_off"), [("1", True), ("yes", True), ("0", False), ("", False), ("off", False)]
)
def test_by_the_environment(monkeypatch: pytest.MonkeyPatch, value: str, is_off: bool) -> None:
    monkeypatch.setenv("MEMTUI_OFF", value)
    assert bool(explain_switch(session(), Config())) is is_off


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
    assert bool(explain_switch(session(), budget(off=(entry,)))) is is_off


def test_a_session_by_itself() -> None:
    one, two = session(id="one"), session(id="../../two")
    switch_session(one, False)
    switch_session(one, False)
    switch_session(two, False)
    assert explain_switch(one, Config())
    assert explain_switch(two, Config())
    assert explain_switch(session(id="three"), Config()) == ""
    switch_session(one, True)
    switch_session(one, True)
    assert explain_switch(one, Config()) == ""
    with pytest.raises(UsageError):
        switch_session(session(id=""), False)


def test_a_project_in_the_settings(_own_user: Path) -> None:
    assert switch_project(session(), False, load()[0]) == ("github.com_acme_shop",)
    config = load()[0]
    assert explain_switch(session(), config)
    assert explain_switch(session()._replace(project="other", name="other", cwd="/x"), config) == ""
    assert switch_project(session(), False, config) == ("github.com_acme_shop",)
    assert switch_project(session(), True, config) == ()
    assert explain_switch(session(), load()[0]) == ""


def test_everywhere() -> None:
    switch_everywhere(False)
    assert explain_switch(session(), load()[0])
    switch_everywhere(True)
    assert explain_switch(session(), load()[0]) == ""
