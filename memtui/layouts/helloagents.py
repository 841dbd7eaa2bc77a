"""HelloAGENTS (spec 000): a project's knowledge base in any of its four generations, and the user's own directory.

v1 `helloagents/{project.md,wiki,history}`, v2
`.helloagents/{INDEX.md,context.md,modules,plan,archive,sessions}`, v3
`.helloagents/{context.md,guidelines.md,plans,sessions/<workspace>/<session>/STATE.md}`, and
`helloagents_backup_<time>/`, often side by side: then the project's root is the home. L0 stands in
`~/.helloagents/user/*.md` or, since March 2026, in `user/memory/*.md`. Every form is read.

Where memtui reads spec 000 otherwise than by the letter:
- The id of a session that no CLI keeps is 写入活状态区随对话持久化: it goes into the talk, as the document's comment,
  with what a session is told at its start, and is read from the project's state where an agent left it there.
  Into a file of the base memtui does not write it: that is committed, and every clone would go on with one session.
- A summary is written after every turn, too (the document: only at triggers). Nobody but the agent knows of a stage
  that changed or a state that was reset; what was written by the turn's end holds both, and the same file is
  overwritten.
- Sub-agents read L1 and write nothing (§7): the hooks, which are told that a sub-agent runs, keep to it. A tool over
  MCP is not told who calls: what one appends there is the session's, stands in the history and can be undone.
- Summaries of sessions in projects without a base go to the person's `user/sessions/`, where memtui has no home itself.
"""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path

from memtui.core.locale import _
from memtui.core.model import MARKDOWN, Home, Layer, Role, Status
from memtui.core.startup import TYPE_CHECKING, compile_pattern
from memtui.layouts import Layout, LayoutFacts, Skeleton, ToolBadge, claude_md
from memtui.layouts.git import iterate_project_directories
from memtui.layouts.roles import (
    GENERATED,
    build_home,
    build_layer_refusal,
    build_session_target,
    infer_path_status,
    infer_role,
    list_directory_names,
    place,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memtui.core.edits import Draft, Target
    from memtui.layouts import Surroundings

_TELLING = (
    "INDEX.md", "context.md", "project.md", "guidelines.md", "modules", "wiki", "history", "plans", "plan", "archive",
    "sessions", "verify.yaml", "CHANGELOG.md",
)  # fmt: skip
_STRONG = _TELLING[:7]
_BACKUP = "helloagents_backup_"
_KNOWLEDGE = ("", ".helloagents/", "helloagents/")
_INDEXES = ("INDEX.md", "modules/_index.md", "archive/_index.md")
_RULES = frozenset({"rule", "pref", "lesson"})
_UNSPOKEN = frozenset({"commands", "sounds"})

_PROFILE = Role(Layer.PROFILE, "note", "markdown")
_SESSION = Role(Layer.SESSION, "session", "session")
_EVIDENCE = Role(Layer.SESSION, "note", "json")
_EVENTS = Role(Layer.SESSION, "event", "jsonl")
_NOTE = Role(Layer.KNOWLEDGE, "note", "markdown", shipped=True)
_CHANGES = Role(Layer.KNOWLEDGE, "event", "journal", shipped=True)
_OVERVIEW = Role(Layer.CORE, "overview", "markdown")
_NAMED = {"context": "fact", "project": "fact", "tasks": "todo", "task": "todo", "decisions": "decision"}


class HelloAgents(Layout):
    """Knowledge bases of projects, and the user's directory."""

    name = "helloagents"
    facts = LayoutFacts(
        badge=ToolBadge("HA", "HelloAGENTS", "blue"),
        skeleton=Skeleton(("modules", "sessions"), (), more=("INDEX.md",), chinese=True),
        user_skeleton=Skeleton(("user", "user/sessions"), (), more=("user/profile.md",), chinese=True),
        summary_form="sections",
        profile_folders=("user", "user/memory", "profile", ".helloagents/user", ".helloagents/user/memory"),
        summary_folders=(
            "sessions",
            "user/sessions",
            ".helloagents/sessions",
            ".helloagents/user/sessions",
            "helloagents/sessions",
        ),
        retires=frozenset({"surplus"}),
        workflow_words=("~auto", "~build", "~design", "~exec", "~loop", "~plan", "~prd"),
        session_mark="<!-- HELLOAGENTS_SESSION_ID: {id} -->",
        knowledge_folders=_KNOWLEDGE,
        rule_files=tuple((base + index, ()) for base in _KNOWLEDGE for index in _INDEXES),
        own_project="marked",
    )

    def find(self, around: Surroundings) -> Iterator[Home]:
        """This project's (one home, whatever generations stand in it), the user's, and projects kept with the user."""
        own = (around.user / ".helloagents").resolve()
        names: set[str] = set()
        for folder in iterate_project_directories(around):
            names.add(folder.name)
            bases = [name for name in _list_bases(folder) if (folder / name).resolve() != own]
            if bases:
                path = folder if len(bases) > 1 else folder / bases[0]
                yield build_home(self.name, path, ", ".join(bases), folder.name, str(folder), True)
        for path in self._list_roots(around):
            if (path / "user").is_dir() or (path == own and _is_base(path)):
                label = "~/.helloagents" if path == own else f"~/{path.parent.name}/{path.name}"
                yield build_home(self.name, path, _("the user's own: user/"), label, "", False)
        for name in list_directory_names(own / "projects"):
            if _is_base(own / "projects" / name):
                mine = name.rpartition("-")[0] in names
                yield build_home(
                    self.name, own / "projects" / name, _("a project kept with the user"), name, name, mine
                )

    def _list_roots(self, around: Surroundings) -> list[Path]:
        """Where v2 and v3 put HELLOAGENTS_ROOT."""
        places = [
            around.variable("HELLOAGENTS_ROOT", around.user / ".helloagents"),
            around.user / ".helloagents",
        ]
        places += [around.user / tool / "helloagents" for tool in (".claude", ".codex")]
        return list(dict.fromkeys((around.cwd / place).resolve() for place in places))

    def found_home(self, around: Surroundings, layer: Layer | None = None) -> Home | None:
        """The person's own directory, where L0 stands for all projects; a project's base its own tool makes.

        Where an environment names none, the one that is there already.
        """
        roots = self._list_roots(around)
        named = around.env.get("HELLOAGENTS_ROOT", "").strip()
        path = roots[0] if named else next((one for one in roots if (one / "user").is_dir()), roots[0])
        reason = _("the user's own: user/")
        return (
            build_home(self.name, path, reason, "~/.helloagents", "", False) if layer in {None, Layer.PROFILE} else None
        )

    def recognise(self, path: Path) -> str:
        """A project with a knowledge base in it, a knowledge base by its name or two of its marks, the user's own."""
        bases = _list_bases(path)
        if bases:
            return ", ".join(bases)
        marks = [name for name in _TELLING if (path / name).exists()]
        strong = [name for name in marks if name in _STRONG]
        if _is_base_name(path.name) and (marks or (path / "user").is_dir()):
            return _("{name} in {place}").format(name=(marks or ["user"])[0], place=path.name)
        if path.parent.name == "projects" and path.parent.parent.name == ".helloagents" and marks:
            return _("{name} in a project kept with the user").format(name=marks[0])
        user = path / "user"
        if (user / "memory").is_dir() and any(name.endswith(".md") for name in list_directory_names(user / "memory")):
            return "user/memory" if not (path / "daily").exists() else ""
        if len(strong) > 1 and not any((path / name).exists() for name in ("MEMORY.md", "daily", "src", ".git")):
            return ", ".join(strong[:2])
        return ""

    def role(self, home: Path, path: str) -> Role | None:
        """What the file is in its generation; outside of knowledge bases a project's files are none of ours."""
        first, _, rest = path.partition("/")
        shape = _shape(home)
        if shape == "project":
            if path == "README.md":
                # Until the base says what the project is, nothing else does.
                return None if _says_what_it_is(home) else _OVERVIEW
            if not rest:
                # The project's own CLAUDE.md has no other home when this one takes the project's directory.
                return claude_md.LAYOUT.role(home, path)
            if not _is_base_name(first):
                told = first == ".claude" or rest.endswith("CLAUDE.md") or claude_md.LAYOUT.sends_to(home, path)
                return claude_md.LAYOUT.role(home, path) if told else None
            role = _find_role(rest, home / first)
            return role._replace(status=Status.BACKUP) if role and first.startswith(_BACKUP) else role
        if shape == "user" and first not in {"user", "sessions", "runtime"}:
            return None
        return _find_role(path, home)

    def prune(self, home: Path, path: str) -> bool:
        """A project's code, hidden directories but our own, and what the user's directory holds besides memory."""
        folder, _, name = path.rpartition("/")
        if name.startswith("."):
            sent = _shape(home) == "project" and claude_md.LAYOUT.sends_to(home, path)
            return path not in {".helloagents", ".claude"} and not sent
        if _shape(home) == "project" and not _is_base_name(path.partition("/")[0]):
            return claude_md.LAYOUT.prune(home, path)
        return name in _UNSPOKEN and folder.rsplit("/", 1)[-1] == "user"

    def target(self, home: Home, layer: Layer, draft: Draft, now: float) -> Target:
        """L0 in the user's directory, where its files stand; L1 in guidelines.md and context.md, or v1's project.md."""
        shape = _shape(home.path)
        if layer is Layer.PROFILE:
            own = home.path in _list_own_places() or (shape == "user" and not home.current and not home.project)
            if not own:
                # What a person prefers is global, and no business of a directory that is committed.
                raise build_layer_refusal(
                    home, layer, "the profile stands in the user's own directory, ~/.helloagents/user"
                )
            inside = "user/memory" if (home.path / "user" / "memory").is_dir() else "user"
            return place(home, f"{inside}/profile.md", draft, layer, profile=True)
        if shape == "user" or layer not in {Layer.CORE, Layer.KNOWLEDGE}:
            raise build_layer_refusal(home, layer, "what a project is about stands in its own .helloagents")
        inside = f"{_list_bases(home.path)[0]}/" if shape == "project" else ""
        names = (
            ("context.md", "project.md") if draft.kind not in _RULES else ("guidelines.md", "context.md", "project.md")
        )
        there = [name for name in names if (home.path / inside / name).is_file()]
        return place(home, f"{inside}{there[0] if there else 'context.md'}", draft, Layer.KNOWLEDGE)

    def session(self, home: Home, id: str, now: float) -> Target:
        """sessions/<id>.md of the knowledge base; of the user's own directory user/sessions/<id>.md (spec 000)."""
        shape = _shape(home.path)
        inside = f"{_list_bases(home.path)[0]}/" if shape == "project" else "user/" if shape == "user" else ""
        return build_session_target(home, f"{inside}sessions/{id}.md", self.facts.summary_form)

    def append_only(self, path: str) -> bool:
        """The logs of sessions."""
        return path.endswith(".jsonl")

    def read_only(self, path: str) -> str:
        """The state that it keeps of sessions that run."""
        machine = "sessions" in path.split("/") and path.endswith(".json")
        return GENERATED if machine or "runtime" in path.split("/") else ""


def _says_what_it_is(home: Path) -> bool:
    """Whether a knowledge base in a project, or the project's instructions, say what it is."""
    told = (f"{base}/{name}" for base in _list_bases(home) for name in _SAYING)
    return any((home / name).exists() for name in (*told, "CLAUDE.md", "AGENTS.md")) or any(
        any((home / base).glob("*/project.md")) for base in _list_bases(home)
    )


_SAYING = ("context.md", "project.md", "INDEX.md", "guidelines.md", "modules", "wiki")


def _list_own_places() -> set[Path]:
    """Where the person's own directory may be."""
    user = Path(os.path.expanduser("~"))
    named = os.environ.get("HELLOAGENTS_ROOT", "").strip()
    places = [user / ".helloagents", *(user / tool / "helloagents" for tool in (".claude", ".codex"))]
    return {place.resolve() for place in (*places, *([Path(named).expanduser()] if named else []))}


def _find_role(path: str, base: Path) -> Role | None:
    role = _infer_base_role(path)
    if role is None:
        return None
    folders = path.split("/")[:-1]
    if role.parser == "markdown" and folders[:1] != ["user"]:
        # All of its documents begin as forms, and many stay so in part.
        role = role._replace(shipped=True)
    standing = Status.ARCHIVED if folders[:1] == ["history"] else infer_path_status(path)
    if folders[:1] == ["replay"]:
        standing = Status.STATE
    if standing is Status.ACTIVE and folders[:1] in (["plan"], ["plans"]) and len(folders) > 1:
        # A finished plan is put away by whoever comes next; until then it is finished all the same.
        package = base.joinpath(*folders[:2])
        standing = _find_plan_status(package, *_stamp_plan(package))
    if _find_package(folders) and _is_plan_head(path.rpartition("/")[2], base.joinpath(*folders)):
        # A person sees a plan as one thing that was wanted on one day.
        role = role._replace(layer=Layer.SESSION, kind="plan", parser="markdown", project=_find_package(folders))
    if path.rpartition("/")[2] in {"_index.md", "index.md"} and standing is Status.ARCHIVED:
        standing = Status.GENERATED
    return role if standing is Status.ACTIVE else role._replace(status=standing)


_HEADS = ("proposal.md", "why.md", "requirements.md", "plan.md", "tasks.md", "task.md")
"""The documents of a plan in the order in which they say what it is about."""


@lru_cache(maxsize=4096)
def _is_plan_head(name: str, package: Path) -> bool:
    """Whether a document is the one that a plan is known by."""
    if name not in _HEADS:
        return False
    return not any((package / other).is_file() for other in _HEADS[: _HEADS.index(name)])


def _stamp_plan(package: Path) -> tuple[float, float]:
    """When what tells how far a plan has come last changed."""
    return tuple(_read_modified_time(package / name) for name in (".status.json", "tasks.md"))  # type: ignore[return-value]


def _read_modified_time(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


@lru_cache(maxsize=1024)
def _find_plan_status(package: Path, *stamps: float) -> Status:
    """Whether a plan is finished, by the state beside it or by the head and the boxes of its tasks."""
    for name in (".status.json", "tasks.md", "task.md"):
        try:
            with (package / name).open(encoding="utf-8", errors="replace") as file:
                text = file.read(1 << 16)
        except OSError:
            continue
        # The head says it once as the plan was made, and once as it was last touched.
        told = [match[1].lower() for match in _PLAN_STATUS.finditer(text.partition("\n- [")[0])]
        told = told[:1] if name.endswith(".json") else told
        if told:
            return Status.ACTIVE if _FINISHED.isdisjoint(told) else Status.ARCHIVED
        if "- [" in text:
            # '[X]' says that it failed where '[√]' says that it is done.
            wanting = "- [ ]" in text or ("[√]" in text and "- [X]" in text)
            return Status.ACTIVE if wanting else Status.ARCHIVED
    return Status.ACTIVE


_PLAN_STATUS = compile_pattern(r"(?:@status|\"status\"|\*\*@?status:?\*\*|状态(?=[*_\s]*[:：]))\W{0,6}(\w+)", 2)
_FINISHED = frozenset(
    {"completed", "complete", "done", "cancelled", "canceled", "abandoned", "已完成", "完成", "已取消"}
)


def _infer_base_role(path: str) -> Role | None:
    *folders, name = path.split("/")
    role = infer_role(path)
    stem = name.rpartition(".")[0].lower()
    if "user" in folders:
        inside = folders[folders.index("user") + 1 :]
        if inside[:1] == ["sessions"]:
            return role
        return _PROFILE if name.lower().endswith(MARKDOWN) and not _UNSPOKEN & set(inside) and stem[:1] != "." else None
    if "sessions" in folders or "runtime" in folders:
        if name == "STATE.md":
            return _SESSION
        if role is None or role.parser in {"session", "index"}:
            return role
        if name.endswith(".jsonl"):
            return _EVENTS
        return _EVIDENCE if name.endswith(".json") else role
    if role is None or not name.lower().endswith(MARKDOWN):
        return role
    if stem == "changelog":
        return _CHANGES
    package = _find_package(folders)
    if folders[-1:] == ["modules"] and role.kind in {"todo", "decision"}:
        # A module of the program may be called so.
        return _NOTE
    if stem in _NAMED:
        return _NOTE._replace(kind=_NAMED[stem], project=package)
    if role.parser == "journal" or package:
        return _NOTE._replace(kind="note" if role.parser == "journal" else role.kind, project=package)
    return role


def _find_package(folders: list[str]) -> str:
    """The plan, or the archived change, that a document belongs to."""
    for index, folder in enumerate(folders[:-1]):
        if folder in {"plan", "plans"}:
            return folders[index + 1]
        if folder in {"archive", "history"} and len(folders) > index + 2:
            return folders[index + 2]
    return ""


@lru_cache(maxsize=64)
def _shape(home: Path) -> str:
    """project: bases stand in it; user: the user's directory; base: it is one itself."""
    if _list_bases(home):
        return "project"
    marks = [name for name in _TELLING if name != "sessions" and (home / name).exists()]
    return "user" if (home / "user").is_dir() and not marks else "base"


def _is_base_name(name: str) -> bool:
    return name in {".helloagents", "helloagents"} or name.startswith(_BACKUP)


def _list_bases(folder: Path) -> list[str]:
    """The knowledge bases that stand in a directory, the hidden one first."""
    return [name for name in sorted(list_directory_names(folder)) if _is_base_name(name) and _is_base(folder / name)]


def _is_base(path: Path) -> bool:
    """Where the name is hidden any of its marks will do; a visible 'helloagents' may be somebody's source code."""
    if not path.is_dir():
        return False
    marks = _TELLING if path.name == ".helloagents" or path.parent.name == "projects" else _STRONG
    if any((path / mark).exists() for mark in (*marks, "user") if mark != "user" or path.name == ".helloagents"):
        return True
    # v1 kept one base a branch: helloagents/master/.
    branches = [name for name in list_directory_names(path)[:50] if not name.startswith(".")]
    return any((path / name / mark).exists() for name in branches for mark in ("wiki", "project.md", "INDEX.md"))


LAYOUT = HelloAgents()
