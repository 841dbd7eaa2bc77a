"""`memtui flush`: what lasts of a text or a transcript, into the journal (spec 001 §4.2)."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from memtui.cli import output
from memtui.cli.grammar import EVERYWHERE, Argument, Command, Option
from memtui.cli.opening import settings, short, vault
from memtui.cli.writing import LARGEST, drained
from memtui.errors import UsageError
from memtui.locale import _, _n

if TYPE_CHECKING:
    from memtui.config import Config
    from memtui.sessions.flush import Flushed
    from memtui.sessions.session import Session


def run(file: str | None, *, source: str, max_items: int | None, home: tuple[str, ...], as_json: bool) -> int:
    """Flush it; 1 where nothing in it lasts, 3 where flushing is switched off."""
    config = settings(warn=not as_json)
    drained(config)
    name = file or "-"
    text, session = _transcript(name, config) if name.endswith(".jsonl") else (_text(name), None)
    if len(home) > 1:
        raise UsageError(_("A memory goes to one home: name one with --home."))
    done = _flushed(text, session, config, source or (session.id if session else ""), max_items or 0, home)
    if as_json:
        from memtui.cli import receipts

        output.document(
            {
                "path": done.path or None,
                "appended": done.appended,
                "skipped": done.skipped,
                "kept": done.kept,
                "disabled": done.disabled,
                "reason": done.reason or None,
                "home": done.home or None,
                "receipts": [receipts.plain(receipt) for receipt in done.receipts],
            }
        )
    told = [_n("{count} note is written", "{count} notes are written", done.appended)]
    if done.path:
        told[0] += " " + _("to {path} of {home}").format(path=done.path, home=short(done.home))
    if done.skipped:
        told.append(_n("{count} was there, or put aside", "{count} were there, or put aside", done.skipped))
    if done.kept:
        told.append(_n("{count} waits for the home", "{count} wait for the home", done.kept))
    if done.reason:
        told.append(done.reason)
    output.talk("; ".join(told))
    return 3 if done.disabled else 0 if done.appended or done.skipped or done.kept else 1


def _flushed(
    text: str, session: Session | None, config: Config, source: str, most: int, home: tuple[str, ...]
) -> Flushed:
    from memtui.sessions import identity, place
    from memtui.sessions.flush import flush

    if home:
        with vault(home, wait=False, config=config) as opened:
            opened.current = False
            return flush(opened, opened.homes[0], None, text, config, source=source, who="person", most=most)
    # A person who asks for it is not counted with the session's own flushes.
    with place.opened(session or identity.current(config), config) as (opened, where):
        return flush(opened, where, None, text, config, source=source, who="person", most=most)


def _text(name: str) -> str:
    import sys

    if name == "-":
        data = sys.stdin.buffer.read(LARGEST + 1)
    else:
        try:
            with Path(name).open("rb") as file:
                data = file.read(LARGEST + 1)
        except OSError as error:
            raise UsageError(
                _("{path} cannot be read: {reason}").format(path=name, reason=error.strerror)
            ) from None
    if len(data) > LARGEST:
        raise UsageError(_("That is more than {limit} at once.").format(limit="1 MB"))
    return data.decode("utf-8-sig", "replace")


def _transcript(name: str, config: Config) -> tuple[str, Session]:
    """What was said in a transcript, and whose it is."""
    from memtui.sessions import conversation, identity

    session = identity.told({"transcript_path": os.path.abspath(name)}, config)
    talk = conversation.read(session._replace(transcript=os.path.abspath(name)))
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
    (Argument("file", required=False, metavar="FILE|-"),),
    (
        Option(("--source",), "The session or run it comes from.", default="", metavar="ID"),
        Option(("--max-items",), "Most notes that are written.", "int", least=1, metavar="N"),
        *EVERYWHERE,
    ),
    epilog="Exit status: 0 written, or there already; 1 nothing in it lasts; 2 wrong use, 3 refused, 4 could not.",
)
