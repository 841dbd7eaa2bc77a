"""Lessons by what they are worth (spec 002): those that help come first and survive the budget, the weak ones last."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from memtui.locale import _
from memtui.model import Layer

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from memtui.config import Config
    from memtui.model import Entry, Home
    from memtui.sessions.passage import Passage

_MOST = 5
"""Values that are told of one file's lessons."""


class Ranked(NamedTuple):
    """The same passages, their lessons parted by worth."""

    first: list[Passage]
    """Lessons above `evolution.strong`, best file first."""
    rest: list[Passage]
    last: list[Passage]
    """Lessons below `evolution.weak`."""


def ranked(offers: Sequence[Passage], homes: Iterable[Home], config: Config, now: float) -> Ranked:
    """Core memory and rules with what is known to help first. Where no log says anything they stay as they are."""
    from memtui.evolution.worth import values

    known = values(homes, config.evolution, now)
    high, low = config.evolution.strong, config.evolution.weak
    if not any(value > high or value < low for value in known.values()):
        return Ranked([], list(offers), [])
    found = Ranked([], [], [])
    for offer in offers:
        worth = _worth(offer, known)
        strong = {entry: value for entry, value in worth.items() if value > high}
        weak = {entry: value for entry, value in worth.items() if value < low}
        if strong:
            found.first.append(_part(offer, strong, _("proved itself: effect {values}")))
        if weak:
            found.last.append(_part(offer, weak, _("seldom helped: effect {values}")))
        rest = _without(offer, {*strong, *weak}) if strong or weak else offer
        if rest.says:
            found.rest.append(rest)
    return found


def _worth(offer: Passage, known: Mapping[str, float]) -> dict[int, float]:
    """Numbers of the passage's lessons -> what each is worth."""
    if offer.kind == "scratchpad" or (offer.layer is not Layer.CORE and not offer.path.endswith("rules.md")):
        return {}
    from memtui.evolution.experience import body, digests

    lines = dict(offer.lines)
    found: dict[int, float] = {}
    for number, entry in enumerate(offer.entries):
        if entry.start in lines and _alone(entry, offer.entries, number):
            value = next(
                (known[one] for one in digests(entry, body(lines[entry.start])) if one in known), None
            )
            if value is not None:
                found[number] = value
    return found


def _alone(entry: Entry, entries: Sequence[Entry], number: int) -> bool:
    """Whether its lines are its own: not another's, and not the head of a list below it."""
    beside = (entries[at] for at in (number - 1, number + 1) if 0 <= at < len(entries))
    return all(other.end < entry.start or entry.end < other.start for other in beside)


def _part(offer: Passage, worth: Mapping[int, float], told: str) -> Passage:
    """Only these lessons of a passage, with the headings that they stand under."""
    own = {line for number in worth for line in _lines(offer.entries[number])}
    lines = tuple(pair for pair in _headed(offer, own) if pair[0] in own or _heading(pair[1]))
    values = sorted(worth.values(), reverse=True)
    text = ", ".join(f"{value:.2f}".removeprefix("0") for value in values[:_MOST])
    reason = told.format(values=text + ("…" if len(values) > _MOST else ""))
    return offer._replace(lines=lines, reason=f"{offer.reason}; {reason}")


def _without(offer: Passage, gone: set[int]) -> Passage:
    """A passage without these lessons, and without headings under which nothing is left."""
    own = {line for number in gone for line in _lines(offer.entries[number])}
    kept = {line for line, text in offer.lines if line not in own and text.strip() and not _heading(text)}
    moved = {line for line, _text in _headed(offer, own)} - {line for line, _text in _headed(offer, kept)}
    return offer._replace(lines=tuple(pair for pair in offer.lines if pair[0] not in own | moved))


def _headed(offer: Passage, wanted: set[int]) -> list[tuple[int, str]]:
    """Those lines, and the headings above them, in order."""
    above: list[tuple[int, tuple[int, str]]] = []
    found: dict[int, tuple[int, str]] = {}
    for pair in offer.lines:
        level = _heading(pair[1])
        if level:
            above = [*(one for one in above if one[0] < level), (level, pair)]
        elif pair[0] in wanted:
            found.update((head[0], head) for _level, head in above)
            found[pair[0]] = pair
    return [found[line] for line in sorted(found)]


def _heading(line: str) -> int:
    """The level of a heading; 0: it is none."""
    level = len(line) - len(line.lstrip("#"))
    return level if 0 < level < 7 and line[level : level + 1] == " " else 0


def _lines(entry: Entry) -> range:
    return range(entry.start, entry.end + 1)
