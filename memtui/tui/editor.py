"""A person's own editor: its command line for a file and a line, and what was changed in it."""

from __future__ import annotations

import difflib
import os
import shlex
import shutil
import signal
import sys
from typing import TYPE_CHECKING

from memtui.errors import UnavailableError
from memtui.locale import _

if TYPE_CHECKING:
    from collections.abc import Mapping

PLUS = frozenset(
    ["vi", "vim", "nvim", "view", "gvim", "mvim", "nvi", "elvis", "neovide", "vis", "nano", "pico", "emacs",
     "emacsclient", "micro", "kak", "joe", "jed", "mg", "ne", "jove", "gedit", "kate"]
)  # fmt: skip
"""Editors that take `+12 file`."""

GOTO = {"code", "code-insiders", "codium", "vscodium", "cursor", "windsurf", "positron"}
"""Editors that take `--goto file:12`, and `--wait`."""

COLON = {"hx", "helix", "zed", "subl", "sublime_text", "lapce", "fresh"}
"""Editors that take `file:12`."""

_TYPED = [getattr(signal, name) for name in ("SIGINT", "SIGQUIT") if hasattr(signal, name)]
"""What ctrl+c and ctrl+\\ send to everything that the terminal runs."""

WAITING = {"subl": "--wait", "sublime_text": "--wait", "zed": "--wait"}


def command(path: str, line: int, env: Mapping[str, str]) -> list[str]:
    """The command that opens `path` at `line` (1-based). Raises UnavailableError where there is no editor."""
    chosen = env.get("VISUAL", "").strip() or env.get("EDITOR", "").strip()
    try:
        words = shlex.split(chosen, posix=os.name != "nt") if chosen else []
    except ValueError:
        words = [chosen]
    if not words:
        words = _first_found()
    name = os.path.basename(words[0]).lower().removesuffix(".exe").removesuffix(".cmd")
    if shutil.which(words[0]) is None:
        raise UnavailableError(
            _("The editor '{name}' cannot be found: set $VISUAL or $EDITOR.").format(name=words[0])
        )
    if name in PLUS:
        return [*words, f"+{line}", path]
    if name in GOTO:
        wait = [] if "--wait" in words or "-w" in words else ["--wait"]
        return [*words, *wait, "--goto", f"{path}:{line}"]
    if name in COLON:
        wait = [WAITING[name]] if name in WAITING and WAITING[name] not in words else []
        return [*words, *wait, f"{path}:{line}"]
    return [*words, path]


def _first_found() -> list[str]:
    candidates = (
        ("notepad",) if sys.platform == "win32" else ("sensible-editor", "nano", "vim", "vi", "emacs")
    )
    for name in candidates:
        if shutil.which(name):
            return [name]
    raise UnavailableError(_("There is no editor to be found: set $VISUAL or $EDITOR."))


def run(words: list[str]) -> str:
    """Run it in the terminal and wait. Answers with what went wrong, or nothing; never raises: the screen is asleep."""
    import subprocess

    # What is typed to end the editor would end whoever waits for it, too.
    kept = [(number, signal.signal(number, _pass)) for number in _TYPED]
    try:
        done = subprocess.run(words, check=False)
    except Exception as error:
        return _("{name} could not be started: {error}").format(name=words[0], error=error)
    finally:
        for number, before in kept:
            signal.signal(number, before)
    if done.returncode:
        return _("{name} ended with status {status}").format(name=words[0], status=done.returncode)
    return ""


def _pass(_number: int, _frame: object) -> None:
    """Not ignored, which the editor would inherit."""


def changes(before: str, after: str) -> tuple[int, int]:
    """Lines added, and lines taken away."""
    found = difflib.unified_diff(before.splitlines(), after.splitlines(), lineterm="", n=0)
    signs = [line[0] for line in found if not line.startswith(("+++", "---", "@@"))]
    return signs.count("+"), signs.count("-")
