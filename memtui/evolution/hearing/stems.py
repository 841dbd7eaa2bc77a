"""What must stand in a line, in small letters, for each sign of a table to be heard there.

Made from the signs by `python -m tests.evolution.hearing.stems`; an empty one tells nothing.
"""

from __future__ import annotations

MACHINE: tuple[tuple[str, ...], ...] = (
    (
        "error", "exception",
    ),
    (
        "rror", "xception",
    ),
    (
        "err_", "error[e", "exc_bad_access", "exit", "ora-", "p1", "p2", "p3", "pgrst", "sig", "sqlstate",
        "ts", "退出码",
    ),
    (
        "40", "5", "error", "fail", "gave", "gets", "getting", "got", "hit", "refused", "reject", "threw",
        "一直", "出现", "又", "响应", "总是", "报", "接口", "提示", "返回",
    ),
    (
        "core dump", "is not a function", "is not defined", "overflow", "panic", "redirect_uri_mismatch",
        "segfault", "segmentation fault", "traceback", "undefined ", "unhandled ", "unresolved ", "内核崩溃",
        "栈溢出", "段错误",
    ),
    (
        "connection", "could not resolve host", "econnrefused", "econnreset", "ehostunreach", "enotfound",
        "getaddrinfo", "name resolution", "refused ", "拒绝", "连接被拒",
    ),
    (
        "address already in use", "cannot connect to the docker daemon", "command not found",
        "docker daemon is not running", "eacces", "eaddrinuse", "emfile", "enospc", "eperm",
        "exec format error", "is not recognized as an internal", "no space left", "operation not permitted",
        "permission denied", "read-only file", "too many open files",
    ),
    (
        " not found", "abstractmethoderror", "cannot find ", "classnotfoundexception",
        "could not find a version that satisfies", "dll load failed", "eresolve", "etarget", "importerror",
        "modulenotfounderror", "no module named", "noclassdeffounderror", "nosuchmethoderror",
        "resolutionimpossible", "unable to resolve dependency", "unmet ",
    ),
    (
        "deadline exceeded", "deadlineexceeded", "esockettimedout", "etimedout", "heap out of memory",
        "killed", "memoryerror", "n + 1", "n+1", "oom", "timeout",
    ),
    (
        "cve-", "ghsa",
    ),
)  # fmt: skip

CHINESE: tuple[tuple[str, ...], ...] = (
    (
        "nan", "null", "undefined", "一直", "不", "丢包", "丢失", "中断", "列表", "反复", "反应", "回滚", "堆积", "失败", "好使",
        "宕机", "崩", "工作", "异常", "报", "挂", "效果", "数据", "构建", "检查", "没", "流水线", "测试", "生效", "用例", "白屏", "空指针",
        "结果", "编译", "联调", "能用", "起作用", "返回", "错", "闪退", "页面", "验收", "黑屏",
    ),
    (
        "bug", "不对", "不正确", "不稳定", "丢单", "串号", "主键冲突", "乱序", "事故", "偶发", "偶现", "出错", "合并冲突", "唯一键冲突", "多",
        "失效链接", "对不上", "少", "异常", "故障", "数据", "无限", "时好时坏", "显示", "有误", "死循环", "死锁", "没反应", "漏单", "空指针",
        "竞态", "缺陷", "被截断", "超卖", "越界", "跨域", "遮挡", "重复", "错了", "错位", "错单", "错误",
    ),
    (
        "bug", "不", "丢失", "失效", "失败", "异常", "无法", "重复", "错乱", "错位", "错误", "问题",
    ),
    (
        "不通过", "产品", "同事", "否决", "告知", "客户", "打回", "批评", "指出", "提醒", "未通过", "没通过", "测试同学", "用户", "纠正", "老板",
        "评审", "领导", "驳回",
    ),
    (
        "你说得对", "反馈", "弯路", "意见", "成", "推翻", "改正", "更正", "理解", "用户", "第一版", "被", "误以为", "误删", "误提交", "误改",
        "误用", "误解", "误认为", "返工", "重", "错",
    ),
    (
        "不对", "不是", "不要再", "不许再", "乱删", "乱改", "你", "写错", "删错", "别再", "又", "反了", "弄错", "强调", "忘了", "怎么",
        "我没", "搞错", "撤销", "改了不该", "改回", "改错", "没按", "漏了", "用错", "的是", "讲", "误删", "说", "错了",
    ),
    (
        "不能", "无法", "未能", "没办法", "没法", "没能",
    ),
    (
        "不", "人工", "代理", "只能", "工具", "当前环境", "权限", "沙箱", "没", "用户", "知识", "能力", "超出",
    ),
    (
        "一样", "上周", "之前", "今天", "依旧", "再度", "又", "反复", "同样的", "复发", "屡修屡犯", "已经", "循环出现", "总是", "昨天", "本周",
        "本月", "次", "相同", "类似", "老毛病", "老问题", "这周", "重复", "频繁",
    ),
    (
        "一样", "仍", "依然", "再度", "再次", "又", "每次都", "第", "还是",
    ),
    (
        "地址已被使用", "端口",
    ),
    (
        "docker", "kafka", "mysql", "ping 不通", "postgres", "redis", "不上", "不可达", "启动", "开启", "数据库", "无法连接",
        "服务", "模拟器", "没", "访问不到", "起不来", "运行", "连不通", "连接失败",
    ),
    (
        "不在", "不对", "丢失", "为空", "传入", "加载", "定义", "忘配", "没", "漏配", "生效", "缺", "设置", "配置", "配错", "错误",
    ),
    (
        ".env", "inode", "runner", "不准", "不同步", "不对", "偏移", "出现", "复现", "失败", "容器", "报错", "拒绝访问", "文件句柄",
        "时钟", "有问题", "服务器", "本地", "本机", "机器", "权限", "构建机", "架构不", "测试机", "环境", "硬盘", "磁盘", "空间", "过期", "配置",
        "镜像",
    ),
    (
        "locale", "不兼容", "不存在", "乱码", "失败", "找不到", "换行符", "未找到", "没有找到", "版本", "识别不了", "跑不", "路径", "错",
    ),
    (
        "vpn", "不", "代理", "域名", "失败", "安全组", "异常", "断网", "网络", "证书", "错误", "防火墙",
    ),
    (
        "不一致", "不兼容", "不匹配", "依赖地狱", "冲突", "升级", "对不上", "对等依赖", "循环依赖", "打架",
    ),
    (
        "lib", "不", "两个版本", "依赖", "包", "头文件", "库", "模块", "源", "缺失", "装",
    ),
    (
        "artifactory", "nexus", "npm 源", "pip 源", "registry", "不一致", "不同步", "仓库源", "冲突", "制品库", "对不上", "损坏",
        "校验和", "私服", "过期", "镜像源",
    ),
    (
        "一直转圈", "假死", "全表扫描", "分钟", "加载", "半天", "卡住", "卡死", "卡顿", "同步", "启动", "安装", "导出", "小时", "性能", "慢",
        "打开", "掉帧", "构建", "查询", "渲染", "瓶颈", "秒", "编译", "耗时",
    ),
    (
        "超时",
    ),
    (
        "cpu", "load", "p9", "rt", "内存", "协程", "句柄", "响应时间", "延迟", "监听器", "线程", "缓存", "负载", "连接",
    ),
    (
        "rce", "ssrf", "xss", "任意", "安全", "开放重定向", "弱口令", "提权", "撞库", "注入", "漏洞", "目录穿越", "被", "越权", "跨站",
        "路径穿越", "路径遍历", "远程",
    ),
    (
        "csrf", "他人", "任何人", "伪造", "其他", "别的", "加密", "密码", "授权", "暴力破解", "权限", "枚举", "校验", "猜到", "篡改", "绕过",
        "脱敏", "认证", "身份", "转义", "过滤", "重放", "鉴权", "验签",
    ),
    (
        "git", "上传到", "产物", "仓库", "代码", "写死", "出现", "前端", "安装包", "推到", "提交到", "日志", "明文", "暴露", "泄", "硬编码",
        "被", "配置", "镜像",
    ),
)  # fmt: skip

ENGLISH: tuple[tuple[str, ...], ...] = (
    (
        " arriv", " lost", " stuck", " work", "aborted", "appear", "apply", "arrive", "bailed out",
        "blew up", "breaks", "broke", "can't", "cannot", "choke", "corrupt", "could not", "couldn't",
        "crash", "cut off", "did not", "didn't", "does nothing", "doesn't", "double", "error", "fail",
        "finish", "fire", "flicker", "garbage", "gave up after", "ie", "inconsistent", "incorrect", "lose",
        "match", "misaligned", "misbehav", "never ", "no longer ", "off by ", "open", "overlap", "persist",
        "propagate", "reconnect", "red", "refresh", "refuse", "reload", "respond", "resume", "return",
        "rolled back", "scroll", "show", "stay", "stopped ", "stuck in", "sync", "thr", "trigger", "twice",
        "unable", "undefined behavio", "unreadable", "unusable", "update", "vanish", "went ", "will not",
        "won't", "would not", "wouldn't", "wrong", "ying",
    ),
    (
        "arithmetic", "blank ", "broken ", "buffer", "bug", "circular import", "corrupt", "cors", "counter",
        "crash", "data ", "deadlock", "duplicate key", "endless", "error", "failure", "flak", "incorrect",
        "infinite ", "integer", "lost", "memory safety", "merge conflict", "npe", "null pointer", "off-by-",
        "outage", "overwrote", "race condition", "redirect", "regression", "underflow", "white screen",
        "wrong",
    ),
    (
        " around", " down", " into", " out why", "cause", "chas", "debug", "diagnos", "fix", "investigat",
        "patch", "repair", "reproduc", "solv", "trac", "troubleshoot",
    ),
    (
        "asked", "complained", "corrected", "correction ", "insisted", "objected", "pointed out",
        "rejected the", "reminded", "reviewer ", "told", "user ",
    ),
    (
        " right", " what ", "asked", "assumed", "backed out", "did", "discarded", "done", "erroneously",
        "first", "guessed", "had to ", "incorrectly", "initial", "interpreted", "mistake", "misunderst",
        "not what", "objected", "previous", "read", "rejected", "scrapped", "start", "thought",
        "threw away", "thrown away", "understood", "user ", "wrong",
    ),
    (
        " back", "asked ", "don't touch", "i didn't ask ", "meant", "not what i ", "revert ", "said",
        "stop ", "that is not ", "that's not ", "this is not what", "told you", "undo ", "wanted", "wrong ",
        "you ",
    ),
    (
        " able to", "can not", "can't", "cannot", "could not", "couldn't", "had no way ", "have no way ",
        "impossible to", "no way to", "unable to",
    ),
    (
        " to ", "accessible", "account", "at hand", "available", "beyond ", "capability gap", "configured",
        "credentials", "documentation", "environment", "have ", "installed", "know ", "knowledge", "lack",
        "login", "missing capabilit", "no ", "not familiar with", "on this box", "on this machine",
        "outside ", "possible", "reachable", "sandbox", "support", "understand the ",
    ),
    (
        " back", " time", "again and again", "breaking", "bug", "crashing", "failing", "fifth", "fourth",
        "friend", "happening", "issue", "over and over", "popping up", "problem", "reappear", "recurr",
        "reoccur", "repeated", "resurfac", "returning", "same ", "second", "struck again", "third",
        "timing out", "trouble",
    ),
    (
        "again", "as with the last", "before", "every ", "last time", "last week", "once more", "persist",
        "repeatedly", "same ", "still ", "yesterday", "yet another",
    ),
    (
        "address", "port",
    ),
    (
        " not", "broker", "come up", "connect to", "database", "docker", "down", "emulator", "mysql", "n't",
        "not ", "offline", "postgres", "reach", "redis", "start", "stopped",
    ),
    (
        "defined", "empty", "exported", "forgot", "lacked", "missing", "n't ", "never ", "not ", "passed",
        "pointed ", "set", "stale", "was never", "wrong",
    ),
    (
        "clock ", "exhausted", "filled up", "full", "lacked", "lacking", "lacks", "missing", "not writable",
        "out of disk", "out of space", "owned by root", "permission", "quota exceeded", "ran out of ",
        "ulimit", "without",
    ),
    (
        " up the ", " version ", " work", ".env", "architecture", "available", "break", "broke", "clock",
        "container", "crash", "crlf", "differ", "expired", "fail", "garbled", "image", "installed",
        "locally", "missing", "mojibake", "not found in ", "not logged in", "on my machine", "only ",
        "pid file", "process", "socket", "unicode", "volume", "wrong ",
    ),
    (
        "broke", "certificate", "error", "fail", "firewall", "network ", "no network", "not resolv",
        "proxy", "self-signed", "vpn", "wrong",
    ),
    (
        "bump", "cannot be installed together", "clash", "conflict", "dependency ", "incompatible",
        "mismatch", "not compatible with", "peer", "unmet", "updat", "upgrad", "version ",
    ),
    (
        " find ", "binaries", "binary", "broke", "copies", "could", "errored", "fail", "install", "missing",
        "no longer ", "no matching ", "refus", "resolve", "unpublished", "version", "wheel", "yanked",
    ),
    (
        " from ", "broken", "cargo.lock", "check failed", "conflict", "corrupt", "drift", "gemfile.lock",
        "go.sum", "mismatch", "out of ", "outdated", "package-lock", "pnpm-lock", "poetry.lock", "registr",
        "stale", "uv.lock", "yarn.lock",
    ),
    (
        " pause", "akes", "aking", "anging", "angs", "bottleneck", "cpu", "crawl", "freez", "froze",
        "full table scan", "hundreds of", "jank", "lag", "memory", "never finishe", "ook", "performance ",
        "ram", "slow", "sluggish", "stutter", "thousands of", "too many", "ung", "unresponsive",
    ),
    (
        " out", "time",
    ),
    (
        "climb", "connection", "cpu", "degrad", "descriptors", "doubled", "exhaust", "goroutine", "handle",
        "high ", "jumped", "listener", "memory", "regress", "rose", "shot up", "spik", "thrashing",
        "thread", "tripled", "went up",
    ),
    (
        " bypass", "cross-site scripting", "csrf ", "directory traversal", "idor", "injection", "insecure ",
        "open redirect", "path traversal", "privilege escalation", "rce", "remote code execution",
        "security ", "ssrf", "vulnerabilit", "vulnerable", "xss",
    ),
    (
        " could", "access", "auth", "check", "could be ", "csrf", "escaped", "exposed", "guard", "limit",
        "openly", "other ", "ownership", "password", "permission", "public ", "publicly", "readable",
        "sanitised", "sanitized", "signature", "tenant", "validated", "validation", "verification",
        "verified", "without ", "writable",
    ),
    (
        "checked in", "coded", "committed", "expos", "history", "in clear", "in plain", "leak", "logged",
        "printed", "public", "pushed", "stolen", "visible in the ",
    ),
)  # fmt: skip
