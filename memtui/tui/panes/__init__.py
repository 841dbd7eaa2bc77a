"""The views, in the order of the tab line. To add one, write `panes/<name>.py` and one line in `PANES`: its key, its
tab and its line of help follow.

A view is imported when it is first shown: the first frame pays for one of them.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from memtui.core.locale import _

if TYPE_CHECKING:
    from memtui.core.model import Home


class OpenHomes(Protocol):
    """What is open, as far as an empty view asks; `PaneContext` is it."""

    labels: dict[str, Home]
    days: bool
    """Whether any home takes a note of today."""

    @property
    def only_reads(self) -> bool:
        """Whether none of what is shown may be written."""


class Tab(NamedTuple):
    """A view's place on the tab line."""

    view: str
    number: str
    title: str
    """A source string."""
    place: str
    """module:class"""
    about: str
    """What it shows, for the help (a source string)."""
    nothing: str = ""
    """What it says when it is empty (a source string)."""
    mend: str = ""
    """The action that enter does there."""
    unkept: str = ""
    """What it says where no home takes a note of today: enter does nothing then (a source string)."""
    holds: str = ""
    """What its box on Home is for, where no home is open (a source string)."""

    def describe_nothing(self, context: OpenHomes) -> str:
        """What it says when it is empty, in the person's language."""
        if not context.labels:
            return _("No memory home is open. Enter makes one of your own, in plain Markdown.")
        if self._needs_home(context):
            return _("Nothing here yet, and memtui only reads what is open. Enter makes a memory home of your own.")
        days = context.days
        return _(self.nothing if days or not self.unkept else self.unkept)

    def choose_mend(self, context: OpenHomes) -> str:
        """The action that enter does there; empty: none."""
        if not context.labels or self._needs_home(context):
            return "homes.make"
        return self.mend if context.days or not self.unkept else ""

    def _needs_home(self, context: OpenHomes) -> bool:
        """Whether what fills it is written by hand, and nothing that is open may be written."""
        return context.only_reads and not self.unkept and self.mend in {"file.profile", "item.new"}


PANES: tuple[Tab, ...] = (
    Tab(
        "home",
        "0",
        "Home",
        "memtui.tui.panes.home_pane:HomeView",
        "Profile, facts, timeline and evolution, side by side",
    ),
    Tab(
        "profile",
        "1",
        "Profile",
        "memtui.tui.panes.profile_pane:ProfileView",
        "What is known about the user: L0 and core memory, with its budget",
        "No profile here yet, and no MEMORY.md with more than links. Enter edits or begins one; `memtui homes` says "
        "where they are looked for.",
        "file.profile",
        holds="Who you are and how you like things done, as your agents wrote it down",
    ),
    Tab(
        "facts",
        "2",
        "Facts",
        "memtui.tui.panes.layer_view:FactsView",
        "L1: facts, rules, summaries, patterns and tools",
        "No facts here yet. Enter writes the first one, agents write more; w says which homes are shown.",
        "item.new",
        holds="What they know of your projects: decisions, rules, lessons",
    ),
    Tab(
        "timeline",
        "3",
        "Timeline",
        "memtui.tui.panes.timeline_pane:TimelineView",
        "Sessions and journal, by day",
        "No sessions and no journal here yet. They appear as agents work; enter notes something for today.",
        "item.new",
        "No sessions here yet. They appear as agents work.",
        "What they did, day by day",
    ),
    Tab(
        "evolution",
        "4",
        "Evolution",
        "memtui.tui.panes.evolution_pane:EvolutionView",
        "Signals, effects and capabilities",
        "No session signals yet. Enter installs hooks that analyze sessions when they end; B analyzes past ones.",
        "agents.install",
        holds="What went wrong more than once, and what helped",
    ),
    Tab(
        "review",
        "5",
        "Review",
        "memtui.tui.panes.review_pane:ReviewView",
        "What waits to be decided, and exactly what would be written",
        "Nothing waits to be decided. What agents note in their journals is proposed here once it has lasted.",
    ),
    Tab(
        "health",
        "6",
        "Health",
        "memtui.tui.panes.health_pane:HealthView",
        "Homes, freshness, and what could not be read",
    ),
    Tab("search", "/", "Search", "memtui.tui.panes.search_pane:SearchView", "Everything, as you type"),
)


def find_tab(view: str) -> Tab:
    """A view's tab. Raises KeyError for an unknown id."""
    return {tab.view: tab for tab in PANES}[view]


def load_pane_class(view: str) -> Any:
    """The class of a view. Raises KeyError for an unknown id."""
    module, _, name = find_tab(view).place.partition(":")
    return getattr(import_module(module), name)
