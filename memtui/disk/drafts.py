"""What somebody wrote and could not be put in its place is kept: for a conflict, for a full or vanished disk."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from memtui.disk.places import private, state


def keep(name: str, data: bytes) -> str:
    """Keep the bytes under the state directory, or where that fails in the user's runtime directory; answer where.

    `name` is the file's own name. Empty: nowhere at all could anything be written.
    """
    import tempfile

    for directory in _directories():
        with contextlib.suppress(OSError):
            private(directory)
            descriptor, path = tempfile.mkstemp(f".{name[-80:]}", "draft-", directory)
            try:
                with os.fdopen(descriptor, "wb") as file:
                    file.write(data)
                    file.flush()
                    os.fsync(file.fileno())
            except OSError:
                os.unlink(path)
                raise
            return path
    return ""


def left() -> list[str]:
    """What is still kept, the oldest first."""
    found: list[tuple[float, str]] = []
    for directory in _directories():
        with contextlib.suppress(OSError), os.scandir(directory) as entries:
            kept = [
                entry
                for entry in entries
                if entry.name.startswith("draft-") and entry.is_file(follow_symlinks=False)
            ]
            found += [(entry.stat().st_mtime, entry.path) for entry in kept]
    return [path for _time, path in sorted(found)]


def _directories() -> list[Path]:
    import tempfile

    runtime = os.environ.get("XDG_RUNTIME_DIR", "")
    return [
        state() / "drafts",
        *([Path(runtime) / "memtui"] if runtime else []),
        Path(tempfile.gettempdir()) / _mine(),
    ]


def _mine() -> str:
    return f"memtui-{os.getuid() if hasattr(os, 'getuid') else 'drafts'}"
