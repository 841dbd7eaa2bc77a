"""Any directory of Markdown or JSON: opened when named, each file read by its name and place."""

from __future__ import annotations

from pathlib import Path

import pytest

from memtui.core.model import Status
from memtui.layouts import Surroundings
from memtui.layouts.plain import LAYOUT
from memtui.layouts.roles import infer_role, is_built
from tests.layouts.places import roles_of, write

HOME = Path(__file__).parents[1] / "homes" / "plain"


def test_it_is_never_found_by_itself_and_opens_anything() -> None:
    assert list(LAYOUT.find(Surroundings(HOME, HOME))) == []
    assert LAYOUT.recognise(HOME).startswith("holds ")


def test_what_it_recognises(tmp_path: Path) -> None:
    assert LAYOUT.recognise(tmp_path) == ""
    assert LAYOUT.recognise(tmp_path / "gone") == ""
    for name in ("a.txt", "config.json", ".b.md", "c.md.bak"):
        (tmp_path / name).touch()
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "x.md").touch()
    assert LAYOUT.recognise(tmp_path) == ""
    (tmp_path / "one" / "two").mkdir(parents=True)
    (tmp_path / "one" / "two" / "n.md").touch()
    assert LAYOUT.recognise(tmp_path) == "holds n.md further down"


def test_hidden_files_and_backups_are_no_memories() -> None:
    paths = set(roles_of("plain", HOME))
    assert {"notes.md", "中文 笔记.md", "deep/er/2026-03-01.md", "list.json", "log.jsonl"} <= paths
    assert not {".hidden.md", "backup.md.bak"} & paths


@pytest.mark.parametrize(
    ("path", "role"),
    [
        ("MEMORY.md", "core note markdown"),
        ("a/b/rules.md", "knowledge rule markdown"),
        ("areas/projects/x/rules.md", "knowledge rule markdown"),
        ("areas/projects/x/facts.json", "knowledge fact facts"),
        ("2026-02-10.md", "journal note journal"),
        ("notes/2026/02/10.md", "journal note journal"),
        ("sessions/_index.md", "knowledge index index"),
        ("sessions/README.md", "knowledge note markdown"),
        ("user/memory/rules.md", "profile note markdown"),
        ("user/MEMORY.md", "profile note markdown"),
        ("daily/2026-02-10.jsonl", "journal fact daily-jsonl"),
        ("sessions.jsonl", "session summary daily-jsonl"),
        ("evolution/x.jsonl", "evolution event events"),
        ("x.jsonl", "knowledge note jsonl"),
        ("x.json", "knowledge note json"),
        ("X.MARKDOWN", "knowledge note markdown"),
        ("areas/projects/p/2026-02-10-incident.md", "knowledge note markdown"),
        ("config.json", ""),
        ("a.txt", ""),
        ("a.md~", ""),
        (".a.md.swp", ""),
        (".#a.md", ""),
        ("#a.md", ""),
        ("md", ""),
        (".md", ""),
        ("index/.daily.lock", ""),
        (".search-index.db", ""),
    ],
)
def test_roles_by_name_and_place(path: str, role: str) -> None:
    found = infer_role(path)
    assert (f"{found.layer.value} {found.kind} {found.parser}" if found else "") == role


@pytest.mark.parametrize(
    ("part", "path", "role"),
    [
        ("claude/memory/sessions", "7d6e.md", "session session session"),
        ("claude/memory/areas/projects/shop", "facts.json", "knowledge fact facts"),
        ("claude/memory/evolution", "generator_state.json", "evolution state json"),
        ("claude/projects", "-home-li-shop/7d6e.jsonl", "session session claude-transcript"),
        ("shop/.helloagents/user", "shortcuts.md", "profile note markdown"),
        ("shop/.helloagents/sessions/main", "ab12/STATE.md", "session session session"),
    ],
)
def test_a_part_of_a_home_is_read_as_the_home_has_it(tmp_path: Path, part: str, path: str, role: str) -> None:
    files = (
        "claude/memory/areas/projects/shop/facts.json", "claude/memory/MEMORY.md", "claude/memory/evolution/x.jsonl",
        "claude/projects/-home-li-shop/7d6e.jsonl", "shop/.helloagents/INDEX.md", "shop/.helloagents/user/shortcuts.md",
    )  # fmt: skip
    for name in files:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    found = LAYOUT.role(tmp_path / part, path)
    assert found is not None
    assert f"{found.layer} {found.kind} {found.parser}" == role


def test_what_a_home_leaves_out_is_no_part_of_it(tmp_path: Path) -> None:
    for name in (
        "shop/.helloagents/INDEX.md",
        "shop/docs/rules.md",
        "shop/.helloagents/user/commands/ship.md",
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    found = LAYOUT.role(tmp_path / "shop" / "docs", "rules.md")
    assert found is not None and found.kind == "rule"
    user = tmp_path / "shop" / ".helloagents" / "user"
    assert LAYOUT.role(user, "commands/ship.md") is None
    assert LAYOUT.prune(user, "commands") and not LAYOUT.prune(user, "memory")


def test_directories_in_it_tell_what_is_a_template_or_a_skill(tmp_path: Path) -> None:
    for name in ("notes/a.md", "templates/Person.md", "global/skills/promote.md", "my template.md", "archive/b.md"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("- one\n", encoding="utf-8")
    assert {path: role.status for path, role in roles_of("plain", tmp_path).items()} == {
        "notes/a.md": Status.ACTIVE,
        "templates/Person.md": Status.TEMPLATE,
        "global/skills/promote.md": Status.SKILL,
        "my template.md": Status.ACTIVE,
        "archive/b.md": Status.ARCHIVED,
    }
    # Somebody who opens one of these directories means what is in it.
    assert roles_of("plain", tmp_path / "templates")["Person.md"].status is Status.ACTIVE


def test_records_of_a_program_are_its_own(tmp_path: Path) -> None:
    for name in ("messages/en.json", "web/tsconfig.app.json", "memory/people.json", "docs/rules.md"):
        write(tmp_path / name, "{}\n")
    assert {role.status for role in roles_of("plain", tmp_path).values()} == {Status.ACTIVE}
    write(tmp_path / "package.json", "{}\n")
    is_built.cache_clear()
    assert {path: role.status for path, role in roles_of("plain", tmp_path).items()} == {
        "docs/rules.md": Status.ACTIVE,
        "memory/people.json": Status.ACTIVE,
        "messages/en.json": Status.CODE,
        "web/tsconfig.app.json": Status.CODE,
    }
