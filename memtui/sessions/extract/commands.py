"""What shell commands were for: tests, builds, commits, installing."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memtui.language.conversation import Step

_TEST = re.compile(
    r"\b(?:pytest|unittest|tox|nox|jest|vitest|mocha|ava|rspec|phpunit|ctest|nextest|gotestsum|playwright test|cypress run|deno test|bun test|mix test"
    r"|(?:go|cargo|swift|dotnet|mvn|gradle\w*|\./gradlew|make|just|rake|npm|pnpm|yarn|bun|rails|sbt|bazel|nx|turbo)(?: run)?(?: -\S+)* (?:\w+[:-])?(?:tests?|check|verify|integration|e2e|specs?|unit|smoke)\b[\w:-]*)",
)
_CHECK = re.compile(
    r"\b(?:tsc|eslint|ruff|mypy|pyright|flake8|pylint|clippy|golangci-lint|shellcheck|(?:go|cargo|swift|dotnet|mvn|\./gradlew|gradle|make|npm|pnpm|yarn|bun)(?: run)? (?:build|lint|typecheck|compile|vet)\b|docker build|next build|vite build)"
)
_COMMIT = re.compile(r"\bgit\b(?: -\S+(?: \S+)?)? commit\b")
_AMEND = re.compile(r"--amend\b")
_MESSAGE = re.compile(
    r"(?:-a?m|--message)[ =]?(?:\"\$\(cat <<-? ?['\"\\]?(\w+)['\"]?\n\s*(?P<doc>[^\n]+)|\"(?P<double>(?:[^\"\\\n]|\\.){1,300})|'(?P<single>[^'\n]{1,300})|\$'(?P<dollar>[^'\n]{1,300}))"
)
_FROM = re.compile(r"commit -F - <<-? ?['\"]?\w+['\"]?\n\s*([^\n]+)")
_INSTALL = re.compile(
    r"\b(?:pip3? install|uv (?:add|pip install|sync)|poetry add|npm (?:i|install|ci)|pnpm (?:add|install|i)|yarn add|bun add|apt(?:-get)? install|brew install|cargo add|go get|gem install|bundle install|composer require)\b"
)
_REMEDY = re.compile(
    r"\b(?:docker(?:-| )compose up|docker start|systemctl (?:start|restart)|kubectl (?:rollout restart|apply|delete pod)|service \w+ (?:start|restart)|export \w+=|chmod |mkdir |createdb|alembic upgrade|prisma (?:generate|migrate|db push)"
    r"|(?:manage\.py|rails|rake|php artisan|npm run|make|pnpm|yarn) (?:db:)?migrat\w+|nvm use|pyenv (?:local|install)|corepack enable|git (?:lfs pull|submodule update)|pre-commit install|playwright install|cp \.env)"
)
_LOOKS = re.compile(
    r"^(?:sudo )?(?:ls|cat|grep|rg|find|head|tail|ps|df|du|echo|which|env|pwd|less|wc|tree|file|stat|type|whoami|date|history|curl|wget|lsof|netstat|ss|sed -n|awk|jq|diff|man|top|free"
    r"|git (?:status|diff|log|show|blame|branch|stash|checkout|commit|add|push|pull|fetch)|docker (?:ps|logs|inspect|images)|docker[ -]compose (?:ps|logs)|kubectl (?:get|describe|logs|top)|terraform (?:plan|show|validate)|npm (?:ls|outdated|view)|gh (?:pr|run|issue) (?:view|list|checks|diff)|psql .*-c .?explain|psql -f explain|python3? -c|node -e|psql .*-c .?select|sleep)\b",
    re.IGNORECASE,
)
_AROUND = re.compile(
    r"^(?:cd [^&;|]{1,200}(?:&&|;)\s*)+|(?:\s*2>&1)?\s*(?:\|\s*(?:tail|head|grep|tee)\b[^|]*)*\s*$"
)
_PASSED = re.compile(
    r"(?<![\w.])(\d+) (?:tests? )?pass(?:ed|ing)\b|Tests:\s+(?:\d+ \w+, )*(\d+) passed|test result: ok\. (\d+) passed"
)
_FAILED = re.compile(
    r"(?<![\w.])([1-9]\d*) (?:tests? )?(?:failed|failing|failures?|errors?)\b|^FAIL(?:ED)?\b|\bFAILED\b|--- FAIL|✗ |npm ERR!|exit code [1-9]|Exit code [1-9]",
    re.MULTILINE,
)


def bare(command: str) -> str:
    """The command itself, without where it runs and what shortens its output; one line."""
    return _AROUND.sub("", _AROUND.sub("", " ".join(command.split())))


def tests(command: str) -> bool:
    """Whether it runs tests."""
    return _TEST.search(command[:2000]) is not None


def checks(command: str) -> bool:
    """Whether it builds, lints or type-checks."""
    return _CHECK.search(command[:2000]) is not None


def remedy(command: str) -> bool:
    """Whether it can repair what another command needs."""
    return _INSTALL.search(command[:2000]) is not None or _REMEDY.search(command[:2000]) is not None


def acts(command: str) -> bool:
    """Whether it may change something, as far as its name tells."""
    return _LOOKS.match(bare(command[:2000])) is None


def failed(step: Step) -> bool:
    """Whether a step failed: as it was recorded, or as its tests say."""
    if step.failed:
        return True
    return (tests(step.command) or checks(step.command)) and _FAILED.search(step.result[-4000:]) is not None


def passed(step: Step) -> int:
    """How many tests passed; 0: not told."""
    counts = [next(filter(None, found.groups())) for found in _PASSED.finditer(step.result[-4000:])]
    return int(counts[-1][:9]) if counts else 0


def commit(step: Step) -> tuple[str, bool] | None:
    """A commit's subject, and whether it replaces the one before it; None: no commit, or one that failed."""
    command = step.command[:8000]
    if step.failed or "commit" not in command or _COMMIT.search(command) is None:
        return None
    found = _MESSAGE.search(command)
    if found is not None:
        subject = next(filter(None, (found["doc"], found["double"], found["single"], found["dollar"])), "")
    else:
        named = _FROM.search(command)
        subject = named[1] if named else ""
    subject = subject.split("\\n", 1)[0].replace('\\"', '"').strip()
    return (subject, _AMEND.search(command) is not None) if subject else None
