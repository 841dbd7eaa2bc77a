"""Rules of what went wrong before: the findings, the files around an edited one, a rule, and the rules for a file.

The rules for a file are the shipped ones, then the homes', then the project's, each over the last. A file of
rules may begin with `paths`, the only files that it is about: for others it is not even parsed. Then come
`[[rule]]` tables:

    id            what it is called; the same id in a nearer file changes the keys that it names
    message       what goes wrong, and what to do instead; message_zh: in Chinese
    action        "warn" (the default) or "block"
    enabled       false switches the rule off
    paths         globs; one without '/' is about the file's name, else about its path in the project
                  ('*' crosses '/'); one after '!' takes files out again
    platform      "darwin", "linux" or "win32": only there
    needs         { file = "package.json", pattern = "…", lacks = "…" }, or a list of which one must hold: the
                  nearest such file, from the edited one's directory up to the project's, has the pattern and
                  not the other; project = "frontend": only where a home's frontend_projects names it
    contains      words of which one must stand in the file, and where a match stays on its line, on that line:
                  cheap, so that the rest is not even looked at
    pattern       a regular expression, or several; `^` and `$` are a line's
    view          what of the file it sees: "code" (comments and the insides of strings are blanks), "strings"
                  (comments are; in shell also what nothing is expanded in), or "text" (all of it)
    scope         "line" (the default) or "file": may a match go over the end of a line?
    also, unless  the lines of the match must hold the one, and not the other (same view)
    with, without the file must hold the one, and not the other (its whole text)
    python        the shape of Python code, see `shapes`; with a pattern, that finds the lines and this decides
    bad, good     an example of each
"""

from __future__ import annotations

import os
import re
import time
from fnmatch import fnmatchcase

from memtui.core.errors import MemtuiError, OutsideError
from memtui.core.locale import _, _n, find_system_language
from memtui.core.startup import TYPE_CHECKING, Any, NamedTuple, compile_pattern
from memtui.fs.files import HomeReader, split_home_path
from memtui.safety.injection import DOUBTED_MARK, examine
from memtui.safety.sanitize import clip, redact_text

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

FINDING_MOST = 10
"""Findings that one answer names; the rest are counted."""

QUOTED = 120
"""Terminal cells of a quoted line."""

EXPLAINED = 400
"""Characters of a rule's message or example: what is longer was not written to be read here."""


class AvoidFinding(NamedTuple):
    """One place where a rule holds."""

    rule: str
    """The rule's id."""
    action: str
    """block: it is to be put right now; warn: it is worth a look."""
    message: str
    line: int
    """Counted from 1; 0: the file as a whole."""
    example: str = ""
    """How to do it instead; empty: the message says it."""
    text: str = ""
    """The line as it stands in the file: hostile, not yet fit for anybody's eyes."""


def format_findings(findings: list[AvoidFinding]) -> str:
    """The findings for the agent, those that block first; at most ten. Empty where there are none."""
    if not findings:
        return ""
    count = sum(finding.action == "block" for finding in findings)
    head = _n("{count} thing in this file", "{count} things in this file", len(findings))
    head += " " + _("went wrong before (rules of memtui's avoidance gate).")
    if count:
        head += " " + _n("{count} must be put right now.", "{count} must be put right now.", count)
    lines = [head]
    ordered = sorted(findings, key=lambda finding: (finding.action != "block", finding.line))
    for finding in ordered[:FINDING_MOST]:
        lines += _format_finding_lines(finding)
    if len(ordered) > FINDING_MOST:
        lines.append(_("… and {count} more").format(count=len(ordered) - FINDING_MOST))
    if count:
        lines.append(
            _(
                "Where a rule does not fit, tell the user why: they can switch it off in .memtui/avoid.toml "
                "(its id, enabled = false)."
            )
        )
    return "\n".join(lines)


def _format_finding_lines(finding: AvoidFinding) -> list[str]:
    form = (
        _("- line {line}, fix ({rule}): {message}")
        if finding.action == "block"
        else _("- line {line}, look at ({rule}): {message}")
    )
    message = clip(finding.message.strip(), EXPLAINED)
    lines = [form.format(line=finding.line, rule=clip(finding.rule, 60), message=message)]
    quoted = quote(finding.text)
    if quoted:
        lines.append("    " + _("it says (data from the file): `{line}`").format(line=quoted))
    if finding.example:
        shown = finding.example.strip()[:EXPLAINED].split("\n")
        lines.append("    " + _("instead:") + (" `" + clip(shown[0], QUOTED) + "`" if len(shown) == 1 else ""))
        if len(shown) > 1:
            lines += ["        " + clip(line, QUOTED) for line in shown]
    return lines


def quote(text: str) -> str:
    """One line of a file, fit to be quoted: short, visible, secrets masked; empty where it reads like an order.

    What only may be one is marked: an agent is told to doubt it.
    """
    line = text.strip()[: 4 * QUOTED]
    action = examine(line).action if line else "quarantine"
    if action == "quarantine":
        return ""
    return DOUBTED_MARK * (action == "warn") + clip(redact_text(line).text.replace("`", "'"), QUOTED)


PLACE_SIZE = 1 << 20
"""Bytes of an edited file; a larger one was not written by hand."""

NEEDED = 256 << 10
"""Bytes of a package.json or its like."""

PART = 1 << 12
"""About how many characters an expression sees at once."""

STEPS = 30
"""Directories gone up, at most."""


def read_contents(root: Path, path: str, limit: int = PLACE_SIZE) -> str | None:
    """The text of a file inside a directory; None: there is none, it is a link, no text, too large, or unreadable."""
    try:
        with HomeReader(root) as reader:
            data, status = reader.read(path, limit)
    except (OSError, MemtuiError, ValueError):
        return None
    if status.st_size > limit or b"\0" in data:
        return None
    return data.decode("utf-8-sig", "replace")


def find_project_top(file: Path, cwd: Path) -> Path:
    """The top of the project: the repository that holds the file, or else the directory worked in."""
    inside = cwd in file.parents
    for number, directory in enumerate(file.parents if inside else (cwd, *cwd.parents)):
        if number == STEPS:
            break
        if os.path.lexists(directory / ".git"):
            return directory
    if inside or not file.is_absolute():
        return cwd
    # Edited elsewhere: that place's repository, if it is in one.
    for directory in file.parents[:STEPS]:
        if os.path.lexists(directory / ".git"):
            return directory
    return file.parent


def relate_to_project(file: Path, top: Path) -> str:
    """A file's path as rules see it: below the project, else its whole path without what a drive adds."""
    try:
        return file.relative_to(top).as_posix()
    except ValueError:
        return file.as_posix().lstrip("/")


def check_needs(needs: Sequence[Need], file: Path, top: Path, deadline: float, traits: Collection[str] = ()) -> bool:
    """Whether one of the needs holds; true where there are none. The nearest file of that name decides."""
    return not needs or any(_is_met(need, file, top, deadline, traits) for need in needs)


def split_pieces(text: str) -> Iterator[tuple[int, int]]:
    """Where the pieces of a text begin and end, cut at the ends of lines."""
    at = 0
    while at < len(text):
        end = text.find("\n", at + PART)
        end = len(text) if end < 0 else end + 1
        yield at, end
        at = end


def holds(pattern: str, text: str, deadline: float) -> bool:
    """Whether an expression finds something in a text, seeing only so much of it at once; false when time is up."""
    compiled = re.compile(pattern, re.MULTILINE)
    for start, end in split_pieces(text):
        if time.monotonic() > deadline:
            return False
        if compiled.search(text, start, end):
            return True
    return False


def _is_met(need: Need, file: Path, top: Path, deadline: float, traits: Collection[str]) -> bool:
    if need.project and need.project not in traits:
        return False
    for directory in _iterate_around(file, top):
        text = read_contents(directory, need.file, NEEDED)
        if text is not None:
            if need.lacks and holds(need.lacks, text, deadline):
                return False
            return not need.pattern or holds(need.pattern, text, deadline)
    # What a person says of the project needs no file to say it again.
    return bool(need.project)


def _iterate_around(file: Path, top: Path) -> Iterator[Path]:
    for directory in file.parents[:STEPS]:
        yield directory
        if directory == top:
            return


VIEWS = ("code", "strings", "text")
ACTIONS = ("warn", "block")

LOOSE = 4000
"""Ways in which an expression may match at one place that sees a few thousand characters at a time: one repetition
without a bound, before it ends."""

LONGEST = 4000
"""Characters of any text in a rule."""


class Need(NamedTuple):
    """What a file of the project, or a home's config.json of the project, must say for a rule to hold there."""

    file: str
    pattern: str
    lacks: str
    project: str = ""
    """A trait of the project: 'frontend' where config.json's `frontend_projects` names it (spec 002)."""


class AvoidRule(NamedTuple):
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


def read(table: Mapping[str, Any], source: str) -> AvoidRule:
    """The rule that a table describes. Raises BrokenError."""
    known = {"enabled", "message_zh", "scope", "with", "without", "pattern", *AvoidRule._fields}
    known -= {"patterns", "whole", "has", "lacks", "source"}
    for key in table:
        if key not in known:
            raise BrokenError(_("it has '{key}', which no rule has").format(key=str(key)[:40]))
    message = _get_text(table, "message")
    if find_system_language() == "zh":
        message = _get_text(table, "message_zh") or message
    if not message:
        raise BrokenError(_("it has no message"))
    rule = AvoidRule(
        _get_text(table, "id"),
        message,
        _get_choice(table, "action", ACTIONS),
        _get_texts(table, "paths"),
        _get_texts(table, "platform"),
        tuple(_parse_need(item) for item in _get_tables(table, "needs")),
        _get_texts(table, "contains"),
        _get_texts(table, "pattern"),
        _get_choice(table, "view", VIEWS),
        _get_choice(table, "scope", ("line", "file")) == "file",
        _get_text(table, "also"),
        _get_text(table, "unless"),
        _get_text(table, "with"),
        _get_text(table, "without"),
        next(iter(_get_tables(table, "python")), {}),
        _get_text(table, "bad"),
        _get_text(table, "good"),
        source,
    )
    if not rule.paths:
        raise BrokenError(_("it has no paths"))
    if not rule.patterns and not rule.python:
        raise BrokenError(_("it has neither a pattern nor a python shape"))
    if source:
        _check(rule)
    return rule


def _check(rule: AvoidRule) -> None:
    """Let no expression in that a text could keep busy. The shipped ones are checked by a test."""
    from memtui.agents.avoid import shapes

    for pattern, ways in list_expressions(rule):
        if reason := shapes.find_pattern_fault(pattern, ways):
            raise BrokenError(_("'{pattern}' cannot be used: {reason}").format(pattern=pattern[:60], reason=reason))
    if rule.python and (reason := shapes.find_shape_fault(rule.python)):
        raise BrokenError(reason)


def list_expressions(rule: AvoidRule) -> list[tuple[str, int]]:
    """Every regular expression in a rule, and in how many ways it may match at one place."""
    from memtui.safety.redact import WAYS

    found = [(pattern, WAYS if rule.whole else LOOSE) for pattern in rule.patterns]
    loose = [rule.also, rule.unless, rule.has, rule.lacks]
    for need in rule.needs:
        loose += [need.pattern, need.lacks]
    found += [(pattern, LOOSE) for pattern in loose if pattern]
    python = [rule.python.get(key) for key in ("text", "before")]
    return found + [(pattern, 10 * LOOSE) for pattern in python if isinstance(pattern, str)]


def _parse_need(item: Mapping[str, Any]) -> Need:
    need = Need(*(_get_text(item, key) for key in ("file", "pattern", "lacks", "project")))
    try:
        split_home_path(need.file)
    except OutsideError:
        raise BrokenError(_("needs.file is no path inside the project")) from None
    return need


def _get_text(table: Mapping[str, Any], key: str) -> str:
    value = table.get(key, "")
    if not isinstance(value, str) or len(value) > LONGEST:
        raise BrokenError(_("'{key}' is not a text").format(key=key))
    return value


def _get_texts(table: Mapping[str, Any], key: str) -> tuple[str, ...]:
    value = table.get(key, ())
    values = (value,) if isinstance(value, str) else value
    if not isinstance(values, (list, tuple)) or len(values) > 50:
        raise BrokenError(_("'{key}' is not a list of texts").format(key=key))
    for item in values:
        if not isinstance(item, str) or not item or len(item) > LONGEST:
            raise BrokenError(_("'{key}' is not a list of texts").format(key=key))
    return tuple(values)


def _get_tables(table: Mapping[str, Any], key: str) -> tuple[Mapping[str, Any], ...]:
    value = table.get(key, ())
    values = (value,) if isinstance(value, dict) else value
    if not isinstance(values, (list, tuple)) or not all(isinstance(item, dict) for item in values[:50]):
        raise BrokenError(_("'{key}' is not a table").format(key=key))
    return tuple(values[:50])


def _get_choice(table: Mapping[str, Any], key: str, choices: tuple[str, ...]) -> str:
    value = table.get(key, choices[0])
    if value not in choices:
        raise BrokenError(_("'{key}' is not one of {choices}").format(key=key, choices=", ".join(choices)))
    return str(value)


SHIPPED = os.path.join(os.path.dirname(__file__), "shipped")
SIZE = 256 << 10
"""Bytes of one file of rules."""

MOST = 100
"""Rules in one file, and files in one directory."""

_HEAD = compile_pattern(r"^paths[ \t]*=[ \t]*\[([^\]\n]*)\]", re.MULTILINE)
_NAME = compile_pattern(r"[\"']([^\"'\n]+)[\"']")


class AvoidBook(NamedTuple):
    """The rules that are about a file, and a sentence for each that cannot be used."""

    rules: list[AvoidRule]
    told: list[str]


class _File(NamedTuple):
    name: str
    """For a person; empty: shipped."""
    text: str


def open_rules(file: Path | None, cwd: Path, homes: Sequence[Path]) -> AvoidBook:
    """The rules about a file (None: all rules there are). Never raises for what a person wrote."""
    top = find_project_top(file or cwd / "_", cwd)
    path = None if file is None else relate_to_project(file, top)
    tables: dict[str, tuple[dict[str, Any], str]] = {}
    told: list[str] = []
    for source in _iterate_rule_files(dict.fromkeys((top, cwd)), homes):
        head = _HEAD.search(source.text, 0, 2000)
        if path is not None and head and not match_globs(path, _NAME.findall(head[1])):
            continue
        for table in _parse_rule_file(source, told):
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
            told.append(_("{file}: rule '{id}' is left out: {reason}").format(file=where, id=name, reason=error))
            continue
        if path is None or match_globs(path, rule.paths):
            rules.append(rule)
    return AvoidBook(rules, told)


def match_globs(path: str, globs: Sequence[str]) -> bool:
    """Whether a path ('/'-separated, of the project) is one of those meant; a glob after '!' takes some out again."""
    return any(_fits_glob(path, glob) for glob in globs if glob[0] != "!") and not any(
        _fits_glob(path, glob[1:]) for glob in globs if glob[0] == "!"
    )


def _fits_glob(path: str, glob: str) -> bool:
    if "/" not in glob:
        return fnmatchcase(path.rpartition("/")[2], glob)
    # A star crosses '/', so that what may stand anywhere only has to begin with one.
    glob = "*/" + glob[3:] if glob.startswith("**/") else "/" + glob.lstrip("/")
    return fnmatchcase("/" + path, glob)


def _iterate_rule_files(projects: Iterable[Path], homes: Sequence[Path]) -> Iterator[_File]:
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
            text = read_contents(home, path, SIZE)
            # A project's own home is read as the project's, last.
            if text is not None and not (path == "avoid.toml" and any(home == p / ".memtui" for p in projects)):
                yield _File(f"{home}/{path}", text)
    for directory in projects:
        text = read_contents(directory, ".memtui/avoid.toml", SIZE)
        if text is not None:
            yield _File(f"{directory}/.memtui/avoid.toml", text)


def _parse_rule_file(source: _File, told: list[str]) -> Iterator[dict[str, Any]]:
    import tomllib

    try:
        document = tomllib.loads(source.text)
        # Nothing in it may be so deep that reading it ends the process.
    except (tomllib.TOMLDecodeError, RecursionError, ValueError) as error:
        told.append(_("{file} is left out: it is not TOML ({error})").format(file=source.name, error=str(error)[:120]))
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
