"""What of a project a remembered text names as being there: files, directories, commands, branches. Pure.

Precise rather than eager: not taken is what reads like a path but may be anything else ('and/or', a route, a
package, a pattern, a placeholder), and what the sentence itself says is gone, planned or only an example. A
name without an ending is a directory only where a slash or the word behind it says so.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal, NamedTuple
from urllib.parse import unquote

from memtui.core.startup import compile_pattern
from memtui.layouts.tracks import TOOL_FOLDERS

_SOURCE = (
    "py pyi ts tsx mts jsx vue svelte go rs java kt kts scala rb php c h cc cpp hpp cs swift m sql proto"
    " graphql sh bash ps1 lua dart"
    " ex exs erl hs clj css scss less html tf ipynb"
)
_KNOWN = frozenset(f"{_SOURCE} js mjs cjs md mdx rst txt json yaml yml toml ini cfg conf xml csv gradle lock".split())
_CODE = frozenset(_SOURCE.split()) - {"html"}
"""Endings of which a bare name tells something: any program may have a config.json, any folder a notes.md."""
WRITTEN = _KNOWN - {"md", "mdx", "rst", "txt", "csv", "lock", "ipynb"} | {"properties", "prisma"}
"""Endings of files in which the parts of a program have their names."""
_IGNORED = frozenset({
    "node_modules", "dist", "build", "out", "target", "vendor", ".git", ".venv", "venv", "__pycache__", ".next",
    ".nuxt", "coverage", ".cache", "tmp", "temp", ".tox", ".mypy_cache", ".pytest_cache", ".ruff_cache", ".gradle",
    ".idea", ".vscode", "logs", "log", ".env", ".env.local", ".turbo", "htmlcov", "bower_components", "generated",
    "__generated__", ".DS_Store", "env", *TOOL_FOLDERS,
})  # fmt: skip
_PLACEHOLDER = compile_pattern(
    r"[<>{}*$%?|\[\]]|\.\.\.|…|YYYY|MM-DD|\bxxx?\b|X{2,}|\bmy(?-i:[A-Z])|\bfoo\b|\bbar\b|path/to|your[-_]|my[-_]|(?:^"
    r"|/)(?:name|example|some|today|yesterday)\b|今天|昨天|日期|(?:^|/)(?:文件名?|名[称字]|模块|组件|页面|파일명?|이름|모듈|ファイル名?|名前)(?=[./]|$)|(?-i:[a-z]X[a-z]{1,4}Y|[a-z]X[A-Z]|(?<=[-_/])[XYN](?=[-_./]|$))",
    re.IGNORECASE,
)
_TICKED = compile_pattern(r"`([^`\n]{1,200})`")
_BARE = compile_pattern(
    r"(?<![A-Za-z0-9_./@:~$%{<*\\=-])(?P<path>/?(?:\./)?(?:[A-Za-z0-9_.@+-]+/)*[A-Za-z0-9_.@+-]+/?)(?::\d+(?:[:-]\d+)?|#L\d+\S*)?(?![A-Za-z0-9_*{<$(])"
)
_WHOLE = compile_pattern(r"(?P<path>/?(?:\./)?(?:[\w.@+-]+/)*[\w.@+-]+/?)(?::\d+(?:[:-]\d+)?|#L\d+\S*|::[\w:\[\]-]+)?$")
_FOLDER = compile_pattern(r"`?\s?(?:目录|目錄|文件夹|資料夾|director(?:y|ies)\b|folder\b)", re.IGNORECASE)
_SUFFIX = compile_pattern(r"[._-]|(?:test|spec|index|main|mod|init)\.")
"""How a bare name begins that is the end of many, or the name that every directory has one of."""
_ANYONES = compile_pattern(
    r"(?:readme|skill|changelog|license|contributing|index|todos?|tasks?|notes?|plan|design|spec|proposal|summary|report"
    r"|how|why|bootstrap)\b",
    re.IGNORECASE,
)
"""How a document is called of which any directory may have one."""
_SENTENCE = compile_pattern(r"(?<=[。；！？!?;\n])|(?<=\.)\s+(?=\S)")
_ADDRESS = compile_pattern(r"[a-z][\w+.-]*://\S+|\bwww\.\S+|\b[\w.-]+@[\w.-]+:\S+", re.IGNORECASE)
_DOMAIN = compile_pattern(
    r"^[\w-]+(?:\.[\w-]+)*\.(?:com|org|net|io|dev|cn|ai|co|app|example|local|edu|gov|me|sh|rs|xyz)$",
    re.IGNORECASE,
)
_NOT_THERE = compile_pattern(
    r"\b(?:delet\w+|remov\w+|renam\w+|moved|replac\w+|dropped|formerly|previously|used to|was|were|will"
    r"|planned?|plans|todo|to (?:build|write|make|be)|creat\w+|adding"
    r"|add(?:ed|s)?|new file|generat\w+|scaffold\w*|example|such as|imagine|suppose|exists|reserved"
    r"|promoted from|saves?|introduc\w+|if (?:it"
    r"|there|the)|no longer|gone|missing|old"
    r"|legacy|obsolete|does(?: not|n't) exist|not exist|instead of|rather than|migrated|split|merged"
    r"|upstream|produces?|outputs?|emits?|writ(?:es?|ten) (?:to|into)"
    r"|(?:log|append|record)(?:s|ed)?(?: [\w-]+){0,3} (?:to|into)|throwaway|scratch|exclud\w+|temporar\w+"
    r"|(?:capture|collect|jot|note|dump|store)(?: [\w-]+){0,4} (?:to|into|in)"
    r"|(?:report|log|save|results?) (?:location|path|folder)"
    r"|(?:other|another|separate|different|sibling) (?:repo\w*|project|checkout)|on the server"
    r"|git repo\w*|(?:its|their) own|in production|inside the container|ported"
    r"|(?:is|are)(?:n't| not) (?:needed|included|used|present|copied|committed|tracked|shipped|part))\b"
    r"|[,(] ?not\b|\b(?:no|without)(?: {2,}|$)|\be\.g\."
    r"|删除|移除|删掉|删了|已删|重命名|改名|迁移[到至了]|已迁移|移到|移动到|挪到|将要?|计划|打算|新建"
    r"|创建|新增|添加|加上|自动生成|生成[到在的了]|输出到|写入|保存|存到|存入|(?:记录|追加)[到至进]|例如|比如|示例|举例|曾|原来|原先|以前"
    r"|(?:输出|记录|保存|存放|报告|产出|日志|备份)(?:位置|目录|路径)|旧|不存在|没有|不再|改为|改成|改回|换回|替换|取代|拆分|合并(?!请求)|另一个(?:仓库|项目)|别的(?:仓库|项目)|服务器上"
    r"|容器里|如果|假如|[（(，,]\s*(?:而)?非\s"
    r"|통합|(?<![가-힣])구 |예\s?[:)：]|예시|에 배치"
    r"|\b(?:nicht|kein\w*|gelöscht|entfernt|umbenannt|verschoben|ersetzt|alte[rsn]?|neue[rsn]?|geplant|später|wird|wurden?"
    r"|eliminad\w+|borrad\w+|quitad\w+|renombrad\w+|renomead\w+|movid\w+|removid\w+|reemplazad\w+|no existe\w*"
    r"|antigu\w+|antig[oa]s?|nuev\w+|nov[oa]s?|crear|criar|futur\w+|supprimé\w*|renommé\w*|ancien\w*|nouve\w+"
    r"|retras\w*|șters\w*|mutat\w*|înlocuit\w*)\b|удал[её]н|удалил|переимен|перенес|создать|больше нет|новый файл|будет"
    r"|삭제|제거|폐기|없[음는다]|존재하지 않|예정|예를 들|생성|만들|추가|옮[겨김기]",
    re.IGNORECASE,
)  # fmt: skip
_WENT = compile_pattern(r"(?:^|[\n`;&|*] ?)cd [\"']?[~/$]|\bin [`\"']?~/|\bauto-memory\b", re.IGNORECASE)
"""What runs somewhere else names what is there: 'cd ~/tools && node scripts/fetch.js'."""
_INTO = compile_pattern(r"\bcd [\w./-]+ ?(?:&&|;|`)")
"""What a command after it names is that directory's own."""
_NAMED = compile_pattern(r"[\w.@+-]*/[\w./@+-]*|`[^`\n]*`", re.ASCII)
"""What is a name whatever its words say: 'feature/old-cart'."""
_RUN = compile_pattern(
    r"^(?:\$ )?(?:(?P<node>npm|pnpm|yarn|bun)(?: (?P<run>run|run-script))? (?P<script>[A-Za-z][\w:.-]*)"
    r"|(?P<tool>make|just) (?P<target>[A-Za-z][\w.-]*))"
    r"(?: .*)?$"
)
_BARE_RUN = compile_pattern(r"(?<![\w`])(?P<node>npm|pnpm|yarn|bun) run (?P<script>[A-Za-z][\w:.-]*\w)")
_SCRIPTLESS = frozenset({"test", "start", "stop", "restart"})
_BRANCH = compile_pattern(
    r"\bbranch(?: (?:named|called|is))? [`'\"](?P<after>[\w./-]+)[`'\"]|[`'\"](?P<before>[\w./-]+)[`'\"] branch\b"
    r"|\bbranch (?P<plain>[\w.-]+/[\w./-]*\w|main|master|develop|trunk|staging)\b"
    r"|(?<![\w./-])(?P<named>[\w.-]+/[\w./-]*\w|master|develop|trunk|staging) branch\b(?!\**[ ]?[:：])"
    r"|[`“]?(?P<han>[A-Za-z0-9][\w./-]*[A-Za-z0-9])[`”]?\s?分支"
    r"|分支\s?(?:名?[是为叫:：]\s?)?[`“]?(?P<behind>[A-Za-z0-9][A-Za-z0-9_./-]*[A-Za-z0-9])",
    re.IGNORECASE | re.ASCII,
)
_LINK = compile_pattern(r"\]\((?![a-z]+:|[#/<])(?P<path>[^()\s#?]+\.md)(?:#[^()\s]*)?\)", re.IGNORECASE)
_OF_PROGRAMS = compile_pattern(r"(?=.{6})[A-Za-z_]\w*(?:[-.]\w+)*(?:\(\))?")
_MADE_UP = compile_pattern(r"[a-z][A-Z]|[A-Z]{2}[a-z]|[A-Za-z0-9][_.-][A-Za-z0-9]")
"""In a name that is no word of the language: 'CartStore', 'cart_store', 'cart-store', 'cart.py'."""
_OVER = (
    r"(?:is|was|were|has been|have been|got)?\s*(?:now |since |fully |completely |finally )?"
    r"(?:(?:superseded|replaced) by|renamed (?:to|as)"
    r"|(?:removed|deleted|retired|gone)(?=\s*(?:[.,;:!()*—–/-]|$|and\b)))"
)
_SORT = (
    r"(?:\s*(?:class|component|file|module|table|script|helper|hook|service|command"
    r"|组件|文件|模块|类|表|脚本|服务|命令))?"
)
_RETIRED = compile_pattern(
    rf"`(?P<name>[^`\n]{{4,60}})`\**{_SORT}\s*{_OVER}"
    rf"|\b(?:removed|deleted|retired|replaced|renamed) (?:the )?(?:old |legacy |obsolete |former )?"
    rf"`(?P<done>[^`\n]{{4,60}})`{_SORT}(?=\s*(?:[.,;—]|$|(?:with|by|to|in favou?r of)\b))"
    rf"|`(?P<han>[^`\n]{{4,60}})`\**{_SORT}\s*[均也]?(?:已经|已被|已|被)(?:全部|彻底|整体|完全)?"
    r"(?:删除|移除|废弃|弃用|下线|替换为|重命名为|改名为|取代)(?!前|之前|时|后再)"
    rf"|(?:已经?|均已)(?:彻底|全部)?(?:删除|移除|废弃|弃用|下线)了?(?:旧的?|原有的?|原)?\s*`(?P<over>[^`\n]{{4,60}})`{_SORT}"
    r"(?=\s*(?:[。，；,;.)）]|$))",
    re.IGNORECASE,
)
_SWITCH = compile_pattern(
    r"(?P<names>(?:[\w`][\w`.-]*(?: [\w`][\w`.-]*){0,2}(?: \+ |, | and | & ))*[\w`][\w`.-]*(?: [\w`][\w`.-]*){0,2}) "
    r"(?:is|are)(?: now| both| all| currently)* (?:OFF|(?:turned |switched )?off|disabled|switched off|retired"
    r"|no longer (?:used|running|in use))\b(?! by default)"
    r"|(?P<han>`[^`\n]{3,40}`|[A-Za-z][\w.-]{2,30})\s?(?:已经?|目前已?)(?:停用|关闭|禁用|停掉|下线)(?!前|之前|时|后再)",
)
"""What is said to be switched off as a whole."""
_JOINED = compile_pattern(r" \+ |, | and | & ")
_PROPER = compile_pattern(r"(?=.{3})(?:[A-Z][\w.]*\d|[A-Z]{2,}\w*|[A-Za-z]\w*(?:[-_.]\w+)+|[A-Z]\w*[a-z][A-Z]\w*)")
"""A name that is no word of the language: 'PM2', 'auto-build'."""
_PERHAPS = compile_pattern(
    r"\b(?:if|unless|until|should|must|would|could|may|might|will|to be|plan\w*|not|never|don't|when|once)\b"
    r"|如果|若|计划|将|应|可能|待|不要|勿|尚未|没有|未被",
    re.IGNORECASE,
)
_ANY = compile_pattern(r"[/.`]|branch| run |分支", re.IGNORECASE)
_CALLED_LIKE = compile_pattern(
    r"\b(?:Pascal|camel|kebab|snake)[-_ ]?case(?![a-z])|\bnaming (?:convention|rule)|(?:命名|명명|네이밍)",
    re.IGNORECASE,
)
"""How files are to be called, whichever there are: 'components in PascalCase (`CartRow.tsx`)'."""
_PREFIXED = compile_pattern(r"(?:prefix|start(?:s|ing)? with|named like|前缀|开头|形如|命名)", re.IGNORECASE)


_VERSIONED = compile_pattern(
    r"(?<![\w@/.-])(?P<name>(?!versions?\b)@?[a-z][a-z\d_.-]{1,40}(?:/[a-z\d_.-]{2,40})?)[`*]{0,3}\s?(?:·|[:：@])?\s?`?"
    r"(?P<version>[\^~]?v?\d{1,3}\.\d{1,4}(?:\.\d{1,4})?)(?![\w.-])"
)
_OF_CHANGE = compile_pattern(
    r"→|->|[<>≥≤]=?\s?v?\d|升[级到]|迁移|降[级到]|兼容|支持|以上|及以后|"
    r"\b(?:upgrad|bump|migrat|downgrad|from|since|until|requires?|least|later|peer|support|fixed in|broke)",
    re.IGNORECASE,
)


_OFF_HINTS = (" off", "disabled", " retired", "no longer", "停", "关闭", "禁用", "下线")
"""Without one of these nothing is."""


_RENAMED = compile_pattern(r"`[^`\n]+`\s*(?:→|->|=>|➜)\s*(?=`)")
"""What something was called before it got the name that follows."""


class Mention(NamedTuple):
    """Something of a project that a text names."""

    kind: Literal["path", "folder", "link", "name", "script", "make", "just", "branch", "version"]
    """name: a file of which only the last part of its path is told; version: that of a library, behind its name."""
    name: str


def may_name_anything(text: str) -> bool:
    """Whether a text may name anything at all: most do not."""
    return _ANY.search(text) is not None


@lru_cache(maxsize=1 << 14)
def find_mentions(text: str, root: str = "") -> tuple[Mention, ...]:
    """What a text names as being there; `root` is the project's directory, for paths that are written whole."""
    if not may_name_anything(text) or _WENT.search(text):
        return ()
    found: dict[Mention, None] = {}
    for sentence in _SENTENCE.split(_RENAMED.sub(" ", text)):
        plain = _NAMED.sub(" ", sentence)
        if sentence and not _NOT_THERE.search(plain) and not _CALLED_LIKE.search(plain):
            found.update((one, None) for one in _of_sentence(_ADDRESS.sub(" ", sentence), root))
    return tuple(found)


@lru_cache(maxsize=1 << 12)
def find_versions(text: str) -> tuple[tuple[str, str], ...]:
    """The libraries that a text names with the version that is used; none where it tells of a change, or of a bound."""
    if not any(map(str.isdigit, text)) or _OF_CHANGE.search(text):
        return ()
    return tuple((match["name"], match["version"]) for match in _VERSIONED.finditer(text))


def find_document_links(text: str) -> tuple[str, ...]:
    """The documents that a text links, as they stand there: relative to its own place."""
    found = (unquote(match["path"]) for match in _LINK.finditer(text)) if "](" in text else ()
    return tuple(dict.fromkeys(path for path in found if not _PLACEHOLDER.search(path) and "\\" not in path))


@lru_cache(maxsize=1 << 12)
def find_retired_names(text: str) -> tuple[str, ...]:
    """The names of which a text says that they are no more: of classes, modules, commands, never a plain word."""
    if "`" not in text:
        return ()
    found: dict[str, None] = {}
    for sentence in _SENTENCE.split(text):
        for match in _RETIRED.finditer(sentence):
            name = next(filter(None, match.groups()))
            if (
                _OF_PROGRAMS.fullmatch(name)
                and _MADE_UP.search(name)
                and not _PLACEHOLDER.search(name)
                and not _PERHAPS.search(_TICKED.sub(" ", sentence))
            ):
                found[name.removesuffix("()")] = None
    return tuple(found)


@lru_cache(maxsize=1 << 12)
def find_switched_off(text: str) -> tuple[str, ...]:
    """The names of which a text says that they are switched off, wherever they are used."""
    low = text.casefold()
    if not any(map(low.__contains__, _OFF_HINTS)):
        return ()
    found: dict[str, None] = {}
    for sentence in _SENTENCE.split(text.replace("**", "")):
        match = _SWITCH.search(sentence)
        if match is None or _PERHAPS.search(_TICKED.sub(" ", sentence[: match.end()])):
            continue
        for name in _JOINED.split(match["names"] or match["han"]):
            bare = name.strip("` ").removeprefix("The ").removeprefix("the ").strip("`")
            if _PROPER.fullmatch(bare):
                found[bare] = None
    return tuple(found)


def is_name_mentioned(text: str, name: str) -> bool:
    """Whether a text speaks of something by its whole name as of what is there."""
    if name not in text:
        return False
    whole = re.compile(rf"(?<![\w./-]){re.escape(name)}(?![\w/-]|`? ?(?:→|->|⇒))")
    return any(
        whole.search(sentence) and not _NOT_THERE.search(_NAMED.sub(" ", sentence)) and not find_retired_names(sentence)
        for sentence in _SENTENCE.split(text)
        if sentence and name in sentence
    )


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
    entered = _INTO.search(sentence) is not None
    if not entered:
        found += (Mention("script", match["script"]) for match in _BARE_RUN.finditer(sentence))
    for match in _TICKED.finditer(sentence):
        folder = bool(_FOLDER.match(sentence, match.end() - 1))
        found += _of_code(match[1].strip(), root, taken, folder, entered)
    bare = _TICKED.sub(" ", sentence)
    for match in _BARE.finditer(bare):
        found += _path(match["path"], root, bool(_FOLDER.match(bare, match.end())), taken)
    return found


def _of_code(code: str, root: str, taken: set[str], folder: bool, entered: bool) -> list[Mention]:
    run = _RUN.match(code)
    if run is not None:
        return [] if entered else _command(run)
    if _PLACEHOLDER.search(code):
        return []
    whole = _WHOLE.match(code)
    if whole is not None:
        return _path(whole["path"], root, folder, taken, noted=True)
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


def _path(path: str, root: str, folder: bool, taken: set[str], noted: bool = False) -> list[Mention]:
    path = path.rstrip(".,")
    if path in taken or _PLACEHOLDER.search(path) or len(path) > 200:
        return []
    if path.startswith("/"):
        if not root or not path.startswith(f"{root}/"):
            return []
        path = path[len(root) + 1 :]
    path = path.removeprefix("./")
    parts = [part for part in path.split("/") if part]
    if not parts or any(part.rpartition(".")[2] in _KNOWN and "." in part for part in parts[:-1]):
        # 'README.md/AGENTS.md': one or the other.
        return []
    if any(part in {".", ".."} or part in _IGNORED or part.startswith("@") for part in parts):
        return []
    ending = parts[-1].rpartition(".")[2] if "." in parts[-1].lstrip(".") else ""
    if len(parts) == 1:
        # 'Node.js' and 'config.json' are no files of this project by being named.
        own = ending in _CODE or (ending == "md" and noted and not _ANYONES.match(path))
        return [Mention("name", path)] if own and not _SUFFIX.match(path) else []
    if _DOMAIN.match(parts[0]) or parts[0].isdigit():
        return []
    if ending in _KNOWN:
        return [Mention("path", "/".join(parts))]
    return [Mention("folder", "/".join(parts))] if not ending and (folder or path.endswith("/")) else []
