"""What would be written for an agent or taken back, carrying it out by atomic commits, and the record of it.

Records: `install/<id>/record.json` names the files, `install/<id>/before/` holds what they were, both for this
user only below the state directory. The copies stay after the record is gone. Carrying out: all files or none,
and what was there is kept first.

Then what stands of every way to serve every agent, for Health and doctor (read-only); and the way for OpenClaw: it
gets a skill in each of its workspaces, and the MCP server by its own command. Its settings are JSON5 that it
rewrites itself, so nothing is edited there, and its own memory tools stay as they are: MCP tools carry their
server's name, so that `memory_search` may exist twice. To add an agent, write one line in `AGENTS`.
"""

from __future__ import annotations

import hashlib
import json
import os
import shlex
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from memtui import __version__
from memtui.agents.install import claude_install, codex_install, cursor_install
from memtui.agents.install import wiring as wiring_module
from memtui.agents.install.wiring import (
    Installation,
    InstallPlan,
    PlannedFile,
    Wiring,
    find_agent_places,
    find_program,
    is_runnable,
    join_command_line,
    read,
    split,
)
from memtui.core.errors import ConflictError, MemtuiError, RefusedError, UnavailableError, UsageError
from memtui.core.locale import _
from memtui.fs.commit import commit, remove
from memtui.fs.locks import hold_lock
from memtui.fs.places import make_private_directory, replace_private_file, state
from memtui.fs.write_journal import generate_record_id
from memtui.layouts.tracks import find_named_workspaces

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from memtui.agents.install.wiring import AgentPlaces, FilePiece, Options


class Wrote(NamedTuple):
    """One file that was written."""

    path: str
    after: str
    """The digest of what was written."""
    before: str
    """The file, below `before/`, that holds what is to be restored; empty: there was none."""
    made: tuple[str, ...] = ()
    """Directories that were made for it, outermost first."""


class InstallRecord(NamedTuple):
    """One installation."""

    id: str
    agent: str
    how: str
    scope: str
    place: str
    stamp: str
    """Sorts by when it was written."""
    files: tuple[Wrote, ...]

    @property
    def key(self) -> tuple[str, ...]:
        """The way and the place that it is of: a wiring has the same."""
        return self.agent, self.how, self.place

    def before(self, wrote: Wrote) -> bytes | None:
        """What a file is to be again; None: no file. Raises OSError where that is lost."""
        return (_place(self.id) / "before" / wrote.before).read_bytes() if wrote.before else None


def list_records() -> list[InstallRecord]:
    """Every record that can be read, newest first."""
    try:
        names = os.listdir(state() / "install")
    except OSError:
        return []
    found = [_read(name) for name in names]
    return sorted((record for record in found if record is not None), key=lambda one: one.stamp, reverse=True)


def record(plan: InstallPlan) -> str:
    """Write down what is about to be done, what was there kept, and answer the record's id.

    Raises UnavailableError: then nothing may be written either.
    """
    own = derive_record_id(plan)
    old = _read(own)
    known = {wrote.path: wrote for wrote in old.files} if old else {}
    files = []
    try:
        for file, copy in zip(plan.files, keep_copies(own, plan), strict=True):
            was = known.pop(file.path, None)
            before = copy
            if was is not None and digest_of(file.old) == was.after:
                # What it was before anything of ours, not what we wrote last time.
                before = was.before
            elif file.old != file.without:
                before = "" if file.without is None else _keep_copy(own, f"{copy}.without", file.without)
            made = was.made if was is not None else _list_missing_directories(file.path)
            files.append(Wrote(file.path, digest_of(file.new), before, made))
        files += known.values()
        written = InstallRecord(own, plan.agent, plan.how, plan.scope, plan.place, generate_record_id(), tuple(files))
        _put(own, written)
    except OSError as error:
        raise _make_unkept_error(error) from error
    return own


def keep_copies(id: str, plan: InstallPlan) -> list[str]:
    """Keep what the plan's files hold, and answer by which names; empty: there was no file. Raises UnavailableError."""
    stamp = generate_record_id()
    try:
        make_private_directory(_place(id))
        make_private_directory(_place(id) / "before")
        return [
            "" if file.old is None else _keep_copy(id, f"{stamp}-{index}-{os.path.basename(file.path)}", file.old)
            for index, file in enumerate(plan.files)
        ]
    except OSError as error:
        raise _make_unkept_error(error) from error


def _make_unkept_error(error: OSError) -> UnavailableError:
    return UnavailableError(
        _("What was there cannot be kept in {place} ({reason}), so nothing was written.").format(
            place=state() / "install", reason=error.strerror or str(error)
        )
    )


def derive_record_id(plan: InstallPlan) -> str:
    """What the record of an installation is called: the same for the same way at the same place."""
    key = f"{plan.agent}\0{plan.how}\0{plan.place}".encode("utf-8", "replace")
    return f"{plan.agent}-{plan.how or 'all'}-{hashlib.sha256(key).hexdigest()[:12]}"


def digest_of(data: bytes | None) -> str:
    """What a file's bytes are known by; empty: no file."""
    return "" if data is None else hashlib.sha256(data).hexdigest()


def read_raw_record(id: str) -> bytes | None:
    """A record as it stands on disk, to be put back with `restore`."""
    with suppress(OSError):
        return (_place(id) / "record.json").read_bytes()
    return None


def restore(id: str, data: bytes | None) -> None:
    """The record is what it was, or is forgotten (None). What was kept stays."""
    with suppress(OSError):
        if data is None:
            (_place(id) / "record.json").unlink(missing_ok=True)
        else:
            replace_private_file(_place(id) / "record.json", data)


def find_kept_copies(id: str) -> str:
    """Where what was there is kept."""
    return str(_place(id) / "before")


def _place(id: str) -> Path:
    return state() / "install" / id


def _keep_copy(id: str, name: str, data: bytes) -> str:
    path = _place(id) / "before" / name[-200:]
    replace_private_file(path, data)
    return path.name


def _put(id: str, written: InstallRecord) -> None:
    plain: dict[str, Any] = written._asdict() | {
        "version": __version__,
        "files": [file._asdict() for file in written.files],
    }
    data = json.dumps(plain, ensure_ascii=False, indent=2).encode("utf-8", "surrogatepass")
    replace_private_file(_place(id) / "record.json", data)


def _list_missing_directories(path: str) -> tuple[str, ...]:
    found = []
    folder = os.path.dirname(path)
    while not os.path.isdir(folder) and os.path.dirname(folder) != folder:
        found.append(folder)
        folder = os.path.dirname(folder)
    return tuple(reversed(found))


def _read(id: str) -> InstallRecord | None:
    try:
        plain = json.loads((_place(id) / "record.json").read_bytes().decode("utf-8", "surrogatepass"))
        files = tuple(
            Wrote(one["path"], one["after"], os.path.basename(one["before"]), tuple(one["made"]))
            for one in plain["files"]
        )
        agent, how, scope, place = (str(plain[name]) for name in ("agent", "how", "scope", "place"))
        return InstallRecord(id, agent, how, scope, place, str(plain["stamp"]), files)
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None


class Carried(NamedTuple):
    """What was done."""

    written: tuple[str, ...]
    kept: str
    """The directory in which what was there is kept; empty: nothing was there."""
    warnings: tuple[str, ...] = ()


def carry_out(plan: InstallPlan) -> Carried:
    """Do all that the plan says, or nothing. Raises ConflictError where a file changed since, UnavailableError."""
    if not plan.files and not plan.records:
        return Carried((), "")
    folder = state() / "install"
    try:
        make_private_directory(folder)
    except OSError as error:
        raise UnavailableError(_("{place} cannot be written, so nothing was.").format(place=folder)) from error
    with hold_lock(folder / "install.lock"):
        if plan.removes:
            return _take_back(plan)
        own = derive_record_id(plan)
        before = read_raw_record(own)
        record(plan)
        try:
            return _write_all(plan.files, find_kept_copies(own))
        except MemtuiError:
            restore(own, before)
            raise


def _take_back(plan: InstallPlan) -> Carried:
    own = derive_record_id(plan)
    keep_copies(own, plan)
    carried = _write_all(plan.files, find_kept_copies(own))
    for one in list_records():
        if one.id not in plan.records:
            continue
        restore(one.id, None)
        # The innermost first: files share directories.
        for folder in sorted({folder for wrote in one.files for folder in wrote.made}, key=len, reverse=True):
            # Only what was made for it, and only where nothing else has moved in.
            with suppress(OSError):
                os.rmdir(folder)
    return carried


def _write_all(files: tuple[PlannedFile, ...], kept: str) -> Carried:
    done: list[PlannedFile] = []
    warnings: list[str] = []
    for file in files:
        try:
            warnings += _write(file)
        except MemtuiError:
            for other in reversed(done):
                # What somebody wrote in between is theirs, and stays.
                with suppress(MemtuiError):
                    _write(other._replace(old=other.new, new=other.old))
            raise
        done.append(file)
    return Carried(tuple(file.path for file in files), kept, tuple(warnings))


def _write(file: PlannedFile) -> tuple[str, ...]:
    if os.path.realpath(file.named) != file.path:
        raise ConflictError(
            _("{path} leads elsewhere than when this was planned; nothing was written.").format(path=file.named),
            home=os.path.dirname(file.path),
            path=os.path.basename(file.path),
            base=file.old,
            theirs=None,
            mine=file.new,
        )
    root, rest = split(file.path)
    if file.new is None:
        return () if file.old is None else remove(root, rest, file.old).warnings
    return commit(root, rest, file.old, file.new).warnings


def plan_addition(agent: str, options: Options) -> InstallPlan:
    """What would be written for an agent. Raises UsageError for a way it does not have; RefusedError, where a file of
    it cannot be changed safely, UnavailableError.
    """
    around = find_agent_places()
    called = wiring_module.find_program()
    wiring = _choose_wirings(agent, options._replace(scope=options.scope or "user"), around, called)[0]
    files = [_plan_added_file(piece, options.blank) for piece in wiring.pieces]
    if not options.blank:
        files += _list_stale([record for record in list_records() if record.key == wiring.key], [wiring])
    files = [file for file in files if file.old != file.new]
    return InstallPlan(
        agent,
        wiring.how,
        wiring.scope,
        str(wiring.place),
        tuple(files),
        wiring.commands if files or not wiring.served else (),
        wiring.warnings + wiring_module.list_warnings(called),
    )


def plan_removal(agent: str, options: Options) -> InstallPlan:
    """What would be taken back: by default all that serves the agent, for this user and in this project."""
    around = find_agent_places()
    chosen = list(_choose_wirings(agent, options, around, wiring_module.find_program()))
    # What may be asked for a second time by another way: the change that stands so far goes on from there.
    found: dict[str, PlannedFile] = {}
    ours: set[tuple[str, ...]] = set()
    wanted = {wiring.key for wiring in chosen}
    kept = [record for record in list_records() if record.key in wanted]
    changed: dict[str, tuple[InstallRecord, Wrote]] = {}
    for wiring in chosen:
        for piece in wiring.pieces:
            file = _plan_standing_file(piece, strict=bool(options.scope))
            if file is not None:
                found.setdefault(file.path, file)
                if file.old is not None and _take_out(piece, file.old) != file.old:
                    ours.add(wiring.key)
    for record in kept:
        for wrote in record.files:
            there = found.get(wrote.path)
            if there is not None and there.new is not None and digest_of(there.new) == wrote.after:
                # Where the copy is lost, ours is taken out by what it calls.
                with suppress(OSError):
                    found[wrote.path] = there._replace(new=record.before(wrote))
            elif there is not None and there.new is not None:
                changed[wrote.path] = (record, wrote)
    found |= {file.path: file for file in _list_stale(kept, chosen)}
    for wiring in chosen:
        for piece in wiring.pieces:
            there = found.get(os.path.realpath(piece.path))
            if there is not None and there.new is not None:
                new = _take_out(piece, there.new)
                if there.path in changed:
                    one, wrote = changed[there.path]
                    with suppress(OSError):
                        new = piece.give_back(new, one.before(wrote))
                found[there.path] = there._replace(new=new)
    stood = [wiring for wiring in chosen if wiring.key in ours]
    return InstallPlan(
        agent,
        options.how,
        options.scope,
        str(chosen[0].place),
        tuple(file for file in found.values() if file.old != file.new),
        tuple(command for wiring in stood for command in wiring.undoing),
        (*_explain_left(chosen, found), *_explain_elsewhere(agent, options, wanted)),
        removes=True,
        records=tuple(record.id for record in kept),
    )


def _choose_wirings(agent: str, options: Options, around: AgentPlaces, called: tuple[str, ...]) -> list[Wiring]:
    if agent not in dict(AGENTS):
        names = ", ".join(dict(AGENTS))
        raise UsageError(_("{agent} is none of {agents}.").format(agent=agent, agents=names))
    found = [
        wiring
        for wiring in list_wirings(agent, around, called)
        if options.how in {"", wiring.how} and options.scope in {"", wiring.scope}
    ]
    if not found:
        raise UsageError(
            _("{agent} has no {how} for {scope}; there is: {ways}.").format(
                agent=agent,
                how=options.how or _("way"),
                scope=options.scope or _("any scope"),
                ways=", ".join(f"--{one.how} --scope {one.scope}" for one in list_wirings(agent, around, called)),
            )
        )
    if options.scope == "project" and around.project == around.user:
        raise RefusedError(_("This is your own directory and no project: --scope user."))
    return found


def _plan_added_file(piece: FilePiece, blank: bool) -> PlannedFile:
    real, data = read(piece.path, piece.inside)
    if blank:
        return PlannedFile(real, str(piece.path), None, piece.put(None))
    return PlannedFile(real, str(piece.path), data, piece.put(data), None if data is None else piece.take(data))


def _plan_standing_file(piece: FilePiece, *, strict: bool) -> PlannedFile | None:
    """The file as it is; None: a project's link leads out of it, and nobody asked for this project."""
    try:
        real, data = read(piece.path, piece.inside)
    except RefusedError:
        if strict:
            raise
        return None
    return PlannedFile(real, str(piece.path), data, data)


def _list_stale(records: Iterable[InstallRecord], wirings: Iterable[Wiring]) -> Iterator[PlannedFile]:
    """What an earlier memtui wrote for these and this one does not, as it was before: unless it was edited since."""
    pieces = {os.path.realpath(piece.path) for wiring in wirings for piece in wiring.pieces}
    for one in records:
        for wrote in one.files:
            # Where the copy of what was there is lost, it stays.
            with suppress(OSError, MemtuiError):
                real, data = read(Path(wrote.path))
                if real not in pieces and data is not None and digest_of(data) == wrote.after:
                    yield PlannedFile(real, wrote.path, data, one.before(wrote))


def _take_out(piece: FilePiece, data: bytes) -> bytes | None:
    # Whatever is ours calls memtui: a file that cannot be read, and does not, is nobody's concern here.
    return piece.take(data) if b"memtui" in data else data


def _explain_left(chosen: Iterable[Wiring], found: Mapping[str, PlannedFile]) -> Iterator[str]:
    """Files in which something of ours stays, for a person made it their own."""
    still: dict[str, str] = {}
    for piece in (piece for wiring in chosen for piece in wiring.pieces):
        file = found.get(os.path.realpath(piece.path))
        if file is not None and file.new is not None and piece.program(file.new):
            still[file.path] = file.named
    for named in still.values():
        yield _("{path} still names memtui, with settings of somebody else: take it out by hand.").format(path=named)


def _explain_elsewhere(agent: str, options: Options, here: set[tuple[str, ...]]) -> Iterator[str]:
    """Installations that stay: those of other projects."""
    if options.how or options.scope:
        return
    for record in list_records():
        if record.agent == agent and record.key not in here:
            yield _("Another stays, in {place}: take it back there.").format(place=record.place)


def list_openclaw_wirings(places: AgentPlaces, program: Sequence[str]) -> tuple[Wiring, ...]:
    """The one way: for this user."""
    root = places.openclaw
    known = [*sorted(root.glob("workspace*")), *find_named_workspaces(root, places.user)]
    found = [path for path in known if path.is_dir()] or [root / "workspace"]
    entry = json.dumps(claude_install.make_server_entry(program), ensure_ascii=False)
    return (
        Wiring(
            "openclaw",
            "skill",
            "user",
            root,
            tuple(claude_install.make_skill_piece(path / "skills" / "memtui", program) for path in found),
            (f"openclaw mcp set memtui {shlex.quote(entry)}",),
            ("openclaw mcp unset memtui",),
            () if root.is_dir() else (_("{path} is not there: is OpenClaw installed?").format(path=root),),
        ),
    )


AGENTS: tuple[tuple[str, Callable[[AgentPlaces, Sequence[str]], tuple[Wiring, ...]]], ...] = (
    ("claude-code", claude_install.list_claude_wirings),
    ("codex", codex_install.list_codex_wirings),
    ("openclaw", list_openclaw_wirings),
    ("cursor", cursor_install.list_cursor_wirings),
)


def list_wirings(agent: str, places: AgentPlaces, program: Sequence[str]) -> tuple[Wiring, ...]:
    """The ways of one agent, what is done by default first."""
    return dict(AGENTS)[agent](places, program)


def list_installations() -> list[Installation]:
    """What stands, at least one answer for each agent. Never raises, writes nothing."""
    around = find_agent_places()
    found = []
    for agent, wirings in AGENTS:
        stand = [one for one in _judge_wirings(around, wirings) if one.state != "missing"]
        first = wirings(around, find_program())[0]
        own = around.claude if agent == "claude-code" else first.place
        state, why = "missing", _("not installed")
        if not own.is_dir():
            state, why = "absent", _("{path} is not there").format(path=own)
        missing = Installation(agent, first.how, first.scope, str(first.place), state, why)
        found += stand or [missing]
    return found


def _judge_wirings(
    around: AgentPlaces, wirings: Callable[[AgentPlaces, Sequence[str]], tuple[Wiring, ...]]
) -> list[Installation]:
    found = []
    for index, wiring in enumerate(wirings(around, find_program())):
        told = [_read_called_program(piece) for piece in wiring.pieces]
        called = next(filter(None, told), ())
        # Another memtui than this one may have installed it: then it is that one's to be whole.
        as_made = wirings(around, called)[index] if called else wiring
        found.append(_judge_wiring(as_made, called))
    seen: dict[tuple[str, str], Installation] = {}
    for one in found:
        # A project that is the user's own directory has the same files twice.
        seen.setdefault((one.how, one.place), one)
    return list(seen.values())


def _judge_wiring(wiring: Wiring, called: Sequence[str]) -> Installation:
    ours = [piece for piece in wiring.pieces if _read_called_program(piece)]
    lacking = [piece for piece in wiring.pieces if not _is_whole(piece)]
    state, why, remedy = "complete", "", ""
    if not ours:
        state = "missing"
    elif not is_runnable(called[0]):
        state, why = "broken", _("{program} is not there any more: install again").format(program=called[0])
    elif lacking:
        names = ", ".join(sorted(os.path.basename(piece.path) for piece in lacking))
        state, why = "partly", _("not as it should be: {names}; install again").format(names=names)
    elif wiring.idle:
        state, why, remedy = "partly", wiring.idle, wiring.remedy
    return Installation(
        wiring.agent,
        wiring.how,
        wiring.scope,
        str(wiring.place),
        state,
        why,
        join_command_line(called) if called else "",
        remedy,
    )


def _read_called_program(piece: FilePiece) -> tuple[str, ...]:
    data = _read_held(piece)
    return () if data is None else piece.program(data)


def _is_whole(piece: FilePiece) -> bool:
    data = _read_held(piece)
    try:
        return data is not None and piece.put(data) == data
    except MemtuiError:
        return False


def _read_held(piece: FilePiece) -> bytes | None:
    try:
        return read(piece.path, piece.inside)[1]
    except MemtuiError:
        return None
