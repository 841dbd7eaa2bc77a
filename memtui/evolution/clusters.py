"""Which lines tell of the same trouble, in whatever words.

The words that tell one trouble from another: what a line about trouble speaks of, without how trouble is told.

English words by their stem, identifiers by their parts, Chinese by its pairs of characters.

Which lines tell of the same trouble, in whatever words.

What people call a trouble changes from session to session; what it is about is said again and again, in one project
and for some time. So lines are held against each other by the words that were said of trouble there and then more than
elsewhere: a word that trouble of all projects has tells little, one that only the last weeks of one project have tells
much. Lines that share enough of them are one trouble, and so are those of one name, whenever they were said.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from functools import cache, lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from memtui.core.text import CJK_RUN

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memtui.evolution.audit import Heard

LONGEST = 400
"""Characters of a line that are looked at."""

_TOKEN = re.compile(r"[A-Za-z][A-Za-z0-9]*")
_ALONE = re.compile(r"(?<=[\u3400-\u9fff])\s?([A-Za-z]{2,})\s?(?=[\u3400-\u9fff，。；、])")
_NAMES = frozenset(
    [
        "all",
        "any",
        "break",
        "case",
        "do",
        "else",
        "for",
        "get",
        "if",
        "in",
        "is",
        "let",
        "new",
        "none",
        "not",
        "null",
        "on",
        "or",
        "set",
        "switch",
        "this",
        "var",
        "with",
    ]
)
"""English words that tell nothing, and are names in code."""
_HUMP = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_ENDINGS = (
    ("ies", "y", 5), ("ations", "at", 8), ("ation", "at", 7), ("ating", "at", 7), ("ated", "at", 6), ("ates", "at", 6),
    ("ate", "at", 6), ("ions", "", 7), ("ion", "", 6), ("ings", "", 7), ("ing", "", 6), ("ers", "", 6), ("er", "", 6),
    ("ed", "", 5), ("es", "", 5), ("s", "", 4), ("e", "", 4),
)  # fmt: skip
_TELLING = (
    "across add added adding adds after again against already also always another any around away back "
    "because become "
    "became before behind both bring brought came cannot come comes could did didn does doesn doing done "
    "don down due "
    "during each either else end ended even every except few first five forth four found get gets getting "
    "give given "
    "gave go goes going gone got hand happen happened has hasn have here hour however instead just keep "
    "keeps kept kind "
    "last late later least leave left less let line little long look looked lot made make makes many may "
    "maybe minute "
    "month more morning most much must need needed needs neither never new next night nor not nothing now "
    "off often old "
    "on once one only other out over own part per place point put ran rather really repeat run running "
    "runs said same "
    "saw say second see seem seems seen set sets several short show showed shows side since six some "
    "someone something "
    "sometimes soon sort start started starts stay stays step still stop stopped stops such take taken "
    "takes tell ten "
    "than then thing third though three through thus till today told tomorrow too took tried tries try "
    "turn turned "
    "turns twice two under until up upon use used uses using via want wanted wants was wasn way week went "
    "were weren "
    "whether whole within without won work worked working works would yesterday yet year zero "
    # How trouble is told.
    "abort aborted bad blew blow break breaks broke broken bug cause chase choke crash dead debug diagnose "
    "die died "
    "dies dying error exception fail failed failing fails failure fault fix fixed fixes flake flaky green "
    "hang hung "
    "impossible incorrect incident invalid investigate issue kill killed lack lacked lose loses lost miss "
    "missing "
    "mistake outage patch persist problem raise recur recurring recurrence red refuse refused reject rejected "
    "reproduce resolve root slow slowly solve stuck swallow threw throw throws time timeout trace trouble "
    "unable warn "
    "warning worse wrong workaround quickly fast temporary manually clean cleanly "
    # Who is there, and what everything has.
    "agent assistant boolean bit big case code customer day empty false file full good high infinite large "
    "low none "
    "null number real result reviewer small true undefined user value word"
)
_WORDING_COMMON = (
    "access account address api app application branch browser build cache change check chart ci class "
    "client cluster "
    "command commit component config configuration connect connection container cpu data database db "
    "deploy deployment "
    "dependency device dev disk doc docker docs download endpoint env environment event export feature "
    "field folder "
    "form format frontend backend function github gitlab handler header home host http id image import "
    "index input "
    "install internal job json key language layout level library limit link linux list load local lock log "
    "login "
    "machine main memory menu merge message method migration mobile mode model module name network node "
    "npm object "
    "option order output package page parser password path permission pip pipeline pod port post prod "
    "process product "
    "production profile project proxy public pull push python query queue read release remote render "
    "report repo "
    "request response retry route row runner save schema screen script search server service session "
    "setting space "
    "sql staging state status storage string suite sync system table tag task team template test tests "
    "text thread "
    "token tool type unit update upgrade upload url variable version view volume web windows worker write"
)
_HAN_TELLING = (
    "错误 异常 失败 报错 问题 超时 崩溃 故障 修复 修改 解决 处理 排查 定位 出现 发现 导致 由于 因为 无法 "
    "不能 没有 又一 一次 再次 还是 依然 "
    "仍然 总是 反复 经常 每次 同样 重新 重启 之后 之前 今天 昨天 上周 本周 目前 暂时 临时 手动 原因 最后 "
    "开始 继续 需要 可以 已经 用户 "
    "指出 要求 纠正 不对 不了 了一 的时 时候 进行 使用 加上 改成 改为 增加 添加 检查 确认 测试 运行 执行 "
    "启动 完成 一直 老是 缺少 缺失 "
    "不到 找不 不上 不够 不足 起来 出来 以后 后来 结果 情况 第三 三次 二次 次了 又是 又出 又失 又报 还没 "
    "没法 未能 未知 错了 误了 有问 "
    "题又 现在 终于 绕过 查了 改了 了又 是因 为了 时又 然后 并且 但是 而且 所以 其实 其他 这个 那个 一个 "
    "多次 偶尔 偶发"
)
_HAN_COMMON = (
    "接口 服务 数据 据库 页面 项目 代码 文件 配置 环境 系统 请求 返回 任务 构建 部署 上线 线上 生产 版本 "
    "升级 安装 依赖 日志 列表 缓存 "
    "查询 内存 磁盘 网络 连接 端口 容器 镜像 脚本 模块 用例 单测 流程 功能 组件 参数 字段 按钮 登录 权限"
)


@lru_cache(8192)
def words(text: str, about: str = "") -> frozenset[str]:
    """What a line and the name of its trouble speak of. Linear; never raises."""
    found: set[str] = set()
    text = text[:LONGEST]
    for token in _TOKEN.findall(text):
        # A name in humps is told by its parts, too.
        parts = [token] if token.islower() or token.isupper() else _HUMP.findall(token)
        found.update(parts)
    # An English word alone among Chinese ones is a name.
    alone = {low for word in _ALONE.findall(text) if (low := word.lower()) in _NAMES}
    kept = alone | {
        root for word in found if len(word) > 1 and (root := stem(word.lower())) and not _told(word, root)
    }
    for run in CJK_RUN.findall(_around().sub(" ", text)):
        kept.update(pair for pair in map("".join, pairwise(run)) if pair not in _han_telling())
    for name in about.split():
        kept.update(
            stem(part) for part in (name, *name.split("-")) if len(part) > 1 and not _told(part, stem(part))
        )
    return frozenset(kept)


def common(word: str) -> bool:
    """Whether a word of `words` is one that many things have: it tells less than others."""
    return word in _commons()


def stem(word: str) -> str:
    """A word's root, roughly: 'importers', 'importing' and 'imports' are alike."""
    for ending, instead, least in _ENDINGS:
        if len(word) >= least and word.endswith(ending) and not word.endswith("ss"):
            word = word[: -len(ending)] + instead
            break
    return word[:-1] if len(word) > 4 and word[-1] == word[-2] and word[-1] not in "aeiousl" else word


def _told(word: str, root: str) -> bool:
    telling = _telling_wording()
    return word.lower() in telling or root in telling or (root.isdigit() and len(root) < 3)


@cache
def _telling_wording() -> frozenset[str]:
    from memtui.evolution.audit import SIGNALS
    from memtui.search.vocabulary import ENGLISH

    plain = ENGLISH | frozenset(_TELLING.split()) | {word for name in SIGNALS for word in name.split("_")}
    return plain | {stem(word) for word in plain}


@cache
def _around() -> re.Pattern[str]:
    """What a Chinese line says of trouble, of people and of work: pairs that reach into it are no words."""
    from memtui.evolution.hearing.han import AROUND

    words = {word for word in AROUND.split() if len(word) > 1} - frozenset(_HAN_COMMON.split())
    return re.compile("|".join(sorted(words, key=lambda word: (-len(word), word))) + "|[的了着把被]")


@cache
def _commons() -> frozenset[str]:
    from memtui.evolution.hearing.kinds import KINDS, ROUGH

    plain = {*_WORDING_COMMON.split(), *_HAN_COMMON.split()}
    plain |= {
        word for kind in (*KINDS, *ROUGH) for name in kind.name.split() for word in (name, *name.split("-"))
    }
    return frozenset(plain | {stem(word) for word in plain})


@cache
def _han_telling() -> frozenset[str]:
    from memtui.search.vocabulary import CHINESE

    return CHINESE | frozenset(_HAN_TELLING.split())


NEAR = 9
"""So many sessions of a project apart, different words may tell of one trouble: a window."""
NOW = 2 * NEAR
"""Sessions of a project before and after in which a word of it is one of here and now."""
ALIKE = 0.62
"""What two lines must share: one word that is said here and now only, or several that are said here mostly."""
MEAN = 0.33
"""What all lines of one trouble must share on the average."""
_COMMON, _NAMED, _KIND = 0.55, 0.85, 0.2
"""What a word is worth that many things have, where the trouble is named by it, and where it is a kind of trouble."""
_OTHER_TYPE = 0.75
"""What words are worth that tell of two types of trouble."""
_NARROW = frozenset({"environment_issue", "dependency_issue", "performance_issue", "security_issue"})
_FAULTS = _NARROW | {"error", "recurring_issue"}
_SHARE, _AGAIN = 0.34, 0.6
"""Of a trouble's sessions, from how many it has the narrower type, and from how many its type is that it comes back."""


class Group(NamedTuple):
    """One trouble."""

    type: str
    about: str
    """The name that says most of it."""
    means: frozenset[str]
    """All of its names."""
    places: tuple[int, ...]
    """Which of the sessions have it, in order."""
    types: frozenset[str] = frozenset()
    """All types that its lines have."""


class _Line(NamedTuple):
    """What one session tells of trouble in one line."""

    place: int
    at: int
    """Among the sessions of its project."""
    family: str
    types: frozenset[str]
    abouts: frozenset[str]
    words: frozenset[str]
    named: frozenset[str]
    """The words of its name that are no kind of trouble."""


def groups(heard: Sequence[Heard]) -> list[Group]:
    """The troubles of these sessions. Signals that name nothing are in none."""
    projects = _lines(heard)
    often = Counter(word for lines in projects.values() for word, _place in _said(lines))
    crowds: list[list[_Line]] = []
    for _name, lines in sorted(projects.items()):
        crowds += _crowds(lines, often)
    found = [_group(name, crowd) for name, crowd in _same_name(crowds)]
    return sorted(found, key=lambda group: (-len(group.places), group.type, group.about))


def _lines(heard: Iterable[Heard]) -> dict[str, list[_Line]]:
    """All lines of each project, in order of time."""
    counts = Counter[str]()
    found: dict[str, list[_Line]] = defaultdict(list)
    for place, one in enumerate(heard):
        told: dict[tuple[str, str], list[tuple[str, str]]] = defaultdict(list)
        for sign in one.signals:
            if sign.about:
                family = "" if sign.type in _FAULTS else sign.type
                told[family, sign.text].append((sign.type, sign.about))
        for (family, text), signs in sorted(told.items()):
            types, abouts = (frozenset(part) for part in zip(*signs, strict=True))
            named = frozenset(word for about in abouts for word in words("", about) if not _kind(word))
            said = words(text, " ".join(sorted(abouts)))
            found[one.project].append(_Line(place, counts[one.project], family, types, abouts, said, named))
        counts[one.project] += 1
    return found


def _said(lines: Iterable[_Line]) -> set[tuple[str, int]]:
    return {(word, line.place) for line in lines for word in line.words}


def _crowds(lines: Sequence[_Line], often: Counter[str]) -> list[list[_Line]]:
    """The lines of one project, those together that tell of the same."""
    alike = _alike(lines, often)
    crowd = {number: [number] for number in range(len(lines))}
    for (one, other), shared in sorted(alike.items(), key=lambda item: (-item[1], item[0])):
        mine, theirs = crowd[one], crowd[other]
        if shared < ALIKE:
            break
        if mine is theirs:
            continue
        # What is far apart in time was not held against each other: a long trouble is one by its neighbours.
        pairs = [
            (min(a, b), max(a, b)) for a in mine for b in theirs if abs(lines[a].at - lines[b].at) <= NEAR
        ]
        if sum(alike.get(pair, 0.0) for pair in pairs) >= MEAN * len(pairs):
            mine += theirs
            crowd |= dict.fromkeys(theirs, mine)
    whole = {id(numbers): numbers for numbers in crowd.values()}
    return [[lines[number] for number in sorted(numbers)] for numbers in whole.values()]


def _alike(lines: Sequence[_Line], often: Counter[str]) -> dict[tuple[int, int], float]:
    """What pairs of lines share that are near each other."""
    at: dict[str, list[int]] = defaultdict(list)
    for word, place in sorted(_said(line._replace(place=line.at) for line in lines), key=lambda one: one[1]):
        at[word].append(place)
    worth: dict[tuple[str, int], float] = {}
    near: dict[str, list[int]] = defaultdict(list)
    found: dict[tuple[int, int], float] = {}
    for number, line in enumerate(lines):
        shared: dict[int, float] = defaultdict(float)
        for word in sorted(line.words):
            before = near[word]
            for other in reversed(before):
                gap = line.at - lines[other].at
                if gap > NEAR:
                    break
                middle = line.at + lines[other].at
                if (word, middle) not in worth:
                    worth[word, middle] = _worth(at[word], middle, often[word])
                named = word in line.named and word in lines[other].named
                weight = _KIND if _kind(word) else 1.0 if not common(word) else _NAMED if named else _COMMON
                shared[other] += worth[word, middle] * weight
            before.append(number)
        for other, value in shared.items():
            mate = lines[other]
            if mate.family == line.family and not _apart(mate, line):
                whole = value if mate.types & line.types else value * _OTHER_TYPE
                found[other, number] = min(whole, 1.5)
    return found


def _worth(at: Sequence[int], middle: int, often: int) -> float:
    """The share of a word's sessions that are here and now, without one of them: said once it tells nothing."""
    near = bisect_right(at, middle / 2 + NOW) - bisect_left(at, middle / 2 - NOW)
    return (near - 1) / often


def _apart(one: _Line, other: _Line) -> bool:
    """Two classes of exceptions are two errors; an open door is no slow program, whatever stands behind it."""
    narrow, others = one.types & _NARROW, other.types & _NARROW
    if narrow and others and ("security_issue" in narrow) != ("security_issue" in others):
        return True
    mine, theirs = _classes(one), _classes(other)
    return bool(mine and theirs) and mine.isdisjoint(theirs)


def _classes(line: _Line) -> frozenset[str]:
    return frozenset(
        word for about in line.abouts for word in about.split() if word.endswith(("error", "exception"))
    )


def _same_name(crowds: Sequence[list[_Line]]) -> list[tuple[str, list[_Line]]]:
    """Crowds with their names. Those of one name are one trouble, whenever it was, and in whatever project.

    A name that says nothing of its own ('crash page') is the first's; the others have another one where they can.
    """
    found: dict[tuple[str, str], list[_Line]] = {}
    for crowd in sorted(crowds, key=lambda one: (-len(one), one)):
        family, names = crowd[0].family, _names(crowd)
        free = (name for name in names if _telling(name) or (family, name) not in found)
        found.setdefault((family, next(free, names[0])), []).extend(crowd)
    return [(name, sorted(crowd)) for (_family, name), crowd in found.items()]


def _names(crowd: Sequence[_Line]) -> list[str]:
    """All names of a crowd, first what says most of what most lines say."""
    shares = Counter(word for line in crowd for word in line.words)
    counts = Counter(about for line in crowd for about in line.abouts)

    def told(about: str) -> float:
        return sum(
            shares[word] * (0.5 if common(word) else 1.0) if shares[word] * 2 >= len(crowd) else -0.1
            for word in words("", about)
        )

    return sorted(counts, key=lambda about: (-round(told(about), 6), -counts[about], len(about), about))


def _telling(name: str) -> bool:
    return any(not common(word) for word in words("", name))


def _group(name: str, crowd: Sequence[_Line]) -> Group:
    places = tuple(sorted({line.place for line in crowd}))
    means = frozenset(about for line in crowd for about in line.abouts)
    types = frozenset(kind for line in crowd for kind in line.types)
    return Group(_type(crowd, len(places)), name, means, places, types)


def _type(crowd: Sequence[_Line], many: int) -> str:
    """The narrower type where a good part of the lines have it; that it comes back where nothing else is said."""
    counts = Counter(kind for kind, _place in {(kind, line.place) for line in crowd for kind in line.types})
    again = counts.pop("recurring_issue", 0)
    narrow = max(_NARROW & counts.keys(), key=lambda kind: (counts[kind], kind), default="")
    if narrow and counts[narrow] >= _SHARE * many:
        return narrow
    if not counts or (counts.keys() == {"error"} and again >= _AGAIN * many):
        return "recurring_issue"
    return max(counts, key=lambda kind: (counts[kind], kind))


def _kind(word: str) -> bool:
    return word in _kinds()


@cache
def _kinds() -> frozenset[str]:
    from memtui.evolution.hearing.kinds import KINDS, ROUGH

    names = {
        word for kind in (*KINDS, *ROUGH) for name in kind.name.split() for word in (name, *name.split("-"))
    }
    return frozenset(names | {stem(name) for name in names})
