"""What is kept of a talk in which an agent reports at length."""

from __future__ import annotations

import time

from memtui.language.classify import judge_talk
from memtui.language.reports import FILE, KINDS, describe_places, is_reported_at_length, judge_reports, load_weights
from memtui.language.sentences import split_talk
from memtui.language.summary import extract
from tests.language.script import talk

REPORT = """
U: the invoices page shows yesterday's totals until I reload, can you fix that
A: I'll look at how the totals are loaded.
$ rg useTotals src => src/totals.ts:12
W: src/totals.ts
$ npm test => Tests: 31 passed
A: Here is what was wrong and what I changed.

### Cause
`useTotals` kept its answer in a module variable, so the cache was never dropped when the date changed.
The query key did not contain the date, therefore React Query returned the old answer.

### Changes
- `src/totals.ts`: the query key now contains the date
- `src/totals.ts`: removed the module variable
- `src/api.ts`: sends `Cache-Control: no-store`

`npm test` passes.

If you like I can do the same for the orders page.
"""

CHINESE = """
U: 为什么容器启动以后健康检查一直不通过
A: 我先看一下启动日志。
$ docker logs web => listening on 127.0.0.1:8080
A: 原因已经找到了。

## 根本原因
服务只监听 127.0.0.1，所以容器外的健康检查连不上端口。
镜像里没有安装 curl，健康检查脚本调用 curl 导致失败。

## 修改内容
- `Dockerfile`：安装了 curl
- `server.ts`：改为监听 0.0.0.0

## 下一步
1. 重新构建镜像
2. 重新部署测试环境
"""


def test_causes_are_learned_from_a_report() -> None:
    told = extract(talk(REPORT))
    learned = " ".join(one.text for one in told.learned)
    assert "module variable" in learned or "query key did not contain the date" in learned
    assert any("query key now contains the date" in text for text in told.done)
    assert not any("orders page" in one.text for one in told.learned)


def test_causes_are_learned_from_a_chinese_report() -> None:
    told = extract(talk(CHINESE))
    assert any("127.0.0.1" in one.text or "curl" in one.text for one in told.learned)
    assert any("重新构建镜像" in text for text in told.todos)
    assert any("0.0.0.0" in text for text in told.done)


def test_nobody_reports_in_a_chat() -> None:
    chat = talk("U: use tabs\nA: Done.\nU: thanks\nA: Sure.")
    sentences = split_talk(chat.said)
    assert not is_reported_at_length(sentences)
    assert judge_reports(sentences, judge_talk(sentences)) == []
    assert judge_reports((), []) == []


def test_explanations_alone_reach_nothing_and_miss_nothing() -> None:
    told = extract(
        talk("""
U: what does the double dot mean between two branches in git log?
A: The double dot selects commits of the second branch that the first one does not have.

It is short for excluding the first branch.
With three dots you get the commits that only one of the two has.
Neither of them changes anything.
""")
    )
    assert told.outcome.startswith("unknown")
    assert not told.done


def test_answers_by_number_are_decisions_each() -> None:
    told = extract(
        talk("""
U: split the importer into modules, first tell me your plan and what you need to know
A: I'd move the parsers out first. Some questions:

1. **Layout**: Do you prefer one file for all parsers or one file for each of them?
2. **Tests**: Should I write the tests now, or move the code first?
3. **Naming**: Is `createImporter` fine for the factory?
U: 1. one file each
2. move the code first
3. call it makeImporter
""")
    )
    assert [text for text in told.decisions if "→" in text] == [
        "Layout → one file each",
        "Tests → move the code first",
        "Naming → call it makeImporter",
    ]


def test_a_row_has_a_weight_for_each_of_its_numbers() -> None:
    recorded = talk(REPORT)
    sentences = split_talk(recorded.said)
    rows = describe_places(sentences, judge_talk(sentences, recorded.steps), recorded.steps)
    weights = load_weights()
    assert len(weights.rows) == len(weights.bias) == len(KINDS)
    assert {len(row) for row in (*rows, *weights.rows)} == {len(rows[0])}
    assert FILE.stat().st_size < 10_000


def test_a_report_twice_as_long_takes_twice_as_long() -> None:
    def take(times: int) -> float:
        said = split_talk(talk(REPORT * times).said)
        judged = judge_talk(said)
        best = 1e9
        for _ in range(3):
            begun = time.process_time()
            judge_reports(said, judged)
            best = min(best, time.process_time() - begun)
        return best

    take(1)
    assert take(24) < 4 * take(8)
