"""A model that fails: the rules' summary stands, the reason is kept where it is seen, and the model is asked again."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from memtui.consolidation import worker
from memtui.core import clock
from memtui.core.config import CaptureConfig, Config, LlmConfig
from memtui.language.conversation import Session
from memtui.sessions import jobs
from tests.cli.conftest import Caller
from tests.sessions.recorded import Claude

SAID = (
    "Add the event bus to the shop, please. The services talk to each other by hand today, and nobody looks after "
    "the scripts that carry the messages from one to the other any more, which costs us an hour each week."
)
DECIDED = "We decided to use NATS for the event bus because it is simple."
ANSWER = {
    "summary": {
        "topic": "The event bus of the shop with NATS",
        "key_points": ["The services talk over NATS"],
        "decisions": ["NATS for the event bus: it is simple"],
    },
    "episode": {"goal": "Add the event bus to the shop", "outcome": "success"},
}


class Place:
    """A session, and a model that is a program which may be mended."""

    def __init__(self, root: Path) -> None:
        self.program = root / "model.py"
        self.config = Config(
            llm=LlmConfig(command=(sys.executable, str(self.program)), seconds=20.0), capture=CaptureConfig()
        )
        cwd = root / "shop"
        cwd.mkdir()
        talk = Claude("s-1", str(cwd))
        for prompt, answer in ((SAID, "I look at the services first."), (DECIDED, "Done: the bus runs on NATS.")):
            talk.user(prompt)
            talk.says(f"{answer} " + "The tests of the services are green, one after the other. " * 3)
        talk.user("Thanks, that works.")
        transcript = talk.save(root)
        self.session = Session("s-1", "claude-code", str(cwd), "shop", "shop", str(transcript))
        self.home = root / "user" / ".memtui"

    def says(self, script: str) -> None:
        self.program.write_text(script, "utf-8")

    def answers(self) -> None:
        self.says(f"print({json.dumps(json.dumps(ANSWER))})")

    def end(self) -> None:
        jobs.put("end", self.session, reason="other")
        worker.drain(self.config)

    def read(self) -> str:
        (file,) = self.home.glob("sessions/*.md")
        return file.read_text("utf-8")


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Place:
    monkeypatch.setenv("HOME", str(tmp_path / "user"))
    (tmp_path / "user").mkdir()
    return Place(tmp_path)


@pytest.mark.parametrize(
    "broken",
    [
        "raise SystemExit('the model is down')",
        'print(\'{"summary": {"topic": "cut \')',
        "print('Sure! It went well.')",
        'print(\'{"summary": {"topic": "The weather in Lisbon"}}\')',
    ],
    ids=["down", "cut", "words", "nonsense"],
)
def test_the_rules_summary_stands_and_the_model_is_asked_again(
    place: Place, broken: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    place.says("raise SystemExit('not at a turn')")
    jobs.put("capture", place.session, trigger="stop")
    worker.drain(place.config)
    before = place.read()
    assert "NATS" in before
    place.says(broken)
    place.end()
    assert place.read() == before
    (job,) = jobs.list_jobs()
    assert job.kind == "model"
    assert job.error

    # Not at once, and not for ever: at five minutes, twenty and eighty.
    worker.drain(place.config)
    assert jobs.list_jobs()[0].tries == 0
    now = clock.now()
    monkeypatch.setattr(clock, "now", lambda: now + 400)
    worker.drain(place.config)
    assert jobs.list_jobs()[0].tries == 1
    place.answers()
    worker.drain(place.config)
    assert place.read() == before
    monkeypatch.setattr(clock, "now", lambda: now + 1300)
    worker.drain(place.config)
    assert jobs.list_jobs() == []
    assert "The event bus of the shop with NATS" in place.read() or "The services talk over NATS" in place.read()


def test_a_later_answer_settles_it(place: Place) -> None:
    place.says("raise SystemExit('down')")
    place.end()
    assert [job.kind for job in jobs.list_jobs()] == ["model"]
    place.answers()
    place.end()
    assert jobs.list_jobs() == []
    assert "The services talk over NATS" in place.read()


def test_doctor_says_it_and_a_person_may_have_it_tried_at_once(
    place: Place, capsys: pytest.CaptureFixture[str]
) -> None:
    place.says("raise SystemExit('down')")
    place.end()
    call = Caller(capsys)
    found = {check["name"]: check for check in call("doctor", "--json").json["checks"]}
    assert "1 session is summed up by rules alone" in found["model"]["what"]
    assert "down" in found["model"]["what"]
    assert found["model"]["remedy"] == "memtui sessions retry"
    place.answers()
    assert jobs.requeue_jobs() == 1
    assert worker.drain(place.config) == 1
    assert jobs.list_jobs() == []


def test_doctor_asks_whether_the_model_is_there(place: Place, capsys: pytest.CaptureFixture[str]) -> None:
    call = Caller(capsys)
    assert not [check for check in call("doctor", "--json").json["checks"] if check["name"] == "model"]
    call("config", "set", "llm.url", "http://127.0.0.1:9/v1")
    call("config", "set", "llm.model", "any")
    (found,) = (check for check in call("doctor", "--json").json["checks"] if check["name"] == "model")
    assert found["state"] == "note"
    assert "127.0.0.1:9 cannot be reached" in found["what"]
    call("config", "set", "llm.command", sys.executable)
    (found,) = (check for check in call("doctor", "--json").json["checks"] if check["name"] == "model")
    assert found["state"] == "ok"
