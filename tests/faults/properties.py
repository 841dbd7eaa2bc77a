"""For arbitrary bytes: no change changes nothing, a change changes its span only, an undo restores every byte (F10)."""

from __future__ import annotations

import sys
from collections import Counter
from typing import TYPE_CHECKING, Any

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from memtui.core.edits import Append, Edit, Piece, splice_pieces
from memtui.core.errors import RefusedError
from tests.faults.scene import DAILY, Count, scene

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from memtui.core.edits import Change

WORDS = st.text("ab 偏好-#\n", max_size=40)
ENDS = st.sampled_from([b"", b"\n", b"\r\n", b"\xef\xbb\xbf", b"\xff", b"\0", b"# H\n", b"- x", b"\xe5\x81"])
FILES = st.lists(st.one_of(ENDS, WORDS.map(str.encode), st.binary(max_size=30)), max_size=12).map(b"".join)
WIDE = (b"\xff\xfe", b"\xfe\xff")


def _no_change(data: bytes) -> None:
    with scene() as place:
        file = place.home / "MEMORY.md"
        file.write_bytes(data)
        with place.vault() as vault:
            vault.apply([Edit(str(vault.homes[0].path), "MEMORY.md", data, ())], verb="edit", confirmed=True)
        assert file.read_bytes() == data


def _span_only(data: bytes, cuts: tuple[int, int], new: bytes) -> None:
    start, end = sorted(cut % (len(data) + 1) for cut in cuts)
    with scene() as place:
        file = place.home / "MEMORY.md"
        file.write_bytes(data)
        with place.vault() as vault:
            pieces = (Piece(start, end, new),)
            vault.apply([Edit(str(vault.homes[0].path), "MEMORY.md", data, pieces)], verb="edit", confirmed=True)
        assert file.read_bytes() == splice_pieces(data, pieces)


def _undone(data: bytes, steps: list[tuple[str, int, int, str]]) -> None:
    with scene() as place:
        (place.home / "MEMORY.md").write_bytes(data)
        before = everything(place.home)
        with place.vault() as vault:
            home = str(vault.homes[0].path)
            receipts = []
            for number, (kind, first, second, text) in enumerate(steps):
                base = vault.bytes_of(home, "MEMORY.md")
                start, end = sorted(cut % (len(base or b"") + 1) for cut in (first, second))
                changes: dict[str, Change] = {
                    "edit": Edit(home, "MEMORY.md", base, (Piece(start, end, text.encode()),)),
                    "new": Edit(home, f"areas/tools/{number}/rules.md", None, (Piece(0, 0, text.encode()),)),
                    "append": Append(home, DAILY, text.replace("\n", " ")),
                    "day": Append(home, f"daily/2026-03-{number + 1:02}.md", text.replace("\n", " "), "# D\n"),
                    "delete": Edit(home, "MEMORY.md", base, (), remove=True),
                }
                if base is None and kind in {"edit", "delete"}:
                    continue
                receipts.append(vault.apply([changes[kind]], verb=kind, confirmed=True))
            after = everything(place.home)
            for receipt in reversed(receipts):
                vault.undo(receipt.id)
            assert everything(place.home) == before
            for _ in receipts:
                vault.redo()
            assert everything(place.home) == after
            for _ in receipts:
                vault.undo()
            assert everything(place.home) == before


def everything(home: Path) -> dict[str, tuple[int, bytes | None]]:
    """Every file and directory of a home, with mode and bytes."""
    return {
        path.relative_to(home).as_posix(): (
            path.stat().st_mode,
            path.read_bytes() if path.is_file() else None,
        )
        for path in sorted(home.rglob("*"))
    }


STEPS = st.lists(
    st.tuples(
        st.sampled_from(["edit", "edit", "new", "append", "day", "delete"]),
        st.integers(0, 500),
        st.integers(0, 500),
        WORDS,
    ),
    max_size=5,
)
PROPERTIES: dict[str, tuple[Callable[..., None], dict[str, Any]]] = {
    "a change of nothing changed something": (_no_change, {"data": FILES}),
    "bytes outside a change's span changed": (
        _span_only,
        {
            "data": FILES,
            "cuts": st.tuples(st.integers(0, 999), st.integers(0, 999)),
            "new": WORDS.map(str.encode),
        },
    ),
    "bytes not restored by undo": (_undone, {"data": FILES, "steps": STEPS}),
}


class _Example:
    """One property, and how many examples of it were tried."""

    def __init__(self, check: Callable[..., None]) -> None:
        self.check, self.tried = check, 0

    def __call__(self, words: dict[str, Any]) -> None:
        self.tried += 1
        try:
            self.check(**words)
        except RefusedError:
            # Two-byte text is read and never written.
            assert words["data"].startswith(WIDE)


def properties(examples: int) -> Count:
    """So many examples of each property."""
    wrong: Counter[str] = Counter(dict.fromkeys(PROPERTIES, 0))
    tried = 0
    for what, (check, strategies) in PROPERTIES.items():
        example = _Example(check)

        def one(words: dict[str, Any], example: Callable[[dict[str, Any]], None]) -> None:
            example(words)

        run = settings(
            max_examples=examples,
            deadline=None,
            database=None,
            phases=(Phase.generate, Phase.shrink),
            suppress_health_check=list(HealthCheck),
        )(given(words=st.fixed_dictionaries(strategies), example=st.just(example))(one))
        try:
            run()
        except Exception as error:
            wrong[what] += 1
            print(
                f"  {what}: {type(error).__name__}: {error}",
                *getattr(error, "__notes__", ()),
                file=sys.stderr,
            )
        tried += example.tried
    return Count(
        "arbitrary bytes: nothing, a span, undo, redo and undo again", f"{tried:,} examples", dict(wrong)
    ).with_least(tried, len(PROPERTIES))
