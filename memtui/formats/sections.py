"""Sections of a Markdown file: under which heading a new memory belongs, and the sections that memtui owns.

`choose_heading` matches headings by name or by meaning, in the file's own language. The functions for owned
sections find them between their marks (`marks.SectionMark`) and tell whether a person wrote into them. A mark
counts only as a line of its own outside code; where marks are at fault (one missing, twice, nested) everything
in that file counts as the person's.
"""

from __future__ import annotations

from memtui.core.edits import Piece
from memtui.core.errors import RefusedError
from memtui.core.locale import _
from memtui.core.startup import TYPE_CHECKING, NamedTuple, sha256
from memtui.core.text import CJK_RUN
from memtui.formats import kinds
from memtui.formats.blocks import COMMENT
from memtui.formats.markdown_lines import Lines
from memtui.formats.marks import mark, strip_comments

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from memtui.formats.markdown_lines import MarkdownSection

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


def clean_heading(section: MarkdownSection) -> str:
    """A heading as it is read: without comments and outer emphasis."""
    text = section.text
    return (strip_comments(text)[0] if "<!--" in text else text).strip()


def find_named_section(sections: Sequence[MarkdownSection], name: str) -> MarkdownSection | None:
    """The section of that heading: letter by letter, else but for case; never a longer heading."""
    name = " ".join(name.strip().lstrip("#").split())
    spoken = [(" ".join(clean_heading(section).split()), section) for section in sections if section.text]
    exact = next((section for text, section in spoken if text == name), None)
    return exact or next((section for text, section in spoken if text.casefold() == name.casefold()), None)


def choose_heading(
    lines: Lines, kind: str, text: str, names: Mapping[str, Names], *, chinese: bool | None = None
) -> str:
    """The heading that a memory of this kind goes under: one that is there and means it, else a new one's name.

    Empty: the file has no headings at all, and needs none. `chinese` decides where neither file nor text tells.
    """
    own = names.get(kind) or names["note"]
    found = lines.sections
    for name in own:
        if find_named_section(found, name) is not None:
            return name
    alike = [clean_heading(section) for section in found if section.level > 1 and not _is_past_heading(section.text)]
    for heading in alike:
        if kinds.match_exact_kind(heading) == kind:
            return heading
    for heading in alike:
        if kinds.infer_heading_kind(heading) == kind:
            return heading
    if not any(section.level for section in found) and any(section.body for section in found):
        return ""
    return own[0 if _is_section_chinese(lines, text, chinese) else 1]


def choose_file_heading(
    data: bytes, path: str, kind: str, text: str, *, profile: bool = False, chinese: bool | None = None
) -> str:
    """The same of a file's bytes; `profile`: it has a profile's headings."""
    return choose_heading(Lines(data, path), kind, text, PROFILE if profile else CORE, chinese=chinese)


def _is_past_heading(heading: str) -> bool:
    lower = heading.lower()
    return any(word in lower for word in _PAST)


def _is_section_chinese(lines: Lines, text: str, default: bool | None) -> bool:
    """Whether a new heading is Chinese: as the file's sections are, else as its title is, else as was said."""
    for level in (2, 1):
        told = [bool(CJK_RUN.search(s.text)) for s in lines.sections if s.text and (s.level > 1) == (level > 1)]
        if told and (level > 1 or any(told)):
            return 2 * sum(told) >= len(told)
    return bool(CJK_RUN.search(text)) if default is None else default


_HINT = b"memtui:"


class OwnedSection(NamedTuple):
    """What stands between two marks, by bytes of the file."""

    name: str
    sha: str
    """The digest that the mark names; empty: none."""
    start: int
    """Where the line of the mark that opens it begins."""
    body: int
    """Where what it holds begins."""
    end: int
    """Where the line of the mark that closes it begins."""
    line: int
    """Of the mark that opens it, from 1."""


def list_owned_sections(data: bytes, path: str = "") -> tuple[OwnedSection, ...]:
    """The sections of a file, in order. Raises RefusedError, with a sentence, where its marks are not in order."""
    if _HINT not in data:
        return ()
    lines = Lines(data, path)
    found: list[OwnedSection] = []
    opened: OwnedSection | None = None
    for what, first, end, _data in lines.blocks:
        if what != COMMENT:
            continue
        said = strip_comments("\n".join(lines.text[first:end]))[1]
        marks = [one for one in map(mark, said) if one is not None]
        if not marks:
            continue
        if len(said) > 1 or end - first > 1:
            raise _build_refusal(path, first, _("a mark shares its line"))
        (one,) = marks
        at, below = lines.start(first), lines.start(end)
        if one.begins:
            if opened is not None:
                raise _build_refusal(path, first, _("{name} begins inside {outer}"), one.name, opened.name)
            if any(other.name == one.name for other in found):
                raise _build_refusal(path, first, _("{name} is there twice"), one.name)
            opened = OwnedSection(one.name, one.sha, at, below, below, first + 1)
        elif opened is None or opened.name != one.name:
            raise _build_refusal(path, first, _("{name} ends and has not begun"), one.name)
        else:
            found.append(opened._replace(end=at))
            opened = None
    if opened is not None:
        raise _build_refusal(path, opened.line - 1, _("{name} begins and never ends"), opened.name)
    return tuple(found)


def _build_refusal(path: str, line: int, why: str, name: str = "", outer: str = "") -> RefusedError:
    told = why.format(name=name, outer=outer)
    return RefusedError(
        _("{path}:{line}: {why}: what memtui owns there is left alone.").format(path=path, line=line + 1, why=told)
    )


def is_section_intact(data: bytes, section: OwnedSection) -> bool:
    """Whether it holds what memtui wrote there, or nothing: else a person wrote into it."""
    body = data[section.body : section.end]
    return not body.strip() or (section.sha != "" and section.sha == digest(body))


def digest(body: bytes) -> str:
    """What a mark says of what stands below it, however its lines end."""
    return sha256(body.replace(b"\r\n", b"\n"))[:16]


def rewrite_section(data: bytes, section: OwnedSection, body: str, path: str = "") -> Piece | None:
    """The one piece that gives a section another body (whole lines, or nothing); None: it holds that already."""
    lines = Lines(data, path)
    text = lines.encoded(body)
    new = lines.encoded(f"{_begin(section.name, text)}\n") + text
    old = data[section.start : section.end]
    same = data[section.body : section.end] == text and section.sha == digest(text)
    return None if same or new == old else Piece(section.start, section.end, new)


def append_section(data: bytes, name: str, heading: str, body: str, path: str = "") -> Piece:
    """The one piece that makes a section at the end of a file, under a heading of its own.

    Raises RefusedError where it would not be one there: a block of code, or a comment, that is never closed.
    """
    lines = Lines(data, path)
    gap = "" if not data else "\n" if lines.ended else "\n\n"
    begin = _begin(name, lines.encoded(body))
    block = f"{gap}## {heading}\n\n{begin}\n{body}<!-- memtui:end {name} -->\n"
    piece = Piece(len(data), len(data), lines.encoded(block))
    made = list_owned_sections(data + piece.new, path)
    if not made or made[-1].name != name or not is_section_intact(data + piece.new, made[-1]):
        raise RefusedError(_("{path} has a code block that is never closed: close it first.").format(path=path))
    return piece


def is_confined_to_sections(data: bytes, pieces: Sequence[Piece], path: str = "") -> bool:
    """Whether pieces change nothing but sections that memtui owns and nobody wrote into."""
    try:
        whole = [one for one in list_owned_sections(data, path) if is_section_intact(data, one)]
    except RefusedError:
        return False
    return bool(pieces) and all(
        any(one.start <= piece.start and piece.end <= one.end for one in whole) for piece in pieces
    )


def _begin(name: str, body: bytes) -> str:
    return f"<!-- memtui:begin {name} sha={digest(body)} -->"
