"""Memories that name files, commands or branches which the project at hand no longer has: proposed, no more.

A project is at hand where a home tells its directory or lies in it, and where it is the one that memtui was
started in. What a session did is history and names what there was; only what is to hold now can be stale.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from memtui.core.locale import _
from memtui.core.model import TOPICS, Layer, Status
from memtui.core.startup import compile_pattern
from memtui.layouts import Rooted, load_layout
from memtui.layouts.git import find_main_root
from memtui.layouts.tracks import derive_slug_name, is_path_slug
from memtui.review.census import find_role, load_beside
from memtui.review.mentions import (
    Mention,
    find_document_links,
    find_mentions,
    find_retired_names,
    find_switched_off,
    find_versions,
    is_name_mentioned,
    may_name_anything,
)
from memtui.review.plausible import is_dated, is_of_day, is_of_log
from memtui.review.project_tree import Tree
from memtui.store.candidates import Candidate, compute_candidate_id
from memtui.store.project import resolve_project_key
from memtui.store.proposing import make_near, make_source
from memtui.store.standing import explain_refusal

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from memtui.core.model import Home, Memory
    from memtui.review.census import Census, Remembered
    from memtui.store.vault import Vault

    _GoneKey = tuple[Tree | None, str, str]
    """The checkout, what kind of thing is gone, and its name."""

_DIRECTORY = compile_pattern(r"(?<![\w/.])([\w.-]+)/(?!\w)", re.ASCII)
_PUT_AWAY = compile_pattern(
    r"\b(?:delet|remov|retir|obsolet|deprecat|renam)|\bauto-memory\b|删除|移除|刪除|已删|废弃|重命名",
    re.IGNORECASE,
)
"""How a heading speaks of what went away, or of what Claude Code keeps outside of the project."""
LONGEST = 1200
"""Characters of a memory beyond which it is a document, and what it names is for its author to keep up."""

_LASTING = frozenset({
    "fact", "pref", "decision", "rule", "lesson", "note", "skill", "experience", "file", "index", "summary", *TOPICS,
})  # fmt: skip
_MARKS = (
    ".git", "package.json", "pyproject.toml", "Cargo.toml", "go.mod", "pom.xml", "build.gradle", "Makefile", "Gemfile",
    "composer.json", "setup.py", "CMakeLists.txt",
)  # fmt: skip
_UP = 4
"""Directories above a home that may be the project it lies in."""
_TOLD = 3
_CODE = ("{", "[{", "//", "/*", "#!", "import ", "from ", "<", "const ", "export ", "paths:", "globs:")
"""How a listing begins, or which files a rule is for: what it names belongs to its example."""
_KEPT_BY_PROGRAMS = compile_pattern(
    r"(?:stat(?:e|us)|cache|history|lock|session|log|index)[^/]*\.(?:jsonl?|txt|md|csv)$"
)
_FAMILIES = (
    ("ts", "tsx", "mts", "js", "jsx", "mjs", "cjs", "vue", "svelte"), ("py", "pyi", "ipynb"), ("java", "kt", "kts"),
    ("c", "h", "cc", "cpp", "hpp"), ("css", "scss", "less"),
)  # fmt: skip
_PLANNED = compile_pattern(
    r"\b(?:to (?:create|build|add|write|implement|do)|plan|roadmap|proposal|proposed|deliverables|next steps?"
    r"|phase \d|ideas?|backlog|upgrades?|outputs?)\b|产出|输出|沉淀|计划|规划|方案|路线图|下一步|待办|阶段|设想",
    re.IGNORECASE,
)
"""How a heading speaks of what is still to be made: what it names has never been there."""
_NOT_BEGUN = compile_pattern(
    r"\bnot (?:yet )?(?:started|begun|built|written|created|implemented)\b|🔲|未开始|未实现|尚未|还没", re.IGNORECASE
)
_STAGES = compile_pattern(
    r"\W{0,4}(?:iterations?|phases|stages|milestones|阶段|步骤)\b[^:：\n]{0,24}[:：]", re.IGNORECASE
)
"""How a list of what was to be made begins; what became of it is told elsewhere."""
_SAYING = 12
"""Characters beside a name that say something of it: a list of what is gone has nothing but names."""
_INTENDED = compile_pattern(
    r"(?:^|[/_.-])(?:plans?|proposals?|designs?|pitch(?:es)?|protocols?|drafts?|roadmaps?|ideas?|specs?|backlog|todos?)(?=[/_.-])",
    re.IGNORECASE,
)
"""How a document is called that tells of what is to be made."""
_TO_MAKE = compile_pattern(
    r"[\W\d]*(?:创建|新建|建立|编写|(?:create|write|set up)\b)(?:\s(?:an?|the|new|one))*\s?(?:一个|新的?)?\s?[`*]{0,3}"
    r"(?P<path>[A-Za-z0-9_.][\w./-]*[\w/])[`*]{0,3}(?=$|[\s，。,;；:：（(—])(?! ?(?:tests?|sections?|entr|测试))",
    re.IGNORECASE,
)
"""How a task says that a file is to be made."""
_GUIDE = compile_pattern(
    r"guide|tutorial|template|onboarding|check-?list|how-?to|指南|手册|教程|模板|清单", re.IGNORECASE
)
_NAMES = compile_pattern(r"`[^`\n]*`|[\w.~-]*/[\w./~-]*|[\W_]+")
"""What says nothing of a place: its name, and marks."""
_SHORT = 120
"""Characters of a line in which each name is what it is about."""
_TOGETHER = 3
"""Files that went to the same place, from which on their directory did."""
_ALIKE = 3
"""Directories that lack the same document, from which on it is one thing that was renamed."""
_PARTLY = 5
"""Memories that speak of what another calls gone, up to which it may have gone."""


def propose_stale(vault: Vault, count: Census | Remembered) -> Iterator[Candidate]:
    """What one home remembers of things that are no more: a card for each of them, with all that tells of it."""
    own, here = find_project_root(count.home, vault), _Here(vault)
    # A workspace has documents of other checkouts, of plans, of tables elsewhere: only what is read there in every
    # session is to name what is there.
    workspace = load_layout(count.home.layout).facts.own_project == "always"
    trees: dict[Path, Tree] = {}
    told: list[_Told] = []
    for memory in count.memories.values():
        if not _is_lasting(memory) or not may_name_anything(memory.text) or memory.text.startswith(_CODE):
            continue
        root = own or here.root(_find_named_project(count.home, memory))
        tree = None if root is None else trees.setdefault(root, Tree(root))
        if tree is not None and _is_about_elsewhere(memory, tree, loose=workspace):
            continue
        aside = workspace and memory.layer is Layer.KNOWLEDGE
        named = find_mentions(memory.text, str(root)) if root is not None and not aside else ()
        away = [*_find_broken_links(memory, tree), *_find_outdated(memory, tree if not aside else None)]
        if named or away:
            lacking = [
                one
                for one in named
                if tree is not None
                and tree.lacks(one)
                and not (workspace and _comes_and_goes(one, tree))
                and not _is_kept_there(one, count.home, tree)
            ]
            told.append(_Told(memory, named, [*lacking, *away], tree))
    told = _leave_gone(told, count.memories.values())
    known = {
        place
        for one in told
        for name in one.named
        if name.kind in {"path", "name"} and one.tree is not None and one.tree.holds(name.name)
        for place in (
            (one.memory.path, _find_language_ending(name.name)),
            (one.memory.path, one.memory.heading, _find_language_ending(name.name)),
        )
    }
    groups: dict[_GoneKey, list[_Told]] = {}
    # A path, and its last part alone, are one thing that is gone.
    whole = {name.name.rpartition("/")[2]: name for one in told for name in one.gone if name.kind == "path"}
    for one in told:
        gone = [name for name in one.gone if name.kind != "name" or _derive_family(one.memory, name.name) in known]
        if gone and not explain_refusal("archive", one.memory, vault):
            keys = [_derive_group_key(whole.get(name.name, name), one.tree) for name in gone]
            # What names two of them is decided once.
            key = next((key for key in keys if key in groups), keys[0])
            groups.setdefault(key, []).append(one._replace(gone=gone))
    yield from (_build_gone_candidate(key, group) for key, group in _join_alike(groups).items())
    if own is not None:
        yield from _made_since(vault, count, trees.setdefault(own, Tree(own)))
    yield from _find_outlived(vault, count, trees.setdefault(own, Tree(own)) if own is not None else None)


def _join_alike(groups: dict[_GoneKey, list[_Told]]) -> dict[_GoneKey, list[_Told]]:
    """The same, with one for all directories that lack the same document: it was renamed in each of them."""
    tails = Counter((tree, "/".join(top.split("/")[-2:])) for tree, kind, top in groups if kind == "path")
    joined: dict[_GoneKey, list[_Told]] = {}
    for (tree, kind, top), group in groups.items():
        tail = "/".join(top.split("/")[-2:])
        alike = kind == "path" and tails[tree, tail] >= _ALIKE
        joined.setdefault((tree, "alike", f"*/{tail}") if alike else (tree, kind, top), []).extend(group)
    return joined


class _Told(NamedTuple):
    """One memory, and what it names."""

    memory: Memory
    named: tuple[Mention, ...]
    gone: list[Mention]
    tree: Tree | None


def _leave_gone(told: Sequence[_Told], memories: Iterable[Memory]) -> list[_Told]:
    """The same without the names that went along with their directory, or that nobody has begun to make."""
    moves = _find_moves(told)
    ahead = _find_ahead(memories) if any(one.gone for one in told) else ""
    return [
        one._replace(
            gone=[
                name
                for name in one.gone
                if not _moved_along(name, one, moves) and name.name.rpartition("/")[2] not in ahead
            ]
        )
        for one in told
    ]


def _find_ahead(memories: Iterable[Memory]) -> str:
    """All that tells of something that nobody has begun yet: what it names was never there."""
    return "\n".join(
        line
        for memory in memories
        if memory.status is Status.ACTIVE
        for line in memory.text.splitlines()
        if _NOT_BEGUN.search(line)
    )


def _find_moves(told: Iterable[_Told]) -> dict[Tree, set[tuple[str, str]]]:
    """Directories that went elsewhere as a whole, by the files that went with them: what tells of them still holds."""
    files: dict[tuple[Tree, str, str], set[str]] = {}
    for one in told:
        for name in one.gone if one.tree is not None else ():
            place = one.tree.perhaps(name.name) if one.tree is not None and name.kind == "path" else ""
            old, new = name.name.split("/"), place.split("/")
            while len(old) > 1 and len(new) > 1 and old[-1] == new[-1]:
                old, new = old[:-1], new[:-1]
            if one.tree is not None and place and len(old) < name.name.count("/") + 1:
                files.setdefault((one.tree, "/".join(old), "/".join(new)), set()).add(name.name)
    moves: dict[Tree, set[tuple[str, str]]] = {}
    for (tree, before, after), names in files.items():
        if len(names) >= _TOGETHER:
            moves.setdefault(tree, set()).add((before, after))
    return moves


def _moved_along(name: Mention, one: _Told, moves: dict[Tree, set[tuple[str, str]]]) -> bool:
    """Whether a path is where its directory went."""
    tree = one.tree
    return tree is not None and any(
        name.name.startswith(f"{before}/") and tree.has(after + name.name[len(before) :])
        for before, after in moves.get(tree, ())
    )


def _is_about_elsewhere(memory: Memory, tree: Tree, *, loose: bool) -> bool:
    """Whether its section is about what went away, or about a directory that this project does not have. A `loose`
    one, a workspace, has documents of whatever was once thought of, and lists of what was to be written."""
    if any(map(_PUT_AWAY.search, memory.heading[-2:])) or _STAGES.match(memory.text) or is_dated(memory.text):
        return True
    beside = str(tree.root) == memory.home
    if (beside and _INTENDED.search(memory.path)) or (loose and len(_NAMES.sub("", memory.text)) < _SAYING):
        return True
    if any(map(_PLANNED.search, memory.heading if beside else memory.heading[-1:])):
        return True
    named = (match[1] for heading in memory.heading for match in _DIRECTORY.finditer(heading))
    return any(not tree.holds(name) for name in named)


def _comes_and_goes(mention: Mention, tree: Tree) -> bool:
    """Whether a workspace's file comes and goes: a day's note, a program's state, what another checkout in it has, or
    has in a language of which nothing is here."""
    parts = mention.name.split("/")
    return (
        is_of_day(mention.name)
        or (len(parts) > 1 and not tree.has_language(mention.name))
        or _KEPT_BY_PROGRAMS.search(mention.name) is not None
        or (len(parts) > 2 and not tree.has("/".join(parts[:2])) and not tree.has_alike(mention.name))
    )


def _is_kept_there(mention: Mention, home: Home, tree: Tree) -> bool:
    """Whether memory is to be kept there as soon as there is some: no checkout has a directory that is empty."""
    if mention.kind == "name":
        role = find_role(home, mention.name)
        return role is not None and role.layer is Layer.CORE
    if mention.kind != "folder":
        return False
    if tree.root != home.path:
        return (tree.root / mention.name).is_relative_to(home.path)
    facts = load_layout(home.layout).facts
    folders = (*facts.start_folders, *facts.knowledge_folders)
    return any(folder and f"{mention.name}/".startswith(folder) for folder in folders)


def _find_language_ending(name: str) -> str:
    """What language it is of: a document that tells of this project's components tells of its scripts, too."""
    ending = name.rpartition(".")[2]
    return next((family[0] for family in _FAMILIES if ending in family), ending)


def _derive_family(memory: Memory, name: str) -> tuple[object, ...]:
    """Among what a bare name is one of the project's own: files of its language, but notes only beside others."""
    ending = _find_language_ending(name)
    return (memory.path, memory.heading, ending) if ending == "md" else (memory.path, ending)


def _derive_group_key(mention: Mention, tree: Tree | None) -> tuple[Tree | None, str, str]:
    if mention.kind == "version":
        # What a list of libraries tells is looked through as a whole.
        return tree, mention.kind, ""
    if tree is None or mention.kind not in {"path", "folder"}:
        return tree, mention.kind, mention.name
    return tree, "path", tree.top(mention.name)


def _find_broken_links(memory: Memory, tree: Tree | None) -> list[Mention]:
    """Documents beside it that it links and that are not there."""
    found = []
    for path in find_document_links(memory.text):
        place = os.path.normpath(os.path.join(memory.home, os.path.dirname(memory.path), path))
        inside = place.startswith(f"{memory.home}{os.sep}") or (
            tree is not None and place.startswith(f"{tree.root}{os.sep}")
        )
        if inside and not os.path.lexists(place) and os.path.isdir(os.path.dirname(place)):
            found.append(Mention("link", path))
    return found


def _find_outdated(memory: Memory, tree: Tree | None) -> list[Mention]:
    """The libraries of which it names another main version than the project takes."""
    if tree is None or is_of_log(memory.path) or len(memory.text) > _SHORT:
        return []
    return [
        Mention("version", f"{name} {version}")
        for name, version in find_versions(memory.text)
        if tree.wants_otherwise(name, version)
    ]


def _find_outlived(vault: Vault, count: Census | Remembered, tree: Tree | None) -> Iterator[Candidate]:
    """What is told as being there under a name of which another memory says that it is no more."""
    active = [memory for memory in count.memories.values() if memory.status is Status.ACTIVE]
    ends: dict[str, Memory] = {}
    for memory in (*active, *load_beside(vault, count.home)):
        if len(memory.text) <= LONGEST:
            for name in find_retired_names(memory.text):
                if tree is None or not tree.knows(name):
                    ends.setdefault(name, memory)
            for name in find_switched_off(memory.text):
                ends.setdefault(name, memory)
    taken: set[str] = set()
    for name, end in ends.items():
        alive = [
            memory
            for memory in active
            if name in memory.text
            and memory.id not in taken
            and _is_lasting(memory)
            and (memory.path, memory.start) != (end.path, end.start)
            and (memory.created is None or end.created is None or memory.created <= end.created)
            and len(memory.text) >= len(name) + _SAYING
            and is_name_mentioned(memory.text, name)
        ]
        # What so many speak of went away from one place, not from the world.
        if 0 < len(alive) <= _PARTLY and not any(explain_refusal("archive", memory, vault) for memory in alive):
            place = f"{end.path}:{end.start}"
            taken.update(memory.id for memory in alive)
            made = _build_candidate(
                f"retired\0{name}",
                alive,
                1.0,
                (("gone", name), ("says so", place)),
                _("{place} says that {name} is no more").format(place=place, name=name),
            )
            # A place in another home of the checkout is told whole.
            told = (make_source(end),) if end.home != made.home else ()
            yield made._replace(sources=(*made.sources, *told), near=(make_near(end, 1.0),))


def _made_since(vault: Vault, count: Census | Remembered, tree: Tree) -> Iterator[Candidate]:
    """Tasks to make a file that is there by now: a card for those of one list. What anybody makes at the start, and
    what a guide has everybody make, says nothing."""
    lists: dict[tuple[str, tuple[str, ...]], list[tuple[Memory, str]]] = {}
    for memory in count.memories.values():
        is_open = memory.kind == "todo" and memory.status is Status.ACTIVE and not memory.extra.get("done")
        if not is_open or _GUIDE.search(memory.path):
            continue
        made = _TO_MAKE.match(memory.text)
        name = made["path"].strip("./") if made is not None else ""
        own = "/" in name or ("." in name and not name.endswith(".md"))
        if own and tree.has(name) and not explain_refusal("archive", memory, vault):
            lists.setdefault((memory.path, memory.heading), []).append((memory, name))
    for (path, heading), some in lists.items():
        reason = _("there by now: {names}").format(names=", ".join(name for _memory, name in some[:_TOLD]))
        parts = tuple(("made", name) for _memory, name in some)
        yield _build_candidate(
            "\0".join(("made", path, *heading)), [memory for memory, _name in some], 1.0, parts, reason
        )


def find_project_root(home: Home, vault: Vault) -> Path | None:
    """The directory of the project that a home belongs to; None: it belongs to none, or nobody knows where it is."""
    if home.project and os.path.isabs(home.project):
        return _resolve_directory(home.project)
    user = os.environ.get("HOME") or os.path.expanduser("~")
    kind = load_layout(home.layout)
    for root in kind.roots(home, user) if isinstance(kind, Rooted) else ():
        return _resolve_directory(str(root)) if root is not None else None
    own = kind.facts.own_project
    if own == "always" or (own and any(os.path.lexists(home.path / mark) for mark in _MARKS)):
        return home.path
    inside = _find_project_around(str(home.path), user)
    if inside is not None:
        return inside
    called = home.project or (home.label if kind.facts.label_names_project else "")
    return _Here(vault).root(called) if called else None


class _Here:
    """The project that memtui was started in, by the names that homes have for it."""

    def __init__(self, vault: Vault) -> None:
        self._config = vault.config
        self._known: dict[str, Path | None] = {}

    def root(self, called: str) -> Path | None:
        if not called:
            return None
        if called not in self._known:
            self._known[called] = self._find_root(called)
        return self._known[called]

    def _find_root(self, called: str) -> Path | None:
        try:
            here = Path.cwd()
            return find_main_root(here) if resolve_project_key(called, here, self._config) else None
        except (OSError, ValueError):
            return None


def _is_lasting(memory: Memory) -> bool:
    return (
        memory.status is Status.ACTIVE
        and memory.layer in {Layer.PROFILE, Layer.CORE, Layer.KNOWLEDGE}
        and memory.kind in _LASTING
        and len(memory.text) <= LONGEST
    )


def _find_named_project(home: Home, memory: Memory) -> str:
    """The project of one memory, in a home of many."""
    role = load_layout(home.layout).role(home.path, memory.path)
    return (role.project if role is not None else "") or str(memory.extra.get("project", ""))


@lru_cache(maxsize=256)
def _find_project_around(path: str, user: str) -> Path | None:
    """The project that a directory lies in, by what projects have; the user's own directory is none."""
    folder = Path(path)
    closed = {Path(user), Path(os.path.realpath(user)), Path(folder.anchor)}
    for above in list(folder.parents)[:_UP]:
        if above in closed:
            return None
        if any(os.path.lexists(above / mark) for mark in _MARKS):
            return above
    return None


def _resolve_directory(path: str) -> Path | None:
    try:
        found = Path(path).resolve()
        return found if found.is_dir() and found != Path(found.anchor) else None
    except (OSError, ValueError, RuntimeError):
        return None


def _build_gone_candidate(key: _GoneKey, group: list[_Told]) -> Candidate:
    tree, kind, top = key
    names = list(dict.fromkeys(_describe_mention(name, one.tree) for one in group for name in one.gone))
    if len(names) > _TOLD and kind == "path" and top not in names:
        names.insert(0, f"{top}/")
    elif kind == "alike":
        names.insert(0, top)
    root = tree.root if tree is not None else Path(group[0].memory.home)
    project = derive_slug_name(root) if is_path_slug(root.name) else root.name
    listed = ", ".join(names[:_TOLD]) + (", …" if len(names) > _TOLD else "")
    return _build_candidate(
        f"{kind}\0{top}",
        [one.memory for one in group],
        sum(len(one.gone) / max(1, len(one.named), len(one.gone)) for one in group) / len(group),
        tuple(("gone", name) for name in names),
        _("no longer in {project}: {names}").format(project=project, names=listed),
    )


def _build_candidate(
    name: str, memories: list[Memory], score: float, parts: tuple[tuple[str, str], ...], reason: str
) -> Candidate:
    first = memories[0]
    times = [memory.created for memory in memories]
    return Candidate(
        compute_candidate_id("stale", first.home, name),
        "stale",
        first.home,
        first.text,
        first.kind,
        first.layer or Layer.KNOWLEDGE,
        None,
        score,
        parts,
        tuple(map(make_source, memories)),
        time=max((time for time in times if time is not None), default=None),
        memories=tuple(memory.id for memory in memories),
        reason=reason,
    )


def _describe_mention(mention: Mention, tree: Tree | None) -> str:
    name = mention.name
    if mention.kind == "branch":
        return _("the branch {name}").format(name=name)
    if mention.kind in {"script", "make", "just"}:
        tool = {"script": "npm run", "make": "make", "just": "just"}[mention.kind]
        return f"{tool} {name}"
    if mention.kind == "version" and tree is not None:
        return _("{name} (now {place}?)").format(name=name, place=tree.wants_otherwise(*name.split(" ")))
    place = tree.perhaps(name) if tree is not None and mention.kind != "link" else ""
    return _("{name} (now {place}?)").format(name=name, place=place) if place else name
