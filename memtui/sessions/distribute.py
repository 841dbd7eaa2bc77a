"""What a session taught, written where it belongs (spec 002, 分发写入逻辑); notes of a text (spec 001 §4.2).

`flush`: notes go into the journal within spec 003's limits: so many flushes a session, nothing of texts that
are too short, so many notes each; redacted, without orders to agents, nothing twice on one day. A locked home
gets them with the next write.

`distribute`: rules (by category in rules.md), avoidances and preferences (core memory) become candidates for
Review, or, where `agents.mode` is auto, are appended at once, undoable. Decisions and facts go to the journal,
from which spec 004 distils them; a home whose journal holds spec 004's records gets all of it there. What the
home says already (trigrams: Jaccard and containment) is left out.

What a session taught: by the configured model, or offline by `memtui.language` where there is none or it fails.

Spec 002 keeps a model's words, or the bare dialogue, where its answer cannot be used, and asks it for plain text
about a session that is too short to teach anything. All of these would take the place of what the rules had
written down, and would be given to later sessions: so the rules stand there, and `warning` says why. Of an answer
that can be used, what it has nothing to say of is the rules' too.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple, Protocol

from memtui import llm
from memtui.core import clock
from memtui.core.edits import Append, Draft
from memtui.core.errors import FullError, LockedError, MemtuiError, QuarantinedError, UnavailableError
from memtui.core.locale import _, _n
from memtui.core.model import Filter, Layer
from memtui.core.startup import compile_pattern
from memtui.formats import format_named
from memtui.fs.write_journal import generate_record_id
from memtui.language import summary
from memtui.language.similarity import measure_likeness
from memtui.language.summary import read_notes
from memtui.layouts import RULE_LAYOUTS, load_layout
from memtui.layouts.home_config import explain_switched_off, read_memory_section
from memtui.sessions import jobs, minutes, scratchpad
from memtui.sessions.forms import drop_repeated
from memtui.store import candidates
from memtui.store.append import ROWS, append, keep
from memtui.store.project import open_taking_home
from memtui.store.proposing import propose_draft

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memtui.core.config import Config
    from memtui.core.edits import Receipt, Target
    from memtui.core.model import Home
    from memtui.language.classify import HeardTalk
    from memtui.language.conversation import Conversation, Extract, Learned, Session
    from memtui.store.candidates import Candidate
    from memtui.store.vault import Vault


LONGEST = 1000
"""Characters of one note."""
_TAGS = {"pref": "prefs", "decision": "arch", "todo": "todo", "lesson": "lessons", "rule": "rules"}


class Flushed(NamedTuple):
    """What came of it."""

    appended: int
    skipped: int
    """There already, or put aside."""
    path: str
    """The journal file, relative to `home`; empty where nothing was written."""
    home: str = ""
    disabled: bool = False
    reason: str = ""
    """Why nothing, or not all, was written, for a person."""
    receipts: tuple[Receipt, ...] = ()
    kept: int = 0
    """Kept for the next write, as the home is locked."""
    found: tuple[Learned, ...] = ()
    """What was found in the text, written or not."""


def flush(
    vault: Vault,
    home: Home,
    session: Session | None,
    text: str,
    config: Config,
    *,
    source: str = "",
    who: str,
    most: int = 0,
) -> Flushed:
    """Write what lasts of a text into the journal. `most` notes at most; 0: as many as the config says.

    Raises what `Vault.apply` raises where the home cannot be written at all.
    """
    if not config.capture.enabled:
        return Flushed(0, 0, "", disabled=True, reason=_("capture.enabled is false"))
    if session is not None and session.sidechain:
        return Flushed(0, 0, "", disabled=True, reason=_("Sub-agents write no memories."))
    section = read_memory_section(home)
    off = explain_switched_off(home)
    if session is not None and section.get("auto_flush_on_compaction") is False:
        off = _("auto_flush_on_compaction is false in the home's config.json")
    if off:
        return Flushed(0, 0, "", disabled=True, reason=off)
    found = extract_notes(text, config)[: most or config.capture.notes]
    if not found:
        return Flushed(0, 0, "", reason=_("nothing in it lasts"))
    if session is not None and not _admit_flush(session, config.capture.flushes):
        return Flushed(0, 0, "", reason=_("this session has flushed often enough"))
    source = source or (session.id if session else "")
    if session is not None and (section.get("require_user_confirmation") or _keeps_form(home, ROWS)):
        return _propose_all(vault, home, found, source, who)
    return append_all(vault, home, found, source=source, who=who)._replace(found=tuple(found))


def _propose_all(vault: Vault, home: Home, found: Sequence[Learned], source: str, who: str) -> Flushed:
    """Spec 001 §4.2: where the home's config wants a person to confirm, what was flushed unasked waits in Review.

    So it does where the home has no journal.
    """
    root = str(home.path)
    made = [propose_draft(vault, root, make_note_draft(one, source), who, session=source) for one in found]
    count = sum(bool(one.stored) for one in made)
    reason = _n("{count} note waits in Review", "{count} notes wait in Review", count)
    return Flushed(0, len(made) - count, "", home=root, reason=reason)


def _admit_flush(session: Session, most: int) -> bool:
    """Whether the session may flush once more (spec 003: five times)."""
    return any(jobs.raise_flag(session.id, f"flush-{number}") for number in range(most))


def append_all(
    vault: Vault, home: Home, found: Sequence[Learned], *, source: str, who: str, group: str = ""
) -> Flushed:
    """Append each to the journal of today; what is there already, or was put aside, is counted as skipped."""
    done = Flushed(0, 0, "")
    receipts: list[Receipt] = []
    group = group or generate_record_id()
    for one in found:
        draft = make_note_draft(one, source)
        with open_taking_home(vault, home, Layer.JOURNAL, draft) as (opened, place):
            try:
                appended = append(opened, place, draft, who=who, group=group)
            except QuarantinedError as error:
                done = done._replace(skipped=done.skipped + 1, reason=str(error))
                continue
            except (LockedError, FullError) as error:
                done = _keep_for_later(opened, place, draft, who, done, str(error))
                continue
        if appended.receipt is None:
            done = done._replace(skipped=done.skipped + 1)
        else:
            receipts.append(appended.receipt)
            done = done._replace(appended=done.appended + 1)
        done = done._replace(path=appended.path, home=appended.home)
    return done._replace(receipts=tuple(receipts))


def _keep_for_later(vault: Vault, home: Home, draft: Draft, who: str, done: Flushed, reason: str) -> Flushed:
    try:
        keep(vault, home, draft, who=who)
    except MemtuiError as error:
        return done._replace(skipped=done.skipped + 1, reason=str(error))
    return done._replace(kept=done.kept + 1, reason=reason)


def make_note_draft(one: Learned, source: str) -> Draft:
    """A note as the journal takes it."""
    tag = _TAGS.get(one.kind, "")
    return Draft(
        one.text[:LONGEST],
        one.kind,
        tags=(tag,) if tag else (),
        entities=one.entities,
        confidence=one.confidence,
        source=source,
    )


_LAYERS = {"rule": Layer.KNOWLEDGE}
_PROPOSED = frozenset({"rule", "lesson", "pref"})
_MARK = compile_pattern(r"""(?<!\w)-|["“”'*:：()]""")
"""What means something else in a query than in a sentence."""
_ALIKE = 12
"""So many of the home's nearest memories are compared with a new one."""
_POINTS = 5
"""Of one day's entry."""


class Distributed(NamedTuple):
    """How many went where."""

    proposed: int = 0
    written: int = 0
    noted: int = 0
    """Into the journal."""
    known: int = 0
    """The home says so already."""
    failed: tuple[str, ...] = ()
    """Sentences for a person."""


class Settle(Protocol):
    """What approves a proposal where agents may (`review.queue.approve_clear`); whether it did."""

    def __call__(self, vault: Vault, candidate: Candidate, /, *, who: str, group: str) -> bool: ...


def distribute(
    vault: Vault, home: Home, session: Session, found: Extract, config: Config, *, settle: Settle, group: str = ""
) -> Distributed:
    """Distribute what was learned. One that cannot be written is counted, and keeps nothing else back."""
    if not config.capture.learn:
        return Distributed()
    records, rows = _keeps_form(home, "daily-jsonl"), _keeps_form(home, ROWS)
    new = [one for one in found.learned if not _is_known(vault, one.text)]
    done = Distributed(known=len(found.learned) - len(new))
    noted = [one for one in new if records or one.asked or not (rows or one.kind in _PROPOSED)]
    if noted:
        try:
            flushed = append_all(vault, home, noted, source=session.id, who=session.who, group=group)
            done = done._replace(noted=flushed.appended, failed=(*done.failed, *filter(None, [flushed.reason])))
        except MemtuiError as error:
            done = done._replace(failed=(*done.failed, str(error)))
    if not records:
        # Where there is no journal, what nobody asked for waits for a person.
        for one in new:
            if one not in noted if rows else one.kind in _PROPOSED:
                done = _propose_one(vault, home, session, one, found.project, config, settle, group, done)
    return done


def _keeps_form(home: Home, form: str) -> bool:
    """Whether the home's notes have that form: facts with a type and a confidence (spec 004), rows (spec 003)."""
    with suppress(MemtuiError):
        return _find_journal(home).format == form
    return False


def _find_journal(home: Home) -> Target:
    return load_layout(home.layout).target(home, Layer.JOURNAL, Draft("-"), clock.now())


def _is_known(vault: Vault, text: str) -> bool:
    """Whether a memory that stands says so already, or a proposal that waits does."""
    for home in vault.homes:
        for waiting in candidates.list_waiting_candidates(home):
            alike = measure_likeness(text, waiting.text)
            if alike is not None and alike.covers:
                return True
    with suppress(MemtuiError):
        kept = Filter(layers=frozenset({Layer.PROFILE, Layer.CORE, Layer.KNOWLEDGE, Layer.JOURNAL}))
        for hit in vault.find(_MARK.sub(" ", text[:300]), _ALIKE, mode="fts", filter=kept):
            memory = vault.of(hit)
            if memory is not None and memory.path == scratchpad.PATH:
                # The task at hand is the very prompt that it was learned from.
                continue
            alike = measure_likeness(text, memory.text) if memory is not None else None
            if alike is not None and alike.covers:
                return True
    return False


def _propose_one(
    vault: Vault,
    home: Home,
    session: Session,
    one: Learned,
    project: str,
    config: Config,
    settle: Settle,
    group: str,
    done: Distributed,
) -> Distributed:
    layer = _LAYERS.get(one.kind, Layer.CORE)
    draft = Draft(
        one.text,
        one.kind,
        entities=one.entities,
        confidence=one.confidence,
        source=session.id,
        project=project or session.name,
    )
    with open_taking_home(vault, home, layer, draft) as (opened, place):
        if one.kind == "rule" and place.layout.replace("-", "_") in RULE_LAYOUTS:
            # The category is spec 002's section of rules.md; in any other file it would be a heading nobody asked for.
            draft = draft._replace(section=one.category)
        try:
            candidate = propose_draft(
                opened,
                str(place.path),
                draft,
                session.who,
                layer=layer,
                path=session.transcript,
                line=one.line,
                session=session.id,
                group=group,
            )
            auto = config.agents.mode == "auto" and bool(candidate.stored)
            if auto and settle(opened, candidate, who=session.who, group=group):
                return done._replace(written=done.written + 1)
        except QuarantinedError:
            return done
        except MemtuiError as error:
            return done._replace(failed=(*done.failed, str(error)))
    return done._replace(proposed=done.proposed + 1) if candidate.stored else done


def write_day_entry(
    vault: Vault, home: Home, session: Session, found: Extract, path: str, done: Distributed, group: str
) -> None:
    """The day's entry about the session, in homes whose journal goes by the hour (spec 002); once a day and session."""
    with suppress(MemtuiError):
        target = _find_journal(home)
        if target.format != "hours":
            return
        link = f"[{path}]({path})"
        now = clock.now()
        if link.encode() in (vault.bytes_of(target.home, target.path) or b""):
            return

        draft = Draft(found.topic or session.id, "summary", title=f"项目: {found.project or session.name}")
        record = format_named(target.format).record(draft, now, target.path)
        lines = [record.text, f"- **会话记录**: {link}", *_render_points(found)]
        if done.written or done.proposed:
            extracted = "已自动写入 rules/MEMORY" if done.written else f"{done.proposed} 条待审阅"
            lines.append(f"- **知识提取**: {extracted}")
        change = Append(target.home, target.path, "\n".join(lines), record.header)
        vault.apply([change], verb="append", who=session.who, group=group)


def _render_points(found: Extract) -> list[str]:
    points = drop_repeated((*found.done, *found.points))[:_POINTS]
    return ["- **要点**:", *(f"  - {' '.join(point.split())}" for point in points)] if points else []


def extract(conversation: Conversation, config: Config, heard: HeardTalk | None = None) -> Extract:
    """What a session taught: by the model that is configured, by rules where there is none or it fails."""
    own = summary.extract(conversation, heard)
    why = _explain_no_model(config)
    if why:
        wanted = config.capture.extractor == "model" or is_model_set(config)
        return own._replace(warning=why if wanted and config.capture.extractor != "rules" else "")
    try:
        found = minutes.extract(conversation, config)
    except UnavailableError as error:
        return own._replace(warning=str(error))
    if found is None:
        return own
    return found._replace(
        points=found.points or own.points or own.done,
        decisions=found.decisions or own.decisions,
        todos=found.todos or own.todos,
        outcome=own.outcome if found.outcome.startswith("unknown") else found.outcome,
    )


def extract_notes(text: str, config: Config) -> tuple[Learned, ...]:
    """Durable notes in a free text: a compaction's summary, a pasted conversation (spec 001 §4.2)."""
    if not _explain_no_model(config):
        return minutes.extract_notes(text, config)
    return read_notes(text)


def is_model_set(config: Config) -> bool:
    """Whether a person named a model, be it there or not."""
    return bool(config.llm.command or config.llm.url or config.llm.model)


def is_model_asked(config: Config) -> bool:
    """Whether sessions are read by a model here."""
    return not _explain_no_model(config)


def _explain_no_model(config: Config) -> str:
    """Why no model is asked, for a person; empty: one is."""
    if config.capture.extractor == "rules":
        return "rules"
    return llm.why_not(config.llm)


def is_summary_worth(conversation: Conversation, found: Extract) -> bool:
    """Whether a summary is to be written: not for two turns or fewer without a file touched or a conclusion (spec 000).

    A turn is what the person said.
    """
    concluded = bool(found.decisions or found.learned)
    return len(conversation.prompts) > 2 or bool(conversation.changed) or concluded
