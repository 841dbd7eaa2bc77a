"""What Claude Code and Codex say on a hook's stdin, event by event, and which answers their schemas allow."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

SESSION = "7d3f2a61-6c1e-4e58-9a44-0f3b1c2d4e5f"

CLAUDE: dict[str, dict[str, Any]] = {
    "SessionStart": {"source": "startup", "model": "claude-sonnet-4-5", "session_title": "Fix login"},
    "Setup": {"trigger": "init"},
    "UserPromptSubmit": {"prompt": "Refactor the login flow so that tokens expire"},
    "UserPromptExpansion": {"prompt": "/review", "expansion": "Review the diff"},
    "PreToolUse": {
        "tool_name": "Read",
        "tool_input": {"file_path": "{cwd}/src/a.py"},
        "tool_use_id": "toolu_01",
    },
    "PermissionRequest": {"tool_name": "Bash", "tool_input": {"command": "rm -rf build"}},
    "PermissionDenied": {"tool_name": "Bash", "tool_input": {"command": "rm -rf /"}, "reason": "denied"},
    "PostToolUse": {
        "tool_name": "Edit",
        "tool_input": {"file_path": "{cwd}/src/a.py", "old_string": "x", "new_string": "y"},
        "tool_response": {"filePath": "{cwd}/src/a.py", "structuredPatch": [], "userModified": False},
        "tool_use_id": "toolu_02",
        "duration_ms": 12,
    },
    "PostToolUseFailure": {
        "tool_name": "Edit",
        "tool_input": {"file_path": "{cwd}/b.py"},
        "error": "no match",
    },
    "PostToolBatch": {"tool_calls": [{"tool_name": "Read", "tool_input": {"file_path": "{cwd}/b.py"}}]},
    "Notification": {"message": "Claude needs your permission", "notification_type": "permission_prompt"},
    "MessageDisplay": {"delta": "Done", "index": 0},
    "SubagentStart": {"agent_id": "a1b2c3", "agent_type": "Plan"},
    "SubagentStop": {
        "agent_id": "a1b2c3", "agent_type": "Plan", "agent_transcript_path": "{cwd}/agent-a1b2c3.jsonl",
        "last_assistant_message": "Planned.", "stop_hook_active": False,
    },
    "TaskCreated": {"task_id": "1", "task_subject": "Write tests"},
    "TaskCompleted": {"task_id": "1", "task_subject": "Write tests"},
    "Stop": {
        "stop_hook_active": False, "last_assistant_message": "Done.", "background_tasks": [],
        "session_crons": [],
    },
    "StopFailure": {"error": "rate_limit"},
    "TeammateIdle": {"teammate_name": "reviewer", "team_name": "web"},
    "InstructionsLoaded": {
        "file_path": "{cwd}/CLAUDE.md", "memory_type": "Project", "load_reason": "session_start",
    },
    "ConfigChange": {"source": "user_settings"},
    "CwdChanged": {"old_cwd": "{cwd}", "new_cwd": "{cwd}/src"},
    "DirectoryAdded": {"directory": "{cwd}/../other"},
    "FileChanged": {"file_path": "{cwd}/.envrc", "event": "change"},
    "WorktreeCreate": {"name": "feature"},
    "WorktreeRemove": {"worktree_path": "{cwd}/../feature"},
    "PreCompact": {"trigger": "auto", "custom_instructions": ""},
    "PostCompact": {
        "trigger": "auto",
        "compact_summary": "We decided to sign tokens with RS256, and tests use pytest.",
    },
    "Elicitation": {"mcp_server_name": "memtui", "message": "Which project?"},
    "ElicitationResult": {"mcp_server_name": "memtui", "action": "accept"},
    "SessionEnd": {"reason": "prompt_input_exit"},
}  # fmt: skip
CODEX: dict[str, dict[str, Any]] = {
    "SessionStart": {"source": "startup"},
    "UserPromptSubmit": {"prompt": "Refactor the login flow so that tokens expire"},
    "PreToolUse": {"tool_name": "apply_patch", "tool_input": {"command": "{patch}"}, "tool_use_id": "call_1"},
    "PermissionRequest": {"tool_name": "shell", "tool_input": {"command": "ls"}},
    "PostToolUse": {
        "tool_name": "apply_patch",
        "tool_input": {"command": "{patch}"},
        "tool_response": "Success. Updated the following files:\nM src/a.py",
        "tool_use_id": "call_1",
    },
    "PreCompact": {"trigger": "manual"},
    "PostCompact": {"trigger": "manual"},
    "SubagentStart": {"agent_id": "019c", "agent_type": "explorer"},
    "SubagentStop": {"agent_id": "019c", "agent_type": "explorer", "last_assistant_message": None},
    "Stop": {"stop_hook_active": False, "last_assistant_message": None},
    "StopFailure": {"error": "stream"},
}
PATCH = (
    "*** Begin Patch\n*** Update File: src/a.py\n@@\n-x = 1\n+x = 2\n*** Add File: src/new.py\n+y = 1\n"
    "*** Delete File: src/old.py\n*** Update File: src/from.py\n*** Move to: src/to.py\n@@\n-a\n+b\n*** End Patch\n"
)

UNIVERSAL = {"continue", "stopReason", "suppressOutput", "systemMessage"}
BLOCK = {"decision", "reason"}
ALLOWED: dict[str, dict[str, tuple[set[str], set[str]]]] = {
    "claude-code": {
        "SessionStart": (set(), {"additionalContext", "initialUserMessage", "sessionTitle", "watchPaths"}),
        "UserPromptSubmit": (BLOCK, {"additionalContext", "sessionTitle"}),
        "PreToolUse": (set(), {"permissionDecision", "permissionDecisionReason", "updatedInput", "additionalContext"}),
        "PostToolUse": (BLOCK, {"additionalContext", "updatedToolOutput", "classifierContext"}),
        "SubagentStart": (set(), {"additionalContext"}),
        "SubagentStop": (BLOCK, {"additionalContext"}),
        "Stop": (BLOCK, {"additionalContext"}),
        "PreCompact": (BLOCK, set()),
    },
    "codex": {
        "SessionStart": (set(), {"additionalContext"}),
        "UserPromptSubmit": (BLOCK, {"additionalContext"}),
        "PreToolUse": (BLOCK, {"additionalContext"}),
        "PostToolUse": (BLOCK, {"additionalContext"}),
        "SubagentStart": (set(), {"additionalContext"}),
        "Stop": (BLOCK, set()),
        "SubagentStop": (BLOCK, set()),
    },
}
"""Agent -> event -> fields beside the universal ones, and fields of hookSpecificOutput beside hookEventName."""


def payload(event: str, cwd: Path, agent: str = "claude-code", **more: Any) -> dict[str, Any]:
    """A whole payload; `more` replaces fields of it."""
    own = (CODEX if agent == "codex" else CLAUDE).get(event, {})
    base: dict[str, Any] = {
        "session_id": SESSION,
        "transcript_path": None if agent == "codex" else str(cwd / "transcript.jsonl"),
        "cwd": str(cwd),
        "hook_event_name": event,
        "permission_mode": "default",
    }
    base |= (
        {"turn_id": "t1", "model": "gpt-5"} if agent == "codex" else {"prompt_id": "p1", "effort": {"level": "high"}}
    )
    filled: dict[str, Any] = _filled(own, cwd)
    return base | filled | more


def stdin(event: str, cwd: Path, agent: str = "claude-code", **more: Any) -> str:
    return json.dumps(payload(event, cwd, agent, **more))


def checked(answer: str, event: str, agent: str = "claude-code") -> dict[str, Any]:
    """The answer, which must be what the agent's schema allows at this event."""
    if not answer:
        return {}
    assert answer.startswith("{")
    plain: dict[str, Any] = json.loads(answer)
    top, inner = ALLOWED[agent].get(event, (set(), set()))
    assert set(plain) <= UNIVERSAL | top | ({"hookSpecificOutput"} if inner else set())
    if "decision" in plain:
        assert plain["decision"] == "block" and isinstance(plain["reason"], str) and plain["reason"]
    specific = plain.get("hookSpecificOutput", {"hookEventName": event})
    assert specific["hookEventName"] == event
    assert set(specific) <= inner | {"hookEventName"}
    assert specific.get("permissionDecision", "allow") in {"allow", "deny", "ask", "defer"}
    assert len(specific.get("additionalContext", "")) <= 10_000
    return plain


def _filled(value: Any, cwd: Path) -> Any:
    if isinstance(value, str):
        return value.replace("{cwd}", str(cwd)).replace("{patch}", PATCH)
    if isinstance(value, dict):
        return {key: _filled(one, cwd) for key, one in value.items()}
    return [_filled(one, cwd) for one in value] if isinstance(value, list) else value
