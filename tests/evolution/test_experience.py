"""Ids of experiences: as code-memory's scripts count, and the same however a lesson is marked up."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memtui import Vault
from memtui.core.errors import UsageError
from memtui.core.model import Filter, Memory
from memtui.evolution import effects, experiences
from memtui.language import similarity


def md5(text: str) -> str:
    return hashlib.md5(text.encode(), usedforsecurity=False).hexdigest()[:16]


def home(path: Path, lesson: str, rule: str = "- Never build SQL from strings") -> Path:
    rules = path / "areas/projects/shop/rules.md"
    rules.parent.mkdir(parents=True)
    rules.write_text(f"# shop 开发规范\n\n## Style\n{rule}\n", "utf-8")
    (path / "MEMORY.md").write_text(f"# 核心记忆\n\n## 避坑经验\n{lesson}\n", "utf-8")
    (path / "evolution").mkdir()
    (path / "daily").mkdir()
    return path


def first(vault: Vault, path: str) -> Memory:
    return next(memory for memory in vault.memories(Filter(path=path), "path"))


@pytest.mark.parametrize(
    ("bullet", "counted"),
    [
        ("- **加密前先 base64** (2026-02-26, auto)", "加密前先base64"),
        ("- Use `uv`, not pip", "Use`uv`,notpip"),
        ("- [2026-02-20] 不要在循环里查库", "[2026-02-20]不要在循环里查库"),
        ("- **Ask Lin (not Wang)** (2026-02-26, auto)", "AskLin(notWang)"),
        ("- Never push on Fridays (really)", "NeverpushonFridays"),
    ],
)
def test_what_the_scripts_of_code_memory_count(tmp_path: Path, bullet: str, counted: str) -> None:
    path = home(tmp_path / ".claude" / "memory", bullet)
    (path / "config.json").write_text('{"project_name_map": {}}', "utf-8")
    with Vault.open([path]) as vault:
        assert vault.homes[0].layout == "code-memory"
        memory = first(vault, "MEMORY.md")
        assert experiences.identify_experience(vault, memory).id == f"avoidance:{md5(counted)}"
        assert experiences.load_known_experiences(vault)[f"avoidance:{md5(counted)}"].id == memory.id
        assert experiences.load_known_experiences(vault)[md5(counted)].id == memory.id


@pytest.mark.parametrize("lesson", ["Use `uv` instead of *pip* for installs", "不要在循环里查询数据库"])
def test_the_same_however_it_is_marked_up(tmp_path: Path, lesson: str) -> None:
    plain = lesson.replace("`", "").replace("*", "")
    forms = [
        lesson, plain, f"**{plain}**", f"**{lesson}** (2026-02-26)", f"[2026-02-20] {plain}", f"{plain} (see the wiki)",
        f"{lesson} (2026-02-26, auto)", plain.replace(" ", "  "), plain.replace("uv", "[uv](https://x.dev)"),
    ]  # fmt: skip
    ids = set()
    for number, form in enumerate(forms):
        root = home(tmp_path / f"{number}" / ".memtui", f"- {form}")
        (root / "user").mkdir()
        with Vault.open([root]) as vault:
            assert vault.homes[0].layout == "memtui"
            memory = first(vault, "MEMORY.md")
            ids.add(experiences.identify_experience(vault, memory).id)
            # What a home of code-memory's wrote is known here, too.
            assert (
                experiences.load_known_experiences(vault)[f"avoidance:{similarity.digest(form)}"].id
                == memory.id
            )
    assert len(ids) == 1


def test_rules_by_project_and_category(tmp_path: Path) -> None:
    path = home(
        tmp_path / ".memtui", "- Ask before you push", "- Never build **SQL** from strings (2026-02-08)"
    )
    (path / "user").mkdir()
    with Vault.open([path]) as vault:
        memory = first(vault, "areas/")
        digits = md5("NeverbuildSQLfromstrings")
        assert experiences.identify_experience(vault, memory).id == f"rule:shop:Style:{digits}"
        known = experiences.load_known_experiences(vault)
        assert (
            effects.find_experience(known, f"rule:shop:Coding:{digits}") is known[f"rule:shop:Style:{digits}"]
        )
        assert effects.find_experience(known, f"rule:other:Style:{digits}") is None
        assert effects.find_experience(known, "avoidance:0000000000000000") is None
        assert experiences.resolve_experience(vault, memory.id).id == f"rule:shop:Style:{digits}"
        assert experiences.resolve_experience(vault, "avoidance:0123").home == ""
        for bad in ("nothing", "avoidance:../../x", "rule:a\nb"):
            with pytest.raises(UsageError):
                experiences.resolve_experience(vault, bad)


def test_known_again_after_a_change(tmp_path: Path) -> None:
    path = home(tmp_path / ".memtui", "- Ask before you push")
    (path / "user").mkdir()
    with Vault.open([path]) as vault:
        before = experiences.load_known_experiences(vault)
        assert experiences.load_known_experiences(vault) is before
        (path / "MEMORY.md").write_text("# M\n\n## 避坑经验\n- Always tag a release\n", "utf-8")
        vault.refresh()
        assert md5("Alwaystagarelease") in experiences.load_known_experiences(vault)
        assert md5("Askbeforeyoupush") not in experiences.load_known_experiences(vault)


_TEXT = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="*()\x00"), min_size=1, max_size=60
)


@settings(deadline=None)
@given(_TEXT, st.sampled_from(["", " (2026-02-26, auto)", " (x)", "（又一个）"]))
def test_the_digest_leaves_out_what_the_scripts_leave_out(text: str, aside: str) -> None:
    counted = "".join((text + ("" if aside.isascii() else aside)).split())
    assert similarity.digest(f"**{text}**{aside}") == similarity.digest(f" {text} {aside} ")
    assert (
        similarity.digest(f"{text}{aside}")
        == hashlib.md5(counted.encode(), usedforsecurity=False).hexdigest()[:16]
    )


def test_a_hostile_line_takes_no_time() -> None:
    import time

    begun = time.process_time()
    for text in (" " * 65000 + "x", "(" * 65000, "[" * 65000, "*" * 65000, "a(" * 30000, "[a](" * 16000):
        similarity.digest(text)
        similarity.strip_list_mark(text)
    assert time.process_time() - begun < 1.0
