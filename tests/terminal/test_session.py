"""A person at a real terminal: typing, pasting, dragging the window, an editor, and every way to leave."""

from __future__ import annotations

import os
import re
import signal
import sys
import time
from pathlib import Path

import pytest

from tests.terminal.screen import DOWN, ENTER, ESC, PALETTE, PATIENCE, Terminal
from tests.terminal.sequences import foreign

EDITOR = """
import json, sys
from pathlib import Path
Path({record!r}).write_text(json.dumps(sys.argv[1:]), "utf-8")
sys.stdout.write("editing " + str(sys.stdin.isatty()) + "\\n")
file = Path(sys.argv[-1])
file.write_text(file.read_text("utf-8") + "- 编辑器加上的一行 by hand\\n", "utf-8")
"""


@pytest.fixture
def home(tmp_path: Path) -> Path:
    home = tmp_path / "记忆 home"
    (home / "user").mkdir(parents=True)
    (home / "areas/projects/shop").mkdir(parents=True)
    (home / "daily").mkdir()
    (home / "user/profile.md").write_text("# 用户记忆\n\n## 偏好\n- 回复使用中文\n- short answers\n", "utf-8")
    (home / "areas/projects/shop/rules.md").write_text(
        "# Rules\n\n- 支付回调必须验签，否则订单会被伪造\n- never log card numbers\n", "utf-8"
    )
    (home / "daily/2026-02-24.md").write_text(
        "- 2026-02-24T10:12:33Z [decision] use the outbox pattern #orders\n", "utf-8"
    )
    return home


def started(home: Path, size: tuple[int, int] = (120, 36), *, env: dict[str, str] | None = None) -> Terminal:
    terminal = Terminal([str(home)], size, env=env)
    terminal.wait("回复使用中文")
    return terminal


def left(terminal: Terminal, status: int) -> None:
    """It ended so, the terminal is as it was, and nothing runs on."""
    assert terminal.process.returncode == status
    assert terminal.sane(), terminal.modes
    assert not terminal.left_behind()
    assert b"Traceback" not in terminal.written
    assert not foreign(terminal.written)


def test_typing_in_search_in_two_languages(home: Path) -> None:
    with started(home) as terminal:
        terminal.press(b"/")
        terminal.type("验签".encode())
        terminal.wait("支付回调必须验签")
        terminal.press(b"\x15")
        terminal.type(b"outb")
        terminal.wait("outbox pattern")
        terminal.press(ESC, ESC)
        terminal.type(b"q")
        assert terminal.end() == 0
        left(terminal, 0)


def test_bytes_of_one_character_may_come_one_by_one(home: Path) -> None:
    with started(home) as terminal:
        terminal.press(b"/")
        for byte in "订单".encode():
            terminal.type(bytes([byte]))
            terminal.pump(0.02)
        terminal.wait("支付回调必须验签")


def test_what_an_input_method_commits_comes_as_a_paste(home: Path) -> None:
    with started(home) as terminal:
        assert 2004 in terminal.modes
        terminal.press(b"/")
        terminal.type("\x1b[200~伪造\x1b[201~".encode())
        terminal.wait("支付回调必须验签")
        # What is pasted is text: neither its line break nor its escape sequences are keys.
        terminal.press(b"\x15")
        terminal.type(b"\x1b[200~card\nq\x1b[31m\x1b]52;c;QQ==\x07\x1b[201~")
        terminal.quiet(0.3)
        assert terminal.process.poll() is None
        assert not foreign(terminal.written)


def test_any_size_and_back(home: Path) -> None:
    with started(home) as terminal:
        for size in ((60, 20), (200, 60), (1, 1), (2, 40), (500, 3), (120, 36)):
            terminal.resize(*size)
            terminal.press(b"2", DOWN, b"0")
            assert terminal.process.poll() is None
        terminal.wait("回复使用中文")
        assert all(frame in terminal.text for frame in ("Profile", "Facts", "Timeline", "Evolution"))
        terminal.type(b"q")
        terminal.end()
        left(terminal, 0)


def test_a_window_dragged_small_over_anything_open(home: Path) -> None:
    with started(home) as terminal:
        for keys in ([b"/"], [b"?"], [PALETTE], [b"2", ENTER]):
            terminal.press(*keys)
            for size in ((1, 1), (40, 5), (120, 36)):
                terminal.resize(*size)
            terminal.press(ESC, ESC)
            assert terminal.process.poll() is None, keys
            assert not foreign(terminal.written)


def test_the_editor_gets_the_file_and_the_terminal(home: Path, tmp_path: Path) -> None:
    import json

    record = tmp_path / "argv.json"
    script = tmp_path / "vim"
    script.write_text(f"#!{sys.executable}\n" + EDITOR.format(record=str(record)), "utf-8")
    script.chmod(0o755)
    with started(home, env={"EDITOR": f"'{script}' -n"}) as terminal:
        terminal.press(b"2")
        terminal.wait("支付回调")
        terminal.press(b"g")
        terminal.type(b"E")
        terminal.wait("+1 −0")
        assert b"editing True" in terminal.written
        file = home / "areas/projects/shop/rules.md"
        words = json.loads(record.read_text("utf-8"))
        assert words[0] == "-n"
        assert words[1] in {"+3", "+4"}
        assert words[2] != str(file)
        assert words[2].endswith("/rules.md")
        assert "编辑器加上的一行" in file.read_text("utf-8")
        terminal.wait("编辑器加上的一行")
        assert {1049, 2004, 1003} <= terminal.modes
        assert 25 not in terminal.modes
        terminal.type(b"q")
        terminal.end()
        left(terminal, 0)


def test_an_editor_that_cannot_be_found_is_said(home: Path) -> None:
    with started(home, env={"EDITOR": "/nowhere/no-such-editor"}) as terminal:
        terminal.press(b"2")
        terminal.type(b"E")
        terminal.wait("no-such-editor")


def test_what_is_being_typed_when_the_window_is_closed_is_given_back(home: Path) -> None:
    with started(home) as terminal:
        terminal.type(b"o")
        terminal.wait("save")
        terminal.type("预算在第三季度用完".encode() + b", so ask first")
        terminal.wait("so ask first")
        terminal.process.send_signal(signal.SIGHUP)
        assert terminal.end() == 128 + signal.SIGHUP
    with started(home) as terminal:
        terminal.wait("1 text is not written yet")


@pytest.mark.parametrize(
    ("keys", "number"), [([], signal.SIGTERM), ([b"/", b"x"], signal.SIGHUP), ([PALETTE], signal.SIGTERM)]
)
def test_a_signal_ends_it_and_the_terminal_is_put_back(home: Path, keys: list[bytes], number: signal.Signals) -> None:
    with started(home) as terminal:
        terminal.press(*keys)
        assert terminal.end(number) == 128 + number
        left(terminal, 128 + number)


def test_a_terminal_that_is_gone_ends_it(home: Path) -> None:
    terminal = started(home)
    os.close(terminal.master)
    terminal.let_go()
    try:
        assert terminal.process.wait(PATIENCE) != 0
        assert not terminal.left_behind()
    finally:
        terminal.process.kill()
        terminal.process.wait()


@pytest.mark.parametrize("number", [signal.SIGTSTP, signal.SIGSTOP])
def test_stopped_and_continued(home: Path, number: signal.Signals) -> None:
    with started(home) as terminal:
        # What is worked out of the memories comes behind them.
        terminal.wait("waits in Review")
        terminal.quiet(0.4)
        seen = terminal.lines
        os.kill(terminal.process.pid, number)
        end = time.monotonic() + PATIENCE
        while not stopped(terminal):
            assert time.monotonic() < end
            terminal.pump(0.05)
        terminal.quiet()
        # Nobody can put the terminal back who is not asked.
        assert terminal.sane() == (number == signal.SIGTSTP), terminal.modes
        terminal.wipe()
        os.kill(terminal.process.pid, signal.SIGCONT)
        terminal.wait(lambda text: text.splitlines()[2:-3] == seen[2:-3])
        terminal.press(b"6")
        terminal.wait("Homes")
        terminal.type(b"q")
        terminal.end()
        left(terminal, 0)


def test_killed_in_the_middle_it_starts_again(home: Path) -> None:
    for number in range(1500):
        (home / f"daily/note-{number}.md").write_text(f"# n {number}\n\n- 第 {number} 条 note\n", "utf-8")
    for patience in (0.4, 0.7, 1.0):
        with Terminal([str(home)]) as terminal:
            terminal.quiet(patience, patience)
            os.killpg(terminal.process.pid, signal.SIGKILL)
            terminal.process.wait()
    with started(home) as terminal:
        terminal.press(b"/")
        terminal.wait("Type to search every home")
        terminal.type("第 1499 条".encode())
        terminal.wait("note-1499")
        terminal.press(ESC, ESC)
        terminal.type(b"q")
        terminal.end()
        left(terminal, 0)


BROKEN = """
import sys
from memtui.tui.screen import MainScreen
def broken(*_args):
    memory = "\x1b]52;c;QQ==\x07 of a memory"
    raise RuntimeError(memory)
MainScreen.step_view = broken
from memtui.__main__ import main
main()
"""


def test_what_goes_wrong_inside_is_told_in_a_sentence(home: Path) -> None:
    with Terminal([str(home)], program=["-c", BROKEN]) as terminal:
        terminal.wait("回复使用中文")
        terminal.type(b"]")
        terminal.wait("Something went wrong inside memtui (RuntimeError)")
        terminal.press(b"6")
        terminal.wait("Went wrong inside memtui")
        assert b"of a memory" not in terminal.written
        terminal.type(b"q")
        terminal.end()
        left(terminal, 0)


STILLBORN = BROKEN.replace("MainScreen.step_view = broken", "MainScreen.compose = broken")


def test_what_never_stood_ends_with_a_sentence(home: Path) -> None:
    with Terminal([str(home)], program=["-c", STILLBORN]) as terminal:
        assert terminal.end() == 4
        assert b"Something went wrong inside memtui (RuntimeError)" in terminal.written
        assert b"of a memory" not in terminal.written
        assert b"Traceback" not in terminal.written
        left(terminal, 4)


def test_bytes_that_are_no_text_do_not_end_it(home: Path) -> None:
    with started(home) as terminal:
        for typed in (
            b"\xff",
            "/部署".encode("gbk"),
            b"\x80\xbf\xfe\xff" * 500,
            b"/" + bytes(range(128, 256)),
            b"\x1b[200~abc",
            b"\x1b[99999999999u\x1b[1114112;9u",
            # In one burst: two answers to one sheet, two clicks beside the palette.
            b"2ia line of its own\r\r",
            b"\x10" + b"\x1b[<0;1;1M\x1b[<0;1;1m" * 2,
        ):
            terminal.type(typed)
            # The end of a paste that never comes is waited for a while.
            pasted = b"200~" in typed
            terminal.quiet(2.5 if pasted else 0.1)
            terminal.press(ESC, ESC, ESC, b"6")
            while pasted and "Homes" not in terminal.text:
                # A busy machine waits for longer.
                terminal.quiet(1)
                terminal.press(b"6")
            terminal.wait("Homes")
            terminal.press(b"1")
            terminal.wait("Profile · All")
        assert b"Traceback" not in terminal.written
        terminal.type(b"q")
        terminal.end()
        left(terminal, 0)


def test_characters_that_come_in_halves(home: Path) -> None:
    with started(home) as terminal:
        terminal.press(b"/")
        for byte in "支付".encode():
            terminal.press(bytes([byte]))
        terminal.wait("支付回调必须验签")
        terminal.press(ESC, ESC)
        terminal.type(b"q")
        terminal.end()
        left(terminal, 0)


def stopped(terminal: Terminal) -> bool:
    return bool(os.waitid(os.P_PID, terminal.process.pid, os.WSTOPPED | os.WNOHANG | os.WNOWAIT))


def await_stop(terminal: Terminal) -> None:
    """Wait until the app is put aside and has given the terminal back."""
    end = time.monotonic() + PATIENCE
    while not stopped(terminal):
        assert time.monotonic() < end
        terminal.pump(0.05)
    terminal.quiet()
    assert terminal.sane(), terminal.modes


def ageless(lines: list[str]) -> list[str]:
    """Less how many seconds old something is, which goes on while a person looks away."""
    return [re.sub(r" *\d+s", "", line) for line in lines]


def test_ctrl_z_puts_it_aside_and_fg_fetches_it_back(home: Path) -> None:
    with started(home) as terminal:
        # What is worked out of the memories comes behind them.
        terminal.wait("waits in Review")
        # On Home, in Facts, in the help window, in a search; a window may take longer than a busy machine is quiet.
        for before, words in (
            ([], "memtui"),
            ([b"2"], "memtui"),
            ([b"?"], "enter does it"),
            ([b"/", b"ab"], "memtui"),
        ):
            terminal.press(*before)
            terminal.wait(words)
            terminal.quiet(0.4)
            seen = terminal.lines
            for _turn in range(2):
                terminal.type(b"\x1a")
                await_stop(terminal)
                # A shell writes over the screen meanwhile.
                terminal.wipe()
                os.killpg(terminal.process.pid, signal.SIGCONT)
                terminal.wait(lambda text, seen=seen: ageless(text.splitlines()[2:-3]) == ageless(seen[2:-3]))  # type: ignore[misc]
            terminal.press(ESC, ESC)
        terminal.press(b"6")
        terminal.wait("Homes")
        terminal.type(b"q")
        terminal.end()
        left(terminal, 0)


AGAIN = """
import os, signal
from textual.drivers._writer_thread import WriterThread
start, starts = WriterThread.start, []
def begin(self):
    starts.append(self)
    if len(starts) == 2:
        os.kill(os.getpid(), signal.SIGTSTP)
    start(self)
WriterThread.start = begin
from memtui.__main__ import main
main()
"""


def test_ctrl_z_while_it_is_being_fetched_back(home: Path) -> None:
    with Terminal([str(home)], program=["-c", AGAIN]) as terminal:
        terminal.wait("回复使用中文")
        terminal.type(b"\x1a")
        for _turn in range(2):
            await_stop(terminal)
            terminal.wipe()
            os.killpg(terminal.process.pid, signal.SIGCONT)
            # Not stopped any more, for the next look; it may have been stopped again before anybody looked.
            end = time.monotonic() + 2
            while time.monotonic() < end and not os.waitid(os.P_PID, terminal.process.pid, os.WCONTINUED | os.WNOHANG):
                terminal.pump(0.05)
        terminal.wait("回复使用中文")
        terminal.press(b"6")
        terminal.wait("Homes")
        terminal.type(b"q")
        terminal.end()
        left(terminal, 0)


def test_ctrl_c_twice_ends_it(home: Path) -> None:
    with started(home) as terminal:
        terminal.type(b"\x03\x03")
        assert terminal.end() == 130
        left(terminal, 130)
