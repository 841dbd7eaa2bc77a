"""Passages put into a budget, the most important first: whole where they fit, else cut, and that is said."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from memtui.locale import _
from memtui.sessions.budget import Budget, fitting, tokens
from memtui.sessions.given import Item
from memtui.sessions.vetted import ORDER, named_oddly, safe

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memtui.config import Config
    from memtui.sessions.passage import Passage

SHOWN = 240
"""Characters shown of what was left out."""
_AGAIN = 4
_NAME = 40
"""Characters of a path that no order fits into."""


class Placed(NamedTuple):
    """One passage as an agent gets it."""

    item: Item
    frame: str
    told: str = ""
    """memtui's own remark where it is cut."""


class Packed(NamedTuple):
    """What went in, and what did not."""

    placed: list[Placed]
    left: list[Item]
    room: Budget
    """What is left of it."""


def items(offers: Iterable[Passage], config: Config) -> tuple[Item, ...]:
    """The passages within the budget of a session's start, to be framed by whoever gives them."""
    placed = packed(offers, whole(config)).placed
    return tuple(
        one.item._replace(text=f"{one.item.text}\n{one.told}") if one.told else one.item for one in placed
    )


def whole(config: Config) -> Budget:
    """All that a session may be given."""
    return Budget(config.context.characters, config.context.tokens)


def packed(offers: Iterable[Passage], room: Budget, *, share: float = 1.0) -> Packed:
    """The passages in their order, as far as there is room; none gets more than its share of it."""
    placed: list[Placed] = []
    left: list[Item] = []
    most = room.share(share)
    for offer in offers:
        one, rest = _placed(offer, room.within(most))
        left += rest
        if one is not None:
            placed.append(one)
            room = room.without(one.frame + "\n")
    return Packed(placed, left, room)


def framed(passage: Passage, text: str, told: str = "") -> str:
    """A passage as an agent gets it; `told` is memtui's own remark on it."""
    place = f"{passage.path}#L{passage.line}" if passage.line else passage.path
    frame = frame_item(text, place, passage.trust, passage.kind)
    return f"{frame}\n{told}" if told else frame


def frame_item(text: str, place: str, trust: str, kind: str) -> str:
    """A text as an agent gets it: as a rule where a person approved it as one, else as data."""
    from memtui.sessions.approved import TRUST
    from memtui.sessions.framing import frame_rule, framed

    if trust == TRUST:
        return frame_rule(text, source=place)
    return framed(text, source=place, trust=trust, kind=kind)


def _placed(offer: Passage, room: Budget) -> tuple[Placed | None, list[Item]]:
    """The passage as far as it fits; and what of it is left out, with the reason."""
    if offer.unwanted:
        return None, [left(offer, offer.unwanted)]
    if (len(offer.path) > _NAME or " " in offer.path) and named_oddly(offer.path):
        return None, [left(offer, _(ORDER))]
    inside = room.without(framed(offer, "") + "\n")
    for _again in range(_AGAIN):
        cut = _cut(offer, inside)
        if cut is None:
            break
        part, bad = safe(cut)
        orders = [left(offer, _(ORDER), text, line) for line, text in bad]
        if not part.says:
            return None, orders
        rest = len(cut.lines) < len(offer.lines) or not offer.whole
        last = cut.lines[-1][0]
        told = (
            _("(lines 1–{last} of {total}; memory_get reads on from line {next})").format(
                last=last, total=offer.total, next=last + 1
            )
            if rest
            else ""
        )
        frame = framed(part, part.text, told)
        if room.fits(frame + "\n"):
            if rest:
                why = _("lines {first}–{total} of {total} do not fit").format(
                    first=last + 1, total=offer.total
                )
                orders.append(left(offer, why, "\n".join(t for n, t in offer.lines if n > last), last + 1))
            return Placed(_item(part, part.text, part.reason, frame), frame, told), orders
        # Quoted it is longer than it was.
        over = max(len(frame) + 1 - room.characters, 0), max(tokens(frame + "\n") - room.tokens, 0)
        inside = Budget(inside.characters - over[0] - len(told), inside.tokens - over[1] - tokens(told))
    return None, [left(offer, _("it does not fit: {count} characters").format(count=len(offer.text)))]


def _cut(offer: Passage, room: Budget) -> Passage | None:
    """All of it, or its beginning; None: neither fits."""
    if room.fits(offer.text):
        return offer
    count = fitting(offer.lines, offer.ends, room)
    return offer._replace(lines=offer.lines[:count]) if 0 < count < len(offer.lines) else None


def left(offer: Passage, reason: str, text: str | None = None, line: int | None = None) -> Item:
    """A passage, or a part of it, as something that was left out."""
    text = offer.text if text is None else text
    short = text if len(text) <= SHOWN else f"{text[:SHOWN]}…"
    size = (len(text), tokens(text))
    return _item(offer, short, reason, "")._replace(
        characters=size[0], tokens=size[1], line=offer.line if line is None else line
    )


def _item(offer: Passage, text: str, reason: str, frame: str) -> Item:
    return Item(
        text,
        offer.path,
        offer.line,
        str(offer.home.path),
        offer.layer,
        offer.kind,
        reason,
        len(frame),
        tokens(frame),
        offer.trust,
    )
