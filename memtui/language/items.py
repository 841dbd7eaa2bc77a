"""What is kept of the items found: short, without secrets, each once, the weightiest first; and the names in them.

A sentence of a conversation put so that it stands by itself: without what leads up to it, about the user, short.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING, TypeVar

from memtui.core.startup import compile_pattern
from memtui.language.sentences import is_condition, list_languages
from memtui.safety.injection import examine
from memtui.safety.redact import redact

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from memtui.language.conversation import Extract, Language, Learned
    from memtui.language.sentences import Sentence
    from memtui.safety.redact import Secret


Item = TypeVar("Item")

LONG = 130
"""Characters of an item of a summary; of a decision, with what it answers, a half more."""
MOST = 300
"""Of a summary, as `measure` has it: spec 000's 300 字."""

ABOUT = " → "
"""Between what a sentence is about and what it says."""
_PARTS = ("decisions", "todos", "done", "points")
"""In the order in which they are missed when they are gone: each gives one of its items, then each its next."""

_MANY = frozenset({"done", "points"})
"""The parts that a long report fills: their items are cut shorter the more there are."""

_LEAST = 12
"""What an item measures below which the beginning of an item says nothing."""

_ASIDE = compile_pattern(r"\s*(?<=\S)[(（][^()（）]{4,}[)）]")
"""What stands in brackets: it goes first where there is little room."""
_WIDE = compile_pattern("[\u2e80-\uffef]")
_SENTENCE = compile_pattern(r"[。！？；!?]+[”’」』\"')）]*|[.;][\"')]*(?=\s|$)|(?=\n)")
_PHRASE = compile_pattern(r"[，、：,:]|\s[–—-](?=\s)|——")
_BREAK = compile_pattern(r"(?<=[^\x00-\u2e7f])|\s+")


def limit_extract(extract: Extract, most: int = MOST, sure: Mapping[str, float] | None = None) -> Extract:
    """The extract with at most so much substance: what matters most, whole where it can be.

    The items of a part are taken in their order; those that are not `sure` go first.
    """
    if count_characters(extract) <= most:
        return extract
    extract = _drop_unsure(extract, most, sure or {})
    topic = _shorten_to(extract.topic, most // 4)
    outcome = _shorten_to(extract.outcome, most // 8)
    told = re.split("; |；", extract.topic)[0].rstrip("…")
    goal = "" if told and extract.goal.startswith(told) else _shorten_to(extract.goal, most // 5)
    kept: dict[str, list[str]] = {name: [] for name in _PARTS}
    left = most - measure(topic) - measure(outcome) - measure(goal)
    longest = _share_room(_in_turn(extract), left, most)
    for name, item in _in_turn(extract):
        own = longest if name in _MANY else max(most // 4, _LEAST)
        short = _shorten_to(item, min(left, own))
        if short and (short == item or measure(short) >= _LEAST):
            kept[name].append(short)
            left -= measure(short)
    return extract._replace(
        topic=topic,
        goal=goal,
        outcome=outcome,
        done=tuple(kept["done"]),
        points=tuple(kept["points"]),
        decisions=tuple(kept["decisions"]),
        todos=tuple(kept["todos"]),
    )


def _drop_unsure(extract: Extract, most: int, sure: Mapping[str, float]) -> Extract:
    """Without the least sure of what was decided and done, until the others have room."""
    kept = [(item, _cut_about(item, max(most // 15, _LEAST))) for item in (*extract.decisions, *extract.done)]
    sizes = {item: min(measure(short), most // 8) for item, short in kept}
    rest = extract._replace(decisions=(), done=(), points=())
    over = sum(sizes[item] for item, _short in kept) + count_characters(rest) - most
    for item, short in sorted(kept, key=lambda one: sure.get(one[0], 1.0)):
        if over <= 0 or item not in sure:
            break
        kept.remove((item, short))
        over -= sizes[item]
    shown = dict(kept)
    return extract._replace(
        decisions=tuple(shown[item] for item in extract.decisions if item in shown),
        done=tuple(shown[item] for item in extract.done if item in shown),
    )


def _cut_about(text: str, most: int) -> str:
    """A text with so much of what it is about."""
    about, arrow, said = text.rpartition(ABOUT)
    return f"{_shorten_to(about, most)}{ABOUT}{said}" if arrow and measure(said) > _LEAST // 2 else text


def _share_room(items: Sequence[tuple[str, str]], room: int, most: int) -> int:
    """How long one of many deeds may be, so that all of them have room while each still says something."""
    longest = max(most // 4, _LEAST)
    others = sum(min(measure(item), longest) for name, item in items if name not in _MANY)
    sizes = [measure(item) for name, item in items if name in _MANY]
    while longest > most // 12 and sum(min(size, longest) for size in sizes) > room - others:
        longest -= 1
    return max(longest, _LEAST)


def measure(text: str) -> int:
    """How long a text is, in Chinese characters: three letters say about what one of them does."""
    wide = len(_WIDE.findall(text))
    return wide + -(-(len(text) - wide) // 3)


def _shorten_to(text: str, most: int) -> str:
    """The beginning of a text that measures so much; what it is about is cut before what it says of it."""
    if measure(text) <= most:
        return text
    about, arrow, said = text.rpartition(ABOUT)
    if arrow and measure(said) <= most:
        room = most - measure(said) - measure(ABOUT)
        return f"{_shorten_to(about, room)}{ABOUT}{said}" if room >= _LEAST else said
    bare = _ASIDE.sub("", text)
    if bare != text and measure(bare) >= _LEAST:
        return _shorten_to(bare, most)
    share = len(text) / max(1, measure(text))
    for least in (1.0, 0.9, 0.75, 0.6):
        short = shorten(text, int(most * share * least))
        if measure(short) <= most:
            return short
    return shorten(text, most)


def count_characters(extract: Extract) -> int:
    """How much substance it has, as `measure` has it."""
    return sum(map(measure, (extract.topic, extract.goal, extract.outcome))) + sum(
        measure(item) for _name, item in _in_turn(extract)
    )


def shorten(text: str, most: int) -> str:
    """The beginning of a text, at most so many characters of it, up to where a sentence, a phrase or a word ends.

    A whole sentence stands as it is; what breaks off inside of one ends in …
    """
    if len(text) <= most:
        return text
    if most < 2:
        return ""
    room = text[: most + 1]  # one more: it shows whether what stands before it ends there
    ends = [match.end() for match in _SENTENCE.finditer(room) if match.end() <= most]
    if ends and ends[-1] * 2 >= most:
        return _closed(text[: ends[-1]])
    for breaks, least in ((_PHRASE, most // 2), (_BREAK, 1)):
        starts = [match.start() for match in breaks.finditer(room) if least <= match.start() < most]
        if starts:
            return _closed(text[: starts[-1]].rstrip(" ,，、:：;；–—-")) + "…"
    return text[: most - 1] + "…"


def _closed(text: str) -> str:
    """Without a lone sign of code or emphasis that opened something which is gone."""
    for sign in ("`", "**"):
        if text.count(sign) % 2:
            before, _sign, after = text.rpartition(sign)
            text = before + after
    return text


def _in_turn(extract: Extract) -> list[tuple[str, str]]:
    parts: list[tuple[str, tuple[str, ...]]] = [
        ("decisions", extract.decisions),
        ("todos", extract.todos),
        ("done", extract.done),
        ("points", extract.points),
    ]
    deepest = max(len(items) for _name, items in parts)
    return [(name, items[number]) for number in range(deepest) for name, items in parts if number < len(items)]


ENTITIES = 12

_TOKEN = compile_pattern(
    r"`([^`\s]{2,40})`|(?<![\w/.@-])((?:[\w@.-]+/)*[\w-]{1,40}\.(?:py|tsx?|jsx?|mjs|go|rs|java|kt|rb|php|c|cc|cpp|h|cs|swift|sql|md|json|ya?ml|toml|ini|cfg|sh|css|scss|html|vue|svelte|proto"
    r"|tf|lock|env|xml|gradle|txt|ipynb)(?![\w/])|Dockerfile|Makefile)|(?<![\w.])([A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+|[a-z]+(?:[A-Z][a-z0-9]+)+|(?:[A-Z][a-z0-9]+){2,}|[A-Z]{2,}\d*(?![a-z]))"
    r"|(?<![\w./-])([A-Za-z][A-Za-z0-9.+#-]{1,20})"
)
_UNNAMED = compile_pattern(r"[A-Za-z0-9_#.-]*…[A-Za-z0-9_-]*|\[(?:已脱敏|redacted:)[^\]]*\]")
"""What is left of a secret, or of a word that was cut, is no name."""
_KNOWN_NAMES = frozenset(["react", "vue", "svelte", "angular", "next.js", "nextjs", "nuxt", "vite", "webpack", "rollup", "esbuild", "babel", "typescript", "javascript", "python", "rust", "golang", "java", "kotlin", "swift", "ruby", "php", "node", "node.js", "deno", "bun", "npm", "pnpm", "yarn", "pip", "uv", "poetry", "cargo", "maven", "gradle", "django", "flask", "fastapi", "rails", "laravel", "spring", "express", "nestjs", "koa", "hono", "axum", "actix", "gin", "fiber", "redis", "postgres", "postgresql", "mysql", "mariadb", "sqlite", "mongodb", "mongo", "dynamodb", "cassandra", "elasticsearch", "opensearch", "clickhouse", "kafka", "rabbitmq", "nats", "celery", "sidekiq", "bullmq", "temporal", "airflow", "dbt", "spark", "docker", "podman", "kubernetes", "k8s", "helm", "terraform", "ansible", "pulumi", "aws", "gcp", "azure", "s3", "lambda", "cloudflare", "vercel", "netlify", "heroku", "fly.io", "nginx", "caddy", "traefik", "envoy", "grafana", "prometheus", "sentry", "datadog", "opentelemetry", "pytest", "jest", "vitest", "mocha", "cypress", "playwright", "selenium", "junit", "eslint", "prettier", "biome", "ruff", "black", "mypy", "pyright", "flake8", "pylint", "isort", "graphql", "grpc", "rest", "websocket", "oauth", "oidc", "jwt", "saml", "keycloak", "auth0", "stripe", "twilio", "sendgrid", "prisma", "drizzle", "sequelize", "typeorm", "sqlalchemy", "alembic", "hibernate", "gorm", "sqlx", "tailwind", "bootstrap", "redux", "zustand", "mobx", "tanstack", "axios", "zod", "pydantic", "numpy", "pandas", "polars", "pytorch", "tensorflow", "langchain", "openai", "anthropic", "ollama", "git", "github", "gitlab", "bitbucket", "jenkins", "circleci", "argocd", "linux", "macos", "windows", "ubuntu", "alpine", "debian", "vim", "neovim", "emacs", "tmux", "zsh", "fish", "bash", "markdown", "yaml", "toml", "json", "protobuf", "supabase", "firebase", "hasura", "strapi", "storybook", "electron", "tauri", "flutter", "android", "ios", "unity", "godot", "sass", "less", "htmx", "astro", "remix", "gatsby", "luxon", "dayjs", "moment", "lodash", "argon2", "bcrypt", "rs256", "hs256", "memcached", "minio", "etcd", "consul", "vault", "istio", "mqtt", "asyncio", "trio", "celery", "textual", "click", "typer", "rich"])  # fmt: skip
_PLAIN_NAMES = frozenset(["TODO", "OK", "ID", "IDS", "PR", "PRS", "NOT", "AND", "THE", "URL", "API", "HTTP", "HTTPS", "JSON", "FIXME", "NOTE", "ALWAYS", "NEVER", "MUST", "README", "CI", "CD", "UI", "UX", "DB", "OS", "CPU", "RAM", "CLI", "II", "III", "AM", "PM", "USA", "ASAP", "FYI", "BTW", "IMPORTANT", "WARNING", "ERROR"])  # fmt: skip


def find_entities(texts: Iterable[str], most: int = ENTITIES) -> tuple[str, ...]:
    """The names in some texts, the most frequent first; ties as they come."""
    counts: Counter[str] = Counter()
    shown: dict[str, str] = {}
    for text in texts:
        for name in _names(text):
            key = name.lower()
            shown.setdefault(key, name)
            counts[key] += 1
    return tuple(shown[key] for key, _count in counts.most_common(most))


def _names(text: str) -> Iterable[str]:
    for found in _TOKEN.finditer(_UNNAMED.sub(" ", text)):
        quoted, file, name, word = found.groups()
        if quoted is not None:
            if any(char.isalpha() for char in quoted) and not quoted.startswith(("-", "$", "http", "{")):
                yield quoted.strip(".,;:()")
        elif file is not None:
            yield file.rsplit("/", 1)[-1]
        elif name is not None:
            if name not in _PLAIN_NAMES and len(name) <= 40:
                yield name
        elif word.rstrip(".").lower() in _KNOWN_NAMES:
            yield word.rstrip(".")


COMPARED = 80
"""So many are compared with each other: the last ones."""

LEARNED = 12
"""So much is learned in one session."""

_ORDER = {"pref": 0, "rule": 1, "lesson": 2, "fact": 3, "decision": 4, "todo": 5}
_HIDDEN = compile_pattern(
    "[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\U000e0000-\U000e007f]|▯|\\[(?:已脱敏|redacted:)|[A-Za-z0-9_#-]…[A-Za-z0-9_-]"
)
"""Signs of what is hidden or was masked ('ghp_…Q7xa')."""


def is_safe(text: str, whole: str = "") -> bool:
    """Whether a text may be kept: it holds no secret (nor a part of one of `whole`, what it was taken from), and orders
    nothing. What only may be an order is kept: Health names it, and agents are told to doubt it."""
    if _HIDDEN.search(text) is not None or _secrets(text) or examine(text).action == "quarantine":
        return False
    if not whole:
        return True
    return not any(part in text for secret in _secrets(whole) for part in _parts(whole[secret.start : secret.end]))


@lru_cache(maxsize=64)
def _secrets(text: str) -> tuple[Secret, ...]:
    # The same turn is asked about for each thing that was said in it.
    return redact(text).secrets


def _parts(secret: str) -> Iterable[str]:
    return [part for part in secret.split() if len(part) >= 4]


def collect_secrets(texts: Iterable[str]) -> frozenset[str]:
    """The secrets that any of the texts shows: said once, a secret is one wherever it stands."""
    return frozenset(text[one.start : one.end] for text in texts for one in _secrets(text))


def drop_secrets(text: str) -> str:
    """The text without the parts that hold a secret and what announces it; as it is, where it holds none."""
    spans = [(secret.start, secret.end) for secret in _secrets(text)]
    spans += [mask.span() for mask in _MASK.finditer(text)]
    for start, end in sorted(spans, reverse=True):
        before = _ANNOUNCES.sub("", text[:start])
        text = (before + text[end:]).strip(" ,，、;；:：")
    return text


def disclose(learned: Learned) -> Learned:
    """What was learned, without the secrets in it."""
    text = drop_secrets(learned.text)
    if text == learned.text or not is_weighty(text):
        return learned
    return learned._replace(text=text, entities=find_entities((text,), 6))


def find_denied(sentence: Sentence) -> frozenset[str]:
    """The names that a sentence no longer wants."""
    return frozenset(
        name.lower().rstrip(".")
        for language in list_languages(sentence.text)
        for found in language.denied.finditer(sentence.bare)
        for name in found.groups()
        if name and name.lower() not in _PLAIN
    )


_MASK = compile_pattern(r"\[(?:已脱敏|redacted:)[^\]\n]{0,40}\]|[A-Za-z0-9_#-]{1,8}…[A-Za-z0-9_-]{1,8}")
"""What stands where a secret stood: transcripts are read masked."""
_ANNOUNCES = compile_pattern(
    r"[\s,，、;；和]*(?:\b(?:and )?(?:the|my|our|its|a|new) (?:new )?)?(?:[\w.-]*(?:密码|口令|密钥|令牌|password|passwd|pwd|token|secret|api[_ -]?key|key)[\w]{0,6})?\s*(?:是|为|is|=|:|：)?\s*$",
    re.IGNORECASE,
)
_PLAIN = frozenset(
    [
        "the",
        "a",
        "an",
        "it",
        "that",
        "this",
        "to",
        "be",
        "only",
        "just",
        "in",
        "on",
        "for",
        "any",
        "use",
        "using",
        "what",
        "i",
        "we",
        "you",
        "your",
        "my",
        "me",
        "more",
        "too",
        "all",
        "one",
    ]
)


_NEGATES = compile_pattern(r"(?:\b(?:not|no|never|don't|without)|不要?|别|勿|非|没)\s*(?:\w+ )?[`\"']?$")


def is_for(text: str, name: str) -> bool:
    """Whether a text is for what the name stands for, not against it."""
    low = text.lower()
    at = low.find(name)
    if at < 0:
        return False
    end = at + len(name)
    if (low[at - 1 : at].isascii() and low[at - 1 : at].isalnum()) or (
        low[end : end + 1].isascii() and low[end : end + 1].isalnum()
    ):
        return False
    return _NEGATES.search(low[max(0, at - 24) : at]) is None and not re.search(
        r"(?:instead of|rather than|over|而非|代替|替代|drop|replace|from)\s*(?:using |the )?[`\"']?$",
        low[max(0, at - 24) : at],
    )


def is_overtaken(text: str, line: int, denied: Sequence[tuple[int, frozenset[str]]]) -> bool:
    """Whether a report is for what the person no longer wanted after it."""
    if _REMOVES.search(text) is not None:
        return False
    return any(at > line and any(is_for(text, name) for name in names) for at, names in denied)


_REMOVES = compile_pattern(
    r"移除|删除|去掉|替换|换成|改[为成用]|迁移|remov|drop|replac|delet|migrat|switch", re.IGNORECASE
)


def keep_most(learned: Sequence[Learned]) -> tuple[Learned, ...]:
    """The ones that matter most, in the order in which they were said."""
    ranked = sorted(learned, key=lambda one: (not one.asked, -one.confidence, _ORDER[one.kind]))[:LEARNED]
    return tuple(one for one in learned if one in ranked)


def is_weighty(text: str) -> bool:
    """Whether there is enough of it to say something."""
    wide = sum(char >= "\u2e80" for char in text)
    return wide >= 4 or (wide >= 2 and len(text) >= 6) or (len(text) >= 8 and text.count(" ") >= 1)


LONGEST_ITEM = 200
"""Characters of what was learned."""

_SPACES = compile_pattern(r"\s+")
_MARKS = compile_pattern(r"^[ *_~>]+(?=\S)|(?<=[^ *_~>])[*_~>]+$|^[ *_~>]+$")
"""Emphasis that is left over; the star of 'select *' is none."""
_LINK = compile_pattern(r"\[([^\[\]]{1,100})\]\([^()\s]{1,300}\)")
_CLAUSE = compile_pattern(
    r"[,;—–，；]\s*(?:and\s+|but\s+|so\s+|also\s+|please\s+|但是?|不过|而且|所以|另外|请)?|\s+but\s+|\s[-–—]{1,2}\s|(?<=[\u3400-\u9fff])\s+(?=[\u3400-\u9fff])(?:然后|还有|另外|而且)?\s*|(?<=[次遍]了)(?=[\u3400-\u9fff])"
)


def tidy(text: str) -> str:
    """On one line, without marks of emphasis; a link as its words."""
    text = _LINK.sub(r"\1", text) if "](" in text else text
    return _MARKS.sub("", _SPACES.sub(" ", text.replace("**", "")).strip())


def skip_lead(text: str, language: Language) -> int:
    """How much at its beginning says nothing."""
    found = language.lead.match(text)
    return found.end() if found and found.end() < len(text) else 0


def find_clauses(text: str) -> tuple[int, ...]:
    """Where the parts of a sentence begin, each a statement by itself; of a condition there is one."""
    if is_condition(text):
        return (0,)
    return (0, *[cut.end() for cut, _ in zip(_CLAUSE.finditer(text), range(6), strict=False)])


def make_standalone(text: str, language: Language) -> str:
    """The sentence as it is kept; empty where it makes no sense by itself."""
    text = tidy(text)
    if language.loose.search(language.tail.sub("", text[skip_lead(text, language) :])) is not None:
        return ""
    for _ in range(3):
        before = text
        text = language.tail.sub("", text[skip_lead(text, language) :]).strip()
        for pattern, instead in language.plain:
            changed = pattern.sub(instead, text, count=1)
            text = changed.strip() or text
        if text == before:
            break
    if language.loose.search(text) is not None or not is_weighty(text):
        return ""
    return shorten(capitalize(strip_ends(text)), LONGEST_ITEM)


def capitalize(text: str) -> str:
    """With a capital where a plain word begins it."""
    word = text.split(" ", 1)[0]
    if word.islower() and word.isascii() and word.replace("'", "").replace(",", "").isalpha() and " " in text:
        return text[0].upper() + text[1:]
    return text


def strip_ends(text: str) -> str:
    """Without lone signs at its end."""
    text = text.strip(" \t,;:，；：、-–—")
    for sign in ("`", '"'):
        if text.count(sign) % 2:
            text = text.replace(sign, "")
    for left, right in ("()", "（）", "“”", "「」"):
        if text.count(left) != text.count(right):
            text = text.strip(left + right)
    return text
