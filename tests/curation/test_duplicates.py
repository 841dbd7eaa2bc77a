"""Which memories of several files and homes say the same in other words, and what one is asked about them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

import pytest

from memtui.core.model import Filter, Layer, Memory
from memtui.language.similarity import Likeness
from memtui.review import queue
from memtui.review.census import load_census
from memtui.review.contradictions import find_contradictions
from memtui.review.duplicates import CLASH, EACH, find_duplicates
from memtui.review.fields import limit_pages
from memtui.store.candidates import Candidate
from memtui.store.vault import Vault
from tests.curation.facts_of import fact
from tests.homes.openakita import build

EVERY = Filter(statuses=frozenset(), parts=True)


def line(text: str, path: str, layer: Layer = Layer.KNOWLEDGE) -> Memory:
    return fact(text, None, kind="note", layer=layer, path=path)


def paired(memories: Iterable[Memory]) -> list[tuple[str, str]]:
    return [(keep.path, other.path) for keep, other, _how in find_duplicates(memories, lambda _memory: "")[0]]


@pytest.mark.parametrize(
    ("one", "two"),
    [
        (
            "**Thermal printer**: the kitchen receipts need `ESC/POS` codepage 858, else umlauts break",
            "Kitchen receipts: umlauts break on the thermal printer unless codepage 858 (`ESC/POS`) is set",
        ),
        (
            "**Thermal printer** has codepage 858 set for it.\nReceipts are cut by the till after each drawn order",
            "**Thermal printer** has codepage 858 set for it.\nReceipts are cut by the till after each written order",
        ),
        (
            "Never tear the paper. Kitchen receipts carry the table, the waiter and the hour of the order",
            "Kitchen receipts carry the table, the waiter and the hour of the order. They are blue",
        ),
        (
            "Casbin 统一管理权限策略，医院端不另外建立权限表",
            "医院端的权限策略由 Casbin 统一管理，不另外建立权限表（见迁移记录）",
        ),
    ],
)
def test_the_same_in_other_words_in_two_files(one: str, two: str) -> None:
    assert len(paired([line(one, "a.md"), line(two, "b.md")])) == 1


def test_what_one_file_says_in_two_ways_it_says_of_two_things() -> None:
    one = "**Thermal printer**: the kitchen receipts need `ESC/POS` codepage 858, else umlauts break"
    two = "Kitchen receipts: umlauts break on the thermal printer unless codepage 858 (`ESC/POS`) is set"
    assert not paired([line(one, "a.md"), line(two, "a.md")])


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("The nightly backup of the orders runs on db-1", "The nightly report of the orders runs on db-1"),
        ("短信模板发送之前需要运营审核", "邮件模板发送之前需要运营审核"),
        (
            "Kitchen receipts are printed by the thermal printer with codepage 858",
            "Kitchen receipts are printed by the thermal printer with codepage 437",
        ),
        (
            "Kitchen receipts carry the table, the waiter and the hour of the order. The roll is blue",
            "Kitchen receipts never carry the table, the waiter and the hour of the order. The roll is blue",
        ),
        (
            "Warehouse scanners reconnect to the broker after a dead spot within seconds",
            "Courier tablets reconnect to the broker after a flight within minutes",
        ),
    ],
)
def test_what_only_sounds_alike(one: str, two: str) -> None:
    assert not paired([line(one, "a.md"), line(two, "b.md")])


def test_what_is_like_many_others_has_the_words_of_a_form() -> None:
    subjects = ("basket", "refund", "stock", "courier", "kitchen")
    lines = [
        line(f"The {one} screen shows the empty illustration with a retry button and logs nothing", f"{one}.md")
        for one in subjects
    ]
    assert not paired(lines)


def test_the_person_s_own_words_are_kept() -> None:
    mine = line("Prefers short answers in German without greetings", "USER.md", Layer.PROFILE)
    known = line("Prefers short answers in German without greetings", "MEMORY.md", Layer.CORE)
    assert paired([known, mine]) == [("USER.md", "MEMORY.md")]


def test_of_a_copied_file_one_pair_says_so() -> None:
    rules = [
        f"Rule of the {place}: whoever leaves last puts the {thing} back where it belongs"
        for place, thing in (("kiln", "gloves"), ("loft", "ladder"), ("barn", "lantern"), ("shed", "spade"))
    ]
    rules += [
        "Deliveries are signed for by whoever is at the gate",
        "Keys hang behind the blue door at night",
    ]
    assert len(paired(line(text, path) for path in ("CLAUDE.md", "AGENTS.md") for text in rules)) == 1


def test_two_files_do_not_come_before_all_others() -> None:
    words = ("kiln", "loft", "barn", "shed", "gate", "mill", "dock", "yard", "well", "oven")
    twice = [
        line(f"The key of the {word} hangs behind door {number}", path)
        for number, word in enumerate(words)
        for path in ("a.md", "b.md")
    ]
    # Files that say much else are no copies of one another.
    other = [
        line(f"{word}{number} is {number} metres wide", path)
        for number, word in enumerate(words * 4)
        for path in ("b.md" if number % 2 else "a.md",)
    ]
    found, _near = find_duplicates([*twice, *other], lambda _memory: "")
    assert len(found) == len(words)
    assert sum(how.score > 0.5 for _keep, _other, how in found) == EACH


def test_what_is_read_in_every_session_comes_first() -> None:
    said = "The key of the kiln hangs behind the green door"
    aside = [line("The shed is locked from the inside at ten in the evening", path) for path in ("a.md", "b.md")]
    core = [line(said, "MEMORY.md"), line(said, "c.md")]
    core[0].layer = Layer.CORE
    found, _near = find_duplicates([*aside, *core], lambda _memory: "")
    assert [keep.layer for keep, _other, _how in found] == [Layer.CORE, Layer.KNOWLEDGE]


def _waiting(vault: Vault) -> list[Candidate]:
    return [one for one in queue.load_queue(vault).waiting if one.origin == "duplicate"]


def test_likeness_is_of_the_texts_whatever_a_pair_is_worth(tmp_path: Path) -> None:
    rules = [
        f"- Never ship the {word} service before its own smoke test has passed twice"
        for word in ("billing", "invoice", "payment", "refund", "shipping", "catalogue", "search", "login", "export")
    ]
    notes = tmp_path / ".claude/memory"
    notes.mkdir(parents=True)
    (notes / "MEMORY.md").write_text("# Memory\n\n- [A](a.md) — one\n- [B](b.md) — two\n", "utf-8")
    for name in ("a", "b"):
        head = f"---\nname: {name}\ndescription: rules of {name}\ntype: feedback\n---\n\n"
        (notes / f"{name}.md").write_text(head + "\n".join(rules) + "\n", "utf-8")
    with Vault.open([notes]) as vault:
        found = [one for one in _waiting(vault) if len(one.near) == 1 and one.near[0].text == one.text]
        assert any(one.score < 1 for one in found)
        assert {one.near[0].likeness for one in found} == {1.0}


def test_homes_of_one_checkout_are_compared(tmp_path: Path) -> None:
    (tmp_path / "CLAUDE.md").write_text(
        "# Shop\n\n- When opening a pull request, target the `develop` branch of the shop.\n", "utf-8"
    )
    notes = tmp_path / ".claude/memory"
    notes.mkdir(parents=True)
    (notes / "MEMORY.md").write_text("# Memory\n\n- [Workflow](workflow.md) — how we work\n", "utf-8")
    (notes / "workflow.md").write_text(
        "---\nname: workflow\ndescription: how we work\ntype: feedback\n---\n\n"
        "- When opening pull requests, target the shop's `develop` branch\n"
        "- Invoices are rendered with WeasyPrint\n",
        "utf-8",
    )
    with Vault.open([tmp_path]) as vault:
        assert len(vault.homes) == 2
        (found,) = _waiting(vault)
        assert [source.path for source in found.sources] == ["CLAUDE.md", "workflow.md"]
        assert {source.home for source in found.sources} == {str(home.path) for home in vault.homes}
        before = (tmp_path / "CLAUDE.md").read_bytes()
        receipt = queue.approve(vault, found)
        # What the person wrote stays as it was: the id by which the other one names it is that of its words.
        assert (tmp_path / "CLAUDE.md").read_bytes() == before
        other = next(one for one in vault.memories(EVERY) if one.superseded_by)
        assert re.fullmatch("m-[0-9a-f]{8}", other.superseded_by)
        assert [one.path for one in vault.chain(other).after] == ["CLAUDE.md"]
        assert not _waiting(vault)
        vault.undo(receipt.id)
        assert [one.id for one in _waiting(vault)] == [found.id]
    # What changes in one of them is seen from the other one.
    with Vault.open([tmp_path]) as vault:
        assert _waiting(vault)
        (tmp_path / "CLAUDE.md").write_text("# Shop\n\n- Keys hang behind the blue door at night\n", "utf-8")
        vault.refresh()
        assert not _waiting(vault)


def test_the_numbers_of_rules_only_count_them(tmp_path: Path) -> None:
    said = ("Print clear messages so the cook always knows what is baking", "Handle missing recipes with a kind word")
    for heading, cards in (("Kitchen rules", 1), ("Opening the shop", 0)):
        listed = "".join(f"{at}. {text}\n" for at, text in enumerate(said, 1))
        (tmp_path / "CLAUDE.md").write_text(f"# Shop\n\n## {heading}\n\n{listed}", "utf-8")
        notes = tmp_path / ".claude/memory"
        notes.mkdir(parents=True, exist_ok=True)
        (notes / "MEMORY.md").write_text("# Memory\n\n- [Kitchen](kitchen.md) — how we bake\n", "utf-8")
        head = "---\nname: kitchen\ndescription: how we bake\ntype: feedback\n---\n\n"
        (notes / "kitchen.md").write_text(f"{head}1. Salt comes last\n2. {said[1]}\n3. **{said[0]}**\n", "utf-8")
        with Vault.open([tmp_path]) as vault:
            assert len(_waiting(vault)) == cards


def test_what_is_made_from_a_database_is_no_witness(tmp_path: Path) -> None:
    home = build(tmp_path / "akita")
    with Vault.open([home]) as vault:
        (found,) = load_census(vault)
        rows = [memory.text for memory in found.memories.values() if memory.path.endswith(".db")]
        single = [text for text in rows if "\n" not in text]
    listed = "".join(f"- {text}\n" for text in single)
    (home / "identity/MEMORY.md").write_text(f"# 核心记忆\n\n{listed}", "utf-8")
    (home / "identity/USER.md").write_text(f"# 用户档案\n\n> 由记忆系统自动生成\n\n## 偏好\n{listed}", "utf-8")
    with Vault.open([home]) as vault:
        (found,) = load_census(vault)
        assert any(memory.path.endswith("MEMORY.md") for memory in found.memories.values())
        assert not [pair for pair in found.duplicates if ".md" in pair[0].path + pair[1].path]
        assert not [one for one in found.contradictions if ".md" in one.newer.path + one.older.path]


def test_a_days_note_is_what_the_kept_one_was_made_of() -> None:
    keep = line("**Suppliers:** Ida, Bruno and Odile deliver on Fridays", "MEMORY.md", Layer.CORE)
    two = line("The greenhouse heater drips unless valve 7 is shut before the night", "TOOLS.md", Layer.CORE)
    texts = (
        "Suppliers: Ida, Bruno and Odile deliver on Fridays",
        "Shut valve 7 before the night: else the heater of the greenhouse drips",
        "Shut valve 9 before the night: else the heater of the greenhouse drips",
    )
    days = [line(text, f"memory/2026-02-0{day}.md", Layer.JOURNAL) for day, text in enumerate(texts, 1)]
    found, near = find_duplicates([keep, two], lambda _memory: "", notes=days)
    assert [(keep.path, other.path, how.score < CLASH) for keep, other, how in found] == [
        ("MEMORY.md", "memory/2026-02-01.md", True)
    ], "what a day told and is kept stands at the end"
    topics = [line(memory.text, "memory/oven.md") for memory in days]
    assert len(find_duplicates([keep, two, *topics], lambda _memory: "")[0]) == 2, "a topic is kept up as they are"
    left = [{one.one.path, one.two.path} for one in near]
    assert {"TOOLS.md", "memory/2026-02-03.md"} in left, "another valve: a reader may say which one it is"


@pytest.mark.parametrize(
    ("one", "two", "same"),
    [
        ("**Search:** Algolia (hosted index)", "**Search service:** Algolia Crawler, key in the vault", True),
        (
            "**图标:** Feather Icons（先用 CDN，以后换成本地）",
            "**图标:** Feather Icons（CDN 引入，之后可换掉）",
            True,
        ),
        ("**Search:** Algolia (hosted index)", "**Billing:** Algolia (paid by the month)", False),
        ("**Search:** Algolia 3 (hosted index)", "**Search:** Algolia 4 (hosted index)", False),
    ],
)
def test_fields_that_name_one_thing(one: str, two: str, same: bool) -> None:
    assert bool(paired([line(one, "project.md"), line(two, "wiki/arch.md")])) is same


@pytest.mark.parametrize(
    ("mine", "theirs", "same"),
    [
        (("Host: `10.20.7.41`",), ("Kitchen station: `10.20.7.41` (wired)",), True),
        (("**图片目录**: `/srv/oven/articles/images/`",), ("- 文章图片: `/srv/oven/articles/images/`",), True),
        (("**工作目录**: D 盘，所有文件都往那里写",), ("- 目录: D 盘，所有文件都往那里写",), True),
        (
            ("姓名: 李雷雷", "称呼: 雷哥", "时区: Asia/Shanghai"),
            ("Name: 李雷雷", "What to call: 雷哥", "Zone: Asia/Shanghai"),
            True,
        ),
        (("姓名: 李雷雷",), ("Chef: 李雷雷",), False),
        (("Ovens: 3 weeks",), ("Ovens: 3 weeks",), False),
        (("State of the oven: active",), ("State of the kettle: active",), False),
        (("Port | 1 | `/srv/oven/images/big`",), ("Port | 2 | `/srv/kettle/images/big`",), False),
    ],
)  # fmt: skip
def test_fields_of_one_value(mine: tuple[str, ...], theirs: tuple[str, ...], same: bool) -> None:
    """An address is nobody else's; words need the label, or several fields that are alike in both files."""
    memories = [
        *(line(text, "MEMORY.md", Layer.CORE) for text in mine),
        *(line(text, "USER.md", Layer.PROFILE) for text in theirs),
    ]
    assert bool(paired(memories)) is same
    days = [line(text, f"memory/2026-02-0{day}.md", Layer.JOURNAL) for day in (1, 2) for text in theirs]
    assert find_duplicates([], lambda _memory: "", notes=days)[0] == [], "each tells of its day"


def test_fields_that_only_a_reader_can_tell_apart_are_asked_about() -> None:
    memories = [
        line("Default model: glm-flash for the menu", "MEMORY.md", Layer.CORE),
        line("Default model: kimi-large for the menu", "USER.md", Layer.PROFILE),
    ]
    found, near = find_duplicates(memories, lambda _memory: "")
    assert found == []
    assert [{one.one.path, one.two.path} for one in near] == [{"MEMORY.md", "USER.md"}]


@pytest.mark.parametrize(("sections", "cards"), [(1, 0), (2, 1), (3, 0)])
def test_a_section_that_stands_there_twice(sections: int, cards: int) -> None:
    """One card for all of it; what three sections have is a form."""
    lessons = (
        "Dough that rests over night is cut before the oven is hot",
        "Salt goes in last, else the yeast of the sour dough is slow",
        "Bread is sold by weight, and what is left at night by the piece",
    )
    memories = [
        fact(text, None, kind="note", layer=Layer.CORE, path="MEMORY.md", heading=("Memory", f"Week {week}"))
        for week in range(sections)
        for text in lessons
    ]
    assert len(paired(memories)) == cards


@pytest.mark.parametrize(
    ("one", "two"),
    [
        (
            "`max_oven_drawdown_pct = 30.0` is intended, do not mend it to 25",
            """What the talk of today came to
- `max_oven_drawdown_pct = 30.0` is intended: do not mend it to 25
- the kettle is descaled each spring, by whoever has the key of the cellar
- no cake on Mondays""",
        ),
        (
            "Backups: /srv/oven-backups/nightly/ (03:00 daily)",
            "Each night at 03:00 daily backups go to /srv/oven-backups/nightly/",
        ),
    ],
)
def test_what_one_line_of_another_says_and_what_both_say_of_one_place(one: str, two: str) -> None:
    assert len(paired([line(one, "MEMORY.md", Layer.CORE), line(two, "ops.md")])) == 1


def test_a_change_is_one_card_and_a_day_is_no_rule() -> None:
    now = "The gateway of the kitchen answers on port 18789"
    was = "The gateway of the kitchen answers on port 4096"
    core = fact(now, 1, kind="fact", layer=Layer.CORE, path="MEMORY.md")
    old = [fact(was, 50, kind="fact", layer=Layer.KNOWLEDGE, path=f"{name}.md") for name in "ab"]
    days = [fact(was, 30 - day, kind="note", layer=Layer.JOURNAL, path=f"memory/2026-02-0{day}.md") for day in (1, 2)]
    assert find_contradictions([core, *days]) == []
    found = find_contradictions([core, *old, *days])
    assert [(one.newer.path, one.older.layer) for one in found] == [("MEMORY.md", Layer.KNOWLEDGE)]
    log = [
        fact(
            f"2026-02-0{day} 13:18: edited {name}.md",
            30 - day,
            kind="fact",
            layer=Layer.CORE,
            path="MEMORY.md",
        )
        for day, name in ((1, "oven"), (2, "kettle"))
    ]
    assert find_contradictions(log) == [], "two entries of a log"
    took = [
        fact(
            f"**Time spent on baking:** {many} minutes", None, kind="fact", layer=Layer.CORE, path="MEMORY.md",
            heading=("Memory", name),
        )
        for many, name in ((60, "Bread"), (15, "Cake"))
    ]  # fmt: skip
    assert find_contradictions(took) == [], "two entries, each with its own"


@pytest.mark.parametrize(
    ("one", "two"),
    [
        (
            "**How to apply:** When the push fails, ask whether to install the hook or to pass it over",
            "**How to apply:** When editing a map, keep the drawing order and try both views",
        ),
        ("**Resolved**: 2026-02-27T21:56:00+08:00", "- **Resolved**: 2026-02-27T21:56:00+08:00"),
        (
            "Format: [ERR-YYYYMMDD-XXX] the skill or command",
            "Format: [FIX-YYYYMMDD-XXX] the skill or command",
        ),
        (
            "*This digest was written by the morning script*",
            "*This digest was written by the morning script*",
        ),
        ("Starts the kettle loop", "Start the kettle loop"),
        (
            "**Version:** 2.0 **Updated:** 2026-03-11 **State:** tested with the kettle",
            "**Version:** 2.0 **Updated:** 2026-03-11 **State:** tested with the kettle",
        ),
        (
            "3. **KITCHEN-MAP.md** - Where every pot, pan and oven of the bakery has its place",
            "Read `KITCHEN-MAP.md` - where every pot, pan and oven of the bakery has its place",
        ),
        (
            "`kettle-control.py` · Starts and stops the kitchen's kettle by radio · works on each floor",
            "kettle-controller.py — starts and stops the kitchen's kettle by radio on each floor, untested",
        ),
        (
            "bake attach $IMAGE \\\n--artifact-type menu/example \\\n./menu.json:application/json",
            ".\\bake.exe attach $IMAGE ^\n--artifact-type menu/example ^\n./menu.json:application/json",
        ),
        (
            "Keep what you find out about the oven in `OVEN.md`, never elsewhere",
            "`OVEN.md` → what was found out about the oven",
        ),
        ("用户要求压缩", "- 用户要求压缩"),
        (
            "This document keeps what was found out about the ovens of the bakery, and what is left to do",
            "This document keeps what was found out about the shelves of the bakery, and what is left to do",
        ),
        (
            "Backup of the recipes at ten at night (d08bb063)",
            "Backup of the recipes at ten at night (d08bb063): error",
        ),
        (
            "Cron of the oven: `46f9a069-53ea-43a5-97ea-1ef3fc93d4fe`",
            "Started by: idle check every quarter (46f9a069-53ea-43a5-97ea-1ef3fc93d4fe)",
        ),
        (
            "`oven/index.ts` — entry point of the oven, listens on the port of the kitchen",
            "`kettle/index.ts` — entry point of the kettle, listens on the port of the kitchen",
        ),
    ],
)
def test_what_is_no_decision_for_a_person(one: str, two: str) -> None:
    """Sentences behind one label, stamps, slots, closing lines, names of steps, fields of a form, what is to be read,
    commands, two files."""
    assert not paired([line(one, "a.md"), line(two, "docs/b.md")])


def test_a_step_of_two_procedures_stays(tmp_path: Path) -> None:
    home = tmp_path / "desk"
    home.mkdir()
    step = "Look at the oven and tell the cook exactly what you see there"
    other = "Never leave the pantry door of the bakery open over night"
    for name in ("AGENTS.md", "HEARTBEAT.md"):
        (home / name).write_text(f"# {name}\n\n1. Begin with {name}\n2. {step}\n\n- {other}\n", "utf-8")
    (home / "SOUL.md").write_text("# SOUL.md\n\nBe kind to whoever bakes.\n", "utf-8")
    (home / "memory").mkdir()
    with Vault.open([home]) as vault:
        asked = [one.text for one in queue.load_queue(vault).waiting if one.origin == "duplicate"]
    assert asked == [other]


def test_documents_of_a_workspace_are_read_each_by_itself(tmp_path: Path) -> None:
    home = tmp_path / "desk"
    for folder in ("memory", "playbooks"):
        (home / folder).mkdir(parents=True)
    (home / "SOUL.md").write_text("# Soul\n\n- Calm\n")
    rule = "- Never leave the pantry door of the bakery open over night, the cat comes in\n"
    (home / "AGENTS.md").write_text("# Agents\n\nFollow `playbooks/dawn.md` and `playbooks/dusk.md`.\n")
    for place in ("playbooks/dawn.md", "playbooks/dusk.md", "memory/example-note.md"):
        (home / place).write_text(f"# A day\n\n{rule}")
    with Vault.open([home]) as vault:
        assert not _waiting(vault)
        (home / "playbooks/dawn.md").unlink()
        (home / "playbooks/dusk.md").rename(home / "memory/pantry-door-short.md")
        (home / "memory/example-note.md").rename(home / "memory/pantry-door-long.md")
        vault.refresh()
        assert not _waiting(vault), "two versions of one text"
        (home / "memory/pantry-door-long.md").rename(home / "memory/cats.md")
        vault.refresh()
        assert _waiting(vault)


def test_what_a_workspace_reads_was_made_of_its_notes(tmp_path: Path) -> None:
    home = tmp_path / "desk"
    for folder in ("memory", ".learnings"):
        (home / folder).mkdir(parents=True)
    rule = "- Never leave the pantry door of the bakery open over night, the cat comes in\n"
    (home / "SOUL.md").write_text("# Soul\n\n- Calm\n")
    (home / "MEMORY.md").write_text(f"# Memory\n\n{rule}")
    for place in (".learnings/LEARNINGS.md", "memory/2026-02-03.md"):
        (home / place).write_text(f"# Learnt\n\n{rule}")
    with Vault.open([home]) as vault:
        assert not _waiting(vault), "a log and a day's note are what it was made of"
        (home / "AGENTS.md").write_text(f"# Agents\n\n{rule}")
        vault.refresh()
        assert _waiting(vault), "both are read in every session"


def test_rows_of_two_tables_differ_by_any_number() -> None:
    rows = (
        "Sourdough crates · cellar shelf · 1,000 loaves · rye",
        "Sourdough crates · cellar shelf · 9,000 loaves · rye",
    )
    one, two = (line(text, path, Layer.PROFILE) for text, path in zip(rows, ("USER.md", "AGENTS.md"), strict=True))
    assert paired([one, two]) == []
    two.text = one.text
    assert paired([one, two]) != []


def test_one_value_under_two_labels_in_what_is_read_in_every_session() -> None:
    role = line("**Role:** Head gardener at Fern & Sons", "USER.md", Layer.PROFILE)
    named = line("**Marta Lindqvist:** Head gardener at Fern & Sons", "MEMORY.md", Layer.CORE)
    assert paired([role, named]) == [("USER.md", "MEMORY.md")]
    assert paired([role, line(named.text, "docs/board.md")]) == []


def test_one_figure_of_one_thing_with_other_remarks() -> None:
    told = line("**血压**：138 mmHg（正常 <120）— 偏高，要复查", "USER.md", Layer.PROFILE)
    assert len(paired([told, line("血压：138（高）", "MEMORY.md", Layer.CORE)])) == 1
    assert paired([told, line("血压：121（高）", "MEMORY.md", Layer.CORE)]) == []


def test_two_sections_of_one_file_that_tell_the_same() -> None:
    rules = [
        "**Grafting knives (important):** always sharpen the grafting knives with oil, never dry, before each tray",
        "Always sharpen grafting knives with oil before each tray, never dry",
    ]
    one, two = (
        fact(text, None, kind="note", layer=Layer.PROFILE, path="AGENTS.md", heading=("AGENTS", name))
        for text, name in zip(rules, ("Tools", "Routine"), strict=True)
    )
    assert paired([one, two]) == [("AGENTS.md", "AGENTS.md")]
    rows = [line(" · ".join(text.split(", ")), "AGENTS.md", Layer.PROFILE) for text in rules]
    assert paired(rows) == []


def test_when_two_files_were_written_last_is_no_memory() -> None:
    stamp = line("*最后更新：2026-02-15 00:05 GMT+8*", "SOUL.md", Layer.PROFILE)
    assert paired([stamp, line("最后更新：2026-02-15 00:05 GMT+8", "MEMORY.md", Layer.CORE)]) == []


def test_of_a_workspaces_pages_only_the_first_few_that_repeat_each_other() -> None:
    pages = [line(f"Rule {number}", f"memory/page-{number}.md") for number in range(6)]
    pairs = [(pages[number], pages[number + 1], Likeness("same", 0.9)) for number in range(5)]
    read = (line("Rule", "USER.md", Layer.PROFILE), pages[0], Likeness("same", 0.5))
    kept = limit_pages([*pairs, read], "always")
    assert kept == [*pairs[:3], read]
    assert limit_pages([*pairs, read], "") == [*pairs, read]


def test_another_order_or_another_label_says_nothing_else() -> None:
    for mine, theirs in (
        (
            "All calls of the bakery, tests and ovens go through the gateway in the cellar",
            "All calls of the bakery, ovens and tests go through the gateway in the cellar",
        ),
        (
            "**Temper:** calm, thorough, never in a hurry with guests",
            "**Vibe:** calm, thorough, never in a hurry with guests",
        ),
    ):
        assert paired([line(mine, "USER.md", Layer.PROFILE), line(theirs, "MEMORY.md", Layer.CORE)]) != []
    for mine, theirs in (
        (
            "All calls of the bakery at night go through the gateway in the cellar",
            "All calls of the pastry at night go through the gateway in the cellar",
        ),
    ):
        assert paired([line(mine, "USER.md", Layer.PROFILE), line(theirs, "MEMORY.md", Layer.CORE)]) == []


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("Only the courier app may reopen an order", "**Notes:** Only the courier app may reopen an order"),
        ("**Ton**: ruhig, knapp, sachlich und freundlich", "**Vibe:** ruhig, knapp, sachlich und freundlich"),
        ("**文件偏好**: 默认不给 markdown，除非明确要求", "默认不给 markdown 格式，除非明确要求"),
    ],
)
def test_a_label_makes_no_other_value(one: str, two: str) -> None:
    said = [line(one, "USER.md", Layer.PROFILE), line(two, "MEMORY.md", Layer.CORE)]
    assert paired(said) == [("USER.md", "MEMORY.md")]
    assert not paired([line(one, "USER.md", Layer.PROFILE), line("**Ton**: laut", "MEMORY.md", Layer.CORE)])


def placed(text: str, path: str, start: int, layer: Layer) -> Memory:
    made = line(text, path, layer)
    made.start = made.end = start
    return made


def test_beside_lines_that_are_told_again_fewer_words_suffice() -> None:
    shared = "Invoices are written in euro, with the tax on a line of its own"
    apart = (
        "Ask the owner for help only if a task is truly impossible to finish",
        "Only a truly impossible task goes back with a remark of its reasons and costs",
    )
    beside = [
        placed(shared, "HEARTBEAT.md", 5, Layer.PROFILE), placed(shared, "AGENTS.md", 40, Layer.PROFILE),
        placed(apart[0], "HEARTBEAT.md", 6, Layer.PROFILE), placed(apart[1], "AGENTS.md", 42, Layer.PROFILE),
    ]  # fmt: skip
    assert len(paired(beside)) == 2
    far = [*beside[:3], placed(apart[1], "AGENTS.md", 90, Layer.PROFILE)]
    assert len(paired(far)) == 1


def test_what_somebody_else_is_started_with_says_nothing_twice() -> None:
    said = "The spider guards the house and never answers for its owner in a group"
    assert paired([line(said, "SOUL.md", Layer.PROFILE), line(said, "MEMORY.md", Layer.CORE)])
    for other in ("CLONE-PROMPT.md", "README.md", ".atl/skill-registry.md"):
        assert not paired([line(said, "SOUL.md", Layer.PROFILE), line(said, other)])


def test_a_document_that_tells_the_core_again_is_a_passage_of_two_lines_at_least(tmp_path: Path) -> None:
    lines = [
        "- Three producers work without a formal contract of employment\n",
        "- A third of every commission stays with the company for taxes and profit\n",
    ]
    home = tmp_path / "home"
    (home / "memory/context").mkdir(parents=True)
    (home / "SOUL.md").write_text("# SOUL\n\nBe brief.\n")
    (home / "AGENTS.md").write_text("# AGENTS\n\nRead USER.md first.\n")
    for count in (1, 2):
        (home / "USER.md").write_text("# USER\n\n## Business\n\n" + "".join(lines[:count]))
        (home / "memory/context/people.md").write_text("# People\n\n## Producers\n\n" + "".join(lines[:count]))
        with Vault.open([home]) as vault:
            found = [one for one in queue.load_queue(vault).waiting if one.origin == "duplicate"]
        assert [len(one.members) for one in found] == ([] if count == 1 else [2])


def test_what_words_and_meaning_say_together_is_not_held_to_its_numbers() -> None:
    """Only what nothing but its meaning vouches for is: a clock or a count beside it is told of something else."""
    shared = "builds robots with her brother and trains at the club"
    one = f"Amira is a pupil in Haifa, runs by the sea, {shared} on Sundays, bus 14"
    two = f"Amira is a pupil in Haifa, finishes school in 3 months, {shared}"
    said = [line(one, "USER.md", Layer.PROFILE), line(two, "MEMORY.md", Layer.CORE)]
    assert len(find_duplicates(said, lambda _memory: "")[0]) == 1
    assert len(find_duplicates(said, lambda _memory: "", lambda _memories: [(0, 1, 0.7)])[0]) == 1
