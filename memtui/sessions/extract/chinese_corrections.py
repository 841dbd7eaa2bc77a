"""What counts in Chinese only where it corrects an agent."""

from __future__ import annotations

from memtui.sessions.extract.chinese_parts import GENERIC
from memtui.sessions.extract.tongue import Sign, words

CORRECTIONS: tuple[Sign, ...] = (
    Sign(
        words(
            r"^(?:请|你)?(?:[^，,。]{2,8}?(?:不要|别|不能|不许|不该)|应该|要|得|只|必须|不要|别|不能|用|改用|使用|放|写|叫|走|跑|命名)"
            + GENERIC
            + r".{2,}"
        ),
        "rule",
        0.75,
    ),
    Sign(
        words(
            r"^(?!你|我|把|先|这|那|就|它)[^，,。]{1,8}?(?:用|走|按|要|得|从|以)\s?(?!了|过)[^，,。]{2,24}"
        ),
        "rule",
        0.75,
    ),
    Sign(words(r"^[^，。]{2,24}?(?:是|在|为|叫|位于|用的是|应该是|应该用|要用)\s?.{2,}"), "fact", 0.85),
)
