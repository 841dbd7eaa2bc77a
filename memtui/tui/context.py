"""What every pane is given: the vault, the readers, the theme, what the person chose; and the panes' messages.

`WaitingQueue` is what waits in Review, as every view knows it: read on a reader's thread, less what was just
decided.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from textual.message import Message

from memtui.analysis.analyst import Analyst
from memtui.core import clock
from memtui.core.edits import Draft
from memtui.core.model import Filter, Layer, Status
from memtui.layouts import can_take, load_badge, name_layout
from memtui.store import candidates
from memtui.tui.draw import clip_to_line, pad

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping

    from memtui.analysis.analyst import QueueState
    from memtui.core.config import Config
    from memtui.core.edits import Receipt
    from memtui.core.model import Home, Memory
    from memtui.store.candidates import Candidate, Queue
    from memtui.store.reading import MemoryRef
    from memtui.store.vault import Vault
    from memtui.tui.draw import Look, Piece
    from memtui.tui.executor import LatestOnlyExecutor
    from memtui.tui.faults import Faults


class VaultChanged(Message):
    """Memories changed somewhere. Only the newest counts: it carries the state, not the difference."""

    bubble = False

    def __init__(self, generation: int) -> None:
        self.generation = generation
        super().__init__()

    def can_replace(self, message: Message) -> bool:
        """A newer one makes an older one needless."""
        return isinstance(message, VaultChanged)


class Analysed(Message):
    """Something was worked out about memories, or is about to be."""

    bubble = False

    def can_replace(self, message: Message) -> bool:
        """A newer one makes an older one needless."""
        return isinstance(message, Analysed)


class Ready(Message):
    """A reader has its answer: `deliver` shows it, on the screen's own thread."""

    bubble = False

    def __init__(self, deliver: Callable[[], None]) -> None:
        self.deliver = deliver
        super().__init__()


class ActionClicked(Message):
    """Somebody clicked a name in a bar that stands for an action."""

    def __init__(self, action: str) -> None:
        self.action = action
        super().__init__()


class FileWanted(Message):
    """A row leads to a line of a file."""

    def __init__(self, home: str, path: str, line: int) -> None:
        self.home, self.path, self.line = home, path, line
        super().__init__()


class Arrival(NamedTuple):
    """What a person has just written or brought back, and the cursor goes to; no text: nothing."""

    text: str = ""
    home: str = ""
    path: str = ""
    """Its file; empty: nobody knows."""


class Stand(NamedTuple):
    """Where a person was: a view with what it showed, or a file or a session over it."""

    view: str
    kept: Mapping[str, Any]
    """What the view said of itself (`Pane.keep`)."""
    window: tuple[str, ...] = ()
    """('file', home, path, line) or ('session', id); empty: no window."""


class JumpList:
    """Places to go back to and forward again, as an editor has them."""

    MOST = 100

    def __init__(self) -> None:
        self._stands: list[Stand] = []
        self._at = 0
        """Where one is among them; at the end: at a place that is not among them yet."""

    @property
    def is_at_end(self) -> bool:
        """Whether one is at a place that is not among them yet."""
        return self._at == len(self._stands)

    def leave(self, here: Stand) -> None:
        """Somebody goes elsewhere: what was ahead is forgotten."""
        del self._stands[self._at :]
        if not self._stands or self._stands[-1] != here:
            self._stands.append(here)
        del self._stands[: -self.MOST]
        self._at = len(self._stands)

    def step(self, by: int, here: Stand) -> Stand | None:
        """The place before (-1) or after (1); None: there is none."""
        if by < 0 and self._at == len(self._stands) and self._stands:
            # Where one is now can be come back to.
            if self._stands[-1] != here:
                self._stands.append(here)
            self._at = len(self._stands) - 1
        if not 0 <= self._at + by < len(self._stands):
            return None
        self._at += by
        return self._stands[self._at]


SHARES = 0.5, 6
"""The least and the most that the text beside a list has of the width, in parts of which the list has three."""


class Whereabouts:
    """What a person chose to see, kept between starts outside every home; their searches, and where they were."""

    RECENT = 20
    LATELY = 1800.0
    """Seconds for which somebody who left is still at what they were doing: they come back to that very view."""
    ALWAYS = ("order", "seen")
    """What of a view is kept for longer."""

    def __init__(self, kept: Mapping[str, Any] | None = None) -> None:
        """`kept` is what `dump` gave at the end of an earlier start; what does not fit in it is left out.

        Whoever left longer ago than LATELY, or on another day, begins with Home and with the whole of each list: what
        is new is news then, and a filter of yesterday would hide it. How lists are sorted and laid out stays.
        """
        kept = kept if isinstance(kept, dict) else {}
        left, now = kept.get("left"), clock.now()
        lately = isinstance(left, int | float) and 0 <= now - left <= self.LATELY
        lately = lately and clock.format_day(cast("float", left)) == clock.format_day(now)

        def texts(name: str) -> list[str]:
            found = kept.get(name)
            return [one for one in found if isinstance(one, str)] if isinstance(found, list) else []

        self.view = kept["view"] if lately and isinstance(kept.get("view"), str) else ""
        views = kept.get("views")
        self.views: dict[str, Mapping[str, Any]] = (
            {
                name: one if lately else {key: one[key] for key in self.ALWAYS if key in one}
                for name, one in views.items()
                if isinstance(one, dict)
            }
            if isinstance(views, dict)
            else {}
        )
        self.hidden = kept.get("hidden") is True
        self.bare = kept.get("bare") is True
        """The sections are put away."""
        share = kept.get("share")
        self.share = share if isinstance(share, int | float) and SHARES[0] <= share <= SHARES[1] else 0
        """How much of the width the text has beside the list, in thirds of the list's; 0: as the view has it."""
        self.recent = texts("recent")
        self.pinned = texts("pinned")
        self.jumps = JumpList()

    def dump(self) -> dict[str, Any]:
        """It as JSON holds it."""
        names = ("view", "views", "hidden", "bare", "share", "recent", "pinned")
        return {"left": clock.now()} | {name: getattr(self, name) for name in names}

    def remember_search(self, text: str) -> None:
        """Somebody used it: it is the newest."""
        text = " ".join(text.split())
        if text:
            # What was typed on the way to it says nothing by itself.
            others = (one for one in self.recent if not text.startswith(one))
            self.recent = [text, *others][: self.RECENT]

    def pin_search(self, text: str) -> bool:
        """Keep it at the top, or no longer; answers with whether it is kept now."""
        text = " ".join(text.split())
        kept = text not in self.pinned
        self.pinned = [text, *self.pinned] if kept else [one for one in self.pinned if one != text]
        return kept


PAUSE = 0.4
"""Seconds after a decision before the queue is read again."""
TAKEN_BACK = 50
"""Decisions whose candidates are remembered for an undo."""
BEHIND = 20.0
"""Seconds that a queue which was worked out before a decision may go on without it."""


def read(context: PaneContext) -> QueueState | None:
    """The queue as it is known now, on a reader's thread; None: nobody has worked it out yet."""
    return context.analyst.load_queue(context.homes, rejected=context.hidden)


def stamp_candidates(context: PaneContext) -> object:
    """Changes whenever somebody proposes or decides, this app or another program: no index follows those records."""
    homes = context.vault.homes
    return candidates.stamp(homes), [candidates.stamp_stored(home) for home in homes]


class WaitingQueue:
    """The queue. What somebody decided leaves it at once; it comes back if it could not be written."""

    def __init__(self, context: PaneContext) -> None:
        self._context = context
        self.queue: Queue | None = None
        """None: nobody has worked it out yet."""
        self.total = 0
        """Of what waits, with what is not listed."""
        self.refused = 0
        """Facts that were not proposed."""
        self.at: float | None = None
        """When it was worked out; None: now."""
        self.wanted = ""
        """The id of the candidate that Review is to stand on when it is shown."""
        self._changed: list[Callable[[], None]] = []
        self._later: Callable[[float, Callable[[], None]], object] = lambda _seconds, _then: None
        self._stamp: object = None
        self._number = 0
        self.busy = self._settling = False
        self._whole = False
        """Whether all of it was worked out once since the start."""
        self._kept: object = None
        self._written: list[tuple[frozenset[str], list[tuple[int, Candidate]]]] = []
        """Of each of the last decisions: the ids of its writes, and its candidates, each with its place in the list."""
        self._leaving: dict[str, tuple[int, Candidate]] = {}
        """By id, what is on its way to the disk."""
        self._returned: dict[str, tuple[int, Candidate, float]] = {}
        """By id, what an undo brought back at a time: a queue that was worked out before has to do without it."""
        self._decided: dict[str, tuple[int, float] | None] = {}
        """Ids of what was decided -> how often the queue had been asked for when it was written, and when that was;
        None: not yet."""

    def start(self, later: Callable[[float, Callable[[], None]], object]) -> None:
        """Look from now on; `later` calls back after some seconds."""
        self._later = later
        self.look()

    def follow(self, changed: Callable[[], None]) -> None:
        """Have `changed` called when it is another queue."""
        self._changed.append(changed)

    @property
    def candidates(self) -> list[Candidate]:
        """What waits, less what was decided."""
        found = list(self.queue.waiting) if self.queue is not None else []
        listed = {candidate.id for candidate in found}
        # As an undo goes back: each place is one among what waited when it was decided.
        for place, candidate, _time in self._returned.values():
            if candidate.id not in listed:
                found.insert(place, candidate)
        return [candidate for candidate in found if candidate.id not in self._decided]

    @property
    def number(self) -> int:
        """How many wait, those that are not listed among them."""
        found = self.queue.waiting if self.queue is not None else []
        return max(0, self.total - len(found)) + len(self.candidates)

    @property
    def is_whole(self) -> bool:
        """Whether all of it was worked out once since the start: before that, what is not in it says nothing."""
        return self._whole

    @property
    def unsure(self) -> bool:
        """Whether it is too early to say that nothing waits: not every home has been looked at yet."""
        return self.queue is None or not (self.number or self._whole)

    def look(self) -> None:
        """Read it again if anything has changed since."""
        stamp = (self._context.stamp, self._context.analyst.turns)
        if self.busy or self._stamp == stamp or (self.queue is not None and (self._leaving or self._settling)):
            # What is being decided is read in one go when it is written.
            return
        self.busy, self._stamp = True, stamp
        self._number += 1
        number = self._number

        def job(_cancelled: Callable[[], bool]) -> QueueState | None:
            """Whether it is the whole is asked first: what is finished meanwhile is read as well."""
            try:
                self._kept = stamp_candidates(self._context)
                worked_out = self._whole or self._is_worked_out()
                found = read(self._context)
                self._whole = worked_out
                return found
            finally:
                self.busy = False

        def show(found: QueueState | None) -> None:
            """Take it, less what was decided since it was worked out."""
            if found is not None:
                self.queue, self.total, self.refused, self.at = found
                listed = {candidate.id for candidate in found.queue.waiting}
                # A queue that was worked out before the write still has it; of some home, an old one may stay.
                worked_out = clock.now() - BEHIND if found.at is None else max(found.at, clock.now() - BEHIND)
                self._returned = {known: item for known, item in self._returned.items() if worked_out < item[2]}
                self._decided = {
                    known: told
                    for known, told in self._decided.items()
                    if told is None or told[0] >= number or (known in listed and worked_out < told[1])
                }
            self._tell()
            self.look()

        self._context.reader.ask("waiting", job, show, key=self._context.serial, behind=True)

    def _is_worked_out(self) -> bool:
        """Whether what is known is of whole indexes, and nothing is still to come. On a reader's thread."""
        analyst = self._context.analyst
        left = analyst.busy or analyst.behind
        return not left and not any(home.building for home in self._context.vault.progress())

    def listen(self) -> None:
        """Look whether another program proposed or decided something since; from time to time."""
        if self.queue is None or self.busy or self._settling:
            return

        def show(found: object) -> None:
            if found != self._kept and not self.busy:
                self._context.analyst.wake(now=True)
                self._stamp = None
                self.look()

        self._context.reader.ask("kept", lambda _cancelled: stamp_candidates(self._context), show)

    def decide(self, ids: Iterable[str]) -> None:
        """These are decided: they are on their way to the disk."""
        wanted = set(ids)
        places = {item.id: (place, item) for place, item in enumerate(self.candidates) if item.id in wanted}
        self._leaving.update(places)
        self._decided.update(dict.fromkeys(wanted))
        self._tell()

    def settle(self, ids: Collection[str], *, done: bool, writes: Iterable[str] = ()) -> None:
        """They are written, or could not be and wait again; `writes`: ids of the receipts, and of their groups."""
        gone = sorted((self._leaving.pop(known) for known in ids if known in self._leaving), key=lambda item: item[0])
        if done:
            self._written = [*self._written[-TAKEN_BACK:], (frozenset(writes), gone)]
        self._mark(ids, done=done)
        self._tell()
        self.again()

    def _mark(self, ids: Iterable[str], *, done: bool) -> None:
        for known in ids:
            if done:
                self._returned.pop(known, None)
                self._decided[known] = self._number, clock.now()
            else:
                self._decided.pop(known, None)

    def follow_undo(self, receipt: Receipt) -> None:
        """What was decided with the writes that an undo took back waits again at once; a redo decides it again."""
        wanted = set(receipt.undoes)
        for writes, items in reversed(self._written):
            if not writes & wanted or not items:
                continue
            undone = receipt.verb == "undo"
            self._mark([item.id for _place, item in items], done=not undone)
            if undone:
                self._returned |= {item.id: (place, item, clock.now()) for place, item in items}
                # The next key is for what was taken back, not for what has moved up into its place.
                self.wanted = items[0][1].id
            self._tell()
        self.again()

    def again(self) -> None:
        """Read it again soon: what was decided shows in records of ours that no index follows."""
        self._stamp = None
        self._context.analyst.wake(now=True)
        if not self._settling:
            self._settling = True
            self._later(PAUSE, self._settled)

    def _settled(self) -> None:
        self._settling = False
        self.look()

    def _tell(self) -> None:
        for changed in self._changed:
            changed()


@dataclass
class PaneContext:
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
    elsewhere: dict[str, Home] = field(default_factory=dict)
    """Homes that are not open, of which a search may show hits."""
    faults: Faults | None = None
    """What went wrong inside the app."""
    sections: dict[str, str] = field(default_factory=dict)
    """The section that a view is to show next, by the view."""
    asking: str = ""
    """What Search is to ask when it is shown next."""
    counted: tuple[str, frozenset[str]] = ("", frozenset())
    """A search without words that Home leads to, and the ids of those that it counts: no others are shown."""
    folded: bool = False
    """Whether Home's strip is folded."""
    seen: set[str] = field(default_factory=set)
    """Homes whose news somebody saw."""
    greets: bool = False
    """Whether somebody who was never here is told what this is."""
    whereabouts: Whereabouts = field(default_factory=Whereabouts)
    """What was chosen before, and where one was."""
    pause: float = 0.0
    """Seconds after Home's first rows that what was learnt from use is asked for."""
    days: bool = True
    """Whether one of the homes that are shown takes a note of today, as `look_at_days` found."""

    def __post_init__(self) -> None:
        self.label_homes()
        self.analyst = Analyst(self.vault)
        self.waiting = WaitingQueue(self)

    def label_homes(self) -> None:
        """Know the homes that are open, by their paths."""
        self.labels = {str(home.path): home for home in self.vault.homes}
        beyond = self.vault.beyond
        self.elsewhere = {} if beyond is None else {str(home.path): home for home in beyond.list_homes()}

    def look_at_days(self) -> None:
        """Know whether a note of today has a place. On a reader's thread: layouts look at the disk."""
        homes = [home for path, home in self.labels.items() if not self.homes or path in self.homes]
        self.days = any(home.writable and can_take(home, Layer.JOURNAL, Draft("")) for home in homes)

    @property
    def only_reads(self) -> bool:
        """Whether homes are shown, and none of them may be written."""
        shown = [home for path, home in self.labels.items() if not self.homes or path in self.homes]
        return bool(shown) and not any(home.writable for home in shown)

    def choose(self, *, homes: Iterable[str] | None = None, hidden: bool | None = None) -> None:
        """Change what is shown."""
        if homes is not None:
            self.homes = frozenset(homes)
        if hidden is not None:
            self.hidden = hidden
        self.serial += 1

    def scope(self, layers: Iterable[Layer] = (), kinds: Iterable[str] = ()) -> Filter:
        """A filter within what the person has chosen to see."""
        statuses = frozenset[Status]() if self.hidden else Filter().statuses
        return Filter(layers=frozenset(layers), kinds=frozenset(kinds), homes=self.homes, statuses=statuses)

    def load(self, refs: Iterable[MemoryRef]) -> Mapping[MemoryRef, Memory | None]:
        """The memories behind the references. Reads files: on a reader's thread only."""
        wanted = list(refs)
        return dict(zip(wanted, self.vault.load(wanted), strict=True))

    def home(self, path: str) -> Home | None:
        """The home of that path."""
        return self.labels.get(path) or self.elsewhere.get(path)

    def name(self, home: Home) -> str:
        """A home's label as one safe line; with its layout, or its path, where others are labelled so, too."""
        alike = [other for other in self.labels.values() if other.label == home.label]
        if len(alike) < 2:
            return clip_to_line(home.label)
        layouts = [other.layout for other in alike]
        only = layouts.count(home.layout) == 1
        return clip_to_line(f"{home.label} ({name_layout(home.layout) if only else home.path})")

    @cached_property
    def badges(self) -> Mapping[str, Piece]:
        """Whose the rows of each home are, by its path: '@' and a letter where a colleague shares it, else the badge of
        its tool. None where that is the same for all homes.
        """
        found: dict[str, Piece] = {}
        for path, home in self.labels.items():
            badge = load_badge(home.layout)
            found[path] = (badge.letters, f"tool-{badge.hue}")
            if home.origin is not None:
                whose = clip_to_line(home.origin.told.lstrip("@"))
                found[path] = (pad(f"@{whose[:1]}", 2), "accent")
        return found if len({letters for letters, _style in found.values()}) > 1 else {}

    @property
    def stamp(self) -> tuple[int, int]:
        """Changes when the vault or the choice did."""
        return self.generation, self.serial
