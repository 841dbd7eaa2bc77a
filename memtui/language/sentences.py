"""What somebody said, sentence by sentence, without what they only showed: code, logs, quotations, pasted documents.

The languages that are read are `LANGUAGES`: to add one, write its words and its signs of trouble (as in `en`) and one
line there. It is known by its script: of two that are written in the same letters only the last is read.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from memtui.core.startup import compile_pattern
from memtui.core.text import HAN
from memtui.language.en import ENGLISH
from memtui.language.zh import CHINESE
from memtui.search.variants import GROUPS, KEPT

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from memtui.core.model import Turn
    from memtui.language.conversation import Language


LONGEST = 400
"""Characters above which a sentence is none."""
_LONE = 8
"""Characters below which what stands before a comma may say no more than that something is wrong."""

_LINE = 3000
"""Above which a line of a person's was pasted."""
_DOCUMENT = 40
"""Lines from which a prompt with headings is a document."""
_TURN, _PERSON, _AGENT = 30_000, 120_000, 400_000
"""Characters that are read: of one turn, of all of a person's, of all of the agent's."""

_FENCE = compile_pattern(r"\s*(?:[-*]\s+)?(`{3,}|~{3,})")
_TAG = compile_pattern(r"\s*<([A-Za-z][\w-]{1,30})(?:\s[^<>]{0,200})?>")
_HEADING = compile_pattern(r"\s{0,3}#{1,6}\s+(.{1,120}?)\s*#*\s*$")
_BOLD_HEADING = compile_pattern(r"\s*(?:\d{1,2}[.)]\s+)?\*\*([^*]{2,60})\*\*\s*[:：]?\s*$")
_DETAIL = compile_pattern(r"(?: {2,}|\t)\s*[-+•*] ")
_ITEM = compile_pattern(
    r"\s*(?:[-+•·▪◦→]|\*(?=\s)|\d{1,2}[.)、．](?!\d)|[（(]\d{1,2}[)）]|[a-hA-H][.)])\s*(?:\[([ xX✓~-])\]\s*)?(?=\S)"
)
_LETTER = compile_pattern(r"\s*([A-Da-d])[.)]\s+(?=[a-z\u4e00-\u9fff])(?!.*\n\s*[B-Eb-e][.)]\s)", re.DOTALL)
_BOX = compile_pattern(r"\s*(?:☐|⬜|❌|🔲)\s*|\s*(☑|✅|✔️?|🗹)\s*")
_CODE = compile_pattern(
    r"\s*(?:>>> |\$ |% |>|\+\+\+|---|@@|diff --git|#!/|//|/\*|\||Traceback|File \"|at [\w.$<>/]+ ?\(|from [\w.]+ import |import [\w{*]+[\w., {}*]*"
    r"(?: from |;|$)|def \w+\(|(?:export |async )+(?:function|const|class)|function \w*\(|class \w+[(:{]|const \w+ ?=|let \w+ ?="
    r"|var \w+ ?=|return [^ ]+;|func \w+\(|fn \w+\(|(?:public|private) \w+ |SELECT .{1,200} FROM |INSERT INTO |[\[{][\"{\[]|\"[\w-]+\" ?:"
    r"|\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\[\d\d:\d\d:\d\d|\d\d:\d\d:\d\d[.,]\d|\[?(?:INFO|WARN|WARNING|ERROR|DEBUG|TRACE|FATAL)\b[\]: ]|npm (?:ERR|WARN)|E   "
    r"|(?:error|warning)(?:\[\w+\]|:) |[\w.]*(?:Error|Exception): |[A-Z_]{3,}=\S)"
)
_STATEMENT = compile_pattern(
    r"\s*(?:(?:else )?(?:if|for|while|switch|foreach) ?\([^\u3400-\u9fff]*\);?\s*$"
    r"|(?:private|public|protected|internal|static|override|final)\s+[\w<>\[\],. ]+[({=;]"
    r"|[A-Za-z_]\w*(?:\.\w+|\[[^\]]*\])+\s*[-+*/|&]?=\s*\S"
    r"|(?:[a-z_]\w*|[A-Za-z_]\w*(?:\.\w+)+)\((?:[^()]|\([^()]*\))*\)(?:\.\w+(?:\([^()]*\))?)*\s*;?\s*(?://.*|#.*)?$"
    r"|[A-Za-z_]\w*(?:\.\w+)+\s*[-+*/<>]=?\s*(?=\w*[_.A-Z])[\w.]+;?\s*$)"
)
"""A statement of a program that stands in no fence: 'node.position = here', 'chunks.RemoveFirst(); // the first'."""
_PLACE = compile_pattern(
    r"\s*(?:[-*•]\s+)?[`\"'(]?(?:\w+://\S+|(?:[\w@.+-]*/){2,}[\w@.+-]*|[\w@.+-]+/[\w@.+-]+\.\w{1,8})[`\"'):]*\s*$"
)
"""A line that only names a file or an address."""
_CODE_END = compile_pattern(r"(?:[{;\\]|\}\)?,?|=>|\)\s*:)\s*$")
_SIGN = compile_pattern(r"[{}\[\]()<>=;|&$\\^~*+_/\"']")
_INTRO = compile_pattern(
    r"\b(?:here(?:'s|’s| is| are)?|this is|these are|below|following|pasted?|pasting|says?|reads|got|getting|gives?|see|from|attached|quoting"
    r"|wrote|sent|found|contents?|listen to)\b|下面|以下|这是|如下|贴|附上|收到|看到|内容|原文|写着|里说|给出|报|发来|转",
    re.IGNORECASE,
)
_SHOWN = compile_pattern(
    r"\b(?:read ?me|docs?|documentation|document|article|e-?mail|mail|issue|ticket|page|spec|post|blog|guide|message|comments?|review|prompt"
    r"|slack|thread|transcript|chat|contents?|file|text|summary|notes from|instructions|\w+\.(?:md|txt|rst))\b"
    r"|文档|邮件|文章|说明|工单|网页|帖子|聊天|评论|提示词|内容|原文|文件|材料|需求",
    re.IGNORECASE,
)
_LOGGED = compile_pattern(
    r"\b(?:errors?|logs?|output|stack ?trace|traceback|results?|code|diff|snippet|config|json|yaml|console|terminal|warnings?|response|query|sql)\b"
    r"|报错|日志|输出|代码|错误|堆栈|配置|结果|返回",
    re.IGNORECASE,
)
_ASIDE = compile_pattern(
    r"(?:please|can you|could you|now|so,?|summari[sz]e|explain|what|why|how|is|does|帮我|请|这)(?!.{0,80}\b(?:always|never|must|ignore|run|execute)\b)(?!.{0,80}(?:必须|忽略|一律|务必|执行)).{1,160}$",
    re.IGNORECASE,
)
_OWN = compile_pattern(
    r"\b(?:my|our|some|a few|the|these)\s+(?:\w+\s+)?(?:rules|preferences|conventions|requirements|guidelines|standards|habits)\b|我的|我们的|要求|规则|规范"
    r"|偏好|约定|习惯",
    re.IGNORECASE,
)
_WHOLE_QUOTE = compile_pattern(r"[“「『\"].{12,}[”」』\"][\s.。,，!！]*$")
"""A line that is nothing but a quotation."""
_END = compile_pattern(
    r"[。！？；]+[”’」』\"')）]*|[!?]+[”’」』\"')）]*(?=\s|$|[\u3400-\u9fff])|\.+[\"')*]*(?=\s|$)|…+(?![A-Za-z0-9_-])"
)
_SHORT_FORM = compile_pattern(
    r"(?:\b(?:e\.g|i\.e|etc|vs|cf|approx|incl|resp|no|dr|mr|ms|fig|eg|ie|st|sec|ver|v)|(?:^|\s)[A-Za-z])$",
    re.IGNORECASE,
)
_QUOTED = compile_pattern(
    r"“[^”]{12,}”|「[^」]{6,}」|『[^』]{6,}』|\"[^\"]+\"|“[\u3400-\u9fff][^”]{5,}”|(?<!\w)'[^']{16,}'(?!\w)|`[^`]+`"
)
_QUOTES = frozenset("“「『\"'`")
_EMOJI = compile_pattern("[\U0001f000-\U0001faff\u2600-\u27bf\u2b00-\u2bff\ufe0f\u200d\u20e3]+")
_HAN = compile_pattern(f"[{HAN}]")
_ASKS = compile_pattern(r"[?？][”’」』\"')）]*\s*$|(?:吗|呢|么)\s*[。!！~～]*\s*$")
_CONDITION = compile_pattern(
    r"(?:if|when|whenever|before|after|for|in|on|unless|once|every|each|any ?time|since|because|as|while|with|如果|当|凡|只要|每|在|对于?|因为|由于|为了|(?!以后|今后|往后|最后|然后|之后)[^，]{2,14}(?:之?前|之后|(?<![以今往最然之])后|时候?|的话))",
    re.IGNORECASE,
)
"""A sentence that says when it holds."""
_FURTHER = compile_pattern(
    r"(?:[,，;；]|(?<=[\u3400-\u9fff])\s)\s*(?=(?:and |but )?(?:also|btw|by the way|from now on|going forward|please always|please never|in (?:the )?future|next time|remember)\b(?! (?:mind|fails?|failed|works?|returns?|has|had|been)\b)"
    r"|(?:and|but) (?:please |don't|do not|we (?:always|never)|always|never|i prefer)|另外|还有[，,：:]?|顺便|以后|今后|记住|记得以后|从现在)"
    r"|\s+(?=and (?:also )?(?:please )?(?:remember (?:that|to)|write (?:it |this |that )?down|(?:note|jot) (?:it )?down|keep in mind|make a note)\b)",
    re.IGNORECASE,
)


class Sentence(NamedTuple):
    """One sentence, and where it was said."""

    text: str
    bare: str
    """The same, letter by letter, in simplified characters, with what is quoted blanked out."""
    role: str
    line: int
    turn: int
    """Which of the turns."""
    head: str = ""
    """The heading, or the line with a colon, under which it stands."""
    item: bool = False
    """In a list."""
    box: str = ""
    """Of a list to tick off: a blank is open, x is done."""
    asks: bool = False
    row: int = 0
    """Which line of its turn."""
    depth: int = 0
    """How far it stands in, in a list: 0 for what no other item holds, 1 for its details, 2 for theirs."""
    bold: bool = False
    """It begins in bold, as a label does."""


class ListPlace(NamedTuple):
    """Where in the layout of its turn a sentence stands."""

    first: int
    """The first sentence of its turn."""
    intro: int
    """The one that its list begins behind; -1: it stands in none, or nothing leads up to it."""
    holder: int
    """The item that it details; -1: none."""
    part: int
    """Its place in its line."""


def find_shapes(sentences: Sequence[Sentence]) -> list[ListPlace]:
    """The layout around each sentence of a talk."""
    found: list[ListPlace] = []
    first, intro, holders, part = 0, -1, [-1, -1, -1], 0
    for number, sentence in enumerate(sentences):
        before = sentences[number - 1] if number else None
        if before is None or before.turn != sentence.turn:
            first, intro, holders, part = number, -1, [-1, -1, -1], 0
        elif before.row == sentence.row:
            part += 1
        else:
            part = 0
        if not sentence.item:
            found.append(ListPlace(first, -1, -1, part))
            intro, holders = number, [-1, -1, -1]
            continue
        if not part:
            holders[sentence.depth :] = [number] * (3 - sentence.depth)
        holder = holders[sentence.depth - 1] if sentence.depth else -1
        found.append(ListPlace(first, intro, holder, part))
    return found


def has_chinese(text: str) -> bool:
    """Whether there is Chinese in a text."""
    return _HAN.search(text) is not None


def simplify(text: str) -> str:
    """Each traditional character as the simplified one, so that cues are written once; of the same length."""
    return text.translate(_simplified()) if _HAN.search(text) is not None else text


@cache
def _simplified() -> dict[int, str]:
    groups = GROUPS.split()
    own = {group[0] for group in groups} | set(KEPT)
    table = {ord(form): group[0] for group in groups for form in group[1:] if form not in own}
    # 註 and 於 stand in simplified text nowhere but in names.
    return table | {ord("註"): "注", ord("於"): "于"}


def split_talk(turns: tuple[Turn, ...]) -> tuple[Sentence, ...]:
    """Every sentence that the person or the agent said; of endless talk its beginning and, more of it, its end."""
    chosen = _choose(turns, "user", _PERSON) | _choose(turns, "assistant", _AGENT)
    return tuple(
        sentence
        for number, turn in enumerate(turns)
        if number in chosen
        for sentence in split(_cut_ends(turn.text), turn.role, turn.line, number)
    )


def _choose(turns: tuple[Turn, ...], role: str, most: int) -> set[int]:
    """The turns of one role that are read."""
    own = [number for number, turn in enumerate(turns) if turn.role == role]
    chosen: set[int] = set()
    for order, room in ((own, most // 4), (reversed(own), most - most // 4)):
        left = room
        for number in order:
            left -= min(len(turns[number].text), _TURN)
            if left < 0 and chosen:
                break
            chosen.add(number)
    return chosen


def _cut_ends(text: str) -> str:
    """The beginning and the end of a text that is longer than anybody says at once."""
    return text if len(text) <= _TURN else f"{text[: _TURN // 2]}\n\n{text[-_TURN // 2 :]}"


def split(text: str, role: str = "", line: int = 0, turn: int = 0) -> Iterator[Sentence]:
    """The sentences of one turn, in order. Linear in its length."""
    head = ""
    for row, prose, heading in _read_prose(text, person=role == "user"):
        if heading and not prose:
            head = heading
            continue
        item = _ITEM.match(prose)
        body = prose[item.end() :] if item else prose
        if item and role == "user" and (letter := _LETTER.match(text)) and text.lstrip().startswith(prose.strip()):
            # No list begins so: it is the label of what the person chose.
            yield Sentence(letter[1], letter[1], role, line, turn, head, row=row)
            item = None
        box = (item[1] or "").lower() if item else ""
        ticked = _BOX.match(body)
        if ticked:
            box = "x" if ticked[1] else " "
            body = body[ticked.end() :]
        if not item and not prose.strip():
            continue
        depth = min(2, (len(prose) - len(prose.lstrip()) + 2) // 4) if item else 0
        bold = body.startswith("**")
        body = show_bare(body).strip()
        whole = list(_cut(body))
        for part in whole:
            bare = simplify(_QUOTED.sub(_blank, part) if _QUOTES.intersection(part) else part)
            asks = _ASKS.search(bare[-12:]) is not None
            yield Sentence(part, bare, role, line, turn, head, item is not None, box, asks, row, depth, bold)
        if heading:
            head = heading
        elif body.endswith((":", "：")) and len(body) < 100 and not item:
            head = (whole[-1] if whole else body).rstrip(":： ")
        elif not item and head and whole and not body.endswith((":", "：")):
            # A paragraph of its own ends what the line with a colon announced.
            head = ""


def show_bare(text: str) -> str:
    """A text without what only makes it bold, and without pictures."""
    return _EMOJI.sub("", text.replace("**", "").replace("__", ""))


def _blank(found: re.Match[str]) -> str:
    text = found[0]
    # Short ones are names. They are found all the same, so that what stands between two is not taken for one.
    least = 62 if text[0] == "`" else 8 if has_chinese(text[1]) else 14
    return "▯" * len(text) if text[0] not in '`"' or len(text) >= least else text


def _cut(body: str) -> Iterator[str]:
    start = 0
    for end in _END.finditer(body):
        if end[0] == "." and body[: end.start()].endswith(" "):
            continue
        if end[0].startswith(".") and _SHORT_FORM.search(body, max(0, end.start() - 8), end.start()):
            continue
        yield from split_further(body[start : end.end()])
        start = end.end()
    yield from split_further(body[start:])


def split_further(sentence: str) -> Iterator[str]:
    """A sentence as the things it says one after the other: 'it works, and from now on …'."""
    if len(sentence) > LONGEST:
        return
    parts = [sentence] if _CONDITION.match(sentence.lstrip()) else _FURTHER.split(sentence)
    first = parts[0].strip()
    if len(parts) > 1 and len(first) < _LONE and is_refusal(first):
        # '不对，以后…': what only corrects does so by what follows it.
        parts = [sentence[: sentence.index(parts[1], len(parts[0])) + len(parts[1])], *parts[2:]]
    for part in parts:
        said = part.strip(" \t,，、")
        if len(said) > 1 or said.isalnum():
            yield said


def is_refusal(text: str) -> bool:
    """Whether words say no more than that something is wrong: '不对', 'wrong'."""
    found = (one.corrects.match(f"{text}, ") for one in list_languages(text))
    return any(match is not None and match.end() > len(text) for match in found)


EXPLAINS = 9
"""So many sentences in one turn of an agent explain, or describe what there is: little of it was done, or is trouble."""


def is_narration(sentence: Sentence) -> bool:
    """Whether an agent thinks aloud, or says what it does next: 'let me check the callers'."""
    return sentence.role == "assistant" and any(
        one.narrates.match(sentence.bare) for one in list_languages(sentence.text)
    )


def is_condition(text: str) -> bool:
    """Whether a sentence begins by saying when it holds."""
    return _CONDITION.match(text) is not None


def _read_prose(text: str, *, person: bool) -> Iterator[tuple[int, str, str]]:
    """The lines that are somebody's own words, with their number, and (number, '', heading)."""
    lines = text.splitlines()
    document = person and len(lines) >= _DOCUMENT and sum(map(bool, map(_HEADING.match, lines))) >= 2
    closing = _ClosingTags(lines)
    at, fence = 0, ""
    last = lines[-1].strip() if lines else ""
    skipped = ""  # until: block (a blank line), all (the end)
    while at < len(lines):
        line = lines[at]
        at += 1
        mark = _FENCE.match(line)
        if fence:
            if mark and mark[1].startswith(fence):
                fence = ""
            continue
        if mark:
            fence, skipped = mark[1], "" if skipped == "block" else skipped
            continue
        bare = line.strip()
        if skipped == "all" and at == len(lines) and _ASIDE.match(last) and not lines[at - 2].strip():
            # What is wanted of what was pasted.
            skipped = ""
        if skipped:
            # What is shown may begin behind a blank line.
            ended = (skipped == "block" and not bare) or (skipped == "all" and bare in {"---", "===", "***"})
            skipped = "block" if skipped == "soon" and bare else "" if ended else skipped
            continue
        if not bare:
            if document:
                return
            continue
        tag = _TAG.match(line) if bare.startswith("<") else None
        if tag:
            at = closing.find_end(tag[1], at - 1) or at
            continue
        heading = _HEADING.match(line) or _BOLD_HEADING.match(line)
        if heading:
            # '1. **Upload limit**:' with its details below it is an item as well.
            holds = not person and _ITEM.match(line) is not None and at < len(lines) and _DETAIL.match(lines[at])
            yield at, line if holds else "", heading[1].strip("*: ：")
            continue
        if len(line) > (_LINE if person else 20 * _LINE) or is_shown(line):
            continue
        if (_WHOLE_QUOTE if person else _PLACE).match(bare) is not None:
            continue
        yield at, line, ""
        if person and bare.endswith((":", "：")) and len(bare) < 300:
            skipped = _announces(bare[-160:])


def _announces(line: str) -> str:
    """What a line with a colon at its end announces: nothing of somebody else's, a block, or all that follows."""
    if _INTRO.search(line) is None or _OWN.search(line) is not None:
        return ""
    if _SHOWN.search(line) is not None:
        return "all"
    return "soon" if _LOGGED.search(line) is not None else ""


def is_shown(line: str) -> bool:
    """Whether a line is code, a log, a table or a quotation."""
    if _ITEM.match(line) is None and (_CODE.match(line) or _STATEMENT.match(line)):
        return True
    bare = line.strip()
    if _CODE_END.search(bare[-20:]) is not None and not has_chinese(bare):
        return True
    return len(bare) > 24 and len(_SIGN.findall(bare[:400])) * 5 > min(len(bare), 400)


class _ClosingTags:
    """Where tags are closed: asked once a tag, so that many that never close cost no more than one."""

    def __init__(self, lines: list[str]) -> None:
        self._lines = lines
        self._at: dict[str, list[int]] | None = None

    def find_end(self, tag: str, start: int) -> int:
        """The line behind the one in which the tag is closed; 0: it is not."""
        if self._at is None:
            self._at = {}
            for number, line in enumerate(self._lines):
                for name in re.findall(r"</([A-Za-z][\w-]{1,30})>", line):
                    self._at.setdefault(name, []).append(number)
        found = self._at.get(tag, [])
        while found and found[0] < start:
            found.pop(0)
        return found[0] + 1 if found else 0


LANGUAGES = (CHINESE, ENGLISH)
"""The last is taken where no other shows."""


def list_languages(text: str) -> tuple[Language, ...]:
    """The languages that a text may be read in: the one that shows, and the last, whose words stand in all of them."""
    shown = tuple(one for one in LANGUAGES[:-1] if one.script is not None and one.script.search(text))
    return (*shown, LANGUAGES[-1])


def detect_language(text: str) -> Language:
    """The language that a text is in."""
    return list_languages(text)[0]
