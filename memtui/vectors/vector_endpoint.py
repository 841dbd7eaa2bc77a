"""An OpenAI-compatible endpoint: `POST {vector.url}/embeddings`. Asked only where it is configured.

`parse_embeddings` checks an answer: as many vectors as texts, of one length, of numbers. `Trying` sends one
request, again where that may help, with a sentence where it does not. `Endpoint` is the model.

Texts leave this machine with their secrets masked, over https, or over http to this machine itself. The key
stands in the environment and in no message, log or repr. Redirects are not followed.
"""

from __future__ import annotations

import base64
import json
import random
import re
import time
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from threading import Event, Lock
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit

from memtui import llm
from memtui.core.errors import UnavailableError
from memtui.core.locale import _
from memtui.core.startup import compile_pattern
from memtui.llm import clean, read_server_words
from memtui.safety.redact import redact
from memtui.vectors.e5 import clean_model_input, explain_missing_packages, normalize_rows
from memtui.vectors.onnx import choose_prefixes

if TYPE_CHECKING:
    from collections.abc import Sequence

    import httpx
    import numpy as np
    from numpy.typing import NDArray

    from memtui.core.config import VectorConfig
    from memtui.vectors.e5 import Embedder


def parse_embeddings(answer: Any, count: int, host: str) -> NDArray[np.float32]:
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
        vectors = [_decode_vector(item.get("embedding")) for item in data]
        length = len(vectors[0])
        if not length or any(len(vector) != length for vector in vectors):
            raise ValueError
        made = np.zeros((count, length), np.float32)
        made[places] = vectors
    except (TypeError, ValueError, OverflowError):
        raise UnavailableError(
            _("{host} answered vectors that are damaged, or of different lengths").format(host=host)
        ) from None
    return normalize_rows(made)


def _decode_vector(told: Any) -> NDArray[np.float32]:
    """A list of numbers, or little-endian singles in base64."""
    import numpy as np

    if isinstance(told, str):
        return np.frombuffer(base64.b64decode(told, validate=True), "<f4")
    if not isinstance(told, list) or not all(type(number) in {float, int} for number in told):
        raise TypeError
    with np.errstate(over="ignore"):  # what is too great for a single becomes infinite, which `units` refuses
        return np.array(told, np.float64).astype(np.float32)


CONNECT = 5.0
FIRST_WAIT = 0.5

MOST = 1 << 26
"""Bytes of an answer: more than the longest vectors of a batch take."""

_AGAIN = frozenset({408, 425, 429, 500, 502, 503, 504, 529})
_TOO_LONG = compile_pattern("token|length|long|context|large", re.IGNORECASE)


class Patience(NamedTuple):
    """How long somebody waits."""

    tries: int
    seconds: float
    """For one answer."""
    longest_wait: float
    """Before the next try, whatever the server asks for."""


class EndpointAnswer(NamedTuple):
    """What came back, all of it."""

    status: int
    headers: httpx.Headers
    content: bytes


class _EndlessError(Exception):
    """An answer that does not end."""


class Trying:
    """The one way to an endpoint, for all threads."""

    def __init__(self, url: str, host: str, *, by_proxy: bool) -> None:
        self._url, self._host, self._by_proxy = url, host, by_proxy
        self._client: httpx.Client | None = None
        self._opening = Lock()
        self._closed = Event()

    def post(self, asked: dict[str, Any], key: str, patience: Patience, *, last: bool) -> Any:
        """What was answered, as JSON; None where the texts are too long and this is not the `last` attempt.

        Raises UnavailableError, in which the key never stands.
        """
        import httpx

        self._closed.clear()
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        wait = FIRST_WAIT
        for left in range(patience.tries - 1, -1, -1):
            answer, asks = None, 0.0
            try:
                answer = self._post_once(asked, headers, patience.seconds)
            except _EndlessError:
                told = _("{host} answered far more than vectors take")
                raise UnavailableError(told.format(host=self._host)) from None
            except (httpx.TimeoutException, TimeoutError):
                why = _("{host} does not answer in time").format(host=self._host)
            except httpx.TransportError as error:
                why = _("{host} cannot be reached ({why})").format(host=self._host, why=clean(str(error), key))
            except Exception as error:  # a client that was closed meanwhile, an answer that cannot be unpacked
                raise UnavailableError(
                    _("{host} cannot be asked ({why})").format(host=self._host, why=type(error).__name__)
                ) from None
            if answer is not None:
                if answer.status == 200:
                    return self._decode_json(answer)
                if not last and answer.status in {400, 413, 422, 500} and _is_too_long(answer):
                    return None
                why = llm.explain_refusal("vector", self._host, answer.status, answer.content, key, later=True)
                if answer.status not in _AGAIN:
                    raise UnavailableError(why)
                asks = _parse_retry_seconds(answer)
            pause = min(max(wait * random.uniform(0.5, 1.0), asks), patience.longest_wait)
            if not left or self._closed.wait(pause):
                raise UnavailableError(why)
            wait *= 2
        raise AssertionError("every patience has one try")

    def _post_once(self, asked: dict[str, Any], headers: dict[str, str], seconds: float) -> EndpointAnswer:
        """One try. A server that sends a little now and then is not waited for any longer than a silent one."""
        import httpx

        until = time.monotonic() + seconds
        patience = httpx.Timeout(seconds, connect=min(CONNECT, seconds / 2))
        content = bytearray()
        with self._open().stream("POST", self._url, json=asked, headers=headers, timeout=patience) as answer:
            for piece in answer.iter_bytes():
                content += piece
                if len(content) > MOST:
                    raise _EndlessError
                if time.monotonic() > until:
                    raise TimeoutError
        return EndpointAnswer(answer.status_code, answer.headers, bytes(content))

    def close(self) -> None:
        """Let go of the connections, and of those who wait for the next try."""
        self._closed.set()
        with self._opening:
            client, self._client = self._client, None
        if client is not None:
            client.close()

    def _open(self) -> httpx.Client:
        import httpx

        with self._opening:
            if self._client is None:
                # What goes to this machine itself in the clear must not go by a proxy elsewhere.
                self._client = httpx.Client(follow_redirects=False, trust_env=self._by_proxy)
            return self._client

    def _decode_json(self, answer: EndpointAnswer) -> Any:
        try:
            return json.loads(answer.content)
        except (ValueError, RecursionError):
            raise UnavailableError(_("{host} answered no JSON").format(host=self._host)) from None


def _is_too_long(answer: EndpointAnswer) -> bool:
    return answer.status == 413 or bool(_TOO_LONG.search(read_server_words(answer.content)))


def _parse_retry_seconds(answer: EndpointAnswer) -> float:
    """The seconds that the server asks to wait: a number, or a date."""
    asked = answer.headers.get("Retry-After", "")
    try:
        return max(0.0, float(asked))
    except ValueError:
        pass
    try:
        then = parsedate_to_datetime(asked)
        return max(0.0, (then - datetime.now(UTC)).total_seconds())
    except (TypeError, ValueError):
        return 0.0


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
    why = llm.explain_missing_service("vector", settings.url, settings.model, settings.key)
    return why or explain_missing_packages("numpy", "httpx")


def identify_model(settings: VectorConfig) -> str:
    """The model, and where it is: two servers may mean two models by one name."""
    url = urlsplit(settings.url)
    return f"endpoint:{settings.model}@{url.netloc}{url.path.rstrip('/')}"


def load(settings: VectorConfig) -> Embedder:
    """The endpoint; nothing is sent before the first text."""
    return Endpoint(identify_model(settings), settings)


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
        self._query, self._passage = choose_prefixes(settings.model)
        self._known = 0
        self._trying = Trying(url.geturl(), url.netloc, by_proxy=not llm.is_local_host(url.hostname or ""))

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
            self._request_vectors(self._passage, texts[start : start + BATCH], SOON if soon else FILLING)
            for start in range(0, len(texts), BATCH)
        ]
        return np.concatenate(made) if made else np.zeros((0, self._known), np.float32)

    def query(self, text: str) -> NDArray[np.float32]:
        """See Embedder."""
        vector: NDArray[np.float32] = self._request_vectors(self._query, [text], ASKING)[0]
        return vector

    def close(self) -> None:
        """See Embedder. What waits to try again gives up."""
        self._trying.close()

    def _request_vectors(self, prefix: str, texts: Sequence[str], patience: Patience) -> NDArray[np.float32]:
        answer = None
        for longest in (LONGEST, SHORTER):
            cut = [prefix + clean_model_input(redact(text[:_MASKED]).text, longest) for text in texts]
            asked = {"model": self._settings.model, "input": cut, "encoding_format": "float"}
            answer = self._trying.post(asked, llm.read_key(self._settings.key), patience, last=longest == SHORTER)
            if answer is not None:
                break
        made = parse_embeddings(answer, len(texts), self._host)
        if self._known and made.shape[1] != self._known:
            told = _("{host} answered vectors of {now} dimensions, and of {before} before")
            raise UnavailableError(told.format(host=self._host, now=made.shape[1], before=self._known))
        self._known = made.shape[1]
        return made
