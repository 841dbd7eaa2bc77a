"""What the steps of a session tell: commits, files, tools, checks, and failures that were put right.

First single commands (does it test, build, change anything; did it fail), then what was done and committed,
then failures and what is to be learned from them.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from memtui.core.startup import compile_pattern
from memtui.language.classify import list_content_words
from memtui.language.conversation import Learned
from memtui.language.items import find_entities, make_standalone, shorten, tidy
from memtui.language.sentences import list_languages

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memtui.language.conversation import Conversation, Language, Step
    from memtui.language.sentences import Sentence

_TEST = compile_pattern(
    r"\b(?:pytest|unittest|tox|nox|jest|vitest|mocha|ava|rspec|phpunit|ctest|nextest|gotestsum|playwright test|cypress run|deno test|bun test|mix test"
    r"|(?:go|cargo|swift|dotnet|mvn|gradle\w*|\./gradlew|make|just|rake|npm|pnpm|yarn|bun|rails|sbt|bazel|nx|turbo)(?: run)?(?: -\S+)* (?:\w+[:-])?(?:tests?|check|verify|integration|e2e|specs?|unit|smoke)\b[\w:-]*)",
)
_CHECK = compile_pattern(
    r"\b(?:tsc|eslint|ruff|mypy|pyright|flake8|pylint|clippy|golangci-lint|shellcheck|(?:go|cargo|swift|dotnet|mvn|\./gradlew|gradle|make|npm|pnpm|yarn|bun)(?: run)? (?:build|lint|typecheck|compile|vet)\b|docker build|next build|vite build)"
)
_COMMIT = compile_pattern(r"\bgit\b(?: -\S+(?: \S+)?)? commit\b")
_AMEND = compile_pattern(r"--amend\b")
_MESSAGE = compile_pattern(
    r"(?:-a?m|--message)[ =]?(?:\"\$\(cat <<-? ?['\"\\]?(\w+)['\"]?\n\s*(?P<doc>[^\n]+)|\"(?P<double>(?:[^\"\\\n]|\\.){1,300})|'(?P<single>[^'\n]{1,300})|\$'(?P<dollar>[^'\n]{1,300}))"
)
_FROM = compile_pattern(r"commit -F - <<-? ?['\"]?\w+['\"]?\n\s*([^\n]+)")
_INSTALL = compile_pattern(
    r"\b(?:pip3? install|uv (?:add|pip install|sync)|poetry add|npm (?:i|install|ci)|pnpm (?:add|install|i)|yarn add|bun add|apt(?:-get)? install|brew install|cargo add|go get|gem install|bundle install|composer require)\b"
)
_REMEDY = compile_pattern(
    r"\b(?:docker(?:-| )compose up|docker start|systemctl (?:start|restart)|kubectl (?:rollout restart|apply|delete pod)|service \w+ (?:start|restart)|export \w+=|chmod |mkdir |createdb|alembic upgrade|prisma (?:generate|migrate|db push)"
    r"|(?:manage\.py|rails|rake|php artisan|npm run|make|pnpm|yarn) (?:db:)?migrat\w+|nvm use|pyenv (?:local|install)|corepack enable|git (?:lfs pull|submodule update)|pre-commit install|playwright install|cp \.env)"
)
_LOOKS = compile_pattern(
    r"^(?:sudo )?(?:ls|cat|grep|rg|find|head|tail|ps|df|du|echo|which|env|pwd|less|wc|tree|file|stat|type|whoami|date|history|curl|wget|lsof|netstat|ss|sed -n|awk|jq|diff|man|top|free"
    r"|git (?:status|diff|log|show|blame|branch|stash|checkout|commit|add|push|pull|fetch)|docker (?:ps|logs|inspect|images)|docker[ -]compose (?:ps|logs)|kubectl (?:get|describe|logs|top)|terraform (?:plan|show|validate)|npm (?:ls|outdated|view)|gh (?:pr|run|issue) (?:view|list|checks|diff)|psql .*-c .?explain|psql -f explain|python3? -c|node -e|psql .*-c .?select|sleep)\b",
    re.IGNORECASE,
)
_AROUND = compile_pattern(
    r"^(?:cd [^&;|]{1,200}(?:&&|;)\s*)+|(?:\s*2>&1)?\s*(?:\|\s*(?:tail|head|grep|tee)\b[^|]*)*\s*$"
)
_PASSED = compile_pattern(
    r"(?<![\w.])(\d+) (?:tests? )?pass(?:ed|ing)\b|Tests:\s+(?:\d+ \w+, )*(\d+) passed|test result: ok\. (\d+) passed"
)
_FAILED = compile_pattern(
    r"(?<![\w.])([1-9]\d*) (?:tests? )?(?:failed|failing|failures?|errors?)\b|^FAIL(?:ED)?\b|\bFAILED\b|--- FAIL|✗ |npm ERR!|exit code [1-9]|Exit code [1-9]",
    re.MULTILINE,
)


def strip_command(command: str) -> str:
    """The command itself, without where it runs and what shortens its output; one line."""
    return _AROUND.sub("", _AROUND.sub("", " ".join(command.split())))


def is_test_run(command: str) -> bool:
    """Whether it runs tests."""
    return _TEST.search(command[:2000]) is not None


def is_check_run(command: str) -> bool:
    """Whether it builds, lints or type-checks."""
    return _CHECK.search(command[:2000]) is not None


def is_remedy(command: str) -> bool:
    """Whether it can repair what another command needs."""
    return _INSTALL.search(command[:2000]) is not None or _REMEDY.search(command[:2000]) is not None


def may_change(command: str) -> bool:
    """Whether it may change something, as far as its name tells."""
    return _LOOKS.match(strip_command(command[:2000])) is None


def has_failed(step: Step) -> bool:
    """Whether a step failed: as it was recorded, or as its tests say."""
    if step.failed:
        return True
    return (is_test_run(step.command) or is_check_run(step.command)) and _FAILED.search(step.result[-4000:]) is not None


def count_passed(step: Step) -> int:
    """How many tests passed; 0: not told."""
    counts = [next(filter(None, found.groups())) for found in _PASSED.finditer(step.result[-4000:])]
    return int(counts[-1][:9]) if counts else 0


def read_commit(step: Step) -> tuple[str, bool] | None:
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
    if subject.startswith("$("):
        # What the shell puts in its place was cut off.
        return None
    return (subject, _AMEND.search(command) is not None) if subject else None


FILES = 40
TOOLS = 12

_TYPE = compile_pattern(
    r"^(?:feat|fix|chore|docs|refactor|test|tests|perf|style|build|ci|revert|wip)(?:\((?P<scope>[^()]{1,40})\))?!?:\s*",
    re.IGNORECASE,
)
_EVERYTHING = frozenset(
    {"deps", "dev-deps", "deps-dev", "release", "core", "all", "misc", "repo", "main", "app", "src"}
)
_TEMPORARY = compile_pattern(
    r"^(?:/tmp/|/private/tmp/|/var/folders/|/var/tmp/|/dev/)|(?:^|/)(?:node_modules|\.git|__pycache__|\.venv)/"
)
_TRIFLE = compile_pattern(r"^(?:wip|fix|update|changes|tmp|test|\.)$", re.IGNORECASE)


_EMPTY = compile_pattern(
    r"(?:所有|全部|全量|相关|单元|回归|\d+ ?个)*(?:测试|用例|构建|编译)(?:都|已|均|也|全部|全都|现已)*(?:通过|跑通)了?[\s。.！!]*$|(?:已经?|都|也)*(?:按|根据|照|遵照)[^，。]{0,10}(?:修改|调整|更新|改好|处理|完成)了?[\s。.！!]*$"
    r"|(?:已经?|都|也|全部)*(?:修改|更新|调整|改正|改好|完成|提交|推送|处理|搞定|修正)(?:完成|完毕|了|好了)*[\s。.！!]*$|(?:all |the |unit )*(?:\d+ )?(?:\w+ )?tests? (?:all )?(?:now )?pass(?:es|ed|ing)?[\s.!]*$",
    re.IGNORECASE,
)
"""It was done, and nothing is told of what."""


_REFERENCE = compile_pattern(
    r"(?:[^\W\d][^\W\d]*(?: [^\W\d]+){0,3}\*{0,2}[:：]\*{0,2}\s*)?(?:`[^`]+`|https?://\S+|[A-Za-z0-9_.~@#:-]*[/\\][A-Za-z0-9_./\\@#-]+"
    r"|[A-Za-z0-9_-]+\.[a-z][a-z0-9]{0,5})\s*(?:\([^()]{0,40}\))?\W*$"
    r"|(?:files? (?:changed|modified)|lines? \w+)[:：] ?\d|[0-9][0-9,]* (?:files?|lines?) \w+$|(?:branch|分支)[:：] ?\S+$",
    re.IGNORECASE,
)


def is_reference(text: str) -> bool:
    """Whether a line of a report only names something: a file, a branch, a commit's hash, how many lines there are."""
    return _REFERENCE.match(text.strip(" *")) is not None


class Deed(NamedTuple):
    """Something that was done, and where it was told."""

    text: str
    line: int
    sure: bool
    """Committed; else only told."""


def make_relative_path(file: str, cwd: str) -> str:
    """A file as the project calls it."""
    file, root = file.replace("\\", "/"), cwd.replace("\\", "/").rstrip("/")
    if root and file.startswith(root + "/"):
        file = file[len(root) + 1 :]
    while file.startswith("./"):
        file = file[2:]
    return file


def list_files(conversation: Conversation) -> tuple[str, ...]:
    """The files that were changed, each once, temporary ones left out."""
    cwd = conversation.session.cwd
    named = [tidy(make_relative_path(file, cwd)) for file in conversation.changed if len(file) < 1000]
    kept = [file for file in named if file and _TEMPORARY.search(file) is None]
    return tuple(dict.fromkeys(kept))[:FILES]


def list_tools(conversation: Conversation) -> tuple[str, ...]:
    """The tools that were used, the most used first."""
    counts: dict[str, int] = {}
    for step in conversation.steps:
        # Remembering is not what the session was about.
        if step.tool and "memtui__" not in step.tool:
            counts[step.tool] = counts.get(step.tool, 0) + 1
    return tuple(sorted(counts, key=lambda name: -counts[name]))[:TOOLS]


def list_commits(conversation: Conversation) -> list[Deed]:
    """The subjects of what was committed, in order."""
    found: list[Deed] = []
    for step in conversation.steps:
        told = read_commit(step)
        if told is None:
            continue
        subject, again = told
        text = _told(subject)
        if again and found:
            found.pop()
        if _TRIFLE.match(text) is None and len(text) >= 4:
            found.append(Deed(_capital(text), step.line, True))
    return found


def _told(subject: str) -> str:
    """A commit's subject in words: without its type, with its scope where the rest does not say it."""
    kind = _TYPE.match(subject)
    text = tidy(subject[kind.end() :]) if kind else subject
    scope = kind["scope"] if kind else None
    if scope and scope.lower() not in _EVERYTHING and scope.lower().rstrip("s") not in text.lower():
        return f"{scope}: {text}"
    return text or subject


def drop_committed(reported: Sequence[Deed], committed: Sequence[Deed]) -> list[Deed]:
    """What is reported and no commit says already, in other words or as nothing but a commit."""
    subjects = [_stems(deed.text) for deed in committed]
    return [
        deed
        for deed in reported
        if not (committed and _COMMITTED.search(deed.text) is not None and len(deed.text) < 90)
        and not any(_same(subject, _stems(deed.text)) for subject in subjects)
    ]


def _stems(text: str) -> frozenset[str]:
    return list_content_words(text)


def _same(one: frozenset[str], two: frozenset[str]) -> bool:
    return len(one & two) >= 2 and len(one & two) * 2 >= min(len(one), len(two))


_COMMITTED = compile_pattern(r"\b(?:committed|pushed)\b|提交了|推送了|已提交|已推送", re.IGNORECASE)


def find_closing(conversation: Conversation) -> frozenset[int]:
    """The lines of the agent's last words after it changed files, before each prompt and at the end."""
    events: list[tuple[int, str]] = [(turn.line, turn.role) for turn in conversation.said]
    events += [(step.line, "write") for step in conversation.steps if step.writes]
    found: set[int] = set()
    last, wrote = 0, False
    for line, what in [*sorted(events), (0, "user")]:
        if what == "user":
            if last and wrote:
                found.add(last)
            last, wrote = 0, False
        elif what == "write":
            last, wrote = 0, True
        elif what == "assistant":
            last = line
    return frozenset(found)


def _capital(text: str) -> str:
    first = text.split(" ", 1)[0]
    return text[0].upper() + text[1:] if first.isalpha() and first.islower() and first.isascii() else text


_ERROR = compile_pattern(
    r"\b(?:[A-Z]\w*)?(?:Error|Exception)\b: ?\S|\b(?:error|fatal|panic)(?:\[\w+\])?: \S|\bERR(?:OR|!)[ :]|\b(?:command not found|No such file or directory|Permission denied|Connection refused|not found"
    r"|ECONNREFUSED|EADDRINUSE|ENOENT|EACCES|ETIMEDOUT|already in use|undefined reference|cannot find|could not|Could not|Cannot)\b|^E\s{2,}\S|错误[:：]|失败[:：]"
)
_ASSERTION = compile_pattern(
    r"\bAssertionError\b|^E\s+assert\b|\bassert(?:ion)?\b.*(?:failed|==)|\bexpected\b.*\b(?:received|got|to (?:be|equal))\b|toBe|toEqual|\b\d+ (?:failed|failing)\b|^FAIL",
    re.IGNORECASE,
)
_NOISE = compile_pattern(r"^\s*(?:E\s{2,}|npm ERR! ?|ERROR:? (?=\w+Error)|\[\w+\]\s*|[✗✘×❌]\s*|>\s*)")
_STAMP = compile_pattern(r"^\[?\d{4}-\d\d-\d\d[T ][\d:.,+Z]+\]?\s*|^(?:/[\w.@-]+)+/(?=[\w.-]+:)")
_FIXED = compile_pattern(
    r"^(?:it (?:was|is) )?fixed by |^the (?:fix|solution|workaround) (?:is|was) (?:to )?", re.IGNORECASE
)
MOST = 20
"""So many mishaps are looked into: the last ones."""
_FAR = 40
"""Steps between a failure and what repaired it."""


class Mishap(NamedTuple):
    """A failure that was put right."""

    failed: Step
    passed: Step
    between: tuple[Step, ...]


def list_mishaps(steps: Sequence[Step]) -> tuple[Mishap, ...]:
    """Every command that failed first and passed after something was changed, in order."""
    open_: dict[str, int] = {}
    found: list[Mishap] = []
    for number, step in enumerate(steps):
        if not step.command.strip():
            continue
        command = strip_command(step.command[:2000])
        if has_failed(step):
            open_.setdefault(command, number)
            continue
        begun = open_.pop(command, None)
        if begun is None or number - begun > _FAR:
            continue
        after = [other for other in steps[begun + 1 : number] if not has_failed(other)]
        between = tuple(other for other in after if other.writes or is_remedy(other.command))
        between = between or tuple(other for other in after if other.command and may_change(other.command))
        if between:
            found.append(Mishap(steps[begun], step, between))
    return tuple(found)


def find_unsolved(steps: Sequence[Step]) -> Step | None:
    """The last test or build, where it failed and nothing repaired it."""
    for step in reversed(steps):
        if step.command and (is_test_run(step.command) or is_check_run(step.command)):
            return step if has_failed(step) else None
    return None


def find_error(step: Step) -> str:
    """The line that says what went wrong; empty: none does."""
    lines = [line for line in step.result[-6000:].splitlines() if 6 < len(line) < 600]
    told = [line for line in lines if _ERROR.search(line) is not None]
    told = [line for line in told if _ASSERTION.search(line) is None] or told
    if not told:
        return ""
    line = tidy(_STAMP.sub("", _NOISE.sub("", _NOISE.sub("", told[-1].strip()))))
    return shorten(line, 90)


def is_expectation(step: Step) -> bool:
    """Whether an expectation failed, not the surroundings: that is what writing code is like."""
    return _ASSERTION.search(find_error(step) or step.result[-300:]) is not None


def learn_from_mishaps(conversation: Conversation, spoken: Sequence[Sentence], own: Language) -> list[Learned]:
    """What is to be learned from what failed and was put right."""
    found = []
    for mishap in list_mishaps(conversation.steps)[-MOST:]:
        error_line = find_error(mishap.failed)
        if not error_line:
            continue
        fix = _fix(mishap, spoken, error_line)
        if not fix and is_expectation(mishap.failed):
            continue
        fix = _FIXED.sub("", fix) or _edited(mishap, conversation, own)
        if not fix:
            continue
        command = shorten(strip_command(mishap.failed.command), 50)
        if is_expectation(mishap.failed) and not fix.startswith("`"):
            # What an expectation was is told by the code; why it failed is worth keeping.
            found.append(Learned(fix, "lesson", "", mishap.failed.line, 0.65, find_entities((fix,), 6)))
            continue
        error_line = shorten(error_line, max(40, 172 - len(command) - len(fix)))
        text = own.phrases["lesson"].format(command, error_line, fix)
        sure = 0.55 if fix.startswith(own.phrases["edited"].partition("{")[0]) else 0.8
        found.append(Learned(shorten(text, 200), "lesson", "", mishap.failed.line, sure, find_entities((text,), 6)))
    return found


def _fix(mishap: Mishap, spoken: Sequence[Sentence], error_line: str) -> str:
    """What repaired it: in the agent's words, unless a command did and the words are about something else."""
    told, ran = _explained(mishap, spoken), _repaired(mishap)
    if told and ran and not set(find_entities((told,))) & set(find_entities((error_line,))):
        return ran
    return told or ran


def _explained(mishap: Mishap, spoken: Sequence[Sentence]) -> str:
    """What the agent said was wrong."""
    best = ""
    for sentence in spoken:
        if sentence.role != "assistant" or sentence.line < mishap.failed.line or sentence.asks:
            continue
        if sentence.line > mishap.passed.line + 4:
            break
        for language in list_languages(sentence.text):
            caused = language.cause.search(sentence.bare)
            if caused is None or language.doubt.search(sentence.bare):
                continue
            said = make_standalone(sentence.text, language)
            if not said and sentence.text[caused.end() :].strip():
                said = make_standalone(sentence.text[caused.end() :], language)
            best = best or shorten(said, 120)
    return best


def _repaired(mishap: Mishap) -> str:
    """The command that repaired it."""
    told = [strip_command(step.command) for step in mishap.between if step.command and not step.writes]
    return f"`{shorten(told[-1], 60)}`" if told else ""


def _edited(mishap: Mishap, conversation: Conversation, own: Language) -> str:
    files = tuple(
        dict.fromkeys(
            make_relative_path(file, conversation.session.cwd)
            for step in mishap.between
            if step.writes
            for file in step.files
        )
    )
    if not files or len(files) > 2:
        return ""
    return own.phrases["edited"].format(", ".join(files))


_THROWS = compile_pattern(
    r"\bgit\b(?: -\S+(?: \S+)?)? (?:checkout (?:HEAD )?(?:-f )?(?:-- )?\.|restore (?:--staged --worktree )?\.|reset --hard\b|clean -\w*f)"
)


def find_thrown_away(conversation: Conversation) -> int:
    """The line at which all uncommitted changes were thrown away; 0: they were not."""
    return max(
        (
            step.line
            for step in conversation.steps
            if step.command and not has_failed(step) and _THROWS.search(step.command[:400]) is not None
        ),
        default=0,
    )
