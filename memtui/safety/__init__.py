"""Pure text in, text out: secrets found and masked, orders to agents noticed, hostile text made fit to be shown.

Just above core. Doors: `redact.redact`, `injection.examine`, `sanitize.safe_text` (for a terminal) and
`sanitize.frame_memory` (for a model).
"""

from __future__ import annotations
