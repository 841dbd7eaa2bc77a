"""Words that mean much the same, kinds and what is of them, and irregular forms, in English and Chinese.

They serve sentences only; who types one or two words means these. Another word is worth less than the word itself and
is never looked for alone. These are general words: what a home calls its own things stands in the home.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import islice

from memtui.core.startup import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

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
launch 运行 执行 跑 | build compile bundle 构建 编译 打包 | deploy release ship rollout publish 部署 发布 上线 发版 |
production prod live 生产 线上 正式环境 生产环境 | staging test_environment preprod 预发 测试环境 | rollback revert
undo 回滚 撤销 还原 恢复 | install setup 安装 配置 | upgrade update bump 升级 更新 | config configuration setting
settings option preference 配置 设置 选项 参数 | environment env 环境 | variable var 变量 | folder directory dir path
目录 文件夹 路径 | file document 文件 文档 | doc docs documentation manual guide readme 文档 说明 手册 | repo
repository codebase 仓库 代码库 | branch 分支 | commit check_in 提交 | merge 合并 | pr pull_request merge_request mr
合并请求 | review approve inspect 评审 审查 审核 审批 | push 推送 | conflict clash 冲突 | code source 代码 源码 |
library package dependency module 依赖 库 包 第三方 | third_party vendor vendored external 第三方 外部 | framework
框架 | function method 函数 方法 | class type 类 类型 | api endpoint interface 接口 | request call 请求 调用 |
response reply answer 响应 回复 答复 回答 | server backend host 服务器 后端 服务端 主机 | client frontend browser
客户端 前端 浏览器 | database db 数据库 | table 表 数据表 | column field 字段 列 | index 索引 | query search lookup
find 查询 搜索 查找 检索 | save store persist write keep 保存 存储 存放 存 写入 落库 | delete remove drop erase 删除
移除 清除 删掉 去掉 | add create insert 添加 新增 增加 创建 新建 | change modify edit alter 修改 改动 变更 更改 改 |
rename 改名 重命名 | move migrate transfer 迁移 移动 搬 | copy duplicate clone 复制 拷贝 | duplicate same identical
repeated 重复 相同 一样 | unique 唯一 | id identifier 标识 编号 | key token secret credential credentials 密钥 令牌
凭证 凭据 秘钥 | password passphrase pwd 密码 口令 | login signin sign_in authenticate authentication auth 登录 登陆
登入 认证 鉴权 | logout signout 登出 退出登录 | permission access right authorization privilege 权限 授权 | user
account member 用户 账号 帐号 账户 成员 | role 角色 | admin administrator 管理员 | customer client buyer 客户 顾客
买家 | employee staff colleague worker teammate 员工 同事 职员 伙伴 | partner teammate 搭档 伙伴 合伙人 | boss manager
lead owner 老板 主管 负责人 | team group 团队 小组 组 | company firm business 公司 企业 | project 项目 专案 | expire
expiry expiration timeout ttl 过期 失效 有效期 超时 | cache 缓存 | log logging 日志 | memory ram 内存 | remember
memorize recall 记住 记忆 记得 | disk storage drive 磁盘 硬盘 存储 | network internet connection 网络 联网 连接 |
connect link 连接 连上 | disconnect 断开 断线 掉线 | port 端口 | address url link 地址 网址 链接 | domain hostname
域名 | proxy 代理 | firewall 防火墙 | web_page page 页面 网页 | website site homepage 网站 官网 站点 | screen view
window 界面 屏幕 画面 页面 窗口 | button 按钮 | menu 菜单 | icon 图标 | dialog modal popup 弹窗 对话框 | layout 布局 |
style design look appearance 样式 风格 设计 外观 | theme skin 主题 | color colour palette 颜色 配色 色彩 | dark night
暗色 深色 夜间 暗黑 黑 | light bright day 亮色 浅色 日间 | font typeface 字体 | image picture photo graphic 图片 图像
照片 图 | chart graph plot diagram 图表 曲线 | video clip film 视频 影片 | audio sound voice 音频 声音 语音 | subtitle
caption 字幕 | size dimension 尺寸 大小 | width 宽度 宽 | height 高度 高 | animation 动画 | mobile phone smartphone
handset android ios 手机 移动端 | emulator simulator virtual_device 模拟器 | computer machine pc laptop desktop 电脑
计算机 机器 主机 | device hardware 设备 | test testing tests 测试 | unit_test 单元测试 | mock stub fake double 模拟
打桩 替身 | coverage 覆盖率 覆盖 | check verify validate confirm 检查 验证 校验 确认 核对 | assert 断言 | debug
troubleshoot diagnose 调试 排查 诊断 | performance speed fast latency 性能 速度 延迟 快 | slow lag sluggish stutter 慢
卡顿 卡 延迟 | optimize improve tune 优化 改进 提升 | monitor watch observe 监控 观察 | alert alarm warning 告警 警报
警告 提醒 | notify notification remind reminder 通知 提醒 | schedule cron timer timed recurring 定时 排程 计划任务
日程 调度 每天 | daily every_day 每天 每日 | weekly every_week 每周 | monthly 每月 | report summary digest 报告 汇报
总结 周报 日报 | meeting call conference 会议 开会 | calendar 日历 | email mail letter inbox 邮件 信 邮箱 电子邮件
来信 | message msg chat 消息 信息 聊天 | send deliver mail post 发送 寄 发 寄出 投递 | receive get 收到 接收 | forward
cc 转发 抄送 | reply respond answer 回复 回信 答复 | contact reach text phone 联系 联络 | share 分享 共享 | post
publish upload 发布 发帖 上传 | article post blog 文章 帖子 博客 | social_media instagram facebook twitter 社交 社群 |
channel 频道 渠道 | subscribe subscription 订阅 | follower audience reader 粉丝 受众 读者 | comment note remark 备注
评论 留言 注释 | private internal confidential 私有 内部 私密 保密 | public external open 公开 对外 外部 | hidden
invisible 隐藏 不可见 | visible shown 可见 看得到 显示 | show display render draw 显示 展示 渲染 绘制 | money price
cost fee budget 价格 费用 成本 钱 预算 花费 | pay payment paid 付款 支付 缴费 | buy purchase order 购买 买 订购 下单 |
sell sale 销售 卖 | salary wage 工资 薪水 | bill invoice receipt 账单 发票 | cheap cheapest lowest 便宜 最低 |
expensive 贵 | free 免费 | quota limit cap 配额 额度 限制 上限 | maximum max most limit 最多 最大 上限 | minimum min
least 最少 最小 下限 | count number amount total 数量 个数 总数 多少 | percent percentage rate ratio 比例 百分比 率 |
threshold 阈值 门槛 | increase raise grow rise 增加 提高 上升 增长 | decrease reduce lower drop fall 减少 降低 下降 |
big large huge 大 巨大 大型 | small little tiny 小 微小 | long 长 | short brief concise 简短 短 简洁 | verbose
detailed 详细 冗长 | prefer like favor preference 偏好 喜欢 倾向 爱用 | dislike hate avoid 讨厌 不喜欢 反感 避免 |
want wish hope 想要 希望 | forbid ban prohibit never disallow 禁止 不准 不得 不许 严禁 不要 | allow permit may allowed
允许 可以 准许 | refuse reject deny decline refused 拒绝 驳回 被拒 | must required mandatory 必须 强制 务必 | rule
policy guideline convention 规则 规范 约定 准则 | standard norm 标准 | decide decision choose pick select 决定 选择
选定 选型 选 | plan roadmap 计划 规划 路线图 方案 | goal target aim objective 目标 | progress status state 进度 状态
进展 | stage phase step milestone 阶段 步骤 里程碑 | version release 版本 | history changelog 历史 变更记录 | backup
archive 备份 归档 | restore recover 恢复 还原 | sync synchronize 同步 | async asynchronous 异步 | lock mutex 锁 |
queue 队列 | retry again 重试 | batch bulk 批量 | stream 流 | encrypt encryption 加密 | security secure safe 安全 |
attack exploit vulnerability 攻击 漏洞 | lost loss lose missing 丢失 丢 缺失 没了 | empty blank null 空 空白 | default
默认 预设 缺省 | custom 自定义 定制 | manual by_hand manually hand 手动 手工 人工 | automatic automatically auto 自动
| template 模板 样板 | script 脚本 | command cli 命令 指令 | terminal shell console 终端 控制台 | prompt 提示词 |
model llm 模型 | agent bot robot assistant 智能体 机器人 助手 代理 | conversation dialogue chat session 对话 会话 聊天
| context 上下文 | train training 训练 | translate translation 翻译 | language 语言 | english 英文 英语 | chinese
mandarin 中文 汉语 | encoding charset 编码 | format 格式 | parse 解析 | convert transform 转换 | import 导入 引入 |
export 导出 | upload 上传 | download fetch 下载 | print output 输出 打印 | input 输入 | name title 名字 名称 标题
叫什么 | nickname alias handle 昵称 别名 外号 | birthday born 生日 出生 | family wife husband spouse 家人 妻子 丈夫
老婆 老公 | child kid son daughter 孩子 儿子 女儿 小孩 | parent mother father mom dad 父母 妈妈 爸爸 | friend 朋友 |
live reside residence home based located location 住 居住 住址 所在地 位于 | city town 城市 | country nation 国家 |
timezone time_zone 时区 | travel trip journey 旅行 出差 出行 | flight plane 航班 飞机 | hotel 酒店 | car vehicle 汽车
车 | food meal eat diet 饮食 吃 食物 餐 | drink coffee tea 喝 咖啡 茶 | allergy allergic 过敏 | health medical doctor
健康 医生 医疗 | hospital clinic 医院 | medicine drug pill medication 药 药物 吃药 | weight diet 体重 减肥 | sleep bed
睡觉 睡眠 | exercise fitness sport run 运动 健身 锻炼 | hobby interest 爱好 兴趣 | music song 音乐 歌 | book read
reading 书 阅读 读书 书单 | game play 游戏 玩 | learn study 学习 学 | teach teacher 老师 教 | school university 学校
大学 | course lesson class 课程 课 | exam 考试 | job work occupation career profession 工作 职业 求职 | hire recruit
interview 招聘 面试 | brand 品牌 | product 产品 | market marketing 市场 营销 | competitor rival 竞品 对手 | strategy
策略 战略 | idea thought 想法 点子 | lesson learned mistake 教训 经验 错误 | mistake wrong blunder 错误 失误 犯错
出过错 | conclusion result outcome 结论 结果 | evidence proof 证据 | difference differ 区别 差异 不同 | compare
comparison 比较 对比 | relation relationship 关系 | wait pause delay 等待 暂停 延迟 | cancel abort 取消 中止 | disable
off turn_off 关闭 禁用 停用 | enable on turn_on activate 开启 启用 打开 激活 | monday 周一 星期一 | tuesday 周二
星期二 | wednesday 周三 星期三 | thursday 周四 星期四 | friday 周五 星期五 | saturday 周六 星期六 | sunday 周日 星期日
星期天 | morning 早上 上午 早晨 | noon 中午 | afternoon 下午 | evening night 晚上 夜里 | today 今天 | yesterday 昨天 |
tomorrow 明天 | deadline due 截止 期限 | year 年 | week 周 | hour 小时 | minute 分钟 | second 秒 | attempt try 尝试 试
| skip bypass ignore omit 跳过 绕过 忽略 | replace substitute swap 替换 代替 换成 | switch toggle 切换 开关 | split
separate divide 拆分 分开 分离 | combine join merge 合并 结合 | group category classify 分类 类别 分组 | tag label
标签 | sort order rank 排序 顺序 | filter 过滤 筛选 | random 随机 | leave exit flee escape 离开 逃跑 退出 | summary
overview briefing digest recap 概览 简报 总览 综述 | shorten compress condense trim abbreviate truncate 缩短 压缩 精简
截断 | concise terse succinct brief short 简洁 精炼 | cron scheduled scheduler crontab recurring launchagent 定时任务
计划任务 | daemon background worker service 后台 守护进程 | trash discard delete dispose 丢弃 扔掉 删掉 | dead broken
obsolete stale unused 失效 作废 | owner user human person principal 主人 用户 | spouse partner girlfriend boyfriend
fiance wife husband 伴侣 女朋友 男朋友 对象 | sibling brother sister 兄弟 姐妹 | kid kids child children toddler 小孩
子女 | relative family cousin uncle aunt grandparent 亲戚 家人 | telephone phone call 电话 来电 | tweet tweets twitter
推文 推特 | gif animated animation 动图 | picture canvas image drawing 画布 画面 图画 | undo revert 撤销 后退 | chat
conversation dialogue thread 聊天 群聊 会话 | group_chat channel 群 群组 群聊 | mention tag 提及 点名 艾特 | nickname
pet_name 称呼 昵称 | respond reply react 回应 回复 | helper subagent agent worker 助手 子代理 子智能体 | ask question
inquire 提问 询问 | unclear ambiguous vague uncertain 不清楚 模糊 不明确 | confirm approve approval consent 同意 批准
许可 | suggestion proposal recommendation advice 建议 提议 推荐 | sure confident confidence certain 确定 把握 |
opinion view belief stance 看法 意见 观点 | licence license licensing 许可证 | repository project codebase 仓库 工程 |
reindex rebuild refresh 重建 重新索引 | freeze hang stuck unresponsive 卡死 卡住 无响应 死机 | flash firmware 烧录
刷机 固件 | gadget device hardware board 设备 硬件 开发板 | recover rescue restore revive 救回 恢复 | node proxy relay
line 节点 代理 线路 | block blocked intercept 拦截 封禁 阻止 屏蔽 | vpn proxy tunnel 代理 翻墙 | online internet web
上网 联网 网上 网络 | heartbeat health_check self_check 心跳 自检 健康检查 巡检 | frequency interval cadence 频率 间隔
周期 | expense spending bookkeeping ledger 花费 开销 记账 支出 账目 | register record enter 登记 记录 录入 |
newsletter weekly_report 周刊 周报 | daily_report 日报 每日报告 | toy figure 玩具 潮玩 | job_search job_hunting 求职
找工作 应聘 | resume cv 简历 | push notify deliver 推送 送达 通知 | deliver dispatch ship 送达 发货 配送 | news
headline briefing 新闻 资讯 简报 | football soccer 足球 球赛 | match game fixture 比赛 赛事 | rename renamed 改名
重命名 更名 | conflict clash collision 冲突 同名 重名 | precedence priority 优先 优先级 | legacy old deprecated
obsolete outdated 旧 旧的 遗留 过时 弃用 | compatibility compatible backward 兼容 向后兼容 | theme skin 主题 皮肤 |
risk danger hazard threat 风险 危险 隐患 | trust trusted reliable 信任 可信 可靠 | network_card adapter 网卡 | gateway
router bridge 网关 路由 | scope range boundary 范围 边界 | stub mock fake simulated 替身 桩 打桩 模拟 | warning
caution 警告 告警 | upstream provider vendor supplier 上游 供应商 厂商 | integrate connect adopt 接入 集成 对接 | step
procedure process 步骤 流程 做法 | attribute property field column 属性 字段 列 | score rating grade mark point 评分
打分 分数 得分 | mastery proficiency skill 掌握 熟练 水平 | formula calculation compute calculate 公式 计算 |
dimension aspect factor criterion 维度 方面 指标 | weight proportion share 权重 比重 占比 | interval spacing gap 间隔
| review revise revision repetition 复习 回顾 | rotate rotation cycle alternate 轮换 轮流 循环 | recording audio 录音
音频 | transcribe transcription transcript 转写 转文字 听写 | student learner pupil trainee 学习者 学生 学员 | rebuild
recreate 重建 重新创建 | weather forecast 天气 气象 | api_key key secret credential 密钥 凭据 | payment paid top_up
recharge 付款 充值 支付 到账 | credits points 积分 点数 | refund 退款 | embed inline 内联 嵌入 | monitor display
screen 屏幕 显示器 | palette color 配色 色系 色板 | official_site website homepage 官网 网站 | exchange swap trade
换取 交换 | follow track chase 追踪 跟踪 | spawn create generate 生成 产生 | hero protagonist main_character player
主角 玩家 | die dead death defeat 死亡 阵亡 | reward prize earn 奖励 奖品 收益 | profit earnings income revenue 利润
盈利 收入 | abandon give_up quit 放弃 停止 | community forum 社区 社群 | crypto cryptocurrency bitcoin 加密货币 币 |
hourly rate wage fee 时薪 费率 | developer programmer engineer coder 开发者 程序员 工程师 | apartment flat housing
公寓 房子 租房 | move_in relocate 入住 搬家 | landlord 房东 | collection library catalogue 收藏 馆藏 | album record
专辑 唱片 | merge combine unify join dedupe 合并 归并 | copy duplicate edition 副本 重复 拷贝 | media_player player
播放器 | end_to_end e2e 端到端 | injection manipulate jailbreak 注入 操纵 | suspicious suspect flagged 可疑 |
concurrent parallel simultaneous race 并发 并行 | debounce throttle 防抖 节流 | analyze analyse inspect examine study
分析 研究 查看 | external outside third_party remote 外部 第三方 | tone manner style 语气 口吻 风格 | polite formal
courteous 正式 礼貌 客气 | intimate affectionate 亲密 暧昧 | diary journal 日记 日志 | previous former earlier prior
before 之前 以前 原先 | gift present 礼物 | anniversary birthday 纪念日 生日 | pet dog cat 宠物 狗 猫 | tax taxes 税
税务 报税 | insurance policy 保险 | contract agreement deal 合同 协议 合约 | invoice bill statement 发票 账单 |
holiday vacation leave 假期 休假 放假 | appointment booking reservation 预约 预订 | restaurant dinner lunch 餐厅 饭店
| train bus subway metro 火车 公交 地铁 | passport visa 护照 签证 | luggage baggage 行李 | furniture chair desk 家具
椅子 桌子 | clothes shirt shoes 衣服 鞋 | washing laundry cleaning 洗衣 打扫 | cook recipe kitchen 做饭 菜谱 厨房 |
shop store market 商店 店铺 | price quote offer 报价 价格 | discount coupon promotion 折扣 优惠 促销 | stock share
equity 股票 股份 | invest investment portfolio 投资 持仓 | loan debt mortgage credit 贷款 债务 欠款 | bank account
银行 账户 | currency exchange_rate 货币 汇率 | signature sign 签名 签字 | attachment enclosure 附件 | spreadsheet
excel sheet 表格 电子表格 | slide slides presentation deck 幻灯片 演示 | draft sketch outline 草稿 大纲 | headline
title caption 标题 | spelling typo grammar 拼写 错别字 语法 | emoji emoticon 表情 | avatar profile_picture portrait
头像 | bookmark favorite star 收藏 书签 | widget component control 组件 控件 | sidebar drawer panel 侧栏 面板 |
tooltip hint tip 提示 | placeholder default 占位 | checkbox radio 复选框 | dropdown combobox 下拉 | spinner loading
progress_bar 加载 进度条 | responsive adaptive 响应式 自适应 | shortcut hotkey keybinding 快捷键 热键 | clipboard
paste 剪贴板 粘贴 | camera webcam 摄像头 相机 | microphone mic 麦克风 | speaker headphones 扬声器 耳机 | keyboard
mouse 键盘 鼠标 | battery charge power 电池 充电 电源 | sensor probe 传感器 | temperature heat 温度 | sqlite postgres
mysql database 数据库 | schema model structure 结构 模型 | migration migrate 迁移 | transaction rollback 事务 回滚 |
constraint foreign_key 约束 外键 | pagination page 分页 | payload body 载荷 请求体 | header headers 请求头 | cookie
session 会话 | webhook callback 回调 | websocket socket stream 长连接 | rate_limit throttle quota 限流 频率限制 |
timeout deadline expire 超时 | container docker image 容器 镜像 | kubernetes cluster pod 集群 | pipeline workflow ci
流水线 工作流 | artifact build output 产物 构建产物 | lint linter format style_check 格式检查 代码检查 | type_check
typing typescript 类型检查 | refactor rewrite restructure 重构 重写 | deprecate retire sunset remove 弃用 下线 淘汰 |
hotfix patch fix 热修复 补丁 | regression bug 回归 | flaky unstable intermittent 不稳定 偶发 | stacktrace traceback
stack 堆栈 | breakpoint debugger 断点 | leak memory_leak 泄漏 泄露 | deadlock lock 死锁 | thread process 线程 进程 |
singleton instance 单例 | inherit extend subclass 继承 | interface contract protocol 接口 协议 | naming name
convention 命名 | indent indentation tab 缩进 | comment docstring 注释 | embedding vector 向量 嵌入 | similarity
distance 相似度 距离 | hallucination invent fabricate 幻觉 编造 | fine_tune train 微调 | token tokens context_window
上下文长度 | cost price token_usage 成本 用量 | system_prompt instructions 系统提示词 | persona character identity
soul 人设 角色 身份 人格 | mood emotion feeling 情绪 心情 感受 | secret confidential private 秘密 保密 私密 | boundary
limit line 边界 底线 | complain complaint feedback 抱怨 投诉 反馈 | apologize sorry apology 道歉 抱歉 | thank
gratitude 感谢 | encourage praise compliment 鼓励 表扬 夸 | remind nudge follow_up 提醒 催 | overdue late delayed 逾期
延期 迟 | urgent critical important priority 紧急 重要 | blocked blocker stuck waiting 阻塞 卡住 | assign delegate
hand_over 分配 指派 委派 交接 | keep store retain hold 保留 留着 | persist survive remain preserve last 持久 保持 存活
| reset reinitialize 重置 复位 | remember persist recall save 记住 记得 | realtime real_time live 实时 即时 |
live_stream live_streaming broadcast 直播 | flag toggle switch option boolean 开关 标志 | occupation industry trade
profession 职业 行业 行当 岗位 | attitude tone stance manner 态度 语气 口吻 | interact engage engagement interaction
socialize 打交道 互动 交往 社交 | look_up research investigate explore 查资料 调研 研究 查 | switch_off switched_off
turned_off disable disabled deactivate 关掉 停用 | switch_on switched_on turned_on enable activate 打开 开启 |
evaluate assess appraise look_at looked_at review 评估 考察 评价 | adopt use pick_up embrace 采用 采纳 选用 |
knowledge knowledge_base kb wiki 知识 知识库 | spend spending cost budget expense 花费 花 花销 预算 | normally usually
typically default by_default 默认 平时 通常 | outage downtime down offline unavailable 宕机 中断 挂掉 不可用 | trial
try test tester 试用 测试 | screenshot screen_capture screengrab snapshot 截图 截屏 | feishu lark 飞书 | wechat weixin
微信 | dingtalk 钉钉 | alipay 支付宝 | tiktok douyin 抖音 | xiaohongshu rednote 小红书 | youtube 油管 | bilibili
哔哩哔哩 b站 | linkedin 领英 | google 谷歌 | apple 苹果 | microsoft 微软 | amazon 亚马逊 | taobao 淘宝 | weibo 微博 |
zhihu 知乎 | baidu 百度 | huawei 华为 | xiaomi 小米 | tencent 腾讯 | alibaba 阿里 阿里巴巴 | bitcoin btc 比特币 |
ethereum eth 以太坊 | gold xau 黄金 | silver xag 白银 | talk speak communicate communication 说话 交流 沟通 讲话 |
communicate communication talk contact 通信 通讯 沟通 对话 | promise commit commitment pledge 答应 承诺 许诺 保证 |
forget forgot forgotten overlook 忘记 忘掉 忘了 遗忘 | prevent avoid stop 防止 避免 杜绝 | handshake tls ssl 握手 |
address_as call_them salutation 称呼 叫法 | hour hr hours 小时 钟头 | minute min mins 分钟 | second sec secs 秒 |
hourly per_hour an_hour 每小时 时薪 | run_out ran_out expired expire depleted 用完 耗尽 过期 | renew refresh extend
续期 续签 刷新 | pay paid payment 付钱 付款 已付 付了 | arrive received credited 到账 收到 | quick fast rapid swift
quickly rapidly 快速 迅速 快 | double twice duplicate 双重 重复 | immediate immediately instantly right_away
straight_away at_once 立即 马上 立刻 | troubleshoot investigate handle 排查 处理 | crash panic abort segfault 崩溃
闪退 | blame cause culprit responsible 罪魁 原因 | guilty fault blame 过错 责任 | big_picture overview architecture
架构 全貌 总体 | dependency requirement prerequisite 依赖 前提 | version_number tag release 版本号 | upgrade_path
migration 升级 迁移 | entry_point main entrypoint 入口 | source_of_truth canonical authoritative master 权威 唯一来源
准 | outdated stale old obsolete 过时 旧 陈旧 | newest latest recent current 最新 最近 当前 | oldest earliest first
最早 最旧 | before prior pre previous 之前 事先 | after following post 之后 | beginning start outset 开头 开始 | end
finish ending 结束 结尾 | top highest maximum best 最高 最好 | bottom lowest minimum worst 最低 最差 | important key
critical major crucial essential 重要 关键 核心 | trivial minor small unimportant 小 次要 | difficult hard tricky
challenging 困难 难 | easy simple straightforward 简单 容易 | strange odd weird unusual 奇怪 异常 | normal usual
ordinary regular 正常 普通 | correct right accurate proper 正确 对 准确 | incorrect wrong false inaccurate 错误 错
不对 | full complete entire whole 完整 全部 整个 | partial incomplete half 部分 不完整 | busy occupied 忙 占用 | idle
unused inactive 空闲 闲置 | ready prepared available 就绪 准备好 可用 | unavailable missing absent gone 不可用 缺少
没有 | broken faulty defective corrupt corrupted 损坏 坏 | healthy alive up running 正常 存活 | safe secure harmless
安全 | dangerous risky unsafe hazardous 危险 有风险 | happy satisfied pleased glad 高兴 满意 开心 | angry annoyed
upset mad frustrated 生气 恼火 不满 | sad unhappy 难过 伤心 | tired exhausted 累 疲惫 | afraid scared worried anxious
concern 担心 害怕 担忧 | patient calm 耐心 冷静 | rude impolite 粗鲁 无礼 | honest truthful sincere 诚实 真诚 | lie
lying dishonest fabricate 撒谎 说谎 | guess assume assumption suppose 猜 假设 假定 | know aware understand 知道 了解
明白 | explain describe clarify 解释 说明 描述 | show demonstrate illustrate 展示 演示 | tell inform notify report
告知 通知 | warn caution 警告 | suggest recommend propose advise 建议 推荐 | agree accept consent 同意 接受 | disagree
object oppose 反对 不同意 | argue dispute debate 争论 辩论 | discuss discussion talk 讨论 商量 | negotiate bargain
谈判 讨价还价 | help assist support aid 帮助 协助 支持 | serve provide supply offer 提供 | give hand pass provide 给
交给 | take grab fetch pick 拿 取 | bring carry 带 带来 | send ship transmit 发送 寄 传 | throw discard toss 扔 丢 |
hide conceal mask obscure 隐藏 掩盖 遮 | protect guard defend shield 保护 防护 | damage harm hurt destroy ruin 损害
破坏 毁掉 | repair mend fix 修理 修 | clean clear tidy purge cleanup 清理 清空 打扫 | organize arrange sort 整理 组织
| collect gather harvest crawl scrape 收集 采集 抓取 爬取 抓 | scrape crawl crawler spider scraper 爬虫 抓取 | count
tally total sum 统计 合计 总计 | measure gauge metric benchmark 测量 指标 基准 衡量 | estimate approximate forecast
predict 估计 预估 预测 | calculate compute 算 计算 | guess predict expect 预期 预计 | expect anticipate 期望 预期 |
aim intend plan 打算 计划 | decide determine settle conclude 决定 定下 | choose pick select opt 选 选择 挑 | reject
refuse decline 拒绝 | postpone defer delay put_off 推迟 延后 | hurry rush urgent 赶 急 | wait hold pause 等 等待 |
continue resume proceed carry_on 继续 恢复 接着 | repeat redo again 重复 再次 | begin start kick_off initiate 开始
启动 | finish complete wrap_up end 完成 收尾 | achieve accomplish reach 达成 实现 达到 | fail failure unsuccessful
失败 没成功 | succeed success successful 成功 | win victory 赢 胜利 | lose lost defeat 输 失败 | gain benefit
advantage profit 好处 优势 收益 | disadvantage drawback downside con 缺点 劣势 坏处 | strength strong strongest 强项
优势 长处 | weakness weak flaw 弱点 缺陷 短处 | trait characteristic feature property 特征 特点 | feature capability
functionality function 功能 能力 特性 | purpose goal reason intent 目的 用途 | meaning sense definition 含义 意思 定义
| example sample instance case 例子 示例 样例 | kind type sort category 种类 类型 | part piece component section 部分
组件 | member participant attendee 成员 参与者 | crowd audience public 观众 听众 | guest visitor 访客 客人 | neighbour
neighbor 邻居 | stranger unknown 陌生人 | expert specialist professional 专家 | beginner novice newcomer newbie 新手
初学者 | writer author 作者 作家 | artist painter designer 画家 设计师 | seller vendor merchant supplier 卖家 商家
供应商 | landlord 房东 | tenant 租客 | rent 租金 | lawyer attorney legal 律师 法律 | accountant accounting bookkeeping
会计 记账 | dentist doctor physician 牙医 医生 | baby infant newborn 婴儿 宝宝 | age years_old old birthday born 年龄
岁 几岁 多大 | marry married wedding spouse 结婚 婚礼 已婚 | divorce divorced separated 离婚 | die died death
passed_away 去世 死 过世 | sick ill illness disease 生病 疾病 病 | pain ache hurt 疼 痛 | symptom sign 症状 |
treatment therapy cure 治疗 | house home building 房子 家 | room bedroom kitchen 房间 卧室 | office workplace desk
办公室 工位 | street road address 街 路 地址 | location place site where 地点 位置 地方 | map route navigation 地图
路线 | distance far mileage 距离 | country abroad overseas 国外 海外 | climate weather temperature 气候 天气 | rain
rainy storm 下雨 雨 | money cash funds capital 资金 现金 钱 | income earnings revenue salary 收入 薪资 | savings
deposit 存款 储蓄 | fine penalty punishment 罚款 惩罚 | gift reward bonus 礼物 奖励 奖金 | worth value price 价值 值 |
cheap inexpensive affordable 便宜 实惠 | expensive costly pricey 昂贵 贵 | refundable refund return 退款 退货 | order
purchase booking 订单 订购 | delivery shipping shipment courier 快递 配送 物流 | stock inventory supply 库存 存货 |
warehouse storage depot 仓库 | factory plant manufacturing 工厂 制造 | machine server host box computer 机器 主机
服务器 | nas server storage 存储 服务器 | gpu graphics_card cuda 显卡 | cpu processor core 处理器 | ssd disk drive
硬盘 | usb cable port 接口 线 | wifi wireless network 无线 网络 | bluetooth wireless 蓝牙 | router modem gateway
路由器 | ip_address ip address 地址 | dns resolver nameserver 解析 | certificate cert tls ssl 证书 | two_factor 2fa
mfa otp 双因素 两步验证 | backup_copy backup snapshot 备份 快照 | log_file log logs 日志 | crash_dump core_dump 转储 |
stack_trace traceback 堆栈 | unit_tests tests test_suite 单元测试 | end_to_end e2e integration playwright 端到端 |
fake mock stub dummy 模拟 假 | sandbox isolated isolation 沙箱 隔离 | preview staging demo 预览 演示 | canary gradual
rollout 灰度 | pull_request pr merge_request 拉取请求 | main_branch master main trunk 主干 主分支 | commit_message
commit 提交信息 提交说明 | changelog release_notes history 更新日志 变更记录 | readme docs documentation 说明 | spec
specification requirement 规格 需求 | requirement need demand 需求 要求 | design_doc design proposal rfc 设计文档 |
ticket issue card 工单 | sprint iteration cycle 迭代 冲刺 | milestone deadline target 里程碑 | estimate effort 估时
工时 | standup meeting sync 站会 例会 | retro retrospective postmortem 复盘 回顾 | incident outage accident 事故 事件
故障 | on_call duty shift 值班 | runbook playbook procedure guide 操作手册 预案 | checklist list 清单 检查表 |
reminder alarm nudge 提醒 闹钟 | note memo jot 笔记 备忘 | inbox mailbox mail 收件箱 邮箱 | spam junk 垃圾邮件 |
newsletter digest mailing 简讯 | phone_number mobile telephone number 电话号码 手机号 | username handle login account
用户名 账号 | password passcode pin 密码 | secret_key key token 密钥 | access_token token bearer 令牌 |
environment_variable env_var env dotenv 环境变量 | config_file configuration settings 配置文件 | data_folder directory
path 目录 | log_in sign_in 登录 | sign_up register registration 注册 | unsubscribe opt_out cancel 退订 取消 |
upload_limit max_size 上限 | resize scale crop 缩放 裁剪 | align alignment center 对齐 居中 | margin padding spacing
gap 边距 间距 | border outline frame 边框 | shadow glow gradient 阴影 渐变 | round rounded radius corner 圆角 | scroll
swipe drag 滚动 滑动 拖动 | click tap press 点击 按 | hover mouseover 悬停 | zoom magnify 缩放 放大 | modal popup
overlay 弹窗 浮层 | toast notification banner 提示 横幅 | navigation navbar menu 导航 菜单 | login_page auth 登录页 |
search_box search 搜索框 | empty_state placeholder 空状态 | skeleton loading spinner 加载 骨架 | accessibility a11y
wcag contrast 无障碍 可访问性 | translation i18n localization locale 国际化 本地化 翻译 | right_to_left rtl | currency
money 货币 | decimal rounding precision float 小数 精度 舍入 | date day calendar 日期 | time_limit timeout deadline
时限 | duration length how_long 时长 | interval every period frequency 间隔 周期 每隔 | night overnight nightly
evening 夜间 通宵 晚上 夜里 | dawn early_morning midnight 凌晨 | weekend 周末 | weekday workday business_day 工作日 |
holiday vacation day_off 假期 | schedule timetable agenda hours 日程 时间表 | working_hours work_hours office_hours
hours 工作时间 上班时间 | quiet silent mute do_not_disturb 静音 免打扰 安静 | loud noise volume 音量 噪音 | voice
speech tts spoken 语音 声音 | speech_recognition stt transcription whisper 语音识别 | handwriting ocr recognition 识别
| picture_generation image drawing 生图 画图 | video_editing edit cut clip 剪辑 | thumbnail cover preview 封面 缩略图
| watermark stamp 水印 | logo brand icon 标志 | slogan tagline motto 口号 | target_group audience customer persona
目标人群 受众 | persona role character 人设 角色 | copywriting copy text wording 文案 | lead prospect customer 线索
潜在客户 | funnel conversion 转化 漏斗 | churn retention 流失 留存 | traffic visits views 流量 访问量 | ad ads
advertising campaign 广告 投放 | seo ranking search 排名 | rank ranking leaderboard position 排名 名次 | score points
grade 分数 得分 | quiz exam test question 测验 考试 题目 | homework assignment exercise 作业 练习 | teacher tutor
instructor coach 老师 导师 教练 | grade class year 年级 | essay paper article thesis 论文 文章 | research study paper
研究 论文 | citation reference source 引用 参考 | figure chart diagram 图 图表 | experiment trial test 实验 试验 |
hypothesis assumption theory 假设 猜想 | dataset data corpus 数据集 数据 | accuracy precision recall f1 准确率 精度 |
training finetune learning 训练 | inference prediction serving 推理 | learning_rate hyperparameter 学习率 超参 |
checkpoint weights model 权重 检查点 | reasoning thinking chain 推理 思考 | instruction prompt directive 指令 提示 |
tool function plugin skill 工具 插件 技能 | plugin extension addon add_on 插件 扩展 | skill ability capability 技能
能力 | subagent helper worker agent 子代理 | orchestrator coordinator dispatcher 编排 调度 协调 | parallel concurrent
simultaneously at_once 并行 同时 并发 | sequential serial one_by_one 顺序 串行 逐个 | limit maximum cap ceiling 上限
限制 | overflow exceed exceeded over 超出 溢出 超过 | shrink reduce compress 缩小 压缩 | expand grow extend enlarge
扩大 扩展 | widen broaden 拓宽 放宽 | tighten restrict narrow 收紧 限制 | trade trading position 交易 仓位 | buy_in
entry long 买入 建仓 做多 | sell_off exit short 卖出 平仓 做空 | stop_loss stoploss 止损 | take_profit 止盈 | crash
plunge drop fall slump 崩盘 暴跌 大跌 跌 | surge rally rise soar jump 暴涨 大涨 涨 | portfolio holdings positions 持仓
组合 | dividend yield 股息 分红 | interest_rate rate yield 利率 | inflation cpi 通胀 | exchange broker 交易所 券商 |
wallet account balance 钱包 余额 | balance remaining left 余额 剩余 | 连不上 无法连接 连接失败 连接超时
connection_refused connection_error | 打不开 无法打开 加载失败 白屏 | 登不上 无法登录 登录失败 | 装不上 安装失败 |
用不了 不可用 无法使用 不能用 unusable | 收不到 未收到 没收到 | 找不到 未找到 不存在 not_found missing 404 | 跑不起来
启动失败 无法启动 | 没反应 无响应 卡死 unresponsive | 看不到 不可见 不显示 invisible | 乱码 编码错误 garbled mojibake
encoding | 太慢 很慢 性能 耗时 slow | 耗时 用时 花了多久 时长 took duration | 占用 消耗 用量 usage consumption | 泄露
泄漏 外泄 leak exposed | 出问题 异常 故障 出错 | 踩坑 坑 教训 问题 pitfall gotcha caveat | 注意事项 注意 须知 提醒
caution note | 绕过 规避 变通 workaround bypass | 临时 暂时 temporary interim | 永久 长期 permanent | 彻底 完全
completely entirely | 统一 一致 unified consistent | 区分 区别 分开 distinguish | 合规 规范 compliance compliant |
审计 audit 审查 | 保密 机密 隐私 private confidential privacy | 授权 批准 许可 authorize authorization | 收费 付费
计费 价格 billing charge charged paid | 免费 不收费 free | 退钱 退款 refund | 涨价 提价 加价 increase | 便宜 低价 省钱
| 省 节省 节约 save saving | 赚 盈利 利润 收益 profit | 亏 亏损 损失 loss | 入金 充值 存入 deposit | 出金 提现 取出
withdraw withdrawal | 转账 汇款 打款 transfer remittance | 报销 reimbursement expense | 发薪 发工资 工资 薪水 payday
payroll | 请假 休假 放假 leave day_off | 上班 工作 出勤 work | 下班 收工 | 加班 overtime | 开工 动工 开始 | 截止 到期
期限 deadline due | 提前 早 ahead early | 推迟 延期 延后 delay postponed | 取消 作废 撤销 cancel cancelled | 安排 日程
计划 schedule arrange | 预约 预定 预订 booking | 参加 出席 参与 attend join | 主持 负责 牵头 host lead | 负责 分管
职责 responsible responsibility charge owner | 分工 职责 角色 roles responsibilities | 上级 老板 领导 boss manager |
下属 手下 团队 subordinate report | 客服 支持 support helpdesk | 供应商 厂商 vendor supplier | 甲方 客户 client | 合作
协作 collaborate cooperation partner | 联系人 联络人 contact | 电话 手机号 号码 phone number | 地址 住址 address |
生日 出生 birthday | 年纪 年龄 岁数 age | 老家 籍贯 家乡 hometown | 住 居住 家在 live lives living residence | 搬家
搬到 迁居 moved | 结婚 已婚 married | 对象 伴侣 女朋友 男朋友 partner | 娃 孩子 小孩 宝宝 | 爸 父亲 爸爸 father dad |
妈 母亲 妈妈 mother mom | 口味 喜好 偏好 preference taste | 爱吃 喜欢吃 口味 饮食 | 忌口 过敏 不吃 allergy | 讨厌 反感
不喜欢 烦 hate dislike annoy | 在意 重视 看重 关心 care value | 习惯 惯例 习惯于 habit routine | 作息 起床 睡觉
作息时间 routine sleep | 起床 醒 早起 wake | 睡 睡觉 就寝 sleep bedtime | 锻炼 健身 运动 workout exercise gym | 减肥
减重 体重 weight | 看病 就医 医院 doctor | 语气 口吻 风格 tone | 话多 啰嗦 冗长 verbose | 直接 直说 开门见山 direct
straight | 废话 套话 客套 filler fluff | 简短 精简 短 brief | 叫 称呼 名叫 call called | 自称 身份 identity | 性格
人格 个性 personality character | 原则 准则 principle rule | 底线 红线 禁区 never | 擅自 私自 未经 without_permission
unauthorized | 自作主张 擅自 主动 | 先问 先确认 询问 请示 ask confirm | 汇报 报告 反馈 report | 留意 关注 盯 监控
watch monitor | 跟进 追踪 follow_up track | 进展 进度 状态 progress | 卡在 阻塞 受阻 blocked stuck | 待定 未定 未决
pending undecided tbd | 搁置 暂停 暂缓 on_hold paused shelved parked | 放弃 不做 弃用 abandoned dropped | 落地 实施
实现 implement implemented | 上线 发布 投产 launch live | 验收 验证 检查 acceptance verify | 回归 复测 regression
retest | 复现 重现 reproduce reproduction | 定位 排查 查明 locate diagnose | 根治 彻底解决 修复 | 补救 挽救 恢复
remedy recover | 误删 删错 误操作 accidentally accidental | 覆盖 重写 冲掉 overwrite overwritten | 清掉 清空 删除 清理
clear | 备份 存档 backup | 同步 一致 sync | 导出 输出 export | 抓 抓取 采集 爬 scrape | 解析 分析 parse | 转换 转成
转为 convert | 压缩 精简 compress compact | 加密 密文 encrypted | 签名 signing signature | 密钥 key 凭证 令牌 token |
口令 密码 password | 验证码 短信码 code otp captcha | 白名单 allowlist whitelist 允许列表 | 黑名单 blocklist blacklist
屏蔽列表 denylist | 限速 限流 限制 throttle rate_limit | 并发 同时 并行 concurrency | 超时 timeout 等太久 | 重试 再试
重发 retry | 排队 队列 queue | 缓存 cache 暂存 | 预热 warmup warm_up | 冷启动 cold_start | 热更新 热加载 hot_reload
hmr | 灰度 逐步 canary | 回退 回滚 退回 rollback revert | 提交 commit 入库 | 推上 推送 push | 拉取 pull fetch | 合并
merge 并入 | 打标签 标签 tag | 版本 版本号 version | 依赖 包 库 dependency | 环境 环境变量 env | 域名 domain 网址 |
证书 ssl https tls | 服务器 主机 机器 server | 容器 docker 镜像 | 磁盘 硬盘 空间 disk | 显卡 gpu | 网速 带宽 bandwidth
| 日志 log 记录 | 告警 报警 警报 alert | 指标 metric 数据 | 看板 dashboard 面板 | 报表 报告 统计 report | 图表 chart
曲线 | 表格 表 excel | 首页 主页 homepage landing | 页面 界面 page | 弹窗 对话框 popup | 样式 css style | 布局 layout
排版 | 配色 颜色 色 color | 字体 字号 font | 图片 配图 image | 封面 cover 头图 | 标题 题目 title | 正文 内容 body
content | 摘要 概要 总结 summary | 关键词 keyword | 标签 话题 hashtag tag | 文案 文字 copy | 公众号 订阅号 微信 |
视频号 视频 | 直播 live streaming | 粉丝 关注者 followers | 点赞 赞 like likes | 评论 留言 comments | 转发 分享 share
repost | 阅读量 浏览量 播放量 views | 选题 主题 topic | 投稿 发稿 submit | 草稿 draft 未发布 | 定稿 终稿 final | 审稿
审核 review | 论文 文献 paper | 会议 大会 conference | 截稿 deadline | 实验 experiment 测试 | 数据集 dataset | 模型
model | 训练 training | 评测 评估 benchmark eval evaluation | 准确率 accuracy 正确率 | 召回 recall 检索 | 向量
embedding 嵌入 | 知识库 knowledge_base 资料库 | 上下文 context 窗口 | 记忆 memory 记住 | 遗忘 忘记 forget | 总结 归纳
summarize | 心跳 heartbeat 定时检查 | 定时 cron 计划任务 | 每天 每日 daily 天天 | 每周 每星期 weekly | 早报 晨报
morning_report briefing | 晚报 evening_report | 日报 daily_report | 周报 weekly_report | 月报 monthly_report | 仓位
持仓 头寸 position | 加仓 补仓 add | 减仓 reduce | 清仓 平仓 close | 止损 stop_loss | 杠杆 leverage | 回撤 drawdown |
胜率 win_rate | 信号 signal | 策略 strategy | 回测 backtest backtesting | 实盘 live_trading | 模拟盘 paper_trading
simulation | 手续费 fee commission 费率 | 行情 market 市场 价格 | 涨幅 上涨 gain | 跌幅 下跌 下降 decline | 开盘 open
| 收盘 close | 成交量 volume | 账单 bill invoice | 发票 invoice | 合同 contract | 报价 quote quotation | 预算 budget |
成本 cost | 营收 收入 revenue sales | 毛利 margin | 库存 inventory stock | 发货 ship shipping shipped | 物流 快递
logistics delivery | 退货 return | 商品 产品 product item sku | 店铺 store shop | 下单 订单 order | 客单价
average_order | 优惠 折扣 discount | 会员 member membership subscription | 积分 points credits | 注销 delete_account
close_account | 封号 封禁 ban banned suspended | 解封 unban unblock | 申诉 appeal | 违规 violation | 举报 report |
gotcha pitfall trap caveat quirk | workaround trick hack bypass | culprit cause root_cause | symptom sign indication |
fix remedy solution cure resolution | side_effect consequence impact effect affected | trade_off tradeoff compromise
downside | reason rationale why motivation because | alternative option substitute fallback | fallback backup failover
alternative | chosen picked selected preferred | rejected declined refused discarded ruled_out | agreed settled
decided confirmed | unresolved open pending undecided tbd | deferred postponed later parked backlog | abandoned
dropped scrapped killed | finished done completed shipped | ongoing underway in_progress active current | upcoming
next planned future | overdue late missed delayed | recurring repeated regular periodic | once one_time single |
rarely seldom sometimes occasionally | often frequently usually | always every_time | never forbidden banned |
mandatory required must compulsory | optional voluntary | recommended suggested advised best_practice | discouraged
avoid | deprecated obsolete retired legacy sunset | supported compatible works | unsupported incompatible | enough
sufficient adequate | insufficient lacking shortage too_little | extra additional spare surplus | needed required
necessary | useless pointless unnecessary redundant | main primary chief principal | secondary backup second |
responsible owner charge accountable | handle handles deal manage | manage managed maintain run | maintain upkeep
maintenance | look_after care maintain | supervise oversee monitor | track follow monitor | trigger triggers cause
fire kick_off | invoke call trigger | listen subscribe watch | poll polling check | ping contact notify message | warn
alert notify | escalate escalation raise | approve approval sign_off green_light | permission approval consent | ask
request query | answer reply respond | ignore skip disregard | tolerate accept allow | insist require demand | enforce
enforced mandatory | violate break breach | punish penalty | praise compliment | scold criticize | apologize sorry |
grateful thank | love adore favorite favourite like | favorite favourite preferred best | hate dislike pet_peeve |
bother annoy irritate | prefer preference rather | habit routine practice | morning early dawn am | evening night pm |
lunch noon midday | commute drive travel | home house residence lives | hometown origin from native | birthday born
birthdate | nickname called alias goes_by | surname last_name family_name | job occupation role title position |
employer company works | salary income pay wage | degree education university studied | hobby interest passion | sport
exercise workout gym training | diet food eating meal | allergic allergy intolerant avoid | doctor physician medical
clinic | medicine medication pill drug dose | partner spouse wife husband girlfriend boyfriend | kid kids child
children son daughter | parent mother father | pet dog cat | car vehicle truck | flat apartment house rent | bill
invoice payment | loan mortgage debt | save saving savings | broker exchange trading | where located location path
stored lives | file document path | folder directory location | url link address endpoint | port number | command run
execute | script command tool | flag option parameter switch argument | parameter argument setting | default initial
preset | limit maximum cap | range interval between | threshold cutoff limit minimum | size dimensions width height |
version release tag | format syntax structure layout | schema table columns fields | name naming called | prefix
suffix | order sequence priority | steps procedure process workflow | checklist steps | first_step begin start |
before prior prerequisite | afterwards after then finally | restart reboot reload relaunch | reinstall install setup |
migrate move transfer switch | upgrade update bump | downgrade rollback revert | clean cleanup purge wipe | wipe erase
delete clear | recover restore rescue | lose lost missing gone disappear disappeared vanish | break broke broken fail
| hang freeze stuck | crash crashed die died exit | slow laggy sluggish latency | flicker flash blink | duplicate
double twice repeated | mismatch inconsistent differ conflict | wrong incorrect bug mistake | stale outdated cached
old | empty blank null nothing none | invalid illegal malformed bad | truncated cut cropped | overlap overlapping
collide | leak leaked exposed | blocked denied forbidden rejected 403 | unauthorized unauthenticated 401 | not_found
missing 404 | server_error 500 | too_many throttled rate_limited 429 | offline disconnected down | online up available
| battery charge power | cold cool | light lamp bulb | camera photo picture | printer print | screen display monitor
resolution | keyboard shortcut hotkey key | mouse pointer cursor | headset headphones audio
"""
"""Separated by bars; _ stands for a space. A word of several senses stands in several groups."""

_KINDS = """
messenger chat_app chat_tool messaging_app 聊天软件 聊天工具 通讯软件 通讯工具 即时通讯: whatsapp telegram signal
slack discord wechat imessage 微信 飞书 feishu 钉钉 | ai_model language_model llm 大模型 语言模型 模型: claude gpt
opus sonnet haiku gemini qwen deepseek llama kimi glm mistral | ai_provider model_provider provider 供应商 厂商:
anthropic openai google deepseek openrouter | coding_agent ai_assistant 编程助手: claude codex cursor copilot gemini
openclaw | browser 浏览器: chrome chromium firefox safari edge playwright puppeteer | editor ide 编辑器: vscode vim
neovim cursor jetbrains | operating_system os 操作系统 系统: linux windows macos ubuntu debian android ios | database
数据库: postgres postgresql sqlite mysql supabase mongodb redis duckdb | cloud hosting hosted 云 托管 云服务: aws
azure gcp vercel netlify cloudflare railway render fly heroku 阿里云 腾讯云 | vpn tunnel 翻墙: tailscale wireguard
openvpn clash | social_network social_media social_platform 社交媒体 社交平台: twitter x instagram facebook linkedin
tiktok reddit 微博 小红书 抖音 | language 语言: english chinese german french spanish japanese korean russian
portuguese italian 中文 英文 英语 日语 德语 法语 韩语 | programming_language 编程语言: python typescript javascript
rust go java kotlin swift php ruby | package_manager 包管理: npm pnpm yarn pip uv poetry cargo bun brew | framework
框架: react vue angular svelte nextjs django flask fastapi spring express unity | payment payment_provider 支付 付款
收款: stripe paypal alipay 支付宝 微信支付 | code_host code_hosting git_host 代码托管: github gitlab bitbucket gitee |
tests test_framework test_runner 测试框架: pytest jest vitest playwright cypress junit | search_engine 搜索引擎:
google bing duckduckgo brave tavily 百度 | smart_home home_automation 智能家居: homeassistant home_assistant zigbee
mqtt | pet pets 宠物: dog cat puppy kitten 狗 猫 | family relatives 家人 家庭 亲人: wife husband son daughter mother
father brother sister kids 妻子 丈夫 儿子 女儿 父亲 母亲 | currency 货币 币种: usd eur cny rmb gbp jpy dollar euro
美元 欧元 人民币 | timezone time_zone 时区: utc gmt cst pst est cet asia europe america shanghai | vehicle car 车
汽车: tesla bmw toyota truck suv 特斯拉 | note_app notes_app notebook 笔记软件 笔记: notion obsidian evernote onenote
| mail email e_mail 邮件 邮箱: gmail outlook imap smtp | spreadsheet 表格: excel csv sheets xlsx | container 容器:
docker podman | scheduler 定时 定时任务: cron crontab systemd launchd celery | tts text_to_speech 语音合成: elevenlabs
edge_tts | hardware board 硬件 开发板: arduino esp32 raspberry raspberry_pi jetson | music 音乐: spotify suno netease
网易云 | documents office 办公 文档: word pdf docx pptx
"""
"""Names of a kind: what is of it. Who asks for a messenger is answered by its name; who names one asks for no other."""

_FORMS = """
begin began begun | break broke broken | bring brought | build built | buy bought | catch caught | choose chose chosen
| cost costs | cut cuts | deal dealt | draw drew drawn | drive drove driven | eat ate eaten | fall fell fallen | feel
felt | fight fought | find found | fly flew flown | forbid forbade forbidden | forget forgot forgotten | freeze froze
frozen | give gave given | grow grew grown | hang hung | hear heard | hide hid hidden | hit hits | hold held | hurt
hurts | keep kept | know knew known | lay laid | lead led | learn learnt | leave left | lend lent | lose lost | make
made | mean meant | meet met | pay paid | put puts | read reads | ride rode ridden | ring rang rung | rise rose risen
| run ran | say said | see saw seen | seek sought | sell sold | send sent | set sets | shake shook shaken | show shown
| shrink shrank shrunk | shut shuts | sleep slept | speak spoke spoken | spend spent | split splits | spread spreads |
stand stood | steal stole stolen | stick stuck | strike struck | swear swore sworn | swim swam | take took taken |
teach taught | tell told | think thought | throw threw thrown | understand understood | wake woke woken | wear wore
worn | win won | write wrote written | withdraw withdrew withdrawn | rebuild rebuilt | rewrite rewrote rewritten |
undo undid undone | redo redid redone | overwrite overwrote overwritten | child children | person people | man men |
woman women | foot feet | tooth teeth | mouse mice | life lives | wife wives | knife knives | leaf leaves | shelf
shelves | half halves | index indices | vertex vertices | matrix matrices | criterion criteria | medium media |
analysis analyses | datum data | appendix appendices | bad worse worst | good better best | far further
"""
"""Forms of one word that have no stem in common."""

_NUMBERS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


def list_synonyms(word: str) -> tuple[str, ...]:
    """Words that mean much the same as a folded word, in simplified characters; none: nothing is known of it."""
    forms = list_word_forms(word)
    found = dict.fromkeys(other for form in forms for other in _list_neighbours(form))
    # One Chinese character begins too many words to be looked for behind an English one.
    told = (other for other in found if other not in forms and (len(other) > 1 or not word.isascii()))
    return tuple(islice(told, MOST))


def is_vocabulary_word(words: str) -> bool:
    """Whether these words, or this Chinese word, are among them as they stand."""
    return "_" not in words and words.replace(" ", "_") in _index_groups()


def list_irregular_forms(word: str) -> tuple[str, ...]:
    """Other forms of a folded word that its stem does not find: kept -> keep; of a number its figure."""
    if word in _NUMBERS:
        return (str(_NUMBERS.index(word) + 2),)
    return _build_forms().get(word, ())


def _list_neighbours(words: str) -> Iterator[str]:
    """What stands beside a word in its groups, and what is of the kind that it names."""
    key = words.replace(" ", "_")
    for group in _index_groups().get(key, ()) if "_" not in words else ():
        yield from (other.replace("_", " ") for other in group.split() if other != key)


@lru_cache(maxsize=1)
def _index_groups() -> dict[str, tuple[str, ...]]:
    """The groups of each word, whole: whoever asks for a few of them need not wait for all to be taken apart."""
    found: dict[str, tuple[str, ...]] = {}
    for group in _GROUPS.split("|"):
        for word in group.split():
            found[word] = (*found[word], group) if word in found else (group,)
    for kind in _KINDS.split("|"):
        names, _, members = kind.partition(":")
        for name in names.split():
            found[name] = (*found.get(name, ()), members)
    return found


@lru_cache(maxsize=1)
def _build_forms() -> dict[str, tuple[str, ...]]:
    groups = [group.split() for group in _FORMS.split("|")]
    return {word: tuple(other for other in group if other != word) for group in groups for word in group}


def list_word_forms(word: str) -> list[str]:
    """The word, and what it may be without an ending: stores, stored, storing -> store; kept -> keep."""
    found = [word, *_build_forms().get(word, ())]
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
