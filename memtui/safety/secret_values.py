"""Whether a text that stands where a secret may is one: a secret, not a name, a placeholder, a path, a number or code.

`is_secret_value` decides it by how the value is told (`Form`); `is_passphrase` knows words in a row that are no description.
"""

from __future__ import annotations

import itertools
import re
from enum import IntEnum

from memtui.core.startup import compile_pattern


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
    | \{\{ | \(+[a-z]+:// | \[[^\]\s]*\]\( | (?:\[[^\]\s]{0,12}\])+$ | \d?>+[&/] | \\+u(?:002f|20[0-9a-f]{2}) | \$\$[A-Za-z_] | @[A-Za-z_]+[({]?$ | @[\w-]+(?:\.[\w-]+)*:\d{2,5}(?:/|$) | !+[A-Za-z]+ | [*&][A-Za-z_]\w*$ | [a-z]+:// | arn: | op:// | sha(?:1|256|384|512)[:-] | md5:
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
_NAMES = r"[\w.+@*-]{1,40}"
_DOCUMENT = (
    rf"(?:{_NAMES}/)*{_NAMES}\.(?:mdx?|mdc|rst|txt|pdf|docx?|xlsx?|pptx?|csv|tsv|jsonl?|ya?ml|toml|xml|html?|css|s[qc]l|db|sh|ps1|py|ipynb|[cm]?[jt]sx?|go|rs|rb|php|java|kt"
    r"|swift|dart|vue|svelte|png|jpe?g|gif|svg|webp|mp[34]|wav|zip|tar|gz|log|conf|ini|cfg|lock)(?:(?::|#L?)\d+(?:[-:]L?\d+)?)?(?:::?[\w.]+)?"
)
"""A file that something stands in, with a line of it."""
_MAIL = r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+"
_HOST = r"(?:[a-z0-9-]+\.)+(?:com|org|net|io|dev|cn|local|internal|md|py|json|ya?ml|toml|txt|js|ts|go|rs|env|pem|key|cfg|ini|sh)(?:[:/]\S*)?"
_PIECE = compile_pattern(r"[A-Za-z]+\d{0,4}|\d{1,6}[A-Za-z]{0,3}|[A-Z]+\d+[A-Z]*")
_PARTS = compile_pattern(r"[-_./:+=,\\]+")
_JOINS = compile_pattern(r"[-_.+=,]")
_PATH = compile_pattern(r"[/:\\]")
_FORMAT = (
    r"(?:hmac-?|pbkdf2-?|rs|hs|es|ps|eddsa|aes|rsa|sha|md|ecdsa|ed|x|curve|p|secp|chacha|poly|bcrypt|scrypt|argon|base|utf|ascii|"
    r"utf8mb|oauth|oidc|saml|jwt|jws|jwe|tls|ssl|http|ipv|int|uint|float|i|u|f|varchar|char|python|py|node|es|h|v|win|arm|amd|x86_|latin|"
    r"iso|gb|cp|k|s|ec|ecc|dh|sm|pkcs|pem|totp|web|step|phase|part|version|level|line|page|figure|task|item|test|room|day|type)"
    r"-?\d{1,6}(?:[a-z]{0,3}(?:-\w+)?|(?:hash|digest|encod|encrypt)\w*)"
)
KNOWN_FORMAT = compile_pattern(_FORMAT, re.IGNORECASE)
_ORDINARY = compile_pattern(
    "|".join(f"(?:{one})" for one in (_NUMBER, _MAIL, _HOST, _DOCUMENT))
    + rf"|(?i:{_FORMAT})|\#[0-9A-Fa-f]{{3,8}}|[~≈]?[$€£¥]?[\d.,]+[kKmMbB]?(?:[-–~][$€£¥]?[\d.,]+[kKmMbB]?)?(?:/\w+)?|(?:Big)?(?:U?[Ii]nt|Float)\d+(?:Clamped)?Array|[#(]?[A-Z]{{2,6}}-\d{{1,5}}\)?|\d{{2,5}}/[A-Za-z][\w?=&.-]+|~?\d+[kKmM]?/\d+[kKmM]?|:\w+/.*|.*\}}%"
)
"""A number, an address, the name of a format, a colour, a price, a ratio, a route: by the whole value."""
_CUT_OFF = compile_pattern(r"(?:\.{3}|…)[\"'`*)\]]*$")
"""How a value ends that only shows its beginning."""
_ADDRESS = compile_pattern(r"0x[0-9A-Fa-f]{40}|(?:[0-9a-f]{7,10}(?:[|,]|$)){1,9}")
"""Of a contract, or the beginning of a commit's number: for all to see."""
_WORDS_PATH = compile_pattern(
    r"(?:(?:[A-Za-z]?[a-z]+\d{0,5}|[A-Z]{1,8}|\d{1,4}|[a-z]\d[a-z])(?:[._-]|/{1,2}|(?=/?$))){2,12}/?"
)
_FILE = compile_pattern(
    r"(?:~|\.{1,2})?/[\w.@+-]+(?:/[\w.@+-]+)*/?|~/\S*|id_(?:rsa|dsa|ecdsa|ed25519)\w*(?:\.pub)?",
    re.IGNORECASE,
)
_COUNTED = compile_pattern(r"123456|abc123|ABC123|abcdefg|ABCDEFG|a1b2c3d4|^\$[a-z]+(?:-\w+)+$|\w\.{3,}\w")
"""What somebody counts up to where a key would stand, or leaves out of it."""
_BOLD = compile_pattern(r"[\])>]?[*_]{2,3}$")
"""Where Markdown ends a name in bold: '**[Password Login]**'."""
_DIGITS = compile_pattern(r"\d")
_YEAR = compile_pattern(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_NO_LETTERS = compile_pattern(r"[\W\d_]")
_MARKS = compile_pattern(r"[!@#$%^&*?~|+=<>{}()\[\]';\"`]")


WIDE_OTHERS = compile_pattern(
    r"[ ]?(?:哈希|散列|加密|算法|强度|长度|策略|规则|规范|字段|存储|校验|格式|位数|找回|学|锁|管理器|雜湊|演算法)"
)
"""What makes a Chinese name one of something else, right behind it: '密码哈希：bcrypt'."""
_WEAK = compile_pattern(r"\d{3,8}[a-z]{4,12}")
"""In a column of passwords no number of anything."""


def trim_value(value: str) -> str:
    """The value without the punctuation of the sentence around it."""
    while value and value[-1] in ".,;:)]}>'\"`":
        last = value[-1]
        if last in ")]}" and "([{"[")]}".index(last)] in value:
            break
        value = value[:-1]
    return value


def is_secret_value(value: str, form: Form, *, password: bool, quoted: bool = False, argument: bool = False) -> bool:
    """Whether the value is taken for a secret. `argument`: of a command, in whose place no code can stand."""
    value = _BOLD.sub("", value)
    size = len(value)
    if size < (5 if password and form is Form.ASSIGNED and quoted else 6 if password else 8):
        return False
    value = value[:160]
    if _CUT_OFF.search(value) or (
        _FILE.fullmatch(value) and (value.startswith("~/") or max(map(len, value.split("/"))) < 24)
    ):
        return False
    if _PLACEHOLDER.match(value) is not None and not _strong(value):
        return False
    if not password and (
        _COUNTED.search(value) or _ADDRESS.fullmatch(value) or ("/" in value and _WORDS_PATH.fullmatch(value))
    ):
        return False
    digits = len(_DIGITS.findall(value))
    upper, lower = value.upper() != value, value.lower() != value
    if argument and password and _WEAK.fullmatch(value):
        return True
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
    if any(KNOWN_FORMAT.fullmatch(piece) for piece in pieces) or not password:
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
    if _BOOTSTRAP.fullmatch(value) and sum(map(str.isdigit, value)) > 3:
        return True
    return any(
        len(piece) >= 24
        and len(_DIGITS.findall(piece)) >= 3
        and piece.upper() != piece != piece.lower()
        and "_" not in piece.strip("_")
        and "(" not in piece
        for piece in value.split(".")
    )


_BOOTSTRAP = compile_pattern(r"[a-z0-9]{6}\.[a-z0-9]{16}")
"""The form of the token by which a machine joins a cluster."""


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
_DESCRIBING = compile_pattern(r"\w{3,}(?:ed|ing|able|ible|less|ly)s?|pass\w+|\w*(?:password|secret|string)\w*")
_PHRASE = compile_pattern(r"[A-Z]?[a-z]{2,11}(?:(?P<joint>[-_])[A-Z]?[a-z]{2,11})(?:(?P=joint)[A-Z]?[a-z]{2,11}){1,7}")


def is_passphrase(value: str, form: Form) -> bool:
    """Whether the value is some words in a row that are no description: 'correct-horse-battery-staple'."""
    match = _PHRASE.fullmatch(value)
    if match is None:
        return False
    words = value.lower().split(match["joint"])
    # What is joined by '_', or only stands beside the word, is more often a name.
    return (
        len({*words}) > 1
        and len(words) >= (3 if match["joint"] == "-" and form is not Form.BESIDE else 4)
        and not any(map(is_describing, words))
    )


def is_describing(word: str) -> bool:
    return word in _DESCRIBES or word.removesuffix("s") in _DESCRIBES or _DESCRIBING.fullmatch(word) is not None
