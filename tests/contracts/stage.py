"""A place where commands run the same every time: a user of its own, a clock that stands still, fixed paths."""

from __future__ import annotations

import difflib
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import memtui
from tests.forking import run_memtui

HERE = Path(__file__).parent
HOMES = HERE.parent / "homes"
PLACE = Path("/tmp/memtui-contracts")
"""Always the same: lengths of paths decide how tables are set, and how much fits into a context."""

NOW = datetime.fromisoformat("2026-03-02T10:30:00+08:00")
DEMO_NOW = datetime.fromisoformat("2026-11-20T18:30:00+08:00")
"""Where the demo's newest day is today."""

_BEFORE = 1_700_000_000
"""When files were written, and every look a second later: long past on every machine, whatever clock is asked."""

_WRITE = re.compile(r"(?<![0-9a-f])[0-9a-f]{20}(?![0-9a-f])")
_END = re.compile(r"(?<![0-9a-f-])[0-9a-f]{12}(?![0-9a-f])")
_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")
_DRAWN = (
    (re.compile(r"/memtui/[0-9a-f]{16}/index-"), "/memtui/<home>/index-"),
    (re.compile(r"\b(index|memory)-\d+-[0-9a-f]{16}\.sqlite"), r"\1-<index>.sqlite"),
    (re.compile(r"\blog-\d{6,9}-[0-9a-z]{4}\b"), "log-<drawn>"),
    (re.compile(r"\b\d+(?:\.\d+)? ms\b"), "<ms>"),
)
"""What is drawn by lot or measured, and what stands for it."""

_LINES = 12
"""Lines of a change to a file that are kept as they are."""

_DERIVED = (".sqlite", ".sqlite-wal", ".sqlite-shm", ".current", ".names", ".lock")

_MEASURED = re.compile(r"(?:^|_)(?:bytes|ms|seconds|took|elapsed)$")


class Stage:
    """One scene's place. `run` calls memtui there and notes what it answered."""

    def __init__(self, name: str, now: datetime = NOW) -> None:
        self.root = PLACE / name
        self.now = now
        self.cwd = self.root / "work"
        self.user = self.root / "user"
        self.notes: list[dict[str, Any]] = []
        self._writes: dict[str, str] = {}
        self._seen: dict[str, bytes] = {}
        self._sessions: dict[str, str] = {}
        self._said = ""
        self._first: dict[str, bytes] = {}
        shutil.rmtree(self.root, ignore_errors=True)
        for folder in (self.cwd, self.user):
            folder.mkdir(parents=True)
        # Installed agents are told by which path memtui is called: one that is the same on every machine.
        self._program = self.write("bin/memtui", "from memtui.__main__ import main\n\nmain()\n")
        self._program.chmod(0o755)

    # -- what the scene begins with -----------------------------------------------------------------------------

    def bring(self, home: str, to: str) -> Path:
        """Copy one of tests/homes to the path `to` under the root."""
        target = self.root / to
        shutil.copytree(HOMES / home, target, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
        return target

    def demo(self) -> Path:
        """Unpack the demo home; the moment of this stage is then the demo's."""
        target = self.root / "demo"
        unpack(HERE / "demo.tar.xz", target)
        return target

    def write(self, path: str, text: str) -> Path:
        """Write a file under the root."""
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        return file

    def begin(self) -> None:
        """All is in place: date it, and remember it for `look`."""
        for path in self._files():
            os.utime(path, (_BEFORE, _BEFORE), follow_symlinks=False)
        self._seen = self._first = self._contents()

    # -- what happens -------------------------------------------------------------------------------------------

    def run(
        self,
        *argv: str | Path,
        stdin: str = "",
        env: Mapping[str, str] | None = None,
        keep: Callable[[Any], Any] | None = None,
        module: str = "",
    ) -> Any:
        """Run `memtui ARGV`, note status and answers, and answer what stood on stdout: JSON where it is.

        `keep` says what of stdout is noted, where not all of it is a contract. `module` is run instead of memtui.
        """
        self.now += timedelta(minutes=1)
        words = [str(word) for word in argv]
        self._said += " ".join([*words, stdin])
        around = self._environment() | dict(env or {})
        if module:
            done = subprocess.run(
                [sys.executable, "-m", module, *words],
                input=stdin.encode(), capture_output=True, cwd=self.cwd, env=around, timeout=120, check=False,
            )  # fmt: skip
        else:
            program = str(self._program)
            done = run_memtui(words, given=stdin.encode(), cwd=self.cwd, env=around, program=program)
        out, err = done.stdout.decode("utf-8"), done.stderr.decode("utf-8")
        answer = _parsed(out)
        note: dict[str, Any] = {"run": self._plain(words)}
        if stdin:
            note["stdin"] = self._plain(_parsed(stdin))
        if env:
            note["env"] = self._plain(dict(env))
        note["status"] = done.returncode
        if out:
            note["out"] = self._plain(keep(answer) if keep else answer)
        if err:
            note["err"] = self._plain(err.splitlines())
        self.notes.append(note)
        return answer

    def look(self, what: str = "files", lines: int = _LINES) -> None:
        """Note what changed in files since the last look: lines that came and went, so many of each file."""
        now = self._contents()
        changed: dict[str, Any] = {}
        for name in sorted(self._seen.keys() | now.keys()):
            before, after = self._seen.get(name), now.get(name)
            if before != after:
                changed[name] = _difference(before, after)
        self._seen = now
        short = {name: _short(one, lines) for name, one in self._plain(changed).items()}
        self.notes.append({"look": what, "changed": short})

    def left(self) -> None:
        """Note which files are not as they were at the beginning."""
        now = self._contents()
        names = sorted(name for name in self._first.keys() | now.keys() if self._first.get(name) != now.get(name))
        self.notes.append({"look": "not as at the beginning", "files": names})

    def note(self, what: str, value: Any) -> None:
        """Note a value of the scene's own."""
        self.notes.append({"look": what, "value": self._plain(value)})

    # -- inner ----------------------------------------------------------------------------------------------------

    def _environment(self) -> dict[str, str]:
        user = str(self.user)
        return {
            "PATH": os.environ.get("PATH", ""),
            "PYTHONPATH": str(Path(memtui.__file__).parent.parent),
            "HOME": user,
            "XDG_CACHE_HOME": f"{user}/.cache",
            "XDG_CONFIG_HOME": f"{user}/.config",
            "XDG_DATA_HOME": f"{user}/.data",
            "XDG_STATE_HOME": f"{user}/.state",
            "XDG_RUNTIME_DIR": f"{user}/.runtime",
            "TMPDIR": user,
            "LANG": "C.UTF-8",
            "LANGUAGE": "en",
            "TERM": "xterm-256color",
            "COLUMNS": "100",
            "MEMTUI_NOW": self.now.isoformat(),
            "MEMTUI_TZ": "Asia/Shanghai",
            "MEMTUI_VECTOR_BACKEND": "off",
            "MEMTUI_WORKER": "off",
        }

    def _files(self) -> list[Path]:
        """Files that people and agents see: neither cache nor state."""
        own = {".cache", ".state", ".runtime", ".data"}
        found = []
        for folder, folders, names in os.walk(self.root):
            if Path(folder) == self.user:
                folders[:] = [name for name in folders if name not in own]
            # An index that its layout keeps in the home is derived, and no contract.
            found += [Path(folder, name) for name in names if not name.endswith(_DERIVED)]
        return sorted(found)

    def _contents(self) -> dict[str, bytes]:
        """What the files hold. What was written since the last look gets a time that is no real one."""
        found = {}
        for path in self._files():
            name = path.relative_to(self.root).as_posix()
            found[name] = os.readlink(path).encode() if path.is_symlink() else path.read_bytes()
            if self._seen and found[name] != self._seen.get(name):
                seconds = _BEFORE + len(self.notes)
                os.utime(path, (seconds, seconds), follow_symlinks=False)
        return found

    def _plain(self, value: Any, key: str = "") -> Any:
        """The value without what differs from run to run."""
        if isinstance(value, dict):
            return {self._plain(name): self._plain(one, name) for name, one in value.items()}
        if isinstance(value, list | tuple):
            return [self._plain(one) for one in value]
        if isinstance(value, int | float) and not isinstance(value, bool) and _MEASURED.search(key):
            return f"<{key}>"
        if not isinstance(value, str):
            return value
        for root in {str(self.root.resolve()), str(self.root)}:
            value = value.replace(root, "{root}")
        value = value.replace(sys.executable, "{python}")
        value = _UUID.sub(self._session, value)
        value = _WRITE.sub(lambda match: self._writes.setdefault(match[0], f"<write {len(self._writes) + 1}>"), value)
        # Tables show the end of an id only.
        value = _END.sub(self._ended, value)
        for pattern, instead in _DRAWN:
            value = pattern.sub(instead, value)
        return value

    def _ended(self, match: re.Match[str]) -> str:
        return next((name for own, name in self._writes.items() if own.endswith(match[0])), match[0])

    def _session(self, match: re.Match[str]) -> str:
        """An id of a session: kept where the scene itself named it, else it was drawn."""
        own = match[0]
        if own not in self._sessions:
            given = own in self._said or any(own in name or own.encode() in data for name, data in self._first.items())
            drawn = sum(name != known for known, name in self._sessions.items()) + 1
            self._sessions[own] = own if given else f"<session {drawn}>"
        return self._sessions[own]


def unpack(archive: Path, to: Path) -> None:
    """Unpack an archive of ours."""
    to.mkdir(parents=True, exist_ok=True)
    with tarfile.open(archive) as tar:
        tar.extractall(to, filter="data")


def _short(lines: Any, most: int) -> Any:
    """A long list's first lines, and a digest of the others."""
    if not isinstance(lines, list) or len(lines) <= most:
        return lines
    rest = "".join(lines[most:])
    return [*lines[:most], f"and {len(lines) - most} more, {hashlib.sha256(rest.encode()).hexdigest()[:16]}"]


def _parsed(text: str) -> Any:
    """A JSON document, or several of one line each, or else the text's lines."""
    try:
        return json.loads(text)
    except ValueError:
        lines = text.splitlines()
    if lines and lines[0].startswith("{"):
        try:
            return [json.loads(line) for line in lines]
        except ValueError:
            pass
    return lines


def _difference(before: bytes | None, after: bytes | None) -> Any:
    if after is None:
        return "gone"
    try:
        old, new = (
            (before or b"").decode().splitlines(keepends=True),
            after.decode().splitlines(keepends=True),
        )
    except UnicodeDecodeError:
        return "other bytes"
    if before is None:
        return ["new", *new]
    return [line for line in difflib.unified_diff(old, new, n=0) if not line.startswith(("---", "+++"))]
