"""4 Evolution: what changed, signals, failures, effects, skills and the report; each number down to its lines.

First `list_drilldown`, the rows that enter leads to and where each of them stands; then what a person says of
signals (seen to, left out of account, heeded again), a skill drafted, old sessions read; then the view.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, ClassVar

from textual.content import Content

from memtui.core import clock
from memtui.core.locale import _, _n
from memtui.core.model import Filter, Layer, Memory
from memtui.evolution import patterns, skill_proposals
from memtui.evolution import sessions_read as hearing
from memtui.evolution.audit import find_log_home
from memtui.safety.sanitize import sanitize_text
from memtui.store.consolidate_report import abbreviate_path
from memtui.tui import draw, evolution_model, evolution_rows, paint
from memtui.tui.evolution_model import All, FailureRun, GateRow, LessonRow, Line, Paper, ProblemRow, ShiftRow, Sitting
from memtui.tui.evolution_rows import describe_lesson, name_pattern
from memtui.tui.memory_verbs import ask
from memtui.tui.mutations import JUDGES
from memtui.tui.panes.layer_view import LayerView
from memtui.tui.panes.listing import ListSection
from memtui.tui.row_list import Brush, Fixed, LoadedRow, Rows
from memtui.tui.sheets import Prompt

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Callable, Hashable, Iterable, Sequence

    from memtui.core.model import Home, Status
    from memtui.evolution.audit import PatternStatus
    from memtui.store.candidates import Candidate
    from memtui.tui.context import PaneContext
    from memtui.tui.draw import Piece
    from memtui.tui.mutations import Hand
    from memtui.tui.panes.listing import Listing, Wanted

DRILLED = (ProblemRow, LessonRow, FailureRun, ShiftRow, GateRow)
"""What can be gone into."""


def has_depth(item: Any) -> bool:
    """Whether there is anything behind it: a switch that is on counts nothing."""
    return isinstance(item, DRILLED) and not (isinstance(item, GateRow) and not item.gate.counts)


def name(item: Any) -> str:
    """What it is called while one is in it."""
    match item:
        case ProblemRow():
            return name_pattern(item.pattern)
        case LessonRow():
            return describe_lesson(item)
        case FailureRun():
            return _("sessions")
        case GateRow():
            return _(item.gate.title)
    return _("what changed")


def list_drilldown(item: Any, found: All) -> list[Any]:
    """The sessions and lines behind a row; what can be opened of an experience first."""
    match item:
        case ShiftRow():
            whole = evolution_model.find_changed(found, item)
            return list_drilldown(whole, found) if whole is not None else []
        case ProblemRow():
            return _list_problem_rows(item)
        case GateRow():
            return [LoadedRow(row) for row in evolution_model.list_counted(item)]
        case FailureRun():
            return list(_list_loaded_rows(evolution_model.list_run_sittings(item)))
        case LessonRow():
            rows: list[Any] = [LoadedRow(row) for row in evolution_model.list_using_sittings(found, item.effect)]
            head = Fixed("head:used", ((" " + _("used in"), "head"),), rest=False)
            lesson: list[Any] = [LoadedRow(item.memory)] if item.memory is not None else []
            return [*lesson, head, *rows] if rows else lesson
    return []


def _list_problem_rows(item: ProblemRow) -> list[Any]:
    """Those of the window first; what the total counts besides comes after them."""
    overview = item.learnt.overview
    window = {one.session for one in item.pattern.sessions}
    rows: list[Any] = list(_list_loaded_rows(evolution_model.list_sittings(item, item.pattern.sessions)))
    before = [one for one in overview.sessions if one.session not in window]
    if older := list(_list_loaded_rows(evolution_model.list_sittings(item, before))):
        rows += [Fixed("head:before", ((" " + _("before that"), "head"),), rest=False), *older]
    return rows


def _list_loaded_rows(sittings: Iterable[Sitting]) -> Iterable[LoadedRow]:
    for sitting in sittings:
        yield LoadedRow(sitting)
        yield from map(LoadedRow, evolution_model.list_sitting_lines(sitting))


def place(item: Any) -> tuple[str, str, int] | None:
    """Home, path and line of what stands in a home's file; a transcript is read as a session."""
    if isinstance(item, Line) and item.signal.path and not _is_elsewhere(item):
        home = str(item.learnt.home.path)
        return home, item.signal.path.removeprefix(home).lstrip(os.sep), item.signal.line or 1
    if isinstance(item, Paper) and item.written:
        return str(item.home.path), evolution_model.REPORT, 1
    return None


def find_row_session(item: Any) -> tuple[str, int] | None:
    """The session that a row comes from, and the line of its transcript (0: any)."""
    if isinstance(item, Line):
        return item.heard.session, item.signal.line if _is_elsewhere(item) else 0
    return (item.session, 0) if isinstance(item, Sitting) else None


def _is_elsewhere(item: Line) -> bool:
    """Whether it stands in a transcript, or in no file of its home."""
    path = item.signal.path
    if path.endswith(".jsonl"):
        return True
    return os.path.isabs(path) and not path.startswith(os.path.join(str(item.learnt.home.path), ""))


SETTLES = frozenset({"resolve", "suppress", "draft"})


def why_not(view: EvolutionView, verb: str) -> str | None:
    """Why it cannot be said here, as a source string; None: ask as in any list."""
    if verb in SETTLES:
        return "" if view.problem() is not None else "There is no signal under the cursor."
    if verb in JUDGES and isinstance(view.item, LessonRow) and view.item.memory is None:
        return "What this refers to is missing."
    return None


def do(view: EvolutionView, hand: Hand, verb: str) -> bool:
    """Say it; False where it means here what it means everywhere."""
    problem = view.problem()
    if verb == "backfill":
        backfill(view, hand)
    elif problem is None or verb not in SETTLES:
        return False
    elif verb == "draft":
        draft(view, hand, problem)
    else:
        settle(view, hand, problem, "addressed" if verb == "resolve" else "suppressed")
    return True


def settle(view: EvolutionView, hand: Hand, problem: ProblemRow, status: PatternStatus) -> None:
    """Addressed or suppressed, with a reason if there is one; what is so already is heeded again."""
    pattern, home = problem.pattern, problem.learnt.home

    def write(status: PatternStatus, reason: str = "") -> None:
        hand.write(lambda: patterns.settle(hand.vault, home, pattern.key, status, reason), then=view.again)

    if pattern.status == status or (pattern.status == "suppressed" and status == "addressed"):
        write("active")
        return
    title = _("Resolved") if status == "addressed" else _("Ignore from now on")
    told = (
        draw.clip_to_line(pattern.key) + "\n" + patterns.explain_settling(pattern, status, hand.vault.config.evolution)
    )
    hint = _("Why? Enter alone gives no reason.")
    sheet = Prompt(title, told=told.strip(), hint=hint, placeholder=_("reason, or nothing"))
    ask(hand, sheet, lambda reason: write(status, reason))


def draft(view: EvolutionView, hand: Hand, problem: ProblemRow) -> None:
    """A skill against it, for Review; gates that are shut are named, and hold nobody up who asks for it."""
    home, key = problem.learnt.home, problem.pattern.key
    shut = [_(gate.title) for gate in problem.learnt.overview.gates if not gate.open]

    def job() -> Candidate:
        return skill_proposals.propose(hand.vault, home, key, force=True, who="person")

    def done(candidate: Candidate) -> None:
        """Say what was drafted, and which gates it passed by."""
        name = candidate.draft.title if candidate.draft is not None else candidate.text
        shown = _("drafted {name}").format(name=draw.cut(draw.clip_to_line(name), 40))
        said = [shown, _("5 shows it"), _("u undo")]
        if shut:
            gates = _(", ").join(map(draw.clip_to_line, shut))
            said.append(_n("gate still shut", "gates still shut", len(shut)) + _(": ") + gates)
        hand.screen.say(" · ".join(said))
        view.context.waiting.wanted = candidate.id
        view.context.waiting.again()
        view.again()

    hand.screen.say(_("drafting a skill …"))
    hand.writer.write(job, done, lambda error: hand.refuse(error, job=job))


def backfill(view: EvolutionView, hand: Hand) -> None:
    """Hear every session that stands in no log yet, home by home, while the screen goes on."""
    screen = hand.screen
    chosen = view.context.homes
    # Which sessions are in no log is looked up then: what was worked out before knows only those with a summary.
    homes = [home for home in hand.vault.own_homes if not chosen or str(home.path) in chosen]

    def tell(done: int, total: int) -> None:
        told = _("analyzed {done:,}/{total:,}").format(done=done, total=total)
        screen.reader.later(lambda: screen.say(told))

    def job(_cancelled: Callable[[], bool]) -> tuple[int, str]:
        number = sum(one(home) for home in homes)
        # An undo here knows the homes that are open: one that was made for the log is open from the next start on.
        kept = {find_log_home(home).path for home in homes} - {home.path for home in hand.vault.homes}
        return number, ", ".join(abbreviate_path(str(path)) for path in sorted(kept))

    def one(home: Home) -> int:
        return hearing.backfill(hand.vault, home, progress=tell, who="person")

    def done(found: tuple[int, str]) -> None:
        """Say how many those were, and how to take it back, or where it is noted."""
        number, places = found
        if not number:
            screen.say(_("Every session here has been analyzed already."))
            return
        told = _n("analyzed {count} past session", "analyzed {count} past sessions", number)
        where = _("noted in {place}").format(place=sanitize_text(places)) if places else _("u undo")
        screen.say(f"{sanitize_text(told)} · {where}")
        view.again()
        hand.changed()

    screen.say(_("analyzing past sessions …"))
    screen.reader.ask("backfill", job, done)


PARTS = (
    ("week", "This week"),
    ("signals", "Signals"),
    ("streak", "Failure streak"),
    ("effects", "Effects"),
    ("skills", "Capabilities"),
    ("report", "Report"),
)
"""What one comes for, before everything that was written on the way: key, name (a source string)."""

ORDERED = {"effects": "effect", "skills": "home", "report": "home"}
"""What rows are sorted by, where it is not how grave they are (source strings)."""

NONE = frozenset({"\0"})
"""Kinds of which there is nothing: the rows of these parts are made, not listed."""


class EvolutionView(LayerView):
    """Sections of what was learnt; enter goes from a number to what it counts, escape comes back."""

    badged: ClassVar[bool] = False
    view: ClassVar[str] = "evolution"
    title: ClassVar[str] = "Evolution"
    layers: ClassVar[tuple[Layer, ...]] = (Layer.EVOLUTION,)

    def __init__(self, context: PaneContext) -> None:
        super().__init__(context)
        self.chosen = "signals"
        self.found = All()
        self.known = False
        """Whether what was learnt is known by now: until then there is what was noted."""
        self._known_at: object = None
        self._fallen = False
        """Whether everything is shown only because nobody knew yet what was learnt."""
        self._made: dict[str, list[Any]] = {}
        self._within: list[Any] = []
        """What was gone into: the rows that list shows, innermost last."""

    # -- what there is ------------------------------------------------------------------------------------------

    def reload(self, *, patience: float = 0.0) -> None:
        """What was noted first; what was learnt takes longer, and comes when it is there."""
        super().reload(patience=patience)
        self.learn()

    def tick(self) -> None:
        super().tick()
        if self.display:
            self.learn()

    def learn(self) -> None:
        """Ask what was learnt, where anything has changed since."""
        stamp = (self.context.stamp, self.context.analyst.turns, int(clock.now() // 60))
        if stamp == self._known_at:
            return
        self._known_at = stamp

        def job(cancelled: Callable[[], bool]) -> tuple[All, dict[str, list[Any]]]:
            found = evolution_model.read(self.context, cancelled)
            return found, self._make_rows(found)

        def show(answer: tuple[All, dict[str, list[Any]]]) -> None:
            """Take over what was read, and show it where the view still stands."""
            self.found, self._made = answer
            self.known = self.found.known or bool(self.found.homes)
            if not self.is_mounted:
                return
            if self._fallen and not self.middle.touched and not self.typed:
                self.chosen = "signals"
                # The sections' cursor goes along, else it would choose its own again.
                self.query_one("#sections", Rows).held = None
            self._fallen = False
            super(EvolutionView, self).reload()

        self.context.reader.ask((self.view, "learnt"), job, show, key=self.context.serial, behind=True)

    def again(self) -> None:
        """Something was written that no index follows: work it out anew."""
        self.context.analyst.wake(now=True)
        self.show_analysis()

    def show_analysis(self) -> None:
        self._known_at = None
        if self.is_mounted:
            self.learn()

    def question(self) -> Hashable:
        return super().question(), tuple(map(_get_key, self._within)), self.known

    def _show(self, listing: Listing | None) -> None:
        wished = self.chosen
        super()._show(listing)
        self._fallen = self._fallen or (not self.known and self.chosen != wished)

    def _make_rows(self, found: All) -> dict[str, list[Any]]:
        """The rows of every part."""
        signals = [m for m in self._load_memories_of({"signal"}) if not evolution_model.is_reported_elsewhere(found, m)]
        told = sorted(filter(evolution_model.has_happened, signals), key=evolution_model.rank_gravity)
        others = [memory for memory in signals if not evolution_model.is_counted_signal(memory)]
        lessons, heard = evolution_model.list_lessons(found), evolution_model.list_problems(found)
        skills: list[Any] = []
        for learnt in evolution_model.list_learners(found):
            gates = evolution_model.list_gates(learnt)
            whose = f" · {self.context.name(learnt.home)}" if len(found.homes) > 1 else ""
            skills += _add_head(f"gates:{learnt.home.path}", _("on the way to a skill") + whose, gates)
        made = [skill for learnt in found.homes for skill in evolution_model.list_learnt_skills(learnt)]
        kept = [*self._load_memories_of({"capability"}), *self._load_memories_of({"state"})]
        skills += _add_head("made", _("skills that were made"), made) + _add_head(
            "kept", _("what was noted of skills"), kept
        )
        return {
            "week": [LoadedRow(row) for row in evolution_model.list_changes(found)],
            "signals": [
                *(LoadedRow(row) for row in heard if evolution_model.is_pending_problem(row)),
                *_add_head(
                    "settled",
                    _("resolved or inactive"),
                    [row for row in heard if not evolution_model.is_pending_problem(row)],
                ),
                *_add_head("told", _("imported from reports"), [*told, *others]),
            ],
            "streak": [LoadedRow(row) for row in evolution_model.list_failure_runs(found)],
            "effects": [LoadedRow(row) for row in lessons],
            "skills": skills,
            "report": [LoadedRow(row) for row in evolution_model.list_reports(self.context, found)],
        }

    def _load_memories_of(self, kinds: set[str]) -> list[Memory]:
        vault = self.context.vault
        found = vault.load(vault.ids(self.context.scope(self.layers, kinds)))
        return [memory for memory in found if memory is not None]

    def parts(self, counts: Counter[tuple[str, Layer, str, Status]], within: Filter) -> list[ListSection]:
        """What was learnt first, then everything, by home, kind and status."""
        plain = super().parts(counts, within)
        found = []
        for key, title in PARTS:
            number = sum(isinstance(row, LoadedRow) for row in self._made.get(key, ()))
            if number:
                stands = evolution_rows.summarize_section(key, self.found, self.context.vault.config.evolution)
                found.append(ListSection(key, _(title), "bold", number, _show_none, stands=stands))
        plain[0] = plain[0]._replace(label=_("Everything"))
        # What was learnt from sessions' files alone: "Everything 0" below it would be no truth.
        return [*found, *(plain[1:] if found and not plain[0].number else plain)]

    def arranged(self, listing: Listing, wanted: Wanted) -> Listing:
        """The rows of a part, or of what was gone into."""
        if self._within:
            rows = list_drilldown(self._within[-1], self.found)
        elif listing.section.key in self._made:
            rows = self._made[listing.section.key]
        else:
            return listing
        words = listing.words.lower().split()
        shown = [row for row in rows if not words or self._holds_words(row, words)]
        listing.refs, listing.total = shown, len(rows)
        listing.by = "time" if self._within else ORDERED.get(listing.section.key, "severity")
        listing.at = next((n for n, row in enumerate(shown) if _get_key(row) == wanted.held), None)
        if wanted.held is None:
            listing.at = 0
        return listing

    def _holds_words(self, row: Any, words: Sequence[str]) -> bool:
        if isinstance(row, Fixed):
            return False
        text = "".join(text for text, _style in self.paint(row.value, Brush(400))[0]).lower()
        return all(word in text for word in words)

    def paint(self, item: Any, brush: Brush) -> list[list[Piece]]:
        """What was learnt in its own way; of memories day, time, kind, text."""
        if not isinstance(item, Memory):
            return evolution_rows.draw_learnt_row(item, brush, self.context.vault.config.evolution)
        if evolution_model.is_counted_signal(item):
            return evolution_model.draw_signal_row(item, brush)
        lesson = self._find_lesson(item)
        return paint.draw_timed_row(item, brush, text=evolution_rows.describe_lesson(lesson) if lesson else "")

    def _find_lesson(self, event: Memory) -> LessonRow | None:
        """What an event refers to."""
        if event.kind != "event" or not event.entities:
            return None
        named = event.entities[0].rpartition(":")[2]
        return next(
            (
                row.value
                for row in self._made.get("effects", ())
                if row.value.effect.experience.rpartition(":")[2] == named
            ),
            None,
        )

    # -- beside the list ----------------------------------------------------------------------------------------

    @property
    def item(self) -> Any:
        """What the cursor is on."""
        return self.middle.current

    def memory(self) -> Memory | None:
        """Of an effect: what the experience says."""
        item = self.item
        return item.memory if isinstance(item, LessonRow) else super().memory()

    def show_detail(self) -> None:
        """A memory as everywhere; else where the number under the cursor comes from."""
        item, detail = self.item, self.detail()
        if detail is None or self.memory() is not None or item is None or isinstance(item, Fixed):
            super().show_detail()
            return
        self.context.reader.forget((self.view, "chain"))
        detail.memory = detail.chain = None
        found, config = self.found, self.context.vault.config.evolution
        detail.show(
            lambda cells: evolution_rows.draw_learnt_detail(item, found, config, cells),
            key=item.key,
            title=evolution_rows.label_learnt_row(item),
        )

    def below(self, memory: Memory, cells: int) -> list[list[Piece]]:
        """The effect of the experience that an event names, or that this is."""
        item = self.item
        lesson = item if isinstance(item, LessonRow) else self._find_lesson(memory)
        if lesson is None:
            return []
        return evolution_rows.draw_effect_detail(lesson, self.found, self.context.vault.config.evolution, cells)

    # -- going in and out ---------------------------------------------------------------------------------------

    def enter(self) -> bool:
        """From a number to what it counts."""
        detail = self.detail()
        item = self.item
        if not has_depth(item) or (detail is not None and detail.has_focus):
            return False
        self._within.append(item)
        self._ask(None, 0)
        return True

    def peel(self) -> bool:
        """Back to the row that was gone into."""
        if not self._within or self.screen.has_class("-zoom"):
            return False
        row = self._within.pop()
        self.focus_first()
        self._ask(row.key, 0)
        return True

    def on_rows_moved(self, event: Rows.Moved) -> None:
        """Another section leads out of whatever was gone into."""
        section = event.item.value if isinstance(event.item, Fixed) else None
        if (
            event.rows.id == "sections"
            and isinstance(section, ListSection)
            and event.rows.held not in {None, self.chosen}
        ):
            self._within.clear()
            self._fallen = False

    def tell(self) -> None:
        """The list's title says what was gone into."""
        super().tell()
        if self._within or (self.section is not None and self.section.key in self._made):
            label = self.section.label if self.section is not None else ""
            inner = " › ".join(draw.cut(name(row), 40) for row in self._within)
            number = sum(not isinstance(row, Fixed) for row in self.middle.items)
            told = f"{label} › {inner}" if inner else f"{label} · {number:,}"
            self.middle.border_title = Content(draw.clip_to_line(f"{_(self.title)} · {told}"))

    def source(self) -> tuple[str, str, int] | None:
        """The file that a line stands in."""
        return place(self.item)

    def origin(self) -> tuple[str, int] | None:
        """The session that a line was heard in."""
        return find_row_session(self.item)

    # -- verbs --------------------------------------------------------------------------------------------------

    def problem(self) -> ProblemRow | None:
        """The signal under the cursor, or that was gone into."""
        for item in (self.item, *reversed(self._within)):
            found = evolution_model.find_changed(self.found, item) if isinstance(item, ShiftRow) else item
            if isinstance(found, ProblemRow):
                return found
        return None

    def stage(self) -> object:
        """What is under the cursor decides which verbs apply."""
        found = self.problem()
        return type(self.item), found is not None and found.pattern.status, self.known

    def write(self, verb: str, hand: Hand) -> bool:
        return do(self, hand, verb)

    def why_not(self, verb: str) -> str | None:
        """What can be said of what is under the cursor, as far as it is known yet."""
        if not self.known and verb in SETTLES:
            return "Evolution is still being read."
        return why_not(self, verb)


def _add_head(key: str, title: str, rows: Sequence[Any]) -> list[Any]:
    """Rows under a head; nothing where there are none."""
    if not rows:
        return []
    return [Fixed(f"head:{key}", ((f" {title}", "head"),), rest=False), *map(LoadedRow, rows)]


def _get_key(row: Any) -> object:
    value = row.value if isinstance(row, LoadedRow) else row
    return getattr(value, "id", None) or value.key


def _show_none(within: Filter) -> Filter:
    return within._replace(kinds=NONE)
