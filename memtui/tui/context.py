"""What every pane is given: the vault, the readers, how things look, and what the person has chosen to see."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from memtui.analysis.analyst import Analyst
from memtui.model import Filter, Status
from memtui.tui.draw import one_line
from memtui.tui.waiting import Waiting

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from memtui.config import Config
    from memtui.model import Home, Layer, Memory
    from memtui.tui.executor import LatestOnlyExecutor
    from memtui.tui.faults import Faults
    from memtui.tui.look import Look
    from memtui.vault import Ref, Vault


@dataclass
class Context:
    """Shared by the screen and its panes. `serial` grows when the choice changes, so that panes know to ask again."""

    vault: Vault
    reader: LatestOnlyExecutor
    look: Callable[[], Look]
    say: Callable[[str], None]
    """A sentence in the status line."""
    config: Config
    homes: frozenset[str] = frozenset()
    """Paths of the homes that are shown; empty: all."""
    hidden: bool = False
    """Superseded, archived, deleted and expired memories are shown too."""
    serial: int = 0
    generation: int = 0
    """What the vault last said of itself. The screen's thread asks it nothing."""
    labels: dict[str, Home] = field(default_factory=dict)
    faults: Faults | None = None
    """What went wrong inside the app."""

    def __post_init__(self) -> None:
        self.labels = {str(home.path): home for home in self.vault.homes}
        self.analyst = Analyst(self.vault)
        self.waiting = Waiting(self)

    def choose(self, *, homes: Iterable[str] | None = None, hidden: bool | None = None) -> None:
        """Change what is shown."""
        if homes is not None:
            self.homes = frozenset(homes)
        if hidden is not None:
            self.hidden = hidden
        self.serial += 1

    def scope(
        self,
        layers: Iterable[Layer] = (),
        kinds: Iterable[str] = (),
        statuses: frozenset[Status] | None = None,
    ) -> Filter:
        """A filter within what the person has chosen to see."""
        standing = frozenset[Status]() if self.hidden else Filter().statuses
        return Filter(
            layers=frozenset(layers),
            kinds=frozenset(kinds),
            homes=self.homes,
            statuses=standing if statuses is None else statuses,
        )

    def load(self, refs: Iterable[Ref]) -> Mapping[Ref, Memory | None]:
        """The memories behind the references. Reads files: on a reader's thread only."""
        wanted = list(refs)
        return dict(zip(wanted, self.vault.load(wanted), strict=True))

    def home(self, path: str) -> Home | None:
        """The home of that path."""
        return self.labels.get(path)

    def name(self, home: Home) -> str:
        """A home's label as one safe line; with its layout, or its path, where others are labelled so, too."""
        alike = [other for other in self.labels.values() if other.label == home.label]
        if len(alike) < 2:
            return one_line(home.label)
        layouts = [other.layout for other in alike]
        return one_line(f"{home.label} ({home.layout if layouts.count(home.layout) == 1 else home.path})")

    @property
    def stamp(self) -> tuple[int, int]:
        """Changes when the vault or the choice did."""
        return self.generation, self.serial
