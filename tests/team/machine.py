"""One machine of the fault test, until it is killed: saves files of its home and exchanges with the team.

`python -m tests.team.machine HOME COUNT`: saves file after file, each a new version of one of ten, and between
saves exchanges with the team, until it has made `COUNT` saves since the home was made; a second process of the same
home goes on where a killed one stopped. With COUNT 0 it only exchanges, once, until that succeeds.

`python -m tests.team.machine CLOCK watch`: what the app runs beside itself, until stdin is closed; its clocks are ahead
by the seconds that stand in the file CLOCK.
"""

from __future__ import annotations

import os
import random
import sys
import time
from hashlib import sha256
from pathlib import Path

from memtui.core.config import Config
from memtui.core.errors import MemtuiError
from memtui.team.exchange import Exchange
from memtui.team.exchange import main as run_watch
from memtui.team.membership import load_memberships


def render_version(who: str, number: int, version: int) -> str:
    """One version of a file: whose, which, and a sum by which a torn one shows."""
    lines = "".join(f"- {who} file {number} version {version} line {line}\n" for line in range(version % 40 + 1))
    return f"# {who} {number} {version}\n\n{lines}\nsum {sha256(lines.encode()).hexdigest()}\n"


def read_version(text: str) -> tuple[str, int, int]:
    """Whose, which file and which version it is. Raises ValueError for a torn one."""
    head, *_rest = text.split("\n", 1)
    _mark, who, number, version = head.split()
    if text != render_version(who, int(number), int(version)):
        raise ValueError(text)
    return who, int(number), int(version)


def save(home: Path, who: str, number: int, version: int) -> None:
    """As editors save: whole, under another name, then renamed."""
    temporary = home / f".memtui-{os.getpid()}.tmp"
    temporary.write_text(render_version(who, number, version), encoding="utf-8")
    temporary.replace(home / "areas" / f"n{number}.md")


def watch(clock: Path) -> int:
    """What the app runs beside itself, with clocks that can be moved."""
    for name in ("time", "monotonic"):
        right = getattr(time, name)
        setattr(time, name, lambda right=right: right() + float(clock.read_text()))
    return run_watch()


def main() -> int:
    if sys.argv[2] == "watch":
        return watch(Path(sys.argv[1]))
    home, count = Path(sys.argv[1]), int(sys.argv[2])
    member = load_memberships()[0]
    who = f"{member.who}@{member.machine}"
    exchange = Exchange(member, Config())
    (home / "areas").mkdir(exist_ok=True)
    done = 0
    for file in (home / "areas").glob("n*.md"):
        done = max(done, read_version(file.read_text(encoding="utf-8"))[2])
    if not count:
        for _try in range(100):
            try:
                if not exchange.run().error:
                    return 0
            except MemtuiError:
                pass
            time.sleep(0.1)
        return 1
    chance = random.Random(os.getpid())
    while done < count:
        for _save in range(chance.randint(1, 9)):
            if done < count:
                done += 1
                save(home, who, done % 10, done)
        # A server that is killed meanwhile is no error: it is asked again.
        exchange.run()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
