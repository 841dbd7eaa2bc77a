"""What approving a candidate writes: the changes, made anew from the bytes that stand in the files now."""

from __future__ import annotations

from contextlib import suppress
from itertools import chain
from typing import TYPE_CHECKING

from memtui import clock
from memtui.curation.candidates import ARCHIVING, SETTLING
from memtui.curation.secrets import masked, masking, patterns
from memtui.curation.standing import added, form_of, home_of, standing, together
from memtui.curation.stored import gone
from memtui.disk.files import inside
from memtui.disk.places import state
from memtui.edits import Append, Draft, Edit, RowEdit, Target, appended
from memtui.errors import MemtuiError, RefusedError
from memtui.layouts import layout
from memtui.locale import _, _n
from memtui.model import PERISHABLE, Status
from memtui.routing.documents import concerned, renewed
from memtui.safety.redact import Redacted, redact

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memtui.curation.candidates import Candidate
    from memtui.curation.staging import Stage
    from memtui.edits import Change
    from memtui.model import Home, Layer, Memory
    from memtui.vault import Vault
    from memtui.writing import Writing

_READABLE = 256 * 1024
"""Bytes of a file that goes whole, up to which a difference shows them."""


def changes(
    vault: Vault, candidate: Candidate, *, text: str = "", section: str = "", path: str = "", home: str = ""
) -> tuple[Change, ...]:
    """What is written when the candidate is approved, with another text, section, file or home where one is given.

    Raises RefusedError where it cannot be, ConflictError where a memory that it is about is no longer what it was.
    """
    if candidate.origin in SETTLING:
        if text or section or path or home:
            raise RefusedError(_("Nothing new is written here: edit or move the memory itself."))
        if candidate.origin == "secret":
            return masking(vault, candidate)
        if candidate.origin == "attachment":
            from memtui.curation import attachments

            return attachments.changes(vault, candidate)
        if candidate.origin in ARCHIVING:
            return _indexed(vault, _archived(vault, candidate))
        return _indexed(vault, _settled(vault, candidate))
    if candidate.origin == "capability":
        from memtui.evolution.skills import capability

        if section or path or home:
            raise RefusedError(_("A skill has its place: change its text, or evolution.skills."))
        return capability.changes(vault, candidate, text)
    file = gone(candidate)
    if candidate.stored and file is None:
        raise RefusedError(_("Somebody has decided this already."))
    new = _indexed(vault, written(vault, candidate, text=text, section=section, path=path, home=home))
    return (*new, file) if file else new


def pen(vault: Vault, candidate: Candidate) -> Writing:
    """What writes it: a skill goes where no home is."""
    if candidate.origin != "capability":
        return vault
    from memtui.evolution.skills import capability

    return capability.pen(vault, home_of(vault, candidate.home))


def _indexed(vault: Vault, wanted: tuple[Change, ...]) -> tuple[Change, ...]:
    """The changes, and with them what they make of the INDEX.md of memtui's own home (spec 000).

    Of several that are staged it is made once, of all of them: see `index_staged`.
    """
    if vault.staging:
        return wanted
    for home in vault.homes:
        if concerned(home, wanted):
            # An index that cannot be brought up to date keeps nobody from deciding.
            with suppress(MemtuiError):
                edit = renewed(vault, home, wanted)
                wanted = (*wanted, edit) if edit else wanted
    return wanted


def index_staged(stage: Stage) -> None:
    """Stage what all staged changes make of the INDEX.md of memtui's own home."""
    wanted = stage.wanted
    for home in stage.vault.homes:
        if concerned(home, wanted):
            with suppress(MemtuiError):
                edit = renewed(stage.vault, home, wanted)
                if edit is not None:
                    stage.add(edit)


def written(
    vault: Vault, candidate: Candidate, *, text: str = "", section: str = "", path: str = "", home: str = ""
) -> tuple[Change, ...]:
    """The candidate's text in its place."""
    draft = candidate.draft or Draft(candidate.text, candidate.kind)
    draft = draft._replace(text=text or draft.text, section=section or draft.section)
    if not draft.text.strip():
        raise RefusedError(_("There is nothing to write: the text is empty."))
    draft, _told = masked(vault, draft)
    target = aimed(home_of(vault, home or candidate.home), candidate.layer, draft, path)
    return added(vault, target, draft)[0]


def aimed(home: Home, layer: Layer, draft: Draft, path: str = "") -> Target:
    """Where a draft goes: where the home's layout says, or to the file that a person chose. Raises RefusedError."""
    kind = layout(home.layout)
    if not home.writable:
        raise RefusedError(_("{home} cannot be written.").format(home=home.label))
    if path:
        path = "/".join(inside(path))
        role, form = kind.role(home.path, path), form_of(home, path)
        if role is None or not form:
            raise RefusedError(
                _("memtui writes no memories to {path} in {home}.").format(path=path, home=home.label)
            )
        there = (home.path / path).is_file()
        target = Target(str(home.path), path, form, draft.section, role.layer, there, kind.append_only(path))
    else:
        target = kind.target(home, layer, draft, clock.now())
    reason = kind.read_only(target.path)
    if reason:
        raise RefusedError(_("{path} is not written: {reason}").format(path=target.path, reason=_(reason)))
    return target


def _settled(vault: Vault, candidate: Candidate) -> tuple[Change, ...]:
    """All but the first of the candidate's memories are superseded by it."""
    found = [vault.memory(named) for named in candidate.memories]
    holding = [memory for memory in found if memory is not None and memory.status is Status.ACTIVE]
    if len(holding) < 2 or len(holding) < len(candidate.memories):
        raise RefusedError(_("One of them has changed since: look at both again."))
    keep, *others = holding
    return superseded(vault, others, keep)


def _archived(vault: Vault, candidate: Candidate) -> tuple[Change, ...]:
    """What it names is put away."""
    found = [memory for named in candidate.memories if (memory := vault.memory(named)) is not None]
    holding = [memory for memory in found if memory.status in PERISHABLE]
    if not holding:
        raise RefusedError(_("It has changed since: look at it again."))
    marked = (standing(vault, memory).revised(status=Status.ARCHIVED) for memory in holding)
    return together(tuple(chain.from_iterable(marked)))


def superseded(vault: Vault, memories: Iterable[Memory], by: Memory) -> tuple[Change, ...]:
    """The changes that mark these memories as superseded by another, which stays as it is."""
    successor = by.key or by.text
    marked = (
        standing(vault, memory).revised(status=Status.SUPERSEDED, successor=successor) for memory in memories
    )
    return together(tuple(chain.from_iterable(marked)))


def difference(vault: Vault, wanted: Iterable[Change]) -> str:
    """A unified diff of what changes in homes, exactly as it would be written; secrets that stand there are masked."""
    from difflib import unified_diff

    own = str(state())
    lines: list[str] = []
    for change in vault.prepared([change for change in wanted if change.home != own]):
        name, place = change.path, change.path
        if isinstance(change, RowEdit):
            place = f"{name}:{change.key}"
            # What only has to be as it was stays as it is.
            after = None if change.after is None else {**(change.before or {}), **change.after}
            old, new = _columns(change.before), _columns(after)
        elif isinstance(change, Edit) and change.remove and _opaque(change.base or b""):
            told = _n("{count} byte", "{count} bytes", len(change.base or b""))
            lines.append(f"--- a/{place}\n+++ /dev/null\n@@ {told} @@\n")
            continue
        else:
            old, new = map(_lines, _sides(vault, change))
        lines += unified_diff(
            old, new, f"a/{place}" if old else "/dev/null", f"b/{place}" if new else "/dev/null"
        )
    told = "".join(
        line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines
    )
    return _covered(told, redact(told, patterns(vault)))


def _covered(diff: str, redacted: Redacted) -> str:
    """The diff without its secrets: what goes is told by its length, or both sides of a masking would look the same."""
    parts: list[str] = []
    done = 0
    comes = "\n".join(line for line in diff.split("\n") if line.startswith("+"))
    for secret in redacted.secrets:
        value = diff[secret.start : secret.end]
        gone = diff.startswith("-", diff.rfind("\n", 0, secret.start) + 1) and value not in comes
        size = _n("‹{count} character›", "‹{count} characters›", len(value))
        parts += (diff[done : secret.start], size if gone and "\n" not in value else secret.mask)
        done = secret.end
    return "".join((*parts, diff[done:]))


def _opaque(data: bytes) -> bool:
    """Whether nobody would read its lines: a picture, a recording, a book."""
    return b"\0" in data[:8192] or len(data) > _READABLE


def _columns(side: object) -> list[str]:
    return [f"{name} = {value!r}\n" for name, value in side.items()] if isinstance(side, dict) else []


def _sides(vault: Vault, change: Edit | Append) -> tuple[bytes, bytes]:
    if isinstance(change, Edit):
        return change.base or b"", change.new
    before = vault.bytes_of(change.home, change.path) or b""
    return before, appended(before, change)


def _lines(data: bytes) -> list[str]:
    """A file's lines; '\\n' ends a line and nothing else does."""
    lines = data.decode("utf-8", "surrogateescape").split("\n")
    return [f"{line}\n" for line in lines[:-1]] + ([lines[-1]] if lines[-1] else [])
