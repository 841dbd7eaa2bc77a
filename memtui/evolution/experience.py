"""What an experience is called (spec 002), and which memory is meant by that, however it is marked up by now.

Ids end in a digest of what the lesson says: `avoidance:<digest>` in core memory, `rule:<project>:<category>:<digest>`
in a project's rules.md. code-memory's scripts count the bullet without `**`, one last aside and white space; their
homes go on so. Elsewhere dates, code ticks, emphasis and links do not count either. Every
spelling is recognised.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple
from weakref import WeakKeyDictionary

from memtui.digest import md5
from memtui.errors import UsageError
from memtui.locale import _
from memtui.model import Filter, Layer, Status
from memtui.pattern import pattern

if TYPE_CHECKING:
    import re
    from collections.abc import Mapping

    from memtui.evolution.log import Log
    from memtui.model import Entry, Memory
    from memtui.vault import Vault

_ID = pattern(r"(?:avoidance|rule|skill|fact|memory|experience):\S[^\x00-\x1f\x7f]{0,280}")
_ASIDE = pattern(r"\([^()]*\)$")
_WIDE_ASIDE = pattern(r"[(（][^()（）]*[)）]$")
_BULLET = pattern(r"\s*[-*+•]\s+(?:\[[ xX]\]\s+)?")
_STAMP = pattern(r"[\[(（【]\d{4}-\d\d-\d\d[^\])）】]{0,24}[\])）】]")
_LINK = pattern(r"\[([^\[\]]{1,200})\]\([^()\s]{1,500}\)")
_MARKS = str.maketrans("", "", "*_`~")


class Experience(NamedTuple):
    """What was used."""

    id: str
    """As spec 002 names it: 'avoidance:<16 digits>', 'rule:<project>:<category>:<16 digits>', 'memory:<id>'."""
    home: str
    """The home that it stands in; empty: not known."""
    digest: str = ""
    """Of what it says without any markup, where the id is made of the bullet as it stands."""


def core(text: str) -> str:
    """What code-memory's scripts compare a bullet by: without `**`, and without one aside at its end."""
    return _ASIDE.sub("", text.replace("**", "").strip()).rstrip()


def digest(text: str) -> str:
    """The 16 digits that code-memory's ids end in: of the bullet's core, white space aside."""
    return _digits(core(text))


def identified(memory: Memory) -> str:
    """Spec 002's id of a memory, as homes other than code-memory's have it. See `meant` for every home."""
    return _id(memory, _steady(memory.text))


def meant(vault: Vault, memory: Memory) -> Experience:
    """A memory as its home's own log names it."""
    home = next((one for one in vault.homes if str(one.path) == memory.home), None)
    if home is None or home.layout != "code-memory" or not _counted(memory):
        return Experience(identified(memory), memory.home)
    bullet = _line(vault.text(memory.home, memory.path).split("\n"), memory.start)
    # The scripts' id is another once a code tick is: the second one stays.
    return Experience(_id(memory, digest(bullet or memory.text)), memory.home, _steady(memory.text))


def named(vault: Vault, name: str) -> Experience:
    """What an agent means, by an experience's id or a memory's. Raises UsageError for neither."""
    memory = vault.memory(name)
    if memory is not None:
        return meant(vault, memory)
    if _ID.fullmatch(name) and ".." not in name:
        memory = found(known(vault), name)
        return Experience(name, memory.home if memory is not None else "")
    raise UsageError(_("There is no memory '{id}': memory_search gives ids.").format(id=name[:80]))


def digests(entry: Entry, bullet: str = "") -> tuple[str, ...]:
    """Every digest by which an entry may be meant, the likeliest first. `bullet`: its line as it stands, unmarked."""
    found = [digest(bullet), digest(_behind(_STAMP, bullet))] if bullet else []
    found += [_steady(entry.text), digest(entry.text), _digits(entry.text)]
    found.append(_digits(_WIDE_ASIDE.sub("", entry.text.replace("**", "").strip())))
    return tuple(dict.fromkeys(found))


def body(line: str) -> str:
    """A line of a list without its mark."""
    return _behind(_BULLET, line).strip()


_held: WeakKeyDictionary[Vault, tuple[object, dict[str, Memory]]] = WeakKeyDictionary()


def known(vault: Vault) -> dict[str, Memory]:
    """Ids, and bare digests, -> the memory that is meant, of all open homes. Worked out again after a change only."""
    from memtui.evolution.ledger import around

    logs = around(vault)
    stamp = (vault.generation, logs)
    held = _held.get(vault)
    if held is None or held[0] != stamp:
        _held[vault] = held = (stamp, _known(vault, logs))
    return held[1]


def found(among: Mapping[str, Memory], id: str, digest: str = "") -> Memory | None:
    """The memory that an id of the log means; a rule stays the same under another heading, not in another project.

    `digest`: of what it said without markup, if the log has that: it finds what was marked up otherwise since.
    """
    exact = among.get(id)
    if exact is not None or ":" not in id:
        return exact
    kind, _colon, rest = id.partition(":")
    same = among.get(rest.rpartition(":")[2]) if kind in {"avoidance", "rule"} else None
    same = among.get(digest) if same is None and digest and kind in {"avoidance", "rule"} else same
    if same is None or kind != "rule" or same.layer is Layer.CORE:
        return same
    return same if rest.partition(":")[0] == _project(same.path) else None


def _known(vault: Vault, logs: list[Log]) -> dict[str, Memory]:
    among: dict[str, Memory] = {}
    loose: list[tuple[str, Memory]] = []
    lines: dict[tuple[str, str], list[str]] = {}
    for memory in _lessons(vault):
        place = (memory.home, memory.path)
        if place not in lines:
            lines[place] = vault.text(*place).split("\n")
        first, *others = digests(memory, _line(lines[place], memory.start))
        for name in (_id(memory, first), identified(memory), first, f"memory:{memory.id}"):
            among.setdefault(name, memory)
        loose += ((name, memory) for other in others for name in (other, _id(memory, other)))
    for name, memory in loose:
        # What one lesson is called exactly no other is called by and by.
        among.setdefault(name, memory)
    for name in {one.experience for log in logs for part in (log.refs, log.verdicts) for one in part}:
        if name.startswith("memory:") and name not in among:
            memory_ = vault.memory(name.removeprefix("memory:"))
            if memory_ is not None:
                among[name] = memory_
    return among


def _lessons(vault: Vault) -> list[Memory]:
    """Core memory and projects' rules, what holds first."""
    every: list[Memory] = []
    for layer, path in ((Layer.CORE, ""), (Layer.KNOWLEDGE, "*rules.md")):
        wanted = Filter(layers=frozenset({layer}), statuses=frozenset(), path=path, parts=True)
        every += (memory for memory in vault.memories(wanted, "path") if _counted(memory))
    return sorted(every, key=lambda memory: memory.status is not Status.ACTIVE)


def _counted(memory: Memory) -> bool:
    """Whether it is called by what it says, not by its place."""
    return memory.layer is Layer.CORE or memory.path.endswith("/rules.md")


def _id(memory: Memory, digits: str) -> str:
    if memory.layer is Layer.CORE:
        return f"avoidance:{digits}"
    if not _counted(memory):
        return f"memory:{memory.id}"
    # Under the file's title come the categories; what stands deeper is of its category.
    category = memory.heading[1] if len(memory.heading) > 1 else "".join(memory.heading)
    return f"rule:{_project(memory.path)}:{category}:{digits}"


def _project(path: str) -> str:
    return path.split("/")[-2] if "/" in path else ""


def _line(lines: list[str], at: int) -> str:
    return body(lines[at - 1]) if 0 < at <= len(lines) else ""


def _behind(marks: re.Pattern[str], text: str) -> str:
    """What stands behind a beginning, where it begins so."""
    begun = marks.match(text)
    return text[begun.end() :] if begun else text


def _steady(text: str) -> str:
    """The digest of a text without marks, and without an aside at its end."""
    return _digits(_WIDE_ASIDE.sub("", _LINK.sub(r"\1", text).translate(_MARKS).strip()))


def _digits(text: str) -> str:
    return md5("".join(text.split()).encode("utf-8", "replace"))[:16]
