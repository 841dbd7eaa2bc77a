"""A source file with its comments, or its comments and the insides of its strings, turned into blanks.

Every character keeps its place, so that a match in a view is a match in the file. One expression a language, linear;
where a language cannot be told apart by an expression (JSX text, nested shell quotes) too much is blanked rather
than too little: a rule that misses is cheaper than one that cries.
"""

from __future__ import annotations

import re
from functools import cache

WIDEST = 1000
"""Characters of a line: a longer one was not written by hand, and is a blank in every view."""

_BLOCK = r"(?P<comment>/\*[^*]*(?:\*(?!/)[^*]*)*(?:\*/|\Z)|//[^\n]*)"
_DOUBLE = r'"[^"\\\n]*(?:\\.[^"\\\n]*)*"'
_SINGLE = r"'[^'\\\n]*(?:\\.[^'\\\n]*)*'"
_LONG = r'"""[^"\\]*(?:(?:\\.|"(?!""))[^"\\]*)*(?:"""|\Z)'

_TOKENS = {
    "python": (
        r"(?P<comment>#[^\n]*)"
        rf"|(?P<string>{_LONG}|'''[^'\\]*(?:(?:\\.|'(?!''))[^'\\]*)*(?:'''|\Z)|{_DOUBLE}|{_SINGLE})"
    ),
    "java": rf"{_BLOCK}|(?P<string>{_LONG}|{_DOUBLE}|{_SINGLE})",
    "script": (
        rf"{_BLOCK}|(?P<string>{_DOUBLE}|{_SINGLE}|`[^`\\]*(?:\\.[^`\\]*)*(?:`|\Z)"
        # A regular expression stands where a value may begin.
        r"|(?<=[(,=:\[!&|?{};])[ \t]?/(?![/*])[^/\\\n\[]*(?:(?:\\.|\[[^\]\\\n]*(?:\\.[^\]\\\n]*)*\])[^/\\\n\[]*)*/)"
    ),
    "shell": (
        r"\\.|(?P<comment>(?:(?<=[\s;&|()])|^)#[^\n]*)"
        r"|(?P<literal>\$?'[^']*')"
        r'|(?P<string>"[^"\\]*(?:\\.[^"\\]*)*")'
        r"|<<<|<<(?P<dash>-?)[ \t]*(?P<quote>['\"\\]?)(?P<word>[A-Za-z_][A-Za-z0-9_]*)"
    ),
}
_LANGUAGES = {
    "python": (".py", ".pyi", ".pyw"),
    "java": (".java", ".kt", ".scala"),
    "script": (".js", ".jsx", ".ts", ".tsx", ".mjs", ".cjs", ".mts", ".cts", ".vue"),
    "shell": (".sh", ".bash", ".zsh", ".ksh", ".bats"),
}
_WIDE = re.compile(rf"^[^\n]{{{WIDEST + 1},}}", re.MULTILINE)


class Views:
    """The views of one file, each made when it is first asked for."""

    def __init__(self, text: str, name: str) -> None:
        self.text = text if len(text) <= WIDEST else _WIDE.sub(lambda match: blank(match[0]), text)
        self._language = next(
            (language for language, ends in _LANGUAGES.items() if name.lower().endswith(ends)), ""
        )
        self._made: dict[str, str] = {"text": self.text}

    def __getitem__(self, view: str) -> str:
        """code, strings or text; a language that is not known has but one."""
        if view not in self._made:
            self._made.update(_split(self.text, self._language))
        return self._made[view]


def blank(passage: str) -> str:
    """As many blanks, line ends kept."""
    if "\n" not in passage:
        return " " * len(passage)
    return "\n".join([" " * len(line) for line in passage.split("\n")])


@cache
def _token(language: str) -> re.Pattern[str]:
    return re.compile(_TOKENS[language], re.DOTALL | (re.MULTILINE if language == "shell" else 0))


def _split(text: str, language: str) -> dict[str, str]:
    if not language:
        return {"code": text, "strings": text}
    code: list[str] = []
    strings: list[str] = []
    done = at = 0
    token = _token(language)
    waiting: list[tuple[str, bool, bool]] = []
    while found := token.search(text, at):
        kind, (start, end) = found.lastgroup, found.span()
        at = end
        body = found[0]
        if kind == "word":
            waiting.append((found["word"], bool(found["dash"]), bool(found["quote"])))
        elif kind in {"comment", "literal", "string"}:
            between = text[done:start]
            code += (between, blank(body) if kind == "comment" else _hollow(body))
            strings += (between, body if kind == "string" else blank(body))
            done = end
        if waiting:
            # What follows the line is the text of the documents that it announced.
            line = text.find("\n", at)
            following = token.search(text, at)
            if line >= 0 and (following is None or following.start() > line):
                for word, tabs, quoted in waiting:
                    stop = _end(text, line, word, tabs)
                    if stop < 0:
                        break
                    between, inside = text[done:line], text[line:stop]
                    code += (between, blank(inside))
                    strings += (between, blank(inside) if quoted else inside)
                    done = at = line = stop
                waiting.clear()
    code.append(text[done:])
    strings.append(text[done:])
    return {"code": "".join(code), "strings": "".join(strings)}


def _hollow(string: str) -> str:
    """A string without its inside: the marks stay, so that it is still seen to be one."""
    if len(string) < 2:
        return string
    return string[0] + blank(string[1:-1]) + string[-1]


def _end(text: str, start: int, word: str, tabs: bool) -> int:
    """Where the lines of a here-document that begins after `start` end, its last word included; -1: it is none."""
    at = start
    while at >= 0:
        at += 1
        end = text.find("\n", at)
        line = text[at:] if end < 0 else text[at:end]
        if (line.lstrip("\t") if tabs else line).rstrip("\r") == word:
            return at + len(line)
        at = end
    return -1
