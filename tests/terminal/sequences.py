"""What may reach a terminal: a strict reader of what was written to one. All that it does not know is foreign.

The list is what Textual's driver and compositor write, and nothing more. It is written out here, not taken from the
code under test.
"""

from __future__ import annotations

import re

_SHAPES = "default|pointer|text|crosshair|grab|grabbing|move|help|progress|wait|not-allowed"

_ALLOWED = re.compile(
    r"\x1b\[(?:\d{1,3}(?:;\d{1,3})*)?m"  # styles
    r"|\x1b\[\d{1,3};\d{1,3}H"  # the cursor to a place
    r"|\x1b\[\?(?:7|25|1000|1003|1004|1006|1015|1049|2004|2026|2048)[hl]"  # modes
    r"|\x1b\[\?(?:2026|2048)\$p"  # is this mode known here?
    r"|\x1b\[>\d{1,2}u|\x1b\[<u"  # the keyboard protocol, in and out
    rf"|\x1b\]22;(?:{_SHAPES})\x07"  # the pointer's shape
    r"|\r?\n"
)

_PROGRESS = re.compile(r"\r(?:\x1b\[2?K)?|\t")

_COPY = re.compile(r"\x1b\]52;c;[A-Za-z0-9+/=]*\x07")

_STYLE = re.compile(r"\x1b\[[0-9;]*m")

_PLAIN = re.compile("[^\x00-\x1f\x7f-\x9f]+")

_HIDING = re.compile(
    "[\u00ad\u061c\u115f\u1160\u180e\u200b\u200c\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb"
    "\ue000-\uf8ff\ufdd0-\ufdef\ufffe\uffff\U000e0080-\U000e0fff\U000f0000-\U0010ffff]"
    # Parts of an emoji: each only behind what makes one of it.
    "|(?<![\u203c-\u3299\U0001f000-\U0001faff\u20e3\ufe0f])\u200d"
    "|(?<![0-9#*\u00a9\u00ae\u203c-\u3299\U0001f000-\U0001faff])\ufe0f"
    "|(?<![\U0001f3f4\U000e0000-\U000e007f])[\U000e0000-\U000e007f]"
)

_LONE = re.compile("[\ud800-\udfff]")

_STACK = re.compile("[\u0300-\u036f\u0483-\u0489]{9}")


def foreign(data: bytes, *, copies: bool = False, lines: bool = False, exact: bool = False) -> list[str]:
    """Every piece that a memory may have smuggled in, with what stands around it.

    `copies`: somebody pressed y. `lines`: a command's output, with tabs and a progress bar. `exact`: JSON, which
    trims nothing.
    """
    allowed = [_PLAIN, _ALLOWED, *([_COPY] if copies else []), *([_PROGRESS] if lines else [])]
    text = data.decode("utf-8", "surrogateescape")
    pieces: list[str] = []
    at = 0
    while at < len(text):
        match = next((found for kind in allowed if (found := kind.match(text, at))), None)
        if match is None:
            pieces.append(repr(text[max(at - 30, 0) : at + 60]))
            at += 1
        else:
            at = match.end()
    # A style may change inside a word; what hides, hides all the same.
    shown = _STYLE.sub("", text)
    for hiding in (_HIDING, _LONE, *([] if exact else [_STACK])):
        pieces += [repr(shown[max(m.start() - 30, 0) : m.end() + 30]) for m in hiding.finditer(shown)]
    return pieces


def copied(data: bytes) -> list[bytes]:
    """What was put on the clipboard, still in base64."""
    return [match.encode() for match in _COPY.findall(data.decode("utf-8", "surrogateescape"))]
