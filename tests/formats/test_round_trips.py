"""What is written is read back, and nothing else changes: on any file, however ugly."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from copy import copy

import pytest
from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st

from memtui.core.edits import Draft, Piece, splice_pieces
from memtui.core.errors import RefusedError
from memtui.core.model import Entry, Status
from memtui.formats import journal, markdown_write
from memtui.formats.markdown_lines import escape_item_text
from memtui.formats.units import is_introduction
from tests.formats.reading import invert_pieces
from tests.formats.ugly import files, head_of, heading, read, texts, told

NOW = 1_795_000_000.0
relaxed = settings(max_examples=200, deadline=None, suppress_health_check=list(HealthCheck))
SECTIONS = ("", "用户偏好", "A", "New one", "B")


def tried(write: Callable[[], tuple[Piece, ...]]) -> tuple[Piece, ...]:
    """What a format writes; a refusal is an answer too."""
    try:
        return write()
    except RefusedError:
        assume(False)
        raise


def undone(data: bytes, pieces: tuple[Piece, ...]) -> bytes:
    """What the pieces make, checked to be undone byte by byte."""
    new = splice_pieces(data, pieces)
    assert splice_pieces(new, invert_pieces(data, pieces)) == data
    return new


def _without_borrowed_title(entry: Entry) -> tuple[object, ...]:
    """What a memory says; a label is named after what it leads to, a block after its heading where it stands alone."""
    plain = copy(entry)
    if is_introduction(entry.text) or entry.title in entry.heading:
        plain.title = ""
    return told(plain)


@relaxed
@given(files(), texts, st.sampled_from(SECTIONS), st.sampled_from(["pref", "rule", "todo", "note"]))
def test_added_lines_are_one_memory_more(data: bytes, text: str, section: str, kind: str) -> None:
    draft = Draft(text, kind, section)
    pieces = tried(lambda: markdown_write.add(data, draft, NOW, "MEMORY.md").pieces)
    assert all(piece.start == piece.end for piece in pieces)
    new = undone(data, pieces)
    before = [_without_borrowed_title(entry) for entry in read(data)]
    after = read(new)
    first = new[: pieces[-1].start + sum(len(piece.new) for piece in pieces[:-1])].count(b"\n") + 1
    first += pieces[-1].new.startswith((b"\n", b"\r\n"))
    last = first + pieces[-1].new.strip(b"\r\n").count(b"\n")
    mine = [entry for entry in after if first <= entry.start <= last]
    others = [_without_borrowed_title(entry) for entry in after if entry not in mine]
    assert [t for t in others if t not in before] == []
    # A heading that had nothing under it was a memory itself.
    gone = [entry for entry in read(data) if _without_borrowed_title(entry) not in others]
    assert all(heading(data, entry) for entry in gone)
    assert len(gone) <= 1
    assert mine
    if len(escape_item_text(text)) == 1 and mine[0].text == escape_item_text(text)[0] and section:
        assert mine[0].heading[-1].casefold() == section.casefold()


@relaxed
@given(files(), st.integers(0, 20), texts)
def test_a_changed_text_changes_one_memory(data: bytes, number: int, text: str) -> None:
    entries = read(data)
    assume(entries)
    entry = entries[number % len(entries)]
    new = undone(data, tried(lambda: markdown_write.change(data, entry, {"text": text}, NOW)))
    after = read(new)
    index = entries.index(entry)
    rest = len(entries) - index - 1
    # What frontmatter says is handed on to what stands below it.
    said = (lambda e: (e.text,)) if head_of(data, entry) else _without_borrowed_title
    assert [_without_borrowed_title(e) for e in entries[:index]] == [_without_borrowed_title(e) for e in after[:index]]
    assert [said(e) for e in entries[len(entries) - rest :]] == [said(e) for e in after[len(after) - rest :]]
    if text.isalnum() and entry.status is Status.ACTIVE:
        assert after[index].text == text


@relaxed
@example(b"| a | b |\n", 0, Status.SUPERSEDED, "use a|b")
@given(files(), st.integers(0, 20), st.sampled_from([Status.SUPERSEDED, Status.ARCHIVED]), texts)
def test_a_mark_is_read_and_taken_off_again(data: bytes, number: int, status: Status, successor: str) -> None:
    entries = read(data)
    assume(entries)
    entry = entries[number % len(entries)]
    index = entries.index(entry)
    pieces = tried(lambda: markdown_write.mark(data, entry, status, NOW, successor=successor))
    new = undone(data, pieces)
    after = read(new)
    assert len(after) == len(entries)
    assert after[index].status is status
    assert [told(e) for i, e in enumerate(after) if i != index] == [
        told(e) for i, e in enumerate(entries) if i != index
    ]
    if not head_of(data, entry):
        parts = range(entry.start, entry.last + 1)
        outside = [i for i, e in enumerate(entries) if e.start not in parts]
        assert [after[i].status for i in outside] == [entries[i].status for i in outside]
    if entry.status is Status.ACTIVE:
        assert after[index].text == entry.text
        assert splice_pieces(new, markdown_write.mark(new, after[index], Status.ACTIVE, NOW)) == data


@relaxed
@given(files(), st.integers(0, 20))
def test_a_removed_memory_is_the_only_one_gone(data: bytes, number: int) -> None:
    entries = read(data)
    assume(entries)
    entry = entries[number % len(entries)]
    index = entries.index(entry)
    new = undone(data, tried(lambda: markdown_write.remove(data, entry)))
    # A heading that has nothing left under it is a memory then, and one that has is none; parts go with their memory.
    own = range(entry.start, entry.last + 1)
    left = [e.text for i, e in enumerate(entries) if i != index and e.start not in own and not heading(data, e)]
    assert [e.text for e in read(new) if not heading(new, e)] == left


@relaxed
@given(files(), texts, st.lists(st.text(max_size=8), max_size=3), st.text(max_size=12))
def test_a_journals_line_is_read_back(data: bytes, text: str, tags: list[str], source: str) -> None:
    assume(any(letter.isalnum() for letter in text))
    draft = Draft(text, "pref", tags=tuple(tags), source=source)
    pieces = tried(lambda: journal.add(data, draft, NOW, "daily/2026-11-18.md").pieces)
    new = undone(data, pieces)
    last = read(new, "journal", "daily/2026-11-18.md")[-1]
    assert (last.created, last.kind) == (NOW, "pref")
    plain = " ".join(" ".join(escape_item_text(text)).split())
    assert unicodedata.normalize("NFC", last.text) in unicodedata.normalize("NFC", plain) or "#" in plain


def test_entries_of_another_file_are_refused() -> None:
    with pytest.raises(RefusedError):
        markdown_write.change(b"- a\n", Entry("b", 7, 7), {"text": "c"}, NOW)
