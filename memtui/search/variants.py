"""The same words in the other Chinese script: 数据库 is asked for as 數據庫 as well, 發現 as 发现.

The query is what is written twice; the index holds what stands in the files. One simplified character may be several
traditional ones (发: 發 and 髮), so that a term has a few forms; which of them are words, the texts will tell.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import product

MOST = 8
"""Forms of one term that are asked for besides the one that was typed."""

_DOUBTFUL = 6
"""Characters of several forms that are tried in a term; any more stay with the likeliest."""

_KANA, _KANA_END = "\u3041", "\u30fa"
_HANGUL, _HANGUL_END = "\uac00", "\ud7a3"

_Table = dict[str, tuple[str, ...]]


@lru_cache(maxsize=1)
def _tables() -> tuple[_Table, _Table]:
    """What a character may be in traditional text, and what in simplified."""
    # Twenty kilobytes that a query in another language has no need of.
    from memtui.search.characters import GROUPS, KEPT

    traditional: _Table = {}
    simplified: _Table = {}
    for group in GROUPS.split():
        one, forms = group[0], tuple(group[1:])
        traditional[one] = forms
        for form in forms:
            if form != one:
                simplified[form] = (*simplified.get(form, ()), one)
    for form in KEPT:
        simplified[form] = (*simplified[form], form)
    return traditional, simplified


class Scripts:
    """Into which script a query can be written over: that of its own characters is left out."""

    def __init__(self, query: str) -> None:
        self._tables: tuple[_Table, ...] = ()
        # Kana and hangul say that its characters are Japanese or Korean, which have their own forms.
        if not _han(query) or any(
            _KANA <= one <= _KANA_END or _HANGUL <= one <= _HANGUL_END for one in query
        ):
            return
        traditional, simplified = _tables()
        only = {
            (one in traditional, one in simplified)
            for one in query
            if one not in traditional.get(one, ()) and one not in simplified.get(one, ())
        }
        self._tables = tuple(
            table
            for table, own in ((traditional, (False, True)), (simplified, (True, False)))
            if own not in only or len(only & {(False, True), (True, False)}) > 1
        )

    def __bool__(self) -> bool:
        return bool(self._tables)

    def forms(self, text: str) -> tuple[str, ...]:
        """The other ways to write a part of the query, the likeliest first; none where there is but one."""
        found: dict[str, None] = {}
        for table in self._tables:
            if not table.keys().isdisjoint(text):
                found.update(dict.fromkeys(_written(text, table)))
        found.pop(text, None)
        return tuple(found)[:MOST]


def simple(text: str) -> str:
    """The text in simplified characters, one for one."""
    if not _han(text):
        return text
    _, simplified = _tables()
    return "".join(simplified[one][0] if one in simplified else one for one in text)


def _han(text: str) -> bool:
    return not text.isascii() and any("\u3400" <= one <= "\u9fff" for one in text)


def _written(text: str, table: _Table) -> list[str]:
    choices: list[tuple[str, ...]] = []
    doubtful = 0
    for one in text:
        forms = table.get(one) or (one,)
        doubtful += len(forms) > 1
        choices.append(forms if doubtful <= _DOUBTFUL else forms[:1])
    ranked = product(*[range(len(forms)) for forms in choices])
    # By how far they are from the likeliest form of each character.
    best = sorted(ranked, key=sum)[: MOST + 1]
    return ["".join(forms[place] for forms, place in zip(choices, places, strict=True)) for places in best]
