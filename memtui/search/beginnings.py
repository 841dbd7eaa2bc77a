"""A word that may not be finished yet, as the index is asked for it."""

from __future__ import annotations

# What may follow a stem in a word that is not finished yet: 'configurati' must find 'configur'.
_SUFFIXES = (
    "ational ation ations ative ately ating ated ator ators ing ings ingly ed edly er ers ment ments ness fulness "
    "ousness iveness ization izations izer izers izing ized ity ities ility ability ably able ible ies ied ion ions "
    "ical ically ance ances ence ences es ent ant ous ously al ally ism ive ives"
)
_ENDINGS = tuple(_SUFFIXES.split())


def beginning(word: str) -> str:
    """The word, any that begins with it, and stems that a word beginning with it may have been cut to."""
    asked = [f'"{word}"', f'"{word}" *']
    asked += [
        f'"{word[:length]}"'
        for length in range(max(3, len(word) - 6), len(word))
        if any(ending.startswith(word[length:]) for ending in _ENDINGS)
    ]
    return " OR ".join(asked)
