"""What a Chinese sentence about trouble speaks of, where nothing in it is known by name.

There is no dictionary: what tells of trouble, of people and of work is cut away, and the stretch nearest to the
trouble that stays is the name.
"""

from __future__ import annotations

from memtui.core.startup import pattern

LONGEST = 8
"""Characters of a name."""

AROUND = (
    "用户 业务方 产品经理 产品 客户 评审 领导 同事 老板 代理 助手 人工 手动 手工 自己 我们 你们 他们 大家 目前 当前 暂时 现在 已经 之前 之后 上次 这次 本次 上周 "
    "本周 今天 昨天 线上 生产 现场 部分 全部 个别 大量 少量 所有 每个 每次 多次 再次 再度 依旧 依然 仍然 还是 一直 始终 总是 老是 反复 偶尔 偶现 偶发 突然 容易 "
    "错误 异常 失败 报错 出错 问题 超时 崩溃 闪退 故障 缺陷 漏洞 风险 隐患 现象 情况 毛病 原因 根因 导致 造成 引起 由于 因为 所以 结果 发现 出现 遇到 存在 触发 "
    "发生 修复 修改 修正 解决 排查 定位 处理 跟进 查明 优化 恢复 回滚 重启 重试 重跑 重写 重做 返工 撤回 打回 驳回 纠正 指出 指正 要求 提醒 强调 反馈 拒绝 不满意 "
    "不接受 不同意 禁止 改为 改成 换成 改用 改回 应该 应当 应为 必须 不要 不能 不该 不许 不对 不准 不到 不了 不上 不出 不开 不动 不一致 无法 没法 没办法 没有 未能 "
    "缺少 缺乏 缺失 不支持 不具备 只能 需要 可以 能够 进行 使用 直接 完成 实现 支持 验证 确认 查看 访问 打开 启动 运行 执行 加载 显示 返回 提示 日志 控制台 堆栈 "
    "太慢 很慢 变慢 缓慢 越来越 耗时 响应 卡住 卡死 卡顿 卡在 过高 过低 太大 太旧 太老 过大 飙升 上涨 持续 不足 不够 明文 泄露 泄漏 暴露 硬编码 写死 理解 有误 偏差 "
    "版本 冲突 不兼容 不匹配 安装 升级 下载 拉取 编译 构建 打包 部署 接口 页面 服务 数据 系统 环境 机器 功能 模块 代码 文件 配置 参数 字段 类型 方法 时候 以及 并且 "
    "但是 然后 怀疑 疑似 可能 似乎 好像 仍 待 补 用 被 把 将 从 到 在 与 和 及 或 为 对 给 向 让 使 由 按 以 的 了 着 过 吗 呢 吧 是 有 也 都 就 才 又 还 再 很 太 更 "
    "最 没 未 不 无 非 里 中 内 外 上 下 前 后 时 间 等 某 该 这 那 其 各 每 个 次 条 行 只 去 来 得 地 会 要 能"
)


_CUT = pattern("|".join(sorted(set(AROUND.split()), key=lambda word: (-len(word), word))))
_RUN = pattern("[\u3400-\u9fff]{2,}")


def spoken_of(sentence: str, start: int, end: int) -> list[str]:
    """At most one name: what stands nearest to the trouble, else what the trouble's own words speak of."""
    bare = _CUT.sub(lambda found: " " * len(found[0]), sentence)
    beside = bare[:start] + " " * (end - start) + bare[end:]
    bare = beside if _RUN.search(beside) is not None else bare
    best: tuple[int, int, str] | None = None
    for run in _RUN.finditer(bare):
        far = max(0, run.start() - end, start - run.end())
        if best is None or (far, run.start()) < best[:2]:
            best = (far, run.start(), run[0][:LONGEST])
    return [best[2]] if best is not None else []
