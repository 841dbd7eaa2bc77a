"""How a memory, a search hit and a turn look as rows: marker, kind, text, then what is known about it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.cells import cell_len

from memtui.core import clock
from memtui.core.locale import _, _n
from memtui.core.model import Level, Memory, Status
from memtui.core.startup import compile_pattern
from memtui.core.text import ITEM_KEY
from memtui.safety.sanitize import sanitize_text
from memtui.store.happenings import PACKAGE, is_unreleased
from memtui.tui import draw
from memtui.tui.prose import SOON, STATUS_STYLES, SYMBOLS, number

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Mapping
    from datetime import datetime

    from memtui.core.model import Hit, Route, Turn
    from memtui.tui.draw import Piece
    from memtui.tui.row_list import Brush

SHORT, LONG = 6, 8
"""Cells for the word of a kind, in a narrow list and in a wide one: decision is decis… in the former."""

OPEN, DONE = "☐", "☑"
STRENGTH = 4
"""Cells that say how well a hit answers, how sure or how alike something is."""
STEP = 3
"""Cells by which a part is indented."""

ROOM = 54
"""Cells from which a list is a wide one."""
ROOMY = 48
"""Cells from which a row on Home names the file or the hour, too; below that the text needs them all."""
WIDE = 76
"""Cells from which a row says more than whose it is, what it says and how old it is."""
TOLD = frozenset({"pref", "preference", "persona", "rule", "convention", "decision", "lesson", "error", "experience"})
"""Kinds whose word tells how to take a text. The others say no more than that it is one."""
ORIGIN_WORDS = {
    "distilled": "journal", "asked": "colleague", "proposed": "agent", "contradiction": "conflict",
    "duplicate": "duplicate", "quarantine": "quarantine", "secret": "secret", "capability": "skill",
    "stale": "outdated", "weak": "low effect", "attachment": "expired", "order": "order",
}  # fmt: skip
"""The word for where a candidate comes from (source strings)."""


def format_kind(kind: str, cells: int) -> str:
    """The kind in its column; without `cells` as long as its word is, or two thirds of a long one."""
    word = draw.name_kind(kind)
    return draw.pad(word, cells) if cells else draw.cut(word, LONG)


TOPICS = frozenset({"user", "feedback", "project", "reference"})
"""Kinds of topics: what their head says of one says more than its name."""


def make_headline(memory: Memory) -> str:
    """One safe line for a row that says what the memory says: what a topic is about rather than its name, the title of
    another long text, else its beginning; without what only sets its type.
    """
    said = memory.text.rstrip("*_ \n")
    # What a label leads to says more than the label; a record of fields is called what its heading says.
    head = not memory.reach and memory.start == 1 and memory.kind in TOPICS and bool(said)
    named = (
        memory.title
        and not head
        and (not memory.reach or said[-1:] in {"", ":", "："} or memory.heading[-1:] == (memory.title,))
    )
    text = memory.title if named else memory.text
    line = strip_line(draw.clip_to_line(_join_items(text[: draw.LINE])))
    return line if choose_time(memory) is None else _WHEN.sub("", line, count=1)


def _join_items(text: str) -> str:
    """What a list below the first line says, in that line: 'Auth · ☑ sign in · ☐ sign out'."""
    return _ITEM.sub(lambda found: (f"{found[1]} " if found[1] else " · ") + _TICKS.get(found[2] or "", ""), text)


_ITEM = compile_pattern(r"([:：])?[ \t]*\n\s*[-*+] (?:\[([ xX√-])\] )?(?=\S)")
_TICKS = {" ": "☐ ", "x": "☑ ", "X": "☑ ", "√": "☑ ", "-": "☐ "}


_WHEN = compile_pattern(
    r"\A(?:[\[【(（]20\d\d[-/.]\d\d?[-/.]\d\d?(?:[ T]\d\d?:\d\d(?::\d\d)?)?"
    r"(?: ?(?:UTC|GMT|Z|[A-Z]{2,4}T)(?:[+-]\d+)?)?[\])】）]"
    r"|(?:Europe|America|Asia|Africa|Australia|Pacific|Atlantic)/[A-Z]\w+)\s*[-–—:：|]?\s*(?=\S{2})"
)
"""When something was noted, before what was noted: lists tell its day."""


def name_record(memory: Memory) -> str:
    """`make_headline`; of several fields in one row it says first whose they are, which is their heading."""
    line = make_headline(memory)
    if is_only_classified(memory):
        return strip_line(draw.clip_to_line(name_section(memory)))
    if memory.reach > memory.end and len(memory.heading) > 1 and _FIELD.match(line):
        return draw.cut(strip_line(draw.clip_to_line(name_section(memory))), NAMED) + " · " + line
    return line


def is_only_classified(memory: Memory) -> bool:
    """Whether its fields say no more than of what kind it is: its heading says what it is about."""
    return len(memory.heading) > 1 and _CLASSIFIED.fullmatch(memory.text[: draw.LINE].strip()) is not None


_CLASSIFIED = compile_pattern(
    r"\W{0,6}(?:type|area|category|类型|类别|分类|领域)\W{0,4}[:：]\W{0,4}[^\n]{0,60}(?:\n|\Z)"
    r"(?:\W{0,6}(?:type|area|category|scope|domain|id|status|priority|date|created"
    r"|类型|类别|分类|领域|范围|状态|优先级|日期)\W{0,4}[:：]\W{0,4}[^\n]{0,60}(?:\n|\Z))*",
    2,
)


NAMED = 32
"""Cells of a record's name."""
_FIELD = compile_pattern(r"\w[\w /-]{0,24}[:：]")


def strip_line(line: str) -> str:
    """A line without Markdown, table bars, and the numbers and pictures that it begins with."""
    if line[:1] == "|":
        line = " · ".join(cell.strip() for cell in line.strip("| ").split("|"))
    line = _LINK.sub(lambda match: match[1] or match[2] or match[3], line)
    line = _EMPHASIS.sub(r"\1", draw.strip_type(line))
    bare = _CLUTTER.sub("", line, count=1) or line
    if bare.count("-") > 3:
        # Nobody reads a session's id to its end.
        bare = _ID.sub(r"\1…", bare)
    return _BLANK.sub(" ", bare) if "<" in bare or "&" in bare else bare


_ID = compile_pattern(r"\b([0-9a-f]{8})-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b")
_BLANK = compile_pattern(r" ?(?:<br ?/?>|&nbsp;)+ ?", 2)


_LINK = compile_pattern(
    r"!?\[\[(?:[^\]|]{1,200}\|)?([^\]|]{1,200})\]\]|!?\[([^\]]{1,200})\]\([^)\s]{0,500}\)|<!--(.*?)-->"
)
_EMPHASIS = compile_pattern(
    r"(?:(?<=[\s(\"'（「《—:：,，、])|^)\*(?=[^\W_])([^*\n]{0,300}[^\W_)）.!?。！？…])\*(?=$|[\s)\"'.,;:!?）」》，。；：、])"
)
"""One asterisk on each side of words: those of globs and products stay."""
_CLUTTER = compile_pattern(
    r"\A(?:#{1,6}\s+|[-*+]\s+(?:\[[ xX√-]\]\s+)?|>\s+|\d{1,3}[.)、]\s*(?=\D)|\d\ufe0f?\u20e3\s*|"
    r"[\u2190-\u21ff\u2300-\u23ff\u2460-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff\ufe0f\u200d\u20e3\s]+)+(?=\S)"
)


def mark_words(text: str, brush: Brush, style: str) -> list[Piece]:
    """The text with what is searched for marked."""
    if not brush.words:
        return [(text, style)]
    lower, marks = text.lower(), []
    if len(lower) != len(text):
        return [(text, style)]
    for word in brush.words:
        start = lower.find(word)
        while start >= 0 and word:
            marks.append((start, start + len(word)))
            start = lower.find(word, start + len(word))
    return draw.mark_places(text, marks, style) if marks else [(text, style)]


def choose_body_style(memory: Memory) -> str:
    """What no longer holds is dim, and what is done."""
    holds = memory.status in {Status.ACTIVE, Status.CANDIDATE} and not memory.extra.get("done")
    return "" if holds else "dim"


def draw_symbol(memory: Memory) -> Piece:
    """The sign of its status before its text: none of what holds, which is most; of what is to be done a box."""
    if memory.status is Status.ACTIVE:
        if memory.extra.get("done"):
            return f" {DONE} ", "dim"
        return (f" {OPEN} ", f"kind.{memory.kind}") if memory.kind == "todo" else (" ", "")
    return f" {SYMBOLS[memory.status]} ", STATUS_STYLES.get(memory.status, "dim")


def _note(memory: Memory) -> str:
    if memory.superseded_by.startswith(ITEM_KEY):
        # An id of Markdown says nothing to anybody: the detail shows what replaces it.
        return _("→ newer")
    if memory.superseded_by:
        return "→ " + draw.cut(sanitize_text(memory.superseded_by[:40], keep_newlines=False), 14)
    if memory.expires is not None and memory.status is Status.ACTIVE:
        left = memory.expires - clock.now()
        if left < SOON:
            return _("expires {when}").format(when=clock.format_age(memory.expires, bare=True))
    return ""


def draw_memory_row(
    item: Memory, brush: Brush, text: str = "", aside: str = "", *, kind: bool = True, whose: str = ""
) -> list[list[Piece]]:
    """The text first; then the kind where it tells how to take it (or, in a wide list, `kind` at all), how sure it is
    where there is room, and its age; one that is only the file's begins with a tilde. `text` stands for its own, and
    `aside` follows where there is room; `whose` it is stands before what is on the right.
    """
    right: list[Piece] = []
    wide = brush.width >= WIDE
    if whose and brush.width >= ROOM:
        right.append((f"  {draw.cut(whose, 24)}", "faint"))
    age = clock.format_age(choose_time(item))
    if not age and item.modified and wide:
        age = "~" + clock.format_age(item.modified, bare=True)
    if brush.width >= 36:
        if note := _note(item):
            right.append((f"  {note}", "dim" if note.startswith("→") else "warn"))
        if kind and brush.width >= 44 and (wide or item.kind in TOLD) and item.kind != "todo":
            right.append((" " + format_kind(item.kind, LONG if wide else 0), f"kind.{item.kind}"))
        if wide and item.confidence is not None:
            right.append((f" {number(item.confidence):>4}", "dim"))
    if brush.width >= 44 and (age or right):
        # Without an age, and without a word that stands in a column before it, the text goes on.
        right.append((f" {age:>{4 if wide else 3}}", "faint"))
    right.append((" ", ""))
    left = [draw_symbol(item)]
    middle = mark_words(text or name_record(item), brush, choose_body_style(item))
    if aside and wide:
        middle = [*middle, (f"  {aside}", "faint")]
    return [draw.fit_row(left, middle, right, brush.width)]


def draw_entry_row(item: Memory, brush: Brush, file: str = "") -> list[list[Piece]]:
    """Section, then text: how the profile reads; last the `file`, where no row above names it and there is room."""
    section = draw.clip_to_line(name_section(item))
    name = item.path.rpartition("/")[2]
    for told in (name, name.rpartition(".")[0]):
        # The file is named above its rows.
        if told and section.startswith(told) and not section[len(told) :][:1].isalnum():
            section = section[len(told) :].strip(" -–—:：·|")
            break
    bare = is_only_classified(item)
    shown = section if not bare and not _is_same_section(item, brush.above) else ""
    text = mark_words(name_record(item) if bare else make_headline(item), brush, choose_body_style(item))
    file = draw.clip_to_line(file) if brush.width >= ROOMY else ""
    right = [*([("  " + draw.cut(file, max(8, brush.width // 4)), "head")] if file else []), (" ", "")]
    left = [draw_symbol(item)]
    if shown:
        # Above the first of its rows a section would take a line; before it, it takes a few cells once, or all that
        # a short text leaves.
        room = brush.width - sum(map(draw.count_cells, (left, text, right))) - 2
        text = [(draw.cut(shown, max(NAME, brush.width // 4, room)) + "  ", "dim"), *text]
    return [draw.fit_row(left, text, right, brush.width)]


NAME = 12
"""Cells of a section's name that any row has for it: most names are no longer."""


def _is_same_section(item: Memory, above: Any) -> bool:
    return (
        isinstance(above, Memory)
        and name_section(above) == name_section(item)
        and (above.home, above.path) == (item.home, item.path)
    )


def name_section(memory: Memory) -> str:
    """The heading that says what a memory is about: where the nearest one only says what kind of words follow
    ("Status", "L1 (Overview)", "配置"), the one above it, unless that is the document's; without the day or number
    before words.
    """
    heading = memory.heading
    above = 2 if len(heading) > 2 and _LABEL.fullmatch(heading[-1]) else 1
    return draw.strip_type(_DAY.sub("", heading[-above])) if heading else ""


_DAY = compile_pattern(
    r"^(?:\W*20\d\d[-/.]\d\d?[-/.]\d\d?\s*[-—–:：|·]+"
    r"|\W{0,4}[A-Z]{2,12}[-_]20\d\d-?\d\d-?\d\d(?:[-_][A-Za-z0-9]{1,8})?(?:\]|\s*[-—–:：|·](?=\s)))\s*(?=\w{2})"
)
"""The day, or a record's number with the day in it, before what a heading says."""


_LABEL = compile_pattern(
    r"\W*(?:l[0-3]\s*\((?:abstract|overview|details?|summary)\)|(?:an )?overview|abstract|details?|summary|status"
    r"|notes?|context|background|description|info(?:rmation)?|general|other|misc(?:ellaneous)?|principles?|implementation"
    r"|what (?:happened|it is|this means|it does)|key (?:points|details|facts|info)|why it matters"
    r"|配置|说明|概述|概览|详情|详细信息|状态|当前状态|备注|背景|简介|内容|其他|描述|要点|基本信息)\W*",
    2,
)


def draw_nested_row(
    draw_one: Callable[[Any, Brush], list[list[Piece]]], item: Any, brush: Brush, unfolded: Container[str]
) -> list[list[Piece]]:
    """A row as a list draws it: a sign before what unfolds, what stands within another indented below it."""
    if not isinstance(item, Memory):
        return draw_one(item, brush)
    if item.level is Level.PART and brush.width > 2 * STEP:
        lines = draw_one(item, brush._replace(width=brush.width - STEP))
        return [[(" " * STEP, ""), *line] for line in lines]
    if brush.width <= 2 * STEP:
        return draw_one(item, brush)
    # Every row has the sign's cell, so that days and texts stand below each other.
    sign = " " if item.reach <= item.end else "▾" if item.id in unfolded else "▸"
    lines = draw_one(item, brush._replace(width=brush.width - 1))
    return [[(sign if not at else " ", "dim"), *line] for at, line in enumerate(lines)]


_LEFT = {
    "decisions": ("{count} decision", "{count} decisions"),
    "todos": ("{count} open", "{count} open"),
    "open": ("{count} open", "{count} open"),
    "files": ("{count} file", "{count} files"),
    "turns": ("{count} turn", "{count} turns"),
}


def describe_session_counts(item: Memory) -> str:
    """'3 decisions', '2 open': what a session left behind, as far as its head says."""
    for key, (one, many) in _LEFT.items():
        found = item.extra.get(key)
        amount = len(found) if isinstance(found, (list, tuple)) else found
        if isinstance(amount, int) and not isinstance(amount, bool) and amount > 0:
            return _n(one, many, amount)
    return ""


def read_session_project(item: Memory) -> str:
    """The project a session belongs to, by its own word."""
    found = item.extra.get("project") or item.extra.get("cwd") or ""
    return draw.clip_to_line(str(found)).rstrip("/\\").replace("\\", "/").rpartition("/")[2]


def choose_time(item: Memory) -> float | None:
    """The time that lists go by: when it last changed, else when it was made."""
    return item.updated if item.updated is not None else item.created


def draw_timed_row(
    item: Memory, brush: Brush, *, days: bool = True, text: str = "", kind: str = "", whose: str = ""
) -> list[list[Piece]]:
    """11-21 Sat  14:30  project  text …  3 decisions; `text` and `kind` stand in for its own; `whose` it is."""
    moment = choose_time(item)
    left: list[Piece] = [(" ", "")]
    local = clock.convert_to_local(moment) if moment is not None else None
    if days and brush.width >= 34:
        day = format_short_day(local) if local else ""
        above = choose_time(brush.above) if hasattr(brush.above, "created") else None
        if is_unreleased(item) and not (isinstance(brush.above, Memory) and is_unreleased(brush.above)):
            day = _("unreleased")
        if local and above is not None and clock.format_day(above) == local.strftime("%Y-%m-%d"):
            day = ""
        left.append((draw.pad(day, 7 + cell_len(name_weekday(0))), "head" if day else ""))
    wide = 0
    if not days or brush.width >= ROOMY:
        # A whole date leaves no gap: it is made before the hour instead of behind it.
        wide = int(days and local is not None and not is_this_year(local))
        # A day that names no hour has none.
        hour = local.strftime("%H:%M") if local else ""
        left.append((" " * wide + draw.pad("" if hour == "00:00" else hour, 5), "dim"))
    left.append((" " * (2 - wide), "") if days else (" ", ""))
    word, session = kind or item.kind, item.kind == "session"
    if item.kind == "todo":
        left.append((f"{DONE if item.extra.get('done') else OPEN} ", "kind.todo"))
    middle = mark_words(text or name_record(item), brush, choose_body_style(item))
    right: list[Piece] = [(" ", "")]
    # What a text leaves free says more of it; what is planned, and how to take it, is said at once.
    room = brush.width - draw.count_cells([*left, *middle])
    asides: list[Piece] = []
    if session:
        asides = [(read_session_project(item), "kind.session"), (describe_session_counts(item), "dim")]
    elif item.kind != "todo":
        asides = [(format_kind(word, 0), f"kind.{word}")]
    if whose and brush.width >= ROOMY:
        right.insert(0, (f"  {draw.cut(whose, 12)}", "faint"))
    for said, style in asides:
        needed = draw.count_cells([("  " + said, "")])
        if said and (needed < room or kind or brush.width >= WIDE):
            right.insert(0, ("  " + draw.cut(said, 2 * LONG), style))
            room -= needed
    return [draw.fit_row(left, middle, right, brush.width)]


def draw_dated_row(item: Memory, brush: Brush, *, days: bool = True, whose: str = "") -> list[list[Piece]]:
    """`draw_timed_row`; of a plan's document the plan."""
    plan = name_plan(item)
    return draw_timed_row(item, brush, days=days, text=plan, kind="plan" if plan else "", whose=whose)


def name_plan(memory: Memory) -> str:
    """What a plan is called: its document's heading, else its folder's name; empty where it is of no plan."""
    match = PACKAGE.match(memory.path)
    if match is None:
        return ""
    head = memory.heading[0] if memory.heading else ""
    _what, _colon, name = head.replace("：", ":").partition(":")
    name = name.strip() or match[5]
    return name if " " in name or not name.isascii() else name.replace("-", " ").replace("_", " ")


def format_short_day(local: datetime) -> str:
    """11-21 Sat; of another year the whole date."""
    if is_this_year(local):
        return f"{local.strftime('%m-%d')} {name_weekday(local.weekday())}"
    return local.strftime("%Y-%m-%d")


def is_this_year(local: datetime) -> bool:
    """Whether a day needs no year to be understood."""
    return local.year == clock.convert_to_local(clock.now()).year


def name_weekday(day: int) -> str:
    """Three letters, Monday first."""
    return (_("Mon"), _("Tue"), _("Wed"), _("Thu"), _("Fri"), _("Sat"), _("Sun"))[day]


def draw_grouped_hit(
    item: Hit, brush: Brush, home: str, documents: Mapping[Any, list[Hit]], unfolded: Container[object], *, mixed: bool
) -> list[list[Piece]]:
    """A hit as Search lists it: the best of a document stands for it and says how many more there are, which stand
    indented below it where it is unfolded."""
    group = documents.get(item.document, ())
    if len(group) < 2 or brush.width <= 4 * STEP:
        return draw_hit(item, brush, home, mixed=mixed)
    if item is not group[0]:
        lines = draw_hit(item, brush._replace(width=brush.width - STEP), inside=True, mixed=mixed)
        return [[(" " * STEP, ""), *line] for line in lines]
    open_ = item.document in unfolded
    shown = item if open_ else item._replace(others=item.others + len(group) - 1)
    lines = draw_hit(shown, brush._replace(width=brush.width - 1), home, mixed=mixed)
    return [[("▾" if open_ else "▸", "dim"), *lines[0]], [(" ", ""), *lines[1]]]


def draw_hit(item: Hit, brush: Brush, home: str = "", *, inside: bool = False, mixed: bool = True) -> list[list[Piece]]:
    """Two lines: the line found, with its matches; then where it stands, with the home's label if there is one, and how
    many more lines answer. `inside`: the document stands above it. `mixed`: words found some of them, meaning others.
    """
    holds = item.status is Status.ACTIVE
    left = [(" ", "") if holds else (f" {SYMBOLS[item.status]} ", STATUS_STYLES.get(item.status, "dim"))]
    style = "" if item.status in {Status.ACTIVE, Status.CANDIDATE} else "dim"
    middle = draw.mark_places(*_strip_line(item), style)
    strength = [(f" {draw.draw_bar(item.score, STRENGTH)} ", "dim")] if item.score else [(" ", "")]
    if item.kind in TOLD or (item.kind and brush.width >= WIDE):
        strength.insert(0, (" " + format_kind(item.kind, 0), f"kind.{item.kind}"))
    first = draw.fit_row(left, middle, strength, brush.width)
    heading = draw.strip_type(draw.clip_to_line(" › ".join(item.heading)))
    end = [(f" {clock.format_age(item.time)} ", "faint")]
    if item.others:
        more = _n("+{count} line", "+{count} lines", item.others)
        end.insert(0, (f" {more}", "dim"))
    if mixed and item.meant and brush.width >= ROOMY:
        end.insert(0, (f" {_('by meaning')}", "dim"))
    room = brush.width - STEP - 8 - (draw.count_cells(end) if len(end) > 1 else 0)
    shown = draw.cut(home, room // 3) + "  " if home else ""
    room -= draw.count_cells([(shown, "")])
    kept = min(draw.count_cells([(heading, "")]) + 2, room * 2 // 5) if heading else 0
    path = "" if inside else item.path
    where = draw.clip_start(draw.clip_to_line(f"{path}:{item.start_line}"), room - kept)
    second = draw.fit_row(
        [(" " * STEP, "")],
        [(shown, "dim"), (where, "faint"), (f"  {heading}" if heading else "", "faint")],
        end,
        brush.width,
    )
    return [first, second]


def route(item: Route, brush: Brush, home: str = "") -> list[list[Piece]]:
    """Two lines: the document that a rule leads to; then by which word, and where the rule stands."""
    shown = draw.cut(home, brush.width // 3) + "  " if home else ""
    where = draw.clip_start(draw.clip_to_line(item.path), brush.width - 4 - draw.count_cells([(shown, "")]))
    by = draw.clip_to_line(f"'{item.trigger}' ({item.source})")
    return [
        draw.fit_row([(" → ", "accent")], [(shown, "dim"), (where, "")], [(" ", "")], brush.width),
        draw.fit_row([("   ", "")], [(by, "faint")], [(" ", "")], brush.width),
    ]


def _strip_line(item: Hit) -> tuple[str, list[tuple[int, int]]]:
    """The line without what is a column of its own here (bullet, time, kind) and what only sets its type; the
    marks go with their words.
    """
    text, marks = item.snippet, list(item.marks)
    if text.lstrip()[:1] == "|":
        # As long as it was: the marks stay where they are.
        text = text.replace(" | ", " · ")
    # Where a link leads to, and what a line says to programs, is shown only if it alone was found.
    for link in reversed(list(_LINKED.finditer(text)) if "](" in text else ()):
        begin, end = link.span(2)
        if any(stop <= begin or start >= end for start, stop in marks):
            text, marks = _cut_out(text, marks, begin, end)
            text, marks = _cut_out(text, marks, *link.span(1))
    for aside in reversed(list(_ASIDE.finditer(text)) if "<!--" in text or "(source=" in text else ()):
        begin, end = aside.span()
        if any(stop <= begin or start >= end for start, stop in marks):
            text, marks = _cut_out(text, marks, begin, end)
    for clutter in _SETTING:
        for part in reversed(list(clutter.finditer(text))):
            begin, end = part.span()
            if end - begin < len(text) and not any(start < end and stop > begin for start, stop in marks):
                text, marks = _cut_out(text, marks, begin, end)
    return text, marks


_ASIDE = compile_pattern(r"\s*(?:<!--.{0,400}?-->|\(source=[^\s()]{1,200}\))")


def _cut_out(text: str, marks: list[tuple[int, int]], begin: int, end: int) -> tuple[str, list[tuple[int, int]]]:
    gone = end - begin
    left = [(start, stop) for start, stop in marks if stop <= begin or start >= end]
    moved = [(start - gone, stop - gone) if start >= end else (start, stop) for start, stop in left]
    return text[:begin] + text[end:], moved


_LINKED = compile_pattern(r"(!?\[)(?=[^\[\]\n]{1,200}\]\()[^\[\]\n]+(\]\([^()\n]*(?:\)|\Z))")
"""A link of Markdown: what stands before its words, and what stands behind them, cut off maybe."""


_SETTING = [
    compile_pattern(rf"\A{part}")
    for part in (
        r"(?:\s*\|\s*|\s+)",
        r"\s*(?:[-*+]|#{1,6}|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?",
        r"\d{4}-\d\d-\d\d[T ][\d:.]{5,15}\S*\s+",
        r"\[\w{1,12}\]\s+",
        r"(?:description|name|title|summary):\s+[\"']?",
    )
] + [compile_pattern(r"\*\*|`|\s*\|\s*\Z")]

_ROLES = {"user": "kind.pref", "assistant": "kind.rule", "tool": "dim", "system": "faint", "summary": "kind.todo"}


def name_speaker(item: Turn) -> str:
    """user, → Bash, ← Bash: who speaks, what is called, what answers."""
    if not item.tool:
        return item.role
    return f"{'←' if item.role == 'tool' else '→'} {sanitize_text(item.tool[:24], keep_newlines=False)}"


def turn(item: Turn, brush: Brush) -> list[list[Piece]]:
    """14:30  → Bash  text …"""
    time = clock.convert_to_local(item.time).strftime("%H:%M") if item.time is not None else "     "
    sign = "✗" if item.failed else "↳" if item.sidechain else " "
    left: list[Piece] = [
        (f" {time} ", "faint"),
        (f"{sign} ", "bad" if item.failed else "dim"),
        (draw.pad(name_speaker(item), 10) + " ", _ROLES.get(item.role, "dim")),
    ]
    style = "dim" if item.role in {"tool", "system"} else ""
    said = draw.clip_to_line(item.text)
    told = said if item.tool else strip_line(said)
    return [draw.fit_row(left, mark_words(told, brush, style), [(" ", "")], brush.width)]
