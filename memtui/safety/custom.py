"""A person's own patterns for secrets, let in only if no text can keep them busy for long."""

from __future__ import annotations

import re
import warnings
from re import _constants as code  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import TYPE_CHECKING, Any

from memtui.locale import _

if TYPE_CHECKING:
    from collections.abc import Iterable

LONGEST = 500
"""Characters of one pattern."""

MOST = 100
"""Patterns."""

WAYS = 256
"""How many ways a pattern may have to match at one place, before it is too slow for a text of a megabyte."""

_LONG = 1000
"""Ways of a repetition without a bound."""

_ENDLESS = 1 << 40

_REPEATS = {code.MAX_REPEAT, code.MIN_REPEAT, code.POSSESSIVE_REPEAT}
_SIMPLE = {code.LITERAL, code.NOT_LITERAL, code.ANY, code.IN, code.AT, code.RANGE, code.CATEGORY}


def compiled(patterns: Iterable[str]) -> tuple[tuple[re.Pattern[str], ...], list[str]]:
    """The patterns that are safe, and a sentence for each that is not. Never raises."""
    good: list[re.Pattern[str]] = []
    told: list[str] = []
    for number, pattern in enumerate(patterns):
        if number == MOST:
            told.append(_("redact.patterns: only the first {count} are used").format(count=MOST))
            break
        reason = unsafe(pattern)
        if reason:
            told.append(
                _("redact.patterns: '{pattern}' is left out: {reason}").format(
                    pattern=pattern[:60], reason=reason
                )
            )
        else:
            good.append(re.compile(pattern))
    return tuple(good), told


def unsafe(pattern: str, ways: int = WAYS) -> str:
    """Why a person's own expression cannot be used, in a few words; empty: it can.

    `ways`: more than `WAYS` where it only ever sees a few thousand characters at a time.
    """
    if len(pattern) > LONGEST:
        return _("it is longer than {count} characters").format(count=LONGEST)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = parser.parse(pattern)
            found = re.compile(pattern)
    except (re.error, OverflowError, RecursionError, MemoryError) as error:
        return _("it is no regular expression ({error})").format(error=error)
    if found.match("") is not None:
        return _("it matches where nothing stands")
    if _ways(tree, last=True, inside=False) > ways:
        return _(
            "it could take very long on some texts (give every repetition but the last a bound, like {1,40}, and put none inside of another)"
        )
    return ""


def _ways(tree: Any, *, last: bool, inside: bool) -> int:
    """How many ways there are, at most, to try it at one place: what repeats must be bounded, unless nothing follows,
    and never nested.
    """
    ways = 1
    steps = list(tree)
    for number, (operation, argument) in enumerate(steps):
        end = last and number == len(steps) - 1
        if operation in _REPEATS:
            least, most, inner = argument
            if inside and most > 1:
                return _ENDLESS
            ways *= 1 if end else min(most - least + 1, _LONG)
            ways *= _ways(inner, last=False, inside=most > 1)
        elif operation is code.BRANCH:
            ways *= _ENDLESS if inside else sum(_ways(part, last=end, inside=inside) for part in argument[1])
        elif operation is code.SUBPATTERN:
            ways *= _ways(argument[3], last=end, inside=inside)
        elif operation in {code.ASSERT, code.ASSERT_NOT}:
            ways *= _ways(argument[1], last=False, inside=inside)
        elif operation not in _SIMPLE:
            return _ENDLESS
    return ways
