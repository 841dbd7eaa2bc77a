"""Skills from patterns, from draft to installed and back: one decision each, and nothing before it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from memtui.consolidation import EVOLVED
from memtui.core.config import Config
from memtui.core.errors import ConflictError, MemtuiError, OutsideError, RefusedError, UnconfirmedError, VanishedError
from memtui.core.model import Home
from memtui.evolution import audit, patterns, sessions_read, skill_drafts, skill_proposals, skill_records
from memtui.evolution.patterns import compute_problems
from memtui.review import queue
from memtui.store.candidates import Candidate
from memtui.store.vault import Vault
from tests.evolution.skills.skilled import DOCKER, FIX_DOCKER, FIX_NPM, NPM, Scene, scene, session

SECRET = "ghp_" + "a1B2c3D4e5" * 4


@pytest.fixture(name="place")
def _place() -> Scene:
    return scene()


@pytest.fixture
def vault(place: Scene) -> Iterator[Vault]:
    with place.open()[0] as opened:
        yield opened


@pytest.fixture
def home(vault: Vault) -> Home:
    return vault.homes[0]


def proposed(vault: Vault, force: bool = False, key: str = "") -> Candidate:
    return skill_proposals.propose(vault, vault.homes[0], key, force=force, who="person")


def name(candidate: Candidate) -> str:
    assert candidate.draft is not None
    return candidate.draft.title


def standing(vault: Vault, key: str) -> str:
    home = vault.homes[0]
    found = compute_problems(
        sessions_read.load_heard_sessions(vault, home), audit.load_settled(vault, home), vault.config.evolution
    )
    return next(one.status for one in found if one.key == key)


def test_a_proposal_waits_and_writes_nothing_else(place: Scene) -> None:
    before = place.files()
    vault, home = place.open()
    with vault:
        made = proposed(vault)
        assert made.origin == "capability"
        assert [one.id for one in queue.load_queue(vault, evolved=EVOLVED).waiting] == [made.id]
        assert proposed(vault, key=made.draft.key if made.draft else "").id == made.id
        other = proposed(vault)
        assert other.id != made.id
        assert len({name(made), name(other)}) == 2
        with pytest.raises(RefusedError, match="is resolved"):
            proposed(vault)
        assert skill_records.list_installed_skills(vault, home) == []
    assert place.files() == before


def test_shut_gates_refuse_and_a_person_may_go_past_them() -> None:
    place = scene(log=False)
    vault, home = place.open()
    with vault:
        with pytest.raises(RefusedError, match="0 of 5, 5 unknown"):
            proposed(vault)
        with pytest.raises(RefusedError):
            skill_proposals.propose(vault, home, force=True, who="agent:x")
        made = proposed(vault, force=True)
        assert "0 of 5, 5 unknown" in made.warnings[0]
        done, left = queue.approve_all(vault, [made], evolved=EVOLVED)
        assert not done
        assert left[0][0].id == made.id


@pytest.mark.parametrize("kind", ["code-memory", "memtui"])
def test_approving_writes_all_of_it_and_undo_takes_all_back(kind: str) -> None:
    place = scene(kind)
    if kind == "memtui":
        (place.user / ".claude").mkdir()
    vault, home = place.open()
    with vault:
        made = proposed(vault)
        before = place.files()
        key = made.draft.key if made.draft else ""
        diff = queue.diff(vault, made, evolved=EVOLVED)
        receipt = queue.approve(vault, made, evolved=EVOLVED)
        file = place.user / f".claude/skills/{name(made)}/SKILL.md"
        index = place.user / ".claude/rules/auto-capabilities.md"
        assert file.read_text() == made.text
        assert f"- **{name(made)}**: " in index.read_text()
        for path in (file, index, home.path / skill_records.LOG, home.path / skill_records.STATE):
            assert str(path) in receipt.paths
        for line in file.read_text().splitlines():
            assert f"+{line}" in diff
        assert "capabilities.jsonl" in diff
        assert "generator_state.json" in diff
        event = json.loads((home.path / skill_records.LOG).read_text())
        if kind == "memtui":
            assert (event["event_type"], event["capability_name"], event["type"]) == ("generation", name(made), "Skill")
            assert event["pattern_count"] == 6
        else:
            assert (event["type"], event["id"], event["status"]) == ("CapabilityGenerated", "cap_001", "generated")
        state = json.loads((home.path / skill_records.STATE).read_text())
        assert state["generation_count"] == 1
        assert [one["name"] for one in state["generated"]] == [name(made)]
        assert standing(vault, key) == "addressed"
        assert not next(gate for gate in skill_proposals.load_gates(vault, home) if gate.name == "cooldown").open
        assert not queue.load_queue(vault, evolved=EVOLVED).waiting
        after = place.files()
        vault.undo(receipt.id)
        assert place.files() == before
        assert [one.id for one in queue.load_queue(vault, evolved=EVOLVED).waiting] == [made.id]
        assert standing(vault, key) == "active"
        vault.redo()
        assert place.files() == after
        with pytest.raises(RefusedError, match="decided"):
            queue.approve(vault, made, evolved=EVOLVED)


def test_undo_works_from_another_process(place: Scene) -> None:
    vault, _home = place.open()
    with vault:
        made = proposed(vault)
        before = place.files()
        queue.approve(vault, made, evolved=EVOLVED)
    done = subprocess.run(
        [sys.executable, "-m", "memtui", "undo", "--home", str(place.home)],
        capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert place.files() == before


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs a process to kill")
@pytest.mark.parametrize("at", range(1, 7))
def test_killed_between_two_files_it_is_all_or_nothing(at: int, place: Scene) -> None:
    vault, _home = place.open()
    with vault:
        made = proposed(vault)
    before = place.files()
    child = os.fork()
    if not child:
        try:
            _dies(place.home, made, at)
        finally:
            os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL
    with Vault.open([place.home]) as again:
        assert place.files() == before
        assert [one.id for one in queue.load_queue(again, evolved=EVOLVED).waiting] == [made.id]
        queue.approve(again, made, evolved=EVOLVED)
        assert skill_records.list_installed_skills(again, again.homes[0])[0].there


def _dies(home: Path, candidate: Candidate, at: int) -> None:
    """Approve it, and be killed before the file with this number is written."""
    from memtui.store import write_path

    carry, count = vars(write_path)["carry_out"], 0

    def dying(*given: object) -> object:
        nonlocal count
        count += 1
        if count > at:
            os.kill(os.getpid(), signal.SIGKILL)
        return carry(*given)

    vars(write_path)["carry_out"] = dying
    with Vault.open([home]) as vault:
        queue.approve(vault, candidate, evolved=EVOLVED)


def test_an_edited_text_is_what_is_installed(place: Scene, vault: Vault, home: Home) -> None:
    made = proposed(vault)
    text = made.text.replace(f"name: {name(made)}", "name: start-docker").replace("# ", "# My ", 1)
    with pytest.raises(RefusedError, match="portable"):
        queue.approve(vault, made, text=text.replace("metadata:", "hooks:", 1), evolved=EVOLVED)
    with pytest.raises(RefusedError, match="place"):
        queue.approve(vault, made, path="MEMORY.md", evolved=EVOLVED)
    queue.approve(vault, made, text=text + f"\nThe token is {SECRET}\n", evolved=EVOLVED)
    file = place.user / ".claude/skills/start-docker/SKILL.md"
    assert "# My " in file.read_text()
    assert SECRET not in "".join(data.decode() for data in place.files().values())
    (found,) = skill_records.list_installed_skills(vault, home)
    assert (found.name, found.there, found.changed) == ("start-docker", True, False)


def test_rejected_it_is_proposed_again_only_when_the_pattern_is_graver() -> None:
    place = scene(points=(DOCKER, NPM), sessions=3)
    vault, home = place.open()
    with vault:
        made = proposed(vault)
        key = made.draft.key if made.draft else ""
        queue.reject(vault, made, "we use podman")
        assert skill_proposals.load_gates(vault, home)[1].value == "none was made yet"
        assert not queue.load_queue(vault, evolved=EVOLVED).waiting
        (rejected,) = queue.load_queue(vault, rejected=True, evolved=EVOLVED).rejected
        assert rejected.said == name(made)
        with pytest.raises(RefusedError, match="podman"):
            proposed(vault, key=key)
        other = proposed(vault)
        assert other.draft is not None
        assert other.draft.key.partition(":")[0] != key.partition(":")[0]
        for number in range(3, 8):
            session(place.home, f"s{number}", f"2026-11-{10 + number}", (DOCKER, NPM), ())
        vault.refresh()
        assert proposed(vault, force=True, key=key).id != made.id


def test_reconsidered_it_waits_again(place: Scene, vault: Vault) -> None:
    made = proposed(vault)
    queue.reject(vault, made)
    queue.reconsider(vault, made)
    assert [one.id for one in queue.load_queue(vault, evolved=EVOLVED).waiting] == [made.id]
    queue.approve(vault, made, evolved=EVOLVED)


def test_what_the_logs_got_since_stays_when_it_is_undone(place: Scene, vault: Vault, home: Home) -> None:
    before = (home.path / "evolution/audit.jsonl").read_bytes()
    receipt = queue.approve(vault, proposed(vault), evolved=EVOLVED)
    patterns.settle(vault, home, "error", "suppressed", "noise")
    line = (home.path / "evolution/audit.jsonl").read_bytes().splitlines(keepends=True)[-1]
    assert b"noise" in line
    vault.undo(receipt.id)
    assert (home.path / "evolution/audit.jsonl").read_bytes() == before + line
    assert skill_records.list_installed_skills(vault, home) == []


@pytest.mark.parametrize("theirs", ["inside", "behind", "before"])
def test_undo_leaves_a_skill_that_a_person_went_on_with(theirs: str, place: Scene, vault: Vault) -> None:
    made = proposed(vault)
    receipt = queue.approve(vault, made, evolved=EVOLVED)
    file = place.user / f".claude/skills/{name(made)}/SKILL.md"
    text = file.read_text()
    changed = {
        "inside": text.replace("## Steps", "## My steps"),
        "behind": f"{text}\n## Mine\n\n- Ask me first\n",
        "before": f"<!-- mine -->\n{text}",
    }
    file.write_text(changed[theirs])
    stands = place.files()
    with pytest.raises(ConflictError, match=r"SKILL\.md"):
        vault.undo(receipt.id)
    assert place.files() == stands


def test_a_skill_of_somebody_else_is_never_touched(place: Scene, vault: Vault) -> None:
    made = proposed(vault)
    theirs = place.user / f".claude/skills/{name(made)}/SKILL.md"
    theirs.parent.mkdir(parents=True)
    theirs.write_text("mine\n")
    queue.approve(vault, made, evolved=EVOLVED)
    assert theirs.read_text() == "mine\n"
    ours = place.user / f".claude/skills/{name(made)}-2/SKILL.md"
    assert skill_drafts.read(ours.read_text()).name == f"{name(made)}-2"


def test_the_agents_own_directory_may_be_an_open_home() -> None:
    place = scene("memtui")
    claude = place.user / ".claude"
    (claude / "rules").mkdir(parents=True)
    (claude / "CLAUDE.md").write_text("# Rules\n\n- Use tabs\n")
    (claude / "rules/style.md").write_text("# Style\n\n- Short lines\n")
    with Vault.open([place.home, claude]) as vault:
        assert [home.layout for home in vault.homes] == ["memtui", "claude_md"]
        made = proposed(vault)
        before = place.files()
        receipt = queue.approve(vault, made, evolved=EVOLVED)
        assert (claude / f"skills/{name(made)}/SKILL.md").is_file()
        vault.undo(receipt.id)
        assert place.files() == before
        queue.approve(vault, made, evolved=EVOLVED)
        skill_records.remove(vault, vault.homes[0], name(made), who="person")
        assert not (claude / f"skills/{name(made)}/SKILL.md").exists()
        assert (claude / "CLAUDE.md").read_text() == "# Rules\n\n- Use tabs\n"


def test_a_home_that_moved_away_gets_no_other_in_its_place() -> None:
    for kind in ("code-memory", "memtui"):
        place = scene(kind)
        vault, _home = place.open()
        with vault:
            made = proposed(vault)
            place.home.rename(place.user / f"{kind}-away")
            with pytest.raises(VanishedError, match="is gone"):
                skill_proposals.open_skill_writer(vault, vault.homes[0])
            with pytest.raises(MemtuiError):
                queue.approve(vault, made, evolved=EVOLVED)
        assert not place.home.exists()
    assert not (place.user / ".memtui").exists()


@pytest.mark.parametrize("what", ["skills", "rules", "file"])
def test_a_link_is_not_written_through(what: str, tmp_path: Path, place: Scene) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    vault, _home = place.open()
    with vault:
        if what == "file":
            (place.user / ".claude/rules").mkdir()
            (elsewhere / "x.md").write_text("theirs\n")
            (place.user / ".claude/rules/auto-capabilities.md").symlink_to(elsewhere / "x.md")
        else:
            (place.user / f".claude/{what}").symlink_to(elsewhere)
        made = proposed(vault)
        before = place.files()
        with pytest.raises(OutsideError):
            queue.approve(vault, made, evolved=EVOLVED)
        assert place.files() == before
    assert [path.name for path in elsewhere.iterdir()] == (["x.md"] if what == "file" else [])


def test_removing_restores(place: Scene) -> None:
    rules = place.user / ".claude/rules/auto-capabilities.md"
    rules.parent.mkdir()
    rules.write_bytes(b"# Auto\r\n\r\n- **theirs**: somebody else's\r\n")
    (place.user / ".claude/skills").mkdir()
    vault, home = place.open()
    with vault:
        made = proposed(vault)
        first = place.files()
        queue.approve(vault, made, evolved=EVOLVED)
        before = place.files()
        receipt = skill_records.remove(vault, home, name(made), who="person")
        gone = place.files()
        logs = {str(home.path / path) for path in (skill_records.LOG, skill_records.STATE, "evolution/audit.jsonl")}
        assert {path: data for path, data in gone.items() if path not in logs} == {
            path: data for path, data in first.items() if path not in logs
        }
        assert skill_records.list_installed_skills(vault, home) == []
        assert standing(vault, made.draft.key if made.draft else "") == "active"
        assert json.loads((home.path / skill_records.STATE).read_text())["generated"] == []
        assert [record.id for record in vault.trash()] == [receipt.id]
        vault.undo(receipt.id)
        assert place.files() == before
        assert skill_records.list_installed_skills(vault, home)[0].there
        with pytest.raises(RefusedError, match="made no skill"):
            skill_records.remove(vault, home, "theirs", who="person")


def test_what_a_person_changed_goes_only_when_confirmed(place: Scene, vault: Vault, home: Home) -> None:
    made = proposed(vault)
    queue.approve(vault, made, evolved=EVOLVED)
    file = place.user / f".claude/skills/{name(made)}/SKILL.md"
    file.write_text(file.read_text() + "My own line.\n")
    assert skill_records.list_installed_skills(vault, home)[0].changed
    with pytest.raises(UnconfirmedError, match="changed"):
        skill_records.remove(vault, home, name(made), who="person")
    assert file.exists()
    receipt = skill_records.remove(vault, home, name(made), who="person", confirmed=True)
    assert not file.parent.exists()
    vault.undo(receipt.id)
    assert file.read_text().endswith("My own line.\n")


@pytest.mark.parametrize(
    "line",
    [
        {"timestamp": "2026-11-01T10:00:00", "event_type": "generation", "capability_name": "auto-env-fix"},
        {"type": "CapabilityGenerated", "ts": "2026-11-01T10:00:00", "id": "cap_007", "pattern_id": 3,
         "name": "auto-env-fix", "output_path": "~/.claude/skills/auto-env-fix/SKILL.md", "status": "generated"},
    ],
)  # fmt: skip
def test_either_dialect_is_read_and_gone_on_with(line: dict[str, object], place: Scene) -> None:
    log = place.home / skill_records.LOG
    log.write_text(json.dumps(line) + "\n")
    (place.home / skill_records.STATE).write_text('{"generated":[],"mine":{"a":1},"generation_count":4}')
    theirs = place.user / ".claude/skills/auto-env-fix/SKILL.md"
    theirs.parent.mkdir(parents=True)
    theirs.write_text("---\nname: auto-env-fix\ndescription: d\n---\nbody\n")
    vault, home = place.open()
    with vault:
        (old,) = skill_records.list_installed_skills(vault, home)
        assert (old.name, old.there, old.changed) == ("auto-env-fix", True, None)
        queue.approve(vault, proposed(vault), evolved=EVOLVED)
        new = json.loads(log.read_text().splitlines()[1])
        assert ("ts" in new, new.get("id", "cap_008")) == ("ts" in line, "cap_008")
        state = (home.path / skill_records.STATE).read_text()
        assert json.loads(state)["mine"] == {"a": 1}
        assert json.loads(state)["generation_count"] == 5
        assert "\n" not in state
        with pytest.raises(UnconfirmedError):
            skill_records.remove(vault, home, "auto-env-fix", who="person")
        skill_records.remove(vault, home, "auto-env-fix", who="person", confirmed=True)
        assert not theirs.exists()


@pytest.mark.parametrize(
    ("named", "path"),
    [("../../x", ""), ("foreign", "/etc/passwd"), ("x/../../y", "~/.ssh/config"), ("memory", "../MEMORY.md")],
)
def test_a_hostile_log_leads_to_no_file(named: str, path: str, place: Scene) -> None:
    event = {"timestamp": "2026-11-01T10:00:00", "event_type": "generation", "capability_name": named, "path": path}
    (place.home / skill_records.LOG).write_text(json.dumps(event) + "\nnot json\n[1]\n")
    before = (place.home / "MEMORY.md").read_bytes()
    vault, home = place.open()
    with vault:
        for found in skill_records.list_installed_skills(vault, home):
            assert not found.there
            skill_records.remove(vault, home, found.name, who="person", confirmed=True)
    assert (place.home / "MEMORY.md").read_bytes() == before


@pytest.mark.parametrize(
    "data",
    [b"[[[[", b'{"theirs": 1, "theirs": 2}', b'{"theirs": {"a": 1, "a": 2}}', b'{"theirs": "caf\xe9"}', b"{} {}"],
)
def test_a_state_that_cannot_be_read_is_not_written_over(data: bytes, place: Scene) -> None:
    (place.home / skill_records.STATE).write_bytes(data)
    vault, _home = place.open()
    with vault:
        made = proposed(vault)
        before = place.files()
        with pytest.raises(RefusedError, match="mend it"):
            queue.approve(vault, made, evolved=EVOLVED)
        assert place.files() == before


@pytest.mark.parametrize(
    ("has", "wanted", "expected", "index"),
    [
        ((".claude", ".codex"), "", ".claude/skills", ".claude/rules"),
        ((".codex",), "", ".agents/skills", ".agents"),
        ((), "", ".memtui/skills", ".memtui"),
        ((".claude",), "~/own/skills", "own/skills", "own"),
    ],
)
def test_where_skills_go(has: tuple[str, ...], wanted: str, expected: str, index: str) -> None:
    place = scene("memtui")
    for folder in has:
        (place.user / folder).mkdir()
    config = Config(evolution=Config().evolution._replace(skills=wanted))
    vault, home = place.open(config)
    with vault:
        made = proposed(vault)
        before = place.files()
        receipt = queue.approve(vault, made, evolved=EVOLVED)
        assert (place.user / expected / name(made) / "SKILL.md").is_file()
        assert (place.user / index / "auto-capabilities.md").is_file()
        assert skill_records.list_installed_skills(vault, home)[0].changed is False
        vault.undo(receipt.id)
        assert place.files() == before


def test_a_home_that_keeps_no_log_uses_memtuis(tmp_path: Path) -> None:
    whole = scene()
    home = tmp_path / "project/.helloagents"
    (home / "sessions").mkdir(parents=True)
    (home / "context.md").write_text("# Project\n")
    for path in (whole.home / "sessions").iterdir():
        (home / "sessions" / path.name).write_bytes(path.read_bytes())
    vault = Vault.open([home])
    with vault:
        made = proposed(vault, force=True)
        receipt = queue.approve(vault, made, evolved=EVOLVED)
        assert (whole.user / ".memtui" / skill_records.LOG).is_file()
        (found,) = skill_records.list_installed_skills(vault, vault.homes[0])
        assert found.pattern == (made.draft.key if made.draft else "")
        assert standing(vault, found.pattern) == "addressed"
        skill_records.remove(vault, vault.homes[0], found.name, who="person")
        assert standing(vault, found.pattern) == "active"
        assert receipt.verb == "approve"


def test_what_helped_is_in_it_with_its_session(place: Scene) -> None:
    vault, _home = place.open()
    with vault:
        texts = proposed(vault).text + proposed(vault).text
    assert f"{FIX_DOCKER} (session s5, 2026-11-15)" in texts
    assert f"{FIX_NPM} (session s5, 2026-11-15)" in texts
