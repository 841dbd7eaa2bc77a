"""`memtui get`: some lines of one memory file (spec 001 §5.2)."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from memtui.cli import output
from memtui.cli.grammar import EVERYWHERE, Argument, Command, Option
from memtui.cli.opening import vault
from memtui.locale import _, _n

if TYPE_CHECKING:
    from memtui.vault import Excerpt, Vault


def run(path: str, *, from_: int | None, lines: int, home: tuple[str, ...], as_json: bool) -> int:
    """Print the lines; 1 where there is no such file, 3 (raised) for a path that leaves its home."""
    with vault(home, wait=False) as opened:
        found, place = _found(opened, path, from_ or 1, lines)
        if place is None and from_ is None:
            name, at = _reference(path)
            if at:
                found, place = _found(opened, name, at, lines)
    if as_json:
        output.document(
            {
                "path": found.path,
                "from": found.from_,
                "lines": found.lines,
                "text": found.text,
                "total": found.total,
                "home": place,
            }
        )
    elif found.lines:
        output.line(output.text(found.text))
    if place is None:
        output.talk(_("There is no '{path}' in any home that is open.").format(path=path))
        return 1
    last = found.from_ + found.lines - 1
    if found.lines and (found.from_ > 1 or last < found.total):
        output.talk(
            _("lines {first}–{last} of {total}").format(first=found.from_, last=last, total=found.total)
        )
    elif not found.lines:
        output.talk(_n("The file has {count} line.", "The file has {count} lines.", found.total))
    return 0


def _found(opened: Vault, path: str, start: int, lines: int) -> tuple[Excerpt, str | None]:
    excerpt = opened.get(path, start, lines)
    for home in opened.homes:
        excerpt = opened.get(path, start, lines, home=str(home.path))
        if excerpt.total or (home.path / path).is_file():
            return excerpt, str(home.path)
    # A path as the shell completes it, from the working directory, is as good where it leads into a home.
    try:
        whole = os.path.join(os.getcwd(), path)
    except OSError:
        return excerpt, None
    for home in opened.homes:
        root = str(home.path)
        if whole.startswith(root + os.sep) and os.path.isfile(whole):
            inside = whole[len(root) + 1 :].replace(os.sep, "/")
            return opened.get(inside, start, lines, home=root), root
    return excerpt, None


def _reference(path: str) -> tuple[str, int]:
    """`daily/2026-02-24.md:12` as search prints it; 0 where there is no line."""
    name, colon, number = path.rpartition(":")
    if colon and name and number.isascii() and number.isdigit() and 0 < len(number) < 10:
        return name, int(number)
    return path, 0


COMMAND = Command(
    "get",
    "Print lines of one memory file. PATH is relative to its home; PATH:LINE starts at that line.",
    run,
    (Argument("path", required=True, metavar="PATH"),),
    (
        Option(("--from",), "The first line, from 1.", "int", least=1, dest="from_", metavar="N"),
        Option(("--lines",), "How many lines at most.", "int", 50, least=1, metavar="N"),
        *EVERYWHERE,
    ),
    epilog="Exit status: 0 printed, 1 no such file, 3 the path leaves its home.",
)
