"""One shared memory, on the real engine: `pip install -e '.[test,team-server]'`, or MEMTUI_TEAM_DSN asks another."""

from __future__ import annotations
