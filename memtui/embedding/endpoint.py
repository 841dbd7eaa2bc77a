"""An OpenAI-compatible endpoint: `POST {vector.url}/embeddings`. Asked only where it is configured.

Texts leave this machine with their secrets masked, over https, or over http to this machine itself. The key stands in
the environment and nowhere else: in no message, no log and no repr. Redirects are not followed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from memtui.embedding.answer import rows
from memtui.embedding.ends import given
from memtui.embedding.extra import missing
from memtui.embedding.prefixes import prefixes
from memtui.embedding.trying import Patience, Trying
from memtui.errors import UnavailableError
from memtui.locale import _
from memtui.safety import service

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from memtui.config import VectorConfig
    from memtui.embedding import Embedder

NAME = "endpoint"
BATCH = 32
LONGEST = 2000
"""Characters: more than a memory has, and within what all but the smallest models take."""

SHORTER = 400
"""Characters, where the model says that these were too many."""

_MASKED = 32_000
"""Characters in which secrets are looked for before the text is cut: half a secret looks like none."""

FILLING = Patience(tries=5, seconds=60.0, longest_wait=30.0)
ASKING = Patience(tries=2, seconds=5.0, longest_wait=1.0)
"""A person waits for a question's vector: better none than a late one."""
SOON = Patience(tries=1, seconds=3.0, longest_wait=0.0)
"""And for those of the few memories that are new, before it."""


def why_not(settings: VectorConfig) -> str:
    """Whether it is configured, and may be asked; it is not asked."""
    why = service.why_not("vector", settings.url, settings.model, settings.key)
    return why or missing("numpy", "httpx")


def identity(settings: VectorConfig) -> str:
    """The model, and where it is: two servers may mean two models by one name."""
    url = urlsplit(settings.url)
    return f"endpoint:{settings.model}@{url.netloc}{url.path.rstrip('/')}"


def load(settings: VectorConfig) -> Embedder:
    """The endpoint; nothing is sent before the first text."""
    return Endpoint(identity(settings), settings)


class Endpoint:
    """A server that makes the vectors."""

    batch = BATCH
    longest = LONGEST

    def __init__(self, name: str, settings: VectorConfig) -> None:
        self.name = name
        url = urlsplit(settings.url)
        self._host = url.netloc
        self.title = f"{settings.model} ({self._host})"
        path = url.path.rstrip("/")
        url = url._replace(path=path if path.endswith("/embeddings") else f"{path}/embeddings", fragment="")
        self._settings = settings
        self._query, self._passage = prefixes(settings.model)
        self._known = 0
        self._trying = Trying(url.geturl(), url.netloc, by_proxy=not service.here(url.hostname or ""))

    @property
    def dimensions(self) -> int:
        """See Embedder: as long as the first answer was."""
        if not self._known:
            self.query(".")
        return self._known

    def passages(self, texts: Sequence[str], *, soon: bool = False) -> NDArray[np.float32]:
        """See Embedder."""
        import numpy as np

        made = [
            self._vectors(self._passage, texts[start : start + BATCH], SOON if soon else FILLING)
            for start in range(0, len(texts), BATCH)
        ]
        return np.concatenate(made) if made else np.zeros((0, self._known), np.float32)

    def query(self, text: str) -> NDArray[np.float32]:
        """See Embedder."""
        vector: NDArray[np.float32] = self._vectors(self._query, [text], ASKING)[0]
        return vector

    def close(self) -> None:
        """See Embedder. What waits to try again gives up."""
        self._trying.close()

    def _vectors(self, prefix: str, texts: Sequence[str], patience: Patience) -> NDArray[np.float32]:
        from memtui.safety.redact import redact

        answer = None
        for longest in (LONGEST, SHORTER):
            cut = [prefix + given(redact(text[:_MASKED]).text, longest) for text in texts]
            asked = {"model": self._settings.model, "input": cut, "encoding_format": "float"}
            answer = self._trying.post(
                asked, service.key(self._settings.key), patience, last=longest == SHORTER
            )
            if answer is not None:
                break
        made = rows(answer, len(texts), self._host)
        if self._known and made.shape[1] != self._known:
            told = _("{host} answered vectors of {now} dimensions, and of {before} before")
            raise UnavailableError(told.format(host=self._host, now=made.shape[1], before=self._known))
        self._known = made.shape[1]
        return made
