"""The app: theme, keymap, subscription, nothing else. `run` opens it on homes and answers with an exit status."""

from __future__ import annotations

import asyncio
import gc
import os
import sys
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, ClassVar

from textual.app import App
from textual.events import Key

from memtui.locale import _
from memtui.tui.endings import heed
from memtui.tui.keymap import checked
from memtui.tui.look import Look
from memtui.tui.main import MainScreen
from memtui.tui.themes import DARK, OUR_THEMES, defaults

if TYPE_CHECKING:
    from collections.abc import Sequence

    from textual.events import Event
    from textual.theme import Theme

    from memtui.config import Config
    from memtui.vault import Vault


def stylesheets() -> list[Path]:
    """The style sheets: inside the package when installed, beside it in a checkout."""
    package = Path(__file__).resolve().parent.parent
    inside = package / "styles"
    folder = inside if inside.is_dir() else package.parent / "styles"
    return sorted(folder.glob("*.tcss"))


OPENING = 2.0
"""Seconds that keys wait for a view at most."""


class MemtuiApp(App[None]):
    """Shows a vault."""

    TITLE = "memtui"
    ENABLE_COMMAND_PALETTE = False
    ALLOW_SELECT = False
    NOTIFICATION_TIMEOUT: ClassVar[float] = 4

    def __init__(self, vault: Vault, config: Config, theme: str = "") -> None:
        """`theme` over the config's; a name nobody knows falls back to ours, and it is said."""
        no_color = "NO_COLOR" in os.environ
        super().__init__(css_path=list(map(str, stylesheets())), ansi_color=True if no_color else None)
        self.animation_level = "none"
        for ours in OUR_THEMES:
            self.register_theme(ours)
        self.vault = vault
        self.config = config
        keys = checked(config.keymap)
        self.warnings = list(keys.warnings)
        wanted = "ansi-dark" if no_color else theme or config.ui.theme or DARK
        if wanted not in self.available_themes:
            self.warnings.append(
                _("There is no theme '{name}': using {ours}.").format(name=wanted, ours=DARK)
            )
            wanted = DARK
        if self.available_themes[wanted].ansi:
            self.theme = wanted
        else:
            # Before anything is drawn there is nothing to restyle: the style sheets need not be read twice.
            self.set_reactive(App.theme, wanted)
            self.stylesheet.set_variables(self.get_css_variables())
        self._look: Look | None = None
        self.set_keymap(keys.keymap)
        self.main = MainScreen(vault, config, self.look, keys.keymap)

    def get_default_screen(self) -> MainScreen:
        """The one screen."""
        return self.main

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """Our own colours, for themes that know nothing of them."""
        return defaults(self.current_theme)

    def look(self) -> Look:
        """How things look in the theme at hand."""
        if self._look is None:
            self._look = Look(self.theme_variables, ansi=self.native_ansi_color, mono=self.no_color)
        return self._look

    async def on_event(self, event: Event) -> None:
        """What is typed while a view opens is meant for that view, and waits for it."""
        if isinstance(event, Key) and not self.main.settled.is_set():
            with suppress(TimeoutError):
                await asyncio.wait_for(self.main.settled.wait(), OPENING)
        await super().on_event(event)

    def on_mount(self) -> None:
        """Say what was wrong with the config; follow theme changes."""
        self.theme_changed_signal.subscribe(self, self._restyle)
        for warning in self.warnings:
            self.notify(warning, severity="warning", markup=False, timeout=8)

    @property
    def fault(self) -> Exception | None:
        """What ended the app, if it was a mistake of ours: for whoever started it to tell."""
        return self._exception

    def _fatal_error(self) -> None:
        # Textual would print a traceback with the values of all variables: memories, unescaped, on a bare terminal.
        self._close_messages_no_wait()

    def _restyle(self, _theme: Theme) -> None:
        self._look = None
        self.main.restyle()


def _settle() -> None:
    """What the start has made stays: keys do not wait while it is looked through for garbage."""
    gc.freeze()
    gc.enable()


def _load() -> None:
    """What the first search needs: its first letter must not wait for modules to load."""
    import_module("memtui.search.inquiry")
    import_module("memtui.search.vector")
    import_module("memtui.routing")


def run(paths: Sequence[str] | None = None, *, theme: str | None = None, index: str = "") -> int:
    """Open the app on the homes at `paths`, else on what is found here; answers with the exit status.

    `index` is where their indexes go instead of where the config wants them.
    Raises UsageError for a path where nothing is.
    """
    from memtui.config import load
    from memtui.vault import Vault

    # A key waits for a reader's thread no longer than this.
    sys.setswitchinterval(0.001)
    config, warnings = load()
    config = config._replace(index=config.index._replace(place=index or config.index.place))
    vault = Vault.open(paths, config=config, wait=False)
    try:
        app = MemtuiApp(vault, config, theme or "")
        app.warnings += warnings
        # The first look at every file, and the watcher's library, come behind the first frame.
        app.call_later(app.call_after_refresh, _settle)
        app.call_later(app.call_after_refresh, vault.watch)
        app.call_later(app.call_after_refresh, Thread(target=_load, daemon=True).start)
        app.call_later(heed, app)
        app.run()
        if app.fault is not None:
            raise app.fault
        return app.return_code or 0
    finally:
        vault.close()
