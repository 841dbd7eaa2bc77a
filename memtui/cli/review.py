"""`memtui review`: what waits for a decision, and deciding it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from memtui.cli import candidates, output
from memtui.cli.grammar import EVERYWHERE, Argument, Command, Option
from memtui.cli.opening import analysed, vault
from memtui.cli.writing import DRY_RUN
from memtui.curation.candidates import ADDING, Queue
from memtui.errors import MemtuiError, UsageError
from memtui.layouts.discovery import at
from memtui.locale import _, _n

if TYPE_CHECKING:
    from memtui.curation.candidates import Candidate
    from memtui.vault import Vault

VERBS = ("list", "show", "approve", "reject", "explain", "reconsider", "propose")
ORIGINS = (
    "quarantine", "secret", "proposed", "capability", "contradiction", "stale", "weak", "distilled", "duplicate",
    "attachment",
)  # fmt: skip


def run(
    verb: str | None, which: tuple[str, ...], *, home: tuple[str, ...], as_json: bool, **said: Any
) -> int:
    """Do what the verb says; 1 where there is nothing."""
    verb = verb or "list"
    _fitting(verb, which, said)
    if verb == "propose":
        from memtui.cli.deciding import propose

        return propose(which, home, as_json, said)
    goal = (said["to_home"],) if home and said["to_home"] else ()
    with vault((*home, *goal)) as opened:
        # A home that only takes what is approved has no say in what waits.
        among = frozenset(str(at(Path(path)).path) for path in home) if goal else frozenset()
        looks = verb in {"show", "explain"} and bool(which)
        queue = load_queue(opened, among)
        if said["refused"]:
            return _refused(queue, as_json)
        shown = queue.rejected if verb == "reconsider" or said["rejected"] else queue.waiting
        shown = [*queue.waiting, *queue.rejected] if looks else shown
        shown = [one for one in shown if not said["origin"] or one.origin in said["origin"]]
        if verb == "list":
            return _list(queue, shown, as_json)
        chosen = candidates.meant(shown, which) if which else shown
        if said["safe"]:
            chosen = [one for one in chosen if not one.warnings and one.origin in ADDING]
        if verb in {"show", "explain"}:
            done = _show(opened, chosen, verb, as_json)
            for one in chosen:
                if one in queue.rejected:
                    output.talk(
                        _("{id} was rejected: `memtui review reconsider {id}` lets it wait again.").format(
                            id=one.id[: candidates.SHOWN]
                        )
                    )
            return done
        from memtui.cli.deciding import decide

        return decide(opened, verb, chosen, as_json, said)


def load_queue(opened: Vault, among: frozenset[str] = frozenset()) -> Queue:
    """All that waits in these homes now, what was rejected, and what was not proposed."""
    found = analysed(opened, "queue", "rest", "refused").load_queue(among, rejected=True, whole=True)
    return found.queue if found is not None else Queue([], [], [])


def _fitting(verb: str, which: tuple[str, ...], said: dict[str, Any]) -> None:
    """Raises UsageError for what cannot be meant together."""
    many = said["all_"] or said["safe"]
    if verb in {"approve", "reject", "reconsider", "show"} and not which and not many:
        raise UsageError(
            _("Which? `memtui review {verb} ID…`, or --all; `memtui review` lists them.").format(verb=verb)
        )
    if verb == "explain" and not which and not said["refused"]:
        raise UsageError(_("`memtui review explain ID`, or --refused for the facts that were not proposed."))
    if verb == "list" and which:
        raise UsageError(_("`memtui review show {id}` shows one.").format(id=which[0]))
    if which and many and verb != "propose":
        raise UsageError(_("Either ids, or --all or --safe."))
    changed = [name for name in ("text", "section", "file", "to_home") if said[name]]
    if changed and verb not in {"approve", "propose"}:
        raise UsageError(_("--{name} belongs to approve.").format(name=changed[0].replace("_", "-")))
    if changed and verb == "approve" and len(which) != 1:
        raise UsageError(_("What is changed before it is approved is approved by itself: name one id."))
    if said["reason"] and verb not in {"reject", "propose"}:
        raise UsageError(_("--reason belongs to reject."))


def _list(queue: Queue, shown: list[Candidate], as_json: bool) -> int:
    if as_json:
        output.document(
            {
                "candidates": [candidates.plain(one) for one in shown],
                "waiting": len(queue.waiting),
                "refused": len(queue.refused),
            }
        )
        return 0 if shown else 1
    if shown:
        candidates.table(shown)
        warned = sum(bool(one.warnings) for one in shown)
        waits = _n("{count} waits", "{count} wait", len(shown))
        output.talk(f"{waits}, " + _n("{count} with a warning (!)", "{count} with warnings (!)", warned))
    else:
        output.talk(_("Nothing waits for a decision."))
    if queue.refused:
        output.talk(
            _n(
                "{count} fact was not proposed; `memtui review explain --refused` says why",
                "{count} facts were not proposed; `memtui review explain --refused` says why",
                len(queue.refused),
            )
        )
    return 0 if shown else 1


def _refused(queue: Queue, as_json: bool) -> int:
    if as_json:
        output.document({"refused": [candidates.refused(fact) for fact in queue.refused]})
    elif queue.refused:
        candidates.refusals(queue.refused)
    else:
        output.talk(_("Every fact that was found is proposed, decided or in place."))
    return 0 if queue.refused else 1


def _show(opened: Vault, chosen: list[Candidate], verb: str, as_json: bool) -> int:
    diffs = [_diff(opened, one) if verb == "show" else ("", "") for one in chosen]
    if as_json:
        shown = [
            candidates.plain(one) | ({"diff": diff, "obstacle": why or None} if verb == "show" else {})
            for one, (diff, why) in zip(chosen, diffs, strict=True)
        ]
        output.document({"candidates": shown})
        return 0 if chosen else 1
    for number, (one, (diff, why)) in enumerate(zip(chosen, diffs, strict=True)):
        if number:
            output.line()
        candidates.page(one, diff)
        if why:
            output.talk(why)
    if not chosen:
        output.talk(_("Nothing waits for a decision."))
    return 0 if chosen else 1


def _diff(opened: Vault, one: Candidate) -> tuple[str, str]:
    from memtui.curation import review

    try:
        return review.diff(opened, one), ""
    except MemtuiError as error:
        return "", str(error)


COMMAND = Command(
    "review",
    "What waits for a decision: distilled facts, agents' proposals, contradictions, duplicates, quarantined text, "
    "secrets. Nothing is written before it is approved.\n\n"
    "\b\n"
    "memtui review                      list them, what matters most first\n"
    "memtui review show ID…             where it comes from, and exactly what would be written\n"
    "memtui review approve ID… | --all | --safe\n"
    "memtui review reject ID… --reason 'no longer true'\n"
    "memtui review explain ID | --refused\n"
    "memtui review reconsider ID…       let a rejected one wait again\n"
    "memtui review propose TEXT|-       let something wait, as an agent does",
    run,
    (
        Argument("verb", choices=VERBS, metavar=f"[{'|'.join(VERBS)}]"),
        Argument("which", many=True, metavar="[ID]…"),
    ),
    (
        Option(("--all",), "All that wait (with --origin: all of these).", "flag", dest="all_"),
        Option(("--safe",), "All that carry no warning.", "flag"),
        Option(
            ("--origin",),
            "Only what comes from here; may be repeated.",
            many=True,
            choices=ORIGINS,
            metavar="ORIGIN",
        ),
        Option(("--rejected",), "What was rejected, instead of what waits.", "flag"),
        Option(("--refused",), "The facts that were not proposed, and why.", "flag"),
        DRY_RUN,
        Option(("--text",), "Approve it with this text instead.", default="", metavar="TEXT"),
        Option(("--section",), "Write it under this heading instead.", default="", metavar="HEADING"),
        Option(("--file",), "Write it into this file of the home instead.", default="", metavar="PATH"),
        Option(("--to-home",), "Write it into this home instead.", "dir", default="", metavar="PATH"),
        Option(
            ("--reason",), "Why it is rejected; shown where it is reconsidered.", default="", metavar="TEXT"
        ),
        Option(
            ("--kind",),
            "What a proposal is: pref, decision, fact, rule, todo or note.",
            default="note",
            metavar="KIND",
        ),
        Option(("--who",), "Who proposes it: an agent's name.", default="", metavar="NAME"),
        *EVERYWHERE,
    ),
    epilog="ID is an id in the list, or as much of its beginning as only one has. "
    "Exit status: 0 done, 1 nothing waits, 2 wrong use, 3 refused (some of several, too), 4 could not.",
)
