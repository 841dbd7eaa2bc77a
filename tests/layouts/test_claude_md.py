"""CLAUDE.md, rules and sub-agents' memory, the user's and the project's."""

from __future__ import annotations

from pathlib import Path

from memtui.core.model import Status
from memtui.layouts.claude_md import LAYOUT
from tests.layouts.places import around, homes, repository, roles, roles_of, write

HOME = Path(__file__).parents[1] / "homes/claude"


def test_the_user_s_own() -> None:
    assert roles(LAYOUT, HOME) == {
        "CLAUDE.md": ("profile", "rule", "markdown"),
        "rules/style.md": ("knowledge", "rule", "markdown"),
        "agent-memory/reviewer/MEMORY.md": ("core", "note", "markdown"),
    }


def test_found_for_the_user_and_for_each_directory_of_the_project(tmp_path: Path) -> None:
    write(tmp_path / ".claude/CLAUDE.md")
    shop = repository(tmp_path / "shop")
    write(shop / "CLAUDE.md")
    write(shop / "AGENTS.md")
    write(shop / "src/deep/README.md")
    write(shop / ".claude/rules/style.md")
    write(shop / ".claude/agent-memory/tester/flaky.md")
    write(shop / ".claude/commands/x.md")
    write(shop / "web/CLAUDE.local.md")
    found = homes(LAYOUT, around(shop / "web", tmp_path))
    assert {path: (home.label, home.current) for path, home in found.items()} == {
        ".claude": ("~/.claude", False),
        "shop/web": ("web", True),
        "shop": ("shop", True),
    }
    assert found["shop"].reason == "CLAUDE.md, rules, agent-memory under .claude"
    assert roles(LAYOUT, shop) == {
        "CLAUDE.md": ("profile", "rule", "markdown"),
        "AGENTS.md": ("profile", "rule", "markdown"),
        ".claude/rules/style.md": ("knowledge", "rule", "markdown"),
        ".claude/agent-memory/tester/flaky.md": ("knowledge", "topic", "markdown"),
    }


def test_a_project_without_any_of_it_is_no_home(tmp_path: Path) -> None:
    shop = repository(tmp_path / "shop")
    write(shop / "AGENTS.md")
    write(shop / ".claude/settings.json", "{}")
    assert homes(LAYOUT, around(shop, tmp_path)) == {}


def test_started_in_the_user_s_directory_the_configuration_is_found_once(tmp_path: Path) -> None:
    write(tmp_path / ".claude/CLAUDE.md")
    assert list(homes(LAYOUT, around(tmp_path, tmp_path))) == [".claude"]


def test_a_directory_that_another_layout_made_its_home_keeps_it(tmp_path: Path) -> None:
    shop = repository(tmp_path / "shop")
    write(shop / "data/memory/openakita.db", "")
    write(shop / "CLAUDE.md")
    write(shop / ".claude/rules/style.md")
    assert list(homes(LAYOUT, around(shop, tmp_path))) == ["shop/.claude"]


def test_opened_exactly(tmp_path: Path) -> None:
    write(tmp_path / "a/CLAUDE.md")
    write(tmp_path / "b/CLAUDE.md")
    write(tmp_path / "b/notes.md")
    write(tmp_path / "c/.claude/rules/x.md")
    assert LAYOUT.recognise(tmp_path / "a") == "CLAUDE.md"
    assert LAYOUT.recognise(tmp_path / "b") == ""
    assert LAYOUT.recognise(tmp_path / "c") == "rules under .claude"
    assert LAYOUT.recognise(tmp_path / "c/.claude") == "rules"
    assert LAYOUT.recognise(tmp_path) == ""


def test_a_program_is_its_project_whatever_documents_stand_beside_its_instructions(tmp_path: Path) -> None:
    shop = tmp_path / "shop"
    for name in ("CLAUDE.md", "ARCHITECTURE.md", "TODO.md", ".claude/STATE.md", ".claude/agents/tester.md"):
        write(shop / name)
    assert LAYOUT.recognise(shop / ".claude") == "notes"
    write(shop / "package.json", "{}")
    assert {path: role[1] for path, role in roles(LAYOUT, shop).items()} == {
        "CLAUDE.md": "rule",
        "TODO.md": "todo",
        ".claude/STATE.md": "topic",
    }


def test_a_project_reads_its_inner_directories_instructions_once(tmp_path: Path) -> None:
    shop = repository(tmp_path / "shop")
    inner = ("web/CLAUDE.md", "web/ui/CLAUDE.md", "apps/one/CLAUDE.md", "libs/a/AGENTS.md", "web/AGENTS.md")
    for name in ("CLAUDE.md", *inner, "web/notes.md", "a/b/c/CLAUDE.md", "a/node_modules/CLAUDE.md"):
        write(shop / name)
    told = ("profile", "rule", "markdown")
    assert roles(LAYOUT, shop) == dict.fromkeys(("CLAUDE.md", *inner[:3]), told)
    write(shop / "AGENTS.md")
    assert roles(LAYOUT, shop) == dict.fromkeys(("CLAUDE.md", "AGENTS.md", *inner[:4]), told)
    assert set(homes(LAYOUT, around(shop / "web", tmp_path))) == {"shop"}


def test_files_that_instructions_send_to_and_diaries_are_read(tmp_path: Path) -> None:
    shop = repository(tmp_path / "shop")
    write(
        shop / "CLAUDE.md",
        "# Shop\n\n@style.md @docs/a.md\n\nRead `BRAND.md` first.\n\nDocs: `GUIDE.md`, `docs/b.md`.\n",
    )
    for name in (
        "style.md",
        "BRAND.md",
        "docs/a.md",
        "docs/b.md",
        "README.md",
        "other.md",
        "journals/2026-03-02.md",
        "journals/plan.md",
        ".claude/journal/2026-03-03-deploy.md",
        ".claude/journal/README.md",
        ".claude/handovers/2026-03-04.md",
        ".claude/docs/2026-03-04.md",
        ".claude/handovers/form.md",
    ):
        write(shop / name)
    assert roles(LAYOUT, shop) == {
        "CLAUDE.md": ("profile", "rule", "markdown"),
        "style.md": ("knowledge", "rule", "markdown"),
        "BRAND.md": ("knowledge", "rule", "markdown"),
        "docs/a.md": ("knowledge", "rule", "markdown"),
        "journals/2026-03-02.md": ("journal", "note", "journal"),
        ".claude/journal/2026-03-03-deploy.md": ("journal", "note", "journal"),
        ".claude/handovers/2026-03-04.md": ("journal", "note", "journal"),
    }


def test_what_instructions_name_in_a_hidden_directory_is_read(tmp_path: Path) -> None:
    for root in (tmp_path / "a", tmp_path / "b"):
        write(root / "CLAUDE.md", "Style: `.shop/style.md`, log: `.shop/log.md`, CI: `.github/ci.md`\n")
        for name in ("style.md", "log.md", "log.jsonl", "other.md"):
            write(root / ".shop" / name)
        write(root / ".github/ci.md")
    write(tmp_path / "b/helloagents/project.md")
    for name, kind in (("a", "claude_md"), ("b", "helloagents")):
        found = {path: role.status for path, role in roles_of(kind, tmp_path / name).items()}
        found.pop("helloagents/project.md", None)
        assert found == {
            "CLAUDE.md": Status.ACTIVE,
            ".shop/style.md": Status.ACTIVE,
            ".shop/log.md": Status.GENERATED,
        }


def test_documents_of_the_state_of_work_are_read_where_they_are_named_or_stand_at_the_root(
    tmp_path: Path,
) -> None:
    shop = repository(tmp_path / "shop")
    write(shop / "CLAUDE.md", "# Shop\n\nPlan: PLAN.md. Design: docs/design.md, https://x.org/docs/plan.md\n")
    write(shop / ".claude/CLAUDE.md", "Keep a log of work in `docs/work-log.md`.\n")
    write(shop / ".claude/agents/clerk.md", "Note each in `docs/till/decisions_log.md`, see gone/tasks.md.\n")
    write(shop / ".claude/memory/MEMORY.md", "- [What we learnt](../../tasks/lessons.md)\n")
    for name in (
        "PLAN.md",
        "ROADMAP.md",
        "待办.md",
        "HAND_OFF.md",
        "STATUS.md",
        "design.md",
        "docs/design.md",
        "docs/plan.md",
        "docs/roadmap.md",
        "docs/TODO.md",
        "docs/work-log.md",
        "docs/till/decisions_log.md",
        "docs/till/other.md",
        "tasks/lessons.md",
    ):
        write(shop / name)
    found = {path: role for path, role in roles(LAYOUT, shop).items() if not path.startswith(".claude")}
    write(shop / "helloagents/project.md")
    assert set(found) <= set(roles_of("helloagents", shop))
    assert found == {
        "CLAUDE.md": ("profile", "rule", "markdown"),
        "docs/TODO.md": ("knowledge", "todo", "markdown"),
        "PLAN.md": ("knowledge", "note", "markdown"),
        "ROADMAP.md": ("knowledge", "note", "markdown"),
        "待办.md": ("knowledge", "todo", "markdown"),
        "HAND_OFF.md": ("knowledge", "note", "markdown"),
        "docs/work-log.md": ("knowledge", "note", "markdown"),
        "docs/till/decisions_log.md": ("knowledge", "decision", "markdown"),
        "tasks/lessons.md": ("knowledge", "lesson", "markdown"),
    }


def test_a_directory_with_the_log_of_sessions_is_the_agent_s_where_instructions_name_it(tmp_path: Path) -> None:
    shop = repository(tmp_path / "shop")
    write(shop / "CLAUDE.md", "# Shop\n\n| `context/` | where work stands |\n| `docs/` | design |\n| `areas/` | x |\n")
    for name in ("context/SESSION_LOG.md", "context/PRIMER.md", "context/README.md", "docs/progress.md"):
        write(shop / name)
    for name in ("docs/till.md", "areas/one.md", "unnamed/SESSION_LOG.md", "unnamed/primer.md"):
        write(shop / name)
    found = set(roles(LAYOUT, shop))
    assert found == {"CLAUDE.md", "context/SESSION_LOG.md", "context/PRIMER.md"}


def test_a_memory_directory_that_instructions_speak_of_is_the_agent_s(tmp_path: Path) -> None:
    shop = repository(tmp_path / "shop")
    for name in ("memory/lessons.md", "memory/episodic/2026-03-01-fair.md", "memory/archive/old.md"):
        write(shop / name)
    write(shop / "CLAUDE.md", "# Shop\n\nUse the till's own memory.\n")
    assert set(roles(LAYOUT, shop)) == {"CLAUDE.md"}
    write(shop / "CLAUDE.md", "# Shop\n\nWrite what you learn into `memory/episodic/`.\n")
    found = roles_of(LAYOUT, shop)
    assert {path: (role.layer.value, role.status) for path, role in found.items() if path != "CLAUDE.md"} == {
        "memory/lessons.md": ("knowledge", Status.ACTIVE),
        "memory/episodic/2026-03-01-fair.md": ("journal", Status.ACTIVE),
        "memory/archive/old.md": ("knowledge", Status.ARCHIVED),
    }
    # A program's part of that name is none.
    write(shop / "memory/store.py")
    assert set(roles(LAYOUT, shop)) == {"CLAUDE.md"}


def test_a_line_that_says_read_this_is_followed(tmp_path: Path) -> None:
    shop = repository(tmp_path / "shop")
    write(shop / "CLAUDE.md", "# Shop\n\n```\nRead who/OWNER.md\n```\n- read till.md\nI read who/other.md once.\n")
    for name in ("who/OWNER.md", "who/other.md", "till.md"):
        write(shop / name)
    assert set(roles(LAYOUT, shop)) == {"CLAUDE.md", "who/OWNER.md", "till.md"}


def test_a_long_plan_that_tells_nothing_of_its_progress_is_a_design(tmp_path: Path) -> None:
    shop = repository(tmp_path / "shop")
    write(shop / "CLAUDE.md", "`docs/TILL_PLAN.md`, `docs/CART_PLAN.md`, `docs/SHORT_PLAN.md`\n")
    steps = "".join(f"## Step {n}\n\nThe till asks the bank for the price of article {n}.\n\n" for n in range(300))
    write(shop / "docs/TILL_PLAN.md", steps)
    write(shop / "docs/CART_PLAN.md", f"{steps}\n- [x] The till asks the bank\n")
    write(shop / "docs/SHORT_PLAN.md", steps[:600])
    found = {path: role.status for path, role in roles_of(LAYOUT, shop).items() if path != "CLAUDE.md"}
    assert found == {
        "docs/TILL_PLAN.md": Status.CODE,
        "docs/CART_PLAN.md": Status.ACTIVE,
        "docs/SHORT_PLAN.md": Status.ACTIVE,
    }
