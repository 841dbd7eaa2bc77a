"""A home's census as candidates, and what approving one writes.

`build_changes` makes the changes anew from the bytes that stand in the files, and `render_difference` shows
them as they would be written. The `propose_…` functions say what is proposed, where it would go, and what to
know before saying yes.
"""

from __future__ import annotations

import re
from contextlib import suppress
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from memtui.core import clock
from memtui.core.edits import Append, Draft, Edit, Piece, RowEdit, Target, apply_append
from memtui.core.errors import MemtuiError, RefusedError
from memtui.core.locale import _, _n
from memtui.core.model import PERISHABLE, Layer, Status
from memtui.core.startup import compile_pattern
from memtui.formats.kinds import infer_heading_kind, strip_summary_label
from memtui.fs.places import state
from memtui.language.similarity import measure_likeness
from memtui.layouts import load_layout
from memtui.review.distill import select
from memtui.safety.injection import examine
from memtui.safety.redact import Redacted, redact
from memtui.store import attachments
from memtui.store.candidates import (
    ARCHIVING,
    BUDGET,
    DUPLICATE,
    EITHER,
    LOCKED,
    ORDER,
    SECRET,
    SETTLING,
    UNDATED,
    Candidate,
    Refused,
    build_candidate_removal,
    compute_candidate_id,
    load_candidate_record,
)
from memtui.store.proposing import make_near, make_source
from memtui.store.route_documents import build_index_update, needs_index_update
from memtui.store.secrets import build_secret_masking, compile_vault_patterns, mask_draft
from memtui.store.standing import (
    build_draft_changes,
    combine_changes,
    explain_refusal,
    find_file_format,
    find_open_home,
    locate_memory,
    name_successor,
)
from memtui.store.verbs import aim_at_file

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from memtui.core.edits import Change
    from memtui.core.model import Home, Memory
    from memtui.review.census import Census, Clashes
    from memtui.review.contradictions import Contradiction
    from memtui.review.distill import ChosenFact
    from memtui.store.candidates import Decision
    from memtui.store.proposing import HomeMemories
    from memtui.store.staging import Stage
    from memtui.store.vault import Vault
    from memtui.store.writing import Writing

_STEP = 100
"""Characters of a step that says what to do next, and no more."""
_NUMBERED = compile_pattern(r"\s*(?:>\s*)?\d{1,2}[.)、]\s*\S")
_RULES = frozenset({"rule", "pref"})


_READABLE = 256 * 1024
"""Bytes of a file that goes whole, up to which a difference shows them."""


class Evolved(NamedTuple):
    """What `evolution` proposes and how that is written: whoever stands above both hands it over."""

    propose_weak: Callable[[Vault, HomeMemories], Iterable[Candidate]]
    """Lessons that do little."""
    propose_skills: Callable[[Vault, HomeMemories], Iterable[Candidate]]
    build_skill: Callable[[Vault, Candidate, str], tuple[Change, ...]]
    """What approving a skill writes, with another text where one is given."""
    open_skill_writer: Callable[[Vault, Home], Writing]
    """What writes it: a skill goes where no home is."""


def build_changes(
    vault: Vault,
    candidate: Candidate,
    *,
    text: str = "",
    section: str = "",
    path: str = "",
    home: str = "",
    evolved: Evolved | None = None,
) -> tuple[Change, ...]:
    """What is written when the candidate is approved, with another text, section, file or home where one is given.

    Raises RefusedError where it cannot be, ConflictError where a memory that it is about is no longer what it was.
    """
    if candidate.origin in SETTLING:
        if text or section or path or home:
            raise RefusedError(_("Nothing new is written here: edit or move the memory itself."))
        if candidate.origin == "secret":
            return build_secret_masking(vault, candidate)
        if candidate.origin == "attachment":
            return attachments.build_attachment_changes(vault, candidate)
        if candidate.origin in ARCHIVING:
            return _add_index_change(vault, _build_archiving_changes(vault, candidate))
        return _add_index_change(vault, _build_settling_changes(vault, candidate))
    if candidate.origin == "capability":
        if section or path or home:
            raise RefusedError(_("A skill has its place: change its text, or evolution.skills."))
        return _know_skills(evolved).build_skill(vault, candidate, text)
    file = build_candidate_removal(candidate)
    if candidate.stored and file is None:
        raise RefusedError(_("Somebody has decided this already."))
    if candidate.origin == "asked":
        if section or path or home:
            raise RefusedError(_("It is asked for in its place: approve it there, or edit the memory itself."))
        new = _add_index_change(vault, (build_asked_change(vault, candidate, text),))
        return (*new, file) if file else new
    new = _add_index_change(vault, write_candidate(vault, candidate, text=text, section=section, path=path, home=home))
    return (*new, file) if file else new


def build_asked_change(vault: Vault, candidate: Candidate, text: str = "") -> Edit:
    """The lines that a colleague asks for in the place of those they saw. Raises RefusedError where these are gone."""
    asked = load_candidate_record(candidate.stored).get("asked", {})
    path = candidate.sources[0].path if candidate.sources else ""
    base = vault.bytes_of(candidate.home, path) or b""
    old, new = str(asked.get("old", "")), text or str(asked.get("new", ""))
    if b"\r\n" in base:
        old, new = (one.replace("\r\n", "\n").replace("\n", "\r\n") for one in (old, new))
    for lean in (False, True):
        if lean and not text:
            # What they saw around it may stand further away: what is private was left out of it.
            old, new = _strip_common_lines(old, new)
        before = old.encode("utf-8", "replace")
        places = [found.start() for found in re.finditer(re.escape(before), base)] if before else []
        if places:
            break
    else:
        raise RefusedError(_("{path} has changed where they ask for it: look at it together.").format(path=path))
    # Of several that are alike, the one that stands nearest to where they saw it.
    line = candidate.sources[0].line
    places = [min(places, key=lambda place: abs(base.count(b"\n", 0, place) + 1 - line))]
    piece = Piece(places[0], places[0] + len(before), new.encode("utf-8", "replace"))
    return Edit(candidate.home, path, base, (piece,))


def _strip_common_lines(old: str, new: str) -> tuple[str, str]:
    """Both texts without the lines with which both begin and end."""
    one, other = old.splitlines(keepends=True), new.splitlines(keepends=True)
    while one and other and one[0] == other[0]:
        del one[0], other[0]
    while one and other and one[-1] == other[-1]:
        del one[-1], other[-1]
    return "".join(one), "".join(other)


def choose_writer(vault: Vault, candidate: Candidate, evolved: Evolved | None) -> Writing:
    """What writes it: a skill goes where no home is."""
    if candidate.origin != "capability":
        return vault
    return _know_skills(evolved).open_skill_writer(vault, find_open_home(vault, candidate.home))


def _know_skills(evolved: Evolved | None) -> Evolved:
    assert evolved is not None, "whoever decides about skills hands over what knows them"
    return evolved


def _add_index_change(vault: Vault, wanted: tuple[Change, ...]) -> tuple[Change, ...]:
    """The changes, and with them what they make of the INDEX.md of memtui's own home (spec 000).

    Of several that are staged it is made once, of all of them: see `index_staged`.
    """
    if vault.staging:
        return wanted
    for home in vault.homes:
        if needs_index_update(home, wanted):
            # An index that cannot be brought up to date keeps nobody from deciding.
            with suppress(MemtuiError):
                edit = build_index_update(vault, home, wanted)
                wanted = (*wanted, edit) if edit else wanted
    return wanted


def index_staged(stage: Stage) -> None:
    """Stage what all staged changes make of the INDEX.md of memtui's own home."""
    wanted = stage.wanted
    for home in stage.vault.homes:
        if needs_index_update(home, wanted):
            with suppress(MemtuiError):
                edit = build_index_update(stage.vault, home, wanted)
                if edit is not None:
                    stage.add(edit)


def write_candidate(
    vault: Vault, candidate: Candidate, *, text: str = "", section: str = "", path: str = "", home: str = ""
) -> tuple[Change, ...]:
    """The candidate's text in its place."""
    draft = candidate.draft or Draft(candidate.text, candidate.kind)
    draft = draft._replace(text=text or draft.text, section=section or draft.section)
    if not draft.text.strip():
        raise RefusedError(_("There is nothing to write: the text is empty."))
    draft, _told = mask_draft(vault, draft)
    target = aim_draft(find_open_home(vault, home or candidate.home), candidate.layer, draft, path)
    return build_draft_changes(vault, target, draft, draft.created)[0]


def aim_draft(home: Home, layer: Layer, draft: Draft, path: str = "") -> Target:
    """Where a draft goes: where the home's layout says, or to the file that a person chose. Raises RefusedError."""
    kind = load_layout(home.layout)
    if not home.writable:
        raise RefusedError(_("{home} cannot be written.").format(home=home.label))
    if path:
        target = aim_at_file(home, path, draft)
    else:
        target = kind.target(home, layer, draft, clock.now() if draft.created is None else draft.created)
    reason = kind.read_only(target.path)
    if reason:
        raise RefusedError(_("{path} is not written: {reason}").format(path=target.path, reason=_(reason)))
    return target


def _build_settling_changes(vault: Vault, candidate: Candidate) -> tuple[Change, ...]:
    """All but the first of the candidate's memories are superseded by it; of several candidates each, as far as they
    still hold."""
    if candidate.members:
        done: list[Change] = []
        for one in candidate.members:
            with suppress(RefusedError):
                done += _build_settling_changes(vault, one)
        return combine_changes(tuple(done)) if done else _build_settling_changes(vault, candidate.members[0])
    found = [vault.memory(named) for named in candidate.memories]
    holding = [memory for memory in found if memory is not None and memory.status is Status.ACTIVE]
    if len(holding) < 2 or len(holding) < len(candidate.memories):
        raise RefusedError(_("One of them has changed since: look at both again."))
    keep, *others = holding
    return mark_superseded(vault, others, keep)


def _build_archiving_changes(vault: Vault, candidate: Candidate) -> tuple[Change, ...]:
    """What it names is put away."""
    found = [memory for named in candidate.memories if (memory := vault.memory(named)) is not None]
    holding = [memory for memory in found if memory.status in PERISHABLE]
    if not holding:
        raise RefusedError(_("It has changed since: look at it again."))
    marked = (locate_memory(vault, memory).revised(status=Status.ARCHIVED) for memory in holding)
    return combine_changes(tuple(chain.from_iterable(marked)))


def mark_superseded(vault: Vault, memories: Iterable[Memory], by: Memory) -> tuple[Change, ...]:
    """The changes that mark these memories as superseded by another, which is given an id where it needs one."""
    successor, named = name_successor(vault, by)
    marked = (
        locate_memory(vault, memory).revised(status=Status.SUPERSEDED, successor=successor) for memory in memories
    )
    return combine_changes((*named, *chain.from_iterable(marked)))


def render_difference(vault: Vault, wanted: Iterable[Change]) -> str:
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
            old, new = _format_columns(change.before), _format_columns(after)
        elif isinstance(change, Edit) and change.remove and _is_opaque(change.base or b""):
            told = _n("{count} byte", "{count} bytes", len(change.base or b""))
            lines.append(f"--- a/{place}\n+++ /dev/null\n@@ {told} @@\n")
            continue
        else:
            old, new = map(_lines, _load_sides(vault, change))
        lines += unified_diff(old, new, f"a/{place}" if old else "/dev/null", f"b/{place}" if new else "/dev/null")
    told = "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)
    return _cover_secrets(told, redact(told, compile_vault_patterns(vault)))


def _cover_secrets(diff: str, redacted: Redacted) -> str:
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


def _is_opaque(data: bytes) -> bool:
    """Whether nobody would read its lines: a picture, a recording, a book."""
    return b"\0" in data[:8192] or len(data) > _READABLE


def _format_columns(side: object) -> list[str]:
    return [f"{name} = {value!r}\n" for name, value in side.items()] if isinstance(side, dict) else []


def _load_sides(vault: Vault, change: Edit | Append) -> tuple[bytes, bytes]:
    if isinstance(change, Edit):
        return change.base or b"", change.new
    before = vault.bytes_of(change.home, change.path) or b""
    return before, apply_append(before, change)


def _lines(data: bytes) -> list[str]:
    """A file's lines; '\\n' ends a line and nothing else does."""
    lines = data.decode("utf-8", "surrogateescape").split("\n")
    return [f"{line}\n" for line in lines[:-1]] + ([lines[-1]] if lines[-1] else [])


_NEAREST = 5
_FULL = 0.8
"""Share of the budget from which an approval is measured beforehand."""


def propose_distilled(
    vault: Vault, count: Census, decided: Mapping[str, Decision], now: float
) -> tuple[list[Candidate], list[Refused]]:
    """The facts that belong in core memory, and why the others do not."""
    home = str(count.home.path)
    if not count.config.enabled or not count.facts:
        return [], []

    contradicted = {one.older.id: one.newer for one in count.contradictions}

    core = _find_core_file(count)

    def settled(fact: Memory) -> str:
        """Why a fact is not proposed any more, for a person; empty: it may be."""
        if fact.path == core:
            # OpenAkita makes its MEMORY.md of the rows themselves.
            return _("core memory is made of it: {path}").format(path=core)
        newer = contradicted.get(fact.id)
        if newer is not None:
            return _("{place} says otherwise since").format(place=f"{newer.path}:{newer.start}")
        decision = decided.get(compute_candidate_id("distilled", home, strip_summary_label(fact)))
        if decision is None or decision.done == "reconsidered":
            return ""
        day = clock.format_day(decision.time) if decision.time is not None else "?"
        if decision.done == "approved":
            return _("approved on {day}, and taken out since").format(day=day)
        told = _("rejected on {day}").format(day=day)
        return f"{told}{_(': ')}{decision.reason}" if decision.reason else told

    found = select(count.facts, count.kept, count.config, now, known=count.known, groups=count.groups, settled=settled)
    refused = [_build_refused(left.fact, left.reason) for left in found.refused]
    made: list[Candidate] = []
    for chosen in found.chosen:
        candidate = complete_candidate(vault, count, _build_distilled_candidate(count, chosen, home))
        if candidate.target is None:
            # Where nothing can be written nothing is proposed.
            why = next((text.partition(": ")[2] for text in candidate.warnings if text.startswith(LOCKED)), "")
            refused += (_build_refused(fact, why) for fact in chosen.said)
        else:
            made.append(candidate)
    return made, refused


def _find_core_file(count: Census) -> str:
    """The file that core memory is written to; empty: none is."""
    try:
        return aim_draft(count.home, Layer.CORE, Draft("x", "fact")).path
    except (MemtuiError, OSError):
        return ""


def _build_distilled_candidate(count: Census, chosen: ChosenFact, home: str) -> Candidate:
    fact = chosen.fact
    stated = next((other.confidence for other in chosen.said if other.confidence is not None), None)
    draft = Draft(
        chosen.text,
        chosen.place.kind,
        chosen.place.section,
        fact.tags,
        fact.entities,
        None if stated is None else chosen.confidence,
        source=fact.session or fact.source,
        memory_type=chosen.type,
    )
    return Candidate(
        compute_candidate_id("distilled", home, chosen.text),
        "distilled",
        home,
        chosen.text,
        chosen.place.kind,
        Layer.CORE,
        None,
        chosen.confidence,
        chosen.parts,
        tuple(map(make_source, chosen.said)),
        chosen.days,
        tuple(make_near(count.kept[number], how.score) for number, how in chosen.near[:_NEAREST]),
        time=fact.created,
        memories=tuple(other.id for other in chosen.said),
        draft=draft,
    )


def propose_contradictions(vault: Vault, count: Census) -> list[Candidate]:
    """Facts that cannot both hold: approved, the newer supersedes the older. Only where that can be written. One that
    tells what was changed supersedes all that still give the value from before."""
    told: dict[str, list[Contradiction]] = {}
    for number, one in enumerate(count.contradictions):
        if not explain_refusal("supersede", one.older, vault):
            told.setdefault(one.newer.id if one.changed else str(number), []).append(one)
    return [_build_contradiction_candidate(count, some) for some in told.values()]


def _build_contradiction_candidate(count: Census, some: Sequence[Contradiction]) -> Candidate:
    home, newer, older = str(count.home.path), some[0].newer, some[0].older
    reason = ", ".join(dict.fromkeys(one.reason for one in some))
    texts = (newer.text, *(one.older.text for one in some))
    return Candidate(
        compute_candidate_id("contradiction", home, "\0".join(texts)),
        "contradiction",
        home,
        newer.text,
        newer.kind,
        older.layer or Layer.KNOWLEDGE,
        _build_target_beside(count, older),
        0.9,
        (("newer", _describe_place_and_time(newer)), ("older", _describe_place_and_time(older)), ("differs", reason)),
        (make_source(newer), *(make_source(one.older) for one in some)),
        near=tuple(make_near(one.older, 0.9) for one in some),
        warnings=(f"{EITHER}: " + _("approved, the older one is given up"), *_warn_undated(newer, older)),
        time=newer.created,
        memories=(newer.id, *(one.older.id for one in some)),
        reason=_("{place} says otherwise: {reason}").format(place=f"{older.path}:{older.start}", reason=reason),
    )


def propose_duplicates(vault: Vault, count: Census | Clashes) -> list[Candidate]:
    """Two that say the same: approved, the one to keep supersedes the other."""
    home = str(count.home.path)
    clashing = {frozenset((one.newer.id, one.older.id)) for one in count.contradictions}
    steps = _Steps(vault)
    return [
        Candidate(
            compute_candidate_id("duplicate", home, f"{keep.text}\0{other.text}\0{other.path}"),
            "duplicate",
            home,
            keep.text,
            keep.kind,
            other.layer or Layer.KNOWLEDGE,
            _build_target_beside(count, other),
            how.score,
            (
                ("keep", f"{keep.path}:{keep.start}"),
                ("other", f"{other.path}:{other.start}"),
                ("likeness", f"{alike:.2f}"),
            ),
            (make_source(keep), make_source(other)),
            seen=2,
            near=(make_near(other, alike),),
            time=keep.created,
            memories=(keep.id, other.id),
            reason=_("{place} says the same").format(place=f"{other.path}:{other.start}"),
        )
        for keep, other, how in count.duplicates
        # What a pair is worth says when it is shown, not how much one is like the other.
        for alike in [(measure_likeness(keep.text, other.text) or how).score]
        if frozenset((keep.id, other.id)) not in clashing
        and not steps.are_both(keep, other)
        and not explain_refusal("supersede", other, vault)
    ]


class _Steps:
    """Which memories are items of a numbered list: taken away, the other items would make no procedure any more."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault
        self._lines: dict[tuple[str, str], list[str]] = {}

    def are_both(self, one: Memory, two: Memory) -> bool:
        """Whether both are steps, of few words; the numbers of rules only count them."""
        names = (name for memory in (one, two) for name in memory.heading[-1:])
        if max(len(one.text), len(two.text)) > _STEP or any(infer_heading_kind(name) in _RULES for name in names):
            return False
        return self._is(one) and self._is(two)

    def _is(self, memory: Memory) -> bool:
        place = (memory.home, memory.path)
        if place not in self._lines:
            self._lines[place] = (self._vault.text(*place) or "").split("\n")
        line = self._lines[place][memory.start - 1 : memory.start]
        return bool(line) and _NUMBERED.match(line[0]) is not None


def complete_candidate(vault: Vault, count: Census, candidate: Candidate) -> Candidate:
    """A candidate for new text, with its place, what is like it, and its warnings."""
    if candidate.origin == "asked":
        verdict = examine(candidate.text)
        rules = ", ".join(verdict.rules)
        order = _("it reads like an order to agents ({rules})").format(rules=rules)
        return candidate._replace(warnings=() if verdict.action == "none" else (f"{ORDER}: {order}",))
    draft = candidate.draft or Draft(candidate.text, candidate.kind)
    warnings: list[str] = []
    masked = redact(draft.text, compile_vault_patterns(vault))
    draft = draft._replace(text=masked.text)
    # What stands in a home comes masked; the line it comes from tells that it was.
    if masked.secrets or any((place.path, place.line) in count.leaking for place in candidate.sources):
        warnings.append(f"{SECRET}: {_('a secret in it is masked')}")
    alike = candidate.near
    if candidate.origin != "distilled":
        alike = tuple(
            make_near(count.kept[number], how.score)
            for number, how in count.known.like(draft.text, draft.entities)[:_NEAREST]
        )
    if alike:
        told = _("{place} says much the same").format(place=f"{alike[0].path}:{alike[0].line}")
        warnings.append(f"{DUPLICATE}: {told}")
    verdict = examine(draft.text)
    if verdict.action != "none":
        told = _("it reads like an order to agents ({rules})").format(rules=", ".join(verdict.rules))
        warnings.append(f"{ORDER}: {told}")
    candidate = candidate._replace(text=draft.text, draft=draft, near=alike)
    target = None
    try:
        target = aim_draft(count.home, candidate.layer, draft)
        over = _explain_over_budget(vault, candidate, target)
        if over:
            warnings.append(f"{BUDGET}: {over}")
    except (MemtuiError, OSError) as error:
        warnings.append(f"{LOCKED}: {error}")
        target = None
    return candidate._replace(target=target, warnings=tuple(warnings))


def _explain_over_budget(vault: Vault, candidate: Candidate, target: Target) -> str:
    """Why agents would not read all of the file any more, with the candidate in it; empty: they would."""
    if not target.path.endswith("MEMORY.md"):
        return ""
    most, size = vault.config.budget.lines, int(vault.config.budget.kilobytes * 1024)
    data = vault.bytes_of(target.home, target.path) or b""
    if data.count(b"\n") < most * _FULL and len(data) < size * _FULL:
        return ""
    for change in write_candidate(vault, candidate):
        if change.path == target.path and isinstance(change, (Edit, Append)):
            new = change.new if isinstance(change, Edit) else data + change.record.encode() + b"\n"
            lines = new.count(b"\n") + (not new.endswith(b"\n"))
            if lines > most:
                told = _("{path} would have {lines} lines; agents read {most}")
                return told.format(path=target.path, lines=lines, most=most)
            if len(new) > size:
                told = _("{path} would have {size:.1f} KB; agents read {most:g}")
                return told.format(path=target.path, size=len(new) / 1024, most=vault.config.budget.kilobytes)
    return ""


def _build_target_beside(count: Census | Clashes, memory: Memory) -> Target:
    heading, layer = "".join(memory.heading[-1:]), memory.layer or Layer.KNOWLEDGE
    return Target(memory.home, memory.path, find_file_format(count.home, memory.path), heading, layer)


def _warn_undated(newer: Memory, older: Memory) -> tuple[str, ...]:
    """A warning where nobody wrote down which of them is the newer one."""
    if newer.created is not None and (older.created is not None or (older.modified or 0.0) <= newer.created):
        return ()
    if newer.created is None and older.created is None and newer.path == older.path:
        return ()
    return (f"{UNDATED}: {_('not both are dated: make sure which one holds')}",)


def _describe_place_and_time(memory: Memory) -> str:
    """Where a memory stands, and since when where it says so itself."""
    place = f"{memory.path}:{memory.start}"
    return place if memory.created is None else f"{place} ({clock.format_day(memory.created)})"


def _build_refused(memory: Memory, reason: str) -> Refused:
    return Refused(memory.text, reason, memory.home, memory.path, memory.start)
