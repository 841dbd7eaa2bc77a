"""Names as people paste them find the line they stand on, by the index and by the files alike."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memtui.search import search
from memtui.search.query import extract_marked_word, list_identifier_variants
from memtui.search.texts import SearchTarget
from tests.search.conftest import Workshop

LINES = [
    "the borrow checker says E0308 mismatched types", "got ERR_CONN_RESET from the proxy",
    "Windows update failed with 0x80070005", "HTTP 502 from the gateway", "HTTP 200 is fine",
    "upgrade to v1.2.3 first", "released 2.10.0 yesterday", "see issue #123 for why", "123 rows were read",
    "run it with --dry-run", "a dry run is enough", "the C++ part is slow", "the C# part is slow",
    "the C part is slow", "secrets live in .env", "the env is clean", "mail ops@example.org about it",
    "clone https://github.com/acme/tool.git", "docs at example.com/guide/start", "edit src/app/main.py",
    "call memory_search there", "call getUserName here", "use the @cached decorator", "set $HOME first",
    "install @angular/core", "foo.bar.baz is dotted", "the Node.js server", "标签 #部署 说明",
]  # fmt: skip


@pytest.fixture(scope="module")
def target(shared_workshop: Workshop) -> SearchTarget:
    return shared_workshop.target({f"n{number}.md": f"- {line}\n" for number, line in enumerate(LINES)})


@pytest.mark.parametrize("mode", ["fts", "scan"])
@pytest.mark.parametrize(
    ("query", "wanted"),
    [
        ("E0308", "the borrow checker says E0308 mismatched types"),
        ("error[E0308]", "the borrow checker says E0308 mismatched types"),
        ("ERR_CONN_RESET", "got ERR_CONN_RESET from the proxy"),
        ("err_conn", "got ERR_CONN_RESET from the proxy"),
        ("0x80070005", "Windows update failed with 0x80070005"),
        ("HTTP 502", "HTTP 502 from the gateway"),
        ("v1.2.3", "upgrade to v1.2.3 first"),
        ("1.2.3", "upgrade to v1.2.3 first"),
        ("v2.10.0", "released 2.10.0 yesterday"),
        ("#123", "see issue #123 for why"),
        ("--dry-run", "run it with --dry-run"),
        ("C++", "the C++ part is slow"),
        ("why is C# slow?", "the C# part is slow"),
        (".env", "secrets live in .env"),
        ("ops@example.org", "mail ops@example.org about it"),
        ("https://github.com/acme/tool", "clone https://github.com/acme/tool.git"),
        ("https://example.com/guide/start", "docs at example.com/guide/start"),
        ("src/app/main.py:12", "edit src/app/main.py"),
        ("main.py", "edit src/app/main.py"),
        ("memorySearch", "call memory_search there"),
        ("memory_search()", "call memory_search there"),
        ("get_user_name", "call getUserName here"),
        ("getUserName", "call getUserName here"),
        ("@cached", "use the @cached decorator"),
        ("$HOME", "set $HOME first"),
        ("@angular/core", "install @angular/core"),
        ("bar.baz", "foo.bar.baz is dotted"),
        ("node.js", "the Node.js server"),
        ("#部署", "标签 #部署 说明"),
    ],
)
def test_the_line_comes_first(target: SearchTarget, mode: str, query: str, wanted: str) -> None:
    assert [hit.snippet for hit in search([target], query, mode=mode)][:1] == [f"- {wanted}"]


def test_other_ways_to_write_one() -> None:
    assert list_identifier_variants("https://a.b/c:12") == ["a.b/c:12", "a.b/c"]
    assert list_identifier_variants("v1.2") == ["1.2"]
    assert list_identifier_variants("a_b") == []
    assert [extract_marked_word(word) for word in ("C++,", "(#12)", "word", "--x", "a-b", "->", "x" * 99 + "++")] == [
        "C++", "#12", "", "--x", "", "", "",
    ]  # fmt: skip


WIDTHS = [
    "ｄｅｐｌｏｙ", "deploy", "①②", "12", "１２", "ｶﾀｶﾅ", "カタカナ", "ﬁle", "file",
    "“deploy now”", "deploy now", "ｄｅｐｌｏｙ　ｎｏｗ", "「数据库」", "数据库", "數據庫", "Ⓐ", "a", "résumé",
    "resume", "１－２", "1-2", "路径：数据", "ａ：ｂ", "a:b", "K8s", "ㄱ", "＃１２",
    "#12",
]  # fmt: skip


@pytest.fixture(scope="module")
def wide(shared_workshop: Workshop) -> SearchTarget:
    return shared_workshop.target({f"w{number}.md": f"- {text}\n" for number, text in enumerate(WIDTHS)})


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.sampled_from([*WIDTHS, "＂", "「", "」", "”", "－", "-", '"', "：", "，"]), max_size=3).map("".join))
def test_every_width_is_one_to_the_index_and_to_the_files(wide: SearchTarget, text: str) -> None:
    by_index = {(hit.path, hit.snippet) for hit in search([wide], text, limit=100, mode="fts")}
    by_files = {(hit.path, hit.snippet) for hit in search([wide], text, limit=100, mode="scan")}
    assert by_index == by_files


@pytest.mark.parametrize("mode", ["fts", "scan"])
@pytest.mark.parametrize(
    ("query", "wanted"),
    [
        ("deploy", 5), ("ｄｅｐｌｏｙ", 5), ("＂deploy now＂", 3), ("「deploy　now」", 3),
        ("『deploy now』", 3), ("deploy －now", 2), ("deploy −「now」", 2), ("１２", 5), ("カタカナ", 2),
        ("ＦＩＬＥ", 2), ("数据库", 4),
    ],
)  # fmt: skip
def test_widths_and_quotes(wide: SearchTarget, mode: str, query: str, wanted: int) -> None:
    found = [hit.snippet for hit in search([wide], query, limit=100, mode=mode)]
    assert len(found) == wanted, found
