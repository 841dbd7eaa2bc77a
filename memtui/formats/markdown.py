"""Markdown as entries: one a list item, paragraph, table row or code block; headings give their paths and kinds.

It reads the notes of every layout (specs 000 to 004): frontmatter, stamps in comments, marks in the lines.
Writing is `markdown_write`.
"""

from __future__ import annotations

from memtui.core import clock
from memtui.core.model import Entry, Layer, Level, Parsed, Problem, Status
from memtui.core.startup import TYPE_CHECKING, Any, compile_pattern
from memtui.core.text import HAN
from memtui.formats import frontmatter, kinds, marks, record_sections, split_readable_lines, units
from memtui.formats.blocks import COMMENT, FENCE, HEADING, ITEM, MATTER, PARAGRAPH, ROW, Block, split_blocks
from memtui.formats.dates import assign_dates, find_day, log_days, normalize_dates, normalize_leading_date
from memtui.formats.marks import (
    LONGEST,
    STAMP,
    extract_links,
    measure_indent,
    parse_marked_entry,
    parse_trailing_asides,
    read_directive_mark,
    split_cells,
    stamp,
    strip_comments,
)
from memtui.formats.open_work import strip_heading
from memtui.formats.session_head import fold_session
from memtui.formats.task_lists import (
    is_plan_document,
    is_state_column,
    plan_ahead,
    reopen_failed,
    settle_boxes,
    settle_checklists,
    state_in_column,
    state_of_marked,
)
from memtui.formats.todos import (
    CELL,
    TICKS,
    WAITS,
    state_of,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memtui.formats import Source

PIECE = 1200
"""About how many characters one entry has at most; longer ones are divided at nested items or line ends."""

_DEPTH = 8
_SPACED = str.maketrans("-_", "  ")
_DAY = len("2026-02-10")
_SENTENCE = 12
"""Characters of the shortest sentence that says what a project is."""
_TASKS = compile_pattern(rf"(?!.*完成)[{HAN}]{{0,4}}任务")
_AT_AN_HOUR = compile_pattern(r"(?:[01]?\d|2[0-3])[:：][0-5]\d\b")
_AHEAD = compile_pattern(
    r"\b(?:due|deadline|target|plan|planned|eta|until|expir\w*|next|end|ends|birth\w*|born|fällig|frist|termin|bis|prazo|vence|"
    r"release|launch|event|start)\b|срок|дедлайн|截止|到期|计划|計劃|预计|預計|下次|目标|生日|结束|期限|上线",
    2,
)
"""Columns whose days are not those on which somebody wrote the row."""
_TOOL_BLOCK = compile_pattern(
    r"(?:(?P<begin>BEGIN|START)|END)\s*:\s*(?P<name>[\w. -]{1,60})|"
    r"(?P<named>[\w.-][\w. -]{0,60}?)(?:\s*:\s*|\s+|(?<=LIVE_STATUS)_|(?<=HELLOAGENTS)_)(?:(?P<opens>BEGIN|START)|END)",
    2,
)
_LONGEST_MARK = 80
_INSTRUCTIONS = frozenset({"CLAUDE.md", "AGENTS.md", "GEMINI.md", "CLAUDE.local.md"})
_REMEMBERED = ("memor", "lesson", "learn", "note", "log", "记忆", "经验")
"""What a block is called that a tool keeps for a person's sake."""
_TAGS = compile_pattern(r"(?:</?[A-Za-z][^<>]*>\s*)+")


def parse(source: Source) -> Parsed:
    """A Markdown file's entries; kinds from its headings, else the role's."""
    reading = MarkdownReading(source)
    reading.read()
    reading.group()
    return Parsed(source.text, reading.entries, reading.problems, reading.title)


class MarkdownReading:
    """One file being read: the headings above, what their stamps say, the entries so far."""

    def __init__(self, source: Source, kind: str | None = None, *, empty_headings: bool = True) -> None:
        self.path = source.path
        self._standing = source.role.layer is Layer.KNOWLEDGE
        self._plan = source.role.kind == "plan"
        self._instructs = source.role.shipped and source.role.layer is Layer.PROFILE
        self.lines, self.problems = split_readable_lines(source)
        self.entries: list[Entry] = []
        self.title = ""
        self.bare: set[int] = set()
        """The entries that are headings with nothing below them, by identity."""
        self.stamps: set[int] = set()
        """Those that say when the section was written at whose head they stand."""
        self._at_head = False
        self._role_kind = self.own = source.role.kind if kind is None else kind
        self.kind = self.own
        """Of what is read next: the innermost heading's that names one."""
        self.heading: tuple[str, ...] = ()
        self._empty_headings = empty_headings
        self._levels: list[tuple[int, str, tuple[str, ...]]] = []
        self._templates: list[tuple[int, Entry]] = []
        self._template: Entry | None = None
        self._pending: Entry | None = None
        self._bare: tuple[int, str, int, int, str, tuple[str, ...]] | None = None
        """The heading with nothing below it so far."""
        self._table: tuple[str, ...] = ()
        """The header of the table that is being read; which of its columns says how far things are, if any is not."""
        self._state_at, self._lacking = -1, False
        self._owned: tuple[str, int] | None = None
        self._block_of: tuple[str, int] | None = None
        """The block of a tool that is being read, and the first entry in it."""
        self._matter_of: Entry | None = None
        """What the file's own frontmatter says, where it describes it."""
        self._tells_nothing = False
        """The frontmatter has neither a name nor a description."""

    def read(self, start: int = 0) -> None:
        """Reads the lines from `start` (counted from 0) to the end."""
        lines, last = self.lines, HEADING
        add, before = self.entries.append, start
        for block in split_blocks(lines, start):
            what, first, end, data = block
            if what == ITEM and end - first == 1 and self._template is None and self._pending is None:
                text = lines[first].strip()[data:].lstrip()
                if text:
                    add(parse_marked_entry(text, end, end, self.kind, self.heading))
                    self._bare = None
            elif what == HEADING:
                self._enter(first, end, data[0], data[1])
            elif what == COMMENT:
                touching = before == first
                self._apply_comment(block, last == HEADING, touching)
                before = end if touching else -1
                continue
            else:
                count = len(self.entries)
                self._at_head = last == HEADING
                self._block(block, 0)
                if len(self.entries) > count:
                    self._bare = None
                    self._apply_pending(count)
            last, before = what, end
        self._close(0)

    def group(self) -> None:
        """Say which entries are memories and which are parts of one; a topic with a description is one memory."""
        head = self.entries[0] if self.entries and self.entries[0] is self._matter_of else None
        reopen_failed(self.entries, self.lines)
        days = log_days(self.entries, self.path) if self._standing else frozenset()
        if self._role_kind == "plan" and self.entries:
            head = self.entries[0]
            head.kind, head.title = "plan", _strip_form(self.title, self.path)
            units.unite(self.entries, head)
        elif self._role_kind == "overview" and self.entries:
            self._unite_overview()
        elif self._role_kind == "topic" and head is not None and not days:
            if self._tells_nothing:
                stem = self.path.rpartition("/")[2].rpartition(".")[0]
                head.text = self.title or stem.translate(_SPACED).strip() or head.text
            units.unite(self.entries, head)
        elif not fold_session(self.entries, self.lines, self.path):
            units.group(self.entries, self.lines, self.bare, self.stamps)
            if self._tells_nothing:
                self.set_label_aside(self.entries)
        units.settle(self.entries, self.lines, tasks=self._role_kind == "todo")
        settle_boxes(self.entries)
        if self._instructs:
            settle_checklists(self.entries, self.lines)
        frontmatter.settle_records(self.entries)
        if self._role_kind == "todo":
            self._unite_tickets()
        self.set_asides_apart(self.entries)
        if is_plan_document(self.path.rpartition("/")[2]):
            plan_ahead(self.entries, self.lines)
        if self._role_kind == "topic" and head is not None:
            frontmatter.settle_topic(self.entries, self.lines, self.path)
        assign_dates(self.entries, self.path, head)
        for entry in self.entries if days else ():
            if any(entry.heading[: depth + 1] in days for depth in range(len(entry.heading))):
                entry.layer, entry.kind = Layer.JOURNAL, "note" if entry.kind == "topic" else entry.kind

    def _unite_overview(self) -> None:
        """A document that says what a project is is one memory, which begins with its first sentence."""
        said = (
            one for one in self.entries if one.text.lstrip("*_`\"'“「")[:1].isalnum() and len(one.text) >= _SENTENCE
        )
        first = next(said, self.entries[0])
        for entry in self.entries:
            entry.kind = "fact"
            if entry.start < first.start:
                entry.level = Level.CONTEXT
        first.title = f"{self.title}: {first.text.partition(chr(10))[0]}" if self.title else ""
        units.unite([entry for entry in self.entries if entry.start >= first.start], first)

    def set_label_aside(self, entries: Sequence[Entry]) -> None:
        """Frontmatter that describes nothing is a label, no memory, where anything stands below it."""
        head = self._matter_of
        says_nothing = self._tells_nothing or (head is not None and head.text == head.title)
        if head is not None and says_nothing and len(entries) > 1 and entries[0] is head:
            head.level = Level.CONTEXT

    def _unite_tickets(self) -> None:
        """A section of fields is one task; other items of such a list describe how the list is maintained."""
        tickets = frontmatter.find_tickets(self.entries)
        within = {id(entry) for some, _over in tickets for entry in some}
        for some, over in tickets:
            some[0].kind, some[0].title, some[0].level = "todo", some[0].heading[-1], Level.MEMORY
            units.unite(some, some[0])
            for entry in some if over else ():
                entry.extra = {**entry.extra, "done": True}
        for entry in self.entries if tickets else ():
            if id(entry) not in within and entry.kind == "todo" and "done" not in entry.extra:
                entry.kind = "note"

    def set_asides_apart(self, entries: Sequence[Entry]) -> None:
        """What a list of tasks says of itself, in a paragraph or in a section on how it is kept, is no task."""
        tasks = [entry for entry in entries if entry.kind == "todo" and "done" not in entry.extra]
        prose = [marks.look(self.lines[min(one.start, len(self.lines)) - 1]) == marks.PROSE for one in tasks]
        listed = {one.heading for one, plain in zip(tasks, prose, strict=True) if not plain}
        whole = bool(listed) and self._role_kind == "todo"
        for entry, plain in zip(tasks, prose, strict=True):
            if (
                plain
                and not _is_named_task(entry.text)
                and (
                    entry.heading in listed
                    or (whole and kinds.infer_heading_kind("".join(entry.heading[-1:])) != "todo")
                )
            ) or (whole and any(map(kinds.is_manner, entry.heading[1:]))):
                entry.kind = "note"

    def _block(self, block: Block, depth: int) -> None:
        what, first, end, data = block
        if what == ITEM:
            self._add_item(first, end, data, depth)
        elif what == ROW:
            self._add_table_row(first, data)
        elif what == FENCE:
            self._add_code_block(first, end, data)
        elif what == MATTER:
            self._add_frontmatter(first, end, data)
        elif what in {PARAGRAPH, HEADING}:
            first = self._set_stamps_apart(first, end)
            count = len(self.entries)
            for begin, stop in self._split_long_text(first, end) if first < end else ():
                self._add_paragraph(begin, stop)
            if len(self.entries) > count + 1:
                units.unite(self.entries[count:], self.entries[count])

    def _set_stamps_apart(self, first: int, end: int) -> int:
        """The line at which a paragraph begins to say something; what a form says before that is an entry itself."""
        line = self.lines[first]
        if ":" not in line and "：" not in line:
            return first
        stamps = (
            record_sections.count_stamps(self.lines[first:end], "".join(self.heading[-1:]) if self._at_head else "")
            if self._at_head or first > len(self.lines) - record_sections.EDGE
            else 0
        )
        if not stamps and end - first > 1 and line[:2] == "**" and units.MODULE.fullmatch(line.strip()):
            stamps = 1
        if stamps:
            count = len(self.entries)
            self._add_paragraph(first, first + stamps)
            self.stamps.update(id(entry) for entry in self.entries[count:])
        return first + stamps

    def _enter(self, first: int, end: int, level: int, text: str) -> None:
        self._close(level)
        text = strip_comments(text)[0] if "<!--" in text else text
        while self._levels and self._levels[-1][0] >= level:
            self._levels.pop()
        if level == 1 and not self.title:
            self.title = text
        outer, above = self._levels[-1][1:] if self._levels else (self.own, ())
        if outer == "todo" and len(text) > _DAY and text[0].isdigit() and find_day(text[:_DAY]):
            # What was done on a day, and is only put below what is left.
            outer = self.own
        elif outer == "todo" and text[:1].isdigit() and _AT_AN_HOUR.match(text):
            # So is what was noted at an hour.
            outer = self.own
        kind = kinds.infer_heading_kind(text, level == 1) or outer
        if outer == "todo" and kind == "event" and _TASKS.fullmatch(strip_heading(text)) is not None:
            # Below what is to be done, tasks are those.
            kind = outer
        self.kind = kind
        self.heading = (*above, text)
        self._levels.append((level, kind, self.heading))
        while self._templates and self._templates[-1][0] >= level:
            self._templates.pop()
        self._template = self._templates[-1][1] if self._templates else None
        if self._pending is not None:
            self._apply_to_section(self._pending)
        form = kinds.match_exact_kind(text) or (len(text) == _DAY and text[0].isdigit() and find_day(text) == text)
        if text and self._empty_headings and not form:
            # A section that only names a kind or a day is a form that nobody has filled in.
            self._bare = (level, text, first + 1, end, kind, above)

    def _close(self, level: int) -> None:
        """A heading with nothing below it is an entry itself, so that it can be found."""
        if self._bare is not None and level <= self._bare[0]:
            _, text, first, end, kind, above = self._bare
            self.entries.append(bare := Entry(text, first, end, kind, heading=above))
            self.bare.add(id(bare))
        self._bare = None

    def _apply_to_section(self, found: Entry) -> None:
        """From here to the end of the section, what a stamp or frontmatter says holds."""
        level = self._levels[-1][0] if self._levels else 0
        self._template = frontmatter.merge_templates(self._template, found)
        self._templates.append((level, self._template))
        self._pending = None

    def _apply_comment(self, block: Block, at_head: bool, touching: bool) -> None:
        """Apply a comment to the section right under a heading, to the entry that it touches, else to the next."""
        said = strip_comments("\n".join(self.lines[block[1] : block[2]]))[1]
        found = Entry("", 0, 0)
        for comment in said:
            if "observed" in comment and (above := read_directive_mark(comment)) is not None:
                # It speaks for the directive below it, whatever it stands under or touches.
                self._pending = above
                continue
            if "memtui:" in comment:
                self._track_own_marks(marks.mark(comment))
            elif len(comment) < _LONGEST_MARK:
                self._track_tool_marks(comment)
            stamp(found, comment)
        if found == Entry("", 0, 0):
            return
        if at_head:
            self._apply_to_section(found)
        elif touching and self.entries:
            last = self.entries[-1]
            frontmatter.apply_template(found, last)
            last.extra = {**last.extra, **found.extra}
        else:
            self._pending = frontmatter.merge_templates(self._pending, found)

    def _track_tool_marks(self, comment: str) -> None:
        """What a tool writes between two marks of its own into a person's instructions is the tool's."""
        match = _TOOL_BLOCK.fullmatch(comment.strip())
        if match is None:
            return
        name = (match["name"] or match["named"]).strip().lower()
        if match["begin"] or match["opens"]:
            mine = any(map(name.__contains__, _REMEMBERED)) or self.path.rpartition("/")[2] not in _INSTRUCTIONS
            # Where the work stands is overwritten at each step; a plan that begins with it is the plan all the same.
            passing = "live_status" in name and not self._plan
            self._block_of = None if mine and not passing else (name, len(self.entries))
        elif self._block_of is not None and self._block_of[0] == name:
            self._close(0)
            for entry in self.entries[self._block_of[1] :]:
                entry.status = Status.TEMPLATE if entry.status is Status.ACTIVE else entry.status
            self._block_of = None

    def _track_own_marks(self, mark: marks.SectionMark | None) -> None:
        """Text between two marks of memtui's own is a copy of memories elsewhere; its entries are marked as such."""
        if mark is None:
            return
        if self._owned is not None and not mark.begins and self._owned[0] == mark.name:
            for entry in self.entries[self._owned[1] :]:
                entry.extra = {marks.KEY: mark.name, **entry.extra}
        self._owned = (mark.name, len(self.entries)) if mark.begins else None

    def _apply_pending(self, since: int) -> None:
        if self._pending is None and self._template is None:
            return
        for entry in self.entries[since:]:
            if self._pending is not None:
                frontmatter.apply_template(self._pending, entry)
                entry.extra = {**self._pending.extra, **entry.extra}
                self._pending = None
            if self._template is not None and entry is not self._template:
                frontmatter.apply_template(self._template, entry)

    def _add_item(self, first: int, end: int, marker: int, depth: int) -> None:
        count = len(self.entries)
        self._take_item(first, end, marker, depth)
        if len(self.entries) > count + 1:
            units.unite(self.entries[count:], self.entries[count])

    def _take_item(self, first: int, end: int, marker: int, depth: int) -> None:
        lines = self.lines
        if end - first > 1 and depth < _DEPTH and sum(map(len, lines[first:end])) > PIECE:
            inner = split_blocks(lines, first + 1, end)
            nested = next((block[1] for block in inner if block[0] == ITEM), 0)
            if nested:
                self._add_item_text(first, nested, marker)
                for block in inner:
                    if block[1] >= nested:
                        self._block(block, depth + 1)
                return
        for begin, stop in self._split_long_text(first, end):
            self._add_item_text(begin, stop, marker if begin == first else 0)

    def _add_item_text(self, first: int, end: int, marker: int) -> None:
        lines = self.lines
        while end > first + 1 and not lines[end - 1].strip():
            end -= 1
        text = lines[first].strip()[marker:].lstrip()
        below = [line.rstrip() for line in lines[first + 1 : end]]
        if not text and not below:
            return
        entry = parse_marked_entry(text, first + 1, end, self.kind, self.heading)
        if below:
            if f"**{entry.text}**" in text:
                # The stars are of the first line only, and stay with it.
                entry.text = f"**{entry.text}**"
            margin = min((measure_indent(line) for line in below if line), default=0)
            rest = "\n".join(line[margin:] if line[:margin].isspace() else line.lstrip() for line in below)
            if len(rest) > LONGEST:
                rest = f"{rest[:LONGEST]}… (+{len(rest) - LONGEST:,} characters)"
            found = extract_links(rest) if "](" in rest or "[[" in rest else ()
            if found:
                entry.links = tuple(dict.fromkeys((*entry.links, *found)))
            if "<!--" in rest:
                rest, said = strip_comments(rest)
                for comment in said:
                    stamp(entry, comment)
            rest = parse_trailing_asides(entry, rest).rstrip() if rest else rest
            # What is nothing but marks is shown as it stands.
            entry.text = f"{entry.text}\n{rest}".strip("\n") or "\n".join(below).strip()
            if entry.text[:2] == entry.text[-2:] == "**" and "**" not in entry.text[2:-2]:
                entry.text = entry.text[2:-2].strip()
        self.entries.append(entry)

    def _add_paragraph(self, first: int, end: int) -> None:
        stripped = [line.strip() for line in self.lines[first:end]]
        quoted = stripped[0][:1] == ">"
        if quoted:
            stripped = [line.lstrip("> ") for line in stripped]
        text = "\n".join(stripped).strip()
        if not text or (text[0] == "<" and _TAGS.fullmatch(text[:PIECE])):
            return
        if len(self.entries) == (self._matter_of is not None) and frontmatter.is_given_up(text):
            given_up = Entry("", 0, 0)
            given_up.status = Status.SUPERSEDED
            self._apply_to_section(given_up)
        # What is quoted right below a document's title is about the document.
        about = quoted and len(self.heading) == 1 and self.kind == self.own
        self.entries.append(parse_marked_entry(text, first + 1, end, "note" if about else self.kind, self.heading))

    def _add_table_row(self, first: int, header: tuple[str, ...]) -> None:
        row = split_cells(self.lines[first])
        text = marks.BETWEEN.join(cell for cell in row if cell)
        if not text:
            return
        entry = parse_marked_entry(text, first + 1, first + 1, self.kind, self.heading)
        named: dict[str, Any] = {name: cell for name, cell in zip(header, row, strict=False) if name and cell}
        # The column that is there for it says more than another cell does.
        state = self._state_of_row(first, header, row)
        if not state and 0 <= self._state_at < len(row):
            state = state_in_column(row[self._state_at])
        for cell in row:
            state = state or (state_of(cell) if len(cell) <= CELL or cell[0] in WAITS else "")
        if not state and self.kind == "todo" and any(cell[:1] in TICKS for cell in row):
            state = "done"
        if state:
            # A table of what is done and what is not says so in a cell.
            entry.kind = "todo" if state == "open" or entry.kind == "todo" else entry.kind
            named["done"] = state == "done"
        entry.extra = {**named, **entry.extra}
        if "20" in text and header and entry.created is None:
            entry.created = next((at for at in map(_parse_cell_moment, header, row) if at is not None), None)
        self.entries.append(entry)

    def _state_of_row(self, first: int, header: tuple[str, ...], row: tuple[str, ...]) -> str:
        """How far a row is by the sign in a column that is there for it; in a table where all are ticked, praise."""
        if header is not self._table:
            self._table, self._state_at = (
                header,
                # How far a row is in the end stands in the last of several.
                max((at for at, name in enumerate(header) if is_state_column(name)), default=-1),
            )
            below = first
            self._lacking = False
            while self._state_at >= 0 and not self._lacking and below < len(self.lines) and "|" in self.lines[below]:
                cell = split_cells(self.lines[below])[self._state_at :][:1]
                self._lacking = bool(cell) and state_of_marked(cell[0]) == "open"
                below += 1
        return state_of_marked(row[self._state_at]) if self._lacking and self._state_at < len(row) else ""

    def _add_code_block(self, first: int, end: int, data: tuple[str, bool]) -> None:
        info, closed = data
        if not closed:
            self.problems.append(Problem(self.path, first + 1, "a code block that is never closed"))
        text = "\n".join(line.rstrip() for line in self.lines[first + 1 : end - 1 if closed else end]).strip("\n")
        if not text.strip():
            return
        if len(text) > LONGEST:
            text = f"{text[:LONGEST]}… (+{len(text) - LONGEST:,} characters)"
        extra = {"code": info or "text"}
        self.entries.append(Entry(text, first + 1, end, self.kind, heading=self.heading, extra=extra))

    def _add_frontmatter(self, first: int, end: int, fields: dict[str, object]) -> None:
        """Frontmatter is an entry of its own and applies to all that follows until the next frontmatter block."""
        found = frontmatter.build_frontmatter_entry(fields, first + 1, end, self._role_kind)
        if not self.title:
            self.title = found.title
        self.kind = self.own = found.kind
        self._levels.clear()
        self.heading = ()
        self._templates = [(0, found)]
        self._template = found
        if not found.text:
            found.text = found.title or "\n".join(line.strip() for line in self.lines[first + 1 : end - 1])
            self._tells_nothing = not found.title
        if first == 0 and found.status is Status.ACTIVE and frontmatter.is_over(found, self.path):
            found.status = Status.ARCHIVED
        elif first == 0 and "status" not in fields and frontmatter.is_given_up(found.text):
            found.status = Status.SUPERSEDED
        if found.text and first == 0:
            self._matter_of = found
        if found.text.strip():
            found.links = tuple(dict.fromkeys((*extract_links(found.text), *found.links)))
            self.entries.append(found)

    def _split_long_text(self, first: int, end: int) -> list[tuple[int, int]]:
        """The lines as runs of about PIECE characters at most; one line is never cut."""
        if end - first == 1:
            return [(first, end)]
        runs: list[tuple[int, int]] = []
        size, begin = 0, first
        for index in range(first, end):
            size += len(self.lines[index])
            if size > PIECE and index > begin:
                runs.append((begin, index))
                begin, size = index, len(self.lines[index])
        runs.append((begin, end))
        return runs


def _is_named_task(text: str) -> bool:
    """Whether a paragraph begins with the name of what is to be done, and is no remark: '**reader.py** — as before'."""
    bold = text[2 : text.find("**", 2)] if text[:2] == "**" else ""
    return bool(bold) and bold[-1:] not in {":", "："} and text[len(bold) + 4 :].lstrip()[:1] in {"—", "–", "-"}


def _parse_cell_moment(name: str, cell: str) -> float | None:
    """When a row begins to hold, if that is what its cell says."""
    if "20" not in cell or not name or len(cell) > len("2026年12月31日 23:59:59"):
        return None
    match = STAMP.fullmatch(normalize_leading_date(normalize_dates(cell)).strip("*_` "))
    if match is None or _AHEAD.search(name):
        return None
    found = clock.parse(match[1])
    return found if found is not None and found <= clock.now() + 2 * 86400 else None


_FORM = compile_pattern(
    r"^\s*(?:(?:轻量迭代)?(?:变更提案|任务清单|任务列表|方案包?|提案|需求|实施方案)(?:[(（][^()（）]*[)）])?|"
    r"change proposal|proposal|requirements|tasks?|plan|why)\s*(?:[:：-]\s*|$)",
    2,
)


def _strip_form(title: str, path: str) -> str:
    """A document's title without the word for what kind of document it is: '变更提案: x' is about x; one that says no
    more than that has the name of its folder, without the moment in it."""
    return _FORM.sub("", title) or path.rpartition("/")[0].rpartition("/")[2].lstrip("0123456789_- ")
