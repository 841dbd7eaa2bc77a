"""What could not be written yet is kept whole, in order, and taken once."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

from memtui.core.errors import UnavailableError
from memtui.fs import displaced
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
    assert displaced.list_spooled_records() == []
    kept = [displaced.put_record({"text": f"第 {number} 条"}) for number in range(5)]
    assert displaced.list_spooled_records() == kept
    assert {path.stat().st_mode & 0o777 for path in kept} == {0o600}
    taken = Taken()
    assert displaced.drain(taken) == 5
    assert [record["text"] for record in taken] == [f"第 {number} 条" for number in range(5)]
    assert displaced.list_spooled_records() == []
    assert displaced.drain(lambda _record: True) == 0


def test_what_is_not_done_with_waits_on() -> None:
    for number in range(4):
        displaced.put_record({"number": number})
    assert displaced.drain(lambda record: bool(record["number"] % 2)) == 2
    left = Taken(done=False)
    assert displaced.drain(left) == 0
    assert [record["number"] for record in left] == [0, 2]
    assert len(displaced.list_spooled_records()) == 2


@pytest.mark.parametrize("bad", [b"", b"{", b"[1]", b"\xff\xfe", b'"text"', b"[" * 100_000])
def test_what_cannot_be_read_is_put_beside(bad: bytes) -> None:
    displaced.put_record({"text": "good"})
    path = displaced.find_spool_directory() / f"{'0' * 20}-torn.json"
    path.write_bytes(bad)
    taken = Taken()
    assert displaced.drain(taken) == 1
    assert taken == [{"text": "good"}]
    assert displaced.list_unreadable_records() == [path.with_suffix(".unreadable")]
    assert displaced.list_unreadable_records()[0].read_bytes() == bad


def test_a_torn_write_is_never_read() -> None:
    make_private_directory(displaced.find_spool_directory())
    (displaced.find_spool_directory() / ".0-half.json.part").write_bytes(b'{"text": "ha')
    assert displaced.list_spooled_records() == []


def test_one_process_drains_at_a_time() -> None:
    displaced.put_record({"text": "x"})
    make_private_directory(state() / "locks")
    with hold_lock(state() / "locks" / "spool.lock"):
        assert displaced.drain(lambda _record: True) == 0
    assert len(displaced.list_spooled_records()) == 1
    assert displaced.drain(lambda _record: True) == 1


def test_it_does_not_grow_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(displaced, "MOST", 2)
    displaced.put_record({})
    displaced.put_record({})
    with pytest.raises(UnavailableError, match="memtui doctor"):
        displaced.put_record({})
    with pytest.raises(UnavailableError, match="too many"):
        displaced.put_record({"text": "x" * displaced.LARGEST * 3})


def test_many_processes_keep_all_they_are_told() -> None:
    script = (
        "import sys\nfrom memtui.fs.displaced import put_record\n"
        "for n in range(50): put_record({'text': f'{sys.argv[1]}-{n}'})\n"
    )
    children = [subprocess.Popen([sys.executable, "-c", script, str(number)]) for number in range(4)]
    assert [child.wait() for child in children] == [0] * 4
    texts = {json.loads(path.read_bytes())["text"] for path in displaced.list_spooled_records()}
    assert len(texts) == 200
