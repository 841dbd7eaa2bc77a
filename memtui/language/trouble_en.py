"""The signs of trouble in English, as data. A sign is matched against one sentence."""

from __future__ import annotations

from memtui.language.trouble_kinds import (
    CORRECTION,
    DEPENDENCY,
    ENVIRONMENT,
    ERROR,
    GAP,
    PERFORMANCE,
    RECURRING,
    SECURITY,
    Sign,
    make_sign,
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
    make_sign(
        ERROR,
        "something went wrong with it",
        r"\bblows? up\b|\bfell over\b|\bfalls over\b|\btrip(?:s|ped) (?:over|on|up on)\b|\bstumbl(?:es|ed) (?:over|on)\b|\bhard[- ]?fault(?:s|ed|ing)?\b(?! handl)|\bhard ?fault_handler\b|\b(?:restarts?|restarted|restarting|reboots?|rebooted|rebooting) (?:in a loop|endlessly|at random|by itself|over and over|during|mid-\w+)|\bcrash ?-?loop\w*|\bexit(?:s|ed) (?:at once|immediately|right away|on start)\b|\b(?:went|turned|became|goes|turns) (?:to )?nan\b|\bbus-off\b|\b(?:disconnects?|disconnected)\b(?! (?:after|button|the|from the|when the (?:user|lid)|handl|on log))|\b(?:links?|references?|anchors?|entries) (?:went|go|goes|points?|pointed|refers?|lead|led) to (?:the wrong|\w+ that (?:is|are|was|were) not|nowhere|removed|dead|missing|the (?:chapter|page|one) (?:before|after))\b|\brefers? to (?:files|pages|things|\w+) that (?:are|is|were|was) not there\b|\bpoints? to the wrong\b|\b(?:was|is|were|are|got|being|been) left (?:behind|over|hanging|dangling)\b|\b(?:was|is|got|were) blocked by (?:a |an |the )?(?:stale|old|dead|leftover|orphaned|previous)\b|\bstale locks?\b|\breturn(?:s|ed) all zeros\b|\bproduced? an? (?:empty|corrupt|broken|invalid) |\bstopped (?:terraform|ansible|the (?:build|deploy\w*|release|pipeline|job|run|apply))\b|\bran forever\b|\bbacktracked forever\b|\bwas sealed\b|\bhad not run for\b|\b(?:still|is|are|was|were) (?:badly |completely |totally |still )?broken\b|\bbus error\b|\b(?:tests?|suites?|specs?|builds?|jobs?|pipelines?|checks?|deploys?) (?:stays?|remains?|kept being|keeps? being|is|was) (?:red|unstable)\b|\b(?:was|were|is|are|came back|comes back|comes up|came up|ended up|arrives?|arrived) (?:empty|blank|garbled|mangled|shifted|inverted|upside down|out of order|all zeros|corrupted|truncated|swapped|shuffled|duplicated)\b|\bcame out (?:wrong|garbled|empty|blank|black|upside down)\b|\bout of bounds\b|\bout of range\b|\bunbuildable\b|\b(?:took|takes|brought|brings) (?:the|our) [\w-]+ down\b|\bundefined control sequence\b|\b(?:not|n't) (?:show|draw|play|print|sav|send|receiv|deliver|pair|charg|connect|respond|scroll|pars)\w* (?:at all|any more|anymore|anything)\b",
        whole=True,
    ),
    make_sign(
        ERROR,
        "it was turned away or got lost",
        r"(?<!\buser )(?<!\breviewer )(?<!\bcustomer )(?<!\bclient )(?<!\bwe )(?<!\bi )(?<!\bthey )(?<!\blead )\brejected (?:the|our|every|all|half|valid|its|most|some|perfectly|rows?|requests?|uploads?|orders?)\b|\b(?:still|again|now|wrongly|silently|suddenly) (?:rejects|drops|loses|swallows|skips|ignores|refuses|breaks|dies|trips|crashes|chokes|hits)\b|\brejects (?:valid|every|all|half|correct|good|perfectly)\b|\b(?:half|most|many|all|some|every one|hundreds|thousands|dozens|\d+ ?%|\d+) (?:of )?(?:the |our |their |its )?(?:[\w-]+ ){1,3}(?:were|was|got|are|is) (?:silently )?(?:rejected|dropped|lost|skipped|swallowed|ignored|duplicated|missing|gone)\b|\b(?:is|are|was|were|get|gets|got) (?:silently |simply )?(?:lost|swallowed|mangled|garbled|scrambled|cut off|shifted)\b|\b(?:drops|loses|swallows|mangles|garbles|skips) (?:rows|records|messages|events|characters|lines|orders|items|frames|packets|samples|entries|emails|data|names|everything|all|the (?:last|first))\b|^(?:the |an? |our )?(?!(?:user|we|i|team|they)\b)[\w-]+(?: [\w-]+){0,3} (?:dropped|lost|swallowed|mangled|garbled|scrambled|truncated|evicted|doubled|duplicated|shifted|hid|ate|forgot|hallucinated|deleted the wrong|opened the wrong|sent the wrong|showed the wrong|flagged every|answered 4\d\d|collapsed|exploded|jumped by|drifted|arrived twice|crackled)\b",
        whole=True,
    ),
    # Corrections.
    make_sign(
        CORRECTION,
        "work was undone for somebody",
        rf"\b{_UNDO}\b[^.]{{0,90}}?\b(?:(?:because|as|since|after|when) (?:the )?{_PERSON} (?:had )?(?:asked|wanted|complained|objected|rejected|insisted|said|told|did not|didn't|disliked|disagreed|refused|pointed|preferred)\w*|(?:after|on|upon|at|following|due to) (?:the )?{_PERSON}(?:'s|s')? (?:request|objections?|review|complaints?|veto|insistence|feedback|remark|comment|correction)s?)\b|\b{_UNDO}\b[^.]{{0,60}}?, (?:the )?{_PERSON} (?:asked|wanted|complained|objected|insisted|said|told)\w*\b|\b(?:which|that|what) (?:the )?{_PERSON} (?:had )?(?:told|asked) (?:me|us)?\s?not\b",
        whole=True,
    ),
    make_sign(
        CORRECTION,
        "somebody was not content with the agent's work",
        rf"\b{_PERSON}\b[^.:]{{0,16}}?\b(?:does not|doesn't|did not|didn't|do not) (?:want|like|accept|agree)\b|\b{_PERSON} wants? no\b(?! (?:later|less|more|fewer))|\b{_PERSON}\b:? (?:stop \w+ing|no more\b|don't\b|do not\b|never\b|no,|wrong\b)|\b{_PERSON} (?:sent|handed|gave|turned) (?:it|them|the [\w -]{{2,24}}|this) back\b|\b{_PERSON} (?:was|is|were) (?:not|un|dis|n't) ?(?:happy|pleased|satisfied|amused|content)\w*\b|\b{_PERSON} (?:had to|has to|needed to) (?:repeat|remind|say|tell|ask|correct|stop|step in|insist|point)\b|\b{_PERSON} (?:stopped|interrupted|corrected|overruled|reprimanded|scolded) (?:me|us|it|the agent|claude)\b|\b{_PERSON} (?:asked|said|told|wrote|reminded|repeated)\b[^.]{{0,40}}?\b(?:a second time|twice|once more|again|already|repeatedly)\b|\bas (?:the )?{_PERSON} (?:reminded|pointed out|corrected|had to)\b|\btold off\b|\b(?:was|been|got) told (?:twice|again|off|not)\b|\bcorrected by (?:the )?(?:{_PERSON}|him|her|them)\b|\b{_PERSON}'?s? (?:correction|objection|veto|complaint)s?\b|\bagainst (?:the )?{_PERSON}'?s (?:wish|instruction|rule|advice|explicit)\w*|\b{_PERSON} (?:wants?|wanted|asked for|asked to have|demanded)\b[^.]{{2,60}}?\b(?:restored|back again|undone|reverted|taken out again)\b|\b{_PERSON} (?:wanted|expected|meant|asked for)\b[^.]{{2,60}}?,? (?:but )?(?:i|we|which i|the agent) (?:had|have|did|used|put|took|built|made|wrote|chose|assumed|gave)\b|\bi (?:had )?(?:wrongly |mistakenly )?(?:used|put|wrote|edited|changed|deleted|built|assumed|guessed|picked|made)\b[^.]{{2,60}}?\b(?:was told|{_PERSON} (?:wanted|asked|meant|told|said|objected|pointed|corrected|complained))\b|\bcorrection\b(?=[:,]| (?:by|of) (?:the )?{_PERSON})",
        whole=True,
    ),
    # What it could not do.
    make_sign(
        GAP,
        "the agent had no means for it",
        r"\b(?:i|agent|assistant|claude) (?:can(?:not|'t| not)|could(?: not|n't)|(?:am|was|is)(?: not|n't) able to|(?:am|was|is) unable to) (?:actually |really )?(?:reach|open|see|test|run|try|verify|check|access|read|view|hear|play|log|exercise|reproduce|measure|compare)\b|\b(?:i|agent|assistant|claude|we) (?:have|had|has) no (?:\w+ )?(?:hardware|devices?|access|way|accounts?|logins?|licen[cs]es?|gpu|credentials|permissions?|phones?|boards?|cameras?|microphones?|tools?|browser|keys?|means|eyes|ears|internet)\b|\(i can(?:'t|not)\)|\b(?:which|that) i (?:have|had) no way\b|^(?:there (?:is|was) )?no access to (?!.*\b(?:denied|for (?:guests|users|the public)))|\bno access to [^.;,]{1,30}? (?:from here|here|in this|for me)\b|\b(?:not|n't) (?:accessible|possible|reachable|available|testable|visible) (?:for|to) (?:me|us|the agent|claude)\b|\b(?:figma|jira|confluence|slack|miro|notion|design|staging|dashboard|intranet|portal|ticket|board|link|file|document|video|image|scan)s? (?:is |was |were |are )?(?:not|in)[ -]?accessible\b(?! (?:by|for) (?:users|guests))|\buntestable\b|\b(?:left|leaving|leave|stays?|remains?|went|shipped) (?:[\w-]+ ){0,4}?(?:untested|unverified|unchecked)\b|\bnever exercised\b|\b(?:written|built|coded|done|wired|changed) blind(?:ly)?\b|\bno (?:physical |real |actual )?(?:hardware|devices?|phones?|boards?|gpus?|printers?|scanners?|cameras?|microphones?|tablets?|watch(?:es)?) (?:is |was |are |were )?(?:attached|available|connected|here|at hand|to test|to try|plugged|around|nearby)\b|\bwithout (?:the |a |any |real |physical )*(?:hardware|devices?)\b[^.;,]{0,10}$|\bno (?:physical|real) (?:phone|device|hardware|board|printer|tablet|card)s?\b|\bthere is no tool\b|\bwithout a login\b|\b(?:could not|can't|cannot|couldn't|unable to) be (?:verified|tested|exercised|tried|opened|heard|compared)\b(?! (?:in|on|with|by) (?-i:[A-Z]))|\b(?:can't|cannot|could not|couldn't|unable to)\b[^.;,]{2,50}?\b(?:from here|in this (?:environment|sandbox|session|container)|on this machine|without (?:a |an |the )?(?:device|hardware|login|account|licen[cs]e|gpu|browser|display|camera|credentials|vpn access))\b|^(?:can't|cannot|could not|couldn't|unable to) [^.;,]{2,50}? here\b|^(?:could not|couldn't|can't|cannot|unable to|was unable to|wasn't able to|was not able to|not able to) (?:test|try|listen|watch|hear|view|read|see|verify|check|open|access|log in|look at|inspect|play|print|scan|taste|feel|exercise|measure)\b|\bhad no (?:credentials|access|account|login|way|licen[cs]e|hardware|device|key)\b[^.;]{0,6}\b(?:for|to|of|at)\b|\buseless to me\b|\bnot (?:something|anything) i can\b|\bneeds (?:a human|somebody|someone|a person)\b|\b(?:guess|estimat)(?:ed|ing) [^.;]{0,40}?\bfrom (?:a |the )?(?:screenshot|photo|picture|description)s?\b|\bno \w+ support here\b|\bbeyond what i can\b|\bcan(?:not|'t) (?:see|hear) (?:images|pictures|audio|video|screenshots|the screen)\b",
        whole=True,
    ),
    # What it runs on.
    make_sign(
        ENVIRONMENT,
        "the disk filled up",
        r"\bdisk\b[^.;,]{0,24}?\b(?:at|over|above|near|reached) \d{2,3} ?%|\bdisks?\b[^.;,]{0,30}?\bfill(?:s|ed|ing)? up\b|\b(?:had |has |have )?fill(?:ed|s|ing) (?:up )?(?:/[a-z]|the (?:disk|volume|partition|drive|root))|\b(?:get|got|free[ds]?|freeing|reclaim\w*|win|won|claw\w*) (?:up |back )?(?:some |the |enough )?(?:disk )?space\b|\b(?:freed|reclaimed|cleared) (?:up )?\d+ ?(?:gb|gib|g|mb|tb)\b(?! of (?:memory|ram))|\b(?:disk|space) (?:is |was |ran |running |got )?(?:scarce|exhausted|short|low|gone|used up)\b|\bno (?:disk )?space\b|\bnot enough (?:disk )?space\b|\bout of (?:disk )?space\b|\bdisk full\b|\bfull disk (?:on|of|stopped|killed|broke|again)\b|\bwrite error\b",
        whole=True,
    ),
    make_sign(
        ENVIRONMENT,
        "the network between did not hold",
        r"(?<!\bwhen )(?<!\bif )\b(?:database|db|server|host|cluster|service|registry|broker|api|staging|gateway|nas|share|mirror|postgres|redis|mysql|mongo\w*|kafka|node|replica|printer|queue)s?\b[^.;,]{0,24}?\b(?:un|not )reachable\b|\bunreachable (?:without|until|because|from|again|over|through)\b|\b(?:lost|losing|loses|lose|dropped) (?:the |its |our )?connection (?:to|with)\b|\bconnections? (?:to|with|from) [\w.:/ -]{2,40}? (?:timed out|times out|dropped|drops|was lost|were lost|broke|failed|fails|keeps? dropping|refused)\b|\bcould not connect to (?:the )?(?:server|host|[\w.-]+:\d+)|\bconnection timed out\b|\b(?:vpn|wi-?fi|tunnel|uplink|proxy|wireguard|tailscale|bastion)\b[^.;,]{0,30}?\b(?:drop(?:s|ped|ping)?|(?:was|is|went|goes|were) (?:down|off|gone)|disconnect\w*|would not connect|did not connect|reconnected|expired|flaps?|flapping|unstable|hiccup\w*)\b|\b(?:because|since|as|due to|when|until|cut off by) (?:of )?(?:the )?(?:vpn|firewall|proxy)\b(?! (?:config|setting|is (?:up|on|back)))|\bhad no (?:network|internet|connectivity)\b|\bsent traffic to a dead\b|\bdid not resolve\b|\bdns\b[^.;,]{0,24}?\b(?:did not|does not|stale|hiccup|outage)\b|\b(?:read|connect|socket) timed out (?:to|from|against) ",
        whole=True,
    ),
    make_sign(
        ENVIRONMENT,
        "it ran with the wrong version or settings",
        rf"\b(?:require[sd]?|need(?:s|ed)?|want(?:s|ed)?|expect(?:s|ed)?) (?:at least )?{_RUNTIME} ?v?\d[\w.]*[^.]{{0,20}}?(?:,? but\b| to run\b|, (?:got|had|found|have)\b)|\b(?:currently|still|actually) (?:using|running|runs|uses|on|had|has|have|having|picks? up|finds?) (?:an? )?(?:old |older )?{_RUNTIME} ?v?\d|\bkeeps? (?:having|using|picking up|finding|falling back to) (?:the )?(?:old |wrong |system )?{_RUNTIME}\b|\b(?:picked|picks|picking) up {_RUNTIME} ?v?\d|\bpoint(?:s|ed|ing)? (?:at|to) (?:the |an? )?(?:old |older |wrong |system |stale )?{_RUNTIME} ?v?\d|\b(?:did|does|would|will)(?: not|n't) (?:start|build|run|compile|work|boot|install) (?:with|on|under) (?:the )?(?:old )?{_RUNTIME}\b|\bwrong {_RUNTIME}\b|\b(?:was|were|is|are) too (?:old|new) for\b|\b{_RUNTIME} ?v?\d[\w.]* instead of (?:{_RUNTIME} ?)?v?\d|\bunsupported class file\b|\bpython ?2\b[^.;,]{{0,16}}?\binstead\b|\bonly (?:had|has|ships?|offers?) {_RUNTIME} ?v?\d",
        whole=True,
    ),
    make_sign(
        ENVIRONMENT,
        "a setting was not there",
        rf"\b(?:added|set|exported|restored|supplied|provided|passed|filled in) (?:the |a |our )?(?:missing|unset|lost|forgotten|empty) (?:env\w* var\w* )?{_VARIABLE}|\b(?:misses|lacks?|lacked|lacking|without|forgot|forgets|lost|needs|needed|ignores|cannot find|can't find|did not (?:get|see|find|have)|does not (?:get|see|find|have|pass)) (?:a |the |its |any )?(?:env\w* var\w* )?{_VARIABLE}(?! (?:from|to|in order))|{_VARIABLE}[^.;,]{{0,24}}?\b(?:undefined|unset|empty|blank|absent|not (?:there|given|set|passed|found|defined|configured|available)|lacking|nowhere|lost|forgotten|has no value|had no value)\b|\b(?:env(?:ironment)? file|\.env)\b[^.;,]{{0,24}}?\b(?:lacks?|lacked|misses|missing|absent|not (?:loaded|read|found|mounted)|stale|empty|outdated)\b|\bset {_VARIABLE} (?:everywhere|in all|there as well|too)\b",
        whole=True,
    ),
    # What it is built from.
    make_sign(
        DEPENDENCY,
        "packages that do not go together",
        r"\b(?:would not|won't|will not|could not|couldn't|cannot|can't|fail(?:s|ed)? to|refuse[sd]? to|no longer|did not|does not) imports?\b(?! (?:it|them|the (?:csv|file|data))\b)|\b(?-i:[a-z][\w.-]+) imports? (?:failed|fails|broke|breaks|crash\w*)\b|\b(?:abi|binary) (?:mismatch|incompatib\w+|break\w*)\b|\bcompiled (?:using|against|for|with) [^.;,]{2,30}? (?:cannot|can't|does not|not)\b|\bbuilt (?:against|for|with) (?:the |an? )?(?:old|older|wrong|other|different|newer) \w+|\b(?:in|not )compatible with (?:our |the |its )?[\w@/.-]+\b|\b(?-i:[a-z@][\w@/.-]*) v?\d[\w.]* (?:breaks|broke|no longer|dropped|removed|is incompatible)\b|\b(?:wants?|requires?|needs?|expects?|insists? on|pins?|depends on) (?-i:[A-Za-z@][\w@/.-]*)(?:@| [<>=~^]* ?)v?\d[\w.]*[^.]{0,30}?\b(?:but|while|and we|we have|blocks?|conflict)\b|\b(?:wants?|requires?|needs?|expects?) (?-i:[a-z][\w/-]*)@[\^~]?\d|\b(?:does not|doesn't|did not|won't|will not|not yet) (?:accept|support|allow|work with|like|go with) (?:[\w-]+ )?(?-i:[A-Z@]?[\w@/.-]+) v?\d[\w.]*\b(?! (?:rows|users|items|ms))|\bblock(?:s|ed|ing) (?:the |our |an? )?(?:upgrade|update|bump|move|migration) (?:to|of)\b|\blegacy-peer-deps\b|\bpeer dependency\)|\bpeer (?:conflicts?|ranges?|mismatch\w*|requirement)\b|\b(?:transitive|indirect) dependenc\w+\b[^.;]{0,50}?\b(?:stopped|broke|fail\w*|conflict\w*|clash\w*|drag\w*|pulled|break\w*)\b|\b(?:pulled|dragged|brought) (?:\S+ ){1,4}in through a (?:transitive|dependency)|\bcould not (?:be )?install(?:ed)?\b|\bnot (?:be )?installed? (?:next to|beside|together|alongside)\b|\bstopped working (?:after|since|with) (?:the )?(?:upgrade|update|bump|npm|pip|cargo|yarn)\w*|\bafter (?:the |an? )?(?-i:[a-z@][\w@/.-]+) (?:upgrade|update|bump|release)\b[^.;]{0,20}?\b(?:broke|breaks|fail\w*|stopped|crash\w*|missing)\b|\bnumpy\.dtype size changed\b|\b(?:requirements?|constraints?|ranges?) (?:conflict|clash|contradict)\w*|\bunresolvable\b|\bcould not solve the environment\b",
        whole=True,
    ),
    make_sign(
        DEPENDENCY,
        "a library that it is built with did not build or was missing",
        r"\b(?:(?-i:[a-z]\w*)-sys|node-gyp|native (?:modules?|extensions?|addons?)|prebuilt binar\w+|wheel|(?:ruby )?gem [\w-]+)\b[^.;]{0,60}?\b(?:fail\w*|(?:did|does|do|would|will|could)(?: not|n't) (?:build|compile|install|link|be (?:built|compiled))|not (?:build|compile)|broke|breaks|missing|not found|errored)\b|\b(?:fail\w*|broke|breaks|stopped|stops|(?:did|does|would)(?: not|n't) (?:build|compile))\b[^.;]{0,40}?\b(?:on|at|in|because of|with) (?-i:[a-z]\w*)-sys\b|\bcustom build command for\b|\b(?:need(?:s|ed)?|want(?:s|ed)?|require[sd]?|lack(?:s|ed)?|miss(?:es|ed)?|without) (?:the )?(?:[\w-]+ and )?(?-i:(?:lib)?[a-z0-9+]+-dev(?:el)?)\b|\binstalled (?-i:lib[a-z0-9+]+(?:-dev(?:el)?)?)\b[^.;]{0,60}?\b(?:did not|because|since|without|missing|fail\w*|needed|as )\b|\bcould not find (?:directory of |the )?(?-i:[A-Z]\w+)(?: installation|,)|\bheaders? (?:were|was|are|is) missing\b|\bbuild scripts? (?:of|for) (?-i:[a-z][\w-]+) failed\b|\bcannot find -l\w+|\bpkg-config\b[^.;]{0,30}?\b(?:missing|not found|could not)\b|\bchecksum mismatch\b|\bresolved (?:two|three|several|different) versions\b|\b(?:was|is|were) older than the generated\b|\brefused the (?:platform|engine)\b",
        whole=True,
    ),
    # Too slow.
    make_sign(
        PERFORMANCE,
        "the numbers got worse",
        rf"\bfrom \d{{2,3}} (?:fps )?(?:down )?to \d{{1,2}} ?fps\b|\b(?:drop(?:s|ped)?|fell|falls|sank|sinks|dip(?:s|ped)?|ran|runs|running|stuck|barely|only|still) (?:(?:down )?to |at |below |under |only |around |barely )+\d{{1,2}} ?(?:fps|frames)\b|\b\d{{2,3}} ?ms (?:a |per |/ ?)?frames?\b|\bframe ?rates?\b[^.;,]{{0,20}}?\b(?:drop\w*|dip\w*|fell|falls|poor|low|below|tank\w*|bad|collaps\w*|halv\w*)\b|\b(?:latency|p9\d|p50|response times?|load times?|ttfb|tti|lcp)\b[^.;<]{{0,8}}?(?<!below )(?<!under )(?<!to )\b[1-9]\d*(?:\.\d+)? ?(?:s|secs?|seconds)\b|\b[1-9]\d*(?:\.\d+)? ?(?:s|secs?|seconds) at p9\d\b|\b(?:took|takes|taking|needs?|needed) (?:(?:more than|over|almost|nearly|about|up to|around|well over) )?(?:{_NUMBER} (?:seconds|minutes|hours)\b|half an hour|an hour|ages|seconds\)|minutes\))(?! (?:now|only|instead))|\b(?:times?|duration|runtime|usage|size|footprint) (?:has |have |had )?(?:doubled|tripled|quadrupled|exploded|ballooned|crept up)\b|\b(?:is|was|are|were|got|became|gets|feels?|felt|runs|ran|went) (?:\w+ )?(?:slower|laggy|choppy|sluggish)\b(?! than (?:expected )?but fine)|\bstarted out slow\b|\b\d+ ?x slower\b|\btook over {_NUMBER} ?{_UNIT}\b|\bslow(?:ness)? (?:of|when) |\bcrawl(?:s|ed|ing)?\b(?= (?:under|with|at|on|when|once)\b)|\bbrought (?:the |our )?[\w-]+ to its knees\b",
        whole=True,
    ),
    make_sign(
        PERFORMANCE,
        "it is slow by its name",
        r"^(?:fix |fixed |fixing |still )?slow (?!quer(?:y|ies) (?:are|is|log)|mode|motion|roll|path|start)[\w/-]+(?: [\w/-]+){0,4}\.?$|\b(?:very|so|too|still|is|was|are|were) slow (?:for|on|with|when|at|in|under|to)\b",
    ),
    make_sign(
        PERFORMANCE,
        "it needs too much memory",
        r"\b(?:not|n't|no longer|hardly|barely) fit (?:in|into) (?:the |our )?(?:memory|ram|vram|heap)\b|\bkilled (?:for|because of|due to|by the) (?:out of |its )?(?:memory|oom)\b|\bkilled for memory\b|\b(?:need(?:s|ed)?|use[sd]?|took|takes|eats|ate|wants?|grew (?:to|past|beyond)|grows? (?:to|past|beyond)|reach(?:es|ed)) (?:more than|over|almost|well over|up to) \d+ ?(?:gb|gib|g)\b|\bexceed(?:s|ed|ing)? (?:the |its |our )?(?:memory|ram|heap)(?: limits?)?\b|\b(?:memory|ram|heap)\b[^.;,]{0,30}?\b(?:grew|grows|growing) (?:until|without|to|past|and|by|over)\b|\bcode 137\b|\b(?:holds?|held|keeps?|kept|loads?|loaded|reads?) (?:the )?(?:whole|entire|full) [^.;]{1,30}? in(?:to)? memory, (?:hence|so|which|therefore)|\bhence the oom\b|\bgets? (?:oom-?)?killed\b|\bran out of (?:memory|ram|vram|heap)\b|\brun(?:s|ning)? out of (?:memory|ram|vram|heap)\b|\bpauses? of \d{3,} ?ms\b",
        whole=True,
    ),
    # Open doors.
    make_sign(
        SECURITY,
        "a secret stands where it must not",
        rf"\b{_TOKENS}\b[^.;]{{0,40}}?\b(?:in|into|to|through|via) (?:the |our |old |plain |all )?(?:[\w-]+ ){{0,2}}(?:logs?|log files?|stdout|sentry|cloudwatch|kibana|splunk|datadog|url|urls|query string|repo|repository|git|bundle|wiki|client|browser history|analytics|error reports?)\b(?! (?:is|are) (?:masked|redacted|never))|\blog(?:s|ging|ger| files?| middleware| output)?\b[^.;,]{{0,30}}?\b(?:had|has|have|contain(?:s|ed)?|showed|shows|prints?|printed|leak(?:s|ed)?|expos(?:es|ed)|with|include[sd]?) (?:the )?{_TOKENS}\b|\b(?:scrubbed|purged|redacted|masked|rotated|revoked|purge|scrub)\b[^.;]{{0,30}}?\b(?:leaked|exposed|logged)\b|\bhad been (?:committed|pushed|pasted|logged|leaked)\b|\bexposed (?:the |all )?(?:users?'?s?|customers?'?) ",
        whole=True,
    ),
    make_sign(
        SECURITY,
        "a door was found open",
        r"\binjectable\b|\b(?:could|can|let|lets|allow(?:s|ed)?|able to|to)\b[^.;]{0,24}?\binject (?:sql|html|script|code|js|javascript|commands?|headers?|arbitrary)\b|\binjected (?:sql|html|scripts?|code|commands?|javascript)\b|\bprototype pollution\b|\b(?:critical|high|known|open|unpatched|severe) (?:cves?|vulnerabilit\w+|severity|advisor\w+)\b|\bcritical severity\b|\bcves?\b (?:in|for|of|against)\b|\bsecurity (?:advisor\w+|alerts?)\b(?! (?:are|is) on)|\b(?:dependabot|snyk|trivy|grype|codeql|semgrep|bandit|npm audit|pip-audit|cargo audit|audit|pentest\w*|scanner|bug bounty)\b:?[^.;]{0,40}?\b(?:alerts? for|flag(?:s|ged)|reports? (?:an?|the|critical|high)|complain\w*|found (?!0\b|no\b|none\b|nothing\b)|fail(?:s|ed)|finding|critical|reached|got in|injected|bypassed)\b|\blacked the (?:secure|httponly|samesite)\b|\b(?:was|were|is|are) (?:world[- ]|publicly |openly )?(?:public|readable by (?:anyone|everyone)|guessable|forgeable|open to (?:the world|anyone|everyone|the internet))\b|\b(?:anyone|anybody|everyone|everybody|any user|guests?|strangers?) (?:could|can|was able to|were able to) (?:read|see|download|delete|change|open|list|edit|access|reset|log|inject|call|upload)\b|\blet (?:anyone|anybody|everyone|guests?|any user|strangers?)\b|\bunescaped\b",
        whole=True,
    ),
)


_MANY = r"(?:\d[\d.,]*|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|sixty|ninety|several|many)"
_PEOPLE = r"(?:users|customers|editors|players|tenants|people|support|testers|drivers|nurses|doctors|teachers|accounting|sales|ops|qa|operators|patients|students|readers|viewers|staff|visitors|subscribers|guests|partners|buyers|sellers|browsers|clients|members|authors|agents|dispatchers|clerks|bookkeepers)"
_PERSON = r"(?:user|reviewer|client|customer|maintainer|tech lead|team lead|lead|product owner|boss|editor|designer|colleague|author)"
_MINE = r"(?:the |an? |our |my |this |that )?(?:we|i|you|they|he|she|user|team|customer|client|reviewer|maintainer|lead|boss|agent|claude|assistant|it was decided|decided|there)\b"
_KEY = r"(?:[\w.-]+ )?(?:keys?|tokens?|secrets?|passwords?|credentials?|\.env(?: file)?s?)"

NOTICED: tuple[Sign, ...] = (
    # Errors.
    make_sign(
        ERROR,
        "people came upon it",
        rf"\b{_PEOPLE}\b (?:\w+ )?(?:(?:could|can)(?: not|n't)|cannot|were unable|complain(?:s|ed)?|noticed|sent back|saw (?:\w+ ){{0,3}}(?:wrong|twice|stale|old|other)|warned|lost (?:their|all|the)|report(?:s|ed)? (?:\w+ ){{0,4}}(?:wrong|missing|out of sync|lost|twice|blank|broken|error|crash|empty|slow|fail|problem|not))",
        whole=True,
    ),
    make_sign(
        ERROR,
        "something did not do what it should",
        rf"^(?:once more |again,? |still,? |sometimes |today |now )?(?!{_MINE})(?:[\w'’/.-]+ )(?:[\w'’/.-]+ ){{0,5}}?(?:(?:did|does|would|could|do)(?: not|n't)|had not(?: been)?|was not|were not|wasn't|weren't) (?!needed|necessary|required|used|touched|changed|part|planned|included|possible (?:for|to) me|meant|allowed|asked|wanted|chosen|affected|kept|logged|shown to|require|need|have to|include|depend|change|touch|matter|contain|use|store|keep|affect|exceed|care|count|block|allow|leak|lose)\w+|^(?!{_MINE})(?:[\w'’/.-]+ ){{1,6}}?(?:lets? go|slip(?:s|ped|ping)|fell|falls off|leaves? \w+ out|skips? (?!to\b|the (?:tests|build|ci))\w+|misses (?:fresh|the|some|new|every|a)|stops at|stopped at|stopped in the middle|keeps? (?!\w+ (?:in|for|on)\b)\w+ing|never (?:switched|turned|came|arrived|reached|finished|started|got|ended|stopped)|bricked|looped|diverged|drift(?:s|ed)|jumped|flooded|overshot|overheated|deadlocked|double[ds]|disagree[ds]?)\b",
        whole=True,
    ),
    make_sign(
        ERROR,
        "it is not as it should be",
        r"\bout of sync\b(?! with (?:package|the lock))|\bdrift(?:s|ed)? apart\b|\b(?:was|were|is|are|be) (?:a |one |\d+ |some )?(?:cents?|pixels?|px|seconds?|hours?|days?|rows?|degrees|percent|%|mm|ms) (?:too|off|short|late|early|behind|ahead)\b|\b\w+s too (?:early|late|high|low|often|far|soon|big|small|loud|dark|wide|narrow)\b|\b(?:was|were|is|are|came|comes|fired?|sent|arrived?) too (?:early|late|high|low|often|big|small|loud|dark|wide|narrow|many|few)\b|\b(?:differs?|differed|deviates?) (?:from|by)\b|\bend(?:s|ed)? up (?:with|in|as|on) (?:\w+ ){0,3}(?:wrong|behind|twice|empty|negative|zero|nan|other|off|duplicat\w+)\b|\b(?:shows?|showed|shown|prints?|printed|returns?|returned|sends?|sent|gives?|gave|reports?|reported|displays?|displayed|charges?|charged|books?|booked|opens?|opened) [^.;,]{1,40}? instead of\b|\breported -\d|\b(?:missing|absent|gone|lost) (?:from|in) (?:the |our |some |search |their )|\bmissing (?:after|since|again)\b|\bunrelated (?:documents|results|rows|records)\b|\bdid not know\b|\bleft (?:\w+ ){0,2}out of\b|\ba (?:wrong|bad|broken|corrupt) [a-z]\w+|\b(?:cent|rounding) (?:differences?|errors?)\b|\bdoes not add up\b|\bin the wrong (?!hands)\w+|\btoo (?:early|late) whenever\b|\bcut off\b",
        whole=True,
    ),
    make_sign(
        ERROR,
        "something was wrong by its name",
        r"^(?!.*\b(?:is|are|was|were|will|can|gets?|falls?|turns?|goe?s?|shows?|have|has|become|stays?|count|mean|trigger)\b)(?:fix |fixed |fixing |still )?(?:wrong|incorrect|broken|duplicated?|garbled|corrupt(?:ed)?|blank|failing|flickering) (?!way|answer|tests? for|links? (?:check|report))[\w/-]+(?: [\w/-]+){0,6}\.?$|\b(?:had|has|have|with|because of|wrong|to) (?:an? |the )?wrong [a-z][\w-]+\b|\b[\w-]+ drift\b(?! (?:detect|check|report|monitor|alert))|^(?:[\w-]+ ){1,4}(?:opens?|closes?|fires?|ends?|starts?|stops?|arrives?) too (?:early|late)\.?$",
    ),
    # Corrections.
    make_sign(
        CORRECTION,
        "somebody put the agent right",
        rf"\b{_PERSON} (?:meant|clarified that|told me (?:that|to|not|again|twice)|had to tell|has to tell|told us|found (?:two|three|more|another|mistakes?|errors?))\b|\b{_PERSON} complain(?:s|ed)?\b|\b{_PERSON} (?:was|is) (?:very |quite )?(?:clear|strict|firm|annoyed|angry|upset|cross)\b|\b(?:told|reminded|asked) (?:again|twice|once more) (?:to|not|that)\b|\bhad to (?:tell|remind|correct|stop) me\b|\bafter (?-i:[A-Z][a-z]+) (?:rejected|objected|complained|corrected|vetoed|insisted|pointed out)\b|\b{_PERSON} (?:has |had )?(?:said|asked for|told me) (?:so|this|that|it)? ?(?:before|already|twice|again)\b|\b{_PERSON} rejected\b|\bi (?:took|mistook) [^.;]{{2,40}}? for\b|\bi (?:deleted|changed|edited|used|took|picked|touched) the wrong\b|\b{_PERSON} (?:had )?(?:wanted|preferred) (?:the )?[\w -]{{2,30}}\bnot\b",
        whole=True,
    ),
    # What it could not do.
    make_sign(
        GAP,
        "somebody else had to do it",
        r"\b(?:unreadable|unreachable|inaccessible|invisible|closed|locked) (?:for|to) me\b|\bi (?:have|had) no (?:means|way|possibility|chance|option) (?:of|to)\b|\b(?:i|we) (?:have|had) no (?!idea|doubt|objection|preference|opinion|problem|issue|trouble|questions?|further|more|choice|plans?)\w+|\bno way for (?:me|us)\b|^there (?:is|was) no [\w-]+ here\b|, there (?:is|was) no [\w-]+ (?:here|on this|in this)\b|\bsomebody (?:must|has to|should) (?:print|test|check|try|verify|look|listen|measure)\b|\b(?:has|have|had|needs?) to be (?:read|checked|verified|done|tested|entered|typed|looked at|confirmed|listened to) by (?:a (?:person|human)|somebody|someone|the user|hand)\b|\basked the user to (?:print|scan|type|paste|export|send|describe|dictate|upload|read|listen|look|try|test|check|verify|click|take|photograph|measure|log|open|run|confirm|do)\b(?! (?:the )?(?:in|out) for)|\b(?:the )?user (?:typed|pasted|dictated|described|read out|exported|uploaded|copied|sent me|measured|photographed)\b[^.;]{0,40}?\b(?:instead|as i|because i|for me|in by hand|out loud|since i)\b|\b(?-i:[A-Z][\w-]+) (?:is|was)(?:n't| not) available\b(?! (?:in|on|for) (?:stores|customers|users))|^no (?:licen[cs]e|account|credentials|permission|key|login|tool|ocr|microphone|camera|display|internet)\b(?: (?:for|to|here|at)\b)|\b(?:guessed|estimated|skipped|left out|left aside)\b[^.;]{0,50}?\b(?:since|because|as|unable|no way|without)\b[^.;]{0,20}?\b(?:i|unable|no|access|open|read|see)\b|\bno (?:ocr|vision|audio|display|internet|microphone|camera|gpu|screen|desktop|browser) (?:here|on this|in this|available|at hand)\b|\bso that i can (?:read|see|open|test|hear|access)\b",
        whole=True,
    ),
    # The same again.
    make_sign(
        RECURRING,
        "it comes and goes",
        r"\bcomes and goes\b|\bevery (?:other|second|third) (?:time|run|day|build|try|night|week)\b|\bhappened again\b|\bon and off\b|\btime and again\b|\b(?:third|fourth|fifth|sixth) (?:[\w-]+ ){0,3}(?:failure|outage|crash|time|incident|report)\b|\bevery (?:restore|deploy|restart|release|update|monday|night|morning|weekend|reboot|merge)\b",
        firm=False,
        whole=True,
    ),
    # What it runs on.
    make_sign(
        ENVIRONMENT,
        "it was not up, or not its own",
        r"\bwrong owner\b|\bbelong(?:s|ed)? to root\b|\bno (?:write|read) access\b(?! (?:for|is))|\bmounted read-only\b|\b(?:could|can)(?: not|n't) write to (?:its|the|their|/)|\b(?:fix|fixed|restore|repair|correct)\w* (?:the )?(?:ownership|permissions|owner)\b|\bch(?:own|mod) on\b|\b(?:volume|file|directory|folder|socket|share|mount) permissions\b(?! (?:model|table|page|are (?:documented|checked)))|\bpermissions (?:break|broke|got lost|are wrong|were wrong)\b|\bnothing (?:listen(?:s|ed)|was listening|answers|answered) (?:on|at)\b|\bno (?:kafka )?(?:brokers?|database|redis|server|queue|daemon)s? (?:available|on|was|running|at|there|up)\b|\bhad no (?:broker|database|server|redis|network|daemon)\b|\b(?-i:[A-Z][a-z]\w+) (?:was|is|were)(?:n't| not) (?:up|running|started|reachable|there)\b|\bneeds? a running\b|\b(?:container|daemon|service|broker|emulator|agent|runner) (?:had |has )?(?:exited|stopped|gone away|died|vanished)\b|\bforgot to start\b|\b(?:started|start|restart) (?-i:[A-Z]\w+) (?:first|by hand|before|automatically)\b|\b(?:tests?|suite|migrations?|worker) without (?-i:[A-Z][a-z]\w+)\b|\b(?:certificate|licen[cs]e|token|domain|subscription) (?:had |has |was )?(?:run out|expired|lapsed|not (?:been )?renewed)\b|\bon the (?:build|ci|old|test|staging) (?:box|machine|host|server|agent) (?:was|is) too\b|\b(?:shared drive|share|nas|usb stick|sd card|partition|bucket) (?:was|is|got|ran) full\b|\b(?:build box|runner|machine|host|server|box) (?:was|is) (?:too old|out of date|gone|offline|down)\b|\bstarted? without [A-Z]\w+\b",
        whole=True,
    ),
    # What it is built from.
    make_sign(
        DEPENDENCY,
        "versions that exclude each other",
        r"\b(?:different|two|several|incompatible|compatible|matching|suitable) (?:[\w/.-]+ )?versions?\b(?! of the (?:text|file|document|page|logo|design))[^.;]{0,24}?(?=$|[.;,]|for|of|at once)(?<!supports two versions)|\bexclude each other\b|\bversions? (?:[\w./-]+ ){0,6}clash\w*\b|\b(?:version|classpath|jar|dependency) clash\b|\b(?:pulls?|pulled|brings?|brought|drags?|dragged) in (?:an? |the )?(?:(?:old|older|wrong|other|second|different) )?(?-i:[A-Za-z@][\w@/.-]*) v?\d|\b(?:forced|excluded|pinned|overrode|overridden) (?:the )?(?:old |older )?(?-i:[A-Za-z@][\w@/.-]*)\b[^.;]{0,20}, (?:the )?[\w -]{2,20} (?:wants|needs|requires|pulls|brings)\b|\bexcluded the old\b|\bfits? both\b|\b(?:because|since|as) (?:it|the [\w -]{2,20}|[\w@/.-]+) (?:pins|requires|needs|wants|supports only|only supports) (?-i:[A-Za-z@][\w@/.-]*)|\bdowngraded\b[^.;]{0,50}?\b(?:because|since|as|due|until|for)\b|\b(?:stay|stick|remain|stuck|stayed|frozen|held) (?:on|at|with|back) (?-i:[A-Za-z@][\w@/.-]*) v?\d[\w.]*[^.;]{0,10}\buntil\b|\bnot compiled with\b|\b(?:wheel|wheels|package|binary|build|image)s?\b[^.;,]{0,30}?\b(?:does not|do not|did not|doesn't|don't) (?:match|fit|support)\b|\b(?:newer|older|new|latest) (?:wheels?|versions?|releases?|packages?) (?:needs?|requires?|wants?|drops?|dropped|breaks?)\b|\binstalled without\b|\b(?:does not|do not|doesn't|don't|did not) (?:match|fit|go with|work with|support) (?:our |the |its )?(?-i:[A-Z][\w.]*)(?: v?\d[\w.]*)?(?=$|[.;,]| on| in| at)|\bcould not find compatible\b|\b(?:could|can)(?: not|n't) (?:be )?resolved?\b(?! (?:the |a |this |our )?(?:issue|bug|problem|ticket|conflict|host|name))|\bpod install\b[^.;]{0,40}?\b(?:cannot|broke|fail\w*|could)|\bversion conflicts?\b|\b(?:breaks|broke) our (?:modules?|build|code|imports?|types?|config)\b|\bafter (?:the )?(?-i:[A-Z][\w.]*) (?:bump|upgrade|update)\b|\b(?-i:lib[a-z0-9]+) (?:was|is|were) missing\b|\bhad no wheel\b",
        whole=True,
    ),
    # Too slow.
    make_sign(
        PERFORMANCE,
        "people had to wait",
        rf"\b(?:needs?|needed|took|takes|taking|lasts?|lasted|runs? for|ran for|wait(?:s|ed|ing)?|waits? for|blocks?|blocked|hung|stays?|stayed|stalls?|stalled|spends?|spent)\b[^.;,]{{0,40}}?\b(?:{_MANY} ?(?:s|sec|secs|seconds|min|mins|minutes|h|hours)|minutes|hours)\b(?! (?:ago|ahead|later|before|of (?:video|audio|data|history))|[^.;]{{0,12}}\bfor review)|\b(?:takes?|took|taking) (?:so|too|very|way too|extremely|quite|forever|ages)(?: long)?\b|\bslow(?:s|ed)? down\b(?! (?:the (?:arm|motor|animation|rate|fan|video|pace|client))|on purpose)|\b{_MANY}(?:\.\d)? ?(?:s|secs?|seconds|min|minutes) (?:until|splash|delay|lag|to (?:open|load|start|render|answer|first))\b|\b(?:page|report|query|search|app|start|build|export|import|dashboard|list|job|sync|startup|load|request)s?: {_MANY} ?(?:s|min|minutes|seconds|h)\b|\b(?:bring|get|push|cut|reduce) [^.;]{{2,40}}? (?:below|under) (?:\d|a (?:second|minute))|\bscann?(?:ed|s) the whole (?:table|index|collection)\b|\bbefore and {_MANY} ?(?:s|min|ms|minutes|seconds|h) (?:now|after)\b|\bslow (?:at|in|for|on|with|when|since) ",
        firm=False,
    ),
    make_sign(
        PERFORMANCE,
        "the numbers got worse",
        r"\bfrom \d+(?:\.\d+)? ?(?:ms|s|secs?|seconds|min|minutes|mb|gb)?s? to \d+(?:\.\d+)? ?(?:ms|s|secs?|seconds|min|minutes|mb|gb)\b",
    ),
    # Open doors.
    make_sign(
        SECURITY,
        "somebody saw what was not theirs",
        rf"\b{_KEY} (?:is |was |are |were |still |had been |has been )*(?:in|inside|within|found in|pushed to|committed to|pasted into|hard-?coded in) (?:the |our |a |an |old |some |public |docker |git |commit )*(?:histor\w+|repo\w*|branch\w*|sources?|source code|code|frontend|bundle|image|wiki|chat|tickets?|screenshots?|client|apk|binary|config\.\w+)\b|\b(?:purge[d]?|remove[d]?|scrub\w*|move[d]?|took|take)\b[^.;]{{0,10}}?\b{_KEY} (?:out of|from) (?:the |our |old )*(?:git |commit )?(?:histor\w+|repo\w*|sources?|code|bundle|image|frontend)\b|\bpushed to (?:the |a )?public\b|\bhard-?coded\b[^.;]{{0,10}}?\b(?:key|token|secret|password)|\b{_KEY} hard-?coded\b|\b(?:other|another|foreign|wrong) (?:people|tenant|user|customer|compan|account|patient|client)(?:s|y|ies|'s|s')*\b[^.;]{{0,30}}?\b(?:documents?|data|invoices?|files?|orders?|records?|messages?|photos?|could|visible|opened|saw|see|read)\b|\b(?:documents?|data|invoices?|files?|orders?|records?|messages?|photos?) of (?:other|another|foreign|all) (?:tenants?|users?|customers?|people|companies|patients|accounts?)\b|\btenant \w saw\b|\b(?:passwords?|tokens?|links?|sessions?|keys?|codes?) (?:never expire[ds]?|did not expire|could be (?:used twice|reused|replayed|guessed)|(?:was|were|is|are) guessable)\b|\btake over (?:the |an? |any )?accounts?\b|\bbrute-?forc\w+\b(?! (?:protection|search|approach|solution))|\b(?:has|have|had) no rate[- ]limit\w*\b|\b(?:across|between) tenants\b|\b(?:does not|doesn't|did not|didn't|do not|never) (?:check|verify|validate)(?:s|ed)? (?:the |for |who |that )?(?:tenant|owner|ownership|signature|token|role|permission|session|origin|caller|user)\w*\b|\bby (?:changing|guessing|editing|counting up|incrementing) (?:the |an? |its )?(?:id|ids|url|number|slug|parameter|token|link)\b|\bany(?:one| user|body) (?:was|is|were) able to\b|\b(?:added|add) (?:the |a )?missing (?:ownership|permission|auth\w*|access|tenant|signature|role|csrf)\b|\bmissing (?:ownership|permission|auth\w*|access|tenant|signature|role) checks?\b|\b(?:closed|plugged) (?:the|a) (?:hole|leak|gap)\b|\bidor\b|\bcheck (?:the )?ownership (?:in|on|of|for)\b|\bexposed (?:[\w-]+ )?(?:key|token|secret|password)s?\b|\b(?:warned|alerted) (?:us )?(?:about|of) (?:an? )?(?:exposed|leaked)\b|\bsecret scann\w+ (?:report|found|flag|alert)\w*",
        whole=True,
    ),
)


_FIX = r"(?:hot)?fix(?:ed|es|ing)?|resolv(?:e[sd]?|ing)|solv(?:e[sd]?|ing)|debug(?:ged|ging)?|patch(?:ed|ing)?|repair(?:ed|ing)?|work(?:ed|ing)? around|troubleshoot\w*|investigat(?:e[sd]?|ing)|track(?:ed|ing)? down|trac(?:ed|ing)|diagnos\w+|reproduc(?:ed|ing)|find out why|figure[d]? out why|root[- ]caused?|look(?:ed|ing)? into|hunt(?:ed|ing)? down|chas(?:ed|ing)"
_SECRET = r"(?:secrets?|(?:api |access |private |signing |aws |ssh )?keys?|passwords?|(?:access |api )?tokens?|credentials?|(?-i:PII)|personal data|customer data|(?:e-?mail|ip|home) address(?:es)?|phone numbers?|[A-Z_]*(?:SECRET|TOKEN|PASSWORD|_KEY)[A-Z_]*)"
_TOOL = r"(?:npm|pnpm|yarn|bun|pip3?|poetry|uv|cargo|bundler?|composer|conda|go mod|brew|apt(?:-get)?|maven|mvn|gradle|nuget|cocoapods|pod|pub)"
_SERVICE = r"(?:docker|daemon|redis|postgres\w*|mysql|mariadb|mongo\w*|rabbitmq|kafka|minio|elasticsearch|colima|podman|minikube|emulator|database|db|broker|server|service|vpn|container|localstack|nginx)"
_UNABLE = r"(?:could not|couldn't|can't|cannot|can not|unable to|(?:was|were|am|is|are)(?: not|n't) able to|i'm not able to|had no way (?:of|to)|have no way (?:of|to)|no way to|impossible to)"

SIGNS: tuple[Sign, ...] = (
    *IMPLIED,
    *NOTICED,
    # Errors.
    make_sign(
        ERROR,
        "something failed",
        r"\bcrash(?:ed|es|ing)\b|\bfail(?:s|ed|ing)\b|\berrored(?: out)?\b|\bbroke\b|\bbreaks\b|\b(?:is|are|was|were|got|been) broken\b|\bblew up\b|\bwent down\b|\bstopped (?:working|arriving|responding|updating|sending|syncing|firing|showing|loading|receiving|playing|compiling|building|rendering)\b|\bstays? (?:open|stuck|empty|disabled|blank|loading)\b|\b(?:does(?: not|n't)|did(?: not|n't)|is(?: not|n't)|not) work(?:ing)?\b|\b(?:won't|will not|would not|wouldn't|did not|didn't|doesn't|cannot|can't|could not|couldn't) (?:build|compile|boot|deploy|start|launch|be deployed|save|render|load)\b|\bnever (?:passed|started|fired|arrived|finished|ran)\b|\b(?:got|gets|is|was|were|are) stuck\b|\bstuck in\b"
        r"|\b[1-9]\d* (?:tests? |specs? |checks? )?(?:failed|failing|failures?|errors?)\b|\bthr(?:ows|ew)\b|\bundefined behaviou?r\b|\bmismatch\b|\brolled back\b(?! to| on)|\b(?:die[sd]|dying)\b|\bw(?:ent|as going) wrong\b|\bgoes wrong\b|\bloses? (?:focus|state|its|the|all|data|my|track)\b|\boff by (?:one|a|\d)\b|\b(?:disappear|vanish)(?:s|es|ed|ing)\b|\b(?:charged|sent|ran|runs|fired|fires|called|saved|inserted|posted|rendered|submitted) (?:it |them |the \w+ )?twice\b|\bdouble[- ](?:charg|book|count|send|submit|post)\w*|\b(?:does(?: not|n't)|did(?: not|n't)|do(?: not|n't)|never) (?:show|appear|respond|arrive|update|refresh|fire|trigger|persist|finish|apply|propagate|sync|match|reload|open|close|scroll|resume|reconnect)\w*\b|\b(?:is|are|was|were|came out|looks?|looked|still) (?:wrong|incorrect|inconsistent|corrupt|unreadable|misaligned|cut off|garbage|unusable)\b|\brefuse[sd]? to (?:start|build|boot|compile|run|load|open|parse|install)\b|\b(?:unable|failed) to (?:start|build|boot|compile|parse|load|render|deploy|decode|save|open)\b|\bchoke[sd]? on\b|\baborted\b|\bbailed out\b|\b(?:ci|pipeline|build|main|master) (?:is |was |went |turned |stayed |has been )?red\b|\bdoes nothing\b|\bno longer (?:work|build|start|compile|load|open|pass)\w*|\bflicker(?:s|ed|ing)?\b|\boverlap(?:s|ped)\b|\bwent (?:missing|blank|offline)\b|\bgot lost\b|\b(?:was|were) lost\b|\bmisbehav\w+|\bgave up after\b|\breturn(?:s|ed) (?:nothing|garbage|an empty|stale|the wrong)\b|\b(?:never|no \w+ ever) arriv\w+|\bcannot read propert",
        whole=True,
    ),
    make_sign(
        ERROR,
        "an error is named",
        r"\bcrash\b|\bfailures?\b|\bbugs?\b|\bflak(?:y|iness)\b|\bdeadlock(?:s|ed)?\b|\brace conditions?\b|\bdata (?:loss|corruption)\b|\bcorrupt(?:ed|s|ion)\b|\bregressions?\b|\boff-by-(?:one|1)\b|\binfinite (?:loop|redirect|recursion)s?\b|\b(?:endless|redirect) loop\b|\bmemory corruption\b|\bduplicate key\b|\bcircular import\b|\bflakes?\b|\b(?:integer|buffer|counter|arithmetic) (?:over|under)flows?\b|\bunderflows?\b|\bnull pointers?\b|\bNPEs?\b|\b(?:import|build|syntax|type|compile|compilation|linker|lint|console|runtime|server|internal server|network|hydration|cors|parse|parsing|validation|config\w*|deploy\w*|unexpected|weird|strange) errors?\b|\boutage\b|\bbroken (?=links?|builds?|tests?|images?|pipelines?|imports?|layouts?|migrations?|state)|\b(?:the|an|this|that|same|following|of|with) (?:\w+ )?error\b(?= (?:in|on|when|while|from|after|during|again|about|that|was|is)\b)|\berrors? (?:in|on|when|while|from|after|during) \w|\b(?:overwrote|lost) (?:the|my|our|users?'?|all|some|data|updates|changes)\b|\bwhite screen\b|\bblank (?:page|screen)\b|\bmemory safety\b|\bcors\b(?= (?:trouble|issue|problem|block))|\bmerge conflicts?\b|\b(?:wrong|incorrect) (?:result|total|value|output|amount|order|date|time|status|count|sum|price|data|rows?|user|page|response|number|timestamp)s?\b",
        firm=False,
    ),
    make_sign(
        ERROR,
        "a fault was looked into or fixed",
        rf"\b(?:{_FIX})\b[^.;]{{0,60}}?\b(?:bugs?|issues?|problems?|errors?|crash\w*|faults?|glitch\w*|leaks?|broken|wrong|incorrect\w*|lost|duplicated|stale|not \w+ing|disappear\w*|vanish\w*|hid|misalign\w*|inconsisten\w*|unresponsive|double[- ]\w+ing)\b",
    ),
    # Corrections.
    make_sign(
        CORRECTION,
        "somebody corrected the agent",
        r"\b(?:user|reviewer|client|customer|maintainer|tech lead|lead|product owner|he|she|they|i was|agent was|was|were|been|got)\b[^.;,:]{0,24}?\b(?:(?<!being )(?<!be )corrected(?! (?:version|by))|objected|rejected the|complained|pointed out|insisted)\b|\bcorrection (?:by|from) the\b|\bcorrected(?: by\b|:)|\b(?:was|were|been|got) (?:told|reminded|asked)(?: again| twice)? (?:to|that|not|by)\b|\b(?:the )?user (?:said|told me|wrote|asked|wanted)\b[^.;]{0,16}?\b(?:no|not|stop (?=\w+ing\b)|wrong|don't|instead)\b|\buser correction\b|\breviewer (?:rejected|asked for)\b|\b(?:user|reviewer) asked (?:me |the agent )?to (?:redo|revert|undo|start over)\b",
    ),
    make_sign(
        CORRECTION,
        "work had to be done again",
        r"\b(?:redid|redone|re-did)\b|\bhad to (?:redo|be redone|rewrite|be rewritten|rework|be reworked|revert|be reverted|undo|start over|throw away)\b|\b(?:rework(?:ed)?|rewr(?:ote|itten)|revert(?:ed)?|undid)\b[^.;]{0,60}?\b(?:because|since|after|as) [^.;]{0,40}?\b(?:wrong|misread|misunderst\w+|first|rejected|objected|not what|mistake|asked)\b|\b(?:wrongly|mistakenly|incorrectly|erroneously) (?:assumed|used|changed|deleted|edited|placed|put|took|removed|named|added)\b|\b(?:assumed|thought|guessed)\b[^.;]{2,50}?\bbut\b|\bmis(?:understood|read|interpreted)\b|\bby mistake\b|\bstart(?:ed)? (?:over|again from scratch)\b|\b(?:based|modell?ed|built|worked) (?:on|after|from|off) the wrong\b|\bwrong (?:assumption|branch|spec|requirement)s?\b|\bbacked out\b|\b(?:not|wasn't|weren't) what (?:the user|they|he|she|was) (?:wanted|asked|meant|had in mind)\w*|\buser (?:did not|didn't) want\b|\buser (?:had )?(?:wanted|expected|meant|asked for)\b[^.;]{2,40}?(?:, (?:i|we|not|but)\b|\b(?:but|not|instead of)\b)|\b(?:scrapped|threw away|thrown away|discarded) (?:the )?(?:first|my|previous|initial|whole|earlier)\b|\b(?:first|initial|previous) (?:attempt|version|approach|draft|implementation|solution|guess) (?:was|had been|turned out)? ?(?:wrong|rejected|incorrect|off|discarded|not)\w*|\bmy mistake\b|\bi was wrong\b|\byou(?:'re| are) right[,.—– ]+(?:i|that|the|it|my|sorry)\b",
        whole=True,
    ),
    make_sign(
        CORRECTION,
        "the user corrected the agent",
        r"^(?:\W*(?:no+|nope|hm+|ugh|argh|hey|sorry|but|ok|wait|please|again|well)[\s,.:!—–-]+)*(?:stop (?!the\b|all\b|a\b|an\b|it when|using the)\w+ing\b|that's not (?:what|how|right|it|correct|the)|that is not (?:what|how|right|correct|the)|this is not what|not what i (?:asked|wanted|meant|said)|i (?:said|meant|told you|asked (?:you )?(?:for|to)|wanted)\b[^.?]{2,80}?(?:,? (?:not|but you|and you|instead of)\b)|undo (?:that|this|it)\b|revert (?:that|this|your)\b|you (?:\w+ )?(?:deleted|changed|broke|removed|edited|used|forgot|missed|ignored|misunderstood|misread|put|wrote|touched|picked|took|overwrote)\b|i (?:already |just )?told you\b|i didn't ask (?:for|you)\b|don't touch\b|wrong (?:file|function|branch|one|place|directory|table|approach|way)\b|put (?:it|them|that|those) back\b|why (?:did|do|are|have|would) you (?:\w+ )?(?:delet|remov|chang|touch|renam|rewrit|rewrot|reformat|add|skip|ignor|drop|mov|commit|push|break|broke|us)\w*\b)",
        spoken=True,
        whole=True,
    ),
    # What it could not do.
    make_sign(
        GAP,
        "it could not be done",
        rf"\b{_UNABLE} (?:be )?(?:actually |really |fully )?(?:verif|check|access|open(?!ed)|see (?:the |any )?(?:image|screen|design|output|log|ui\b|page|render|result|pictur)|view|reproduc|test(?!s)|updat|take|taken|capture|sign\b|signed\b|signing|confirm|brows|inspect|evaluat|measur|transcrib|translat|recogni|log ?in|listen|watch|screenshot|run the app|read the|fetch the|query the|download the|figure out|find (?:any )?(?:docs|documentation|information)|determine|do (?:that|this|it) (?:here|from)|complete|finish|implement|automat)\w*(?! (?:than|the agent))",
        whole=True,
    ),
    make_sign(
        GAP,
        "something it would need is not there",
        r"\bno (?!(?:\w+ )?(?:brokers?|space|memory|servers?|versions?|data)\b)(?:[\w.+#/-]+ ){0,3}(?:available|installed|at hand|configured|on this machine|on this box|in (?:this|the) (?:sandbox|environment))\b(?<!errors available)|\bno (?:[\w.+#-]+ ){0,2}(?:tools?|mcp(?: servers?)?|simulators?|emulators?|browsers?|plugins?|integrations?|gpus?|test devices?|devices?) (?:to|for|on|here|is|was|exists?|that)\b|\b(?:don't|do not|didn't|did not|doesn't|does not|haven't|hasn't) (?:really )?(?:have (?:any |a |an |the )?(?:(?:\w+ )?tools?\b|access\b|ability|means|way|permission to|knowledge|browser|vision)|know (?:how|the|about|anything|enough|what)|understand the (?!user))|\bnot familiar with\b|\bnot supported (?:by|in) (?:the |this |my |our )?(?:agent|tool\w*|sandbox|environment|assistant|cli|harness|here)\b|\black(?:s|ed|ing)? (?:the )?(?:support|ability|tools?|knowledge|access|capabilit\w+)\b|\bno (?:support|knowledge|documentation) (?:for|of|about|on)\b|\bbeyond (?:my|its|the agent's) (?:abilit|capabilit|knowledge)\w+|\bmissing capabilit\w+|\bcapability gap\b|\bhad to be done (?:by hand|manually)\b|\bhas no (?:tool|way|api|support|access)\b|\bnot (?:possible|available|accessible|reachable) (?:from here|from the sandbox|in (?:this|the) (?:sandbox|environment|session)|to the agent)\b|\boutside (?:my|the agent's|its) (?:reach|abilit\w+|capabilit\w+)\b|\bno (?:credentials|account|login) (?:for|to)\b|\b(?:user|human|person|somebody|someone) (?:had|has|needs|needed) to (?:do|run|click|upload|download|check|verify|test) (?:it|this|that)\b",
        whole=True,
    ),
    # The same again.
    make_sign(
        RECURRING,
        "it has come back",
        r"\brecurr(?:ing|ed|ence|ent|s)\b(?! (?:task|job|payment|invoice|event|billing|meeting|subscription|order|revenue|charge|donation|schedul)\w*)|\b(?:is|are|was|were|came|comes|come|bug|issue|problem|error) back\b(?! (?:up|to|online|from|in|end|office|button|into|at)\b)|\b(?:second|third|fourth|fifth|sixth|\d(?:nd|rd|th)) time\b|\b(?:second|third|fourth|fifth) (?:\w+ )?(?:flake|failure|crash|outage|time-?out|incident|rollback)\b|\bnot the first time\b|\b(?:the )?same (?:\w+ ){0,3}?(?:errors?|issues?|problems?|trouble|bugs?|failures?|crash|conflict|clash|mess)\b|\bkeeps? (?:on )?(?:happening|coming back|returning|reappearing|popping up|failing|crashing|breaking|timing out)\b|\bkept (?:on )?(?:happening|failing|crashing|breaking|coming back|timing out)\b|\breoccur\w*|\bresurfac\w+|\breappear(?:ed|s|ing)\b|\bagain and again\b|\bover and over\b|\b(?:old|known|familiar|perennial|long-standing|chronic) (?:problem|issue|trouble|bug|friend)\b|\bstruck again\b|\brepeated(?:ly)? (?:fail|crash|break|error|time)\w*",
        whole=True,
    ),
    make_sign(
        RECURRING,
        "again, of a trouble",
        r"\bagain\b|\bonce more\b|\byet another\b|\bas (?:before|last time|last week|yesterday)\b|\bas with the last\b|\bsame (?:\w+ ){0,3}as (?:last|before|yesterday)\b|\bonce again\b|\byet again\b|\bevery (?:single )?time\b|\brepeatedly\b|\bstill (?=fail|broken|crash|not|doesn't|does not|can't|cannot|won't|getting|the same|slow|happen|see|throw|timing|times out|leak|missing|wrong|refus|error)|\bpersist(?:s|ed|ent|ing)\b",
        firm=False,
        whole=True,
    ),
    # What it runs on.
    make_sign(
        ENVIRONMENT,
        "a port or an address was taken",
        r"\b(?:port|address)\b(?: :?\d{2,5})?[^.;,]{0,24}?\b(?:in use|taken|occupied|blocked|busy|bound|clash\w*|conflict\w*)\b|\bport (?:conflict|clash|collision)s?\b",
    ),
    make_sign(
        ENVIRONMENT,
        "something it needs did not run",
        rf"\b{_SERVICE}\b[^.;,]{{0,24}}?\b(?:(?:was|is|were|are)(?:n't| not)(?: up| yet)? (?:running|started|up|reachable|available|installed)\b|not (?:running|started|up)\b|(?:was|were|is) (?:down|stopped|offline|unreachable)\b|did(?:n't| not) (?:start|come up)|would(?:n't| not) start)|(?<!\bi )\b(?:can't|cannot|could not|couldn't|unable to|failed to) (?:connect to|reach) (?:the )?[\w.-]+|\bforgot to start\b|\bno (?:redis|postgres|mysql|docker|database|broker|emulator) (?:was |is )?(?:up|running)\b",
    ),
    make_sign(
        ENVIRONMENT,
        "a setting of the surroundings was missing or wrong",
        r"(?-i:\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b)[^.;,]{0,30}?\b(?:(?:was|is|were|are|been)(?:n't| not)? (?:\w+ )?(?:set|exported|defined|passed|missing|unset|empty|undefined|wrong|stale)|not set|unset|missing|pointed (?:nowhere|to)|was never)\b|\b(?:missing|unset|wrong|undefined|forgot\w*|stale)\b[^.;,]{0,20}?(?-i:\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b)|\b(?:env(?:ironment)? (?:var\w*|variables?)|envs?|PATH)\b[^.;,]{0,30}?\b(?:missing|unset|not (?:set|loaded|passed|exported|picked up)|(?:was|were)n't (?:set|loaded|passed)|never (?:set|loaded|passed)|lacked|wrong)\b|\bmissing (?:the )?env(?:ironment)?\b(?: var\w*)?|\bnot (?:on|in) (?:the |my |its )?\$?PATH\b",
        whole=True,
    ),
    make_sign(
        ENVIRONMENT,
        "the disk, rights, or limits of a machine",
        r"\b(?:disk|volume|partition|drive|inodes?)\b[^.;,]{0,20}?\b(?:full|out of space|exhausted|filled up)\b|\bout of disk\b|\bran out of (?:disk|space|inodes)\b|\b(?:wrong|missing|insufficient|lacked|lacking) (?:file |write |read |directory )?permissions?\b(?! check)|\b(?:lacked|lacks|without|missing|lacking) (?:the )?[\w:./-]+ (?:scope|role|permission|privilege)s?\b|\bpermissions? (?:problem|issue|error|trouble)s?\b|\bno (?:write |read )?permission\b|\bnot writable\b|\bowned by root\b|\bulimit\b[^.;]{0,20}\btoo\b|\bclock (?:skew|drift)\b|\bquota exceeded\b",
        whole=True,
    ),
    make_sign(
        ENVIRONMENT,
        "the wrong version or kind of machine",
        r"\bwrong (?:\w+ )?(?:node|python|java|jdk|go|ruby|php|rust|runtime|kube\w*|kernel|arch\w*|os|shell|locale|timezone|interpreter|virtualenv|venv|context|cluster)\b|\b(?:node|python|java|jdk|ruby|php|xcode|glibc|runtime)(?:\.js)? version (?:was |is |were )?(?:wrong|too old|outdated|mismatch\w*|differ\w*)|\bonly (?:pass|work|run|build|compile|reproduce|fail)\w* on (?:linux|mac\w*|windows|ci|arm|x86|wsl)\b|\b(?:on|under) (?:windows|wsl|macos|alpine|arm64|m1)\b[^.;]{0,40}\b(?:breaks?|broke|fails?|failed|differ\w*|crash\w*|does(?: not|n't) work)\b|\bnot found in (?:the )?(?:\w+ )?(?:image|container|runner|path|shell)\b|\bgarbled\b|\bmojibake\b|\bcrlf\b[^.;]{0,30}\b(?:broke|break|fail|wrong|diff)\w*|\bpick(?:s|ed|ing)? up the (?:system|wrong|global|old|host)\b|\bwork(?:s|ed)? (?:fine )?(?:locally|on my machine)\b[^.;]{0,20}\b(?:but|not)\b|\bonly (?:happens|fails|breaks|crashes|occurs) (?:on|in) (?:ci|prod\w*|staging|docker|the container)\b|\b(?:wrong|different) (?:cpu )?architecture\b|\b(?:stale|old|leftover) (?:docker )?(?:volume|container|image|socket|pid file|process)\b[^.;]{0,30}\b(?:block|kept|held|broke|caus|confus|still|prevent)\w*|\b[a-z][\w-]+ (?:is|was|were) (?:not|n't)? ?(?:not )?(?:installed|missing|available) (?:on|in|from) (?:the |this |my )?(?:\w+ )?(?:machine|runner|server|box|image|container|host|agent)\b|\b(?:sso|aws|gcloud|vpn|login|session|credentials?|kubeconfig) (?:session |token |login )?(?:had |has |have |was |were )?expired\b|\bnot logged in(?:to)?\b|\.env\b[^.;,]{0,12}\b(?:missing|not loaded|stale|wrong|was(?:n't| not))|\bclock\b[^.;,]{0,16}\b(?:wrong|off|ahead|behind|drifted)\b|\bpointed to the wrong (?:context|cluster|host|environment|database)\b",
        whole=True,
    ),
    make_sign(
        ENVIRONMENT,
        "the network between",
        r"\bcertificates?\b[^.;,]{0,30}?\b(?:reject\w*|expired|invalid|untrusted|not trusted|verif\w+ failed|fail\w*)\b|\bself-signed\b[^.;,]{0,30}?\b(?:reject\w*|refus\w*|fail\w*|error)\b|\b(?:proxy|firewall|vpn)\b[^.;]{0,40}?\b(?:block\w*|swallow\w*|intercept\w*|reject\w*|broke|breaks|fail\w*|drop\w*|refus\w*|prevent\w*|times? out|in the way|cut)\b|\bdns\b[^.;,]{0,20}?\b(?:fail\w*|broke\w*|wrong|not resolv\w*|error)\b|\b(?:with|there was|there is|got) no network\b|\bnetwork (?:was|is) (?:down|unreachable)\b",
    ),
    # What it is built from.
    make_sign(
        DEPENDENCY,
        "versions that do not go together",
        r"\bpeer[- ]dep\w*\b[^.;,]{0,24}?\b(?:conflict\w*|clash\w*|mismatch\w*|error|issue|problem|warning|broke\w*|block\w*|fail\w*|unmet)\b|\b(?:conflict\w*|clash\w*|mismatch\w*|unmet)\b[^.;,]{0,20}?\bpeer[- ]dep|\b(?:requires?|wants?|needs?|expects?)\b[^.;]{0,30}?\bpeer[- ]dep\w*|\bversion (?:conflict|clash|mismatch|incompatib)\w*|\b(?:conflicting|mismatched|incompatible) (?:\w+ )?(?:versions?|dependenc\w+|packages?|release)\b|\bdependency (?:conflict|clash|hell|issue|problem|mismatch|resolution fail|error|cycle|broke)\w*|\bcannot be installed together\b|\b(?:is|was|are|were|be) (?:not compatible with|incompatible)\b|\b(?:upgrad\w+|bump\w*|updat(?:e|ed|ing) to|updating) (?:\w\S* ){1,5}?(?:broke|breaks)\b",
    ),
    make_sign(
        DEPENDENCY,
        "something to install is missing",
        rf"\bmissing (?:\w+ )?(?:dependenc\w+|packages?|modules?|librar(?:y|ies)|gems?|crates?|headers?)\b|\b(?-i:lib[a-z0-9]{{2,20}}(?:-dev|-devel))\b[^.;,]{{0,20}}?\bmissing\b|\b(?:package|module|library|dependency|gem|crate|[a-z][\w-]{{2,24}}) (?:was|is|were|are)(?:n't| not) installed\b|\b{_TOOL}\b(?: [^.;,]{{0,16}}?\b(?:i|install\w*|ci|add|sync|update|upgrade|resolve|lock|get|tidy|restore|fetch|pull|download)\b[^.;,]{{0,24}}?)? (?:\w+ )?\b(?:fail\w*|broke\w*|errored|could(?: not|n't)|refus\w*)\b|\bcould(?: not|n't) (?:be )?(?:install|resolve)(?:ed)?\b(?! host)|\byanked\b|\bunpublished\b|\b(?:two|three|multiple|several|duplicate|different) (?:versions?|copies) of [@`]?[\w./-]+|\bcould(?: not|n't) find (?:a |any )?(?:wheel|matching|compatible|version)\b|\bno matching (?:version|distribution)\b|\bno (?:prebuilt )?(?:wheel|binary|binaries) for\b|\bno longer (?:exists|published|available) (?:on|in) (?:npm|pypi|crates|the registry|maven)\b",
    ),
    make_sign(
        DEPENDENCY,
        "a lock file or a registry",
        r"\block ?file\b[^.;,]{0,30}?\b(?:out of (?:sync|date)|conflict\w*|mismatch\w*|outdated|stale|broken|drift\w*|corrupt\w*)\b|\b(?:package-lock|yarn\.lock|pnpm-lock|poetry\.lock|uv\.lock|Cargo\.lock|go\.sum|Gemfile\.lock)\S*[^.;,]{0,30}?\b(?:mismatch\w*|out of (?:sync|date)|conflict\w*|stale|broken|corrupt\w*)\b|\bout of sync with package\.json|(?<!push to )(?<!push to the )(?<!pushing to )\bregistr(?:y|ies)\b[^.;,]{0,30}?\b(?:40\d|50\d|down|unavailable|unreachable|refused|timed out|time-?out|fail\w*|auth\w* error)\b|\b(?:checksum|integrity|hash) (?:mismatch|check failed)\b|\b40[134] from \S{0,40}(?:artifactory|nexus|registry|npmjs|pypi|crates)",
    ),
    # Too slow.
    make_sign(
        PERFORMANCE,
        "it was slow",
        r"\b(?:too|so|very|really|painfully|extremely|terribly|unbearably|awfully|is|was|are|were|gets?|got|became|becoming|ran|runs|running|far too|getting|how|still|remains|so) slow(?:ly|er)?\b(?! down)|\bslow(?:[- ]running)? (?:quer(?:y|ies)|sql|start-?up|builds?|loads?|loading|pages?|responses?|lists?|starts?|tests?|test suite|suite|ci|endpoints?|renders?|rendering|search|imports?|exports?|compile|install|pipeline|boot|joins?|api|requests?|scroll\w*|first|cold|dashboard|\w+ (?:page|list|query|endpoint|screen|build))\b|\bslow\w*downs?\b|\bsluggish\b|\blagg?(?:y|ed|s|ing)\b|\bjank\w*|\bstutter\w*|\bdropped frames\b|\bdrops? frames\b|\bunresponsive\b|\bfreez(?:es|ing)\b|\bfroze\b|\b(?:hung|hangs|hanging)\b(?! (?:on to|out))|\bbottlenecks?\b|\bfull table scans?\b|\bslow(?:er)?(?=$|[,.:;)]| (?:on|for|in|with|under|after|because|since|as)\b)|\b(?:too many|hundreds of|thousands of) quer(?:y|ies)\b|\bnever finish(?:es|ed)\b|\b(?:gc|garbage collection|stop-the-world) pauses?\b|\bcrawl(?:s|ed)\b(?! (?:the|all|every|\d|pages?|sites?))|\b(?:hogs?|hogged|eats?|ate|eating) (?:up )?(?:all |the |\d+ ?\w+ (?:of )?)?(?:memory|ram|cpu)\b|\bperformance (?:problem|issue|regression|degradation|drop|bug)s?\b|\b(?:took|takes|taking) (?:forever|ages|too long|over |more than |up to |about |almost )?(?:\d[\d.,]* ?(?:s|sec|secs|seconds|min|mins|minutes|h|hours)\b|forever|ages|too long)",
        firm=False,
    ),
    make_sign(
        PERFORMANCE,
        "it ran out of time",
        r"\btim(?:ed|es|ing) out\b|\btime-?outs?\b (?=(?:on|in|after|from|when|calling|while|talking|during|at|again)\b)|\b(?:hit|hits|ran into|kept hitting|request|gateway|query|connection|with|due to|build|read|frequent|random|intermittent|constant) (?:a |an |the )?time-?outs?\b(?! (?:of|is|to|for|set\w*|config\w*|value|policy|param\w*|handling|option|=))",
    ),
    make_sign(
        PERFORMANCE,
        "it used too much",
        r"\bout of memory\b|\bmemory leaks?\b|\bleak(?:s|ed|ing)? (?:memory|connections?|file (?:handles|descriptors)|goroutines?|threads?|listeners?)\b|\b(?:goroutine|connection|listener|handle|thread) leaks?\b|\bmemory (?:usage )?(?:blew|blows|grew|grows|climb\w*|spik\w*|exhaust\w*|kept growing|explod\w*)|\b(?:latency|response times?|load|cpu|memory|p9\d|p50|rtt)\b[^.;,]{0,24}?\b(?:spik\w+|jumped|doubled|tripled|rose|shot up|went up|degrad\w+|regress\w+|climb\w*)|\b(?:100|9\d) ?% cpu\b|\bcpu\b[^.;,]{0,16}?\b(?:at (?:100|9\d)|pegged|maxed|saturated)|\bhigh (?:cpu|memory|load|latency)\b|\bpool (?:was |is |got )?exhaust\w*|\bthrashing\b",
        firm=False,
    ),
    # Open doors.
    make_sign(
        SECURITY,
        "a way in",
        r"\b(?:sql|command|code|html|header|template|ldap|nosql|shell|log|prompt)[ -]injections?\b|\b(?:stored |reflected |dom(?:-based)? )?xss\b|\bcross-site scripting\b|\bopen redirects?\b|\bpath traversal\b|\bdirectory traversal\b|\bssrf\b|\brce\b|\bremote code execution\b|\bidor\b|\bprivilege escalation\b|\bauth(?:entication|orization)? bypass\b|\bsecurity (?:issue|hole|bug|flaw|incident|problem|vulnerabilit\w+|gap)s?\b|\bvulnerabilit(?:y|ies)\b|\bvulnerable\b|\binsecure (?:deserializ|default|direct|random|cookie|config)\w*|\bcsrf (?:vulnerab|attack|hole|issue|problem)\w*",
        firm=False,
    ),
    make_sign(
        SECURITY,
        "a protection was missing",
        r"\bcsrf\b[^.;,]{0,30}?\b(?:disabled|missing|off|not (?:checked|enabled|verified)|absent|turned off|skipped)\b|\b(?:no|missing|without|lacked|lacking|skipped|forgot\w*)\b (?:any |the |an? )?(?:csrf|auth\w*|ownership|permission|access|tenant|signature|rate[- ]limit)\b[^.;,]{0,16}?\b(?:check\w*|token|protection|validation|verification|guard)?\b(?<=\w{3})(?= (?:on|in|for|check|token|protection|guard|at)|$|[.,;:])|\b(?:auth\w*|ownership|permission|access|tenant|signature) (?:check|guard|validation|verification)s? (?:was|were|is|are) (?:missing|skipped|absent|never|not)\b|\b(?:any(?:one|body)|every(?:one|body)|any (?:logged[- ]in )?users?|unauthenticated users?|guests?|other tenants?) could\b|\bother (?:tenants?|users?|customers?)'? (?:\w+ )?(?:data|invoices|orders|files|records)\b|\b(?:reachable|accessible|callable|readable|exposed|worked|open) (?:\w+ ){0,2}?without (?:a |any )?(?:token|login|password|auth\w*|session|key|credentials)\b|\bwithout (?:any )?(?:authentication|authorization|logging in|a login)\b|\b(?:publicly|world)[- ](?:accessible|readable|writable|exposed)\b|\bpublic (?:s3 )?bucket\b|\b(?:publicly|openly) (?:readable|writable|listed|available)\b|\bcould be (?:spoofed|forged|guessed|bypassed|brute-?forced|enumerated|tampered)\b|\b(?:signature|jwt|token|origin|webhook)s?\b[^.;,]{0,16}\b(?:was|were|is|are)(?: not|n't) (?:verified|checked|validated)\b|\b(?:unescaped|unsanitised|unsanitized) (?:user )?(?:input|html|output)\b|\bpasswords? (?:were |was |are )?(?:stored |hashed |kept )?(?:in |with |as )?(?:plain ?text|md5|sha-?1)\b|\bunauthenticated (?:access|endpoint|request)s?\b",
        whole=True,
    ),
    make_sign(
        SECURITY,
        "a secret got out",
        rf"\b{_SECRET}\b(?! (?:rotation|management|manager))[^.;]{{0,40}}?\b(?:leak(?:ed|s|ing)?|(?:was|were|been|got|is|are|accidentally) (?:\w+ )?(?:committed|exposed|pushed|logged|printed|checked in|hard-?coded|stolen|public)|committed (?:in|to)|checked in(?:to)?|in (?:the )?(?:git )?history|in plain ?text|in clear ?text|printed to|exposed|visible in the (?:log|repo|bundle))\b|\bhard-?coded\b[^.;,]{{0,20}}?\b{_SECRET}\b|\b(?:leak(?:ed|s|ing)?|expos(?:ed|es|ing)|committed)\b[^.;,]{{0,20}}?\b{_SECRET}\b|\bleaked\b[^.;]{{0,30}}?\b{_SECRET}\b",
    ),
)

HARMLESS = (
    r"\bfail(?:s|ed|ing)?[- ]?(?:over|fast|safe|open|closed|soft|early)\b|\bfails? the (?:build|pipeline|job|check|ci|merge)\b|\bwhat (?:has )?(?:failed|fails|broke|breaks|crashe[sd])\b"
    r"|\bfailed (?!tests?\b|builds?\b|checks\b|assertions\b|deploy\w*)(?:\w+ ){0,1}(?:jobs|requests|webhooks|orders|logins?|attempts?|uploads|messages|payments|items|rows|records|tasks|events|deliver\w+|emails|transactions|calls|writes|imports)\b"
    r"|\b(?:no|any) (?:problems?|worries|issues?|biggie)(?=[,.! ]*(?:$|thanks|at all|with that|here))|\bbreaking changes?\b|\bbreak(?:s|ing)? (?:down|out|up|even)\b|\bafter (?:\d+|two|three|four|five|six|ten|several|n|repeated|too many) (?:consecutive |failed )?(?:failures|errors|crashes|time-?outs)\b|\bon (?:\w+ )?(?:errors?|failure|time-?out|crash)\b(?! (?:in|at)\b)|\bcrash courses?\b|\bissue (?:tracker|template|board|link|list|number)\b|\bbug ?(?:fix release|bounty)\b|\bdebug\w* (?:mode|log\w*|flag|build|symbols|endpoint|panel|toolbar|output|info)\b"
    r"|\bretry(?:ing)? (?:on|after) \w+|\bcorrect(?:ness)?\b|\bhung (?:up|over)\b|\bwithout (?:a )?(?:hitch|issue|problem)s?\b|\b(?:dead[- ]letter)\b|\bslow(?:ly)? (?:roll\w*|ramp\w*|mode|motion|path)\b|\b(?:logistic|linear|ridge|lasso|poisson|quantile) regressions?\b|\bregression (?:models?|lines?|analysis)\b|\berror-(?:free|prone|first)\b|\bexception to the\b|\bwith the exception\b|\bthr(?:ows?|ew|own) (?:light|away|out)\b|\bwarnings? (?:are|as|become) errors\b|\bbroke (?:ground|(?:it|them|(?:the|an?|our) [\w-]+) (?:up|into|down))\b|\bflaky[- ]tests? (?:retr\w+|detect\w+|dashboard|reports?)\b|\b(?:which|what|whether) (?:[\w-]+ ){0,3}(?:is|are|was|were) (?:wrong|missing|broken|slow|incorrect)\b"
    r"|\b(?:no|without|zero|not (?:a|one) single) (?:[\w-]+ ){0,3}(?:was|were|is|are|got|went|being) (?:lost|dropped|missing|damaged|affected|rejected|stuck|broken)\b|\b(?:once|until|when|as soon as|after) [^.,;]{1,30} (?:is|are|was|were) back\b|\b(?:slow|failed|refused|rejected|invalid|timed[- ]out|dropped|broken) (?:[\w-]+ )?(?:quer(?:y|ies)|connections?|logins?|requests?|jobs?|calls?|rows?|links?|images?|payments?|attempts?) (?:now )?(?:is|are|get|gets|will be) (?:now )?(?:logged|counted|retried|shown|recorded|collected|tracked|measured|listed|marked|queued|answered)\b"
)
"""What only looks like trouble: handling it, testing for it, none of it."""
