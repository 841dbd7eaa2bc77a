"""Who wants to hear when an index changed."""

from __future__ import annotations

import threading

from memtui.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


class Subscribers:
    """Callbacks that are told a generation, each generation once. From any thread."""

    def __init__(self) -> None:
        self._callbacks: list[Callable[[int], None]] = []
        self._lock = threading.Lock()
        self._told = 0

    def add(self, callback: Callable[[int], None]) -> Callable[[], None]:
        """Have `callback(generation)` called from now on; call the answer to stop."""
        with self._lock:
            self._callbacks.append(callback)

        def leave() -> None:
            with self._lock:
                if callback in self._callbacks:
                    self._callbacks.remove(callback)

        return leave

    def tell(self, generation: int) -> None:
        """Tell all of them, unless they were told of this generation before."""
        with self._lock:
            if generation == self._told:
                return
            self._told = generation
            callbacks = list(self._callbacks)
        for callback in callbacks:
            callback(generation)
