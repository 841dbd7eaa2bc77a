"""The files that a person writes by hand: profiles and MEMORY.md, those that are there and those that could be."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from memtui.errors import RefusedError
from memtui.locale import _
from memtui.model import Filter, Layer
from memtui.tui import draw

if TYPE_CHECKING:
    from memtui.tui.context import Context
    from memtui.tui.draw import Piece


class Handwritten(NamedTuple):
    """One such file."""

    home: str
    path: str
    layer: Layer
    skeleton: bytes = b""
    """What it begins with; empty: it is there."""

    def told(self, context: Context) -> tuple[Piece, ...]:
        """A row for it."""
        home = context.home(self.home)
        whose = context.name(home) if home is not None else ""
        new = ((_("not there yet: enter begins it"), "warn"),) if self.skeleton else ()
        kind = _("profile") if self.layer is Layer.PROFILE else _("core")
        return (
            (f" {draw.pad(kind, 9)}", "dim"),
            (draw.pad(draw.one_line(self.path), 28) + "  ", "bold"),
            (draw.pad(whose, 24) + " ", "dim"),
            *new,
        )


def found(context: Context) -> list[Handwritten]:
    """Profiles first, then core memory, then what could be made. On a reader's thread."""
    from memtui.curation.skeleton import missing

    there: list[Handwritten] = []
    for layer in (Layer.PROFILE, Layer.CORE):
        within = Filter(frozenset({layer}), homes=context.homes, statuses=frozenset())
        for home, outline in context.vault.outlines(within):
            if home.writable:
                there.append(Handwritten(str(home.path), outline.path, layer))
    for home in context.vault.homes:
        if home.writable and (not context.homes or str(home.path) in context.homes):
            try:
                lacks = missing(home, profile=True)
            except RefusedError:
                continue
            there += [
                Handwritten(str(home.path), path, layer, text.encode())
                for path, text in lacks.files
                for layer in (Layer.PROFILE if path.startswith("user/") else Layer.CORE,)
                if path.startswith("user/") or path.endswith("MEMORY.md")
            ]
    return there
