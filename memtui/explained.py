"""Why a hit is there, in a line for a person: `--explain` and the app say the same."""

from __future__ import annotations

from memtui.locale import _
from memtui.record import TYPE_CHECKING

if TYPE_CHECKING:
    from memtui.results import Hit


def explained(hit: Hit) -> str:
    """'score 0.71 = words 0.42 (#3) + neighbours 0.05 · meaning 0.86 (#1) · pytest, 偏好 · heading 偏好'."""
    parts = hit.parts
    told = [_("score {score:.2f}").format(score=hit.score)]
    if parts.words or parts.word_rank:
        told.append(_ranked(_("words {score:.2f}").format(score=parts.words), parts.word_rank))
    if parts.neighbours >= 0.005:
        told.append(_("lines around it {score:.2f}").format(score=parts.neighbours))
    if parts.meaning is not None:
        told.append(_ranked(_("meaning {score:.2f}").format(score=parts.meaning), parts.meaning_rank))
    if parts.recency:
        told.append(_("new {score:.2f}").format(score=parts.recency))
    told += filter(None, (parts.recalled, hit.why))
    return " · ".join(told)


def _ranked(text: str, rank: int | None) -> str:
    return text if rank is None else _("{text} (no. {rank})").format(text=text, rank=rank)
