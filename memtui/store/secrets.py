"""Secrets that stand in a home's files already: found to be shown, and masked only when a person says so.

Masking is the one write whose undo cannot restore what was there: the journal never holds a secret.
"""

from __future__ import annotations

import os
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

from memtui.core.edits import Edit, Piece, Target
from memtui.core.errors import MemtuiError, RefusedError
from memtui.core.locale import _, _n
from memtui.core.model import WHOLE, Filter, Status
from memtui.core.startup import compile_pattern
from memtui.layouts import load_layout
from memtui.safety.redact import compile_secret_patterns, propose_secrets, redact
from memtui.safety.sanitize import needs_secret_scan
from memtui.store.candidates import FINAL, LOCKED, Candidate, CandidateSource, compute_candidate_id

if TYPE_CHECKING:
    import re
    from collections.abc import Collection, Iterator, Sequence

    from memtui.core.edits import Draft
    from memtui.core.model import Home
    from memtui.safety.redact import Secret
    from memtui.store.vault import Vault
    from memtui.store.writing import Writing

_WRITTEN = compile_pattern(
    r"^[/*.~?(]|^@(?!(?=[^/]*[A-Z])(?=[^/]*\d)[^/]+$)|~/|\*\w*\.\w{1,4}$|[?&]\w+=|^20\d\d-\d\d-\d\d$"
    r"|^[A-Z][A-Z0-9]*_[A-Z0-9_]*=|^[0-9a-f]{7,10}$"
)
"""What is no guess worth a card: a path, a prompt, a pattern of files, the rest of an address, a day, an aside, a name
that somebody is called by, a variable with its value, the beginning of a commit's number."""


class One(NamedTuple):
    """One secret, told apart from others without being kept."""

    digest: bytes
    kind: str
    size: int
    mask: str
    sure: bool
    """It is no guess."""


class LeakingLine(NamedTuple):
    """One line of a file that holds secrets."""

    path: str
    line: int
    masked: str
    """The line without them."""
    secrets: tuple[One, ...]
    """In their order."""


_SKILLS = 3000
"""Files of skills that are looked through in one home: who has more has copied a library."""


class _Seen(dict[tuple[str, str], tuple[object, list[LeakingLine]]]):
    """By home and path: how the file stood, and its lines that hold a secret."""


def compile_vault_patterns(vault: Writing) -> tuple[re.Pattern[str], ...]:
    """The person's own patterns."""
    wanted = vault.config.redact.patterns
    return compile_secret_patterns(wanted)[0] if wanted else ()


def mask_draft(vault: Writing, draft: Draft) -> tuple[Draft, tuple[str, ...]]:
    """The draft without secrets, and what to tell a person.

    Done before a format makes tags, headings and file names of its words: no rule knows a secret in those any more.
    """
    own = compile_vault_patterns(vault)
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


def iterate_secret_lines(vault: Vault, home: Home) -> Iterator[LeakingLine]:
    """The lines of a home's files that hold a secret. A file is looked through once as long as it stays what it is; of
    a whole library of skills, which others wrote, the first ones."""
    skills = 0
    seen = vault.kept.of(_Seen)
    name = str(home.path)
    own = compile_vault_patterns(vault)
    kind = load_layout(home.layout)
    for _home, outline in vault.outlines(Filter(homes=frozenset({name}), statuses=frozenset(), parts=True)):
        role = kind.role(home.path, outline.path)
        # Databases have no lines, and of transcripts only the head is ever read.
        if role is None or role.limit != WHOLE:
            continue
        skills += role.status is Status.SKILL
        if skills > _SKILLS and role.status is Status.SKILL:
            continue
        try:
            status = os.stat(os.path.join(home.path, outline.path))
            signature = (status.st_ino, status.st_size, status.st_mtime_ns, own)
            known = seen.get((name, outline.path))
            if known is None or known[0] != signature:
                data = vault.bytes_of(name, outline.path) or b""
                seen[name, outline.path] = known = (signature, list(_find_lines(outline.path, data, own)))
        except (MemtuiError, OSError):
            continue
        yield from known[1]


def _find_lines(path: str, data: bytes, own: Sequence[re.Pattern[str]]) -> Iterator[LeakingLine]:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return
    scan = bool(own) or needs_secret_scan(data)
    text = data.decode("utf-8", "surrogateescape")
    # Whole first: a key of many lines is no secret line by line, and most files hold none at all.
    found = [
        one
        for one in propose_secrets(text, own, scan=scan)
        if (one.sure or not _is_harmless(text, one))
        # Of a key that was shortened nobody opens anything.
        and not text.startswith(("...", "…"), one.end)
    ]
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
        yield LeakingLine(path, line, masked.strip(), tuple(_make_one(text, found[number]) for number in numbers))


def _is_harmless(text: str, secret: Secret) -> bool:
    """Whether what is taken for a secret by its surroundings is plainly none, or of somebody who does not exist."""
    before = text[text.rfind("\n", 0, secret.start) + 1 : secret.start]
    return "@example." in before or _WRITTEN.search(text[secret.start : secret.end]) is not None


def _make_one(text: str, secret: Secret) -> One:
    value = text[secret.start : secret.end]
    digest = sha256(value.encode("utf-8", "surrogateescape")).digest()
    return One(digest, secret.kind, len(value), secret.mask, secret.sure)


def build_secret_candidates(vault: Vault, home: Home, beside: Sequence[Home] = ()) -> list[Candidate]:
    """A candidate for each secret, with all lines that hold it, in the homes `beside` too: approved, it is masked
    wherever it stands. What the first of them holds is proposed there alone."""
    kind = load_layout(home.layout)
    made: list[Candidate] = []
    order = [str(one.path) for one in vault.homes]
    others: dict[bytes, list[tuple[str, LeakingLine]]] = {}
    for other in beside:
        for places in _map_places(vault, other).values():
            told = others.setdefault(places[0][1].digest, [])
            told += ((str(other.path), found) for found, _same in places)
    for name, places in _map_places(vault, home).items():
        first, one = places[0]
        role = kind.role(home.path, first.path)
        there = others.get(one.digest, [])
        if role is None or any(order.index(where) < order.index(str(home.path)) for where, _found in there):
            continue
        files = tuple(dict.fromkeys(found.path for found, _same in places))
        locked = [reason for reason in map(kind.read_only, files) if reason]
        sure = any(same.sure for _found, same in places)
        count = len(places) + len(there)
        told_reason = _n(
            "{kind} of {size} characters in {count} place: it becomes {mask}",
            "{kind} of {size} characters in {count} places: it becomes {mask}",
            count,
        )
        mask = one.mask.partition("\n")[0]
        made.append(
            Candidate(
                name,
                "secret",
                str(home.path),
                first.masked[:2000],
                "secret",
                role.layer,
                Target(str(home.path), first.path, role.parser, "", role.layer),
                1.0 if sure else 0.5,
                (("secret", one.kind), ("sure", _("yes") if sure else _("by its surroundings")), ("mask", mask)),
                (
                    *(CandidateSource(str(home.path), found.path, found.line) for found, _same in places),
                    *(CandidateSource(where, found.path, found.line) for where, found in there),
                ),
                warnings=(
                    *((f"{LOCKED}: {_(locked[0])}",) if len(locked) == len(files) else ()),
                    f"{FINAL}: " + _("masking it cannot be undone"),
                ),
                reason=told_reason.format(kind=one.kind, size=one.size, mask=mask, count=count),
            )
        )
    return made


def _map_places(vault: Vault, home: Home) -> dict[str, list[tuple[LeakingLine, One]]]:
    """Each secret of a home by the id of its candidate, and the lines that hold it.

    The id goes by the first of those lines as it is without the secret: what is written down tells nobody a password.
    """
    by_value: dict[bytes, list[tuple[LeakingLine, One]]] = {}
    for found in iterate_secret_lines(vault, home):
        for one in {one.digest: one for one in found.secrets}.values():
            by_value.setdefault(one.digest, []).append((found, one))
    named: dict[str, list[tuple[LeakingLine, One]]] = {}
    for digest, places in by_value.items():
        first = places[0][0]
        number = list(dict.fromkeys(one.digest for one in first.secrets)).index(digest)
        place = f"{first.path}\0{first.masked}" + (f"\0{number}" if number else "")
        name = compute_candidate_id("secret", str(home.path), place)
        again = 0
        while name in named:
            # Two lines are alike without their secrets, and yet each has its own.
            again += 1
            name = compute_candidate_id("secret", str(home.path), f"{place}\0again\0{again}")
        named[name] = places
    return named


def _find_places(
    candidate: Candidate, every: dict[str, list[tuple[LeakingLine, One]]]
) -> list[tuple[LeakingLine, One]]:
    """Where a candidate's secret stands by now: of lines that are alike without theirs the one where it was seen."""
    seen = [(source.path, source.line) for source in candidate.sources[:1]]
    alike = (
        places
        for places in every.values()
        if [(found.path, found.line) for found, _make_one in places[:1]] == seen
        and places[0][0].masked[:2000] == candidate.text
    )
    only = sum(places[0][0].masked[:2000] == candidate.text for places in every.values()) < 2
    return every.get(candidate.id, []) if only else next(alike, [])


def build_secret_masking(vault: Vault, candidate: Candidate) -> tuple[Edit, ...]:
    """The changes that mask the secret wherever it stands by now, one a file. Raises RefusedError."""
    homes = {str(home.path): home for home in vault.homes}
    home = homes.get(candidate.home)
    places = _find_places(candidate, _map_places(vault, home)) if home is not None else []
    digests = {one.digest for _found, one in places}
    paths = list(dict.fromkeys(found.path for found, _same in places))
    edits = _mask(vault, home, paths, digests) if home is not None else []
    told = dict.fromkeys((source.home, source.path) for source in candidate.sources)
    for name in dict.fromkeys(where for where, _path in told if where != candidate.home and where in homes):
        edits += _mask(vault, homes[name], [path for where, path in told if where == name], digests)
    if not edits:
        place = candidate.sources[0].path
        raise RefusedError(_("The secret is not in {path} any more.").format(path=place))
    return tuple(edits)


def _mask(vault: Vault, home: Home, paths: Sequence[str], digests: Collection[bytes]) -> list[Edit]:
    """The changes of one home's files. What may not be written keeps its secret, and the others from nothing; where
    all is so it is said why."""
    edits: list[Edit] = []
    kind, name = load_layout(home.layout), str(home.path)
    for path in [path for path in paths if not kind.read_only(path)] or paths:
        data = vault.bytes_of(name, path) or b""
        text = data.decode("utf-8", "surrogateescape")
        pieces: list[Piece] = []
        for secret in propose_secrets(text, compile_vault_patterns(vault)):
            if _make_one(text, secret).digest in digests:
                start = len(text[: secret.start].encode("utf-8", "surrogateescape"))
                stop = start + len(text[secret.start : secret.end].encode("utf-8", "surrogateescape"))
                pieces.append(Piece(start, stop, secret.mask.encode()))
        if pieces:
            edits.append(Edit(name, path, data, tuple(sorted(pieces))))
    return edits
