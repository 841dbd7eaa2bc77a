"""Messages that more than one room needs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.message import Message

if TYPE_CHECKING:
    from collections.abc import Callable


class VaultChanged(Message):
    """Memories changed somewhere. Only the newest counts: it carries the state, not the difference."""

    bubble = False

    def __init__(self, generation: int) -> None:
        self.generation = generation
        super().__init__()

    def can_replace(self, message: Message) -> bool:
        """A newer one makes an older one needless."""
        return isinstance(message, VaultChanged)


class Analysed(Message):
    """Something was worked out about memories, or is about to be."""

    bubble = False

    def can_replace(self, message: Message) -> bool:
        """A newer one makes an older one needless."""
        return isinstance(message, Analysed)


class Ready(Message):
    """A reader has its answer: `deliver` shows it, on the screen's own thread."""

    bubble = False

    def __init__(self, deliver: Callable[[], None]) -> None:
        self.deliver = deliver
        super().__init__()


class Chosen(Message):
    """Somebody clicked a name in a bar that stands for an action."""

    def __init__(self, action: str) -> None:
        self.action = action
        super().__init__()
