"""The models that turn texts into vectors: optional, and local unless a person names an endpoint.

A model is one module in `BACKENDS`, of which only the one that is asked for is imported. Nothing heavy is imported,
read or asked before `load`.
"""

from __future__ import annotations

from importlib import import_module
from threading import Lock

from memtui.core.errors import UnavailableError
from memtui.core.locale import _
from memtui.core.startup import TYPE_CHECKING, Protocol, cast

if TYPE_CHECKING:
    from memtui.core.config import VectorConfig
    from memtui.vectors.e5 import Embedder


class Backend(Protocol):
    """One module that makes vectors."""

    def why_not(self, settings: VectorConfig, /) -> str:
        """Empty, or a sentence what is missing."""

    def identify_model(self, settings: VectorConfig, /) -> str:
        """The name that the loaded model would have; only asked where nothing is missing."""

    def load(self, settings: VectorConfig, /) -> Embedder:
        """The model, ready; only asked where nothing is missing."""


BACKENDS = {
    "auto": "memtui.vectors.e5",
    "e5": "memtui.vectors.e5",
    "onnx": "memtui.vectors.onnx",
    "endpoint": "memtui.vectors.vector_endpoint",
}
"""What a person calls a backend, and its module."""

_loading = Lock()
_held: dict[str, Embedder] = {}


def why_not(settings: VectorConfig) -> str:
    """Empty, or a sentence why there are no vectors and what to do. Cheap."""
    backend = _load_backend(settings)
    if backend is not None:
        return backend.why_not(settings)
    if settings.backend == "off":
        return _("finding by meaning is switched off: vector.backend is 'off'")
    return _("no backend makes vectors by the name of {name!r}").format(name=settings.backend)


def identify_model(settings: VectorConfig) -> str:
    """The name of the model that `load` would give, without loading it; empty where there is none. Cheap."""
    backend = _load_backend(settings)
    return "" if backend is None or backend.why_not(settings) else backend.identify_model(settings)


def load(settings: VectorConfig) -> Embedder:
    """The model, one for all its users in this process. Raises UnavailableError where `why_not` has a reason."""
    backend = _load_backend(settings)
    if why := why_not(settings):
        raise UnavailableError(why)
    assert backend is not None
    name = backend.identify_model(settings)
    with _loading:
        if name not in _held:
            model = backend.load(settings)
            _held.clear()  # a model that was replaced lives only as long as somebody still uses it
            _held[name] = model
        return _held[name]


def _load_backend(settings: VectorConfig) -> Backend | None:
    module = BACKENDS.get(settings.backend)
    return None if module is None else cast("Backend", import_module(module))
