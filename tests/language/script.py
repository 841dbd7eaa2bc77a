"""Conversations for tests, written as people read them.

`U:` and `A:` are what was said (lines go on until the next mark), `$ command => result` a shell step, `$! …` one that
failed, `W: file, file` files written, `S:` a compaction's summary, `P: {json}` an agent's plan,
`T: tool {json} => result` any other tool.
"""

from __future__ import annotations

import re

from memtui.core.model import Turn
from memtui.language.conversation import Conversation, Session, Step

_MARK = re.compile(r"(U:|A:|S:|W:|P:|T:|\$!?) ?(.*)$")
_ROLES = {"U:": "user", "A:": "assistant", "S:": "summary"}
CWD = "/home/ann/shop"


def talk(text: str, cwd: str = CWD) -> Conversation:
    """The conversation that a script describes; every line of the script is a line of the transcript."""
    said: list[Turn] = []
    steps: list[Step] = []
    for line, (mark, body) in enumerate(_marked(text), 1):
        if mark in _ROLES:
            said.append(Turn(_ROLES[mark], body, None, line))
        elif mark == "W:":
            files = tuple(name.strip() for name in body.split(","))
            steps.append(Step("Edit", line, files=files, writes=True))
        elif mark == "T:":
            named, _, result = body.partition(" => ")
            tool, _, given = named.partition(" ")
            steps.append(Step(tool, line, given=given, result=result.replace("\\n", "\n")))
        elif mark == "P:":
            steps.append(Step("TodoWrite", line, given=body))
        else:
            command, _, result = body.partition(" => ")
            steps.append(
                Step(
                    "Bash",
                    line,
                    command=command.replace("\\n", "\n"),
                    result=result.replace("\\n", "\n"),
                    failed=mark == "$!",
                )
            )
    session = Session("s-1", "claude-code", cwd, "shop", "shop")
    return Conversation(session, tuple(said), tuple(steps), size=len(text), lines=len(said) + len(steps))


def _marked(text: str) -> list[tuple[str, str]]:
    found: list[tuple[str, list[str]]] = []
    for line in text.strip("\n").splitlines():
        mark = _MARK.match(line)
        if mark:
            found.append((mark[1], [mark[2]]))
        elif found:
            found[-1][1].append(line)
    return [(mark, "\n".join(lines).strip()) for mark, lines in found]
