"""The tools by which agents have a say in what lasts: a proposal that waits for a person, and how a memory fared."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

from memtui.agents import names, quota
from memtui.agents.excerpts import veiled
from memtui.agents.schema import Of
from memtui.edits import Draft
from memtui.errors import MemtuiError, UsageError
from memtui.locale import _
from memtui.model import Layer

if TYPE_CHECKING:
    from memtui.agents.caller import Caller
    from memtui.curation.candidates import Candidate
    from memtui.vault import Vault

LONGEST = 4000
"""Characters of one proposal."""
NEAREST, ALIKE = 3, 0.6
"""How many of what is remembered already are shown with a proposal, and from which score on."""

_KNOWLEDGE = frozenset({"rule", "fact"})
"""Kinds that belong to a project's own documents, where the home keeps such."""


def memory_propose(
    caller: Caller,
    text: Annotated[str, Of("What should last, in a sentence that stands by itself.", most=LONGEST)],
    kind: Annotated[
        Literal["pref", "decision", "rule", "fact", "lesson", "todo", "skill", "note"], Of("What it is.")
    ] = "note",
    section: Annotated[str, Of("The heading it belongs under, where that is known.", most=200)] = "",
    reason: Annotated[str, Of("Why it should last: what was said, or what happened.", most=1000)] = "",
    replaces: Annotated[str, Of("The id of the memory that it takes the place of.", most=400)] = "",
) -> dict[str, Any]:
    """Propose something for the lasting memory. Nothing is written until the person approves it in Review.

    Use it for what should hold in every future session: a stable preference, a rule of the project, a decision, or a
    correction of a memory that is wrong (`replaces`). For notes of the day use memory_append.
    """
    from memtui.curation import review

    caller.fresh()
    layer = Layer.KNOWLEDGE if kind in _KNOWLEDGE else Layer.CORE
    draft = Draft(
        text.strip(),
        kind,
        section=section.strip(),
        evidence=reason.strip(),
        source=caller.session.id,
        project=caller.session.name,
    )
    home = ""
    if replaces:
        old = caller.vault.memory(replaces)
        if old is None:
            raise UsageError(
                _("There is no memory '{id}': memory_search gives ids.").format(id=replaces[:80])
            )
        draft, layer, home = draft._replace(supersedes=old.id), old.layer or layer, old.home
    why = quota.spent(caller.session.id, "proposal")
    if why:
        return {"proposed": False, "reason": why}
    with caller.writing(layer, draft) as (vault, first):
        made = review.propose(
            vault,
            home or str(first.path),
            draft,
            caller.who,
            layer=layer,
            session=caller.session.id,
            compared=False,
        )
        aim = _aim(vault, made)
    return {
        "proposed": bool(made.stored),
        "id": made.id,
        "text": made.text,
        "reason": made.reason or (None if made.stored else _("rejected before")),
        "home": made.home,
        **aim,
        "near": _near(caller, made),
    }


def _aim(vault: Vault, made: Candidate) -> dict[str, str | None]:
    """The file and the section that approving it would write to; or why there are none."""
    from memtui.curation.approving import aimed
    from memtui.curation.standing import home_of

    try:
        target = aimed(home_of(vault, made.home), made.layer, made.draft or Draft(made.text))
    except (MemtuiError, OSError) as error:
        return {"path": None, "section": None, "warning": str(error)}
    return {"path": target.path, "section": target.section or None, "warning": None}


def _near(caller: Caller, made: Candidate) -> list[dict[str, Any]]:
    """What is remembered already in much the same words, so that an agent sees that it is."""
    found = caller.vault.find(made.text[:300], NEAREST, mode="fts", min_score=ALIKE)
    return [
        {
            "path": hit.path,
            "line": hit.start_line,
            "text": veiled(hit.snippet, caller.config),
            "home": hit.home,
        }
        for hit in found
    ]


def memory_feedback(
    caller: Caller,
    experience_id: Annotated[
        str,
        Of("What was used: a memory's id or path:line, as memory_search gives it, or an experience's id.",
           most=300, also=("memory_id", "id")),
    ],
    outcome: Annotated[
        Literal["success", "failed", "partly", "unknown", ""], Of("How the session went with it, once that is known.")
    ] = "",
    context: Annotated[str, Of("What it was used for, in a sentence.", most=500)] = "",
    session_id: Annotated[str, Of("The session; else the current one.", most=names.LONGEST)] = "",
    corrections: Annotated[int, Of("How often the person had to correct you.", 0, 1000)] = 0,
) -> dict[str, Any]:  # fmt: skip
    """Say that a remembered lesson, rule or fact was used, and how it went: what helps is shown first later on.

    One line in the audit log for the use, one more for the outcome where it is given; nothing else changes.
    """
    from memtui.agents.keeping import home_for
    from memtui.evolution import audit, experience
    from memtui.evolution.log import PATH

    caller.fresh()
    session = names.identifier(session_id, "'session_id'") if session_id else caller.session.id
    used = experience.named(caller.vault, experience_id)
    why = quota.spent(caller.session.id, "event")
    if why:
        return {"recorded": False, "reason": why}
    with home_for(caller, used.home) as (vault, home):
        receipt = audit.noted(
            vault, home, used, session, who=caller.who, context=context.strip(), outcome=outcome,
            corrections=corrections,
        )  # fmt: skip
    return {
        "recorded": True,
        "experience_id": used.id,
        "session_id": session,
        "events": 2 if outcome else 1,
        "path": PATH,
        "home": str(home.path),
        "receipt": receipt.id,
    }
