"""The quick reader answers as click would, or not at all."""

from __future__ import annotations

from typing import Any

import click
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memtui.cli import COMMANDS, OPEN, tree
from memtui.cli.options import Argument, Command, CommandOption, read

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
    params: list[click.Parameter] = [tree._argument(argument) for argument in command.arguments]
    params += [tree._option(option) for option in command.options]
    made = click.Command(command.name, params=params, callback=run)
    try:
        made.main(argv, standalone_mode=False)
    except click.ClickException:
        return None
    return CALLED[0] if CALLED else None


def test_reads_options_in_every_place() -> None:
    values = read(
        SAMPLE, ["list", "支付", "--layer", "core", "-n", "3", "b", "--layer=journal", "--json", "--from=2"]
    )
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
        ["--help"],
        ["-h"],
        ["--unknown"],
        ["-n"],
        ["-n3"],
        ["--number", "0"],
        ["--number", "three"],
        ["--share", "nan"],
        ["--share", "inf"],
        ["--layer", "cellar"],
        ["--json=yes"],
        ["--numb", "3"],
        ["wrong-verb"],
        ["--name", "--json"],
    ],
)
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
