"""What a team shares as a person sees it in the app: whose it is, how fresh it is, and what a colleague asks for."""

from __future__ import annotations

import subprocess
import threading
import time
from typing import TYPE_CHECKING

from memtui.core.config import Config
from memtui.fs.locks import end_process
from memtui.store.vault import Vault
from memtui.team import attach_servers
from memtui.team.membership import Membership, save_membership
from memtui.tui import app as app_module
from memtui.tui.app import MemtuiApp
from tests.team.scene import exchange, use
from tests.team.test_server_search import fill, limit
from tests.tui.conftest import Written

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from tests.team.conftest import Team


async def test_a_colleague_is_named_searched_and_answered(team: Team, monkeypatch: pytest.MonkeyPatch) -> None:
    ann, bob = team.add("ann", "laptop"), team.add("bob", "desk")
    ann.write("MEMORY.md", "# Memory\n\n- the canteen has tea at four\n- releases are cut on Tuesdays\n")
    bob.write("MEMORY.md", "# Memory\n\n- orders go through Kafka, releases wait for them\n")
    for one in (ann, bob):
        one.share_all()
    bob.run("sync")
    (hit,) = bob.ask("search", "canteen")["results"]
    bob.run("team", "offer", hit["id"], "the canteen has tea at five")
    assert exchange(ann, monkeypatch).offered == 1
    use(ann, monkeypatch)
    monkeypatch.chdir(ann.folder)
    mine = ann.home / "MEMORY.md"
    before = mine.read_text("utf-8")
    with Vault.open(None, config=Config(), wait=True, shared=True) as vault:
        vault.watch()
        app = MemtuiApp(vault, Config())
        async with app.run_test(size=(120, 36), notifications=True) as pilot:
            desk = Written(app, pilot, vault, [ann.home])
            await desk.settled()
            await desk.until(lambda: f"{team.name} " in desk.lines()[0])
            assert "offline" not in desk.lines()[0] and f"{bob.who}@desk" in desk.lines()[0]
            await desk.press("slash")
            await desk.type("releases")
            await desk.until(lambda: "Kafka" in desk.text() and "Tuesdays" in desk.text())
            await desk.type(f" who:{bob.who}")
            await desk.until(lambda: "Tuesdays" not in desk.text() and "Kafka" in desk.text())
            assert f"memtui {bob.who}@desk" in desk.text(), "whose it is stands beside it"
            await desk.press(*["backspace"] * len(bob.who), "m", "e")
            await desk.until(lambda: "Tuesdays" in desk.text() and "Kafka" not in desk.text())
            await desk.press("escape", "escape", "5")
            await desk.until(lambda: "colleague" in desk.text() and f"{bob.who} ({team.name})" in desk.text())
            row = next(line for line in desk.lines() if "colleague" in line)
            assert "the canteen has tea at five" in row and "Tuesdays" not in row, "what is asked for, and no more"
            await desk.until(lambda: "- - the canteen has tea at four" in desk.text())
            assert "+ - the canteen has tea at five" in desk.text()
            assert mine.read_text("utf-8") == before
            await desk.press("a")
            await desk.until(lambda: mine.read_text("utf-8") == before.replace("four", "five"))
            await desk.press("u")
            await desk.until(lambda: mine.read_text("utf-8") == before)
            carol = team.add("carol", "mac")
            carol.write("MEMORY.md", "# Memory\n\n- the archive moved to Utrecht\n")
            carol.share_all()
            exchange(ann, monkeypatch)
            await desk.press("slash", "ctrl+u")
            await desk.type("utrecht")
            await desk.until(lambda: f"memtui {carol.who}@mac" in desk.text())
            await desk.press("escape", "escape")
            assert exchange(ann, monkeypatch, dsn="host=127.0.0.1 port=1 user=nobody").error
            vault.settle()
            await desk.press("0")
            await desk.until(lambda: "offline" in desk.lines()[0])


async def test_what_is_too_large_to_copy_is_found_and_opened(team: Team, monkeypatch: pytest.MonkeyPatch) -> None:
    ann, bob = team.add("ann", "laptop"), team.add("bob", "desk")
    limit(bob)
    bob.run("sync")
    fill(ann)
    ann.write("areas/projects/shop/tea.md", "# tea\n\n- the canteen has tea at four\n- and coffee at noon\n")
    ann.share_all()
    bob.run("sync")
    assert not bob.read_mirror()
    use(bob, monkeypatch)
    monkeypatch.chdir(bob.folder)
    bob.write("MEMORY.md", "# Memory\n\n- a canteen of my own\n")
    with Vault.open(None, config=Config(), wait=True, shared=True) as vault:
        attach_servers(vault)
        vault.watch()
        app = MemtuiApp(vault, Config())
        async with app.run_test(size=(120, 36), notifications=True) as pilot:
            desk = Written(app, pilot, vault, [bob.home])
            await desk.settled()
            await desk.press("slash")
            await desk.type("canteen")
            await desk.until(lambda: "my own" in desk.text() and "tea at four" in desk.text())
            assert f"memtui {ann.who}@" in desk.text(), "whose it is stands beside it"
            await desk.press("ctrl+u")
            await desk.type("tea at four")
            # What stands beside the hit is in the file, which was fetched for it.
            await desk.until(lambda: "coffee at noon" in desk.text() or "tea.md" in desk.text())
            await desk.until(lambda: [*bob.read_mirror()] == [f"{ann.who}@laptop/areas/projects/shop/tea.md"])


async def test_the_teams_own_home_is_written_from_a_row(team: Team, monkeypatch: pytest.MonkeyPatch) -> None:
    """By compare-and-set: what somebody else changed meanwhile stays, and both texts are shown."""
    ann, bob = team.add("ann", "laptop"), team.add("bob", "desk")
    ann.write("MEMORY.md", "# Memory\n\n- mine\n")
    bob.run("team", "write", "notes/MEMORY.md", stdin="# Memory\n\n- the team meets on Mondays\n- tea at four\n")
    assert exchange(ann, monkeypatch).pulled.written == 1
    use(ann, monkeypatch)
    monkeypatch.chdir(ann.folder)
    with Vault.open(None, config=Config(), wait=True, shared=True) as vault:
        vault.watch()
        app = MemtuiApp(vault, Config())
        async with app.run_test(size=(120, 36), notifications=True) as pilot:
            desk = Written(app, pilot, vault, [ann.home])
            await desk.settled()
            await desk.press("slash")
            await desk.type("meets")
            await desk.until(lambda: f"notes @{team.name}" in desk.text())
            await desk.until(lambda: "▌@s    the team meets" in desk.text() or "▌@s▾ the team" in desk.text())
            await desk.press("tab", "e")
            await desk.until(lambda: f"everybody in the team “{team.name}”" in desk.text())
            await desk.press("ctrl+u")
            await desk.type("the team meets on Fridays")
            await desk.press("enter")
            await desk.until(lambda: f"is written for the team “{team.name}”" in desk.text())
            bob.run("sync")
            assert b"Fridays" in next(iter(bob.read_mirror().values()))
            # Ann's copy is still the one from before: what she makes of it now is made of an old text.
            await desk.press("e", "ctrl+u")
            await desk.type("the team meets never")
            await desk.press("enter")
            await desk.until(lambda: "Somebody changed MEMORY.md meanwhile" in desk.text() or "never" in desk.text())
            bob.run("sync")
            assert b"Fridays" in next(iter(bob.read_mirror().values()))
            assert exchange(ann, monkeypatch).pulled.written == 1


async def test_a_team_is_seen_where_nobody_shares_anything(team: Team, monkeypatch: pytest.MonkeyPatch) -> None:
    """The header says as of when; Health says who one is in it, and why its server cannot be asked."""
    ann = team.add("ann", "laptop")
    ann.write("MEMORY.md", "# Memory\n\n- the canteen has tea at four\n")
    assert not exchange(ann, monkeypatch).error
    use(ann, monkeypatch)
    monkeypatch.chdir(ann.folder)
    with Vault.open(None, config=Config(), wait=True, shared=True) as vault:
        app = MemtuiApp(vault, Config())
        async with app.run_test(size=(120, 36), notifications=True) as pilot:
            desk = Written(app, pilot, vault, [ann.home])
            await desk.settled()
            await desk.until(lambda: f"{team.name} {time.strftime('%H:')}" in desk.lines()[0])
            await desk.press("6")
            row = f"● {team.name}"
            await desk.until(lambda: row in desk.text() and f"{ann.who}@laptop" in desk.text())
            assert exchange(ann, monkeypatch, dsn="host=127.0.0.1 port=1 user=nobody").error
            await desk.press("6")
            await desk.until(lambda: "offline" in desk.lines()[0])
            await desk.until(lambda: f"◐ {team.name}" in desk.text())
            at = next(number for number, line in enumerate(desk.lines()) if f"◐ {team.name}" in line)
            await pilot.click("#checks", offset=(8, at - app.query_one("#checks").region.y))
            await desk.until(lambda: "Nothing listens at 127.0.0.1:1" in desk.text())
            assert "memtui team share" in desk.text()
    with Vault.open([ann.home], config=Config(), wait=True, shared=True) as vault:
        app = MemtuiApp(vault, Config())
        async with app.run_test(size=(120, 36)) as pilot:
            desk = Written(app, pilot, vault, [ann.home])
            await desk.settled()
            assert team.name not in desk.lines()[0], "of homes that were named nobody's team is told"


def test_the_first_team_is_followed_without_opening_the_app_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Joined in another terminal, while the app runs that began in no team at all."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setattr(app_module, "JOINING", 0.05)
    stop, begun = threading.Event(), list[subprocess.Popen[str]]()
    keeper = threading.Thread(target=app_module._keep_sync, args=(stop, begun))
    keeper.start()
    try:
        time.sleep(0.2)
        assert not begun
        save_membership(Membership("crew", "team", "host=127.0.0.1 port=9", "ann", "laptop", "1"))
        end = time.monotonic() + 60
        while not begun and time.monotonic() < end:
            time.sleep(0.02)
        assert begun[0].poll() is None
    finally:
        stop.set()
        keeper.join()
        for process in begun:
            end_process(process)
