"""What would be written for an agent, or taken back: the files as they are and as they would be, nothing done yet."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING

from memtui.agents.install import program, records
from memtui.agents.install.ways import AGENTS, wirings
from memtui.agents.install.wiring import File, Plan, places, read
from memtui.errors import RefusedError, UsageError
from memtui.locale import _

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from memtui.agents.install.wiring import Options, Piece, Places, Wiring


def addition(agent: str, options: Options, env: Mapping[str, str] | None = None) -> Plan:
    """What would be written: see `install.plan`."""
    around = places(env)
    called = program.program()
    wiring = _chosen(agent, options._replace(scope=options.scope or "user"), around, called)[0]
    files = [_added(piece, options.blank) for piece in wiring.pieces]
    files = [file for file in files if file.old != file.new]
    return Plan(
        agent,
        wiring.how,
        wiring.scope,
        str(wiring.place),
        tuple(files),
        wiring.commands if files or not wiring.served else (),
        wiring.warnings + program.warnings(called),
    )


def removal(agent: str, options: Options, env: Mapping[str, str] | None = None) -> Plan:
    """What would be taken back: see `install.removal`."""
    around = places(env)
    chosen = list(_chosen(agent, options, around, program.program()))
    # What may be asked for a second time by another way: the change that stands so far goes on from there.
    found: dict[str, File] = {}
    ours: set[tuple[str, ...]] = set()
    wanted = {wiring.key for wiring in chosen}
    kept = [record for record in records.all_records() if record.key in wanted]
    for wiring in chosen:
        for piece in wiring.pieces:
            file = _stands(piece, strict=bool(options.scope))
            if file is not None:
                found.setdefault(file.path, file)
                if file.old is not None and _taken(piece, file.old) != file.old:
                    ours.add(wiring.key)
    for record in kept:
        for wrote in record.files:
            there = found.get(wrote.path)
            if there is not None and there.new is not None and records.digest_of(there.new) == wrote.after:
                # Where the copy is lost, ours is taken out by what it calls.
                with suppress(OSError):
                    found[wrote.path] = there._replace(new=record.before(wrote))
    for wiring in chosen:
        for piece in wiring.pieces:
            there = found.get(os.path.realpath(piece.path))
            if there is not None and there.new is not None:
                found[there.path] = there._replace(new=_taken(piece, there.new))
    stood = [wiring for wiring in chosen if wiring.key in ours]
    return Plan(
        agent,
        options.how,
        options.scope,
        str(chosen[0].place),
        tuple(file for file in found.values() if file.old != file.new),
        tuple(command for wiring in stood for command in wiring.undoing),
        (*_left(chosen, found), *_elsewhere(agent, options, wanted)),
        removes=True,
        records=tuple(record.id for record in kept),
    )


def _chosen(agent: str, options: Options, around: Places, called: tuple[str, ...]) -> list[Wiring]:
    if agent not in dict(AGENTS):
        names = ", ".join(dict(AGENTS))
        raise UsageError(_("{agent} is none of {agents}.").format(agent=agent, agents=names))
    found = [
        wiring
        for wiring in wirings(agent, around, called)
        if options.how in {"", wiring.how} and options.scope in {"", wiring.scope}
    ]
    if not found:
        raise UsageError(
            _("{agent} has no {how} for {scope}; there is: {ways}.").format(
                agent=agent,
                how=options.how or _("way"),
                scope=options.scope or _("any scope"),
                ways=", ".join(f"--{one.how} --scope {one.scope}" for one in wirings(agent, around, called)),
            )
        )
    if options.scope == "project" and around.project == around.user:
        raise RefusedError(_("This is your own directory and no project: --scope user."))
    return found


def _added(piece: Piece, blank: bool) -> File:
    real, data = read(piece.path, piece.inside)
    if blank:
        return File(real, str(piece.path), None, piece.put(None))
    return File(real, str(piece.path), data, piece.put(data), None if data is None else piece.take(data))


def _stands(piece: Piece, *, strict: bool) -> File | None:
    """The file as it is; None: a project's link leads out of it, and nobody asked for this project."""
    try:
        real, data = read(piece.path, piece.inside)
    except RefusedError:
        if strict:
            raise
        return None
    return File(real, str(piece.path), data, data)


def _taken(piece: Piece, data: bytes) -> bytes | None:
    # Whatever is ours calls memtui: a file that cannot be read, and does not, is nobody's concern here.
    return piece.take(data) if b"memtui" in data else data


def _left(chosen: Iterable[Wiring], found: Mapping[str, File]) -> Iterator[str]:
    """Files in which something of ours stays, for a person made it their own."""
    still: dict[str, str] = {}
    for piece in (piece for wiring in chosen for piece in wiring.pieces):
        file = found.get(os.path.realpath(piece.path))
        if file is not None and file.new is not None and piece.program(file.new):
            still[file.path] = file.named
    for named in still.values():
        yield _("{path} still names memtui, with settings of somebody else: take it out by hand.").format(
            path=named
        )


def _elsewhere(agent: str, options: Options, here: set[tuple[str, ...]]) -> Iterator[str]:
    """Installations that stay: those of other projects."""
    if options.how or options.scope:
        return
    for record in records.all_records():
        if record.agent == agent and record.key not in here:
            yield _("Another stays, in {place}: take it back there.").format(place=record.place)
