"""The words that tell one trouble from another: what a line is about, without the words for trouble itself.

English words by their stem, identifiers by their parts, Chinese by pairs of characters.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from itertools import pairwise

from memtui.core.text import CJK_RUN
from memtui.language.conversation import SIGNALS
from memtui.language.trouble_kinds import KINDS, ROUGH
from memtui.language.trouble_zh import AROUND
from memtui.search.vocabulary import CHINESE, ENGLISH

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
_COMMON = (
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
def list_root_words(text: str, about: str = "") -> frozenset[str]:
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


def is_common(word: str) -> bool:
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
    telling = _telling()
    return word.lower() in telling or root in telling or (root.isdigit() and len(root) < 3)


@cache
def _telling() -> frozenset[str]:
    plain = ENGLISH | frozenset(_TELLING.split()) | {word for name in SIGNALS for word in name.split("_")}
    return plain | {stem(word) for word in plain}


@cache
def _around() -> re.Pattern[str]:
    """What a Chinese line says of trouble, of people and of work: pairs that reach into it are no words."""
    words = {word for word in AROUND.split() if len(word) > 1} - frozenset(_HAN_COMMON.split())
    return re.compile("|".join(sorted(words, key=lambda word: (-len(word), word))) + "|[的了着把被]")


@cache
def _commons() -> frozenset[str]:
    plain = {*_COMMON.split(), *_HAN_COMMON.split()}
    plain |= {
        word for kind in (*KINDS, *ROUGH) for name in kind.name.split() for word in (name, *name.split("-"))
    }
    return frozenset(plain | {stem(word) for word in plain})


@cache
def _han_telling() -> frozenset[str]:
    return CHINESE | frozenset(_HAN_TELLING.split())
