"""Words without meaning for a search, and words that mean much the same, in English and Chinese.

Stop words are dropped unless nothing else is left: English and Chinese ones always, those of another language
only in a query that is in it, since 'die', 'on' or 'per' say something elsewhere.

Synonyms serve sentences only; who types one or two words means these. A synonym is worth less than the word
itself and is never looked for alone. They are general words: what a home calls its own things stands in the
home.
"""

from __future__ import annotations

from functools import lru_cache

from memtui.core.startup import TYPE_CHECKING
from memtui.search.terms import fold

if TYPE_CHECKING:
    from collections.abc import Collection

_ENGLISH = (
    "a about all also am an and any are as at be been being but by can could d did do does doing don each for from "
    "had has have having he her here hers him his how i if in into is it its itself just ll m may me might my of on "
    "or our ours re s shall she should so some such t than that the their theirs them then there these they this "
    "those to too us ve very was we were what when where which while who whom whose why will with would you your "
    "yours"
)
_CHINESE = (
    "一下 一个 一些 不是 为了 为什 为何 也是 什么 他们 以及 但是 你们 你的 其中 关于 几个 可以 可是 告诉 哪个 哪些 "
    "哪里 哪儿 因为 多少 她们 如何 如果 它们 就是 应该 怎么 怎样 我们 我的 或者 所以 所有 时候 是不 是否 "
    "是什 有些 有哪 没有 的话 请问 谁的 这个 这些 这里 这样 那个 那些 那里 那样 还是 都是 么样 么办 "
    "现在 目前 最后 后面 后来 以后 之后 之前 以前 当时 当初 到底 究竟 接着 真的 真正 通常 一般 大概 大约 别人 希望 "
    "想要 需要 应当 东西 事情 情况 这件 那件 这份 那份 这次 那次 每个 各个 一次 几次 几处 哪一 哪处 哪家 哪次 多久 "
    "多大 多长 有没 会不 能不 要不 该怎 会怎 是怎"
)

# Of questions: they stand beside what is asked.
_ASKING = (
    "anybody anyone anything come comes coming currently else even ever everybody everyone everything get gets getting "
    "go goes going gone got happen happened happening happens kind many moment more most much nowadays other others "
    "really somebody someone something sort thing things went"
)
# As they are folded: without accents.
_OTHERS = {
    "German": (
        "aber als also am an auch auf aus bei beim bin bis bist da damit dann das dass dein deine dem den "
        "denn der des die dies diese diesem diesen dieser dieses doch dort du durch ein eine einem einen "
        "einer eines er es etwas fur gab ganz gegen gibt hab habe haben hast hat hatte hatten hier ich ihm "
        "ihn ihnen ihr ihre ihrem ihren im in ins ist ja jetzt kann kannst konnen man mein meine meinem "
        "meinen meiner mich mir mit muss mussen nach nicht noch nun nur ob oder ohne seid sein seine seit "
        "sich sie sind so soll sollen sollte uber um und uns unser unsere unserem unseren unter vom von vor "
        "wann war waren warum was weil welche welchem welchen welcher welches wem wen wenn wer werden weshalb "
        "wie wieso wieviel will wir wird wo wofur woher wohin womit wurde wurden zu zum zur"
    ),
    "French": (
        "a ai alors as au aussi aux avec avez avoir avons c ce cela ces cet cette combien comme comment d "
        "dans de des donc dont du elle elles en es est et etait etre eu faire fait faut il ils j je l la "
        "laquelle le lequel les leur leurs lors lorsque m ma mais me mes mon n ne nos notre nous on ont ou "
        "par pas pendant peut plus pour pourquoi qu quand que quel quelle quelles quels qui quoi s sa sans se "
        "sera ses si sommes son sont sous sur t ta te tes toi ton tu un une va vers vos votre vous y"
    ),
    "Spanish": (
        "a al algo algun como con cual cuales cuando cuanta cuantas cuanto cuantos de del desde donde e el "
        "ella ellas ellos en entre era es esa ese eso esta estaba estan este esto fue ha hace hacer hacia han "
        "hasta hay la las le les lo los mas me mi mis muy ni no nos nuestra nuestro o os para pero por porque "
        "puede que quien quienes se sea ser si sin sobre son su sus tambien te tiene tienen tu tus un una uno "
        "unos y ya yo"
    ),
    "Portuguese": (
        "a ao aos as ate com como da das de dela dele deles do dos e ela elas ele eles em entre era eram essa "
        "esse esta estao estava este eu foi foram ha isso isto ja la lhe mais mas me mesmo meu meus minha "
        "minhas muito na nao nas nem no nos nosso nossa num numa o onde os ou para pela pelas pelo pelos pode "
        "por porque qual quais quando quanta quantas quanto quantos que quem se sem ser seu seus sua suas "
        "tambem te tem tinha tu um uma uns voce voces"
    ),
    "Italian": (
        "a ad agli ai al alla alle anche c che chi ci come con cosa cui d da dal dalla dei del della delle di "
        "dove e ed era fra gli ha hanno ho i il in io l la le lo loro ma mi mio mia ne nel nella no noi non o "
        "per perche piu puo qual quale quali quando quanta quanti quanto questa questo qui quindi se si sia "
        "sono su sua sul sulla suo te ti tra tu tuo un una uno vi voi"
    ),
    "Dutch": (
        "aan als al ben bij dan dat de der deze die dit doe door dus een en er ge geen had heb hebben heeft "
        "hem het hij hoe hoeveel hun ik in is ja je jij jouw kan kunnen maar me meer men met mijn moet moeten "
        "na naar niet nog nu of om onder ons onze ook op over te tot u uit van veel voor waar waarom wanneer "
        "was wat we wel welk welke wie wij wil worden wordt ze zich zij zijn zo zou"
    ),
    "Russian and Ukrainian": (
        "а без более бы был была были было быть в вам вас ваш весь во вот все всего всех вы где да даже для "
        "до его ее её если есть еще ещё же за и из или им их к каждый как какая какие какое какой какую когда "
        "кого кому которая которое которые который куда кто ли между меня мне можно мой мои моя мы на над "
        "надо наш наша наше наши не нас него нее нет ни них но ну нужно о об од один он она они оно от откуда "
        "очень по под почему при про раз с сам свой свои себя сейчас сколько со так также такой там те тебя "
        "тем то того тоже той только том тот ты у уже чего чей чем что чтобы эта эти это этого этой этот я "
        "але або був була було бути вже від він вона вони де для до за звідки зараз його із коли який яка яке "
        "які куди ми можна на не ні про при се скільки та так також та тут це цей ця чи чому що щоб як"
    ),
}

ENGLISH = frozenset(_ENGLISH.split())
ASKING = ENGLISH | frozenset(_ASKING.split())
"""Those of a query."""

CHINESE = frozenset(_CHINESE.split())
"""Pairs of characters."""

ENDINGS = frozenset("的了吗呢吧啊呀嘛么")
"""A pair that holds one of these is dropped as well."""

PARTICLES = ENDINGS | frozenset("地得着过是在和与及或也都就很还又把被给让对从向到于以为之其这那哪我你您他她它们个")
"""Characters that do not score by themselves."""

_FEW = 2
"""Stop words of a language that a query holds at least for it to be in that language."""


@lru_cache(maxsize=1)
def _list_languages() -> tuple[frozenset[str], ...]:
    return tuple(frozenset(fold(words).split()) for words in _OTHERS.values())


def find_foreign_stop_words(words: Collection[str]) -> frozenset[str]:
    """The stop words of the language that a query of these folded words is in; none where that is English."""
    said = frozenset(words)
    found = max(_list_languages(), key=lambda known: len(known & said))
    held = len(found & said)
    return found if held >= _FEW and held > len(ENGLISH & said) else frozenset()


MOST = 12
"""Other words that one word is looked for by."""

LONGEST = 4
"""Characters of the longest Chinese word that is known."""

_GROUPS = """
task ticket issue todo job 任务 工单 待办 事项 | bug defect fault 缺陷 故障 | error failure exception 错误 报错 异常
失败 | fail break crash broken 失败 崩溃 挂了 出错 坏了 | fix repair resolve solve patch 修复 修好 解决 修正 | cause
reason why 原因 根因 缘由 | problem trouble issue 问题 毛病 | close finish complete done 关闭 完成 结束 做完 | open
unfinished pending outstanding todo 未完成 待办 待做 剩余 没做 还差 尚未 | start begin launch boot startup 启动 开始
开机 | stop halt quit kill shut 停止 停掉 关掉 退出 终止 | restart reboot reload 重启 重新启动 | run execute invoke
launch 运行 执行 跑 | build compile bundle 构建 编译 打包 | deploy release ship rollout publish 部署 发布 上线 发版
| production prod live 生产 线上 正式环境 生产环境 | staging test_environment preprod 预发 测试环境 | rollback
revert undo 回滚 撤销 还原 恢复 | install setup 安装 配置 | upgrade update bump 升级 更新 | config configuration
setting settings option preference 配置 设置 选项 参数 | environment env 环境 | variable var 变量 | folder directory
dir path 目录 文件夹 路径 | file document 文件 文档 | doc docs documentation manual guide readme 文档 说明 手册 |
repo repository codebase 仓库 代码库 | branch 分支 | commit check_in 提交 | merge 合并 | pr pull_request
merge_request mr 合并请求 | review approve inspect 评审 审查 审核 审批 | push 推送 | conflict clash 冲突 | code
source 代码 源码 | library package dependency module 依赖 库 包 第三方 | third_party vendor vendored external 第三方
外部 | framework 框架 | function method 函数 方法 | class type 类 类型 | api endpoint interface 接口 | request call
请求 调用 | response reply answer 响应 回复 答复 回答 | server backend host 服务器 后端 服务端 主机 | client
frontend browser 客户端 前端 浏览器 | database db 数据库 | table 表 数据表 | column field 字段 列 | index 索引 |
query search lookup find 查询 搜索 查找 检索 | save store persist write keep 保存 存储 存放 存 写入 落库 | delete
remove drop erase 删除 移除 清除 删掉 去掉 | add create insert 添加 新增 增加 创建 新建 | change modify edit alter
修改 改动 变更 更改 改 | rename 改名 重命名 | move migrate transfer 迁移 移动 搬 | copy duplicate clone 复制 拷贝 |
duplicate same identical repeated 重复 相同 一样 | unique 唯一 | id identifier 标识 编号 | key token secret
credential credentials 密钥 令牌 凭证 凭据 秘钥 | password passphrase pwd 密码 口令 | login signin sign_in
authenticate authentication auth 登录 登陆 登入 认证 鉴权 | logout signout 登出 退出登录 | permission access right
authorization privilege 权限 授权 | user account member 用户 账号 帐号 账户 成员 | role 角色 | admin administrator
管理员 | customer client buyer 客户 顾客 买家 | employee staff colleague worker teammate 员工 同事 职员 伙伴 |
partner teammate 搭档 伙伴 合伙人 | boss manager lead owner 老板 主管 负责人 | team group 团队 小组 组 | company
firm business 公司 企业 | project 项目 专案 | expire expiry expiration timeout ttl 过期 失效 有效期 超时 | cache
缓存 | log logging 日志 | memory ram 内存 | remember memorize recall 记住 记忆 记得 | disk storage drive 磁盘 硬盘
存储 | network internet connection 网络 联网 连接 | connect link 连接 连上 | disconnect 断开 断线 掉线 | port 端口 |
address url link 地址 网址 链接 | domain hostname 域名 | proxy 代理 | firewall 防火墙 | web_page page 页面 网页 |
website site homepage 网站 官网 站点 | screen view window 界面 屏幕 画面 页面 窗口 | button 按钮 | menu 菜单 | icon
图标 | dialog modal popup 弹窗 对话框 | layout 布局 | style design look appearance 样式 风格 设计 外观 | theme skin
主题 | color colour palette 颜色 配色 色彩 | dark night 暗色 深色 夜间 暗黑 黑 | light bright day 亮色 浅色 日间 |
font typeface 字体 | image picture photo graphic 图片 图像 照片 图 | chart graph plot diagram 图表 曲线 | video clip
film 视频 影片 | audio sound voice 音频 声音 语音 | subtitle caption 字幕 | size dimension 尺寸 大小 | width 宽度 宽
| height 高度 高 | animation 动画 | mobile phone smartphone handset android ios 手机 移动端 | emulator simulator
virtual_device 模拟器 | computer machine pc laptop desktop 电脑 计算机 机器 主机 | device hardware 设备 | test
testing tests 测试 | unit_test 单元测试 | mock stub fake double 模拟 打桩 替身 | coverage 覆盖率 覆盖 | check verify
validate confirm 检查 验证 校验 确认 核对 | assert 断言 | debug troubleshoot diagnose 调试 排查 诊断 | performance
speed fast slow latency 性能 速度 慢 延迟 快 | slow lag sluggish stutter 慢 卡顿 卡 延迟 | optimize improve tune
优化 改进 提升 | monitor watch observe 监控 观察 | alert alarm warning 告警 警报 警告 提醒 | notify notification
remind reminder 通知 提醒 | schedule cron timer timed recurring 定时 排程 计划任务 日程 调度 每天 | daily every_day
每天 每日 | weekly every_week 每周 | monthly 每月 | report summary digest 报告 汇报 总结 周报 日报 | meeting call
conference 会议 开会 | calendar 日历 | email mail letter inbox 邮件 信 邮箱 电子邮件 来信 | message msg chat 消息
信息 聊天 | send deliver mail post 发送 寄 发 寄出 投递 | receive get 收到 接收 | forward cc 转发 抄送 | reply
respond answer 回复 回信 答复 | contact reach text phone 联系 联络 | share 分享 共享 | post publish upload 发布 发帖
上传 | article post blog 文章 帖子 博客 | social_media instagram facebook twitter 社交 社群 | channel 频道 渠道 |
subscribe subscription 订阅 | follower audience reader 粉丝 受众 读者 | comment note remark 备注 评论 留言 注释 |
private internal confidential 私有 内部 私密 保密 | public external open 公开 对外 外部 | hidden invisible 隐藏
不可见 | visible shown 可见 看得到 显示 | show display render draw 显示 展示 渲染 绘制 | money price cost fee budget
价格 费用 成本 钱 预算 花费 | pay payment paid 付款 支付 缴费 | buy purchase order 购买 买 订购 下单 | sell sale
销售 卖 | salary wage 工资 薪水 | bill invoice receipt 账单 发票 | cheap cheapest lowest 便宜 最低 | expensive 贵 |
free 免费 | quota limit cap 配额 额度 限制 上限 | maximum max most limit 最多 最大 上限 | minimum min least 最少
最小 下限 | count number amount total 数量 个数 总数 多少 | percent percentage rate ratio 比例 百分比 率 | threshold
阈值 门槛 | increase raise grow rise 增加 提高 上升 增长 | decrease reduce lower drop fall 减少 降低 下降 | big
large huge 大 巨大 大型 | small little tiny 小 微小 | long 长 | short brief concise 简短 短 简洁 | verbose detailed
详细 冗长 | prefer like favor preference 偏好 喜欢 倾向 爱用 | dislike hate avoid 讨厌 不喜欢 反感 避免 | want wish
hope 想要 希望 | forbid ban prohibit never disallow 禁止 不准 不得 不许 严禁 不要 | allow permit may allowed 允许
可以 准许 | refuse reject deny decline refused 拒绝 驳回 被拒 | must required mandatory 必须 强制 务必 | rule policy
guideline convention 规则 规范 约定 准则 | standard norm 标准 | decide decision choose pick select 决定 选择 选定
选型 选 | plan roadmap 计划 规划 路线图 方案 | goal target aim objective 目标 | progress status state 进度 状态 进展
| stage phase step milestone 阶段 步骤 里程碑 | version release 版本 | history changelog 历史 变更记录 | backup
archive 备份 归档 | restore recover 恢复 还原 | sync synchronize 同步 | async asynchronous 异步 | lock mutex 锁 |
queue 队列 | retry again 重试 | batch bulk 批量 | stream 流 | encrypt encryption 加密 | security secure safe 安全 |
attack exploit vulnerability 攻击 漏洞 | lost loss lose missing 丢失 丢 缺失 没了 | empty blank null 空 空白 |
default 默认 预设 缺省 | custom 自定义 定制 | manual by_hand manually hand 手动 手工 人工 | automatic automatically
auto 自动 | template 模板 样板 | script 脚本 | command cli 命令 指令 | terminal shell console 终端 控制台 | prompt
提示词 | model llm 模型 | agent bot robot assistant 智能体 机器人 助手 代理 | conversation dialogue chat session
对话 会话 聊天 | context 上下文 | train training 训练 | translate translation 翻译 | language 语言 | english 英文
英语 | chinese mandarin 中文 汉语 | encoding charset 编码 | format 格式 | parse 解析 | convert transform 转换 |
import 导入 引入 | export 导出 | upload 上传 | download fetch 下载 | print output 输出 打印 | input 输入 | name
title 名字 名称 标题 叫什么 | nickname alias handle 昵称 别名 外号 | birthday born 生日 出生 | family wife husband
spouse 家人 妻子 丈夫 老婆 老公 | child kid son daughter 孩子 儿子 女儿 小孩 | parent mother father mom dad 父母
妈妈 爸爸 | friend 朋友 | live reside residence home based located location 住 居住 住址 所在地 位于 | city town
城市 | country nation 国家 | timezone time_zone 时区 | travel trip journey 旅行 出差 出行 | flight plane 航班 飞机 |
hotel 酒店 | car vehicle 汽车 车 | food meal eat diet 饮食 吃 食物 餐 | drink coffee tea 喝 咖啡 茶 | allergy
allergic 过敏 | health medical doctor 健康 医生 医疗 | hospital clinic 医院 | medicine drug pill medication 药 药物
吃药 | weight diet 体重 减肥 | sleep bed 睡觉 睡眠 | exercise fitness sport run 运动 健身 锻炼 | hobby interest 爱好
兴趣 | music song 音乐 歌 | book read reading 书 阅读 读书 书单 | game play 游戏 玩 | learn study 学习 学 | teach
teacher 老师 教 | school university 学校 大学 | course lesson class 课程 课 | exam 考试 | job work occupation career
profession 工作 职业 求职 | hire recruit interview 招聘 面试 | brand 品牌 | product 产品 | market marketing 市场
营销 | competitor rival 竞品 对手 | strategy 策略 战略 | idea thought 想法 点子 | lesson learned mistake 教训 经验
错误 | mistake wrong blunder 错误 失误 犯错 出过错 | conclusion result outcome 结论 结果 | evidence proof 证据 |
difference differ 区别 差异 不同 | compare comparison 比较 对比 | relation relationship 关系 | wait pause delay 等待
暂停 延迟 | cancel abort 取消 中止 | disable off turn_off 关闭 禁用 停用 | enable on turn_on activate 开启 启用 打开
激活 | monday 周一 星期一 | tuesday 周二 星期二 | wednesday 周三 星期三 | thursday 周四 星期四 | friday 周五 星期五
| saturday 周六 星期六 | sunday 周日 星期日 星期天 | morning 早上 上午 早晨 | noon 中午 | afternoon 下午 | evening
night 晚上 夜里 | today 今天 | yesterday 昨天 | tomorrow 明天 | deadline due 截止 期限 | year 年 | week 周 | hour
小时 | minute 分钟 | second 秒 | attempt try 尝试 试 | skip bypass ignore omit 跳过 绕过 忽略 | replace substitute
swap 替换 代替 换成 | switch toggle 切换 开关 | split separate divide 拆分 分开 分离 | combine join merge 合并 结合
| group category classify 分类 类别 分组 | tag label 标签 | sort order rank 排序 顺序 | filter 过滤 筛选 | random
随机 | leave exit flee escape 离开 逃跑 退出
| summary overview briefing digest recap 概览 简报 总览 综述 | shorten compress condense trim abbreviate
truncate 缩短 压缩 精简 截断 | concise terse succinct brief short 简洁 精炼 | cron scheduled scheduler crontab
recurring launchagent 定时任务 计划任务 | daemon background worker service 后台 守护进程 | trash discard
delete dispose 丢弃 扔掉 删掉 | dead broken obsolete stale unused 失效 作废 | owner user human person
principal 主人 用户 | spouse partner girlfriend boyfriend fiance wife husband 伴侣 女朋友 男朋友 对象 |
sibling brother sister 兄弟 姐妹 | kid kids child children toddler 小孩 子女 | relative family cousin uncle
aunt grandparent 亲戚 家人 | telephone phone call 电话 来电 | tweet tweets twitter 推文 推特 | gif animated
animation 动图 | picture canvas image drawing 画布 画面 图画 | undo revert 撤销 后退 | chat conversation
dialogue thread 聊天 群聊 会话 | group_chat channel 群 群组 群聊 | mention tag 提及 点名 艾特 | nickname
pet_name 称呼 昵称 | respond reply react 回应 回复 | helper subagent agent worker 助手 子代理 子智能体 | ask
question inquire 提问 询问 | unclear ambiguous vague uncertain 不清楚 模糊 不明确 | confirm approve approval
consent 同意 批准 许可 | suggestion proposal recommendation advice 建议 提议 推荐 | sure confident confidence
certain 确定 把握 | opinion view belief stance 看法 意见 观点 | licence license licensing 许可证 | repository
project codebase 仓库 工程 | reindex rebuild refresh 重建 重新索引 | freeze hang stuck unresponsive 卡死 卡住
无响应 死机 | flash firmware 烧录 刷机 固件 | gadget device hardware board 设备 硬件 开发板 | recover rescue
restore revive 救回 恢复 | node proxy relay line 节点 代理 线路 | block blocked intercept 拦截 封禁 阻止 屏蔽
| vpn proxy tunnel 代理 翻墙 | online internet web 上网 联网 网上 网络 | heartbeat health_check self_check
心跳 自检 健康检查 巡检 | frequency interval cadence 频率 间隔 周期 | expense spending bookkeeping ledger 花费
开销 记账 支出 账目 | register record enter 登记 记录 录入 | newsletter weekly_report 周刊 周报 | daily_report
日报 每日报告 | toy figure 玩具 潮玩 | job_search job_hunting 求职 找工作 应聘 | resume cv 简历 | push notify
deliver 推送 送达 通知 | deliver dispatch ship 送达 发货 配送 | news headline briefing 新闻 资讯 简报 |
football soccer 足球 球赛 | match game fixture 比赛 赛事 | rename renamed 改名 重命名 更名 | conflict clash
collision 冲突 同名 重名 | precedence priority 优先 优先级 | legacy old deprecated obsolete outdated 旧 旧的
遗留 过时 弃用 | compatibility compatible backward 兼容 向后兼容 | theme skin 主题 皮肤 | risk danger hazard
threat 风险 危险 隐患 | trust trusted reliable 信任 可信 可靠 | network_card adapter 网卡 | gateway router
bridge 网关 路由 | scope range boundary 范围 边界 | stub mock fake simulated 替身 桩 打桩 模拟 | warning
caution 警告 告警 | upstream provider vendor supplier 上游 供应商 厂商 | integrate connect adopt 接入 集成
对接 | step procedure process 步骤 流程 做法 | attribute property field column 属性 字段 列 | score rating
grade mark point 评分 打分 分数 得分 | mastery proficiency skill 掌握 熟练 水平 | formula calculation compute
calculate 公式 计算 | dimension aspect factor criterion 维度 方面 指标 | weight proportion share 权重 比重
占比 | interval spacing gap 间隔 | review revise revision repetition 复习 回顾 | rotate rotation cycle
alternate 轮换 轮流 循环 | recording audio 录音 音频 | transcribe transcription transcript 转写 转文字 听写 |
student learner pupil trainee 学习者 学生 学员 | rebuild recreate 重建 重新创建 | weather forecast 天气 气象 |
api_key key secret credential 密钥 凭据 | payment paid top_up recharge 付款 充值 支付 到账 | credits points
积分 点数 | refund 退款 | embed inline 内联 嵌入 | monitor display screen 屏幕 显示器 | palette color 配色
色系 色板 | official_site website homepage 官网 网站 | exchange swap trade 换取 交换 | follow track chase 追踪
跟踪 | spawn create generate 生成 产生 | hero protagonist main_character player 主角 玩家 | die dead death
defeat 死亡 阵亡 | reward prize earn 奖励 奖品 收益 | profit earnings income revenue 利润 盈利 收入 | abandon
give_up quit 放弃 停止 | community forum 社区 社群 | crypto cryptocurrency bitcoin 加密货币 币 | hourly rate
wage fee 时薪 费率 | developer programmer engineer coder 开发者 程序员 工程师 | apartment flat housing 公寓
房子 租房 | move_in relocate 入住 搬家 | landlord 房东 | collection library catalogue 收藏 馆藏 | album record
专辑 唱片 | merge combine unify join dedupe 合并 归并 | copy duplicate edition 副本 重复 拷贝 | media_player
player 播放器 | end_to_end e2e 端到端 | injection manipulate jailbreak 注入 操纵 | suspicious suspect flagged
可疑 | concurrent parallel simultaneous race 并发 并行 | debounce throttle 防抖 节流 | base_branch
target_branch 主分支 目标分支 | analyze analyse inspect examine study 分析 研究 查看 | external outside
third_party remote 外部 第三方 | tone manner style 语气 口吻 风格 | polite formal courteous 正式 礼貌 客气 |
intimate affectionate 亲密 暧昧 | diary journal 日记 日志 | previous former earlier prior before 之前 以前
原先 | gift present 礼物 | anniversary birthday 纪念日 生日 | pet dog cat 宠物 狗 猫 | tax taxes 税 税务 报税
| insurance policy 保险 | contract agreement deal 合同 协议 合约 | invoice bill statement 发票 账单 | holiday
vacation leave 假期 休假 放假 | appointment booking reservation 预约 预订 | restaurant dinner lunch 餐厅 饭店
| train bus subway metro 火车 公交 地铁 | passport visa 护照 签证 | luggage baggage 行李 | furniture chair
desk 家具 椅子 桌子 | clothes shirt shoes 衣服 鞋 | washing laundry cleaning 洗衣 打扫 | cook recipe kitchen
做饭 菜谱 厨房 | shop store market 商店 店铺 | price quote offer 报价 价格 | discount coupon promotion 折扣
优惠 促销 | stock share equity 股票 股份 | invest investment portfolio 投资 持仓 | loan debt mortgage credit
贷款 债务 欠款 | bank account 银行 账户 | currency exchange_rate 货币 汇率 | signature sign 签名 签字 |
attachment enclosure 附件 | spreadsheet excel sheet 表格 电子表格 | slide slides presentation deck 幻灯片 演示
| draft sketch outline 草稿 大纲 | headline title caption 标题 | spelling typo grammar 拼写 错别字 语法 |
emoji emoticon 表情 | avatar profile_picture portrait 头像 | bookmark favorite star 收藏 书签 | widget
component control 组件 控件 | sidebar drawer panel 侧栏 面板 | tooltip hint tip 提示 | placeholder default
占位 | checkbox radio 复选框 | dropdown combobox 下拉 | spinner loading progress_bar 加载 进度条 | responsive
adaptive 响应式 自适应 | shortcut hotkey keybinding 快捷键 热键 | clipboard paste 剪贴板 粘贴 | camera webcam
摄像头 相机 | microphone mic 麦克风 | speaker headphones 扬声器 耳机 | keyboard mouse 键盘 鼠标 | battery
charge power 电池 充电 电源 | sensor probe 传感器 | temperature heat 温度 | sqlite postgres mysql database
数据库 | schema model structure 结构 模型 | migration migrate 迁移 | transaction rollback 事务 回滚 |
constraint foreign_key 约束 外键 | pagination page 分页 | payload body 载荷 请求体 | header headers 请求头 |
cookie session 会话 | webhook callback 回调 | websocket socket stream 长连接 | rate_limit throttle quota 限流
频率限制 | timeout deadline expire 超时 | container docker image 容器 镜像 | kubernetes cluster pod 集群 |
pipeline workflow ci 流水线 工作流 | artifact build output 产物 构建产物 | lint linter format style_check
格式检查 代码检查 | type_check typing typescript 类型检查 | refactor rewrite restructure 重构 重写 | deprecate
retire sunset remove 弃用 下线 淘汰 | hotfix patch fix 热修复 补丁 | regression bug 回归 | flaky unstable
intermittent 不稳定 偶发 | stacktrace traceback stack 堆栈 | breakpoint debugger 断点 | leak memory_leak 泄漏
泄露 | deadlock lock 死锁 | thread process 线程 进程 | singleton instance 单例 | inherit extend subclass 继承
| interface contract protocol 接口 协议 | naming name convention 命名 | indent indentation tab 缩进 | comment
docstring 注释 | embedding vector 向量 嵌入 | similarity distance 相似度 距离 | hallucination invent fabricate
幻觉 编造 | fine_tune train 微调 | token tokens context_window 上下文长度 | cost price token_usage 成本 用量 |
system_prompt instructions 系统提示词 | persona character identity soul 人设 角色 身份 人格 | mood emotion
feeling 情绪 心情 感受 | secret confidential private 秘密 保密 私密 | boundary limit line 边界 底线 | complain
complaint feedback 抱怨 投诉 反馈 | apologize sorry apology 道歉 抱歉 | thank gratitude 感谢 | encourage
praise compliment 鼓励 表扬 夸 | remind nudge follow_up 提醒 催 | overdue late delayed 逾期 延期 迟 | urgent
critical important priority 紧急 重要 | blocked blocker stuck waiting 阻塞 卡住 | assign delegate hand_over
分配 指派 委派 交接
"""
"""Separated by bars; _ stands for a space. A word of several senses stands in several groups."""


def list_synonyms(word: str) -> tuple[str, ...]:
    """Words that mean much the same as a folded word, in simplified characters; none: nothing is known of it."""
    table = _build_table()
    found = dict.fromkeys(other for form in _list_forms(word) for other in table.get(form, ()))
    return tuple(other for other in found if other not in _list_forms(word))[:MOST]


def is_vocabulary_word(words: str) -> bool:
    """Whether these words, or this Chinese word, are among them as they stand."""
    return words in _build_table()


@lru_cache(maxsize=1)
def _build_table() -> dict[str, list[str]]:
    table: dict[str, list[str]] = {}
    for group in _GROUPS.split("|"):
        words = [word.replace("_", " ") for word in group.split()]
        for word in words:
            table.setdefault(word, []).extend(other for other in words if other != word)
    return table


def _list_forms(word: str) -> list[str]:
    """The word, and what it may be without an ending: stores, stored, storing -> store."""
    found = [word]
    if not word.isascii() or len(word) < 4:
        return found
    if word.endswith(("ies", "ied")):
        found.append(f"{word[:-3]}y")
    for ending in ("s", "es", "d", "ed", "ing"):
        if word.endswith(ending):
            short = word[: -len(ending)]
            found.append(short)
            if ending == "ing":
                found.append(f"{short}e")
            if ending in {"ed", "ing"} and short[-1:] == short[-2:-1]:
                found.append(short[:-1])
    return found
