"""The hall: `vault.Vault`, the homes opened together, and the one write path that everything takes.

Above search and language, below review, lifecycle, sessions and evolution, which share what stands here: candidates and
decisions, passages, projects, retention. Reading: `home.OpenHome`, `find`, `lookup`, `reading`, `live`. Writing:
`writing` (the vault's doors), `prepare`, `write_path`, `carry_out`, `history`, `staging` (many as one), `verbs`.
"""

from __future__ import annotations
