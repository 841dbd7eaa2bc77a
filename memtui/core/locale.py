"""Translation of text for people: `_` and `_n` around every string that somebody reads.

English is the source. A catalogue is `memtui/locales/<language>/LC_MESSAGES/memtui.mo`; without one nothing is
imported and the string comes back unchanged. Tables at module level hold source strings, which are translated
when they are shown.
"""

from __future__ import annotations

import os
from functools import cache

from memtui.core.startup import TYPE_CHECKING

if TYPE_CHECKING:
    from gettext import NullTranslations

CATALOGUES = os.path.join(os.path.dirname(os.path.dirname(__file__)), "locales")


@cache
def _catalogue() -> NullTranslations | None:
    if not os.path.isdir(CATALOGUES):
        return None
    import gettext

    return gettext.translation("memtui", CATALOGUES, fallback=True)


def _(message: str) -> str:
    """The message in the language of the environment; itself where that has no words for it."""
    catalogue = _catalogue()
    return message if catalogue is None else catalogue.gettext(message)


def _n(one: str, many: str, count: int) -> str:
    """The form of a message that goes with a count, `{count}` in it filled in: '1 file', '1,284 files'."""
    catalogue = _catalogue()
    form = (one if count == 1 else many) if catalogue is None else catalogue.ngettext(one, many, count)
    return form.replace("{count}", f"{count:,}")
