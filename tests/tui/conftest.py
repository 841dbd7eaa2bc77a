"""The app on a vault in memory, with the clock stopped; `settled` waits for what was asked, never for a while."""

from __future__ import annotations

import asyncio
import shutil
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, nullcontext
from pathlib import Path
from typing import Any, cast
from unittest.mock import patch

import pytest
import textual._wait
from textual import events
from textual.pilot import Pilot

from memtui.analysis.analyst import Analyst, QueueState
from memtui.core.config import Config
from memtui.core.model import Memory
from memtui.store.vault import Vault
from memtui.tui import context, evolution_model
from memtui.tui.app import MemtuiApp
from memtui.tui.context import PaneContext
from memtui.tui.evolution_model import All
from memtui.tui.home_model import FEW
from memtui.tui.panes import health_pane, home_pane, layer_view
from memtui.tui.panes.health_pane import FindingRow
from memtui.tui.row_list import Rows
from tests.homes import read_files
from tests.tui.fake_vault import NOW, FakeVault, conversation, shop

# Pilot sleeps until the process is idle, 20 ms at least, several times a key. `settled` knows what it waits for.
textual._wait.SLEEP_GRANULARITY, textual._wait.SLEEP_IDLE = 0.002, 0.0002

HOMES = Path(__file__).parent.parent / "homes"

_read, _findings, _glance = context.read, health_pane.read, health_pane.load_findings
_shared = Analyst.load_echoes
_learning, _expiring = evolution_model.read, layer_view.load_expiring


@pytest.fixture(autouse=True)
def _stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMTUI_NOW", NOW)
    # The text follows the cursor at once, so that no test has to wait for a timer.
    monkeypatch.setattr("memtui.tui.panes.layer_view.DEBOUNCE", 0.001)
    monkeypatch.setattr("memtui.tui.panes.search_pane.DEBOUNCE", 0.001)
    monkeypatch.setattr("memtui.tui.panes.review_pane.DEBOUNCE", 0.001)
    monkeypatch.setattr("memtui.tui.panes.search_pane.DRAWN", 0.001)
    # What waits is read at once; a vault in memory knows it already.
    monkeypatch.setattr("memtui.tui.screen.SOON", 0.001)
    monkeypatch.setattr("memtui.tui.screen.LATER", 0.001)
    monkeypatch.setattr("memtui.tui.screen.AFTER", 0.001)

    def queue(context: PaneContext) -> QueueState | None:
        vault: object = context.vault
        if isinstance(vault, FakeVault):
            return QueueState(vault.queue, len(vault.queue.waiting), len(vault.queue.refused), None)
        return _read(context)

    def found(context: PaneContext) -> list[FindingRow]:
        vault: object = context.vault
        return [] if isinstance(vault, FakeVault) else _findings(context)

    def glanced(context: PaneContext) -> list[FindingRow]:
        vault: object = context.vault
        return [] if isinstance(vault, FakeVault) else _glance(context)

    def learnt(context: PaneContext, *given: Callable[[], bool], glance: bool = False) -> All:
        vault: object = context.vault
        return vault.learnt if isinstance(vault, FakeVault) else _learning(context, *given, glance=glance)

    def expiring(context: PaneContext) -> list[Memory]:
        vault: object = context.vault
        return vault.expiring if isinstance(vault, FakeVault) else _expiring(context)

    def shared(analyst: Analyst) -> list[tuple[Memory, ...]] | None:
        vault: object = analyst._vault
        return vault.shared if isinstance(vault, FakeVault) else _shared(analyst)

    monkeypatch.setattr(Analyst, "load_echoes", shared)
    monkeypatch.setattr(evolution_model, "read", learnt)
    monkeypatch.setattr(layer_view, "load_expiring", expiring)
    monkeypatch.setattr(context, "read", queue)
    monkeypatch.setattr(context, "PAUSE", 0.001)
    monkeypatch.setattr(health_pane, "read", found)
    monkeypatch.setattr(health_pane, "load_findings", glanced)


@pytest.fixture
def vault() -> FakeVault:
    made = FakeVault(shop())
    made.transcripts["s0"] = conversation()
    return made


def app_on(vault: FakeVault, config: Config | None = None, theme: str = "") -> MemtuiApp:
    app = MemtuiApp(cast("Vault", vault), config or Config(), theme)
    # Nothing is written to a vault in memory, and its layouts are names only.
    app.main.hand.wake = lambda: None  # type: ignore[method-assign]
    app.main.hand.can_undo = vault.can_undo()
    return app


@asynccontextmanager
async def running(
    vault: FakeVault,
    size: tuple[int, int] = (120, 36),
    *,
    config: Config | None = None,
    theme: str = "",
    faulty: bool = False,
) -> AsyncIterator[Desk]:
    """The app, started and settled. What goes wrong inside it fails the test, unless that is what it is about."""
    app = app_on(vault, config, theme)
    async with app.run_test(size=size, notifications=True) as pilot:
        desk = Desk(app, pilot)
        await desk.settled()
        yield desk
        vault.gate.set()
    found = [(fault.kind, fault.place) for fault in app.faults.found]
    assert faulty or not found, found


class Desk:
    """An app in a test: keys in, lines of the screen out."""

    def __init__(self, app: MemtuiApp, pilot: Pilot[None]) -> None:
        self.app, self.pilot = app, pilot
        self.main = app.main

    async def settled(self) -> None:
        """Nothing is asked, read or waiting to be handled, three times in a row: answers make timers, timers ask."""
        still = 0
        while still < 3 and self.app.is_running:
            await asyncio.sleep(0.002)
            if not (self.main.reader.idle and self.main.hand.writer.idle):
                still = 0
                continue
            self.app.screen._on_timer_update()
            still = still + 1 if self._are_queues_empty() else 0
            if still == 3:
                # Whoever is in the middle of a message has an empty queue as well.
                await self.pilot._wait_for_screen()
                still = 3 if self._are_queues_empty() else 0

    def _are_queues_empty(self) -> bool:
        """Whether no widget has a message before it, or is still being made."""
        pumps = (self.app, *self.app.screen.walk_children(with_self=True))
        return all(pump.is_running and not pump.message_queue_size for pump in pumps)

    async def rest(self) -> None:
        """Settled, what is worked out only once the cursor rests included."""
        await self.settled()
        await self.pilot.pause(0.15)
        await self.settled()

    async def until(self, told: Callable[[], bool]) -> None:
        """Until it is so; what is shown may follow files, an index and an analysis, each of which takes its time."""
        end = time.monotonic() + 60
        while not told():
            assert time.monotonic() < end, self.text()
            await self.pilot.pause(0.005)

    async def press(self, *keys: str) -> None:
        for key in keys:
            await self.pilot.press(key)
            await self.settled()

    def rows(self) -> Rows:
        """The list that verbs are about."""
        found = self.main.hand.rows()
        assert found is not None
        return found

    def memory(self) -> Memory:
        """The memory that verbs are about."""
        found = self.main.desk.memory()
        assert found is not None
        return found

    def lines(self) -> list[str]:
        """The screen as text."""
        screen: Any = self.app.screen
        width, height = self.app.size
        return ["".join(segment.text for segment in line) for line in screen._compositor.render_strips()][:height] or [
            " " * width
        ]

    def text(self) -> str:
        return "\n".join(self.lines())


@asynccontextmanager
async def filled(
    vault: FakeVault, size: tuple[int, int] = (120, 36), *, config: Config | None = None, faulty: bool = False
) -> AsyncIterator[Desk]:
    """The app, once Home's boxes were read again."""
    with patch.object(home_pane, "MORE", 0.001):
        async with running(vault, size, config=config, faulty=faulty) as desk:
            await fill_boxes(desk)
            yield desk


async def fill_boxes(desk: Desk) -> None:
    """After the first frame of Home there is a second reading."""
    await desk.until(lambda: any(home._few == FEW for home in desk.main.query(home_pane.HomeView)))
    await desk.settled()


def list_shown(desk: Desk, name: str) -> list[Memory]:
    """The memories of a box of Home, in order."""
    rows = desk.main.query_one(f"#home-{name}", Rows)
    return [item for item in rows.items if isinstance(item, Memory)]


class Written(Desk):
    """An app on homes whose files can be looked at."""

    def __init__(self, app: MemtuiApp, pilot: Any, vault: Vault, roots: Sequence[Path]) -> None:
        super().__init__(app, pilot)
        self.vault, self.roots = vault, roots

    def files(self) -> dict[str, bytes]:
        """Every file of the homes."""
        return {f"{root.name}/{path}": data for root in self.roots for path, data in read_files(root).items()}

    async def type(self, text: str, *keys: str) -> None:
        """Type into the box that has the focus, whatever the language; then press these keys."""
        for char in text:
            focused = self.app.screen.focused
            assert focused is not None
            # The pilot knows no names for keys of other scripts; a terminal sends just the character.
            focused.post_message(events.Key("space" if char == " " else char, char))
            await self.pilot.pause()
        await self.settled()
        await self.press(*keys)

    async def to(self, text: str, *keys: str) -> None:
        """Put the cursor of the list, once these keys are pressed, on the row whose text has this in it."""
        await self.press(*keys)
        rows = self.rows()
        await self.press("g")
        for _step in range(len(rows.items)):
            item = rows.current
            if text in getattr(getattr(item, "of", item), "text", ""):
                return
            await self.press("j")
        raise AssertionError(f"no row says {text}")

    def editor(
        self, monkeypatch: Any, change: Callable[[bytes], bytes], meanwhile: Callable[[], object] = lambda: None
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


@pytest.fixture
async def desk(vault: FakeVault) -> AsyncIterator[Desk]:
    """The app on the vault in memory, as it is at first."""
    async with running(vault) as started:
        yield started


@pytest.fixture
async def written(tmp_path: Path) -> AsyncIterator[Written]:
    """The app on a copy of memtui's home."""
    async with on_home(tmp_path) as started:
        yield started
