"""SubagentStart: the person's own files for every sub-agent (spec 000), the schema for planners (spec 002).

The schema is given once a session; a compaction forgets it, and takes the flag down.
"""

from __future__ import annotations

from memtui.agents.hooks.hook_process import LONGEST, HookAnswer, count_utf16, read_text_field
from memtui.agents.hooks.rule_events import format_items, is_switched_off
from memtui.core.locale import _
from memtui.core.startup import TYPE_CHECKING
from memtui.sessions import jobs, rules
from memtui.sessions.start import load_subagent_profile
from memtui.store.project import find_session_homes
from memtui.store.writing import Writing

if TYPE_CHECKING:
    from memtui.agents.hooks import Call
    from memtui.language.conversation import Session

PLANNING = ("plan", "explore", "architect", "design")
"""What is in the names of sub-agents that plan before anything is written."""


def answer_subagent_start(call: Call) -> HookAnswer | None:
    """SubagentStart: the person's own files (L0, spec 000); for planners the index of the shared database's tables."""
    session = call.session()
    kind = read_text_field(call.payload, "agent_type", 200).casefold()
    planning = call.config.hooks.schema and any(word in kind for word in PLANNING)
    schema = _load_schema(call, session) if planning and not is_switched_off(session, call) else None
    homes = Writing(find_session_homes(session, call.config), call.config)
    told = load_subagent_profile(homes, session, call.config)
    if schema is None:
        return HookAnswer(told) if told else None
    both = f"{told}\n\n{schema.context}" if told else schema.context
    return schema._replace(context=both if count_utf16(both) <= LONGEST else schema.context)


def _load_schema(call: Call, session: Session) -> HookAnswer | None:
    if jobs.is_flag_up(session.id, "schema"):
        return None
    items = rules.load_schema_for(rules.find_rule_homes(session, call.config), session, call.config)
    if not items or not jobs.raise_flag(session.id, "schema"):
        return None
    return HookAnswer(format_items(items, _("What tables the shared database has; details stand beside this file.")))
