"""`memtui init`: a new home, or what one lacks of its skeleton. Nothing that is there is touched."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from memtui.cli import diffs, output, receipts
from memtui.cli.grammar import EVERYWHERE, Argument, Command, Option
from memtui.cli.opening import settings
from memtui.cli.writing import DRY_RUN, where
from memtui.errors import UsageError
from memtui.locale import _

if TYPE_CHECKING:
    from memtui.model import Home

NAMES = ("memtui", "xinghebot", "code-memory", "skillix")


def run(
    path: str | None, *, layout: str, profile: bool, dry_run: bool, home: tuple[str, ...], as_json: bool
) -> int:
    """Make what is missing, and say what that was; 1 where nothing is."""
    from memtui.curation.destination import made
    from memtui.curation.skeleton import make, missing
    from memtui.vault import Vault

    place = _place(path, layout, home)
    lacks = missing(place, profile=profile)
    receipt = None
    if not dry_run:
        with Vault([made(place)], settings()) as opened:
            receipt = make(opened, place, lacks)
    if as_json:
        output.document(
            {
                "home": str(place.path),
                "layout": place.layout,
                "dry_run": dry_run,
                "made": [*(f"{name}/" for name in lacks.folders), *(name for name, _text in lacks.files)],
                "receipt": None if receipt is None else receipts.plain(receipt),
            }
        )
    elif dry_run:
        for name in lacks.folders:
            output.line(f"{name}/")
        for name, text in lacks.files:
            for line in diffs.painted(diffs.unified(None, text.encode(), name)):
                output.line(line)
    else:
        for name in (*(f"{folder}/" for folder in lacks.folders), *(name for name, _text in lacks.files)):
            output.line(output.safe(os.path.join(str(place.path), *name.split("/"))))
    if not any(lacks):
        output.talk(_("{home} lacks nothing.").format(home=where(place)))
        return 1
    if dry_run:
        output.talk(_("{home} would get this; nothing was written.").format(home=where(place)))
    else:
        output.talk(_("made in {home}").format(home=where(place)))
        if receipt is not None and not as_json:
            receipts.undoing([receipt])
    return 0


def _place(path: str | None, layout: str, home: tuple[str, ...]) -> Home:
    """The home that is meant: the one at the path, else a new one there; without a path memtui's own."""
    from memtui.curation.destination import own
    from memtui.layouts.discovery import at, home_of

    if (path and home) or len(home) > 1:
        raise UsageError(_("One home at a time: `memtui init PATH`."))
    named = path or (home[0] if home else None)
    mine = own()
    real = mine.path if named is None else Path(os.path.realpath(Path(named).expanduser()))
    if real == mine.path and layout in {"", "memtui"}:
        return mine
    if real.is_dir() and any(real.iterdir()):
        there = at(real)
        if there.path == real and there.layout != "plain":
            if layout and there.layout != layout:
                raise UsageError(
                    _("{path} is a home already, of layout {layout}.").format(path=named, layout=there.layout)
                )
            return there
        if not layout:
            raise UsageError(
                _("{path} is not empty and no home yet: say --layout to make it one.").format(path=named)
            )
    return home_of(real, layout or "memtui", "made by memtui init")._replace(writable=True)


COMMAND = Command(
    "init",
    "Make a new memory home at PATH (memtui's own without one), or what a home lacks of its skeleton.\n\n"
    "What is there is never touched. user/profile.md is made only with --profile: it is yours alone.",
    run,
    (Argument("path", metavar="[PATH]"),),
    (
        Option(
            ("--layout",),
            "memtui, xinghebot, code-memory or skillix.",
            default="",
            choices=NAMES,
            metavar="LAYOUT",
        ),
        Option(("--profile",), "Make user/profile.md, too.", "flag"),
        DRY_RUN,
        *EVERYWHERE,
    ),
    epilog="Exit status: 0 made, 1 nothing was missing, 2 wrong use, 3 refused, 4 could not.",
)
