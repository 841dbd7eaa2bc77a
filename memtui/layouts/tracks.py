"""What agents leave of their sessions, and what they are called: by environment, files and the names they give.

An agent is not a layout: Claude Code's user may keep what it learns in homes of three layouts, and Cursor leaves no
files of its sessions. Read by every hook, so it stands apart from the layouts, of which a hook loads few.
"""

from __future__ import annotations

from pathlib import Path

from memtui.core.startup import NamedTuple, compile_pattern


class Track(NamedTuple):
    """What one agent leaves of its sessions."""

    agent: str
    home: str
    """The user's directory of it; '.': the project's root."""
    variable: str
    """The environment variable that moves it."""
    files: tuple[str, ...]
    """Below it; '{project}' is a directory named by the project's path. The first of these that has any."""
    inside: tuple[str, ...]
    """Directories below it in which its transcripts lie."""
    part: int = -1
    """Which part of such a path is the id, its ending aside."""
    key: str = ""
    """The files are JSON, and the id stands under this key."""
    told: tuple[str, ...] = ()
    """Environment variables that hold the id."""
    signs: tuple[str, ...] = ()
    """Environment variables that nobody but this agent sets."""
    dated: bool = False
    """Its directories are days: the newest day comes first."""
    anywhere: bool = False
    """Its sessions are of no project: each may be about any."""
    silent: bool = False
    """It has no hooks: that a session is over shows by the next one's beginning."""
    transcript: str = ""
    """What reads its transcripts, by its name in `formats.FORMATS`."""
    resume: tuple[str, ...] = ()
    """Its own command that goes on with a session, in the project's directory; '{session}' stands for the id."""


TRACKS = (
    Track(
        "claude-code", "~/.claude", "CLAUDE_CONFIG_DIR", ("projects/{project}/*.jsonl",), ("projects",),
        told=("CLAUDE_CODE_SESSION_ID", "CLAUDE_SESSION_ID"),
        signs=("CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_PROJECT_DIR"),
        transcript="claude-transcript", resume=("claude", "--resume", "{session}"),
    ),
    Track(
        "codex", "~/.codex", "CODEX_HOME", ("sessions/*/*/*/rollout-*.jsonl", "sessions/rollout-*.jsonl"),
        ("sessions", "archived_sessions"), told=("CODEX_THREAD_ID", "CODEX_SESSION_ID"),
        signs=("CODEX_THREAD_ID", "CODEX_SANDBOX", "CODEX_SANDBOX_NETWORK_DISABLED"), dated=True,
        transcript="codex-transcript", resume=("codex", "resume", "{session}"),
    ),
    Track(
        "openclaw", "~/.openclaw", "OPENCLAW_STATE_DIR", ("agents/*/sessions/*.jsonl",), ("agents",),
        told=("OPENCLAW_SESSION_ID",), signs=("OPENCLAW_SESSION_ID", "OPENCLAW_SHELL"), anywhere=True,
    ),
    Track(
        "xinghebot", ".", "",
        (
            ".multi_agent/runs/*/agents/primary/history.jsonl", ".multi_agent/runs/*/primary/history.jsonl",
            ".multi_agent/runs/*/history.jsonl",
        ),
        (".multi_agent/runs",), part=2, told=("XINGHEBOT_RUN_ID",), signs=("XINGHEBOT_RUN_ID",),
        silent=True,
    ),
    Track("helloagents", ".", "", (".helloagents/sessions/active.json",), (), key="session"),
)  # fmt: skip

AGENT_TITLES = {
    "claude-code": "Claude Code",
    "codex": "Codex",
    "openclaw": "OpenClaw",
    "xinghebot": "XingheBot",
    "helloagents": "HelloAGENTS",
    "cursor": "Cursor",
    "gemini": "Gemini CLI",
    "copilot": "GitHub Copilot",
    "opencode": "OpenCode",
    "windsurf": "Windsurf",
    "cline": "Cline",
    "kiro": "Kiro",
    "letta": "Letta",
}
"""What agents are called, for a person."""
CLIENTS = (
    ("claude", "claude-code"), ("codex", "codex"), ("openclaw", "openclaw"), ("cursor", "cursor"), ("gemini", "gemini"),
    ("copilot", "copilot"), ("opencode", "opencode"), ("windsurf", "windsurf"), ("cline", "cline"), ("kiro", "kiro"),
    ("letta", "letta"),
)  # fmt: skip
"""Part of the name that an agent's MCP client gives itself, and the agent."""
READ_BY_ITSELF = {
    "claude-code": ("CLAUDE.md", "CLAUDE.local.md"),
    "codex": ("AGENTS.md", "AGENTS.override.md"),
    "cursor": ("AGENTS.md",),
    "gemini": ("GEMINI.md",),
    "copilot": ("AGENTS.md", "CLAUDE.md", "GEMINI.md"),
    "opencode": ("AGENTS.md",),
    "windsurf": ("AGENTS.md",),
    "cline": ("AGENTS.md",),
    "kiro": ("AGENTS.md",),
}
"""The instructions that an agent reads at every start, wherever they stand, so that nobody gives them twice. What it
keeps in a directory of its own (rules, steering, memories) is given to nobody: see `other_tools`."""


_WORKSPACE = compile_pattern(
    r"\bworkspace[\"']?\s*:\s*(?P<quote>[\"'])(?P<path>(?:~|/|[A-Za-z]:)[^\"'\n]{1,4096})(?P=quote)"
)
_CONFIG = 1024 * 1024


def find_named_workspaces(root: Path, user: Path) -> list[Path]:
    """The workspaces that OpenClaw's settings in `root` put elsewhere. They are JSON5, so that just these are read."""
    try:
        with open(root / "openclaw.json", "rb") as file:
            text = file.read(_CONFIG).decode("utf-8", "replace")
    except (OSError, ValueError):
        return []
    named = (match["path"].replace("\\\\", "\\") for match in _WORKSPACE.finditer(text))
    found = (user / path[1:].lstrip("/\\") if path[0] == "~" else Path(path) for path in named)
    return [path for path in dict.fromkeys(found) if path.parent != root]
