"""The app: theme, keymap, and what holds it up when something fails. `run` opens it and answers an exit status.

What runs beside the screen's own thread, which touches no disk, no index and no lock that is held across
either:

- memtui-reader × 3 (`executor.LatestOnlyExecutor`): questions by group, one of a group at a time, the newest
  waits; bounded by the groups.
- memtui-writer (`executor.SerialExecutor`): every write to a home, in order; none is dropped, leaving waits for
  what is being written.
- memtui-watch × homes, and watchdog's own (`index.watch`): events become short transactions of that home's
  index.
- memtui-build × homes that are being built (`store.home`): waits for the process that builds, and ends with the
  home.
- memtui-vectors (`store.live.Filler`): starts and hears the one process that makes vectors; a home's turn ends
  after a minute.
- memtui-analysis (`analysis.analyst`): starts and hears the one process that computes Review and Evolution.
- memtui-lease (`index.lease`): answers other processes whether an index is current; one request at a time.
- memtui-refine (`search.inquiry`): the better order of one answer; given up with the next letter.
- memtui-log (`faults`): writes what went wrong, once for each kind.
- memtui-team: begins the exchange with teams as soon as this machine is in one; looks every few seconds.
- Without a name: `_load`, once at the start, imports what the first search needs; the pipes of the reranker
  (`search.reorder`) and of the model (`llm.ask`), bounded by the command's time.

Processes: `team.exchange` where this machine is in a team; `index.build`, `analysis.process` and
`search.vector_jobs` (low priority; they end with us, and
killed at any moment lose no more than what they were at), the reranker's and the model's commands, the editor.
Locks across processes are files in the state directory: of an index's writer, its builder, its analysis, its
vectors; of a journal.
"""

from __future__ import annotations

import gc
import json
import os
import shutil
import subprocess
import sys
import threading
import time
from contextlib import suppress
from functools import partial
from pathlib import Path
from tempfile import mkdtemp
from threading import Thread
from typing import TYPE_CHECKING, Any, ClassVar

from textual.app import App, ScreenStackError
from textual.await_complete import AwaitComplete
from textual.css.query import NoMatches
from textual.events import InputEvent, Key, Paste
from textual.widgets._toast import ToastRack

from memtui.core.config import find_config_path, load
from memtui.core.errors import MemtuiError
from memtui.core.locale import LANGUAGES, VARIABLE, _, choose_language
from memtui.core.startup import keep_patterns, sha256
from memtui.demo import copy
from memtui.fs.last_picture import stamp_index, store_picture
from memtui.fs.locks import end_process
from memtui.fs.places import replace_private_file, state
from memtui.store.vault import Vault
from memtui.team import attach_servers
from memtui.tui.actions import check_keymap
from memtui.tui.context import Whereabouts
from memtui.tui.draw import DARK, OUR_THEMES, Look, PlainSigns, build_default_variables, fit_frames, has_blocks
from memtui.tui.faults import Faults, Threads, shield_widget
from memtui.tui.handlers import ScreenDesk, load_windows
from memtui.tui.screen import MainScreen
from memtui.tui.terminal import HANGUP, draw_picture, end, end_app, harden_driver
from memtui.tui.typed_ahead import TypedAhead

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from textual.dom import DOMNode
    from textual.driver import Driver
    from textual.events import Event
    from textual.message import Message
    from textual.screen import Screen
    from textual.theme import Theme
    from textual.widget import Widget

    from memtui.core.config import Config
    from memtui.fs.places import Place


def list_stylesheets() -> list[Path]:
    """The style sheets: inside the package when installed, beside it in a checkout."""
    package = Path(__file__).resolve().parent.parent
    inside = package / "styles"
    folder = inside if inside.is_dir() else package.parent / "styles"
    return sorted(folder.glob("*.tcss"))


TWICE = 1.0
"""Seconds within which a second ctrl+c ends the app, whatever state it is in."""

WINDOWS = 12
"""Windows that may lie upon each other: every one draws what is under it."""

BRIEF = 0.5
"""Seconds that a sentence in the corner is shown at least."""

INTERRUPTED = 130


def _identify_window(window: Screen[Any]) -> tuple[object, ...]:
    """What a window is of: another with the same would show the same."""
    return type(window), *(getattr(window, name, None) for name in ("_title", "home", "path"))


class MemtuiApp(App[None]):
    """Shows a vault."""

    TITLE = "memtui"
    ENABLE_COMMAND_PALETTE = False
    ALLOW_SELECT = False
    NOTIFICATION_TIMEOUT: ClassVar[float] = 4

    def __init__(self, vault: Vault, config: Config, theme: str = "", whereabouts: Whereabouts | None = None) -> None:
        """`theme` over the config's; a name nobody knows falls back to ours, and it is said."""
        no_color = "NO_COLOR" in os.environ
        self.faults = Faults(self._stands, self._say)
        super().__init__(css_path=list(map(str, list_stylesheets())), ansi_color=True if no_color else None)
        self.animation_level = "none"
        for ours in OUR_THEMES:
            self.register_theme(ours)
        self.vault = vault
        self.config = config
        keys = check_keymap(config.keymap)
        self.warnings = list(keys.warnings)
        wanted = "ansi-dark" if no_color else theme or config.ui.theme or DARK
        if wanted not in self.available_themes:
            self.warnings.append(_("There is no theme '{name}': using {ours}.").format(name=wanted, ours=DARK))
            wanted = DARK
        if self.available_themes[wanted].ansi:
            self.theme = wanted
        else:
            # Before anything is drawn there is nothing to restyle: the style sheets need not be read twice.
            self.set_reactive(App.theme, wanted)
            self.stylesheet.set_variables(self.get_css_variables())
        self._look: Look | None = None
        symbols = config.ui.symbols
        if symbols == "ascii" or (symbols == "auto" and not has_blocks()):
            self._filters.append(PlainSigns())
        self.set_keymap(keys.keymap)
        self.main = MainScreen(
            vault, config, self.look, keys.keymap, desk=ScreenDesk, windows=load_windows, whereabouts=whereabouts
        )
        self.main.context.faults = self.faults
        self._ahead = TypedAhead(self, self.main)
        self._interrupted = float("-inf")
        """When ctrl+c was last pressed."""
        self.picture = ("", "")
        """The last picture taken, and the view on it; empty for Home."""

    def get_default_screen(self) -> MainScreen:
        """The one screen."""
        return self.main

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """Our own colours, for themes that know nothing of them."""
        return build_default_variables(self.current_theme)

    def get_css_variables(self) -> dict[str, str]:
        """The theme's, with frames and titles that can be seen on its grounds."""
        found = super().get_css_variables()
        self.theme_variables = found | fit_frames(found, ansi=self.current_theme.ansi)
        return self.theme_variables

    def look(self) -> Look:
        """How things look in the theme at hand."""
        if self._look is None:
            self._look = Look(self.theme_variables, ansi=self.native_ansi_color, mono=self.no_color)
        return self._look

    async def on_event(self, event: Event) -> None:
        """What is typed or pasted while a view or a window opens is meant for that, and waits for it."""
        if isinstance(event, InputEvent | Paste) and not (self.is_running and self.screen_stack):
            # On the way out: nothing stands any more.
            return
        if isinstance(event, Key | Paste):
            # By when each was pressed: handed out once more it is no second one, and two that are heard late are two.
            if isinstance(event, Key) and event.key == "ctrl+c" and event.time > self._interrupted:
                before, self._interrupted = self._interrupted, event.time
                if event.time - before < TWICE:
                    self.exit(return_code=INTERRUPTED)
                    return
            if await self._ahead.hold_back(event):
                return
            await super().on_event(event)
            self._ahead.follow(event)
            return
        await super().on_event(event)

    def on_mount(self) -> None:
        """Say what was wrong with the config; follow theme changes."""
        self.theme_changed_signal.subscribe(self, self._restyle)
        for warning in self.warnings:
            self.notify(warning, severity="warning", markup=False, timeout=8)

    def push_screen(self, screen: Any, *given: Any, **named: Any) -> Any:
        """Open a window; no second one of the same over it, as thirty keys of a burst would, nor too many at all."""
        twin = _identify_window(screen) == _identify_window(self.screen)
        if not twin and len(self.screen_stack) <= WINDOWS:
            self.main.turns += 1
            self._ahead.opened = time.monotonic()
            return super().push_screen(screen, *given, **named)
        if not twin:
            self.main.say(_("Too many windows are open: close one first (esc)."))
        return AwaitComplete()

    def _refresh_notifications(self) -> None:
        with suppress(ScreenStackError, NoMatches):
            self.call_later(self._show_toasts, self.screen.get_child_by_type(ToastRack))

    def _show_toasts(self, rack: ToastRack) -> None:
        # Made with no time left, a toast's timer would run in a circle for ever, and nothing else.
        said = set[str]()
        for sentence in list(self._notifications):
            if sentence.time_left < BRIEF or sentence.message in said:
                del self._notifications[sentence]
            said.add(sentence.message)
        rack.show(self._notifications)

    def exit(self, *given: Any, **named: Any) -> None:
        """Leave; what is shown now is what the next start begins with."""
        if self._stands():
            # Whatever is wrong with a view must not keep anybody from leaving.
            with suppress(Exception):
                self.main.note_whereabouts()
                self.take_picture()
        super().exit(*given, **named)

    def take_picture(self) -> None:
        """Note what is shown, for the next start to show until it has a frame of its own. None is taken of what
        no start shows: a search, and what lies over a view.
        """
        view = self.main.view
        plain = self.screen is self.main and view != "search"
        self.picture = (
            (draw_picture(self), "" if view == (self.config.ui.start or "home") else view) if plain else ("", "")
        )

    def action_help_quit(self) -> None:
        """Textual's own would name a key that is not ours."""
        self.main.say(_("q leaves; ctrl+c once more ends it at once."))

    # -- what holds it up -----------------------------------------------------------------------------------------

    @property
    def fault(self) -> Exception | None:
        """What ended the app, if it was a mistake of ours: for whoever started it to tell."""
        return self._exception

    def get_driver_class(self) -> type[Driver]:
        """The system's, less what a byte could end."""
        return harden_driver(super().get_driver_class(), self._hung_up, self._foreign)

    def _hung_up(self) -> None:
        end(self, HANGUP)

    def keep_typed(self) -> None:
        """What is being typed while the terminal goes away is given back at the next start."""
        typed = {text for screen in self.screen_stack if len(text := getattr(screen, "typed", "").strip()) >= WORTH}
        drafts = self.main.hand.drafts
        for text in typed - {unwritten.text for unwritten in drafts.waiting}:
            drafts.put(drafts.add(text, None))

    def _foreign(self) -> None:
        self._say(_("What the terminal sent is no UTF-8: it was left out."))

    def _stands(self) -> bool:
        """Whether there is a screen that can go on, and something on it that can say what went wrong."""
        return self._loop is not None and bool(self.main.children)

    def _say(self, sentence: str) -> None:
        """A sentence in the status line, from any thread."""

        def say() -> None:
            try:
                self.main.say(sentence)
                if self.screen is not self.main:
                    self.notify(sentence, severity="warning", markup=False)
            except Exception:
                # What cannot even say it has said it in the log.
                self.main.said = sentence

        if self._loop is not None and not self._exit:
            with suppress(RuntimeError):
                self._loop.call_soon_threadsafe(self._in_context, say)

    def _in_context(self, then: Callable[[], None]) -> None:
        with self._context():
            then()

    def _handle_exception(self, error: Exception) -> None:
        if not self.faults.catch(error):
            super()._handle_exception(error)

    async def _dispatch_message(self, message: Message) -> None:
        # An exception in here would end the loop that this is called from, and with it the app.
        try:
            await super()._dispatch_message(message)
        except Exception as error:
            if not self.faults.catch(error):
                raise

    def _register_child(self, parent: DOMNode, child: Widget, before: int | None, after: int | None) -> None:
        if child not in self._registry:
            shield_widget(child, self.faults)
        super()._register_child(parent, child, before, after)

    def _start_widget(self, parent: Widget, widget: Widget) -> None:
        # Scrollbars come this way.
        shield_widget(widget, self.faults)
        super()._start_widget(parent, widget)

    def panic(self, *renderables: object) -> None:
        """The end. Textual would print what it is given: a traceback, or memories, on a bare terminal."""
        self._close_messages_no_wait()

    def _fatal_error(self) -> None:
        # Textual would print a traceback with the values of all variables: memories, unescaped, on a bare terminal.
        self._close_messages_no_wait()

    def _restyle(self, _theme: Theme) -> None:
        self._look = None
        self.main.restyle()


JOINING = 5.0
"""Seconds between two looks for a team that was joined meanwhile."""
LATER = 0.8
"""Seconds after which what nobody waits for is begun: what is saved meanwhile is to be seen at once."""

ROWS_FIRST = 0.15
"""Seconds that the first look at every file gives to the rows that the first frame still lacks."""
SOON = 0.3
"""Seconds that the rest of Home gives to the first look at every file."""
LAST = 2.0
"""Seconds after which what the first search needs is loaded: a home of a few hundred files is indexed by then."""


def _settle() -> None:
    """What the start has made stays: keys do not wait while it is looked through for garbage."""
    gc.freeze()
    gc.enable()


def _load() -> None:
    """What the first search and the first text need: no key must wait for modules to load."""
    import markdown_it  # noqa: F401

    from memtui.search import inquiry  # noqa: F401
    from memtui.store import routes  # noqa: F401

    keep_patterns()


KEPT = 30
"""Sets of homes whose views are kept as they were left."""


def _read_state() -> dict[str, Any]:
    try:
        found = json.loads((state() / "views.json").read_bytes())
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def load_whereabouts(vault: Vault) -> Whereabouts:
    """What was shown of these homes when they were last left, and all searches. Reads a file."""
    kept = _read_state()
    own = kept.get(_name_homes(vault))
    return Whereabouts({**(own if isinstance(own, dict) else {}), "recent": kept.get("recent"),
                        "pinned": kept.get("pinned")})  # fmt: skip


def save_whereabouts(vault: Vault, whereabouts: Whereabouts) -> None:
    """Keep it for the next start, for this user only. Writes a file; what cannot be kept is not worth a word."""
    kept, own = _read_state(), whereabouts.dump()
    searches = {"recent": own.pop("recent"), "pinned": own.pop("pinned")}
    others = {name: one for name, one in kept.items() if isinstance(one, dict) and name != _name_homes(vault)}
    newest = [*others.items()][1 - KEPT :]
    data = json.dumps({**searches, **dict(newest), _name_homes(vault): own}, ensure_ascii=False)
    with suppress(OSError, MemtuiError):
        replace_private_file(state() / "views.json", data.encode(), sync=False)


def _name_homes(vault: Vault) -> str:
    return sha256(os.fsencode("\0".join(sorted(str(home.path) for home in vault.homes))))[:16]


def _start_sync() -> subprocess.Popen[str] | None:
    """A process that exchanges with this machine's teams while the app is open; None: it is in none."""
    try:
        joined = any(name.endswith(".json") for name in os.listdir(state() / "team"))
        words = [sys.executable, "-m", "memtui.team.exchange"]
        quiet = subprocess.DEVNULL
        return subprocess.Popen(words, stdin=subprocess.PIPE, stdout=quiet, stderr=quiet, text=True) if joined else None
    except OSError:
        return None


def _keep_sync(stop: threading.Event, begun: list[subprocess.Popen[str]]) -> None:
    """Have that process run until `stop`, also where the first team is joined, or started, meanwhile."""
    while not stop.is_set():
        if not begun or begun[0].poll() is not None:
            begun[:] = filter(None, [_start_sync()])
        stop.wait(JOINING)


def run(paths: Sequence[str] | None = None, *, theme: str | None = None, demo: str = "") -> int:
    """Open the app on the homes at `paths`, else on what is found here; answers with the exit status.

    `demo`: a language; then on the bundled homes, copied to a temporary directory that goes when the app does.
    Raises UsageError for a path where nothing is.
    """
    # A key waits for a reader's thread no longer than this.
    sys.setswitchinterval(0.001)
    if demo in LANGUAGES[1:] and has_blocks():
        # Who asks for the story in a language reads it: the app and what it starts speak that, unless told otherwise.
        os.environ.setdefault(VARIABLE, demo)
        choose_language("")
    wish = "demo" if demo else "again"
    while True:
        if wish == "demo":
            folder = mkdtemp(prefix="memtui-demo-")
            try:
                homes = [str(home) for home in copy(folder, demo or LANGUAGES[0])]
                status, wish = _open(homes, theme, os.path.join(folder, "index"))
            finally:
                _remove_demo(folder)
        else:
            if wish == "here":
                paths = [os.getcwd()]
            status, wish = _open(paths, theme, "")
        if not wish:
            return status


def _remove_demo(folder: str) -> None:
    """Take the demo away. A process of the app that is about to end may still put a file there: then once more."""
    for _turn in range(_TRIES):
        shutil.rmtree(folder, ignore_errors=True)
        if not os.path.lexists(folder):
            return
        time.sleep(_BETWEEN)


def _watch(app: MemtuiApp, vault: Vault) -> None:
    """Begin the first look at every file: behind the rows that an index has, at once where none has any."""
    if all(status.index_path for status in vault.status()):
        app.set_timer(ROWS_FIRST, vault.watch)
    else:
        vault.watch()


WORTH = 12
"""Characters from which on what was being typed is kept."""

_TRIES, _BETWEEN = 30, 0.1
"""How often, and how many seconds apart."""


def _open(paths: Sequence[str] | None, theme: str | None, index: str) -> tuple[int, str]:
    """The exit status of one run, and what is to be opened next. Of the demo, which has its `index` beside it, the
    story is told, and nothing is remembered.
    """
    config, warnings = load()
    config = config._replace(index=config.index._replace(place=index or config.index.place))
    vault = Vault.open(paths, config=config, wait=False, shared=True)
    if vault.follows_teams:
        attach_servers(vault)
    app: MemtuiApp | None = None
    try:
        # What is opened with an index of its own is there for once: a demo.
        whereabouts = Whereabouts() if index else load_whereabouts(vault)
        shown = [vault.place(home) for home in vault.homes]
        app = MemtuiApp(vault, config, theme or "", whereabouts)
        app.main.context.analyst.prepare()
        app.warnings += warnings
        # The first look at every file, and the watcher's library, come behind the first frame.
        app.call_later(app.call_after_refresh, _settle)
        app.call_later(app.call_after_refresh, partial(_watch, app, vault))
        app.call_later(app.set_timer, LATER, app.main.analyse)
        app.call_later(app.set_timer, LAST, Thread(target=_load, daemon=True).start)
        app.call_later(end_app, app)
        main = app.main
        main.context.pause = SOON

        if index:
            app.call_later(app.call_after_refresh, main.begin_tour)
        else:
            app.call_later(app.set_timer, LATER, partial(_keep_place, app, vault))
            main.context.greets = True
        stop, begun = threading.Event(), list[subprocess.Popen[str]]()
        keeper = Thread(target=_keep_sync, args=(stop, begun), name="memtui-team", daemon=True)
        if paths is None:
            keeper.start()
        try:
            with Threads(app.faults):
                app.run()
        finally:
            stop.set()
            if paths is None:
                keeper.join()
            for process in begun:
                end_process(process)
        if not index:
            save_whereabouts(vault, whereabouts)
        if app.fault is not None:
            raise app.fault
        if not index:
            from memtui.tui.today import store_looks

            store_looks(main.context.seen, folded=main.context.folded)
        return app.return_code or 0, main.wish
    finally:
        vault.close()
        if app is not None and not index:
            # The index is written to until here.
            _store_picture(app, shown)


def _keep_place(app: MemtuiApp, vault: Vault) -> None:
    """Store how the views are laid out: an app that is killed leaves nothing else for the next start. Not where the
    cursor stood before anybody moved it.
    """
    app.main.note_whereabouts()
    kept = Whereabouts({**app.main.context.whereabouts.dump(), "left": None})
    Thread(target=save_whereabouts, args=(vault, kept), daemon=True).start()


def _store_picture(app: MemtuiApp, shown: Sequence[Place]) -> None:
    drawn, view = app.picture
    if drawn:
        store_picture(drawn, view, stamp_index(shown, (find_config_path(),)))
