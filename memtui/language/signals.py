"""Signals (spec 002, 信号分析): trouble of eight types out of summaries and conversations.

Lines of a summary are read by signs (`trouble`). In a conversation the classifier weighs each sentence as well,
since much is said of trouble that is none. What the person and the agent say counts; of what tools printed,
only the failures that stayed, took three attempts, or have a name of their own: a test's expectation that the
next attempt met is ordinary work.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from memtui.core.startup import compile_pattern
from memtui.language import work
from memtui.language.classify import HeardTalk, describe_line, hear_talk, load_model
from memtui.language.conversation import NARROW, SIGNAL_TYPES, SIGNALS, Signal
from memtui.language.items import collect_secrets
from memtui.language.naming import Trouble, name_trouble
from memtui.language.outcome import is_correction
from memtui.language.sentences import EXPLAINS, is_narration, simplify
from memtui.language.trouble import find_signs
from memtui.language.trouble_kinds import (
    CORRECTION,
    ERROR,
    GAP,
    KINDS,
)
from memtui.safety.sanitize import sanitize_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from memtui.core.model import Memory
    from memtui.language.conversation import Conversation, Step
    from memtui.language.sentences import Sentence

LONGEST = 160
"""Characters of a signal's text."""
ATTEMPTS = 3
"""So many failures of one command in a row are trouble, whatever came of it."""
MOST = 40
"""So many failures of tools are told of, the last ones."""
CERTAIN = 0.4
"""How likely trouble must be where an agent explains."""
_TYPES = {one.name: one for one in SIGNAL_TYPES}
_SAYS = ("goal", "目标", "decisions", "todos")
"""Fields of a head that may tell what no line of the summary does."""
_SPEAKER = compile_pattern(
    r"\A[\[*【\s]{0,4}(?:user|human|assistant|claude|ai|用户|助手)[\]*】]{0,4}\s*[:：][\]*】]{0,3}\s*",
    re.IGNORECASE,
)
"""Who says it, in front of a message."""
_SILENT = frozenset({"file", "audit", "metric"})
"""Kinds of memories that tell no more than what there is."""

_QUOTED = compile_pattern(r"'[^'\n]*[\d#$%^&*!@][^'\n]*'|\"[^\"\n]*[\d#$%^&*!@][^\"\n]*\"")
_SHORT = 3
"""Characters of what is no secret by itself."""


def find_signals(text: str, role: str = "", *, path: str = "", line: int = 0) -> tuple[Signal, ...]:
    """What a text tells of, line by line; `role` is who said it: user, assistant, tool; empty: a summary.

    Each type and name once. Lines are counted from `line`. Linear; never raises.
    """
    found: list[Signal] = []
    for number, one in enumerate(text.split("\n")):
        if len(one) > 3 and not one.isspace():
            troubles = read_line(one, role)
            found += [_make(trouble, troubles, path, line + number if line else 0) for trouble in troubles]
    return _keep_once(found)


def find_in_entries(entries: Sequence[Memory]) -> tuple[Signal, ...]:
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
            found += find_signals(goal, path=memory.path, line=memory.start)
        # What tools printed, without what came of it, tells nothing.
        if memory.kind not in _SILENT and role not in {"tool", "system"}:
            heard = find_signals(_read_whole(memory, text), role, path=memory.path, line=memory.start)
            found += [signal._replace(line=min(signal.line, memory.end)) for signal in heard]
    return _keep_once(found)


def _read_whole(memory: Memory, text: str) -> str:
    """All that a head says of its session, a line each: some tools write one sentence after the other in one field."""
    if memory.kind != "session":
        return text
    more = (memory.extra.get(key) for key in _SAYS)
    told = [memory.title, text]
    for one in more:
        told += [one] if isinstance(one, str) else map(str, one) if isinstance(one, list | tuple) else []
    return "\n".join(told).replace("；", "\n")


def find_in_talk(talk: Conversation, heard: HeardTalk | None = None) -> tuple[Signal, ...]:
    """What a recorded session tells of, each with its line in the transcript; `heard`: as it was heard already."""
    path = talk.session.transcript
    sentences, _signs, likely = heard or hear_talk(talk)
    found: list[Signal] = []
    answered = False
    questions = _find_questions(talk)
    sizes = Counter(sentence.turn for sentence in sentences)
    for sentence, judged in zip(sentences, likely, strict=True):
        answered = answered or sentence.role == "assistant"
        if is_narration(sentence):
            continue
        corrects = answered and sentence.turn not in questions
        explains = sentence.role == "assistant" and sizes[sentence.turn] >= EXPLAINS
        troubles = _read_sentence(sentence, judged, corrects=corrects, least=CERTAIN if explains else 0.0)
        found += [_make(one, troubles, path, sentence.line) for one in troubles]
    for step in list_failures(talk.steps):
        error = work.find_error(step) or next(filter(None, map(str.strip, step.result.splitlines())), "")
        # A program may repeat in quotes what it was given: whatever that was, trouble is told without it.
        error = _QUOTED.sub("'…'", error)
        name = _type_of(error)
        troubles = read_line(error, "tool")
        if error and not troubles:
            troubles = (Trouble(name, error, 0, len(error), error, _TYPES[name].why),)
        found += [_make(one, troubles, path, step.line) for one in troubles]
    secrets = collect_secrets(
        [
            *(turn.text for turn in talk.said),
            *(text for one in talk.steps for text in (one.given, one.result)),
        ]
    )
    return _keep_once([_hide(one, secrets) for one in found])


def _hide(signal: Signal, secrets: Iterable[str]) -> Signal:
    """A signal without the secrets of its talk: cut out of its sentence, one no longer shows that it is one."""
    text, about = signal.text, signal.about
    for secret in secrets:
        if len(secret) > _SHORT:
            text, about = text.replace(secret, "…"), about.replace(secret.lower(), "…").replace(secret, "…")
    return signal._replace(text=text, about=about)


def _read_sentence(
    sentence: Sentence, judged: Mapping[str, float], *, corrects: bool, least: float = 0.0
) -> tuple[Trouble, ...]:
    """The trouble in one sentence of a talk: what its signs say where that is likely, and what is likely without.

    `least`: how likely it must be at any rate.
    """
    own = sentence.role == "user"
    told = {name for name in SIGNALS if judged[name] >= max(least, _TYPES[name].talk)}
    if sum(judged[name] for name in ("hypothetical", "offer", "pasted")) > 0.5:
        told.clear()
    if own and corrects and is_correction(sentence) and not sentence.asks:
        told.add(CORRECTION)
    signs = [
        one
        for one in read_line(sentence.text, "" if own and not corrects else sentence.role)
        if one.type in told or judged[one.type] >= max(least / 2, _TYPES[one.type].signed)
    ]
    heard = {one.type for one in signs}
    # One sentence is mostly of one cause: the others are like it.
    narrow = sorted(told & NARROW, key=lambda name: judged[name] / _TYPES[name].talk)
    told -= {*(narrow if heard & NARROW else narrow[:-1])}
    troubles = [*signs, *(_locate(name, sentence) for name in SIGNALS if name in told - heard)]
    return _settle(
        one for one in troubles if not (own and one.type == GAP) and (one.type != CORRECTION or corrects or not own)
    )


def _find_questions(talk: Conversation) -> frozenset[int]:
    """The turns that answer a question which the agent asked: a no there corrects nobody."""
    return frozenset(
        number
        for number, turn in enumerate(talk.said)
        if number
        and turn.role == "user"
        and talk.said[number - 1].role == "assistant"
        and re.search(r"[?？][\s*_)）\"”]*$", talk.said[number - 1].text[-80:])
    )


def read_line(line: str, role: str = "") -> tuple[Trouble, ...]:
    """The trouble in one line, each type once, the first time. Linear in its length."""
    return tuple(
        Trouble(one.sign.type, one.sentence, one.start, one.end, one.line, one.sign.why)
        for one in find_signs(line, role)
    )


def _locate(name: str, sentence: Sentence) -> Trouble:
    """A trouble that the classifier hears, where the word stands that tells most of it."""
    text = simplify(sentence.text)
    told = load_model().find_strongest(describe_line(sentence), name)
    at = max(text.lower().find(told), 0) if told else 0
    return Trouble(name, text, at, at + len(told), text, _TYPES[name].why)


def _settle(troubles: Iterable[Trouble]) -> tuple[Trouble, ...]:
    """What remains where several types were heard in one sentence: the narrower says more."""
    found = {one.type: one for one in reversed([*troubles])}
    if found.keys() & (NARROW | {GAP, CORRECTION}):
        found.pop(ERROR, None)
    if found.keys() & NARROW:
        found.pop(GAP, None)
    return tuple(found.values())


def _type_of(error: str) -> str:
    """The type of what a machine printed."""
    for kind in KINDS:
        if kind.pattern.search(error) is not None:
            return next((name for name in (*sorted(NARROW), ERROR) if name in kind.types), ERROR)
    return ERROR


def list_failures(steps: Sequence[Step]) -> list[Step]:
    """What went wrong with tools and stayed so, took several attempts, or has a name of its own."""
    rows: dict[str, list[Step]] = {}
    found: dict[int, Step] = {}
    for step in steps:
        command = work.strip_command(step.command[:2000]) if step.command.strip() else ""
        if not command or not work.may_change(command):
            continue
        row = rows.setdefault(command, [])
        if not work.has_failed(step):
            row.clear()
            continue
        row.append(step)
        errors = {work.find_error(one) for one in row[-ATTEMPTS:]}
        if (len(row) >= ATTEMPTS and len(errors) == 1) or _is_named(step):
            found[row[0].line] = step
    last = work.find_unsolved(steps)
    if last is not None and last not in found.values():
        found[last.line] = last
    return sorted(found.values(), key=lambda one: one.line)[-MOST:]


def _is_named(step: Step) -> bool:
    """Whether a failure tells what went wrong, and is no test's expectation."""
    return bool(step.result.strip()) and not work.is_expectation(step)


def _make(trouble: Trouble, others: Sequence[Trouble], path: str, line: int) -> Signal:
    text = " ".join(sanitize_text(trouble.sentence, keep_newlines=False).split())
    text = text if len(text) <= LONGEST else f"{text[: LONGEST - 1].rstrip()}…"
    about = sanitize_text(name_trouble(trouble, others), keep_newlines=False)
    return Signal(trouble.type, text, path, line, about, trouble.why)


def _keep_once(found: Iterable[Signal]) -> tuple[Signal, ...]:
    """Each type and name the first time; what has no name only where its type was heard in nothing that has one."""
    kept: dict[tuple[str, str], Signal] = {}
    for signal in found:
        kept.setdefault((signal.type, signal.about), signal)
    named = {signal.type for signal in kept.values() if signal.about}
    return tuple(signal for signal in kept.values() if signal.about or signal.type not in named)
