"""PreToolUse: rules before the first edit (spec 002).

Rules are given once a session, agent and project: a sub-agent has a context of its own, and in Claude Code its
parent's session. A compaction forgets it, and takes the flags down.
"""

from __future__ import annotations

import os

from memtui.agents.hooks.hook_process import (
    LONGEST,
    READING,
    WRITING,
    HookAnswer,
    count_utf16,
    list_call_files,
    read_text_field,
    read_tool,
)
from memtui.core.locale import _
from memtui.core.startup import TYPE_CHECKING
from memtui.layouts.tracks import TRACKS
from memtui.safety.sanitize import block, sanitize_text
from memtui.sessions import jobs, rules
from memtui.sessions.packing import frame_item
from memtui.sessions.rules import explain_switch

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memtui.agents.hooks import Call
    from memtui.core.model import Home
    from memtui.language.conversation import Session
    from memtui.sessions.packing import ContextItem

_READING_BY_COMMAND = frozenset(track.agent for track in TRACKS if track.by_command)
_ROOM = LONGEST - 1200
"""Characters for what stands in files: the frame and the words around it need the rest."""


def answer_pre_tool(call: Call) -> HookAnswer | None:
    """PreToolUse: the injector for tools that read, the gate for tools that write."""
    name = read_tool(call.payload)
    if not call.config.hooks.rules or name not in READING | WRITING:
        return None
    if name in WRITING and call.config.hooks.gate == "off":
        return None
    named = list_call_files(call.payload)
    if not named:
        return None
    session = call.session()
    if is_switched_off(session, call):
        return None

    homes = rules.find_rule_homes(session, call.config)
    answer = _give_rules if name in READING else _gate_edit
    found = (answer(call, session, homes, file) for file in named)
    return next(filter(None, found), None)


def _give_rules(call: Call, session: Session, homes: list[Home], file: str) -> HookAnswer | None:
    """The rules of the file's project, unless they were given already."""
    project = rules.name_file_project(homes, file, session)
    if not project or jobs.is_flag_up(session.id, _flag(call, project)):
        return None
    items = rules.load_rules_for(homes, file, session, call.config)
    if not items or not jobs.raise_flag(session.id, _flag(call, project)):
        return None
    head = _("The rules of {project}, once for this session.").format(project=_make_plain(project))
    # Where the agent may read anyway: what a person is asked about elsewhere, they are still asked about.
    return HookAnswer(format_items(items, head), "allow" if _is_inside(session, file) else "")


def _is_inside(session: Session, file: str) -> bool:
    """Whether the session works above a file: an agent may read it unasked."""
    return bool(session.cwd) and file.startswith(session.cwd.rstrip(os.sep) + os.sep)


def _gate_edit(call: Call, session: Session, homes: list[Home], file: str) -> HookAnswer | None:
    """No edit before the rules: they come with any file of the project that is read."""
    project = rules.name_file_project(homes, file, session)
    if not project or jobs.is_flag_up(session.id, _flag(call, project)):
        return None
    denies = call.config.hooks.gate == "deny"
    # To read a file that the session works above nobody is asked; where there is none, the rules come at once.
    readable = _is_inside(session, file) and os.path.isfile(file)
    if call.agent in _READING_BY_COMMAND or (denies and not readable):
        return _give_rules_at_once(call, session, homes, file, project)
    offered = rules.list_offered_rules(homes, file, session, call.config)
    if not offered:
        return None
    if denies:
        said = _(
            "{project} has rules that this session has not seen: they come with any file of the project that is read. "
            "Read {path} first, then try again."
        )
        return HookAnswer(decision="deny", reason=said.format(project=_make_plain(project), path=_make_plain(file)))
    if not jobs.raise_flag(session.id, f"{_flag(call, project)}/warned"):
        return None
    where = _make_plain(os.path.join(offered[0].home.path, offered[0].path))
    said = _("{project} has rules that this session has not seen: they are in {path}.")
    return HookAnswer(said.format(project=_make_plain(project), path=where))


def _give_rules_at_once(call: Call, session: Session, homes: list[Home], file: str, project: str) -> HookAnswer | None:
    """The rules with the first edit, where no tool that reads would ever bring them."""
    items = rules.load_rules_for(homes, file, session, call.config)
    if not items or not jobs.raise_flag(session.id, _flag(call, project)):
        return None
    if call.config.hooks.gate != "deny":
        return HookAnswer(
            format_items(
                items, _("The rules of {project}, once for this session.").format(project=_make_plain(project))
            )
        )
    head = _("{project} has rules that this session has not seen: here they are. Then try again.")
    return HookAnswer(decision="deny", reason=format_items(items, head.format(project=_make_plain(project))))


def format_items(items: Iterable[ContextItem], head: str) -> str:
    """Items for an agent, rules that a person approved as rules and all else as data: as many whole lines as fit."""
    room = _ROOM
    shown: list[str] = []
    for item in items:
        said = item.text
        while said:
            source = f"{item.path}#L{item.line}" if item.line else item.path
            frame = frame_item(said, source, item.trust, item.kind)
            if count_utf16(frame) < room:
                room -= count_utf16(frame) + 1
                shown.append(frame)
                break
            # Escaping may make it longer than it was: halves until it fits.
            said = said[: len(said) // 2].rpartition("\n")[0]
    return block(shown, head)


def _flag(call: Call, project: str) -> str:
    agent = read_text_field(call.payload, "agent_id", 200)
    return f"rules-{project}/{agent}" if agent else f"rules-{project}"


def is_switched_off(session: Session, call: Call) -> bool:
    """Whether a person switched this session or project off; what is given at the start is another setting."""
    started = call.config.context._replace(enabled=True)
    return bool(explain_switch(session._replace(sidechain=False), call.config._replace(context=started)))


def _make_plain(said: str) -> str:
    return sanitize_text(said, keep_newlines=False)
