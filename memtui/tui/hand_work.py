"""What the hand calls when something is written: loaded with the first write, or behind the first frame.

`Drafts`: typed text that could not be written is kept until it is, in memory and where a full disk does not matter.
"""

from __future__ import annotations

import contextlib
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memtui.fs import displaced
from memtui.safety.sanitize import redact_text
from memtui.store import history, staging, standing, verbs

if TYPE_CHECKING:
    from collections.abc import Callable

LARGEST = 1024 * 1024
"""Bytes of a kept text that are offered again."""


@dataclass(eq=False, slots=True)
class Unwritten:
    """One text, the write it was typed for if that is still known, and where it is kept."""

    text: str
    job: Callable[[], Any] | None
    place: str


class Drafts:
    """The texts that are not written yet."""

    def __init__(self) -> None:
        self.waiting: list[Unwritten] = []

    def add(self, text: str, job: Callable[[], Any] | None) -> Unwritten:
        """A text that waits from now on; `put` keeps it on a disk, too."""
        unwritten = Unwritten(text, job, "")
        self.waiting.append(unwritten)
        return unwritten

    @staticmethod
    def put(unwritten: Unwritten) -> None:
        """Keep it where this process may end. Writes: on a reader's thread."""
        unwritten.place = displaced.keep("memtui.txt", redact_text(unwritten.text).text.encode("utf-8", "replace"))

    def later(self, text: str, place: str, job: Callable[[], Any] | None = None) -> None:
        """A text that is kept already, until somebody decides."""
        self.waiting.append(Unwritten(text, job, place))

    @staticmethod
    def forget(unwritten: Unwritten) -> None:
        """It is written."""
        if unwritten.place:
            with contextlib.suppress(OSError):
                os.unlink(unwritten.place)

    def found(self) -> None:
        """Those that an earlier run left behind. Reads files: on a reader's thread."""
        known = {unwritten.place for unwritten in self.waiting}
        for place in displaced.list_kept_files():
            if place not in known and place.endswith(".memtui.txt"):
                with contextlib.suppress(OSError):
                    data = Path(place).read_bytes()[:LARGEST]
                    self.waiting.append(Unwritten(data.decode("utf-8", "replace"), None, place))


class HandWork:
    """One name for each piece of work."""

    make_drafts = Drafts
    explain_refusal = staticmethod(verbs.explain_refusal)
    reload_memory = staticmethod(standing.reload_memory)
    apply_each = staticmethod(staging.apply_each)
    quote_restored = staticmethod(history.quote_restored)
