"""What wants looking after, as rows of Health: each with its place, and the verb that mends it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from memtui.locale import _
from memtui.tui import draw, paint
from memtui.tui.items import Fixed
from memtui.tui.prose import prose, wrapped

if TYPE_CHECKING:
    from memtui.curation.candidates import Finding
    from memtui.model import Memory
    from memtui.tui.context import Context
    from memtui.tui.draw import Piece

WORDS = {
    "duplicate": "twice",
    "contradiction": "conflict",
    "chain": "chain",
    "secret": "secret",
    "quarantine": "put aside",
    "trash": "trash",
    "budget": "budget",
    "rule": "rule",
}
"""Kinds of findings in a word (source strings)."""

MOST = 500
"""Findings that are listed."""


class Found(NamedTuple):
    """A finding, with the memory that the verbs work on, where it is about one."""

    of: Finding
    memory: Memory | None


def read(context: Context) -> list[Found]:
    """Everything that was found, on a reader's thread."""
    from memtui.curation.checkup import checkup

    vault, analyst = context.vault, context.analyst
    known = analyst.load_queue(context.homes)
    found = checkup(
        vault,
        context.homes,
        known.queue.waiting if known is not None else (),
        analyst.load_chains(context.homes) or (),
    )
    return [Found(item, vault.memory(item.memory) if item.memory else None) for item in found[:MOST]]


def glance(context: Context) -> list[Found]:
    """What is found at once, on a reader's thread."""
    from memtui.curation import checkup

    return [Found(item, None) for item in checkup.glance(context.vault, context.homes)[:MOST]]


def rows(found: list[Found] | None, context: Context, *, whole: bool = True) -> list[Fixed]:
    """A head, then a row each; None: it is still being looked for. Not `whole`: more is."""
    number = f"{len(found):,}" if found else ""
    title = ((" " + _("Wants looking after"), "head"),)
    out = [Fixed(("head", "findings"), title, ((f" {number} ", "dim"),), rest=False)]
    if found is None or not (found or whole):
        told = (_("looking …"), "dim")
    elif not whole:
        told = (_("still comparing memories: duplicates, contradictions, chains …"), "dim")
    else:
        told = ("", "") if found else (_("Nothing does."), "ok")
    note = [Fixed(("note", "findings"), (("   ", ""), told), rest=False)] if told[0] else []
    several = len(context.labels) > 1
    for item in found or ():
        home = context.home(item.of.home)
        whose = context.name(home) if several and home is not None else ""
        sign = ("⚠", "bad") if item.of.serious else ("◐", "warn")
        out.append(
            Fixed(
                ("finding", *item.of[:4], item.of.text[:80]),
                ((f" {sign[0]} ", sign[1]), (draw.pad(_(WORDS.get(item.of.what, item.of.what)), 10), "dim"),
                 (paint.plain(draw.one_line(item.of.text)), "")),
                ((f" {whose} ", "faint"),) if whose else (),
                value=item,
            )
        )  # fmt: skip
    return out + note


def told(item: Found, cells: int) -> list[list[Piece]]:
    """What is wrong, where, and what mends it."""
    finding = item.of
    where = draw.one_line(f"{finding.path}:{finding.line}" if finding.line else finding.path)
    lines = wrapped(
        [("⚠ " if finding.serious else "◐ ", "warn"), (draw.one_line(finding.text), "bold")], cells, hang=2
    )
    if where:
        lines += [[], *wrapped([(where, "dim")], cells)]
    if item.memory is not None:
        lines += [[], *prose(item.memory.text, cells)]
    lines += [[], *wrapped([("→ ", "accent"), (draw.one_line(finding.remedy), "accent")], cells, hang=2)]
    keys = [
        _("enter shows it in Review")
        if finding.candidate
        else _("enter shows where it stands")
        if where
        else ""
    ]
    if finding.what == "trash":
        keys = [_("enter shows the trash: u there brings it back")]
    elif item.memory is not None:
        keys.append(_("e s d D do here what they do in a list"))
    return [*lines, [], *wrapped([(" · ".join(filter(None, keys)), "faint")], cells)]
