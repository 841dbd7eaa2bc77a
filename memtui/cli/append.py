"""`memtui append`: one more note for today, as a dated line or a record. Hooks call it, so it is quick."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memtui.cli import output
from memtui.cli.grammar import EVERYWHERE, Argument, Command, Option
from memtui.cli.writing import passage, where, writer
from memtui.edits import Draft
from memtui.errors import FullError, LockedError, UsageError
from memtui.locale import _
from memtui.model import Layer

if TYPE_CHECKING:
    from memtui.model import Home
    from memtui.vault import Vault

PATIENCE = 1.0
"""Seconds that a hook waits for a lock before it leaves its note for later."""


def run(
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
        passage(text),
        kind,
        tags=tags,
        entities=tuple(filter(None, named)),
        confidence=confidence,
        expires=None if expires is None else _until(expires, kind, tags),
        source=source,
        memory_type=memory_type,
    )
    with writer(home, Layer.JOURNAL, draft) as (opened, place):
        return _append(opened, place, draft, form, spool, as_json)


def _until(text: str, kind: str, tags: tuple[str, ...]) -> float | None:
    # Hooks append by the hundred and say nothing of the sort.
    from memtui.cli.facts import until

    return until(text, kind, tags)


def _append(opened: Vault, place: Home, draft: Draft, form: str, spool: bool, as_json: bool) -> int:
    from memtui.cli import receipts
    from memtui.curation.append import append

    if spool:
        opened.wait = PATIENCE
    try:
        done = append(opened, place, draft, form=form)
    except (LockedError, FullError) as error:
        if not spool:
            raise
        return _later(opened, place, draft, form, str(error), as_json)
    receipt = done.receipt
    if as_json:
        output.document(
            {
                "path": done.path,
                "line": done.line,
                "appended": receipt is not None,
                **({} if receipt else {"duplicate": True}),
                "line_number": done.number or None,
                **({"id": done.key} if done.key else {}),
                "home": done.home,
                "receipt": None if receipt is None else receipts.plain(receipt),
            }
        )
    if receipt is None:
        output.talk(
            _("It is there already: {path}:{line} of {home}.").format(
                path=done.path, line=done.number, home=where(place)
            )
        )
        return 0
    if not as_json:
        receipts.say([receipt], line=done.number)
        output.talk(_("in {home}").format(home=where(place)))
    else:
        receipts.notes([receipt])
    return 0


def _later(opened: Vault, place: Home, draft: Draft, form: str, reason: str, as_json: bool) -> int:
    from memtui.curation.spooled import keep

    kept = keep(opened, place, draft, form=form)
    if as_json:
        output.document(
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
    output.talk(_("Kept for later ({reason}); the next write brings it in.").format(reason=reason))
    return 0


COMMAND = Command(
    "append",
    "Remember one thing for today, in the home's journal. TEXT of '-' is read from stdin.\n\n"
    "Goes to the home named, else to the current project's that keeps a journal, else to memtui's own, which is made "
    "where there is none. Secrets are masked before anything is written, and what the day's file has already is not "
    "written twice.\n\n"
    "\b\nmemtui append 'Deploys run from main' --kind decision --tag arch\n"
    "git log -1 --format=%s | memtui append - --source release",
    run,
    (Argument("text", required=True, many=True, metavar="TEXT|-"),),
    (
        Option(
            ("--kind", "-k"),
            "What it is: pref, decision, fact, todo or note.",
            default="note",
            choices=("pref", "decision", "fact", "todo", "note"),
            metavar="KIND",
        ),
        Option(("--tag", "-t"), "A tag; may be repeated.", many=True, metavar="TAG"),
        Option(("--source",), "The session or run it comes from.", default="", metavar="ID"),
        Option(
            ("--form",),
            "line (spec 001) or fact (spec 004's record); else the one that the home uses.",
            default="",
            choices=("line", "fact"),
            metavar="FORM",
        ),
        Option(
            ("--confidence",),
            "How sure it is, 0 to 1; for records, which are .9 otherwise.",
            "float",
            least=0,
            metavar="X",
        ),
        Option(
            ("--expires",),
            "Until when it holds: session (2 hours), 24h, 7d, 2026-12-31 or permanent, which is usual.",
            metavar="WHEN",
        ),
        Option(("--entities",), "What it is about, with commas; for records.", many=True, metavar="NAMES"),
        Option(
            ("--memory-type",),
            "W(orld), O(pinion), B(iographical) or S(ummary); else by its kind. For records.",
            default="",
            choices=("W", "O", "B", "S"),
            metavar="TYPE",
        ),
        Option(("--spool",), "Where the home is locked, keep it for the next write, and be done.", "flag"),
        *EVERYWHERE,
    ),
    epilog="Exit status: 0 appended, there already, or kept for later; 2 wrong use, 3 refused, 4 could not. "
    "Put -- before a text that begins with a dash.",
)
