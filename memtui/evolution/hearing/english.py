"""What trouble sounds like in English. A sign sees one sentence."""

from __future__ import annotations

from memtui.evolution.hearing.implied import IMPLIED
from memtui.evolution.hearing.noticed import NOTICED
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

_FIX = r"(?:hot)?fix(?:ed|es|ing)?|resolv(?:e[sd]?|ing)|solv(?:e[sd]?|ing)|debug(?:ged|ging)?|patch(?:ed|ing)?|repair(?:ed|ing)?|work(?:ed|ing)? around|troubleshoot\w*|investigat(?:e[sd]?|ing)|track(?:ed|ing)? down|trac(?:ed|ing)|diagnos\w+|reproduc(?:ed|ing)|find out why|figure[d]? out why|root[- ]caused?|look(?:ed|ing)? into|hunt(?:ed|ing)? down|chas(?:ed|ing)"
_SECRET = r"(?:secrets?|(?:api |access |private |signing |aws |ssh )?keys?|passwords?|(?:access |api )?tokens?|credentials?|(?-i:PII)|personal data|customer data|(?:e-?mail|ip|home) address(?:es)?|phone numbers?|[A-Z_]*(?:SECRET|TOKEN|PASSWORD|_KEY)[A-Z_]*)"
_TOOL = r"(?:npm|pnpm|yarn|bun|pip3?|poetry|uv|cargo|bundler?|composer|conda|go mod|brew|apt(?:-get)?|maven|mvn|gradle|nuget|cocoapods|pod|pub)"
_SERVICE = r"(?:docker|daemon|redis|postgres\w*|mysql|mariadb|mongo\w*|rabbitmq|kafka|minio|elasticsearch|colima|podman|minikube|emulator|database|db|broker|server|service|vpn|container|localstack|nginx)"
_UNABLE = r"(?:could not|couldn't|can't|cannot|can not|unable to|(?:was|were|am|is|are)(?: not|n't) able to|i'm not able to|had no way (?:of|to)|have no way (?:of|to)|no way to|impossible to)"

ENGLISH: tuple[Sign, ...] = (
    *IMPLIED,
    *NOTICED,
    # Errors.
    sign(
        ERROR,
        "something failed",
        r"\bcrash(?:ed|es|ing)\b|\bfail(?:s|ed|ing)\b|\berrored(?: out)?\b|\bbroke\b|\bbreaks\b|\b(?:is|are|was|were|got|been) broken\b|\bblew up\b|\bwent down\b|\bstopped (?:working|arriving|responding|updating|sending|syncing|firing|showing|loading|receiving|playing|compiling|building|rendering)\b|\bstays? (?:open|stuck|empty|disabled|blank|loading)\b|\b(?:does(?: not|n't)|did(?: not|n't)|is(?: not|n't)|not) work(?:ing)?\b|\b(?:won't|will not|would not|wouldn't|did not|didn't|doesn't|cannot|can't|could not|couldn't) (?:build|compile|boot|deploy|start|launch|be deployed|save|render|load)\b|\bnever (?:passed|started|fired|arrived|finished|ran)\b|\b(?:got|gets|is|was|were|are) stuck\b|\bstuck in\b"
        r"|\b[1-9]\d* (?:tests? |specs? |checks? )?(?:failed|failing|failures?|errors?)\b|\bthr(?:ows|ew)\b|\bundefined behaviou?r\b|\bmismatch\b|\brolled back\b(?! to| on)|\b(?:die[sd]|dying)\b|\bw(?:ent|as going) wrong\b|\bgoes wrong\b|\bloses? (?:focus|state|its|the|all|data|my|track)\b|\boff by (?:one|a|\d)\b|\b(?:disappear|vanish)(?:s|es|ed|ing)\b|\b(?:charged|sent|ran|runs|fired|fires|called|saved|inserted|posted|rendered|submitted) (?:it |them |the \w+ )?twice\b|\bdouble[- ](?:charg|book|count|send|submit|post)\w*|\b(?:does(?: not|n't)|did(?: not|n't)|do(?: not|n't)|never) (?:show|appear|respond|arrive|update|refresh|fire|trigger|persist|finish|apply|propagate|sync|match|reload|open|close|scroll|resume|reconnect)\w*\b|\b(?:is|are|was|were|came out|looks?|looked|still) (?:wrong|incorrect|inconsistent|corrupt|unreadable|misaligned|cut off|garbage|unusable)\b|\brefuse[sd]? to (?:start|build|boot|compile|run|load|open|parse|install)\b|\b(?:unable|failed) to (?:start|build|boot|compile|parse|load|render|deploy|decode|save|open)\b|\bchoke[sd]? on\b|\baborted\b|\bbailed out\b|\b(?:ci|pipeline|build|main|master) (?:is |was |went |turned |stayed |has been )?red\b|\bdoes nothing\b|\bno longer (?:work|build|start|compile|load|open|pass)\w*|\bflicker(?:s|ed|ing)?\b|\boverlap(?:s|ped)\b|\bwent (?:missing|blank|offline)\b|\bgot lost\b|\b(?:was|were) lost\b|\bmisbehav\w+|\bgave up after\b|\breturn(?:s|ed) (?:nothing|garbage|an empty|stale|the wrong)\b|\b(?:never|no \w+ ever) arriv\w+|\bcannot read propert",
        whole=True,
    ),
    sign(
        ERROR,
        "an error is named",
        r"\bcrash\b|\bfailures?\b|\bbugs?\b|\bflak(?:y|iness)\b|\bdeadlock(?:s|ed)?\b|\brace conditions?\b|\bdata (?:loss|corruption)\b|\bcorrupt(?:ed|s|ion)\b|\bregressions?\b|\boff-by-(?:one|1)\b|\binfinite (?:loop|redirect|recursion)s?\b|\b(?:endless|redirect) loop\b|\bmemory corruption\b|\bduplicate key\b|\bcircular import\b|\bflakes?\b|\b(?:integer|buffer|counter|arithmetic) (?:over|under)flows?\b|\bunderflows?\b|\bnull pointers?\b|\bNPEs?\b|\b(?:import|build|syntax|type|compile|compilation|linker|lint|console|runtime|server|internal server|network|hydration|cors|parse|parsing|validation|config\w*|deploy\w*|unexpected|weird|strange) errors?\b|\boutage\b|\bbroken (?=links?|builds?|tests?|images?|pipelines?|imports?|layouts?|migrations?|state)|\b(?:the|an|this|that|same|following|of|with) (?:\w+ )?error\b(?= (?:in|on|when|while|from|after|during|again|about|that|was|is)\b)|\berrors? (?:in|on|when|while|from|after|during) \w|\b(?:overwrote|lost) (?:the|my|our|users?'?|all|some|data|updates|changes)\b|\bwhite screen\b|\bblank (?:page|screen)\b|\bmemory safety\b|\bcors\b(?= (?:trouble|issue|problem|block))|\bmerge conflicts?\b|\b(?:wrong|incorrect) (?:result|total|value|output|amount|order|date|time|status|count|sum|price|data|rows?|user|page|response|number|timestamp)s?\b",
        firm=False,
    ),
    sign(
        ERROR,
        "a fault was looked into or fixed",
        rf"\b(?:{_FIX})\b[^.;]{{0,60}}?\b(?:bugs?|issues?|problems?|errors?|crash\w*|faults?|glitch\w*|leaks?|broken|wrong|incorrect\w*|lost|duplicated|stale|not \w+ing|disappear\w*|vanish\w*|hid|misalign\w*|inconsisten\w*|unresponsive|double[- ]\w+ing)\b",
    ),
    # Corrections.
    sign(
        CORRECTION,
        "somebody corrected the agent",
        r"\b(?:user|reviewer|client|customer|maintainer|tech lead|lead|product owner|he|she|they|i was|agent was|was|were|been|got)\b[^.;,:]{0,24}?\b(?:(?<!being )(?<!be )corrected(?! (?:version|by))|objected|rejected the|complained|pointed out|insisted)\b|\bcorrection (?:by|from) the\b|\bcorrected(?: by\b|:)|\b(?:was|were|been|got) (?:told|reminded|asked)(?: again| twice)? (?:to|that|not|by)\b|\b(?:the )?user (?:said|told me|wrote|asked|wanted)\b[^.;]{0,16}?\b(?:no|not|stop (?=\w+ing\b)|wrong|don't|instead)\b|\buser correction\b|\breviewer (?:rejected|asked for)\b|\b(?:user|reviewer) asked (?:me |the agent )?to (?:redo|revert|undo|start over)\b",
    ),
    sign(
        CORRECTION,
        "work had to be done again",
        r"\b(?:redid|redone|re-did)\b|\bhad to (?:redo|be redone|rewrite|be rewritten|rework|be reworked|revert|be reverted|undo|start over|throw away)\b|\b(?:rework(?:ed)?|rewr(?:ote|itten)|revert(?:ed)?|undid)\b[^.;]{0,60}?\b(?:because|since|after|as) [^.;]{0,40}?\b(?:wrong|misread|misunderst\w+|first|rejected|objected|not what|mistake|asked)\b|\b(?:wrongly|mistakenly|incorrectly|erroneously) (?:assumed|used|changed|deleted|edited|placed|put|took|removed|named|added)\b|\b(?:assumed|thought|guessed)\b[^.;]{2,50}?\bbut\b|\bmis(?:understood|read|interpreted)\b|\bby mistake\b|\bstart(?:ed)? (?:over|again from scratch)\b|\b(?:based|modell?ed|built|worked) (?:on|after|from|off) the wrong\b|\bwrong (?:assumption|branch|spec|requirement)s?\b|\bbacked out\b|\b(?:not|wasn't|weren't) what (?:the user|they|he|she|was) (?:wanted|asked|meant|had in mind)\w*|\buser (?:did not|didn't) want\b|\buser (?:had )?(?:wanted|expected|meant|asked for)\b[^.;]{2,40}?(?:, (?:i|we|not|but)\b|\b(?:but|not|instead of)\b)|\b(?:scrapped|threw away|thrown away|discarded) (?:the )?(?:first|my|previous|initial|whole|earlier)\b|\b(?:first|initial|previous) (?:attempt|version|approach|draft|implementation|solution|guess) (?:was|had been|turned out)? ?(?:wrong|rejected|incorrect|off|discarded|not)\w*|\bmy mistake\b|\bi was wrong\b|\byou(?:'re| are) right[,.—– ]+(?:i|that|the|it|my|sorry)\b",
        whole=True,
    ),
    sign(
        CORRECTION,
        "the user corrected the agent",
        r"^(?:\W*(?:no+|nope|hm+|ugh|argh|hey|sorry|but|ok|wait|please|again|well)[\s,.:!—–-]+)*(?:stop (?!the\b|all\b|a\b|an\b|it when|using the)\w+ing\b|that's not (?:what|how|right|it|correct|the)|that is not (?:what|how|right|correct|the)|this is not what|not what i (?:asked|wanted|meant|said)|i (?:said|meant|told you|asked (?:you )?(?:for|to)|wanted)\b[^.?]{2,80}?(?:,? (?:not|but you|and you|instead of)\b)|undo (?:that|this|it)\b|revert (?:that|this|your)\b|you (?:\w+ )?(?:deleted|changed|broke|removed|edited|used|forgot|missed|ignored|misunderstood|misread|put|wrote|touched|picked|took|overwrote)\b|i (?:already |just )?told you\b|i didn't ask (?:for|you)\b|don't touch\b|wrong (?:file|function|branch|one|place|directory|table|approach|way)\b|put (?:it|them|that|those) back\b|why (?:did|do|are|have|would) you (?:\w+ )?(?:delet|remov|chang|touch|renam|rewrit|rewrot|reformat|add|skip|ignor|drop|mov|commit|push|break|broke|us)\w*\b)",
        spoken=True,
        whole=True,
    ),
    # What it could not do.
    sign(
        GAP,
        "it could not be done",
        rf"\b{_UNABLE} (?:be )?(?:actually |really |fully )?(?:verif|check|access|open(?!ed)|see (?:the |any )?(?:image|screen|design|output|log|ui\b|page|render|result|pictur)|view|reproduc|test(?!s)|updat|take|taken|capture|sign\b|signed\b|signing|confirm|brows|inspect|evaluat|measur|transcrib|translat|recogni|log ?in|listen|watch|screenshot|run the app|read the|fetch the|query the|download the|figure out|find (?:any )?(?:docs|documentation|information)|determine|do (?:that|this|it) (?:here|from)|complete|finish|implement|automat)\w*(?! (?:than|the agent))",
        whole=True,
    ),
    sign(
        GAP,
        "something it would need is not there",
        r"\bno (?!(?:\w+ )?(?:brokers?|space|memory|servers?|versions?|data)\b)(?:[\w.+#/-]+ ){0,3}(?:available|installed|at hand|configured|on this machine|on this box|in (?:this|the) (?:sandbox|environment))\b(?<!errors available)|\bno (?:[\w.+#-]+ ){0,2}(?:tools?|mcp(?: servers?)?|simulators?|emulators?|browsers?|plugins?|integrations?|gpus?|test devices?|devices?) (?:to|for|on|here|is|was|exists?|that)\b|\b(?:don't|do not|didn't|did not|doesn't|does not|haven't|hasn't) (?:really )?(?:have (?:any |a |an |the )?(?:(?:\w+ )?tools?\b|access\b|ability|means|way|permission to|knowledge|browser|vision)|know (?:how|the|about|anything|enough|what)|understand the (?!user))|\bnot familiar with\b|\bnot supported (?:by|in) (?:the |this |my |our )?(?:agent|tool\w*|sandbox|environment|assistant|cli|harness|here)\b|\black(?:s|ed|ing)? (?:the )?(?:support|ability|tools?|knowledge|access|capabilit\w+)\b|\bno (?:support|knowledge|documentation) (?:for|of|about|on)\b|\bbeyond (?:my|its|the agent's) (?:abilit|capabilit|knowledge)\w+|\bmissing capabilit\w+|\bcapability gap\b|\bhad to be done (?:by hand|manually)\b|\bhas no (?:tool|way|api|support|access)\b|\bnot (?:possible|available|accessible|reachable) (?:from here|from the sandbox|in (?:this|the) (?:sandbox|environment|session)|to the agent)\b|\boutside (?:my|the agent's|its) (?:reach|abilit\w+|capabilit\w+)\b|\bno (?:credentials|account|login) (?:for|to)\b|\b(?:user|human|person|somebody|someone) (?:had|has|needs|needed) to (?:do|run|click|upload|download|check|verify|test) (?:it|this|that)\b",
        whole=True,
    ),
    # The same again.
    sign(
        RECURRING,
        "it has come back",
        r"\brecurr(?:ing|ed|ence|ent|s)\b(?! (?:task|job|payment|invoice|event|billing|meeting|subscription|order|revenue|charge|donation|schedul)\w*)|\b(?:is|are|was|were|came|comes|come|bug|issue|problem|error) back\b(?! (?:up|to|online|from|in|end|office|button|into|at)\b)|\b(?:second|third|fourth|fifth|sixth|\d(?:nd|rd|th)) time\b|\b(?:second|third|fourth|fifth) (?:\w+ )?(?:flake|failure|crash|outage|time-?out|incident|rollback)\b|\bnot the first time\b|\b(?:the )?same (?:\w+ ){0,3}?(?:errors?|issues?|problems?|trouble|bugs?|failures?|crash|conflict|clash|mess)\b|\bkeeps? (?:on )?(?:happening|coming back|returning|reappearing|popping up|failing|crashing|breaking|timing out)\b|\bkept (?:on )?(?:happening|failing|crashing|breaking|coming back|timing out)\b|\breoccur\w*|\bresurfac\w+|\breappear(?:ed|s|ing)\b|\bagain and again\b|\bover and over\b|\b(?:old|known|familiar|perennial|long-standing|chronic) (?:problem|issue|trouble|bug|friend)\b|\bstruck again\b|\brepeated(?:ly)? (?:fail|crash|break|error|time)\w*",
        whole=True,
    ),
    sign(
        RECURRING,
        "again, of a trouble",
        r"\bagain\b|\bonce more\b|\byet another\b|\bas (?:before|last time|last week|yesterday)\b|\bas with the last\b|\bsame (?:\w+ ){0,3}as (?:last|before|yesterday)\b|\bonce again\b|\byet again\b|\bevery (?:single )?time\b|\brepeatedly\b|\bstill (?=fail|broken|crash|not|doesn't|does not|can't|cannot|won't|getting|the same|slow|happen|see|throw|timing|times out|leak|missing|wrong|refus|error)|\bpersist(?:s|ed|ent|ing)\b",
        firm=False,
        whole=True,
    ),
    # What it runs on.
    sign(
        ENVIRONMENT,
        "a port or an address was taken",
        r"\b(?:port|address)\b(?: :?\d{2,5})?[^.;,]{0,24}?\b(?:in use|taken|occupied|blocked|busy|bound|clash\w*|conflict\w*)\b|\bport (?:conflict|clash|collision)s?\b",
    ),
    sign(
        ENVIRONMENT,
        "something it needs did not run",
        rf"\b{_SERVICE}\b[^.;,]{{0,24}}?\b(?:(?:was|is|were|are)(?:n't| not)(?: up| yet)? (?:running|started|up|reachable|available|installed)\b|not (?:running|started|up)\b|(?:was|were|is) (?:down|stopped|offline|unreachable)\b|did(?:n't| not) (?:start|come up)|would(?:n't| not) start)|(?<!\bi )\b(?:can't|cannot|could not|couldn't|unable to|failed to) (?:connect to|reach) (?:the )?[\w.-]+|\bforgot to start\b|\bno (?:redis|postgres|mysql|docker|database|broker|emulator) (?:was |is )?(?:up|running)\b",
    ),
    sign(
        ENVIRONMENT,
        "a setting of the surroundings was missing or wrong",
        r"(?-i:\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b)[^.;,]{0,30}?\b(?:(?:was|is|were|are|been)(?:n't| not)? (?:\w+ )?(?:set|exported|defined|passed|missing|unset|empty|undefined|wrong|stale)|not set|unset|missing|pointed (?:nowhere|to)|was never)\b|\b(?:missing|unset|wrong|undefined|forgot\w*|stale)\b[^.;,]{0,20}?(?-i:\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b)|\b(?:env(?:ironment)? (?:var\w*|variables?)|envs?|PATH)\b[^.;,]{0,30}?\b(?:missing|unset|not (?:set|loaded|passed|exported|picked up)|(?:was|were)n't (?:set|loaded|passed)|never (?:set|loaded|passed)|lacked|wrong)\b|\bmissing (?:the )?env(?:ironment)?\b(?: var\w*)?|\bnot (?:on|in) (?:the |my |its )?\$?PATH\b",
        whole=True,
    ),
    sign(
        ENVIRONMENT,
        "the disk, rights, or limits of a machine",
        r"\b(?:disk|volume|partition|drive|inodes?)\b[^.;,]{0,20}?\b(?:full|out of space|exhausted|filled up)\b|\bout of disk\b|\bran out of (?:disk|space|inodes)\b|\b(?:wrong|missing|insufficient|lacked|lacking) (?:file |write |read |directory )?permissions?\b(?! check)|\b(?:lacked|lacks|without|missing|lacking) (?:the )?[\w:./-]+ (?:scope|role|permission|privilege)s?\b|\bpermissions? (?:problem|issue|error|trouble)s?\b|\bno (?:write |read )?permission\b|\bnot writable\b|\bowned by root\b|\bulimit\b[^.;]{0,20}\btoo\b|\bclock (?:skew|drift)\b|\bquota exceeded\b",
        whole=True,
    ),
    sign(
        ENVIRONMENT,
        "the wrong version or kind of machine",
        r"\bwrong (?:\w+ )?(?:node|python|java|jdk|go|ruby|php|rust|runtime|kube\w*|kernel|arch\w*|os|shell|locale|timezone|interpreter|virtualenv|venv|context|cluster)\b|\b(?:node|python|java|jdk|ruby|php|xcode|glibc|runtime)(?:\.js)? version (?:was |is |were )?(?:wrong|too old|outdated|mismatch\w*|differ\w*)|\bonly (?:pass|work|run|build|compile|reproduce|fail)\w* on (?:linux|mac\w*|windows|ci|arm|x86|wsl)\b|\b(?:on|under) (?:windows|wsl|macos|alpine|arm64|m1)\b[^.;]{0,40}\b(?:breaks?|broke|fails?|failed|differ\w*|crash\w*|does(?: not|n't) work)\b|\bnot found in (?:the )?(?:\w+ )?(?:image|container|runner|path|shell)\b|\bgarbled\b|\bmojibake\b|\bcrlf\b[^.;]{0,30}\b(?:broke|break|fail|wrong|diff)\w*|\bpick(?:s|ed|ing)? up the (?:system|wrong|global|old|host)\b|\bwork(?:s|ed)? (?:fine )?(?:locally|on my machine)\b[^.;]{0,20}\b(?:but|not)\b|\bonly (?:happens|fails|breaks|crashes|occurs) (?:on|in) (?:ci|prod\w*|staging|docker|the container)\b|\b(?:wrong|different) (?:cpu )?architecture\b|\b(?:stale|old|leftover) (?:docker )?(?:volume|container|image|socket|pid file|process)\b[^.;]{0,30}\b(?:block|kept|held|broke|caus|confus|still|prevent)\w*|\b[a-z][\w-]+ (?:is|was|were) (?:not|n't)? ?(?:not )?(?:installed|missing|available) (?:on|in|from) (?:the |this |my )?(?:\w+ )?(?:machine|runner|server|box|image|container|host|agent)\b|\b(?:sso|aws|gcloud|vpn|login|session|credentials?|kubeconfig) (?:session |token |login )?(?:had |has |have |was |were )?expired\b|\bnot logged in(?:to)?\b|\.env\b[^.;,]{0,12}\b(?:missing|not loaded|stale|wrong|was(?:n't| not))|\bclock\b[^.;,]{0,16}\b(?:wrong|off|ahead|behind|drifted)\b|\bpointed to the wrong (?:context|cluster|host|environment|database)\b",
        whole=True,
    ),
    sign(
        ENVIRONMENT,
        "the network between",
        r"\bcertificates?\b[^.;,]{0,30}?\b(?:reject\w*|expired|invalid|untrusted|not trusted|verif\w+ failed|fail\w*)\b|\bself-signed\b[^.;,]{0,30}?\b(?:reject\w*|refus\w*|fail\w*|error)\b|\b(?:proxy|firewall|vpn)\b[^.;]{0,40}?\b(?:block\w*|swallow\w*|intercept\w*|reject\w*|broke|breaks|fail\w*|drop\w*|refus\w*|prevent\w*|times? out|in the way|cut)\b|\bdns\b[^.;,]{0,20}?\b(?:fail\w*|broke\w*|wrong|not resolv\w*|error)\b|\b(?:with|there was|there is|got) no network\b|\bnetwork (?:was|is) (?:down|unreachable)\b",
    ),
    # What it is built from.
    sign(
        DEPENDENCY,
        "versions that do not go together",
        r"\bpeer[- ]dep\w*\b[^.;,]{0,24}?\b(?:conflict\w*|clash\w*|mismatch\w*|error|issue|problem|warning|broke\w*|block\w*|fail\w*|unmet)\b|\b(?:conflict\w*|clash\w*|mismatch\w*|unmet)\b[^.;,]{0,20}?\bpeer[- ]dep|\b(?:requires?|wants?|needs?|expects?)\b[^.;]{0,30}?\bpeer[- ]dep\w*|\bversion (?:conflict|clash|mismatch|incompatib)\w*|\b(?:conflicting|mismatched|incompatible) (?:\w+ )?(?:versions?|dependenc\w+|packages?|release)\b|\bdependency (?:conflict|clash|hell|issue|problem|mismatch|resolution fail|error|cycle|broke)\w*|\bcannot be installed together\b|\b(?:is|was|are|were|be) (?:not compatible with|incompatible)\b|\b(?:upgrad\w+|bump\w*|updat(?:e|ed|ing) to|updating) (?:\w\S* ){1,5}?(?:broke|breaks)\b",
    ),
    sign(
        DEPENDENCY,
        "something to install is missing",
        rf"\bmissing (?:\w+ )?(?:dependenc\w+|packages?|modules?|librar(?:y|ies)|gems?|crates?|headers?)\b|\b(?-i:lib[a-z0-9]{{2,20}}(?:-dev|-devel))\b[^.;,]{{0,20}}?\bmissing\b|\b(?:package|module|library|dependency|gem|crate|[a-z][\w-]{{2,24}}) (?:was|is|were|are)(?:n't| not) installed\b|\b{_TOOL}\b(?: [^.;,]{{0,16}}?\b(?:i|install\w*|ci|add|sync|update|upgrade|resolve|lock|get|tidy|restore|fetch|pull|download)\b[^.;,]{{0,24}}?)? (?:\w+ )?\b(?:fail\w*|broke\w*|errored|could(?: not|n't)|refus\w*)\b|\bcould(?: not|n't) (?:be )?(?:install|resolve)(?:ed)?\b(?! host)|\byanked\b|\bunpublished\b|\b(?:two|three|multiple|several|duplicate|different) (?:versions?|copies) of [@`]?[\w./-]+|\bcould(?: not|n't) find (?:a |any )?(?:wheel|matching|compatible|version)\b|\bno matching (?:version|distribution)\b|\bno (?:prebuilt )?(?:wheel|binary|binaries) for\b|\bno longer (?:exists|published|available) (?:on|in) (?:npm|pypi|crates|the registry|maven)\b",
    ),
    sign(
        DEPENDENCY,
        "a lock file or a registry",
        r"\block ?file\b[^.;,]{0,30}?\b(?:out of (?:sync|date)|conflict\w*|mismatch\w*|outdated|stale|broken|drift\w*|corrupt\w*)\b|\b(?:package-lock|yarn\.lock|pnpm-lock|poetry\.lock|uv\.lock|Cargo\.lock|go\.sum|Gemfile\.lock)\S*[^.;,]{0,30}?\b(?:mismatch\w*|out of (?:sync|date)|conflict\w*|stale|broken|corrupt\w*)\b|\bout of sync with package\.json|(?<!push to )(?<!push to the )(?<!pushing to )\bregistr(?:y|ies)\b[^.;,]{0,30}?\b(?:40\d|50\d|down|unavailable|unreachable|refused|timed out|time-?out|fail\w*|auth\w* error)\b|\b(?:checksum|integrity|hash) (?:mismatch|check failed)\b|\b40[134] from \S{0,40}(?:artifactory|nexus|registry|npmjs|pypi|crates)",
    ),
    # Too slow.
    sign(
        PERFORMANCE,
        "it was slow",
        r"\b(?:too|so|very|really|painfully|extremely|terribly|unbearably|awfully|is|was|are|were|gets?|got|became|becoming|ran|runs|running|far too|getting|how|still|remains|so) slow(?:ly|er)?\b(?! down)|\bslow(?:[- ]running)? (?:quer(?:y|ies)|sql|start-?up|builds?|loads?|loading|pages?|responses?|lists?|starts?|tests?|test suite|suite|ci|endpoints?|renders?|rendering|search|imports?|exports?|compile|install|pipeline|boot|joins?|api|requests?|scroll\w*|first|cold|dashboard|\w+ (?:page|list|query|endpoint|screen|build))\b|\bslow\w*downs?\b|\bsluggish\b|\blagg?(?:y|ed|s|ing)\b|\bjank\w*|\bstutter\w*|\bdropped frames\b|\bdrops? frames\b|\bunresponsive\b|\bfreez(?:es|ing)\b|\bfroze\b|\b(?:hung|hangs|hanging)\b(?! (?:on to|out))|\bbottlenecks?\b|\bfull table scans?\b|\bslow(?:er)?(?=$|[,.:;)]| (?:on|for|in|with|under|after|because|since|as)\b)|\b(?:too many|hundreds of|thousands of) quer(?:y|ies)\b|\bnever finish(?:es|ed)\b|\b(?:gc|garbage collection|stop-the-world) pauses?\b|\bcrawl(?:s|ed)\b(?! (?:the|all|every|\d|pages?|sites?))|\b(?:hogs?|hogged|eats?|ate|eating) (?:up )?(?:all |the |\d+ ?\w+ (?:of )?)?(?:memory|ram|cpu)\b|\bperformance (?:problem|issue|regression|degradation|drop|bug)s?\b|\b(?:took|takes|taking) (?:forever|ages|too long|over |more than |up to |about |almost )?(?:\d[\d.,]* ?(?:s|sec|secs|seconds|min|mins|minutes|h|hours)\b|forever|ages|too long)",
        firm=False,
    ),
    sign(
        PERFORMANCE,
        "it ran out of time",
        r"\btim(?:ed|es|ing) out\b|\btime-?outs?\b (?=(?:on|in|after|from|when|calling|while|talking|during|at|again)\b)|\b(?:hit|hits|ran into|kept hitting|request|gateway|query|connection|with|due to|build|read|frequent|random|intermittent|constant) (?:a |an |the )?time-?outs?\b(?! (?:of|is|to|for|set\w*|config\w*|value|policy|param\w*|handling|option|=))",
    ),
    sign(
        PERFORMANCE,
        "it used too much",
        r"\bout of memory\b|\bmemory leaks?\b|\bleak(?:s|ed|ing)? (?:memory|connections?|file (?:handles|descriptors)|goroutines?|threads?|listeners?)\b|\b(?:goroutine|connection|listener|handle|thread) leaks?\b|\bmemory (?:usage )?(?:blew|blows|grew|grows|climb\w*|spik\w*|exhaust\w*|kept growing|explod\w*)|\b(?:latency|response times?|load|cpu|memory|p9\d|p50|rtt)\b[^.;,]{0,24}?\b(?:spik\w+|jumped|doubled|tripled|rose|shot up|went up|degrad\w+|regress\w+|climb\w*)|\b(?:100|9\d) ?% cpu\b|\bcpu\b[^.;,]{0,16}?\b(?:at (?:100|9\d)|pegged|maxed|saturated)|\bhigh (?:cpu|memory|load|latency)\b|\bpool (?:was |is |got )?exhaust\w*|\bthrashing\b",
        firm=False,
    ),
    # Open doors.
    sign(
        SECURITY,
        "a way in",
        r"\b(?:sql|command|code|html|header|template|ldap|nosql|shell|log|prompt)[ -]injections?\b|\b(?:stored |reflected |dom(?:-based)? )?xss\b|\bcross-site scripting\b|\bopen redirects?\b|\bpath traversal\b|\bdirectory traversal\b|\bssrf\b|\brce\b|\bremote code execution\b|\bidor\b|\bprivilege escalation\b|\bauth(?:entication|orization)? bypass\b|\bsecurity (?:issue|hole|bug|flaw|incident|problem|vulnerabilit\w+|gap)s?\b|\bvulnerabilit(?:y|ies)\b|\bvulnerable\b|\binsecure (?:deserializ|default|direct|random|cookie|config)\w*|\bcsrf (?:vulnerab|attack|hole|issue|problem)\w*",
        firm=False,
    ),
    sign(
        SECURITY,
        "a protection was missing",
        r"\bcsrf\b[^.;,]{0,30}?\b(?:disabled|missing|off|not (?:checked|enabled|verified)|absent|turned off|skipped)\b|\b(?:no|missing|without|lacked|lacking|skipped|forgot\w*)\b (?:any |the |an? )?(?:csrf|auth\w*|ownership|permission|access|tenant|signature|rate[- ]limit)\b[^.;,]{0,16}?\b(?:check\w*|token|protection|validation|verification|guard)?\b(?<=\w{3})(?= (?:on|in|for|check|token|protection|guard|at)|$|[.,;:])|\b(?:auth\w*|ownership|permission|access|tenant|signature) (?:check|guard|validation|verification)s? (?:was|were|is|are) (?:missing|skipped|absent|never|not)\b|\b(?:any(?:one|body)|every(?:one|body)|any (?:logged[- ]in )?users?|unauthenticated users?|guests?|other tenants?) could\b|\bother (?:tenants?|users?|customers?)'? (?:\w+ )?(?:data|invoices|orders|files|records)\b|\b(?:reachable|accessible|callable|readable|exposed|worked|open) (?:\w+ ){0,2}?without (?:a |any )?(?:token|login|password|auth\w*|session|key|credentials)\b|\bwithout (?:any )?(?:authentication|authorization|logging in|a login)\b|\b(?:publicly|world)[- ](?:accessible|readable|writable|exposed)\b|\bpublic (?:s3 )?bucket\b|\b(?:publicly|openly) (?:readable|writable|listed|available)\b|\bcould be (?:spoofed|forged|guessed|bypassed|brute-?forced|enumerated|tampered)\b|\b(?:signature|jwt|token|origin|webhook)s?\b[^.;,]{0,16}\b(?:was|were|is|are)(?: not|n't) (?:verified|checked|validated)\b|\b(?:unescaped|unsanitised|unsanitized) (?:user )?(?:input|html|output)\b|\bpasswords? (?:were |was |are )?(?:stored |hashed |kept )?(?:in |with |as )?(?:plain ?text|md5|sha-?1)\b|\bunauthenticated (?:access|endpoint|request)s?\b",
        whole=True,
    ),
    sign(
        SECURITY,
        "a secret got out",
        rf"\b{_SECRET}\b(?! (?:rotation|management|manager))[^.;]{{0,40}}?\b(?:leak(?:ed|s|ing)?|(?:was|were|been|got|is|are|accidentally) (?:\w+ )?(?:committed|exposed|pushed|logged|printed|checked in|hard-?coded|stolen|public)|committed (?:in|to)|checked in(?:to)?|in (?:the )?(?:git )?history|in plain ?text|in clear ?text|printed to|exposed|visible in the (?:log|repo|bundle))\b|\bhard-?coded\b[^.;,]{{0,20}}?\b{_SECRET}\b|\b(?:leak(?:ed|s|ing)?|expos(?:ed|es|ing)|committed)\b[^.;,]{{0,20}}?\b{_SECRET}\b|\bleaked\b[^.;]{{0,30}}?\b{_SECRET}\b",
    ),
)
