"""One request to an endpoint: tried again where that may help, and a sentence where it does not."""

from __future__ import annotations

import json
import random
import re
import time
from threading import Event, Lock
from typing import TYPE_CHECKING, Any, NamedTuple

from memtui.errors import UnavailableError
from memtui.locale import _
from memtui.safety.service import clean, said

if TYPE_CHECKING:
    import httpx

CONNECT = 5.0
FIRST_WAIT = 0.5

MOST = 1 << 26
"""Bytes of an answer: more than the longest vectors of a batch take."""

_AGAIN = frozenset({408, 425, 429, 500, 502, 503, 504, 529})
_TOO_LONG = re.compile("token|length|long|context|large", re.IGNORECASE)


class Patience(NamedTuple):
    """How long somebody waits."""

    tries: int
    seconds: float
    """For one answer."""
    longest_wait: float
    """Before the next try, whatever the server asks for."""


class Answer(NamedTuple):
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
                answer = self._asked(asked, headers, patience.seconds)
            except _EndlessError:
                told = _("{host} answered far more than vectors take")
                raise UnavailableError(told.format(host=self._host)) from None
            except (httpx.TimeoutException, TimeoutError):
                why = _("{host} does not answer in time").format(host=self._host)
            except httpx.TransportError as error:
                why = _("{host} cannot be reached ({why})").format(
                    host=self._host, why=clean(str(error), key)
                )
            except (
                Exception
            ) as error:  # a client that was closed meanwhile, an answer that cannot be unpacked
                raise UnavailableError(
                    _("{host} cannot be asked ({why})").format(host=self._host, why=type(error).__name__)
                ) from None
            if answer is not None:
                if answer.status == 200:
                    return self._json(answer)
                if not last and answer.status in {400, 413, 422, 500} and _too_long(answer):
                    return None
                why = self._sentence(answer, key)
                if answer.status not in _AGAIN:
                    raise UnavailableError(why)
                asks = _asks(answer)
            pause = min(max(wait * random.uniform(0.5, 1.0), asks), patience.longest_wait)
            if not left or self._closed.wait(pause):
                raise UnavailableError(why)
            wait *= 2
        raise AssertionError("every patience has one try")

    def _asked(self, asked: dict[str, Any], headers: dict[str, str], seconds: float) -> Answer:
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
        return Answer(answer.status_code, answer.headers, bytes(content))

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

    def _json(self, answer: Answer) -> Any:
        try:
            return json.loads(answer.content)
        except (ValueError, RecursionError):
            raise UnavailableError(_("{host} answered no JSON").format(host=self._host)) from None

    def _sentence(self, answer: Answer, key: str) -> str:
        status = answer.status
        if status in {401, 403}:
            told = _("{host} does not take the key ({status}): vector.key names the variable that holds it")
        elif status == 404:
            told = _("{host} has no such model or address ({status}): look at vector.model and vector.url")
        elif 300 <= status < 400:
            told = _(
                "{host} sends elsewhere ({status}), which is not followed: set vector.url to where it is"
            )
        elif status == 429:
            told = _("{host} has had enough for now ({status}); the rest follows later")
        elif status >= 500:
            told = _("{host} is in trouble ({status}); the rest follows later")
        else:
            told = _("{host} does not take the request ({status})")
        words = clean(said(answer.content), key)
        sentence = told.format(host=self._host, status=status)
        return f"{sentence}: {words}" if words else sentence


def _too_long(answer: Answer) -> bool:
    return answer.status == 413 or bool(_TOO_LONG.search(said(answer.content)))


def _asks(answer: Answer) -> float:
    """The seconds that the server asks to wait: a number, or a date."""
    asked = answer.headers.get("Retry-After", "")
    try:
        return max(0.0, float(asked))
    except ValueError:
        pass
    from datetime import UTC, datetime
    from email.utils import parsedate_to_datetime

    try:
        then = parsedate_to_datetime(asked)
        return max(0.0, (then - datetime.now(UTC)).total_seconds())
    except (TypeError, ValueError):
        return 0.0
