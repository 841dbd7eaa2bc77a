"""Secrets that stand in a home's files already: found to be shown, and masked only when a person says so.

Masking is the one write whose undo cannot bring back what was there: the journal never holds a secret.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple
from weakref import WeakKeyDictionary

from memtui.curation.candidates import FINAL, LOCKED, Candidate, Source, identified
from memtui.edits import Edit, Piece, Target
from memtui.errors import MemtuiError, RefusedError
from memtui.layouts import layout
from memtui.locale import _, _n
from memtui.model import Filter
from memtui.parse.source import WHOLE
from memtui.safety.redact import redact
from memtui.safety.suspect import suspect

if TYPE_CHECKING:
    import re
    from collections.abc import Iterator, Sequence

    from memtui.edits import Draft
    from memtui.model import Home
    from memtui.vault import Vault
    from memtui.writing import Writing


class Found(NamedTuple):
    """One line of a file that holds secrets."""

    path: str
    line: int
    masked: str
    """The line without them."""
    kinds: tuple[str, ...]
    sure: bool
    """One of them at least is no guess."""


_seen: WeakKeyDictionary[Vault, dict[tuple[str, str], tuple[object, list[Found]]]] = WeakKeyDictionary()


def patterns(vault: Writing) -> tuple[re.Pattern[str], ...]:
    """The person's own patterns."""
    from memtui.safety.custom import compiled

    wanted = vault.config.redact.patterns
    return compiled(wanted)[0] if wanted else ()


def masked(vault: Writing, draft: Draft) -> tuple[Draft, tuple[str, ...]]:
    """The draft without secrets, and what to tell a person.

    Done before a format makes tags, headings and file names of its words: no rule knows a secret in those any more.
    """
    own = patterns(vault)
    count = 0

    def safe(text: str) -> str:
        nonlocal count
        found = redact(text, own)
        count += len(found.secrets)
        return found.text

    draft = draft._replace(
        text=safe(draft.text),
        section=safe(draft.section),
        tags=tuple(map(safe, draft.tags)),
        entities=tuple(map(safe, draft.entities)),
        source=safe(draft.source),
        evidence=safe(draft.evidence),
        title=safe(draft.title),
    )
    return draft, ((_n("{count} secret was masked", "{count} secrets were masked", count),) if count else ())


def secrets(vault: Vault, home: Home) -> Iterator[Found]:
    """The lines of a home's files that hold a secret. A file is looked through once as long as it stays what it is."""
    seen = _seen.setdefault(vault, {})
    name = str(home.path)
    own = patterns(vault)
    kind = layout(home.layout)
    for _home, outline in vault.outlines(Filter(homes=frozenset({name}), statuses=frozenset(), parts=True)):
        role = kind.role(home.path, outline.path)
        # Databases have no lines, and of transcripts only the head is ever read.
        if role is None or role.limit != WHOLE:
            continue
        try:
            status = os.stat(os.path.join(home.path, outline.path))
            signature = (status.st_ino, status.st_size, status.st_mtime_ns, own)
            known = seen.get((name, outline.path))
            if known is None or known[0] != signature:
                data = vault.bytes_of(name, outline.path) or b""
                seen[name, outline.path] = known = (signature, list(_lines(outline.path, data, own)))
        except (MemtuiError, OSError):
            continue
        yield from known[1]


def _lines(path: str, data: bytes, own: Sequence[re.Pattern[str]]) -> Iterator[Found]:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")) or not (own or suspect(data)):
        return
    text = data.decode("utf-8", "surrogateescape")
    # Whole first: a key of many lines is no secret line by line, and most files hold none at all.
    found = redact(text, own).secrets
    if not found:
        return
    lines: dict[int, list[int]] = {}
    for number, secret in enumerate(found):
        lines.setdefault(text.count("\n", 0, secret.start) + 1, []).append(number)
    for line, numbers in lines.items():
        start = text.rfind("\n", 0, found[numbers[0]].start) + 1
        stop = text.find("\n", max(found[number].end for number in numbers))
        masked = text[start : len(text) if stop < 0 else stop]
        for number in reversed(numbers):
            secret = found[number]
            masked = masked[: secret.start - start] + secret.mask + masked[secret.end - start :]
        kinds = tuple(dict.fromkeys(found[number].kind for number in numbers))
        yield Found(path, line, masked.strip(), kinds, any(found[number].sure for number in numbers))


def candidates(vault: Vault, home: Home) -> list[Candidate]:
    """A candidate for each line that holds a secret: approved, the line is masked where it stands."""
    kind = layout(home.layout)
    made: list[Candidate] = []
    for found in secrets(vault, home):
        role = kind.role(home.path, found.path)
        if role is None:
            continue
        reason = kind.read_only(found.path)
        named = ", ".join(found.kinds)
        made.append(
            Candidate(
                identified("secret", str(home.path), f"{found.path}\0{found.masked}"),
                "secret",
                str(home.path),
                found.masked[:2000],
                "secret",
                role.layer,
                Target(str(home.path), found.path, role.parser, "", role.layer),
                1.0 if found.sure else 0.5,
                (("secret", named), ("sure", _("yes") if found.sure else _("by its surroundings"))),
                (Source(str(home.path), found.path, found.line),),
                warnings=(
                    *((f"{LOCKED}: {_(reason)}",) if reason else ()),
                    f"{FINAL}: " + _("masking it cannot be undone"),
                ),
                reason=_("{kinds} in the file as it stands").format(kinds=named),
            )
        )
    return made


def masking(vault: Vault, candidate: Candidate) -> Edit:
    """The change that masks the line the candidate is about, wherever it stands by now. Raises RefusedError."""
    place = candidate.sources[0]
    data = vault.bytes_of(place.home, place.path) or b""
    text = data.decode("utf-8", "surrogateescape")
    found = redact(text, patterns(vault)).secrets
    pieces: list[Piece] = []
    for line in _lines(place.path, data, patterns(vault)):
        if identified("secret", place.home, f"{place.path}\0{line.masked}") == candidate.id:
            for secret in found:
                if text.count("\n", 0, secret.start) + 1 == line.line:
                    start = len(text[: secret.start].encode("utf-8", "surrogateescape"))
                    stop = start + len(text[secret.start : secret.end].encode("utf-8", "surrogateescape"))
                    pieces.append(Piece(start, stop, secret.mask.encode()))
    if not pieces:
        raise RefusedError(_("The secret is not in {path} any more.").format(path=place.path))
    return Edit(place.home, place.path, data, tuple(sorted(pieces)))
