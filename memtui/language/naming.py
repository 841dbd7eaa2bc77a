"""A name for what trouble is about: the same name for the same trouble in other words, in English and in Chinese.

It is an error's class or code, else the kind of trouble, then the most specific name beside it: an identifier,
a package, a service, else a thing that people speak of. What varies (numbers, paths, addresses of hosts) is
left out. Chinese has no dictionary here: words that tell of trouble, people and work are cut away, and of what
is left the stretch nearest to the trouble is the name.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from memtui.core.startup import compile_pattern
from memtui.language.items import find_entities
from memtui.language.roots import is_common, list_root_words
from memtui.language.trouble_kinds import ANSWERS, CODES, CORRECTION, ERROR, GAP, KINDS, RECURRING, ROUGH
from memtui.language.trouble_zh import AROUND

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
_ALONE = frozenset(
    {
        "modulenotfounderror",
        "command-not-found",
        "env-var",
        "port in use",
        "not-running",
        "slow query",
        "wrong-version",
        "",
    }
)
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
_TOKEN = re.compile(
    r"`([^`\s]{2,60})`"
    r"|(?<![\w@/.-])((?:@[\w-]+/)?(?:\d+_)?[A-Za-z_][\w.-]*(?:/[\w.@-]+)*)"
)
_CODE_END = re.compile(
    r"(?:\.(?:pyi?|tsx?|jsx?|mjs|go|rs|java|kt|rb|php|c|cc|cpp|h|hpp|cs|swift|vue|svelte|ipynb))?(?::\d+)*$"
)
_HUMPS = re.compile(r"(?:[A-Z][a-z0-9]+){2,}|[a-z]+[a-z0-9]*(?:[A-Z][a-z0-9]+)+|[A-Z]{2,}[a-z]+[A-Z]\w*")
_SNAKE = re.compile(r"[A-Za-z0-9]+(?:_[A-Za-z0-9]+)+")
_KEBAB = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)+")
_HOST = re.compile(r"[a-z0-9][\w-]*(?:\.[a-z][\w-]*)+(?:/[\w./-]+)?", re.IGNORECASE)
_COLUMN = re.compile(r"(?:\bindex on|\bcolumn|\bfield|字段|索引)\s[`'\"]?\Z", re.IGNORECASE)
"""Behind these stands a detail of what it is about."""
_PLACES = re.compile(
    r"(?<![\w.])(?:/[\w.@-]+)+/(?=[\w.-])|\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?|\bline \d+|0x[0-9a-fA-F]+|unix://\S+|https?://(?=\w)"
)
_COMPOUND = re.compile(
    r"(?:self-signed|peer-dep\w*|(?:\w+-)*(?:signed|coded|text|in|up|off|on|out|only|running|time|level|end|side|based|like|wide|first|specific|related|safe|free|driven|party|to-date|to-end|by-one|by-1|sync|line|site|term|scale|quality|grade|dev|mode|ready|facing|bound|heavy|hand|facto|pass|trip|world)|(?:re|un|pre|non|co|multi|sub|semi|auto|cross|e|in|on|off|long|short|cold|hot|read|write|plain|hard|third|second|two|three|four|half|full|high|low|out|per|front|back|double|single|open|close[d]?|post|run|real|x|well|ill|over|under|all|first|last|not|user|server|client|merge|memory|redirect|stale|missing|wrong|race|slow|blank|white|cold|log|sign|sub|lock|time|name|file|data|date|key|roll|set|start|work|drop|check|follow|clean|set)-\w+)"
)  # fmt: skip
_NO_NAMES = frozenset({
    "package.json", "package-lock.json", "yarn.lock", "pnpm-lock.yaml", "poetry.lock", "go.sum", "e.g", "i.e", "etc", "vs", "v1", "v2", "typeerror", "ci/cd", "and/or", "read-only", "i/o", "node_modules",
    "redirect_uri_mismatch", "n+1",
})  # fmt: skip
_ERROR_NAME = re.compile(
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
_LATIN = re.compile(r"(?<![\w.@-])(?<!\w/)[A-Za-z][\w+#-]{1,30}(?![\w@/-])")
_HAN = re.compile("[\u3400-\u9fff]")
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
    return next(
        (part for part in parts if part[:1].isupper() and not part.isupper()), name.removeprefix("this.")
    )


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
    found = (
        [thing for thing in found if thing.name not in _WEAK] or found or list(_objects(sentence, start, end))
    )
    if not found:
        return []
    nearest = min(found, key=lambda thing: (_far(thing, start, end), thing.name))
    gap = 6 if han else 1
    beside = [
        thing.name
        for thing in found
        if thing.name != nearest.name
        and _far(thing, nearest.start, nearest.end) <= gap
        and thing.name in _NOUNS
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
    if (
        word.isalpha()
        and word.endswith("s")
        and not word.endswith(("ss", "us", "is", "ws", "as"))
        and len(word) > 4
    ):
        return word[:-1]
    return word


_HAN_LONGEST = 8
"""Characters of a name."""


_HAN_CUT = compile_pattern("|".join(sorted(set(AROUND.split()), key=lambda word: (-len(word), word))))
_HAN_RUN = compile_pattern("[\u3400-\u9fff]{2,}")


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
