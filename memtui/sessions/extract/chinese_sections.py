"""The sections of rules.md for what is said in Chinese."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memtui.sessions.extract.tongue import words

if TYPE_CHECKING:
    import re

CATEGORIES: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        "沟通",
        words(
            r"回答|回复|解释|沟通|交流|emoji|表情|简洁|精简|废话|总结|称呼|用户(?:更|比较)?(?:喜欢|偏好).{0,6}(?:中文|英文)"
        ),
    ),
    ("提交", words(r"提交|commit|分支|合并|PR\b|rebase|squash|推送|git|push|tag|changelog")),
    ("测试", words(r"测试|用例|pytest|jest|vitest|mock|覆盖率|断言|单测|e2e")),
    ("命名", words(r"命名|变量名|函数名|表名|前缀|后缀|驼峰|下划线|snake_case|camelCase|开头|结尾")),
    ("依赖", words(r"依赖|npm|pnpm|yarn|\bpip\b|\buv\b|poetry|包管理|安装|第三方库")),
    ("数据库", words(r"数据库|迁移|表结构|字段|索引|SQL|Postgres|MySQL|SQLite|Mongo|查询|ORM")),
    ("部署", words(r"部署|发布|上线|生产|线上|环境|docker|k8s|CI|流水线|端口|服务器|回滚")),
    ("安全", words(r"密钥|密码|token|权限|加密|安全|鉴权|认证|脱敏")),
    ("接口", words(r"接口|API|路由|请求|响应|返回值|GraphQL|REST|gRPC")),
    ("文档", words(r"文档|README|注释|md\b")),
    ("编码规范", words("")),
)
