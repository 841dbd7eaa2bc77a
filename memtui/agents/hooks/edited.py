"""PostToolUse of a tool that writes files: the daily note, and what went wrong before with such code."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from memtui.agents.hooks.answer import Answer
from memtui.agents.hooks.payload import WRITING, failed, files, sidechain, tool, written
from memtui.safety.safe_text import safe_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memtui.agents.avoid import Finding
    from memtui.agents.hooks import Call
    from memtui.sessions.session import Session

CHECKED = 20
"""Files of one call that are checked."""


def after(call: Call) -> Answer | None:
    """Note the files, and say what the rules say of them: a rule that blocks has the agent mend it."""
    if tool(call.payload) not in WRITING or failed(call.payload):
        return None
    named = files(call.payload)
    if not named:
        return None
    session = call.session()
    problems: list[str] = []
    config = call.config
    if config.capture.enabled and config.capture.daily and not (session.sidechain or sidechain(call.payload)):
        from memtui.agents.hooks.daily import note

        try:
            note(named, session, config)
        except Exception as error:
            # What the rules say does not depend on it.
            problems.append(f"{type(error).__name__}: {error}")
    answer = _judged(call, session, named) if config.hooks.avoid else Answer()
    return answer._replace(problem="; ".join(problems))


def _judged(call: Call, session: Session, named: Sequence[str]) -> Answer:
    """What blocks as the reason, what only warns as context."""
    from memtui.agents.avoid import examine, told
    from memtui.sessions import rules

    homes = [home.path for home in rules.homes(session, call.config)]
    parts: list[str] = []
    blocks = False
    for name in named[:CHECKED]:
        found = examine(Path(name), Path(session.cwd), homes, touched=written(call.payload))
        if call.config.hooks.meaning:
            found = [*found, *_meant(call, session, name)]
        if found:
            parts.append(f"{safe_text(name, keep_newlines=False)}\n{told(found)}")
            blocks |= any(finding.action == "block" for finding in found)
    said = "\n\n".join(parts)
    return Answer(decision="block", reason=said) if blocks else Answer(said)


def _meant(call: Call, session: Session, name: str) -> Sequence[Finding]:
    """What a model has against the file, by the project's rules (tier 2)."""
    from memtui.agents.avoid import meaning
    from memtui.agents.avoid.place import contents
    from memtui.sessions import rules

    file = Path(session.cwd) / name
    text = contents(file.parent, file.name)
    given = rules.rules_for(rules.homes(session, call.config), name, session, call.config)
    return meaning.ask(file, text or "", "\n\n".join(item.text for item in given), call.config)
