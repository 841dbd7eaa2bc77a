"""What a file's name and its directories say of it, whatever the layout."""

from __future__ import annotations

import pytest

from memtui.core.model import Status
from memtui.layouts.roles import infer_path_status, infer_work_kind


@pytest.mark.parametrize(
    ("name", "named", "alone"),
    [
        ("WORK_LOG.md", "note", "note"),
        ("HANDOFF_SESSION.md", "note", ""),
        ("project-handoff.md", "note", ""),
        ("PLAN_DECISIONS.md", "decision", ""),
        ("PLAN-MOBILE-2026-08-20.md", "note", ""),
        ("PLANO.md", "note", ""),
        ("2026-05-28-import-plan.md", "", ""),
        ("testing-plan.md", "", ""),
        ("architecture.md", "", ""),
    ],
)
def test_a_word_names_the_state_of_work_where_instructions_name_the_document(name: str, named: str, alone: str) -> None:
    assert infer_work_kind(name) == named
    assert infer_work_kind(name, alone=True) == alone


@pytest.mark.parametrize("path", ["docs/planes-cerrados/PLAN-A.md", "plans/completed/a.md", "closed/a.md"])
def test_closed_directories_are_archives(path: str) -> None:
    assert infer_path_status(path) is Status.ARCHIVED


def test_a_word_inside_a_name_puts_nothing_away() -> None:
    assert infer_path_status("plan/202604250006_ticket-closed-reply-reopen/tasks.md") is Status.ACTIVE
    assert infer_path_status("plan/completed-orders/tasks.md") is Status.ACTIVE


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("memory/heartbeat-log.md", Status.STATE),
        ("memory/heartbeat_history_2026.md", Status.STATE),
        ("HEARTBEAT.md", Status.ACTIVE),
        ("notes/heartbeat-of-the-shop.md", Status.ACTIVE),
        ("memory/2026-04-05.compressed.md", Status.GENERATED),
        ("memory/compressed.md", Status.ACTIVE),
    ],
)
def test_what_programs_write_of_what_stands_beside_it(path: str, status: Status) -> None:
    assert infer_path_status(path) is status


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("skills/bake/SKILL.md", Status.SKILL),
        ("SKILL.md", Status.SKILL),
        ("memory-example/people.md", Status.TEMPLATE),
        ("examples/people.md", Status.TEMPLATE),
        ("memory/example-of-a-flood.md", Status.ACTIVE),
    ],
)
def test_what_shows_others_how_it_is_done(path: str, status: Status) -> None:
    assert infer_path_status(path) is status
