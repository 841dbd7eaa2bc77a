"""Candidates as documents, as rows and as pages; and finding the ones that are meant."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memtui.cli import diffs, output
from memtui.cli.opening import reference, short
from memtui.cli.record import iso
from memtui.errors import UsageError
from memtui.locale import _

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memtui.curation.candidates import Candidate, Refused
    from memtui.edits import Target

SHOWN = 10
"""Characters of an id in a list: enough to name one of any queue that a person works off."""


def plain(candidate: Candidate) -> dict[str, Any]:
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
                "time": iso(source.time),
            }
            for source in candidate.sources
        ],
        "seen": candidate.seen,
        "near": [near._asdict() for near in candidate.near],
        "warnings": list(candidate.warnings),
        "time": iso(candidate.time),
        "memories": list(candidate.memories),
        "who": candidate.who,
        "reason": candidate.reason,
    }


def refused(fact: Refused) -> dict[str, Any]:
    """A fact that was not proposed, and why."""
    return fact._asdict()


def meant(candidates: Sequence[Candidate], ids: Iterable[str]) -> list[Candidate]:
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


def table(candidates: Sequence[Candidate]) -> None:
    """One row each, what matters most first."""
    heads = (
        output.Column(_("id"), output.DIM),
        output.Column("", output.YELLOW),
        output.Column(_("from"), output.GREEN),
        output.Column(_("kind")),
        output.Column(_("score"), right=True),
        output.Column(_("text"), grows=True),
        output.Column(_("into"), output.CYAN),
    )
    output.table(
        heads,
        [
            (
                one.id[:SHOWN],
                "!" if one.warnings else "",
                one.origin,
                one.kind,
                f"{one.score:.2f}",
                one.said,
                "" if one.target is None else _into(one.target),
            )
            for one in candidates
        ],
    )


def refusals(facts: Sequence[Refused]) -> None:
    """One row each: why it was not proposed."""
    output.table(
        (
            output.Column(_("why not"), output.YELLOW),
            output.Column(_("text"), grows=True),
            output.Column(_("where"), output.CYAN),
        ),
        [(fact.reason, fact.text, _where(fact.home, fact.path, fact.line)) for fact in facts],
    )


def _into(target: Target) -> str:
    """Where it would go: whole in a pipe, the file's name on a terminal, where there is less room."""
    path = target.path if output.columns() is None else target.path.rpartition("/")[2]
    return " › ".join(filter(None, (path, target.section)))


def _where(home: str, path: str, line: int) -> str:
    return reference(home, path, line) if output.columns() is None else f"{path.rpartition('/')[2]}:{line}"


def page(one: Candidate, diff: str = "", *, score: bool = True) -> None:
    """All that is known of one candidate, and what approving it writes."""
    title = f"{one.id[:SHOWN]}  {one.origin}  {one.kind} ({one.layer.value})"
    output.line(output.paint(output.safe(title), output.BOLD))
    output.line(output.text(one.text))
    rows: list[tuple[str, str]] = []
    if one.target is not None:
        into = " › ".join(filter(None, (one.target.path, one.target.section)))
        rows.append((_("into"), f"{short(one.target.home)}: {into}"))
    if score:
        rows.append((_("score"), f"{one.score:.2f}"))
        rows += [(f"  {name}", value) for name, value in one.parts]
    if one.reason:
        rows.append((_("why"), one.reason))
    for source in one.sources:
        told = " · ".join(filter(None, (iso(source.time) or "", source.session)))
        rows.append((_("said in"), f"{reference(source.home, source.path, source.line)}  {told}".rstrip()))
    if one.seen > 1:
        rows.append((_("seen"), _("on {count} days").format(count=one.seen)))
    rows += [(_("like"), f"{near.path}:{near.line} ({near.likeness:.0%}) {near.text}") for near in one.near]
    rows += [(_("proposed by"), one.who)] if one.who else []
    rows += [("!", warning) for warning in one.warnings]
    wide = max((len(name) for name, _value in rows), default=0)
    for name, value in rows:
        style = output.YELLOW if name == "!" else output.DIM
        output.line(f"{output.paint(output.safe(name).ljust(min(wide, 20)), style)}  {output.safe(value)}")
    for line in diffs.painted(diff):
        output.line(line)
