"""Memories out of a conversation: what was decided, learned, left open and done, in the order of the talk.

The last word on a subject counts: `Memories` is told sentence by sentence and revises what it holds.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from memtui.core.startup import compile_pattern
from memtui.language.classify import HeardTalk, find_cues, list_content_words, load_model
from memtui.language.conversation import SIGNAL_TYPES, Learned
from memtui.language.dialogue import FULL, LITTLE, Dialogue, weigh
from memtui.language.items import (
    ABOUT,
    LONG,
    drop_correction,
    find_denied,
    find_entities,
    is_for,
    is_weighty,
    make_standalone,
    shorten,
    skip_lead,
    split_open,
    tidy,
)
from memtui.language.reports import LEARNED, find_tells, has_advice, judge_reports
from memtui.language.sentences import EXPLAINS, detect_language, has_chinese, is_narration, list_languages
from memtui.language.work import is_reference

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from memtui.core.model import Turn
    from memtui.language.classify import Model
    from memtui.language.conversation import Kind, Language, Step
    from memtui.language.sentences import Sentence

KINDS: Mapping[str, Kind] = {"rule": "rule", "preference": "pref", "lesson": "lesson", "fact": "fact"}
ENOUGH = {"decision": 0.22, "learned": 0.32, "open": 0.22, "done": 0.4, "undone": 0.3, "retract": 0.3}
"""How likely an act must be to be believed."""
AGENT = {"decision": 0.2, "learned": 0.25, "open": 0.35, "done": 0.38, "undone": 0.5, "retract": 0.9}
"""The same of what an agent says."""
REPORTED = {"decision": 0.3, "learned": 0.16, "open": 0.22, "done": 0.22}
"""How likely what an agent reports at length is kept as each, to be."""
DONE_STILL = 0.12
"""How likely what an agent reports at length is done at least, where words alone say so."""
ORDERED = {"decision": 0.2, "learned": 0.2}
"""The same of what a person decides there: much of what they say is an order for the moment."""
OUTRIGHT = 0.7
"""How likely an act is at least that the sentence names outright."""
_DOUBTED = {"pasted": 0.5}
"""How likely it may be something else at most, where that is not 0.3: what stands below a long text looks like it."""
_VAGUE = 2.0
"""What a rule weighs at most that says too little by itself."""
NOTED = 3.5
"""What an agent's report weighs at least to be kept without what it is about; a person's, FULL."""
PICKED = 0.25
"""So much likelier is a decision that names one of the things that were offered."""
REMEMBERED = 0.95
"""How sure is what somebody asked to remember."""
BESIDES = 0.25
"""How likely what a sentence does besides must be."""
BESIDES_DECIDED = 0.17
"""The same of a decision, of a person."""
_CAUSED = 0.05
"""How likely a sentence teaches something at least, where an agent says what caused it."""
_BESIDES: Mapping[str, tuple[str, ...]] = {
    "decision": ("open", "learned"),
    "open": ("learned", "decision"),
    "learned": ("decision",),
    "done": ("open",),
    "undone": ("decision",),
    "retract": ("decision",),
}
_KEPT = 60
"""So many of a kind are kept at most while the talk goes on."""
_ONE_DEED = 2
"""So many deeds in one report are one: all of them failed where one did."""
_BACK = 4
"""So many turns back reaches a 'scrap that'."""
_LONGEST = 200
A_LESSON = 0.45
"""How likely it is at least that a sentence teaches something, to be a lesson."""
SURELY = 0.9
"""How likely it teaches something at least, where it tells of trouble."""
SOUNDS_SO = 0.5
"""How likely it must be that a person leaves something open, or makes a rule, where no sign shows it."""
SOUNDS_DONE = 0.75
"""The same of what an agent explains."""
_SIGNS: Mapping[str, frozenset[str]] = {
    "open": frozenset({"later", "left", "will"}),
    "rule": frozenset({"always", "rule", "prohibits", "every"}),
    "preference": frozenset({"prefers"}),
}
_SIGNS_REPORTED: Mapping[str, frozenset[str]] = {"open": frozenset({"later", "left"})}
"""The same where an agent explains."""
_TROUBLE = tuple(one.name for one in SIGNAL_TYPES if one.spoils)
_BREAKS = compile_pattern(r"[:：]\s*$")
_OWN = ("hypothetical", "sarcasm", "pasted", "question", "thanks", "offer")


class Item(NamedTuple):
    """Something that was decided, left open or done, and where it was said."""

    text: str
    line: int
    turn: int
    person: bool
    about: frozenset[str]
    """What it speaks of, with what it answers."""
    said: str = ""
    """The sentence itself."""
    sure: float = 1.0
    """How likely the sentence is what it was taken for."""


class Lesson(NamedTuple):
    """Something learned, and in which turn."""

    learned: Learned
    turn: int


class Memories:
    """What has been said so far."""

    def __init__(
        self,
        turns: Sequence[Turn],
        heard: HeardTalk,
        closing: frozenset[int] = frozenset(),
        steps: Sequence[Step] = (),
        weights: Model | None = None,
    ) -> None:
        """`closing`: the lines of the agent's words that close a piece of work on files."""
        sentences, signs, _judged = heard
        self.sentences = sentences
        self.judged = [
            _heed_outright(sentence, judged) for sentence, judged in zip(sentences, heard.judged, strict=True)
        ]
        self._kinds = judge_reports(sentences, self.judged, steps, signs)
        self._dialogue = Dialogue(turns, sentences, self.judged, (weights or load_model()).subject)
        self._closing_turn = max((one.turn for one in sentences if one.role == "assistant"), default=-1)
        self._replies: dict[int, list[str]] = {}
        self.learned: list[Lesson] = []
        self.decisions: list[Item] = []
        self.open: list[Item] = []
        self.done: list[Item] = []
        self.undone: list[Item] = []
        self.denied: list[tuple[int, frozenset[str]]] = []
        """The names that were no longer wanted, and from which line on."""
        self._sizes = Counter(sentence.turn for sentence in sentences)
        self._closing = closing
        for number, sentence in enumerate(sentences):
            self._read(number, sentence)

    def act(self, number: int) -> str:
        """What a sentence does, of what is kept; empty: nothing."""
        sentence, judged = self.sentences[number], self.judged[number]
        if is_narration(sentence):
            return ""
        chances = {
            "decision": judged["decision"],
            "learned": sum(judged[name] for name in LEARNED),
            "open": judged["open"],
            "done": judged["done"],
            "undone": judged["undone"],
            "retract": judged["retract"],
        }
        if sentence.role == "user" and 0.02 < chances["decision"] < 0.7 and self._dialogue.picks(sentence):
            chances["decision"] += PICKED * (2 if self._dialogue.is_label(sentence) else 1)
        if sentence.role == "user" and not sentence.asks and chances["undone"] > 0.01:
            undoes = any(language.undoes.search(sentence.bare) for language in list_languages(sentence.text))
            chances["undone"] += 0.35 * undoes
        back = chances["retract"] + chances["undone"]
        rest = drop_correction(sentence) if back > 0.2 and chances["decision"] > 0.1 else ""
        if rest and weigh(rest) >= 1.5 and tidy(sentence.text) != rest:
            # 'Forget it, Postgres then': what is said behind the taking back counts.
            chances["decision"] += back
        doubtful = 0.02 if sentence.role == "user" else 0.1
        if not sentence.asks and judged["offer"] < 0.4 and chances["decision"] > doubtful:
            # 'We chose RS256 because …' says so.
            settles = any(language.settles.search(sentence.bare) for language in list_languages(sentence.text))
            chances["decision"] += 0.45 * settles
            if settles and sentence.role == "assistant" and chances["decision"] >= OUTRIGHT:
                return "decision"
        chances["learned"] += _weigh_reasons(sentence, judged)
        if self._under_heading(sentence) == "open" or self._advises(sentence):
            return "open"
        if sentence.role == "user" and not sentence.asks and self._list_replies(sentence):
            return "decision"
        if self._kinds and sentence.role == "assistant":
            found = self._report(number, chances) or self._under_heading(sentence)
            if found or self._kinds[number]["done"] < DONE_STILL:
                return found
        if sentence.line in self._closing:
            chances["done"] += self._close(number, sentence)
        best = max(chances, key=lambda name: chances[name])
        least = (ENOUGH if sentence.role == "user" else AGENT)[best]
        if chances[best] < least or max(judged[name] for name in _OWN) > chances[best]:
            return self._under_heading(sentence)
        if best == "done" and sentence.role == "user":
            return ""
        if best == "learned" and not _holds_later(sentence, judged, chances[best]):
            return ""
        vague = sentence.role == "user" and chances[best] < SOUNDS_SO
        explains = (
            sentence.role == "assistant" and self._sizes[sentence.turn] >= EXPLAINS and chances[best] < SOUNDS_DONE
        )
        told = self._kinds[number].get(best, 0.0) if self._kinds else 1.0
        if told < ORDERED.get(best, 0.0) or (self._kinds and sentence.role == "assistant" and best != "done"):
            return ""
        if (vague or explains) and not _sounds_so(best, sentence, judged):
            return self._under_heading(sentence) if explains else ""
        return best

    def _advises(self, sentence: Sentence) -> bool:
        """Whether an agent says what is for the person to do: nobody has done it where it is the last that it says."""
        if sentence.turn != self._closing_turn or sentence.asks or sentence.box == "x" or sentence.depth:
            return False
        if sentence.item and sentence.head and has_advice(sentence.head):
            return True
        return "advises" in find_tells(sentence)

    def _report(self, number: int, chances: Mapping[str, float]) -> str:
        """What a sentence of an agent that reports at length does."""
        kinds = self._kinds[number]
        back = max(("undone", "retract"), key=chances.__getitem__)
        if chances[back] >= AGENT[back] and chances[back] > max(kinds[name] for name in REPORTED):
            return back
        likely = [name for name, least in REPORTED.items() if kinds[name] >= least]
        return max(likely, key=kinds.__getitem__, default="") if not self.sentences[number].asks else ""

    def _close(self, number: int, sentence: Sentence) -> float:
        """How much likelier a statement that closes work on files reports it: the first of its turn most."""
        judged = self.judged[number]
        other = max(judged[name] for name in ("offer", "question", "open", "hypothetical", "lesson", "undone"))
        if sentence.asks or sentence.head or sentence.box == " " or other > 0.35 or _BREAKS.search(sentence.text):
            return 0.0
        if any(language.doubt.search(sentence.bare) for language in list_languages(sentence.text)):
            return 0.0
        if "offers" in find_cues(sentence):
            return 0.0
        first = not any(item.turn == sentence.turn for item in self.done)
        return 0.4 if first and weigh(sentence.text) >= 3 else 0.15

    def _under_heading(self, sentence: Sentence) -> str:
        """What stands in a list under a heading that says what it is."""
        if not sentence.item or not sentence.head or sentence.asks:
            return "open" if sentence.box == " " else ""
        for language in list_languages(sentence.head):
            for name, pattern in language.heads:
                if name in {"open", "done", "decision"} and pattern.match(sentence.head):
                    return "" if name == "open" and sentence.box == "x" else name
        return ""

    def _read(self, number: int, sentence: Sentence) -> None:
        if sentence.role == "user" and not sentence.asks:
            denied = find_denied(sentence)
            if denied:
                self._drop(denied)
                self.denied.append((sentence.line, denied))
            if any(language.retracts.search(sentence.bare) for language in list_languages(sentence.text)):
                self._take_back(number, sentence)
            if any(language.fails.search(sentence.bare) for language in list_languages(sentence.text)):
                # What the agent has just reported did not do it; of a long report the rest stands.
                told = [item for item in self.done if item.turn == sentence.turn - 1]
                about = list_content_words(sentence.text)
                gone = {id(item) for item in told if len(told) <= _ONE_DEED or len(about & item.about) >= 2}
                self.done = [item for item in self.done if id(item) not in gone]
            asked = self._asked_for(number, sentence)
            if asked is not None:
                self._learn(asked, sentence.turn)
                return
        act = self.act(number)
        self._keep(act, number, sentence)
        also = self._find_besides(act, number)
        if also:
            self._keep(also, number, sentence)
        if act == "decision" and also != "open" and sentence.role == "user" and number:
            self._settle_reservation(number)

    def _settle_reservation(self, number: int) -> None:
        """'Leave them, they are fine': what the agent's last sentence left open is decided, and no longer open."""
        before = self.sentences[number - 1]
        if before.role == "assistant":
            self.open = [
                item for item in self.open if item.person or item.line != before.line or before.text not in item.said
            ]

    def _find_besides(self, act: str, number: int) -> str:
        """What a sentence does besides: 'in a PR of its own, after the tag' decides, and leaves open."""
        judged, text = self.judged[number], self.sentences[number].text
        chances = {
            "decision": judged["decision"],
            "learned": sum(judged[name] for name in LEARNED),
            "open": judged["open"],
        }
        likely = [
            name
            for name in _BESIDES.get(act, ())
            if chances[name]
            >= (BESIDES_DECIDED if name == "decision" and act not in {"undone", "retract"} else BESIDES)
            and (name != "decision" or act in {"undone", "retract"} or self.sentences[number].role == "user")
        ]
        if "learned" in likely and not make_standalone(text, detect_language(text)):
            # What is to be remembered besides says so by itself.
            likely.remove("learned")
        return max(likely, key=chances.__getitem__, default="")

    def _keep(self, act: str, number: int, sentence: Sentence) -> None:
        """Keeps what a sentence says as what it was taken for."""
        if act == "decision":
            self._decide(number, sentence)
        elif act == "learned":
            found = self._teach(number, sentence)
            if found is not None:
                self._learn(found, sentence.turn)
        elif act in {"open", "done"}:
            done, left = split_open(sentence)
            if _BREAKS.search(done) is not None:
                # What it announces follows.
                done = left = self._find_details(number)
            if act == "done":
                self._note(act, number, done)
            if (act == "open" or left is not done) and left:
                self._note("open", number, left)
        elif act in {"undone", "retract"}:
            self._take_back(number, sentence)
            self.undone.append(self._item(act, sentence.text, number))

    def _item(self, act: str, text: str, number: int) -> Item:
        sentence = self.sentences[number]
        return Item(
            text,
            sentence.line,
            sentence.turn,
            sentence.role == "user",
            list_content_words(f"{text} {sentence.text}"),
            sentence.text,
            self._weigh_kind(act, number),
        )

    def _weigh_kind(self, act: str, number: int) -> float:
        """How likely a sentence is what it is kept as: of what is reported at length the third look knows more."""
        reported = self._kinds and self.sentences[number].role == "assistant" and act in REPORTED
        return self._kinds[number][act] if reported else self.judged[number][act]

    def _list_replies(self, sentence: Sentence) -> list[str]:
        """What a person's turn answers by number, as `Dialogue.list_replies` has it."""
        if sentence.role != "user":
            return []
        if sentence.turn not in self._replies:
            self._replies[sentence.turn] = self._dialogue.list_replies(sentence)
        return self._replies[sentence.turn]

    def _decide(self, number: int, sentence: Sentence) -> None:
        replies = self._list_replies(sentence)
        if replies:
            kept = [one for one in self.decisions[-_KEPT:] if one.text not in replies]
            # Whoever answers by number decides, however few words that takes: a full summary keeps it.
            answers = [self._item("decision", text, number)._replace(sure=1.0) for text in replies]
            self.decisions = [*kept, *answers]
            return
        text = drop_correction(sentence)
        told = make_standalone(text, detect_language(text))
        alone = weigh(told) >= LITTLE and "decision" in _list_outright(sentence)
        if sentence.role == "user" and not alone:
            told = self._dialogue.complete(text, sentence)
        if not told:
            return
        item = self._item("decision", told, number)
        before = self.decisions[-1] if self.decisions else None
        if before and before.turn == sentence.turn and weigh(text) < 5 and before.line == sentence.line:
            # 'One gateway. Set it.': both say one thing.
            return
        if before and before.turn == sentence.turn and before.line == sentence.line and number:
            label = self.sentences[number - 1]
            if label.turn == sentence.turn and len(label.text) < 3:
                # 'A. We want no other service': why it was chosen.
                return
        self.decisions = [one for one in self.decisions[-_KEPT:] if not _says_same(one.text, item.text)]
        self.decisions.append(item)

    def _find_details(self, number: int) -> str:
        """An item that ends in a colon with what stands below it; a sentence that says enough without its list."""
        sentence = self.sentences[number]
        text = sentence.text.rstrip(":： ")
        if not sentence.item:
            return text if weigh(text) >= FULL else ""
        details: list[str] = []
        for other in self.sentences[number + 1 : number + 5]:
            if other.turn != sentence.turn or (other.item and other.depth <= sentence.depth):
                break
            details.append(other.text.rstrip("。.;； "))
        colon, semicolon = ("：", "；") if has_chinese(text) else (": ", "; ")
        return shorten(f"{text}{colon}{semicolon.join(details)}", LONG) if details else text

    def _note(self, act: str, number: int, text: str) -> None:
        sentence = self.sentences[number]
        if not text or (act == "done" and is_reference(tidy(text))):
            return
        language = detect_language(sentence.text)
        own = make_standalone(text, language)
        if act == "open" and text is not sentence.text:
            # It was called open in so many words.
            own = own or (tidy(text) if weigh(text) >= (1 if has_chinese(text) else 2) else "")
        if not (own and (text is not sentence.text or (sentence.item and weigh(own) >= LITTLE))):
            enough = NOTED if sentence.role == "assistant" else FULL
            most = 1 if act == "open" else 2
            own = self._dialogue.add_subject(own, text, sentence, enough, LONG, most) or own
        if not own or (act == "done" and len(own) < 6):
            return
        item = self._item(act, own, number)
        if act == "open":
            # An agent's last list of open items is the one that counts.
            if not item.person and sentence.item:
                self.open = [one for one in self.open if one.person or one.turn == item.turn]
            self.open = [*[one for one in self.open[-_KEPT:] if one.text != item.text], item]
        else:
            self.done = [*[one for one in self.done[-_KEPT:] if one.text != item.text], item]

    def _teach(self, number: int, sentence: Sentence) -> Learned | None:
        judged = self.judged[number]
        kind = max(LEARNED, key=lambda name: judged[name])
        language = detect_language(sentence.text)
        if any(one.reported.search(sentence.bare) for one in list_languages(sentence.text)) and kind == "rule":
            return None
        text = make_standalone(drop_correction(sentence), language)
        if not text or weigh(text) < 1.5:
            text = self._dialogue.add_subject(text, sentence.text, sentence) or text
        if not text:
            return None
        return make_learned(text, KINDS[kind], sentence.line, min(0.9, 0.55 + 0.4 * judged[kind]), language)

    def _asked_for(self, number: int, sentence: Sentence) -> Learned | None:
        """What a person asks to be remembered."""
        for language in list_languages(sentence.text):
            bare = sentence.bare
            at = 0 if language.remember.match(bare) else skip_lead(bare, language)
            asked = language.remember.match(bare[at:])
            ending = None if asked else language.remembered.search(bare)
            if asked is None and ending is None:
                continue
            if asked is not None:
                text = sentence.text[at + asked.start("rest") :]
            else:
                text = sentence.text[at : ending.start()] if ending is not None else ""
            later = asked is not None and bool(asked["later"])
            kind: Kind = "todo" if later else "fact"
            said = make_standalone(text, language)
            if not said:
                said, kind = self._said_before(number, sentence)
            elif not later and max(self.judged[number][name] for name in LEARNED) > 0.3:
                kind = KINDS[max(LEARNED, key=lambda name: self.judged[number][name])]
            elif not later and {"always", "prohibits"} & set(find_cues(sentence)):
                kind = "rule"
            if said and is_weighty(said):
                return make_learned(said, kind, sentence.line, REMEMBERED, language, asked=True)
        return None

    def _said_before(self, number: int, sentence: Sentence) -> tuple[str, Kind]:
        """'Remember that.': what was said right before; of the agent's words the cause, else the longest statement."""
        best, kind = "", "fact"
        for at in range(number - 1, max(-1, number - 12), -1):
            other = self.sentences[at]
            if other.turn < sentence.turn - 1 or other.asks:
                continue
            said = make_standalone(other.text, detect_language(other.text))
            if other.turn == sentence.turn and said:
                named = max(LEARNED, key=lambda name: self.judged[at][name])
                return said, KINDS[named] if self.judged[at][named] > 0.3 else "fact"
            if said and any(one.cause.search(other.bare) for one in list_languages(other.text)):
                return said, "lesson"
            best = said if len(said) > len(best) else best
        return best, kind  # type: ignore[return-value]

    def _learn(self, learned: Learned, turn: int) -> None:
        """Said again, it is the last time that counts; of very many the ones that were asked for stay."""
        kept = [other for other in self.learned if other.learned.text != learned.text]
        if len(kept) > _KEPT:
            kept.remove(next((other for other in kept if not other.learned.asked), kept[0]))
        self.learned = [*kept, Lesson(learned, turn)]

    def _take_back(self, number: int, sentence: Sentence) -> None:
        """What a sentence takes back no longer counts: what it names, else the last that was said."""
        about = list_content_words(sentence.text)
        # What a person said just before is what an agent then undoes something for.
        until = sentence.turn - (sentence.role == "assistant")
        named = [item for item in (*self.decisions, *self.done) if item.turn < until and len(about & item.about) >= 2]
        if named:
            gone = {id(item) for item in named}
            self.decisions = [item for item in self.decisions if id(item) not in gone]
            self.done = [item for item in self.done if id(item) not in gone]
            return
        turns = [lesson.turn for lesson in self.learned if lesson.turn < until]
        turns += [item.turn for item in (*self.decisions, *self.open, *self.done) if item.turn < until]
        recent = [turn for turn in turns if sentence.turn - turn <= _BACK]
        if not recent:
            return
        last = max((lesson.turn for lesson in self.learned if lesson.turn in recent), default=-1)
        last = max([last, *(item.turn for item in self.decisions if item.turn in recent)])
        since = last if last >= 0 else max(recent)
        self.decisions = [item for item in self.decisions if not since <= item.turn < until]
        self.done = [item for item in self.done if not since <= item.turn < until]
        kept = [lesson for lesson in self.learned if lesson.turn < since]
        gone_lessons = [lesson for lesson in self.learned if since <= lesson.turn < until]
        later = [lesson for lesson in self.learned if lesson.turn >= until]
        # Of several things said at once it is the last that is taken back.
        self.learned = kept + gone_lessons[:-1] + later
        self.open = [item for item in self.open if not since <= item.turn < until]

    def _drop(self, names: frozenset[str]) -> None:
        self.learned = [
            lesson for lesson in self.learned if not any(is_for(lesson.learned.text, name) for name in names)
        ]
        self.decisions = [item for item in self.decisions if not any(is_for(item.text, name) for name in names)]


def _weigh_reasons(sentence: Sentence, judged: Mapping[str, float]) -> float:
    """How much likelier a sentence teaches that says why something failed, or what to use instead."""
    for language in list_languages(sentence.text):
        if sentence.role == "assistant" and judged["lesson"] > _CAUSED and language.cause.search(sentence.bare):
            return 0.25
    # 'Not npm, use pnpm'.
    return 0.25 if sentence.role == "user" and judged["rule"] > 0.2 and find_denied(sentence) else 0.0


def _heed_outright(sentence: Sentence, judged: Mapping[str, float]) -> Mapping[str, float]:
    """How likely each act is, where the sentence itself says what it is: then its surroundings weigh less."""
    if sentence.asks or any(judged[name] > _DOUBTED.get(name, 0.3) for name in _OWN):
        return judged
    if any(language.doubt.search(sentence.bare) for language in list_languages(sentence.text)):
        return judged
    for name in _list_outright(sentence):
        return {**judged, name: max(judged[name], OUTRIGHT)}
    return judged


def _list_outright(sentence: Sentence) -> Iterator[str]:
    """The acts that a sentence names by how it begins."""
    for language in list_languages(sentence.text):
        for name, begins in language.outright:
            agent_may = name in {"open", "decision"}
            if (sentence.role != "assistant" or agent_may) and begins.search(sentence.bare):
                # 'Always use it' says what only where it was said before.
                if name == "rule" and weigh(language.points.sub("", sentence.text)) <= _VAGUE:
                    continue
                yield name


def make_learned(text: str, kind: Kind, line: int, sure: float, language: Language, *, asked: bool = False) -> Learned:
    """One thing learned, under its section of rules.md."""
    named = find_category(text) if kind in {"rule", "pref"} else ""
    if kind == "rule" and named == language.communication:
        kind = "pref"
    return Learned(text, kind, named if kind == "rule" else "", line, sure, find_entities((text,), 6), asked)


def find_category(text: str) -> str:
    """The section of rules.md for a rule (spec 002), in its language."""
    categories = detect_language(text).categories
    return next(name for name, pattern in categories if pattern.search(text) is not None)


def _sounds_so(act: str, sentence: Sentence, judged: Mapping[str, float]) -> bool:
    """Whether words show what a sentence is taken for: else a person asks for it now, an agent tells how things are."""
    kind = max(LEARNED, key=lambda name: judged[name]) if act == "learned" else act
    signs = (_SIGNS if sentence.role == "user" else _SIGNS_REPORTED).get(kind)
    return signs is None or bool(sentence.box) or not signs.isdisjoint(find_cues(sentence))


def _holds_later(sentence: Sentence, judged: Mapping[str, float], sure: float) -> bool:
    """Whether what a sentence teaches holds beyond today.

    'The export is empty again' tells of trouble that is to pass, and a lesson is one where it is called so, or says
    why something went wrong.
    """
    kind = max(LEARNED, key=lambda name: judged[name])
    if kind == "lesson" and sure < A_LESSON:
        return any(one.cause.search(sentence.bare) for one in list_languages(sentence.text))
    troubled = kind in {"lesson", "fact"} and max(judged[name] for name in _TROUBLE) >= 0.5
    return sure >= SURELY or not troubled


def _says_same(one: str, two: str) -> bool:
    """Whether two decisions say the same, whatever they are about, so that the later one counts."""
    first, second = (list_content_words(text.rpartition(ABOUT)[2]) for text in (one, two))
    shared = len(first & second)
    return shared >= 3 and shared * 10 >= 7 * min(len(first), len(second))
