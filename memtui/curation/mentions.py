"""What of a project a remembered text names as being there: files, directories, commands, branches. Pure.

Precise rather than eager: what reads like a path but may be anything else ('and/or', a route, a package, a pattern, a
place for a name), and what the sentence itself says is gone, planned or only an example, is not taken for one.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal, NamedTuple

_SOURCE = (
    "py pyi ts tsx mts jsx vue svelte go rs java kt kts scala rb php c h cc cpp hpp cs swift m sql proto"
    " graphql sh bash ps1 lua dart"
    " ex exs erl hs clj css scss less html tf ipynb"
)
_KNOWN = frozenset(
    f"{_SOURCE} js mjs cjs md mdx rst txt json yaml yml toml ini cfg conf xml csv gradle lock".split()
)
_ANYBODYS = frozenset({"js", "json", "lock", "txt", "xml", "csv", "html", "ini", "conf", "cfg"})
"""Endings of which a bare name tells nothing: any program may have a file of that name."""
_CODE = frozenset(_SOURCE.split())
_IGNORED = frozenset({
    "node_modules", "dist", "build", "out", "target", "vendor", ".git", ".venv", "venv", "__pycache__", ".next",
    ".nuxt", "coverage", ".cache", "tmp", "temp", ".tox", ".mypy_cache", ".pytest_cache", ".ruff_cache", ".gradle",
    ".idea", ".vscode", "logs", "log", ".env", ".env.local", ".turbo", "htmlcov", "bower_components", "generated",
    "__generated__", ".claude", ".helloagents", ".memtui", ".DS_Store", "env",
})  # fmt: skip
_PLACEHOLDER = re.compile(
    r"[<>{}*$%?|\[\]]|\.\.\.|…|YYYY|MM-DD|\bxxx?\b|X{2,}|\bfoo\b|\bbar\b|path/to|your[-_]|my[-_]|(?:^"
    r"|/)(?:name|example|some)\b",
    re.IGNORECASE,
)
_TICKED = re.compile(r"`([^`\n]{1,200})`")
_BARE = re.compile(
    r"(?<![A-Za-z0-9_./@:~$%{<*\\=-])(?P<path>/?(?:\./)?(?:[A-Za-z0-9_.@+-]+/)*[A-Za-z0-9_.@+-]+/?)(?::\d+(?:[:-]\d+)?|#L\d+\S*)?(?![A-Za-z0-9_*{<$(])"
)
_WHOLE = re.compile(
    r"(?P<path>/?(?:\./)?(?:[\w.@+-]+/)*[\w.@+-]+/?)(?::\d+(?:[:-]\d+)?|#L\d+\S*|::[\w:\[\]-]+)?$"
)
_SENTENCE = re.compile(r"(?<=[。；！？!?;\n])|(?<=\.)\s+(?=\S)")
_ADDRESS = re.compile(r"[a-z][\w+.-]*://\S+|\bwww\.\S+|\b[\w.-]+@[\w.-]+:\S+", re.IGNORECASE)
_DOMAIN = re.compile(
    r"^[\w-]+(?:\.[\w-]+)*\.(?:com|org|net|io|dev|cn|ai|co|app|example|local|edu|gov|me|sh|rs|xyz)$",
    re.IGNORECASE,
)
_NOT_THERE = re.compile(
    r"\b(?:delet\w+|remov\w+|renam\w+|moved|replac\w+|dropped|formerly|previously|used to|was|were|will"
    r"|planned?|plans|todo|creat\w+|adding"
    r"|add(?:ed|s)?|new file|generat\w+|scaffold\w*|example|e\.g\.|such as|imagine|suppose|if (?:it"
    r"|there|the)|no longer|gone|missing|old"
    r"|legacy|obsolete|does(?: not|n't) exist|not exist|instead of|rather than|migrated|split|merged"
    r"|upstream|produces?|outputs?|emits?|writ(?:es?|ten) (?:to|into)"
    r"|(?:other|another|separate|different|sibling) (?:repo\w*|project|checkout)|on the server"
    r"|in production|inside the container)\b"
    r"|删除|移除|删掉|删了|已删|重命名|改名|迁移[到至了]|已迁移|移到|移动到|挪到|将要?|计划|打算|新建"
    r"|创建|新增|添加|加上|自动生成|生成[到在的了]|输出到|写入|例如|比如|示例|举例|曾|原来|原先|以前"
    r"|旧|不存在|没有|不再|改为|改成|替换|取代|拆分|合并(?!请求)|另一个(?:仓库|项目)|别的(?:仓库|项目)|服务器上"
    r"|容器里|如果|假如",
    re.IGNORECASE,
)  # fmt: skip
_NAMED = re.compile(r"[\w.@+-]*/[\w./@+-]*|`[^`\n]*`", re.ASCII)
"""What is a name whatever its words say: 'feature/old-cart'."""
_RUN = re.compile(
    r"^(?:\$ )?(?:(?P<node>npm|pnpm|yarn|bun)(?: (?P<run>run|run-script))? (?P<script>[A-Za-z][\w:.-]*)"
    r"|(?P<tool>make|just) (?P<target>[A-Za-z][\w.-]*))"
    r"(?: .*)?$"
)
_BARE_RUN = re.compile(r"(?<![\w`])(?P<node>npm|pnpm|yarn|bun) run (?P<script>[A-Za-z][\w:.-]*\w)")
_SCRIPTLESS = frozenset({"test", "start", "stop", "restart"})
_BRANCH = re.compile(
    r"\bbranch(?: (?:named|called|is))? [`'\"](?P<after>[\w./-]+)[`'\"]|[`'\"](?P<before>[\w./-]+)[`'\"] branch\b"
    r"|\bbranch (?P<plain>[\w.-]+/[\w./-]*\w|main|master|develop|trunk|staging)\b"
    r"|(?<![\w./-])(?P<named>[\w.-]+/[\w./-]*\w|main|master|develop|trunk|staging) branch\b"
    r"|[`“]?(?P<han>[A-Za-z0-9][\w./-]*[A-Za-z0-9])[`”]?\s?分支"
    r"|分支\s?(?:名?[是为叫:：]\s?)?[`“]?(?P<behind>[A-Za-z0-9][A-Za-z0-9_./-]*[A-Za-z0-9])",
    re.IGNORECASE | re.ASCII,
)
_ANY = re.compile(r"[/.`]|branch| run |分支", re.IGNORECASE)
_PREFIXED = re.compile(r"(?:prefix|start(?:s|ing)? with|named like|前缀|开头|形如|命名)", re.IGNORECASE)


class Mention(NamedTuple):
    """Something of a project that a text names."""

    kind: Literal["path", "name", "script", "make", "just", "branch"]
    """name: a file of which only the last part of its path is told."""
    name: str
    anchored: bool = False
    """A path of which nothing but its first directory, where it is there, tells that it is one."""


def names_any(text: str) -> bool:
    """Whether a text may name anything at all: most do not."""
    return _ANY.search(text) is not None


@lru_cache(maxsize=1 << 14)
def mentions(text: str, root: str = "") -> tuple[Mention, ...]:
    """What a text names as being there; `root` is the project's directory, for paths that are written whole."""
    if not names_any(text):
        return ()
    found: dict[Mention, None] = {}
    for sentence in _SENTENCE.split(text):
        if sentence and not _NOT_THERE.search(_NAMED.sub(" ", sentence)):
            found.update((one, None) for one in _of_sentence(_ADDRESS.sub(" ", sentence), root))
    return tuple(found)


def _of_sentence(sentence: str, root: str) -> list[Mention]:
    found: list[Mention] = []
    taken: set[str] = set()
    prefixed = bool(_PREFIXED.search(sentence))
    if not prefixed:
        for match in _BRANCH.finditer(sentence):
            name = next(filter(None, match.groups()))
            taken.add(name)
            if not _PLACEHOLDER.search(name) and not name.isdigit():
                found.append(Mention("branch", name))
    found += (Mention("script", match["script"]) for match in _BARE_RUN.finditer(sentence))
    for match in _TICKED.finditer(sentence):
        found += _of_code(match[1].strip(), root, taken, not prefixed)
    for match in _BARE.finditer(_TICKED.sub(" ", sentence)):
        found += _path(match["path"], root, False, taken)
    return found


def _of_code(code: str, root: str, taken: set[str], sure: bool) -> list[Mention]:
    run = _RUN.match(code)
    if run is not None:
        return _command(run)
    if _PLACEHOLDER.search(code):
        return []
    whole = _WHOLE.match(code)
    if whole is not None:
        return _path(whole["path"], root, sure, taken)
    found: list[Mention] = []
    # Of a command line only what is clearly a path: 'python scripts/seed.py --all'.
    for word in code.split()[:8]:
        part = _WHOLE.match(word)
        if part is not None and "/" in word and not word.startswith("-"):
            found += _path(part["path"], root, False, taken)
    return found


def _command(run: re.Match[str]) -> list[Mention]:
    if run["tool"]:
        return [Mention("make" if run["tool"] == "make" else "just", run["target"])]
    # What follows 'yarn' or 'pnpm' without 'run' may be one of their own commands.
    if run["run"] or (run["node"] == "npm" and run["script"] in _SCRIPTLESS):
        return [Mention("script", run["script"])]
    return []


def _path(path: str, root: str, ticked: bool, taken: set[str]) -> list[Mention]:
    path = path.rstrip(".,")
    if path in taken or _PLACEHOLDER.search(path) or len(path) > 200:
        return []
    if path.startswith("/"):
        if not root or not path.startswith(f"{root}/"):
            return []
        path, ticked = path[len(root) + 1 :], True
    path = path.removeprefix("./")
    parts = [part for part in path.split("/") if part]
    if not parts or any(part in {".", ".."} or part in _IGNORED or part.startswith("@") for part in parts):
        return []
    ending = parts[-1].rpartition(".")[2] if "." in parts[-1].lstrip(".") else ""
    if len(parts) == 1 and not path.endswith("/"):
        # 'Node.js' and 'config.json' are no files of this project by being named.
        sure = ending in _CODE or (ticked and ending in _KNOWN and ending not in _ANYBODYS)
        return [Mention("name", parts[0])] if sure and parts[0] != f".{ending}" else []
    if _DOMAIN.match(parts[0]) or parts[0].isdigit():
        return []
    if ending in _KNOWN:
        return [Mention("path", "/".join(parts))]
    if ending and not ending.isalpha():
        return []
    if len(parts) == 1 and not ticked:
        return []
    return [Mention("path", "/".join(parts), anchored=not (ticked and path.endswith("/")))]
