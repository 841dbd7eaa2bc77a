"""A name for what trouble is about: the same name for the same trouble in other words, in English and in Chinese.

It is an error's class or code, else the kind of trouble, then the most specific name beside it: an identifier,
a package, a service, else a thing that people speak of. What varies (numbers, paths, addresses of hosts) is
left out. Chinese has no dictionary here: words that tell of trouble, people and work are cut away, and of what
is left the stretch nearest to the trouble is the name.

The words that tell one trouble from another: what a line is about, without the words for trouble itself.

English words by their stem, identifiers by their parts, Chinese by pairs of characters.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from memtui.core.startup import compile_pattern
from memtui.core.text import CJK_RUN, HAN
from memtui.language.conversation import SIGNALS
from memtui.language.items import find_entities
from memtui.language.trouble_kinds import ANSWERS, CODES, CORRECTION, ERROR, GAP, KINDS, RECURRING, ROUGH
from memtui.language.zh import AROUND
from memtui.search.vocabulary import CHINESE, ENGLISH

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


class Trouble(NamedTuple):
    """A sign of trouble, and where it was read."""

    type: str
    sentence: str
    start: int
    end: int
    line: str
    """All of it."""
    why: str = ""
    """What tells it, for a person."""


LONGEST = 80
_KNOWN = {
    "npe": "nullpointerexception", "importerror": "modulenotfounderror", "unicodedecodeerror": "encoding",
    "unicodeencodeerror": "encoding", "econnrefused": "econnrefused", "timeouterror": "timeout",
    "outofmemoryerror": "oom", "memoryerror": "oom", "stackoverflowerror": "stackoverflow", "etimedout": "timeout",
    "classnotfoundexception": "modulenotfounderror", "noclassdeffounderror": "modulenotfounderror",
    "nosuchmethoderror": "version-conflict", "eresolve": "peer-dependency", "eperm": "eacces",
    "eaddrinuse": "port in use", "nullreferenceexception": "nullpointerexception",
}  # fmt: skip
_ALONE = frozenset({
    "modulenotfounderror", "command-not-found", "env-var", "port in use", "not-running", "slow query",
    "wrong-version", "",
})  # fmt: skip
"""Kinds whose pattern says what they are about."""


def name_trouble(found: Trouble, others: Sequence[Trouble] = ()) -> str:
    """The trouble's name; empty where there is nothing to name."""
    told = found.type
    if told == RECURRING:
        # What came back has the name of what it is.
        base = next((other for other in others if other.type not in {RECURRING, CORRECTION, GAP}), None)
        if base is not None:
            return name_trouble(base)
    sentence = found.sentence
    kind, thing = _find_kind(told, sentence)
    if thing and not is_plain(derive_singular(thing)):
        return _joined(kind, [derive_singular(thing)])
    names = _list_names(kind, told, sentence, found.start, found.end)
    if not names and len(found.line) > len(sentence):
        # What it is about may have been said in the sentence before.
        at = found.line.find(sentence)
        names = _list_names(kind, told, found.line, at + found.start, at + found.end)
    if not names and not kind:
        names = list_spoken_words(sentence, found.start, found.end)
        names = names or _cut_out(sentence, found.start, found.end)
    return _joined(kind, names)


def _list_names(kind: str, type: str, sentence: str, start: int, end: int) -> list[str]:
    """The names beside the trouble: one where its kind is known, else at most two."""
    names = [name for name in list_identifiers(sentence, start) if name not in kind.split()]
    if type == CORRECTION:
        return sorted(names[:2]) or list_things(sentence, start, end, type)[:2]
    if not names or all(name in GENERIC for name in names):
        named = [thing for thing in list_things(sentence, start, end, type) if thing not in kind.split()]
        names = named or names[:1]
        return sorted(names[: 1 if type == GAP else 2])
    return sorted(names[: 1 if kind or type == GAP else 2])


def _find_kind(type: str, sentence: str) -> tuple[str, str]:
    """The kind of trouble, and what its own words say that it is about."""
    if type in {CORRECTION, GAP}:
        return "", ""
    for kind in KINDS:
        if type in kind.types or type == RECURRING:
            found = kind.pattern.search(sentence)
            if found is not None:
                thing = next((group for group in found.groups() if group), "")
                return kind.name, _plain(thing) if kind.name in _ALONE else ""
    code = next(_list_codes(sentence), "")
    if code:
        return _KNOWN.get(code, code), ""
    if type in {ERROR, RECURRING}:
        answer = ANSWERS.search(sentence)
        if answer is not None:
            return f"http {answer[1]}", ""
        for kind in ROUGH:
            if kind.pattern.search(sentence) is not None:
                return kind.name, ""
    return "", ""


def _list_codes(sentence: str) -> Iterator[str]:
    for found in CODES.finditer(sentence):
        yield next(filter(None, found.groups())).lower()


def _plain(thing: str) -> str:
    """A package or a variable without quotes and path; a module by its first name."""
    thing = thing.strip("`'\"‘’“”.,:;()").lower()
    if thing.startswith(("./", "../", "/")):
        return thing.rsplit("/", 1)[-1]
    return re.sub(r"(?<=\w)@\d[\w.-]*$", "", thing)


def _joined(kind: str, names: Sequence[str]) -> str:
    """In the order in which one says it: a port's number stands inside."""
    if kind == "port in use" and names:
        return f"port {names[0]} in use" if names[0].isdigit() else " ".join([kind, *names])
    return " ".join(filter(None, [kind, *names]))[:LONGEST].strip()


GENERIC = frozenset({
    "npm", "pnpm", "yarn", "bun", "pip", "uv", "poetry", "cargo", "maven", "gradle", "git", "github", "gitlab", "python",
    "javascript", "typescript", "java", "node", "golang", "rust", "docker", "kubernetes", "linux", "macos", "windows",
    "ubuntu", "bash", "zsh", "json", "yaml", "rest", "pytest", "jest", "vitest", "eslint", "webpack", "vite", "ios", "android",
    "jenkins", "sentry", "kotlin", "swift", "ruby", "php", "alpine", "debian", "aws", "moment", "black", "express", "less",
})  # fmt: skip
"""Tools and platforms that trouble happens with more often than it is about them."""

_ALIASES = {
    "postgresql": "postgres", "pg": "postgres", "k8s": "kubernetes", "mongo": "mongodb", "node.js": "node",
    "es": "elasticsearch", "redis-server": "redis", "redis-cli": "redis", "mysqld": "mysql", "dockerd": "docker", "nextjs": "next.js", "rabbit": "rabbitmq", "psql": "postgres",
}  # fmt: skip
_TOKEN = compile_pattern(
    r"`([^`\s]{2,60})`"
    r"|(?<![\w@/.-])((?:@[\w-]+/)?(?:\d+_)?[A-Za-z_][\w.-]*(?:/[\w.@-]+)*)"
)
_CODE_END = compile_pattern(
    r"(?:\.(?:pyi?|tsx?|jsx?|mjs|go|rs|java|kt|rb|php|c|cc|cpp|h|hpp|cs|swift|vue|svelte|ipynb))?(?::\d+)*$"
)
_HUMPS = compile_pattern(r"(?:[A-Z][a-z0-9]+){2,}|[a-z]+[a-z0-9]*(?:[A-Z][a-z0-9]+)+|[A-Z]{2,}[a-z]+[A-Z]\w*")
_SNAKE = compile_pattern(r"[A-Za-z0-9]+(?:_[A-Za-z0-9]+)+")
_KEBAB = compile_pattern(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)+")
_HOST = compile_pattern(r"[a-z0-9][\w-]*(?:\.[a-z][\w-]*)+(?:/[\w./-]+)?", re.IGNORECASE)
_COLUMN = compile_pattern(r"(?:\bindex on|\bcolumn|\bfield|字段|索引)\s[`'\"]?\Z", re.IGNORECASE)
"""Behind these stands a detail of what it is about."""
_PLACES = compile_pattern(
    r"(?<![\w.])(?:/[\w.@-]+)+/(?=[\w.-])|\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?|\bline \d+|0x[0-9a-fA-F]+|unix://\S+|https?://(?=\w)"
)
_COMPOUND = compile_pattern(
    r"(?:self-signed|peer-dep\w*|(?:\w+-)*(?:signed|coded|text|in|up|off|on|out|only|running|time|level|end|side|based|like|wide|first|specific|related|safe|free|driven|party|to-date|to-end|by-one|by-1|sync|line|site|term|scale|quality|grade|dev|mode|ready|facing|bound|heavy|hand|facto|pass|trip|world)|(?:re|un|pre|non|co|multi|sub|semi|auto|cross|e|in|on|off|long|short|cold|hot|read|write|plain|hard|third|second|two|three|four|half|full|high|low|out|per|front|back|double|single|open|close[d]?|post|run|real|x|well|ill|over|under|all|first|last|not|user|server|client|merge|memory|redirect|stale|missing|wrong|race|slow|blank|white|cold|log|sign|sub|lock|time|name|file|data|date|key|roll|set|start|work|drop|check|follow|clean|set)-\w+)"
)  # fmt: skip
_NO_NAMES = frozenset({
    "package.json", "package-lock.json", "yarn.lock", "pnpm-lock.yaml", "poetry.lock", "go.sum", "e.g", "i.e", "etc", "vs", "v1", "v2", "typeerror", "ci/cd", "and/or", "read-only", "i/o", "node_modules",
    "redirect_uri_mismatch", "n+1",
})  # fmt: skip
_ERROR_NAME = compile_pattern(
    r"\w*(?:Error|Exception)$|^(?:E[A-Z]{4,}|TS\d+|CVE-.*|ERR_\w+|OOM\w*|HTTPS?|SIG\w+|NPE|XSS|CSRF|CORS)$"
)
_WORDS = compile_pattern(
    r"登录(?:页|接口)?|订单|支付|发票|搜索|首页|报表|导出|导入|缓存|时区|迁移|侧边栏|分页|草稿|评论|上传|下载|通知|推送|购物车|库存|消息|队列|镜像|工单|日志|权限|回调|签名|列表|表单|下单|退款|账单|用户|租户|会话|路由|图片|文件|配置|定时任务|任务|索引|数据库|接口|日期格式|日期|金额|按钮|样式|布局|菜单|弹窗|截图|浏览器|模拟器|计费|注册|邮件|短信|打印|地图|视频|音频|蓝牙|固件|驱动|网关|前端|后端|小程序|健康检查|webhook"
)
_MEANT = {
    "登录": "login", "登录页": "login", "登录接口": "login", "订单": "order", "下单": "order", "支付": "payment", "发票": "invoice",
    "搜索": "search", "首页": "home", "报表": "report", "导出": "export", "导入": "import", "缓存": "cache", "时区": "timezone",
    "迁移": "migration", "侧边栏": "sidebar", "分页": "pagination", "草稿": "draft", "评论": "comment", "上传": "upload",
    "下载": "download", "通知": "notification", "推送": "push", "购物车": "cart", "库存": "inventory", "消息": "message",
    "队列": "queue", "镜像": "image", "工单": "ticket", "日志": "log", "权限": "permission", "回调": "callback",
    "签名": "signature", "列表": "list", "表单": "form", "退款": "refund", "账单": "bill", "用户": "user", "租户": "tenant",
    "会话": "session", "路由": "route", "图片": "image", "文件": "file", "配置": "config", "定时任务": "scheduler",
    "任务": "job", "索引": "index", "数据库": "database", "接口": "api", "日期格式": "date", "日期": "date", "金额": "amount",
    "按钮": "button", "样式": "style", "布局": "layout", "菜单": "menu", "弹窗": "modal", "截图": "screenshot",
    "浏览器": "browser", "模拟器": "simulator", "计费": "billing", "注册": "signup", "邮件": "email", "短信": "sms",
    "打印": "print", "地图": "map", "视频": "video", "音频": "audio", "蓝牙": "bluetooth", "固件": "firmware", "驱动": "driver",
    "网关": "gateway", "前端": "frontend", "后端": "backend", "小程序": "miniprogram", "健康检查": "health",
}  # fmt: skip
_NOUNS = frozenset(_MEANT.values()) | frozenset(
    "orders checkout auth payments page dashboard table webhook websocket kafka parser importer exporter worker header "
    "footer navbar editor calendar chart gallery avatar profile settings onboarding consumer producer pricing discount "
    "coupon shipping tax ledger wallet feed timeline chat room video player camera sensor motor watchdog bootloader "
    "tokenizer trainer model dataset notebook dag spider crawler scraper ingress certificate backup restore "
    "snapshot cluster pod node replica shard partition topic subscription contract wallet oracle "
    "upload download filter sort pagination autocomplete dropdown tooltip modal drawer toolbar safari chrome "
    "firefox xcode figma jira slack confluence notion keyboard animation theme font icon logo map locale translation "
    "timezone middleware gateway refresh logout logging jira middleware runner inventory figma xcode lodash jackson helm "
    "registry vpn ble gps usb spi i2c uart scheduler cron".split()
)
_WEAK = frozenset(
    "list page api file user job table config database form index header footer image order_list log message session "
    "route button style layout menu screenshot frontend backend callback webhook worker node topic shard replica room "
    "model signature permission refresh sort filter driver print".split()
)
"""What many things have: it counts where nothing else is named."""
_LATIN = compile_pattern(r"(?<![\w.@-])(?<!\w/)[A-Za-z][\w+#-]{1,30}(?![\w@/-])")
_HAN = compile_pattern(f"[{HAN}]")
_OBJECT = compile_pattern(
    r"\b(?:on|in|of|for|from|with|over|against|through|into|by|to|at)\s(?:the |a |an |our |my |all |every |new |old |`)*([a-z][\w-]{2,24})`?\b",
    re.IGNORECASE,
)
_STOP = frozenset(
    "the a an and or but it this that these those production prod staging ci main master place time times again local "
    "memory disk space use day week month today yesterday second minute seconds minutes hours first last same two one "
    "three wrong missing failed error errors code line lines test tests build builds version versions problem issue case "
    "cases some any all every each other others user users its their them there here fact page run start startup end "
    "load device agent image container server service machine box windows linux macos ubuntu null undefined none empty "
    "input output request requests response responses query queries table tables list lists column row rows data file "
    "files script scripts app application project repo repository branch commit code base feature change changes "
    "refactor upgrade update deploy deployment rollout release connect connection connections type string number object "
    "assignable argument reading cannot read properties clock halfway browser out top order least more most than then "
    "package packages dependency dependencies install installing building running starting loading being saving save "
    "git history repo stdout get post put patch delete head options jdk sdk jvm jre cpu ram csv pdf agent wheel mcp oom npe http https url qa pr mr sql ide ui ux cd e2e p99 p95 rss root proxy getter setter platform locale posix peer lock dns bug timeout true false todo id uuid utf pod gb mb kb stdout stderr plain which because since after before when while once upon under above below "
    "step steps way ways work works working line transactions transaction sort parameter injected pulling".split()
)  # fmt: skip


def list_identifiers(sentence: str, near: int) -> list[str]:
    """What only code and products are called, the most telling first, then what stands nearest."""
    # In small letters, so that not every abbreviation counts as a name.
    known = {name.lower() for name in find_entities((sentence.lower(),), 24)}
    found: dict[str, tuple[int, int]] = {}
    for token in _TOKEN.finditer(_PLACES.sub(lambda place: " " * len(place[0]), sentence)):
        raw = (token[1] or token[2]).strip(".-_/:'")
        name = _CODE_END.sub("", raw)
        file = name != raw and not name.startswith("@")
        name = _owner(name.rsplit("/", 1)[-1] if file else name)
        low = name.lower()
        if len(name) < 2 or low in _NO_NAMES or _ERROR_NAME.search(name) is not None:
            continue
        if _COLUMN.search(sentence, 0, token.start()) is not None:
            continue
        rank = 1 if file and len(name) > 3 else _rank(name, token[1] is not None, low in known, sentence)
        if rank:
            low = _ALIASES.get(low, low)
            rank = 4 if low in GENERIC else rank
            found.setdefault(low, (rank, abs(token.start() - near)))
    return sorted(found, key=lambda name: found[name])


def _owner(name: str) -> str:
    """The class that a method belongs to: some name the one, some the other."""
    parts = name.split(".")
    if len(parts) == 1 or "/" in name:
        return name
    return next((part for part in parts if part[:1].isupper() and not part.isupper()), name.removeprefix("this."))


def _rank(name: str, quoted: bool, known: bool, sentence: str) -> int:
    """How much a name tells, 1 the most; 0: it is a plain word."""
    if name.startswith("@") or _SNAKE.fullmatch(name) or _HUMPS.fullmatch(name.partition(".")[0]):
        return 1
    if known:
        return 2
    if _KEBAB.fullmatch(name):
        return 1 if _COMPOUND.fullmatch(name) is None or _HAN.search(sentence) is not None else 0
    if ("." in name and _HOST.fullmatch(name) is not None) or ("/" in name and "." in name):
        return 1
    return 3 if quoted and any(char.isalpha() for char in name) else 0


def list_things(sentence: str, start: int, end: int, type: str = "") -> list[str]:
    """What people speak of, in one language's words: the nearest to the trouble, and what stands right beside it."""
    han = _HAN.search(sentence) is not None
    found: list[_Thing] = []
    for word in _LATIN.finditer(sentence):
        name = derive_singular(word[0].lower())
        if name in _NOUNS or (han and not is_plain(name)):
            found.append(_Thing(name, word.start(), word.end()))
    found += [_Thing(_MEANT.get(word[0], word[0]), *word.span()) for word in _WORDS.finditer(sentence)]
    if type == CORRECTION:
        found = [thing for thing in found if thing.name != "user"]
    found = [thing for thing in found if thing.name not in _WEAK] or found or list(_objects(sentence, start, end))
    if not found:
        return []
    nearest = min(found, key=lambda thing: (_far(thing, start, end), thing.name))
    gap = 6 if han else 1
    beside = [
        thing.name
        for thing in found
        if thing.name != nearest.name and _far(thing, nearest.start, nearest.end) <= gap and thing.name in _NOUNS
    ]
    return [nearest.name, *dict.fromkeys(beside)][:2]


def list_spoken_words(sentence: str, start: int, end: int) -> list[str]:
    """Where nothing is known by name: the two words nearest to the trouble that say something of it."""
    said: dict[str, int] = {}
    for word in _LATIN.finditer(sentence):
        roots = list_root_words(word[0])
        if roots and not any(map(is_common, roots)) and not start <= word.start() < end:
            said.setdefault(derive_singular(word[0].lower()), _far(_Thing("", *word.span()), start, end))
    return sorted(sorted(said, key=lambda name: said[name])[:2])


class _Thing(NamedTuple):
    name: str
    start: int
    end: int


def is_plain(name: str) -> bool:
    """Whether a word names nothing in particular."""
    return name in _STOP or f"{name}s" in _STOP


def _objects(sentence: str, start: int, end: int) -> Iterator[_Thing]:
    """Any noun that it may be about: what follows 'in' or 'on'."""
    for word in _OBJECT.finditer(sentence):
        name = derive_singular(word[1].lower())
        if not is_plain(name) and not start <= word.start(1) < end:
            yield _Thing(name, *word.span(1))


def _far(thing: _Thing, since: int, until: int) -> int:
    return max(0, thing.start - until, since - thing.end)


def derive_singular(word: str) -> str:
    """A noun's one form: orders and order are the same trouble."""
    if word.isalpha() and word.endswith("s") and not word.endswith(("ss", "us", "is", "ws", "as")) and len(word) > 4:
        return word[:-1]
    return word


_HAN_LONGEST = 8
"""Characters of a name."""


_HAN_CUT = compile_pattern("|".join(sorted(set(AROUND.split()), key=lambda word: (-len(word), word))))
_HAN_RUN = compile_pattern(f"[{HAN}]{{2,}}")


def _cut_out(sentence: str, start: int, end: int) -> list[str]:
    """At most one name: what stands nearest to the trouble, else what the trouble's own words speak of."""
    bare = _HAN_CUT.sub(lambda found: " " * len(found[0]), sentence)
    beside = bare[:start] + " " * (end - start) + bare[end:]
    bare = beside if _HAN_RUN.search(beside) is not None else bare
    best: tuple[int, int, str] | None = None
    for run in _HAN_RUN.finditer(bare):
        far = max(0, run.start() - end, start - run.end())
        if best is None or (far, run.start()) < best[:2]:
            best = (far, run.start(), run[0][:_HAN_LONGEST])
    return [best[2]] if best is not None else []


LONGEST_LINE = 400
"""Characters of a line that are looked at."""

_LATIN_WORD = compile_pattern(r"[A-Za-z][A-Za-z0-9]*")
_BETWEEN_HAN = compile_pattern(r"(?<=[\u3400-\u9fff])\s?([A-Za-z]{2,})\s?(?=[\u3400-\u9fff，。；、])")
_NAMES = frozenset([
    "all", "any", "break", "case", "do", "else", "for", "get", "if", "in", "is", "let", "new", "none", "not",
    "null", "on", "or", "set", "switch", "this", "var", "with",
])  # fmt: skip
"""English words that tell nothing, and are names in code."""
_HUMP = compile_pattern(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_ENDINGS = (
    ("ies", "y", 5), ("ations", "at", 8), ("ation", "at", 7), ("ating", "at", 7), ("ated", "at", 6), ("ates", "at", 6),
    ("ate", "at", 6), ("ions", "", 7), ("ion", "", 6), ("ings", "", 7), ("ing", "", 6), ("ers", "", 6), ("er", "", 6),
    ("ed", "", 5), ("es", "", 5), ("s", "", 4), ("e", "", 4),
)  # fmt: skip
_TELLING = (
    "across add added adding adds after again against already also always another any around away back "
    "because become "
    "became before behind both bring brought came cannot come comes could did didn does doesn doing done "
    "don down due "
    "during each either else end ended even every except few first five forth four found get gets getting "
    "give given "
    "gave go goes going gone got hand happen happened has hasn have here hour however instead just keep "
    "keeps kept kind "
    "last late later least leave left less let line little long look looked lot made make makes many may "
    "maybe minute "
    "month more morning most much must need needed needs neither never new next night nor not nothing now "
    "off often old "
    "on once one only other out over own part per place point put ran rather really repeat run running "
    "runs said same "
    "saw say second see seem seems seen set sets several short show showed shows side since six some "
    "someone something "
    "sometimes soon sort start started starts stay stays step still stop stopped stops such take taken "
    "takes tell ten "
    "than then thing third though three through thus till today told tomorrow too took tried tries try "
    "turn turned "
    "turns twice two under until up upon use used uses using via want wanted wants was wasn way week went "
    "were weren "
    "whether whole within without won work worked working works would yesterday yet year zero "
    # How trouble is told.
    "abort aborted bad blew blow break breaks broke broken bug cause chase choke crash dead debug diagnose "
    "die died "
    "dies dying error exception fail failed failing fails failure fault fix fixed fixes flake flaky green "
    "hang hung "
    "impossible incorrect incident invalid investigate issue kill killed lack lacked lose loses lost miss "
    "missing "
    "mistake outage patch persist problem raise recur recurring recurrence red refuse refused reject rejected "
    "reproduce resolve root slow slowly solve stuck swallow threw throw throws time timeout trace trouble "
    "unable warn "
    "warning worse wrong workaround quickly fast temporary manually clean cleanly "
    # Who is there, and what everything has.
    "agent assistant boolean bit big case code customer day empty false file full good high infinite large "
    "low none "
    "null number real result reviewer small true undefined user value word"
)
_COMMON = (
    "access account address api app application branch browser build cache change check chart ci class "
    "client cluster "
    "command commit component config configuration connect connection container cpu data database db "
    "deploy deployment "
    "dependency device dev disk doc docker docs download endpoint env environment event export feature "
    "field folder "
    "form format frontend backend function github gitlab handler header home host http id image import "
    "index input "
    "install internal job json key language layout level library limit link linux list load local lock log "
    "login "
    "machine main memory menu merge message method migration mobile mode model module name network node "
    "npm object "
    "option order output package page parser password path permission pip pipeline pod port post prod "
    "process product "
    "production profile project proxy public pull push python query queue read release remote render "
    "report repo "
    "request response retry route row runner save schema screen script search server service session "
    "setting space "
    "sql staging state status storage string suite sync system table tag task team template test tests "
    "text thread "
    "token tool type unit update upgrade upload url variable version view volume web windows worker write"
)
_HAN_TELLING = (
    "错误 异常 失败 报错 问题 超时 崩溃 故障 修复 修改 解决 处理 排查 定位 出现 发现 导致 由于 因为 无法 "
    "不能 没有 又一 一次 再次 还是 依然 "
    "仍然 总是 反复 经常 每次 同样 重新 重启 之后 之前 今天 昨天 上周 本周 目前 暂时 临时 手动 原因 最后 "
    "开始 继续 需要 可以 已经 用户 "
    "指出 要求 纠正 不对 不了 了一 的时 时候 进行 使用 加上 改成 改为 增加 添加 检查 确认 测试 运行 执行 "
    "启动 完成 一直 老是 缺少 缺失 "
    "不到 找不 不上 不够 不足 起来 出来 以后 后来 结果 情况 第三 三次 二次 次了 又是 又出 又失 又报 还没 "
    "没法 未能 未知 错了 误了 有问 "
    "题又 现在 终于 绕过 查了 改了 了又 是因 为了 时又 然后 并且 但是 而且 所以 其实 其他 这个 那个 一个 "
    "多次 偶尔 偶发"
)
_HAN_COMMON = (
    "接口 服务 数据 据库 页面 项目 代码 文件 配置 环境 系统 请求 返回 任务 构建 部署 上线 线上 生产 版本 "
    "升级 安装 依赖 日志 列表 缓存 "
    "查询 内存 磁盘 网络 连接 端口 容器 镜像 脚本 模块 用例 单测 流程 功能 组件 参数 字段 按钮 登录 权限"
)


@lru_cache(8192)
def list_root_words(text: str, about: str = "") -> frozenset[str]:
    """What a line and the name of its trouble speak of. Linear; never raises."""
    found: set[str] = set()
    text = text[:LONGEST_LINE]
    for token in _LATIN_WORD.findall(text):
        # A name in humps is told by its parts, too.
        parts = [token] if token.islower() or token.isupper() else _HUMP.findall(token)
        found.update(parts)
    # An English word alone among Chinese ones is a name.
    alone = {low for word in _BETWEEN_HAN.findall(text) if (low := word.lower()) in _NAMES}
    kept = alone | {root for word in found if len(word) > 1 and (root := stem(word.lower())) and not _told(word, root)}
    for run in CJK_RUN.findall(_around().sub(" ", text)):
        kept.update(pair for pair in map("".join, pairwise(run)) if pair not in _han_telling())
    for name in about.split():
        kept.update(stem(part) for part in (name, *name.split("-")) if len(part) > 1 and not _told(part, stem(part)))
    return frozenset(kept)


def is_common(word: str) -> bool:
    """Whether a word of `words` is one that many things have: it tells less than others."""
    return word in _commons()


def stem(word: str) -> str:
    """A word's root, roughly: 'importers', 'importing' and 'imports' are alike."""
    for ending, instead, least in _ENDINGS:
        if len(word) >= least and word.endswith(ending) and not word.endswith("ss"):
            word = word[: -len(ending)] + instead
            break
    return word[:-1] if len(word) > 4 and word[-1] == word[-2] and word[-1] not in "aeiousl" else word


def _told(word: str, root: str) -> bool:
    telling = _telling()
    return word.lower() in telling or root in telling or (root.isdigit() and len(root) < 3)


@cache
def _telling() -> frozenset[str]:
    plain = ENGLISH | frozenset(_TELLING.split()) | {word for name in SIGNALS for word in name.split("_")}
    return plain | {stem(word) for word in plain}


@cache
def _around() -> re.Pattern[str]:
    """What a Chinese line says of trouble, of people and of work: pairs that reach into it are no words."""
    words = {word for word in AROUND.split() if len(word) > 1} - frozenset(_HAN_COMMON.split())
    return compile_pattern("|".join(sorted(words, key=lambda word: (-len(word), word))) + "|[的了着把被]")


@cache
def _commons() -> frozenset[str]:
    plain = {*_COMMON.split(), *_HAN_COMMON.split()}
    plain |= {word for kind in (*KINDS, *ROUGH) for name in kind.name.split() for word in (name, *name.split("-"))}
    return frozenset(plain | {stem(word) for word in plain})


@cache
def _han_telling() -> frozenset[str]:
    return CHINESE | frozenset(_HAN_TELLING.split())
