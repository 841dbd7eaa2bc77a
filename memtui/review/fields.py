"""What two places have alike because one was copied from the other: fields of one value, sections, tasks. Pure.

A field says little by itself: 'IP: 10.0.0.7', '姓名: 李雷'. That two files give the same rare value, an address, a
path, somebody's name, says that both speak of one thing, whatever the label is called there. A section of which
nearly all lines stand in another one of the same file was written twice; so were a line of a day that stands there
again, and an open task that two lists have.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from functools import lru_cache
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from memtui.core.locale import _n
from memtui.core.model import Layer, Status
from memtui.core.startup import compile_pattern
from memtui.language.similarity import extract_terms, normalize_text, weigh_text
from memtui.review.plausible import (
    has_other_file,
    has_other_number,
    is_of_day,
    is_of_log,
    is_telling,
    share_record_alone,
)
from memtui.store.candidates import compute_candidate_id

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from memtui.core.model import Memory
    from memtui.language.similarity import Likeness
    from memtui.store.candidates import Candidate

FEW = 8
"""So many fields that name one thing are a list of where it is used."""
_LABELLED = 2.0
"""What a label weighs at least."""
_NAMED_FIELD = compile_pattern(
    r"^\W*(?P<label>[^:：*`\n]{2,24}?)[*\s]*[:：][*\s]*(?:使用|采用|基于|(?:uses?|using|built with) )?\s?"
    r"(?P<value>[A-Z][\w.#-]*(?: ?[+&/] ?[\w.#-]+| [A-Z][\w.#-]*)*)(?=$|\s*[,，;；。(（|·—–@\n])",
)
"""A field that begins with the name of what it has: 'Search: Algolia (hosted)'. What goes on in words is a sentence."""
_FIELD = compile_pattern(
    r"^[\s>*_\d.)（(•-]*(?P<label>[^:：`\n|·]{2,40}?)[*_]*\s*(?:[:：]| · )[*_]*\s*(?P<value>\S[^\n]{1,160})$"
)
_BEHIND = compile_pattern(r"\W*[^:：\n]{1,32}?\W*(?:[:：]|\s[—–-]\s)\W*")
"""What stands before a value: a label."""
_ASIDE = compile_pattern(r"\s*[（(][^（()）]*[)）]")
_LONGEST = 220
"""Characters of a field."""
_ADDRESS = compile_pattern(
    r"https?://[^\s`]{6,}|[\w.+-]+@[\w-]+\.[\w.]+|\d{1,3}(?:\.\d{1,3}){3}(?!\d)|[~\w.-]*(?:[/\\][\w.{}-]+){2,}"
    r"|\b(?=\w*\d)(?=\w*[a-z_])\w{10,}\b|(?<![\d.,])\d{7,}(?![\d.,])",
    re.IGNORECASE,
)
"""What is nobody else's by chance: a link, a mail address, a host, a path, a key or number by which something goes."""
_BARE = compile_pattern(r"[\W\d_]*[A-Za-z]{0,2}[\W\d_]*|[\W\d_]*\d[\W\d_]*[^\W\d_]{0,9}[\W_]*")
"""Nothing but numbers, and of what: many things have the same."""
_STATE = compile_pattern(
    r"(?:todo|done|pending|active|inactive|running|enabled|disabled|ready|complete[d]?|high|medium|low|none|n a|tbd"
    r"|yes|no|true|false|正常|完成|已完成|进行中|高|中|低|无|待定|启用|禁用)",
    re.IGNORECASE,
)
_ALIGNED = 3
"""So many fields alike, and two files describe one thing."""
_SAID, _SAID_ALIGNED = 4.0, 1.6
"""What a value in words weighs: where its label says the same; where so many fields beside it are alike."""
_PAGES = 3
"""So many pairs of a workspace's pages are shown."""
_LINES, _MOST = 3, 0.75
"""So many lines of a section, and which share of the smaller one, stand in the other one."""


_DAY_FILE = compile_pattern(r"(?:^|/)20\d\d-\d\d-\d\d\.md$")
_WRITTEN_TWICE, _OF_PASSAGE = 24.0, 5.0
"""What a line of a day weighs at least that was written down twice; what one of a passage does."""
_TASK, _NAME_OF_TASK, _ONE_OF_NAMES = 9.0, 6.0, 3.0
"""What a task weighs that stands in two lists; the name of one; and of one among several that both lists name."""
_SINCE = compile_pattern(r"[（(][^（()）\n]*20\d\d[^（()）\n]*[)）]\s*$")
_LEAD = compile_pattern(r"\W*(?P<name>[^\n:：—–(（]{4,48}?)[*_\s]*(?:[:：—–]|\s-\s)[*_\s]*\S")
"""The name that a task begins with: '**Cloud sync** — several devices'."""
_ROUTINE = compile_pattern(r"(?:^|/)(?:HEARTBEAT|SKILL|BOOTSTRAP)\.md$|template|check-?list|模板|检查", re.IGNORECASE)
"""Documents whose tasks are done anew each time."""
_FIGURES = compile_pattern(r"\d+")
_BESIDE = 4
"""Lines within which one passage goes on."""
_JOINED = 2
"""So many lines that two files share are one card."""
_LETTER_BY_LETTER = 0.5
"""Which share of the words of both they have in common, to be on one."""
_MOMENT = compile_pattern(r"\W*20\d\d[-/.年]\s?\d{1,2}")
"""When something was written or done last: many things were on one day."""
_FIGURE = compile_pattern(r"\d+[.,]?\d+")
"""A number of more than one digit, with which a value begins."""


_CHANGED = compile_pattern(
    r"(?:\bfrom |[从從由])[^\n\d]{0,12}(\d[\w.:]*)[^\n]{0,12}?(?: to |[改调]?[为到至成]|→|->)[^\n\d]{0,12}(\d[\w.:]*)",
    re.IGNORECASE,
)
"""A value that was changed, and what it is since."""
_VERSION = compile_pattern(r"(?<![\w.])([A-Z][A-Za-z.+-]{2,}) v?(\d+(?:\.\d+)+|\d+(?=[,;)\s]|$))")


class _Field(NamedTuple):
    memory: Memory
    label: str
    value: str


def find_named_fields(memories: Sequence[Memory]) -> Iterator[tuple[Memory, Memory]]:
    """Fields of two files that name one thing by the same label: what each says beside it is a remark on it."""
    named: defaultdict[str, list[tuple[Memory, str, frozenset[str]]]] = defaultdict(list)
    for memory in memories:
        found = _NAMED_FIELD.match(memory.text) if ":" in memory.text or "：" in memory.text else None
        if found is not None and "\n" not in memory.text:
            words = frozenset(normalize_text(found["value"]).split())
            first = normalize_text(found["value"].split()[0])
            named[first].append((memory, normalize_text(found["label"]), words))
    for some in named.values():
        for (one, label, value), (two, other, theirs) in combinations(some, 2) if len(some) <= FEW else ():
            if (
                (one.home, one.path) != (two.home, two.path)
                and (value <= theirs or theirs <= value)
                and _same_label(label, other)
                and not has_other_number(one.text, two.text)
            ):
                yield one, two


def _same_label(one: str, two: str) -> bool:
    """Whether one of two labels says the other, and what sort of it: 'search', 'search service'."""
    short, long = sorted((one, two), key=len)
    return weigh_text(short) >= _LABELLED and (long.startswith(short) or long.endswith(short))


def compare_fields(memories: Iterable[Memory]) -> Iterator[tuple[Memory, Memory, bool]]:
    """Fields of two files that give the same value: surely, where it is one of its own kind, or the label is the same,
    or several fields of both are alike. What is not sure a reader may decide: so may he of two that give one label
    other values. What two days tell is of those days; a label that stands all over is a form's."""
    valued: defaultdict[str, list[_Field]] = defaultdict(list)
    labelled: defaultdict[str, list[_Field]] = defaultdict(list)
    for memory in memories:
        if (field := _read_field(memory)) is not None:
            valued[field.value].append(field)
            labelled[field.label].append(field)
    pairs = [
        (one, two)
        for some in valued.values()
        if 1 < len(some) <= _ALIGNED
        for one, two in combinations(some, 2)
        if _place(one) != _place(two) and not (_is_passing(one.memory) and _is_passing(two.memory))
    ]
    aligned = Counter(frozenset((_place(one), _place(two))) for one, two in pairs)
    for one, two in pairs:
        weight = weigh_text(one.value)
        same = one.label in two.label or two.label in one.label
        same = same or not extract_terms(one.label).isdisjoint(extract_terms(two.label))
        usual = max(len(labelled[one.label]), len(labelled[two.label]))
        sure = (
            not find_addresses(one.memory.text).isdisjoint(find_addresses(two.memory.text))
            or ((same or _are_read(one.memory, two.memory)) and weight >= _SAID and usual <= FEW)
            or (
                aligned[frozenset((_place(one), _place(two)))] >= _ALIGNED
                and weight >= (_SAID if _is_passing(one.memory) or _is_passing(two.memory) else _SAID_ALIGNED)
            )
        )
        yield one.memory, two.memory, sure
    for label, some in labelled.items():
        rivals = combinations(some, 2) if len(some) <= _ALIGNED and weigh_text(label) >= _LABELLED else ()
        for one, two in rivals:
            figures = [_FIGURE.match(field.value) for field in (one, two)]
            if (
                _place(one) != _place(two)
                and _are_read(one.memory, two.memory)
                and figures[0] is not None
                and figures[1] is not None
                and figures[0][0] == figures[1][0]
            ):
                # The same figure of the same thing, each with a remark of its own.
                yield one.memory, two.memory, True
            elif (
                _place(one) != _place(two)
                and one.value not in two.value
                and two.value not in one.value
                and not (_is_passing(one.memory) and _is_passing(two.memory))
            ):
                yield one.memory, two.memory, False


@lru_cache(maxsize=1 << 12)
def find_addresses(text: str) -> frozenset[str]:
    """The links, mail addresses, hosts, paths, keys and long numbers that a text names."""
    return frozenset(match[0].casefold().rstrip("/\\.") for match in _ADDRESS.finditer(text))


def share_value(one: Memory, two: Memory) -> bool:
    """Whether both are read in every session, and all that they say behind a label is the same; or one has no label."""
    if not _are_read(one, two):
        return False
    whole = [normalize_text(memory.text) for memory in (one, two)]
    values = [normalize_text(_BEHIND.sub("", memory.text, count=1)) for memory in (one, two)]
    same = values[0] == values[1] or values[0] == whole[1] or values[1] == whole[0]
    return same and weigh_text(min(values, key=len)) >= _SAID


def strip_one_label(one: Memory, two: Memory) -> tuple[str, str]:
    """Both texts; of two that are read in every session without the label that only one of them has."""
    labels = [_BEHIND.match(memory.text) is not None for memory in (one, two)]
    if labels[0] is labels[1] or not _are_read(one, two):
        return one.text, two.text
    return _BEHIND.sub("", one.text, count=1), _BEHIND.sub("", two.text, count=1)


def is_told_apart(one: str, two: str) -> bool:
    """Whether each of two texts is about a file of its own, they share a record's number alone, one tells that what the
    other one says was changed, or both name another version of one thing."""
    if has_other_file(one, two) or share_record_alone(one, two):
        return True
    for text, other in ((one, two), (two, one)):
        for was in _CHANGED.finditer(text):
            if was[1] in other and was[2] not in other:
                return True
    mine, theirs = (dict(_VERSION.findall(text)) for text in (one, two))
    return any(
        not value.startswith(theirs[name]) and not theirs[name].startswith(value)
        for name, value in mine.items()
        if name in theirs
    )


def _read_field(memory: Memory) -> _Field | None:
    """A memory that is a field whose value says something; None: any other."""
    text = memory.text
    if (
        len(text) > _LONGEST
        or "\n" in text
        or memory.status is not Status.ACTIVE
        or memory.extra.get("done") is not None
        or memory.kind in {"todo", "summary", "event"}
        or is_of_log(memory.path)
    ):
        return None
    found = _FIELD.match(text)
    if found is None:
        return None
    if _MOMENT.match(found["value"]):
        return None
    value = normalize_text(_ASIDE.sub("", found["value"]))
    # More cells are a row, more labels a form.
    if " · " in found["value"] or ":**" in found["value"] or _STATE.fullmatch(value):
        return None
    counted = memory.layer in {Layer.PROFILE, Layer.CORE} and _FIGURE.match(value)
    if _BARE.fullmatch(value) and not counted and not find_addresses(text):
        return None
    return _Field(memory, normalize_text(found["label"]), value)


def _place(field: _Field) -> tuple[str, str]:
    return field.memory.home, field.memory.path


def _are_read(one: Memory, two: Memory) -> bool:
    """Whether both are read in every session: what is said there twice has one meaning, whatever it is called."""
    return {one.layer, two.layer} <= {Layer.PROFILE, Layer.CORE}


def _is_passing(memory: Memory) -> bool:
    """Whether it tells of its day."""
    return memory.layer is Layer.JOURNAL or is_of_day(memory.path)


def find_copied_sections(memories: Iterable[Memory]) -> Iterator[tuple[Memory, Memory]]:
    """Of two sections of one file of which one says nearly all that the other says, the line that says most, twice.
    What three sections have is a form."""
    files: defaultdict[tuple[str, str], defaultdict[tuple[str, ...], dict[str, Memory]]] = defaultdict(
        lambda: defaultdict(dict)
    )
    for memory in memories:
        if memory.layer in {Layer.PROFILE, Layer.CORE, Layer.KNOWLEDGE} and not (
            is_of_day(memory.path) or is_of_log(memory.path)
        ):
            files[memory.home, memory.path][memory.heading].setdefault(normalize_text(memory.text), memory)
    for sections in files.values():
        holding: defaultdict[str, list[tuple[str, ...]]] = defaultdict(list)
        for heading, lines in sections.items():
            for text in lines:
                holding[text].append(heading)
        shared: defaultdict[tuple[tuple[str, ...], tuple[str, ...]], list[str]] = defaultdict(list)
        for text, headings in holding.items():
            if len(headings) == 2:
                shared[headings[0], headings[1]].append(text)
        for (one, two), texts in shared.items():
            least = min(len(sections[one]), len(sections[two]))
            if len(texts) >= _LINES and len(texts) >= _MOST * least:
                most = max(texts, key=lambda text: (weigh_text(text), text))
                yield sections[one][most], sections[two][most]


def find_copied_lines(notes: Iterable[Memory]) -> Iterator[tuple[Memory, Memory]]:
    """Lines of a diary's day that stand in its file twice, letter by letter and of the same hour: a passage that was
    written down a second time, or one line that says much. What stands there more often is a form, or comes back."""
    days: defaultdict[tuple[str, str], list[Memory]] = defaultdict(list)
    for note in notes:
        if _DAY_FILE.search(note.path) and note.status is Status.ACTIVE and not note.extra.get("code"):
            days[note.home, note.path].append(note)
    for day in days.values():
        holding: defaultdict[tuple[str, float | None], list[Memory]] = defaultdict(list)
        for note in day:
            holding[note.text, note.created].append(note)
        shifts: defaultdict[int, list[tuple[Memory, Memory]]] = defaultdict(list)
        for some in holding.values():
            one, two = min(some, key=_start), max(some, key=_start)
            if len(some) == 2 and one.last < two.start:
                shifts[two.start - one.start].append((one, two))
        for pairs in shifts.values():
            first, last = min(one.start for one, _two in pairs), max(one.start for one, _two in pairs)
            whole = sum(first <= note.start <= last for note in day)
            least = _OF_PASSAGE if len(pairs) >= _LINES and len(pairs) >= _MOST * whole else _WRITTEN_TWICE
            yield from (
                pair
                for pair in pairs
                if weigh_text(normalize_text(pair[0].text)) >= least
                and (least == _OF_PASSAGE or is_telling(pair[0].text))
            )


def _start(memory: Memory) -> int:
    return memory.start


def find_copied_tasks(tasks: Iterable[Memory]) -> Iterator[tuple[Memory, Memory]]:
    """Open tasks that stand in two lists: done in one of them, they would stay open in the other. By all that they
    say, or by the name that both begin with; what more lists have comes back in each, or is a step of a form."""
    said: defaultdict[str, list[Memory]] = defaultdict(list)
    named: defaultdict[str, list[Memory]] = defaultdict(list)
    for task in tasks:
        if is_of_log(task.path) or _ROUTINE.search(task.path):
            continue
        said[normalize_text(_SINCE.sub("", task.text))].append(task)
        if (lead := _LEAD.match(task.text)) is not None:
            named[normalize_text(lead["name"])].append(task)
    whole = [pair for text, some in said.items() if weigh_text(text) >= _TASK for pair in _pair_tasks(some)]
    lists = Counter(_list_values(*pair) for some in named.values() for pair in _pair_tasks(some))
    seen = {one.id for pair in whole for one in pair}
    yield from whole
    for text, some in named.items():
        for one, two in _pair_tasks(some):
            least = _ONE_OF_NAMES if lists[_list_values(one, two)] >= _ALIGNED else _NAME_OF_TASK
            if weigh_text(text) >= least and not {one.id, two.id} & seen:
                yield one, two


def _pair_tasks(some: Sequence[Memory]) -> Iterator[tuple[Memory, Memory]]:
    """Two tasks of one wording, if there are no more of them, and they are not items of one list."""
    if len(some) == 2 and not _is_one_list(*some) and not has_other_number(some[0].text, some[1].text):
        yield some[0], some[1]


def _list_values(one: Memory, two: Memory) -> frozenset[tuple[str, tuple[str, ...]]]:
    return frozenset(((one.path, one.heading), (two.path, two.heading)))


def _is_one_list(one: Memory, two: Memory) -> bool:
    """Whether two tasks are items of one list, or of two that have a name in common: each plan has its own steps."""
    if (one.home, one.path) == (two.home, two.path):
        return is_of_day(one.path) or (one.heading == two.heading and abs(one.start - two.start) <= 2 * _BESIDE)
    names = {_FIGURES.sub("", memory.path.rpartition("/")[2]) for memory in (one, two)}
    return len(names) == 1 and not (is_of_day(one.path) and is_of_day(two.path))


def find_beside(
    likely: Iterable[tuple[Memory, Memory]], told: Iterable[tuple[Memory, Memory, object]]
) -> Iterator[tuple[Memory, Memory]]:
    """Those of the likely pairs that stand, in both of their files, right beside two lines that say the same: a passage
    was told again, each line in words of its own."""
    known: defaultdict[tuple[tuple[str, str], tuple[str, str]], list[tuple[int, int]]] = defaultdict(list)
    taken: set[str] = set()
    for one, two, _how in told:
        taken.update((one.id, two.id))
        for first, second in ((one, two), (two, one)):
            places = (first.home, first.path), (second.home, second.path)
            known[places].append((first.start, second.start))
    for one, two in likely:
        lines = known.get(((one.home, one.path), (two.home, two.path)), ())
        beside = any(
            0 < abs(one.start - mine) <= _BESIDE and 0 < abs(two.start - theirs) <= _BESIDE for mine, theirs in lines
        )
        if beside and one.path != two.path and not {one.id, two.id} & taken:
            taken.update((one.id, two.id))
            yield one, two


def limit_pages(
    pairs: Sequence[tuple[Memory, Memory, Likeness]], own_project: str
) -> list[tuple[Memory, Memory, Likeness]]:
    """Of a workspace's pages only the first few that repeat each other: they quote the same sources, each for its own
    subject, where what is read in every session is to be said once."""
    if own_project != "always":
        return list(pairs)
    found: list[tuple[Memory, Memory, Likeness]] = []
    pages: set[tuple[str, str]] = set()
    for pair in pairs:
        files = (min(pair[0].path, pair[1].path), max(pair[0].path, pair[1].path))
        aside = pair[0].layer is pair[1].layer is Layer.KNOWLEDGE
        if not aside or files in pages or len(pages) < _PAGES:
            found.append(pair)
            if aside:
                pages.add(files)
    return found


def join_passages(candidates: Iterable[Candidate]) -> Iterator[Candidate]:
    """Duplicates, those that two files share line by line as one: a person sees at once how much stands there twice,
    and decides once."""
    single = list(candidates)
    files: defaultdict[tuple[str, str, str], list[Candidate]] = defaultdict(list)
    for one in single:
        paths = [source.path for source in one.sources]
        again = one.text == one.near[0].text and is_of_day(paths[0])
        if len(paths) == 2 and (paths[0] != paths[1] or again) and _is_said_alike(one.text, one.near[0].text):
            files[one.home, paths[0], paths[1]].append(one)
    joined: dict[str, list[Candidate]] = {}
    for some in files.values():
        if len(some) >= _JOINED:
            joined[some[0].id] = some
    gone = {one.id for some in joined.values() for one in some}
    yield from (one for one in single if one.id not in gone)
    yield from map(_join, joined.values())


def _is_said_alike(one: str, two: str) -> bool:
    """Whether two say the same for the most part in the same words: nobody has to think about each."""
    mine, theirs = extract_terms(one), extract_terms(two)
    return len(mine & theirs) >= _LETTER_BY_LETTER * len(mine | theirs)


def _join(some: Sequence[Candidate]) -> Candidate:
    """Several duplicates of the same two files, as one, in the order of their lines."""
    some = sorted(some, key=lambda one: (one.sources[0].line, one.sources[1].line))
    first = some[0]
    more = len(some) - 1
    told = _n(
        "{place} says the same, and {count} more line as well",
        "{place} says the same, and {count} more lines as well",
        more,
    )
    other = first.sources[1]
    return first._replace(
        id=compute_candidate_id("duplicate", first.home, "\0".join(one.id for one in some)),
        score=max(one.score for one in some),
        parts=(*first.parts, ("lines", str(len(some)))),
        sources=tuple(source for one in some for source in one.sources),
        near=tuple(one.near[0] for one in some),
        memories=tuple(named for one in some for named in one.memories),
        reason=told.format(place=f"{other.path}:{other.line}"),
        members=tuple(some),
    )
