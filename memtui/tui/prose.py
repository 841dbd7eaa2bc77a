"""A memory as styled, wrapped lines: tables, prose, and what is known about it besides its text.

- Tables of a Markdown text: columns aligned by cells, the widest cut where there is no room.
- Prose: Markdown as it is meant, by markdown-it's tokens: headings, nested lists, quotes, tables, code. Lines stay
  where the text breaks them, blank ones where it has them. Nothing opens, nothing is obeyed, HTML and entities are
  text; lines break where Chinese and Latin text may be broken. A widget tree would cost a hundred times as much.
- Fields: where it stands, how sure, how long, from whom, what replaced what. Keys that no field takes are shown
  as they stand on disk.
"""

from __future__ import annotations

import json
import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

from rich.cells import cell_len, get_character_cell_size

from memtui.core import clock
from memtui.core.locale import _, _n
from memtui.core.model import Status
from memtui.core.startup import compile_pattern
from memtui.layouts import name_layout
from memtui.safety.sanitize import count_hidden
from memtui.tui import draw
from memtui.tui.draw import sanitize_cells

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from markdown_it import MarkdownIt
    from markdown_it.rules_inline import StateInline
    from markdown_it.token import Token

    from memtui.core.model import Home, Memory
    from memtui.store.lookup import Chain
    from memtui.tui.draw import Piece

LEAST = 16
"""Cells that a column keeps of what it holds."""

_RULE = compile_pattern(r"[\s|:-]+")
_CELL = compile_pattern(r"(?<!\\)\|")
_BREAK = compile_pattern(r"[ \t]{0,8}<br[ \t]{0,3}/?>[ \t]{0,8}", re.IGNORECASE)
_PATH = compile_pattern(r"(?:[^\W\d_]|:)\\[.($@{+~-]\w")

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
    """The rows in at most `cells`, the first of them as a head; what is wider than its column goes on below."""
    many = max(map(len, rows))
    shown = [[_split_cell(cell) for cell in row] + [[""]] * (many - len(row)) for row in rows]
    natural = [max(cell_len(line) for row in shown for line in row[at]) for at in range(many)]
    # A few columns that can be read say more than all of them cut to pieces.
    while many > 1 and sum(min(wide, LEAST) for wide in natural[:many]) + 2 * (many - 1) > cells:
        many -= 1
    widths = [min(wide, cells) for wide in natural[:many]]
    while sum(widths) + 2 * (many - 1) > cells:
        widths[widths.index(max(widths))] -= 1
    lines: list[list[Piece]] = []
    for number, row in enumerate(shown):
        columns = [
            [line[start:end] for line in cell for start, end in find_breaks(line, wide)]
            for cell, wide in zip(row, widths, strict=False)
        ]
        for at in range(max(map(len, columns))):
            parts = (column[at] if at < len(column) else "" for column in columns)
            line = "  ".join(draw.pad(part.strip(), wide) for part, wide in zip(parts, widths, strict=True))
            lines.append([(line.rstrip(), "" if number else "bold")])
    if left := len(natural) - many:
        told = _n("{count} more column: z makes room", "{count} more columns: z makes room", left)
        lines.append([(draw.cut(f"… {told}", cells), "faint")])
    return lines


def _split_cell(cell: str) -> list[str]:
    """Its lines: where Markdown has no other way to say it, a tag breaks them."""
    return [sanitize_cells(line, keep_newlines=False).replace("**", "") for line in _BREAK.split(cell)]


MOST = 64 * 1024
"""Characters of one memory that are shown; the whole file is an enter away."""

_INLINE = compile_pattern(
    r"(?P<code>`[^`\n]+`)"
    r"|(?P<bold>\*\*[^*\n]+\*\*)"
    r"|(?P<struck>~~[^~\n]+~~)"
    r"|(?P<link>\[\[[^\]\n]{1,200}\]\]|\[[^\]\n]{1,200}\]\([^)\s]{0,500}\)|https?://[^\s<>()\[\]\"'，。；）]{1,500})"
    r"|(?P<tag>(?<![\w&/#])#[^\W\d][\w/-]{0,40})"
)
_JOINER, _SELECTOR = "\u200d", "\ufe0f"
_NO_START = frozenset("，。、！？；：）》」』】〕”’％…·,.!?;:)]}%")
_NO_END = frozenset("（《「『【〔“‘([{")


def draw_plain(text: str, cells: int, words: tuple[str, ...] = ()) -> list[list[Piece]]:
    """The text's lines as they stand there: what a tool was given or answered means no Markdown."""
    left_out = len(text) - MOST
    lines: list[list[Piece]] = []
    for raw in sanitize_cells(text[:MOST]).split("\n"):
        lines += wrap_pieces(mark_words([(raw, "")], words), cells)
    if left_out > 0:
        more = _n("… {count} more character", "… {count} more characters", left_out)
        lines.append([(f"{more}{_(': ')}{_('open the file')}", "dim")])
    return lines


def draw_inline(text: str) -> list[Piece]:
    """Bold, code, links and tags of one line; what they are written with stays where it carries meaning."""
    out: list[Piece] = []
    done = 0
    for match in _INLINE.finditer(text):
        if match.start() > done:
            out.append((text[done : match.start()], ""))
        style = match.lastgroup or ""
        found = match.group()
        out.append((found[2:-2] if style in {"bold", "struck"} else found[1:-1] if style == "code" else found, style))
        done = match.end()
    if done < len(text):
        out.append((text[done:], ""))
    return out


def mark_words(pieces: Iterable[Piece], words: tuple[str, ...]) -> list[Piece]:
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
    sizes = _list_sizes(text)
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


def _list_sizes(text: str) -> list[int]:
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
    return char in " -/" or ((size == 2 or next_size == 2) and following not in _NO_START and char not in _NO_END)


AT_ONCE = 12_000
"""Characters that are understood as Markdown while somebody waits; what follows is drawn line by line."""

BOXES = {"[ ] ": "☐ ", "[x] ": "☑ ", "[X] ": "☑ ", "[√] ": "☑ "}

_STYLES = {"strong": "bold", "em": "italic", "s": "struck", "link": "link"}


def draw_prose(text: str, cells: int, words: tuple[str, ...] = ()) -> list[list[Piece]]:
    """The text's lines as they are drawn at this width; `words` (lower case) are marked."""
    head, rest = text, ""
    if len(text) > AT_ONCE:
        cut = text.rfind("\n\n", 0, AT_ONCE)
        cut = cut if cut > 0 else text.rfind("\n", 0, AT_ONCE)
        head, rest = (text[:cut], text[cut:]) if cut > 0 else ("", text)
    lines = _Drawing(_parse(sanitize_cells(head)), cells).lines() if head else []
    lines = [mark_words(line, words) for line in lines]
    return lines + draw_plain(rest, cells, words) if rest else lines or [[]]


def _keep_path(state: StateInline, silent: bool) -> bool:
    # The backslash of a Windows path is no escape of Markdown's.
    found = _PATH.match(state.src, max(0, state.pos - 1)) is not None
    state.pending += "\\" if found and not silent else ""
    state.pos += found
    return found


@cache
def _make_parser() -> MarkdownIt:
    # Loaded with the first text that is shown, behind the first frame.
    from markdown_it import MarkdownIt

    made = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
    made.inline.ruler.before("escape", "path", _keep_path)
    # What stands there is shown: an entity could be anything, and a line of dashes is a line.
    return made.disable(["entity", "lheading", "html_block", "html_inline", "reference"])


@lru_cache(maxsize=32)
def _parse(text: str) -> list[Token]:
    return _make_parser().parse(text)


class _Drawing:
    """One text's tokens on their way to lines."""

    def __init__(self, tokens: Sequence[Token], cells: int) -> None:
        self._tokens, self._cells = tokens, max(4, cells)
        self._made: list[list[Piece]] = []
        self._leads: list[list[Piece]] = []
        """What stands before every line of a quote or an item, outermost first."""
        self._bullet: list[Piece] = []
        """What stands before the next line instead of the innermost of them."""
        self._last = 0
        """The line of the text after the last block."""

    def lines(self) -> list[list[Piece]]:
        """All of them."""
        at = 0
        while at < len(self._tokens):
            at = self._take(at)
        return self._made

    def _take(self, at: int) -> int:
        """Draw the block that begins at a token; answers with the token to go on with."""
        token = self._tokens[at]
        if token.type == "blockquote_open":
            self._space(token)
            self._leads.append([("│ ", "faint")])
        elif token.type == "list_item_open":
            self._space(token)
            sign = f"{token.info}{token.markup}" if token.info else "•"
            self._bullet = [(f"{sign} ", "dim")]
            self._leads.append([(" " * (cell_len(sign) + 1), "")])
        elif token.type in {"blockquote_close", "list_item_close"}:
            if self._bullet:
                self._put([])
            self._leads.pop()
        elif token.type == "inline":
            self._space(token)
            self._draw_inline(token, self._tokens[at - 1])
        elif token.type in {"fence", "code_block"}:
            self._space(token)
            if token.info.strip():
                self._put([(draw.cut(token.info.strip(), self._room), "faint")])
            for line in token.content.rstrip("\n").split("\n"):
                for part in wrap_pieces([(line.expandtabs(4), "code")], self._room - 2):
                    self._put([("▏ ", "faint"), *part])
        elif token.type == "hr":
            self._space(token)
            self._put([("─" * min(self._room, 60), "faint")])
        elif token.type == "table_open":
            return self._draw_table(at)
        return at + 1

    def _space(self, token: Token) -> None:
        """A blank line where the text has one before this block."""
        if token.map is None:
            return
        if self._made and token.map[0] > self._last and not self._bullet:
            self._made.append([piece for lead in self._fit_leads() for piece in lead])
        self._last = token.map[0] if token.type.endswith("_open") else token.map[1]

    def _fit_leads(self) -> list[list[Piece]]:
        """The leads, without the outermost where they would take the room of the words."""
        kept: list[list[Piece]] = []
        for lead in reversed(self._leads):
            if draw.count_cells([piece for one in (*kept, lead) for piece in one]) > self._cells // 3:
                break
            kept.append(lead)
        return kept[::-1]

    @property
    def _room(self) -> int:
        return max(2, self._cells - draw.count_cells([piece for lead in self._fit_leads() for piece in lead]))

    def _put(self, pieces: list[Piece]) -> None:
        leads = self._fit_leads()
        if self._bullet and leads:
            leads[-1] = self._bullet
        elif self._bullet:
            pieces = [*self._bullet, *pieces]
        self._bullet = []
        self._made.append([*(piece for lead in leads for piece in lead), *pieces])

    def _draw_inline(self, token: Token, opened: Token) -> None:
        level = int(opened.tag[1]) if opened.type == "heading_open" else 0
        base = "head" if 0 < level < 3 else "bold" if level else ""
        if token.content.startswith("<!--"):
            base = "faint"
        box, lines = "", _split(token.children or [], base)
        if opened.type == "paragraph_open" and self._bullet and lines and lines[0]:
            text, style = lines[0][0]
            for sign, shown in BOXES.items():
                if text.startswith(sign):
                    box, lines[0][0] = shown, (text[len(sign) :], style)
        if box:
            self._bullet = [*self._bullet, (box, "dim")]
            self._leads[-1] = [(" " * draw.count_cells(self._bullet), "")]
        for pieces in lines:
            for part in wrap_pieces(pieces, self._room):
                self._put(part)

    def _draw_table(self, at: int) -> int:
        """The rows of a table; answers with the token after it."""
        rows: list[list[str]] = []
        self._space(self._tokens[at])
        self._last = (self._tokens[at].map or [0, 0])[1]
        while self._tokens[at].type != "table_close":
            token = self._tokens[at]
            if token.type == "tr_open":
                rows.append([])
            elif token.type == "inline":
                rows[-1].append(
                    "".join(text for line in _split(token.children or [], "", breaks=False) for text, _ in line)
                )
            at += 1
        for line in draw_text_table(rows, self._room):
            self._put(line)
        return at + 1


def _split(children: Sequence[Token], base: str, *, breaks: bool = True) -> list[list[Piece]]:
    """The pieces of each line of a paragraph. `breaks`: a tag that breaks a line does."""
    lines: list[list[Piece]] = [[]]
    styles = [base]
    address = ""
    for child in children:
        kind = child.type
        if kind in {"softbreak", "hardbreak"}:
            lines.append([])
        elif kind.endswith("_open"):
            styles.append(_STYLES.get(kind[:-5], "") or styles[-1])
            address = str(child.attrs.get("href", "")) if kind == "link_open" else address
        elif kind.endswith("_close"):
            styles.pop()
            told = "".join(text for text, _style in lines[-1])
            if kind == "link_close" and "://" in address and not told.endswith(address):
                lines[-1].append((f" ({draw.cut(draw.clip_to_line(address), 60)})", "faint"))
        elif kind == "code_inline":
            lines[-1].append((child.content, "code"))
        elif kind == "image":
            lines[-1].append((f"[{child.content}]", "dim"))
        else:
            for number, part in enumerate(_BREAK.split(child.content) if breaks else [child.content]):
                if number:
                    lines.append([])
                lines[-1] += [(part, styles[-1])] if styles[-1] else draw_inline(part)
    return [[piece for piece in line if piece[0]] for line in lines]


SYMBOLS = {
    Status.ACTIVE: "●", Status.SUPERSEDED: "◌", Status.ARCHIVED: "◇", Status.DELETED: "✗",
    Status.EXPIRED: "◔", Status.CANDIDATE: "○", Status.BACKUP: "▫", Status.TEMPLATE: "▫", Status.SKILL: "▫",
    Status.STATE: "▫", Status.GENERATED: "▫", Status.CODE: "▫",
}  # fmt: skip
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
    local = clock.convert_to_local(seconds)
    # A day without an hour is no midnight.
    shape = "%Y-%m-%d %H:%M" if (local.hour, local.minute, local.second) != (0, 0, 0) else "%Y-%m-%d"
    return f"{local.strftime(shape)}  ({clock.format_age(seconds) or _('now')})"


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
def _name_order_rules(text: str) -> str:
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
    word = draw.name_kind(memory.kind)
    rows = [
        (_("kind"), memory.kind if word == memory.kind else f"{word} ({memory.kind})", f"kind.{memory.kind}"),
        (_("status"), status, STATUS_STYLES.get(memory.status, "dim")),
        (_("layer"), _(memory.layer.value) if memory.layer else "", ""),
        (_("section"), draw.strip_type(" › ".join(memory.heading)), ""),
        (_("confidence"), number(memory.confidence) if memory.confidence is not None else "", ""),
        (_("importance"), number(memory.importance) if memory.importance is not None else "", ""),
        (_("created"), format_moment(memory.created), ""),
        (_("updated"), format_moment(memory.updated), ""),
        (_("expires"), format_moment(memory.expires), "warn"),
        (_("tags"), " ".join(f"#{tag}" for tag in memory.tags), "tag"),
        (_("entities"), _(", ").join(memory.entities), ""),
        (_("links"), "  ".join(memory.links), ""),
        (_("session"), memory.session, ""),
        (_("evidence"), memory.evidence, ""),
        (_("source"), memory.source if memory.source != memory.session else "", ""),
        (_("key"), memory.key if memory.key != memory.session else "", ""),
        (_("file"), f"{memory.path}:{lines}", ""),
        (_("home"), f"{home.label} ({name_layout(home.layout)})" if home else memory.home, ""),
    ]
    return [row for row in rows if row[1]]


def draw_fields(memory: Memory, home: Home | None, cells: int) -> list[list[Piece]]:
    """The fields as lines, labels aligned, with a head of their own."""
    rows = list_known_fields(memory, home)
    extra = [(str(key), format_value(thing), "") for key, thing in memory.extra.items()]
    widest = max((cell_len(label) for label, _text, _style in rows), default=8)
    lines: list[list[Piece]] = []
    if rules := _name_order_rules(memory.text):
        told = _("⚠ it reads like an order to agents ({rules})").format(rules=rules)
        lines += [*wrap_pieces([(told, "warn")], cells, hang=2), []]
    lines.append(draw_rule(_("fields"), cells))
    lines += draw_field_table(rows, widest, cells)
    if extra:
        widest = min(24, max(cell_len(sanitize_cells(label, keep_newlines=False)) for label, _text, _style in extra))
        lines += [[], draw_rule(_("raw fields"), cells)]
        lines += draw_field_table(extra, widest, cells)
    if hidden := count_hidden(memory.text):
        lines += [
            [],
            [(_n("⚠ {count} hidden character in the text", "⚠ {count} hidden characters in the text", hidden), "warn")],
        ]
    return lines


def draw_field_table(rows: list[tuple[str, str, str]], widest: int, cells: int) -> list[list[Piece]]:
    """(label, text, style) as lines, the texts aligned behind labels of `widest` cells."""
    lines: list[list[Piece]] = []
    for label, text, style in rows:
        shown = sanitize_cells(text[:_LONG], keep_newlines=False) + ("…" if len(text) > _LONG else "")
        name = draw.pad(sanitize_cells(label, keep_newlines=False), widest)
        room = cells - widest - 2
        if room < 8:
            lines += [[(name.rstrip(), "dim")], *wrap_pieces([(shown, style)], cells)]
            continue
        moment, gap, age = shown.partition("  (")
        # An age is read whole: Chinese may be broken between any two characters.
        apart = bool(gap) and cell_len(shown) > room >= max(cell_len(moment), cell_len(age) + 1)
        wrapped = [[(moment, style)], [(f"({age}", style)]] if apart else wrap_pieces([(shown, style)], room)
        for index, line in enumerate(wrapped):
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
        words = _("replaced by {key}, which is missing").format(key=sanitize_cells(links.dangling[:80]))
        lines += wrap_pieces([("↑ ", "warn"), (words, "warn")], cells, hang=2)
    if links.cyclic:
        lines += wrap_pieces([("↺ ", "warn"), (_("the chain of replacements is circular"), "warn")], cells, hang=2)
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
