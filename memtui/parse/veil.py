"""What others wrote, with its secrets masked, for whoever shows it or indexes it. The files are never altered.

Line for line the same, so that spans hold; and JSON stays JSON.
"""

from __future__ import annotations

from memtui.record import TYPE_CHECKING
from memtui.safety.suspect import suspect

if TYPE_CHECKING:
    from memtui.model import Entry, Parsed

AFTERWARDS = frozenset({"openakita", "claude-transcript", "codex-transcript"})
"""Parsers whose entries are veiled once made: a database has no text before, of a transcript little is kept."""


def veiled(text: str, data: bytes | None = None) -> str:
    """The text with its secrets masked; `data` are its bytes in UTF-8, where they are at hand."""
    if not suspect(text.encode("utf-8", "surrogatepass") if data is None else data):
        return text
    # Only where something may be found: the rules cost more to load than most files to read.
    from memtui.safety.redact import redact

    found = redact(text)
    if not found.secrets or text.lstrip()[:1] not in {"{", "["}:
        return found.text
    parts: list[str] = []
    done = 0
    for secret in found.secrets:
        mask = secret.mask
        if text[secret.start : secret.end].isdigit() and text[secret.start - 1 : secret.start] not in {
            '"',
            "\\",
        }:
            # A number in JSON: the mask must be a value, too.
            bare = text[max(0, secret.start - 40) : secret.start].rstrip()[-1:] in {":", ",", "["}
            mask = f'"{mask}"' if bare else mask
        parts += (text[done : secret.start], mask)
        done = secret.end
    parts.append(text[done:])
    return "".join(parts)


def veil(parsed: Parsed, parser: str) -> Parsed:
    """The entries' own words veiled, where they were made of text that was not; and a database's text view."""
    for entry in parsed.entries:
        _veil(entry)
    text = veiled(parsed.text) if parser == "openakita" else parsed.text
    return parsed._replace(title=veiled(parsed.title), text=text)


def _veil(entry: Entry) -> None:
    entry.text = veiled(entry.text)
    if entry.title:
        entry.title = veiled(entry.title)
    if entry.search is not None:
        entry.search = veiled(entry.search)
    if entry.heading:
        entry.heading = tuple(map(veiled, entry.heading))
    if entry.extra:
        entry.extra = {
            name: veiled(value) if isinstance(value, str) else value for name, value in entry.extra.items()
        }
