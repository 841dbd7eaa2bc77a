"""What was written, and taking it back: undo, redo, the trash; all on the one write path.

A write is taken back exactly where its file is as it left it; where the file moved on, only if its own lines
still stand (`carry_out.revert_patches`). Else it is refused, with what stands there now and what the undo would
make of it.

The states that a file has been in, and who wrote each of its lines, are made from our journal of writes, newest
first, for as long as each write still fits what stands there. Where the file is in a repository, git's states
come between them. git is a child process with a limit of time and size; of a repository's own configuration it
obeys nothing that would start a program or ask a network. Reads files: on a reader's thread."""

from __future__ import annotations

import json
import os
import re
import subprocess
from difflib import SequenceMatcher, unified_diff
from heapq import merge
from itertools import islice
from typing import NamedTuple, Protocol

from memtui.core.clock import now
from memtui.core.edits import Edit, Piece, Receipt, RowEdit, splice_pieces
from memtui.core.errors import ConflictError, MemtuiError, RefusedError, UsageError
from memtui.core.locale import _, _n
from memtui.core.model import Filter, Layer
from memtui.core.startup import TYPE_CHECKING, compile_pattern
from memtui.fs.files import compute_etag, find_modified_time
from memtui.fs.places import state
from memtui.fs.write_journal import Journal, generate_record_id
from memtui.store.carry_out import invert_patches, remove_made_directories, revert_patches
from memtui.store.session_ids import fit
from memtui.store.write_path import Writes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from memtui.core.edits import Change
    from memtui.core.model import Memory
    from memtui.fs.write_journal import Done, Patch, Record
    from memtui.store.reading import MemoryRef


AGAIN = 20
"""How often an undo is tried again while others write to its file."""
LATEST = 2000
"""How far back an undo without an id looks for something to take back."""


def describe_damage() -> str:
    """That a part of what was written cannot be read; empty: all of it can."""
    damaged = len(Journal().list_damaged())
    if not damaged:
        return ""
    return _n(
        "{count} day of the undo journal cannot be read whole: `memtui doctor` says where.",
        "{count} days of the undo journal cannot be read whole: `memtui doctor` says where.",
        damaged,
    )


class History(Writes):
    """What remembers what was written, and takes it back."""

    def history(self, limit: int | None = None, *, everything: bool = False) -> list[Record]:
        """The writes to the open homes, newest first; `everything`: of every home, and what changed no home."""
        homes, own = {str(home.path) for home in self.vault.homes}, str(state())
        found = (
            record
            for record in Journal().records()
            if everything or any(done.home in homes for done in record.changes) or _decides_about(record, homes, own)
        )
        return list(islice(found, limit))

    def record(self, id: str) -> Record:
        """One write by its id, or by a beginning or end of it that no other has. Raises UsageError."""
        found: dict[str, Record] = {}
        for record in Journal().records():
            if record.id == id:
                return record
            if len(id) >= 4 and (record.id.startswith(id) or record.id.endswith(id)):
                found[record.id] = record
        if len(found) == 1:
            return next(iter(found.values()))
        if found:
            raise UsageError(_("{id} begins or ends several ids: give more of it.").format(id=id))
        raise UsageError(_("There is no write {id}: `memtui history` lists them.").format(id=id))

    def trash(self) -> list[Record]:
        """What was deleted and not restored, newest first."""
        return [record for record in self.history() if record.trashed and not record.undone]

    def undo(self, id: str = "", *, who: str = "person", everywhere: bool = False) -> Receipt:
        """Take a write back: see `Writing.undo`."""
        return self._reverse(self._find_records(id) if id else self._find_last(False, everywhere), "undo", who)

    def can_undo(self) -> bool:
        """Whether an undo without an id would find something to take back."""
        try:
            return bool(self._find_last(False, False))
        except RefusedError:
            return False

    def redo(self, id: str = "", *, who: str = "person", everywhere: bool = False) -> Receipt:
        """Do again what was undone: the undo with this id (or of the write with this id), else the last one."""
        if not id:
            return self._reverse(self._find_last(True, everywhere), "redo", who)
        records = self._find_records(id)
        if all(record.undone for record in records):
            wanted = {record.id for record in records}
            records = [record for record in Journal().records() if record.undoes in wanted and not record.undone]
        elif records[0].state == "interrupted":
            return self._finish_interrupted(records[0], who)
        elif records[0].verb != "undo":
            raise RefusedError(_("{id} was not undone.").format(id=id))
        return self._reverse(records, "redo", who)

    def applies(self, record: Record) -> str:
        """Why a write cannot be taken back now, for a person; empty: it can."""
        if record.undone:
            return _("It was undone already.")
        try:
            self._make_opposite(record)
        except MemtuiError as error:
            return str(error)
        return ""

    # -- how --------------------------------------------------------------------------------------------------

    def _find_records(self, id: str) -> list[Record]:
        group = [record for record in Journal().records() if record.group == id and not record.undone]
        return group or [self.record(id)]

    def _find_last(self, undoing: bool, everywhere: bool) -> list[Record]:
        agent = ""
        for record in self.history(LATEST, everything=everywhere):
            if record.undone or record.state == "interrupted" or (record.verb == "undo") is not undoing:
                continue
            if (record.verb == "redo" and undoing) or _is_note(record):
                continue
            if record.who.startswith(("agent", "hook")):
                agent = agent or record.id
                continue
            return self._find_records(record.group) if record.group else [record]
        if agent:
            raise RefusedError(
                _("Only agents wrote here lately. `memtui undo {id}` takes the last of it back.").format(id=agent)
            )
        nothing = _("There is nothing to redo.") if undoing else _("There is nothing to undo.")
        raise RefusedError(" ".join(filter(None, (nothing, describe_damage()))))

    def _reverse(self, records: Sequence[Record], verb: str, who: str) -> Receipt:
        """Take the records back, newest first; of several, those that still apply."""
        done: list[Receipt] = []
        left: list[MemtuiError] = []
        group = generate_record_id() if len(records) > 1 else ""
        for record in sorted(records, key=lambda record: record.id, reverse=True):
            if record.undone:
                left.append(RefusedError(_("{what}: undone already").format(what=record.what)))
                continue
            try:
                done.append(self._undo_one(record, verb, who, group))
            except MemtuiError as error:
                left.append(error)
        if not done:
            raise left[0]
        undoes = tuple(dict.fromkeys(known for receipt in done for known in receipt.undoes))
        if len(records) == 1:
            return done[0]
        much = (
            _n("undid {count} write", "undid {count} writes", len(done))
            if verb == "undo"
            else _n("redid {count} write", "redid {count} writes", len(done))
        )
        paths = tuple(dict.fromkeys(path for receipt in done for path in receipt.paths))
        return Receipt(group, now(), verb, who, much, paths, group, tuple(map(str, left)), undoes)

    def _undo_one(self, record: Record, verb: str, who: str, group: str) -> Receipt:
        what = (_("undid: {what}") if verb == "undo" else _("redid: {what}")).format(what=_strip_prefix(record.what))
        for last in (False,) * AGAIN + (True,):
            changes = self._make_opposite(record)
            try:
                receipt = self._write(changes, verb=verb, who=who, what=what, group=group, undoes=record.id, draft=last)
            except ConflictError:
                # Written to since it was read: as long as its own lines still stand, it can be taken back.
                if last:
                    raise
            else:
                break
        remove_made_directories(record)
        known = [record.id, record.group] if verb == "undo" else [record.undoes]
        return receipt._replace(undoes=tuple(filter(None, known)))

    def _finish_interrupted(self, record: Record, who: str) -> Receipt:
        """Do what a dying process did not come to."""
        swapped = tuple(
            done._replace(
                before=done.after,
                after=done.before,
                old=done.new,
                new=done.old,
                patches=tuple(patch._replace(old=patch.new, new=patch.old) for patch in done.patches),
            )
            for done in record.changes
        )
        changes = self._make_opposite(record._replace(changes=swapped))
        return self._write(changes, verb="redo", who=who, what=record.what, undoes="")

    def _make_opposite(self, record: Record) -> tuple[Change, ...]:
        """The changes that take a record back as things stand. Raises ConflictError, RefusedError."""
        if record.verb == "mask":
            raise RefusedError(_("The secret was not kept, so it cannot be put back."))
        return tuple(self._make_reverse_change(record, done) for done in reversed(record.changes))

    def _make_reverse_change(self, record: Record, done: Done) -> Change:
        if done.kind == "row":
            return RowEdit(done.home, done.path, done.table, done.key, done.new, done.old)
        current = self.bytes_of(done.home, done.path)
        if done.after is None and done.kind == "edit":
            if current is not None:
                raise self._make_conflict(record, done, current, b"".join(patch.old for patch in done.patches))
            pieces = tuple(Piece(0, 0, patch.old) for patch in done.patches)
            return Edit(done.home, done.path, None, pieces, mode=done.mode or 0o600)
        if current is None:
            raise self._make_conflict(record, done, None, None)
        untouched = compute_etag(current) == done.after or (done.kind == "append" and current == done.patches[0].new)
        if untouched and done.before is None:
            return Edit(done.home, done.path, current, (), remove=True)
        if untouched and done.kind == "edit":
            return Edit(done.home, done.path, current, invert_patches(done.patches))
        if done.before is None and done.kind == "edit" and _is_one_text(done):
            raise self._make_conflict(record, done, current, None)
        found = revert_patches(current, done.patches)
        if found is None:
            raise self._make_conflict(record, done, current, None)
        edit = Edit(done.home, done.path, current, found)
        # What it stood beside was taken back earlier: nothing is left of a file that only undone writes made.
        emptied = not edit.new and not (done.before == "" and not done.patches[0].start)
        return edit._replace(pieces=(), remove=True) if emptied else edit

    def _make_conflict(self, record: Record, done: Done, current: bytes | None, mine: bytes | None) -> ConflictError:
        return ConflictError(
            _("{path} has moved on since: '{what}' cannot be undone by itself.").format(
                path=done.path, what=_strip_prefix(record.what)
            ),
            home=done.home,
            path=done.path,
            base=b"".join(patch.new for patch in done.patches),
            theirs=current,
            mine=b"".join(patch.old for patch in done.patches) if mine is None else mine,
        )


def _is_one_text(done: Done) -> bool:
    """Whether a file that was made is one text from its head on (a skill, a topic): lines without that are nothing."""
    first = done.patches[0] if done.patches else None
    return first is not None and not first.frame and first.new.startswith(b"---\n")


def format_write_diff(record: Record) -> str:
    """What a write changed, as a unified diff of the lines that changed."""
    lines: list[str] = []
    for done in record.told:
        if done.kind == "row":
            whole = None if done.new is None else {**(done.old or {}), **done.new}
            old, new = ([f"{name} = {value!r}" for name, value in (side or {}).items()] for side in (done.old, whole))
            lines += unified_diff(old, new, f"{done.path}:{done.key}", f"{done.path}:{done.key}", lineterm="")
            continue
        before = "/dev/null" if done.before is None else f"a/{done.path}"
        after = "/dev/null" if done.after is None else f"b/{done.path}"
        lines += [f"--- {before}", f"+++ {after}"]
        for patch in done.patches:
            lines += _format_hunk(patch)
    return "\n".join(lines)


def _format_hunk(patch: Patch) -> list[str]:
    if b"\0" in patch.old[:8192]:
        return [f"@@ {_n('{count} byte', '{count} bytes', len(patch.old))} @@"]
    old, new = (side.decode("utf-8", "replace").splitlines() for side in (patch.old, patch.new))
    return list(unified_diff(old, new, n=3, lineterm=""))[2:]


def _strip_prefix(what: str) -> str:
    # A journal may hold words of more than one language; those of 0.1.0 say "took back" and "did again".
    english = ("undid: {what}", "redid: {what}", "took back: {what}", "did again: {what}")
    for said in (_("undid: {what}"), _("redid: {what}"), *english):
        what = what.removeprefix(said.format(what=""))
    return what


def describe_restored(told: str) -> str:
    """What an undo told, as the trash says it: restored “…”, where what was undone had deleted one memory."""
    what = _strip_prefix(told)
    for said in dict.fromkeys((_("deleted {name}"), "deleted {name}")):
        before, _name, after = said.partition("{name}")
        if what != told and what.startswith(before) and what.endswith(after):
            return _("restored {name}").format(name=what[len(before) : len(what) - len(after)])
    return told


RESTORED = 4000
"""Characters of what an undo put back, by which it is found again."""


def quote_restored(record: Record) -> tuple[str, str, str]:
    """What taking a write back puts there again, the first text that it had taken away; its home and path."""
    gone = ((patch.old.decode("utf-8", "replace"), done) for done in record.told for patch in done.patches)
    return next(((text[:RESTORED], done.home, done.path) for text, done in gone if text.strip()), ("", "", ""))


def _is_decision(record: Record) -> bool:
    return record.verb in {"reject", "reconsider", "propose"}


_WHOSE = compile_pattern(rb'"home": ?("(?:[^"\\\\]|\\\\.)*")')


def _decides_about(record: Record, homes: set[str], own: str) -> bool:
    """Whether it decides, or takes back a decision, about one of these homes, as the lines in the state directory say:
    an undo would else reach a home that nobody sees here."""
    texts = [patch.new or patch.old for done in record.changes if done.home == own for patch in done.patches]
    told = [found[1] for text in texts for found in _WHOSE.finditer(text)]
    if not told:
        return _is_decision(record)
    return any(json.loads(name.decode("utf-8", "replace"), strict=False) in homes for name in told)


def _is_note(record: Record) -> bool:
    """Whether it only concerns what memtui notes for itself: a log is nobody's decision."""
    own = str(state())
    return not _is_decision(record) and not record.undoes and all(done.home == own for done in record.changes)


MOST = 200
"""States that are read of one file."""
LARGEST = 512 * 1024
"""Bytes of a state that is compared line by line."""
TIMEOUT = 8.0
"""Seconds that git may take for one file."""
SESSIONS = 400
"""Sessions that are looked through for the one in which something was written."""
SLACK = 120.0
"""Seconds by which a session's last line may be older than what it wrote."""

_GIT = (
    "git", "--no-pager", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "protocol.allow=never",
    "-c", "core.quotePath=false", "-c", "log.showSignature=false", "-c", "diff.external=",
)  # fmt: skip
_FIELDS = "%x01%H%x02%at%x02%an%x02%s%x02%(trailers:only,unfold,separator=%x03)"
_HEAD = compile_pattern(rb"([0-9a-f]{40,64}) blob (\d+)")
_HELPED = compile_pattern(r"co-authored-by:\s*([^<\x03]+)", re.IGNORECASE)
_SESSION = compile_pattern(r"session(?:-id)?:\s*(?:\S*/)?([A-Za-z0-9][A-Za-z0-9._-]{7,127})", re.IGNORECASE)


class Version(NamedTuple):
    """One state of a file, and what made it."""

    time: float | None
    who: str
    """person, agent, a hook's name, git's author; empty: nobody wrote it down."""
    what: str
    """What the write or the commit says of itself."""
    source: str
    """journal, git or disk: by what it is known."""
    ref: str
    """The write's id, or the commit."""
    lines: tuple[str, ...]
    session: str = ""
    """The session that it was written in, as far as that is known."""
    guessed: bool = False
    """By the time alone: it was the only session under way."""


class VersionHistory(NamedTuple):
    """All states of a file, the oldest first, and where it is known no further."""

    versions: tuple[Version, ...]
    missing: str = ""
    """Why there may have been more, for a person."""


class Recorded(Protocol):
    """Whatever knows its writes and its files: a vault."""

    def history(self, limit: int | None = None) -> list[Record]: ...

    def bytes_of(self, home: str, path: str) -> bytes | None: ...


class Chronicled(Recorded, Protocol):
    """Whatever has memories, too."""

    def ids(self, filter: Filter | None = None, *, limit: int | None = None) -> Sequence[MemoryRef]: ...

    def load(self, refs: Iterable[MemoryRef]) -> list[Memory | None]: ...


def load_versions(
    vault: Chronicled, home: str, path: str, cancelled: Callable[[], bool] = lambda: False
) -> VersionHistory:
    """The states of one file of a home, the oldest first. Raises nothing: what cannot be read is missing."""
    current = vault.bytes_of(home, path)
    if current is not None and len(current) > LARGEST:
        return VersionHistory((), _("The file is too large to compare line by line."))
    written, missing = read_journal_versions(vault, home, path, current)
    committed = [] if cancelled() else _read_git(os.path.join(home, *path.split("/")))
    # Each in its own order: commits that were rebased together have one time, and a clock may step back.
    found = list(merge(reversed(written), reversed(committed), key=lambda one: one.time or 0.0))
    if current is not None:
        modified = find_modified_time(os.path.join(home, *path.split("/")))
        found.append(Version(modified, "", _("written outside memtui"), "disk", "", _split_text(current)))
    kept: list[Version] = []
    for one in found:
        if not kept or kept[-1].lines != one.lines:
            kept.append(one)
    return VersionHistory(_name_sessions(vault, kept[-MOST:]), missing)


def _split_text(data: bytes) -> tuple[str, ...]:
    return tuple(data.decode("utf-8", "replace").splitlines())


# -- the journal ------------------------------------------------------------------------------------------------------


def read_journal_versions(vault: Recorded, home: str, path: str, current: bytes | None) -> tuple[list[Version], str]:
    """States by the writes to the file, newest first, and why they end where they do."""
    found: list[Version] = []
    data = current
    for record in vault.history():
        done = next((one for one in record.changes if (one.home, one.path) == (home, path)), None)
        if done is None or record.state != "done":
            continue
        if done.kind == "row":
            return [], _("It stands in a database: the history of writes (U) has what was changed.")
        after = data if done.after is not None or done.kind == "append" else b""
        if after is None:
            return found, _("The file is gone: what it was stands in the trash (Z).")
        if done.kind == "edit" and done.after is None:
            data = b"".join(patch.old for patch in done.patches)
            found.append(Version(record.time, record.who, record.what, "journal", record.id, ()))
            continue
        before = _take_back(after, done)
        if before is None:
            return found, _("Older writes no longer fit what stands there.")
        found.append(Version(record.time, record.who, record.what, "journal", record.id, _split_text(after)))
        data = before
        if done.before is None and done.kind == "edit":
            return found, ""
        if len(found) >= MOST:
            return found, _("Older writes are not shown.")
    if data and found:
        # What stood there before the first write that is known.
        what = _("before memtui's first write")
        found.append(Version((found[-1].time or 1.0) - 1.0, "", what, "disk", "", _split_text(data)))
    return found, ""


def _take_back(after: bytes, done: Done) -> bytes | None:
    """The bytes before a write; None where they can no longer be told."""
    exact = done.after and compute_etag(after) == done.after
    pieces = invert_patches(done.patches) if exact else revert_patches(after, done.patches)
    return None if pieces is None else splice_pieces(after, pieces)


# -- git --------------------------------------------------------------------------------------------------------------


def _read_git(file: str) -> list[Version]:
    """The committed states of a file, none where there is no repository or no git."""
    folder, name = os.path.split(file)
    log = _run_git(folder, "log", "--follow", "--no-ext-diff", "--no-textconv", "--name-only", f"-n{MOST}",
                   f"--format={_FIELDS}", "--", f":(literal){name}")  # fmt: skip
    commits: list[tuple[list[str], str]] = []
    for block in log.decode("utf-8", "replace").split("\x01")[1:]:
        head, _newline, names = block.partition("\n")
        fields = head.split("\x02")
        paths = [line for line in names.splitlines() if line and not line.startswith('"')]
        if len(fields) == 5 and paths:
            commits.append((fields, paths[-1]))
    if not commits:
        return []
    asked = "".join(f"{fields[0]}:{path}\n" for fields, path in commits).encode()
    answer = _run_git(folder, "cat-file", "--batch", said=asked)
    texts: list[bytes] = []
    at = 0
    while at < len(answer):
        end = answer.find(b"\n", at)
        match = _HEAD.fullmatch(answer[at:end])
        if match is None:
            # Missing: the commit that took the file away.
            texts.append(b"")
            at = end + 1 if end >= 0 else len(answer)
            continue
        size = int(match[2])
        texts.append(answer[end + 1 : end + 1 + size])
        at = end + 2 + size
    found = []
    for (fields, _path), text in zip(commits, texts, strict=False):
        commit, seconds, author, subject, trailers = fields
        helped = [name.strip() for name in _HELPED.findall(trailers)]
        session = _SESSION.search(trailers)
        who = " + ".join([author, *helped])
        time = float(seconds) if seconds.isdigit() else None
        if len(text) <= LARGEST:
            found.append(Version(time, who, subject, "git", commit, _split_text(text), session[1] if session else ""))
    return found


def _run_git(folder: str, *words: str, said: bytes = b"") -> bytes:
    """What git answers; nothing where it cannot, or takes too long."""
    quiet = {"GIT_TERMINAL_PROMPT": "0", "GIT_OPTIONAL_LOCKS": "0", "GIT_NO_LAZY_FETCH": "1", "GIT_PAGER": ""}
    try:
        done = subprocess.run(
            [*_GIT, "-C", folder, *words], input=said, capture_output=True, timeout=TIMEOUT, check=False,
            env={**os.environ, **quiet},
        )  # fmt: skip
    except (OSError, subprocess.SubprocessError, ValueError):
        return b""
    return done.stdout if done.returncode == 0 else b""


# -- who --------------------------------------------------------------------------------------------------------------


def _name_sessions(vault: Chronicled, versions: Sequence[Version]) -> tuple[Version, ...]:
    """The versions, those of which nobody else is known to have written with the one session that was under way."""
    wanted = [one.time for one in versions if one.time and not one.session and one.who != "person"]
    if not wanted:
        return tuple(versions)
    within = Filter(layers=frozenset({Layer.SESSION}), kinds=frozenset({"session"}), statuses=frozenset(),
                    since=min(wanted) - 86400)  # fmt: skip
    spans: dict[str, tuple[float, float]] = {}
    for head in vault.load(vault.ids(within, limit=SESSIONS)):
        last = head and (head.updated or head.modified)
        if head is not None and head.session and head.created and last:
            before = spans.get(head.session, (head.created, last))
            spans[head.session] = min(before[0], head.created), max(before[1], last)
    named = []
    for one in versions:
        time = one.time or 0.0
        going = [session for session, (first, last) in spans.items() if first <= time <= last + SLACK]
        alone = len(going) == 1 and time in wanted and not one.session
        named.append(one._replace(session=going[0], guessed=True) if alone else one)
    return tuple(named)


def find_line_authors(versions: Sequence[Version], upto: int) -> list[int]:
    """For each line of the version `upto`: the index of the version that wrote it as it stands there."""
    before: tuple[str, ...] = ()
    owners: list[int] = []
    for number, version in enumerate(versions[: upto + 1]):
        now: list[int] = []
        for tag, low, high, first, last in compare_lines(before, version.lines):
            now += owners[low:high] if tag == "equal" else [number] * (last - first)
        before, owners = version.lines, now
    return owners


def compare_lines(old: Sequence[str], new: Sequence[str]) -> Sequence[tuple[str, int, int, int, int]]:
    """What became of the lines: difflib's opcodes."""
    return SequenceMatcher(None, old, new, autojunk=False).get_opcodes()


def follow_lines(versions: Sequence[Version], first: int, last: int) -> list[tuple[int, int, int]]:
    """Where lines `first` to `last` (1-based) of the newest version were in each version in which they were written
    or changed: (its index, first, last), the oldest first."""
    found: list[tuple[int, int, int]] = []
    start, end = first - 1, last
    for number in range(len(versions) - 1, -1, -1):
        before = versions[number - 1].lines if number else ()
        touched, low, high = False, -1, -1
        for tag, i1, i2, j1, j2 in compare_lines(before, versions[number].lines):
            # A line that was only taken away from within them is one of theirs, too.
            inside = tag == "delete" and start < j1 < end
            if (j2 <= start or j1 >= end) and not inside:
                continue
            if tag == "equal":
                a, b = i1 + max(start, j1) - j1, i1 + min(end, j2) - j1
            else:
                touched, a, b = True, i1, i2
            low, high = (a if low < 0 else min(low, a)), max(high, b)
        if touched:
            found.append((number, start + 1, end))
        if low < 0 or low >= high:
            break
        start, end = low, high
    return found[::-1]


def find_line_session(memory: Memory, line: int) -> str:
    """The session that a memory says it comes from, where it stands on a line (1-based); empty: it says none."""
    if not memory.start <= line <= max(memory.end, memory.reach):
        return ""
    return memory.session or (memory.source if memory.source == fit(memory.source) else "")
