"""Pure text functions: secrets found and masked, prompt injection detected, what is marked private left out, hostile
text made fit for display.

Floor: above core, beside demo and manual. Doors: `redact.redact`, `privacy.drop_private`, `injection.examine`,
`sanitize.sanitize_text` (for a terminal) and `sanitize.frame_memory` (for a model). Injection is found by patterns
(`orders`) and, where none matches, by a trained model (`judge`).
"""

from __future__ import annotations
