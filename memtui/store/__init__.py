"""The homes opened together, and the one write path: what every front door uses.

Floor: above language, below review, lifecycle, sessions and evolution, which share what stands here (candidates
and decisions, passages, projects, retention). Doors for reading: `vault.Vault`, `home.OpenHome`, `find`,
`lookup`, `reading`, `live`. Doors for writing: `writing` (the vault's methods), `write_path`, `carry_out`,
`history`, `staging` (many writes as one), `verbs`.
"""

from __future__ import annotations
