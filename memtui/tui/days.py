"""What Home's timeline and the calendar show of a day: its sessions, plans and releases, and some of its notes.

Of notes a day shows only so many that other days are seen too. No widget here.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from memtui.core import clock
from memtui.core.model import Filter, Layer, Memory
from memtui.core.startup import compile_pattern
from memtui.store.happenings import read_stem
from memtui.tui.paint import choose_time
from memtui.tui.rating import FEW_WORDS, LEARNT, LOOKED_AT, is_fragment, is_reading, is_slight, take_turns

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from memtui.tui.context import PaneContext

OF_A_DAY = 4
"""Notes of one day that are shown before those of the day before."""
DAYS = 8
"""Days with notes that are looked for."""
MANY = 100_000
"""Notes of a day that are counted."""
DENSE = 80
"""Notes that are read at once: a busy day has more."""

SEEN = 3
"""Days that are read whole, as they are mostly on the first page."""
OFTEN = 3
"""Notes of a day that say the same: a machine's records."""
ANEW = 2
"""The same of those that differ in their numbers alone."""

_ASKED = compile_pattern(r"^(?:用户(?:又|再次)?(?:询问|触发|问(?!题))|(?:the )?user (?:asked|triggered|wondered))", 2)
_DEMANDED = compile_pattern(
    r"\buser (?:explicitly |clearly )?(?:emphasi[sz]ed|demand(?:s|ed)|insist(?:s|ed)|wants|prefers|requires|required)\b"
    r"|\b\w+ (?:explicitly |clearly |then )?(?:approved|instructed|clarified|corrected|insisted)\b"
    r"|用户(?:明确|特别|再次|反复)*(?:要求|强调|希望|偏好|纠正)|^要求",
    2,
)
"""What the person asked to be so."""
_CAME = compile_pattern(
    r"\b(?:done|fixed|completed?|finished|shipped|deployed|launched|merged|released|published|resolved|solved|decided"
    r"|chose|switched|agreed|fail(?:ed|ure|s)|broke|broken|blocked|blockers?|operational"
    r"|cancelled|abandoned|root cause|learned)\b"
    r"|已?完成|修复|成功|失败|决定|结论|教训|根因|已上线|已发布|已解决"
    r"|\b(?:erledigt|fertig|behoben|repariert|entschieden|gescheitert|abgeschlossen)\b"
    r"|готов|сделан|исправлен|решен|решили|завершен|ошибк|terminado|corregido|terminé|corrigé|完了|修正|決定",
    2,
)
"""What came of it."""
_CAME_HEAD = compile_pattern(
    r"decision|lesson|outcome|result|accomplish|achievement|completed|key (?:correction|insight|event)|major events?"
    r"|决定|决策|教训|结果|成果|完成|entscheidung|ergebnis|решени|итог",
    2,
)
"""Headings of what came of a day."""
_DIGEST = compile_pattern(
    r"\W*(?:\d+[.、]\s*)?(?:(?:daily|day|today['’]?s|session|executive|quick) )?"
    r"(?:summary|tl;?dr|highlights|overview|recap)\W*"
    r"|\W*(?:[今当]日|每日|本日)?(?:总结|總結|小结|摘要|概述|概览|概要)\W*"
    r"|\W*(?:zusammenfassung|überblick|resumen?(?: del día)?|resumo(?: do dia)?|résumé|итоги?(?: дня)?|кратко|"
    r"まとめ|요약)\W*",
    2,
)
"""Headings of what sums up a day: its first paragraph says the most."""
_TELLING = LEARNT | {"todo"}
_OWN = compile_pattern(r"\d{4}[-_.]?\d\d[-_.]?\d\d")
"""What a day's own file is called."""
OWN = 3
"""Notes of it before what else is named after the day has its turn."""


class Day:
    """What is shown of one day, and how much is left out of it."""

    def __init__(self, notes: Iterable[Memory] = (), noted: int = 0) -> None:
        self.done: list[Memory] = []
        """Sessions and plans."""
        self.releases: list[Memory] = []
        self.notes = list(notes)
        self.noted = noted
        """Notes of the day, those that were not read, too."""
        self._ordered: tuple[object, list[Memory], int] | None = None
        """What the notes were when they were put in their order, that order, and how many of them say something new."""

    def recall(self, before: Day | None) -> None:
        """Take over the order that the same notes had before."""
        self._ordered = before._ordered if before is not None else None

    def put_in_turn(self) -> tuple[list[Memory], int]:
        """The notes in the order in which they are shown, and how many say something new; once for the same notes."""
        marks = [(one.id, one.etag, one.status, one.modified) for one in self.notes]
        if self._ordered is None or self._ordered[0] != marks:
            self._ordered = (marks, *_in_turn(self.notes))
        return self._ordered[1:]

    def choose(self, most: int, held: str) -> tuple[list[Memory], int]:
        """At most `most` releases and notes, the one that is `held` among them; how many more there are."""
        shown = [*self.done]
        notes, told = self.put_in_turn()
        for found, room in ((self.releases, most), (notes, min(most, max(told, 1)))):
            shown += [one for number, one in enumerate(found) if number < room or one.id == held]
        left = len(self.done) + len(self.releases) + max(self.noted, len(self.notes)) - len(shown)
        return shown, left


def _in_turn(notes: Sequence[Memory]) -> tuple[list[Memory], int]:
    """The notes of a day, the newest first, its files in turn and in each its sections: how it begins, then what says
    what to do or to know before others. What is said over and over is last; also how many are not.
    """
    files: dict[str, dict[tuple[str, ...], list[Memory]]] = {}
    last: list[Memory] = []
    again: list[Memory] = []
    often = Counter(one.text for one in notes)
    shapes = Counter(shape for shape, _heading in {(_find_shape(one.text), one.heading) for one in notes} if shape)
    seen: set[str] = set()
    for one in sorted(notes, key=lambda one: (-(choose_time(one) or 0.0), *rank_day_file(one))):
        shape = _find_shape(one.text)
        if one.text in seen or often[one.text] >= OFTEN or is_reading(one) or _is_record(shape, shapes):
            again.append(one)
        elif is_slight(one) or is_fragment(one):
            last.append(one)
        else:
            files.setdefault(one.path, {}).setdefault(one.heading, []).append(one)
        seen.add(one.text)
    queues = []
    for sections in files.values():
        # Four of one list say less than one of each.
        parts: dict[tuple[str, ...], list[list[Memory]]] = {}
        for heading, found in sections.items():
            found.sort(key=_weigh if parts else _asked)
            parts.setdefault(heading[:2], []).append(found)
        first, *others = [
            list(take_turns(part[:1] + sorted(part[1:], key=_weigh_first), len(notes), 1)) for part in parts.values()
        ]
        others.sort(key=lambda found: (_weigh(found[0]), found[0].kind not in _TELLING))
        queue = list(take_turns([first, *others], len(notes), 1))
        queue.sort(key=lambda one: not _DEMANDED.search(one.text[:LOOKED_AT]))
        digest = next((one for one in queue if any(map(_DIGEST.fullmatch, one.heading[-1:]))), None)
        if digest is not None:
            queue = [digest, *(one for one in queue if one is not digest)]
        queues.append(queue)
    turns = [OWN if _OWN.fullmatch(read_stem(path)) else 1 for path in files]
    return [*take_turns(queues, len(notes), turns), *last, *again], len(notes) - len(again)


def _is_record(shape: str, shapes: Counter[str]) -> bool:
    """Whether so many sections of a day have it that nobody wrote it: numbers alone tell the hours apart."""
    return shapes[shape] >= (ANEW if "#" in shape else OFTEN)


def _find_shape(text: str) -> str:
    """What a machine's record has in common with those of other hours: the label of a field, or all but its numbers;
    empty, where there is neither.
    """
    label = _LABEL.match(text) if len(text) < FEW_WORDS else None
    if label is not None:
        return label[0]
    bare = _NUMBER.sub("#", text[:LOOKED_AT])
    return bare if "#" in bare else ""


_LABEL = compile_pattern(r"[^:：\n]{1,24}[:：]")
_NUMBER = compile_pattern(r"\d[\d.,:]*")


def _asked(memory: Memory) -> bool:
    return _ASKED.search(memory.text[:LOOKED_AT]) is not None


def _weigh_first(found: Sequence[Memory]) -> int:
    return _weigh(found[0])


def _weigh(memory: Memory) -> int:
    """How far back it stands: what came of the day, then what else was noted, then what was asked."""
    text = memory.text[:LOOKED_AT]
    if _ASKED.search(text):
        return 2
    return 0 if _CAME.search(text) or any(map(_CAME_HEAD.search, memory.heading[1:])) else 1


def rank_day_file(memory: Memory) -> tuple[int, str, int]:
    """A day's own file before what else is named after it."""
    return len(memory.path), memory.path, memory.start


def choose_notes(context: PaneContext, page: int, before: Mapping[float, Day]) -> dict[float, Day]:
    """The notes of the last days that have some, by when each day begins, the newest first, of more days than a page
    shows; `before`: what was chosen the last time.
    """
    vault = context.vault
    wanted = context.scope((Layer.JOURNAL,))
    most = min(DAYS, max(3, page // 2))
    days: dict[float, Day] = {}
    until: float | None = None
    starts: dict[str, float] = {}
    for _turn in range(most):
        refs = vault.ids(wanted._replace(until=until), "time", limit=DENSE)
        found = [one for one in vault.load(refs) if one is not None and not one.kind.startswith("session_")]
        for one in found:
            days.setdefault(_midnight(one, starts), Day()).notes.append(one)
        # Of the oldest of them more may be to come: it is left out of what fills the page.
        rows = sum(1 + min(len(day.notes), OF_A_DAY) for start, day in days.items() if start != min(days))
        if len(refs) < DENSE or not found or len(days) >= most or min(days) == until or rows > page:
            break
        until = min(days)
    for turn, start in enumerate(sorted(days, reverse=True)):
        day = days[start]
        if len(day.notes) > OF_A_DAY:
            # Without its order all of the index is looked at.
            whole = wanted._replace(since=start, until=_next(start))
            day.noted = len(vault.ids(whole, "time", limit=MANY))
            if turn < SEEN and day.noted > len(day.notes):
                _add_own(context, day, whole, start)
    for start, day in days.items():
        day.recall(before.get(start))
    return {start: days[start] for start in sorted(days, reverse=True)}


def _add_own(context: PaneContext, day: Day, whole: Filter, start: float) -> None:
    """What a day's own file says, of which nothing was read yet where others of the day are long."""
    own = whole._replace(path=f"*{clock.format_day(start)}.md")
    known = {one.id for one in day.notes}
    read = context.vault.load(context.vault.ids(own, "path", limit=DENSE))
    day.notes += [one for one in read if one and one.id not in known and not one.kind.startswith("session_")]


def _midnight(memory: Memory, starts: dict[str, float]) -> float:
    """When the memory's day begins; `starts` holds the days that were looked up."""
    moment = choose_time(memory)
    day = clock.format_day(memory.modified or 0.0 if moment is None else moment)
    if day not in starts:
        starts[day] = clock.parse(day) or 0.0
    return starts[day]


def _next(start: float) -> float:
    """The midnight after, also where a day has 23 hours or 25."""
    return clock.parse(clock.format_day(start + 36 * 3600)) or start + 86400
