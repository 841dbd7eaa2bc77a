"""MEMORY.md and USER.md of a home whose program makes them out of its database every night (spec 003).

Where memtui looks after such a home in the program's place, they are made anew as the program's own lifecycle
does: the most important rows of each type, four of each and 1,500 characters in all; of the person what rows say
whose subject is the user, by their predicate. A USER.md that does not say that it was made is the person's own.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from memtui.consolidation.step_work import StepResult
from memtui.core.edits import Edit, Piece, diff_lines
from memtui.core.errors import MemtuiError
from memtui.core.locale import _
from memtui.formats import memory_rows
from memtui.formats.records import parse_end_moment, parse_moment, parse_number
from memtui.formats.sections import list_owned_sections
from memtui.fs import database_rows
from memtui.layouts import load_facts
from memtui.store.write_path import KEEPER, REFRESH

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from memtui.consolidation.step_work import Work

    Row = dict[str, Any]

_CORE = (
    ("preference", "偏好"), ("rule", "规则"), ("fact", "事实"),
    ("error", "教训"), ("skill", "技能"), ("experience", "经验"),
)  # fmt: skip
_EACH, _CHARACTERS, _LEAST, _ROWS = 4, 1500, 0.5, 200
"""Of MEMORY.md: rows of a type, characters of all, and the importance from which on a row may stand there."""
_ITEMS, _ABOUT_USER = 8, 50
"""Of USER.md: items of a part, and rows that are looked at."""
_USER = "用户"
_PARTS = (
    ("基本信息", ("称呼", "名字", "身份", "时区"), "fact"),
    ("技术栈", ("技术", "语言", "框架", "工具", "版本"), ""),
    ("偏好", ("偏好", "风格", "习惯"), "preference"),
    ("项目", ("项目", "工作"), ""),
)
"""A part of USER.md, words in a predicate that lead there, and the type that does where no predicate leads anywhere."""
_DEEDS = (
    "打开", "关闭", "运行", "执行", "安装", "部署", "启动", "停止", "创建", "删除", "修改", "搜索", "下载", "上传",
    "编译", "测试", "去", "进入", "访问", "登录", "检查", "查看", "发送",
)  # fmt: skip
"""What is done is nothing about the person."""
_SHARED = frozenset({"", "user", "global"})


def refresh_made_files(work: Work) -> StepResult:
    """Make the files anew that say something else than the database; nothing in homes that have none."""
    facts = load_facts(work.home)
    database = next((path for path in facts.task_databases if (work.home.path / path).is_file()), "")
    if not facts.made_files or not database or not (work.home.path / "identity").is_dir():
        return StepResult()
    counts = {"renewed": 0, "same": 0}
    left: list[tuple[str, str]] = []
    lines: list[str] = []
    try:
        rows = _load_rows(work, database)
    except MemtuiError as error:
        return StepResult(left=((database, str(error)),))
    made: tuple[Callable[[Sequence[Row]], str], ...] = (
        render_core,
        partial(render_user, mark=facts.made_mark),
    )
    for path, render in zip(facts.made_files, made, strict=True):
        text = render(rows)
        base = work.vault.bytes_of(work.name, path)
        if base is not None and list_owned_sections(base, path):
            # A person said where memtui is to write: there, and nowhere else.
            continue
        if not text or base == text.encode("utf-8", "replace"):
            counts["same"] += bool(text)
            continue
        new = text.encode("utf-8", "replace")
        pieces = (Piece(0, 0, new),) if base is None else diff_lines(base, new)
        try:
            if not work.dry_run:
                what = _("regenerated {path} from the database").format(path=path)
                change = Edit(work.name, path, base, pieces)
                work.vault.apply(
                    [change], verb=REFRESH, who=KEEPER, what=what, group=work.group, confirmed=True
                )
            counts["renewed"] += 1
            lines.append(_("{place}: {number} memories").format(place=path, number=text.count("\n- ")))
        except MemtuiError as error:
            left.append((path, str(error)))
    return StepResult(counts, tuple(lines), tuple(left))


def render_core(rows: Sequence[Row]) -> str:
    """MEMORY.md of these rows, the most important first; empty: none of them belongs there."""
    seen: set[tuple[str, str]] = set()
    by_type: dict[str, list[str]] = {}
    fit = [row for row in rows if _weigh(row) >= _LEAST and row.get("source") != "profile_fallback"]
    for row in fit[:_ROWS]:
        kind, text = _name_type(row), str(row["content"])
        if (kind, text.strip().lower()) not in seen:
            seen.add((kind, text.strip().lower()))
            by_type.setdefault(kind, []).append(text)
    lines, size = ["# 核心记忆\n"], 0
    for kind, label in _CORE:
        lines += [f"\n## {label}"] if kind in by_type else []
        for text in by_type.get(kind, ())[:_EACH]:
            line = f"- {text}"
            if size + len(line) > _CHARACTERS:
                break
            lines.append(line)
            size += len(line)
    return "\n".join(lines) if len(lines) > 1 else ""


def render_user(rows: Sequence[Row], mark: str) -> str:
    """USER.md of what the rows say of the person, with the line that says what made it; empty: they say nothing."""
    parts: dict[str, list[str]] = {label: [] for label, _words, _kind in _PARTS}
    for row in [row for row in rows if row.get("subject") == _USER][:_ABOUT_USER]:
        text, predicate = str(row["content"]), str(row.get("predicate") or "").lower()
        if any(deed in predicate or deed in text[:20] for deed in _DEEDS):
            continue
        kind = _name_type(row)
        label = next(
            (label for label, words, _kind in _PARTS if any(word in predicate for word in words)), ""
        )
        label = label or next((label for label, _words, own in _PARTS if own == kind), "")
        if label:
            parts[label].append(text)
    lines = ["# 用户档案\n", f"{mark}\n"]
    for label, items in parts.items():
        lines += [f"\n## {label}", *(f"- {item}" for item in items[:_ITEMS])] if items else []
    return "\n".join(lines) if any(parts.values()) else ""


def _load_rows(work: Work, database: str) -> list[Row]:
    """The rows that hold, the most important and newest first."""

    def holds(row: Row) -> bool:
        """Whether its program would still tell it to anybody."""
        expires = parse_end_moment(row.get("expires_at"))
        shared = str(row.get("scope") or "") in _SHARED
        return (
            bool(row.get("content"))
            and not row.get("superseded_by")
            and shared
            and (expires is None or expires >= work.now)
        )

    rows = [row for row in database_rows.read_table(work.name, database, memory_rows.TABLE) if holds(row)]
    rows.sort(key=lambda row: (-_weigh(row), -(parse_moment(row.get("created_at")) or 0.0)))
    return rows


def _weigh(row: Row) -> float:
    found = parse_number(row.get("importance_score"))
    return 0.5 if found is None else found


def _name_type(row: Row) -> str:
    return str(row.get("type") or "fact").lower()
