"""What is known about a memory besides its text, as lines: where it stands, how sure, how long, from whom, and
what replaced what. Keys that no field takes are shown as they stand on disk.
"""

from __future__ import annotations

import json
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from rich.cells import cell_len

from memtui import clock
from memtui.locale import _, _n
from memtui.model import Status
from memtui.safety.safe_text import hidden_count, safe_text
from memtui.tui import draw
from memtui.tui.prose import wrapped

if TYPE_CHECKING:
    from memtui.chain import Chain
    from memtui.model import Home, Memory
    from memtui.tui.draw import Piece

SYMBOLS = {
    Status.ACTIVE: "●",
    Status.SUPERSEDED: "◌",
    Status.ARCHIVED: "◇",
    Status.DELETED: "✗",
    Status.EXPIRED: "◔",
    Status.CANDIDATE: "○",
    Status.BACKUP: "▫",
    Status.TEMPLATE: "▫",
    Status.SKILL: "▫",
    Status.STATE: "▫",
    Status.GENERATED: "▫",
    Status.CODE: "▫",
}
"""A symbol for each status, so that none is told by colour alone."""

STATUS_STYLES = {Status.ACTIVE: "ok", Status.CANDIDATE: "warn", Status.EXPIRED: "warn", Status.DELETED: "bad"}

SOON = 7 * 86400
"""Seconds before its end in which an expiry is worth a word in a row."""

_LONG = 400
_EXAMINED = 4096
"""Characters of a text that are looked through while somebody waits for it."""


def moment(seconds: float | None) -> str:
    """A date and time for a person, with its age."""
    if seconds is None:
        return ""
    return f"{clock.local(seconds).strftime('%Y-%m-%d %H:%M')}  ({clock.ago(seconds) or _('now')})"


def value(thing: Any) -> str:
    """Anything from a file, as one readable string."""
    if isinstance(thing, str):
        return thing
    if isinstance(thing, bool):
        return _("yes") if thing else _("no")
    if isinstance(thing, (list, tuple)) and all(isinstance(item, (str, int, float)) for item in thing):
        return ", ".join(map(str, thing))
    try:
        return json.dumps(thing, ensure_ascii=False, default=str)
    except (ValueError, RecursionError):
        return _("(nested too deeply to show)")


@lru_cache(maxsize=64)
def _orders(text: str) -> str:
    """The rules by which a text reads like an order to agents; empty: it does not."""
    # Loaded with the first text that is shown, behind the first frame.
    from memtui.safety.injection import examine

    return ", ".join(examine(text[:_EXAMINED]).rules)


def number(amount: float) -> str:
    """.92, 1.0: a share as rows write it."""
    return f"{amount:.2f}".removeprefix("0") if 0 <= amount < 1 else f"{amount:.1f}"


def known(memory: Memory, home: Home | None) -> list[tuple[str, str, str]]:
    """(label, text, style) of every field that says something."""
    lines = f"{memory.start}–{memory.end}" if memory.end > memory.start else str(memory.start)
    status = f"{SYMBOLS[memory.status]} {memory.status.value}"
    rows = [
        (_("kind"), memory.kind, f"kind.{memory.kind}"),
        (_("status"), status, STATUS_STYLES.get(memory.status, "dim")),
        (_("layer"), memory.layer.value if memory.layer else "", ""),
        (_("section"), " › ".join(memory.heading), ""),
        (_("confidence"), number(memory.confidence) if memory.confidence is not None else "", ""),
        (_("importance"), number(memory.importance) if memory.importance is not None else "", ""),
        (_("created"), moment(memory.created), ""),
        (_("updated"), moment(memory.updated), ""),
        (_("expires"), moment(memory.expires), "warn"),
        (_("tags"), " ".join(f"#{tag}" for tag in memory.tags), "tag"),
        (_("entities"), ", ".join(memory.entities), ""),
        (_("links"), "  ".join(memory.links), ""),
        (_("session"), memory.session, ""),
        (_("evidence"), memory.evidence, ""),
        (_("source"), memory.source, ""),
        (_("key"), memory.key, ""),
        (_("file"), f"{memory.path}:{lines}", ""),
        (_("home"), f"{home.label} ({home.layout})" if home else memory.home, ""),
    ]
    return [row for row in rows if row[1]]


def fields(memory: Memory, home: Home | None, cells: int) -> list[list[Piece]]:
    """The fields as lines, labels aligned, with a head of their own."""
    rows = known(memory, home)
    extra = [(str(key), value(thing), "") for key, thing in memory.extra.items()]
    widest = max((cell_len(label) for label, _text, _style in rows), default=8)
    lines: list[list[Piece]] = []
    if rules := _orders(memory.text):
        told = _("⚠ it reads like an order to agents ({rules})").format(rules=rules)
        lines += [*wrapped([(told, "warn")], cells, hang=2), []]
    lines.append(rule(_("fields"), cells))
    lines += table(rows, widest, cells)
    if extra:
        widest = min(
            24, max(cell_len(safe_text(label, keep_newlines=False)) for label, _text, _style in extra)
        )
        lines += [[], rule(_("as it stands in the file"), cells)]
        lines += table(extra, widest, cells)
    if hidden := hidden_count(memory.text):
        lines += [
            [],
            [
                (
                    _n(
                        "⚠ {count} hidden character in the text",
                        "⚠ {count} hidden characters in the text",
                        hidden,
                    ),
                    "warn",
                )
            ],
        ]
    return lines


def table(rows: list[tuple[str, str, str]], widest: int, cells: int) -> list[list[Piece]]:
    """(label, text, style) as lines, the texts aligned behind labels of `widest` cells."""
    lines: list[list[Piece]] = []
    for label, text, style in rows:
        shown = safe_text(text[:_LONG], keep_newlines=False) + ("…" if len(text) > _LONG else "")
        name = draw.pad(safe_text(label, keep_newlines=False), widest)
        room = cells - widest - 2
        if room < 8:
            lines += [[(name.rstrip(), "dim")], *wrapped([(shown, style)], cells)]
            continue
        for index, line in enumerate(wrapped([(shown, style)], room)):
            lines.append([(name if index == 0 else " " * widest, "dim"), ("  ", ""), *line])
    return lines


def rule(title: str, cells: int) -> list[Piece]:
    """── title ─────"""
    return [(f"── {title} ", "dim"), ("─" * max(0, min(cells, 60) - cell_len(title) - 4), "faint")]


def chain(links: Chain, cells: int) -> list[list[Piece]]:
    """What it replaced and what replaced it, nearest first; loops and loose ends are said."""
    if not (links.before or links.after or links.dangling or links.cyclic):
        return []
    lines: list[list[Piece]] = [[], rule(_("history"), cells)]
    for newer in reversed(links.after):
        lines += _link("↑", _("replaced by"), newer, cells)
    if links.dangling:
        words = _("replaced by {key}, which is nowhere to be found").format(
            key=safe_text(links.dangling[:80])
        )
        lines += wrapped([("↑ ", "warn"), (words, "warn")], cells, hang=2)
    if links.cyclic:
        lines += wrapped(
            [("↺ ", "warn"), (_("the chain of successors leads back to itself"), "warn")], cells, hang=2
        )
    for older in links.before:
        lines += _link("↓", _("replaced"), older, cells)
    return lines


def _link(sign: str, words: str, memory: Memory, cells: int) -> list[list[Piece]]:
    name = draw.one_line(memory.key or f"{memory.path}:{memory.start}")
    text = draw.one_line(memory.title or memory.text)
    return [
        *wrapped([(f"{sign} {words} ", "dim"), (name, "accent")], cells, hang=2),
        *wrapped([(f"  {SYMBOLS[memory.status]} ", "dim"), (draw.cut(text, 160), "")], cells, hang=4),
    ]
