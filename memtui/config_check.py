"""Whether a value fits a setting, said in a sentence when it does not."""

from __future__ import annotations

from memtui.errors import UsageError
from memtui.locale import _
from memtui.record import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memtui.config_about import About

WORDS: dict[type, str] = {
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    str: "text",
    tuple: "a list of texts",
}
"""The types of settings, for people."""

_SPOKEN = {
    "true": True,
    "yes": True,
    "on": True,
    "1": True,
    "false": False,
    "no": False,
    "off": False,
    "0": False,
}


def nearest(name: str, known: Iterable[str]) -> str:
    """The known name that was probably meant, or nothing."""
    import difflib

    found = difflib.get_close_matches(name.lower(), list(known), 1, 0.6)
    return found[0] if found else ""


def typed(about: About, text: str) -> Any:
    """Text from a command line or the environment as the setting's type; lists are separated by commas, or as in TOML.

    What does not fit comes back as it is, for `check` to say so.
    """
    text = text.strip()
    default: Any = about.default
    if isinstance(default, bool):
        return _SPOKEN.get(text.lower(), text)
    if isinstance(default, tuple):
        if text.startswith("["):
            return _array(text)
        return tuple(part.strip() for part in text.split(",") if part.strip())
    try:
        return type(default)(text)
    except ValueError:
        return text


def _array(text: str) -> Any:
    import tomllib

    try:
        return tomllib.loads(f"list = {text}")["list"]
    except ValueError:
        return text


def check(key: str, about: About, value: Any) -> Any:
    """The value as the config keeps it. Raises UsageError, with what would fit, for one that does not."""
    default: Any = about.default
    if isinstance(default, tuple) and isinstance(value, list | tuple):
        if not all(isinstance(part, str) for part in value):
            raise UsageError(_("{key} must be a list of texts").format(key=key))
        return tuple(value)
    if isinstance(default, float) and type(value) is int:
        value = float(value)
    if type(value) is not type(default):
        raise UsageError(
            _("{key} must be {type}, not {value!r}").format(
                key=key, type=_(WORDS[type(default)]), value=value
            )
        )
    if about.choices and value not in about.choices:
        near = nearest(value, about.choices)
        raise UsageError(
            _("{key} must be one of {choices}, not {value!r}").format(
                key=key, choices=", ".join(about.choices), value=value
            )
            + (_("; did you mean {near}?").format(near=near) if near else "")
        )
    # 'not within' rather than 'outside': nan compares with nothing.
    if about.low is not None and about.high is not None and not about.low <= value <= about.high:
        raise UsageError(
            _("{key} must be from {low:g} to {high:g}, not {value}").format(
                key=key, low=about.low, high=about.high, value=value
            )
        )
    return value
