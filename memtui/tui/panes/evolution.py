"""4 Evolution: signals, effects and capabilities, from what a home's evolution directory holds."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from memtui.locale import _
from memtui.model import Layer, Memory
from memtui.tui import draw, paint, recurring
from memtui.tui.effects import Effect, effect_row, effects
from memtui.tui.fields import rule
from memtui.tui.panes.layer_view import LayerView

if TYPE_CHECKING:
    from collections.abc import Callable

    from memtui.tui.context import Context
    from memtui.tui.draw import Piece
    from memtui.tui.items import Brush

EVENTS = 5000
"""Newest events that effects are worked out from."""


class EvolutionView(LayerView):
    """Events, reports and capabilities, each event with the effect of what it refers to."""

    view: ClassVar[str] = "evolution"
    number: ClassVar[str] = "4"
    title: ClassVar[str] = "Evolution"
    layers: ClassVar[tuple[Layer, ...]] = (Layer.EVOLUTION,)
    nothing: ClassVar[str] = (
        "Nothing has been learnt from sessions here yet: no evolution directory holds anything."
    )

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._effects: list[Effect] = []

    def paint(self, item: Memory, brush: Brush) -> list[list[Piece]]:
        """Day, time, kind, text."""
        return recurring.signal(item, brush) if recurring.counted(item) else paint.timed(item, brush)

    def reload(self, *, patience: float = 0.0) -> None:
        """The list, and the effects beside it."""
        super().reload(patience=patience)
        vault = self.context.vault

        def job(_cancelled: Callable[[], bool]) -> list[Effect]:
            refs = vault.ids(self.context.scope(self.layers, {"event", "outcome"}))[:EVENTS]
            return effects(memory for memory in vault.load(refs) if memory is not None)

        def show(found: list[Effect]) -> None:
            self._effects = found
            self.show_detail()

        self.context.reader.ask((self.view, "effects"), job, show)

    def below(self, memory: Memory, cells: int) -> list[list[Piece]]:
        """The effect of the experiences that an event names."""
        mine = [effect for effect in self._effects if effect.experience in memory.entities]
        if not mine:
            return []
        rows = [effect_row(effect, 10) for effect in mine]
        return [[], rule(_("effect"), cells), *(draw.row(row.left, (), row.right, cells) for row in rows)]
