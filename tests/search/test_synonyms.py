"""A sentence finds what says the same in other words; words typed by themselves find themselves."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from memtui import Vault
from memtui.search.query import SPOKEN, parse
from memtui.search.terms import MEANT
from memtui.search.thesaurus import MOST, is_vocabulary_word, list_synonyms

TEXT = """# MEMORY

- The nightly archive of the ledger is kept for ninety days
- New hires get a laptop on their first morning
- 每次上线之前要在预发跑一遍冒烟用例
- 发票抬头写公司全称
- 伺服器的憑證每三個月換一次
- Invoices go out on the last Friday
- Sign in fails when the cookie is older than a day
- The kitchen is on the second floor
- 心跳每三小时跑一遍
- Licensing of everything here: MIT
- Ping the team over Telegram, not by letter
- The lease on the flat is read again every 10 weeks
- The parcel was sent to the wrong floor
- 截屏放在共享盘里
"""


@pytest.fixture(scope="module")
def vault(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Vault]:
    home: Path = tmp_path_factory.mktemp("synonyms") / ".memtui"
    home.mkdir()
    (home / "MEMORY.md").write_text(TEXT, "utf-8")
    with Vault.open([home]) as opened:
        yield opened


@pytest.mark.parametrize("mode", ["fts", "scan"])
@pytest.mark.parametrize(
    ("asked", "line"),
    [
        ("where is the backup of the books?", "archive"),
        ("what do we do before a release?", "预发"),
        ("部署的时候先要做什么？", "预发"),
        ("why can't I login any more?", "Sign in"),
        ("账单的抬头应该怎么写？", "发票"),
        ("什么时候寄账单？", "Invoices"),
        ("自检多久做一次？", "心跳"),
        ("which licence do we put on it?", "Licensing"),
        ("which messenger do we write to each other with?", "Telegram"),
        ("是用哪个聊天软件联系大家的？", "Telegram"),
        ("what is it that we do every ten weeks?", "10 weeks"),
        ("who do I send the box to?", "parcel was sent"),
        ("where are the screenshots?", "截屏"),
    ],
)
def test_a_question_in_other_words(vault: Vault, asked: str, line: str, mode: str) -> None:
    found = vault.find(asked, limit=3, mode=mode)
    assert any(line in hit.snippet for hit in found), [hit.snippet for hit in found]
    hit = next(hit for hit in found if line in hit.snippet)
    # What it was found by is marked, whichever words these are.
    assert hit.marks and hit.why


@pytest.mark.parametrize("asked", ["backup", "release step", '"the backup" of it', "部署", "数据库连接超时"])
def test_words_mean_themselves(asked: str) -> None:
    assert all(other.worth > 0.9 for term in parse(asked).terms for other in term.others)


def test_what_is_being_typed_means_itself() -> None:
    assert not any(term.others for term in parse("where is the backup", typing=True).terms)
    assert any(term.others for term in parse("where is the backup").terms)


def test_what_was_pasted_has_words_enough() -> None:
    long = "and the backup of it " * (SPOKEN // 20 + 1)
    assert not any(term.others for term in parse(long).terms)


def test_the_word_itself_is_worth_more() -> None:
    term = next(term for term in parse("where is the backup of that?").terms if term.label == "backup")
    assert term.count("a backup a day") > term.count("an archive a day") > term.count("a kitchen a day") == 0
    assert len(list(term.spans("backup and archive"))) == 2
    texts = ["a backup", "an archive of the archive", "nothing"]
    counts = term.counts(texts, "\n".join(texts), {})
    assert list(counts) == [term.count(text) for text in texts]


@pytest.mark.parametrize(
    ("word", "other"),
    [
        ("deployed", "release"), ("stored", "keep"), ("stopping", "halt"), ("queries", "search"),
        ("数据库", "database"), ("database", "数据库"), ("pull request", "pr"),
    ],
)  # fmt: skip
def test_in_both_languages_and_whatever_the_ending(word: str, other: str) -> None:
    assert other in list_synonyms(word)


def test_nothing_is_known_of_names() -> None:
    for word in ("memtui", "zymurgy", "s", "", "饕餮"):
        assert list_synonyms(word) == () and not is_vocabulary_word(word)
    assert all(len(list_synonyms(word)) <= MOST for word in ("test", "change", "保存"))


def test_a_kind_is_asked_for_by_its_name_and_not_the_other_way() -> None:
    assert "telegram" in list_synonyms("messenger")
    assert not {"messenger", "whatsapp", "signal"} & set(list_synonyms("telegram"))


@pytest.mark.parametrize(
    ("word", "other"), [("kept", "keep"), ("write", "written"), ("people", "person"), ("ten", "10")]
)
def test_forms_that_no_stem_finds(word: str, other: str) -> None:
    term = next(term for term in parse(f"what is the {word} of it?").terms if term.label == word)
    assert term.count(word) > term.count(other) > term.count("kitchen") == 0
    # It is the same word: worth more than another one that means much the same.
    assert term.count(other) > MEANT


def test_where_and_when_weigh_less_than_what() -> None:
    weights = {term.label: term.weight for term in parse("is the ledger kept after the audit?").terms}
    assert weights["after"] < weights["ledger"] == weights["audit"]
    # Who types two words means both.
    assert all(term.weight == 1 for term in parse("ledger after").terms)


def test_in_the_script_of_the_question() -> None:
    terms = parse("伺服器的權限是誰給的？").terms
    others = {other.label for term in terms for other in term.others}
    assert "权限" in others and "授權" in others
