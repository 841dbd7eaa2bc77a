"""Reading what a layer view shows: sections, references, the first screenful, and where the cursor is now."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from memtui.model import Level, Memory
from memtui.search.inline import typed as understood
from memtui.tui.choosing import exactly
from memtui.tui.items import Fixed, Known
from memtui.tui.news import Filling, measure_filling
from memtui.tui.sections import left_out

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from memtui.model import Filter, Layer, Order, Status
    from memtui.tui.context import Context
    from memtui.tui.panes.narrowing import Narrowing
    from memtui.tui.sections import Section

    Parts = Callable[[Counter[tuple[str, Layer, str, Status]], Filter], list[Section]]


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
    asked_at: Any = None
    """What the cursor held when this was asked."""


@dataclass(slots=True)
class Listing:
    """What a reader brings back."""

    sections: list[Section]
    section: Section
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

    def place(self, held: Any) -> int | None:
        """Where the cursor belongs that holds this now; None: it was moved since, and the list knows best."""
        return self.at if self.held == held else None


def read(
    context: Context,
    within: Filter,
    parts: Parts,
    narrowing: Narrowing,
    *,
    wanted: Wanted,
    cancelled: Callable[[], bool],
) -> Listing | None:
    """Ask the vault; None where nobody waits any more. On a reader's thread."""
    vault = context.vault
    filling = measure_filling(vault.status())
    if not wanted.touched and filling is not None:
        # What arrives above while an index fills must not push the first row out of sight.
        wanted = wanted._replace(held=None, near=0)
    counts = vault.counts(within._replace(kinds=frozenset(), statuses=frozenset()))
    found = parts(counts, within)
    section = next((part for part in found if part.key == wanted.chosen), found[0])
    typed = understood(wanted.typed, section.narrow(within), vault.homes, vault.known)
    refs: Sequence[Any] = vault.ids(typed.filter, wanted.order)
    total, nearest = len(refs), False
    if typed.words and not cancelled():
        refs, nearest = narrowing.find(refs, (typed.filter, wanted.order), typed.words, cancelled)
    if cancelled():
        return None
    # Where nothing is held on to, a list begins at its beginning.
    at = wanted.near if wanted.held is None else locate(context, refs, wanted.held, wanted.near, wanted.stood)
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
        left_out(counts, within),
    )


def unfold(context: Context, listing: Listing, within: Filter, owners: Iterable[Memory]) -> None:
    """Put what stands within these memories below them, as rows of their own. On a reader's thread."""
    vault = context.vault
    found: dict[Any, list[Known]] = {}
    for owner in owners:
        near = within._replace(homes=frozenset({owner.home}), path=exactly(owner.path), kinds=frozenset())
        for ref, memory in context.load(vault.ids(near, "path")).items():
            if memory is not None and memory.id == owner.id:
                found[ref] = [Known(part) for part in vault.parts(memory) if part.level is Level.PART]
    if not any(found.values()):
        return
    rows: list[Any] = []
    at = listing.at
    for index, row in enumerate(listing.refs):
        rows.append(row)
        memory = row.value if isinstance(row, Known) else row
        if parts := found.get(memory):
            rows += parts
            if listing.at is not None and at is not None and index < listing.at:
                at += len(parts)
    listing.inside = len(rows) - len(listing.refs)
    listing.refs, listing.at = rows, at


def read_parts(context: Context, memory: Memory) -> str:
    """The lines of a memory that stand below its own. On a reader's thread."""
    if memory.reach <= memory.end:
        return ""
    many = memory.reach - memory.end
    return context.vault.get(memory.path, memory.end + 1, many, memory.home).text.strip("\n")


def without(listing: Listing, instead: Mapping[Any, Any]) -> None:
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


def locate(context: Context, refs: Sequence[Any], held: Any, near: int, stood: Any = None) -> int | None:
    """Where the memory of that id is now, looking around where it was; None: not there.

    One that was rewritten has another id: it is what stands in its place, where `stood` says.
    """
    if held is None or not refs:
        return None
    place = (stood.home, stood.path, stood.start) if isinstance(stood, Memory) else None
    for reach in (48, 512):
        first = max(0, near - reach)
        instead = None
        for index, memory in enumerate(_memories(context, refs[first : near + reach])):
            if memory is not None and memory.id == held:
                return first + index
            if memory is not None and instead is None and (memory.home, memory.path, memory.start) == place:
                instead = first + index
        if instead is not None:
            return instead
    return None


def _memories(context: Context, refs: Sequence[Any]) -> list[Memory | None]:
    """The memories behind the rows; None for a row that is none."""
    read = context.load(ref for ref in refs if not isinstance(ref, (Fixed, Known)))
    found = [ref.value if isinstance(ref, Known) else read.get(ref) for ref in refs]
    return [one if isinstance(one, Memory) else None for one in found]
