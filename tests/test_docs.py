"""The README tells the truth: its tables, its commands, its pictures, its Python."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from memtui.cli import COMMANDS
from tests import readme

ROOT = Path(__file__).parent.parent
TEXT = readme.README.read_text(encoding="utf-8")


def fences(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", TEXT, re.DOTALL | re.MULTILINE)


def test_the_tables_are_current() -> None:
    assert readme.rendered(TEXT) == TEXT, "run `python -m tests.readme`"


def test_every_command_named_exists() -> None:
    names = {name for name, _, _ in COMMANDS}
    code = [*fences("sh"), *re.findall(r"`(memtui [^`]*)`", TEXT)]
    called = {word for text in code for word in re.findall(r"(?:^|/)memtui ([a-z]+)\b", text, re.MULTILINE)}
    assert called
    assert called <= names


def test_links_and_pictures_lead_somewhere() -> None:
    links = re.findall(r"\]\(([^)#]+)\)|(?:src|href)=\"([^\"#]+)\"", TEXT)
    local = [link for pair in links for link in pair if link and not re.match(r"[a-z]+:", link)]
    assert any(link.startswith("screenshots/") for link in local)
    assert not [link for link in local if not (ROOT / link).exists()]


def test_there_are_two_commands_of_one_line_each() -> None:
    blocks = [block for block in fences("sh") if "venv" in block]
    assert len(blocks) == 2
    assert all(block.count("\n") == 1 for block in blocks)
    assert "memtui --demo" in blocks[0]
    assert "pytest" in blocks[1]


def test_the_python_door_opens(tmp_path: Path) -> None:
    """The README's Python runs as it stands, on a home of one file."""
    [code] = fences("python")
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
