"""Write `screenshots/*.svg` from the demo home: `python -m tests.screenshots`; with --check only compare.

The clock stands still and the demo lies at the same place every time, so the same code draws the same pictures. Where
the versions of Textual or Python differ from those that drew them, only the words are compared.
"""

from __future__ import annotations

import asyncio
import difflib
import html
import itertools
import os
import platform
import re
import shutil
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from unittest.mock import patch

from memtui import __version__
from memtui.core.locale import choose_language

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memtui.store.vault import Vault
    from memtui.tui.app import MemtuiApp

FOLDER = Path(__file__).parent.parent / "screenshots"
PLACE = Path(tempfile.gettempdir() if os.name == "nt" else "/tmp") / "memtui-demo"
"""Always the same, since the pictures show it."""

NOW, ZONE = "2026-11-21T10:30:00+08:00", "Asia/Shanghai"

VERSIONS = [
    ("memtui", __version__),
    ("SQLite", "3.54.1"),
    ("textual", "8.2.8"),
    ("watchdog", "6.0.0"),
    ("Python", "3.11.7"),
    ("system", "Linux 6.8.0"),
]
"""What the picture of Health runs with, on every machine that draws it."""

PATIENCE = 400
"""Looks at a screen before it is given up."""


class Picture(NamedTuple):
    """One screen: its file, how large, the keys that lead there, the theme, whether they write, the language."""

    name: str
    size: tuple[int, int] = (120, 36)
    keys: tuple[str, ...] = ()
    theme: str = ""
    writes: bool = False
    language: str = "en"


PICTURES = (
    Picture("home"),
    Picture("facts", keys=("2", "tab", "j", "j")),
    Picture("timeline", keys=("3", "tab", "j")),
    Picture("session", keys=("3", "j", "enter")),
    Picture("evolution", keys=("4",)),
    Picture("lines", keys=("4", "j", "enter", "j")),
    Picture("effects", keys=("4", "h", "g", "j", "j", "j")),
    Picture("evolution-80x24", (80, 24), ("4",)),
    Picture("calendar", keys=("3", "C", "left", "left")),
    Picture("search", keys=("slash", *"payment callback")),
    Picture("home-zh", language="zh"),
    Picture("search-zh", keys=("slash", *"支付 callback"), language="zh"),
    Picture("health", keys=("6",)),
    Picture("home-80x24", (80, 24)),
    Picture("facts-80x24", (80, 24), ("2",)),
    Picture("home-light", theme="memtui-light"),
    Picture("review", keys=("5", "j", "j")),
    Picture("review-80x24", (80, 24), ("5", "j", "j")),
    # These write, and come last: the pictures share a home.
    Picture("history", keys=("5", "G", "a", "u", "2", "g", "U"), writes=True),
)


@contextmanager
def demo(language: str = "en") -> Iterator[list[Path]]:
    """The demo in one language at its place, a user of its own around it, and a clock that stands still."""
    from filelock import FileLock

    named = {
        "HOME": str(PLACE),
        "XDG_CACHE_HOME": str(PLACE / ".cache"),
        "XDG_CONFIG_HOME": str(PLACE / ".config"),
        "XDG_STATE_HOME": str(PLACE / ".state"),
        "MEMTUI_NOW": NOW,
        "MEMTUI_TZ": ZONE,
        "LANGUAGE": language,
    }
    dropped = ("NO_COLOR", "MEMTUI_CONFIG", "MEMTUI_UI_LOCALE", "TEXTUAL", "COLORTERM")
    before = dict(os.environ)
    with FileLock(f"{PLACE}.lock"):
        shutil.rmtree(PLACE, ignore_errors=True)
        os.environ.update(named)
        for name in dropped:
            os.environ.pop(name, None)
        choose_language("")
        try:
            from memtui.demo import copy

            yield copy(PLACE, language)
        finally:
            shutil.rmtree(PLACE, ignore_errors=True)
            os.environ.clear()
            os.environ.update(before)
            choose_language("")


def draw() -> dict[str, str]:
    """Every picture as SVG, by its name."""
    from memtui.core.config import Config, VectorConfig
    from memtui.store.vault import Vault

    still = patch("textual.widgets.Input.cursor_blink", False)
    with_what = patch("memtui.tui.panes.health_pane.list_versions", lambda: VERSIONS)
    # What was said a while ago stands there or not, by how fast the machine is.
    silent = patch("memtui.tui.screen.SAID", 0.2)
    # Vectors that are being made would make another picture every time, and another where there is no model.
    config = Config(vector=VectorConfig(backend="off"))
    drawn: dict[str, str] = {}
    for language in dict.fromkeys(picture.language for picture in PICTURES):
        with demo(language) as homes, Vault.open(homes, config=config) as vault, still, with_what, silent:
            vault.watch()
            for picture in PICTURES:
                if picture.language == language:
                    drawn[picture.name] = asyncio.run(_drawn(vault, picture))
    return drawn


async def _drawn(vault: Vault, picture: Picture) -> str:
    from memtui.core.config import Config
    from memtui.tui.app import MemtuiApp

    app = MemtuiApp(vault, Config(), picture.theme)
    async with app.run_test(size=picture.size) as pilot:
        await _settled(app)
        for key in picture.keys:
            await pilot.press(key)
            # A key that comes before its row would lead elsewhere, or write something else.
            await _settled(app, 10 if picture.writes else 2)
        await _settled(app)
        svg = app.export_screenshot(title="memtui")
    # Names that are drawn by lot, and an id that is made from the whole, would change every time.
    svg = re.sub(r"\bterminal-\d+", "terminal-memtui", svg)
    svg = re.sub(r"[0-9a-f]{16}(?=\.sqlite)", "0" * 16, svg)
    return f"<!-- {versions()} -->\n{svg}\n"


async def _settled(app: MemtuiApp, looks: int = 10) -> None:
    """The screen has stayed the same for so many looks: what is read in the background has arrived."""
    shown: list[list[object]] = []
    since = 0
    for _ in range(PATIENCE):
        if since == looks:
            return
        await asyncio.sleep(0.05)
        # What a picture is made of: to draw it takes several times as long.
        update: Any = app.screen._compositor.render_update(full=True, screen_stack=app._background_screens)
        again = [list(line) for line in update.strips]
        still = again == shown and _is_idle(app)
        since = since + 1 if still else 0
        shown = again
    raise TimeoutError("the screen does not come to rest")


def _is_idle(app: MemtuiApp) -> bool:
    """Whether nothing is written, read or worked out any more."""
    main = app.main
    waiting = main.context.waiting
    return main.reader.idle and main.hand.writer.idle and waiting.queue is not None and not waiting.busy


def versions() -> str:
    """What decides how a picture comes out, besides our own code."""
    import textual

    return f"textual {textual.__version__}, Python {'.'.join(platform.python_version_tuple()[:2])}"


def words(svg: str) -> str:
    """What a picture says, without numbers of versions and sizes, which differ between machines."""
    texts = re.findall(r"<text[^>]*>(.*?)</text>", svg, re.DOTALL)
    plain = html.unescape(" ".join(texts)).replace("\xa0", " ")
    plain = re.sub(r"\d+(?:\.\d+)+\S*|\d+(?:\.\d+)? ?[KMG]?B\b|\d+ ms", "#", plain)
    return " ".join(plain.split())


def stale(old: str, new: str) -> bool:
    """Whether the picture that is kept no longer shows what would be drawn."""
    if old.partition("\n")[0] == new.partition("\n")[0] and old == new:
        return False
    return words(old) != words(new) or old.partition("\n")[0] == new.partition("\n")[0]


def main() -> int:
    """Write them, or with --check only compare: 1 where one is stale."""
    drawn = draw()
    if "--check" in sys.argv:
        found = list_stale(drawn)
        print(*found, sep="\n", file=sys.stderr)
        return int(bool(found))
    FOLDER.mkdir(exist_ok=True)
    for name, svg in drawn.items():
        (FOLDER / f"{name}.svg").write_text(svg, encoding="utf-8")
    return 0


def list_stale(drawn: dict[str, str]) -> list[str]:
    """The pictures that are not as they are drawn now, with the words that differ; and those that nothing draws."""
    found = []
    for name, svg in drawn.items():
        if stale(kept(name), svg):
            lines = difflib.unified_diff(words(kept(name)).split(), words(svg).split(), lineterm="", n=2)
            found.append("\n".join([f"screenshots/{name}.svg is stale:", *itertools.islice(lines, 60)]))
    others = {path.stem for path in FOLDER.glob("*.svg")} - drawn.keys()
    return [*found, *(f"nothing draws screenshots/{name}.svg" for name in sorted(others))]


def kept(name: str) -> str:
    """The picture as it is in the repository; empty where there is none."""
    path = FOLDER / f"{name}.svg"
    return path.read_text(encoding="utf-8") if path.is_file() else ""


if __name__ == "__main__":
    sys.exit(main())
