"""What kind of memory stands under a heading or behind a label, in Chinese and English: one table for all layouts."""

from __future__ import annotations

from functools import lru_cache

from memtui.pattern import pattern

TOPICS = ("user", "feedback", "project", "reference")
"""What Claude Code calls its memories of topics: they hold until somebody changes them."""
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
    (
        "todo",
        (
            "待办事项 待办清单 待办 当前任务 未完成 未完成事项 待完成 待处理 待修改 遗留问题 遗留 剩余 剩余工作 "
            "剩余任务 下一步 下一步计划 下一步待做 后续工作 后续计划 后续待办 明日待办 明日计划 未解决 未解决问题 "
            "待辦 待辦事項 剩餘 待实现 待接入 待开发 待修改事项 待修改事項 后续方向 下一步方向 未解决问题 已知待办 "
            "待执行 待執行 明天要做 明日要做 明日关注"
        ),
        (
            "todo, todos, to do, to-do, open, open items, open questions, open issues, next, next steps, action items, "
            "pending, pending items, unfinished, current task, current tasks, current focus, remaining, "
            "remaining work, remaining tasks, backlog, follow-up, follow-ups, follow ups, what's next, open threads, "
            "next up"
        ),
    ),
    (
        "fact",
        "项目事实 项目背景 项目信息 技术背景 技术栈 关键信息 关键上下文 背景 事实 环境",
        "fact, facts, project facts, background, project background, project context, context, environment, tech stack",
    ),
    ("skill", "技能", "skill, skills, capabilities"),
    (
        "event",
        "做了什么 工作日志 执行日志 执行记录 正在做什么 已完成 变更记录 任务 完成",
        "work log, worklog, log, what was done, done, completed, progress, event, events, highlights",
    ),
    (
        "file",
        "涉及文件 修改文件 文件",
        "file, files, files changed, files modified, files touched, touched files",
    ),
    ("summary", "摘要 会话摘要 总结 概述 概览 主题 主线目标", "summary, overview, topic, tl;dr"),
    ("note", "关键知识点 知识点 要点 笔记 备注", "note, notes, key points"),
)

_EXACT = {
    name: kind for kind, chinese, english in _NAMES for name in (*chinese.split(), *english.split(", "))
}
_CHINESE = sorted((name for _, chinese, _ in _NAMES for name in chinese.split()), key=len, reverse=True)
_TELLING = {
    word: kind
    for word, kind in _EXACT.items()
    if word.isalpha() and word.isascii() and kind in {"pref", "decision", "rule", "lesson", "skill"}
} | {"facts": "fact", "todo": "todo", "todos": "todo", "notes": "note"}
_PHRASES = pattern(
    r"\b(?:next (?:[a-z]+ )?(?:step|priorit|action|task)|pending (?:action|task|work)|action item|"
    r"open (?:question|issue|item)|still open|left to do)"
)
"""What a heading says of what is still to be done, whatever stands around it."""
_MARKS = pattern(r"^[\W\d_]+|[\W_]+$")
_NUMBERED = pattern(r"^[一二三四五六七八九十]{1,3}[、.．]\s*")
_ASIDE = pattern(r"\s*[(（\[【][^()（）]*[)）\]】]\s*$")
_WORD = pattern(r"[a-z]+")
_LONGEST = 120


@lru_cache(maxsize=1 << 12)
def exact(label: str) -> str:
    """The kind that a label names outright ('决策', 'Key decisions', 'pref'); empty for any other word."""
    return _EXACT.get(_bare(label[:_LONGEST]), "")


@lru_cache(maxsize=1 << 12)
def of_heading(heading: str, outermost: bool = False) -> str:
    """The kind of what stands under a heading; empty: it does not say.

    A document's own title (`outermost`) has to name a kind outright: 'Decisions about facts' is only a title.
    """
    name = _bare(heading[:_LONGEST])
    kind = _EXACT.get(name, "")
    if kind or outermost:
        return kind
    if " " in name and _PHRASES.search(name):
        return "todo"
    for word in _WORD.findall(name):
        if word in _TELLING:
            return _TELLING[word]
    return "" if name.isascii() else next((_EXACT[part] for part in _CHINESE if part in name), "")


@lru_cache(maxsize=1 << 12)
def _bare(name: str) -> str:
    """Without emoji, numbers, punctuation around it and a trailing aside: '## 📌 2. 决策（重要）' -> '决策'."""
    name = _NUMBERED.sub("", _MARKS.sub("", _ASIDE.sub("", name.strip())).lower())
    return _MARKS.sub("", name)
