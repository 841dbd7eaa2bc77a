"""`memtui hook EVENT` as a process: its input, its output, the log of fired hooks, the notifier called afterwards.

It fails open: unknown options, unreadable input and faults of our own end with exit status 0 and no output; to
Claude Code any other status is an error, and 2 a refusal.

- `log_hook`: one line appended a firing, below the state directory; a file that has grown is summed up in
  place. Hooks share its lock; only whoever sums up holds it alone. Health and doctor show it.
- `encode_answer`: for each agent and event only the fields that its schema allows. Codex refuses unknown ones
  and takes no permission decision: a refused call is `decision: block`.
- `read`: stdin, read leniently and hostile until shown otherwise: a field of the wrong type, with NUL in it or
  too long, is empty.
- `run_chained_notifier`: Codex's former notifier, from `--then` in the person's config.toml, called as if
  directly.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import sys
from contextlib import suppress

from memtui.core import clock
from memtui.core.startup import TYPE_CHECKING, Any, NamedTuple, compile_pattern
from memtui.fs.places import make_private_directory, state

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

FIRED_LARGEST = 64 * 1024
"""Bytes after which the record is summed up."""
MOST = 200
"""Different hooks that are kept; there are a few dozen."""
REASON = 200
"""Characters of a reason."""
_FLAGS = os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)


class Fired(NamedTuple):
    """How one event of one agent went so far."""

    event: str
    agent: str
    """Empty: nobody said."""
    last: float
    """When it fired last, in seconds since the epoch."""
    times: int
    failures: int
    failed: float = 0.0
    """When it last went wrong; 0: never."""
    failure: str = ""
    """Why, made fit for a screen."""
    seconds: float = 0.0
    """What it took last, without the start of the process."""


def log_hook(agent: str, event: str, seconds: float, error: str = "") -> None:
    """Note that a hook fired. Raises OSError, RefusedError where nothing can be written."""
    make_private_directory(_locate_record().parent)
    now = clock.now()
    line = _encode_line(
        Fired(event, agent, now, 1, int(bool(error)), now if error else 0.0, _format_reason(error), round(seconds, 4))
    )
    descriptor = os.open(_locate_record(), _FLAGS, 0o600)
    try:
        if _hold(descriptor, alone=False):
            os.write(descriptor, line)
        if os.fstat(descriptor).st_size > FIRED_LARGEST and _hold(descriptor, alone=True):
            _sum_up(descriptor)
    finally:
        os.close(descriptor)


def list_fired_hooks() -> list[Fired]:
    """Every hook that ever fired, the latest first. Lines that nobody can read are passed over."""
    with suppress(OSError), _locate_record().open("rb") as file:
        return _read_sums(file.read(4 * FIRED_LARGEST))
    return []


def _locate_record() -> Path:
    return state() / "hooks" / "fired.jsonl"


def _read_sums(data: bytes) -> list[Fired]:
    sums: dict[tuple[str, str], Fired] = {}
    for line in data.splitlines():
        new = _read(line)
        if new is None:
            continue
        old = sums.get((new.agent, new.event), new._replace(times=0, failures=0))
        newest, broken = max(old, new, key=lambda one: one.last), max(old, new, key=lambda one: one.failed)
        sums[new.agent, new.event] = newest._replace(
            times=old.times + new.times,
            failures=old.failures + new.failures,
            failed=broken.failed,
            failure=broken.failure,
        )
    return sorted(sums.values(), key=lambda one: -one.last)[:MOST]


def _sum_up(descriptor: int) -> None:
    """Leave one line for each hook. Whoever came before has done it already."""
    os.lseek(descriptor, 0, os.SEEK_SET)
    data = b"".join(iter(lambda: os.read(descriptor, 1 << 20), b""))
    if len(data) > FIRED_LARGEST:
        os.ftruncate(descriptor, 0)
        os.write(descriptor, b"".join(map(_encode_line, reversed(_read_sums(data)))))


def _hold(descriptor: int, *, alone: bool) -> bool:
    """Hold the record, with others or alone; whether that was possible. Closing it lets go."""
    if sys.platform != "win32":
        import fcntl

        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB if alone else fcntl.LOCK_SH)
        except OSError:
            return not alone
    return True


def _encode_line(one: Fired) -> bytes:
    plain = {name: value for name, value in one._asdict().items() if value}
    return json.dumps(plain, ensure_ascii=False).encode("utf-8", "replace") + b"\n"


def _read(line: bytes) -> Fired | None:
    try:
        said: dict[str, Any] = json.loads(line)
        return Fired(
            _make_safe(str(said["event"])),
            _make_safe(str(said.get("agent", ""))),
            float(said["last"]),
            int(said["times"]),
            int(said.get("failures", 0)),
            float(said.get("failed", 0.0)),
            _make_safe(str(said.get("failure", ""))),
            float(said.get("seconds", 0.0)),
        )
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None


def _format_reason(error: str) -> str:
    """What went wrong, without a secret that may stand in it."""
    if not error:
        return ""
    return _make_safe(error[: 4 * REASON], mask=True)


def _make_safe(text: str, *, mask: bool = False) -> str:
    if not text:
        return ""
    if text.isascii() and text.isalnum() and not mask:
        return text[:REASON]
    # Mostly there is nothing that anybody could have put there.
    from memtui.safety import sanitize

    plain = sanitize.redact_text(text).text if mask else text
    return sanitize.sanitize_text(plain[:REASON], keep_newlines=False)


LONGEST = 10_000
"""Characters of context, as JavaScript counts them; Claude Code moves longer ones into a file."""

_CONTEXT = frozenset({"SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "SubagentStart"})
_BLOCKING = frozenset({"UserPromptSubmit", "PreToolUse", "PostToolUse"})


class HookAnswer(NamedTuple):
    """What an event wants said."""

    context: str = ""
    """What the agent gets to know, framed as data already."""
    decision: str = ""
    """allow or deny (a tool's call), block (what was done); empty: none of it."""
    reason: str = ""
    """For the agent: why, and what to do."""
    problem: str = ""
    """What else went wrong, for Health."""


def encode_answer(answer: HookAnswer, event: str, agent: str) -> str:
    """One JSON object, or nothing where there is nothing to say, or no way to say it."""
    if agent == "cursor":
        # It takes context at a session's start only, and nothing of its is ever stopped.
        told = cut(answer.context) if event == "SessionStart" else ""
        return json.dumps({"additional_context": told}, ensure_ascii=False) if told else ""
    plain: dict[str, Any] = {}
    specific: dict[str, Any] = {}
    if answer.decision in {"deny", "block"} and event in _BLOCKING:
        if event == "PreToolUse" and agent != "codex":
            specific["permissionDecision"] = "deny"
            specific["permissionDecisionReason"] = cut(answer.reason)
        else:
            plain = {"decision": "block", "reason": cut(answer.reason)}
    elif answer.decision == "allow" and event == "PreToolUse" and agent != "codex":
        specific["permissionDecision"] = "allow"
    if answer.context and event in _CONTEXT:
        specific["additionalContext"] = cut(answer.context)
    if specific:
        plain["hookSpecificOutput"] = {"hookEventName": event, **specific}
    if not plain:
        return ""
    return json.dumps(plain, ensure_ascii=False)


def cut(text: str, longest: int = LONGEST) -> str:
    """As much of a text as fits, by whole lines where that leaves something."""
    # A half of a surrogate pair is JSON to Python and an error to everybody else.
    text = text.encode("utf-8", "replace").decode("utf-8")
    if count_utf16(text) <= longest:
        return text
    kept = text.encode("utf-16-le")[: 2 * (longest - 2)].decode("utf-16-le", "ignore")
    whole = kept.rpartition("\n")[0]
    return f"{whole if len(whole) * 2 > len(kept) else kept}\n…"


def count_utf16(text: str) -> int:
    """Characters as JavaScript counts them."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


LARGEST = 16 * 1024 * 1024
"""Characters of a payload that are looked at: a written file stands in it twice."""
PATH = 4096
"""Files that one call names, at most."""

WRITING = frozenset({"edit", "write", "multiedit", "notebookedit", "apply_patch", "create", "str_replace"})
"""Tools that change files, folded."""
READING = frozenset({"read", "notebookread", "view", "read_file"})

_SHELLS = frozenset({"bash", "shell", "local_shell", "exec_command"})
_APPLIES = compile_pattern(r"\bapply_patch\b[^\n]{0,80}<<[^\n]{0,80}\n\*\*\* Begin Patch")
_MOVED = compile_pattern(r"\bcd\s+(['\"]?)([^'\"\n;&|]+?)\1\s*(?:&&|;|\n)\s*apply_patch\b")
_PATHS = ("file_path", "notebook_path", "path")
_RUN = compile_pattern(r"(?:^\+.*\n?)+", re.MULTILINE)
_ADDED = compile_pattern(r"^\+", re.MULTILINE)
_PATCHED = compile_pattern(r"^\*\*\* (?:Update|Add|Delete) File: (.+)$|^\*\*\* Move to: (.+)$", re.MULTILINE)


def read(stdin: str) -> dict[str, Any] | None:
    """The payload; None: there is none that could be read."""
    if not stdin or len(stdin) > LARGEST:
        return None
    try:
        found = json.loads(stdin.removeprefix("\ufeff"))
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def read_cursor_payload(payload: Mapping[str, Any]) -> dict[str, Any]:
    """What Cursor says, under the names that other agents have for it: the directory, the session, the edited file."""
    found = dict(payload)
    roots = payload.get("workspace_roots")
    if "cwd" not in found and isinstance(roots, list) and roots and isinstance(roots[0], str):
        found["cwd"] = roots[0]
    if "session_id" not in found and isinstance(payload.get("conversation_id"), str):
        found["session_id"] = payload["conversation_id"]
    if "tool_input" not in found and isinstance(payload.get("file_path"), str):
        found |= {"tool_name": "Edit", "tool_input": {name: payload.get(name) for name in ("file_path", "edits")}}
    return found


def read_text_field(payload: Mapping[str, Any], key: str, longest: int = LARGEST) -> str:
    """A field that is a text; cut where it is longer."""
    found = payload.get(key)
    return found[:longest] if isinstance(found, str) and "\0" not in found else ""


def read_tool(payload: Mapping[str, Any]) -> str:
    """The tool's name, folded; a shell that is given a patch to apply is the tool that applies it."""
    name = read_text_field(payload, "tool_name", 200).casefold()
    given = payload.get("tool_input")
    if name in _SHELLS and isinstance(given, dict) and any(map(_APPLIES.search, _list_texts(given))):
        return "apply_patch"
    return name


def is_plain_command(stdin: str) -> bool:
    """Whether a shell's call changes no file by a patch: agents run many, and none waits for more than this."""
    return "apply_patch" not in stdin and '"Bash"' in stdin


def is_sidechain(payload: Mapping[str, Any]) -> bool:
    """Whether a sub-agent fired it: it never writes (spec 000)."""
    return bool(payload.get("agent_id"))


def has_failed(payload: Mapping[str, Any]) -> bool:
    """Whether the tool says that it did nothing."""
    said = payload.get("tool_response")
    return isinstance(said, dict) and (
        said.get("success") is False or said.get("is_error") is True or bool(said.get("error"))
    )


def list_call_files(payload: Mapping[str, Any]) -> tuple[str, ...]:
    """The files that a tool's call names, absolute and plain, each once, in order."""
    given = payload.get("tool_input")
    if isinstance(given, str):
        given = {"command": given}
    if not isinstance(given, dict):
        return ()
    named = [given[key] for key in _PATHS if isinstance(given.get(key), str)][:1]
    if not named:
        patches = [value for value in _list_texts(given) if "*** " in value]
        named = [one or other for patch in patches for one, other in _PATCHED.findall(patch)]
    here = read_text_field(payload, "cwd", PATH)
    moved = next(filter(None, map(_MOVED.search, _list_texts(given))), None)
    if moved is not None:
        here = _make_absolute(moved[2], here) or here
    found = (_make_absolute(name.strip(), here) for name in named)
    return tuple(dict.fromkeys(filter(None, found)))[:MOST]


def list_written_pieces(payload: Mapping[str, Any]) -> tuple[str, ...]:
    """The new pieces of text that an edit put into a file; none where all of the file is new."""
    given = payload.get("tool_input")
    if not isinstance(given, dict):
        return ()
    edits = given.get("edits")
    several = [edit for edit in edits if isinstance(edit, dict)] if isinstance(edits, list) else []
    told = [one.get(key) for one in (given, *several) for key in ("new_string", "new_source")]
    pieces = [piece for piece in told if isinstance(piece, str)]
    for patch in (value for value in _list_texts(given) if "*** Update File: " in value):
        pieces += [_ADDED.sub("", run[0]) for run in _RUN.finditer(patch)]
    return tuple(pieces)


def _list_texts(given: Mapping[str, Any]) -> list[str]:
    found = [value for value in given.values() if isinstance(value, str)]
    lists = [value for value in given.values() if isinstance(value, list)]
    return found + [part for parts in lists for part in parts[:MOST] if isinstance(part, str)]


def _make_absolute(name: str, here: str) -> str:
    if not name or len(name) > PATH or "\0" in name:
        return ""
    name = os.path.expanduser(name) if name.startswith("~/") else name
    if not os.path.isabs(name) and not os.path.isabs(here):
        return ""
    return os.path.normpath(os.path.join(here, name))


def guess_agent(payload: Mapping[str, Any], event: str) -> str:
    """Which agent fired it, by what only it says."""
    if event == "notify" or "thread-id" in payload:
        return "codex"
    transcript = read_text_field(payload, "transcript_path", PATH).replace("\\", "/")
    if "/.codex/" in transcript or transcript.rpartition("/")[2].startswith("rollout-"):
        return "codex"
    # Codex names the turn, Claude Code the prompt; and Codex may keep no transcript, and says so.
    silent = "transcript_path" in payload and payload["transcript_path"] is None
    return "codex" if silent or ("turn_id" in payload and not transcript) else "claude-code"


def run_chained_notifier(then: str, payload: str) -> None:
    """Run the notifier that `then` names (a JSON list of words) with Codex's JSON as its last word. Never raises."""
    with contextlib.suppress(Exception):
        words = json.loads(then)
        if not isinstance(words, list) or not words or not all(isinstance(word, str) for word in words):
            return
        import subprocess

        subprocess.run([*words, payload], stdin=subprocess.DEVNULL, check=False)


SILENCE = 3.0
"""Seconds without a word on stdin after which what came is all."""


def call_chained(argv: Sequence[str]) -> None:
    """Call the notifier that Codex had before ours, whatever became of ours."""
    if "--then" in argv[:-2]:
        run_chained_notifier(argv[argv.index("--then") + 1], argv[-1])


def parse_call(argv: Sequence[str]) -> tuple[str, str, str]:
    """The event, the agent, and the last argument: Codex's notify says there what others say on stdin."""
    event, agent, rest = "", "", list(argv)
    last = ""
    while rest:
        word = rest.pop(0)
        if word == "--agent":
            agent = rest.pop(0) if rest else ""
        elif word.startswith("--agent="):
            agent = word.partition("=")[2]
        elif not event and not word.startswith("-"):
            event = word
        else:
            last = word
    return event, agent.strip().casefold(), last


def read_stdin() -> str:
    """What came on stdin, to its end: whoever writes there must not be cut off. Too much of it is nothing."""
    if sys.stdin is None or sys.stdin.isatty():
        return ""
    parts: list[bytes] = []
    size = 0
    stdin = sys.stdin.fileno()
    while _wait_for_input(stdin) and (part := os.read(stdin, 1 << 20)):
        size += len(part)
        if size <= LARGEST:
            parts.append(part)
    return b"".join(parts).decode("utf-8", "replace") if size <= LARGEST else ""


def _wait_for_input(stdin: int) -> bool:
    """Whether there is more, or the end of it. Who says nothing for so long has forgotten to close it."""
    if sys.platform == "win32":
        return True
    import select

    return bool(select.select([stdin], [], [], SILENCE)[0])


def mute_stdout() -> None:
    """Nothing more is told to whoever called."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    except (OSError, ValueError):
        return
