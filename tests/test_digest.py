"""Digests are those of the standard library, however much is digested."""

from __future__ import annotations

import hashlib

from memtui.core import startup


def test_digests_are_the_usual_ones() -> None:
    for size in (0, 1, 1000, 300_000, 1000):
        data = b"x" * size
        assert startup.sha256(data) == hashlib.sha256(data).hexdigest()
        assert startup.sha1(data) == hashlib.sha1(data, usedforsecurity=False).hexdigest()
