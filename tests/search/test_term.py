from __future__ import annotations

import time

import apsw
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memtui.core.text import TOKENIZER, normalize_width, segment_text
from memtui.search import terms
from memtui.search.query import parse
from memtui.search.terms import find_camel_parts, fold, fold_searchable, fold_with_offsets, stem_word

VOCABULARY = (
    "run running runs ran pony ponies try trying happy happiness relate relational configure configuration über "
    "naïve e0502 v2 x 3 memory_search getUserName HTTPServer src/app.py don't 数据 数据库 库 用户偏好 偏 カメラ"
)
WORDS = st.sampled_from(VOCABULARY.split())
TEXTS = st.lists(st.tuples(WORDS, st.sampled_from([" ", ", ", "。", "\n", "-", " ("])), min_size=1, max_size=8).map(
    lambda pairs: "".join(word + gap for word, gap in pairs)
)


@settings(max_examples=200, deadline=None)
@given(WORDS, TEXTS)
def test_a_term_counts_what_the_index_finds(word: str, text: str) -> None:
    db = apsw.Connection(":memory:")
    db.execute(f"CREATE VIRTUAL TABLE fts USING fts5(body, tokenize='{TOKENIZER}')")
    db.execute("INSERT INTO fts VALUES(?)", (segment_text(text),))
    folded = fold_searchable(text)
    for term in parse(word).terms:
        if term.fts:
            found = db.execute("SELECT count(*) FROM fts WHERE fts MATCH ?", (term.fts,)).get
            # Parts of a camelCase word stand beside it in the index, so a phrase over its border may differ.
            assert bool(term.count(folded)) == bool(found) or "U" in text + word or "HTTP" in text + word


@settings(max_examples=100, deadline=None)
@given(WORDS, TEXTS)
def test_spans_are_in_order_and_hold_the_term(word: str, text: str) -> None:
    folded = fold(text)
    for term in parse(word).terms:
        last = 0
        for start, end in term.spans(folded):
            assert last <= start < end <= len(folded)
            assert folded[start:end].startswith(term.pieces[0].lead)
            last = end


def test_words_end_where_letters_end() -> None:
    term = parse("run").terms[0]
    assert term.count("run, runs; running") == 3
    assert term.count("rung prune runtime") == 0
    assert term.count("数据run库") == 1
    assert parse("clair").terms[0].count(fold("éclair")) == 0


def test_a_word_that_is_only_begun_counts_half() -> None:
    term = parse("conf", typing=True).terms[0]
    assert term.count("conf") == 1
    assert term.count("config") == 0.5


def test_a_phrase_does_not_cross_what_is_not_there() -> None:
    phrase = parse('"数据 库"').terms[0]
    assert phrase.count("数据，库") == 1
    assert phrase.count("数据库") == 0
    exact = parse('"running test"').terms[0]
    assert exact.count("running test") == 1
    assert exact.count("run test") == 0
    assert exact.count("running tests") == 0


@settings(max_examples=200)
@given(st.text(max_size=40))
def test_folding_keeps_its_places(text: str) -> None:
    folded, places = fold_with_offsets(text)
    if places is None:
        assert len(folded) == len(text)
    else:
        assert len(places) == len(folded) + 1
        assert all(0 <= place <= len(text) for place in places)
        assert places == sorted(places)


def test_stems_and_humps() -> None:
    assert stem_word("deploying") == stem_word("deploys") == stem_word("deploy")
    assert [("getUserName x HTTPServer"[a:b]) for a, b in find_camel_parts("getUserName x HTTPServer")] == [
        "get",
        "User",
        "Name",
        "HTTP",
        "Server",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "a" * 300_000, "aB" * 150_000, "Ab9" * 100_000, "a " * 150_000, "数" * 300_000, "a_" * 150_000,
        "ÀÉ" * 150_000,
    ],
    ids=lambda text: text[:3],
)  # fmt: skip
def test_long_texts_take_no_longer_than_they_are_long(text: str) -> None:
    began = time.process_time()
    folded = fold_searchable(text)
    for query in ("a", "ab", "数据库", '"a a"', "a_a", "aBc"):
        for term in parse(query, typing=True).terms:
            term.count(folded)
    assert time.process_time() - began < 8


def test_what_is_not_odd_is_only_lower_cased() -> None:
    for number in (*range(0xD800), *range(0xE000, 0x20000)):
        one = chr(number)
        whole = terms._ACCENTED.sub(terms._strip_accents, normalize_width(one).lower())
        assert fold(one) == whole, hex(number)
