"""One question to a model, where a person configured one: by a command or an OpenAI-compatible endpoint.

Doors: `ask.why_not` and `ask.ask`. Texts are masked before they leave; nothing is asked by itself.
"""

from __future__ import annotations
