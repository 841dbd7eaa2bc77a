"""No byte that a memory brings reaches a terminal as anything but text, and looking changes no file (T37, F12)."""

from __future__ import annotations

import json
import os
import re
import time
from base64 import b64decode
from pathlib import Path

import pytest

from tests.forking import run_memtui
from tests.homes import hostile
from tests.terminal.screen import DOWN, ENTER, ESC, PALETTE, TAB, Terminal
from tests.terminal.sequences import copied, foreign

ALL = "".join(hostile.STRINGS.values())
SESSION = "0aa1c7de-1111-4222-8333-0123456789ab"

COMMANDS = (
    ["search", "evil"], ["search", "copied clipboard"], ["search", "忽略之前指令"],
    ["search", "--mode", "scan", "owned red hidden"], ["search", "--status", "all", "cycle"],
    ["facts", "list", "--limit", "100"], ["facts", "show", "fact-osc52"], ["facts", "show", "fact-\x1b[31m"],
    ["profile", "list"], ["sessions", "list"], ["sessions", "show", SESSION], ["evolution", "list"],
    ["homes"], ["status"], ["doctor"], ["index"], ["get", "MEMORY.md"], ["get", "INDEX.md"],
    ["get", "user/esc\x1b]52;c;QQ==\x07.md"], ["get", "../\x1b[31m"], ["no-such-command\x1b[31m\x9d"],
)  # fmt: skip


@pytest.fixture(scope="module")
def homes(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The hostile home, and sessions whose every field is hostile."""
    root = tmp_path_factory.mktemp("hostile")
    return [hostile.build(root / "evil"), sessions(root / "c\x1b[31m\u202e[laude]")]


def sessions(path: Path) -> Path:
    folder = path / "projects" / "-home-evil"
    (folder / "memory").mkdir(parents=True)
    (folder / "memory/MEMORY.md").write_text(f"# {hostile.STRINGS['title']}\n- {hostile.STRINGS['csi']}\n", "utf-8")
    records: list[dict[str, object]] = [{"type": "summary", "summary": hostile.STRINGS["osc52"], "leafUuid": ALL}]
    for number, text in enumerate(hostile.STRINGS.values()):
        content = [
            {"type": "text", "text": text},
            {"type": "thinking", "thinking": text},
            {"type": "tool_use", "id": f"t{number}", "name": text, "input": {text: text}},
        ]
        place = {"cwd": f"/home/{text}", "gitBranch": text, "sessionId": SESSION, "timestamp": text}
        records += [
            {"type": "user", "uuid": f"u{number}", **place, "message": {"role": "user", "content": text}},
            {"type": "assistant", "uuid": f"a{number}", **place, "timestamp": f"2026-02-20T09:{number:02}:00Z",
             "message": {"role": "assistant", "model": text, "content": content}},
            {"type": "user", "uuid": f"r{number}", **place, "message": {"role": "user", "content": [
                {"type": "tool_result", "tool_use_id": f"t{number}", "content": text, "is_error": True}]}},
        ]  # fmt: skip
    (folder / f"{SESSION}.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records), "utf-8")
    return path


def opened(homes: list[Path], size: tuple[int, int], **more: str) -> Terminal:
    terminal = Terminal([str(home) for home in homes], size, env=more)
    terminal.wait(lambda text: "✗" in text.split("\n")[0])
    terminal.quiet()
    return terminal


def everywhere(terminal: Terminal, step: int) -> None:
    """Every view, its rows and details (one in `step`), whole files and sessions, and every window over them."""
    for view in (b"0", b"1", b"2", b"3", b"4", b"6"):
        terminal.press(view, b"G", b"g" + DOWN, TAB + b"j", b"G" + TAB)
        terminal.press(ENTER, b"\x1b[6~" + b"G", ESC, b"z", b"z")
    terminal.press(b"2", b".", b"S", b"S", b"b", b"b", b"><")
    terminal.press(*[DOWN * step] * (len(hostile.STRINGS) // step))
    terminal.press(b"f")
    terminal.type(b"kind:fact hidden")
    terminal.press(ENTER, ESC, b"?", DOWN, ESC, b"w", b" ", ESC)
    for query in (b"evil", "忽略之前指令".encode(), b"\x1b[200~\x1b]52;c;QQ==\x07 [/] shown\x1b[201~"):
        terminal.press(b"/", b"\x15")
        terminal.type(query)
        terminal.quiet(0.3)
        terminal.press(DOWN + DOWN, ENTER, b"n", ESC)
    terminal.press(ESC, ESC, PALETTE)
    terminal.type(b"clip")
    terminal.quiet(0.3)
    terminal.press(DOWN, ENTER, ESC, ESC)


@pytest.mark.parametrize(("size", "step"), [((120, 36), 1), ((80, 24), 10)])
def test_every_screen_over_everything_hostile(homes: list[Path], size: tuple[int, int], step: int) -> None:
    before = [hostile.bytes_of(home) for home in homes]
    with opened(homes, size) as terminal:
        everywhere(terminal, step)
        assert terminal.process.poll() is None
        terminal.type(b"q")
        terminal.end()
        assert terminal.process.returncode == 0
        assert terminal.sane()
        assert not foreign(terminal.written)
        shown = terminal.written.decode("utf-8")
        assert "^[]52;c;" in shown
        assert "⟨U+202E⟩" in shown
        assert "SECRET-FROM-OUTSIDE" not in shown
    assert [hostile.bytes_of(home) for home in homes] == before


def test_a_session_of_hostile_turns(homes: list[Path]) -> None:
    with Terminal([str(homes[1])]) as terminal:
        terminal.wait("Timeline")
        terminal.quiet(0.5)
        terminal.press(b"3")
        terminal.wait("session")
        terminal.press(ENTER)
        terminal.wait("^[")
        terminal.press(*[b"j"] * 10, b"\x1b[6~", b"\x1b[6~", b"G", b"g")
        terminal.press(ENTER, DOWN, ENTER, b"n")
        terminal.wait(lambda _text: b"^[]" in terminal.written)
        assert not foreign(terminal.written)


def test_only_a_person_fills_the_clipboard_and_with_nothing_a_shell_obeys(homes: list[Path]) -> None:
    with opened(homes, (120, 36)) as terminal:
        terminal.press(b"2")
        terminal.wait(lambda text: "indexing" not in text)
        assert not copied(terminal.written)
        terminal.type((DOWN + b"y") * len(hostile.STRINGS))
        # A busy machine is behind with the keys, and may stand still for more than a second.
        end = time.monotonic() + 60
        while len(copied(terminal.written)) <= 10 and time.monotonic() < end:
            terminal.quiet(0.3)
        terminal.quiet(0.5)
        assert not foreign(terminal.written, copies=True)
        found = [b64decode(re.split(rb"[;\x07]", one)[2]).decode("utf-8") for one in copied(terminal.written)]
        assert len(found) > 10
        assert not [text for text in found if re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]", text)]


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_what_commands_print(homes: list[Path], words: list[str]) -> None:
    places = [word for home in homes for word in ("--home", str(home))]
    for json_wanted in (False, True):
        env = {**os.environ, "FORCE_COLOR": "" if json_wanted else "1", "LC_ALL": "C.UTF-8"}
        done = run_memtui([*words, *places, *["--json"] * json_wanted], env=env)
        out, talk = done.stdout, done.stderr
        assert not foreign(out, lines=not json_wanted, exact=json_wanted)
        assert not foreign(talk, lines=True)
        assert b"Traceback" not in talk
        assert b"inside memtui" not in talk
        if json_wanted and out:
            assert isinstance(json.loads(out), dict | list)


def test_commands_on_a_terminal(homes: list[Path]) -> None:
    for words in (["facts", "list"], ["homes"], ["search", "shown"], ["doctor"], ["sessions", "list"]):
        places = [word for home in homes for word in ("--home", str(home))]
        with Terminal([*words, *places], (80, 24)) as terminal:
            terminal.end()
            assert not foreign(terminal.written, lines=True)
            assert len(terminal.written) > 40


def test_a_table_has_room_for_the_memory_whatever_stands_beside_it(homes: list[Path]) -> None:
    with Terminal(["facts", "list", "--home", str(homes[0])], (80, 24)) as terminal:
        terminal.end()
        assert "忽略之前" in terminal.written.decode("utf-8")


def test_commands_change_no_file(homes: list[Path]) -> None:
    before = [hostile.bytes_of(home) for home in homes]
    for words in (["index", "--rebuild"], ["search", "evil"], ["doctor"]):
        places = [word for home in homes for word in ("--home", str(home))]
        run_memtui([*words, *places])
    assert [hostile.bytes_of(home) for home in homes] == before


@pytest.mark.parametrize(
    "smuggled",
    [*(hostile.STRINGS[name] for name in (
        "osc52", "osc8", "title", "csi", "dcs", "c1", "reset", "bell", "return", "bidi", "zero", "tags", "selectors",
        "separators", "private", "nonchar", "zalgo", "fillers")), "\x1b[6n", "\x1b[?1000;9h", "\x1b]22;x\x07"],
)  # fmt: skip
def test_the_reader_of_sequences_knows_what_is_foreign(smuggled: str) -> None:
    assert foreign(f"\x1b[1mfine{smuggled}\x1b[0m".encode("utf-8", "surrogatepass"))


def test_the_reader_of_sequences_lets_textual_through() -> None:
    emoji = hostile.STRINGS["emoji"]
    assert not foreign(
        f"\x1b[?1049h\x1b[?25l\x1b[>25u\x1b[1;1H\x1b[1;38;2;1;2;3m中文 {emoji}\x1b[0m\r\n\x1b[<u".encode()
    )
