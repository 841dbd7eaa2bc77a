"""A session in OpenAkita's database (spec 003): its episode and its turns.

As the program's own code writes them: one episode a session, made at its end and brought up to date by its id;
the turns in order, those already there left alone. They count as extracted: what lasts of them was taken out
when the session was read, and the program is not to do it again.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from memtui.core import clock
from memtui.core.edits import Draft, RowEdit
from memtui.core.startup import sha256
from memtui.core.text import CJK_RUN
from memtui.fs import database_rows
from memtui.safety.injection import examine
from memtui.store.secrets import mask_draft

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from memtui.core.edits import Receipt, Target, Value
    from memtui.language.conversation import Conversation, Extract, Session, Step
    from memtui.store.vault import Vault

FORM = "episode-row"
"""The name of the form, as a layout declares it."""
EPISODES, TURNS = "episodes", "conversation_turns"

_OUTCOMES = {"success": "success", "partly": "partial", "failed": "failed"}
_NODES, _MOST = 40, 400
"""Calls that an episode tells of, and turns that one write adds."""
_LONG, _SHORT = 8000, 300
"""Characters of a turn, and of what a call was given or gave."""


def record_episode(
    vault: Vault,
    target: Target,
    session: Session,
    found: Extract,
    talk: Conversation | None,
    *,
    time: float,
    what: str,
    group: str = "",
) -> Receipt | None:
    """Write the session's episode and its new turns; None: the database says all that. Raises what `apply` raises."""
    key = _derive_key(session)
    values = _mask(vault, _describe(session, found, talk, time))
    changes = [*_renew(target, EPISODES, key, values)]
    if talk is not None:
        changes += _list_turns(vault, target, session, talk, key)
    if not changes:
        return None
    return vault.apply(changes, verb="capture", who=session.who, what=what, group=group)


def _derive_key(session: Session) -> str:
    """The episode's id, always the same for a session, in the form of the program's own."""
    name = sha256(f"memtui\0{session.agent}\0{session.id}".encode("utf-8", "surrogateescape"))[:32]
    return "-".join((name[:8], name[8:12], name[12:16], name[16:20], name[20:]))


def _describe(session: Session, found: Extract, talk: Conversation | None, time: float) -> dict[str, Value]:
    said = list(dict.fromkeys(filter(None, (*found.done, *found.points, *found.decisions))))
    mark = "；" if any(CJK_RUN.search(one) for one in said) else "; "
    started = talk.started if talk is not None and talk.started is not None else time
    word = found.outcome.partition(":")[0].strip()
    return {
        "session_id": session.id,
        "summary": mark.join(one.rstrip("。.;；") for one in said) or found.topic,
        "goal": found.goal or found.topic,
        "outcome": _OUTCOMES.get(word, "completed"),
        "started_at": _write_moment(started),
        "ended_at": _write_moment(time),
        "action_nodes": json.dumps(
            [_describe_call(step, time) for step in (talk.steps if talk else ())[-_NODES:]], ensure_ascii=False
        ),
        "entities": json.dumps(found.entities, ensure_ascii=False),
        "tools_used": json.dumps(found.tools, ensure_ascii=False),
        "source": "session_end",
    }


def _describe_call(step: Step, time: float) -> dict[str, object]:
    given = {"command": step.command, "files": list(step.files)}
    return {
        "tool_name": step.tool,
        "key_params": {name: value for name, value in given.items() if value},
        "result_summary": "" if step.failed else step.result[:_SHORT],
        "success": not step.failed,
        "error_message": step.result[:_SHORT] if step.failed else None,
        "decision": None,
        "timestamp": _write_moment(time),
    }


def _renew(target: Target, table: str, key: str, values: Mapping[str, Value]) -> Iterator[RowEdit]:
    """The row with these values, made where it is not there; nothing where it says so already."""
    names = database_rows.read_model_row(target.home, target.path, table)
    values = {name: value for name, value in values.items() if name in names}
    row = database_rows.read_row(target.home, target.path, table, key)
    if row is None:
        yield RowEdit(target.home, target.path, table, key, None, values)
        return
    changed = {name: value for name, value in values.items() if row[name] != value}
    if changed:
        yield RowEdit(target.home, target.path, table, key, {name: row[name] for name in changed}, changed)


def _list_turns(vault: Vault, target: Target, session: Session, talk: Conversation, episode: str) -> Iterator[RowEdit]:
    last, done = database_rows.read_last_numbers(
        target.home, target.path, TURNS, "turn_index", {"session_id": session.id}
    )
    names = database_rows.read_model_row(target.home, target.path, TURNS)
    if not names:
        return
    calls = _split_calls(talk)
    for index, turn in list(enumerate(talk.said))[done + 1 : done + 1 + _MOST]:
        last += 1
        steps = calls.get(index, [])
        values: dict[str, Value] = {
            "session_id": session.id,
            "turn_index": index,
            "role": turn.role if turn.role in {"user", "assistant"} else "system",
            "content": turn.text[:_LONG],
            "tool_calls": _dump([{"name": one.tool, "input": _describe_call(one, 0)["key_params"]} for one in steps]),
            "tool_results": _dump([{"content": one.result[:_SHORT], "is_error": one.failed} for one in steps]),
            "has_tool_calls": int(bool(steps)),
            "timestamp": _write_moment(turn.time if turn.time is not None else talk.ended or clock.now()),
            "token_estimate": len(turn.text) // 4,
            "episode_id": episode,
            "extracted": 1,
        }
        masked = _leave_out_orders(_mask(vault, {name: values[name] for name in values if name in names}))
        yield RowEdit(target.home, target.path, TURNS, str(last), None, masked)


def _leave_out_orders(values: dict[str, Value]) -> dict[str, Value]:
    """The turn without what reads like an order to agents: first without what tools gave, then without its words."""
    for name in ("", "tool_results", "tool_calls", "content"):
        if name in values:
            values[name] = "(left out: it reads like an order to agents)" if name == "content" else None
        if examine("\n".join(one for one in values.values() if isinstance(one, str))).action != "quarantine":
            break
    return values


def _split_calls(talk: Conversation) -> dict[int, list[Step]]:
    """The calls after each turn, by its place."""
    found: dict[int, list[Step]] = {}
    for step in talk.steps:
        before = [index for index, turn in enumerate(talk.said) if turn.line <= step.line]
        found.setdefault(before[-1] if before else 0, []).append(step)
    return found


def _mask(vault: Vault, values: Mapping[str, Value]) -> dict[str, Value]:
    """The values as they will stand there: compared with what was masked when it was written."""
    return {
        name: mask_draft(vault, Draft(value))[0].text if isinstance(value, str) and value else value
        for name, value in values.items()
    }


def _dump(items: Sequence[object]) -> str | None:
    return json.dumps(items, ensure_ascii=False) if items else None


def _write_moment(seconds: float) -> str:
    return clock.convert_to_local(seconds).replace(tzinfo=None).isoformat()
