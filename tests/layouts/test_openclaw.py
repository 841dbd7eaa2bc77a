"""OpenClaw workspaces: the agent's own files, dailies with a date anywhere in the name, topics without one."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from memtui.core import clock
from memtui.core.edits import Draft
from memtui.core.model import Filter, Home, Layer, Status
from memtui.layouts import Surroundings
from memtui.layouts.openclaw import LAYOUT
from memtui.store.passage import build_passage
from memtui.store.vault import Vault
from tests.layouts.places import brief, roles, roles_of, write

HOME = Path(__file__).parents[1] / "homes" / "openclaw"


def test_roles() -> None:
    assert brief(roles_of("openclaw", HOME)) == {
        "AGENTS.md": ("profile", "rule", "markdown"),
        "HEARTBEAT.md": ("profile", "rule", "markdown"),
        "MEMORY.md": ("core", "note", "markdown"),
        "SOUL.md": ("profile", "rule", "markdown"),
        "USER.md": ("profile", "note", "markdown"),
        "memory/2026-02-05.md": ("journal", "note", "journal"),
        "memory/2026-02-06-flash-loan.md": ("journal", "note", "journal"),
        "memory/2026-02-07.md": ("journal", "note", "journal"),
        "memory/ai-trending-2026-01-30.md": ("journal", "note", "journal"),
        "memory/heartbeat-state.json": ("knowledge", "note", "json"),
        "memory/people.md": ("knowledge", "note", "markdown"),
        "skills/weather/SKILL.md": ("knowledge", "skill", "markdown"),
    }
    assert LAYOUT.role(HOME, "projects/clone/README.md") is None
    # What is kept for long under another name is MEMORY.md's kin; in a directory of its own it is about that.
    kept = [LAYOUT.role(HOME, path) for path in ("memory/long-term.md", "memory/shop/long-term.md")]
    assert [role and role.layer for role in kept] == [Layer.CORE, Layer.KNOWLEDGE]


def test_what_an_agent_learnt_and_what_its_helpers_are_told_is_its_memory(tmp_path: Path) -> None:
    live = (
        "self-improving/memory.md",
        ".self-improving/corrections.md",
        "proactivity/patterns.md",
        "agents/ada.md",
    )
    aside = {"agents/README.md": None, "agents/checker.md": Status.SKILL}
    for path in (*live, *aside, "SOUL.md"):
        write(
            tmp_path / path,
            "---\ndescription: checks\n---\n" if path == "agents/checker.md" else "- glue it\n",
        )
    assert [(role := LAYOUT.role(tmp_path, path)) and role.status for path in live] == [Status.ACTIVE] * 4
    assert {path: (role := LAYOUT.role(tmp_path, path)) and role.status for path in aside} == aside
    assert not any(LAYOUT.prune(tmp_path, path.partition("/")[0]) for path in (*live, *aside))
    ada = LAYOUT.role(tmp_path, "agents/ada.md")
    assert ada and (ada.kind, ada.project) == ("rule", "ada")


def test_a_workspaces_own_changelog_is_its_memory_and_a_programs_is_none(tmp_path: Path) -> None:
    write(tmp_path / "IDENTITY.md", "# IDENTITY.md\n\n- **Name:** Kepler\n")
    for title, standing in (("# Kepler Workspace Changelog", Status.ACTIVE), ("# Changelog", Status.CODE)):
        write(tmp_path / "CHANGELOG.md", f"{title}\n\n## 1.0.0\n\n- Glue drawer labelled\n")
        role = LAYOUT.role(tmp_path, "CHANGELOG.md")
        assert role and role.status is standing


def test_days_of_notes_beside_one_of_its_files_are_a_workspace(tmp_path: Path) -> None:
    write(tmp_path / "AGENTS.md")
    for day in ("01", "02"):
        write(tmp_path / f"memory/2026-02-{day}.md")
    assert not LAYOUT.recognise(tmp_path)
    write(tmp_path / "memory/2026-02-03.md")
    assert LAYOUT.recognise(tmp_path)


def test_a_project_among_the_notes_is_none_of_them(tmp_path: Path) -> None:
    for name in ("a.py", "b.py", "run.sh", "GUIDE.md", "out/result.json"):
        for place in ("tasks/bot", "memory/bot"):
            (tmp_path / place / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / place / name).touch()
    (tmp_path / "tasks" / "next.md").touch()
    standing = {
        path: role.status
        for path in (
            "tasks/bot/GUIDE.md",
            "tasks/bot/out/result.json",
            "tasks/next.md",
            "memory/bot/GUIDE.md",
        )
        if (role := LAYOUT.role(tmp_path, path)) is not None
    }
    assert standing == {
        "tasks/bot/GUIDE.md": Status.CODE,
        "tasks/bot/out/result.json": Status.CODE,
        "tasks/next.md": Status.ACTIVE,
        "memory/bot/GUIDE.md": Status.ACTIVE,
    }


def test_a_copy_of_all_workspaces_is_one_home_by_any_name(tmp_path: Path) -> None:
    for name in ("workspace", "workspace-ops"):
        shutil.copytree(HOME, tmp_path / "backup-of-ann" / name)
    root = tmp_path / "backup-of-ann"
    assert LAYOUT.recognise(root) == "workspace, workspace-ops of OpenClaw"
    role = LAYOUT.role(root, "workspace-ops/USER.md")
    # What two agents are told stands with both on purpose: each is a project of its own.
    assert role is not None and role.shipped and role.project == "workspace-ops"
    shutil.copy(HOME / "SOUL.md", tmp_path / "SOUL.md")
    assert LAYOUT.recognise(tmp_path) == ""


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("memory/people-archive/ann.md", Status.ARCHIVED),
        ("memory/archived_2025/ann.md", Status.ARCHIVED),
        ("memory/archivists/ann.md", Status.ACTIVE),
        ("memory/reports/disk.json", Status.STATE),
        ("memory/reports/disk.md", Status.ACTIVE),
        ("memory/lessons.json", Status.ACTIVE),
        ("memory/facts.jsonl", Status.ACTIVE),
        ("life/areas/people/ann/items.json", Status.ACTIVE),
        ("memory/areas/shop/items.json", Status.ACTIVE),
        ("memory/raw/2026-02-07.jsonl", Status.STATE),
        ("memory/nightly-job.json", Status.STATE),
        ("tasks/archive.md", Status.ARCHIVED),
        ("tasks/export-2026-02-03.md", Status.GENERATED),
        ("memory/_template_week.md", Status.TEMPLATE),
        ("memory/subagents/shop-fix-task.md", Status.ARCHIVED),
        ("memory/subagents/shop-fix-result.md", Status.ACTIVE),
        ("memory/shop-task.md", Status.ACTIVE),
        ("memory/embeddings/README.md", Status.CODE),
        ("memory/shop/README.md", Status.ACTIVE),
        ("memory/todo-archive.md", Status.ARCHIVED),
        ("memory/2026-02-07-web-archive.md", Status.ACTIVE),
        ("memory/archive_2026-01_2026-02.md", Status.ARCHIVED),
        ("memory/findings-archive-2026-Q1.md", Status.ARCHIVED),
        ("memory/archive-plan.md", Status.ACTIVE),
        ("memory/daily-stats.md", Status.STATE),
        ("memory/stats-of-the-shop.md", Status.ACTIVE),
        ("memory/fitness-stats.md", Status.ACTIVE),
        ("knowledge/chat-history/shop.md", Status.ARCHIVED),
        ("memory/conversation-logs/2026-02-03_shop.md", Status.ARCHIVED),
        ("knowledge/chats/shop.md", Status.ACTIVE),
        ("skills/weather/memory/learnings.md", Status.ACTIVE),
    ],
)
def test_what_is_put_away_and_what_programs_keep(path: str, status: Status) -> None:
    role = LAYOUT.role(HOME, path)
    assert role is not None and role.status is status


def test_a_document_counts_where_the_workspaces_own_files_send_the_agent_to_it(tmp_path: Path) -> None:
    write(
        tmp_path / "SOUL.md",
        "Rules of the shop: `SHOP_RULES.md`. Look at https://example.org/x/PRICES.md too.\n",
    )
    write(
        tmp_path / "MEMORY.md",
        "Source of truth: ~/clawd/shop/stand.md, bot/plan.md, docs/how.md\nDetails: docs/long.md\n",
    )
    write(tmp_path / "SHOP_RULES.md", "Who may sell: SELLERS.md, what we sold: offer.md\n")
    write(tmp_path / "offer.md", "See LAUNCH.md\n")
    write(tmp_path / "RUNBOOK.md", "# How I work\nAGENTS.md first, then USER.md.\n")
    write(tmp_path / "PLAN_A.md", "# Plan A, the single source of truth\n")
    write(tmp_path / "work-log.md", "# Work log\n")
    write(tmp_path / "memory/2026-02-03.md", "- wrote PRICES.md\n")
    beside = (
        "shop/stand.md", "shop/price.md", "bot/plan.md", "bot/other.md", "docs/how.md", "docs/made.md",
        "docs/long.md",
    )  # fmt: skip
    for name in ("SELLERS.md", "LAUNCH.md", "PRICES.md", "STRATEGY.md", "bot/bot.py", *beside):
        write(tmp_path / name, "# A document\n")
    found = {path: role.status for path, role in roles_of("openclaw", tmp_path).items()}
    live = {
        "work-log.md",
        "RUNBOOK.md",
        "PLAN_A.md",
        "SHOP_RULES.md",
        "SELLERS.md",
        "offer.md",
        *beside[:3],
        "docs/how.md",
    }
    made = {"LAUNCH.md", "PRICES.md", "STRATEGY.md", "docs/made.md", "docs/long.md"}
    assert {path for path, status in found.items() if status is Status.CODE} == made
    assert live <= {path for path, status in found.items() if status is Status.ACTIVE}
    assert "bot/other.md" not in found


def test_a_manual_or_a_report_counts_only_where_the_agent_must_go_by_it(tmp_path: Path) -> None:
    write(
        tmp_path / "SOUL.md",
        "Details: TILL_GUIDE.md, shop/API-SPEC.md, AUDIT_2026-02-03.md\nAlways read GATE_GUIDE.md\n",
    )
    write(tmp_path / "IDENTITY.md", "- **Name:** Pippin\n")
    write(tmp_path / "AGENTS.md", "# Read these first\n\n1. STALL_GUIDE.md\n\n# Later\n\n- ROOF_GUIDE.md\n")
    for name in (
        "STALL_GUIDE.md",
        "ROOF_GUIDE.md",
        "TILL_GUIDE.md",
        "shop/API-SPEC.md",
        "AUDIT_2026-02-03.md",
        "GATE_GUIDE.md",
        "MY_REPORT.md",
    ):
        write(tmp_path / name, "# What Pippin made\n\nAs SOUL.md and USER.md say.\n")
    for name in ("shop-status.md", "PROJECT_STATE.md", "NORTH_STAR.md", "diary-2026-02-03.md"):
        write(tmp_path / name, "How things stand in the shop.\n")
    for name in ("shop_status_report.md", "statues.md"):
        write(tmp_path / name, "# What was made\n")
    write(tmp_path / "GUIDELESS.md", "# What Pippin thinks\n")
    found = {path: role.status for path, role in roles_of("openclaw", tmp_path).items()}
    live = {path for path, status in found.items() if status is Status.ACTIVE}
    assert found["shop/API-SPEC.md"] is Status.CODE
    kept_up = {
        "AGENTS.md",
        "STALL_GUIDE.md",
        "shop-status.md",
        "PROJECT_STATE.md",
        "NORTH_STAR.md",
        "diary-2026-02-03.md",
    }
    assert live == {"SOUL.md", "IDENTITY.md", "GATE_GUIDE.md", "GUIDELESS.md", *kept_up}


def test_a_document_that_speaks_of_the_agent_or_its_person_is_theirs(tmp_path: Path) -> None:
    write(tmp_path / "SOUL.md")
    write(tmp_path / "IDENTITY.md", "- **Name:** Pippin (the clerk)\n")
    write(tmp_path / "USER.md", "- **What to call them:** Marlene / Mar\n")
    write(tmp_path / "NIGHTS.md", "# Nights of Pippin\n\nWhat was done.\n")
    write(tmp_path / "TRIPS.md", "# Trips\n\nMarlene goes by train. Marlene sleeps late.\n")
    write(tmp_path / "OFFER.md", "# Offer\n\nSigned by Marlene, on the market.\n")
    found = {path: role.status for path, role in roles_of("openclaw", tmp_path).items()}
    assert (found["NIGHTS.md"], found["TRIPS.md"]) == (Status.ACTIVE, Status.ACTIVE)
    assert found["OFFER.md"] is Status.CODE


def test_what_is_called_as_a_workspaces_own_files_are_counts_once_it_is_filled_in(tmp_path: Path) -> None:
    told = "\nNobody but Marlene signs what the shop orders from the growers.\n"
    for name in ("SOUL.md", "TEAM.md", "SECURITY.md", "SHOP_REPORT.md", "Prices.md", "README.md"):
        write(tmp_path / name, f"# {name}\n{told}")
    write(tmp_path / "NEWS.md", "# News\n\n- Latest updates\n- Recent changes\n")
    found = {path: role.status for path, role in roles_of("openclaw", tmp_path).items()}
    assert {path for path, status in found.items() if status is Status.ACTIVE} == {
        "SOUL.md", "TEAM.md", "SECURITY.md",
    }  # fmt: skip
    write(tmp_path / "SECURITY.md", f"# Security\n\n## Reporting a Vulnerability\n{told}")
    assert roles_of("openclaw", tmp_path)["SECURITY.md"].status is Status.CODE


def test_agents_that_share_a_workspace_have_files_of_their_own(tmp_path: Path) -> None:
    for name in ("SOUL.ops.md", "SOUL.shop.md", "USER.shop.md", "MEMORY.md", "memory/2026-02-03.md"):
        write(tmp_path / name)
    assert LAYOUT.recognise(tmp_path)
    role = LAYOUT.role(tmp_path, "SOUL.ops.md")
    assert role is not None and role.kind == "rule" and role.shipped


def test_what_agents_within_a_workspace_remember_counts_and_who_they_are_does_not(tmp_path: Path) -> None:
    for name in (
        "SOUL.md",
        "MEMORY.md",
        "agents/ada/SOUL.md",
        "agents/ada/MEMORY.md",
        "agents/ada/code/MEMORY.md",
    ):
        write(tmp_path / name)
    for name in ("memory/2026-02-03.md", "memory/api.md", "memory/old/x.md", "LEARNINGS.md", "SESSION-STATE.md"):
        write(tmp_path / "agents/ada" / name)
    write(tmp_path / "agents/notes/MEMORY.md")
    found = roles_of("openclaw", tmp_path)
    assert {path: (role.layer.value, role.project) for path, role in found.items() if "/" in path} == {
        "agents/ada/LEARNINGS.md": ("knowledge", "ada"),
        "agents/ada/SESSION-STATE.md": ("knowledge", "ada"),
        "agents/ada/MEMORY.md": ("knowledge", "ada"),
        "agents/ada/memory/2026-02-03.md": ("journal", "ada"),
        "agents/ada/memory/api.md": ("knowledge", "ada"),
    }
    shutil.rmtree(tmp_path / "agents/ada")
    write(tmp_path / "agents/ada/MEMORY.md")
    elsewhere = tmp_path.rename(tmp_path.parent / "elsewhere")
    assert set(roles_of("openclaw", elsewhere)) == {"SOUL.md", "MEMORY.md"}


def test_a_workspace_within_one_is_another_agents(tmp_path: Path) -> None:
    for name in ("SOUL.md", "MEMORY.md", "USER.md", "IDENTITY.md", "AGENTS.md"):
        write(tmp_path / name)
        write(tmp_path / "iris" / name)
    for name in ("iris/memory/2026-02-03.md", "iris/knowledge/api.md", "src/SOUL.md", "src/notes.md"):
        write(tmp_path / name)
    found = {path: role.project for path, role in roles_of("openclaw", tmp_path).items() if "/" in path}
    own = ("SOUL.md", "MEMORY.md", "USER.md", "IDENTITY.md", "AGENTS.md", "memory/2026-02-03.md")
    assert found == {f"iris/{name}": "iris" for name in own}


def test_a_memory_kept_one_level_too_deep_and_what_is_shared_count(tmp_path: Path) -> None:
    for name in ("SOUL.md", "memory/2026-02-03.md", "workspace/MEMORY.md", "workspace/app.md", "shared/PEOPLE.md"):
        write(tmp_path / name)
    found = {path: role.project for path, role in roles_of("openclaw", tmp_path).items() if "/" in path}
    assert found == {"memory/2026-02-03.md": "", "shared/PEOPLE.md": "", "workspace/MEMORY.md": ""}
    # Beside one at the top it is a program's, or a copy.
    elsewhere = tmp_path.rename(tmp_path.parent / f"{tmp_path.name}-elsewhere")
    write(elsewhere / "MEMORY.md")
    assert "workspace/MEMORY.md" not in roles_of("openclaw", elsewhere)


def test_a_copy_of_a_workspace_within_it_is_a_backup(tmp_path: Path) -> None:
    own = ("AGENTS.md", "SOUL.md", "USER.md", "TOOLS.md", "HEARTBEAT.md", "IDENTITY.md", "MEMORY.md")
    for inner in ("", "workspace/", "other/", "backup-20260207-082400/"):
        for name in own:
            write(tmp_path / f"{inner}{name}", f"- {name}\n")
        write(tmp_path / f"{inner}memory/2026-02-07.md", "- glue it\n")
    write(tmp_path / "other/memory/2026-02-07.md", "- screw it\n")
    write(tmp_path / "backup-20260207-082400/MEMORY.md", "- an older one\n")

    def status(path: str) -> Status | None:
        role = LAYOUT.role(tmp_path, path)
        return role and role.status

    wanted = {"": Status.ACTIVE, "workspace/": Status.BACKUP, "other/": Status.ACTIVE}
    for inner, standing in {**wanted, "backup-20260207-082400/": Status.BACKUP}.items():
        assert status(f"{inner}MEMORY.md") is standing, inner
        assert status(f"{inner}memory/2026-02-07.md") is standing, inner


def test_own_files_may_stand_in_one_directory_beside_memory(tmp_path: Path) -> None:
    for name in ("SOUL.md", "USER.md", "MEMORY.md", "HABITS.md"):
        write(tmp_path / "config" / name, "Read `docs/plan.md` first.\n")
    for name in ("memory/2026-02-03.md", "docs/plan.md", "docs/other.md", "config/deep/note.md"):
        write(tmp_path / name)
    assert LAYOUT.recognise(tmp_path) == "memory/ beside config/"
    found = brief(roles_of("openclaw", tmp_path))
    assert found["config/USER.md"] == ("profile", "note", "markdown")
    assert found["config/MEMORY.md"][0] == "core"
    assert found["memory/2026-02-03.md"][0] == "journal"
    assert "config/deep/note.md" not in found
    role, other = (LAYOUT.role(tmp_path, f"docs/{name}.md") for name in ("plan", "other"))
    assert role is not None and other is not None
    assert (role.status, other.status) == (Status.ACTIVE, Status.CODE)
    home = Home(tmp_path, "openclaw", "", "x", "", True, True)
    assert LAYOUT.target(home, Layer.PROFILE, Draft("x", "pref"), 0.0).path == "config/USER.md"
    assert LAYOUT.target(home, Layer.JOURNAL, Draft("x", "note"), 0.0).path.startswith("memory/")
    # A workspace of its own, below another place's notes.
    other_place = tmp_path / "outer"
    shutil.copytree(tmp_path / "config", other_place / "config")
    for name in ("memory", "config/memory"):
        write(other_place / name / "2026-02-03.md")
    assert not LAYOUT.recognise(other_place)


def test_all_the_users_workspaces_are_found_the_old_place_too(tmp_path: Path) -> None:
    for place in (".openclaw/workspace", ".openclaw/workspace-ops", "clawd"):
        shutil.copytree(HOME, tmp_path / place)
    (tmp_path / ".openclaw" / "workspace-new").mkdir()
    (tmp_path / ".openclaw" / "workspace-notes" / "memory").mkdir(parents=True)
    (tmp_path / ".openclaw" / "workspace-notes" / "memory" / "a.md").touch()
    around = Surroundings(tmp_path / "clawd", tmp_path)
    assert [(home.label, home.current) for home in LAYOUT.find(around)] == [
        ("openclaw", False),
        ("notes", False),
        ("ops", False),
        ("clawd", True),
    ]
    assert list(LAYOUT.find(Surroundings(tmp_path, tmp_path / "nobody"))) == []


def test_it_is_told_from_its_neighbours(tmp_path: Path) -> None:
    assert LAYOUT.recognise(HOME) == "SOUL.md, HEARTBEAT.md"
    for other in ("xinghebot", "code_memory", "memtui", "plain", "helloagents/project"):
        assert LAYOUT.recognise(HOME.parent / other) == ""
    for name in ("AGENTS.md", "USER.md", "README.md"):
        (tmp_path / name).touch()
    assert LAYOUT.recognise(tmp_path) == ""
    write(tmp_path / "MEMORY.md")
    assert LAYOUT.recognise(tmp_path) == ""
    write(tmp_path / "memory/2026-02-03.md")
    assert LAYOUT.recognise(tmp_path) == "MEMORY.md, memory/ beside USER.md"


def test_all_workspaces_are_one_home_when_their_directory_is_opened(tmp_path: Path) -> None:
    root = tmp_path / ".openclaw"
    for name in ("workspace", "workspace-coder"):
        write(root / name / "SOUL.md")
        write(root / name / "memory/2026-02-06-loan.md")
        write(root / name / "clone/README.md")
        write(root / name / ".learnings/ERRORS.md")
    write(root / "credentials/notes.md")
    write(root / "openclaw.json", "{}")
    assert LAYOUT.recognise(root) == "workspace, workspace-coder of OpenClaw"
    found = roles(LAYOUT, root)
    assert found["workspace-coder/SOUL.md"][0] == "profile"
    assert found["workspace/memory/2026-02-06-loan.md"][0] == "journal"
    assert len(found) == 6


def test_a_document_that_stands_for_each_of_many_counts_in_every_directory(tmp_path: Path) -> None:
    write(tmp_path / "SOUL.md", "A spec goes to `specs/<name>.md`, a post to posts/<slug>/POST.md.\n")
    write(
        tmp_path / "TOOLS.md",
        "- Kept in: `shop-clients/[客户]/` (CLIENT_INFO.md, WORK_LOG.md, offers/), not in MEMORY.md\n"
        "- Projects: ~/clawd/projects/<name>/CONTEXT.md, see projects/<name>/README.md\n"
        "- Friends: friends/{name}.md, the day: friends/calls/{date}.md, all: `others/*.md`\n",
    )
    live = {
        "shop-clients/箱根/CLIENT_INFO.md",
        "shop-clients/A & B/CLIENT_INFO.md",
        "shop-clients/A & B/WORK_LOG.md",
        "projects/kiosk/CONTEXT.md",
        "friends/ida.md",
    }
    others = (
        "shop-clients/A & B/offer.md", "shop-clients/A & B/offers/WORK_LOG.md", "shop-clients/WORK_LOG.md",
        "projects/kiosk/README.md", "projects/kiosk/plan.md", "friends/README.md",
        "friends/calls/2026-03-04.md", "others/one.md", "specs/till.md", "posts/sale/POST.md",
    )  # fmt: skip
    for name in (*live, *others):
        write(tmp_path / name, "# A document\n")
    for name in ("a.py", "b.py", "c.py"):
        write(tmp_path / "projects/kiosk" / name)
    found = {path: role.status for path, role in roles_of("openclaw", tmp_path).items()}
    assert {path for path, status in found.items() if "/" in path and status is Status.ACTIVE} == live


def test_plans_with_open_boxes_count_and_reports_of_what_is_complete_do_not(tmp_path: Path) -> None:
    for name in ("SOUL.md", "memory/2026-02-03.md", "GUIDE-PLAN.md"):
        write(tmp_path / name)
    write(tmp_path / "PLAN.md", "- [ ] Move house\n")
    write(tmp_path / "NOW-PRIORITIES.md", "- [ ] Move house\n")
    write(tmp_path / "Shop-Agenda.md", "- [ ] Move house\n")
    write(tmp_path / "MOVE-COMPLETE.md", "- [ ] Move house\n")
    names = "PLAN.md", "NOW-PRIORITIES.md", "Shop-Agenda.md", "GUIDE-PLAN.md", "MOVE-COMPLETE.md"
    found = {name: role.status for name in names
             if (role := LAYOUT.role(tmp_path, name)) is not None}  # fmt: skip
    assert found == {
        "PLAN.md": Status.ACTIVE,
        "NOW-PRIORITIES.md": Status.ACTIVE,
        "Shop-Agenda.md": Status.ACTIVE,
        "GUIDE-PLAN.md": Status.CODE,
        "MOVE-COMPLETE.md": Status.ARCHIVED,
    }


def test_boards_are_kept_and_what_programs_keep_is_not(tmp_path: Path) -> None:
    for name in ("SOUL.md", "memory/2026-02-03.md", "KANBAN.md", "kanban.json", "memory/evolution/graph.jsonl",
                 ".learnings/ERRORS-ARCHIVED.md", "SKILLS/oven/SKILL.md", "SKILLS/oven/heat.json"):  # fmt: skip
        write(tmp_path / name)
    found = {
        name: role.status if (role := LAYOUT.role(tmp_path, name)) is not None else None
        for name in ("KANBAN.md", "kanban.json", "memory/evolution/graph.jsonl", ".learnings/ERRORS-ARCHIVED.md",
                     "SKILLS/oven/SKILL.md", "SKILLS/oven/heat.json")
    }  # fmt: skip
    assert found == {
        "KANBAN.md": Status.ACTIVE,
        "kanban.json": Status.CODE,
        "memory/evolution/graph.jsonl": Status.STATE,
        ".learnings/ERRORS-ARCHIVED.md": Status.ARCHIVED,
        "SKILLS/oven/SKILL.md": Status.SKILL,
        "SKILLS/oven/heat.json": None,
    }


DIRECTIVES = """# USER.md

## Directives
<!-- observed: 2026-10-01 | status: superseded -->
- Prefer tabs for indentation in all projects.
<!-- observed: 2026-11-01 | status: active -->
- Prefer spaces for indentation in all projects.

<!-- observed: 2026-10-02 | status: superseded -->

- Never deploy on a Friday.

<!-- observed: YYYY-MM-DD | status: active -->

- Prefer something or other.

<!-- about the deployment | see: the runbook -->
- Always deploy on Tuesday.
"""


def test_its_own_mark_above_a_directive_is_heeded(tmp_path: Path) -> None:
    write(tmp_path / "SOUL.md", "# SOUL.md\n")
    write(tmp_path / "USER.md", DIRECTIVES)
    with Vault.open([tmp_path]) as vault:
        loaded = vault.load(vault.ids(Filter(statuses=frozenset()), "path"))
        found = {one.text: one for one in loaded if one is not None}
        passage = build_passage(vault.homes[0], "USER.md", "", now=clock.now())
    assert passage is not None
    told = "\n".join(line for _number, line in passage.lines)
    assert [(text, one.status, one.created and clock.format_day(one.created)) for text, one in found.items()] == [
        ("Prefer tabs for indentation in all projects.", Status.SUPERSEDED, "2026-10-01"),
        ("Prefer spaces for indentation in all projects.", Status.ACTIVE, "2026-11-01"),
        ("Never deploy on a Friday.", Status.SUPERSEDED, "2026-10-02"),
        ("Prefer something or other.", Status.TEMPLATE, None),
        ("Always deploy on Tuesday.", Status.ACTIVE, None),
    ]
    assert "Prefer spaces" in told
    assert "Always deploy" in told
    assert not any(words in told for words in ("Prefer tabs", "Friday", "something or other"))


def test_the_first_run_ritual_and_our_own_skill_are_no_memories(tmp_path: Path) -> None:
    role = LAYOUT.role(tmp_path, "skills/memtui/SKILL.md")
    assert role is not None
    assert role.status is Status.SKILL
    write(tmp_path / "SOUL.md", "# SOUL.md\n\n- Speak plainly.\n")
    write(tmp_path / "MEMORY.md", "# MEMORY.md\n\n- The shelf is oak.\n")
    write(
        tmp_path / "BOOTSTRAP.md",
        "# BOOTSTRAP.md - Hello, World\n\n_You just woke up. Time to figure out who you are._\n\n"
        "There is no memory yet. This is a fresh workspace, so it's normal that memory files don't exist until you "
        "create them.\n\n## Here\n\n- ⏳ Connect the doorbell to the porch light\n",
    )
    with Vault.open([tmp_path]) as vault:
        found = {one.text: one.status for one in vault.memories(Filter(statuses=frozenset())) if "BOOT" in one.path}
    assert {status for text, status in found.items() if "doorbell" not in text} == {Status.TEMPLATE}
    assert found["⏳ Connect the doorbell to the porch light"] is Status.ACTIVE


def test_what_it_keeps_of_each_run_is_no_memory_and_what_was_written_of_a_session_is(tmp_path: Path) -> None:
    run = "sessions/0a1b2c3d-0000-4000-8000-00000000000a"
    kept = [
        f"{run}.jsonl",
        f"{run}.trajectory.jsonl",
        f"{run}.trajectory-path.json",
        "sessions/sessions.json",
    ]
    kept += [f"{run}.checkpoint.0a1b2c3d-0000-4000-8000-00000000000b.jsonl", f"agents/main/{run}.jsonl"]
    for path in (*kept, "SOUL.md", "USER.md", "sessions/2026-03-01-talk.md"):
        write(tmp_path / path, "{}\n")
    assert [path for path in kept if LAYOUT.role(tmp_path, path) is not None] == []
    assert LAYOUT.role(tmp_path, "sessions/2026-03-01-talk.md") is not None


def test_days_of_notes_alone_are_a_workspace(tmp_path: Path) -> None:
    for day in range(1, 7):
        write(tmp_path / "memory" / f"2026-03-0{day}.md", "- Deployed the shop.\n")
    assert LAYOUT.recognise(tmp_path)
    (tmp_path / "memory" / "2026-03-01.md").unlink()
    assert not LAYOUT.recognise(tmp_path)


def test_a_copy_of_the_workspace_beside_it_is_a_backup(tmp_path: Path) -> None:
    for base in ("", "backup-20260301-101500/", "scout/"):
        for name in ("SOUL.md", "IDENTITY.md", "USER.md", "TOOLS.md", "AGENTS.md", "memory/2026-03-01.md"):
            write(tmp_path / f"{base}{name}", f"- Of {base or 'itself'}.\n")
    status = {
        path: role.status
        for base in ("backup-20260301-101500", "scout")
        if (role := LAYOUT.role(tmp_path, path := f"{base}/memory/2026-03-01.md"))
    }
    assert status == {
        "backup-20260301-101500/memory/2026-03-01.md": Status.BACKUP,
        "scout/memory/2026-03-01.md": Status.ACTIVE,
    }


@pytest.mark.parametrize(
    ("name", "status"),
    [
        ("RESTORE.md", Status.CODE),
        ("DISASTER-RECOVERY.md", Status.CODE),
        ("RECOVERY_GUIDE.md", Status.CODE),
        ("README-CN.md", Status.CODE),
        ("MISSION.md", Status.ACTIVE),
        ("RECOVERY_PLAN.md", Status.ACTIVE),
    ],
)
def test_how_a_workspace_is_brought_back_is_no_memory(tmp_path: Path, name: str, status: Status) -> None:
    write(tmp_path / "SOUL.md")
    write(tmp_path / "AGENTS.md", f"Before anything else read {name}, and keep it up to date.\n")
    write(tmp_path / name, "The workspace of Kepler stands on the small machine in the hall.\n- [ ] move it\n")
    role = LAYOUT.role(tmp_path, name)
    assert role is not None and role.status is status
