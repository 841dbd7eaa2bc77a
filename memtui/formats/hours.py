"""Spec 002's daily notes: a file headed by its day, a heading for each moment, what happened as list items below.

Its scripts append `## 15:02 - 项目: demo` and labelled items; a note of memtui's is one such heading with one item.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from memtui.core import clock
from memtui.formats import Added, Record
from memtui.formats.dates import day_of_path
from memtui.formats.journal import ended
from memtui.formats.markdown_lines import ending, tags, unspaced, worded
from memtui.formats.markdown_write import change, mark, remove

if TYPE_CHECKING:
    from memtui.core.edits import Draft

__all__ = ["add", "change", "mark", "record", "remove"]

_LABELS = {
    "decision": "决策", "lesson": "学习", "todo": "待办", "rule": "规范", "pref": "偏好", "fact": "关键信息",
    "summary": "主题", "event": "任务", "note": "要点", "file": "文件",
}  # fmt: skip


def record(draft: Draft, now: float, path: str) -> Record:
    """A heading by the hour, local, and one labelled item below it."""
    hour = clock.local(now).strftime("%H:%M")
    text = " ".join(" ".join(worded(draft.text)).split())
    label = _LABELS.get(draft.kind.strip().lower(), _LABELS["note"])
    parts = [f"- **{label}**: {text}", *(f"#{tag}" for tag in tags(draft.tags))]
    if draft.expires is not None:
        parts.append(f"(expires: {ending(draft.expires)})")
    if source := unspaced(draft.source):
        parts.append(f"(source={source})")
    about = " ".join(worded(draft.title)) if draft.title.strip() else ""
    heading = f"## {hour} - {about}" if about else f"## {hour}"
    header = f"# {day_of_path(path) or clock.day(now)}\n\n> 自动生成的每日开发笔记\n"
    return Record(f"\n{heading}\n{' '.join(parts)}", header=header)


def add(data: bytes, draft: Draft, now: float, path: str) -> Added:
    """The same at the end of a file."""
    return ended(data, record(draft, now, path), path)
