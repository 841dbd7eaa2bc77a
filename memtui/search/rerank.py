"""A reranker that a person plugs in: any command that reads a question and texts, and answers how well each fits.

It is given `{"query": "…", "texts": ["…", …]}` on its standard input, and answers a JSON list with a number for every
text, in their order; the greater, the better. No shell stands between.
"""

from __future__ import annotations

import json
import math
import os
import shlex
import signal
import subprocess
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from memtui.errors import UnavailableError
from memtui.locale import _
from memtui.safety.safe_text import safe_text

if TYPE_CHECKING:
    from collections.abc import Sequence

_SAID = 200
"""Characters of the command's own complaint."""

_GREATEST = 2**53


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
    return _scores(_run(words, asked, timeout), len(texts))


def _run(words: list[str], asked: bytes, timeout: float) -> bytes:
    try:
        process = subprocess.Popen(
            words,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        told = _("the reranker {name} cannot be started ({why}): look at search.reranker")
        raise UnavailableError(told.format(name=words[0], why=reason)) from None
    with process:
        try:
            answer, said = process.communicate(asked, timeout)
        except subprocess.TimeoutExpired:
            _end(process)
            told = _("the reranker took longer than {seconds:g} seconds and was ended")
            raise UnavailableError(told.format(seconds=timeout)) from None
        except BaseException:
            _end(process)
            raise
    if process.returncode:
        told = _("the reranker ended with status {status}{said}")
        last = said.decode("utf-8", "replace").strip().rpartition("\n")[2]
        last = f": {safe_text(last)[:_SAID]}" if last else ""
        raise UnavailableError(told.format(status=process.returncode, said=last))
    return answer


def _end(process: subprocess.Popen[bytes]) -> None:
    """Kill the command and whatever it started: a script's own child would go on, and hold the pipes."""
    if os.name == "posix":
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()


def _scores(answer: bytes, count: int) -> list[float]:
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
