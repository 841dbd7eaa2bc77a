"""What a model is given of a memory: its own words, and above them where it stands."""

from __future__ import annotations

VERSION = "1"
"""Changes whenever `passage` would answer differently: vectors are kept by what it answers."""


def passage(heading: str, text: str, moment: float | None, path: str) -> str:
    """The text whose vector stands for a memory. `heading`: the headings above, joined by U+001F."""
    above = " > ".join(part.strip() for part in heading.split("\x1f") if part.strip())
    return f"{above}\n{text}" if above else text
