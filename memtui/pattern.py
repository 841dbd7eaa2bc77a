"""Regular expressions that are compiled by their first use.

Compiling is dear, and most of what starts, a hook above all, uses few of the patterns that the modules it needs hold.
"""

from __future__ import annotations

import re

from memtui.record import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from typing import AnyStr

_METHODS = ("match", "fullmatch", "search", "finditer", "findall", "sub", "subn", "split")


class _Uncompiled:
    """What stands for a pattern; once compiled, its methods are the pattern's own."""

    def __init__(self, source: str | bytes, flags: int) -> None:
        self._source = source
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        compiled = re.compile(self._source, self._flags)
        for method in _METHODS:
            setattr(self, method, getattr(compiled, method))
        return getattr(compiled, name)


def pattern(source: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """A pattern as `re.compile` makes it, made by its first use, where re.error comes too: give it constants."""
    return cast("re.Pattern[AnyStr]", _Uncompiled(source, flags))
