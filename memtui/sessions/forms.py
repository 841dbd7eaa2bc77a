"""How a session's summary is written in each layout's own form.

helloagents: spec 000, its headings to the letter; memtui's own home the same, in the session's language, with spec
003's episode. code-memory: spec 002, numbered, or under headings where the home's newest file has them. xinghebot: its
capture file, without messages (spec 001 §5). skillix: a record in sessions.jsonl (spec 004).
"""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

from memtui import clock
from memtui.text import CJK_RUN, mostly_chinese

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from memtui.sessions.extract import Extract
    from memtui.sessions.session import Conversation, Session


class Summary(NamedTuple):
    """All that a form may tell."""

    session: Session
    found: Extract
    time: float
    """When it ended, as far as was heard."""
    talk: Conversation | None = None
    mode: str = ""
    """Spec 000's 模式; empty: 自由."""
    headed: bool = False
    """code-memory: under headings, as its newer scripts write."""


def of(form: str, summary: Summary) -> str:
    """The summary in the form of that name. Raises KeyError for one that writes none."""
    return FORMS[form](summary)


def chinese(found: Extract, talk: Conversation | None = None) -> bool:
    """Whether the session was held in Chinese: by what the person said, else as far as its summary shows."""
    if talk is not None and talk.prompts:
        return mostly_chinese([turn.text for turn in talk.prompts])
    told = "".join([found.topic, found.text[:500], *found.done, *found.decisions, *found.todos])
    wide = sum(map(len, CJK_RUN.findall(told)))
    return wide * 3 > len(told) - wide


_TITLES = {
    "title": ("会话摘要", "Session summary"),
    "session": ("Session ID", "Session ID"),
    "time": ("时间", "Time"),
    "project": ("项目", "Project"),
    "mode": ("模式", "Mode"),
    "goal": ("目标", "Goal"),
    "outcome": ("结果", "Outcome"),
    "tools": ("工具", "Tools"),
    "entities": ("实体", "Entities"),
    "done": ("做了什么", "Done"),
    "points": ("关键知识点", "Key points"),
    "decisions": ("关键决策", "Key decisions"),
    "todos": ("未完成", "Open items"),
    "files": ("涉及文件", "Files"),
}
_NONE = ("无", "none")
_CHANGED = ("修改了 ", "Changed ")
"""How the rules say that files changed, where nobody said what was done."""


def _parts(summary: Summary, zh: bool, *, episode: bool) -> str:
    found, session = summary.found, summary.session
    side = 0 if zh else 1
    name = {key: titles[side] for key, titles in _TITLES.items()}
    colon = ":"
    mode = summary.mode or ("自由" if zh else "free")
    head = [
        (name["session"], session.id),
        (name["time"], clock.local(summary.time).strftime("%Y-%m-%d %H:%M")),
        (name["project"], found.project or session.name),
        (name["mode"], mode),
    ]
    if episode:
        head += [
            (name["goal"], found.goal or found.topic),
            (name["outcome"], found.outcome),
            (name["tools"], ", ".join(found.tools)),
            (name["entities"], ", ".join(found.entities)),
        ]
    lines = [f"# {name['title']}", ""]
    lines += [f"**{label}{colon}** {_line(value)}" for label, value in head if value]
    if found.by in {"text", "raw"}:
        return "\n".join([*lines, "", *_body(found, name["done"])]) + "\n"
    # Where what it was about and what was found out have no place of their own, they stand with what was done.
    done = (
        distinct(found.done or found.points)
        if episode
        else distinct((*_about(found), *found.done, *found.points))
    )
    for key, items in (("done", done), ("decisions", found.decisions), ("todos", found.todos)):
        lines += ["", f"## {name[key]}", *_list(items or (_NONE[side],))]
    points = tuple(item for item in distinct((*done, *found.points)) if item not in done)
    if points and episode:
        lines += ["", f"## {name['points']}", *_list(points)]
    if found.files and episode:
        lines += ["", f"## {name['files']}", *_list(found.files)]
    return "\n".join(lines) + "\n"


def _helloagents(summary: Summary) -> str:
    return _parts(summary, True, episode=False)


def _own(summary: Summary) -> str:
    return _parts(summary, chinese(summary.found, summary.talk), episode=True)


def _code_memory(summary: Summary) -> str:
    found, session, talk = summary.found, summary.session, summary.talk
    raw = found.by == "raw"
    when = clock.local(summary.time).strftime("%Y-%m-%d %H:%M")
    head = [
        ("项目", found.project or session.name),
        ("时间", f"{when} (最后更新)"),
        ("工作目录", session.cwd),
    ]
    if talk is not None and talk.size:
        head.append(("原始大小", f"{max(1, round(talk.size / 1024))}KB ({talk.lines} 行)"))
    if session.transcript:
        head.append(("原始文件", f"`{session.transcript}`"))
    lines = [f"# {'会话记录' if raw else '会话摘要'}: {session.id}", ""]
    lines += [f"- **{label}**: {_line(value)}" for label, value in head if value]
    lines += ["", "---", ""]
    if found.by in {"text", "raw"}:
        return "\n".join([*lines, *_body(found, "对话" if raw else "摘要")]) + "\n"
    points = distinct((*found.done, *found.points))
    parts = [("关键知识点", points), ("决策记录", found.decisions), ("待办事项", found.todos)]
    if summary.headed:
        lines += ["## 主题", _line(found.topic)]
        for label, items in (parts[0], ("涉及文件", found.files), parts[1]):
            lines += ["", f"## {label}", *_list(items)] if items else []
        if found.todos:
            lines += ["", "## 待办事项", *(f"- [ ] {_line(item)}" for item in found.todos)]
        return "\n".join(lines) + "\n"
    lines.append(f"1. **主题**: {_line(found.topic)}")
    lines += ["2. **关键知识点**:", *_list(points or ("无",), "   - ")]
    lines.append(f"3. **涉及文件**: {', '.join(map(_line, found.files)) or '无'}")
    lines.append(f"4. **决策记录**: {_joined(found.decisions) or '无'}")
    if found.todos:
        lines += ["5. **待办事项**:", *_list(found.todos, "   - ")]
    return "\n".join(lines) + "\n"


def _xinghebot(summary: Summary) -> str:
    found, session = summary.found, summary.session
    at = datetime.fromtimestamp(summary.time, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    lines = ["# Session Capture", "", f"- run_id: {session.id}", f"- captured_at: {at}"]
    if found.by in {"text", "raw"}:
        return "\n".join([*lines, "", *_body(found, "Compaction Summary")]) + "\n"
    told = [found.topic, *found.done, *found.points]
    lines += ["", "## Compaction Summary", "", f"- at: {at}", *_list(dict.fromkeys(filter(None, told)))]
    for label, items in (("Decisions", found.decisions), ("TODO", found.todos), ("Files", found.files)):
        lines += ["", f"## {label}", "", *_list(items)] if items else []
    return "\n".join(lines) + "\n"


def _skillix(summary: Summary) -> str:
    found, session = summary.found, summary.session
    stamp = datetime.fromtimestamp(summary.time, UTC)
    parts = [*found.done, *found.points]
    record = {
        "id": f"sum-{stamp:%H%M%S}{stamp.microsecond // 1000:03d}-{_tail(session.id)}",
        "session_id": session.id,
        "topic": _line(found.topic),
        "summary": _line(found.text) if found.by in {"text", "raw"} else _joined(parts) or _line(found.topic),
        "decisions": [*map(_line, found.decisions)],
        "todos": [*map(_line, found.todos)],
        "timestamp": stamp.strftime("%Y-%m-%dT%H:%M:%SZ"),
        "source": "layer3_auto",
        "auto_generated": found.by not in {"person", "agent"},
    }
    return json.dumps(record, ensure_ascii=False)


FORMS: dict[str, Callable[[Summary], str]] = {
    "helloagents": _helloagents,
    "memtui": _own,
    "code-memory": _code_memory,
    "xinghebot": _xinghebot,
    "skillix": _skillix,
}
"""By the layout's name, as `Target.format` has it."""


def _tail(id: str) -> str:
    return "".join(char for char in id if char.isalnum())[-4:].lower() or "0000"


def _body(found: Extract, title: str) -> list[str]:
    """A text that is no list: its own headings go down below this one."""
    lines = [f"#{line}" if line.startswith("#") else line for line in found.text.strip().splitlines()]
    warned = [f"> {_line(found.warning)}", ""] if found.warning else []
    return [f"## {title}", "", *warned, *lines]


def _about(found: Extract) -> tuple[str, ...]:
    """The topic, where all that is known of what was done is which files changed."""
    silent = len(found.done) < 2 and all(item.startswith(_CHANGED) for item in found.done)
    return (found.topic,) if silent else ()


def distinct(items: Sequence[str]) -> tuple[str, ...]:
    """The items that say something that no other of them says, too."""
    from memtui.curation.similar import likeness

    kept: list[str] = []
    for item in filter(None, items):
        others = [other for other in items if other != item and len(other) > len(item)]
        if item in kept or any(item in other for other in others):
            continue
        if not any((like := likeness(item, other)) and like.kind == "inside" for other in others):
            kept.append(item)
    return tuple(kept)


def _line(text: str) -> str:
    return " ".join(text.split())


def _joined(items: Sequence[str]) -> str:
    """Several items as one line, each with its own end."""
    told = [_line(item) for item in items]
    mark = "；" if any(CJK_RUN.search(item) for item in told) else "; "
    return mark.join(item.rstrip("。.;；") for item in told)


def _list(items: Iterable[str], bullet: str = "- ") -> list[str]:
    return [f"{bullet}{_line(item)}" for item in items]
