"""What was offered or asked in a conversation, and what an answer to it means.

Half of a decision stands in what it answers: "(a), and count them" after three options, "utf-8-sig, less code"
after "I could either … or …", "yes" after a proposal, "6 frames" after a question. `Dialogue.complete` joins
both halves.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from memtui.core.startup import compile_pattern
from memtui.language.classify import list_content_words
from memtui.language.items import ABOUT, capitalize, make_standalone, shorten, skip_lead, strip_ends, tidy
from memtui.language.sentences import detect_language, has_chinese, is_narration, list_languages
from memtui.language.subject import Subjects

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from memtui.core.model import Turn
    from memtui.language.conversation import Conversation, Language, Step
    from memtui.language.sentences import Sentence

FULL = 6
"""What a sentence weighs that says enough by itself: words, two Chinese characters for one."""
LITTLE = 2.0
"""What it weighs to be kept as it is where it answers nothing."""
STANDS = 3.0
"""The same of a person's order that answers nothing."""
ALONE = 6.0
"""The same of a sentence to which nothing is joined, whatever was asked or offered."""
ANSWER = 9
"""The same of an answer."""
LONGEST = 180
_ASKED = 90
_MANY = 2
"""So many sentences tell what another is about."""
_SHORTEST = 8
"""Characters of an option that stands before its label, at least."""
_LOOSE = " ,，;；、（("
_HALF = 70
"""Characters of each, where there are several."""
_LITTLE_LEFT = 40
"""So many are left for what it is about."""
_SOME = 2.5
"""What a sentence weighs at least to tell anything."""
SURE = 0.6
"""How likely a sentence decides at least, to do so whatever stands before it."""
_ASKS = 0.3
"""How likely a sentence offers or asks at least."""
_NAME = 40
"""Characters of what a question is called, at most."""
_BACK = 4
"""So many turns back lies what is answered."""

_LINE = compile_pattern(
    r"\s{0,3}(?:#{1,6}\s+)?(?:[-*•]\s+)?(?:\*\*)?(?:(?:option|approach|choice|variant|plan|方案|选项)\s*)?[#（(]?(?P<label>[1-9]|[A-Ea-e]|[一二三四甲乙丙丁](?=[、.:：]))(?:\ufe0f?\u20e3)?(?:\*\*)?\s*(?:[（(](?:推荐|recommended)[）)])?\s*(?:[.)):：、—–）]\s*|(?<=[A-E])\s+(?=[\u3400-\u9fff])|(?<=\u20e3)\s*)(?:\*\*)?\s*(?P<text>\S.{2,200})",
    re.IGNORECASE,
)
_BULLET = compile_pattern(r"\s{0,3}[-*•]\s+(?P<text>\S.{2,200})")
_INLINE = compile_pattern(
    r"(?:(?<=[\s:：,，;；。、（(])|^)(?:方案|选项|option )?[（(]?(?P<label>[1-9]|[A-Da-d]|[甲乙丙丁])(?:[)）:：、]|\.(?!\d)|(?<=[A-D甲乙丙丁])\s+(?=[\u3400-\u9fff]))\s*(?=[^\s\d)）])"
    r"|(?:(?<=[；;：:。])\s?|^\s*)(?P<bare>[1-9])\s+(?=[^\s\d%])"
    r"|(?P<word>一是|二是|三是)",
)
"""Labels within a sentence: 'two ways: A) an index, B) another service'."""
_BEHIND = compile_pattern(r"\s*(?:[,，;；。.?？!]|$|(?:or|and)\b|还是|或)")
_OR = compile_pattern(r"^(?:(?:or|and)\b|还是|或者?)\s*|[\s,，;；]+(?:(?:or|and)\b|还是|或者?)$", re.IGNORECASE)
"""What joins an option to the next."""
"""What follows a label that stands behind its option: 'an index (a), or another service (b)?'."""
_LABELS = {"一": "1", "二": "2", "三": "3", "四": "4", "甲": "a", "乙": "b", "丙": "c", "丁": "d"}
_REPLY = compile_pattern(
    r"(?:^|[\s，,；;。])\(?([1-9])\s?[.、):：]\s*(\S.{0,160}?)(?=[\s，,；;。]\(?[1-9]\s?[.、):：]|\s*$)"
)
_NUMBERED = compile_pattern(r"\s{0,3}(?:[-*]\s+)?(?:#{1,4}\s+)?(?:\*\*)?\(?([1-9])[.、)）:：]\s*(.{3,300})")
_PLAIN_REPLY = compile_pattern(r"(?:^|[\s，,；;])([1-9])\s+(?=\D)(\S.{0,80}?)(?=[\s，,；;][1-9]\s|\s*$)")
_TOOL_ANSWER = compile_pattern(r"\"([^\"\n]{3,200})\"\s*=\s*\"([^\"\n]{1,200})\"")
_APPROVED = compile_pattern(
    r"\b(?:approved|accepted)\b[^.\n]{0,40}\bplan\b|\bplan\b[^.\n]{0,40}\b(?:approved|accepted)\b",
    re.IGNORECASE,
)
_PLAN = compile_pattern(r"^.*?(?:approved plan:|\"plan\"\s*:\s*\"|plan=|^plan:)", re.IGNORECASE | re.DOTALL)
_HEADING = compile_pattern(r"\s{0,3}#{1,3}\s+(?:plan\s*[:—–-]\s*)?(\S.{5,100})", re.IGNORECASE)
_NOTHING = frozenset({"other", "skip", "none", "you decide", "not sure"})
_QUESTIONS = frozenset({"askuserquestion", "ask_user_question"})
_PLANS = frozenset({"exitplanmode", "exit_plan_mode"})
_PLANNED = compile_pattern(r"\bplan\b|\bsteps?\b|计划|步骤|方案", re.IGNORECASE)


class Option(NamedTuple):
    """One of several things to choose from."""

    label: str
    """Its number or letter; empty: it has none."""
    text: str


def weigh(text: str) -> float:
    """How much a text says: its words, two Chinese characters for one."""
    return sum(0.5 if word[0] >= "\u3400" else 1.0 for word in list_content_words(text))


class Dialogue:
    """A talk, to be asked what a sentence in it answers."""

    def __init__(
        self,
        turns: Sequence[Turn],
        sentences: Sequence[Sentence],
        judged: Sequence[Mapping[str, float]],
        weights: Mapping[str, float],
    ) -> None:
        """`weights`: of what a sentence is about, see `subject`."""
        self._turns = turns
        self._subjects = Subjects(sentences, judged, weights)
        self._numbers = {id(sentence): number for number, sentence in enumerate(sentences)}
        self._by_turn: dict[int, list[int]] = {}
        for number, sentence in enumerate(sentences):
            self._by_turn.setdefault(sentence.turn, []).append(number)
        self._sentences = sentences
        self._judged = judged

    def complete(self, text: str, sentence: Sentence) -> str:
        """What a person's sentence decides, with what it answers; empty: nothing can be made of it."""
        language = detect_language(sentence.text)
        before = self._find_told(sentence)
        own = make_standalone(text, language)
        if not before:
            return self.add_subject(own, text, sentence, LITTLE)
        if weigh(own) >= ALONE and not self.picks(sentence) and not self._replies(sentence):
            return own
        chosen = self._choose(text, sentence, self._list_offered(sentence, before))
        if chosen:
            return self._place(chosen, sentence, before)
        sure = self._judged[self._numbers[id(sentence)]]["decision"] >= SURE
        asked = self._find_asked(before) or (self._find_agreed(sentence, before) if sure else None)
        if asked is not None:
            alternatives = self._gather(before, asked)
            chosen = self._answer(text, sentence, asked, alternatives, own)
            if chosen:
                return chosen if ABOUT in chosen else self._place(chosen, sentence, before)
        if weigh(text) <= LITTLE and not sure and not self._has_offered(sentence):
            # 'Fine, leave it' to a report agrees, and settles nothing.
            return ""
        return self.add_subject(own, text, sentence, FULL if self._leans(sentence) else STANDS)

    def _leans(self, sentence: Sentence) -> bool:
        """Whether a person's sentence begins or points as an answer does, or answers what was asked or offered."""
        return self._has_offered(sentence) or self._replies(sentence)

    def _replies(self, sentence: Sentence) -> bool:
        """Whether a sentence agrees, refuses, names one of several things, or points at something."""
        return any(
            one.points.search(sentence.bare)
            or any(begun.match(sentence.bare) for begun in (one.yes, one.no, one.label))
            for one in list_languages(sentence.text)
        )

    def _place(self, chosen: str, sentence: Sentence, before: Sequence[Sentence]) -> str:
        """What was chosen, behind what it was offered for where it says little by itself."""
        if weigh(chosen) >= ANSWER:
            return chosen
        ranked = self._subjects.rank(self._numbers[id(sentence)])
        for _score, number in ranked:
            other, judged = self._sentences[number], self._judged[number]
            if (
                other.turn < before[0].turn
                and other.role == "user"
                and weigh(other.text) >= _SOME
                and judged["decision"] < SURE
                and judged["thanks"] < SURE
            ):
                subject = shorten(_strip_question(other.text), LONGEST - len(ABOUT) - len(chosen))
                return f"{subject}{ABOUT}{chosen}"
        return chosen

    def _list_offered(self, sentence: Sentence, before: Sequence[Sentence]) -> list[Option]:
        """The options that a sentence can choose from; by its label also one that was listed some turns ago."""
        options = list_options(self._turns[before[-1].turn].text)
        if len(options) < 2 and self.is_label(sentence):
            earlier = (
                list_options(self._turns[turn].text)
                for turn in range(before[-1].turn - 1, max(-1, before[-1].turn - 1 - 2 * _BACK), -1)
                if self._turns[turn].role == "assistant"
            )
            options = next((found for found in earlier if found and found[0].label), options)
        return options

    def _has_offered(self, sentence: Sentence) -> bool:
        """Whether the agent offered or asked something not long before."""
        return any(
            self._judged[at]["offer"] + self._judged[at]["question"] > 0.35
            for turn in range(max(0, sentence.turn - _BACK), sentence.turn)
            if self._turns[turn].role == "assistant"
            for at in self._by_turn.get(turn, ())
        )

    def picks(self, sentence: Sentence) -> bool:
        """Whether a person's sentence names one of the things that the agent had offered just before."""
        if sentence.turn == 0 or sentence.asks or self._turns[sentence.turn - 1].role != "assistant":
            return False
        before = self._find_told(sentence)
        if not before or before[-1].turn != sentence.turn - 1 or weigh(sentence.text) > 14:
            return False
        options = self._list_offered(sentence, before)
        offered = any(self._judged[at]["offer"] > 0.3 for at in self._by_turn[before[-1].turn])
        if options and (offered or (options[0].label and self.is_label(sentence))):
            return bool(self._choose(sentence.text, sentence, options))
        asked = self._find_asked(before)
        if asked is None:
            return False
        alternatives = self._gather(before, asked)
        return len(alternatives) > 1 and _match_words(sentence.text, alternatives) is not None

    def is_label(self, sentence: Sentence) -> bool:
        """Whether a sentence is hardly more than a label or a place."""
        return any(
            (found := one.label.match(sentence.bare)) is not None and len(sentence.bare) - found.end() < 12
            for one in list_languages(sentence.text)
        )

    def add_subject(
        self,
        own: str,
        text: str,
        sentence: Sentence,
        enough: float = FULL,
        longest: int = LONGEST,
        most: int = _MANY,
    ) -> str:
        """What a sentence says, and what it was about where it weighs less than enough: that is cut, not the sentence."""
        points = any(one.points.search(own) is not None for one in list_languages(own))
        if own and weigh(own) >= (ANSWER if points else enough):
            return own
        short = own or strip_ends(tidy(text))
        subject = self._find_subject(sentence, most)
        if not subject or not short:
            return own
        short = shorten(short, longest - _LITTLE_LEFT - len(ABOUT))
        return f"{shorten(subject, longest - len(ABOUT) - len(short))}{ABOUT}{short}"

    def _find_subject(self, sentence: Sentence, most: int) -> str:
        """What was said before a sentence that tells what it is about, so many sentences; empty: nothing does."""
        ranked = self._subjects.rank(self._numbers[id(sentence)])
        telling = [
            number
            for _score, number in ranked
            if weigh(self._sentences[number].text) >= _SOME and not is_narration(self._sentences[number])
        ]
        last = self._find_meant(sentence)
        if last is not None:
            telling = [last, *(number for number in telling if number != last)]
        texts = [_strip_question(self._sentences[number].text) for number in sorted(telling[:most])]
        room = _ASKED if len(texts) < 2 else _HALF
        return detect_language(sentence.text).semicolon.join(shorten(text, room) for text in texts)

    def _find_meant(self, sentence: Sentence) -> int | None:
        """What 'it' means in a person's short answer: what the agent said last; None: it points at nothing."""
        at = self._numbers[id(sentence)] - 1
        points = any(one.points.search(sentence.bare) for one in list_languages(sentence.text))
        if not points or sentence.role != "user" or at < 0 or weigh(sentence.text) >= FULL:
            return None
        before = self._sentences[at]
        tells = before.role == "assistant" and not before.asks and weigh(before.text) >= _SOME
        return at if tells else None

    def _find_told(self, sentence: Sentence) -> list[Sentence]:
        """What the agent said before a person's sentence, where that can be an answer to it."""
        for turn in range(sentence.turn - 1, max(-1, sentence.turn - 1 - _BACK), -1):
            if self._turns[turn].role == "assistant" and turn in self._by_turn:
                numbers = self._by_turn[turn]
                asked = any(
                    self._sentences[at].asks or self._judged[at]["offer"] + self._judged[at]["question"] > 0.35
                    for at in numbers
                )
                if asked or turn == sentence.turn - 1:
                    return [self._sentences[at] for at in numbers]
        return []

    def _find_agreed(self, sentence: Sentence, before: Sequence[Sentence]) -> Sentence | None:
        """What a bare yes agrees to where nothing was offered outright: the likeliest that was said before it."""
        if not any(one.yes.match(sentence.bare) for one in list_languages(sentence.text)):
            return None
        ranked = self._subjects.rank(self._numbers[id(sentence)])
        own = (self._sentences[number] for _score, number in ranked)
        return next((one for one in own if one.turn == before[0].turn and not one.asks), None)

    def _find_asked(self, before: Sequence[Sentence]) -> Sentence | None:
        """The sentence that offers or asks; None: none does."""
        best, score = None, _ASKS
        numbers = self._by_turn[before[-1].turn]
        for place, at in enumerate(numbers):
            judged, sentence = self._judged[at], self._sentences[at]
            p = 1.2 * judged["offer"] + judged["question"] + 0.25 * sentence.asks + 0.05 * place
            if _is_bare_question(sentence) and len(numbers) > 1:
                p -= 0.8
            if p > score:
                best, score = sentence, p
        return best

    def _gather(self, before: Sequence[Sentence], asked: Sentence) -> list[str]:
        """The alternatives of an offer that goes over several sentences."""
        numbers = self._by_turn[before[-1].turn]
        offered = [
            self._sentences[at] for at in numbers if self._sentences[at] is asked or self._judged[at]["offer"] > 0.4
        ]
        if len(offered) > 1 and not _is_bare_question(asked):
            return [one for sentence in offered for one in list_alternatives(sentence)]
        return list_alternatives(asked)

    def _choose(self, text: str, sentence: Sentence, options: Sequence[Option]) -> str:
        """The option of a list that an answer names by label, place, or words."""
        if len(options) < 2 or any(one.no.match(sentence.bare) for one in list_languages(sentence.text)):
            return ""
        bare = sentence.bare if text == sentence.text else text
        for language in list_languages(sentence.text):
            found = language.label.match(bare)
            if found is None:
                continue
            groups = found.groupdict()
            label = groups.get("label")
            place = groups.get("place") or groups.get("place2")
            named = (label or place or "").lower()
            at = language.places.get(named)
            several = _list_labels(bare) if label else []
            if at is None or (
                label and found.end() < len(bare) and bare[found.end()].isalnum() and not has_chinese(bare)
            ):
                continue
            wanted = [language.places[one] for one in several if one in language.places] or [at]
            picked = [options[one] for one in wanted if -len(options) <= one < len(options)]
            if picked:
                rest = bare[found.end() :] if len(several) < 2 else ""
                return self._tell(picked, rest, detect_language(picked[0].text))
        first = self._sentences[self._by_turn[sentence.turn][0]] is sentence
        by_words = _match_words(text, [option.text for option in options]) if first else None
        if by_words is not None and weigh(text) < 12:
            option = options[by_words]
            return self._tell([option], _beyond(text, option.text), detect_language(option.text))
        return ""

    def _tell(self, picked: Sequence[Option], rest: str, language: Language) -> str:
        """A choice as it is kept, with what was added to it."""
        told = [
            language.phrases["option"].format(one.label.upper(), shorten(one.text, _ASKED))
            if one.label
            else language.phrases["chose"].format(shorten(one.text, _ASKED))
            for one in picked
        ]
        text = language.semicolon.join(told)
        more = _trim_rest(rest, language)
        if more and more not in text:
            text += language.comma + more
        return shorten(text, LONGEST)

    def _answer(self, text: str, sentence: Sentence, asked: Sentence, alternatives: Sequence[str], own: str) -> str:
        """What an answer to an offer or a question settles."""
        language = detect_language(asked.text)
        for spoken in list_languages(sentence.text):
            if len(alternatives) > 1 and spoken.both.match(sentence.bare):
                return shorten(capitalize(language.semicolon.join(alternatives)), LONGEST)
            found = spoken.label.match(sentence.bare)
            place = (found.groupdict().get("place") or found.groupdict().get("place2")) if found else None
            if place and found is not None and len(alternatives) > 1:
                at = spoken.places.get(place.lower(), 9)
                if -len(alternatives) <= at < len(alternatives):
                    return _join(alternatives[at], _trim_rest(sentence.text[found.end() :], spoken), language)
        refused = any(one.no.match(sentence.bare) for one in list_languages(sentence.text))
        if len(alternatives) > 1 and not refused:
            named = _match_words(text, alternatives)
            if named is not None and weigh(alternatives[named]) >= 3:
                return _join(alternatives[named], _beyond(text, alternatives[named]), language)
        agreed = next((found for one in list_languages(sentence.text) if (found := one.yes.match(sentence.bare))), None)
        if agreed is not None and alternatives:
            rest = sentence.text[agreed.end() :]
            if weigh(rest) >= FULL + 2 and own:
                return own
            if weigh(alternatives[0]) < 2:
                return ""
            if not _is_bare_question(asked):
                return _join(alternatives[0], _trim_rest(rest, detect_language(sentence.text)), language)
        if own and weigh(own) >= (ANSWER if asked.asks or weigh(asked.text) > 4 else LITTLE):
            return own
        short = own or strip_ends(tidy(text))
        if not short:
            return ""
        return self.add_subject(own, text, sentence, 99.0)

    def list_replies(self, sentence: Sentence) -> list[str]:
        """Answers by number to questions that the agent had listed, each behind its question."""
        text = " ".join(self._turns[sentence.turn].text[:1200].split("\n"))
        said = _REPLY.findall(text)
        if len(said) < 2:
            said = _PLAIN_REPLY.findall(text)
            said = said if [int(number) for number, _reply in said] == list(range(1, len(said) + 1)) else []
        if len(said) < 2:
            return []
        before = next(
            (
                self._turns[turn].text
                for turn in range(sentence.turn - 1, max(-1, sentence.turn - 1 - _BACK), -1)
                if self._turns[turn].role == "assistant"
            ),
            "",
        )
        asked = _list_questions(before)
        pairs = [(asked[number], reply.strip("。.，,；; ")) for number, reply in said if number in asked]
        if len(pairs) < 2:
            return []
        return [
            f"{shorten(question, max(_LITTLE_LEFT, LONGEST - len(ABOUT) - len(reply)))}{ABOUT}{reply}"
            for question, reply in pairs
            if not reply.endswith(("?", "？"))
        ]


def _list_questions(text: str) -> dict[str, str]:
    """The questions that are listed in a text, by their number, each as it is called; what is asked may stand below."""
    asked: dict[str, str] = {}
    number, said = "", ""

    def close() -> None:
        if number and ("?" in said or "？" in said):
            asked[number] = _find_label(strip_ends(tidy(re.split("[?？]", said, maxsplit=1)[0].partition("\n")[0])))

    for line in text.splitlines():
        found = _NUMBERED.match(line)
        if found is not None:
            close()
            number, said = found[1], found[2]
        elif line.startswith((" ", "\t")) or not line.strip():
            said += f"\n{line}"
        else:
            close()
            number, said = "", ""
    close()
    return asked


def _find_label(question: str) -> str:
    """What a question is called: 'Naming: do you prefer …'; itself, where it has no name."""
    label = re.split(r":\s|：", question, maxsplit=1)[0]
    return label if len(label) <= _NAME else question


def list_options(text: str) -> list[Option]:
    """The last list of things to choose from in a text; nothing where there are none."""
    found: list[Option] = []
    closed = False
    for line in _spread(text[-8000:]).splitlines():
        labelled = _LINE.match(line[:280])
        one = labelled or _BULLET.match(line[:280])
        if one is None:
            # What stands further in, or behind a blank line, belongs to the item before it.
            closed = closed or bool(line.strip() and not line.startswith((" ", "\t")))
            continue
        if line.startswith(("   ", "\t")) and found:
            continue
        label = labelled["label"].lower() if labelled else ""
        label = _LABELS.get(label, label)
        if found and (bool(label) != bool(found[0].label) or label in {"1", "a", "一"} or (closed and not label)):
            found = []
        closed = False
        found.append(Option(label, strip_ends(tidy(one["text"])).rstrip("。.")))
    return found if len(found) > 1 else []


def _spread(text: str) -> str:
    """The text with what is listed within a line on lines of its own."""
    lines: list[str] = []
    for line in text.splitlines():
        labels = list(_INLINE.finditer(line[:1000]))
        names = [found["label"] or found["bare"] or found["word"][0] for found in labels]
        names = [_LABELS.get(name, name).lower() for name in names]
        wanted = "123456789" if names[:1] == ["1"] else "abcd"
        if len(names) < 2 or names != list(wanted[: len(names)]):
            lines.append(line)
            continue
        starts, ends = [found.start() for found in labels], [found.end() for found in labels]
        if all(_BEHIND.match(line, end) for end in ends) and len(line[: starts[0]].strip()) > _SHORTEST:
            texts = [line[since:to] for since, to in zip([0, *ends], starts, strict=False)]
        else:
            lines.append(line[: starts[0]])
            texts = [line[since:to] for since, to in zip(ends, [*starts[1:], len(line)], strict=True)]
        lines += [f"{name}) {_OR.sub('', text.strip(_LOOSE))}" for name, text in zip(names, texts, strict=True)]
    return "\n".join(lines)


def list_alternatives(asked: Sentence) -> list[str]:
    """What a sentence offers or asks for, one after the other."""
    language = detect_language(asked.text)
    text = _strip_question(asked.text)
    begun = language.offers.match(text)
    if begun is not None and begun.end() < len(text) - 3:
        text = text[begun.end() :]
    parts = language.either.split(text)
    cleaned: list[str] = []
    for part in parts:
        begun = language.offers.match(part)
        said = part[begun.end() :] if begun is not None and begun.end() < len(part) - 1 else part
        said = strip_ends(tidy(said))
        if said:
            cleaned.append(said)
    return cleaned if len(cleaned) > 1 else [strip_ends(tidy(text))]


def list_settled(conversation: Conversation) -> Iterator[tuple[str, int]]:
    """What a person decided where an agent's tool asked them: questions with choices, and plans."""
    for step in conversation.steps:
        kind = step.tool.lower()
        if not step.failed and kind in _QUESTIONS:
            for asked in _TOOL_ANSWER.finditer(step.result):
                question, answer = tidy(asked[1]).rstrip("?？ "), strip_ends(tidy(asked[2]))
                if answer.lower() not in _NOTHING:
                    yield f"{shorten(question, _ASKED)} → {answer}", step.line
        elif not step.failed and kind in _PLANS and (told := _read_plan(step)):
            yield told, step.line


def _read_plan(step: Step) -> str:
    if _APPROVED.search(step.result[:400]) is None:
        return ""
    source = step.result if "plan:" in step.result.lower() else step.given
    plan = _PLAN.sub("", source.replace("\\n", "\n"), count=1).rstrip('"} \n')
    steps = [option for option in list_options(plan) if option.label.isdigit()]
    language = detect_language(plan)
    if len(steps) > 1:
        listed = language.semicolon.join(shorten(one.text, 60).rstrip("…") for one in steps[:3])
        return language.phrases["approved"].format(listed)
    heading = next((found[1] for line in plan.splitlines() if (found := _HEADING.match(line))), "")
    return language.phrases["approved"].format(strip_ends(tidy(heading))) if heading else ""


def _list_labels(text: str) -> list[str]:
    found = re.match(
        r"\W*(?:do |take |选|做|要|先|就|那|嗯)*((?:[1-9A-Da-d])(?:\s*(?:和|、|,|，|\+|跟|与|&|and)\s*[1-9A-Da-d](?![A-Za-z0-9]))+)",
        text,
    )
    return re.findall(r"[1-9a-d]", found[1].lower().replace("and", "")) if found else []


def _match_words(answer: str, options: Sequence[str]) -> int | None:
    """The one option whose own words an answer names; None: none, or several."""
    own = _pieces(answer)
    if not own:
        return None
    every = [_pieces(option) for option in options]
    scores: list[float] = []
    for at, words in enumerate(every):
        others = frozenset[str]().union(*(other for place, other in enumerate(every) if place != at))
        special = own & (words - others)
        score = float(len(special))
        for word in special:
            # 'B, A keeps old users out': what is spoken against is not chosen.
            where = answer.lower().find(word)
            if any(one.rejects.search(answer[:where].lower()) for one in list_languages(answer)):
                score -= 1.5
        scores.append(score)
    best = max(range(len(scores)), key=lambda at: scores[at])
    rest = [score for at, score in enumerate(scores) if at != best]
    return best if scores[best] > 0 and scores[best] > max(rest, default=0) else None


def _pieces(text: str) -> frozenset[str]:
    """The words of a text, and its Chinese characters: an answer may be one of them."""
    return list_content_words(text) | (frozenset(char for char in text if char >= "\u3400") - _COMMON)


_COMMON = frozenset(
    "的了着吧呢吗啊嘛哦就都也还又很再把被给是有在和与个这那它他我你们不要先会能可以上下里来去到得一用，。、？！；："
)


def _beyond(answer: str, chosen: str) -> str:
    """What an answer says beyond what it chooses."""
    parts = re.split(r"[,，;；。.!！]\s*", answer, maxsplit=1)
    if len(parts) < 2:
        return "" if len(list_content_words(answer) - list_content_words(chosen)) < 4 else strip_ends(tidy(answer))
    head, rest = parts
    known = list_content_words(chosen)
    if list_content_words(rest) and not list_content_words(rest) <= known:
        return strip_ends(tidy(rest))
    return strip_ends(tidy(head)) if len(list_content_words(head) - known) > 1 else ""


def _trim_rest(rest: str, language: Language) -> str:
    """What was added to an answer, without its closing words."""
    text = strip_ends(tidy(rest))
    text = text[skip_lead(text, language) :] if weigh(text) > 3 else text
    text = language.tail.sub("", f" {text}").strip()
    return text if weigh(text) >= 1 and len(text) > 2 else ""


def _join(chosen: str, more: str, language: Language) -> str:
    text = capitalize(shorten(strip_ends(chosen), 130))
    return shorten(text + language.comma + more, LONGEST) if more and more not in text else text


def _is_bare_question(sentence: Sentence) -> bool:
    """Whether a question only asks which: what is to be chosen stands before it."""
    return sentence.asks and weigh(sentence.text) < 4 and not list_alternatives(sentence)[1:]


def _strip_question(text: str) -> str:
    text = strip_ends(tidy(text)).rstrip("?？。. ")
    return detect_language(text).tail.sub("", text) or text
