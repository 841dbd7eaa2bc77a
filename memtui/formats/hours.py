"""Spec 002's daily notes as they are written: a heading for each moment, what happened as list items below.

Its scripts append `## 15:02 - 项目: demo` and labelled items; a note of memtui's is one such heading with one
item. They are read by `journal`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from memtui.core import clock
from memtui.formats import Added, AppendRecord
from memtui.formats.dates import find_path_day
from memtui.formats.journal import append_at_end
from memtui.formats.markdown_lines import clean_source_label, clean_tags, escape_item_text, format_item_expiry
from memtui.formats.markdown_write import change, mark, remove

if TYPE_CHECKING:
    from memtui.core.edits import Draft

__all__ = ["add", "change", "mark", "record", "remove"]

_LABELS = {
    "decision": "决策", "lesson": "学习", "todo": "待办", "rule": "规范", "pref": "偏好", "fact": "关键信息",
    "summary": "主题", "event": "任务", "note": "要点", "file": "文件",
}  # fmt: skip


def record(draft: Draft, now: float, path: str) -> AppendRecord:
    """A heading by the hour, local, and one labelled item below it."""
    hour = clock.convert_to_local(now).strftime("%H:%M")
    text = " ".join(" ".join(escape_item_text(draft.text)).split())
    label = _LABELS.get(draft.kind.strip().lower(), _LABELS["note"])
    parts = [f"- **{label}**: {text}", *(f"#{tag}" for tag in clean_tags(draft.tags))]
    if draft.expires is not None:
        parts.append(f"(expires: {format_item_expiry(draft.expires)})")
    if source := clean_source_label(draft.source):
        parts.append(f"(source={source})")
    about = " ".join(escape_item_text(draft.title)) if draft.title.strip() else ""
    heading = f"## {hour} - {about}" if about else f"## {hour}"
    header = f"# {find_path_day(path) or clock.format_day(now)}\n\n> 自动生成的每日开发笔记\n"
    return AppendRecord(f"\n{heading}\n{' '.join(parts)}", header=header)


def add(data: bytes, draft: Draft, now: float, path: str) -> Added:
    """The same at the end of a file."""
    return append_at_end(data, record(draft, now, path), path)
