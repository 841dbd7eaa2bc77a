"""Words for people in their own language: `_` around every string that somebody reads.

English is the source. A catalogue is `memtui/locales/<language>/LC_MESSAGES/memtui.mo`; until there is one,
nothing is imported and the string comes back as it is. Tables at module level hold the source string and are
translated when shown.
"""

from __future__ import annotations

import os
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

CATALOGUES = os.path.join(os.path.dirname(__file__), "locales")


@cache
def _translator() -> Callable[[str], str]:
    if not os.path.isdir(CATALOGUES):
        return str
    import gettext

    return gettext.translation("memtui", CATALOGUES, fallback=True).gettext


def _(message: str) -> str:
    """The message in the language of the environment; itself where that has no words for it."""
    return _translator()(message)
