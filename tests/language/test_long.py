"""Two long sessions as they really go, and the whole of what is kept of them."""

from __future__ import annotations

from memtui.language import summary
from memtui.language.items import MOST, count_characters
from tests.language.script import talk

QUEUE = """
U: Hi Claude, I'd like to move our background jobs from cron to a proper queue.
We have about 12 cron scripts in scripts/cron, they overlap and nobody knows when one fails.
Can you look at what we have and propose something?
A: I'll start by reading the cron scripts.
$ ls scripts/cron => billing.py cleanup.py digest.py
A: Here's what I found: three scripts touch billing, the rest are cleanups.

**Option A**: Celery with Redis
**Option B**: Postgres-backed queue (procrastinate)
**Option C**: keep cron, add locking

I'd recommend B, since you already run Postgres. Which one do you want?
U: Let's go with B, we don't want to operate Redis. And keep the job functions in app/jobs, one file per domain.
A: Great, I'll set it up.
$ pip install procrastinate => ok
W: app/jobs/__init__.py, app/jobs/billing.py
$! pytest tests/jobs => E   procrastinate.exceptions.ConnectorException: relation "procrastinate_jobs" does not exist
A: The queue's schema isn't there yet.
$ procrastinate schema --apply => done
$ pytest tests/jobs => 7 passed
A: I've moved the billing jobs to procrastinate and added retries with exponential backoff.

The tests failed at first because the queue's schema must be applied
with `procrastinate schema --apply` before the first run.
U: ok nice. wait, you installed it with pip? we use uv for everything, never pip, otherwise the lockfile drifts
A: You're right, sorry.
$ uv add procrastinate => ok
$ git commit -m "feat(jobs): run billing jobs on procrastinate" => ok
U: now the digest emails. they must go out at 7am Berlin time, not UTC
W: app/jobs/digest.py
$ pytest tests/jobs => 11 passed
$ git commit -m "feat(jobs): send digests at 07:00 Europe/Berlin" => ok
A: The digest job is scheduled for 07:00 Europe/Berlin and survives DST changes.

Remaining:
- Move cleanup.py and the 9 other scripts
- Alert on failed jobs (no Slack webhook yet)
U: 👍 let's stop here, I'll do the alerts myself tomorrow. Thanks!
"""

PAYMENT = """
U: 这个仓库是我们的订单服务，Spring Boot 3.2。线上偶发重复扣款，日志我贴一下：

2026-02-01 12:00:01 ERROR PaymentService - duplicate charge order=123
2026-02-01 12:00:02 ERROR PaymentService - duplicate charge order=123

帮我定位一下原因并修复
A: 我先看一下 PaymentService 的实现。
A: 根因是支付回调没有做幂等，网关超时重试时会重复调用 `charge()`。

方案一：数据库唯一索引 + 幂等表
方案二：Redis 分布式锁
U: 用方案一，Redis 锁不可靠，之前出过事故
W: src/main/java/order/PaymentService.java, src/main/resources/db/V12__idempotent.sql
$! mvn test => org.flywaydb.core.api.FlywayException: Found more than one migration with version 12
A: 版本号冲突，改成 V13。
W: src/main/resources/db/V13__idempotent.sql
$ mvn test => Tests run: 88, Failures: 0, Errors: 0
A: 已修复重复扣款：新增幂等表并对 order_id 建唯一索引，回调先插入幂等记录再扣款。
U: 很好。另外以后数据库迁移文件的版本号一律用时间戳，不要用递增数字，老是冲突
A: 好的，已改为 V20260201120000__idempotent.sql。
$ git commit -m "fix: 支付回调幂等，避免重复扣款" => ok
U: 对账脚本下次再弄。记一下：支付网关的测试环境地址是 https://sandbox.pay.example.com，回调超时是 5 秒
A: 记下了。
"""


def test_a_long_session_in_english() -> None:
    found = summary.extract(talk(QUEUE))
    assert found.topic.startswith("Move our background jobs from cron to a proper queue")
    assert found.decisions[0].startswith("Chose option B: Postgres-backed queue (procrastinate)")
    assert "Run billing jobs on procrastinate" in found.done
    assert "Move cleanup.py and the 9 other scripts" in found.todos
    assert found.files == ("app/jobs/__init__.py", "app/jobs/billing.py", "app/jobs/digest.py")
    assert found.outcome == "success: tests pass"
    assert [one.kind for one in found.learned] == ["lesson", "rule"]
    assert found.learned[0].text.endswith("fix: `procrastinate schema --apply`")
    assert found.learned[1].text.startswith("We use uv for everything, never pip")
    assert count_characters(found) <= MOST


def test_a_long_session_in_chinese() -> None:
    found = summary.extract(talk(PAYMENT))
    assert [one[:20] for one in found.decisions] == ["选择方案 1：数据库唯一索引 + 幂等表"]
    assert found.done[0] == "支付回调幂等，避免重复扣款"
    (left,) = found.todos
    assert left.endswith("对账脚本下次再弄")
    assert found.outcome == "success: 测试通过"
    kept = {one.text: one for one in found.learned}
    assert kept["以后数据库迁移文件的版本号一律用时间戳，不要用递增数字，老是冲突"].category == "数据库"
    assert kept["支付网关的测试环境地址是 https://sandbox.pay.example.com，回调超时是 5 秒"].asked
    assert not any("duplicate charge" in one.text for one in found.learned)
    assert count_characters(found) <= MOST
