"""The words of a turn as they are indexed and shown: secrets masked, pictures and colours left out, of bounded length.

One function for both, so that nothing is found which is not shown, and nothing shown which should be masked.
"""

from __future__ import annotations

import re

from memtui.parse.fields import plain
from memtui.parse.veil import veiled

MOST = 100_000
"""Characters of one turn that are indexed: tools cut their own output far below that."""

_MARGIN = 4_096
_COLOURS = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]{0,4096}(?:\x07|\x1b\\)?|[@-Z\\-_])")
_PICTURE = re.compile(r"[A-Za-z0-9+/]{2000,}={0,2}")
_ENCODED = re.compile(
    r"(?:data:[\w/+.;=-]{0,100};base64,)?[A-Za-z0-9+/]{200,}={0,2}|(?:[A-Za-z0-9+/]{72,76}\r?\n){8,}"
)
_SHORTEST = 72
_SIGN = "[base64]"


def cleaned(text: str) -> str:
    """Before anything is masked: without escape sequences, as a secret in colours must be known for one.

    Lone surrogates become question marks.
    """
    if len(text) > MOST:
        # What stands behind a picture is not to be cut off for it.
        text = _PICTURE.sub(_SIGN, text)[: MOST + _MARGIN]
    return _COLOURS.sub("", plain(text)) if "\x1b" in text else plain(text)


def worded(text: str) -> tuple[str, bool]:
    """The words of a cleaned text, and whether a secret was masked in them."""
    masked = veiled(text)
    return without_pictures(masked), masked != text


def without_pictures(text: str) -> str:
    """At most `MOST` characters, what is encoded in base64 named instead of shown."""
    # Splitting is many times faster than looking for what few texts hold.
    if len(text) > _SHORTEST and max(map(len, text.split()), default=0) >= _SHORTEST:
        text = _ENCODED.sub(_SIGN, text)
    return text[:MOST].replace("\0", " ")
