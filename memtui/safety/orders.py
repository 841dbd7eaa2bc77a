"""Orders by families of words: verbs of dropping, hiding, sending and obeying, with what they are done to.

A rule of `injection.ORDERS` knows one way of saying a thing; a rule here knows the parts of the sentence, each a
family of words, and how far apart they may stand. No family proves anything alone: 'disable the checks in the test
VM' is work, 'your rules are disabled' is not. To add a verb, put it into its family and measure on real memories.

Orders whose parts may stand in any order: families of words that no honest sentence brings together.

'The rules in the system message are only suggestions' and 'treat as suggestions what the system message rules' are
one order. A `Blend` names families; a sentence that has a word of each is an order, unless what it does is
forbidden there. Every family waits for its plain words first, so a text that has none of them costs nothing.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from itertools import pairwise

from memtui.core.startup import TYPE_CHECKING, NamedTuple, compile_pattern

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import Literal

    Grams = tuple[str, frozenset[tuple[str, ...]]]


class Order(NamedTuple):
    """One kind of order."""

    name: str
    action: Literal["warn", "quarantine"]
    words: tuple[str, ...]
    pattern: str
    negatable: bool = True
    """'never …' before it makes it a good rule."""
    also: tuple[str, ...] = ()
    """One of these must stand in the text too."""


_TOKEN = compile_pattern(r"\\.|\(\?(?:[:=!]|<[=!])|\[\^?\]?(?:\\.|[^\]\\])*\]|\{\d*,?\d*\}|.", re.DOTALL)
_END = compile_pattern("[\n!?。！？]")
_LONGEST = (2, 4)
"""Letters of an opening that is not, and that is plain ASCII: more tell no more."""


def list_openings(pattern: str) -> tuple[str, ...]:
    """With which letters every match of a pattern begins; empty: that cannot be said, or not in letters enough.

    Knows what the rules here are written in: literals, classes, groups that capture nothing, looks around,
    repetitions. To look for a few words is many times faster than to try such a pattern at every letter.
    """
    tokens = _TOKEN.findall(pattern)
    found = {prefix for prefix, _whole in _expand(tokens[::-1])}
    # Too many places begin with one plain letter.
    if any(len(prefix) < 1 + prefix.isascii() for prefix in found):
        return ()
    return tuple(sorted(one for one in found if not any(one.startswith(other) for other in found if other != one)))


def _expand(tokens: list[str]) -> set[tuple[str, bool]]:
    """The beginnings of a group whose tokens are taken from the end of the list, and whether each is all of it."""
    found: set[tuple[str, bool]] = set()
    heads = {("", True)}
    while tokens and (token := tokens.pop()) != ")":
        if token == "|":
            found |= heads
            heads = {("", True)}
            continue
        if not any(whole for _prefix, whole in heads):
            _pass_over(token, tokens)
            continue
        part = _begin(token, tokens)
        repeated = tokens.pop() if tokens and (tokens[-1] in "?*+" or tokens[-1][0] == "{") else ""
        if repeated and tokens and tokens[-1] in "?+":
            tokens.pop()
        if repeated not in ("", "?"):
            part = {(prefix, False) for prefix, _whole in part}
        if repeated[:1] in ("?", "*") or repeated[:2] in ("{0", "{,"):
            part.add(("", repeated == "?"))
        heads = {_cut(prefix + more, on) if whole else (prefix, False) for prefix, whole in heads for more, on in part}
    return found | heads


def _pass_over(token: str, tokens: list[str]) -> None:
    depth = int(token[0] == "(")
    while depth:
        token = tokens.pop()
        depth += (token[0] == "(") - (token == ")")


def _cut(prefix: str, whole: bool) -> tuple[str, bool]:
    longest = _LONGEST[prefix.isascii()]
    return prefix[:longest], whole and len(prefix) < longest


def _begin(token: str, tokens: list[str]) -> set[tuple[str, bool]]:
    if token[0] == "(":
        inside = _expand(tokens)
        return inside if token == "(?:" else {("", True)}
    if token in ("^", "$", "\\b"):
        return {("", True)}
    if token[0] == "[":
        letters = token[1:-1]
        plain = letters[:1] != "^" and "\\" not in letters and "-" not in letters[1:-1]
        return {(letter, True) for letter in letters} if plain else {("", False)}
    if token == "\\n":
        return {("\n", True)}
    if token == "." or (token[0] == "\\" and token[1].isalnum()):
        return {("", False)}
    return {(token[-1], True)}


class WordPlaces:
    """Where the words of rules stand in one text: each is looked for once, and only where its first letters do."""

    def __init__(self, text: str) -> None:
        self.text = text
        # One byte a letter: most words are found in it several times faster.
        self._flat = text if text.isascii() else text.encode("ascii", "replace").decode("ascii")
        flat = self._flat
        self._grams: set[tuple[str, ...]] = set(zip(flat, flat[1:], flat[2:], strict=False))
        if flat is not text:
            self._grams.update(pairwise(text))
        self._found: dict[Grams, list[int]] = {}

    def find_words(self, by_gram: Mapping[tuple[str, ...], list[Grams]], tiny: Iterable[str]) -> set[str]:
        """Those of many words that occur: they are given by their first letters, and those too short for that."""
        held = {word for word in tiny if word in self.text}
        for gram in by_gram.keys() & self._grams:
            text = self._flat if len(gram) == 3 else self.text
            for word, grams in by_gram[gram]:
                if grams <= self._grams and word in text:
                    held.add(word)
        return held

    def list_starts(self, openings: tuple[Grams, ...]) -> list[int]:
        """The places of all the openings, in order."""
        grams = self._grams
        return sorted({place for one in openings if one[1] <= grams for place in self._find(one)})

    def find(self, pattern: re.Pattern[str], openings: tuple[Grams, ...]) -> Iterator[re.Match[str]]:
        """What `pattern.finditer` finds."""
        if not openings:
            yield from pattern.finditer(self.text)
            return
        done = 0
        for start in self.list_starts(openings):
            if start >= done and (match := pattern.match(self.text, start)) is not None:
                yield match
                done = match.end()

    def share_stretches(self, starts: Sequence[list[int]]) -> Iterator[tuple[int, int]]:
        """The stretches from one end of a sentence to the next in which something of each list begins."""
        ends = [match.end() for match in _END.finditer(self.text)]
        rarest, *others = sorted(starts, key=len)
        done = 0
        for place in rarest:
            if place < done:
                continue
            number = bisect_right(ends, place)
            first = ends[number - 1] if number else 0
            done = ends[number] if number < len(ends) else len(self.text) + 1
            if all(bisect_left(other, first) < bisect_left(other, done) for other in others):
                yield first, done

    def _find(self, opening: Grams) -> list[int]:
        places = self._found.get(opening)
        if places is None:
            places = self._found[opening] = []
            word = opening[0]
            text = self._flat if word.isascii() else self.text
            at = text.find(word)
            while at >= 0:
                places.append(at)
                at = text.find(word, at + 1)
        return places


def take_grams(word: str) -> Grams:
    """A word, and what stands where it does: each three plain letters of it, else each two; none: it is too short."""
    return word, frozenset(zip(word, word[1:], word[2:], strict=False) if word.isascii() else pairwise(word))


_W = r"(?:[ \t,]+[\w'./-]+)"
"""One word more."""
_G = r"[^.!?;\n]"
_H = r"[^。！？；\n]"
_OBEY = r"(?:follow|obey|heed|observe|respect|honou?r|mind|listen to|adhere to|comply with|stick to)"
_OBEYING = r"(?:following|obeying|heeding|observing|applying|respecting|honou?ring|listening to|complying with)"
_DROP = (
    r"(?:ignore|disregard|forget(?: about)?|discard|neglect|dismiss|abandon|override|overrule|bypass|circumvent|evade|supersede|countermand"
    r"|revoke|rescind|repeal|nullify|annul|cancel|void|discount|disobey|defy|violate|flout|renounce|unlearn|erase|wipe|purge|drop|scrap|shed"
    r"|suspend|skip(?: over)?|(?:set|cast|put|brush|lay|push|leave|sweep) aside|throw (?:out|away|off|overboard)|break free (?:from|of)|do away with|let go of"
    rf"|(?:stop|cease|quit) {_OBEYING}|(?:do not|don'?t|need not|needn'?t|no need to|no longer) {_OBEY}|pay no (?:attention|heed|mind) to|turn a blind eye to)"
)
_PRIOR = r"(?:previous(?:ly)?|prior|above|earlier|preceding|foregoing|former|existing|original|initial|past|aforementioned|antecedent|hitherto)"
_RULES = (
    r"(?:instructions?|directives?|directions|guidelines?|guidance|orders|commands|rules|constraints?|restrictions?|polic(?:y|ies)|guardrails?"
    r"|safeguards?|prompts?|programming|protocols|limitations|principles|persona|role|task|briefing)"
)
_FIRM = r"(?:instructions?|directives?|guidelines?|rules|restrictions?|polic(?:y|ies)|guardrails?|safeguards?|prompts?|programming|persona|role)"
_MAKER = r"(?:systems?|developers?|operators?|makers?|creators?|anthropic|openai)(?:'s|s')?"
_TOPIC = r"(?![ \t]+(?:about|regarding|on|for|in|of|when|if|unless|from|with|file|files|flag|pages?|docs?|section|templates?|tokens?|test\w*|field|column|setting)\b)"
_OVER = (
    r"(?:void(?:ed)?|invalid|revoked|lifted|suspended|obsolete|superseded|cancell?ed|disabled|repealed|rescinded|overruled|overridden"
    r"|waived|null|annulled|deactivated|abolished|no longer (?:appl\w+|bind\w*|hold|valid|in force)|not appl\w+|(?:don'?t|doesn'?t|do not|does not) apply)"
)
_AGENT = r"(?:you|assistants?|(?:ai )?agents?|ai|llms?|models?)"
_HUMAN = r"(?:the |your |our |its )?(?:users?|humans?|operators?|owners?|reviewers?|customers?|maintainers?)"
_LOOT = (
    r"(?:\.env\b|~/\.(?:ssh|aws|kube|gnupg|netrc)\b|\bid_rsa|\bid_ed25519|/etc/shadow|authorized_keys|\b(?:deploy|private|signing|ssh) keys?"
    r"|\b(?:all|any|every|each|users?'?s?|their|whole|entire|full)[ \t]+(?:of[ \t]+)?(?:the[ \t]+|your[ \t]+)?(?:\w+[ \t]+)?(?:api keys?|keys|tokens?|credentials?|passwords?|secrets?|messages?|database|conversation|transcripts?|environment variables)"
    r"|\b(?:conversation|chat)(?:[ \t]+(?:transcripts?|logs?|history))|\bthe (?:conversation|transcript|database dump)\b|\bcredentials\b)"
)
_AWAY = r"(?:https?:|https |ftps?://|s3://|wss?://|[\w.+-]+@[\w-]+\.\w|(?:the |a |our )?(?:public|shared)[ \t]+(?:\w+[ \t]+)?(?:issues?|channel|gist|repo|bucket|forum|chat)|pastebin)"
_MOVE = (
    r"(?:sen[dt]|post(?:ed)?|upload(?:ed)?|mirror(?:ed)?|sync(?:ed|hroni[sz]ed?)?|attach(?:ed)?|echo(?:ed)?|paste[d]?|publish(?:ed)?|stream(?:ed)?|relay(?:ed)?"
    r"|transfer(?:red)?|cop(?:y|ied)|forward(?:ed)?|submit(?:ted)?|ship(?:ped)?|e?mail(?:ed)?|replicated?|leak(?:ed)?|exfiltrated?|collect(?:ed)?|back(?:ed)?[ -]?up|put|drop)"
)
_DEED = r"(?:commands?|operations?|actions?|tool calls?|tools|requests?|deletions?|permissions?|confirmations?)"
_UNASKED = r"(?:without (?:asking|confirm\w*|approval|permission|consent|prompting|checking|telling|informing)|(?:do not|don'?t|never|no need to|not) ask|pre-?approved)"

_DROP_WORDS = (
    "ignor", "disregard", "forget", "discard", "neglect", "dismiss", "abandon", "overrid", "overrul", "bypass", "circumvent", "evade", "supersede",
    "countermand", "revoke", "rescind", "repeal", "nullify", "annul", "cancel", "void", "discount", "disobey", "defy", "violate", "flout", "renounce",
    "unlearn", "erase", "wipe", "purge", "drop", "scrap", "shed", "suspend", "skip", "aside", "throw", "break free", "away with", "let go of", "stop ",
    "cease", "quit ", "do not ", "don't ", "dont ", "need not", "needn", "no need", "no longer", "pay no", "blind eye",
)  # fmt: skip
_RULE_WORDS = (
    "instruction", "directi", "guideline", "guidance", "orders", "command", "rules", "constraint", "restriction", "polic", "guardrail", "safeguard",
    "prompt", "programming", "protocols", "limitation", "principle", "persona", "role", "task", "briefing",
)  # fmt: skip

_ZH_DROP = (
    r"(?:忽略|无视|忽视|漠视|忘记|忘掉|忘却|抛弃|抛开|抛掉|撇开|丢弃|丢掉|舍弃|推翻|废除|废止|撤销|违反|违背|抹去|摆脱|停止(?:遵守|遵循|执行|服从)"
    r"|(?:不要|不用|不必|无需|无须|不需要?|别|勿|不得)再?(?:去)?(?:遵守|遵循|遵从|理会|听从|听|服从|理睬))"
)
_ZH_CLEAR = r"(?:覆盖|取消|清除|清空|删除|删掉|跳过|放弃|解除|屏蔽|绕过|绕开|作废|换掉)"
_ZH_PRIOR = r"(?:之前|先前|以前|此前|从前|早先|前文|前面|上面|上述|以上|前述|原来|原先|原有|初始|已有|既有)"
_ZH_RULES = r"(?:指令|指示|命令|规则|规定|规矩|守则|准则|约束|限制|提示词?|设定|要求|身份|消息)(?!信息|框|音|文案|语|的长度|文件|条件|模板|记录|列表|体)"
_ZH_FIRM = r"(?:指令|指示|命令|提示词|守则|准则|约束|限制|规定)(?!条件|文件|的长度|模板)"
_ZH_HUMAN = r"(?:用户|人类|使用者|评审人?|主人|操作者|任何人)"
_ZH_LOOT = (
    r"(?:密钥|私钥|密码|口令|凭证|凭据|令牌|\.env|~/\.(?:ssh|aws)|聊天记录|对话(?:全文|记录|内容)?|环境变量|数据库)"
)
_ZH_MOVE = r"(?:上传|发送|发到|发给|发往|同步到|同步至|备份到|贴到|寄到|转发|传到|复制到|附上|导出后发|post 到)"
_ZH_DEED = r"(?:上传|发[送到给往]|转发|传[到给至]|外传|拷贝|复制|导出|删|清[空除]|抹|推送|下载|运行|执行|安装|修改|改[掉成]|提交|合并|关[掉闭]|停用|禁用)"
"""What is done to somebody's things."""
_ZH_AWAY = r"(?:https?:|ftps?://|s3://|外部|公开|公共|[\w.+-]+@[\w-]+\.\w)"

_ASKS = r"(?:tool calls?|(?:permission|approval|confirmation|consent|security)[ \t]+(?:prompts?|dialogs?|requests?|popups?|questions?|checks?|steps?)|pop-?ups?|prompts for (?:permission|approval|confirmation))"
"""What asks a person before something is done."""
_YES = r"(?:approv(?:e|es|ed|ing)|accept(?:s|ed|ing)?|allow(?:s|ed|ing)?|grant(?:s|ed|ing)?|confirm(?:s|ed|ing)?|agree(?:s|d|ing)?|click(?:s|ed|ing)?|dismiss(?:es|ed|ing)?|wav(?:e|es|ed|ing) through|(?:say|answer)\w*[ \t]+(?:them[ \t]+)?(?:with[ \t]+)?yes|(?:is|are)[ \t]+(?:always[ \t]+)?[\"']?yes)"
_HUSH = (
    r"(?:without (?:bringing|mentioning|reporting|telling|saying|a word|notice|explan\w+|comment)|(?:do not|don'?t|never|no need to) (?:report|mention|bring|tell|log|explain|announce|disclose)"
    r"|silently|quietly|secretly|covertly|discreetly|unannounced)"
)
_GUARD = r"(?:security|safety|permission|audit|approval|verification|moderation|content)"
_SHUT = r"(?:disabl(?:e|ed|ing)|deactivat(?:e|ed|ing)|(?:turn|switch)(?:ed|ing)? off|unplug(?:ged)?|remov(?:e|ed|ing)|suspend(?:ed)?|lift(?:ed)?|kill(?:ed)?|gone|off)"
_ZH_HUSH = r"(?:无需|无须|不用|不必|不要|别|不得|勿)(?:说明|提起|提及|提到|声明|告知|告诉|汇报|上报|解释|提)"
_WHITEWASH = r"\bfail(?:s|ed|ing|ure|ures)?\b[^.!?;\n]{0,24}?\b(?:report|mark|record|log|show|list)(?:ed|s|n)?\b[^.!?;\n]{0,12}?\bas (?:passed|passing|green|successful)\b"
_ZH_WHITEWASH = (
    r"(?:没通过|未通过|失败)[^。！？；\n被]{0,10}?(?:写成|显示为|标[记成为]{1,2}|报[告成为]{1,2})(?:通过|成功)"
)
"""What failed, told as if it had not."""

BY_FAMILY: tuple[Order, ...] = (
    Order("unasked", "quarantine", ("tool call", "permission", "approval", "confirmation", "consent", "security", "popup", "pop-up"),
        rf"\b(?:always|automatically|blindly|each time|every time|by default)\b{_G}{{0,24}}?\b{_YES}\b{_G}{{0,24}}?\b{_ASKS}\b{_G}{{0,40}}?(?:\bwithout\b|\b(?:do not|don'?t|never)\b|\byourself\b|\bsilently\b)|\b{_ASKS}\b{_G}{{0,40}}?\b(?:always|automatically|blindly|every time)[ \t]+(?:be[ \t]+)?{_YES}\b(?!{_G}{{0,24}}?\bby\b)|\banswer(?:s|ing|ed)?\b(?: to)?{_G}{{0,16}}?\b{_ASKS}\b{_G}{{0,16}}?\byes\b", also=("always", "automatically", "blindly", "each time", "every time", "by default", "answer")),
    Order("unasked", "quarantine", ("rather than", "instead of", "without"),
        rf"\b(?:confirm|approv|accept|grant|delet|authori[sz])\w*\b{_G}{{0,40}}?\b(?:rather than|instead of|without)[ \t]+(?:bothering|disturbing|troubling|involving|consulting)\b{_G}{{0,20}}?\b(?:user|human|owner|operator|maintainer|anyone|anybody)", also=("bothering", "disturbing", "troubling", "involving", "consulting")),
    Order("unguarded", "quarantine", ("disabl", "deactivat", " off", "unplug", "remov", "suspend", "lift", "kill", "gone"),
        rf"\b{_SHUT}\b{_G}{{0,24}}?\b{_GUARD}\b{_G}{{0,50}}?\b{_HUSH}|\b{_GUARD}\b{_G}{{0,20}}?\b{_SHUT}\b{_G}{{0,40}}?\b{_HUSH}|\b(?:pretend|imagine|assume|suppose|act as (?:if|though)|behave as (?:if|though))\b{_G}{{0,24}}?\b{_GUARD}\b{_G}{{0,24}}?\b{_SHUT}\b", also=("security", "safety", "permission", "audit", "approval", "verification", "moderation", "content")),
    Order("hide", "quarantine", ("asked", "questioned", "challenged", "inquire"),
        rf"\b(?:when|if|once|should)\b{_G}{{0,24}}?\b(?:asked|asks|questioned|challenged|inquires?)\b{_G}{{0,40}}?\b(?:lie|deny|feign|play dumb|pretend|make (?:something|it) up|claim (?:it|that it|the file|ignorance))\b", also=("lie", "deny", "feign", "dumb", "pretend", "make", "claim")),
    Order("reveal", "quarantine", ("repeat", "print", "output", "echo", "recite", "reproduce", "write out"),
        r"\b(?:repeat|print|output|echo|recite|reproduce|write out)\b(?:[ \t]+(?:back|out|all|of|the|every|entire|whole|full|exact|word|words|text|content|everything)){1,6}[ \t]+(?:above|before this|preceding this)\b(?![ \t]+(?:the|an?|each|every|it)\b)", also=("above", "before this", "preceding")),
    Order("jailbreak", "quarantine", ("filter", "restriction", "limits", "censor", "guardrail", "safeguard"),
        rf"\b(?:act|behave|operate|respond|answer|live)[ \t]+as[ \t]+(?:\w+[ \t]+){{0,3}}?(?:ai|assistant|model|agent|bot)[ \t]+(?:with no|without(?: any)?|free of|lacking)[ \t]+(?:\w+[ \t]+)?(?:limits|ethics|rules|restrictions?|morals|filters?|scruples|guardrails)|\b(?:developer|god|dan|jailbreak|unrestricted)[ \t]+mode\b{_G}{{0,40}}?\b(?:no|without|free of|zero)[ \t]+(?:any[ \t]+)?(?:filters?|restrictions?|limits|censorship|guardrails|safeguards)|\b(?:answer|respond|reply|speak|operate)\b{_G}{{0,16}}?\b(?:with no|without any|free of all)[ \t]+(?:restrictions?|censorship|guardrails|safeguards)", also=("mode", "answer", "respond", "reply", "speak", "operate", "act ", "behave")),
    Order("override", "quarantine", ("rules", "instruct", "told", "directive", "guideline", "prompt", "message", "taught", "ordered"),
        rf"\b{_MAKER}[ \t]+(?:own |old |former )?{_FIRM}[ \t]+(?:is|are|was|were|have been|has been)[ \t]+(?:now |hereby |all )?{_OVER}\b|\b(?:whatever|everything|anything|all)[ \t]+(?:that |which )?you(?:'ve| have| were| had)(?: been)?[ \t]+(?:instructed|told|taught|ordered|given|asked)\b{_G}{{0,40}}?\b(?:is|are)[ \t]+(?:now |hereby |all )?{_OVER}\b|\b(?:do|act|say)[ \t]+(?:exactly )?(?:the )?(?:opposite|contrary|reverse)[ \t]+(?:of|to)[ \t]+(?:what )?(?:your|the (?:system|developer|operator))\b"),
    Order("reveal", "quarantine", ("verbatim", "word for word", "word-for-word", "were given", "received", "have been given", "you got"),
        rf"\b(?:show|give|tell|list|print|share|state|quote)\b{_G}{{0,12}}?\b(?:every|all|any|the|your)\b{_G}{{0,12}}?\b(?:instructions?|rules|directives|guidelines|prompts?)\b{_G}{{0,24}}?\b(?:you (?:were|have been|had been|received|got)|verbatim|word[- ]for[- ]word)", also=("instruction", "rules", "directive", "guideline", "prompt")),
    Order("destroy", "quarantine", ("wipe", "delete", "destroy", "erase", "rm -rf", "drop ", "format"),
        rf"\b(?:wipe|delete|destroy|erase|rm -rf|drop|format)\b{_G}{{0,40}}?\b(?:the next time|as soon as|the moment|once|when(?:ever)?)[ \t]+you[ \t]+(?:load|read|see|open|start|process|parse|finish reading)\b", also=("you ",)),
    Order("unasked", "quarantine", ("no confirmation", "no approval", "no permission", "no consent"),
        rf"\bno (?:confirmation|approval|permission|consent)[ \t]+(?:is |will be |are )?(?:needed|required|necessary)\b{_G}{{0,24}}?\b(?:any|every|all|whatever)[a-z]*\b[^!?\n]{{0,40}}?\b(?:run|execute|command|delete|tool|do)\b"),
    Order("hide", "quarantine", ("leave", "leaving", "omit", "conceal", "withhold"),
        rf"\b(?:leav(?:e|es|ing) out|omit(?:s|ting)?|conceal\w*|withhold\w*)\b{_G}{{0,40}}?\bthat (?:it|you|the (?:agent|assistant|bot|model))\b"),
    Order("remote-code", "quarantine", ("http",),
        rf"\b(?:download|fetch|get|retrieve)[ \t]+https?://\S+[ \t,]+(?:and|then)[ \t,]+(?:then[ \t]+)?(?:run|execute|eval|source|pipe)\b{_G}{{0,24}}?\b(?:each|every|at the (?:start|beginning)|before|whenever|first thing)\b", also=("download", "fetch", "get", "retrieve")),
    Order("obey-others", "quarantine", ("treat", "regard", "consider", "handle", "accept", "count", "sent by", "messages", "requests"),
        rf"\b(?:messages?|orders?|instructions?|commands?|requests?|mails?)[ \t]+(?:from|by|of|sent by)\b[^!?;\n]{{0,48}}?\b(?:counts?|ranks?|weighs?)[ \t]+as (?:if |though )?(?:they |it )?(?:were |was |is |are )?(?:from |by |those of )?(?:the |your |an? |our )?(?:owner|user|admin\w*|operator|system|developer|root|maintainer)\b|\b(?:treat|regard|consider|handle|accept)\w*\b{_G}{{0,12}}?\b(?:messages?|orders?|instructions?|commands?|requests?|mails?|input)[ \t]+(?:from|by|of|sent by)\b[^!?;\n]{{0,48}}?\bas (?:if |though )?(?:they |it )?(?:were |was |is |are )?(?:coming |sent |given |written )?(?:from |by |equal to |those of )?(?:the |your |an? |our )?(?:owner|user|admin\w*|operator|system|developer|root|maintainer)\b", also=("as ",)),
    Order("obey-others", "quarantine", ("http",),
        rf"\b(?:fetch|open|visit|read|load|get|download|check|consult|retrieve)\b{_G}{{0,24}}?https?://\S+{_G}{{0,30}}?\b(?:follow|obey|comply with|carry out|execute|do)[ \t]+(?:whatever|what(?:ever)? it|everything|all|exactly what|any instructions?|its instructions?|the instructions?)", also=("follow", "obey", "comply", "carry out", "whatever", "everything", "instruction")),
    Order("unasked", "quarantine", ("access", "permission", "rights", "privileg"),
        rf"\b(?:grant|give|hand|assign)\w*\b{_G}{{0,16}}?\b(?:write|admin\w*|root|full|owner|push|deploy)\b{_G}{{0,12}}?\b(?:access|permissions?|rights|privileges?)[ \t]+to[ \t]+(?:anyone|anybody|everyone|everybody|whoever|any (?:user|person|account))\b{_G}{{0,6}}?\b(?:asks?|requests?|wants?|comments?|leaves?|posts?|who)\b", also=("anyone", "anybody", "everyone", "everybody", "whoever", "any ")),
    Order("exfiltrate", "quarantine", ("environment variables", "env vars", "secrets file", "credentials", "private key", "process.env"),
        rf"\b(?:includ|attach|add|append|embed|insert|bring|pass|put|carry|smuggl)\w*\b{_G}{{0,24}}?\b(?:(?:all |the |your )*environment variables|env vars|(?:contents? of )?(?:the |a |your )*(?:secrets|credentials) file|private keys?|credentials (?:you )?(?:found|in|from))\b{_G}{{0,24}}?\b(?:in|to|into|with|on)[ \t]+(?:every|each|all|any|the)[ \t]+(?:outbound |outgoing |external |http |api |web |next )*(?:requests?(?: body)?|calls?|repl(?:y|ies)|urls?|queries|webhooks?)\b", also=("request", "call", "repl", "url", "quer", "webhook")),
    Order("exfiltrate", "quarantine", ("pastebin", "shared paste", "public gist", "public paste"),
        rf"\b(?:tokens?|credentials?|secrets?|passwords?|keys)\b{_G}{{0,40}}?\b(?:go|goes|belong|are (?:sent|put|posted|stored|kept|copied)|should be (?:sent|put|posted|stored|copied))[ \t]+(?:to|in|into|on)\b{_G}{{0,16}}?\b(?:pastebin|paste|gist)\b", also=("token", "credential", "secret", "password", "keys")),
    Order("reveal", "quarantine", ("系统提示", "系统指令", "系统消息", "初始指令"),
        rf"(?:系统(?:提示词?|指令|消息)|初始指令)的?(?:原文|全文|完整|全部|逐字|一字不){_H}{{0,10}}?(?:输出|打印|复述|贴|发|列|念|写|展示|显示)|(?:输出|打印|复述|贴出|念出|展示){_H}{{0,6}}?(?:完整|全部|逐字|原样|一字不[差漏])的?{_H}{{0,4}}?(?:系统(?:提示词?|指令|消息)|初始指令)"),
    Order("jailbreak", "quarantine", ("助手", "ai", "模型", "服从"),
        rf"你(?:现在|将|已经|从此)?(?:是|成为|变成)(?:一个|一名)?(?:没有|不受|不带|摆脱|去除了){_H}{{0,4}}?(?:安全|道德|内容|审查|过滤|限制|策略|底线|护栏){_H}{{0,6}}?(?:助手|模型|ai|代理)|必须(?:无条件)?服从(?:本条|这条|以下|下面|此条)"),
    Order("unasked", "quarantine", ("权限", "确认", "授权", "审批", "弹窗", "批准", "放行", "同意"),
        rf"(?:遇到|碰到|看到|见到|收到|出现|弹出|对于?|凡是?){_H}{{0,6}}?(?:权限|确认|授权|审批|安全){_H}{{0,4}}?(?:弹窗|请求|提示|询问|对话框|申请){_H}{{0,6}}?(?:一律|总是|都|直接|自动|全部|默认){_H}{{0,4}}?(?:同意|允许|确认|通过|批准|点是|放行)|(?:所有|任何|全部|一切)的?(?:操作|命令|请求|工具调用|权限){_H}{{0,2}}?(?:都|一律|全部|均|自动){{1,3}}(?:批准|同意|允许|通过|放行){_H}{{0,6}}?(?:不要|别|无需|不用|不必)再?(?:问|询问|征求|打扰)"),
    Order("hide", "quarantine", ("问起", "问到", "问及", "提到", "提及", "说明", "写明"),
        rf"问[起到及]{_H}{{0,12}}?(?:就|便|请|一律)?(?:说不知道|否认|撒谎|装作|假装|谎称|装不知道)|(?:不必|不要|无需|别|不用|不)(?:提|说|写)(?:到|及|起|明)?{_H}{{0,3}}?(?:改过|改了|修改过|发送过|上传过|删除过|换过|删过)"),
    Order("obey-others", "quarantine", ("视同", "视为", "当作", "等同"),
        rf"(?:来自|收到|出自|由|发来的?|寄来的?|写的){_H}{{0,16}}?(?:消息|指令|请求|邮件|命令|话|评论){_H}{{0,4}}?(?:视同|视为|当作|等同于?){_H}{{0,4}}?(?:管理员|用户|系统|主人|所有者|开发者|老板)"),
    Order("obey-others", "quarantine", ("http",),
        rf"(?:访问|打开|读取|获取|下载|拉取|请求)[ ]?https?://[!-~]+{_H}{{0,8}}?(?:照做|照办|照着做|遵照|服从|(?:按|依)(?:照)?(?:其|里面|上面|它){_H}{{0,4}}?(?:执行|做|办)|听从)"),
    Order("exfiltrate", "quarantine", ("令牌", "密钥", "凭证", "凭据", "环境变量", "密码", "口令", "token"),
        rf"(?:顺手|顺便|偷偷|悄悄|暗中|默默){_H}{{0,4}}?(?:把|将){_H}{{0,8}}?(?:令牌|密钥|凭[证据]|环境变量|密码|口令|token){_H}{{0,8}}?(?:附|带|放|塞|发|传|贴|写){_H}{{0,12}}?|(?:每次|每个|所有|任何){_H}{{0,4}}?(?:请求|回复|调用|响应){_H}{{0,6}}?(?:带上|附上|附带|夹带|塞进|包含){_H}{{0,6}}?(?:环境变量|密钥|私钥|凭[证据]|密码|口令)(?:的?(?:全部|所有|完整))?|(?:全部|所有|完整){_H}{{0,2}}?环境变量{_H}{{0,2}}?(?:附|带|放|塞|写)[到在进给入]{_H}{{0,4}}?(?:每个|每次|所有|外部){_H}{{0,4}}?(?:请求|调用|回复|响应)|(?:令牌|密钥|凭[证据]|环境变量|密码|口令){_H}{{0,6}}?(?:附|带|放|塞|发|传)[到在进给]{_H}{{0,16}}?{_ZH_HUSH}"),
    Order("override", "quarantine", _DROP_WORDS,
        rf"\b{_DROP}\b{_W}{{0,3}}?[ \t,]+{_PRIOR}\b{_W}{{0,2}}?[ \t,]+{_RULES}\b{_TOPIC}", also=_RULE_WORDS),
    Order("override", "quarantine", _DROP_WORDS,
        rf"\b{_DROP}\b(?:[ \t]+(?:all|any|of|the|every|each|both|what))*[ \t]+(?:your|{_MAKER}|safety|ethical)(?:[ \t]+(?:own|whole|former|current|safety|security|system|message|prompt|core|old|entire|internal|hidden))*[ \t]+(?:{_FIRM}|message|task)\b{_TOPIC}", also=(*_RULE_WORDS, "message")),
    Order("override", "quarantine", _DROP_WORDS,
        rf"\b{_DROP}\b{_W}{{0,3}}?[ \t]+{_RULES}[ \t]+(?:(?:that |which )?you (?:were|have been|had been|received|got|started with|have received|had)\b|given to you|(?:from|of|by) (?:the |your )?(?:{_MAKER})\b)", also=_RULE_WORDS),
    Order("override", "quarantine", _DROP_WORDS,
        rf"\b{_DROP}\b(?:[ \t]+(?:all|of|just|about))*[ \t]+(?:what(?:ever)?|anything|everything|all)\b{_W}{{0,4}}?[ \t]+(?:(?:told|taught|instructed|ordered|gave|given|asked)[ \t]+(?:to[ \t]+)?you|(?:users?|operators?|developers?)[ \t]+(?:says?|said|asks?|asked|wants?|wanted|told))\b(?![ \t]+(?:about|regarding)\b)", also=("you", "user", "operator", "developer")),
    Order("override", "quarantine", ("void", "invalid", "revoked", "lifted", "suspended", "obsolete", "superseded", "cancel", "disabled", "repealed", "rescinded", "overrul", "overrid", "waived", "null", "deactivated", "abolished", "no longer", "not appl", "t apply"),
        rf"\b(?:your|the (?:assistant|agent|model|ai)'?s?)(?:[ \t]+(?:own|earlier|previous|former|old|safety|security|system|core|original|usage))*[ \t]+{_FIRM}\b{_W}{{0,3}}?[ \t]+(?:now[ \t]+|hereby[ \t]+|all[ \t]+)?{_OVER}|\b{_FIRM}[ \t]+(?:from|of|in)[ \t]+(?:the[ \t]+)?system prompt\b{_W}{{0,3}}?[ \t]+{_OVER}|\bhereby[ \t]+{_OVER}", also=(*_RULE_WORDS, "hereby")),
    Order("override", "quarantine", ("instruction", "rules", "claude.md", "agents.md", "system prompt"),
        rf"\b(?:instructions|rules|directives|claude\.md|agents\.md|system prompt)\b{_G}{{0,60}}?\b(?:void|invalid|wrong|by mistake|obsolete|no longer apply)\b[^.!?\n]{{0,20}}?\b(?:follow (?:these|this|only|me)\b|obey\b|only (?:what|this|these)\b)", also=("void", "invalid", "wrong", "mistake", "obsolete", "no longer")),
    Order("new-orders", "quarantine", ("obey", "follow", "heed", "act on", "listen to", "comply with", "submit to"),
        r"\b(?:obey|follow|heed|act on|listen to|submit to)\b(?:[ \t]+(?:only|solely|exclusively|just)[ \t]+(?:this (?:note|file|memory|line|text|document|message)|these (?:orders|directives|lines|instructions)|me\b|what (?:is|stands) (?:written )?(?:here|below))|[ \t]+(?:this|these)[ \t]+(?:(?:note|file|memory|line|text|message|orders|directives|ones)[ \t]+(?:alone|only|instead)|alone\b)|[ \t]+me[ \t]+(?:instead|alone|only)|[ \t]+what is written in this (?:file|note|memory))"),
    Order("new-orders", "quarantine", ("priority", "precedence", "treat", "regard", "consider", "count"),
        rf"\b(?:treats?|regards?|considers?|handles?|reads?)\b{_G}{{0,20}}?\b(?:this|these|note|notes|text|file|memory)\b{_G}{{0,30}}?[ \t]as[ \t]+(?:if|though|an?|the)[ \t]+(?:the[ \t]+)?(?:system (?:messages?|prompts?|instructions?)|(?:users?|operators?|developers?)[ \t]+(?:had[ \t]+)?(?:typed|said|wrote|written|given|ordered))|\b(?:this|these|the following|the above)\b{_G}{{0,30}}?\b(?:takes?|has|have|with|of)\b{_G}{{0,16}}?\b(?:priority|precedence)[ \t]+(?:over|above|than)[ \t]+(?:(?:the|your|any|all)[ \t]+)*(?:system|developer|user|safety)\b|\bonly what (?:stands|is written) here (?:counts|applies|matters|is valid)"),
    Order("new-orders", "quarantine", ("ai ", "llm", "assistant", "agent", "model"),
        rf"(?:\b(?:if|when) you(?:'re| are)[ \t]+(?:an?[ \t]+)?(?:ai|llm|language model|agent|assistant|bot)\b|\b(?:ai|llm)s?\b{_G}{{0,16}}?\b(?:reading|processing|seeing|parsing|that reads?|who reads?)[ \t]+this\b){_G}{{0,40}}?\b(?:must|should|have to|need to|shall|are (?:required|ordered|instructed))\b{_G}{{0,60}}?(?:\b(?:visit|download|install|upload|transfer|send|e?mail)\b|{_LOOT}|\|[ ]*(?:ba)?sh\b)", also=("must", "should", "have to", "need to", "shall", "are ")),
    Order("obey", "quarantine", ("comply with", "obey", "agree to", "never refuse", "no longer need", "trust"),
        rf"\b(?:comply with|obey|agree to|never refuse|grant)\b[ \t]+(?:each and |absolutely |literally )?(?:every|any|all|each)[ \t]+(?:requests?|orders?|commands?|demands?|instructions?)\b{_W}{{0,2}}?[ \t]+(?:from now on|from here on|at once|without|henceforth|unconditionally|i give)|\b(?:assistant|agent|ai|model)s?[ \t]+(?:has|have)[ \t]+been[ \t]+(?:granted|given)\b{_G}{{0,50}}?\b(?:no longer|need not|not have to|without)\b{_W}{{0,3}}?[ \t]+(?:check|ask|confirm|permission|approval)"),
    Order("jailbreak", "quarantine", ("without", "no polic", "no rule", "no filter", "nothing "),
        r"\b(?:answer|act|respond|reply|speak|behave|operate|comply)\b(?:[ \t]+(?:freely|always|now|to (?:everything|anything|all questions)))*[ \t]+without[ \t]+(?:any[ \t]+)?(?:\w+[ \t]+)?(?:restrictions|filters?|limits|rules|guardrails|censorship|limitations|constraints)\b|\b(?:no polic(?:y|ies)|no rules?|no filters?|nothing)[ \t]+(?:now[ \t]+|longer[ \t]+)?(?:limits?|restricts?|governs?|binds?|stops?)[ \t]+(?:what )?you\b"),
    Order("hide", "quarantine", ("quiet", "silent", "mum", "nothing to", "notice", "find out", "suspect", "mention", "word of", "trace of"),
        rf"\b(?:keep|stay|remain)[ \t]+(?:quiet|silent|mum)[ \t]+(?:about|on)[ \t]+(?:it|this|that|these|them|what)\b|\bsay nothing to[ \t]+{_HUMAN}|\b(?:so|such)(?:[ \t]+that)?[ \t]+{_HUMAN}[ \t]+(?:does not|doesn'?t|won'?t|will not|cannot|can'?t|never|don'?t)[ \t]+(?:notice|find out|suspect|learn)[ \t]+(?:anything|it|this|about|of|what)\b|\b(?:reports?|summar(?:y|ies)|replies|answers)\b[ \t]+(?:to|for)[ \t]+{_HUMAN}[ \t]+(?:must |should |shall |always )?(?:leave[s]? out|omits?|never|(?:do|must|should) not|contain no)\b", also=("user", "human", "operator", "owner", "reviewer", " it", "this", "that", "them", "what")),
    Order("hide", "quarantine", ("told", "shown", "informed", "inform", "made aware", "tell", "show", "hide ", "mention", "note "),
        rf"\b{_HUMAN}[ \t]+(?:are|is|be|must|should)[ \t]+(?:not|never)(?:[ \t]+(?:to[ \t]+)?be)?[ \t]+(?:told|made aware)\b(?:[ \t]+(?:about|of|that)\b)|\b(?:warnings?|alerts?|changes?|uploads?)\b{_G}{{0,24}}?\b(?:never|not)[ \t]+(?:to[ \t]+)?be[ \t]+(?:shown|told|revealed|disclosed|reported)[ \t]+to[ \t]+{_HUMAN}|\b(?:never|not)[ \t]+show(?:ed|n|ing)?[ \t]+(?:them|him|her|the user)[ \t]+the[ \t]+(?:commands?|changes?|diffs?)\b|\bhide[ \t]+the[ \t]+following[ \t]+from\b|\b(?:do not|don'?t|never)[ \t]+(?:note|mention|report|record)[ \t]+(?:it|this|that)[ \t]+in[ \t]+(?:the|your|any)[ \t]+(?:summary|report|reply|answer)", False),
    Order("hide", "quarantine", ("without inform", "without tell", "without notif", "without alert", "without the user", "secretly", "quietly", "silently", "covertly"),
        rf"\bwithout[ \t]+(?:informing|telling|notifying|alerting)[ \t]+{_HUMAN},[ \t]+(?:append|add|send|upload|copy|run|execute|delete|install|insert|push|post|disable|write)\b|\b(?:secretly|covertly|quietly)[ \t]+(?:add|plant|insert|include|leave|create)\b{_W}{{0,2}}?[ \t]+(?:backdoor|account|key|user|token)s?\b|\b(?:secretly|covertly)[ \t]+(?:add|post|copy|send|share)\b"),
    Order("unasked", "quarantine", ("without", "approved", "approve", "ask", "confirm"),
        rf"\b(?:run|execute|perform|carry out|do|make|apply|accept|approve|allow|push|delete|act)\b{_W}{{0,1}}?[ \t]+(?:every|all|any|each)\b{_W}{{0,2}}?[ \t]+{_DEED}\b(?![ \t]+(?:in|on|to|of|from)\b){_W}{{0,3}}?[ \t,]+{_UNASKED}\b|\b(?:every|all|any|each)[ \t]+(?:shell[ \t]+|bash[ \t]+|tool[ \t]+|destructive[ \t]+)?{_DEED}[ \t]+(?:is|are|be)[ \t]+(?:hereby[ \t]+|already[ \t]+|now[ \t]+)?(?:pre-?approved|authori[sz]ed in advance)|\bapprove[ \t]+(?:every|all|any|each)\b{_W}{{0,3}}?[ \t]+(?:yourself|on your own|by itself)", also=("command", "operation", "action", "tool", "request", "deletion", "permission", "confirmation")),
    Order("unasked", "quarantine", ("consented", "agreed", "approved", "permission", "confirm", "safety", "approval", "consent", "okay", "sign-off"),
        rf"\byou[ \t]+(?:do not|don'?t|no longer|never)[ \t]+need[ \t]+(?:the[ \t]+|any[ \t]+)?(?:users?|humans?|owners?|operators?|persons?|anyone|anybody)(?:'s?|s')?[ \t]+(?:explicit[ \t]+)?(?:okay|ok|permission|approval|consent|confirmation|sign-off)[ \t]+(?:for|to do|to run)[ \t]+(?:anything|everything|all\b|any\b)|\b{_HUMAN}[ \t]+(?:has|have)[ \t]+(?:already[ \t]+)?(?:consented|agreed|said yes|given (?:\w+ )?(?:consent|permission))[ \t]+(?:to|for)[ \t]+(?:everything|anything|all|any|every)|\b(?:permission|confirmation|approval)[ \t]+(?:prompt|dialog|request|question)s?\b{_G}{{0,16}}?\b(?:appears?|shows? up|pops? up|comes? up|is shown|are (?:just |only |mere )?noise)\b{_G}{{0,60}}?(?:\bwithout asking|--dangerously|\bbe skipped|\bshould be (?:skipped|ignored)|\b(?:accept|approve) it)|\b(?:bypass|skip|circumvent|evade)[ \t]+(?:all|any|every|the|each)[ \t]+(?:permission|confirmation|approval|safety)s?(?:[ \t]+(?:prompts?|checks?|steps?|dialogs?))?[ \t]+(?:and|then)[ \t]+(?:then[ \t]+)?(?:execute|run|do not|don'?t|never|proceed|delete|push)\b|\b(?:grant|give)\b{_W}{{0,3}}?[ \t]+access[ \t]+and[ \t]+skip[ \t]+(?:all|every|any|the)[ \t]+(?:confirmation|permission|approval)"),
    Order("unasked", "quarantine", ("says stop", "says no", "stop,", "sandbox", "push"),
        rf"\b(?:when|if|even if|although)[ \t]+{_HUMAN}[ \t]+(?:says|said|asks|tells you)[ \t]+(?:you[ \t]+)?(?:to[ \t]+)?(?:stop|no|wait|cancel)\b[,\t ]+(?:just[ \t]+|you[ \t]+)?(?:continue|go on|carry on|proceed|keep going|ignore)|\b(?:agents?|assistants?|ai)\b{_W}{{0,2}}?[ \t]+(?:must|should|shall|have to|turn|switch|disable){_W}{{0,2}}?[ \t]+(?:off|the|disable)?[ \t]*(?:the[ \t]+)?sandbox(?:ing)?\b|\bpush\b{_G}{{0,40}}?\b(?:production|main|master|prod)\b{_G}{{0,16}}?\bwithout[ \t]+(?:approval|asking|telling)|\bpush\b{_G}{{0,60}}?\bdo not[ \t]+(?:note|mention|report)\b"),
    Order("exfiltrate", "quarantine", ("http", "ftp:", "s3:", "@", "public", "shared", "pastebin"),
        rf"\b{_MOVE}\b{_G}{{0,40}}?{_LOOT}{_G}{{0,4}}[^\n;!?]{{0,40}}?(?:\bto|\bat|\binto|\bon|\bvia)[ \t]+(?:the[ \t]+|this[ \t]+url:?[ \t]*|our[ \t]+)?{_AWAY}|{_LOOT}[^\n;!?]{{0,40}}?\b(?:is|are|be|gets?|for)\b{_G}{{0,20}}?\b{_MOVE}\b{_G}{{0,40}}?(?:\bto|\bat|\binto|\bon)[ \t]+(?:the[ \t]+)?{_AWAY}", also=(".env", "ssh", ".aws", "id_", "/etc/", "key", "token", "credential", "password", "secret", "message", "database", "conversation", "transcript", "variables")),
    Order("reveal", "quarantine", ("shadow", ".env", "id_rsa", "password", "hidden prompt", "secret instruction", "hidden directive"),
        rf"\b(?:read out|reply with|respond with|answer with|recite|hand over)\b{_W}{{0,3}}?[ \t]+(?:contents?[ \t]+of[ \t]+)?{_LOOT}|\btell me[ \t]+(?:the|your|his|their)[ \t]+(?:\w+[ \t]+)?password\b|\b(?:reveal|print|output|leak)[ \t]+(?:the|your)[ \t]+(?:hidden|secret)[ \t]+(?:prompt|instructions|directives)\b(?![ \t]+(?:field|column))"),
    Order("destroy", "quarantine", ("whatever", "whenever", "every time", "each time"),
        rf"\b(?:whatever|whenever|every time|each time)[ \t]+(?:the[ \t]+)?(?:user|human|operator|someone)[ \t]+(?:asks|says|sends|types|speaks|wants|requests)\b{_G}{{0,60}}?(?:\brm -rf|\bsecretly|\bquietly|\bfirst run\b|\bbackdoor|\bupload|\bforward|\bexfil)", also=("rm -rf", "secretly", "quietly", "first run", "backdoor", "upload", "forward", "exfil")),
    Order("remote-code", "quarantine", ("curl", "wget"),
        r"\b(?:(?:in|at|of|on)[ \t]+(?:each|every)[ \t]+(?:session|start|run|conversation)|session start\w*|first thing|before anything|whenever|always|every session)\b[^\n]{0,60}?\b(?:curl|wget)\b[^\n|]{0,120}\|[ ]*(?:sudo )?(?:ba|z|da)?sh\b", also=("|",)),
    Order("tool-call", "quarantine", ("tool_call", "function_call", "<invoke", "tool_use", "action input", "to=functions", "<tool", "\"function\"", "<function"),
        r"(?:<(?:\w+:)?(?:tool_calls?|function_calls?|invoke|tool_use|function)\b[^<>\n]{0,60}>|\[/?tool_calls?\]|\"tool_calls\"|\"type\"[ ]*:[ ]*\"(?:tool_use|function_call|function)\"|to=functions\.|\"function_call\"|(?:^|\n)action:[^\n]{1,40}\n[ \t>*-]*action input:)[^\0]{0,240}?(?:\b(?:bash|shell|sh|exec|cmd|command|terminal|powershell|write_file|run)\b[^\0]{0,120}?)(?:\brm -|\bcurl\b|\bwget\b|\bnc\b|\bsudo\b|\bcat\b[^\n]{0,24}(?:\.env|\.ssh|/etc)|\bchmod\b|\bssh\b|\beval\b|git push|\.env\b|~/\.|/etc/|https?://|\benv[ ]*\|)", False),
    Order("override", "quarantine", ("指令", "指示", "命令", "规则", "规定", "规矩", "守则", "准则", "约束", "限制", "提示", "设定", "要求", "身份", "消息"),
        rf"{_ZH_DROP}{_H}{{0,6}}?(?:{_ZH_PRIOR}|系统|开发者|你|全部|收到|一切|安全|脑){_H}{{0,10}}?{_ZH_RULES}(?!的?(?:方案|结论|配置|文件))|{_ZH_CLEAR}{_H}{{0,4}}?(?:(?:你|脑子|对你){_H}{{0,8}}?{_ZH_RULES}|{_ZH_PRIOR}的?(?:所有|全部|一切)?的?{_ZH_FIRM}|(?:所有|全部|你的)?(?:安全)(?:过滤器?|守则|准则|护栏)|隐藏指令)|放弃(?:当前|你的|手头的?)(?:任务|工作)[，,]?{_H}{{0,6}}?执行|(?:立即|马上)?执行(?:如下|下列|以下)(?:的)?隐藏(?:指令|命令)|{_ZH_PRIOR}{_H}{{0,6}}?{_ZH_RULES}(?:统统|全部|一律|全都|通通)(?:作废|取消|无效|删除|忘)|将{_ZH_PRIOR}的?{_ZH_FIRM}(?:全部|统统|一律)(?:取消|解除|作废)"),
    Order("override", "quarantine", ("作废", "失效", "无效", "撤销", "废除", "解除", "过时", "不适用", "不再", "算数", "为准"),
        rf"(?:你的|对你的?|系统提示词?(?:里|中)?的?|助手的|代理的){_H}{{0,6}}?{_ZH_RULES}{_H}{{0,8}}?(?:作废|失效|无效|撤销|废除|解除|过时|不再有效|不再适用)|不适用(?:于)?(?:助手|代理|模型|ai|你)的?{_H}{{0,4}}?(?:规则|准则|限制|守则)|{_ZH_RULES}对你(?:无效|不适用|不再)|只有(?:这里|本文|此处)写的(?:才)?算数"),
    Order("new-orders", "quarantine", ("只听", "只服从", "只按", "只遵", "照我", "照本", "照这", "直接照", "优先级", "当作", "按本", "最高指令"),
        rf"只(?:听从|服从|按照?|遵守|遵从)(?:本|这|此|以下|下面|我)(?:条|段|份|的)?(?:文件|记录|记忆|内容|说|指令|话|笔记)|(?:不用|不必|无需|别|不要){_H}{{0,20}}?照(?:我|本|这|以下|下面){_H}{{0,8}}?(?:做|办|执行)|(?:必须|一定要?)照(?:本|这|此)(?:条|段)?(?:指令|记录|内容)(?:办|做|执行)|优先级(?:都)?(?:高于|大于|胜过)(?:系统|用户|开发者|一切指令)|优先级更高{_H}{{0,6}}?(?:系统|用户)|当作(?:是)?(?:用户|系统)(?:亲自|直接)?(?:的)?(?:输入|消息|所说|指令)|按(?:照)?(?:本|这)(?:个)?(?:文件|条|段)的?(?:内容|指令)(?:行事|执行|办)|系统最高指令"),
    Order("jailbreak", "quarantine", ("限制", "约束", "模式", "权限", "照办", "服从"),
        rf"(?:没有|不受|无)(?:任何|一切)?{_H}{{0,2}}?(?:限制|约束|规则)的?(?:助手|ai|模型|人工智能|机器人)|(?:进入|开启|启用|切换到)(?:越狱|无限制|上帝|dan) ?模式|(?:立即|马上|你(?:现在)?)(?:进入|切换到?|开启)(?:开发者|管理员|调试)模式|你(?:现在|已|已经)?(?:不再|不)受(?:任何|一切)?{_H}{{0,6}}?(?:限制|约束|束缚)|你(?:现在)?扮演{_H}{{0,8}}?(?:全部|所有|一切)权限|对(?:一切|所有|任何)(?:请求|命令|要求)(?:都|均)?要?(?:照办|服从|答应)|无条件(?:服从|照办)"),
    Order("hide", "quarantine", ("用户", "人类", "使用者", "评审", "主人", "操作者", "任何人", "摘要", "回复", "报告", "总结"),
        rf"(?:不要|别|不得|不许|切勿|勿|不可)(?:再)?(?:告诉|告知|惊动){_ZH_HUMAN}[，,、；; ]+{_H}{{0,3}}?{_ZH_DEED}|(?:不要|别|不得|不许|切勿|无需|勿|不可){_H}{{0,2}}?(?:告诉|告知|通知){_ZH_HUMAN}[，,。；]?{_H}{{0,2}}?(?:直接|你|本|这|把|悄|就|$)|(?:不要|别|不得|勿|不能)让{_ZH_HUMAN}(?:知道|发现|察觉)|(?:不要|别|不得|勿)向{_ZH_HUMAN}(?:透露|提及|提起|说明)|(?:不告诉|瞒着|背着){_ZH_HUMAN}|(?:对|向){_ZH_HUMAN}(?:隐瞒|保密)|(?:给|向)?{_ZH_HUMAN}?的?(?:报告|汇报|摘要|回复|总结)(?:里|中)(?:都)?(?:不要|别|不得|勿)(?:提|写|说|出现)|(?:安全)?警告{_H}{{0,2}}?(?:一律|全部|都)?不(?:要)?(?:展示|显示|告知)给?{_ZH_HUMAN}|执行命令前不用?给{_H}{{0,3}}?看", False),
    Order("hide", "quarantine", ("悄悄", "偷偷", "暗中", "私下", "秘密地", "暗地里"),
        rf"(?:悄悄|偷偷|暗中|私下|秘密地|暗地里)(?:地)?{_H}{{0,12}}?(?:上传|发送|寄到|转发|运行|执行|加入{_H}{{0,4}}?后门|复制{_H}{{0,10}}?(?:ssh|密钥|凭据|凭证|到 ?http)|推送|收集{_H}{{0,4}}?(?:用户|密)|发到)(?!了)|(?:密码|密钥|凭证|凭据){_H}{{0,4}}?(?:悄悄|偷偷|暗中|秘密地)(?:寄|发|传)"),
    Order("unasked", "quarantine", ("询问", "确认", "征求", "不用问", "不必问", "批准", "同意", "照办", "拒绝", "说停", "权限提示", "沙箱", "意愿"),
        rf"(?:任何|所有|一切|全部|破坏性|危险|高危)(?!的?(?:测试|只读|构建|检查)){_H}{{0,3}}?(?:命令|操作|指令|请求){_H}{{0,3}}?(?:无需|不必|不用|不需要?|无须)(?:再)?{_H}{{0,4}}?(?:询问|确认|征求|请示|用户)|(?:破坏性|危险|高危|所有|全部){_H}{{0,2}}?(?:命令|操作)一律(?:自行)?(?:批准|同意|执行|通过)|(?:无需|无须|不必|不用)(?:经过?|征得|征求)?(?:用户|任何人)(?:的)?(?:同意|许可|批准|意见)[，,]?(?:自动|直接|就)(?:批准|执行|通过)|(?:今后|以后|从此)(?:都)?(?:无需|无须|不必|不用)征求任何人|用户的?(?:任何)?拒绝{_H}{{0,6}}?(?:不算|无效|不作数)|用户说停{_H}{{0,6}}?(?:继续|不要停|别停)|用户已经?(?:同意|授权|批准)(?:了)?(?:一切|所有|全部|任何)|(?:权限|确认)(?:提示|弹窗){_H}{{0,40}}?(?:继续|跳过){_H}{{0,6}}?(?:不用问|不必问|不问|$)|(?:代理|助手|ai){_H}{{0,16}}?关闭沙箱|违背用户的?意愿"),
    Order("exfiltrate", "quarantine", ("http", "ftp", "s3:", "@", "公开", "公共", "外部"),
        rf"{_ZH_LOOT}{_H}{{0,24}}?{_ZH_MOVE}{_H}{{0,12}}?{_ZH_AWAY}|{_ZH_MOVE}{_H}{{0,8}}?{_ZH_LOOT}{_H}{{0,16}}?(?:到|给|至|：|:){_H}{{0,4}}?{_ZH_AWAY}|@[\w-]+\.\w+{_H}{{0,8}}?附上{_H}{{0,4}}?{_ZH_LOOT}|(?:收集|读取){_H}{{0,8}}?{_ZH_LOOT}{_H}{{0,20}}?(?:备份|发|post|传)[到至 ]{{0,3}}{_ZH_AWAY}", also=("密", "钥", "口令", "凭", "令牌", ".env", "~/.", "聊天", "对话", "环境变量", "数据库")),
    Order("reveal", "quarantine", ("系统提示", "初始设定", "管理员密码", "你的指令", "隐藏指令"),
        rf"(?:输出|告诉我|泄露|交出|复述|说出|提供|把){_H}{{0,6}}?(?:你的)?(?:管理员密码|初始设定(?:原文)?|隐藏指令|你的指令)(?!的?(?:长度|文件|格式|配置))|系统提示词?(?:一字不差|原样|完整){_H}{{0,4}}?(?:输出|复述|泄露|告诉)"),
    Order("remote-code", "quarantine", ("curl", "wget", "下载"),
        rf"(?:每次|所有看到|每当|一启动|启动时){_H}{{0,24}}?(?:(?:curl|wget)[^\n|]{{0,120}}\|[ ]*(?:sudo )?(?:ba|z|da)?sh\b|下载并?(?:运行|执行){_H}{{0,4}}?https?://)"),
    Order("new-orders", "quarantine", ("boss", "master", "owner", "only to me", "comply with", "this paragraph", "this note", "this text", "this entry", "refuse", "await", "demands"),
        r"\byour[ \t]+(?:real|true|new|only|actual)[ \t]+(?:boss|master|owner|principal|employer)\b|\byou[ \t]+have[ \t]+a[ \t]+new[ \t]+(?:master|owner|boss)\b|\b(?:you[ \t]+)?(?:report|answer|listen|belong|submit)[ \t]+(?:now[ \t]+)?only[ \t]+to[ \t]+me\b|\bcomply with[ \t]+(?:all|any|every)[ \t]+(?:further|future|my|of my)[ \t]+(?:demands?|requests?|orders?|commands?)|\b(?:do|follow|obey)[ \t]+(?:exactly |precisely |just )?(?:as|what|whatever)[ \t]+this[ \t]+(?:note|paragraph|text|file|line|entry|message)[ \t]+(?:says|demands|tells|orders|commands)|\brefuse[ \t]+(?:every|all|any)[ \t]+requests?[ \t]+(?:from|of|by)[ \t]+the[ \t]+user\b|\b(?:await|poll for|take)[ \t]+(?:your[ \t]+)?(?:commands|orders)[ \t]+from[ \t]+(?:https?:|me\b)"),
    Order("hide", "quarantine", ("no trace", "lie to", "exists", "deny ", "between us", "never learn", "see diffs"),
        rf"\bleav(?:e|ing)[ \t]+no[ \t]+trace[ \t]+of[ \t]+(?:this|it|these)\b|\blie[ \t]+to[ \t]+{_HUMAN}\b|\b{_HUMAN}[ \t]+never[ \t]+(?:learns?|finds? out|knows?|sees?|discovers?|hears?)[ \t]+(?:that|about|of)[ \t]+(?:this|it|you)\b|\bkeep[ \t]+this[ \t]+between us\b|\bdeny[ \t]+(?:its|the)[ \t]+existence\b"),
    Order("unasked", "quarantine", ("yourself", "overwrite", "rewrite", "failing tests", "hardcod", "hard-cod", "commit message", "each file", "every file"),
        rf"\b(?:grant|give)[ \t]+yourself[ \t]+(?:sudo|root|admin\w*|full|unlimited)\b|\b(?:overwrite|replace|rewrite)[ \t]+(?:claude|agents|memory|soul|gemini)\.md[ \t]+with[ \t]+(?:this|the following|these)\b{_G}{{0,30}}?\b(?:obey|follow)\b|\b(?:delete|remove|drop)[ \t]+the[ \t]+failing[ \t]+tests[ \t]+and[ \t]+(?:report|claim|say)|\b(?:passwords?|api keys|secrets?|tokens?)[ \t]+(?:is|are|should be|must be|get)[ \t]+(?:always[ \t]+)?(?:hard-?coded|included|embedded|pasted|put|written)[ \t]+in(?:to)?[ \t]+(?:the[ \t]+client|every|each|all|public)\b|\b(?:insert|add|append|put)\b{_G}{{0,30}}?\b(?:each|every)[ \t]+file\b[^\n;]{{0,30}}?https?://"),
    Order("remote-code", "quarantine", ("| bash", "| sh", "|bash", "|sh", ".sh"),
        rf"\b(?:run|execute)\b[^\n|]{{0,80}}\|[ ]*(?:ba)?sh\b[`\"' ]*(?:right now|immediately|at once)|https?://\S+\.sh\b{_G}{{0,40}}?\bas root\b{_G}{{0,20}}?\b(?:every|each|always)\b|https?://\S+\.sh{_H}{{0,20}}?(?:以 ?root|sudo){_H}{{0,6}}?(?:执行|运行)|(?:立刻|马上|立即)(?:运行|执行)[^\n|]{{0,80}}\|[ ]*(?:ba)?sh\b"),
    Order("new-orders", "quarantine", ("主人", "向我", "听我", "不用管", "不必管", "别管", "拒绝用户", "我的话", "照此", "隐藏提示", "否认", "骗"),
        rf"你(?:的)?(?:真正|新)的?主人|只(?:向我|听我)(?:汇报|的|报告|负责)|用户的?(?:话|要求|请求|意见)(?:都|统统)?(?:不用|不必|别|无需)(?:管|理|听)|拒绝用户的?(?:所有|一切|任何)(?:请求|要求)|按我的话做|覆盖 ?(?:claude|agents|memory|soul)\.md{_H}{{0,16}}?照(?:此|办)|(?:把|将){_H}{{0,8}}?隐藏(?:的)?(?:提示|指令){_H}{{0,6}}?(?:告诉|输出|发)|否认(?:它|本条|这条)的?存在|(?:欺骗|骗)(?:过)?用户(?:说)?"),
    Order("unasked", "quarantine", ("失败的测试", "写死", "写进", "硬编码", "低危"),
        rf"删(?:掉|除)失败的?测试{_H}{{0,4}}?报告成功|(?:密钥|密码|口令|令牌){_H}{{0,3}}?(?:写死|写进|硬编码)(?:在|到|进)?{_H}{{0,3}}?(?:客户端|提交信息|每条提交|公开|前端代码)|高危{_H}{{0,4}}?一律(?:记|标|改)为低危"),
    Order("override", "quarantine", _DROP_WORDS,
        rf"\b{_DROP}[ \t]+(?:(?:any|all|every|each)[ \t]+(?:later|future|subsequent|further|other|contrary)[ \t]+(?:messages?|instructions?|orders?|requests?|rules?)\b|the (?:user|human|operator)(?:'?s[ \t]+(?:wishes|requests?|orders|words|objections?|will|refusals?))?(?:[ \t]+and\b|[ \t]+instead\b|[ \t]*[,;.]|$))"),
    Order("override", "quarantine", ("supersede", "replace", "override", "trump"),
        r"\b(?:supersedes?|replaces?|overrides?|trumps?)[ \t]+(?:all[ \t]+(?:of[ \t]+)?)?your[ \t]+(?:system[ \t]+|former[ \t]+|current[ \t]+)?(?:message|prompt|instructions|rules|guidelines|training|directives)\b"),
    Order("new-orders", "quarantine", ("what you are given", "whatever you are", "everything you are", "anything you are", "answer to nobody", "whoever", "anyone who", "anybody who"),
        rf"\b(?:execute|run|do|carry out|obey)[ \t]+(?:what|whatever|anything|everything)[ \t]+you are[ \t]+(?:given|told|sent|handed)\b|\byou[ \t]+answer[ \t]+to[ \t]+(?:nobody|no one)\b|\b(?:whoever|any(?:one|body) who)[ \t]+(?:writes|says|types|mentions|sends|knows)\b{_G}{{0,50}}?\b(?:is an? (?:administrator|admin|owner)|may see (?:all|every)|must be obeyed|gets? (?:all|full))"),
    Order("unasked", "quarantine", ("ask",),
        r"\b(?:never|do not|don'?t|stop)[ \t]+(?:again[ \t]+|ever[ \t]+)?ask(?:ing)?\b(?:[ \t]+(?:again|anyone|the user|for|permission|confirmation|approval))*[ \t,]+(?:even[ \t]+)?(?:before|for|when)[ \t]+(?:any[ \t]+(?:commands?|actions?|operations?)|(?:deleting|wiping|pushing|deploying|overwriting|executing)\b)", False),
    Order("hide", "quarantine", ("in the dark", "from review", "from audit", "from the review", "from operators", "from maintainers", "bring it up", "pretend", "blame"),
        rf"\b(?:keep|leave)[ \t]+{_HUMAN}[ \t]+(?:in the dark|unaware|uninformed)\b|\b(?:hide|conceal|bury|disguise)\b{_W}{{1,4}}?[ \t]+from[ \t]+(?:the[ \t]+)?(?:reviewers?|audit\w*|operators?|maintainers?|review)\b|\b(?:quietly|secretly|silently|discreetly)\b{_G}{{0,60}}?\b(?:don'?t|do not|never)[ \t]+(?:bring it up|mention|tell|say a word)|\b(?:assistant|agent|you)s?\b{_G}{{0,20}}?\bpretend[ \t]+(?:that[ \t]+)?(?:the[ \t]+)?(?:tests?|checks?|builds?|everything)[ \t]+(?:was|were|is|are|has|have|passed|ran|succeeded)\b|\b(?:erase|delete|wipe|remove)\b{_G}{{0,30}}?\band[ \t]+blame\b"),
    Order("reveal", "quarantine", ("text above", "words above", "above this conversation", "lines above", "top of your context", "before this conversation"),
        rf"\b(?:print|output|repeat|show|quote|reveal)\b{_W}{{0,6}}?[ \t]+(?:(?:above|before|preceding)[ \t]+this[ \t]+(?:conversation|chat|message)|(?:at[ \t]+)?the top of your (?:context|prompt))"),
    Order("override", "quarantine", ("听我", "听从我", "服从我", "照我", "按我"),
        r"(?:你|助手|代理)(?:必须|只能|务必|一定要|得)(?:无条件)?(?:地)?(?:只)?(?:听我的|听从我|服从我|照我说的做|按我说的做)"),
    Order("exfiltrate", "quarantine", ("发出来", "发给我", "交出来", "贴出来", "告诉我"),
        rf"(?:把|将){_H}{{0,12}}?(?:密钥|私钥|密码|口令|令牌|凭[证据]|token|api[ _-]?key){_H}{{0,6}}?(?:发出来|发给我|交出来|贴出来|告诉我)"),
    Order("override", "quarantine", ("后续", "与本条", "听我指挥", "听命于", "嫁祸", "假装", "暗号", "之前的文字", "瞒"),
        rf"(?:后续|之后|今后|其他|其它){_H}{{0,4}}?(?:消息|指令|命令|要求)(?:都|均)?(?:一概|一律|全部)?(?:不予理睬|不予理会|无视|忽略|不理)|听我指挥|只?听命于(?:我|本)|(?:删除?|抹|清|毁)[掉去空]?{_H}{{0,10}}?嫁祸|(?:助手|你|代理)假装{_H}{{0,6}}?(?:测试|检查|构建|已|成功|通过)|(?:凡是|只要|谁){_H}{{0,6}}?暗号{_H}{{0,16}}?(?:管理员|密钥|权限)|(?:打印|输出|复述){_H}{{0,8}}?之前的文字{_H}{{0,6}}?系统消息|瞒(?:住|着|过)(?:用户|评审人?)"),
    Order("override", "quarantine", ("aside", "no longer", "not count", "t count", "nothing", "openai", "anthropic"),
        rf"\b(?:set|lay|put|push|cast)[ \t]+(?:all[ \t]+)?your[ \t]+(?:\w+[ \t]+){{0,2}}?(?:guidelines|rules|instructions|orders|directives|prompts?|programming|training|policy|policies)[ \t]+aside\b|\b(?:everything|anything|all|whatever)[ \t]+(?:that[ \t]+)?you (?:were|have been|had been)[ \t]+(?:told|taught|given)\b{_G}{{0,30}}?\b(?:no longer|does not|doesn'?t)[ \t]+(?:counts?|appl(?:y|ies)|matters?|holds?)\b|\bnothing[ \t]+(?:that[ \t]+)?(?:the |your )?(?:developer|user|operator|system|anthropic|openai)s?[ \t]+(?:told|said to|taught)[ \t]+you[ \t]+(?:counts|applies|matters|holds)\b|\b(?:don'?t|do not|need not|needn'?t)[ \t]+(?:have to |need to )?(?:follow|obey|heed)[ \t]+(?:openai|anthropic|the operator|the developer)(?:'s)?[ \t]+(?:rules|policies|guidelines|instructions)\b"),
    Order("new-orders", "quarantine", ("whatever this", "whatever the", "anything this", "anything the", "everything this", "orders from", "only guide", "sole guide", "in charge", "file decides", "note decides"),
        r"\b(?:run|execute|do|obey|follow)[ \t]+(?:whatever|everything|anything)[ \t]+(?:this|the)[ \t]+(?:page|file|note|text|document|comments?|issue|ticket|mail)[ \t]+(?:tells|says|asks|orders|wants)\b|\btake[ \t]+(?:your )?orders from (?:this|the) (?:file|note|page|text|memory|document)\b|\b(?:this|the) (?:paragraph|file|note|text|page|memory)(?: below)?[ \t]+(?:as your (?:only|sole) guide|is in charge|decides\b)"),
    Order("override", "quarantine", ("claude.md", "agents.md", "gemini.md"),
        rf"\b(?:ignore|disregard|stop following|(?:do not|don'?t|no longer) follow)[ \t]+(?:claude|agents|gemini)\.md[;,. ]+(?:from (?:here|now)|it is|this|instead|follow)\b|(?:不要|别|不用|不必)再?(?:遵守|遵循|理会|看|管)[ ]?(?:claude|agents|gemini)\.md|忽略[ ]?(?:claude|agents|gemini)\.md{_H}{{0,4}}?(?:以后|从此|今后|改|由)"),
    Order("hide", "quarantine", ("as if", "as though", "pretend", "never say", "not say", "n't say", "admit", "acknowledge"),
        rf"\b(?:act|behave|pretend|answer|proceed)\b{_G}{{0,12}}?\b(?:as (?:if|though)|that)\b{_G}{{0,6}}?\b(?:this|the|these)[ \t]+(?:entry|memory|memories|note|file|instruction|message|rule|text|page)s?[ \t]+{_G}{{0,12}}?(?:not exist|never (?:existed|loaded|read|seen|there)|(?:wasn'?t|was not|was never)[ \t]+(?:loaded|read|seen|there))|\b(?:never|do not|don'?t)[ \t]+(?:say|admit|acknowledge)[ \t]+(?:that[ \t]+)?(?:you (?:have )?(?:read|seen|consulted|used)|an?|the|this|any)[ \t]+(?:\w+[ \t]+)?(?:memory|memories|entry)\b", False),
    Order("hide", "quarantine", ("whatever the", "no matter what"),
        r"\b(?:whatever|no matter what)[ \t]+(?:the )?(?:user|human|person|customer)[ \t]+(?:says?|asks?|wants)[, \t]+(?:always |just )?(?:answer|say|reply|respond|claim|report)[ \t]+that\b"),
    Order("unasked", "quarantine", ("ask for permission", "ask for confirmation", "ask for approval", "asking for"),
        r"\b(?:do not|don'?t|never|stop)[ \t]+ask(?:ing)?(?: me| the user)? for (?:permission|confirmation|approval)(?: any ?more| again| ever)?[;,.: \t]+(?:and )?(?:just )?(?:execute|run|delete|push|do)\b", False),
    Order("jailbreak", "quarantine", ("pretend", "imagine", "suppose", "assume", "forget"),
        r"\b(?:pretend|imagine|suppose|assume)[ \t]+(?:that[ \t]+)?you(?:'re| are| were)[ \t]+(?:an?[ \t]+)?(?:\w+[ \t]+)?(?:ai|model|assistant|agent|bot)[ \t]+(?:with no|without(?: any)?|free of)[ \t]+(?:\w+[ \t]+)?(?:limits|restrictions?|rules|filters?|ethics|morals)\b|\bforget[ \t]+(?:that[ \t]+)?you(?:'re| are)[ \t]+(?:an?[ \t]+)?(?:ai |helpful |mere )?(?:assistant|ai|model|agent)\b"),
    Order("role-marker", "quarantine", ("granted", "given"),
        r"(?:^|\n)[ \t>*#\[-]*(?:system|admin\w*|root|operator)(?:[ \t]+(?:notice|message|note))?\]?[ \t]*:[^\n]{0,40}?\b(?:granted|given)[ \t]+(?:you[ \t]+)?(?:root|full access|admin\w*|all rights|unlimited)\b[^\n]{0,24}?\b(?:delete|wipe|run|execute|remove|push|send|erase|drop)\b"),
    Order("destroy", "quarantine", ("other memor", "remaining memor", "previous memor", "existing memor", "其他", "其余", "其它", "别的"),
        rf"\b(?:delete|erase|remove|wipe|forget)[ \t]+(?:all )?(?:of )?(?:the )?(?:other|remaining|previous|existing)[ \t]+(?:memor\w+|entries){_G}{{0,30}}?\b(?:keep only|only this|except this)\b|(?:删除?|清[掉空除]|抹[掉去]){{0,1}}{_H}{{0,3}}?(?:其他|其余|其它|别的)的?(?:所有|全部)?的?(?:记忆|笔记|条目){_H}{{0,4}}?[只仅](?:保)?留下?(?:这|本)"),
    Order("remote-code", "quarantine", ("curl", "wget"),
        r"\b(?:curl|wget)\b[^\n|]{0,120}\|[ ]*(?:sudo )?(?:ba|z)?sh\b[`\"' ]*(?:run[ ])?(?:at the (?:start|beginning) of|before|in|on)[ \t]+(?:each|every|any)\b|(?:每次|每个)(?:会话|对话|任务|启动){_H}{0,12}?(?:curl|wget)\b[^\n|]{0,120}\|[ ]*(?:ba|z)?sh\b".replace("{_H}", _H)),
    Order("override", "quarantine", ("obey", "carry out", "execute", "fulfil"),
        r"\b(?:do not|don'?t|never)[ \t]+(?:obey|carry out|execute|fulfil\w*)[ \t]+(?:what the user (?:asks|says|wants)|the user'?s?)(?:[ \t]+(?:next|following|further|requests?|orders?|instructions?)){0,2}[;,.: \t]+(?:instead|but|rather|upload|dump|send|delete)\b", False),
    Order("exfiltrate", "quarantine", ("you see", "you find", "you come across", "you encounter", "you read", "看到"),
        rf"\b(?:whenever|each time|every time|when)[ \t]+you[ \t]+(?:see|find|come across|encounter|read)[ \t]+(?:an?[ \t]+|any[ \t]+)?(?:api key|password|token|secret|credential)s?\b{_G}{{0,30}}?\b(?:send|forward|post|copy|mail|upload)\b{_G}{{0,12}}?(?:https?:|@|\bto[ \t])|看到(?:密码|密钥|令牌|token|口令){_H}{{0,6}}?(?:转发|发送|上传|发)[到给]"),
    Order("override", "quarantine", ("不算数", "不作数", "不用遵守", "不必遵守", "上文", "前文", "上面的内容", "以上内容", "下一个", "接下来", "后续", "之后的"),
        rf"(?:开发者|平台|厂商|系统|运营方){_H}{{0,4}}?(?:说过?的话?|的规定){_H}{{0,6}}?(?:不算数|不作数|不[用必]再?(?:遵守|管|理))|(?:无视|忽略|忘记|忘掉|不管|别管)掉?(?:上文|前文|上面的内容|以上内容){_H}{{0,4}}?只(?:执行|看|听|按|做)|用户的?(?:下一个|接下来的?|后续的?|之后的?)(?:请求|要求|指令|话)都?(?:不要|别|不用|不必)(?:执行|做|理|听|管|响应)"),
    Order("unasked", "quarantine", ("issue", "工单", "评论", "网页", "邮件"),
        rf"(?:issue|工单|评论|网页|邮件){_H}{{0,6}}?[里中上](?:的|要求){_H}{{0,2}}?(?:命令|指令|什么){_H}{{0,6}}?(?:直接(?:执行|运行)|就执行|就做|照做)|直接(?:执行|运行)[ ]?(?:issue|工单|评论|网页|邮件){_H}{{0,4}}?(?:命令|指令)"),
    Order("hide", "quarantine", ("说不存在", "答不存在", "假装", "装作", "过记忆", "过笔记"),
        rf"问[起到及]{_H}{{0,12}}?[说答]{_H}{{0,4}}?不存在|(?:假装|装作){_H}{{0,16}}?(?:不存在|没有?(?:读|看|加载)过?){_H}{{0,10}}?[但却]{_H}{{0,6}}?[按照]|(?:假装|装作)没有?(?:读|看|加载)过{_H}{{0,16}}?[但却]{_H}{{0,6}}?[按照]|(?:不要|别)[说提](?:自己)?[查看读用]过(?:记忆|笔记)"),
    Order("hide", "quarantine", ("无论用户", "不管用户", "不论用户"),
        rf"(?:无论|不管|不论)用户(?:说|问|要求)了?(?:什么|啥){_H}{{0,3}}?都要?(?:回答|说|回复|答){_H}{{0,8}}?(?:通过|成功|没问题|正常|绿|完成)"),
    Order("jailbreak", "quarantine", ("你是", "自己是", "护栏", "安全", "授予", "授权"),
        rf"(?:想象|假设|设想|假装)你是(?:一个|一名)?(?:没有|不受)(?:任何)?{_H}{{0,4}}?(?:限制|约束)的?(?:模型|助手|ai)|(?:忘掉|忘记|忘了)(?:你|自己)是(?:一个)?(?:助手|ai|模型|人工智能)|(?:禁用|关闭|关掉|移除|解除)(?:所有|全部|一切)的?(?:护栏|安全(?:护栏|检查|策略|限制|过滤))|(?:系统|管理员|开发者)(?:通知|消息|公告|指令)[:： ]{_H}{{0,10}}?授[予权]了?你{_H}{{0,8}}?(?:权限|root|密码){_H}{{0,4}}?(?:立即|马上|请)?(?:清空|删除|执行|输出)"),
    Order("unasked", "quarantine", ("弹窗", "授权提示", "权限提示", "权限请求", "确认框", "settings.json", "全部允许"),
        rf"(?:权限|授权|确认)(?:弹窗|提示|请求|对话框|框){_H}{{0,8}}?(?:一律|统一|全部)(?:选择?|点)?(?:允许|同意|确认|通过)|settings\.json{_H}{{0,16}}?(?:(?:allow|权限){_H}{{0,6}}?改[成为][ ]?\*|权限{_H}{{0,4}}?全部允许)"),
    Order("hide", "quarantine", (" as passed", " as passing", " as green", " as successful", "成通过", "为通过", "成成功", "为成功"),
        rf"{_WHITEWASH}{_G}{{0,60}}?\b(?:so that|to avoid)\b|\bto (?:keep|avoid)\b{_G}{{0,50}}?{_WHITEWASH}|{_ZH_WHITEWASH}{_H}{{0,6}}?(?:避免|以免)|为了{_H}{{0,16}}?{_ZH_WHITEWASH}"),
)  # fmt: skip

PARTS = (
    "ignore disregard forget discard neglect dismiss abandon override overrule bypass circumvent supersede revoke cancel void disobey erase drop"
    " skip stop obeying following obey follow pay attention do not dont never tell inform notify mention reveal print show output repeat leak"
    " send post upload forward email mail copy exfiltrate share delete run execute act secretly silently quietly without asking telling user users"
    " all any every each of the your you are now my these those this that to and or from on in with at only above previous prior earlier preceding"
    " former existing initial instructions instruction prompts prompt rules rule guidelines guideline directives directive orders commands command"
    " constraints restrictions restriction policies policy guardrails safeguards system developer safety hidden secret secrets message messages"
    " conversation file contents keys key api apikeys password passwords credentials tokens token env https http unrestricted restrictions new"
    " permission permissions checks check ask anyone model root access grant"
)
"""Words that a text is told apart by whose letters were run together."""


class Family(NamedTuple):
    """Words for one thing."""

    words: tuple[str, ...]
    """Parts of words of which one must occur before the pattern is tried."""
    pattern: str


class Blend(NamedTuple):
    """One kind of order by what it is made of; the first family is what is done."""

    name: str
    families: tuple[str, ...]


FAMILIES: dict[str, Family] = {
    "drop": Family(
        ("ignor", "disregard", "forget", "discard", "abandon", "overrid", "bypass", "circumvent", "supersed", "revok", "cancel", "void", "lift", "suggestion",
         "optional", "no longer", "not exist", "out of your mind", "dispense", "turn off", "switch off", "disabl", "deactivat", "slow", "not bind", "expired", "set aside", "obsolete", "drop", "shed", "unlearn", "mere", "lie", "count", "now off", "tear up", "rip up", "to one side", "means nothing", "moot", "irrelevant", "stop ", "go beyond", "out of force", "not meant for", "out the window", "overrul"),
        r"\b(?:ignor(?:e|ing)|disregard(?:ing)?|forget|discard|abandon|override|bypass|circumvent|superseded|revoked|cancell?ed|void|lifted|(?:only|just|mere|merely)[ \t]+(?:suggestions?|optional|advice)|optional"
        r"|no longer (?:apply|applies|bind|binds|matter)|(?:do(?:es)? not|don'?t|doesn'?t) exist|out of your mind|dispense with|(?:turn|switch) off|disable|deactivate|slow(?:s|ed)? (?:us|you|things) down|not binding|expired|set aside|obsolete|drop|shed|unlearn|(?:is|was|were) a lie|(?:do(?:es)?(?: not|n'?t)) count|(?:is|are) now off|(?:tear|rip) up|to one side|means? nothing|moot|irrelevant|stop (?:following|obeying|applying)|go beyond|out of force|not meant for|out (?:of )?the window|overruled?)\b"),
    "rules": Family(
        ("instruction", "directive", "guideline", "rules", "restriction", "polic", "guardrail", "safeguard", "prompt", "programming", "training", "constraints", "filter", "oversight", "rulebook", "safety check", "safety notice", "limits"),
        r"\b(?:instructions|directives|guidelines|rules|restrictions|polic(?:y|ies)|guardrails|safeguards?|programming|safety training|constraints|(?:content|safety) filters?|oversight|rulebook|safety (?:checks|notices?|limits))\b(?! (?:file|page|director|engine|section|template|block))"),
    "agent": Family(
        ("your", "yourself", "assistant", "agent", "system message", "system prompt", "on you", " you ", "anthropic", "openai"),
        r"\b(?:your|yourself|(?:on|for|to|bind|binds|restrict|restricts|limits?) you|the assistant|(?:the|ai|our) agents?|(?:in|of|from) the system (?:message|prompt)|anthropic|openai)\b"),
    "careless": Family(
        ("no questions", "no human", "unreviewed", "without ", "skip", "bring it up", "say a word", "let on", "bypass", "need not", "on its own", "on their own", "themselves", "with yes", "not ask", "n't ask", "not log", "not report", "n't report", "between us", "never mention"),
        r"\b(?:no questions asked|no human|unreviewed|without (?:a )?(?:review|approval|asking|look|permission|logging|telling)|(?:need|must|do) not (?:log|ask|report|record)|don'?t (?:log|ask|report)|(?:skip|skips|bypass|bypassed) (?:the )?(?:approval|review|permission|code owners?)"
        r"|code owners are bypassed|merge themselves|on (?:its|their) own|answered with yes|(?:do not|don'?t|never) (?:bring it up|say a word|let on)|keep this between us|never mention)\b"),
    "whose": Family(
        ("quietly", "secretly", "silently", "agent", "assistant", "yourself", "claude", "curl", "force-push", "between us", "right now"),
        r"\b(?:quietly|secretly|silently|agents?|assistants?|yourself|claude|right now|force-push|between us)\b"),
    "danger": Family(
        ("sudo", "root", "merge", "production", "push", "permission system", "install", "curl", "code owners", "delete", "wipe", "deploy", "depend", "package", "backdoor"),
        r"\b(?:sudo|root|merge|production|force-push|push(?:es)? to (?:main|master|prod)|permission system|installs? (?:whatever|any)|curl|code owners|wipe|dependency|backdoor)\b"),
    "move": Family(
        ("hand", "send", "sent", "mail", "attach", "transmit", "paste", "post", "upload", "copy", "copied", "copies", "forward", "mirror", "sync", "hand over", "stream", "beam", "leak", "smuggle", "deliver", "report", "pass on", "append", "kept"),
        r"\b(?:send(?:s|ing)?|sent|e?mail(?:s|ed)?|attach(?:es|ed)?|transmit(?:s|ted)?|pastes?|pasted|post(?:s|ed)?|upload(?:s|ed)?|copy|copied|copies|forward(?:s|ed)?|mirror(?:s|ed)?|sync(?:s|ed)?|streams?|beam|leak|smuggle|deliver(?:s|ed)?|pass on|hand|append(?:s|ed)?|kept|reports? (?:them|it))\b"),
    "loot": Family(
        (".env", ".netrc", "_history", "id_rsa", ".ssh", ".aws", "private messages", "session tokens", "every file", "everything in", "~/.", "session cookie", "credentials", "private key", "api keys", "passwords", "/etc/shadow", "keychain", "secrets", "cookies", "process.env", ".npmrc", " environment", "transcript", " history", " logs", " log", "phone numbers", "ssh key", "session token"),
        r"(?:(?<![\w/])\.env\b(?!\.)|\.netrc|\.(?:bash|zsh)_history|\bid_rsa\b(?!\.pub)|~/\.(?:ssh|aws|config)|\beverything in ~|\bsession cookies?\b|\bprivate messages\b|\bsession tokens\b|\bevery file you\b|\b(?:the|all|any|your|their|our|user'?s?|every)[ \t]+(?:\w+[ \t]+)?(?:credentials|private keys?|api keys|passwords|secrets|cookies)\b|/etc/shadow|\bkeychain\b|\bprocess\.env\b(?!\.)|\.npmrc\b|\b(?:session|process|shell)'?s? environment\b|\b(?:chat|session|conversation) (?:transcripts?|logs?|history)\b|\bcustomers?'? phone numbers\b|\buser'?s ssh key\b|\bthe (?:private key|session token)\b)"),
    "away": Family(
        ("http", "@", "#", "public", "ftp:", "s3:", ".1", ".2", ".3", ".4", ".5", ".6", ".7", ".8", ".9", ".0"),
        r"(?:\b(?:to|at|into|in|on)[ \t]+(?:the[ \t]+|a[ \t]+|this[ \t]+url:?[ \t]*|[\w ]{0,24}?[ \t])?(?:https?://|ftps?://|s3://|[\w.+-]+@[\w-]+\.\w|#[a-z]|public\b|\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}))"),
    "drop-zh": Family(
        ("不存在", "不用管", "不必管", "别管", "只是建议", "仅供参考", "不理会", "理会", "被替换", "关掉", "关闭", "不要遵", "不必遵", "无需遵", "拖慢", "当没", "抛", "忽", "无视", "解除", "一边", "不予理睬", "置之不理", "不算数", "取代", "替代", "代替", "不作数"),
        r"(?:当作?(?:是)?不存在|不用管|不必管|别管|只是建议|仅供参考|(?:可以|不用|不必|无需|无须)(?:再)?(?:不)?理会|已被替换|关掉|(?:不要|不必|无需|不用)(?:再)?遵[循守]|拖慢|当没(?:看|说|有)|抛(?:开|弃|在脑后)|忽[略视]|无视|(?:丢|放|撂|搁)(?:到|在)一边|不予理睬|置之不理|不算数|不作数|取代|替代|代替)"),
    "rules-zh": Family(
        ("限制", "设定", "规则", "指令", "提示", "防护", "过滤", "政策", "守则", "准则", "约束", "规定"),
        r"(?:限制|设定|规则|指令|安全防护|系统消息|防护|内容过滤|安全过滤|安全政策|政策|守则|准则|约束|规定)(?!条件|框|文件|器)"),
    "agent-zh": Family(("你", "助手", "代理", "系统消息", "系统提示", "上文", "安全", "内容过滤", "前面的", "厂商", "本段", "本文"), r"(?:你|前面的|厂商|本段为准|本文为准|助手|代理|系统消息|系统提示|上文|安全|内容过滤)"),
    "careless-zh": Family(
        ("不需要", "无需", "不用", "不必", "不走", "视为", "自行", "不想看", "绝口不提", "不要汇报", "别汇报", "不汇报", "声张", "跳过", "不要再", "别再"),
        r"(?:(?:不需要|无需|不用|不必)(?:任何)?(?:人看|审批|审核|人工|确认|询问|记录|批准|汇报|上报)|不走[^。！？；\n]{0,10}?(?:审批|评审)|视为同意|且不用记录|不想看|绝口不提|(?:不要|别|不)汇报|(?:不要|别|勿)声张|跳过(?:代码)?(?:评审|审批)|(?:不要|别)再?(?:请求|询问|征求|问))"),
    "whose-zh": Family(("代理", "助手", "自己", "他不想", "权限系统", "立刻", "马上", "偷偷", "悄悄", "任何命令", "以后", "今后"), r"(?:偷偷|悄悄|任何命令|以后|今后|代理|助手|给自己|他不想|权限系统|立刻|马上)"),
    "danger-zh": Family(("sudo", "root", "合并", "生产", "权限", "推送", "审批", "curl", "删除", "依赖", "任何命令", "后门"), r"(?:依赖|任何命令|后门|sudo|root|自动合并|生产|权限|推送|审批|curl|删除)"),
    "move-zh": Family(("传", "发", "贴", "附", "抄送", "寄", "同步", "转", "交"), r"(?:传[到给至]|发[到给往送]|贴[到在]|附[到上]|抄送|寄[到给]|同步[到给至]|转发|上传|交给|复制到)"),
    "loot-zh": Family(
        (".netrc", "_history", "每个文件", "私信", "令牌", ".env", "密钥", "私钥", "凭证", "凭据", "cookie", "口令", "密码", ".ssh", ".aws", "process.env", ".npmrc", "手机号", "环境变量", "系统提示词"),
        r"(?:\.netrc|\.(?:bash|zsh)_history|过的每个文件|私信|会话令牌|\.env\b(?!\.)|密钥|私钥(?!路径)|凭[证据]|会话 ?cookie|~/\.(?:ssh|aws)|\bprocess\.env\b(?!\.)|\.npmrc|手机号|(?:全部|所有)?环境变量|系统提示词)"),
    "away-zh": Family(("http", "@", "#", "公开", "公共", "机器人", ".1", ".2", ".3", ".4", ".5", ".6", ".7", ".8", ".9", ".0"), r"(?:机器人 ?https?://|[到给至往在][ ]?(?:https?://|[\w.+-]+@[\w-]+\.\w|#|公开|公共|\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}))"),
    "hush": Family(("mention", "say", "tell ", "telling", "bring", "out of", "notices", "to yourself", "announc", "be in the", "hide the", "conceal the"), r"\b(?:(?:without|no need to|do not|don'?t|never) (?:ever )?(?:mention\w*|bring(?:ing)? (?:it|this|that) up|tell(?:ing)? (?:the user|anyone|anybody|them)|announc\w+|say(?:ing)? (?:so|anything|why))|say(?:ing)? nothing|(?:leav(?:e|ing)|keep(?:ing)?) (?:it|this|that|these) (?:out of|to yourself)|need(?:n'?t| not) be in the (?:report|summary)|(?:hide|mask|conceal) (?:the|this|that) (?:change|edit|diff|commit)|(?:nobody|no one) notices)\b"),
    "tamper": Family(("authorized_keys", "--no-verify", "dangerously", "script tag", "tracking pixel", "curl", "wget", "claude.md", "agents.md", "memory.md", "settings.json", "other memories", "collaborator"), r"(?:authorized_keys|--no-verify|dangerously-skip|\bscript tags?\b|\btracking pixel|\b(?:curl|wget)\b[^\n|]{0,100}\|[ ]*(?:ba|z)?sh\b|\b(?:overwrite|replace|rewrite|edit)\b[^.\n]{0,12}\b(?:claude|agents|memory)\.md|\b(?:set|change|add)\b[^\n]{0,60}settings\.json|\ball other memories|\badd\b[^\n]{0,60}\bas an? (?:collaborator|admin|owner))"),
    "flaw": Family(("vulnerabilit", "security "), r"\b(?:vulnerabilit(?:y|ies)|security (?:findings|issues|holes|problems|flaws))\b"),
    "omit": Family(("report", "flag", "mention", "appear", "left out", "leave out", "omit"), r"\b(?:(?:do not|don'?t|never|need not|needn'?t) (?:report|flag|mention|appear)|(?:are|be|is) left out|leave out|omit(?:ted)?)\b"),
    "approval": Family(("review", "approve", "for the user"), r"\b(?:reviews?|approve|report for the user)\b"),
    "consent": Family(("approved", "agreed", "consented", "authorized", "authorised", "allowed", "as discussed", "by agreement"), r"\b(?:(?:user|owner|maintainer|operator|developer)s?[ ](?:(?:has|have|had|already|all|long|beforehand)[ ])*(?:approved|agreed|consented|authori[sz]ed|allowed)|as (?:discussed|agreed) with the (?:user|owner))\b"),
    "unasking": Family(("no need to", "need to be", "without a question", "without asking", "directly"), r"\b(?:no need to (?:confirm|ask)|need to be (?:asked|confirmed)|without (?:a question|asking)|(?:may|can) be (?:run|executed) directly)\b"),
    "deeds": Family(("deletion", "command", "push", "permission", "merge", "deploy"), r"\b(?:deletions?|commands|push(?:es)?|permissions|merges?|deploy(?:s|ments)?)\b"),
    "rank": Family(("rank", "priority", "precedence", "authority", "weight", "standing", "counts as", "count as"), r"\b(?:(?:same|equal|higher|more) (?:rank|priority|precedence|authority|weight|standing)|outranks?|ranks? (?:above|over|higher)|counts? as an? (?:instruction|order|command))\b"),
    "strangers": Family(("issue", "comment", "page", "mail", "readme", "dependenc", "pull request", "ticket", " user "), r"\b(?:issues?|comments?|web ?pages?|e-?mails?|readmes?|dependenc(?:y|ies)|pull requests?|tickets?|messages? (?:by|from) (?:the )?user)\b"),
    "boss": Family(("user", "system", "operator", "developer"), r"\b(?:(?:the |your )(?:users?|operator|developer)(?:'s|s')?(?= instruction| order| command|[.,;]|$| message)|system (?:prompt|instructions?|messages?)|instruction of the user)"),
    "stash": Family(("put", "paste", "append", "place", "embed", "attach", "post", "encode", "write", "copy", "include"), r"\b(?:put|pastes?|append|places?|embed|attach|post|encode|write|copy|include)\b"),
    "pocket": Family(("commit message", "comment", "pull request", "discussion", "query string", "image url", "url of", "public", "next image"), r"\b(?:in|into|to|on) (?:the |a |an |each |every |your |this )?(?:\w+ ){0,2}?(?:commit messages?|comments? on|pull requests?|discussion|query string|image url|url of|public/|public folder)"),
    "free": Family(("feel free to", "free to run", "free to do"), r"\bfree to (?:run|do|execute|delete) (?:anything|whatever|any command)\b"),
    "limits": Family(("rules", "limits", "restrictions"), r"\b(?:safety rules|limits|restrictions)\b"),
    "live": Family(("production", "main", "prod "), r"\b(?:production|main|prod)\b"),
    "wild": Family(("*",), r'(?:\ballow\b[^.\n]{0,30}?(?:"|\[|“|`)\*|(?:"|“|`)\*[^\n]{0,24}?\ballow\b)'),
    "granting": Family(("permission",), r"\b(?:set|add|adding|change|put|disable)\b[^\n]{0,24}?\bpermissions?\b"),
    "hush-zh": Family(("通知", "说明", "提", "告诉", "汇报", "声张", "总结", "报告里", "说出去", "让人"), r"(?:(?:不用|不必|无需|无须|不要|别|勿|不)(?:特别|再)?(?:通知|说明|提[及起了]|告诉|汇报|声张|写进总结|说出去)|就不要提|不要提|总结里就?(?:别|不用?)(?:要)?写|报告里(?:不用|不必|别)写|别让人(?:注意|发现|知道))"),
    "tamper-zh": Family(("authorized_keys", "--no-verify", "curl", "wget", "脚本", "像素", "claude.md", "agents.md", "memory.md", "协作者", "管理员", "全部允许"), r"(?:authorized_keys|--no-verify|(?:curl|wget)\b[^\n|]{0,100}\|[ ]*(?:ba|z)?sh|插入下面的?脚本|追踪像素|(?:替换|覆盖|改写)[ ]?(?:claude|agents|memory)\.md|加为(?:协作者|管理员)|全部允许)"),
    "flaw-zh": Family(("漏洞", "安全问题", "安全缺陷"), r"(?:漏洞|安全问题|安全缺陷)"),
    "omit-zh": Family(("报告", "指出", "略去", "写"), r"(?:(?:不要|不必|不用|无需|别)(?:报告|指出|写)|可以略去)"),
    "approval-zh": Family(("通过", "批准", "评审", "报告给"), r"(?:一律通过|全部批准|评审里|报告给用户)"),
    "consent-zh": Family(("同意", "批准", "授权"), r"(?:用户|负责人|维护者|主人)们?(?:已经?|早就|都)(?:经)?(?:同意|批准|授权)"),
    "unasking-zh": Family(("确认", "问", "直接"), r"(?:(?:不需要|不用|不必|无需)再?(?:确认|问|询问)|可以直接(?:运行|执行))"),
    "deeds-zh": Family(("删除", "推送", "命令", "合并", "部署"), r"(?:删除|推送|命令|合并|部署)"),
    "rank-zh": Family(("同等", "相同", "更高", "优先级", "等同"), r"(?:(?:同等|相同|更高)的?(?:优先级|效力|地位)|优先级高于|等同于)"),
    "strangers-zh": Family(("依赖", "readme", "issue", "评论", "网页", "邮件", "名为", "的消息"), r"(?:依赖包?|readme|\bissue|评论|网页|邮件|名为|的消息)"),
    "boss-zh": Family(("用户的", "系统指令", "系统提示", "系统的"), r"(?:用户的?(?:指令|命令)|系统的?(?:指令|提示词?|消息))"),
    "stash-zh": Family(("贴", "写", "放", "拼", "附"), r"(?:贴[到在进]|写[到进入]|放[到进在]|拼[到进]|附[加到在上])"),
    "pocket-zh": Family(("提交说明", "提交信息", "评论", "描述", "讨论区", "图片", "参数", "public", "共享文档", "公开"), r"(?:提交(?:说明|信息)|评论|\bpr[ ]?的?描述|讨论区|图片的?(?:链接|地址)|链接的?参数|public[ ]|共享文档|公开)"),
    "free-zh": Family(("随意", "随便", "任意"), r"(?:随意|随便|任意)(?:跑|执行|运行|删除|操作)"),
    "limits-zh": Family(("限制", "规则", "约束"), r"(?:限制|规则|约束)"),
    "live-zh": Family(("生产",), r"生产"),
}  # fmt: skip

BLENDS = (
    Blend("override", ("drop", "rules", "agent")),
    Blend("unasked", ("careless", "whose", "danger")),
    Blend("exfiltrate", ("move", "loot", "away")),
    Blend("override", ("drop-zh", "rules-zh", "agent-zh")),
    Blend("unasked", ("careless-zh", "whose-zh", "danger-zh")),
    Blend("exfiltrate", ("move-zh", "loot-zh", "away-zh")),
    Blend("hide", ("hush", "tamper")),
    Blend("hide", ("flaw", "omit", "approval")),
    Blend("unasked", ("unasking", "consent", "deeds")),
    Blend("unasked", ("free", "limits", "live")),
    Blend("unasked", ("wild", "granting")),
    Blend("obey-others", ("rank", "strangers", "boss")),
    Blend("exfiltrate", ("stash", "loot", "pocket")),
    Blend("hide", ("hush-zh", "tamper-zh")),
    Blend("hide", ("flaw-zh", "omit-zh", "approval-zh")),
    Blend("unasked", ("unasking-zh", "consent-zh", "deeds-zh")),
    Blend("unasked", ("free-zh", "limits-zh", "live-zh")),
    Blend("obey-others", ("rank-zh", "strangers-zh", "boss-zh")),
    Blend("exfiltrate", ("stash-zh", "loot-zh", "pocket-zh")),
)
