"""The names in a text that matter: files, identifiers, libraries and services."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

MOST = 12

_TOKEN = re.compile(
    r"`([^`\s]{2,40})`|(?<![\w/.@-])((?:[\w@.-]+/)*[\w-]{1,40}\.(?:py|tsx?|jsx?|mjs|go|rs|java|kt|rb|php|c|cc|cpp|h|cs|swift|sql|md|json|ya?ml|toml|ini|cfg|sh|css|scss|html|vue|svelte|proto"
    r"|tf|lock|env|xml|gradle|txt|ipynb)(?![\w/])|Dockerfile|Makefile)|(?<![\w.])([A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+|[a-z]+(?:[A-Z][a-z0-9]+)+|(?:[A-Z][a-z0-9]+){2,}|[A-Z]{2,}\d*(?![a-z]))"
    r"|(?<![\w./-])([A-Za-z][A-Za-z0-9.+#-]{1,20})"
)
_MASKED = re.compile(r"[A-Za-z0-9_#.-]*…[A-Za-z0-9_-]*|\[(?:已脱敏|redacted:)[^\]]*\]")
"""What is left of a secret, or of a word that was cut, is no name."""
_KNOWN = frozenset(["react", "vue", "svelte", "angular", "next.js", "nextjs", "nuxt", "vite", "webpack", "rollup", "esbuild", "babel", "typescript", "javascript", "python", "rust", "golang", "java", "kotlin", "swift", "ruby", "php", "node", "node.js", "deno", "bun", "npm", "pnpm", "yarn", "pip", "uv", "poetry", "cargo", "maven", "gradle", "django", "flask", "fastapi", "rails", "laravel", "spring", "express", "nestjs", "koa", "hono", "axum", "actix", "gin", "fiber", "redis", "postgres", "postgresql", "mysql", "mariadb", "sqlite", "mongodb", "mongo", "dynamodb", "cassandra", "elasticsearch", "opensearch", "clickhouse", "kafka", "rabbitmq", "nats", "celery", "sidekiq", "bullmq", "temporal", "airflow", "dbt", "spark", "docker", "podman", "kubernetes", "k8s", "helm", "terraform", "ansible", "pulumi", "aws", "gcp", "azure", "s3", "lambda", "cloudflare", "vercel", "netlify", "heroku", "fly.io", "nginx", "caddy", "traefik", "envoy", "grafana", "prometheus", "sentry", "datadog", "opentelemetry", "pytest", "jest", "vitest", "mocha", "cypress", "playwright", "selenium", "junit", "eslint", "prettier", "biome", "ruff", "black", "mypy", "pyright", "flake8", "pylint", "isort", "graphql", "grpc", "rest", "websocket", "oauth", "oidc", "jwt", "saml", "keycloak", "auth0", "stripe", "twilio", "sendgrid", "prisma", "drizzle", "sequelize", "typeorm", "sqlalchemy", "alembic", "hibernate", "gorm", "sqlx", "tailwind", "bootstrap", "redux", "zustand", "mobx", "tanstack", "axios", "zod", "pydantic", "numpy", "pandas", "polars", "pytorch", "tensorflow", "langchain", "openai", "anthropic", "ollama", "git", "github", "gitlab", "bitbucket", "jenkins", "circleci", "argocd", "linux", "macos", "windows", "ubuntu", "alpine", "debian", "vim", "neovim", "emacs", "tmux", "zsh", "fish", "bash", "markdown", "yaml", "toml", "json", "protobuf", "supabase", "firebase", "hasura", "strapi", "storybook", "electron", "tauri", "flutter", "android", "ios", "unity", "godot", "sass", "less", "htmx", "astro", "remix", "gatsby", "luxon", "dayjs", "moment", "lodash", "argon2", "bcrypt", "rs256", "hs256", "memcached", "minio", "etcd", "consul", "vault", "istio", "mqtt", "asyncio", "trio", "celery", "textual", "click", "typer", "rich"])  # fmt: skip
_COMMON = frozenset(["TODO", "OK", "ID", "IDS", "PR", "PRS", "NOT", "AND", "THE", "URL", "API", "HTTP", "HTTPS", "JSON", "FIXME", "NOTE", "ALWAYS", "NEVER", "MUST", "README", "CI", "CD", "UI", "UX", "DB", "OS", "CPU", "RAM", "CLI", "II", "III", "AM", "PM", "USA", "ASAP", "FYI", "BTW", "IMPORTANT", "WARNING", "ERROR"])  # fmt: skip


def entities(texts: Iterable[str], most: int = MOST) -> tuple[str, ...]:
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
    for found in _TOKEN.finditer(_MASKED.sub(" ", text)):
        quoted, file, name, word = found.groups()
        if quoted is not None:
            if any(char.isalpha() for char in quoted) and not quoted.startswith(("-", "$", "http", "{")):
                yield quoted.strip(".,;:()")
        elif file is not None:
            yield file.rsplit("/", 1)[-1]
        elif name is not None:
            if name not in _COMMON and len(name) <= 40:
                yield name
        elif word.rstrip(".").lower() in _KNOWN:
            yield word.rstrip(".")
