from __future__ import annotations

import time

import apsw
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memtui.core.text import TOKENIZER, segment_text
from memtui.search import search
from memtui.search.query import MOST, parse
from tests.search.conftest import Workshop

UGLY = [
    '"', '""', '"un closed', "NEAR(", "NEAR(a b, 3)", "a AND", "OR NOT AND", "*", "foo*", "^x", "-",
    "--force", "- -", "col:val", "heading:x", "{a}", "a + b", "(((", "'; DROP TABLE fts; --", "\x00\x01",
    "\ud800", "🚀", "👩‍👩‍👧", "……", "，。！？", "\u202eabc", "﷽", "ﬁle", "ｆｕｌｌ　ｗｉｄｔｈ", "é" * 50,
    "字", "字" * 300, "a" * 5000, "𝐀𝐁", "ि", "\n\t", '-"quoted', '"-"', "x" * 100_000, "词 " * 20_000,
]  # fmt: skip


def fts() -> apsw.Connection:
    db = apsw.Connection(":memory:")
    db.execute(f"CREATE VIRTUAL TABLE fts USING fts5(heading, body, content='', tokenize='{TOKENIZER}')")
    return db


def hits(query: str, *texts: str, typing: bool = False) -> list[int]:
    """Which of the texts FTS5 finds, by number."""
    db = fts()
    for number, text in enumerate(texts):
        db.execute("INSERT INTO fts(rowid, heading, body) VALUES(?, '', ?)", (number, segment_text(text)))
    match = parse(query, typing).match
    return [row[0] for row in db.execute("SELECT rowid FROM fts WHERE fts MATCH ? ORDER BY rowid", (match,))]


def accepted(text: str, typing: bool) -> None:
    query = parse(text, typing)
    db = fts()
    for expression in [query.match, *(query.narrowed(term) for term in query.terms if term.fts)]:
        if expression:
            db.execute("SELECT count(*) FROM fts WHERE fts MATCH ?", (expression,)).fetchall()
    assert query.terms or query.literal or not query.text
    assert sum(bool(term.fts) for term in query.terms) <= 2 * MOST


@pytest.mark.parametrize("text", UGLY, ids=lambda text: ascii(text[:12]))
@pytest.mark.parametrize("typing", [False, True])
def test_any_text_is_a_query(text: str, typing: bool) -> None:
    began = time.process_time()
    accepted(text, typing)
    assert time.process_time() - began < 1.0


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=60), st.booleans())
def test_any_text_at_all_is_a_query(text: str, typing: bool) -> None:
    accepted(text, typing)


@settings(max_examples=150, deadline=None)
@given(st.text(alphabet="\"“”-*()^:+{}'\\NEARORANDNOT 字典ab_./", max_size=40), st.booleans())
def test_fts5s_own_syntax_is_only_text(text: str, typing: bool) -> None:
    accepted(text, typing)


def test_words_are_ored_and_stop_words_dropped() -> None:
    assert hits("how do I deploy the server", "the deploying", "how do I", "servers", "nothing") == [0, 2]


def test_stop_words_alone_are_looked_for() -> None:
    assert hits("the", "the end", "an end") == [0]
    assert hits("什么", "做了什么", "别的") == [0]
    assert hits("的", "我的家", "你家") == [0]


def test_stems_find_each_other() -> None:
    assert hits("running", "he runs", "it ran", "run!") == [0, 2]
    assert hits("memories", "a memory") == [0]
    # Where the stem is no beginning of the word: an e, a y, an l that the word itself has not.
    assert hits("staging", "the staging server", "one stage", "he staged it") == [0, 1, 2]
    assert hits("usable", "its usability", "usable now", "used") == [0, 1]
    assert hits("price", "pricing is open", "prices") == [0, 1]


def test_a_quoted_part_demands_order() -> None:
    assert hits('"deploy server"', "deploy the server", "deploy server now", "server deploy") == [1]
    assert hits('"据库"', "数据库", "数据，库", "据说库") == [0]
    assert hits("“据库”", "数据库", "数据 库") == [0]
    assert hits('"你好，世界"', "他说你好，世界真大", "你好世界", "世界你好") == [0]
    assert hits('"配置deploy"', "改配置 deploy 了", "deploy配置") == [0]


def test_what_is_demanded_is_enough_and_the_rest_only_ranks() -> None:
    assert hits('"alpha beta" gamma', "alpha beta", "gamma", "alpha beta gamma") == [0, 2]


def test_exclusion() -> None:
    assert hits("cache -redis", "redis cache", "cache") == [1]
    assert hits("缓存 -熔断", "缓存熔断", "缓存") == [1]
    assert hits('cache -"in memory"', "cache in memory", "memory in cache") == [1]


def test_exclusion_alone_and_options_are_looked_for() -> None:
    assert hits("-v", "use -v here", "use it") == [0]
    assert hits("--force", "push --force", "push") == [0]


def test_one_character_finds_pairs_and_the_end_of_a_run() -> None:
    assert hits("库", "数据库", "库存", "用库名", "数据") == [0, 1, 2]


def test_identifiers_are_phrases_of_their_parts() -> None:
    assert hits("memory_search", "call memory_search()", "memory and search", "memory search") == [0, 2]
    assert hits("src/app/main.py", "in src/app/main.py:3", "main.py of src app") == [0]
    assert hits("ERR_CONN-1042", "got ERR_CONN-1042!", "1042 ERR") == [0]
    assert [term.label for term in parse("memory_search").parts] == ["memory", "search"]


def test_camel_case_is_found_by_its_parts_and_as_a_whole() -> None:
    texts = ("getUserName()", "get_user_name", "getusername", "get a name for the user")
    assert hits("getUserName", *texts) == [0, 1, 2]
    assert hits("user", "getUserName", "usage") == [0]


def test_the_last_word_is_a_beginning_while_typing() -> None:
    assert hits("deplo", "deploying", "display", typing=True) == [0]
    assert hits("deplo", "deploying") == []
    assert hits("de", "deploying", typing=True) == []
    assert hits("deplo x", "deploying", typing=True) == []
    assert hits("memory_sea", "memory_search", "memory", typing=True) == [0]


@pytest.mark.parametrize("word", ["configuration", "relational", "happiness", "deploying", "memories", "organizers"])
def test_a_word_is_found_at_every_letter(word: str) -> None:
    for length in range(3, len(word) + 1):
        assert hits(word[:length], f"the {word} here", typing=True) == [0], word[:length]


def test_other_scripts() -> None:
    assert hits("привет", "Привет, мир") == [0]
    assert hits("мой", "мой дом") == [0]
    assert hits("हिन्दी", "यह हिन्दी है", "है") == [0]
    assert parse("हिन्दी").terms[0].count("यह हिन्दी है") == 1
    assert hits("한국어", "한국어로 쓴다") == [0]


def test_accents_and_width_do_not_matter() -> None:
    assert hits("resume", "Résumé") == [0]
    assert hits("ｄｅｐｌｏｙ", "deploy") == [0]


def test_of_a_name_no_single_character_is_asked_for_and_of_a_sentence_each() -> None:
    for name in ("电报机器人", "数据库连接池", "回滚部署"):
        assert not any(term.fts for term in parse(name).terms if term.faint)
    for sentence in ("支付回调的幂等怎么做", "把上次部署失败那台机器的日志留着"):
        assert any(term.fts for term in parse(sentence).terms if term.faint)


def test_characters_without_words_are_taken_literally() -> None:
    assert parse("🚀").literal == "🚀"
    assert parse("->").literal == "->"
    assert parse("   ").text == ""
    assert not parse("   ").literal


def test_the_lone_run_is_known() -> None:
    assert parse("数据库").runs[0] == "数据库"
    assert not parse("数据库 deploy").runs
    assert not parse("数据 连接").runs


@pytest.mark.parametrize("mode", ["fts", "scan"])
def test_a_quoted_phrase_is_found_at_every_letter_of_it(workshop: Workshop, mode: str) -> None:
    text = "integration tests hit 真实的 database daily"
    target = workshop.target({"a.md": f"- {text}\n- tests of integration\n"})
    for end in [end for end in range(2, len(text) + 1) if not text[end - 1].isspace()]:
        found = search([target], f'"{text[:end]}', mode=mode, typing=True)
        assert 1 in {hit.start_line for hit in found}, text[:end]
        assert " " not in text[:end] or text[:end].count(" ") > 3 or len(found) == 1
        assert not found.warning.startswith("nothing holds")
    assert search([target], '"integration tes"', mode=mode, typing=True).warning
    assert search([target], '"integration tes', mode=mode).warning


QUOTED = {
    "a.md": "- Never deploy on Fridays; the release train leaves on Thursday.\n- Postgres pool size is 20\n",
    "b.md": "- 部署失败先看日志，再回滚到上一个版本\n- 生日在五月\n- Ann likes tea\n",
}


@pytest.mark.parametrize("mode", ["fts", "scan"])
@pytest.mark.parametrize(
    ("query", "path", "line", "told"),
    [
        ('did we say "never deploy on Friday"?', "a.md", 1, '"never deploy on Friday"'),
        ('"pool size" of "postgres database"', "a.md", 2, ""),
        ('She said: "the release train, does it leave on a Thursday or not"', "a.md", 1, ""),
        ("“部署失败” 怎么办 “回滚版本”", "b.md", 1, ""),
        ("「日志在哪」部署", "b.md", 1, "日志在哪"),
        ("＂日志在哪＂ 部署", "b.md", 1, "日志在哪"),
    ],
)
def test_what_is_quoted_is_preferred_and_no_trap(
    workshop: Workshop, mode: str, query: str, path: str, line: int, told: str
) -> None:
    found = search([workshop.target(QUOTED)], query, mode=mode)
    assert (found[0].path, found[0].start_line) == (path, line)
    assert (told in found.warning) if told else not found.warning


def test_of_several_quoted_parts_what_holds_them_as_they_stand_comes_first(workshop: Workshop) -> None:
    target = workshop.target({"a.md": "- size of the pool, host\n- host name and pool size\n- name of the host\n"})
    assert search([target], '"pool size" "host name"', mode="fts")[0].start_line == 2


def test_of_a_long_query_the_end_counts(workshop: Workshop) -> None:
    target = workshop.target({"a.md": "- the kettle is broken\n- 备份放在仓库里\n- weather, sea, hills\n"})
    talk = " ".join(f"we spoke of weather{number} and sea{number}." for number in range(400))
    assert search([target], f"{talk} What about the kettle?", mode="fts")[0].start_line == 1
    assert search([target], f"{talk} 备份在哪？", mode="fts")[0].start_line == 2
    meant = parse(f"{talk} What about the kettle?").meant
    assert meant.endswith("What about the kettle?")
    assert len(meant) <= 250
    assert parse("我们聊了很多事情。" * 60 + "备份在哪？").meant.endswith("备份在哪？")
    assert parse("short question").meant == "short question"


@pytest.mark.parametrize(
    ("asked", "idle", "kept"),
    [
        ("Wo liegt der Schlüssel für den Keller?", {"wo", "der", "fur", "den"}, {"liegt", "schlussel", "keller"}),
        ("Où est la clé de la cave ?", {"ou", "est", "la", "de"}, {"cle", "cave"}),
        ("Onde está a chave da cozinha?", {"onde", "esta", "da"}, {"chave", "cozinha"}),
        ("Где лежит ключ от подвала?", {"где", "от"}, {"лежит", "ключ", "подвала"}),
        ("the die and the cast", set(), {"die", "cast"}),
    ],
)
def test_stop_words_of_the_language_that_a_question_is_in(asked: str, idle: set[str], kept: set[str]) -> None:
    weights = {term.label: term.weight for term in parse(asked).terms}
    assert {word for word, weight in weights.items() if weight < 1} == idle
    assert {word for word, weight in weights.items() if weight == 1} == kept


def test_words_beside_what_is_asked_are_not_looked_for() -> None:
    labels = {term.label for term in parse("what happens when somebody gets a refund?").terms}
    assert "refund" in labels
    assert labels.isdisjoint({"happens", "somebody", "gets"})


def test_a_russian_word_is_found_by_its_other_endings(workshop: Workshop) -> None:
    target = workshop.target({"a.md": "- Окна моют весной\n- Ключи лежат в синей коробке\n"})
    found = search([target], "где коробка?", mode="fts")
    assert [hit.start_line for hit in found] == [2]
    assert found[0].marks


def test_a_query_in_another_latin_language_finds_other_forms_of_its_words() -> None:
    texts = "**Clientes atendidos:** 1.500", "atender o telefone", "Mensagem nova", "nothing of it"
    assert hits("quantas clientes foram atendidas na loja?", *texts) == [0]
    assert hits("¿de qué configuración se trata en la tienda?", "configuraciones nuevas", "config") == [0]
    # What stands there as it was asked for is worth more.
    root = parse("wie werden die Einstellungen gespeichert?").terms[-1]
    assert root.count("gespeichert") > root.count("zwischengespeichert, gespeichern") > 0
