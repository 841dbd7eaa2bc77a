"""Textual's own widgets, less what every key would pay for: layouts and grounds of the whole screen."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, Any

from textual.content import Content
from textual.geometry import Size
from textual.reactive import Reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.widget import Widget

if TYPE_CHECKING:
    from rich.style import Style
    from textual.geometry import Region


class Ground(Widget):
    """What others stand on. Textual asks for all of its lines whenever one is painted: they are all the same."""

    def render_lines(self, crop: Region) -> list[Strip]:
        """Empty lines."""
        strip = Strip.blank(crop.width, self.rich_style)
        _base, background = self.background_colors
        for line_filter in self.get_line_filters():
            strip = strip.apply_filter(line_filter, background)
        return [strip] * crop.height


class Scroller(ScrollView, inherit_bindings=False):
    """As long as what it shows. Textual lays the whole screen out anew when that changes; here it is done where it
    makes a difference: when the widget is as high as its text, and when the scrollbar comes or goes.

    Its keys are the actions': Textual's own would scroll a list away from under its cursor.
    """

    virtual_size = Reactive(Size(0, 0))

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        self._base: Style | None = None
        self._strips: OrderedDict[Any, Any] = OrderedDict()
        """Lines as they were drawn, by whatever they were drawn for."""
        super().__init__(id=id, classes=classes)

    def notify_style_update(self) -> None:
        """Its colours may be others now: they are looked up once, not for every line."""
        super().notify_style_update()
        self._base = None
        self._strips.clear()

    @property
    def base(self) -> Style:
        """The style of an empty cell."""
        if self._base is None:
            self._base = self.rich_style
        return self._base

    def forget_strips(self) -> None:
        """Everything looks different now: another theme, other words."""
        self._strips.clear()
        self.refresh()

    def watch_virtual_size(self, size: Size) -> None:
        """The scrollbar follows at once."""
        if self.styles.auto_dimensions:
            self.refresh(layout=True)
        else:
            self._scroll_update(size)

    def entitle(self, title: str, below: str = "") -> None:
        """What the frame says. It is painted only where that changes, and all that it holds with it."""
        if title != str(self._border_title or ""):
            self.border_title = Content(title)
        if below != str(self._border_subtitle or ""):
            self.border_subtitle = Content(below)
