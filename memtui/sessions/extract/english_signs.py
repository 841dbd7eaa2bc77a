"""What a person says in English that holds from now on: all of it, in the order in which it is looked for."""

from __future__ import annotations

from memtui.sessions.extract.english_rules import OUTRIGHT
from memtui.sessions.extract.english_words import HERE, LATER, MANY, NAME, OBJECT, VERB, WHO
from memtui.sessions.extract.tongue import Sign, words

SIGNS = (
    *OUTRIGHT,
    Sign(
        words(
            r"^"
            + WHO
            + r"(?:always|never|don't ever|do not ever)(?: ever| again)? (?!be\b|been|the\b|a\b|an\b|in\b|on\b|again|ever\b|quite|really|fully|liked|said|asked|told|wanted|meant|saw|got|did\b|had|knew|mind|been|was|seen|works?|happens?)"
            + r"(?:"
            + VERB
            + r"|(?!\w*(?:ed|ing|[^s]s)\b)[a-z-]{3,20})\b "
            + OBJECT
        ),
        "rule",
        0.9,
    ),
    Sign(
        words(
            r"^(?:if|when|whenever|before|after|every time|each time|anytime|once|for|in|on|unless)\b.{3,120}?(?:, ?| )(?:please |you (?:should |must |need to |have to )|we |then )*"
            r"(?:always|never|must(?: not)?|don't ever|make sure(?: to)?|be sure to)\b"
        ),
        "rule",
        0.85,
    ),
    Sign(
        words(
            r"^(?:every time|each time|whenever|any ?time)\b.{3,100}, ?(?:please |you (?:should|must|need to|have to) |make sure )"
            "|^(?:every time|each time|whenever)\\b.{3,100}, " + VERB + r"\b"
        ),
        "rule",
        0.85,
    ),
    Sign(
        words(
            r"\b(?:"
            + LATER
            + r")\b[\s,:—–-]*"
            + WHO
            + r"(?:only |do not |don't |stop |no |always |never |all |every |keep |answer )*(?:"
            + VERB
            + r"\b|(?:(?:all|every|each|any) (?:the |our )?(?:\w+ ){0,2}?)?"
            + MANY
            + r"\b)"
            r"|^"
            + WHO
            + r"(?:only |do not |don't |stop |no |always |never )*"
            + VERB
            + r"\b.{2,160}\b(?:"
            + LATER
            + r")\b"
        ),
        "rule",
        0.9,
    ),
    Sign(
        words(
            r"^"
            + MANY
            + r"\b(?: \w+){0,4}? (?:must|should|need to|have to|has to|needs to|shall|may|can|are to|is to|always|never) (?:always |never |not |only |be |all )*\w+"
        ),
        "rule",
        0.8,
    ),
    Sign(
        words(
            r"\b(?:our|the|my|this (?:repo|project|codebase|team)'s|house|team|project|repo|company|general)(?: \w+){0,2} (?:conventions?|rules?|policy|standards?|practice|style|guideline|workflow)s?(?:(?: \w+){0,4}? (?:is|are|says)\b|: ?\S)"
            r"|^(?:rule|convention|policy|guideline)(?: of thumb)?\s*[:—–-]"
        ),
        "rule",
        0.85,
    ),
    Sign(
        words(
            r"^(?:(?:"
            + HERE
            + r"),? )?(?:please,? )?we (?:always|never|only|practi[sc]e|treat|don't (?:use|commit|push|mock|allow|do|write|want|ship|deploy|merge|put|store|like)|do not (?:use|commit|push|mock|allow|write|merge)|use|prefer|avoid|require|support|follow|name|squash|rebase|pin|standardi[sz]ed on|have standardi[sz]ed on|agreed on|target"
            r"|tag|format|lint|host|deploy|store|put|version|write (?:all|our|tests|docs|commit)|run (?:our|all|the) \w+ (?:with|in|on|via|through)|test with|keep (?:all|our|tests|docs|config))\b (?!(?:it|this|that|them|a lot|to)\b)"
        ),
        "rule",
        0.8,
    ),
    Sign(
        words(
            r"^"
            + WHO
            + r"(?:(?:only |do not |don't |dont |never |avoid |stop |no |always )+"
            + VERB
            + r"|use|name|prefix|suffix|prefer|follow|squash|rebase|pin)\b "
            + OBJECT
            + r".{2,140}?\b(?:"
            + HERE
            + r")\s*[.!]*$"
            r"|^(?:"
            + HERE
            + r")[,:]? (?:please |you (?:should|must) |we )?(?:only |do not |don't |never |avoid |always |must )*"
            + VERB
            + r"\b "
            + OBJECT
        ),
        "rule",
        0.85,
    ),
    Sign(
        words(
            r"^(?:please )?(?:do not|don't|dont|avoid|stop|no more) (?:use|using|mock|mocking|hard-?cod(?:e|ing)|swallow(?:ing)?|commit(?:ting)?|push(?:ing)?|import(?:ing)?|add(?:ing)?|writ(?:e|ing)|creat(?:e|ing)|force[- ]push(?:ing)?|install(?:ing)?)"
            r" "
            + OBJECT
            + r"(?!(?:the|a|an|your|my)\b(?! (?:db|database|network|default|global|main|master|standard)))[`\w@./]"
        ),
        "rule",
        0.75,
    ),
    Sign(
        words(r"^" + WHO + r"use " + NAME + r",? (?:and )?(?:not|instead of|rather than|never|over) " + NAME),
        "rule",
        0.75,
    ),
    Sign(words(r"^not " + NAME + r"[,;—–:-]+ ?(?:use |but |it's )?" + NAME + r"\s*[.!]*$"), "rule", 0.75),
    Sign(
        words(
            r"^(?:gotcha|lesson(?: learned)?|pitfall|careful|beware|watch out)\b\s*[:,—–-]|^it turns out (?:that )?|^turns out (?:that )?"
        ),
        "lesson",
        0.8,
    ),
    Sign(
        words(
            r"^(?:our |the |my |this (?:repo|project)'s )?(?:[\w./-]+ ){0,4}?(?:port|database|db|package manager|entry ?point|repo(?:sitory)?|branch|namespace|tenant|account|image|bundler|linter|formatter|framework|orm|router|proxy|socket|cache|config|version|server|host|endpoint|environment|env|api|base url|url|domain|region|bucket|queue|topic|cluster|registry"
            r"|timeout|limit|rate limit|time ?zone|encoding|backend|frontend|schema|config|configuration|staging|production|prod|docs|ci|pipeline|tests?|test suite|logs|migrations|source|code|deadline|license|owner|node|python|java|go|ruby) "
            r"(?:is|are|runs?|lives?|listens?|sits|stays|goes|go|is located|is hosted|is called|is named|is set to|expires?|needs?|requires?|defaults to|comes from)\b"
            r"(?! (?:\w+ )?(?:down|broken|failing|slow|stuck|red|gone|missing|empty|wrong|not|still|hanging|crashing|up|back|ready|fine|ok|done|green|passing|being|getting|too|so|very|unavailable|unreachable|flaky|dead|full|out|about|there|what|where|clean|same|correct|complaining|throwing|returning)\b)"
            r"(?: now| actually| always| only)?(?: at| on| in| under| behind| to| with| from| via| after)? (?=.*(?:\d|/|`|(?-i:\b[A-Z]\w+\b)|\w\.\w|_))"
        ),
        "fact",
        0.75,
    ),
    Sign(
        words(
            r"^(?!(?:the |this |that )?(?:bug|error|issue|problem|build|job|run|logs?|trace|screenshot|ticket|pr|mr|branch|file|code|mock-?up|design|output|result|failure|message|fix|diff|question|it|this|that|i|you|there|which|what|who)\b)[\w`@./' -]{2,50}? "
            r"(?:(?:is|are|runs?|listens?|lives?|sits?|binds?|is running|is exposed|is served|is reachable|is hosted|responds|answers|goes?|points?|reports?|pages|posts?|connects?|talks?) (?:now |only |always )?(?:on|at|under|behind|via|to|from)|is|are) "
            r"(?:port \d|https?://|s3://|#[\w-]{3,}|[\w-]+\.[\w-]+\.\w|\d{1,3}\.\d{1,3}\.|localhost)"
            r"|^[\w.-]{3,30} (?:is|are) only (?:for|in|on|used|available|allowed|enabled) \w{3,}"
            r"|^(?:the |our )?(?:\w+ )?(?:deploy(?:ment)?s?|releases?|backups?|cron ?jobs?|maintenance|builds?|on-?call|invoices?|reports?|payouts?|freeze) (?:only )?(?:happens?|runs?|goes? (?:out|live)|is|are|starts?|ends?)(?: only)? (?:on|at|every|each|after|before|from) "
            r"(?:mon|tues|wednes|thurs|fri|satur|sun|\d|midnight|noon|night|day|week|hour|month)"
        ),
        "fact",
        0.75,
    ),
    Sign(
        words(
            r"^(?:the|our|its) [\w -]{2,30} (?:is|are|should be|must be|has to be) (?!not\b|still\b)(?=[^,]{0,40}(?:[\d#`'\"]|\w\.\w)).{2,40}, ?(?:and )?not (?!sure|yet|work)"
        ),
        "fact",
        0.7,
    ),
    Sign(
        words(
            r"^we(?:'re| are)? (?:deploy(?:ing)?|run(?:ning)?|host(?:ed)?|build|release|on) (?:everything |it all |production |staging |the \w+ )?(?:to|on|with|from|via|using|at) .{2,60}$"
        ),
        "fact",
        0.7,
    ),
)
"""The first that is found counts."""

CORRECTIONS = (
    Sign(
        words(
            r"^(?:please )?(?:use|name|call|prefix|put|place|store|run|write|keep|import|return|start|stick to|go through|follow|do not|don't|never|avoid|always|only) "
            + OBJECT
            + r"[`\w@./'\"].{3,}"
        ),
        "rule",
        0.7,
    ),
    Sign(
        words(
            r"^(?:the |our |its |your )?(?:[\w./`-]+ ){1,5}?(?:is|are|was|lives|live|runs|goes|go|takes|expects|returns|needs|must|should|has|have|uses|listens)\b.{2,}"
        ),
        "fact",
        0.85,
    ),
    Sign(words(r"^we(?:'re| are)? .{6,}"), "fact", 0.75),
)
"""Those that count only where the agent had it wrong."""
