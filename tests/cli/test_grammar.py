"""The quick reader answers as click would, or not at all; and times as they are read."""

from __future__ import annotations

from typing import Any

import click
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memtui.cli import COMMANDS, OPEN, tree
from memtui.cli.options import Argument, Command, CommandOption, parse_time, read
from memtui.core import clock
from memtui.core.errors import UsageError

CALLED: list[dict[str, Any]] = []


def run(**values: Any) -> int:
    CALLED.append(values)
    return 0


SAMPLE = Command(
    "sample",
    "A sample.",
    run,
    (Argument("verb", choices=("list", "show")), Argument("rest", many=True)),
    (
        CommandOption(("--number", "-n"), "A number.", "int", 10, least=1),
        CommandOption(("--share",), "A share.", "float", least=0),
        CommandOption(("--layer",), "Layers.", many=True, choices=("core", "journal")),
        CommandOption(("--name",), "A name."),
        CommandOption(("--json",), "JSON.", "flag", dest="as_json"),
        CommandOption(("--from",), "A line.", "int", least=1, dest="from_"),
    ),
)


def by_click(command: Command, argv: list[str]) -> dict[str, Any] | None:
    """What click makes of the same words; None where it complains or shows help."""
    CALLED.clear()
    params: list[click.Parameter] = [tree._make_argument(argument) for argument in command.arguments]
    params += [tree._make_option(option) for option in command.options]
    made = click.Command(command.name, params=params, callback=run)
    try:
        made.main(argv, standalone_mode=False)
    except click.ClickException:
        return None
    return CALLED[0] if CALLED else None


def test_reads_options_in_every_place() -> None:
    values = read(SAMPLE, ["list", "支付", "--layer", "core", "-n", "3", "b", "--layer=journal", "--json", "--from=2"])
    assert values == {
        "verb": "list",
        "rest": ("支付", "b"),
        "number": 3,
        "share": None,
        "layer": ("core", "journal"),
        "name": None,
        "as_json": True,
        "from_": 2,
    }


def test_words_behind_two_dashes_are_words() -> None:
    values = read(SAMPLE, ["list", "--", "--json", "-x"])
    assert values is not None
    assert values["rest"] == ("--json", "-x")
    assert values["as_json"] is False


@pytest.mark.parametrize(
    "argv",
    [
        ["--help"], ["-h"], ["--unknown"], ["-n"], ["-n3"], ["--number", "0"], ["--number", "three"],
        ["--share", "nan"], ["--share", "inf"], ["--layer", "cellar"], ["--json=yes"], ["--numb", "3"],
        ["wrong-verb"], ["--name", "--json"],
    ],
)  # fmt: skip
def test_what_is_not_certain_is_left_to_click(argv: list[str]) -> None:
    assert read(SAMPLE, argv) is None


WORDS = (
    "list show 支付 --json -n 5 0 --number=7 --layer core --layer=journal --name a.b -- --share 0.5 --from 1 "
    "- --name= --name=x=y -2"
)
words = st.sampled_from([*WORDS.split(), "", "a b"])


@settings(max_examples=300, deadline=None)
@given(st.lists(words, max_size=7))
def test_agrees_with_click(argv: list[str]) -> None:
    quick = read(SAMPLE, argv)
    if quick is not None:
        assert quick == by_click(SAMPLE, argv)


@pytest.mark.parametrize("place", [OPEN, *(place for _, place, _ in COMMANDS)])
def test_every_command_is_well_made(place: str) -> None:
    command = tree.load(place)
    made = tree.load_click_command(place)
    shown = made.get_help(click.Context(made))
    assert all(name in shown for option in command.options for name in option.names)
    # What a hook is about stands in its input, and it answers as its agent wants it.
    hook = command.name == "hook"
    # What a machine exchanges, and a server, is about no home that is open.
    assert ("--home" in shown) is not (hook or command.name in {"sync", "serve"})
    assert ("--json" in shown) == (place != OPEN and not hook)
    assert all(option.help.endswith(".") for option in command.options), "a sentence each"
    keys = [option.key for option in command.options] + [argument.key for argument in command.arguments]
    assert len(keys) == len(set(keys))


def test_names_in_the_registry_are_the_commands_own() -> None:
    assert [tree.load(place).name for _, place, _ in COMMANDS] == [name for name, _, _ in COMMANDS]


@pytest.fixture
def stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMTUI_NOW", "2026-03-01T10:30:00+08:00")
    monkeypatch.setenv("MEMTUI_TZ", "Asia/Shanghai")


def shown(seconds: float) -> str:
    return clock.convert_to_local(seconds).strftime("%Y-%m-%d %H:%M")


@pytest.mark.usefixtures("stopped")
@pytest.mark.parametrize(
    ("text", "begin"),
    [
        ("7d", "2026-02-22 10:30"),
        ("７ｄ", "2026-02-22 10:30"),
        ("12h", "2026-02-28 22:30"),
        ("2w", "2026-02-15 10:30"),
        ("1mo", "2026-01-30 10:30"),
        ("90min", "2026-03-01 09:00"),
        (" 1Y ", "2025-03-01 10:30"),
        ("today", "2026-03-01 00:00"),
        ("昨天", "2026-02-28 00:00"),
        ("2026-02-01", "2026-02-01 00:00"),
        ("2026-02-01 14:30", "2026-02-01 14:30"),
        ("2026-02-01T00:00:00Z", "2026-02-01 08:00"),
    ],
)
def test_since(text: str, begin: str) -> None:
    assert shown(parse_time(text)) == begin


@pytest.mark.usefixtures("stopped")
def test_until_a_day_is_until_its_end() -> None:
    assert shown(parse_time("2026-02-28", end=True)) == "2026-03-01 00:00"
    assert shown(parse_time("today", end=True)) == "2026-03-02 00:00"
    assert shown(parse_time("2026-02-28 14:30", end=True)) == "2026-02-28 14:30"


@pytest.mark.parametrize("text", ["", "soon", "7 x", "-3d", "d", "2026-02-30", "9999999d"])
def test_nonsense_is_wrong_use(text: str) -> None:
    with pytest.raises(UsageError, match="time"):
        parse_time(text)
