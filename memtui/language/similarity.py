"""How much alike two remembered texts are, in Chinese and English.

First the words as they are compared, as data: what means the same, what means nothing by itself, what rules
what out. Chinese is not segmented: what stands here is a word, everything else is single characters.

Then shapes and likeness. Spec 004: the same text, or more than 70 % of the same entities. Spec 002: Jaccard and
containment of trigrams. Besides, the edit distance of the words in order. Texts that differ in a number or in a
'not' are never the same, however alike: that is what a contradiction looks like.

What a lesson is known by, however it is marked up (spec 002): digests of what it says.

code-memory's scripts count the bullet without `**`, one last aside and white space. Elsewhere dates, code ticks,
emphasis and links do not count either.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import accumulate, chain, repeat
from typing import TYPE_CHECKING, Literal, NamedTuple

from memtui.core.startup import compile_pattern, md5
from memtui.search.terms import fold

if TYPE_CHECKING:
    import re
    from collections.abc import Sequence

    from memtui.core.model import Entry


NOT = "¬"
"""The concept of every word that denies."""


def _groups(text: str) -> list[list[str]]:
    return [group.split() for group in text.split("|")]


_SAME = _groups(
    """
store keep kept save hold held live reside locate stay 存储 存放 存到 存在 存入 保存 放在 放到 放 位于
存 | doc documentation 文档 | db database 数据库 | k8s kubernetes | repo repository 仓库 | config
configuration setting 配置 | auth authentication | env environment 环境 | dir directory folder 目录 |
app application 应用 | prod production 生产环境 生产 线上 | dev development 开发环境 | e2e end-to-end |
ts typescript | js javascript | postgres postgresql pg | every each 每 每个 每次 | run ran execute 运行
执行 跑 | before 之前 以前 前 | after 之后 以后 后 | call name invoke | create generate make made
produce 生成 创建 | write written wrote 编写 书写 写 | change modify alter edit 修改 更改 | remove
delete 删除 移除 | verify check validate 校验 检查 验证 | pr pull-request mr 合并请求 | message msg 消息
| parameter param argument 参数 | function func 函数 | log 日志 | test 测试 | deploy 部署 | publish
release 发布 | prefer like want wish 偏好 喜欢 希望 想要 倾向 | dependency dep 依赖 | answer reply
response 回答 回复 | comment 注释 | print output 打印 输出 | only 只 仅 只能 仅限 | start begin boot
启动 开始 | English 英文 英语 | Chinese 中文 汉语 | error 错误 报错 | information info 信息 | admin
administrator 管理员 | version ver 版本 版本号 | append-only append | compress 压缩 | convert transform
转换 | max maximum most 最多 最大 上限 不超过 不要超过 不能超过 不得超过 不大于 不高于 不多于 以内 | min
minimum least 最少 最小 下限 至少 不少于 不低于 不小于 不得低于 不能低于 最低 最短 | limit cap restrict
限制 | calculate compute 计算 | below less 低于 小于 少于 不到 以下 | above exceed 高于 大于 超过 多于
以上 | default 默认 缺省 | push 推送 | pull 拉取 | merge 合并 | commit 提交 | branch 分支 | cache 缓存 |
timeout 超时 | retry 重试 | queue 队列 | cluster 集群 | password 密码 | permission 权限 | alert 告警
报警 | monitor 监控 | user 用户 | service 服务 | interface api 接口 | index 索引 | module 模块 | page
页面 | approve approval 审批 批准 同意 | manage maintain 管理 维护 | review 评审 审查 | import 导入 |
export 导出 | upload 上传 | download 下载 | request 请求 | table 数据表 | column field 字段 | size 大小
尺寸 | hand manual manually 手动 手工 | millisecond 毫秒 毫秒级 | second 秒级 | microsecond 微秒 微秒级
| short concise brief 简短 简洁 精简 | detailed verbose 详细 | night 夜里 夜间 晚上 | owner lead
maintainer 负责人 维护人 | address url 地址 | string 字符串 | number 编号 | front-end frontend 前端 |
back-end backend 后端 | template 模板 | sync synchronous 同步 | async asynchronous 异步 | public 公开 |
private 私有 | monday 周一 星期一 | tuesday 周二 星期二 | wednesday 周三 星期三 | thursday 周四 星期四 |
friday 周五 星期五 | saturday 周六 星期六 | sunday 周日 星期日 星期天 | morning 上午 早上 | afternoon
下午 | upstream 上游 | downstream 下游 | 上线 | 下线 | 上级 | 下级 | 上一 | 下一 | 上月 | 下月 | 上周 |
下周 | internal 内部 | external 外部 | middleware 中间件 | centre center 中心 | 中间
"""
)
_EMPTY = """
a an the is are was were be been being now has have had to of it its will would we our us you your this
that these those use uses using used with via by through in on at for from into onto and do does did
should must shall may can could might need needs needed be get gets got come comes go goes please always
currently already here there within under over as when so also just per own set sets which under their
they them he she his her one's all any done 的 了 地 得 已 已经 被 是 为 用 使用 采用 改用 改为 改成
换成 换为 成 到 设 设为 设置为 现在 目前 将 把 由 由于 就 也 仍 还 请 统一 需 需要 必须 要 应 应该 应当
务必 一定 都 均 全部 所有 会 在 里 里面 中 内 上 下 时 来 与 和 及 以及 并 并且 按 按照 通过 依靠 基于
从 向 对 给 一次 自动 自行 一律 始终 总是 仍然 依然 仍旧 还是 still anymore 经过 控制 一定要 始终要 当前
如今 允许 可以 可 能 能够 使 让 进行 做 作为 实现 本 该 此 其 之 于 至 allow allowed allows permit
permitted permits longer more 再 以 走
"""
_SEVERAL = {
    "hourly": "every hour", "daily": "every day", "nightly": "every night", "weekly": "every week",
    "monthly": "every month", "yearly": "every year", "每天": "every day", "每日": "every day",
    "每个月": "every month", "每个小时": "every hour", "每周一": "every monday",
    "每周二": "every tuesday", "每周三": "every wednesday", "每周四": "every thursday",
    "每周五": "every friday", "每周六": "every saturday", "每周日": "every sunday",
    "每晚": "every night", "每夜": "every night", "每天晚上": "every night", "每天夜里": "every night",
    "每小时": "every hour", "每周": "every week", "每月": "every month", "每年": "every year",
}  # fmt: skip
"""Words that are two."""
_DENYING = """
not no never none cannot nor don doesn isn aren won can't don't doesn't isn't aren't won't mustn't
shouldn't avoid stop stopped stops forbid forbidden forbids prohibit prohibited ban banned disallow
disallowed disallows deprecated deprecate dropped refuse without 不 不要 不得 不能 不可 不可以 不许 不准
不应 不该 不必 不用 不再 不允许 无需 无须 没有 没 禁止 严禁 勿 切勿 别 避免 拒绝 停止 弃用 已弃用
不再使用 废弃 不需要 不用再 不要再
"""
_OPPOSED = _groups(
    """
enable disable 开启 关闭 启用 禁用 打开 关掉 激活 停用 enabled deactivate | on off | enabled disabled |
required optional 必填 选填 | true false | include exclude 包含 排除
"""
)
_RIVALS = _groups(
    """
postgresql mysql mariadb oracle sqlite mongodb cockroachdb tidb sqlserver dynamodb cassandra db2 达梦
oceanbase | npm yarn pnpm bun | jest vitest mocha jasmine ava | pytest unittest nose | webpack vite
rollup parcel esbuild turbopack | react vue angular svelte | redux zustand mobx pinia vuex recoil jotai
| kafka rabbitmq rocketmq nats pulsar activemq | redis memcached valkey hazelcast | aws gcp azure heroku
阿里云 腾讯云 华为云 | black yapf autopep8 | eslint biome tslint | flask django fastapi tornado | mypy
pyright pyre | jenkins travis circleci gitlab-ci | rest graphql grpc soap | docker podman | kubernetes
nomad swarm | svn git mercurial | celery dramatiq rq huey | apollo nacos consul | cordova flutter
react-native ionic | maven gradle ant | poetry pipenv pip uv | sendgrid mailgun postmark ses | sequelize
prisma typeorm | sqlalchemy peewee tortoise | snake_case camelcase pascalcase kebab-case 下划线 驼峰 |
tab space | light dark 浅色 深色 | English Chinese | monday tuesday wednesday thursday friday saturday
sunday | master main trunk develop | utf-8 gbk gb2312 latin-1 utf-16 | json xml yaml toml | utc 北京时间
gmt | short long detailed concise verbose terse brief | squash rebase merge | 钉钉 飞书 企业微信 slack
teams | zsh bash fish | vim emacs vscode | single double | success failure | millisecond second
microsecond | sync async | public private | asc desc | 正序 倒序 | 语雀 confluence notion | sentry
rollbar bugsnag | 元 分 | 自增 雪花 uuid | jwt session cookie oauth | rbac abac acl | 乐观锁 悲观锁 |
http https | float integer decimal | past imperative present
"""
)

_VOWEL = compile_pattern(r"[aeiouy]")


@lru_cache(maxsize=1 << 14)
def stem_latin(word: str) -> str:
    """A Latin word without its ending, roughly; names and what holds a digit stay."""
    if len(word) < 4 or not word.isalpha() or not word.isascii():
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "shes", "ches", "xes")):
        word = word[:-2]
    elif word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    if word.endswith("ation") and len(word) > 7:
        return word[:-3]
    for ending in ("ing", "ed"):
        cut = word[: -len(ending)]
        if word.endswith(ending) and len(cut) > 2 and _VOWEL.search(cut):
            word = cut[:-1] if cut[-1] == cut[-2] and cut[-1] not in "ls" else cut
            break
    return word[:-1] if word.endswith("e") and len(word) > 3 else word


def _table() -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for group in _SAME:
        first = stem_latin(group[0].lower())
        found |= {stem_latin(word.lower()): (first,) for word in group}
    for group in _OPPOSED:
        for number, word in enumerate(group):
            # The second of each two is the first, denied.
            meant = stem_latin(group[0].lower())
            found[stem_latin(word)] = (meant, NOT) if number % 2 else (meant,)
            found[word] = found[stem_latin(word)]
    found |= {form: () for word in _EMPTY.split() for form in (word, stem_latin(word))}
    found |= {word: tuple(several.split()) for word, several in _SEVERAL.items()}
    found |= {form: (NOT,) for word in _DENYING.split() for form in (word, stem_latin(word))}
    return found


_MEANT = _table()
_RIVAL = {
    (_MEANT.get(stem_latin(word.lower())) or (stem_latin(word.lower()),))[0]: f"<{number}>"
    for number, group in enumerate(_RIVALS)
    for word in group
}
HAN_WORDS = sorted(
    {word for word in (*_MEANT, *(word for group in _RIVALS for word in group)) if word[0] >= "\u3400"},
    key=len,
    reverse=True,
)
"""What is known as a word in Chinese, longest first."""


def list_concepts(word: str) -> tuple[str, ...]:
    """What a folded word means: one concept, none, or one denied."""
    known = _MEANT.get(word)
    if known is None:
        word = stem_latin(word)
        known = _MEANT.get(word)
    return (word,) if known is None else known


def find_rival_class(concept: str) -> str:
    """The name of the class of which only one is used at a time; empty: none is known."""
    return _RIVAL.get(concept, "")


NEAR = 0.5
"""Trigram Jaccard from which two texts are shown as alike."""
SAME = 0.8
"""From which they say the same."""
INSIDE = 0.85
"""Share of the shorter one's trigrams that stand in the longer: it is part of it."""
WORDS = 0.4
"""Share of the shorter one's words that stand in the other, below which two texts are not alike."""
ENTITIES = 0.7
"""Spec 004: more than this share of a fact's entities in a line."""

_SHORT = 6
"""Characters below which only the same text is alike; a Latin word counts as two."""

_WITHIN = "+#./%-_"
"""What may stand within a word; most texts have none of it, and are cut up in a third of the time."""
_PLAIN = compile_pattern(r"\w+")
_MARK = compile_pattern(r"[^\w+#./%-]+|_+|(?<!\w)[./-]+|[./-]+(?!\w)")
_WIDE = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3"
_GAP = compile_pattern(rf" (?=[{_WIDE}])|(?<=[{_WIDE}]) ")
_WORD = compile_pattern(rf"[^\W\u2e80-\U000323af]+|(?=([{_WIDE}]{{2}}))[{_WIDE}]")
_LINKED = compile_pattern(r"\[\[[^\]]{0,500}\]\]|\]\([^)]{0,500}\)|https?://[^\s)>`]+")
_PLACED = compile_pattern(r"(?<![\w.~@\\/-])(?:[a-z]:)?[\w.~@-]*(?:[\\/]+[\w.@-]+){2,}")
_TERM = compile_pattern(r"[^\W_\u2e80-\U000323af]+|[\u2e80-\U000323af]+")
_NUMBER = compile_pattern(r"\d+(?:[.:]\d+)*%?")
_NOT = compile_pattern(
    r"不|没|无需|无法|禁止|禁用|切勿|勿|别(?!名|的|人)|拒绝|避免"
    r"|\b(?:not|no|never|none|without|cannot|don t|doesn t|isn t|won t|can t|shouldn t|mustn t|avoid|forbid\w*"
    r"|disable\w*|disallow\w*|stop(?:ped)?)\b"
)
# What holds a 不 or a 别 without denying anything.
_NO_NOT = compile_pattern(r"不仅|不但|不过|不同|不管|不论|不断|不少|区别|分别|类别|级别|特别|差不多|识别|性别")


class Likeness(NamedTuple):
    """Which kind of likeness, and how much."""

    kind: Literal["exact", "same", "inside", "around", "entities", "near", "differs"]
    """inside: the first is part of the second; around: the other way round; near: alike, and no more than that."""
    score: float
    """0 to 1."""

    @property
    def covers(self) -> bool:
        """Whether the second text says all that the first says."""
        return self.kind in {"exact", "same", "inside", "entities"}


class Shape:
    """A text as it is compared."""

    __slots__ = ("_denials", "_numbers", "_words", "grams", "text", "weight")

    def __init__(self, text: str) -> None:
        """Of a normal text."""
        self.text = text
        self.grams = split_trigrams(text)
        self.weight = weigh_text(text)
        # Most texts are like none, and are never asked for these.
        self._words: frozenset[str] | None = None
        self._numbers: tuple[str, ...] | None = None
        self._denials: int | None = None

    @property
    def words(self) -> frozenset[str]:
        """Latin words, and Chinese characters by twos."""
        if self._words is None:
            self._words = frozenset(match[1] or match[0] for match in _WORD.finditer(self.text))
        return self._words

    @property
    def numbers(self) -> tuple[str, ...]:
        """All that are in it, in order of their digits."""
        if self._numbers is None:
            self._numbers = tuple(sorted(_NUMBER.findall(self.text)))
        return self._numbers

    @property
    def denials(self) -> int:
        """How often it says 'not'."""
        if self._denials is None:
            self._denials = count_denials(self.text)
        return self._denials


def split_trigrams(text: str) -> frozenset[str]:
    """The trigrams of a normal text; what is shorter is one by itself."""
    return frozenset([text[at : at + 3] for at in range(len(text) - 2)] or (text,))


def weigh_text(text: str) -> float:
    """How much a normal text can tell, in Chinese characters."""
    if text.isascii() and len(text) < len(_LATIN):
        return _LATIN[len(text)]
    return sum(1 if char >= "\u2e80" else 0.4 for char in text)


_LATIN = tuple(accumulate(chain((0.0,), repeat(0.4, 2000))))
"""What so many Latin characters weigh, added up one by one like all others."""


def make_shape(text: str) -> Shape:
    """The text's shape."""
    return shape(normalize_text(text))


@lru_cache(maxsize=1 << 12)
def shape(text: str) -> Shape:
    """The shape of a normal text, remembered: what is compared with one is compared with others. Each takes 8 KB."""
    return Shape(text)


@lru_cache(maxsize=1 << 15)
def normalize_text(text: str) -> str:
    """Folded, without punctuation and marks; one space between words, none beside Chinese characters."""
    plain = fold(text).rstrip("./-")
    if any(map(plain.__contains__, _WITHIN)):
        plain = " ".join(_MARK.sub(" ", plain).split())
    else:
        plain = " ".join(_PLAIN.findall(plain))
    return plain if plain.isascii() else _GAP.sub("", plain)


@lru_cache(maxsize=1 << 14)
def extract_terms(text: str) -> frozenset[str]:
    """What a text speaks of: its Latin words as concepts, Chinese characters two by two, a path as one."""
    plain = _LINKED.sub(" ", fold(text))
    found = {match.replace("\\", "/") for match in _PLACED.findall(plain)}
    for piece in _TERM.findall(_PLACED.sub(" ", plain)):
        if piece[0] >= "\u2e80":
            found.update(piece[at : at + 2] for at in range(len(piece) - 1))
        else:
            found.update(list_concepts(piece))
    return frozenset(found - {NOT, ""})


def count_denials(text: str) -> int:
    """How often a normal text says 'not'."""
    return len(_NOT.findall(_NO_NOT.sub("", text)))


def measure_likeness(one: str, two: str) -> Likeness | None:
    """How the first text is like the second; None: it is not."""
    return compare_shapes(make_shape(one), make_shape(two))


def compare_shapes(one: Shape, two: Shape) -> Likeness | None:
    """The likeness of two shapes by their text alone."""
    if one.text == two.text:
        return Likeness("exact", 1.0)
    if min(one.weight, two.weight) < _SHORT:
        return None
    shared = len(one.grams & two.grams)
    fewer = min(len(one.grams), len(two.grams))
    if shared * 2 < fewer:
        return None
    jaccard = shared / (len(one.grams) + len(two.grams) - shared)
    contained = shared / fewer
    score = max(jaccard, _ordered(one.text, two.text))
    part = contained >= INSIDE
    # One long name in both makes no likeness of two short texts: they must share words, too.
    words = len(one.words & two.words) / (min(len(one.words), len(two.words)) or 1)
    if (not part and score < NEAR) or words < WORDS:
        return None
    if one.numbers != two.numbers or one.denials != two.denials:
        return _apart(one, two, part, max(score, contained * 0.9))
    if score >= SAME:
        return Likeness("same", score)
    if part:
        return Likeness("inside" if len(one.text) <= len(two.text) else "around", max(score, contained * 0.9))
    return Likeness("near", score)


def _apart(one: Shape, two: Shape, part: bool, score: float) -> Likeness | None:
    """Of two texts with other numbers or another 'not': the longer one may still only say more."""
    short, long = (one, two) if len(one.text) <= len(two.text) else (two, one)
    at = long.text.find(short.text)
    if at >= 0 and not count_denials(long.text[max(0, at - 8) : at]):
        rest = f"{long.text[:at]} {long.text[at + len(short.text) :]}"
        # A number cut in half ('80' in '8080') is another number.
        if sorted((*_NUMBER.findall(rest), *short.numbers)) == list(long.numbers):
            return Likeness("inside" if short is one else "around", score)
    if part and len(long.text) > 1.5 * len(short.text):
        return Likeness("near", score)
    return Likeness("differs", score)


def _ordered(one: str, two: str) -> float:
    from rapidfuzz import fuzz

    return max(fuzz.ratio(one, two), fuzz.token_sort_ratio(one, two) if " " in one else 0.0) / 100 - 0.08


@lru_cache(maxsize=1 << 13)
def _name(entity: str) -> str:
    return normalize_text(entity)


def normalize_entities(entities: Sequence[str]) -> frozenset[str]:
    """Entities as they are compared."""
    return frozenset(map(_name, entities)) - {""}


def compare_entities(wanted: frozenset[str], known: frozenset[str], line: str) -> Likeness | None:
    """Spec 004: a line with the same combination of entities; one entity is no combination."""
    if len(wanted) < 2:
        return None
    share = sum(entity in known or _stands(entity, line) for entity in wanted) / len(wanted)
    return Likeness("entities", share) if share > ENTITIES else None


def _stands(entity: str, line: str) -> bool:
    at = line.find(entity)
    while at >= 0:
        before, after = line[at - 1 : at], line[at + len(entity) : at + len(entity) + 1]
        # A Latin word must stand by itself; a Chinese one has nothing around it to tell.
        if not (_letter(entity[0]) and _letter(before)) and not (_letter(entity[-1]) and _letter(after)):
            return True
        at = line.find(entity, at + 1)
    return False


def _letter(char: str) -> bool:
    return char.isalnum() and char < "\u2e80"


_ASIDE = compile_pattern(r"\([^()]*\)$")
_WIDE_ASIDE = compile_pattern(r"[(（][^()（）]*[)）]$")
_BULLET = compile_pattern(r"\s*[-*+•]\s+(?:\[[ xX]\]\s+)?")
_STAMP = compile_pattern(r"[\[(（【]\d{4}-\d\d-\d\d[^\])）】]{0,24}[\])）】]")
_LINK = compile_pattern(r"\[([^\[\]]{1,200})\]\([^()\s]{1,500}\)")
_MARKS = str.maketrans("", "", "*_`~")


def strip_bullet(text: str) -> str:
    """What code-memory's scripts compare a bullet by: without `**`, and without one aside at its end."""
    return _ASIDE.sub("", text.replace("**", "").strip()).rstrip()


def digest(text: str) -> str:
    """The 16 digits that code-memory's ids end in: of the bullet's core, white space aside."""
    return _digits(strip_bullet(text))


def digest_unmarked(text: str) -> str:
    """The digest of a text without marks, and without an aside at its end."""
    return _digits(_WIDE_ASIDE.sub("", _LINK.sub(r"\1", text).translate(_MARKS).strip()))


def list_digests(entry: Entry, bullet: str = "") -> tuple[str, ...]:
    """Every digest by which an entry may be meant, the likeliest first. `bullet`: its line as it stands, unmarked."""
    found = [digest(bullet), digest(_behind(_STAMP, bullet))] if bullet else []
    found += [digest_unmarked(entry.text), digest(entry.text), _digits(entry.text)]
    found.append(_digits(_WIDE_ASIDE.sub("", entry.text.replace("**", "").strip())))
    return tuple(dict.fromkeys(found))


def strip_list_mark(line: str) -> str:
    """A line of a list without its mark."""
    return _behind(_BULLET, line).strip()


def _behind(marks: re.Pattern[str], text: str) -> str:
    """What stands behind a beginning, where it begins so."""
    begun = marks.match(text)
    return text[begun.end() :] if begun else text


def _digits(text: str) -> str:
    return md5("".join(text.split()).encode("utf-8", "replace"))[:16]
