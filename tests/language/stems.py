"""What must stand in a line for a sign to be heard: `python -m tests.language.stems`, after a sign was changed."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from memtui.language.trouble import STEMS, list_signs
from memtui.language.trouble_kinds import list_alternatives

if TYPE_CHECKING:
    from memtui.language.trouble_kinds import Sign

_MOST = 400


def stems(sign: Sign) -> tuple[str, ...]:
    """Of each alternative of a sign the small letters of which one stands in whatever it matches, between bars.

    Where that cannot be told of one of them, or nothing is known of alternatives: the same of the whole.
    """
    parts = [_of(one, re.IGNORECASE) for one in list_alternatives(sign.source)] if sign.source else []
    return tuple(parts) if all(parts) and parts else (_of(sign.pattern.pattern, sign.pattern.flags),)


def _of(source: str, flags: int) -> str:
    found = _needed(re._parser.parse(source, flags & re.IGNORECASE))  # type: ignore[attr-defined]
    shortest = {one for one in found if not any(other != one and other in one for other in found)}
    assert not any("|" in one for one in shortest)
    return "|".join(sorted(shortest))


def _needed(nodes: Any) -> set[str]:
    best: set[str] = set()
    run = ""
    for operator, value in [*nodes, (None, None)]:
        name = str(operator)
        if name == "LITERAL":
            run += chr(value).lower()
            continue
        if run:
            best, run = _better(best, {run}), ""
        if name == "SUBPATTERN":
            best = _better(best, _needed(value[3]))
        elif name == "BRANCH":
            sets = [_needed(branch) for branch in value[1]]
            best = _better(best, set().union(*sets) if all(sets) else set())
        elif name in {"MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"} and value[0] >= 1:
            best = _better(best, _needed(value[2]))
    return best


def _better(one: set[str], other: set[str]) -> set[str]:
    if not one or not other or len(other) > _MOST:
        return one or (other if len(other) <= _MOST else set())
    worth = [min(len(word) + (ord(word[0]) > 0x2E80) * 2 for word in words) for words in (one, other)]
    return other if (worth[1], -len(other)) > (worth[0], -len(one)) else one


def text() -> str:
    """The file as it is to be."""
    told = [list(stems(sign)) for sign in list_signs()]
    return json.dumps(told, ensure_ascii=False, indent=0) + "\n"


if __name__ == "__main__":
    STEMS.write_text(text(), encoding="utf-8")
