"""The head of a session file: who, when and where, in every form that specs 000 to 002 and their tools write.

At the end, `fold_session`: the talk that OpenClaw's hook puts beside the notes, as one memory.
"""

from __future__ import annotations

import re
from itertools import zip_longest

from memtui.core import clock
from memtui.core.model import Entry, Layer, Level, Status
from memtui.core.startup import TYPE_CHECKING, Any, NamedTuple, compile_pattern
from memtui.formats import frontmatter
from memtui.formats.dates import normalize_leading_date, parse_name_moment
from memtui.formats.marks import ITEM, NUMBERED, STAMP, is_thematic_break, look, parse_atx_heading, strip_comments
from memtui.formats.records import parse_word_list
from memtui.formats.units import settle, unite

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_BOLD = compile_pattern(r"(?:[-*+]\s+)?\*\*([^*\n]{1,60}?)\s*(?:[:：]\s*\*\*|\*\*\s*[:：])\s*(.*)")
_PLAIN = compile_pattern(r"(?:[-*+]\s+)?([\w][\w -]{0,40}?)\s*[:：]\s*(.*)")
_TITLE = compile_pattern(
    r"(?:会话摘要|会话记录|session(?: summary)?|session record)\s*[:：]\s*(\S+)\s*$", re.IGNORECASE
)
_PREFIX = compile_pattern(r"(?:\d{4}-\d{2}-\d{2}|\d{8})[-_](?=.*[A-Za-z])")
_NAMES = {
    "sessionid": "session", "session": "session", "会话id": "session", "会话": "session", "runid": "run", "run": "run",
    "时间": "time", "日期": "time", "time": "time", "date": "time", "capturedat": "time", "endedat": "time",
    "结束时间": "time", "开始时间": "time", "startedat": "time", "更新时间": "updated", "最后更新": "updated",
    "updatedat": "updated", "项目": "project", "project": "project", "模式": "mode", "mode": "mode",
    "工作目录": "cwd", "cwd": "cwd", "workingdirectory": "cwd", "原始大小": "size", "原始文件": "transcript",
    "事件数": "events", "子代理数": "subagents", "摘要": "topic", "summary": "topic", "主题": "topic", "topic": "topic",
    "threadid": "session", "rolloutpath": "transcript", "transcript": "transcript", "size": "size",
    "branch": "branch", "分支": "branch", "gitbranch": "branch", "workspace": "workspace", "agent": "agent",
    "model": "model", "tags": "tags", "标签": "tags", "keywords": "tags",
}  # fmt: skip


_TELLING = 24
"""Characters of what a person asked that say what it was about."""
_FIELDS = 3
"""Session Key, Session ID, Source."""
_LINES, _MOST, _SHOWN = 200, 1 << 16, 200
"""Lines and characters of a turn that are looked at, and characters of it that are shown."""
_SESSION_ID = compile_pattern(r"\*\*Session ID\*\*\s*[:：]\s*(\S{1,80})")
_TURN = compile_pattern(r"(user|assistant)\s*[:：][ \t]*(.*)", re.IGNORECASE)
_PUT_BEFORE = compile_pattern(
    r"\s*(?:<([a-z][\w-]{2,40})>.*?</\1>|"
    r"[^\n:(]{1,60}\((?:untrusted|operator)[^)\n]{0,60}\)\s*:\s*(?:```\w*\n.*?\n```|(?:(?:\d{1,2}[.)]|[-*])[^\n]*\n)+|\Z)|"
    r"\[\[[^\]\n]{0,80}\]\]|\[(?:media attached|Image|Audio)\b[^\n]*|To send an image back[^\n]*|Transcript:(?=\s)|"
    r"\[[^\[\]\n]{0,200}\](?=\s|$)|System(?: \([^)\n]{0,40}\))?: [^\n]*|-{3,}|Queued #\d+)",
    re.DOTALL,
)
_ROUTINE = compile_pattern(
    r"A new session was started|A scheduled reminder has been triggered|This is a heartbeat poll|An async command\b"
    r"|Read HEARTBEAT\.md|NO_REPLY\b|HEARTBEAT_OK\b|Pre-compaction memory flush"
    r"|\W{0,3}New session started"
)
"""What is asked and answered whatever a session is about."""
_MARKUP = compile_pattern(r"</?[a-z][\w-]*>$|`{3}")
_BY_THE_CLOCK = "[cron:"
_ROUTINE_KIND = "session_start"
_PLAIN_NAME = compile_pattern(r"(?:(?:new|session|summary|start|chat|conversation|log|notes?)-?)+", re.IGNORECASE)
"""A file's name that says no more than that it holds a session."""


class Head:
    """What stands above a session's items."""

    __slots__ = ("created", "end", "extra", "name", "session", "tags", "topic", "updated")

    def __init__(self, end: int) -> None:
        self.end = end
        """Lines it takes, from the first."""
        self.name = ""
        """The document's heading."""
        self.session = ""
        self.topic = ""
        self.tags: tuple[str, ...] = ()
        self.created: float | None = None
        self.updated: float | None = None
        self.extra: dict[str, Any] = {}


def read(lines: list[str], path: str) -> Head:
    """The head of a session file; what it does not say is taken from the file's name."""
    head = Head(0)
    index = _read_opening(lines, head)
    below = 0
    while index < len(lines):
        text = lines[index].strip()
        if text and not is_thematic_break(text) and not text.startswith((">", "<!--")):
            heading = parse_atx_heading(lines[index], text) if text[0] == "#" and not head.name else None
            if heading and heading[0] == 1 and head.end:
                # Codex writes its rollout summaries' fields above their title.
                head.name = heading[1]
            elif text[0] == "#" or not _take_head_line(head, text, index == below):
                break
            head.end = below = index + 1
        elif text and not is_thematic_break(text):
            for comment in strip_comments(text)[1]:
                _take_head_line(head, comment)
            head.end = index + 1
        index += 1
    _apply_file_name(head, path)
    return head


def _read_opening(lines: list[str], head: Head) -> int:
    """Frontmatter, if any, and the first heading; answers the line to go on with."""
    index = next((at for at, line in enumerate(lines) if line.strip()), len(lines))
    if index < len(lines) and lines[index].rstrip() == "---":
        below = frontmatter.find_frontmatter_end(lines, index)
        if below > 0:
            for name, value in frontmatter.parse_frontmatter_fields(lines[index + 1 : below]).items():
                if isinstance(value, str):
                    _take(head, name, value)
                elif _NAMES.get(_normalize_name(name)) == "tags":
                    head.tags = parse_word_list(value)
                else:
                    head.extra[name] = value
            head.end = index = below + 1
    while index < len(lines) and not lines[index].strip():
        index += 1
    heading = (
        parse_atx_heading(lines[index], lines[index].strip())
        if index < len(lines) and lines[index].strip()[0] == "#"
        else None
    )
    if heading and heading[0] == 1:
        head.name = heading[1]
        match = _TITLE.search(heading[1])
        if match:
            head.session = head.session or match[1]
        head.end = index = index + 1
    return index


def _take_head_line(head: Head, text: str, among: bool = False) -> bool:
    """Takes a line of the head; right below another one (`among`) a name that nobody knows is one as well."""
    match = _BOLD.fullmatch(text)
    if match:
        _take(head, match[1].strip(), match[2].strip())
        return True
    match = _PLAIN.fullmatch(text)
    if match is None:
        return False
    known = _normalize_name(match[1]) in _NAMES or _normalize_name(match[1]).endswith("sessionid")
    if not known and (not among or " " in match[1] or match[2].startswith("//")):
        return False
    _take(head, match[1].strip(), match[2].strip())
    return True


def _normalize_name(name: str) -> str:
    return name.lower().replace(" ", "").replace("_", "").replace("-", "")


def _take(head: Head, name: str, value: str) -> None:
    value = value.strip("`") if value.count("`") == 2 else value
    what = _NAMES.get(_normalize_name(name), "")
    if not what and _normalize_name(name).endswith("sessionid"):
        what = "session"
    if not value or value in {"{session_id}", "-"}:
        return
    if what in {"session", "run"}:
        head.session = head.session or value
        if what == "run":
            head.extra["run"] = value
    elif what in {"time", "updated"}:
        moment = _parse_head_moment(value)
        if moment is None:
            head.extra[name] = value
            return
        if what == "updated" or "最后更新" in value:
            head.updated = moment
        head.created = moment if head.created is None else head.created
    elif what == "topic":
        head.topic = head.topic or value
    elif what == "tags":
        head.tags = parse_word_list(value.replace("#", ","))
    elif what in {"events", "subagents"} and value.isdecimal() and len(value) < 10:
        head.extra[what] = int(value)
    else:
        head.extra[what or name] = value


def _parse_head_moment(value: str) -> float | None:
    moment = clock.parse(value)
    if moment is None:
        match = STAMP.match(normalize_leading_date(value))
        moment = clock.parse(match[0].strip()) if match else None
    return moment


def _apply_file_name(head: Head, path: str) -> None:
    folders, _, name = path.rpartition("/")
    stem = name.rpartition(".")[0] or name
    if stem.upper() == "STATE":
        # v3 keeps sessions/<workspace>/<session>/STATE.md.
        above = folders.split("/")
        head.session = head.session or above[-1]
        if len(above) > 2:
            head.extra.setdefault("workspace", above[-2])
    else:
        head.session = head.session or _PREFIX.sub("", stem, count=1)
        if head.created is None:
            head.created = parse_name_moment(stem)


def fold_session(entries: list[Entry], lines: Sequence[str], path: str) -> bool:
    """Make one memory of a session's talk as OpenClaw's hook puts it beside the notes, of which each turn is a part;
    False: the file is none."""
    if not entries or not lines or lines[0][:10] != "# Session:":
        return False
    match = next(filter(None, map(_SESSION_ID.search, lines[1:8])), None)
    if match is None:
        return False
    head = entries[0]
    name = path.rpartition("/")[2].rpartition(".")[0].lstrip("0123456789-_")
    name = "" if _PLAIN_NAME.fullmatch(name) else name
    every = list(_iterate_turns(lines))
    turns = [(who, said.partition("\n")[0][:_SHOWN]) for who, said, _first, _last in every if said]
    # What the person asked says what it was about; an agent begins with a greeting, and a person, too.
    asked = [said for who, said in turns if who == "user"] or [said for _who, said in turns] or [""]
    said = next(filter(_is_telling, asked), asked[0])
    if not said and not name and (every or len(entries) <= _FIELDS):
        # A session that was closed before anything was said in it but what each begins with.
        for entry in entries:
            entry.kind, entry.level = _ROUTINE_KIND, Level.CONTEXT
        return True
    head.kind, head.layer, head.session, head.key = "session", Layer.SESSION, match[1], match[1]
    head.title = name.replace("-", " ") or said[:80]
    if name and said and not _is_telling(said):
        # 'Yes, please' says nothing by itself.
        said = f"{head.title}: {said}"
    head.text = said or head.title or head.text
    begins = every[0][2] if every else len(lines) + 1
    above = [entry for entry in entries if entry.start < begins]
    heading = next((entry.heading for entry in entries if entry.start >= begins), ())
    below = [_build_turn(lines, turn, heading) for turn in every] + _list_tasks(entries, lines, every)
    for entry in above[1:]:
        entry.kind = "message" if entry.kind == "todo" else entry.kind
        entry.extra = {name: value for name, value in entry.extra.items() if name != "done"}
    entries[:] = above + sorted(below, key=lambda entry: (entry.start, -entry.end))
    unite(entries, head)
    return True


def _list_tasks(entries: Sequence[Entry], lines: Sequence[str], turns: Sequence[_Turn]) -> list[Entry]:
    """What an agent says in its turns that it is going to do: parts of the session that are found as tasks."""
    found: list[Entry] = []
    for turn in turns:
        if turn.who == "assistant" and turn.said:
            within = [one for one in entries if turn.first < one.start and one.end <= turn.last]
            settle(within, lines)
            found += [one for one in within if one.kind == "todo" and look(lines[one.start - 1]) in {ITEM, NUMBERED}]
    for one in found:
        one.layer = Layer.SESSION
    return found


def _is_telling(said: str) -> bool:
    """Whether words say what it was about; a letter of Chinese says as much as two."""
    return len(said) + sum(letter >= "\u2e80" for letter in said) >= _TELLING


class _Turn(NamedTuple):
    who: str
    said: str
    """Empty where nothing is said but what each session has."""
    first: int
    last: int


def _iterate_turns(lines: Sequence[str]) -> Iterator[_Turn]:
    """Each turn with its speaker, own words and lines, counted from 1."""
    begins = [(number, match) for number, line in enumerate(lines, 1) if (match := _TURN.match(line))]
    for (first, match), following in zip_longest(begins, [number for number, _match in begins[1:]]):
        last = (following or len(lines) + 1) - 1
        while last > first and not lines[last - 1].strip():
            last -= 1
        said = "\n".join((match[2], *lines[first : min(last, first + _LINES)]))
        yield _Turn(match[1].lower(), _extract_own_words(said), first, last)


def _build_turn(lines: Sequence[str], turn: _Turn, heading: tuple[str, ...]) -> Entry:
    text = "\n".join(lines[turn.first - 1 : turn.last])[:_MOST]
    # What each session has answers nobody.
    kind = "message" if turn.said else _ROUTINE_KIND
    entry = Entry(text, turn.first, turn.last, kind, None, Status.ACTIVE, heading)
    said = turn.said.partition("\n")[0][:_SHOWN]
    entry.title = f"{turn.who}: {said}" if said not in text.partition("\n")[0] else ""
    return entry


def _extract_own_words(text: str) -> str:
    """What a person says in a turn; empty where that is nothing."""
    own = find_own_words(text[:_MOST])
    return "" if _MARKUP.match(own.partition("\n")[0].strip()) else own


def find_own_words(text: str) -> str:
    """A turn without what the program puts before it: memories it recalled, where and when it was said, what the
    system reports; empty where nothing else is said, or the clock said it."""
    if text.lstrip().startswith(_BY_THE_CLOCK):
        return ""
    at = 0
    while (match := _PUT_BEFORE.match(text, at)) is not None and match.end() > at:
        at = match.end()
    own = text[at:].strip()
    return "" if _ROUTINE.match(own) else own
