"""Which rules there are for a file: the shipped ones, then the homes', then the project's, each over the last.

A file of rules that is about other files is not even parsed: its first line says so.
"""

from __future__ import annotations

import os
import re
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any, NamedTuple

from memtui.agents.avoid.place import contents, project, relative
from memtui.agents.avoid.rule import BrokenError, Rule, read
from memtui.locale import _

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

SHIPPED = os.path.join(os.path.dirname(__file__), "shipped")
SIZE = 256 << 10
"""Bytes of one file of rules."""

MOST = 100
"""Rules in one file, and files in one directory."""

_HEAD = re.compile(r"^paths[ \t]*=[ \t]*\[([^\]\n]*)\]", re.MULTILINE)
_NAME = re.compile(r"[\"']([^\"'\n]+)[\"']")


class Book(NamedTuple):
    """The rules that are about a file, and a sentence for each that cannot be used."""

    rules: list[Rule]
    told: list[str]


class _File(NamedTuple):
    name: str
    """For a person; empty: shipped."""
    text: str


def opened(file: Path | None, cwd: Path, homes: Sequence[Path]) -> Book:
    """The rules about a file (None: all rules there are). Never raises for what a person wrote."""
    top = project(file or cwd / "_", cwd)
    path = None if file is None else relative(file, top)
    tables: dict[str, tuple[dict[str, Any], str]] = {}
    told: list[str] = []
    for source in _files(dict.fromkeys((top, cwd)), homes):
        head = _HEAD.search(source.text, 0, 2000)
        if path is not None and head and not fits(path, _NAME.findall(head[1])):
            continue
        for table in _parsed(source, told):
            name = table.get("id")
            if not isinstance(name, str) or not name.strip() or len(name) > 80:
                told.append(_("{file}: a rule without an id is left out").format(file=source.name))
                continue
            older = tables.get(name, ({}, ""))[0]
            tables[name] = ({**older, **table}, source.name)
    rules = []
    for name, (table, where) in tables.items():
        if table.get("enabled", True) is False:
            continue
        try:
            rule = read(table, where)
        except BrokenError as error:
            told.append(
                _("{file}: rule '{id}' is left out: {reason}").format(file=where, id=name, reason=error)
            )
            continue
        if path is None or fits(path, rule.paths):
            rules.append(rule)
    return Book(rules, told)


def fits(path: str, globs: Sequence[str]) -> bool:
    """Whether a path ('/'-separated, of the project) is one of those meant; a glob after '!' takes some out again."""
    return any(_fits(path, glob) for glob in globs if glob[0] != "!") and not any(
        _fits(path, glob[1:]) for glob in globs if glob[0] == "!"
    )


def _fits(path: str, glob: str) -> bool:
    if "/" not in glob:
        return fnmatchcase(path.rpartition("/")[2], glob)
    # A star crosses '/', so that what may stand anywhere only has to begin with one.
    glob = "*/" + glob[3:] if glob.startswith("**/") else "/" + glob.lstrip("/")
    return fnmatchcase("/" + path, glob)


def _files(projects: Iterable[Path], homes: Sequence[Path]) -> Iterator[_File]:
    for name in sorted(os.listdir(SHIPPED)):
        if name.endswith(".toml"):
            with open(os.path.join(SHIPPED, name), encoding="utf-8") as shipped:
                yield _File("", shipped.read())
    projects = [*projects]
    for home in homes:
        try:
            names = sorted(os.listdir(os.path.join(home, "rules", "avoid")))[: 2 * MOST]
        except OSError:
            names = []
        wanted = [f"rules/avoid/{name}" for name in names if name.endswith(".toml")][:MOST]
        for path in (*wanted, "avoid.toml"):
            text = contents(home, path, SIZE)
            # A project's own home is read as the project's, last.
            if text is not None and not (
                path == "avoid.toml" and any(home == p / ".memtui" for p in projects)
            ):
                yield _File(f"{home}/{path}", text)
    for directory in projects:
        text = contents(directory, ".memtui/avoid.toml", SIZE)
        if text is not None:
            yield _File(f"{directory}/.memtui/avoid.toml", text)


def _parsed(source: _File, told: list[str]) -> Iterator[dict[str, Any]]:
    import tomllib

    try:
        document = tomllib.loads(source.text)
        # Nothing in it may be so deep that reading it ends the process.
    except (tomllib.TOMLDecodeError, RecursionError, ValueError) as error:
        told.append(
            _("{file} is left out: it is not TOML ({error})").format(file=source.name, error=str(error)[:120])
        )
        return
    paths = document.get("paths")
    rules = document.get("rule")
    if not isinstance(rules, list):
        told.append(_("{file} is left out: it has no [[rule]]").format(file=source.name))
        return
    if len(rules) > MOST:
        told.append(_("{file}: only the first {count} rules are used").format(file=source.name, count=MOST))
    for table in rules[:MOST]:
        if isinstance(table, dict):
            yield table if paths is None or "paths" in table else {"paths": paths, **table}
