"""Messages as model APIs have them, a record each: XingheBot's history.jsonl, and OpenAkita's turns and traces.

`{role, content, tool_calls, tool_call_id | tool_results, ts | timestamp}`; an iteration of OpenAkita's react traces
has no role, and `text_content` for what was said.
"""

from __future__ import annotations

from memtui.parse.fields import decoded_json, line, moment, plain
from memtui.parse.transcript import THINKING, Keeper, blocks_text
from memtui.record import Any

_TIMES = ("timestamp", "ts", "created_at", "time")
_THOUGHTS = ("reasoning_content", "thinking_content", "thinking")
_RESULTS = ("content", "result_content", "result_preview", "result", "output")
_ROLES = frozenset({"user", "assistant", "system", "summary"})


class Messages(Keeper):
    """The turns of messages as they come."""

    def take(self, record: dict[str, Any], at: int) -> None:
        """What was thought, said and called in one message, and what came back."""
        time = next((found for key in _TIMES if (found := moment(record.get(key))) is not None), None)
        role = plain(record.get("role", "")).lower() or "assistant"
        content = record.get("content", record.get("text_content"))
        if role in {"tool", "function"}:
            self._result({**record, "content": content}, time, at)
            return
        for key in _THOUGHTS:
            thought = plain(record.get(key))
            if thought.strip():
                self.add("assistant", THINKING + thought, time, at)
        role = role if role in _ROLES else "assistant"
        said: list[Any] = []
        for block in content if isinstance(content, list) else [content]:
            if isinstance(block, dict) and block.get("type") == "tool_use":
                self._call(block, time, at)
            elif isinstance(block, dict) and block.get("type") == "tool_result":
                self._result(block, time, at)
            elif block is not None:
                said.append(block)
        self.add(role, blocks_text(said), time, at)
        for call in _objects(record.get("tool_calls")):
            self._call(call, time, at)
        for result in _objects(record.get("tool_results")):
            self._result(result, time, at)

    def _call(self, call: dict[str, Any], time: float | None, at: int) -> None:
        inner = call.get("function")
        inner = inner if isinstance(inner, dict) else call
        given = inner.get("arguments", inner.get("input", inner.get("params", inner.get("input_preview"))))
        decoded = decoded_json(given)
        name = inner.get("name", inner.get("tool_name", ""))
        self.call(plain(call.get("id", "")), name, given if decoded is None else decoded, time, at)

    def _result(self, result: dict[str, Any], time: float | None, at: int) -> None:
        called = plain(result.get("tool_call_id", result.get("tool_use_id", "")))
        name = line(result.get("name", result.get("tool_name", "")), 120)
        text = next((blocks_text(result[key]) for key in _RESULTS if result.get(key) is not None), "")
        failed = bool(result.get("is_error")) or result.get("success") is False
        self.returned(called, text, time, at, named=name, failed=failed)


def _objects(value: Any) -> list[dict[str, Any]]:
    """The objects of a list, which a database keeps as JSON in text; text that is no list is a result by itself."""
    found = decoded_json(value) if isinstance(value, str) else value
    if isinstance(found, dict):
        found = [found]
    if isinstance(found, list):
        return [item if isinstance(item, dict) else {"content": item} for item in found[:1000]]
    return [{"content": value}] if isinstance(value, str) and value.strip() else []
