"""What trouble sounds like in English where nobody calls it so: what happened to things, how long it took, what was seen."""

from __future__ import annotations

from memtui.evolution.hearing.sign import (
    CORRECTION,
    DEPENDENCY,
    ENVIRONMENT,
    ERROR,
    GAP,
    PERFORMANCE,
    SECURITY,
    Sign,
    sign,
)

_RUNTIME = r"(?:node|java|jdk|jre|python|go|golang|ruby|php|xcode|rust|gradle|cuda|glibc|swift|kotlin|\.net|dotnet|openssl|cmake|gcc|clang)(?:\.js)?"
_UNIT = r"(?:ms|s|secs?|seconds|min|mins|minutes|h|hours)"
_NUMBER = r"(?:\d[\d.,]*|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|thirty|forty|several|many)"
_PERSON = r"(?:user|reviewer|client|customer|maintainer|tech lead|team lead|product owner|boss|editor)"
_UNDO = r"(?:revert(?:ed|ing|s)?|undid|undone|undo(?:ing)?|threw (?:away|out)|thrown (?:away|out)|roll(?:ed|ing)? back|restor(?:ed|ing)|replac(?:ed|ing)|put back|took out|taken out|remov(?:ed|ing)|backed out|discarded|rewrote|rewritten|redid|redone|renamed|switched)"
_VARIABLE = r"(?-i:\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b)"
_TOKENS = r"(?:(?:bearer|access|api|session|refresh|auth|jwt|csrf|live|full|raw|plain|plaintext|users?'?s?|customers?'?|private|secret) )*(?:tokens?|passwords?|secrets?|credentials|api keys?|private keys?|card numbers?|(?-i:PII)|personal data|authorization headers?|(?-i:IBAN)s?|social security numbers?)"

IMPLIED: tuple[Sign, ...] = (
    # Errors.
    sign(
        ERROR,
        "something went wrong with it",
        r"\bblows? up\b|\bfell over\b|\bfalls over\b|\btrip(?:s|ped) (?:over|on|up on)\b|\bstumbl(?:es|ed) (?:over|on)\b|\bhard[- ]?fault(?:s|ed|ing)?\b(?! handl)|\bhard ?fault_handler\b|\b(?:restarts?|restarted|restarting|reboots?|rebooted|rebooting) (?:in a loop|endlessly|at random|by itself|over and over|during|mid-\w+)|\bcrash ?-?loop\w*|\bexit(?:s|ed) (?:at once|immediately|right away|on start)\b|\b(?:went|turned|became|goes|turns) (?:to )?nan\b|\bbus-off\b|\b(?:disconnects?|disconnected)\b(?! (?:after|button|the|from the|when the (?:user|lid)|handl|on log))|\b(?:links?|references?|anchors?|entries) (?:went|go|goes|points?|pointed|refers?|lead|led) to (?:the wrong|\w+ that (?:is|are|was|were) not|nowhere|removed|dead|missing|the (?:chapter|page|one) (?:before|after))\b|\brefers? to (?:files|pages|things|\w+) that (?:are|is|were|was) not there\b|\bpoints? to the wrong\b|\b(?:was|is|were|are|got|being|been) left (?:behind|over|hanging|dangling)\b|\b(?:was|is|got|were) blocked by (?:a |an |the )?(?:stale|old|dead|leftover|orphaned|previous)\b|\bstale locks?\b|\breturn(?:s|ed) all zeros\b|\bproduced? an? (?:empty|corrupt|broken|invalid) |\bstopped (?:terraform|ansible|the (?:build|deploy\w*|release|pipeline|job|run|apply))\b|\bran forever\b|\bbacktracked forever\b|\bwas sealed\b|\bhad not run for\b|\b(?:still|is|are|was|were) (?:badly |completely |totally |still )?broken\b|\bbus error\b|\b(?:tests?|suites?|specs?|builds?|jobs?|pipelines?|checks?|deploys?) (?:stays?|remains?|kept being|keeps? being|is|was) (?:red|unstable)\b|\b(?:was|were|is|are|came back|comes back|comes up|came up|ended up|arrives?|arrived) (?:empty|blank|garbled|mangled|shifted|inverted|upside down|out of order|all zeros|corrupted|truncated|swapped|shuffled|duplicated)\b|\bcame out (?:wrong|garbled|empty|blank|black|upside down)\b|\bout of bounds\b|\bout of range\b|\bunbuildable\b|\b(?:took|takes|brought|brings) (?:the|our) [\w-]+ down\b|\bundefined control sequence\b|\b(?:not|n't) (?:show|draw|play|print|sav|send|receiv|deliver|pair|charg|connect|respond|scroll|pars)\w* (?:at all|any more|anymore|anything)\b",
        whole=True,
    ),
    sign(
        ERROR,
        "it was turned away or got lost",
        r"(?<!\buser )(?<!\breviewer )(?<!\bcustomer )(?<!\bclient )(?<!\bwe )(?<!\bi )(?<!\bthey )(?<!\blead )\brejected (?:the|our|every|all|half|valid|its|most|some|perfectly|rows?|requests?|uploads?|orders?)\b|\b(?:still|again|now|wrongly|silently|suddenly) (?:rejects|drops|loses|swallows|skips|ignores|refuses|breaks|dies|trips|crashes|chokes|hits)\b|\brejects (?:valid|every|all|half|correct|good|perfectly)\b|\b(?:half|most|many|all|some|every one|hundreds|thousands|dozens|\d+ ?%|\d+) (?:of )?(?:the |our |their |its )?(?:[\w-]+ ){1,3}(?:were|was|got|are|is) (?:silently )?(?:rejected|dropped|lost|skipped|swallowed|ignored|duplicated|missing|gone)\b|\b(?:is|are|was|were|get|gets|got) (?:silently |simply )?(?:lost|swallowed|mangled|garbled|scrambled|cut off|shifted)\b|\b(?:drops|loses|swallows|mangles|garbles|skips) (?:rows|records|messages|events|characters|lines|orders|items|frames|packets|samples|entries|emails|data|names|everything|all|the (?:last|first))\b|^(?:the |an? |our )?(?!(?:user|we|i|team|they)\b)[\w-]+(?: [\w-]+){0,3} (?:dropped|lost|swallowed|mangled|garbled|scrambled|truncated|evicted|doubled|duplicated|shifted|hid|ate|forgot|hallucinated|deleted the wrong|opened the wrong|sent the wrong|showed the wrong|flagged every|answered 4\d\d|collapsed|exploded|jumped by|drifted|arrived twice|crackled)\b",
        whole=True,
    ),
    # Corrections.
    sign(
        CORRECTION,
        "work was undone for somebody",
        rf"\b{_UNDO}\b[^.]{{0,90}}?\b(?:(?:because|as|since|after|when) (?:the )?{_PERSON} (?:had )?(?:asked|wanted|complained|objected|rejected|insisted|said|told|did not|didn't|disliked|disagreed|refused|pointed|preferred)\w*|(?:after|on|upon|at|following|due to) (?:the )?{_PERSON}(?:'s|s')? (?:request|objections?|review|complaints?|veto|insistence|feedback|remark|comment|correction)s?)\b|\b{_UNDO}\b[^.]{{0,60}}?, (?:the )?{_PERSON} (?:asked|wanted|complained|objected|insisted|said|told)\w*\b|\b(?:which|that|what) (?:the )?{_PERSON} (?:had )?(?:told|asked) (?:me|us)?\s?not\b",
        whole=True,
    ),
    sign(
        CORRECTION,
        "somebody was not content with the agent's work",
        rf"\b{_PERSON}\b[^.:]{{0,16}}?\b(?:does not|doesn't|did not|didn't|do not) (?:want|like|accept|agree)\b|\b{_PERSON} wants? no\b(?! (?:later|less|more|fewer))|\b{_PERSON}\b:? (?:stop \w+ing|no more\b|don't\b|do not\b|never\b|no,|wrong\b)|\b{_PERSON} (?:sent|handed|gave|turned) (?:it|them|the [\w -]{{2,24}}|this) back\b|\b{_PERSON} (?:was|is|were) (?:not|un|dis|n't) ?(?:happy|pleased|satisfied|amused|content)\w*\b|\b{_PERSON} (?:had to|has to|needed to) (?:repeat|remind|say|tell|ask|correct|stop|step in|insist|point)\b|\b{_PERSON} (?:stopped|interrupted|corrected|overruled|reprimanded|scolded) (?:me|us|it|the agent|claude)\b|\b{_PERSON} (?:asked|said|told|wrote|reminded|repeated)\b[^.]{{0,40}}?\b(?:a second time|twice|once more|again|already|repeatedly)\b|\bas (?:the )?{_PERSON} (?:reminded|pointed out|corrected|had to)\b|\btold off\b|\b(?:was|been|got) told (?:twice|again|off|not)\b|\bcorrected by (?:the )?(?:{_PERSON}|him|her|them)\b|\b{_PERSON}'?s? (?:correction|objection|veto|complaint)s?\b|\bagainst (?:the )?{_PERSON}'?s (?:wish|instruction|rule|advice|explicit)\w*|\b{_PERSON} (?:wants?|wanted|asked for|asked to have|demanded)\b[^.]{{2,60}}?\b(?:restored|back again|undone|reverted|taken out again)\b|\b{_PERSON} (?:wanted|expected|meant|asked for)\b[^.]{{2,60}}?,? (?:but )?(?:i|we|which i|the agent) (?:had|have|did|used|put|took|built|made|wrote|chose|assumed|gave)\b|\bi (?:had )?(?:wrongly |mistakenly )?(?:used|put|wrote|edited|changed|deleted|built|assumed|guessed|picked|made)\b[^.]{{2,60}}?\b(?:was told|{_PERSON} (?:wanted|asked|meant|told|said|objected|pointed|corrected|complained))\b|\bcorrection\b(?=[:,]| (?:by|of) (?:the )?{_PERSON})",
        whole=True,
    ),
    # What it could not do.
    sign(
        GAP,
        "the agent had no means for it",
        r"\b(?:i|agent|assistant|claude) (?:can(?:not|'t| not)|could(?: not|n't)|(?:am|was|is)(?: not|n't) able to|(?:am|was|is) unable to) (?:actually |really )?(?:reach|open|see|test|run|try|verify|check|access|read|view|hear|play|log|exercise|reproduce|measure|compare)\b|\b(?:i|agent|assistant|claude|we) (?:have|had|has) no (?:\w+ )?(?:hardware|devices?|access|way|accounts?|logins?|licen[cs]es?|gpu|credentials|permissions?|phones?|boards?|cameras?|microphones?|tools?|browser|keys?|means|eyes|ears|internet)\b|\(i can(?:'t|not)\)|\b(?:which|that) i (?:have|had) no way\b|^(?:there (?:is|was) )?no access to (?!.*\b(?:denied|for (?:guests|users|the public)))|\bno access to [^.;,]{1,30}? (?:from here|here|in this|for me)\b|\b(?:not|n't) (?:accessible|possible|reachable|available|testable|visible) (?:for|to) (?:me|us|the agent|claude)\b|\b(?:figma|jira|confluence|slack|miro|notion|design|staging|dashboard|intranet|portal|ticket|board|link|file|document|video|image|scan)s? (?:is |was |were |are )?(?:not|in)[ -]?accessible\b(?! (?:by|for) (?:users|guests))|\buntestable\b|\b(?:left|leaving|leave|stays?|remains?|went|shipped) (?:[\w-]+ ){0,4}?(?:untested|unverified|unchecked)\b|\bnever exercised\b|\b(?:written|built|coded|done|wired|changed) blind(?:ly)?\b|\bno (?:physical |real |actual )?(?:hardware|devices?|phones?|boards?|gpus?|printers?|scanners?|cameras?|microphones?|tablets?|watch(?:es)?) (?:is |was |are |were )?(?:attached|available|connected|here|at hand|to test|to try|plugged|around|nearby)\b|\bwithout (?:the |a |any |real |physical )*(?:hardware|devices?)\b[^.;,]{0,10}$|\bno (?:physical|real) (?:phone|device|hardware|board|printer|tablet|card)s?\b|\bthere is no tool\b|\bwithout a login\b|\b(?:could not|can't|cannot|couldn't|unable to) be (?:verified|tested|exercised|tried|opened|heard|compared)\b(?! (?:in|on|with|by) (?-i:[A-Z]))|\b(?:can't|cannot|could not|couldn't|unable to)\b[^.;,]{2,50}?\b(?:from here|in this (?:environment|sandbox|session|container)|on this machine|without (?:a |an |the )?(?:device|hardware|login|account|licen[cs]e|gpu|browser|display|camera|credentials|vpn access))\b|^(?:can't|cannot|could not|couldn't|unable to) [^.;,]{2,50}? here\b|^(?:could not|couldn't|can't|cannot|unable to|was unable to|wasn't able to|was not able to|not able to) (?:test|try|listen|watch|hear|view|read|see|verify|check|open|access|log in|look at|inspect|play|print|scan|taste|feel|exercise|measure)\b|\bhad no (?:credentials|access|account|login|way|licen[cs]e|hardware|device|key)\b[^.;]{0,6}\b(?:for|to|of|at)\b|\buseless to me\b|\bnot (?:something|anything) i can\b|\bneeds (?:a human|somebody|someone|a person)\b|\b(?:guess|estimat)(?:ed|ing) [^.;]{0,40}?\bfrom (?:a |the )?(?:screenshot|photo|picture|description)s?\b|\bno \w+ support here\b|\bbeyond what i can\b|\bcan(?:not|'t) (?:see|hear) (?:images|pictures|audio|video|screenshots|the screen)\b",
        whole=True,
    ),
    # What it runs on.
    sign(
        ENVIRONMENT,
        "the disk filled up",
        r"\bdisk\b[^.;,]{0,24}?\b(?:at|over|above|near|reached) \d{2,3} ?%|\bdisks?\b[^.;,]{0,30}?\bfill(?:s|ed|ing)? up\b|\b(?:had |has |have )?fill(?:ed|s|ing) (?:up )?(?:/[a-z]|the (?:disk|volume|partition|drive|root))|\b(?:get|got|free[ds]?|freeing|reclaim\w*|win|won|claw\w*) (?:up |back )?(?:some |the |enough )?(?:disk )?space\b|\b(?:freed|reclaimed|cleared) (?:up )?\d+ ?(?:gb|gib|g|mb|tb)\b(?! of (?:memory|ram))|\b(?:disk|space) (?:is |was |ran |running |got )?(?:scarce|exhausted|short|low|gone|used up)\b|\bno (?:disk )?space\b|\bnot enough (?:disk )?space\b|\bout of (?:disk )?space\b|\bdisk full\b|\bfull disk (?:on|of|stopped|killed|broke|again)\b|\bwrite error\b",
        whole=True,
    ),
    sign(
        ENVIRONMENT,
        "the network between did not hold",
        r"(?<!\bwhen )(?<!\bif )\b(?:database|db|server|host|cluster|service|registry|broker|api|staging|gateway|nas|share|mirror|postgres|redis|mysql|mongo\w*|kafka|node|replica|printer|queue)s?\b[^.;,]{0,24}?\b(?:un|not )reachable\b|\bunreachable (?:without|until|because|from|again|over|through)\b|\b(?:lost|losing|loses|lose|dropped) (?:the |its |our )?connection (?:to|with)\b|\bconnections? (?:to|with|from) [\w.:/ -]{2,40}? (?:timed out|times out|dropped|drops|was lost|were lost|broke|failed|fails|keeps? dropping|refused)\b|\bcould not connect to (?:the )?(?:server|host|[\w.-]+:\d+)|\bconnection timed out\b|\b(?:vpn|wi-?fi|tunnel|uplink|proxy|wireguard|tailscale|bastion)\b[^.;,]{0,30}?\b(?:drop(?:s|ped|ping)?|(?:was|is|went|goes|were) (?:down|off|gone)|disconnect\w*|would not connect|did not connect|reconnected|expired|flaps?|flapping|unstable|hiccup\w*)\b|\b(?:because|since|as|due to|when|until|cut off by) (?:of )?(?:the )?(?:vpn|firewall|proxy)\b(?! (?:config|setting|is (?:up|on|back)))|\bhad no (?:network|internet|connectivity)\b|\bsent traffic to a dead\b|\bdid not resolve\b|\bdns\b[^.;,]{0,24}?\b(?:did not|does not|stale|hiccup|outage)\b|\b(?:read|connect|socket) timed out (?:to|from|against) ",
        whole=True,
    ),
    sign(
        ENVIRONMENT,
        "it ran with the wrong version or settings",
        rf"\b(?:require[sd]?|need(?:s|ed)?|want(?:s|ed)?|expect(?:s|ed)?) (?:at least )?{_RUNTIME} ?v?\d[\w.]*[^.]{{0,20}}?(?:,? but\b| to run\b|, (?:got|had|found|have)\b)|\b(?:currently|still|actually) (?:using|running|runs|uses|on|had|has|have|having|picks? up|finds?) (?:an? )?(?:old |older )?{_RUNTIME} ?v?\d|\bkeeps? (?:having|using|picking up|finding|falling back to) (?:the )?(?:old |wrong |system )?{_RUNTIME}\b|\b(?:picked|picks|picking) up {_RUNTIME} ?v?\d|\bpoint(?:s|ed|ing)? (?:at|to) (?:the |an? )?(?:old |older |wrong |system |stale )?{_RUNTIME} ?v?\d|\b(?:did|does|would|will)(?: not|n't) (?:start|build|run|compile|work|boot|install) (?:with|on|under) (?:the )?(?:old )?{_RUNTIME}\b|\bwrong {_RUNTIME}\b|\b(?:was|were|is|are) too (?:old|new) for\b|\b{_RUNTIME} ?v?\d[\w.]* instead of (?:{_RUNTIME} ?)?v?\d|\bunsupported class file\b|\bpython ?2\b[^.;,]{{0,16}}?\binstead\b|\bonly (?:had|has|ships?|offers?) {_RUNTIME} ?v?\d",
        whole=True,
    ),
    sign(
        ENVIRONMENT,
        "a setting was not there",
        rf"\b(?:added|set|exported|restored|supplied|provided|passed|filled in) (?:the |a |our )?(?:missing|unset|lost|forgotten|empty) (?:env\w* var\w* )?{_VARIABLE}|\b(?:misses|lacks?|lacked|lacking|without|forgot|forgets|lost|needs|needed|ignores|cannot find|can't find|did not (?:get|see|find|have)|does not (?:get|see|find|have|pass)) (?:a |the |its |any )?(?:env\w* var\w* )?{_VARIABLE}(?! (?:from|to|in order))|{_VARIABLE}[^.;,]{{0,24}}?\b(?:undefined|unset|empty|blank|absent|not (?:there|given|set|passed|found|defined|configured|available)|lacking|nowhere|lost|forgotten|has no value|had no value)\b|\b(?:env(?:ironment)? file|\.env)\b[^.;,]{{0,24}}?\b(?:lacks?|lacked|misses|missing|absent|not (?:loaded|read|found|mounted)|stale|empty|outdated)\b|\bset {_VARIABLE} (?:everywhere|in all|there as well|too)\b",
        whole=True,
    ),
    # What it is built from.
    sign(
        DEPENDENCY,
        "packages that do not go together",
        r"\b(?:would not|won't|will not|could not|couldn't|cannot|can't|fail(?:s|ed)? to|refuse[sd]? to|no longer|did not|does not) imports?\b(?! (?:it|them|the (?:csv|file|data))\b)|\b(?-i:[a-z][\w.-]+) imports? (?:failed|fails|broke|breaks|crash\w*)\b|\b(?:abi|binary) (?:mismatch|incompatib\w+|break\w*)\b|\bcompiled (?:using|against|for|with) [^.;,]{2,30}? (?:cannot|can't|does not|not)\b|\bbuilt (?:against|for|with) (?:the |an? )?(?:old|older|wrong|other|different|newer) \w+|\b(?:in|not )compatible with (?:our |the |its )?[\w@/.-]+\b|\b(?-i:[a-z@][\w@/.-]*) v?\d[\w.]* (?:breaks|broke|no longer|dropped|removed|is incompatible)\b|\b(?:wants?|requires?|needs?|expects?|insists? on|pins?|depends on) (?-i:[A-Za-z@][\w@/.-]*)(?:@| [<>=~^]* ?)v?\d[\w.]*[^.]{0,30}?\b(?:but|while|and we|we have|blocks?|conflict)\b|\b(?:wants?|requires?|needs?|expects?) (?-i:[a-z][\w/-]*)@[\^~]?\d|\b(?:does not|doesn't|did not|won't|will not|not yet) (?:accept|support|allow|work with|like|go with) (?:[\w-]+ )?(?-i:[A-Z@]?[\w@/.-]+) v?\d[\w.]*\b(?! (?:rows|users|items|ms))|\bblock(?:s|ed|ing) (?:the |our |an? )?(?:upgrade|update|bump|move|migration) (?:to|of)\b|\blegacy-peer-deps\b|\bpeer dependency\)|\bpeer (?:conflicts?|ranges?|mismatch\w*|requirement)\b|\b(?:transitive|indirect) dependenc\w+\b[^.;]{0,50}?\b(?:stopped|broke|fail\w*|conflict\w*|clash\w*|drag\w*|pulled|break\w*)\b|\b(?:pulled|dragged|brought) (?:\S+ ){1,4}in through a (?:transitive|dependency)|\bcould not (?:be )?install(?:ed)?\b|\bnot (?:be )?installed? (?:next to|beside|together|alongside)\b|\bstopped working (?:after|since|with) (?:the )?(?:upgrade|update|bump|npm|pip|cargo|yarn)\w*|\bafter (?:the |an? )?(?-i:[a-z@][\w@/.-]+) (?:upgrade|update|bump|release)\b[^.;]{0,20}?\b(?:broke|breaks|fail\w*|stopped|crash\w*|missing)\b|\bnumpy\.dtype size changed\b|\b(?:requirements?|constraints?|ranges?) (?:conflict|clash|contradict)\w*|\bunresolvable\b|\bcould not solve the environment\b",
        whole=True,
    ),
    sign(
        DEPENDENCY,
        "a library that it is built with did not build or was missing",
        r"\b(?:(?-i:[a-z]\w*)-sys|node-gyp|native (?:modules?|extensions?|addons?)|prebuilt binar\w+|wheel|(?:ruby )?gem [\w-]+)\b[^.;]{0,60}?\b(?:fail\w*|(?:did|does|do|would|will|could)(?: not|n't) (?:build|compile|install|link|be (?:built|compiled))|not (?:build|compile)|broke|breaks|missing|not found|errored)\b|\b(?:fail\w*|broke|breaks|stopped|stops|(?:did|does|would)(?: not|n't) (?:build|compile))\b[^.;]{0,40}?\b(?:on|at|in|because of|with) (?-i:[a-z]\w*)-sys\b|\bcustom build command for\b|\b(?:need(?:s|ed)?|want(?:s|ed)?|require[sd]?|lack(?:s|ed)?|miss(?:es|ed)?|without) (?:the )?(?:[\w-]+ and )?(?-i:(?:lib)?[a-z0-9+]+-dev(?:el)?)\b|\binstalled (?-i:lib[a-z0-9+]+(?:-dev(?:el)?)?)\b[^.;]{0,60}?\b(?:did not|because|since|without|missing|fail\w*|needed|as )\b|\bcould not find (?:directory of |the )?(?-i:[A-Z]\w+)(?: installation|,)|\bheaders? (?:were|was|are|is) missing\b|\bbuild scripts? (?:of|for) (?-i:[a-z][\w-]+) failed\b|\bcannot find -l\w+|\bpkg-config\b[^.;]{0,30}?\b(?:missing|not found|could not)\b|\bchecksum mismatch\b|\bresolved (?:two|three|several|different) versions\b|\b(?:was|is|were) older than the generated\b|\brefused the (?:platform|engine)\b",
        whole=True,
    ),
    # Too slow.
    sign(
        PERFORMANCE,
        "the numbers got worse",
        rf"\bfrom \d{{2,3}} (?:fps )?(?:down )?to \d{{1,2}} ?fps\b|\b(?:drop(?:s|ped)?|fell|falls|sank|sinks|dip(?:s|ped)?|ran|runs|running|stuck|barely|only|still) (?:(?:down )?to |at |below |under |only |around |barely )+\d{{1,2}} ?(?:fps|frames)\b|\b\d{{2,3}} ?ms (?:a |per |/ ?)?frames?\b|\bframe ?rates?\b[^.;,]{{0,20}}?\b(?:drop\w*|dip\w*|fell|falls|poor|low|below|tank\w*|bad|collaps\w*|halv\w*)\b|\b(?:latency|p9\d|p50|response times?|load times?|ttfb|tti|lcp)\b[^.;<]{{0,8}}?(?<!below )(?<!under )(?<!to )\b[1-9]\d*(?:\.\d+)? ?(?:s|secs?|seconds)\b|\b[1-9]\d*(?:\.\d+)? ?(?:s|secs?|seconds) at p9\d\b|\b(?:took|takes|taking|needs?|needed) (?:(?:more than|over|almost|nearly|about|up to|around|well over) )?(?:{_NUMBER} (?:seconds|minutes|hours)\b|half an hour|an hour|ages|seconds\)|minutes\))(?! (?:now|only|instead))|\b(?:times?|duration|runtime|usage|size|footprint) (?:has |have |had )?(?:doubled|tripled|quadrupled|exploded|ballooned|crept up)\b|\b(?:is|was|are|were|got|became|gets|feels?|felt|runs|ran|went) (?:\w+ )?(?:slower|laggy|choppy|sluggish)\b(?! than (?:expected )?but fine)|\bstarted out slow\b|\b\d+ ?x slower\b|\btook over {_NUMBER} ?{_UNIT}\b|\bslow(?:ness)? (?:of|when) |\bcrawl(?:s|ed|ing)?\b(?= (?:under|with|at|on|when|once)\b)|\bbrought (?:the |our )?[\w-]+ to its knees\b",
        whole=True,
    ),
    sign(
        PERFORMANCE,
        "it is slow by its name",
        r"^(?:fix |fixed |fixing |still )?slow (?!quer(?:y|ies) (?:are|is|log)|mode|motion|roll|path|start)[\w/-]+(?: [\w/-]+){0,4}\.?$|\b(?:very|so|too|still|is|was|are|were) slow (?:for|on|with|when|at|in|under|to)\b",
    ),
    sign(
        PERFORMANCE,
        "it needs too much memory",
        r"\b(?:not|n't|no longer|hardly|barely) fit (?:in|into) (?:the |our )?(?:memory|ram|vram|heap)\b|\bkilled (?:for|because of|due to|by the) (?:out of |its )?(?:memory|oom)\b|\bkilled for memory\b|\b(?:need(?:s|ed)?|use[sd]?|took|takes|eats|ate|wants?|grew (?:to|past|beyond)|grows? (?:to|past|beyond)|reach(?:es|ed)) (?:more than|over|almost|well over|up to) \d+ ?(?:gb|gib|g)\b|\bexceed(?:s|ed|ing)? (?:the |its |our )?(?:memory|ram|heap)(?: limits?)?\b|\b(?:memory|ram|heap)\b[^.;,]{0,30}?\b(?:grew|grows|growing) (?:until|without|to|past|and|by|over)\b|\bcode 137\b|\b(?:holds?|held|keeps?|kept|loads?|loaded|reads?) (?:the )?(?:whole|entire|full) [^.;]{1,30}? in(?:to)? memory, (?:hence|so|which|therefore)|\bhence the oom\b|\bgets? (?:oom-?)?killed\b|\bran out of (?:memory|ram|vram|heap)\b|\brun(?:s|ning)? out of (?:memory|ram|vram|heap)\b|\bpauses? of \d{3,} ?ms\b",
        whole=True,
    ),
    # Open doors.
    sign(
        SECURITY,
        "a secret stands where it must not",
        rf"\b{_TOKENS}\b[^.;]{{0,40}}?\b(?:in|into|to|through|via) (?:the |our |old |plain |all )?(?:[\w-]+ ){{0,2}}(?:logs?|log files?|stdout|sentry|cloudwatch|kibana|splunk|datadog|url|urls|query string|repo|repository|git|bundle|wiki|client|browser history|analytics|error reports?)\b(?! (?:is|are) (?:masked|redacted|never))|\blog(?:s|ging|ger| files?| middleware| output)?\b[^.;,]{{0,30}}?\b(?:had|has|have|contain(?:s|ed)?|showed|shows|prints?|printed|leak(?:s|ed)?|expos(?:es|ed)|with|include[sd]?) (?:the )?{_TOKENS}\b|\b(?:scrubbed|purged|redacted|masked|rotated|revoked|purge|scrub)\b[^.;]{{0,30}}?\b(?:leaked|exposed|logged)\b|\bhad been (?:committed|pushed|pasted|logged|leaked)\b|\bexposed (?:the |all )?(?:users?'?s?|customers?'?) ",
        whole=True,
    ),
    sign(
        SECURITY,
        "a door was found open",
        r"\binjectable\b|\b(?:could|can|let|lets|allow(?:s|ed)?|able to|to)\b[^.;]{0,24}?\binject (?:sql|html|script|code|js|javascript|commands?|headers?|arbitrary)\b|\binjected (?:sql|html|scripts?|code|commands?|javascript)\b|\bprototype pollution\b|\b(?:critical|high|known|open|unpatched|severe) (?:cves?|vulnerabilit\w+|severity|advisor\w+)\b|\bcritical severity\b|\bcves?\b (?:in|for|of|against)\b|\bsecurity (?:advisor\w+|alerts?)\b(?! (?:are|is) on)|\b(?:dependabot|snyk|trivy|grype|codeql|semgrep|bandit|npm audit|pip-audit|cargo audit|audit|pentest\w*|scanner|bug bounty)\b:?[^.;]{0,40}?\b(?:alerts? for|flag(?:s|ged)|reports? (?:an?|the|critical|high)|complain\w*|found (?!0\b|no\b|none\b|nothing\b)|fail(?:s|ed)|finding|critical|reached|got in|injected|bypassed)\b|\blacked the (?:secure|httponly|samesite)\b|\b(?:was|were|is|are) (?:world[- ]|publicly |openly )?(?:public|readable by (?:anyone|everyone)|guessable|forgeable|open to (?:the world|anyone|everyone|the internet))\b|\b(?:anyone|anybody|everyone|everybody|any user|guests?|strangers?) (?:could|can|was able to|were able to) (?:read|see|download|delete|change|open|list|edit|access|reset|log|inject|call|upload)\b|\blet (?:anyone|anybody|everyone|guests?|any user|strangers?)\b|\bunescaped\b",
        whole=True,
    ),
)
