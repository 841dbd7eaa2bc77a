"""The shape of the tables of signs, and the signs that machines print in every language."""

from __future__ import annotations

import re
from typing import NamedTuple

from memtui.core.startup import compile_pattern
from memtui.language.trouble_kinds import DEPENDENCY, ENVIRONMENT, ERROR, PERFORMANCE, SECURITY


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
    Sign(
        ERROR,
        compile_pattern(rf"(?<![\w/])(?:[\w.]{{1,60}}\.)?(?:{_RUNTIME})\b(?![-./]\w)"),
        "an error by its name",
    ),
    Sign(
        ERROR,
        compile_pattern(
            r"(?:\b(?:[Tt]hr[eo]w\w{0,3}|[Gg]ot|[Gg]ets|[Gg]etting|[Hh]it|[Rr]aised|with|by|to|an?|the)\s|报|抛出?了?|出现|提示|触发)"
            r"\s?`?[A-Z]\w{2,40}(?:Error|Exception)\b(?!\s(?:class|type|handler|page|boundary))"
            r"|\b[A-Z]\w{2,40}(?:Error|Exception)(?=`?:\s|`?\s(?:when|while|during)\b|异常)"
        ),
        "an error by its name",
        False,
    ),
    make_sign(
        ERROR,
        "an error's code",
        r"\b(?:TS1|TS2|TS5|TS6|TS7|TS8)\d{3,4}\b|\berror\[E\d{4}\]|\b(?:ORA-|PGRST|SQLSTATE|P1|P2|P3)\d{3,5}\b|\bERR_[A-Z_]{4,}|\bexit(?:ed|s)?(?: with)?(?: status| code)+ [1-9]\d{0,2}\b|\bSIG(?:SEGV|ABRT|BUS)\b|\bEXC_(?:BAD_ACCESS|BAD_INSTRUCTION|CRASH)\b|退出码 ?[1-9]",
    ),
    make_sign(
        ERROR,
        "a server's answer",
        r"\b(?:return(?:ed|s|ing)|got|gets?|getting|throw(?:s|ing)|threw|gave|gives|giving|with|same|an|a|http|status|hit|answers|answered)\s(?:an? |http |status |the same )*5\d\d\b(?!\s?(?:ms|mb|kb|gb|s\b|page|lines|rows|%|px|users|items|error page))"
        r"|(?<![\w.:$/-])5\d\d\b(?=\s(?:errors?|on|from|when|after|again|response)\b)"
        r"|\b(?:fail\w*|reject\w*|error\w*|got|getting|gets|hit|gave|threw|refused)\b(?: \w+){0,3}? (?:with |an? |http |status )*4\d\d\b"
        r"|\b40[13]\b(?= (?:from|when|on|while|unauthorized|forbidden)\b)"
        r"|(?:返回|报|又|提示|出现|响应|一直|接口)了?\s?(?:http )?5\d\d(?!\s?(?:ms|毫秒|条|行|个|页))|(?:报|提示|一直|总是|又)\s?4\d\d(?!\s?(?:ms|毫秒|条|行|个|页))",
    ),
    make_sign(
        ERROR,
        "a program that died",
        r"\bsegfault\w*|\bsegmentation fault|\bcore dump(?:ed)?\b|\bpanic(?:ked|s)?\b(?: ?:| in\b| at\b)|\bkernel panic|\btraceback\b(?! ?(?:format|style))|\bstack ?overflow(?:ed)?\b(?!\.com)|段错误|栈溢出|内核崩溃|undefined (?:symbol|reference)|unresolved (?:reference|symbol|external)|unhandled (?:rejection|exception)|redirect_uri_mismatch|is not a function\b|is not defined\b|undefined is not",
    ),
    make_sign(
        ENVIRONMENT,
        "a connection was refused",
        r"\bECONNREFUSED\b|\bconnection(?:s| was| were| is)? refused|\brefused (?:the |our |to |all )?connect\w*|\bECONNRESET\b|\bENOTFOUND\b|\bEHOSTUNREACH\b|could not resolve host|\bgetaddrinfo\b|name resolution|连接被拒|拒绝(?:了)?连接",
    ),
    make_sign(
        ENVIRONMENT,
        "what it runs on does not let it",
        r"\bEADDRINUSE\b|address already in use|\bEACCES\b|\bEPERM\b|permission denied|operation not permitted|read-only file ?system|\bENOSPC\b|no space left|\bEMFILE\b|too many open files|command not found|is not recognized as an internal|\bexec format error|cannot connect to the docker daemon|docker daemon is not running",
    ),
    make_sign(
        DEPENDENCY,
        "a package that is missing or does not fit",
        r"\bERESOLVE\b|\bETARGET\b|\bModuleNotFoundError\b|\bImportError\b|\bNo module named\b|\bcannot find (?:module|package)\b|\bmodule not found\b|\bClassNotFoundException\b|\bNoClassDefFoundError\b|\bNoSuchMethodError\b|\bAbstractMethodError\b|\bunmet (?:peer )?dep\w+|\bResolutionImpossible\b|\bDLL load failed|\bGLIBC\w*_\d[\d.]* not found|\bunable to resolve dependency|\bcould not find a version that satisfies",
    ),
    make_sign(
        PERFORMANCE,
        "it ran out of time or memory",
        r"\bETIMEDOUT\b|\bESOCKETTIMEDOUT\b|\b(?:\w+\.)?(?:ReadTimeout|ConnectTimeout|Timeout|DeadlineExceeded)(?:Error|Exception)?\b(?=:)|\bTimeout(?:Error|Exception)\b|\bOOM ?Killed\b|\bOOM(?:s|ed|ing|-kill\w*)?\b|\bOutOfMemoryError\b|heap out of memory|\bMemoryError\b|\bdeadline exceeded\b|\bn\+1\b|\bn \+ 1\b",
        firm=False,
    ),
    make_sign(
        SECURITY,
        "a known vulnerability",
        r"\bCVE-\d{4}-\d{4,7}\b|\bGHSA(?:-\w{4}){3}\b",
    ),
)
"""What is no denial or plan in any language."""
