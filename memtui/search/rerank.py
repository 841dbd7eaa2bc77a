"""A reranker that a person plugs in: any command that reads a question and texts, and answers how well each fits.

It gets `{"query": "…", "texts": ["…", …]}` on its standard input and answers a JSON list with a number for
every text, in their order; the greater, the better. It is run without a shell.
"""

from __future__ import annotations

import json
import math
import os
import shlex
import signal
import subprocess
import threading
import time
from contextlib import suppress
from typing import IO, TYPE_CHECKING, Any

from memtui.core.errors import UnavailableError
from memtui.core.locale import _
from memtui.safety.sanitize import sanitize_text

if TYPE_CHECKING:
    from collections.abc import Sequence

_SAID = 200
"""Characters of the command's own complaint."""

_GREATEST = 2**53

_MOST = 1 << 20
"""Bytes of an answer: more than so many numbers take."""


def rerank(command: str, query: str, texts: Sequence[str], *, timeout: float = 10.0) -> list[float]:
    """A score for every text. Raises UnavailableError with a sentence where the command gives none."""
    if not texts:
        return []
    try:
        words = shlex.split(command, posix=os.name == "posix")
    except ValueError as error:
        told = _("search.reranker cannot be understood as a command ({why})")
        raise UnavailableError(told.format(why=error)) from None
    if not words:
        raise UnavailableError(_("search.reranker is empty"))
    words[0] = os.path.expanduser(words[0])
    asked = json.dumps({"query": query, "texts": list(texts)}).encode()
    return _parse_scores(_run(words, asked, timeout), len(texts))


def _run(words: list[str], asked: bytes, timeout: float) -> bytes:
    try:
        process = subprocess.Popen(
            words,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        told = _("the reranker {name} cannot be started ({why}): look at search.reranker")
        raise UnavailableError(told.format(name=words[0], why=reason)) from None
    with process:
        try:
            answer, said = _exchange_messages(process, asked, timeout)
        except subprocess.TimeoutExpired:
            _end(process)
            told = _("the reranker took longer than {seconds:g} seconds and was ended")
            raise UnavailableError(told.format(seconds=timeout)) from None
        except BaseException:
            _end(process)
            raise
    if len(answer) > _MOST:
        raise UnavailableError(_("the reranker answered far more than a list of numbers and was ended"))
    if process.returncode:
        told = _("the reranker ended with status {status}{said}")
        last = said.decode("utf-8", "replace").strip().rpartition("\n")[2]
        last = f": {sanitize_text(last)[:_SAID]}" if last else ""
        raise UnavailableError(told.format(status=process.returncode, said=last))
    return answer


def _exchange_messages(process: subprocess.Popen[bytes], asked: bytes, timeout: float) -> tuple[bytes, bytes]:
    """What it answered, and complained of. As `communicate`, which would hold whatever comes, without end."""
    until = time.monotonic() + timeout
    answer, said = bytearray(), bytearray()

    def give(pipe: IO[bytes]) -> None:
        rest = memoryview(asked)
        with suppress(OSError, ValueError), pipe:
            while rest:
                rest = rest[os.write(pipe.fileno(), rest[: 1 << 16]) :]

    def take(pipe: IO[bytes], into: bytearray) -> None:
        """Read a pipe to its end, so that the process never waits for room; too long an answer ends it."""
        with suppress(OSError, ValueError):
            while piece := os.read(pipe.fileno(), 1 << 16):
                into += piece
                if into is said:
                    del into[:-_MOST]
                elif len(into) > _MOST:
                    _end(process)
                    return

    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    threads = [
        threading.Thread(target=give, args=(process.stdin,), daemon=True),
        threading.Thread(target=take, args=(process.stdout, answer), daemon=True),
        threading.Thread(target=take, args=(process.stderr, said), daemon=True),
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(max(0.0, until - time.monotonic()))
        if thread.is_alive():
            raise subprocess.TimeoutExpired(process.args, timeout)
    process.wait(max(0.0, until - time.monotonic()))
    return bytes(answer), bytes(said)


def _end(process: subprocess.Popen[bytes]) -> None:
    """Kill the command and whatever it started: a script's own child would go on, and hold the pipes."""
    if os.name == "posix":
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()


def _parse_scores(answer: bytes, count: int) -> list[float]:
    try:
        told: Any = json.loads(answer)
    except (ValueError, RecursionError):
        raise UnavailableError(_("the reranker answered no JSON")) from None
    if not isinstance(told, list) or not all(_number(score) for score in told):
        raise UnavailableError(_("the reranker answered something else than a list of numbers"))
    if len(told) != count:
        sentence = _("the reranker answered {there} numbers for {asked} texts")
        raise UnavailableError(sentence.format(there=len(told), asked=count))
    return [float(score) for score in told]


def _number(score: object) -> bool:
    if type(score) is int:
        return abs(score) <= _GREATEST
    return type(score) is float and math.isfinite(score)
