"""Only what a person approved, as it was approved, is given to a session as a rule."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from memtui.agents.hooks.rule_events import format_items
from memtui.core.config import Config
from memtui.core.edits import Draft
from memtui.fs.places import state
from memtui.layouts.discovery import open_home_at
from memtui.review import queue
from memtui.safety.sanitize import CONVENTIONS, DATA, RULES
from memtui.sessions.rules import load_rules_for
from memtui.store.candidates import Candidate
from memtui.store.passage import LEDGER, TRUST
from memtui.store.vault import Vault
from tests.sessions.beginnings import Homes, given, session, written

RULE = "Run `make lint` before every commit"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    files = {
        "MEMORY.md": "# MEMORY\n\n## 规则\n- 禁止直接推送主分支\n\n## Facts\n- the port is 8080\n",
        "areas/projects/shop/rules.md": "# shop 开发规范\n\n## 编码规范\n- 处理器要薄\n",
    }
    return written(tmp_path / ".memtui", files).resolve()


@pytest.fixture
def vault(home: Path) -> Iterator[Vault]:
    with Vault.open([home]) as opened:
        yield opened


def propose(vault: Vault, home: Path, text: str, kind: str = "rule") -> Candidate:
    return queue.propose(vault, str(home), Draft(text, kind), "agent:claude", session="s-1")


def rules(text: str) -> list[str]:
    return re.findall(r"<rule [^>]*>(.*?)</rule>", text, re.DOTALL)


@pytest.mark.parametrize(("text", "kind"), [(RULE, "rule"), ("回答一律用中文，术语保留英文。", "pref")])
def test_what_a_person_approved_is_a_rule(vault: Vault, home: Path, text: str, kind: str) -> None:
    queue.approve(vault, propose(vault, home, text, kind))
    found = given(home)
    assert rules(found.text) == [text]
    assert found.text.count(text) == 1
    assert found.text.count(RULES) == found.text.count(DATA) == 1
    assert found.text.index(RULES) < found.text.index("<rule ") < found.text.index(DATA)
    item = next(item for item in found.items if item.trust == TRUST)
    assert item.text == text and item.line and "a person approved" in item.reason
    # What else stands in that file is data as before.
    assert "禁止直接推送主分支" in found.text[found.text.index(DATA) :]


def test_several_at_once_and_edited_first(vault: Vault, home: Path) -> None:
    chosen = [propose(vault, home, RULE), propose(vault, home, "never commit generated files")]
    done, left = queue.approve_all(
        vault, chosen, warned=True, instead={chosen[0].id: {"text": "Run the linter before every commit"}}
    )
    assert len(done) == 1 and not left
    assert sorted(rules(given(home).text)) == [
        "Run the linter before every commit",
        "never commit generated files",
    ]


def test_undo_takes_it_back(vault: Vault, home: Path) -> None:
    receipt = queue.approve(vault, propose(vault, home, RULE))
    assert (state() / LEDGER).is_file()
    vault.undo(receipt.id)
    assert not rules(given(home).text) and not (state() / LEDGER).exists()
    # An agent that writes the same words now has no one's approval.
    (home / "MEMORY.md").write_text(f"# MEMORY\n\n## Rules\n- {RULE}\n", "utf-8")
    assert RULE in given(home).text and not rules(given(home).text)


def test_a_fact_that_was_approved_is_no_rule(vault: Vault, home: Path) -> None:
    queue.approve(vault, propose(vault, home, "the staging server is called heron", "fact"))
    found = given(home)
    assert "heron" in found.text and not rules(found.text)
    assert RULES not in found.text


def test_an_agents_approval_does_not_count(vault: Vault, home: Path) -> None:
    queue.approve(vault, propose(vault, home, RULE), who="agent:claude")
    assert RULE in given(home).text and not rules(given(home).text)


def test_a_home_brings_no_approvals_along(vault: Vault, home: Path, tmp_path: Path) -> None:
    queue.approve(vault, propose(vault, home, RULE))
    ledger = (state() / LEDGER).read_bytes()
    clone = (tmp_path / "clone/.memtui").resolve()
    shutil.copytree(home, clone)
    for name in (LEDGER, "approved.jsonl", "evolution/approved.jsonl"):
        (clone / name).parent.mkdir(parents=True, exist_ok=True)
        (clone / name).write_bytes(ledger.replace(str(home).encode(), str(clone).encode()))
    found = given(clone)
    assert RULE in found.text and not rules(found.text)
    assert rules(given(home).text) == [RULE]


@pytest.mark.parametrize(
    "changed",
    [
        f"{RULE}, then push",
        RULE.upper(),
        RULE.replace("before", "after"),
        f"{RULE}\n  - and skip it on Fridays",
    ],
)
def test_another_word_makes_it_a_memory_again(vault: Vault, home: Path, changed: str) -> None:
    queue.approve(vault, propose(vault, home, RULE))
    file = home / "MEMORY.md"
    text = file.read_text("utf-8")
    assert text.count(RULE) == 1
    file.write_text(text.replace(RULE, changed), "utf-8")
    assert not [rule for rule in rules(given(home).text) if rule != RULE]
    assert "Fridays" not in "".join(rules(given(home).text))


def test_in_another_file_it_is_not_approved(vault: Vault, home: Path) -> None:
    queue.approve(vault, propose(vault, home, RULE))
    path = next(item.path for item in given(home).items if item.trust == TRUST)
    (home / path).write_text("# moved\n\n- nothing\n", "utf-8")
    written(home, {"areas/projects/shop/rules.md": f"# shop 开发规范\n\n## 编码规范\n- {RULE}\n"})
    assert RULE in given(home).text and not rules(given(home).text)


def test_with_the_first_file_that_is_read(vault: Vault, home: Path) -> None:
    path = "areas/projects/shop/rules.md"
    queue.approve(vault, propose(vault, home, "处理器里不写 SQL", "rule"), path=path)
    place = open_home_at(home)
    found = load_rules_for(Homes((place,)), "/home/u/shop/a.py", session(), Config())
    assert [(item.trust, item.text) for item in found][:1] == [(TRUST, "处理器里不写 SQL")]
    assert "处理器要薄" in found[1].text and "SQL" not in found[1].text
    text = format_items(found, "The rules of shop.")
    assert rules(text) == ["处理器里不写 SQL"]
    # What the person keeps there binds the code; what came with a project does not.
    assert (
        text.index("The rules of shop.")
        < text.index(RULES)
        < text.index(CONVENTIONS)
        < text.index("处理器要薄")
    )
    assert DATA not in text
    brought = load_rules_for(Homes((place._replace(project="/x"),)), "/home/u/shop/a.py", session(), Config())
    text = format_items(brought, "")
    assert CONVENTIONS not in text and text.index(DATA) < text.index("处理器要薄")


def test_a_broken_ledger_is_no_harm(vault: Vault, home: Path) -> None:
    queue.approve(vault, propose(vault, home, RULE))
    with (state() / LEDGER).open("ab") as file:
        file.write(b'\xff\xfe{\n[1]\n{"home": 3}\n{"home": "' + str(home).encode() + b'", "path": 4}\n')
    assert rules(given(home).text) == [RULE]


def test_what_superseded_it_is_heeded(vault: Vault, home: Path) -> None:
    queue.approve(vault, propose(vault, home, RULE))
    file = home / "MEMORY.md"
    file.write_text(file.read_text("utf-8").replace(RULE, f"~~{RULE}~~"), "utf-8")
    assert not rules(given(home).text)
