"""Kinds of trouble by one name each, however they are told: 'connection refused', 连接被拒绝, ECONNREFUSED.

The shape of the tables of signs, and the signs that machines print in every language.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from memtui.core.startup import compile_pattern

ERROR = "error"
CORRECTION = "correction"
GAP = "capability_gap"
RECURRING = "recurring_issue"
ENVIRONMENT = "environment_issue"
DEPENDENCY = "dependency_issue"
PERFORMANCE = "performance_issue"
SECURITY = "security_issue"


class TroubleKind(NamedTuple):
    """A kind of trouble. Its pattern's group 1, where there is one, is the thing that it is about."""

    name: str
    types: frozenset[str]
    pattern: re.Pattern[str]


def _kind(name: str, types: str, source: str) -> TroubleKind:
    return TroubleKind(name, frozenset(types.split()), compile_pattern(source, re.IGNORECASE))


_PACKAGE = r"[`'\"‘“]?((?-i:[@A-Za-z][\w@./-]{1,60}))[`'\"’”]?"
_VARIABLE = r"((?-i:[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+))"

KINDS: tuple[TroubleKind, ...] = (
    _kind("", SECURITY, r"\b(CVE-\d{4}-\d{4,7}|GHSA(?:-\w{4}){3})\b"),
    _kind("port in use", ENVIRONMENT, r"(?:\bport\b|端口)\s?:?(?:号|被占用?)?\s?(\d{2,5})|(?<![\d.])(\d{2,5})\s?(?:号)?端口|\bEADDRINUSE\b\D*?:+(\d{2,5})|already in use\D{0,24}?:?(\d{2,5})|(?<![\d.])(\d{4,5}) (?:was |is )?(?:already )?(?:in use|taken|occupied)|被占用?\D{0,6}?(\d{4,5})"),
    _kind("port in use", ENVIRONMENT, r"\bEADDRINUSE\b|\baddress already in use|\bport\b[^.;,]{0,24}(?:in use|taken|occupied|conflict|clash)|端口[^，。；]{0,8}(?:占用|冲突)"),
    _kind("not-running", ENVIRONMENT, r"\b(docker|podman|colima|containerd)\b(?! (?:image|hub|registry|file))(?=.{0,60}(?:daemon|not running|n't running|not started|connect|守护|(?:没有?|未)(?:在?运行|在?跑|启动|起|开|连|就绪)))|(?:daemon|守护进程)[^.;，。]{0,20}\b(docker|podman)\b|(?:没有?|未|忘[了记])(?:启动|开) ?(docker|podman)|cannot connect to the (docker) daemon"),
    _kind("econnrefused", ENVIRONMENT, r"\bECONNREFUSED\b|connections?(?: was| were| is)? refused|refused (?:\w+ ){0,2}connect|连接被拒|拒绝(?:了)?连接|连(?:接)?不上|无法连接|连接失败|(?:could not|cannot|can't|couldn't|unable to|failed to) (?:connect|reach)|\b(?:was|is|were|are)(?:n't| not) (?:running|started|up|reachable|available)\b|\bnot (?:running|started)\b|\b(?:is|was|were) (?:down|unreachable|offline)\b|没(?:有)?(?:启动|起来|起|开|在?运行)|未(?:启动|运行)|起不来|不可达|forgot to start|did(?:n't| not) start|忘(?:了|记)(?:启动|开)"),
    _kind("enotfound", ENVIRONMENT, r"\bENOTFOUND\b|\bgetaddrinfo\b|could not resolve host|name resolution|\bdns\b|域名解析"),
    _kind("eacces", ENVIRONMENT, r"\bEACCES\b|\bEPERM\b|permission denied|operation not permitted|(?:wrong|missing|insufficient|no write|no read) permissions?|permissions? (?:problem|issue|error|trouble)|没(?:有)?\S{0,2}权限|无权限|权限(?:不足|不够|被拒|拒绝|问题)|拒绝访问|not writable"),
    _kind("enospc", ENVIRONMENT, r"\bENOSPC\b|no space left|\bdisk\b[^.;,]{0,12}\bfull|out of disk|ran out of (?:disk|space)|(?:磁盘|硬盘|空间)[^，。；]{0,6}(?:满|不足|不够|耗尽|爆)"),
    _kind("emfile", ENVIRONMENT, r"\bEMFILE\b|too many open files|文件句柄"),
    _kind("env-var", ENVIRONMENT, _VARIABLE + r"|\benv(?:ironment)? ?var\w*|环境变量"),
    _kind("command-not-found", ENVIRONMENT, r"`?\b((?-i:[a-z][\w.+-]{1,24}))`?:? (?:command )?not found\b(?! in the (?:db|database))|(?:找不到|未找到|没有找到)\s?([\w.-]{2,24})\s?(?:命令|可执行)|\b((?-i:[a-z][\w.+-]{1,24})) (?:was |is )?not (?:on|in) (?:the |my )?\$?PATH|command not found"),
    _kind("certificate", ENVIRONMENT, r"certificate|self-signed|证书|\bx509\b"),
    _kind("wrong-version", ENVIRONMENT, r"wrong (?:version of )?(node|python|java|jdk|go|ruby|php|xcode|runtime) ?(?:version)?|\b(node|python|java|jdk|go|ruby|php|xcode)(?:\.js)? ?的?(?:version|版本)|unsupported (?:engine|class file)"),
    _kind("encoding", "environment_issue error", r"\bUnicode(?:De|En)codeError\b|乱码|garbled|mojibake|\butf-?8\b[^.;]{0,20}(?:error|invalid)"),
    _kind("proxy", ENVIRONMENT, r"\bproxy\b|代理|\bvpn\b"),
    _kind("modulenotfounderror", DEPENDENCY, r"(?:No module named|Cannot find (?:module|package)|module not found:?(?: error:)?(?: can't resolve)?|找不到(?:了)?\s?(?:模块|包|依赖|类)|missing (?:python |npm |go )?(?:module|package|dependency)(?::| named)?|缺少(?:了)?\s?(?:依赖|模块|包)?)\s?" + _PACKAGE + r"|\b((?-i:[@a-z][\w@./-]{1,40})) (?:is|was|were|are)(?:n't| not) installed|\b((?-i:[@a-z][\w@./-]{1,40}))[\s:]+(?:is |was )?missing\b|\b((?-i:[@A-Za-z][\w@./-]{1,40}))\s?(?:包|模块|依赖)(?:找不到|没装|缺失|未安装)"),
    _kind("modulenotfounderror", DEPENDENCY, r"\bModuleNotFoundError\b|\bImportError\b|module not found|\bClassNotFoundException\b|\bNoClassDefFoundError\b|找不到(?:模块|包|类|依赖)"),
    _kind("peer-dependency", DEPENDENCY, r"\bpeer\b|\bERESOLVE\b|对等依赖"),
    _kind("checksum", DEPENDENCY, r"\bgo\.sum\b|checksum|integrity (?:check|mismatch)|校验和?不一致"),
    _kind("lockfile", DEPENDENCY, r"\block ?file|package-lock|\w+\.lock\b|out of sync|锁文件|lock 文件"),
    _kind("registry", DEPENDENCY, r"registr(?:y|ies)|私服|镜像源|仓库源|制品库|artifactory|nexus"),
    _kind("version-conflict", DEPENDENCY, r"conflict|clash|incompatib|not compatible|mismatch|NoSuchMethodError|AbstractMethodError|cannot be installed together|冲突|不兼容|不匹配"),
    _kind("circular-dependency", "dependency_issue error", r"circular (?:import|dependenc)|dependency cycle|循环(?:依赖|引用)"),
    _kind("n+1", PERFORMANCE, r"\bN ?\+ ?1\b"),
    _kind("memory-leak", PERFORMANCE, r"memory leak|leak\w* (?:memory|connections?|handles|goroutines?)|(?:goroutine|connection|listener|handle) leak|泄[漏露]"),
    _kind("oom", PERFORMANCE, r"\bOOM\w*|out of memory|OutOfMemoryError|MemoryError|heap|内存(?:溢出|不足|不够|爆|耗尽|打满)"),
    _kind("timeout", "performance_issue error", r"\bETIMEDOUT\b|\bE?SOCKETTIMEDOUT\b|tim(?:ed|es|ing) out|time-?outs?\b|TimeoutError|TimeoutException|deadline exceeded|超时"),
    _kind("slow query", PERFORMANCE, r"\bquer(?:y|ies)\b (?:on|over|against|for|of) (?:the |`)*([\w.]+)|\bquer(?:y|ies)\b|\bsql\b|慢\s?(?:查询|sql)|全表扫描|full table scan|查询"),
    _kind("slow build", PERFORMANCE, r"\bbuilds?\b|构建|编译|打包"),
    _kind("slow start", PERFORMANCE, r"\bstart-?up\b|cold start|boot|启动"),
    _kind("high cpu", PERFORMANCE, r"\bcpu\b"),
    _kind("freeze", PERFORMANCE, r"freez|froze|\bh[au]ng|unresponsive|卡死|假死|卡住|卡顿|掉帧|jank|stutter|lagg"),
    _kind("slow", PERFORMANCE, r"latency|response time|\bp9\d\b|响应时间|延迟"),
    _kind("slow", PERFORMANCE, r"slow|慢|\b(?:took|takes)\b|耗时|sluggish"),
    _kind("sql-injection", SECURITY, r"sql\s?(?:-| )?(?:injection|注入)"),
    _kind("injection", SECURITY, r"injection|注入"),
    _kind("xss", SECURITY, r"\bxss\b|cross-site scripting|跨站脚本"),
    _kind("csrf", SECURITY, r"\bcsrf\b|跨站请求"),
    _kind("open-redirect", SECURITY, r"open redirect|任意(?:重定向|跳转)|开放重定向"),
    _kind("path-traversal", SECURITY, r"(?:path|directory) traversal|(?:目录|路径)(?:穿越|遍历)"),
    _kind("secret-leak", SECURITY, r"\b(?:secret|key|password|token|credential)s?\b|_(?:SECRET|KEY|TOKEN|PASSWORD)\b|密码|密钥|秘钥|私钥|凭证|令牌|敏感信息"),
    _kind("missing-authorization", SECURITY, r"authori[sz]ation|authentication|\bauth\b|ownership|permission|access check|unauthenticated|could|other tenants|鉴权|越权|权限|授权|认证|任何人|其他"),
    _kind("nullpointerexception", ERROR, r"null ?pointers?(?:exception)?|\bNPEs?\b|空指针|NullReferenceException"),
    _kind("deadlock", ERROR, r"deadlock|死锁"),
    _kind("race", ERROR, r"race condition|竞态|data race"),
    _kind("segfault", ERROR, r"seg(?:mentation )?fault|SIGSEGV|EXC_BAD_ACCESS|段错误"),
    _kind("infinite-loop", ERROR, r"(?:infinite|endless|redirect)(?: \w+)? loop|infinite (?:redirect|recursion)|死循环|无限(?:循环|重定向|递归)|in a(?:n endless| \w+)? loop"),
    _kind("cors", ERROR, r"\bcors\b|跨域"),
    _kind("blank-page", ERROR, r"(?:white|blank) (?:screen|page)|白屏"),
    _kind("flaky", ERROR, r"\bflak(?:y|iness)|时好时坏|不稳定|偶发|偶现"),
    _kind("merge-conflict", ERROR, r"merge conflict|合并冲突"),
    _kind("duplicate-key", ERROR, r"duplicate key|(?:主|唯一)键冲突"),
    _kind("stackoverflow", ERROR, r"stack ?overflow|栈溢出"),
    _kind("data-loss", ERROR, r"data loss|lost (?:data|updates)|数据丢失|丢数据"),
    _kind("off-by-one", ERROR, r"off-by-(?:one|1)|少(?:了)?一(?:条|天|行)"),
)  # fmt: skip
"""The first that fits counts, the narrow ones first."""

CODES = compile_pattern(
    r"(?<![\w.])(?:[\w]{1,60}\.)*([A-Z]\w{1,40}(?:Error|Exception))\b|\b(TS\d{4,5}|ERR_[A-Z_]{4,}|E[A-Z]{5,}|ORA-\d{4,5}|PGRST\d+|P\d{4}|SIG[A-Z]{3,6}|redirect_uri_mismatch)\b|error\[(E\d{4})\]"
)
"""An error's own name."""

ANSWERS = compile_pattern(
    r"(?<![\w.:$/-])([45]\d\d)\b(?!\s?(?:ms|mb|kb|gb|s\b|rows|lines|users|%|px|毫秒|条|行|个|秒))",
    re.IGNORECASE,
)
"""A server's answer."""

ROUGH: tuple[TroubleKind, ...] = (
    _kind("crash", ERROR, r"crash|崩溃|闪退|panic|宕机"),
    _kind("rebalance", ERROR, r"rebalance"),
    _kind("test-failure", ERROR, r"\b(?:tests?|specs?|e2e|suite)\b|单测|测试|用例"),
    _kind("migration-failure", ERROR, r"\bmigrat\w+|迁移"),
    _kind("deploy-failure", ERROR, r"\bdeploy\w*|rolled back|rollback|readiness|health check|上线|部署|发布|健康检查|回滚"),
    _kind("build-failure", ERROR, r"\b(?:builds?|compil\w+|linking|linker|webpack|vite|gradle)\b|构建|编译|打包"),
    _kind("pipeline-failure", ERROR, r"\b(?:ci|pipeline|workflow|runner)\b|流水线"),
    _kind("timezone", ERROR, r"time ?zone|时区"),
)  # fmt: skip
"""What failed, where the error has no name."""


class Sign(NamedTuple):
    """A way of telling of trouble."""

    type: str
    """One of `conversation.SIGNALS`."""
    pattern: re.Pattern[str]
    why: str
    """What it tells, for a person: translated when shown."""
    firm: bool = True
    """It says that something happened; else it only names a trouble, which somebody may also work on."""
    spoken: bool = False
    """Only what a person says to the agent counts."""
    whole: bool = False
    """It is negative by itself: 'could not' is no denial here."""
    source: str = ""
    """What the pattern is made of, where one alternative can be tried without the others."""


def make_sign(type: str, why: str, source: str, *, firm: bool = True, **more: bool) -> Sign:
    """A sign whose pattern is compiled by its first use, whatever the case."""
    return Sign(type, compile_pattern(source, re.IGNORECASE), why, firm, source=source, **more)


def list_alternatives(source: str) -> list[str]:
    """An expression as the alternatives that it consists of: where it matches, one of them does. It has no numbers."""
    found, start, depth, at = list[str](), 0, 0, 0
    while at < len(source):
        char = source[at]
        if char == "\\":
            at += 1
        elif char == "[":
            at = source.index("]", at + (3 if source.startswith("[^", at) else 2))
        elif char == "|" and not depth:
            found.append(source[start:at])
            start = at + 1
        depth += (char == "(") - (char == ")")
        at += 1
    return [*found, source[start:]]


_RUNTIME = (
    r"(?:Type|Reference|Syntax|Range|Key|Value|Attribute|Index|Name|Runtime|Recursion|Assertion|ZeroDivision"
    r"|UnicodeDecode|UnicodeEncode|Operational|Integrity|Programming|Interface|Connection|JSONDecode|NoMethod|StackOverflow|Hydration"
    r"|Unbound\w{0,10}|NotImplemented|Overflow|EOF|OS|IO)Error"
    r"|(?:NullPointer|IllegalState|IllegalArgument|ClassCast|\w{0,12}IndexOutOfBounds|ConcurrentModification|IO|SQL"
    r"|NullReference|InvalidOperation|Unhandled|LazyInitialization|NumberFormat|Nullpointer)Exception"
)
MACHINE: tuple[Sign, ...] = (
    Sign(ERROR, compile_pattern(rf"(?<![\w/])(?:[\w.]{{1,60}}\.)?(?:{_RUNTIME})\b(?![-./]\w)"), "an error by its name"),
    Sign(
        ERROR,
        compile_pattern(
            (
                r"(?:\b(?:[Tt]hr[eo]w\w{0,3}|[Gg]ot|[Gg]ets|[Gg]etting|[Hh]it|[Rr]aised|with|by|to|an?|the)\s|报|抛出?了?|出现|提示|触发)"
                r"\s?`?[A-Z]\w{2,40}(?:Error|Exception)\b(?!\s(?:class|type|handler|page|boundary))"
                r"|\b[A-Z]\w{2,40}(?:Error|Exception)(?=`?:\s|`?\s(?:when|while|during)\b|异常)"
            ),
        ),
        "an error by its name",
        False,
    ),
    make_sign(ERROR, "an error's code", r"\b(?:TS1|TS2|TS5|TS6|TS7|TS8)\d{3,4}\b|\berror\[E\d{4}\]|\b(?:ORA-|PGRST|SQLSTATE|P1|P2|P3)\d{3,5}\b|\bERR_[A-Z_]{4,}|\bexit(?:ed|s)?(?: with)?(?: status| code)+ [1-9]\d{0,2}\b|\bSIG(?:SEGV|ABRT|BUS)\b|\bEXC_(?:BAD_ACCESS|BAD_INSTRUCTION|CRASH)\b|退出码 ?[1-9]"),
    make_sign(
        ERROR,
        "a server's answer",
        (
            r"\b(?:return(?:ed|s|ing)|got|gets?|getting|throw(?:s|ing)|threw|gave|gives|giving|with|same|an|a|http|status|hit|answers|answered)\s(?:an? |http |status |the same )*5\d\d\b(?!\s?(?:ms|mb|kb|gb|s\b|page|lines|rows|%|px|users|items|error page))"
            r"|(?<![\w.:$/-])5\d\d\b(?=\s(?:errors?|on|from|when|after|again|response)\b)"
            r"|\b(?:fail\w*|reject\w*|error\w*|got|getting|gets|hit|gave|threw|refused)\b(?: \w+){0,3}? (?:with |an? |http |status )*4\d\d\b"
            r"|\b40[13]\b(?= (?:from|when|on|while|unauthorized|forbidden)\b)"
            r"|(?:返回|报|又|提示|出现|响应|一直|接口)了?\s?(?:http )?5\d\d(?!\s?(?:ms|毫秒|条|行|个|页))|(?:报|提示|一直|总是|又)\s?4\d\d(?!\s?(?:ms|毫秒|条|行|个|页))"
        ),
    ),
    make_sign(ERROR, "a program that died", r"\bsegfault\w*|\bsegmentation fault|\bcore dump(?:ed)?\b|\bpanic(?:ked|s)?\b(?: ?:| in\b| at\b)|\bkernel panic|\btraceback\b(?! ?(?:format|style))|\bstack ?overflow(?:ed)?\b(?!\.com)|段错误|栈溢出|内核崩溃|undefined (?:symbol|reference)|unresolved (?:reference|symbol|external)|unhandled (?:rejection|exception)|redirect_uri_mismatch|is not a function\b|is not defined\b|undefined is not"),
    make_sign(ENVIRONMENT, "a connection was refused", r"\bECONNREFUSED\b|\bconnection(?:s| was| were| is)? refused|\brefused (?:the |our |to |all )?connect\w*|\bECONNRESET\b|\bENOTFOUND\b|\bEHOSTUNREACH\b|could not resolve host|\bgetaddrinfo\b|name resolution|连接被拒|拒绝(?:了)?连接"),
    make_sign(ENVIRONMENT, "what it runs on does not let it", r"\bEADDRINUSE\b|address already in use|\bEACCES\b|\bEPERM\b|permission denied|operation not permitted|read-only file ?system|\bENOSPC\b|no space left|\bEMFILE\b|too many open files|command not found|is not recognized as an internal|\bexec format error|cannot connect to the docker daemon|docker daemon is not running"),
    make_sign(DEPENDENCY, "a package that is missing or does not fit", r"\bERESOLVE\b|\bETARGET\b|\bModuleNotFoundError\b|\bImportError\b|\bNo module named\b|\bcannot find (?:module|package)\b|\bmodule not found\b|\bClassNotFoundException\b|\bNoClassDefFoundError\b|\bNoSuchMethodError\b|\bAbstractMethodError\b|\bunmet (?:peer )?dep\w+|\bResolutionImpossible\b|\bDLL load failed|\bGLIBC\w*_\d[\d.]* not found|\bunable to resolve dependency|\bcould not find a version that satisfies"),
    make_sign(PERFORMANCE, "it ran out of time or memory", r"\bETIMEDOUT\b|\bESOCKETTIMEDOUT\b|\b(?:\w+\.)?(?:ReadTimeout|ConnectTimeout|Timeout|DeadlineExceeded)(?:Error|Exception)?\b(?=:)|\bTimeout(?:Error|Exception)\b|\bOOM ?Killed\b|\bOOM(?:s|ed|ing|-kill\w*)?\b|\bOutOfMemoryError\b|heap out of memory|\bMemoryError\b|\bdeadline exceeded\b|\bn\+1\b|\bn \+ 1\b", firm=False),
    make_sign(SECURITY, "a known vulnerability", r"\bCVE-\d{4}-\d{4,7}\b|\bGHSA(?:-\w{4}){3}\b"),
)  # fmt: skip
"""What is no denial or plan in any language."""
