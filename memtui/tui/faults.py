"""Faults of ours inside the app: each becomes one sentence, a row in Health and a record in the log; the app stays.

Textual ends an app at the first exception of a handler, and a widget's message loop with it. `MemtuiApp` leads
every way on which an exception can come (handlers, callbacks, timers, workers, rendering, layout, other
threads) to `Faults.catch`. Not caught is what cannot be survived: no memory, or an app that is not mounted yet.
"""

from __future__ import annotations

import logging
import threading
import time
from typing import TYPE_CHECKING, Any

from rich.segment import Segment
from rich.style import Style
from textual import message_pump, screen
from textual._callback import invoke as _invoke
from textual._context import active_app
from textual.events import InputEvent
from textual.strip import Strip
from textual.worker import WorkerFailed

from memtui.core import clock
from memtui.core.errors import MemtuiError
from memtui.core.locale import _, _n
from memtui.fs.places import record
from memtui.safety.sanitize import sanitize_text
from memtui.tui import draw
from memtui.tui.prose import wrap_pieces
from memtui.tui.row_list import Fixed

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual.geometry import Region
    from textual.message import Message
    from textual.widget import Widget

    from memtui.tui.draw import Piece

MOST = 50
"""Places of which faults are told apart; all others are counted together."""

PAUSE = 2.0
"""Seconds between two sentences: a fault that comes back with every frame must not make frames itself."""

LEAVING = 1.0
"""Seconds that leaving waits for the log."""


class Fault:
    """All faults of one kind at one place."""

    def __init__(self, kind: str, place: str) -> None:
        self.kind, self.place = kind, place
        self.count = 0
        self.first = self.last = clock.now()
        self.log = ""
        """The file that tells more, where it could be written."""


class Faults:
    """What went wrong since the start, from whichever thread."""

    def __init__(self, stands: Callable[[], bool], tell: Callable[[str], None]) -> None:
        """`stands`: whether there is an app that could go on; `tell` shows a sentence, called from any thread."""
        self._stands, self._tell = stands, tell
        self._found: dict[tuple[str, str], Fault] = {}
        self._lock = threading.Lock()
        self._told = float("-inf")
        self._logging: list[threading.Thread] = []

    @property
    def found(self) -> list[Fault]:
        """All of them, the newest kind first."""
        with self._lock:
            return sorted(self._found.values(), key=lambda fault: fault.last, reverse=True)

    def catch(self, error: BaseException) -> bool:
        """Take an exception that nobody took. False: it is one that must end the app."""
        if isinstance(error, WorkerFailed):
            error = error.error
        if isinstance(error, MemoryError) or not isinstance(error, Exception) or not self._stands():
            return False
        if isinstance(error, MemtuiError):
            self._tell(sanitize_text(str(error)))
            return True
        with self._lock:
            fault = self._find_fault(type(error).__name__, _place(error))
            fault.count += 1
            fault.last = clock.now()
            # The first, the tenth, the hundredth: a storm fills neither the log nor the machine with threads.
            logged = fault.count in {1, 10, 100, 1000, 10_000}
            told = time.monotonic() - self._told > PAUSE
            if told:
                self._told = time.monotonic()
        if logged:
            # The log is on a disk, and reading the lines of a traceback is, too.
            thread = threading.Thread(target=self._log, args=(fault, error), name="memtui-log", daemon=True)
            self._logging = [*filter(threading.Thread.is_alive, self._logging), thread]
            thread.start()
        if told:
            what = _("Something went wrong inside memtui ({what}): 6 shows it.")
            self._tell(what.format(what=fault.kind))
        return True

    def settle(self) -> None:
        """Leaving: wait a little for what is being logged."""
        for thread in self._logging:
            thread.join(LEAVING)

    def _find_fault(self, kind: str, place: str) -> Fault:
        if (kind, place) not in self._found and len(self._found) >= MOST:
            kind, place = "…", ""
        return self._found.setdefault((kind, place), Fault(kind, place))

    @staticmethod
    def _log(fault: Fault, error: BaseException) -> None:
        fault.log = str(record(error) or "")


def _place(error: BaseException) -> str:
    """module:line of the innermost function of ours that it came through, else of anybody's."""
    ours = other = ""
    frame = error.__traceback__
    while frame is not None:
        name = str(frame.tb_frame.f_globals.get("__name__", ""))
        other = f"{name}:{frame.tb_lineno}"
        if name.startswith("memtui.") and name != __name__:
            ours = other
        frame = frame.tb_next
    return ours or other


# -- the roads --------------------------------------------------------------------------------------------------------


async def _guard(callback: Callable[..., Any], *given: object) -> Any:
    """Textual's `invoke`, for every handler and callback. One that fails ends neither its widget nor what comes
    after it; but a key that was half handled goes no further: it would mean something else there.
    """
    try:
        return await _invoke(callback, *given)
    except Exception as error:
        faults = getattr(active_app.get(None), "faults", None)
        if faults is None or not faults.catch(error):
            raise
        if given and isinstance(given[0], InputEvent):
            given[0].stop().prevent_default()


message_pump.invoke = _guard  # type: ignore[attr-defined]
screen.invoke = _guard  # type: ignore[attr-defined]


def shield_widget(widget: Widget, faults: Faults) -> None:
    """What a widget cannot draw has a line in its place; what it cannot measure has no size of its own; and its
    messages go on.
    """
    any_widget: Any = widget
    render, width, height = widget.render_lines, widget.get_content_width, widget.get_content_height
    dispatch = widget._dispatch_message

    def render_lines(crop: Region) -> list[Strip]:
        try:
            return render(crop)
        except Exception as error:
            if not faults.catch(error):
                raise
            return _make_stand_in(crop)

    def get_content_width(*given: Any) -> int:
        try:
            return width(*given)
        except Exception as error:
            if not faults.catch(error):
                raise
            return 1

    def get_content_height(*given: Any) -> int:
        try:
            return height(*given)
        except Exception as error:
            if not faults.catch(error):
                raise
            return 1

    async def _dispatch_message(message: Message) -> None:
        try:
            await dispatch(message)
        except Exception as error:
            if not faults.catch(error):
                raise

    any_widget.render_lines = render_lines
    any_widget.get_content_width = get_content_width
    any_widget.get_content_height = get_content_height
    any_widget._dispatch_message = _dispatch_message


def _make_stand_in(crop: Region) -> list[Strip]:
    style = Style()
    words = draw.pad(_("This cannot be shown: 6 tells why."), crop.width)
    return [Strip([Segment(words if y == 0 else " " * crop.width, style)], crop.width) for y in range(crop.height)]


class Threads:
    """While it is entered, what fails in another thread, or in a task that nobody waits for, is caught, too."""

    def __init__(self, faults: Faults) -> None:
        self._faults = faults
        self._before = threading.excepthook
        self._handler = _Records(faults)

    def __enter__(self) -> None:
        threading.excepthook = self._catch_in_thread
        # What is logged without a handler is printed on the screen: with its traceback.
        for name in ("memtui", "asyncio"):
            logging.getLogger(name).addHandler(self._handler)

    def __exit__(self, *_: object) -> None:
        for name in ("memtui", "asyncio"):
            logging.getLogger(name).removeHandler(self._handler)
        threading.excepthook = self._before
        self._faults.settle()

    def _catch_in_thread(self, given: threading.ExceptHookArgs) -> None:
        if given.exc_value is not None and not isinstance(given.exc_value, SystemExit):
            self._faults.catch(given.exc_value)


class _Records(logging.Handler):
    def __init__(self, faults: Faults) -> None:
        super().__init__(logging.ERROR)
        self._faults = faults

    def emit(self, record: logging.LogRecord) -> None:
        """Of what is logged only exceptions matter to a person."""
        error = record.exc_info[1] if record.exc_info else None
        if error is not None:
            self._faults.catch(error)


# -- in Health --------------------------------------------------------------------------------------------------------


def list_fault_rows(found: list[Fault]) -> list[Fixed]:
    """A head and a row each; nothing where nothing went wrong."""
    if not found:
        return []
    title, number = _("Went wrong inside memtui"), f"{sum(fault.count for fault in found):,}"
    head = Fixed(("head", "faults"), ((f" {title}", "head"),), ((f" {number} ", "dim"),), rest=False)
    return [
        Fixed(("blank", "f"), (), rest=False),
        head,
        *(
            Fixed(
                ("fault", fault.kind, fault.place),
                ((" ✗ ", "bad"), (draw.pad(draw.clip_to_line(fault.kind), 24) + " ", ""),
                 (draw.clip_to_line(fault.place), "dim")),
                ((f" {fault.count:,} × " if fault.count > 1 else " ", "dim"),
                 (f"{clock.format_age(fault.last)} ", "dim")),
                fault,
            )
            for fault in found
        ),
    ]  # fmt: skip


def draw_fault_detail(fault: Fault, cells: int) -> list[list[Piece]]:
    """What is known of it, and what to do with it."""
    often = _n("{count} time", "{count} times", fault.count).format(count=fault.count)
    lines = [
        *wrap_pieces([("✗ ", "bad"), (draw.clip_to_line(fault.kind), "bold"), (f"  {often}", "dim")], cells, hang=2),
        *wrap_pieces([(draw.clip_to_line(fault.place), "dim")], cells),
        [],
        *wrap_pieces([(_("A mistake in memtui: what you did then may not have been done."), "")], cells),
    ]
    if fault.log:
        where = _("Where it happened is in {log}, without a word of any memory: send it along.")
        lines += [[], *wrap_pieces([(draw.clip_to_line(where.format(log=fault.log)), "dim")], cells)]
    return lines
