"""The extractor that works offline: by rules, in English and Chinese, the same every time; precise rather than eager.

It listens to what the person and the agent said; of what tools returned it takes test results and lines of errors only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from memtui.safety.injection import examine
from memtui.safety.redact import redact
from memtui.sessions.extract import Extract, closing, mishaps, reasons, sifting, topics, work
from memtui.sessions.extract.answers import answered
from memtui.sessions.extract.entities import entities
from memtui.sessions.extract.hearing import heard
from memtui.sessions.extract.limits import MOST, characters, limited, shortened
from memtui.sessions.extract.outcome import outcome
from memtui.sessions.extract.sentences import chinese, spoken
from memtui.sessions.extract.summing import left_open, points
from memtui.sessions.extract.undone import thrown_away

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memtui.language.conversation import Conversation
    from memtui.sessions.extract import Learned
    from memtui.sessions.extract.sentences import Sentence
    from memtui.sessions.extract.work import Deed

_ITEMS = 5
_LONG = 110


def extract(conversation: Conversation) -> Extract:
    """What a session taught, as far as rules can tell. Linear in what was said; never raises."""
    said = spoken(conversation.said)
    han = _mostly_chinese(said)
    found = heard(said, conversation.said)
    texts = {turn.line: turn.text for turn in conversation.said}

    def safe(text: str, line: int) -> bool:
        return sifting.safe(text, texts.get(line, ""))

    learned = [lesson.learned for lesson in found.learned]
    learned += mishaps.lessons(conversation, said, han)
    learned += reasons.causes(said, conversation, learned)
    learned = [one for one in map(sifting.disclosed, learned) if safe(one.text, one.line)]
    learned = sifting.merged(sorted(learned, key=lambda one: one.line), lambda one: one.text)
    committed = [deed for deed in work.commits(conversation) if sifting.safe(deed.text)]
    undone = thrown_away(conversation)
    reported = [
        deed for deed in work.reports(conversation, said) if deed.line > undone and safe(deed.text, deed.line)
    ]
    stated = closing.statements(conversation, said, reported)
    stated = [deed for deed in stated if deed.line > undone and safe(deed.text, deed.line)]
    told = [
        deed for deed in (*reported, *stated) if not sifting.overtaken(deed.text, deed.line, found.denied)
    ]
    done = _done(committed, work.beyond(told, committed), conversation, han)
    decisions = [*found.decisions, *answered(conversation)]
    decisions = [item for item in sorted(decisions, key=lambda item: item.line) if safe(item.text, item.line)]
    decisions = sifting.merged(decisions, lambda item: item.text)
    decided = _unlearned([item.text for item in decisions], learned)
    done = [text for text in done if text not in decided] or done
    todos = left_open(
        conversation,
        [item for item in found.todos if safe(item.text, item.line)],
        (*committed, *reported),
        han,
    )
    topic = _clean(topics.topic(said))
    if topic and topics.put_off(conversation):
        todos = [f"推迟：{topic}" if han else f"Put off: {topic}", *todos]
    goal = _clean(topics.goal(said))
    key = points(conversation, learned, told, done, han)
    result = Extract(
        topic=topic,
        done=_short(done),
        decisions=_short(decided, 180),
        todos=_short(todos),
        files=work.files(conversation),
        learned=sifting.most(learned),
        goal=goal if goal.rstrip("…") not in topic and topic.rstrip("…") not in goal else "",
        outcome=outcome(
            conversation,
            said,
            done=bool(reported or stated),
            committed=bool(committed),
            left=bool(todos),
            han=han,
        ),
        tools=work.tools(conversation),
        entities=entities([topic, goal, *done, *decided, *todos, *(one.text for one in learned)]),
    )
    return _pointed(limited(result), key)


def _pointed(found: Extract, key: Sequence[str]) -> Extract:
    """With the key points for which there is room: what was done, decided and left open comes first."""
    for point in _short(key):
        if characters(found) + len(point) <= MOST:
            found = found._replace(points=(*found.points, point))
    return found


def notes(text: str) -> tuple[Learned, ...]:
    """Durable notes in a free text (spec 001 §4.2). Linear in its length; never raises."""
    from memtui.sessions.extract.freetext import noted

    return sifting.most(noted(text))


def _mostly_chinese(said: Sequence[Sentence]) -> bool:
    """Whether the person writes Chinese; where they say nothing, the agent."""
    own = [sentence for sentence in said if sentence.role == "user"] or said
    return sum(chinese(sentence.text) for sentence in own) * 2 > len(own)


def _done(
    committed: Sequence[Deed],
    reported: Sequence[Deed],
    conversation: Conversation,
    han: bool,
) -> list[str]:
    """What was achieved: commits first, then what the agent reports beyond them; else the files that changed."""
    deeds = sifting.merged([*committed, *reversed(reported)], lambda deed: deed.text)
    sure = [deed for deed in deeds if deed.sure]
    told = sorted((deed for deed in deeds if not deed.sure), key=lambda deed: deed.line)
    # The last words tell most of it.
    texts = [deed.text for deed in (*sure[:_ITEMS], *told[-max(1, _ITEMS - len(sure)) :])]
    if texts:
        return texts
    changed = work.files(conversation)
    undone = thrown_away(conversation)
    if not changed or not any(step.writes and step.line > undone for step in conversation.steps):
        return []
    names = ("、" if han else ", ").join(file.rsplit("/", 1)[-1] for file in changed[:4])
    more = len(changed) - 4
    if han:
        return [f"修改了 {names}" + (f" 等 {len(changed)} 个文件" if more > 0 else "")]
    return [f"Changed {names}" + (f" and {more} more" if more > 0 else "")]


def _unlearned(texts: Sequence[str], learned: Sequence[Learned]) -> list[str]:
    from memtui.language.similarity import likeness

    known = [one.text for one in learned]
    return [
        text for text in texts if not any((like := likeness(text, other)) and like.covers for other in known)
    ]


def _short(items: Iterable[str], most: int = _LONG) -> tuple[str, ...]:
    return tuple(shortened(item, most) for item in list(items)[:_ITEMS])


def _clean(text: str) -> str:
    """Secrets in it masked; nothing of it where it gives orders."""
    masked = redact(text).text
    return masked if examine(masked).action == "none" else ""
