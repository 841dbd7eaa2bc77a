"""Links lead to files of the same home, by path, name or title; addresses are copied, never opened."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from textual.widgets import TextArea

from memtui.core.model import Layer
from memtui.store.vault import Vault
from memtui.tui.viewer import Page, resolve_link
from tests.homes import write_files
from tests.tui.conftest import running
from tests.tui.fake_vault import DAY, NOON, FakeVault, memory

FILES = {
    "MEMORY.md": "- [Lock order](lock-order.md)\n",
    "lock-order.md": "---\nname: lock-order\n---\n# Who locks first\n\nOrders before stock.\n",
    "areas/projects/shop/summary.md": "# The shop\n\nSold by weight.\n",
    "areas/projects/shop/rules.md": "# Rules\n\n- see [it](summary.md)\n",
    "daily/2026-11-20.md": "- a day\n",
}


@pytest.fixture
def home(tmp_path: Path) -> Iterator[tuple[Vault, str]]:
    root = write_files(tmp_path / "memory", FILES)
    (tmp_path / "secret.md").write_text("# Secret\n", encoding="utf-8")
    with Vault.open([root]) as vault:
        yield vault, str(root)


@pytest.mark.parametrize(
    ("path", "link", "leads"),
    [
        ("MEMORY.md", "lock-order.md", "lock-order.md"),
        ("MEMORY.md", "./lock-order.md#who", "lock-order.md"),
        ("areas/projects/shop/rules.md", "summary.md", "areas/projects/shop/summary.md"),
        ("areas/projects/shop/rules.md", "lock-order.md", "lock-order.md"),
        ("MEMORY.md", "lock order", "lock-order.md"),
        ("MEMORY.md", "summary", "areas/projects/shop/summary.md"),
        ("MEMORY.md", "who locks first", "lock-order.md"),
        ("MEMORY.md", "daily/2026%2D11-20.md", "daily/2026-11-20.md"),
        ("MEMORY.md", "../secret.md", ""),
        ("MEMORY.md", "/etc/passwd", ""),
        ("MEMORY.md", "https://example.org/lock-order.md", ""),
        ("MEMORY.md", "#above", ""),
        ("MEMORY.md", "nowhere.md", ""),
    ],
)
def test_where_a_link_leads(home: tuple[Vault, str], path: str, link: str, leads: str) -> None:
    vault, root = home
    assert resolve_link(vault, root, path, link).path == leads


def test_a_path_from_the_root_of_the_disk_leads_inside_its_home_only(home: tuple[Vault, str]) -> None:
    vault, root = home
    assert resolve_link(vault, root, "MEMORY.md", f"{root}/lock-order.md").path == "lock-order.md"


def linked(vault: FakeVault, *links: str, kind: str = "fact") -> None:
    """The newest fact has these links."""
    made = memory("a thing with links", "INDEX.md", 5, Layer.KNOWLEDGE, kind, created=NOON + DAY, links=links)
    vault.memories_.append(made)


async def test_the_only_link_is_opened(vault: FakeVault) -> None:
    linked(vault, "MEMORY.md")
    async with running(vault) as desk:
        await desk.press("2", "L")
        assert isinstance(desk.app.screen, Page)
        assert desk.app.screen.path == "MEMORY.md"


async def test_several_links_are_a_list_and_a_session_opens_to_its_turns(vault: FakeVault) -> None:
    linked(vault, "MEMORY.md", "sessions/s0.md", "nowhere", "https://example.org")
    async with running(vault) as desk:
        await desk.press("2", "L")
        assert "nothing in this home" in desk.text()
        await desk.press("j", "enter")
        assert "登录页在 Safari" in desk.text()
        await desk.press("escape", "L", "G", "enter")
        assert desk.app.screen is desk.main
        assert desk.app.clipboard == "https://example.org"


async def test_a_link_to_nothing_is_said(vault: FakeVault) -> None:
    linked(vault, "nowhere.md")
    async with running(vault) as desk:
        await desk.press("2", "L")
        assert "nowhere.md leads to nothing in this home." in desk.text()
        await desk.press("j", "L")
        assert "There is no link in this memory." in desk.text()


async def test_enter_on_a_row_of_an_index_opens_what_it_names(vault: FakeVault) -> None:
    linked(vault, "MEMORY.md", kind="index")
    async with running(vault) as desk:
        await desk.press("2", "enter")
        assert isinstance(desk.app.screen, Page)
        assert desk.app.screen.path == "MEMORY.md"


async def test_enter_on_a_row_of_an_index_that_names_nothing_opens_the_index(vault: FakeVault) -> None:
    linked(vault, "gone.md", kind="index")
    async with running(vault) as desk:
        await desk.press("2", "enter")
        assert isinstance(desk.app.screen, Page)
        assert desk.app.screen.path == "INDEX.md"


async def test_a_link_on_a_line_of_an_open_file(vault: FakeVault) -> None:
    linked(vault)
    vault.files["/homes/shop", "INDEX.md"] = "# Index\nsee [this](MEMORY.md)\n"
    async with running(vault) as desk:
        await desk.press("2", "enter", "g", "L")
        assert "There is no link on this line." in desk.text()
        await desk.press("y")
        assert desk.app.clipboard == "# Index" and desk.main.said == "copied the text"
        await desk.press("j", "L")
        assert isinstance(desk.app.screen, Page)
        assert desk.app.screen.path == "MEMORY.md"
        await desk.press("escape")
        assert desk.app.screen.query_one(TextArea).cursor_location[0] == 1
