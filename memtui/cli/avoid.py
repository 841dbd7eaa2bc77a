"""`memtui avoid`: files against the rules of what went wrong before, as the hook checks them after an edit."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from memtui.agents.avoid.book import opened
from memtui.agents.avoid.finding import quote
from memtui.agents.avoid.gate import tried
from memtui.agents.avoid.place import contents
from memtui.cli import output
from memtui.cli.grammar import EVERYWHERE, Argument, Command, Option
from memtui.errors import UnavailableError, UsageError
from memtui.locale import _, _n

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memtui.agents.avoid.finding import Finding
    from memtui.agents.avoid.rule import Rule

VERBS = ("check", "list")


def run(verb: str, files: tuple[str, ...], *, blocking: bool, home: tuple[str, ...], as_json: bool) -> int:
    """check: 0 nothing found, 1 something was; list: 0, or 1 where no rule is about the file."""
    homes = _homes(home)
    if verb == "list":
        if len(files) > 1:
            raise UsageError(_("`memtui avoid list` takes one file, or none for every rule."))
        return _list(Path(files[0]) if files else None, homes, as_json)
    if not files:
        raise UsageError(_("Which files? memtui avoid check FILE…"))
    return _check(files, homes, blocking, as_json)


def _homes(named: Sequence[str]) -> list[Path]:
    from memtui.layouts.discovery import at, discover, surroundings

    if named:
        return [at(Path(path)).path for path in named]
    return [home.path for home in discover(surroundings())]


def _check(files: Sequence[str], homes: Sequence[Path], blocking: bool, as_json: bool) -> int:
    cwd = Path.cwd()
    found: list[tuple[str, Finding]] = []
    said: set[str] = set()
    for name in files:
        file = cwd / name
        text = contents(file.parent, file.name)
        if text is None:
            raise UnavailableError(
                _("'{path}' is not checked: it is no text file of at most a megabyte.").format(path=name)
            )
        book = opened(file, cwd, homes)
        _tell(book.told, said)
        against = tried(book, file, cwd, text)
        found.extend((name, one) for one in against if one.action == "block" or not blocking)
    if as_json:
        output.document({"findings": [_plain(name, finding) for name, finding in found]})
        return 1 if found else 0
    for name, finding in found:
        place = output.paint(output.safe(f"{name}:{finding.line}"), output.CYAN)
        style = output.RED if finding.action == "block" else output.YELLOW
        output.line(
            f"{place} {output.paint(finding.action, style)} {output.safe(finding.rule)}: "
            f"{output.safe(finding.message)}"
        )
        quoted = quote(finding.text)
        if quoted:
            output.line("    " + output.paint(output.safe(quoted), output.DIM))
    count = len(found)
    output.talk(_n("{count} finding.", "{count} findings.", count) if count else _("Nothing found."))
    return 1 if found else 0


def _plain(name: str, finding: Finding) -> dict[str, object]:
    return {"file": name, **finding._asdict(), "text": quote(finding.text)}


def _list(file: Path | None, homes: Sequence[Path], as_json: bool) -> int:
    cwd = Path.cwd()
    book = opened(None if file is None else cwd / file, cwd, homes)
    _tell(book.told, set())
    if as_json:
        output.document({"rules": [_row(rule) for rule in book.rules], "warnings": book.told})
        return 0 if book.rules else 1
    for rule in book.rules:
        style = output.RED if rule.action == "block" else output.YELLOW
        head = (
            f"{output.paint(rule.action.ljust(5), style)} {output.paint(output.safe(rule.id), output.CYAN)}"
        )
        output.line(f"{head}  {output.safe(' '.join(rule.paths))}")
        output.line("      " + output.safe(rule.message))
        if rule.source:
            output.line("      " + output.paint(output.safe(rule.source), output.DIM))
    return 0 if book.rules else 1


def _row(rule: Rule) -> dict[str, object]:
    keys = ("id", "action", "message", "paths", "bad", "good", "source")
    return {key: getattr(rule, key) for key in keys}


def _tell(told: Sequence[str], said: set[str]) -> None:
    for sentence in told:
        if sentence not in said:
            said.add(sentence)
            output.talk(sentence)


COMMAND = Command(
    "avoid",
    "Check files against rules of what went wrong before, as the hook does after an agent's edit (spec 002).\n\n"
    "Rules are TOML: those that come with memtui, then rules/avoid/*.toml and avoid.toml of the homes, then "
    ".memtui/avoid.toml of the project. A rule with the same id changes the keys that it names; enabled = false "
    "switches one off. `memtui avoid list [FILE]` shows the rules, or those about a file.",
    run,
    (
        Argument("verb", required=True, choices=VERBS, metavar=f"[{'|'.join(VERBS)}]"),
        Argument("files", many=True, metavar="[FILE]…"),
    ),
    (
        Option(("--blocking",), "Only what blocks an agent, no warnings.", "flag"),
        *EVERYWHERE,
    ),
    epilog="Exit status: 0 nothing found, 1 something found (list: no rule), 2 wrong use, 3 refused, 4 a file cannot "
    "be checked.",
)
