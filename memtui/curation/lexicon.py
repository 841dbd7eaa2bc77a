"""Words as they are compared: what means the same, what means nothing by itself, what rules what out. Data, and pure.

Chinese is not cut into words: what stands here is known as a word, everything else is its characters.
"""

from __future__ import annotations

import re
from functools import lru_cache

NOT = "¬"
"""The concept of every word that denies."""


def _groups(text: str) -> list[list[str]]:
    return [group.split() for group in text.split("|")]


_SAME = _groups(
    """
store keep kept save hold held live reside locate stay 存储 存放 存到 存在 存入 保存 放在 放到 放 位于
存 | doc documentation 文档 | db database 数据库 | k8s kubernetes | repo repository 仓库 | config
configuration setting 配置 | auth authentication | env environment 环境 | dir directory folder 目录 |
app application 应用 | prod production 生产环境 生产 线上 | dev development 开发环境 | e2e end-to-end |
ts typescript | js javascript | postgres postgresql pg | every each 每 每个 每次 | run ran execute 运行
执行 跑 | before 之前 以前 前 | after 之后 以后 后 | call name invoke | create generate make made
produce 生成 创建 | write written wrote 编写 书写 写 | change modify alter edit 修改 更改 | remove
delete 删除 移除 | verify check validate 校验 检查 验证 | pr pull-request mr 合并请求 | message msg 消息
| parameter param argument 参数 | function func 函数 | log 日志 | test 测试 | deploy 部署 | publish
release 发布 | prefer like want wish 偏好 喜欢 希望 想要 倾向 | dependency dep 依赖 | answer reply
response 回答 回复 | comment 注释 | print output 打印 输出 | only 只 仅 只能 仅限 | start begin boot
启动 开始 | English 英文 英语 | Chinese 中文 汉语 | error 错误 报错 | information info 信息 | admin
administrator 管理员 | version ver 版本 版本号 | append-only append | compress 压缩 | convert transform
转换 | max maximum most 最多 最大 上限 不超过 不要超过 不能超过 不得超过 不大于 不高于 不多于 以内 | min
minimum least 最少 最小 下限 至少 不少于 不低于 不小于 不得低于 不能低于 最低 最短 | limit cap restrict
限制 | calculate compute 计算 | below less 低于 小于 少于 不到 以下 | above exceed 高于 大于 超过 多于
以上 | default 默认 缺省 | push 推送 | pull 拉取 | merge 合并 | commit 提交 | branch 分支 | cache 缓存 |
timeout 超时 | retry 重试 | queue 队列 | cluster 集群 | password 密码 | permission 权限 | alert 告警
报警 | monitor 监控 | user 用户 | service 服务 | interface api 接口 | index 索引 | module 模块 | page
页面 | approve approval 审批 批准 同意 | manage maintain 管理 维护 | review 评审 审查 | import 导入 |
export 导出 | upload 上传 | download 下载 | request 请求 | table 数据表 | column field 字段 | size 大小
尺寸 | hand manual manually 手动 手工 | millisecond 毫秒 毫秒级 | second 秒级 | microsecond 微秒 微秒级
| short concise brief 简短 简洁 精简 | detailed verbose 详细 | night 夜里 夜间 晚上 | owner lead
maintainer 负责人 维护人 | address url 地址 | string 字符串 | number 编号 | front-end frontend 前端 |
back-end backend 后端 | template 模板 | sync synchronous 同步 | async asynchronous 异步 | public 公开 |
private 私有 | monday 周一 星期一 | tuesday 周二 星期二 | wednesday 周三 星期三 | thursday 周四 星期四 |
friday 周五 星期五 | saturday 周六 星期六 | sunday 周日 星期日 星期天 | morning 上午 早上 | afternoon
下午 | upstream 上游 | downstream 下游 | 上线 | 下线 | 上级 | 下级 | 上一 | 下一 | 上月 | 下月 | 上周 |
下周 | internal 内部 | external 外部 | middleware 中间件 | centre center 中心 | 中间
"""
)
_EMPTY = """
a an the is are was were be been being now has have had to of it its will would we our us you your this
that these those use uses using used with via by through in on at for from into onto and do does did
should must shall may can could might need needs needed be get gets got come comes go goes please always
currently already here there within under over as when so also just per own set sets which under their
they them he she his her one's all any done 的 了 地 得 已 已经 被 是 为 用 使用 采用 改用 改为 改成
换成 换为 成 到 设 设为 设置为 现在 目前 将 把 由 由于 就 也 仍 还 请 统一 需 需要 必须 要 应 应该 应当
务必 一定 都 均 全部 所有 会 在 里 里面 中 内 上 下 时 来 与 和 及 以及 并 并且 按 按照 通过 依靠 基于
从 向 对 给 一次 自动 自行 一律 始终 总是 仍然 依然 仍旧 还是 still anymore 经过 控制 一定要 始终要 当前
如今 允许 可以 可 能 能够 使 让 进行 做 作为 实现 本 该 此 其 之 于 至 allow allowed allows permit
permitted permits longer more 再 以 走
"""
_SEVERAL = {
    "hourly": "every hour", "daily": "every day", "nightly": "every night", "weekly": "every week",
    "monthly": "every month", "yearly": "every year", "每天": "every day", "每日": "every day",
    "每个月": "every month", "每个小时": "every hour", "每周一": "every monday",
    "每周二": "every tuesday", "每周三": "every wednesday", "每周四": "every thursday",
    "每周五": "every friday", "每周六": "every saturday", "每周日": "every sunday",
    "每晚": "every night", "每夜": "every night", "每天晚上": "every night", "每天夜里": "every night",
    "每小时": "every hour", "每周": "every week", "每月": "every month", "每年": "every year",
}  # fmt: skip
"""Words that are two."""
_DENYING = """
not no never none cannot nor don doesn isn aren won can't don't doesn't isn't aren't won't mustn't
shouldn't avoid stop stopped stops forbid forbidden forbids prohibit prohibited ban banned disallow
disallowed disallows deprecated deprecate dropped refuse without 不 不要 不得 不能 不可 不可以 不许 不准
不应 不该 不必 不用 不再 不允许 无需 无须 没有 没 禁止 严禁 勿 切勿 别 避免 拒绝 停止 弃用 已弃用
不再使用 废弃 不需要 不用再 不要再
"""
_OPPOSED = _groups(
    """
enable disable 开启 关闭 启用 禁用 打开 关掉 激活 停用 enabled deactivate | on off | enabled disabled |
required optional 必填 选填 | true false | include exclude 包含 排除
"""
)
_RIVALS = _groups(
    """
postgresql mysql mariadb oracle sqlite mongodb cockroachdb tidb sqlserver dynamodb cassandra db2 达梦
oceanbase | npm yarn pnpm bun | jest vitest mocha jasmine ava | pytest unittest nose | webpack vite
rollup parcel esbuild turbopack | react vue angular svelte | redux zustand mobx pinia vuex recoil jotai
| kafka rabbitmq rocketmq nats pulsar activemq | redis memcached valkey hazelcast | aws gcp azure heroku
阿里云 腾讯云 华为云 | black yapf autopep8 | eslint biome tslint | flask django fastapi tornado | mypy
pyright pyre | jenkins travis circleci gitlab-ci | rest graphql grpc soap | docker podman | kubernetes
nomad swarm | svn git mercurial | celery dramatiq rq huey | apollo nacos consul | cordova flutter
react-native ionic | maven gradle ant | poetry pipenv pip uv | sendgrid mailgun postmark ses | sequelize
prisma typeorm | sqlalchemy peewee tortoise | snake_case camelcase pascalcase kebab-case 下划线 驼峰 |
tab space | light dark 浅色 深色 | English Chinese | monday tuesday wednesday thursday friday saturday
sunday | master main trunk develop | utf-8 gbk gb2312 latin-1 utf-16 | json xml yaml toml | utc 北京时间
gmt | short long detailed concise verbose terse brief | squash rebase merge | 钉钉 飞书 企业微信 slack
teams | zsh bash fish | vim emacs vscode | single double | success failure | millisecond second
microsecond | sync async | public private | asc desc | 正序 倒序 | 语雀 confluence notion | sentry
rollbar bugsnag | 元 分 | 自增 雪花 uuid | jwt session cookie oauth | rbac abac acl | 乐观锁 悲观锁 |
http https | float integer decimal | past imperative present
"""
)

_VOWEL = re.compile(r"[aeiouy]")
_HAN = "\u3400-\u9fff"


@lru_cache(maxsize=1 << 14)
def stem(word: str) -> str:
    """A Latin word without its ending, roughly; names and what holds a digit stay."""
    if len(word) < 4 or not word.isalpha() or not word.isascii():
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "shes", "ches", "xes")):
        word = word[:-2]
    elif word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    if word.endswith("ation") and len(word) > 7:
        return word[:-3]
    for ending in ("ing", "ed"):
        cut = word[: -len(ending)]
        if word.endswith(ending) and len(cut) > 2 and _VOWEL.search(cut):
            word = cut[:-1] if cut[-1] == cut[-2] and cut[-1] not in "ls" else cut
            break
    return word[:-1] if word.endswith("e") and len(word) > 3 else word


def _table() -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for group in _SAME:
        first = stem(group[0].lower())
        found |= {stem(word.lower()): (first,) for word in group}
    for group in _OPPOSED:
        for number, word in enumerate(group):
            # The second of each two is the first, denied.
            meant = stem(group[0].lower())
            found[stem(word)] = (meant, NOT) if number % 2 else (meant,)
            found[word] = found[stem(word)]
    found |= {form: () for word in _EMPTY.split() for form in (word, stem(word))}
    found |= {word: tuple(several.split()) for word, several in _SEVERAL.items()}
    found |= {form: (NOT,) for word in _DENYING.split() for form in (word, stem(word))}
    return found


_MEANT = _table()
_RIVAL = {
    (_MEANT.get(stem(word.lower())) or (stem(word.lower()),))[0]: f"<{number}>"
    for number, group in enumerate(_RIVALS)
    for word in group
}
HAN_WORDS = sorted(
    {word for word in (*_MEANT, *(word for group in _RIVALS for word in group)) if word[0] >= "\u3400"},
    key=len,
    reverse=True,
)
"""What is known as a word in Chinese, longest first."""


def concepts(word: str) -> tuple[str, ...]:
    """What a folded word means: one concept, none, or one denied."""
    known = _MEANT.get(word)
    if known is None:
        word = stem(word)
        known = _MEANT.get(word)
    return (word,) if known is None else known


def rivals(concept: str) -> str:
    """The name of the class of which only one is used at a time; empty: none is known."""
    return _RIVAL.get(concept, "")
