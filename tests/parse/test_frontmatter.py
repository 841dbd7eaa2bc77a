"""Our own reader of frontmatter: lenient, without aliases, bounded."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from memtui.formats.frontmatter import LINES, find_frontmatter_end, parse_frontmatter_fields
from tests.parse.reading import read


def block(text: str) -> dict[str, object]:
    return parse_frontmatter_fields(text.split("\n"))


def test_scalars_stay_text_and_lose_only_their_quotes() -> None:
    text = (
        'a: NO\nb: 2026-02-30\nc: "x: \\"y\\""\nd: \'it\'\'s\'\ne: - : # no\nf: x # comment\ng: ~\nh: "open'
    )
    assert block(text) == {
        "a": "NO", "b": "2026-02-30", "c": 'x: "y"', "d": "it's", "e": "- :", "f": "x", "g": "", "h": "open",
    }  # fmt: skip


def test_lists_mappings_and_block_scalars() -> None:
    text = (
        "tags: [a, 'b c', \"d\"]\nfiles:\n- one.md (cwd=/p, at=1)\n- two\n  goes on\nmetadata: \n  type: user\n"
        "  deep:\n    er: x\nlit: |\n  l1\n   l2\n\nfold: >-\n  f1\n  f2\nplain:\n  wrapped\n  text\nend: 1"
    )
    assert block(text) == {
        "tags": ["a", "b c", "d"], "files": ["one.md (cwd=/p, at=1)", "two goes on"],
        "metadata": {"type": "user", "deep": {"er": "x"}}, "lit": "l1\nl2", "fold": "f1 f2", "plain": "wrapped text",
        "end": "1",
    }  # fmt: skip


def test_anchors_and_aliases_are_only_text() -> None:
    assert block("a: &x [1]\nb: *x\nc: !!python/object x") == {
        "a": "&x [1]",
        "b": "*x",
        "c": "!!python/object x",
    }


def test_where_a_block_ends() -> None:
    assert find_frontmatter_end(["---", "name: x", "---"], 0) == 2
    assert find_frontmatter_end(["---", "name: x", "..."], 0) == 2
    assert find_frontmatter_end(["---", "---"], 0) == -1
    assert find_frontmatter_end(["---", "name: x"], 0) == -1
    assert find_frontmatter_end(["---", "", "name: x", "---"], 0) == 3
    assert find_frontmatter_end(["a", "---", "", "name: x", "---"], 1) == -1
    assert find_frontmatter_end(["a", "---", "colour: x", "---"], 1) == -1
    assert find_frontmatter_end(["a", "---", "keywords: x", "---"], 1) == 3
    assert find_frontmatter_end(["---", "name: x", *["a: b"] * LINES, "---"], 0) == -1
    assert find_frontmatter_end(["---", "name: " + "x" * 70_000, "---"], 0) == -1


@settings(max_examples=200, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            ["a: b", "  a: b", "- x", "  - x", "a:", "\ta:", "|", "a: |", "  a: >", "", "# c", ":", "a:: b"]
        ),
        max_size=30,
    )
)
def test_any_lines_are_read(lines: list[str]) -> None:
    assert isinstance(parse_frontmatter_fields(lines), dict)


def test_deep_nesting_is_cut_off() -> None:
    found: object = parse_frontmatter_fields([" " * depth + "a:" for depth in range(3000)])
    depth = 0
    while isinstance(found, dict) and "a" in found:
        found = found["a"]
        depth += 1
    assert depth < 40


def test_mappings_on_one_line() -> None:
    text = "---\nname: a\nmetadata: {type: feedback, \"originSessionId\": 's, 1', tags: [x, y]}\n---\nb\n"
    head, body = read("markdown", text).entries
    assert (head.kind, head.session, head.tags, body.kind) == ("feedback", "s, 1", ("x", "y"), "feedback")
    (template,) = read("markdown", "---\nname: {{title}}\n---\n").entries
    assert template.title == "{{title}}"
    assert block("a: " + "{b: " * 5000 + "}" * 5000)["a"]
