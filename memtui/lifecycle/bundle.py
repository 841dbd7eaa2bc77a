"""Memories as one file that any tool may read, and what other tools hold as candidates (`memtui export`, `import`).

A bundle is one JSON document, described in the manual (homes): `format` and `version`, then a list of memories with
all that is known of each. Newer versions only add keys; a file of a version that is not known is refused.

An import proposes and writes nothing: each memory that holds waits in Review for its home, with its own date and where
it comes from. What the home says already, what waits, and what somebody decided before is passed over, so that the
same file twice is once.

From one home's layout to another's: what holds is copied, never moved, and every memory is accounted for.

A plan says of each memory where it would go or why it stays; carrying it out writes just that, redacted like
any other write, as one decision that one undo takes back.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from memtui.core import clock
from memtui.core.edits import Append, Draft, Edit, Piece, diff_lines, splice_pieces
from memtui.core.errors import MemtuiError, RefusedError, UsageError
from memtui.core.locale import _, _n
from memtui.core.model import PERISHABLE, Filter, Layer, Memory, Role, Status, values
from memtui.core.startup import compile_pattern
from memtui.formats import Source, format_named, parse
from memtui.formats.kinds import strip_summary_label
from memtui.fs.files import read
from memtui.fs.write_journal import generate_record_id
from memtui.language.similarity import normalize_text
from memtui.layouts import load_facts, load_layout
from memtui.layouts.discovery import list_homes_at
from memtui.safety.injection import examine
from memtui.store import candidates
from memtui.store.append import FORMS, resolve_note_target
from memtui.store.candidates import CandidateSource
from memtui.store.proposing import LONGEST
from memtui.store.secrets import mask_draft
from memtui.store.vault import Vault

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from memtui.core.config import Config
    from memtui.core.edits import Change, Receipt, Target
    from memtui.core.model import Home


FORMAT, VERSION = "memtui-bundle", 1
LARGEST = 256 * 1024 * 1024
"""Bytes of a bundle that are read."""

_TEXTS = ("kind", "title", "session", "source", "evidence", "key", "superseded_by")
_TIMES = ("created", "updated", "expires")
_NUMBERS = ("confidence", "importance")
_LISTS = ("tags", "entities")


def build_bundle(memories: Iterable[Memory], homes: Iterable[Home]) -> dict[str, Any]:
    """The document of these memories of these homes. Secrets in them are masked, as everywhere."""
    known = {str(home.path): home for home in homes}
    return {
        "format": FORMAT,
        "version": VERSION,
        "exported": _iso(clock.now()),
        "memories": [_dump(memory, known.get(memory.home)) for memory in memories],
    }


def _dump(memory: Memory, home: Home | None) -> dict[str, Any]:
    project = memory.extra.get("project")
    plain: dict[str, Any] = {
        "text": memory.text,
        "layer": memory.layer.value if memory.layer else None,
        "status": memory.status.value,
        **{name: getattr(memory, name) for name in (*_TEXTS, *_NUMBERS)},
        **{name: _iso(getattr(memory, name)) for name in _TIMES},
        **{name: list(getattr(memory, name)) for name in _LISTS},
        "project": project if isinstance(project, str) else home.project if home is not None else "",
        "memory_type": str(memory.extra.get("memory_type", "")),
        "done": memory.extra.get("done"),
        "home": home.label if home is not None else memory.home,
        "layout": home.layout if home is not None else "",
        "path": memory.path,
        "line": memory.start,
    }
    return {name: value for name, value in plain.items() if value not in (None, "", [])}


def _iso(seconds: float | None) -> str | None:
    return None if seconds is None else clock.convert_to_local(seconds).isoformat()


def render_markdown(memories: Iterable[Memory], homes: Iterable[Home]) -> Iterator[str]:
    """The lines of a document for people, by home and layer, a memory a list item."""
    labels = {str(home.path): home.label for home in homes}
    yield f"# {_('Memories, {day}').format(day=clock.format_day(clock.now()))}"
    for (home, layer), group in groupby(memories, lambda one: (one.home, one.layer)):
        yield from ("", f"## {labels.get(home, home)} · {layer.value if layer else ''}", "")
        for memory in group:
            first, *rest = (memory.text if not memory.title else f"{memory.title}: {memory.text}").split("\n")
            tags = "".join(f" #{tag}" for tag in memory.tags if " " not in tag)
            when = "" if memory.created is None else f" ({clock.format_day(memory.created)})"
            yield f"- [{memory.kind}] {first}{'' if rest else tags + when}"
            yield from (f"  {line}" for line in rest)


def load_bundle(data: bytes, path: str) -> list[Memory]:
    """The memories of a bundle, what does not fit left out. Raises UsageError for another version."""
    plain = json.loads(data)
    version = plain.get("version")
    if not isinstance(version, int) or not 1 <= version <= VERSION:
        raise UsageError(_("{path} is of a newer memtui: update this one to read it.").format(path=path))
    listed = plain.get("memories")
    return [
        _load(item, path, number)
        for number, item in enumerate(listed if isinstance(listed, list) else (), 1)
        if isinstance(item, dict) and isinstance(item.get("text"), str)
    ]


def _load(plain: Mapping[str, Any], path: str, number: int) -> Memory:
    made = Memory(plain["text"], 1, 1, home=_text(plain, "home"), path=_text(plain, "path") or f"{path}#{number}")
    for name in _TEXTS:
        setattr(made, name, _text(plain, name) or getattr(made, name))
    for name in _TIMES:
        value = plain.get(name)
        setattr(made, name, clock.parse(value) if isinstance(value, str) else None)
    for name in _NUMBERS:
        value = plain.get(name)
        setattr(made, name, float(value) if type(value) is int or type(value) is float else None)
    for name in _LISTS:
        value = plain.get(name)
        setattr(made, name, tuple(map(str, value)) if isinstance(value, list) else ())
    layer, status = _text(plain, "layer"), _text(plain, "status")
    made.layer = Layer(layer) if layer in set(Layer) else Layer.KNOWLEDGE
    made.status = Status(status) if status in set(Status) else Status.ACTIVE
    made.start = made.end = plain["line"] if isinstance(plain.get("line"), int) else 1
    extra = {name: plain[name] for name in ("project", "memory_type", "done", "layout") if plain.get(name)}
    made.extra = {**extra, **({"done": False} if plain.get("done") is False else {})}
    return made


def _text(plain: Mapping[str, Any], name: str) -> str:
    value = plain.get(name)
    return value if isinstance(value, str) else ""


def load_foreign(path: Path, config: Config, asked: Filter) -> tuple[str, list[Memory]]:
    """What a home, a database, a bundle or a file holds of what is asked for, and what it was taken for.

    Raises UsageError where there is nothing that can be read.
    """
    real = path.expanduser()
    if real.is_file():
        data = _read_beginning(real)
        if data.lstrip()[:1] == b"{" and f'"{FORMAT}"'.encode() in data[:400]:
            data = read(real.parent, real.name, LARGEST)[0]
            return f"{FORMAT} {VERSION}", [one for one in load_bundle(data, real.name) if _is_asked(one, asked)]
        if data.startswith(b"SQLite format 3\0"):
            return _load_database(real, asked)
    homes = list_homes_at(real)
    with Vault(homes, config) as opened:
        opened.refresh()
        name = os.path.realpath(real)
        found = [
            memory
            for memory in opened.memories(asked, "path")
            if not real.is_file() or os.path.join(memory.home, memory.path) == name
        ]
        labels = {str(home.path): home.label for home in homes}
        for memory in found:
            memory.home = labels[memory.home]
        return homes[0].reason, found


def _read_beginning(file: Path) -> bytes:
    try:
        with file.open("rb") as opened:
            return opened.read(1 << 16)
    except OSError as error:
        raise UsageError(
            _("{path} cannot be read: {why}").format(path=file, why=error.strerror or str(error))
        ) from error


def _load_database(file: Path, asked: Filter) -> tuple[str, list[Memory]]:
    """The rows of a database that stands anywhere, by whichever of the known schemas it has."""
    problems: list[str] = []
    for parser in ("store-rows", "memory-rows"):
        role = Role(Layer.KNOWLEDGE, "note", parser, 0)
        found = parse(Source(file.name, role, b"", str(file), file.stat().st_mtime, masked=True))
        if found.entries:
            made = [Memory(*values(entry), home=file.parent.name, path=file.name) for entry in found.entries]
            for memory in made:
                memory.layer = memory.layer or role.layer
            return file.name, [memory for memory in made if _is_asked(memory, asked)]
        problems += [problem.reason for problem in found.problems]
    raise UsageError(_("{path} cannot be read: {why}").format(path=file, why=problems[0] if problems else ""))


def _is_asked(memory: Memory, asked: Filter) -> bool:
    when = memory.created if memory.created is not None else memory.updated
    return (
        (not asked.layers or memory.layer in asked.layers)
        and (not asked.kinds or memory.kind in asked.kinds)
        and (not asked.statuses or memory.status in asked.statuses)
        and (asked.since is None or (when is not None and when >= asked.since))
        and (asked.until is None or (when is not None and when < asked.until))
    )


class ImportPlan(NamedTuple):
    """What an import would have wait in Review."""

    home: Home
    drafts: tuple[tuple[Draft, Layer, Memory], ...]
    """In the order of their dates, each with the memory that it is made from."""
    left: Counter[str]
    """How many are passed over, by reason."""
    masked: int
    """In how many of them secrets are masked."""
    orders: int
    """How many of them read like orders to agents: Review says so of each."""


def plan_import(memories: Sequence[Memory], vault: Vault, home: Home) -> ImportPlan:
    """What of these memories would wait for the home, which `vault` holds. Nothing is written."""
    there = list_texts(vault, home)
    decided = candidates.load_decisions([home])
    waiting = {one.id for one in candidates.list_waiting_candidates(home)}
    room = candidates.MOST - len(waiting)
    drafts: list[tuple[Draft, Layer, Memory]] = []
    left: Counter[str] = Counter()
    taken: set[str] = set()
    masked = orders = 0
    for memory in sorted(memories, key=lambda one: one.created or one.updated or one.modified or 0.0):
        draft, told = mask_draft(vault, _draft(memory))
        id_ = candidates.compute_candidate_id("proposed", str(home.path), draft.text)
        reason = explain_staying(memory) or _decided(decided.get(id_))
        if not reason and memory.extra.get("done") is True:
            reason = _("done already")
        if not reason and there & {normalize_text(draft.text), normalize_text(memory.text)}:
            reason = _("there already")
        if not reason and id_ in waiting:
            reason = _("said there more than once") if id_ in taken else _("waits in Review already")
        if not reason and len(draft.text) > LONGEST:
            reason = _("too long for one memory")
        if not reason and len(drafts) >= room:
            reason = _("no more room in Review: decide some, then import again")
        if reason:
            left[reason] += 1
            continue
        waiting.add(id_)
        taken.add(id_)
        masked += bool(told)
        orders += examine(draft.text).action != "none"
        layer = memory.layer or Layer.KNOWLEDGE
        # The person's own files are written by the person: what another tool was told is proposed as core memory.
        drafts.append((draft, Layer.CORE if layer is Layer.PROFILE else layer, memory))
    return ImportPlan(home, tuple(drafts), left, masked, orders)


def _draft(memory: Memory) -> Draft:
    project = memory.extra.get("project")
    draft = build_draft(memory, memory.home)
    return draft._replace(
        created=memory.created, project=Path(project).name if isinstance(project, str) else draft.project
    )


def _decided(decision: candidates.Decision | None) -> str:
    if decision is None or decision.done == "reconsidered":
        return ""
    return _("rejected before") if decision.done == "rejected" else _("approved before")


def carry_out(vault: Vault, plan: ImportPlan) -> int:
    """Have the plan's drafts wait in Review, as one decision that one undo takes back; how many."""
    edits: list[Change] = []
    for draft, layer, memory in plan.drafts:
        place = CandidateSource(str(plan.home.path), "", 0, memory.session)
        edits.append(candidates.put(plan.home, draft, candidates.IMPORTER, layer, place)[1])
    if edits:
        what = _n("{count} memory imported into Review", "{count} memories imported into Review", len(edits))
        vault.apply(edits, verb="propose", who=candidates.IMPORTER, what=what.format(count=len(edits)))
    return len(edits)


PART_BYTES = 60 * 1024
"""Bytes of one append; what is longer goes in several."""

_COUNTED = compile_pattern(r"(.*?)(\d{1,15})")
_PLACED = frozenset({Layer.CORE, Layer.KNOWLEDGE, Layer.JOURNAL, Layer.PROFILE})


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


def plan(source: Vault, old: Home, vault: Vault, new: Home) -> MigrationPlan:
    """What copying every memory of the home `old` to `new` would write. Nothing is written; `vault` holds `new`."""
    files: dict[str, _File] = {}
    there = list_texts(vault, new)
    memories = sorted(
        source.memories(Filter(statuses=frozenset(), parts=True, homes=frozenset({str(old.path)})), "path"),
        key=lambda memory: memory.created if memory.created is not None else memory.modified or 0.0,
    )
    steps = [_step(memory, old, vault, new, files, there) for memory in memories]
    changes = [change for file in files.values() for change in file.changes()]
    return MigrationPlan(new, steps, changes)


def carry_out_move(vault: Vault, plan: MigrationPlan) -> tuple[list[Receipt], list[tuple[str, MemtuiError]]]:
    """Write what the plan says, which somebody has seen, as one decision; and which files could not be, with why."""
    group = generate_record_id()
    done: list[Receipt] = []
    failed: list[tuple[str, MemtuiError]] = []
    for change in plan.changes:
        try:
            done.append(vault.apply([change], verb="migrate", who="person", group=group, confirmed=True))
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
            if batch and size + length > PART_BYTES:
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
            base = vault.bytes_of(str(new.path), target.path) if new.path.is_dir() else None
            files[target.path] = _File(target, base)
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
    if load_facts(new).own and target.format == FORMS["line"] and (draft.entities or draft.confidence is not None):
        return resolve_note_target(new, target, "fact")
    return target


def explain_staying(memory: Memory) -> str:
    """Why a memory is not copied to another home; empty: it is."""
    if memory.status not in PERISHABLE:
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


def list_texts(vault: Vault, home: Home) -> set[str]:
    """What the new home says already, however it is spaced."""
    if not home.path.is_dir():
        return set()
    wanted = Filter(statuses=frozenset(), parts=True, homes=frozenset({str(home.path)}))
    memories = list(vault.memories(wanted, "path"))
    # Some formats put a label in front ('**决策**: …').
    return {normalize_text(text) for memory in memories for text in (memory.text, strip_summary_label(memory))}
