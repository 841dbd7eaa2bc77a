"""The views, in the order of the tab line. To add one, write `panes/<name>.py` and one line in `PANES`.

A view is imported when it is first shown: the first frame pays for one of them.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple, cast

if TYPE_CHECKING:
    from memtui.tui.panes.pane import Pane


class Tab(NamedTuple):
    """A view's place on the tab line."""

    view: str
    number: str
    title: str
    """A source string."""
    place: str
    """module:class"""


PANES: tuple[Tab, ...] = (
    Tab("home", "0", "Home", "home:HomeView"),
    Tab("profile", "1", "Profile", "profile:ProfileView"),
    Tab("facts", "2", "Facts", "facts:FactsView"),
    Tab("timeline", "3", "Timeline", "timeline:TimelineView"),
    Tab("evolution", "4", "Evolution", "evolution:EvolutionView"),
    Tab("health", "6", "Health", "health:HealthView"),
    Tab("search", "/", "Search", "search:SearchView"),
)


def pane_class(view: str) -> type[Pane]:
    """The class of a view. Raises KeyError for an unknown id."""
    module, _, name = {tab.view: tab.place for tab in PANES}[view].partition(":")
    return cast("type[Pane]", getattr(import_module(f"memtui.tui.panes.{module}"), name))
