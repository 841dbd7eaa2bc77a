"""Bytes that are not UTF-8 -> text: GB18030, which editors on Chinese systems still write, or as it comes."""

from __future__ import annotations

from memtui.pattern import pattern

_COMMON = pattern(rb"[\xa1-\xf7][\xa1-\xfe]")
"""A character of GB 2312, the part of the standard in which people write."""


def decoded(data: bytes) -> tuple[str, str]:
    """The text, and in what it was written: gb18030, or bytes where that is unknown (bad ones as lone surrogates)."""
    lenient = data.decode("utf-8", "surrogateescape")
    try:
        text = data.decode("gb18030")
    except UnicodeDecodeError:
        return lenient, "bytes"
    odd = len(text) - len(text.encode("ascii", "ignore"))
    bad = len(data) - len(lenient.encode("utf-8", "ignore"))
    good = len(lenient) - len(lenient.encode("ascii", "ignore")) - bad
    # Broken UTF-8 is mostly whole, and the accents of Western encodings stand alone between letters; a character
    # or two may be what a torn write left.
    if odd > 2 and bad > 2 * good and 10 * len(_COMMON.findall(data)) >= 9 * odd:
        return text, "gb18030"
    return lenient, "bytes"
