"""Two languages: neither lacks a string, Chinese fits where it is shown, and what agents get knows one language."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from rich.cells import cell_len

from memtui.cli import COMMANDS, render, tree
from memtui.cli.run import run
from memtui.core import locale
from memtui.core.config import Config, VectorConfig, load
from memtui.demo import copy
from memtui.manual import TOPICS
from tests import words

ROOT = Path(__file__).parent.parent
NOW = "2026-11-21T10:30:00+08:00"


class Gaps:
    """Stands behind a catalogue and hears what is not in it."""

    def __init__(self) -> None:
        self.found: set[str] = set()

    def gettext(self, message: str) -> str:
        self.found.add(message)
        return message

    def ngettext(self, one: str, many: str, count: int) -> str:
        self.found.add(one)
        return one if count == 1 else many


@contextmanager
def speaking(monkeypatch: pytest.MonkeyPatch, language: str = "zh") -> Iterator[Gaps]:
    monkeypatch.setenv("LANGUAGE", language)
    locale.choose_language("")
    gaps = Gaps()
    catalogue = locale._load_catalogue()
    if catalogue is not None:
        catalogue.add_fallback(gaps)  # type: ignore[arg-type]
    try:
        yield gaps
    finally:
        monkeypatch.setenv("LANGUAGE", "en")
        locale.choose_language("")


@pytest.fixture
def demo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    monkeypatch.setenv("MEMTUI_NOW", NOW)
    monkeypatch.setenv("HOME", str(tmp_path))
    return copy(tmp_path, "zh")


def test_the_catalogue_lacks_nothing_and_nothing_in_it_is_obsolete_or_wrong() -> None:
    text = words.PO.read_text(encoding="utf-8")
    known = words.read_catalogue(text)
    found = words.find_messages()
    assert len(found.messages) > 2_000
    assert words.find_faults(found, known) == []
    assert words.write_catalogue(found.messages, known) == text, "run `python -m tests.words`"
    assert words.MO.read_bytes() == words.compile_catalogue(known), "run `python -m tests.words`"


@pytest.mark.parametrize(
    ("english", "chinese", "fault"),
    [
        ("{count} of {all}", "共 {all} 条", "placeholders differ"),
        ("see `memtui help`", "见手册", "code differs"),
        ("a b", "用memtui打开", "no space between Chinese and Latin"),
        ("a, b", "甲,乙", "half-width punctuation"),
        ("a. b", "甲。 乙", "a space beside full-width punctuation"),
        ("a\nb", "甲乙", "line ends differ"),
        ("a 'b' c", "键 “甲” 没有", "a space beside a quotation mark"),
        ("{path}: {why}", "{path}：{why}", ""),
    ],
)
def test_the_rules_for_translations_tell(english: str, chinese: str, fault: str) -> None:
    assert list(words.judge_translation((english,), chinese)) == ([fault] if fault else [])


def test_a_string_that_is_new_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a call, in a table, where it is only shown later, and where it would be translated too early."""
    place = tmp_path / "cli"
    place.mkdir()
    (place / "more_commands.py").write_text(
        "from memtui.core.locale import _, _n\n"
        "EARLY = _('early')\n"
        "def shown(one, many):\n"
        "    return _('new') + _n('{count} thing', '{count} things', 2) + _(one.title)\n"
    )
    monkeypatch.setattr(words, "PACKAGE", tmp_path)
    found = words.find_messages()
    assert {("new",), ("{count} thing", "{count} things")} <= found.messages.keys()
    faults = "\n".join(words.find_faults(found, {}))
    assert "cli/more_commands.py: one.title: where are its strings?" in faults
    assert "cli/more_commands.py: _('early'): translated before" in faults
    assert "cli/more_commands.py: not translated: 'new'" in faults


@pytest.mark.parametrize(
    ("named", "config", "wanted"),
    [
        ({"LANG": "zh_CN.UTF-8"}, "", "zh"),
        ({"LANG": "zh_CN.UTF-8", "LC_ALL": "C.UTF-8"}, "", "en"),
        ({"LANG": "de_DE.UTF-8"}, "", "en"),
        ({"LANGUAGE": "xx:zh_CN:en", "LANG": "en_US.UTF-8"}, "", "zh"),
        ({"LANG": "zh_CN.UTF-8"}, "en", "en"),
        ({"LANG": "C"}, "zh", "zh"),
        ({"LANG": "C", "MEMTUI_UI_LOCALE": "en"}, "zh", "en"),
        ({"LANG": "zh_CN.UTF-8"}, "auto", "zh"),
    ],
)
def test_the_language_is_the_settings_else_the_environments(
    named: dict[str, str], config: str, wanted: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in named.items():
        monkeypatch.setenv(name, value)
    path = tmp_path / "config.toml"
    path.write_text(f'[ui]\nlocale = "{config}"\n' if config else "")
    assert load(path)[1] == []
    assert locale.find_language() == wanted
    # What is for an agent is English whatever is set.
    locale.choose_language("en")
    load(path)
    assert locale._("Undo the last write") == "Undo the last write"
    locale.choose_language("")
    locale.choose_language("", by="config")


def call(capsys: pytest.CaptureFixture[str], *argv: str) -> tuple[int, str, str]:
    capsys.readouterr()
    render.forget()
    status = run(argv)
    told = capsys.readouterr()
    return status, told.out, told.err


def test_help_and_errors_speak_it(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Every command's help at 80 columns, with no English sentence left and no line too wide."""
    monkeypatch.setenv("COLUMNS", "80")
    with speaking(monkeypatch) as gaps:
        for name, _place, _about in COMMANDS:
            status, out, _err = call(capsys, name, "--help")
            assert status == 0
            assert "示例：memtui " in out, name
            assert "显示此帮助并退出。" in out, name
            plain = re.sub(r"示例：.*|^  memtui .*|memtui(?: [a-z]+)+|用法：(.|\n)*?\n\n", "", out, flags=re.MULTILINE)
            # What is left in Latin letters are names, options and values, not sentences.
            assert not re.search(r"(?:\b[A-Za-z][a-z]+ ){4}", plain), (name, plain)
            prose = [line for line in out.splitlines() if line[:1] == " " and re.search("[\u4e00-\u9fff]", line)]
            assert max(map(cell_len, prose)) <= 80, name
        assert "没有选项" in call(capsys, "search", "--nope", "x")[2]
        assert "没有页面" in call(capsys, "help", "nothing")[2]
        assert call(capsys, "help", "search")[1].lstrip("# ").startswith("搜索\n")
        assert not gaps.found
    assert call(capsys, "--lang", "zh", "help", "search")[1].lstrip("# ").startswith("搜索\n")
    monkeypatch.delenv(locale.VARIABLE)
    monkeypatch.setenv("LANGUAGE", "en")
    locale.choose_language("")
    assert call(capsys, "search", "--lang", "fr", "x")[0] == 2
    assert call(capsys, "help", "search")[1].lstrip("# ").startswith("Search\n")


def test_columns_stand_below_each_other(
    capsys: pytest.CaptureFixture[str], demo: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    home = f"--home={demo[0]}"
    with speaking(monkeypatch) as gaps:
        _status, out, _err = call(capsys, "status", home)
        head, row = out.splitlines()[:2]
        for title in ("档案", "会话", "日志"):
            end = cell_len(head[: head.index(title)]) + cell_len(title)
            # Numbers end where their title does.
            assert re.search(r"\d$", _cut(row, end)), (title, out)
        _status, out, _err = call(capsys, "sessions", "current", home)
        starts = {cell_len(re.match(r"\S+\s+", line)[0]) for line in out.splitlines()}  # type: ignore[index]
        assert len(starts) == 1, out
        assert not gaps.found


def _cut(line: str, cells: int) -> str:
    text = ""
    for char in line:
        if cell_len(text + char) > cells:
            break
        text += char
    return text


async def test_the_app_speaks_it_in_80_columns(demo: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    """Each view and window: no string is missing, all tabs have their names, help and palette keep their places."""
    from memtui.store.vault import Vault
    from memtui.tui.app import MemtuiApp

    config = Config(vector=VectorConfig(backend="off"))
    with speaking(monkeypatch) as gaps, Vault.open(demo, config=config) as vault:
        app = MemtuiApp(vault, config)
        async with app.run_test(size=(80, 24)) as pilot:

            async def show(*keys: str) -> list[str]:
                await pilot.press(*keys)
                for _again in range(200):
                    await pilot.pause(0.02)
                    if app.main.reader.idle:
                        break
                strips = app.screen._compositor.render_strips()
                return ["".join(piece.text for piece in strip) for strip in strips]

            for view in "0123456":
                lines = await show(view)
                titles = ("首页", "档案", "事实", "时间线", "演进", "审阅", "健康", "/ 搜索")
                assert all(title in lines[1] for title in titles), lines[1]
                assert re.search(r"\? 帮助  \S+ 命令面板", lines[-1]), lines[-1]
                assert max(map(cell_len, lines)) == 80
            for keys in (
                ("question_mark",),
                ("c",),
                ("U",),
                ("P",),
                ("w",),
                ("3", "C"),
                ("5", "x"),
                ("2", "s"),
            ):
                await show(*keys)
                await show("escape")
                await show("escape")
            await show("slash", *"redis")
            await show("enter", "ctrl+y")
        assert gaps.found <= {"url-password"}


def test_what_programs_read_knows_one_language(
    capsys: pytest.CaptureFixture[str], demo: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """JSON answers, tools' answers and what a session is given: the same bytes whoever asks."""
    home = f"--home={demo[0]}"
    asked = (
        ("search", "redis", "--json"),
        ("facts", "list", "--json"),
        ("context",),
        ("tool", "memory_search", "query=redis"),
        ("tool", "memory_get", "nothing=1"),
        ("tool", "memory_context", f"cwd={demo[0]}"),
    )
    answers = []
    for language in ("en", "zh"):
        with speaking(monkeypatch, language):
            told = [call(capsys, *argv, home)[1] for argv in asked]
            # Why a hit is there is said to people.
            answers.append([re.sub(r'"(?:why|recalled)": "[^"]*"', "", answer) for answer in told])
    assert answers[0] == answers[1]
    assert "parameter" in answers[1][4]


def test_english_loads_no_catalogue_and_a_hook_never_does(demo: list[Path], tmp_path: Path) -> None:
    def modules(language: str, *argv: str, given: str = "") -> set[str]:
        code = (
            "import os, sys; sys.argv[1:1] = []; import memtui.__main__ as m; opened = []\n"
            "sys.addaudithook(lambda e, a: opened.append(str(a[0])) if e == 'open' else None)\n"
            "m._leave = lambda status: print('LOADED', *sys.modules, *opened, sep='\\n')\n"
            "m.main()"
        )
        env = {**os.environ, "LANGUAGE": language, "HOME": str(tmp_path), "PYTHONPATH": str(ROOT)}
        done = subprocess.run(
            [sys.executable, "-c", code, *argv],
            env=env,
            input=given,
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=True,
        )
        return set(done.stdout.partition("LOADED\n")[2].splitlines())

    event = json.dumps({"session_id": "s", "cwd": str(demo[0]), "hook_event_name": "SessionStart"})
    hook = ("hook", "session-start", "--agent", "claude-code")
    plain = modules("en", *hook, given=event)
    # gettext comes with click and argparse, which neither needs.
    assert "gettext" not in plain
    said = modules("zh_CN", *hook, given=event)
    assert not {name for name in said if name == "gettext" or "/locale/" in name}
    assert "gettext" not in modules("en", "search", "redis", f"--home={demo[0]}")
    chinese = modules("zh_CN", "search", "redis", f"--home={demo[0]}")
    assert [os.path.basename(name) for name in chinese if "/locale/" in name] == ["memtui.mo"]


def test_the_example_of_every_command_runs(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the order in which they stand, by a person who has the demo's home and a file of notes."""
    pytest.importorskip("mcp")
    assert list(tree.EXAMPLES) == [name for name, _place, _about in COMMANDS], "a command without an example"
    monkeypatch.setenv("MEMTUI_NOW", NOW)
    homes = copy(tmp_path, "en")
    monkeypatch.chdir(homes[0])
    Path("notes.md").write_text("- We decided to deploy from main only, because the merge queue is safe.\n")
    places = {name: place for name, place, _about in COMMANDS}
    for name, line in tree.EXAMPLES.items():
        argv = shlex.split(line)
        assert argv[:2] == ["memtui", name]
        if name in {"sync", "serve"}:
            # They run until they are stopped, and need a team: tests/team runs them.
            tree.load_click_command(places[name], name).make_context(name, argv[2:])
            continue
        if name in {"hook", "mcp"}:
            command = [sys.executable, "-m", "memtui", *argv[1:]]
            env = {**os.environ, "PYTHONPATH": str(ROOT)}
            done = subprocess.run(command, env=env, stdin=subprocess.DEVNULL, capture_output=True, check=False)
            status, told = done.returncode, done.stderr.decode()
        else:
            at = [] if name in {"init", "migrate"} else [f"--home={homes[0]}"]
            status, _out, told = call(capsys, *argv[1:], *at)
        # 1: nothing to show or to do; 2 would be wrong use.
        assert status in {0, 1}, (line, told)
        monkeypatch.delenv(locale.VARIABLE, raising=False)
    assert 'locale = "zh"' in Path(os.environ["XDG_CONFIG_HOME"], "memtui", "config.toml").read_text()
    assert Path(os.environ["XDG_DATA_HOME"], "memtui", "completion.zsh").is_file()


@pytest.mark.parametrize(
    ("shell", "place"),
    [
        ("bash", ".data/bash-completion/completions/memtui"),
        ("zsh", ".data/memtui/completion.zsh"),
        ("fish", ".config/fish/completions/memtui.fish"),
    ],
)
def test_completion_is_installed_once(
    shell: str, place: str, capsys: pytest.CaptureFixture[str], _own_user: Path
) -> None:
    start = _own_user / ".zshrc"
    start.write_text("compinit")
    for _again in range(2):
        assert call(capsys, "completion", shell, "--install")[0] == 0
    assert "_MEMTUI_COMPLETE" in (_own_user / place).read_text()
    lines = start.read_text().splitlines()
    assert lines == ["compinit", *([f"source {_own_user / place}"] if shell == "zsh" else [])]
    start.unlink()
    (_own_user / place).unlink()
    (_own_user / place).mkdir()
    assert call(capsys, "completion", shell, "--install")[0] == 4


def test_the_manual_is_a_man_page_in_both_languages(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for language, first in (("en", "Memory homes"), ("zh", "记忆库")):
        with speaking(monkeypatch, language):
            status, page, _err = call(capsys, "help", "--man")
        assert status == 0
        assert page.startswith(".TH MEMTUI 1")
        assert f"\n.SH {first}\n" in page
        assert page.count("\n.SH ") == 2 + len(TOPICS)
        # A line of text that began with a dot or a quote would be an order to roff.
        orders = set(re.findall(r"(?m)^\.(\w+|\S)", page))
        assert orders == {"TH", "SH", "SS", "PP", "TP", "IP", "nf", "fi", "RS", "RE", "br", "ad", "nh"}
        if shutil.which("groff"):
            done = subprocess.run(
                ["groff", "-k", "-man", "-Tutf8", "-wmac", "-Wbreak"],
                input=page.encode(),
                capture_output=True,
                check=True,
            )
            assert done.stderr == b""
            assert len(done.stdout.splitlines()) > 600
    assert call(capsys, "help", "search", "--man")[0] == 2
