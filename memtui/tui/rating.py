"""What a memory is worth to whoever opens Home: points for what its file is for, where in the file it stands, what kind
of thing it says, and how new it is. They were fitted to what readers of real homes wanted to see first.

`is_slight` tells what says little to whoever reads it first: code, commands, diagrams, names, paths, links, stamps, raw
data; `put_repeated_last` what says again what stands above it. No widget here.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from rich.cells import cell_len

from memtui.core import clock
from memtui.core.model import JSON, Layer, Memory
from memtui.core.startup import compile_pattern
from memtui.core.text import HAN, has_han, segment_text
from memtui.search.vocabulary import ENGLISH
from memtui.store.happenings import PACKAGE, read_stem
from memtui.tui.paint import choose_time

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

FEW_WORDS = 48
"""Characters of a field that says only who or when."""
_FIELD = compile_pattern(r"^[^:：\n]{1,24}[:：] *(?:[ -~]{0,28}|[^\n]{0,8})$")
"""A name and a word or two."""
_STAMP = compile_pattern(r"^\W{0,4}[^:：\n]{1,20}[:：]\W{0,5}(?:(?:19|20)\d\d\s?[-./年]\s?\d|\d{1,2}\.\d{1,2}\.20\d\d)")
"""What a document begins with that says when it was made."""
LOOKED_AT = 200
"""Characters of a text."""
_DRAWN = compile_pattern(
    r"[│├└┌┐┘┬┴┼]|^\s*(?:flowchart|graph (?:TD|LR|TB|BT|RL)|sequenceDiagram|erDiagram|classDiagram|stateDiagram|gantt"
    r"|mindmap)\b"
)
"""Trees of files and diagrams."""
_COMMAND = compile_pattern(
    r"^(?:[$>] +|sudo +)?(?:npm|npx|pnpm|yarn|bun|bunx|pip3?|uv|python3?|cargo|docker|docker-compose|kubectl|git|cd|cp"
    r"|mv|mkdir|curl|ssh|scp|bash|chmod|brew|apt|dotnet|mvn|gradle|systemctl|go (?:run|build|test|mod)"
    r"|make [a-z:-]+(?:$| [-#—])|GET|POST|PUT|DELETE|PATCH) +"
    r"(?!(?:is|was|are|has|must|should|does|can|will|and|or|for|to)\b)\S"
)
_LOOKED_UP = compile_pattern(
    r"^(?:[^:：\n]{0,12}(?:时间|日期|\btime|\bdate)\s*[:：]\s*20\d\d[-/.年]\d[-\d/.:：T 年月日]{0,18}"
    r"(?:\s*[(（][^()（）]{1,24}[)）])?$"
    r"|(?:session id|session key|sources?|来源|出处|sender|ts|last[ _]updated|updated(?:_at)?|created(?:_at)?"
    r"|version|最后更新|更新时间|创建时间|版本)\s*[:：]|[\s\S]{0,60}\bkb_version\b|(?:see|参见|详见|read)\s*\S+$|@\S+$"
    r"|[\w./\\#:*@-]+$|https?://\S+$|[^:：\n]{1,40}[:：]\s*(?!https?:)(?:[^\s，。、；]*/[^\s，。、；]*|[a-z]\w*\.(?:py|tsx?|go|rs|java|cs|php|rb))$"
    r"|\W{0,3}(?:(?:this is )?(?:my|our|your|the) )?(?:long-?term|persistent|curated|shared) memor(?:y|ies)\b"
    r"[^\n]{0,120}$"
    r"|\W{0,3}(?:这是|本)?[^\n，,。]{0,16}(?:长期|長期|长时|共享|持久)记忆[^\n]{0,60}$"
    r"|[^:：\n]{1,40}[:：]\s*`?(?:[A-Za-z]:\\|~?/[\w.-]+/)[^\n]{0,120}$"
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
    r"|[^:：\n]{1,30}[:：]\s*`?(?=[0-9a-f-]*\d)[0-9a-f]{7,}[0-9a-f-]*`?$"
    r"|[\w@./+-]{2,60} · [v^~=<>≥ ]{0,3}\d+(?:\.[\dx*]+)+[\w.+-]*(?: ·|$)"
    r"|\[.?\] ·|[^\w\n一-鿿]{0,4}(?:开发中|进行中|规划中|已完成|待开发)$"
    r"|[^\n·→]{1,60}(?: ·|\s?(?:→|->)| [—–-]|[:：])\s+(?:~|/root|/home|\.)?[\w.-]*(?:/[\w.*-]+)+/?$"
    r"|[^\n·→]{1,60}\s(?:→|->)\s+[\w/-]+\.md$"
    r"|(?:format|格式)\s*[:：]\s*\w[^\n]{0,40} · )",
    2 | 256,
)
"""What is looked up where it is needed: a name, a path, a link, a stamp."""


def is_slight(memory: Memory) -> bool:
    """Whether it says little to whoever reads it first: code, commands, diagrams, names, paths, links, raw data."""
    if memory.kind == "file" or (memory.kind == "note" and memory.path.endswith(JSON)):
        return True
    code = memory.extra.get("code")
    if code and (
        code not in _WRITTEN
        or _DRAWN.search(memory.text[:LOOKED_AT])
        or not _PROSE.search(memory.text[: 2 * LOOKED_AT])
    ):
        return True
    if len(memory.heading) < 2 and memory.layer is Layer.KNOWLEDGE and _STAMP.match(memory.text):
        return True
    text = (memory.text if memory.reach and memory.text.strip() else memory.title or memory.text).strip()
    if code:
        text = _REMARK.sub("", text)
    plain = _LINK.sub(r"\1", text[:LOOKED_AT]).translate(_UNSET).strip()
    whole = memory.reach > memory.end
    if plain[-1:] in {":", "："} and len(text) < LOOKED_AT and not (whole or _ENDED.search(plain) or _demands(plain)):
        return True
    return _is_slight(plain)


@lru_cache(maxsize=4096)
def _is_slight(plain: str) -> bool:
    """Boxes are read again with every change, and most texts are the same."""
    return (
        not any(map(str.isalpha, plain))
        or (not plain.isascii() and len(plain) < 3)
        or (any(told.search(plain) for told in (_DRAWN, _COMMAND, _LOOKED_UP)) and not _demands(plain))
    )


def _demands(plain: str) -> bool:
    """What demands something is told, whatever paths it names and whatever it introduces."""
    return len(plain) >= FEW_WORDS // 2 and _ORDERED.search(plain) is not None


_WRITTEN = frozenset({"yaml", "yml", "text", "txt", "md", "markdown"})
"""Languages of code blocks in which people also write down what they know."""
_PROSE = compile_pattern(rf"[{HAN}]|[A-Za-z]+(?: [a-z]+){{4}}")
_ENDED = compile_pattern(r"\n|[。！？]|[^\n]{12}，|[a-zа-я)][.!?]\s", 2)
"""What says something before it introduces a list."""
_ORDERED = compile_pattern(
    r"\b(?:must(?! (?:read|see))|never|always|immediately|forbidden|nie|niemals|immer|verboten)\b"
    r"|禁止|必须|严禁|绝不|不得|НЕЛЬЗЯ|絶対|必ず|금지|반드시",
    2,
)
"""What demands something, also in the words before a list."""
_REMARK = compile_pattern(r"^(?:\s*#[^\n]*\n)+")
_LINK = compile_pattern(r"\[([^\]\n]{1,100})\]\([^)\n]{1,100}\)")
_UNSET = dict.fromkeys(map(ord, "`*"))


def is_foremost(memory: Memory) -> bool:
    """Whether its headings say that it is to be known before others."""
    return any(map(_FOREMOST.search, memory.heading[1:]))


def is_field(memory: Memory) -> bool:
    """Whether it is a name and a word or two."""
    return len(memory.text) < FEW_WORDS and _FIELD.match(memory.text) is not None


def is_reading(memory: Memory) -> bool:
    """Whether it is the reading of a gauge: a name, and a number with its unit."""
    return len(memory.text) < FEW_WORDS and memory.kind != "todo" and _READING.fullmatch(memory.text) is not None


_READING = compile_pattern(
    r"[^:：\n]{1,30}[:：](?:\*\*)?[\s~≈约]*(?:[\d.,/]+\s*(?:%|[kmgt]?i?b|ms|s|min|h|tokens?|msgs?|messages?|files?|items?|rows?|"
    r"lines?|entries|sessions?|memories|条|條|个|個|次|页|頁|行|分钟|秒|小时|天|字|项|項|件|회|개|°c?)?[\s/,，·()（）≈~→-]*){1,3}"
    r"[\s✅⚠❌🟢🟡🔴\ufe0f*]*",
    2,
)


def is_fragment(memory: Memory) -> bool:
    """Whether it is a few words, with a name or without: a title, an entry of a list, not a statement."""
    text = memory.text
    return is_field(memory) or (
        memory.kind != "todo" and len(text) < FEW_WORDS and _FRAGMENT.match(text) is not None and not has_han(text)
    )


_FRAGMENT = compile_pattern(r"^\W*\w+(?:\W+\w+){0,2}\W*$")
"""At most three words."""


def put_repeated_last(rows: Iterable[Memory]) -> list[Memory]:
    """The rows in their order, behind all others those that say again what one before them says: a day's notes are
    written on from the day before, and two agents keep the same rule. Of two, core memory's takes the place.
    """
    seen: list[tuple[Memory, _Words]] = []
    by_word: dict[str, list[int]] = {}

    def is_same(one: Memory, mine: _Words, at: int, shared: int) -> bool:
        other, its = seen[at]
        # From one day's notes to the next only the count goes on: 'flagged for 22 days'.
        counted = one.layer is other.layer is Layer.JOURNAL and one.path != other.path
        return mine.is_same(its, shared, counted=counted)

    def find_same(one: Memory) -> int:
        """The number of what says the same, or -1; remembers the memory."""
        # Of a record the first field alone does not say whose it is.
        whose = f"{one.heading[-1]} " if one.heading and one.reach > one.end and is_field(one) else ""
        mine = _list_words(whose + one.text[:LOOKED_AT])
        shared = Counter(at for word in mine.words for at in by_word.get(word, ()))
        same = next((at for at, count in shared.items() if is_same(one, mine, at, count)), -1)
        for word in mine.words:
            by_word.setdefault(word, []).append(len(seen))
        seen.append((one, mine))
        return same

    places: dict[int, Memory] = {}
    again: list[Memory] = []
    for number, one in enumerate(rows):
        same = find_same(one)
        if same < 0:
            places[number] = one
        elif same in places and one.layer is Layer.CORE is not places[same].layer:
            again.append(places[same])
            places[same] = one
        else:
            again.append(one)
    return [*places.values(), *again]


_SHARED, _FEW, _MANY = 0.9, 3, 8
"""Share of the words of the shorter of two texts that the longer one has as well, for it to say the same; and words
that each has in any case, or has if numbers are no matter."""


class _Words(NamedTuple):
    """What a text is compared by."""

    words: frozenset[str]
    numbers: frozenset[str]
    """They have to be the same: step 2 is not step 3."""
    names: frozenset[str]
    """Words in Latin letters of another text: one more names another thing."""

    def is_same(self, other: _Words, shared: int, *, counted: bool = False) -> bool:
        """Whether a text says what another one says, with so many words in common; `counted`, if in a long one
        numbers may have grown."""
        less, more = (self, other) if len(self.words) <= len(other.words) else (other, self)
        words = len(less.words)
        if counted and words >= _MANY:
            # Numbers are looked at last: most texts have other words.
            few = shared + len(less.numbers) < _SHARED * words
            return not few and shared >= _SHARED * (words - len(less.words & less.numbers)) and less.names <= more.names
        return words >= _FEW and shared >= _SHARED * words and less.numbers == more.numbers and less.names <= more.names


@lru_cache(maxsize=4096)
def _list_words(text: str) -> _Words:
    """A text's words, without those that stand in any sentence."""
    cut = (word.strip("`*_.,;:!?()[]\"'，。；：！？（）、").lower() for word in segment_text(text).split())
    words = frozenset(word for word in cut if word and word not in ENGLISH)
    names = frozenset[str]() if text.isascii() else frozenset(filter(str.isascii, words))
    return _Words(words, frozenset(_DIGITS.findall(text)), names)


_DIGITS = compile_pattern(r"\d+")

TURN = 3
"""Rows of one file before the next file has its turn."""
LEARNT = frozenset({"lesson", "pref", "rule", "decision"})
_FOREMOST = compile_pattern(
    r"prefer|critical|must|never|always|principle|invariant|important|convention|guideline|rule|"
    r"overview|about|current|why|who|user|person|mission|goals?\b|philosophy|\bcontext$|"
    r"\bprojects?\b|priorit|safety|communication|\bactive\b|focus|in progress|ongoing|pending|next steps|\bopen\b|"
    r"偏好|原则|规则|约定|规范|铁律|红线|必读|必须|禁止|重要|核心|概况|概览|概述|当前|目标|用户|使用者|关于|约束|沟通|"
    r"项目|进行中|待办|待核对|待确认|下一步|"
    r"präferenz|vorlieben|regel|wichtig|grundsätze|projekte|aktuell|offene?\b|über|"
    r"правил|важн|критич|предпочт|принцип|проект|текущ|цел[иь]|обо? мне|"
    r"regla|importante|preferencia|proyecto|règle|préférence|projet|好み|ルール|プロジェクト|"
    r"regra|projeto|preferênc|objetivo|pendên|em andamento|regole|progett|önskemål|förvänt|pågående|viktig|projekt"
    r"|regler|voorkeur|afspraken|belangrijk|zasad|"
    r"원칙|규칙|필수|금지|핵심|중요|기준|개요|목표|현재|사용자|피드백|진행 중|"
    r"[🚨🔴❗‼🎯]|⚠",
    2,
)
"""Headings of what is to be known before anything else."""
DEMANDING = compile_pattern(
    r"\b(?:NEVER|MUST|ALWAYS|CRITICAL|Never|Always|Do not|Do NOT|DO NOT)\b|不要|禁止|必须|严禁|绝不|不得"
    r"|\b(?:NUR|NIE|NIEMALS|IMMER|VERBOTEN|НИКОГДА|ВСЕГДА|НЕЛЬЗЯ|ТОЛЬКО|NUNCA|SIEMPRE|SEMPRE|JAMAIS|TOUJOURS|ALDRIG|ALLTID|NOOIT|ALTIJD|NIGDY|ZAWSZE)\b|絶対|必ず|禁じ"
    r"|금지|절대|반드시|하지 마|말 것"
    r"|\*\*[^*\n]{0,60}(?<![\w-])(?:[Nn]ever|[Aa]lways|[Mm]ust|[Oo]nly|[Dd]on't|[Dd]o not|DO NOT)\b"
)
CALLED = compile_pattern(r"[^\w\n]{0,4}(?:(?:full )?name|姓名|名字|名前|이름|имя|nome|nombre|nom)[^\w\n]{0,3}[:：]", 2)
WANTED = compile_pattern(
    r"[^\w\n]{0,4}(?:(?:core|primary|main|current|overall|long-term) )?"
    r"(?:role|job|occupation|profession|mission|goals?|purpose|rolle|beruf|ziele?|роль|цель|cargo|objetivo)\b[^:：\n]{0,20}[:：]"
    r"|[^\w\n]{0,4}(?:核心|主要|当前|长期)?(?:角色|职业|职位|身份|使命|目标)[^\w\n]{0,3}[:：]"
    r"|[^\w\n]{0,4}(?:what to call (?:them|me)|preferences?|prefers|dislikes|hates|communication(?: style)?)\b"
    r"[^\w\n]{0,3}[:：]"
    r"|[^\w\n]{0,4}(?:(?:he|she|they) )?(?:wants?|does(?:n['’]t| not) want|dislikes|hates|prefers?|expects?)\b"
    r"|[^\w\n]{0,4}(?:称呼|偏好|讨厌|不喜欢|沟通风格)[^\w\n]{0,3}[:：]|[^\w\n]{0,4}(?:不喜欢|讨厌|希望|期望|要求)",
    2,
)
"""Fields of what a person is or wants, is called, likes or does not."""


def take_turns(queues: Sequence[Sequence[Memory]], most: int, turn: int | Sequence[int] = TURN) -> Iterator[Memory]:
    """At most `most`, `turn` of each queue (or as many as it says for each) before the next has its turn."""
    shares = [turn] * len(queues) if isinstance(turn, int) else turn
    left = [(iter(queue), share) for queue, share in zip(queues, shares, strict=True)]
    while left and most > 0:
        for pair in list(left):
            some = list(islice(pair[0], min(pair[1], most)))
            most -= len(some)
            yield from some
            if len(some) < pair[1]:
                left.remove(pair)


RANKS = (
    ("user.md", "profile.md", "user_profile.md", "about.md"),
    ("memory.md", "long-term.md", "long_term.md", "long-term-memory.md", "长期记忆.md"),
    ("claude.md",),
    ("claude.local.md", "agents.md", "gemini.md", "rules.md", "preferences.md"),
    ("identity.md", "soul.md"),
    ("tools.md", "heartbeat.md", "bootstrap.md"),
)
"""What files of a profile are called: of the person, of core memory, rules for one agent, for all, of the agent, of its
tools."""
PERSON, CORE, RULES, OTHERS, AGENT, TOOLS = range(len(RANKS))
ESSENTIAL = (
    "context", "overview", "project", "projectbrief", "product", "productcontext", "guidelines", "index",
)  # fmt: skip
"""Documents that say what a project is (spec 000), in the order in which they are worth reading."""
_TOPICS = {"feedback": 29, "project": 10, "reference": 17}
_ROLES = (10, 10, 1, 4, -12, -18)
"""Points of a file of each rank."""
_STOCK = -10
"""Of rules for any project where an agent has a file of its own: they are mostly what its tool came with."""
_DOCUMENT, _ESSENTIAL, _PLAN = -21, 8, -11
_SECTIONS = ((7, 4, -4, -19), (5, 4, -4, -15))
"""Of the first section, of the second, to the eighth, and of later ones: of files of a rank, and of others."""
_PLACES = ((9, -5, -9, -7), (9, -3, -2, -14))
"""Of the first of a section, the second, two more, and others."""
_DEEP = -11
"""Of what is for a part of the project."""
_AGES = (17, 2, -6, -6, -19)
"""Of what is to be done, from the newest day with notes on."""


_CURRENT_TOPIC = 25
"""Of a topic on where work stands."""


class Neighbourhood(NamedTuple):
    """What the files of a home are seen among."""

    depth: int = 0
    """Folders above the topmost file of a rank."""
    agent: bool = False
    """Whether an agent has a file of its own."""
    days: Sequence[str] = ()
    """Days with notes, the newest first."""


def rank_file(path: str) -> int:
    """Its rank; as many as there are: it has none."""
    name = path.rpartition("/")[2].lower()
    found = next((rank for rank, names in enumerate(RANKS) if name in names), len(RANKS))
    # Below `user/` stands what a person says of themselves, whatever it is called.
    return PERSON if found == len(RANKS) and "user" in path.split("/")[:-1] else found


def is_current(path: str) -> bool:
    """Whether a file is called as what says where work stands now: SESSION-STATE.md, context/active.md."""
    return _CURRENT.fullmatch(read_stem(path).replace("_", "-")) is not None


_CURRENT = compile_pattern(
    r"(?:project-)?(?:current|active)(?:-?(?:context|focus|state|status|tasks?|work|projects?|sprint))?|now|state"
    r"|(?:project|session|work|dev|build|delivery|sprint|task|team)-(?:status|state|focus)|(?:task|project)-?board"
    r"|.*(?:现状|当前状态|当前任务|项目状态)"
)
_STANDS = ("status", "_state", "-state", "focus")
"""How the name of a topic ends that says where a piece of work stands."""


def rate_file(found: Iterable[Memory], setting: Neighbourhood) -> dict[str, int]:
    """The points of what a file says, by id."""
    ordered = sorted(found, key=lambda one: one.start)
    spots = _find_spots(ordered)
    # Somebody is named once.
    name = next((one for one in ordered if CALLED.match(one.text)), None)
    rates: dict[str, int] = {}
    todos = 0
    for number, one in enumerate(ordered):
        rates[one.id] = _rate_words(one)
        if one.kind == "todo":
            rates[one.id] += _rate_todo(one, todos, setting.days)
            todos += 1
        else:
            rates[one.id] += _rate(one, number, *spots[one.id], setting)
        if name is not None and one is not name and WANTED.match(one.text):
            rates[one.id] -= _AGAIN * (one.text.rpartition(":")[2].strip("* \n") in name.text)
    return rates


def _find_spots(ordered: Sequence[Memory]) -> dict[str, tuple[int, int]]:
    """The section of each memory of a file and its place there, by id. What is written on at its end is read from its
    newest: the lines of a section, and the sections of a log.
    """
    sections: dict[tuple[str, ...], list[Memory]] = {}
    for one in ordered:
        sections.setdefault(one.heading, []).append(one)
    found = list(sections.values())
    dated = [some for some in found if choose_time(some[0]) is not None]
    if len(dated) > LOGGED_DAYS and 2 * len(dated) > len(found) and _grows([some[0] for some in dated]):
        dated.sort(key=lambda some: -(choose_time(some[0]) or 0.0))
        newest = iter(dated)
        found = [some if choose_time(some[0]) is None else next(newest) for some in found]
    for some in found:
        if all(choose_time(one) is not None for one in some) and _grows(some):
            some.sort(key=lambda one: -(choose_time(one) or 0.0))
    return {one.id: (section, at) for section, some in enumerate(found) for at, one in enumerate(some)}


def _grows(dated: Sequence[Memory]) -> bool:
    return (choose_time(dated[0]) or 0.0) < (choose_time(dated[-1]) or 0.0)


LOGGED_DAYS = 3
"""Of a document with more sections that have a day of their own, and few others, it is a log."""
_AGAIN = 20


def rate_todos(found: Iterable[Memory], setting: Neighbourhood) -> dict[str, int]:
    """The points of what is to be done, each file's by themselves."""
    files: dict[tuple[str, str], list[Memory]] = {}
    for one in found:
        files.setdefault((one.home, one.path), []).append(one)
    rates: dict[str, int] = {}
    for some in files.values():
        rates |= rate_file(some, setting)
    return rates


def _rate(one: Memory, number: int, section: int, at: int, setting: Neighbourhood) -> int:
    """By its file and its place in it."""
    rank = PERSON if one.kind == "user" else rank_file(one.path)
    other = rank == len(RANKS)
    points = _SECTIONS[other][0 if not section else 1 if section == 1 else 2 if section < 8 else 3]
    points += _PLACES[other][0 if not at else 1 if at == 1 else 2 if at < 4 else 3]
    if other:
        return points + _rate_document(one)
    points += _STOCK if rank == OTHERS and setting.agent else _ROLES[rank]
    if rank == PERSON:
        points += 11 * (section == 0) + 3 * (number == 0) - 8 * is_field(one)
        return points + 5 * (CALLED.match(one.text) is not None) + 10 * (WANTED.match(one.text) is not None)
    points += _DEEP * (one.path.count("/") > setting.depth)
    if rank == CORE:
        return points + 6 * is_foremost(one) + 7 * (one.kind in LEARNT)
    if rank in {RULES, OTHERS}:
        return points + 4 * is_foremost(one)
    return points + 6 * (rank == AGENT and DEMANDING.search(one.text[:LOOKED_AT]) is not None)


def _rate_document(one: Memory) -> int:
    """By what a file of no rank is for."""
    if one.kind in _TOPICS:
        now = is_current(one.path) or read_stem(one.path).endswith(_STANDS)
        return max(_TOPICS[one.kind], _CURRENT_TOPIC * now)
    learnt = one.kind in LEARNT
    if PACKAGE.match(one.path):
        return _PLAN
    if read_stem(one.path) in ESSENTIAL or is_current(one.path):
        return _ESSENTIAL + 7 * (learnt or one.kind == "fact")
    return _DOCUMENT + 9 * learnt


def _rate_words(one: Memory) -> int:
    """By what it says."""
    size = cell_len(one.text[:LOOKED_AT])
    return (
        10 * (DEMANDING.search(one.text[:LOOKED_AT]) is not None)
        - (19 if is_fragment(one) else 10 if size <= 20 else -4 if size > 160 else 4)
        - 15 * is_slight(one)
        - 14 * (_ASIDE.match(one.text) is not None)
        - 10 * (_UPKEEP.search(one.text[:LOOKED_AT]) is not None)
    )


def _rate_todo(one: Memory, at: int, days: Sequence[str]) -> int:
    """By where it is kept, its place in the list, and how new it is."""
    points = 11 if at == 0 else -1 if at < 3 else -3 if at < 6 else -14
    if one.layer is Layer.JOURNAL:
        day = tell_day(one)
        age = days.index(day) if day in days else len(_AGES)
        return points - 6 + _AGES[min(age, len(_AGES) - 1)] + 15 * is_pressing(one)
    if one.layer is Layer.CORE:
        return points + 13 + 15 * is_pressing(one)
    if PACKAGE.match(one.path):
        return points + 9
    listed = is_listed(one.path)
    return points - (1 if listed else 11) + 15 * (listed and is_pressing(one))


def is_listed(path: str) -> bool:
    """Whether a file is a list of tasks."""
    return _TASKS.search(path.lower()) is not None


_TASKS = compile_pattern(
    r"(?:^|[/_. -])(?:todos?|tasks?|inbox|backlog|sprints?|roadmap|next|pending|pend[eê]ncias|follow-?ups?"
    r"|open[-_ ](?:items|questions|issues|points)|action[-_ ]items|待办|任务)(?=[/_. -])"
)


def tell_day(one: Memory) -> str:
    """The day that it says it is of; empty: none."""
    moment = choose_time(one)
    return clock.format_day(moment) if moment is not None else ""


def is_pressing(one: Memory) -> bool:
    """Whether it says that it must not wait."""
    return _PRESSING.search(one.text[: 2 * LOOKED_AT]) is not None


_PRESSING = compile_pattern(
    r"priority\W{0,6}(?:p[01]\b|high|urgent|critical)|\bp[01]\b|\burgent|overdue|优先级\W{0,6}(?:p[01]|高|最高|紧急)|紧急|🔴|🚨",
    2,
)
_ASIDE = compile_pattern(r"[_*](?![_*])[^\n]+[_*]$")
_UPKEEP = compile_pattern(
    r"(?:MEMORY|AGENTS|SOUL|USER|TOOLS|HEARTBEAT|IDENTITY|BOOT(?:STRAP)?)\.md|memory/(?:YYYY|\*)|heartbeat", 2
)
