"""Pure text functions: secrets found and masked, prompt injection detected, what is marked private left out, hostile
text made fit for display.

Floor: above core, beside demo and manual. Doors: `redact.redact`, `privacy.drop_private`, `injection.examine`,
`sanitize.sanitize_text` (for a terminal) and `sanitize.frame_memory` (for a model). Injection is found by patterns
(`orders`) and, where none matches, by a trained model (`judge`).
"""

from __future__ import annotations

PHRASE_STEMS = ("pass", "pw", "pin", "code", "ombin", "wort", "contrase")
WIDE_PHRASE_STEMS = (
    "码", "碼", "口令", "暗号", "暗语", "短语", "パスワード", "暗証番号", "合言葉", "비밀번호", "арол", "код", "Код",
)  # fmt: skip
"""Whatever announces words or digits (`secret_phrases`) has one of these."""
