from __future__ import annotations

import os
import shutil
import threading
from pathlib import Path

import apsw
import pytest

from memtui import Vault
from memtui.core import clock
from memtui.core.errors import StaleIndexError, UnavailableError, UsageError
from memtui.core.model import Filter, Layer, Problem, Results, Status
from memtui.fs.files import HomeReader
from memtui.search import describe_hidden, fts, search
from memtui.search.texts import MemoryTexts, SearchTarget
from tests.search.conftest import Workshop

MIXED = {
    "MEMORY.md": "# Memory\n\n## 偏好\n\n- 用户偏好 pytest 而不是 unittest\n- Deploys run on Fridays\n",
    "notes/db.md": "# 数据库\n\n连接池大小是 20。\n\n- pool.max_size = 20\n- 连接超时 30 秒\n",
    "daily/2026-02-24.md": "# 2026-02-24\n\n- 配置 deploy 脚本\n- retry with backoff\n",
    "facts.json": '{"facts": [\n {"id": "fact-001", "fact": "用户喜欢 pytest", "status": "active"},\n'
    ' {"id": "fact-002", "fact": "用户喜欢 nose", "status": "superseded", "supersededBy": "fact-001"}\n]}\n',
    "log.jsonl": '{"type": "fact", "content": "重试 retry budget", "id": "r1"}\n{"content": "x"}\n',
}


def lines(results: Results) -> list[tuple[str, int]]:
    return [(hit.path, hit.start_line) for hit in results]


@pytest.fixture
def mixed(workshop: Workshop) -> SearchTarget:
    """A home of Markdown, JSON and JSONL, in two languages, indexed."""
    return workshop.target(MIXED)


def test_a_hit_says_where_what_and_why(mixed: SearchTarget) -> None:
    results = search([mixed], "偏好 pytest")
    hit = results[0]
    assert (hit.path, hit.start_line, hit.end_line) == ("MEMORY.md", 5, 5)
    assert hit.snippet == "- 用户偏好 pytest 而不是 unittest"
    assert [hit.snippet[start:end] for start, end in hit.marks] == ["偏好", "pytest"]
    assert hit.home == str(mixed.home.path)
    assert hit.why.startswith("偏好, pytest · heading 偏好")
    assert hit.heading[-1] == "偏好"
    assert 0 < hit.score <= 1
    assert hit.time is not None
    assert (results.backend, results.warning, results.more, results.bounded) == ("fts", "", False, False)
    assert results.total == len(results) == 3


@pytest.mark.parametrize("mode", ["fts", "scan"])
@pytest.mark.parametrize(
    ("query", "path", "line"),
    [
        ("连接", "notes/db.md", 3),
        ("deploy", "MEMORY.md", 6),
        ("配置deploy", "daily/2026-02-24.md", 3),
        ("池", "notes/db.md", 3),
        ("max_size", "notes/db.md", 5),
        ('"连接超时"', "notes/db.md", 6),
        ("backoff retrying", "daily/2026-02-24.md", 4),
        ("喜欢", "facts.json", 2),
        ("重试", "log.jsonl", 1),
        ("what is on fridays?", "MEMORY.md", 6),
    ],
)
def test_finds(mixed: SearchTarget, mode: str, query: str, path: str, line: int) -> None:
    assert (path, line) in lines(search([mixed], query, mode=mode))


@pytest.mark.parametrize("query", ["", "   ", "\n"])
def test_an_empty_query_finds_nothing(mixed: SearchTarget, query: str) -> None:
    assert search([mixed], query) == []


def test_stop_words_and_signs(mixed: SearchTarget) -> None:
    assert ("MEMORY.md", 6) in lines(search([mixed], "on"))
    assert lines(search([mixed], "=")) == [("notes/db.md", 5)]
    assert search([mixed], "=").backend == "scan"
    assert search([mixed], "🚀") == []


def test_a_record_shows_its_words_not_its_braces(mixed: SearchTarget) -> None:
    hit = search([mixed], "喜欢 pytest", filter=Filter(path="facts.json"))[0]
    assert hit.snippet == "用户喜欢 pytest"


def test_records_on_one_line_are_told_apart(workshop: Workshop) -> None:
    facts = ", ".join(f'{{"id": "f{number}", "fact": "word{number} here", "status": "active"}}' for number in range(9))
    target = workshop.target({"facts.json": f'{{"facts": [{facts}]}}'})
    for number in (0, 4, 8):
        assert [hit.snippet for hit in search([target], f"word{number}")] == [f"word{number} here"]


def test_superseded_is_hidden_and_counted(mixed: SearchTarget) -> None:
    for mode in ("fts", "scan"):
        results = search([mixed], "喜欢", mode=mode)
        assert lines(results) == [("facts.json", 2)]
        assert results.hidden == {Status.SUPERSEDED: 1}
        assert results.total == 1
        every = search([mixed], "喜欢", filter=Filter(statuses=frozenset()), mode=mode)
        assert {hit.status for hit in every} == {Status.ACTIVE, Status.SUPERSEDED}
        assert every.hidden == {}


@pytest.mark.parametrize("mode", ["fts", "scan"])
def test_what_expires_before_a_moment(workshop: Workshop, mode: str) -> None:
    text = "# A\n\n- port one (expires: 2099-02-01)\n- port two (expires: 2099-03-01)\n- port three\n"
    target = workshop.target({"a.md": text})
    for day, wanted in (("2099-01-01", []), ("2099-02-02", [3]), ("2099-04-01", [3, 4])):
        results = search([target], "port", filter=Filter(expiring=clock.parse(day)), mode=mode)
        assert sorted(hit.start_line for hit in results) == wanted


@pytest.mark.parametrize("mode", ["fts", "scan"])
def test_filters(mixed: SearchTarget, mode: str) -> None:
    def found(filter: Filter) -> set[str]:
        return {hit.path for hit in search([mixed], "retry 重试 pytest", filter=filter, mode=mode, limit=50)}

    assert found(Filter(path="daily/")) == {"daily/2026-02-24.md"}
    assert found(Filter(path="*.jsonl")) == {"log.jsonl"}
    assert found(Filter(layers=frozenset({Layer.PROFILE}))) == set()
    kinds = {hit.kind for hit in search([mixed], "retry 重试 pytest", mode=mode, limit=50)}
    for kind in kinds:
        only = search([mixed], "retry 重试 pytest", filter=Filter(kinds=frozenset({kind})), mode=mode, limit=50)
        assert only
        assert {hit.kind for hit in only} == {kind}
    newest = max(hit.time or 0 for hit in search([mixed], "retry 重试 pytest", mode=mode, limit=50))
    assert found(Filter(since=newest + 1)) == set()
    assert len(found(Filter(until=newest + 1))) >= 3


def test_exclusion(mixed: SearchTarget) -> None:
    assert lines(search([mixed], "retry -budget")) == [("daily/2026-02-24.md", 4)]


def test_typing(mixed: SearchTarget) -> None:
    assert ("daily/2026-02-24.md", 4) in lines(search([mixed], "back", typing=True))
    assert search([mixed], "back") == []


def test_an_identifier_nowhere_found_falls_back_to_its_words(mixed: SearchTarget) -> None:
    assert ("daily/2026-02-24.md", 4) in lines(search([mixed], "retry_backoff_limit"))


def test_min_score_and_limit(mixed: SearchTarget) -> None:
    results = search([mixed], "retry deploy pytest", limit=2)
    assert len(results) == 2
    assert results.total > 2
    best = results[0].score
    assert all(hit.score >= best for hit in search([mixed], "retry deploy pytest", min_score=best))
    assert search([mixed], "retry", min_score=2) == []
    assert search([mixed], "retry", limit=0) == []


def test_an_unknown_mode_is_refused(mixed: SearchTarget) -> None:
    with pytest.raises(UsageError, match="magic"):
        search([mixed], "x", mode="magic")


def test_scan_and_index_agree(mixed: SearchTarget) -> None:
    for query in ("pytest", "retry deploy", "连接", "用户喜欢", "数据库 池", '"pytest"', "size = 20"):
        indexed, scanned = search([mixed], query), search([mixed], query, mode="scan")
        assert lines(indexed) == lines(scanned), query
        assert [hit.marks for hit in indexed] == [hit.marks for hit in scanned]
        assert indexed.total == scanned.total
        assert scanned.backend == "scan"


def test_no_index_is_a_scan(workshop: Workshop) -> None:
    home = workshop.home(MIXED)
    assert search([SearchTarget(home)], "连接").backend == "scan"
    forced = search([SearchTarget(home)], "连接", mode="fts")
    assert forced
    assert "no index" in forced.warning


def test_a_broken_index_is_answered_by_a_scan(mixed: SearchTarget, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise StaleIndexError("the index is broken")

    monkeypatch.setattr(fts.Lookup, "pool", broken)
    results = search([mixed], "连接")
    assert lines(results)
    assert (results.backend, results.warning) == ("scan", "the index is broken")


def test_a_file_that_changed_is_read_as_it_is(mixed: SearchTarget) -> None:
    file = mixed.home.path / "daily/2026-02-24.md"
    file.write_text("# 2026-02-24\n\nsomething before\n\n- retry with more backoff\n", "utf-8")
    results = search([mixed], "retry")
    assert ("daily/2026-02-24.md", 5) in lines(results)
    assert ("daily/2026-02-24.md", 4) not in lines(results)
    assert results.backend == "fts+scan"


def test_a_file_that_is_gone_is_not_shown(mixed: SearchTarget) -> None:
    (mixed.home.path / "daily/2026-02-24.md").unlink()
    assert lines(search([mixed], "retry")) == [("log.jsonl", 1)]


def test_texts_kept_from_one_query_to_the_next_are_those_of_the_files(workshop: Workshop) -> None:
    twins = '{"facts": [{"id": "a", "fact": "retry one"}, {"id": "b", "fact": "retry two"}]}'
    mixed = workshop.target({**MIXED, "twins.json": twins})
    queries = ("retry", "pytest 喜欢", "连接", "deploy")
    fresh = [search([mixed], query) for query in queries]
    assert {hit.snippet for hit in fresh[0]} >= {"retry one", "retry two"}
    with MemoryTexts(mixed.home) as texts:
        kept = SearchTarget(mixed.home, mixed.index, texts)
        for _ in range(2):
            assert [search([kept], query) for query in queries] == fresh
        for path in MIXED:
            file = mixed.home.path / path
            file.write_text(file.read_text("utf-8").replace("retry", "again"), "utf-8")
        assert [(hit.path, hit.snippet) for hit in search([kept], "retry again")] == [
            (hit.path, hit.snippet) for hit in search([mixed], "retry again")
        ]
        assert {hit.path for hit in search([kept], "retry")} == {"twins.json"}


def test_files_that_the_index_does_not_hold_are_scanned(mixed: SearchTarget) -> None:
    (mixed.home.path / "new.md").write_text("- retry anew\n", "utf-8")
    with_new = search([SearchTarget(mixed.home, mixed.index, pending=("new.md",))], "retry")
    assert ("new.md", 1) in lines(with_new)
    assert with_new.backend == "fts+scan"


def test_a_half_built_index_is_completed_by_a_scan(workshop: Workshop, mixed: SearchTarget) -> None:
    assert mixed.index is not None
    with apsw.Connection(os.fspath(mixed.index.path)) as db:
        db.execute("UPDATE meta SET value=0 WHERE key='complete'")
    (mixed.home.path / "new.md").write_text("- retry anew\n", "utf-8")
    results = search([mixed], "retry")
    assert ("new.md", 1) in lines(results)
    assert len(lines(results)) == len(set(lines(results))) == 3
    assert results.backend == "fts+scan"


def test_several_homes_are_ranked_together(workshop: Workshop, mixed: SearchTarget) -> None:
    other = workshop.target({"x.md": "- retry\n", "y.md": "- something else\n"})
    results = search([mixed, other], "retry")
    assert results[0].home == str(other.home.path)
    assert {hit.home for hit in results} == {str(mixed.home.path), str(other.home.path)}
    assert [hit.score for hit in results] == sorted((hit.score for hit in results), reverse=True)


def test_warnings_of_the_target_are_told(mixed: SearchTarget) -> None:
    told = SearchTarget(mixed.home, mixed.index, warning="indexing 4 of 5 files")
    assert search([told], "retry").warning == "indexing 4 of 5 files"


# -- words that stand in very many memories ------------------------------------------------------------------------


@pytest.fixture(scope="module")
def crowd(shared_workshop: Workshop) -> SearchTarget:
    """A home in which one word stands everywhere and another in one old place."""
    files = {
        f"notes/{number:03}.md": "".join(
            f"- memory {'retry ' * (item % 3)}记忆 number{number} item{item % 7}\n" for item in range(20)
        )
        for number in range(60)
    }
    files["notes/000.md"] += "- memory 记忆 of a 饕餮 quokka\n"
    return shared_workshop.target(files)


@pytest.fixture
def tight(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bounds so low that a small home reaches them."""
    monkeypatch.setattr(fts, "CHEAP", 300)
    monkeypatch.setattr(fts, "RECENT", 100)


def refined(target: SearchTarget, query: str, **options: object) -> tuple[Results, Results | None]:
    """The first page, and what it is refined to."""
    done = threading.Event()
    later: list[Results] = []

    def refine(results: Results) -> None:
        later.append(results)
        done.set()

    first = search([target], query, refine=refine, **options)  # type: ignore[arg-type]
    if first.bounded:
        assert done.wait(60)
    return first, later[0] if later else None


@pytest.mark.usefixtures("tight")
@pytest.mark.parametrize("query", ["memory", "记忆", "memory retry", "记忆 item3", "memory 饕餮"])
def test_a_common_word_is_bounded_and_refined_to_the_full_ranking(crowd: SearchTarget, query: str) -> None:
    first, later = refined(crowd, query)
    assert first.bounded
    assert first.more
    assert len(first) == 10
    whole = search([crowd], query)
    assert not whole.bounded
    assert later is not None
    assert lines(later) == lines(whole)
    assert [hit.score for hit in later] == [hit.score for hit in whole]
    assert later.total == whole.total == 1201
    assert not later.more


@pytest.mark.usefixtures("tight")
def test_a_rare_word_beside_a_common_one_is_on_the_first_page(crowd: SearchTarget) -> None:
    first, _ = refined(crowd, "memory quokka")
    assert first[0].snippet == "- memory 记忆 of a 饕餮 quokka"


def test_few_matches_are_never_bounded(crowd: SearchTarget) -> None:
    first, later = refined(crowd, "quokka")
    assert (first.bounded, later, first.total) == (False, None, 1)


@pytest.mark.usefixtures("tight")
def test_filters_hold_on_the_first_page(crowd: SearchTarget) -> None:
    first, later = refined(crowd, "memory", filter=Filter(path="notes/059"))
    assert {hit.path for hit in first} == {"notes/059.md"}
    assert later is not None
    assert {hit.path for hit in later} == {"notes/059.md"}
    assert later.total == 20


@pytest.mark.usefixtures("tight")
def test_nobody_waiting_means_nothing_refined(crowd: SearchTarget) -> None:
    gone = threading.Event()
    calls: list[Results] = []
    before = set(threading.enumerate())
    first = search([crowd], "memory", refine=calls.append, cancelled=gone.is_set)
    gone.set()
    assert first.bounded
    for thread in set(threading.enumerate()) - before:
        thread.join(60)
    assert len(calls) <= 1


def test_a_cancelled_search_answers_at_once(crowd: SearchTarget) -> None:
    for mode in ("fts", "scan"):
        results = search([crowd], "memory retry 记忆", mode=mode, cancelled=lambda: True)
        assert results.more
        assert len(results) <= 10


def test_the_same_index_is_of_use_after_a_cancelled_search(crowd: SearchTarget) -> None:
    search([crowd], "memory", cancelled=lambda: True)
    assert search([crowd], "memory").total == 1201


def test_hidden_are_counted_among_very_many(workshop: Workshop) -> None:
    facts = ",\n".join(
        f'{{"id": "f{number}", "fact": "memory {number}", "status": "{"active" if number % 3 else "superseded"}"}}'
        for number in range(600)
    )
    target = workshop.target({"facts.json": f'{{"facts": [\n{facts}\n]}}'})
    for mode in ("fts", "scan"):
        results = search([target], "memory", mode=mode)
        assert results.total == 400
        assert results.hidden == {Status.SUPERSEDED: 200}
        assert {hit.status for hit in results} == {Status.ACTIVE}


def test_nothing_is_written(mixed: SearchTarget) -> None:
    def state(root: Path) -> dict[str, tuple[bytes, int]]:
        return {str(file): (file.read_bytes(), file.stat().st_mtime_ns) for file in root.rglob("*") if file.is_file()}

    before = state(mixed.home.path)
    for mode in ("fts", "scan"):
        search([mixed], "retry 连接", mode=mode)
    assert state(mixed.home.path) == before


def test_as_many_hits_as_are_asked_for(crowd: SearchTarget) -> None:
    found = search([crowd], "memory", limit=1000)
    assert len(found) == 1000
    assert len({(hit.path, hit.start_line) for hit in found}) == 1000


@pytest.mark.parametrize("mode", ["auto", "fts", "scan"])
def test_what_may_not_be_read_is_named(workshop: Workshop, monkeypatch: pytest.MonkeyPatch, mode: str) -> None:
    target = workshop.target({"open.md": "- the key is here\n", "shut.md": "- the key is there\n"})
    read = HomeReader._open_file

    def opened(reader: HomeReader, path: str) -> tuple[int, os.stat_result]:
        if path == "shut.md":
            raise UnavailableError("no permission to read shut.md")
        return read(reader, path)

    monkeypatch.setattr(HomeReader, "_open_file", opened)
    found = search([target], "key", mode=mode)
    assert [hit.path for hit in found] == ["open.md"]
    assert found.warning == "no permission to read shut.md"


@pytest.mark.parametrize("mode", ["auto", "fts", "scan"])
def test_a_home_that_is_gone_is_named(workshop: Workshop, mode: str) -> None:
    target = workshop.target({"a.md": "- the key is here\n"})
    shutil.rmtree(target.home.path)
    found = search([target], "key", mode=mode)
    assert not found
    assert found.warning == f"{target.home.label} cannot be read"


def test_finding_nothing_names_what_the_index_could_not_take_in(workshop: Workshop) -> None:
    target = workshop.target({"a.md": "- the key is here\n"})
    assert target.index is not None
    gone = [
        Problem("shut.md", 0, "no permission to read shut.md"),
        Problem("a.md", 3, "2 NUL bytes"),
        Problem("b.md", 0, "written in GB18030"),
    ]
    target.index.problems = lambda: gone  # type: ignore[method-assign]
    assert not search([target], "key", mode="fts").warning
    assert search([target], "lock", mode="fts").warning == "shut.md: no permission to read shut.md"


@pytest.mark.parametrize("mode", ["fts", "scan"])
def test_an_endless_limit_is_one(workshop: Workshop, mode: str) -> None:
    target = workshop.target({"a.md": "- the key is here\n"})
    found = search([target], "key", mode=mode, limit=10**30)
    assert (len(found), found.warning) == (1, "")


@pytest.mark.parametrize("mode", ["fts", "scan"])
def test_filters_of_halves_of_characters_match_nothing(workshop: Workshop, mode: str) -> None:
    target = workshop.target({"a.md": "- the key is here\n"})
    for wanted in (Filter(path="\udcff*"), Filter(kinds=frozenset({"\udcff"})), Filter(tags=frozenset({"\udcff"}))):
        found = search([target], "key", mode=mode, filter=wanted)
        assert (list(found), found.warning) == ([], "")


TOPIC = "---\nname: release\ndescription: how the shop is released\n---\n\n" + "".join(
    f"- release step {number}: 发布步骤, tag and build and wait for the shop {number}\n\n" for number in range(1, 13)
)


@pytest.mark.parametrize("mode", ["fts", "scan"])
def test_no_memory_fills_the_page_with_its_lines(tmp_path: Path, mode: str) -> None:
    root = tmp_path / ".claude" / "memory"
    root.mkdir(parents=True)
    (root / "MEMORY.md").write_text(
        "# Memory\n\n- release step 9: 发布步骤, tag and build and wait for the shop 9\n", "utf-8"
    )
    (root / "release.md").write_text(TOPIC, "utf-8")
    with Vault.open([tmp_path]) as vault:
        for query in ("release step", "发布步骤"):
            found = vault.find(query, 9, mode=mode)
            assert any(hit.path == "MEMORY.md" for hit in found)
            assert [hit.score for hit in found] == sorted((hit.score for hit in found), reverse=True)
            lines = [hit for hit in found if hit.path == "release.md"]
            assert all(hit.start_line == hit.end_line for hit in lines if hit.start_line > 4)
            assert lines[0].others == 4 + (query == "release step")


def test_a_slip_among_other_words_is_put_right_and_told(workshop: Workshop) -> None:
    target = workshop.target(
        {
            "a.md": "- the idempotency key lives a day\n- key of the office\n- 部署用 kubernetes 集群\n"
            "- plants need water\n"
        }
    )
    found = search([target], "what is the idempotecy key retention", mode="fts")
    assert found[0].start_line == 1
    assert "idempotecy" in found.warning
    assert "idempotency" in found.warning
    assert search([target], "部署 kuberntes", mode="fts")[0].start_line == 3
    assert "idempotency" in search([target], "idempotecy key", mode="fts", typing=True).warning
    assert not search([target], "key of idempotecy", mode="fts", typing=True).warning
    assert not search([target], "key for planes", mode="fts").warning
    assert not search([target], "key of the office", mode="fts").warning


def test_what_emptied_an_answer_is_told(workshop: Workshop) -> None:
    target = workshop.target({"a.md": "- the key of the office\n- 办公室的钥匙\n"})
    for query in ("office key", "钥匙"):
        assert not search([target], query, mode="fts").blocked
        none = search([target], query, mode="fts", filter=Filter(kinds=frozenset({"decision"})))
        assert not none
        assert none.blocked == "1 matches without kind:"
        both = Filter(kinds=frozenset({"decision"}), path="b/")
        assert search([target], query, mode="scan", filter=both).blocked == "1 matches without kind:, path:"
        assert not search([target], f"nowhere{query[:0]}", mode="fts", filter=both).blocked


def test_what_stands_aside_is_told_with_how_to_see_it() -> None:
    hidden = {Status.ARCHIVED: 1200, Status.BACKUP: 3, Status.SUPERSEDED: 2}
    told = describe_hidden(hidden)
    assert told == "1,200 in archive (role:archive shows them), 3 in backup (role:backup shows them)"
    assert not describe_hidden({Status.SUPERSEDED: 2})


def test_of_a_pasted_text_the_rare_words_find(workshop: Workshop, monkeypatch: pytest.MonkeyPatch) -> None:
    common = [f"common{number}" for number in range(50)]
    lines = [f"- {' '.join(common)} line {number}\n" for number in range(20)]
    target = workshop.target({"a.md": "".join(lines) + "- the kettle is broken 水壶坏了\n"})
    monkeypatch.setattr(fts, "ROOM", 10)
    for asked in ("what about the kettle", "水壶怎么了"):
        found = search([target], f"{' '.join(common)} {asked}", mode="fts")
        assert found.more
        assert 21 in {hit.start_line for hit in found}
