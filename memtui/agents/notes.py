"""The tools that write the journal and a session's summary: appended, masked, put aside where they give orders.

None of them overwrites or deletes anything; all of them take the one write path, and can be undone.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple

from memtui.agents import names, quota
from memtui.agents.schema import Of
from memtui.edits import Draft
from memtui.errors import QuarantinedError
from memtui.locale import _
from memtui.model import Layer
from memtui.safety.injection import examine

if TYPE_CHECKING:
    from memtui.agents.caller import Caller
    from memtui.curation.append import Appended
    from memtui.model import Home
    from memtui.sessions.session import Session

LONGEST = 4000
"""Characters of one note."""
FLUSHED = 40
"""Notes of one flush, at most (spec 001's own limit)."""

_KEEPING = frozenset({"memtui", "skillix"})
"""Layouts that keep facts as daily records (spec 004)."""

_Text = Annotated[str, Of("One thing, in a sentence that stands by itself.", most=LONGEST)]
_Session = Annotated[
    str, Of("The session it comes from; else the current one.", most=names.LONGEST, also=("session_id",))
]


class Left(NamedTuple):
    """What was not written."""

    reason: str
    """For whoever asked."""
    id: str = ""
    """Of what was put aside."""

    @property
    def told(self) -> dict[str, Any]:
        """As an answer says it."""
        return {"reason": self.reason, **({"id": self.id, "quarantined": True} if self.id else {})}


def memory_append(
    caller: Caller,
    text: _Text,
    kind: Annotated[
        Literal["pref", "decision", "fact", "todo", "lesson", "rule", "note"],
        Of("What it is."),
    ] = "note",
    tags: Annotated[tuple[str, ...], Of("Tags, without '#'.", most=400)] = (),
    source: Annotated[str, Of("The session or run it comes from; else the current session.", most=200)] = "",
) -> dict[str, Any]:
    """Remember one thing: a line at the end of today's journal.

    Use it when the person says to remember something, or when something durable was decided or learned. Never put
    passwords, tokens or keys in it; what looks like one is masked. What is there already is not written twice.
    """
    draft = Draft(text.strip(), kind, tags=_tags(tags), source=source.strip() or caller.session.id)
    done = _written(caller, draft, "")
    if isinstance(done, Left):
        return {"path": None, "line": None, "appended": False, **done.told}
    return {
        "path": done.path,
        "line": done.line,
        "appended": done.receipt is not None,
        **({} if done.receipt else {"duplicate": True}),
        "line_number": done.number or None,
        **({"id": done.key} if done.key else {}),
        "home": done.home,
        **({"warnings": list(done.receipt.warnings)} if done.receipt and done.receipt.warnings else {}),
    }


def memory_flush(
    caller: Caller,
    text: Annotated[str, Of("A summary of a conversation, or the conversation.", most=400_000)],
    source: Annotated[str, Of("The session or run it comes from; else the current session.", most=200)] = "",
    max_items: Annotated[int | None, Of("How many notes at most.", 1, FLUSHED)] = None,
    auto: Annotated[bool, Of("Nobody asked for it: before the context is compacted, say.")] = False,
) -> dict[str, Any]:
    """Take what lasts out of a longer text (preferences, decisions, lessons, todos) and append it to the journal.

    Use it before the context is compacted, or with a summary at the end of a piece of work.
    """
    from memtui.sessions.flush import flush

    config = caller.config
    root = str(caller.home.path)
    backend = _extractor(caller)
    why = _switched_off(caller.home)
    if why or (auto and not config.capture.enabled):
        told = why or _("capture.enabled is false")
        return {"path": None, "appended": 0, "skipped": 0, "disabled": True, "backend": backend, "root": root,
                "reason": told}  # fmt: skip
    if not auto:
        # Somebody asked for it: what is switched off is doing it unasked.
        config = config._replace(capture=config.capture._replace(enabled=True))
    with caller.writing(Layer.JOURNAL, Draft(text[:200])) as (vault, home):
        done = flush(
            vault, home, caller.session, text, config,
            source=source.strip() or caller.session.id, who=caller.who, most=max_items or 0,
        )  # fmt: skip
    return {
        "path": done.path or None,
        "appended": done.appended,
        "skipped": done.skipped,
        "disabled": done.disabled,
        "backend": backend,
        "root": done.home or str(home.path),
        "reason": done.reason or None,
        "kept_for_later": done.kept,
    }


def save_fact(
    caller: Caller,
    content: _Text,
    memory_type: Annotated[
        Literal["W", "B", "O", "S"],
        Of("W: a fact of the world or the project; B: something that happened; O: a preference or an opinion; "
           "S: a summary of a stage.", also=("type",)),
    ] = "W",
    entities: Annotated[tuple[str, ...], Of("What it is about.", most=400)] = (),
    confidence: Annotated[float, Of("How sure it is, 0 to 1.", 0, 1)] = 0.9,
    session: _Session = "",
    duration: Annotated[
        Literal["permanent", "7d", "24h", "session"],
        Of("How long it holds: 24h for a rule of this task, 7d for what went wrong, session for a few hours."),
    ] = "permanent",
) -> dict[str, Any]:  # fmt: skip
    """Keep one fact of today, with its type, what it is about and how sure it is.

    Facts that are sure, lasting or repeated are proposed for core memory later. Say it again when it came up again:
    how often counts. No passwords, tokens or keys.
    """
    from memtui import clock
    from memtui.curation.retention import until

    kinds = {"W": "fact", "B": "event", "O": "pref", "S": "summary"}
    named = _session(caller, session)
    draft = Draft(
        content.strip(), kinds[memory_type], entities=tuple(entities), confidence=confidence,
        source=named.id, memory_type=memory_type, expires=until(duration, clock.now()),
    )  # fmt: skip
    done = _written(caller, draft, "fact")
    if isinstance(done, Left):
        return {"status": "skipped", **done.told}
    return {
        "status": "ok",
        "id": done.key or f"{done.path}:{done.number}",
        "path": done.path,
        "line_number": done.number or None,
        "home": done.home,
        **({} if done.receipt else {"duplicate": True}),
    }


def save_summary(
    caller: Caller,
    topic: Annotated[str, Of("What the session was about, in one sentence.", most=400)],
    summary: Annotated[
        str, Of("What was done and found, in at most 300 characters of substance.", most=LONGEST)
    ],
    decisions: Annotated[tuple[str, ...], Of("What was decided.", most=LONGEST, prose=True)] = (),
    todos: Annotated[tuple[str, ...], Of("What is left to do.", most=LONGEST, prose=True)] = (),
    session: _Session = "",
    source: Annotated[str, Of("Who or what asked for it.", most=200)] = "",
) -> dict[str, Any]:
    """Write the current session's summary: topic, what was done, decisions, what is left to do.

    A session has one summary: writing it again brings it up to date. Nothing is saved twice.
    """
    from memtui.sessions.extract import Extract
    from memtui.sessions.record import record

    named = _session(caller, session)
    points = tuple(filter(None, (line.strip(" -*•\t") for line in summary.splitlines())))
    # Spec 000's form has no place for a topic but what was done.
    done = (topic.strip(), *points) if caller.home.layout == "helloagents" else points
    found = Extract(topic.strip(), done, decisions=decisions, todos=todos, goal=topic.strip(), by="agent")
    why = _switched_off(caller.home) or quota.spent(caller.session.id, "note")
    if why:
        return {"status": "skipped", "reason": why}
    with caller.own() as (vault, home):
        receipt = record(vault, home, named, found, trigger=source.strip() or _("asked for"))
    if receipt is None:
        return {"status": "skipped", "reason": "already_saved", "session_id": named.id}
    orders = any(examine(text).action == "quarantine" for text in (topic, *done, *decisions, *todos))
    warnings = list(receipt.warnings)
    if orders:
        warnings.append(_("What reads like an order to agents was put aside until the person decides."))
    return {
        "status": "ok",
        "id": receipt.id,
        "session_id": named.id,
        "path": os.path.relpath(receipt.paths[0], home.path).replace(os.sep, "/"),
        "home": str(home.path),
        **({"warnings": warnings} if warnings else {}),
        **({"quarantined": True} if orders else {}),
    }


def _written(caller: Caller, draft: Draft, form: str) -> Appended | Left:
    """One note in the journal; or why it was not written."""
    from memtui.curation.append import append

    with caller.writing(Layer.JOURNAL, draft) as (vault, home):
        why = _switched_off(home) or quota.spent(caller.session.id, "note")
        if why:
            return Left(why)
        try:
            return append(vault, home, draft, form=form if home.layout in _KEEPING else "", who=caller.who)
        except QuarantinedError as error:
            return Left(
                _("It reads like an order to agents: put aside until the person decides."), error.kept
            )


def _switched_off(home: Home) -> str:
    """spec 004's word where the memory skill's kill switch stands beside its data; else empty."""
    off = home.layout == "skillix" and (home.path.parent / ".memory-disable").exists()
    return "memory_disabled" if off else ""


def _session(caller: Caller, named: str) -> Session:
    if not named:
        return caller.session
    return caller.session._replace(id=names.identifier(named, "'session'"))


def _tags(tags: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(filter(None, (tag.strip().lstrip("#").strip() for tag in tags)))


def _extractor(caller: Caller) -> str:
    if caller.config.capture.extractor == "rules":
        return "rules"
    from memtui import llm

    return "rules" if llm.why_not(caller.config.llm) else "model"
