"""Our two themes, and the hues that mean something: one for each kind of memory, besides its word."""

from __future__ import annotations

from textual.theme import Theme

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
            **HUES_DARK,
            "frame": "#3a4150",
            "frame-focus": "#e0a85c",
            "row-cursor": "#2c3442",
            "row-cursor-blurred": "#20252e",
            "footer-key-foreground": "#e0a85c",
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
            **HUES_LIGHT,
            "frame": "#c9c5bc",
            "frame-focus": "#b3591b",
            "row-cursor": "#e3e6ee",
            "row-cursor-blurred": "#efeeea",
            "footer-key-foreground": "#b3591b",
            "input-selection-background": "#1f5fb0 25%",
        },
    ),
)


def defaults(theme: Theme) -> dict[str, str]:
    """Our variables for a theme that does not set them itself."""
    if theme.ansi:
        return {
            **HUES_ANSI,
            "frame": "ansi_bright_black",
            "frame-focus": "ansi_yellow",
            "row-cursor": "ansi_default",
            "row-cursor-blurred": "ansi_default",
        }
    return {
        **(HUES_DARK if theme.dark else HUES_LIGHT),
        "frame": theme.panel or theme.secondary or theme.primary,
        "frame-focus": theme.accent or theme.primary,
        "row-cursor": theme.panel or ("#2c3442" if theme.dark else "#d9d9d9"),
        "row-cursor-blurred": theme.surface or ("#20252e" if theme.dark else "#e8e8e8"),
    }
