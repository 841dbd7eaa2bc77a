"""The demo: copied quickly, moved to today, and rich enough to show everything."""

from __future__ import annotations

import json
import os
import re
import time
from collections import Counter
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path

import pytest

from memtui import Vault, demo
from memtui.consolidation import EVOLVED
from memtui.core import clock
from memtui.core.config import Config, VectorConfig
from memtui.core.locale import LANGUAGES
from memtui.evolution import overview
from memtui.evolution.effects import Overview
from memtui.evolution.overview import load_overview
from memtui.review import queue
from tests.homes import read_files

TODAY = "2027-03-01"
"""Beyond a year's end and a February, seen from the data."""


@pytest.fixture(params=LANGUAGES)
def language(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, language: str) -> Path:
    monkeypatch.setenv("MEMTUI_NOW", f"{TODAY}T14:30:00+08:00")
    monkeypatch.setenv("MEMTUI_TZ", "Asia/Shanghai")
    demo.copy(tmp_path / "demo", language)
    return tmp_path / "demo"


def facts(home: Path) -> list[dict[str, str]]:
    found: list[dict[str, str]] = []
    for path in home.rglob("facts.json"):
        try:
            found += json.loads(path.read_text("utf-8"))["facts"]
        except ValueError:
            continue
    return found


def lines(path: Path) -> list[dict[str, str]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_the_newest_day_is_today(copied: Path) -> None:
    days = sorted(path.stem for path in (copied / "mei" / "daily").glob("*.md"))
    assert days[-1] == TODAY
    shift = date.fromisoformat(TODAY) - demo.NEWEST
    dailies = (name.removeprefix("mei/daily/") for name in demo.list_files())
    originals = sorted(name.removesuffix(".md") for name in dailies if re.fullmatch(r"[\d-]+\.md", name))
    assert days == [str(date.fromisoformat(day) + shift) for day in originals]
    assert list((copied / "codex" / "sessions").glob("2027/02/*/rollout-2027-02-*.jsonl"))


def test_contents_agree_with_names(copied: Path) -> None:
    for path in (copied / "mei" / "daily").glob("*.jsonl"):
        for line in path.read_text("utf-8").splitlines():
            assert json.loads(line)["timestamp"].startswith(path.stem)
    for path in (copied / "mei" / "daily").glob("*.md"):
        for stamp in re.findall(r"^- (\d{4}-\d\d-\d\d)T", path.read_text("utf-8"), re.MULTILINE):
            assert stamp == path.stem
    for path in (copied / "codex").rglob("rollout-*.jsonl"):
        first = json.loads(path.read_text("utf-8").partition("\n")[0])
        assert path.name[8:18] == first["timestamp"][:10]


def test_nothing_but_dates_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, language: str) -> None:
    monkeypatch.setenv("MEMTUI_NOW", f"{demo.NEWEST}T20:00:00+08:00")
    monkeypatch.setenv("MEMTUI_TZ", "Asia/Shanghai")
    demo.copy(tmp_path, language)
    before = {name: path.read_bytes() for name, path in demo.list_files(language).items()}
    after = read_files(tmp_path)
    assert before == after


def test_both_languages_tell_it_in_the_same_files() -> None:
    english, chinese = (demo.list_files(language) for language in ("en", "zh"))
    assert english.keys() == chinese.keys()
    for name, path in english.items():
        other = chinese[name]
        # What has no language of its own stands once; the rest has as many lines, but for what the rules write.
        assert (path == other) == (path.read_bytes() == other.read_bytes())
        if name != f"mei/{overview.PATH}":
            assert path.read_bytes().count(b"\n") == other.read_bytes().count(b"\n"), name


def test_a_language_that_it_is_not_told_in(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="'fr'"):
        demo.copy(tmp_path / "demo", "fr")
    assert not (tmp_path / "demo").exists()


def test_moving_keeps_every_other_byte(copied: Path, language: str) -> None:
    mask = re.compile(rb"20\d\d[-/]?[01]\d[-/]?[0-3]\d")
    shape = Counter(mask.sub(b"DATE", path.read_bytes()) for path in demo.list_files(language).values())
    assert shape == Counter(mask.sub(b"DATE", p.read_bytes()) for p in copied.rglob("*") if p.is_file())


def test_files_are_as_old_as_what_they_tell(copied: Path) -> None:
    now = clock.now()
    ages = [path.stat().st_mtime for path in copied.rglob("*") if path.is_file()]
    assert max(ages) <= now
    assert len({clock.format_day(age) for age in ages}) > 30
    daily = copied / "mei" / "daily" / f"{TODAY}.md"
    assert clock.format_day(daily.stat().st_mtime) == TODAY


def test_it_is_quick_and_small(tmp_path: Path) -> None:
    rounds = []
    for number in range(5):
        start = time.process_time()
        demo.copy(tmp_path / str(number))
        rounds.append(time.process_time() - start)
    files = demo.list_files().values()
    # A generous ceiling: other work shares the machine. Alone it takes about 60 ms.
    assert min(rounds) < 0.6
    assert len(files) <= 360
    assert sum(path.stat().st_size for path in files) < 1_200_000


def test_homes_answered_exist(tmp_path: Path) -> None:
    homes = demo.copy(tmp_path)
    assert [home.relative_to(tmp_path).as_posix() for home in homes] == list(demo.HOMES)
    assert all(home.is_dir() for home in homes)


def test_every_feature_has_something_to_show(copied: Path) -> None:
    home = copied / "mei"
    statuses = Counter(fact.get("status") for fact in facts(home))
    assert {"active", "superseded", "archived"} <= set(statuses)
    by_id = {
        fact["id"]: fact for fact in json.loads((home / "areas/projects/shop/facts.json").read_text("utf-8"))["facts"]
    }
    targets = {key: fact["supersededBy"] for key, fact in by_id.items() if "supersededBy" in fact}
    assert any(target not in by_id for target in targets.values()), "a dangling chain"
    assert any(targets.get(targets.get(targets.get(key, ""), ""), "") == key for key in targets), "a cyclic chain"
    expiry = [fact["expires_at"] for fact in by_id.values() if "expires_at" in fact]
    assert min(expiry) < TODAY < max(expiry) <= str(date.fromisoformat(TODAY) + timedelta(days=7))
    records = [record for path in (home / "daily").glob("*.jsonl") for record in lines(path)]
    assert {record["type"] for record in records} == {
        "fact",
        "session_start",
        "session_end",
        "session_metrics",
        "audit",
        "warning",
    }
    assert {record["memory_type"] for record in records if record["type"] == "fact"} == {"W", "B", "O", "S"}
    assert any("deleted_at" in record for record in records)
    audit = lines(home / "evolution/audit.jsonl")
    assert {event.get("event_type") or event["type"] for event in audit} >= {
        "ref",
        "outcome",
        "ExperienceReferenced",
        "SessionOutcome",
        "ExperienceRegistered",
    }
    core = (home / "MEMORY.md").read_text("utf-8")
    assert 55 <= core.count("\n") <= 75, "about a third of the 200 lines"
    with pytest.raises(ValueError, match=r"utf-8|column"):
        json.loads((home / "areas/tools/redis/facts.json").read_bytes())


@pytest.fixture
def looked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, language: str) -> Iterator[Overview]:
    """What the rules find in the demo on the day that its report is of."""
    monkeypatch.setenv("MEMTUI_TZ", "Asia/Shanghai")
    monkeypatch.setenv("MEMTUI_NOW", f"{demo.NEWEST}T{demo.MORNING:02}:00:00+08:00")
    homes = demo.copy(tmp_path / "demo", language)[:1]
    monkeypatch.setenv("MEMTUI_NOW", f"{demo.NEWEST}T09:55:00+08:00")
    with Vault.open(homes, config=Config(vector=VectorConfig(backend="off"))) as vault:
        yield load_overview(vault, vault.homes[0])


def test_the_rules_find_what_view_4_is_to_show(looked: Overview, language: str) -> None:
    by_type = {one.type: one for one in looked.patterns}
    assert by_type["environment_issue"].priority == "critical"
    assert by_type["performance_issue"].status == "addressed"
    assert by_type["error"].status == "suppressed"
    assert [one.priority for one in looked.problems if one.status == "active"] == ["high"] * (
        3 if language == "en" else 1
    )
    assert 2 <= looked.streak.length <= 3
    assert looked.weak
    assert looked.strong
    assert {gate.open for gate in looked.gates} == {True, False}
    assert {one.kind for one in looked.changes} >= {"new", "skill"}
    assert {True, False} == {bool(one.helpful or one.wrong) for one in looked.effects}


def test_the_bundled_report_says_what_the_rules_find(looked: Overview, language: str) -> None:
    def told(text: str) -> list[str]:
        return [
            line for line in text.splitlines() if line.startswith(("| ", "### ", "- Count", "- Priority", "The last"))
        ]

    bundled = demo.list_files(language)[f"mei/{overview.PATH}"].read_text("utf-8")
    assert told(bundled) == told(overview.render_report(looked))


def test_a_year_lies_behind_it(copied: Path) -> None:
    days = sorted(date.fromisoformat(path.stem) for path in (copied / "mei" / "daily").glob("*.md"))
    assert timedelta(350) < days[-1] - days[0] < timedelta(370)
    assert sum(day < days[-1] - timedelta(70) for day in days) > 100


def test_sessions_open_to_their_transcripts(copied: Path) -> None:
    sessions = list((copied / "mei" / "sessions").glob("*.md"))
    assert len(sessions) >= 40
    assert len({path.read_text("utf-8").split("---")[-1] for path in sessions}) == len(sessions)
    names = {path.stem for path in sessions}
    claude = {path.stem for path in (copied / demo.HOMES[1]).glob("*.jsonl")}
    codex = {path.stem for path in (copied / "codex").rglob("rollout-*.jsonl")}
    assert len(claude) == 4
    assert len(codex) == 2
    assert claude | codex <= names
    for path in (copied / demo.HOMES[1]).glob("*.jsonl"):
        records = lines(path)
        assert {record["type"] for record in records} >= {"user", "assistant"}
        assert {record["sessionId"] for record in records if "sessionId" in record} == {path.stem}


def test_both_languages_are_there(copied: Path, language: str) -> None:
    texts = [path.read_text("utf-8", "replace") for path in copied.rglob("*") if path.is_file()]
    chinese = sum(bool(re.search("[\u4e00-\u9fff]", text)) for text in texts)
    english = sum(bool(re.search(r"\b(the|and|with)\b", text)) for text in texts)
    if language == "zh":
        assert chinese > len(texts) / 2
        assert english > len(texts) / 3
    else:
        assert len(texts) / 12 < chinese < len(texts) / 4
        assert english > len(texts) / 2


def test_review_has_one_of_each_to_show(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, language: str) -> None:
    monkeypatch.setenv("MEMTUI_NOW", f"{demo.NEWEST}T20:00:00+08:00")
    monkeypatch.setenv("MEMTUI_TZ", "Asia/Shanghai")
    homes = demo.copy(tmp_path / "demo", language)
    with Vault.open(homes, config=Config(vector=VectorConfig(backend="off"))) as vault:
        waiting = Counter(one.origin for one in queue.load_queue(vault, evolved=EVOLVED).waiting)
    assert waiting.keys() >= {"secret", "contradiction", "weak", "distilled", "duplicate"}
    assert waiting.total() <= (9 if language == "en" else 20)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_nothing_was_learned_in_the_future(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, language: str) -> None:
    monkeypatch.setenv("MEMTUI_TZ", "UTC")
    monkeypatch.setenv("MEMTUI_NOW", f"2026-03-08T{demo.MORNING:02}:00:00")
    homes = demo.copy(tmp_path / "demo", language)
    with Vault.open(homes, config=Config(vector=VectorConfig(backend="off"))) as vault:
        times = [at for at, _ref in vault.timed()]
        now = clock.now()
        assert now - 86400 < max(times) <= now


@pytest.mark.parametrize("zone", ["America/Los_Angeles", "Asia/Kathmandu", "Pacific/Auckland"])
@pytest.mark.parametrize("moment", ["23:59:59", "00:00:00"])
def test_today_is_the_local_day(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, zone: str, moment: str) -> None:
    monkeypatch.setenv("MEMTUI_TZ", zone)
    monkeypatch.setenv("MEMTUI_NOW", f"2026-03-08T{moment}")
    demo.copy(tmp_path)
    # Before what the newest day tells would have happened, it is yesterday.
    day = 8 if moment >= f"{demo.MORNING:02}" else 7
    assert max(os.listdir(tmp_path / "mei" / "daily")) == f"2026-03-0{day}.md"


@pytest.mark.parametrize("zone", ["America/Los_Angeles", "UTC", "Pacific/Auckland", "Asia/Shanghai"])
def test_the_local_clock_shows_the_same_hours_everywhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, zone: str
) -> None:
    monkeypatch.setenv("MEMTUI_TZ", zone)
    monkeypatch.setenv("MEMTUI_NOW", f"{demo.NEWEST}T20:00:00")
    homes = demo.copy(tmp_path)
    file = homes[0] / "sessions" / "b6a873c8-21a9-53f0-9218-a828e94c2265.md"
    begun = re.search(r"2026-11-20 (\d\d:\d\d)", file.read_text("utf-8"))
    assert begun and begun[1] == "09:12"
    told = lines(homes[1] / f"{file.stem}.jsonl")
    turns = [clock.convert_to_local(clock.parse(one["timestamp"]) or 0) for one in told if "timestamp" in one]
    assert (turns[0].hour, turns[0].minute) == (9, 14)
    assert {turn.date() for turn in turns} == {demo.NEWEST}
    # What a session taught is not older than the session.
    learned = re.findall(rf"(\S+Z) .*source={file.stem}", (homes[0] / "daily" / "2026-11-20.md").read_text("utf-8"))
    assert learned
    assert all(clock.convert_to_local(clock.parse(one) or 0).hour >= 9 for one in learned)


def test_what_memtui_wrote_about_lines_stands_behind_the_lines(copied: Path) -> None:
    with Vault.open([copied / "mei"], config=Config(vector=VectorConfig(backend="off"))) as vault:
        for words in ("redis connection refused", "redis"):
            assert vault.find(words, 10)[0].path != overview.PATH
