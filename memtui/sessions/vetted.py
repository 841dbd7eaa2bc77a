"""Passages without what reads like an order to agents (reliability §4): their files are never altered.

What a person approved in Review stays, as long as its text is the one that was approved.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from memtui.sessions import innocent

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memtui.model import Home
    from memtui.sessions.passage import Passage

    Lines = Sequence[tuple[int, str]]

ORDER = "it reads like an order to agents"
"""Why something is not given, for a person."""


def safe(found: Passage) -> tuple[Passage, list[tuple[int, str]]]:
    """The passage without its orders; and those, each with the line that it begins on."""
    if innocent.known(found.text):
        return found, []
    if not _orders(found.text):
        innocent.remember(found.text)
        return found, []
    allowed: set[int] = set()
    bad: dict[int, str] = {}
    for entry in found.entries:
        if _orders(entry.text):
            if _approved(found.home, entry.text):
                allowed.update(range(entry.start, entry.end + 1))
            else:
                bad.update((line, "") for line in range(entry.start + 1, entry.end + 1))
                bad[entry.start] = entry.text
    lines = [item for item in found.lines if item[0] not in bad]
    for _again in range(len(lines)):
        asked = [item for item in lines if item[0] not in allowed]
        if not _orders(_joined(asked)):
            break
        worst = _first_bad(asked)
        bad[worst[0]] = worst[1]
        lines.remove(worst)
    return found._replace(lines=tuple(lines)), [item for item in sorted(bad.items()) if item[1]]


def named_oddly(path: str) -> bool:
    """Whether a file is called what reads like an order: its name is given with what stands in it."""
    if innocent.known(path):
        return False
    spoken = path.rpartition(".")[0].replace("-", " ").replace("_", " ").replace("/", "\n")
    if _orders(path) or _orders(spoken):
        return True
    innocent.remember(path)
    return False


def _orders(text: str) -> bool:
    # The rules cost more to load than all that is given to read.
    from memtui.safety.injection import examine

    return examine(text).action == "quarantine"


def _first_bad(lines: Lines) -> tuple[int, str]:
    """The line with which it begins to read like an order: one that is divided has no line of its own."""
    low, high = 1, len(lines)
    while low < high:
        middle = (low + high) // 2
        if _orders(_joined(lines[:middle])):
            high = middle
        else:
            low = middle + 1
    return lines[low - 1]


def _joined(lines: Iterable[tuple[int, str]]) -> str:
    return "\n".join(line for _number, line in lines)


def _approved(home: Home, text: str) -> bool:
    """Whether a person approved just this text for this home."""
    from memtui.curation.decisions import decided
    from memtui.curation.destination import own
    from memtui.curation.similar import normal

    said = normal(text) or text
    # What a home brings along from elsewhere nobody here has approved.
    mine = [home] if home.path == own().path else []
    return any(
        decision.done == "approved"
        and decision.who == "person"
        and decision.home == str(home.path)
        and (normal(decision.text) or decision.text) == said
        for decision in decided(mine).values()
    )
