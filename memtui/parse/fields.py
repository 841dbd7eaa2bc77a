"""Values of records as they stand on disk -> the types of `Entry`. Hostile or odd values become empty, never errors."""

from __future__ import annotations

import json
import math
import os
from datetime import timedelta
from functools import lru_cache

from memtui import clock
from memtui.parse.dates import dashed
from memtui.parse.json_reader import BrokenJsonError, Decoder
from memtui.pattern import pattern
from memtui.record import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

LONGEST = 64 * 1024
"""Most characters of one value that are shown; the file itself keeps the rest."""

_YEAR_10000 = 253402300800
_DATE = pattern(r"\d{4}(?:[-/年]\d{1,2}[-/月]\d{1,2}日?|\d{4})")


def plain(value: Any) -> str:
    """Any JSON value as a person reads it: text as it is, lists joined by commas, objects as compact JSON."""
    if isinstance(value, str):
        return value if value.isascii() else _whole(value)
    if value is None:
        return ""
    if isinstance(value, list) and all(isinstance(item, (str, int, float)) for item in value):
        return ", ".join(plain(item) for item in value)
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    try:
        return _whole(json.dumps(value, ensure_ascii=False, default=str))
    except (ValueError, RecursionError, TypeError):
        return "(nested too deep to show)"


def _whole(text: str) -> str:
    """Lone surrogates, which no file and no database can hold, become question marks."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace").decode()
    return text


def short(value: Any, most: int = LONGEST) -> str:
    """The value as text of bounded length; a cut says how much was left out."""
    text = (value if type(value) is str and value.isascii() else plain(value)).strip()
    if "\0" in text:
        # JSON can spell a NUL, at which databases and terminals end a text.
        text = text.replace("\0", "\ufffd")
    if len(text) <= most:
        return text
    return f"{text[:most]}… (+{len(text) - most:,} characters)"


def line(value: Any, most: int = 200) -> str:
    """The value on one line, shortened with an ellipsis: for titles and one-line summaries."""
    if type(value) is str and len(value) <= most and value.isascii() and value.isprintable():
        return value.strip()
    text = " ".join(plain(value)[: most * 4].split())
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"


def number(value: Any) -> float | None:
    """A finite number, or one written as text; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        return None
    try:
        found = float(value)
    except (ValueError, OverflowError):
        return None
    return found if math.isfinite(found) else None


def moment(value: Any) -> float | None:
    """A time as seconds since the epoch: ISO 8601 (naive is local), or seconds or milliseconds as a number."""
    if value is None:
        return None
    if isinstance(value, str):
        if len(value) == 10:
            found = _day(value, os.environ.get("MEMTUI_TZ", ""))
        else:
            found = clock.parse(value) if value else None
        if found is None and ("/" in value or "年" in value):
            found = clock.parse(dashed(value))
        if found is not None or not value.strip().replace(".", "", 1).isdigit():
            return found
    seconds = number(value)
    if seconds is None or seconds <= 0:
        return None
    if seconds > 1e11:
        seconds /= 1000
    return seconds if seconds < _YEAR_10000 else None


def ending(value: Any) -> float | None:
    """When something ends, as `moment` reads it; a day without a time holds until its last second."""
    return through(value, moment(value))


def through(value: Any, at: float | None) -> float | None:
    """The same of what was read already: `at`, or the last second of the day where `value` is no more than a day."""
    if at is None or not isinstance(value, str) or not _DATE.fullmatch(value.strip()):
        return at
    return _last(at, os.environ.get("MEMTUI_TZ", ""))


@lru_cache(maxsize=4096)
def _last(midnight: float, _zone: str) -> float:
    try:
        after = clock.parse((clock.local(midnight).date() + timedelta(days=1)).isoformat())
    except OverflowError:
        after = None
    return midnight if after is None else after - 1.0


@lru_cache(maxsize=4096)
def _day(text: str, _zone: str) -> float | None:
    """Dates repeat by the thousand and local midnights are dear; the zone is part of the key."""
    return clock.parse(text)


def words(value: Any) -> tuple[str, ...]:
    """Tags or entities: a list, a JSON list written as text, or words separated by commas."""
    if not value:
        return ()
    if isinstance(value, str):
        value = _listed(value)
    if not isinstance(value, (list, tuple)):
        value = [value]
    found = dict.fromkeys([line(item, 120) for item in value[:256]])
    found.pop("", None)
    return tuple(found)


def _listed(text: str) -> Any:
    text = text.strip()
    if text.startswith("["):
        decoded = decoded_json(text)
        if isinstance(decoded, list):
            return decoded
    return text.replace("，", ",").replace("、", ",").split(",")


def decoded_json(text: Any) -> Any:
    """JSON kept as text in another record (a database column, a tool's arguments); None where it is none."""
    if not isinstance(text, str) or not text or len(text) > 4 * 1024 * 1024:
        return None
    try:
        return Decoder(strict=False).decode(text.strip(), 0)[0]
    except BrokenJsonError:
        return None


def first(record: Mapping[str, Any], *names: str) -> str:
    """The first of these keys whose value is text with something in it."""
    for name in names:
        value = record.get(name)
        if isinstance(value, str) and value and not value.isspace():
            return short(value)
    return ""


def searchable(text: str, *more: str | Iterable[str]) -> str:
    """What to index of a record: its text, then whatever else a person may look for, each on a line."""
    return "\n".join([text, *[item if isinstance(item, str) else " ".join(item) for item in more if item]])


def rest(record: Mapping[str, Any], taken: frozenset[str]) -> dict[str, Any]:
    """The keys that no field of an entry took, as they stand."""
    return {key: value for key, value in record.items() if key not in taken}
