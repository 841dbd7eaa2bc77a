"""What does little is proposed for the archive, and what a person calls stale; nothing else is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from memtui import Vault
from memtui.consolidation import EVOLVED
from memtui.core import clock
from memtui.core.model import Memory
from memtui.evolution import audit, experiences
from memtui.evolution.audit import Outcome
from memtui.evolution.experiences import identify_experience
from memtui.review import queue
from memtui.store.candidates import Candidate
from tests.evolution.talks import own, scripts

LESSONS = ("Ask before you push", "Tag every release", "不要在循环里查询数据库", "Prefers short answers")
DAY = 86400


def weak(vault: Vault) -> list[Candidate]:
    return [one for one in queue.load_queue(vault, evolved=EVOLVED).waiting if one.origin == "weak"]


def lesson(vault: Vault, text: str) -> Memory:
    return next(memory for memory in vault.memories() if memory.text == text)


def used(vault: Vault, text: str, *outcomes: str, ago: float = 0) -> None:
    named = identify_experience(vault, lesson(vault, text))
    begun = len(experiences.load_effects(vault)) * 100
    for number, outcome in enumerate(outcomes):
        session = f"{text[:3]}-{begun + number}"
        audit.append_events(
            vault, vault.homes[0],
            [audit.encode_use(named, session, "", clock.now() - ago * DAY),
             audit.encode_outcome(Outcome(session, clock.now() - ago * DAY, outcome))],  # type: ignore[arg-type]
            who="agent:x", what="",
        )  # fmt: skip


@pytest.fixture(params=[own, scripts])
def vault(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Vault]:
    make: Callable[..., Path] = request.param
    with Vault.open([make(tmp_path / "h", *LESSONS)]) as opened:
        yield opened


def test_only_what_is_known_to_do_little(vault: Vault) -> None:
    assert weak(vault) == []
    used(vault, LESSONS[0], "failed", "failed", "failed")
    used(vault, LESSONS[1], "success", "success", "success", ago=30)
    # Nobody knows how these went, however long ago.
    used(vault, LESSONS[2], "unknown", "partly", ago=400)
    (one,) = weak(vault)
    assert (one.text, one.memories) == (LESSONS[0], (lesson(vault, LESSONS[0]).id,))
    parts = dict(one.parts)
    assert (parts["p"], parts["effect"], parts["ok/failed"]) == ("0.20", "0.20", "0/3")
    assert "3 of 3 sessions failed" in one.reason and ".20" in one.reason and one.seen == 3
    assert [effect.refs for effect, memory in experiences.load_effects(vault) if memory is not None] == [3, 3, 2]


def test_age_counts_where_it_was_good(vault: Vault) -> None:
    used(vault, LESSONS[1], "success", "success", "success", ago=120)
    assert weak(vault) == []  # .8 of what 120 days leave is .32
    used(vault, LESSONS[0], "success", ago=120)
    (one,) = weak(vault)
    assert one.text == LESSONS[0] and "not used since" in one.reason


def test_a_person_calls_it_stale(vault: Vault) -> None:
    memory = lesson(vault, LESSONS[3])
    used(vault, LESSONS[3], "success", "success")
    experiences.append_verdict(vault, memory, "stale", "moved on")
    (one,) = weak(vault)
    assert one.text == LESSONS[3] and "marked as outdated" in one.reason
    experiences.append_verdict(vault, memory, "helpful")
    assert weak(vault) == []


def test_approving_archives_and_undo_brings_every_byte_back(vault: Vault) -> None:
    file = vault.homes[0].path / "MEMORY.md"
    before = file.read_bytes()
    used(vault, LESSONS[2], "failed", "failed", "failed")
    (one,) = weak(vault)
    assert LESSONS[2] in queue.diff(vault, one, evolved=EVOLVED) and file.read_bytes() == before
    receipt = queue.approve(vault, one, evolved=EVOLVED)
    assert file.read_bytes() != before and weak(vault) == []
    assert [memory.text for effect, memory in experiences.load_effects(vault) if memory] == [LESSONS[2]]
    vault.undo(receipt.id)
    assert file.read_bytes() == before and [one.text for one in weak(vault)] == [LESSONS[2]]


def test_rejected_it_stays(vault: Vault) -> None:
    used(vault, LESSONS[2], "failed", "failed", "failed")
    queue.reject(vault, weak(vault)[0], "it is still true")
    assert weak(vault) == []
    used(vault, LESSONS[2], "failed")
    assert weak(vault) == []


def test_a_home_that_may_not_be_written_proposes_nothing(tmp_path: Path) -> None:
    path = own(tmp_path / "w", *LESSONS)
    with Vault.open([path]) as opened:
        used(opened, LESSONS[0], "failed", "failed", "failed")
        home = opened.homes[0]._replace(writable=False)
    with Vault([home]) as closed:
        closed.refresh()
        assert weak(closed) == []
