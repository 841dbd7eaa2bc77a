"""How sentences give one thing one value, as patterns: subject, value, what it is for. English and Chinese. Data.

Groups: `subject` has the `value`; `done` and `how` are what is done with it ('built', 'with'); `tail` is what for;
`many` marks words that may give several values at once ('uses').
"""

from __future__ import annotations

import re

from memtui.pattern import pattern

_PIECE = r"(?:[^\s,，;；。:：]|(?<=\w):(?=\d))+"
_VALUE = rf"(?P<value>{_PIECE}(?: {_PIECE}){{0,4}}?)"
_THE = r"(?:the |an? )?"
_KINDS = (
    r"port|version|database|manager|framework|editor|language|address|url|domain|endpoint|path|directory|folder"
    r"|branch|format|encoding|time ?zone|unit|indent(?:ation)?|timeout|interval|limit|expiry|owner|lead|maintainer"
    r"|contact|model|theme|default|linter|formatter|orm|bus|store|queue|broker|cache|engine|provider|host|runtime"
    r"|bundler|library|compiler|platform|runner|registry|bucket|license|colou?r|name|prefix|suffix|strategy|tool"
    r"|primary key|protocol|algorithm|charset|locale|currency|retention|lifetime|ttl|budget|quota|capacity"
    r"|threshold|concurrency|rate|frequency|deadline|font|layout|extension|separator|delimiter|entry point"
    r"|image|proxy|scheduler|reviewer|approver|cluster|zone|stack"
    r"|schedule|day|time|size|length|level|mode|region|style|styling|hosting"
)
_HAN_KINDS = (
    r"端口|版本号?|数据库|管理器?|框架|编辑器|语言|地址|域名|入口|路径|目录|分支|格式|编码|时区|单位"
    r"|缩进|超时(?:时间)?|间隔|上限"
    r"|下限|有效期|过期时间|负责人|维护人|接口人|模型|主题|默认值?|队列|中心|缓存|引擎|平台|服务商"
    r"|供应商|工具|库|组件|方案|方式"
    r"|风格|协议|算法|主键|镜像|主色|币种|语种|字体|机房|区域|规范|策略|仓库|周期|时间|名称|前缀|后缀|级别|大小"
    r"|长度|字段|语法|脚手架"
    r"|中间件|网关|存储"
)
_DONE = (
    r"(?:\w+ed|(?:re)?built|found|led|taken|given|driven|chosen|drawn|laid|paid|split|shut|brought|bound|begun"
    r"|written|done|made|kept|held|sent|cut|run|read|set|drawn|sold|bought|put|stored)"
)
_KIND_OF = rf"(?P<subject>(?:.{{0,50}}[ -])?(?:{_KINDS})s?(?: (?:of|for|in) .{{2,40}}?)?)"
_ORDERS = r"write|format|indent|name|store|keep|put|deploy|host|sign|encode|save|serve|publish|push"
_BE, _USE = (" is ", " are ", " get", " was ", " were "), (" use ", " uses ", " using ")

ENGLISH = tuple(
    (hints, pattern(said, re.IGNORECASE))
    for hints, said in (
        (
            _BE,
            (
                r"^(?P<subject>.{2,60}?) (?:is|are|gets?|was|were) (?:now |always |only |currently )*"
                rf"(?P<done>{_DONE})(?: now)? (?P<how>with|by|as|from|in|into|to|on|at|using|via|under|through|every) "
                rf"{_VALUE}(?P<tail> (?:for|as|in|when|during|on) .+)?$"
            ),
        ),
        (
            (" in ", " on ", " to ", " from ", " through ", " with ", " under ", " at ", " via ", " after "),
            (
                r"^(?P<subject>.{2,60}?) (?:now |always )*(?:lives?|go(?:es)?(?: out)?|comes?|runs?|listens"
                r"|deploys?|points|connects|starts|expires?|ends?|reports?|writes|logs|sits) (?:now )?"
                rf"(?P<how>in|on|to|from|through|with|under|at|via|after) {_VALUE}"
                r"(?P<tail> (?:for|as|when|during) .+)?$"
            ),
        ),
        (
            (" is ", " are ", " to ", " becomes "),
            (
                rf"^{_KIND_OF} (?:is|are|was changed to|changed to|defaults to|has been set to|becomes)(?: now)?"
                rf"(?: set to)? (?!{_DONE} ){_THE}{_VALUE}(?P<tail> (?:for|per|in|on|when|during|if|with) .+)?$"
            ),
        ),
        (
            (" is ", " owns ", " leads "),
            (
                r"^(?-i:(?P<value>[A-Z][\w.-]+(?: [A-Z][\w.-]+)?)) "
                r"(?P<how>is (?:on call|responsible|in charge)|owns|leads)(?: for| of)? (?P<subject>.{2,60})$"
            ),
        ),
        ((":", "=", "："), rf"^{_KIND_OF}\s?[:=：]\s?{_VALUE}$"),
        (
            _USE,
            rf"^(?P<subject>.{{0,50}}?)\s?(?:now )?\b(?:uses?|using) {_THE}{_VALUE}(?P<tail> (?:for|as|to) .+)$",
        ),
        (
            (" now ", " to "),
            (
                r"^(?P<subject>.{2,50}?) (?:now|has moved to|has switched to|changed to) (?:uses? |using )?"
                rf"{_THE}{_VALUE}$"
            ),
        ),
        (_USE, rf"^(?P<subject>.{{2,50}}?) (?P<many>uses) {_THE}{_VALUE}$"),
        (_USE, rf"^(?P<subject>.{{2,50}}?(?:{_KINDS})) (?:now )?uses {_THE}{_VALUE}$"),
        (
            tuple(f" {word} " for word in _ORDERS.split("|")),
            rf"^(?P<subject>(?:{_ORDERS}) .{{2,50}}?) (?:in|with|as|to|on|using|under) {_VALUE}$",
        ),
        (
            ("ed to ", "ed from "),
            (
                r"^(?P<subject>.{2,60}?) (?:switched|moved|migrated|changed)(?: from \S+(?: \S+)?)? to "
                rf"{_VALUE}(?P<tail> for .+)?$"
            ),
        ),
        (
            _BE,
            (
                r"^(?P<subject>(?:the |our )?\w[\w -]{1,40}?) (?:is|are)(?: now)? "
                r"(?-i:(?P<value>[A-Z][\w.+#-]*(?: [A-Z\d][\w.+#-]*)?))$"
            ),
        ),
    )
)
"""Each with what it cannot do without: most sentences have little of it."""

_NOW = r"(?:现在|目前|现|已经?|统一|默认|一律|都|全部)*"
_CHANGED = r"改用|改成了?|改为使用|改为|改走|改放在?|换成了?|换为|切换[到为成]|迁移[到至]|升级[到为]"
_PUT = (
    r"统一[为用存]|定[为在]|设[为置]为?|部署[在到]|位于|放在|存[放储]?[在到于]|存(?=\s*[A-Za-z])|推送[到至]|上传[到至]"
    r"|发布[到至]|发[到往送至]+|写[到入在]"
    r"|注册[到在]|同步[到至]|上报[到至]|连接?[到至]|指向|托管[到在]|运行在|跑在|基于|交给"
)
_HAN_VALUE = (
    r"(?P<value>[A-Za-z\d/.][\w.+#/-]*(?: [A-Za-z\d][\w.+#/-]*){0,2}"
    r"|(?![^，。]{0,8}[在会有被了就都])[\u3400-\u9fff]{1,10}?(?: ?[A-Za-z][\w.+#-]*)?)"
)
_HAN_TAIL = (
    r"(?P<tail>编写|开发|实现|启动|执行|维护|负责|生成|保存|存储|存|管理|处理|写|构建|渲染|打包|部署"
    r"|作为.{1,12}|做.{1,12}|来.{1,10}"
    r"|传输|通信|推送|发送|调度|采集|监控|加密|承接|审批|评审|审核|保管|分发|绘制|模式|架构|机制|形式|标准|空格|"
    rf"{_HAN_KINDS})?"
)
CHINESE = tuple(
    (tuple(hints.split()), pattern(said, re.IGNORECASE))
    for hints, said in (
        (
            "改 换 迁移 升级",
            rf"^(?P<subject>.{{2,30}}?)\s*{_NOW}(?:从\s*\S+?\s*)?(?:{_CHANGED}|(?P<how>改由))\s*{_HAN_VALUE}\s*{_HAN_TAIL}$",
        ),
        (
            "是 为 用 走 设 定 : ： =",
            (
                rf"^(?P<subject>.{{0,30}}?(?:{_HAN_KINDS}))\s*{_NOW}"
                rf"(?:[是为用走]|使用|采用|选用|设[为置]为?|定[为在]|[:：=])\s*{_HAN_VALUE}\s*{_HAN_TAIL}$"
            ),
        ),
        (
            "由",
            rf"^(?P<subject>.{{2,30}}?)\s*{_NOW}(?P<many>(?P<how>由))\s*{_HAN_VALUE}\s*{_HAN_TAIL}$",
        ),
        (
            "在",
            (
                rf"^(?P<subject>.{{2,30}}?)\s*{_NOW}在\s*(?P<value>[^\s，。在的]{{1,10}}?)"
                r"(?P<tail>机房|集群|区域|服务器|目录|仓库|分支|文件夹|可用区)$"
            ),
        ),
        (
            "用 通过 走",
            rf"^(?P<subject>.{{2,30}}?)\s*{_NOW}(?P<many>使用|采用|选用|通过|用|走)\s*{_HAN_VALUE}\s*{_HAN_TAIL}$",
        ),
        (
            "统一 定 设 部署 位于 放在 存 推送 上传 发 写 注册 同步 上报 连 指向 托管 在 基于 交给",
            rf"^(?P<subject>.{{2,30}}?)\s*{_NOW}(?:{_PUT})\s*{_HAN_VALUE}\s*{_HAN_TAIL}$",
        ),
        ("以", r"^(?P<subject>.{0,30}?)以\s*(?P<value>[^\s，。]{1,6}?)为(?P<tail>.{1,12})$"),
        (
            "用户",
            r"^(?P<subject>用户)(?:更?(?:偏好|喜欢|倾向于?|习惯))(?P<value>[^，。]{1,8})的(?P<tail>[^，。]{1,8})$",
        ),
    )
)
"""As the English ones, each with what it cannot do without."""

LABEL = pattern(
    r"^\*\*(?P<subject>[^*:：]{2,40})(?:\*\*\s*[:：]|[:：]\*\*)\s*(?P<value>[^,，。;；{}]{1,40})$"
    r"|^(?P<label>[^\s:：,，。/]+(?: [^\s:：,，。/]+){1,3}"
    r"|[\u3400-\u9fff]{3,10})\s?[:：](?!//)\s?(?P<of>[^\s,，。;；{}]+(?: [^\s,，。;；{}]+)?)$"
)
"""'**Styling**: Tailwind', 'CSV delimiter: comma'."""
NO_LABEL = pattern(
    r"^\W*(?:name|type|default|id|extends|implements|source|date|session|created|updated|author|原始"
    r"|会话|日期|时间|来源|作者"
    r"|note|todo|tip|warning|important|fix(?:ed)?|rule|lesson|example|why|how to apply|reason|added|changed|removed"
    r"|done|next|status|topic|tags?|see|how|what|when|context|decision|问题|原因|教训|注意|提示|示例"
    r"|规则|背景|结论|新增|修复"
    r"|完成|已完成|待办|状态|进展|决定|决策|说明|备注)[^:：]{0,8}[:：]",
    re.IGNORECASE,
)
"""Words before a colon that say what kind of line it is, not what it is about."""
NO_VALUE = pattern(r"://|[0-9a-f]{7,}-|\b[0-9a-f]{8,}\b|[{}]", re.IGNORECASE)
"""What names one thing of many: addresses, numbers of records."""
