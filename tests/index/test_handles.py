"""Connections are let go of whatever other threads are asking them at that moment."""

from __future__ import annotations

import threading
from contextlib import suppress
from pathlib import Path

import apsw
import pytest

from memtui.core.errors import MemtuiError, StaleIndexError
from memtui.index.queries import Index
from memtui.store.vault import Vault

ENDLESS = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT max(x) FROM n"


def test_closing_while_another_thread_asks(tmp_path: Path) -> None:
    (tmp_path / "notes.md").write_text("- one\n", "utf-8")
    vault = Vault.open([tmp_path])
    asking = threading.Event()

    def endless(index: Index) -> None:
        asking.set()
        index.db.execute(ENDLESS).fetchall()

    def ask() -> None:
        with suppress(MemtuiError, apsw.Error):
            vault._shelves[0]._handles.ask(endless)

    thread = threading.Thread(target=ask, daemon=True)
    thread.start()
    assert asking.wait(10)
    vault.close()
    thread.join(10)
    assert not thread.is_alive()


def test_who_leaves_is_no_error_to_who_asks(tmp_path: Path) -> None:
    (tmp_path / "notes.md").write_text("- one\n", "utf-8")
    with Vault.open([tmp_path]) as vault:
        handles = vault._shelves[0]._handles

        def ended(_index: Index) -> None:
            raise apsw.InterruptError

        # Whoever asked wanted it ended, and is told that it was.
        with pytest.raises(apsw.InterruptError):
            handles.ask(ended)

        for error in (apsw.InterruptError, apsw.ConnectionClosedError, StaleIndexError):

            def left(_index: Index, error: type[Exception] = error) -> None:
                handles.close()
                raise error("it was let go of")

            assert handles.ask(left) is None


def test_threads_that_ended_leave_nothing_open(tmp_path: Path) -> None:
    """A server that runs for days has had hundreds of them."""
    (tmp_path / "notes.md").write_text("- one\n", "utf-8")
    vault = Vault.open([tmp_path])
    handles = vault._shelves[0]._handles
    for _number in range(20):
        thread = threading.Thread(target=vault.find, args=("one",))
        thread.start()
        thread.join()
    assert len(handles._opened) <= 4
    vault.close()
    assert not handles._opened
