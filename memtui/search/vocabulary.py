"""Words without meaning for a search, or with little of it, in the languages that queries are in.

Stop words are dropped unless nothing else is left: English and Chinese ones always, those of another language
only in a query that is in it, since 'die', 'on' or 'per' say something elsewhere.
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

_LIGHT = (
    "after before once back up off out down over under again against since until till away around through during "
    "without within behind between among across along already yet still only well enough way ever never no not "
    "new one two first last next another same must may far too even per both either neither nor else instead yes"
)
LIGHT = frozenset(_LIGHT.split())
"""Words that say where, when or how much of something else: in a sentence they are worth less than what it is about."""

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
