"""A service elsewhere that texts are sent to: whether it may be asked, with which key, and its words made harmless.

Texts leave this machine over https, or over http to this machine itself. A key stands in the environment and nowhere
else, and no message shows a piece of one.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from memtui.locale import _

if TYPE_CHECKING:
    from urllib.parse import SplitResult

PIECE = 8
"""Characters of a key in a row that no message shows: some servers repeat its beginning."""


def why_not(section: str, url: str, model: str, variable: str) -> str:
    """Why an endpoint may not be asked, by the names of its settings; empty: it may. It is not asked."""
    if not url or not model:
        told = _("{section}.url and {section}.model are not both set: they name the endpoint and its model")
        return told.format(section=section)
    parts = _parts(url)
    if parts is None or parts.scheme not in {"http", "https"} or not parts.hostname:
        told = _("{section}.url must be a web address up to /v1, like https://host/v1")
        return told.format(section=section)
    if parts.username or parts.password:
        told = _(
            "{section}.url holds a name or a password: put the key in the variable that {section}.key names"
        )
        return told.format(section=section)
    if parts.scheme == "http" and not here(parts.hostname):
        told = _(
            "{section}.url is http to another machine, where others could read your memories on the way: use https"
        )
        return told.format(section=section)
    if not here(parts.hostname) and variable and not key(variable):
        told = _("the environment variable {name} ({section}.key) holds no key")
        return told.format(name=variable, section=section)
    if not all("!" <= character <= "~" for character in key(variable)):
        return _("the key in {name} holds characters that no key has").format(name=variable)
    return ""


def key(variable: str) -> str:
    """The key that stands in the environment; empty: none."""
    return os.environ.get(variable, "").strip() if variable else ""


def here(host: str) -> bool:
    """Whether a host is this machine, by its name alone."""
    import ipaddress

    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def said(content: bytes) -> str:
    """A server's own words about what it does not do; empty: it has none."""
    import json

    try:
        told = json.loads(content)
    except (ValueError, RecursionError):
        return ""
    for name in ("error", "message", "detail"):
        if isinstance(told, dict) and told.get(name):
            told = told[name]
    return told if isinstance(told, str) else ""


def clean(text: str, key: str = "") -> str:
    """Somebody else's words, short and harmless: some servers repeat the key."""
    from memtui.safety.redact import redact
    from memtui.safety.safe_text import safe_text

    if key:
        text = _without(text.replace(key, "…"), key)
    return safe_text(redact(" ".join(text[:2000].split())).text)[:200]


def _without(text: str, key: str) -> str:
    """The text without the words that hold a piece of the key."""
    pieces = {key[at : at + PIECE] for at in range(max(1, len(key) - PIECE + 1))}

    def shown(word: str) -> str:
        return "…" if any(word[at : at + PIECE] in pieces for at in range(len(word))) else word

    return " ".join(map(shown, text[:2000].split()))


def _parts(url: str) -> SplitResult | None:
    from urllib.parse import urlsplit

    try:
        parts = urlsplit(url)
        parts.port  # noqa: B018  # reading it is what checks it
    except ValueError:
        return None
    return parts
