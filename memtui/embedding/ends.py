"""Both ends of a model: the texts that it is given, and the vectors that are taken from it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memtui.errors import UnavailableError
from memtui.locale import _

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_TINY = 1e-12


def given(text: str, longest: int) -> str:
    """The text as every model takes it: cut, without NULs and halves of surrogate pairs, never blank.

    A NUL ends a text for an engine in C, half a pair is no UTF-8, and servers refuse an empty input.
    """
    text = text[:longest].replace("\0", " ")
    if not text.isascii():
        text = text.encode("utf-8", "replace").decode("utf-8")
    return text if text.strip() else "."


def units(rows: NDArray[np.float32]) -> NDArray[np.float32]:
    """The rows, each of length one. Raises UnavailableError where a model answered what is no number."""
    import numpy as np

    if not np.isfinite(rows).all():
        raise UnavailableError(_("the model answered vectors that are no numbers; try another model"))
    # In doubles: the square of a great single overflows.
    lengths = np.sqrt(np.einsum("ij,ij->i", rows, rows, dtype=np.float64))
    return np.ascontiguousarray(rows / np.maximum(lengths, _TINY)[:, None], dtype=np.float32)
