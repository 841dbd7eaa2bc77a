"""Experiences (spec 002): their ids, their effects over all logs, which ones do little, and which ones a session used.

- Ids end in a digest of what the lesson says: `avoidance:<digest>` in core memory,
  `rule:<project>:<category>:<digest>` in a project's rules.md. code-memory's scripts digest the bullet without
  `**`, one last aside and white space, and its homes continue so; elsewhere dates, code ticks, emphasis and
  links do not count either. Every spelling is recognised.
- `load_effects`: an experience of one home may be used in a session of another, so effects come from all logs.
- `propose_weak_lessons`: proposed for the archive, never put away by themselves.
- `find_used_lessons`: what the agent looked up, was stopped by, or named in its own words; not what merely lay
  before it at the start, nor what the session itself taught.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeVar

from memtui.core import clock
from memtui.core.errors import UsageError
from memtui.core.locale import _, _n
from memtui.core.model import PERISHABLE, Filter, Layer, Status
from memtui.core.startup import compile_pattern
from memtui.evolution import audit
from memtui.evolution.audit import Experience, Log, Verdict, append_events, encode_verdict, find_log_home, merge_logs
from memtui.evolution.effects import compute_effects, derive_rule_project, find_experience
from memtui.formats.marks import KEY
from memtui.formats.records import fit_line
from memtui.language.kin import Kin
from memtui.language.similarity import digest, digest_unmarked, list_digests, normalize_text, strip_list_mark
from memtui.layouts import load_facts
from memtui.store.candidates import Candidate, compute_candidate_id
from memtui.store.proposing import make_source
from memtui.store.standing import explain_refusal, find_open_home

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from memtui.core.edits import Receipt
    from memtui.core.model import Memory
    from memtui.evolution.audit import Verdicts
    from memtui.evolution.effects import Effect
    from memtui.language.conversation import Conversation, Extract, Step
    from memtui.store.proposing import HomeMemories
    from memtui.store.vault import Vault
    from memtui.store.writing import Writing

_ID = compile_pattern(r"(?:avoidance|rule|skill|fact|memory|experience):\S[^\x00-\x1f\x7f]{0,280}")


def make_experience_id(memory: Memory) -> str:
    """Spec 002's id of a memory, as homes other than code-memory's have it (`identify_experience`: of every home)."""
    return _make_id(memory, digest_unmarked(memory.text))


def identify_experience(vault: Vault, memory: Memory) -> Experience:
    """A memory as its home's own log names it."""
    home = next((one for one in vault.homes if str(one.path) == memory.home), None)
    if home is None or load_facts(home).log_dialect != "scripts" or not _is_counted(memory):
        return Experience(make_experience_id(memory), memory.home)
    bullet = _read_line(vault.text(memory.home, memory.path).split("\n"), memory.start)
    # The scripts' id is another once a code tick is: the second one stays.
    return Experience(_make_id(memory, digest(bullet or memory.text)), memory.home, digest_unmarked(memory.text))


def resolve_experience(vault: Vault, name: str) -> Experience:
    """What an agent means, by an experience's id or a memory's. Raises UsageError for neither."""
    memory = vault.memory(name)
    if memory is not None:
        return identify_experience(vault, memory)
    if _ID.fullmatch(name) and ".." not in name:
        memory = find_experience(load_known_experiences(vault), name)
        return Experience(name, memory.home if memory is not None else "")
    raise UsageError(_("There is no memory '{id}': memory_search gives ids.").format(id=name[:80]))


class _Held:
    """What was worked out of the logs, each with what it was worked out of."""

    known: tuple[object, dict[str, Memory]] | None = None
    effects: tuple[object, list[tuple[Effect, Memory | None]]] | None = None


def load_known_experiences(vault: Vault) -> dict[str, Memory]:
    """Ids, and bare digests, -> the memory that is meant, of all open homes. Worked out again after a change only."""
    logs = load_all_logs(vault)
    stamp = (vault.generation, logs)
    held = vault.kept.of(_Held)
    found = held.known
    if found is None or found[0] != stamp:
        held.known = found = (stamp, _map_known(vault, logs))
    return found[1]


def _map_known(vault: Vault, logs: list[Log]) -> dict[str, Memory]:
    among: dict[str, Memory] = {}
    loose: list[tuple[str, Memory]] = []
    lines: dict[tuple[str, str], list[str]] = {}
    for memory in _list_lessons(vault):
        place = (memory.home, memory.path)
        if place not in lines:
            lines[place] = vault.text(*place).split("\n")
        first, *others = list_digests(memory, _read_line(lines[place], memory.start))
        for name in (_make_id(memory, first), make_experience_id(memory), first, f"memory:{memory.id}"):
            among.setdefault(name, memory)
        loose += ((name, memory) for other in others for name in (other, _make_id(memory, other)))
    for name, memory in loose:
        # What one lesson is called exactly no other is called by and by.
        among.setdefault(name, memory)
    for name in {one.experience for log in logs for part in (log.refs, log.verdicts) for one in part}:
        if name.startswith("memory:") and name not in among:
            memory_ = vault.memory(name.removeprefix("memory:"))
            if memory_ is not None:
                among[name] = memory_
    return among


def _list_lessons(vault: Vault) -> list[Memory]:
    """Core memory and projects' rules, what holds first."""
    every: list[Memory] = []
    for layer, path in ((Layer.CORE, ""), (Layer.KNOWLEDGE, "*rules.md")):
        wanted = Filter(layers=frozenset({layer}), statuses=frozenset(), path=path, parts=True)
        every += (memory for memory in vault.memories(wanted, "path") if _is_counted(memory))
    return sorted(every, key=lambda memory: memory.status is not Status.ACTIVE)


def _is_counted(memory: Memory) -> bool:
    """Whether it is called by what it says, not by its place."""
    return memory.layer is Layer.CORE or memory.path.endswith("/rules.md")


def _make_id(memory: Memory, digits: str) -> str:
    if memory.layer is Layer.CORE:
        return f"avoidance:{digits}"
    if not _is_counted(memory):
        return f"memory:{memory.id}"
    # Under the file's title come the categories; what stands deeper is of its category.
    category = memory.heading[1] if len(memory.heading) > 1 else "".join(memory.heading)
    return f"rule:{derive_rule_project(memory.path)}:{category}:{digits}"


def _read_line(lines: list[str], at: int) -> str:
    return strip_list_mark(lines[at - 1]) if 0 < at <= len(lines) else ""


class _Timed(Protocol):
    @property
    def time(self) -> float | None: ...


E = TypeVar("E", bound=_Timed)


def load_all_logs(vault: Writing) -> list[Log]:
    """The logs that have the events of the open homes, each once."""
    return [audit.read(vault, home) for home in dict.fromkeys(map(find_log_home, vault.homes))]


def load_effects_at(vault: Vault, moment: float) -> list[tuple[Effect, Memory | None]]:
    """Every experience of the open homes as it stood at a moment, and the memory that it is; best first."""
    known = load_known_experiences(vault)
    told = merge_logs(load_all_logs(vault))
    told = told._replace(
        refs=tuple(select_until(told.refs, moment)),
        outcomes=tuple(select_until(told.outcomes, moment)),
        verdicts=tuple(select_until(told.verdicts, moment)),
    )
    found = compute_effects(told, moment, vault.config.evolution, known)
    return [(one, find_experience(known, one.experience, one.digest)) for one in found]


def load_effects(vault: Vault) -> list[tuple[Effect, Memory | None]]:
    """The same as it stands now. Worked out again after a change, and every minute."""
    now = clock.now()
    stamp = (vault.generation, load_all_logs(vault), vault.config.evolution, int(now // 60))
    held = vault.kept.of(_Held)
    found = held.effects
    if found is None or found[0] != stamp:
        held.effects = found = (stamp, load_effects_at(vault, now))
    return found[1]


def select_until(events: Iterable[E], moment: float) -> list[E]:
    """Those of that time and before; what has no time is as old as anything."""
    return [one for one in events if one.time is None or one.time <= moment]


def propose_weak_lessons(vault: Vault, count: HomeMemories) -> Iterator[Candidate]:
    """What was used, or judged, and is worth less than `evolution.weak` by now; and what somebody calls stale.

    A lesson that nobody ever used is not weak: nobody knows. Nor is one whose sessions never told how they went.
    """
    # Of what a session is given at its start nothing is put away.

    config = vault.config.evolution
    home, now = str(count.home.path), clock.now()
    for effect, memory in load_effects(vault):
        if memory is None or memory.home != home or memory.status not in PERISHABLE:
            continue
        if KEY in memory.extra:
            # A copy that memtui keeps up to date: it goes when what it is made of goes.
            continue
        weak = effect.known > 0 and effect.value(now, config.half_life_days) < config.weak
        if (weak or effect.stale) and not explain_refusal("archive", memory, vault):
            yield _make_candidate(effect, memory, now, config.half_life_days)


def _make_candidate(effect: Effect, memory: Memory, now: float, half_life: float) -> Candidate:
    value = effect.value(now, half_life)
    return Candidate(
        compute_candidate_id("weak", memory.home, memory.text),
        "weak",
        memory.home,
        memory.text,
        memory.kind,
        memory.layer or Layer.KNOWLEDGE,
        None,
        1 - value,
        (
            ("p", f"{effect.p:.2f}"),
            ("decay", f"{effect.decay(now, half_life):.2f}"),
            ("effect", f"{value:.2f}"),
            ("ok/failed", f"{effect.good}/{effect.bad}"),
            ("helpful/wrong", f"{effect.helpful}/{effect.wrong}"),
            ("last", "" if effect.last is None else clock.format_day(effect.last)),
        ),
        (make_source(memory),),
        seen=effect.refs,
        time=effect.last,
        memories=(memory.id,),
        reason=_explain_reason(effect, value),
    )


def _explain_reason(effect: Effect, value: float) -> str:
    """Why it is proposed, in a sentence."""
    if effect.stale:
        return _("marked as outdated")
    told = _("effect {value}").format(value=f"{value:.2f}".removeprefix("0"))
    if effect.bad or effect.wrong:
        failed = _n("{bad} of {count} session failed", "{bad} of {count} sessions failed", effect.good + effect.bad)
        parts = [failed.format(bad=effect.bad)] if effect.bad else []
        if effect.wrong:
            parts.append(_n("you marked it wrong once", "you marked it wrong {count} times", effect.wrong))
        return f"{told}: {', '.join(parts)}"
    day = clock.format_day(effect.last) if effect.last is not None else "?"
    return told + ": " + _("not used since {day}").format(day=day)


MANY = 5
"""Lessons in one answer beyond which it is a listing, and tells of no use."""
NEAR = 93
"""Percent of a lesson's letters that stand, in order, in what is said."""
_LONG, _SHORT, _MOST = 600, 8, 12_000
"""Characters of a passage that is compared, at most and at least; and passages of one session."""
_ASKS = compile_pattern(
    r"(?:^|[_.:/-])(?:memory_(?:search|get|recall)|search_memor(?:y|ies)|recall(?:_memor(?:y|ies))?|mem_(?:search|get))$"
)
"""Tools that answer from memory, without the server's name before theirs."""
_RUNS = compile_pattern(r"\bmemtui (?:search|get|facts|tool memory_(?:search|get))\b|\bmemory-search\.py\b")
_FIELD = compile_pattern(r"\"(?:snippet|text|fact|content|memory)\"\s*:\s*\"((?:[^\"\\]|\\.){1,4000})")
_SPLIT = compile_pattern(r"(?<=[。！？!?；;])\s*|(?<=\.)\s+|\n")


_QUOTED = 48
"""Characters of a lesson by which a person knows it again."""


class Use(NamedTuple):
    """A lesson that was used, and how that is known."""

    memory: Memory
    context: str
    """What was looked up or said, with its line."""


def find_used_lessons(vault: Vault, talk: Conversation, found: Extract) -> list[Use]:
    """The lessons that were used, each once, in the order of the session."""
    among = load_known_experiences(vault)
    lessons = list({memory.id: memory for memory in among.values() if memory.status in PERISHABLE}.values())
    if not lessons:
        return []
    kin = Kin(memory.text for memory in lessons)
    taught = Kin(one.text for one in found.learned)
    used: dict[str, Use] = {}
    for line, passages, context, listing in _iterate_told(talk):
        here: dict[str, Memory] = {}
        for passage in passages:
            for memory in _find_said_lessons(passage, kin, lessons, among):
                if not _is_taught_here(memory, talk, taught):
                    here.setdefault(memory.id, memory)
        if listing and len(here) > MANY:
            continue
        for memory in here.values():
            at = f"{context} (line {line})" if line else context
            used.setdefault(memory.id, Use(memory, at))
    return list(used.values())


def _iterate_told(talk: Conversation) -> Iterator[tuple[int, Iterable[str], str, bool]]:
    """What reached or left the agent, with its line, in short, and whether it may be a mere listing."""
    left = _MOST
    for step in talk.steps:
        if is_memory_request(step):
            asked = f"{step.tool}: {step.command or step.given}"
            yield step.line, _split_answer(step.result), asked[:200], True
        elif step.failed and "hook" in step.result:
            yield step.line, _SPLIT.split(step.result), f"{step.tool}: stopped by a hook", True
    for turn in talk.said:
        if turn.role == "assistant":
            for passage in _SPLIT.split(turn.text):
                left -= 1
                if left < 0:
                    return
                yield turn.line, (passage,), " ".join(passage.split())[:200], False


def is_memory_request(step: Step) -> bool:
    """Whether a call asks memory for something."""
    name = step.tool.rpartition("__")[2] or step.tool
    return not step.failed and bool(_ASKS.search(name) or _RUNS.search(step.command[:2000]))


def _split_answer(result: str) -> Iterator[str]:
    """The passages of an answer, which may be JSON that was cut short."""
    fields = _FIELD.findall(result)
    for text in fields:
        yield from _SPLIT.split(_unescape_text(text))
        yield _unescape_text(text)
    if not fields:
        yield from result.splitlines()


def _unescape_text(text: str) -> str:
    try:
        return str(json.loads(f'"{text}"', strict=False))
    except ValueError:
        return text.replace("\\n", "\n").replace('\\"', '"')


def _find_said_lessons(passage: str, kin: Kin, lessons: list[Memory], among: dict[str, Memory]) -> Iterator[Memory]:
    """The lessons that a passage says in full."""
    said = strip_list_mark(passage)
    if not _SHORT <= len(said) <= _LONG:
        return
    exact = among.get(digest(said))
    if exact is not None:
        yield exact
        return
    for number, how in kin.like(said):
        if how.kind in {"exact", "same", "around"} and _stands_in_order(lessons[number].text, said):
            yield lessons[number]


def _stands_in_order(lesson: str, said: str) -> bool:
    """Whether its words stand there as they are: the same words in another order may say the opposite."""
    from rapidfuzz import fuzz

    return fuzz.partial_ratio(normalize_text(lesson), normalize_text(said)) >= NEAR


def _is_taught_here(memory: Memory, talk: Conversation, taught: Kin) -> bool:
    """Whether the session taught it itself."""
    if talk.session.id in {memory.session, memory.source}:
        return True
    begun = talk.started if talk.started is not None else talk.ended
    if begun is None or memory.created is None or clock.format_day(memory.created) < clock.format_day(begun):
        return False
    return any(how.covers or how.kind == "around" for _number, how in taught.like(memory.text))


def append_verdict(vault: Vault, memory: Memory, verdict: Verdicts, reason: str = "") -> Receipt:
    """Append what somebody says of a memory: it is helpful, wrong, or stale."""
    used = identify_experience(vault, memory)
    said = Verdict(used.id, verdict, clock.now(), "person", reason, digest=used.digest)
    what = _("marked “{lesson}” as {verdict}").format(lesson=fit_line(memory.text, _QUOTED), verdict=_(verdict))
    return append_events(vault, find_open_home(vault, memory.home), [encode_verdict(said)], who="person", what=what)
