"""What the hand calls when something is written: loaded with the first write, or behind the first frame."""

from __future__ import annotations

from memtui.fs import displaced
from memtui.store import history, staging, standing, verbs


class HandWork:
    """One name for each piece of work."""

    keep_text = staticmethod(displaced.keep)
    list_kept_files = staticmethod(displaced.list_kept_files)
    explain_refusal = staticmethod(verbs.explain_refusal)
    reload_memory = staticmethod(standing.reload_memory)
    apply_each = staticmethod(staging.apply_each)
    quote_restored = staticmethod(history.quote_restored)
