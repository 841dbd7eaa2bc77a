"""The vocabulary of English, as people write it who make software."""

from __future__ import annotations

from memtui.language.conversation import Language, compile_words

_DAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_VERB = (
    r"(?:use|using|run|running|write|writing|add|adding|commit|push|force[- ]push|mock|test|import|store|log|hard-?code|format|lint|type|annotate|document"
    r"|comment|return|throw|raise|catch|create|make|install|pin|bump|tag|deploy|release|ask|answer|reply|respond|explain|include|show|give|start|end|check|verify"
    r"|update|edit|touch|modify|change|delete|remove|rename|skip|leave|ship|put|read|do|try|call|go|assume|guess|invent|apologi[sz]e|summari[sz]e|refactor|generate"
    r"|prefer|avoid|wrap|validate|escape|quote|sign|cache|version|expose|set|work|follow|build|compile|mention|suggest|handle|pass|open|close|keep|move|split|drop|let"
    r"|take|have|send|stop|merge|rebase|squash|name|point|limit|cap|round|treat|switch|stick|stay|pick|choose)"
)
_PLACES = {
    "a": 0, "b": 1, "c": 2, "d": 3, "e": 4, "1": 0, "2": 1, "3": 2, "4": 3, "5": 4, "6": 5, "7": 6, "8": 7, "9": 8,
    "one": 0, "two": 1, "three": 2, "four": 3, "first": 0, "1st": 0, "former": 0, "second": 1, "2nd": 1, "third": 2,
    "3rd": 2, "fourth": 3, "last": -1, "latter": -1,
}  # fmt: skip

ENGLISH = Language(
    code="en",
    script=None,
    lead=compile_words(
        (
            r"(?:(?:ok(?:ay)?|nope|yes|yeah|yep|yup|y|hey|hi|hello|hmm*|hm|oh|ah+|o|btw|by the (?:way|by)|wait|actually|fyi|ps|p\.s\.|also|and|but|so|plus|anyway|well|then|please|pls"
            r"|alright|additionally|finally|lastly|first(?:ly)?|second(?:ly)?|one (?:more )?thing|another thing|quick note|side note|heads up|important|just|oh and|right|listen|look|fine"
            r"|for (?:future |your )?(?:reference|notes)|for the record|(?:some|a bit of|a little|quick|more) (?:context|background|info)(?: (?:for|on|about) [\w ]{2,30})?(?=:)|(?:context|background|fyi|constraints?|requirements?|notes?)(?=:)|(?:add|put|make|write|leave) (?:a |this |the )?(?:note|line|sentence|entry|rule|comment) (?:to|in|into) (?:the |our |my )?[\w./-]+(?: [\w./-]+)?(?=:)|(?:one |a )?caveat(?: for later)?(?=:)|for later(?=:)|um+|uh+|er|you know|basically|like(?=,)|i mean|let's (?:also )?agree(?: that| on| to)?|and please|again|to be clear|as i said|like i said|as mentioned|moreover|furthermore|note|(?:great|good|nice|cool|perfect|thanks|awesome) (?=(?:and|so|now|but)\b))(?:[\s,.:!—–-]+|$|(?<= ))"
            r"|(?:no+|right|great|thanks(?: a lot)?|thank you|thx|cool|good|nice|perfect|sorry|sure|awesome|lovely|looks good|sounds good|good (?:job|point|morning)|that works"
            r"|works|(?:new )?(?:rule|law|policy)(?: (?:no\.?|number) ?\d+)?(?: in this \w+)?|convention|preference|lesson(?: learned)?|gotcha(?: worth \w+)?|remember|reminder|tip|warning|nit|pref|fact|agreed)\s*[,.:!—–-]+\s*)+"
        ),
    ),
    tail=compile_words(
        (
            r"(?:[\s,;:—–-]+(?:please|pls|thanks(?: a lot)?|thank you|thx|ok(?:ay)?|right|alright|cheers|got it|got that|if that's ok|by the way|btw|from now on(?:wards?)?|going forward|in (?:the )?future"
            r"|as well|too|then|tho|though|man|dude|mate|ha(?:ha)*|lol|tbh|imo|:\)|;\)|/s|,? ?(?:and |but )?you (?:used|put|wrote|did|had|have|keep|made|went)\b[^,.;]*))+[\s.!?]*$|[\s.!,;:—–-]+$"
        ),
    ),
    loose=compile_words(
        (
            r"^(?:it|its|this|that|these|those|they|them|he|she|there|here|both|either|same|and|or|because|which|then|one|ones|also|like|i'll|let me|thanks)\b(?!(?:'s)? (?:repo|project|codebase|team))"
            r"|\b(?:use|using|do|does|run|put|keep|like|make|want|avoid|see|say|change|fix|try|prefer|rename|remove|delete|add|leave|go with|did|push|commit|move|call|read|give|show|send|ask) (?:it|this|that|them|these|those)(?:\s*(?:$|[.,;!)])|"
            r" (?:in|to|there|like|as|here|again|instead|now|up|down|out|back|for|alone|all|way|one|too|and|please|first|with)\b)"
            r"|\b(?:the (?:above|latter|former|following|other one|second one|first one)|option [a-d1-9]|as (?:above|before|discussed)|like (?:this|that|so|before)|the same way)\b"
        ),
    ),
    undoes=compile_words(r"^(?:\W*(?:hm+|no|ok|actually|please|pls|then|right|well|and|so)[\s,.!]+)*(?:revert|undo|roll(?: it| that| this)? back|put (?:it|that|them|everything) back|take (?:it|that|them) (?:back )?out(?: again)?)\b"),
    settles=compile_words(r"\b(?:i|we)(?:'ve| have)? (?:decided|chose|chosen|opted|settled|agreed)\b|^chose\b|\bdecision:"),
    points=compile_words(r"\b(?:it|its|them|they|that|this|these|those|both|one|ones|the (?:two|rest|other)|he|she|there)\b"),
    plain=(
        (compile_words(r"^i(?:'d| would)?((?: really| much| strongly| generally| usually| personally| always| definitely)*) prefer\b"), r"The user\1 prefers"),
        (compile_words(r"^i (really |generally |strongly )*(like|love|hate|dislike|want)\b"), r"The user \2s"),
        (compile_words(r"^i (?:don't|do not) (?:really )?(like|want)\b"), r"The user does not \1"),
        (compile_words(r"^i (?:can't|cannot) stand\b"), "The user cannot stand"),
        (compile_words(r"^i (always|never|usually|normally|typically|generally|mostly|only) (use|work|write|run|commit|squash|rebase|prefer|code|develop|deploy|test|want|read|keep|format|name|merge|review)\b"), r"The user \1 \2s"),
        (compile_words(r"^i use\b"), "The user uses"),
        (compile_words(r"^i(?:'m| am)\b"), "The user is"),
        (compile_words(r"^(?:please )?call me\b"), "Call the user"),
        (compile_words(r"^my\b"), "The user's"),
        (compile_words(r"^(?:please |just |make sure (?:to |that |you )*|be sure to |ensure (?:that )?you |i (?:want|need|expect) you to |you (?:should|must|need to|have to) (?=always|never))+"), ""),
        (compile_words(r"^(?:from now on(?:wards?)?|from here on(?: out)?|going forward|in (?:the )?future|next time|for next time|as a (?:general )?rule|henceforth)\b[\s,:—–-]*(?:please )?"), ""),
        (compile_words(r"^(?:let's|lets|let us|we'll|we will|we're going to|we are going to|i'll|i will|i'd)(?: just)? (?=go with|go for|use|stick|stay|keep|switch|pick|choose|adopt|drop|move|migrate|settle|store|standard|support|target|build)"), ""),
        (compile_words(r"^(?:so |and )?(?:we|i)(?:'ve| have)? (?:decided|agreed|opted) (?:that )?(?:to|we will|we'll) "), ""),
        (compile_words(r"^(?:we|i)(?:'ve| have)? (?=decided|chose|opted|picked|went|settled|agreed|selected|kept|used)"), ""),
        (compile_words(r"^agreed[,.:;]? (?:that )?(?=.{6})"), ""),
        (compile_words(r"^(?!so be|that|what|how)(.{2,80}?) it is(?:[\s.!]*$|(?=,? (?:then|because|since)))"), r"Chose \1"),
        (compile_words(r"^(?:final )?decision(?: is)?\s*[:—–-]+\s*"), ""),
        (compile_words(r"^lesson learned\s*[:,—–-]+\s*"), ""),
        (compile_words(r"^(?:it )?turns out (?:that )?"), ""),
        (compile_words(r"^(?:(?:what(?:'s| is) )?(?:still |left )?(?:todo|to do|follow-?up|next(?: steps?| up)?|remaining|left|open|missing|later))(?: for (?:\w+ ){0,2}\w+)?\s*[:—–-]+\s*"), ""),
        (compile_words(r"^(?:still|we still|i still|you still) (?:need|have) to "), ""),
        (compile_words(r"^(?:we|i|you) (?:need|have) to "), ""),
        (compile_words(r"^(?:i(?:'ve| have)?|we(?:'ve| have)?)(?: now| also| just| successfully)* (?=(?!need\b|feed\b)[a-z]+ed\b|(?:rebuilt|kept|sent|left|spent|lost|got|dealt)\b|built|wrote|made|rewrote|set up|split|cut|put|ran|brought|found|broke)"), ""),
        (compile_words(r"^(?:all )?done[.!:—–,-]+\s*"), ""),
    ),
    cues=(
        ("always", compile_words(r"\b(?:always|never|ever|every (?:single )?time|each time|whenever|from (?:now|here) on|going forward|in (?:the )?future|next time|at all times|no exceptions|under no circumstances|without exception|until i say|as a rule|henceforth|any more|anymore|only ever)\b")),
        ("rule", compile_words(r"\b(?:rules?|laws?|policy|policies|convention|habit|standard|guidelines?|mandatory|forbidden|banned|off[- ]limits|must(?:n't| not)?|not allowed|has to|have to|should(?:n't| not)|make it a)\b")),
        ("prohibits", compile_words(r"(?:^|[,;.:] ?|\b(?:please|pls|and|but|ok|so) )(?:do not|don't|never|no more|stop|avoid|nobody|no one|nothing)\b")),
        ("orders", compile_words(r"^(?:(?:please|pls|just|then|so|and|ok|yes|no|but|also|now)[ ,]+)*" + _VERB + r"\b")),
        ("every", compile_words(r"\b(?:every|each|all|any|whoever|whatever|anything|everything|anyone) \w+|\b(?:before|after|when|if) (?:you|we) \w+")),
        ("prefers", compile_words(r"\bi(?:'d| would| do)? ?(?:really |much |always |usually |generally |also |still )*(?:prefer|like|love|hate|want|dislike|can't stand|find|expect|enjoy)\b|\bi(?:'m| am) (?:fond|a fan|not a fan|allergic|used to|big on)|\bmy (?:preference|taste|style|habit)\b|\bcall me\b|\bif you ask me\b|\bdrives me\b|\bfor my (?:taste|eyes)\b")),
        ("lesson", compile_words(r"\b(?:lessons?|gotchas?|pitfall|learn(?:ed|t|ing)|worth (?:remembering|noting|knowing)|note to self|for (?:your|the|my) notes?|moral|in hindsight|next time|cost (?:me|us)|bit(?:es|ten)? (?:me|us)|turns out|the trick is|careful with|beware|trap|remember that|write (?:that|this) down|keep in mind|root cause|culprit)\b")),
        ("fact", compile_words(r"\b(?:btw|by the way|fyi|for (?:context|the record|reference)|keep in mind|in case you|just so you know|note that|heads up|as of|since (?:\w+ )?\d{4}|since (?:january|february|march|april|may|june|july|august|september|october|november|december|last|this)|last (?:year|month|week|spring|summer|autumn|fall|winter)|(?:moved|switched|migrated) (?:to|from|off)|lives? (?:in|on|at|under)|runs? on|belongs? to|is called|are called|owned by|is on|we have|we are on|we're on|they (?:have|use|are|run)|comes? from|goes live|the team|our \w+)\b")),
        ("later", compile_words(r"\b(?:tomorrow|tmrw|tonight|later|next (?:week|month|sprint|quarter|time|year|release)|on " + _DAY + r"|" + _DAY + r"|afterwards|eventually|some ?day|soon|once (?:the|we|i|it|that|they)|after the|until (?:the|then|we|i|they)|when (?:the|we|i|they|he|she|\w+'s|\w+ is) (?:back|there|done|ready|comes?|arrives?)|waits?|waiting|postpone|park(?:ed)?|backlog|ticket|for (?:the holidays|another day|later))\b")),
        ("left", compile_words(r"\b(?:still (?:missing|open|to|need|needs|has|have|untested|broken|not|left|on|there)|remain(?:s|ing)?|left (?:to|is|are|open|on)|what's left|todo|to-?do|to do|follow-?up|not (?:yet|done|finished|tested|started|in yet)|hasn't|haven't|has not|have not|isn't (?:done|in|there)|yet|needs? (?:to|a|an|the)|need to|gotta|pending|outstanding|missing|unfinished|don't forget|remind me|put (?:it|that) on|blocked|no(?:body| one) has)\b")),
        ("will", compile_words(r"\b(?:i|we|they|he|she|it)(?:'ll| will|'m going to| am going to| have to| need to| must| gotta)\b")),
        ("did", compile_words(r"^(?:\W*(?:done|ok|also|and|then|so|now)[\s,.:!—–-]+)*(?:i(?:'ve| have)?|we(?:'ve| have)?)?\s*(?:now |also |just |both )*(?!need|feed|indeed|speed|agreed)(?:[a-z]+ed|wrote|rewrote|made|built|set|put|took|split|cut|swapped|ran|moved|gave|found|threw|got|went|left|kept|sent|hid|hooked|tied)\b")),
        ("now", compile_words(r"\bnow\b|\bno longer\b|\b(?:is|are|'s) (?:in|in place|there|gone|out|done|live|up|back|fixed|wired|merged|ready|green)\b|\binstead of\b|\b(?:down|up) (?:from|to)\b|\bpass(?:es|ed|ing)?\b|\ball green\b|\bfrom \d\S* (?:\w+ )?to \d")),
        ("undo", compile_words(r"\b(?:revert(?:ed|ing)?|undo|undid|undone|roll(?:ed|ing)? (?:it |that |this )?back|put (?:it|that|them|everything|things) back|take (?:it|that|them) (?:back |out)|took (?:it|that|them) (?:back|out)|back to (?:how|what|the (?:old|original|previous))|reset --?hard|restore[d]?|scrap|scratch|throw (?:it|that|this) away|toss|rip (?:it|that) out|kill (?:it|that)|drop (?:it|that|this)|never ?mind|forget (?:it|that|about|what)|strike that|on second thoughts?|changed my mind|cancel|let's not|leave it as|don't bother|not worth)\b")),
        ("supposes", compile_words(r"\b(?:what if|if (?:we|i|you|they|it|one)|suppose|imagine|hypothetically|in theory|theoretically|would(?:n't)?|could|might|maybe|perhaps|someday|some day|one day|just curious|wonder(?:ing)?|one could|not that|let's say|say we|were to|had we|thought experiment)\b")),
        ("offers", compile_words(r"\b(?:i|we) (?:could|can|would|might)\b|\bi'd (?:suggest|go|put|take|propose|keep|make|say|point|recommend|rather|look)|\b(?:shall|should) i\b|\b(?:do you |d'you )?want me to\b|\bwould you (?:like|rather|prefer)\b|\boptions?\b|\beither\b|\bor (?:i|we|else|a|the|with|by)\b|\bpropose|suggest|recommend|alternative|if you (?:like|want|prefer|'d)|two ways|three ways|happy to|let me know|how about\b")),
        ("which", compile_words(r"^(?:which|what|how (?:many|much|long|often)|where|when|who|should|shall|do|does|did|is|are|can|could|would|will|has|have|why|and (?:what|the|how|is|are|do)|same|any)\b")),
        ("thanks", compile_words(r"\b(?:thanks?|thx|thank you|ty|cheers|perfect|great|awesome|excellent|nice|lovely|beautiful|splendid|wonderful|brilliant|amazing|fantastic|love (?:it|that|you)|rock|angel|legend|saved|lifesaver|well done|good (?:job|work|stuff)|impressive|sweet|neat|that's (?:so )?much better|works?|appreciate|grateful|hero|magic|yay|hooray|spot on|exactly what)\b")),
        ("bitter", compile_words(r"\b(?:just (?:great|what i|wonderful|perfect|lovely)|exactly (?:how|what) i (?:wanted|needed)|thanks for nothing|oh (?:great|good|joy|wonderful|perfect|fantastic|lovely|brilliant)|how (?:nice|lovely|convenient|wonderful)|(?:great|wonderful|brilliant|fantastic|lovely|splendid|amazing|perfect|marvell?ous)[,.!] (?:now|so|another|exactly|just|my|that|it|only|three|two)|clearly|sure,|because (?:of course|who needs)|what could (?:possibly )?go wrong|love (?:how|that|it when)|slow clap|genius|bravo|who needs|good luck)\b")),
        ("yes", compile_words(r"^(?:\W*(?:ok(?:ay)?|oh|ah|hm+|well|fine|sure|great|cool|good|right|nice)[\s,.!]+)*(?:y|yes|yep|yeah|yup|yea|ye|aye|ok(?:ay)?|sure|agreed|do (?:it|that|so|this|both)|go(?: ahead| for it| on)?|sounds? (?:good|great|fine|right)|as you (?:say|suggest|like)|fine(?: by me)?|please(?: do)?|absolutely|definitely|of course|makes sense|works for me|let's do (?:that|it)|\+1|lgtm|deal|why not|good idea|exactly|correct|right)\b")),
        ("picks", compile_words(r"^(?:\W*(?:ok(?:ay)?|then|so|let's|i'd|i'll|we'll|go|take|with|do|use|the|hm+|well|yes|definitely|just|make it)[\s,.!]+)*(?:\(?[a-d1-5]\)?(?=$|[\s.,;!)])|option \w|first|second|third|latter|former|both|neither|either|all (?:of them|three|four)|none|whichever|the (?:first|second|third|last|other|proper|simple|quick|safe|boring|cheap|easy))\b")),
        ("then", compile_words(r"\b(?:then|it is|instead|please|pls|let's|let it|keep|leave|make it|go with|stick (?:to|with)|we (?:go|take|use|keep|do|want))\b")),
        ("decides", compile_words(r"\b(?:i|we)(?:'ve| have)? (?:decided|chose|chosen|picked|opted|settled|went with|agreed)\b|^(?:chose|picked|decided|going with|went with)\b|\bdecision\b|\bit is[.!]?$|\blet's (?:use|go|do|keep|take|make)\b|\b(?:we|i)(?:'ll| will)? (?:go with|use|take|keep|stick|stay)\b|\bover \w+ because\b|\brather than\b")),
        ("failed", compile_words(r"\b(?:fail(?:s|ed|ing|ures?)?|errors?|exceptions?|crash(?:es|ed|ing)?|broke|broken|breaks|doesn't|does not|didn't|won't|can't|cannot|wrong|hang(?:s|ing)?|hung|stuck|dead|die[sd]?|dying|leaks?|lost|loses|missing|corrupt\w*|refus\w+|reject\w*|denied|timed? ?out|timeouts?|nan|null|undefined|segfault|panic|bugs?|flaky|garbage|blank|black screen|resets?|weird|shifted|red)\b")),
        ("slow", compile_words(r"\b(?:slow\w*|latency|lag\w*|takes? (?:\w+ ){0,2}(?:\d+|forever|ages|minutes|seconds|hours)|\d+ ?(?:s|sec|seconds|min|minutes|hours|h|ms)|memory|ram|cpu|gb|gigs?|oom|throughput|timeout|bottleneck|n\+1|sluggish|fans?)\b")),
        ("blames", compile_words(r"\byou(?:'re| are|'ve| have)? (?:\w+ )?(?:reading|wrong|misread|misunderstood|forgot|missed|broke|deleted|changed|renamed|removed|put|used|keep|kept|ignored|told|said|again|did|made|touched|overwrote)\b|\b(?:that's|that is|this is|it's) (?:not (?:what|how|right|it)|wrong|the wrong)|\bnot what (?:i|we)\b|\bi (?:said|asked|told|meant|wanted|wrote)\b|\bwhy (?:did|do|are|have|would) you\b|^(?:no+|nope|wrong|stop)\b|\bnot the \w+[,.]|\bi never\b|\bhow many times\b")),
        ("unable", compile_words(r"\b(?:i|we) (?:can't|cannot|could not|couldn't|have no (?:way|access|tool|permission)|don't have|am not able|was unable|lack)\b|\bno (?:access|way|tool|permission|credentials)\b|\bnot able to\b|\bbeyond\b")),
        ("again", compile_words(r"\bagain\b|\bonce more\b|\b(?:second|third|fourth|\d(?:nd|rd|th)) time\b|\bsame (?:error|issue|problem|bug|thing|crash)\b|\bkeeps? \w+ing\b|\bback\b|\bstill\b|\bevery (?:week|time|day|morning|release)\b|\bas (?:last|usual|always)\b|\bover and over\b")),
        ("machine", compile_words(r"\b(?:port|disk|docker|daemon|network|dns|vpn|proxy|firewall|permissions?|env(?:ironment)?|variable|path|certificate|cert|node version|kernel|driver|gpu|server|host|container|runner|ssh|sudo|root|quota|token expired|login|credentials)\b")),
        ("package", compile_words(r"\b(?:npm|pip|yarn|pnpm|cargo|crate|gem|package|dependenc\w+|peer|version(?:s|ed)?|upgrade|downgrade|lock ?file|registry|conflict\w*|incompatib\w+|module|library|install\w*|resolve[dr]?|pinned|semver|vulnerab\w+)\b")),
        ("secure", compile_words(r"\b(?:secrets?|passwords?|tokens?|keys?|credentials?|leak\w*|expos\w+|injection|xss|csrf|vulnerab\w+|cve|public(?:ly)?|unauthenticated|anyone can|plain ?text|md5|encrypt\w*|auth\w*|permission|committed)\b")),
    ),
    outright=(
        ("rule", compile_words(r"^(?:(?:please|pls|and|also|so|remember)[:,]? (?:to )?)*(?:always|never(?! mind\b| heard| seen)|from now on|going forward|henceforth|don't ever|do not ever|you must (?:always|never)|every time you)\b")),
        ("preference", compile_words(r"^i (?:really |much |strongly |generally )?prefer\b|^my preference is\b|^pref(?:erence)?s?: ")),
        ("decision", compile_words(r"^(?:we|i)(?:'ve| have)? (?:decided|agreed|settled) (?:to|on|that)\b|^(?:we|i)(?:'ll| will) go with\b|^(?:decision|decided): ")),
        ("open", compile_words(r"^(?:todo|to do|next(?: steps?)?|follow[- ]?ups?|left to do|still to do): *\S")),
        ("lesson", compile_words(r"^(?:lessons? learn(?:ed|t)|gotcha|the lesson(?: here)?)(?: is)?[:,]")),
    ),
    noted=(
        ("decision", compile_words(r"^(?:(?:the )?(?:user|team|project)|we|i)(?:'ve| has| have)? (?:finally |also )?(?:decided|agreed|settled|chose|opted|switched) (?:to|on|that|for|against)?\b")),
        ("pref", compile_words(r"^(?:(?:the )?user (?:really |strongly )?prefers?|prefer(?:s|red)?)\b(?! not to say)")),
    ),
    doubt=compile_words(
        (
            r"^(?:should|shall|could|would|can|may|does|do (?:you|we|i|they)|did|is|are|was|were|has|have (?:you|we|i)|will|what|why|how|who|which|where|any)\b"
            r"|\b(?:maybe|perhaps|possibly|might|what if|i wonder|wondering|how about|suppose|imagine|hypothetically|not sure|i guess|could we|should we|shall we|would it"
            r"|thinking (?:about|of)|considering|(?:i think|maybe) we (?:could|should)|one option|an option|alternatively|we could|you could|if we (?:used|use|were|had|went)"
            r"|in theory|would be nice|if you want|if you like|if you prefer|let me know|what do you think|pros and cons|either way|whether|unless you|i might|kidding|joking)\b"
        ),
    ),
    narrates=compile_words(
        (
            r"^(?:\W*(?:great|perfect|excellent|good|nice|ok(?:ay)?|right|alright|sure|now|next|first|then|so|and|hm+|wait|actually|finally)[\s,.!:—–-]+)*"
            r"(?:let me(?! know)|let's|let us|i(?:'ll| will| am going to|'m going to) (?:now |first |also |just |then |start |begin |quickly |next )*"
            r"(?:analy[sz]e|apply|be|build|check|clean|continue|create|debug|do|edit|examine|explore|find|fix|gather|get|go|help|implement|inspect|investigate|look|make|modify|need|open|proceed|provide|pull|read|re-?run|review|run|scan|search|see|show|test|trace|try|update|verify|work|write)\w*"
            r"|i (?:need|want|should|have) to|we (?:need|should|have) to|(?:the )?user (?:is|wants?|asks?|asked|says?|said|needs?|has|provided)|looking at|checking|reading|searching)\b"
        ),
    ),
    passing=compile_words(
        (
            r"\b(?:for now|for the moment|for the time being|just (?:this|that) (?:once|time)|this (?:one )?time|only this once|this once|temporar\w+|today|tonight|tomorrow"
            r"|in the meantime|at the moment|right now|this (?:session|week|sprint|morning|afternoon)|(?:in|for|on) this (?:pr|commit|file|function|test|branch|case|task|one|script|demo"
            r"|spike|prototype|change|feature|ticket)|quick (?:and dirty )?hack|until (?:we|i|further|next|tomorrow|monday|friday)|yet)\b"
        ),
    ),
    reported=compile_words(
        (
            r"\b(?:docs?|documentation|read ?me|article|guide|error|message|log|linter|compiler|output|stack ?overflow|blog|tutorial|spec|page|comment|issue|ticket|reviewer"
            r"|boss|manager|colleague|people|someone|everybody|somebody|it|chatgpt|claude|copilot|review|pasted?)\b(?: \w+){0,2} "
            r"(?:says?|said|claims?|claimed|recommends?|recommended|suggests?|suggested|tells?|told|warns?|states?|stated|thinks?|mentions?|wrote|reads|complains?)\b"
            r"|\b(?:according to|as quoted|quote:|i (?:read|heard) (?:that|somewhere))\b"
        ),
    ),
    remember=compile_words(
        (
            r"^(?:can you |could you |please |pls |just )*(?:(?P<later>(?:next time|later),? (?:please )?remind me)|remember|keep in mind|bear in mind|memori[sz]e|(?:make a |take )?note|take note|(?:save|store|add|put|write)(?: (?:this|that|it))?"
            r"(?: down)? (?:to|in|into) (?:your |the )?(?:memory|notes|memories)|write (?:it |this |that )?down|(?:note|jot) (?:it |this |that )?down|for (?:future|later) reference|don't (?:ever )?forget)\b(?! when\b)"
            r"(?:[\s,:—–-]+(?:this|that|it|to|of)\b(?=[\s:,.!—–-]|$))?(?: for (?:next time|later|the future|future sessions))?[\s,:.!—–-]*(?P<rest>.*)$"
        ),
    ),
    remembered=compile_words(r"[,.;—–-]*\s*(?:please |pls )?(?:and )?(?:remember (?:that|this)|keep (?:that|this) in mind|note that down|write (?:that|this) down|make a note(?: of (?:that|this))?)[\s.!]*$"),
    retracts=compile_words(
        (
            r"\b(?:scrap (?:that|this|it|the idea)|never ?mind(?: that| about| what)?|forget (?:that|it|about (?:that|it)|what i (?:just )?said)"
            r"|ignore (?:that|what i (?:just )?said|my last|my previous)|strike that|on second thoughts?|(?:i |i've |have )?changed my mind|wait,? no|cancel that|actually,? no|let's not"
            r"|disregard (?:that|what i)|take that back|undo that decision|scratch that|i was wrong)\b"
        ),
    ),
    denied=compile_words(r"\b(?:not|instead of|rather than|no longer|drop(?:ping)?|scrap(?:ping)?|stop using|don't use|do not use|never use|away from|over|replace|forget(?: about)?|ditch|get rid of|without) (?:use |using |the )?[`\"']?([A-Za-z][\w.+#-]{1,30})"),
    yes=compile_words(
        (
            r"^(?:(?:ok(?:ay)?|oh|ah+|hm+|well|fine|sure|great|cool|good|right|nice|perfect|love it|true|fair (?:point|enough)|alright)[\s,.!—–-]+)*"
            r"(?:y|yes|yep|yeah|yup|yea|ye|yess+|aye|ok(?:ay)?|k|sure|agreed?|do (?:it|that|so|this)|go(?: ahead| for it| on)?|(?:please )?proceed|(?:that )?sounds? (?:good|great|fine|right|reasonable|like a plan)|as you (?:say|suggest|like|propose|recommend)\w*|fine(?: by me| with me)?"
            r"|(?:oh )?(?:please do|please|pls)|absolutely|definitely|of course|(?:that )?makes sense|works for me|that works|let's do (?:that|it|this)|lgtm|looks good(?: to me)?|deal|why not|good (?:idea|plan|call|point)|exactly|approved?|make it so|i like (?:it|that)|(?:go with|use|take) (?:that|your \w+)|\+1|reasonable|(?:the |your |that )?plan (?:is |looks |sounds )?(?:approved|good|great|fine|ok))"
            r"(?=$|[\s,.!;:—–-])(?: (?:then|way|one|please|pls|thanks|that is good|do (?:it|that|so)|both))*[\s,.!;:—–-]*"
        ),
    ),
    no=compile_words(r"^(?:\W*(?:ok|hm+|well|oh|ah)[\s,.!]+)*(?:no+|nah|nope|neither|none|not (?:now|today|yet)|rather not)\b[\s,.!;:—–-]*"),
    both=compile_words(r"^(?:\W*(?:ok|yes|do|let's do|take|please|then)[\s,.!]+)*(?:both|all (?:of them|three|four)|all$|the lot|everything)\b"),
    label=compile_words(
        (
            r"^(?:\W*(?:ok(?:ay)?|yes|yeah|then|so|well|hm+|let's|lets|i'd|i'll|we'll|i|go|going|take|pick|choose|do|use|prefer|like|with|for|say|definitely|just|make it|the|number|option|approach|choice|variant|plan|way)[\s,.!:#]+)*"
            r"(?:\(?(?:option |approach |choice |variant |plan )?#?(?P<label>[a-e]|[1-9]|one|two|three|four)\)?(?=$|[\s.,;:!)—–-])(?!,? (?:is|was|are|isn't|sounds|would|means|has|of|or|more|thing|time|at|on the|for|day|week|hour|min|month|ms|mb|gb|px|%|per|second|row|line|column|retr|attempt|worker|thread|gateway|frame|way)\w*)"
            r"|(?P<place>first|second|third|fourth|last|latter|former|1st|2nd|3rd)(?: (?:one|option|approach|way|variant|idea|plan))?(?=$|[\s.,;:!)—–-]))"
        ),
    ),
    places=_PLACES,
    offers=compile_words(
        (
            r"^(?:(?:sure|right|ok(?:ay)?|then|so|well|also|and|yes|no|but|good|fine|in that case|alternatively|otherwise|by the way|if you (?:like|want|prefer)|my (?:suggestion|recommendation|proposal|preference)(?: is(?: to)?| would be(?: to)?|:)|options?|two (?:options|ways|choices)|three (?:options|ways)|there are (?:two|three|several) \w+|(?:the )?(?:choices|ways) are|you (?:could|can))[\s,:;—–-]+)*"
            r"(?:(?:i|we)(?:'d| would| could| can| might|'ll| will) (?:also |either |rather |just |still )?(?:suggest(?: that we| that you| we| you)?|propose(?: to| that we| we)?|recommend(?: that we| that you)?|go (?:with|for)|like to|prefer to|start (?:with|by)|be able to|say)?|(?:shall|should) (?:i|we) (?:also )?|(?:do you |would you )?(?:want|like) me to (?:also )?|would you (?:like|prefer|rather)(?: to)?|how about (?:we |i )?|(?:want|may) i |(?:we|i) (?:can|could) |either |what about |let's |do (?:we|you) want(?: to| me to)? |is it ok(?:ay)? (?:if i|to) |can i |could i )\s*"
        ),
    ),
    either=compile_words(r",? or (?:should (?:i|we) |shall (?:i|we) |do you want |rather |by |just |else |would you (?:rather|prefer) )?|; or |, and for |; "),
    rejects=compile_words(r"\b(?:not|no|instead of|rather than|over|without|drop|isn't|is not|won't)\b[^,.;]{0,24}$"),
    request=compile_words(
        (
            r"^(?:(?:wtf|ffs|omg|jesus|damn|argh|ugh|fuck|shit|um+|uh+|basically|like|well|real quick|quick one|quick question|listen|look|hi+|hello|hey|yo|morning|evening|hmm+|right|cool|nice|perfect|awesome|ok(?:ay)?|so|please|pls|now|next|then|also|and|alright|great|good morning|thanks|claude|codex)(?: there| claude| codex| team)?[\s,.!:—–-]+)*(?:(?:can|could|would|will) (?:you|we|u|ya|i get you to|you guys)(?: please|(?: pls)|(?: just)|(?: maybe)| help me(?: to)?| kindly| also)* |(?:i|we)(?:'d like| would like| want| need)(?: you| us)?(?: to)?(?: have)? (?!help with\b)|(?:please )?help me (?:to |with )?(?:my )?"
            r"|(?:i|we) (?:need|want) (?:your )?help (?:with|to) |let's |lets |please |your task is to |(?:so )?what (?:i|we) (?:want|need|would like)(?: you)?(?: to (?:do|have))? is(?: for you)?(?: to)?(?: um| uh| basically| like)* |i want you (?:to )?|my (?:task|goal) (?:is|today is) (?:to )?|(?:the )?(?:task|goal|objective|ticket)\s*: |i am trying to |i'm trying to |we're trying to |go ahead and |the task is to |time to )*"
        ),
    ),
    moved=compile_words(r"^(?:(?:ok(?:ay)?|great|thanks|thank you|perfect|nice|good|cool|alright|done)[\s,.!]+)*(?:now (?:let's|lets|can|could|i|we|please|for|the|on)\b|next(?: task| up| thing)?[,:]|last (?:one|thing)(?: for today)?[,:]|(?:new (?:task|topic|question)|another (?:thing|task|topic|issue)|different (?:topic|question|thing)|moving on|switching (?:gears|topics?)|let's move on|unrelated)\b)"),
    empty=compile_words(r"^\W*(?:hi|hello|hey|yo|test|testing|ping|continue|go on|go ahead|proceed|yes|no|ok(?:ay)?|y|n|sure|thanks|thank you|(?:good )?(?:morning|evening|afternoon)|are you there|what can you do|who are you|how are you|resume|start|do it|again|try again|retry|next|done|stop|wait|help|what's up|nice|great|perfect|cool|keep going|carry on|let's go|let's start)(?: there| claude| codex| again| please| everyone)?\W*$"),
    pleased=compile_words(r"\b(?:thanks|thank you|thx|perfect|great|awesome|excellent|lgtm|works(?: now| great| perfectly| fine| well)?|working now|nice|looks good|well done|good job|ship it|love it|brilliant|amazing|all good|that did it|that fixed it|fixed it|solved|cheers|finally|danke|super|merci|gracias|grazie|tysm|ty|tks|sweet|yay|beautiful|neat|good stuff|much better|better|wonderful|fantastic|approved)\b"),
    fails=compile_words(
        (
            r"\b(?:still (?:not|broken|fails?|failing|doesn't|does not|the same|getting|crash\w*|errors?|wrong|see|seeing|happening|isn't|can't|a problem)|doesn't work|does not work|didn't work|did not work|not working|isn't working|same (?:error|problem|issue|result)|it (?:fails|failed|crashes|broke|breaks)|no luck|that's (?:not it|wrong|worse)|not fixed"
            r"|made it worse|this is wrong|nothing (?:changed|works)|give up|giving up|forget it|revert (?:it|everything|all|that)|you broke|(?:not|isn't|wasn't|nothing|hardly|far from) (?:great|perfect|good|fixed|solved|working|awesome|nice|excellent))\b"
        ),
    ),
    works=compile_words(r"\b(?:(?:it|that|this|everything|all) (?:now )?(?:works?|passes|is (?:green|fixed|fine now))|works? (?:now|fine|great|perfectly|well)|all green|passes now|that (?:fixed|did) it)\b"),
    gave_up=compile_words(r"\b(?:i (?:could not|couldn't|was unable to|am unable to|can't|cannot|wasn't able to|failed to)|unable to (?:fix|resolve|complete|finish|reproduce)|not able to|(?:tests?|build) (?:still )?fails?\b|still failing|blocked (?:by|on)|did not succeed|out of (?:time|scope)|not (?:yet )?(?:fully )?(?:complete|finished|resolved))\b"),
    put_off=compile_words(r"\b(?:not (?:right )?now|some other (?:day|time)|another (?:day|time)|(?:maybe |let's do (?:it|this|that) )?(?:after|in) the (?:next )?release|later then|next (?:quarter|month|sprint|release)|postpone (?:it|this|that)|let's wait)\b"),
    corrects=compile_words(
        (
            r"^(?:no+(?=[,.:;!—–-]| (?:no|use|don't|do|not|it|it's|that|that's|the|i|we|you|this|wait|please|put|keep|make|just|never|always)\b)|nope|wrong|incorrect|stop(?=[,.:;!—–-])|not quite|nah|(?:i )?meant (?:the )?(?=\w)|(?:no,? )?(?:that's|that is|thats|this is|it's|you're|you are) (?:just |still )?(?:wrong|not right|incorrect|not true|not correct|mistaken"
            r"|not what i (?:asked|wanted|meant|said)(?: for)?)|(?:the |your )?[\w/-]{2,20}(?: [\w/-]{2,20})?(?:'s| is| are) (?:wrong|incorrect|not right)|i (?:already )?(?:told|said)(?: you)?(?: to)?(?: already| before)?|i said)(?=[\s,.:;!—–-])"
            r"(?!,? (?:problem|worries|need|idea|rush|thanks|thank you|it's (?:fine|ok)|that's (?:fine|ok|all|it)|go ahead|biggie|issue|doubt|one|more))[\s,.:;!—–-]*"
        ),
    ),
    complains=compile_words(
        (
            r"^why (?:did|do|are|have) you \w+|^(?:(?:hm+|ugh|hey|ok|but|also|and|great|nice|good)[\s,.:!]+)*(?:you|why (?:did|do|are|have) you) (?:also|still|again|just|always|keep|kept|used|forgot|missed|broke|changed|added|removed|reformatted|deleted|put|mocked|committed|pushed|wrote|touched|renamed|skipped|using|adding)\b"
            r"|\b(?:not what (?:i|we) (?:asked|wanted|meant|said|need)|i (?:asked|told) you (?:not )?(?:to|for|about)|i (?:never|didn't|did not) ask(?:ed)?|you (?:misunderstood|misread|ignored|forgot|missed|broke)|you(?:'ve| have) (?:misunderstood|ignored|forgotten|missed|broken)"
            r"|(?:you|that|this|it) should(?:n't| not)? have\b|should(?:n't| not)? have been|as i (?:already )?(?:said|told you)|(?:revert|undo|roll back) (?:that|this|those|your|the last)\b|put (?:it|that|them) back\b)"
        ),
    ),
    cause=compile_words(r"\b(?:root cause|the (?:real |actual |underlying )?(?:problem|issue|bug|cause|culprit|reason|failure)(?: here)? (?:was|is)(?: that)?|(?:was|were|is) caused by|happened because|fail(?:s|ed)(?: \w+){0,3} because|(?:it )?turns out|turned out|the (?:fix|solution|workaround) (?:is|was) to|fixed by|(?:fixes|solves|resolves|cures|should fix) (?:that|it|this|the (?:problem|issue|error|build|test))|was failing because|were failing because|broke because|breaks because|crashed because|crashes because)\b"),
    heads=(
        ("open", compile_words(r"^(?:what(?:'s| is) )?(?:still )?(?:remaining(?: (?:work|items|tasks|steps))?|to-?dos?|to do|open(?: (?:items|points|questions|issues|tasks|work))?[:\s]*$|deferred|out of scope|not in (?:scope|this pr)|future work|left for later|for later|pending(?: tasks| items)?|left(?: to do)?|not (?:yet )?done|outstanding|follow-?ups?|next steps?|next(?: up)?|unfinished|known issues|what's left|still (?:to do|open|missing))\b(?!.{40})")),
        ("done", compile_words(r"^(?:summary|what (?:i|was) (?:did|done|changed)|changes(?: made)?|done|completed|what changed|implemented|fixed|results?|key changes)\b(?!.{40})")),
        ("decision", compile_words(r"(?:(?:key|main|design|technical|implementation|architecture|notable|made) )*(?:decisions?|choices|design notes|trade-?offs)(?: made| taken)?\b(?!.{30})")),
        ("rule", compile_words(r"\b(?:rules|conventions|guidelines|coding standards?|remember|keep in mind)\b")),
        ("pref", compile_words(r"\bpreferences?\b|\bhabits\b|user (?:habits|style)")),
        ("lesson", compile_words(r"errors? and fix|lessons?|gotchas?|pitfalls?|avoidances?")),
        ("fact", compile_words(r"(?:project|key|durable) facts?|^facts?$")),
    ),
    sections=(
        ("advice", compile_words(r"^(?:(?:my |the )?(?:next|remaining|recommended|suggested|follow-?up|required|manual)(?: next)? (?:steps?|actions?|work|tasks?)|(?:i|we)(?:'d| would)? (?:suggest|recommend)|(?:what |things )?you(?:'ll)? (?:still )?(?:need|have|may want|might want) to|to-?dos?|action items?|step \d|before (?:you|merging|deploying|shipping)|(?:still )?(?:not done|open|missing|to do))\b(?!.{40})")),
        ("cause", compile_words(r"\b(?:causes?|why|wrong|problems?|issues?|diagnos\w+|analysis|findings?|explanation|reasons?|culprit|what happened|conclusions?|evidence)\b")),
        ("changed", compile_words(r"\b(?:summary|chang(?:e|es|ed)|done|did|fix(?:e[sd])?|implement\w*|add(?:ed|s)?|updat\w+|creat\w+|remov\w+|complet\w+|result|files?|deliver\w*|accomplish\w*|new|improvements?|modif\w+)\b")),
        ("next", compile_words(r"\b(?:next|to-?dos?|remaining|follow-?ups?|left|pending|recommend\w*|suggest\w*|should|verify|before you|action items?|if you want|optional)\b")),
        ("note", compile_words(r"\b(?:notes?|important|caveats?|limitations?|warnings?|gotchas?|keep in mind|remember|known|tips?|lessons?|takeaways?|usage|how to use)\b")),
        ("checked", compile_words(r"\b(?:verif\w+|tests?|tested|checks?|validat\w+|quality)\b")),
        ("choice", compile_words(r"\b(?:decisions?|design|approach\w*|trade-?offs?|plan|strategy|steps?|architecture)\b")),
        ("asked", compile_words(r"\b(?:options?|questions?|alternatives?|pros|cons|examples?|benefits?|features?)\b")),
    ),
    tells=(
        ("advises", compile_words(r"^(?:(?:now|then|also|next|finally|afterwards|note that|so)[\s,]+)*(?:you(?:'ll| will)? (?:still |also |now |then )*(?:need|have) to|you should (?:still|also|now|then) (?!see|be|have|notice)|to (?:verify|test|check|apply|finish|complete|activate|deploy)\b[^,.]{0,40}, (?:please )?(?:run|open|restart|set|add|push|install|call|use|go)|(?:please )?(?:remember|don't forget|make sure|be sure) to|when(?:ever)? you(?:'re| are)? (?:ready|hook|wire|deploy|merge|publish)|once you(?:'ve| have)?)\b")),
        ("because", compile_words(r"\b(?:because|since|due to|caused?|so that|which (?:means|is why|led)|therefore|as a result|leads? to|hence|that's why|the reason|results? in)\b")),
        ("lacks", compile_words(r"\b(?:no|not|never|without|missing|lacks?|cannot|can't|doesn't|don't|isn't|aren't|wasn't|weren't|won't|undefined|unavailable|only|instead|wrong|incorrect|already)\b")),
        ("must", compile_words(r"\b(?:must|should|needs?|have to|has to|required?|requires|always|ensure|make sure|keep|avoid)\b")),
        ("may", compile_words(r"\b(?:may|might|could|would|likely|probably|possibl[ey]|perhaps|seems?|appears?|looks like|suggests|if)\b")),
        ("you", compile_words(r"\b(?:you|your|yours)\b")),
        ("doing", compile_words(r"^\W*(?:now |next |then |first |currently )*(?:i'll|i'm|i am|i will|i need|let me|let's|[a-z]+ing)\b")),
        ("passes", compile_words(r"\b(?:pass(?:es|ed|ing)?|green|succe(?:ss|ssful|ssfully|eded|eds)|compiles?|builds?|works?|working|verified|clean(?:ly)?|no errors?)\b")),
        ("is", compile_words(r"\b(?:is|are|was|were|has|have|uses?|comes?|contains?|defaults?|lives?|returns?|means?|supports?)\b")),
    ),
    categories=(
        ("Communication", compile_words(r"\b(?:answers?|repl(?:y|ies)|respon(?:d|ses?)|explain\w*|explanations?|emojis?|concise|summar(?:y|ies)|speak|talk|apologi[sz]e|call the user|in (?:english|chinese|german|french|spanish|japanese))\b")),
        ("Commits", compile_words(r"\b(?:commits?|committing|committed|branch(?:es)?|prs?|pull requests?|merge|rebase|squash|push(?:ing)?|git|tags?|changelog|master|main branch)\b")),
        ("Testing", compile_words(r"\b(?:tests?|testing|pytest|jest|vitest|mock(?:s|ing)?|fixtures?|coverage|e2e|playwright|cypress|snapshots?|assertions?)\b")),
        ("Naming", compile_words(r"\b(?:names?|named|naming|prefix(?:ed)?|suffix(?:ed)?|snake_case|camelcase|kebab-case|pascalcase|call (?:them|it))\b")),
        ("Dependencies", compile_words(r"\b(?:npm|pnpm|yarn|bun|pip|uv|poetry|cargo|dependenc(?:y|ies)|packages?|package manager|librar(?:y|ies)|install|pin|lockfile)\b")),
        ("Database", compile_words(r"\b(?:database|db|sql|migrations?|tables?|columns?|schema|quer(?:y|ies)|postgres\w*|mysql|sqlite|mongo\w*|orm|index(?:es)?|prisma|alembic)\b")),
        ("Deployment", compile_words(r"\b(?:deploy\w*|release\w*|staging|production|prod|docker\w*|kubernetes|k8s|helm|ci|pipeline|terraform|rollback|ports?|hosts?|servers?)\b")),
        ("Security", compile_words(r"\b(?:secrets?|tokens?|passwords?|credentials?|auth\w*|security|encrypt\w*|sanitize|permissions?|secure)\b")),
        ("API", compile_words(r"\b(?:api|endpoints?|rest|graphql|grpc|routes?|responses?|requests?|http|url)\b")),
        ("Documentation", compile_words(r"\b(?:docs?|documentation|readme|docstrings?|comments?|jsdoc)\b")),
        ("Coding", compile_words("")),
    ),
    communication="Communication",
    comma=", ",
    semicolon="; ",
    phrases={
        "chose": "Chose {}", "option": "Chose option {}: {}", "plan": "Approved plan",
        "approved": "Approved plan: {}", "not": "Not: {}", "changed": "Changed {}", "more": " and {} more",
        "edited": "changed {}", "fails": "`{}` still fails", "lesson": "`{}` fails with {}; fix: {}",
        "put off": "Put off: {}", "tests": "{} tests pass", "test": "1 test passes",
        "works not": "the user says it does not work", "tests fail": "tests do not pass",
        "build fails": "the build does not pass", "works": "the user confirmed it",
        "tests pass": "tests pass", "build passes": "the build passes", "committed": "committed",
        "thrown away": "the changes were thrown away", "left open": "not all of it is done",
        "given up": "given up", "reported": "the agent reports it done", "gave up": "not finished",
        "broke off": "it breaks off in the middle of the work",
    },
)  # fmt: skip
