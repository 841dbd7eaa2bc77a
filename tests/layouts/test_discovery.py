from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

import pytest

from memtui.core.errors import UsageError
from memtui.core.model import Home
from memtui.layouts import LAYOUTS, Surroundings, iterate_specific_layouts, load_layout
from memtui.layouts.discovery import detect_surroundings, discover_homes, list_homes_at, open_home_at

HOMES = Path(__file__).parents[1] / "homes"
SEEN = [
    ".claude", ".git", ".helloagents", ".memtui", "AGENTS.md", "CLAUDE.md", "INDEX.md", "MEMORY.md", "SOUL.md",
    "areas", "daily", "data", "evolution", "facts.jsonl", "helloagents", "history", "identity", "memories", "memory",
    "modules", "projects", "scratchpad.md", "sessions", "sessions.jsonl", "user", "wiki", "workspace", "workspaces",
    "openakita.db", "rollout_summaries", "config.toml", "notes.md", "topic.md", "src", "USER.md",
]  # fmt: skip
ABOVE = ["projects", ".claude", ".multi_agent", ".xinghebot", ".openclaw", "agent-memory", "x"]


@pytest.fixture
def user(tmp_path: Path) -> Path:
    """A user whose agents have worked in `code/shop`, a git repository with a second worktree."""
    shop = tmp_path / "code" / "shop"
    (shop / ".git" / "worktrees" / "fix").mkdir(parents=True)
    (shop / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    (shop / ".git" / "config").write_text('[remote "origin"]\n\turl = git@github.com:mei/shop.git\n')
    tree = tmp_path / "code" / "shop-fix"
    tree.mkdir()
    (tree / ".git").write_text(f"gitdir: {shop}/.git/worktrees/fix\n")
    (shop / ".git" / "worktrees" / "fix" / "gitdir").write_text(f"{tree}/.git\n")
    (shop / ".git" / "worktrees" / "fix" / "commondir").write_text("../..\n")
    (shop / ".helloagents").mkdir()
    (shop / ".helloagents" / "INDEX.md").write_text("# shop 知识库\n")
    memory = tmp_path / ".claude" / "memory" / "areas"
    memory.mkdir(parents=True)
    (memory.parent / "MEMORY.md").write_text("# Memory\n")
    for slug in (str(shop), "/elsewhere"):
        topics = tmp_path / ".claude" / "projects" / slug.replace("/", "-") / "memory"
        topics.mkdir(parents=True)
        (topics / "MEMORY.md").write_text("- [a](a.md)\n")
    daily = tmp_path / ".xinghebot" / "workspace" / "github.com_mei_shop" / "memory" / "daily"
    daily.mkdir(parents=True)
    (daily.parent / "MEMORY.md").write_text("# MEMORY\n")
    return tmp_path


def around(user: Path, cwd: Path, **env: str) -> Surroundings:
    return detect_surroundings(cwd, {"HOME": str(user), **env})


@pytest.mark.parametrize("place", ["code/shop", "code/shop/.helloagents", "code/shop-fix"])
def test_a_project_its_worktree_and_its_directories_see_the_same_homes(user: Path, place: str) -> None:
    found = {home.layout: home for home in discover_homes(around(user, user / place)) if home.current}
    assert set(found) >= {"helloagents", "claude", "xinghebot"}
    assert found["helloagents"].path.is_relative_to(user / "code" / "shop")
    assert found["xinghebot"].label == "github.com_mei_shop"


def test_the_current_projects_homes_come_first_and_the_others_are_found_too(user: Path) -> None:
    homes = discover_homes(around(user, user / "code" / "shop"))
    flags = [home.current for home in homes]
    assert flags == sorted(flags, reverse=True)
    assert {home.layout for home in homes if not home.current} == {"claude", "code-memory"}
    assert all(home.reason for home in homes)
    assert len({home.path for home in homes}) == len(homes)


def test_what_is_configured_is_added_and_left_out(user: Path) -> None:
    notes = user / "notes"
    notes.mkdir()
    (notes / "a.md").write_text("- a\n")
    here = around(user, user)
    assert notes in {home.path for home in discover_homes(here, [notes])}
    assert "code-memory" not in {home.layout for home in discover_homes(here, (), ["code-memory"])}
    first = next(iter(discover_homes(here)))
    assert first.path not in {home.path for home in discover_homes(here, (), [str(first.path)])}


def test_the_config_directory_moves(user: Path, tmp_path: Path) -> None:
    other = user / "other"
    (user / ".claude").rename(other)
    homes = discover_homes(around(user, user / "code" / "shop", CLAUDE_CONFIG_DIR=str(other)))
    assert {"claude", "code-memory"} <= {home.layout for home in homes}


def test_exactly_this_path_whatever_it_is(user: Path) -> None:
    assert open_home_at(user / ".claude" / "memory").layout == "code-memory"
    assert open_home_at(user / "code" / "shop" / ".helloagents").layout == "helloagents"
    one = user / "one.md"
    one.write_text("- a\n")
    assert open_home_at(one).path == user
    with pytest.raises(UsageError, match="not a file memtui can read"):
        open_home_at(_touched(user / "picture.png"))
    with pytest.raises(UsageError, match="nothing at"):
        open_home_at(user / "missing")
    empty = user / "empty"
    empty.mkdir()
    assert open_home_at(empty).layout == "plain"
    link = user / "link"
    link.symlink_to(user / ".claude" / "memory")
    assert open_home_at(link).path == user / ".claude" / "memory"


def _touched(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch()
    return path


@pytest.mark.parametrize(
    ("inside", "file", "name"),
    [
        (".cursor/skills/memory-data", "sessions.jsonl", "skillix"),
        (".multi_agent/memory", "MEMORY.md", "xinghebot"),
        (".claude/memory", "areas/projects/shop/facts.json", "code-memory"),
    ],
)
def test_a_project_is_opened_by_its_own_directory(tmp_path: Path, inside: str, file: str, name: str) -> None:
    project = tmp_path / "shop"
    _touched(project / "README.md")
    _touched(project / inside / file)
    home = open_home_at(project)
    assert (home.path, home.layout, home.label) == ((project / inside).resolve(), name, "shop")


def test_what_a_tool_keeps_for_the_user_is_called_by_its_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    _touched(tmp_path / ".claude" / "memory" / "areas" / "tools" / "rg" / "summary.md")
    assert open_home_at(tmp_path / ".claude" / "memory").label == "~/.claude/memory"


def test_the_identity_of_openakita_is_no_workspace_of_openclaw(tmp_path: Path) -> None:
    for name in ("data/memory/openakita.db", "identity/SOUL.md", "identity/USER.md", "identity/MEMORY.md"):
        _touched(tmp_path / "ws" / name)
    home = open_home_at(tmp_path / "ws" / "identity")
    found = load_layout(home.layout).role(home.path, "SOUL.md")
    assert home.layout == "plain"
    assert found is not None and found.layer == "profile"


@pytest.mark.skipif(sys.platform == "win32", reason="a directory in use cannot be removed there")
def test_a_working_directory_that_is_gone_leaves_the_users_homes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    _touched(tmp_path / ".memtui" / "user" / "profile.md")
    found = discover_homes(detect_surroundings(env={"HOME": str(tmp_path)}))
    assert [home.layout for home in found] == ["memtui"]


@pytest.mark.parametrize("opened", [".cursor", ".cursor/skills"])
def test_the_directory_of_a_tool_opens_what_it_keeps(tmp_path: Path, opened: str) -> None:
    _touched(tmp_path / "shop/.cursor/skills/memory-data/sessions.jsonl")
    home = open_home_at(tmp_path / "shop" / opened)
    assert (home.layout, home.path.name, home.label) == ("skillix", "memory-data", "shop")


def test_a_file_outside_of_every_home_is_opened_alone(tmp_path: Path) -> None:
    file = _touched(tmp_path / "downloads" / "one.md")
    _touched(tmp_path / "downloads" / "two.md")
    _touched(tmp_path / "downloads" / "deeper" / "three.md")
    home = open_home_at(file)
    kind = load_layout(home.layout)
    assert home.path == file.parent
    assert kind.role(home.path, "one.md") is not None
    assert kind.role(home.path, "two.md") is None
    assert kind.prune(home.path, "deeper")
    assert kind.recognise(home.path)
    file.unlink()
    assert not kind.recognise(home.path)


def test_a_place_that_cannot_be_looked_into_hides_no_other_layouts_homes(tmp_path: Path) -> None:
    _touched(tmp_path / ".memtui" / "user" / "profile.md")
    env = {"HOME": str(tmp_path), "CODEX_HOME": f"/{'x' * 300}", "CLAUDE_CONFIG_DIR": f"/{'x' * 300}"}
    assert [home.layout for home in discover_homes(detect_surroundings(tmp_path, env))] == ["memtui"]


def test_a_home_that_may_not_be_looked_into_is_named_with_its_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed = tmp_path / ".openclaw" / "workspace"
    closed.mkdir(parents=True)
    _touched(tmp_path / ".memtui" / "user" / "profile.md")

    def refused(*_: object) -> list[Home]:
        raise PermissionError(13, "Permission denied", str(closed / "SOUL.md"))

    monkeypatch.setattr(type(load_layout("openclaw")), "find", refused)
    mine, other = discover_homes(detect_surroundings(tmp_path, {"HOME": str(tmp_path)}))
    assert (mine.layout, other.layout, other.path) == ("memtui", "openclaw", closed)
    assert "permissions" in other.reason
    assert not other.writable


def put(root: Path, *names: str) -> Path:
    for name in names:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("---\nname: x\ndescription: y\n---\n\n- a line\n")
    return root


def test_what_explains_most_files_decides(tmp_path: Path) -> None:
    files = (
        "SOUL.md", "AGENTS.md", "MEMORY.md", "memory/2026-03-05.md", "memory/2026-03-06.md", "config.toml",
    )  # fmt: skip
    assert open_home_at(put(tmp_path / "a", *files)).layout == "openclaw"
    # The same without the person's own files: what OpenClaw keeps beside its notes says whose they are.
    assert (
        open_home_at(put(tmp_path / "b", "memory/2026-03-05.md", ".clawhub/lock.json", "report.md")).layout
        == "openclaw"
    )
    assert open_home_at(put(tmp_path / "c", "memory/2026-03-05.md", "report.md")).layout == "plain"


def test_the_other_reading_is_named_with_how_to_choose_it(tmp_path: Path) -> None:
    root = put(tmp_path / "w", "SOUL.md", "AGENTS.md", "MEMORY.md", "memory/2026-03-05.md", "config.toml")
    (found,) = list_homes_at(root)
    assert found.layout == "openclaw" and "memtui config set homes.exclude openclaw" in found.reason
    (other,) = list_homes_at(root, ["openclaw"])
    assert other.layout == "codex"


@pytest.mark.parametrize("place", [".claude/memory", "memory"])
def test_topics_in_a_repository_are_claude_s(tmp_path: Path, place: str) -> None:
    root = put(tmp_path / "shop", f"{place}/MEMORY.md", f"{place}/feedback_tests.md", "CLAUDE.md", "README.zh.md")
    memory, told = list_homes_at(root)
    assert (memory.layout, memory.path, told.layout, told.path) == ("claude", root / place, "claude_md", root)


def test_what_claude_remembers_may_be_committed_as_it_stands_with_the_user(tmp_path: Path) -> None:
    root = put(tmp_path / "shop", "helloagents/project.md", ".claude/projects/-home-ann-shop/memory/tests.md")
    assert [(home.layout, home.path) for home in list_homes_at(root)] == [
        ("helloagents", root),
        ("claude", root / ".claude"),
    ]


def test_workspaces_are_found_beside_what_runs_them(tmp_path: Path) -> None:
    root = put(tmp_path / "fleet", "README.md", "ann/SOUL.md", "ann/memory/a.md", "bob/SOUL.md", "bob/MEMORY.md")
    put(root, "src/notes.md")
    assert [(home.layout, home.path.name) for home in list_homes_at(root)] == [
        ("openclaw", "ann"),
        ("openclaw", "bob"),
    ]


def test_a_part_of_a_home_is_no_home_of_its_own(tmp_path: Path) -> None:
    root = put(tmp_path / "w", "SOUL.md", "IDENTITY.md", "MEMORY.md", "memory/MEMORY.md", "memory/people.md")
    assert [home.layout for home in list_homes_at(root)] == ["openclaw"]


@pytest.mark.parametrize("told", [(), ("CLAUDE.md",)])
def test_whoever_clones_a_workspace_is_there(user: Path, tmp_path: Path, told: tuple[str, ...]) -> None:
    """What a person tells Claude in it is a part of it, whichever way it is opened."""
    root = put(tmp_path / "clone", "SOUL.md", "IDENTITY.md", "memory/2026-03-05.md", *told)
    found = discover_homes(around(user, root))
    assert [(home.layout, home.path) for home in found if home.current] == [("openclaw", root)]


def test_every_layout_that_recognises_a_directory_is_among_those_that_might(tmp_path: Path) -> None:
    places = [path for path in (HOMES, *HOMES.rglob("*")) if path.is_dir() and not path.is_symlink()]
    names = {path.name for path in HOMES.rglob("*")} & {*SEEN}
    assert len(names) > 9, "the names that tell are those of real homes"
    chosen = random.Random(7)
    for number in range(600):
        # Any few of them together, in a directory of any such name.
        place = tmp_path / f"{number}" / chosen.choice(ABOVE) / chosen.choice(SEEN)
        place.mkdir(parents=True)
        for name in chosen.sample(SEEN, chosen.randint(1, 5)):
            inner = place / name
            if "." in name[1:]:
                inner.write_text("# Notes\n\n- one\n")
                continue
            inner.mkdir()
            below = chosen.choice([*SEEN, "2026-02-20.md", "-home-ana-shop"])
            (inner / below).write_text("- one\n") if "." in below[1:] else (inner / below).mkdir()
        places.append(place)
    known = 0
    for path in places:
        wanted = {name for name in LAYOUTS[:-1] if load_layout(name).recognise(path)}
        tried = {kind.name.replace("-", "_") for kind in iterate_specific_layouts(path)}
        assert wanted <= tried, path
        known += len(wanted)
    assert known > 300


def test_whoever_opens_a_home_loads_no_layout_that_it_cannot_be(tmp_path: Path) -> None:
    (tmp_path / "SOUL.md").write_text("# Soul\n")
    (tmp_path / "memory").mkdir()
    code = (
        "import sys; from memtui.layouts.discovery import list_homes_at; from pathlib import Path\n"
        f"print(list_homes_at(Path({str(tmp_path)!r}))[0].layout)\n"
        "print(*sorted(name for name in sys.modules if name.startswith('memtui.layouts.')))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    layout, loaded = done.stdout.splitlines()
    assert layout == "openclaw"
    assert not {f"memtui.layouts.{name}" for name in ("xinghebot", "memtui", "codex")} & {*loaded.split()}


def test_a_workspace_within_a_vault_is_one_home(user: Path) -> None:
    vault = user / "vault"
    for name in (
        ".git/HEAD",
        ".obsidian/app.json",
        "SOUL.md",
        "IDENTITY.md",
        "USER.md",
        "memory/2026-03-01.md",
        "AI/a.md",
    ):
        (vault / name).parent.mkdir(parents=True, exist_ok=True)
        (vault / name).write_text("- x y\n")
    found = {
        home.path.relative_to(user.resolve()).as_posix(): home.layout for home in discover_homes(around(user, vault))
    }
    assert found["vault"] == "openclaw"
    assert "vault/memory" not in found
    assert found["vault/AI"] == "obsidian"
