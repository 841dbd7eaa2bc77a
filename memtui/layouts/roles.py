"""What a file is by its name and place alone: the fallback of every layout that is mostly Markdown.

A home that mixes generations or tools shows each file for what it is; a layout states only where it differs.
"""

from __future__ import annotations

import os
from contextlib import suppress
from functools import lru_cache
from pathlib import PurePath, PurePosixPath

from memtui.core.errors import MemtuiError, RefusedError
from memtui.core.locale import _
from memtui.core.model import MARKDOWN, WHOLE, Home, Layer, Role, Status
from memtui.core.startup import TYPE_CHECKING, compile_pattern
from memtui.formats.dates import find_path_day
from memtui.fs.files import read

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from memtui.core.edits import Draft, Target

_PROGRAMS = (
    ".py", ".js", ".mjs", ".cjs", ".ts", ".tsx", ".jsx", ".sh", ".ps1", ".go", ".rs", ".java", ".rb", ".php", ".sql",
    ".c", ".cpp", ".cs", ".swift", ".kt", ".vue", ".html", ".css",
)  # fmt: skip

TRANSCRIPT = "a transcript, which its own tool goes on writing"
GENERATED = "its own tool makes it anew, and would overwrite what is written here"
"""Why a file is read-only, for a person."""

TOLD_FILES = ("GEMINI.md", ".cursorrules", ".windsurfrules", ".clinerules")
"""What a project's root holds for one tool each, beside AGENTS.md and CLAUDE.md, which any may read."""
_TOLD_HEAD = 1 << 17
_LEADING = 300
"""Bytes of a file that does no more than lead to another."""

BUILT = frozenset({
    ".git", "package.json", "pyproject.toml", "requirements.txt", "Cargo.toml", "go.mod", "pom.xml", "build.gradle",
    "build.gradle.kts", "Makefile", "Justfile", "CMakeLists.txt", "Gemfile", "composer.json", "docker-compose.yml",
    "Package.swift", "mix.exs", "deno.json", "pubspec.yaml",
})  # fmt: skip
"""What shows that a directory is a program's, whose documents are not an agent's notes."""
_SESSIONS = frozenset({"sessions", "session", "rollout_summaries", "session_summaries"})
_JOURNALS = frozenset({"daily", "journal", "journals", "diary", "dailies", "daily_summaries"})
_EVOLUTION = frozenset({"evolution"})
_PROFILES = frozenset({"user", "profile"})
KNOWN_AREAS = ("projects", "patterns", "tools", "domains")
"""In the order in which they are looked through."""
_CONFIGS = frozenset({
    "config.json", "settings.json", "settings.local.json", "package.json", "package-lock.json", "tsconfig.json",
    "contract.json", "active.json", "runtime.json", "manifest.json", "prefix-map.json",
})  # fmt: skip

_SESSION = Role(Layer.SESSION, "session", "session")
_JOURNAL = Role(Layer.JOURNAL, "note", "journal")
_RECORDS = Role(Layer.JOURNAL, "fact", "daily-jsonl")
_HEADS = Role(Layer.SESSION, "summary", "daily-jsonl")
_EVENTS = Role(Layer.EVOLUTION, "event", "events")
_STATE = Role(Layer.EVOLUTION, "state", "json")
_REPORT = Role(Layer.EVOLUTION, "note", "report")
_INDEX = Role(Layer.KNOWLEDGE, "index", "index")
_CORE = Role(Layer.CORE, "note", "markdown")
_PROFILE = Role(Layer.PROFILE, "note", "markdown")
_NOTE = Role(Layer.KNOWLEDGE, "note", "markdown")
_JSON = Role(Layer.KNOWLEDGE, "note", "json")
_JSONL = Role(Layer.KNOWLEDGE, "note", "jsonl")
_FACTS = Role(Layer.KNOWLEDGE, "fact", "facts")
_NAMED = {
    "memory": _CORE, "memory_summary": _CORE, "core": _CORE, "long-term": _CORE, "long_term": _CORE,
    "long-term-memory": _CORE, "长期记忆": _CORE, "scratchpad": _CORE._replace(kind="todo"),
    "profile": _PROFILE, "user": _PROFILE, "rules": _NOTE._replace(kind="rule"),
    "guidelines": _NOTE._replace(kind="rule"), "summary": _NOTE._replace(kind="summary"),
    "lessons": _NOTE._replace(kind="lesson"), "decisions": _NOTE._replace(kind="decision"),
    "todo": _NOTE._replace(kind="todo"), "tasks": _NOTE._replace(kind="todo"),
    "preferences": _NOTE._replace(kind="pref"), "changelog": _NOTE._replace(kind="event"),
    "facts": _NOTE._replace(kind="fact"), "index": _INDEX, "_index": _INDEX,
}  # fmt: skip

_WORK = {
    "agenda": "todo",
    **dict.fromkeys(("todo", "todos", "todolist", "tasks", "tasklist", "backlog", "nextsteps", "priorities"), "todo"),
    **dict.fromkeys(("pending", "outstanding", "openitems", "actionitems", "followups", "pendências"), "todo"),
    **dict.fromkeys(("待办", "待办清单", "待办事项", "待辦", "任务清单", "tarefas", "pendientes", "задачи"), "todo"),
    **dict.fromkeys(("decisions", "decisionlog", "decisionslog", "decisionrecord", "decisionrecords"), "decision"),
    **dict.fromkeys(("决策", "决策记录", "决策日志", "決定事項", "decisões", "decisiones", "решения"), "decision"),
    **dict.fromkeys(("lessons", "lessonslearned", "learnings", "教训", "经验教训", "踩坑记录", "уроки"), "lesson"),
    **dict.fromkeys(("worklog", "devlog", "developmentlog", "sessionlog", "progresslog", "progress"), "note"),
    **dict.fromkeys(("handoff", "handover", "handovernotes", "handoffnotes", "roadmap"), "note"),
    **dict.fromkeys(("kanban", "kanbanboard", "taskboard", "看板", "任务看板"), "note"),
    **dict.fromkeys(("工作日志", "开发日志", "工作记录", "作業ログ", "进度", "交接", "交接文档", "路线图"), "note"),
}  # fmt: skip
"""Documents in which the state of work is kept, without what joins their words: WORK_LOG.md is worklog.md."""
_WORK_IF_NAMED = dict.fromkeys(
    ("plan", "plano", "planung", "план", "计划", "計画", "status", "estado", "notes", "retomar"), "note"
)
"""What such a document is called as well; alone, the name says too little."""
_JOINED = str.maketrans("", "", "-_. ")
_JOINTS = compile_pattern(r"[-_. ]")

_SET_ASIDE = {
    **dict.fromkeys(("archive", "archives", "archived", "_archive", "归档", "存档"), Status.ARCHIVED),
    **dict.fromkeys(("backup", "backups", "bak", "备份"), Status.BACKUP),
    **dict.fromkeys(("template", "templates", "模板"), Status.TEMPLATE),
    **dict.fromkeys(("example", "examples", "sample", "samples", "示例", "样例"), Status.TEMPLATE),
    **dict.fromkeys(("skills", ".skills"), Status.SKILL),
}
"""What stands in directories of these names, whatever the tool."""
_BACKED_UP = compile_pattern(r"(?:^|[._-])(?:backup|bak)(?:[._-]|$)|备份")
_ARCHIVED = compile_pattern(
    r"(?:^|[._-])archived?(?:[._-]|$)|(?:^|[._-])(?:closed|completed|cerrad[oa]s|conclu[ií]d[oa]s)$|归档|存档"
)
_TALKS = compile_pattern(
    r"(?:chats?|conversations?|dialog(?:ue)?s?)[-_ ]?(?:history|histories|logs?|exports?|archives?|records?)"
    r"|(?:聊天|对话)(?:记录|历史)"
)
"""Directories of what was said, word for word or told anew: not what somebody keeps of it."""
_ARCHIVE_OF = compile_pattern(r"archived?[-_][\d_-]+|\w[\w-]*[-_]archive[-_]20\d\d(?:[-_](?:q[1-4][a-z]?|\d\d))?")
"""What was put away of months or days: archive_2026-02_2026-03.md, notes-archive-2026-Q1.md."""
_KEPT_BY_PROGRAMS = frozenset({
    "state", "states", "cache", "caches", "output", "outputs", "reports", "logs", "metrics", "stats", "snapshots",
})  # fmt: skip
"""Directories in which records are what programs keep for themselves; documents there are somebody's."""
_DERIVED = frozenset({"embeddings", "embedding", "vectors", "indexes"})
"""Directories of what is computed from memories: a document there tells of the program."""
_ORDERED = compile_pattern(r"(?:^|[._-])sub-?agents?(?:[._-]|$)|子代理|子智能体")
_ORDER = compile_pattern(r"(?:^|[._-])(?:tasks?|prompts?|briefs?|orders?|instructions?)$|任务$|指令$")
"""What a sub-agent was told to do once, in the directory of what it was told and what it answered."""
_STATES = compile_pattern(
    r"(?:^|[._-])(?:state|status|cursor|cache|lock|token|tokens|session-?map|heartbeat|index)(?:[._-]|$)"
)
_PULSES = compile_pattern(
    r"(?:^|[._-])heart-?beats?[._-](?:logs?|history|state|status|records?)(?:[._-]|$)|"
    r"(?:^|[._-])(?:daily|hourly|usage|tokens?|agents?|sessions?|memory|system|cron)[._-](?:stats|statistics)$"
)
"""What a machine notes each time it looks after something."""


@lru_cache(maxsize=1 << 12)
def infer_path_status(path: str) -> Status:
    """Whether a file is a live one, by the directories it is in and by its name; ACTIVE where nothing says no."""
    *folders, name = path.lower().split("/")
    for folder in folders:
        found = _SET_ASIDE.get(folder)
        if found is not None:
            return found
        if _BACKED_UP.search(folder):
            return Status.BACKUP
        if _ARCHIVED.search(folder) or _TALKS.fullmatch(folder):
            return Status.ARCHIVED
        if folder.endswith(("-example", "-examples", "_example", "_examples")):
            return Status.TEMPLATE
    stem, _, ending = name.rpartition(".")
    if name == "skill.md":
        return Status.SKILL
    if _BACKED_UP.search(stem) or ending in {"bak", "orig"}:
        return Status.BACKUP
    if "yyyy-mm-dd" in stem:
        return Status.TEMPLATE
    if (
        _SET_ASIDE.get(stem) is Status.ARCHIVED
        or _ARCHIVE_OF.fullmatch(stem)
        or (stem.endswith(("-archive", "_archive", "-archived", "_archived")) and not find_path_day(name))
    ):
        return Status.ARCHIVED
    if stem.lstrip("_.").startswith("template") or stem.endswith(("template", "模板")):
        return Status.TEMPLATE
    if (stem.startswith(("export-", "export_", "exported-")) and find_path_day(name)) or stem.endswith(".compressed"):
        return Status.GENERATED
    if _PULSES.search(stem):
        return Status.STATE
    if _ORDER.search(stem) and any(map(_ORDERED.search, folders)):
        return Status.ARCHIVED
    if stem == "readme" and not _DERIVED.isdisjoint(folders):
        return Status.CODE
    if ending in {"json", "jsonl"} and (_STATES.search(stem) or not _KEPT_BY_PROGRAMS.isdisjoint(folders)):
        return Status.STATE
    return Status.ACTIVE


@lru_cache(maxsize=1 << 12)
def infer_role(path: str) -> Role | None:
    """The role of the file at `path` (relative, '/'-separated) whatever the layout; None: not a memory.

    Hidden files, locks, backups, databases and configurations are none; nor is anything but Markdown and JSON.
    """
    folders = path.split("/")
    name = folders.pop().lower()
    stem, dot, ending = name.rpartition(".")
    if not dot or not stem or stem[0] in ".#~":
        return None
    places = {folder.lower() for folder in folders}
    if dot + ending in MARKDOWN:
        return _infer_markdown_role(path, stem, places, derive_folder_project(folders))
    if ending == "jsonl":
        return _infer_jsonl_role(path, stem, places)
    if ending == "json" and name not in _CONFIGS:
        if stem == "facts" or stem.endswith((".facts", "-facts")):
            return _FACTS._replace(project=derive_folder_project(folders))
        return _STATE if places & _EVOLUTION else _JSON
    return None


def infer_work_kind(name: str, *, alone: bool = False) -> str:
    """What is kept in a document of the state of work, by its name; alone, it is one though nothing names it.

    Of one that is named a word is enough, of those that stand in many names one in capitals: handoff-session.md,
    PLAN-MOBILE-2026-08-20.md.
    """
    stem = name.rpartition(".")[0]
    whole = stem.lower().translate(_JOINED)
    kind = _WORK.get(whole, "")
    if kind or alone:
        return kind
    words = _JOINTS.split(stem.lower())
    loud = words if stem.isupper() else []
    told = (*map(_WORK.get, words), *map(_WORK_IF_NAMED.get, loud), _WORK_IF_NAMED.get(whole))
    return next(filter(None, told), "")


def infer_told_status(home: Path, path: str) -> Status | None:
    """What one of `TOLD_FILES` is: ACTIVE, a template that its tool hands out, or None where it says word for word
    what AGENTS.md or CLAUDE.md says beside it."""
    stamps = [_stamp(home, name) for name in (path, "AGENTS.md", "CLAUDE.md")]
    if stamps[0] is None or _is_told_twice(*stamps):
        return None
    return Status.TEMPLATE if _is_shipped_rule(*stamps[0]) else Status.ACTIVE


def is_shipped_rule(home: Path, path: str) -> bool:
    """Whether a file of rules says nothing of this project: the text that people copy to make an agent keep a memory
    bank, or a line that leads to AGENTS.md or CLAUDE.md."""
    stamp = _stamp(home, path)
    return stamp is not None and _is_shipped_rule(*stamp)


def _stamp(home: Path, name: str) -> tuple[str, int] | None:
    try:
        return os.path.join(home, name), os.stat(home / name).st_mtime_ns
    except OSError:
        return None


def _read_head(file: str, size: int) -> bytes:
    try:
        with open(file, "rb") as opened:
            return opened.read(size).strip()
    except OSError:
        return b""


@lru_cache(maxsize=256)
def _is_told_twice(own: tuple[str, int], *others: tuple[str, int] | None) -> bool:
    text = _read_head(own[0], _TOLD_HEAD)
    return any(text == _read_head(other[0], _TOLD_HEAD) for other in others if other is not None)


@lru_cache(maxsize=1024)
def _is_shipped_rule(file: str, _changed: int) -> bool:
    head = _read_head(file, 4000)
    leads = len(head) < _LEADING and (b"AGENTS.md" in head or b"CLAUDE.md" in head)
    return leads or b"memory resets completely between sessions" in head


@lru_cache(maxsize=64)
def is_copied(home: Path, inner: str, names: tuple[str, ...], _moment: int) -> bool:
    """Whether a workspace within one repeats it byte for byte: its files of these names, and each day of memory/."""
    own = [name for name in names if os.path.isfile(home / inner / name)]
    days = [f"memory/{name}" for name in list_directory_names(home / inner / "memory") if name.endswith(".md")]
    told = own + days if days or "MEMORY.md" in own else []
    with suppress(OSError):
        return bool(told) and all(_is_same_file(home / inner / one, home / one) for one in told)
    return False


def _is_same_file(one: Path, other: Path) -> bool:
    size = one.stat().st_size
    return size == other.stat().st_size and size < _COMPARED and one.read_bytes() == other.read_bytes()


_COMPARED = 1 << 20


def is_append_only(path: str) -> bool:
    """Whether a file is a journal or a log of events, by its name and place: only ever appended to."""
    role = infer_role(path)
    return role is not None and role.parser in {"journal", "daily-jsonl", "events"}


def derive_folder_project(folders: list[str]) -> str:
    """The project, pattern, tool or domain whose directory this is: areas/projects/<name>/…."""
    for index, folder in enumerate(folders[:-1]):
        if folder.lower() in KNOWN_AREAS and (index == 0 or folders[index - 1].lower() == "areas"):
            return folders[index + 1]
    return ""


def _infer_markdown_role(path: str, stem: str, places: set[str], project: str) -> Role:
    if places & _EVOLUTION:
        return _REPORT
    if stem in {"index", "_index"}:
        return _INDEX
    if places & _SESSIONS:
        # '_index.md' and its like are about sessions; 'README.md' is about the directory.
        return _INDEX if stem[0] == "_" else _NOTE if stem == "readme" else _SESSION
    if places & _JOURNALS:
        return _JOURNAL
    if places & _PROFILES:
        return _PROFILE
    named = _NAMED.get(stem)
    if named is not None:
        return named._replace(project=project) if project else named
    if not project and find_path_day(path):
        return _JOURNAL
    kind = _WORK.get(stem.translate(_JOINED), "note")
    if kind != "note":
        return _NOTE._replace(kind=kind, project=project)
    return _NOTE._replace(project=project) if project else _NOTE


def _infer_jsonl_role(path: str, stem: str, places: set[str]) -> Role:
    if places & _EVOLUTION or stem in {"audit", "capabilities"}:
        return _EVENTS
    if stem == "sessions":
        return _HEADS
    if places & _JOURNALS or stem == "facts" or find_path_day(path) == stem:
        return _RECORDS
    return _JSONL


def place(
    home: Home,
    path: str,
    draft: Draft,
    layer: Layer,
    form: str = "markdown",
    *,
    append_only: bool = False,
    profile: bool = False,
    chinese: bool | None = None,
) -> Target:
    """This file of the home, with the section that the draft belongs under where the file has sections.

    `profile`: its headings are a profile's.
    """
    path = resolve_path_case(home.path, path)
    there = os.path.lexists(home.path / path)
    section = draft.section.strip()
    if form == "markdown" and not section:
        # Who only looks for memories never needs them.
        from memtui.formats import sections

        data = _read_whole(home, path) if there else b""
        section = sections.choose_file_heading(data, path, draft.kind, draft.text, profile=profile, chinese=chinese)
    return _aim(home, path, form, section, layer, there, append_only=append_only)


def build_session_target(home: Home, path: str, form: str) -> Target:
    """The file of a session's summary."""
    path = resolve_path_case(home.path, path)
    there = os.path.lexists(home.path / path)
    return _aim(home, path, form, "", Layer.SESSION, there)


def _aim(
    home: Home, path: str, form: str, section: str, layer: Layer, there: bool, *, append_only: bool = False
) -> Target:
    # Who only looks for memories never needs it.
    from memtui.core.edits import Target

    return Target(str(home.path), path, form, section, layer, there, append_only)


def build_layer_refusal(home: Home, layer: Layer, reason: str) -> RefusedError:
    """What a layout raises that has no place for a layer; `reason` says what to do instead."""
    message = _("{home} takes no {layer} memories: {reason}")
    return RefusedError(message.format(home=home.label, layer=layer.value, reason=_(reason)))


def choose_area(home: Home, draft: Draft) -> str:
    """The directory under areas/ that a draft is about: its project, one that it names, the home's, or `general`."""
    about = draft.project or PurePath(home.project).name
    name = "".join(c if c.isalnum() or c in "._-" else "-" for c in about).strip(".-")
    words = (draft.project, *draft.entities, *draft.tags, PurePath(home.project).name)
    # Spec 002: what is said of a pattern or of a tool stands under its name beside the projects.
    first = f"{draft.kind}s" if draft.kind in {"pattern", "tool"} else KNOWN_AREAS[0]
    return find_area(home, words, first) or f"areas/{first if name else KNOWN_AREAS[0]}/{name or 'general'}"


def find_area(home: Home, words: Iterable[str], first: str = KNOWN_AREAS[0]) -> str:
    """The directory under areas/ that is called like the first of these words that one is called; empty: none is.

    Of several of that name the one in `first` comes first.
    """
    found: dict[str, str] = {}
    for kind in sorted(KNOWN_AREAS, key=lambda kind: kind != first):
        for name in list_directory_names(home.path / "areas" / kind):
            found.setdefault(name.casefold(), f"areas/{kind}/{name}")
    return next((found[word.casefold()] for word in words if word and word.casefold() in found), "")


def build_knowledge_target(home: Home, draft: Draft) -> Target:
    """In areas/ (spec 002): rules as list items, everything else as facts."""
    folder = choose_area(home, draft)
    if draft.kind == "rule":
        return place(home, f"{folder}/rules.md", draft, Layer.KNOWLEDGE)
    return place(home, f"{folder}/facts.json", draft, Layer.KNOWLEDGE, "facts")


def resolve_path_case(home: Path, path: str) -> str:
    """The path as it stands on disk where only its case differs, so that no twin is made beside it."""
    found = PurePosixPath()
    for part in PurePosixPath(path).parts:
        names = [] if os.path.lexists(home / found / part) else list_directory_names(home / found)
        found /= next((name for name in names if name.casefold() == part.casefold()), part)
    return str(found)


def list_directory_names(path: Path) -> list[str]:
    """The names in a directory, in order; nothing where it cannot be read."""
    try:
        return sorted(os.listdir(path))
    except OSError:
        return []


def is_among_programs(home: Path, path: str) -> bool:
    """Whether a file stands in a directory of programs: a project beside the notes, with its papers and its data."""
    folder = home
    for name in path.split("/")[:-1]:
        folder /= name
        if _is_programmed(folder):
            return True
    return False


@lru_cache(maxsize=4096)
def _is_programmed(folder: Path) -> bool:
    """Whether a directory holds several programs, and more of them than notes."""
    programs = count_programs(folder)
    return programs > 2 and programs > sum(name.endswith(MARKDOWN) for name in list_directory_names(folder))


@lru_cache(maxsize=64)
def is_built(folder: Path) -> bool:
    """Whether a directory is a program's; that it is one in git alone says nothing."""
    return any((folder / name).is_file() for name in BUILT - {".git"})


def count_programs(folder: Path) -> int:
    """How many programs stand in a directory."""
    return sum(name.endswith(_PROGRAMS) for name in list_directory_names(folder))


def _read_whole(home: Home, path: str) -> bytes:
    try:
        return read(home.path, path, WHOLE)[0]
    except (MemtuiError, OSError):
        return b""


def build_home(layout: str, path: Path, reason: str, label: str, project: str, current: bool) -> Home:
    """The home at a path, wherever links lead from there."""
    path = path.resolve()
    return Home(path, layout, reason, label, project, current, os.access(path, os.W_OK))
