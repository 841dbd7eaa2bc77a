"""Lists of tasks as a whole: a roadmap's stages, boxes below an item, boxes that failed, columns of tables."""

from __future__ import annotations

from functools import lru_cache

from memtui.core.model import Level
from memtui.core.startup import TYPE_CHECKING, compile_pattern
from memtui.core.text import HAN
from memtui.formats import marks
from memtui.formats.kinds import infer_heading_kind
from memtui.formats.todos import CELL, TICKS, TICKS_BEHIND, WAITS, state_of, state_of_heading

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memtui.core.model import Entry

_AHEAD = compile_pattern(
    r"(?:^|[\W_])(?:roadmaps?|backlog)(?:[\W_]|$)|路[线線][图圖]|バックログ|ロードマップ|로드맵", 2
)
_STAGE = compile_pattern(
    r"\b(?:p[0-3]|q[1-4]|v\d[\w.]*|phase|fase|etapa|stage|milestone|sprint|priority|future|planned|(?:short|mid|medium|"
    r"long|near)[- ]term|now|next|later)\b|第[一二三四五1-5]|优先|優先|[阶階]段|里程碑|短期|中期|[长長]期|近期|"
    r"этап|фаза|フェーズ|단계",
    2,
)


def reopen_failed(entries: Sequence[Entry], lines: Sequence[str]) -> None:
    """Where done is '[√]', '[X]' says that it failed (HelloAGENTS): it is still to be done."""
    crossed = [entry for entry in entries if "done" in entry.extra and "[X]" in lines[entry.start - 1][:12]]
    if crossed and any("[√]" in line for line in lines):
        for entry in crossed:
            entry.extra = {name: value for name, value in entry.extra.items() if name != "done"}


def is_plan_document(name: str) -> bool:
    """Whether a document is by its name or title what is to be done some day: a roadmap, a backlog."""
    return _AHEAD.search(name) is not None


@lru_cache(maxsize=1 << 10)
def is_stage_heading(heading: str) -> bool:
    """Whether a heading of such a document is a part of its way: 'Phase 2', 'v1.3', '第二优先级', 'Later'."""
    return _STAGE.search(heading) is not None


def settle_boxes(entries: Iterable[Entry]) -> None:
    """An item is to be done while a box is open below it, and done when all are ticked, where boxes are nearly all that
    stands there; a list that is gone through each time is neither."""
    for entry in entries:
        head, _end, below = entry.text.partition("\n")
        if entry.kind not in _BOXED or "[" not in below or "done" in entry.extra or "code" in entry.extra:
            continue
        lines = below.splitlines()
        boxes = [match[1] for line in lines if (match := _BOX.match(line)) is not None]
        if 2 * len(boxes) <= len(lines) or _EACH_TIME.search(head) or any(map(_EACH_TIME.search, entry.heading[1:])):
            continue
        if " " in boxes:
            entry.kind = "todo"
        else:
            entry.extra = {**entry.extra, "done": True}


def settle_checklists(entries: Iterable[Entry], lines: Sequence[str]) -> None:
    """In a file that tells an agent how to work, boxes are gone through each time: only those below a heading that
    names open work are to be done."""
    for entry in entries:
        if entry.kind != "todo" or "done" in entry.extra:
            continue
        if _BOX.match(lines[min(entry.start, len(lines)) - 1]) is None:
            continue
        if not state_of_heading(entry.heading) and all(infer_heading_kind(part) != "todo" for part in entry.heading):
            entry.kind = "note"


_BOXED = frozenset({"note", "event"})
"""Kinds of items of which only the boxes below say what is to be done."""
_BOX = compile_pattern(r"\s*(?:[-*+]|\d+[.)])\s+\[([ xX√✓-])\]\s")
_EACH_TIME = compile_pattern(
    r"check-?list|criteri|verif|template|\b(?:before|after|each|every|when)\b|清单|检查|每[次天日]|标准|模板|验收|验证|之?前必",
    2,
)
"""Headings of lists whose boxes are ticked anew each time."""


def plan_ahead(entries: Sequence[Entry], lines: Sequence[str]) -> None:
    """In a roadmap the items of its stages are to be done, but for those that end in a tick, and of stages that are
    done.
    """
    for entry in entries:
        line = lines[min(entry.start, len(lines)) - 1]
        if marks.look(line) not in {marks.ITEM, marks.NUMBERED} or line[:1].isspace() or "done" in entry.extra:
            continue
        if entry.text[-1:] in TICKS_BEHIND:
            entry.extra = {**entry.extra, "done": True}
        elif (
            entry.level is not Level.CONTEXT
            and any(map(is_stage_heading, entry.heading))
            and state_of_heading(entry.heading) not in {"done", "ticked"}
        ):
            entry.kind = "todo"


_OPEN_THERE = compile_pattern(
    rf"\W*(?:待(?![遇机機命人招定])[{HAN}]{{1,4}}|(?:仍?未|尚未|未能)(?:解决|处理|验证|测试|部署|执行|修复))\W*"
)
"""How a cell says that something is open in a column that is there to say it, where '待确认' is no unknown value."""
_LEAD = compile_pattern(r"([^—–(（,，;；\n]{1,24}?)\s*(?:[—–(（,，;；]|\s-\s)")
_LACKS = compile_pattern(
    r"[❌✗✘✖]\ufe0f?\s*(?:missing|lacks?|needs?|to ?do|not (?:yet|done|started|implemented|built)|pending|"
    r"完全缺|缺|需|未|待|没有|尚|fehlt|offen|noch|нет\b|не |falta|manque|なし|없음)",
    2,
)
"""How a cell begins that says what is not there yet, in a column that says how far things are."""
_STATE_COLUMN = compile_pattern(
    rf"(?:current |task )?(?:status|state|progress|done\??)|[{HAN}]{{0,4}}(?:状态|狀態|进度|進度)|"
    r"stand|статус|состояние|готово|estado|situação|statut|état|状況|상태",
    2,
)


@lru_cache(maxsize=1 << 11)
def state_in_column(cell: str) -> str:
    """'done' or 'open', as a cell of a column that is there to say it begins, whatever it says behind that; open where
    it closes with what it waits for."""
    if _AWAITING.search(cell):
        return "open"
    lead = _LEAD.match(cell)
    bare = (cell if lead is None else lead[1]).strip("*_ ")
    return state_of(bare) or ("open" if len(bare) < CELL and _OPEN_THERE.fullmatch(bare) is not None else "")


_AWAITING = compile_pattern(
    r"[，,；;—–] ?(?:仍|尚)?等?待(?!办)[^，,；;。|]{2,40}$"
    r"|[,;—–] ?(?:still )?(?:awaiting|pending|waiting|needs?)\b[^,;.|]{2,40}$",
    2,
)


@lru_cache(maxsize=1 << 10)
def is_state_column(column: str) -> bool:
    """Whether a table's column is there to say how far its rows are."""
    return _STATE_COLUMN.fullmatch(column.strip("*_ ")) is not None


def state_of_marked(cell: str) -> str:
    """'done' or 'open', by the sign that such a column's cell begins with, whatever is said behind it."""
    if cell[:1] in TICKS:
        return "done"
    return "open" if cell[:1] in WAITS or _LACKS.match(cell) else ""
