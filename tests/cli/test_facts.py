"""`memtui facts add|edit|…` and `memtui profile add|edit|init`: what they write, say and refuse."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Caller

SHOP = "areas/projects/shop/facts.json"


def listed(call: Caller, *more: str) -> dict[str, dict[str, Any]]:
    """Every fact by its text."""
    found = call("facts", "list", "--status", "all", "--json", "-n", "500", *more).json["memories"]
    return {memory["text"]: memory for memory in found}


def test_adding(call: Caller, home: Path) -> None:
    done = call("facts", "add", "Ports", "are", "8081", "--kind", "rule", "--to-file", SHOP, "--tag", "#net",
                "--confidence", "0.9", "--expires", "30d", "--evidence", "said so")  # fmt: skip
    assert done.status == 0
    assert done.out == f"{home / SHOP}\n"
    assert "added fact-004 to" in done.err
    assert "memtui undo " in done.err
    fact = json.loads((home / SHOP).read_text("utf-8"))["facts"][-1]
    assert fact == {
        "id": "fact-004", "fact": "Ports are 8081", "timestamp": "2026-02-28T12:00:00+00:00", "status": "active",
        "category": "rule", "evidence": "said so", "tags": ["net"], "confidence": 0.9,
        "expires_at": "2026-03-30T12:00:00+00:00",
    }  # fmt: skip
    again = call("facts", "add", "Ports are 8081", "--to-file", SHOP)
    assert f"{SHOP}:" in again.err and "says that already" in again.err


def test_adding_goes_where_the_layout_says(call: Caller, home: Path) -> None:
    done = call("facts", "add", "表必须有 created_at", "--kind", "rule", "--json")
    (receipt,) = done.json["receipts"]
    assert receipt["verb"] == "add"
    assert all(path.startswith(str(home)) for path in receipt["paths"])
    done = call("facts", "add", "Deploys run from main", "--layer", "core", "--kind", "decision", "--json")
    assert done.json["receipts"][0]["paths"] == [str(home / "MEMORY.md")]


def test_a_new_fact_is_about_the_project_worked_in(
    call: Caller, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (home / "areas" / "tools" / "docker").mkdir(parents=True)
    work = tmp_path / "src" / "till"
    (work / ".git").mkdir(parents=True)
    (work / ".git" / "HEAD").write_text("ref: refs/heads/main\n", "utf-8")
    monkeypatch.chdir(work)

    def place(*argv: str) -> str:
        (receipt,) = call("facts", "add", *argv, "--home", str(home), "--json").json["receipts"]
        return str(receipt["paths"][0]).replace(f"{home}/", "")

    assert place("Redis 连接池上限 50") == "areas/projects/till/facts.json"
    assert place("SQL 用命名参数", "--kind", "rule") == "areas/projects/till/rules.md"
    assert place("卷要带 z", "--tag", "docker") == "areas/tools/docker/facts.json"
    assert place("端口 8081", "--project", "shop", "--tag", "docker") == SHOP
    (home / "config.json").write_text('{"project_name_map": {"src/till": "shop"}}', "utf-8")
    assert place("超时 30 秒") == SHOP
    monkeypatch.chdir(tmp_path)
    assert place("谁的都不是") == "areas/projects/general/facts.json"
    assert place("先写失败的测试", "--kind", "pattern", "--project", "tdd") == "areas/patterns/tdd/facts.json"
    assert place("rg 比 grep 快", "--kind", "tool", "--project", "rg") == "areas/tools/rg/facts.json"


@pytest.mark.parametrize(("text", "told"), [("连接池上限 51", "用户手动添加"), ("Pool limit 51", "added by hand")])
def test_a_fact_that_a_person_adds_says_what_it_rests_on(call: Caller, home: Path, text: str, told: str) -> None:
    call("facts", "add", text, "--to-file", SHOP)
    assert json.loads((home / SHOP).read_text("utf-8"))["facts"][-1]["evidence"] == told


def test_a_dry_run_writes_nothing(call: Caller, home: Path) -> None:
    before = (home / SHOP).read_bytes()
    done = call("facts", "supersede", "fact-003", "Deploys run from trunk", "--dry-run")
    assert done.status == 0
    assert '+      "fact": "Deploys run from trunk",' in done.out
    assert '+      "supersededBy": "fact-004",' in done.out
    assert "Nothing was written." in done.err
    done = call("facts", "archive", "fact-001", "fact-003", "--dry-run", "--json")
    assert done.json["dry_run"] is True
    archived, other = (change["what"] for change in done.json["changes"])
    assert archived == "archived “支付回调必须幂等，重复通知只入账一次”" and other.endswith("…”")
    assert all(change["diff"].startswith("--- a/") for change in done.json["changes"])
    assert (home / SHOP).read_bytes() == before


def test_a_dry_run_refuses_what_would_be_refused(call: Caller, tmp_path: Path) -> None:
    file = tmp_path / ".codex/memories/memory_summary.md"
    file.parent.mkdir(parents=True)
    file.write_text("## User Profile\n\n- Likes Rust\n", "utf-8")
    for verb in ("archive", "tag --tag x", "edit Changed"):
        name, *more = verb.split()
        for dry in ([], ["--dry-run"]):
            done = call("facts", name, "memories/memory_summary.md:3", *more, "--home", str(file.parents[1]), *dry)
            assert done.status == 3 and "generated by Codex" in done.err


def test_where_claude_code_only_keeps_its_sessions_a_fact_goes_to_the_projects_area(
    call: Caller, alone: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Spec 002: whoever has code-memory works in Claude Code, which has a directory for each project."""
    user, work = alone, tmp_path / "src" / "till"
    (work / ".git").mkdir(parents=True)
    (work / ".git" / "HEAD").write_text("ref: refs/heads/main\n", "utf-8")
    own = user / ".claude/projects" / str(work).replace("/", "-").replace("_", "-")
    own.mkdir(parents=True)
    talk = {"type": "user", "sessionId": "s-1", "cwd": str(work), "message": {"role": "user", "content": "hi"}}
    (own / "s-1.jsonl").write_text(json.dumps(talk) + "\n", "utf-8")
    area = user / ".claude/memory/areas/projects/till"
    area.mkdir(parents=True)
    (area / "rules.md").write_text("# till\n\n- SQL 用命名参数\n", "utf-8")
    monkeypatch.chdir(work)

    def add(text: str) -> str:
        (receipt,) = call("facts", "add", text, "--json").json["receipts"]
        return str(receipt["paths"][0])

    assert add("Redis 连接池上限 50") == str(area / "facts.json")
    # Where it remembers by itself, that is the project's own.
    (own / "memory").mkdir()
    (own / "memory/MEMORY.md").write_text("- [Ports](ports.md) — 8081\n", "utf-8")
    (own / "memory/ports.md").write_text("---\nname: ports\n---\n\n8081\n", "utf-8")
    assert add("Kafka 分区数是 12").startswith(str(own / "memory"))


def test_superseding_takes_over_kind_and_tags(call: Caller, home: Path) -> None:
    assert call("facts", "supersede", "fact-001", "支付回调按幂等键去重").status == 0
    found = listed(call)
    assert found["支付回调按幂等键去重"]["kind"] == "rule"
    old = found["支付回调必须幂等，重复通知只入账一次"]
    assert (old["status"], old["superseded_by"]) == ("superseded", "fact-004")
    shown = call("facts", "show", "fact-001", "--json").json
    assert [memory["key"] for memory in shown["after"]] == ["fact-004"]
    shown = call("facts", "show", "fact-004", "--json").json
    assert [memory["key"] for memory in shown["before"]] == ["fact-001"]


def test_one_that_is_there_already_replaces_by_its_id(call: Caller, home: Path) -> None:
    assert call("facts", "supersede", "fact-001", "fact-003").status == 0
    facts = json.loads((home / SHOP).read_text("utf-8"))["facts"]
    assert (facts[0]["status"], facts[0]["supersededBy"]) == ("superseded", "fact-003")
    assert len(facts) == 3 and facts[2]["status"] == "active"


def test_an_id_from_a_list_outlives_edits(call: Caller, home: Path) -> None:
    """T17d: it is made of the memory's bytes, and each edit changes those."""
    core = home / "MEMORY.md"
    core.write_text("# MEMORY\n\n- first\n- use pnpm\n  for all packages\n- last\n", "utf-8")
    kept = {text: memory["id"] for text, memory in listed(call, "--home", str(home)).items()}
    shown = call("profile", "list", "--json", "-n", "50").json["memories"]
    kept |= {memory["text"].split("\n")[0]: memory["id"] for memory in shown}
    fact, item = kept["支付回调必须幂等，重复通知只入账一次"], kept["use pnpm"]
    for number in range(3):
        assert call("facts", "edit", fact, f"回调幂等 {number}").status == 0
        assert call("facts", "edit", item, f"use pnpm {number}").status == 0
        # What somebody else writes above it meanwhile is no matter.
        core.write_text(core.read_text("utf-8").replace("- first\n", f"- first\n- more {number}\n"), "utf-8")
    assert "回调幂等 2" in (home / SHOP).read_text("utf-8")
    assert call("facts", "archive", item).status == 0
    assert "- use pnpm 2 (archived" in core.read_text("utf-8").replace("<!-- ", "(")
    assert call("facts", "delete", item, "--yes").status == 0
    assert call("facts", "edit", item, "gone").status == 2
    assert call("facts", "show", "0123456789abcdef").status == 1


def test_every_other_verb(call: Caller, home: Path) -> None:
    before = (home / SHOP).read_bytes()

    def fact(number: int) -> dict[str, Any]:
        found: dict[str, Any] = json.loads((home / SHOP).read_text("utf-8"))["facts"][number]
        return found

    for argv, name, value in (
        (("edit", "fact-001", "支付回调", "要幂等"), "fact", "支付回调 要幂等"),
        (("edit", "fact-001", "--kind", "decision"), "category", "decision"),
        (("archive", "fact-001"), "status", "archived"),
        (("restore", "fact-001"), "status", "active"),
        (("tag", "fact-001", "--tag", "a", "--tag", "b"), "tags", ["a", "b"]),
        (("tag", "fact-001", "--untag", "a"), "tags", ["b"]),
        (("expire", "fact-001", "--expires", "2026-12-31"), "expires_at", "2026-12-31"),
        (("merge", "fact-003", "fact-001"), "supersededBy", "fact-003"),
    ):
        done = call("facts", *argv)
        assert done.status == 0, done.err
        assert fact(0)[name] == value
    call("facts", "restore", "fact-001")
    call("facts", "expire", "fact-001", "--expires", "never")
    assert "expires_at" not in fact(0)
    for _time in range(10):
        assert call("undo").status == 0
    assert (home / SHOP).read_bytes() == before


def test_several_are_one_decision(call: Caller, home: Path) -> None:
    before = (home / SHOP).read_bytes()
    done = call("facts", "archive", "fact-001", "fact-003", "fact-001")
    assert done.status == 0
    statuses = [fact["status"] for fact in json.loads((home / SHOP).read_text("utf-8"))["facts"]]
    assert statuses == ["archived", "superseded", "archived"]
    assert call("undo").status == 0
    assert (home / SHOP).read_bytes() == before


def test_what_cannot_be_done_does_not_stop_the_others(call: Caller, home: Path) -> None:
    done = call("facts", "restore", "fact-001", "fact-002", "--json")
    assert done.status == 3
    assert [receipt["what"] for receipt in done.json["receipts"]] == ["restored “Deploys run from the release branch”"]
    assert len(done.json["failed"]) == 1


def test_a_damaged_file_of_openakitas_is_named(call: Caller, tmp_path: Path) -> None:
    """A line alone would not say which of a home's files to mend (spec 003, v1)."""
    file = tmp_path / "bot" / "data" / "memory" / "memories.json"
    file.parent.mkdir(parents=True)
    file.write_text('[\n {"id": "a", "content": "Prefers short answers"},\n {"id": "b", oops}\n]\n', "utf-8")
    before = file.read_bytes()
    at = ("--home", str(tmp_path / "bot"))
    found = call("search", "short answers", *at, "--json").json["results"][0]["id"]
    refused = call("facts", "edit", found, "Prefers long answers", *at)
    assert refused.status == 3 and "data/memory/memories.json: line 3: not valid JSON" in refused.err
    assert file.read_bytes() == before


def test_moving(call: Caller, home: Path) -> None:
    done = call("facts", "move", "fact-001", "--to-file", "MEMORY.md", "--to-section", "偏好")
    assert done.status == 0
    assert "- 支付回调必须幂等，重复通知只入账一次\n" in (home / "MEMORY.md").read_text("utf-8")
    assert "fact-001" not in {fact["id"] for fact in json.loads((home / SHOP).read_text("utf-8"))["facts"]}
    assert call("facts", "move", "fact-003").status == 2
    assert call("facts", "move", "fact-003", "--to-file", "../x.md").status == 3
    done = call("facts", "move", "fact-003", "--to-file", "MEMORY.md")
    assert done.status == 3
    assert "point nowhere" in done.err


def test_deleting_asks_first(call: Caller, home: Path) -> None:
    before = (home / SHOP).read_bytes()
    done = call("facts", "delete", "fact-001", "fact-003")
    assert done.status == 3
    assert "--yes" in done.err
    assert (home / SHOP).read_bytes() == before
    assert call("facts", "delete", "fact-001", "fact-003", "--yes").status == 0
    assert [fact["id"] for fact in json.loads((home / SHOP).read_text("utf-8"))["facts"]] == ["fact-002"]
    (gone,) = call("trash", "--json").json["trash"]
    assert gone["what"] == "deleted “支付回调必须幂等，重复通知只入账一次”, and 1 more"
    assert call("undo").status == 0
    assert (home / SHOP).read_bytes() == before


def test_an_id_that_is_in_several_files_is_not_guessed(call: Caller, home: Path) -> None:
    other = home / "areas/projects/other/facts.json"
    other.parent.mkdir()
    other.write_text('{"facts": [{"id": "fact-001", "fact": "another"}]}')
    done = call("facts", "archive", "fact-001")
    assert done.status == 2
    assert "areas/projects/other/facts.json:1" in done.err
    assert call("facts", "archive", listed(call)["another"]["id"]).status == 0
    assert json.loads(other.read_text())["facts"][0]["status"] == "archived"


@pytest.mark.parametrize(
    "argv",
    [
        ("edit",),
        ("edit", "fact-001"),
        ("supersede", "fact-001"),
        ("merge", "fact-001"),
        ("archive",),
        ("archive", "fact-999"),
        ("tag", "fact-001"),
        ("expire", "fact-001"),
        ("expire", "fact-001", "--expires", "soon"),
        ("add",),
        ("add", "x", "--confidence", "2"),
        ("add", "x", "--kind", "a", "--kind", "b"),
        ("list", "--tag", "x"),
        ("show",),
    ],
)
def test_wrong_use(call: Caller, home: Path, argv: tuple[str, ...]) -> None:
    before = (home / SHOP).read_bytes()
    done = call("facts", *argv)
    assert done.status == 2
    assert done.err.strip()
    assert (home / SHOP).read_bytes() == before


def test_the_profile_is_written_when_asked(call: Caller, home: Path) -> None:
    profile = home / "user/profile.md"
    assert call("profile", "add", "Speaks Sichuanese", "--section", "用户", "--kind", "pref").status == 0
    assert profile.read_text("utf-8").count("Speaks Sichuanese") == 1
    memory = next(m for m in call("profile", "list", "--json").json["memories"] if "Sichuanese" in m["text"])
    assert call("profile", "edit", memory["id"], "Speaks Cantonese").status == 0
    assert "Cantonese" in profile.read_text("utf-8")
    assert call("undo").status == 0 and call("undo").status == 0
    assert profile.read_text("utf-8") == "# 用户\n\n- 姓名：小林\n- Lives in Chengdu\n"


def test_the_profile_is_made_only_when_asked(call: Caller, home: Path) -> None:
    (home / "user/profile.md").unlink()
    assert call("profile", "list").status == 0
    assert not (home / "user/profile.md").exists()
    assert call("profile", "init", "--home", str(home)).status == 0
    assert (home / "user/profile.md").read_text("utf-8").startswith("# ")
