"""README and manual tell the truth: their tables, commands, links, pictures and Python."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from memtui.cli import COMMANDS
from memtui.manual import TOPICS
from tests import readme
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
    called = {
        word for text in code for word in re.findall(r"(?:^|/|&& )memtui ([a-z]+)\b", text, re.MULTILINE)
    }
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
