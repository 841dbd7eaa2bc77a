"""The scratchpad (spec 003): the current task from the latest prompt, and the last five done.

It is a file of memtui's own home; in a home of OpenAkita's it is a row of its database, as the program writes it.

When the topic changes the old task is archived with its time. No model is asked: a prompt that shares words
with the task at hand continues it.
"""

from __future__ import annotations

import json
import re

from memtui.core import clock
from memtui.core.edits import Edit, Piece, RowEdit, diff_lines
from memtui.core.errors import ConflictError
from memtui.core.locale import _
from memtui.core.startup import TYPE_CHECKING, NamedTuple, compile_pattern
from memtui.core.text import CJK_RUN
from memtui.fs import database_rows
from memtui.fs.locks import hold_lock, lock_for
from memtui.layouts import load_facts
from memtui.safety.injection import examine
from memtui.sessions import jobs
from memtui.store.write_path import mask_description

if TYPE_CHECKING:
    from memtui.core.edits import Receipt, Value
    from memtui.core.model import Home
    from memtui.language.conversation import Session
    from memtui.store.writing import Writing

PATH = "scratchpad.md"
KEPT = 5
LONGEST = 160
"""Characters of a task."""
_LOOKED = 4000
"""Characters of a prompt."""
_SHORT = 12
"""A prompt of fewer characters ('go on', '继续') names no task of its own."""

_CURRENT = compile_pattern(r"^##\s*(?:当前任务|Current task)\b.*$", re.IGNORECASE | re.MULTILINE)
_DONE = compile_pattern(r"^##\s*(?:最近完成|近期完成|Last done|Recently done)\b.*$", re.IGNORECASE | re.MULTILINE)
_NEXT = compile_pattern(r"^#{1,2}\s", re.MULTILINE)
_ITEM = compile_pattern(r"^[ \t]*[-*+][ \t]+(.+)$", re.MULTILINE)
_FROM = compile_pattern(r"\s*\((?:source|session)=([^)]*)\)\s*$")
_WORD = compile_pattern(r"[A-Za-z0-9_./-]{3,}")
_GOING_ON = compile_pattern(
    r"(?:ok|okay|yes|yep|sure|thanks?|great|good|no|go on|go ahead|continue|please continue|and|also|now|then|next"
    r"|still|again|try again|it|that|this|继续|好的?|可以|是的?|对|嗯|谢谢|再试|还是|然后|接着|另外|还有"
    r"|不对|不是|那)\b",
    re.IGNORECASE,
)

_BEGINS = compile_pattern(
    r"\W*(?:(?:please|let'?s|now|next|then|also|can you|could you|i want you to)\s+)*"
    r"(?:add|implement|build|create|introduce|port|migrate|refactor|rewrite|redesign|integrate|set up)\s"
    r"|(?:请|现在|接着|然后|接下来|帮我|再)*(?:实现|新增|添加|加上|加一个|开发|搭建|重构|迁移|接入|引入)",
    re.IGNORECASE,
)
"""How one asks for a thing to be made; to run, check or mend something is a step of the task at hand."""


class Pad(NamedTuple):
    """What stands in it."""

    tasks: tuple[tuple[str, str], ...]
    """Each with its session, the latest first: several agents may be at work."""
    done: tuple[str, ...]
    """Newest first, as they stand."""


def read(text: str) -> Pad:
    """The current tasks and those done."""
    tasks = []
    for task in _ITEM.findall(_find_section(text, _CURRENT)[2]):
        match = _FROM.search(task)
        tasks.append((_FROM.sub("", task), match[1] if match else ""))
    return Pad(tuple(tasks), tuple(_ITEM.findall(_find_section(text, _DONE)[2])))


def update_scratchpad(vault: Writing, home: Home, session: Session, prompt: str) -> Receipt | None:
    """Follow the work: the task that a prompt names becomes the current one. None: it goes on with the one at hand.

    Sub-agents, homes of other layouts and prompts that read like orders to agents change nothing. Raises what
    `Vault.apply` raises.
    """
    # Masked before it is cut: half a secret looks like none.
    task = read_task(mask_description(prompt[:_LOOKED], vault.config.redact.patterns))
    facts = load_facts(home)
    database = next((path for path in facts.task_databases if (home.path / path).is_file()), "")
    keeps = facts.own or (database and home.writable)
    if not keeps or session.sidechain or not task or examine(task).action == "quarantine":
        return None

    now = clock.now()
    if database:
        goes_on = is_task_continued(_read_row(str(home.path), database), prompt)
        return _update_row(vault, str(home.path), database, session.who, task, goes_on=goes_on, now=now)
    # Looking and writing are one step: of sessions that are prompted at once none loses its task to another.
    with hold_lock(lock_for(str(home.path), f"{PATH}#task"), vault.wait):
        try:
            return _write_turn(vault, str(home.path), session, (task, prompt), now)
        except ConflictError:
            # Somebody who knows no locks.
            return _write_turn(vault, str(home.path), session, (task, prompt), now)


def _write_turn(vault: Writing, root: str, session: Session, said: tuple[str, str], now: float) -> Receipt | None:
    task, prompt = said
    base = vault.bytes_of(root, PATH)
    text = (base or b"").decode("utf-8", "surrogateescape")
    pad = read(text)
    ours = next((told for told, whose in pad.tasks if whose == session.id), "")
    if is_task_continued(ours, prompt):
        return None
    new = _render_pad(text, pad, task, session.id, now).encode("utf-8", "surrogateescape")
    return vault.apply(
        [Edit(root, PATH, base, (Piece(0, 0, new),) if base is None else diff_lines(base, new))],
        verb="task",
        who=session.who,
        what=_("current task: {task}").format(task=task),
        confirmed=True,
    )


def read_task(prompt: str) -> str:
    """The task that a prompt names, on one line; empty: it names none (a command, a word of assent)."""
    lines = [" ".join(line.split()) for line in prompt[:_LOOKED].splitlines()]
    first = next((line for line in lines if line.strip(" `#>-*")), "").lstrip("#>-* ")
    if first.startswith(("/", "!", "<", "```")) or _weigh_text(first) < _SHORT:
        return ""
    if _GOING_ON.match(first) and _weigh_text(first) < 3 * _SHORT:
        return ""
    return first if len(first) <= LONGEST else f"{first[: LONGEST - 1].rstrip()}…"


def is_task_continued(task: str, prompt: str) -> bool:
    """Whether a prompt is about the task at hand: with words in common, or short and no order to begin a thing."""
    if not task:
        return False
    ours, theirs = _extract_words(task), _extract_words(prompt[:2000])
    if len(theirs) < 4 and not ours & theirs:
        return len(theirs) < 2 or _BEGINS.match(prompt) is None
    return len(theirs) < 4 or 4 * len(ours & theirs) >= min(len(ours), len(theirs))


def _weigh_text(text: str) -> int:
    """Characters, a Chinese one counting as three."""
    return len(text) + 2 * sum(map(len, CJK_RUN.findall(text)))


def _extract_words(text: str) -> frozenset[str]:
    pairs = {run[at : at + 2] for run in CJK_RUN.findall(text) for at in range(max(1, len(run) - 1))}
    return frozenset({word.casefold() for word in _WORD.findall(text)} - _COMMON) | pairs


_COMMON = frozenset({
    "the", "and", "for", "with", "that", "this", "from", "into", "please", "can", "you", "could", "should", "would",
    "have", "has", "was", "are", "its", "our", "use", "add", "make", "need", "want", "all", "not", "but", "let",
})  # fmt: skip


def _find_section(text: str, heading: re.Pattern[str]) -> tuple[int, int, str]:
    """Where the body of a section begins and ends, and its text; -1 where there is none."""
    match = heading.search(text)
    if match is None:
        return -1, -1, ""
    after = _NEXT.search(text, match.end())
    end = after.start() if after else len(text)
    return match.end(), end, text[match.end() : end]


def _render_pad(text: str, pad: Pad, task: str, session: str, now: float) -> str:
    going_on = jobs.list_running_ids()
    others = [(told, whose) for told, whose in pad.tasks if whose != session and (whose in going_on or not whose)]
    # A task that nobody's session is named for is the person's own, or of a session before there were several.
    over = [one for one in pad.tasks if one not in others[: KEPT - 1]]
    stamp = clock.format_minute(now)
    done = [*(f"{stamp} {_format_task(told, whose)}" for told, whose in over), *pad.done]
    tasks = [(task, session), *others[: KEPT - 1]]
    if not text.strip():
        wide = bool(CJK_RUN.search(task))
        titles = ("草稿板", "当前任务", "最近完成") if wide else ("Scratchpad", "Current task", "Last done")
        text = f"# {titles[0]}\n\n## {titles[1]}\n\n## {titles[2]}\n"
    told = [_format_task(one, whose) for one, whose in tasks]
    text = _replace_section(text, _CURRENT, told, "\n\n## 当前任务\n")
    return _replace_section(text, _DONE, done[:KEPT], "\n\n## 最近完成\n") if done else text


def _format_task(task: str, session: str) -> str:
    return f"{task} (session={session})" if session else task


def _replace_section(text: str, heading: re.Pattern[str], items: list[str], title: str) -> str:
    """The section with these items in place of those it has; its other lines stay."""
    if heading.search(text) is None:
        text = text.rstrip("\n") + title
    start, end, body = _find_section(text, heading)
    rest = _ITEM.sub("", body).strip("\n ")
    told = "".join(f"- {item}\n" for item in items)
    more = f"\n{rest}\n" if rest else ""
    return f"{text[:start]}\n\n{told}{more}" + (f"\n{text[end:]}" if text[end:].strip() else "")


_TABLE, _USER = "scratchpad", "default"
"""Of OpenAkita's database: one row of working memory for a user."""


def _update_row(
    vault: Writing, home: str, path: str, who: str, task: str, *, goes_on: bool, now: float
) -> Receipt | None:
    """Make a task the one at hand; the one before goes to those done lately. None: it is at hand already."""
    row = database_rows.read_row(home, path, _TABLE, _USER) or {}
    before = str(row.get("current_focus") or "")
    if goes_on or before == task:
        return None
    done = _read_list(row.get("active_projects"))
    if before:
        done.insert(0, f"[{clock.convert_to_local(now):%m-%d %H:%M}] {before}")
    done = done[:KEPT]
    listed = "\n".join(f"- {one}" for one in done)
    values: dict[str, Value] = {
        "current_focus": task,
        "active_projects": json.dumps(done, ensure_ascii=False),
        "content": f"## 当前任务\n{task}" + (f"\n\n## 近期完成\n{listed}" if done else ""),
        "updated_at": clock.convert_to_local(now).replace(tzinfo=None).isoformat(),
    }
    change = RowEdit(
        home, path, _TABLE, _USER, {name: row[name] for name in values if name in row} if row else None, values
    )
    return vault.apply([change], verb="task", who=who, what=_("current task: {task}").format(task=task))


def _read_row(home: str, path: str) -> str:
    """The task at hand; empty: there is none."""
    row = database_rows.read_row(home, path, _TABLE, _USER)
    return str((row or {}).get("current_focus") or "")


def _read_list(value: Value) -> list[str]:
    try:
        found = json.loads(value) if isinstance(value, str) else []
    except ValueError:
        return []
    return [one for one in found if isinstance(one, str)] if isinstance(found, list) else []
