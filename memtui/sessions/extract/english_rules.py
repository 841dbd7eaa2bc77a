"""What a person says in English that holds from now on: preferences, and rules that say so outright."""

from __future__ import annotations

from memtui.sessions.extract.english_words import NAME, OBJECT, VERB, WHO
from memtui.sessions.extract.tongue import Sign, words

OUTRIGHT = (
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
            r"\b(?:i(?:'d| would)?(?: really| much| strongly| generally| usually| personally| always| definitely)* prefer|my (?:preference|preferred|favou?rite)\b.{0,40}?\b(?:is|are)\b|i(?:'m| am) (?:not )?(?:a )?(?:big |huge )?fan of|i(?:'d| would) rather (?:have |see |you |we )?)"
            r"\b(?! not to (?:say|answer))(?! (?:it|that|this|the (?:first|second|latter|former|other))\b)"
        ),
        "pref",
        0.9,
    ),
    Sign(
        words(
            r"\bi (?:really |generally |strongly )*(?:like|love|hate|dislike|can't stand|cannot stand|don't (?:really )?like|do not like|don't want|never want|want)"
            r" (?:all |every |my |your |short |small |concise |brief |commit |code |docs? |readmes? |functions |prs? |diffs? |names |tests? |explicit |functional |to see |to be |when |it when |answers|replies|comments|type|early|plain|emojis|inline|nested|long|tabs|spaces)"
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
            + WHO
            + r"(?:keep|make) (?:your |the |all )?(?:answers|replies|responses|explanations|summaries|output|messages|reports)(?: \w+){0,2} (?:short|brief|concise|terse|small|simple|minimal|to the point)"
            r"|^"
            + WHO
            + r"(?:no|skip(?: the)?|stop (?:with |using )?(?:the )?|don't (?:use|give me|add)|avoid|without|drop(?: the)?) (?:more )?(?:emojis?|smileys|preambles?|apologies|pleasantries|flattery|fluff|summaries at the end)"
            r"|\bkeep (?:your |the |all )?(?:answers|replies|responses|explanations|summaries|output|messages|reports)(?: \w+){0,2}? (?:short|brief|concise|terse|under|below|within|to (?:\d|one|two|a)|at most|max)\b"
            r"|^" + WHO + r"be (?:more |less )?(?:concise|brief|terse|direct|verbose|succinct)\b"
        ),
        "pref",
        0.85,
    ),
    Sign(
        words(
            r"^"
            + WHO
            + VERB
            + r"\b "
            + OBJECT
            + r".{3,120}?[, ]+(?:always|every (?:single )?time|each time|no exceptions|without exception|at all times)[\s.!]*$"
        ),
        "rule",
        0.85,
    ),
    Sign(
        words(
            r"^"
            + WHO
            + r"(?:run|do|check|update|format|lint|rebase|squash|ask|bump|execute|regenerate|test)\b .{2,80}? (?:before|after|on|for|with|in) "
            r"(?:(?:every|each|any) (?:single )?(?:commit|push|pr|merge|release|deploy\w*|change|save|build|migration|new|branch|edit)|committing|pushing|merging|you (?:commit|push|merge)|opening)\b(?! (?:this|it|that|the|here)\b)"
            r"|^(?:before|after|when|whenever|while) (?:you )?(?:commit|push|merg|writ|add|edit|chang|creat|deploy|releas|open|touch|renam|delet|refactor|review|debugg?)\w*\b(?! (?:this|it|that|these)\b)[^,]{0,60}, ?"
            + WHO
            + r"(?:do not |don't |always |never )?"
            + VERB
            + r"\b"
        ),
        "rule",
        0.75,
    ),
    Sign(
        words(
            r"^(?:please,? )?(?:prefer|favou?r) (?!not\b)"
            + NAME
            + r" (?:over|to|instead of|rather than) "
            + r"|^(?!(?:game|all|over|more|left|turn|carried|hand|start)\b)"
            + NAME
            + r" over "
            + NAME
            + r"(?:,? (?:please|always|everywhere))?[\s.!]*$"
        ),
        "rule",
        0.75,
    ),
    Sign(
        words(
            r"^(?!.*\b(?:can|could|would) (?:you|we)\b).{0,80}\b(?:as|since|because) (?:here |in this \w+ )?we (?:always|never|only|practi[sc]e|require|don't (?:use|mock|allow|ship)|use|follow)\b"
        ),
        "rule",
        0.75,
    ),
    Sign(
        words(
            r"^(?:please,? )?(?:no|without(?: any)?|zero) (?!.*\b(?:was|were|have|has|found|yet)\b)(?:(?:new|more|extra|external|third[- ]party|additional|runtime) )+(?:\w+ )?(?:dependencies|deps|packages|libraries|libs|frameworks|modules|tables|services)\b"
            r"|^(?:please,? )?no (?:more )?(?:(?:default|wildcard|star|relative|inline|magic|global|barrel|nested|raw|bare|blanket|emojis?|dead|commented(?:-out)?|force) )+[\w-]{3,}"
            r"|^(?:please,? )?no (?:more )?(?:`[^`]+`|any|console\.logs?|prints?|mocks|comments|docstrings|abbreviations|semicolons|jquery|lodash|classes|singletons|globals|lambdas|px|any types?)(?: (?:in|anywhere|for|unless|except|please)\b.*)?[\s.!]*$"
        ),
        "rule",
        0.7,
    ),
    Sign(
        words(
            r"^(?!it|this|that|they|he|she|you|i|there|what)[\w`@./-]{2,30}(?: [\w`@./-]{2,20}){0,4}? (?:only ever|(?:must|should|shall|may|can|has to|have to) (?:always|never|only)|are only|always|never|only) "
            r"(?:be|come|go|live|belong|use|start|end|stay|get|have|return|take|contain|hit|touch|import|call|depend|log|happen)\b(?=.{3})(?!.*\b(?:happen again|my machine)\b)"
        ),
        "rule",
        0.75,
    ),
    Sign(
        words(
            r"^(?:for|in|with|on) (?:all|any|every)(?: of)?(?: the| our)? (?:future|other|new|upcoming|further) [^,:]{2,40}[,:] .{6,}"
        ),
        "rule",
        0.8,
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
            + WHO
            + r"(?:stop|don't|do not|dont|avoid|no need to)\b.{2,80}\b(?:your|the) (?:messages?|answers?|repl(?:y|ies)|responses?|summar(?:y|ies)|reports?|explanations?|output)\b"
        ),
        "pref",
        0.85,
    ),
)
"""The first that is found counts."""
