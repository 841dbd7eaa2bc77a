"""How a session ended, and why one thinks so."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memtui.sessions.extract import commands, mishaps
from memtui.sessions.extract.undone import thrown_away
from memtui.sessions.extract.wording import tongues

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memtui.language.conversation import Conversation, Step
    from memtui.sessions.extract.sentences import Sentence

_PLEASED = re.compile(
    "\\s*(?:[\U0001f44d\U0001f44c\U0001f64f\U0001f389\u2764\u2705\U0001f4af\U0001f525\U0001f680\ufe0f]|10/10|\\+1|:\\+1:)+[\\s!.]*$"
)

_DROPS = re.compile(
    r"\b(?:forget (?:it|about (?:it|this|that))|not worth (?:it|the|doing)|drop (?:it|this|the (?:idea|whole thing))|abandon\w*|giv(?:e|ing) up|scrap (?:it|this|the)|park (?:it|this)|too much (?:work|hassle|trouble)"
    r"|never ?mind|leave it (?:as is|alone|be)|let's not|revert (?:it|everything|all|that))\b|算了|放弃|不搞了|不弄了|不做了|先不管",
    re.IGNORECASE,
)
_WORKS = re.compile(
    r"\b(?:(?:it|that|this|everything|all) (?:now )?(?:works?|passes|is (?:green|fixed|fine now))|works? (?:now|fine|great|perfectly|well)"
    r"|all green|passes now|that (?:fixed|did) it)\b|好了|可以了|没问题了|通过了|正常了|搞定了?|能用了|修好了",
    re.IGNORECASE,
)
_WHY = {
    "works not": ("the user says it does not work", "用户说仍有问题"),
    "tests fail": ("tests do not pass", "测试未通过"),
    "build fails": ("the build does not pass", "构建未通过"),
    "works": ("the user confirmed it", "用户已确认"),
    "tests pass": ("tests pass", "测试通过"),
    "build passes": ("the build passes", "构建通过"),
    "committed": ("committed", "已提交"),
    "thrown away": ("the changes were thrown away", "改动已撤销"),
    "left open": ("not all of it is done", "还有未完成的事"),
    "given up": ("given up", "已放弃"),
    "reported": ("the agent reports it done", "代理报告已完成"),
    "gave up": ("not finished", "尚未完成"),
}


def outcome(
    conversation: Conversation,
    spoken: Sequence[Sentence],
    *,
    done: bool,
    committed: bool,
    left: bool,
    han: bool,
) -> str:
    """success, partly, failed or unknown, with why: 'failed: tests do not pass'."""
    word, why = _judged(conversation, spoken, done=done, committed=committed)
    if thrown_away(conversation) > max((step.line for step in conversation.steps if step.writes), default=0):
        word, why = ("partly" if committed else "failed"), "thrown away"
    elif word == "unknown" and _given_up(conversation):
        word, why = "failed", "given up"
    elif word == "unknown" and left and (done or conversation.changed):
        word, why = "partly", "left open"
    elif word == "unknown" and done and conversation.steps:
        word, why = "success", "reported"
    return f"{word}: {_WHY[why][han]}" if why else word


def _judged(
    conversation: Conversation, spoken: Sequence[Sentence], *, done: bool, committed: bool
) -> tuple[str, str]:
    said = _last_words(spoken)
    if said is None and conversation.prompts[1:] and _PLEASED.match(conversation.prompts[-1].text[:40]):
        said = True
    last = _last_check(conversation.steps)
    tested = last is not None and commands.tests(last.command)
    if said is True and last is not None and _works(spoken, last.line):
        # Who says so saw more than the last check that was recorded.
        return "success", "works"
    if said is False:
        return ("partly" if committed else "failed"), "works not"
    if last is not None and commands.failed(last) and last is mishaps.unsolved(conversation.steps):
        return ("partly" if done or committed else "failed"), "tests fail" if tested else "build fails"
    if _gave_up(conversation, spoken):
        return ("partly" if done or committed else "failed"), "gave up"
    if last is not None and tested:
        return "success", "tests pass"
    if said is True and (conversation.steps or done):
        return "success", "works"
    if committed:
        return "success", "committed"
    if last is not None:
        return "success", "build passes"
    return "unknown", ""


def _works(spoken: Sequence[Sentence], line: int) -> bool:
    """Whether the person's last words, after that line, say that it works: thanks alone do not."""
    final = [sentence for sentence in spoken if sentence.role == "user"]
    words = [one for one in final if one.turn == final[-1].turn and one.line > line]
    return any(_WORKS.search(one.bare) and not one.asks and len(one.text) < 120 for one in words)


def _given_up(conversation: Conversation) -> bool:
    """Whether one of the person's last words drops it all, and nothing was changed after that."""
    written = max((step.line for step in conversation.steps if step.writes), default=0)
    return any(
        turn.line > written and len(turn.text) < 200 and _DROPS.search(turn.text) is not None
        for turn in conversation.prompts[1:][-2:]
    )


def _last_check(steps: Sequence[Step]) -> Step | None:
    return next(
        (
            step
            for step in reversed(steps)
            if step.command and (commands.tests(step.command) or commands.checks(step.command))
        ),
        None,
    )


def _last_words(spoken: Sequence[Sentence]) -> bool | None:
    """Whether the person's last words are content; None: they do not tell."""
    final = [sentence for sentence in spoken if sentence.role == "user"]
    if not final:
        return None
    turn = final[-1].turn
    words = [sentence for sentence in final if sentence.turn == turn]
    if turn == next(sentence.turn for sentence in spoken if sentence.role == "user"):
        return None
    answered = any(sentence.role == "assistant" and sentence.turn > turn for sentence in spoken)
    pleased = False
    for sentence in words:
        for tongue in tongues(sentence.text):
            if tongue.fails.search(sentence.bare) is not None and not sentence.asks:
                # What the agent did after that may have helped: nobody said.
                return None if answered else False
            if (
                tongue.thanks.search(sentence.bare) is not None
                and not sentence.asks
                and len(sentence.text) < 120
            ):
                pleased = True
    return True if pleased else None


def _gave_up(conversation: Conversation, spoken: Sequence[Sentence]) -> bool:
    written = max((step.line for step in conversation.steps if step.writes), default=0)
    turns = [sentence.turn for sentence in spoken if sentence.role == "assistant"]
    last = sorted(set(turns))[-2:]
    return any(
        tongue.gave_up.search(sentence.bare) is not None
        for sentence in spoken
        if sentence.turn in last and sentence.role == "assistant" and sentence.line > written
        for tongue in tongues(sentence.text)
    )
