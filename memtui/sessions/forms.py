"""A session's summary on disk: one file, in its layout's own form, written again at every trigger (spec 000, 记忆写入).

- `keep`, `merge_extract`: what an agent itself said of its session when asked; later captures add to it and
  lose none. It is kept below the state directory with its secrets masked.
- `render_summary`, the forms. sections: spec 000, its headings to the letter; episode: the same in the session's
  language, with spec 003's episode. numbered: spec 002, or under headings where the home's newest file has them.
  capture: spec 001's capture file (§5), without messages. record: a line of sessions.jsonl (spec 004).
- `record`: what a person changed in the file since is merged with the new text. What reads like an order to
  agents is left out and waits in Review.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from memtui.core import clock
from memtui.core.edits import Append, Draft, Edit, Piece, diff_lines
from memtui.core.errors import ConflictError, MemtuiError, RefusedError
from memtui.core.locale import _
from memtui.core.startup import sha256
from memtui.core.text import CJK_RUN, is_mostly_chinese
from memtui.formats.rewording import merge_three_way
from memtui.fs.places import replace_private_file, state
from memtui.language.similarity import measure_likeness
from memtui.layouts import Recording, load_facts, load_layout
from memtui.safety.injection import examine
from memtui.safety.redact import redact
from memtui.sessions import episode_rows
from memtui.sessions.identify import list_id_forms
from memtui.store.proposing import LONGEST as LONGEST_PROPOSAL
from memtui.store.proposing import propose_draft
from memtui.store.secrets import compile_vault_patterns, mask_draft

if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path

    from memtui.core.edits import Receipt, Target
    from memtui.core.model import Home
    from memtui.language.conversation import Conversation, Extract, Session
    from memtui.store.vault import Vault

_TEXTS = ("topic", "goal")
_LISTS = ("done", "points", "decisions", "todos")
_MOST = 8
"""Items of one part: a summary is short."""
_LARGEST = 64 * 1024


def keep(file: Path, found: Extract, patterns: Sequence[re.Pattern[str]] = ()) -> None:
    """Remember what the agent said; `patterns` are a person's own for secrets. Never raises: it is in the file, too."""

    def safe(text: str) -> str:
        return redact(text, patterns).text

    said: dict[str, object] = {name: safe(getattr(found, name)) for name in _TEXTS}
    said |= {name: [safe(item) for item in getattr(found, name)] for name in _LISTS}
    with suppress(OSError, RefusedError):
        replace_private_file(file, json.dumps(said, ensure_ascii=False).encode("utf-8", "replace"), sync=False)


def merge_extract(file: Path, found: Extract) -> Extract:
    """What was found, after what the agent said itself; nothing twice, and nothing left open that was done since."""
    said = _read(file)
    if not said:
        return found
    told = {name: _list_strings(said.get(name)) for name in _LISTS}
    told["todos"] = [item for item in told["todos"] if not _is_among(item, found.done)]
    return found._replace(
        topic=str(said.get("topic") or found.topic),
        done=_merge_items(told["done"], found.done),
        points=_merge_items(told["points"], found.points),
        decisions=_merge_items(told["decisions"], found.decisions),
        todos=_merge_items(told["todos"], found.todos),
    )


def _merge_items(first: Sequence[str], more: Sequence[str]) -> tuple[str, ...]:
    kept = list(first)
    kept += [item for item in more if not _is_among(item, kept)]
    return tuple(kept[:_MOST])


def _is_among(item: str, others: Sequence[str]) -> bool:
    found = (measure_likeness(item, other) for other in others)
    return any(like is not None and like.covers for like in found)


def _read(file: Path) -> dict[str, object]:
    try:
        with file.open("rb") as opened:
            said = json.loads(opened.read(_LARGEST))
    except (OSError, ValueError, RecursionError):
        return {}
    return said if isinstance(said, dict) else {}


def _list_strings(value: object) -> list[str]:
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []


class Summary(NamedTuple):
    """All that a form may tell."""

    session: Session
    found: Extract
    time: float
    """When it ended, as far as was heard."""
    talk: Conversation | None = None
    workflow: bool = False
    """Spec 000's 模式: 工作流, else 自由."""
    headed: bool = False
    """Of the numbered form: under headings, as newer scripts write."""


def render_summary(form: str, summary: Summary) -> str:
    """The summary in the form of that name. Raises KeyError for one that writes none."""
    return FORMS[form](summary)


def is_held_in_chinese(found: Extract, talk: Conversation | None = None) -> bool:
    """Whether the session was held in Chinese: by what the person said, else as far as its summary shows."""
    if talk is not None and talk.prompts:
        return is_mostly_chinese([turn.text for turn in talk.prompts])
    told = "".join([found.topic, *found.done, *found.decisions, *found.todos])
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
_MODES = (("自由", "free"), ("工作流", "workflow"))
_CHANGED = ("修改了 ", "Changed ")
"""How the rules say that files changed, where nobody said what was done."""


def _render_parts(summary: Summary, zh: bool, *, episode: bool) -> str:
    found, session = summary.found, summary.session
    side = 0 if zh else 1
    name = {key: titles[side] for key, titles in _TITLES.items()}
    colon = ":"
    mode = _MODES[summary.workflow][side]
    head = [
        (name["session"], session.id),
        (name["time"], clock.format_minute(summary.time)),
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
    lines += [f"**{label}{colon}** {_join_words(value)}" for label, value in head if value]
    # Where what it was about and what was found out have no place of their own, they stand with what was done.
    done = (
        drop_repeated(found.done or found.points)
        if episode
        else drop_repeated((*_list_topics(found), *found.done, *found.points))
    )
    for key, items in (("done", done), ("decisions", found.decisions), ("todos", found.todos)):
        lines += ["", f"## {name[key]}", *_list(items or (_NONE[side],))]
    points = tuple(item for item in drop_repeated((*done, *found.points)) if item not in done)
    if points and episode:
        lines += ["", f"## {name['points']}", *_list(points)]
    if found.files and episode:
        lines += ["", f"## {name['files']}", *_list(found.files)]
    return "\n".join(lines) + "\n"


def _render_sections(summary: Summary) -> str:
    return _render_parts(summary, True, episode=False)


def _render_episode(summary: Summary) -> str:
    return _render_parts(summary, is_held_in_chinese(summary.found, summary.talk), episode=True)


def _render_numbered(summary: Summary) -> str:
    found, session, talk = summary.found, summary.session, summary.talk
    when = clock.format_minute(summary.time)
    head = [("项目", found.project or session.name), ("时间", f"{when} (最后更新)"), ("工作目录", session.cwd)]
    if talk is not None and talk.size:
        head.append(("原始大小", f"{max(1, round(talk.size / 1024))}KB ({talk.lines} 行)"))
    if session.transcript:
        head.append(("原始文件", f"`{session.transcript}`"))
    lines = [f"# 会话摘要: {session.id}", ""]
    lines += [f"- **{label}**: {_join_words(value)}" for label, value in head if value]
    lines += ["", "---", ""]
    points = drop_repeated((*found.done, *found.points))
    parts = [("关键知识点", points), ("决策记录", found.decisions), ("待办事项", found.todos)]
    if summary.headed:
        lines += ["## 主题", _join_words(found.topic)]
        for label, items in (parts[0], ("涉及文件", found.files), parts[1]):
            lines += ["", f"## {label}", *_list(items)] if items else []
        if found.todos:
            lines += ["", "## 待办事项", *(f"- [ ] {_join_words(item)}" for item in found.todos)]
        return "\n".join(lines) + "\n"
    lines.append(f"1. **主题**: {_join_words(found.topic)}")
    lines += ["2. **关键知识点**:", *_list(points or ("无",), "   - ")]
    lines.append(f"3. **涉及文件**: {', '.join(map(_join_words, found.files)) or '无'}")
    lines.append(f"4. **决策记录**: {_join_items(found.decisions) or '无'}")
    if found.todos:
        lines += ["5. **待办事项**:", *_list(found.todos, "   - ")]
    return "\n".join(lines) + "\n"


def _render_capture(summary: Summary) -> str:
    found, session = summary.found, summary.session
    at = clock.format_utc(summary.time)
    lines = ["# Session Capture", "", f"- run_id: {session.id}", f"- captured_at: {at}"]
    told = [found.topic, *found.done, *found.points]
    lines += ["", "## Compaction Summary", "", f"- at: {at}", *_list(dict.fromkeys(filter(None, told)))]
    for label, items in (("Decisions", found.decisions), ("TODO", found.todos), ("Files", found.files)):
        lines += ["", f"## {label}", "", *_list(items)] if items else []
    return "\n".join(lines) + "\n"


def _render_record(summary: Summary) -> str:
    found, session = summary.found, summary.session
    stamp = datetime.fromtimestamp(summary.time, UTC)
    parts = [*found.done, *found.points]
    record = {
        "id": f"sum-{stamp:%H%M%S}{stamp.microsecond // 1000:03d}-{_shorten_id(session.id)}",
        "session_id": session.id,
        "topic": _join_words(found.topic),
        "summary": _join_items(parts) or _join_words(found.topic),
        "decisions": [*map(_join_words, found.decisions)],
        "todos": [*map(_join_words, found.todos)],
        "timestamp": clock.format_utc(summary.time),
        "source": "layer3_auto",
        "auto_generated": found.by not in {"person", "agent"},
    }
    return json.dumps(record, ensure_ascii=False)


FORMS: dict[str, Callable[[Summary], str]] = {
    "sections": _render_sections,
    "episode": _render_episode,
    "numbered": _render_numbered,
    "capture": _render_capture,
    "record": _render_record,
}
"""By the name that a layout declares (`LayoutFacts.summary_form`), as `Target.format` has it."""


def _shorten_id(id: str) -> str:
    return "".join(char for char in id if char.isalnum())[-4:].lower() or "0000"


def _list_topics(found: Extract) -> tuple[str, ...]:
    """The topic, where all that is known of what was done is which files changed."""
    silent = len(found.done) < 2 and all(item.startswith(_CHANGED) for item in found.done)
    return (found.topic,) if silent else ()


def drop_repeated(items: Sequence[str]) -> tuple[str, ...]:
    """The items that say something that no other of them says, too."""
    kept: list[str] = []
    for item in filter(None, items):
        others = [other for other in items if other != item and len(other) > len(item)]
        if item in kept or any(item in other for other in others):
            continue
        if not any((like := measure_likeness(item, other)) and like.kind == "inside" for other in others):
            kept.append(item)
    return tuple(kept)


def _join_words(text: str) -> str:
    return " ".join(text.split())


def _join_items(items: Sequence[str]) -> str:
    """Several items as one line, each with its own end."""
    told = [_join_words(item) for item in items]
    mark = "；" if any(CJK_RUN.search(item) for item in told) else "; "
    return mark.join(item.rstrip("。.;；") for item in told)


def _list(items: Iterable[str], bullet: str = "- ") -> list[str]:
    return [f"{bullet}{_join_words(item)}" for item in items]


LARGEST = 48 * 1024
"""Characters of a summary: more than that is no summary."""
_AGAIN = 3


def record(
    vault: Vault,
    home: Home,
    session: Session,
    found: Extract,
    talk: Conversation | None = None,
    *,
    trigger: str,
    now: float | None = None,
    group: str = "",
) -> Receipt | None:
    """Write the session's summary into its one file of this home; None: it says just that already.

    Raises RefusedError for a sub-agent's session, or a home that keeps no summaries, and what `Vault.apply` raises.
    """
    if session.sidechain:
        raise RefusedError(_("Sub-agents write no memories."))
    now = clock.now() if now is None else now
    time = talk.ended if talk is not None and talk.ended is not None else now
    target = place(home, session, time)
    who = f"agent:{session.agent or 'unknown'}"
    told = _locate_last_state(target, session.id).with_suffix(".said")
    if found.by == "agent":
        keep(told, found, compile_vault_patterns(vault))
    else:
        found = merge_extract(told, found)
    found = _keep_harmless(vault, home, session, found, who)
    what = _("summary of {session} ({trigger})").format(session=session.id[:8], trigger=trigger)
    if target.format == episode_rows.FORM:
        return episode_rows.record_episode(vault, target, session, found, talk, time=time, what=what, group=group)
    staged = _is_workflow(home, talk, trigger, vault.bytes_of(target.home, target.path) or b"")
    summary = Summary(session, found, time, talk, staged, _has_headings(home))
    # Masked before it is compared with what is there, which was masked when it was written.
    text = mask_draft(vault, Draft(render_summary(target.format, summary)[:LARGEST]))[0].text
    if target.append_only:
        if _find_newest_record(vault, target, session) == _parse_record(text):
            return None
        again = _renew_record(vault, target, session, text)
        if again is not None:
            with suppress(ConflictError):
                return vault.apply([again], verb="capture", who=who, what=what, group=group, confirmed=True)
        # Or somebody else wrote meanwhile: of several records of a session the newest holds.
        return vault.apply([Append(target.home, target.path, text)], verb="capture", who=who, what=what, group=group)
    for left in range(_AGAIN, -1, -1):
        edit = _edit(vault, target, text)
        if edit is None:
            return None
        try:
            receipt = vault.apply([edit], verb="capture", who=who, what=what, group=group, confirmed=True)
        except ConflictError:
            if not left:
                raise
        else:
            _remember(target, edit.new)
            return receipt
    raise AssertionError


def _is_workflow(home: Home, talk: Conversation | None, trigger: str, before: bytes) -> bool:
    """Whether the session goes through its tool's stages: by its prompts, this trigger, or an earlier one."""
    words = load_facts(home).workflow_words
    began = {turn.text.split(None, 1)[0].lower() for turn in talk.prompts if turn.text.strip()} if talk else set()
    return bool(words) and (
        trigger == "stage" or not began.isdisjoint(words) or f"**模式:** {_MODES[1][0]}".encode() in before
    )


def place(home: Home, session: Session, time: float) -> Target:
    """The session's one file, whichever of its names it has already. Raises RefusedError."""
    kind = load_layout(home.layout)
    if not isinstance(kind, Recording):
        raise RefusedError(
            _("{home} ({layout}) keeps no summaries of sessions.").format(home=home.label, layout=home.layout)
        )

    found = [kind.session(home, name, time) for name in dict.fromkeys([session.id, *list_id_forms(session)])]
    return next((target for target in found if target.exists), found[0])


def _keep_harmless(vault: Vault, home: Home, session: Session, found: Extract, who: str) -> Extract:
    """The summary without what reads like an order to agents; that waits for a person."""
    kept: dict[str, Any] = {}
    aside: list[str] = []
    for name in ("done", "points", "decisions", "todos", "files", "tools", "entities"):
        items: tuple[str, ...] = getattr(found, name)
        kept[name] = tuple(item for item in items if examine(item).action != "quarantine")
        left = [item for item in items if item not in kept[name]]
        # Harmless one by one, an order when they are read in a row.
        row = ", ".join(kept[name])
        if examine(row).action == "quarantine":
            kept[name], left = (), [*left, row]
        # A name that stands in no text is nothing to decide about.
        aside += left if name != "entities" else []
    texts = {name: getattr(found, name) for name in ("topic", "goal", "outcome", "project")}
    for name, text in texts.items():
        if examine(text).action == "quarantine":
            aside.append(text)
            kept[name] = ""
    for text in dict.fromkeys(aside):
        _set_aside(vault, home, session, text, who)
    return found._replace(**kept)


def _set_aside(vault: Vault, home: Home, session: Session, text: str, who: str) -> None:
    with suppress(MemtuiError):
        propose_draft(vault, str(home.path), Draft(text[:LONGEST_PROPOSAL]), who, session=session.id)


def _edit(vault: Vault, target: Target, text: str) -> Edit | None:
    """The change that makes the file say this; what others changed in it since the last time stays."""
    base = vault.bytes_of(target.home, target.path)
    new = text.encode("utf-8", "replace")
    if base is not None and b"\r\n" in base:
        new = new.replace(b"\n", b"\r\n")
    if base == new:
        return None
    last = _read_last_state(target)
    if base is not None and last is not None and base != last:
        if last == new:
            return None
        new = merge_three_way(last, base, new).data
    if base is None:
        return Edit(target.home, target.path, None, (Piece(0, 0, new),))
    pieces = diff_lines(base, new)
    return Edit(target.home, target.path, base, pieces) if pieces else None


def _locate_last_state(target: Target, session: str = "") -> Path:
    """Where a file's last state is kept; with a session, for some homes have one file for all of them."""
    name = os.fsencode(target.home) + b"\0" + f"{target.path}\0{session}".encode("utf-8", "surrogateescape")
    return state() / "summaries" / sha256(name)[:24]


def _read_last_state(target: Target) -> bytes | None:
    """What was written the last time, masked as it is in the file; None: nothing, or nobody knows."""
    try:
        return _locate_last_state(target).read_bytes()
    except OSError:
        return None


def _remember(target: Target, written: bytes) -> None:
    with suppress(OSError, RefusedError):
        replace_private_file(_locate_last_state(target), written, sync=False)


def _has_headings(home: Home) -> bool:
    """Whether the newest summary of a home of the numbered form has headings, as newer scripts write them."""
    if load_facts(home).summary_form != "numbered":
        return False
    newest: tuple[float, str] = (0.0, "")
    with suppress(OSError):
        for entry in os.scandir(home.path / "sessions"):
            if entry.name.endswith(".md") and entry.is_file(follow_symlinks=False):
                newest = max(newest, (entry.stat().st_mtime, entry.path))
        if newest[1]:
            with open(newest[1], "rb") as file:
                return b"\n## \xe4\xb8\xbb\xe9\xa2\x98" in file.read(16384)
    return False


def _renew_record(vault: Vault, target: Target, session: Session, text: str) -> Edit | None:
    """The session's newest record with what it says now, under its id: a session has one summary (spec 004)."""
    data = vault.bytes_of(target.home, target.path) or b""
    found: tuple[int, int, dict[str, Any]] | None = None
    start = 0
    for line in data.splitlines(keepends=True):
        said = _parse_object(line.decode("utf-8", "replace")) if session.id.encode() in line else None
        if said is not None and said.get("session_id") == session.id and not said.get("deleted_at"):
            found = start, start + len(line.rstrip(b"\r\n")), said
        start += len(line)
    new = _parse_object(text)
    if found is None or new is None:
        return None
    begin, end, old = found
    told = json.dumps({**old, **new, "id": old.get("id", new["id"])}, ensure_ascii=False).encode()
    return Edit(target.home, target.path, data, (Piece(begin, end, told),))


def _parse_object(line: str) -> dict[str, Any] | None:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _find_newest_record(vault: Vault, target: Target, session: Session) -> object:
    """What the newest record of a session says, its id and time aside."""
    data = vault.bytes_of(target.home, target.path) or b""
    mark = session.id.encode()
    lines = [line for line in data.split(b"\n") if mark in line]
    return next((told for line in reversed(lines) if (told := _parse_record(line.decode("utf-8", "replace")))), None)


def _parse_record(line: str) -> object:
    found = _parse_object(line)
    return None if found is None else {name: found[name] for name in found if name not in {"id", "timestamp"}}
