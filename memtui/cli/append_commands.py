"""`memtui append` and `memtui flush`: notes for today, typed, or taken out of a text or a transcript (spec 001 §4.2).

Hooks call `append`, so it is quick.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from memtui.cli import documents, render
from memtui.cli.facts_commands import LARGEST, drain_spool, open_writer, parse_until, read_passage
from memtui.cli.opening import describe_home, load_settings, open_vault, shorten_path
from memtui.cli.options import EVERYWHERE, Argument, Command, CommandOption
from memtui.core.edits import Draft
from memtui.core.errors import FullError, LockedError, UsageError
from memtui.core.locale import _, _n
from memtui.core.model import Layer
from memtui.language import transcript_reading
from memtui.sessions import identify
from memtui.sessions.distribute import flush
from memtui.store import project
from memtui.store.append import append, keep

if TYPE_CHECKING:
    from memtui.core.config import Config
    from memtui.core.model import Home
    from memtui.language.conversation import Session
    from memtui.sessions.distribute import Flushed
    from memtui.store.vault import Vault

PATIENCE = 1.0
"""Seconds that a hook waits for a lock before it leaves its note for later."""


def run_append(
    text: tuple[str, ...],
    *,
    kind: str,
    tag: tuple[str, ...],
    source: str,
    form: str,
    confidence: float | None,
    expires: str | None,
    entities: tuple[str, ...],
    memory_type: str,
    spool: bool,
    home: tuple[str, ...],
    as_json: bool,
) -> int:
    """Append it; a line that is there already is not written twice, and that is well, too."""
    if confidence is not None and not confidence <= 1:
        raise UsageError(_("--confidence goes from 0 to 1."))
    named = tuple(word.strip() for several in entities for word in several.replace("，", ",").split(","))
    tags = tuple(word.strip().lstrip("#") for word in tag if word.strip(" #"))
    draft = Draft(
        read_passage(text),
        kind,
        tags=tags,
        entities=tuple(filter(None, named)),
        confidence=confidence,
        expires=None if expires is None else parse_until(expires, kind, tags),
        source=source,
        memory_type=memory_type,
    )
    with open_writer(home, Layer.JOURNAL, draft) as (opened, place):
        return _append(opened, place, draft, form, spool, as_json)


def _append(opened: Vault, place: Home, draft: Draft, form: str, spool: bool, as_json: bool) -> int:
    if spool:
        opened.wait = PATIENCE
    try:
        done = append(opened, place, draft, form=form)
    except (LockedError, FullError) as error:
        if not spool:
            raise
        return _keep_for_later(opened, place, draft, form, str(error), as_json)
    receipt = done.receipt
    if as_json:
        render.print_document(
            {
                "path": done.path,
                "line": done.line,
                "appended": receipt is not None,
                **({} if receipt else {"duplicate": True}),
                "line_number": done.number or None,
                **({"id": done.key} if done.key else {}),
                "home": done.home,
                "receipt": None if receipt is None else documents.dump_receipt(receipt),
            }
        )
    if receipt is None:
        render.print_remark(
            _("It is there already: {path}:{line} of {home}.").format(
                path=done.path, line=done.number, home=describe_home(place)
            )
        )
        return 0
    if not as_json:
        documents.say([receipt], line=done.number)
        render.print_remark(_("in {home}").format(home=describe_home(place)))
    else:
        documents.print_remarks([receipt])
    return 0


def _keep_for_later(opened: Vault, place: Home, draft: Draft, form: str, reason: str, as_json: bool) -> int:
    kept = keep(opened, place, draft, form=form)
    if as_json:
        render.print_document(
            {
                "path": None,
                "line": None,
                "appended": False,
                "spooled": True,
                "home": str(place.path),
                "kept": str(kept),
                "reason": reason,
                "receipt": None,
            }
        )
    render.print_remark(_("Kept for later ({reason}); the next write brings it in.").format(reason=reason))
    return 0


APPEND_COMMAND = Command(
    "append",
    "Remember one thing for today, in the home's journal. TEXT of '-' is read from stdin.\n\n"
    "Goes to the home named, else to the current project's that keeps a journal, else to your own, which is "
    "made where there is none. Secrets are masked before anything is written, and what the day's file has already is "
    "not written twice.\n\n"
    "\b\nmemtui append 'Deploys run from main' --kind decision --tag arch\n"
    "git log -1 --format=%s | memtui append - --source release",
    run_append,
    (Argument("text", required=True, many=True, metavar="TEXT|-"),),
    (
        CommandOption(
            ("--kind", "-k"),
            "What it is: pref, decision, fact, todo or note.",
            default="note",
            choices=("pref", "decision", "fact", "todo", "note"),
            metavar="KIND",
        ),
        CommandOption(("--tag", "-t"), "A tag; may be repeated.", many=True, metavar="TAG"),
        CommandOption(("--source",), "The session or run it comes from.", default="", metavar="ID"),
        CommandOption(
            ("--form",),
            "line (spec 001) or fact (spec 004's record); else the one that the home uses.",
            default="",
            choices=("line", "fact"),
            metavar="FORM",
        ),
        CommandOption(
            ("--confidence",),
            "How sure it is, 0 to 1; for records, which are .9 otherwise.",
            "float",
            least=0,
            metavar="X",
        ),
        CommandOption(
            ("--expires",),
            "Until when it holds: session (2 hours), 24h, 7d, 2026-12-31 or permanent, which is usual.",
            metavar="WHEN",
        ),
        CommandOption(("--entities",), "What it is about, with commas; for records.", many=True, metavar="NAMES"),
        CommandOption(
            ("--memory-type",),
            "W(orld), O(pinion), B(iographical) or S(ummary); else by its kind. For records.",
            default="",
            choices=("W", "O", "B", "S"),
            metavar="TYPE",
        ),
        CommandOption(("--spool",), "Where the home is locked, keep it for the next write, and be done.", "flag"),
        *EVERYWHERE,
    ),
    epilog="Exit status: 0 appended, there already, or kept for later; 2 wrong use, 3 refused, 4 could not. "
    "Put -- before a text that begins with a dash.",
)


def run(file: str | None, *, source: str, max_items: int | None, home: tuple[str, ...], as_json: bool) -> int:
    """Flush it; 1 where nothing in it lasts, 3 where flushing is switched off."""
    config = load_settings(warn=not as_json)
    drain_spool(config)
    name = file or "-"
    text, session = _read_transcript(name, config) if name.endswith(".jsonl") else (_read_text(name), None)
    if len(home) > 1:
        raise UsageError(_("A memory goes to one home: name one with --home."))
    done = _flush_text(text, session, config, source or (session.id if session else ""), max_items or 0, home)
    if as_json:
        render.print_document(
            {
                "path": done.path or None,
                "appended": done.appended,
                "skipped": done.skipped,
                "kept": done.kept,
                "disabled": done.disabled,
                "reason": done.reason or None,
                "home": done.home or None,
                "receipts": [documents.dump_receipt(receipt) for receipt in done.receipts],
            }
        )
    told = [_n("{count} note is written", "{count} notes are written", done.appended)]
    if done.path:
        told[0] += " " + _("to {path} of {home}").format(path=done.path, home=shorten_path(done.home))
    if done.skipped:
        told.append(_n("{count} was there, or quarantined", "{count} were there, or quarantined", done.skipped))
    if done.kept:
        told.append(_n("{count} waits for the home", "{count} wait for the home", done.kept))
    if done.reason:
        told.append(done.reason)
    render.print_remark("; ".join(told))
    return 3 if done.disabled else 0 if done.appended or done.skipped or done.kept else 1


def _flush_text(
    text: str, session: Session | None, config: Config, source: str, most: int, home: tuple[str, ...]
) -> Flushed:
    if home:
        with open_vault(home, wait=False, config=config) as opened:
            opened.current = False
            return flush(opened, opened.homes[0], None, text, config, source=source, who="person", most=most)
    # A person who asks for it is not counted with the session's own flushes.
    with project.open_session_vault(session or identify.find_current_session(config), config) as (opened, where):
        return flush(opened, where, None, text, config, source=source, who="person", most=most)


def _read_text(name: str) -> str:
    if name == "-":
        data = sys.stdin.buffer.read(LARGEST + 1)
    else:
        try:
            with Path(name).open("rb") as file:
                data = file.read(LARGEST + 1)
        except OSError as error:
            raise UsageError(_("{path} cannot be read: {reason}").format(path=name, reason=error.strerror)) from None
    if len(data) > LARGEST:
        raise UsageError(_("That is more than {limit} at once.").format(limit="1 MB"))
    return data.decode("utf-8-sig", "replace")


def _read_transcript(name: str, config: Config) -> tuple[str, Session]:
    """What was said in a transcript, and whose it is."""
    session = identify.read_hook_session({"transcript_path": os.path.abspath(name)}, config)
    talk = transcript_reading.read(session._replace(transcript=os.path.abspath(name)))
    if talk is None:
        raise UsageError(_("{path} is no transcript that memtui can read.").format(path=name))
    return "\n\n".join(f"{turn.role}: {turn.text}" for turn in talk.said), talk.session


COMMAND = Command(
    "flush",
    "Write what lasts of a text into the journal: preferences, decisions, open items, facts. FILE is a text, a summary "
    "or an agent's transcript (.jsonl); '-' or nothing reads stdin.\n\n"
    "Secrets are masked, what reads like an order to agents waits in Review, and what the day's file has already is "
    "not written twice.\n\n"
    "\b\nmemtui flush notes.md\npbpaste | memtui flush",
    run,
    (Argument("file", type="path", metavar="FILE|-"),),
    (
        CommandOption(("--source",), "The session or run it comes from.", default="", metavar="ID"),
        CommandOption(("--max-items",), "Most notes that are written.", "int", least=1, metavar="N"),
        *EVERYWHERE,
    ),
    epilog="Exit status: 0 written, or there already; 1 nothing in it lasts; 2 wrong use, 3 refused, 4 could not.",
)
