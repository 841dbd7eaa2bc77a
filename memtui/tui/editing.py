"""A person's own editor on an entry, a section or a file: always on a copy, so that what comes back is a change.

What the editor leaves is applied to the bytes that were read before it was opened: whoever wrote meanwhile loses
nothing, and the way back is one key like for any other write.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memtui.errors import MemtuiError
from memtui.locale import _
from memtui.safety.safe_text import safe_text
from memtui.tui import draw, editor
from memtui.tui.slices import as_before, lines_of, rebased, section_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from memtui.edits import Receipt
    from memtui.model import Memory
    from memtui.tui.hand import Hand
    from memtui.tui.main import MainScreen
    from memtui.tui.slices import Slice

DATABASES = (".db", ".sqlite", ".sqlite3")
PLAIN = (".md", ".markdown", ".txt")
"""Files whose entries are edited as they stand, line by line; of others it is the text."""


def entry(hand: Hand) -> None:
    """The entry's own lines; where a file is no plain text, its text."""
    memory = hand.screen.desk.memory()
    assert memory is not None
    if not memory.path.lower().endswith(PLAIN):
        _text(hand, memory)
        return
    name = draw.one_line(f"{memory.path}:{memory.start}")
    _lines(hand, memory, name, lambda base: lines_of(base, memory.start, memory.end))


def section(hand: Hand) -> None:
    """The section that the entry stands under."""
    memory = hand.screen.desk.memory()
    assert memory is not None
    if not memory.path.lower().endswith(PLAIN):
        hand.screen.say(_("Only Markdown has sections: e edits the entry."))
        return
    name = draw.one_line(f"{memory.path} § {memory.heading[-1] if memory.heading else ''}")
    _lines(hand, memory, name, lambda base: section_of(base, memory.start))


def whole(hand: Hand) -> None:
    """The memory's file at its line."""
    memory = hand.screen.desk.memory()
    assert memory is not None
    file(hand, memory.home, memory.path, memory.start)


def file(hand: Hand, home: str, path: str, line: int, skeleton: bytes = b"") -> None:
    """A whole file at a line; one that is not there yet is made from its skeleton."""
    name = draw.one_line(path)
    if path.lower().endswith(DATABASES):
        hand.screen.say(_("{path} is a database: an editor would show its bytes.").format(path=name))
        return

    def show(base: bytes | None) -> None:
        new = edited(hand.screen, path, skeleton if base is None else base, line)
        if new is None or (new == base) or (base is None and not new.strip()):
            _unchanged(hand, name, new is None)
            return
        from memtui.edits import Edit, Piece, between

        pieces = (Piece(0, 0, new),) if base is None else between(base, new)
        edit = Edit(home, path, base, pieces)

        def job(confirmed: bool) -> Receipt:
            return hand.vault.apply([edit], verb="edit", confirmed=confirmed)

        _apply(hand, job, base or b"", new, name)

    hand.screen.reader.ask("editor", lambda _cancelled: hand.vault.bytes_of(home, path), show)


def profile(hand: Hand) -> None:
    """Which of the files that a person writes by hand; one that is not there yet can be made."""
    from memtui.tui.handwritten import Handwritten, found
    from memtui.tui.items import Fixed
    from memtui.tui.sheets import Choice

    context = hand.screen.context

    def show(files: list[Handwritten]) -> None:
        if not files:
            hand.screen.say(_("No home that is open keeps such files: `memtui init` makes one."))
            return
        rows = [Fixed(item, item.told(context), value=item) for item in files]

        def chosen(item: Any) -> None:
            if isinstance(item, Handwritten):
                file(hand, item.home, item.path, 1, item.skeleton)

        hint = _("enter opens it in your editor · esc leaves it")
        hand.screen.app.push_screen(Choice(_("Written by hand"), rows, context.look, hint=hint), chosen)

    context.reader.ask("profiles", lambda _cancelled: found(context), show)


def _lines(hand: Hand, memory: Memory, name: str, cut: Callable[[bytes], Slice]) -> None:
    """Some lines of a memory's file."""
    path = memory.path

    def show(base: bytes | None) -> None:
        if base is None:
            hand.screen.say(_("{path} is empty or gone.").format(path=draw.one_line(path)))
            return
        part = cut(base)
        new = edited(hand.screen, path, part.data, 1)
        if new is None or (new := as_before(part, new)) == part.data:
            _unchanged(hand, name, new is None)
            return
        wanted = new

        def job(confirmed: bool) -> Receipt:
            from memtui.edits import Edit, Piece, between

            now = rebased(
                part, hand.vault.bytes_of(memory.home, path), hand.fresh(memory).start - memory.start
            )
            pieces = tuple(
                Piece(piece.start + now.start, piece.end + now.start, piece.new)
                for piece in between(now.data, wanted)
            )
            edit = Edit(memory.home, path, now.base, pieces)
            return hand.vault.apply([edit], verb="edit", confirmed=confirmed)

        _apply(hand, job, part.data, wanted, name)

    hand.screen.reader.ask("editor", lambda _cancelled: hand.vault.bytes_of(memory.home, path), show)


def _text(hand: Hand, memory: Memory) -> None:
    """The text of a memory that stands in JSON or a database."""
    from memtui.curation import facts

    before = memory.text.encode("utf-8", "replace") + b"\n"
    new = edited(hand.screen, memory.path + ".md", before, 1)
    name = draw.one_line(f"{memory.path}:{memory.start}")
    if new is None or new.strip() == before.strip():
        _unchanged(hand, name, new is None)
        return
    text = new.decode("utf-8", "replace").strip()

    def job(_confirmed: bool) -> Receipt:
        return facts.edit(hand.vault, hand.fresh(memory), {"text": text})

    _apply(hand, job, before, new, name)


def _apply(hand: Hand, job: Callable[[bool], Receipt], before: bytes, after: bytes, name: str) -> None:
    added, removed = editor.changes(before.decode("utf-8", "replace"), after.decode("utf-8", "replace"))

    def done() -> None:
        hand.screen.say(f"{name}: +{added} −{removed} · {_('u undo')}")

    hand.write(lambda: job(False), again=lambda: job(True), then=done, typed=after.decode("utf-8", "replace"))


def _unchanged(hand: Hand, name: str, failed: bool) -> None:
    if not failed:
        hand.screen.say(_("{path}: nothing changed").format(path=name))


# -- the copy ---------------------------------------------------------------------------------------------------


def edited(screen: MainScreen, path: str, data: bytes, line: int) -> bytes | None:
    """The bytes as the editor left them; None where it could not be run, or would not have them saved."""
    folder = ""
    try:
        folder = tempfile.mkdtemp(prefix="memtui-", dir=_runtime())
        copy = Path(folder, path.rpartition("/")[2])
        _private(copy, data)
        failed = _in_editor(screen, editor.command(str(copy), line, os.environ))
        after = copy.read_bytes()
    except (OSError, MemtuiError) as error:
        screen.say(safe_text(str(error)))
        return None
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    if failed:
        screen.say(safe_text(failed))
        return None if after == data else after
    return after


def _runtime() -> str | None:
    """Where copies go: memory rather than a disk where there is such a place."""
    place = os.environ.get("XDG_RUNTIME_DIR", "")
    return place if place and os.access(place, os.W_OK) else None


def _private(path: Path, data: bytes) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
    with os.fdopen(descriptor, "wb") as copy:
        copy.write(data)


def _in_editor(screen: MainScreen, words: list[str]) -> str:
    from textual.app import SuspendNotSupported

    failed = ""
    try:
        with screen.app.suspend():
            # Nothing may be raised in here: the terminal would stay asleep.
            failed = editor.run(words)
    except SuspendNotSupported:
        failed = _("This terminal cannot be handed to an editor.")
    return failed


def text_in_editor(screen: MainScreen, text: str) -> str | None:
    """A text that stands in no file yet, edited; None where it was not."""
    after = edited(screen, "candidate.md", text.encode("utf-8", "replace") + b"\n", 1)
    return None if after is None else after.decode("utf-8", "replace")
