"""By what Search asks in this session, words or meaning or both, and how its title says what answered."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memtui.locale import _

if TYPE_CHECKING:
    from memtui.config import SearchConfig
    from memtui.home_status import HomeStatus
    from memtui.results import Results

FUSIONS = ("zscore", "rrf", "weighted")

_TOLD = {
    "fts": "asked by words only",
    "scan": "asked by words only, of the files themselves",
    "vector": "asked by meaning only",
    "zscore": "words and meaning, each as far as it stands out (zscore)",
    "rrf": "words and meaning by their places in both lists (rrf)",
    "weighted": "words and meaning by fixed weights (weighted)",
}
"""What is said when it is chosen (source strings)."""


class Manner:
    """How the question is put. The config says how a session begins; what is chosen here ends with it."""

    def __init__(self, config: SearchConfig) -> None:
        self._usual = config
        self.mode = config.mode
        self.fusion = config.fusion
        self._full: Results | None = None
        """The last answer that was not the first half of one."""

    @property
    def put(self) -> tuple[str, str]:
        """Mode and fusion: the same question put otherwise is another."""
        return self.mode, self.fusion

    @property
    def at_once(self) -> bool:
        """Whether words may answer first: who asks for meaning only has no use for them."""
        return self.mode != "vector"

    def turn(self) -> str:
        """Take the next mode, and say it: both, words only, meaning only."""
        both = self._usual.mode if self._usual.mode not in {"fts", "vector"} else "auto"
        self.mode = _next((both, "fts", "vector"), self.mode)
        self._full = None
        return _(_TOLD.get(self.mode, "asked by words and meaning"))

    def turn_fusion(self) -> str:
        """Take the next way of putting words and meaning together, and say it."""
        self.fusion = _next(FUSIONS, self.fusion)
        if not self.fused:
            self.mode, self._full = "auto", None
        return _(_TOLD[self.fusion])

    @property
    def fused(self) -> bool:
        """Whether words and meaning are both asked, as far as there are vectors."""
        return self.mode in {"auto", "hybrid"}

    def heed(self, found: Results) -> None:
        """What answers in full: until the next one does, nothing else is said of it."""
        if not self.pending(found):
            self._full = found

    def pending(self, found: Results) -> bool:
        """Whether these are the words' answer, and the one with the meaning is still to come."""
        return found.bounded and self.fused

    def answered(self, found: Results) -> str:
        """hybrid · fts · meaning only · hybrid, meaning 812 of 3,204. What is on its way ends in dots."""
        if not self.pending(found):
            return self._name(found)
        if self._full is None:
            return _("words") + " …"
        return f"{self._name(self._full)} …" if self._full.model else found.backend

    def warning(self, found: Results) -> str:
        """Why it may be incomplete; it does not come and go with every letter."""
        full = self._full if self.pending(found) else None
        return found.warning or (full.warning if full is not None else "")

    def _name(self, found: Results) -> str:
        name = _("meaning") if found.backend == "vector" else found.backend
        if found.backend == self.mode and self.mode in {"fts", "vector"}:
            name = _("{name} only").format(name=name)
        if found.fusion and found.fusion != self._usual.fusion:
            name += f" ({found.fusion})"
        done, total = found.covered
        if done >= total:
            return name
        far = _("{done:,} of {total:,}") if found.backend == "vector" else _("meaning {done:,} of {total:,}")
        return f"{name} · {far.format(done=done, total=total)}"


def missing(found: list[HomeStatus]) -> str:
    """Why nothing can be asked by meaning, and what to do; empty: it can."""
    if any(status.vectors for status in found):
        return ""
    if any(status.embedding for status in found):
        return _("no vectors yet: they are being made")
    why = next((status.vectors_why for status in found if status.vectors_why), "")
    return why or _("no vectors yet: `memtui index` makes them")


def _next(names: tuple[str, ...], name: str) -> str:
    return names[(names.index(name) + 1) % len(names)] if name in names else names[0]
