"""Filters written in the query: `kind:rule since:7d 登录` means a Filter and the words that are left.

`layer: kind: home: project: who: status: role: since: until: expiring: path: tag:`; a comma gives several values, a
quoted value may hold spaces, `-kind:todo` leaves out. What means nothing here is kept as words and reported, so
that nothing typed is silently dropped and no pasted text turns into a filter; so is a word that looks like a
misspelt filter.
"""

from __future__ import annotations

import re

from memtui.core.locale import _
from memtui.core.model import Filter, Layer, Status
from memtui.core.startup import TYPE_CHECKING, NamedTuple, compile_pattern
from memtui.core.text import tag
from memtui.search.query import LONGEST
from memtui.search.times import parse_future_time, parse_time

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from memtui.core.model import Home

    Known = Callable[[str], Sequence[str]]
    """The kinds, tags and directories that there are, by 'kind', 'tag' and 'path', the commonest first."""

NAMES = (
    "layer", "kind", "home", "project", "who", "status", "role", "since", "until", "expiring", "path", "tag",
)  # fmt: skip

LAYERS = {
    "l0": (Layer.PROFILE,),
    "l1": (Layer.KNOWLEDGE,),
    "l2": (Layer.SESSION,),
    "daily": (Layer.JOURNAL,),
    "facts": (Layer.KNOWLEDGE,),
    "timeline": (Layer.SESSION, Layer.JOURNAL),
}
"""Other names of layers."""

ROLES = {
    "live": frozenset({Status.ACTIVE, Status.CANDIDATE}),
    "archive": frozenset({Status.ARCHIVED}),
} | {
    status.value: frozenset({status})
    for status in (
        Status.BACKUP, Status.TEMPLATE, Status.SKILL, Status.STATE, Status.GENERATED, Status.CODE,
    )
}  # fmt: skip
"""What files are, by the statuses that what stands in them has."""

WIDE = {0xFF01 + code: 0x21 + code for code in range(94)} | {ord("“"): '"', ord("”"): '"', 0x3000: " "}
"""Full-width forms as people's keyboards give them, one for one."""

# What is quoted is for the words, whatever it looks like.
_CHIP = compile_pattern(
    rf'-?"[^"]*"?|(?<!\S)(?P<not>-?)(?P<name>{"|".join(NAMES)}):(?:"(?P<quoted>[^"]+)"(?!\S)|(?P<plain>[^\s"]+)(?!\S))',
    re.IGNORECASE,
)
_OTHER = compile_pattern(r"(?<!\S)-?([A-Za-z]{3,9}):[^\s:/\\]")
_COMMA = compile_pattern("[,，、]")

_WRONG = dict.fromkeys(("since", "until"), "'{chip}' is no time: 7d, 12h, today and 2026-02-01 are") | {
    "expiring": "'{chip}' is no time to come: 7d, 12h, today and 2030-02-01 are",
    "home": "'{chip}': no open home has that in its name",
    "project": "'{chip}': no open home belongs to such a project",
    "who": "'{chip}': nobody of that name shares anything here; who:me is what is yours",
    "layer": "'{chip}' is no layer: profile, core, knowledge, session, journal and evolution are",
    "status": "'{chip}' is no status: active, superseded, archived, deleted, expired and all are",
    "role": "'{chip}' is no role of a file: live, archive, backup, template, skill, state, generated, code and all are",
    "kind": "'{chip}': no memory here is of that kind.",
    "tag": "'{chip}': no memory here has that tag.",
    "path": "'{chip}' says nothing: the beginning of a path does",
}
_TIMES = ("7d", "today", "yesterday", "30d", "今天", "昨天")
_AHEAD = ("7d", "today", "30d", "今天")
# The word at the end that may be on its way to a filter, or that is one: a quote before it was closed.
_BEGUN = compile_pattern(
    rf'(?:[^"]|"[^"]*")*?(?<!\S)-?(?:(?P<begun>[a-z]{{2,}})|(?P<name>{"|".join(NAMES)}):(?P<value>"[^"]*|[^\s"]*))',
    re.IGNORECASE,
)
_ALIKE = 0.75
"""Similarity from which on a name counts as a misspelt filter: `time:` and `http:` are none."""


_OF_HOMES = frozenset({"home", "project", "who"})
"""Filters that choose among the open homes."""


class TypedQuery(NamedTuple):
    """What was typed, understood."""

    filter: Filter
    words: str
    """What is no filter."""
    wrong: str
    """A sentence about a filter that means nothing; empty: all is well."""
    chips: tuple[str, ...]
    """The filters as they stand there."""


def parse_inline_filters(text: str, within: Filter, homes: Iterable[Home], known: Known | None = None) -> TypedQuery:
    """The text over a filter that holds anyway. Where nothing is `known`, any kind and any tag is accepted."""
    plain = text[:LONGEST].translate(WIDE)
    if ":" not in plain:
        return TypedQuery(within, text.strip(), "", ())
    read = _Reading(within, tuple(homes), known)
    words: list[str] = []
    done = 0
    for match in _CHIP.finditer(plain):
        if match["name"] is not None and read.take(match["name"].lower(), match, text):
            words.append(text[done : match.start()])
            done = match.end()
    rest = " ".join([*words, text[done:]])
    wrong = read.wrong or _suggest_filter_name(rest)
    if read.filter.since is not None and read.filter.until is not None and read.filter.since >= read.filter.until:
        wrong = wrong or _("nothing is both since and until then")
    return TypedQuery(read.filter, " ".join(rest.split()) if read.chips else text.strip(), wrong, tuple(read.chips))


def complete_query(text: str, cursor: int, homes: Iterable[Home], known: Known) -> list[str]:
    """The whole texts that one begun at the cursor may be on its way to, the likeliest first.

    Names of filters after two letters, then their values out of what is there. What stands behind the cursor stays.
    """
    before, after = text[:cursor], text[cursor:]
    match = _BEGUN.fullmatch(before.translate(WIDE)) if cursor <= LONGEST and not after[:1].strip() else None
    if match is None:
        return []
    if match["begun"]:
        begun = match["begun"].lower()
        return [f"{before}{name[len(begun) :]}:{after}" for name in NAMES if name.startswith(begun)]
    quote = '"' if match["value"].startswith('"') else ""
    value = match["value"].removeprefix('"')
    last = value if match["name"].lower() == "path" else _COMMA.split(value)[-1]
    found = dict.fromkeys(_list_values(match["name"].lower(), homes, known))
    return [
        f"{before}{one[len(last) :]}{quote}{after}"
        for one in found
        if one.lower().startswith(last.lower()) and one != last and (quote or not re.search(r'[\s"]', one))
    ]


def _list_values(name: str, homes: Iterable[Home], known: Known) -> Iterable[str]:
    if name == "layer":
        return (layer.value for layer in Layer)
    if name == "status":
        return (*(status.value for status in Status), "all")
    if name == "role":
        return (*ROLES, "all")
    if name in {"since", "until"}:
        return _TIMES
    if name == "expiring":
        return _AHEAD
    if name == "home":
        return (home.label for home in homes)
    if name == "project":
        return (home.project or home.label for home in homes)
    if name == "who":
        return ("me", *sorted({home.origin.owner or home.origin.told for home in homes if home.origin}))
    return known(name)


def _suggest_filter_name(words: str) -> str:
    for match in _OTHER.finditer(words[:LONGEST].translate(WIDE)):
        name = match.group(1).lower()
        near = _find_near(name, NAMES, _ALIKE)
        if near and name not in NAMES:
            hint = _("There is no filter '{name}': did you mean {near}:?")
            return hint.format(name=match.group(1), near=near[0])
    return ""


class _Reading:
    """A filter that grows chip by chip."""

    def __init__(self, within: Filter, homes: tuple[Home, ...], known: Known | None) -> None:
        self.filter = within
        self.chips: list[str] = []
        self.wrong = ""
        self._homes = homes
        self._known = known
        self._named: set[str] = set()
        """The fields that chips have set: a second chip of the same name adds to the first."""

    def take(self, name: str, match: re.Match[str], text: str) -> bool:
        """Add one chip; False: it means nothing, and why is in `wrong`."""
        group = "plain" if match["quoted"] is None else "quoted"
        chip = match.group() if match["not"] else text[match.start() : match.end()]
        value = (
            (text[slice(*match.span(group))] if name == "path" else match[group])
            .encode("utf-16", "surrogatepass")
            .decode("utf-16", "replace")
        )
        begun = Filter(statuses=frozenset()) if match["not"] else self.filter
        found = self._narrow_by(begun, name, value, bool(match["not"]))
        if found is None:
            self.wrong = self.wrong or self._explain_value(name, chip, value)
            return False
        self.chips.append(chip)
        if not match["not"]:
            self._named.add(name)
            self.filter = found
        elif name in _OF_HOMES:
            self.filter = self.filter._replace(homes=found.homes)
        else:
            self.filter = self.filter._replace(without=(*self.filter.without, found))
        return True

    def _narrow_by(self, begun: Filter, name: str, value: str, refused: bool) -> Filter | None:
        if name == "path":
            return begun._replace(path=value.removeprefix("./"))
        if name in {"since", "until"}:
            moment = None if refused else parse_time(value, end=name == "until")
            return None if moment is None else _replace_field(begun, name, moment)
        if name == "expiring":
            moment = None if refused else parse_future_time(value)
            return None if moment is None else _replace_field(begun, name, moment)
        values = [part.strip().lower() for part in _COMMA.split(value) if part.strip()]
        if name in _OF_HOMES:
            return self._choose_homes(name, values, refused)
        if name in {"status", "role"} and values == ["all"] and not refused:
            return begun._replace(statuses=frozenset())
        field, chosen = self._choose_values(name, values)
        if not chosen and refused and name in {"kind", "tag"} and not self._is_slip(name, values):
            # Where nothing is of that kind, leaving it out leaves out nothing.
            chosen = frozenset(values)
        if not chosen:
            return None
        held = getattr(begun, field) if name in self._named and not refused else frozenset()
        return _replace_field(begun, field, held | chosen)

    def _is_slip(self, name: str, values: Sequence[str]) -> bool:
        return self._known is not None and any(_find_near(value, self._known(name)) for value in values)

    def _choose_values(self, name: str, values: list[str]) -> tuple[str, frozenset[object]]:
        """The filter's field and its values: by their names, else by the beginning of a name."""
        if name == "status":
            return "statuses", frozenset(one for one in Status for part in values if one.value.startswith(part))
        if name == "role":
            meant = (ROLES[one] for one in ROLES for part in values if one.startswith(part))
            return "statuses", frozenset().union(*meant)
        if name == "layer":
            layers = {layer for part in values for layer in LAYERS.get(part, ())}
            return "layers", frozenset(layers).union(
                one for one in Layer for part in values if one.value.startswith(part)
            )
        if name == "tag":
            values = [tag(part) for part in values]
        every = self._known(name) if self._known is not None else ()
        found = {one for part in values for one in (every or (part,)) if one == part}
        found |= {one for part in values if part and part not in found for one in every if one.startswith(part)}
        return f"{name}s", frozenset(found)

    def _choose_homes(self, name: str, values: list[str], refused: bool) -> Filter | None:
        def named(home: Home) -> str:
            """What of a home the words are compared with."""
            if name == "who":
                if home.origin is None:
                    return "me"
                return ("me\n" if home.origin.own else "") + f"{home.origin.told}\n"
            about = f"{home.label}\n{home.layout}\n{home.path}" if name == "home" else f"{home.project}\n{home.label}"
            return about.lower()

        told = {str(home.path): named(home) for home in self._homes}
        matching: set[str] = set()
        for part in values:
            # A whole label, layout or path is meant as it stands, though it is a part of others.
            whole = {path for path, about in told.items() if name == "home" and part in about.split("\n")}
            matching |= whole or {path for path, about in told.items() if _is_home_named(name, part, about)}
        if not matching:
            return None
        if refused:
            matching = {str(home.path) for home in self._homes} - matching
        if not self._named.isdisjoint(_OF_HOMES - {name}) or (refused and self.filter.homes):
            matching &= self.filter.homes
        elif name in self._named and not refused:
            matching |= self.filter.homes
        return self.filter._replace(homes=frozenset(matching)) if matching else None

    def _explain_value(self, name: str, chip: str, value: str) -> str:
        said = _(_WRONG[name]).format(chip=chip)
        if name in {"kind", "tag"} and self._known is not None:
            near = _find_near(value.lower().lstrip("#"), self._known(name))
            said += " " + _("Did you mean {near}?").format(near=near[0]) if near else ""
        return said


def _is_home_named(name: str, part: str, told: str) -> bool:
    """Whether what is said of a home has the word; a person's begins with it, or is the machine."""
    if name != "who":
        return part in told
    if part == "me" or told == "me":
        return part == told.partition("\n")[0]
    told = told.removeprefix("me\n")
    return told.startswith(part) or f"@{part}\n" in told


def _find_near(word: str, names: Sequence[str], cutoff: float = 0.6) -> list[str]:
    # Slips are rare, and a search must not wait for what they need.
    from difflib import get_close_matches

    return get_close_matches(word, names, 1, cutoff)


def _replace_field(filter: Filter, field: str, value: object) -> Filter:
    return Filter(**{**filter._asdict(), field: value})
