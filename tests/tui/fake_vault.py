"""A vault in memory for the app's tests: the same questions and answers, and it can be slow, busy or changed."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

from memtui.core.config import Config, VectorConfig
from memtui.core.model import (
    Filter,
    Hit,
    Home,
    HomeProgress,
    HomeStatus,
    Layer,
    Level,
    Memory,
    Problem,
    Results,
    Route,
    Status,
    Transcript,
    Turn,
)
from memtui.core.text import tag
from memtui.fs.write_journal import Record
from memtui.index.filters import Outline
from memtui.search.texts import SearchTarget
from memtui.store.candidates import Queue
from memtui.store.lookup import Chain
from memtui.store.reading import Excerpt, MemoryRef, Refs
from memtui.tui.evolution_model import All

NOW = "2026-11-21T15:00:00Z"
NOON = 1795262400.0
"""2026-11-21 12:00 UTC."""

HOUR, DAY = 3600.0, 86400.0

SHOP = Home(Path("/homes/shop"), "xinghebot", "MEMORY.md and daily/ in it", "shop", "shop", True)
NOTES = Home(Path("/homes/claude/memory"), "code_memory", "config.json with project_name_map", "~/.claude/memory")


class FakeVault:
    """Answers from a list of memories. `gate` holds every reader up until it is set."""

    def __init__(self, memories: Sequence[Memory], homes: Sequence[Home] = (SHOP, NOTES)) -> None:
        self.homes = tuple(homes)
        self.memories_ = list(memories)
        self.generation = 1
        self.config = Config(vector=VectorConfig(backend="off"))
        self.gate = threading.Event()
        self.gate.set()
        self.building = False
        self.problems: tuple[Problem, ...] = ()
        self.beyond = None
        self.warning = ""
        self.states: dict[str, dict[str, Any]] = {}
        """By the home's path: what its status says otherwise."""
        self.queries: list[str] = []
        self.asked: list[tuple[str, str]] = []
        """Mode and fusion of each query."""
        self.meant: Callable[[Results], Results] | None = None
        """Makes the full answer out of the one by words, where there are vectors."""
        self.refine: Callable[[], None] = lambda: None
        """Hands the full answer over, for tests to say when."""
        self.routes: tuple[Route, ...] = ()
        self.files: dict[tuple[str, str], str] = {}
        self.transcripts: dict[str, Transcript] = {}
        self.rebuilt = 0
        self.queue = Queue([], [], [])
        """What waits in Review."""
        self.learnt = All()
        """What was learnt from use."""
        self.expiring: list[Memory] = []
        self.shared: list[tuple[Memory, ...]] | None = []
        """What expires soon, and what several tools know."""
        self._subscribers: list[Callable[[int], None]] = []

    def targets(self, _wanted: Filter) -> list[SearchTarget]:
        """No home that can be searched besides what `find` answers."""
        return []

    # -- what tests do to it ------------------------------------------------------------------------------------

    def change(self, memories: Sequence[Memory]) -> None:
        """As if files had changed."""
        self.memories_ = list(memories)
        self.generation += 1
        for callback in list(self._subscribers):
            callback(self.generation)

    # -- what the app asks --------------------------------------------------------------------------------------

    follows_teams = False

    def admit_shared(self) -> list[Home]:
        return []

    def read_rules(self) -> None:
        self.gate.wait(10)

    def progress(self) -> list[HomeProgress]:
        return [HomeProgress(status.indexed, status.total, status.building) for status in self.status()]

    def status(self) -> list[HomeStatus]:
        self.gate.wait(10)
        found = []
        for home in self.homes:
            count = sum(memory.home == str(home.path) for memory in self.memories_)
            problems = self.problems if home is self.homes[0] else ()
            done = (412, 1284) if self.building else (24, 24)
            status = HomeStatus(
                home, 24, count, *done, self.building, NOON + 3 * HOUR, "fts", "watching", problems,
                "/cache/index.sqlite", 123456, self.warning,
            )  # fmt: skip
            found.append(status._replace(**self.states.get(str(home.path), {})))
        return found

    def counts(self, filter: Filter | None = None) -> Counter[tuple[str, Layer, str, Status]]:
        self.gate.wait(10)
        wanted = (filter or Filter())._replace(statuses=frozenset())
        return Counter(
            (memory.home, memory.layer or Layer.KNOWLEDGE, memory.kind, memory.status)
            for memory in self.memories_
            if passes(memory, wanted)
        )

    def known(self, name: str) -> list[str]:
        found: list[str] = []
        for memory in self.memories_:
            folder = memory.path.rpartition("/")[0]
            found += {"kind": [memory.kind], "tag": map(tag, memory.tags), "path": [f"{folder}/"] * bool(folder)}[name]
        return list(dict.fromkeys(found))

    def layer_marks(self, layers: Iterable[Layer]) -> tuple[object, ...]:
        return ((self.generation, *layers),)

    def outlines(self, filter: Filter | None = None) -> list[tuple[Home, Outline]]:
        self.gate.wait(10)
        found: dict[tuple[str, str], dict[str, int]] = {}
        for memory in self.memories_:
            if passes(memory, filter or Filter()):
                sections = found.setdefault((memory.home, memory.path), {})
                name = memory.heading[-1] if memory.heading else memory.kind
                sections[name] = sections.get(name, 0) + 1
        homes = {str(home.path): home for home in self.homes}
        return [
            (homes[home], Outline(path, len(self.text(home, path)), self.text(home, path).count("\n"), sections))
            for (home, path), sections in sorted(found.items())
        ]

    def ids(self, filter: Filter | None = None, order: str = "recent", *, limit: int | None = None) -> Refs:
        self.gate.wait(10)
        wanted = filter or Filter()
        found = [(number, memory) for number, memory in enumerate(self.memories_) if passes(memory, wanted)]
        keys: dict[str, Callable[[tuple[int, Memory]], object]] = {
            "path": lambda pair: (pair[1].home, pair[1].path, pair[1].start),
            "confidence": lambda pair: -(pair[1].confidence or 0),
        }
        found.sort(key=keys.get(order, lambda pair: -(pair[1].created or 0)))  # type: ignore[arg-type]
        return Refs.of_home(0, [number for number, _memory in found[:limit]])

    def timed(self, filter: Filter | None = None) -> list[tuple[float, MemoryRef]]:
        return [(self.memories_[ref.row].created or 0.0, ref) for ref in self.ids(filter, "time")]

    def load(self, refs: Iterable[MemoryRef]) -> list[Memory | None]:
        self.gate.wait(10)
        return [self.memories_[ref.row] if ref.row < len(self.memories_) else None for ref in refs]

    def places(self, refs: Iterable[MemoryRef]) -> list[tuple[str, str]]:
        return list(dict.fromkeys((one.home, one.path) for one in self.load(refs) if one is not None))

    def list_changed(self, filter: Filter, since: float, limit: int) -> list[tuple[str, str]]:
        found = [one for one in self.memories_ if passes(one, filter) and (one.modified or 0.0) > since]
        found.sort(key=lambda one: -(one.modified or 0.0))
        return list(dict.fromkeys((one.home, one.path) for one in found))[:limit]

    def memory(self, id: str) -> Memory | None:
        return next((memory for memory in self.memories_ if id in (memory.id, memory.key)), None)

    def at(self, home: str, path: str, line: int) -> Memory | None:
        self.gate.wait(10)
        places = (memory for memory in self.memories_ if (memory.home, memory.path) == (home, path))
        return next((memory for memory in places if memory.start <= line <= memory.end), None)

    def of(self, hit: Hit) -> Memory | None:
        return self.at(hit.home, hit.path, hit.start_line)

    def bring(self, home: str, path: str) -> bool:
        """All of it is here."""
        return False

    def chain(self, memory: Memory) -> Chain:
        after = self.memory(memory.superseded_by) if memory.superseded_by else None
        before = [older for older in self.memories_ if memory.key and older.superseded_by == memory.key]
        dangling = memory.superseded_by if memory.superseded_by and after is None else ""
        return Chain(tuple(before), (after,) if after else (), dangling)

    def find(
        self,
        query: str,
        limit: int = 10,
        *,
        filter: Filter | None = None,
        mode: str = "auto",
        fusion: str = "",
        typing: bool = False,
        cancelled: Callable[[], bool] | None = None,
        refine: Callable[[Results], None] | None = None,
    ) -> Results:
        self.queries.append(query)
        self.asked.append((mode, fusion))
        self.gate.wait(10)
        words = query.lower().replace('"', "").split()
        results = Results()
        for memory in self.memories_:
            text = memory.text.replace("\n", " ")
            if not all(word in text.lower() for word in words):
                continue
            if not passes(memory, filter or Filter()):
                if passes(memory, (filter or Filter())._replace(statuses=frozenset())):
                    results.hidden[memory.status] = results.hidden.get(memory.status, 0) + 1
                continue
            marks = tuple((text.lower().index(word), text.lower().index(word) + len(word)) for word in words)
            results.append(
                Hit(
                    memory.home, memory.path, memory.start, memory.end, 0.9 - len(results) / 100, text[:240],
                    memory.layer or Layer.KNOWLEDGE, memory.kind, ", ".join(words), memory.status, memory.heading,
                    memory.created, memory.id, marks,
                )
            )  # fmt: skip
        results.total = len(results)
        results.routes = self.routes
        del results[limit:]
        if self.meant is None or mode == "fts":
            return results
        full = self.meant(results)
        full.routes = self.routes
        if refine is None:
            return full
        results.bounded = True

        def hand_over() -> None:
            # As `search.inquiry` does: nobody waits any more for what was cancelled.
            if cancelled is None or not cancelled():
                refine(full)

        self.refine = hand_over
        return results

    def parts(self, memory: Memory) -> list[Memory]:
        there = [one for one in self.memories_ if (one.home, one.path) == (memory.home, memory.path)]
        return [one for one in there if one.level and memory.end < one.start <= memory.reach]

    def get(self, path: str, from_: int, lines: int, home: str) -> Excerpt:
        return Excerpt.cut(path, self.text(home, path), from_, lines)

    def can_undo(self) -> bool:
        """Something was written."""
        return True

    def text(self, home: str, path: str) -> str:
        self.gate.wait(10)
        lines: dict[int, str] = {}
        for memory in self.memories_:
            if (memory.home, memory.path) == (home, path):
                lines[memory.start] = memory.text
        whole = "\n".join(lines.get(number, "") for number in range(1, max(lines, default=0) + 1)) + "\n"
        return self.files.get((home, path), whole if lines else "")

    def turns(self, memory: Memory) -> Transcript | None:
        return self.transcripts.get(memory.session)

    def trash(self) -> list[Record]:
        return []

    def refresh(self, paths: Iterable[str] | None = None) -> int:
        return self.generation

    def rebuild(self, home: str | None = None) -> None:
        self.rebuilt += 1

    def poke(self) -> None:
        pass

    def watch(self) -> None:
        pass

    def subscribe(self, callback: Callable[[int], None]) -> Callable[[], None]:
        self._subscribers.append(callback)
        return lambda: self._subscribers.remove(callback)

    def close(self) -> None:
        pass


def passes(memory: Memory, wanted: Filter) -> bool:
    """As the index filters."""
    return (
        (wanted.parts or memory.level is Level.MEMORY)
        and (not wanted.layers or memory.layer in wanted.layers)
        and (not wanted.kinds or memory.kind in wanted.kinds)
        and (not wanted.homes or memory.home in wanted.homes)
        and (not wanted.statuses or memory.status in wanted.statuses)
        and (wanted.since is None or (memory.created or 0) >= wanted.since)
        and (wanted.until is None or (memory.created or 0) < wanted.until)
        and (fnmatch(memory.path, wanted.path) or memory.path.startswith(wanted.path))
        and (not wanted.tags or bool(wanted.tags & set(map(tag, memory.tags))))
        and (not wanted.session or wanted.session == (memory.session or memory.source))
        and not any(passes(memory, other._replace(parts=True)) for other in wanted.without)
    )


def memory(text: str, path: str, line: int, layer: Layer, kind: str, *, home: Home = SHOP, **more: object) -> Memory:
    """One memory, with an id of its own."""
    place = str(home.path)
    made = Memory(text, line, line, kind, layer, id=f"{home.label}:{path}:{line}:{text[:40]}", home=place, path=path)
    for name, value in more.items():
        setattr(made, name, value)
    return made


def shop() -> list[Memory]:
    """Two homes, every layer, English and Chinese."""
    made: list[Memory] = []
    for line, (section, text) in enumerate(
        [
            ("偏好", "偏好 pytest，使用 black 格式化"),
            ("偏好", "回答先给结论，再给理由"),
            ("技术背景", "主力语言 Python 3.11+，熟悉 TypeScript"),
            ("沟通风格", "中文交流，技术术语保持英文"),
        ],
        3,
    ):
        made.append(memory(text, "user/profile.md", line, Layer.PROFILE, "pref", heading=("用户", section)))
    made.append(
        memory("commit message 使用英文", "user/shortcuts.md", 2, Layer.PROFILE, "rule", home=NOTES, heading=("git",))
    )
    for line, (section, text, kind) in enumerate(
        [
            ("用户偏好", "用户偏好 **pytest**，使用 `black` 格式化", "pref"),
            ("项目规范", "测试文件必须放在 tests/ 目录下", "rule"),
            ("重要决策", "选择 RS256：需要跨服务验证 JWT", "decision"),
        ],
        5,
    ):
        made.append(memory(text, "MEMORY.md", line, Layer.CORE, kind, heading=(section,), created=NOON - line * DAY))
    facts: list[tuple[str, str, float, dict[str, Any]]] = [
        ("测试文件必须放在 tests/ 目录下", "rule", 0.95, {}),
        ("禁止在 DAO 层拼接 SQL 字符串", "rule", 0.93, {}),
        ("选择 RS256：需要跨服务验证 JWT", "decision", 0.9, {}),
        ("WebSocket 需要心跳保活，间隔 30 秒", "fact", 0.88, {"key": "fact-004", "tags": ("network",)}),
        ("刷新 token 存在 localStorage", "fact", 0.4, {"status": Status.SUPERSEDED, "superseded_by": "fact-041"}),
        ("刷新 token 存储在 HttpOnly cookie 中", "fact", 0.86, {"key": "fact-041", "evidence": "PR 118"}),
        ("前端使用 React + TypeScript", "fact", 0.85, {}),
        ("macOS bash 3 不支持 declare -A", "error", 0.74, {"extra": {"os": "darwin 23", "seen": 3}}),
        ("当前分支 feature/pay 待合并 🚧", "fact", 0.61, {"expires": NOON + 2 * DAY}),
        ("Payment retries use exponential backoff, capped at 30 s", "fact", 0.82, {}),
        ("订单导出限流 5 req/s", "fact", 0.61, {"status": Status.ARCHIVED}),
        ("Old: orders are exported by cron", "fact", 0.3, {"status": Status.SUPERSEDED, "superseded_by": "gone-7"}),
    ]
    for line, (text, kind, confidence, more) in enumerate(facts, 2):
        made.append(
            memory(
                text, "areas/projects/shop/facts.json", line, Layer.KNOWLEDGE, kind, confidence=confidence,
                created=NOON - line * DAY, **more,
            )
        )  # fmt: skip
    made += _sessions()
    made += _evolution()
    return made


def _sessions() -> list[Memory]:
    made = []
    for number, (hours, title, extra) in enumerate(
        [
            (-2.0, "实现用户认证模块", {"project": "shop", "decisions": 3}),
            (-5.0, "限流 5 req/s 上线", {"project": "shop", "decisions": 1}),
            (-26.0, "重构 JWT 中间件", {"project": "api", "todos": 2}),
            (-50.0, "Flaky e2e tests: wait for the CDP port", {"project": "api"}),
        ]
    ):
        made.append(
            memory(
                "what was done", f"sessions/s{number}.md", 1, Layer.SESSION, "session", title=title, extra=extra,
                created=NOON + hours * HOUR, session=f"s{number}",
            )
        )  # fmt: skip
    for line, (hours, text, kind) in enumerate(
        [(-4.0, "输出尽量精简，优先 rg", "pref"), (-30.0, "staging 部署用 k8s", "fact")], 3
    ):
        made.append(memory(text, "daily/2026-11-21.md", line, Layer.JOURNAL, kind, created=NOON + hours * HOUR))
    return made


def _evolution() -> list[Memory]:
    made = [
        memory("environment_issue CRITICAL: 5 of the last 8 sessions", "evolution/signal_report_latest.md", 4,
               Layer.EVOLUTION, "signal", created=NOON - DAY)
    ]  # fmt: skip
    for number in range(4):
        made.append(
            memory(f"ref lessons:wait-for-port in s{number}", "evolution/audit.jsonl", 2 * number + 1, Layer.EVOLUTION,
                   "event", entities=("lessons:wait-for-port",), session=f"s{number}", created=NOON - number * DAY)
        )  # fmt: skip
        result = {"outcome": "failed" if number == 2 else "success"}
        made.append(
            memory(f"outcome of s{number}", "evolution/audit.jsonl", 2 * number + 2, Layer.EVOLUTION, "outcome",
                   session=f"s{number}", created=NOON - number * DAY, extra=result)
        )  # fmt: skip
    return made


def conversation() -> Transcript:
    """A few turns."""
    return Transcript(
        [
            Turn("user", "登录页在 Safari 里白屏，看一下", NOON, 1),
            Turn("assistant", "先重现：跑一遍 e2e。", NOON + 5, 2),
            Turn("assistant", "pytest -q tests/e2e", NOON + 6, 3, "Bash"),
            Turn("tool", "1 failed: TimeoutError", NOON + 60, 4, "Bash", failed=True),
            Turn("assistant", "The port was not ready: poll it for 15 s instead of sleeping.", NOON + 70, 5),
        ],
        skipped=1,
    )
