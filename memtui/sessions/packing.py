"""Passages put into a budget of characters and tokens, the most important first.

- `Belonging`: whose a memory is: this session's project, another one, or nobody says. Other projects' memories
  are not given.
- `ContextItem`, `SessionContext`: what a session is given, each thing with its place, its reason and its cost.
- `Budget`: tokens are estimated without a vendor's tokenizer: a CJK character is one token; four Latin letters
  or spaces are one; two digits, marks, or accented, Greek or Cyrillic letters are one. Real tokenizers differ
  by about a quarter, to either side.
- `pack_items`: passages whole where they fit, else cut, and that is said.
"""

from __future__ import annotations

from pathlib import Path, PurePath

from memtui.core.locale import _
from memtui.core.startup import TYPE_CHECKING, NamedTuple, compile_pattern
from memtui.layouts.git import find_project_roots
from memtui.safety.sanitize import frame_convention, frame_memory, frame_rule
from memtui.store.passage import OWN, TRUST
from memtui.store.project import ORDER, has_order_name, remove_orders
from memtui.store.session_ids import is_below_directory

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memtui.core.config import Config
    from memtui.core.model import Home, Layer
    from memtui.language.conversation import Session
    from memtui.store.passage import Passage

_ODD = compile_pattern(r"[^\w]+|_+")


class Belonging(NamedTuple):
    """One project, by every name that it goes by."""

    names: frozenset[str]
    roots: tuple[Path, ...]
    """Its directories: where the session works, its checkout, other worktrees."""

    def told(self, project: str, cwd: str = "") -> bool | None:
        """Whether something that names this project or directory is of ours; None where it names neither."""
        if cwd and self.holds(cwd):
            return True
        if project:
            return self.holds(project) if _is_path(project) else fold_project_name(project) in self.names
        return False if cwd else None

    def holds(self, path: str) -> bool:
        """Whether a directory is the project's, or inside of it."""
        return any(is_below_directory(path, str(root)) for root in self.roots)

    def home(self, home: Home) -> bool:
        """Whether a home is this project's or the person's own."""
        return home.current or not home.project or bool(self.told(home.project))


def find_belonging(session: Session, config: Config) -> Belonging:
    """The project that a session is about."""
    user = Path.home()
    roots: tuple[Path, ...] = ()
    if session.cwd:
        cwd = Path(session.cwd)
        # All that a person has is inside of their own directory: working there is working on no project.
        roots = tuple(root for root in dict.fromkeys((cwd, *find_project_roots(cwd, user))) if root != user)
    names = {session.name, session.project, config.project.key, *(root.name for root in roots)}
    ours = {fold_project_name(name) for name in names if name}
    for alias in config.project.aliases:
        main, colon, others = alias.partition(":")
        every = {fold_project_name(name) for name in (main, *others.split("|")) if name.strip()}
        # 'shop: shop-api|old-shop' is about shop; a name alone is another of whatever project this is.
        if not colon or every & ours:
            ours |= every
    return Belonging(frozenset(ours), roots)


def fold_project_name(name: str) -> str:
    """A project's name as names are compared: 'My_Shop' and 'my-shop' are one."""
    return _ODD.sub("-", PurePath(name).name if _is_path(name) else name).strip("-").casefold()


def _is_path(name: str) -> bool:
    return name.startswith(("/", "~")) or name[1:3] in {":\\", ":/"}


class ContextItem(NamedTuple):
    """One thing that a session is given, or that was left out."""

    text: str
    """As it stands in its file, secrets masked, before it is framed; of what was left out, its beginning."""
    path: str
    """Relative to the home; empty: memtui says it itself."""
    line: int
    """1-based, its first; 0: the whole file, or no file."""
    home: str
    """The home's path, as `Home.path` prints it."""
    layer: Layer | None
    kind: str
    reason: str
    """Why it is given, or why not, in a sentence for a person."""
    characters: int
    """As it is given, its frame with it."""
    tokens: int
    """Estimated, see `estimate_tokens`."""
    trust: str
    """user: a person wrote it; auto: agents and their tools may have; shared: it is a colleague's word."""


class SessionContext(NamedTuple):
    """All of it."""

    items: tuple[ContextItem, ...]
    left: tuple[ContextItem, ...]
    """What would belong there and is not, each with the reason."""
    characters: int
    tokens: int
    text: str
    """Exactly what an agent gets; empty: nothing."""
    off: str = ""
    """Why nothing is given, for a person, where somebody switched it off."""


LEAST = 80
"""Characters of a text below which a part of it is not worth giving."""

_EASY = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz \n"


def estimate_tokens(text: str) -> int:
    """About how many tokens a text is, rounded up."""
    plain = text.encode("ascii", "ignore")
    easy = len(plain) - len(plain.translate(None, _EASY))
    wide = 0 if len(plain) == len(text) else _count_wide(text, len(plain))
    return wide + -(-(easy + 2 * (len(text) - wide - easy)) // 4)


def _count_wide(text: str, plain: int) -> int:
    """Characters from U+0800 on, by what the text takes in UTF-8 and UTF-16: many times faster than looking at each."""
    beyond = len(text.encode("utf-16-le", "surrogatepass")) // 2 - len(text)
    return len(text.encode("utf-8", "surrogatepass")) + plain - 2 * len(text) - beyond


class Budget(NamedTuple):
    """What is left of both measures."""

    characters: int
    tokens: int

    def fits(self, text: str) -> bool:
        """Whether all of the text goes in."""
        return len(text) <= self.characters and estimate_tokens(text) <= self.tokens

    def without(self, text: str) -> Budget:
        """What is left once the text is in."""
        return Budget(self.characters - len(text), self.tokens - estimate_tokens(text))

    def share(self, part: float) -> Budget:
        """A part of it."""
        return Budget(int(self.characters * part), int(self.tokens * part))

    def within(self, other: Budget) -> Budget:
        """The smaller of both, measure by measure."""
        return Budget(min(self.characters, other.characters), min(self.tokens, other.tokens))


def count_fitting(lines: Sequence[tuple[int, str]], ends: frozenset[int], room: Budget) -> int:
    """How many of the numbered lines go in, cut behind a line at which something ends; 0: too few to be worth it."""
    size = weight = best = 0
    for count, (number, line) in enumerate(lines, 1):
        size += len(line) + 1
        # Line by line it rounds up a little more often than as a whole.
        weight += estimate_tokens(line + "\n")
        if size > room.characters or weight > room.tokens:
            break
        if number in ends and size >= LEAST:
            best = count
    return best


SHOWN = 240
"""Characters shown of what was left out."""
_AGAIN = 4
_NAME = 40
"""Characters of a path that no order fits into."""


class PlacedPassage(NamedTuple):
    """One passage as an agent gets it."""

    item: ContextItem
    frame: str
    told: str = ""
    """memtui's own remark where it is cut."""


class Packed(NamedTuple):
    """What went in, and what did not."""

    placed: list[PlacedPassage]
    left: list[ContextItem]
    room: Budget
    """What is left of it."""


def pack_items(offers: Iterable[Passage], config: Config) -> tuple[ContextItem, ...]:
    """The passages within the budget of a session's start, to be framed by whoever gives them."""
    placed = pack_passages(offers, make_budget(config)).placed
    return tuple(one.item._replace(text=f"{one.item.text}\n{one.told}") if one.told else one.item for one in placed)


def make_budget(config: Config) -> Budget:
    """All that a session may be given."""
    return Budget(config.context.characters, config.context.tokens)


def pack_passages(offers: Iterable[Passage], room: Budget, *, share: float = 1.0) -> Packed:
    """The passages in their order, as far as there is room; none gets more than its share of it."""
    placed: list[PlacedPassage] = []
    left: list[ContextItem] = []
    most = room.share(share)
    for offer in offers:
        one, rest = _place_passage(offer, room.within(most))
        left += rest
        if one is not None:
            placed.append(one)
            room = room.without(one.frame + "\n")
    return Packed(placed, left, room)


def frame_passage(passage: Passage, text: str, told: str = "") -> str:
    """A passage as an agent gets it; `told` is memtui's own remark on it."""
    place = f"{passage.path}#L{passage.line}" if passage.line else passage.path
    if passage.home.origin is not None:
        place = f"{passage.home.origin.told}:{place}"
    frame = frame_item(text, place, passage.trust, passage.kind)
    return f"{frame}\n{told}" if told else frame


def frame_item(text: str, place: str, trust: str, kind: str) -> str:
    """A text as an agent gets it: a rule that a person approved, a convention that they keep, all else as data."""
    if trust == TRUST:
        return frame_rule(text, source=place)
    if trust == OWN:
        return frame_convention(text, source=place)
    return frame_memory(text, source=place, trust=trust, kind=kind)


def _place_passage(offer: Passage, room: Budget) -> tuple[PlacedPassage | None, list[ContextItem]]:
    """The passage as far as it fits; and what of it is left out, with the reason."""
    if offer.unwanted:
        return None, [leave_out(offer, offer.unwanted)]
    if (len(offer.path) > _NAME or " " in offer.path) and has_order_name(offer.path):
        return None, [leave_out(offer, _(ORDER))]
    inside = room.without(frame_passage(offer, "") + "\n")
    for _again in range(_AGAIN):
        cut = _cut(offer, inside)
        if cut is None:
            break
        part, bad = remove_orders(cut)
        orders = [leave_out(offer, _(ORDER), text, line) for line, text in bad]
        if not part.says:
            return None, orders
        rest = len(cut.lines) < len(offer.lines) or not offer.whole
        last = cut.lines[-1][0]
        told = f"(lines 1–{last} of {offer.total}; memory_get reads on from line {last + 1})" if rest else ""
        frame = frame_passage(part, part.text, told)
        if room.fits(frame + "\n"):
            if rest:
                why = _("lines {first}–{total} of {total} do not fit").format(first=last + 1, total=offer.total)
                orders.append(leave_out(offer, why, "\n".join(t for n, t in offer.lines if n > last), last + 1))
            return PlacedPassage(_make_item(part, part.text, part.reason, frame), frame, told), orders
        # Quoted it is longer than it was.
        over = max(len(frame) + 1 - room.characters, 0), max(estimate_tokens(frame + "\n") - room.tokens, 0)
        inside = Budget(inside.characters - over[0] - len(told), inside.tokens - over[1] - estimate_tokens(told))
    return None, [leave_out(offer, _("no room left for {count} characters").format(count=len(offer.text)))]


def _cut(offer: Passage, room: Budget) -> Passage | None:
    """All of it, or its beginning; None: neither fits."""
    if room.fits(offer.text):
        return offer
    count = count_fitting(offer.lines, offer.ends, room)
    return offer._replace(lines=offer.lines[:count]) if 0 < count < len(offer.lines) else None


def leave_out(offer: Passage, reason: str, text: str | None = None, line: int | None = None) -> ContextItem:
    """A passage, or a part of it, as something that was left out."""
    text = offer.text if text is None else text
    short = text if len(text) <= SHOWN else f"{text[:SHOWN]}…"
    size = (len(text), estimate_tokens(text))
    return _make_item(offer, short, reason, "")._replace(
        characters=size[0], tokens=size[1], line=offer.line if line is None else line
    )


def _make_item(offer: Passage, text: str, reason: str, frame: str) -> ContextItem:
    return ContextItem(
        text,
        offer.path,
        offer.line,
        str(offer.home.path),
        offer.layer,
        offer.kind,
        reason,
        len(frame),
        estimate_tokens(frame),
        offer.trust,
    )
