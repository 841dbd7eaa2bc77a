"""What Search answers: hits for words, a list for filters alone; and what there is to say of it."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, NamedTuple

from memtui.locale import _
from memtui.model import Filter, Layer
from memtui.results import Hit, Results
from memtui.tui import paint

if TYPE_CHECKING:
    from collections.abc import Callable

    from memtui.model import Memory
    from memtui.tui.chips import Typed
    from memtui.tui.context import Context

MOST = 200
"""Hits that are shown."""

LITTLE = 3
"""Where no more than these are found, it is said what was not looked at."""


class Answer(NamedTuple):
    """What was found, and a sentence about it, or nothing."""

    found: Results
    remark: str = ""


class Answers:
    """Puts what is typed to the vault, on readers' threads."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._conversations: tuple[object, bool] = (None, False)

    def __call__(
        self, typed: Typed, cancelled: Callable[[], bool], refined: Callable[[Results], None]
    ) -> Answer:
        """The best hits, or without words the newest memories that the filters let through."""
        if not typed.words:
            return Answer(self._listed(typed.filter), self._kinds(typed.filter))
        found = self._context.vault.find(
            typed.words,
            MOST,
            filter=typed.filter,
            mode=self._context.config.search.mode,
            typing=True,
            cancelled=cancelled,
            refine=refined,
        )
        return Answer(found, self._remark(typed, len(found)))

    def _listed(self, wanted: Filter) -> Results:
        vault = self._context.vault
        refs = vault.ids(wanted)
        found = Results([_hit(memory) for memory in vault.load(refs[:MOST]) if memory is not None])
        found.total = len(refs)
        return found

    def _remark(self, typed: Typed, count: int) -> str:
        parts = [self._kinds(typed.filter)]
        if all(word.startswith("-") for word in typed.words.split()):
            parts.append(_("-word leaves out of what other words find; by itself it is looked for."))
        elif count <= LITTLE and self._talked(typed.filter):
            parts.append(_("Of conversations, only titles and first prompts are searched."))
        return " ".join(filter(None, parts))

    def _kinds(self, wanted: Filter) -> str:
        if not wanted.kinds:
            return ""
        known = {kind for _home, _layer, kind, _status in self._context.vault.counts()}
        for kind in sorted(wanted.kinds - known):
            near = difflib.get_close_matches(kind, known, 1)
            hint = " " + _("Did you mean {kind}?").format(kind=near[0]) if near else ""
            return _("No memory here is of the kind '{kind}'.").format(kind=kind) + hint
        return ""

    def _talked(self, wanted: Filter) -> bool:
        """Whether there are conversations among what is searched."""
        if (wanted.layers and Layer.SESSION not in wanted.layers) or (
            wanted.kinds and "session" not in wanted.kinds
        ):
            return False
        stamp = (self._context.stamp, wanted.homes)
        if self._conversations[0] != stamp:
            sessions = Filter(kinds=frozenset({"session"}), homes=wanted.homes, path="*.jsonl")
            self._conversations = stamp, bool(self._context.vault.ids(sessions, limit=1))
        return self._conversations[1]


def _hit(memory: Memory) -> Hit:
    return Hit(
        memory.home, memory.path, memory.start, memory.end, 0.0, paint.headline(memory),
        memory.layer or Layer.KNOWLEDGE, memory.kind, "", memory.status, memory.heading, paint.when(memory), memory.id,
    )  # fmt: skip
