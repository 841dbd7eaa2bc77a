"""A memory as styled, wrapped lines: tables, prose, and what is known about it besides its text.

- Tables of a Markdown text: columns aligned by cells, the widest cut where there is no room.
- Prose: a little Markdown, no links that open, nothing that is obeyed; lines break where Chinese and Latin text
  may be broken. A widget tree a memory would cost a hundred times as much with every move of the cursor.
- Fields: where it stands, how sure, how long, from whom, what replaced what. Keys that no field takes are shown
  as they stand on disk.
"""

from __future__ import annotations

import json
import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from rich.cells import cell_len, get_character_cell_size

from memtui.core import clock
from memtui.core.locale import _, _n
from memtui.core.model import Status
from memtui.core.startup import compile_pattern
from memtui.safety.sanitize import count_hidden, sanitize_text
from memtui.tui import draw

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from memtui.core.model import Home, Memory
    from memtui.store.lookup import Chain
    from memtui.tui.draw import Piece

LEAST = 16
"""Cells that a column keeps of what it holds."""

_RULE = re.compile(r"[\s|:-]+")
_CELL = re.compile(r"(?<!\\)\|")

Rows = list[list[str]]


def split_tables(text: str) -> Iterator[tuple[str, Rows]]:
    """The text in its order: a stretch of lines without a table, or a table's rows."""
    plain: list[str] = []
    rows: Rows = []
    for line in text.split("\n"):
        if line.lstrip().startswith("|") and line.count("|") > 2:
            if plain:
                yield "\n".join(plain), []
                plain = []
            if not _RULE.fullmatch(line):
                rows.append([cell.strip() for cell in _CELL.split(line.strip().strip("|"))])
            continue
        if rows:
            yield "", rows
            rows = []
        plain.append(line)
    if rows:
        yield "", rows
    if plain:
        yield "\n".join(plain), []


def draw_text_table(rows: Rows, cells: int) -> list[list[Piece]]:
    """The rows in at most `cells`, the first of them as a head."""
    many = max(map(len, rows))
    shown = [[sanitize_text(cell, keep_newlines=False).replace("**", "") for cell in row] for row in rows]
    shown = [row + [""] * (many - len(row)) for row in shown]
    natural = [max(cell_len(row[at]) for row in shown) for at in range(many)]
    # A few columns that can be read say more than all of them cut to pieces.
    while many > 1 and sum(min(wide, LEAST) for wide in natural[:many]) + 2 * (many - 1) > cells:
        many -= 1
    widths = natural[:many]
    while sum(widths) + 2 * (many - 1) > cells and max(widths) > LEAST:
        widths[widths.index(max(widths))] -= 1
    lines: list[list[Piece]] = []
    for number, row in enumerate(shown):
        line = "  ".join(draw.pad(cell, wide) for cell, wide in zip(row, widths, strict=False))
        lines.append([(draw.cut(line.rstrip(), cells), "" if number else "bold")])
    if left := len(natural) - many:
        told = _n("{count} more column: z makes room", "{count} more columns: z makes room", left)
        lines.append([(draw.cut(f"… {told}", cells), "faint")])
    return lines


MOST = 64 * 1024
"""Characters of one memory that are shown; the whole file is an enter away."""

_INLINE = compile_pattern(
    r"(?P<code>`[^`\n]+`)"
    r"|(?P<bold>\*\*[^*\n]+\*\*)"
    r"|(?P<struck>~~[^~\n]+~~)"
    r"|(?P<link>\[\[[^\]\n]{1,200}\]\]|\[[^\]\n]{1,200}\]\([^)\s]{0,500}\)|https?://[^\s<>()\[\]\"'，。；）]{1,500})"
    r"|(?P<tag>(?<![\w&/#])#[^\W\d][\w/-]{0,40})"
)
_BULLET = compile_pattern(r"(\s*)([-*+]|\d{1,3}[.)])(\s+)(\[[ xX]\]\s)?")
_HEADING = compile_pattern(r"#{1,6}\s")
_JOINER, _SELECTOR = "\u200d", "\ufe0f"
_NO_START = frozenset("，。、！？；：）》」』】〕”’％…·,.!?;:)]}%")
_NO_END = frozenset("（《「『【〔“‘([{")


def draw_prose(text: str, cells: int, words: tuple[str, ...] = ()) -> list[list[Piece]]:
    """The text's lines as they are drawn at this width; `words` (lower case) are marked."""
    left_out = len(text) - MOST
    lines: list[list[Piece]] = []
    fenced = False
    for raw in sanitize_text(text[:MOST]).split("\n"):
        if raw.lstrip().startswith(("```", "~~~")):
            fenced = not fenced
            lines += wrap_pieces([(raw, "faint")], cells)
        elif fenced:
            lines += wrap_pieces(_mark([(raw, "code")], words), cells)
        else:
            lines += _line(raw, cells, words)
    if left_out > 0:
        more = _n("… {count} more character", "… {count} more characters", left_out)
        lines.append([(f"{more}: {_('open the file')}", "dim")])
    return lines


def _line(raw: str, cells: int, words: tuple[str, ...]) -> list[list[Piece]]:
    if _HEADING.match(raw):
        return wrap_pieces(_mark([(raw, "head")], words), cells)
    bullet = _BULLET.match(raw)
    if bullet is None:
        return wrap_pieces(_mark(draw_inline(raw), words), cells)
    indent, sign, gap, box = bullet.groups()
    lead = f"{indent}{'•' if sign in '-*+' else sign}{gap}"
    box = {"[ ] ": "☐ ", "[x] ": "☑ ", "[X] ": "☑ "}.get(box or "", box or "")
    pieces: list[Piece] = [(lead + box, "dim"), *draw_inline(raw[bullet.end() :])]
    return wrap_pieces(_mark(pieces, words), cells, hang=cell_len(lead))


def draw_inline(text: str) -> list[Piece]:
    """Bold, code, links and tags of one line; what they are written with stays where it carries meaning."""
    out: list[Piece] = []
    done = 0
    for match in _INLINE.finditer(text):
        if match.start() > done:
            out.append((text[done : match.start()], ""))
        style = match.lastgroup or ""
        found = match.group()
        out.append(
            (found[2:-2] if style in {"bold", "struck"} else found[1:-1] if style == "code" else found, style)
        )
        done = match.end()
    if done < len(text):
        out.append((text[done:], ""))
    return out


def _mark(pieces: Iterable[Piece], words: tuple[str, ...]) -> list[Piece]:
    """Every occurrence of the words in the pieces, made visible."""
    if not words:
        return list(pieces)
    wanted = re.compile("|".join(map(re.escape, words)), re.IGNORECASE)
    out: list[Piece] = []
    for text, style in pieces:
        done = 0
        for match in wanted.finditer(text):
            if match.start() > done:
                out.append((text[done : match.start()], style))
            if match.group():
                out.append((match.group(), "mark"))
            done = match.end()
        if done < len(text):
            out.append((text[done:], style))
    return out


def wrap_pieces(pieces: list[Piece], cells: int, *, hang: int = 0) -> list[list[Piece]]:
    """The pieces in lines of at most `cells`; lines after the first are indented by `hang`."""
    text = "".join(piece for piece, _style in pieces)
    if not text:
        return [[]]
    if hang > cells // 2:
        hang = 0
    lines: list[list[Piece]] = []
    for number, (start, end) in enumerate(find_breaks(text, max(2, cells), hang)):
        line = _slice(pieces, start, end)
        lines.append([(" " * hang, ""), *line] if hang and number else line)
    return lines


def _slice(pieces: list[Piece], start: int, end: int) -> list[Piece]:
    out: list[Piece] = []
    at = 0
    for text, style in pieces:
        first, last = max(start - at, 0), min(end - at, len(text))
        if first < last:
            out.append((text[first:last], style))
        at += len(text)
        if at >= end:
            break
    return out


def find_breaks(text: str, cells: int, hang: int = 0) -> list[tuple[int, int]]:
    """Where each line starts and ends, as offsets: at spaces, between wide characters, else anywhere but inside
    what is drawn as one.
    """
    lines: list[tuple[int, int]] = []
    start = used = 0
    last = -1
    room = cells
    sizes = _sizes(text)
    for index, char in enumerate(text):
        size = sizes[index]
        while used + size > room and index > start:
            stop = index if char == " " or last <= start else last
            lines.append((start, stop))
            start, last, room = stop, -1, cells - hang
            used = sum(sizes[start:index])
        if char == " " and lines and start == index:
            start += 1
            continue
        used += size
        if index + 1 < len(text) and _may_break(char, size, text[index + 1], sizes[index + 1]):
            last = index + 1
    lines.append((start, len(text)))
    return lines


def _sizes(text: str) -> list[int]:
    """Cells of each character where it stands: what is joined to an emoji takes none of its own."""
    if text.isascii():
        return [1] * len(text)
    sizes: list[int] = []
    before = ""
    for char in text:
        if before == _JOINER:
            size = 0
        elif char == _SELECTOR:
            size = 1 if sizes and sizes[-1] == 1 else 0
        else:
            size = get_character_cell_size(char)
        sizes.append(size)
        before = char
    return sizes


def _may_break(char: str, size: int, following: str, next_size: int) -> bool:
    if next_size == 0 or following == _SELECTOR:
        return False
    return char in " -/" or (
        (size == 2 or next_size == 2) and following not in _NO_START and char not in _NO_END
    )


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


def format_moment(seconds: float | None) -> str:
    """A date and time for a person, with its age."""
    if seconds is None:
        return ""
    return f"{clock.convert_to_local(seconds).strftime('%Y-%m-%d %H:%M')}  ({clock.format_age(seconds) or _('now')})"


def format_value(thing: Any) -> str:
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


def list_known_fields(memory: Memory, home: Home | None) -> list[tuple[str, str, str]]:
    """(label, text, style) of every field that says something."""
    lines = f"{memory.start}–{memory.end}" if memory.end > memory.start else str(memory.start)
    status = f"{SYMBOLS[memory.status]} {_(memory.status.value)}"
    rows = [
        (_("kind"), memory.kind, f"kind.{memory.kind}"),
        (_("status"), status, STATUS_STYLES.get(memory.status, "dim")),
        (_("layer"), _(memory.layer.value) if memory.layer else "", ""),
        (_("section"), " › ".join(memory.heading), ""),
        (_("confidence"), number(memory.confidence) if memory.confidence is not None else "", ""),
        (_("importance"), number(memory.importance) if memory.importance is not None else "", ""),
        (_("created"), format_moment(memory.created), ""),
        (_("updated"), format_moment(memory.updated), ""),
        (_("expires"), format_moment(memory.expires), "warn"),
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


def draw_fields(memory: Memory, home: Home | None, cells: int) -> list[list[Piece]]:
    """The fields as lines, labels aligned, with a head of their own."""
    rows = list_known_fields(memory, home)
    extra = [(str(key), format_value(thing), "") for key, thing in memory.extra.items()]
    widest = max((cell_len(label) for label, _text, _style in rows), default=8)
    lines: list[list[Piece]] = []
    if rules := _orders(memory.text):
        told = _("⚠ it reads like an order to agents ({rules})").format(rules=rules)
        lines += [*wrap_pieces([(told, "warn")], cells, hang=2), []]
    lines.append(draw_rule(_("fields"), cells))
    lines += draw_field_table(rows, widest, cells)
    if extra:
        widest = min(
            24, max(cell_len(sanitize_text(label, keep_newlines=False)) for label, _text, _style in extra)
        )
        lines += [[], draw_rule(_("raw fields"), cells)]
        lines += draw_field_table(extra, widest, cells)
    if hidden := count_hidden(memory.text):
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


def draw_field_table(rows: list[tuple[str, str, str]], widest: int, cells: int) -> list[list[Piece]]:
    """(label, text, style) as lines, the texts aligned behind labels of `widest` cells."""
    lines: list[list[Piece]] = []
    for label, text, style in rows:
        shown = sanitize_text(text[:_LONG], keep_newlines=False) + ("…" if len(text) > _LONG else "")
        name = draw.pad(sanitize_text(label, keep_newlines=False), widest)
        room = cells - widest - 2
        if room < 8:
            lines += [[(name.rstrip(), "dim")], *wrap_pieces([(shown, style)], cells)]
            continue
        for index, line in enumerate(wrap_pieces([(shown, style)], room)):
            lines.append([(name if index == 0 else " " * widest, "dim"), ("  ", ""), *line])
    return lines


def draw_rule(title: str, cells: int) -> list[Piece]:
    """── title ─────"""
    return [(f"── {title} ", "dim"), ("─" * max(0, min(cells, 60) - cell_len(title) - 4), "faint")]


def draw_chain(links: Chain, cells: int) -> list[list[Piece]]:
    """What it replaced and what replaced it, nearest first; loops and loose ends are said."""
    if not (links.before or links.after or links.dangling or links.cyclic):
        return []
    lines: list[list[Piece]] = [[], draw_rule(_("history"), cells)]
    for newer in reversed(links.after):
        lines += _link("↑", _("replaced by"), newer, cells)
    if links.dangling:
        words = _("replaced by {key}, which is missing").format(key=sanitize_text(links.dangling[:80]))
        lines += wrap_pieces([("↑ ", "warn"), (words, "warn")], cells, hang=2)
    if links.cyclic:
        lines += wrap_pieces(
            [("↺ ", "warn"), (_("the chain of replacements is circular"), "warn")], cells, hang=2
        )
    for older in links.before:
        lines += _link("↓", _("replaced"), older, cells)
    return lines


def _link(sign: str, words: str, memory: Memory, cells: int) -> list[list[Piece]]:
    name = draw.clip_to_line(memory.key or f"{memory.path}:{memory.start}")
    text = draw.clip_to_line(memory.title or memory.text)
    return [
        *wrap_pieces([(f"{sign} {words} ", "dim"), (name, "accent")], cells, hang=2),
        *wrap_pieces([(f"  {SYMBOLS[memory.status]} ", "dim"), (draw.cut(text, 160), "")], cells, hang=4),
    ]
