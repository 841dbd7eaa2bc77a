"""One rule as it stands in a TOML file, read and checked.

A file of rules may begin with `paths`, the only files that it is about; then come `[[rule]]` tables:

    id            what it is called; the same id in a nearer file changes the keys that it names
    message       what goes wrong, and what to do instead; message_zh: in Chinese
    action        "warn" (where nothing is said) or "block"
    enabled       false switches the rule off
    paths         globs; one without '/' is about the file's name, else about its path in the project ('*' crosses '/');
                  one after '!' takes files out again
    platform      "darwin", "linux" or "win32": only there
    needs         { file = "package.json", pattern = "…", lacks = "…" }, or a list of which one must hold: the nearest
                  such file, from the edited one's directory up to the project's, has the pattern and not the other
    contains      words of which one must stand in the file, and where a match stays on its line, on that line: cheap,
                  so that the rest is not even looked at
    pattern       a regular expression, or several; `^` and `$` are a line's
    view          what of the file it sees: "code" (comments and the insides of strings are blanks), "strings"
                  (comments are; in shell also what nothing is expanded in), or "text" (all of it)
    scope         "line" (where nothing is said) or "file": may a match go over the end of a line?
    also, unless  the lines of the match must hold the one, and not the other (same view)
    with, without the file must hold the one, and not the other (its whole text)
    python        the shape of Python code, see `shapes`; with a pattern, that finds the lines and this decides
    bad, good     an example of each
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, NamedTuple

from memtui.locale import _

if TYPE_CHECKING:
    from collections.abc import Mapping

VIEWS = ("code", "strings", "text")
ACTIONS = ("warn", "block")

LOOSE = 4000
"""Ways in which an expression may match at one place that sees a few thousand characters at a time: one repetition
without a bound, before it ends."""

LONGEST = 4000
"""Characters of any text in a rule."""


class Need(NamedTuple):
    """What a file of the project must say for a rule to hold there."""

    file: str
    pattern: str
    lacks: str


class Rule(NamedTuple):
    """One rule, ready to be tried."""

    id: str
    message: str
    action: str
    paths: tuple[str, ...]
    platform: tuple[str, ...]
    needs: tuple[Need, ...]
    contains: tuple[str, ...]
    patterns: tuple[str, ...]
    view: str
    whole: bool
    also: str
    unless: str
    has: str
    lacks: str
    python: Mapping[str, Any]
    bad: str
    good: str
    source: str
    """The file that it, or the last change to it, comes from; empty: shipped."""


class BrokenError(Exception):
    """A rule that cannot be used; the sentence says why."""


def read(table: Mapping[str, Any], source: str) -> Rule:
    """The rule that a table describes. Raises BrokenError."""
    known = {"enabled", "message_zh", "scope", "with", "without", "pattern", *Rule._fields}
    known -= {"patterns", "whole", "has", "lacks", "source"}
    for key in table:
        if key not in known:
            raise BrokenError(_("it has '{key}', which no rule has").format(key=str(key)[:40]))
    message = _text(table, "message")
    if chinese():
        message = _text(table, "message_zh") or message
    if not message:
        raise BrokenError(_("it has no message"))
    rule = Rule(
        _text(table, "id"),
        message,
        _one(table, "action", ACTIONS),
        _texts(table, "paths"),
        _texts(table, "platform"),
        tuple(_need(item) for item in _tables(table, "needs")),
        _texts(table, "contains"),
        _texts(table, "pattern"),
        _one(table, "view", VIEWS),
        _one(table, "scope", ("line", "file")) == "file",
        _text(table, "also"),
        _text(table, "unless"),
        _text(table, "with"),
        _text(table, "without"),
        next(iter(_tables(table, "python")), {}),
        _text(table, "bad"),
        _text(table, "good"),
        source,
    )
    if not rule.paths:
        raise BrokenError(_("it has no paths"))
    if not rule.patterns and not rule.python:
        raise BrokenError(_("it has neither a pattern nor a python shape"))
    if source:
        _check(rule)
    return rule


def chinese() -> bool:
    """Whether people here read Chinese, by the environment."""
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        if value := os.environ.get(name, ""):
            return value.lower().startswith("zh")
    return False


def _check(rule: Rule) -> None:
    """Let no expression in that a text could keep busy. The shipped ones are checked by a test."""
    from memtui.agents.avoid.shapes import fault
    from memtui.safety.custom import unsafe

    for pattern, ways in expressions(rule):
        if reason := unsafe(pattern, ways):
            raise BrokenError(
                _("'{pattern}' cannot be used: {reason}").format(pattern=pattern[:60], reason=reason)
            )
    if rule.python and (reason := fault(rule.python)):
        raise BrokenError(reason)


def expressions(rule: Rule) -> list[tuple[str, int]]:
    """Every regular expression in a rule, and in how many ways it may match at one place."""
    from memtui.safety.custom import WAYS

    found = [(pattern, WAYS if rule.whole else LOOSE) for pattern in rule.patterns]
    loose = [rule.also, rule.unless, rule.has, rule.lacks]
    for need in rule.needs:
        loose += [need.pattern, need.lacks]
    found += [(pattern, LOOSE) for pattern in loose if pattern]
    python = [rule.python.get(key) for key in ("text", "before")]
    return found + [(pattern, 10 * LOOSE) for pattern in python if isinstance(pattern, str)]


def _need(item: Mapping[str, Any]) -> Need:
    from memtui.disk.files import inside
    from memtui.errors import OutsideError

    need = Need(_text(item, "file"), _text(item, "pattern"), _text(item, "lacks"))
    try:
        inside(need.file)
    except OutsideError:
        raise BrokenError(_("needs.file is no path inside the project")) from None
    return need


def _text(table: Mapping[str, Any], key: str) -> str:
    value = table.get(key, "")
    if not isinstance(value, str) or len(value) > LONGEST:
        raise BrokenError(_("'{key}' is not a text").format(key=key))
    return value


def _texts(table: Mapping[str, Any], key: str) -> tuple[str, ...]:
    value = table.get(key, ())
    values = (value,) if isinstance(value, str) else value
    if not isinstance(values, (list, tuple)) or len(values) > 50:
        raise BrokenError(_("'{key}' is not a list of texts").format(key=key))
    for item in values:
        if not isinstance(item, str) or not item or len(item) > LONGEST:
            raise BrokenError(_("'{key}' is not a list of texts").format(key=key))
    return tuple(values)


def _tables(table: Mapping[str, Any], key: str) -> tuple[Mapping[str, Any], ...]:
    value = table.get(key, ())
    values = (value,) if isinstance(value, dict) else value
    if not isinstance(values, (list, tuple)) or not all(isinstance(item, dict) for item in values[:50]):
        raise BrokenError(_("'{key}' is not a table").format(key=key))
    return tuple(values[:50])


def _one(table: Mapping[str, Any], key: str, choices: tuple[str, ...]) -> str:
    value = table.get(key, choices[0])
    if value not in choices:
        raise BrokenError(_("'{key}' is not one of {choices}").format(key=key, choices=", ".join(choices)))
    return str(value)
