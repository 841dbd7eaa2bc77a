"""Homes to measure with: made from a seed, so that every run and every machine measures the same files.

40 % daily notes, 50 % sessions, 9 % project directories (summary.md and facts.json), 1 % daily facts, one MEMORY.md.
Half of the sentences are Chinese. Words are drawn by Zipf's law, so the commonest stands in about 40 % of all chunks,
which is the worst case for ranking; two rare words stand in one file of five hundred and of a thousand.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import tempfile
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

HOMES = Path(tempfile.gettempdir()) / "memtui-speed"
COMMON = "memory"
COMMON_ZH = "记忆"
RARE = "zymurgyquark"
RARE_ZH = "饕餮纹样"

_ENGLISH = """
memory cache deploy retry timeout index token session config branch merge review schema query worker
queue latency rollback migration feature flag service client server request response header payload
parser lexer vector ranking prefix suffix webhook websocket scheduler container image registry secret
rotation audit trail summary preference decision lesson profile project pattern tool snapshot journal
backup restore replica shard partition consumer producer offset commit snapshot checkpoint invoice
payment refund currency locale timezone calendar holiday customer contract renewal discount coupon basket
checkout shipping courier tracking warehouse
"""

_CHINESE = """
记忆 缓存 部署 重试 超时 索引 令牌 会话 配置 分支 合并 评审 模式 查询 线程 队列 延迟
回滚 迁移 特性 开关 服务 客户端 服务器 请求 响应 头部 载荷 解析器 向量 排序 前缀 后缀
回调 调度器 容器 镜像 仓库 密钥 轮换 审计 摘要 偏好 决策 教训 画像 项目 规范 工具 快照
日志 备份 恢复 副本 分片 分区 消费者 生产者 位移 提交 检查点 发票 支付 退款 货币 语言
时区 日历 节假日 客户 合同 续约 折扣 优惠券 购物车 结算 配送 快递 跟踪 仓储 熔断 限流
降级 灰度 压测 监控 告警 链路
"""


class Words:
    """Sentences from a vocabulary of common words and a long tail, by Zipf's law."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        tail = random.Random(7)
        letters = "etaoinshrdlcumwfgypbvk"
        weights = list(range(len(letters), 0, -1))
        # As in running text, a few hundred characters make most of the words.
        han = [chr(0x4E00 + step * 7) for step in range(700)]
        frequent = [1 / (rank + 5) for rank in range(len(han))]
        self.english = _ENGLISH.split() + [
            "".join(tail.choices(letters, weights, k=tail.randint(4, 10))) for _ in range(4_000)
        ]
        self.chinese = _CHINESE.split() + [
            "".join(tail.choices(han, frequent, k=tail.choice((1, 2, 2, 2, 3)))) for _ in range(3_000)
        ]
        self.weights = list(accumulate(1 / (rank + 3) for rank in range(len(self.english))))
        self.weights_zh = list(accumulate(1 / (rank + 3) for rank in range(len(self.chinese))))

    def sentence(self) -> str:
        draw = self.random
        if draw.random() < 0.5:
            words = draw.choices(self.english, cum_weights=self.weights, k=draw.randint(9, 22))
            if draw.random() < 0.1:
                words[draw.randrange(len(words))] = COMMON
            return " ".join(words).capitalize() + "."
        pieces = draw.choices(self.chinese, cum_weights=self.weights_zh, k=draw.randint(10, 24))
        if draw.random() < 0.1:
            pieces[draw.randrange(len(pieces))] = COMMON_ZH
        half = len(pieces) // 2
        return "".join(pieces[:half]) + "，" + "".join(pieces[half:]) + "。"

    def chunk(self) -> str:
        return " ".join(self.sentence() for _ in range(self.random.choice((1, 1, 2, 2, 3))))


def _daily(words: Words, number: int) -> str:
    day = f"2026-{number % 12 + 1:02}-{number % 28 + 1:02}"
    items = (
        f"- {day}T{8 + item % 12:02}:12:33Z [note] {words.chunk()} #t{item % 5} (source=run-{number})"
        for item in range(words.random.randint(9, 15))
    )
    return f"# {day}\n\n" + "\n".join(items) + "\n"


def _session(words: Words, number: int) -> str:
    lines = [
        f"# 会话摘要 {number}",
        "",
        f"**Session ID:** sess-{number:06}",
        f"**时间:** 2026-{number % 12 + 1:02}-{number % 28 + 1:02} 10:20",
        "**项目:** shop",
    ]
    for heading, least, most in (("做了什么", 2, 5), ("关键决策", 2, 4), ("未完成", 2, 3)):
        lines += ["", f"## {heading}", ""]
        lines += [f"- {words.chunk()}" for _ in range(words.random.randint(least, most))]
    return "\n".join(lines) + "\n"


def _facts(words: Words) -> str:
    facts = [
        {
            "id": f"fact-{item:03}",
            "fact": words.chunk(),
            "evidence": f"sess-{words.random.randrange(9999):06}",
            "timestamp": "2026-02-08",
            "status": "active" if item % 7 else "superseded",
            "category": "manual",
        }
        for item in range(words.random.randint(9, 14))
    ]
    return json.dumps({"facts": facts}, ensure_ascii=False, indent=2) + "\n"


def _records(words: Words, number: int) -> str:
    lines = (
        json.dumps(
            {
                "id": f"r{number}-{item}",
                "type": "fact",
                "memory_type": "W",
                "content": words.chunk(),
                "confidence": 0.8,
                "entities": ["shop"],
                "timestamp": f"2026-02-{item % 28 + 1:02}T10:00:00",
            },
            ensure_ascii=False,
        )
        for item in range(14)
    )
    return "\n".join(lines) + "\n"


def _summary(words: Words, number: int) -> str:
    paragraphs = "\n\n".join(words.chunk() for _ in range(words.random.randint(6, 10)))
    return f"# Project {number}\n\n## Overview\n\n{paragraphs}\n"


def _documents(count: int, seed: int) -> Iterator[tuple[str, str]]:
    words = Words(seed)
    yield "MEMORY.md", "# MEMORY\n\n## 用户偏好\n\n" + "".join(f"- {words.chunk()}\n" for _ in range(40))
    for number in range(1, count):
        place = number % 100
        if place < 40:
            name = f"2026-{number % 12 + 1:02}-{number % 28 + 1:02}"
            yield f"daily/{number // 1000:03}/{name}-{number}.md", _daily(words, number)
        elif place < 90:
            yield f"sessions/{number // 100:04}/sess-{number:06}.md", _session(words, number)
        elif place < 95:
            yield f"areas/projects/p{number:06}/summary.md", _summary(words, number)
        elif place < 99:
            yield f"areas/projects/p{number - 5:06}/facts.json", _facts(words)
        else:
            yield (
                f"daily/{number // 1000:03}/2026-03-{number % 28 + 1:02}-{number}.jsonl",
                _records(words, number),
            )


def make(root: Path, count: int, seed: int = 1) -> None:
    """Write a home of `count` files, with modification times an hour apart from the year 2025 on."""
    made: set[str] = set()
    start = 1_735_700_000
    for number, (path, document) in enumerate(_documents(count, seed)):
        rare = ""
        if path.endswith(".md"):
            rare += f"\n- {RARE} appears here\n" if number % 500 == 137 else ""
            rare += f"\n- 这里有{RARE_ZH}的记录\n" if number % 1000 == 512 else ""
        text = document + rare
        full = root / path
        folder = str(full.parent)
        if folder not in made:
            os.makedirs(folder, exist_ok=True)
            made.add(folder)
        full.write_bytes(text.encode())
        # A hundred thousand hours would end in the future.
        moment = start + number * (3600 if count <= 10_000 else 360)
        os.utime(full, (moment, moment))


def home(count: int) -> Path:
    """A home of `count` files, made once and kept under the temporary directory for the next run."""
    root = HOMES / f"h{count}-v3"
    if not (root / ".made").exists():
        shutil.rmtree(root, ignore_errors=True)
        make(root, count)
        (root / ".made").touch()
    return root
