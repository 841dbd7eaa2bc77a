"""What is seen of memtui from outside, kept as golden files: commands, hooks, tools, files that writes leave behind.

Nothing here imports an inner module: only `python -m memtui` and `from memtui import Vault`, so the house may be
rebuilt around it. `python -m tests.contracts --write` writes `golden/` anew; whatever differs then is meant and said.
`demo.tar.xz` is the demo home as it was when this was begun, `old/` what version 0.1.0 left on disk.
"""

from __future__ import annotations
