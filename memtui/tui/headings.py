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


def header(screen: MainScreen, *, news: bool = False) -> None:
    """Ask how the homes stand and say it. `news`: also say what appeared since it was last asked."""

    def show(found: list[HomeStatus]) -> None:
        screen.query_one("#header", Bar).set(_homes(screen, found), _state(found), whole=False)
        changed = screen.totals({status.home.label: status.memories for status in found})
        if news and changed and not any(status.building for status in found):
            screen.say(" · ".join(f"{draw.one_line(label)} {by:+,}" for label, by in changed.items()))

    screen.reader.ask("header", lambda _cancelled: screen.context.vault.status(), show)


def _homes(screen: MainScreen, found: Sequence[HomeStatus]) -> list[Spot]:
    chosen = screen.context.homes
    spots: list[Spot] = [(" memtui  ", "title", "app.help")]
    shown = [status.home for status in found if not chosen or str(status.home.path) in chosen]
    shown.sort(key=lambda home: not home.current)
    for number, home in enumerate(shown):
        gap = "" if number == 0 else " · "
        spots.append((gap + draw.one_line(home.label), "bold" if home.current else "", "homes.pick"))
        spots.append((f" {draw.one_line(home.layout)}", "dim", "homes.pick"))
    if chosen and len(shown) < len(found):
        spots.insert(
            1, (_("{shown} of {all}").format(shown=len(shown), all=len(found)) + "  ", "warn", "homes.pick")
        )
    elif not found:
        spots.append((_("no homes found"), "warn", "homes.pick"))
    return spots


def _state(found: Sequence[HomeStatus]) -> list[Spot]:
    if not found:
        return []
    busy = [status for status in found if status.building]
    live = {status.watcher for status in found}
    if "watching" in live:
        sign, words, style = "●", _("live"), "ok"
    elif "polling" in live:
        sign, words, style = "◐", _("polling"), "warn"
    else:
        sign, words, style = "○", _("not watched"), "dim"
    spots: list[Spot] = [(f"  {sign} {words}", style, "view.6")]
    backends = sorted({status.backend for status in found})
    spots.append((f"  {'+'.join(backends) if len(backends) < 3 else backends[0]}", "dim", "view.6"))
    if busy:
        done, total = sum(status.indexed for status in busy), sum(status.total for status in busy)
        spots.append(
            ("  " + _("indexing {done:,}/{total:,}").format(done=done, total=total), "warn", "view.6")
        )
    else:
        fresh = min((status.fresh_at for status in found if status.fresh_at is not None), default=None)
        if fresh is not None:
            spots.append(("  " + _("index {age} ago").format(age=clock.ago(fresh) or "0s"), "dim", "view.6"))
    if problems := sum(len(status.problems) for status in found):
        spots.append((f"  ✗ {problems}", "bad", "view.6"))
    if any(status.warning for status in found):
        spots.append(("  ⚠", "warn", "view.6"))
    return [*spots, (" ", "", "")]


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
    left: list[Spot] = [(" ", "", "")]
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
        (right if action.group == "App" else left).extend(spots)
    screen.query_one("#footer", Bar).set(left, right, whole=False)
