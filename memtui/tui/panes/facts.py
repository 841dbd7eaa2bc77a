"""2 Facts: L1, by home, kind and status."""

from __future__ import annotations

from typing import ClassVar

from memtui.model import Layer
from memtui.tui.panes.layer_view import LayerView


class FactsView(LayerView):
    """Facts, rules, summaries, patterns, tools."""

    view: ClassVar[str] = "facts"
    number: ClassVar[str] = "2"
    title: ClassVar[str] = "Facts"
    layers: ClassVar[tuple[Layer, ...]] = (Layer.KNOWLEDGE,)
