"""A session written down: read, summarized and brought where it belongs (specs 000, 002); and all that is known of one.

- `gather_page`: a session's summary, what was learned in it, and its transcript, over all open homes.
- `retain`: how many summaries a folder keeps (spec 000: the newest twenty); older ones go to the trash.
- `capture`: the transcript is read and summarized before anything is opened or locked; writing is one decision,
  undone together.
"""

from __future__ import annotations

import os
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, NamedTuple, Protocol

from memtui.core import clock
from memtui.core.edits import Edit
from memtui.core.errors import ConflictError, MemtuiError, QuarantinedError, RefusedError
from memtui.core.locale import _, _n
from memtui.core.model import Filter, Layer
from memtui.core.startup import sha256
from memtui.fs.places import replace_private_file, state
from memtui.fs.write_journal import generate_record_id
from memtui.language import transcript_reading
from memtui.language.classify import hear_talk
from memtui.layouts import load_facts, load_layout
from memtui.layouts.home_config import explain_switched_off, read_memory_section
from memtui.layouts.tracks import TRACKS
from memtui.sessions import distribute
from memtui.sessions.distribute import extract, is_model_asked, is_summary_worth
from memtui.sessions.forms import place, record
from memtui.sessions.identify import list_id_forms
from memtui.sessions.recent import read_summary_time
from memtui.store import project
from memtui.store.project import find_session_homes
from memtui.store.session_ids import fit, is_readable_transcript, list_session_names
from memtui.store.vault import Vault

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from memtui.core.config import Config
    from memtui.core.edits import Receipt
    from memtui.core.model import Home, Memory
    from memtui.language.classify import HeardTalk
    from memtui.language.conversation import Conversation, Extract, Session
    from memtui.sessions.distribute import Distributed, Settle

MOST = 400
"""Memories of one session that are looked at."""
_TASKS = "scratchpad"
"""What such a file says of a session is what it was about, and nothing that was learned in it."""


class SessionPage(NamedTuple):
    """A session's memories, by what they are to it."""

    id: str
    head: Memory
    """Its summary's head; where nobody wrote one, its transcript's."""
    parts: tuple[Memory, ...]
    """What the summary says, in its order."""
    born: tuple[Memory, ...]
    """Memories elsewhere that come from it, the newest first; what was only noted about it is none."""
    transcript: Memory | None
    """Its transcript's head, where that stands in an open home: `Vault.turns` reads it."""


def gather_page(vault: Vault, memory: Memory) -> SessionPage:
    """What belongs together with this memory of a session, over all open homes."""
    own = memory.session or memory.key or memory.source
    # Codex names a transcript's file by more than the id that stands in it, and summaries after the file.
    more = list_session_names(_stem(memory)) if _is_recording(vault, memory) else ()
    found = {one.id: one for name in {*list_session_names(own), *more} for one in _list_named(vault, name)}
    found.setdefault(memory.id, memory)
    heads = [one for one in found.values() if one.kind == "session" and one.layer is Layer.SESSION]
    told = [one for one in heads if not _is_recording(vault, one)]
    transcript = next((one for one in heads if one not in told), None)
    head = memory if memory in told else next(iter(told), transcript or memory)
    beside = [one for one in found.values() if (one.home, one.path) == (head.home, head.path)]
    same = _place(head)
    parts = sorted((one for one in beside if one is not head and one not in heads), key=lambda one: one.start)
    elsewhere = (one for one in found.values() if one not in heads and not _is_aside(one))
    born = [one for one in elsewhere if one.layer is not Layer.SESSION or _place(one) != same]
    return SessionPage(own, head, tuple(parts if head in told else ()), tuple(born), transcript)


def find_session_memory(vault: Vault, session: str) -> Memory | None:
    """What a session's page is opened from: its summary, else its transcript; None: neither is in an open home."""
    heads = Filter(frozenset({Layer.SESSION}), frozenset({"session"}), statuses=frozenset())
    found = [
        one
        for name in list_session_names(session)
        for one in vault.load(vault.ids(heads._replace(session=name), limit=MOST))
        if one is not None
    ]
    return next((one for one in found if not _is_recording(vault, one)), found[0] if found else None)


def _is_aside(memory: Memory) -> bool:
    """Whether it was only noted about the session."""
    name = memory.path.rpartition("/")[2]
    kept = memory.kind.startswith("session_")
    return kept or memory.layer is Layer.EVOLUTION or name.partition(".")[0] == _TASKS


def _list_named(vault: Vault, name: str) -> list[Memory]:
    refs = vault.ids(Filter(session=name, statuses=frozenset()), limit=MOST)
    return [one for one in vault.load(refs) if one is not None]


def _stem(memory: Memory) -> str:
    return memory.path.rpartition("/")[2].partition(".jsonl")[0]


def _place(memory: Memory) -> tuple[str, str]:
    return memory.home, memory.path


def _is_recording(vault: Vault, memory: Memory) -> bool:
    """Whether it is the head of a transcript, and no summary."""
    home = next((home for home in vault.homes if str(home.path) == memory.home), None)
    return home is not None and is_readable_transcript(home, memory.path)


class ResumePlan(NamedTuple):
    """How a session goes on in its own agent."""

    command: tuple[str, ...]
    folder: str
    """The project's directory, in which it must be run."""


def plan_resume(vault: Vault, memory: Memory) -> ResumePlan:
    """How this memory's session is resumed. Raises RefusedError where its agent cannot, or nobody knows where."""
    transcript = gather_page(vault, memory).transcript
    if transcript is None:
        raise RefusedError(_("It cannot be resumed: its transcript is in none of the open homes."))
    home = next(home for home in vault.homes if str(home.path) == transcript.home)
    role = load_layout(home.layout).role(home.path, transcript.path)
    track = next((one for one in TRACKS if role is not None and one.transcript == role.parser), None)
    session = transcript.session
    if track is None or not track.resume or session != fit(session):
        raise RefusedError(_("Its agent has no command that resumes a session."))
    folder = str(transcript.extra.get("cwd") or "")
    if not os.path.isabs(folder) or not os.path.isdir(folder):
        raise RefusedError(_("The directory that it was in is gone: {path}").format(path=folder or "?"))
    return ResumePlan(tuple(word.replace("{session}", session) for word in track.resume), folder)


_AT_ONCE = 50


def list_overdue(home: Home, session: Session, keep: int) -> list[str]:
    """The summaries over the limit of each of the home's folders, oldest first, relative to it; never this session's.

    Only files that are a session's summary by the home's layout. How old one is says its own head, since a checkout
    gives all files one time; else the file's. 0 keeps all.
    """
    if keep < 1 or "surplus" not in load_facts(home).retires:
        return []
    own = frozenset(f"{name}.md" for name in list_id_forms(session))
    return [path for folder in load_facts(home).summary_folders for path in _list_surplus(home, folder, keep, own)]


def _list_surplus(home: Home, folder: str, keep: int, own: frozenset[str]) -> list[str]:
    """What is to go of one folder for so many to be left (spec 000), `own` being one of those that stay."""
    kind = load_layout(home.layout)
    try:
        with os.scandir(home.path / folder) as entries:
            files = [entry for entry in entries if entry.is_file(follow_symlinks=False)]
            if len(files) <= keep:
                return []
            times = {f"{folder}/{one.name}": one.stat(follow_symlinks=False).st_mtime for one in files}
    except OSError:
        return []
    found: list[tuple[float, str]] = []
    for path, time in times.items():
        role = kind.role(home.path, path)
        if role is not None and role.parser == "session":
            found.append((read_summary_time(home, path, role) or time, path))
    others = [path for _time, path in sorted(found) if path.rpartition("/")[2] not in own]
    return others[: max(0, len(found) - keep)]


def retain(vault: Vault, home: Home, session: Session, keep: int, *, who: str) -> Receipt | None:
    """Move what is overdue to the trash, fifty a write, all of which `undo` takes back at once; None: nothing is."""
    overdue, group = list_overdue(home, session, keep), generate_record_id()
    receipt: Receipt | None = None
    for at in range(0, len(overdue), _AT_ONCE):
        gone: list[Edit] = []
        for path in overdue[at : at + _AT_ONCE]:
            data = vault.bytes_of(str(home.path), path)
            if data is not None:
                gone.append(Edit(str(home.path), path, data, (), remove=True))
        if not gone:
            continue
        what = _n("moved {count} old summary to the trash", "moved {count} old summaries to the trash", len(gone))
        # Somebody may be writing one of them this moment: it is not old, and the next run looks again.
        with suppress(ConflictError):
            receipt = vault.apply(gone, verb="retention", who=who, what=what, group=group, confirmed=True)
    return receipt


BRIEF = frozenset({"stop"})
"""Triggers in the middle of a session: the summary is written, what it teaches waits for its end."""
_ENDLESS = frozenset(track.agent for track in TRACKS if track.endless)


class Captured(NamedTuple):
    """What came of it."""

    sentence: str
    """For a person."""
    path: str = ""
    """The summary's file, relative to `home`; empty: none was written."""
    home: str = ""
    written: bool = False
    """Whether the summary changed."""
    learned: Distributed | None = None
    failed: tuple[str, ...] = ()
    group: str = ""
    """What `undo` takes all of it back by."""
    warning: str = ""
    """Why the model's summary is not what was written, for a person: worth asking again."""


class NoteEnd(Protocol):
    """What notes how a session went (`evolution.sessions_read.note_session_end`)."""

    def __call__(
        self,
        vault: Vault,
        home: Home,
        session: Session,
        found: Extract,
        talk: Conversation,
        heard: HeardTalk | None = None,
        /,
        *,
        path: str,
        group: str,
    ) -> object: ...


class Forward(Protocol):
    """What passes a session's summary on to another machine (`sessions.central.put_capture`)."""

    def __call__(self, session: Session, config: Config, found: Extract, trigger: str, /, *, brief: bool) -> None: ...


def capture(
    session: Session, config: Config, *, trigger: str, settle: Settle, note_end: NoteEnd, forward: Forward | None = None
) -> Captured:
    """Write down a session as far as it was recorded. Raises UnavailableError where its home cannot be written.

    `trigger`: stage, commit, reset, asked, end, compaction, stop (spec 000's moments, and a turn's end).
    `settle` approves proposals where agents may; `note_end` notes how the session went; `forward` passes it on.
    """
    if not config.capture.enabled:
        return Captured(_("Nothing is captured: capture.enabled is false."))
    if session.sidechain:
        return Captured(_("Sub-agents write no memories."))
    talk = transcript_reading.read(session)
    if talk is None:
        return Captured(_("There is no transcript of this session to read."))
    brief = trigger in BRIEF
    stamp = f"{talk.size} {talk.lines} {brief} {config.capture.extractor}{' stage' * (trigger == 'stage')}"
    seen = _read_mark(session)
    if seen == stamp:
        return Captured(_("Nothing was said since the last time."))
    if brief and seen and is_model_asked(config):
        return Captured(_("A model reads the session when it is over; its last summary stands until then."))
    # Nor is one asked for the first summary: a turn's end must cost nothing.
    rules = config._replace(capture=config.capture._replace(extractor="rules"))
    heard = hear_talk(talk)
    found = extract(talk, rules if brief else config, heard)
    if not is_summary_worth(talk, found):
        return Captured(_("Too little was said to write down."))
    with project.open_session_vault(session, config) as (vault, home):
        off = explain_switched_off(home) or _explain_no_capture(home, trigger)
        if off:
            return Captured(_("Nothing is written: {why}.").format(why=off))
        noted = partial(note_end, vault, home, session, found, talk, heard)
        done = _write_captured(vault, home, session, found, talk, config, trigger, settle, noted)
    if forward is not None:
        forward(session, config, found, trigger, brief=brief and session.agent not in _ENDLESS)
    if found.warning:
        # What was read so far is not remembered: the model is to read it yet.
        told = _("by the rules, for the model failed: {why}").format(why=found.warning)
        return done._replace(sentence=f"{done.sentence}; {told}", warning=found.warning)
    if not done.failed:
        _remember(session, stamp)
    return done


def _explain_no_capture(home: Home, trigger: str) -> str:
    """Why the home's own config wants nothing written down unasked (spec 001 §4.2, §4.3); empty: it does not."""
    section = read_memory_section(home)
    if trigger == "asked":
        return ""
    if section.get("auto_capture_on_new_session") is False:
        return _("auto_capture_on_new_session is false in the home's config.json")
    if section.get("require_user_confirmation"):
        return _("require_user_confirmation is true in the home's config.json: `memtui sessions capture` writes it")
    return ""


def _write_captured(
    vault: Vault,
    home: Home,
    session: Session,
    found: Extract,
    talk: Conversation,
    config: Config,
    trigger: str,
    settle: Settle,
    note_end: Callable[..., object],
) -> Captured:
    group = generate_record_id()
    path = place_of(home, session, talk)
    receipt, told = None, [_("the summary says so already")]
    try:
        receipt = record(vault, home, session, found, talk, trigger=trigger, group=group)
        if receipt is not None:
            told = [_("summary: {path}").format(path=path)]
    except QuarantinedError as error:
        # It waits in Review: trying again would only put it there again.
        told = [str(error)]
    learned = None
    if trigger not in BRIEF or session.agent in _ENDLESS:
        # What is learned is compared with what is known, so the index has to be right.
        vault.current = True
        vault.refresh()
        learned = distribute.distribute(vault, home, session, found, config, settle=settle, group=group)
        distribute.write_day_entry(vault, home, session, found, path, learned, group)
        told += _describe_learned(learned)
        # How it went, and which trouble was heard (spec 002): what cannot be noted is heard again by a backfill.
        with suppress(MemtuiError):
            note_end(path=path, group=group)
    retain(vault, home, session, config.capture.keep, who=session.who)
    failed = learned.failed if learned else ()
    return Captured("; ".join([*told, *failed]), path, str(home.path), receipt is not None, learned, failed, group)


def retain_at_start(session: Session, config: Config) -> None:
    """Spec 000's second step of a start: in the project's home and the person's own, where there are too many."""
    homes = [home for home in find_session_homes(session, config) if home.current or not home.project]
    for home in homes:
        if home.writable and list_overdue(home, session, config.capture.keep):
            with Vault([home], config) as vault:
                vault.current = False
                retain(vault, home, session, config.capture.keep, who=session.who)


def place_of(home: Home, session: Session, talk: Conversation | None = None) -> str:
    """The path of a session's summary in its home; empty where the home keeps none."""
    time = talk.ended if talk is not None and talk.ended is not None else clock.now()
    try:
        return place(home, session, time).path
    except RefusedError:
        return ""


def _describe_learned(learned: Distributed) -> list[str]:
    told: list[str] = []
    if learned.written:
        told.append(_n("{count} thing learned", "{count} things learned", learned.written))
    if learned.proposed:
        told.append(_n("{count} proposal in Review", "{count} proposals in Review", learned.proposed))
    if learned.noted:
        told.append(_n("{count} note", "{count} notes", learned.noted))
    return told


def _locate_mark(session: Session) -> Path:
    name = f"{session.agent}\0{session.id}\0{session.transcript}"
    return state() / "captured" / sha256(name.encode("utf-8", "replace"))[:24]


def _read_mark(session: Session) -> str:
    """How far the session was captured; empty: never."""
    try:
        return _locate_mark(session).read_text("utf-8", "replace")
    except OSError:
        return ""


def _remember(session: Session, stamp: str) -> None:
    # Losing it costs one more reading, no memory.
    with suppress(OSError, MemtuiError):
        replace_private_file(_locate_mark(session), stamp.encode(), sync=False)
