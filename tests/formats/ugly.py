"""Files as nobody should write them: what hypothesis makes the round trips of formats with."""

from __future__ import annotations

from hypothesis import strategies as st

from memtui.core.model import Entry, Layer, Role
from memtui.formats import Source, parse
from memtui.formats.markdown_lines import Lines

LINES = (
    "", "", "# M", "## A", "##A", "## 用户偏好", "## 用户偏好 ##  ", "  ## 用户偏好", "## 用户偏好（旧）",
    "### B", "A", "===", "---", "- one", "- 一句话", "* star", "+ plus", "  - nested", "    - deeper",
    "1. first", "2) second", "• dot", "-", "- [ ] todo", "- [x] done #tag", "- **bold** (2026-02-26, auto)",
    "- [2026-02-20] led", "- 2026-02-24T10:12:33Z [pref] said #a (source=run-1)",
    "- ~~gone~~ (superseded by fact-2)", "- kept (archived)", "- sure (confidence: 0.9)", "  continued",
    "    indented code", "plain words", "more words (expires: 2027-01-01)", "> quoted", "| a | b |",
    "|---|---|", "| c | d |", "```", "```py", "~~~", "<!-- importance: 8 -->", "- mem <!-- trigger: deploy -->",
    "- in <!-- id: k1 --> side", "<!-- open", "-->", "name: x", "description: y", "status: archived", "...",
    "***", "\ttabbed", "- \ttab item", "2026-02-24 dated", "09:15 coffee", "- 09:15 tea", "a\rb", "\x00",
    "- x\x00y", "- ** *", "- #tag", "- (2026-02-08)", "[x]", "- a → fact-12", "- \u3000wide", "\ufeff- bom",
    "- same", "- same", "## 避坑经验", "- café",
)  # fmt: skip

TEXTS = (
    "new", "新的一句", "two\nlines", "# head", "## 用户偏好\n- x", "---", "- - -", "```\ncode",
    "a\n```\nb\n```", "~~~", "===", "x\n===", "x\n---", "- bullet", "* a\n* b", "1. one\n2. two", "| a | b |",
    "> q", "<!-- c", "a --> b", "end #tag", "x (2026-02-08)", "\n\n  spaced  \n\n\nout", "\r\nwin\r\n",
    "\u2028sep", "a\x00b", "\ud800", "~~x~~", "**b**", "[pref] x", "2026-02-24 x", "  ", "\\# x", "...", "***",
    "\tx", "x" * 1300,
)  # fmt: skip


def lines() -> st.SearchStrategy[list[str]]:
    """Some lines of a file."""
    return st.lists(st.one_of(st.sampled_from(LINES), st.text(max_size=8)), max_size=14)


@st.composite
def files(draw: st.DrawFn) -> bytes:
    """A file's bytes: any line ends, with or without a BOM or a last line end, sometimes bad bytes."""
    parts = [part.replace("\n", " ").encode("utf-8", "surrogatepass") for part in draw(lines())]
    ends = draw(st.sampled_from([[b"\n"], [b"\r\n"], [b"\n", b"\r\n"]]))
    data = b"".join(part + draw(st.sampled_from(ends)) for part in parts)
    if draw(st.booleans()):
        data = data.removesuffix(b"\n").removesuffix(b"\r")
    if draw(st.integers(0, 9)) == 0:
        at = draw(st.integers(0, len(data)))
        data = data[:at] + draw(st.binary(max_size=3)) + data[at:]
    return draw(st.sampled_from([b"", b"", b"", b"\xef\xbb\xbf"])) + data


texts = st.one_of(st.sampled_from(TEXTS), st.text(max_size=30))


def read(data: bytes, parser: str = "markdown", path: str = "MEMORY.md") -> list[Entry]:
    """The entries of a file."""
    return parse(Source(path, Role(Layer.CORE, "note", parser), data)).entries


def told(entry: Entry) -> tuple[object, ...]:
    """All that an entry says itself, wherever it stands and whatever belongs to it.

    Its day and its state may be handed on to it, by what it belongs to or by the head of the file.
    """
    handed = {"created", "status", "superseded_by"}
    placed = {"start", "end", "text", "level", "reach"}
    return (
        entry.text,
        *(str(value) for name, value in entry.fields().items() if name not in placed | handed),
    )


def head_of(data: bytes, entry: Entry) -> bool:
    """Whether an entry stands in the head of the file, whose state is that of all that follows."""
    first = data.removeprefix(b"\xef\xbb\xbf").split(b"\n")[entry.start - 1]
    return first[:3] == b"---" or first.lstrip().startswith(b"status:")


def heading(data: bytes, entry: Entry) -> bool:
    """Whether an entry is a heading with nothing under it."""
    return entry.start - 1 in {section.first for section in Lines(data).sections if section.level}
