"""What some models want said before a question and before a passage; by the model's name, as their cards say."""

from __future__ import annotations

import re

_ENGLISH = "Represent this sentence for searching relevant passages: "

_TABLE = (
    (r"\be5\b(?!.*instruct)", "query: ", "passage: "),
    (r"\bbge\b.*\bzh\b", "为这个句子生成表示以用于检索相关文章：", ""),
    (r"\bbge\b.*\ben\b", _ENGLISH, ""),
    (r"\bnomic embed text\b", "search_query: ", "search_document: "),
    (r"\barctic embed\b.*\bv2\b", "query: ", ""),
    (r"\barctic embed\b|\bmxbai embed\b", _ENGLISH, ""),
)


def prefixes(model: str) -> tuple[str, str]:
    """What stands before a question, and before a passage."""
    words = re.sub(r"[\W_]+", " ", model.lower())
    return next(((query, passage) for name, query, passage in _TABLE if re.search(name, words)), ("", ""))
