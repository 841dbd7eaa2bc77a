"""The tools for agents, one plain function each: the MCP server, `memtui tool` and the docs are made from `TOOLS`.

No tool overwrites, deletes or leaves the homes: the journal and the audit log (how a memory fared, spec 002) are
appended to, a session's summary is its own file, everything else becomes a candidate that waits for a person. All
take the one write path: masked, put aside where they give orders, undoable. Those that only read stand in `recall`.
"""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple

from memtui.agents import caller as caller_module
from memtui.agents import recall
from memtui.agents.caller import load_work
from memtui.agents.recall import mask_by_config
from memtui.agents.tool_schema import (
    Of,
    build_json_schema,
    check_arguments,
    convert_to_snake_case,
    list_parameters,
    read_description,
    suggest_word,
)
from memtui.core import clock
from memtui.core.edits import Draft
from memtui.core.errors import MemtuiError, QuarantinedError, UsageError
from memtui.core.locale import _
from memtui.core.model import Layer
from memtui.evolution import audit
from memtui.evolution.audit import PATH
from memtui.language.conversation import Extract
from memtui.layouts import load_facts
from memtui.layouts.home_config import explain_switched_off, read_memory_section
from memtui.safety.injection import examine
from memtui.safety.sanitize import count_hidden, sanitize_text
from memtui.store.vault import Vault

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memtui.agents.caller import Caller
    from memtui.core.model import Home
    from memtui.language.conversation import Session
    from memtui.store.append import AppendedNote
    from memtui.store.candidates import Candidate


@contextmanager
def open_feedback_home(caller: Caller, named: str) -> Iterator[tuple[Vault, Home]]:
    """The home whose log takes it: the one that the memory stands in, else the session's, else memtui's own."""
    about = [home for home in caller.vault.homes if str(home.path) == named]
    if not caller.session.sidechain and any(home.writable and audit.has_log(home) for home in about):
        yield caller.vault, about[0]
        return
    with caller.own() as (vault, first):
        among = [home for home in vault.homes if str(home.path) == named]
        fit = next((home for home in (*among, first, *vault.homes) if home.writable and audit.has_log(home)), None)
        if fit is not None:
            yield vault, fit
            return
    if caller.fixed:
        raise UsageError(_("No home that is open here keeps an audit log."))
    work = load_work()
    with Vault([work.make_home(work.find_own_home())], caller.config) as mine:
        mine.current = False
        yield mine, mine.homes[0]


LONGEST = 4000
"""Characters of one note, or of one proposal."""
FLUSHED = 40
"""Notes of one flush, at most (spec 001's own limit)."""

_Text = Annotated[str, Of("One thing, in a sentence that stands by itself.", most=LONGEST)]
_Session = Annotated[
    str, Of("The session it comes from; else the current one.", most=caller_module.LONGEST, also=("session_id",))
]


class UnwrittenNote(NamedTuple):
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
    kind: Annotated[Literal["pref", "decision", "fact", "todo", "lesson", "rule", "note"], Of("What it is.")] = "note",
    tags: Annotated[tuple[str, ...], Of("Tags, without '#'.", most=400)] = (),
    source: Annotated[str, Of("The session or run it comes from; else the current session.", most=200)] = "",
) -> dict[str, Any]:
    """Remember one thing: a line at the end of today's journal.

    Use it when the person says to remember something, or when something durable was decided or learned. Never put
    passwords, tokens or keys in it; what looks like one is masked. What is there already is not written twice.
    """
    draft = Draft(text.strip(), kind, tags=_clean_tags(tags), source=source.strip() or caller.session.id)
    done = _write_note(caller, draft, "")
    if isinstance(done, UnwrittenNote):
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
    config = caller.config
    root = str(caller.home.path)
    backend = _name_extractor(caller)
    why = explain_switched_off(caller.home)
    if auto and not why and read_memory_section(caller.home).get("auto_flush_on_compaction") is False:
        why = _("auto_flush_on_compaction is false in the home's config.json")
    if why or (auto and not config.capture.enabled):
        told = why or _("capture.enabled is false")
        return {"path": None, "appended": 0, "skipped": 0, "disabled": True, "backend": backend, "root": root,
                "reason": told}  # fmt: skip
    if not auto:
        # Somebody asked for it: what is switched off is doing it unasked.
        config = config._replace(capture=config.capture._replace(enabled=True))
    with caller.writing(Layer.JOURNAL, Draft(text[:200])) as (vault, home):
        done = load_work().flush(
            # What somebody asks for is not counted with the session's own flushes.
            vault, home, caller.session if auto else None, text, config,
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
    kinds = {"W": "fact", "B": "event", "O": "pref", "S": "summary"}
    named = _choose_session(caller, session)
    draft = Draft(
        content.strip(), kinds[memory_type], entities=tuple(entities), confidence=confidence,
        source=named.id, memory_type=memory_type,
        expires=load_work().compute_expiry(duration, clock.now()),
    )  # fmt: skip
    done = _write_note(caller, draft, "fact")
    if isinstance(done, UnwrittenNote):
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
    summary: Annotated[str, Of("What was done and found, in at most 300 characters of substance.", most=LONGEST)],
    decisions: Annotated[tuple[str, ...], Of("What was decided.", most=LONGEST, prose=True)] = (),
    todos: Annotated[tuple[str, ...], Of("What is left to do.", most=LONGEST, prose=True)] = (),
    session: _Session = "",
    source: Annotated[str, Of("Who or what asked for it.", most=200)] = "",
) -> dict[str, Any]:
    """Write the current session's summary: topic, what was done, decisions, what is left to do.

    A session has one summary: writing it again brings it up to date. Nothing is saved twice.
    """
    named = _choose_session(caller, session)
    points = tuple(filter(None, (line.strip(" -*•\t") for line in summary.splitlines())))
    # Spec 000's form has no place for a topic but what was done.
    done = (topic.strip(), *points) if load_facts(caller.home).summary_form == "sections" else points
    found = Extract(topic.strip(), done, decisions=decisions, todos=todos, goal=topic.strip(), by="agent")
    why = explain_switched_off(caller.home) or caller_module.spend_quota(caller.session.id, "note")
    if why:
        return {"status": "skipped", "reason": why}
    with caller.own() as (vault, home):
        receipt = load_work().record_summary(vault, home, named, found, trigger=source.strip() or _("asked for"))
    if receipt is None:
        return {"status": "skipped", "reason": "already_saved", "session_id": named.id}
    orders = any(examine(text).action == "quarantine" for text in (topic, *done, *decisions, *todos))
    warnings = list(receipt.warnings)
    if orders:
        warnings.append(_("What reads like an order to agents was quarantined until the person decides."))
    return {
        "status": "ok",
        "id": receipt.id,
        "session_id": named.id,
        "path": os.path.relpath(receipt.paths[0], home.path).replace(os.sep, "/"),
        "home": str(home.path),
        **({"warnings": warnings} if warnings else {}),
        **({"quarantined": True} if orders else {}),
    }


def _write_note(caller: Caller, draft: Draft, form: str) -> AppendedNote | UnwrittenNote:
    """One note in the journal; or why it was not written."""
    with caller.writing(Layer.JOURNAL, draft) as (vault, home):
        why = explain_switched_off(home) or caller_module.spend_quota(caller.session.id, "note")
        if why:
            return UnwrittenNote(why)
        try:
            return load_work().append(
                vault, home, draft, form=form if load_facts(home).daily_records else "", who=caller.who
            )
        except QuarantinedError as error:
            return UnwrittenNote(
                _("It reads like an order to agents: quarantined until the person decides."), error.kept
            )


def _choose_session(caller: Caller, named: str) -> Session:
    if not named:
        return caller.session
    return caller.session._replace(id=caller_module.check_identifier(named, "'session'"))


def _clean_tags(tags: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(filter(None, (tag.strip().lstrip("#").strip() for tag in tags)))


def _name_extractor(caller: Caller) -> str:
    if caller.config.capture.extractor == "rules":
        return "rules"
    return "rules" if load_work().explain_no_model(caller.config.llm) else "model"


NEAREST, ALIKE = 3, 0.5
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
            raise UsageError(_("There is no memory '{id}': memory_search gives ids.").format(id=replaces[:80]))
        draft, layer, home = draft._replace(supersedes=old.id), old.layer or layer, old.home
    why = caller_module.spend_quota(caller.session.id, "proposal")
    if why:
        return {"proposed": False, "reason": why}
    with caller.writing(layer, draft) as (vault, first):
        made = load_work().propose(
            vault, home or str(first.path), draft, caller.who, layer=layer, session=caller.session.id, compared=False
        )
        aim = _aim(vault, made)
    return {
        "proposed": bool(made.stored),
        "id": made.id,
        "text": made.text,
        "reason": made.reason or (None if made.stored else _("rejected before")),
        "home": made.home,
        **aim,
        "near": _list_near(caller, made),
    }


def _aim(vault: Vault, made: Candidate) -> dict[str, str | None]:
    """The file and the section that approving it would write to; or why there are none."""
    try:
        work = load_work()
        target = work.aim_draft(work.find_open_home(vault, made.home), made.layer, made.draft or Draft(made.text))
    except (MemtuiError, OSError) as error:
        return {"path": None, "section": None, "warning": str(error)}
    return {"path": target.path, "section": target.section or None, "warning": None}


def _list_near(caller: Caller, made: Candidate) -> list[dict[str, Any]]:
    """What is remembered already in much the same words, so that an agent sees that it is."""
    found = caller.vault.find(made.text[:300], NEAREST, mode="fts", min_score=ALIKE)
    return [
        {"path": hit.path, "line": hit.start_line, "text": mask_by_config(hit.snippet, caller.config), "home": hit.home}
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
    session_id: Annotated[str, Of("The session; else the current one.", most=caller_module.LONGEST)] = "",
    corrections: Annotated[int, Of("How often the person had to correct you.", 0, 1000)] = 0,
) -> dict[str, Any]:  # fmt: skip
    """Say that a remembered lesson, rule or fact was used, and how it went: what helps is shown first later on.

    One line in the audit log for the use, one more for the outcome where it is given; nothing else changes.
    """
    caller.fresh()
    session = caller_module.check_identifier(session_id, "'session_id'") if session_id else caller.session.id
    used = load_work().resolve_experience(caller.vault, experience_id)
    why = caller_module.spend_quota(caller.session.id, "event")
    if why:
        return {"recorded": False, "reason": why}
    with open_feedback_home(caller, used.home) as (vault, home):
        receipt = audit.append_use(
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


if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    from memtui.agents.caller import Caller

    Opener = Callable[[str, str], AbstractContextManager[Caller]]
    """Who calls, for the `project` and the `cwd` that the call names."""


class Tool(NamedTuple):
    """One tool, and what a client may know of it before it calls."""

    run: Callable[..., dict[str, Any]]
    title: str
    reads: bool = False
    """It changes nothing."""
    again: bool = False
    """Calling it twice does what calling it once does."""

    @property
    def name(self) -> str:
        """What agents call it."""
        return self.run.__name__

    @property
    def description(self) -> str:
        """What it is for, for agents."""
        return read_description(self.run)

    @property
    def schema(self) -> dict[str, Any]:
        """Its arguments, as JSON Schema."""
        return build_json_schema((*list_parameters(self.run), *list_parameters(caller_module.take_project)))


TOOLS: tuple[Tool, ...] = (
    Tool(recall.memory_search, "Search memory", reads=True, again=True),
    Tool(recall.memory_get, "Read a memory file", reads=True, again=True),
    Tool(memory_append, "Note in the journal", again=True),
    Tool(memory_flush, "Keep what lasts of a text"),
    Tool(recall.search_memory, "Search memories", reads=True, again=True),
    Tool(recall.search_conversation_traces, "Search conversations", reads=True, again=True),
    Tool(save_fact, "Keep a fact"),
    Tool(save_summary, "Save the session's summary", again=True),
    Tool(memory_feedback, "Say how a memory fared"),
    Tool(memory_propose, "Propose a memory", again=True),
    Tool(recall.memory_context, "What this session should know", reads=True, again=True),
)


def find_tool(name: str) -> Tool:
    """The tool of that name. Raises UsageError."""
    found = next((one for one in TOOLS if one.name == convert_to_snake_case(name)), None)
    if found is None:
        told = _("There is no tool '{name}'.").format(name=name[:80])
        raise UsageError(f"{told} {suggest_word(name, [one.name for one in TOOLS])}".strip())
    return found


def call(name: str, given: object, opener: Opener) -> dict[str, Any]:
    """Check what an agent gave, and do it. The answer is plain data, with nothing hidden in its texts.

    Raises UsageError for a tool, a parameter or a value that is none, and what the tool raises.
    """
    one = find_tool(name)
    among = list_parameters(caller_module.take_project)
    told = {parameter.told for parameter in among}
    if not isinstance(given, dict):
        raise UsageError(_("The arguments are to be one JSON object."))
    about_place = {key: value for key, value in given.items() if convert_to_snake_case(str(key)) in told}
    rest = {key: value for key, value in given.items() if key not in about_place}
    values = check_arguments(list_parameters(one.run), rest)
    place = check_arguments(among, about_place)
    with opener(place.get("project", ""), place.get("cwd", "")) as caller:
        answer = one.run(caller, **values)
        about_project = {"project": caller.session.project, "project_from": caller.told}
    found = _make_visible({**answer, **about_project})
    assert isinstance(found, dict)
    return found


def _make_visible(value: object) -> object:
    """The same with what is hidden in its texts spelt out: a model would read what a person never sees."""
    if isinstance(value, str):
        return sanitize_text(value) if count_hidden(value) else value
    if isinstance(value, dict):
        return {key: _make_visible(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_make_visible(item) for item in value]
    return value
