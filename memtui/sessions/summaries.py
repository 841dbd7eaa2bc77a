"""Summaries of sessions (L2): this session's own, and the latest of its project (spec 000, 会话启动)."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING, NamedTuple

from memtui.layouts import layout
from memtui.locale import _
from memtui.model import Layer
from memtui.parse import session_head
from memtui.sessions.passage import held, passage

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from memtui.model import Home
    from memtui.sessions.belonging import Belonging
    from memtui.sessions.passage import Passage, Patterns

_FOLDERS = (
    "sessions", "user/sessions", ".helloagents/sessions", ".helloagents/user/sessions", "helloagents/sessions",
    "memories/rollout_summaries", "rollout_summaries",
)  # fmt: skip
_ALWAYS = 32
"""The newest files, by their own times, whose heads say when they really were."""
_LOOKED = 300
"""Files that are looked into at most, for some of the project."""
_HEAD = 4096
_NOT_GIVEN = frozenset({"openakita"})
"""Nothing dynamic is given there (spec 003): episodes are searched."""


class _Summary(NamedTuple):
    """One session's summary, before it is read."""

    home: Home
    path: str
    session: str
    time: float
    mine: bool | None
    """Of this project; None: it does not say."""
    record: Passage | None = None
    """Where it is a line of a file."""


def own(
    homes: Iterable[Home], ids: Sequence[str], *, now: float, hidden: Patterns, reason: str
) -> Passage | None:
    """The summary of the session that is called by one of these ids; None: it has none yet, or no id."""
    for home in homes if ids else ():
        for folder in _FOLDERS:
            for name in _called(home, folder, ids):
                found = passage(home, f"{folder}/{name}", reason, now=now, hidden=hidden)
                if found is not None and found.layer is Layer.SESSION:
                    return found
        for record in _records(home, now, hidden):
            if record.session in ids:
                return record.record._replace(reason=reason) if record.record else None
    return None


def latest(
    homes: Iterable[Home], count: int, whose: Belonging, without: str, *, now: float, hidden: Patterns
) -> list[Passage]:
    """The newest summaries of the project, `count` at most; then those that say of no project. Newest first."""
    if count < 1:
        return []
    given = [home for home in homes if home.layout not in _NOT_GIVEN]
    found = [record for home in given for record in _records(home, now, hidden)]
    found += _of_files(given, count, whose, without)
    found = [one for one in found if one.mine is not False and (not without or one.session != without)]
    found.sort(key=lambda one: (one.mine is None, -one.time))
    # Some tools begin a session's file anew every day.
    chosen = list({one.session or one.path: one for one in reversed(found)}.values())[::-1]
    read: list[tuple[float, Passage]] = []
    for one in chosen:
        if len(read) == count:
            break
        reason = _("one of the last sessions of this project")
        if not one.mine:
            reason = _("one of the last sessions, of no project that it names")
        record = one.record or passage(one.home, one.path, reason, now=now, hidden=hidden)
        if record is not None and (record.entries or one.record):
            read.append((-one.time, record._replace(reason=reason)))
    return [part for _time, part in sorted(read, key=lambda pair: pair[0])]


def of_project(homes: Iterable[Home], session: str, whose: Belonging) -> bool:
    """Whether the summary of another session is there, and not of another project."""
    for home in homes:
        for folder in _FOLDERS:
            for name in _called(home, folder, (session,)):
                found = _headed(home, f"{folder}/{name}", 0.0, whose)
                if found is not None:
                    return found.mine is not False
    return False


def _of_files(homes: Iterable[Home], count: int, whose: Belonging, without: str) -> list[_Summary]:
    """Those that stand in files of their own, by the newest files."""
    files = sorted((file for home in homes for file in _files(home)), key=lambda file: -file[0])
    found: list[_Summary] = []
    for number, (time, home, path) in enumerate(files[:_LOOKED]):
        mine = {one.session or one.path for one in found if one.mine}
        if number >= _ALWAYS and len(mine - {without}) >= count:
            break
        summary = _headed(home, path, time, whose)
        if summary is not None:
            found.append(summary)
    return found


def _files(home: Home) -> Iterator[tuple[float, Home, str]]:
    for folder in _FOLDERS:
        try:
            with os.scandir(home.path / folder) as entries:
                for entry in entries:
                    if entry.name.endswith(".md"):
                        status = entry.stat(follow_symlinks=False)
                        if stat.S_ISREG(status.st_mode):
                            yield status.st_mtime, home, f"{folder}/{entry.name}"
        except OSError:
            continue


def _called(home: Home, folder: str, ids: Sequence[str]) -> list[str]:
    """The names of a session's files in a directory, the newest first: with a day before it, or without."""
    try:
        names = os.listdir(home.path / folder)
    except OSError:
        return []
    ends = tuple(f"-{one}.md" for one in ids)
    dated = [name for name in names if name.endswith(ends) and name[11:-3] in ids and name[:4].isdigit()]
    return [name for name in (f"{one}.md" for one in ids) if name in names] + sorted(dated, reverse=True)


def _headed(home: Home, path: str, time: float, whose: Belonging) -> _Summary | None:
    """A summary as its head tells it; None where the file is none."""
    role = layout(home.layout).role(home.path, path)
    if role is None or role.layer is not Layer.SESSION or role.parser != "session":
        return None
    source = held(home, path, role, _HEAD)
    if source is None:
        return None
    head = session_head.read(source.lines, path)
    mine = whose.told(*(_text(head.extra.get(name)) for name in ("project", "cwd")))
    if home.current and home.layout != "codex":
        # What stands in the project's own base is the project's, whatever name a model gave it.
        mine = True
    elif mine is None and home.layout == "codex":
        # Codex keeps all projects' sessions together.
        mine = False
    return _Summary(home, path, head.session, head.updated or head.created or time, mine)


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _records(home: Home, now: float, hidden: Patterns) -> list[_Summary]:
    """Those that are lines of sessions.jsonl (spec 004)."""
    from memtui.sessions.session_records import PATH, records

    mine = True if home.current else None
    found = records(home, now=now, hidden=hidden)
    return [_Summary(home, PATH, one.session, one.time, mine, one.passage) for one in found]
