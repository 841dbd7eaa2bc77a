"""`memtui review`: what waits for a decision, and deciding it.

First candidates as documents, rows and pages, and finding the ones that are meant; then the decisions; then the
command.
"""

from __future__ import annotations

import os
from itertools import starmap
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memtui.cli import documents, render
from memtui.cli.documents import format_iso
from memtui.cli.facts_commands import drain_spool, open_writer, read_passage
from memtui.cli.opening import describe_home, format_place, load_analyses, open_vault, resolve_home, shorten_path
from memtui.cli.options import DRY_RUN, EVERYWHERE, Argument, Command, CommandOption
from memtui.consolidation import EVOLVED
from memtui.core.edits import Draft
from memtui.core.errors import MemtuiError, RefusedError, UsageError
from memtui.core.locale import _, _n
from memtui.core.model import Layer
from memtui.layouts.discovery import open_home_at
from memtui.layouts.tracks import TRACKS
from memtui.review import queue
from memtui.store.candidates import ADDING, Queue, describe_part

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memtui.core.edits import Receipt, Target
    from memtui.store.candidates import Candidate, Refused
    from memtui.store.vault import Vault

SHOWN = 10
"""Characters of an id in a list: enough to name one of any queue that a person works off."""


def dump_candidate(candidate: Candidate) -> dict[str, Any]:
    """Every field that means something outside."""
    target = candidate.target
    return {
        "id": candidate.id,
        "origin": candidate.origin,
        "home": candidate.home,
        "text": candidate.text,
        "kind": candidate.kind,
        "layer": candidate.layer.value,
        "target": None
        if target is None
        else {"home": target.home, "path": target.path, "section": target.section, "exists": target.exists},
        "score": round(candidate.score, 4),
        "parts": [{"name": name, "value": value} for name, value in candidate.parts],
        "sources": [
            {
                "home": source.home,
                "path": source.path,
                "line": source.line,
                "session": source.session,
                "time": format_iso(source.time),
            }
            for source in candidate.sources
        ],
        "seen": candidate.seen,
        "near": [near._asdict() for near in candidate.near],
        "warnings": list(candidate.warnings),
        "time": format_iso(candidate.time),
        "memories": list(candidate.memories),
        "who": candidate.who,
        "reason": candidate.reason,
    }


def dump_refused(fact: Refused) -> dict[str, Any]:
    """A fact that was not proposed, and why."""
    return fact._asdict()


def find_candidates(candidates: Sequence[Candidate], ids: Iterable[str]) -> list[Candidate]:
    """The candidates with these ids, or the beginnings of ids that only one has. Raises UsageError."""
    found: list[Candidate] = []
    for named in ids:
        fitting = [one for one in candidates if one.id == named] or [
            one for one in candidates if one.id.startswith(named)
        ]
        if len(fitting) > 1:
            raise UsageError(
                _("'{id}' may be {count} candidates: write more of it.").format(id=named, count=len(fitting))
            )
        if not fitting:
            raise UsageError(_("No candidate '{id}': `memtui review` lists them.").format(id=named))
        if fitting[0] not in found:
            found.append(fitting[0])
    return found


def print_candidates(candidates: Sequence[Candidate]) -> None:
    """One row each, what matters most first."""
    heads = (
        render.Column(_("id"), render.DIM),
        render.Column("", render.YELLOW),
        render.Column(_("from"), render.GREEN),
        render.Column(_("kind")),
        render.Column(_("score"), right=True),
        render.Column(_("text"), grows=True),
        render.Column(_("into"), render.CYAN),
    )
    render.print_table(
        heads,
        [
            (
                one.id[:SHOWN],
                "!" if one.warnings else "",
                one.origin,
                one.kind,
                f"{one.score:.2f}" if one.score else "",
                one.said,
                "" if one.target is None else _format_target(one.target),
            )
            for one in candidates
        ],
    )


def print_refusals(facts: Sequence[Refused]) -> None:
    """One row each: why it was not proposed."""
    render.print_table(
        (
            render.Column(_("why not"), render.YELLOW),
            render.Column(_("text"), grows=True),
            render.Column(_("where"), render.CYAN),
        ),
        [(fact.reason, fact.text, _format_where(fact.home, fact.path, fact.line)) for fact in facts],
    )


def _format_target(target: Target) -> str:
    """Where it would go: whole in a pipe, the file's name on a terminal, where there is less room."""
    path = target.path if render.count_columns() is None else target.path.rpartition("/")[2]
    return " › ".join(filter(None, (path, target.section)))


def _format_where(home: str, path: str, line: int) -> str:
    return format_place(home, path, line) if render.count_columns() is None else f"{path.rpartition('/')[2]}:{line}"


def page(one: Candidate, diff: str = "", *, score: bool = True) -> None:
    """All that is known of one candidate, and what approving it writes."""
    title = f"{one.id[:SHOWN]}  {one.origin}  {one.kind} ({one.layer.value})"
    render.print_line(render.paint(render.make_safe_line(title), render.BOLD))
    render.print_line(render.make_safe_text(one.text))
    rows: list[tuple[str, str]] = []
    if one.target is not None:
        into = " › ".join(filter(None, (one.target.path, one.target.section)))
        rows.append((_("into"), f"{shorten_path(one.target.home)}: {into}"))
    if score:
        rows.append((_("score"), f"{one.score:.2f}"))
        rows += [(f"  {name}", value) for name, value in starmap(describe_part, one.parts)]
    if one.reason:
        rows.append((_("why"), one.reason))
    for source in one.sources:
        told = " · ".join(filter(None, (format_iso(source.time) or "", source.session)))
        rows.append((_("said in"), f"{format_place(source.home, source.path, source.line)}  {told}".rstrip()))
    if one.seen > 1:
        rows.append((_("seen"), _("on {count} days").format(count=one.seen)))
    rows += [(_("like"), f"{near.path}:{near.line} ({near.likeness:.0%}) {near.text}") for near in one.near]
    rows += [(_("proposed by"), one.who)] if one.who else []
    rows += [("!", warning) for warning in one.warnings]
    render.print_fields(rows)
    for line in render.paint_diff(diff):
        render.print_line(line)


DONE = {
    "approve": ("{count} candidate was approved.", "{count} candidates were approved."),
    "reject": ("{count} candidate was rejected.", "{count} candidates were rejected."),
    "reconsider": ("{count} candidate waits again.", "{count} candidates wait again."),
}
WOULD = {
    "approve": ("{count} candidate would be approved.", "{count} candidates would be approved."),
    "reject": ("{count} candidate would be rejected.", "{count} candidates would be rejected."),
    "reconsider": ("{count} candidate would wait again.", "{count} candidates would wait again."),
}


def decide(opened: Vault, verb: str, chosen: list[Candidate], as_json: bool, said: dict[str, Any]) -> int:
    """Decide the chosen ones, as one decision that is undone at once; 3 where some of them could not be."""
    if not chosen:
        if as_json:
            render.print_document({"receipts": [], "failed": []})
        render.print_remark(_("Nothing waits for a decision."))
        return 1
    goal = resolve_home(opened, said["to_home"]) if said["to_home"] else ""
    changed = {"text": said["text"], "section": said["section"], "path": said["file"], "home": goal}
    changed = {name: value for name, value in changed.items() if value}
    if said["dry_run"]:
        return _show_what_would_be(opened, verb, chosen, as_json, changed)
    drain_spool(opened.config)
    done, failed = _decide_all(opened, verb, chosen, changed, said["reason"])
    decided = [one for one in chosen if all(one is not other for other, _error in failed)]
    if as_json:
        render.print_document(
            {
                "receipts": [documents.dump_receipt(receipt) for receipt in done],
                "decided": [one.id for one in decided],
                "failed": [{"id": one.id, "reason": str(error)} for one, error in failed],
            }
        )
        documents.print_remarks(done)
    else:
        if verb == "approve":
            documents.say(done)
        elif done:
            documents.print_undo(done)
        render.print_remark(_n(*_translate_forms(DONE[verb]), len(decided)))
    for one, error in failed:
        render.print_remark(f"{one.id[:SHOWN]}: {error}")
        documents.explain(error)
    return max((error.exit_status for _one, error in failed), default=0)


def _decide_all(
    opened: Vault, verb: str, chosen: list[Candidate], changed: dict[str, str], reason: str
) -> tuple[list[Receipt], list[tuple[Candidate, MemtuiError]]]:
    """The writes that were made, and what is in the way of the others."""
    if len(chosen) > 1:
        if verb == "approve":
            return queue.approve_all(opened, chosen, warned=True, who=_name_decider(), evolved=EVOLVED)
        if verb == "reject":
            return queue.reject_all(opened, chosen, reason, who=_name_decider())
        return queue.reconsider_all(opened, chosen, who=_name_decider())
    try:
        if verb == "approve":
            return [queue.approve(opened, chosen[0], who=_name_decider(), evolved=EVOLVED, **changed)], []
        if verb == "reject":
            return [queue.reject(opened, chosen[0], reason, who=_name_decider())], []
        return [queue.reconsider(opened, chosen[0], who=_name_decider())], []
    except MemtuiError as error:
        return [], [(chosen[0], error)]


def _name_decider() -> str:
    """Who approves: in an agent's own shell the agent, for what a person approves is given to agents as their rules."""

    agent = next((track.agent for track in TRACKS if any(map(os.environ.get, track.signs))), "")
    return f"agent:{agent}" if agent else "person"


def _show_what_would_be(
    opened: Vault, verb: str, chosen: list[Candidate], as_json: bool, changed: dict[str, str]
) -> int:
    found: list[tuple[Candidate, str, str]] = []
    for one in chosen:
        try:
            found.append((one, queue.diff(opened, one, evolved=EVOLVED, **changed) if verb == "approve" else "", ""))
        except MemtuiError as error:
            found.append((one, "", str(error)))
    possible = sum(not why for _one, _diff, why in found)
    if as_json:
        render.print_document(
            {
                "dry_run": True,
                "count": possible,
                "candidates": [
                    dump_candidate(one) | {"diff": diff, "obstacle": why or None} for one, diff, why in found
                ],
            }
        )
    else:
        for one, diff, why in found:
            render.print_line(render.paint(render.make_safe_line(f"{one.id[:SHOWN]}  {one.text}"), render.BOLD))
            for line in render.paint_diff(diff):
                render.print_line(line)
            if why:
                render.print_remark(why)
        render.print_remark(_n(*_translate_forms(WOULD[verb]), possible) + " " + _("Nothing was written."))
    return 0 if possible == len(found) else RefusedError.exit_status


def _translate_forms(forms: tuple[str, str]) -> tuple[str, str]:
    return _(forms[0]), _(forms[1])


def propose(words: tuple[str, ...], home: tuple[str, ...], as_json: bool, said: dict[str, Any]) -> int:
    """Let a text wait for a decision: stored, and nothing else."""
    draft = Draft(read_passage(words), said["kind"].lower(), section=said["section"])
    who = f"agent:{said['who']}" if said["who"] else "person"
    with open_writer(home, Layer.CORE, draft) as (opened, place):
        one = queue.propose(opened, str(place.path), draft, who)
    waits = bool(one.stored)
    if as_json:
        render.print_document({"candidate": dump_candidate(one), "waiting": waits})
    else:
        render.print_line(render.make_safe_line(one.id))
    if not waits:
        render.print_remark(_("That was decided before ({reason}): it does not wait again.").format(reason=one.reason))
        return RefusedError.exit_status
    if as_json:
        return 0
    render.print_remark(_("It waits in review, for {home}.").format(home=describe_home(place)))
    for warning in one.warnings:
        render.print_remark(_("note: {text}").format(text=warning))
    return 0


VERBS = ("list", "show", "approve", "reject", "explain", "reconsider", "propose")
ORIGINS = (
    "quarantine", "secret", "asked", "proposed", "capability", "contradiction", "stale", "weak", "distilled",
    "duplicate", "attachment",
)  # fmt: skip


def run(verb: str | None, which: tuple[str, ...], *, home: tuple[str, ...], as_json: bool, **said: Any) -> int:
    """Do what the verb says; 1 where there is nothing."""
    verb = verb or "list"
    _check_fits(verb, which, said)
    if verb == "propose":
        return propose(which, home, as_json, said)
    goal = (said["to_home"],) if home and said["to_home"] else ()
    with open_vault((*home, *goal)) as opened:
        # A home that only takes what is approved has no say in what waits.
        among = frozenset(str(open_home_at(Path(path)).path) for path in home) if goal else frozenset()
        looks = verb in {"show", "explain"} and bool(which)
        queue = load_queue(opened, among)
        if said["refused"]:
            return _show_refused(queue, as_json)
        shown = queue.rejected if verb == "reconsider" or said["rejected"] else queue.waiting
        shown = [*queue.waiting, *queue.rejected] if looks else shown
        shown = [one for one in shown if not said["origin"] or one.origin in said["origin"]]
        if verb == "list":
            return _list(queue, shown, as_json)
        chosen = find_candidates(shown, which) if which else shown
        if said["safe"]:
            chosen = [one for one in chosen if not one.warnings and one.origin in ADDING]
        if verb in {"show", "explain"}:
            done = _show(opened, chosen, verb, as_json)
            for one in chosen:
                if one in queue.rejected:
                    render.print_remark(
                        _("{id} was rejected: `memtui review reconsider {id}` lets it wait again.").format(
                            id=one.id[:SHOWN]
                        )
                    )
            return done
        return decide(opened, verb, chosen, as_json, said)


def load_queue(opened: Vault, among: frozenset[str] = frozenset()) -> Queue:
    """All that waits in these homes now, what was rejected, and what was not proposed."""
    found = load_analyses(opened, "queue", "rest", "refused").load_queue(among, rejected=True, whole=True)
    return found.queue if found is not None else Queue([], [], [])


def _check_fits(verb: str, which: tuple[str, ...], said: dict[str, Any]) -> None:
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
        render.print_document(
            {
                "candidates": [dump_candidate(one) for one in shown],
                "waiting": len(queue.waiting),
                "refused": len(queue.refused),
            }
        )
        return 0 if shown else 1
    if shown:
        print_candidates(shown)
        warned = sum(bool(one.warnings) for one in shown)
        waits = _n("{count} waits", "{count} wait", len(shown))
        doubtful = _n("{count} with a warning (!)", "{count} with warnings (!)", warned)
        render.print_remark(_("{one}, {other}").format(one=waits, other=doubtful) if warned else waits)
    else:
        render.print_remark(_("Nothing waits for a decision."))
    if queue.refused:
        render.print_remark(
            _n(
                "{count} fact was not proposed; `memtui review explain --refused` says why",
                "{count} facts were not proposed; `memtui review explain --refused` says why",
                len(queue.refused),
            )
        )
    return 0 if shown else 1


def _show_refused(queue: Queue, as_json: bool) -> int:
    if as_json:
        render.print_document({"refused": [dump_refused(fact) for fact in queue.refused]})
    elif queue.refused:
        print_refusals(queue.refused)
    else:
        render.print_remark(_("Every fact that was found is proposed, decided or in place."))
    return 0 if queue.refused else 1


def _show(opened: Vault, chosen: list[Candidate], verb: str, as_json: bool) -> int:
    diffs = [_diff(opened, one) if verb == "show" else ("", "") for one in chosen]
    if as_json:
        shown = [
            dump_candidate(one) | ({"diff": diff, "obstacle": why or None} if verb == "show" else {})
            for one, (diff, why) in zip(chosen, diffs, strict=True)
        ]
        render.print_document({"candidates": shown})
        return 0 if chosen else 1
    for number, (one, (diff, why)) in enumerate(zip(chosen, diffs, strict=True)):
        if number:
            render.print_line()
        page(one, diff)
        if why:
            render.print_remark(why)
    if not chosen:
        render.print_remark(_("Nothing waits for a decision."))
    return 0 if chosen else 1


def _diff(opened: Vault, one: Candidate) -> tuple[str, str]:
    try:
        return queue.diff(opened, one, evolved=EVOLVED), ""
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
        Argument("which", many=True, metavar="[ID]…", offers="offer_candidates"),
    ),
    (
        CommandOption(("--all",), "All that wait (with --origin: all of these).", "flag", dest="all_"),
        CommandOption(("--safe",), "All that carry no warning.", "flag"),
        CommandOption(
            ("--origin",), "Only what comes from here; may be repeated.", many=True, choices=ORIGINS, metavar="ORIGIN"
        ),
        CommandOption(("--rejected",), "What was rejected, instead of what waits.", "flag"),
        CommandOption(("--refused",), "The facts that were not proposed, and why.", "flag"),
        DRY_RUN,
        CommandOption(("--text",), "Approve it with this text instead.", default="", metavar="TEXT"),
        CommandOption(("--section",), "Write it under this heading instead.", default="", metavar="HEADING"),
        CommandOption(("--file",), "Write it into this file of the home instead.", default="", metavar="PATH"),
        CommandOption(("--to-home",), "Write it into this home instead.", "dir", default="", metavar="PATH"),
        CommandOption(("--reason",), "Why it is rejected; shown where it is reconsidered.", default="", metavar="TEXT"),
        CommandOption(
            ("--kind",), "What a proposal is: pref, decision, fact, rule, todo or note.", default="note", metavar="KIND"
        ),
        CommandOption(("--who",), "Who proposes it: an agent's name.", default="", metavar="NAME"),
        *EVERYWHERE,
    ),
    epilog="ID is an id in the list, or as much of its beginning as only one has. "
    "Exit status: 0 done, 1 nothing waits, 2 wrong use, 3 refused (some of several, too), 4 could not.",
)
