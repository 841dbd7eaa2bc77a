"""Whatever a keyboard, a mouse, a window, a clipboard or a broken line can send: the app goes on (F11).

Through a real terminal: bytes, signals and sizes, at homes that another process changes. Through Textual's pilot:
the same events without a terminal in between, closer upon each other. `seed` names a run: it can be made again.
"""

from __future__ import annotations

import asyncio
import faulthandler
import json
import os
import random
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from tests.faults.scene import Count, furnish, scene

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from textual.drivers.headless_driver import HeadlessDriver

    from memtui.tui.app import MemtuiApp
    from tests.terminal.screen import Terminal

EACH = 1000
"""Events of one start."""

GROUP = 20
"""Events between two looks at whether it still answers: they come in bursts, as from a keyboard."""

LONE = 0.15
"""Seconds after which an escape is a key of its own, for Textual's parser."""

SLOW = 1.0
HANGS = 60.0
"""Seconds: an answer after the first is told, one after the second is no answer."""

QUESTIONS = [b"\x1b[%du" % code for code in range(57376, 57386)]
"""F13 to F22, which mean nothing to the app: when one comes to it, all that was typed before has come to it, too."""

LOST = 0.5
"""Seconds after which a question is put again: an editor that opens or a ctrl+z throws away what was typed."""

UNENDED = 2.5
"""Seconds after which a paste without an end is over, and keys are heard."""

GUARD = """
import asyncio, faulthandler, os, signal, sys, time
from memtui.tui import app as module; from memtui.tui import handlers as desk; from memtui.tui import terminal
answers = os.open(os.environ["MEMTUI_FAULTS_ANSWERS"], os.O_WRONLY | os.O_CREAT | os.O_APPEND)
faulthandler.register(10, open(os.environ["MEMTUI_FAULTS_ANSWERS"] + ".stacks", "w"))
App = module.MemtuiApp
heed = App.on_event
running = []
read = terminal.TerminalText.read
reads = []
def keep_read(self, data):
    text = read(self, data)
    reads.append((data[-60:], text[-60:])); del reads[:-9]
    return text
terminal.TerminalText.read = keep_read
def tell_tasks(*_):
    with open(os.environ["MEMTUI_FAULTS_ANSWERS"] + ".tasks", "w") as file:
        for app in running:
            print("focused", app.focused, "on", app.screen, app.screen_stack, file=file)
            print("queued", app._message_queue.qsize(), app.main.settled, app.screen._mounted_event, file=file)
            print("heard last", heard, "read last", reads, file=file)
        for task in asyncio.all_tasks(running[0]._loop):
            frames = [(one.f_code.co_name, one.f_code.co_filename[-40:], one.f_lineno) for one in task.get_stack()]
            if frames and frames[-1][0] not in {{"get", "_get_message"}}:
                print(task.get_name(), *frames, sep="\\n    ", file=file)
signal.signal(signal.SIGUSR2, tell_tasks)
heard = []
async def on_event(self, event):
    running[:] = [self]
    heard.append(repr(event)[:200]); del heard[:-9]
    key = getattr(event, "key", "")
    if key[:1] == "f" and key[1:] in {{"13", "14", "15", "16", "17", "18", "19", "20", "21", "22"}}:
        (self.focused or self.screen).call_later(os.write, answers, bytes([int(key[1:])]))
    else:
        await heed(self, event)
App.on_event = on_event
# Whatever ends it now, nobody meant to.
desk.ScreenDesk.quit = lambda _self: None
async def stay(_self): pass
App.action_quit = stay
module.TWICE = -1.0
# Put aside by ctrl+z it hears ctrl+backslash, which from a shell it would not.
signal.signal(signal.SIGQUIT, lambda *_: None)
{more}
from memtui.__main__ import main
main()
"""

KEYS = [
    *(chr(code).encode() for code in range(0x20, 0x7F)),
    *(bytes([code]) for code in range(1, 0x20) if code not in {0x03, 0x1B}),
    *(b"\x1b[" + code for code in (b"A", b"B", b"C", b"D", b"H", b"F", b"Z", b"2~", b"3~", b"5~", b"6~")),
    *(b"\x1b[1;%d%c" % (modifier, code) for modifier in (2, 3, 5, 6) for code in b"ABCDHF"),
    *(b"\x1b[%d~" % number for number in (11, 12, 15, 17, 24)),
    b"\x1b",
    b"\x7f",
    b"\x1ba",
    b"\x1b[I",
    b"\x1b[O",
    "部".encode(),
    "é".encode(),
]
OFTEN = [*b"0123456jkhl \r\r\r\t/fvVAaxseidDmuUPwcCzSnN.?:bKJ[]", 0x10, 0x10, 0x1B, 0x1B, 0x1B]
"""What does the most."""

HARMLESS = dict.fromkeys(("EDITOR", "VISUAL", "BROWSER"), "true")

PASTES = (
    "部署 支付回调\r",
    "\x1b]52;c;QQ==\x07 [/] [@click=app.quit]x[/] \u202e",
    "x" * 4_000,
    "kind:rule since:30d status:all\r\r",
    "\r\n" * 50,
    "🙂" * 300,
)


class Event(NamedTuple):
    """Something that happens to the app: bytes to send, or a size of the window."""

    data: bytes = b""
    size: tuple[int, int] = (0, 0)


def event(chance: random.Random) -> Event:
    """One of them."""
    kind = chance.random()
    if kind < 0.40:
        return Event(bytes([chance.choice(OFTEN)]))
    if kind < 0.58:
        return Event(chance.choice(KEYS))
    if kind < 0.64:
        return Event(chance.choice(KEYS) * chance.choice((2, 2, 2, 3, 3, 3, 5, 5, 8, 30)))
    if kind < 0.78:
        return Event(_mouse(chance))
    if kind < 0.82:
        return Event(size=(chance.choice((1, 2, 3, 8, 20, 40, 59, 60, 80, 120, 200, 300)), chance.randint(1, 90)))
    if kind < 0.88:
        text = chance.choice(PASTES).encode()
        return Event(b"\x1b[200~" + text + (b"" if chance.random() < 0.05 else b"\x1b[201~"))
    if kind < 0.94:
        return Event(chance.randbytes(chance.choice((1, 2, 8, 60))).replace(b"\x03", b""))
    if kind < 0.97:
        return Event("".join(chr(chance.randint(0x20, 0xD7FF)) for _ in range(6)).encode("gbk", "ignore"))
    return Event(b"\x1b[" + bytes(chance.choice(b"0123456789;<?>=M~u") for _ in range(8)) + b"t")


def _mouse(chance: random.Random) -> bytes:
    x, y = chance.randint(1, 130), chance.randint(1, 40)
    button = chance.choice((0, 0, 0, 1, 2, 32, 35, 64, 65, 4, 16))
    press = b"\x1b[<%d;%d;%d" % (button, x, y)
    return (press + b"M" + (b"" if button >= 32 else press + b"m")) * chance.choice((1, 1, 2, 3))


class Tally:
    """What came of it, as far as it went."""

    def __init__(self) -> None:
        self.events = self.answers = self.slow = 0
        self.longest = 0.0
        self.wrong: Counter[str] = Counter()


# -- where it happens -------------------------------------------------------------------------------------------------


def _home(root: Path, turn: int) -> list[Path]:
    """The homes of a start: the demo's, the hostile one, a plain one."""
    if turn % 3 == 0:
        from memtui.demo import copy

        return copy(root / "demo")
    if turn % 3 == 1:
        from tests.homes.hostile import build

        return [build(root / "hostile")]
    home = root / "plain"
    furnish(home)
    for number in range(200):
        (home / f"daily/n{number}.md").write_text(f"# n\n\n- 第 {number} 条 note of it\n- another one\n", "utf-8")
    return [home]


def change(homes: list[Path], seed: int) -> None:
    """Another program, which writes, replaces, removes and renames, until it is killed."""
    chance = random.Random(seed)
    made: list[Path] = []
    while True:
        time.sleep(chance.uniform(0.0, 0.1))
        root = chance.choice(homes)
        files = [path for path in root.rglob("*.md") if path.is_file() and not path.is_symlink()]
        with suppress(OSError):
            what = chance.randrange(6)
            if what == 0 or not files:
                path = root / "daily" / f"2026-02-{chance.randint(10, 28)}.md"
                path.parent.mkdir(exist_ok=True)
                with open(path, "a", encoding="utf-8") as file:
                    file.write(f"- 2026-02-24T10:12:33Z [note] 他人写的 {chance.random()}\n")
            elif what == 1:
                path = root / "areas" / "tools" / f"t{chance.randrange(9)}" / "rules.md"
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text("# Rules\n\n" + f"- rule {chance.random()}\n" * chance.randrange(40), "utf-8")
                made.append(path)
            elif what == 2 and made:
                made.pop(chance.randrange(len(made))).unlink(missing_ok=True)
            elif what == 3:
                path = chance.choice(files)
                path.write_bytes(path.read_bytes()[: chance.randrange(4000)] + chance.randbytes(3) + b"\n")
            elif what == 4:
                path = chance.choice(files)
                other = path.with_name("editor.new")
                other.write_bytes(path.read_bytes() + b"\n- one more line\n")
                other.replace(path)
            else:
                path = chance.choice(files)
                away = path.with_name(path.name + ".away")
                path.rename(away)
                away.rename(path)


@contextmanager
def changing(homes: list[Path], seed: int) -> Iterator[None]:
    """While it is entered another process changes the homes."""
    command = [sys.executable, "-m", "tests.faults.interface", "change", str(seed), *map(str, homes)]
    other = subprocess.Popen(command)
    try:
        yield
    finally:
        other.kill()
        other.wait()


def harmless() -> None:
    """No editor, browser or clock of the machine is touched by a key that was not meant."""
    os.environ.pop("MEMTUI_NOW", None)
    os.environ.update(HARMLESS)


def logged() -> list[str]:
    """What went wrong inside, as the log has it: kind and innermost line."""
    from memtui.fs.places import state

    found: list[str] = []
    for name in ("errors.1.log", "errors.log"):
        with suppress(OSError):
            text = (state() / name).read_text("utf-8", "replace")
            for record in re.split(r"(?m)^(?=\d{4}-\d\d-\d\dT\S+ memtui )", text):
                if record.strip():
                    head, *lines = record.strip().splitlines()
                    where = [line.strip() for line in lines if line.lstrip().startswith("File ")]
                    found.append(f"{head.rpartition(': ')[2]} at {' < '.join(where[:-6:-1])}")
    return found


# -- through a terminal -----------------------------------------------------------------------------------------------


class Session:
    """The app on a terminal, and whether it still answers."""

    def __init__(self, terminal: Terminal, answers: Path, wrong: Counter[str]) -> None:
        self.terminal, self._answers, self._wrong = terminal, answers, wrong
        self.slow = 0
        self.longest = 0.0
        self._asked = self._heard = 0
        """The question, and where its answers begin."""
        self._pasting = False
        """Whether a paste was begun and not ended."""

    def alive(self) -> bool:
        """Whether it runs; stopped by ctrl+z, it is fetched back."""
        process = self.terminal.process
        if process.poll() is not None:
            self._wrong["exits"] += 1
            self.terminal.quiet()
            print(f"  ended with {process.returncode}: {self.terminal.written[-600:]!r}", file=sys.stderr)
            return False
        stopped = os.waitid(os.P_PID, process.pid, os.WSTOPPED | os.WNOHANG)
        if stopped is not None:
            os.killpg(process.pid, signal.SIGCONT)
        return True

    def send(self, happening: Event) -> None:
        """Have it happen."""
        if happening.size != (0, 0):
            # Not by what draws the screen: it does not survive what the terminal echoes while an editor has it.
            self.terminal.drag(*happening.size)
            return
        data = happening.data
        if (start := data.rfind(b"\x1b[200~")) >= 0 or b"\x1b[201~" in data:
            self._pasting = start > data.rfind(b"\x1b[201~")
        self.terminal.type(data)
        if data == b"\x1b":
            self.pause(LONE)

    def pause(self, seconds: float) -> None:
        """Only look at what it draws, so long."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            self.terminal.pump(left)

    def answers(self, most: float = HANGS) -> bool:
        """Ask, and wait for the answer."""
        if self._pasting:
            # It is over when nothing comes for a while; that wait is no slowness.
            self.pause(UNENDED)
            self._pasting = False
        self._asked = (self._asked + 1) % len(QUESTIONS)
        with suppress(OSError):
            self._heard = self._answers.stat().st_size
        began = asked = time.monotonic()
        self.terminal.type(QUESTIONS[self._asked])
        while not self._answered():
            if not self.alive():
                return False
            now = time.monotonic()
            if now - asked > LOST:
                asked = now
                self.terminal.type(QUESTIONS[self._asked])
            if now - began > most:
                self._wrong["hangs"] += 1
                print(self._stacks(), file=sys.stderr)
                return False
            self.terminal.pump(0.01)
        took = time.monotonic() - began
        self.longest = max(self.longest, took)
        self.slow += took > SLOW
        return True

    def _answered(self) -> bool:
        with suppress(OSError):
            return 13 + self._asked in self._answers.read_bytes()[self._heard :]
        return False

    def _stacks(self) -> str:
        """Where its threads are."""
        self.terminal.process.send_signal(signal.SIGUSR1)
        self.terminal.process.send_signal(signal.SIGUSR2)
        self.pause(1.5)
        told = ""
        for kind in ("stacks", "tasks"):
            with suppress(OSError):
                told += Path(f"{self._answers}.{kind}").read_text()
        return told

    def left(self) -> None:
        """End it from outside; what it wrote to the terminal, and whether that is as it was."""
        terminal = self.terminal
        if terminal.process.poll() is None:
            terminal.process.send_signal(signal.SIGTERM)
            end = time.monotonic() + HANGS
            # Stopped by a ctrl+z that was typed before, it hears of nothing: a shell would fetch it back.
            while terminal.process.poll() is None and time.monotonic() < end:
                with suppress(ChildProcessError, ProcessLookupError):
                    if os.waitid(os.P_PID, terminal.process.pid, os.WSTOPPED | os.WNOHANG) is not None:
                        os.killpg(terminal.process.pid, signal.SIGCONT)
                terminal.pump(0.1)
            try:
                terminal.end(timeout=30)
            except AssertionError:
                self._wrong["hangs"] += 1
                print("  it does not end when it is told to", file=sys.stderr)
            self._wrong["terminals not put back"] += not terminal.sane()
        self._wrong["tracebacks"] += b"Traceback" in terminal.written


@contextmanager
def session(homes: list[Path], root: Path, wrong: Counter[str], more: str = "") -> Iterator[Session]:
    """The app, started and shown, that nothing may end; `more` is done to it before it runs."""
    from tests.terminal.screen import Terminal

    answers = root / "answers"
    answers.unlink(missing_ok=True)
    env = {"MEMTUI_FAULTS_ANSWERS": str(answers), **HARMLESS}
    with Terminal(list(map(str, homes)), env=env, program=["-c", GUARD.format(more=more)]) as terminal:
        made = Session(terminal, answers, wrong)
        terminal.wait(lambda text: "memtui" in text and "Evolution" in text, 60)
        yield made
        made.left()


def at_terminal(turn: int, events: int, seed: int, tally: Tally) -> None:
    """One start at a terminal."""
    chance = random.Random(f"{seed} {turn}")
    with scene() as place:
        harmless()
        root = place.home.parent
        homes = _home(root, turn)
        with changing(homes, seed + turn), session(homes, root, tally.wrong) as made:
            for number in range(events):
                happening = event(chance)
                made.send(happening)
                tally.events += 1
                if chance.random() < 0.1:
                    made.pause(chance.uniform(0.0, 0.03))
                asked = number % GROUP == GROUP - 1
                if not made.alive() or (asked and not made.answers()):
                    print(f"  start {turn}, event {number}: {happening}", file=sys.stderr)
                    break
                tally.answers += asked
            tally.slow, tally.longest = tally.slow + made.slow, max(tally.longest, made.longest)
        found = logged()
        tally.wrong["faults inside"] += len(found)
        for what in found:
            print(f"  start {turn}: {what}", file=sys.stderr)


# -- through the pilot ------------------------------------------------------------------------------------------------


async def _pilot(homes: list[Path], events: int, chance: random.Random) -> dict[str, Any]:
    """What went wrong, how many answers took long, and the longest."""
    from textual.drivers.headless_driver import HeadlessDriver

    from memtui.core.config import Config
    from memtui.store.vault import Vault
    from memtui.tui import app as module
    from memtui.tui.handlers import ScreenDesk

    ScreenDesk.quit = lambda _self: None  # type: ignore[assignment, method-assign]
    module.TWICE = -1.0
    sys.setswitchinterval(0.001)
    slow, longest = 0, 0.0
    with Vault.open(homes, wait=False) as vault:
        app = module.MemtuiApp(vault, Config())
        app.main.context.analyst.prepare()
        async with app.run_test(size=(120, 36), notifications=True):
            vault.watch()
            app.main.analyse()
            assert isinstance(app._driver, HeadlessDriver)
            feed = _feeder(app, app._driver)
            for number in range(events):
                happening = event(chance)
                feed(happening)
                if number % GROUP == GROUP - 1:
                    took = await _answered(app)
                    slow, longest = slow + (took > SLOW), max(longest, took)
                elif chance.random() < 0.3:
                    await asyncio.sleep(chance.uniform(0.0, 0.01))
                if app.return_code is not None:
                    raise AssertionError(f"it ended at event {number}: {happening}")
    wrong = [f"{fault.kind} at {fault.place} ({fault.count})" for fault in app.faults.found]
    return {"wrong": wrong, "slow": slow, "longest": longest}


def _feeder(app: MemtuiApp, driver: HeadlessDriver) -> Callable[[Event], None]:
    """What has an event come to the app, without a terminal."""
    from textual import events as given
    from textual._xterm_parser import XTermParser
    from textual.geometry import Size

    from memtui.tui.terminal import TerminalText

    parser, reader = XTermParser(), TerminalText(lambda: None)

    def feed(happening: Event) -> None:
        nonlocal parser
        if happening.size != (0, 0):
            size = driver._size = Size(*happening.size)
            app.post_message(given.Resize(size, size))
            return
        try:
            messages = [*parser.feed(reader.read(happening.data + b"\x1b[201~") or " ")]
        except Exception:
            # As the thread that reads a terminal does it.
            parser = XTermParser()
            return
        for message in messages:
            if not isinstance(message, given.Key) or message.key != "ctrl+q":
                driver.process_message(message)

    return feed


async def _answered(app: MemtuiApp) -> float:
    """Seconds until all that happened has come to everything."""
    # Where it does not answer the process ends, and tells where its threads are.
    faulthandler.dump_traceback_later(HANGS, exit=True, file=sys.__stderr__ or 2)
    began, reached = time.monotonic(), asyncio.Event()
    app.call_later(lambda: (app.focused or app.screen).call_later(reached.set))
    while not reached.is_set() and app.return_code is None:
        with suppress(TimeoutError):
            await asyncio.wait_for(reached.wait(), 0.5)
    faulthandler.cancel_dump_traceback_later()
    return time.monotonic() - began


def by_pilot(turn: int, events: int, seed: int, tally: Tally) -> None:
    """One start through the pilot, in a process of its own."""
    with scene() as place, ExitStack() as stack:
        harmless()
        homes = _home(place.home.parent, turn)
        stack.enter_context(changing(homes, seed + turn))
        command = [sys.executable, "-m", "tests.faults.interface", "pilot", str(events), f"{seed} {turn}"]
        done = subprocess.run([*command, *map(str, homes)], capture_output=True, text=True, check=False)
    tally.events += events
    tally.answers += events // GROUP
    if done.returncode:
        tally.wrong["hangs" if "Timeout (" in done.stderr else "exits"] += 1
        found = [done.stderr[-12000:]]
    else:
        said = json.loads(done.stdout.splitlines()[-1])
        tally.wrong["tracebacks"] += "Traceback" in done.stderr
        tally.wrong["faults inside"] += len(said["wrong"])
        tally.slow, tally.longest = tally.slow + said["slow"], max(tally.longest, said["longest"])
        found = said["wrong"]
    for what in found:
        print(f"  start {turn}, by the pilot: {what}", file=sys.stderr)


def interface(events: int, seed: int | None = None, start: int | None = None) -> Count:
    """Random keys, clicks, pastes, sizes and bytes; four of five starts at a terminal, one through the pilot.

    `start`: only that one.
    """
    seed = random.randrange(1 << 30) if seed is None else seed
    again = f"--only interface --seed {seed} --start N makes a start again"
    print(f"  seed {seed} ({again})", file=sys.stderr, flush=True)
    tally = Tally()
    for turn in range(-(-events // EACH)) if start is None else [start]:
        make = by_pilot if turn % 5 == 4 else at_terminal
        make(turn, min(EACH, events - turn * EACH) if start is None else EACH, seed, tally)
    # What is caught inside and told in Health is printed above, to be mended; it ends nothing.
    kinds = ("exits", "hangs", "tracebacks", "terminals not put back")
    many = f"{tally.slow} of {tally.answers:,} answers over {SLOW:g} s, the longest {tally.longest:.1f} s"
    many += f", {tally.wrong['faults inside']} faults caught inside"
    return Count(
        "random keys, clicks, pastes, sizes of 1 to 300 columns and bytes, at homes that another process changes",
        f"{tally.events:,} events; {many}",
        {kind: tally.wrong[kind] for kind in kinds},
    ).with_least(tally.answers, 1)


def main() -> None:
    """The inner halves: `change SEED HOME…` and `pilot EVENTS SEED HOME…`."""
    if sys.argv[1] == "change":
        change(list(map(Path, sys.argv[3:])), int(sys.argv[2]))
        return
    chance = random.Random(sys.argv[3])
    print(json.dumps(asyncio.run(_pilot(list(map(Path, sys.argv[4:])), int(sys.argv[2]), chance))))


if __name__ == "__main__":
    main()
