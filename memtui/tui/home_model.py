"""What Home shows: rows for each of its boxes, how many there are of everything, and what was learned from use.

First the budget of a MEMORY.md: agents read its first 200 lines or 25 KB, whichever ends first, and nothing
beyond; the config sets it for a person's own agents (`budget.lines`, `budget.kilobytes`). Then the boards. What
was learned takes longer and is read by itself. No widget here.
"""

from __future__ import annotations

from collections import Counter
from functools import cache, partial
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

from rich.cells import cell_len

from memtui.core import clock
from memtui.core.locale import _, _n
from memtui.core.model import Filter, Layer, Memory, Status
from memtui.layouts.trace_sources import has_transcripts
from memtui.layouts.tracks import name_owner, shorten_slug_path
from memtui.store.happenings import LOGGED, find_plans, find_releases, is_unreleased, load_plans
from memtui.store.session_ids import drop_summarized_transcripts
from memtui.tui import calendar as days_module
from memtui.tui import choosing, draw, evolution_model, paint
from memtui.tui.bars import Filling, describe_left_out, measure_filling
from memtui.tui.calendar import Day
from memtui.tui.choosing import Profile
from memtui.tui.evolution_model import All
from memtui.tui.rating import is_slight, rate_file
from memtui.tui.row_list import Fixed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from memtui.core.config import BudgetConfig
    from memtui.core.model import Home
    from memtui.tui.choosing import Place, Shelf
    from memtui.tui.context import PaneContext
    from memtui.tui.draw import Piece
    from memtui.tui.rating import Neighbourhood

STEPS = 10


class FileBudget(NamedTuple):
    """How much of it one file uses."""

    lines: int
    size: int
    """Bytes."""
    most: int
    """Lines that are read."""
    room: float
    """Kilobytes that are read."""

    @property
    def share(self) -> float:
        """1.0: full."""
        return max(self.lines / self.most, self.size / 1024 / self.room)


def is_budgeted(path: str) -> bool:
    """Whether agents read this file by the budget."""
    return path.endswith("MEMORY.md")


def measure(text: str, limits: BudgetConfig) -> FileBudget:
    """The budget of a file by its text."""
    lines = text.count("\n") + (not text.endswith("\n") if text else 0)
    return FileBudget(lines, len(text.encode("utf-8", "surrogateescape")), limits.lines, limits.kilobytes)


def draw_budget_gauge(budget: FileBudget) -> list[Piece]:
    """▰▰▰▱▱▱▱▱▱▱ 61 / 200 lines · 7.4 / 25 KB"""
    share = budget.share
    full = min(STEPS, round(share * STEPS))
    style = "bad" if share > 1 else "warn" if share > 0.8 else "ok"
    words = _("{lines:,} / {most} lines · {size:,.1f} / {room:g} KB").format(
        lines=budget.lines, most=budget.most, size=budget.size / 1024, room=budget.room
    )
    return [("▰" * full, style), ("▱" * (STEPS - full), "faint"), (f" {words}", "dim")]


def explain_over_budget() -> list[Piece]:
    """What it means that a file is over: on a line of its own, so that no frame is too narrow for it."""
    return [(_("over: the rest is not read"), "bad")]


def format_budget(budget: FileBudget) -> str:
    """238 / 200 lines; or the bytes, where they are the fuller of the two."""
    if budget.size / 1024 / budget.room > budget.lines / budget.most:
        return _("{size:,.1f} / {room:g} KB").format(size=budget.size / 1024, room=budget.room)
    return _("{lines:,} / {most} lines").format(lines=budget.lines, most=budget.most)


TODOS = 3
"""Things to do that are told where the strip over the boxes has rows to spare."""
FILES = 3
"""Files that stand in the profile where there are so many."""
PENDING = 2
"""Rows of what is not released yet before those of days."""
FEW = 60
"""Memories read for a box: it shows what is newest; the view of its own has everything."""


PAGES, PAST = 3, 16
"""Pages of sessions and of plans that are read for the timeline, and as many in any case."""

SLOW = frozenset({"past", "known", "facts", "learned standing", "latest standing"})
"""What takes longest to read, and no save of a note changes."""

BRIEF = 4
"""Rows of the profile that its box has room for where the timeline has more to show."""

CROWDED = 2
"""Pages of facts from which some of their documents stand in the profile, where it has room."""

HEADED = 20
"""Rows of a box from which its files and days have rows of their own; in fewer a memory's row names its file or day,
and each row is one more memory."""


class Board:
    """What a reader brings back."""

    def __init__(self, *, filling: Filling | None, statuses: frozenset[Status]) -> None:
        self.filling = filling
        """How far an index has come that is still being built; None: none is."""
        self.rows: dict[str, list[Any]] = {}
        self.todos: list[Memory] = []
        """What is to be done, as far as no box shows it."""
        self.reports: list[Memory] = []
        """Signals that reports tell of."""
        self.noted: dict[str, list[Memory]] = {}
        """What else was noted of evolution, by its first kind."""
        self.counts: Counter[tuple[Layer, Status]] = Counter()
        self.days = 0
        """Plans and releases on the timeline, which are neither sessions nor notes."""
        self.used: dict[tuple[str, str], FileBudget] = {}
        """How full each MEMORY.md is, by its home and path."""
        self.fullest: tuple[str, FileBudget] | None = None
        """The MEMORY.md that is the fullest, and whose it is."""
        self.brief = False
        """There is too little for the profile's box to need the room of one."""
        self.personal = False
        """Some of what stands there is of the person."""
        self.silent = False
        """No home has conversations to learn from."""
        self._statuses = statuses

    def gauge(self, cells: int) -> str:
        """How full the fullest MEMORY.md is, as much of it as there is room for."""
        if self.fullest is None:
            return ""
        whose, used = self.fullest
        forms = ("".join(text for text, _style in draw_budget_gauge(used)), format_budget(used))
        names = [f"{whose} MEMORY.md {form}".strip() for form in forms]
        # Of a home with a long name its end is seen, for how full its file is must be.
        room = cells - cell_len(f" MEMORY.md {forms[-1]}")
        short = f"{draw.clip_start(whose, room)} MEMORY.md {forms[-1]}" if whose and room > 6 else forms[-1]
        return next((name for name in names if cell_len(name) <= cells), short)

    def left_out(self, layers: Iterable[Layer]) -> str:
        """What of these layers is hidden."""
        wanted = set(layers)
        counts = {("", layer, "", status): n for (layer, status), n in self.counts.items() if layer in wanted}
        return describe_left_out(counts, Filter(statuses=self._statuses))

    def total(self, layers: Iterable[Layer], statuses: frozenset[Status] | None = None) -> int:
        """Memories of these layers, of the statuses that are shown or of those named."""
        wanted, standing = set(layers), self._statuses if statuses is None else statuses
        return sum(
            number
            for (layer, status), number in self.counts.items()
            if layer in wanted and (not standing or status in standing)
        )


class Boards:
    """Reads boards, on a reader's thread."""

    def __init__(self, context: PaneContext) -> None:
        self._context = context
        self._kept: dict[str, tuple[tuple[Any, ...], Any]] = {}
        """What was read of some layers, behind what it was read for."""
        self._filling = False

    def read(
        self,
        few: int,
        pages: Mapping[str, int],
        held: str = "",
        begun: Callable[[Board], None] = lambda _board: None,
        *,
        whole: bool = False,
    ) -> Board:
        """Everything Home shows, with at most `few` memories for each kind of row; `pages` says how many rows of a box
        are seen, `held` which memory the cursor holds on to. `begun` gets the board when the rows of the profile stand
        on it: they take a tenth of the time. Unless the `whole` of it is wanted, what a build adds to other boxes than
        that of notes is left for later. On two threads at most, one of which reads the whole.
        """
        context = self._context
        context.look_at_days()
        board = self._begin()
        most = max(few, pages["facts"])
        standing = (Layer.PROFILE, Layer.CORE, Layer.KNOWLEDGE)
        todos = self.keep("due", (*standing, Layer.JOURNAL), lambda: choosing.open_todos(context))
        days = choosing.list_note_days(context, todos)
        given = (few, *days, *pages.values(), *((one.id, one.text) for one in todos))
        profile, facts, board.used, board.fullest, board.brief, board.personal = self.keep(
            "known", standing, lambda: self._known(board, most, pages, todos, days, begun), *given, whole=whole
        )
        board.rows["profile"] = profile
        page = pages["timeline"]
        # Each of them is a file of its own.
        told = min(few, max(PAST, PAGES * page))
        past, board.days = self.keep(
            "past", (Layer.SESSION, Layer.KNOWLEDGE), lambda: self._past(told), told, whole=whole
        )
        before = self._kept["notes"][1] if "notes" in self._kept else {}
        notes = self.keep("notes", (Layer.JOURNAL,), lambda: days_module.choose_notes(context, page, before), page)
        board.rows["timeline"] = _by_day(past, notes.values(), page, held)
        shown = sum(isinstance(row, Memory) for row in board.rows["timeline"])
        board.rows["timeline"] += _tell_left(
            "timeline", board.total((Layer.SESSION, Layer.JOURNAL)) + board.days - shown
        )
        # What is seen elsewhere is not said again.
        elsewhere = chain(profile, board.rows["timeline"][:page])
        seen = {one.id for one in elsewhere if isinstance(one, Memory)}
        known = seen.intersection(one.id for one in facts)
        facts = self.keep(
            "facts",
            standing,
            lambda: choosing.choose_facts(context, facts, most, pages["facts"], known),
            known,
            facts,
            most,
            pages["facts"],
            whole=whole,
        )
        board.rows["facts"] = [*facts, *_sum(board)]
        seen |= {one.id for one in facts[: pages["facts"]]}
        board.todos = [one for one in todos if one.id not in seen][:TODOS]
        self._add_signals(board, few)
        return board

    def _begin(self) -> Board:
        """A board without rows."""
        context = self._context
        filling = measure_filling(context.vault.progress())
        self._filling = filling is not None
        board = Board(filling=filling, statuses=context.scope().statuses)
        for (_home, layer, _kind, status), number in context.vault.counts(context.scope()).items():
            board.counts[layer, status] += number
        among = (home for home in context.vault.homes if not context.homes or str(home.path) in context.homes)
        board.silent = not any(has_transcripts(home.layout) for home in among)
        return board

    def _add_signals(self, board: Board, few: int) -> None:
        board.reports = sorted(
            filter(evolution_model.has_happened, self._newest(few, (Layer.EVOLUTION,), ("signal",))),
            key=evolution_model.rank_gravity,
        )
        for kinds in (("capability",), ("note", "signal"), ("event", "outcome")):
            found = self._newest(few, (Layer.EVOLUTION,), kinds)
            board.noted[kinds[0]] = [item for item in found if not evolution_model.is_counted_signal(item)][:20]

    def keep(
        self, name: str, layers: tuple[Layer, ...], read: Callable[[], Any], *given: object, whole: bool = False
    ) -> Any:
        """What is read of these layers, once for as long as nothing of them changes: a save is mostly of one layer.

        Unless it is `whole`, what takes longest is not read for what a build adds.
        """
        marks = self._context.vault.layer_marks(layers)
        # What is over by now is seen at the clock alone.
        wanted = (marks, given, self._context.serial, int(clock.now() // 60))
        held = self._kept.get(name)
        if held and self._filling and not whole and name in SLOW and held[0][1:] == wanted[1:]:
            return held[1]
        if held is None or held[0] != wanted or not all(marks):
            held = self._kept[name] = wanted, read()
        return held[1]

    def _known(
        self,
        board: Board,
        most: int,
        pages: Mapping[str, int],
        due: Sequence[Memory],
        days: Sequence[str],
        begun: Callable[[Board], None],
    ) -> tuple[Any, ...]:
        """Rows of the profile, facts in their order, and how full core memory is."""
        # Two boxes choose among them.
        files = cache(partial(choosing.find_files, self._context))
        essential = cache(partial(choosing.list_essential_shelves, self._context, files))
        own = choosing.list_profile_shelves(self._context)
        setting = choosing.look_around(own, days)
        # What has room in the box of facts stands there.
        crowded = board.total((Layer.KNOWLEDGE,)) > CROWDED * pages["facts"]
        documents = partial(choosing.list_document_shelves, self._context, files) if crowded else list
        profile = self._profile(board, pages["profile"], own, files, (essential, documents), setting)
        board.rows["profile"] = profile.rows
        begun(board)
        facts = choosing.rank_facts(self._context, most, profile, essential, due, setting)
        return profile.rows, facts, board.used, board.fullest, board.brief, board.personal

    def _past(self, few: int) -> tuple[list[Memory], int]:
        """Sessions, plans and releases; how many of them are neither sessions nor notes."""
        context = self._context
        sessions = drop_summarized_transcripts(self._newest(few, (Layer.SESSION,), ("session",)), context.home)
        vault, scope = context.vault, context.scope()
        plans, releases = find_plans(vault, scope), list(find_releases(vault, scope))
        days = len(releases) + sum(not counted for counted in plans.values())
        return [*sessions, *load_plans(vault, scope, list(plans)[:few]), *releases], days

    def _newest(self, few: int, layers: tuple[Layer, ...], kinds: tuple[str, ...] = ()) -> list[Memory]:
        vault = self._context.vault
        refs = vault.ids(self._context.scope(layers, kinds), "time", limit=few)
        return [memory for memory in vault.load(refs) if memory is not None]

    def _whose(self, home: Home | None) -> str:
        """The home's name where there are several."""
        return self._context.name(home) if home is not None and len(self._context.labels) > 1 else ""

    def _profile(
        self,
        board: Board,
        page: int,
        own: Sequence[Shelf],
        files: Callable[[], Sequence[Place]],
        documents: tuple[Callable[[], list[Shelf]], Callable[[], list[Shelf]]],
        setting: Neighbourhood,
    ) -> Profile:
        """Rows of the person and of core memory, as many of each file as have room on the page; where these are few,
        of the documents that say what the project is.
        """
        person = cache(partial(choosing.list_person_shelves, self._context, files))
        self._measure(board, own)
        shelves = choosing.tell_once(own)
        if not any(map(choosing.is_about_person, shelves)):
            shelves = [*person(), *shelves]
        lessons = partial(choosing.list_lesson_shelves, self._context, files)
        essential, others = documents
        for more in (person, essential, lessons, others):
            # One long file does not fill the page while others say what the project is.
            full = sum(len(shelf.memories) + 1 for shelf in shelves) >= max(page, 2 * BRIEF + 2)
            if not full or (len(shelves) < FILES and more is not others):
                known = {choosing.place_of(shelf) for shelf in shelves}
                found = [shelf for shelf in more() if choosing.place_of(shelf) not in known]
                # Where there is nothing but topics they have a form of their own.
                shelves += choosing.tell(found) if shelves or more is not others else []
        shelves = choosing.tell_once(shelves) or choosing.list_topic_shelves(self._context)
        board.brief = sum(len(shelf.memories) for shelf in shelves) <= BRIEF
        board.personal = any(map(choosing.is_about_person, shelves))
        rates: dict[str, int] = {}
        for shelf in shelves:
            rates |= rate_file(shelf.memories, setting)
        headed = page >= HEADED
        taken = choosing.take_worthiest(shelves, rates, page, headed=headed)
        rows: list[Any] = []
        for shelf in shelves:
            some = sorted((one for one in taken if _of(shelf, one)), key=lambda one: one.start)
            if some:
                head = self._head(shelf, board, foreign=choosing.is_knowledge_shelf(shelf)) if headed else []
                rows += [*head, *some]
        mine = sum(one.layer in {Layer.PROFILE, Layer.CORE} for one in taken)
        rows += _tell_left("profile", board.total((Layer.PROFILE, Layer.CORE)) - mine)
        shown = frozenset(map(choosing.place_of, filter(choosing.is_knowledge_shelf, shelves)))
        told = {one.id for one in taken}
        untold = (one for shelf in shelves for one in shelf.memories if one.id not in told and not is_slight(one))
        # What a topic has beside its first lines stands under the topic.
        return Profile(rows, shown, [one for one in untold if one.kind not in paint.TOPICS], rates)

    def _head(self, shelf: Shelf, board: Board, *, foreign: bool) -> list[Fixed]:
        """The file's name; how full it is, where agents read only so much of it."""
        place = (str(shelf.home.path), shelf.outline.path)
        whose = "L1" if foreign else self._whose(shelf.home)
        title = " " + draw.clip_to_line(shorten_slug_path(place[1]))
        rows = [Fixed(place, ((title, "head"),), ((f" {whose} ", "faint"),), rest=False)]
        used = board.used.get(place)
        if used is not None and used.share > 1:
            rows.append(Fixed(("over", *place), (("   ", ""), *explain_over_budget()), rest=False))
        return rows

    def _measure(self, board: Board, shelves: Sequence[Shelf]) -> None:
        """How full each MEMORY.md is."""
        vault = self._context.vault
        for shelf in shelves:
            place = (str(shelf.home.path), shelf.outline.path)
            # Without its text the file is gone, and the index is about to know.
            if is_budgeted(place[1]) and (text := vault.text(*place)):
                used = board.used[place] = measure(text, vault.config.budget)
                if board.fullest is None or used.share > board.fullest[1].share:
                    board.fullest = self._whose(shelf.home) or name_owner(place[1]), used


def _of(shelf: Shelf, memory: Memory) -> bool:
    return (memory.home, memory.path) == (str(shelf.home.path), shelf.outline.path)


class LearningSummary(NamedTuple):
    """What was learnt from use, as far as Home shows it."""

    found: All = All(known=False)
    runs: Sequence[Any] = ()
    signals: Sequence[Any] = ()
    gates: Sequence[Any] = ()
    lessons: Sequence[Any] = ()


def read_learned(context: PaneContext, cancelled: Callable[[], bool]) -> LearningSummary:
    """Failures, the gravest signals, the next skill's gates, what experiences did. On a reader's thread, and slow."""
    found = evolution_model.read(context, cancelled, glance=True)
    signals = [row for row in evolution_model.list_problems(found) if row.pattern.status != "quiet"]
    lessons = evolution_model.list_lessons(found._replace(effects=found.effects[:8]))
    return LearningSummary(found, evolution_model.list_failure_runs(found), signals[:8], _gates(found), lessons)


def list_evolution_rows(board: Board, learned: LearningSummary) -> list[Any]:
    """What was learnt, as far as it is known by now, and what was noted."""
    reports = [memory for memory in board.reports if not evolution_model.is_reported_elsewhere(learned.found, memory)]
    rows: list[Any] = [*learned.runs, *learned.signals, *reports[: max(0, 8 - len(learned.signals))]]
    rows.sort(key=evolution_model.rank_row)
    if learned.gates:
        rows += [*([_blank("gates")] if rows else []), *learned.gates]
    if learned.lessons:
        rows += [_blank("effects")] if rows else []
        rows.append(Fixed("effects", ((" " + _("effect of what is remembered"), "dim"),), rest=False))
        rows += learned.lessons
    for kind, more in board.noted.items():
        if more:
            rows += [_blank(kind)] if rows else []
            rows += more
    return rows


def _gates(found: All) -> list[Fixed]:
    """next skill: 3 of 4 gates open · time since the last one 6 hours"""
    rows = []
    for learnt in evolution_model.list_learners(found)[:1]:
        gates = [row.gate for row in evolution_model.list_gates(learnt)]
        shut = [gate for gate in gates if not gate.open]
        number = _("{number} of {all} gates open").format(number=len(gates) - len(shut), all=len(gates))
        left = [(" " + _("next skill") + "  ", "dim"), (number, "warn" if shut else "ok")]
        if shut:
            left.append((f"  {draw.clip_to_line(shut[0].title)}{_(': ')}{draw.clip_to_line(shut[0].value)}", "dim"))
        signs = "☑" * (len(gates) - len(shut)) + "☐" * len(shut)
        rows.append(Fixed(f"gates:{learnt.home.path}", tuple(left), ((f" {signs} ", "dim"),), rest=False))
    return rows


def _tell_left(name: str, left: int) -> list[Fixed]:
    """Of a box that does not show all there is, how much more the view has."""
    words = _n("… and {count} more", "… and {count} more", left)
    return [Fixed(f"{name}:more", (("   " + words, "dim"),), rest=False)] if left > 0 else []


def _blank(key: str) -> Fixed:
    return Fixed(f"blank:{key}", (), rest=False)


def _sum(board: Board) -> list[Fixed]:
    """What there is besides the facts that hold."""
    facts = (Layer.KNOWLEDGE,)
    holding = Filter().statuses
    rest = [(status, board.total(facts, frozenset({status}))) for status in Status if status not in holding]
    told = [f"{number:,} {_(status.value)}" for status, number in rest if number]
    if not told:
        return []
    words = " · ".join([f"{board.total(facts, holding):,} " + _("active"), *told])
    return [_blank("facts"), Fixed("facts:sum", (("  " + words, "dim"),), rest=False)]


def _by_day(memories: Sequence[Memory], noted: Iterable[Day], page: int, held: str) -> list[Any]:
    """Newest first, under the name of each day, of its notes only so many that other days are seen, too; the
    bookkeeping of sessions (spec 004) is left to the view.
    """
    days: dict[tuple[bool, str], Day] = {}
    for day in noted:
        # Notes that stand as they did are shown again in their order; what was done that day is told anew.
        day.done, day.releases = [], []
        days[False, _name_day(day.notes[0])] = day
    for memory in memories:
        if not memory.kind.startswith("session_"):
            day = days.setdefault((is_unreleased(memory), _name_day(memory)), Day())
            (day.releases if memory.kind in LOGGED else day.done).append(memory)
    headed = page >= HEADED
    most = max(days_module.OF_A_DAY, page // max(1, len(days)) - headed)
    rows: list[Any] = []
    for (pending, name), day in sorted(days.items(), reverse=True):
        if len(rows) >= FEW:
            break
        # What has no day yet must not push the days out of sight.
        shown, left = day.choose(PENDING if pending and len(days) > 1 else most, held)
        shown.sort(key=lambda one: (-(paint.choose_time(one) or 0.0), _turn(one), *days_module.rank_day_file(one)))
        moment = paint.choose_time(shown[0])
        weekday = "  " + paint.name_weekday(clock.convert_to_local(moment).weekday()) if moment is not None else ""
        title = (" " + (name or (_("not released yet") if pending else _("no date"))), "head")
        told = _n("{count} more", "{count} more", left)
        right = ((told + " ", "faint"),) if left > 0 else ()
        head = [Fixed(("day", name), (title, (weekday, "dim")), right, rest=False)] if headed else []
        rows += [*head, *shown]
    return rows


def _name_day(memory: Memory) -> str:
    moment = paint.choose_time(memory)
    return clock.format_day(moment) if moment is not None else ""


def _turn(memory: Memory) -> int:
    """What was done stands before what was written about it."""
    return 2 if memory.layer is Layer.JOURNAL else int(memory.kind in LOGGED)
