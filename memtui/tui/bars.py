"""The one-line bars (header, tabs, status line, footer), what they say, and what is new in the homes.

`Filling`: how far the indexes have come that are being built. `News`: what appeared or went while somebody
looked, real changes only. `Bar`: pieces on a line, which may be clicked. Below it: what each bar says, and
the demo's story (`Tour`).
"""

from __future__ import annotations

from collections import Counter
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from rich.cells import cell_len
from textual.strip import Strip
from textual.widget import Widget

from memtui.core import clock
from memtui.core.locale import _, _n, format_share
from memtui.layouts import load_badge, name_layout
from memtui.tui import draw
from memtui.tui.actions import find_keys, format_key
from memtui.tui.context import ActionClicked
from memtui.tui.panes import PANES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from textual import events

    from memtui.core.model import Filter, Home, HomeProgress, HomeStatus, Layer, Status
    from memtui.team.membership import Freshness
    from memtui.tui.actions import Action
    from memtui.tui.draw import Look, Piece


class Filling(NamedTuple):
    """How far the indexes have come that are being built. Rows stand in them long before they are whole."""

    done: int
    """Files."""
    total: int

    def describe(self) -> str:
        """indexing 412 / 1,000"""
        if self.done > self.total or not self.total:
            # Files are found while others are read: of some homes it is not known yet how many there will be.
            return _("indexing …")
        return _("indexing {done:,} / {total:,}").format(done=self.done, total=self.total)


def measure_filling(found: Iterable[HomeStatus | HomeProgress]) -> Filling | None:
    """All homes that are being indexed, together; None: every index is whole."""
    busy = [status for status in found if status.building]
    if not busy:
        return None
    return Filling(sum(status.indexed for status in busy), sum(status.total for status in busy))


def describe_left_out(counts: Mapping[tuple[str, Layer, str, Status], int], within: Filter) -> str:
    """'312 hidden (.): archived, template, skill': what the statuses of a filter hide, the most first."""
    tally: Counter[Status] = Counter()
    for (_path, _layer, _kindly, status), number in counts.items():
        if within.statuses and status not in within.statuses:
            tally[status] += number
    names = _(", ").join(_(status.value) for status, number in tally.most_common(3) if number)
    told = _("{count:,} hidden (.): {which}").format(count=tally.total(), which=names)
    return told if names else ""


def format_count_title(title: str, shown: int, total: int, filling: Filling | None) -> str:
    """Facts · 1,243 · indexing 412 / 1,000. A number that nobody knows yet is no 0."""
    number = f"{shown:,}" if shown == total else f"{shown:,} / {total:,}"
    if filling is None:
        return f"{title} · {number}"
    return f"{title} · {number if total else '…'} · {filling.describe()}"


class News:
    """Compares how homes stand with how they stood. Where a home could not be compared, nothing is said of it."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[str, int]] = {}
        """By the home's path: its index file, and how many memories were in it."""

    def since(self, found: Iterable[HomeStatus]) -> list[tuple[Home, int]]:
        """The homes that have more memories than when this was last asked, or fewer, and by how many."""
        known, self._known = self._known, {}
        changed: list[tuple[Home, int]] = []
        for status in found:
            if status.building or status.away or not status.index_path:
                # Whatever is counted next has been there before, most likely.
                continue
            path = str(status.home.path)
            index, before = known.get(path, ("", 0))
            self._known[path] = status.index_path, status.memories
            if index == status.index_path and before != status.memories:
                changed.append((status.home, status.memories - before))
        return changed


Spot = tuple[str, str, str]
"""Text, style, and the action that a click means (empty: none)."""


def _count_width(spots: Iterable[Spot]) -> int:
    return sum(cell_len(text) for text, _style, _action in spots)


class Bar(Widget):
    """One line. What does not fit is left out from the right end of the left side, never from the right side."""

    ALLOW_SELECT = False

    def __init__(self, look: Callable[[], Look], *, id: str) -> None:
        super().__init__(id=id)
        self._look = look
        self._said: tuple[object, ...] = ()
        self._urgent = False
        self._left: Sequence[Spot] = ()
        self._right: Sequence[Spot] = ()
        self._groups: Sequence[Sequence[Spot]] = ()
        self._more: Callable[[int], Spot] | None = None
        self._spots: list[tuple[int, int, str]] = []

    def set(
        self,
        left: Sequence[Spot],
        right: Sequence[Spot] = (),
        *,
        groups: Sequence[Sequence[Spot]] = (),
        more: Callable[[int], Spot] | None = None,
        urgent: bool = False,
    ) -> bool:
        """What the line says; whether that is something new. After `left` come `groups`, each of them whole or not at
        all; `more` says how many there is no room for. `urgent`: `right` gives way to `left`.
        """
        said = (tuple(left), tuple(right), tuple(map(tuple, groups)), more is None, urgent)
        if changed := said != self._said:
            self._said, self._urgent = said, urgent
            self._left, self._right, self._groups, self._more = left, right, groups, more
            self.refresh()
        return changed

    @property
    def text(self) -> str:
        """What it would say if there were room, for tests and the window title."""
        spots = [*self._left, *(spot for group in self._groups for spot in group), *self._right]
        return "".join(text for text, _style, _action in spots)

    def render_line(self, y: int) -> Strip:
        """The line."""
        cells, look, base = self.size.width, self._look(), self.rich_style
        if y:
            return Strip.blank(cells, base)
        right = self._fit_spots(self._right, cells)
        # What was said just now is worth more than where the cursor stands.
        if self._urgent and _count_width(self._left) + _count_width(right) >= cells:
            right = []
        room = cells - _count_width(right)
        room -= bool(right) and _count_width(self._left) >= room
        left: list[Spot] = []
        used = 0
        for text, style, action in self._left:
            length = cell_len(text)
            if used + length > room:
                if room - used > 3:
                    left.append((draw.cut(text, room - used), style, action))
                    used = used + cell_len(left[-1][0])
                break
            left.append((text, style, action))
            used += length
        else:
            grouped = self._fit_groups(room - used)
            left += grouped
            used += _count_width(grouped)
        gap: Spot = (" " * (cells - _count_width(right) - used), "", "")
        pieces: list[Piece] = []
        self._spots.clear()
        x = 0
        for text, style, action in (*left, gap, *right):
            length = cell_len(text)
            if action:
                self._spots.append((x, x + length, action))
            x += length
            pieces.append((text, style))
        return draw.strip(pieces, cells, look, base)

    def _fit_groups(self, room: int) -> list[Spot]:
        """As many groups as there is room for, and how many are left out."""
        groups = self._groups
        for shown in range(len(groups), 0, -1):
            out = [*chain.from_iterable(groups[:shown]), *self._list_left_out(len(groups) - shown)]
            if _count_width(out) <= room:
                return out
        if not groups or self._more is None:
            return []
        # Room for no whole group: a part of the first is still more than a number.
        rest = self._list_left_out(len(groups) - 1)
        text, style, action = groups[0][0]
        part = draw.cut(text, room - _count_width(rest))
        if cell_len(part) > 3 or part == text:
            return [(part, style, action), *rest]
        rest = self._list_left_out(len(groups))
        return rest if _count_width(rest) <= room else []

    def _list_left_out(self, number: int) -> list[Spot]:
        return [self._more(number)] if number and self._more is not None else []

    @staticmethod
    def _fit_spots(spots: Sequence[Spot], cells: int) -> list[Spot]:
        """The last pieces that fit in a good half of the line."""
        out: list[Spot] = []
        used = 0
        for spot in reversed(spots):
            used += cell_len(spot[0])
            if used > max(cells * 2 // 3, cells - 24):
                break
            out.insert(0, spot)
        return out

    def on_click(self, event: events.Click) -> None:
        """A click on a name that stands for an action is that action."""
        for start, end, action in self._spots:
            if start <= event.x < end:
                event.stop()
                self.post_message(ActionClicked(action))
                return


def describe_change(name: str, number: int) -> str:
    """shop: +3 memories, −1 memory: how many came or went."""
    signed = f"{number:+,}".replace("-", "−")
    return _n("{home}: {signed} memory", "{home}: {signed} memories", abs(number)).format(home=name, signed=signed)


def draw_more(number: int) -> Spot:
    """So many there is no room for."""
    return f" +{number}", "dim", "homes.pick"


def draw_missing_homes(chosen: frozenset[str], found: Sequence[HomeStatus]) -> list[Spot]:
    """That these are not all homes, or that there is none."""
    if not found:
        return [(_("no homes found"), "warn", "homes.pick")]
    shown = sum(str(status.home.path) in chosen for status in found) if chosen else len(found)
    if shown == len(found):
        return []
    return [(_("{shown} of {all}").format(shown=shown, all=len(found)) + "  ", "warn", "homes.pick")]


def draw_homes(chosen: frozenset[str], found: Sequence[HomeStatus]) -> list[list[Spot]]:
    """Those that are shown, the current one first."""
    shown = [status for status in found if not chosen or str(status.home.path) in chosen]
    # What a colleague shares no more is no trouble.
    shown.sort(key=lambda status: (not status.home.current, not status.away or status.home.origin is not None))
    groups: list[list[Spot]] = []
    for status in shown:
        home, gap = status.home, " · " if groups else ""
        what = (
            (_("no longer shared"), "dim")
            if status.away and home.origin is not None
            else (_("not there"), "bad")
            if status.away
            else (draw.clip_to_line(name_layout(home.layout)), f"tool-{load_badge(home.layout).hue}")
        )
        name = draw.clip_to_line(home.label)
        named = (gap + name, "bold" if home.current else "", "homes.pick")
        # A home that is called as its tool is named once, in the tool's colour.
        once = name.lower() == what[0].lower()
        groups.append(
            [(gap, "", "homes.pick"), (name, what[1], "homes.pick")]
            if once
            else [named, (f" {what[0]}", what[1], "homes.pick")]
        )
    return groups


STALE = 60.0
"""Seconds after which it is said how old the index is: homes are compared with the disk twice as often."""


def draw_state(found: Sequence[HomeStatus], mode: str) -> list[Spot]:
    """How fresh and how whole what is shown is."""
    if not found:
        return []
    filling = measure_filling(found)
    there = [status for status in found if not status.away]
    if filling is not None and not any(status.index_path for status in there):
        # Nothing is wrong yet: it has not begun.
        return [(f"  {filling.describe()}", "warn", "view.6"), (" ", "", "")]
    meant = mode in {"auto", "hybrid"} and any(status.vectors for status in there)
    ways = "+".join(status.backend for status in there)
    # What is read first goes last where there is no room.
    spots: list[Spot] = [(f"  {name_backends(ways, meant=meant)}", "dim", "view.6")] if there else []
    spots += [(f"  {words}", style, "view.6") for words, style in _describe_watched(there)]
    if filling is not None:
        spots.append((f"  {filling.describe()}", "warn", "view.6"))
    else:
        fresh = min((status.fresh_at for status in there if status.fresh_at is not None), default=None)
        if fresh is not None and clock.now() - fresh >= STALE:
            spots.append(("  " + _("index {age} ago").format(age=clock.format_age(fresh)), "warn", "view.6"))
    if share := format_vector_progress(found):
        spots.append(("  " + _("meaning {share}").format(share=share), "dim", "view.6"))
    if problems := sum(status.unparsed for status in found):
        spots.append(("  ✗ " + _n("{count} with errors", "{count} with errors", problems), "bad", "view.6"))
    if any(status.warning for status in found if not status.away or status.home.origin is None):
        spots.append(("  ⚠", "warn", "view.6"))
    return [*spots, (" ", "", "")]


def name_backends(ways: str, *, meant: bool = False) -> str:
    """How memories are found, 'fts+scan', in a stranger's words; `meant`: by their meaning, too."""
    found = _("finds words and meaning") if meant else _("finds words")
    parts = set(ways.split("+"))
    if "scan" not in parts:
        return found
    told = _("{found}, no index") if len(parts) == 1 else _("{found}, partly no index")
    return told.format(found=found)


def draw_teams(teams: Sequence[Freshness]) -> list[Spot]:
    """As of when each team's copies are right, and whether its server is away; also where nobody shares anything."""
    spots: list[Spot] = []
    for one in teams:
        moment = clock.convert_to_local(one.seen_at).strftime("%H:%M") if one.seen_at else _("not synced yet")
        away = _(", offline") if one.error else ""
        spots.append((f" {one.member.team} {moment}{away} ", "warn" if away else "dim", "view.6"))
    return spots


def format_vector_progress(found: Sequence[HomeStatus]) -> str:
    """'34 %' of what can be found by meaning, while vectors are made; else nothing."""
    if not any(status.embedding and status.vectors_total for status in found):
        return ""
    # Of all homes together: one after the other is made, and each by itself begins at nothing.
    done, total = sum(status.vectors for status in found), sum(status.vectors_total for status in found)
    # What is not done is not a hundred, and what is done needs no telling.
    return format_share(done, total) if done < total else ""


def _describe_watched(there: Sequence[HomeStatus]) -> list[tuple[str, str]]:
    """How changes become known, for all homes that are there at once."""
    ways = [status.watcher.partition(":")[0] for status in there]
    heard = ways.count("watching")
    if not ways:
        return []
    if heard == len(ways):
        return [("● " + _("live"), "ok")]
    if "polling" in ways and not heard:
        return [("◐ " + _("polling"), "warn")]
    if heard:
        return [("◐ " + _("{heard} of {all} live").format(heard=heard, all=len(ways)), "warn")]
    return [("○ " + _("not watched"), "dim")]


def draw_tabs(width: int, view: str, waiting: int, *, hidden: bool) -> tuple[list[Spot], list[Spot]]:
    """The views, the one at hand as a block, as long as there is room; then Search."""
    search = " / " + (_("Search") if width < 104 else _("search everything")) + " "
    right: list[Spot] = [(search, "tab" if view == "search" else "dim", "search.open")]
    if hidden:
        shown = _(". all") if width < 104 else _(". all statuses")
        right.insert(0, (f" {shown} ", "warn", "filter.hidden"))
    room = width - sum(cell_len(text) for text, _style, _action in right)
    for letters in (99, 7, 4, 3, 2, 0):
        # Words that are cut are cut to the same length, wherever one is: tabs stay where they are.
        spots = _draw_tab_line(view, waiting, letters)
        if sum(cell_len(text) for text, _style, _action in spots) <= room:
            break
    return spots, right


def _draw_tab_line(view: str, waiting: int, letters: int) -> list[Spot]:
    """The views, with titles longer than `letters` cut short."""
    spots: list[Spot] = [(" ", "", "")]
    for tab in PANES:
        if tab.view == "search":
            continue
        here, title = tab.view == view, _(tab.title)
        shown = title if len(title) <= letters else title[: min(letters, 4)]
        badge = f" {waiting:,}" if waiting and tab.view == "review" else ""
        label = f" {tab.number} {shown}".rstrip()
        style = "tab" if here else "dim"
        spots.append((label, style, f"view.{tab.number}"))
        if badge:
            spots.append((badge, "tab" if here else "warn", "view.5"))
        spots.append((" ", style, f"view.{tab.number}"))
        if letters == 99:
            spots.append((" ", "", ""))
    return spots


def draw_banner(unwritten: int, *, again: bool) -> list[Spot]:
    """What stands above the status line for as long as something is not written that should be; `again`: the next of
    it can be tried again, else its person may have it back.
    """
    told = _n("{count} text is not written yet", "{count} texts are not written yet", unwritten)
    way = _("tries again") if again else _("gives it back")
    spots = ((f" ⚠ {told} · ", "warn"), ("W", "accent"), (f" {way}", "dim"))
    return [(text, style, "edit.retry") for text, style in spots]


def draw_status(said: str, *, selected: int, drawing: bool, chips: str, warning: str, waiting: int) -> list[Spot]:
    """What was said just now; else what is selected, for that is what the next key is about, and what narrows the
    list; else why it may be incomplete, or how many candidates wait. `drawing`: a range goes with the cursor.
    """
    left: list[Spot] = [(" ", "", "")]
    if said:
        return [*left, (draw.clip_to_line(said), "accent", "")]
    if selected:
        told = _n("{count} selected", "{count} selected", selected)
        way = _("v ends the range") if drawing else _("esc clears")
        left += [(told, "accent", ""), (f" · {way}  ", "dim", "select.range" if drawing else "app.back")]
    if chips:
        narrowed = (draw.clip_to_line(chips), "accent", "filter.open")
        return [*left, (_("filter") + " ", "dim", "filter.open"), narrowed]
    if selected:
        return left
    if warning:
        return [*left, (draw.clip_to_line(warning), "warn", "")]
    if waiting:
        told = _n("{count} candidate waits in Review", "{count} candidates wait in Review", waiting)
        left += [(told, "", "view.5"), (" (5)", "accent", "view.5")]
    return left


def draw_footer(
    actions: Iterable[Action], keymap: dict[str, str], *, typing: bool = False
) -> tuple[list[list[Spot]], list[Spot]]:
    """The keys of these actions; those of the app by themselves, on the right. `typing`: those that are no letters, for
    letters go into the box.
    """
    groups: list[list[Spot]] = []
    right: list[Spot] = []
    for action in actions:
        keys = find_keys(action, keymap)
        if typing:
            keys = tuple(key for key in keys if "+" in key or key in TYPED or is_function_key(key))
        if not keys:
            continue
        spots = [(format_key(keys[0]), "accent", action.id), (f" {_(action.title)}  ", "dim", action.id)]
        if action.group == "App":
            right += spots
        else:
            groups.append(spots)
    return groups, right


TYPED = frozenset({"enter", "escape", "tab", "up", "down", "pageup", "pagedown"})
"""Keys that are no text in a box."""


def is_function_key(key: str) -> bool:
    """f1 to f12."""
    return key[:1] == "f" and key[1:].isdigit()


class TourStep(NamedTuple):
    """One key of the story."""

    action: str
    """What goes on to the next."""
    key: str
    told: str
    """A source string, short enough for a line of 80 cells."""


STORY: tuple[TourStep, ...] = (
    TourStep("view.0", "0", "Five agents keep notes for Mei. What is new, what to do: "),
    TourStep("facts.shared", "&", "Some know the same thing, each in its own words: "),
    TourStep("view.3", "3", "Every session and every note, day by day: "),
    TourStep("timeline.calendar", "C", "And over the whole year: "),
    TourStep("view.4", "4", "One problem comes back again and again. They are counted: "),
    TourStep("view.5", "5", "Agents propose what to remember. Nothing is kept unasked: "),
    TourStep("list.bottom", "G", "Below stands each line that would be written. The last one: "),
    TourStep("review.approve", "a", "Let it be written: "),
    TourStep("edit.undo", "u", "And take it back, to the byte, today or next week: "),
    TourStep("context.show", "c", "What the next session will be told, and what that costs: "),
)


class Tour:
    """Where somebody is in the story; each right key goes on."""

    def __init__(self) -> None:
        self.at = 0

    @property
    def step(self) -> TourStep | None:
        """What comes next; None: the story is over."""
        return STORY[self.at] if self.at < len(STORY) else None

    def hear(self, action: str) -> bool:
        """Go on if that is the key that was asked for; whether it was."""
        right = self.step is not None and self.step.action == action
        self.at += right
        return right

    def tell(self, width: int) -> tuple[list[Spot], list[Spot]]:
        """The line: how far, what comes next, and the key for it, which can be clicked; on the right how to end it,
        where there is room.
        """
        if self.step is None:
            end = _("That is memtui. Now in a project of yours: q, then `memtui`.")
            return [(" ✓ ", "ok", "tour.end"), (end, "bold", "tour.end")], []
        far: Spot = (f" ▸ {self.at + 1}/{len(STORY)}  ", "accent", "")
        told: Spot = (_(self.step.told), "", "")
        key: Spot = (f" {self.step.key} ", "tab", self.step.action)
        right: list[Spot] = [("  " + _("Q ends the tour") + " ", "dim", "tour.end")]
        room = width - _count_width((far, told, key))
        # The key is the last thing to give way.
        left = [far, told, key] if room >= 0 else [key, far, told]
        return left, right if room >= _count_width(right) else []
