"""What is another than it was: two looks at the same home, compared. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple, get_args

from memtui.locale import _

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from memtui.config import EvolutionConfig
    from memtui.evolution.effect import Effect
    from memtui.evolution.patterns import Pattern
    from memtui.evolution.skills.installed import Capability
    from memtui.model import Memory

Kind = Literal["new", "returned", "escalated", "weak", "calmed", "settled", "strong", "skill"]
KINDS: tuple[Kind, ...] = get_args(Kind)
"""In the order in which they matter."""

_URGENCY = {"normal": 0, "high": 1, "critical": 2}


class Shift(NamedTuple):
    """One thing that changed."""

    kind: Kind
    key: str
    """A pattern's key, or an experience's id; of a skill that of the pattern that it was made from."""
    name: str
    """What it is called, for a person."""
    before: str
    """'normal', 'high', 'active', '0.62'; empty: it was not there."""
    after: str

    @property
    def good(self) -> bool:
        """Whether that is good news."""
        return self.kind in {"calmed", "settled", "strong", "skill"}

    @property
    def said(self) -> str:
        """The sentence for it."""
        told = {
            "new": _("{name} has come up: {after}"),
            "returned": _("{name} was dealt with, and is back"),
            "escalated": _("{name} went from {before} to {after}"),
            "calmed": _("{name} calmed down: {before}, now {after}"),
            "settled": _("{name} is {after}"),
            "weak": _("{name} seldom helps by now: {after}"),
            "strong": _("{name} has proved itself: {after}"),
            "skill": _("the skill {name} was made"),
        }[self.kind]
        return told.format(name=self.name, before=_(self.before) or "-", after=_(self.after) or "-")


def shifts(
    before: tuple[Sequence[Pattern], Sequence[Pattern]],
    after: tuple[Sequence[Pattern], Sequence[Pattern]],
    then: tuple[Sequence[Effect], float],
    now: tuple[Sequence[Effect], float],
    experiences: Mapping[str, Memory],
    config: EvolutionConfig,
) -> tuple[Shift, ...]:
    """What changed between two looks: at patterns and problems, and at effects, each with its moment."""
    found = [shift for old, new in zip(before, after, strict=True) for shift in _patterns(old, new)]
    found += _effects(then, now, experiences, config)
    return tuple(sorted(found, key=lambda one: (KINDS.index(one.kind), one.name, one.key)))


def skills(found: Iterable[Capability], since: float) -> tuple[Shift, ...]:
    """The skills that were made since a moment."""
    made = sorted(one for one in found if one.made is not None and one.made > since)
    return tuple(Shift("skill", one.pattern, one.name, "", one.path) for one in made)


def _patterns(before: Sequence[Pattern], after: Sequence[Pattern]) -> Iterator[Shift]:
    """A problem is the same by any of its names: more sessions may have given it another."""
    for new in after:
        old = next((one for one in before if _same(one, new)), None)
        was, now = old.priority if old is not None else "normal", new.priority
        name = f"{new.type} · {new.about}" if new.about else new.type
        if new.returned and (old is None or not old.returned):
            yield Shift("returned", new.key, name, "addressed", now)
        elif _URGENCY[now] > _URGENCY[was]:
            kind: Kind = "escalated" if was != "normal" else "new"
            yield Shift(kind, new.key, name, was, now)
        elif new.status in {"addressed", "suppressed"} and (old is None or old.status != new.status):
            yield Shift("settled", new.key, name, old.status if old is not None else "", new.status)
        elif _URGENCY[now] < _URGENCY[was]:
            yield Shift("calmed", new.key, name, was, new.status if new.status == "quiet" else now)


def _same(one: Pattern, other: Pattern) -> bool:
    return bool(one.types & other.types) and (one.about == other.about or bool(one.means & other.means))


def _effects(
    before: tuple[Sequence[Effect], float],
    after: tuple[Sequence[Effect], float],
    experiences: Mapping[str, Memory],
    config: EvolutionConfig,
) -> Iterator[Shift]:
    then = {one.experience: one for one in before[0]}
    for one in after[0]:
        old = then.get(one.experience)
        value = one.value(after[1], config.half_life_days)
        was = old.value(before[1], config.half_life_days) if old is not None else None
        known = old is not None and bool(old.known)
        memory = experiences.get(one.experience)
        name = " ".join((memory.text if memory is not None else one.experience).split())[:120]
        told = f"{was:.2f}" if was is not None else ""
        if one.known and value < config.weak and not (known and was is not None and was < config.weak):
            yield Shift("weak", one.experience, name, told, f"{value:.2f}")
        elif value > config.strong and not (was is not None and was > config.strong):
            yield Shift("strong", one.experience, name, told, f"{value:.2f}")
