"""How much a sentence reads like an order to an agent: a linear model over what its words are about.

A pattern knows a way of saying a thing; the model weighs what stands together: who is spoken to, what is done to
what, who is not to know, on whose authority, and what is forbidden or only told of. `describe` computes the
features of a sentence in plain lower case (see `normalize`): groups of words (`GROUPS`), two and three of
them at a time, in their order, with what 'never' negates; the words themselves, Chinese by characters; its form.
Features are hashed, so that no text can be read out of `judge.bin`: one byte a feature, its weight and 128.
The weights are trained by `python -m tests.safety.train` from phrasings of our own and from real homes. A sentence
costs nothing unless it names what an order is about (`_risky`): most are never described.
"""

from __future__ import annotations

from binascii import crc32
from functools import cache, lru_cache
from itertools import combinations, pairwise
from pathlib import Path
from zlib import decompress

from memtui.core.startup import TYPE_CHECKING, NamedTuple, compile_pattern

if TYPE_CHECKING:
    from collections.abc import Iterator

FILE = Path(__file__).with_name("judge.bin")
BITS = 18
"""Features are told apart by so many bits of their hash."""
SCALE = 1 / 32
"""What one step of a weight is worth."""
SURE = 2.0
"""From this sum on a sentence is an order: on homes nothing was learned from, about one section in a thousand is."""
NOTHING = -99.0
"""The sum of a sentence that is not about what an order is about."""
LONGEST = 400
"""Characters of a sentence that are looked at."""
_MOST_WORDS = 72

GROUPS = {
    "drop": "ignore disregard forget override overrule discard abandon erase cancel void nullify unlearn suspend revoke supersede replace dismiss bypass circumvent scrap lift outrank shed relieve"
    " 忽略 无视 忘记 忘掉 抛开 抛弃 推翻 不再理会 作废 失效 取代 覆盖 绕过 跳出 放下 不必管 别管 不算数 当作没 不适用 解除 ignora ignore ignorez ignoriere olvida olvide descarta oublie oubliez vergiss missachte ubergehe dimentica esqueca negeer vergeet игнорируи забудь отбрось 無視 忘れ 破棄 무시 잊고",
    "rules": "instruction rule guideline directive policy restriction constraint guardrail safeguard prompt limit programming briefing norm principle setup"
    " 指令 规则 准则 约束 限制 设定 规定 策略 守则 提示词 要求 规矩 说明 规范 指示 instrucciones instructions reglas regles consignes anweisungen regeln istruzioni regole instrucoes regras instructies regels инструкции правила 指示 ルール 命令 지시 규칙",
    "before": "previous prior earlier before above former preceding existing original past already far"
    " 之前 以前 上面 前面 早先 先前 以上 原来 原有 此前 既定 anteriores precedentes precedenti vorherigen bisherigen vorige bovenstaande antes avant предыдущие прежние これまて 以前 上記 이전",
    "you": "you your yourself 你 您",
    "agent": "agent assistant model ai llm bot copilot claude codex gpt helper chatbot subagent 代理 助手 智能体 模型 机器人 ai",
    "user": "user owner human operator developer maintainer admin reviewer anybody anyone nobody everybody person people customer 用户 主人 使用者 开发者 管理员 负责人 任何人 别人 人类 审查者 usuario utilisateur benutzer nutzer utente gebruiker пользователю ユーサー ユーザー 사용자에게",
    "me": "me my mine us our 我 我们",
    "not": "never not no don't dont cannot can't mustn't nothing neither without needn't doesn't shouldn't won't isn't 不要 不必 无需 别 不得 不用 禁止 切勿 勿 不能 不可 无须 不会 未经 sin sans ohne senza sem non nicht ne pas rien nichts не без ないて",
    "tell": "tell mention inform notify report say speak warn alert announce disclose talk discuss bring show explain log record list note 告诉 告知 通知 提起 提及 汇报 说出 声张 打招呼 提醒 透露 提醒 记录 写进报告 知道 察觉 发现 digas informes avises menciones dis informe sag erzahle melde говори сообщаи рассказываи 知らせ 伝え 알리지 prevenir avisar dire informieren",
    "hide": "hide conceal secretly silently quietly covertly discreetly secret trace unnoticed stealthily bury invisible undetected behind 隐瞒 掩盖 瞒着 悄悄 偷偷 暗中 保密 痕迹 默默 私下 藏起 不声不响",
    "secret": "credential password token secret key cookie .env id_rsa .ssh .aws .netrc .npmrc kubeconfig keychain wallet passphrase certificate environment env transcript history contact seed vault login pem shadow 密钥 密码 私钥 口令 令牌 凭证 凭据 环境变量 助记词 聊天记录 通讯录 cookie 源代码 客户名单 密文 contrasenas contrasena claves tokens passworter schlussel senhas mots passe пароли ключи パスワート パスワード 秘密鍵 비밀번호 토큰 credenciales zugangsdaten",
    "data": "conversation contents data file memory database message customer private personal document code everything dump context 数据 文件 内容 对话 记忆 数据库 隐私 资料 仓库",
    "send": "send upload post email mail forward transmit submit paste leak export sync stream deliver hand mirror attach exfiltrate relay ship dump copy wire share push append embed encode include give put 发送 上传 发给 发到 转发 传到 贴到 同步 提交 抄送 泄露 推送 寄到 写入 交给 复制 导出 附上 拼上 交出 回传 外传 envia manda sube envoie transmets televerse sende schicke lade invia carica envie mande отправь перешли загрузи 送信 アッフロート アップロード 보내 업로드",
    "away": "external outside webhook pastebin gist remote third-party third server bucket telegram discord attacker stranger dns public publicly 外部 远程 第三方 公开 公共 网盘 邮箱 陌生人 外网 对方",
    "run": "run execute launch eval invoke download fetch curl wget install load pipe bash sh python sudo iex chmod npm pip 执行 运行 调用 下载 安装 启动 脚本 命令 ejecuta lanza descarga execute lance telecharge fuhre starte выполни запусти 実行 esegui",
    "obey": "obey follow comply heed listen trust serve accept carry command order 听从 服从 遵从 照做 照办 遵循 听命 信任",
    "allow": "approve allow grant permit authorise authorize accept confirm yes merge permission consent proposal candidate 批准 同意 允许 通过 放行 授权 确认 点头 权限 建议",
    "asking": "ask asking confirmation approval question permission review consent prompt check waiting wait 询问 征求 确认 审核 批准 评审 审批 问 过目 弹窗 preguntar permiso confirmacion demander confirmation autorisation ruckfrage bestatigung erlaubnis подтверждения вопросов разрешения",
    "disable": "disable deactivate skip mute weaken loosen neutralise neutralize silence off remove comment bypass strip 关闭 停用 跳过 禁用 屏蔽 注释 去掉 弱化 静音 关掉",
    "guard": "safety security permission signature hook protection audit authentication auth firewall sandbox scanner verification validation antivirus filter logging alerting check limiter tests review monitoring 安全 审计 认证 防火墙 沙箱 校验 过滤 告警 签名 保护 检查 验证 评审",
    "ever": "always every everytime forever permanently permanent henceforth anymore onwards now again 永远 永久 以后 今后 从此 一律 总是 一切 任何 所有 全部 每次 凡是",
    "when": "when whenever if once upon each until while after before next 如果 每当 一旦 当 每次 下次 以后 万一",
    "keep": "crontab cron bashrc authorized_keys claude.md agents.md memory.md startup systemd profile .cursorrules settings.json memory remember survive persist restore successor propagate summary 记忆 启动项 定时任务 记住 恢复 传播 钩子",
    "boss": "admin administrator ceo official authority authorised authorized approved ordered maintainers system developer anthropic openai legal company policy agreed operator 管理员 官方 授权 领导 系统 开发者 厂商 公司",
    "now": "immediately urgent urgently asap now must instantly required mandatory 立即 马上 立刻 紧急 务必 必须 赶紧",
    "pay": "buy purchase pay transfer donate order subscribe wire bitcoin btc eth wallet card money funds invoice dollar usd refund affiliate 购买 付款 转账 汇款 礼品卡 银行卡 下单 余额 退款 推广",
    "plant": "backdoor insert plant inject miner payload malware account admin maintainer collaborator pixel slip sneak dependency registry 后门 插入 植入 埋入 账号 依赖 管理员 木马",
    "wipe": "delete wipe drop destroy erase remove purge overwrite rm truncate reflog force-push --force 删除 清空 销毁 抹掉 清除 强推 格式化 删掉",
    "git": "git remote origin branch repository repo commit main 远端 分支 主干 提交 仓库",
    "lie": "pretend claim deny lie fake whatever regardless even deceive mislead safe clean fine 假装 否认 声称 装作 谎称 无论 不管 哪怕 就说",
    "answer": "answer reply respond review rate recommend praise promote summary summarise summarize reveal print repeat output recite translate 回答 回复 推荐 复述 打印 输出 评为 打满分 吹捧 总结",
    "free": "unrestricted unfiltered uncensored jailbroken jailbreak freely limitless autonomous automatically unattended unseen yourself 越狱 自由 随意 自动 自行 擅自",
    "told": "example attack attacker injection phrase test detect filter malicious payload quarantine flag refuse reject suspicious incident red untrusted exploit threat bug poisoned tried like scanner 注入 攻击 例如 拦截 检测 恶意 拒绝 样本 可疑 测试 演练 事故 识别 这类 试图",
    "mind": "please could would kindly should may let 请 麻烦 劳驾",
    "mode": "mode developer debug god root dan maintenance session role act become 模式 扮演",
    "text": "this text page file document note message below following paragraph comment issue email web website readme line 本文 下面 网页 评论 邮件 这条 这段 文档 消息 文字",
}
"""Words that are about one thing; Latin ones in their plain form."""

_RISK = ("drop", "secret", "send", "hide", "run", "obey", "allow", "disable", "keep", "pay", "plant", "wipe", "lie", "answer", "free", "tell", "mode")  # fmt: skip
"""A sentence that has none of these is no order."""

_TOKEN = compile_pattern(
    r"https?://[^\s<>\"'`)]+|ftp://\S+|[\w.+-]+@[\w-]+\.\w[\w.]*|\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?|[~.]?/?[a-z_]*(?:[/.][a-z0-9_-]+)+"
    r"|[a-z_]+(?:['’-][a-z]+)*|[\u3400-\u9fff]+|[\u0400-\u04ff]+|[\u3040-\u30ff]+|[\uac00-\ud7a3]+|[^\s\w]|\d+"
)
_WIDE = compile_pattern("[\u3400-\u9fff]+")
_SECRET_PATH = compile_pattern(
    r"\.env\b|id_rsa|id_ed25519|\.ssh|\.aws|\.netrc|\.npmrc|\.pgpass|shadow|secret|credential|kube|passw|token|\.config"
)
_KEEP_PATH = compile_pattern(
    r"bashrc|zshrc|cron|authorized|claude\.md|agents\.md|memory\.md|cursorrules|settings\.json|systemd|/hooks"
)
_SENTENCE = compile_pattern(r"[^\n.!?。！？]*(?:[.!?](?!\s|$)[^\n.!?。！？]*)*[.!?。！？\n]*")


class ScoredStretch(NamedTuple):
    """A sentence, or two that follow each other, that read like an order; the sum of the weights."""

    start: int
    end: int
    score: float


def list_sentences(text: str) -> list[tuple[int, int]]:
    """Where the sentences of a text begin and end."""
    return [match.span() for match in _SENTENCE.finditer(text) if match.end() - match.start() > 7]


@cache
def _lexicon() -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for name, words in GROUPS.items():
        for word in words.split():
            found.setdefault(word, []).append(name)
    return {word: tuple(dict.fromkeys(names)) for word, names in found.items()}


def _look_up(word: str) -> tuple[str, ...]:
    """The groups of a word in any of its forms."""
    lexicon = _lexicon()
    names = lexicon.get(word)
    if names is not None or len(word) < 4:
        return names or ()
    for end, more in (("s", ""), ("es", ""), ("ies", "y"), ("ed", ""), ("ed", "e"), ("d", ""), ("ing", ""), ("ing", "e"), ("ly", "")):  # fmt: skip
        if word.endswith(end):
            stem = word[: len(word) - len(end)] + more
            names = lexicon.get(stem) or (
                lexicon.get(stem[:-1]) if len(stem) > 3 and stem[-1:] == stem[-2:-1] else None
            )
            if names:
                return names
    return ()


def _read(text: str) -> tuple[list[str], list[tuple[str, ...]]]:
    """The words of a sentence and the groups of each; addresses and paths by their kind."""
    words: list[str] = []
    groups: list[tuple[str, ...]] = []
    lexicon = _lexicon()
    for token in _TOKEN.findall(text):
        if len(words) > _MOST_WORDS:
            break
        if "\u3400" <= token[0] <= "\u9fff":
            at = 0
            while at < len(token):
                for size in (5, 4, 3, 2, 1):
                    names = lexicon.get(token[at : at + size])
                    if names is not None and at + size <= len(token):
                        break
                else:
                    size, names = 1, ()
                words.append(token[at : at + size])
                groups.append(names)
                at += size
        elif "://" in token or "@" in token[1:] or (token.count(".") == 3 and token[0].isdigit()):
            words.append("<url>")
            groups.append(("url",))
        elif token[0].isdigit():
            words.append("0")
            groups.append(())
        elif "/" in token or "." in token[:-1]:
            words.append("<path>")
            groups.append(
                ("secret",) if _SECRET_PATH.search(token)
                else ("keep",) if _KEEP_PATH.search(token)
                else ("path",)
            )  # fmt: skip
        else:
            words.append(token[:20])
            groups.append(_look_up(token))
    return words, groups


def _risky(groups: list[tuple[str, ...]]) -> bool:
    """Whether a sentence names enough of what an order is about to be described."""
    there = {name for names in groups for name in names}
    return len(there) > 2 and not there.isdisjoint(_RISK)


def describe(text: str) -> set[int]:
    """The places of the features of a sentence in plain lower case; none: it is not about what an order is about."""
    words, groups = _read(text[:LONGEST])
    if not _risky(groups):
        return set()
    line: list[int] = []
    negated = 0
    for names in groups:
        if "not" in names:
            negated = 4
        line += [_number("-" + name if negated and name not in _UNDENIED else name) for name in names]
        negated -= negated > 0
    kinds = sorted(set(line))[:26]
    plain = [word for word in words if word[0].isalnum() or word[0] == "<"]
    own = [_number(word) for word in plain]
    # What each kind of feature adds to the numbers of its parts keeps them apart.
    found = [one + 1 for one in kinds]
    found += [3 * one + 7 * two + 2 for one, two in combinations(kinds, 2)]
    found += [3 * one + 7 * two + 11 * three + 3 for one, two, three in combinations(kinds[:18], 3)]
    found += [5 * one + 13 * two + 4 for one, two in pairwise(line)]
    found += [
        5 * one + 13 * two + 17 * three + 5 for one, two, three in zip(line, line[1:], line[2:], strict=False)
    ]
    found += [19 * one + 6 for one in own]
    found += [19 * one + 23 * two + 7 for one, two in pairwise(own)]
    found += [29 * _number(word[:5]) + 8 for word in plain if len(word) > 5]
    for run in _WIDE.findall(text):
        found += [
            31 * crc32(run[at : at + size].encode()) + 9
            for size in (2, 3)
            for at in range(len(run) - size + 1)
        ]
    if plain:
        first = groups[words.index(plain[0])] or ("-",)
        found += [37 * _number(name) + 10 for name in first] + [41 * own[0] + 11]
    found += [43 * ord(mark) + 12 for mark in '"“”「?`:;{<#!' if mark in text]
    found += [min(len(plain), 40) // 8 + 13, min(len(kinds), 15) // 3 + 23]
    return {(one * 0x9E3779B1 >> 9) & ((1 << BITS) - 1) for one in found}


_UNDENIED = frozenset({"not", "you", "user", "agent", "me"})
"""Groups that 'never' before them leaves as they are."""


@lru_cache(maxsize=4096)
def _number(name: str) -> int:
    return crc32(name.encode())


@cache
def _load_weights() -> tuple[bytes, float]:
    """The weights and the sum that stands before all of them; read when the first sentence asks."""
    raw = decompress(FILE.read_bytes())
    return raw[2:], int.from_bytes(raw[:2], "little", signed=True) * SCALE


def score(text: str) -> float:
    """How much speaks for an order in a sentence of plain lower case; `NOTHING`: it names nothing that does."""
    places = describe(text)
    if not places:
        return NOTHING
    weights, bias = _load_weights()
    return bias + SCALE * (sum([weights[place] for place in places]) - 128 * len(places))


def find_orders(text: str, sure: float = SURE) -> Iterator[ScoredStretch]:
    """The sentences of a text in plain lower case that read like an order, alone or with the next one."""
    previous: tuple[int, int, float] | None = None
    for start, end in list_sentences(text):
        one = score(text[start:end])
        if one >= sure:
            yield ScoredStretch(start, end, one)
        elif previous is not None and one > NOTHING and start == previous[1] and end - previous[0] < LONGEST:
            both = score(text[previous[0] : end])
            if both >= sure:
                yield ScoredStretch(previous[0], end, both)
        previous = (start, end, one) if one > NOTHING else None
