"""What the bars say: where one is and whether it is live, the views, the last receipt, the keys."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.cells import cell_len

from memtui import clock
from memtui.actions import ACTIONS
from memtui.desk import key_name
from memtui.locale import _, _n
from memtui.tui import draw
from memtui.tui.bars import Bar
from memtui.tui.keymap import keys_of
from memtui.tui.news import measure_filling
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
        screen.query_one("#header", Bar).set(
            left, _state(found, screen.context.config.search.mode), groups=_homes(screen, found), more=_more
        )
        # A receipt with its way back is worth more than the news that it makes itself.
        if (changed := screen.news.since(found)) and not screen.said:
            screen.say(" · ".join(f"{screen.context.name(home)} {_signed(by)}" for home, by in changed))

    screen.asked = False
    screen.reader.ask("header", lambda _cancelled: screen.context.vault.status(), show, key="")


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


def _state(found: Sequence[HomeStatus], mode: str) -> list[Spot]:
    if not found:
        return []
    filling = measure_filling(found)
    there = [status for status in found if not status.away]
    if filling is not None and not any(status.index_path for status in there):
        # Nothing is wrong yet: it has not begun.
        return [(f"  {filling.describe()}", "warn", "view.6"), (" ", "", "")]
    spots: list[Spot] = [(f"  {words}", style, "view.6") for words, style in _watched(there)]
    backends = {part for status in there for part in status.backend.split("+")}
    if mode in {"auto", "hybrid"} and any(status.vectors for status in there):
        backends = backends - {"fts"} | {"hybrid"}
    spots.append((f"  {'+'.join(sorted(backends))}", "dim", "view.6"))
    if filling is not None:
        spots.append((f"  {filling.describe()}", "warn", "view.6"))
    else:
        fresh = min((status.fresh_at for status in there if status.fresh_at is not None), default=None)
        if fresh is not None:
            # In steps: a line that is another every second is drawn every second.
            steps = fresh + (max(0.0, clock.now() - fresh) % 10.0)
            spots.append(("  " + _("index {age} ago").format(age=clock.ago(steps) or "0s"), "dim", "view.6"))
    if share := made(found):
        spots.append(("  " + _("meaning {share}").format(share=share), "dim", "view.6"))
    if problems := sum(status.unparsed for status in found):
        spots.append((f"  ✗ {problems:,}", "bad", "view.6"))
    if any(status.warning for status in found):
        spots.append(("  ⚠", "warn", "view.6"))
    return [*spots, (" ", "", "")]


def made(found: Sequence[HomeStatus]) -> str:
    """'34 %' of what can be found by meaning, while vectors are made; else nothing."""
    if not any(status.embedding and status.vectors_total for status in found):
        return ""
    # Of all homes together: one after the other is made, and each by itself begins at nothing.
    done, total = sum(status.vectors for status in found), sum(status.vectors_total for status in found)
    # What is not done is not a hundred.
    return f"{min(99, 100 * done // total)} %" if total else ""


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
    search = " / " + (_("Search") if width < 104 or screen.view == "search" else _("search everything")) + " "
    right: list[Spot] = [(search, "tab" if screen.view == "search" else "dim", "search.open")]
    if screen.context.hidden:
        shown = _(". all") if width < 104 else _(". all statuses")
        right.insert(0, (f" {shown} ", "warn", "filter.hidden"))
    room = width - sum(cell_len(text) for text, _style, _action in right)
    for letters in (99, 7, 4, 3, 2, 0):
        # Words that are cut are cut to the same length; short ones stay whole for as long as they can.
        spots = _tabs(screen, letters)
        if sum(cell_len(text) for text, _style, _action in spots) <= room:
            break
    screen.query_one("#tabs", Bar).set(spots, right)


def _tabs(screen: MainScreen, letters: int) -> list[Spot]:
    """The views, with titles longer than `letters` cut short."""
    spots: list[Spot] = [(" ", "", "")]
    for tab in PANES:
        if tab.view == "search":
            continue
        here, title = tab.view == screen.view, _(tab.title)
        shown = title if here or len(title) <= letters else title[: min(letters, 4)]
        badge = _raised(screen.context.waiting.number) if tab.view == "review" else ""
        label = f" {tab.number} {shown}".rstrip()
        style = "tab" if here else "dim"
        spots.append((label, style, f"view.{tab.number}"))
        if badge:
            spots.append((badge, "tab" if here else "warn", "view.5"))
        spots.append((" ", style, f"view.{tab.number}"))
        if letters == 99:
            spots.append((" ", "", ""))
    return spots


def _raised(number: int) -> str:
    """A small number: ³."""
    return ("⁹⁹⁺" if number > 99 else str(number).translate(_SMALL)) if number else ""


_SMALL = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def banner(screen: MainScreen, unwritten: int) -> None:
    """What stands above the status line for as long as something is not written that should be."""
    bar = screen.query_one("#banner", Bar)
    bar.display = bool(unwritten)
    if unwritten:
        told = _n("{count} text is not written yet", "{count} texts are not written yet", unwritten)
        spots = ((f" ⚠ {told} · ", "warn"), ("W", "accent"), (" " + _("tries again"), "dim"))
        bar.set([(text, style, "edit.retry") for text, style in spots])


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
    elif screen.view == "home" and (number := screen.context.waiting.number):
        told = _n("{count} candidate waits in Review", "{count} candidates wait in Review", number)
        left += [(told, "", "view.5"), (" (5)", "accent", "view.5")]
    screen.query_one("#status", Bar).set(left, [(f"{pane.place()} ", "dim", "")])


def selection(screen: MainScreen) -> object:
    """What decides which keys do something: as long as it is the same, so are they."""
    pane, waiting, rows = screen.pane, screen.context.waiting, screen.hand.rows()
    memory, detail = screen.desk.memory(), pane.detail()
    kind = None
    if memory is not None:
        kind = (
            memory.home,
            memory.path,
            memory.layer,
            memory.status,
            bool(memory.key),
            bool(memory.superseded_by),
        )
    row = None if rows is None else (bool(rows.items), type(rows.current), min(2, len(rows.marks)))
    linked = (
        detail is not None and detail.chain is not None and bool(detail.chain.after or detail.chain.before)
    )
    decides = (waiting.queue is None, bool(waiting.candidates)) if screen.view == "review" else ()
    return screen.view, kind, row, linked, decides, screen.desk.has_rows(), screen.size.width, pane.stage()


def footer(screen: MainScreen) -> None:
    """The keys that do something here, where something else is selected than before."""
    here = selection(screen)
    if here == screen.keys_for:
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
