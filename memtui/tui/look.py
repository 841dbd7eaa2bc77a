"""How things look in the theme at hand: names such as `dim` or `kind.rule` -> a style to draw with.

Made once a theme and shared by all that draw by themselves: style sheets would compute the same for every widget.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.style import Style
from textual.color import Color, ColorParseError

if TYPE_CHECKING:
    from collections.abc import Mapping

HUES = {
    "pref": "pref",
    "preference": "pref",
    "persona": "pref",
    "rule": "rule",
    "convention": "rule",
    "topic": "rule",
    "decision": "decision",
    "capability": "decision",
    "outcome": "decision",
    "fact": "fact",
    "experience": "fact",
    "skill": "fact",
    "lesson": "lesson",
    "error": "lesson",
    "signal": "lesson",
    "todo": "todo",
    "queue": "todo",
    "session": "session",
    "summary": "session",
}
"""Kind -> hue. A kind of somebody's own making has the plain one, and its word all the same."""


class Look:
    """The styles of one theme. `look["dim"]`, `look.kind("rule")`; unknown names are plain text."""

    def __init__(self, variables: Mapping[str, str], *, ansi: bool, mono: bool) -> None:
        def color(name: str, fallback: str = "foreground") -> Color:
            for key in (name, fallback):
                try:
                    return Color.parse(variables[key])
                except (KeyError, ColorParseError):
                    continue
            return Color.parse("ansi_default")

        front, back = color("foreground"), color("background")

        def ink(name: str, *, bold: bool | None = None, underline: bool | None = None) -> Style:
            return Style(color=color(name).rich_color, bold=bold, underline=underline)

        if ansi:
            dim = faint = Style(dim=True)
            cursor = Style(reverse=True) if mono else Style(bold=True, reverse=True)
            blurred = Style(underline=mono)
            mark = Style(bold=True, underline=True)
        else:
            dim = Style(color=front.blend(back, 0.38).rich_color)
            faint = Style(color=front.blend(back, 0.62).rich_color)
            cursor = Style(bgcolor=color("row-cursor", "panel").rich_color)
            blurred = Style(bgcolor=color("row-cursor-blurred", "surface").rich_color)
            mark = Style(color=color("accent").rich_color, bold=True, underline=True)
        hues = {name: ink(f"hue-{name}") for name in {*HUES.values(), "plain"}}
        self.styles: dict[str, Style] = {
            "": Style(),
            "bold": Style(bold=True),
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
            "frame": ink("frame"),
            "tab": Style(bold=True, reverse=True) if ansi else self._block(color("accent"), back),
        }
        self._kinds = {kind: hues[hue] for kind, hue in HUES.items()}
        self._plain = hues["plain"]
        self.ansi = ansi

    @staticmethod
    def _block(background: Color, foreground: Color) -> Style:
        return Style(color=foreground.rich_color, bgcolor=background.rich_color, bold=True)

    def __getitem__(self, name: str) -> Style:
        if name.startswith("kind."):
            return self.kind(name[5:])
        return self.styles.get(name) or self.styles[""]

    def kind(self, kind: str) -> Style:
        """The hue of a kind of memory."""
        return self._kinds.get(kind, self._plain)
