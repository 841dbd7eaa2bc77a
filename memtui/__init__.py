"""memtui: see, search and look after what coding agents remember.

from memtui import Vault

with Vault.open([path]) as vault:
    for hit in vault.find("query", limit=10):
        print(hit.path, hit.start_line, hit.snippet)
"""

from __future__ import annotations

TYPE_CHECKING = False

if TYPE_CHECKING:
    from memtui.store.vault import Vault

__version__ = "0.1.0"
__all__ = ["Vault", "__version__"]


def __getattr__(name: str) -> object:
    # Hooks import this package hundreds of times a day; the engine is loaded by whoever asks for it.
    if name == "Vault":
        from memtui.store.vault import Vault

        return Vault
    raise AttributeError(f"module 'memtui' has no attribute {name!r}")
