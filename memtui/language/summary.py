"""What a session taught, read by rules and the classifier: offline, deterministic, linear; it never raises.

Durable notes out of a text: a compaction's summary, a document, a pasted conversation (spec 001 §3.2, §4.2).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from memtui.core.model import Turn
from memtui.core.startup import compile_pattern
from memtui.language import work
from memtui.language.classify import HeardTalk, hear, hear_talk, list_content_words
from memtui.language.conversation import Extract, Learned
from memtui.language.dialogue import list_settled, weigh
from memtui.language.items import (
    ABOUT,
    COMPARED,
    LONG,
    MOST,
    Item,
    capitalize,
    count_characters,
    disclose,
    find_entities,
    is_overtaken,
    is_safe,
    is_weighty,
    keep_most,
    limit_extract,
    make_standalone,
    measure,
    shorten,
    strip_ends,
    tidy,
)
from memtui.language.memories import Memories, find_category
from memtui.language.outcome import Facts, find_outcome
from memtui.language.reports import LEARNED
from memtui.language.sentences import (
    LANGUAGES,
    detect_language,
    has_chinese,
    list_languages,
    split,
    split_talk,
)
from memtui.safety.injection import examine
from memtui.safety.redact import redact

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from memtui.language.conversation import Conversation, Kind, Language, Step
    from memtui.language.sentences import Sentence
    from memtui.language.work import Deed


TOPIC = 72
GOAL = 160
ITEMS = 6
_REPORTED = 12
"""So many of what was done: a final report lists them."""
_DECISION, _DECISIONS = 180, 30
_MISSED = 0.2
"""So much surer than a deed a decision counts: it is missed more."""
_POINTS = 3
_LABELLED = compile_pattern(r"^[^:：]{0,30}[，,；;]\s*(?:未完成|待办|遗留|TODO)[:：]\s*(?=\S)", re.IGNORECASE)
"""What stands before the label that says what is open: 'committed, TODO: …'."""
_ENOUGH = 3.0
"""What a text weighs that is understood without what it was about."""
_COMMAND = compile_pattern(r"^/[\w:-]+|^! ")
_COURTEOUS = compile_pattern(
    r",? (?:and )?(?:can|could) (?:you|u|we) (?:please )?(?:have a look|look|dig in|check|help|take a look|investigate|fix (?:it|that|this)|do (?:it|that))[^.?!]{0,30}[.?!\s]*$|"
    r"(?:[\s,，。.]*(?:please|pls|thanks(?: a lot)?|thank you|谢谢你?|多谢|好吗|可以吗|行吗|一下吧|吧|吗|呢))+[\s。.！!?？]*$|[\s。.！!?？]+$",
    re.IGNORECASE,
)
_PLAN_TOOLS = frozenset({"todowrite", "update_plan", "todo_write"})
_LISTED = compile_pattern(
    r"\"(?:content|step)\"\s*:\s*\"(?P<a>[^\"]{3,200})\"[^{}]{0,200}?\"status\"\s*:\s*\"(?P<b>\w+)\"|\"status\"\s*:\s*\"(?P<c>\w+)\"[^{}]{0,200}?\"(?:content|step)\"\s*:\s*\"(?P<d>[^\"]{3,200})\""
)


def extract(conversation: Conversation, heard: HeardTalk | None = None) -> Extract:
    """What a session taught, as far as can be told offline; `heard`: as it was heard already."""
    heard = heard or hear_talk(conversation)
    sentences = heard.sentences
    own = _main_language(sentences)
    read = Memories(conversation.said, heard, work.find_closing(conversation), conversation.steps)
    texts = {turn.line: turn.text for turn in conversation.said}

    def keep(text: str, line: int) -> bool:
        return is_safe(text, texts.get(line, ""))

    learned = [lesson.learned for lesson in read.learned]
    learned += work.learn_from_mishaps(conversation, sentences, own)
    learned = [one for one in map(disclose, learned) if keep(one.text, one.line)]
    learned = merge(sorted(learned, key=lambda one: one.line), lambda one: one.text)
    committed = [deed for deed in work.list_commits(conversation) if is_safe(deed.text)]
    thrown = work.find_thrown_away(conversation)
    told = [
        work.Deed(item.text, item.line, False)
        for item in read.done
        if item.line > thrown and keep(item.text, item.line) and not is_overtaken(item.text, item.line, read.denied)
    ]
    likely = {item.text: item.sure for item in read.done}
    reported = work.drop_committed(told, committed)
    done = _list_done(committed, sorted(reported, key=lambda deed: -likely[deed.text]), conversation, own)
    settled = [(item.text, item.line) for item in read.decisions]
    settled += list(list_settled(conversation))
    settled = [one for one in sorted(settled, key=lambda one: one[1]) if keep(*one)]
    decisions = _list_decisions(settled, learned)
    done = [text for text in done if text not in decisions]
    todos = _list_open(conversation, read, (*committed, *told), own, keep)
    todos = [_drop_told_subject(text, (*decisions, *done)) for text in todos]
    topic = _clean(find_topic(read))
    if topic and _puts_off(conversation):
        todos = [own.phrases["put off"].format(topic), *todos]
    goal = _clean(shorten(next(_list_wishes(read), ""), GOAL))
    facts = Facts(bool(told), bool(committed), bool(todos))
    result = Extract(
        topic=topic,
        done=_cut(done, LONG, _REPORTED),
        # As many as there is room for: what was decided is missed most.
        decisions=_cut(decisions, _DECISION, _DECISIONS),
        todos=_cut(todos, LONG),
        files=work.list_files(conversation),
        learned=keep_most(learned),
        goal=goal if goal.rstrip("…") not in topic and topic.rstrip("…") not in goal else "",
        outcome=find_outcome(conversation, read, facts, own),
        tools=work.list_tools(conversation),
        entities=find_entities([topic, goal, *done, *decisions, *todos, *(one.text for one in learned)]),
    )
    sure = {shorten(item.text, _DECISION): item.sure + _MISSED for item in read.decisions}
    sure.update((shorten(item.text, LONG), item.sure) for item in read.done)
    result = limit_extract(result, sure=sure)
    for point in _cut(_list_points(conversation, learned, told, done, own), LONG):
        if count_characters(result) + measure(point) <= MOST:
            result = result._replace(points=(*result.points, point))
    return result


def _list_decisions(settled: Sequence[tuple[str, int]], learned: Sequence[Learned]) -> list[str]:
    """What was settled, but for what another sentence teaches; one sentence may both decide and teach.

    Where all that was settled is what is to be remembered, that is what the session was for.
    """
    known = [(one.text, one.line) for one in learned]
    decisions = [
        text
        for text, line in merge(settled, lambda one: one[0])
        if not any(is_alike(text, other) and line != at for other, at in known)
    ]
    return decisions or [one.text for one in learned if one.asked and one.kind in {"rule", "pref"}]


def _main_language(sentences: Sequence[Sentence]) -> Language:
    """The language that the person writes; where they say nothing, the agent."""
    said = [sentence for sentence in sentences if sentence.role == "user"] or list(sentences)
    counts = {one.code: 0 for one in LANGUAGES}
    for sentence in said:
        counts[detect_language(sentence.text).code] += 1
    return max(LANGUAGES, key=lambda one: counts[one.code]) if said else LANGUAGES[-1]


def is_alike(one: str, two: str) -> bool:
    """Whether two texts say the same in other words, or one all that the other says; so must what both say of it."""
    return _share(one, two) and _share(one.rpartition(ABOUT)[2], two.rpartition(ABOUT)[2])


def _drop_told_subject(text: str, told: Sequence[str]) -> str:
    """What is open without what it is about, where that is told beside it and it says enough by itself."""
    about, arrow, said = text.rpartition(ABOUT)
    if not arrow or weigh(said) < _ENOUGH:
        return text
    parts = [part for part in re.split(r"[；;] ?", about) if part]
    known = all(any(is_alike(part, one) for one in told) for part in parts)
    return capitalize(said) if known else text


def _share(one: str, two: str) -> bool:
    first, second = list_content_words(one), list_content_words(two)
    least = min(len(first), len(second))
    return bool(least) and len(first & second) * 10 >= 8 * least


def merge(items: Sequence[Item], text: Callable[[Item], str]) -> list[Item]:
    """Each thing once, in order: the longer of two that say the same."""
    kept: list[Item] = []
    for item in list({text(item): item for item in items}.values())[-COMPARED:]:
        for at, other in enumerate(kept):
            if is_alike(text(item), text(other)):
                if len(text(item)) >= len(text(other)):
                    kept[at] = item
                break
        else:
            kept.append(item)
    return kept


def _list_done(
    committed: Sequence[Deed], reported: Sequence[Deed], conversation: Conversation, own: Language
) -> list[str]:
    """What was achieved: commits first, then what is `reported` beyond them, likeliest first; else the files changed."""
    deeds = merge([*committed, *reported[:COMPARED]], lambda deed: deed.text)
    sure = [deed for deed in deeds if deed.sure]
    told = [deed for deed in deeds if not deed.sure][: max(1, _REPORTED - len(sure))]
    texts = [deed.text for deed in (*sure[:ITEMS], *sorted(told, key=lambda deed: deed.line))]
    if texts:
        return texts
    changed = work.list_files(conversation)
    thrown = work.find_thrown_away(conversation)
    if not changed or not any(step.writes and step.line > thrown for step in conversation.steps):
        return []
    names = ("、" if own.comma == "，" else ", ").join(file.rsplit("/", 1)[-1] for file in changed[:4])
    more = len(changed) - 4
    # In Chinese all of them are counted, elsewhere the others.
    count = len(changed) if own.comma == "，" else more
    return [own.phrases["changed"].format(names) + (own.phrases["more"].format(count) if more > 0 else "")]


def _list_open(
    conversation: Conversation,
    read: Memories,
    deeds: Sequence[Deed],
    own: Language,
    keep: Callable[[str, int], bool],
) -> list[str]:
    """What was said to be open and not done since, what a plan still holds, and the failure at the end."""
    later = [(deed.line, list_content_words(deed.text)) for deed in deeds]
    open_ = [
        item.text
        for item in read.open
        if keep(item.text, item.line)
        and not any(line > item.line and _settles(item.about, about) for line, about in later)
    ]
    open_ += _list_planned(conversation)
    last = work.find_unsolved(conversation.steps)
    if last is not None and last.line > work.find_thrown_away(conversation) and not _passed(conversation, last, deeds):
        error = work.find_error(last)
        if is_safe(error):
            command = own.phrases["fails"].format(shorten(work.strip_command(last.command), 50))
            open_.append(command + (f"{own.comma}{error}".replace(", ", ": ").replace("，", "：", 1) if error else ""))
    return merge([capitalize(_LABELLED.sub("", text)) for text in open_ if text], str)[:ITEMS]


def _passed(conversation: Conversation, last: Step, deeds: Sequence[Deed]) -> bool:
    """Whether somebody tells after a failure that it went well, or another run shows it."""
    if any(step.line > last.line and work.count_passed(step) and not step.failed for step in conversation.steps):
        return True
    return any(
        deed.line > last.line and language.works.search(deed.text) is not None
        for deed in deeds
        for language in list_languages(deed.text)
    )


def _settles(one: frozenset[str], two: frozenset[str]) -> bool:
    return len(one & two) >= 2 and len(one & two) * 10 >= 6 * min(len(one), len(two))


def _list_planned(conversation: Conversation) -> Iterator[str]:
    """What the last plan of an agent's own list has not ticked off."""
    plan = next((step for step in reversed(conversation.steps) if step.tool.lower() in _PLAN_TOOLS), None)
    for item in _LISTED.finditer(plan.given[:20000] if plan else ""):
        text, status = item["a"] or item["d"], item["b"] or item["c"]
        said = make_standalone(text, detect_language(text))
        if status in {"pending", "in_progress"} and said and is_safe(said):
            yield said


def _list_points(
    conversation: Conversation,
    learned: Sequence[Learned],
    told: Sequence[Deed],
    done: Sequence[str],
    own: Language,
) -> list[str]:
    """Key points: what was learned of the project, and how many tests pass."""
    found = [one.text for one in learned if one.kind in {"fact", "lesson"}]
    found += [deed.text for deed in told if deed.text not in done and re.search(r"\d|`", deed.text)]
    last = next(
        (step for step in reversed(conversation.steps) if step.command and work.is_test_run(step.command)),
        None,
    )
    count = work.count_passed(last) if last is not None and not work.has_failed(last) else 0
    if count:
        found.append(own.phrases["tests" if count > 1 else "test"].format(count))
    return merge(found, str)[:_POINTS]


def find_topic(read: Memories) -> str:
    """One short line; empty where the person never said what they want."""
    found = list(_list_wishes(read))
    if not found:
        return ""
    first = shorten(found[0], TOPIC)
    if len(found) == 1:
        return first
    sep = "；" if has_chinese(first) else "; "
    second = found[-1]
    room = TOPIC + 2 - len(sep)
    if len(first) + len(second) > room:
        return shorten(found[0], room // 2 + 8) + sep + shorten(second, room // 2 - 8)
    return first + sep + second


def _list_wishes(read: Memories) -> Iterator[str]:
    """What was wanted first, and then each time the topic moved."""
    turns: dict[int, list[int]] = {}
    for number, sentence in enumerate(read.sentences):
        if sentence.role == "user":
            turns.setdefault(sentence.turn, []).append(number)
    begun, taught = False, ""
    for numbers in turns.values():
        first = read.sentences[numbers[0]]
        moved = any(language.moved.search(first.bare) for language in list_languages(first.text))
        if begun and not moved:
            continue
        wish, teaches = _find_wish(read, numbers)
        if wish and teaches and not begun:
            # Rules and facts alone are what is told first; what is wanted follows.
            taught = taught or wish
        elif wish:
            begun = True
            yield wish
    if not begun and taught:
        yield taught


def _find_wish(read: Memories, numbers: Sequence[int]) -> tuple[str, bool]:
    """The sentence of a prompt that says what is wanted, and whether all of it only teaches something."""
    best, score, teaches = "", 0.0, True
    for place, number in enumerate(numbers[:12]):
        sentence, judged = read.sentences[number], read.judged[number]
        text = tidy(sentence.text)
        if _COMMAND.match(text) or any(language.empty.match(text) for language in list_languages(text)):
            continue
        taught = sum(judged[name] for name in LEARNED) > 0.5 or any(
            language.remember.match(sentence.bare) for language in list_languages(text)
        )
        teaches = teaches and taught
        short, asked = _strip_request(text)
        if len(short) < 3 or (" " not in short and short.isascii() and len(numbers) > 1):
            continue
        worth = 1.0 + 0.6 * asked + 0.5 * sentence.asks - 0.4 * place - 1.5 * taught - 0.8 * (judged["open"] > 0.5)
        if not best or worth > score:
            best, score = short, worth
    return best, teaches and bool(best)


def _strip_request(text: str) -> tuple[str, bool]:
    asked = False
    for language in list_languages(text):
        found = language.request.match(text)
        if found and 0 < found.end() < len(text) - 2:
            text, asked = text[found.end() :], True
    return capitalize(strip_ends(_COURTEOUS.sub("", text))), asked


def _puts_off(conversation: Conversation) -> bool:
    """Whether the person's last words put it all off, and nothing was changed."""
    last = conversation.prompts[1:][-1:]
    return (
        bool(last)
        and not conversation.changed
        and len(last[0].text) < 160
        and any(one.put_off.search(last[0].text) for one in list_languages(last[0].text))
    )


def _cut(items: Sequence[str], most: int, count: int = ITEMS) -> tuple[str, ...]:
    return tuple(shorten(item, most) for item in items[:count])


def _clean(text: str) -> str:
    """Secrets in it masked; nothing of it where it gives orders."""
    masked = redact(text).text
    return "" if examine(masked).action == "quarantine" else masked


_MOST = 100_000
"""Characters that are read of a text."""

_DATED = compile_pattern(
    r"\s*-\s+\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:?\d\d)\s+\[(\w{2,20})\]\s+(.{3,2000}?)(?:\s+#[\w/#. -]+)?(?:\s+\([\w-]+=[^()]*\))?\s*$"
)
_SPEAKER = compile_pattern(
    r"\s*(?:[-*>]\s*)?(?:\*\*|#{1,4}\s*)?(user|human|me|用户|我|人类|assistant|agent|ai|claude|codex|chatgpt|gpt|助手|助理|模型)(?:\*\*)?\s*[:：](?:\*\*)?\s*(.*)$",
    re.IGNORECASE,
)
_PERSON = frozenset({"user", "human", "me", "用户", "我", "人类"})
_KINDS: dict[str, Kind] = {
    "pref": "pref", "preference": "pref", "decision": "decision", "todo": "todo", "fact": "fact", "lesson": "lesson", "rule": "rule", "avoidance": "lesson",
}  # fmt: skip
_NUMBERED = compile_pattern(
    r"\s{0,3}(?:\*\*)?\d{1,2}[.)]\s+(?:\*\*)?([A-Z一-鿿][^:：*]{2,60}?)(?:\*\*)?\s*[:：](?:\*\*)?\s*(.*)$"
)
_TITLED = compile_pattern(
    r"\s{0,3}(?:#{1,6}\s+(.{1,80}?)\s*#*|\*\*([^*]{2,60})\*\*\s*[:：]?|([A-Z][\w /&-]{2,40}|[一-鿿][一-鿿 、/]{1,14})[:：])\s*$"
)
_NONE = compile_pattern(
    r"^(?:none|n/?a|nothing|no (?:pending|open|remaining)\b.*|无|没有|暂无)[\s.。]*$", re.IGNORECASE
)
_MARKED = compile_pattern(
    r"(?:^|[，,;；。]\s*)(?:\*\*)?(?P<label>[^\s:：*`，,;；。][^:：*`，,;；。]{0,23}?)(?:\*\*)?\s*[:：](?:\*\*)?\s*(?P<rest>\S.*)$"
)
"""'TODO: …', '已提交，未完成：…'."""
_LABEL = compile_pattern(r"^(?:\*\*)?([^:：*`]{3,80}?)(?:\*\*)?\s*[:：](?:\*\*)?\s*(?=\S)")


class _Part(NamedTuple):
    kind: Kind | None
    lines: list[str]
    start: int


def read_notes(text: str) -> tuple[Learned, ...]:
    """Durable notes in a free text (spec 001 §4.2). Linear in its length; never raises."""
    return keep_most(list_notes(text))


def list_notes(text: str) -> list[Learned]:
    """Every durable note, in order; not yet limited in number."""
    lines = text[:_MOST].splitlines()
    spoken = _dialogue(lines)
    found = _said(spoken) if spoken else _written(lines)
    unique = {one.text: one for one in found}
    kept = [one for one in list(unique.values())[-200:] if is_safe(one.text)]
    return merge(kept, lambda one: one.text)


def _dialogue(lines: list[str]) -> tuple[Turn, ...]:
    """The turns of a pasted conversation; none where it is no conversation."""
    turns: list[tuple[str, int, list[str]]] = []
    for number, line in enumerate(lines, 1):
        speaker = _SPEAKER.match(line[:4000])
        if speaker:
            role = "user" if _by_person(speaker) else "assistant"
            turns.append((role, number, [speaker[2] + line[4000:]]))
        elif turns:
            turns[-1][2].append(line)
    if len(turns) < 2 or not any(role == "user" for role, _line, _texts in turns):
        return ()
    return tuple(Turn(role, "\n".join(texts), None, line) for role, line, texts in turns)


def _by_person(speaker: re.Match[str]) -> bool:
    return speaker[1].lower() in _PERSON


def _said(turns: tuple[Turn, ...]) -> list[Learned]:
    read = Memories(turns, hear(split_talk(turns)))
    learned = [lesson.learned for lesson in read.learned]
    learned += [
        Learned(item.text, "decision", "", item.line, 0.8, find_entities((item.text,), 6)) for item in read.decisions
    ]
    told = [item.text for item in (*read.decisions, *read.done)]
    todos = [(_drop_told_subject(item.text, told), item.line) for item in read.open]
    learned += [Learned(text, "todo", "", line, 0.75, find_entities((text,), 6)) for text, line in todos]
    return sorted(learned, key=lambda one: one.line)


def _written(lines: list[str]) -> list[Learned]:
    found: list[Learned] = []
    lines = [said[2] if (said := _SPEAKER.match(line[:4000])) and _by_person(said) else line for line in lines]
    for part in _parts(lines):
        for sentence in split("\n".join(part.lines), "", part.start):
            one = _note(sentence, part.kind)
            if one is not None:
                found.append(one._replace(line=0))
    for number, line in enumerate(lines, 1):
        dated = _DATED.match(line[:2400])
        kind = _KINDS.get(dated[1].lower()) if dated else None
        if dated and kind:
            found.append(_learned(dated[2].strip(), kind, 0.9)._replace(line=number))
    return found


def _parts(lines: list[str]) -> Iterator[_Part]:
    """The text by its sections, dated lines left out."""
    part = _Part(None, [], 1)
    for number, line in enumerate(lines, 1):
        if _DATED.match(line[:2400]):
            continue
        numbered = _NUMBERED.match(line[:400])
        titled = None if numbered else _TITLED.match(line[:200])
        if numbered or titled:
            yield part
            title = numbered[1] if numbered else next(filter(None, titled.groups()), "") if titled else ""
            rest = numbered[2] if numbered else ""
            part = _Part(_kind(title), [rest] if rest.strip() else [], number)
            continue
        part.lines.append(line)
    yield part


def _kind(title: str) -> Kind | None:
    """What stands in a section of that name."""
    return next(
        (
            _KINDS.get({"open": "todo"}.get(name, name))
            for language in LANGUAGES
            for name, pattern in language.heads
            if name != "done" and pattern.search(title) is not None
        ),
        None,
    )


def _note(sentence: Sentence, kind: Kind | None) -> Learned | None:
    """What one sentence of a text is to be kept as: what its section says, else what it says itself."""
    language = detect_language(sentence.text)
    if kind is not None:
        if sentence.asks or sentence.box == "x" or _NONE.match(sentence.text) or language.passing.search(sentence.bare):
            return None
        if language.doubt.search(sentence.bare) is not None and kind != "todo":
            return None
        said = make_standalone(_unlabelled(sentence.text, kind), language)
        return _learned(said, kind, 0.8) if said and len(said) >= 6 else None
    marked = _read_marked(sentence, language)
    if marked is not None:
        return marked
    turn = Turn("user", sentence.text, None, sentence.line)
    read = Memories((turn,), hear((sentence._replace(role="user", turn=0),)))
    if read.learned and (read.learned[0].learned.kind != "fact" or read.learned[0].learned.asked):
        return read.learned[0].learned
    for items, named in ((read.decisions, "decision"), (read.open, "todo")):
        if items:
            return _learned(items[0].text, _KINDS[named], 0.7)
    return _read_noted(sentence, language)


def _read_marked(sentence: Sentence, language: Language) -> Learned | None:
    """What the word before a colon says that it is; it keeps its words, the verb with them."""
    marked = _MARKED.search(sentence.text)
    if marked is None or sentence.asks or sentence.box == "x" or language.passing.search(sentence.bare):
        return None
    kind = _kind(marked["label"]) or _KINDS.get(marked["label"].lower())
    said = _finish(marked["rest"])
    if kind is None or kind in {"lesson", "rule"} or len(said) < 3 or _NONE.match(said):
        return None
    return _learned(said, kind, 0.8)


def _read_noted(sentence: Sentence, language: Language) -> Learned | None:
    """What says by how it begins that it is somebody's note of the person or the project."""
    if sentence.asks or any(one.search(sentence.bare) for one in (language.passing, language.doubt)):
        return None
    kind = next((name for name, begins in language.noted if begins.search(sentence.bare)), "")
    said = _finish(sentence.text)
    return _learned(said, _KINDS[kind], 0.75) if kind and is_weighty(said) else None


def _finish(text: str) -> str:
    return capitalize(strip_ends(tidy(text).rstrip(".。")))


def _unlabelled(text: str, kind: Kind) -> str:
    if kind == "lesson":
        return text
    label = _LABEL.match(text)
    plain = label is not None and label[1].lower().strip() in _KINDS
    return text[label.end() :] if label is not None and plain else text


def _learned(text: str, kind: Kind, sure: float) -> Learned:
    return Learned(text, kind, find_category(text) if kind == "rule" else "", 0, sure, find_entities((text,), 6))
