"""What makes an agent use memtui, and takes it back: hooks, an MCP server, a skill that says when to search.

These files are an agent's settings and no home's, so `Vault.apply` does not write them: it would redact a
person's settings, and its undo knows homes only. They are written by the same commit (atomic, refused where the
file is no longer what was shown, links kept), all or none; what they held is kept below the state directory,
with a record from which `plan_removal` restores them to the byte. Where a file was changed since, or no record
is left, only what is ours goes, known by the program that it calls (reliability T16). Nothing that another tool
put there is switched off.
"""

from __future__ import annotations
