"""Where there is no pseudo-terminal there is nothing to see."""

from __future__ import annotations

import sys

collect_ignore = ["test_bytes.py", "test_session.py"] if sys.platform == "win32" else []
