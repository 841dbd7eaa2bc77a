"""Claude's topic files, and the line of MEMORY.md that goes with each."""

from __future__ import annotations

import pytest

from memtui.core.edits import Draft, splice_pieces
from memtui.core.errors import RefusedError
from memtui.core.model import Status
from memtui.formats import topic
from tests.format.ugly import read

NOW = 1_795_219_200.0
INDEX = "- [支付](payment.md) — 幂等键\n- [Deploy](deploy.md) — smoke test first\n".encode()


def test_a_topic_is_a_file_in_todays_dialect() -> None:
    draft = Draft("Use uv: it is faster.\n\n**Why:** pip is slow\n", "lesson", title="Use uv", source="s 1")
    data = splice_pieces(b"", topic.add(b"", draft, NOW, "memory/use-uv.md").pieces)
    assert data.decode() == (
        '---\nname: use-uv\ndescription: "Use uv: it is faster. **Why:** pip is slow"\nmetadata: \n'
        "  node_type: memory\n  type: feedback\n  originSessionId: s-1\n---\n\n"
        "Use uv: it is faster.\n\n**Why:** pip is slow\n"
    )
    entry = read(data, path="memory/use-uv.md")[0]
    assert (entry.title, entry.kind, entry.session) == ("use-uv", "feedback", "s-1")
    more = splice_pieces(data, topic.add(data, Draft("and more"), NOW, "memory/use-uv.md").pieces)
    assert more.startswith(data) and more.endswith(b"- and more\n")
    with pytest.raises(RefusedError):
        topic.record(draft, NOW, "memory/use-uv.md")


def test_its_line_stands_behind_the_others_in_their_manner() -> None:
    new = splice_pieces(INDEX, topic.add_index_line(INDEX, Draft("x " * 200, title="A [b]"), "memory/a-b.md"))
    line = new.decode().split("\n")[2]
    assert line.startswith("- [A (b)](a-b.md) — x x x") and line.endswith("…") and len(line) < 150
    assert new.startswith(INDEX)
    assert (
        splice_pieces(b"", topic.add_index_line(b"", Draft("hook", title="T"), "t.md"))
        == "- [T](t.md) — hook\n".encode()
    )
    stars = b"# Index\n\n* [a](a.md): one\n\nwords\n"
    assert splice_pieces(stars, topic.add_index_line(stars, Draft("two"), "b-c.md")) == (
        b"# Index\n\n* [a](a.md): one\n* [B c](b-c.md): two\n\nwords\n"
    )
    assert topic.add_index_line(INDEX, Draft("again"), "memory/deploy.md") == ()


def test_its_line_follows_the_file() -> None:
    renamed = topic.update_index_line(
        INDEX, "memory/deploy.md", file="memory/ship.md", name="Ship", hook="tag first"
    )
    assert splice_pieces(INDEX, renamed) == INDEX.replace(
        b"[Deploy](deploy.md) \xe2\x80\x94 smoke test first", b"[Ship](ship.md) \xe2\x80\x94 tag first"
    )
    gone = splice_pieces(
        INDEX, topic.mark_index_line(INDEX, "deploy.md", Status.SUPERSEDED, NOW, successor="ship")
    )
    assert "- ~~[Deploy](deploy.md) — smoke test first~~ (superseded 2026-11-21 → ship)\n" in gone.decode()
    hooked = splice_pieces(gone, topic.update_index_line(gone, "deploy.md", hook="old"))
    assert "- ~~[Deploy](deploy.md) — old~~ (superseded 2026-11-21 → ship)\n" in hooked.decode()
    assert splice_pieces(gone, topic.mark_index_line(gone, "deploy.md", Status.ACTIVE, NOW)) == INDEX
    assert (
        splice_pieces(INDEX, topic.remove_index_line(INDEX, "memory/deploy.md"))
        == INDEX.split(b"\n")[0] + b"\n"
    )
    assert (
        topic.remove_index_line(INDEX, "other.md")
        == topic.update_index_line(INDEX, "other.md", name="x")
        == ()
    )
