"""The sections beside a list: homes, kinds and statuses with their counts, made from tallies alone."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from memtui.locale import _
from memtui.model import Filter, Layer, Status
from memtui.tui import draw
from memtui.tui.fields import STATUS_STYLES, SYMBOLS
from memtui.tui.items import Fixed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from memtui.model import Home
    from memtui.tui.draw import Piece

Tallies = "Mapping[tuple[str, Layer, str, Status], int]"


class Section(NamedTuple):
    """A part of a view: choosing it narrows the list."""

    key: str
    """`kind:rule`; `all`."""
    label: str
    style: str
    number: int
    narrow: Callable[[Filter], Filter]
    group: str = ""
    """The fold it is in."""
    sign: str = ""
    stands: Piece = ("", "")
    """What of it wants to be seen to, before its number: '2 weak'."""


def by_home(counts: Mapping[tuple[str, Layer, str, Status], int], homes: Iterable[Home]) -> list[Section]:
    """One section a home, where there are several."""
    tally: Counter[str] = Counter()
    for (home, _layer, _kind, _status), number in counts.items():
        tally[home] += number
    found = [
        Section(f"home:{home.path}", home.label, "", tally[str(home.path)], _home(str(home.path)), _("Homes"))
        for home in homes
        if tally[str(home.path)]
    ]
    return found if len(found) > 1 else []


def by_kind(counts: Mapping[tuple[str, Layer, str, Status], int]) -> list[Section]:
    """One section a kind, the most frequent first."""
    tally: Counter[str] = Counter()
    for (_path, _layer, kind, _status), number in counts.items():
        tally[kind] += number
    return [
        Section(f"kind:{kind}", kind, f"kind.{kind}", number, _kind(kind), _("Kinds"))
        for kind, number in sorted(tally.items(), key=lambda pair: (-pair[1], pair[0]))
    ]


def by_status(counts: Mapping[tuple[str, Layer, str, Status], int]) -> list[Section]:
    """One section a status that something has, besides active."""
    tally: Counter[Status] = Counter()
    for (_path, _layer, _kindly, status), number in counts.items():
        tally[status] += number
    return [
        Section(
            f"status:{status}", status.value, STATUS_STYLES.get(status, "dim"), tally[status], _status_is(status),
            _("Status"), SYMBOLS[status],
        )
        for status in Status
        if status is not Status.ACTIVE and tally[status]
    ]  # fmt: skip


def _home(path: str) -> Callable[[Filter], Filter]:
    return lambda within: within._replace(homes=frozenset({path}))


def _kind(kind: str) -> Callable[[Filter], Filter]:
    return lambda within: within._replace(kinds=frozenset({kind}))


def _status_is(status: Status) -> Callable[[Filter], Filter]:
    return lambda within: within._replace(statuses=frozenset({status}))


def standing(counts: Mapping[tuple[str, Layer, str, Status], int], within: Filter) -> int:
    """How many of the counted pass the filter's statuses."""
    return sum(number for key, number in counts.items() if not within.statuses or key[3] in within.statuses)


def left_out(counts: Mapping[tuple[str, Layer, str, Status], int], within: Filter) -> str:
    """'312 left out (.): archived, template, skill': what the statuses of a filter hide, the most first."""
    tally: Counter[Status] = Counter()
    for (_path, _layer, _kindly, status), number in counts.items():
        if within.statuses and status not in within.statuses:
            tally[status] += number
    names = ", ".join(_(status.value) for status, number in tally.most_common(3) if number)
    told = _("{count:,} left out (.): {which}").format(count=tally.total(), which=names)
    return told if names else ""


def folded_rows(sections: Iterable[Section], folded: set[str]) -> list[Fixed]:
    """The sections as rows, under a head for each group."""
    out: list[Fixed] = []
    group = ""
    for section in sections:
        if section.group != group:
            group = section.group
            if group:
                sign = "▸" if group in folded else "▾"
                out.append(Fixed(f"group:{group}", ((f"{sign} {group}", "dim"),), value=group))
        if group and group in folded:
            continue
        label = draw.one_line(section.label)
        sign = f"{section.sign} " if section.sign else ""
        indent = "   " if group else " "
        out.append(
            Fixed(
                section.key,
                ((indent + sign + label, section.style),),
                (section.stands, (f" {section.number:,} ", "dim")),
                section,
            )
        )
    return out
