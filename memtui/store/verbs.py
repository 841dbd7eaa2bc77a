"""What a person does with a memory, each verb one write, journalled and undone as one; and a new home's first files.

No verb knows a file format or a path: `standing` finds the memory in what its file holds now, the layout says
where a new one goes, and the vault writes. What goes away is marked, archived or in the trash.

`find_missing_skeleton` and `make`: the few files that a layout begins with, in the person's own language.
Nothing that is there is touched. A person's profile (L0) is theirs and made only where they ask for it.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, NamedTuple

from memtui.core import clock
from memtui.core.edits import Draft, Edit, Piece, Target
from memtui.core.errors import RefusedError
from memtui.core.locale import _, _n
from memtui.core.model import PERISHABLE, Filter, Layer, Status
from memtui.core.startup import make_folders
from memtui.core.text import derive_item_key
from memtui.formats.facts import tell_by_hand
from memtui.formats.sections import CORE, PROFILE
from memtui.fs.files import split_home_path
from memtui.fs.folder import translate_os_error
from memtui.fs.locks import hold_lock, lock_for
from memtui.language.similarity import measure_likeness
from memtui.layouts import Founding, load_all_layouts, load_facts, load_layout
from memtui.layouts.discovery import detect_surroundings
from memtui.safety.redact import restore_secrets
from memtui.store import standing
from memtui.store.secrets import mask_draft
from memtui.store.standing import (
    GONE_BY,
    TOPIC,
    build_draft_changes,
    carry_old_lines,
    combine_changes,
    convert_to_draft,
    explain_refusal,
    find_file_format,
    find_open_home,
    locate_memory,
    name_successor,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from memtui.core.edits import Change, Receipt
    from memtui.core.model import Home, Memory
    from memtui.layouts import Skeleton
    from memtui.store.standing import Standing
    from memtui.store.vault import Vault

__all__ = [
    "add",
    "archive",
    "delete",
    "edit",
    "expire",
    "explain_refusal",
    "merge",
    "move",
    "restore",
    "supersede",
    "tag",
]  # fmt: skip


def add(
    vault: Vault,
    home: Home,
    draft: Draft,
    *,
    layer: Layer = Layer.KNOWLEDGE,
    path: str = "",
    who: str = "person",
    group: str = "",
) -> Receipt:
    """Write a new memory where the home's layout puts such ones, or into `path`. What says the same is a warning."""
    if not draft.text.strip():
        raise RefusedError(_("There is nothing to remember in an empty text."))
    draft, told = mask_draft(vault, draft)
    twins = _find_twins(vault, home, draft)
    kind = load_layout(home.layout)
    # Whoever adds changes nothing that somebody read: two at once take turns, instead of one being refused.
    with hold_lock(lock_for(str(home.path), "#add"), vault.wait):
        target = aim_at_file(home, path, draft) if path else kind.target(home, layer, draft, clock.now())
        if who == "person" and target.format == "facts" and not draft.evidence:
            draft = draft._replace(evidence=tell_by_hand(draft.text))
        changes, key = build_draft_changes(vault, target, draft)
        what = _("added {name} to {path}").format(name=key or _("a memory"), path=target.path)
        receipt = vault.apply(changes, verb="add", who=who, what=what, group=group)
    return receipt._replace(warnings=(*told, *receipt.warnings, *twins))


def edit(vault: Vault, memory: Memory, changes: Mapping[str, Any], *, who: str = "person", group: str = "") -> Receipt:
    """New values for a memory's fields: text, kind, tags, entities, expires, confidence, evidence, title."""
    if "text" in changes and not str(changes["text"]).strip():
        raise RefusedError(_("There is nothing to remember in an empty text."))
    found = locate_memory(vault, memory, mine=str(changes.get("text", "")))
    safe, told = mask_draft(vault, Draft("", tags=tuple(changes.get("tags", ()))))
    changes = {**changes, "tags": safe.tags} if "tags" in changes else changes
    if "text" in changes:
        # What was shown masked comes back masked: a secret that nobody touched stays what it is.
        changes = {**changes, "text": restore_secrets(str(changes["text"]), found.entry.text)}
    receipt = _apply(vault, found, found.revised(changes), "edit", _("edited {name}"), who, group)
    return receipt._replace(warnings=(*told, *receipt.warnings))


def supersede(vault: Vault, memory: Memory, draft: Draft, *, who: str = "person", group: str = "") -> Receipt:
    """Write what replaces it, in the same file; the old one stays, marked, and names its successor."""
    if not draft.text.strip():
        raise RefusedError(_("There is nothing to remember in an empty text."))
    if draft.text.strip() == memory.text.strip():
        raise RefusedError(_("It says that already: what replaces it must say something else."))
    draft, told = mask_draft(vault, draft)
    found = locate_memory(vault, memory, mine=draft.text)
    if who == "person" and not draft.evidence and found.form == "facts":
        draft = draft._replace(evidence=tell_by_hand(draft.text))
    section = draft.section or (memory.heading[-1] if memory.heading else "")
    draft = draft._replace(section=section, supersedes=memory.key or memory.text)
    target = _make_neighbour_target(found)
    if found.topic:
        layer = memory.layer or Layer.KNOWLEDGE
        target = load_layout(found.home.layout).target(found.home, layer, draft._replace(section=""), clock.now())
        target = target if target.format == TOPIC else _make_neighbour_target(found)
    if target.format == "markdown":
        draft = draft._replace(key=derive_item_key(target.path, draft.text, found.data))
    new, key = build_draft_changes(vault, target, draft)
    key = standing.name(target.path) if target.format == TOPIC else key or draft.text
    changes = combine_changes((*new, *found.revised(status=Status.SUPERSEDED, successor=key)))
    what = _("replaced {name} in {path}").format(name=quote_memory(memory), path=memory.path)
    receipt = vault.apply(changes, verb="supersede", who=who, what=what, group=group)
    return receipt._replace(warnings=(*told, *receipt.warnings))


def archive(vault: Vault, memory: Memory, *, who: str = "person", group: str = "") -> Receipt:
    """Put it away: it stays in its file, marked, and no agent is given it any more."""
    found = locate_memory(vault, memory)
    return _apply(vault, found, found.revised(status=Status.ARCHIVED), "archive", _("archived {name}"), who, group)


def restore(vault: Vault, memory: Memory, *, who: str = "person", group: str = "") -> Receipt:
    """Make it hold again: what was archived, deleted by a mark, superseded or has expired."""
    found = locate_memory(vault, memory)
    expired = found.entry.expires is not None and found.entry.expires <= clock.now()
    change = found.revised(
        {"expires": None} if expired else None, None if found.entry.status in PERISHABLE else Status.ACTIVE
    )
    return _apply(vault, found, change, "restore", _("restored {name}"), who, group)


def expire(vault: Vault, memory: Memory, at: float | None, *, group: str = "") -> Receipt:
    """Say until when it holds; None: for ever."""
    found = locate_memory(vault, memory)
    told = _("{name} never expires") if at is None else _("{name} is valid until {day}")
    day = "" if at is None else clock.format_day(at)
    told = told.replace("{day}", day)
    return _apply(vault, found, found.revised({"expires": at}), "expire", told, "person", group)


def tag(vault: Vault, memory: Memory, tags: Sequence[str], *, who: str = "person", group: str = "") -> Receipt:
    """Give it these tags, and no others."""
    wanted = tuple(dict.fromkeys(word.strip().lstrip("#") for word in tags if word.strip(" #")))
    safe, told = mask_draft(vault, Draft("", tags=wanted))
    found = locate_memory(vault, memory)
    receipt = _apply(vault, found, found.revised({"tags": safe.tags}), "tag", _("tagged {name}"), who, group)
    return receipt._replace(warnings=(*told, *receipt.warnings))


def merge(
    vault: Vault, keep: Memory, others: Sequence[Memory], text: str = "", *, who: str = "person", group: str = ""
) -> Receipt:
    """Keep one of several that say the same, with `text` where it shall say it better; the others name it."""
    changes = plan_merge(vault, keep, others, text)
    count = sum(other.id != keep.id for other in others)
    what = _n("merged {count} memory into {name}", "merged {count} memories into {name}", count)
    what = what.replace("{name}", quote_memory(keep))
    return vault.apply(combine_changes(changes), verb="merge", who=who, what=what, group=group)


def plan_merge(vault: Vault, keep: Memory, others: Sequence[Memory], text: str = "") -> tuple[Change, ...]:
    """What a merge would change. Raises RefusedError where one of them cannot be marked as replaced: better before
    somebody has written the text of them all.
    """
    others = [other for other in others if other.id != keep.id]
    if not others:
        raise RefusedError(_("There is nothing to merge it with."))
    name, written = name_successor(vault, keep, text)
    changes = list(written)
    for other in others:
        found = locate_memory(vault, other)
        if _can_reach(vault, other, keep.home, keep.path, keep.key):
            changes += found.revised(status=Status.SUPERSEDED, successor=name)
        else:
            changes += found.revised(status=Status.ARCHIVED)
    return tuple(changes)


def move(
    vault: Vault,
    memory: Memory,
    *,
    home: str = "",
    path: str = "",
    section: str = "",
    who: str = "person",
    group: str = "",
) -> Receipt:
    """To another section, file or home: written there and taken out here, or marked where nothing may go."""
    found = locate_memory(vault, memory)
    there = find_open_home(vault, home) if home else found.home
    draft = convert_to_draft(memory, section)
    if memory.status not in {*PERISHABLE, Status.EXPIRED}:
        raise RefusedError(_(GONE_BY))
    if found.topic:
        raise RefusedError(_("A topic is a whole file: move its parts, or copy its home with `memtui migrate`."))
    if found.entry.reach > found.entry.end:
        raise RefusedError(_("What belongs to it would stay behind: move it in the file."))
    if there == found.home and path in {"", memory.path}:
        if not section or section == (memory.heading[-1] if memory.heading else ""):
            raise RefusedError(_("It stands there already."))
        if found.form != "markdown":
            raise RefusedError(_("{path} has no sections.").format(path=memory.path))
        target = _make_neighbour_target(found)
    elif path:
        target = aim_at_file(there, path, draft)
    else:
        # What a day's note says is knowledge where it is taken to: that home has days of its own.
        kept = memory.layer if memory.layer not in {None, Layer.JOURNAL} else Layer.KNOWLEDGE
        target = load_layout(there.layout).target(there, kept or Layer.KNOWLEDGE, draft, clock.now())
    new, key = build_draft_changes(vault, target, draft, memory.created)
    if memory.key and key != memory.key and vault.chain(memory).before:
        lost = _("{key} replaced others, and {path} cannot give it that id: they would point nowhere.")
        raise RefusedError(lost.format(key=memory.key, path=target.path))
    named = key != memory.key and _can_reach(vault, memory, target.home, target.path, key)
    gone = found.removed(key if named else "", Status.ARCHIVED)
    changes = combine_changes((*carry_old_lines(found, there, new, gone), *gone))
    place = target.path + (f" § {draft.section or target.section}" if draft.section or target.section else "")
    what = _("moved {name} to {place}").format(name=quote_memory(memory), place=place)
    return vault.apply(changes, verb="move", who=who, what=what, group=group, confirmed=True)


def delete(vault: Vault, memory: Memory, *, who: str = "person", group: str = "") -> Receipt:
    """Take its lines out of the file, into the trash; a record or a row that may not go is marked as deleted."""
    found = locate_memory(vault, memory)
    what = _("deleted {name}").format(name=quote_memory(memory))
    # However much of its file one memory is: that it goes is what was asked for.
    return vault.apply(found.removed(), verb="delete", who=who, what=what, group=group, confirmed=True)


# -- places -----------------------------------------------------------------------------------------------------


def _apply(
    vault: Vault, found: Standing, changes: tuple[Change, ...], verb: str, told: str, who: str, group: str
) -> Receipt:
    if not changes:
        raise RefusedError(_("It is so already: there is nothing to change."))
    return vault.apply(
        changes, verb=verb, who=who, what=told.replace("{name}", quote_memory(found.memory)), group=group
    )


def _can_reach(vault: Vault, memory: Memory, home: str, path: str, key: str) -> bool:
    """Whether a memory can name what stands there as its successor, and mean nothing else by it."""
    if home != memory.home or path == memory.path:
        return home == memory.home
    return bool(key) and all(other.path == path for other in vault.named(key) if other.home == home)


def _make_neighbour_target(found: Standing) -> Target:
    """The memory's own file, as a place for another one."""
    memory, form = found.memory, found.form
    heading = memory.heading[-1] if memory.heading else ""
    layer = memory.layer or Layer.KNOWLEDGE
    if form == "journal":
        # One parser reads what several tools write in their own way.
        form = load_layout(found.home.layout).target(found.home, Layer.JOURNAL, Draft(""), clock.now()).format
    return Target(memory.home, memory.path, form, heading, layer, True, found.grows)


def aim_at_file(home: Home, path: str, draft: Draft) -> Target:
    """A named file of a home as the place for a draft. Raises OutsideError, RefusedError for what is no memory file."""
    path = "/".join(split_home_path(path))
    kind = load_layout(home.layout)
    form = find_file_format(home, path)
    role = kind.role(home.path, path)
    if role is None or not form:
        raise RefusedError(_("memtui writes no memories to {path} in {home}.").format(path=path, home=home.label))
    there = (home.path / path).is_file()
    return Target(str(home.path), path, form, draft.section, role.layer, there, kind.append_only(path))


def quote_memory(memory: Memory) -> str:
    """How a memory is called in a sentence about it."""
    text = " ".join((memory.title or memory.text).replace("**", "").split()) or memory.key
    return f"“{text[:39]}…”" if len(text) > 40 else f"“{text}”"


def _find_twins(vault: Vault, home: Home, draft: Draft) -> tuple[str, ...]:
    """What of the home says the same already, for a person."""
    near = Filter(homes=frozenset({str(home.path)}))
    for hit in vault.find(draft.text, 8, filter=near):
        twin = vault.of(hit)
        alike = None if twin is None else measure_likeness(draft.text, twin.text)
        if twin is not None and alike is not None:
            says = _("much like {path}:{line}") if not alike.covers else _("{path}:{line} says that already")
            return (says.format(path=twin.path, line=twin.start),)
    return ()


_SCRATCHPAD = (("# 草稿板", "# Scratchpad"), ("## 当前任务", "## Current task"), ("## 最近完成", "## Last done"))
_PROFILE = (("# 用户记忆", "# About me"), ("## 沟通风格", "## How to talk to me"))


_INDEX = (("# 知识库索引", "# Index"), ("| 关键词 | 模块 |\n|---|---|", "| Keywords | Module |\n|---|---|"))


def _find_skeleton(home: Home) -> Skeleton | None:
    """What a home begins with by its layout; the person's own may begin otherwise than a project's."""
    facts, kind = load_facts(home), load_layout(home.layout)
    if facts.user_skeleton is not None and isinstance(kind, Founding):
        mine = kind.found_home(detect_surroundings())
        if mine is not None and mine.path == home.path:
            return facts.user_skeleton
    return facts.skeleton


class Missing(NamedTuple):
    """What a home lacks."""

    folders: tuple[str, ...]
    files: tuple[tuple[str, str], ...]
    """Path and text."""


def find_missing_skeleton(home: Home, *, profile: bool = False) -> Missing:
    """What the home lacks of its layout's skeleton. Raises RefusedError for a layout that memtui makes no homes of."""
    found = _find_skeleton(home)
    if found is None:
        makes = [kind.name for kind in load_all_layouts() if kind.facts.skeleton]
        raise RefusedError(
            _("memtui makes no home of layout {layout}: its own tool does. It makes {names}.").format(
                layout=home.layout, names=", ".join(makes)
            )
        )
    side = 0 if found.chinese or _is_chinese() else 1
    files = {}
    if found.kinds:
        files["MEMORY.md"] = _page(f"# {found.title[side]}", [f"## {CORE[kind][side]}" for kind in found.kinds])
    if "INDEX.md" in found.more:
        files["INDEX.md"] = _page(_INDEX[0][side], [_INDEX[1][side]])
    if "scratchpad.md" in found.more:
        files["scratchpad.md"] = _page(_SCRATCHPAD[0][side], [pair[side] for pair in _SCRATCHPAD[1:]])
    if profile or "user/profile.md" in found.more:
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
            make_folders(home.path / name)
        except OSError as error:
            raise translate_os_error(error, name) from error
    return receipt


def _page(title: str, headings: list[str]) -> str:
    return "\n\n".join([title, *headings]) + "\n"


def _is_chinese() -> bool:
    named = next((os.environ[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if os.environ.get(name)), "")
    return named.lower().startswith("zh")
