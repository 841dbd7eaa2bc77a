"""One question to a model, by a command or an OpenAI-compatible endpoint. Asked only where it is configured.

Nobody waits longer than `llm.seconds`, whatever answers slowly; what is sent has its secrets masked.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from memtui.locale import _

if TYPE_CHECKING:
    from memtui.config import LlmConfig

INSIDE = "MEMTUI_INSIDE"
"""The environment variable that whatever answers finds set: an agent that is asked has hooks, and they do nothing."""

ASKED = "MEMTUI_ASKED"
"""And the one by which no model is asked from inside of another: its tools may be memtui's."""

MOST = 1 << 20
"""Bytes of an answer."""


def why_not(settings: LlmConfig) -> str:
    """Why no model can be asked, with what to do about it; empty: it can. It is not asked."""
    if os.environ.get(ASKED):
        return _("this is already the session of a model that memtui asks")
    if settings.command:
        from memtui.llm.command import found

        if found(settings.command):
            return ""
        told = _("there is no command {name}: install it, or set llm.command to another one")
        from memtui.safety.service import clean

        return told.format(name=clean(settings.command[0]))
    if not settings.url and not settings.model:
        return _("no model is set: llm.command names a command, llm.url and llm.model an endpoint")
    from memtui.safety.service import why_not

    return why_not("llm", settings.url, settings.model, settings.key)


def ask(prompt: str, settings: LlmConfig, *, system: str = "", json: bool = False) -> str:
    """The model's answer, never empty. `json`: an endpoint is asked for one JSON object.

    Takes at most `settings.seconds`; no lock may be held meanwhile. Raises UnavailableError, also when it takes longer.
    """
    from memtui.errors import UnavailableError
    from memtui.safety.redact import redact

    why = why_not(settings)
    if why:
        raise UnavailableError(why)
    prompt, system = (redact(text).text.replace("\0", " ") for text in (prompt, system))
    if settings.command:
        from memtui.llm.command import answer

        said = answer(settings.command, f"{system}\n\n{prompt}" if system else prompt, settings.seconds)
    else:
        from memtui.llm.endpoint import answer as answered

        said = answered(settings, prompt, system, json=json)
    if not said.strip():
        raise UnavailableError(_("the model answered nothing"))
    return said.strip()
