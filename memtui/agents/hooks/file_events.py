"""PostToolUse of a tool that writes files: the daily note, and the avoidance gate (spec 002).

The daily note has one entry a minute and project, in the form of the home's own journal. The day's file is only
ever added to: what is edited later in the same minute goes on with the entry's line, or is a further line where
somebody else wrote meanwhile. Looking and writing are one step, so that twenty hooks at once lose nothing and say
nothing twice.
"""

from __future__ import annotations

import os
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from memtui.agents.avoid import gate
from memtui.agents.avoid.avoid_rules import format_findings, read_contents
from memtui.agents.avoid.gate import examine
from memtui.agents.hooks.hook_process import (
    WRITING,
    HookAnswer,
    has_failed,
    is_sidechain,
    list_call_files,
    list_written_pieces,
    read_tool,
)
from memtui.core import clock
from memtui.core.edits import Append, Draft, Edit, Piece
from memtui.core.errors import ConflictError, FullError, LockedError
from memtui.core.model import Layer
from memtui.core.startup import TYPE_CHECKING, compile_pattern
from memtui.formats import format_named
from memtui.fs import displaced
from memtui.fs.locks import hold_lock, lock_for
from memtui.layouts import load_layout
from memtui.layouts.home_config import read_home_config
from memtui.safety.sanitize import sanitize_text
from memtui.sessions import rules
from memtui.store.project import open_session_writing, open_taking_home

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memtui.agents.avoid.avoid_rules import AvoidFinding
    from memtui.agents.hooks import Call
    from memtui.core.config import Config
    from memtui.core.edits import Target
    from memtui.core.model import Home
    from memtui.language.conversation import Session
    from memtui.store.writing import Writing

PATIENCE = 2.5
"""Seconds that it waits for a lock before it leaves its note for later: twenty that come at once take turns."""
WHO = "hook:PostToolUse"

_NAMES = compile_pattern(r"`([^`\n]+)`")
_LONGEST = 200
_EDITED = "edited"
_FILE_LINE = "- **文件**"


def note(files: Sequence[str], session: Session, config: Config, now: float | None = None) -> bool:
    """Note these files (absolute paths); whether there was anything new to say. Raises MemtuiError."""
    now = clock.now() if now is None else now
    with open_session_writing(session, config) as (vault, home):
        vault.wait = PATIENCE
        with open_taking_home(vault, home, Layer.JOURNAL, _draft("", [], session, "journal"), now=now) as (pen, place):
            own = read_home_config(place.path)
            outside = [
                file
                for file in files
                if not _is_memory_file(place, file)
                and not rules.is_listed_project(own, "ignored_projects", file, session)
            ]
            noted = bool(outside) and _note_files(pen, place, outside, session, now)
            if noted and config.agents.remote:
                _pass_on(pen, place, outside, session)
    if displaced.list_spooled_records():
        from memtui.store.append import drain

        drain(config)
    return noted


def _note_files(vault: Writing, home: Home, files: Sequence[str], session: Session, now: float) -> bool:
    target = load_layout(home.layout).target(home, Layer.JOURNAL, _draft("", [], session, "journal"), now)
    if target.format not in {"hours", "journal"}:
        # Records there are facts about the world; which file was edited when is none.
        return False
    root = str(home.path)
    # Masked first, for that is what stands in the file; and so that the lock is held for the writing only.
    (masked,) = vault.prepared([Append(root, target.path, "\n".join(format_files(files, session.cwd)))], WHO)
    assert isinstance(masked, Append)
    names = list(dict.fromkeys(masked.record.split("\n")))
    draft = _draft(_join_names(names), names, session, target.format)
    try:
        with hold_lock(lock_for(root, f"{target.path}#append"), vault.wait):
            data = vault.bytes_of(root, target.path) or b""
            there, last = merge_daily_entry(data.decode("utf-8", "replace"), target, session, now)
            new = [name for name in names if name not in there]
            if not new:
                return False
            if last and _extend_line(vault, root, target.path, data, new):
                return True
            record = format_named(target.format).record(
                _draft(_join_names(new), new, session, target.format), now, target.path
            )
            text = record.text.rpartition("\n")[2] if last else record.text
            vault.apply([Append(root, target.path, text, record.header)], verb="append", who=WHO)
    except (LockedError, FullError):
        from memtui.store.append import keep

        keep(vault, home, draft, who=WHO)
    return True


def _pass_on(vault: Writing, home: Home, files: Sequence[str], session: Session) -> None:
    """Leave the same for the central memory (spec 001 §9): the worker that the turn's end starts delivers it."""
    said = _draft(_join_names(format_files(files, session.cwd)), [], session, "journal").text
    (masked,) = vault.prepared([Append(str(home.path), "", said)], WHO)
    assert isinstance(masked, Append)
    body = {"text": masked.record, "kind": "note", "tags": []}
    # Most nodes have no central memory: their hooks load nothing for one.
    from memtui.sessions.jobs import make_outbox_record

    displaced.put_record(make_outbox_record(session, "append", body), displaced.OUTBOX)


def _extend_line(vault: Writing, root: str, path: str, data: bytes, names: Sequence[str]) -> bool:
    """Name more files in the last line, where it is one of files; whether that could be done."""
    end = len(data.rstrip())
    if not data[:end].rpartition(b"\n")[2].startswith(_FILE_LINE.encode()):
        return False
    change = Edit(root, path, data, (Piece(end, end, f", {_join_names(names)}".encode()),))
    try:
        vault.apply([change], verb="append", who=WHO)
    except ConflictError:
        # A script that knows no lock wrote to it: a line more is as good.
        return False
    return True


def merge_daily_entry(text: str, target: Target, session: Session, now: float) -> tuple[frozenset[str], bool]:
    """The files that this minute's entry of this project names already, and whether a line goes on with it."""
    found: set[str] = set()
    if target.format == "journal":
        minute = datetime.fromtimestamp(now, UTC).strftime("- %Y-%m-%dT%H:%M:")
        about = f" {_name_session_project(session)}: {_EDITED} "
        for line in text.splitlines():
            if line.startswith(minute) and about in line:
                found.update(_NAMES.findall(line))
        return frozenset(found), False
    heading = f"## {clock.convert_to_local(now).strftime('%H:%M')} - {_make_title(session)}"
    inside = False
    for line in text.splitlines():
        if line.startswith("#"):
            inside = line.rstrip() == heading
        elif inside and line.startswith(_FILE_LINE):
            found.update(_NAMES.findall(line))
    return frozenset(found), inside


def format_files(files: Sequence[str], cwd: str) -> list[str]:
    """Files as a person knows them: inside the project from its root on, elsewhere from home; fit for backticks."""
    user = os.path.expanduser("~")
    found = []
    for file in files:
        name = file
        for root, prefix in ((cwd, ""), (user, "~/")):
            if root and file.startswith(root.rstrip(os.sep) + os.sep):
                name = prefix + os.path.relpath(file, root).replace(os.sep, "/")
                break
        found.append(sanitize_text(name, keep_newlines=False).replace("`", "'").strip()[-_LONGEST:])
    return list(filter(None, found))


def _draft(text: str, names: Sequence[str], session: Session, form: str) -> Draft:
    if form == "hours":
        return Draft(text, "file", title=_make_title(session))
    return Draft(f"{_name_session_project(session)}: {_EDITED} {text}", "note", source=session.id)


def _join_names(names: Sequence[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _name_session_project(session: Session) -> str:
    return " ".join((session.name or session.project or "?").split())


def _make_title(session: Session) -> str:
    return f"项目: {_name_session_project(session)}"


def _is_memory_file(home: Home, file: str) -> bool:
    """Whether a file is itself a memory of that home: what is written there is no work on the project."""
    with suppress(ValueError):
        inside = os.path.relpath(os.path.realpath(file), home.path).replace(os.sep, "/")
        return not inside.startswith("../") and load_layout(home.layout).role(home.path, inside) is not None
    return False


CHECKED = 20
"""Files of one call that are checked."""


def answer_post_tool(call: Call) -> HookAnswer | None:
    """Note the files, and say what the rules say of them: a rule that blocks has the agent mend it."""
    if read_tool(call.payload) not in WRITING or has_failed(call.payload):
        return None
    named = list_call_files(call.payload)
    if not named:
        return None
    session = call.session()
    problems: list[str] = []
    config = call.config
    if config.capture.enabled and config.capture.daily and not (session.sidechain or is_sidechain(call.payload)):
        try:
            note(named, session, config)
        except Exception as error:
            # What the rules say does not depend on it.
            problems.append(f"{type(error).__name__}: {error}")
    answer = _judge_files(call, session, named) if config.hooks.avoid else HookAnswer()
    return answer._replace(problem="; ".join(problems))


def _judge_files(call: Call, session: Session, named: Sequence[str]) -> HookAnswer:
    """What blocks as the reason, what only warns as context."""
    homes = [home.path for home in rules.find_rule_homes(session, call.config)]
    told = [read_home_config(home) for home in homes]
    touched = list_written_pieces(call.payload)
    parts: list[str] = []
    blocks = False
    for name in named[:CHECKED]:
        front = any(rules.is_listed_project(own, "frontend_projects", name, session) for own in told)
        traits = ("frontend",) if front else ()
        found = examine(Path(name), Path(session.cwd), homes, touched=touched, traits=traits)
        if call.config.hooks.meaning:
            found = [*found, *_ask_about(call, session, name)]
        if found:
            parts.append(f"{sanitize_text(name, keep_newlines=False)}\n{format_findings(found)}")
            blocks |= any(finding.action == "block" for finding in found)
    said = "\n\n".join(parts)
    return HookAnswer(decision="block", reason=said) if blocks else HookAnswer(said)


def _ask_about(call: Call, session: Session, name: str) -> Sequence[AvoidFinding]:
    """What a model has against the file, by the project's rules (tier 2)."""
    file = Path(session.cwd) / name
    text = read_contents(file.parent, file.name)
    given = rules.load_rules_for(rules.find_rule_homes(session, call.config), name, session, call.config)
    return gate.ask(file, text or "", "\n\n".join(item.text for item in given), call.config)
