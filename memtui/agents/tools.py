"""The tools for agents, one plain function each: the MCP server, `memtui tool` and the docs are made from `TOOLS`.

No tool overwrites, deletes or leaves the homes: the journal and the audit log are appended to, a session's
summary is its own file, everything else becomes a candidate that waits for a person.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from memtui.agents import caller as caller_module
from memtui.agents import notes, recall
from memtui.agents.tool_schema import (
    build_json_schema,
    check_arguments,
    convert_to_snake_case,
    list_parameters,
    read_description,
    suggest_word,
)
from memtui.core.errors import UsageError
from memtui.core.locale import _
from memtui.safety.sanitize import count_hidden, sanitize_text

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    from memtui.agents.caller import Caller

    Opener = Callable[[str, str], AbstractContextManager[Caller]]
    """Who calls, for the `project` and the `cwd` that the call names."""


class Tool(NamedTuple):
    """One tool, and what a client may know of it before it calls."""

    run: Callable[..., dict[str, Any]]
    title: str
    reads: bool = False
    """It changes nothing."""
    again: bool = False
    """Calling it twice does what calling it once does."""

    @property
    def name(self) -> str:
        """What agents call it."""
        return self.run.__name__

    @property
    def description(self) -> str:
        """What it is for, for agents."""
        return read_description(self.run)

    @property
    def schema(self) -> dict[str, Any]:
        """Its arguments, as JSON Schema."""
        return build_json_schema((*list_parameters(self.run), *list_parameters(caller_module.take_project)))


TOOLS: tuple[Tool, ...] = (
    Tool(recall.memory_search, "Search memory", reads=True, again=True),
    Tool(recall.memory_get, "Read a memory file", reads=True, again=True),
    Tool(notes.memory_append, "Note in the journal", again=True),
    Tool(notes.memory_flush, "Keep what lasts of a text"),
    Tool(recall.search_memory, "Search memories", reads=True, again=True),
    Tool(recall.search_conversation_traces, "Search conversations", reads=True, again=True),
    Tool(notes.save_fact, "Keep a fact"),
    Tool(notes.save_summary, "Save the session's summary", again=True),
    Tool(notes.memory_feedback, "Say how a memory fared"),
    Tool(notes.memory_propose, "Propose a memory", again=True),
    Tool(recall.memory_context, "What this session should know", reads=True, again=True),
)


def find_tool(name: str) -> Tool:
    """The tool of that name. Raises UsageError."""
    found = next((one for one in TOOLS if one.name == convert_to_snake_case(name)), None)
    if found is None:
        told = _("There is no tool '{name}'.").format(name=name[:80])
        raise UsageError(f"{told} {suggest_word(name, [one.name for one in TOOLS])}".strip())
    return found


def call(name: str, given: object, opener: Opener) -> dict[str, Any]:
    """Check what an agent gave, and do it. The answer is plain data, with nothing hidden in its texts.

    Raises UsageError for a tool, a parameter or a value that is none, and what the tool raises.
    """
    one = find_tool(name)
    among = list_parameters(caller_module.take_project)
    told = {parameter.told for parameter in among}
    if not isinstance(given, dict):
        raise UsageError(_("The arguments are to be one JSON object."))
    about_place = {key: value for key, value in given.items() if convert_to_snake_case(str(key)) in told}
    rest = {key: value for key, value in given.items() if key not in about_place}
    values = check_arguments(list_parameters(one.run), rest)
    place = check_arguments(among, about_place)
    with opener(place.get("project", ""), place.get("cwd", "")) as caller:
        answer = one.run(caller, **values)
        about_project = {"project": caller.session.project, "project_from": caller.told}
    found = _visible({**answer, **about_project})
    assert isinstance(found, dict)
    return found


def _visible(value: object) -> object:
    """The same with what is hidden in its texts spelt out: a model would read what a person never sees."""
    if isinstance(value, str):
        return sanitize_text(value) if count_hidden(value) else value
    if isinstance(value, dict):
        return {key: _visible(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_visible(item) for item in value]
    return value
