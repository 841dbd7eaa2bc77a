"""What an endpoint answered, held against what was asked: as many vectors, of one length, of numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memtui.embedding.ends import units
from memtui.errors import UnavailableError
from memtui.locale import _

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def rows(answer: Any, count: int, host: str) -> NDArray[np.float32]:
    """A row for every text, in the order in which they were given. Raises UnavailableError."""
    import numpy as np

    data = answer.get("data") if isinstance(answer, dict) else None
    if not isinstance(data, list) or not all(isinstance(item, dict) for item in data):
        raise UnavailableError(_("{host} answered something else than vectors").format(host=host))
    if len(data) != count:
        told = _("{host} answered {there} vectors for {asked} texts")
        raise UnavailableError(told.format(host=host, there=len(data), asked=count))
    places = [item.get("index") for item in data]
    if all(place is None for place in places):
        places = list(range(count))  # some servers leave it out, and keep the order
    if not all(type(place) is int for place in places) or sorted(places) != list(range(count)):
        raise UnavailableError(_("{host} answered vectors without saying which is whose").format(host=host))
    try:
        vectors = [_vector(item.get("embedding")) for item in data]
        length = len(vectors[0])
        if not length or any(len(vector) != length for vector in vectors):
            raise ValueError
        made = np.zeros((count, length), np.float32)
        made[places] = vectors
    except (TypeError, ValueError, OverflowError):
        raise UnavailableError(
            _("{host} answered vectors that are damaged, or of different lengths").format(host=host)
        ) from None
    return units(made)


def _vector(told: Any) -> NDArray[np.float32]:
    """A list of numbers, or little-endian singles in base64."""
    import numpy as np

    if isinstance(told, str):
        import base64

        return np.frombuffer(base64.b64decode(told, validate=True), "<f4")
    if not isinstance(told, list) or not all(type(number) in {float, int} for number in told):
        raise TypeError
    with np.errstate(over="ignore"):  # what is too great for a single becomes infinite, which `units` refuses
        return np.array(told, np.float64).astype(np.float32)
