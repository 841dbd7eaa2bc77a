"""Names in a query: of projects, people and things that the homes know, or that somebody wrote as a name.

Pure: what the homes know is gathered in `known`.
"""

from __future__ import annotations

from collections.abc import Collection

from memtui.pattern import pattern
from memtui.record import TYPE_CHECKING
from memtui.search import stopwords
from memtui.search.words import WORD, fold, pieces
from memtui.text import CJK_RUN

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

MOST = 10_000
"""Names that are known at once."""
LONGEST = 2000
"""Characters of a query that are looked at."""

_WORDS, _RUN = 5, 10
_QUOTED = pattern(
    r"`([^`\n]{2,60})`|“([^”\n]{2,60})”|「([^」\n]{2,60})」|『([^』\n]{2,60})』|\"([^\"\n]{2,60})\"|《([^》\n]{2,60})》"
)
_QUOTES = frozenset('`“「『"《')
_COINED = pattern(
    r"`([^`\s|]{2,40})`|(?<![A-Za-z0-9_])([A-Z][a-z0-9]+(?:[A-Z][A-Za-z0-9]*)+|[a-z]+[a-z0-9]*[A-Z][A-Za-z0-9]+"
    r"|[A-Z][A-Z0-9]{1,15}|[A-Z]?[a-z0-9]+(?:_[a-z0-9]+)+)(?![A-Za-z0-9_])"
)
_CAPITAL = pattern(r"(?<![\w`])[A-Z][\w'’-]*(?:\s[A-Z][\w'’-]*){0,3}")
_ENDED = frozenset(".!?。！？\n:：")
_DAYS = frozenset(
    {"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "january", "february", "march",
     "april", "may", "june", "july", "august", "september", "october", "november", "december"}
)  # fmt: skip


class Known(Collection[str]):
    """Names, ready to be looked for in a query whatever their case, width and joints."""

    def __init__(self, names: Iterable[str] = ()) -> None:
        self._written: dict[str, str] = {}
        for name in names:
            form = _form(name)
            if len(form) > 1 and form not in stopwords.ENGLISH and form not in stopwords.CHINESE:
                self._written.setdefault(form, name)
            if len(self._written) >= MOST:
                break

    @classmethod
    def merge(cls, homes: Iterable[Mapping[str, str]]) -> Known:
        """The names of several homes, of each as `forms` has them."""
        known = cls()
        for forms in homes:
            for form, name in forms.items():
                if len(known._written) >= MOST:
                    break
                known._written.setdefault(form, name)
        return known

    @property
    def forms(self) -> dict[str, str]:
        """How each name is compared -> how it is written."""
        return self._written

    def __len__(self) -> int:
        return len(self._written)

    def __iter__(self) -> Iterator[str]:
        return iter(self._written.values())

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and _form(name) in self._written

    def called(self, form: str) -> str:
        """The name as the homes write it; empty: nobody knows it."""
        return self._written.get(form, "")


def entities(query: str, known: Collection[str]) -> list[str]:
    """The names in a query, in its order: what is known, what is quoted, what is written as a name."""
    query = query[:LONGEST]
    names = known if isinstance(known, Known) else Known(known)
    found: dict[str, str] = {}
    for match in _QUOTED.finditer(query) if not _QUOTES.isdisjoint(query) else ():
        said = next(filter(None, match.groups())).strip()
        found.setdefault(_form(said), said)
    for form, name in _familiar(query, names):
        found.setdefault(form, name)
    for name in (*coined(query), *_capitalised(query)):
        found.setdefault(_form(name), name)
    plain = fold(query)
    return sorted(
        (name for form, name in found.items() if form),
        key=lambda name: plain.find(fold(name)) % (LONGEST + 1),
    )


def coined(text: str) -> list[str]:
    """Words that somebody made up to be names: `back-ticked`, WebSocket, camelCase, snake_case, JWT."""
    text = text[: 8 * LONGEST]
    if "`" not in text and "_" not in text and text == text.lower():
        return []
    return list(dict.fromkeys(match[1] or match[2] for match in _COINED.finditer(text)))


def _form(name: str) -> str:
    """A name as it is compared: its folded words and runs."""
    if name.isalnum() and (name.isascii() or CJK_RUN.fullmatch(name)):
        # Most names are one word: thousands of them are known at once.
        return name.lower()
    return " ".join(word for word, _cjk in pieces(fold(name)))


def _familiar(query: str, known: Known) -> Iterator[tuple[str, str]]:
    """Known names in the query, the longest at each place."""
    if not known:
        return
    words = pieces(fold(query))
    at = 0
    while at < len(words):
        size = next(
            (
                n
                for n in range(_WORDS, 0, -1)
                if known.called(" ".join(word for word, _cjk in words[at : at + n]))
            ),
            0,
        )
        if size:
            form = " ".join(word for word, _cjk in words[at : at + size])
            yield form, known.called(form)
        elif words[at][1]:
            yield from _in_run(words[at][0], known)
        at += max(size, 1)


def _in_run(run: str, known: Known) -> Iterator[tuple[str, str]]:
    at = 0
    while at < len(run) - 1:
        size = next((n for n in range(min(_RUN, len(run) - at), 1, -1) if known.called(run[at : at + n])), 0)
        if size:
            yield run[at : at + size], known.called(run[at : at + size])
        at += max(size, 1)


def _capitalised(query: str) -> Iterator[str]:
    """Names by their capitals; what only begins a sentence is none."""
    for match in _CAPITAL.finditer(query) if query != query.lower() else ():
        words = match.group().split()
        before = query[: match.start()].rstrip(" \"'“‘(")
        while words and _plain(words[0]) in stopwords.ENGLISH | _DAYS:
            words, before = words[1:], "x"
        while words and _plain(words[-1]) in stopwords.ENGLISH | _DAYS:
            words.pop()
        begins = not before or before[-1] in _ENDED
        owned = bool(words) and words[-1].endswith(("'s", "’s"))
        if words and (not begins or len(words) > 1 or owned):
            yield " ".join(words).removesuffix("'s").removesuffix("’s").strip("'’-")


def _plain(word: str) -> str:
    found = WORD.match(fold(word))
    return found.group() if found else ""
