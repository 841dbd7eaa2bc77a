"""What lessons are worth now, for a session's start: a hook waits for it, so it is worked out once for each state of
the logs and kept in the cache. The logs are the truth; without the cache it takes longer and is the same.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from memtui.digest import sha256
from memtui.disk.places import cache, private
from memtui.errors import MemtuiError
from memtui.evolution.effect import Effect
from memtui.evolution.log import PATH, parsed

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from memtui.config import EvolutionConfig
    from memtui.model import Home


LARGEST = 16 * 1024 * 1024
"""Bytes of one log, and of what is kept of it, beyond which no hook reads it."""
_KEEPING = frozenset({"memtui", "code-memory"})


def values(homes: Iterable[Home], config: EvolutionConfig, now: float) -> dict[str, float]:
    """Digests of experiences that are known to help or not, and what each is worth. Never raises."""
    return {
        digits: effect.value(now, config.half_life_days)
        for digits, effect in _effects(homes, config, now).items()
    }


def _effects(homes: Iterable[Home], config: EvolutionConfig, now: float) -> dict[str, Effect]:
    logs: list[tuple[str, int, int]] = []
    keeping = sorted({home.path for home in homes if home.layout in _KEEPING})
    for path in keeping:
        with suppress(OSError, ValueError):
            status = os.stat(path / PATH)
            if 0 < status.st_size <= LARGEST:
                logs.append((str(path), status.st_size, status.st_mtime_ns))
    if not logs:
        return {}
    file = cache() / "effects" / sha256("\0".join(log[0] for log in logs).encode("utf-8", "replace"))[:24]
    kept = _kept(file, logs)
    if kept is None:
        kept = _worked_out(logs, config, now)
        _keep(file, logs, kept)
    return kept


def _worked_out(logs: list[tuple[str, int, int]], config: EvolutionConfig, now: float) -> dict[str, Effect]:
    from memtui.disk.files import Reader
    from memtui.evolution.effect import effects
    from memtui.evolution.ledger import together

    read = []
    for home, _size, _time in logs:
        with suppress(MemtuiError, OSError), Reader(home) as reader:
            lines = reader.read(PATH, LARGEST)[0].split(b"\n")
            # Signals are most of a log, and tell nothing of experiences.
            read.append(
                parsed(b"\n".join(line for line in lines if b"xperience_id" in line or b"utcome" in line))
            )
    found: dict[str, Effect] = {}
    for effect in effects(together(read), now, config):
        kind, _colon, rest = effect.experience.partition(":")
        if effect.known and kind in {"avoidance", "rule"}:
            # The best comes first; of two with the same words the one counts that was used last.
            digits = rest.rpartition(":")[2]
            other = found.get(digits)
            if other is None or (other.last or 0.0) < (effect.last or 0.0):
                found[digits] = effect
    return found


def _kept(file: Path, logs: list[tuple[str, int, int]]) -> dict[str, Effect] | None:
    """What was worked out from just these logs; None: nothing was."""
    try:
        with file.open("rb") as held:
            plain: dict[str, Any] = json.loads(held.read(LARGEST))
        if plain["of"] != [list(log) for log in logs]:
            return None
        return {str(digits): _read(*row) for digits, row in plain["effects"].items()}
    except (OSError, ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError):
        return None


def _read(good: int, bad: int, helpful: int, wrong: int, last: float | None) -> Effect:
    counts = [max(0, int(count)) for count in (good, bad, helpful, wrong)]
    return Effect(
        "", 0, counts[0], counts[1], counts[2], counts[3], last=None if last is None else float(last)
    )


def _keep(file: Path, logs: list[tuple[str, int, int]], found: dict[str, Effect]) -> None:
    rows = {key: [one.good, one.bad, one.helpful, one.wrong, one.last] for key, one in found.items()}
    # Losing it costs a hook some milliseconds, no memory.
    with suppress(OSError, MemtuiError):
        private(file.parent)
        part = file.with_suffix(f".{os.urandom(4).hex()}")
        part.write_text(json.dumps({"of": logs, "effects": rows}), "utf-8")
        os.replace(part, file)
