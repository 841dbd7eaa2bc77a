"""A person's own editor on an entry, a section or a file: always on a copy, so that what comes back is a change.

What the editor leaves is applied to the bytes that were read before it was opened: whoever wrote meanwhile
loses nothing, and undo works as for any other write. In this order: the editor's command line; `Slice`, whole
lines of a file that are found again after others wrote to it; `Handwritten`, the files that a person writes by
hand; the verbs; the copy.
"""

from __future__ import annotations

import contextlib
import difflib
import os
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from memtui.core import edits
from memtui.core.edits import Edit, diff_lines
from memtui.core.errors import MemtuiError, RefusedError, UnavailableError
from memtui.core.locale import _
from memtui.core.model import DATABASES, PROSE, Filter, Layer
from memtui.core.startup import compile_pattern
from memtui.safety.sanitize import sanitize_text
from memtui.store import verbs
from memtui.store.verbs import find_missing_skeleton
from memtui.tui import draw
from memtui.tui.choices import TypedChoice
from memtui.tui.context import Ready
from memtui.tui.row_list import Fixed

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from memtui.core.edits import Receipt
    from memtui.core.model import Memory
    from memtui.tui.context import PaneContext
    from memtui.tui.draw import Piece
    from memtui.tui.mutations import Hand, HandScreen

Found = TypeVar("Found")

PLUS = frozenset(
    ["vi", "vim", "nvim", "view", "gvim", "mvim", "nvi", "elvis", "neovide", "vis", "nano", "pico", "emacs",
     "emacsclient", "editor", "sensible-editor", "micro", "kak", "joe", "jed", "mg", "ne", "jove", "gedit", "kate"]
)  # fmt: skip
"""Editors that take `+12 file`."""

GOTO = {"code", "code-insiders", "codium", "vscodium", "cursor", "windsurf", "positron"}
"""Editors that take `--goto file:12`, and `--wait`."""

COLON = {"hx", "helix", "zed", "subl", "sublime_text", "lapce", "fresh"}
"""Editors that take `file:12`."""

_TYPED = [getattr(signal, name) for name in ("SIGINT", "SIGQUIT") if hasattr(signal, name)]
"""What ctrl+c and ctrl+\\ send to everything that the terminal runs."""

WAITING = {"subl": "--wait", "sublime_text": "--wait", "zed": "--wait"}


def build_editor_command(path: str, line: int, env: Mapping[str, str]) -> list[str]:
    """The command that opens `path` at `line` (1-based). Raises UnavailableError where there is no editor."""
    chosen = env.get("VISUAL", "").strip() or env.get("EDITOR", "").strip()
    try:
        words = shlex.split(chosen, posix=os.name != "nt") if chosen else []
    except ValueError:
        words = [chosen]
    if not words:
        words = _find_first_editor()
    name = os.path.basename(words[0]).lower().removesuffix(".exe").removesuffix(".cmd")
    if shutil.which(words[0]) is None:
        raise UnavailableError(_("The editor '{name}' cannot be found: set $VISUAL or $EDITOR.").format(name=words[0]))
    if name in PLUS:
        return [*words, f"+{line}", path]
    if name in GOTO:
        wait = [] if "--wait" in words or "-w" in words else ["--wait"]
        return [*words, *wait, "--goto", f"{path}:{line}"]
    if name in COLON:
        wait = [WAITING[name]] if name in WAITING and WAITING[name] not in words else []
        return [*words, *wait, f"{path}:{line}"]
    return [*words, path]


def _find_first_editor() -> list[str]:
    # Debian's sensible-editor asks a question of its own, on a blank screen, of whoever has not answered it yet.
    chosen = Path.home() / ".selected_editor"
    debian = "sensible-editor" if chosen.is_file() else "editor"
    candidates = ("notepad",) if sys.platform == "win32" else (debian, "nano", "vim", "vi", "emacs")
    for name in candidates:
        if shutil.which(name):
            return [name]
    raise UnavailableError(_("There is no editor to be found: set $VISUAL or $EDITOR."))


def run(words: list[str], folder: str | None = None) -> str:
    """Run it in the terminal, in that directory, and wait. Answers with what went wrong, or nothing; never raises: the
    screen is asleep.
    """
    # What is typed to end the editor would end whoever waits for it, too.
    kept = [(number, signal.signal(number, _pass)) for number in _TYPED]
    try:
        done = subprocess.run(words, check=False, cwd=folder)
    except Exception as error:
        return _("{name} could not be started: {error}").format(name=words[0], error=error)
    finally:
        for number, before in kept:
            signal.signal(number, before)
    if done.returncode:
        return _("{name} ended with status {status}").format(name=words[0], status=done.returncode)
    return ""


def _pass(_number: int, _frame: object) -> None:
    """Not ignored, which the editor would inherit."""


def count_line_changes(before: str, after: str) -> tuple[int, int]:
    """Lines added, and lines taken away."""
    found = difflib.unified_diff(before.splitlines(), after.splitlines(), lineterm="", n=0)
    signs = [line[0] for line in found if not line.startswith(("+++", "---", "@@"))]
    return signs.count("+"), signs.count("-")


_HEADING = compile_pattern(rb" {0,3}(#{1,6})(?:[ \t]|$)")
_FENCE = compile_pattern(rb" {0,3}(```|~~~)")


class Slice(NamedTuple):
    """Some whole lines of a file, as they were when it was read."""

    base: bytes
    start: int
    end: int

    @property
    def data(self) -> bytes:
        """Them."""
        return self.base[self.start : self.end]


def slice_lines(base: bytes, first: int, last: int) -> Slice:
    """Lines `first` to `last`, counted from 1."""
    starts = _list_starts(base)
    start = starts[min(first - 1, len(starts) - 1)]
    return Slice(base, start, starts[last] if last < len(starts) else len(base))


def slice_section(base: bytes, line: int) -> Slice:
    """The section that a line stands in: from its heading to the next one that is no deeper."""
    starts = _list_starts(base)
    levels: list[int] = []
    fence = b""
    for number, start in enumerate(starts):
        text = base[start : starts[number + 1] if number + 1 < len(starts) else len(base)]
        mark = _FENCE.match(text)
        if mark and (not fence or mark[1] == fence):
            fence = b"" if fence else mark[1]
        heading = None if fence or mark else _HEADING.match(text.rstrip(b"\r\n"))
        levels.append(len(heading[1]) if heading else 0)
    first = next((n for n in range(min(line, len(levels)) - 1, -1, -1) if levels[n]), 0)
    level = levels[first] or 7
    after = (n for n in range(first + 1, len(levels)) if 0 < levels[n] <= level)
    return slice_lines(base, first + 1, next(after, len(levels)))


def restore_line_end(part: Slice, new: bytes) -> bytes:
    """What came back, ending as the lines did that it stands for: editors add and drop the last line's end."""
    ends = part.data.endswith(b"\n")
    if ends and new and not new.endswith(b"\n"):
        return new + (b"\r\n" if part.data.endswith(b"\r\n") else b"\n")
    if not ends and new.endswith(b"\n"):
        return new.removesuffix(b"\n").removesuffix(b"\r")
    return new


def rebase_slice(part: Slice, current: bytes | None, shift: int) -> Slice:
    """The same lines in the file as it is now, where just they still stand; else as they were, for a conflict."""
    if current is None or current == part.base:
        return part
    first = part.base.count(b"\n", 0, part.start) + 1 + shift
    last = first + part.data.rstrip(b"\n").count(b"\n")
    with contextlib.suppress(IndexError):
        now = slice_lines(current, max(1, first), max(1, last))
        if now.data == part.data:
            return now
    return part


def _list_starts(base: bytes) -> list[int]:
    found = [0]
    at = base.find(b"\n")
    while 0 <= at < len(base) - 1:
        found.append(at + 1)
        at = base.find(b"\n", at + 1)
    return found


class Handwritten(NamedTuple):
    """One such file."""

    home: str
    path: str
    layer: Layer
    skeleton: bytes = b""
    """What it begins with; empty: it is there."""

    def told(self, context: PaneContext) -> tuple[Piece, ...]:
        """A row for it."""
        home = context.home(self.home)
        whose = context.name(home) if home is not None else ""
        new = ((_("not there yet: enter begins it"), "warn"),) if self.skeleton else ()
        kind = _("profile") if self.layer is Layer.PROFILE else _("core")
        return (
            (f" {draw.pad(kind, 9)}", "dim"),
            (draw.pad(draw.clip_to_line(self.path), 28) + "  ", "bold"),
            (draw.pad(whose, 24) + " ", "dim"),
            *new,
        )


def list_handwritten(context: PaneContext) -> list[Handwritten]:
    """MEMORY.md first, then profiles, other core memory, and what could be made. On a reader's thread."""
    there: list[Handwritten] = []
    for layer in (Layer.PROFILE, Layer.CORE):
        within = Filter(frozenset({layer}), homes=context.homes, statuses=frozenset())
        for home, outline in context.vault.outlines(within):
            if home.writable:
                there.append(Handwritten(str(home.path), outline.path, layer))
    there.sort(key=lambda one: one.path.rpartition("/")[2] != "MEMORY.md")
    for home in context.vault.homes:
        if home.writable and (not context.homes or str(home.path) in context.homes):
            try:
                lacks = find_missing_skeleton(home, profile=True)
            except RefusedError:
                continue
            there += [
                Handwritten(str(home.path), path, layer, text.encode())
                for path, text in lacks.files
                for layer in (Layer.PROFILE if path.startswith("user/") else Layer.CORE,)
                if path.startswith("user/") or path.endswith("MEMORY.md")
            ]
    return there


def edit_entry(hand: Hand) -> None:
    """The entry's own lines; where a file is no plain text, its text."""
    memory = hand.screen.desk.memory()
    assert memory is not None
    if not memory.path.lower().endswith(PROSE):
        _edit_memory_text(hand, memory)
        return
    name = draw.clip_to_line(f"{memory.path}:{memory.start}")
    _edit_lines(hand, memory, name, lambda base: slice_lines(base, memory.start, memory.end))


def edit_section(hand: Hand) -> None:
    """The section that the entry stands under."""
    memory = hand.screen.desk.memory()
    assert memory is not None
    if not memory.path.lower().endswith(PROSE):
        hand.screen.say(_("Only Markdown has sections: e edits the entry."))
        return
    name = draw.clip_to_line(f"{memory.path} § {memory.heading[-1] if memory.heading else ''}")
    _edit_lines(hand, memory, name, lambda base: slice_section(base, memory.start))


def edit_whole_file(hand: Hand) -> None:
    """The memory's file at its line."""
    memory = hand.screen.desk.memory()
    assert memory is not None
    edit_file(hand, memory.home, memory.path, memory.start)


def edit_file(hand: Hand, home: str, path: str, line: int, skeleton: bytes = b"") -> None:
    """A whole file at a line; one that is not there yet is made from its skeleton."""
    name = draw.clip_to_line(path)
    if path.lower().endswith(DATABASES):
        hand.screen.say(_("{path} is a database: an editor would show its bytes.").format(path=name))
        return

    def show(base: bytes | None) -> None:
        """Run the editor on the whole file, and write what it changed."""
        new = run_editor(hand.screen, path, skeleton if base is None else base, line)
        if new is None or (new == base) or (base is None and not new.strip()):
            _say_unchanged(hand, name, new is None)
            return

        pieces = (edits.Piece(0, 0, new),) if base is None else diff_lines(base, new)
        edit = Edit(home, path, base, pieces)

        def job(confirmed: bool) -> Receipt:
            return hand.vault.apply([edit], verb="edit", confirmed=confirmed)

        _apply(hand, job, base or b"", new, name)

    hand.screen.reader.ask("editor", lambda _cancelled: hand.vault.bytes_of(home, path), show)


def read_for_window(
    hand: Hand, group: str, job: Callable[[Callable[[], bool]], Found], show: Callable[[Found], None]
) -> None:
    """Read what a window shows before it opens: what is typed meanwhile is meant for the window, and waits for it."""
    screen = hand.screen

    def read(cancelled: Callable[[], bool]) -> Found:
        try:
            return job(cancelled)
        except BaseException:
            screen.post_message(Ready(there.set))
            raise

    def open_window(found: Found) -> None:
        try:
            show(found)
        finally:
            there.set()

    there = screen.hold_keys()
    screen.reader.ask(group, read, open_window)


def edit_profile(hand: Hand) -> None:
    """Which of the files that a person writes by hand; one that is not there yet can be made."""
    context = hand.screen.context

    def show(files: list[Handwritten]) -> None:
        """Let one of the files be chosen for the editor."""
        if not files:
            hand.screen.say(_("No open home has a place for that: “make a home” in ^p begins one of your own."))
            return
        here = hand.screen.desk.memory()
        # The home that one is looking at first, each kind of file in its order.
        if here is not None:
            core = [item for item in files if item.path.endswith("MEMORY.md") and item.home == here.home]
            files = [*core, *(item for item in files if item not in core)]
        rows = [Fixed(item, item.told(context), value=item) for item in files]

        def chosen(item: Any) -> None:
            if isinstance(item, Handwritten):
                edit_file(hand, item.home, item.path, 1, item.skeleton)

        hint = _("enter opens it in your editor · esc cancel")
        hand.screen.app.push_screen(TypedChoice(_("Edit file"), rows, context.look, hint=hint), chosen)

    read_for_window(hand, "profiles", lambda _cancelled: list_handwritten(context), show)


def _edit_lines(hand: Hand, memory: Memory, name: str, cut: Callable[[bytes], Slice]) -> None:
    """Some lines of a memory's file."""
    path = memory.path

    def show(base: bytes | None) -> None:
        """Run the editor on the lines, and write what it changed."""
        if base is None:
            hand.screen.say(_("{path} is empty or gone.").format(path=draw.clip_to_line(path)))
            return
        part = cut(base)
        new = run_editor(hand.screen, path, part.data, 1)
        if new is None or (new := restore_line_end(part, new)) == part.data:
            _say_unchanged(hand, name, new is None)
            return
        wanted = new

        def job(confirmed: bool) -> Receipt:
            """Put the edited lines where the slice stands by now. Raises ConflictError where it changed meanwhile."""

            now = rebase_slice(part, hand.vault.bytes_of(memory.home, path), hand.fresh(memory).start - memory.start)
            pieces = tuple(
                edits.Piece(piece.start + now.start, piece.end + now.start, piece.new)
                for piece in diff_lines(now.data, wanted)
            )
            edit = Edit(memory.home, path, now.base, pieces)
            return hand.vault.apply([edit], verb="edit", confirmed=confirmed)

        _apply(hand, job, part.data, wanted, name)

    hand.screen.reader.ask("editor", lambda _cancelled: hand.vault.bytes_of(memory.home, path), show)


def _edit_memory_text(hand: Hand, memory: Memory) -> None:
    """The text of a memory that stands in JSON or a database."""
    before = memory.text.encode("utf-8", "replace") + b"\n"
    new = run_editor(hand.screen, memory.path + ".md", before, 1)
    name = draw.clip_to_line(f"{memory.path}:{memory.start}")
    if new is None or new.strip() == before.strip():
        _say_unchanged(hand, name, new is None)
        return
    text = new.decode("utf-8", "replace").strip()

    def job(_confirmed: bool) -> Receipt:
        return verbs.edit(hand.vault, hand.fresh(memory), {"text": text})

    _apply(hand, job, before, new, name)


def _apply(hand: Hand, job: Callable[[bool], Receipt], before: bytes, after: bytes, name: str) -> None:
    added, removed = count_line_changes(before.decode("utf-8", "replace"), after.decode("utf-8", "replace"))

    def done() -> None:
        hand.screen.say(f"{name}: +{added} −{removed} · {_('u undo')}")

    hand.write(lambda: job(False), again=lambda: job(True), then=done, typed=after.decode("utf-8", "replace"))


def _say_unchanged(hand: Hand, name: str, failed: bool) -> None:
    if not failed:
        hand.screen.say(_("{path}: nothing changed").format(path=name))


# -- the copy ---------------------------------------------------------------------------------------------------


def run_editor(screen: HandScreen, path: str, data: bytes, line: int) -> bytes | None:
    """The bytes as the editor left them; None where it could not be run, or would not have them saved."""
    folder = ""
    try:
        folder = tempfile.mkdtemp(prefix="memtui-", dir=_find_runtime_directory())
        copy = Path(folder, path.rpartition("/")[2])
        _write_private(copy, data)
        failed = run_in_terminal(screen, build_editor_command(str(copy), line, os.environ))
        after = copy.read_bytes()
    except (OSError, MemtuiError) as error:
        screen.say(sanitize_text(str(error)))
        return None
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    if failed:
        screen.say(sanitize_text(failed) + (f" · {_('nothing was changed')}" if after == data else ""))
        return None if after == data else after
    return after


def _find_runtime_directory() -> str | None:
    """Where copies go: memory rather than a disk where there is such a place."""
    place = os.environ.get("XDG_RUNTIME_DIR", "")
    return place if place and os.access(place, os.W_OK) else None


def _write_private(path: Path, data: bytes) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
    with os.fdopen(descriptor, "wb") as copy:
        copy.write(data)


def run_in_terminal(screen: HandScreen, words: list[str], folder: str | None = None) -> str:
    """Run a program with the whole terminal, the app aside. Answers with what went wrong, or nothing."""
    from textual.app import SuspendNotSupported

    failed = ""
    try:
        with screen.app.suspend():
            # Nothing may be raised in here: the terminal would stay asleep.
            failed = run(words) if folder is None else run(words, folder)
    except SuspendNotSupported:
        failed = _("This terminal cannot be handed to another program.")
    return failed


def edit_text(screen: HandScreen, text: str) -> str | None:
    """A text that stands in no file yet, edited; None where it was not."""
    after = run_editor(screen, "candidate.md", text.encode("utf-8", "replace") + b"\n", 1)
    return None if after is None else after.decode("utf-8", "replace")
