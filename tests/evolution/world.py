"""The world of the year that is replayed: four projects, what goes wrong in them again and again, and what is noise.

Each trouble is told in many wordings, as people tell it; work that only sounds like trouble is among the noise.
"""

from __future__ import annotations

from typing import NamedTuple


class Plant(NamedTuple):
    """Something that comes back: a regularity that must be found."""

    type: str
    project: str
    weeks: tuple[int, int]
    """First and last week of the year in which it happens."""
    share: float
    """In which part of the project's sessions."""
    words: tuple[str, ...]


PROJECTS = {"storefront": "en", "gateway": "zh", "mobile": "en", "warehouse": "zh"}

PLANTS = (
    Plant("environment_issue", "storefront", (2, 18), 0.45, (
        "CI could not reach Redis: ECONNREFUSED 127.0.0.1:6379 until the service container was started",
        "Redis was not running on the runner, connection refused on 6379",
        "Integration tests died with 'connect ECONNREFUSED' because no Redis was up",
        "Had to start redis-server by hand; the connection was refused",
        "Tests failed at first: Redis connection refused (docker compose was down)",
        "redis: connection refused in the pipeline, service was missing from the job",
    )),
    Plant("dependency_issue", "storefront", (22, 40), 0.45, (
        "npm install failed with ERESOLVE: react-dom wants react 19 as a peer dependency",
        "Peer dependency conflict between react and react-dom blocked the install",
        "ERESOLVE unable to resolve dependency tree (react-dom peer react@19)",
        "react / react-dom versions did not match, peer dependency error on install",
        "Installing broke on a react-dom peer dependency conflict",
        "The lock file pulled react-dom 18 again: peer dependency conflict with react",
    )),
    Plant("performance_issue", "storefront", (40, 51), 0.5, (
        "The orders list took 9 s: slow query on orders, no index on customer_id",
        "Slow query on orders again, the page timed out after 30 s",
        "GET /orders timed out; the orders query scans the whole table",
        "orders endpoint is very slow under load, p95 at 8 s",
        "Investigated why the orders list is so slow: N+1 queries on orders",
        "orders query still slow: 12 s on staging",
    )),
    Plant("correction", "mobile", (5, 26), 0.45, (
        "User corrected me: this repository uses pnpm, not npm",
        "I ran npm install again and was told to use pnpm",
        "Had to redo the install with pnpm after the user pointed out npm is wrong here",
        "The user said: no, use pnpm, not npm",
        "Corrected: pnpm instead of npm, package-lock.json removed again",
        "Was reminded that npm must not be used here, switched to pnpm",
    )),
    Plant("error", "mobile", (28, 51), 0.45, (
        "CheckoutFlowTest crashed with a NullPointerException in PaymentSheet",
        "NullPointerException in PaymentSheet when the sheet is dismissed",
        "App crashes: PaymentSheet throws NullPointerException on rotation",
        "The crash in PaymentSheet (NullPointerException) came up in QA",
        "PaymentSheet NPE: crash on resume",
        "Fixed a crash in PaymentSheet, NullPointerException on a missing token",
    )),
    Plant("environment_issue", "gateway", (3, 22), 0.45, (
        "Docker 没有启动，集成测试全部失败",
        "本地 Docker 守护进程未运行，测试跑不起来",
        "集成测试失败，原因是 Docker 没启动",
        "Cannot connect to the Docker daemon，启动 Docker 后恢复",
        "又忘了启动 Docker，Testcontainers 报错",
        "Docker 服务没有运行，Testcontainers 无法连接",
    )),
    Plant("dependency_issue", "gateway", (24, 42), 0.45, (
        "Lombok 与 JDK 21 版本冲突，编译失败",
        "编译报错：Lombok 版本不兼容 JDK 21",
        "Lombok 依赖冲突导致注解处理器失效",
        "升级 JDK 21 后 Lombok 版本不兼容，无法编译",
        "Lombok 版本冲突，找不到 getter",
        "依赖冲突：Lombok 1.18.20 不支持 JDK 21",
    )),
    Plant("security_issue", "gateway", (38, 51), 0.5, (
        "发现 JWT 密钥被打印到日志里，存在泄露风险",
        "日志中泄露了 JWT 密钥，已脱敏",
        "JWT 密钥明文出现在日志，属于安全漏洞",
        "代码评审发现日志泄露 JWT 密钥",
        "JWT 密钥泄露到访问日志，紧急轮换",
        "安全扫描报告：日志里有明文 JWT 密钥",
    )),
    Plant("performance_issue", "warehouse", (4, 24), 0.45, (
        "报表导出内存溢出，OutOfMemoryError",
        "导出大报表时 OOM，进程被杀",
        "报表导出太慢而且占用内存过高，最终 OOM",
        "月度报表导出又内存溢出了",
        "报表导出接口 OutOfMemoryError，改为流式写出",
        "导出十万行报表时内存溢出",
    )),
    Plant("capability_gap", "warehouse", (28, 46), 0.45, (
        "无法读取 Parquet 文件，当前环境没有可用的工具",
        "不支持直接解析 Parquet，只能让用户先转成 CSV",
        "没有能读 Parquet 的工具，任务搁置",
        "Agent 无法打开 Parquet 文件，请用户手动导出",
        "缺少解析 Parquet 的能力，改由用户提供样本",
        "Parquet 文件打不开，没有对应的工具支持",
    )),
)  # fmt: skip

WORK = {
    "en": (
        "Added pagination to the {noun} list", "Refactored the {noun} service into two modules",
        "Wrote unit tests for the {noun} parser", "Moved {noun} settings to the config file",
        "Implemented {noun} search with filters", "Documented the {noun} API", "Renamed {noun} fields to snake case",
        "Introduced a feature flag for {noun}", "Added a {noun} export as CSV", "Cleaned up dead code around {noun}",
        "Split the {noun} component", "Designed the {noun} schema", "Reviewed the {noun} pull request",
    ),
    "zh": (
        "为{noun}列表增加分页", "重构{noun}服务，拆成两个模块", "给{noun}解析器补充单元测试",
        "把{noun}配置移到配置文件",
        "实现{noun}搜索和筛选", "编写{noun}接口文档", "统一{noun}字段命名", "为{noun}加上功能开关",
        "支持{noun}导出 CSV",
        "清理{noun}相关的无用代码", "拆分{noun}组件", "设计{noun}表结构", "评审{noun}的合并请求",
    ),
}  # fmt: skip
NOUNS = {
    "en": ("invoice", "coupon", "profile", "address", "wishlist", "review", "shipment", "refund", "category",
        "banner",
           "audit", "tenant", "voucher", "notification", "session list", "cart", "gift card", "loyalty"),
    "zh": ("发票", "优惠券", "用户资料", "地址", "收藏夹", "评论", "物流", "退款", "分类", "横幅", "审计",
        "租户", "代金券",
           "通知", "会话列表", "购物车", "礼品卡", "积分"),
}  # fmt: skip
HARMLESS = {
    "en": (
        "Added error handling to the {noun} form", "Wrote a retry policy for {noun} timeouts",
        "All tests pass, 0 failures", "No errors in the {noun} logs after the release",
        "Improved the wording of {noun} error messages", "Set the {noun} timeout to 30 s",
        "Security review of {noun}: nothing found", "Upgraded the {noun} library to the next minor version",
        "Added a permission check dialog to {noun}", "Renamed ErrorBoundary in the {noun} page",
        "Benchmarked {noun}: fast enough, nothing to do",
    ),
    "zh": (
        "为{noun}表单实现错误处理", "为{noun}超时增加重试策略", "全部测试通过，没有失败", "上线后{noun}日志没有错误",
        "优化{noun}的错误提示文案", "把{noun}超时时间设为 30 秒", "{noun}安全评审：未发现问题",
        "把{noun}依赖升级到下一个小版本", "为{noun}增加权限校验弹窗", "{noun}性能测试达标，无需优化",
    ),
}  # fmt: skip
ONCE = {
    "en": (
        "{name} threw an IndexError on an empty list, fixed", "The {name} build broke on a missing semicolon",
        "Port 8{number} was in use by {name}, killed the old process", "{name} was slow once while the backup ran",
        "Could not install {name}: the wheel was missing for this platform",
        "User pointed out that {name} belongs into the other module", "{name} leaked an e-mail address in a log line",
    ),
    "zh": (
        "{name} 在空列表时抛出 IndexError，已修复", "{name} 构建失败，少了一个分号",
        "端口 8{number} 被 {name} 占用，已结束旧进程",
        "备份期间 {name} 偶尔变慢", "{name} 安装失败，缺少对应平台的包", "用户指出 {name} 应该放在另一个模块",
        "{name} 的日志里出现了一个邮箱地址，已脱敏",
    ),
}  # fmt: skip
NAMES = tuple(
    f"{first}{last}" for first in ("Acorn", "Birch", "Cedar", "Delta", "Ember", "Fjord", "Grove", "Heron",
        "Iris", "Juno",
                                   "Krill", "Larch", "Maple", "Nadir", "Onyx", "Plume", "Quill", "Raven",
        "Slate", "Tidal")
    for last in ("Sync", "Loader", "Queue", "Panel", "Worker", "Cache", "Mailer", "Index", "Router", "Probe")
)  # fmt: skip
ONCE_TYPES = (
    "error", "error", "environment_issue", "performance_issue", "dependency_issue", "correction", "security_issue",
)  # fmt: skip
DECISIONS = {
    "en": ("Keep {noun} ids as UUIDs", "Use cursor paging for {noun}", "Store {noun} amounts in cents"),
    "zh": ("{noun}编号统一用 UUID", "{noun}分页采用游标方式", "{noun}金额以分为单位存储"),
}

LESSONS = (
    ("Run the unit tests of the touched package before every commit", 0.95),
    ("先跑数据库迁移再启动服务", 0.95),
    ("Check the OpenAPI diff before changing a public endpoint", 0.95),
    ("修改接口前先看网关的路由配置", 0.95),
    ("Read the ADR folder before proposing a new library", 0.8),
    ("改动缓存键时同步更新失效脚本", 0.8),
    ("Format SQL migrations with the shared template", 0.8),
    ("提交前用 pre-commit 检查敏感信息", 0.8),
    ("Ask for a screenshot before changing the layout", 0.5),
    ("先在灰度环境验证再合并主干", 0.5),
    ("Regenerate the GraphQL types after each schema change", 0.5),
    ("大表加索引要放到夜间执行", 0.5),
    ("Restarting the dev server cures stale modules", 0.2),
    ("清理 node_modules 可以解决构建问题", 0.2),
    ("Bump the timeout when an end-to-end test is flaky", 0.2),
    ("遇到锁等待就重启数据库连接池", 0.2),
    ("Delete the lock file when an install fails", 0.05),
    ("编译失败时直接降级 JDK", 0.05),
    ("Disable the linter rule that complains", 0.05),
    ("接口超时时把重试次数调到十次", 0.05),
)
"""What is remembered, and in which part of the sessions that use it all goes well."""

OPPOSED = (
    ("The {name} service listens on port {a}", "The {name} service listens on port {b}"),
    ("{name} stores its data in PostgreSQL", "{name} stores its data in MySQL"),
    ("Deployments of {name} go out on Tuesdays", "Deployments of {name} go out on Fridays"),
    ("{name} uses Jest for tests", "{name} no longer uses Jest for tests; it uses Vitest"),
    ("Always cache {name} responses", "Never cache {name} responses"),
    ("{name} 服务监听端口 {a}", "{name} 服务监听端口 {b}"),
    ("{name} 的数据库使用 PostgreSQL", "{name} 的数据库改用 MySQL"),
    ("{name} 每周二发布", "{name} 每周五发布"),
    ("{name} 使用 Jest 做测试", "{name} 不再使用 Jest，换成 Vitest"),
    ("{name} 的响应必须缓存", "{name} 的响应禁止缓存"),
)
TWICE = (
    ("{name} writes its logs to stdout as JSON lines", "{name} writes logs as JSON lines to stdout"),
    ("Feature flags of {name} live in flags.yaml", "The feature flags of {name} live in flags.yaml."),
    ("{name} needs Node 22 or newer to build", "To build {name}, Node 22 or newer is needed"),
    ("{name} 的日志以 JSON 行格式写到标准输出", "{name} 日志以 JSON 行格式写入标准输出"),
    ("{name} 的功能开关放在 flags.yaml", "{name} 的功能开关都放在 flags.yaml 中"),
    ("{name} 构建需要 Node 22 以上版本", "构建 {name} 需要 Node 22 以上版本"),
)
PLAIN = (
    "{name} retries a failed call {a} times", "The {name} team meets in room {b}", "{name} keeps {a} days of history",
    "{name} talks to the {other} service over gRPC", "The owner of {name} is the {noun} team",
    "{name} publishes {noun} events to Kafka", "On staging {name} runs with {a} replicas",
    "In production {name} runs with {b} replicas", "{name} reads its secrets from Vault",
    "{name} 失败后重试 {a} 次", "{name} 保留 {a} 天历史", "{name} 通过 gRPC 调用 {other}", "{name} 由{noun}组负责",
    "{name} 向 Kafka 发送{noun}事件", "预发环境 {name} 部署 {a} 个副本", "生产环境 {name} 部署 {b} 个副本",
)  # fmt: skip
