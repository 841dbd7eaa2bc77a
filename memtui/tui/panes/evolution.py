"""4 Evolution: signals, effects and capabilities, from what a home's evolution directory holds."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from memtui.locale import _
from memtui.model import Filter, Layer, Memory
from memtui.tui import draw, paint, recurring, sections
from memtui.tui.effects import EVENTS, Effect, effect_row, effects, spoken
from memtui.tui.fields import rule
from memtui.tui.items import Fixed
from memtui.tui.panes.layer_view import LayerView
from memtui.tui.sections import Section

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Callable

    from memtui.model import Status
    from memtui.tui.context import Context
    from memtui.tui.draw import Piece
    from memtui.tui.items import Brush
    from memtui.tui.panes.listing import Listing, Wanted

LESSONS = 2000
"""Memories among which the words of an experience are looked for."""

GROUPS = (
    ("signals", "Signals", frozenset({"signal"})),
    ("effects", "Effects", frozenset({"event", "outcome"})),
    ("skills", "Capabilities", frozenset({"capability", "state"})),
)
"""What one comes for, before everything that was written on the way: key, name (a source string), kinds."""


class EvolutionView(LayerView):
    """Signals, the gravest first; what experiences did; capabilities; and every event, read as what it refers to."""

    view: ClassVar[str] = "evolution"
    number: ClassVar[str] = "4"
    title: ClassVar[str] = "Evolution"
    layers: ClassVar[tuple[Layer, ...]] = (Layer.EVOLUTION,)

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self.chosen = GROUPS[0][0]
        self._known_at: tuple[int, int] | None = None
        self._effects: dict[str, Effect] = {}
        self._lessons: dict[str, Memory] = {}
        self._events: dict[str, Memory] = {}

    def paint(self, item: Memory, brush: Brush) -> list[list[Piece]]:
        """Day, time, kind, text; of an event, what the experience says that it refers to."""
        if recurring.counted(item):
            return recurring.signal(item, brush)
        lesson = self._lesson(item.entities[0]) if item.kind == "event" and item.entities else None
        return paint.timed(item, brush, text=paint.headline(lesson) if lesson else "")

    def parts(self, counts: Counter[tuple[str, Layer, str, Status]], within: Filter) -> list[Section]:
        """Signals, effects and capabilities first, then everything, by home, kind and status."""
        plain = super().parts(counts, within)
        self._learn()
        found = []
        for key, name, kinds in GROUPS:
            number = sections.standing({k: n for k, n in counts.items() if k[2] in kinds}, within)
            number = len(self._effects) if key == "effects" else number
            if number:
                found.append(Section(key, _(name), "bold", number, _of(kinds)))
        if self.chosen in {key for key, _name, _kinds in GROUPS} - {part.key for part in found}:
            self.chosen = found[0].key if found else "all"
        plain[0] = plain[0]._replace(label=_("Everything"))
        return [*found, *plain]

    def arranged(self, listing: Listing, wanted: Wanted) -> Listing:
        """Signals by gravity; in place of events, the effect of what they refer to."""
        if listing.section.key == "effects":
            words = listing.words.lower().split()
            rows = [effect_row(effect, 9, self._lessons) for effect in self._effects.values()]
            listing.refs = [row for row in rows if all(word in _text(row) for word in words)]
            listing.total, listing.by = len(rows), "effect"
            listing.at = next((n for n, row in enumerate(listing.refs) if row.key == wanted.held), None)
        elif listing.section.key == "signals":
            known = listing.known = self.context.load(listing.refs)
            listing.refs, listing.by = (
                sorted(listing.refs, key=lambda ref: recurring.gravity(known[ref])),
                "gravity",
            )
            listing.at = next(
                (n for n, ref in enumerate(listing.refs) if (m := known[ref]) and m.id == wanted.held), None
            )
        return listing

    def _learn(self) -> None:
        """Work out what experiences did, where anything has changed since. On a reader's thread."""
        vault, scope, stamp = self.context.vault, self.context.scope, self.context.stamp
        if stamp == self._known_at:
            return
        events = [m for m in vault.load(vault.ids(scope(self.layers, {"event", "outcome"}))[:EVENTS]) if m]
        refs = [*vault.ids(scope((Layer.CORE,))), *vault.ids(scope((Layer.KNOWLEDGE,), {"rule", "lesson"}))]
        self._lessons = spoken(memory for memory in vault.load(refs[:LESSONS]) if memory)
        self._events = {m.entities[0]: m for m in reversed(events) if m.kind == "event" and m.entities}
        self._effects = {effect.experience: effect for effect in effects(events)}
        self._known_at = stamp

    def memory(self) -> Memory | None:
        """Of an effect: what the experience says, or else the newest event that refers to it."""
        item = self.middle.current
        if isinstance(item, Fixed) and isinstance(item.value, Effect):
            name = item.value.experience
            return self._lesson(name) or self._events.get(name)
        return super().memory()

    def _lesson(self, experience: str) -> Memory | None:
        return self._lessons.get(experience.rpartition(":")[2])

    def below(self, memory: Memory, cells: int) -> list[list[Piece]]:
        """The effect of the experiences that an event names, or of the one that this is."""
        item = self.middle.current
        names = [item.value.experience] if isinstance(item, Fixed) else memory.entities
        mine = [self._effects[name] for name in names if name in self._effects]
        if not mine:
            return []
        rows = [effect_row(effect, 10, self._lessons) for effect in mine]
        return [[], rule(_("effect"), cells), *(draw.row(row.left, (), row.right, cells) for row in rows)]


def _text(row: Fixed) -> str:
    return "".join(piece[0] for piece in row.left).lower()


def _of(kinds: frozenset[str]) -> Callable[[Filter], Filter]:
    return lambda within: within._replace(kinds=kinds)
