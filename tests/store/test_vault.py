from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

import memtui.formats
from memtui import Vault
from memtui.core.errors import OutsideError, UsageError
from memtui.core.model import Filter, Layer, Status
from tests.homes import read_files

FACTS = [
    {"id": "fact-001", "fact": "刷新 token 存在 localStorage", "status": "superseded", "supersededBy": "fact-002"},
    {"id": "fact-002", "fact": "刷新 token 存在 HttpOnly cookie", "status": "active", "confidence": 0.9},
    {"id": "fact-003", "fact": "points nowhere", "status": "superseded", "supersededBy": "fact-404"},
    {"id": "fact-004", "fact": "round", "status": "superseded", "supersededBy": "fact-005"},
    {"id": "fact-005", "fact": "and round", "status": "superseded", "supersededBy": "fact-004"},
]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    root = tmp_path / "memory"
    area = root / "areas" / "projects" / "shop"
    area.mkdir(parents=True)
    (root / "MEMORY.md").write_text("# 核心记忆\n\n## 用户偏好\n\n- 用户偏好 pytest，使用 black 格式化\n", "utf-8")
    (area / "facts.json").write_text(json.dumps({"facts": FACTS}, ensure_ascii=False, indent=2), "utf-8")
    (root / "daily").mkdir()
    (root / "daily" / "2026-11-20.md").write_text(
        "# 2026-11-20\n\n## 09:10 - 项目: shop\n- **文件**: `a.ts`\n", "utf-8"
    )
    return root


@pytest.fixture
def vault(home: Path) -> Iterator[Vault]:
    with Vault.open([home]) as opened:
        yield opened


def test_finds_a_chinese_word_in_the_middle_of_a_sentence(home: Path, vault: Vault) -> None:
    (hit,) = vault.find("格式", limit=10)
    assert (hit.path, hit.start_line, hit.layer, hit.kind) == ("MEMORY.md", 5, Layer.CORE, "pref")
    assert hit.home == str(home)
    assert [hit.snippet[start:end] for start, end in hit.marks] == ["格式"]
    assert hit.why
    assert 0 < hit.score <= 1


def test_superseded_is_left_out_and_counted(vault: Vault) -> None:
    found = vault.find("localStorage")
    assert not found
    assert found.hidden == {Status.SUPERSEDED: 1}
    everything = Filter(statuses=frozenset())
    assert [hit.status for hit in vault.find("localStorage", filter=everything)] == [Status.SUPERSEDED]


def test_memories_by_filter(vault: Vault) -> None:
    facts = Filter(layers=frozenset({Layer.KNOWLEDGE}), statuses=frozenset())
    assert {memory.key for memory in vault.memories(facts)} == {f"fact-00{number}" for number in range(1, 6)}
    kept = list(vault.memories(Filter(layers=frozenset({Layer.KNOWLEDGE}))))
    assert [memory.text for memory in kept] == ["刷新 token 存在 HttpOnly cookie"]
    counted = vault.counts(facts)
    assert sum(counted.values()) == 5
    assert all(layer is Layer.KNOWLEDGE for _, layer, _, _ in counted)


def test_chains_both_ways_dangling_and_cyclic(vault: Vault) -> None:
    by_key = {key: vault.memory(key) for key in ("fact-001", "fact-002", "fact-003", "fact-004")}
    first, second, third, fourth = (memory for memory in by_key.values() if memory is not None)
    assert [after.key for after in vault.chain(first).after] == ["fact-002"]
    assert [before.key for before in vault.chain(second).before] == ["fact-001"]
    assert vault.chain(third).dangling == "fact-404"
    assert vault.chain(fourth).cyclic
    assert [after.key for after in vault.chain(fourth).after] == ["fact-005"]


def test_ids_hold_while_lines_move(home: Path) -> None:
    core = Filter(layers=frozenset({Layer.CORE}))
    with Vault.open([home]) as vault:
        before = {memory.text: memory.id for memory in vault.memories(core)}
        file = home / "MEMORY.md"
        file.write_text(file.read_text("utf-8").replace("## 用户偏好", "## 决策\n\n- 用 RS256\n\n## 用户偏好"), "utf-8")
        vault.refresh()
        after = {memory.text: memory.id for memory in vault.memories(core)}
        assert before.items() <= after.items()
        assert len(after) == 2
        text, name = next(iter(before.items()))
        again = vault.memory(name)
        assert again is not None
        assert (again.text, again.start) == (text, 9)
        assert vault.memory(f"MEMORY.md:{again.start}") == again


def test_get_counts_lines_and_stays_inside(home: Path) -> None:
    (home.parent / "secret.md").write_text("- not yours\n", "utf-8")
    with Vault.open([home]) as vault:
        part = vault.get("MEMORY.md", 3, 1)
        assert (part.text, part.from_, part.lines, part.total) == ("## 用户偏好", 3, 1, 5)
        assert vault.get("daily/1999-01-01.md").text == ""
        assert vault.get("MEMORY.md", 99).text == ""
        for path in ("../secret.md", str(home / "MEMORY.md"), "daily/../../secret.md", "a\0b", ""):
            with pytest.raises(OutsideError):
                vault.get(path)
        with pytest.raises(UsageError):
            vault.get("MEMORY.md", 0)


def test_what_another_program_writes_is_announced(home: Path) -> None:
    vault = Vault.open([home], watch=True)
    heard = threading.Event()
    try:
        vault.subscribe(lambda generation: heard.set() if vault.find("饕餮") else None)
        with (home / "daily" / "2026-11-20.md").open("a", encoding="utf-8") as file:
            file.write("- 饕餮纹样\n")
        assert heard.wait(60)
        (hit,) = vault.find("饕餮")
        assert hit.start_line == 5
    finally:
        vault.close()


def test_subscribers_are_told_once_a_change_and_can_leave(home: Path) -> None:
    told: list[int] = []
    with Vault.open([home]) as vault:
        leave = vault.subscribe(told.append)
        vault.refresh()
        assert told == []
        (home / "MEMORY.md").write_text("- new\n", "utf-8")
        vault.refresh()
        assert told == [vault.generation]
        leave()
        (home / "MEMORY.md").write_text("- newer\n", "utf-8")
        vault.refresh()
        assert len(told) == 1


def test_several_homes_make_one_list(home: Path, tmp_path: Path) -> None:
    other = tmp_path / "notes"
    other.mkdir()
    (other / "ideas.md").write_text("- 用户偏好 tabs\n", "utf-8")
    with Vault.open([home, other]) as vault:
        assert [each.layout for each in vault.homes] == ["code-memory", "plain"]
        assert {hit.home for hit in vault.find("用户偏好")} == {str(home), str(other)}
        refs = vault.ids(Filter(statuses=frozenset()))
        assert len(refs) == sum(vault.counts().values())
        loaded = [(one.home, one.path) for one in vault.load(refs) if one is not None]
        assert len(loaded) == len(refs)
        assert vault.places(refs) == list(dict.fromkeys(loaded))
        only = Filter(homes=frozenset({str(other)}))
        assert [memory.path for memory in vault.memories(only)] == ["ideas.md"]


def test_a_broken_index_is_made_again_and_meanwhile_files_answer(home: Path) -> None:
    with Vault.open([home]) as vault:
        (state,) = vault.status()
    with open(state.index_path, "r+b") as file:
        file.write(b"no database at all" * 100)
    with Vault.open([home], wait=False) as vault:
        found = vault.find("格式")
        assert found.backend == "scan"
        assert [hit.path for hit in found] == ["MEMORY.md"]
        assert found.warning
        vault.refresh()
        assert vault.find("格式").backend == "fts"


def test_an_index_without_room_is_left_as_it_is_and_the_files_answer(home: Path, vault: Vault) -> None:
    shelf = vault._shelves[0]
    index = shelf._handles.writer()
    pages = index.db.execute("PRAGMA page_count").get
    index.db.execute(f"PRAGMA max_page_count={pages}").fetchall()
    text = "".join(f"- wombat{number} 袋熊{number * 7919}\n" for number in range(4000))
    (home / "notes.md").write_text(text, "utf-8")
    assert shelf.sync() is None
    status = vault.status()[0]
    assert (status.backend, status.building, status.files) == ("scan", False, 3)
    assert "full" in status.warning
    found = vault.find("wombat3999")
    assert [hit.path for hit in found] == ["notes.md"]
    assert found.backend == "scan"
    assert len(vault.find("格式")) == 1
    assert shelf._handles.writer() is index
    index.db.execute("PRAGMA max_page_count=1000000").fetchall()
    assert shelf.sync()
    found = vault.find("wombat3999")
    assert [hit.path for hit in found] == ["notes.md"]
    assert (found.backend, found.warning) == ("fts", "")


def test_nothing_in_a_home_is_touched(home: Path) -> None:
    before = read_files(home)
    with Vault.open([home]) as vault:
        vault.find("token")
        list(vault.memories())
        vault.rebuild()
    assert read_files(home) == before


def test_nothing_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="nothing at"):
        Vault.open([tmp_path / "missing"])


def test_a_file_without_dates_reads_from_its_head_and_a_dated_one_from_its_newest_line(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("- one\n- two\n- three\n", "utf-8")
    (tmp_path / "b.md").write_text("- 2026-02-01T10:00:00Z old\n- 2026-02-01T10:00:00Z new\n", "utf-8")
    with Vault.open([tmp_path]) as vault:
        shown = {path: [m.text for m in vault.memories(Filter(path=path))] for path in ("a.md", "b.md")}
        assert shown == {"a.md": ["one", "two", "three"], "b.md": ["new", "old"]}
        with (tmp_path / "a.md").open("a") as file:
            file.write("- four\n")
        vault.refresh()
        assert [m.text for m in vault.memories(Filter(path="a.md"))] == ["four", "one", "two", "three"]


def test_an_id_finds_what_it_names_though_it_no_longer_holds(vault: Vault) -> None:
    hit, *_others = vault.find("fact-001")
    assert (hit.status, hit.snippet) == (Status.SUPERSEDED, "刷新 token 存在 localStorage")
    assert vault.find(hit.id)[0].id == hit.id
    assert vault.find("MEMORY.md:5")[0].snippet == "用户偏好 pytest，使用 black 格式化"
    assert not vault.find("fact-001", filter=Filter(layers=frozenset({Layer.CORE})))
    assert vault.find("fact-002", limit=1)[0].status is Status.ACTIVE


def test_hits_are_named_as_parsing_their_files_names_them(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (home / "MEMORY.md").write_bytes(
        "\ufeff- quark first\r\n- quark twice\n- quark other\n- quark twice\n\n"
        "| quark | b |\n|---|---|\n| quark | 2 |\n".encode()
    )
    (home / "daily" / "2026-11-21.md").write_text("# 2026-11-21\n\n- quark 每日\n  more of it\n", "utf-8")
    records = [json.dumps({"id": f"f{number}", "fact": f"quark {number % 2}"}) for number in range(3)]
    (home / "daily" / "2026-11-21.jsonl").write_text("\n".join(records) + "\n", "utf-8")
    with Vault.open([home]) as vault:
        found = vault.find("quark", 50)
        assert len(found) > 8
        wanted = [memory.id if (memory := vault.of(hit)) else "" for hit in found]
        assert all(wanted)
        vault.identify(found)
        assert [hit.id for hit in found] == wanted
        # What stands only once in its file is named without parsing it.
        monkeypatch.setattr(vault, "of", lambda hit: pytest.fail(f"parsed {hit.path}"))
        (alone,) = [hit for hit in found if "每日" in hit.snippet]
        again = [alone._replace(id="")]
        vault.identify(again)
        assert again[0].id == alone.id
    with Vault.open([home]) as vault:
        found = vault.find("每日")
        (home / "daily" / "2026-11-21.md").write_text("# 2026-11-21\n\nnothing\n", "utf-8")
        vault.identify(found)
        assert [hit.id for hit in found] == [""]


def test_a_log_that_only_changed_hands_is_not_read_again(tmp_path: Path) -> None:
    """As root, SQLite gives the -wal to its owner whenever anybody reads: that changes nothing in it."""
    import apsw

    from memtui.layouts.discovery import open_home_at
    from memtui.layouts.openakita import LAYOUT
    from memtui.store.reading import Readings

    file = tmp_path / "data" / "memory" / "openakita.db"
    file.parent.mkdir(parents=True)
    writer = apsw.Connection(str(file))
    writer.execute("PRAGMA journal_mode=wal; CREATE TABLE memories (id TEXT PRIMARY KEY, content TEXT)").fetchall()
    writer.execute("INSERT INTO memories VALUES ('m1', 'the office is in Kyoto')")
    readings = Readings(open_home_at(tmp_path), LAYOUT, lambda _path: None)
    path = "data/memory/openakita.db"
    first = readings.get(path)
    log = file.with_name("openakita.db-wal")
    log.chmod(log.stat().st_mode ^ 0o040)
    assert first is not None and readings.get(path) is first
    writer.execute("INSERT INTO memories VALUES ('m2', 'and another in Osaka')")
    again = readings.get(path)
    assert again is not None and again is not first and len(again.parsed.entries) == 2
    writer.close()


def test_what_the_index_knows_to_hold_no_secret_is_not_looked_through_to_be_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[str] = []

    def mask(text: str, data: bytes | None = None) -> str:
        looked.append(text)
        return real(text, data)

    real = memtui.formats.mask_text_secrets
    plain, secret = "# Memory\n\n- releases are cut on Tuesdays\n", "# Notes\n\n- password: Hq8!kzP27vv\n"
    (tmp_path / "memory").mkdir()
    (tmp_path / "MEMORY.md").write_text(plain, "utf-8")
    (tmp_path / "memory" / "2026-02-24.md").write_text(secret, "utf-8")
    Vault.open([tmp_path], wait=True).close()
    monkeypatch.setattr(memtui.formats, "mask_text_secrets", mask)
    with Vault.open([tmp_path], wait=True) as vault:
        looked.clear()
        assert vault.get("MEMORY.md").text in plain and looked == []
        assert "kzP27" not in vault.get("memory/2026-02-24.md").text and looked == [secret]
        with open(tmp_path / "MEMORY.md", "a", encoding="utf-8") as file:
            file.write("- token: ghp_0123456789abcdefghijklmnopqrstuvwxyz\n")
        assert "wxyz" in vault.get("MEMORY.md").text and "0123456789" not in vault.get("MEMORY.md").text


def test_homes_that_are_named_are_the_projects_where_it_is_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    for folder in (here, there):
        (folder / "inner").mkdir(parents=True)
        (folder / "MEMORY.md").write_text("# Memory\n\n- releases are cut on Tuesdays\n", "utf-8")
    (here / ".git").mkdir()
    (here / ".git" / "HEAD").write_text("ref: refs/heads/main\n", "utf-8")
    for cwd in (here, here / "inner"):
        monkeypatch.chdir(cwd)
        with Vault.open([here, there]) as vault:
            assert [(home.path, home.current) for home in vault.homes] == [(here, True), (there, False)]
