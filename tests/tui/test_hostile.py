"""Memory text is data: no terminal obeys it, nothing parses it as markup, it cannot stop the app (T36, T37)."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

from memtui.core.model import Home, Layer, Memory, Problem, Status, Transcript, Turn
from tests.tui.conftest import running
from tests.tui.fake_vault import NOON, FakeVault

KEYS = ("full_stop", *"012346j3", "enter", "escape", "2", "enter", "escape", "w")
EVIL = (
    "\x1b]52;c;ZXZpbA==\x1b\\ \x1b]8;;file:///etc/passwd\x1b\\link\x1b]8;;\x1b\\ \x9d52;c;x\x9c \x07 \x1b[2J\x1b[31m "
    "[/] [/foo a[/red] [link=file:///etc/passwd]a[/link] [@click=app.quit]x[/] [bold"
    " \u202eevil\u202c \u200b \U000e0041 \udcff \ufdd0 \ue000 " + "e" + "\u0301" * 10 + " 👩‍💻"
)


def hostile(*texts: str) -> FakeVault:
    """Every field of every memory holds one of the texts, in turn; the home and the problem hold the first.

    The home's layout is a real one: memtui itself names it.
    """
    from pathlib import Path

    text = texts[0]
    home = Home(Path(f"/h/{text[:20]}"), "plain", text, text, text, True)
    made: list[Memory] = []
    for number, layer in enumerate(Layer):
        for status in (Status.ACTIVE, Status.SUPERSEDED):
            text = texts[len(made) % len(texts)]
            made += [
                Memory(
                    text, number + 1, number + 1, "session" if layer is Layer.SESSION else text, layer, status,
                    (text, text), text if number % 2 else "", NOON, NOON, NOON, 0.5, 2.0, (text,), (text,), "s0", text,
                    text, text, text, (text,), None, {text: text, "project": text, "nested": {text: [text]}},
                    id=f"{layer}{status}", home=str(home.path), path=text,
                )
            ]  # fmt: skip
    vault = FakeVault(made, homes=(home,))
    text = texts[0]
    vault.problems = (Problem(text, 3, text),)
    vault.warning = text
    vault.transcripts["s0"] = Transcript(
        [Turn("user", text, NOON, 1), Turn("tool", texts[-1], None, 2, texts[-1], True)]
    )
    vault.files |= {(str(home.path), text): text * 3 for text in texts}
    return vault


async def visit(vault: FakeVault, size: tuple[int, int]) -> str:
    seen = []
    async with running(vault, size) as desk:
        for key in KEYS:
            await desk.press(key)
            seen.append(desk.text())
            assert {cell_len(line) for line in desk.lines()} == {size[0]}
        await desk.press("escape", "y", "Y", "slash", *"evil")
        seen.append(desk.text())
    return "\n".join(seen)


async def test_nothing_hostile_reaches_the_screen() -> None:
    text = await visit(hostile(EVIL), (110, 30))
    assert not re.search(
        r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u200b\U000e0000-\U000e007f\ud800-\udfff]", text
    )
    assert "[/foo" in text
    assert "[@click=app.quit]" in text


TEXT = st.text(st.characters() | st.sampled_from("[]/=@\x1b\x9d\\\n"), min_size=1, max_size=40)


@given(st.lists(TEXT, min_size=6, max_size=6, unique=True))
@settings(max_examples=3, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
async def test_any_text_can_be_shown(texts: list[str]) -> None:
    await visit(hostile(*(text.replace("\0", "\x01") for text in texts)), (90, 24))


async def test_a_line_of_megabytes_is_shown_in_part() -> None:
    vault = hostile("长" * 30)
    vault.memories_[0].text = "长" * 1_000_000
    async with running(vault) as desk:
        await desk.press("1", "j", "k")
        assert "长" in desk.text()


def test_no_markup_is_parsed_anywhere(pytestconfig: pytest.Config) -> None:
    """Every title that can hold text from a disk is Content; notifications say markup=False."""
    root: Path = pytestconfig.rootpath / "memtui" / "tui"
    wrong = []
    for path in root.rglob("*.py"):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if re.search(r"border_(sub)?title = (?!Content\(|told)", line) or re.search(
                r"\b(Static|Label|from_markup)\(", line
            ):
                wrong.append(f"{path.name}:{number}: {line.strip()}")
            if "screen.notify(" in line and "markup=False" not in line:
                wrong.append(f"{path.name}:{number}: {line.strip()}")
    assert not wrong
