"""Translation of text for people: `_` and `_n` around every string that somebody reads.

English is the source. The catalogue of Chinese is `memtui/locale/zh/LC_MESSAGES/memtui.mo`, made by
`python -m tests.words`; where English is spoken neither it nor `gettext` is loaded. Tables at module level hold
source strings, which are translated when they are shown.

Which language: `--lang` and MEMTUI_UI_LOCALE, else the setting ui.locale, else LANGUAGE, LC_ALL, LC_MESSAGES and
LANG. What agents are given is English always: their front doors say so (`choose_language`).
"""

from __future__ import annotations

import os
from functools import cache

from memtui.core.startup import TYPE_CHECKING

if TYPE_CHECKING:
    from gettext import NullTranslations

CATALOGUES = os.path.join(os.path.dirname(os.path.dirname(__file__)), "locale")
LANGUAGES = ("en", "zh")
VARIABLE = "MEMTUI_UI_LOCALE"
"""The setting's own variable, which processes that are started from here inherit."""

_chosen = {"here": "", "config": ""}


def choose_language(language: str, *, by: str = "here") -> None:
    """Speak it in this process, whatever else is said; `by="config"`: unless something else is said."""
    _chosen[by] = language if language in LANGUAGES else ""
    _load_catalogue.cache_clear()


def find_language() -> str:
    """The language that people are spoken to in: en or zh."""
    named = os.environ.get(VARIABLE, "")
    return _chosen["here"] or (named if named in LANGUAGES else "") or _chosen["config"] or find_system_language()


def find_system_language() -> str:
    """The language that the environment asks for, whatever is chosen here."""
    names = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
    wanted = next((value for value in map(os.environ.get, names) if value), "")
    known = (part[:2].lower() for part in wanted.split(":"))
    return next((part for part in known if part in LANGUAGES), "en")


@cache
def _load_catalogue() -> NullTranslations | None:
    language = find_language()
    if language == "en":
        return None
    from gettext import GNUTranslations

    try:
        with open(os.path.join(CATALOGUES, language, "LC_MESSAGES", "memtui.mo"), "rb") as file:
            return GNUTranslations(file)
    except OSError:
        return None


def _(message: str) -> str:
    """The message in the language of the person; itself where that has no words for it."""
    catalogue = _load_catalogue()
    # The empty message is the catalogue's own head.
    return message if catalogue is None or not message else catalogue.gettext(message)


def translate_parts(message: str) -> str:
    """What a parser noted in English ('not valid JSON: expecting value; the file seems to be cut off here') part by
    part; a part that the catalogue lacks, a number or a name in it, stays as it is.
    """
    if _load_catalogue() is None:
        return message
    clauses = (clause.split(": ") for clause in message.split("; "))
    return _("; ").join(_(": ").join(map(_, parts)) for parts in clauses)


def _n(one: str, many: str, count: int) -> str:
    """The form of a message that goes with a count, `{count}` in it filled in: '1 file', '1,284 files'."""
    catalogue = _load_catalogue()
    form = (one if count == 1 else many) if catalogue is None else catalogue.ngettext(one, many, count)
    return form.replace("{count}", f"{count:,}")


def format_size(amount: int) -> str:
    """Bytes for a person: 812 B, 3.4 KB, 398 KB."""
    value = float(amount)
    for unit in ("B", "KB", "MB"):
        if value < 1024:
            return f"{value:.0f} {unit}" if unit == "B" or value >= 10 else f"{value:.1f} {unit}"
        value /= 1024
    return f"{value:.1f} GB"


def format_share(done: int, total: int) -> str:
    """34 %: a hundred only where nothing is left, and none only where nothing is done."""
    share = 100 * done // max(1, total)
    return f"{share} %" if share or not done else "< 1 %"
