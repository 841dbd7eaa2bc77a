"""README and manual tell the truth: their tables, commands, links, pictures and Python; the pictures show what the app
shows today; and each named bug (T01 to T44) and fault (F1 to F14) has a test that says its number.
"""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from memtui.cli import COMMANDS
from memtui.manual import TOPICS
from tests import readme, screenshots
from tests.words import judge_translation

ROOT = Path(__file__).parent.parent
TEXT = (ROOT / "README.md").read_text(encoding="utf-8")
TEXTS = {
    "README": TEXT,
    **{topic.name: readme.read_page(topic.name) for topic in TOPICS},
    **{f"zh/{topic.name}": readme.read_page(topic.name, "zh") for topic in TOPICS},
}
SIZE = 12_000
"""Bytes of a README that is read to its end."""


def fences(language: str, text: str = TEXT) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)


def test_the_readme_is_short() -> None:
    assert len(TEXT.encode()) <= SIZE


@pytest.mark.parametrize("topic", readme.PAGES)
def test_the_tables_are_current(topic: str) -> None:
    assert readme.fill_page(topic, TEXTS[topic]) == TEXTS[topic], "run `python -m tests.readme`"
    chinese = TEXTS[f"zh/{topic}"]
    assert readme.fill_page(topic, chinese, "zh") == chinese, "run `python -m tests.readme`"


@pytest.mark.parametrize("topic", [topic.name for topic in TOPICS])
def test_a_page_says_the_same_in_both_languages(topic: str) -> None:
    """As far as that can be told without reading it: its headings, tables and code."""

    def outline(text: str) -> tuple[list[str], int, list[str]]:
        code = [line.partition("#")[0].strip() for line in "".join(fences(r"\w+", text)).splitlines()]
        prose = re.sub(r"(?ms)^```.*?^```$", "", text)
        tables = len(re.findall(r"^\|---", prose, re.MULTILINE))
        return (
            re.findall(r"^#+(?= )", prose, re.MULTILINE),
            tables,
            [line.replace("--demo zh", "--demo") for line in code],
        )

    chinese = TEXTS[f"zh/{topic}"]
    assert outline(chinese) == outline(TEXTS[topic])
    written = re.sub(r"(?ms)^<!-- \w+ -->.*?^<!-- /\w+ -->$|^```.*?^```$|`[^`]*`|^\|.*?$", "", chinese)
    faults = {fault for line in written.splitlines() for fault in judge_translation(("",), line)}
    assert not faults & {"no space between Chinese and Latin", "half-width punctuation"}, faults


@pytest.mark.parametrize("name", TEXTS)
def test_every_command_named_exists(name: str) -> None:
    names = {name for name, _, _ in COMMANDS}
    code = [*fences("sh", TEXTS[name]), *re.findall(r"`(memtui [^`]*)`", TEXTS[name])]
    called = {word for text in code for word in re.findall(r"(?:^|/|&& )memtui ([a-z]+)\b", text, re.MULTILINE)}
    assert called <= names
    assert called or name.removeprefix("zh/") in {"python", "words", "evidence"}


@pytest.mark.parametrize("name", TEXTS)
def test_every_page_named_exists(name: str) -> None:
    named = set(re.findall(r"`memtui help ([a-z]+)`", TEXTS[name]))
    assert named <= {topic.name for topic in TOPICS}


def test_the_readme_links_every_page() -> None:
    assert set(re.findall(r"\]\(memtui/manual/([a-z]+)\.md\)", TEXT)) == {topic.name for topic in TOPICS}


def test_links_and_pictures_lead_somewhere() -> None:
    links = re.findall(r"\]\(([^)#]+)\)|(?:src|href)=\"([^\"#]+)\"", TEXT)
    local = [link for pair in links for link in pair if link and not re.match(r"[a-z]+:", link)]
    assert sum(link.startswith("screenshots/") for link in local) == 3
    assert not [link for link in local if not (ROOT / link).exists()]


def test_there_are_two_commands_of_one_line_each() -> None:
    blocks = [block for block in fences("sh") if "venv" in block]
    assert len(blocks) == 2
    assert all(block.count("\n") == 1 for block in blocks)
    assert "memtui --demo" in blocks[0]
    assert "pytest" in blocks[1]


def test_the_python_door_opens(tmp_path: Path) -> None:
    """The manual's Python runs as it stands, on a home of one file."""
    [code] = fences("python", TEXTS["python"])
    (tmp_path / "MEMORY.md").write_text("# 偏好\n\n- 支付回调一律幂等\n", encoding="utf-8")
    env = {
        **os.environ,
        "HOME": str(tmp_path),
        "XDG_CACHE_HOME": str(tmp_path / ".cache"),
        "PYTHONIOENCODING": "utf-8",
        "PYTHONPATH": str(ROOT),
    }
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env=env,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "MEMORY.md" in done.stdout


@pytest.mark.timeout(900)  # Every view is drawn: 40 seconds, and several times that beside other work.
def test_the_pictures_are_current_and_have_memories_in_them() -> None:
    drawn = screenshots.draw()
    stale = screenshots.list_stale(drawn)
    assert not stale, "\n".join(["run `python -m tests.screenshots`", *stale])
    for name, svg in drawn.items():
        shown = screenshots.words(svg)
        assert "memtui" in shown, name
        assert "openclaw" in shown or "支付" in shown or "shop" in shown, name


def test_staleness_sees_words_and_forgives_versions() -> None:
    old = "<!-- textual 8.2.8, Python 3.11 -->\n<svg><text x='1'>SQLite&#160;3.54.1</text><text>a 398 KB</text></svg>\n"
    other = old.replace("8.2.8", "8.3.0").replace("3.54.1", "3.55").replace("398", "401").replace("x='1'", "x='2'")
    assert not screenshots.stale(old, old)
    assert not screenshots.stale(old, other)
    assert screenshots.stale(old, old.replace("x='1'", "x='2'"))
    assert screenshots.stale(old, other.replace(">a ", ">b "))
    assert screenshots.stale("", old)


TESTS = Path(__file__).parent
WANTED = frozenset({*(f"T{number:02d}" for number in range(1, 45)), *(f"F{number}" for number in range(1, 15))})
_NUMBER = re.compile(r"\b[TF]\d{1,2}\b")
_RANGE = re.compile(r"\b([TF])(\d{1,2}) to \1?(\d{1,2})\b")


def _named(file: Path) -> set[str]:
    tree = ast.parse(file.read_text("utf-8"))
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    words = [ast.get_docstring(node) or "" for node in ast.walk(tree) if isinstance(node, kinds)]
    # A range names none of its members: it is a table of contents.
    return {number for text in words for number in _NUMBER.findall(_RANGE.sub("", text))}


def test_every_fault_is_named_by_a_test() -> None:
    named = set().union(*(_named(file) for file in TESTS.rglob("*.py") if file != Path(__file__)))
    assert not WANTED - named
