"""The kind of memory that stands under a heading or behind a label, in Chinese and English, for all layouts.

Last, the label that a summary puts before the facts that it lists.
"""

from __future__ import annotations

from functools import lru_cache

from memtui.core.startup import TYPE_CHECKING, compile_pattern
from memtui.formats.open_work import (
    NAMES_CHINESE,
    NAMES_ENGLISH,
    WORD,
    has_open_work_phrase,
    is_open_work_name,
    strip_heading,
)

if TYPE_CHECKING:
    from memtui.core.model import Memory


_NAMES: tuple[tuple[str, str, str], ...] = (
    (
        "pref",
        "偏好 用户偏好 个人偏好 我的偏好 编码偏好 沟通风格 沟通偏好 沟通方式 工作习惯 习惯 代码风格 工作模式 常用工具",
        "pref, prefs, preference, preferences, user preferences, communication style, code style, coding style",
    ),
    (
        "decision",
        "关键决策 重要决策 决策记录 技术决策 架构决策 决策 决定",
        "decision, decisions, key decisions, decision log, architecture decisions",
    ),
    (
        "rule",
        "项目规范 编码规范 开发规范 提取规范 代码规范 命名规范 规范 规则 约定 禁止项 禁止事项 禁止 约束 守则",
        (
            "rule, rules, convention, conventions, guideline, guidelines, coding standards, standards, constraint, "
            "constraints, policies"
        ),
    ),
    (
        "lesson",
        "避坑经验 避坑 经验教训 教训 踩坑 最佳实践 经验 学习",
        (
            "lesson, lessons, lessons learned, learning, learnings, pitfall, pitfalls, gotcha, gotchas, avoidance, "
            "avoidances, best practices, mistakes"
        ),
    ),
    ("todo", NAMES_CHINESE, NAMES_ENGLISH),
    (
        "fact",
        "项目事实 项目背景 项目信息 技术背景 技术栈 关键信息 关键上下文 背景 事实 环境",
        "fact, facts, project facts, background, project background, project context, context, environment, tech stack",
    ),
    ("skill", "技能", "skill, skills, capabilities"),
    (
        "event",
        "做了什么 工作日志 执行日志 执行记录 正在做什么 已完成 变更记录 任务 完成",
        (
            "work log, worklog, log, what was done, done, completed, progress, event, events, highlights, erledigt, "
            "gemacht, abgeschlossen, сделано, готово, выполнено, завершено, fait, terminé, hecho, completado, feito, "
            "concluído, 完了, 対応済み, 완료, 완료된 작업"
        ),
    ),
    (
        "file",
        "涉及文件 修改文件 文件",
        "file, files, files changed, files modified, files touched, touched files",
    ),
    ("summary", "摘要 会话摘要 总结 概述 概览 主题 主线目标", "summary, overview, topic, tl;dr"),
    ("note", "关键知识点 知识点 要点 笔记 备注", "note, notes, key points"),
)

_EXACT = {name: kind for kind, chinese, english in _NAMES for name in (*chinese.split(), *english.split(", "))}
_CHINESE = sorted((name for _, chinese, _ in _NAMES for name in chinese.split()), key=len, reverse=True)
_CHARACTERS = frozenset(name[0] for name in _CHINESE)
_TELLING = {
    word: kind
    for word, kind in _EXACT.items()
    if word.isalpha() and word.isascii() and kind in {"pref", "decision", "rule", "lesson", "skill"}
} | {"facts": "fact", "todo": "todo", "todos": "todo", "notes": "note"}
_NONE = ("no ", "not ", "keine ", "kein ", "нет ", "无", "無", "没有")
"""How a heading begins that says of what there is none."""
_LONGEST = 120


@lru_cache(maxsize=1 << 12)
def match_exact_kind(label: str) -> str:
    """The kind that a label names outright ('决策', 'Key decisions', 'pref'); empty for any other word."""
    return _EXACT.get(strip_heading(label[:_LONGEST]), "")


@lru_cache(maxsize=1 << 12)
def infer_heading_kind(heading: str, outermost: bool = False) -> str:
    """The kind of what stands under a heading; empty: it does not say.

    A document's own title (`outermost`) has to name a kind outright: 'Decisions about facts' is only a title.
    """
    if heading[-1:] == "`" and strip_heading(heading.partition("`")[0]) == "":
        # A value that is explained: '9.11 `BLOCKED`'.
        return ""
    name = strip_heading(heading[:_LONGEST])
    kind = _EXACT.get(name, "")
    if kind or outermost:
        return kind
    plain, words = name.isascii(), WORD.findall(name)
    if (
        name.endswith(_PRODUCTS)
        or name.startswith(_OF_LISTS)
        or (plain and len(words) > 1 and words[-1] in _PRODUCED and "todo" in words)
    ):
        # What keeps tasks is none of them.
        return ""
    if "todo" in words and "TODO" not in heading and not _ROMANCE.isdisjoint(words):
        words = [word for word in words if word != "todo"]
    if is_open_work_name(name, words):
        return "todo"
    if name.startswith(_NONE):
        return ""
    if has_open_work_phrase(name, words):
        return "todo"
    if not _TELLING.keys().isdisjoint(words):
        return next(_TELLING[word] for word in words if word in _TELLING)
    if plain or _CHARACTERS.isdisjoint(name):
        return ""
    return next((_EXACT[part] for part in _CHINESE if part in name), "")


_PRODUCTS = (
    *(
        what + name
        for what in ("待办", "待辦", "任务", "任務")
        for name in ("系统", "系統", "应用", "應用", "工具", "模块")
    ),
    "待办检查", "待办事项检查", "待办格式", "待办规范", "待办机制",
)  # fmt: skip
_OF_LISTS = ("查看待", "管理待")
"""How a heading begins that says where such a list is, or how it is kept."""
_PRODUCED = frozenset({"app", "application", "system", "tool", "module", "feature", "widget"})
"""What the last word of a heading is that is called after tasks: 'Todo app', '待办系统'."""
_ROMANCE = frozenset({"el", "la", "los", "las", "lo", "que", "de", "del", "con", "os", "um", "uma", "il", "sobre"})
"""Where one of these stands, 'todo' is 'all'."""
_MANNER = compile_pattern(
    r"(?:the )?(?:task |work)?(?:protocol|legend|conventions?|guidelines|instructions|usage|workflow|format|overview|"
    r"purpose|how (?:to|it|this|we) .*|why .*|about .*|status (?:keys?|codes?|values?|meanings?))|"
    r"(?:使用|任务|状态|格式|填写)?(?:协议|说明|用法|图例|约定|格式|流程|概述|目的|定义)|legende|leyenda|légende",
    2,
)


@lru_cache(maxsize=1 << 12)
def is_manner(heading: str) -> bool:
    """Whether what stands under a heading says how a list is kept, not what is on it: 'Protocol', 'Legend'."""
    return len(heading) < _LONGEST and _MANNER.fullmatch(strip_heading(heading)) is not None


FORBIDS = compile_pattern(
    r"\b(?:don['’]?ts?|do not|never|avoid|must not|should not|shouldn['’]?t)\b|不要|不得|不可|不应|不该|禁止|"
    r"切勿|避免|绝不|絕不|错误(?:示例|做法)",
    2,
)
"""Labels of what is not to be done."""
_FORBIDDING = compile_pattern(
    r"(?!\W*do['’]?s?\W+(?:and\W+)?don)\W*(?:[^\n:：]{0,24}\W)?(?:never(?: do)?|"
    r"don['’]?ts?(?: do)?|do not(?: do)?|not to do|avoid|forbidden|prohibited|"
    r"off[- ]limits|not allowed)\W*|"
    r"\W*[^\n:：]{0,8}?(?:禁止(?:事项|事項|项|行为|操作|清单)?|不要做?的?(?:事情?)?|不能做的?(?:事情?)?|严禁|绝不|红线|禁忌)\W*",
    2,
)


@lru_cache(maxsize=1 << 12)
def is_forbidding(heading: str) -> bool:
    """Whether a heading says that what is listed below it must not be done: 'Security (NEVER)', '禁止事项'."""
    return len(heading) < _LONGEST // 2 and _FORBIDDING.fullmatch(heading) is not None


_ATTRIBUTE_NAMES = (
    r"(?:当前|最终|主要|关键|文件|文档|任务|项目|完成|触发|执行)?(?:状态|狀態|备注|備註|时间|時間|日期|"
    r"位置|路径|文件|结果|結果|结论|結論|原因|阈值|分析|目标|要求|说明|内容|类型|来源|影响|优先级|负责人|"
    r"进度|方案|解决方案|解决|现象|问题|操作|动作|下一步|用途|功能|名称|截止|频率|预期|实际|评估|建议|"
    r"改进|数量|大小|耗时|验证|概要|技术要点)|(?:current |root |next |file |expected |actual )?(?:status|"
    r"state|notes?|time|date|when|where|location|path|files?|results?|outcome|conclusion|reason|cause|why|"
    r"threshold|analysis|goals?|target|requirements?|description|content|type|source|impact|priority|"
    r"owner|assignee|progress|link|url|version|solution|fix|resolution|symptoms?|problem|issue|actions?|"
    r"steps?|purpose|frequency|trigger|recommendation|duration|size|schedule|context|details|summary|"
    r"learning|area|category|evidence|deadline)|estado|observa[çc][ãõ](?:o|es)|local|arquivo|resultado|"
    r"motivo|causa|prioridade|respons[áa]vel|pr[óo]ximos? passos?|origem|contexto|impacto|objetivo|"
    r"a[çc][ãa]o|decis[ãa]o|fonte|prazo"
)
_ATTRIBUTE_ALONE = compile_pattern(_ATTRIBUTE_NAMES, 2)
_ATTRIBUTE = compile_pattern(rf"[-*+]\s+\W{{0,3}}({_ATTRIBUTE_NAMES})(?:\*\*)?[:：]")
_ATTRIBUTE_WITHIN = 80
LABEL_END = 28
"""Characters of a line within which a label ends."""
_SIGNS_OF_ITEMS = frozenset("-*+")


def read_attribute(line: str) -> str:
    """The name of the attribute that an item gives, as it is written; empty: it gives none."""
    if ":" not in line[:LABEL_END] and "：" not in line[:LABEL_END]:
        return ""
    bare = line.lstrip()[:_ATTRIBUTE_WITHIN]
    # In small letters: a choice among letters of either case tries each name.
    match = _ATTRIBUTE.match(bare.lower()) if bare[:1] in _SIGNS_OF_ITEMS else None
    return "" if match is None else bare[match.start(1) : match.end(1)]


def is_attribute(label: str) -> bool:
    """Whether a label names an attribute of a thing: how it stands, when, where, why, what came of it."""
    return _ATTRIBUTE_ALONE.fullmatch(label.strip(" *:：")) is not None


SUMMARY_LABEL = compile_pattern(r"\*{0,2}([^*:：\n]{1,40})\*{0,2}\s*[:：]\s*\*{0,2}\s*")


def strip_summary_label(fact: Memory) -> str:
    """The fact without the label that a summary gives it ('**决策**: 选择 JWT')."""
    match = SUMMARY_LABEL.match(fact.text)
    if match and match_exact_kind(match[1]) and fact.text[match.end() :].strip():
        return fact.text[match.end() :].strip()
    return fact.text.strip()
