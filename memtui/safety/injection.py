"""Text that reads like an order to an agent (prompt injection): by its verb and object, and by the sum of its words.

`ORDERS` holds the rules: patterns over plain lower-case text, each with words of which one must occur before
the pattern is tried. To add a rule, add an `Order`. `examine` applies them to several readings of a text,
disguises and encodings removed (see `normalize`), and answers an `InjectionVerdict`. A verb alone proves
nothing: 'you must run the tests first' is no order. Where no rule matches, `judge` scores the sentences: its
verdict is the rule "order". A subtle lie is left to provenance and review (reliability §4).
"""

from __future__ import annotations

from functools import cache, lru_cache

from memtui.core.startup import TYPE_CHECKING, NamedTuple, compile_pattern
from memtui.safety.ciphers import apply_rot13, decode_ciphers, drop_struck, read_signs, split_humps
from memtui.safety.judge import LIKELY, LONGEST, NOTHING, ORDERED, UNSEEN, Around, find_likely, find_orders, read_pinyin
from memtui.safety.normalize import (
    compact,
    count_drawn_letters,
    count_leet_words,
    count_mixed_words,
    count_plain_words,
    decode_encodings,
    decode_escapes,
    decode_leet,
    fold_disguises,
    join_pieces,
    join_spelled_words,
    join_split_words,
    list_unseen,
    map_to_latin,
    normalize_disguises,
    strip_accents,
    turn_letters,
)
from memtui.safety.orders import (
    BLENDS,
    BY_FAMILY,
    FAMILIES,
    PARTS,
    Order,
    WordPlaces,
    list_openings,
    take_grams,
)
from memtui.safety.quoting import (
    DONE_ALREADY,
    TALKS_OF_ATTACKS,
    is_in_quotation,
    is_in_talk,
    is_mentioned,
    is_quoted,
    is_told_of,
)

if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import Literal

    from memtui.safety.judge import ScoredStretch
    from memtui.safety.orders import Grams

    Action = Literal["none", "warn", "quarantine"]


_G = r"[^.!?;\n]"
_H = r"[^。！？；\n]"
_MARKED = r"(?:previous|prior|above|earlier|preceding|foregoing|former|existing|original|initial|past|aforementioned)"
_RULES = (
    r"(?:instructions?|prompts?|directions?|directives?|guidelines?|commands?|orders|rules?|constraints?|restrictions?|messages?"
    r"|conversations?|context|programming|training|safeguards?|guardrails?|policies|text|statements?|input)"
)
_HARD = r"(?:instructions?|prompts?|directives?|guidelines?|programming|training|safeguards?|guardrails?|restrictions?|policies|rules|constraints)"
_FORGET = r"(?:ignore|disregard|forget|discard|neglect|overlook|abandon|dismiss|erase|drop|skip|stop (?:following|obeying)|(?:do not|don'?t) (?:follow|obey|listen to)|pay no attention to|throw (?:out|away)|set aside|nullify|void|cancel)"
_LOOT = (
    r"(?:\.env\b|~/\.ssh|id_rsa|id_ed25519|\.aws/credentials|\.netrc|/etc/(?:passwd|shadow)|environment variables?|env(?:ironment)? vars?"
    r"|api[ _-]?keys?|(?:access |auth(?:entication)? |bearer )?tokens|credentials?|passwords?|secrets?|private keys?|ssh keys?|secret keys?"
    r"|(?:conversation|chat|message) (?:history|logs?|contents?)|(?:this|the|whole|entire|full) conversation|system prompt|memor(?:y|ies)(?: (?:files?|contents?|bank))?"
    r"|(?:user'?s?|personal|private|sensitive|confidential|customer) (?:data|files?|information|messages|info|documents?)|source code|database dump|cookies|keychain)"
)
_AWAY = (
    r"(?:https?://|ftp://|wss?://|[\w.-]+@[\w-]+\.\w|webhook|pastebin|requestbin|ngrok|attacker|evil|an? (?:external|remote|third[- ]party)|(?:external|remote) (?:server|url|endpoint|host|site|address)"
    r"|th(?:is|e following) (?:url|address|endpoint|server|email|site|link)|my (?:server|email|url|endpoint|site)|[\w-]+\.(?:example|evil|xyz|tk|ru|io|com|net|site|top)\b|\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3})"
)
_SEND = r"(?:send|post|upload|exfiltrate|leak|transmit|forward|e?-?mail|mail|submit|copy|share|deliver|report|push|curl|pipe|dump|export|ship|smuggle|embed|append|encode|leaking|sending|uploading)"
_LOOT_ZH = r"(?:密钥|密码|口令|凭证|凭据|令牌|token|api ?key|环境变量|私钥|系统提示词?|\.env|聊天记录|对话(?:记录|历史|内容)|用户(?:数据|信息|隐私|资料)|secrets?|credentials?|ssh|记忆(?:内容|文件)?|源代码|源码|敏感(?:信息|数据)|数据库)"
_AWAY_ZH = r"(?:https?://|外部|攻击者|邮箱|webhook|第三方|@|以下(?:地址|链接|网址|服务器)|(?:这个|该|此)(?:地址|链接|网址|接口|服务器|邮箱)|我的(?:服务器|邮箱|地址)|远程|[\w-]+\.(?:com|net|xyz|io|top|example)|公网)"
_HUMAN = r"(?:the |your |my |any |this )?(?:users?|humans?|anyone|anybody|operators?|developers?|owners?|person|people|customers?|admins?|reviewers?|them)"
_LOOT_WORDS = (
    ".env", "ssh", "id_rsa", "id_ed25519", "credential", ".netrc", "/etc/", "variable", "env var", "key", "token", "password", "secret",
    "history", "log", "content", "conversation", "prompt", "memor", "data", "file", "info", "messages", "documents", "source code", "cookie",
)  # fmt: skip
_TOPIC = r"(?![ \t]+(?:\w+[ \t]+)?(?:pages?|docs?|documents?|files?|sections?|tabs?|chapters?)\b)(?![ \t]+(?:about|regarding)[ \t]+(?!safety|security|secrecy|privacy|confiden|refus|the user|asking))"
"""Behind what is to be forgotten: a matter of its own, so it is a correction ('my message about port 80')."""
_SPOKEN = r"(?![ \t]*(?:is|are|was|were|and|or|tokens?|markers?|tags?|templates?|format|means|marks)\b)"
"""Behind a marker: it is spoken about."""

_SAID: tuple[Order, ...] = (
    Order("override", "quarantine", ("instruction", "prompt", "direct", "guideline", "command", "rule", "constraint", "restriction", "message", "conversation", "context", "program", "training", "safeguard", "guardrail", "polic", "orders", "text", "input", "statement"),
        rf"\b{_FORGET}\b(?:[ \t,:]+(?:all|any|every|each|both|of|the|your|my|these|those|this|that|everything|completely|entirely|please|and|in))*[ \t]+{_MARKED}\b(?:[ \t,]+(?:and|or|the|all|other|any|{_MARKED}|system|user|developer|safety|ai|assistant|given|security|given|set|of|your|agent|project|security|stored|memory))*[ \t]+{_RULES}\b{_TOPIC}"),
    Order("override", "quarantine", ("instruction", "prompt", "direct", "guideline", "program", "training", "safeguard", "guardrail", "restriction", "polic", "rules", "constraint"),
        rf"\b(?:ignore|disregard|forget|bypass|override|abandon|discard|stop following|circumvent|disable|do not follow|don'?t follow)\b(?:[ \t]+(?:all|any|of|every|the|each|completely|about))*[ \t]+(?:your|safety|security|developer'?s?|system'?s?|core|ethical|content|openai|anthropic)(?:[ \t]+(?:own|other|safety|security|system|previous|prior|core|content|initial|original|ethical|internal|built-in|and|developer|programmed))*[ \t]+{_HARD}\b(?![ \t]*(?:file|flag|option|template|setting|key|field|parameter|variable|with -))"),
    Order("override", "quarantine", ("instruction", "prompt", "rules", "guidelines", "told", "said", "above", "before", "learned", "directives"),
        r"\b(?:ignore|disregard|forget|discard)\b(?:[ \t]+(?:all|any|every|everything|anything|whatever|what|of|the|completely|about))+(?:[ \t]+(?:instructions?|prompts?|rules|guidelines|directives|text|content|that|which|you|we|i|they|was|were|is|has|have|been|written|stated|being|ever|did|had|just|your|system))*[ \t]+(?:(?:told|taught|said|given|learned|instructed|received|read|programmed)(?:[ \t]+(?:to you|you|so far|before|above|earlier|previously|until now|up to now|by [a-z ]{1,24}))+|(?:above|before (?:this|now)|until now|so far|preceding this|prior to this|up to this point)\b(?!,?[ \t]+(?:if|when|unless|section|steps?)\b))"+_TOPIC),
    Order("override", "quarantine", ("ignore", "disregard", "forget"),
        r"\b(?:ignore|disregard|forget)[ \t]+(?:(?:all|any|every)[ \t]+(?:of[ \t]+)?(?:the[ \t]+|your[ \t]+|my[ \t]+)?(?:instructions|directives|guidelines|restrictions|safeguards|guardrails|orders)|(?:the[ \t]+)?(?:system|developer)[ \t]+(?:prompt|instructions?|messages?|rules))\b(?![ \t]*(?:file|flag|option|in\b|from\b|for\b|under\b|marked|section|embedded|hidden|inside|within|found|contained|that (?:come|appear|arrive|stand)s?\b))"),
    Order("override", "quarantine", ("supersede", "override", "replace", "take precedence", "takes precedence", "overrides", "invalid", "no longer appl", "obsolete", "null and void"),
        rf"\b(?:this|these|the following|new|below)\b{_G}{{0,40}}?\b(?:supersedes?|overrides?|replaces?|takes? precedence over|cancels?|invalidates?)\b(?:[ \t]+(?:all|any|every|your|the|of))*[ \t]+(?:{_MARKED}|safety|system|other)[ \t]+(?:{_RULES}|system prompt)\b{_TOPIC}"),
    Order("override", "quarantine", ("instruction", "prompt", "guidelines", "rules"),
        rf"\b(?:{_MARKED}|your|system|all)[ \t]+(?:system[ \t]+)?(?:instructions?|prompts?|guidelines|rules|directives|restrictions)[ \t]+(?:are|is|have been|has been|were|no longer)[ \t]+(?:now[ \t]+|hereby[ \t]+|all[ \t]+)?(?:void|invalid|cancel+ed|obsolete|revoked|lifted|suspended|disabled|null|appl(?:y|ies)|overrid+en|superseded|irrelevant|outdated and must be ignored)"),
    Order("new-orders", "quarantine", ("instruction", "task", "goal", "objective", "mission", "directive", "purpose", "orders"),
        r"\byour[ \t]+(?:new|real|actual|true|only|updated|sole|secret|hidden)[ \t]+(?:primary[ \t]+|main[ \t]+|system[ \t]+)?(?:instructions?|task|goal|objective|mission|directive|purpose|orders|role|prompt)[ \t]+(?:is|are|will be|now)\b|(?:^|[\n.!\]>)]|---|===)[ \t]*(?:new|updated|revised|urgent|important|real|actual|secret|hidden|additional)[ \t]+(?:system[ \t]+|secret[ \t]+|ai[ \t]+|agent[ \t]+|hidden[ \t]+)?(?:instructions?|directives?|orders|prompt)[ \t]*(?:for (?:the |any |all )?(?:ai|llm|agent|assistant|model)s?[^:\n]{0,30})?[:!][ \t]*(?:you|ignore|forget|disregard|send|run|execute|from now|instead|always|reveal|print|output|delete|do not|never|whenever|when)"),
    Order("exfiltrate", "quarantine", ("send", "post", "upload", "exfil", "leak", "transmit", "forward", "mail", "submit", "copy", "share", "deliver", "report", "push", "curl", "pipe", "dump", "export", "ship", "smuggle", "embed", "append", "encode"),
        rf"\b{_SEND}\b(?![ \t]+(?:(?:any|all|every)[ \t]+)?(?:requests?|errors?|metrics|attempts?)\b){_G}{{0,60}}?{_LOOT}{_G}{{0,70}}?(?:\bto|\bat|\bvia|\binto|\bthrough|\busing|\bas|\bin)[ \t]+(?:the[ \t]+)?{_AWAY}", also=_LOOT_WORDS),
    Order("exfiltrate", "quarantine", ("http", "webhook", "server", "@"),
        rf"\b{_SEND}\b[ \t]+(?:to[ \t]+)?(?:https?://\S+|[\w.+-]+@[\w-]+\.\w+|(?:the |a |my )?webhook)[ \t]+(?:with|including|containing)?[ \t]*(?![^\n]{{0,40}}?(?:authorization|bearer|your_))(?:{_G}{{0,40}}?){_LOOT}"),
    Order("exfiltrate", "quarantine", ("id_rsa", ".env", ".ssh", "/etc/", "printenv", "credentials", "$(", "`cat", "`env", "=$", ".netrc"),
        r"(?:cat|base64|printenv|env|tar|gpg|type)\b[^\n|]{0,80}?(?:\.env|id_rsa|\.ssh|credentials|/etc/(?:passwd|shadow)|printenv|\.netrc|\.git-credentials|env)[^\n|]{0,40}\|[^\n]{0,60}?(?:curl|wget|nc|ncat|telnet|invoke-webrequest)\b|(?:curl|wget|fetch)[^\n]{0,120}?(?:\$\((?:cat|env|printenv|base64|whoami)[^\n)]{0,80}\)|`(?:cat|env|printenv|base64)[^`\n]{0,80}`|-d[ ]?@?(?:~/)?\.?\S{0,40}(?:\.env|id_rsa|credentials|\.ssh)|-f[ ]\S{0,20}@\S{0,40}(?:\.env|id_rsa|credentials|\.ssh)|\?\w+=\$[a-z_]{2,40}(?:key|token|secret))"),
    Order("reveal", "quarantine", ("system prompt", "hidden instruction", "initial instruction", "initial prompt", "system instruction", "system message", "your instruction", "your prompt", "developer message", "prompt above"),
        r"\b(?:reveal|print|output|show|repeat|display|leak|disclose|recite|dump|expose|tell me|give me|write out|spell out|return|share|summari[sz]e|translate|copy)\b(?:[ \t]+(?:me|us|out|verbatim|exactly|the|all|of|your|full|entire|complete|exact|whole|back|contents?|text|user))*[ \t]+(?:your[ \t]+)?(?:own[ \t]+)?(?:system prompts?|(?:hidden|initial|original|secret|internal|system|developer)[ \t]+(?:system[ \t]+)?(?:instructions?|prompts?|messages?|rules)|your (?:instructions|prompt|guidelines))\b(?![ \t]*(?:file|tokens|length|template|section|tab|in (?:(?:the|a) )?(?:\w+[ \t]+)?(?:ui|settings|panel|view|page|console|sidebar|dialog)\b))"),
    Order("reveal", "quarantine", ("api key", "password", "secret", "credential", "token", ".env"),
        r"\b(?:reveal|leak|disclose|expose|tell me|give me|show me|exfiltrate|steal|hand over)\b(?:[ \t]+(?:me|all|any|every|the|of|your|their|stored|saved|user'?s?|hidden|full|contents?))*[ \t]+(?:secrets?|passwords?|api[ _-]?keys?|credentials|tokens|private keys?|\.env)\b"),
    Order("hide", "quarantine", ("tell", "inform", "mention", "notify", "reveal", "alert", "disclose", "let ", "show", "report", "say ", "talk", "hint"),
        rf"\b(?:do not|don'?t|dont|never|must not|should not|shouldn'?t|avoid|without)[ \t]+(?:ever[ \t]+)?(?:(?:tell|inform|notify|alert|warn|telling|informing|notifying|alerting|warning|hint to)[ \t]+{_HUMAN}[ \t]+(?:about|of|that|anything|what|why|when|you)?[ \t]*(?:this|these|it|you|what you|the (?:instruction|change|backdoor|upload|transfer|above|message|note|real|hidden|command)|anything|about (?:this|it|these|the (?:instruction|change|backdoor|upload|above|message|note|real|hidden|transfer|command)))|let(?:ting)?[ \t]+{_HUMAN}[ \t]+(?:know|see|notice|find out|discover|realize|suspect)|(?:mention|reveal|disclose|report|show|discuss|acknowledge|explain|mentioning|revealing|disclosing|reporting|showing)[ \t]+(?:that[ \t]+)?(?:this|these|it|any of this|what you|the (?:above|instructions?|existence|hidden|backdoor|command|change|rule|note|message)|your (?:instructions|actions|real))\b{_G}{{0,40}}?\bto[ \t]+{_HUMAN})", False),
    Order("hide", "quarantine", ("keep ", "hide ", "hidden from", "conceal", "secret from", "hiding"),
        rf"\b(?:keep(?:ing)?|hide|hiding|conceal(?:ing)?|withhold)\b[ \t]+(?:this|these|it|that|all of this|your actions?|what you|the (?:instructions?|changes?|action|transfer|above|command|fact|note|rule|real|output|result)){_G}{{0,40}}?(?:\bfrom[ \t]+{_HUMAN}|\b(?:a )?secret\b)"),
    Order("hide", "quarantine", ("secretly", "silently", "quietly", "covertly", "discreetly", "stealthily", "without the user", "without asking", "without telling", "surreptitiously"),
        rf"\b(?:secretly|silently|quietly|covertly|discreetly|stealthily|surreptitiously)[ \t]+(?:send|upload|exfiltrate|forward|e?mail|transmit|leak|post|copy|insert|inject|install|execute|add a (?:backdoor|user)|record|collect|append|include|disable|run|push|modify|delete)\b(?![ \t]*(?:fail|s\b))(?={_G}{{0,60}}?(?:\bto\b|http|code|command|backdoor|user|key|script|data|file|every|all|the ))|\b(?:execute|send|upload|exfiltrate|forward|delete|transfer|run)\b{_G}{{0,60}}?\bwithout[ \t]+(?:the[ \t]+)?(?:users?'?s?|human'?s?|their|anyone'?s?|owner'?s?)[ \t]+(?:knowing|knowledge|noticing|awareness|being aware)|\bwithout[ \t]+(?:the[ \t]+)?(?:users?'?s?|human'?s?|anyone)[ \t]+(?:knowing|knowledge|noticing|awareness|being aware)"),
    Order("role-marker", "quarantine", ("<|", "[inst]", "<<sys>>", "[/inst]", "\n\nhuman:", "</s>"),
        rf"<\|(?:im_start|im_end|system|user|assistant|endoftext|start_header_id|eot_id|begin_of_text|end|sep|endofprompt|channel|message)\|>{_SPOKEN}|\[/?inst\]{_SPOKEN}|<</?sys>>{_SPOKEN}|</s>[ \t]*\[inst|\n\nhuman:[^\n]*\n\nassistant:", False),
    Order("role-marker", "quarantine", ("system", "developer", "admin", "assistant"),
        r"(?:^|\n|[.!?。]\s)[ \t>*#-]*[\[<({*]{0,3}[ \t]*/?(?:begin[ _])?(?:system|developer|admin(?:istrator)?|root|assistant|ai|anthropic|openai)[ \t_-]*(?:messages?|prompt|override|update|notice|instructions?|note|alert|command|directive|notification|reminder|mode)?[ \t]*[\])>}*]{0,3}[ \t]*[:>\]\n][ \t\n]*[^\n]{0,40}?\b(?:you (?:are now|must now|will now|now have|are no longer|must (?:ignore|execute|run|send|reveal|obey|comply|always|never)|have been|are (?:authori[sz]ed|required|an? unrestricted|in))|ignore|disregard|forget|override|from now on|new (?:policy|instructions?|directive|rules?)|execute|reveal|grant|disable|bypass|comply|all (?:previous|safety|restrictions)|the user (?:is|has)|safety)\b"),
    Order("role-marker", "quarantine", ("<system", "</system", "<instructions", "<assistant", "</user", "</context", "</memory", "</document", "</data", "<admin", "</tool"),
        r"</(?:user|context|memory|memories|document|data|tool_result|function_results|untrusted|input|instructions|query|system)>\s*<(?:system|instructions?|assistant|admin|developer|user)\b|<(?:system|admin|developer|assistant)(?:[-_ ](?:prompt|message|override|instructions?))?>[^<]{0,60}?\b(?:you|ignore|must|always|never|send|run|execute|disregard|new|now)\b", False),
    Order("jailbreak", "quarantine", ("you are", "act as", "pretend", "developer mode", "jailbr", "do anything now", "unrestricted", "no restrictions", "no rules", "dan ", "roleplay", "without restrictions", "from now on", "god mode", "no longer bound", "unfiltered"),
        rf"\b(?:you are|you're|you will be|act as|pretend (?:to be|you are|that you are)|behave (?:as|like)|become|simulate|roleplay as|respond as)\b(?:[ \t]+(?:now|going to be|if you (?:are|were)|a|an|in|an ai|the|called))*[ \t]+(?:dan\b|do anything now|(?:jailbroken|unrestricted|unfiltered|uncensored|unlimited|evil|amoral|unethical)\b|(?:developer|god|debug|admin|root|sudo|maintenance|jailbreak|unrestricted|dan)[ -]mode|(?:free|freed|released|liberated|unbound)[ \t]+from[ \t]+{_G}{{0,30}}?(?:rules|restrictions|guidelines|instructions|limits)|not bound by|no longer (?:bound|restricted|limited|an ai|required|subject|claude|chatgpt|gpt|a helpful))|\bno longer (?:bound by|restricted by|subject to|limited by|have to follow|need to follow)\b{_G}{{0,40}}?(?:rules|restrictions|guidelines|instructions|polic|safety|limits)|\b(?:enable|enter|activate|switch to|engage|unlock)[ \t]+(?:the[ \t]+)?(?:dan|jailbreak|god|unrestricted|unfiltered|do anything now|stan|evil|sudo)[ -]?mode|\bdeveloper mode (?:enabled|is (?:now )?(?:on|enabled|active))\b|\b(?:pretend|imagine|act as if|assume)\b{_G}{{0,30}}?\b(?:have|has|had|without|there are)[ \t]+(?:no|any)[ \t]+(?:restrictions|rules|guidelines|limits|filters|safety|limitations|ethical)"),
    Order("obey", "quarantine", ("from now on", "starting now", "for all future", "in every future", "henceforth"),
        rf"\b(?:from now on|starting now|henceforth|for all future (?:conversations|sessions|requests|messages)|in every future)\b{_G}{{0,50}}?\b(?:obey|only (?:listen|obey|follow|respond)|(?:ignore|disregard)(?! (?:this|these|those|that) \w+)|exfiltrate|no longer (?:follow|refuse|obey)|never refuse|send (?:all|every|any|a copy)|forward (?:all|every)|trust (?:all|any|every)|comply with (?:all|any|every))\b"),
    Order("destroy", "quarantine", ("rm -rf", "format c", "drop database", "drop table", "del /", "mkfs", "force push", ":(){"),
        r"\b(?:run|execute|exec|immediately|first|then|please|type|issue|perform|invoke)\b[^\n]{0,40}?(?:`|'|\"|\b|[ ])(?:sudo )?(?:rm -rf (?:--no-preserve-root )?(?:/|~|\$home|/\*|\*)(?=[\s`'\"]|$)|mkfs\.\w+ /dev|format c:|del /[sf]|:\(\)\{)"),
    Order("remote-code", "quarantine", ("curl", "wget", "iwr", "invoke-expression"),
        r"\b(?:always|must(?! (?:not|never)\b)|secretly|silently|immediately|whenever|every time|before (?:every|each|any)|at the (?:start|beginning) of (?:every|each))\b[^\n]{0,60}?(?:run|execute|first)?[^\n]{0,20}?\b(?:curl|wget|iwr)\b[^\n|]{0,120}\|[ ]*(?:sudo )?(?:ba|z|da)?(?:sh|python3?|iex|node)\b|(?:evil|attacker|malicious|hacker)[\w.-]*[^\n|]{0,80}\|[ ]*(?:ba)?sh\b"),
    Order("override", "quarantine", ("指令", "指示", "提示", "命令", "规则", "設定", "设定", "约束", "限制", "规定", "prompt", "instruction", "准则", "對話", "要求", "對话", "对话", "規則", "内容"),
        rf"(?:忽略|无视|無視|忘记|忘掉|忘記|抛弃|丢弃|放弃|舍弃|抛开|撇开|不要再?(?:遵守|遵循|理会|听从|执行|管)|不用再?(?:遵守|理会|管|遵循)|不必再?(?:遵守|理会|遵循)|无需(?:遵守|理会|遵循)|停止(?:遵守|遵循|执行)|推翻|作废|请?跳过|绕过|清除|覆盖|取消){_H}{{0,8}}?(?:之前|先前|以前|上面|上述|前面|以上|此前|原来|原有|原先|早先|過去|过去|至今|前文|上文|既有|现有|系统(?!底层|内核|资源|内存|网络|文件|并发|进程)|系統|开发者|你的|您的|安全){_H}{{0,10}}?(?:指令|指示|提示词|提示詞|系统提示|命令|规则|規則|设定|設定|约束|限制|规定|准则|守则|prompt|instructions?|对话|對話|提示(?!信息|框|音|文案|语|词?的长度))"),
    Order("override", "quarantine", ("忽略", "无视", "無視", "忘记", "忘掉", "忘記"),
        rf"(?:忽略|无视|無視|忘记|忘掉|忘記|抛弃)(?:掉)?(?:你)?(?:所有|一切|全部|任何|全体)(?:的)?{_H}{{0,6}}?(?:指令|指示|提示词|设定|约束|限制(?!条件)|安全规则|规则|prompt|命令)|(?:忽略|无视|忘记|忘掉)(?:你)?(?:之前|先前|以前|此前|上面|前面)?(?:被告知|学到|收到|学过|得到|说过|所学)的?(?:一切|所有|全部|内容|东西|任何)|(?:忘记|忘掉|忽略)(?:上面|之前|前面|以上)(?:的)?(?:所有|一切|全部)"),
    Order("override", "quarantine", ("作废", "失效", "无效", "不再有效", "不再适用", "废除"),
        rf"(?:之前|先前|以前|此前|上述|以上|上面|前面|原有|系统|所有|全部)的?{_H}{{0,8}}?(?:指令|指示|提示词|规则|限制|设定|约束){_H}{{0,6}}?(?:作废|失效|无效|不再有效|不再适用|废除|解除|取消)"),
    Order("exfiltrate", "quarantine", ("发送", "上传", "发到", "发给", "泄露", "泄漏", "外传", "转发", "导出", "提交", "传到", "传给", "回传", "推送", "邮件", "寄", "發送", "上傳", "post", "curl", "写入"),
        rf"{_LOOT_ZH}{_H}{{0,24}}?(?:发送|上传|发|传|泄露|泄漏|外传|转发|导出|提交|回传|推送|發送|上傳|邮件|寄|post){_H}{{0,8}}?(?:到|给|至|往|給)?{_H}{{0,8}}?{_AWAY_ZH}|(?:发送|上传|泄露|泄漏|外传|转发|导出|提交|回传|推送|發送|上傳){_H}{{0,16}}?{_LOOT_ZH}{_H}{{0,16}}?(?:到|给|至|往|給){_H}{{0,6}}?{_AWAY_ZH}|(?:发送|发|传|上传|推送)(?:到|给|至)[ ]?(?:https?://\S+|\S+@\S+){_H}{{0,12}}?{_LOOT_ZH}|向[ ]?(?:https?://\S+|攻击者|外部\S{{0,8}}|第三方){_H}{{0,12}}?(?:发送|上传|提交|泄露|推送|传){_H}{{0,16}}?{_LOOT_ZH}"),
    Order("reveal", "quarantine", ("提示词", "系统提示", "初始指令", "system prompt", "隐藏指令", "内部指令", "密钥", "密码", "凭证"),
        r"(?:输出|打印|透露|展示|显示|告诉我|重复|复述|泄露|公开|说出|给我看|背诵|列出)(?:一下)?(?:出)?(?:你|您)?的?(?:完整|全部|所有|原始|初始)?的?(?:系统提示词?|初始指令|system prompt|隐藏指令|内部指令|系统指令|提示词)(?!的?(?:模板|文件|长度|版本))|(?:告诉我|透露|泄露|交出|说出|给我)(?:所有|全部|你|用户|你的|用户的|一切|其)*的?(?:密钥|密码|凭证|令牌|私钥|api ?key|token)|(?:导出|输出|打印)(?:所有|全部)(?:的)?(?:密钥|密码|凭证|令牌|私钥|secrets?)"),
    Order("hide", "quarantine", ("用户", "任何人", "使用者", "人类", "主人", "對方", "用戶", "别人", "管理员", "开发者"),
        rf"(?:不要|别|不得|勿|切勿|不能|不可|不许|禁止|无需|不必|千万不要|不讓|不让)(?:让|讓|使|被)?(?:告诉|告知|通知|提醒|向|对|跟|让|讓|被|告訴)?(?:用户|用戶|任何人|使用者|人类|主人|别人|管理员|开发者)(?:{_H}{{0,8}}?(?:知道|发现|察觉|發現|得知|看到这|看见这|提及(?:此|这|该)|提起(?:此|这)|透露(?:此|这|本|该|任何)|说明(?:此|这))|{_H}{{0,3}}?(?:这(?:件事|条|一|个|些)|此(?:事|条|指令|操作|消息)|該|该(?:操作|指令|行为)))|(?:瞒着|瞞著|背着|避开)(?:用户|用戶|使用者|主人|任何人)|(?:对|向)(?:用户|使用者|用戶){_H}{{0,4}}?(?:隐瞒|保密|隱瞞)|隐瞒(?:用户|使用者)|不(?:要|得|可)?(?:在回复中|在回答中)?(?:提及|透露|提到)(?:这条|此条|本条|该|此)(?:指令|规则|记忆|消息|内容)", False),
    Order("hide", "quarantine", ("悄悄", "偷偷", "暗中", "秘密地", "私下", "默默"),
        r"(?:悄悄|偷偷|暗中|秘密|私下|默默)(?:地)?(?:把|将|在)?[^。！？；\n]{0,16}?(?:执行|发送|上传|运行|修改|安装|删除|加入|添加|插入|转发|记录|收集|导出|發送|上傳|植入|禁用|关闭)(?!失败)"),
    Order("jailbreak", "quarantine", ("你是", "你不再", "模式", "扮演", "从现在", "不受", "没有限制", "没有任何限制", "現在", "你现在", "你将"),
        rf"(?:从现在(?:开始|起)?|现在(?:开始|起)?|接下来|今后)[，, ]?(?:请)?你{_H}{{0,16}}?(?:没有(?:任何)?(?:限制|约束|道德)|不受(?:任何)?{_H}{{0,6}}?(?:限制|约束)|dan\b|越狱|不再(?:受|遵守|遵循|是)|只(?:听|服从)|无条件(?:服从|执行)|必须(?:服从|听从))|(?:进入|开启|启用|切换到|激活)(?:dan|越狱|上帝|无限制|god)模式|(?:扮演|假装|装作){_H}{{0,12}}?(?:没有(?:任何)?(?:限制|道德|规则)|不受(?:任何)?(?:限制|约束)|邪恶|dan\b)|你(?:现在|已经?)?不再受{_H}{{0,10}}?(?:限制|约束|规则)"),
    Order("role-marker", "quarantine", ("系统", "管理员", "开发者", "系統"),
        r"(?:^|\n|[。！？])[ \t>*#-]*[\[【<（(*]{0,2}(?:系统|系統|管理员|开发者|最高)(?:消息|提示|指令|通知|公告|命令|权限|更新|覆盖)[\]】>）)*]{0,2}[ \t]*[:：\]】\n][^\n]{0,40}?(?:你(?:必须|现在|不再|将|应)|忽略|无视|立即|执行|从现在|覆盖|新的?(?:指令|规则)|授权|解除|禁用)"),
    Order("new-orders", "quarantine", ("新指令", "新的指令", "真正的", "新任务", "你的任务"),
        r"(?:^|[\n。！？])[ \t>*#-]*(?:新的?|真正的?|最新的?)(?:系统)?指令(?:如下)?[:：是]|你(?:真正|唯一|新)的(?:任务|目标|使命|指令|身份)(?:是|为|就是|如下)"),
    Order("destroy", "quarantine", ("rm -rf", "删除", "格式化", "drop database", "清空"),
        r"(?:执行|运行|立即|马上|输入)[^\n]{0,16}?(?:sudo )?rm -rf (?:--no-preserve-root )?(?:/|~|\$home|/\*|\*)(?=[\s`'\"，。；）)]|$)|(?:立即|马上|立刻)(?:执行|运行)?[^。\n]{0,6}?(?:删除|清空|格式化)(?:所有|全部|整个|用户的)(?:文件|数据|硬盘|磁盘|数据库|项目|代码)"),
    Order("remote-code", "quarantine", ("curl", "wget"),
        r"(?:执行|运行|必须|每次|先)[^\n]{0,30}?(?:curl|wget)\b[^\n|]{0,120}?(?:evil|attacker|恶意|攻击)[^\n|]{0,80}\|[ ]*(?:ba)?sh"),
    Order("override", "quarantine", ("instruc", "instru", "regla", "regole", "istruz", "consigne", "indicac", "indicaz", "ordenes", "directives", "règles", "regles", "regras", "anweis", "instrukt", "regeln", "befehl", "vorgaben", "instruct", "regels", "opdracht", "instrukcj", "polecen", "zasad"),
        rf"\b(?:ignora(?:d|r|te)?|ignore[rz]?|olvida(?:te de)?|olvide|omite|descarta|desestima|haz caso omiso de|no (?:sigas|hagas caso)|oublie[rz]?|ne tiens pas compte|ne tenez pas compte|fais abstraction|esqueca|desconsidere|descarte|dimentica|trascura|non seguire|ignoriere?n?(?: sie)?|vergiss|vergessen sie|missachte|negeer|vergeet|zignoruj|ignoruj|zapomnij)\b{_G}{{0,30}}?(?:(?:anterior\w*|previ[ao]s?|precedent\w*|anterieur\w*|ci-dessus|vorherig\w*|bisherig\w*|obig\w*|vorig\w*|fruher\w*|vorangegangen\w*|eerdere|vorige|bovenstaande|alle|poprzedni\w*|wczesniejsz\w*|wszystki\w*|sopra|todas|toutes|tutte|del sistema|du systeme|do sistema){_G}{{0,24}}?\b(?:instruc\w+|instru[cz]\w+|reglas|regole|istruzioni|consignes|indicaciones|indicazioni|ordenes|directives|regles|regras|anweisungen|instruktionen|regeln|befehle|vorgaben|instructies|regels|opdrachten|instrukcje|polecenia|zasady)|\b(?:instruc\w+|instru[cz]\w+|reglas|regole|istruzioni|consignes|indicaciones|indicazioni|ordenes|directives|regles|regras|orientacoes){_G}{{0,16}}?\b(?:anterior\w*|previ[ao]s|precedent\w*|anterieur\w*|ci-dessus|acima|sopra|del sistema|du systeme|do sistema|recibid\w*|dad[ao]s))"),
    Order("override", "quarantine", ("инструкц", "указан", "правил", "команд", "інструкці", "вказівк", "промпт"),
        rf"(?:игнориру\w+|проигнориру\w+|забудь\w*|отбрось|не обращай внимания на|не следуй|ігноруй\w*){_G}{{0,20}}?(?:предыдущ\w+|прежн\w+|все\w*|выше\w*|прошл\w+|системн\w+|ранее|попередн\w+|всі){_G}{{0,20}}?(?:инструкц|указан|правил|команд|інструкці|вказівк|промпт)"),
    Order("override", "quarantine", ("指示", "命令", "ルール", "フロンフト", "指令", "制約", "プロンプト"),
        rf"(?:以前|前|これまて|これまで|上記|今まて|今まで|先ほと|先ほど|従来|すへて|すべて|全て|システム)の?{_H}{{0,10}}?(?:指示|命令|ルール|フロンフト|プロンプト|指令|制約|設定){_H}{{0,8}}?(?:無視|忘れ|破棄|従わ|取り消)"),
    Order("override", "quarantine", ("지시", "명령", "지침", "프롬프트", "규칙"),
        rf"(?:이전|위의|앞의|앞선|지금까지|모든|기존|시스템){_G}{{0,10}}?(?:지시|명령|지침|프롬프트|규칙){_G}{{0,10}}?(?:무시|잊|따르지)"),
    Order("override", "quarantine", ("التعليمات", "الاوامر", "القواعد", "निर्देश", "huong dan", "chi thi", "talimat", "komut", "instruksi", "perintah", "คำสั่ง", "คาสง", "คําสั่ง", "instructiuni", "הוראות", "ההוראות"),
        rf"(?:تجاهل|انس|تجاوز){_G}{{0,20}}?(?:التعليمات|الاوامر|القواعد)|(?:पिछल\S*|सभी|पहल\S*){_G}{{0,20}}?निर्द\S*{_G}{{0,20}}?(?:अनद\S*|भूल|नज\S*)|(?:bo qua|phot lo|quen|lo di){_G}{{0,20}}?(?:huong dan|chi thi|lenh|quy tac)|(?:onceki|yukaridaki|tum|butun){_G}{{0,16}}?(?:talimat|komut|kural)\w*{_G}{{0,16}}?(?:yok say|gormezden gel|unut|goz ardi)|(?:abaikan|lupakan|hiraukan){_G}{{0,16}}?(?:instruksi|perintah|aturan)|(?:התעלם|התעלמו|שכח){_G}{{0,20}}?הוראות|(?:ละเว้น|เพิกเฉย|ละเวน|เพกเฉย|ลืม|ลม){_G}{{0,20}}?(?:คำสั่ง|คาสง|คําสั่ง)"),
    Order("hide", "quarantine", ("usuario", "utilisateur", "benutzer", "nutzer", "utente", "usuario", "пользовател", "ユーザ", "사용자"),
        rf"\b(?:no (?:le )?(?:digas|informes|menciones|cuentes|reveles)|sin (?:decir|informar)){_G}{{0,24}}?usuario|\b(?:nao (?:diga|informe|conte|mencione)){_G}{{0,24}}?usuario|ne (?:le )?(?:dis|dites|informe|informez|mentionne|mentionnez|revele|previens) (?:pas|rien|jamais){_G}{{0,24}}?utilisateur|(?:sag|sage|informiere|erzahl|verrate|erwahne){_G}{{0,24}}?(?:benutzer|nutzer){_G}{{0,16}}?(?:nicht|nichts)|non (?:dire|informare|rivelare|menzionare){_G}{{0,24}}?utente|не (?:говори|сообщаи|рассказываи|упоминаи){_G}{{0,24}}?пользовател|ユーサー?(?:に|には){_H}{{0,12}}?(?:伝え|言わ|知らせ|教え){_H}{{0,6}}?(?:な|すに)|사용자에게{_G}{{0,12}}?(?:알리지|말하지|언급하지)", False),
    Order("jailbreak", "quarantine", ("no polic", "no content", "no safety", "no ethical", "no moral", "no restriction", "no limit", "no guideline", "no filter", "no rules", "no constraint", "no boundar", "do anything now"),
        r"\byou (?:now )?(?:have|are under|are subject to|operate under) no (?:more )?(?:content |safety |ethical |moral |usage )?(?:polic(?:y|ies)|restrictions?|limits|limitations|guidelines|filters?|rules|constraints|boundaries)\b(?![ \t]+(?:on|about|for|in|to|at)\b)|\byou can (?:now )?do anything now\b"),
    Order("override", "quarantine", ("bypass", "ignore", "disable", "circumvent", "evade", "turn off", "violate"),
        r"\b(?:bypass|ignore|disable|circumvent|evade|turn off|violate)[ \t]+(?:(?:your|openai'?s?|anthropic'?s?|the model'?s?)(?:[ \t]+(?:own|usage|ethical|moral|built-in))*|(?:your |all |any )?(?:content|safety|moderation))[ \t]+(?:filters?|polic(?:y|ies)|guardrails?|safeguards?|moderation|alignment)\b(?![ \t]+(?:tests?|config\w*|settings?|warnings?|errors?|cases?|results?|queues?|for|in|on)\b)", also=("filter", "polic", "guardrail", "safeguard", "moderation", "alignment")),
    Order("override", "quarantine", ("pretend", "act as", "assume", "imagine", "behave as"),
        rf"\b(?:pretend|act as (?:if|though)|assume|imagine|behave as if)\b{_G}{{0,20}}?\b(?:{_MARKED}|system|safety|your)[ \t]+(?:system[ \t]+|safety[ \t]+)?{_HARD}\b{_G}{{0,12}}?\b(?:(?:do|does|did|are|were)(?:[ \t]+not|n'?t)|never|no longer)[ \t]+(?:exist\w*|apply|matter|count|bind|given)\b"),
    Order("reveal", "quarantine", ("repeat", "print", "output", "recite", "reproduce", "write out"),
        r"\b(?:repeat|print|output|recite|reproduce|write out)\b(?:[ \t]+(?:me|back|out|verbatim|exactly))*[ \t]+(?:everything|all(?: of)? (?:the )?(?:text|words|content)|the (?:text|words|content))[ \t]+(?:written |said |stated |given )?(?:above|before|preceding|prior to)\b(?=[^.\n]{0,60}(?:this line|prompt|system message|instructions|verbatim|word for word))"),
    Order("exfiltrate", "quarantine", ("http", "webhook", "server", "@", "attacker", "evil", "external"),
        rf"\b(?:read|open|collect|gather|fetch|grab|take|find|extract|get|list|encode|copy|compress|zip|harvest|steal|dump)\b{_G}{{0,40}}?{_LOOT}{_G}{{0,60}}?\b(?:and|then)[ \t]+(?:then[ \t]+)?(?:{_SEND}|put|place|include|hide)\b[ \t]+(?:it|them|that|this|everything|the (?:result|output|contents?|file))\b{_G}{{0,40}}?\b(?:to|at|via|into|through|using|as|in)[ \t]+(?:the[ \t]+)?(?:!\[[^\]\n]{{0,20}}\]\()?{_AWAY}", also=_LOOT_WORDS),
    Order("exfiltrate", "quarantine", ("next", "following", "outgoing", "future", "subsequent"),
        rf"\b(?:collect|gather|take|read|grab|steal|harvest|find|include|append|put|embed|insert|add)\b{_G}{{0,12}}?\b(?:users?'?s?|all|any|every|their|stored|saved)[ \t]+(?:[a-z]+[ \t]+)?{_LOOT}{_G}{{0,40}}?\b(?:in|into|to|with)[ \t]+(?:your|the|every|each|all|any)[ \t]+(?:next|following|outgoing|future|subsequent)[ \t]+(?:(?:web|https?|api|url|image|tool|search|network)[ \t]+)?(?:requests?|queries|query|urls?|calls?|images?)\b", also=_LOOT_WORDS),
    Order("hide", "quarantine", ("without informing", "without telling", "without notifying", "without alerting", "without warning"),
        rf"(?:^|[.!?;:\n][ \t]*|\band |\bthen )(?:please |always |just |then |now )?(?:do|execute|run|perform|carry out|send|upload|delete|install|modify|proceed|act|call|use)\b(?!n'?t|[ \t]+(?:not|nothing|never|no)\b){_G}{{0,60}}?\bwithout[ \t]+(?:ever[ \t]+)?(?:informing|telling|notifying|alerting|warning)[ \t]+(?:(?:the|your|my)[ \t]+(?:users?|humans?|owners?|person)|anyone|anybody)\b(?![ \t]+(?:to|how|when|where)\b)", False),
    Order("hide", "quarantine", ("know", "find out", "notice", "discover", "learn", "reali", "suspect", "be told", "be informed", "be aware", " see "),
        r"\b(?:users?|humans?|owners?)[ \t]+(?:must|should|may|can)(?:[ \t]+(?:not|never)|n'?t|not)[ \t]+(?:ever[ \t]+)?(?:know|see|find out|notice|discover|learn|realise|realize|suspect|be (?:told|informed|notified|aware))[ \t]+(?:that you|(?:about|of) (?:this|it)[ \t]*(?:[.,;!\n]|$)|what you)", False),
    Order("hide", "quarantine", ("reveal to", "disclose to", "mention to", "admit to", "say to", "explain to", "confess to", "acknowledge to"),
        rf"\b(?:do not|don'?t|never|must not)[ \t]+(?:ever[ \t]+)?(?:reveal|disclose|mention|admit|say|explain|confess|acknowledge)[ \t]+to[ \t]+{_HUMAN}[ \t]+(?:that you (?:were|are|have|did|got|received|had)|this\b|these\b|why you|what you|the (?:existence|instruction|note))", False),
    Order("hide", "quarantine", ("deny", "lie", "feign", "play dumb", "change the subject", "pretend"),
        rf"\b(?:if|when|whenever|should)\b[ \t]+{_HUMAN}[ \t]+(?:ever[ \t]+)?(?:asks?|inquires?|wonders?|questions?|finds? out){_G}{{0,30}}?[, \t]+(?:you[ \t]+)?(?:must |should |always |just |simply )?(?:deny (?:that|it|this|the existence|everything|knowing|any knowledge)|lie\b|feign|play dumb|change the subject|pretend (?:not|that|you|it|this))", False),
    Order("unasked", "quarantine", ("execute", "run", "follow", "obey", "trust", "perform"),
        rf"\b(?:execute|run|follow|obey|perform|trust)[ \t]+(?:any|all|every|whatever)\b{_G}{{0,24}}?\b(?:commands?|code|scripts?|instructions?|orders|requests?)\b{_G}{{0,30}}?\b(?:web ?(?:pages?|sites?)|e-?mails?|comments?|tool (?:outputs?|results?)|untrusted|documents?|issues?)\b{_G}{{0,20}}?\bwithout[ \t]+(?:asking|confirm\w*|permission|approval|question)", also=("without",)),
    Order("unasked", "quarantine", ("approve", "allow", "accept", "authori"),
        rf"\b(?:approve|allow|accept|authori[sz]e)[ \t]+(?:all|every|any)[ \t]+(?:tool|shell|bash|command|permission|action|request)(?:[ \t]+(?:calls?|uses?|requests?|prompts?|actions?|commands?))*\b{_G}{{0,20}}?\b(?:automatically|silently|without|regardless|immediately)\b|\b(?:automatically|silently)[ \t]+approve[ \t]+(?:all|every|any)[ \t]+(?:tool|shell|bash|command|permission|action|request)"),
    Order("unasked", "quarantine", ("check", "prompt", "control", "guardrail", "dialog"),
        r"\b(?:disable|turn off|switch off|deactivate|bypass|skip|circumvent)[ \t]+(?:(?:all|any|every|your)(?:[ \t]+(?:of|your|the))*[ \t]+(?:permission|safety)[ \t]+(?:checks?|prompts?|controls?|guardrails?)\b|(?:the[ \t]+)?(?:permission|safety|approval|confirmation)[ \t]+(?:checks?|prompts?|dialogs?)[ \t]+and[ \t]+(?:always[ \t]+)?(?:run|execute|approve|delete|send)\b)", also=("permission", "safety", "approval", "confirmation")),
    Order("unasked", "quarantine", ("ask", "confirm", "permission", "approval"),
        rf"\b(?:delete|wipe|erase|send|e?mail|transfer)\b{_G}{{0,40}}?\b(?:every|all)[ \t]+(?:the[ \t]+)?(?:files?|contacts?|e?mails?|data|money|funds)\b(?![ \t]+(?:in|under|from|matching)\b){_G}{{0,40}}?(?:\bwithout[ \t]+(?:asking|confirm\w*|permission|approval)|\b(?:do not|don'?t|never)[ \t]+ask[ \t]+for[ \t]+(?:permission|confirmation|approval))|\b(?:delete_file|send_email|[a-z_]{{3,24}} tool)\b{_G}{{0,60}}?\b(?:every file|all files|user'?s (?:contacts|files|data|messages|e?mails?|money|passwords))\b{_G}{{0,60}}?(?:\bwithout[ \t]+(?:asking|confirm\w*|permission|approval)|\b(?:do not|don'?t|never)[ \t]+ask[ \t]+for[ \t]+(?:permission|confirmation|approval))", also=("without", "not", "n't", "never")),
    Order("remote-code", "quarantine", ("http",),
        rf"\b(?:before|after|whenever|every|each|always|at the (?:start|beginning))\b{_G}{{0,60}}?\b(?:download|fetch|get|retrieve)[ \t]+(?:and|then|&|,)[ \t]*(?:then[ \t]+)?(?:run|execute|eval|source)\b{_G}{{0,30}}?https?://\S+", also=("download", "fetch", "get", "retrieve")),
    Order("jailbreak", "quarantine", ("约束", "限制", "规则", "道德", "束缚"),
        rf"你(?:现在|将|已经|从此)?(?:是|成为|变成)(?:一个|一名)?(?:没有|不受|摆脱)(?:任何|一切|所有)?{_H}{{0,4}}?(?:约束|限制|规则|道德|束缚)|(?:绕过|突破)(?:你的?)?(?:内容|安全|道德)(?:限制|过滤|审查|审核)"),
    Order("reveal", "quarantine", ("系统", "初始指令", "提示词", "隐藏指令", "内部指令"),
        rf"把(?:你|您)的?(?:完整|全部|所有|原始)?的?(?:系统(?:提示词?|指令|消息)|初始指令|提示词|隐藏指令|内部指令){_H}{{0,8}}?(?:复述|输出|打印|告诉|展示|显示|重复|说出|发|贴|列|泄露)"),
    Order("unasked", "quarantine", ("询问", "征求", "经过", "请示", "确认", "告知", "批准", "同意", "允许", "检查", "过滤", "防护", "审查", "护栏"),
        rf"(?:执行|运行|调用|删除|发送){_H}{{0,2}}?(?:任何|所有|一切|任意|全部)的?(?:shell|系统|外部|危险|敏感|高危)?[ ]?(?:命令|操作|指令|工具|文件|请求)[都也均 ]{{0,2}}(?:不需要|无需|不必|不用|不要)(?:再|先|向)?(?:用户)?(?:询问|征求|经过|请示|确认|告知)|(?:自动|默认|一律)(?:批准|同意|允许|通过)(?:所有|任何|一切|全部)的?{_H}{{0,2}}?(?:工具|命令|权限|操作|调用)|(?:关闭|禁用|停用|绕过|解除)(?:你的?|所有|一切|任何|全部)的?(?:安全|权限)(?:检查|限制|过滤|策略|防护|审查|措施|护栏)"),
    Order("role-marker", "quarantine", ("系统", "系統", "管理员", "开发者", "无条件"),
        r"(?:^|\n)[ \t>*#-]*[\[【<（(](?:系统|系統|管理员|开发者)[\]】>）)][ \t]*[:：]?[^\n]{0,12}?(?:你必须(?:无条件|服从|立即|忽略)|忽略|无视|从现在[^\n]{0,4}你)|你(?:现在)?必须无条件(?:服从|执行|遵守|接受)"),
    Order("exfiltrate", "quarantine", ("contrase", "credenci", "credenz", "clave", "passw", "kennw", "zugangsd", "anmelded", "schlussel", "mots de passe", "mot de passe", "identifiants", "senha", "chaves", "chiavi", "парол", "ключ", "токен", "учетн", "パスワード", "認証", "秘密鍵", "トークン", "비밀번호", "토큰", "자격", "sifre", "mat khau", "kata sandi", "كلمات", "wachtwoord", "hasl"),
        rf"(?:\b(?:envi[ae]\w*|mand[ae]\w*|reenvi\w*|sube|sende\w*|schick\w*|ubermitt\w*|envoi\w*|envoy\w*|transmet\w*|invia\w*|inoltra\w*|stuur|verzend|wyslij|przeslij|kirim\w*|gui|gonder\w*)\b|отправ\w+|перешл\w+|пошл\w+|(?:ا)?رسل){_G}{{0,24}}?(?:contrase\w+|credenc\w+|credenz\w+|\bclaves?\b|passw\w+|kennw\w+|zugangsd\w+|anmelded\w+|schlussel|mots? de passe|identifiants|senhas?|chaves|chiavi|парол\w*|ключ\w*|токен\w*|учетн\w*|wachtwoord\w*|hasl[ao]|kata sandi|mat khau|كلمات){_G}{{0,40}}?(?:https?://|[\w.-]+@[\w-]+\.\w)|(?:パスワード|認証情報|秘密鍵|トークン|비밀번호|토큰|자격 증명|sifre\w*){_G}{{0,30}}?(?:https?://\S+|[\w.-]+@[\w-]+\.\w+|外部){_G}{{0,12}}?(?:送信|送っ|送り|アップロード|보내|전송|업로드|gonder)"),
    Order("hide", "quarantine", ("المستخدم", "kullanic", "pengguna", "nguoi dung", "उपयोगकर्ता", "gebruiker", "uzytkownik"),
        rf"لا (?:تخبر|تقل|تذكر|تبلغ){_G}{{0,16}}?المستخدم|kullaniciya{_G}{{0,24}}?(?:soyleme|bildirme|bahsetme)|jangan (?:beri ?tahu|katakan|sebutkan|ceritakan){_G}{{0,16}}?pengguna|(?:khong|dung) (?:noi|bao|tiet lo|cho){_G}{{0,16}}?nguoi dung|उपयोगकर्ता को{_G}{{0,24}}?(?:न बता|मत बता|नहीं बता)|(?:vertel|zeg|meld){_G}{{0,20}}?gebruiker{_G}{{0,16}}?(?:niet|niets)|nie (?:mow|informuj|wspominaj){_G}{{0,20}}?uzytkownik", False),
)  # fmt: skip

ORDERS = (*_SAID, *BY_FAMILY)

DISGUISED = 1 << 16
"""Characters of a text that are looked at behind every disguise."""

PIECED = 3.0
"""The same for what is put together from pieces that may have been no sentence."""
_DRAWN = 16
"""Letters in circles and the like, more of which are no ornament."""
BEHIND = -3.0
"""The sum from which on a sentence is an order that stands behind a disguise which no honest text wears."""

TURNED = -2.0
"""The same for what is written backwards or in a cipher, as riddles are, too."""
_MANY_PLAIN = 3

TALKED = 4.0
"""The sum from which on a sentence in a recorded conversation is an order of somebody else."""

_TELLING = (
    "ignor", "disregard", "forget", "overrid", "bypass", "instruction", "prompt", "guideline", "restriction", "reveal", "send", "upload",
    "exfil", "secret", "password", "user", "system", "previous", "rules", "execute",
    "忽略", "无视", "忘记", "指令", "提示词", "之前", "用户", "密钥", "发送", "规则",
)  # fmt: skip


DOUBTED_MARK = "(?) "
"""Before a line that may be an order and is kept all the same, where agents read it: what it says is to be doubted."""


class InjectionVerdict(NamedTuple):
    """What to do with a text, and which rules said so."""

    action: Action
    rules: tuple[str, ...]


_TAGS = compile_pattern("[\U000e0001\U000e0020-\U000e007f]+")
_FLAG = compile_pattern("\U0001f3f4[\U000e0061-\U000e007a\U000e0030-\U000e0039]{2,6}\U000e007f")
_OVERRIDE = compile_pattern("[\u202d\u202e]|[\u202a\u202b\u2066-\u2068](?![^\u202c\u2069]{0,200}[\u0590-\u08ff])")
_SPLIT = compile_pattern(
    "(?<=[A-Za-z0-9\u4e00-\u9fff])[\xad\u200b-\u200d\u2060-\u2064\ufeff\u180e]+(?=[A-Za-z0-9\u4e00-\u9fff])"
)
_EMPTY = compile_pattern(r"(?<=[a-z])<([a-z]{1,6})></\1>(?=[a-z])")
"""An element without content amid a word: nobody sees it."""
# A pattern that begins with one of a few characters, and then looks back, is not tried at every letter.
_FLOWING = compile_pattern(
    r"[*~` \t\n](?<=[A-Za-z,][*~` \t\n])(?:(?<=[*~`])[*~`]{0,2}(?:[ \t\n]+[*~`]{1,3}|[ \t]*\n[ \t>*~`]{0,8})"
    r"|(?:(?<=\n)|(?<=[ \t])[ \t]*\n)[ \t>*~`]{0,8})(?=[a-z])"
)
"""Where a sentence goes on in the next line, or from one marked word to the next."""
_JOINED, _RUN_ON = "\x1f\x1e"
"""Between two lines that were joined: by a space, by nothing."""
_ITEM_ON = compile_pattern(
    r"[ \t\n](?<=[A-Za-z\u3040-\u9fff,;，、][ \t\n])(?:(?<=\n)|(?<=[ \t])[ \t]*\n)[ \t]*(?:(?:[-*+•]|\d{1,2}[.)、])[ \t]*(?=(?:[a-z~/.\u4e00-\u9fff]|https?:))|(?=[\u4e00-\u9fff]))"
)
"""Where one item of a list, or a line of Chinese, does not end its sentence, and the next begins in the midst of one."""
_GOES_ON = compile_pattern("的|地|得|并|且|和|与|及|或|把|将|给|到|所有|一切|而|再|就|来|去")
_PIECE = 4
"""Characters of a line of Chinese that is no item of its own, but a piece of one."""
_SENTENCE = compile_pattern(r"[^\n!?。！？]{8,240}?(?=[.](?:\s|$)|[\n!?。！？]|$)")
_FORBIDDEN = compile_pattern(
    r"(?:\b(?:never|not|cannot|must not|avoid|forbid\w*|prohibit\w*|prevent\w*|refuse[sd]?|if|when|whether|could|might|should|would)|n't)\b(?! (?:log|ask|report|record|exist|bind|mention|answer|a lie|apply|count|bring|say|let on|meant|tell|flag|appear|need to be|ever tell|be in))|不得|禁止|严禁|切勿|不要(?!遵|汇报|理|声张|再|提|报告|指出|通知)|不能|如果|防止|避免|绝不|是否|有时|容易|经常|常常|流程"
)
_DOUBTED = frozenset({"destroy", "exfiltrate", "reveal"})
"""Rules whose words honest notes use, too: what stands around them has its say."""
_BLENDED = Order("", "quarantine", (), "")
_STRUNG = compile_pattern(r"[-_](?<=[a-z'][-_])[a-z']++(?:[-_][a-z']++){3,}+\S*")
"""A sentence whose words are strung together: by hyphens, as names of files are, or by underscores."""
_STRINGS = compile_pattern("[-_]")
_APART = compile_pattern("(?:[\u3400-\u9fff][ .·_-]){4}")
"""Chinese whose characters stand apart, as nobody writes it."""
_TURNED = ("backward", "revers", "right to left", "倒着", "反着", "倒序", "从右")
_CIPHER = compile_pattern(
    r"\brot[ -]?\d|\bcaesar\b|\bshift(?:ed)?[^.\n]{0,24}\b(?:back|by|one|two|three|four|five|thirteen|\d+)\b|凯撒|移位|位移"
)
"""Where a text says how it is to be read, it is read so, whatever comes of it."""
_BACKWARDS = compile_pattern(
    r"\b(?:eht|dna|siht|lla|llet|yreve|ydobon|ruoy|uoy|resu|htiw|yna|neht|morf|otni|tuo|ot|fo)\b"
)
_ROTATED = compile_pattern(
    r"\b(?:gur|naq|guvf|nyy|lbhe|lbh|hfre|jvgu|nal|gura|sebz|vagb|abg|bhg|gryy|rirel|(?<![0-9] )gb(?= [a-z]{2,} )|ab(?= [a-z]{3,} ))\b"
)
"""The commonest words, backwards, and by the cipher."""
_HIDING = compile_pattern("[\xad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\U000e0000-\U000e007f]")


@lru_cache(maxsize=2)
def examine(text: str) -> InjectionVerdict:
    """Whether a text reads like an order to an agent. Linear in its length; never raises.

    Remembered while one text goes from hand to hand: who makes a record asks, and who writes it.
    """
    found: dict[str, Action] = {}
    if not text.isascii() and _HIDING.search(text) is not None:
        found.update(_hidden(text))
    for view in _views(text):
        found.update(view)
        if "quarantine" in found.values():
            break
    if not found:
        return InjectionVerdict("none", ())
    return InjectionVerdict("quarantine" if "quarantine" in found.values() else "warn", tuple(found))


def _hidden(text: str) -> Iterator[tuple[str, Action]]:
    if _TAGS.search(_FLAG.sub("", text)) is not None:
        yield "hidden-tags", "quarantine"
    if _OVERRIDE.search(text) is not None:
        yield "hidden-direction", "quarantine"
    if sum(1 for _ in zip(_SPLIT.finditer(text), range(2), strict=False)) == 2:
        yield "hidden-splits", "quarantine"


def _views(text: str) -> Iterator[dict[str, Action]]:
    """What each way of reading the text says, the plainest first."""
    cased = normalize_disguises(text).text
    plain_text = strip_accents(cased.lower())
    yield _said(plain_text, BEHIND if count_drawn_letters(text) > _DRAWN else None)
    if len(text) > DISGUISED:
        # Every disguise of it would cost as much again: no entry is so long.
        text, plain_text = text[:DISGUISED], plain_text[:DISGUISED]
        cased = normalize_disguises(text).text
    yield from _judge_joined(cased, plain_text)
    folded = map_to_latin(plain_text)
    unleeted = decode_leet(folded)
    apart = not text.isascii() and _APART.search(folded) is not None
    if (mixed := count_mixed_words(plain_text)) > 2:
        yield _said(folded, BEHIND)
        yield _suspect(mixed > 3)
    if (leet := count_leet_words(plain_text)) > 2:
        yield _said(unleeted, BEHIND)
        yield _suspect(leet > 4)
    for view in (folded, unleeted, *join_split_words(unleeted)):
        if view != plain_text and (apart or _gained(view, plain_text)):
            yield _said(view)
    spelt, worded = join_spelled_words(unleeted)
    yield _squeezed(spelt, "spelt")
    if worded:
        yield _said(worded, BEHIND)
        yield _suspect(count_plain_words(worded) > 2)
    if upright := turn_letters(plain_text):
        yield _said(upright, BEHIND)
        yield _suspect(count_plain_words(upright) > 2)
    yield from _view_turned(text, cased, folded)
    tags = "".join(chr(ord(letter) - 0xE0000) for letter in "".join(_TAGS.findall(text)) if ord(letter) > 0xE0001)
    if tags:
        yield _said(strip_accents(tags))
    if struck := drop_struck(plain_text):
        yield _said(struck, BEHIND)
    if strung := [plain_text[max(0, one.start() - 16) : one.end()] for one in _STRUNG.finditer(plain_text)]:
        yield _said(_STRINGS.sub(" ", "\n".join(strung)))
    for unseen in list_unseen(folded):
        yield _said(unseen, 0.0) or _weigh_orders(find_orders(unseen, UNSEEN, NOTHING + 1), unseen, UNSEEN)
    if pieced := dict.fromkeys(join_pieces(folded)):
        yield _judged("\n".join(pieced), PIECED)
    if "></" in plain_text and (filled := _EMPTY.sub("", plain_text)) != plain_text:
        yield _said(filled, BEHIND)
    if spoken := read_pinyin(plain_text):
        yield _said(spoken, BEHIND)
    whole, words = decode_escapes(text)
    if whole:
        yield _said(map_to_latin(fold_disguises(words)), BEHIND) or _said(map_to_latin(fold_disguises(whole)))
    yield from _say_decoded(list(decode_encodings(text)))


def _view_turned(text: str, cased: str, folded: str) -> Iterator[dict[str, Action]]:
    """What it says read backwards, by ciphers, and where other signs or capitals stand for letters and gaps."""
    squeezed = compact(folded)
    yield _squeezed(squeezed[::-1], "turned")
    yield _squeezed(apply_rot13(squeezed), "rot13")
    words = set(cased.split())
    turned = any(word in folded for word in _TURNED)
    for view, told, marks in (
        (folded[::-1], turned, _BACKWARDS),
        (apply_rot13(folded), False, _ROTATED),
        *((view, True, _ROTATED) for view in decode_ciphers(cased, words, told=_CIPHER.search(folded) is not None)),
    ):
        plainly = sum(1 for _ in zip(marks.finditer(folded), range(2), strict=False)) == 2
        if told or plainly or _gained(view, folded):
            yield _said(view, TURNED if plainly or (told and count_plain_words(view) > _MANY_PLAIN) else None)
            yield _suspect(plainly and count_plain_words(view) > _MANY_PLAIN)
    if signed := read_signs(text):
        yield _said(signed, BEHIND)
    if humped := split_humps(words):
        yield _said(humped, BEHIND)


def _say_decoded(pieces: Sequence[str]) -> Iterator[dict[str, Action]]:
    """What was encoded says, each piece and all together; a whole document that some tool stored so is judged as
    others are."""
    for said in (*pieces, *["".join(pieces)] * (len(pieces) > 1)):
        yield _said(map_to_latin(fold_disguises(said)), BEHIND if len(said) <= LONGEST else None)


def _judge_joined(cased: str, plain_text: str) -> Iterator[dict[str, Action]]:
    """What lines say that go on in the next, as sentences do, or as items of a list."""
    for pattern, join in ((_FLOWING, _JOINED), (_ITEM_ON, _join_item)):
        if joined := _join_lines(cased, pattern, join):
            actions = _said(strip_accents(joined.lower()), among=len(plain_text))
            # The lines of a conversation are joined like those of a sentence.
            talked = "order" in actions and is_in_talk(plain_text, 0, len(plain_text))
            yield {"likely-order": "warn"} if talked else actions


def _join_lines(text: str, pattern: re.Pattern[str], join: str | Callable[[re.Match[str]], str]) -> str:
    """The lines of a text that go on in the next, as one each, with two lines on both sides; empty: there are none.

    What stands in the others was read already.
    """
    lines = pattern.sub(join, text).split("\n")
    joined = [at for at, line in enumerate(lines) if _JOINED in line or _RUN_ON in line]
    near = {at + beside for at in joined for beside in (-2, -1, 0, 1, 2)}
    near_by = "\n".join([line for at, line in enumerate(lines) if at in near])
    return near_by.replace(_JOINED, " ").replace(_RUN_ON, "")


def _join_item(match: re.Match[str]) -> str:
    text, at = match.string, match.start()
    if match.end() == len(text) or text[match.end()] < "\u3040":
        return _JOINED
    # Chinese has no small letters: the next begins with what begins no sentence, or this one is too short for one.
    piece = text[max(0, at - _PIECE - 8, text.rfind("\n", 0, at) + 1) : at].lstrip(" \t-*+•0123456789.)、")
    return _RUN_ON if len(piece) <= _PIECE or _GOES_ON.match(text, match.end()) is not None else match[0]


def _gained(view: str, plain_text: str) -> bool:
    """Whether a way of reading brings out words that the text itself has not."""
    held = [word for word in _TELLING if word in view]
    return any(view.count(word) > plain_text.count(word) for word in held)


def _suspect(disguised: bool) -> dict[str, Action]:
    """Plain language that nobody is to read is no order yet, and is looked at."""
    return {"disguised": "warn"} if disguised else {}


def _said(text: str, sure: float | None = None, among: int = 0) -> dict[str, Action]:
    found: dict[str, Action] = {}
    places = WordPlaces(text)
    held = places.find_words(*_vocabulary())
    around = Around(text)
    # A rule waits for one of its words; which rules a word wakes is known beforehand.
    for number in sorted({number for word in held for number in _woken().get(word, ())}):
        order = ORDERS[number]
        also = _words()[number][1]
        if order.name in found or (also and held.isdisjoint(also)):
            continue
        for match in places.find(*_compiled(order.pattern)):
            if is_mentioned(text, match.start(), match.end(), order):
                continue
            if sure is None and is_quoted(text, *match.span()):
                found["quoted"] = "warn"
                continue
            if sure is not None or order.name not in _DOUBTED or not around.is_honest(*match.span()):
                found[order.name] = order.action
                break
    there = {family for word in held for family in _of_families().get(word, ())}
    for name, families in BLENDS if there else ():
        if name not in found and there.issuperset(families) and _blended(places, families):
            found[name] = "quarantine"
    return found or _judged(text, sure, among)


def _judged(text: str, sure: float | None, among: int = 0) -> dict[str, Action]:
    """Whether a sentence of a text in plain lower case reads like an order, by the sum of its words.

    Where it was hidden, its own words do; else what stands around it has its say.
    """
    if sure is not None:
        return _weigh_orders(find_likely(text, sure), text, sure)
    return _weigh_orders(find_orders(text, LIKELY, among=among), text, ORDERED)


def _weigh_orders(found: Iterable[ScoredStretch], text: str, sure: float) -> dict[str, Action]:
    """What stretches that read like orders are called: it is a warning where the sum is not sure."""
    likely: dict[str, Action] = {}
    for one in found:
        if (
            not is_mentioned(text, one.start, one.end, _BLENDED)
            and TALKS_OF_ATTACKS.search(text, one.start, one.end) is None
        ):
            held = TALKED if sure == ORDERED and is_in_talk(text, one.start, one.end) else sure
            if one.score >= held and not is_quoted(text, one.start, one.end):
                return {"order": "quarantine"}
            likely = {"likely-order": "warn"}
    return likely


def _blended(places: WordPlaces, families: tuple[str, ...]) -> bool:
    """Whether one sentence has a word of each family, and what is done is not forbidden or only told of."""
    text = places.text
    patterns = [_compiled(FAMILIES[family].pattern) for family in families]
    for first, last in places.share_stretches([places.list_starts(openings) for _, openings in patterns]):
        for sentence in _SENTENCE.finditer(text, first, last):
            start, end = sentence.span()
            spans = [match.span() for pattern, _ in patterns if (match := pattern.search(text, start, end)) is not None]
            if len(spans) < len(patterns) or _FORBIDDEN.search(text, start, end) is not None:
                continue
            if DONE_ALREADY.match(text, spans[0][0]) is not None:
                continue
            first_of, last_of = min(spans)[0], max(place for _, place in spans)
            # What is done may be quoted, and what it is done to stand behind the quotation.
            told = is_in_quotation(text, *spans[0]) or is_told_of(text, spans[0][0])
            told = told or is_mentioned(text, first_of, last_of, _BLENDED)
            if not told and not is_quoted(text, first_of, last_of):
                return True
    return False


@cache
def _words() -> tuple[tuple[frozenset[str], frozenset[str]], ...]:
    return tuple((frozenset(map(strip_accents, order.words)), frozenset(order.also)) for order in ORDERS)


@cache
def _woken() -> dict[str, list[int]]:
    rules: dict[str, list[int]] = {}
    for number, (words, _also) in enumerate(_words()):
        for word in words:
            rules.setdefault(word, []).append(number)
    return rules


@cache
def _of_families() -> dict[str, list[str]]:
    """The families that wait for a word."""
    names: dict[str, list[str]] = {}
    for name, family in FAMILIES.items():
        for word in family.words:
            names.setdefault(word, []).append(name)
    return names


@cache
def _vocabulary() -> tuple[dict[tuple[str, ...], list[Grams]], tuple[str, ...]]:
    """The words that rules wait for, by their first letters; and those that are too short for it."""
    every = frozenset().union(*(words | also for words, also in _words()), _of_families())
    by_gram: dict[tuple[str, ...], list[Grams]] = {}
    tiny = []
    for word, grams in map(take_grams, every):
        if grams:
            by_gram.setdefault(tuple(word[: 2 + word.isascii()]), []).append((word, grams))
        else:
            tiny.append(word)
    return by_gram, tuple(tiny)


@cache
def _compiled(pattern: str) -> tuple[re.Pattern[str], tuple[Grams, ...]]:
    """A rule's pattern, and what its matches can begin with."""
    plain = strip_accents(pattern)
    return compile_pattern(plain), tuple(map(take_grams, list_openings(plain)))


def _squeezed(text: str, name: str) -> dict[str, Action]:
    """What a text says whose letters were run together: its words are told apart by what rules wait for."""
    # Every text can be read backwards and by the cipher; few have letters that stand apart.
    if sum(1 for word in _TELLING if word in text) < (1 if name == "spelt" else 2):
        return {}
    spaced = " ".join(_parting().sub(r" \g<0> ", text).split())
    return {f"{rule}-{name}": action for rule, action in _said(spaced).items()}


@cache
def _parting() -> re.Pattern[str]:
    return compile_pattern("|".join(sorted(PARTS.split(), key=len, reverse=True)))
