"""Skills made from what comes back (spec 002, 能力自动生成): drafted behind four gates, installed when approved.

- `compute_gates`: the four gates, each with its value and what is wanted; a function of what is known and a
  clock.
- Drafts that wait, one file each below the state directory. A candidate is about a pattern, not about its text:
  rejected, it is not proposed again until the pattern is graver or has come back.
- `propose`, `build_skill_changes`: nothing is written outside the state directory before a person approves. An
  approval is one write, undone as one: the SKILL.md (`skill_drafts`), its line in auto-capabilities.md, the
  home's log and state (`skill_records`), and the pattern as addressed.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from memtui.core import clock
from memtui.core.edits import Draft, Edit, Piece, Target
from memtui.core.errors import MemtuiError, RefusedError
from memtui.core.locale import _, _n
from memtui.core.model import Layer
from memtui.evolution import audit, patterns, sessions_read, skill_drafts, skill_records
from memtui.evolution.audit import Outcome, find_log_home
from memtui.evolution.effects import Gate
from memtui.evolution.patterns import compute_patterns, compute_problems
from memtui.fs.files import compute_etag
from memtui.fs.places import state
from memtui.safety.injection import examine
from memtui.safety.redact import redact
from memtui.store import candidates
from memtui.store.candidates import ORDER, Candidate, CandidateSource, build_candidate_removal, compute_candidate_id
from memtui.store.secrets import compile_vault_patterns
from memtui.store.standing import find_open_home

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from memtui.core.config import Config, EvolutionConfig
    from memtui.core.edits import Change
    from memtui.core.model import Home
    from memtui.evolution.effects import Pattern
    from memtui.evolution.skill_drafts import HelpfulStep
    from memtui.evolution.skill_records import State
    from memtui.store.candidates import Decision
    from memtui.store.proposing import HomeMemories
    from memtui.store.vault import Vault
    from memtui.store.writing import Writing

Patterns = Sequence["Pattern"]

VARIABLE = "CAPABILITY_GENERATION"
PATTERNS, COUNT, SESSIONS = 2, 2, 5
"""So many patterns are wanted, each in so many sessions; so many sessions are looked at."""

_OFF = frozenset({"false", "0", "off", "no"})
"""What the variable says to switch it off, in any case."""
_HOUR = 3600.0
_SLACK = 1e-9


def compute_gates(
    patterns: Sequence[Pattern],
    outcomes_newest_first: Sequence[Outcome],
    state: State,
    config: EvolutionConfig,
    now: float,
    env: Mapping[str, str],
) -> tuple[Gate, Gate, Gate, Gate]:
    """All four; a skill is made where each is open."""
    return (
        _switch(config, env),
        _check_cooldown(state, config, now),
        _check_patterns(patterns),
        _check_success(outcomes_newest_first[:SESSIONS], config),
    )


def load_gates(
    vault: Vault, home: Home, now: float | None = None, known: tuple[Patterns, Patterns] | None = None
) -> tuple[Gate, ...]:
    """The gates of a home as it stands now. `known`: its patterns by type and its problems, worked out already."""
    config = vault.config.evolution
    sessions = sessions_read.load_heard_sessions(vault, home)
    went = sessions_read.load_outcomes(vault, home)
    times = {name: outcome.time for name, outcome in went.items()}
    times |= {one.session: one.time for one in sessions if one.time is not None}
    newest = sorted(times, key=lambda name: (times[name] or float("-inf"), name), reverse=True)[:SESSIONS]
    state, _events = skill_records.read(vault, audit.find_log_home(home))
    return compute_gates(
        list_unsettled(vault, home, known=known)[1],
        [went.get(name, Outcome(name, times[name], "unknown")) for name in newest],
        state,
        config,
        clock.now() if now is None else now,
        os.environ,
    )


def list_unsettled(
    vault: Vault, home: Home, without: frozenset[str] = frozenset(), known: tuple[Patterns, Patterns] | None = None
) -> tuple[Patterns, Patterns]:
    """The problems of a home, and its patterns by type as far as no problem that is dealt with explains them.

    `without` are the keys of problems that count as dealt with as well, `known` is as of `load_gates`.
    """
    heard, said, config = (
        sessions_read.load_heard_sessions(vault, home),
        audit.load_settled(vault, home),
        vault.config.evolution,
    )
    types, found = known or (compute_patterns(heard, said, config), compute_problems(heard, said, config))
    done = [one for one in found if one.key in without or one.status in {"addressed", "suppressed"}]
    return found, [_drop_settled_sessions(one, done) for one in types]


def _drop_settled_sessions(pattern: Pattern, done: Patterns) -> Pattern:
    """A type's pattern without the sessions in which it was nothing but what is dealt with."""
    those = [one for one in done if pattern.type in one.types]
    if not those:
        return pattern
    left = tuple(
        heard
        for heard in pattern.sessions
        if any(pattern.has(sign) and not any(one.has(sign) for one in those) for sign in heard.signals)
    )
    return pattern._replace(count=min(pattern.count, len(left)), sessions=left)


def shut(found: Sequence[Gate]) -> str:
    """The gates that are not open, in a sentence for a person; empty: all are."""
    return "; ".join(
        _("{title}: {value}, wanted {wanted}").format(title=gate.title, value=gate.value, wanted=gate.wanted)
        for gate in found
        if not gate.open
    )


def _switch(config: EvolutionConfig, env: Mapping[str, str]) -> Gate:
    said = env.get(VARIABLE, "").strip()
    off = said.casefold() in _OFF
    why = _("{name} is {value}").format(name=VARIABLE, value=said) if off else ""
    if not config.generation:
        why = _("evolution.generation is off in the settings")
    opened = config.generation and not off
    return Gate("switch", _("skills may be made"), _("on") if opened else _("off"), _("on"), opened, why)


def _check_cooldown(state: State, config: EvolutionConfig, now: float) -> Gate:
    title = _("time since the last one")
    wanted = _("{hours:g} hours").format(hours=config.cooldown_hours)
    if state.last is None:
        return Gate("cooldown", title, _("none was made yet"), wanted, True)
    hours = (now - state.last) / _HOUR
    opened = hours >= config.cooldown_hours - _SLACK
    value = _("{hours:,.1f} hours").format(hours=hours)
    if hours >= 48:
        value = _n("{count} day", "{count} days", int(hours // 24))
    why = (
        "" if opened else _("opens {when}").format(when=clock.format_minute(state.last + config.cooldown_hours * _HOUR))
    )
    return Gate("cooldown", title, value, wanted, opened, why)


def _check_patterns(patterns: Sequence[Pattern]) -> Gate:
    found = [one for one in patterns if one.status == "active" and one.count >= COUNT]
    return Gate(
        "patterns",
        _("unresolved patterns"),
        f"{len(found)}",
        _("at least {number}, each in {count} sessions or more").format(number=PATTERNS, count=COUNT),
        len(found) >= PATTERNS,
        ", ".join(f"{one.key} {one.count}×" for one in found),
        tuple(one.key for one in found),
    )


def _check_success(outcomes: Sequence[Outcome], config: EvolutionConfig) -> Gate:
    good = sum(one.status == "success" for one in outcomes)
    unknown = sum(one.status == "unknown" for one in outcomes)
    value = _("{good} of {count}").format(good=good, count=len(outcomes))
    if unknown:
        value += ", " + _n("{count} unknown", "{count} unknown", unknown)
    return Gate(
        "success",
        _("recent sessions that succeeded"),
        value,
        _("{share:.0%} of the last {count}").format(share=config.success, count=SESSIONS),
        bool(outcomes) and good >= config.success * len(outcomes) - _SLACK,
        _("a session counts only where it is known that it succeeded") if unknown else "",
        tuple(one.session for one in outcomes),
    )


SOURCES = 20
"""So many places that it comes from are kept."""

_SOURCE = ("session", "path", "line", "time")
_PRIORITIES = ("normal", "high", "critical")


def make_skill_candidate_id(home: Home, pattern: Pattern, priority: str = "") -> str:
    """The id of the candidate for a pattern as it stands, or as it stood with another priority."""
    came = "again" if pattern.returned else ""
    return compute_candidate_id("capability", str(home.path), f"{pattern.key}\0{priority or pattern.priority}\0{came}")


def list_graver_ids(home: Home, pattern: Pattern) -> list[str]:
    """Its id, and those it had were it graver than it is: rejected then, it is none the more wanted now."""
    at = _PRIORITIES.index(pattern.priority) if pattern.priority in _PRIORITIES else 0
    return [make_skill_candidate_id(home, pattern, one) for one in _PRIORITIES[at:]]


def put(
    home: Home, pattern: Pattern, name: str, text: str, steps: tuple[HelpfulStep, ...], who: str, told: tuple[str, ...]
) -> tuple[str, Edit]:
    """A draft's id, and the change that keeps it. `told`: what a person should know before approving."""
    named = make_skill_candidate_id(home, pattern)
    told_by = [(step.session, step.path, step.line, step.time) for step in steps]
    named_by = {step.session for step in steps}
    told_by += [
        (heard.session, heard.path, 0, heard.time)
        for heard in reversed(pattern.sessions[-SOURCES:])
        if heard.session not in named_by
    ]
    plain = {
        "id": named,
        "time": clock.now(),
        "home": str(home.path),
        "who": who,
        "name": name,
        "text": text,
        "pattern": pattern.key,
        "type": pattern.type,
        "count": pattern.count,
        "window": pattern.window,
        "warnings": told,
        "sources": [dict(zip(_SOURCE, one, strict=True)) for one in told_by[:SOURCES]],
    }
    data = json.dumps(plain, ensure_ascii=False, indent=1).encode("utf-8", "replace")
    return named, Edit(str(state()), locate_skill_candidate(home, named), None, (Piece(0, 0, data),))


def locate_skill_candidate(home: Home, named: str) -> str:
    """The file of a candidate, below the state directory."""
    return f"{candidates.SKILLS}/{candidates.derive_candidate_folder(home)}/{named}.json"


def list_skill_candidates(home: Home, config: Config) -> list[Candidate]:
    """What is kept for a home, oldest first. Files that cannot be read are passed over."""
    found = [
        _parse_candidate(plain, home, file, config)
        for file in candidates.list_candidate_files(f"{candidates.SKILLS}/{candidates.derive_candidate_folder(home)}")
        if (plain := candidates.load_candidate_record(file))
        and plain.get("home") == str(home.path)
        and _is_whole(plain)
    ]
    return sorted(found, key=lambda candidate: (candidate.time or 0.0, candidate.id))


def read_skill_candidate(home: Home, named: str) -> dict[str, Any]:
    """What is kept of one candidate; empty: it is decided."""
    plain = candidates.load_candidate_record(locate_skill_candidate(home, named))
    return plain if plain.get("home") == str(home.path) and _is_whole(plain) else {}


def _is_whole(plain: Mapping[str, Any]) -> bool:
    texts = all(isinstance(plain.get(name), str) and plain[name] for name in ("id", "name", "text", "pattern"))
    return texts and isinstance(plain.get("type"), str)


def _parse_candidate(plain: Mapping[str, Any], home: Home, file: str, config: Config) -> Candidate:
    count, window, time = (plain.get(name) for name in ("count", "window", "time"))
    count, window = (value if isinstance(value, int) else 0 for value in (count, window))
    warnings = plain.get("warnings")
    target, why = _choose_target(home, plain["name"], config)
    return Candidate(
        plain["id"],
        "capability",
        str(home.path),
        plain["text"],
        "skill",
        Layer.EVOLUTION,
        target,
        0.0,
        parts=((_("pattern"), plain["pattern"]),),
        sources=tuple(_parse_sources(plain.get("sources"), home)),
        warnings=(*(map(str, warnings) if isinstance(warnings, list) else ()), *([why] if why else [])),
        time=float(time) if isinstance(time, (int, float)) else None,
        who=str(plain.get("who", "")) if plain.get("who") != "person" else "",
        reason=_n(
            "it came back in {count} of the last {window} sessions and is unresolved",
            "it came back in {count} of the last {window} sessions and is unresolved",
            count,
        ).format(count=count, window=window),
        draft=Draft(plain["text"], "skill", title=plain["name"], key=plain["pattern"]),
        stored=file,
    )


def _choose_target(home: Home, name: str, config: Config) -> tuple[Target | None, str]:
    try:
        at = skill_records.find_skill_place(find_log_home(home), config.evolution).skill(name)
    except MemtuiError as error:
        return None, str(error)
    return Target(at.root, at.path, "markdown", layer=Layer.EVOLUTION, exists=False), ""


def _parse_sources(said: object, home: Home) -> list[CandidateSource]:
    found: list[CandidateSource] = []
    for one in said if isinstance(said, list) else ():
        if isinstance(one, dict):
            line, time = one.get("line"), one.get("time")
            found.append(
                CandidateSource(
                    str(home.path),
                    str(one.get("path", "")),
                    line if isinstance(line, int) else 0,
                    str(one.get("session", "")),
                    float(time) if isinstance(time, (int, float)) else None,
                )
            )
    return sorted(found, key=lambda one: -(one.time or 0.0))


def propose(
    vault: Vault, home: Home, pattern_key: str = "", *, force: bool = False, who: str, group: str = ""
) -> Candidate:
    """Draft a skill for a pattern, or for the gravest that has none, and have it wait in Review.

    `force`, for a person only, goes past gates that are shut: the candidate's warnings say which. Waiting already, it
    is that one. Raises RefusedError where a gate is shut, where there is no such pattern, or it was rejected.
    """
    closed = shut(load_gates(vault, home))
    if closed and not (force and who == "person"):
        raise RefusedError(_("No skill is made now. {why}.").format(why=closed))
    pattern = _choose_pattern(vault, home, pattern_key)
    known = _map_waiting(vault, home).get(pattern.key)
    if known is not None:
        return known
    place = skill_records.find_skill_place(audit.find_log_home(home), vault.config.evolution)
    kept = list_skill_candidates(home, vault.config)
    taken = place.taken() | {one.draft.title for one in kept if one.draft is not None}
    name = skill_drafts.name_skill(pattern.type, pattern.about, taken)
    steps = tuple(skill_drafts.list_helpful_steps(vault, home, pattern))
    drafted = skill_drafts.draft(pattern, steps, name, vault.config)
    text = _mask_secrets(vault, skill_drafts.read(drafted.text).text)
    told = (
        *([_("proposed past a gate that is shut: {why}").format(why=closed)] if closed else []),
        *([drafted.warning] if drafted.warning else []),
        *_explain_orders(text),
    )
    named, edit = put(home, pattern, name, text, steps, who, told)
    what = _("proposed the skill {name}").format(name=name)
    vault.apply([edit], verb="propose", who=who, what=what, group=group)
    return next(one for one in list_skill_candidates(home, vault.config) if one.id == named)


def propose_skills(vault: Vault, count: HomeMemories) -> Iterator[Candidate]:
    """Skills that wait for a person in one home."""
    yield from list_skill_candidates(count.home, vault.config)


def open_skill_writer(vault: Vault, home: Home) -> Writing:
    """What writes where an approval for this home goes: it opens the directory of the skills as well."""
    kept = audit.prepare_log_home(vault, home)
    return vault.beside([kept, *skill_records.find_skill_place(kept, vault.config.evolution).homes])


def build_skill_changes(vault: Vault, candidate: Candidate, text: str = "") -> tuple[Change, ...]:
    """What approving a candidate writes, with another text where a person has changed it.

    Where somebody has taken its name meanwhile it gets another one. Raises RefusedError where it was decided, where
    the text is no skill, or a link stands in the way.
    """
    home = find_open_home(vault, candidate.home)
    plain = read_skill_candidate(home, candidate.id)
    if not plain:
        raise RefusedError(_("Somebody has decided this already."))
    kept = audit.find_log_home(home)
    place = skill_records.find_skill_place(kept, vault.config.evolution)
    wanted = skill_drafts.read(_mask_secrets(vault, text or plain["text"]))
    index = place.listed
    lines = vault.bytes_of(index.root, index.path)
    name = skill_drafts.find_free_name(wanted.name, place.taken() | skill_records.list_indexed_skills(lines or b""))
    if name != wanted.name:
        wanted = skill_drafts.read(skill_drafts.rename_skill(wanted, name).text)
    if wanted.name != name:
        raise RefusedError(_("There is a skill {name} already: name this one otherwise.").format(name=name))
    at = place.skill(name)
    data = wanted.text.encode("utf-8", "replace")
    event = skill_records.Event(
        "made",
        name,
        clock.now(),
        at.file,
        patterns.name_log_pattern(home, plain["pattern"]),
        plain["type"],
        plain["count"] if isinstance(plain.get("count"), int) else 0,
        compute_etag(data),
    )
    state = skill_records.update_generator_state(vault, kept, event)
    file = build_candidate_removal(
        candidate._replace(stored=candidate.stored or locate_skill_candidate(home, candidate.id))
    )
    return (
        Edit(at.root, at.path, None, (Piece(0, 0, data),), mode=0o644),
        skill_records.add_index_line(index, lines, name, wanted.description),
        skill_records.append_skill_event(vault, kept, event),
        *([state] if state else []),
        skill_records.append_skill_settling(
            vault, kept, event.pattern, "addressed", _("the skill {name}").format(name=name), "person"
        ),
        *([file] if file else []),
    )


def _choose_pattern(vault: Vault, home: Home, key: str) -> Pattern:
    """The pattern of that key; without one the gravest that is active, waits for nobody and was not rejected."""
    decided = candidates.load_decisions([home])
    problems, types = list_unsettled(vault, home)
    if key:
        pattern = next((one for one in (*problems, *types) if one.key == key), None)
        if pattern is None:
            raise RefusedError(_("There is no pattern {key}.").format(key=key))
        if pattern.status in {"addressed", "suppressed"}:
            raise RefusedError(_("{key} is {status} already.").format(key=key, status=_(pattern.status)))
        if done := _find_rejection(home, pattern, decided):
            why = f": {done.reason}" if done.reason else "."
            raise RefusedError(_("A skill for {key} was rejected").format(key=key) + why)
        return pattern
    out = set(_map_waiting(vault, home))
    out |= {one.key for one in (*problems, *types) if _find_rejection(home, one, decided)}
    # What is told more closely makes the better skill; a type has one for what no problem of its own explains.
    for pattern in (*problems, *list_unsettled(vault, home, frozenset(out))[1]):
        if pattern.status == "active" and pattern.count >= COUNT and pattern.key not in out:
            return pattern
    raise RefusedError(_("Every pattern is resolved, waits in Review or was rejected."))


def _find_rejection(home: Home, pattern: Pattern, decided: Mapping[str, Decision]) -> Decision | None:
    done = (decided.get(named) for named in list_graver_ids(home, pattern))
    return next((one for one in done if one is not None and one.done == "rejected"), None)


def _map_waiting(vault: Vault, home: Home) -> dict[str, Candidate]:
    """What waits for a decision, by its pattern."""
    decided = candidates.load_decisions([home])
    return {
        one.draft.key: one
        for one in list_skill_candidates(home, vault.config)
        if one.draft is not None and ((done := decided.get(one.id)) is None or done.done != "rejected")
    }


def _mask_secrets(vault: Vault, text: str) -> str:
    return redact(text, compile_vault_patterns(vault)).text


def _explain_orders(text: str) -> tuple[str, ...]:
    rules = examine(text).rules
    told = _("it may read like an order to agents ({rules})").format(rules=", ".join(rules))
    return (f"{ORDER}: {told}",) if rules else ()
