"""Text that tools ship and nobody wrote: what is known of it is a number for each of its lines, not the text.

A workspace begins as its tool's templates. People edit some lines and leave the others, so each entry is judged by its
own lines: a person's own rule inside a shipped AGENTS.md is theirs.
"""

from __future__ import annotations

import zlib
from collections import Counter

from memtui.model import PERISHABLE, Level, Status
from memtui.pattern import pattern
from memtui.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memtui.model import Entry

_ENOUGH = 0.6
"""Of an entry's characters: what was edited a little is still the tool's."""
_SHORTEST = 3
_LABEL_AND_VALUE = 2
"""Lines of a field whose value stands below its label."""
_SIGNS = pattern(r"[\W_]+")
_BLANK = pattern(
    r"[\s>*_`-]*(?:[*_`]*[^:：()（）\[\]<>]{1,40}[:：][*_`]*\s*)?"
    r"(?:\{[^{}\n:\"',=?()]{2,80}\}|[(（\[<][^()（）\[\]<>]{2,80}[)）\]>]|_[^_\n]{2,80}_|…|\.\.\.|TODO|TBD|待填写|待补充|待定|[(（]?暂无[)）]?|无|[(（]无[)）])[\s*_`.。]*"
)
"""A form that nobody filled in: '(记录后端技术栈)', '**Name:** _(optional)_'."""
_BLANK_ENDS = frozenset("})）]>…OD写充定无")
_LONG = 240
"""What such a line ends in, and characters that none has."""
_EMPTY_ROW = pattern(r"\|\s*(?:暂无|无|none|n/a|[(（](?:暂无|无|none)[)）])\s*\|.*", 2)
_FORM = pattern(
    r"(?<!\$)\{[^{}\n:\"',=?()]{1,40}\}|P0/P1(?:/P2)?(?:/P3)?|✅\s?采纳\s?/\s?❌\s?废弃[^\n]{0,12}|\[(?:描述|名称|模块名|日期|说明|路径)\]|YYYY-MM-DD"
)
_FORM_SIGNS = ("P0/P1", "采纳", "YYYY", "[描述", "[名称", "[模块名", "[日期", "[说明", "[路径")
_NUMBERS = """
003ef6b3 008da7f4 011ba68c 03b62cd5 05d7a861 060c839e 06ea426b 071892a4 071b131d 079ceb10 07aa94b4 08862f8b
094229b5 09aba10e 09e1fc24 0a3b22bb 0a96fbb0 0c828b4d 0e0f1ad4 13fef6bb 15038ce3 155cf9a9 157ed573 163d5382
1677722f 178230d1 1abca1cc 1b046abe 1dd5ea32 1e1df04a 1e40429f 1f0683c8 1f7dfd35 20007798 207a2ad2 21227f5b
21287563 21527fa2 21a16986 22e0f265 24a16c40 258b1411 2965553e 2a0578e7 2af2f1d9 2c623003 2c7a879e 2c9d666b
2d754585 2e62ec7a 2ee685ea 2ef42ebc 2f7e09a0 3359b1b3 35fedb05 360a27a9 36aa7107 3701b297 392dbedd 3b0d99e6
3bcd4636 3c33d353 3d99a27a 4058a110 42054c01 424e0726 4303b8cc 44b62b64 45121c50 455d3f18 4aa2daf3 4bb66206
4d99ed3e 4efcc6fd 5278024a 52a86926 54be414f 54f643d7 55801359 55eba5b8 56499458 57d42066 58bfdc3e 5b4d7908
5bee5578 5d52dfcc 5dacecc0 5dfd03ef 5e237e06 60690a36 62046900 62a07bf6 62c4dcdb 642f7d39 64b82680 67abc52c
69d211c3 6aad0d63 6b072545 6b5f276a 6b9aaca9 6c1f19b1 6cd7bc31 6dd22830 6df1c7b5 6e28d019 717b472b 72313aaf
732ecf4b 77ffdafe 7810e474 7bd0ad45 7c4fa584 7c59c792 7cd0f0a4 7e2aff4d 7e472290 7e4f527a 7fdbc4d0 8281982f
828db40b 82b55f8c 85d0d205 87308c7c 878657c4 885603ab 89a8652b 89addfb5 8a7a6917 8cd75e60 8d2203bf 92536415
926efd10 93e28f99 95bda5dc 96be88e3 970c0c46 98476c9a 98e42d6b 9a7e44c6 9cefb208 9f97d083 a1982e42 a53afe4f
a59ffa44 a5fcc2c2 a6b64fc4 a7169fcc a739f432 a7e6cfde a822dbda a8748d45 aa75ce4c aafd544f ab13a441 abcbefc1
ac31c088 accf3ad4 ad45ee73 b058134c b0741835 b0d46d43 b0f26931 b1e07a2f b25704fc b3fb89fb b4e0dbad b58c21cf
b64bf632 b66d4f70 b862c90c ba4ff91d bd709603 bd70b88a bd975ec6 be0582dc bf81cb84 bfa27082 c0275de0 c06f06d2
c0ca1128 c19e1b45 c2157755 c4c76436 c4e66580 c4fb35fd c88a30a8 c9a33406 cc01732c ce463efc ce57d443 d284c613
d39994e1 d43952e0 d4c474ab d525dfe6 d58097ec d59083c3 da448e39 ddaf44b5 e05a56f1 e25d857e e28ab426 e334b3b0
e4528dbc e4a12c6b e99a552c ea60c06f ea6d3435 eafa6e6f eafade77 ecbe7976 eda1bff9 ee8dcc44 f0970a40 f2013e12
f203beb6 f389911b f3b443b8 f3c27d9e f43360fe f50144ff f55ff246 f6a76195 f7529d14 f874ff34 f8b8efd5 f8c273fc
fbd3cb42 fcb244ca fdb028d7 fdbfdd6d ff092229
"""
_FORMS = """
00084157 0012e065 003b8ff6 01202d18 02031edc 026b92a5 0330f346 03df1094 046291fa 09b73a13 0a038fc4 0ae117d4
0d5d0feb 0da7d176 0e45d4f3 0f28f298 0f2febdd 1049f277 1084590c 10d4b718 11b42010 12e28780 1446de97 14e0b1ec
15a670fd 16c5c133 16cd5442 1850fdb6 1936a108 19ef45e3 1a8922fb 1bd73363 1ca70096 1d8ccb1a 1e0c00a5 1e2268ed
1eac44c6 1fb64107 1fc014ce 20a21f8d 2185516e 221d8f5f 23524a17 2481a9f6 24c5543c 25c91921 26322b9b 26cff665
27ef1204 28b9b179 2a97083c 2b022558 2ba639b8 2d779937 2e14daed 2fe488ed 303e2627 30562f4b 30b35e02 3240d078
3315a6ba 33779136 34d6cdd2 35c0044a 35dccb32 36612b8b 368cbb45 390375fc 3919fc4f 392e837b 3b48ace4 3b72caed
3b9beaac 3cac5ef3 3ccf61d0 3cedfa54 3dee5c46 3e3ce373 3eed1168 3f018754 3f0bb881 40de4f72 40e1b6cd 41d836a7
430aaf1e 434900c1 43e5dd0f 4401c4ef 44e08594 44ece42d 450f01ef 4534cd7d 45e9a186 46bfc740 47223e86 481bba73
491ce83c 49518dc8 4ae110a1 4e19aeac 4e7886da 4ed46c70 4f030c12 4fd48e09 512fc791 52f3555b 53446e3c 53b11fd2
53bcbbc2 554c46d9 57991893 57ca3829 58c138f4 594bd474 59a93c7e 5ab84d5d 5baa7bf0 5c2d4b4e 5cba3f25 5f97ada8
607be660 6090704f 61164526 61217c9f 612745bb 6242c060 63f48935 6679a727 66eba41f 696bee24 6d6ce596 6dd97664
6e3a78de 6f6ac41a 6fe0dad0 70dcb2f0 70f43b27 71460da8 725d9d13 72731fe3 72a83b36 734c4919 7517b351 75492243
75665566 77527292 781aa113 78466d01 78520166 78fc9a7f 791a4118 79c0de13 7a841442 7b228d41 7c5747c2 7d282df1
7f0247f1 7f6474da 80ad52d3 824a24fc 82adeaa8 82e1a450 835679d1 83763984 839489b6 8397cde0 854bd9aa 8581d765
861bc0af 8772b56a 89cf1b53 8a91dc35 8b9a514e 8ba5b401 8d9da1aa 8d9de29f 8da680ae 8ddd2061 8fee3c08 909f3cd8
91231714 92891f9c 92d53909 92f536c3 93c7eac7 942273cc 959719e6 95adf0e6 96087673 9788cc54 97b93791 97d4d83d
97f60ad2 9971860b 9a46de7e 9a600b8e 9ba64902 9c70a52e a0049600 a110ce6b a1368366 a1c27b97 a2949edc a45cf66e
a59ba556 a63583b9 a7f99813 a8428b0f a93f6868 a98c5c71 a9ede178 ad082da9 ad6ef62f afa5addf afde429a b02e6f0f
b0c1993f b16ce4ba b1d772e6 b35c3dad b593fe46 b5946c2b b68e4f14 bbcc3d53 be9a0d05 bf785fff bfb85529 c0569fe8
c07d6bf0 c1cc14e0 c22784d6 c27f0de2 c2f55016 c4e064e3 c5098c9f c5653f2c c5d47a50 c658c4e5 c7103fb7 c86577b1
c8c754b6 c9fa0186 cc37fca5 ccad4239 cdc77b7b cdf769f6 cff07182 d076038a d092f0cd d0b4a27f d166e9f0 d3e1f3d5
d53253fb d6aeca25 d76f0763 d7c09587 d9411b04 d9d34299 da0d9e51 da5dd56e da793788 dc2eadae dee942fd e2a8546d
e3b350b3 e3f05ca1 e407bf0d e45cc0a9 e4d65199 e553645d e5593f29 e6dd4df8 e7628683 eb83d7a3 ed1ae8ac eda50b56
ef3df8b9 ef81eba6 effacc50 f130c831 f1bd4585 f29c2ace f338a18e f5129dfa f65dadca f6a1f837 f7d0d213 fb183c61
fb69d7ff fcd02dba fceb20b1 fdc715ec ffb33b97
"""
_DREAMS = frozenset({"light sleep", "rem sleep", "deep sleep"})
"""Sections into which OpenClaw stages by itself what it may remember one day, from what stands elsewhere."""
_STAMPED = pattern(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[\d.]*(?:Z|[+-]\d\d:?\d\d)?(?=\W|$)")
"""A heading as a program writes it; a person gives the day, and perhaps the hour."""
_FIELD = pattern(r"[-*+]\s+[*`]*([A-Za-z][\w /.-]{0,30}?)[*`]*\s*:")
_OF_A_RUN = frozenset({
    "status", "result", "runtime", "request", "request_id", "run", "run_id", "job", "job_id", "exit_code", "duration",
    "elapsed", "confidence", "actor", "attempt", "attempts", "latency", "tokens", "cost", "error", "trace_id",
})  # fmt: skip
_RUN_FIELDS = 3
_OFTEN = 20
_SHIPPED = frozenset(int(number, 16) for number in _NUMBERS.split())
"""Of the files that OpenClaw puts into a workspace (AGENTS.md, SOUL.md, TOOLS.md, …), in its versions so far."""
_FORM_LINES = frozenset(int(number, 16) for number in _FORMS.split())
"""Of the documents that HelloAGENTS begins with, in its versions so far, but for lines that somebody may mean; and the
heads of OpenClaw's .learnings."""


def mark_stock(entries: Sequence[Entry], lines: Sequence[str], *, profile: bool) -> None:
    """Give the entries that are nobody's words the status of a template, or of what a machine made. `profile`: a file
    of those that are shipped with text."""
    dreams: dict[tuple[str, ...], bool] = {}
    for entry in entries:
        heading = entry.heading
        if heading not in dreams:
            dreams[heading] = not _DREAMS.isdisjoint(map(str.lower, heading))
        if dreams[heading] and entry.status in PERISHABLE:
            entry.status = Status.GENERATED
        elif entry.status in PERISHABLE and entry.level is not Level.CONTEXT:
            own = lines[entry.start - 1 : entry.end]
            if (
                (_shipped(own) if profile else _begun(own))
                or _unfilled(own)
                or all(map(_is_blank, own))
                or (
                    len(own) == _LABEL_AND_VALUE
                    and _BLANK.fullmatch(" ".join(map(str.strip, own))) is not None
                )
            ):
                entry.status = Status.TEMPLATE
    _mark_runs(entries, lines)
    if len(entries) > _OFTEN:
        _mark_refrains(entries)
    if entries and entries[0].kind == "plan":
        _plan(entries)
        return
    owner: Entry | None = None
    for entry in entries:
        if entry.level is Level.MEMORY:
            owner = entry
        elif (
            entry.level is Level.PART
            and entry.status is not Status.TEMPLATE
            and owner is not None
            and owner.status is Status.TEMPLATE
        ):
            # A person went on below what was shipped: that is a memory of its own.
            entry.level, entry.reach, owner.reach = Level.MEMORY, owner.reach, entry.start - 1
            owner = entry


def _is_blank(line: str) -> bool:
    """Whether a line is empty, or one that nobody filled in."""
    bare = line.strip()
    if not bare or (bare[0] == "|" and _EMPTY_ROW.fullmatch(line)):
        return True
    if len(bare) > _LONG:
        return False
    end = bare.rstrip(" *_`.。")
    tail = bare[len(end) :]
    return (end[-1:] in _BLANK_ENDS or "_" in tail or "..." in tail) and _BLANK.fullmatch(line) is not None


def _mark_runs(entries: Sequence[Entry], lines: Sequence[str]) -> None:
    """What a program notes of its runs: below a moment to the second nothing but named values, a run's among them."""
    begun = 0
    while begun < len(entries):
        heading = entries[begun].heading
        end = begun + 1
        if heading and heading[-1][:2].isdigit() and _STAMPED.match(heading[-1]):
            fields: set[str] = set()
            end = begun
            while end < len(entries) and entries[end].heading == heading:
                named = [_FIELD.match(line) for line in lines[entries[end].start - 1 : entries[end].end]]
                if named[0] is None:
                    break
                fields.update(match[1].lower().partition("/")[0] for match in named if match is not None)
                end += 1
            if len(fields) >= _RUN_FIELDS and not _OF_A_RUN.isdisjoint(fields):
                for entry in entries[begun:end]:
                    if entry.status in PERISHABLE:
                        entry.status = Status.STATE
            while end < len(entries) and entries[end].heading == heading:
                end += 1
        begun = end


def _mark_refrains(entries: Sequence[Entry]) -> None:
    """What stands in one file over and over to the letter is what a program puts into each of its records."""
    often = {text for text, count in Counter(entry.text for entry in entries).items() if count >= _OFTEN}
    for entry in entries if often else ():
        if entry.text in often and entry.status in PERISHABLE and entry.kind != "todo":
            entry.status = Status.GENERATED


def _plan(entries: Sequence[Entry]) -> None:
    """A plan that nobody filled in is the form of one."""
    parts = [entry for entry in entries[1:] if entry.level is Level.PART]
    blank = sum(entry.status is Status.TEMPLATE for entry in parts)
    if parts and blank >= _ENOUGH * len(parts):
        for entry in entries:
            if entry.status in PERISHABLE:
                entry.status = Status.TEMPLATE


def _unfilled(lines: Sequence[str]) -> bool:
    """Whether a form's placeholders stand there still: '[ ] 1.1 在 {文件路径} 中…', 'P0/P1/P2/P3', '{R2|R3}'."""
    text = "\n".join(lines)
    if "{" not in text and not ("/" in text and any(map(text.__contains__, _FORM_SIGNS))):
        return False
    placed = sum(len(match) for match in _FORM.findall(text))
    return placed * 4 > len(text.strip())


def _begun(lines: Sequence[str]) -> bool:
    """Whether lines are those of a form, to the letter."""
    known = total = 0
    for line in lines:
        bare = line.strip()
        total += len(bare)
        known += len(bare) * (zlib.crc32(bare.encode("utf-8", "replace")) in _FORM_LINES)
    return known > _ENOUGH * total


def _shipped(lines: Sequence[str]) -> bool:
    known = total = 0
    for line in lines:
        bare = _SIGNS.sub(" ", line.lower()).strip()
        if len(bare) >= _SHORTEST:
            total += len(bare)
            same = zlib.crc32(bare.encode("utf-8", "replace")) in _SHIPPED
            known += len(bare) * (same and (line.isascii() or not _drawn(line)))
    return known > _ENOUGH * total if total else False


def _drawn(line: str) -> bool:
    """Whether a field's value is a sign alone, which is no letter: '**Emoji:** 🦉'."""
    value = line.rpartition(":")[2].strip("*_`。 \r") if ":" in line else ""
    return value[:1] > _PUNCTUATION and len(value) < _SHORTEST and not any(map(str.isalnum, value))


_PUNCTUATION = "\u22ff"
"""Up to here, and before the letters of Chinese, signs are dashes, arrows and the like."""
