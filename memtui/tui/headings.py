"""What the bars say: where one is and whether it is live, the views, the last receipt, the keys."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memtui import clock
from memtui.actions import ACTIONS, key_name
from memtui.locale import _
from memtui.tui import draw
from memtui.tui.bars import Bar
from memtui.tui.keymap import keys_of
from memtui.tui.panes import PANES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memtui.tui.bars import Spot
    from memtui.tui.main import MainScreen
    from memtui.vault import HomeStatus


def header(screen: MainScreen) -> None:
    """Ask how the homes stand and say it, and what has changed since it was last asked."""

    def show(found: list[HomeStatus]) -> None:
        left = [(" memtui  ", "title", "app.help"), *_which(screen, found)]
        screen.query_one("#header", Bar).set(left, _state(found), groups=_homes(screen, found), more=_more)
        if changed := screen.news.since(found):
            screen.say(" · ".join(f"{screen.context.name(home)} {_signed(by)}" for home, by in changed))

    screen.asked = False
    screen.reader.ask("header", lambda _cancelled: screen.context.vault.status(), show)


def _signed(number: int) -> str:
    return f"{number:+,}".replace("-", "−")


def _more(number: int) -> Spot:
    return f" +{number}", "dim", "homes.pick"


def _which(screen: MainScreen, found: Sequence[HomeStatus]) -> list[Spot]:
    """That these are not all homes, or that there is none."""
    chosen = screen.context.homes
    if not found:
        return [(_("no homes found"), "warn", "homes.pick")]
    shown = sum(str(status.home.path) in chosen for status in found) if chosen else len(found)
    if shown == len(found):
        return []
    return [(_("{shown} of {all}").format(shown=shown, all=len(found)) + "  ", "warn", "homes.pick")]


def _homes(screen: MainScreen, found: Sequence[HomeStatus]) -> list[list[Spot]]:
    chosen = screen.context.homes
    shown = [status for status in found if not chosen or str(status.home.path) in chosen]
    shown.sort(key=lambda status: (not status.home.current, not status.away))
    groups: list[list[Spot]] = []
    for status in shown:
        home, gap = status.home, " · " if groups else ""
        what = (_("not there"), "bad") if status.away else (draw.one_line(home.layout), "dim")
        groups.append(
            [
                (gap + draw.one_line(home.label), "bold" if home.current else "", "homes.pick"),
                (f" {what[0]}", what[1], "homes.pick"),
            ]
        )
    return groups


def _state(found: Sequence[HomeStatus]) -> list[Spot]:
    if not found:
        return []
    busy = [status for status in found if status.building]
    there = [status for status in found if not status.away]
    spots: list[Spot] = [(f"  {words}", style, "view.6") for words, style in _watched(there)]
    backends = {part for status in there for part in status.backend.split("+")}
    spots.append((f"  {'+'.join(sorted(backends))}", "dim", "view.6"))
    if busy:
        done, total = sum(status.indexed for status in busy), sum(status.total for status in busy)
        far = _("indexing {done:,}/{total:,}").format(done=done, total=total) if total else _("indexing …")
        spots.append((f"  {far}", "warn", "view.6"))
    else:
        fresh = min((status.fresh_at for status in there if status.fresh_at is not None), default=None)
        if fresh is not None:
            spots.append(("  " + _("index {age} ago").format(age=clock.ago(fresh) or "0s"), "dim", "view.6"))
    if problems := sum(status.unparsed for status in found):
        spots.append((f"  ✗ {problems:,}", "bad", "view.6"))
    if any(status.warning for status in found):
        spots.append(("  ⚠", "warn", "view.6"))
    return [*spots, (" ", "", "")]


def _watched(there: Sequence[HomeStatus]) -> list[tuple[str, str]]:
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


def tabs(screen: MainScreen) -> None:
    """The views, the one at hand as a block; then Search."""
    width = screen.size.width
    letters = 99 if width >= 76 else 4 if width >= 62 else 3
    spots: list[Spot] = [(" ", "", "")]
    for tab in PANES:
        if tab.view == "search":
            continue
        here = tab.view == screen.view
        title = _(tab.title)
        label = f" {tab.number} {title if here else title[:letters]} "
        spots += [
            (label, "tab" if here else "dim", f"view.{tab.number}"),
            ("" if width < 76 else " ", "", ""),
        ]
    search = " / " + (_("Search") if width < 96 or screen.view == "search" else _("search everything")) + " "
    right: list[Spot] = [(search, "tab" if screen.view == "search" else "dim", "search.open")]
    if screen.context.hidden:
        right.insert(0, (" " + _(". all statuses") + " ", "warn", "filter.hidden"))
    screen.query_one("#tabs", Bar).set(spots, right)


def status(screen: MainScreen) -> None:
    """The last receipt, else what narrows this view or why it may be incomplete; and where the cursor is."""
    pane = screen.pane
    left: list[Spot] = [(" ", "", "")]
    if screen.said:
        left.append((draw.one_line(screen.said), "accent", ""))
    elif chips := pane.chips():
        left += [(_("filter") + " ", "dim", "filter.open"), (draw.one_line(chips), "accent", "filter.open")]
    elif warning := pane.warning():
        left.append((draw.one_line(warning), "warn", ""))
    screen.query_one("#status", Bar).set(left, [(f"{pane.place()} ", "dim", "")])


def footer(screen: MainScreen, *, moved: bool = False) -> None:
    """The keys that do something here. After a mere move of the cursor they are mostly the same as before."""
    desk = screen.desk
    here = (screen.view, desk.memory() is not None, desk.has_rows(), screen.size.width)
    if moved and here == screen.keys_for:
        return
    screen.keys_for = here
    groups: list[list[Spot]] = []
    right: list[Spot] = []
    for action in ACTIONS:
        if not action.footer or action.why_not(screen.desk):
            continue
        keys = keys_of(action, screen.keymap)
        if not keys:
            continue
        spots = [
            (key_name(keys[0]), "accent", action.id),
            (f" {_(action.title)}  ", "dim", action.id),
        ]
        if action.group == "App":
            right += spots
        else:
            groups.append(spots)
    screen.query_one("#footer", Bar).set([(" ", "", "")], right, groups=groups)
