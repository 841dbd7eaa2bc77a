"""Marks of sections that memtui owns: found where they are in order, left alone with a sentence elsewhere."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.core.edits import Piece, splice_pieces
from memtui.core.errors import RefusedError
from memtui.core.model import Layer, Role
from memtui.formats import Source, parse, sections
from memtui.formats.marks import KEY

BEGIN, END = "<!-- memtui:begin memories -->", "<!-- memtui:end memories -->"


def names(text: str | bytes) -> list[str]:
    data = text if isinstance(text, bytes) else text.encode()
    return [section.name for section in sections.list_owned_sections(data, "MEMORY.md")]


def filled(text: str, body: str) -> bytes:
    data = text.encode()
    (section,) = sections.list_owned_sections(data)
    piece = sections.rewrite_section(data, section, body)
    return data if piece is None else splice_pieces(data, (piece,))


def test_what_stands_between_is_made_anew_and_nothing_else() -> None:
    text = f"# M\n\n- mine\n\n{BEGIN}\n{END}\n\n- mine, too"
    new = filled(text, "- a\n- b\n")
    (section,) = sections.list_owned_sections(new)
    assert sections.is_section_intact(new, section)
    assert new[section.body : section.end] == b"- a\n- b\n"
    assert new.startswith(b"# M\n\n- mine\n\n<!-- memtui:begin memories sha=")
    assert new.endswith(f"- a\n- b\n{END}\n\n- mine, too".encode())
    assert sections.rewrite_section(new, section, "- a\n- b\n") is None


def test_a_person_s_edit_inside_is_noticed() -> None:
    new = filled(f"{BEGIN}\n{END}\n", "- a\n")
    for edited in (new.replace(b"- a\n", b"- a\n- mine\n"), new.replace(b"- a\n", b"- A\n")):
        (section,) = sections.list_owned_sections(edited)
        assert not sections.is_section_intact(edited, section)
    emptied = new.replace(b"- a\n", b"\n")
    assert sections.is_section_intact(emptied, sections.list_owned_sections(emptied)[0])


def test_text_without_a_digest_is_the_person_s() -> None:
    data = f"{BEGIN}\n- theirs\n{END}\n".encode()
    assert not sections.is_section_intact(data, sections.list_owned_sections(data)[0])


def test_line_ends_and_the_mark_of_order() -> None:
    crlf = f"\ufeff{BEGIN}\r\n{END}\r\n- mine\r\n"
    new = filled(crlf, "- a\n- b\n")
    assert new.startswith(b"\xef\xbb\xbf<!-- memtui:begin memories sha=") and new.count(b"\r\n") == 5
    assert b"\n" not in new.replace(b"\r\n", b"")
    # Whoever turns the line ends of all of the file has edited nothing.
    for other in (new, new.replace(b"\r\n", b"\n")):
        assert sections.is_section_intact(other, sections.list_owned_sections(other)[0])


@pytest.mark.parametrize(
    "text",
    [
        f"{BEGIN}\n- a\n", f"- a\n{END}\n", f"{BEGIN}\n{BEGIN}\n{END}\n",
        f"{BEGIN}\n<!-- memtui:begin rules -->\n<!-- memtui:end rules -->\n{END}\n",
        f"{BEGIN}\n<!-- memtui:end rules -->\n", f"{BEGIN}\n{END}\n\n{BEGIN}\n{END}\n", f"{BEGIN}{END}\n",
        f"{BEGIN} <!-- aside -->\n{END}\n", f"{END}\n{BEGIN}\n", f"<!--\nmemtui:begin memories\n-->\n{END}\n",
    ],
)  # fmt: skip
def test_marks_that_are_not_in_order(text: str) -> None:
    with pytest.raises(RefusedError, match=r"MEMORY\.md:\d+: .+ left alone"):
        names(text)


@pytest.mark.parametrize(
    "text",
    [
        "no marks at all", f"```\n{BEGIN}\n```\n", f"~~~\n{BEGIN}\n{END}\n~~~\n",
        "<!--\nput away:\nmemtui:begin memories\n-->\n", "text <!-- memtui:begin memories --> goes on\n",
        "<!-- memtui:begins memories -->\n", "<!-- memtui:begin -->\n", "<!-- memtui:documents -->\n",
    ],
)  # fmt: skip
def test_what_is_no_mark(text: str) -> None:
    assert names(text) == []


def test_utf_16_is_refused_like_everywhere() -> None:
    assert names("x".encode("utf-16")) == []


def test_a_first_section_at_the_end() -> None:
    for base in (b"", b"# M\n", b"# M\n\n- a", b"\xef\xbb\xbf# M\r\n\r\n- a\r\n"):
        piece = sections.append_section(base, "memories", "Kept", "- x\n")
        new = splice_pieces(base, (piece,))
        (section,) = sections.list_owned_sections(new)
        assert new.startswith(base) and sections.is_section_intact(new, section)
    for open_end in (b"# M\n\n```\ncode\n", b"# M\n\n<!-- never closed\n"):
        try:
            piece = sections.append_section(open_end, "memories", "Kept", "- x\n")
        except RefusedError:
            continue
        assert names(splice_pieces(open_end, (piece,))) == ["memories"]


def test_only_what_nobody_wrote_into_may_be_renewed_by_others() -> None:
    data = filled(f"- mine\n{BEGIN}\n{END}\n", "- a\n")
    (section,) = sections.list_owned_sections(data)
    assert sections.is_confined_to_sections(data, [Piece(section.start, section.end, b"x")])
    assert sections.is_confined_to_sections(data, [Piece(section.body, section.end, b"x")])
    assert not sections.is_confined_to_sections(data, [Piece(0, section.end, b"x")])
    assert not sections.is_confined_to_sections(data, [Piece(section.body, len(data), b"x")])
    assert not sections.is_confined_to_sections(data, [])
    edited = data.replace(b"- a\n", b"- A\n")
    (section,) = sections.list_owned_sections(edited)
    assert not sections.is_confined_to_sections(edited, [Piece(section.body, section.end, b"x")])


def test_copies_say_that_they_are() -> None:
    text = f"# M\n\n- mine\n\n{BEGIN}\n- [rule] copied\n{END}\n\n- mine, too\n"
    entries = parse(Source("MEMORY.md", Role(Layer.CORE, "note", "markdown"), text.encode())).entries
    assert [(entry.text, entry.extra.get(KEY)) for entry in entries] == [
        ("mine", None),
        ("copied", "memories"),
        ("mine, too", None),
    ]


@given(
    st.lists(
        st.sampled_from(
            [BEGIN, END, "<!-- memtui:begin rules sha=ab -->", "<!-- memtui:end rules -->", "- a", "```", "# H", "",
             "  - b", "<!-- aside -->", "text", "<!--", "-->"]
        ),
        max_size=12,
    ),
    st.sampled_from(["\n", "\r\n"]),
    st.booleans(),
)  # fmt: skip
def test_whatever_stands_there_only_the_inside_changes(lines: list[str], end: str, bom: bool) -> None:
    data = (("\ufeff" if bom else "") + end.join(lines)).encode()
    try:
        found = sections.list_owned_sections(data, "M.md")
    except RefusedError:
        return
    for section in found:
        if not sections.is_section_intact(data, section):
            continue
        piece = sections.rewrite_section(data, section, "- new\n")
        assert piece is not None
        new = splice_pieces(data, (piece,))
        assert new[: section.start] == data[: section.start]
        assert new.endswith(data[section.end :])
        again = {one.name: one for one in sections.list_owned_sections(new, "M.md")}
        assert again.keys() == {one.name for one in found}
        assert sections.is_section_intact(new, again[section.name])
        assert sections.rewrite_section(new, again[section.name], "- new\n") is None
