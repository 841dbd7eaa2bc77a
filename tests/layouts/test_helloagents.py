"""HelloAGENTS: four generations side by side, the user's directory, projects kept with the user."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from memtui.core.config import Config, VectorConfig
from memtui.core.model import Layer, Status
from memtui.formats import Source, parse
from memtui.layouts import Surroundings
from memtui.layouts.helloagents import LAYOUT
from memtui.store.vault import Vault
from tests.layouts.places import brief, roles_of, write

HOMES = Path(__file__).parents[1] / "homes" / "helloagents"


def test_a_plan_is_known_by_one_document_and_put_away_when_it_is_finished(tmp_path: Path) -> None:
    base = tmp_path / ".helloagents"
    for name, text in (
        ("INDEX.md", "# 索引\n"),
        ("plan/202603241624_cache/proposal.md", "# 变更提案: 缓存\n\n给列表加缓存。\n"),
        (
            "plan/202603241624_cache/tasks.md",
            "# 任务清单\n\n```yaml\n@status: completed\n```\n\n- [√] 1.1 加缓存\n",
        ),
        ("plan/202604010900_retry/task.md", "# 任务清单\n\n- [√] 1.1 重试\n- [ ] 1.2 测试\n"),
        ("plan/202604020900_logs/tasks.md", "# Tasks\n\n- [ ] 1.1 logs\n"),
        ("plan/202604020900_logs/.status.json", '{"status": "done"}'),
    ):
        (base / name).parent.mkdir(parents=True, exist_ok=True)
        (base / name).write_text(text)

    def stands(path: str) -> tuple[str, str]:
        role = LAYOUT.role(base, path)
        assert role is not None
        return role.kind, role.status.value

    assert stands("plan/202603241624_cache/proposal.md") == ("plan", "archived")
    assert stands("plan/202603241624_cache/tasks.md") == ("todo", "archived")
    assert stands("plan/202604010900_retry/task.md") == ("plan", "active")
    assert stands("plan/202604020900_logs/tasks.md") == ("plan", "archived")


def test_a_plan_that_says_where_the_work_stands_is_no_form(tmp_path: Path) -> None:
    tasks = (
        "# 导出任务\n\n<!-- LIVE_STATUS_BEGIN -->\n- 状态：验证完成\n- 进度：已实现并测试\n<!-- LIVE_STATUS_END -->\n\n"
        "## 清单\n\n- [x] 定位导出的公共组件\n- [ ] 推送功能分支\n"
    )
    path = ".helloagents/plan/2026-05-28-export/tasks.md"
    (tmp_path / path).parent.mkdir(parents=True)
    (tmp_path / path).write_text(tasks)
    with Vault.open([tmp_path], config=Config(vector=VectorConfig(backend="off"))) as vault:
        (plan,) = vault.memories()
        assert plan.kind == "plan"
        assert [part.status for part in vault.parts(plan) if "推送功能分支" in part.text] == [Status.ACTIVE]
        assert [hit.status for hit in vault.find("功能分支")] == [Status.ACTIVE]


def test_all_generations_of_a_project_are_one_home() -> None:
    project = HOMES / "project"
    around = Surroundings(project, HOMES / "user", {}, (project,))
    here, user, kept = LAYOUT.find(around)
    assert (here.path, here.current, here.project, here.label) == (project, True, str(project), "project")
    assert here.reason == ".helloagents, helloagents, helloagents_backup_20260101120000"
    assert (user.path, user.current, user.label) == (HOMES / "user" / ".helloagents", False, "~/.helloagents")
    assert (kept.path.name, kept.project) == ("shop-0123456789ab", "shop-0123456789ab")


def test_each_file_of_each_generation_has_its_role() -> None:
    roles = roles_of("helloagents", HOMES / "project")
    new, old = ".helloagents/", "helloagents/"
    expected = {
        f"{new}INDEX.md": ("knowledge", "index", "index"),
        f"{new}context.md": ("knowledge", "fact", "markdown"),
        f"{new}guidelines.md": ("knowledge", "rule", "markdown"),
        f"{new}CHANGELOG.md": ("knowledge", "event", "journal"),
        f"{new}modules/_index.md": ("knowledge", "index", "index"),
        f"{new}modules/auth.md": ("knowledge", "note", "markdown"),
        f"{new}plan/202602101430_login/tasks.md": ("knowledge", "todo", "markdown"),
        f"{new}plan/202602101430_login/proposal.md": ("session", "plan", "markdown"),
        f"{new}plans/search/requirements.md": ("session", "plan", "markdown"),
        f"{new}plans/search/decisions.md": ("knowledge", "decision", "markdown"),
        f"{new}archive/_index.md": ("knowledge", "index", "index"),
        f"{new}archive/2026-01/202601281015_cart/proposal.md": ("session", "plan", "markdown"),
        f"{new}sessions/_index.md": ("knowledge", "index", "index"),
        f"{new}sessions/1d6e01ef-b78f-434c-8dc3-4c67277cd896.md": ("session", "session", "session"),
        f"{new}sessions/main/019c32d0/STATE.md": ("session", "session", "session"),
        f"{new}sessions/main/019c32d0/artifacts/qa-review.json": ("session", "note", "json"),
        f"{new}user/sessions/20260307_ab12cd34.md": ("session", "session", "session"),
        f"{old}project.md": ("knowledge", "fact", "markdown"),
        f"{old}wiki/overview.md": ("knowledge", "note", "markdown"),
        f"{old}wiki/modules/cart.md": ("knowledge", "note", "markdown"),
        f"{old}history/index.md": ("knowledge", "index", "index"),
        f"{old}history/2025-12/202512011200_init/why.md": ("session", "plan", "markdown"),
        f"{old}history/2025-12/202512011200_init/task.md": ("knowledge", "todo", "markdown"),
        f"{old}master/wiki/arch.md": ("knowledge", "note", "markdown"),
        "helloagents_backup_20260101120000/wiki/overview.md": ("knowledge", "note", "markdown"),
    }
    assert brief(roles) == expected
    aside = {path: role.status.value for path, role in roles.items() if role.status is not Status.ACTIVE}
    assert aside == {
        f"{new}archive/_index.md": "generated",
        f"{new}archive/2026-01/202601281015_cart/proposal.md": "archived",
        f"{old}history/index.md": "generated",
        f"{old}history/2025-12/202512011200_init/why.md": "archived",
        f"{old}history/2025-12/202512011200_init/task.md": "archived",
        "helloagents_backup_20260101120000/wiki/overview.md": "backup",
    }
    assert roles[f"{new}plans/search/decisions.md"].project == "search"
    assert roles[f"{old}history/2025-12/202512011200_init/why.md"].project == "202512011200_init"


def test_opened_at_the_base_itself_paths_are_relative_to_it() -> None:
    roles = roles_of("helloagents", HOMES / "project" / ".helloagents")
    assert brief(roles)["modules/auth.md"] == ("knowledge", "note", "markdown")
    assert LAYOUT.recognise(HOMES / "project" / ".helloagents") == "INDEX.md in .helloagents"
    assert len(roles) == 17


def test_the_users_directory_holds_l0_in_both_places_and_nothing_of_the_program() -> None:
    home = HOMES / "user" / ".helloagents"
    assert brief(roles_of("helloagents", home)) == {
        "user/profile.md": ("profile", "note", "markdown"),
        "user/shortcuts.md": ("profile", "note", "markdown"),
        "user/memory/profile.md": ("profile", "note", "markdown"),
        "user/sessions/20260306_ffff0000.md": ("session", "session", "session"),
    }


def test_a_single_generation_is_the_home_itself(tmp_path: Path) -> None:
    shutil.copytree(HOMES / "project" / ".helloagents", tmp_path / "shop" / ".helloagents")
    (home,) = LAYOUT.find(Surroundings(tmp_path / "shop", tmp_path / "me", {}, (tmp_path / "shop",)))
    assert (home.path, home.label) == (tmp_path / "shop" / ".helloagents", "shop")
    assert LAYOUT.recognise(tmp_path / "shop") == ".helloagents"
    assert ".helloagents/context.md" in roles_of("helloagents", tmp_path / "shop")


def test_worktrees_and_directories_above_are_looked_at(tmp_path: Path) -> None:
    for name in ("a/.helloagents/modules", "b/.helloagents/modules"):
        (tmp_path / name).mkdir(parents=True)
    inner = tmp_path / "a" / "pkg"
    inner.mkdir()
    found = list(LAYOUT.find(Surroundings(inner, tmp_path / "me", {}, (tmp_path / "a", tmp_path / "b"))))
    assert [home.path for home in found] == [tmp_path / "a" / ".helloagents", tmp_path / "b" / ".helloagents"]
    assert all(home.current for home in found)


def test_in_the_users_own_directory_the_base_is_not_a_projects(tmp_path: Path) -> None:
    shutil.copytree(HOMES / "user" / ".helloagents", tmp_path / ".helloagents")
    homes = list(LAYOUT.find(Surroundings(tmp_path, tmp_path, {}, (tmp_path,))))
    assert [(home.path.name, home.current) for home in homes] == [
        (".helloagents", False),
        ("shop-0123456789ab", False),
    ]


@pytest.mark.parametrize(
    "made", ["helloagents/core/x.py", "helloagents/__init__.py", "user/x.md", "modules/x.md", "docs/a.md"]
)
def test_source_code_and_other_directories_are_no_base(tmp_path: Path, made: str) -> None:
    (tmp_path / made).parent.mkdir(parents=True)
    (tmp_path / made).touch()
    assert LAYOUT.recognise(tmp_path) == ""


def test_a_project_that_is_named_like_a_base(tmp_path: Path) -> None:
    root = tmp_path / "helloagents"
    (root / ".helloagents" / "modules").mkdir(parents=True)
    (root / ".helloagents" / "modules" / "a.md").touch()
    (root / "README.md").touch()
    assert list(roles_of("helloagents", root)) == [".helloagents/modules/a.md"]


def test_rules_for_claude_beside_the_base_belong_to_the_project(tmp_path: Path) -> None:
    for name in (
        ".helloagents/INDEX.md",
        ".helloagents/context.md",
        ".claude/rules/tests.md",
        ".claude/other/a.md",
    ):
        write(tmp_path / name)
    assert roles_of("helloagents", tmp_path).keys() == {
        ".helloagents/INDEX.md", ".helloagents/context.md", ".claude/rules/tests.md",
    }  # fmt: skip


def test_a_plan_with_a_failed_step_is_not_finished(tmp_path: Path) -> None:
    for name, last in (("one", "[X]"), ("two", "[√]")):
        write(tmp_path / ".helloagents/plan" / f"202604250006_{name}" / "tasks.md", f"- [√] Do\n- {last} Test\n")
    write(tmp_path / ".helloagents/INDEX.md")
    one, two = (LAYOUT.role(tmp_path, f".helloagents/plan/202604250006_{name}/tasks.md") for name in ("one", "two"))
    assert one is not None and two is not None
    assert (one.status, two.status) == (Status.ACTIVE, Status.ARCHIVED)


@pytest.mark.parametrize(
    ("tasks", "standing"),
    [
        # Nobody went back to the head, which says what was so when the plan was made.
        ("@status: in_progress\n\n状态: completed | 进度: 2/2 (100%)\n\n- [√] 1.1 Do\n", Status.ARCHIVED),
        ("@status: completed\n\n状态: in_progress | 进度: 0/2 (0%)\n\n- [ ] 1.1 Do\n", Status.ARCHIVED),
        ("@status: pending\n\n状态: in_progress\n\n- [ ] 1.1 Do\n  - 状态: 已完成\n", Status.ACTIVE),
        # The legend of the boxes says nothing of the plan.
        ("## 任务状态符号说明\n\n| 符号 | 状态 | 说明 |\n\n- [√] 1.1 Do\n", Status.ARCHIVED),
        ("## 任务状态符号说明\n\n| 符号 | 状态 | 说明 |\n\n- [ ] 1.1 Do\n", Status.ACTIVE),
    ],
)
def test_how_far_a_plan_is_is_told_by_what_its_head_says_last(tmp_path: Path, tasks: str, standing: Status) -> None:
    path = ".helloagents/plan/202603241624_cache/tasks.md"
    write(tmp_path / ".helloagents/INDEX.md")
    write(tmp_path / path, tasks)
    role = LAYOUT.role(tmp_path, path)
    assert role is not None and role.status is standing


def test_a_module_that_is_called_tasks_is_a_document_of_it(tmp_path: Path) -> None:
    write(tmp_path / "helloagents/wiki/overview.md")
    role = LAYOUT.role(tmp_path, "helloagents/wiki/modules/tasks.md")
    assert role is not None and role.kind == "note"


def test_the_form_at_the_foot_of_a_changelog_is_a_template(tmp_path: Path) -> None:
    write(tmp_path / ".helloagents/INDEX.md")
    role = LAYOUT.role(tmp_path, ".helloagents/CHANGELOG.md")
    assert role is not None
    text = (
        "# 变更日志\n\n## [0.2.0] - 2026-01-28\n\n- **[web]**: 登录页改为两栏\n\n"
        "## [X.Y.Z] - YYYY-MM-DD\n\n- **[{模块名}]**: {变更描述}\n"
    )
    one, form = parse(Source(".helloagents/CHANGELOG.md", role, text.encode())).entries
    assert (one.status, form.status) == (Status.ACTIVE, Status.TEMPLATE)


def test_what_the_project_is_its_readme_says_until_the_base_does(tmp_path: Path) -> None:
    write(tmp_path / ".helloagents/CHANGELOG.md")
    write(tmp_path / "README.md", "# Gate\n\nOpens the gate at six.\n")
    role = LAYOUT.role(tmp_path, "README.md")
    assert role is not None and (role.layer, role.kind) == (Layer.CORE, "overview")
    write(tmp_path / ".helloagents/context.md")
    assert LAYOUT.role(tmp_path, "README.md") is None
