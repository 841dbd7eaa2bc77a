"""What a layer view lists: sections with their counts, narrowing by words, and the references of its rows.

- Sections beside the list (homes, kinds, statuses), made from tallies alone; their list, whose groups fold.
- `Narrowing`: the texts of a list, read once and searched again with every key.
- `read`: sections, references, the first screenful, and where the cursor is now.
"""

from __future__ import annotations

import threading
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from memtui.core.locale import _
from memtui.core.model import Filter, Layer, Level, Memory, Status
from memtui.core.text import normalize_width
from memtui.search.inline import parse_inline_filters
from memtui.store.happenings import match_path_exactly
from memtui.tui import draw
from memtui.tui.bars import Filling, describe_left_out, measure_filling
from memtui.tui.context import Arrival
from memtui.tui.paint import make_headline
from memtui.tui.prose import STATUS_STYLES, SYMBOLS
from memtui.tui.row_list import Fixed, LoadedRow, Rows

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence

    from memtui.core.model import Home, Order
    from memtui.search.suggest import Titles
    from memtui.tui.context import PaneContext
    from memtui.tui.draw import Look, Piece


class ListSection(NamedTuple):
    """A part of a view: choosing it narrows the list."""

    key: str
    """`kind:rule`; `all`."""
    label: str
    style: str
    number: int
    narrow: Callable[[Filter], Filter]
    group: str = ""
    """The fold it is in."""
    sign: str = ""
    stands: Piece = ("", "")
    """What of it wants to be seen to, before its number: '2 weak'."""


def group_by_home(counts: Mapping[tuple[str, Layer, str, Status], int], homes: Iterable[Home]) -> list[ListSection]:
    """One section a home, where there are several."""
    tally: Counter[str] = Counter()
    for (home, _layer, _narrow_to_kind, _status), number in counts.items():
        tally[home] += number
    found = [
        ListSection(
            f"home:{home.path}", home.label, "", tally[str(home.path)], _narrow_to_home(str(home.path)), _("Homes")
        )
        for home in homes
        if tally[str(home.path)]
    ]
    return found if len(found) > 1 else []


def group_by_kind(counts: Mapping[tuple[str, Layer, str, Status], int]) -> list[ListSection]:
    """One section a kind, the most frequent first."""
    tally: Counter[str] = Counter()
    for (_path, _layer, kind, _status), number in counts.items():
        tally[kind] += number
    return [
        ListSection(f"kind:{kind}", draw.name_kind(kind), f"kind.{kind}", number, _narrow_to_kind(kind), _("Kinds"))
        for kind, number in sorted(tally.items(), key=lambda pair: (-pair[1], pair[0]))
    ]


def group_by_status(counts: Mapping[tuple[str, Layer, str, Status], int]) -> list[ListSection]:
    """One section a status that something has, besides active."""
    tally: Counter[Status] = Counter()
    for (_path, _layer, _kindly, status), number in counts.items():
        tally[status] += number
    return [
        ListSection(
            f"status:{status}", _(status.value), STATUS_STYLES.get(status, "dim"), tally[status],
            _narrow_to_status(status), _("Status"), SYMBOLS[status],
        )
        for status in Status
        if status is not Status.ACTIVE and tally[status]
    ]  # fmt: skip


def _narrow_to_home(path: str) -> Callable[[Filter], Filter]:
    return lambda within: within._replace(homes=frozenset({path}))


def _narrow_to_kind(kind: str) -> Callable[[Filter], Filter]:
    return lambda within: within._replace(kinds=frozenset({kind}))


def _narrow_to_status(status: Status) -> Callable[[Filter], Filter]:
    return lambda within: within._replace(statuses=frozenset({status}))


def count_standing(counts: Mapping[tuple[str, Layer, str, Status], int], within: Filter) -> int:
    """How many of the counted pass the filter's statuses."""
    return sum(number for key, number in counts.items() if not within.statuses or key[3] in within.statuses)


def list_section_rows(sections: Iterable[ListSection], folded: set[str], cells: int = 0) -> list[Fixed]:
    """The sections as rows, under a head for each group. Of a path that `cells` are too few for its end is seen: files
    of one folder, and homes of one project, begin alike.
    """
    out: list[Fixed] = []
    group = ""
    for section in sections:
        if section.group != group:
            group = section.group
            if group:
                sign = "▸" if group in folded else "▾"
                out.append(Fixed(f"group:{group}", ((f"{sign} {group}", "dim"),), value=group))
        if group and group in folded:
            continue
        label = draw.clip_to_line(section.label)
        sign = f"{section.sign} " if section.sign else ""
        indent = "   " if group else " "
        number = f" {section.number:,} "
        if cells and "/" in label:
            label = draw.clip_start(label, max(8, cells - len(indent + sign + section.stands[0] + number)))
        out.append(
            Fixed(section.key, ((indent + sign + label, section.style),), (section.stands, (number, "dim")), section)
        )
    return out


class SectionList(Rows):
    """Where its cursor rests, that section is chosen."""

    def __init__(self, look: Callable[[], Look], *, id: str) -> None:
        super().__init__(lambda item, brush: [], look, id=id)
        self._sections: Sequence[ListSection] = ()
        self._folded: set[str] = set()

    def offer(self, found: Sequence[ListSection], chosen: str) -> None:
        """Show these; a cursor that stands on the chosen one goes with it."""
        self._sections = found
        items = list_section_rows(found, self._folded, self._room)
        if self.held is None or self.held == chosen:
            self.show(items, at=next((n for n, item in enumerate(items) if item.key == chosen), 0))
        else:
            self.show(items)

    @property
    def _room(self) -> int:
        """Cells beside the cursor and the scroll bar."""
        return max(0, self.size.width - 2)

    def on_resize(self) -> None:
        """Another width has room for other parts of a path."""
        if self._sections:
            # The same rows: nothing is chosen anew.
            self.items = list_section_rows(self._sections, self._folded, self._room)
            self.refresh()
        super().on_resize()

    def fold(self, open: bool) -> bool:
        """Fold or unfold the group under the cursor; False where nothing folds."""
        item = self.current
        if not self.has_focus or not isinstance(item, Fixed):
            return False
        group = item.value if isinstance(item.value, str) else item.value.group if item.value else ""
        if not group or open == (group not in self._folded):
            return False
        (self._folded.discard if open else self._folded.add)(group)
        items = list_section_rows(self._sections, self._folded, self._room)
        self.show(items, at=next(n for n, row in enumerate(items) if row.key == f"group:{group}"))
        return True


SLICE = 256
MOST = 100_000
"""Memories that are looked at; Search looks at everything."""

LONGEST = 4000
"""Characters of a memory that are looked through."""

NEAREST = 50
"""Titles shown where nothing holds the words."""


class Narrowed(NamedTuple):
    """What is left of a list."""

    refs: list[Any]
    nearest: bool = False
    """Nothing holds the words: these only have their letters, best first."""


class Narrowing:
    """The texts of one list. Used on readers' threads, one at a time."""

    def __init__(self, context: PaneContext) -> None:
        self._context = context
        self._lock = threading.Lock()
        self._key: Hashable = None
        self._texts: list[str] = []
        self._headlines: list[str] = []
        self._titles: Titles | None = None

    def find(self, refs: Sequence[Any], what: Hashable, words: str, cancelled: Callable[[], bool]) -> Narrowed:
        """The references whose texts hold every word, in their order. `what` names the list: it is read once."""
        key = (what, self._context.stamp, len(refs))
        with self._lock:
            if key != self._key:
                if not self._read(refs, cancelled):
                    return Narrowed([])
                self._key, self._titles = key, None
            wanted = normalize_width(words).lower().split()
            found = [refs[n] for n, text in enumerate(self._texts) if all(word in text for word in wanted)]
            if found or not wanted:
                return Narrowed(found)
            if self._titles is None:
                from memtui.search.suggest import Titles

                self._titles = Titles(self._headlines)
            return Narrowed([refs[place] for place in self._titles.find(words, NEAREST)], nearest=True)

    def _read(self, refs: Sequence[Any], cancelled: Callable[[], bool]) -> bool:
        self._key, self._texts, self._headlines = None, [], []
        for start in range(0, min(len(refs), MOST), SLICE):
            if cancelled():
                return False
            for memory in self._context.vault.load(refs[start : start + SLICE]):
                self._headlines.append(make_headline(memory) if memory else "")
                self._texts.append(_join_text(memory) if memory else "")
        return True


def _join_text(memory: Memory) -> str:
    parts = (
        memory.title, memory.text[:LONGEST], *memory.heading, *memory.tags, *memory.entities, memory.kind, memory.key,
        memory.path,
    )  # fmt: skip
    return normalize_width("\n".join(filter(None, parts))).lower()


if TYPE_CHECKING:
    Parts = Callable[[Counter[tuple[str, Layer, str, Status]], Filter], list[ListSection]]


class Wanted(NamedTuple):
    """What is asked: the section, the order, what was typed, and where the cursor is."""

    chosen: str
    order: Order
    typed: str
    held: Any
    near: int
    touched: bool
    """Whether anybody has moved the cursor."""
    height: int
    stood: Any = None
    """The memory under the cursor as it was read: its text may be another by now, and so its id."""
    beside: frozenset[str] = frozenset()
    """The ids of what the list knew of its file: none of these is that memory, rewritten."""
    asked_at: Any = None
    """What the cursor held when this was asked."""
    written: Arrival = Arrival()
    """What a person has just written: the cursor goes there."""


@dataclass(slots=True)
class Listing:
    """What a reader brings back."""

    sections: list[ListSection]
    section: ListSection
    """The chosen one, or the first where that is no more."""
    refs: Sequence[Any]
    known: Mapping[Any, Any]
    at: int | None
    """Where the held memory is; None: the list knows best."""
    total: int
    """How many there are before words narrow them."""
    wrong: str
    """A sentence about a filter that means nothing."""
    words: str = ""
    """What was typed, without its filters."""
    by: str = ""
    """What the rows are sorted by, where it is not the order that was asked for (a source string)."""
    held: Any = None
    """What the cursor held when it was asked."""
    filling: Filling | None = None
    """How far an index has come that is still being built."""
    left_out: str = ""
    """What the statuses hide, for a person."""
    inside: int = 0
    """Rows that stand within the memory above them."""
    arrived: bool = False
    """Whether what was just written is among them."""

    def place(self, held: Any) -> int | None:
        """Where the cursor belongs that holds this now; None: it was moved since, and the list knows best."""
        return self.at if self.held == held or self.arrived else None


def read(
    context: PaneContext,
    within: Filter,
    parts: Parts,
    narrowing: Narrowing,
    *,
    wanted: Wanted,
    cancelled: Callable[[], bool],
) -> Listing | None:
    """Ask the vault; None where nobody waits any more. On a reader's thread."""
    vault = context.vault
    filling = measure_filling(vault.progress())
    if not wanted.touched and filling is not None:
        # What arrives above while an index fills must not push the first row out of sight.
        wanted = wanted._replace(held=None, near=0)
    counts = vault.counts(within._replace(kinds=frozenset(), statuses=frozenset()))
    found = parts(counts, within)
    section = next((part for part in found if part.key == wanted.chosen), found[0])
    typed = parse_inline_filters(wanted.typed, section.narrow(within), vault.homes, vault.known)
    refs: Sequence[Any] = vault.ids(typed.filter, wanted.order)
    total, nearest = len(refs), False
    if not total:
        context.look_at_days()
    if typed.words and not cancelled():
        refs, nearest = narrowing.find(refs, (typed.filter, wanted.order), typed.words, cancelled)
    if cancelled():
        return None
    # Where nothing is held on to, a list begins at its beginning.
    at: int | None = wanted.near
    if wanted.held is not None:
        at = locate(context, refs, wanted.held, wanted.near, wanted.stood, wanted.beside)
    arrived = _locate_written(context, refs, wanted) if wanted.written.text else None
    at = at if arrived is None else arrived
    first = max(0, min(wanted.near if at is None else at, len(refs)) - wanted.height)
    known = context.load(refs[first : first + 2 * wanted.height])
    return Listing(
        found,
        section,
        refs,
        known,
        at,
        total,
        typed.wrong,
        typed.words,
        "nearest" if nearest else "",
        wanted.asked_at,
        filling,
        describe_left_out(counts, within),
        arrived=arrived is not None,
    )


def unfold(context: PaneContext, listing: Listing, within: Filter, owners: Iterable[Memory]) -> None:
    """Put what stands within these memories below them, as rows of their own. On a reader's thread."""
    vault = context.vault
    found: dict[Any, list[LoadedRow]] = {}
    # What a view puts in from elsewhere, as Timeline does plans, is there already and has no reference in this filter.
    values = [row.value for row in listing.refs if isinstance(row, LoadedRow)]
    loaded = {value.id: value for value in values if isinstance(value, Memory)}
    for owner in owners:
        if owner.id in loaded:
            found[owner.id] = [LoadedRow(one) for one in vault.parts(loaded[owner.id]) if one.level is Level.PART]
            continue
        near = within._replace(homes=frozenset({owner.home}), path=match_path_exactly(owner.path), kinds=frozenset())
        for ref, memory in context.load(vault.ids(near, "path")).items():
            if memory is not None and memory.id == owner.id:
                found[ref] = [LoadedRow(part) for part in vault.parts(memory) if part.level is Level.PART]
    if not any(found.values()):
        return
    rows: list[Any] = []
    at = listing.at
    for index, row in enumerate(listing.refs):
        rows.append(row)
        if parts := found.get(getattr(row.value, "id", None) if isinstance(row, LoadedRow) else row):
            rows += parts
            if listing.at is not None and at is not None and index < listing.at:
                at += len(parts)
    listing.inside = len(rows) - len(listing.refs)
    listing.refs, listing.at = rows, at


def read_parts(context: PaneContext, memory: Memory) -> str:
    """The lines of a memory that stand below its own. On a reader's thread."""
    if memory.reach <= memory.end:
        return ""
    many = memory.reach - memory.end
    return context.vault.get(memory.path, memory.end + 1, many, memory.home).text.strip("\n")


def replace_rows(listing: Listing, instead: Mapping[Any, Any]) -> None:
    """Leave out rows for which another of the list stands (row -> that one); a cursor on one goes to the other."""
    listed = set(listing.refs)
    gone = {ref: other for ref, other in instead.items() if ref in listed and other in listed}
    # The list may have become shorter than where the cursor was.
    at = listing.at if listing.at is not None and listing.at < len(listing.refs) else None
    here = None if at is None else listing.refs[at]
    kept = [ref for ref in listing.refs if ref not in gone]
    if here is not None:
        listing.at = kept.index(gone.get(here, here))
    # Words that narrow the list are the only reason why it is shorter than the section.
    listing.total -= len(instead if listing.words else gone)
    listing.refs = kept


def locate(
    context: PaneContext,
    refs: Sequence[Any],
    held: Any,
    near: int,
    stood: Any = None,
    beside: frozenset[str] = frozenset(),
) -> int | None:
    """Where the memory of that id is now, looking around where it was; None: not there.

    One that was rewritten has another id: it is what stands in its place, where `stood` says, unless that is one of
    those that stood `beside` it and came up when it went.
    """
    if held is None or not refs:
        return None
    place = (stood.home, stood.path, stood.start) if isinstance(stood, Memory) else None
    for reach in (48, 512):
        first = max(0, near - reach)
        instead = None
        for index, memory in enumerate(_load_memories(context, refs[first : near + reach])):
            if memory is not None and memory.id == held:
                return first + index
            if memory is None or instead is not None or memory.id in beside:
                continue
            if (memory.home, memory.path, memory.start) == place:
                instead = first + index
        if instead is not None:
            return instead
    return None


def _locate_written(context: PaneContext, refs: Sequence[Any], wanted: Wanted) -> int | None:
    """Where the memory is that says what was just written: in the file that is named, else near the cursor, or among
    the first rows.
    """
    text, home, path = wanted.written
    if path:
        within = Filter(homes=frozenset({home}), statuses=frozenset(), path=match_path_exactly(path), parts=True)
        there = context.vault.ids(within, "path")
        at = _locate_text(text, context.vault.load(there))
        return None if at is None else next((n for n, ref in enumerate(refs) if ref == there[at]), None)
    for first in (0, max(0, wanted.near - 48)):
        at = _locate_text(text, _load_memories(context, refs[first : first + 96]))
        if at is not None:
            return first + at
    return None


def _locate_text(text: str, memories: Iterable[Memory | None]) -> int | None:
    """Which of them says this, or comes nearest to it."""
    text = " ".join(text.split())
    like, most = None, 0.0
    for index, memory in enumerate(memories):
        said = " ".join(memory.text.split()) if memory is not None else ""
        # What was typed may carry its tags and its kind; what stands there may carry a label.
        if said and (said in text or text in said):
            near = min(len(said), len(text)) / max(len(said), len(text))
            if near > most:
                like, most = index, near
    return like


def _load_memories(context: PaneContext, refs: Sequence[Any]) -> list[Memory | None]:
    """The memories behind the rows; None for a row that is none."""
    read = context.load(ref for ref in refs if not isinstance(ref, (Fixed, LoadedRow)))
    found = [ref.value if isinstance(ref, LoadedRow) else read.get(ref) for ref in refs]
    return [one if isinstance(one, Memory) else None for one in found]


def put_open_first(context: PaneContext, listing: Listing) -> None:
    """What is still to be done before what is done; the cursor stays on what it is on. On a reader's thread."""
    here = listing.refs[listing.at] if listing.at is not None and listing.at < len(listing.refs) else None
    read = context.load(listing.refs)
    done = {ref for ref, memory in read.items() if memory is not None and memory.extra.get("done")}
    listing.refs = sorted(listing.refs, key=done.__contains__)
    listing.known = read
    # Who holds on to nothing stands at the beginning.
    if here is not None and listing.held is not None:
        listing.at = listing.refs.index(here)
