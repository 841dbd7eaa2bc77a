"""The strip over Home's boxes: what agents learned this week, what changed since the person last looked, at most three
things to decide, at most one warning; on the very first start, what was found and what memtui does with it.

Read on a reader's thread, behind the boxes; no widget here. When somebody last looked is kept in the state directory,
by home, for it belongs to none of them.
"""

from __future__ import annotations

import json
from collections import Counter
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from memtui.agents.hooks.hook_process import list_fired_hooks
from memtui.core import clock
from memtui.core.errors import MemtuiError
from memtui.core.locale import _, _n, translate_parts
from memtui.core.model import Layer, Memory
from memtui.fs.commit import commit, read_current
from memtui.fs.places import make_private_directory, state
from memtui.layouts import load_badge, load_layout
from memtui.layouts.tracks import shorten_slug_path
from memtui.team.membership import load_memberships
from memtui.tui import draw, paint
from memtui.tui.evolution_rows import name_pattern
from memtui.tui.home_model import format_budget
from memtui.tui.row_list import Fixed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from memtui.core.model import HomeStatus
    from memtui.store.candidates import Candidate
    from memtui.tui.context import PaneContext
    from memtui.tui.draw import Piece
    from memtui.tui.home_model import Board, Boards, LearningSummary

WEEK = 7 * 86400.0
READ = 300
"""Memories that are looked at, the newest: what is older than so many is not news."""
TOGETHER = 8
"""Files of one moment: they were copied there, and nothing was learned."""
DECIDE = 3
LATEST = 3
"""Rows of what was learned last."""
KEPT = 200
"""Homes whose last look is remembered."""
_FILE = "looked.json"
_LARGEST = 200_000
_STANDING = (Layer.PROFILE, Layer.CORE, Layer.KNOWLEDGE)
_SAID = frozenset({"pref", "preference", "decision", "rule", "lesson", "fact", "convention"})
"""Kinds of a journal's lines that say something which lasts."""
LEARNED = "layer:profile,core,knowledge,journal -kind:todo"
"""What Search is asked by whoever wants to see what was learned."""


class TodayGoal(NamedTuple):
    """Where a row of the strip leads: an action, with what it is to show."""

    action: str = ""
    candidate: str = ""
    """The one that Review stands on."""
    words: str = ""
    """What Search is asked."""
    only: frozenset[str] = frozenset()
    """The ids of those that the row counts; of what Search finds it shows them. Empty: all."""
    section: str = ""
    """What Facts shows."""
    place: tuple[str, str, int] | None = None
    """A file and its line."""


class Looks(NamedTuple):
    """What is remembered from one start to the next."""

    homes: Mapping[str, float] = {}
    """When each home was last looked at."""
    folded: bool = False
    known: bool = False
    """Whether memtui was here before."""


class DayNews(NamedTuple):
    """What the strip says, as far as the index and the disk know it."""

    learned: Counter[str]
    """By home."""
    more: bool
    """There are more than were looked at."""
    counted: frozenset[str]
    """The ids of it."""
    latest: Sequence[Memory]
    """The newest of it; where nothing is, the newest that says when it was learned."""
    changed: Sequence[tuple[str, str]]
    """Home and path of each file that changed since the last look, the newest first."""
    since: float | None
    """The last look; None: there was none."""
    echoes: int | None
    """Things that several tools know; None: not known yet."""
    trouble: tuple[str, TodayGoal] | None
    """What stands in the way of reading, or of agents' hooks."""
    looks: Looks
    teams: Sequence[str]
    """The teams that this machine is in."""
    here: bool = False
    """No home is open, and the directory that memtui was started in holds Markdown or records of somebody's."""


def load_looks() -> Looks:
    """What was remembered; nothing where that cannot be read. Reads the disk."""
    with suppress(MemtuiError, OSError, ValueError, TypeError, AttributeError):
        data = read_current(state(), _FILE)
        if data and len(data) < _LARGEST:
            found = json.loads(data)
            homes = {str(path): float(time) for path, time in found["homes"].items()}
            return Looks(homes, bool(found.get("folded")), known=True)
    return Looks()


def store_looks(homes: Iterable[str], *, folded: bool) -> None:
    """Remember that these homes were looked at now; where the disk forbids it, more is told as new next time."""
    now = clock.now()
    with suppress(MemtuiError, OSError):
        known = dict(load_looks().homes) | dict.fromkeys(homes, now)
        newest = sorted(known.items(), key=lambda pair: -pair[1])[:KEPT]
        body = json.dumps({"homes": dict(newest), "folded": folded}).encode()
        make_private_directory(state())
        commit(state(), _FILE, read_current(state(), _FILE), body)


def read_today(context: PaneContext, boards: Boards, cancelled: Callable[[], bool]) -> DayNews:
    """All that the strip says besides what waits in Review; `boards` keep what was read of layers in which nothing
    changed. On a reader's thread.
    """
    looks = load_looks()
    now = clock.now()
    shown = context.homes or frozenset(context.labels)
    times = [time for path, time in looks.homes.items() if path in shown and time <= now]
    since = max(times, default=None)
    learned, more = _read_learned(context, boards, now - WEEK)
    latest: Sequence[Memory] = learned[:LATEST]
    if not latest and not cancelled():
        latest = _read_latest(context, boards)
    changed = [] if since is None or cancelled() else _read_changed(context, since)
    told = context.analyst.load_echoes() if len(context.badges) > 1 else []
    return DayNews(
        Counter(one.home for one in learned),
        more,
        frozenset(one.id for one in learned),
        latest,
        changed,
        since,
        None if told is None else len(told),
        _find_trouble(context),
        looks,
        [member.team for member in load_memberships()],
        not context.labels and _holds_notes(),
    )


def _holds_notes() -> bool:
    """Whether this directory can be opened as it is. The user's own is no notes, and would be read for long."""
    with suppress(OSError, RuntimeError):
        here = Path.cwd()
        return here not in {Path.home(), *Path.home().parents} and bool(load_layout("plain").recognise(here))
    return False


def _read_learned(context: PaneContext, boards: Boards, since: float) -> tuple[list[Memory], bool]:
    """What says when it was learned, in this week, the newest first; of files that are one memory each, what was
    written. Whether there is more than was looked at.
    """
    found = _list_newest(context, boards, "learned", READ, since)
    lines = Counter((one.home, one.path) for one in found)
    moments = Counter(_group_moment(one) for one in found if _is_undated(one))
    learned: list[Memory] = []
    for one in found:
        alone = lines[one.home, one.path] == 1
        if _is_learned(one) and (not _is_undated(one) or (alone and moments[_group_moment(one)] < TOGETHER)):
            learned.append(one)
    learned.sort(key=lambda one: -(paint.choose_time(one) or one.modified or 0.0))
    return learned, len(found) == READ


def _read_latest(context: PaneContext, boards: Boards) -> Sequence[Memory]:
    """What was learned last, however long ago that is; what says no time is left out."""
    found = _list_newest(context, boards, "latest", TOGETHER * LATEST)
    return [one for one in found if _is_learned(one) and not _is_undated(one)][:LATEST]


def _list_newest(
    context: PaneContext, boards: Boards, name: str, most: int, since: float | None = None
) -> list[Memory]:
    """The newest of what lasts and of the journal, each read anew only where something of it changed: whoever saves
    mostly writes to the journal, of which an index holds the days apart.
    """

    def read(layers: tuple[Layer, ...]) -> list[Memory]:
        refs = context.vault.ids(context.scope(layers)._replace(since=since), "time", limit=most)
        return [one for one in context.vault.load(refs) if one is not None]

    found = [
        one
        for part, layers in (("standing", _STANDING), ("daily", (Layer.JOURNAL,)))
        for one in boards.keep(f"{name} {part}", layers, partial(read, layers))
    ]
    found.sort(key=lambda one: (paint.choose_time(one) or one.modified or 0.0, one.path, one.start), reverse=True)
    return found[:most]


def _is_learned(memory: Memory) -> bool:
    return memory.kind != "todo" and (memory.layer is not Layer.JOURNAL or memory.kind in _SAID)


def _group_moment(memory: Memory) -> tuple[str, int]:
    return memory.home, int((memory.modified or 0.0) // 10)


def _is_undated(memory: Memory) -> bool:
    return paint.choose_time(memory) is None


def _read_changed(context: PaneContext, since: float) -> list[tuple[str, str]]:
    """The files that were written since. A line that names its day only has the day's first moment."""
    day = clock.parse(clock.format_day(since)) or since
    return context.vault.list_changed(context.scope()._replace(since=min(day, since)), since, READ)


def _find_trouble(context: PaneContext) -> tuple[str, TodayGoal] | None:
    """The first of what keeps memories from being read or written down."""
    found: list[HomeStatus] = context.vault.status()
    health = TodayGoal("view.6")
    for status in found:
        if status.away and status.home.origin is not None:
            # A colleague shares it no more.
            continue
        if status.away:
            return _("{home} is not there").format(home=context.name(status.home)), health
        if status.warning and not status.building:
            # While an index is made, the header says how far it is.
            return f"{context.name(status.home)}{_(': ')}{_(status.warning)}", health
    broken = [one for one in list_fired_hooks() if one.failed and one.failed >= one.last]
    if broken:
        told = _("the hook {event} of {agent} fails: {why}")
        return told.format(event=broken[0].event, agent=broken[0].agent, why=broken[0].failure), health
    unread = [(status, problem) for status in found for problem in status.problems]
    if unread:
        (status, problem), more = unread[0], len(unread) - 1
        why = translate_parts(problem.reason)
        # What stands at a line is wrong there; the rest of that file is read.
        place = f"{problem.path}:{problem.line}: {why}"
        told = place if problem.line else _("{path} cannot be read: {why}").format(path=problem.path, why=why)
        return told + (" " + _n("(and {count} more)", "(and {count} more)", more) if more else ""), health
    return None


# -- rows -------------------------------------------------------------------------------------------------------------


def list_today_rows(
    context: PaneContext, news: DayNews | None, board: Board | None, learned: LearningSummary, room: int
) -> list[Fixed]:
    """The rows, as many as there is room for; of what nobody knows yet it says so. In little room learned and changed
    share a row.
    """
    known = news is not None and (board is None or board.filling is None)
    warning = _warn(context, news, board) if news is not None else None
    left = _tell_learned(context, news) if known and news is not None else [("…", "faint")]
    fresh = _tell_changed(context, news) if news is not None else []
    rows: list[Fixed] = []
    counted = news.counted if news is not None else frozenset()
    goal = TodayGoal("search.open", words=f"since:7d {LEARNED}" if counted else f"{LEARNED},event", only=counted)
    if room < 5:
        both = [*left, (" · ", "faint"), *fresh] if fresh else left
        rows.append(_make_row("learned", _("learned"), both, "", goal))
    else:
        rows.append(_make_row("learned", _("learned"), [*left, *_tell_newest(news)], _age_of(news), goal))
        if fresh and news is not None and news.since is not None:
            moment = clock.convert_to_local(news.since).strftime("%Y-%m-%dT%H:%M")
            place = (*news.changed[0], 1) if len(news.changed) == 1 else None
            asked = TodayGoal("" if place else "search.open", words=f"since:{moment}", place=place)
            rows.append(_make_row("changed", _("changed"), fresh, "", asked if news.changed else TodayGoal("view.3")))
    most = min(DECIDE, max(1, room - len(rows) - (warning is not None)))
    rows += _list_decisions(context, learned, most, waiting=context.waiting.unsure)
    if room >= 6 and news is not None and news.echoes and len(rows) < room - (warning is not None):
        told = _n("{count} thing is known to several agents", "{count} things are known to several agents", news.echoes)
        rows.append(_make_row("echoes", _("shared"), [(told, "")], "&", TodayGoal("facts.shared")))
    spare = room - len(rows) - (warning is not None)
    rows += [*_list_todos(board), *_list_latest(news)][: max(spare, 0) if known else 0]
    if warning is not None:
        text, goal = warning
        rows.append(
            _make_row(
                "warning",
                _("warning"),
                [("⚠ ", "warn"), (draw.clip_to_line(text), "warn")],
                (goal.action.removeprefix("view.") if goal.action.startswith("view.") else ""),
                goal,
                "warn",
            )
        )
    return rows[:room]


def list_greeting_rows(context: PaneContext, teams: Sequence[str], room: int) -> list[Fixed]:
    """What a person is told once: what was found, what happens to it, also in their teams, and three keys."""
    own = [home for home in context.labels.values() if home.origin is None]
    tools = list(dict.fromkeys(load_badge(home.layout).name for home in own))
    stores = _n("{count} memory store", "{count} memory stores", len(own)).format(count=len(own))
    found = _n("{stores} of {tools}, read where it is", "{stores} of {tools}, read where they are", len(own)).format(
        stores=stores, tools=_(", ").join(tools)
    )
    if more := len(context.labels) - len(own):
        found += _("; ") + _n("{count} that a colleague shares", "{count} that colleagues share", more)
    mild = _("It only reads; what you approve or type is written; u undoes it.")
    sent = _("Nothing leaves this machine; no model is asked unless you set one.")
    if teams:
        sent = _("Only what you share leaves this machine, for {teams}; no model is asked unless you set one.")
        sent = sent.format(teams=_(", ").join(f"“{one}”" for one in teams))
    keys: list[Piece] = []
    for key, told in (("/", _("finds anything")), ("5", _("what waits for you")), ("?", _("every key"))):
        keys += [(key, "accent"), (f" {told}   ", "")]
    rows: Sequence[tuple[str, str, Sequence[Piece], TodayGoal]] = [
        ("hello", _("found"), [(found, "bold")], TodayGoal("view.6")),
        ("mild", _("touches"), [(mild, "")], TodayGoal("app.help")),
        ("sent", "", [(sent, "")], TodayGoal("app.help")),
        ("keys", _("try"), keys, TodayGoal("app.help")),
    ][:room]
    return [_make_row(key, label, said, "esc" if key == rows[-1][0] else "", goal) for key, label, said, goal in rows]


def list_beginning_rows(here: bool) -> list[Fixed]:
    """What can be begun with where no home was found; `here`: this directory can be opened."""
    told = (
        *((("here", _("begin"), _("open the Markdown of this directory"), "homes.here"),) if here else ()),
        ("home", "" if here else _("begin"), _("make a memory home of your own, in plain Markdown"), "homes.make"),
        ("demo", "", _("look around in the demo: five agents, one developer"), "demo.open"),
        ("hooks", "", _("install hooks for the agents that are here"), "agents.install"),
    )
    return [_make_row(key, label, [(text, "")], "↵", TodayGoal(action)) for key, label, text, action in told]


def fold_today(rows: Sequence[Fixed]) -> Fixed:
    """All of them in one line."""
    said: list[Piece] = []
    for row in rows:
        # Whose it is says nothing without what it is.
        badged = row.left[2:3] == (_AFTER_BADGE,)
        *before, (last, style) = row.left[1:5] if badged else row.left[1:3]
        # What would have followed is not there, so that neither is what parts it.
        said += [*before, (draw.cut(last, FOLDED) if badged else last.rstrip(" ·"), style), ("   ", "")]
    return Fixed("today:folded", ((" ▸ ", "dim"), (_("Today") + "  ", "head"), *said), value=TodayGoal("today.unfold"))


def _make_row(key: str, label: str, said: Sequence[Piece], hint: str, goal: TodayGoal, style: str = "dim") -> Fixed:
    right = ((f"  {hint} ", "accent" if len(hint) < 2 or hint == "esc" else "faint"),) if hint else ((" ", ""),)
    return Fixed(f"today:{key}", ((f" {draw.pad(label, LABEL)} ", style), *said), right, goal)


LABEL = 9
"""Cells of the word that a row begins with."""


def _tell_learned(context: PaneContext, news: DayNews) -> list[Piece]:
    number = news.learned.total()
    if not number:
        return [(_("nothing new this week"), "dim")]
    told = _("{count}+ this week") if news.more else _("{count} this week")
    pieces: list[Piece] = [(told.format(count=number), "bold")]
    by: Counter[Piece] = Counter()
    for home, count in news.learned.items():
        if badge := context.badges.get(home):
            by[badge] += count
    for (letters, style), count in by.most_common():
        pieces += [("  ", ""), (letters, style), (f" {count}", "")]
    return pieces


def _tell_newest(news: DayNews | None) -> list[Piece]:
    if news is None or not news.learned:
        return []
    return [("   ", ""), (paint.make_headline(news.latest[0]), "dim")]


def _age_of(news: DayNews | None) -> str:
    return _format_age(news.latest[0]) if news is not None and news.learned else ""


def _format_age(memory: Memory) -> str:
    return clock.format_age(paint.choose_time(memory) or memory.modified)


def _list_todos(board: Board | None) -> list[Fixed]:
    """What is to be done and stands in no box, for rows that nothing else needs."""
    found = [] if board is None else board.todos
    return [
        _make_row(
            f"todo:{one.id}",
            "" if number else _("to do"),
            [("☐ ", "dim"), (paint.make_headline(one), "")],
            _format_age(one) if paint.choose_time(one) else "",
            TodayGoal(place=(one.home, one.path, one.start)),
        )
        for number, one in enumerate(found)
    ]


def _list_latest(news: DayNews | None) -> list[Fixed]:
    """What was learned last, without what the row of this week says already."""
    found = [] if news is None else news.latest[bool(news.learned) :]
    return [
        _make_row(
            f"latest:{one.id}",
            "" if number else _("latest"),
            [(paint.make_headline(one), "")],
            _format_age(one),
            TodayGoal(place=(one.home, one.path, one.start)),
        )
        for number, one in enumerate(found)
    ]


def _tell_changed(context: PaneContext, news: DayNews) -> list[Piece]:
    if news.since is None:
        return []
    ago = clock.format_age(news.since) or clock.format_age(clock.now())
    if not news.changed:
        return [(_("nothing since you last looked, {age} ago").format(age=ago), "dim")]
    number = len(news.changed)
    told = _n("{count} file since you last looked, {age} ago", "{count} files since you last looked, {age} ago", number)
    pieces: list[Piece] = [(told.format(count=number, age=ago), "bold")]
    for home, path in news.changed[:4]:
        badge = context.badges.get(home, ("", ""))
        pieces += [
            ("   ", ""),
            badge,
            (" " if badge[0] else "", ""),
            (draw.clip_to_line(shorten_slug_path(path)), "dim"),
        ]
    return pieces


def _list_decisions(context: PaneContext, learned: LearningSummary, most: int, *, waiting: bool) -> list[Fixed]:
    """What a person would decide first: of each sort of candidates one, then what goes wrong again and again."""
    if waiting:
        return [_make_row("decide", _("decide"), [("…", "faint")], "", TodayGoal("view.5"))]
    candidates = [one for one in context.waiting.candidates if one.origin != "secret"]
    # That sessions had errors is a count, which view 4 has; what they stumbled over can be decided on.
    grave = [row for row in learned.signals if row.pattern.about and row.pattern.priority in {"critical", "high"}]
    sorts: dict[str, Candidate] = {}
    for one in candidates:
        sorts.setdefault(one.origin, one)
    chosen = [*sorts.values(), *(one for one in candidates if one not in sorts.values())]
    chosen = chosen[: max(most - bool(grave), 1)]
    rows: list[Fixed] = []
    for one in chosen:
        word = _(paint.ORIGIN_WORDS.get(one.origin, one.origin))
        said = paint.strip_line(draw.clip_to_line(one.said))
        pieces = [*_draw_badge(context, one.home), (word + _(": "), "accent"), (said, "")]
        rows.append(_make_row(one.id, "" if rows else _("decide"), pieces, "5", TodayGoal("view.5", candidate=one.id)))
    for row in grave[: most - len(rows)]:
        pattern = row.pattern
        often = _("{count} of the last {window} sessions").format(count=pattern.count, window=pattern.window)
        pieces = [*_draw_badge(context, row.home), (name_pattern(pattern), "bad"), (f"  {often}", "dim")]
        rows.append(_make_row(row.key, "" if rows else _("decide"), pieces, "4", TodayGoal("view.4")))
    if not rows:
        # What is not listed above is told as the warning below.
        left = context.waiting.number
        told = _("only what the warning says") if left else _("nothing waits for you")
        rows = [_make_row("decide", _("decide"), [(told, "dim")], "5" if left else "", TodayGoal("view.5"))]
    elif (number := context.waiting.number) > len(chosen):
        first = rows[0]
        told = _("{shown} of {all}").format(shown=len(chosen), all=number)
        rows[0] = first._replace(right=((f"  {told} ", "faint"), *first.right))
    return rows


_AFTER_BADGE: Piece = (" ", "")
FOLDED = 40
"""Cells of what a row says where all of them stand in one line."""


def _draw_badge(context: PaneContext, home: str) -> list[Piece]:
    badge = context.badges.get(home)
    return [badge, _AFTER_BADGE] if badge else []


def _warn(context: PaneContext, news: DayNews, board: Board | None) -> tuple[str, TodayGoal] | None:
    """The gravest: a secret that anybody can read, then what is not read, then what agents do not read."""
    secrets = [one for one in context.waiting.candidates if one.origin == "secret"]
    if secrets:
        first = secrets[0]
        source = first.sources[0] if first.sources else None
        where = f"{source.path}:{source.line}" if source is not None else ""
        told = _("a secret stands in plain text in {place}").format(place=where or first.home)
        return told, TodayGoal("view.5", candidate=first.id)
    if news.trouble is not None:
        return news.trouble
    if board is not None and board.fullest is not None and board.fullest[1].share > 1:
        whose, used = board.fullest
        told = _("{whose} MEMORY.md is over its budget ({used}): agents do not read the rest")
        return told.format(whose=whose, used=format_budget(used)).strip(), TodayGoal("view.1")
    return None
