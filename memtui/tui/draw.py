"""Drawing by cells in the theme at hand: styles by name, text cut to a width, rows of pieces.

- The themes, and the hues that mean something: one for each kind of memory, besides its word.
- `Look`: names such as `dim` or `kind.rule` as styles, made once a theme and shared by all that draw by
  themselves: style sheets would compute the same for every widget.
- Pieces `(text, style name)`, whose text has been sanitized. Chinese and emoji take two cells, so the length of
  a string is never asked for.
"""

from __future__ import annotations

import sys
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from rich.cells import cell_len, set_cell_size
from rich.segment import Segment
from rich.style import Style
from textual.color import Color, ColorParseError
from textual.filter import LineFilter
from textual.strip import Strip
from textual.theme import BUILTIN_THEMES, Theme

from memtui.core.locale import _
from memtui.core.startup import compile_pattern
from memtui.safety.sanitize import sanitize_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from memtui.tui.actions import Where


def step(where: Where, page: int, count: int) -> int:
    """Rows to go, negative upwards, where `page` rows are seen of `count`."""
    half = max(1, page // 2)
    return {
        "down": 1,
        "up": -1,
        "half_down": half,
        "half_up": -half,
        "page_down": page,
        "page_up": -page,
        "top": -count,
        "bottom": count,
    }[where]


DARK = "memtui-dark"
LIGHT = "memtui-light"

HUES_DARK = {
    "hue-pref": "#d7a6f5",
    "hue-rule": "#7fb4f0",
    "hue-decision": "#8fd0a0",
    "hue-fact": "#79cdd0",
    "hue-lesson": "#f0a078",
    "hue-todo": "#e6cc77",
    "hue-session": "#a9b1f5",
    "hue-plain": "#a3aab5",
}
HUES_LIGHT = {
    "hue-pref": "#8a3fb8",
    "hue-rule": "#1f5fb0",
    "hue-decision": "#23733f",
    "hue-fact": "#0b6d75",
    "hue-lesson": "#b0491a",
    "hue-todo": "#8a6400",
    "hue-session": "#4a4fc0",
    "hue-plain": "#5d6470",
}
HUES_ANSI = {
    "hue-pref": "ansi_magenta",
    "hue-rule": "ansi_blue",
    "hue-decision": "ansi_green",
    "hue-fact": "ansi_cyan",
    "hue-lesson": "ansi_red",
    "hue-todo": "ansi_yellow",
    "hue-session": "ansi_bright_blue",
    "hue-plain": "ansi_default",
}

TOOLS_DARK = {
    "tool-orange": "#e8a075",
    "tool-green": "#8fd0a0",
    "tool-red": "#f2878d",
    "tool-blue": "#7fb4f0",
    "tool-violet": "#c3a6f5",
    "tool-teal": "#6fcfc4",
    "tool-pink": "#f0a0c8",
    "tool-yellow": "#e6cc77",
    "tool-plain": "#b4bac4",
}
TOOLS_LIGHT = {
    "tool-orange": "#a34a14",
    "tool-green": "#23733f",
    "tool-red": "#b3261e",
    "tool-blue": "#1f5fb0",
    "tool-violet": "#6a3fb8",
    "tool-teal": "#0b6660",
    "tool-pink": "#a8286e",
    "tool-yellow": "#7a5a00",
    "tool-plain": "#5d6470",
}
TOOLS_ANSI = {
    "tool-orange": "ansi_yellow",
    "tool-green": "ansi_green",
    "tool-red": "ansi_red",
    "tool-blue": "ansi_blue",
    "tool-violet": "ansi_magenta",
    "tool-teal": "ansi_cyan",
    "tool-pink": "ansi_bright_magenta",
    "tool-yellow": "ansi_bright_yellow",
    "tool-plain": "ansi_default",
}

OUR_THEMES = (
    Theme(
        name=DARK,
        primary="#7fb4f0",
        secondary="#8793a8",
        accent="#e0a85c",
        warning="#e6b450",
        error="#ef7d84",
        success="#8fd0a0",
        foreground="#d6dae2",
        background="#15181e",
        surface="#1b1f27",
        panel="#262b35",
        dark=True,
        variables={
            **HUES_DARK, **TOOLS_DARK, "frame": "#3a4150", "frame-focus": "#e0a85c", "row-cursor": "#2c3442",
            "row-cursor-blurred": "#20252e", "footer-key-foreground": "#e0a85c",
            "input-selection-background": "#7fb4f0 30%",
        },
    ),
    Theme(
        name=LIGHT,
        primary="#1f5fb0",
        secondary="#6a7280",
        accent="#b3591b",
        warning="#8a6400",
        error="#b3261e",
        success="#23733f",
        foreground="#22262e",
        background="#fbfaf7",
        surface="#f4f2ed",
        panel="#e6e3dc",
        dark=False,
        variables={
            **HUES_LIGHT, **TOOLS_LIGHT, "frame": "#c9c5bc", "frame-focus": "#b3591b",
            "row-cursor": "#e3e6ee", "row-cursor-blurred": "#efeeea", "footer-key-foreground": "#b3591b",
            "input-selection-background": "#1f5fb0 25%",
        },
    ),
)  # fmt: skip


def list_themes() -> list[str]:
    """The names of all themes that there are, ours first."""
    ours = [theme.name for theme in OUR_THEMES]
    return [*ours, *sorted(BUILTIN_THEMES.keys() - set(ours))]


def build_default_variables(theme: Theme) -> dict[str, str]:
    """Our variables for a theme that does not set them itself."""
    if theme.ansi:
        return {
            **HUES_ANSI,
            **TOOLS_ANSI,
            "frame": "ansi_bright_black",
            "frame-focus": "ansi_yellow",
            "row-cursor": "ansi_default",
            "row-cursor-blurred": "ansi_default",
        }
    return {
        **(HUES_DARK if theme.dark else HUES_LIGHT),
        **(TOOLS_DARK if theme.dark else TOOLS_LIGHT),
        "frame": theme.panel or theme.secondary or theme.primary,
        "frame-focus": theme.accent or theme.primary,
        "row-cursor": theme.panel or ("#2c3442" if theme.dark else "#d9d9d9"),
        "row-cursor-blurred": theme.surface or ("#20252e" if theme.dark else "#e8e8e8"),
    }


HUES = {
    "pref": "pref", "preference": "pref", "persona": "pref", "rule": "rule", "convention": "rule",
    "topic": "rule", "decision": "decision", "capability": "decision", "outcome": "decision", "fact": "fact",
    "experience": "fact", "skill": "fact", "lesson": "lesson", "error": "lesson", "signal": "lesson",
    "todo": "todo", "queue": "todo", "session": "session", "summary": "session",
}  # fmt: skip
"""Kind -> hue. A kind of somebody's own making has the plain one, and its word all the same."""


_SIGNS = {
    "*": "●▆◆", "o": "○☐↺", "~": "◌…", "-": "◇▱▃−–—─━▎╌", "%": "◔", "/": "◐✎", ".": "▫·•▁▏", "x": "☑✗×√",
    "+": "✓▅╭╮╰╯┏┓┗┛├┤┬┴┼▒", "!": "⚠", ">": "▸›→↳▌", "v": "▾↓", "<": "←↵↶", "^": "↑⇧▲", "_": "␣", "|": "│┃▕",
    "#": "▰▇▉▊▋▓§", ":": "▂░⋮", "=": "▄▍▤", "@": "█", "\"": "“”", "'": "‘’",
}  # fmt: skip
_PLAIN = str.maketrans({sign: plain for plain, signs in _SIGNS.items() for sign in signs})


class PlainSigns(LineFilter):
    """Signs and frames in ASCII, each as wide as it was, for a terminal or a font that has no others. What memories
    say in other scripts stays, unless the terminal's encoding has no such letters.
    """

    def __init__(self) -> None:
        super().__init__()
        self._encoding = "utf-8" if has_blocks() else _find_encoding()

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """The same line in ASCII, but for what memories say in other scripts."""
        return [Segment(self._plain(text), style, control) for text, style, control in segments]

    def _plain(self, text: str) -> str:
        text = text.translate(_PLAIN)
        try:
            text.encode(self._encoding)
        except UnicodeError:
            # Written as \u504f, it would be three times as wide as its place.
            return "".join(char if _has(self._encoding, char) else "?" * cell_len(char) for char in text)
        return text


def _has(encoding: str, char: str) -> bool:
    try:
        char.encode(encoding)
    except UnicodeError:
        return False
    return True


def _find_encoding() -> str:
    """What stdout is written in; where it is none that is known, ASCII."""
    found = getattr(sys.__stdout__, "encoding", None) or "utf-8"
    try:
        "".encode(found)
    except LookupError:
        return "ascii"
    return str(found)


LEGIBLE = 4.5
"""Contrast that text has at least on whatever it stands (WCAG 2, level AA)."""

VISIBLE = 3.0
"""Contrast that frames and bars have at least: they tell where one thing ends (WCAG 2, 1.4.11)."""


def measure_contrast(one: Color, other: Color) -> float:
    """WCAG's ratio of two colours: 1 to 21."""

    def light(color: Color) -> float:
        parts = (value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in color.normalized)
        return sum(share * part for share, part in zip((0.2126, 0.7152, 0.0722), parts, strict=True))

    low, high = sorted((light(one), light(other)))
    return (high + 0.05) / (low + 0.05)


def parse_variable(variables: Mapping[str, str], name: str, fallback: str) -> Color:
    """A colour of a theme, by its name or else by another."""
    for key in (name, fallback):
        try:
            return Color.parse(variables[key])
        except (KeyError, ColorParseError):
            continue
    return Color.parse("ansi_default")


def fit_contrast(
    color: Color, to: Color, grounds: Sequence[Color], ink: Color | None = None, *, least: float = LEGIBLE
) -> Color:
    """The colour, with as much of another in it as it takes to be read on the grounds; of a ground (`ink` says what
    stands on it) as much as it takes for that.
    """
    shade = color
    # A theme's own text may be too faint as well.
    utmost = Color(0, 0, 0) if to.brightness < 0.5 else Color(255, 255, 255)
    for tenth in range(21):
        shade = color.blend(to, tenth / 10) if tenth <= 10 else to.blend(utmost, tenth / 10 - 1)
        if min(measure_contrast(ink or shade, ground) for ground in (grounds or (shade,))) >= least:
            break
    return shade


def fit_frames(variables: Mapping[str, str], *, ansi: bool) -> dict[str, str]:
    """What style sheets colour frames and their titles with, so that it is seen in the theme at hand."""
    if ansi:
        return {"title": "ansi_default", "subtitle": "ansi_default"}
    own, back = (parse_variable(variables, name, "foreground") for name in ("foreground", "background"))
    grounds = (back, parse_variable(variables, "surface", "background"))
    front = fit_contrast(own, own, grounds)
    frame, focus = (parse_variable(variables, name, "foreground") for name in ("frame", "frame-focus"))
    return {
        "foreground": front.hex,
        "frame": fit_contrast(frame, front, grounds, least=VISIBLE).hex,
        "frame-focus": fit_contrast(focus, front, grounds).hex,
        "title": fit_contrast(front.blend(back, 0.25), front, grounds).hex,
        "subtitle": fit_contrast(front.blend(back, 0.45), front, grounds).hex,
    }


class Look:
    """The styles of one theme. `look["dim"]`, `look.kind("rule")`; unknown names are plain text."""

    def __init__(self, variables: Mapping[str, str], *, ansi: bool, mono: bool) -> None:

        def color(name: str, fallback: str = "foreground") -> Color:
            return parse_variable(variables, name, fallback)

        front, back = color("foreground"), color("background")
        at, beside = color("row-cursor", "panel"), color("row-cursor-blurred", "surface")
        if not ansi:
            at, beside = (fit_contrast(ground, back, (), front) for ground in (at, beside))
        grounds = (back, color("surface", "background"), at, beside)

        def ink(name: str, *, bold: bool | None = None, underline: bool | None = None) -> Style:
            shade = color(name) if ansi else fit_contrast(color(name), front, grounds)
            return Style(color=shade.rich_color, bold=bold, underline=underline)

        def soften(share: float) -> Style:
            return Style(color=fit_contrast(front.blend(back, share), front, grounds).rich_color)

        if ansi:
            dim = faint = Style(dim=True)
            # Reversed, a word's own colour would be its ground: one bar in two colours hides neither.
            cursor = Style(reverse=True) if mono else Style(color="default", bold=True, reverse=True)
            blurred = Style(underline=mono)
            mark = Style(bold=True, underline=True)
        else:
            dim, faint = soften(0.3), soften(0.62)
            cursor, blurred = Style(bgcolor=at.rich_color), Style(bgcolor=beside.rich_color)
            mark = ink("accent", bold=True, underline=True)
        hues = {name: ink(f"hue-{name}") for name in {*HUES.values(), "plain"}}
        self.styles: dict[str, Style] = {
            "": Style(),
            "bold": Style(bold=True),
            "italic": Style(italic=True),
            "dim": dim,
            "faint": faint,
            "struck": dim + Style(strike=True),
            "accent": ink("accent"),
            "title": ink("accent", bold=True),
            "head": Style(bold=True) + (Style() if ansi else ink("primary")),
            "ok": ink("success"),
            "warn": ink("warning"),
            "bad": ink("error"),
            "code": hues["fact"],
            "link": ink("primary", underline=True),
            "tag": hues["pref"],
            "mark": mark,
            "cursor": cursor,
            "blurred": blurred,
            "gutter": ink("frame-focus", bold=True),
            "frame": Style(color=color("frame").rich_color),
            "tab": Style(bold=True, reverse=True) if ansi else self._block(color("accent"), back, front),
        }
        self.styles |= {name: ink(name, bold=True) for name in TOOLS_DARK}
        self._kinds = {kind: hues[hue] for kind, hue in HUES.items()}
        self._plain = hues["plain"]
        self.ansi = ansi

    @staticmethod
    def _block(background: Color, *inks: Color) -> Style:
        shades = (*inks, Color(0, 0, 0), Color(255, 255, 255))
        ink = next((one for one in shades if measure_contrast(one, background) >= LEGIBLE), shades[-1])
        return Style(color=ink.rich_color, bgcolor=background.rich_color, bold=True)

    def __getitem__(self, name: str) -> Style:
        if name.startswith("kind."):
            return self.kind(name[5:])
        return self.styles.get(name) or self.styles[""]

    def kind(self, kind: str) -> Style:
        """The hue of a kind of memory."""
        return self._kinds.get(kind, self._plain)


Piece = tuple[str, str]
"""Text and the name of its style in the look."""

Marks = "Sequence[tuple[int, int]]"

EIGHTHS = " ▏▎▍▌▋▊▉█"
"""Blocks from nothing to a whole cell."""

LINE = 400
"""Characters of a text that a row looks at: no terminal is wider."""


KINDS = (
    "audit", "capability", "convention", "decision", "entity", "episode", "error", "event", "experience", "fact",
    "feedback", "file", "goal", "lesson", "message", "metric", "note", "outcome", "persona", "plan", "pref",
    "preference", "project", "reference", "rule", "secret", "session", "session_end", "session_metrics",
    "session_start", "signal", "skill", "state", "summary", "todo", "topic", "turn", "user", "warning",
)  # fmt: skip
"""Kinds of memories that have a word in every language; files may have others."""


def name_kind(kind: str) -> str:
    """The word for a kind, as lists show it; filters take the kind itself."""
    return _(kind) if kind in KINDS else clip_to_line(kind[:24])


_TYPE = compile_pattern(r"\*\*|(?<!\w)__(?=\S)|(?<=\S)__(?!\w)|`|~~")


def strip_type(text: str) -> str:
    """A line of Markdown without what sets its type: bold, code, struck out."""
    return _TYPE.sub("", text)


def sanitize_cells(text: str, *, keep_newlines: bool = True) -> str:
    """Safe text without what asks for another picture: the selectors, the colours of skin, what joins several signs
    to one. How many cells that takes is what terminals and their multiplexers disagree about, and a row that is moved
    by one leaves its old cells behind.
    """
    safe = sanitize_text(text, keep_newlines=keep_newlines)
    if safe.isascii():
        return safe
    safe = safe.replace("\ufe0f", "")
    # Most texts have none, and to look for six signs takes a tenth of what the pattern does.
    a, b, c, d, e, f = _ASKING
    asks = a in safe or b in safe or c in safe or d in safe or e in safe or f in safe
    return _PICTURES.sub("", safe) if asks else safe


_ASKING = "\u200d", "\U0001f3fb", "\U0001f3fc", "\U0001f3fd", "\U0001f3fe", "\U0001f3ff"
_PICTURES = compile_pattern(r"(?<=[\u203c-\u3299\U0001f000-\U0001faff])[\u200d\U0001f3fb-\U0001f3ff]")


def clip_to_line(text: str) -> str:
    """The beginning of a text as one safe line."""
    return sanitize_cells(_join_lines(text), keep_newlines=False).strip()


def offer_line(text: str) -> str:
    """A text as one safe line to be edited: with every sign that it is written with."""
    return sanitize_text(_join_lines(text), keep_newlines=False).strip()


def _join_lines(text: str) -> str:
    head = text[:LINE]
    return " ".join(head.split()) if "\n" in head else head


@lru_cache(maxsize=4096)
def cut(text: str, cells: int) -> str:
    """The text in at most `cells` cells, with … where something is missing."""
    if cells <= 0:
        return ""
    if cell_len(text) <= cells:
        return text
    return set_cell_size(text, cells - 1).rstrip(" …") + "…"


def clip_start(text: str, cells: int) -> str:
    """The end of a path in at most `cells` cells, with … where its beginning is missing."""
    if cell_len(text) <= cells:
        return text
    kept = text
    while kept and cell_len(kept) > cells - 1:
        kept = kept[max(1, (cell_len(kept) - cells) // 2) :]
    return "…" + kept if cells > 1 else ""


def pad(text: str, cells: int, *, right: bool = False) -> str:
    """The text in exactly `cells` cells; `right` aligns it to the right."""
    text = cut(text, cells)
    gap = " " * (cells - cell_len(text))
    return gap + text if right else text + gap


BARS = "▁▂▃▄▅▆▇█"


def draw_sparkline(counts: Sequence[int], most: int = 0) -> str:
    """Counts as bars, the tallest for `most` or for the most there is; nothing at all is a dot."""
    most = max(most, max(counts, default=0))
    return "".join("·" if count <= 0 else BARS[min(7, (count * 8 - 1) // most)] for count in counts)


def draw_bar(share: float, cells: int) -> str:
    """0 to 1 as a bar of exactly `cells`, to an eighth of a cell; whoever has any share sees something of it.

    It is read by its length alone, so that it says the same in sixteen colours and in none; where what prints it knows
    no blocks, in number signs.
    """
    eighths = round(max(0.0, min(1.0, share)) * cells * 8) or int(share > 0)
    whole, rest = divmod(eighths, 8)
    if not has_blocks():
        return ("#" * max(1 if eighths else 0, round(eighths / 8))).ljust(cells)
    return ("█" * whole + (EIGHTHS[rest] if rest else "")).ljust(cells)


@cache
def has_blocks() -> bool:
    """Whether what stdout is written in has them."""
    return all(_has(_find_encoding(), char) for char in EIGHTHS)


def count_cells(pieces: Iterable[Piece]) -> int:
    """Cells that the pieces take."""
    return sum(cell_len(text) for text, _ in pieces)


def fit(pieces: Sequence[Piece], cells: int) -> list[Piece]:
    """The pieces cut to at most `cells`."""
    out: list[Piece] = []
    for text, style in pieces:
        length = cell_len(text)
        if length <= cells:
            out.append((text, style))
            cells -= length
        else:
            if cells > 0:
                out.append((cut(text, cells), style))
            break
    return out


def _keep_in_view(pieces: Sequence[Piece], cells: int) -> list[Piece]:
    """Pieces of which the first `mark` is seen in `cells`: what stands before it gives way."""
    at = next((n for n, (_text, style) in enumerate(pieces) if style == "mark"), 0)
    if not at or count_cells(pieces[: at + 1]) <= cells:
        return list(pieces)
    before = "".join(text for text, _style in pieces[:at])
    return [(clip_start(before, max(1, cells // 4, cells - count_cells(pieces[at:]))), pieces[0][1]), *pieces[at:]]


def fit_row(left: Sequence[Piece], middle: Sequence[Piece], right: Sequence[Piece], cells: int) -> list[Piece]:
    """Exactly `cells` wide: left and right as they are, the middle cut or filled; the right goes first when
    there is no room for it. A mark in the middle is seen, whatever stands before it.
    """
    room = cells - count_cells(left) - count_cells(right)
    if right and room < (12 if middle else 0):
        right, room = (), cells - count_cells(left)
    inner = fit(_keep_in_view(middle, room), max(0, room))
    gap = room - count_cells(inner)
    out = [*fit(left, cells), *inner]
    if gap > 0:
        out.append((" " * gap, ""))
    return [*out, *right]


def mark_places(text: str, marks: Sequence[tuple[int, int]], style: str = "") -> list[Piece]:
    """Raw text with the places `marks` made visible, as one safe line: sanitizing moves offsets, so it comes last."""
    out: list[Piece] = []
    done = 0
    for start, end in sorted(marks):
        begin, stop = max(start, done), min(end, len(text))
        if begin >= stop:
            continue
        out.append((sanitize_cells(text[done:begin].replace("\n", " "), keep_newlines=False), style))
        out.append((sanitize_cells(text[begin:stop].replace("\n", " "), keep_newlines=False), "mark"))
        done = stop
    out.append((sanitize_cells(text[done : done + LINE].replace("\n", " "), keep_newlines=False), style))
    return [piece for piece in out if piece[0]]


def strip(pieces: Sequence[Piece], cells: int, look: Look, base: Style, over: Style | None = None) -> Strip:
    """The pieces as a line of exactly `cells`, on `base`, with `over` (the cursor) above all.

    Everything a list, a text or a bar shows goes through here, so it is made safe here once more.
    """
    segments = []
    used = 0
    for raw, name in pieces:
        text = sanitize_cells(raw, keep_newlines=False)
        style = base + look[name]
        segments.append(Segment(text, style + over if over else style))
        used += cell_len(text)
    line = Strip(segments, used)
    if used == cells:
        return line
    fill = base + over if over else base
    return line.extend_cell_length(cells, fill) if used < cells else line.crop(0, cells)
