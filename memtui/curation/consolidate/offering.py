"""What consolidation finds worth keeping is offered, never written: as a candidate in Review, and nothing twice."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from memtui.curation import decisions, stored
from memtui.curation.candidates import identified
from memtui.curation.census import remembered, texts
from memtui.curation.kin import Kin
from memtui.curation.secrets import patterns, secrets
from memtui.model import Layer
from memtui.safety.injection import examine
from memtui.safety.redact import redact
from memtui.writes import KEEPER

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memtui.curation.consolidate.work import Work
    from memtui.edits import Draft

_SHORT, _LONG = 8, 400
"""Characters of what is worth a decision."""


class Offers:
    """What one home knows already, and what waits for it: asked before anything more is proposed."""

    def __init__(self, work: Work, *, without: frozenset[str] = frozenset()) -> None:
        """`without`: ids of memories that are not to count as known."""
        self._work = work
        self._decided = decisions.decided([work.home])
        self._without = without
        self._waiting = [candidate.text for candidate in stored.waiting(work.home)]
        self._new: list[str] = []

    @cached_property
    def _known(self) -> Kin:
        """What is kept and what waits: most of what is asked about is turned down before it is compared."""
        said = texts(remembered(self._work.vault, self._work.home))
        return Kin([*(text for named, text in said if named not in self._without), *self._waiting])

    @cached_property
    def _leaking(self) -> frozenset[tuple[str, int]]:
        """The lines that hold a secret, by file."""
        return frozenset((found.path, found.line) for found in secrets(self._work.vault, self._work.home))

    def fresh(self, text: str, path: str = "", line: int = 0) -> bool:
        """Whether it says something that is neither kept, nor waiting, nor decided, nor anything but a memory.

        `path` and `line`: where it was said. What is read there comes with its secrets masked.
        """
        if (
            not _SHORT <= len(text) <= _LONG
            or identified("proposed", self._work.name, text) in self._decided
            or (path, line) in self._leaking
        ):
            return False
        if examine(text).action != "none" or redact(text, patterns(self._work.vault)).secrets:
            return False
        if any(how.covers for _number, how in self._known.like(text)):
            return False
        return not self._new or not any(
            how.covers or how.kind == "around" for _number, how in Kin(self._new).like(text)
        )

    def propose(
        self,
        draft: Draft,
        *,
        layer: Layer = Layer.KNOWLEDGE,
        path: str = "",
        line: int = 0,
        session: str = "",
    ) -> None:
        """Have it wait for a person. Raises what `review.propose` does."""
        from memtui.curation import review

        self._new.append(draft.text)
        if self._work.dry_run:
            return
        review.propose(
            self._work.vault,
            self._work.name,
            draft,
            KEEPER,
            layer=layer,
            path=path,
            line=line,
            session=session,
            group=self._work.group,
            compared=False,
        )


def one_by_one(texts: Iterable[str]) -> list[str]:
    """Texts as single statements: of a point in several sentences each by itself."""
    found: list[str] = []
    for text in texts:
        line = " ".join(text.split())
        at = 0
        for index, char in enumerate(line):
            whole = char in "。；;！!" or (char == "." and line[index + 1 : index + 2] == " ")
            if whole and index - at >= _SHORT:
                found.append(line[at:index].strip(" 。；;！!."))
                at = index + 1
        found.append(line[at:].strip(" 。；;！!."))
    return [text for text in dict.fromkeys(found) if text]
