"""One question to a language model, where a person configured one: by a command or an OpenAI-compatible endpoint.

Floor: above safety, beside fs. Doors: `ask.why_not` and `ask.ask`. Texts are masked before they leave; nothing
is asked on memtui's own account.
"""

from __future__ import annotations
