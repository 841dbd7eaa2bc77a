"""What could not be written yet is kept whole, in order, and taken once."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

from memtui.core.errors import UnavailableError
from memtui.fs import spool
from memtui.fs.locks import hold_lock
from memtui.fs.places import make_private_directory, state


class Taken(list[Any]):
    """Takes records, and says whether it is done with them."""

    def __init__(self, done: bool = True) -> None:
        self._done = done

    def __call__(self, record: dict[str, Any]) -> bool:
        self.append(record)
        return self._done


def test_kept_in_order_for_this_user_only_and_taken_once() -> None:
    assert spool.list_spooled_records() == []
    kept = [spool.put({"text": f"第 {number} 条"}) for number in range(5)]
    assert spool.list_spooled_records() == kept
    assert {path.stat().st_mode & 0o777 for path in kept} == {0o600}
    taken = Taken()
    assert spool.drain(taken) == 5
    assert [record["text"] for record in taken] == [f"第 {number} 条" for number in range(5)]
    assert spool.list_spooled_records() == []
    assert spool.drain(lambda _record: True) == 0


def test_what_is_not_done_with_waits_on() -> None:
    for number in range(4):
        spool.put({"number": number})
    assert spool.drain(lambda record: bool(record["number"] % 2)) == 2
    left = Taken(done=False)
    assert spool.drain(left) == 0
    assert [record["number"] for record in left] == [0, 2]
    assert len(spool.list_spooled_records()) == 2


@pytest.mark.parametrize("bad", [b"", b"{", b"[1]", b"\xff\xfe", b'"text"', b"[" * 100_000])
def test_what_cannot_be_read_is_put_beside(bad: bytes) -> None:
    spool.put({"text": "good"})
    path = spool.find_spool_directory() / f"{'0' * 20}-torn.json"
    path.write_bytes(bad)
    taken = Taken()
    assert spool.drain(taken) == 1
    assert taken == [{"text": "good"}]
    assert spool.list_unreadable_records() == [path.with_suffix(".unreadable")]
    assert spool.list_unreadable_records()[0].read_bytes() == bad


def test_a_torn_write_is_never_read() -> None:
    make_private_directory(spool.find_spool_directory())
    (spool.find_spool_directory() / ".0-half.json.part").write_bytes(b'{"text": "ha')
    assert spool.list_spooled_records() == []


def test_one_process_drains_at_a_time() -> None:
    spool.put({"text": "x"})
    make_private_directory(state() / "locks")
    with hold_lock(state() / "locks" / "spool.lock"):
        assert spool.drain(lambda _record: True) == 0
    assert len(spool.list_spooled_records()) == 1
    assert spool.drain(lambda _record: True) == 1


def test_it_does_not_grow_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spool, "MOST", 2)
    spool.put({})
    spool.put({})
    with pytest.raises(UnavailableError, match="memtui doctor"):
        spool.put({})
    with pytest.raises(UnavailableError, match="too many"):
        spool.put({"text": "x" * spool.LARGEST * 3})


def test_many_processes_keep_all_they_are_told() -> None:
    script = (
        "import sys\nfrom memtui.fs.spool import put\n"
        "for n in range(50): put({'text': f'{sys.argv[1]}-{n}'})\n"
    )
    children = [subprocess.Popen([sys.executable, "-c", script, str(number)]) for number in range(4)]
    assert [child.wait() for child in children] == [0] * 4
    texts = {json.loads(path.read_bytes())["text"] for path in spool.list_spooled_records()}
    assert len(texts) == 200
