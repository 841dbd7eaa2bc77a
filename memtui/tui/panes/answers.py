"""What Search answers: hits for words, a list for filters alone; and what there is to say of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from memtui.locale import _, _n
from memtui.model import Filter, Layer
from memtui.newest import newest
from memtui.tui.why import hidden

if TYPE_CHECKING:
    from collections.abc import Callable

    from memtui.results import Results
    from memtui.search.inline import Typed
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
        self,
        typed: Typed,
        put: tuple[str, str],
        cancelled: Callable[[], bool],
        refined: Callable[[Results], None] | None,
    ) -> Answer:
        """The best hits, or without words the newest memories that the filters let through. `put`: mode, fusion."""
        if not typed.words:
            return Answer(newest(self._context.vault, typed.filter, MOST))
        found = self._context.vault.find(
            typed.words,
            MOST,
            filter=typed.filter,
            mode=put[0],
            fusion=put[1],
            typing=True,
            cancelled=cancelled,
            refine=refined,
        )
        return Answer(found, self._remark(typed, len(found)))

    def nothing(self, typed: Typed, answer: Answer) -> str:
        """Why there is no hit, and what would give some."""
        found = answer.found
        if not typed.words and not typed.chips:
            return _("Type to search every home. Chinese works down to one character.")
        if found.warning:
            return _("Nothing yet: {why}").format(why=found.warning)
        if found.suggestion:
            why = _("Nothing matches. Did you mean {query}? enter searches for it.").format(
                query=found.suggestion
            )
        elif found.hidden:
            if by_status(typed):
                why = _("Nothing with that status. Others match: {hidden} (status:all shows them).")
            else:
                why = _("Nothing that still holds. Hidden: {hidden} (. or status:all shows them).")
            why = why.format(hidden=hidden(found))
        elif found.blocked:
            why = _("Nothing matches: {why}.").format(why=found.blocked)
        elif not typed.words:
            why = _("No memory passes these filters.")
        else:
            count = len(typed.filter.homes) or len(self._context.vault.homes)
            why = _n("Nothing matches, in {count} home.", "Nothing matches, in {count} homes.", count)
        return f"{why} {answer.remark}".rstrip()

    def _remark(self, typed: Typed, count: int) -> str:
        parts: list[str] = []
        if all(word.startswith("-") for word in typed.words.split()):
            parts.append(_("-word leaves out of what other words find; by itself it is looked for."))
        elif count <= LITTLE and self._talked(typed.filter):
            parts.append(
                _("Of conversations, only titles and first prompts are searched; `memtui traces` finds more.")
            )
        return " ".join(filter(None, parts))

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


def by_status(typed: Typed) -> bool:
    """Whether the statuses are typed: then `.` changes nothing."""
    return any(chip.lower().startswith("status") for chip in typed.chips)
