"""A sentence taken apart into the things that it says one after the other."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

LONGEST = 400
"""Characters above which a sentence is none."""

CONDITION = re.compile(
    r"(?:if|when|whenever|before|after|for|in|on|unless|once|every|each|any ?time|since|because|as|while|with|如果|当|凡|只要|每|在|对于?|因为|由于|为了|(?!以后|今后|往后|最后|然后|之后)[^，]{2,14}(?:之?前|之后|(?<![以今往最然之])后|时候?|的话))",
    re.IGNORECASE,
)
"""A sentence that says when it holds."""

_FURTHER = re.compile(
    r"(?:[,，;；]|(?<=[\u3400-\u9fff])\s)\s*(?=(?:and |but )?(?:also|btw|by the way|from now on|going forward|please always|please never|in (?:the )?future|next time|remember)\b(?! (?:mind|fails?|failed|works?|returns?|has|had|been)\b)"
    r"|(?:and|but) (?:please |don't|do not|we (?:always|never)|always|never|i prefer)|另外|还有[，,：:]?|顺便|以后|今后|记住|记得以后|从现在)"
    r"|\s+(?=and (?:also )?(?:please )?(?:remember (?:that|to)|write (?:it |this |that )?down|(?:note|jot) (?:it )?down|keep in mind|make a note)\b)",
    re.IGNORECASE,
)


def parted(sentence: str) -> Iterator[str]:
    """A sentence as the things it says one after the other: 'it works, and from now on …'."""
    if len(sentence) > LONGEST:
        return
    for part in [sentence] if CONDITION.match(sentence.lstrip()) else _FURTHER.split(sentence):
        said = part.strip(" \t,，、")
        if len(said) > 1 or said.isalnum():
            yield said
