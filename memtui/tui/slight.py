"""What says little to whoever reads it first: code, commands, diagrams, names, paths, links, stamps, raw data."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from memtui.model import Layer
from memtui.pattern import pattern

if TYPE_CHECKING:
    from memtui.model import Memory

FEW_WORDS = 48
"""Characters of a field that says only who or when."""
_FIELD = pattern(r"^[^:：\n]{1,24}[:：] *(?:[ -~]{0,28}|[^\n]{0,8})$")
"""A name and a word or two."""
_STAMP = pattern(
    r"^\W{0,4}[^:：\n]{1,20}[:：]\W{0,5}(?:(?:19|20)\d\d\s?[-./年]\s?\d|\d{1,2}\.\d{1,2}\.20\d\d)"
)
"""What a document begins with that says when it was made."""
LOOKED_AT = 200
"""Characters of a text."""
_DRAWN = pattern(
    r"[│├└┌┐┘┬┴┼]|^\s*(?:flowchart|graph (?:TD|LR|TB|BT|RL)|sequenceDiagram|erDiagram|classDiagram|stateDiagram|gantt"
    r"|mindmap)\b"
)
"""Trees of files and diagrams."""
_COMMAND = pattern(
    r"^(?:[$>] +|sudo +)?(?:npm|npx|pnpm|yarn|bun|bunx|pip3?|uv|python3?|cargo|docker|docker-compose|kubectl|git|cd|cp"
    r"|mv|mkdir|curl|ssh|scp|bash|chmod|brew|apt|dotnet|mvn|gradle|systemctl|go (?:run|build|test|mod)"
    r"|make [a-z:-]+(?:$| [-#—])|GET|POST|PUT|DELETE|PATCH) +"
    r"(?!(?:is|was|are|has|must|should|does|can|will|and|or|for|to)\b)\S"
)
_LOOKED_UP = pattern(
    r"^(?:(?:session id|session key|source|sender|ts|last[ _]updated|updated(?:_at)?|created(?:_at)?|version"
    r"|最后更新|更新时间|创建时间|版本)\s*[:：]|[\s\S]{0,60}\bkb_version\b|(?:see|参见|详见|read)\s*\S+$|@\S+$"
    r"|[\w./\\#:*@-]+$|https?://\S+$|[^:：\n]{1,40}[:：]\s*(?!https?:)(?:\S*/\S*|[a-z]\w*\.(?:py|tsx?|go|rs|java|cs|php|rb))$"
    r"|(?:本文件|本文档|本页|通过此文件|this (?:file|document|page)\b|[\s\S]{0,24}读取本文件)"
    r"|[^\n]{0,12}本(?:目录|文件|文档)(?:用于|记录|包含|是)|模块对外暴露的|用途\s*[:：]\s*(?:记录|存放)|无对外"
    r"|(?:[^:：\n]{1,40}[:：]\s*)?(?:_\([^\n]{0,160}\)_|[(（<][^\n)）>]{0,160}[)）>])[。.]?$|[^\n]{0,30}\?{4}"
    r"|[\w (]{0,24}licen[cs]e\b[^\n]{0,40}$"
    r"|(?=\S*(?:/\S*[/.]|/[:：\s]|\.(?:py|tsx?|vue|go|rs|java|cs|php|rb|md|json|ya?ml|toml|sql)[:：\s]))"
    r"[\w./@{}*-]{2,80}(?: ·|[:：]| [—–→-]) ?(?!//)\S"
    r"|(?:[^.!?\n]{0,60}\?\s*)?(?:see|read|check|consult|refer to|参见|详见|查看|阅读|读取)\s+(?:the\s+\w+\s+)?"
    r"[\w./*-]*(?:\.md\b|/)"
    r"|(?:[^:：\n]{1,20}[:：]\s*(?:未定义|未声明|未指定|未知|待补充|待定|无|tbd|n/?a|undefined|unknown)[。.]?(?:\s+|$))+$"
    r"|(?:这些是当前生效的技术约束|主动识别的需要未来处理的技术问题|AI 读取此表)"
    r"|(?:暂无|无|待补充|待定|n/?a|none|tbd)(?:[\s·|,，。;；/-]|$)"
    r"|[a-z]+(?:_[a-z0-9]+)+ *[:=] *\S+$"
    r"|[\w@./+-]{2,60} · [v^~=<>≥ ]{0,3}\d+(?:\.[\dx*]+)+[\w.+-]*(?: ·|$)"
    r"|\[.?\] ·|[^\w\n一-鿿]{0,4}(?:开发中|进行中|规划中|已完成|待开发)$)",
    2 | 256,
)
"""What is looked up where it is needed: a name, a path, a link, a stamp."""


def slight(memory: Memory) -> bool:
    """Whether it says little to whoever reads it first: code, commands, diagrams, names, paths, links, raw data."""
    if memory.kind == "file" or (memory.kind == "note" and memory.path.endswith((".json", ".jsonl"))):
        return True
    code = memory.extra.get("code")
    if code and (code not in _WRITTEN or not _PROSE.search(memory.text[: 2 * LOOKED_AT])):
        return True
    if len(memory.heading) < 2 and memory.layer is Layer.KNOWLEDGE and _STAMP.match(memory.text):
        return True
    text = (memory.text if memory.reach and memory.text.strip() else memory.title or memory.text).strip()
    if code:
        text = _REMARK.sub("", text)
    plain = _LINK.sub(r"\1", text[:LOOKED_AT]).translate(_UNSET).strip()
    if plain[-1:] in {":", "："} and len(text) < LOOKED_AT and not _ENDED.search(plain):
        return True
    return _is_slight(plain)


@lru_cache(maxsize=4096)
def _is_slight(plain: str) -> bool:
    """Boxes are read again with every change, and most texts are the same."""
    return (
        not any(map(str.isalpha, plain))
        or (not plain.isascii() and len(plain) < 3)
        or any(told.search(plain) for told in (_DRAWN, _COMMAND, _LOOKED_UP))
    )


_WRITTEN = frozenset({"yaml", "yml", "text", "txt", "md", "markdown"})
"""Languages of code blocks in which people also write down what they know."""
_PROSE = pattern(r"[一-鿿]|[A-Za-z]+(?: [a-z]+){4}")
_ENDED = pattern(r"\n|[。！？]|[^\n]{12}，|[a-zа-я)][.!?]\s", 2)
"""What says something before it introduces a list."""
_REMARK = pattern(r"^(?:\s*#[^\n]*\n)+")
_LINK = pattern(r"\[([^\]\n]{1,100})\]\([^)\n]{1,100}\)")
_UNSET = dict.fromkeys(map(ord, "`*"))


def is_field(memory: Memory) -> bool:
    """Whether it is a name and a word or two."""
    return len(memory.text) < FEW_WORDS and _FIELD.match(memory.text) is not None


def is_fragment(memory: Memory) -> bool:
    """Whether it is a few words, with a name or without: a title, an entry of a list, not a statement."""
    text = memory.text
    return is_field(memory) or (
        memory.kind != "todo"
        and len(text) < FEW_WORDS
        and _FRAGMENT.match(text) is not None
        # A pattern with all Chinese characters in it takes milliseconds to compile.
        and (text.isascii() or not any("一" <= char <= "鿿" for char in text))
    )


_FRAGMENT = pattern(r"^\W*\w+(?:\W+\w+){0,2}\W*$")
"""At most three words."""
