"""What happens to memories with time (spec 003): expiry and decay; and moving to another layout.

Floor: above store, beside review, sessions and evolution. Doors: `expiry.plan` and `expiry.run`,
`bundle.plan`. Everything is shown first, carried out on request, and undone as one.
"""

from __future__ import annotations
