"""Chips in a search or a filter: `kind:rule since:7d 登录` means a Filter and the words that are left.

`layer: kind: home: status: since: until: path:`; a comma gives several. A chip that means nothing is kept as a word
and said, so that nothing typed is silently dropped; so is a word that looks like a chip misspelt.
"""

from __future__ import annotations

import difflib
import re
from datetime import timedelta
from typing import TYPE_CHECKING, NamedTuple

from memtui import clock
from memtui.locale import _
from memtui.model import Filter, Layer, Status

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memtui.model import Home

NAMES = ("layer", "kind", "home", "status", "since", "until", "path")

_CHIP = re.compile(r"(?<!\S)(layer|kind|home|status|since|until|path)[:：](\S+)", re.IGNORECASE)
_OTHER = re.compile(r"(?<!\S)([A-Za-z]{3,9})[:：]\S")
_SPAN = re.compile(r"(\d{1,6})(h|d|w|mo|m|y)")
_SECONDS = {"h": 3600, "d": 86400, "w": 7 * 86400, "m": 30 * 86400, "mo": 30 * 86400, "y": 365 * 86400}
_DAYS = {"today": 0, "今天": 0, "yesterday": 1, "昨天": 1}
_LAYERS = {
    "l0": (Layer.PROFILE,),
    "l1": (Layer.KNOWLEDGE,),
    "l2": (Layer.SESSION,),
    "daily": (Layer.JOURNAL,),
    "facts": (Layer.KNOWLEDGE,),
    "timeline": (Layer.SESSION, Layer.JOURNAL),
}


_WRONG = dict.fromkeys(("since", "until"), "'{chip}' is no time: 7d, 12h, today and 2026-02-01 are") | {
    "home": "'{chip}': no open home has that in its name",
    "layer": "'{chip}' is no layer: profile, core, knowledge, session, journal and evolution are",
    "status": "'{chip}' is no status: active, superseded, archived, deleted, expired and all are",
}
_ALIKE = 0.75
"""How near a name must come to a filter's to be taken for a slip: `time:` and `http:` are none."""


class Typed(NamedTuple):
    """What was typed, understood."""

    filter: Filter
    words: str
    """What is no chip."""
    wrong: str
    """A sentence about a chip that means nothing; empty: all is well."""
    chips: tuple[str, ...]


def typed(text: str, within: Filter, homes: Iterable[Home]) -> Typed:
    """The text over a filter that holds anyway."""
    found = within
    words, wrong, chips = text, "", []
    for match in _CHIP.finditer(text):
        name, value = match.group(1).lower(), match.group(2)
        narrowed = _apply(found, name, value, homes)
        if narrowed is None:
            wrong = wrong or _(_WRONG[name]).format(chip=match.group())
            continue
        found = narrowed
        chips.append(match.group())
        words = words.replace(match.group(), " ", 1)
    for match in _OTHER.finditer(words):
        near = difflib.get_close_matches(match.group(1).lower(), NAMES, 1, _ALIKE)
        if near and match.group(1).lower() not in NAMES:
            hint = _("There is no filter '{name}': did you mean {near}:?")
            wrong = wrong or hint.format(name=match.group(1), near=near[0])
    return Typed(found, " ".join(words.split()) if chips else text.strip(), wrong, tuple(chips))


def _apply(within: Filter, name: str, value: str, homes: Iterable[Home]) -> Filter | None:
    if name == "path":
        return within._replace(path=value)
    if name in {"since", "until"}:
        moment = when(value, end=name == "until")
        if moment is None:
            return None
        return within._replace(since=moment) if name == "since" else within._replace(until=moment)
    values = [part.lower() for part in value.split(",") if part]
    if name == "kind":
        return within._replace(kinds=frozenset(values))
    if name == "home":
        matching = [
            str(home.path)
            for home in homes
            if any(part in f"{home.label}\n{home.layout}\n{home.path}".lower() for part in values)
        ]
        return within._replace(homes=frozenset(matching)) if matching else None
    if name == "status":
        if values == ["all"]:
            return within._replace(statuses=frozenset())
        statuses = [status for status in Status if any(status.value.startswith(part) for part in values)]
        return within._replace(statuses=frozenset(statuses)) if statuses else None
    layers: set[Layer] = set()
    for part in values:
        layers |= {*_LAYERS.get(part, ()), *(layer for layer in Layer if layer.value.startswith(part))}
    return within._replace(layers=frozenset(layers)) if layers else None


def when(text: str, *, end: bool = False) -> float | None:
    """7d, 12h, today, yesterday, 2026-02-01, as seconds; a day counts to its end with `end`. None: no time."""
    word = text.strip().lower()
    if word in _DAYS:
        return _midnight(clock.now(), end - _DAYS[word])
    span = _SPAN.fullmatch(word)
    if span:
        return clock.now() - int(span.group(1)) * _SECONDS[span.group(2)]
    moment = clock.parse(word)
    if moment is None:
        return None
    return _midnight(moment, 1) if end and len(word) <= 10 else moment


def _midnight(seconds: float, days: int) -> float:
    day = clock.local(seconds).replace(hour=0, minute=0, second=0, microsecond=0, tzinfo=None)
    try:
        found = clock.parse((day + timedelta(days=days)).isoformat())
    except OverflowError:
        found = None
    return seconds if found is None else found
