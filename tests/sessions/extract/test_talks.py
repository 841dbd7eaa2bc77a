"""Conversations as Chinese developers have them, and what a careful person would have kept of each.

The script (see talk.py), `---`, and then one expectation a line: the words that an item has to hold, `|` between
other wordings. D decided, L learned, O open, X done, T topic, R outcome, N nowhere; L|D either. A `?`: it may be there.
What is decided, learned or open beyond that is invented.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

import pytest

from memtui.sessions.extract import rules
from tests.sessions.extract.talk import talk

_TALKS = Path(__file__).with_name("chinese_talks.txt")
_WHERE = {"D": "DL", "L": "L", "L|D": "LD", "D|L": "LD", "O": "OL", "X": "XD"}


class Case(NamedTuple):
    """A conversation and what is expected of it."""

    name: str
    script: str
    expected: tuple[str, ...]


def _cases() -> list[Case]:
    found = []
    for block in re.split(r"(?m)^### ", _TALKS.read_text(encoding="utf-8"))[1:]:
        name, _, rest = block.partition("\n")
        script, _, expected = rest.partition("\n---\n")
        found.append(Case(name, script, tuple(expected.strip().splitlines())))
    return found


def _holds(text: str, wanted: str) -> bool:
    text = "".join(text.lower().split())
    return all(
        any("".join(other.lower().split()) in text for other in part.split("|"))
        for part in wanted.split(" & ")
    )


@pytest.mark.parametrize("case", _cases(), ids=lambda case: case.name)
def test_what_is_kept(case: Case) -> None:
    found = rules.extract(talk(case.script))
    pools = {
        "D": found.decisions,
        "L": tuple(one.text for one in found.learned),
        "O": found.todos,
        "X": (*found.done, *found.points),
    }
    whole = "\n".join(text for pool in pools.values() for text in pool)
    told: set[str] = set()
    for line in case.expected:
        kind, _, wanted = line.partition(": ")
        if kind in {"NONE:", "NONE"} or not wanted.strip():
            continue
        if kind in "TR":
            assert _holds(found.topic if kind == "T" else found.outcome, wanted), (line, found)
        elif kind == "N":
            assert not _holds(whole, wanted), (line, found)
        else:
            own = {
                text for at in _WHERE[kind.rstrip("?")] for text in pools[at] if _holds(text, wanted.strip())
            }
            assert own or kind.endswith("?"), (line, found)
            told |= own
    beyond = [text for at in "DLO" for text in pools[at] if text not in told]
    assert beyond == []


def test_there_are_talks() -> None:
    assert len(_cases()) >= 50


def test_notes_of_a_summary_in_chinese() -> None:
    text = """1. 关键技术决策：
- 采用 Celery + Redis 作为任务队列，因为现有服务已经部署 Redis

2. 错误与修复：
- worker 启动时报 ModuleNotFoundError，原因是没有设置 PYTHONPATH，在 systemd 里加上后解决

3. 待办事项：
- 前端轮询进度
- [x] 后端接口
"""
    assert [(one.kind, one.text) for one in rules.notes(text)] == [
        ("decision", "采用 Celery + Redis 作为任务队列，因为现有服务已经部署 Redis"),
        (
            "lesson",
            "Worker 启动时报 ModuleNotFoundError，原因是没有设置 PYTHONPATH，在 systemd 里加上后解决",
        ),
        ("todo", "前端轮询进度"),
    ]


def test_a_decision_in_running_text_is_no_rule() -> None:
    text = "最后决定用 Nacos 做注册中心，不用 Eureka 了，因为已经停止维护。密码是 Admin@123456。下周要把网关也迁过去。"
    assert [(one.kind, one.text) for one in rules.notes(text)] == [
        ("decision", "最后决定用 Nacos 做注册中心，不用 Eureka 了，因为已经停止维护"),
        ("todo", "下周要把网关也迁过去"),
    ]
