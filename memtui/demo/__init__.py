"""The bundled demo homes: two months of agents' work, so that every view has something to show.

The data stands mostly in English in `en/` and mostly in Chinese in `zh/`; files without a language of their own
stand once, in `both/`. Its dates are as if the newest day were `NEWEST`; `copy` moves that day to today.

Floor: above core, beside safety and manual. Doors: `copy` and `list_files`.
"""

from __future__ import annotations

import os
import re
from datetime import UTC, date, datetime, timedelta, timezone
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from memtui.core import clock
from memtui.core.locale import LANGUAGES
from memtui.core.startup import compile_pattern

if TYPE_CHECKING:
    from collections.abc import Callable

SOURCE = Path(__file__).parent
"""Where the data stands, never to be opened itself: its dates lie in the past."""

NEWEST = date(2026, 11, 20)
"""The day in the data that becomes today."""

MORNING = 11
"""The hour, local time, before which what the newest day tells would not have happened yet."""

HOMES = (
    "mei",
    "claude/projects/-home-mei-code-shop",
    "codex",
    "openclaw/workspace",
    "xinghebot/workspace/lantern-ops/memory",
)
"""The homes in it, the richest first."""

_DATE = compile_pattern(
    rb"(?<!\d)(20[23]\d)([-/])(0[1-9]|1[0-2])\2(0[1-9]|[12]\d|3[01])(?!\d)"
    rb"|(?<![0-9A-Za-z])(20[23]\d)(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(?![0-9A-Za-z])"
)


ZONE = timezone(timedelta(hours=8))
"""Where the story happens. A time without a zone is a local one; a moment is moved to agree with it elsewhere."""

_MOMENT = compile_pattern(rb"(?<!\d)(20[23]\d-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d+)?(Z|\+08:00)")


def list_files(language: str = LANGUAGES[0]) -> dict[str, Path]:
    """The demo's files in one language: where each belongs, with `/`, and where it stands."""
    if language not in LANGUAGES:
        raise ValueError(f"no demo in {language!r}")
    return {
        Path(folder, name).relative_to(root).as_posix(): Path(folder, name)
        for root in (SOURCE / "both", SOURCE / language)
        for folder, _folders, files in os.walk(root)
        for name in files
    }


def copy(to: str | os.PathLike[str], language: str = LANGUAGES[0]) -> list[Path]:
    """Copy the demo into the directory `to` (made where it is missing) and answer the homes to open.

    Every date in names and contents moves by the same number of whole days, so that the newest day is the clock's
    today (until MORNING yesterday: nothing in the demo lies ahead), and every moment so that the local clock shows
    what it showed in the story; files are as old as what they tell. All other bytes are kept. Raises ValueError
    for a language that it is not told in, OSError where it cannot be written.
    """
    target = Path(to)
    now = clock.now()
    today = date.fromisoformat(clock.format_day(now if clock.convert_to_local(now).hour >= MORNING else now - 86400))
    moved = _mover((today - NEWEST).days)
    for name, source in list_files(language).items():
        data = _MOMENT.sub(_settle, _DATE.sub(moved, source.read_bytes()))
        file = target / os.fsdecode(_DATE.sub(moved, os.fsencode(name)))
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
        age = _told(os.fsencode(file.name), today) or _told(data, today) or today - timedelta(days=30)
        seconds = min(clock.parse(f"{age} 12:00") or clock.now(), clock.now())
        os.utime(file, (seconds, seconds))
    return [target / home for home in HOMES]


def _mover(days: int) -> Callable[[re.Match[bytes]], bytes]:
    step = timedelta(days=days)

    @cache
    def shifted(whole: bytes) -> bytes:
        digits = re.sub(rb"\D", b"", whole).decode()
        try:
            moved = date(int(digits[:4]), int(digits[4:6]), int(digits[6:])) + step
        except (ValueError, OverflowError):
            return whole
        mark = whole[4:5].decode() if len(whole) == 10 else ""
        return moved.strftime(f"%Y{mark}%m{mark}%d").encode()

    return lambda match: shifted(match.group())


def _settle(match: re.Match[bytes]) -> bytes:
    return _move_moment(match[1].decode(), match[3] == b"Z", match[2] or b"")


def _move_moment(text: str, is_utc: bool, fraction: bytes) -> bytes:
    """The moment at which the local clock here shows what it showed in the story."""
    try:
        told = datetime.fromisoformat(text)
    except ValueError:
        told = None
    wall = told.replace(tzinfo=UTC).astimezone(ZONE).replace(tzinfo=None) if told and is_utc else told
    seconds = clock.parse(wall.isoformat()) if wall else None
    if seconds is None:
        return text.encode() + fraction + (b"Z" if is_utc else b"+08:00")
    if is_utc:
        return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%dT%H:%M:%S}".encode() + fraction + b"Z"
    zone = f"{clock.convert_to_local(seconds):%z}"
    return text.encode() + fraction + f"{zone[:3]}:{zone[3:5]}".encode()


def _told(text: bytes, today: date) -> date | None:
    """The latest day named in the text that is not in the future."""
    newest = None
    for match in set(_DATE.findall(text)):
        year, _mark, month, day = match[:4] if match[0] else (match[4], b"", match[5], match[6])
        try:
            found = date(int(year), int(month), int(day))
        except ValueError:
            continue
        if found <= today and (newest is None or found > newest):
            newest = found
    return newest
