"""What trouble looks like from outside, in English: what people saw, what a thing did instead, what it needed."""

from __future__ import annotations

from memtui.evolution.hearing.sign import (
    CORRECTION,
    DEPENDENCY,
    ENVIRONMENT,
    ERROR,
    GAP,
    PERFORMANCE,
    RECURRING,
    SECURITY,
    Sign,
    sign,
)

_MANY = r"(?:\d[\d.,]*|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|sixty|ninety|several|many)"
_PEOPLE = r"(?:users|customers|editors|players|tenants|people|support|testers|drivers|nurses|doctors|teachers|accounting|sales|ops|qa|operators|patients|students|readers|viewers|staff|visitors|subscribers|guests|partners|buyers|sellers|browsers|clients|members|authors|agents|dispatchers|clerks|bookkeepers)"
_PERSON = r"(?:user|reviewer|client|customer|maintainer|tech lead|team lead|lead|product owner|boss|editor|designer|colleague|author)"
_MINE = r"(?:the |an? |our |my |this |that )?(?:we|i|you|they|he|she|user|team|customer|client|reviewer|maintainer|lead|boss|agent|claude|assistant|it was decided|decided|there)\b"
_KEY = r"(?:[\w.-]+ )?(?:keys?|tokens?|secrets?|passwords?|credentials?|\.env(?: file)?s?)"

NOTICED: tuple[Sign, ...] = (
    # Errors.
    sign(
        ERROR,
        "people came upon it",
        rf"\b{_PEOPLE}\b (?:\w+ )?(?:(?:could|can)(?: not|n't)|cannot|were unable|complain(?:s|ed)?|noticed|sent back|saw (?:\w+ ){{0,3}}(?:wrong|twice|stale|old|other)|warned|lost (?:their|all|the)|report(?:s|ed)? (?:\w+ ){{0,4}}(?:wrong|missing|out of sync|lost|twice|blank|broken|error|crash|empty|slow|fail|problem|not))",
        whole=True,
    ),
    sign(
        ERROR,
        "something did not do what it should",
        rf"^(?:once more |again,? |still,? |sometimes |today |now )?(?!{_MINE})(?:[\w'’/.-]+ )(?:[\w'’/.-]+ ){{0,5}}?(?:(?:did|does|would|could|do)(?: not|n't)|had not(?: been)?|was not|were not|wasn't|weren't) (?!needed|necessary|required|used|touched|changed|part|planned|included|possible (?:for|to) me|meant|allowed|asked|wanted|chosen|affected|kept|logged|shown to|require|need|have to|include|depend|change|touch|matter|contain|use|store|keep|affect|exceed|care|count|block|allow|leak|lose)\w+|^(?!{_MINE})(?:[\w'’/.-]+ ){{1,6}}?(?:lets? go|slip(?:s|ped|ping)|fell|falls off|leaves? \w+ out|skips? (?!to\b|the (?:tests|build|ci))\w+|misses (?:fresh|the|some|new|every|a)|stops at|stopped at|stopped in the middle|keeps? (?!\w+ (?:in|for|on)\b)\w+ing|never (?:switched|turned|came|arrived|reached|finished|started|got|ended|stopped)|bricked|looped|diverged|drift(?:s|ed)|jumped|flooded|overshot|overheated|deadlocked|double[ds]|disagree[ds]?)\b",
        whole=True,
    ),
    sign(
        ERROR,
        "it is not as it should be",
        r"\bout of sync\b(?! with (?:package|the lock))|\bdrift(?:s|ed)? apart\b|\b(?:was|were|is|are|be) (?:a |one |\d+ |some )?(?:cents?|pixels?|px|seconds?|hours?|days?|rows?|degrees|percent|%|mm|ms) (?:too|off|short|late|early|behind|ahead)\b|\b\w+s too (?:early|late|high|low|often|far|soon|big|small|loud|dark|wide|narrow)\b|\b(?:was|were|is|are|came|comes|fired?|sent|arrived?) too (?:early|late|high|low|often|big|small|loud|dark|wide|narrow|many|few)\b|\b(?:differs?|differed|deviates?) (?:from|by)\b|\bend(?:s|ed)? up (?:with|in|as|on) (?:\w+ ){0,3}(?:wrong|behind|twice|empty|negative|zero|nan|other|off|duplicat\w+)\b|\b(?:shows?|showed|shown|prints?|printed|returns?|returned|sends?|sent|gives?|gave|reports?|reported|displays?|displayed|charges?|charged|books?|booked|opens?|opened) [^.;,]{1,40}? instead of\b|\breported -\d|\b(?:missing|absent|gone|lost) (?:from|in) (?:the |our |some |search |their )|\bmissing (?:after|since|again)\b|\bunrelated (?:documents|results|rows|records)\b|\bdid not know\b|\bleft (?:\w+ ){0,2}out of\b|\ba (?:wrong|bad|broken|corrupt) [a-z]\w+|\b(?:cent|rounding) (?:differences?|errors?)\b|\bdoes not add up\b|\bin the wrong (?!hands)\w+|\btoo (?:early|late) whenever\b|\bcut off\b",
        whole=True,
    ),
    sign(
        ERROR,
        "something was wrong by its name",
        r"^(?!.*\b(?:is|are|was|were|will|can|gets?|falls?|turns?|goe?s?|shows?|have|has|become|stays?|count|mean|trigger)\b)(?:fix |fixed |fixing |still )?(?:wrong|incorrect|broken|duplicated?|garbled|corrupt(?:ed)?|blank|failing|flickering) (?!way|answer|tests? for|links? (?:check|report))[\w/-]+(?: [\w/-]+){0,6}\.?$|\b(?:had|has|have|with|because of|wrong|to) (?:an? |the )?wrong [a-z][\w-]+\b|\b[\w-]+ drift\b(?! (?:detect|check|report|monitor|alert))|^(?:[\w-]+ ){1,4}(?:opens?|closes?|fires?|ends?|starts?|stops?|arrives?) too (?:early|late)\.?$",
    ),
    # Corrections.
    sign(
        CORRECTION,
        "somebody put the agent right",
        rf"\b{_PERSON} (?:meant|clarified that|told me (?:that|to|not|again|twice)|had to tell|has to tell|told us|found (?:two|three|more|another|mistakes?|errors?))\b|\b{_PERSON} complain(?:s|ed)?\b|\b{_PERSON} (?:was|is) (?:very |quite )?(?:clear|strict|firm|annoyed|angry|upset|cross)\b|\b(?:told|reminded|asked) (?:again|twice|once more) (?:to|not|that)\b|\bhad to (?:tell|remind|correct|stop) me\b|\bafter (?-i:[A-Z][a-z]+) (?:rejected|objected|complained|corrected|vetoed|insisted|pointed out)\b|\b{_PERSON} (?:has |had )?(?:said|asked for|told me) (?:so|this|that|it)? ?(?:before|already|twice|again)\b|\b{_PERSON} rejected\b|\bi (?:took|mistook) [^.;]{{2,40}}? for\b|\bi (?:deleted|changed|edited|used|took|picked|touched) the wrong\b|\b{_PERSON} (?:had )?(?:wanted|preferred) (?:the )?[\w -]{{2,30}}\bnot\b",
        whole=True,
    ),
    # What it could not do.
    sign(
        GAP,
        "somebody else had to do it",
        r"\b(?:unreadable|unreachable|inaccessible|invisible|closed|locked) (?:for|to) me\b|\bi (?:have|had) no (?:means|way|possibility|chance|option) (?:of|to)\b|\b(?:i|we) (?:have|had) no (?!idea|doubt|objection|preference|opinion|problem|issue|trouble|questions?|further|more|choice|plans?)\w+|\bno way for (?:me|us)\b|^there (?:is|was) no [\w-]+ here\b|, there (?:is|was) no [\w-]+ (?:here|on this|in this)\b|\bsomebody (?:must|has to|should) (?:print|test|check|try|verify|look|listen|measure)\b|\b(?:has|have|had|needs?) to be (?:read|checked|verified|done|tested|entered|typed|looked at|confirmed|listened to) by (?:a (?:person|human)|somebody|someone|the user|hand)\b|\basked the user to (?:print|scan|type|paste|export|send|describe|dictate|upload|read|listen|look|try|test|check|verify|click|take|photograph|measure|log|open|run|confirm|do)\b(?! (?:the )?(?:in|out) for)|\b(?:the )?user (?:typed|pasted|dictated|described|read out|exported|uploaded|copied|sent me|measured|photographed)\b[^.;]{0,40}?\b(?:instead|as i|because i|for me|in by hand|out loud|since i)\b|\b(?-i:[A-Z][\w-]+) (?:is|was)(?:n't| not) available\b(?! (?:in|on|for) (?:stores|customers|users))|^no (?:licen[cs]e|account|credentials|permission|key|login|tool|ocr|microphone|camera|display|internet)\b(?: (?:for|to|here|at)\b)|\b(?:guessed|estimated|skipped|left out|left aside)\b[^.;]{0,50}?\b(?:since|because|as|unable|no way|without)\b[^.;]{0,20}?\b(?:i|unable|no|access|open|read|see)\b|\bno (?:ocr|vision|audio|display|internet|microphone|camera|gpu|screen|desktop|browser) (?:here|on this|in this|available|at hand)\b|\bso that i can (?:read|see|open|test|hear|access)\b",
        whole=True,
    ),
    # The same again.
    sign(
        RECURRING,
        "it comes and goes",
        r"\bcomes and goes\b|\bevery (?:other|second|third) (?:time|run|day|build|try|night|week)\b|\bhappened again\b|\bon and off\b|\btime and again\b|\b(?:third|fourth|fifth|sixth) (?:[\w-]+ ){0,3}(?:failure|outage|crash|time|incident|report)\b|\bevery (?:restore|deploy|restart|release|update|monday|night|morning|weekend|reboot|merge)\b",
        firm=False,
        whole=True,
    ),
    # What it runs on.
    sign(
        ENVIRONMENT,
        "it was not up, or not its own",
        r"\bwrong owner\b|\bbelong(?:s|ed)? to root\b|\bno (?:write|read) access\b(?! (?:for|is))|\bmounted read-only\b|\b(?:could|can)(?: not|n't) write to (?:its|the|their|/)|\b(?:fix|fixed|restore|repair|correct)\w* (?:the )?(?:ownership|permissions|owner)\b|\bch(?:own|mod) on\b|\b(?:volume|file|directory|folder|socket|share|mount) permissions\b(?! (?:model|table|page|are (?:documented|checked)))|\bpermissions (?:break|broke|got lost|are wrong|were wrong)\b|\bnothing (?:listen(?:s|ed)|was listening|answers|answered) (?:on|at)\b|\bno (?:kafka )?(?:brokers?|database|redis|server|queue|daemon)s? (?:available|on|was|running|at|there|up)\b|\bhad no (?:broker|database|server|redis|network|daemon)\b|\b(?-i:[A-Z][a-z]\w+) (?:was|is|were)(?:n't| not) (?:up|running|started|reachable|there)\b|\bneeds? a running\b|\b(?:container|daemon|service|broker|emulator|agent|runner) (?:had |has )?(?:exited|stopped|gone away|died|vanished)\b|\bforgot to start\b|\b(?:started|start|restart) (?-i:[A-Z]\w+) (?:first|by hand|before|automatically)\b|\b(?:tests?|suite|migrations?|worker) without (?-i:[A-Z][a-z]\w+)\b|\b(?:certificate|licen[cs]e|token|domain|subscription) (?:had |has |was )?(?:run out|expired|lapsed|not (?:been )?renewed)\b|\bon the (?:build|ci|old|test|staging) (?:box|machine|host|server|agent) (?:was|is) too\b|\b(?:shared drive|share|nas|usb stick|sd card|partition|bucket) (?:was|is|got|ran) full\b|\b(?:build box|runner|machine|host|server|box) (?:was|is) (?:too old|out of date|gone|offline|down)\b|\bstarted? without [A-Z]\w+\b",
        whole=True,
    ),
    # What it is built from.
    sign(
        DEPENDENCY,
        "versions that exclude each other",
        r"\b(?:different|two|several|incompatible|compatible|matching|suitable) (?:[\w/.-]+ )?versions?\b(?! of the (?:text|file|document|page|logo|design))[^.;]{0,24}?(?=$|[.;,]|for|of|at once)(?<!supports two versions)|\bexclude each other\b|\bversions? (?:[\w./-]+ ){0,6}clash\w*\b|\b(?:version|classpath|jar|dependency) clash\b|\b(?:pulls?|pulled|brings?|brought|drags?|dragged) in (?:an? |the )?(?:(?:old|older|wrong|other|second|different) )?(?-i:[A-Za-z@][\w@/.-]*) v?\d|\b(?:forced|excluded|pinned|overrode|overridden) (?:the )?(?:old |older )?(?-i:[A-Za-z@][\w@/.-]*)\b[^.;]{0,20}, (?:the )?[\w -]{2,20} (?:wants|needs|requires|pulls|brings)\b|\bexcluded the old\b|\bfits? both\b|\b(?:because|since|as) (?:it|the [\w -]{2,20}|[\w@/.-]+) (?:pins|requires|needs|wants|supports only|only supports) (?-i:[A-Za-z@][\w@/.-]*)|\bdowngraded\b[^.;]{0,50}?\b(?:because|since|as|due|until|for)\b|\b(?:stay|stick|remain|stuck|stayed|frozen|held) (?:on|at|with|back) (?-i:[A-Za-z@][\w@/.-]*) v?\d[\w.]*[^.;]{0,10}\buntil\b|\bnot compiled with\b|\b(?:wheel|wheels|package|binary|build|image)s?\b[^.;,]{0,30}?\b(?:does not|do not|did not|doesn't|don't) (?:match|fit|support)\b|\b(?:newer|older|new|latest) (?:wheels?|versions?|releases?|packages?) (?:needs?|requires?|wants?|drops?|dropped|breaks?)\b|\binstalled without\b|\b(?:does not|do not|doesn't|don't|did not) (?:match|fit|go with|work with|support) (?:our |the |its )?(?-i:[A-Z][\w.]*)(?: v?\d[\w.]*)?(?=$|[.;,]| on| in| at)|\bcould not find compatible\b|\b(?:could|can)(?: not|n't) (?:be )?resolved?\b(?! (?:the |a |this |our )?(?:issue|bug|problem|ticket|conflict|host|name))|\bpod install\b[^.;]{0,40}?\b(?:cannot|broke|fail\w*|could)|\bversion conflicts?\b|\b(?:breaks|broke) our (?:modules?|build|code|imports?|types?|config)\b|\bafter (?:the )?(?-i:[A-Z][\w.]*) (?:bump|upgrade|update)\b|\b(?-i:lib[a-z0-9]+) (?:was|is|were) missing\b|\bhad no wheel\b",
        whole=True,
    ),
    # Too slow.
    sign(
        PERFORMANCE,
        "people had to wait",
        rf"\b(?:needs?|needed|took|takes|taking|lasts?|lasted|runs? for|ran for|wait(?:s|ed|ing)?|waits? for|blocks?|blocked|hung|stays?|stayed|stalls?|stalled|spends?|spent)\b[^.;,]{{0,40}}?\b(?:{_MANY} ?(?:s|sec|secs|seconds|min|mins|minutes|h|hours)|minutes|hours)\b(?! (?:ago|ahead|later|before|of (?:video|audio|data|history))|[^.;]{{0,12}}\bfor review)|\b(?:takes?|took|taking) (?:so|too|very|way too|extremely|quite|forever|ages)(?: long)?\b|\bslow(?:s|ed)? down\b(?! (?:the (?:arm|motor|animation|rate|fan|video|pace|client))|on purpose)|\b{_MANY}(?:\.\d)? ?(?:s|secs?|seconds|min|minutes) (?:until|splash|delay|lag|to (?:open|load|start|render|answer|first))\b|\b(?:page|report|query|search|app|start|build|export|import|dashboard|list|job|sync|startup|load|request)s?: {_MANY} ?(?:s|min|minutes|seconds|h)\b|\b(?:bring|get|push|cut|reduce) [^.;]{{2,40}}? (?:below|under) (?:\d|a (?:second|minute))|\bscann?(?:ed|s) the whole (?:table|index|collection)\b|\bbefore and {_MANY} ?(?:s|min|ms|minutes|seconds|h) (?:now|after)\b|\bslow (?:at|in|for|on|with|when|since) ",
        firm=False,
    ),
    sign(
        PERFORMANCE,
        "the numbers got worse",
        r"\bfrom \d+(?:\.\d+)? ?(?:ms|s|secs?|seconds|min|minutes|mb|gb)?s? to \d+(?:\.\d+)? ?(?:ms|s|secs?|seconds|min|minutes|mb|gb)\b",
    ),
    # Open doors.
    sign(
        SECURITY,
        "somebody saw what was not theirs",
        rf"\b{_KEY} (?:is |was |are |were |still |had been |has been )*(?:in|inside|within|found in|pushed to|committed to|pasted into|hard-?coded in) (?:the |our |a |an |old |some |public |docker |git |commit )*(?:histor\w+|repo\w*|branch\w*|sources?|source code|code|frontend|bundle|image|wiki|chat|tickets?|screenshots?|client|apk|binary|config\.\w+)\b|\b(?:purge[d]?|remove[d]?|scrub\w*|move[d]?|took|take)\b[^.;]{{0,10}}?\b{_KEY} (?:out of|from) (?:the |our |old )*(?:git |commit )?(?:histor\w+|repo\w*|sources?|code|bundle|image|frontend)\b|\bpushed to (?:the |a )?public\b|\bhard-?coded\b[^.;]{{0,10}}?\b(?:key|token|secret|password)|\b{_KEY} hard-?coded\b|\b(?:other|another|foreign|wrong) (?:people|tenant|user|customer|compan|account|patient|client)(?:s|y|ies|'s|s')*\b[^.;]{{0,30}}?\b(?:documents?|data|invoices?|files?|orders?|records?|messages?|photos?|could|visible|opened|saw|see|read)\b|\b(?:documents?|data|invoices?|files?|orders?|records?|messages?|photos?) of (?:other|another|foreign|all) (?:tenants?|users?|customers?|people|companies|patients|accounts?)\b|\btenant \w saw\b|\b(?:passwords?|tokens?|links?|sessions?|keys?|codes?) (?:never expire[ds]?|did not expire|could be (?:used twice|reused|replayed|guessed)|(?:was|were|is|are) guessable)\b|\btake over (?:the |an? |any )?accounts?\b|\bbrute-?forc\w+\b(?! (?:protection|search|approach|solution))|\b(?:has|have|had) no rate[- ]limit\w*\b|\b(?:across|between) tenants\b|\b(?:does not|doesn't|did not|didn't|do not|never) (?:check|verify|validate)(?:s|ed)? (?:the |for |who |that )?(?:tenant|owner|ownership|signature|token|role|permission|session|origin|caller|user)\w*\b|\bby (?:changing|guessing|editing|counting up|incrementing) (?:the |an? |its )?(?:id|ids|url|number|slug|parameter|token|link)\b|\bany(?:one| user|body) (?:was|is|were) able to\b|\b(?:added|add) (?:the |a )?missing (?:ownership|permission|auth\w*|access|tenant|signature|role|csrf)\b|\bmissing (?:ownership|permission|auth\w*|access|tenant|signature|role) checks?\b|\b(?:closed|plugged) (?:the|a) (?:hole|leak|gap)\b|\bidor\b|\bcheck (?:the )?ownership (?:in|on|of|for)\b|\bexposed (?:[\w-]+ )?(?:key|token|secret|password)s?\b|\b(?:warned|alerted) (?:us )?(?:about|of) (?:an? )?(?:exposed|leaked)\b|\bsecret scann\w+ (?:report|found|flag|alert)\w*",
        whole=True,
    ),
)
