"""Digests are those of the standard library, however much is digested."""

from __future__ import annotations

import hashlib

from memtui import digest


def test_digests_are_the_usual_ones() -> None:
    for size in (0, 1, 1000, 300_000, 1000):
        data = b"x" * size
        assert digest.sha256(data) == hashlib.sha256(data).hexdigest()
        assert digest.sha1(data) == hashlib.sha1(data, usedforsecurity=False).hexdigest()
