"""What a person says in English that holds from now on."""

from __future__ import annotations

from memtui.sessions.extract.tongue import Sign, words

_VERB = (
    r"(?:use|using|add|adding|write|writing|run|running|put|keep|name|call|prefix|suffix|commit|committing|push|pushing|merge|merging|squash|rebase"
    r"|force[- ]push|mock|mocking|test|import|importing|store|log|logging|hard-?code|hardcoding|format|lint|type|annotate|document|comment|return|throw"
    r"|raise|catch|swallow|create|creating|make|install|installing|pin|bump|tag|deploy|release|ask|answer|reply|respond|explain|include|show|give|write|start"
    r"|end|check|verify|update|edit|editing|touch|modify|change|delete|deleting|remove|rename|skip|skipping|leave|leaving|ship|put|read|do|try|call|go|assume"
    r"|guess|invent|apologi[sz]e|summari[sz]e|refactor|generate|prefer|avoid|wrap|validate|escape|sanitize|quote|sign|cache|index|paginate|version|expose|disable"
    r"|enable|set|work|follow|build|compile|consult|mention|suggest|handle|pass|open|close|branch|cherry-pick|amend|rely|depend|trust|break|nest|inline|abbreviate)"
)
LATER = r"(?:from now on(?:wards?)?|from here on(?: out)?|going forward|moving forward|in (?:the )?future|next time|as a (?:general )?rule|henceforth|at all times)"
_HERE = (
    r"(?:in|for|across|on) (?:this|our|the(?: whole| entire)?) (?:repo(?:sitory)?|project|codebase|code ?base|monorepo|team|company|package|app|service|org)"
    r"|around here|here"
)
_MANY = (
    r"(?:(?:all|every|each|any|no|new|unit|integration|e2e|public|private|api|db|database|test|commit|branch|feature|error|log|react|shared|internal|external"
    r"|generated|our|the) ){0,3}"
    r"(?:tests?|files?|commits?|messages?|branches|prs?|pull requests|migrations?|comments|imports?|functions?|classes|components?|endpoints?|errors?|exceptions|logs"
    r"|variables|names|secrets|configs?|docs|docstrings|dates|timestamps?|queries|changes|releases|tags|modules|packages|dependencies|hooks|fixtures|snapshots"
    r"|responses|requests|handlers|constants|types|interfaces|schemas|tables|columns|routes|urls|ids|strings|prices|amounts|dtos|models|views|scripts|services"
    r"|answers|replies|methods|features|code|money|times|titles|env vars|environment variables)"
)
_OBJECT = r"(?!(?:it|this|that|them|him|her|so|there|too|much|anything|something|any of|again|bother|worry|mind|care)\b(?! (?:repo|project|codebase))|(?:these|those)\b(?=\s*(?:$|[.,!])))"
_WHO = (
    r"(?:please |just |you (?:should |must |need to |have to |can )?|we (?:should |must |have to )?|i (?:want|need|expect) you to |make sure (?:to |that you |you )?"
    r"|be sure to |ensure (?:that )?(?:you )?|let's |do |and |but |so |also )*"
)
_NAME = r"[`\"']?(?:the )?[\w@./+#-]{2,40}(?: [\w@./+#-]{2,40}){0,3}[`\"']?"

SIGNS = (
    Sign(
        words(
            r"^(?!it|this|that|they)[\w`@./ -]{2,50} (?:is|are) (?:banned|forbidden|not allowed|prohibited|off[- ]limits)\b"
        ),
        "rule",
        0.8,
    ),
    Sign(
        words(
            r"\b(?:answer|reply|respond|speak|talk|write|explain|communicate|chat)(?: to me| with me)?(?: \w+){0,3} in (?:simplified |plain |simple |british |american )?"
            r"(?:english|chinese|german|french|spanish|japanese|korean|mandarin|portuguese|italian|russian|dutch)\b"
        ),
        "pref",
        0.9,
    ),
    Sign(
        words(
            r"\b(?:i(?:'d| would)?(?: really| much| strongly| generally| usually| personally| always| definitely)* prefer|my (?:preference|preferred|favou?rite)\b.{0,40}?\b(?:is|are)\b|i'm a (?:big )?fan of)"
            r"\b(?! not to (?:say|answer))(?! (?:it|that|this|the (?:first|second|latter|former|other))\b)"
        ),
        "pref",
        0.9,
    ),
    Sign(
        words(
            r"\bi (?:really |generally |strongly )*(?:like|love|hate|dislike|can't stand|cannot stand|don't (?:really )?like|do not like|don't want|never want|want)"
            r" (?:all |every |my |your |short |small |concise |brief |commit |code |tests? |explicit |functional |to see |to be |when |it when |answers|replies|comments|type|early|plain|emojis|inline|nested|long|tabs|spaces)"
        ),
        "pref",
        0.75,
    ),
    Sign(
        words(
            r"\bi (?:always|never|usually|normally|typically|generally|mostly|only) (?:use|work|write|run|commit|squash|rebase|prefer|code|develop|deploy|test|want|read|keep|format|name|merge|push|review)\b"
        ),
        "pref",
        0.85,
    ),
    Sign(
        words(
            r"^(?:please )?call me \w+|^my name(?:'s| is) \w+|\bi(?:'m| am) (?:on|using|running) (?:an? )?(?:macos|mac|linux|windows|ubuntu|wsl|arch|fedora|debian|vim|neovim|emacs|vs ?code|fish|zsh|nixos)\b"
            r"|\bi use (?:an? )?(?:macos|mac|linux|windows|ubuntu|wsl|arch|fedora|nixos|vim|neovim|emacs|vs ?code|fish|zsh|tmux|kitty|jetbrains|pycharm|intellij|dvorak|colemak)\b"
        ),
        "pref",
        0.8,
    ),
    Sign(
        words(
            r"^"
            + _WHO
            + r"(?:keep|make) (?:your |the |all )?(?:answers|replies|responses|explanations|summaries|output|messages|reports)(?: \w+){0,2} (?:short|brief|concise|terse|small|simple|minimal|to the point)"
            r"|^"
            + _WHO
            + r"(?:no|skip(?: the)?|stop (?:with |using )?(?:the )?|don't (?:use|give me|add)|avoid|without|drop(?: the)?) (?:more )?(?:emojis?|smileys|preambles?|apologies|pleasantries|flattery|fluff|summaries at the end)"
            r"|^" + _WHO + r"be (?:more |less )?(?:concise|brief|terse|direct|verbose|succinct)\b"
        ),
        "pref",
        0.85,
    ),
    Sign(words(r"^.{0,60}?\bno .{2,60}\bever\b|^(?:never ever|under no circumstances) "), "rule", 0.8),
    Sign(
        words(
            r"^we(?:'re| are) (?:stuck on|still on|limited to|pinned to|running|on|locked to) .{0,30}\d.*$"
        ),
        "fact",
        0.8,
    ),
    Sign(
        words(
            r"^"
            + _WHO
            + r"(?:stop|don't|do not|dont|avoid|no need to)\b.{2,80}\b(?:your|the) (?:messages?|answers?|repl(?:y|ies)|responses?|summar(?:y|ies)|reports?|explanations?|output)\b"
        ),
        "pref",
        0.85,
    ),
    Sign(
        words(
            r"^"
            + _WHO
            + r"(?:always|never|don't ever|do not ever)(?: ever| again)? (?!said|asked|told|wanted|meant|saw|got|did\b|had|knew|mind|been|was|seen|works?|happens?)"
            + _VERB
            + r"\b "
            + _OBJECT
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
            "|^(?:every time|each time|whenever)\\b.{3,100}, " + _VERB + r"\b"
        ),
        "rule",
        0.85,
    ),
    Sign(
        words(
            r"\b(?:"
            + LATER
            + r")\b[\s,:—–-]*"
            + _WHO
            + r"(?:only |do not |don't |stop |no |always |never |all |every |keep |answer )*(?:"
            + _VERB
            + r"\b|"
            + _MANY
            + r"\b)"
            r"|^"
            + _WHO
            + r"(?:only |do not |don't |stop |no |always |never )*"
            + _VERB
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
            + _MANY
            + r"\b(?: \w+){0,4}? (?:must|should|need to|have to|has to|needs to|shall|may|can|are to|is to|always|never) (?:always |never |not |only |be |all )*\w+"
        ),
        "rule",
        0.8,
    ),
    Sign(
        words(
            r"\b(?:our|the|my|this (?:repo|project|codebase|team)'s|house|team|project|repo|company|general)(?: \w+){0,2} (?:conventions?|rules?|policy|standards?|practice|style|guideline|workflow)(?: \w+){0,4}? (?:is|are|says)\b"
            r"|^(?:rule|convention|policy|guideline)(?: of thumb)?\s*[:—–-]"
        ),
        "rule",
        0.85,
    ),
    Sign(
        words(
            r"^(?:(?:"
            + _HERE
            + r"),? )?we (?:always|never|only|don't (?:use|commit|push|mock|allow|do|write|want|ship|deploy|merge|put|store|like)|do not (?:use|commit|push|mock|allow|write|merge)|use|prefer|avoid|require|follow|name|squash|rebase|pin|standardi[sz]ed on|have standardi[sz]ed on|agreed on|target"
            r"|tag|format|lint|host|deploy|store|put|version|write (?:all|our|tests|docs|commit)|run (?:our|all|the) \w+ (?:with|in|on|via|through)|test with|keep (?:all|our|tests|docs|config))\b (?!(?:it|this|that|them|a lot|to)\b)"
        ),
        "rule",
        0.8,
    ),
    Sign(
        words(
            r"^"
            + _WHO
            + r"(?:(?:only |do not |don't |dont |never |avoid |stop |no |always )+"
            + _VERB
            + r"|use|name|prefix|suffix|prefer|follow|squash|rebase|pin)\b "
            + _OBJECT
            + r".{2,140}?\b(?:"
            + _HERE
            + r")\s*[.!]*$"
            r"|^(?:"
            + _HERE
            + r")[,:]? (?:please |you (?:should|must) |we )?(?:only |do not |don't |never |avoid |always |must )*"
            + _VERB
            + r"\b "
            + _OBJECT
        ),
        "rule",
        0.85,
    ),
    Sign(
        words(
            r"^(?:please )?(?:do not|don't|dont|avoid|stop|no more) (?:use|using|mock|mocking|hard-?cod(?:e|ing)|swallow(?:ing)?|commit(?:ting)?|push(?:ing)?|import(?:ing)?|add(?:ing)?|writ(?:e|ing)|creat(?:e|ing)|force[- ]push(?:ing)?|install(?:ing)?)"
            r" "
            + _OBJECT
            + r"(?!(?:the|a|an|your|my)\b(?! (?:db|database|network|default|global|main|master|standard)))[`\w@./]"
        ),
        "rule",
        0.75,
    ),
    Sign(
        words(
            r"^" + _WHO + r"use " + _NAME + r",? (?:and )?(?:not|instead of|rather than|never|over) " + _NAME
        ),
        "rule",
        0.75,
    ),
    Sign(words(r"^not " + _NAME + r"[,;—–:-]+ ?(?:use |but |it's )?" + _NAME + r"\s*[.!]*$"), "rule", 0.75),
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
            r"(?: now| actually| always| only)?(?: at| on| in| under| behind| to| with| from| via| after)? (?=.*(?:\d|/|`|\b[A-Z]\w+\b|\w\.\w|_))"
        ),
        "fact",
        0.75,
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
            + _OBJECT
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
