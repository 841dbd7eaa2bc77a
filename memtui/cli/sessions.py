"""`memtui sessions`: list and show them, say which one this is, write one down, collect those of other nodes."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memtui.cli import layers, output
from memtui.cli.filters import NARROW
from memtui.cli.grammar import EVERYWHERE, Argument, Command, Option
from memtui.cli.opening import settings, short
from memtui.errors import UsageError
from memtui.locale import _, _n
from memtui.model import Layer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memtui.config import Config
    from memtui.edits import Receipt
    from memtui.sessions.session import Session

SHELF = layers.Shelf("sessions", (Layer.SESSION, Layer.JOURNAL), heads_only=True)
VERBS = ("list", "show", "current", "capture", "retry", "collect", "bridge")
TRIGGERS = ("asked", "stage", "commit", "reset", "compaction", "end")
"""Moments at which a summary is written (spec 000)."""


def run(
    verb: str | None,
    words: tuple[str, ...],
    *,
    trigger: str | None,
    home: tuple[str, ...],
    as_json: bool,
    **narrow: Any,
) -> int:
    """List or show sessions, or do what a verb says."""
    if trigger is not None and verb != "capture":
        raise UsageError(
            _("--{name} belongs to `memtui sessions {verb}`.").format(name="trigger", verb="capture")
        )
    if verb not in VERBS[2:]:
        return layers.run(SHELF, verb, words, home=home, as_json=as_json, **narrow)
    narrow["limit"] = None if narrow["limit"] == layers.LIMIT else narrow["limit"]
    stray = next((name for name, value in narrow.items() if value not in ("", None, (), False)), "")
    if stray:
        raise UsageError(_("--{name} belongs to `memtui sessions {verb}`.").format(name=stray, verb="list"))
    most = 0 if verb in {"bridge", "retry"} else 1
    if len(words) > most:
        raise UsageError(_("'{word}' is one word too many.").format(word=words[-1]))
    config = settings(warn=not as_json)
    if verb == "current":
        return _current(words[0] if words else "", config, as_json)
    if verb == "capture":
        return _capture(words[0] if words else "", trigger or "asked", config, as_json)
    if verb == "retry":
        return _retry(config, as_json)
    if verb == "collect":
        return _collect(words[0] if words else "", config, home, as_json)
    return _bridge(config, home, as_json)


def _current(named: str, config: Config, as_json: bool) -> int:
    """Which session and project this is; with a name, whether that project is meant."""
    from memtui.sessions import project
    from memtui.sessions.identity import current, names

    session = current(config)
    cwd = Path(session.cwd)
    key = project.resolved(named, cwd, config) if named else session.project
    meant = "" if key else project.near(named, _known(config, session))
    if as_json:
        output.document(
            {
                **session._asdict(),
                "names": list(names(session)),
                **({"named": named, "means": key or None, "did_you_mean": meant or None} if named else {}),
            }
        )
        return 0 if key else 1
    for title, value in (
        (_("session"), session.id),
        (_("agent"), session.agent or _("nobody knows")),
        (_("how"), session.how),
        (
            _("project"),
            session.name if session.name == session.project else f"{session.name} ({session.project})",
        ),
        (_("directory"), short(session.cwd)),
        (_("transcript"), short(session.transcript) or _("none")),
    ):
        output.line(f"{output.paint(f'{title:<11}', output.DIM)} {output.safe(value)}")
    if named and key:
        output.talk(_("{name} is {key}.").format(name=named, key=key))
    elif named:
        output.talk(_("{name} is another project.").format(name=named) + _did(meant))
    return 0 if key else 1


def _did(meant: str) -> str:
    return " " + _("Did you mean {name}?").format(name=meant) if meant else ""


def _known(config: Config, session: Session) -> list[str]:
    """The names of projects that there are memories of here."""
    from memtui.layouts.discovery import discover
    from memtui.sessions.place import around

    homes = discover(around(session, config), map(Path, config.homes.paths), config.homes.exclude)
    found = [session.name, session.project, *config.project.aliases]
    for home in homes:
        found += [os.path.basename(home.project.rstrip("/")), home.project if "/" not in home.project else ""]
        areas = home.path / "areas" / "projects"
        found += sorted(os.listdir(areas)) if areas.is_dir() else []
    return [name for name in dict.fromkeys(found) if name and ":" not in name]


def _capture(named: str, trigger: str, config: Config, as_json: bool) -> int:
    """Write the session down now: this one, or the one with this id."""
    from memtui.sessions.capture import capture

    done = capture(_session(named, config), config, trigger=trigger)
    if as_json:
        output.document(
            {
                "sentence": done.sentence,
                "path": done.path or None,
                "home": done.home or None,
                "written": done.written,
                "proposed": done.learned.proposed if done.learned else 0,
                "learned": done.learned.written if done.learned else 0,
                "noted": done.learned.noted if done.learned else 0,
                "failed": list(done.failed),
                "group": done.group or None,
            }
        )
    else:
        if done.path:
            output.line(output.paint(output.safe(os.path.join(done.home, done.path)), output.CYAN))
        output.talk(done.sentence)
        if done.written:
            output.talk(_("`memtui undo {id}` takes it back.").format(id=done.group))
    return 4 if done.failed else 0 if done.path else 1


def _retry(config: Config, as_json: bool) -> int:
    """Do now what was left to do, and what was given up."""
    from memtui.sessions import jobs, worker

    jobs.again()
    before = len(jobs.waiting())
    worker.drain(config)
    left = jobs.waiting()
    if as_json:
        failed = [{"session": job.session.id, "kind": job.kind, "error": job.error} for job in left]
        output.document({"done": before - len(left), "failed": failed})
    else:
        output.talk(_n("{count} job done", "{count} jobs done", before - len(left)))
        for job in left:
            output.talk(f"{job.session.id}: {job.error}")
    return 4 if left else 0 if before else 1


def _session(named: str, config: Config) -> Session:
    """The session that a person names: an id, a beginning of one, or a transcript. Raises UsageError."""
    from memtui.sessions.identity import current, found

    if not named:
        return current(config)
    session = found(named, config)
    if session is None:
        raise UsageError(
            _("There is no transcript of '{id}' here: name its file, or go to its project.").format(id=named)
        )
    return session


def _collect(directory: str, config: Config, home: Sequence[str], as_json: bool) -> int:
    """Copy the summaries of other nodes into the home that this project's sessions go to, or the one named."""
    from memtui.cli.writing import drained
    from memtui.sessions.collect import collect
    from memtui.sessions.identity import current
    from memtui.sessions.place import opened
    from memtui.vault import Vault

    if not directory:
        raise UsageError(_("Collect from where? `memtui sessions collect DIR`."))
    if len(home) > 1:
        raise UsageError(_("A memory goes to one home: name one with --home."))
    drained(config)
    source = Path(directory).expanduser()
    if home:
        with Vault.open(list(home), config=config, wait=False) as vault:
            vault.current = False
            done = collect(vault, vault.homes[0], source)
    else:
        with opened(current(config), config) as (vault, place):
            done = collect(vault, place, source)
    if as_json:
        from memtui.cli import receipts

        output.document(
            {
                "copied": list(done.copied),
                "same": done.same,
                "kept": list(done.kept),
                "refused": [{"path": path, "reason": reason} for path, reason in done.refused],
                "receipts": [receipts.plain(receipt) for receipt in done.receipts],
            }
        )
    else:
        _say(list(done.receipts))
        told = [_n("{count} summary is new", "{count} summaries are new", len(done.copied))]
        told.append(_n("{count} was there", "{count} were there", done.same))
        if done.kept:
            told.append(
                _n("{count} was changed here and stays", "{count} were changed here and stay", len(done.kept))
            )
        output.talk("; ".join(told) + ".")
        for path, reason in done.refused:
            output.talk(_("not taken: {path}: {reason}").format(path=path, reason=reason))
    return 0 if done.copied or done.same or done.kept else 3 if done.refused else 1


def _bridge(config: Config, home: Sequence[str], as_json: bool) -> int:
    """Tell Codex's memory what this project's knowledge base says."""
    from memtui.cli import receipts
    from memtui.cli.opening import vault
    from memtui.sessions.bridge import sync, why_not

    why = why_not(config)
    receipt = None
    if not why:
        with vault(home, wait=False, config=config) as opened:
            receipt = sync(opened, config, cwd=Path.cwd())
    if as_json:
        told = receipts.plain(receipt) if receipt is not None else None
        output.document({"written": receipt is not None, "reason": why or None, "receipt": told})
    elif receipt is not None:
        _say([receipt])
    else:
        output.talk(why or _("Codex was told that already."))
    return 3 if why else 0


def _say(done: list[Receipt]) -> None:
    from memtui.cli import receipts

    receipts.say(done)


COMMAND = Command(
    "sessions",
    "Sessions (L2) and journal notes, newest first. `show` gives a session with its turns.\n\n"
    "`current` says which session and project this is, and how that was recognised; with a NAME, whether that project "
    "is meant. `capture` writes a session's summary now: this one's, that of an ID, or of a transcript. `retry` does "
    "what hooks left to do and what failed. `collect` copies the summaries of other nodes out of DIR, each with a line "
    "that says where it comes from. `bridge` tells Codex's memory what the project's knowledge base says, where "
    "agents.bridge is on.",
    run,
    (
        Argument("verb", choices=VERBS, metavar=f"[{'|'.join(VERBS)}]"),
        Argument("words", many=True, metavar="[ID|NAME|DIR]"),
    ),
    (
        *NARROW,
        Option(
            ("--trigger",), "Why a summary is written, for the history.", choices=TRIGGERS, metavar="WHEN"
        ),
        Option(
            ("--limit", "-n"), "How many at most, newest first.", "int", layers.LIMIT, least=1, metavar="N"
        ),
        *EVERYWHERE,
    ),
    epilog="ID is the id in the list, the id its home gave it, or PATH:LINE. "
    "Exit status: 0 done, 1 nothing there, 2 wrong use, 3 refused, 4 could not.",
)
