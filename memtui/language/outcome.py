"""How a session ended, with the reason; and in which turns the person corrected the agent."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from memtui.core.startup import compile_pattern
from memtui.language import work
from memtui.language.classify import find_cues, judge_outcome
from memtui.language.conversation import SIGNAL_TYPES
from memtui.language.items import find_clauses, skip_lead
from memtui.language.reports import is_reported_at_length
from memtui.language.sentences import is_narration, list_languages, split

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from memtui.core.model import Turn
    from memtui.language.conversation import Conversation, Language, Step
    from memtui.language.memories import Memories
    from memtui.language.sentences import Sentence

REFUSED = "the user said:\n"
"""What stands in a call's result before the words with which a person refused it."""
_WORDS = 80
_EMPTY_NO = compile_pattern(r"\W*no+\W*", re.IGNORECASE)
_PLEASED = compile_pattern(
    "\\s*(?:[\U0001f44d\U0001f44c\U0001f64f\U0001f389\u2764\u2705\U0001f4af\U0001f525\U0001f680\ufe0f]|10/10|\\+1|:\\+1:)+[\\s!.]*$"
)


class Facts(NamedTuple):
    """What is known of a session when its end is judged."""

    done: bool
    committed: bool
    left: bool


def find_outcome(conversation: Conversation, read: Memories, facts: Facts, own: Language) -> str:
    """success, partly, failed or unknown, with why: 'failed: tests do not pass'."""
    word, why = _judge(conversation, read, facts)
    return f"{word}: {own.phrases[why]}" if why else word


def _judge(conversation: Conversation, read: Memories, facts: Facts) -> tuple[str, str]:
    written = max((step.line for step in conversation.steps if step.writes), default=0)
    if work.find_thrown_away(conversation) > written:
        return ("partly" if facts.committed else "failed"), "thrown away"
    said = _last_words(read)
    if said is None and conversation.prompts[1:] and _PLEASED.match(conversation.prompts[-1].text[:40]):
        said = True
    last = _last_check(conversation.steps)
    if said is True and last is not None and _says_works(read.sentences, last.line):
        # Who says so saw more than the last check that was recorded.
        return "success", "works"
    if said is False:
        return ("partly" if facts.committed else "failed"), "works not"
    if last is not None and work.has_failed(last) and last is work.find_unsolved(conversation.steps):
        tested = work.is_test_run(last.command)
        if conversation.changed or not _passed_since(conversation, last):
            return ("partly" if facts.done or facts.committed else "failed"), "tests fail" if tested else "build fails"
    if _gave_up(conversation, read.sentences):
        return ("partly" if facts.done or facts.committed else "failed"), "gave up"
    if said is None and _breaks_off(conversation, read):
        return "partly", "broke off"
    if conversation.changed or facts.committed:
        # What was recorded tells more than words: files, checks, commits.
        if last is not None and work.is_test_run(last.command) and not work.has_failed(last):
            return "success", "tests pass"
        if said is True:
            return "success", "works"
        if facts.committed:
            return "success", "committed"
        if last is not None and not work.has_failed(last):
            return "success", "build passes"
        if facts.done and not facts.left:
            return "success", "reported"
    word = judge_outcome(describe_outcome(conversation, read, facts))
    if (word == "partly" and _is_reached(read)) or (word in {"partly", "failed"} and _is_reported(read)):
        word = "success"
    elif not read.done and not conversation.changed and is_reported_at_length(read.sentences):
        # Nothing but explanations.
        word = "unknown"
    return word, _why(word, conversation, facts, said, last)


def _why(word: str, conversation: Conversation, facts: Facts, said: bool | None, last: Step | None) -> str:
    """What speaks for it, of what is known."""
    if word == "success":
        if last is not None and work.is_test_run(last.command) and not work.has_failed(last):
            return "tests pass"
        if said is True and (conversation.steps or facts.done):
            return "works"
        if facts.committed:
            return "committed"
        if last is not None and not work.has_failed(last):
            return "build passes"
        return "reported" if facts.done else ""
    if word == "partly":
        return "left open" if facts.left else ""
    return "given up" if word == "failed" and not facts.done else ""


def describe_outcome(conversation: Conversation, read: Memories, facts: Facts) -> list[str]:
    """What the classifier is told of a session's end."""
    sentences, judged = read.sentences, read.judged
    features = [
        f"o:done:{min(len(read.done), 4)}",
        f"o:open:{min(len(read.open), 3)}",
        f"o:undone:{min(len(read.undone), 2)}",
        f"o:decided:{min(len(read.decisions), 2)}",
        f"o:facts:{facts.done:d}{facts.committed:d}{facts.left:d}",
        f"o:prompts:{min(len(conversation.prompts), 4)}",
        f"o:steps:{bool(conversation.steps):d}{bool(conversation.changed):d}",
    ]
    last = _last_check(conversation.steps)
    features.append(f"o:check:{'none' if last is None else 'failed' if work.has_failed(last) else 'passed'}")
    if conversation.steps:
        features.append(f"o:step:{'failed' if conversation.steps[-1].failed else 'ok'}")
        features.append(f"o:failures:{min(sum(step.failed for step in conversation.steps), 4)}")
    own = [number for number, sentence in enumerate(sentences) if sentence.role == "user"]
    asking = sum(sentences[number].asks or judged[number]["question"] > 0.5 for number in own)
    features.append(f"o:asking:{4 * asking // len(own) if own else 'none'}")
    total = max(1, len(sentences))
    for name in ("thanks", "sarcasm", "undone", "open", "done", "retract"):
        late = [judged[number][name] for number in range(max(0, total - 8), len(sentences))]
        features.append(f"o:late:{name}:{min(3, round(2 * sum(late)))}")
    for at, number in enumerate(reversed(own[-3:])):
        sentence = sentences[number]
        act = max(
            (name for name in judged[number] if "_" not in name and name != "error"),
            key=judged[number].__getitem__,
        )
        features.append(f"o:act{min(at, 1)}:{act}")
        features += [f"o:cue:{name}" for name in find_cues(sentence)]
    agent = [number for number, sentence in enumerate(sentences) if sentence.role == "assistant"]
    for number in agent[-2:]:
        features += [f"o:agent:{name}" for name in find_cues(sentences[number])]
    failing = [number for number in range(len(sentences)) if judged[number]["error"] > 0.3]
    features.append(f"o:trouble:{min(3, len(failing))}{'e' if failing and failing[-1] > 0.75 * total else ''}")
    features += _describe_course(read)
    reports = "l" if is_reported_at_length(sentences) else "s"
    features += [f"o:{reports}:{name}" for name in features]
    return list(dict.fromkeys(features))


_TOLD = 0.35
"""How likely something is told at least, to be an event of a session."""


def _describe_course(read: Memories) -> Iterator[str]:
    """What came after what: a report that is followed by trouble, by its remedy, or by nothing."""
    events: list[str] = []
    for sentence, judged in zip(read.sentences, read.judged, strict=True):
        who = sentence.role[:1]
        chances = {
            f"done{who}": judged["done"],
            "back": judged["undone"] + judged["retract"],
            f"open{who}": judged["open"],
            f"trouble{who}": max(judged["error"], judged["environment_issue"], judged["dependency_issue"]),
            "gap": judged["capability_gap"],
            "decides": judged["decision"],
            "thanks": judged["thanks"],
        }
        best = max(chances, key=chances.__getitem__)
        if chances[best] >= _TOLD:
            events.append(best)
    for far, event in enumerate(reversed(events[-4:])):
        yield f"o:event{far}:{event}"
    yield "o:events:" + ">".join(one for one in events[-3:] if one != "thanks")
    last = max((at for at, event in enumerate(events) if event.startswith("done")), default=-1)
    for event in sorted({*events[last + 1 :]}):
        yield f"o:{'since' if last >= 0 else 'never'}:{event}"
    yield f"o:gaps:{min(2, events.count('gap'))}{last >= 0:d}"
    yield f"o:left:{min(2, events.count('opena'))}{min(2, events.count('openu'))}"
    yield f"o:reports:{min(3, sum(event.startswith('done') for event in events))}"


def _is_reached(read: Memories) -> bool:
    """Whether it is a person alone who leaves something open, and met no trouble after the agent's last report.

    What a person puts off, or will do besides, is no part of what was asked.
    """
    if not read.open or any(not item.person for item in read.open):
        return False
    judged = read.judged
    last = max((at for at, one in enumerate(judged) if one["done"] >= _TOLD), default=-1)
    return last >= 0 and not any(
        sentence.role == "user" and max(one[name] for name in _TROUBLE) >= _TOLD
        for sentence, one in zip(read.sentences[last + 1 :], judged[last + 1 :], strict=True)
    )


def _is_reported(read: Memories) -> bool:
    """Whether an agent that reports at length did more of what the person asked for last than it left open."""
    if not is_reported_at_length(read.sentences):
        return False
    last = max((sentence.turn for sentence in read.sentences if sentence.role == "user"), default=-1)
    left = sum(item.turn > last for item in read.open)
    return sum(item.turn > last for item in read.done) > left


_TROUBLE = tuple(one.name for one in SIGNAL_TYPES if one.blocks)


def _breaks_off(conversation: Conversation, read: Memories) -> bool:
    """Whether a session ends while the agent works: it says what it does next, and no commit or passed test follows."""
    last = next(reversed(read.sentences), None)
    if last is None or not (is_narration(last) or (last.role == "assistant" and last.text.endswith((":", "：")))):
        return False
    return not any(
        step.line > last.line and (work.read_commit(step) is not None or work.count_passed(step))
        for step in conversation.steps
    )


def _passed_since(conversation: Conversation, last: Step) -> bool:
    """Whether tests passed after a step, whatever ran them."""
    return any(step.line > last.line and work.count_passed(step) and not step.failed for step in conversation.steps)


def _says_works(sentences: Sequence[Sentence], line: int) -> bool:
    """Whether the person's last words, after that line, say that it works: thanks alone do not."""
    final = [sentence for sentence in sentences if sentence.role == "user"]
    words = [one for one in final if one.turn == final[-1].turn and one.line > line]
    return any(
        language.works.search(one.bare) and not one.asks and len(one.text) < 120
        for one in words
        for language in list_languages(one.text)
    )


def _last_check(steps: Sequence[Step]) -> Step | None:
    return next(
        (
            step
            for step in reversed(steps)
            if (step.command and (work.is_test_run(step.command) or work.is_check_run(step.command)))
            or work.count_passed(step)
        ),
        None,
    )


def _last_words(read: Memories) -> bool | None:
    """Whether the person's last words are content; None: they do not tell."""
    final = [number for number, sentence in enumerate(read.sentences) if sentence.role == "user"]
    if not final:
        return None
    turn = read.sentences[final[-1]].turn
    words = [number for number in final if read.sentences[number].turn == turn]
    if turn == read.sentences[final[0]].turn:
        return None
    answered = any(one.role == "assistant" and one.turn > turn for one in read.sentences)
    pleased = False
    for number in words:
        sentence, judged = read.sentences[number], read.judged[number]
        for language in list_languages(sentence.text):
            if language.fails.search(sentence.bare) is not None and not sentence.asks:
                # What the agent did after that may have helped: nobody said.
                return None if answered else False
            if (
                language.pleased.search(sentence.bare) is not None
                and not sentence.asks
                and len(sentence.text) < 120
                and judged["sarcasm"] < (0.5 if language.works.search(sentence.bare) else 0.2)
                and ("bitter" not in find_cues(sentence) or language.works.search(sentence.bare))
            ):
                pleased = True
    return True if pleased else None


def _gave_up(conversation: Conversation, sentences: Sequence[Sentence]) -> bool:
    written = max((step.line for step in conversation.steps if step.writes), default=0)
    turns = [sentence.turn for sentence in sentences if sentence.role == "assistant"]
    return any(
        language.gave_up.search(sentence.bare) is not None
        for sentence in sentences
        if sentence.turn in sorted(set(turns))[-1:] and sentence.role == "assistant" and sentence.line > written
        for language in list_languages(sentence.text)
    )


class Correction(NamedTuple):
    """One turn in which a person corrected the agent."""

    text: str
    line: int


def find_corrections(conversation: Conversation) -> list[Correction]:
    """The turns in which the person told the agent that it was wrong, each once; never the first one."""
    found: list[Correction] = []
    answered = False
    refused = [step.result for step in conversation.steps if step.failed and REFUSED in step.result]
    begun = min((step.line for step in conversation.steps if step.line), default=None)
    for number, turn in enumerate(conversation.said):
        if turn.role == "assistant":
            answered = True
        if turn.role != "user" or not (answered or (number and begun is not None and begun < turn.line)):
            continue
        if _refuses(turn, refused):
            found.append(Correction(turn.text, turn.line))
            continue
        wrong = next(filter(is_correction, split(turn.text[:4000], "user", turn.line, number)), None)
        if wrong is not None:
            found.append(Correction(wrong.text, turn.line))
    return found


def is_correction(sentence: Sentence) -> bool:
    """Whether a sentence of a person, who has seen what the agent did, corrects it."""
    languages = list_languages(sentence.text)
    if any(language.complains.search(sentence.bare) for language in languages):
        return True
    if sentence.asks:
        return False
    for language in languages:
        for at in _list_starts(sentence, languages):
            said = language.corrects.match(f"{sentence.bare[at:]} ")
            # 'no' in the middle of a sentence denies something else.
            if said is not None and (at == 0 or not _EMPTY_NO.fullmatch(said[0])):
                return True
    return False


def _list_starts(sentence: Sentence, languages: Sequence[Language]) -> Iterator[int]:
    """Where a correction may begin: at the beginning, behind what leads up to it, and behind a comma."""
    yield 0
    yield from (at for language in languages if (at := skip_lead(sentence.bare, language)))
    yield from find_clauses(sentence.bare)[1:]


def _refuses(turn: Turn, refused: list[str]) -> bool:
    said = turn.text.strip()[:_WORDS]
    return bool(said) and any(said in result.partition(REFUSED)[2] for result in refused)
