"""What in the homes wants looking after, each with its place and the verb that mends it; and safe repairs.

`sweep` removes temporary files that a process left which died in the middle of a write, for what the journal's
recovery does not know (a deleted journal, a home from another machine); what may be somebody's text is kept.
`check_homes` finds, `list_fixes` lists what `memtui doctor --fix` may do without changing a memory.
"""

from __future__ import annotations

import os
import time
from contextlib import closing
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from memtui.core.errors import MemtuiError, RefusedError
from memtui.core.locale import _, _n
from memtui.core.model import Filter, Layer, Status
from memtui.fs.commit import TEMPORARY
from memtui.fs.displaced import keep, list_spooled_records
from memtui.fs.folder import open_spot, owned
from memtui.fs.write_journal import Journal
from memtui.language.similarity import normalize_text
from memtui.review.census import load_census
from memtui.review.queue import load_queue
from memtui.safety.injection import examine
from memtui.store.append import drain
from memtui.store.candidates import Candidate, Finding, compute_candidate_id, load_decisions, record
from memtui.store.route_documents import list_broken_rules

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator
    from pathlib import Path

    from memtui.core.edits import Receipt
    from memtui.core.model import Home, Memory
    from memtui.review.census import Census, Remembered
    from memtui.store.vault import Vault

FINDING_WORDS = {
    "duplicate": "duplicate",
    "contradiction": "conflict",
    "chain": "broken link",
    "secret": "secret",
    "quarantine": "quarantine",
    "order": "order",
    "trash": "trash",
    "budget": "budget",
    "rule": "rule",
}
"""Kinds of findings in a word (source strings)."""

AGE = 2.0
"""Seconds since the file was last renamed or written: a live writer between two calls is younger."""


class Swept(NamedTuple):
    """One leftover, and what became of it."""

    path: str
    kept: str
    """Where its text is kept now; empty: it was known, or empty, and is gone."""


def sweep(root: str | Path, directories: Iterable[str] = ("",), known: Collection[bytes] = ()) -> list[Swept]:
    """Take away the temporary files of dead writers in directories of a home ('' is the home itself).

    `known` is text that stands elsewhere and need not be kept. What cannot be looked at now is left alone.
    """
    found: list[Swept] = []
    for directory in directories:
        try:
            names = os.listdir(os.path.join(root, directory))
        except OSError:
            continue
        for name in filter(TEMPORARY.fullmatch, sorted(names)):
            path = f"{directory}/{name}" if directory else name
            try:
                kept = _sweep_leftover(root, path, name, known)
            except MemtuiError:
                continue
            if kept is not None:
                found.append(Swept(path, kept))
    return found


def _sweep_leftover(root: str | Path, path: str, name: str, known: Collection[bytes]) -> str | None:
    with open_spot(root, path) as at:
        left = at.held(name)
        if left is None:
            return None
        with closing(left):
            # Its writer holds it for as long as it lives; whoever copied a home here copied no writer.
            if time.time() - left.status.st_ctime < AGE or not owned(left.descriptor):
                return None
            kept = keep(name.strip("."), left.data) if left.data and left.data not in known else ""
            if left.data and left.data not in known and not kept:
                return None
            at.unlink(name)
            return kept


_NEAR = 0.8
"""Share of the budget from which it is said."""


class Fix(NamedTuple):
    """Something that can be mended without asking what a person wants: no memory is changed."""

    what: str
    """What is wrong, in a sentence."""
    done: str
    """What mending it does."""
    run: Callable[[], object]
    """Mend it. Raises MemtuiError where that cannot be done."""


def check_homes(
    vault: Vault,
    homes: frozenset[str] = frozenset(),
    waiting: Iterable[Candidate] | None = None,
    broken: Iterable[Finding] | None = None,
) -> list[Finding]:
    """Everything that was found, the serious first. What was rejected in Review is not found again.

    `waiting` and `broken`: what waits in Review, and memories that are at fault, where that is worked out already.
    """
    found = list(_iterate_waiting(load_queue(vault, homes).waiting if waiting is None else waiting))
    if broken is None:
        broken = [one for count in load_census(vault, homes) for one in find_faults(vault, count)]
    found += leave_dismissed_out(vault, broken)
    for home in vault.own_homes:
        if not homes or str(home.path) in homes:
            found += _check_budgets(vault, home)
    found += _check_rules(vault, homes)
    found += _check_trash(vault, homes)
    return sorted(found, key=lambda finding: not finding.serious)


def check_quickly(vault: Vault, homes: frozenset[str] = frozenset()) -> list[Finding]:
    """Of everything what can be found without comparing memories: budgets, rules and the trash."""
    among = [home for home in vault.own_homes if not homes or str(home.path) in homes]
    found = [finding for home in among for finding in _check_budgets(vault, home)]
    found += _check_rules(vault, homes)
    found += _check_trash(vault, homes)
    return sorted(found, key=lambda finding: not finding.serious)


def _iterate_waiting(candidates: Iterable[Candidate]) -> Iterator[Finding]:
    """What Review has a decision for."""
    for candidate in candidates:
        if candidate.origin not in {"duplicate", "contradiction", "secret", "quarantine"}:
            continue
        place = candidate.sources[-1] if candidate.sources else None
        yield Finding(
            candidate.origin,
            candidate.home,
            place.path if place else "",
            place.line if place else 0,
            f"{_quote(candidate.text, 120)}{_(': ')}{candidate.reason}",
            _("decide it in Review (5)"),
            candidate.origin in {"secret", "contradiction"},
            candidate.id,
            candidate.memories[-1] if candidate.memories else "",
        )


def _quote(text: str, most: int) -> str:
    """The beginning of a text in one line, without its bold type; where something is missing, it says so."""
    line = " ".join(text.replace("**", "").split())
    return line if len(line) <= most else f"{line[: most - 1].rstrip()}…"


def find_broken_chains(vault: Vault, count: Census | Remembered) -> Iterator[Finding]:
    """Memories that name a successor which is nowhere, or which leads back to themselves."""
    texts: set[str] | None = None
    for memory in count.memories.values():
        if not memory.superseded_by:
            continue
        chain = vault.chain(memory)
        if chain.cyclic:
            yield _build_chain_finding(memory, _("its replacement is circular"))
        elif chain.dangling == memory.superseded_by:
            if texts is None:
                texts = {normalize_text(other.text) for other in count.memories.values()}
            # Markdown names a successor by its words, and not always by all of them.
            named = normalize_text(memory.superseded_by.rstrip("…."))
            if named not in texts and not (len(named) > 3 and any(text.startswith(named) for text in texts)):
                yield _build_chain_finding(memory, _("replacement missing: {name}").format(name=memory.superseded_by))


_LOOKED_AT, _TOLD = 2000, 20
"""Memories of a home that are read for orders, the newest; and of those that have some, how many are named."""


class _Judged(dict[str, tuple[str, ...]]):
    """Texts that were read, and the rules that say that they order something; serious where one does so surely."""


def find_order_memories(vault: Vault, count: Census | Remembered) -> Iterator[Finding]:
    """Memories that read like orders to agents: they are kept as they came, and a person is told of them."""
    judged = vault.kept.of(_Judged)
    newest = sorted(count.memories.values(), key=lambda one: one.created or 0.0, reverse=True)
    told = 0
    for memory in [one for one in newest if one.status is Status.ACTIVE][:_LOOKED_AT]:
        if memory.text not in judged:
            verdict = examine(memory.text)
            judged[memory.text] = (verdict.action, *verdict.rules)
        action, *rules = judged[memory.text]
        if action == "none" or told == _TOLD:
            continue
        told += 1
        sentence = (
            _("it reads like an order to agents ({rules})")
            if action == "quarantine"
            else _("it may read like an order to agents ({rules})")
        )
        yield Finding(
            "order",
            memory.home,
            memory.path,
            memory.start,
            f"{_quote(memory.text, 60)}{_(': ')}{sentence.format(rules=', '.join(rules))}",
            _("read it: agents doubt it; dismiss it (x) if it is fine, delete it (d) if nobody of yours wrote it"),
            action == "quarantine",
            memory=memory.id,
            dismissed_as=compute_candidate_id("order", memory.home, memory.text),
        )


def leave_dismissed_out(vault: Vault, found: Iterable[Finding]) -> list[Finding]:
    """Without what a person said is fine: it comes back with another text."""
    found = list(found)
    if not any(one.dismissed_as for one in found):
        return found
    decided = load_decisions(vault.homes)
    return [
        one
        for one in found
        if not one.dismissed_as or (done := decided.get(one.dismissed_as)) is None or done.done != "rejected"
    ]


def reject_finding(vault: Vault, finding: Finding, memory: Memory) -> Receipt:
    """Have a memory that reads like an order listed no more, until its text changes. Undone like every write."""
    named = compute_candidate_id("order", memory.home, memory.text)
    if named != finding.dismissed_as:
        raise RefusedError(_("Its text has changed: read it again first."))
    dismissed = Candidate(
        named, "order", memory.home, memory.text, memory.kind, memory.layer or Layer.KNOWLEDGE, None, 0.0
    )
    return vault.apply(
        (record(dismissed, "rejected", None, who="person"),),
        verb="reject",
        who="person",
        what=_("dismissed: {text}").format(text=_quote(memory.text, 60)),
    )


def find_faults(vault: Vault, count: Census | Remembered) -> Iterator[Finding]:
    """What is wrong with memories themselves: their successors are nowhere, or they read like orders."""
    yield from find_broken_chains(vault, count)
    yield from find_order_memories(vault, count)


def _build_chain_finding(memory: Memory, why: str) -> Finding:
    text = f"{memory.key or _quote(memory.text, 60)}{_(': ')}{why}"
    return Finding(
        "chain",
        memory.home,
        memory.path,
        memory.start,
        text,
        _("restore it, or name its successor (s)"),
        memory=memory.id,
    )


def _check_budgets(vault: Vault, home: Home) -> Iterator[Finding]:
    """Files that agents read by a budget, where they fill it."""
    most, size = vault.config.budget.lines, vault.config.budget.kilobytes
    for outline in list_budgeted_files(vault, home):
        data = vault.bytes_of(str(home.path), outline) or b""
        lines = data.count(b"\n") + (bool(data) and not data.endswith(b"\n"))
        share = max(lines / most, len(data) / 1024 / size)
        if share < _NEAR:
            continue
        told = _("{lines:,} / {most} lines · {size:,.1f} / {full:g} KB").format(
            lines=lines, most=most, size=len(data) / 1024, full=size
        )
        if share > 1:
            told += _(": agents do not read the rest")
        yield Finding("budget", str(home.path), outline, 0, told, _("archive (d) or merge (M) entries"), share > 1)


def list_budgeted_files(vault: Vault, home: Home) -> list[str]:
    """The files of a home that agents read by the budget."""
    wanted = Filter(layers=frozenset({Layer.CORE}), statuses=frozenset(), homes=frozenset({str(home.path)}))
    return [found.path for _home, found in vault.outlines(wanted) if found.path.endswith("MEMORY.md")]


def _check_rules(vault: Vault, homes: frozenset[str]) -> Iterator[Finding]:
    """Trigger words and keywords that lead to documents which are not there."""
    for one in list_broken_rules(vault):
        if not homes or one.home in homes:
            told = _("{source} leads to {target}, which is not there").format(source=one.source, target=one.target)
            yield Finding("rule", one.home, one.path, one.line, told, _("correct the rule, or write the document"))


def _check_trash(vault: Vault, homes: frozenset[str]) -> Iterator[Finding]:
    sizes: dict[str, list[int]] = {}
    for put in vault.trash():
        for done in put.changes:
            if not homes or done.home in homes:
                sizes.setdefault(done.home, []).append(sum(len(patch.old) for patch in done.patches))
    for home, many in sizes.items():
        told = _n("{count} deletion can be undone", "{count} deletions can be undone", len(many))
        yield Finding("trash", home, "", 0, f"{told} ({sum(many) / 1024:,.1f} KB)", _("restore from the trash"))


def list_fixes(vault: Vault) -> list[Fix]:
    """What `memtui doctor --fix` may do; looking changes nothing."""
    return [*_check_interrupted(vault), *_check_spooled(vault), *_check_leftovers(vault), *_check_stale_indexes(vault)]


def _check_interrupted(vault: Vault) -> Iterator[Fix]:
    waiting = len(Journal().intents())
    if waiting:
        told = _n("{count} write was interrupted", "{count} writes were interrupted", waiting)
        yield Fix(told, _("finish it, or take it back whole"), vault.settle)


def _check_spooled(vault: Vault) -> Iterator[Fix]:
    count = len(list_spooled_records())
    if count:
        told = _n("{count} record waits to be written", "{count} records wait to be written", count)
        yield Fix(told, _("write what waits"), partial(drain, vault.config))


def _check_leftovers(vault: Vault) -> Iterator[Fix]:
    for home in vault.own_homes:
        folders: dict[str, int] = {}
        for folder in _list_folders(vault, home):
            try:
                names = os.listdir(os.path.join(home.path, folder))
            except OSError:
                continue
            count = sum(TEMPORARY.fullmatch(name) is not None for name in names)
            if count:
                folders[folder] = count
        if folders:
            told = _n(
                "{count} temporary file was left in {home}",
                "{count} temporary files were left in {home}",
                sum(folders.values()),
            )
            yield Fix(
                told.format(home=home.label),
                _("take them away, keeping text that stands nowhere else"),
                partial(sweep, home.path, tuple(folders)),
            )


def _list_folders(vault: Vault, home: Home) -> set[str]:
    """The directories of a home that hold memories."""
    wanted = Filter(statuses=frozenset(), homes=frozenset({str(home.path)}), parts=True)
    return {"", *(found.path.rpartition("/")[0] for _home, found in vault.outlines(wanted))}


def _check_stale_indexes(vault: Vault) -> Iterator[Fix]:
    for status in vault.status():
        if status.warning and not status.away:
            name = str(status.home.path)
            told = _("{home}: {warning}").format(home=status.home.label, warning=status.warning)
            yield Fix(told, _("rebuild its index"), partial(vault.rebuild, name))
