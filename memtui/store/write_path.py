"""The one write path: redact, contain, lock, journal, commit, refresh (DESIGN.md, "A key pressed").

Whatever changes a home goes through `Writes.apply`, for people, commands, hooks and agents alike; undo and
redo, in `history`, take the same path. The vault's methods for it are in `writing`. Only what is added is changed
on the way (secrets masked), never bytes that stood there before (reliability §2.1, §3, §4; T11, T13, T39).
"""

from __future__ import annotations

import json
import os
import re
from contextlib import ExitStack, contextmanager, nullcontext
from functools import lru_cache
from itertools import groupby

from memtui.core import clock
from memtui.core.edits import Append, Edit, Piece, Receipt, RowEdit
from memtui.core.errors import (
    ConflictError,
    LockedError,
    MemtuiError,
    OutsideError,
    QuarantinedError,
    RefusedError,
    UnavailableError,
    UnconfirmedError,
)
from memtui.core.locale import _, _n
from memtui.core.model import Layer
from memtui.core.startup import TYPE_CHECKING, Protocol, compile_pattern
from memtui.fs.commit import read_current
from memtui.fs.displaced import keep
from memtui.fs.locks import hold_lock, lock_for
from memtui.fs.places import is_mirror, state
from memtui.fs.write_journal import Journal, Record, generate_record_id
from memtui.layouts import Attaching, load_layout
from memtui.layouts.home_config import explain_switched_off
from memtui.safety.injection import examine
from memtui.safety.sanitize import compile_own_patterns, is_free_of_secrets, redact_text
from memtui.store.carry_out import carry_out, carry_rows, expect, plan_change, recover, remove_made_directories

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from memtui.core.config import Config
    from memtui.core.edits import Change, Value
    from memtui.core.model import Home
    from memtui.fs.write_journal import Done
    from memtui.layouts import Layout
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
    compiled = _compile_patterns(tuple(patterns))
    warnings: list[str] = []
    masked = 0
    own = str(state())
    found: list[Change] = []
    for change in changes:
        _check_writable(change)
        # Taking a secret out of a file, and putting it back, are the two writes that may carry one.
        safe, secrets = (change, 0) if verb in {"undo", "redo"} else _mask_change(change, compiled)
        masked += secrets
        found.append(safe)
        if change.home != own:
            warnings += _examine_added(safe, who)
    if masked:
        warnings.insert(0, _n("{count} secret was masked", "{count} secrets were masked", masked))
    return tuple(found), tuple(dict.fromkeys(warnings))


def mask_description(what: str, patterns: Sequence[str] = ()) -> str:
    """What a write is said to be, as the journal may hold it: it may quote what is written."""
    return _redact_added(what, _compile_patterns(tuple(patterns)))[0]


def _guard(changes: Sequence[Change]) -> None:
    gone = [change for change in changes if isinstance(change, Edit) and change.remove and change.home != str(state())]
    if len(gone) > MANY_FILES:
        raise UnconfirmedError(_("This removes {count} files at once. Say so, and it is done.").format(count=len(gone)))
    for change in changes:
        if not isinstance(change, Edit) or change.base is None or change.remove:
            continue
        added = b"".join(piece.new for piece in change.pieces)
        if _ELISION.search(added) and not _ELISION.search(change.base):
            raise UnconfirmedError(
                _("The new text of {path} seems to leave out what was there: '{words}'.").format(
                    path=change.path, words=_find_elision(added)
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


def _find_elision(data: bytes) -> str:
    match = _ELISION.search(data)
    return match[0].decode("utf-8", "replace") if match else ""


def _check_writable(change: Change) -> None:
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
            raise RefusedError(_("The text holds half a character (a lone surrogate): it cannot be written.")) from None
        if "\0" in change.record:
            raise RefusedError(_("The text holds a NUL character: it cannot be written."))
    elif isinstance(change, Edit) and (change.base or b"").startswith((b"\xff\xfe", b"\xfe\xff")):
        raise RefusedError(_("{path} is UTF-16: memtui reads it and does not write it.").format(path=change.path))


def _mask_change(change: Change, patterns: tuple[re.Pattern[str], ...]) -> tuple[Change, int]:
    if isinstance(change, Append):
        record, secrets = _redact_added(change.record, patterns)
        return change._replace(record=record), len(secrets)
    if isinstance(change, RowEdit):
        return _mask_row(change, patterns)
    if change.remove or not change.pieces:
        return change, 0
    base = change.base or b""
    pieces: list[Piece] = []
    masked = 0
    for piece in change.pieces:
        wide, number = _mask_piece(base, piece, patterns)
        masked += number
        # Two pieces of one line: what masks the first has taken the line up to the second.
        if pieces and wide.start < pieces[-1].end:
            return _mask_change(change._replace(pieces=_merge_pieces(change)), patterns)
        pieces.append(wide)
    return (change._replace(pieces=tuple(pieces)), masked) if masked else (change, 0)


def _redact_added(text: str, patterns: tuple[re.Pattern[str], ...]) -> tuple[str, tuple[Secret, ...]]:
    # A hook writes a line with nothing in it, and the rules cost more to load than all the rest.
    if not patterns and len(text) < _SHORT and is_free_of_secrets(text.encode("utf-8", "surrogatepass")):
        return text, ()
    return redact_text(text, patterns)


def _merge_pieces(change: Edit) -> tuple[Piece, ...]:
    """All pieces as one, from the first to the last."""
    base = change.base or b""
    start, end = change.pieces[0].start, change.pieces[-1].end
    new = change.new
    return (Piece(start, end, new[start : len(new) - (len(base) - end)]),)


def _mask_piece(base: bytes, piece: Piece, patterns: tuple[re.Pattern[str], ...]) -> tuple[Piece, int]:
    """The piece, widened to its whole lines where they hold a new secret that must be masked."""
    start = base.rfind(b"\n", 0, piece.start) + 1
    stop = base.find(b"\n", piece.end)
    end = len(base) if stop < 0 else stop
    before, after = base[start : piece.start], base[piece.end : end]
    text = (before + piece.new + after).decode("utf-8", "surrogateescape")
    _safe, secrets = _redact_added(text, patterns)
    fresh = [secret for secret in secrets if not _is_known_secret(base, text, secret)]
    if not fresh:
        return piece, 0
    for secret in sorted(fresh, key=lambda secret: -secret.start):
        text = text[: secret.start] + secret.mask + text[secret.end :]
    return Piece(start, end, text.encode("utf-8", "surrogateescape"), piece.frame), len(fresh)


def _is_known_secret(base: bytes, text: str, secret: Secret) -> bool:
    """Whether the secret stood in the file before: a person's bytes are masked by a person only."""
    return text[secret.start : secret.end].encode("utf-8", "surrogateescape") in base


def _mask_row(change: RowEdit, patterns: tuple[re.Pattern[str], ...]) -> tuple[Change, int]:
    if change.after is None:
        return change, 0
    before = change.before or {}
    after: dict[str, Value] = dict(change.after)
    masked = 0
    for name, value in after.items():
        if isinstance(value, str) and value != (old := before.get(name)):
            fresh = [
                secret
                for secret in _redact_added(value, patterns)[1]
                if not (isinstance(old, str) and value[secret.start : secret.end] in old)
            ]
            text = value
            for secret in reversed(fresh):
                text = text[: secret.start] + secret.mask + text[secret.end :]
            after[name] = text
            masked += len(fresh)
    return change._replace(after=after), masked


def _examine_added(change: Change, who: str) -> list[str]:
    text = _extract_added(change)
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


def _extract_added(change: Change) -> str:
    if isinstance(change, Append):
        return change.record
    if isinstance(change, RowEdit):
        before, after = change.before or {}, change.after or {}
        return "\n".join(value for name, value in after.items() if isinstance(value, str) and value != before.get(name))
    return b"\n".join(piece.new for piece in change.pieces if piece.new).decode("utf-8", "replace")


@lru_cache(maxsize=4)
def _compile_patterns(patterns: tuple[str, ...]) -> tuple[re.Pattern[str], ...]:
    return compile_own_patterns(patterns)


KEEPER = "consolidation"
"""Who looks after homes as a person set it up: it renews what it owns, marks what expired, and puts old days away."""

MAKING = frozenset({"report"})
"""Verbs that make a file of evolution/ anew, as the home's own scripts do, for which it is read-only otherwise."""
REFRESH = "refresh"
"""The verb of what the keeper makes anew: sections of its own, and what a home's program makes of its database."""


class WrittenHomes(Protocol):
    """What the write path needs of homes that are written to."""

    wait: float
    """Seconds to wait for another writer of the same file."""
    config: Config

    @property
    def homes(self) -> tuple[Home, ...]:
        """The homes that are open."""

    def taken_in(self, paths: Sequence[str]) -> None:
        """These absolute paths were just written."""


class Writes:
    """What writes to the homes of one vault."""

    def __init__(self, vault: WrittenHomes) -> None:
        self.vault = vault

    @property
    def _patterns(self) -> tuple[str, ...]:
        return self.vault.config.redact.patterns

    def bytes_of(self, home: str, path: str) -> bytes | None:
        """A file's bytes as they stand on disk now; None: there is no such file."""
        return read_current(home, path)

    def prepared(self, changes: Sequence[Change], who: str = "person") -> tuple[Change, ...]:
        """The changes as `apply` would write them: new secrets masked."""
        return prepare_changes(changes, self._patterns, who=who, confirmed=True)[0]

    def checked(
        self, changes: Sequence[Change], *, verb: str, who: str, confirmed: bool
    ) -> tuple[tuple[Change, ...], tuple[str, ...]]:
        """What `apply` would write, and its warnings. Raises as it does before it writes."""
        if not changes:
            raise RefusedError(_("There is nothing to write."))
        self._check_allowed(changes, verb, who)
        return prepare_changes(changes, self._patterns, who=who, confirmed=confirmed, verb=verb)

    def apply(
        self,
        changes: Sequence[Change],
        *,
        verb: str,
        who: str = "person",
        what: str = "",
        group: str = "",
        confirmed: bool = False,
    ) -> Receipt:
        """Write the changes, all or none: see `Writing.apply`."""
        try:
            wanted, warnings = self.checked(changes, verb=verb, who=who, confirmed=confirmed)
        except QuarantinedError as error:
            error.kept = self._quarantine(error, changes[0], who)
            raise
        what = mask_description(what, self._patterns)
        return self._write(wanted, verb=verb, who=who, what=what, group=group, warnings=warnings)

    def write_checked(
        self, changes: Sequence[Change], *, verb: str, who: str, what: str, group: str, warnings: tuple[str, ...]
    ) -> Receipt:
        """Write what `checked` answered: see `Writing.write_checked`."""
        what = mask_description(what, self._patterns)
        return self._write(changes, verb=verb, who=who, what=what, group=group, warnings=warnings, draft=False)

    def _quarantine(self, error: QuarantinedError, change: Change, who: str) -> str:
        """Put the text aside, redacted, until a person decides; its id."""
        named = generate_record_id()
        plain = {
            "id": named,
            "time": clock.now(),
            "who": who,
            "home": change.home,
            "path": change.path,
            "text": error.text,
            "rules": error.rules,
        }
        data = json.dumps(plain, ensure_ascii=False).encode("utf-8", "replace")
        edit = Edit(str(state()), f"quarantine/{named}.json", None, (Piece(0, 0, data),))
        wanted, _warnings = prepare_changes([edit], self._patterns, who=who, confirmed=True)
        self._write(wanted, verb="quarantine", who=who, what=_("put a text for {path} aside").format(path=change.path))
        return named

    def _write(
        self,
        changes: Sequence[Change],
        *,
        verb: str,
        who: str,
        what: str = "",
        group: str = "",
        undoes: str = "",
        warnings: tuple[str, ...] = (),
        draft: bool = True,
    ) -> Receipt:
        """Write what is prepared already; `draft`: keep what could not be written."""
        journal = Journal()
        with _keep_unwritten(changes) if draft else nullcontext(), ExitStack() as held:
            places = {(change.home, change.path): change for change in changes}
            locks = {lock_for(*place): change for place, change in places.items()}
            for lock in sorted(locks):
                with _name_file_in_errors(locks[lock]):
                    held.enter_context(hold_lock(lock, self.vault.wait))
            recover(journal, places.keys())
            record = Record(
                generate_record_id(),
                clock.now(),
                verb,
                who,
                what or describe_changes(changes),
                tuple(map(_plan_forgetting if verb == "mask" else plan_change, changes)),
                group,
                undoes,
                warnings=warnings,
            )
            journal.begin(record, sync=not all(isinstance(change, Append) for change in changes))
            record = record._replace(changes=self._carry_out_all(journal, record, changes))
            journal.finish(record)
        paths = record.paths
        self.vault.taken_in(paths)
        return Receipt(record.id, record.time, verb, who, record.what, paths, group, warnings)

    def _carry_out_all(self, journal: Journal, record: Record, changes: Sequence[Change]) -> tuple[Done, ...]:
        done: list[Done] = []
        back: list[Callable[[], object]] = []
        try:
            for change in changes:
                # Before the first is written: most conflicts are known by then.
                if isinstance(change, Edit) and len(changes) > 1:
                    with _name_file_in_errors(change):
                        expect(change)
            for rows, some in groupby(zip(changes, record.changes, strict=True), _key_database):
                pairs = list(some)
                if rows is not None:
                    # All rows of a database change at once.
                    with _name_file_in_errors(pairs[0][0]):
                        back.append(carry_rows([one for one, _plan in pairs if isinstance(one, RowEdit)]))
                    done += (plan for _change, plan in pairs)
                    continue
                for change, plan in pairs:
                    with _name_file_in_errors(change):
                        made, undo = carry_out(change, plan)
                    done.append(made)
                    back.append(undo)
        except MemtuiError:
            try:
                for undo in reversed(back):
                    undo()
                journal.drop(record.id)
            except MemtuiError:
                journal.finish(record._replace(changes=tuple(done), state="partial"))
            else:
                remove_made_directories(record)
            raise
        return tuple(done)

    def _check_allowed(self, changes: Sequence[Change], verb: str, who: str) -> None:
        """Raises RefusedError where this writer may not write, whatever the text."""
        own = str(state())
        for change in changes:
            if change.home == own:
                continue
            # One directory may be two layouts' home: the one whose file it is has the say.
            homes = [home for home in reversed(self.vault.homes) if str(home.path) == change.home]
            if not homes:
                raise RefusedError(_("{home} is not an open home.").format(home=change.home))
            home = next((one for one in homes if load_layout(one.layout).role(one.path, change.path)), homes[0])
            why = explain_switched_off(home) if who not in {"person", KEEPER} else ""
            if why:
                raise RefusedError(why)
            kind = load_layout(home.layout)
            role = kind.role(home.path, change.path)
            if role is None:
                if _removes_attachment(kind, home, change):
                    continue
                raise RefusedError(
                    _("{path} is no memory file of this home ({layout}).").format(path=change.path, layout=home.layout)
                )
            reason = kind.read_only(change.path)
            made = who == KEEPER and verb == REFRESH and is_made_file(kind, change)
            if reason and not made and not (verb in MAKING and role.layer is Layer.EVOLUTION):
                raise RefusedError(_("{path} is not written: {reason}").format(path=change.path, reason=_(reason)))
            if role.layer is Layer.PROFILE and who != "person" and not (made or _is_invited(change, who)):
                raise RefusedError(_("{path} is the person's own: no agent writes it.").format(path=change.path))
            if isinstance(change, Edit) and who != "person" and kind.append_only(change.path):
                if (who == KEEPER and role.layer is Layer.JOURNAL) or _continues_line(change, verb, who):
                    continue
                raise RefusedError(_("{path} is only ever appended to.").format(path=change.path))


def _is_invited(change: Change, who: str) -> bool:
    """Whether a person put marks around what is changed, for memtui to keep it up to date (spec 003's USER.md)."""
    if who != KEEPER or not isinstance(change, Edit) or change.remove or not change.base:
        return False
    from memtui.formats.sections import is_confined_to_sections

    return is_confined_to_sections(change.base, change.pieces, change.path)


def is_made_file(kind: Layout, change: Change) -> bool:
    """Whether its program makes the file anew out of its database: core memory, or one that says so (spec 003)."""
    if not isinstance(change, Edit) or change.remove or change.path not in kind.facts.made_files:
        return False
    core = change.path == kind.facts.made_files[0]
    return core or not (change.base or b"").strip() or kind.facts.made_mark.encode() in (change.base or b"")


def _continues_line(change: Edit, verb: str, who: str) -> bool:
    """Whether a hook names more files at the end of the line it wrote last: that takes nothing away (spec 002).

    Nobody else goes on with another's line: what a record says is what its writer said.
    """
    end = len((change.base or b"").rstrip())
    if not end or change.remove or verb != "append" or not who.startswith("hook:"):
        return False
    return all(
        piece.start == piece.end == end and piece.new.startswith(b", ") and b"\n" not in piece.new
        for piece in change.pieces
    )


def _removes_attachment(kind: Layout, home: Home, change: Change) -> bool:
    """Whether it takes away a file that is no memory but an attachment (spec 003)."""
    removes = isinstance(change, Edit) and change.remove
    return removes and isinstance(kind, Attaching) and kind.attached(home.path, change.path)


def _plan_forgetting(change: Change) -> Done:
    """What a mask is going to do, without what it masks: no journal keeps a secret."""
    plan = plan_change(change)
    return plan._replace(patches=tuple(patch._replace(old=patch.new) for patch in plan.patches))


def describe_changes(changes: Sequence[Change]) -> str:
    """What the changes do, for a person, where nobody said it better."""
    if len(changes) != 1:
        files = len({(change.home, change.path) for change in changes})
        return _n("changed {count} file", "changed {count} files", files)
    change = changes[0]
    if isinstance(change, Append):
        lines = change.record.count("\n") + 1
        return _n("appended {count} line to {path}", "appended {count} lines to {path}", lines).format(path=change.path)
    if isinstance(change, Edit):
        if change.remove:
            return _("moved {path} to the trash").format(path=change.path)
        if change.base is None:
            return _("wrote {path}").format(path=change.path)
    return _("changed {path}").format(path=change.path)


def _key_database(pair: tuple[Change, Done]) -> tuple[str, str] | None:
    """Which database a change is about; None: it is about a file of its own."""
    return (pair[0].home, pair[0].path) if isinstance(pair[0], RowEdit) else None


@contextmanager
def _name_file_in_errors(change: Change) -> Iterator[None]:
    """An error in here is about this file: the others of a write may be as good as ever."""
    try:
        yield
    except MemtuiError as error:
        error.place = (change.home, change.path)
        raise


@contextmanager
def _keep_unwritten(changes: Sequence[Change]) -> Iterator[None]:
    """What was to be written is kept if it can't be, and the error says where."""
    try:
        yield
    except MemtuiError as error:
        raise _add_kept_text(error, changes) from None


def _add_kept_text(error: MemtuiError, changes: Sequence[Change]) -> MemtuiError:
    """The error, with what was to be written kept and named in it."""
    if isinstance(error, ConflictError) and error.mine is not None:
        error.kept = error.kept or keep(os.path.basename(error.path), error.mine)
    elif isinstance(error, UnavailableError) and not isinstance(error, LockedError):
        texts = [change.record.encode() for change in changes if isinstance(change, Append)]
        texts += [piece.new for change in changes if isinstance(change, Edit) for piece in change.pieces]
        kept = keep("text", b"\n".join(texts)) if any(texts) else ""
        if kept:
            said = str(error).rstrip(".") + "."
            return type(error)(said + " " + _("What you wrote is kept in {place}.").format(place=kept))
    return error
