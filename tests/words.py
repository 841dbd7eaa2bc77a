"""The catalogue of Chinese: `python -m tests.words` brings it up to date with the code, and compiles it.

    python -m tests.words             new strings in, obsolete ones out, memtui.po and memtui.mo written
    python -m tests.words --check     only compare: 1 where something is missing, obsolete or wrong, with what it is
    python -m tests.words --missing   what has no translation yet, one JSON list a line: [English, (plural,) ""]
    python -m tests.words --fill FILE the same lines with their last text filled in, taken into the catalogue

Strings are found where `_` and `_n` are called with them. What is translated only when it is shown stands in the
places that `TABLES`, `FIELDS`, `REASONS` and `list_words` name; a call of `_` with anything but a literal is listed
in `SHOWN`, so that a new one is not forgotten.
"""

from __future__ import annotations

import ast
import json
import re
import string
import struct
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

PACKAGE = Path(__file__).parent.parent / "memtui"
PO = PACKAGE / "locale" / "zh" / "LC_MESSAGES" / "memtui.po"
MO = PO.with_suffix(".mo")

Message = tuple[str, ...]
"""A source string, or the two forms of one that goes with a count."""

HEAD = """\
Project-Id-Version: memtui
Language: zh_CN
MIME-Version: 1.0
Content-Type: text/plain; charset=UTF-8
Content-Transfer-Encoding: 8bit
Plural-Forms: nplurals=1; plural=0;
"""

TABLES: dict[str, tuple[str, ...]] = {
    "cli/doctor_commands.py": ("NAMES",),
    "cli/lifecycle_commands.py": ("_TITLES", "_NOTHING"),
    "cli/review_commands.py": ("DONE", "WOULD"),
    "core/clock.py": ("_AGES",),
    "core/config_keys.py": ("WORDS",),
    "language/trouble.py": ("_TIMED_OUT",),
    "layouts/claude_md.py": ("_READ_ONLY",),
    "layouts/codex.py": ("_GENERATED",),
    "layouts/other_tools.py": ("READ_ONLY",),
    "layouts/roles.py": ("GENERATED", "TRANSCRIPT"),
    "review/checkup.py": ("FINDING_WORDS",),
    "review/distill.py": ("_GONE",),
    "search/inline.py": ("_WRONG",),
    "store/attachments.py": ("_PARTS[1]",),
    "store/candidates.py": ("_PARTS", "_TYPES"),
    "store/consolidate_report.py": ("TITLES", "COUNTS"),
    "store/project.py": ("ORDER",),
    "store/standing.py": ("GONE_BY", "NO_ROW"),
    "tui/context_sheet.py": ("SOURCES",),
    "tui/draw.py": ("KINDS",),
    "tui/evolution_model.py": ("_GRAVITY[1]", "ENDINGS[0]"),
    "tui/evolution_rows.py": ("GRAVE[0]", "CHANGED"),
    "tui/bars.py": ("STORY[2]",),
    "tui/paint.py": ("ORIGIN_WORDS", "_LEFT"),
    "tui/panes/evolution_pane.py": ("PARTS[1]", "ORDERED"),
    "tui/panes/home_pane.py": ("BOXES[1]",),
    "tui/panes/layer_view.py": ("ORDERS",),
    "tui/panes/review_pane.py": ("ORDERS",),
    "tui/panes/search_answers.py": ("_TOLD", "_SHORT", "_BACKENDS", "_FUSIONS"),
}
"""By file below memtui/: names whose values are source strings; `[1]`: the second of each tuple."""

FIELDS: dict[str, tuple[int | str, ...]] = {
    "build_layer_refusal": (2,),
    "SettingAbout": (0, "doc"),
    "Sign": (2,),
    "SignalType": (1,),
    "make_sign": (1,),
}
"""By what is called: which of its arguments are source strings."""

SHOWN = frozenset(
    {
        "cli/doctor_commands.py: NAMES.get(check.name, check.name)",
        "core/clock.py: _AGES[unit]",
        "cli/documents.py: memory.layer.value",
        "cli/documents.py: memory.status.value",
        "cli/tree.py: topic.about",
        "cli/documents.py: _grade(one.experience, weak, strong)",
        "cli/documents.py: one.status",
        "cli/documents.py: priority",
        "cli/lifecycle_commands.py: *titles, len(group)",
        "cli/review_commands.py: *_translate_forms(DONE[verb]), len(decided)",
        "cli/review_commands.py: *_translate_forms(WOULD[verb]), possible",
        "cli/review_commands.py: forms[0]",
        "cli/review_commands.py: forms[1]",
        "cli/serve_commands.py: one.description.split('\\n\\n')[0]",
        "cli/status_commands.py: layer.value",
        "cli/tree.py: LANGUAGE",
        "cli/tree.py: VERSION",
        "cli/tree.py: described.epilog",
        "cli/tree.py: described.help",
        "cli/tree.py: option.help",
        "cli/tree.py: text",
        "cli/tree.py: verb.help",
        "core/config_keys.py: WORDS[type(default)]",
        "cli/config_commands.py: item.doc",
        "tui/choices.py: group",
        "tui/choices.py: help",
        "tui/choices.py: title",
        "tui/choices.py: topic.about",
        "tui/settings_sheet.py: row.key.doc",
        "tui/settings_sheet.py: row.key.type",
        "evolution/audit.py: settled.status",
        "evolution/experiences.py: verdict",
        "evolution/effects.py: self.after",
        "evolution/effects.py: self.before",
        "evolution/skill_proposals.py: pattern.status",
        "layouts/roles.py: reason",
        "lifecycle/expiry.py: *forms, len(steps)",
        "lifecycle/expiry.py: why",
        "review/distill.py: gone",
        "review/proposals.py: reason",
        "search/inline.py: _WRONG[name]",
        "sessions/packing.py: ORDER",
        "store/attachments.py: told",
        "store/candidates.py: _PARTS.get(name, name)",
        "store/candidates.py: _TYPES.get(value, value)",
        "store/consolidate_report.py: *COUNTS.get(name, (f'{{count}} {name}',) * 2), number",
        "store/consolidate_report.py: TITLES.get(one, one)",
        "store/consolidate_report.py: TITLES.get(self.name, self.name)",
        "store/secrets.py: locked[0]",
        "store/standing.py: NO_ROW",
        "store/verbs.py: GONE_BY",
        "store/write_path.py: reason",
        "tui/bars.py: action.title",
        "tui/bars.py: tab.title",
        "tui/candidate_rows.py: paint.ORIGIN_WORDS.get(item.origin, item.origin)",
        "tui/context_sheet.py: SOURCES[session.source]",
        "tui/context_sheet.py: item.layer.value",
        "tui/context_sheet.py: title",
        "tui/draw.py: kind",
        "tui/evolution_model.py: named",
        "tui/evolution_model.py: said",
        "tui/evolution_model.py: status",
        "tui/evolution_model.py: word",
        "tui/evolution_rows.py: CHANGED[shift.kind]",
        "tui/evolution_rows.py: item.gate.title",
        "tui/evolution_rows.py: item.outcome.status",
        "tui/evolution_rows.py: one.title",
        "tui/evolution_rows.py: other.gate.title",
        "tui/evolution_rows.py: pattern.status",
        "tui/evolution_rows.py: pattern.type",
        "tui/evolution_rows.py: signal.type",
        "tui/evolution_rows.py: signal.why",
        "tui/evolution_rows.py: step",
        "tui/evolution_rows.py: word",
        "tui/windows.py: plan.how",
        "tui/bars.py: self.step.told",
        "tui/handlers.py: self.pane.sort()",
        "tui/handlers.py: status.warning",
        "tui/history_sheet.py: first.verb",
        "tui/history_sheet.py: record.verb",
        "search/inquiry.py: candidate.status.value",
        "tui/home_model.py: status.value",
        "tui/home_status.py: one.how",
        "tui/home_status.py: reason",
        "tui/home_status.py: status.warning",
        "tui/paint.py: one, many",
        "tui/windows.py: action.help",
        "tui/mutations.py: reason",
        "tui/viewer.py: find_action(id).title",
        "tui/windows.py: action.title",
        "tui/windows.py: action.words",
        "tui/windows.py: reason or action.help",
        "tui/windows.py: topic.about",
        "tui/panes/evolution_pane.py: gate.title",
        "tui/panes/evolution_pane.py: item.gate.title",
        "tui/panes/evolution_pane.py: self.title",
        "tui/panes/evolution_pane.py: title",
        "tui/panes/health_pane.py: FINDING_WORDS.get(item.of.what, item.of.what)",
        "tui/panes/home_pane.py: title",
        "tui/panes/layer_view.py: self.ordered or self.order",
        "tui/panes/layer_view.py: self.title",
        "tui/panes/listing.py: status.value",
        "tui/bars.py: status.value",
        "tui/panes/__init__.py: self.nothing if days or not self.unkept else self.unkept",
        "tui/panes/review_pane.py: find_tab(self.view).nothing",
        "tui/panes/home_pane.py: find_tab(name).holds",
        "tui/panes/review_pane.py: origin",
        "tui/panes/review_pane.py: self.order",
        "tui/panes/search_answers.py: _BACKENDS.get(name, name)",
        "tui/panes/search_answers.py: _FUSIONS.get(found.fusion, found.fusion)",
        "tui/panes/search_answers.py: _TOLD.get(self.mode, 'asked by words and meaning')",
        "tui/panes/search_answers.py: _SHORT.get(part, part)",
        "tui/panes/search_answers.py: _SHORT['fts']",
        "tui/panes/search_answers.py: _SHORT['hybrid']",
        "tui/panes/search_answers.py: _TOLD[self.fusion]",
        "tui/panes/search_answers.py: layer",
        "tui/panes/search_answers.py: status.value",
        "tui/prose.py: memory.layer.value",
        "tui/prose.py: memory.status.value",
        "tui/screen.py: reason",
        "tui/screen.py: wanted.title",
        "tui/sheets.py: title",
        "tui/time_sheet.py: version.who",
        "tui/today.py: paint.ORIGIN_WORDS.get(one.origin, one.origin)",
        "tui/today.py: status.warning",
    }
)
"""Every call of `_` with something else than a literal: its strings are found by what stands here."""

REASONS = re.compile(r"why_not|why_not_to|\w+_missing|read_only|explain_refusal|_explain_status|_chain_missing")
"""Functions whose answers are source strings: each sentence in their returns, and in lambdas among `ACTIONS`."""

_SPEAKS = re.compile(rf"core\.locale|def (?:{REASONS.pattern})\b|\bKEYS\b|(?:{'|'.join(FIELDS)})\(")
"""What a file has in it that is worth parsing."""

WORDS = (
    "severity", "time", "expiry", "agents",                                  # what lists are sorted by
    "active", "superseded", "archived", "deleted", "expired", "candidate",   # model.Status
    "backup", "template", "skill", "state", "generated", "code",
    "addressed", "suppressed",                                               # a pattern's status
    "normal", "high", "critical", "weak", "strong",                          # its priority; an experience
    "helpful", "wrong", "stale",                                             # a verdict
    "success", "failed", "partly", "unknown",                                # an outcome
    "distilled", "proposed", "contradiction", "duplicate", "quarantine", "secret", "capability", "attachment",
    "profile", "core", "knowledge", "session", "journal", "evolution",         # model.Layer
    "mask", "differs", "keep", "other", "likeness", "decay", "says so",  # parts of a candidate
    "add", "append", "approve", "archive", "delete", "edit", "expire", "init", "merge", "move", "propose",
    "redo", "refresh", "reject", "restore", "supersede", "tag", "trash", "undo", "write",  # what history lists
    # Why an index or a watcher does not work: the engine's words.
    # What parsers note, and what stands between its parts (`translate_parts`).
    "; ", ": ",
    "not valid JSON", "the file seems to be cut off here", "expecting value", "invalid control character",
    "expecting property name enclosed in double quotes", "expecting ',' delimiter", "expecting ':' delimiter",
    "unterminated string", "invalid \\escape", "extra data", "a comma too many", "nested too deep",
    "more text after the end of the JSON", "not read", "bytes that are not UTF-8",
    "lines in UTF-16 in a file in UTF-8", "other programs may not read them", "a fact with nothing in it",
    "a code block that is never closed", "no tables with memories in this database", "too many faults",
    "the rest was not read", "no session", "none of its records could be understood", "could not be read",
    # Spec 002's types of signals.
    "capability_gap", "recurring_issue", "environment_issue", "dependency_issue", "performance_issue",
    "security_issue", "error", "correction",
    "the home is not there",
    "the system's limit of watched directories is reached; looking every few seconds instead",
    "the system's limit of open watchers is reached; looking every few seconds instead",
)  # fmt: skip
"""Values that are stored as they stand here, and translated where a person sees them."""

CLICK = (
    "Usage:", "Options", "Commands", "Show this message and exit.", "No such option {name!r}.",
    "No such command {name!r}.", "Missing argument", "Missing option", "Missing parameter",
    "Invalid value: {message}", "Invalid value for {param_hint}: {message}", "Choose from:\n\t{choices}",
    "Option {name!r} does not take a value.", "{value!r} is not a valid {number_type}.",
    "{value} is not in the range {range}.", "default: {default}",
)  # fmt: skip
"""Words of click's own that our help and errors show; click asks the catalogue for them."""

CLICK_FORMS = (
    ("Did you mean {possibility}?", "(Did you mean one of: {possibilities}?)"),
    ("{value!r} is not {choice}.", "{value!r} is not one of {choices}."),
    ("Got unexpected extra argument ({args})", "Got unexpected extra arguments ({args})"),
    ("Option {name!r} requires an argument.", "Option {name!r} requires {nargs} arguments."),
)


class Found(NamedTuple):
    """What the code says: its messages, each with the file it was first found in, and calls with no literal."""

    messages: dict[Message, str]
    shown: set[str]
    early: list[str]
    """Calls outside of any function: they would be translated before the language is known."""


def find_messages() -> Found:
    """Every message of the package, in the order of its files."""
    found = Found({}, set(), [])
    for path in sorted(PACKAGE.rglob("*.py")):
        name = path.relative_to(PACKAGE).as_posix()
        text = path.read_text(encoding="utf-8")
        if name not in TABLES and not _SPEAKS.search(text):
            continue
        tree = ast.parse(text)
        _Reader(name, found).visit(tree)
        for table in TABLES.get(name, ()):
            for message in _list_values(tree, table):
                found.messages.setdefault(message, name)
    for name, words in list_words():
        for word in words:
            if word:
                found.messages.setdefault((word,), name)
    for forms in CLICK_FORMS:
        found.messages.setdefault(forms, "click")
    # gettext knows a message by its first form: one that stands alone elsewhere is the same entry.
    plural = {forms[0] for forms in found.messages if len(forms) == 2}
    for one in plural:
        found.messages.pop((one,), None)
    return found


def list_words() -> Iterator[tuple[str, Iterable[str]]]:
    """What only the running program knows: helps of commands, descriptions of settings and tools."""
    from memtui.agents.tools import TOOLS
    from memtui.cli import COMMANDS, OPEN
    from memtui.cli.tree import LANGUAGE, VERSION, load
    from memtui.core.config_edit import describe
    from memtui.manual import TOPICS
    from memtui.tui.actions import ACTIONS, GROUPS
    from memtui.tui.panes import PANES

    yield "words", WORDS
    yield "click", CLICK
    yield "cli/__init__.py", [about for _name, _place, about in COMMANDS]
    yield "cli/tree.py", [VERSION, LANGUAGE]
    for place in dict.fromkeys([OPEN, *(place for _name, place, _about in COMMANDS)]):
        command = load(place)
        options = [option.help for option in command.options]
        yield (
            place.partition(":")[0].replace(".", "/") + ".py",
            [
                command.help,
                command.epilog,
                *options,
                *(verb.help for verb in command.verbs),
            ],
        )
    yield "core/config_keys.py", [item.doc for item in describe()]
    yield "tui/actions.py", [*GROUPS, *(text for one in ACTIONS for text in (one.title, one.help, one.words))]
    yield (
        "tui/panes/__init__.py",
        [text for tab in PANES for text in (tab.title, tab.about, tab.nothing, tab.unkept, tab.holds)],
    )
    yield "manual/__init__.py", [topic.about for topic in TOPICS]
    yield "agents/tools.py", [tool.description.split("\n\n")[0] for tool in TOOLS]


class _Reader(ast.NodeVisitor):
    """The messages of one file."""

    def __init__(self, name: str, found: Found) -> None:
        self._name, self._found, self._inside = name, found, 0

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        """Reasons are what such a function answers."""
        if REASONS.fullmatch(node.name):
            self._take_reasons(node)
        self._inside += 1
        self.generic_visit(node)
        self._inside -= 1

    visit_AsyncFunctionDef = visit_FunctionDef  # noqa: N815

    def visit_Lambda(self, node: ast.Lambda) -> None:
        """A reason why an action cannot be done may stand right beside it."""
        if self._name == "tui/actions.py":
            self._take(*(text for text in _iterate_strings(node.body) if " " in text))
        self._inside += 1
        self.generic_visit(node)
        self._inside -= 1

    def visit_Assign(self, node: ast.Assign) -> None:
        """A window's keys, and what they do there."""
        self._take_keys(node.targets, node.value)
        self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        """The same with a type."""
        self._take_keys([node.target], node.value)
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        """A message, or a record that holds some."""
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if name in {"_", "_n"}:
            self._take_call(node, 1 + (name == "_n"))
        for place in FIELDS.get(name, ()):
            given = (
                [word.value for word in node.keywords if word.arg == place]
                if isinstance(place, str)
                else node.args[place : place + 1]
            )
            self._take(*(text for part in given for text in _iterate_strings(part)))
        self.generic_visit(node)

    def _take_call(self, node: ast.Call, forms: int) -> None:
        where = f"{self._name}: {ast.unparse(node)}"
        if not self._inside:
            self._found.early.append(where)
        given = node.args[:forms]
        literal = [part.value for part in given if isinstance(part, ast.Constant)]
        if len(literal) == forms:
            self._found.messages.setdefault(tuple(map(str, literal)), self._name)
            return
        told = list(_iterate_strings(given[0])) if isinstance(given[0], ast.IfExp) else []
        self._take(*told)
        if not told or not isinstance(given[0], ast.IfExp):
            self._found.shown.add(f"{self._name}: {', '.join(map(ast.unparse, given))}")

    def _take_reasons(self, node: ast.AST) -> None:
        for one in ast.walk(node):
            if isinstance(one, ast.Return) and one.value is not None:
                self._take(*(text for text in _iterate_strings(one.value) if " " in text))

    def _take_keys(self, targets: list[ast.expr], value: ast.expr | None) -> None:
        named = any(isinstance(target, ast.Name) and target.id == "KEYS" for target in targets)
        if named and self._name.startswith("tui/") and isinstance(value, ast.Dict):
            self._take(*_iterate_strings(value))

    def _take(self, *texts: str) -> None:
        for text in texts:
            if text:
                self._found.messages.setdefault((text,), self._name)


def _iterate_strings(node: ast.AST) -> Iterator[str]:
    """The strings that an expression may come to: not keys, tests, or what is compared with."""
    match node:
        case ast.Constant(value=str() as text):
            yield text
        case ast.IfExp(body=one, orelse=other):
            yield from _iterate_strings(one)
            yield from _iterate_strings(other)
        case ast.BoolOp(values=parts) | ast.Tuple(elts=parts) | ast.List(elts=parts):
            for part in parts:
                yield from _iterate_strings(part)
        case ast.Dict(values=parts):
            for part in parts:
                yield from _iterate_strings(part)
        case ast.BinOp(left=one, right=other):
            yield from _iterate_strings(one)
            yield from _iterate_strings(other)
        case ast.Call(func=ast.Attribute(attr="fromkeys"), args=[_keys, value]):
            yield from _iterate_strings(value)


def _list_values(tree: ast.Module, table: str) -> Iterator[Message]:
    """The messages of a table at module level. Two strings side by side with `{count}` are forms of one."""
    name, _bracket, at = table.partition("[")
    for node in tree.body:
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        if not any(isinstance(target, ast.Name) and target.id == name for target in targets):
            continue
        value = getattr(node, "value", None)
        parts = value.values if isinstance(value, ast.Dict) else getattr(value, "elts", [value])
        for part in parts:
            texts = list(_iterate_strings(_list_parts(part)[int(at[:-1])] if at else part))
            if len(texts) == 2 and "{count}" in texts[0]:
                yield (texts[0], texts[1])
            else:
                yield from ((text,) for text in texts)
        return
    raise AssertionError(f"no {name} here")


def _list_parts(node: ast.expr) -> list[ast.expr]:
    """The parts of a row of a table: of a tuple, or of a record by position."""
    match node:
        case ast.Tuple(elts=parts) | ast.List(elts=parts) | ast.Call(args=parts):
            return parts
    return [node]


def read_catalogue(text: str) -> dict[Message, str]:
    """A .po file's messages with their translations."""
    found: dict[Message, str] = {}
    for block in text.split("\n\n"):
        fields: dict[str, str] = {}
        key = ""
        for line in block.splitlines():
            quoted = line
            if line.startswith("msg"):
                key, _space, quoted = line.partition(" ")
                fields[key] = ""
            if quoted.startswith('"'):
                fields[key] += json.loads(quoted)
        if fields.get("msgid"):
            forms = (fields["msgid"], *([fields["msgid_plural"]] if "msgid_plural" in fields else []))
            found[forms] = fields.get("msgstr[0]", fields.get("msgstr", ""))
    return found


def write_catalogue(found: dict[Message, str], known: dict[Message, str]) -> str:
    """The .po file of the messages found, each below the file it comes from, with the translations known."""
    parts = ['msgid ""\nmsgstr ' + _quote(HEAD)]
    for forms, name in found.items():
        lines = [f"#: {name}", f"msgid {_quote(forms[0])}"]
        if len(forms) == 2:
            lines.append(f"msgid_plural {_quote(forms[1])}")
        lines.append(f"{'msgstr[0]' if len(forms) == 2 else 'msgstr'} {_quote(known.get(forms, ''))}")
        parts.append("\n".join(lines))
    return "\n\n".join(parts) + "\n"


def _quote(text: str) -> str:
    lines = text.splitlines(keepends=True) or [""]
    quoted = [json.dumps(line, ensure_ascii=False) for line in lines]
    return quoted[0] if len(quoted) == 1 else "\n".join(['""', *quoted])


def compile_catalogue(known: dict[Message, str]) -> bytes:
    """The .mo file: https://www.gnu.org/software/gettext/manual/html_node/MO-Files.html, without a hash table."""
    texts = {"\0".join(forms): text for forms, text in known.items() if text} | {"": HEAD}
    pairs = sorted((key.encode(), text.encode()) for key, text in texts.items())
    start = 28 + 16 * len(pairs)
    tables: list[list[int]] = [[], []]
    body = b""
    for side in (0, 1):
        for pair in pairs:
            tables[side] += [len(pair[side]), start + len(body)]
            body += pair[side] + b"\0"
    head = [0x950412DE, 0, len(pairs), 28, 28 + 8 * len(pairs), 0, start]
    return struct.pack(f"<7I{4 * len(pairs)}I", *head, *tables[0], *tables[1]) + body


def find_faults(found: Found, known: dict[Message, str]) -> list[str]:
    """What is wrong with the catalogue, a line each."""
    faults = [f"{where}: translated before the language is known" for where in found.early]
    faults += [f"{where}: where are its strings? Say it in tests/words.py" for where in found.shown - SHOWN]
    faults += [f"tests/words.py: SHOWN has what no longer stands: {where}" for where in SHOWN - found.shown]
    untold = [(forms, name) for forms, name in found.messages.items() if not known.get(forms)]
    faults += [f"{name}: not translated: {forms[0]!r}" for forms, name in untold]
    faults += [f"obsolete: {forms[0]!r}" for forms in known if forms not in found.messages]
    for forms, text in known.items():
        faults += [f"{fault}: {forms[0]!r} → {text!r}" for fault in judge_translation(forms, text)] if text else []
    return faults


_CODE = re.compile(r"`[^`]*`")
_HAN = r"[\u3400-\u9fff]"
_AGE = re.compile(r"\{(?:age|ago|when)\}")
_TIGHT = re.compile(rf"{_HAN}[A-Za-z0-9`{{]|[A-Za-z0-9`}}]{_HAN}")
_HALF = re.compile(rf"{_HAN}[,;:!?]|[,;!?]{_HAN}|{_HAN}\.(?!\w|\.)|{_HAN} ?\(|\){_HAN}")
_MONTH = re.compile(r"^\d+(?=月$)")
_QUOTED = re.compile(rf"{_HAN} “|” {_HAN}")
_SPACED = re.compile(r"\s[，。；：！？、）」』]|[，。；：！？、（「『] (?! )")


def judge_translation(forms: Message, text: str) -> Iterator[str]:
    """What is wrong with a translation: placeholders, code, line ends, and the rules of punctuation and spaces."""
    many = forms[-1]
    if many and not any(map(str.isalnum, many)):
        return
    if list_placeholders(many) != list_placeholders(text):
        yield "placeholders differ"
    code = Counter(_CODE.findall(many))
    if code - Counter(_CODE.findall(text)) and not code - Counter(_CODE.findall(forms[0])):
        yield "code differs"
    # A full-width bracket or comma brings its own space.
    front = 0 if text[:1] in "（，：；" else len(many) - len(many.lstrip())
    if (front, len(many) - len(many.rstrip())) != (
        len(text) - len(text.lstrip()),
        len(text) - len(text.rstrip()),
    ):
        yield "spaces at its ends differ"
    if many.count("\n") != text.count("\n"):
        yield "line ends differ"
    # An age is Chinese itself: '2 天', or '今天'.
    plain = _AGE.sub("前", _MONTH.sub("", _CODE.sub("`x`", text)))
    if _TIGHT.search(plain):
        yield "no space between Chinese and Latin"
    if _HALF.search(plain):
        yield "half-width punctuation"
    if _SPACED.search(plain.strip().replace("\n", "")):
        yield "a space beside full-width punctuation"
    if _QUOTED.search(plain):
        yield "a space beside a quotation mark"


def list_placeholders(text: str) -> list[str]:
    """The fields of a format string, sorted; of one that is none, its braces as they stand."""
    try:
        return sorted(
            f"{name}!{turn}:{form}" for _text, name, form, turn in string.Formatter().parse(text) if name is not None
        )
    except ValueError:
        return sorted(re.findall(r"[{}]", text))


def main() -> int:
    """See the module."""
    found = find_messages()
    old = PO.read_text(encoding="utf-8") if PO.is_file() else ""
    known = read_catalogue(old)
    if "--missing" in sys.argv:
        for forms in found.messages:
            if not known.get(forms):
                print(json.dumps([*forms, ""], ensure_ascii=False))
        return 0
    if "--fill" in sys.argv:
        for line in Path(sys.argv[sys.argv.index("--fill") + 1]).read_text(encoding="utf-8").splitlines():
            *forms, text = json.loads(line)
            known[tuple(forms)] = text
    if "--check" not in sys.argv:
        known = {forms: known[forms] for forms in found.messages if known.get(forms)}
        PO.parent.mkdir(parents=True, exist_ok=True)
        PO.write_text(write_catalogue(found.messages, known), encoding="utf-8", newline="\n")
        MO.write_bytes(compile_catalogue(known))
    faults = find_faults(found, known)
    if MO.read_bytes() != compile_catalogue(known):
        faults.append("memtui.mo is stale: run `python -m tests.words`")
    for fault in faults:
        print(fault, file=sys.stderr)
    return int(bool(faults))


if __name__ == "__main__":
    sys.exit(main())
