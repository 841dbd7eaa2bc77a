"""A home that wants looking after in every way, and the whole of a user's files, to be compared."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path

from memtui.consolidation import consolidate
from memtui.core import clock
from memtui.core.config import Config
from memtui.store.consolidate_report import Report, ReportStep
from memtui.store.vault import Vault
from tests.curation.facts_of import DAY, now


def write(home: Path, path: str, text: str | bytes, days: float = 1.0) -> Path:
    """A file of a home that was last written so many days ago."""
    place = home / path
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(text if isinstance(text, bytes) else text.encode())
    os.utime(place, (now() - days * DAY,) * 2)
    return place


def fact(number: int, text: str, **more: object) -> dict[str, object]:
    """One record of a facts.json."""
    plain = {"id": f"fact-{number:03d}", "fact": text, "timestamp": "2026-02-10", "status": "active"}
    return {**plain, "category": "configuration", **more}


def facts(home: Path, project: str, *records: dict[str, object]) -> Path:
    """A project's facts."""
    text = json.dumps({"facts": list(records)}, ensure_ascii=False, indent=2)
    return write(home, f"areas/projects/{project}/facts.json", text + "\n")


def session(
    home: Path, name: str, days: float, *, project: str = "shop", topic: str = "", points: tuple[str, ...] = (),
    files: tuple[str, ...] = (), decisions: tuple[str, ...] = (), more: str = "",
) -> Path:  # fmt: skip
    """A session's summary as spec 002 has it, that many days old."""
    when = clock.convert_to_local(now() - days * DAY).strftime("%Y-%m-%d %H:%M")
    parts = [
        f"# 会话摘要: {name}\n\n- **项目**: {project}\n- **时间**: {when} (最后更新)\n\n---\n",
        f"## 主题\n{topic or name}\n",
        "## 关键知识点\n" + "".join(f"- {point}\n" for point in points),
        "## 涉及文件\n" + "".join(f"- `{file}`\n" for file in files),
        "## 决策记录\n" + "".join(f"- {one}\n" for one in decisions),
        more,
    ]
    return write(home, f"sessions/{name}.md", "\n".join(parts), days)


def messy(root: Path) -> Path:
    """memtui's own home, with something for every step."""
    home = root / ".memtui"
    write(home, "MEMORY.md", "# MEMORY\n\n## 用户偏好\n- 默认用中文回复\n")
    write(home, "user/profile.md", "# 用户记忆\n\n- 姓名：小林\n")
    facts(
        home,
        "shop",
        fact(1, "Payment callbacks must be idempotent, booked once"),
        fact(2, "Payment callbacks must be idempotent, booked once!"),
        fact(3, "The staging database is rebuilt every Monday night", expires_at="2026-02-20"),
        fact(4, "Deploys run from main since the merge queue"),
    )
    write(home, "areas/projects/shop/rules.md", "# shop 开发规范\n\n## 编码规范\n- 金额用整数分 (2026-02-08)\n")
    write(home, "daily/2025-10-01.md", "- 2025-10-01T10:00:00Z [note] an old day\n", 150)
    write(home, "daily/2026-02-28.md", "- 2026-02-28T10:00:00Z [pref] 输出精简 #prefs\n")
    write(home, "daily/2026-03-01.md", "- 2026-03-01T10:00:00Z [note] today\n", 0)
    session(
        home, "s-1", 2, topic="fix the refund webhook", files=("src/pay.py", "src/a.py"),
        points=("The redis container must run before the tests do", "Tests failed with ECONNREFUSED on redis"),
    )  # fmt: skip
    session(
        home, "s-2", 1, topic="fix the refund webhook again", files=("src/pay.py",),
        points=("The redis container must run before the tests do.",), decisions=("Chose Stripe over Adyen",),
    )  # fmt: skip
    session(home, "s-0", 45, topic="long ago", points=("The old office had a red door",))
    return home


def look_after(
    *homes: Path, weekly: bool = True, dry_run: bool = False, config: Config | None = None, later: float = 0.0
) -> Report:
    """One consolidation of these homes."""
    with Vault.open(homes, config=config or Config()) as vault:
        return consolidate.run(vault, vault.config, weekly=weekly, dry_run=dry_run, now=now() + later)


def step(report: Report, name: str, home: Path | None = None) -> ReportStep:
    """The step of that name."""
    return next(one for one in report.steps if one.name == name and home in {None, Path(one.home)})


def hashes(*roots: Path) -> dict[str, str]:
    """What every file holds, and that there is each directory."""
    found: dict[str, str] = {}
    for root in roots:
        for place in sorted(root.rglob("*")):
            data = place.read_bytes() if place.is_file() else b"/"
            found[str(place)] = hashlib.sha256(data).hexdigest()
    return found
