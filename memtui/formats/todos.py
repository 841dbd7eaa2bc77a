"""How far a task is: what lines, cells of tables and headings say of it, in Chinese and English.

A checkbox says it best and is read by `marks`; here are the words. Every line of every file is asked, so each
pattern stands behind a test that costs little.
"""

from __future__ import annotations

from functools import lru_cache

from memtui.core.startup import TYPE_CHECKING, compile_pattern
from memtui.formats import kinds, open_work

if TYPE_CHECKING:
    from collections.abc import Iterable


TICKS = frozenset("✅☑✔√")
"""What stands before something that is done, where no box does."""
TICKS_BEHIND = TICKS | frozenset("✓\ufe0f")
"""What an item of a roadmap ends in that is done."""
WAITS = frozenset("⏳🚧⬜🔲☐")
"""What stands before something that is still to be done."""
SIGNS = TICKS | WAITS | frozenset("❌✗✘🔄⏸")
"""What lines begin with that are the items of a list without bullets."""
LISTED = frozenset({"rule", "skill"})
"""Kinds of memories whose boxes are checked anew each time; where some are ticked they are tasks after all."""
STANDING = frozenset({"rule", "pref", "lesson", "decision", "fact"})
"""Kinds of memories that are no tasks: a tick before one of them says "so", not "done"."""
_SHUT = compile_pattern(
    r"\W*(?:done|completed?|finished|fixed|resolved|shipped|closed|merged|failed|skipped|cancell?ed|"
    r"erledigt|fertig|abgeschlossen|behoben|terminée?|faite?|hech[oa]|completad[oa]|resuelt[oa]|feit[oa]|concluíd[oa]|"
    r"готово|сделано|выполнено|завершено|исправлено|решено|完了|対応済み?|완료|해결|"
    r"已?(?:完成|实现|實現|解决|解決|修复|修復|上线|上線|关闭)|失败|跳过|取消)\W*",
    2,
)
_OPEN = compile_pattern(
    r"\W*(?:todo|open|pending|planned|in progress|not started|wip|blocked|deferred|backlog|ongoing|"
    r"to do|not done|offen|ausstehend|in arbeit|geplant|à faire|en cours|pendiente|en curso|pendente|em andamento|"
    r"не сделано|не начато|в работе|в процессе|ожидает|запланировано|未対応|未着手|対応中|진행 ?중|대기|미완료|예정|"
    r"待(?:实现|實現|接入|办|辦|处理|處理|完成|开发|開發|修复|修復|执行|執行|开始)|未(?:开始|開始|完成|实现|修复)|"
    r"进行中|進行中|计划中|計劃中)\W*",
    2,
)
CELL = 24
"""Characters of a cell that may say how far something is."""
_TAIL = 12
"""Characters at the end of a line in which it says that it is done: '… ✅ 已恢复'."""
_SHUT_AT_END = compile_pattern(
    r"✅\s*(?:done|completed?|fixed|resolved|已?(?:完成|解决|解決|修复|修復|上线|恢复))[^\n]{0,40}$", 2
)
_LONG = 600
"""Characters of a line that are looked into for what it says by the way."""
_SAYS_SO = 280
"""Characters of a line that may say by the way that something is still to be done."""
_UNDONE = compile_pattern(
    r"\bstill needs? (?:to|an?|the|\w+ing)\b|"
    r"\b(?:not|never) (?:been )?(?:implemented|done|wired|written|built|migrated|tested|deployed|fixed|supported|"
    r"verified|finished|started) yet\b|"
    r"\bnot yet (?:implemented|done|wired|written|built|migrated|tested|deployed|fixed|supported|verified|finished|"
    r"started)\b|"
    r"아직 (?:안 |못 ?|미)|待实现|待接入|待開發|待开发|尚未(?:实现|完成|接入|實現|测试|验证|部署|修复|解决|确认|"
    r"处理)|还没(?:写|做|实现|接入)|還沒(?:寫|做|接)",
    2,
)
_PRIORITY_LABEL = compile_pattern(r"(?:p[0-3]|(?:high|medium|low)[- ]priority|[高中低](?:优先级|優先級))$", 2)
_LABEL_OF_TODO = compile_pattern(
    r"(?:todo|ongoing|wip|offen|noch offen|осталось|сделать|pendente|pendiente|reste à faire|deferred|fixme|"
    r"left to do|blocked|blockiert|заблокировано|открыто|открытый вопрос|next (?:likely|logical|possible) steps?|"
    r"next(?: up| port)?|(?:my |our |the |immediate )?next (?:[a-z]+ )?(?:steps?|actions?|tasks?|moves?|goals?|"
    r"milestones?)|"
    r"(?:reminders?|to-?dos?) for (?:the )?next (?:session|time|week|run)|action items?|open questions?|"
    r"follow[- ]?ups?|to-?do|残タスク|下一步(?:计划|待做)?|待修改(?:事项|事項)?|剩余|剩餘)$",
    2,
)
_BEGINS = compile_pattern(
    r"(?:(?:still |currently )?(?:waiting (?:for|on)|awaiting|blocked (?:on|by)) (?![\"“«`])"
    r"(?![^.\n]{0,60}?\b(?:takes?|uses?|is|are|was|were|causes?|can|costs?|does|blocks?|should|must|may|will|"
    r"fails?)\b)|"
    r"follow[- ]?up (?:with|on) |still need to |(?:deferred|postponed) (?:to|until) |"
    r"todo(?:\([\w .-]{1,24}\)\s*[:：–—-]|\s*[–—-])\s|(?-i:TODO|FIXME) (?!items?\b|comments?\b|lists?\b|files?\b|is\b|"
    r"are\b)[^\W_]|"
    r"wart(?:et|en|e) (?:noch )?auf |muss noch |noch zu |en attente d|falta[nm]? (?:por )?[^\W\d_]{2,}[aei]r\b|"
    r"(?:aguardando|esperando) |(?:жд[её]м|жду|ожида(?:ем|ю|ет)) |"
    r"等待?(?!时间|队列)[^，。；\n]{0,24}(?:确认|回复|反馈|发送|提供|审批|授权|處理|处理|回覆|確認)(?![后後再]|"
    r"之[后後])|"
    r"(?:还|仍|還)(?:需要?|缺|未|没有?|沒有?)(?!有)|下一步(?:是|要|需|就)|需要?[^，。\n]{0,4}(?:确认|跟进|確認|"
    r"跟進)(?:[:：]|$))",
    2,
)
"""How a line begins that says what somebody waits for, or what is left."""
_BEGINS_FOUR = frozenset({
    "wait", "awai", "bloc", "stil", "foll", "defe", "post", "todo", "fixm", "wart", "muss", "noch", "en a", "falt",
    "agua", "espe",
})  # fmt: skip
_BEGINS_TWO = frozenset({
    "жд", "ож", "等待", "还需", "还缺", "还未", "还没", "仍需", "仍缺", "仍未", "仍没", "還需", "還缺", "還沒",
    "下一", "需要", "需确", "需跟", "需確",
})  # fmt: skip
_ENDINGS = frozenset({
    "not started", "not yet started", "not done", "not yet done", "not tested", "not yet tested", "pending", "todo",
    "in progress", "tbd", "wip", "still open", "ausstehend", "in arbeit", "pendente", "pendiente", "em andamento",
    "en curso", "в работе", "не сделано", "待处理", "待處理", "待办", "待辦", "待完成", "待确认", "待確認", "待实现",
    "待實現", "待定", "待开始", "未完成", "未开始", "未開始", "未实现", "未處理", "未处理", "进行中", "進行中",
    "未対応", "対応中", "진행 중", "진행중", "미완료", "미정", "보류",
})  # fmt: skip
"""What stands behind a line's last colon or dash where it is still to be done."""
_STILL = frozenset({"pending", "missing", "unresolved", "outstanding", "undone"})
_ENDS_SO = (
    "待确认", "待確認", "待验证", "待补充", "待測試", "待测试", "待处理", "待修复", "待完善", "待跟进", "待解决",
    "要確認", "確認待ち", "未対応", "未着手", "확인 필요", "等待决策",
)  # fmt: skip
_SAID_BEFORE = compile_pattern(r"[^\s:：·|（(]\s?[^\s:：·|（(]{3,5}$")
_AWAITED = compile_pattern(
    r"(?:(?<![等优招款])待\s?[^\s，。；,;:：的]{1,8}|(?:[，,；;]|^)等待?[^\s，。；,;:：的]{1,10}|"
    r"待(?:[今明][日天晚]|下?周[一二三四五六日天])\s?\d{1,2}[:：]\d\d[后後]?)\s?"
    r"(?:确认|確認|回复|回覆|处理|處理|验证|驗證|审批|审核|补充|决定|决策|测试)$"
)
"""The same, with who is to do it: '待 Anna 确认'."""
_ENDS_LAST = frozenset(text[-2:] for text in (*_ENDINGS, *_STILL, *_ENDS_SO)) | {
    "DO",
    "BD",
    "IP",
    "NG",
    "SS",
    "**",
}
"""What such a line ends in, to be looked at first."""
_TAIL_END = 24
"""Characters at the end of a line in which such words stand."""
_STATUS = frozenset({
    "status", "state", "stage", "phase", "progress", "stand", "статус", "状态", "狀態", "进度", "阶段", "estado",
    "상태", "状況",
})  # fmt: skip
_NOTHING = frozenset({
    "none", "none.", "n/a", "nothing", "nothing.", "nil", "-", "—", "–", "none yet", "none currently", "none right now",
    "none at this time", "no blockers", "nothing pending", "none known", "none identified", "all done", "no open items",
    "keine", "keine.", "nichts", "aucun", "aucune", "rien", "ninguno", "ninguna", "nada", "nenhum", "nenhuma",
    "nessuno", "нет", "нет.", "ничего", "无", "无。", "無", "暂无", "暂无。", "暫無", "没有", "沒有", "なし", "なし。",
    "特になし", "없음", "없음.", "(none)", "（无）",
    "（暂无）", "not applicable", "no open questions", "no pending items",
})  # fmt: skip
"""What stands under such a heading, or behind such a label, where there is nothing."""
_NEXT_BOLD = compile_pattern(
    r"\*\*[^*\n]{0,80}\b(?:pending|deferred|remaining|outstanding|not yet [a-z]+|left to do|still to do)\b"
    r"[^*\n]{0,48}\*\*",
    2,
)
"""A bold beginning that marks open work: '**Fix pushed, deploy pending:** …'."""
_NEXT_WITHIN = compile_pattern(
    r"\*\*(?:下一步(?:计划|待做)?|待办|待辦|剩余|剩餘|遗留|未完成)\s*[:：]?\*\*\s*[:：]?|"
    r"[.;:] (?:Remaining|Next|TODO|Left to do): "
)
_NEXT_END = compile_pattern(
    r"\s[—–-]+\s*(?:\*\*)?(?:BACKLOG|TODO|PENDING|IN PROGRESS|WIP|BLOCKED|TBD)\b(?:\*\*)?[^\n—–]{0,80}$"
)
_NOTED = compile_pattern(
    r"[(（\[](?:todo|in progress|not yet done|wip|offen|noch offen|in arbeit|em andamento|en curso|进行中|進行中|"
    r"待(?:确认|實現|实现|处理|安?装|修复|集成|接入|部署|配置|创建|开发|完善|补充|测试|验证|"
    r"执行)|未开始|미구현|진행 ?중|보류|미정|未対応|対応中|ausstehend|pendente|pendiente|à faire|не сделано|"
    r"待办|待辦|待做|未完成)"
    r"[)）\]][.。!]?$|^[^,，、(（]*[(（\[](?:pending|not started)[)）\]]$|"
    r"(?:→|—|–)\s*(?:\*\*)?(?:still open|noch offen|pending|не сделано|待办|待辦|未完成)\b(?:\s\([^()\n]{0,60}\))?$",
    2,
)
"""Endings of lines that mark open work."""
_ASIDES = frozenset({
    "todo", "offen", "noch offen", "ausstehend", "pendente", "pendiente", "à faire", "не сделано", "待办", "待辦",
    "待做", "未完成", "pending", "not started", "in progress", "not yet done", "wip", "in arbeit", "em andamento",
    "en curso", "进行中", "進行中", "待确认", "待实现", "待處理", "待处理", "未开始", "미구현", "진행 중", "진행중",
    "보류", "미정", "未対応", "対応中",
})  # fmt: skip
_NEEDED = compile_pattern(
    r"(?:still )?needs? to (?![^.\n]*\?)|(?:нужно|надо|осталось) [^\W\d_]+(?:ть|ти|чь)(?:ся)?\b|muss noch |noch zu ",
    2,
)
_NEEDS_FOUR = frozenset({"need", "noch", "stil", "muss", "нужн", "надо", "оста"})
_LATER = compile_pattern(
    r"[后後][续續](?:可以?|再|考虑|考慮|计划|計劃|需要?|待)?"
    r"(?:接入|引入|扩展|擴展|优化|優化|补充|補充|补|補|实现|實現|迁移|遷移|完善|增强|增強|支持|拆分|替换|替換)"
    r"(?![^，。；,;\n]{0,16}(?:时|時|的话|应|應|须|須))"
)
_SETTLED = compile_pattern(
    r"(?:\*\*)?[^\n:：。]{0,80}?\b(?:DONE|SHIPPED|RESOLVED|FIXED|COMPLETED?|MERGED)\b(?:\*\*)?"
    r"(?=(?: on)? 20\d\d-|\s*[:：(（]|\s*[.。!！✅]?\s*$)"
)
"""How a line begins that says, in capitals, that something is done: 'Smoke test DONE 2026-07-04: …'."""
_SETTLED_BOLD = compile_pattern(
    r"\*\*[^*\n]{1,80}\*\*\s*[(（](?:done|completed?|finished|fixed|shipped|resolved|merged|"
    r"已?(?:完成|修复|修復|解决|解決|上线|上線))(?:[ ,，:：][^()（）]{0,40})?[)）]",
    2,
)
_DONE_AT_END = compile_pattern(
    r"(?:[—–-]|→|->)\s+(?:already |now |all )?(?:done|completed?|finished|fixed|merged|shipped|resolved|migrated|"
    r"implemented|deployed|closed|erledigt|behoben|готово|сделано|исправлено|已?(?:完成|修复|解决|上线|部署))"
    r"(?:\s+(?:on |by |in |am )?(?:PR )?(?:20\d\d-\d\d-\d\d|#\d+))(?:[;,.。✅\s][^\n]{0,60})?$",
    2,
)
"""How a line ends that says when it was done."""
_DONE = compile_pattern(
    r"^\W*~~[^~]+~~(?!.*(?:🟡|⏳|🚧))|✅\s*(?:已?(?:完成|解决|修复|上线)|done|completed?|fixed|resolved)\b|"
    r"[—–-]\s*(?:done|completed?|fixed|resolved|shipped|已?(?:完成|解决|修复|上线))\s*✅?\s*$|"
    r"[(（\[](?:已完成|done|completed?|fixed|resolved|shipped|已修复|已解决)[)）\]]\s*$|"
    r"^[\W\d_]*(?:(?:recent(?:ly)? )?(?:completions|done|completed?|finished|resolved|fixed|shipped|closed)"
    r"(?: (?:items?|tasks?|todos?|issues?|work|bugs?))?|(?:items?|tasks?|issues?|findings?) "
    r"(?:actioned|done|completed|closed|resolved|fixed|handled|addressed)|"
    r"(?:[今本]?[日天次周])?已?完成(?:的?(?:事项|任务|工作))?|已(?:完成|解决|解決|修复|修復|上线|上線|关闭|關閉|执行|實施|实施|处理)"
    r"(?:的?(?:事项|任务|工作|问题|功能|項目|事項|任務|操作|措施|修复|优化))?)"
    r"\W*(?:[(（\[][^()（）]*[)）\]])?\s*$|"
    r"^[\W\d_]*(?:(?:[a-z][\w'-]* ){0,4}(?:tasks?|stor(?:y|ies)|items?|work|to-?dos?|issues?|bugs?|jobs?|projects?|"
    r"sub-?tasks?|prs|tickets?|features?|fixes|milestones?) (?:completed|done|finished|shipped|closed|resolved|fixed|"
    r"merged|delivered)|(?:already )?(?:completed|done|finished|shipped|fixed|merged)|"
    r"what (?:was|got|we|i(?! should)|i['’]ve|has been)\b[^\n/]{0,20}\b(?:done|completed|finished|shipped|"
    r"accomplished|fixed))"
    r"(?: (?:in|this|today|during|so far|since|yesterday|last|tonight|earlier)\b[^:\n]{0,40})?\W*"
    r"(?:[(（\[][^()（）]*[)）\]])?\s*$|"
    r"^[\W\d_]*(?:(?:bereits )?(?:erledigt|abgeschlossen|behoben|gemacht)|сделано|готово|выполнено|завершено|"
    r"исправлено|fait|terminé|hecho|completado|feito|concluído|完了(?:済み)?|"
    r"(?:対応|修正|実装|解決|確認)済み?|완료(?:된 작업)?)"
    r"\W*(?:[(（\[][^()（）]*[)）\]])?\s*$",
    2,
)
_TICKED = compile_pattern(r"^\W*(?:✅|☑|✔|√)|(?:✅|☑|✔|√)\s*(?:[(（]?\d{4}[\d./年月日-]{3,7}[)）]?)?$")
_SIGNED = compile_pattern(r"^\W*(?:🚧|⏳|🔲|⬜)")
_RANKED = compile_pattern(
    r"[^\w\[]*(?:p[0-3]\b(?!.{0,16}(?:信息|身份|记忆|永久|长期|临时|identity|memor|permanent|temporary|\d\s?(?:d\b|days|天)))|"
    r"(?:(?:high|medium|low|top) priority(?: (?:items?|tasks?))?|[高中低](?:优先级|優先級))[^\w(（]*"
    r"(?:[(（][^()（）]*[)）]\W*)?$)",
    2,
)
_DONE_ASIDE = compile_pattern(
    r"(?!.*(?:pending|remain|still|todo|partial|except|offen|teil|reste|sauf|pendient|pendente|falta|待|未|除))"
    r"\W*(?:done|completed?|finished|resolved|fixed|shipped|closed|merged|delivered|erledigt|fertig(?:gestellt)?|"
    r"abgeschlossen|behoben|terminée?s?|fini[es]*|faite?s?|livrée?s?|résolue?s?|hech[oa]s?|completad[oa]s?|terminad[oa]s?|"
    r"resuelt[oa]s?|concluíd[oa]s?|feit[oa]s?|finalizad[oa]s?|сделано|готово|завершено|выполнено|已?完成|已(?:修复|解决|上线)|完了(?:済み)?)"
    r"(?=$|\s*[—–,，;:：/✅-]|\W*\d|\s(?:in|on|by|at|am|im|en|em|le|el|du|de|à|в|"
    r"jan|f[eé]v|feb|m[aä]r|apr|avr|abr|mai|may|jun|jui|jul|aug|ao[uû]|ago|sep|o[ck]t|out|nov|d[eé][czs]))",
    2,
)
"""In brackets behind a heading, or behind a dash: all below it is done, whenever."""
_DASHED = compile_pattern(r"(?:\s[—–-]+|:|✅|☑|✔|√)\s+([^—–✅☑✔√()（）]{4,60})$")
_ASIDE_AT_END = compile_pattern(r"[(（\[]([^()（）\[\]\n]{2,60})[)）\]]\W*$")
"""Headings that say how far all below them is."""


_SIGNED_LABEL = "*_ ⚠🔴🟡❗\ufe0f"
"""What may stand before and behind a label."""
_LABEL_END = 32
"""Characters of a line within which its label ends."""
_NAUGHT = 24
"""Characters in which it may say that there is nothing."""
_LABEL = 40
_CLOSED = frozenset(")）]")
_CLOSED_ASIDE = _CLOSED | WAITS
_ASIDE = 16
_LAST = 100
"""Characters at the end of a line in which it may say that it is put off."""
_REMAINS = compile_pattern(
    r"\b(?:remains? open|still open|not yet (?:done|scoped|started)|still to be done|left to do|"
    r"noch offen)\b|\b(?:is|are|was|were|has|have) (?:still )?not (?:been )?(?:yet )?(?:written|built|"
    r"implemented|covered|tested|wired|migrated|deployed|verified)\b|尚未完成|仍未解决|ещё не сделан",
    2,
)
"""How a sentence leads to what is still to be done."""
_REMAINS_WITHIN = ("open", " not ", "still to", "left to", "offen")
_PRIORITY = compile_pattern(r"p[0-4]\b|prio(?:rity|rität)?\s?\d\b|(?:high|medium|low) priority\b|[高中低]优先级", 2)
_ADVISED = compile_pattern(
    r"(?:(?:recommended|suggested|planned|proposed|possible) "
    r"(?:additions?|improvements?|next|work|changes|follow[- ]?ups?|tests?)|"
    r"(?:推荐|建议|推薦|建議)(?:的)?(?:补充|新增|补测|测试|改进|优化|后续|補充|測試|改進|優化|後續))",
    2,
)
"""How a label begins that leads to what somebody thinks should be done."""


_TODO = compile_pattern(r"(?:[.;。；,，!！(（—–-]\s*|\*\*)TODO(?:\*\*)?\s*[:：]")
"""What a line says by the way in capitals."""


def _expand_cases(words: Iterable[str]) -> frozenset[str]:
    """How words begin, two letters of either case each: cheaper than to make each line's small."""
    return frozenset(
        one + other for word in words for one in (word[0], word[0].upper()) for other in (word[1:2], word[1:2].upper())
    )


_LABELS = _expand_cases(open_work.LEFT_FIRST | {"nä", "à ", "a ", "в "})
_LABEL_CHARACTERS = frozenset(
    "高中低待下未遗遺剩进進等阻后後明需卡行尚还還没沒近仍技计計规悬开正接今本主其次残要確保検宿持や対作返レ翌来"
    "다할해남진미보대확결추향후잔예아블сбдощнпжкзСБДОЩНПЖКЗ"
)
"""First letters of labels that may mark open work."""
_SAY_TWO = _expand_cases(_NEEDS_FOUR | _BEGINS_FOUR | _BEGINS_TWO)


def is_pending_line(text: str, kind: str = "") -> bool:
    """Whether a line, of a memory of this kind, says that something is still to be done."""
    if text[0] == "⚠":
        text = text.lstrip("⚠\ufe0f ") or text
    two = text[:2]
    if text[0] == "*":
        two = text[2:8].lstrip(_SIGNED_LABEL)[:2]
        if _has_open_bold_lead(text):
            return True
    if (
        (two in _LABELS or two[:1] in _LABEL_CHARACTERS)
        and (":" in text[:_LABEL_END] or "：" in text[:_LABEL_END])
        and _has_task_label(text, kind)
    ):
        return not is_empty_statement(text)
    plain = text.isascii()
    if not plain and _is_numbered(text):
        return not text.endswith(_SETTLED_ENDS)
    if not plain and "**" in text and ("：**" in text or "**：" in text or ":**" in text) and _has_inner_label(text):
        return True
    if (
        ": " in text
        and ("Next: " in text or "TODO: " in text or "emaining: " in text or "o do: " in text)
        and _NEXT_WITHIN.search(text[:_LONG])
    ):
        return True
    if "TODO" in text and _TODO.search(text[:_LONG]):
        return True
    if len(text) > _SAYS_SO:
        return False
    loose = kind not in STANDING
    if loose:
        if two in _SAY_TWO:
            four = text[:4].lower()
            if four in _NEEDS_FOUR and _NEEDED.match(text):
                return True
            if (four in _BEGINS_FOUR or four[:2] in _BEGINS_TWO) and _BEGINS.match(text):
                return True
        at = text.find(": ", 0, _LABEL) + 2 if ":" in text[:_LABEL] else 0
        if at > 1 and text[at : at + 2] in _SAY_TWO and _BEGINS.match(text, at):
            return True
        if text[-1] in WAITS or _ends_in_open_word(text.rstrip(_SIGNED_LABEL) or text):
            return True
    if (text[-1] in _CLOSED or "→" in text) and _has_open_aside(text):
        return True
    if plain:
        return ((" -" in text or "\n-" in text) and _put_off(text)) or (
            (" yet" in text or ("till need" in text and loose)) and _UNDONE.search(text) is not None
        )
    if ("—" in text or "–" in text) and _put_off(text):
        return True
    if ("后续" in text or "後" in text) and _LATER.search(text):
        return True
    undone = (
        ("待" in text and ("待实" in text or "待接" in text or "待开" in text or "待開" in text))
        or "尚" in text or "아직" in text or "还没" in text or "沒" in text or " yet" in text
    )  # fmt: skip
    return undone and _UNDONE.search(text) is not None


def _has_task_label(text: str, kind: str) -> bool:
    """Whether a line begins with a label for open work."""
    name = text[:_LABEL_END].partition(":")[0]
    if not name.isascii():
        name = name.partition("：")[0]
    elif name.lstrip(_SIGNED_LABEL).partition(" ")[0].lower().rstrip("*_") not in open_work.LEFT_FIRST:
        return False
    bare = name.strip(_SIGNED_LABEL).lower()
    if bare == "保留" and not any("ぁ" <= char <= "ヿ" for char in text):
        # In Japanese it waits; in Chinese it is kept.
        return False
    told = _classify_work_label(bare)
    return told == "always" or (told != "" and kind not in STANDING)


@lru_cache(maxsize=1 << 13)
def _classify_work_label(label: str) -> str:
    """'always', where a label says of anything that it is to be done; else 'tasks', for what is no rule or lesson."""
    if _LABEL_OF_TODO.match(label) is not None or _PRIORITY_LABEL.match(label) is not None:
        return "always"
    return "tasks" if open_work.is_open_work_label(label) else ""


def is_empty_statement(text: str) -> bool:
    """Whether a text, behind its label, says that there is nothing: 'None', 'Blockers: none today'."""
    said = text[:_SAID].replace("：", ":")
    if len(text) < _SAID and said.rpartition(":")[2].strip("*_ ").lower() in _NOTHING:
        return True
    behind = said.partition(":")[2].lstrip("* ")
    return behind[:1] in _NOUGHT_FIRST and _NOUGHT.match(behind.lower()) is not None


_SAID = 80
"""Characters in which it is said that there is nothing."""
_NOUGHT_FIRST = frozenset("nNtTнН目当暂无没见详参sS")
_NOUGHT = compile_pattern(
    r"(?:none|nothing|nichts|nada|нечего)\b|(?:详?见|参见|see):?\s*(?:`[^`\n]+`|\[[^\]\n]*\](?:\([^)\n]*\))?)[.。]?$|(?:目前|当前|暂)?(?:无|没有)(?:阻塞|卡点|待|$|[，。,；])|"
    r"(?:there (?:is|are) )?no (?:[a-z]+[ /]){0,3}(?:blockers?|obstacles?|hindrances?|issues?|tasks?|items?|questions?|"
    r"work(?:streams?)?|problems?|steps?|actions?|todos?)\b"
)
"""How what stands behind a label begins where there is nothing."""


def _ends_in_open_word(text: str) -> bool:
    """Whether a line's last word marks open work and is no value of a progress field."""
    if text[-2:] not in _ENDS_LAST:
        return False
    tail = text[-_TAIL_END:]
    if not tail.isascii() and (
        (tail.endswith(_ENDS_SO) and _SAID_BEFORE.search(tail) is not None) or _AWAITED.search(tail)
    ):
        return "\n" not in text
    at = max(tail.rfind(": "), tail.rfind("- "), tail.rfind("— "), tail.rfind("– "), tail.rfind("："))
    if at < 0:
        return "still " in tail and tail.rpartition("still ")[2] in _STILL and "?" not in text
    if tail[at + 1 :].strip("*_ ").lower() not in _ENDINGS or "\n" in text or text[0] == "`":
        return False
    return text[: len(text) - len(tail) + at].strip("*_:- ").lower() not in _STATUS and "?" not in text


def _has_open_bold_lead(text: str) -> bool:
    """Whether the bold beginning of a line marks open work."""
    bold = text[2 : text.find("**", 2)].lower()
    return (
        "pending" in bold or "deferred" in bold or "remaining" in bold or "outstanding" in bold
        or "not yet" in bold or " to do" in bold
    ) and _NEXT_BOLD.match(text) is not None  # fmt: skip


def _has_inner_label(text: str) -> bool:
    """Whether a Chinese line holds a label for open work."""
    return (
        "下一步" in text or "待" in text or "剩" in text or "遗留" in text or "未完成" in text
    ) and _NEXT_WITHIN.search(text[:_LONG]) is not None  # fmt: skip


def _has_open_aside(text: str) -> bool:
    """Whether a short aside at the end of a line, or the text before it, marks open work."""
    if text.rfind("→", -_LAST) < 0:
        begins = max(text.rfind("(", -_ASIDE), text.rfind("[", -_ASIDE), text.rfind("（", -_ASIDE))
        if begins < 0 or (
            "—" not in text
            and "–" not in text
            and text[begins + 1 :].rstrip(".。!)）]").lower() not in _ASIDES
            and text[begins + 1 : begins + 2] != "待"
        ):
            return False
    return _NOTED.search(text, max(0, len(text) - _LAST)) is not None


def _put_off(text: str) -> bool:
    tail = text[-_LAST:]
    return (
        "BACKLOG" in tail or "TODO" in tail or "PENDING" in tail or "PROGRESS" in tail or "WIP" in tail
        or "BLOCKED" in tail or "TBD" in tail
    ) and _NEXT_END.search(text) is not None  # fmt: skip


def _is_numbered(text: str) -> bool:
    """Whether it names a task of somebody's list by its number."""
    return "#" in text[:_LABEL_END] and ("待办#" in text[:_LABEL_END] or "待办 #" in text[:_LABEL_END])


_ALREADY = compile_pattern(
    r"已(?:完成|修复|解决|创建|复制|添加|配置|部署|更新|安装|测试|验证|集成|提交|启动|发送|删除|合并|实现|执行)(?!.*(?:[但待未需的可]|\?|？))"
)
"""How an item of such a list begins that tells what was done already."""
_SETTLED_ENDS = (" 已完成", " 已解决", " 已修复", " 已上线", " 已处理")


def is_settled_line(text: str, *, wanted: bool) -> bool:
    """Whether a line says that it is done: at its beginning, or, where it is one of those `wanted`, at its end."""
    if (wanted or _is_numbered(text)) and (
        text.endswith(_SETTLED_ENDS) or ("✅" in text and ("✅" in text[-_TAIL:] or _SHUT_AT_END.search(text)))
    ):
        return True
    if wanted and text[0] == "已" and _ALREADY.match(text) is not None:
        return True
    if text[0] == "*" and text[text.find("**", 2) + 2 :][:2].lstrip()[:1] in {"(", "（"} and _SETTLED_BOLD.match(text):
        return True
    # A single character is found the fastest: most lines have no digit.
    if (("0" in text and "20" in text) or "#" in text) and (
        ("-" in text and "- " in text) or ("—" in text and "— " in text) or "→" in text
    ):
        tail = text[-_LAST:]
        if ("20" in tail or "#" in tail) and _DONE_AT_END.search(tail):
            return True
    # All such words have an E.
    if "E" not in text or ("ED" not in text and "DONE" not in text and "COMPLETE" not in text):
        return False
    return _SETTLED.match(text) is not None


@lru_cache(maxsize=1 << 12)
def state_of(cell: str) -> str:
    """'done' or 'open', where a table's cell says how far something is; empty: it says something else."""
    if len(cell) > CELL:
        return "open" if cell[:1] in WAITS else ""
    if cell in TICKS or _SHUT.fullmatch(cell):
        return "done"
    return "open" if cell[:1] in WAITS or _OPEN.fullmatch(cell) else ""


BEFORE_ASIDE = compile_pattern(r"\*\*([^*\n:：]{2,60})\*\*\s*[(（]")
"""A label in bold, and what is said of it by the way."""


@lru_cache(maxsize=1 << 11)
def state_of_label(text: str) -> str:
    """'done' or 'open', as a line has it that leads to a list; empty: it says something else."""
    bold = BEFORE_ASIDE.match(text)
    bare = (text if bold is None else bold[1]).strip("*_:： #\n")
    if len(bare) > _LABEL:
        return "open" if len(bare) <= _SAYS_SO and _leads_to_open_work(bare) else ""
    if _says_done(bare):
        return "done"
    if kinds.infer_heading_kind(bare, outermost=True) == "todo" or open_work.is_work_request_label(bare):
        return "open"
    return "open" if _ADVISED.match(bare) or _PRIORITY.match(bare) or _leads_to_open_work(bare) else ""


def _leads_to_open_work(bare: str) -> bool:
    """Whether a sentence leads to what is still to be done."""
    if bare.isascii() and not any(map(bare.lower().__contains__, _REMAINS_WITHIN)):
        return False
    return _REMAINS.search(bare) is not None


def state_of_heading(heading: tuple[str, ...]) -> str:
    """'done' or 'open' by the innermost heading that states it or names open work; else empty.

    'ticked': it has no more than a tick, which settles what was to be done, and praises all else; 'signed': no more
    than an hourglass, a box or a priority, which parts kinds of lessons as well as what waits.
    """
    if not any(map(_state_of_part, heading)):
        return ""
    for part in reversed(heading):
        state = _state_of_part(part)
        if state or kinds.infer_heading_kind(part) == "todo":
            return state
    return ""


_ENGLISH = compile_pattern(r"[a-z]+")
_TELL = frozenset({
    "actioned", "handled", "addressed", "completions", "done", "complete", "completed", "finished", "resolved", "fixed",
    "shipped", "closed", "merged", "delivered", "accomplished", "erledigt",
    "abgeschlossen", "behoben", "gemacht", "fait", "hecho", "completado", "feito",
})  # fmt: skip
_TELL_WITHIN = ("ed", "done", "comple", "ledigt", "schlossen", "behoben", "gemacht", "fait", "hecho", "feito")
"""Of each of them, a part."""


@lru_cache(maxsize=1 << 13)
def _state_of_part(part: str) -> str:
    if _says_done(part):
        return "done"
    if not part.isascii() and _TICKED.search(part):
        # '✅ Next steps' is where a list stands, not how far it is.
        return "" if kinds.infer_heading_kind(part) == "todo" else "ticked"
    aside = _ASIDE_AT_END.search(part) if part.rstrip("*_: ")[-1:] in _CLOSED_ASIDE else None
    if aside is not None and open_work.is_ahead(aside[1]):
        return "open"
    if (behind := aside or _DASHED.search(part)) is not None and _DONE_ASIDE.match(behind[1]):
        return "done"
    return "signed" if (not part.isascii() and _SIGNED.search(part)) or _RANKED.match(part) else ""


def _says_done(text: str) -> bool:
    if text.isascii() and "~~" not in text:
        small = text.lower()
        if not any(map(small.__contains__, _TELL_WITHIN)) or _TELL.isdisjoint(_ENGLISH.findall(small)):
            return False
    return _DONE.search(text) is not None
