"""`memtui scrub`: what everything that memtui writes goes through, as a plain filter: text in, masked text out."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any, BinaryIO

from memtui.cli import output
from memtui.cli.grammar import HOME, Argument, Command, Option
from memtui.config import load
from memtui.errors import UnavailableError, UsageError
from memtui.locale import _
from memtui.safety.custom import compiled
from memtui.safety.injection import examine
from memtui.safety.redact import Secret, redact

if TYPE_CHECKING:
    from collections.abc import Iterator
    from re import Pattern

PART = 1 << 20
"""About how many bytes are looked at together: a secret of several lines is found within them."""

_HEAD = b"PRIVATE KEY"


def run(file: str | None, *, as_json: bool, home: tuple[str, ...]) -> int:
    """Filter the file or stdin; 2 for a file that is none, 4 where it cannot be read."""
    del home  # every command takes it; a filter reads none
    config, _warnings = load()
    patterns, told = compiled(config.redact.patterns)
    for warning in told:
        output.talk(warning)
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
    for data in _parts(stream):
        text = data.decode("utf-8", "surrogateescape")
        found = redact(text, patterns)
        if as_json:
            for record in _records(text, found.secrets, number):
                _put(out, json.dumps(record, ensure_ascii=False).encode("utf-8", "backslashreplace") + b"\n")
        else:
            _put(out, found.text.encode("utf-8", "surrogateescape"))
        number += data.count(b"\n")


def _put(out: BinaryIO | None, data: bytes) -> None:
    if out is None:
        sys.stdout.write(data.decode("utf-8", "surrogateescape"))
    else:
        out.write(data)


def _parts(stream: BinaryIO) -> Iterator[bytes]:
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


def _records(text: str, secrets: tuple[Secret, ...], number: int) -> Iterator[dict[str, Any]]:
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
            "text": _masked(body, here, start),
            "secrets": [{"kind": secret.kind, "start": first, "end": last} for secret, first, last in here],
            "injection": {"action": verdict.action, "rules": list(verdict.rules)},
        }
        number += 1
        start = end + 1


def _masked(line: str, here: list[tuple[Secret, int, int]], start: int) -> str:
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
    (Argument("file", metavar="[FILE|-]"),),
    (
        HOME,
        Option(
            ("--json",),
            "One JSON object a line instead: its text, its secrets, and whether it reads like an order to an agent.",
            "flag",
            dest="as_json",
        ),
    ),
    epilog="Exit status: 0 done, 2 no file but a directory, 4 it cannot be read.",
)
