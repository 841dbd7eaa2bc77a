"""Secrets found by the word before them: 'password: …', 'API_KEY=…', 'the token is …', '数据库密码是…'.

`secret_values` decides whether what follows is one; `is_secret_name` knows the names that secrets go by. From each place a bounded length is read, every text once.
"""

from __future__ import annotations

import re

from memtui.core.startup import TYPE_CHECKING, compile_pattern
from memtui.safety.secret_values import (
    KNOWN_FORMAT,
    WIDE_OTHERS,
    Form,
    is_describing,
    is_passphrase,
    is_secret_value,
    trim_value,
)
from memtui.safety.vendors import SecretSpan, Spots

if TYPE_CHECKING:
    from collections.abc import Iterator


_SETTING = compile_pattern(r"[ \t]*(?:- |export |set )?(?P<whose>[A-Za-z][A-Za-z0-9_.-]{1,40})\Z")
_SET = compile_pattern(r"(?P<q>[\"']?)(?P<v>[A-Za-z]{6,24})(?P=q)[ \t]*(?:#[^\n]*)?(?=\r?\n|\Z)")
_LAST_PART = compile_pattern(r"([A-Za-z][a-z]*|[A-Z]+)\d*[_.-]?\Z")
_NOT_SET = frozenset((
    "change", "changed", "check", "compare", "confirm", "confirmed", "current", "decrypt", "decrypted", "display", "enable", "encrypt", "encrypted", "enter",
    "expired", "forget", "forgot", "forgotten", "generate", "get", "has", "hash", "hashed", "hide", "input", "invalid", "is", "match", "new", "no", "old", "on",
    "original", "plain", "previous", "prompt", "raw", "read", "recover", "repeat", "request", "require", "required", "reset", "save", "send", "set", "show",
    "store", "temp", "toggle", "update", "use", "validate", "verify", "with", "without", "wrong",
))  # fmt: skip
"""What is done with a password, or which one of two it is, before the word: 'resetPassword', 'confirm_password'."""


def _setting(text: str, at: int, sign: re.Match[str], kind: str) -> SecretSpan | None:
    """A plain word that a line of a config gives to some service's password: 'dbPassword: …', 'DB_PASSWORD=…'.

    Only a name made of several parts is so clear that any word may follow it.
    """
    said = sign[0].strip("\"' ")
    start = text.rfind("\n", max(0, at - 64), at) + 1
    whose = _SETTING.match(text[start:at])
    last = _LAST_PART.search(whose["whose"]) if whose is not None else None
    if last is None or said not in {":", "="} or (said == "=" and sign[0] != "=") or sign[0] == ":":
        return None
    value = _SET.match(text, sign.end())
    if value is None or last[1].lower() in _NOT_SET or is_describing(value["v"].lower()):
        return None
    # 'dbPassword: userPassword' names another name.
    if not value["q"] and not (value["v"].islower() or value["v"].istitle()):
        return None
    return SecretSpan(value.start("v"), value.end("v"), kind, False)


WORDS = ("pass", "pw", "_pat", "secret", "token", "key", "cred", "auth", "pin", "identified by")
CHINESE = (
    "密码", "口令", "授权码", "密钥", "秘钥", "令牌", "私钥", "凭证", "凭据", "密匙", "通行码", "卡密", "激活码", "解压码", "暗号",
    "密碼", "權杖", "金鑰", "密鑰", "授權碼", "私鑰", "憑證", "パスワード", "暗証番号", "비밀번호",
)  # fmt: skip

NAME = compile_pattern(
    r"(?:pass(?:word|wd|phrase|code|wort)?|pwd?|_pat|secret|token|key|cred(?:ential)?|auth(?:orization)?|pin|identified by)s?"
    r"(?P<more>(?:[_.-]?[A-Za-z0-9]{1,16}){0,3}+)",
    re.IGNORECASE,
)
_BEFORE_KEY = compile_pattern(
    r"(?:api|secret|access|private|priv|signing|sign|encryption|encrypt|crypto|auth|account|master|client|service|app"
    r"|application|consumer|subscription|license|deploy|admin|webhook|shared|storage|hmac|jwt|ssh|rsa|aes|root|integration"
    r"|server|ingest|write|read|bot|user|devkey|openai|anthropic|azure|functions|host|wallet|recovery|backup|product"
    r"|stripe|sendgrid|mapbox|plaid|twilio|mailgun|algolia|datadog|groq|gemini|mistral|deepseek|tavily|serper|brave|elevenlabs"
    r"|cohere|pinecone|supabase|cloudflare|maps|posthog|resend|openrouter|dashscope|zhipu|moonshot|kimi|firecrawl|langsmith|qdrant)"
    r"(?:\\?_|[- .])?$|(?:接口|服务|平台|应用|账号|模型|机器人|控制台|调用|访问)(?:的|[ ])*$",
    re.IGNORECASE,
)
_BEFORE_PASS = compile_pattern(
    r"(?:^|[^A-Za-z]|require|master|root|admin|user|db|my|smtp|ftp|mail|mysql|pg|redis|proxy|wifi|login)$",
    re.IGNORECASE,
)
_OTHER_KEYS = (
    "public", "page", "next", "prev", "previous", "pad", "eos", "bos", "sep", "cls", "unk", "mask", "special", "cancel", "cancellation",
    "continuation", "design", "foreign", "primary", "sort", "partition", "cache", "idempotency", "max", "min", "num", "total", "input", "output",
    "prompt", "completion", "stop", "per", "each", "by", "oauth", "co", "un", "fuzzy", "unexpected", "reflection", "conditional",
)  # fmt: skip
"""What makes a name one of something else, by the word before: 'public key', 'next_token'."""
_NOT_BEFORE = compile_pattern(
    rf"(?:(?<![A-Za-z])|(?-i:(?<=[a-z])(?=[A-Z])))(?:{'|'.join(_OTHER_KEYS)})[-_ .]?$", re.IGNORECASE
)
_AUTH_CODE = compile_pattern(r"auth(?:orization)?[-_. ]?codes?", re.IGNORECASE)
"""The secret that spec 001 names by its name, as services of mail have it."""
_OTHER_TOKENS = compile_pattern(
    r"(?:^|[^A-Za-z])(?:doc|docx|wiki|node|obj|folder|file|sheet|spreadsheet|bitable|block|parent|space|csrf[-_]?field)[-_ .]?$",
    re.IGNORECASE,
)
"""What a service calls by a token and hides from nobody: 'doc_token', 'folder_token'."""
_NOT_AFTER = frozenset((
    "address", "addresses", "age", "alg", "algorithm", "arn", "array", "at", "attempts", "backend", "bucket", "bucketing", "budget", "cache",
    "change", "changed", "class", "column", "config", "count", "created", "days", "description", "dir", "disabled", "enabled", "endpoint", "engine",
    "env", "error", "exception", "expiration", "expire", "expired", "expires", "expiry", "factory", "field", "fields", "file", "files", "fingerprint",
    "flow", "format", "grant", "handler", "hash", "hashed", "hashes", "header", "headers", "helper", "hint", "history", "hours", "id", "ids", "index",
    "info", "input", "keys", "kind", "label", "len", "length", "less", "limit", "link", "list", "manager", "map", "max", "message", "method", "min",
    "mint", "mints", "min_length", "minutes", "mode", "model", "name", "names", "path", "paths", "pattern", "placeholder", "policies", "policy",
    "prefix", "prompt", "protected", "protection", "provider", "ref", "regex", "request", "required", "reset", "response", "retries", "retry",
    "rotation", "rule", "rules", "salt", "scanner", "schema", "scope", "scopes", "seconds", "service", "set", "size", "source", "state", "status",
    "stdin", "storage", "store", "strength", "suffix", "table", "text", "thumbprint", "title", "ttl", "type", "types", "updated", "uri", "url",
    "usage", "utils", "validation", "validator", "values", "var", "variable", "vault", "version", "window",
))  # fmt: skip
"""What makes a name one of something else: 'password_file', 'token_count'."""


_VERB = compile_pattern(
    r"[ \t]+(?:as|to|in|into|through|on|by|for|the|a|an|via|with|over|all|any|each|both|every|one|chat)\b"
)
"""Behind 'pass' it is what somebody does: 'pass as `…`'."""


_OF_OTHERS = frozenset((
    "commit", "commits", "sha", "digest", "checksum", "rev", "revision", "image", "tag", "branch", "run", "session",
    "see", "example", "e.g", "note", "error", "account", "user", "contract", "wallet",
))  # fmt: skip
"""And what ends such a sentence where something else follows."""


def is_secret_name(text: str, low: str, word: str, at: int, match: re.Match[str]) -> bool:
    """Whether the name that the word stands in is one of a secret."""
    before = text[max(0, at - 16) : at]
    more = match["more"]
    body = text[at : match.end() - len(more)]
    if more[:1].isalpha() and (more[0].islower() if not body.isupper() else more[0].isupper()):
        return False
    if word == "key" and _BEFORE_KEY.search(before) is None:
        return False
    if word == "_pat" and more:
        return False
    if word in {"cred", "auth", "pin", "pw"}:
        if (
            before[-1:].isalpha()
            and before[-1:].isascii()
            and not (text[at].isupper() and before[-1].islower())
            and body.lower() != "pwd"
        ):
            return False
        if word == "auth" and _AUTH_CODE.fullmatch(body + more) is not None:
            return True
        if word == "auth" and (body.lower() != "auth" or before[-1:] not in {"_", '"', "'"} or more):
            return False
    elif word == "pass" and (
        body.lower() == "passs"
        or (body.lower() == "pass" and _BEFORE_PASS.search(before) is None and not text[at].isupper())
    ):
        return False
    if word == "token" and _OTHER_TOKENS.search(before) is not None:
        return False
    if body.lower() == "pass" and not more and _VERB.match(text, match.end()) is not None:
        return False
    last = low[max(0, at - 16) : at]
    if last[-1:] in {"-", "_", " ", "."}:
        last = last[:-1]
    if last.endswith(_OTHER_KEYS) and _NOT_BEFORE.search(before) is not None:
        return False
    parts = re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+", more) if more else ()
    return not any(part.lower() in _NOT_AFTER for part in parts)


_PASSWORDS = frozenset((
    "密码", "口令", "授权码", "解压码", "暗号", "密碼", "授權碼", "通行码", "卡密", "激活码", "パスワード", "暗証番号", "비밀번호",
))  # fmt: skip


def classify_secret(name: str) -> str:
    """What a secret of this name is: the word in its mask."""
    if name.startswith(("pass", "pw", "pin", "identified")) or name in _PASSWORDS:
        return "password"
    if name.startswith(("token", "_pat")) or name in {"令牌", "權杖"}:
        return "token"
    if name.startswith("secret"):
        return "secret"
    if name.startswith(("cred", "auth")) or name in {"凭证", "凭据", "憑證"}:
        return "credential"
    return "key"


LONGEST = 200
"""Characters of a value that are judged; what follows without a break belongs to it."""

_CLOSER = r"(?:\\?[\"'`*_]{1,3}+|[\])」』”’>]{1,2})?"
_ASIDE = r"(?:[ \t]*[(\[][^()\[\]\n]{0,40}[)\]]|[ \t]+for[ \t]+(?:the[ \t]+)?[\w@./-]{1,30}(?=:))?"
_ASSIGN = compile_pattern(
    rf"{_CLOSER}{_ASIDE}{_CLOSER}[ \t]*"
    r"(?:(?::[ \t]*|[ \t])[&*A-Za-z_][\w.<>\[\]|&'?]{0,24}[ \t]*=(?=[ \t]*[^\s=~>,;)\]}}])"
    r"|=>|:=|::?|=(?![=~])|\|(?!\|)|>(?=[^\s<>=@])|→|[,;]?\s{0,40}\\?[\"']?value\\?[\"']?[ \t]*[:=]|\{\s{0,40}default[ \t]*=)"
    r"(?:\*\*)?[ \t]*(?:[|>][+-]?[ \t]*\n[ \t]+|(?:is|was|是|为)[ \t]+)?(?:-[ \t]+)?(?:\([ \t]*\n?[ \t]*(?=[\"']))?(?:[bruf]{1,2}(?=[\"']))?",
    re.IGNORECASE,
)
_GIVEN = compile_pattern(
    r"(?:(?<!\w)export[ ]\w*|(?<![\w-])--(?:set[ ])?[a-z][a-z.-]*|(?<![\w-])--|(?<!\w)(?:setx(?:[ ]/M)?|setenv|set[ ]+-[A-Za-z]+|config:set|\$env:)[ ]*\w*)\Z"
)
_GIVING = ("--", "set", "export", "$env")
_GIVES = compile_pattern(r"=|[ \t]+(?![=:]|--)")
_LISTED = compile_pattern(r"\\?[\"'][ \t]*,[ \t]*(?=\\?[\"'])")
_SPACE = compile_pattern(r"[ \t]+")
_QUOTE_NEXT = compile_pattern(r"[ \t]+(?=[\"'`])")
_TELL = compile_pattern(
    rf"{_ASIDE}(?:[ \t]+[A-Za-z0-9_@%./'’-]{{1,30}}){{0,6}}?(?:[ \t]+(?:is|was|are|will|equals|becomes|became|stays|remains|to|as|=)|['’]s(?=[ \t]))(?:[ \t]+(?:now|still|currently|actually|just|simply|be))?(?:[ \t]+(?:been[ \t]+)?(?:changed|set|reset|updated|rotated)[ \t]+to)?"
    r"[ \t]*:?[ \t]+(?:be[ \t]+)?",
    re.IGNORECASE,
)
_PIN = compile_pattern(r"[\"'`*]{0,2}(?!(?:19|20)\d\d(?!\d))(?P<v>\d{4,12})(?![\w:%]|[.,-]\d)")
_TELL_ON = compile_pattern(r"(?:,?[ \t]+[A-Za-zÀ-ž'’]{1,16}){1,9}?[ \t]*[:→][ \t]+")
"""The word for a secret, more words, a colon: what they end with says whether it is one."""
_OF_NAME = compile_pattern(
    r" (?:manager|policy|file|path|hash|format|length|field|limit|budget|count|endpoint|type|prefix|scope|bucket|store|name)s? (?:is|was|are|=)\b"
)
_PASS_TELL = compile_pattern(
    r"[*_`\"')]{0,3}[ \t]+(?:(?:is|was|now|[\w@./-]{1,24}[ \t]+(?:is|was))[ \t]|[\"'`*]|(?=[!-~]*\d)(?=[!-~]*[A-Za-z])[!-~])"
)
"""Of 'pass' alone: it says what it is right away, for else it is what tests do, and what is done to arguments."""
_TELL_CHINESE = compile_pattern(
    rf"[sS]?{_CLOSER}{_ASIDE}[ \t]*[A-Za-z0-9_\u4e00-\u9fff\u3040-\u30ff\uac00-\ud7a3 \t/@.-]{{0,24}}?"
    r"(?:(?<!/)[:=|是为為叫即→は는은]|[成到用作填][了]?|->)[ \t]*(?:[:=→]|->)?[ \t]*"
)
_BELOW = compile_pattern(
    r"(?:[ \t]+is|[ ]?[是为])?[ \t]*+(?:[:=][ \t]*+)?(?:\\\r?\n[ \t]*|\r?\n(?:[ \t]*\r?\n)?(?:[ ]{4,}|\t|[ ]{0,3}`|[ ]{0,3}:[ ]))"
    r"(?P<v>[!-9;-_a-~]{6,128})`?[ \t]*(?=\r?\n|$)"
)
"""A value alone on the next line: as code, as the definition of the word, or behind a backslash."""
_BRACKET = compile_pattern(
    r"[ \t]*(?=[(\[](?![$€£¥])(?:[^()\[\]\s]{0,64}[!@#$%^&*~+=]|(?=[^()\[\]\s]{0,64}[a-z])(?=[^()\[\]\s]{0,64}[A-Z])[^()\[\]\s]{0,64}\d)[^()\[\]\s]{0,64}[)\]])"
)
"""Before what looks made up: 'SHA256' and 'bcrypt12' stand in brackets, too."""
_ADJOINING = compile_pattern(rf"{_CLOSER}{_ASIDE}[ \t,]*")
_WEAK_BESIDE = compile_pattern(r"[ ]?(?P<v>[A-Za-z]{4,20}\d{3,8})(?![\w.@/-])")
"""Letters and digits right behind the Chinese word: 'abcd520'."""
_OPENERS = {"「": "」", "『": "』", "“": "”", "‘": "’", "《": "》", "【": "】", "(": ")", "[": "]", "<": ">"}
_QUOTED = {
    quote: compile_pattern(rf"{re.escape(quote)}((?:[^{quote[-1]}\\\n]|\\{inner}.){{0,{LONGEST}}}?){re.escape(quote)}")
    for quote, inner in (('"', ""), ("'", ""), ("`", ""), ('\\"', '(?!")'), ("\\'", "(?!')"))
}
_FOURS = compile_pattern(r"[a-z]{4}(?: [a-z]{4}){3}(?![ ]?[A-Za-z])")
"""A password made for one program: four times four letters, no words of a language among them."""
_UNSPEAKABLE = compile_pattern(r"[b-df-hj-np-tv-xz]{3}")
_BARE = compile_pattern(
    rf"(?:[!#-&(-;=-_a-~](?<!\\)|\\(?![nrt\"']))(?:[!#-&(-;=-\[\]-_a-~]|'(?=[^\s,;)\]}}.])|\\(?![nrt\"'])){{0,{LONGEST}}}+"
)
_REST = compile_pattern(r"[!#-&(-;=-\[\]-_a-~]*+")
_CUT = compile_pattern(r"[;,&](?=[A-Za-z_][\w .-]{0,30}[=:]|$)|[,;](?=[\"'{\[])")


def find_context_secrets(text: str, low: str) -> Iterator[SecretSpan]:
    """What follows a word that announces a secret. `low` is the text in lower case, letter by letter."""
    for word in WORDS:
        spots = Spots(low, word)
        while spots.at >= 0:
            found = _english(text, low, word, spots.at)
            if found is not None:
                yield found
            spots.on(found.end if found else 0)
    if text.isascii():
        return
    # One character is looked for in a thirtieth of the time of two.
    for word in [one for one in CHINESE if one[0] in text and one[-1] in text]:
        spots = Spots(text, word)
        while spots.at >= 0:
            end, kind = spots.at + len(word), classify_secret(word)
            if WIDE_OTHERS.match(text, end) is not None:
                spots.on(0)
                continue
            found = _below(text, end, kind) or _told(text, end, kind, _TELL_CHINESE)
            if found is not None:
                yield found
            spots.on(found.end if found else 0)


def _english(text: str, low: str, word: str, at: int) -> SecretSpan | None:
    match = NAME.match(text, at)
    if match is None or not is_secret_name(text, low, word, at, match):
        return None
    end = match.end()
    kind = classify_secret(low[at:end])
    if (below := _below(text, end, kind)) is not None:
        return below
    before = text[max(0, at - 48) : at]
    if any(sign in before for sign in _GIVING) and _GIVEN.search(text, max(0, at - 48), at) is not None:
        # An option of a command, or a variable that a command sets.
        spaced = _GIVES.match(text, end)
        if spaced is not None:
            return _value(text, spaced.end(), kind, Form.TOLD, argument=True)
    sign = _ASSIGN.match(text, end)
    if word == "pin":
        # A person's PIN has digits only; what else is pinned is a version, or a commit.
        sign = sign or _TELL.match(text, end) or (_TELL_ON.match(text, end) if text[at : at + 3] == "PIN" else None)
        digits = _PIN.match(text, sign.end()) if sign is not None else None
        return None if digits is None else SecretSpan(*digits.span("v"), kind, False)
    if sign is not None:
        told = text[sign.end() - 1] == "|"
        if "|" in sign[0] and low[at:end] == "pass":
            # The verdict of a check, and in the next cell its reason.
            return None
        if text[sign.end() : sign.end() + 1] == "-" and text.rfind("${", max(0, at - 48), at) > text.rfind(
            "}", max(0, at - 48), at
        ):
            return _default(text, sign.end() + 1, kind)
        found = _value(text, sign.end(), kind, Form.TOLD if told else Form.ASSIGNED)
        if found is None and kind == "password" and not match["more"]:
            found = _setting(text, at, sign, kind)
        return found
    listed = _LISTED.match(text, end) or _QUOTE_NEXT.match(text, end)
    if listed is not None:
        return _value(text, listed.end(), kind, Form.TOLD)
    if low.startswith("requirepass", max(0, at - 7)) or low[at:end] == "identified by":
        return _value(text, end + 1, kind, Form.TOLD, argument=True)
    if _OF_NAME.match(low, end) is not None:
        return None
    if low[at:end] == "pass" and _PASS_TELL.match(text, end) is None:
        return None
    found = _told(text, end, kind, _TELL)
    if found is None and not text.isascii():
        found = _told(text, end, kind, _TELL_CHINESE)
    if found is None and (told_on := _TELL_ON.match(text, end)) is not None:
        last = told_on[0].rstrip(" \t:→").rpartition(" ")[2].lower()
        if last not in _NOT_AFTER and last not in _OF_OTHERS:
            found = _value(text, told_on.end(), kind, Form.TOLD)
    return found


def _default(text: str, at: int, kind: str) -> SecretSpan | None:
    """What a variable is where nothing is given: '${DB_PASSWORD:-…}'."""
    value = text[at : max(at, text.find("}", at, at + LONGEST))]
    if not is_secret_value(value, Form.TOLD, password=kind in {"password", "credential"}):
        return None
    return SecretSpan(at, at + len(value), kind, False)


def _below(text: str, end: int, kind: str) -> SecretSpan | None:
    below = _BELOW.match(text, end)
    password = kind in {"password", "credential"}
    if below is None or not is_secret_value(below["v"], Form.TOLD, password=password, argument=True):
        return None
    return SecretSpan(*below.span("v"), kind, False)


def _told(text: str, end: int, kind: str, tell: re.Pattern[str]) -> SecretSpan | None:
    chinese, at = tell is _TELL_CHINESE, end
    for _time in range(1 if chinese else _TOLD_TIMES):
        sign = tell.match(text, at)
        if sign is None:
            break
        if chinese and text[end - 1].isascii() and _names_other(sign[0]):
            break
        assigned = chinese and sign[0].rstrip()[-1:] in {":", "="}
        found = _value(text, sign.end(), kind, Form.ASSIGNED if assigned else Form.TOLD)
        if found is not None:
            return found
        # 'the password to the wiki is …': the first such word was of the name.
        at = sign.end() - 1
    if (
        not text[end - 1].isascii()
        and (weak := _WEAK_BESIDE.match(text, end)) is not None
        and not KNOWN_FORMAT.fullmatch(weak["v"])
    ):
        return SecretSpan(*weak.span("v"), kind, False)
    # A Latin word goes on in what adjoins it; a Chinese one does not, and brackets behind it hold an aside, or it.
    for way in (_BRACKET, _SPACE) if text[end - 1].isascii() else (_BRACKET, _ADJOINING):
        beside = way.match(text, end)
        if way is _SPACE and beside is not None and text[beside.end() : beside.end() + 1] in {"(", "["}:
            continue
        bold = beside is not None and text.startswith("**", beside.end())
        found = None if beside is None else _value(text, beside.end(), kind, Form.TOLD if bold else Form.BESIDE)
        if found is not None:
            return found
    return None


def _names_other(sign: str) -> bool:
    """Whether the words before the sign make the name one of something else: 'SSH key fingerprint: …'."""
    words = _WORD.findall(sign)
    return bool(words) and words[-1].lower() in _NOT_AFTER


_WORD = compile_pattern("[A-Za-z]+")
_TOLD_TIMES = 2


def _is_spaced(value: str) -> bool:
    return (
        _FOURS.fullmatch(value) is not None
        and len({*value}) > 5
        and sum(_UNSPEAKABLE.search(word) is not None for word in value.split()) > 1
    )


def _value(text: str, at: int, kind: str, form: Form, *, argument: bool = False) -> SecretSpan | None:
    """The value that begins here, if it is one."""
    if text[at : at + 1] == "\0":
        return None
    password = kind in {"password", "credential"}
    if text.startswith(("**", "~~", "__"), at) and text[at + 2 : at + 3].strip("*~_ \n"):
        at += 2
    opener = text[at : at + 2] if text[at : at + 1] == "\\" else text[at : at + 1]
    quoted = _QUOTED.get(opener)
    if quoted is not None:
        match = quoted.match(text, at)
        if match is not None:
            start = at + len(opener)
            if password and (_is_spaced(match[1]) or (argument and match[1].count(" ") > 2 and len({*match[1]}) > 5)):
                return SecretSpan(start, start + len(match[1]), kind, False)
            # Several words in quotation marks are a sentence or a command.
            inner = match[1].strip()
            if " " not in inner and (
                is_secret_value(inner, form, password=password, quoted=True, argument=argument)
                or (kind == "password" and is_passphrase(inner, form))
            ):
                return SecretSpan(start, start + len(match[1]), kind, False)
            return None
        at += len(opener)
    elif opener in _OPENERS and opener not in "([<":
        close = text.find(_OPENERS[opener], at + 1, at + 200)
        if close > 0 and is_secret_value(text[at + 1 : close], form, password=password, quoted=True):
            return SecretSpan(at + 1, close, kind, False)
        at += 1
    if password and (spaced := _FOURS.match(text, at)) is not None and _is_spaced(spaced[0]):
        return SecretSpan(at, spaced.end(), kind, False)
    match = _BARE.match(text, at)
    if match is None:
        return None
    end = match.end()
    if not password and match[0].endswith("...") and end - at < LONGEST:
        # Only its beginning is shown.
        return None
    cut = _CUT.search(match[0])
    value = trim_value(match[0][: cut.start()] if cut else match[0])
    if text.startswith(value[-2:] if value[-2:] in {"**", "~~", "__"} else "\0", at - 2):
        value = value[:-2]
    if not is_secret_value(value, form, password=password, argument=argument) and not (
        kind == "password" and is_passphrase(value, form)
    ):
        return None
    if end - at > LONGEST and at + len(value) == end:
        rest = _REST.match(text, end)
        return SecretSpan(at, rest.end() if rest else end, kind, False)
    return SecretSpan(at, at + len(value), kind, False)
