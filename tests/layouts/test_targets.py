"""Where each layout puts a new memory, what it only appends to, and what it leaves to its own tool."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from memtui.core.edits import Draft, Target
from memtui.core.errors import RefusedError
from memtui.core.model import Home, Layer
from memtui.layouts import load_all_layouts, load_layout
from tests.homes import read_files
from tests.layouts.places import write

HOMES = Path(__file__).parent.parent / "homes"
NOW = 1_771_974_000.0
"""2026-02-24T23:00Z, a day later east of it."""
CLAUDE = "claude/projects/-home-lin-my-shop"
SKILLIX = "skillix/.cursor/skills/memory-data"
USER = "helloagents/user/.helloagents"


def at(path: Path, name: str, project: str = "") -> Home:
    return Home(path, name, "", path.name, project)


def found(name: str, where: str | Path, layer: Layer, draft: Draft | None = None, project: str = "") -> Target:
    path = HOMES / where if isinstance(where, str) else where
    return load_layout(name).target(at(path, name, project), layer, draft or Draft("x 新", "pref"), NOW)


@pytest.mark.parametrize(
    ("name", "where", "layer", "kind", "path", "form", "section", "said"),
    [
        ("memtui", "memtui", Layer.PROFILE, "pref", "user/profile.md", "markdown", "偏好", Layer.PROFILE),
        ("memtui", "memtui", Layer.CORE, "decision", "MEMORY.md", "markdown", "重要决策", Layer.CORE),
        ("memtui", "memtui", Layer.JOURNAL, "note", "daily/2026-02-25.md", "journal", "", Layer.JOURNAL),
        ("xinghebot", "xinghebot", Layer.CORE, "pref", "MEMORY.md", "markdown", "Preferences", Layer.CORE),
        ("xinghebot", "xinghebot", Layer.KNOWLEDGE, "note", "MEMORY.md", "markdown", "Notes", Layer.CORE),
        (
            "xinghebot", "xinghebot", Layer.JOURNAL, "note", "daily/2026-02-24.md", "journal", "",
            Layer.JOURNAL,
        ),
        ("code-memory", "code_memory", Layer.CORE, "pref", "MEMORY.md", "markdown", "个人偏好", Layer.CORE),
        ("code-memory", "code_memory", Layer.CORE, "lesson", "MEMORY.md", "markdown", "避坑经验", Layer.CORE),
        ("code-memory", "code_memory", Layer.JOURNAL, "x", "daily/2026-02-25.md", "hours", "", Layer.JOURNAL),
        ("skillix", SKILLIX, Layer.CORE, "pref", "MEMORY.md", "markdown", "用户偏好", Layer.CORE),
        ("skillix", SKILLIX, Layer.KNOWLEDGE, "decision", "MEMORY.md", "markdown", "重要决策", Layer.CORE),
        ("skillix", SKILLIX, Layer.JOURNAL, "f", "daily/2026-02-24.jsonl", "daily-jsonl", "", Layer.JOURNAL),
        ("claude", CLAUDE, Layer.CORE, "pref", "memory/x-新.md", "topic", "", Layer.KNOWLEDGE),
        (
            "claude", "claude/projects/-home-lin-notes", Layer.CORE, "pref", "memory/MEMORY.md", "markdown",
            "用户偏好", Layer.CORE,
        ),
        ("claude_md", "claude", Layer.PROFILE, "rule", "CLAUDE.md", "markdown", "项目规范", Layer.PROFILE),
        ("codex", "codex", Layer.PROFILE, "pref", "AGENTS.md", "markdown", "用户偏好", Layer.PROFILE),
        ("openclaw", "openclaw", Layer.PROFILE, "pref", "USER.md", "markdown", "Preferences", Layer.PROFILE),
        ("openclaw", "openclaw", Layer.CORE, "lesson", "MEMORY.md", "markdown", "Lessons", Layer.CORE),
        ("openclaw", "openclaw", Layer.JOURNAL, "x", "memory/2026-02-25.md", "journal", "", Layer.JOURNAL),
        (
            "openakita", "openakita/workspace", Layer.PROFILE, "pref", "identity/USER.md", "markdown", "",
            Layer.PROFILE,
        ),
        (
            "helloagents", USER, Layer.PROFILE, "pref", "user/memory/profile.md", "markdown", "偏好",
            Layer.PROFILE,
        ),
        ("plain", "plain", Layer.CORE, "pref", "MEMORY.md", "markdown", "用户偏好", Layer.CORE),
        ("file:notes.md", "plain", Layer.CORE, "pref", "notes.md", "markdown", "", Layer.KNOWLEDGE),
    ],
)  # fmt: skip
def test_where_a_new_memory_goes(
    name: str, where: str, layer: Layer, kind: str, path: str, form: str, section: str, said: Layer,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setenv("MEMTUI_TZ", "Asia/Shanghai")
    target = found(name, where, layer, Draft("x 新", kind))
    assert (target.path, target.format, target.layer) == (path, form, said)
    assert section in {target.section, ""}
    assert target.append_only is (layer is Layer.JOURNAL)
    assert target.exists is (HOMES / where / path).exists()
    role = load_layout(name).role(HOMES / where, target.path)
    assert role is not None
    assert role.layer is said


@pytest.mark.parametrize(
    ("name", "where", "layer"),
    [
        ("codex", "codex", Layer.CORE),
        ("codex", "codex", Layer.KNOWLEDGE),
        ("codex", "codex/memories", Layer.PROFILE),
        ("claude_md", "claude", Layer.KNOWLEDGE),
        ("claude", CLAUDE, Layer.JOURNAL),
        ("claude", "claude", Layer.CORE),
        ("helloagents", USER, Layer.CORE),
        ("helloagents", USER, Layer.JOURNAL),
        ("plain", "plain", Layer.PROFILE),
        ("xinghebot", "xinghebot", Layer.PROFILE),
    ],
)
def test_what_a_home_does_not_take_is_refused_with_the_reason(name: str, where: str, layer: Layer) -> None:
    with pytest.raises(RefusedError, match="takes no"):
        found(name, where, layer)


def test_sessions_and_evolution_are_nobodys_to_write() -> None:
    for kind in load_all_layouts():
        for layer in (Layer.SESSION, Layer.EVOLUTION):
            with pytest.raises(RefusedError):
                kind.target(at(HOMES / "memtui" / "daily", kind.name), layer, Draft("x"), NOW)


def test_knowledge_goes_to_the_area_it_is_about(tmp_path: Path) -> None:
    for folder in ("projects/Shop", "tools/redis"):
        write(tmp_path / "areas" / folder / "facts.json", "{}")
    for name in ("memtui", "code-memory"):
        assert found(name, tmp_path, Layer.KNOWLEDGE, project="/x/shop").path == "areas/projects/Shop/facts.json"
        about = Draft("x", "fact", entities=("Redis",))
        assert found(name, tmp_path, Layer.KNOWLEDGE, about, "/x/shop").path == "areas/tools/redis/facts.json"
        rule = found(name, tmp_path, Layer.KNOWLEDGE, Draft("x", "rule"), "/x/new one")
        assert (rule.path, rule.format, rule.exists) == ("areas/projects/new-one/rules.md", "markdown", False)
        assert found(name, tmp_path, Layer.KNOWLEDGE).path == "areas/projects/general/facts.json"
    part = found("plain", HOMES / "memtui/areas/projects/shop", Layer.KNOWLEDGE)
    assert (part.home, part.path) == (str(HOMES / "memtui/areas/projects/shop"), "facts.json")


def test_headings_are_matched_by_meaning_and_made_in_the_files_language(tmp_path: Path) -> None:
    def section(text: str, kind: str, said: str = "x") -> str:
        write(tmp_path / "MEMORY.md", text)
        return found("memtui", tmp_path, Layer.CORE, Draft(said, kind)).section

    assert section("# M\n\n## 编码规范\n\n## 技术背景\n", "rule") == "编码规范"
    assert section("# M\n\n## 编码规范\n\n## 技术背景\n", "fact") == "技术背景"
    assert section("# M\n\n## Coding standards\n", "rule") == "Coding standards"
    assert section("# M\n\n## 用户偏好（旧）\n", "pref") == "用户偏好"
    assert section("# M\n\n## Rules\n", "pref", "中文") == "Preferences"
    assert section("# M\n\n## 备注\n", "pref", "english") == "用户偏好"
    assert section("", "pref", "english") == "Preferences"
    assert section("- a\n- b\n", "pref") == ""
    target = found("memtui", tmp_path, Layer.CORE, Draft("x", "pref", "My own"))
    assert target.section == "My own"


def test_a_project_with_a_knowledge_base_keeps_it_in_context_and_guidelines(tmp_path: Path) -> None:
    write(tmp_path / ".helloagents/context.md", "# c\n")
    write(tmp_path / ".helloagents/INDEX.md", "# i\n")
    rule = Draft("x", "rule")
    assert found("helloagents", tmp_path, Layer.CORE, rule).path == ".helloagents/context.md"
    write(tmp_path / ".helloagents/guidelines.md", "# g\n")
    assert found("helloagents", tmp_path, Layer.CORE, rule).path == ".helloagents/guidelines.md"
    assert found("helloagents", tmp_path / ".helloagents", Layer.KNOWLEDGE, Draft("x", "fact")).path == "context.md"


def test_a_row_where_there_is_a_database(tmp_path: Path) -> None:
    write(tmp_path / "data/memory/openakita.db", "")
    target = found("openakita", tmp_path, Layer.CORE)
    assert (target.path, target.format, target.layer) == (
        "data/memory/openakita.db",
        "memory-rows",
        Layer.KNOWLEDGE,
    )
    with pytest.raises(RefusedError):
        found("openakita", tmp_path / "data", Layer.CORE)


def test_no_topic_gets_the_name_of_another_in_any_case_or_form(tmp_path: Path) -> None:
    memory = tmp_path / "memory"
    write(memory / "MEMORY.md", "- [a](a.md) — b\n")
    write(memory / "Use-UV.md")
    write(memory / "cafe\u0301.md")

    def path(title: str, text: str = "x") -> str:
        return found("claude", tmp_path, Layer.KNOWLEDGE, Draft(text, title=title)).path

    assert path("use uv") == "memory/use-uv-2.md"
    assert path("caf\u00e9") == "memory/caf\u00e9-2.md"
    assert path("../../etc/passwd") == "memory/etc-passwd.md"
    assert path("MEMORY") == "memory/memory-notes.md"
    assert path("", "缩进用空格，不用制表符\nmore") == "memory/缩进用空格-不用制表符.md"
    assert path("", "!!!") == "memory/memory-topic.md"
    assert len(path("词" * 300).encode()) < 200


def test_a_file_is_not_made_twice_for_its_names_case(tmp_path: Path) -> None:
    write(tmp_path / "memory.md", "# M\n")
    write(tmp_path / "user/x.md")
    target = found("memtui", tmp_path, Layer.CORE)
    assert (target.path, target.exists) == ("memory.md", True)


def test_what_is_only_appended_to() -> None:
    said = {kind.name: kind.append_only for kind in load_all_layouts()}
    for name in ("memtui", "xinghebot", "code-memory"):
        assert said[name]("daily/2026-02-24.md")
        assert not said[name]("MEMORY.md")
    assert said["memtui"]("daily/2026-02-24.jsonl")
    assert said["code-memory"]("evolution/audit.jsonl")
    assert not said["skillix"]("daily/2026-02-24.jsonl")
    assert not said["openclaw"]("memory/2026-02-24.md")
    assert not load_layout("file:daily.md").append_only("daily.md")


def test_what_its_own_tool_writes_is_read_only() -> None:
    said = {kind.name: kind.read_only for kind in load_all_layouts()}
    assert "Codex" in said["codex"]("memories/MEMORY.md")
    assert not said["codex"]("AGENTS.md")
    assert "transcript" in said["codex"]("sessions/2026/02/24/rollout-x.jsonl")
    assert "transcript" in said["claude"]("9f1c2d3e.jsonl")
    assert not said["claude"]("memory/deploy.md")
    assert said["openakita"]("identity/MEMORY.md")
    assert said["helloagents"](".helloagents/sessions/active.json")
    assert said["code-memory"]("evolution/auto-rules.json")
    assert not said["code-memory"]("evolution/generator_state.json")
    for name in ("memtui", "xinghebot", "skillix", "openclaw", "plain", "claude_md"):
        assert not said[name]("MEMORY.md")


def test_a_target_is_only_looked_for(tmp_path: Path) -> None:
    shutil.copytree(HOMES / "memtui", tmp_path / "home")
    before = read_files(tmp_path / "home")
    for layer in (Layer.PROFILE, Layer.CORE, Layer.KNOWLEDGE, Layer.JOURNAL):
        found("memtui", tmp_path / "home", layer)
    assert read_files(tmp_path / "home") == before
    assert not found("memtui", tmp_path / "not there", Layer.CORE).exists
