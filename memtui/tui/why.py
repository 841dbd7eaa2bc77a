"""Why a hit is there, as lines: what matched, what its strength is made of, and what the answer as a whole rests on.

Strength is a bar: a figure would be compared with figures of other queries, which mean something else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.cells import cell_len

from memtui.locale import _
from memtui.tui import draw
from memtui.tui.fields import rule, table
from memtui.tui.paint import STRENGTH
from memtui.tui.prose import wrapped

if TYPE_CHECKING:
    from memtui.results import Hit, Results
    from memtui.search.inline import Typed
    from memtui.tui.draw import Piece

BAR = 10
"""Cells for what a strength is made of."""

_BACKENDS = {
    "fts": "fts: the words, by the index",
    "scan": "scan: the words, in the files themselves",
    "vector": "vector: the meaning alone",
    "hybrid": "hybrid: words and meaning",
}
_FUSIONS = {
    "zscore": "zscore: how much nearer it is than any memory, and how much of the question its words answer",
    "rrf": "rrf: its places in both lists, and nothing else",
    "weighted": "weighted: .3 of the score by words, .7 of that by meaning",
}


def brief(hit: Hit) -> str:
    """██▊ · pytest, 偏好 · heading 偏好 · meaning no. 2: a line under the memory."""
    told = [draw.bar(hit.score, STRENGTH).rstrip(), hit.why]
    if hit.parts.meaning_rank is not None:
        told.append(_("meaning no. {rank:,}").format(rank=hit.parts.meaning_rank))
    return " · ".join(filter(None, [*told, hit.parts.recalled]))


def lines(hit: Hit, found: Results, typed: Typed, place: str, cells: int) -> list[list[Piece]]:
    """Everything, at this width; `place` says which hit of how many it is."""
    rows = [
        *_table(_reasons(hit, place), cells),
        [],
        *wrapped(draw.marked(hit.snippet, hit.marks), cells),
        [],
        rule(_("what answered"), cells),
        *_table(_answered(found, typed), cells),
    ]
    if found.warning:
        rows += [[], *wrapped([("⚠ ", "warn"), (draw.one_line(found.warning), "warn")], cells, hang=2)]
    return rows


def _reasons(hit: Hit, place: str) -> list[tuple[str, str, str]]:
    parts = hit.parts
    rows = [
        (_("strength"), f"{_bar(hit.score)}  ({place})" if hit.score else "", "bold"),
        (_("matched"), hit.why, ""),
    ]
    if parts.words or parts.word_rank is not None:
        rows.append((_("by words"), _ranked(_bar(parts.words), parts.word_rank), ""))
    elif hit.score:
        rows.append((_("by words"), _("no word of it matches"), "dim"))
    if parts.neighbours:
        told = _("{bar}  the lines before and after").format(bar=_bar(parts.neighbours))
        rows.append((_("around it"), told, ""))
    if parts.meaning is not None:
        rows.append((_("by meaning"), _ranked(_bar(parts.meaning), parts.meaning_rank), ""))
    if parts.recency:
        rows.append((_("new"), _bar(parts.recency), ""))
    rows.append((_("recalled"), parts.recalled, ""))
    if not hit.score:
        rows.append((_("listed"), _("it passes the filters; newest first"), ""))
    return rows


def _table(rows: list[tuple[str, str, str]], cells: int) -> list[list[Piece]]:
    told = [row for row in rows if row[1]]
    return table(told, max(cell_len(label) for label, _text, _style in told), cells)


def _bar(share: float) -> str:
    return draw.bar(share, BAR)


def _ranked(share: str, rank: int | None) -> str:
    return share if rank is None else f"{share}  " + _("no. {rank:,}").format(rank=rank)


def _answered(found: Results, typed: Typed) -> list[tuple[str, str, str]]:
    done, total = found.covered
    have = _("all {total:,} memories") if done >= total else _("{done:,} of {total:,} memories")
    return [
        (_("asked"), found.typed or typed.words, ""),
        (_("filters"), " ".join(typed.chips), "accent"),
        (_("searched"), " + ".join(_(_BACKENDS.get(name, name)) for name in found.backend.split("+"))
         if typed.words else "", ""),
        (_("fused"), _(_FUSIONS.get(found.fusion, found.fusion)) if found.fusion else "", ""),
        (_("model"), found.model, ""),
        (_("vectors"), have.format(done=done, total=total) if total else "", ""),
        (_("found"), f"{found.total:,}" + ("+" if found.more else ""), ""),
        (_("left out"), hidden(found), "warn"),
        *((_("rules") if not at else "", f"→ {route.path} · '{route.trigger}' ({route.source})", "")
          for at, route in enumerate(found.routes)),
    ]  # fmt: skip


def hidden(found: Results) -> str:
    """12 more superseded, 3 expired."""
    told = [f"{count:,} {_(status.value)}" for status, count in found.hidden.items() if count]
    return ", ".join(told)
