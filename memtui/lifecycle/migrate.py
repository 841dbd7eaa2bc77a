"""From one home's layout to another's: what holds is copied, never moved, and every memory is accounted for.

A plan says of each memory where it would go or why it stays; carrying it out writes just that, redacted like
any other write, as one decision that one undo takes back.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from memtui.core import clock
from memtui.core.edits import Append, Draft, Edit, Piece, diff_lines, splice_pieces
from memtui.core.errors import MemtuiError, RefusedError
from memtui.core.locale import _
from memtui.core.model import Filter, Layer, Status
from memtui.formats import format_named
from memtui.fs.write_journal import generate_record_id
from memtui.language.labels import strip_summary_label
from memtui.language.similarity import normalize_text
from memtui.layouts import load_facts, load_layout
from memtui.store.append import FORMS, resolve_note_target

if TYPE_CHECKING:
    from collections.abc import Callable

    from memtui.core.edits import Change, Receipt, Target
    from memtui.core.model import Home, Memory
    from memtui.store.vault import Vault

LONGEST = 60 * 1024
"""Bytes of one append; what is longer goes in several."""

_COUNTED = re.compile(r"(.*?)(\d{1,15})")
_PLACED = frozenset({Layer.CORE, Layer.KNOWLEDGE, Layer.JOURNAL, Layer.PROFILE})
_HOLDS = frozenset({Status.ACTIVE, Status.CANDIDATE})


class MigrationStep(NamedTuple):
    """One memory of the old home, and what becomes of it."""

    memory: Memory
    target: Target | None
    """Where it goes; None: it stays, and `reason` says why."""
    reason: str = ""


class MigrationPlan(NamedTuple):
    """What a migration would do."""

    home: Home
    """The home it goes to."""
    steps: list[MigrationStep]
    changes: list[Change]
    """One or more for each file, in the order in which they are written."""

    @property
    def copied(self) -> list[MigrationStep]:
        """What goes."""
        return [step for step in self.steps if step.target is not None]

    @property
    def left(self) -> Counter[str]:
        """How many stay, by reason."""
        return Counter(step.reason for step in self.steps if step.target is None)


def plan(
    source: Vault, old: Home, vault: Vault, new: Home, progress: Callable[[int, int], None] | None = None
) -> MigrationPlan:
    """What copying every memory of the home `old` to `new` would write. Nothing is written; `vault` holds `new`."""
    steps: list[MigrationStep] = []
    files: dict[str, _File] = {}
    there = list_texts(vault, new)
    memories = sorted(
        source.memories(Filter(statuses=frozenset(), parts=True, homes=frozenset({str(old.path)})), "path"),
        key=lambda memory: memory.created if memory.created is not None else memory.modified or 0.0,
    )
    for number, memory in enumerate(memories):
        if progress is not None:
            progress(number, len(memories))
        steps.append(_step(memory, old, vault, new, files, there))
    changes = [change for file in files.values() for change in file.changes()]
    return MigrationPlan(new, steps, changes)


def carry_out(
    vault: Vault, plan: MigrationPlan, *, who: str = "person"
) -> tuple[list[Receipt], list[tuple[str, MemtuiError]]]:
    """Write what the plan says, which somebody has seen, as one decision; and which files could not be, with why."""
    group = generate_record_id()
    done: list[Receipt] = []
    failed: list[tuple[str, MemtuiError]] = []
    for change in plan.changes:
        try:
            done.append(vault.apply([change], verb="migrate", who=who, group=group, confirmed=True))
        except MemtuiError as error:
            failed.append((change.path, error))
    return done, failed


class _File:
    """One file of the new home, growing."""

    def __init__(self, target: Target, base: bytes | None) -> None:
        self.target = target
        self.base = base
        self.data = base or b""
        self.records: list[str] = []
        self.header = ""
        self._key = ""
        self._added: Counter[str] = Counter()
        self._pieces: list[Piece] = []

    def add(self, draft: Draft, moment: float) -> None:
        """One more memory."""
        kind = format_named(self.target.format)
        if self.target.append_only:
            record = kind.record(draft, moment, self.target.path)
            self.header = self.header or record.header
            self.records.append(record.text)
            return
        self._added[draft.section] += 1
        settled = self._added[draft.section] > 2
        if not settled:
            # The first of a section make it, and show how the next ones stand behind them.
            self._settle()
        elif self._key:
            draft = draft._replace(key=_after(self._key))
        # Made from bytes that stay the same for thousands, else each would read all that came before it.
        added = kind.add(self.data, draft, moment, self.target.path)
        self._key = added.key
        self._pieces += added.pieces
        if not settled or any(piece.start < piece.end for piece in added.pieces):
            self._settle()

    def _settle(self) -> None:
        self._pieces.sort(key=lambda piece: piece.start)
        self.data = splice_pieces(self.data, tuple(self._pieces))
        self._pieces.clear()

    def changes(self) -> list[Change]:
        """What makes the file so: one edit, or appends of a size that a disk takes whole."""
        home, path = self.target.home, self.target.path
        if not self.target.append_only:
            self._settle()
            if self.data == (self.base or b""):
                return []
            pieces = (Piece(0, 0, self.data),) if self.base is None else diff_lines(self.base, self.data)
            return [Edit(home, path, self.base, pieces)]
        found: list[Change] = []
        batch: list[str] = []
        size = 0
        for record in self.records:
            length = len(record.encode("utf-8", "surrogatepass")) + 1
            if batch and size + length > LONGEST:
                found.append(Append(home, path, "\n".join(batch), self.header))
                batch, size = [], 0
            batch.append(record)
            size += length
        if batch:
            found.append(Append(home, path, "\n".join(batch), self.header))
        return found


def _after(key: str) -> str:
    """The id after this one, where ids are counted ('fact-009'); empty where they are not."""
    match = _COUNTED.fullmatch(key)
    return "" if match is None else f"{match[1]}{int(match[2]) + 1:0{len(match[2])}}"


def _step(
    memory: Memory, old: Home, vault: Vault, new: Home, files: dict[str, _File], there: set[str]
) -> MigrationStep:
    draft = build_draft(memory, old.label)
    reason = explain_staying(memory) or (
        _("there already") if there & {normalize_text(draft.text), normalize_text(memory.text)} else ""
    )
    if reason:
        return MigrationStep(memory, None, reason)
    moment = memory.created if memory.created is not None else memory.modified or clock.now()
    layer = memory.layer or Layer.KNOWLEDGE
    try:
        target = _target(memory, old, new, layer, draft, moment)
        if target.path not in files:
            files[target.path] = _File(target, _bytes(vault, new, target.path))
        files[target.path].add(draft._replace(section=target.section or draft.section), moment)
    except RefusedError as error:
        return MigrationStep(memory, None, str(error))
    there.add(normalize_text(draft.text))
    return MigrationStep(memory, target)


def _target(memory: Memory, old: Home, new: Home, layer: Layer, draft: Draft, moment: float) -> Target:
    """Its place: in the area that it is about, and as a record where a line would lose what it carries."""
    parts = memory.path.split("/")
    about = parts[2] if parts[0] == "areas" and len(parts) > 3 else old.project
    target = load_layout(new.layout).target(new._replace(project=about or new.project), layer, draft, moment)
    if (
        load_facts(new).own
        and target.format == FORMS["line"]
        and (draft.entities or draft.confidence is not None)
    ):
        return resolve_note_target(new, target, "fact")
    return target


def explain_staying(memory: Memory) -> str:
    """Why a memory is not copied to another home; empty: it is."""
    if memory.status not in _HOLDS:
        return _("{status}: only what holds is copied").format(status=memory.status.value)
    if memory.layer not in _PLACED:
        return _("{layer}: it stays with the tool that wrote it").format(
            layer="" if memory.layer is None else memory.layer.value
        )
    if memory.kind == "index":
        return _("an index: the new home makes its own")
    if not memory.text.strip():
        return _("nothing is said in it")
    return ""


def build_draft(memory: Memory, label: str) -> Draft:
    """What the memory says, with where it comes from: a home that people call `label`."""
    place = f"{label}/{memory.path}:{memory.start}"
    said = memory.session or memory.source
    text = memory.text
    if memory.title and memory.title not in text:
        text = f"{memory.title}: {text}"
    return Draft(
        text,
        memory.kind,
        tags=memory.tags,
        entities=memory.entities,
        confidence=memory.confidence,
        expires=memory.expires,
        source=said or place,
        evidence=" · ".join(filter(None, (memory.evidence, place if said else ""))),
        memory_type=str(memory.extra.get("memory_type", "")),
        title=memory.title,
    )


def _bytes(vault: Vault, home: Home, path: str) -> bytes | None:
    return vault.bytes_of(str(home.path), path) if home.path.is_dir() else None


def list_texts(vault: Vault, home: Home) -> set[str]:
    """What the new home says already, however it is spaced."""
    if not home.path.is_dir():
        return set()
    wanted = Filter(statuses=frozenset(), parts=True, homes=frozenset({str(home.path)}))
    memories = list(vault.memories(wanted, "path"))
    # Some formats put a label in front ('**决策**: …').
    return {
        normalize_text(text) for memory in memories for text in (memory.text, strip_summary_label(memory))
    }
