"""Secrets found by the place they stand in: the user info of a URL, a header, a cookie, an option of a command.

Each rule in `PLACES` has a word that must occur in the text, and a pattern whose group `v` is the secret,
matched over a bounded length.
"""

from __future__ import annotations

import re
from binascii import Error, a2b_base64
from functools import cache

from memtui.core.startup import TYPE_CHECKING, NamedTuple, compile_pattern
from memtui.safety.secret_values import Form, is_describing, is_secret_value, trim_value
from memtui.safety.vendors import APART, EVERY, AwaitedWords, SecretSpan, Spots

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_WORD = r"(?:[^\s\"'`<>|;&]|[&;](?=[^\s&]))"
_ARGUMENT = rf"(?:\"(?P<v>[^\"\n]{{1,512}})\"|'(?P<w>[^'\n]{{1,512}})'|(?P<x>{_WORD}{{1,512}}))"
_PAIR = rf"(?:\"[^\"\s:]{{1,64}}:(?P<v>[^\"\n]{{1,512}})\"|'[^'\s:]{{1,64}}:(?P<w>[^'\n]{{1,512}})'|[^\s\"':]{{1,64}}:(?P<x>{_WORD}{{1,512}}))"


_IS = r"[\"'`*_]{0,3}[ ]?(?:[:=是为]|(?:is|are)\b)[ ]?[\"'`*_]{0,3}"
_NAMED = r"(?!user(?:name)?\b)[\w.@-]{2,64}[ ]?[/|、 ][ ]?(?P<v>[!-~]{6,128})"
"""A name and its password."""


class _Place(NamedTuple):
    kind: str
    word: str
    """In lower case."""
    pattern: str
    fits: Callable[[str], bool]
    sure: bool = False
    command: str = ""
    """A pattern for the command that must stand before it on the line."""
    lead: int = 0
    """The pattern begins so many characters before the word."""


def _any(value: str) -> bool:
    return len(value.strip("\0")) >= 4 and not _blank(value)


def _blank(value: str) -> bool:
    return bool(_BLANK.match(value))


_BLANK = compile_pattern(
    r"(?:-[^{}\s]*\}:\$|\$|<|\{|%[A-Za-z(]|\\u[0-9a-f]{4}|.{0,12}(?:strong|secure|your)[-_]?pass\w*$|\*+$|x{3,}|\.{3}|\[|(?:your|my|new|old)?[-_ ]?(?:pass(?:word|wd)?|pwd|secret|token|api[-_]?key|key|user(?:name)?|pw)$"
    r"|your|你的|您的|请|自定义|(?:postgres|mysql|root|admin|guest|test|example|changeme|change_me|redis|rabbitmq|minio|minioadmin|mongo|sa|foo|bar|none|null|true|false|stdin|placeholder|redacted|hidden|login|machine|password)$)",
    re.IGNORECASE,
)


def _told(value: str) -> bool:
    return is_secret_value(value, Form.TOLD, password=True)


def _numbered(value: str) -> bool:
    return _told(value) and any(map(str.isdigit, value))


def _alone(value: str) -> bool:
    """Without the user before it."""
    return _told(value) and not value.startswith(("root/", "admin/"))


def _addressed(value: str) -> bool:
    """No path below a user's directory: something made up."""
    return "/" not in value and "." not in value and _numbered(value)


def _typed(value: str) -> bool:
    """Where names of services stand, too: 'log on with Kerberos5'."""
    return _numbered(value) and (sum(map(str.isdigit, value)) > 1 or any(mark in value for mark in "!@#$%^&*?+=~"))


def _paired(value: str) -> bool:
    """Behind somebody's name and a colon, where versions, tags and tickets stand, too: 'redis:7-alpine'."""
    digits = sum(map(str.isdigit, value))
    mixed = value.upper() != value != value.lower()
    return is_secret_value(value, Form.TOLD, password=True, argument=True) and (
        digits > 1 or (digits == 1 and mixed) or any(mark in value[:-1] for mark in "!@#$%^&*?+~")
    )


def _random(value: str) -> bool:
    return len(value) >= 12 and is_secret_value(value, Form.TOLD, password=False)


def _basic(value: str) -> bool:
    """A user and a password in base64."""
    try:
        said = a2b_base64(value + "=" * (-len(value) % 4))
    except (Error, ValueError):
        return False
    return value.count(".") == 0 and b":" in said and said.isascii() and said.decode("ascii").isprintable()


_CLIENTS = r"curl|http|https|wget|lftp|xh|xhs|ab|hey|httpie"
_SQL = r"mysql\w*|mariadb\w*|mycli|innobackupex|xtrabackup|percona\S*"
_LOGINS = r"(?:docker|podman|buildah|skopeo|nerdctl)\b[^\n|;&]{0,200}\blogin|helm|oc|mongo\w*|twine|az|cf|sshpass|vncpasswd|cqlsh|influx|nomad|pscp|plink|kubectl|unzip|7z|7za|rar|restic|ibmcloud|aliyun|clickhouse\S*|neo4j\S*|snowsql|ipmitool|artifactory|jfrog|jf"

_FOREIGN = (
    r"[*_\"'`)]{0,4}(?:[ \t]+[^\s:=]{1,40}){0,5}?[ \t]*(?:[:=—–→]|[ \t](?:на|это|ist|lautet|es|é|est|is))[ \t*_\"'`]{1,6}"
    r"(?P<v>[!-~]{6,128}?)(?=[\"'`]?(?:$|[\s)）,;|]))"
)
"""What follows the word for a secret in other languages, however the sentence goes on: '… сброшен на `…`'."""

_ACCOUNT = (
    r"[\"'`「“]?(?!(?:https?|file|tag|image|branch|commit|sha\d*|issue|ticket|pr|role|scope|port|host|key|type|step|version|line|page"
    r"|date|time|id|uid|ref|node|env|name|username|user)[:：])[A-Za-z][\w.@+-]{1,48}[:：]"
    r"(?P<v>[^\s:\"'`<>]{6,64}?)(?=[\"'`]?[.,;!?）)]{0,2}(?:$|[\s，。；、|」”\u4e00-\u9fff]))"
)
"""Somebody's name, a colon and a password."""
_DATED = compile_pattern(r"\d{4}-\d\d")
_HUMP = compile_pattern("[a-z][A-Z]+[a-z-]")
_MADE_UP = r"(?P<v>[!-~]{6,64}?)(?=[\"'`.,;!?]{0,2}(?:$|[\s)）,，。;；|」”\u4e00-\u9fff]))"
"""What somebody types where the sentence says so."""


def _once(value: str) -> bool:
    """A code that works one time: letters and digits, or letters in odd places."""
    odd = any(map(str.isdigit, value)) and any(map(str.isalpha, value))
    return (odd or _HUMP.search(value) is not None) and not _DATED.search(value)


def _weak(value: str) -> bool:
    """What people take for passwords where nothing else can stand: 'hik_admin99', 'nx!deploy'."""
    digits = sum(map(str.isdigit, value))
    letters = sum(map(str.isalpha, value))
    marked = any(mark in "!@#$%^&*" for mark in value[1:])
    return (
        letters > 1
        and (digits > 1 or marked)
        and not _blank(value)
        and not _DATED.search(value)
        and not set(value) & set("/.:")
        and _told(f"{value}#7Zq")
    )


def _assigned(value: str) -> bool:
    """A line of a configuration gives it to a name that ends so: no other name, and nothing that stands for it."""
    return (
        any(map(str.isdigit, value))
        and sum(map(str.isalpha, value)) > 3
        and not _blank(value)
        and _told(f"{value}#7Zq")
        and not _CONSTANT.fullmatch(value)
    )


_CONSTANT = compile_pattern(
    r"[A-Z][A-Z0-9_]*|(?:[a-z]+_)*(?:field|input|type|hash|id|ref|env|var|file|path|min|max|len)(?:_?[a-z0-9]+)*"
)


def _license(value: str) -> bool:
    return any(map(str.isdigit, value)) and any(map(str.isalpha, value))


_GROUPED = r"(?P<v>(?-i:[A-Z0-9]{4,5}(?:-[A-Z0-9]{4,5}){3,7}))(?![\w-])"
_CODES = r"[\"'`]?[A-Za-z0-9]{4,10}(?:-[A-Za-z0-9]{4,10}){1,5}[\"'`]?"
_LOGGING_IN = "sign(?:ed)? in|log(?:ged)? ?(?:in|on|into)|sudo|su|prompts?|asks?|console|unlock|vault|账号|帐号|账户|登录|登陆|跳板机|密码|口令|进去"
"""What must stand before what is only called 'it'."""

PLACES: tuple[_Place, ...] = (
    _Place("url-password", "://", r"://[^\s:/@\"'<>]{0,128}:(?P<v>[^\s@/\"'<>`]{1,256}(?:@[^\s@/\"'<>`.:]{1,64})?)@(?=[A-Za-z0-9\[{$%_.-])", _any, True),
    _Place("url-password", "://", r"://[^\s:/@\"'<>]{1,64}:(?P<v>[^\s\"'<>`]{1,128}/[^\s@\"'<>`]{0,64})@(?=[A-Za-z][A-Za-z0-9-]*(?:\.[A-Za-z0-9-]+)+[:/])(?<!/@)", _told, True),
    _Place("url-token", "://", r"://(?P<v>[A-Za-z0-9_~.%-]{16,256})@(?=[A-Za-z0-9])", _random, True),
    _Place("url-signature", "sig", r"(?:sig|signature|x-amz-signature|x-goog-signature|ossaccesskeyid|q-signature)=(?P<v>[A-Za-z0-9%+/=_~-]{16,1024})", _any, True, lead=16),
    _Place("url-token", "key=", r"[?&;]key=(?P<v>[^\s&#\"'<>]{8,512})", _random, True, lead=1),
    _Place("url-token", "auth=", r"[?&]auth=(?P<v>[^\s&#\"'<>]{8,512})", _random, True, lead=1),
    _Place("url-token", "code=", r"(?:[?&]|-d[ ]?[\"']?|--data(?:-urlencode)?[= ][\"']?)code=(?P<v>[^\s&#\"'<>]{16,512})", _random, True, lead=24),
    _Place("url-token", "x-amz-security-token=", r"x-amz-security-token=(?P<v>[^\s&#\"'<>]{16,4096})", _any, True),
    _Place("authorization", "authorization", r"authorization\\?[\"'`]?\s*[:=,]\s*\\?[\"'`]?(?:[A-Za-z][\w-]{1,20}[ \t]+)?(?P<v>[^\s\"'`<>\\,]{8,8192})", lambda v: _random(v) or (_basic(v) and len(v) >= 8), True),
    _Place("authorization", "signature=", r"signature=(?P<v>[0-9a-f]{64})", _any, True),
    _Place("authorization", "bearer", r"bearer[\"']?[ \t:=]{1,3}\\?[\"']?(?P<v>[\w.~+/=-]{16,8192})", _random, True),
    _Place("authorization", "basic ", r"basic[ \t]+(?P<v>[A-Za-z0-9+/]{8,512}={0,2})", _basic, True),
    _Place("authorization", "\"auth\"", r"\"auth\"\s*:\s*\"(?P<v>[A-Za-z0-9+/=]{8,512})\"", _basic, True),
    _Place("session", "phpsessid", r"phpsessid=(?P<v>[\w,-]{8,256})", _any),
    _Place("session", "jsessionid", r"jsessionid=(?P<v>[\w.!-]{8,256})", _any),
    _Place("session", "connect.sid", r"connect\.sid=(?P<v>[\w.%:+/=-]{8,512})", _any),
    _Place("session", "asp.net_sessionid", r"asp\.net_sessionid=(?P<v>\w{8,256})", _any),
    _Place("session", "laravel_session", r"laravel_session=(?P<v>[\w.%=-]{8,1024})", _any),
    _Place("password", "machine ", r"machine\s+\S{1,128}\s+login\s+\S{1,128}\s+(?:account\s+\S{1,128}\s+)?password\s+(?P<v>\S{1,512})", _any),
    _Place("password", "login ", r"(?-i:login)[ \t]+\S{1,127}[^\s,;:][ \t\n]+(?-i:password)[ \t]+(?P<v>\S{1,512})", _any),
    _Place("password", ":", r":(?![0-9A-Fa-f]{2}:[0-9A-Fa-f]{2}:)(?:[0-9]{2,5}|\*):[\w*.-]{1,64}:[\w*.-]{1,64}:(?P<v>[^\s:\"\']{6,128})(?=[\s\"\']|$)", _told),
    _Place("password", " -u", rf"[ ]-u[ =]?{_PAIR}", _any, command=_CLIENTS),
    _Place("password", " -u ", r"[ ]-u[ ]+[\w.@-]{1,64},(?P<v>[^\s'\"]{4,128})", _told, command="lftp"),
    _Place("password", "--user", rf"--user(?:name)?[ =]{_PAIR}", _any, command=_CLIENTS),
    _Place("password", "--proxy-user", rf"--proxy-user[ =]{_PAIR}", _any, command=_CLIENTS),
    _Place("password", " -a ", rf"[ ]-a[ ]{_PAIR}", _any, command="http|https|xh|xhs"),
    _Place("password", " -p", rf"[ ]-p(?![ （(，。、]){_ARGUMENT}", _any, command=f"{_SQL}|sshpass|7z|7za|rar|htpasswd"),
    _Place("password", " -p ", rf"[ ]-p[ ]+{_ARGUMENT}", _told, command=_LOGINS),
    _Place("password", " -p", rf"[ ]-P[ ]*{_ARGUMENT}", _told, command="zip|unzip|sqlcmd|bcp|ipmitool|isql|tsql|snmp\\w*"),
    _Place("password", " -a ", rf"[ ]-[aA][ ]+{_ARGUMENT}", _any, command=r"redis-cli|snmp\w*|valkey-cli"),
    _Place("password", " -w ", rf"[ ]-w[ ]+{_ARGUMENT}", _any, command=r"ldap\w+|dsconf|security"),
    _Place("password", " -pw ", rf"[ ]-pw[ ]+{_ARGUMENT}", _any),
    _Place("password", "pass:", r"(?:-pass(?:in|out)?|-k|-passin|-passout|-storepass|-keypass)[ ]+pass:(?P<v>[^\s\"';|]{4,256})", _any, lead=12),
    _Place("password", "-storepass ", rf"-storepass[ ]+{_ARGUMENT}", _any),
    _Place("password", "-keypass ", rf"-keypass[ ]+{_ARGUMENT}", _any),
    _Place("password", " -u ", r"[ ]-U[ ]+['\"]?[^\s%'\"]{1,64}%(?P<v>[^\s'\"]{3,256})", _any, command="smbclient|rpcclient|net|mount\\S*|winexe|smbmap"),
    _Place("password", "/p:", rf"[ ]/p:{_ARGUMENT}", _any, command=r"\w*freerdp\S*|mstsc|rdesktop"),
    _Place("password", "sqlplus", r"sqlplus[ ]+(?:-\w[ ]+)*['\"]?[^\s/'\"]{1,64}/(?P<v>[^\s@'\"]{3,128})@", _any),
    _Place("password", "jdbc:oracle:", r"jdbc:oracle:\w{1,8}:[\w.$-]{1,64}/(?P<v>[^\s'\"]{3,128})@", _any, True),
    _Place("password", "{cleartext}", r"\{cleartext\}(?P<v>[^\s\"'`]{4,128})", _any, True),
    _Place("key", "otp", rf"otp[ -]?(?:seed|secret|key)s?(?:{_IS}|[ ])(?P<v>[A-Z2-7]{{16,64}})(?![\w-])", _random),
    _Place("password", "passphrase", r"passphrases?(?:,?[ \t]+[A-Za-z'’]{1,16}){0,9}?[*_]{0,2}[ \t]*[:=→][ \t]+(?P<v>[a-z]{3,10}(?:[ ][A-Za-z]{3,10}){3,11})[ \t]*(?=\r?\n|$)", lambda v: not any(map(is_describing, v.lower().split()))),
    _Place("password", "提取码", r"提取码[:： ]{1,3}(?P<v>[a-z0-9]{4})(?![A-Za-z0-9])", lambda v: not v.isalpha() and not v.isdigit()),
    _Place("password", "pwd={", r";pwd=\{(?P<v>[^{}\s]{4,128})\}", _told, lead=1),
    *(_Place("key", word, rf"(?<![A-Za-z]){word}[ ]?(?P<v>[A-Za-z0-9+/=_-]{{16,128}})", _random, lead=1) for word in ("ak:", "ak=", "sk:", "sk=")),
    _Place("password", "authorization_code", rf"authorization_code{_IS}(?P<v>[A-Z]{{16}}|[a-z]{{16}})(?![A-Za-z])", _any),
    _Place("password", "授权码", rf"授权码(?:{_IS}|[ ])(?P<v>[A-Z]{{16}}|[a-z]{{16}})(?![A-Za-z])", _any),
    _Place("password", "账", rf"账(?:号|户)?(?:[和/、 ]|与)?密(?:码)?(?:{_IS}|[ ]){_NAMED}", _told),
    _Place("password", "用户名", rf"用户名(?:[和/、 ]|与)?密码{_IS}{_NAMED}", _told),
    *(_Place("password", word, rf"{word}[^\W\d_]{{0,6}}{_FOREIGN}", _numbered) for word in ("арол", "senha", "contrase", "kennwort", "mot de passe", "wachtwoord")),
    *(_Place(kind, word, rf"{word}[^\W\d_]{{0,3}}{_FOREIGN}", _random) for kind, word in (("key", "люч"), ("token", "окен"), ("key", "chave de api"), ("key", "clé api"), ("key", "schlüssel"))),
    _Place("password", " root/", r"[ ]root/(?P<v>[!-~]{8,64}?)(?=[\"'`]?(?:$|[\s)）,，。;；|]))", _addressed),
    _Place("password", " / ", r"[:：(（|=][*_]{0,2}[ ]?[\"'`]?(?:[\w.-]{0,16}admin|administrator|root)[\"'`]? / [\"'`]?(?P<v>[!-~]{6,64}?)(?=[\"'`]?(?:$|[\s)）,，。;；|]))", _numbered, lead=28),
    _Place("password", " / ", r"@[\w-]{1,20}\.[\w.]{2,8}[\"'`]? / [\"'`]?(?P<v>[!-~]{6,64}?)(?=[\"'`]?(?:$|[\s)）,，。;；|]))", _addressed, lead=32),
    _Place("password", "cred", rf"(?:credentials?|creds){_IS}{_NAMED}", _alone),
    _Place("password", "login", rf"log(?:in|on){_IS}{_NAMED}", _told),
    _Place("password", "| sudo -s", r"echo[ ]+(?:-\w[ ]+)?['\"]?(?P<v>[^\s'\"|]{3,128})['\"]?[ ]*\|[ ]*sudo -S", _any, lead=150),
    _Place("password", "chpasswd", r"echo[ ]+['\"]?[\w.-]{1,64}:(?P<v>[^\s'\"|]{3,128})['\"]?[ ]*\|[ ]*(?:sudo[ ]+)?chpasswd", _any, lead=220),
    _Place("password", "htpasswd", r"htpasswd[ ]+-[a-zA-Z]*b[a-zA-Z]*[ ]+(?:\S{1,128}[ ]+){1,3}?(?P<v>[^\s'\"]{4,128})(?=[ ]*(?:$|\n|[`'\"|;]))", _told),
    _Place("password", "net use", r"net use[ ]+(?:\S{1,128}[ ]+){1,2}?/user:\S{1,64}[ ]+(?P<v>[^\s/]{4,128})", _any),
    _Place("password", "net use", r"net use[ ]+(?:[A-Za-z*]:?[ ]+)?\\\\\S{1,128}[ ]+(?P<v>[^\s/]{4,128})", _told),
    _Place("password", "password '", r"password '(?P<v>[^'\n]{4,128})'", _any, command="alter|create|login|with|set"),
    _Place("password", "identified with", r"identified with \S{1,40} by[ ]+(?:'(?P<v>[^'\n]{4,128})'|\"(?P<w>[^\"\n]{4,128})\")", _any),
    _Place("password", "assword", r"assword[^\n]{0,16}\n[ \t]*send(?:line)?[( ]+[\"'](?P<v>[^\"'\n\\]{4,128})", _any),
    _Place("password", "convertto-securestring", rf"convertto-securestring[ ]+(?:-String[ ]+)?{_ARGUMENT}", _any),
    *(_Place("secret", word, rf"{word}[ =]{_ARGUMENT}", _told, command="secret set|put-parameter|\\w+-secret(?:-value)?") for word in ("--body", "--value", "--secret-string")),
    _Place("authorization", "code\"", r"code\"[ ]?:[ ]?\"(?P<v>[^\"\s]{16,512})\"", _random, command="grant_type|authorization_code|oauth\\w*"),
    *(_Place("authorization", word, rf"{word}s?{_IS}(?P<v>[!-~]{{16,512}})", _random) for word in ("authorization code", "auth code")),
    *(_Place("recovery-code", word, rf"{word}s?{_IS}(?P<v>[A-Za-z0-9]{{3,10}}(?:-[A-Za-z0-9]{{3,10}}){{1,5}})(?![\w-])", _once) for word in ("backup code", "recovery code", "rescue code")),
    _Place("cookie", "\"value\"", r"\"name\"\s*:\s*\"[^\"\n]{0,40}(?:sess|token|auth|sid|secret|passw|key)[^\"\n]{0,40}\"\s*,\s*\"value\"\s*:\s*\"(?P<v>[^\"\s]{12,4096})\"", _random, lead=120),
    *(_Place("cookie", word, r"\t(?:TRUE|FALSE)\t\d{1,14}\t[^\t\n]{1,64}\t(?P<v>[^\s\"]{12,4096})", _random) for word in ("\ttrue\t", "\tfalse\t")),
    _Place("password", "login", rf"login[:=]?[ ]+[\"'`]?[\w.@-]{{2,64}}[\"'`]?[ ]?/[ ]?[\"'`]?{_MADE_UP}", _numbered),
    _Place("password", "wifi:", r"wifi:(?:[A-OQ-Z]:(?:[^;\\\n]|\\.){0,64};){0,4}P:(?P<v>(?:[^;\\\n]|\\.){4,64});", _any),
    *(_Place("url-password", word, r"[\w.-]{1,64}:(?P<v>[^\s\"'`/]{4,128})@(?:tcp|udp|unix)\(", _any, True, lead=28) for word in ("@tcp(", "@udp(", "@unix(")),
    *(_Place("password", word, rf"{word}\b[^\n.;:]{{0,48}}?\b(?:with|using|via|by)[ ]+(?:(?:the )?(?:password|pw|pass)[ ]+|[\w.@-]{{1,40}} and )?[\"'`]?{_MADE_UP}", _typed) for word in ("log in", "logged in", "log into", "login", "sign in", "signed in", "log on")),
    *(_Place("password", word, rf"{word}(?:[^\n，。；]{{0,6}}?[用是为:：])?[ ]?[\"'`]?[\w.@-]{{2,64}}[\"'`]?[ ]?[/|／][ ]?[\"'`]?{_MADE_UP}", _numbered) for word in ("登录", "登陆", "登入", "账号", "帐号", "账户")),
    _Place("password", "登录", rf"(?:用|使用|输入)[ ]?[\"'`「“]?{_MADE_UP}[\"'`」”]?[ ]?(?:来|进行|就能|即可|可以)?登录", _numbered, lead=80),
    *(_Place("password", word, rf"{word}\b(?:[^\n.;:]{{0,32}}?\b(?:with|using|via|by|as))?(?:[ ]+(?:the )?(?:account|credentials|creds|pair))?[ ]?[:=]?[*_]{{0,2}}[ ]+{_ACCOUNT}", _paired) for word in ("log in", "logged in", "login", "logon", "sign in", "signed in", "connect", "authenticate", "authenticated", "auth")),
    *(_Place("password", word, rf"{word}(?:entials?|s)?(?:{_IS}|[ ])[ ]?{_ACCOUNT}", _paired) for word in ("cred",)),
    *(_Place("password", word, rf"{word}(?:[^\n，。；:：]{{0,6}}?[用是为:：])?[ ]?{_ACCOUNT}", _paired) for word in ("登录", "登陆", "登入", "账号", "帐号", "账户", "账密")),
    _Place("password", "登录", rf"(?:用|使用|输入)[ ]?{_ACCOUNT}[\"'`」”]?[ ]?(?:来|进行|就能|即可|可以)?登录", _paired, lead=100),
    _Place("password", "pw", r"^[ \t]*(?:[\w.-]{1,24}:[ \t]+)?[a-z_]{3,16}pw[ \t]*[:= \t][ \t]*(?:\"(?P<v>[^\"\n]{4,128})\"|'(?P<w>[^'\n]{4,128})'|(?P<x>(?:\{[a-z]+\})?[^\s\"'{$<]{4,128}))[ \t]*$", _any, lead=48),
    *(_Place("password", word, rf"{word}[ ]?[\"'`]?{_MADE_UP}", _typed, command=rf"{_LOGGING_IN}|default|password|root") for word in ("namely", "也就是")),
    _Place("password", "let me in", r"[,:][ ]?[\"'`]?(?P<v>[!-~]{6,64}?)[\"'`]?,?[ ](?:had )?let me in", _typed, lead=80),
    *(_Place("password", word, rf"{word}[^\n.;:]{{0,40}}?(?:[ ](?:is|was|as)|[:=])[ ]+[\"'`]?{_MADE_UP}", _told) for word in ("code word",)),
    *(_Place("password", word, rf"{word}\b(?:[^\n.;:]|\.(?=\w)){{0,64}}?\bwith[ ]+\"(?P<v>[^\"\s]{{6,64}})\"", _typed) for word in ("authenticate as",)),
    _Place("password", "授权码", r"授权码[^\n。；;]{0,16}?[是为：:][ ]?(?P<v>[a-z]{16})(?![A-Za-z])", _any),
    *(_Place("password", word, rf"{word}[^\n。；;]{{0,24}}?[:：][ ]?[\w.@-]{{3,32}}[，,、][ ]?{_MADE_UP}", _numbered) for word in ("账号", "帐号", "账户")),
    *(_Place("password", word, rf"{word}[ ]?[:：]?[ ]?[\w.@-]{{2,64}}[ ]?[/／][ ]?{_MADE_UP}", _weak) for word in ("账号", "帐号", "账户")),
    _Place("password", "用户名", rf"用户名[ ]?[/／和、][ ]?密码[ ]{_NAMED}", _told),
    _Place("password", " / ", r"\|[*_]{0,2}[ ]?[\"'`]?(?:[\w.-]{0,16}admin|administrator|root)[\"'`]? / [\"'`]?(?P<v>[!-~]{6,64}?)(?=[\"'`]?[ ]*(?:$|\|))", _weak, lead=28),
    *(_Place("key", word, rf"{word}[a-z_]{{0,12}}[ ]?[=:][ ]?[\"']?(?P<v>[A-Za-z0-9+/_-]{{32,128}}={{0,2}})(?![\w-])", _random) for word in ("_signing",)),
    _Place("password", "psk", r"\bpsk[\"']?[ ]?[:=][ ]?[\"'](?P<v>[^\"'\n]{8,63})[\"']", lambda v: _any(v) and "example" not in v),
    _Place("password", "pw", r"(?<![A-Za-z_-])pw[\"']?[ ]?[:=][ ]?[\"'](?P<v>[^\"'\s]{6,64})[\"']", _weak, lead=1),
    *(_Place("token", word, rf"(?P<v>{word}[A-Za-z0-9_-]{{12,80}}\r?\n[ \t]*(?=[A-Za-z_-]*\d)[A-Za-z0-9_-]{{8,80}})(?=[ \t]*(?:\r?\n|$))", _any, True) for word in ("ghp_", "github_pat_", "glpat-", "sk-ant-")),
    *(_Place("key", word, rf"{word}(?P<v>[A-Za-z0-9+/_=-]{{12,128}})", _random) for word in ("-d key=", "-d token=")),
    *(_Place("key", word, rf"{word}(?:段|截|部分)?[ ]?[是为：:]?[ ]?[\"'`]?(?P<v>[A-Za-z0-9_+/=-]{{8,64}})(?![\w-])", _random, command="密钥|密码|口令|令牌|token|key|密匙|[前后]半") for word in ("前半", "后半")),
    *(_Place("password", word, rf"{word}(?P<v>[^`\s]{{4,64}})`", _any, command="password|passphrase|token|secret|key") for word in ("first `", "after it `")),
    _Place("password", "puk", r"\bpuk\b[^\n\d]{0,24}(?P<v>\d{8})(?!\d)", _any),
    *(_Place("password", word, rf"(?<![A-Za-z]){word}[^\n\d.;]{{0,12}}(?P<v>\d{{4,8}})(?![\w:%]|[.,-]\d)", _any, lead=1) for word in ("parental code", "door code", "gate code", "alarm code", "access code", "keypad")),
    *(_Place("password", word, rf"{word}(?:密码|口令|码)?[ ]?(?:[是为：:]|改成了?)?[ ]?[\"'`*]{{0,2}}(?P<v>\d{{4,8}})(?![\w:%元号楼层台个天年月]|[.,-]\d)", _any) for word in ("门禁", "门锁", "开锁", "保险柜", "保险箱", "锁屏", "支付密码", "取款密码", "开机密码", "家长")),
    *(_Place("key", word, rf"{word}[^\n]{{0,80}}?{_GROUPED}", _license) for word in ("序列号", "激活码", "已激活", "许可证", "license key", "licence", "activat", "serial")),
    *(_Place("recovery-code", word, rf"{word}[^\n。.;；]{{0,64}}?[:： 是][ ]?(?P<v>{_CODES}(?:[ ]?(?:[,，、和]|and)[ ]?{_CODES}){{0,15}})(?![\w-])", _once) for word in ("恢复码", "备用码", "救援码", "备份码", "recovery codes", "backup codes")),
    *(_Place("password", word, rf"{word}[^\n。.;；\d]{{0,40}}?(?P<v>\d{{4,8}}#?)(?![\w:%]|[.,-]\d)", _any) for word in ("暗証番号", "zugangscode", "digo de acceso", "од доступа", "од подтверждения", "courier code", "locker code", "解锁数字", "解锁码", "取件码")),
    *(_Place("password", word, rf"{word}[^\n。]{{0,24}}?(?:から|は|を)[ ]?[\"'「]?(?P<v>[!-~]{{6,64}}?)[\"'」]?[ ]?(?:と|です|に|で|を)", _numbered) for word in ("パスワード",)),
    *(_Place("key", word, rf"{word}[^\n:：]{{0,48}}[:：][ ]?[\"'`]?(?P<v>[A-Za-z0-9+/_-]{{24,128}}={{0,2}})(?![\w-])", _random) for word in ("シークレット", "geheimer schl", "clave secreta", "chave secreta", "екретный ключ", "授权串", "签名串")),
    *(_Place("password", word, rf"{word}[^\n.]{{0,48}}?(?:puse|es|ist|lautet|é|est|это|поставил)[ ][\"'`«]?(?P<v>[!-~]{{6,64}}?)(?=[\"'`»]?(?:[.,;](?:\s|$)|\s|$))", lambda v: _numbered(v) or v.count("-") > 1) for word in ("frase de paso", "clave de acceso", "kennwort", "пароль")),
    *(_Place("password", word, rf"^[ \t]*{word}[ \t]*[=: ][ \t]*[\"']?(?P<v>[!-~]{{6,128}}?)[\"']?[ \t]*$", lambda v: not _blank(v), lead=4) for word in ("requirepass", "pswd")),
    *(_Place("key", word, rf"{word}[ =:]{{1,4}}[\"']?(?P<v>[A-Za-z0-9+/_-]{{16,128}}={{0,2}})[\"']?", _random) for word in ("_salt",)),
    *(_Place("password", word, rf"(?:密码|口令|密钥|令牌|password|passphrase|token|key)[^\n]{{0,32}}?{word}[^\n:：]{{0,16}}[:：][ ]*\r?\n[ \t]*(?P<v>[!-~]{{6,128}})[ \t]*$", _told, lead=60) for word in ("下一行", "如下", "next line")),
    *(_Place("key", word, rf"(?:密钥|密码|授权串|令牌|token|key|secret)[^\n]{{0,48}}?{word}[^\n:：]{{0,40}}[:：][ ]*\r?\n[ \t]*(?P<v>[A-Za-z0-9_+/=-]{{8,128}}\r?\n[ \t]*[A-Za-z0-9_+/=-]{{8,128}})[ \t]*$", lambda v: _random(v.split()[0]), lead=80) for word in ("两行", "折行", "wrapped")),
    *(_Place("password", word, rf"^[ \t]*(?:- |export )?[\w.-]{{0,32}}{word}(?:word|wd)?[ \t]*[:=][ \t]*[\"']?(?P<v>[A-Za-z][\w.!@#$%^&*+~-]{{7,64}})[\"']?[ \t]*$", _assigned, lead=36) for word in ("pass", "pwd")),
    _Place("token", "token", r"^[ \t]*token[ \t]*=[ \t]*[\"']?(?P<v>[A-Za-z][\w.!@#$%^&*+~-]{7,64})[\"']?[ \t]*$", _weak, lead=4),
    _Place("password", ":5432:", r":5432:[\w*.-]{1,64}:[\w*.-]{1,64}:(?P<v>[^\s:\"\']{4,128})(?=[\s\"\']|$)", _any),
    _Place("password", " -k ", rf"[ ]-k[ ]+{_ARGUMENT}", _any, command="openssl"),
    *(_Place("key", word, rf"{word}(?![A-Za-z0-9_])[\"'`]?(?:[ ]header)?(?:[ ](?:carries|is|holds)|[ ]?[:=]|)[ ]?[\"'`]?(?P<v>[A-Za-z0-9+/_-]{{16,128}}={{0,2}})(?![\w-])", _random) for word in ("-auth", "jwt.signing", "_sk", "签名用字符串是", "签名用的字符串是")),
    _Place("key", "_sk", r"_sk[\"']?\r?\n[ \t]+value:[ ]*[\"']?(?P<v>[A-Za-z0-9+/_-]{16,128}={0,2})", _random),
    _Place("recovery-code", "bitlocker", r"bitlocker[^\n]{0,64}?(?P<v>\d{6}(?:-\d{6}){7})", _any),
    *(_Place("key", word, rf"{word}[：:是 ]{{1,2}}(?P<v>(?-i:[A-Z2-7]{{16,64}}))(?![\w-])", _random) for word in ("seed", "种子")),
    *(_Place("password", word, rf"{word}[^\n。；;.\d]{{0,24}}?(?:按|输入?|takes|asks for|unlocks? with|with)[ ]?(?P<v>\d{{4,8}})(?![\w:%元号]|[.,-]\d)", _any) for word in ("门禁", "家长控制", "room door", "the sim", "锁屏", "平板")),
    _Place("url-token", "/private-", r"/private-(?P<v>[A-Za-z0-9]{16,64})/", _random),
    _Place("recovery-code", "recovery codes", r"recovery codes[^\n:]{0,48}:[ ](?P<v>\d{6,10}(?:(?:,| and|,? and)[ ]\d{6,10}){0,15})", _any),
    _Place("key", "****", r"\*{3,8}(?P<v>[0-9a-f]{20,64})(?![\w-])", _any, command="密钥|密匙|令牌|token|key|secret", lead=4),
    _Place("password", " as ", r"(?:use|using|with|set|用|使用|enter|type|输入)[ ]?['\"`]?(?P<v>[^\s'\"`]{6,128})['\"`]?[ ]+as (?:the |my |our |your |its )?(?:[A-Za-z]{1,20} ){0,2}(?:password|passphrase|passcode|token|secret|api key|pin)\b", _told, lead=150),
    _Place("password", "password", r"(?:^|(?<=[\s\"'`(,:;]))(?P<v>[^\s'\"`]{6,128})['\"`]?[ ]+(?:is|was)[ ]+(?:the |my |our |your |its )(?:[A-Za-z]{1,20} ){0,3}(?:password|passphrase|passcode)\b", _told, lead=220),
    _Place("password", "作为", r"(?:把|用|以|使用|将|输入)[ ]?['\"`「“]?(?P<v>[!-~]{6,128}?)['\"`」”]?[ ]?作为[\u4e00-\u9fff A-Za-z]{0,12}?(?:密码|口令|密钥|令牌|授权码|token)", _told, lead=140),
    _Place("password", "密码", r"(?:把|用|以|使用|将|输入|，|。|^|\s)[ ]?['\"`「“]?(?P<v>[!-~]{6,128}?)['\"`」”]?[ ]?(?:是|为|就是)[\u4e00-\u9fff A-Za-z]{0,12}?(?:密码|口令)", _told, lead=160),
)  # fmt: skip


_NEAR = 32
"""A pattern that begins farther before its word ends with it."""
_STEMS = ("code", "se", "as", " -", "auth", "log", "ig", "ke", "sk", "va", "oo", "pw")
"""Parts of words, the most telling first: of the words that hold one, only that is looked for in the whole text."""


@cache
def _awaited() -> tuple[AwaitedWords, AwaitedWords]:
    """The words of places that are ASCII, and the others."""
    words = [(number, place.word) for number, place in enumerate(PLACES)]
    plain, wide = ([one for one in words if one[1].isascii() is own] for own in (True, False))
    return AwaitedWords(plain, _STEMS), AwaitedWords(wide)


@cache
def _compiled(number: int) -> tuple[re.Pattern[str], re.Pattern[str] | None]:
    place = PLACES[number]
    flags = re.MULTILINE if place.word in {" -p", " -u "} else re.IGNORECASE | re.MULTILINE
    command = (
        compile_pattern(rf"(?<![A-Za-z0-9_.-])(?:{place.command})(?![A-Za-z0-9_])", re.IGNORECASE)
        if place.command
        else None
    )
    # It begins at the word or before it, and is not tried behind it.
    lead = rf"(?s:.{{0,{place.lead}}}?)" if place.lead else ""
    return compile_pattern(f"{lead}(?:{place.pattern})", flags), command


def find_placed_secrets(text: str, low: str) -> Iterator[SecretSpan]:
    """What stands where secrets stand. `low` is the text in lower case, letter by letter."""
    plain, wide = _awaited()
    numbers = plain.list_rules(low)
    if not text.isascii():
        numbers = sorted([*numbers, *wide.list_rules(text)])
    for number in numbers:
        place = PLACES[number]
        within = low if place.word.isascii() else text
        pattern, command = _compiled(number)
        if place.word == ":":
            # The pattern finds it by itself as fast as we do.
            found = (_span(place, match) for match in pattern.finditer(text))
            yield from (one for one in found if one is not None)
            continue
        far = place.lead > _NEAR
        spots = Spots(within, place.word, APART if far else EVERY)
        while spots.at >= 0:
            at = spots.at
            end = at + len(place.word) + (80 if far else 700) if place.lead else len(text)
            match = pattern.match(text, max(0, at - place.lead), end)
            one = None
            if match is not None and (command is None or _commanded(text, at, command)):
                one = _span(place, match)
                if one is not None:
                    yield one
            spots.on(one.end if one is not None else 0)
    yield from _cookies(text, low)


def _span(place: _Place, match: re.Match[str]) -> SecretSpan | None:
    """The secret in a match; None where its value is none."""
    named = match.groupdict()
    group = next(name for name in ("v", "w", "x") if named.get(name))
    value = match[group] if group != "x" else trim_value(match[group])
    if not place.fits(value):
        return None
    start = match.start(group)
    return SecretSpan(start, start + len(value), place.kind, place.sure)


def _commanded(text: str, at: int, command: re.Pattern[str]) -> bool:
    line = max(text.rfind("\n", max(0, at - 400), at), at - 400, 0)
    return command.search(text, line, at) is not None


_COOKIES = compile_pattern(
    r"(?:set-)?cookies?\\?[\"'`]?\s*[:=]\s*\\?[\"'`]?|cookie[ ][\"'](?=[\w.-]{1,64}=)|(?<=[ ])-b[ ][\"']",
    re.IGNORECASE,
)
_COOKIE = compile_pattern(r"[ ]*([\w.!#$%&*+^~-]{1,128})=(\"?)([^\s;,\"'\\]{0,4096})\"?(?:;|(?=[\s,\"'\\])|$)")
_ATTRIBUTES = frozenset([
    "path", "domain", "expires", "max-age", "samesite", "secure", "httponly", "priority", "partitioned",
    "lang", "locale", "theme",
])  # fmt: skip


def _cookies(text: str, low: str) -> Iterator[SecretSpan]:
    for word in ("cookie", " -b "):
        spots = Spots(low, word)
        while spots.at >= 0:
            at, end = spots.at, 0
            head = _COOKIES.match(text, at if word == "cookie" else at + 1)
            if head is not None and (word == "cookie" or _commanded(text, at, compile_pattern("curl"))):
                end = head.end()
                while (pair := _COOKIE.match(text, end)) is not None and pair.end() > end:
                    name, value = pair[1].lower(), pair[3]
                    if (
                        name not in _ATTRIBUTES
                        and len(value) >= 8
                        and any(map(str.isdigit, value))
                        and not _blank(value)
                    ) and is_secret_value(value, Form.TOLD, password=False):
                        yield SecretSpan(pair.start(3), pair.end(3), "cookie", False)
                    end = pair.end()
            spots.on(end)
