"""The names that secrets go by: which words are looked for, and when a name that holds one is that of a secret."""

from __future__ import annotations

import re

from memtui.pattern import pattern

WORDS = ("pass", "pw", "_pat", "secret", "token", "key", "cred", "auth", "pin", "identified by")
CHINESE = (
    "密码", "口令", "授权码", "密钥", "秘钥", "令牌", "私钥", "凭证", "凭据", "密匙", "通行码", "卡密", "激活码", "暗号",
    "密碼", "權杖", "金鑰", "密鑰", "授權碼", "私鑰", "憑證", "パスワード", "暗証番号", "비밀번호",
)  # fmt: skip

NAME = pattern(
    r"(?:pass(?:word|wd|phrase|code|wort)?|pwd?|_pat|secret|token|key|cred(?:ential)?|auth(?:orization)?|pin|identified by)s?"
    r"(?P<more>(?:[_.-]?[A-Za-z0-9]{1,16}){0,3}+)",
    re.IGNORECASE,
)
_BEFORE_KEY = pattern(
    r"(?:api|secret|access|private|priv|signing|sign|encryption|encrypt|crypto|auth|account|master|client|service|app"
    r"|application|consumer|subscription|license|deploy|admin|webhook|shared|storage|hmac|jwt|ssh|rsa|aes|root|integration"
    r"|server|project|ingest|write|read|bot|user|devkey|openai|anthropic|azure|functions|host|wallet|recovery|backup|product)"
    r"[-_ .]?$|(?:接口|服务|平台|应用|账号|模型|机器人|控制台|调用|访问)(?:的|[ ])*$",
    re.IGNORECASE,
)
_BEFORE_PASS = pattern(
    r"(?:^|[^A-Za-z]|require|master|root|admin|user|db|my|smtp|ftp|mail|mysql|pg|redis|proxy|wifi|login)$",
    re.IGNORECASE,
)
_OTHER_KEYS = (
    "public", "page", "next", "prev", "previous", "pad", "eos", "bos", "sep", "cls", "unk", "mask",
    "special", "cancel", "cancellation", "continuation", "design", "foreign", "primary", "sort",
    "partition", "cache", "idempotency", "max", "min", "num", "total", "input", "output", "prompt",
    "completion", "stop", "per", "each", "by", "oauth", "co", "un", "fuzzy",
)  # fmt: skip
"""What makes a name one of something else, by the word before: 'public key', 'next_token'."""
_NOT_BEFORE = pattern(
    rf"(?:(?<![A-Za-z])|(?-i:(?<=[a-z])(?=[A-Z])))(?:{'|'.join(_OTHER_KEYS)})[-_ .]?$", re.IGNORECASE
)
_OTHER_TOKENS = pattern(
    r"(?:^|[^A-Za-z])(?:doc|docx|wiki|node|obj|folder|file|sheet|spreadsheet|bitable|block|parent|space|csrf[-_]?field)[-_ .]?$",
    re.IGNORECASE,
)
"""What a service calls by a token and hides from nobody: 'doc_token', 'folder_token'."""
_NOT_AFTER = frozenset((
    "age", "alg", "algorithm", "arn", "array", "at", "attempts", "backend", "bucket", "bucketing", "budget",
    "cache", "change", "changed", "class", "column", "config", "count", "created", "days", "description", "dir",
    "disabled", "enabled", "endpoint", "engine", "env", "error", "exception", "expiration", "expire", "expired",
    "expires", "expiry", "factory", "field", "fields", "file", "files", "fingerprint", "flow", "format", "grant",
    "handler", "hash", "hashed", "hashes", "header", "headers", "helper", "hint", "history", "hours", "id", "ids",
    "index", "info", "input", "keys", "kind", "label", "len", "length", "less", "limit", "link", "list", "manager",
    "map", "max", "message", "method", "min", "min_length", "minutes", "mode", "model", "name", "names", "path",
    "paths", "pattern", "placeholder", "policies", "policy", "prefix", "prompt", "protected", "protection",
    "provider", "ref", "regex", "request", "required", "reset", "response", "retries", "retry", "rotation", "rule",
    "rules", "salt", "scanner", "schema", "scope", "scopes", "seconds", "service", "set", "size", "source", "state",
    "status", "stdin", "storage", "store", "strength", "suffix", "table", "text", "thumbprint", "title", "ttl",
    "type", "types", "updated", "uri", "url", "usage", "utils", "validation", "validator", "values", "var",
    "variable", "vault", "version", "window",
))  # fmt: skip
"""What makes a name one of something else: 'password_file', 'token_count'."""


def meant(text: str, low: str, word: str, at: int, match: re.Match[str]) -> bool:
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
    "密码", "口令", "授权码", "暗号", "密碼", "授權碼", "通行码", "卡密", "激活码", "パスワード", "暗証番号", "비밀번호",
))  # fmt: skip


def kind_of(name: str) -> str:
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
