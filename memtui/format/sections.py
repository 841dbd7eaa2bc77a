"""Which heading of a file a new memory belongs under: matched by name or by meaning, in the file's own language."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memtui.parse import kinds
from memtui.parse.signs import uncommented
from memtui.text import CJK_RUN

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from memtui.format.lines import Lines, Section

Names = tuple[str, str]
"""A heading's Chinese and English name."""

CORE: Mapping[str, Names] = {
    "pref": ("用户偏好", "Preferences"),
    "rule": ("项目规范", "Rules"),
    "decision": ("重要决策", "Decisions"),
    "lesson": ("避坑经验", "Lessons"),
    "todo": ("待办", "TODO"),
    "fact": ("项目背景", "Project Facts"),
    "skill": ("技能", "Skills"),
    "event": ("工作日志", "Work Log"),
    "note": ("备注", "Notes"),
}
"""A core memory's headings by kind: specs 001, 002 and 004."""

PROFILE: Mapping[str, Names] = {
    **CORE,
    "pref": ("偏好", "Preferences"),
    "fact": ("技术背景", "Background"),
    "rule": ("偏好", "Preferences"),
}
"""A profile's: spec 000's skeleton."""

_PAST = ("旧", "过时", "废弃", "归档", "历史", "old", "archive", "deprecated", "obsolete", "former", "past")


def titled(section: Section) -> str:
    """A heading as it is read: without comments and outer emphasis."""
    text = section.text
    return (uncommented(text)[0] if "<!--" in text else text).strip()


def named(sections: Sequence[Section], name: str) -> Section | None:
    """The section of that heading: letter by letter, else but for case; never a longer heading."""
    name = " ".join(name.strip().lstrip("#").split())
    spoken = [(" ".join(titled(section).split()), section) for section in sections if section.text]
    exact = next((section for text, section in spoken if text == name), None)
    return exact or next((section for text, section in spoken if text.casefold() == name.casefold()), None)


def chosen(
    lines: Lines, kind: str, text: str, names: Mapping[str, Names], *, chinese: bool | None = None
) -> str:
    """The heading that a memory of this kind goes under: one that is there and means it, else a new one's name.

    Empty: the file has no headings at all, and needs none. `chinese` decides where neither file nor text tells.
    """
    own = names.get(kind) or names["note"]
    found = lines.sections
    for name in own:
        if named(found, name) is not None:
            return name
    alike = [titled(section) for section in found if section.level > 1 and not _past(section.text)]
    for heading in alike:
        if kinds.exact(heading) == kind:
            return heading
    for heading in alike:
        if kinds.of_heading(heading) == kind:
            return heading
    if not any(section.level for section in found) and any(section.body for section in found):
        return ""
    return own[0 if _chinese(lines, text, chinese) else 1]


def _past(heading: str) -> bool:
    lower = heading.lower()
    return any(word in lower for word in _PAST)


def _chinese(lines: Lines, text: str, default: bool | None) -> bool:
    """Whether a new heading is Chinese: as the file's sections are, else as its title is, else as was said."""
    for level in (2, 1):
        told = [
            bool(CJK_RUN.search(s.text)) for s in lines.sections if s.text and (s.level > 1) == (level > 1)
        ]
        if told and (level > 1 or any(told)):
            return 2 * sum(told) >= len(told)
    return bool(CJK_RUN.search(text)) if default is None else default
