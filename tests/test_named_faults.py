"""Each bug that another memory tool had (T01 to T44) and each fault (F1 to F14) has a test that says its number."""

from __future__ import annotations

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parent
WANTED = frozenset(
    {*(f"T{number:02d}" for number in range(1, 45)), *(f"F{number}" for number in range(1, 15))}
)
_NUMBER = re.compile(r"\b[TF]\d{1,2}\b")
_RANGE = re.compile(r"\b([TF])(\d{1,2}) to \1?(\d{1,2})\b")


def _named(file: Path) -> set[str]:
    tree = ast.parse(file.read_text("utf-8"))
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    words = [ast.get_docstring(node) or "" for node in ast.walk(tree) if isinstance(node, kinds)]
    # A range names none of its members: it is a table of contents.
    return {number for text in words for number in _NUMBER.findall(_RANGE.sub("", text))}


def test_every_fault_is_named_by_a_test() -> None:
    named = set().union(*(_named(file) for file in ROOT.rglob("*.py") if file != Path(__file__)))
    assert not WANTED - named
