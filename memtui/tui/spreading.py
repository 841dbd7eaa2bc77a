"""The order in which the memories of a file are worth a row: something of every section before more of one.

What is to be known first comes first, what is over or looked up comes last. `is_slight` tells what says little
to whoever reads it first: code, commands, diagrams, names, paths, links, stamps, raw data. No widget here.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from memtui.core.model import Layer
from memtui.core.startup import compile_pattern
from memtui.core.text import segment_text
from memtui.search.vocabulary import ENGLISH
from memtui.tui.paint import choose_time

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from memtui.core.model import Memory

    Taken = tuple[dict[tuple[str, ...], list[Memory]], set[tuple[str, ...]], list[Memory]]

T = TypeVar("T")

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
    if memory.kind == "file" or (memory.kind == "note" and memory.path.endswith((".json", ".jsonl"))):
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
    if plain[-1:] in {":", "："} and len(text) < LOOKED_AT and not (_ENDED.search(plain) or _demands(plain)):
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
_PROSE = compile_pattern(r"[一-鿿]|[A-Za-z]+(?: [a-z]+){4}")
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
        counted = one.path != other.path and one.layer is other.layer is Layer.JOURNAL
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
        less, more = sorted((self, other), key=lambda one: len(one.words))
        counted = counted and len(less.words) >= _MANY
        words = len(less.words) - (len(less.words & less.numbers) if counted else 0)
        return (
            len(less.words) >= _FEW
            and shared >= _SHARED * words
            and (counted or less.numbers == more.numbers)
            and less.names <= more.names
        )


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
_ROUTINE = compile_pattern(
    r"(?:every|each|new|per) session|\bsession[ -]?(?:start|context|init)|startup|heartbeat|boot|hand-?off"
    r"|layering|会话(?:启动|开始|上下文)|每次会话|启动流程|心跳",
    2,
)
"""Headings of what an agent does by itself, before anybody asks it for anything."""
_SETTLED = compile_pattern(
    r"completed|\bdone\b|archive|\bpast\b|history|credential|\blinks?\b|resources|\bkey files\b"
    r"|\b(?:server|system|security|environment)\b.{0,20}\b(?:config|configuration|setup)|installed|inventory"
    r"|已完成|归档|历史|凭证|凭据|链接|参考资料|关键配置|环境配置|系统配置",
    2,
)
"""Headings of what is over, or is looked up where it is needed."""
_OVER = compile_pattern(
    r"[(（[:：—–-]\s*(?:✅\s*)?(?:completed?|done|shipped|closed|finished|resolved|已完成|已结束|已关闭)\b"
    r"|✅\s*(?:complete|done|finished|已?完成)",
    2,
)
"""What says of itself that it is over."""
_BINDING = compile_pattern(
    r"constraint|caveat|gotcha|pitfall|lesson|warning|invariant|important|critical|decision"
    r"|约束|注意|重要|禁止|禁忌|教训|踩坑|坑|决策|红线|铁律",
    2,
)
"""Headings, within a document on one thing, of what somebody who works on it has to know."""
_URGENT = compile_pattern(r"\burgent|\bblock(?:ed|ers?)\b|action needed|past due|overdue|[🔴🚨]|紧急|告警|阻塞", 2)
"""Headings, or those above, of what waits for somebody."""
DEMANDING = compile_pattern(
    r"\b(?:NEVER|MUST|ALWAYS|CRITICAL|Never|Always|Do not|Do NOT|DO NOT)\b|不要|禁止|必须|严禁|绝不|不得"
    r"|\b(?:NUR|NIE|NIEMALS|IMMER|VERBOTEN|НИКОГДА|ВСЕГДА|НЕЛЬЗЯ|ТОЛЬКО|NUNCA|SIEMPRE|SEMPRE|JAMAIS|TOUJOURS|ALDRIG|ALLTID|NOOIT|ALTIJD|NIGDY|ZAWSZE)\b|絶対|必ず|禁じ"
    r"|금지|절대|반드시|하지 마|말 것"
    r"|\*\*[^*\n]{0,60}(?<![\w-])(?:[Nn]ever|[Aa]lways|[Mm]ust|[Oo]nly|[Dd]on't|[Dd]o not|DO NOT)\b"
)
_CRITICAL = compile_pattern(
    r"\W{0,6}(?:critical|never|important|wichtig|важно|importante?)\b|\W{0,4}(?:严禁|铁律|红线|重要)|\W{0,3}[🔴🚨❗‼⚠]",
    2,
)
"""What begins by saying that it must not be missed."""
_STANDS = compile_pattern(
    r"\W{0,6}(?:current (?:state|status|focus)|next steps?|pending)\b\W{0,4}[:：]\W*[^\n]{12}"
    r"|\W{0,4}(?:当前状态|目前状态|当前进度|下一步|状态)\W{0,3}[:：]\W*[^\n]{8}",
    2,
)
"""A line that says where something stands and what comes next, in more than a word."""
_NAMING = compile_pattern(r"`[^`\n]+`|\d{2}|\b[A-Z][a-z]+[A-Z]\w+|\b[A-Z]{2,}_[A-Z]+")
"""What names a thing says more than what would hold anywhere."""


def spread_memories(memories: Iterable[Memory], *, binding: bool = False) -> list[Memory]:
    """Something of each section before more of any, and more at once of how a file opens and of what is headed as
    important; in a section what forbids or demands something comes first, where no dates order it. What says little
    is last. `binding`: what has to be known comes before how the file opens, which is mostly what it is about.
    """
    sections: dict[tuple[str, ...], list[Memory]] = {}
    fields: list[Memory] = []
    last: list[Memory] = []
    for memory in memories:
        if is_slight(memory):
            last.append(memory)
        elif list(sections) == [memory.heading] and is_field(memory):
            fields.append(memory)
        else:
            sections.setdefault(memory.heading, []).append(memory)
    sections, records, again = _take_records(sections)
    logged = binding and sum(choose_time(found[0]) is not None for found in sections.values()) > LOGGED_DAYS
    # Above its first heading a file tells what it is for.
    first, below = [*sections, (), ()][:2]
    preamble = len(first) < 2 and len(below) > len(first) and below[: len(first)] == first
    lone = preamble and len(sections[first]) == 1
    weighed = []
    for number, (heading, found) in enumerate(sections.items()):
        foreword = number == 0 and preamble and not binding
        if not foreword and all(choose_time(one) is None for one in found):
            found.sort(
                key=lambda one: (
                    (len(one.heading) > 2 and is_field(one)) or _OVER.search(one.text[:LOOKED_AT]) is not None,
                    not DEMANDING.search(one.text[:LOOKED_AT])
                    and not _CRITICAL.match(one.text)
                    and not _STANDS.match(one.text),
                )
            )
        demanding = DEMANDING.search(found[0].text[:LOOKED_AT]) is not None
        important = any(map(_FOREMOST.search, heading[1:]))
        late = any(map(_ROUTINE.search, heading[1:]))
        late |= not important and any(map(_SETTLED.search, heading[1:]))
        # What an agent can do is looked up when it is to do it.
        late |= all(one.kind == "skill" for one in found)
        foremost = not late and (important or (not binding and _CRITICAL.match(found[0].text) is not None))
        second = number == 1 and len(found) > 1 and (lone or (preamble and not late and not binding))
        opening = (number == 0 or second) and heading not in records
        share = TURN if opening else 2 if foremost else 1
        # What stands below an important heading shares its room.
        turn = share if opening or len(heading) < 3 or _FOREMOST.search(heading[-1]) else 1
        turn = 1 if binding or (foreword and len(sections) > 2) else turn
        before = binding and number > 0 and any(map(_BINDING.search, heading[-1:]))
        before |= binding and any(map(_URGENT.search, heading))
        vague = binding and not (found[0].kind in LEARNT and _NAMING.search(found[0].text[: 2 * LOOKED_AT]))
        # In a log the newest counts.
        vague &= not (logged and found[0].kind in LEARNT and choose_time(found[0]) is not None)
        front = (not before, vague, late, not foreword, -share, not opening, not (demanding or binding))
        weighed.append((found, turn, front))
    weighed.sort(key=lambda one: one[2])
    told, looked_up = ([one for one in weighed if (not binding and one[2][2]) is late] for late in (False, True))
    return [*_in_turn(told), *fields, *_in_turn(looked_up), *again, *last]


def _put_newest_first(some: Sequence[T], tell_time: Callable[[T], float | None]) -> list[T]:
    """What is written on at its end begins with its oldest: what has a time of its own is turned around, the newest
    first, where such stood. Any other order is somebody's.
    """
    timed = [one for one in some if tell_time(one) is not None]
    if not timed or (tell_time(timed[0]) or 0.0) >= (tell_time(timed[-1]) or 0.0):
        return list(some)
    timed.reverse()
    newest = iter(sorted(timed, key=lambda one: -(tell_time(one) or 0.0)))
    return [one if tell_time(one) is None else next(newest) for one in some]


def _take_records(sections: Mapping[tuple[str, ...], Sequence[Memory]]) -> Taken:
    """The sections, a log from its newest; those of them that tell of what is done again and again; and what others of
    their form say, which are no sections any more.
    """
    by_day = _put_newest_first(list(sections.items()), lambda pair: choose_time(pair[1][0]))
    ordered = {heading: _put_newest_first(found, choose_time) for heading, found in by_day}
    forms = {heading: _find_form(found[0].text) for heading, found in ordered.items()}
    often = Counter(filter(None, forms.values()))
    first = {form: heading for heading, form in reversed(forms.items())}
    records = {heading for heading, form in forms.items() if often[form] > RECORDS}
    again = [one for heading in forms if heading in records - {*first.values()} for one in ordered.pop(heading)]
    return ordered, records, again


RECORDS = 2
"""Sections of one form that may be told one after the other; of more only the first is."""
LOGGED_DAYS = 3
"""Of a document with more sections that have a day of their own it is a log."""


def _find_form(text: str) -> str:
    """A text's first line without its numbers; empty where it has none, or little else."""
    bare = _NUMBER.sub("#", text[:LOOKED_AT].partition("\n")[0])
    return bare if "#" in bare and sum(map(str.isalpha, bare)) >= _FEW_LETTERS else ""


_NUMBER = compile_pattern(r"\d[\d.,:]*|(?<=第)[一二三四五六七八九十百千零〇两]+")
_FEW_LETTERS = 5


def _in_turn(weighed: Sequence[tuple[list[Memory], int, object]]) -> Iterator[Memory]:
    queues = [one[0] for one in weighed]
    return take_turns(queues, sum(map(len, queues)), [one[1] for one in weighed])


def tell_person(memories: Sequence[Memory]) -> list[Memory]:
    """Whose file it is first, then what it says in sentences; of what it says in a word or two only some, where there
    are enough of these."""
    # A title's line does not say whose it is.
    top = min(memories, key=lambda one: one.start)
    top = top if is_field(top) else memories[0]
    titled = len(top.text) < FEW_WORDS // 2 and not is_field(top)
    first = next(filter(is_field, memories), top) if titled else top
    # An identifier that stands above the name says less than that.
    first = next((one for one in memories if CALLED.match(one.text)), first) if is_field(first) else first
    # What somebody is and wants is said before how it came about, in however few words.
    chief = [one for one in memories if one is not first and WANTED.match(one.text)]
    # Who is called by the name needs no second row for it.
    chief = [one for one in chief if one.text.rpartition(":")[2].strip("* \n") not in first.text]
    known = {one.id for one in (first, *chief)}
    rest = [one for one in memories if one.id not in known and not is_field(one)]
    # What somebody demands is said before what is said of them.
    rest.sort(key=lambda one: not DEMANDING.search(one.text[:LOOKED_AT]))
    told = [*chief, *rest]
    fields = [one for one in memories if one.id not in known and is_field(one)]
    return [first, *told, *fields[: len(fields) if len(told) < TURN else 1]]


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


def split_by_files(found: Sequence[Memory]) -> tuple[list[Memory], list[Memory]]:
    """The first of each file, and what there is of it besides: one document of rules is not all that was said."""
    seen: set[tuple[str, str]] = set()
    first: list[Memory] = []
    more: list[Memory] = []
    for one in found:
        (more if (one.home, one.path) in seen else first).append(one)
        seen.add((one.home, one.path))
    return first, more


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
