"""`memtui avoid` and `memtui scrub`, as plain filters.

`avoid`: files against the rules of what went wrong before, as the hook checks them after an edit. `scrub`: text
in, masked text out, by the mask that everything passes which memtui writes.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from memtui.agents.avoid.avoid_rules import open_rules, quote, read_contents
from memtui.agents.avoid.gate import try_rules
from memtui.cli import render
from memtui.cli.options import EVERYWHERE, HOME, Argument, Command, CommandOption
from memtui.core.config import load
from memtui.core.errors import UnavailableError, UsageError
from memtui.core.locale import _, _n
from memtui.layouts.discovery import detect_surroundings, discover_homes, open_home_at
from memtui.safety.injection import examine
from memtui.safety.redact import Secret, compile_secret_patterns, redact

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from re import Pattern

    from memtui.agents.avoid.avoid_rules import AvoidFinding, AvoidRule

VERBS = ("check", "list")


def run_avoid(verb: str, files: tuple[str, ...], *, blocking: bool, home: tuple[str, ...], as_json: bool) -> int:
    """check: 0 nothing found, 1 something was; list: 0, or 1 where no rule is about the file."""
    homes = _list_homes(home)
    if verb == "list":
        if len(files) > 1:
            raise UsageError(_("`memtui avoid list` takes one file, or none for every rule."))
        return _list(Path(files[0]) if files else None, homes, as_json)
    if not files:
        raise UsageError(_("Which files? memtui avoid check FILE…"))
    return _check(files, homes, blocking, as_json)


def _list_homes(named: Sequence[str]) -> list[Path]:
    if named:
        return [open_home_at(Path(path)).path for path in named]
    return [home.path for home in discover_homes(detect_surroundings())]


def _check(files: Sequence[str], homes: Sequence[Path], blocking: bool, as_json: bool) -> int:
    cwd = Path.cwd()
    found: list[tuple[str, AvoidFinding]] = []
    said: set[str] = set()
    for name in files:
        file = cwd / name
        text = read_contents(file.parent, file.name)
        if text is None:
            raise UnavailableError(
                _("'{path}' is not checked: it is no text file of at most a megabyte.").format(path=name)
            )
        book = open_rules(file, cwd, homes)
        _tell(book.told, said)
        against = try_rules(book, file, cwd, text)
        found.extend((name, one) for one in against if one.action == "block" or not blocking)
    if as_json:
        plain = [{"file": name, **finding._asdict(), "text": quote(finding.text)} for name, finding in found]
        render.print_document({"findings": plain})
        return 1 if found else 0
    for name, finding in found:
        place = render.paint(render.make_safe_line(f"{name}:{finding.line}"), render.CYAN)
        style = render.RED if finding.action == "block" else render.YELLOW
        render.print_line(
            f"{place} {render.paint(finding.action, style)} {render.make_safe_line(finding.rule)}: "
            f"{render.make_safe_line(finding.message)}"
        )
        quoted = quote(finding.text)
        if quoted:
            render.print_line("    " + render.paint(render.make_safe_line(quoted), render.DIM))
    count = len(found)
    render.print_remark(_n("{count} finding.", "{count} findings.", count) if count else _("Nothing found."))
    return 1 if found else 0


def _list(file: Path | None, homes: Sequence[Path], as_json: bool) -> int:
    cwd = Path.cwd()
    book = open_rules(None if file is None else cwd / file, cwd, homes)
    _tell(book.told, set())
    if as_json:
        render.print_document({"rules": [_dump_rule(rule) for rule in book.rules], "warnings": book.told})
        return 0 if book.rules else 1
    for rule in book.rules:
        style = render.RED if rule.action == "block" else render.YELLOW
        named = render.paint(render.make_safe_line(rule.id), render.CYAN)
        head = f"{render.paint(rule.action.ljust(5), style)} {named}"
        render.print_line(f"{head}  {render.make_safe_line(' '.join(rule.paths))}")
        render.print_line("      " + render.make_safe_line(rule.message))
        if rule.source:
            render.print_line("      " + render.paint(render.make_safe_line(rule.source), render.DIM))
    return 0 if book.rules else 1


def _dump_rule(rule: AvoidRule) -> dict[str, object]:
    keys = ("id", "action", "message", "paths", "bad", "good", "source")
    return {key: getattr(rule, key) for key in keys}


def _tell(told: Sequence[str], said: set[str]) -> None:
    for sentence in told:
        if sentence not in said:
            said.add(sentence)
            render.print_remark(sentence)


AVOID_COMMAND = Command(
    "avoid",
    "Check files against rules of what went wrong before, as the hook does after an agent's edit (spec 002).\n\n"
    "Rules are TOML: those that come with memtui, then rules/avoid/*.toml and avoid.toml of the homes, then "
    ".memtui/avoid.toml of the project. A rule with the same id changes the keys that it names; enabled = false "
    "switches one off. `memtui avoid list [FILE]` shows the rules, or those about a file.",
    run_avoid,
    (
        Argument("verb", required=True, choices=VERBS, metavar=f"[{'|'.join(VERBS)}]"),
        Argument("files", many=True, type="path", metavar="[FILE]…"),
    ),
    (CommandOption(("--blocking",), "Only what blocks an agent, no warnings.", "flag"), *EVERYWHERE),
    epilog="Exit status: 0 nothing found, 1 something found (list: no rule), 2 wrong use, 3 refused, 4 a file cannot "
    "be checked.",
)


PART = 1 << 20
"""About how many bytes are looked at together: a secret of several lines is found within them."""

_HEAD = b"PRIVATE KEY"


def run(file: str | None, *, as_json: bool, home: tuple[str, ...]) -> int:
    """Filter the file or stdin; 2 for a file that is none, 4 where it cannot be read."""
    del home  # every command takes it; a filter reads none
    config, _warnings = load()
    patterns, told = compile_secret_patterns(config.redact.patterns)
    for warning in told:
        render.print_remark(warning)
    if file in {None, "-"}:
        _filter(sys.stdin.buffer, patterns, as_json)
        return 0
    assert file is not None
    try:
        with open(file, "rb") as opened:
            _filter(opened, patterns, as_json)
    except FileNotFoundError:
        raise UnavailableError(_("There is no file '{path}'.").format(path=file)) from None
    except IsADirectoryError:
        raise UsageError(
            _("'{path}' is a directory; scrub takes one file, or '-' for stdin.").format(path=file)
        ) from None
    except BrokenPipeError:
        raise
    except OSError as error:
        raise UnavailableError(
            _("'{path}' cannot be read: {reason}").format(path=file, reason=(error.strerror or "?").lower())
        ) from error
    return 0


def _filter(stream: BinaryIO, patterns: tuple[Pattern[str], ...], as_json: bool) -> None:
    out = getattr(sys.stdout, "buffer", None)
    sys.stdout.flush()
    number = 1
    for data in _iterate_parts(stream):
        text = data.decode("utf-8", "surrogateescape")
        found = redact(text, patterns)
        if as_json:
            for record in _iterate_records(text, found.secrets, number):
                _put(out, json.dumps(record, ensure_ascii=False).encode("utf-8", "backslashreplace") + b"\n")
        else:
            _put(out, found.text.encode("utf-8", "surrogateescape"))
        number += data.count(b"\n")


def _put(out: BinaryIO | None, data: bytes) -> None:
    if out is None:
        sys.stdout.write(data.decode("utf-8", "surrogateescape"))
    else:
        out.write(data)


def _iterate_parts(stream: BinaryIO) -> Iterator[bytes]:
    """Whole lines, about PART bytes at a time; never cut inside of a private key."""
    lines: list[bytes] = []
    size = 0
    inside = 0
    for line in stream:
        lines.append(line)
        size += len(line)
        # A key without an end must not hold all the rest up.
        inside = max(0, inside - 1) if _HEAD not in line else 0 if b"-----END" in line else 1000
        if size >= PART and not inside:
            yield b"".join(lines)
            lines, size = [], 0
    if lines:
        yield b"".join(lines)


def _iterate_records(text: str, secrets: tuple[Secret, ...], number: int) -> Iterator[dict[str, Any]]:
    """One object a line; a secret of several lines is in each of them."""
    start = 0
    at = 0
    for line in text.split("\n"):
        end = start + len(line)
        if start == len(text) and start:
            return
        if not text:
            return
        body = line.removesuffix("\r")
        while at < len(secrets) and secrets[at].end <= start:
            at += 1
        here: list[tuple[Secret, int, int]] = []
        for secret in secrets[at:]:
            if secret.start >= end + 1:
                break
            first, last = max(secret.start, start) - start, min(secret.end, start + len(body)) - start
            if last > first:
                here.append((secret, first, last))
        verdict = examine(body)
        yield {
            "line": number,
            "text": _mask_line(body, here, start),
            "secrets": [{"kind": secret.kind, "start": first, "end": last} for secret, first, last in here],
            "injection": {"action": verdict.action, "rules": list(verdict.rules)},
        }
        number += 1
        start = end + 1


def _mask_line(line: str, here: list[tuple[Secret, int, int]], start: int) -> str:
    parts: list[str] = []
    done = 0
    for secret, first, last in here:
        masks = secret.mask.split("\n")
        whole = secret.start - start == first
        parts += (line[done:first], masks[0].removesuffix("\r") if whole else "…")
        done = last
    parts.append(line[done:])
    return "".join(parts)


COMMAND = Command(
    "scrub",
    "Mask the secrets in a text, as memtui does before it writes anything: text in, masked text out, all else kept "
    "byte for byte. FILE, or '-' (or nothing) for stdin.",
    run,
    (Argument("file", type="path", metavar="[FILE|-]"),),
    (
        HOME,
        CommandOption(
            ("--json",),
            "One JSON object a line instead: its text, its secrets, and whether it reads like an order to an agent.",
            "flag",
            dest="as_json",
        ),
    ),
    epilog="Exit status: 0 done, 2 no file but a directory, 4 it cannot be read.",
)
