"""Words that say nothing about what is looked for, in English and Chinese. Dropped unless nothing else is left."""

from __future__ import annotations

_ENGLISH = (
    "a about all also am an and any are as at be been being but by can could d did do does doing don each for from "
    "had has have having he her here hers him his how i if in into is it its itself just ll m may me might my of on "
    "or our ours re s shall she should so some such t than that the their theirs them then there these they this "
    "those to too us ve very was we were what when where which while who whom whose why will with would you your "
    "yours"
)
_CHINESE = (
    "一下 一个 一些 不是 为了 为什 为何 也是 什么 他们 以及 但是 你们 你的 其中 关于 几个 可以 可是 告诉 哪个 哪些 "
    "哪里 哪儿 因为 多少 她们 如何 如果 它们 就是 应该 怎么 怎样 我们 我的 或者 所以 所有 时候 是不 是否 "
    "是什 有些 有哪 没有 的话 请问 谁的 这个 这些 这里 这样 那个 那些 那里 那样 还是 都是 么样 么办 "
    "现在 目前 最后 后面 后来 以后 之后 之前 以前 当时 当初 到底 究竟 接着 真的 真正 通常 一般 大概 大约 别人 希望 "
    "想要 需要 应当 东西 事情 情况 这件 那件 这份 那份 这次 那次 每个 各个 一次 几次 几处 哪一 哪处 哪家 哪次 多久 "
    "多大 多长 有没 会不 能不 要不 该怎 会怎 是怎"
)

ENGLISH = frozenset(_ENGLISH.split())
CHINESE = frozenset(_CHINESE.split())
"""Pairs of characters."""

ENDINGS = frozenset("的了吗呢吧啊呀嘛么")
"""A pair that holds one of these is dropped as well."""

PARTICLES = ENDINGS | frozenset(
    "地得着过是在和与及或也都就很还又把被给让对从向到于以为之其这那哪我你您他她它们个"
)
"""Characters that do not score by themselves."""
