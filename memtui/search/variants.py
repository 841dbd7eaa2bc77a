"""The same words in the other Chinese script, letter by letter.

Which characters of simplified and of traditional Chinese stand for each other.

Made from the character tables of OpenCC (https://github.com/BYVoid/OpenCC), Copyright 2010-2026 Carbo Kuo and
contributors, licensed under the Apache License 2.0 (its text is in characters.LICENSE beside this file): STCharacters,
TSCharacters, TWVariants and HKVariants, of these the characters of GB 2312, and those of GBK that Big5 has a form of.

The same words in the other Chinese script: 数据库 is asked for as 數據庫 as well, 發現 as 发现.

The query is what is written twice; the index holds what stands in the files. One simplified character may be several
traditional ones (发: 發 and 髮), so that a term has a few forms; which of them are words, the texts will tell.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import product

GROUPS = """
万萬万 与與 丑醜丑 专專耑 业業 丛叢 东東 丝絲 丢丟 两兩 严嚴 丧喪 个個箇 丰豐丰 临臨 为為爲 丽麗 举舉
乃乃迺 么么麼 义義 乌烏 乐樂 乔喬 习習 乡鄉 书書 买買 乱亂 了了瞭 争爭 于於于 亏虧 云雲云 亘亙亘 亚亞 产產
亩畝 亲親 亵褻 亸嚲 亿億 仅僅 仆僕仆 仇仇讎 从從 仑侖崙 仓倉 仪儀 们們 价價价 仿仿彷 众眾衆 优優 伙夥伙
会會 伛傴 伞傘 伟偉 传傳 伣俔 伤傷 伥倀 伦倫 伧傖 伪偽僞 伫佇 体體 余餘余 佛佛彿 佣傭佣 佥僉 侠俠 侣侶
侥僥 侦偵 侧側 侨僑 侩儈 侪儕 侬儂 侭儘 俊俊儁 俣俁 俦儔 俨儼 俩倆 俪儷 俭儉 修修脩 俯俯頫 借借藉 债債
倾傾 偬傯 偻僂 偾僨 偿償 傥儻 傧儐 储儲 傩儺 僵僵殭 儿兒 克克剋 兑兑兌 兖兗 党黨党 兰蘭 关關 兴興 具具俱
兹茲 养養 兽獸 冁囅 内內 冈岡 册冊 写寫 军軍 农農 冢冢塚 冬冬鼕 冯馮 冲衝沖 决決 况況 冻凍 净淨 凄悽淒
准準准 凉涼 凌凌淩 减減 凑湊 凛凜 几幾几 凤鳳 凫鳧 凭憑 凯凱 凶兇凶 出出齣 击擊 凿鑿 刍芻 划劃划畫 刘劉
则則 刚剛 创創 删刪 别別彆 刭剄 刮刮颳 制制製 刹剎 刽劊 刿劌 剀剴 剂劑 剐剮 剑劍 剥剝 剧劇 劝勸 办辦 务務
劢勱 动動 励勵 劲勁 劳勞 势勢 勋勳勛 勚勩 匀勻 匦匭 匮匱 区區 医醫 千千韆 升升昇陞 华華 协協 单單 卖賣
卜卜蔔 占佔占 卢盧 卤滷鹵 卧卧臥 卫衞衛 却卻 卷卷捲 卺巹 厂廠厂 厅廳 历歷曆 厉厲 压壓 厌厭 厍厙 厕廁
厘釐厘 厢廂 厣厴 厦廈 厨廚 厩廄 厮廝 县縣 叁叁叄 参參蔘 叆靉 叇靆 双雙 发發髮 变變 叙敍敘 叠疊 只衹只隻祇
台台臺枱檯颱 叶葉叶 号號 叹嘆歎 叽嘰 吁籲吁 吃吃喫 合合閤 吊吊弔 同同衕 后後后 向向嚮曏 吓嚇 吕呂 吗嗎
吣吣唚 吨噸 听聽 启啟啓 吴吳 呆呆待 呐吶 呒嘸 呓囈 呕嘔 呖嚦 呗唄 员員 呙咼 呛嗆 呜嗚 周周週賙 咏詠 咙嚨
咛嚀 咝噝 咤吒 咨諮咨 咸鹹咸 咽咽嚥 哄哄鬨 响響 哑啞 哒噠 哓嘵 哔嗶 哕噦 哗譁嘩 哙噲 哜嚌 哝噥 哟喲 唇唇脣
唛嘜 唝嗊 唠嘮 唡啢 唢嗩 唤喚 啧嘖 啬嗇 啭囀 啮齧嚙 啯嘓 啰囉 啴嘽 啸嘯 喂喂餵 喷噴 喽嘍 喾嚳 嗫囁 嗳噯
嘘噓 嘤嚶 嘱囑 噜嚕 噪噪譟 嚣囂 回回迴 团團糰 园園 困困睏 囱囱囪 围圍 囵圇 国國 图圖 圆圓 圣聖 圹壙 场場
坂坂阪 坏壞 坐坐座 块塊 坚堅 坛壇罈 坜壢 坝壩垻 坞塢 坟墳 坠墜 坯坯坏 垄壟 垅壠 垆壚 垒壘 垦墾 垩堊 垫墊
垭埡 垲塏 垴堖 埘塒 埙壎塤 埚堝 堑塹 堕墮 堤堤隄 墙牆 壮壯 声聲 壳殼 壶壺 壸壼 处處 备備 复復複覆 够夠
夫夫伕 头頭 夸誇夸 夹夾袷 夺奪 奁奩 奂奐 奋奮 奖獎 奥奧 奸奸姦 妆粧妝 妇婦 妈媽 妩嫵 妪嫗 妫媯嬀 姗姍
姜姜薑 姹奼 娄婁 娅婭 娆嬈 娇嬌 娈孌 娘娘孃 娱娛 娲媧 娴嫻嫺 婳嫿 婴嬰 婵嬋 婶嬸 媪媪媼 媭嬃 嫒嬡 嫔嬪
嫱嬙 嬷嬤 孙孫 学學 孪孿 宁寧甯 它它牠 宝寶 实實 宠寵 审審 宪憲 宫宮 家家傢 宽寬 宾賓 寝寢 对對 寻尋 导導
寿壽 将將 尔爾 尘塵 尝嘗嚐 尧堯 尴尷 尸屍尸 尽盡儘 局局侷 层層 屉屜 届屆 属屬 屡屢 屦屨 屿嶼 岁歲 岂豈
岖嶇 岗崗 岘峴 岚嵐 岛島 岩巖岩 岭嶺 岳嶽岳 岽崬 岿巋 峃嶨 峄嶧 峡峽 峣嶢 峤嶠 峥崢 峦巒 峰峰峯 崂嶗 崃崍
崄嶮 崭嶄 嵘嶸 嵚嶔 嵝嶁 巅巔 巨巨鉅 巩鞏 巯巰 币幣 布布佈 帅帥 师師 帏幃 帐帳 帘簾帘 帜幟 带帶 帧幀
席席蓆 帮幫 帱幬 帻幘 帼幗 幂冪 干幹乾干榦 并並併 幸幸倖 广廣广 庄莊 庆慶 床床牀 庐廬 庑廡 库庫 应應 庙廟
庞龐 废廢 庵庵菴 庼廎 廪廩 开開 异異 弃棄 弑弒 张張 弥彌瀰 弦弦絃 弪弳 弯彎 弹彈 强強 归歸 当當噹 录錄彔
彦彥 彩彩綵 彻徹 征徵征 径徑逕 徕徠 御御禦 忆憶 忏懺 志志誌 忧憂 念念唸 忾愾 怀懷 态態 怂慫 怃憮 怄慪 怅悵
怆愴 怜憐 总總 怼懟 怿懌 恋戀 恒恆 恤恤卹 恳懇 恶惡噁 恸慟 恹懨 恺愷 恻惻 恼惱 恽惲 悦悦悅 悫愨 悬懸 悭慳
悯憫 惊驚 惧懼 惨慘 惩懲 惫憊 惬愜 惭慚 惮憚 惯慣 愈愈癒 愠愠慍 愤憤 愦憒 愿願愿 慑懾 慭憖 懑懣 懒懶 懔懍
戆戇 戋戔 戏戲 戗戧 战戰 戚戚慼鏚 戬戩 户户戶 扇扇搧 才才纔 扎扎紮 扑撲 托托託 扣扣釦 执執 扩擴 扪捫 扫掃
扬揚颺 扰擾 折折摺 抚撫 抛拋 抟摶 抠摳 抡掄 抢搶 护護 报報 抵抵牴 担擔 拐拐枴柺 拟擬 拢攏 拣揀 拥擁 拦攔
拧擰 拨撥 择擇 拼拼拚 拿拿拏 挂掛挂 挚摯 挛攣 挜掗 挝撾 挞撻 挟挾 挠撓 挡擋 挢撟 挣掙 挤擠 挥揮 挦撏
挨挨捱 挽挽輓 捆捆綑 捍捍扞 捝挩 捞撈 损損 捡撿 换換 捣搗 据據据 掳擄 掴摑 掷擲 掸撣 掺摻 掼摜 揽攬 揾搵
揿撳 搀攙 搁擱 搂摟 搄揯 搅攪 搜搜蒐 携攜 摄攝 摅攄 摆擺襬 摇搖 摈擯 摊攤 撄攖 撑撐 撵攆 撷擷 撸擼 撺攛
擞擻 攒攢 敌敵 敚敓 敛斂 数數 斋齋 斓斕 斗鬥斗 斤斤觔 斩斬 斫斫斲 断斷 旋旋鏇 无無 旧舊 时時 旷曠 旸暘
昆昆崑 昙曇 昵暱 昼晝 昽曨 显顯 晋晉 晒曬 晓曉 晔曄 晕暈 晖暉 暂暫 暗暗闇 暧曖 曲曲麴 札札劄 术術朮 朱朱硃
朴樸朴 机機 杀殺 杂雜 权權 杆杆桿 杠槓杠 条條 来來 杨楊 杩榪 杯杯盃 杰傑杰 松松鬆 板板闆 极極极 构構
果果菓 枞樅 枢樞 枣棗 枥櫪 枧梘 枨棖 枪槍鎗 枫楓 枭梟 柜櫃柜 柠檸 柽檉 栀梔 栅柵 标標 栈棧 栉櫛 栊櫳 栋棟
栌櫨 栎櫟 栏欄 树樹 栖棲 栗栗慄 样樣 核核覈 栾欒 桠椏 桡橈 桢楨 档檔 桤榿 桥橋 桦樺 桧檜 桨槳 桩樁 梁梁樑
梦夢 梼檮 梾棶 梿槤 检檢 棁梲 棂欞 棱稜棱 椁槨 椝槼 椟櫝 椠槧 椢槶 椤欏 椫樿 椭橢 椮槮 楼樓 榄欖 榇櫬 榈櫚
榉櫸 榝樧 槚檟 槛檻 槟檳 槠櫧 横橫 樯檣 樱櫻 橥櫫 橱櫥 橹櫓 橼櫞 檐檐簷 檗檗蘗 檩檁 欢歡 欣欣訢 欤歟 欧歐
欲欲慾 歼殲 殁歿 殇殤 残殘 殒殞 殓殮 殚殫 殡殯 殴毆 毁毀燬譭 毂轂 毕畢 毙斃 毡氈 毵毿 氇氌 气氣 氢氫 氩氬
氲氲氳 汇匯彙滙 汉漢 污污汙 汤湯 汹洶 沄澐 沈沈瀋 沉沉沈 沟溝 没沒 沣灃 沤漚 沥瀝 沦淪 沧滄 沨渢 沩溈潙
沪滬 沾沾霑 泄泄洩 泛泛氾汎 泞濘 注注註 泪淚 泶澩 泷瀧 泸瀘 泺濼 泻瀉 泼潑 泽澤 泾涇 洁潔 洒灑 洼窪 浃浹
浅淺 浆漿 浇澆 浈湞 浉溮 浊濁 测測 浍澮 济濟 浏瀏 浐滻 浑渾 浒滸 浓濃 浔潯 浕濜 浚浚濬 涂塗涂 涌湧涌 涚涗
涛濤 涝澇 涞淶 涟漣 涠潿 涡渦 涢溳 涣渙 涤滌 润潤 涧澗 涨漲 涩澀 淀澱淀 渊淵 渌淥 渍漬 渎瀆 渐漸 渑澠 渔漁
渖瀋 渗滲 温温溫 游遊游 湾灣 湿濕溼 溃潰 溅濺 溆漵 溇漊 溪溪谿 滗潷 滚滾 滞滯 滟灩灧 滠灄 满滿 滢瀅 滤濾
滥濫 滦灤 滨濱 滩灘 滪澦 漓漓灕 潆瀠 潇瀟 潋瀲 潍濰 潜潛 潨潀 潴瀦 澄澄澂 澜瀾 濑瀨 濒瀕 灏灝 灭滅 灯燈
灵靈 灶灶竈 灾災 灿燦 炀煬 炉爐鑪 炖燉 炜煒 炝熗 点點 炼煉鍊 炽熾 烁爍 烂爛 烃烴 烛燭 烟煙菸 烦煩 烧燒
烨燁 烩燴 烫燙 烬燼 热熱 焕煥 焖燜 焘燾 焰焰燄 煴熅 熏燻熏薰 爱愛 爷爺 牍牘 牦犛 牵牽 牺犧 犊犢 状狀 犷獷
犸獁 犹猶 狈狽 狝獮 狞獰 独獨 狭狹 狮獅 狯獪 狰猙 狱獄 狲猻 狸狸貍 猃獫 猎獵 猕獼 猡玀 猪豬 猫貓 猬蝟 献獻
獭獺 玑璣 玙璵 玚瑒 玛瑪 玩玩翫 玮瑋 环環 现現 玱瑲 玺璽 珐琺 珑瓏 珰璫 珲琿 琅琅瑯 琎璡 琏璉 琐瑣 琼瓊
瑶瑤 瑷璦 瑸璸 璇璇璿 璎瓔 瓒瓚 瓮甕 瓯甌 电電 画畫 畅暢 畴疇 疖癤 疗療 疟瘧 疠癘 疡瘍 疬癧 疭瘲 疮瘡 疯瘋
疱皰 疴痾 症症癥 痈癰 痉痙 痒癢 痖瘂 痨癆 痪瘓 痫癇 痴痴癡 痹痹痺 瘅癉 瘗瘞 瘘瘻瘺 瘪癟 瘫癱 瘾癮 瘿癭
癞癩 癣癬 癫癲 皂皂皁 皑皚 皱皺 皲皸 盏盞 盐鹽 监監 盖蓋 盗盜 盘盤 眍瞘 眦眥 眬矓 着着著 睁睜 睐睞 睑瞼
睾睾睪 瞆瞶 瞒瞞 瞩矚 矩矩榘 矫矯 矶磯 矾礬 矿礦 砀碭 码碼 砖磚 砗硨 砚硯 砜碸 砺礪 砻礱 砾礫 础礎 硁硜
硕碩 硖硤 硗磽 硙磑 硚礄 确確确 硵磠 硷硷礆鹼 碍礙 碛磧 碜磣 碱鹼 礼禮 祃禡 祎禕 祢禰 祯禎 祷禱 祸禍 禀稟
禄祿 禅禪 离離 私私俬 秃禿 秆稈 秋秋鞦 种種种 秘秘祕 积積 称稱 秽穢 秾穠 稆穭 税税稅 稣穌 稳穩 穑穡 穗穗繐
穞穭 穷窮 窃竊 窍竅 窎窵 窑窯 窜竄 窝窩 窥窺 窦竇 窭窶 竖豎 竞競 笃篤 笋筍 笔筆 笕筧 笺箋 笼籠 笾籩 筑築筑
筚篳 筛篩 筜簹 筝箏 筱筱篠 筹籌 筼篔 签籤簽 筿篠 简簡 箓籙 箦簀 箧篋 箨籜 箩籮 箪簞 箫簫 篑簣 篓簍 篮籃
篯籛 篱籬 簖籪 籁籟 籴糴 类類 籼秈 粜糶 粝糲 粤粵 粪糞 粮糧 粽粽糭糉 糁糝 糇餱 糊糊餬 糍餈 糖糖醣 系系係繫
紧緊 累累纍 絷縶 緼縕 縆緪 纟糹 纠糾 纡紆 红紅 纣紂 纤纖縴 纥紇 约約 级級 纨紈 纩纊 纪紀 纫紉 纬緯 纭紜
纮紘 纯純 纰紕 纱紗 纲綱 纳納 纴紝 纵縱 纶綸 纷紛 纸紙 纹紋 纺紡 纻紵 纼紖 纽紐 纾紓 线綫線 绀紺 绁紲 绂紱
练練 组組 绅紳 细細 织織 终終 绉縐 绊絆 绋紼 绌絀 绍紹 绎繹 经經 绐紿 绑綁 绒絨 结結 绔絝 绕繞 绖絰 绗絎
绘繪 给給 绚絢 绛絳 络絡 绝絕 绞絞 统統 绠綆 绡綃 绢絹 绣繡 绤綌 绥綏 绦絛 继繼 绨綈 绩績勣 绪緒 绫綾 续續
绮綺 绯緋 绰綽 绱鞝緔 绲緄 绳繩 维維 绵綿 绶綬 绷繃綳 绸綢 绹綯 绺綹 绻綣 综綜 绽綻 绾綰 绿綠 缀綴 缁緇
缂緙 缃緗 缄緘 缅緬 缆纜 缇緹 缈緲 缉緝 缊縕 缋繢 缌緦 缍綞 缎緞 缏緶 缐線 缑緱 缒縋 缓緩 缔締 缕縷 编編
缗緡 缘緣 缙縉 缚縛 缛縟 缜縝 缝縫 缞縗 缟縞 缠纏 缡縭 缢縊 缣縑 缤繽 缥縹 缦縵 缧縲 缨纓 缩縮 缪繆 缫繅
缬纈 缭繚 缮繕 缯繒 缰韁繮 缱繾 缲繰 缳繯 缴繳 缵纘 罂罌 网網 罗羅 罚罰 罢罷 罴羆 羁羈 羟羥 羡羨 群群羣
翘翹 翙翽 翚翬 耢耮 耧耬 耸聳 耻恥 聂聶 聋聾 职職 聍聹 联聯 聩聵 聪聰 肃肅 肠腸 肤膚 肮骯 肴餚 肾腎 肿腫
胀脹 胁脅 胄胄冑 胆膽 背背揹 胜勝胜 胡胡鬍衚 胧朧 胨腖 胪臚 胫脛 胶膠 脉脈 脍膾 脏髒臟 脐臍 脑腦 脓膿 脔臠
脚腳 脱脱脫 脶腡 脸臉 腊臘腊 腌醃腌 腘膕 腭顎齶 腻膩 腼靦 腽腽膃 腾騰 膑臏 膻羶膻 臜臢 致致緻 舆輿 舍舍捨
舣艤 舰艦 舱艙 舻艫 艰艱 艳豔艷 艺藝 节節 芈羋 芗薌 芜蕪 芦蘆 芸芸蕓 苁蓯 苇葦 苈藶 苋莧 苌萇 苍蒼 苎苧
苏蘇甦囌 苔苔薹 苧薴 苹蘋苹 范範范 茎莖 茏蘢 茑蔦 茔塋 茕煢 茧繭 荆荊 荐薦荐 荙薘 荚莢 荛蕘 荜蓽 荝萴 荞蕎
荟薈 荠薺 荡蕩盪 荣榮 荤葷 荥滎 荦犖 荧熒 荨蕁 荩藎 荪蓀 荫蔭廕 荬蕒 荭葒 荮葤 药藥葯 莅蒞 莱萊 莲蓮 莳蒔
莴萵 莶薟 获獲穫 莸蕕 莹瑩 莺鶯 莼蓴 萚蘀 萝蘿 萤螢 营營 萦縈 萧蕭 萨薩 葱葱蔥 蒇蕆 蒉蕢 蒋蔣 蒌蔞 蒏醟
蒙蒙矇濛懞 蓑蓑簑 蓝藍 蓟薊 蓠蘺 蓣蕷 蓥鎣 蓦驀 蔂虆 蔑蔑衊 蔷薔 蔹蘞 蔺藺 蔼藹 蕰薀 蕲蘄 蕴藴蘊 薮藪 藓蘚
藤藤籐 藴蘊 蘖櫱 虏虜 虑慮 虚虛 虫蟲虫 虬虯 虮蟣 虱蝨 虽雖 虾蝦 虿蠆 蚀蝕 蚁蟻 蚂螞 蚃蠁 蚕蠶 蚝蠔蚝 蚬蜆
蛊蠱 蛎蠣 蛏蟶 蛮蠻 蛰蟄 蛱蛺 蛲蟯 蛳螄 蛴蠐 蜕蜕蛻 蜗蝸 蜡蠟蜡 蝇蠅 蝈蟈 蝉蟬 蝎蠍蝎 蝼螻 蝾蠑 螀螿 螨蟎
蟏蠨 衅釁 衔銜 补補 表表錶 衬襯 衮袞 袄襖 袅嫋裊 袆褘 袜襪 袭襲 袯襏 装裝 裆襠 裈褌 裢褳 裣襝 裤褲 裥襉襇
褛褸 褴襤 襕襴 见見 观觀 规規 觅覓 视視 觇覘 览覽 觉覺 觊覬 觋覡 觌覿 觎覦 觏覯 觐覲 觑覷 觞觴 触觸 觯觶
訚誾 詟讋 誉譽 誊謄 讠訁 计計 订訂 讣訃 认認 讥譏 讦訐 讧訌 讨討 让讓 讪訕 讫訖 讬託 训訓 议議 讯訊 记記
讱訒 讲講 讳諱 讴謳 讵詎 讶訝 讷訥 许許 讹訛 论論 讼訟 讽諷 设設 访訪 诀訣 证證証 诂詁 诃訶 评評 诅詛 识識
诇詗 诈詐 诉訴 诊診 诋詆 诌謅 词詞 诎詘 诏詔 诐詖 译譯 诒詒 诓誆 诔誄 试試 诖詿 诗詩 诘詰 诙詼 诚誠 诛誅
诜詵 话話 诞誕 诟詬 诠詮 诡詭 询詢 诣詣 诤諍 该該 详詳 诧詫 诨諢 诩詡 诪譸 诫誡 诬誣 语語 诮誚 误誤 诰誥
诱誘 诲誨 诳誑 说説說 诵誦 诶誒 请請 诸諸 诹諏 诺諾 读讀 诼諑 诽誹 课課 诿諉 谀諛 谁誰 谂諗 调調 谄諂 谅諒
谆諄 谇誶 谈談 谉讅 谊誼 谋謀 谌諶 谍諜 谎謊 谏諫 谐諧 谑謔 谒謁 谓謂 谔諤 谕諭 谖諼 谗讒 谘諮 谙諳 谚諺
谛諦 谜謎 谝諞 谞諝 谟謨 谠讜 谡謖 谢謝 谣謠 谤謗 谥諡謚 谦謙 谧謐 谨謹 谩謾 谪謫 谫譾 谬謬 谭譚 谮譖 谯譙
谰讕 谱譜 谲譎 谳讞 谴譴 谵譫 谶讖 谷谷穀 豆豆荳 象象像 豮豶 贝貝 贞貞 负負 贡貢 财財 责責 贤賢 败敗 账賬
货貨 质質 贩販 贪貪 贫貧 贬貶 购購 贮貯 贯貫 贰貳 贱賤 贲賁 贳貰 贴貼 贵貴 贶貺 贷貸 贸貿 费費 贺賀 贻貽
贼賊 贽贄 贾賈 贿賄 赀貲 赁賃 赂賂 赃贓 资資貲 赅賅 赆贐 赇賕 赈賑 赉賚 赊賒 赋賦 赌賭 赍齎 赎贖 赏賞 赐賜
赑贔 赒賙 赓賡 赔賠 赕賧 赖賴 赗賵 赘贅 赙賻 赚賺 赛賽 赜賾 赝贗贋 赞贊讚 赟贇 赠贈 赡贍 赢贏 赣贛 赪赬
赵趙 赶趕 趋趨 趱趲 趸躉 跃躍 跄蹌 跖蹠跖 跞躒 践踐 跶躂 跷蹺 跸蹕 跹躚 跻躋 踊踊踴 踌躊 踪蹤 踬躓 踯躑
蹑躡 蹒蹣 蹰躕 蹿躥 躏躪 躜躦 躯軀 輼轀 车車 轧軋 轨軌 轩軒 轪軑 轫軔 转轉 轭軛 轮輪 软軟 轰轟 轱軲 轲軻
轳轤 轴軸 轵軹 轶軼 轷軤 轸軫 轹轢 轺軺 轻輕 轼軾 载載 轾輊 轿轎 辀輈 辁輇 辂輅 较較 辄輒 辅輔 辆輛 辇輦
辈輩 辉輝 辊輥 辋輞 辌輬 辍輟 辎輜 辏輳 辐輻 辑輯 辒轀 输輸 辔轡 辕轅 辖轄 辗輾 辘轆 辙轍 辚轔 辞辭 辟闢辟
辩辯 辫辮 边邊 辽遼 达達 迁遷 过過 迈邁 运運 还還 这這 进進 远遠 违違 连連 迟遲 迩邇 迳逕 迹跡蹟 适適适
选選 逊遜 递遞 逦邐 逻邏 遗遺 遥遙 邓鄧 邝鄺 邬鄔 邮郵 邹鄒 邺鄴 邻鄰 郁鬱郁 郏郟 郐鄶 郑鄭 郓鄆 郦酈 郧鄖
郸鄲 酂酇 酝醖醞 酦醱 酱醬 酸酸痠 酽釅 酾釃 酿釀 醖醞 采採采寀 释釋 里裡裏里哩 鉴鑑鑒 銮鑾 錾鏨 钅釒 钆釓
钇釔 针針鍼 钉釘 钊釗 钋釙 钌釕 钍釷 钎釺 钏釧 钐釤 钑鈒 钒釩 钓釣 钔鍆 钕釹 钖鍚 钗釵 钘鈃 钙鈣 钚鈈 钛鈦
钜鉅 钝鈍 钞鈔 钟鍾鐘鈡 钠鈉 钡鋇 钢鋼 钣鈑 钤鈐 钥鑰鈅 钦欽 钧鈞 钨鎢 钩鈎鉤 钪鈧 钫鈁鍅 钬鈥 钭鈄 钮鈕
钯鈀 钰鈺 钱錢 钲鉦 钳鉗 钴鈷 钵缽鉢 钶鈳 钷鉕 钸鈽 钹鈸 钺鉞 钻鑽鉆 钼鉬 钽鉭 钾鉀 钿鈿 铀鈾 铁鐵 铂鉑
铃鈴 铄鑠 铅鉛 铆鉚 铇鉋 铈鈰 铉鉉 铊鉈 铋鉍 铌鈮 铍鈹 铎鐸 铏鉶 铐銬 铑銠 铒鉺 铓鋩 铔錏 铕銪 铖鋮 铗鋏
铘鋣 铙鐃 铚銍 铛鐺 铜銅 铝鋁 铞銱 铟銦 铠鎧 铡鍘 铢銖 铣銑 铤鋌 铥銩 铦銛 铧鏵 铨銓 铩鎩 铪鉿 铫銚 铬鉻
铭銘 铮錚 铯銫 铰鉸 铱銥 铲鏟剷 铳銃 铴鐋 铵銨 银銀 铷銣 铸鑄 铹鐒 铺鋪 铻鋙 铼錸 铽鋱 链鏈鍊 铿鏗 销銷
锁鎖 锂鋰 锃鋥 锄鋤耡 锅鍋 锆鋯 锇鋨 锈鏽 锉銼 锊鋝 锋鋒 锌鋅 锍鋶 锎鐦 锏鐧 锐鋭銳 锑銻 锒鋃 锓鋟 锔鋦
锕錒 锖錆 锗鍺 锘鍩 错錯 锚錨 锛錛 锜錡 锝鍀 锞錁 锟錕 锠錩 锡錫 锢錮 锣鑼 锤錘鎚 锥錐 锦錦 锧鑕 锨鍁 锩錈
锪鍃 锫錇 锬錟 锭錠 键鍵 锯鋸 锰錳 锱錙 锲鍥 锴鍇 锵鏘 锶鍶 锷鍔 锸鍤 锹鍬 锺鍾 锻鍛 锼鎪 锽鍠 锾鍰 锿鎄
镀鍍 镁鎂 镂鏤 镃鎡 镄鐨 镅鎇 镆鏌 镇鎮 镈鎛 镉鎘 镊鑷 镋钂鎲 镌鐫 镍鎳 镎鎿錼 镏鎦 镐鎬 镑鎊 镒鎰 镓鎵
镔鑌 镕鎔 镖鏢 镗鏜 镘鏝 镙鏍 镛鏞 镜鏡 镝鏑 镞鏃 镟鏇 镠鏐 镡鐔 镢钁鐝 镣鐐 镤鏷 镥鑥 镦鐓 镧鑭 镨鐠 镩鑹
镪鏹 镫鐙 镬鑊 镭鐳 镮鐶 镯鐲 镰鐮鎌 镱鐿 镲鑔 镳鑣 镴鑞 镵鑱 镶鑲 长長 门門 闩閂 闪閃 闫閆 闬閈 闭閉 问問
闯闖 闰閏 闱闈 闲閒閑 闳閎 间間 闵閔 闶閌 闷悶 闸閘 闹鬧 闺閨 闻聞 闼闥 闽閩 闾閭 闿闓 阀閥 阁閣 阂閡 阃閫
阄鬮 阅閲閱 阆閬 阇闍 阈閾 阉閹 阊閶 阋鬩 阌閿 阍閽 阎閻 阏閼 阐闡 阑闌 阒闃 阓闠 阔闊 阕闋 阖闔 阗闐 阘闒
阙闕 阚闞 阛闤 队隊 阳陽 阴陰 阵陣 阶階 际際 陆陸 陇隴 陈陳 陉陘 陕陝 陧隉 陨隕 险險 随隨 隐隱 隶隸 隽雋
难難 雇僱雇 雏雛 雕雕鵰彫 雠讎 雳靂 雾霧 霁霽 霉黴 霡霢 霭靄 靓靚 静靜 面面麵麪 靥靨 鞑韃 鞒鞽 鞯韉 鞲韝
韦韋 韧韌 韨韍 韩韓 韪韙 韫韞 韬韜 韵韻 页頁 顶頂 顷頃 顸頇 项項 顺順 须須鬚 顼頊 顽頑 顾顧 顿頓 颀頎 颁頒
颂頌 颃頏 预預 颅顱 领領 颇頗 颈頸 颉頡 颊頰 颋頲 颌頜 颍潁 颎熲 颏頦 颐頤 频頻 颓頹 颔頷 颖穎 颗顆 题題
颙顒 颚顎 颛顓 颜顏 额額 颞顳 颟顢 颠顛 颡顙 颢顥 颣纇 颤顫 颥顬 颦顰 颧顴 风風 飏颺 飐颭 飑颮 飒颯 飓颶
飔颸 飕颼 飖颻 飗飀 飘飄 飙飆 飚飈 飞飛 飨饗 餍饜 饣飠 饤飣 饥飢饑 饦飥 饧餳 饨飩 饩餼 饪飪 饫飫 饬飭 饭飯
饮飲 饯餞 饰飾 饱飽 饲飼 饴飴 饵餌 饶饒 饷餉 饺餃 饼餅 饽餑 饾餖 饿餓 馀餘 馁餒 馂餕 馄餛 馅餡 馆館 馇餷
馈饋 馊餿 馋饞 馌饁 馍饃 馎餺 馏餾 馐饈 馑饉 馒饅 馓饊 馔饌 馕饢 马馬 驭馭 驮馱 驯馴 驰馳 驱驅 驲馹 驳駁
驴驢 驵駔 驶駛 驷駟 驸駙 驹駒 驺騶 驻駐 驼駝 驽駑 驾駕 驿驛 骀駘 骁驍 骂罵 骃駰 骄驕 骅驊 骆駱 骇駭 骈駢
骉驫 骊驪 骋騁 验驗 骍騂 骎駸 骏駿 骐騏 骑騎 骒騍 骓騅 骕驌 骖驂 骗騙 骘騭 骙騤 骚騷 骛騖 骜驁 骝騮 骞騫
骟騸 骠驃 骡騾 骢驄 骣驏 骤驟 骥驥 骦驦 骧驤 髅髏 髋髖 髌髕 鬓鬢 魇魘 魉魎 鱼魚 鱽魛 鱿魷 鲀魨 鲁魯 鲂魴
鲄魺 鲅鮁 鲆鮃 鲇鯰鮎 鲈鱸 鲊鮓 鲋鮒 鲍鮑 鲎鱟 鲐鮐 鲑鮭 鲒鮚 鲔鮪 鲕鮞 鲖鮦 鲙鱠 鲚鱭 鲛鮫 鲜鮮 鲞鯗 鲟鱘
鲠鯁 鲡鱺 鲢鰱 鲣鰹 鲤鯉 鲥鰣 鲦鰷 鲧鯀 鲨鯊 鲩鯇 鲪鮶 鲫鯽 鲭鯖 鲮鯪 鲯鯕 鲰鯫 鲱鯡 鲲鯤 鲳鯧 鲴鯝 鲵鯢
鲶鯰 鲷鯛 鲸鯨 鲺鯴 鲻鯔 鲼鱝 鲽鰈 鲿鱨 鳀鯷 鳃鰓 鳄鱷 鳅鰍 鳆鰒 鳇鰉 鳊鯿 鳋鰠 鳌鰲 鳍鰭 鳎鰨 鳏鰥 鳐鰩
鳒鰜 鳓鰳 鳔鰾 鳕鱈 鳖鱉 鳗鰻 鳘鰵 鳙鱅 鳛鰼 鳜鱖 鳝鱔 鳞鱗 鳟鱒 鳢鱧 鳣鱣 鸟鳥 鸠鳩 鸡雞 鸢鳶 鸣鳴 鸤鳲
鸥鷗 鸦鴉 鸧鶬 鸨鴇 鸩鴆 鸪鴣 鸫鶇 鸬鸕 鸭鴨 鸮鴞 鸯鴦 鸰鴒 鸱鴟 鸲鴝 鸳鴛 鸴鷽 鸵鴕 鸶鷥 鸷鷙 鸸鴯 鸹鴰
鸺鵂 鸼鵃 鸽鴿 鸾鸞 鸿鴻 鹁鵓 鹂鸝 鹃鵑 鹄鵠 鹅鵝 鹆鵒 鹇鷳鷴 鹈鵜 鹉鵡 鹊鵲 鹋鶓 鹌鵪 鹎鵯 鹏鵬 鹑鶉 鹒鶊
鹓鵷 鹔鷫 鹕鶘 鹖鶡 鹗鶚 鹘鶻 鹙鶖 鹚鷀 鹛鶥 鹜鶩 鹝鷊 鹞鷂 鹟鶲 鹠鶹 鹡鶺 鹢鷁 鹣鶼 鹤鶴 鹥鷖 鹦鸚 鹧鷓
鹨鷚 鹩鷯 鹪鷦 鹫鷲 鹬鷸 鹭鷺 鹯鸇 鹰鷹 鹱鸌 鹲鸏 鹳鸛 鹾鹺 麦麥 麸麩 麹麴 麺麵 麽麼 黄黃 黉黌 黡黶 黩黷
黪黲 黾黽 鼋黿 鼍鼉 鼹鼴 齐齊 齑齏 齿齒 龀齔 龁齕 龂齗 龃齟 龄齡 龅齙 龆齠 龇齜 龈齦 龉齬 龊齪 龋齲 龌齷
龙龍 龚龔 龛龕 龟龜
"""
"""A simplified character, and what it may be in traditional text, the likeliest first; itself, where it stays."""

KEPT = "乾俱像剋劄吒哩坏夥座彷待徵扞拚捱摺於昇榘氾沈澂甦甯瞭祇祕繐耑脩菸著蒐薰薹藉衹袷覆谿迺醣釐鏚阪陞麴"
"""Traditional characters with a simplified form which simplified text has, too."""


MOST = 8
"""Forms of one term that are asked for besides the one that was typed."""

_DOUBTFUL = 6
"""Characters of several forms that are tried in a term; any more stay with the likeliest."""

_KANA, _KANA_END = "\u3041", "\u30fa"
_HANGUL, _HANGUL_END = "\uac00", "\ud7a3"

_Table = dict[str, tuple[str, ...]]


@lru_cache(maxsize=1)
def _tables() -> tuple[_Table, _Table]:
    """What a character may be in traditional text, and what in simplified."""
    # Twenty kilobytes that a query in another language has no need of.
    traditional: _Table = {}
    simplified: _Table = {}
    for group in GROUPS.split():
        one, forms = group[0], tuple(group[1:])
        traditional[one] = forms
        for form in forms:
            if form != one:
                simplified[form] = (*simplified.get(form, ()), one)
    for form in KEPT:
        simplified[form] = (*simplified[form], form)
    return traditional, simplified


class Scripts:
    """Into which script a query can be written over: that of its own characters is left out."""

    def __init__(self, query: str) -> None:
        self._tables: tuple[_Table, ...] = ()
        # Kana and hangul say that its characters are Japanese or Korean, which have their own forms.
        if not _han(query) or any(
            _KANA <= one <= _KANA_END or _HANGUL <= one <= _HANGUL_END for one in query
        ):
            return
        traditional, simplified = _tables()
        only = {
            (one in traditional, one in simplified)
            for one in query
            if one not in traditional.get(one, ()) and one not in simplified.get(one, ())
        }
        self._tables = tuple(
            table
            for table, own in ((traditional, (False, True)), (simplified, (True, False)))
            if own not in only or len(only & {(False, True), (True, False)}) > 1
        )

    def __bool__(self) -> bool:
        return bool(self._tables)

    def forms(self, text: str) -> tuple[str, ...]:
        """The other ways to write a part of the query, the likeliest first; none where there is but one."""
        found: dict[str, None] = {}
        for table in self._tables:
            if not table.keys().isdisjoint(text):
                found.update(dict.fromkeys(_written(text, table)))
        found.pop(text, None)
        return tuple(found)[:MOST]


def simplify_characters(text: str) -> str:
    """The text in simplified characters, one for one."""
    if not _han(text):
        return text
    _, simplified = _tables()
    return "".join(simplified[one][0] if one in simplified else one for one in text)


def _han(text: str) -> bool:
    return not text.isascii() and any("\u3400" <= one <= "\u9fff" for one in text)


def _written(text: str, table: _Table) -> list[str]:
    choices: list[tuple[str, ...]] = []
    doubtful = 0
    for one in text:
        forms = table.get(one) or (one,)
        doubtful += len(forms) > 1
        choices.append(forms if doubtful <= _DOUBTFUL else forms[:1])
    ranked = product(*[range(len(forms)) for forms in choices])
    # By how far they are from the likeliest form of each character.
    best = sorted(ranked, key=sum)[: MOST + 1]
    return ["".join(forms[place] for forms, place in zip(choices, places, strict=True)) for places in best]
