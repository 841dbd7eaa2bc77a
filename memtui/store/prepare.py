"""Changes made fit to be written: new secrets masked, orders to agents detected, accidents stopped.

Only what is added is changed, never bytes that stood there before (reliability §2.1, §3, §4; T11, T13, T39).
"""

from __future__ import annotations

import re
from functools import lru_cache

from memtui.core.edits import Append, Edit, Piece, RowEdit
from memtui.core.errors import OutsideError, QuarantinedError, RefusedError, UnconfirmedError
from memtui.core.locale import _, _n
from memtui.core.startup import TYPE_CHECKING, compile_pattern
from memtui.fs.places import is_mirror, state
from memtui.safety.injection import examine
from memtui.safety.sanitize import compile_own_patterns, is_free_of_secrets, redact_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memtui.core.edits import Change, Value
    from memtui.safety.redact import Secret

FEW_LINES = 8
"""A file this short may lose most of its lines without a question."""
MANY_FILES = 5
"""More files than this are not removed in one go without a question."""
_SHORT = 2000
"""Characters of a line or two."""

_ELISION = compile_pattern(
    rb"\[(?:the )?rest of (?:the )?(?:existing |original )?(?:file|content|memory)[^\]\n]{0,60}\]"
    rb"|(?:\.\.\.|\xe2\x80\xa6) ?(?:existing|rest of|remaining|unchanged|previous) (?:code|content|file|text|entries)"
    rb"|(?:\xe5\x85\xb6\xe4\xbd\x99|\xe5\x89\xa9\xe4\xbd\x99)(?:\xe5\x86\x85\xe5\xae\xb9|\xe9\x83\xa8\xe5\x88\x86)"
    rb"(?:\xe4\xb8\x8d\xe5\x8f\x98|\xe4\xbf\x9d\xe6\x8c\x81\xe4\xb8\x8d\xe5\x8f\x98|\xe7\x9c\x81\xe7\x95\xa5|\xe5\x90\x8c\xe4\xb8\x8a)",
    re.IGNORECASE,
)
"""What models write instead of a file's own text: '[Rest of the existing file…]', '其余内容不变'."""


def prepare_changes(
    changes: Sequence[Change], patterns: Sequence[str] = (), *, who: str, confirmed: bool, verb: str = ""
) -> tuple[tuple[Change, ...], tuple[str, ...]]:
    """The changes with new secrets masked, and sentences about what a person should know.

    Raises UnconfirmedError for what looks like an accident unless `confirmed`, QuarantinedError for text from anybody
    but a person that reads like an order to agents, RefusedError for text that cannot be written at all.
    """
    if not confirmed:
        _guard(changes)
    compiled = _compiled(tuple(patterns))
    warnings: list[str] = []
    masked = 0
    own = str(state())
    found: list[Change] = []
    for change in changes:
        _writable(change)
        # Taking a secret out of a file, and putting it back, are the two writes that may carry one.
        safe, secrets = (change, 0) if verb in {"undo", "redo"} else _masked(change, compiled)
        masked += secrets
        found.append(safe)
        if change.home != own:
            warnings += _examined(safe, who)
    if masked:
        warnings.insert(0, _n("{count} secret was masked", "{count} secrets were masked", masked))
    return tuple(found), tuple(dict.fromkeys(warnings))


def mask_description(what: str, patterns: Sequence[str] = ()) -> str:
    """What a write is said to be, as the journal may hold it: it may quote what is written."""
    return _redacted(what, _compiled(tuple(patterns)))[0]


def _guard(changes: Sequence[Change]) -> None:
    gone = [
        change
        for change in changes
        if isinstance(change, Edit) and change.remove and change.home != str(state())
    ]
    if len(gone) > MANY_FILES:
        raise UnconfirmedError(
            _("This removes {count} files at once. Say so, and it is done.").format(count=len(gone))
        )
    for change in changes:
        if not isinstance(change, Edit) or change.base is None or change.remove:
            continue
        added = b"".join(piece.new for piece in change.pieces)
        if _ELISION.search(added) and not _ELISION.search(change.base):
            raise UnconfirmedError(
                _("The new text of {path} seems to leave out what was there: '{words}'.").format(
                    path=change.path, words=_found(added)
                )
            )
        before = change.base.count(b"\n") + 1
        lost = sum(change.base.count(b"\n", piece.start, piece.end) for piece in change.pieces)
        lost -= sum(piece.new.count(b"\n") for piece in change.pieces)
        if before > FEW_LINES and lost * 2 > before:
            raise UnconfirmedError(
                _("{path} would lose {lost} of its {before} lines. Say so, and it is done.").format(
                    path=change.path, lost=lost, before=before
                )
            )


def _found(data: bytes) -> str:
    match = _ELISION.search(data)
    return match[0].decode("utf-8", "replace") if match else ""


def _writable(change: Change) -> None:
    """Raises RefusedError for text that no file can hold, OutsideError for a place that was meant elsewhere."""
    if is_mirror(change.home):
        raise RefusedError(
            _("{path} is a copy of what somebody else shares: only they change it.").format(path=change.path)
        )
    if change.path.startswith("~/"):
        raise OutsideError(_("{path} does not name a place inside the home").format(path=change.path))
    if isinstance(change, Append):
        try:
            (change.header + change.record).encode("utf-8")
        except UnicodeEncodeError:
            raise RefusedError(
                _("The text holds half a character (a lone surrogate): it cannot be written.")
            ) from None
        if "\0" in change.record:
            raise RefusedError(_("The text holds a NUL character: it cannot be written."))
    elif isinstance(change, Edit) and (change.base or b"").startswith((b"\xff\xfe", b"\xfe\xff")):
        raise RefusedError(
            _("{path} is UTF-16: memtui reads it and does not write it.").format(path=change.path)
        )


def _masked(change: Change, patterns: tuple[re.Pattern[str], ...]) -> tuple[Change, int]:
    if isinstance(change, Append):
        record, secrets = _redacted(change.record, patterns)
        return change._replace(record=record), len(secrets)
    if isinstance(change, RowEdit):
        return _masked_row(change, patterns)
    if change.remove or not change.pieces:
        return change, 0
    base = change.base or b""
    pieces: list[Piece] = []
    masked = 0
    for piece in change.pieces:
        wide, number = _masked_piece(base, piece, patterns)
        masked += number
        # Two pieces of one line: what masks the first has taken the line up to the second.
        if pieces and wide.start < pieces[-1].end:
            return _masked(change._replace(pieces=_merged(change)), patterns)
        pieces.append(wide)
    return (change._replace(pieces=tuple(pieces)), masked) if masked else (change, 0)


def _redacted(text: str, patterns: tuple[re.Pattern[str], ...]) -> tuple[str, tuple[Secret, ...]]:
    # A hook writes a line with nothing in it, and the rules cost more to load than all the rest.
    if not patterns and len(text) < _SHORT and is_free_of_secrets(text.encode("utf-8", "surrogatepass")):
        return text, ()
    return redact_text(text, patterns)


def _merged(change: Edit) -> tuple[Piece, ...]:
    """All pieces as one, from the first to the last."""
    base = change.base or b""
    start, end = change.pieces[0].start, change.pieces[-1].end
    new = change.new
    return (Piece(start, end, new[start : len(new) - (len(base) - end)]),)


def _masked_piece(base: bytes, piece: Piece, patterns: tuple[re.Pattern[str], ...]) -> tuple[Piece, int]:
    """The piece, widened to its whole lines where they hold a new secret that must be masked."""
    start = base.rfind(b"\n", 0, piece.start) + 1
    stop = base.find(b"\n", piece.end)
    end = len(base) if stop < 0 else stop
    before, after = base[start : piece.start], base[piece.end : end]
    text = (before + piece.new + after).decode("utf-8", "surrogateescape")
    _safe, secrets = _redacted(text, patterns)
    fresh = [secret for secret in secrets if not _known(base, text, secret)]
    if not fresh:
        return piece, 0
    for secret in sorted(fresh, key=lambda secret: -secret.start):
        text = text[: secret.start] + secret.mask + text[secret.end :]
    return Piece(start, end, text.encode("utf-8", "surrogateescape"), piece.frame), len(fresh)


def _known(base: bytes, text: str, secret: Secret) -> bool:
    """Whether the secret stood in the file before: a person's bytes are masked by a person only."""
    return text[secret.start : secret.end].encode("utf-8", "surrogateescape") in base


def _masked_row(change: RowEdit, patterns: tuple[re.Pattern[str], ...]) -> tuple[Change, int]:
    if change.after is None:
        return change, 0
    before = change.before or {}
    after: dict[str, Value] = dict(change.after)
    masked = 0
    for name, value in after.items():
        if isinstance(value, str) and value != (old := before.get(name)):
            fresh = [
                secret
                for secret in _redacted(value, patterns)[1]
                if not (isinstance(old, str) and value[secret.start : secret.end] in old)
            ]
            text = value
            for secret in reversed(fresh):
                text = text[: secret.start] + secret.mask + text[secret.end :]
            after[name] = text
            masked += len(fresh)
    return change._replace(after=after), masked


def _examined(change: Change, who: str) -> list[str]:
    text = _added(change)
    verdict = examine(text) if text else None
    if verdict is None or verdict.action == "none":
        return []
    rules = ", ".join(verdict.rules)
    if who == "person" or who.startswith("person:"):
        return [_("it reads like an order to agents ({rules})").format(rules=rules)]
    if verdict.action == "quarantine":
        raise QuarantinedError(
            _("The text reads like an order to agents ({rules}): it waits in Review.").format(rules=rules),
            text=text,
            rules=verdict.rules,
        )
    return [_("it may read like an order to agents ({rules})").format(rules=rules)]


def _added(change: Change) -> str:
    if isinstance(change, Append):
        return change.record
    if isinstance(change, RowEdit):
        before, after = change.before or {}, change.after or {}
        return "\n".join(
            value for name, value in after.items() if isinstance(value, str) and value != before.get(name)
        )
    return b"\n".join(piece.new for piece in change.pieces if piece.new).decode("utf-8", "replace")


@lru_cache(maxsize=4)
def _compiled(patterns: tuple[str, ...]) -> tuple[re.Pattern[str], ...]:
    return compile_own_patterns(patterns)
