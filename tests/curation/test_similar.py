"""Which texts are alike, and how: Chinese and English, a number or a 'not' apart, thousands at a time."""

from __future__ import annotations

import random
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.language.kin import Alike, Kin
from memtui.language.similarity import (
    Likeness,
    compare_entities,
    count_denials,
    extract_terms,
    measure_likeness,
    normalize_entities,
    normalize_text,
)

WORDS = st.text("用户偏好数据库接口 abcdef不not0123456789，.-", max_size=40)


@pytest.mark.parametrize(
    ("one", "two", "kind"),
    [
        ("用户偏好 TypeScript", "用户偏好TypeScript。", "exact"),
        ("Prefers `pytest` over unittest", "prefers pytest  over unittest.", "exact"),
        ("ＷebSocket 需要心跳", "WebSocket 需要心跳", "exact"),
        ("WebSocket 连接需要心跳保活，间隔 30 秒", "WebSocket 需要心跳，间隔 30 秒", "same"),
        ("默认的代码注释用英文书写", "默认代码注释用英文书写", "same"),
        (
            "测试文件必须放在 tests/ 目录下",
            "测试文件必须放在 tests/ 目录下对应的子目录中，由 CI 检查",
            "inside",
        ),
        (
            "Use ruff for linting and formatting, and run it before every push",
            "Use ruff for linting and formatting",
            "around",
        ),
        ("项目使用 PostgreSQL 数据库", "项目使用 MySQL 数据库", "near"),
        ("服务端口是 8080", "服务端口是 8081", "differs"),
        ("使用 jest 做单元测试", "不使用 jest 做单元测试", "differs"),
        ("端口 80 对外开放给所有人", "端口 8080 对外开放给所有人", "differs"),
        ("Tests run with pytest in CI", "Tests never run with pytest in CI", "differs"),
    ],
)
def test_two_texts(one: str, two: str, kind: str) -> None:
    found = measure_likeness(one, two)
    assert found is not None and found.kind == kind


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("前端使用 React + TypeScript", "用户偏好 TypeScript"),
        ("金额统一以分为单位存储", "部署在 k8s staging，入口是 ingress"),
        ("Run the linter first", "The database is PostgreSQL"),
        ("中文", "英文"),
        ("", "用户偏好 TypeScript"),
    ],
)
def test_what_is_not_alike(one: str, two: str) -> None:
    assert measure_likeness(one, two) is None


def compare(line: str, *entities: str, known: tuple[str, ...] = ()) -> Likeness | None:
    return compare_entities(normalize_entities(entities), normalize_entities(known), normalize_text(line))


def test_the_same_combination_of_entities_is_alike_one_entity_is_not() -> None:
    line = "The order API talks to Redis and PostgreSQL through the gateway"
    told = compare(line, "Redis", "PostgreSQL", "gateway")
    assert told is not None and (told.kind, told.score) == ("entities", 1.0)
    # Two of three is no more than 70 %.
    assert compare(line, "Redis", "PostgreSQL", "Kafka") is None
    assert compare("前端使用 React + TypeScript", "TypeScript") is None
    # A name inside another word is another name; a stated one needs no place in the text.
    assert compare("Redistribution of postgresqlite", "Redis", "PostgreSQL") is None
    assert compare("说到的东西", "Redis", "支付", known=("redis", "支付")) is not None


def test_denials_are_counted_and_words_that_only_hold_one_are_not() -> None:
    assert count_denials(normalize_text("不要用 jest")) == 1
    assert count_denials(normalize_text("Do not use tabs, never")) == 2
    assert count_denials(normalize_text("不仅快，不过要区别类别")) == 0


@given(WORDS)
def test_a_text_is_exactly_like_itself(text: str) -> None:
    found = measure_likeness(text, text)
    assert found is not None and found.kind == "exact"


@given(WORDS, WORDS)
def test_likeness_goes_both_ways(one: str, two: str) -> None:
    turned = {"inside": "around", "around": "inside"}
    there, back = measure_likeness(one, two), measure_likeness(two, one)
    assert (there is None) == (back is None)
    if there is not None and back is not None:
        assert there.score == pytest.approx(back.score)
        if len(normalize_text(one)) != len(normalize_text(two)):
            assert turned.get(there.kind, there.kind) == back.kind
        assert 0 <= there.score <= 1


@given(st.lists(WORDS, max_size=12), WORDS)
def test_many_at_once_are_what_two_by_two_are(texts: list[str], text: str) -> None:
    """With few texts no trigram is too common, so what shares a rare one is all that is alike."""
    found = {number for number, _how in Kin(texts).like(text)}
    alike = {
        number for number, other in enumerate(texts) if (how := measure_likeness(text, other)) and how.score > 0.85
    }
    assert alike <= found <= {number for number, other in enumerate(texts) if measure_likeness(text, other)}


@given(st.lists(WORDS, max_size=10))
def test_every_text_is_in_one_group(texts: list[str]) -> None:
    groups = Kin(texts).groups()
    assert sorted(number for group in groups for number in group) == list(range(len(texts)))


@given(st.lists(WORDS, max_size=8), st.lists(WORDS, max_size=3), st.lists(WORDS, max_size=4))
def test_what_was_answered_before_is_answered_the_same(old: list[str], new: list[str], asked: list[str]) -> None:
    before = Kin(old)
    for text in asked:
        before.like(text)
    kept = [*old[1:], *new]
    assert [Kin(kept, (), before).like(text) for text in asked] == [Kin(kept).like(text) for text in asked]


def test_groups_that_go_on_from_before_are_the_same() -> None:
    rng = random.Random(11)
    things = [
        "parser", "queue", "index", "cache", "router", "worker", "mailer", "probe", "scheduler", "ledger",
    ]  # fmt: skip
    texts = [
        f"the {rng.choice(things)} of shard {rng.choice(things)} {'is' if number % 2 else 'was'} "
        f"{''.join(rng.choices('abcdefghij', k=12))} and {rng.choice(things)}"
        for number in range(150)
    ]
    texts += [text.replace("shard", "the shard") for text in rng.sample(texts, 40)]
    rng.shuffle(texts)
    _groups, before = Kin(texts[9:]).groups_since(Alike())
    kept = texts[:-9]
    groups, after = Kin(kept).groups_since(Alike.read(before.plain()))
    assert groups == Kin(kept).groups()
    assert 20 < len(kept) - len(groups) <= 40
    assert after.since == 9 and Alike.read(after.plain()) == after
    assert Kin(kept).groups_since(after) == (groups, after)


@pytest.mark.parametrize(
    "plain", [None, 7, ("", "", ""), (1, 2, "a b"), (1, "a"), {"since": 1}, (0, "x", "one two odd")]
)
def test_what_was_kept_of_groups_may_be_anything(plain: object) -> None:
    texts = ["deploys go through Jenkins", "Deploys go through Jenkins.", "the cache lives in Redis"]
    groups, _after = Kin(texts).groups_since(Alike.read(plain))
    assert groups == [[0, 1], [2]]


def test_only_what_is_new_is_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [f"service {number} writes its records to the table named records{number}" for number in range(40)]
    _groups, before = Kin(texts).groups_since(Alike())
    compared = count_calls(monkeypatch, Kin, "pairs")
    one = "the parser indents its output with tabs and never with spaces"
    groups, after = Kin([*texts, one, one.replace("never", "not")]).groups_since(before)
    assert not compared
    assert after.since == 2 and groups[-1] == [40, 41]
    # What came since adds up: in the end what is rare is found out anew.
    Kin([*texts, *(f"{one} {chr(97 + number) * 9}" for number in range(9))]).groups_since(after)
    assert compared


def count_calls(monkeypatch: pytest.MonkeyPatch, of: type, name: str) -> list[str]:
    made: list[str] = []
    real = getattr(of, name)

    def count(*values: object) -> object:
        made.append(name)
        return real(*values)

    monkeypatch.setattr(of, name, count)
    return made


def test_nearest_first_and_what_covers_before_what_does_not() -> None:
    kin = Kin(["测试文件放在 tests 目录", "测试文件必须放在 tests/ 目录下，不能放在别处", "部署在 k8s"])
    found = kin.like("测试文件必须放在 tests/ 目录下")
    assert found[0][0] == 1 and found[0][1].kind == "inside"


def test_ten_thousand_are_grouped_in_seconds_whatever_they_have_in_common() -> None:
    rng = random.Random(7)
    han = "项目使用数据库前端后端接口返回统一结构测试文件必须放在目录下部署环境变量配置缓存过期时间"
    texts = ["".join(rng.choices(han, k=18)) for _ in range(7000)]
    texts += [f"模块 {number % 50} 使用方案 {chr(0x4E00 + number)} 处理订单导出" for number in range(3000)]
    begun = time.process_time()
    groups = Kin(texts).groups()
    # Every pair would be fifty million.
    assert time.process_time() - begun < 20
    assert sum(map(len, groups)) == len(texts)


@pytest.mark.parametrize("piece", ["x", "/", "/a", "a.", "[[", "](", "x:", "中", "-"])
def test_one_endless_word_costs_little(piece: str) -> None:
    """A base64 blob or a minified line is one word of megabytes: it once took hours to say what it speaks of."""
    began = time.perf_counter()
    extract_terms(piece * (150_000 // len(piece)))
    assert time.perf_counter() - began < 10, "linear: it takes some hundredths of a second"


def test_paths_are_one_term() -> None:
    assert {"src/app/main.py", "d:/shop/notes.md"} <= extract_terms("see src/app/main.py, D:\\shop\\notes.md")
