"""The `memory` section of XingheBot's config.json (spec 001 §8) is obeyed, wherever the file stands."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from time import thread_time
from typing import Any

import apsw
import pytest

from memtui.agents.caller import Caller, CallPlace, open_caller, place_call
from memtui.agents.recall import memory_get, memory_search
from memtui.agents.tools import memory_append, memory_flush
from memtui.cli.run import run
from memtui.core.config import Config, RedactConfig, SearchConfig
from memtui.core.edits import Draft
from memtui.core.errors import RefusedError
from memtui.core.model import Home, Layer
from memtui.language.conversation import Session
from memtui.layouts import Surroundings
from memtui.layouts.home_config import (
    LARGEST,
    explain_switched_off,
    merge_home_config,
    read_config_file,
    read_home_defaults,
)
from memtui.layouts.xinghebot import LAYOUT
from memtui.sessions import distribute
from memtui.store.append import append
from memtui.store.vault import Vault

SESSION = Session("s1", "xinghebot", "", "mykey", "mykey")
NOTE = "记住：以后都用 pnpm"


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Home]:
    """Makes the project's home, with a config.json in the project, and one of the person's own."""
    monkeypatch.setenv("HOME", str(tmp_path / "me"))
    project, user = tmp_path / "proj", tmp_path / "me"
    project.mkdir()
    memory = user / ".xinghebot" / "workspace" / "mykey" / "memory"
    memory.mkdir(parents=True)
    (memory / "MEMORY.md").write_text("# MEMORY\n\n## Facts\n\n- 主库是 PostgreSQL，端口 5433\n", "utf-8")

    def make(own: dict[str, Any] | None = None, **section: Any) -> Home:
        told = {"memory": {"project_key": "mykey", **section}}
        (project / "config.json").write_text(json.dumps(told), "utf-8")
        if own is not None:
            (user / ".xinghebot" / "config.json").write_text(json.dumps({"memory": own}), "utf-8")
        return next(home for home in LAYOUT.find(Surroundings(project, user, {}, (project,))) if home.current)

    return make


@pytest.fixture
def called(tmp_path: Path, made: Callable[..., Home]) -> Iterator[Callable[..., Caller]]:
    opened: list[Any] = []

    def call(**section: Any) -> Caller:
        made(**section)
        context = open_caller(CallPlace(tmp_path / "proj"), Config())
        opened.append(context)
        return context.__enter__()

    yield call
    for context in opened:
        context.__exit__(None, None, None)


def _daily(home: Home) -> str:
    return "".join(path.read_text("utf-8") for path in sorted((home.path / "daily").glob("*.md")))


def test_disabled_is_answered_and_nothing_is_written(called: Callable[..., Caller]) -> None:
    caller = called(enabled=False)
    found = memory_search(caller, "PostgreSQL")
    assert (found["disabled"], found["results"]) == (True, [])
    assert "memory.enabled" in found["warning"]
    assert memory_get(caller, "MEMORY.md")["text"] == ""
    assert memory_append(caller, "用 RS256")["appended"] is False
    assert memory_flush(caller, NOTE)["disabled"] is True
    with pytest.raises(RefusedError, match=r"memory\.enabled"):
        append(caller.vault, caller.home, Draft("typed by hand", "note"))
    assert _daily(caller.home) == ""


def test_enabled_is_answered_as_such(called: Callable[..., Caller]) -> None:
    caller = called(enabled=True)
    found = memory_search(caller, "PostgreSQL")
    assert found["disabled"] is False
    assert found["results"]


def test_what_either_config_switches_off_is_off(made: Callable[..., Home]) -> None:
    assert not explain_switched_off(made(own={"enabled": True}, enabled=True))
    assert explain_switched_off(made(own={"enabled": False}, enabled=True))
    assert explain_switched_off(made(own={"enabled": True}, enabled=False))


def test_the_documents_own_config_with_its_comments_is_obeyed(called: Callable[..., Caller], tmp_path: Path) -> None:
    called()
    told = (
        '{\n  "memory": {\n    "enabled": %s, // 全局 workspace\n    "workspace_dir": "~/.xinghebot/workspace",\n'
        '    "project_key": "mykey", /* "backend": "sqlite_fts" */\n    "backend": "scan",\n'
        '    "redaction": {"patterns": ["FOO-", "//"],},\n  },\n}\n'
    )
    (tmp_path / "proj" / "config.json").write_text(told % "true", "utf-8")
    with open_caller(CallPlace(tmp_path / "proj"), Config()) as caller:
        found = memory_search(caller, "PostgreSQL")
        assert (found["backend"], found["root"]) == ("scan", str(caller.home.path))
        assert found["results"]
    (tmp_path / "proj" / "config.json").write_text(told % "false", "utf-8")
    with open_caller(CallPlace(tmp_path / "proj"), Config()) as caller:
        assert memory_search(caller, "PostgreSQL")["disabled"] is True
        assert memory_append(caller, "用 RS256")["appended"] is False


@pytest.mark.parametrize("opening", ['"\\\\"', "/*", '"', ",", "//"])
def test_no_config_takes_long_to_be_none(tmp_path: Path, opening: str) -> None:
    (tmp_path / "config.json").write_text("{" + opening * (LARGEST // len(opening)), "utf-8")
    began = thread_time()
    assert read_config_file(tmp_path / "config.json") == {}
    assert thread_time() - began < 20, "linear: it takes some hundredths of a second"


@pytest.mark.parametrize(
    ("section", "backend"),
    [
        ({"backend": "scan"}, "scan"),
        ({"backend": "sqlite_fts"}, "sqlite_fts"),
        ({"vector_enabled": False}, "sqlite_fts"),
        ({"fts_enabled": False, "vector_enabled": False}, "scan"),
    ],
)
def test_the_backend_is_the_one_named(called: Callable[..., Caller], section: dict[str, Any], backend: str) -> None:
    assert memory_search(called(**section), "PostgreSQL")["backend"] == backend


def test_max_results_counts_beside_other_homes(called: Callable[..., Caller]) -> None:
    caller = called(max_results=1)
    for number in range(3):
        memory_append(caller, f"决定 {number}：采用 PostgreSQL")
    assert len(memory_search(caller, "PostgreSQL")["results"]) == 1


def test_its_patterns_stand_for_all_of_a_secret(called: Callable[..., Caller]) -> None:
    caller = called(redaction={"enabled": False, "patterns": ["FOO-", "sk-", "-----BEGIN", "authorization_code"]})
    memory_append(caller, "密钥 FOO-12345abc；authorization_code: ab12cd；task-list and disk-full stay")
    memory_append(caller, "证书 -----BEGIN RSA PRIVATE KEY-----\nMIIEq7\n-----END RSA PRIVATE KEY----- 到此")
    written = _daily(caller.home)
    assert "MIIEq7" not in written
    assert "到此" in written
    assert "12345abc" not in written
    assert "ab12cd" not in written
    assert "task-list and disk-full stay" in written


def test_weights_and_the_persons_own_settings_before_them(made: Callable[..., Home]) -> None:
    home = made(hybrid_vector_weight=3, hybrid_text_weight=1)
    search = merge_home_config(Config(), [home]).search
    assert (search.fusion, search.meaning_weight) == ("weighted", 0.75)
    mine = Config(search=SearchConfig(mode="fts", fusion="rrf"), redact=RedactConfig(("MINE-",)))
    search = merge_home_config(mine, [home]).search
    assert (search.mode, search.fusion) == ("fts", "rrf")
    assert merge_home_config(mine, [made(redaction={"patterns": ["FOO-"]})]).redact.patterns[0] == "MINE-"


def test_only_the_persons_own_config_names_a_server(made: Callable[..., Home]) -> None:
    server = {"base_url": "http://127.0.0.1:9/v1", "model": "text-embedding-3-small", "api_key": "k-1"}
    assert merge_home_config(Config(), [made(embeddings=server)]).vector == Config().vector
    vector = merge_home_config(Config(), [made(own={"embeddings": server})]).vector
    assert (vector.backend, vector.url, vector.model) == ("endpoint", server["base_url"], server["model"])
    assert vector.key == "=k-1"
    # Who names one, and a search that uses it, has meaning from the first search on.
    hybrid = made(own={"embeddings": server, "backend": "sqlite_hybrid"})
    assert merge_home_config(Config(), [hybrid]).search.mode == "hybrid"
    with Vault([hybrid], Config()) as vault:
        vault.refresh()
        found = vault.find("which port is it, 5433?")
        assert [hit.start_line for hit in found] == [5]
        # Which cannot be reached here: words do it, and that is said.
        assert "searched by words alone" in found.warning
    assert merge_home_config(Config(), [made(own={"backend": "sqlite_hybrid"})]).search.mode == "auto"


def test_automatic_writing_is_switched_off_or_waits_for_a_person(made: Callable[..., Home]) -> None:
    for section, disabled in (
        ({"auto_flush_on_compaction": False}, True),
        ({"require_user_confirmation": True}, False),
    ):
        home = made(**section)
        with Vault([home], Config()) as vault:
            done = distribute.flush(vault, home, SESSION, NOTE, Config(), who=SESSION.who)
            assert (done.disabled, done.appended) == (disabled, 0), section
            assert _daily(home) == ""
            asked = distribute.flush(vault, home, None, f"{NOTE} {disabled}", Config(), who="person")
            assert asked.appended == 1, section
        for path in (home.path / "daily").glob("*.md"):
            path.unlink()


def test_only_markdown_is_read_and_a_history_is_no_memory(called: Callable[..., Caller]) -> None:
    caller = called()
    (caller.home.path / "x.json").write_text('{"a": "zebra"}', "utf-8")
    (caller.home.path / "history.jsonl").write_text('{"role": "user", "content": "zebra"}\n', "utf-8")
    assert memory_search(caller, "zebra")["results"] == []
    for name in ("x.json", "history.jsonl"):
        with pytest.raises(RefusedError):
            memory_get(caller, name)
    assert memory_get(caller, "nothing.md")["text"] == ""


def test_what_another_project_decided_is_no_answer(called: Callable[..., Caller], tmp_path: Path) -> None:
    other = tmp_path / "me" / ".xinghebot" / "workspace" / "other" / "memory"
    (other / "daily").mkdir(parents=True)
    (other / "MEMORY.md").write_text("# MEMORY\n\n## Decisions\n\n- 缓存采用 Memcached\n", "utf-8")
    caller = called()
    memory_append(caller, "缓存采用 Redis", "decision")
    assert ["Redis" in hit["snippet"] for hit in memory_search(caller, "缓存")["results"]] == [True]
    with open_caller(place_call("other", str(tmp_path / "proj")), Config()) as theirs:
        found = memory_search(theirs, "缓存")["results"]
        assert ["Memcached" in hit["snippet"] for hit in found] == [True]


@pytest.mark.parametrize(("kind", "heading"), [("rule", "Preferences"), ("lesson", "Facts")])
def test_memory_md_keeps_to_the_documents_four_sections(made: Callable[..., Home], kind: str, heading: str) -> None:
    assert LAYOUT.target(made(), Layer.CORE, Draft("提交前必须跑 make lint", kind), 0.0).section == heading


def test_a_refusal_names_the_link(called: Callable[..., Caller], tmp_path: Path) -> None:
    caller = called()
    (tmp_path / "real").mkdir()
    (caller.home.path / "daily").symlink_to(tmp_path / "real")
    with pytest.raises(RefusedError, match=r"^daily is a link to \S+/real, outside"):
        memory_append(caller, "wird nicht geschrieben")
    assert list((tmp_path / "real").iterdir()) == []


def test_the_index_is_found_by_the_documents_name(called: Callable[..., Caller], tmp_path: Path) -> None:
    root = tmp_path / "me" / ".xinghebot" / "workspace" / "mykey" / "memory"
    (root / "index").mkdir()
    mine, inside = tmp_path / "me" / "db" / "mine.sqlite", tmp_path / "proj" / "db" / "own.sqlite"
    places: tuple[tuple[dict[str, Any], Path], ...] = (
        ({}, root / "index" / "memory.sqlite"),
        ({"db_path": "db/own.sqlite"}, inside),
        ({"db_path": str(root / "index" / "named.db")}, root / "index" / "named.db"),
        ({"own": {"db_path": "~/db/mine.sqlite"}}, mine),
        # What a repository says must not have files made anywhere.
        ({"own": {}, "db_path": "~/db/other.sqlite"}, root / "index" / "memory.sqlite"),
    )
    for named, file in places:
        file.parent.mkdir(exist_ok=True)
        caller = called(**named)
        assert memory_search(caller, "PostgreSQL")["results"]
        caller.vault.rebuild()
        with apsw.Connection(str(file), flags=apsw.SQLITE_OPEN_READONLY) as db:
            assert db.execute("SELECT count(*) FROM sqlite_schema").get
        assert memory_search(caller, "PostgreSQL")["backend"] == "sqlite_fts"
        assert caller.vault.place(caller.home).directory.is_relative_to(file.parent)
    # It is derived: whoever deletes its directory gets both back.
    shutil.rmtree(root / "index")
    assert memory_search(called(), "PostgreSQL")["results"]
    assert (root / "index" / "memory.sqlite").exists()


def test_a_workspace_is_made_only_where_the_bot_is_at_work(tmp_path: Path) -> None:
    """Spec 001 §2.1: on first use, and not because it was used somewhere else by a person of several agents."""
    repository, user = tmp_path / "repo", tmp_path / "me"
    (repository / ".git").mkdir(parents=True)
    (user / ".xinghebot").mkdir(parents=True)
    around = Surroundings(repository, user, {}, (repository,))
    assert LAYOUT.found_home(around, Layer.JOURNAL) is None, "nothing says yet that the bot is to remember"
    (user / ".xinghebot" / "config.json").write_text(json.dumps({"memory": {"enabled": True}}), "utf-8")
    assert LAYOUT.found_home(around, Layer.JOURNAL) is not None
    (user / ".xinghebot" / "config.json").unlink()
    (user / ".xinghebot" / "workspace").mkdir()
    assert LAYOUT.found_home(around, Layer.JOURNAL) is not None
    (user / ".claude").mkdir()
    assert LAYOUT.found_home(around, Layer.JOURNAL) is None
    assert LAYOUT.found_home(around) is not None
    (repository / ".multi_agent/runs").mkdir(parents=True)
    assert LAYOUT.found_home(around, Layer.JOURNAL) is not None


def test_a_search_says_that_memory_is_switched_off(
    made: Callable[..., Home], capsys: pytest.CaptureFixture[str]
) -> None:
    home = made(enabled=False)
    (home.path.parents[2] / "config.json").write_text(json.dumps({"memory": {"enabled": False}}), "utf-8")
    root = str(home.path)
    assert run(["search", "PostgreSQL", "--home", root, "--json"]) == 4
    told = json.loads(capsys.readouterr().out)
    assert (told["results"], told["disabled"]) == ([], True) and "memory.enabled" in told["warning"]
    assert run(["homes", "--home", root, "--json"]) == 0
    assert "memory.enabled" in json.loads(capsys.readouterr().out)[0]["off"]
    assert run(["doctor", "--home", root, "--json"]) == 0
    assert "home-off" in {one.get("code") for one in json.loads(capsys.readouterr().out)["checks"]}
    assert run(["search", "PostgreSQL", "--home", root]) == 0
    assert "memory.enabled" in capsys.readouterr().err


def test_the_persons_own_config_holds_wherever_the_home_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Spec 001 §8: there is one config; a home that root_dir moved is none without it."""
    user, project = tmp_path / "me", tmp_path / "proj"
    monkeypatch.setenv("HOME", str(user))
    (user / ".xinghebot").mkdir(parents=True)
    (user / "mine" / "daily").mkdir(parents=True)
    told = {"memory": {"root_dir": "~/mine", "enabled": False, "max_results": 0}}
    (user / ".xinghebot" / "config.json").write_text(json.dumps(told), "utf-8")
    project.mkdir()
    (home,) = LAYOUT.find(Surroundings(project, user, {}, (project,)))
    assert home.current and explain_switched_off(home)
    assert "max_results" not in read_home_defaults("xinghebot", home.path)


def test_doctor_says_where_personal_memory_may_be_committed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Spec 001 §2.1: where root_dir leads into the project, .gitignore is to name it."""
    project = tmp_path / "proj"
    memory = project / ".multi_agent" / "memory"
    (memory / "daily").mkdir(parents=True)
    (memory / "MEMORY.md").write_text("# MEMORY\n", "utf-8")
    git = shutil.which("git")
    if git is None:
        pytest.skip("git is not here")
    subprocess.run([git, "init", "-q", str(project)], check=True)

    def codes() -> set[str]:
        run(["doctor", "--home", str(memory), "--json"])
        return {one.get("code") for one in json.loads(capsys.readouterr().out)["checks"]}

    assert "home-committed" in codes()
    (project / ".gitignore").write_text(".multi_agent/memory/\n", "utf-8")
    assert "home-committed" not in codes()
