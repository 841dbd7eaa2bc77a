"""The sections of MEMORY.md and USER.md that memtui owns, made anew from what the home remembers (spec 003's refresh).

`choose_best`: the surest, weightiest and most helpful memories, a few of each kind.

`refresh_sections`: only what stands between its marks is ever touched (`formats.sections`). A section is made
for the first time only in MEMORY.md of memtui's own home; elsewhere a person says where by putting the marks
there, USER.md included. Where somebody wrote between them it is left alone, and what they wrote is offered in
Review.

MEMORY.md and USER.md of a home whose program makes them out of its database every night (spec 003).

Where memtui looks after such a home in the program's place, they are made anew as the program's own lifecycle
does: the most important rows of each type, four of each and 1,500 characters in all; of the person what rows say
whose subject is the user, by their predicate. A USER.md that does not say that it was made is the person's own.
"""

from __future__ import annotations

from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from memtui.consolidation.daily_steps import Offers
from memtui.consolidation.step_work import StepResult, is_unable, shorten_text
from memtui.core.edits import Draft, Edit, Piece, diff_lines
from memtui.core.errors import MemtuiError, RefusedError
from memtui.core.locale import _
from memtui.core.model import Filter, Layer, Status
from memtui.core.text import CJK_RUN
from memtui.evolution import experiences
from memtui.formats import memory_rows, sections
from memtui.formats.markdown_lines import Lines
from memtui.formats.marks import KEY
from memtui.formats.records import parse_end_moment, parse_moment, parse_number
from memtui.formats.sections import list_owned_sections
from memtui.fs import database_rows
from memtui.fs.write_journal import Journal
from memtui.language.kin import Kin
from memtui.layouts import load_facts, load_layout
from memtui.layouts.roles import resolve_path_case
from memtui.review.census import load_census
from memtui.safety.injection import DOUBTED_MARK, examine
from memtui.safety.redact import redact
from memtui.store import retention
from memtui.store.project import find_own_home
from memtui.store.secrets import compile_vault_patterns
from memtui.store.write_path import KEEPER, REFRESH, is_made_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from memtui.consolidation.step_work import Work
    from memtui.core.model import Memory
    from memtui.formats.sections import OwnedSection


EACH = 4
"""Of one kind (spec 003)."""
KINDS = ("pref", "rule", "decision", "fact", "lesson", "skill", "experience")
"""In the order in which they are shown."""
IMPORTANT = 0.5
"""What says how important it is and is less than that stays out (spec 003's core memory)."""
_LONG = 240
_USUAL = (0.5, 0.8)
"""The importance and the confidence of what states none."""


def choose_best(work: Work, kinds: frozenset[str], said: Sequence[str]) -> list[Memory]:
    """At most EACH of each kind, best first, of what holds and is not `said` in the file already."""
    effects = _load_effects(work)
    found: list[tuple[float, float, str, Memory]] = []
    for memory in _list_known_memories(work):
        if memory.kind in kinds and _fit(work, memory):
            value = effects.get(memory.id)
            if value is None or value >= work.config.evolution.weak:
                found.append((_score(memory, value), memory.updated or memory.created or 0.0, memory.id, memory))
    found.sort(key=lambda one: (-one[0], -one[1], one[2]))
    there = Kin(said)
    chosen: dict[str, list[Memory]] = {}
    taken: list[str] = []
    for _value, _time, _id, memory in found:
        mine = chosen.setdefault(memory.kind, [])
        if (
            len(mine) < EACH
            and not _is_told_better(there, memory.text)
            and not _is_told_better(Kin(taken), memory.text)
        ):
            mine.append(memory)
            taken.append(memory.text)
    return [memory for kind in KINDS for memory in chosen.get(kind, ())]


def _is_told_better(kin: Kin, text: str) -> bool:
    return any(how.covers or how.kind == "around" for _number, how in kin.like(text))


def _list_known_memories(work: Work) -> Iterable[Memory]:
    """What the home knows (L1): journals are raw, and reach core memory by distillation."""
    for count in load_census(work.vault, frozenset({work.name})):
        against = {one.id for pair in count.contradictions for one in (pair.newer, pair.older)}
        for memory in (*count.facts, *count.kept):
            leaks = any((memory.path, line) in count.leaking for line in range(memory.start, memory.end + 1))
            if memory.layer is Layer.KNOWLEDGE and memory.id not in against and not leaks:
                yield memory


def _fit(work: Work, memory: Memory) -> bool:
    if memory.status is not Status.ACTIVE or is_short_lived(memory, work):
        return False
    text = memory.text
    # A line of its own, with nothing in it that Markdown, agents or a secret's owner would mind.
    if not text.strip() or len(text) > _LONG or "\n" in text.strip() or "<!--" in text or "-->" in text:
        return False
    if memory.importance is not None and _share(memory.importance) < IMPORTANT:
        return False
    return examine(text).action != "quarantine" and not redact(text, compile_vault_patterns(work.vault)).secrets


def is_short_lived(memory: Memory, work: Work) -> bool:
    """Whether it is there for a while only: core memory is for what stays (spec 003)."""
    if retention.parse_priority(memory) in {retention.SHORT, retention.TRANSIENT}:
        return True
    soon = work.now + work.config.lifecycle.soon_days * retention.DAY
    return memory.expires is not None and memory.expires <= soon


def _score(memory: Memory, effect: float | None) -> float:
    importance = _USUAL[0] if memory.importance is None else _share(memory.importance)
    confidence = _USUAL[1] if memory.confidence is None else memory.confidence
    return 0.4 * (0.5 if effect is None else effect) + 0.4 * importance + 0.2 * confidence


def _share(importance: float) -> float:
    """0 to 1: some tools count to ten."""
    return min(1.0, importance if importance <= 1 else importance / 10)


def _load_effects(work: Work) -> dict[str, float]:
    """How much each memory helped, by its id (spec 002)."""
    days = work.config.evolution.half_life_days
    return {
        memory.id: one.value(work.now, days)
        for one, memory in experiences.load_effects_at(work.vault, work.now)
        if memory
    }


NAMES: Mapping[str, frozenset[str]] = {
    "memories": frozenset({"pref", "rule", "decision", "fact", "lesson", "skill", "experience"}),
    "profile": frozenset({"pref", "fact"}),
    "preferences": frozenset({"pref"}),
    "rules": frozenset({"rule"}),
    "decisions": frozenset({"decision"}),
    "facts": frozenset({"fact"}),
    "lessons": frozenset({"lesson", "experience"}),
    "skills": frozenset({"skill"}),
}
"""The name of a section -> the kinds of memories that stand in it."""
MAIN = "memories"
_BACK = 5000
"""Writes that are looked through for what memtui wrote."""
HEADING = ("精选（memtui）", "Worth knowing first (memtui)")
"""What the section stands under where memtui makes it, in Chinese and English."""
_SAID = "<!-- Made by memtui out of what is remembered here. Lines of your own belong outside of these marks. -->"
_FILES = ("memory.md", "user.md")
_FRAME = 5
"""Lines around a new section: a blank one, its heading, another, and the marks."""


class _File(NamedTuple):
    path: str
    data: bytes


def refresh_sections(work: Work) -> StepResult:
    """Make the sections anew that stand in the home's files, and the first one where the home is memtui's own; and
    the files that the home's program makes as a whole."""
    if not work.config.consolidate.sections:
        return StepResult(lines=(_("consolidate.sections is false"),))
    if not work.home.writable:
        left_out = ((work.home.label, _("it cannot be written")),)
        return StepResult(left=left_out, failed=_has_sections(work))
    made = refresh_made_files(work)
    counts = {"renewed": 0, "same": 0, "proposed": 0, **made.counts}
    lines, left = list(made.lines), list(made.left)
    failed = False
    for file in _iterate_files(work):
        try:
            pieces = _build_pieces(work, file, counts, lines, left)
            if pieces:
                _write_sections(work, file, pieces)
                counts["renewed"] += len(pieces)
        except MemtuiError as error:
            left.append((file.path, str(error)))
            failed |= is_unable(error)
    return StepResult(counts, tuple(lines), tuple(left), failed=failed)


def _iterate_files(work: Work) -> Iterator[_File]:
    """The home's core and profile files, as far as they may hold such sections."""
    wanted = Filter(frozenset({Layer.CORE, Layer.PROFILE}), homes=frozenset({work.name}), statuses=frozenset())
    paths = [outline.path for _home, outline in work.vault.outlines(wanted)]
    kind = load_layout(work.home.layout)
    if _is_own_home(work):
        paths.append(resolve_path_case(work.home.path, "MEMORY.md"))
    for path in dict.fromkeys(paths):
        if path.rpartition("/")[2].lower() in _FILES and not kind.read_only(path):
            data = work.vault.bytes_of(work.name, path)
            if data is not None or _is_own_home(work):
                yield _File(path, data or b"")


def _has_sections(work: Work) -> bool:
    """Whether the home has such sections, or is to have them."""
    return _is_own_home(work) or any(
        sections.list_owned_sections(file.data, file.path) for file in _iterate_files(work)
    )


def _is_own_home(work: Work) -> bool:
    return load_facts(work.home).own and work.home.path == find_own_home().path


def _build_pieces(
    work: Work, file: _File, counts: dict[str, int], lines: list[str], left: list[tuple[str, str]]
) -> list[Piece]:
    found = sections.list_owned_sections(file.data, file.path)
    pieces: list[Piece] = []
    for section in found:
        place = f"{file.path} § {section.name}"
        if section.name not in NAMES:
            told = _("memtui knows no section of that name, only {names}")
            left.append((place, told.format(names=", ".join(NAMES))))
        elif not sections.is_section_intact(file.data, section):
            left.append((place, _("somebody wrote between its marks: empty it, and memtui goes on with it")))
            counts["proposed"] += _offer_foreign_lines(work, file, section, lines)
        else:
            body = _render_body(work, file, section.name, _compute_room(work, file.data, section))
            piece = sections.rewrite_section(file.data, section, body, file.path)
            if piece is None:
                counts["same"] += 1
            else:
                pieces.append(piece)
                lines.append(_describe_section(place, body))
    if not found and _is_own_home(work) and file.path.rpartition("/")[2].lower() == _FILES[0]:
        piece = _build_first_section(work, file)
        if piece is not None:
            pieces.append(piece)
            lines.append(_describe_section(f"{file.path} § {MAIN}", piece.new.decode("utf-8", "replace")))
    return pieces


def _describe_section(place: str, body: str) -> str:
    number = body.count("\n- ") + body.startswith("- ")
    return _("{place}: {number} memories").format(place=place, number=number)


def _build_first_section(work: Work, file: _File) -> Piece | None:
    """The section where there is none yet; nothing where nothing would stand in it."""
    body = _render_body(work, file, MAIN, _compute_room(work, file.data, None))
    if not body:
        return None
    headings = [one.text for one in Lines(file.data, file.path).sections if one.level > 1 and one.text]
    # The file's own headings say in which language it is kept; without any, what is to stand in it.
    said = headings or body.split("\n")[1:]
    chinese = 2 * sum(bool(CJK_RUN.search(line)) for line in said) >= len(said)
    title = b"" if file.data.strip() else b"# MEMORY\n\n"
    piece = sections.append_section(file.data or title, MAIN, HEADING[0 if chinese else 1], body, file.path)
    return piece if file.data else Piece(0, 0, title + piece.new)


def _compute_room(work: Work, data: bytes, section: OwnedSection | None) -> tuple[int, int]:
    """How many lines and bytes the section may have for agents to read all of the file."""
    old = b"" if section is None else data[section.body : section.end]
    lines = data.count(b"\n") + (bool(data) and not data.endswith(b"\n")) - old.count(b"\n")
    size = len(data) - len(old)
    if section is None:
        lines, size = lines + (_FRAME if data else _FRAME + 2), size + _FRAME * 30
    budget = work.config.budget
    return budget.lines - lines, int(budget.kilobytes * 1024) - size


def _render_body(work: Work, file: _File, name: str, room: tuple[int, int]) -> str:
    """What the section says now: whole lines, or nothing."""
    said = [memory.text for memory in _iterate_entries(work, file.path) if KEY not in memory.extra]
    made: list[str] = []
    size = len(_SAID) + 80
    for memory in choose_best(work, NAMES[name], said):
        mark = DOUBTED_MARK * (examine(memory.text).action == "warn")
        line = f"- [{memory.kind}] {mark}{' '.join(memory.text.split())}"
        size += len(line.encode("utf-8", "replace")) + 2
        if len(made) + 2 > room[0] or size > room[1]:
            break
        made.append(line)
    return "\n".join([_SAID, *made, ""]) if made else ""


def _iterate_entries(work: Work, path: str) -> Iterator[Memory]:
    wanted = Filter(homes=frozenset({work.name}), path=path)
    return (memory for memory in work.vault.memories(wanted, "path") if memory.path == path)


def _offer_foreign_lines(work: Work, file: _File, section: OwnedSection, lines: list[str]) -> int:
    """What a person wrote into a section, as candidates: there it would be lost among what memtui makes."""
    offers, ours = Offers(work), _find_own_lines(work, file.path)
    first = file.data.count(b"\n", 0, section.body) + 1
    last = file.data.count(b"\n", 0, section.end)
    made = 0
    for memory in _iterate_entries(work, file.path):
        inside = KEY in memory.extra and first <= memory.start <= last
        if inside and memory.text not in ours and offers.fresh(memory.text, file.path, memory.start):
            draft = Draft(memory.text, memory.kind, tags=memory.tags, entities=memory.entities)
            offers.propose(draft, layer=Layer.CORE, path=file.path, line=memory.start)
            lines.append(_("offered in Review: {text}").format(text=shorten_text(memory.text)))
            made += 1
    return made


def _find_own_lines(work: Work, path: str) -> frozenset[str]:
    """What memtui itself once wrote into the sections of a file, wherever that comes from."""
    found: set[str] = set()
    for record in islice(Journal().records(), _BACK):
        if record.verb == REFRESH and record.who == KEEPER:
            for done in record.changes:
                if (done.home, done.path) == (work.name, path):
                    said = b"\n".join(patch.new for patch in done.patches).decode("utf-8", "replace")
                    found.update(line.partition("] ")[2].rstrip("\r") for line in said.split("\n"))
    return frozenset(found)


def _write_sections(work: Work, file: _File, pieces: list[Piece]) -> None:
    edit = Edit(work.name, file.path, file.data or None, tuple(pieces))
    if work.vault.prepared([edit], KEEPER) != (edit,):
        raise RefusedError(_("something in it looks like a secret: it is left as it is"))
    if work.dry_run:
        return
    what = _("regenerated memtui's section of {path}").format(path=file.path)
    work.vault.apply([edit], verb=REFRESH, who=KEEPER, what=what, group=work.group, confirmed=True)


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
        change = Edit(work.name, path, base, pieces)
        if work.dry_run and not is_made_file(load_layout(work.home.layout), change):
            left.append((path, _("{path} is the person's own: no agent writes it.").format(path=path)))
            continue
        try:
            if not work.dry_run:
                what = _("regenerated {path} from the database").format(path=path)
                work.vault.apply([change], verb=REFRESH, who=KEEPER, what=what, group=work.group, confirmed=True)
            counts["renewed"] += 1
            lines.append(_("{place}: {number} memories").format(place=path, number=text.count("\n- ")))
        except MemtuiError as error:
            left.append((path, str(error)))
    return StepResult(counts, tuple(lines), tuple(left))


def render_core(rows: Sequence[Row]) -> str:
    """MEMORY.md of these rows, the most important first; empty: none of them belongs there.

    Of rows of a type that differ in letters' case alone the first stands there, as the program has it.
    """
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
    for row in [row for row in rows if row.get("subject") == memory_rows.USER][:_ABOUT_USER]:
        text, predicate = str(row["content"]), str(row.get("predicate") or "").lower()
        if any(deed in predicate or deed in text[:20] for deed in _DEEDS):
            continue
        kind = _name_type(row)
        label = next((label for label, words, _kind in _PARTS if any(word in predicate for word in words)), "")
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
        """Whether its program would still show it."""
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
