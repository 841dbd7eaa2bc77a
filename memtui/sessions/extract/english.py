"""What is listened for in English."""

from __future__ import annotations

from memtui.sessions.extract.english_signs import CORRECTIONS, SIGNS
from memtui.sessions.extract.english_words import LATER
from memtui.sessions.extract.tongue import Tongue, words

ENGLISH = Tongue(
    lead=words(
        r"(?:(?:ok(?:ay)?|nope|yes|yeah|yep|hey|hi|hello|hmm+|oh|ah|btw|by the way|wait|actually|fyi|ps|p\.s\.|also|and|but|so|plus|anyway|well|then|please|pls"
        r"|alright|additionally|finally|lastly|first(?:ly)?|second(?:ly)?|one (?:more )?thing|another thing|quick note|side note|heads up|important|just|oh and"
        r"|for (?:future )?reference|for the record|(?:some|a bit of|a little|quick|more) (?:context|background|info)(?: (?:for|on|about) [\w ]{2,30})?(?=:)|(?:context|background|fyi|constraints?|requirements?|notes?)(?=:)|(?:add|put|make|write|leave) (?:a |this |the )?(?:note|line|sentence|entry|rule|comment) (?:to|in|into) (?:the |our |my )?[\w./-]+(?: [\w./-]+)?(?=:)|(?:one |a )?caveat(?: for later)?(?=:)|for later(?=:)|um+|uh+|er|you know|basically|like(?=,)|i mean|let's (?:also )?agree(?: that| on| to)?|and please|again|to be clear|as i said|like i said|as mentioned|moreover|furthermore|note|(?:great|good|nice|cool|perfect|thanks|awesome) (?=(?:and|so|now|but)\b))(?:[\s,.:!—–-]+|$|(?<= ))"
        r"|(?:no+|right|great|thanks(?: a lot)?|thank you|thx|cool|good|nice|perfect|sorry|sure|awesome|looks good|sounds good|good (?:job|point|morning)|that works"
        r"|works|rule|convention|preference|lesson|gotcha|remember|reminder|tip|warning|nit|pref|fact)\s*[,.:!—–-]+\s*)+"
    ),
    tail=words(
        r"(?:[\s,;:—–-]+(?:please|pls|thanks(?: a lot)?|thank you|thx|ok(?:ay)?|right|alright|cheers|got it|got that|if that's ok|by the way|btw|"
        + LATER
        + r"|as well|too|then|though|man|dude|haha|lol|:\)|;\)|/s|,? ?(?:and |but )?you (?:used|put|wrote|did|had|have|keep|made|went)\b[^,.;]*))+[\s.!?]*$|[\s.!,;:—–-]+$"
    ),
    doubt=words(
        r"^(?:should|shall|could|would|can|may|does|do (?:you|we|i|they)|did|is|are|was|were|has|have (?:you|we|i)|will|what|why|how|who|which|where|any)\b"
        r"|\b(?:maybe|perhaps|possibly|might|what if|i wonder|wondering|how about|suppose|imagine|hypothetically|not sure|i guess|could we|should we|shall we|would it"
        r"|thinking (?:about|of)|considering|(?:i think|maybe) we (?:could|should)|one option|an option|alternatively|we could|you could|if we (?:used|use|were|had|went)"
        r"|in theory|would be nice|if you want|if you like|if you prefer|let me know|what do you think|pros and cons|either way|whether|unless you|i might|kidding|joking)\b"
    ),
    passing=words(
        r"\b(?:for now|for the moment|for the time being|just (?:this|that) (?:once|time)|this (?:one )?time|only this once|this once|temporar\w+|today|tonight|tomorrow"
        r"|in the meantime|at the moment|right now|this (?:session|week|sprint|morning|afternoon)|(?:in|for|on) this (?:pr|commit|file|function|test|branch|case|task|one|script|demo"
        r"|spike|prototype|change|feature|ticket)|quick (?:and dirty )?hack|until (?:we|i|further|next|tomorrow|monday|friday)|yet)\b"
    ),
    reported=words(
        r"\b(?:docs?|documentation|read ?me|article|guide|error|message|log|linter|compiler|output|stack ?overflow|blog|tutorial|spec|page|comment|issue|ticket|reviewer"
        r"|boss|manager|colleague|he|she|they|people|someone|everybody|somebody|it|chatgpt|claude|copilot|review|pasted?)\b(?: \w+){0,2} "
        r"(?:says?|said|claims?|claimed|recommends?|recommended|suggests?|suggested|tells?|told|warns?|states?|stated|thinks?|mentions?|wrote|reads|complains?)\b"
        r"|\b(?:according to|as quoted|quote:|i (?:read|heard) (?:that|somewhere))\b"
    ),
    retracts=words(
        r"\b(?:scrap (?:that|this|it|the idea)|never ?mind(?: that| about| what)?|forget (?:that|it|about (?:that|it)|what i (?:just )?said)"
        r"|ignore (?:that|what i (?:just )?said|my last|my previous)|strike that|on second thoughts?|(?:i |i've |have )?changed my mind|wait,? no|cancel that|actually,? no|let's not"
        r"|disregard (?:that|what i)|take that back|undo that decision|scratch that|i was wrong)\b"
    ),
    corrects=words(
        r"^(?:no+(?=[,.:;!—–-]| (?:no|use|don't|do|not|it|it's|that|that's|the|i|we|you|this|wait|please|put|keep|make|just|never|always)\b)|nope|wrong|incorrect|stop(?=[,.:;!—–-])|not quite|nah|(?:i )?meant (?:the )?(?=\w)|(?:no,? )?(?:that's|that is|thats|this is|it's|you're|you are) (?:just |still )?(?:wrong|not right|incorrect|not true|not correct|mistaken"
        r"|not what i (?:asked|wanted|meant|said)(?: for)?)|(?:the |your )?[\w/-]{2,20}(?: [\w/-]{2,20})?(?:'s| is| are) (?:wrong|incorrect|not right)|i (?:already )?(?:told|said)(?: you)?(?: to)?(?: already| before)?|i said)(?=[\s,.:;!—–-])"
        r"(?!,? (?:problem|worries|need|idea|rush|thanks|thank you|it's (?:fine|ok)|that's (?:fine|ok|all|it)|go ahead|biggie|issue|doubt|one|more))[\s,.:;!—–-]*"
    ),
    complains=words(
        r"^why (?:did|do|are|have) you \w+|^(?:(?:hm+|ugh|hey|ok|but|also|and|great|nice|good)[\s,.:!]+)*(?:you|why (?:did|do|are|have) you) (?:also|still|again|just|always|keep|kept|used|forgot|missed|broke|changed|added|removed|reformatted|deleted|put|mocked|committed|pushed|wrote|touched|renamed|skipped|using|adding)\b"
    ),
    remembered=words(
        r"[,.;—–-]*\s*(?:please |pls )?(?:and )?(?:remember (?:that|this)|keep (?:that|this) in mind|note that down|write (?:that|this) down|make a note(?: of (?:that|this))?)[\s.!]*$"
    ),
    remember=words(
        r"^(?:can you |could you |please |pls |just )*(?:remember|keep in mind|bear in mind|memori[sz]e|(?:make a |take )?note|take note|(?:save|store|add|put|write)(?: (?:this|that|it))?"
        r"(?: down)? (?:to|in|into) (?:your |the )?(?:memory|notes|memories)|write (?:it |this |that )?down|(?:note|jot) (?:it |this |that )?down|for (?:future|later) reference|don't (?:ever )?forget)\b(?! when\b)"
        r"(?:[\s,:—–-]+(?:this|that|it|to|of)\b(?=[\s:,.!—–-]|$))?(?: for (?:next time|later|the future|future sessions))?[\s,:.!—–-]*(?P<rest>.*)$"
    ),
    signs=SIGNS,
    corrections=CORRECTIONS,
    loose=words(
        r"^(?:it|its|this|that|these|those|they|them|he|she|there|here|both|either|same|and|or|because|which|then|one|ones|also|like|i'll|let me|thanks)\b(?!(?:'s)? (?:repo|project|codebase|team))"
        r"|\b(?:use|using|do|does|run|put|keep|like|make|want|avoid|see|say|change|fix|try|prefer|rename|remove|delete|add|leave|go with|did|push|commit|move|call|read|give|show|send|ask) (?:it|this|that|them|these|those)(?:\s*(?:$|[.,;!)])|"
        r" (?:in|to|there|like|as|here|again|instead|now|up|down|out|back|for|alone|all|way|one|too|and|please|first|with)\b)"
        r"|\b(?:the (?:above|latter|former|following|other one|second one|first one)|option [a-d1-9]|as (?:above|before|discussed)|like (?:this|that|so|before)|the same way)\b"
    ),
    chosen=words(
        r"^(?:(?:ok(?:ay)?|yes|yeah|then|so|alright|right)[,.]? )*(?:let's|lets|let us|we'll|we will|we're going to|we are going to|i'll|i will|i'd|going) (?:just )?(?:go(?:ing)? (?:with|for)|use|stick with|stay (?:with|on)|keep|switch to|pick|choose|adopt|drop|move to|migrate to|settle on|store|standardi[sz]e on|support|target|build on)\b"
        r"|^(?:go|going) with\b|^(?:we|i)(?:'ve| have)? (?:decided|chose|chosen|picked|agreed|settled|opted|went with)\b|\bdecision(?: is)?:|^(?:final )?decision\b|\bi(?:'ve| have)? decided\b|\bwe(?:'ve| have)? (?:decided|agreed)\b|^(?:switch|migrate) to\b|^we(?:'re| are) (?:switching|moving|migrating|dropping|replacing|standardi[sz]ing|adopting|sticking|consolidating)\b|^agreed[,.:;]? .{6,}|^pin .{2,40} (?:to|at)\b|^(?:please )?(?:make (?!.*\bbecause\b)|set |limit |cap |keep |raise |lower |reduce |increase |default |return |store |leave |split |drop |skip |include |exclude |support |allow |round |treat ).{4,90}?\b(?:because|so that|otherwise|(?:legal|security|compliance|finance|marketing|ops|the (?:client|customer|team|boss|cto)) (?:insists?|requires?|wants?|needs?))\b|^(?!what|how|why|where|who|that|so|because|as|like|there|here).{3,120} it is[\s.!]*$"
    ),
    agrees=words(
        r"^(?:(?:yes|yep|yeah|yup|ok(?:ay)?|sure|great|perfect|good|nice|cool|fine|right|alright|love it|i like (?:it|that)|fair (?:point|enough)|good point|true|you're right|makes sense|ok cool|sounds? (?:good|great|fine|reasonable|right|like a plan)|(?:that )?makes sense|looks good|thanks|please)[\s,.!:—–-]+)*"
        r"(?:(?P<weak>(?:yes|yep|yeah|yup|yea|ye|yess+|aye|y|ok(?:ay)?|k|sure|sounds (?:good|great|fine|reasonable|right)|(?:that )?makes sense|good idea|please do|please|absolutely|definitely|of course|fine(?: by me)?|works for me|lgtm|looks good(?: to me)?|agreed|\+1)\b)"
        r"|(?:do (?:that|it|so|this)|go (?:ahead|for it)|(?:please )?proceed|as you (?:suggest|propose|say|recommend)\w*|let's do (?:that|it|this)(?: your way| that way)?|that works|works for me|sgtm|(?:i )?agree(?:d)?(?: with (?:that|you|your \w+))?|approved?|good (?:idea|plan|call|point)|make it so|sounds like a plan|(?:the |your |that )?plan (?:is |looks |sounds )?(?:approved|good|great|fine|ok)|do it (?:that way|your way|like that)|(?:go with|i like|use|take) (?:that|your (?:plan|proposal|suggestion|recommendation|idea|approach)))(?: (?:way|one|plan|approach|then))?\b)"
        r"(?=[\s.!,;:—–-]*(?:$|(?:but|except|because|since|as|so|and|with|only|just|also)\b|go ahead|do (?:it|that|so)|please|thanks|then|skip|drop|leave|make|use|keep|let's|sounds|makes|implement|build|start|we|i'd))"
    ),
    proposes=words(
        r"\b(?:i(?:'d| would)? (?:suggest|propose|recommend|advise)(?: that (?:we|you)| we| you| to)?|my (?:suggestion|recommendation|proposal|preference)(?: is(?: to)?| would be(?: to)?|:)|i plan to|(?:proposal|suggestion|proposed (?:fix|solution|approach|change)|recommendation)(?: is(?: to)?)?:|the (?:best|simplest|cleanest|safest|easiest|proper|right|better|quickest) (?:option|approach|fix|way|solution|move)(?: here)? (?:is|would be)(?: to)?|i(?:'d| would) (?:go with|go for|use|take|pick|keep|put|move|split|replace|switch to|do)(?= )|we (?:could|should|can)(?= )|a (?:better|cleaner|simpler|good) (?:option|approach|way|solution) (?:is|would be)(?: to)?)\s+"
    ),
    decided=words(
        r"\b(?:we|i)(?:'ve| have)? (?:decided (?:to|on|against|that)|chose|chosen|opted (?:for|to)|settled on|agreed (?:on|to)|went with|picked|selected)\b|^(?:chose|decided|opted|picked|went with|selected|settled on)\b|\b(?:final )?decision:"
        r"|\bwe(?:'ll| will|'re going to) (?:use|go with|adopt|keep|stick with|store)\b.{3,}\b(?:because|since|so that|so it|as it|as they|due to|to avoid|which)\b"
        r"|\bi(?:'ll|'ve| have|'m going to)? ?(?:go with|went with|going with|chose) .{3,}\b(?:because|since|so that|as it|as they|due to|to avoid)\b|\bi(?:'ll|'ve| have)? ?(?:use|used|keep|kept|implemented|made|stored|put)\b.{3,}\b(?:instead of|rather than|over)\b.{3,}\b(?:because|since|so that|as it|as they|due to|to avoid)\b"
        r"|^i(?:'ve| have)? (?:also |deliberately |intentionally )?(?:kept|left|made|stored|put|dropped|used|avoided|named|pinned|modell?ed|skipped|split) .{3,}\b(?:because|since|so that|as it|as they|as the|due to|to avoid|for consistency)\b|\b(?:was|were|is) chosen\b.{0,80}\b(?:because|since|over|for)\b|^(?:using|use) .{2,60}\b(?:instead of|rather than|over)\b.{2,60}\b(?:because|since|so that|as it|due to|to avoid)\b"
    ),
    chatter=words(
        r"^(?:let me|i'll now|i will now|now (?:i'll|let me|let's)|first,? (?:i'll|let me|let's)|next,? i'll|i'm going to|great question|good (?:question|catch|point)|you're (?:absolutely )?right|sure|certainly|of course|happy to|i'd be happy|looking at|let's (?:see|look|check|start|take|first|run|try|find|explore|examine|begin|verify)"
        r"|i(?:'ll| will) (?:start|begin|look|check|read|search|run|take|now|first|go|examine|explore|use (?:the )?(?:grep|glob|read|bash|search|task|todo)))\b"
        r"|\b(?:would you like|do you want|shall i|should i|let me know|want me to|feel free|if you(?:'d)? (?:like|want|prefer)|happy to|i can also|i could also|hope (?:this|that) helps|anything else)\b"
    ),
    plain=(
        (
            words(
                r"^i(?:'d| would)?((?: really| much| strongly| generally| usually| personally| always| definitely)*) prefer\b"
            ),
            r"The user\1 prefers",
        ),
        (words(r"^i (really |generally |strongly )*(like|love|hate|dislike|want)\b"), r"The user \2s"),
        (words(r"^i (?:don't|do not) (?:really )?(like|want)\b"), r"The user does not \1"),
        (words(r"^i (?:can't|cannot) stand\b"), "The user cannot stand"),
        (
            words(
                r"^i (always|never|usually|normally|typically|generally|mostly|only) (use|work|write|run|commit|squash|rebase|prefer|code|develop|deploy|test|want|read|keep|format|name|merge|review)\b"
            ),
            r"The user \1 \2s",
        ),
        (words(r"^i use\b"), "The user uses"),
        (words(r"^i(?:'m| am)\b"), "The user is"),
        (words(r"^(?:please )?call me\b"), "Call the user"),
        (words(r"^my\b"), "The user's"),
        (
            words(
                r"^(?:please |just |make sure (?:to |that |you )*|be sure to |ensure (?:that )?you |i (?:want|need|expect) you to |you (?:should|must|need to|have to) (?=always|never))+"
            ),
            "",
        ),
        (words(r"^(?:" + LATER + r")\b[\s,:—–-]*(?:please )?"), ""),
        (
            words(
                r"^(?:let's|lets|let us|we'll|we will|we're going to|we are going to|i'll|i will|i'd)(?: just)? (?=go with|go for|use|stick|stay|keep|switch|pick|choose|adopt|drop|move|migrate|settle|store|standard|support|target|build)"
            ),
            "",
        ),
        (
            words(
                r"^(?:so |and )?(?:we|i)(?:'ve| have)? (?:decided|agreed|opted) (?:that )?(?:to|we will|we'll) "
            ),
            "",
        ),
        (
            words(
                r"^(?:we|i)(?:'ve| have)? (?=decided|chose|opted|picked|went|settled|agreed|selected|kept|used)"
            ),
            "",
        ),
        (words(r"^agreed[,.:;]? (?:that )?(?=.{6})"), ""),
        (
            words(r"^(?!so be|that|what|how)(.{2,80}?) it is(?:[\s.!]*$|(?=,? (?:then|because|since)))"),
            r"Chose \1",
        ),
        (words(r"^(?:final )?decision(?: is)?\s*[:—–-]+\s*"), ""),
        (words(r"^lesson learned\s*[:,—–-]+\s*"), ""),
        (words(r"^(?:it )?turns out (?:that )?"), ""),
        (
            words(
                r"^(?:todo|to do|follow-?up|next(?: steps?| up)?|remaining|left|open|later)(?: for (?:\w+ ){0,2}\w+)?\s*[:—–-]+\s*"
            ),
            "",
        ),
        (words(r"^(?:still|we still|i still|you still) (?:need|have) to "), ""),
        (words(r"^(?:we|i|you) (?:need|have) to "), ""),
        (
            words(
                r"^(?:i(?:'ve| have)?|we(?:'ve| have)?)(?: now| also| just| successfully)* (?=(?!need\b|feed\b)[a-z]+ed\b|(?:rebuilt|kept|sent|left|spent|lost|got|dealt)\b|built|wrote|made|rewrote|set up|split|cut|put|ran|brought|found|broke)"
            ),
            "",
        ),
        (words(r"^(?:all )?done[.!:—–,-]+\s*"), ""),
    ),
    todo=words(
        r"^(?:todo|to do|to-do|follow-?ups?|next(?: steps?| up)?|remaining|left to do|still open|open)(?: for (?:\w+ ){0,2}\w+)?\s*[:—–-]+|\b(?:(?:someone|somebody|ops|whoever|the team)(?: (?!would|could|might|may|only)\w+){0,4} (?:needs?|will need|has|will have) to\b|you(?:'ll| will| still| also)+ (?:need|have) to\b|still (?:need|needs|ha(?:ve|s) (?:to|no)|unsupported|unhandled|untested|undocumented|unresolved|manual|missing|open|to do|pending|outstanding|left)\b|(?:remains|remain|remaining) (?:to (?:be |do\b)|open|undone|todo|for (?:later|tomorrow|next))|left to do\b|can wait\b|(?:is|are) not part of (?:this|the)\b|needs? (?:an? )?(?:update|updating|follow-?up|clean-?up|documenting|migrating|migration|a decision|to be \w+(?:ed|t|n))\b|should be \w+(?:ed|t|n) (?:once|when|as soon as|after)\b|(?:postpone|defer|park|backlog)\b(?= \w)|(?:put|add) .{2,60} (?:on|to) the (?:backlog|list|todo list)|(?:open|create|file|make|write) (?:a |an )?(?:ticket|issue|jira|follow-?up) (?:for|to)\b|not (?:yet )?(?:done|implemented|finished|covered|wired|tested|migrated) yet|"
        r"(?:is|are|was|were) not (?:yet )?(?:implemented|finished|wired up|covered|migrated|hooked up|done)\b|(?:haven't|hasn't|have not|has not) (?:yet )?(?:been )?(?:\w+ed|done|got|had|written|run|set up)\b.{0,60}(?:\byet\b)?|"
        r"(?:don't forget|remind me|remember) to\b|next time,? we (?:need|have|should)|(?:we|i)(?:'ll| will)? (?:need|have) to .{3,80}\b(?:later|next|tomorrow|afterwards|next time|eventually|at some point|in a follow-?up)\b|(?:doesn't|does not|isn't|aren't|can't|cannot) .{2,60}\byet\b|\bi(?:'ll| will) .{3,80}\bmyself\b|(?:tomorrow|next week|later|next session|next time|on monday)[,:]? (?:we|i)(?:'ll| will| need| have| should| do| continue| tackle| can| want)\b|\b(?:we|i)(?:'ll| will) (?:handle|do|tackle|deal with|fix|add|revisit|schedule|address|come back to|pick up|sort out|write|test|clean up|migrate|finish|continue) .{1,90}?\b(?:when we|once|later|tomorrow|next (?:week|month|sprint|time|session)|soon|separately|afterwards)\b|\bi(?:'ll| will) (?:talk to|ask|check with|discuss|raise|ping|email|speak (?:to|with)) .{4,}|"
        r"(?:leave|leaving|left|do|tackle|fix|handle|save|pick) .{2,80}\b(?:for later|for tomorrow|for next time|later|tomorrow|next (?:week|sprint|month|time)|on monday|in a follow-?up|(?:for|in) (?:another|a separate|a later|a different|its own|the next) (?:pr|mr|day|session|commit|ticket|change|sprint|release))\b)"
    ),
    todo_head=words(
        r"^(?:what(?:'s| is) )?(?:still )?(?:remaining(?: (?:work|items|tasks|steps))?|to-?dos?|to do|open(?: (?:items|points|questions|issues|tasks|work))?[:\s]*$|deferred|out of scope|not in (?:scope|this pr)|future work|left for later|for later|pending(?: tasks| items)?|left(?: to do)?|not (?:yet )?done|outstanding|follow-?ups?|next steps?|next(?: up)?|unfinished|known issues|what's left|still (?:to do|open|missing))\b(?!.{40})"
    ),
    done=words(
        r"^(?:i(?:'ve| have)?|we(?:'ve| have)?)?\s*(?:now |also |just |successfully )*(?:added|fixed|implemented|updated|refactored|created|removed|deleted|migrated|renamed|moved|replaced|wrote|rewrote|converted|extracted|introduced|upgraded|bumped|configured|set up|wired|built|integrated|cleaned up|optimi[sz]ed"
        r"|changed|switched|split|merged|documented|enabled|disabled|resolved|corrected|improved|reduced|deployed|released|published|installed|registered|simplified|hardened|secured|cached|paginated|handled|covered|tested|verified|reverted|dropped|made|ported|generated|moved|unified|deduplicated|tightened|exposed|hooked up|patched|restored|addressed|pinned|trained|retrained|rewritten|saved|applied|adjusted|reworked|shortened|downgraded|merged|rebased|squashed|pulled|cut|parametri[sz]ed|vendored|batched|memoi[sz]ed|throttled|debounced|inlined|indexed|normali[sz]ed|annotated|typed|dockeri[sz]ed|automated|scheduled|rotated|provisioned|seeded|backfilled|wrapped|guarded|validated|sanitized|localized|translated|styled|restyled)\b:? (?!by\b|by:)"
        r"|\b(?:is|are) (?:now |all |both )*(?:fixed|implemented|done|complete|finished|in place|working|deployed|live|migrated|merged|released|gone|addressed|resolved|set up|wired up)\b|(?<!can )(?<!should )(?<!could )(?<!right )\bnow (?:(?!needs?\b|lets?\b|is\b|was\b|has\b|this\b)[a-z]{2,}s|use|come|live|run|read|write|return|share|log|have|support|go|take|handle|pass|retry|fail|work|show|store|load)\b|\b(?:is|are) now [\w-]+(?:ed|built|kept|sent|run|shown|split|set|written|read)\b|\b(?:has|have) been [\w-]+(?:ed|built|sent|split|set|written|rewritten)\b|\b(?:dropped|went|down|reduced|improved) from .{1,30} to\b|\b(?:takes?|took|needs?|runs? in|finishes in|loads? in|drops? to) .{2,40}\b(?:instead of|down from|rather than)\b"
    ),
    done_head=words(
        r"^(?:summary|what (?:i|was) (?:did|done|changed)|changes(?: made)?|done|completed|what changed|implemented|fixed|results?|key changes)\b(?!.{40})"
    ),
    cause=words(
        r"\b(?:root cause|the (?:real |actual |underlying )?(?:problem|issue|bug|cause|culprit|reason|failure)(?: here)? (?:was|is)(?: that)?|(?:was|were|is) caused by|happened because|failed because|fails because|(?:it )?turns out|turned out|the (?:fix|solution|workaround) (?:is|was) to|fixed by|(?:fixes|solves|resolves|cures|should fix) (?:that|it|this|the (?:problem|issue|error|build|test))|was failing because|were failing because|broke because|breaks because|crashed because|crashes because)\b"
    ),
    denied=words(
        r"\b(?:not|instead of|rather than|no longer|drop(?:ping)?|scrap(?:ping)?|stop using|don't use|do not use|never use|away from|over|replace|forget(?: about)?|ditch|get rid of|without) (?:use |using |the )?[`\"']?([A-Za-z][\w.+#-]{1,30})"
    ),
    thanks=words(
        r"\b(?:thanks|thank you|thx|perfect|great|awesome|excellent|lgtm|works(?: now| great| perfectly| fine| well)?|working now|nice|looks good|well done|good job|ship it|love it|brilliant|amazing|all good|that did it|that fixed it|fixed it|solved|cheers|finally|danke|super|merci|gracias|grazie|tysm|ty|tks|sweet|yay|beautiful|neat|good stuff|much better|better|wonderful|fantastic|approved)\b"
    ),
    fails=words(
        r"\b(?:still (?:not|broken|fails?|failing|doesn't|does not|the same|getting|crash\w*|errors?|wrong|see|seeing|happening|isn't|can't|a problem)|doesn't work|does not work|didn't work|did not work|not working|isn't working|same (?:error|problem|issue|result)|it (?:fails|failed|crashes|broke|breaks)|no luck|that's (?:not it|wrong|worse)|not fixed"
        r"|made it worse|this is wrong|nothing (?:changed|works)|give up|giving up|forget it|revert (?:it|everything|all|that)|you broke|(?:not|isn't|wasn't|nothing|hardly|far from) (?:great|perfect|good|fixed|solved|working|awesome|nice|excellent))\b"
    ),
    gave_up=words(
        r"\b(?:i (?:could not|couldn't|was unable to|am unable to|can't|cannot|wasn't able to|failed to)|unable to (?:fix|resolve|complete|finish|reproduce)|not able to|(?:tests?|build) (?:still )?fails?\b|still failing|blocked (?:by|on)|did not succeed|out of (?:time|scope)|not (?:yet )?(?:fully )?(?:complete|finished|resolved))\b"
    ),
    request=words(
        r"^(?:(?:wtf|ffs|omg|jesus|damn|argh|ugh|fuck|shit|um+|uh+|basically|like|well|real quick|quick one|quick question|listen|look|hi+|hello|hey|yo|morning|evening|hmm+|um+|uh|right|cool|nice|perfect|awesome|ok(?:ay)?|so|please|pls|now|next|then|also|and|alright|great|good morning|thanks|claude|codex)(?: there| claude| codex| team)?[\s,.!:—–-]+)*(?:(?:can|could|would|will) (?:you|we|u|ya|i get you to|you guys)(?: please|(?: pls)|(?: just)|(?: maybe)| help me(?: to)?| kindly| also)* |(?:i|we)(?:'d like| would like| want| need)(?: you| us)?(?: to)?(?: have)? (?!help with\b)|(?:please )?help me (?:to |with )?(?:my )?"
        r"|(?:i|we) (?:need|want) (?:your )?help (?:with|to) |let's |lets |please |your task is to |(?:so )?what (?:i|we) (?:want|need|would like)(?: you)?(?: to (?:do|have))? is(?: for you)?(?: to)?(?: um| uh| basically| like)* |i want you (?:to )?|my (?:task|goal) (?:is|today is) (?:to )?|(?:the )?(?:task|goal|objective|ticket)\s*: |i am trying to |i'm trying to |we're trying to |go ahead and |the task is to |time to )*"
    ),
    moved=words(
        r"^(?:(?:ok(?:ay)?|great|thanks|thank you|perfect|nice|good|cool|alright|done)[\s,.!]+)*(?:now (?:let's|lets|can|could|i|we|please|for|the|on)\b|next(?: task| up| thing)?[,:]|last (?:one|thing)(?: for today)?[,:]|(?:new (?:task|topic|question)|another (?:thing|task|topic|issue)|different (?:topic|question|thing)|moving on|switching (?:gears|topics?)|let's move on|unrelated)\b)"
    ),
    empty=words(
        r"^\W*(?:hi|hello|hey|yo|test|testing|ping|continue|go on|go ahead|proceed|yes|no|ok(?:ay)?|y|n|sure|thanks|thank you|good (?:morning|evening|afternoon)|are you there|what can you do|who are you|how are you|resume|start|do it|again|try again|retry|next|done|stop|wait|help|what's up|nice|great|perfect|cool|keep going|carry on|let's go|let's start)(?: there| claude| codex| again| please| everyone)?\W*$"
    ),
    categories=(
        (
            "Communication",
            words(
                r"\b(?:answers?|repl(?:y|ies)|respon(?:d|ses?)|explain\w*|explanations?|emojis?|concise|summar(?:y|ies)|speak|talk|apologi[sz]e|call the user|in (?:english|chinese|german|french|spanish|japanese))\b"
            ),
        ),
        (
            "Commits",
            words(
                r"\b(?:commits?|committing|committed|branch(?:es)?|prs?|pull requests?|merge|rebase|squash|push(?:ing)?|git|tags?|changelog|master|main branch)\b"
            ),
        ),
        (
            "Testing",
            words(
                r"\b(?:tests?|testing|pytest|jest|vitest|mock(?:s|ing)?|fixtures?|coverage|e2e|playwright|cypress|snapshots?|assertions?)\b"
            ),
        ),
        (
            "Naming",
            words(
                r"\b(?:names?|named|naming|prefix(?:ed)?|suffix(?:ed)?|snake_case|camelcase|kebab-case|pascalcase|call (?:them|it))\b"
            ),
        ),
        (
            "Dependencies",
            words(
                r"\b(?:npm|pnpm|yarn|bun|pip|uv|poetry|cargo|dependenc(?:y|ies)|packages?|package manager|librar(?:y|ies)|install|pin|lockfile)\b"
            ),
        ),
        (
            "Database",
            words(
                r"\b(?:database|db|sql|migrations?|tables?|columns?|schema|quer(?:y|ies)|postgres\w*|mysql|sqlite|mongo\w*|orm|index(?:es)?|prisma|alembic)\b"
            ),
        ),
        (
            "Deployment",
            words(
                r"\b(?:deploy\w*|release\w*|staging|production|prod|docker\w*|kubernetes|k8s|helm|ci|pipeline|terraform|rollback|ports?|hosts?|servers?)\b"
            ),
        ),
        (
            "Security",
            words(
                r"\b(?:secrets?|tokens?|passwords?|credentials?|auth\w*|security|encrypt\w*|sanitize|permissions?|secure)\b"
            ),
        ),
        ("API", words(r"\b(?:api|endpoints?|rest|graphql|grpc|routes?|responses?|requests?|http|url)\b")),
        ("Documentation", words(r"\b(?:docs?|documentation|readme|docstrings?|comments?|jsdoc)\b")),
        ("Coding", words("")),
    ),
)
"""Made for software projects and the people who work on them."""
