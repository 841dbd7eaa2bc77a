"""A new home, or what one lacks: the few files that a layout begins with, in the person's own language.

Nothing that is there is ever touched. A person's profile (L0) is theirs: it is made only where they ask for it.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from memtui.disk.folder import reason
from memtui.edits import Edit, Piece
from memtui.errors import RefusedError
from memtui.format.sections import CORE, PROFILE
from memtui.locale import _

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memtui.edits import Receipt
    from memtui.format.sections import Names
    from memtui.model import Home
    from memtui.vault import Vault

_AREAS = ("areas/projects", "areas/patterns", "areas/tools")


class Skeleton(NamedTuple):
    """What one layout begins with."""

    folders: tuple[str, ...]
    kinds: tuple[str, ...]
    """The sections of its MEMORY.md, by what goes into them."""
    title: Names
    more: tuple[str, ...] = ()
    """Further files, by name."""


SKELETONS: Mapping[str, Skeleton] = {
    "memtui": Skeleton(
        ("user", *_AREAS, "daily", "sessions", "evolution"),
        ("pref", "rule", "decision", "fact", "todo"),
        ("核心记忆", "Memory"),
        ("scratchpad.md",),
    ),
    "xinghebot": Skeleton(("daily", "sessions"), ("pref", "todo", "event", "note"), ("MEMORY", "MEMORY")),
    "code_memory": Skeleton(
        ("daily", "sessions", *_AREAS, "evolution"), ("pref", "lesson", "decision"), ("长期记忆", "Memory")
    ),
    "skillix": Skeleton(("daily",), ("pref", "fact", "decision"), ("核心记忆", "Core memory")),
}
"""Layout -> what it begins with: specs 000 to 004. Homes of other tools are made by these tools."""

_SCRATCHPAD = (
    ("# 草稿板", "# Scratchpad"),
    ("## 当前任务", "## Current task"),
    ("## 最近完成", "## Last done"),
)
_PROFILE = (("# 用户记忆", "# About me"), ("## 沟通风格", "## How to talk to me"))


class Missing(NamedTuple):
    """What a home lacks."""

    folders: tuple[str, ...]
    files: tuple[tuple[str, str], ...]
    """Path and text."""


def missing(home: Home, *, profile: bool = False, chinese: bool | None = None) -> Missing:
    """What the home lacks of its layout's skeleton. Raises RefusedError for a layout that memtui makes no homes of."""
    found = SKELETONS.get(home.layout.replace("-", "_"))
    if found is None:
        raise RefusedError(
            _("memtui makes no home of layout {layout}: its own tool does. It makes {names}.").format(
                layout=home.layout, names=", ".join(name.replace("_", "-") for name in SKELETONS)
            )
        )
    speaks = _chinese() if chinese is None else chinese
    side = 0 if speaks else 1
    files = {"MEMORY.md": _page(f"# {found.title[side]}", [f"## {CORE[kind][side]}" for kind in found.kinds])}
    if "scratchpad.md" in found.more:
        files["scratchpad.md"] = _page(_SCRATCHPAD[0][side], [pair[side] for pair in _SCRATCHPAD[1:]])
    if profile:
        if "user" not in found.folders:
            raise RefusedError(_("A home of layout {layout} has no profile.").format(layout=home.layout))
        sections = [f"## {PROFILE[kind][side]}" for kind in ("pref", "fact")]
        files["user/profile.md"] = _page(_PROFILE[0][side], [*sections, _PROFILE[1][side]])
    folders = tuple(name for name in found.folders if not os.path.lexists(home.path / name))
    return Missing(
        folders, tuple((path, text) for path, text in files.items() if not os.path.lexists(home.path / path))
    )


def make(vault: Vault, home: Home, lacks: Missing) -> Receipt | None:
    """Make it; the receipt of the files, None where there were none to make."""
    edits = [Edit(str(home.path), path, None, (Piece(0, 0, text.encode()),)) for path, text in lacks.files]
    receipt = vault.apply(edits, verb="init", what=_("made the skeleton of a home")) if edits else None
    # Last, so that a home whose files could not be written is left as it was.
    for name in lacks.folders:
        try:
            os.makedirs(home.path / name, mode=0o700, exist_ok=True)
        except OSError as error:
            raise reason(error, name) from error
    return receipt


def _page(title: str, headings: list[str]) -> str:
    return "\n\n".join([title, *headings]) + "\n"


def _chinese() -> bool:
    named = next((os.environ[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if os.environ.get(name)), "")
    return named.lower().startswith("zh")
