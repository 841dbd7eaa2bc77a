"""Answers by number to the questions that an agent had listed: each means something with its question only."""

from __future__ import annotations

import re

from memtui.sessions.extract.sentences import chinese
from memtui.sessions.extract.wording import closed, tidy

_REPLY = re.compile(
    r"(?:^|[\s，,；;。])\(?([1-9])\s?[.、):：]\s*(\S.{0,160}?)(?=[\s，,；;。]\(?[1-9]\s?[.、):：]|\s*$)"
)
_QUESTION = re.compile(r"\s*(?:[-*]\s+)?(?:\*\*)?\(?([1-9])[.、)）:：]\s*(?:\*\*)?\s*(.{3,160}?)[?？]")
_LEAST = 2
_ENDS = "。.，,；; "


def replied(answer: str, text: str) -> str:
    """What was settled, question by question; empty: these are no such answers."""
    said = _REPLY.findall(" ".join(answer[:1200].split("\n")))
    if len(said) < _LEAST:
        return ""
    asked = {
        found[1]: closed(tidy(found[2]))
        for line in text.splitlines()
        if (found := _QUESTION.match(line[:240]))
    }
    pairs = [(asked[number], reply.strip(_ENDS)) for number, reply in said if number in asked]
    if len(pairs) < _LEAST:
        return ""
    wide = chinese(answer)
    return ("；" if wide else "; ").join(
        f"{question} → {reply}" for question, reply in pairs if not reply.endswith(("?", "？"))
    )
