"""What happens to memories with time (spec 003): expiry and decay, attachments, and moving to another layout.

Doors: `expiry.plan`, `attachments`, `migrate`. Shown first, carried out on request, undone as one.
"""

from __future__ import annotations
