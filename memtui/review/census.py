"""What one home remembers, as Review needs it: its facts, what is kept of them, and which of them are alike.

The app asks after every change, so what costs (loading, comparing, looking for secrets) is
remembered for each home and done again only where that home, or that file, changed."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from functools import cache
from itertools import chain, zip_longest
from typing import TYPE_CHECKING, NamedTuple

from memtui.core import clock
from memtui.core.errors import MemtuiError
from memtui.core.model import ASIDE, TOPICS, Filter, Layer, Level, Status
from memtui.formats.kinds import strip_summary_label
from memtui.formats.marks import KEY
from memtui.fs.files import read
from memtui.language.kin import Alike, Kin
from memtui.language.similarity import Likeness
from memtui.layouts import load_layout
from memtui.layouts.home_config import read_home_defaults
from memtui.review.contradictions import Contradiction, find_contradictions
from memtui.review.distill import explain_unfit, find_transcripts
from memtui.review.duplicates import choose_kept, find_duplicates
from memtui.review.fields import find_copied_lines, find_copied_tasks, limit_pages
from memtui.review.nearness import FAR, NearPair, find_answers
from memtui.review.outstanding import is_open_task
from memtui.review.plausible import (
    is_in_start_folder,
    is_of_day,
    is_of_log,
    is_pair_of_documents,
    is_passage,
)
from memtui.review.verdicts import list_settled_pairs, stamp_judged
from memtui.store.proposing import ASKED
from memtui.store.secrets import iterate_secret_lines

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from memtui.core.config import DistillConfig
    from memtui.core.model import Home, Memory, Role
    from memtui.layouts import LayoutFacts
    from memtui.review.nearness import Meaning
    from memtui.store.vault import Vault

STORES = frozenset({"facts", "daily-jsonl", "memory-rows"})
"""Parsers of files that keep facts one by one: what core memory is distilled from, beside the journals."""

_KEPT = frozenset(
    {
        "pref", "decision", "rule", "lesson", "fact", "note", "skill", "experience", "summary", "event", "topic",
        *TOPICS,
    }
)  # fmt: skip


class Census(NamedTuple):
    """One home."""

    home: Home
    config: DistillConfig
    """The person's, with what the home's own config says over it."""
    facts: tuple[Memory, ...]
    """Of journals and stores, whatever their status, in the order of their files."""
    groups: list[list[int]]
    """Those that say the same, by their numbers; what lasts in no case stands alone."""
    kept: tuple[Memory, ...]
    """What profile, core memory and documents say."""
    known: Kin
    """The kept ones, ready to be compared."""
    memories: dict[str, Memory]
    """All of them by their ids, but for the copies that memtui keeps."""
    contradictions: list[Contradiction]
    leaking: frozenset[tuple[str, int]]
    """Lines that hold a secret, by file: what they say is masked wherever it is shown."""
    duplicates: list[tuple[Memory, Memory, Likeness]]
    """Two that are kept in the home and say the same; the one to keep first."""
    near: list[NearPair]
    """Two that are near each other beyond these, the nearest first: what a model may be asked about."""


class Remembered(NamedTuple):
    """What one home remembers, and nothing worked out of it."""

    home: Home
    memories: dict[str, Memory]
    """All of them by their ids, but for the copies that memtui keeps."""


class Clashes(NamedTuple):
    """What of one home's memories says the same or cannot both hold: as a census has it, without the rest of one."""

    home: Home
    config: DistillConfig
    memories: dict[str, Memory]
    contradictions: list[Contradiction]
    duplicates: list[tuple[Memory, Memory, Likeness]]
    near: list[NearPair]
    """What a model may be asked about, the nearest first."""


class _Held:
    """What was read and counted, by home."""

    def __init__(self) -> None:
        self.counted: dict[str, tuple[object, object, Census]] = {}
        self.alike: dict[str, Alike] = {}
        self.loaded: dict[str, tuple[object, list[Memory], dict[str, int]]] = {}


_OWN = frozenset(Status) - ASIDE
"""Of what a home remembers itself: whole libraries of skills may lie in it."""
_PASSAGE = 2
"""So many lines that a document tells again, and a passage of it was copied."""
_COMPARED = 6000
"""Memories of a home that are held against each other by what they mean, at most: it costs their square."""
_MEANT = 0.6
"""Cosine from which two speak of the same, as far as their values go."""
_TASKS, _TOLD = 400, 4000
"""So many open tasks are held against so much that was told, at most."""
_JUDGED = 0.95
"""What a repetition is worth that a model has read: it comes before most of what words alone say."""
_INSTRUCTED = 0.5
"""What a repetition among instructions is worth of one of what was remembered."""
_NEAR = 200
"""Near pairs that are kept of a home."""


def load_census(vault: Vault, homes: frozenset[str] = frozenset()) -> Iterator[Census]:
    """What the homes remember now; without `homes`, all that are open."""
    held = vault.kept.of(_Held).counted
    for home in vault.own_homes:
        name = str(home.path)
        if homes and name not in homes:
            continue
        every = vault.ids(Filter(layers=ASKED, statuses=_OWN, parts=True, homes=frozenset({name})), "path")
        config = load_distill_settings(vault, home)
        key = (vault.generation, config, stamp_judged(home))
        known = held.get(name)
        if known is None or known[0] != key:
            # A copy that memtui keeps in a section of its own says nothing twice.
            loaded = {ref.row: memory for ref, memory in zip(every, vault.load(every), strict=True)}
            memories = [memory for memory in loaded.values() if memory is not None and KEY not in memory.extra]
            rows = {memory.id: row for row, memory in loaded.items() if memory is not None}
            beside = list(load_beside(vault, home))
            stamp = (
                frozenset((memory.id, memory.etag, memory.status, memory.start) for memory in beside),
                vault.vectors_stamp(home),
                stamp_judged(home),
            )
            before = known[2] if known else None
            same = known is not None and known[1] == stamp
            means = _build_meaning(vault, home, rows)
            counted = _take_census(vault, home, config, memories, beside, means, before, same=same)
            held[name] = known = (key, stamp, counted)
        yield known[2]


def load_beside(vault: Vault, home: Home) -> Iterator[Memory]:
    """What the homes keep that are of the same checkout: one agent's notes beside what another one reads."""
    for other in vault.own_homes:
        if other.path != home.path and share_checkout(home, other):
            _facts, kept = part_memories(other, (one for one in load(vault, other) if KEY not in one.extra))
            yield from (memory for memory in kept if not _is_generated(other, memory.path))


def share_checkout(home: Home, other: Home) -> bool:
    """Whether two homes lie in one checkout, or are of one project; a home does so with itself."""
    nested = other.path.is_relative_to(home.path) or home.path.is_relative_to(other.path)
    return nested or (bool(home.project) and home.project == other.project)


def make_empty_census(vault: Vault, home: Home) -> Census:
    """A home nobody has looked through yet: what is held against it is like nothing."""
    return Census(home, load_distill_settings(vault, home), (), [], (), Kin([]), {}, [], frozenset(), [], [])


def load(vault: Vault, home: Home) -> Sequence[Memory]:
    """All that a home remembers now, in the order of its files: read once for all who ask one after the other."""
    held = vault.kept.of(_Held).loaded
    key, name = (vault.generation, int(clock.now() // 60)), str(home.path)
    known = held.get(name)
    if known is None or known[0] != key:
        every = vault.ids(Filter(layers=ASKED, statuses=_OWN, parts=True, homes=frozenset({name})), "path")
        loaded = [(ref.row, memory) for ref, memory in zip(every, vault.load(every), strict=True) if memory is not None]
        rows = {memory.id: row for row, memory in loaded}
        held[name] = known = (key, [memory for _row, memory in loaded], rows)
    return known[1]


def load_remembered(vault: Vault, home: Home) -> Remembered:
    """What a home remembers now."""
    memories = load(vault, home)
    return Remembered(home, {memory.id: memory for memory in memories if KEY not in memory.extra})


def load_clashes(vault: Vault, home: Home, *, repeated: bool = False) -> Clashes:
    """What of a home's memories says the same, or cannot both hold. Where only what is `repeated` is asked for, the
    rest is not worked out, unless a model said of pairs that are near what they are."""
    memories = load_remembered(vault, home).memories
    facts, kept = part_memories(home, memories.values())
    means = _build_meaning(vault, home, vault.kept.of(_Held).loaded[str(home.path)][2])
    return Clashes(
        home,
        load_distill_settings(vault, home),
        memories,
        *_find_clashes(
            home, memories.values(), facts, kept, (), means, repeated=repeated and stamp_judged(home) == (0, 0)
        ),
    )


def import_alike(vault: Vault, home: Home, known: object) -> None:
    """Take what another process found to say the same in a home, as `export_alike` gave it."""
    vault.kept.of(_Held).alike.setdefault(str(home.path), Alike.read(known))


def export_alike(vault: Vault, home: Home) -> tuple[int, str, str]:
    """What was found to say the same in a home, for another process to give to `import_alike`."""
    return vault.kept.of(_Held).alike.get(str(home.path), Alike()).plain()


def list_texts(found: Remembered) -> Iterator[tuple[str, str]]:
    """Id and text of whatever a home keeps, and of its facts."""
    facts, kept = part_memories(found.home, found.memories.values())
    for memory in (*kept, *facts):
        yield memory.id, memory.text


def load_distill_settings(vault: Vault, home: Home) -> DistillConfig:
    """The settings of distillation as they hold for a home."""
    own = read_home_defaults(home.layout, home.path).get("distill")
    return vault.config.distill._replace(**own) if own else vault.config.distill


def find_role(home: Home, path: str) -> Role | None:
    """What a file is in its home."""
    return load_layout(home.layout).role(home.path, path)


def _take_census(
    vault: Vault,
    home: Home,
    config: DistillConfig,
    memories: list[Memory],
    beside: Sequence[Memory],
    means: Meaning,
    before: Census | None,
    *,
    same: bool,
) -> Census:
    if same and before is not None and before.config == config and _is_unchanged(before, memories):
        return before
    facts, kept = part_memories(home, memories)
    groups = (
        before.groups
        if before is not None
        and [(fact.id, fact.status) for fact in before.facts] == [(fact.id, fact.status) for fact in facts]
        else _group_facts(vault, home, facts)
    )
    clashing, twice, near = _find_clashes(home, memories, facts, kept, beside, means)
    return Census(
        home,
        config,
        tuple(facts),
        groups,
        tuple(kept),
        Kin(
            [memory.text for memory in kept],
            [memory.entities for memory in kept],
            before.known if before is not None else None,
        ),
        {memory.id: memory for memory in memories},
        clashing,
        frozenset((found.path, found.line) for found in iterate_secret_lines(vault, home)),
        twice,
        near,
    )


def _group_facts(vault: Vault, home: Home, facts: Sequence[Memory]) -> list[list[int]]:
    """The facts that say the same, by their numbers; what said the same before is not compared again. Most lines of a
    diary are no facts that last: nothing is held against them."""
    held = vault.kept.of(_Held).alike
    name, now = str(home.path), clock.now()
    talk = find_transcripts(facts)
    lasting = [number for number, fact in enumerate(facts) if not explain_unfit(fact, talk, now)]
    groups, held[name] = Kin(strip_summary_label(facts[number]) for number in lasting).groups_since(
        held.get(name, Alike())
    )
    alone = ([number] for number in set(range(len(facts))).difference(lasting))
    return sorted([*([lasting[at] for at in group] for group in groups), *alone])


def part_memories(home: Home, memories: Iterable[Memory]) -> tuple[list[Memory], list[Memory]]:
    """The facts of journals and stores, and what is kept."""
    stores: dict[str, bool] = {}
    facts: list[Memory] = []
    kept: list[Memory] = []
    for memory in memories:
        if memory.level is Level.CONTEXT or memory.status in ASIDE:
            continue
        store = stores.get(memory.path)
        if store is None:
            found = find_role(home, memory.path)
            store = stores[memory.path] = found is not None and found.parser in STORES
        if memory.layer is Layer.JOURNAL or (store and memory.layer is Layer.KNOWLEDGE):
            facts.append(memory)
        elif memory.status is Status.ACTIVE and memory.kind in _KEPT:
            kept.append(memory)
    return facts, kept


def _build_meaning(vault: Vault, home: Home, rows: Mapping[str, int]) -> Meaning:
    """Asks the home's vectors, where there are any, which memories are near each other; `rows` of the index by id."""

    def near(memories: Sequence[Memory]) -> list[tuple[int, int, float]]:
        own = [number for number, memory in enumerate(memories) if memory.home == name and memory.id in rows]
        if len(own) > _COMPARED:
            return []
        paths = {memory.path: number for number, memory in enumerate(memories)}
        wanted = [rows[memories[number].id] for number in own]
        found = vault.near(home, wanted, [paths[memories[number].path] for number in own], FAR)
        return [(own[one], own[two], cosine) for one, two, cosine in found]

    name = str(home.path)
    return near


def _find_clashes(
    home: Home,
    every: Iterable[Memory],
    facts: Sequence[Memory],
    kept: Sequence[Memory],
    beside: Sequence[Memory],
    means: Meaning,
    *,
    repeated: bool = False,
) -> tuple[list[Contradiction], list[tuple[Memory, Memory, Likeness]], list[NearPair]]:
    """What of a home contradicts or repeats another memory, `beside` it too, and what is near beyond that; of what is
    only `repeated`, whether it contradicts itself. A file that some program makes anew from what stands elsewhere is no
    witness: where it were kept, what it is made from would be given up for it."""

    @cache
    def find_project(path: str) -> str:
        role = find_role(home, path)
        return role.project if role is not None else ""

    def project(memory: Memory) -> str:
        return find_project(memory.path) if memory.home == own else ""

    own = str(home.path)
    made = {path: _is_generated(home, path) for path in {memory.path for memory in (*facts, *kept)}}
    talk = find_transcripts(facts)
    said = [memory for memory in (*facts, *kept) if not made[memory.path] and memory.path not in talk]
    stored = [memory for memory in said if memory.layer is not Layer.JOURNAL]
    stated = {memory.id for memory in said}
    active = (one for one in every if one.status is Status.ACTIVE and one.id not in stated)
    others = [one for one in active if not _is_generated(home, one.path)]
    # A store's records are what core memory is distilled from: they stay where they are.
    days = [memory for memory in said if memory.layer is Layer.JOURNAL and memory.path.endswith(".md")]
    twice, near = find_duplicates([*stored, *beside], project, means, days)
    if load_layout(home.layout).facts.config:
        # There memtui distills core memory from days: what was taken over stands in both on purpose.
        twice = [pair for pair in twice if len({memory.layer is Layer.JOURNAL for memory in pair[:2]}) == 1]
    copied = chain(find_copied_lines([*days, *others]), find_copied_tasks(filter(is_open_task, others)))
    again = [(*choose_kept(one, two), Likeness("same", 0.9)) for one, two in copied]
    if repeated:
        named = {memory.id for pair in (*twice, *again) for memory in pair[:2]}
        said, near = [memory for memory in said if memory.id in named], []
        others = [memory for memory in others if memory.id in named]
    alike = {frozenset((one.one.id, one.two.id)) for one in near if one.cosine >= _MEANT}
    doubted: list[tuple[Memory, Memory]] = []
    clashing = [
        one
        for one in find_contradictions([*said, *beside], project, others, alike, doubted)
        if one.older.home == own
        and (
            (one.settles and (one.older.kind == "todo" or one.older.extra.get("done") is False))
            or one.changed
            or not _is_apart(home, one.newer, one.older)
        )
    ]
    answers = [] if repeated else _find_answers(said, others, {one.older.id for one in clashing if one.settles})
    answers = [one for one in answers if project(one.two) in {"", project(one.one)}]
    near = _take_turns(near, doubted, answers, {frozenset((one.newer.id, one.older.id)) for one in clashing})
    judged = list(_take_verdicts(home, near, clashing))
    return clashing, [*judged, *_choose_pairs(home, twice), *again], near[:_NEAR]


def _find_answers(said: Sequence[Memory], others: Iterable[Memory], done: Collection[str]) -> list[NearPair]:
    """Open tasks, but for those that are known to be `done`, beside what may have settled them."""
    tasks = [one for one in (*said, *others) if one.id not in done and is_open_task(one)]
    told = [one for one in said if one.kind != "todo"]
    return find_answers(tasks[-_TASKS:], told[-_TOLD:])


def _take_verdicts(
    home: Home, near: Sequence[NearPair], clashing: list[Contradiction]
) -> Iterator[tuple[Memory, Memory, Likeness]]:
    """What a model found to be the same; what it found to be in conflict is added to what clashes."""
    for one, verdict in list_settled_pairs(home, near):
        older, newer = sorted((one.one, one.two), key=lambda memory: (not is_open_task(memory), _order(memory)))
        if verdict.says == "conflict" and older.home == str(home.path):
            clashing.append(Contradiction(newer, older, verdict.why))
        elif verdict.says == "same":
            keep, other = choose_kept(newer, older)
            if other.home == str(home.path):
                yield keep, other, Likeness("near", _JUDGED)


def _choose_pairs(
    home: Home, twice: Sequence[tuple[Memory, Memory, Likeness]]
) -> list[tuple[Memory, Memory, Likeness]]:
    """What of a home's own is worth a card: not what its documents, each by itself, say in passing."""
    facts, own = load_layout(home.layout).facts, str(home.path)
    retold = Counter((keep.path, other.path) for keep, other, _how in twice if is_passage(keep, other))
    found = [
        pair
        for pair in twice
        if pair[1].home == own
        and (
            not is_pair_of_documents(facts, *pair[:2])
            or (is_passage(*pair[:2]) and retold[pair[0].path, pair[1].path] >= _PASSAGE)
        )
    ]
    return [
        (keep, other, how if _is_remembered(facts, keep, other) else how._replace(score=_INSTRUCTED * how.score))
        for keep, other, how in limit_pages(found, facts.own_project)
    ]


def _is_remembered(facts: LayoutFacts, one: Memory, two: Memory) -> bool:
    """Whether one of two is what a workspace's agent wrote down of what it learned: what its instructions and
    documents say twice was written that way, and comes after it."""
    return facts.own_project != "always" or not {one.layer, two.layer}.isdisjoint({Layer.CORE, Layer.JOURNAL})


def _order(memory: Memory) -> tuple[float, str]:
    return memory.created or 0.0, memory.path


def _take_turns(
    near: Sequence[NearPair],
    doubted: Iterable[tuple[Memory, Memory]],
    answers: Iterable[NearPair],
    told: Collection[frozenset[str]],
) -> list[NearPair]:
    """What a model may be asked about: what is near in words or meaning, and after every second of these two that
    settle something otherwise, if it is of one thing, and a task beside what may have settled it; first those of each
    that are likeliest."""
    rivals = [NearPair(one, two, 0.0, 0.0, 0.0, 0.0, short=False) for one, two in doubted]
    turns = chain.from_iterable(zip_longest(near[::2], near[1::2], rivals, answers))
    found: dict[frozenset[str], NearPair] = {}
    for pair in turns:
        if pair is not None and (ids := frozenset((pair.one.id, pair.two.id))) not in told:
            found.setdefault(ids, pair)
    return list(found.values())


def _is_apart(home: Home, newer: Memory, older: Memory) -> bool:
    """Whether neither of two is what a workspace's agent reads in every session, or the older one is a record: of its
    many notes each gives the values of its own day and its own subject, and a day's note stays as it was written."""
    facts = load_layout(home.layout).facts
    # What no tool keeps is whatever its person collects.
    if facts.own_project != "always" and home.layout != "plain":
        return False
    if not {newer.layer, older.layer} & {Layer.PROFILE, Layer.CORE}:
        return True
    record = older.layer is Layer.JOURNAL or is_of_day(older.path) or is_of_log(older.path)
    return record or (older.layer is Layer.KNOWLEDGE and not is_in_start_folder(facts, older.path))


def _is_generated(home: Home, path: str) -> bool:
    kind = load_layout(home.layout)
    if path not in kind.facts.made_files:
        return bool(kind.read_only(path))
    with suppress(MemtuiError, OSError):
        # The file says itself that its home's program made it (OpenAkita's USER.md).
        return bool(kind.read_only(path)) or kind.facts.made_mark.encode() in read(home.path, path, 1000)[0]
    return False


def _is_unchanged(before: Census, memories: list[Memory]) -> bool:
    """Whether nothing that curation looks at is another: what changed was another home, or a session."""
    return len(before.memories) == len(memories) and all(
        (known := before.memories.get(memory.id)) is not None
        and (known.etag, known.status, known.start) == (memory.etag, memory.status, memory.start)
        for memory in memories
    )
