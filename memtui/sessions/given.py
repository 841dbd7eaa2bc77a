"""What a session is given, thing by thing: each with where it stands, why it is there, and what it costs."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from memtui.model import Layer


class Item(NamedTuple):
    """One thing that a session is given, or that was left out."""

    text: str
    """As it stands in its file, secrets masked, before it is framed; of what was left out, its beginning."""
    path: str
    """Relative to the home; empty: memtui says it itself."""
    line: int
    """1-based, its first; 0: the whole file, or no file."""
    home: str
    """The home's path, as `Home.path` prints it."""
    layer: Layer | None
    kind: str
    reason: str
    """Why it is given, or why not, in a sentence for a person."""
    characters: int
    """As it is given, its frame with it."""
    tokens: int
    """Estimated, see `budget`."""
    trust: str
    """user: a person wrote it; auto: agents and their tools may have."""


class Given(NamedTuple):
    """All of it."""

    items: tuple[Item, ...]
    left: tuple[Item, ...]
    """What would belong there and is not, each with the reason."""
    characters: int
    tokens: int
    text: str
    """Exactly what an agent gets; empty: nothing."""
    off: str = ""
    """Why nothing is given, for a person, where somebody switched it off."""
