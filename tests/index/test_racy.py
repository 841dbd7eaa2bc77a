"""A file written in the very moment it was read may change again without its times showing it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from memtui.index import rows
from tests.index.lined import home, run

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from memtui.index.queries import Index


def test_a_file_just_written_is_read_again(root: Path, index: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rows, "RACY", 3600 * 10**9)
    home(root, {"a.md": "- one\n"})
    run(root, index)
    read: list[str] = []
    real = rows._parsed

    def parsed(source: object) -> object:
        read.append("x")
        return real(source)  # type: ignore[arg-type]

    monkeypatch.setattr(rows, "_parsed", parsed)
    # The same bytes are not parsed again; other bytes of the same size and times would be.
    assert not run(root, index)
    assert index.db.execute("SELECT ctime FROM file").get == -1
    assert not read
    status = (root / "a.md").stat()
    (root / "a.md").write_bytes(b"- two\n")
    os.utime(root / "a.md", ns=(status.st_atime_ns, status.st_mtime_ns))
    assert run(root, index).changed == 1
    monkeypatch.setattr(rows, "RACY", 0)
    run(root, index)
    assert index.db.execute("SELECT ctime > 0 FROM file").get == 1
    assert index.db.execute("SELECT signature IS NOT NULL FROM dir").get == 1
    assert len(read) == 1
