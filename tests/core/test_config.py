"""The config: typed, checked, kind about mistakes, and careful with what a person wrote."""

from __future__ import annotations

import json
import os
import stat
import tomllib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memtui.core.config import Config, find_config_path, load
from memtui.core.config_edit import describe, get
from memtui.core.config_edit import set as put
from memtui.core.errors import MemtuiError, RefusedError, UnavailableError, UsageError
from memtui.layouts.home_config import read_home_defaults

WRITTEN = """\
# mine, do not touch
[search]   # how I search
mode = "scan"  # slow but sure # really
max_results = 25

[homes]
paths = [
  "~/notes",
]

# about keys
[keymap]
"item.edit" = "f4"
list.down = "ctrl+n"
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "config.toml"
    path.write_text(WRITTEN, "utf-8")
    return path


def test_a_missing_file_is_the_defaults(tmp_path: Path) -> None:
    assert load(tmp_path / "none.toml", {}) == (Config(), [])


def test_values_are_read(file: Path) -> None:
    config, warnings = load(file, {})
    assert warnings == []
    assert (config.search.mode, config.search.max_results, config.homes.paths) == ("scan", 25, ("~/notes",))
    assert config.keymap == {"item.edit": "f4", "list.down": "ctrl+n"}


def test_the_environment_is_over_the_file(file: Path) -> None:
    env = {
        "MEMTUI_SEARCH_MODE": "fts",
        "MEMTUI_HOMES_PATHS": "~/a, ~/b",
        "MEMTUI_UI_PREVIEW": "off",
        "MEMTUI_INDEX_RESCAN_SECONDS": "12",
        "MEMTUI_HOME": "/somewhere",
        "MEMTUI_TZ": "UTC",
    }
    config, warnings = load(file, env)
    assert warnings == []
    assert (config.search.mode, config.search.max_results) == ("fts", 25)
    assert (config.homes.paths, config.ui.preview, config.index.rescan_seconds) == (
        ("~/a", "~/b"),
        False,
        12.0,
    )


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[search]\nmoed = 'fts'", "search.moed is not a setting; did you mean search.mode?"),
        ("[serach]\nmode = 'fts'", "serach is not a setting"),
        ("mode = 'fts'", "mode is not a setting"),
        (
            "[search]\nmode = 'ftss'",
            "search.mode must be one of auto, hybrid, fts, vector, scan, not 'ftss'; did you mean fts?",
        ),
        ("[search]\nmax_results = 0", "search.max_results must be from 1 to 1000, not 0"),
        ("[search]\nmax_results = '9'", "search.max_results must be a whole number, not '9'"),
        ("[search]\nmax_results = true", "search.max_results must be a whole number"),
        ("[search]\nmin_score = nan", "search.min_score must be from 0 to 1, not nan"),
        ("[homes]\npaths = 'x'", "homes.paths must be a list of texts"),
        ("[homes]\npaths = ['x', 3]", "homes.paths must be a list of texts"),
        ("[keymap]\nitem.edit = 3", "keymap.item.edit must be text"),
        ("[search\nmode", "is not TOML"),
    ],
)
def test_a_mistake_is_a_sentence_and_the_default_holds(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "config.toml"
    path.write_text(text)
    config, warnings = load(path, {})
    assert config == Config()
    assert len(warnings) == 1
    assert words in warnings[0]


def test_a_mistake_leaves_the_rest_in_force(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text("[search]\nmode = 'x'\nmax_results = 7\n[index]\nwatch = 'off'\n")
    config, warnings = load(path, {"MEMTUI_SEARCH_MAX_RESULTS": "many", "MEMTUI_UI_TEME": "nord"})
    assert (config.search.mode, config.search.max_results, config.index.watch) == ("auto", 7, "off")
    assert len(warnings) == 3
    assert "did you mean MEMTUI_UI_THEME?" in " ".join(warnings)


@settings(max_examples=80, deadline=None)
@given(st.binary(max_size=200))
def test_no_bytes_make_it_raise(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    path = tmp_path_factory.mktemp("c") / "config.toml"
    path.write_bytes(data)
    config, _warnings = load(path, {})
    assert isinstance(config, Config)


def test_a_directory_in_its_place_is_said(tmp_path: Path) -> None:
    _config, warnings = load(tmp_path, {})
    assert "cannot be read" in warnings[0]


def test_where_it_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    assert find_config_path({"MEMTUI_CONFIG": "/x/c.toml", "XDG_CONFIG_HOME": "/y"}) == "/x/c.toml"
    assert find_config_path({"XDG_CONFIG_HOME": "/y"}) == os.path.join("/y", "memtui", "config.toml")
    assert find_config_path({"HOME": "/h", "XDG_CONFIG_HOME": "relative"}) == "/h/.config/memtui/config.toml"


def test_every_setting_is_described_and_its_default_fits() -> None:
    keys = list(describe())
    assert len({key.name for key in keys}) == len(keys)
    for key in keys:
        assert key.doc.endswith(".")
        if not key.name.startswith("keymap"):
            assert get(key.name, Config()) == key.default
    declared = {
        f"{section}.{key}"
        for section in Config._fields
        if section != "keymap"
        for key in getattr(Config(), section)._fields
    }
    assert declared == {key.name for key in keys} - {"keymap.<id>"}


def test_get_and_unknown_keys(file: Path) -> None:
    config, _warnings = load(file, {})
    assert get("keymap.item.edit", config) == "f4"
    assert get("keymap.nothing", config) == ""
    with pytest.raises(UsageError, match=r"did you mean search\.mode"):
        get("search.mod", config)
    for key in ("search", "keymap", "", "a.b.c"):
        with pytest.raises(UsageError):
            get(key, config)


@pytest.mark.parametrize(
    ("key", "value", "old", "new"),
    [
        ("search.mode", "fts", 'mode = "scan"  # slow', 'mode = "fts"  # slow'),
        ("search.max_results", "30", "max_results = 25", "max_results = 30"),
        ("search.min_score", 0.5, "max_results = 25\n", "max_results = 25\nmin_score = 0.5\n"),
        ("homes.paths", "~/a,~/b", '[\n  "~/notes",\n]', '[\n    "~/a",\n    "~/b",\n]'),
        ("keymap.item.edit", "e", '"item.edit" = "f4"', '"item.edit" = "e"'),
        ("keymap.list.down", "j", 'list.down = "ctrl+n"', 'list.down = "j"'),
        ("keymap.view.0", "f1", 'list.down = "ctrl+n"\n', 'list.down = "ctrl+n"\n"view.0" = "f1"\n'),
    ],
)
def test_one_line_changes_and_comments_stay(file: Path, key: str, value: object, old: str, new: str) -> None:
    put(key, value, file)
    assert file.read_text("utf-8") == WRITTEN.replace(old, new)


def test_a_new_section_goes_to_the_end(file: Path) -> None:
    assert put("ui.preview", "no", file) is False
    assert file.read_text("utf-8") == WRITTEN + "\n[ui]\npreview = false\n"


def test_a_new_file_is_private(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "config.toml"
    put("ui.theme", "夜 \"q\" \\ '''", path)
    assert load(path, {})[0].ui.theme == "夜 \"q\" \\ '''"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert os.listdir(path.parent) == ["config.toml"]


def test_links_modes_and_line_ends_are_kept(tmp_path: Path) -> None:
    real = tmp_path / "dotfiles" / "memtui.toml"
    real.parent.mkdir()
    real.write_bytes("\ufeff# c\r\n[search]\r\nmode = 'fts' # x\r\n".encode())
    real.chmod(0o640)
    link = tmp_path / "config.toml"
    link.symlink_to(real)
    put("search.mode", "scan", link)
    put("search.max_results", 5, link)
    assert link.is_symlink()
    assert real.read_bytes() == '\ufeff# c\r\n[search]\r\nmode = "scan" # x\r\nmax_results = 5\r\n'.encode()
    assert stat.S_IMODE(real.stat().st_mode) == 0o640


def test_a_comment_is_never_lost(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    text = "[homes]\npaths = [\n  'a', # work\n]\n"
    path.write_text(text)
    with pytest.raises(RefusedError, match="by hand"):
        put("homes.paths", "b", path)
    assert path.read_text() == text
    path.write_text("search = { mode = 'fts' } # one line\n")
    with pytest.raises(RefusedError):
        put("search.mode", "scan", path)


def test_what_cannot_be_edited_in_place_is_rewritten_if_nothing_is_lost(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text("search = { mode = 'fts', later = 3 }\n")
    put("search.mode", "scan", path)
    assert tomllib.loads(path.read_text()) == {"search": {"mode": "scan", "later": 3}}


def test_a_broken_file_is_not_touched(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text("[search\n")
    with pytest.raises(RefusedError, match="mend it first"):
        put("search.mode", "scan", path)
    assert path.read_text() == "[search\n"


def test_what_does_not_fit_is_not_written(file: Path) -> None:
    for key, value in (
        ("search.mode", "x"),
        ("search.max_results", "0"),
        ("ui.preview", "maybe"),
        ("no.key", "1"),
    ):
        with pytest.raises(UsageError):
            put(key, value, file)
    assert file.read_text("utf-8") == WRITTEN


def test_a_failed_write_leaves_the_old_file(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.replace", full)
    with pytest.raises(UnavailableError, match="No space left"):
        put("search.mode", "fts", file)
    assert file.read_text("utf-8") == WRITTEN
    assert os.listdir(file.parent) == ["config.toml"]


COMMENT = st.sampled_from(["", "  # why", " # a = 'b' # [search]"])
LINES = st.lists(
    st.sampled_from(
        [
            "# [ui]", "", "[search]", "[ui]", "[keymap]", "[other]", "mode = 'fts'", 'theme = "x # y"',
            "item.edit = 'e'", '"item.edit" = "f"', "paths = ['a',\n 'b']",
            'note = """\n[ui]\ntheme = 1 # no\n"""', "search.mode = 'scan'",
        ]
    ),
    max_size=8,
)  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(
    LINES,
    COMMENT,
    st.sampled_from(["search.mode=scan", "ui.theme=a#b", "keymap.item.edit=q", "homes.paths=x,y"]),
)
def test_setting_says_that_and_nothing_else(
    tmp_path_factory: pytest.TempPathFactory, lines: list[str], comment: str, change: str
) -> None:
    path = tmp_path_factory.mktemp("c") / "config.toml"
    text = "\n".join(line + comment if line and "\n" not in line else line for line in lines)
    path.write_text(text, "utf-8")
    before, _warnings = load(path, {})
    key, _is, value = change.partition("=")
    try:
        put(key, value, path)
    except MemtuiError:
        assert path.read_text("utf-8") == text
        return
    after, _warnings = load(path, {})
    expected = get(key, after)
    assert expected == (("x", "y") if key == "homes.paths" else value)
    for other in describe():
        if other.name != key and not other.name.startswith("keymap"):
            assert get(other.name, after) == get(other.name, before)
    changed = path.read_text("utf-8")
    assert not comment or changed.count(comment) >= text.count(comment)


def test_a_homes_own_config(tmp_path: Path) -> None:
    memory = tmp_path / ".xinghebot" / "workspace" / "shop" / "memory"
    memory.mkdir(parents=True)
    (tmp_path / ".xinghebot" / "config.json").write_text(
        json.dumps(
            {
                "memory": {
                    "project_key": "shop",
                    "root_dir": "",
                    "max_results": 5000,
                    "db_path": "/p/x.sqlite",
                    "x": 1,
                }
            }
        )
    )
    assert read_home_defaults("xinghebot", memory) == {"max_results": 1000, "db_path": "/p/x.sqlite"}
    (memory.parent / "config.json").write_text('\ufeff{"memory": {"db_path": 3, "max_results": 7}}', "utf-8")
    assert read_home_defaults("xinghebot", memory) == {"max_results": 7}
    assert read_home_defaults("claude", memory) == {}


@pytest.mark.parametrize("data", [b"", b"[1]", b"\xff\xfe{", b"[" * 100_000, b'{"memory": 3}'])
def test_a_hostile_home_config_is_none(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "config.json").write_bytes(data)
    assert read_home_defaults("xinghebot", tmp_path) == {}


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no FIFOs here")
def test_a_fifo_does_not_hold_it_up(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "config.json")
    os.mkfifo(tmp_path / "config.toml")
    assert read_home_defaults("xinghebot", tmp_path) == {}
    assert load(tmp_path / "config.toml", {})[0] == Config()


def test_reading_the_defaults_needs_no_toml(tmp_path: Path) -> None:
    import subprocess
    import sys

    code = (
        "import sys; from memtui.core.config import load; load(None, {'MEMTUI_CONFIG': sys.argv[1]});"
        "print(sorted({'tomllib', 'tomli_w', 'platformdirs', 'textual'} & set(sys.modules)))"
    )
    out = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path / "none")], capture_output=True, text=True, check=True
    )
    assert out.stdout.strip() == "[]"


def test_a_list_is_told_with_commas_or_as_in_toml(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    for told in ("a, b", '["a", "b"]'):
        put("homes.exclude", told, path)
        assert load(path, {})[0].homes.exclude == ("a", "b")
    put("distill.keywords_rules", '["机房: port,端口", "Rules: must"]', path)
    assert len(load(path, {})[0].distill.keywords_rules) == 2
    for told in ('["a"', "[3]"):
        with pytest.raises(MemtuiError):
            put("homes.exclude", told, path)


def test_a_key_that_is_set_twice_says_what_was_set_last(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text('[keymap]\n"item.edit" = "f"\nitem.edit = \'e\'\n', "utf-8")
    put("keymap.item.edit", "q", path)
    assert load(path, {})[0].keymap["item.edit"] == "q"


def test_code_memorys_own_switch_for_its_second_tier(tmp_path: Path) -> None:
    none = tmp_path / "none.toml"
    assert load(none, {"CLAUDE_SEMANTIC_LINT": "true"})[0].hooks.meaning
    assert not load(none, {"CLAUDE_SEMANTIC_LINT": "false"})[0].hooks.meaning
    told = {"CLAUDE_SEMANTIC_LINT": "true", "MEMTUI_HOOKS_MEANING": "false"}
    assert not load(none, told)[0].hooks.meaning


@pytest.mark.parametrize("name", ["AUTO_EXTRACT", "CLAUDE_AUTO_EXTRACT"])
def test_code_memorys_own_switch_for_what_sessions_teach(tmp_path: Path, name: str) -> None:
    none = tmp_path / "none.toml"
    assert load(none, {})[0].capture.learn
    assert not load(none, {name: "false"})[0].capture.learn
    assert load(none, {name: "false", "MEMTUI_CAPTURE_LEARN": "true"})[0].capture.learn
