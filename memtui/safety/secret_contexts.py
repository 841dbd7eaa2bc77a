"""Secrets found by the word before them: 'password: …', 'API_KEY=…', 'the token is …', '数据库密码是…'.

`is_secret_value` decides whether what follows is a secret rather than a name, a placeholder, a path, a number or code;
`is_secret_name` knows the names that secrets go by. From each place a bounded length is read, every text once.
"""

from __future__ import annotations

import itertools
import re
from enum import IntEnum

from memtui.core.startup import TYPE_CHECKING, compile_pattern
from memtui.safety.vendors import SecretSpan, Spots

if TYPE_CHECKING:
    from collections.abc import Iterator


class Form(IntEnum):
    """How the value is told: the looser, the more it must look like a secret by itself."""

    ASSIGNED = 0
    """'password: …', 'PASSWORD=…'"""
    TOLD = 1
    """'the password is …', '密码是…'"""
    BESIDE = 2
    """'password …': a flag, a column, two words in a row."""


_PLACEHOLDER = compile_pattern(
    r"""
    (?:your|my|the|this|that|some|any|new|old|a|an|user|insert|enter|put|add|type|paste|redacted|masked|hidden
      |example|sample|placeholder|change|replace|dummy|foo|bar|baz|null|none|nil|undefined|true|false|empty|todo|tbd
      |required|optional|string|str|bytes|bool|int|integer|number|char|varchar|text|object|any|unknown|void|default
      |pass|passw|password|passwd|pwd|secret|token|key|credentials?|api|access|auth|bearer|username|login|value|hash
      |process|import|config|settings|options|params|request|response|self|args|kwargs|ctx|env|os|sys|await|async|not
      |return|function|lambda|const|let|var|if|else|for|while|get|set|is|has|len|str|from|with|and|or|in|to)
    (?:[-_ .:/]|$|(?<=password)[:)]|(?<=your)[A-Za-z]|(?<=my)[A-Z])
    | x{3,} | \*{2,} | \.{2,} | -{3,} | _{3,} | \#{3,} | 0{6,}$ | (?P<same>.)(?P=same){5,}
    | [你您]的 | 请[输填] | 填[入写] | <[^<>]*>?$ | \[[^\]]*\]?$ | \{[^}]*\}?$ | \$\{ | \$\( | \$[A-Za-z_]\w*\W*$ | \$env: | %\(?[A-Za-z_]\w*[%)] | %[sdr]\b
    | \{\{ | @[A-Za-z_]+[({]?$ | ![A-Za-z]+ | [*&][A-Za-z_]\w*$ | [a-z]+:// | arn: | op:// | sha(?:1|256|384|512)[:-] | md5:
    | \#\{ | -- | // | /\* | => | == | != | [<>|]
    """,
    re.IGNORECASE | re.VERBOSE,
)
_ANYWHERE = compile_pattern(
    r"(?i)example|placeholder|change[_-]?(?:me|it|this)|replace[_-]?(?:me|this|with)|your[_-]?(?:own|api|key|token|pass|secret)"
    r"|\$\{|\{\{|<\w+>|x{5,}|\*{4,}|…|\[a-z|\[0-9|\\[dws][+*{]|\.\*|dummy|redacted|\|\||&&|\)\.|\(\)|\?\.|=>|\)\)|:="
)
_CODE = compile_pattern(
    r"\(*[A-Za-z_][\w.:>-]*[(\[][\w\s.,\"'$*&:=+/-]*[)\]]?[\w.()\[\]\"',;:{}]*|[A-Za-z_]\w*(?:(?:\.|::|->)[A-Za-z_]\w*)+[;,)(]*"
    r"|[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|[a-z]+(?:[A-Z][a-z]+)+[0-9]?"
)
_NUMBER = (
    r"[~<>≥≤(]?v?\d+(?:[.,:/x×-]\d+)*(?:\.x)?[ -]?(?:[A-Za-z%°]{0,10}(?:/[A-Za-z]{1,6})?)?"
    r"|\d{4}-\d\d(?:-\d\d.*)?|\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?(?:/\d+)?|0x[0-9A-Fa-f]{1,8}"
)
_MAIL = r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+"
_HOST = r"(?:[a-z0-9-]+\.)+(?:com|org|net|io|dev|cn|local|internal|md|py|json|ya?ml|toml|txt|js|ts|go|rs|env|pem|key|cfg|ini|sh)(?:[:/]\S*)?"
_PIECE = compile_pattern(r"[A-Za-z]+\d{0,4}|\d{1,6}[A-Za-z]{0,3}|[A-Z]+\d+[A-Z]*")
_PARTS = compile_pattern(r"[-_./:+=,\\]+")
_JOINS = compile_pattern(r"[-_.+=,]")
_PATH = compile_pattern(r"[/:\\]")
_FORMAT = (
    r"(?:hmac-?|pbkdf2-?|rs|hs|es|ps|eddsa|aes|rsa|sha|md|ecdsa|ed|x|curve|p|secp|chacha|poly|bcrypt|scrypt|argon|base|utf|ascii|"
    r"oauth|oidc|saml|jwt|jws|jwe|tls|ssl|http|ipv|int|uint|float|i|u|f|varchar|char|python|py|node|es|h|v|win|arm|amd|x86_|latin|"
    r"iso|gb|cp|k|s|ec|ecc|dh|sm|pkcs|pem|totp|web|step|phase|part|version|level|line|page|figure|task|item|test|room|day|type)"
    r"-?\d{1,6}(?:[a-z]{0,3}(?:-\w+)?|(?:hash|digest|encod|encrypt)\w*)"
)
_KNOWN = compile_pattern(_FORMAT, re.IGNORECASE)
_ORDINARY = compile_pattern(
    "|".join(f"(?:{one})" for one in (_NUMBER, _MAIL, _HOST))
    + rf"|(?i:{_FORMAT})|\#[0-9A-Fa-f]{{3,8}}|0x[0-9A-Fa-f]{{40}}|[~≈]?[$€£¥][\d.,]+(?:/\w+)?|~?\d+[kKmM]?/\d+[kKmM]?|:\w+/.*|.*\}}%"
)
"""A number, an address, the name of a format, a colour, a price, a ratio, a route: by the whole value."""
_CUT_OFF = compile_pattern(r"(?:\.{3}|…)[\"'`*)\]]*$")
"""How a value ends that only shows its beginning."""
_FILE = compile_pattern(
    r"(?:~|\.{1,2})?/[\w.@+-]+(?:/[\w.@+-]+)*/?|~/\S*|id_(?:rsa|dsa|ecdsa|ed25519)\w*(?:\.pub)?",
    re.IGNORECASE,
)
_BOLD = compile_pattern(r"[\])>]?[*_]{2,3}$")
"""Where Markdown ends a name in bold: '**[Password Login]**'."""
_DIGITS = compile_pattern(r"\d")
_YEAR = compile_pattern(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_NO_LETTERS = compile_pattern(r"[\W\d_]")
_MARKS = compile_pattern(r"[!@#$%^&*?~|+=<>{}()\[\]';\"`]")


def trim_value(value: str) -> str:
    """The value without the punctuation of the sentence around it."""
    while value and value[-1] in ".,;:)]}>'\"`":
        last = value[-1]
        if last in ")]}" and "([{"[")]}".index(last)] in value:
            break
        value = value[:-1]
    return value


def is_secret_value(
    value: str, form: Form, *, password: bool, quoted: bool = False, argument: bool = False
) -> bool:
    """Whether the value is taken for a secret. `argument`: of a command, in whose place no code can stand."""
    value = _BOLD.sub("", value)
    size = len(value)
    if size < (5 if password and form is Form.ASSIGNED and quoted else 6 if password else 8):
        return False
    value = value[:160]
    if _CUT_OFF.search(value) or (_FILE.fullmatch(value) and max(map(len, value.split("/"))) < 24):
        return False
    if _PLACEHOLDER.match(value) is not None and not _strong(value):
        return False
    digits = len(_DIGITS.findall(value))
    upper, lower = value.upper() != value, value.lower() != value
    if _ANYWHERE.search(value) or (_ORDINARY.fullmatch(value) and not _opaque(value)):
        return value.isdigit() and _digits(value, form, password=password)
    if _CODE.fullmatch(value) is not None and not _opaque(value):
        # In quotation marks, or given to a command, it is no name of a program.
        plain = argument or (quoted and form is Form.ASSIGNED)
        if not (plain and password and digits and upper and lower and "(" not in value):
            return False
    letters = len(value) - len(_NO_LETTERS.findall(value))
    marks = len(_MARKS.findall(value))
    if not digits:
        if quoted and password and form is Form.ASSIGNED and value[-1] in "!?#$%&*" and upper and lower:
            return value[:-1].isalpha() and not is_describing(value[:-1].lower()) and size >= 8
        return _undigited(value, form, letters, marks, upper and lower, password=password)
    if not letters:
        return bool(marks) and password and size >= 8
    pieces = [piece for piece in _PARTS.split(value) if piece]
    if marks and not all(_PIECE.fullmatch(piece) for piece in pieces):
        return form is not Form.BESIDE or size >= 8
    wordy = all(_PIECE.fullmatch(piece) and len(piece) < 24 for piece in pieces)
    if not wordy:
        return form is not Form.BESIDE or (size >= 8 and (digits > 1 or size >= 16))
    if any(_KNOWN.fullmatch(piece) for piece in pieces) or not password:
        return False
    mixed = upper and lower
    if form is Form.ASSIGNED or argument:
        return len(pieces) == 1 or (mixed and (digits > 1 or size >= 8)) or (argument and digits > 1)
    # 'admin123', 'Guest2024': weak, and in use. A name with a number in it has fewer digits, or one case.
    if form is Form.TOLD and len(pieces) == 1:
        return True
    if form is Form.TOLD and len(pieces) == 2 and digits > 3 and letters > 4 and not _YEAR.search(value):
        return _one_mark(value)
    return mixed and digits > (2 if form is Form.BESIDE else 0) and size >= 8 and (_one_mark(value) or quoted)


def _one_mark(value: str) -> bool:
    """Whether one kind of mark joins the pieces, as in 'Harbor-2231', and none that joins a path or a host."""
    return len(set(_JOINS.findall(value))) == 1 and not _PATH.search(value)


def _opaque(value: str) -> bool:
    """Dotted like code, but nobody calls anything so: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIx…'."""
    return any(
        len(piece) >= 24
        and len(_DIGITS.findall(piece)) >= 3
        and piece.upper() != piece != piece.lower()
        and "_" not in piece.strip("_")
        for piece in value.split(".")
    )


def _strong(value: str) -> bool:
    """A placeholder's word at its head, but a password all the same: 'password#2024!x'."""
    body = value.strip("<>[]{}")
    return (
        body == value
        and any(mark in value for mark in "!@#^&*~")
        and sum(map(str.isdigit, value)) >= 2
        and "$" not in value[:1]
        and value[:1] not in "*&!@"
        and "//" not in value
    )


def _digits(value: str, form: Form, *, password: bool) -> bool:
    return (
        password
        and form is not Form.BESIDE
        and len(value) >= 6
        and len(set(value)) > 1
        and not (len(value) == 8 and value[:2] in {"19", "20"})
    )


def _undigited(value: str, form: Form, letters: int, marks: int, mixed: bool, *, password: bool) -> bool:
    """Without a digit, letters must be many or oddly mixed, or marks stand among them."""
    if marks and letters and password and len(value) >= 8:
        inner = value[:-1]
        return any(mark in inner for mark in "!@#$%^&*~") and (mixed or form is Form.ASSIGNED)
    if letters != len(value):
        return False
    humps = sum(one.islower() and other.isupper() for one, other in itertools.pairwise(value))
    if mixed and humps * 4 >= len(value) - 4:
        return len(value) >= 16
    return form is Form.ASSIGNED and len(value) >= 24 and not mixed and password


_DESCRIBES = frozenset((
    "a", "after", "all", "an", "and", "any", "are", "as", "at", "be", "before", "but", "by", "can", "do", "each", "every", "first", "for", "from", "has",
    "have", "here", "how", "if", "in", "into", "is", "it", "its", "just", "last", "less", "may", "min", "more", "must", "never", "new", "next", "no", "none",
    "not", "now", "of", "off", "old", "on", "once", "one", "only", "or", "our", "out", "over", "own", "per", "same", "see", "self", "set", "should", "some",
    "than", "that", "the", "their", "then", "this", "time", "to", "two", "until", "up", "upon", "use", "user", "via", "was", "when", "with", "your", "absent",
    "access", "account", "admin", "agent", "allow", "api", "app", "argon", "array", "ask", "async", "auth", "auto", "backend", "backup", "base", "basic",
    "bcrypt", "body", "bool", "boolean", "browser", "buffer", "bytes", "case", "center", "change", "char", "check", "class", "client", "cloud", "code",
    "column", "component", "config", "configmap", "const", "constant", "context", "control", "controller", "core", "custom", "data", "database", "date",
    "default", "demo", "deploy", "dev", "device", "digit", "directory", "docker", "email", "empty", "entry", "enum", "env", "environment", "error", "event",
    "expiry", "external", "false", "feature", "field", "file", "fix", "flag", "flow", "folder", "form", "free", "function", "gateway", "generate", "github",
    "gitlab", "global", "google", "guide", "handler", "hash", "header", "helper", "hidden", "high", "home", "hook", "host", "http", "https", "image",
    "implicit", "import", "index", "info", "inline", "input", "install", "integer", "internal", "issue", "item", "json", "key", "keychain", "keyring", "layer",
    "length", "level", "link", "list", "local", "localhost", "login", "long", "lookup", "machine", "mail", "manager", "manual", "max", "medium", "memory",
    "message", "method", "minimum", "mode", "model", "module", "multi", "mutation", "name", "network", "null", "number", "object", "open", "operator",
    "optional", "option", "output", "page", "panel", "param", "pass", "passphrase", "password", "path", "pattern", "placeholder", "plain", "plaintext",
    "plugin", "policy", "port", "private", "process", "prod", "production", "profile", "project", "prompt", "provider", "proxy", "public", "query", "random",
    "readonly", "reference", "remote", "repo", "request", "reset", "response", "role", "root", "route", "rule", "runtime", "sandbox", "schema", "script",
    "secret", "secure", "security", "server", "service", "session", "sha", "shared", "short", "single", "skill", "source", "staging", "state", "static", "step",
    "storage", "store", "string", "strong", "style", "support", "symbol", "sync", "system", "table", "task", "team", "template", "test", "text", "token",
    "tool", "true", "type", "undefined", "invalid", "incorrect", "wrong", "sorry", "success", "unique", "unknown", "unset", "update", "url", "uuid", "value",
    "variable", "vault", "verify", "version", "view", "void", "weak", "web", "wiki", "window", "word", "workflow", "write", "xml", "yaml", "postgres", "mysql",
    "mongo", "redis", "rabbitmq", "guest", "changeme", "letmein", "example", "dummy", "sample", "foobar",
))  # fmt: skip
"""Words of sentences and of programs. What says how a password is kept, made or asked for has one: 'set-by-admin',
'auto-generated-on-first-boot'; the words of a passphrase are those of any other subject."""
_DESCRIBING = compile_pattern(
    r"\w{3,}(?:ed|ing|able|ible|less|ly)s?|pass\w+|\w*(?:password|secret|string)\w*"
)
_PHRASE = compile_pattern(
    r"[A-Z]?[a-z]{2,11}(?:(?P<joint>[-_])[A-Z]?[a-z]{2,11})(?:(?P=joint)[A-Z]?[a-z]{2,11}){1,7}"
)
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


def is_passphrase(value: str, form: Form) -> bool:
    """Whether the value is some words in a row that are no description: 'correct-horse-battery-staple'."""
    match = _PHRASE.fullmatch(value)
    if match is None:
        return False
    words = value.lower().split(match["joint"])
    # What is joined by '_', or only stands beside the word, is more often a name.
    return len(words) >= (3 if match["joint"] == "-" and form is not Form.BESIDE else 4) and not any(
        map(is_describing, words)
    )


def is_describing(word: str) -> bool:
    return (
        word in _DESCRIBES or word.removesuffix("s") in _DESCRIBES or _DESCRIBING.fullmatch(word) is not None
    )


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
    "prompt", "completion", "stop", "per", "each", "by", "oauth", "co", "un", "fuzzy",
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
    r"|=>|:=|::?|=(?![=~])|\|(?!\|)|>(?=[^\s<>=@])|→|[,;]?\s{0,40}\\?[\"']?value\\?[\"']?[ \t]*[:=]|[ \t]*\{\s{0,40}default[ \t]*=)"
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
    rf"{_ASIDE}(?:[ \t]+[A-Za-z0-9_@%./'’-]{{1,30}}){{0,6}}?(?:[ \t]+(?:is|was|are|will|equals|becomes|became|to|as|=)|['’]s(?=[ \t]))(?:[ \t]+(?:now|still|currently|actually|just|simply|be))?(?:[ \t]+(?:been[ \t]+)?(?:changed|set|reset|updated|rotated)[ \t]+to)?"
    r"[ \t]*:?[ \t]+(?:be[ \t]+)?",
    re.IGNORECASE,
)
_TELL_ON = compile_pattern(r"(?:,?[ \t]+[A-Za-z'’]{1,16}){1,9}?[ \t]*[:→][ \t]+")
"""The word for a secret, more words, a colon: what they end with says whether it is one."""
_TELL_CHINESE = compile_pattern(
    rf"[sS]?{_CLOSER}{_ASIDE}[ \t]*[A-Za-z0-9_\u4e00-\u9fff\u3040-\u30ff\uac00-\ud7a3 \t/@.-]{{0,24}}?"
    r"(?:[:=|是为為叫即→は는은]|[成到用作填][了]?|->)[ \t]*(?:[:=→]|->)?[ \t]*"
)
_BELOW = compile_pattern(
    r"(?:[ \t]+is|[ ]?[是为])?[ \t]*[:=]?[ \t]*(?:\\\r?\n[ \t]*|\r?\n(?:[ \t]*\r?\n)?(?:[ ]{4,}|\t|[ ]{0,3}`|[ ]{0,3}:[ ]))"
    r"(?P<v>[!-9;-_a-~]{6,128})`?[ \t]*(?=\r?\n|$)"
)
"""A value alone on the next line: as code, as the definition of the word, or behind a backslash."""
_BRACKET = compile_pattern(
    r"[ \t]*(?=[(\[](?:[^)\]\s]{0,64}[!@#$%^&*~+=]|(?=[^)\]\s]{0,64}[a-z])(?=[^)\]\s]{0,64}[A-Z])[^)\]\s]{0,64}\d))"
)
"""Before what looks made up: 'SHA256' and 'bcrypt12' stand in brackets, too."""
_ADJOINING = compile_pattern(rf"{_CLOSER}{_ASIDE}[ \t,]*")
_OPENERS = {"「": "」", "『": "』", "“": "”", "‘": "’", "《": "》", "【": "】", "(": ")", "[": "]", "<": ">"}
_QUOTED = {
    quote: compile_pattern(
        rf"{re.escape(quote)}((?:[^{quote[-1]}\\\n]|\\{inner}.){{0,{LONGEST}}}?){re.escape(quote)}"
    )
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
        sign = sign or _TELL.match(text, end)
        found = _value(text, sign.end(), kind, Form.TOLD) if sign is not None else None
        return found if found is not None and text[found.start : found.end].isdigit() else None
    if sign is not None:
        told = text[sign.end() - 1] == "|"
        found = _value(text, sign.end(), kind, Form.TOLD if told else Form.ASSIGNED)
        if found is None and kind == "password" and not match["more"]:
            found = _setting(text, at, sign, kind)
        return found
    listed = _LISTED.match(text, end) or _QUOTE_NEXT.match(text, end)
    if listed is not None:
        return _value(text, listed.end(), kind, Form.TOLD)
    if low.startswith("requirepass", max(0, at - 7)) or low[at:end] == "identified by":
        return _value(text, end + 1, kind, Form.TOLD, argument=True)
    found = _told(text, end, kind, _TELL)
    if found is None and not text.isascii():
        found = _told(text, end, kind, _TELL_CHINESE)
    if found is None and (told_on := _TELL_ON.match(text, end)) is not None:
        last = told_on[0].rstrip(" \t:→").rpartition(" ")[2].lower()
        if last not in _NOT_AFTER and last not in _OF_OTHERS:
            found = _value(text, told_on.end(), kind, Form.TOLD)
    return found


def _below(text: str, end: int, kind: str) -> SecretSpan | None:
    below = _BELOW.match(text, end)
    password = kind in {"password", "credential"}
    if below is None or not is_secret_value(below["v"], Form.TOLD, password=password, argument=True):
        return None
    return SecretSpan(*below.span("v"), kind, False)


def _told(text: str, end: int, kind: str, tell: re.Pattern[str]) -> SecretSpan | None:
    sign = tell.match(text, end)
    chinese = tell is _TELL_CHINESE
    if sign is not None:
        assigned = chinese and sign[0].rstrip()[-1:] in {":", "="}
        found = _value(text, sign.end(), kind, Form.ASSIGNED if assigned else Form.TOLD)
        if found is not None:
            return found
    # A Latin word goes on in what adjoins it; a Chinese one does not, and brackets behind it hold an aside, or it.
    for way in (_SPACE,) if text[end - 1].isascii() else (_BRACKET, _ADJOINING):
        beside = way.match(text, end)
        found = None if beside is None else _value(text, beside.end(), kind, Form.BESIDE)
        if found is not None:
            return found
    return None


def _is_spaced(value: str) -> bool:
    return (
        _FOURS.fullmatch(value) is not None
        and sum(_UNSPEAKABLE.search(word) is not None for word in value.split()) > 1
    )


def _value(text: str, at: int, kind: str, form: Form, *, argument: bool = False) -> SecretSpan | None:
    """The value that begins here, if it is one."""
    if text[at : at + 1] == "\0":
        return None
    password = kind in {"password", "credential"}
    opener = text[at : at + 2] if text[at : at + 1] == "\\" else text[at : at + 1]
    quoted = _QUOTED.get(opener)
    if quoted is not None:
        match = quoted.match(text, at)
        if match is not None:
            start = at + len(opener)
            if password and (_is_spaced(match[1]) or (argument and match[1].count(" ") > 2)):
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
    if not is_secret_value(value, form, password=password, argument=argument) and not (
        kind == "password" and is_passphrase(value, form)
    ):
        return None
    if end - at > LONGEST and at + len(value) == end:
        rest = _REST.match(text, end)
        return SecretSpan(at, rest.end() if rest else end, kind, False)
    return SecretSpan(at, at + len(value), kind, False)
