"""Names that are no plain words: paths, versions, options, `C++`. What of them counts, and how else they stand."""

from __future__ import annotations

import re

IDENTIFIER = re.compile(r"[^\W_]+(?:[_\-./:\\@#+]+[^\W_]+)+")
"""Words held together by what is no letter: memory_search, src/app.py, v1.2.3, me@example.org."""

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9]{1,8}://(?=[^\W_])")
_LINE = re.compile(r"(?<=[A-Za-z]):\d+(?::\d+)?$")
_VERSION = re.compile(r"[vV]?(?=\d+\.\d)(\d+(?:[.+\-]\w+)+)")
# A mark before or behind: --force, .env, #123, @main, $HOME, /etc, C++, C#.
_MARKED = re.compile(r"(?:[.#@$/~\-]+[^\W_]\S*|\S*[A-Za-z][+#]+)(?=$|[,.;:!?)\]}，。；：！？）」])")
_SENTENCE = ",.;:!?()[]{}，。；：！？（）「」"
_LONGEST = 80


def ways(text: str) -> list[str]:
    """Other ways to write an identifier: without its scheme or its line, with and without the v of a version."""
    bare = _SCHEME.sub("", text, 1)
    found = [bare, _LINE.sub("", bare)]
    version = _VERSION.fullmatch(text)
    if version:
        found.append(version[1] if text[0] in "vV" else f"v{text}")
    return [one for one in dict.fromkeys(found) if one != text]


def marked(word: str) -> str:
    """The word with its marks, where these say what it is (C++ is no C); else empty."""
    word = word.strip().rstrip(_SENTENCE).lstrip("([{（「")
    return word if len(word) <= _LONGEST and _MARKED.fullmatch(word) else ""
