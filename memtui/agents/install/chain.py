"""The notifier that Codex had before ours: called after it, with what Codex said, as if it had been called directly.

Its words stand in the person's own config.toml, behind `--then`, as JSON: nothing else remembers them, nothing can
lose them.
"""

from __future__ import annotations

import contextlib
import json


def called(then: str, payload: str) -> None:
    """Run the notifier that `then` names (a JSON list of words) with Codex's JSON as its last word. Never raises."""
    with contextlib.suppress(Exception):
        words = json.loads(then)
        if not isinstance(words, list) or not words or not all(isinstance(word, str) for word in words):
            return
        import subprocess

        subprocess.run([*words, payload], stdin=subprocess.DEVNULL, check=False)
