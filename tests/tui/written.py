"""The app on a real home, copied for one test: what a verb writes is read from its files, byte for byte."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, nullcontext
from pathlib import Path
from typing import Any

from memtui import Vault
from memtui.core.config import Config
from memtui.tui.app import MemtuiApp
from tests.homes import read_files
from tests.tui.conftest import Desk

HOMES = Path(__file__).parent.parent / "homes"


class Written(Desk):
    """An app on homes whose files can be looked at."""

    def __init__(self, app: MemtuiApp, pilot: Any, vault: Vault, roots: Sequence[Path]) -> None:
        super().__init__(app, pilot)
        self.vault, self.roots = vault, roots

    def files(self) -> dict[str, bytes]:
        """Every file of the homes."""
        return {f"{root.name}/{path}": data for root in self.roots for path, data in read_files(root).items()}

    async def type(self, text: str) -> None:
        """Type into the box that has the focus, whatever the language."""
        from textual import events

        for char in text:
            focused = self.app.screen.focused
            assert focused is not None
            # The pilot knows no names for keys of other scripts; a terminal sends just the character.
            focused.post_message(events.Key("space" if char == " " else char, char))
            await self.pilot.pause()
        await self.settled()

    async def to(self, text: str) -> None:
        """Put the cursor of the list on the row whose text has this in it."""
        rows = self.main.hand.rows()
        assert rows is not None
        await self.press("g")
        for _step in range(len(rows.items)):
            item = rows.current
            if text in getattr(getattr(item, "of", item), "text", ""):
                return
            await self.press("j")
        raise AssertionError(f"no row says {text}")

    def editor(
        self,
        monkeypatch: Any,
        change: Callable[[bytes], bytes],
        meanwhile: Callable[[], object] = lambda: None,
    ) -> list[list[str]]:
        """An editor that does `change` to whatever it is given, while somebody else does `meanwhile`."""
        calls: list[list[str]] = []

        def run(words: list[str]) -> str:
            calls.append(words)
            path = Path(words[-1])
            path.write_bytes(change(path.read_bytes()))
            meanwhile()
            return ""

        monkeypatch.setattr("memtui.tui.editing.run", run)
        monkeypatch.setattr("shutil.which", lambda name: name)
        monkeypatch.setenv("VISUAL", "vim")
        monkeypatch.setattr(self.app, "suspend", nullcontext)
        return calls


@asynccontextmanager
async def on_home(
    tmp_path: Path, *names: str, size: tuple[int, int] = (120, 36), config: Config | None = None
) -> AsyncIterator[Written]:
    """The app on copies of homes out of tests/homes."""
    roots = [Path(shutil.copytree(HOMES / name, tmp_path / name)) for name in names or ("memtui",)]
    with Vault.open(roots, config=config or Config()) as vault:
        app = MemtuiApp(vault, config or Config())
        async with app.run_test(size=size, notifications=True) as pilot:
            desk = Written(app, pilot, vault, roots)
            await desk.settled()
            yield desk
