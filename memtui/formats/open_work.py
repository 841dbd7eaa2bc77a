"""What headings and labels say of work that is still to be done, in many languages.

They are read by what they are made of: the names of such lists, the state that things are in, when they are to be done
and by whom. `kinds` and `todos` ask here.
"""

from __future__ import annotations

from functools import lru_cache

from memtui.core.startup import compile_pattern

NAMES_CHINESE = (
    "待办事项 待办清单 待办 当前任务 未完成 未完成事项 待完成 待处理 待修改 遗留问题 遗留 剩余 剩余工作 "
    "剩余任务 下一步 下一步计划 下一步待做 后续工作 后续计划 后续待办 明日待办 明日计划 未解决 未解决问题 "
    "待辦 待辦事項 剩餘 待实现 待接入 待开发 待修改事项 待修改事項 后续方向 下一步方向 未解决问题 已知待办 "
    "待执行 待執行 需要完善 明天要做 明日要做 明日关注 近期优先级 当前优先级 优先事项 待确认 待跟进 "
    "待优化 待解决 待验证 待实施 待开始 开放问题 未决事项 未决问题"
)
NAMES_ENGLISH = (
    "todo, todos, to do, to-do, open, open items, open questions, open issues, next, next steps, action items, "
    "pending, pending items, unfinished, current task, current tasks, current focus, remaining, "
    "remaining work, remaining tasks, backlog, follow-up, follow-ups, follow ups, what's next, open threads, "
    "next up, current todo, open points, open tasks, open loops, open decisions, outstanding, "
    "outstanding items, pending tasks, pending work, upcoming, upcoming tasks, active tasks, "
    "current priorities, top priorities, priorities, still open, left to do, to be done, not started, "
    "unresolved, carry over, future work, known gaps, remaining gaps, technical debt, 进行中, 接下来, "
    "what's left to build, left to build, "
    "things to do, todo list, to-do list, action required, waiting on, waiting for, to fix, "
    "not done, not done yet, unfinished business, tomorrow, for tomorrow, plan for tomorrow, next session, "
    "next time, coming up, future improvements, future enhancements, o que falta, lo que falta, "
    "offen, noch offen, offene punkte, offene fragen, offene aufgaben, offene tasks, offene todos, "
    "zu erledigen, "
    "zu tun, ausstehend, pendenzen, nächste schritte, nächste aufgaben, als nächstes, "
    "à faire, reste à faire, prochaines étapes, prochaines actions, questions ouvertes, "
    "pendiente, pendientes, tareas pendientes, por hacer, próximos pasos, siguientes pasos, "
    "preguntas abiertas, "
    "pendências, pendente, pendentes, próximos passos, a fazer, tarefas pendentes, em aberto, da fare, "
    "prossimi passi, in sospeso, "
    "следующие шаги, следующий шаг, дальнейшие шаги, что дальше, дальше, сделать, нужно сделать, надо сделать, "
    "что сделать, осталось, осталось сделать, открытые вопросы, незавершённое, незавершенное, отложено, "
    "наступні кроки, do zrobienia, следващи стъпки, "
    "次のステップ, 次のアクション, 未対応, 未完了, 未解決, 残タスク, 残作業, やること, 今後の対応, 今後の課題, "
    "다음 단계, 다음 작업, 할 일, 할일, 해야 할 일, 미해결, 미완료, 남은 작업, 남은 일"
)
"""Headings and labels that name outright what is still to be done."""
_NAMED = frozenset(NAMES_CHINESE.split()) | frozenset(NAMES_ENGLISH.split(", "))
_PHRASES = compile_pattern(
    r"\b(?:next (?:[a-z]+ )?(?:step|priorit|action|task)|(?:focus|work|plan|priorities) going forward|"
    r"(?:pending|remaining|upcoming) (?:action|task|work|item|step)|"
    r"action item|(?:open|outstanding) (?:[a-z-]+ )?(?:question|issue|item|task|point|todo|decision|ticket)s?\b|"
    r"still open|left to do|(?:current|top|immediate|near[- ]term|short[- ]term) priorit|"
    r"offene (?:punkt|frage|aufgabe|task|todo)|nächste schritt|noch (?:offen|zu erledigen)|"
    r"следующие шаги|дальнейшие шаги|осталось сделать|prochaines (?:étape|action)|reste à faire|"
    r"próximos pas|(?:tareas|tarefas) pendientes?|다음 단계|남은 작업|해야 할)"
)
"""What a heading says of what is still to be done, whatever stands around it."""
_BEGIN = frozenset({
    "next", "pending", "remaining", "upcoming", "action", "open", "outstanding", "still", "left", "current", "top",
    "immediate", "near", "short", "focus", "work", "plan", "priorities",
    "offene", "noch", "prochaines", "reste", "tareas", "tarefas",
})  # fmt: skip
"""What such a phrase begins with, in letters of ASCII."""
_THINGS = (
    r"(?:items?|tasks?|work|issues?|questions?|decisions?|actions?|to-?dos?|steps?|points?|bugs?|prs?|fixes|"
    r"validations?|verifications?|approvals?|reviews?|follow-?ups?|threads?|loops?|matters?|features?)"
)
_VERBS = (
    r"(?:do|verify|investigate|decide|test|check|research|review|discuss|confirm|fix|implement|explore|monitor|buy|"
    r"clarify|resolve|revisit|rework|redo|finish|try|follow up|"
    r"be (?:done|decided|determined|confirmed|verified|implemented))"
)
_LEFT_ENGLISH = compile_pattern(
    # English
    rf"(?:(?:still|currently|all|my|our|current|immediate|manual|known|other|some) )*(?:"
    rf"(?:pending|remaining|outstanding|unresolved|unfinished|incomplete|deferred|blocked|postponed|upcoming|planned|"
    rf"required|follow-?up) (?:backlog )?{_THINGS}|"
    rf"(?:open|immediate|urgent) (?:items?|tasks?|work|issues?|questions?|decisions?|"
    rf"actions?|to-?dos?|steps?|prs|pull requests|bugs?)|"
    rf"(?:[a-z-]+ )?{_THINGS} (?:remaining|outstanding|pending|left|to do|to follow up|in progress)|"
    rf"in[- ]progress|blockers?|deferred|postponed|incomplete|awaiting|waiting|up next|pending|blocked|wip|tbd|"
    rf"follow[- ]?ups?|"
    rf"unresolved|loose ends|parking lot|tech debt|(?:[a-z]+ )?backlog(?: items?| ideas?)?)"
    rf"(?: (?:for|from|on|after|before|this|by|with|as of|until|at) .*)?|"
    rf"(?:awaiting|waiting (?:on|for)|blocked (?:on|by)|questions for)(?: .{{1,60}})?|"
    rf"(?:things |items |still |yet )?to {_VERBS}(?: (?:next|later|soon|today|tomorrow|with .*|before .*|for .*))?|"
    rf"(?:decisions?|reviews?|actions?|attention|inputs?|approvals?|follow-?ups?|fix(?:es)?) (?:still )?"
    rf"(?:needed|required)(?: (?:from|by|on|for) .*)?|"
    rf"(?:still )?(?:needs?|requires?) (?:a |[a-z]+(?:['’]s)? )?(?:decision|review|attention|action|follow[- ]?up|"
    rf"input|work|fixing|verification|testing|approval|confirmation)|"
    rf"what(?:'s| is|’s)? (?:still )?(?:left|missing|remains|next|remaining|pending|open)(?: to do)?|"
    rf"what (?:still )?needs .*|still (?:missing|needed|pending|open|to do|todo|to be .*)|"
    rf"not (?:yet )?(?:implemented|done|started|verified|tested|finished|built|addressed|fixed|migrated)(?: yet)?|"
    rf"(?:(?:plans?|priorities|focus|agenda|tasks|todos?) )?for (?:tomorrow|(?:the )?next (?:session|week|time|"
    rf"sprint))|"
    rf"(?:tomorrow|next (?:session|week|sprint))(?:['’]s (?:plan|priorities|tasks|focus|agenda))|"
    rf"next (?:session|week|sprint) (?:should|plan|priorities|tasks|focus|agenda|todos?)|"
    rf"(?:(?:outstanding|remaining|open|known|other|earlier) )*(?:still|yet|left|gaps?|"
    rf"(?!steps?\b|actions?\b){_THINGS}) (?:still |left |yet )?to "
    rf"(?!know\b|note\b|remember\b|avoid\b|consider\b|keep\b)[a-z]+(?: .{{1,60}})?|"
    rf"(?:earlier|previous|older|other) (?:open|outstanding|pending|unfinished|remaining) {_THINGS}|"
    rf"(?:(?:at the )?(?:start|beginning) of )?(?:the )?next (?:session|time)\W{{1,4}}"
    rf"(?:(?:start|pick|continue|begin|resume)\b.*)|"
    rf"first things?(?: to (?:do|check|ask))?(?: (?:in|for|of|at))?(?: the)? next (?:session|time|week)|"
    rf"(?:where to )?(?:pick up|continue|resume)(?: from)? here(?: next(?: time| session)?)?|"
    rf"carr(?:y|ied)[- ]?(?:forward|over)s?(?: (?:items?|tasks?|to-?dos?|work|from .*|to .*))?"
)
"""A heading or a label, all of it, over what is still to be done, in English."""
_LEFT_LATIN = compile_pattern(
    # German
    r"nächste[rn]? (?:schritte?|aufgaben?|aktion(?:en)?|themen)|"
    r"(?:noch )?(?:offene?|ausstehende|verbleibende|anstehende|ungeklärte|blockierte) (?:punkte|fragen|aufgaben|"
    r"themen|"
    r"tasks|todos?|issues|entscheidungen|arbeiten|baustellen|pendenzen)|in (?:arbeit|bearbeitung)|"
    r"(?:noch )?zu (?:erledigen|tun|klären|prüfen|testen|entscheiden)|was (?:noch )?(?:fehlt|offen ist|zu tun ist)|"
    r"(?:das )?fehlt noch|warte[tn]? auf(?: .*)?|zurückgestellt|noch nicht (?:erledigt|fertig|umgesetzt)|"
    r"(?:(?:plan|aufgaben) )?für morgen|"
    r"geplant(?:e (?:verbesserung|änderung|erweiterung|funktion|feature|aufgabe|arbeit)[a-z]*)?|"
    # French, Spanish, Portuguese, Italian
    r"prochaines? (?:étapes?|actions?|tâches?)|prochaines? (?:sessions?|séances?)(?:\W{1,4}.*)?|"
    r"prochains (?:objectifs|chantiers|travaux|points)|(?:(?:améliorations?|évolutions?|fonctionnalités?|corrections?|"
    r"travaux|tâches?|étapes?|chantiers?|changements?) )?(?:à venir|prévu(?:e?s)?|planifié(?:e?s)|envisagé(?:e?s))|"
    r"(?:mejoras|funcionalidades|funciones|cambios|tareas|trabajos|melhorias|tarefas|mudanças) "
    r"(?:previst|planificad|planead|planejad|futur)[oa]s|(?:miglioramenti|funzionalità|"
    r"modifiche) previst[ie]|(?:reste )?[àa] (?:faire|vérifier|décider|tester|valider|corriger|"
    r"clarifier|traiter)|en (?:cours|attente|suspens)|(?:points?|sujets?|tâches?|questions?) (?:ouvert|restant|"
    r"en attente)"
    r"e?s?|bloqué(?:e?s)?|blocages?|ce qui reste(?: .*)?|"
    r"pr[oó]xim[oa]s? (?:pas+os?|ações|acciones|tareas|tarefas|etapas?)|siguientes? (?:pasos?|acciones|tareas)"
    r"(?: (?:recomendad|sugerid|imediat|inmediat|pendent|pendient|lógic)[a-z]+)?|"
    r"pend(?:iente|ente)s? (?:para|de|en|em) .*|"
    r"(?:tareas|tarefas|problemas?|assuntos?|asuntos?|acciones|ações|preguntas|perguntas|dúvidas|questões|temas|pontos|puntos|itens|decisiones|"
    r"decisões|"
    r"cosas|trabajo|trabalho) (?:pendientes?|pendentes?|abert[oa]s|abiert[oa]s|em aberto|en curso|restantes?|"
    r"por (?:hacer|fazer))|pend[eê]ncias?(?: .*)?|(?:o que |lo que |(?:ainda |aún )?)?(?:falta|queda)n?m?"
    r"(?: (?:por )?(?:hacer|fazer|resolver|definir|confirmar|terminar))?|(?:por|para|a) (?:hacer|fazer|resolver|"
    r"definir|"
    r"confirmar)|(?:en|em) (?:progreso|progresso|curso|proceso|espera|andamento|aberto)|bloque(?:ios?|os?|ad[oa]s?)|"
    r"(?:aguardando|esperando)(?: .*)?|prossim[io] pass[io]|da (?:fare|verificare|decidere)|in (?:corso|sospeso|"
    r"attesa)|"
    r"domande aperte|"
    # others
    r"volgende stappen|te doen|openstaande?(?: .*)?|następne kroki|w toku|yapılacaklar|sonraki adımlar|bekleyenler|"
    r"việc cần làm|(?:các )?bước tiếp theo|langkah (?:selanjutnya|berikutnya)|belum selesai|nästa steg|att göra|"
    r"næste skridt|neste steg"
)
"""The same in other languages of Latin letters."""
_LEFT_OTHERS = compile_pattern(
    # Russian, Ukrainian
    r"(?:следующ|ближайш|дальнейш)[а-я]+ (?:шаги?|действия|задачи|этапы?)|(?:что )?(?:ещ[её] )?осталось(?: .*)?|"
    r"(?:что )?(?:нужно|надо|необходимо) (?:сделать|доделать|проверить|решить|уточнить)|в (?:работе|процессе|"
    r"ожидании)|"
    r"(?:открыт|незакрыт|нереш[её]нн|незаверш[её]нн|невыполненн|текущ|оставш|предстоящ|отложенн)[а-я]+ "
    r"(?:вопросы|задачи|проблемы|дела|работы|пункты)|незаверш[её]нное|не (?:сделано|готово|завершено|решено|закрыто)|"
    r"план(?:ы)? на (?:завтра|будущее|неделю|следующ.*)|на (?:завтра|потом|будущее)|блокеры?|заблокировано|"
    r"(?:ожида(?:ет|ем|ют|ние)|жд[её]м)(?: .*)?|предстоит(?: .*)?|к выполнению|доделать|залишилось|потрібно зробити|"
    # Arabic
    r"الخطوات التالية|المهام المتبقية"
)
"""The same in other alphabets."""
_LEFT_CJK = compile_pattern(
    # Chinese
    r"(?:(?:已知|当前|主要|其他|所有|我的|今日|今天|本周|下周|近期|目前|仍|仍然)的?)?(?:"
    r"待(?:办|定|问|讨论|测试|补充|修复|审核|回复|审批|确认|处理|解决|验证|跟进|完善|优化|实现|实施|开发|做|完成|改进|"
    r"改|研究|调研|"
    r"评估|决定|决策|决|观察|排查|清理|接入|部署|上线|整理|更新|落实|安排|定位|查|联调|发布|推进|启动|修改|执行|开始)"
    r"的?(?:事项|项|问题|清单|列表|队列|工作|任务|内容|功能|点|需求){0,2}|"
    r"(?:等待|等)(?:中|用户|确认|回复|反馈|审批|处理|结果|客户|对方)[^，。,]{0,8}|阻塞(?:项|问题|点|事项|中)?|卡点|"
    r"(?:正在)?进行中?的?(?:任务|工作|事项|项目)|正在进行|进行中|"
    r"后续的?(?:工作|计划|任务|步骤|行动|优化|建议|跟进|待办|事项|方向|改进|安排)?|"
    r"下一?步的?(?:工作|计划|任务|行动|建议|安排|方向|待办|打算|操作)?|下一?次(?:会话|對話|对话|检查|巡检|会议)?的?(?:继续|待办|计划|任务|要做|重点|关注|优先|跟进|开始|目标|方向|建议|工作|接续|接手|衔接|起点|点){0,2}|"
    r"明[天日](?:的?(?:计划|待办|任务|安排|重点|工作|关注|行动(?:建议|项|事项)?)|要做的?事?情?)?|(?:今[天日]|本周)(?:的?待办|"
    r"要做的?事?情?)|"
    r"下周的?(?:计划|待办|任务|工作|安排|重点)|接下来的?(?:要做的?|计划|工作|任务|步骤|安排)?|"
    r"(?:需要?|有待)(?:用户|人工|手动|进一步|继续)?(?:跟进|确认|处理|决策|解决|讨论|验证|修复|补充)的?(?:事项|问题|"
    r"内容|点)?|"
    r"(?:需要?|要)做的(?:事|事情|工作)?|(?:还没有?|尚未|仍未|没)(?:做|完成|解决|实现|处理|验证)完?的?(?:事项|问题|"
    r"工作|任务|功能)?|"
    r"行动(?:项|计划|清单|事项)|(?:未来|下一?阶段|近期|短期)的?(?:计划|工作|任务|待办|方向)|"
    r"(?:剩余|遗留|残留)的?(?:工作|任务|问题|事项|项|步骤|待办)?|技术债务?|(?:计划|规划)中|悬而未决|"
    r"未(?:决|解决|完成|处理|实现|修复|验证|确认)的?(?:问题|事项|任务|工作|项|功能)?|开放(?:性?问题|事项))|"
    # Japanese
    r"次の(?:ステップ|アクション|作業|タスク|予定)|次回(?:の作業|やること|の?予定|の?対応|のタスク|以降)?|次にやること|"
    r"(?:(?:今後|明日|今日|残り)の?)?やること(?:リスト)?|(?:今後|明日|翌日|次回|来週)の?(?:課題|予定|対応|作業|"
    r"タスク|方針|計画|改善)|"
    r"未(?:対応|完了|解決|着手|実装|確認|検証|定|決定|決)の?(?:問題|課題|タスク|事項|項目|機能|点)?|"
    r"残り?の?(?:タスク|課題|作業|件|項目|バックログ)|(?:残)?バックログ|(?:対応|進行|作業|保留|検討|調査)中の?(?:タスク|課題|作業|事項)?|"
    r"保留(?:事項)?|"
    r"(?:確認|対応|レビュー|返信|回答)待ち|要(?:確認|対応|検討|修正|調査)(?:事項|点)?|検討(?:事項|課題)|ブロッカー|"
    r"宿題|持ち越し|"
    # Korean
    r"다음에? ?(?:단계|작업|할 ?일|세션|액션|계획|과제)(?:에서)?(?: 할 ?일)?|할 ?일(?: 목록)?|해야 ?할 ?(?:일|것|작업)|"
    r"남은 ?(?:작업|일|과제|것|이슈|문제|할 ?일)|진행 ?중(?:인 ?(?:작업|일|과제|이슈))?|"
    r"미(?:완료|해결|정|결|구현|착수|확정|확인|검증|처리|완성)(?: ?(?:사항|이슈|문제|작업|과제|항목|기능|"
    r"질문))?(?: ?목록)?|"
    r"보류(?: ?중)?(?: ?(?:사항|작업))?|대기 ?중(?:인 ?(?:작업|사항))?|(?:확인|결정|검토|수정) ?필요(?: ?사항)?|"
    r"(?:추후|향후|후속|잔여|예정된?) ?(?:작업|과제|계획|할 ?일|개선|결정)(?: ?사항)?|아직 (?:없는|안 ?된|안 ?한|"
    r"못 ?한|남은) ?것|블로커"
)
"""The same in Chinese (simplified), Japanese and Korean."""
LEFT_FIRST = frozenset({
    "first", "still", "currently", "all", "my", "our", "current", "immediate", "manual", "known", "other", "some",
    "pending",
    "remaining", "outstanding", "unresolved", "unfinished", "incomplete", "deferred", "blocked", "postponed",
    "upcoming", "planned", "required", "follow", "followup", "followups", "open", "urgent", "in", "blocker",
    "blockers", "awaiting", "wip", "tbd", "loose", "parking", "tech", "waiting", "backlog", "up", "questions",
    "things", "items", "yet", "to", "decision", "decisions", "review", "reviews", "action", "actions", "attention",
    "input", "inputs", "approval", "approvals", "fix", "fixes", "needs", "need", "require", "requires", "what", "not",
    "plan", "plans", "priorities", "focus", "agenda", "tasks", "task", "todos", "for", "tomorrow", "next", "noch",
    "was", "das", "fehlt", "warten", "warte", "wartet", "prochaines", "prochaine", "reste", "a", "en", "points",
    "point", "sujets", "ce", "proximos", "proximo", "proximas", "proxima", "siguientes", "siguiente", "tareas",
    "tarefas", "acciones", "preguntas", "perguntas", "temas", "pontos", "puntos", "itens", "decisiones", "cosas",
    "trabajo", "trabalho", "pendencias", "o", "lo", "falta", "faltan", "faltam", "queda", "quedan", "ainda", "por",
    "para", "em", "bloqueios", "bloqueo", "bloqueos", "bloqueado", "bloqueada", "aguardando", "esperando", "prossimi",
    "da", "domande", "volgende", "te", "openstaand", "openstaande", "w", "sonraki", "langkah", "belum", "att",
    "cambios", "funcionalidades", "funciones", "geplant", "geplante", "mejoras", "melhorias", "miglioramenti",
    "modifiche", "prochains", "trabajos",
    "neste", "offene", "offen", "ausstehende", "verbleibende", "anstehende", "ungekl", "blockierte", "zu", "feature",
    "product", "project", "to-do", "to-dos", "todo", "follow-up", "follow-ups", "fixme", "ongoing", "p0", "p1", "p2",
    "p3", "high", "high-priority", "medium", "medium-priority", "low", "low-priority", "left", "pendente",
    "pendiente", "pendientes", "pendentes", "pendencia", "blockiert", "open:", "blocked:", "near-term", "should",
    "carry", "carried", "carry-forward", "carry-over", "carryover", "gaps", "gap", "earlier", "previous", "older",
    "reminder", "reminders",
    "start", "beginning", "at", "where", "pick", "continue", "resume", "features", "bugs", "steps", "issues", "work",
})  # fmt: skip
"""What such a heading begins with where it is in letters of ASCII."""
_LEFT_LAST = frozenset({
    "remaining", "outstanding", "pending", "left", "progress", "backlog", "do",
})  # fmt: skip
_ENGLISH_FIRST = frozenset({
    "action", "actions", "agenda", "all", "approval", "approvals", "attention", "awaiting", "backlog", "blocked",
    "blocker", "blockers", "bug", "bugs", "current", "currently", "decision", "decisions", "deferred", "feature",
    "features", "first", "fix", "fixes", "focus", "follow", "followup", "followups", "for", "immediate", "in",
    "incomplete",
    "input", "inputs", "issue", "issues", "item", "items", "known", "loop", "loops", "loose", "manual", "matter",
    "matters", "my", "need", "needs", "next", "not", "open", "other", "our", "outstanding", "parking", "pending",
    "plan", "planned", "plans", "point", "points", "postponed", "pr", "priorities", "prs", "question", "questions",
    "remaining", "require", "required", "requires", "review", "reviews", "some", "step", "steps", "still", "task",
    "tasks", "tbd", "tech", "thread", "threads", "things", "to", "todo", "todos", "tomorrow", "unfinished",
    "at", "beginning", "carried", "carry", "carryover", "continue", "earlier", "gap", "gaps", "left", "older", "pick",
    "previous", "resume", "start", "the", "where",
    "unresolved", "up", "upcoming", "urgent", "validation", "validations", "verification", "verifications", "waiting",
    "what", "wip", "work", "yet",
})  # fmt: skip
_ENGLISH_WITHIN = frozenset({
    "remaining", "outstanding", "pending", "left", "do", "up", "progress", "backlog",
})  # fmt: skip
_LATIN_FIRST = frozenset({
    "a", "acciones", "aguardando", "ainda", "anstehende", "att", "aufgaben", "ausstehende", "b", "bekleyenler", "belum",
    "blocage", "blocages", "blockierte", "bloqu", "bloqueada", "bloqueadas", "bloqueado", "bloqueados", "bloqueio",
    "bloqueios", "bloqueo", "bloqueos", "c", "ce", "cosas", "d", "da", "das", "decis", "decisiones", "domande", "em",
    "en", "esperando", "f", "falta", "faltam", "faltan", "faltanm", "fehlt", "in", "itens", "langkah", "lo", "n",
    "nast", "neste", "noch", "o", "offen", "offene", "openstaand", "openstaande", "para", "pend",
    "pendente", "pendentes", "pendiente", "pendientes", "pendencia",
    "pendencias", "perguntas", "plan", "point", "points", "pontos", "por", "pr", "preguntas", "prochaine",
    "prochaines", "prossimi", "prossimo", "proxima", "proximas", "proximo", "proximos", "puntos", "queda", "quedam",
    "quedan", "quedanm", "quest", "question", "questions", "reste", "siguiente", "siguientes", "sonraki", "sujet",
    "sujets", "t", "tareas", "tarefas", "te", "temas", "trabajo", "trabalho", "ungekl", "verbleibende", "vi",
    "volgende", "w", "warte", "warten", "wartet", "was", "yap", "zu", "zur",
    "am", "cambios", "changement", "changements", "chantier", "chantiers", "correction", "corrections", "envisag",
    "fonctionnalit", "funcionalidades", "funciones", "funzionalit", "geplant", "geplante", "mejoras", "melhorias",
    "miglioramenti", "modifiche", "mudan", "planifi", "prochains", "tape", "tapes", "trabajos", "travaux", "volution",
    "volutions",
})  # fmt: skip
_OTHERS_FIRST = frozenset("бвдежзкнопстчا")
_CJK_FIRST = frozenset(
    "やブレ下主今仍作來保其剩卡后回宿対尚已开当待後悬我所技持接明有未本来検次正残没目短確等翌行要规計調计近返"
    "还进進遗遺開阻需검결남다대미보블수아예잔진추할해향확후"
)
"""How all that each of the patterns above knows begins, as letters from a to z find its words: they need not be asked
for anything else."""
_OVER = frozenset({
    "completed", "done", "finished", "resolved", "closed", "shipped", "fixed", "no", "none", "nothing", "erledigt",
    "abgeschlossen", "concluídas", "completadas", "已完成", "无", "無",
})  # fmt: skip
"""Words of a heading over what is no longer to be done."""
_APART = compile_pattern(r"\s*[/&+,，、|]\s*|\s+(?:and|und|et|y|e|и|or|with)\s+|[与和及與]")
_AND = frozenset({"and", "und", "et", "y", "e", "or", "with"})
_JOINTS = frozenset("，、|与和及與и")
"""What stands between such parts."""
_OF_TIME = frozenset({
    "tomorrow", "next time", "upcoming", "coming up", "priorities", "top priorities", "current priorities",
    "current focus", "technical debt", "known gaps", "remaining gaps", "future work", "future improvements",
    "future enhancements", "tomorrow's plan", "当前优先级", "近期优先级", "优先事项", "明日关注",
})  # fmt: skip
"""Headings over what is to be done that are, in a line, labels of anything."""
_NEUTRAL = frozenset({
    "known issues", "ideas", "notes", "issues", "risks", "bugs", "concerns", "problems", "想法", "风险", "問題", "问题",
    "已知问题", "建议", "进度",
})  # fmt: skip
"""What such a heading names beside it."""
_SIMPLE = str.maketrans(
    "辦後續進餘遺來計劃務項問題確認處驗測試討論實現開發優補復審決結債術",
    "办后续进余遗来计划务项问题确认处验测试讨论实现开发优补复审决结债术",
)
_MARKS = compile_pattern(r"^[\W\d_]+|[\W_]+$")
_NUMBERED = compile_pattern(r"^(?:[一二三四五六七八九十]{1,3}[、.．]\s*|v\d[\w.]*\s*[—–:-]+\s+)")
_ASIDE = compile_pattern(r"\s*[(（\[【][^()（）]*[)）\]】]\s*$")
_NUMERALS = frozenset("一二三四五六七八九十")
_CLOSERS = frozenset(")）]】")
WORD = compile_pattern(r"[a-z]+")
_NEXT = (
    rf"(?:{_THINGS}|moves?|phases?|milestones?|goals?|improvements?|targets?|cases?|tests?|notes?|plans?|batch(?:es)?|"
    r"research|builds?|stor(?:y|ies)|sub-?tasks?|deliverables?|requirements?|sprints?|weeks?|months?|quarter|days?|sessions?|"
    r"experiments?|priorit(?:y|ies)|ports?|focus|things?|iterations?|releases?)"
)
_AHEAD = compile_pattern(
    rf"(?:(?:suggested|recommended|proposed|likely|logical|possible|immediate|our|my|the) )?"
    rf"next(?!\W(?:js|auth|gen|level|door|scheduled|meeting|event|version)\b)(?:[- ](?!ready|js)[\w&-]+){{0,3}}?"
    rf"[- ]{_NEXT}(?:[ (]+(?:for|from|after|before|created|planned|needed|to|in|this|if|when)\b.*)?|"
    r"(?:and )?next,? (?:(?:i|we)['’ ](?:m|ll|re|am|will|are|need|want|plan|should)\b.*|(?:up|for|on) .*)|"
    r"what(?!.{0,3}(?:happen|fire|com|run|see)).{1,32}\bnext|"
    r"what(?:['’]s| is| remains)?(?: still)? (?:left|missing|remaining)(?: to .{1,40})?|"
    r"not yet (?!need|know|sure|require)[a-z]+(?: .*)?|"
    r"planned(?: (?:[a-z]+ )?(?:work|features?|changes|additions?|improvements?|pages?|fixes))?|"
    rf"(?:(?:optional|urgent|new|suggested|recommended|proposed|possible|pending|open|immediate|manual|"
    r"minor|any|some) )*"
    rf"follow[- ]?ups?(?: (?:recommended|needed|required|suggested|recommendations?|verification|improvements?|ideas?|"
    rf"{_THINGS}))?(?: (?:for|from|on|after|before|this|by|with|if|when|to) .*)?|"
    r"(?:recommended|flagged|left|planned) for (?:follow[- ]?up|later|the future|next .*)|"
    r"(?:still )?missing(?: (?:features?|functionality|tests?|wiring|pieces?|parts?|items?|endpoints?|docs|coverage))?|"
    rf"(?:[a-z-]+ )?(?:changes|verification|testing|cleanup|user actions?|inputs?|signals?|{_THINGS}) (?:still )?"
    r"(?:needed|required)"
    r"(?: (?:from|by|on|for|before) .*)?|"
    r"(?:[a-z-]+ ){0,3}(?:flags|goals|mission|sub-?tasks|reminders?|to-?dos?|watch list|questions|instructions|"
    r"ready|queued|pending|first steps?) for (?:tomorrow|(?:the )?next [a-z]+)(?: .*)?|"
    r"notes for tomorrow|"
    r"(?:recommended|suggested|proposed) (?:immediate |priority |follow[- ]?up )?(?:actions|fixes)"
    r"(?: for (?:today|tomorrow|this week|(?:the )?next .*))?|"
    r"(?:immediate |my |our )?action plan(?: for (?:today|tomorrow|this week|(?:the )?next .*))?|"
    r"(?:(?:remaining|external|current|active) )+blockers?|needed from .*|"
    r"tomorrow(?:['’]?s)? (?:goals?|mission|priority actions?|preparations?|tasks?|watch|micro-?subtasks|to-?dos?)|"
    r"(?:also |please |remember to )*(?:ask|check|verify|confirm|discuss|try|tell|remind|continue|finish)\b.{0,40} "
    r"(?:next (?:session|time|week|run)|tomorrow)"
)
"""A heading, or a label over a list, all of it, over what is ahead."""
_AHEAD_WORDS = frozenset({
    "next", "what", "not", "planned", "follow", "followup", "followups", "later", "future", "missing", "needed",
    "required", "tomorrow", "tomorrows", "recommended", "suggested", "proposed", "plan", "blocker", "blockers",
})  # fmt: skip
"""One of these stands in each of them."""
_AHEAD_CJK = compile_pattern(
    r"待(?![遇人命机機客会])[一-鿿a-z ]{1,9}(?<!系统)(?<!平台)(?<!设备)|"
    r"(?:建议|推荐|推薦)?后续的?(?!已|影响|结果|进展|情况|效果|表现|处理结果|操作步骤|流程|约束|规则|说明)[一-鿿]{1,6}|"
    r"明[日天]的?[一-鿿]{0,4}(?:计划|待办|任务|安排|重点|关注点?|行动|优先级?|事项|准备|目标|集成|验证点?|方向)|"
    r"(?:你|我|我们|用户)?(?:还|仍)?需要?(?:用户|你|人工|手动|进一步|继续)?(?:跟进|确认|处理|决策|解决|讨论|验证|修复|补充|"
    r"操作|改进|做|研究|优化|测试|完善)的?(?:事项|事情|事|问题|内容|点|信息|工作|部分)?|"
    r"(?:什么|目前|当前|仍)?(?:尚未|还没有?|仍未|未能?)(?:做|完成|完|解决|实现|处理|验证|接入|测试|覆盖|整合|落地|修复)完?的?"
    r"(?:已知|其他)?(?:事项|事情|事|问题|工作|任务|功能|链路|部分|项)?|"
    r"(?:建议|推荐)(?:的)?下一?步.{0,6}|(?:smart |今日|本周|立即|紧急)?(?:行动建议|(?:建议|推荐)(?:的|采取的?|立即|"
    r"优先|今日|明日)?行动(?:项|事项|清单)?)|(?:紧急|立即)(?:修复建议|建议修复)|(?:建议|推荐)?(?:明[日天]|下次)的?重点关注.{0,4}|"
    r"(?:开发|实施|执行|改进|修复|验证)计划"
)
"""The same in Chinese."""
_WHEN = compile_pattern(
    r"next (?:[\d–-]+ )?(?:24 ?h(?:ours)?|days?|weeks?|months?|quarter|session|sprint|phase|batch|features?|tasks?|up)|"
    r"24 ?h(?:ours)?|tomorrow\b.*|(?:still )?(?:future|planned|tbd|todo|pending|open|backlog|wip|deferred|later)|"
    r"not yet .*|明[天日].+|下周.*|后续.*|未来|等?待.{1,8}"
)
"""When something is to be done, as it is said behind its heading."""
_LONGEST = 120


def is_open_work_label(label: str) -> bool:
    """Whether a label in a line says that what follows it is still to be done: 'Blocked on', '待确认', 'A fazer'."""
    name = strip_heading(label)
    return name not in _OF_TIME and (name in _NAMED or _is_open_work_name(name, WORD.findall(name)))


def is_work_request_label(label: str) -> bool:
    """Whether a label says, whatever stands around it, that work is left: 'Next steps for the team'."""
    name = strip_heading(label[:_LONGEST])
    words = WORD.findall(name)
    return is_open_work_name(name, words) or has_open_work_phrase(name, words)


def is_open_work_name(name: str, words: list[str]) -> bool:
    """Whether a heading's name is all about what is still to be done, or ahead; its `words` are those of a to z."""
    if _is_open_work_name(name, words):
        return True
    if not name.isascii() and _AHEAD_CJK.fullmatch(name.translate(_SIMPLE)) is not None:
        return True
    return not _AHEAD_WORDS.isdisjoint(words) and _OVER.isdisjoint(words) and _AHEAD.fullmatch(name) is not None


def has_open_work_phrase(name: str, words: list[str]) -> bool:
    """Whether a heading's name contains a phrase for open work: 'The importer: next steps'."""
    return (
        " " in name
        and not (name.isascii() and _BEGIN.isdisjoint(words))
        and _OVER.isdisjoint(words)
        and _PHRASES.search(name) is not None
    )


def is_ahead(aside: str) -> bool:
    """Whether brackets behind a heading mark its section as open work: 'not yet fixed', 'next week', '待启动'."""
    name = aside.strip("*_ ").lower() if aside[0].isdigit() else strip_heading(aside)
    if _WHEN.fullmatch(name) is not None:
        return True
    # Under what is in progress stands what was done of it, too.
    return not (aside[0] in _AMOUNTS or name in _OF_TIME or _UNDER_WAY.match(name)) and (
        name in _NAMED or is_open_work_name(name, WORD.findall(name))
    )


_AMOUNTS = frozenset("0123456789€$£¥~≈")
_UNDER_WAY = compile_pattern(r"in[- ](?:progress|arbeit|corso)|进行中|進行中|em (?:andamento|curso)|en c|в (?:п|р)|需")


def _is_open_work_name(name: str, words: list[str]) -> bool:
    """Whether a name, or each part of it that says anything of a kind, is about what is still to be done."""
    plain = name.isascii()
    if plain and (
        not words or (words[0] not in LEFT_FIRST and words[-1] not in _LEFT_LAST and not _has_parts(name, words))
    ):
        return False
    if not _OVER.isdisjoint(words) and words[0] != "not" and "be done" not in name:
        return False
    if _matches_open_work(name, words):
        return True
    if not _has_parts(name, words):
        return False
    parts = [part for part in _APART.split(name) if part and part not in _NEUTRAL]
    if not parts:
        return False
    told = [part in _NAMED or _matches_open_work(part, WORD.findall(part)) for part in parts]
    # What a stroke puts beside it is another word for it: 'Unfinished / optional'.
    return all(told) or (told[0] and "/" in name)


def _has_parts(name: str, words: list[str]) -> bool:
    """Whether a heading's name has parts."""
    return (
        "/" in name or "&" in name or "+" in name or "," in name or "|" in name
        or not _AND.isdisjoint(words)
        or (not name.isascii() and not _JOINTS.isdisjoint(name))
    ) and _APART.search(name) is not None  # fmt: skip


def _matches_open_work(name: str, words: list[str]) -> bool:
    first = words[0] if words else ""
    if (first in _ENGLISH_FIRST or not _ENGLISH_WITHIN.isdisjoint(words)) and _LEFT_ENGLISH.fullmatch(name) is not None:
        return True
    if (first in _LATIN_FIRST or name[0] == "à") and _LEFT_LATIN.fullmatch(name) is not None:
        return True
    if name.isascii():
        return False
    if name[0] in _OTHERS_FIRST:
        return _LEFT_OTHERS.fullmatch(name) is not None
    return name[0] in _CJK_FIRST and (
        _LEFT_CJK.fullmatch(name) is not None or _LEFT_CJK.fullmatch(name.translate(_SIMPLE)) is not None
    )


@lru_cache(maxsize=1 << 12)
def strip_heading(name: str) -> str:
    """Without emoji, numbers, punctuation around it and a trailing aside: '## 📌 2. 决策（重要）' -> '决策'."""
    name = name.strip()
    if name[-1:] in _CLOSERS:
        name = _ASIDE.sub("", name)
    name = _strip_marks(name).lower()
    if name[:1] in _NUMERALS or (name[:1] == "v" and name[1:2].isdigit()):
        name = _strip_marks(_NUMBERED.sub("", name))
    return name


def _strip_marks(name: str) -> str:
    if name and name[0].isalpha() and name[-1].isalnum():
        return name
    return _MARKS.sub("", name)
