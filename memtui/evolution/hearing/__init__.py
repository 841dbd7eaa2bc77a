"""Signals in sessions (spec 002, 信号分析): what went wrong there, by rules, in English and in Chinese.

Eight types, heard in sentences that say that trouble was there: a failure, a correction, something that could not be
done, the same again. Work on such a subject is none ('added error handling', 超时时间设为 30 秒), nor are denials,
conditions, plans and questions. Where a narrower type tells what an error was (a port in use, a missing package, too
slow, an open door), it is counted as that and not as an error, too.

Of a talk, what the person says counts throughout, what the agent says where it closes a piece of work, or says that it
cannot do something. What tools printed counts as an error only where it stayed (the last test or build, and nothing
repaired it) or took three attempts or more; a failure that the next attempt put right is what work is like.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memtui.core.startup import pattern
from memtui.evolution.audit import Signal

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memtui.core.model import Memory
    from memtui.language.conversation import Conversation

_SAYS = ("goal", "目标", "decisions", "todos")
"""Fields of a head that may tell what no line of the summary does."""
LONGEST = 160
"""Characters of a signal's text."""

_SPEAKER = pattern(
    r"\A[\[*【\s]{0,4}(?:user|human|assistant|claude|ai|用户|助手)[\]*】]{0,4}\s*[:：][\]*】]{0,3}\s*",
    re.IGNORECASE,
)
"""Who says it, in front of a message."""
_SILENT = frozenset({"file", "audit", "metric"})
"""Kinds of memories that tell no more than what there is."""


def said(text: str, role: str = "", *, path: str = "", line: int = 0) -> tuple[Signal, ...]:
    """What a text tells of, line by line; `role` is who said it: user, assistant, tool; empty: a summary.

    Each type and name once. Lines are counted from `line`. Linear; never raises.
    """
    found: list[Signal] = []
    for number, one in enumerate(text.split("\n")):
        if len(one) > 3 and not one.isspace():
            found += _signals(one, role, path, line + number if line else 0)
    return _once(found)


def of_entries(entries: Sequence[Memory]) -> tuple[Signal, ...]:
    """What the memories of one session's summary tell of, each with its place."""
    found: list[Signal] = []
    # The head repeats what stands below it: it is asked last.
    for memory in sorted(entries, key=lambda entry: entry.kind == "session"):
        role, text = "", memory.text
        if memory.kind == "message":
            role, text = str(memory.extra.get("role", "")), _SPEAKER.sub("", text, count=1)
        goal = memory.extra.get("Goal") if memory.kind == "session" else None
        if isinstance(goal, str):
            # What somebody came with has a place of its own there.
            found += said(goal, path=memory.path, line=memory.start)
        # What tools printed, without what came of it, tells nothing.
        if memory.kind not in _SILENT and role not in {"tool", "system"}:
            heard = said(_whole(memory, text), role, path=memory.path, line=memory.start)
            found += [signal._replace(line=min(signal.line, memory.end)) for signal in heard]
    return _once(found)


def _whole(memory: Memory, text: str) -> str:
    """All that a head says of its session, a line each: some tools write one sentence after the other in one field."""
    if memory.kind != "session":
        return text
    more = (memory.extra.get(key) for key in _SAYS)
    told = [memory.title, text]
    for one in more:
        told += [one] if isinstance(one, str) else map(str, one) if isinstance(one, list | tuple) else []
    return "\n".join(told).replace("；", "\n")


def of_conversation(talk: Conversation) -> tuple[Signal, ...]:
    """What a recorded session tells of, each with its line in the transcript."""
    from memtui.evolution.hearing import talking

    path = talk.session.transcript
    found: list[Signal] = []
    for text, role, line, own in talking.told(talk):
        found += _signals(text, role, path, line, own)
    return _once(found)


def _signals(line: str, role: str, path: str, at: int, only: frozenset[str] | None = None) -> list[Signal]:
    from memtui.evolution.hearing.listening import heard
    from memtui.evolution.hearing.naming import about
    from memtui.safety.sanitize import safe_text

    heard_here = heard(line, role, only)
    return [
        Signal(
            one.sign.type,
            _short(safe_text(one.sentence, keep_newlines=False)),
            path,
            at,
            safe_text(about(one, heard_here), keep_newlines=False),
            one.sign.why,
        )
        for one in heard_here
    ]


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1].rstrip()}…"


def _once(found: Iterable[Signal]) -> tuple[Signal, ...]:
    """Each type and name the first time; what has no name only where its type was heard in nothing that has one."""
    kept: dict[tuple[str, str], Signal] = {}
    for signal in found:
        kept.setdefault((signal.type, signal.about), signal)
    named = {signal.type for signal in kept.values() if signal.about}
    return tuple(signal for signal in kept.values() if signal.about or signal.type not in named)
