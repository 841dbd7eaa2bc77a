"""Text that tools ship and nobody wrote: what is known of it is a number for each of its lines, not the text.

A workspace begins as its tool's templates. People edit some lines and leave the others, so each entry is judged by its
own lines: a person's own rule inside a shipped AGENTS.md is theirs.
"""

from __future__ import annotations

import zlib

from memtui.model import PERISHABLE, Level, Status
from memtui.pattern import pattern
from memtui.record import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memtui.model import Entry

_ENOUGH = 0.6
"""Of an entry's characters: what was edited a little is still the tool's."""
_SHORTEST = 3
_SIGNS = pattern(r"[\W_]+")
_BLANK = pattern(
    r"[\s>*_`-]*(?:[*_`]*[^:：()（）\[\]<>]{1,40}[:：][*_`]*\s*)?"
    r"(?:[(（\[<{][^()（）\[\]<>]{2,80}[)）\]>}]|_[^_\n]{2,80}_|…|\.\.\.|TODO|TBD|待填写|待补充|待定|[(（]?暂无[)）]?|无|[(（]无[)）])[\s*_`.。]*"
)
"""A form that nobody filled in: '(记录后端技术栈)', '**Name:** _(optional)_'."""
_EMPTY_ROW = pattern(r"\|\s*(?:暂无|无|none|n/a|[(（](?:暂无|无|none)[)）])\s*\|.*", 2)
_FORM = pattern(
    r"\{[^{}\n:\"']{1,40}\}|P0/P1(?:/P2)?(?:/P3)?|✅\s?采纳\s?/\s?❌\s?废弃[^\n]{0,12}|\[(?:描述|名称|模块名|日期|说明|路径)\]|YYYY-MM-DD"
)
_NUMBERS = """
003ef6b3 011ba68c 03b62cd5 05d7a861 060c839e 06ea426b 071892a4 071b131d 079ceb10 07aa94b4 08862f8b 094229b5
09aba10e 09e1fc24 0a3b22bb 0a96fbb0 0c828b4d 0e0f1ad4 13fef6bb 15038ce3 155cf9a9 157ed573 163d5382 1677722f
178230d1 1abca1cc 1b046abe 1dd5ea32 1e1df04a 1e40429f 1f0683c8 1f7dfd35 20007798 207a2ad2 21227f5b 21287563
21527fa2 21a16986 22e0f265 24a16c40 258b1411 2965553e 2a0578e7 2af2f1d9 2c623003 2c7a879e 2c9d666b 2d754585
2e62ec7a 2ee685ea 2ef42ebc 2f7e09a0 3359b1b3 35fedb05 360a27a9 36aa7107 3701b297 392dbedd 3b0d99e6 3bcd4636
3c33d353 3d99a27a 4058a110 42054c01 424e0726 4303b8cc 44b62b64 45121c50 455d3f18 4aa2daf3 4bb66206 4d99ed3e
4efcc6fd 5278024a 52a86926 54be414f 54f643d7 55801359 55eba5b8 56499458 57d42066 58bfdc3e 5b4d7908 5bee5578
5d52dfcc 5dacecc0 5dfd03ef 5e237e06 60690a36 62046900 62a07bf6 62c4dcdb 642f7d39 64b82680 67abc52c 69d211c3
6aad0d63 6b072545 6b5f276a 6b9aaca9 6c1f19b1 6cd7bc31 6dd22830 6df1c7b5 6e28d019 717b472b 72313aaf 732ecf4b
77ffdafe 7810e474 7bd0ad45 7c4fa584 7c59c792 7cd0f0a4 7e2aff4d 7e472290 7e4f527a 7fdbc4d0 8281982f 82b55f8c
85d0d205 87308c7c 878657c4 885603ab 89a8652b 89addfb5 8a7a6917 8cd75e60 8d2203bf 92536415 926efd10 93e28f99
95bda5dc 96be88e3 970c0c46 98476c9a 98e42d6b 9a7e44c6 9cefb208 9f97d083 a1982e42 a53afe4f a59ffa44 a5fcc2c2
a6b64fc4 a7169fcc a739f432 a7e6cfde a822dbda a8748d45 aa75ce4c aafd544f ab13a441 abcbefc1 ac31c088 accf3ad4
ad45ee73 b058134c b0741835 b0d46d43 b0f26931 b1e07a2f b25704fc b3fb89fb b4e0dbad b58c21cf b64bf632 b66d4f70
b862c90c ba4ff91d bd709603 bd70b88a bd975ec6 be0582dc bf81cb84 bfa27082 c0275de0 c06f06d2 c0ca1128 c19e1b45
c2157755 c4c76436 c4e66580 c4fb35fd c88a30a8 c9a33406 cc01732c ce463efc ce57d443 d284c613 d39994e1 d43952e0
d4c474ab d525dfe6 d58097ec d59083c3 da448e39 ddaf44b5 e05a56f1 e25d857e e28ab426 e334b3b0 e4528dbc e4a12c6b
e99a552c ea60c06f ea6d3435 eafa6e6f eafade77 ecbe7976 eda1bff9 ee8dcc44 f0970a40 f2013e12 f203beb6 f389911b
f3b443b8 f3c27d9e f43360fe f50144ff f55ff246 f6a76195 f7529d14 f874ff34 f8b8efd5 f8c273fc fbd3cb42 fcb244ca
fdb028d7 fdbfdd6d ff092229
"""
_FORMS = """
0130221a 01da102f 039c8ade 04349c8b 049d44eb 05add184 06339ce8 06ecf8e9 084a3f63 08c97f6c 09cc1a25 0aa8db5e
0cb6b8af 0cdf5f34 0d881ef7 0df8d80b 0ef4212a 0fee1c87 10cf8a6b 11250569 1469b69d 14919a40 15a856ab 15d3a7cd
177a0187 178b11bb 188a3d4e 1a4c9f09 1aaa224b 1b6fae16 1c590f91 1c852226 1d693b28 1ddf3867 1ea78c79 1f2990ee
1f5768b8 2075db0d 2487c671 24e28980 252c7711 253c0409 279c9344 28345b57 289b041a 2b314403 2b59c53c 2cdd83d2
2d9a3c21 2e22e1d5 2ec0e833 2f256965 2f9d4d81 30007753 30ccaeb4 311de664 31cc7944 32174c1a 346a7c6b 361ffc5e
37327a69 37db09c8 3940afe5 3aded958 3b6baac4 3d134a36 3d2dd473 3da61a7b 3dc1233b 3dde0e50 3f61624b 4350f69d
43962aff 4449a818 44e33744 45042ab3 4556cbca 46f9fbdf 48a13015 491cf74c 49286034 49ccaf80 4adfd862 4ae999f0
4d118a37 4e469909 4e6229b5 4e7d2294 4e8336f5 4f9d7310 506ad9f3 50788955 50a884a2 516a1e5a 51c06959 5220d531
52628a2a 52698973 52eb83d6 53053622 53d442e7 550cf0c8 55222afb 55db3409 5713ca59 575e6b2c 582f7c65 58f054ca
58fb5cc3 59605b15 5b8fd7b6 5ba73405 5bacf0ca 5bcb7cd7 5c0a2a53 5d230f1a 5de38116 5f975cc6 6026d36b 606ccf85
60b008b3 61f7ecfe 63540a88 638d5f67 6408c4b8 65a9ecec 67c77118 6953e57b 6964a0ae 6a015c70 6a040b90 6a1737f0
6afbb1b2 6b3c17c0 6c4d62a1 6e07a7f5 6ecf29bc 6f912576 7263ed68 72b3409b 73d3e010 75ba2782 76ac8146 792063d3
79627d62 79e49e25 7a6f0be9 7abf3b66 7b5feafd 7d600c80 7ec3355f 7eda1b4a 7efefeea 7f43fbd1 8039f0c1 81476941
8293831e 829be492 82d31917 83b41152 83c05b35 869d5d0c 88ed63a7 8a26ae44 8ce3716a 8dcb5802 8e10f98a 8f668cf6
910f9fca 91f0ab98 951d76f2 962a1eb4 97d3620a 982e2ae0 98e4c1c1 9c8a1b86 9ce2c57c 9d03ee60 9ed16767 9feac5f4
a0e39d04 a1359609 a2489d7c a6fc9792 a79835a0 a878f1f3 a96f98fb aa4b5ac5 aa76dee0 ab5021c8 ac62a5fc ac65dbb2
ada322c5 ae1fef2e b0e0ae43 b0eeaa0d b10aab65 b12b3d88 b2fd7554 b4643fac b4fddb95 b61173a5 b6400d00 b7384592
b93cbc6a ba2aa3da ba5f7c36 ba72811c bd207b2e be361746 bf925f6c c2d5b57a c35420b0 c5fb81f4 c691f8d2 c8e27675
c8e7ea27 c9129310 cc03b38c cc9436dc ccb9b994 cdd79d06 ce0241b7 ceca18fb d0aa13b0 d1f7bf86 d33eeafa d3cee880
d410d9af d5418f62 d54c8871 d6800112 d7941851 d815bc0f d816fe95 d932109a d9e75af3 d9e75f77 da59c10c dc0e972d
dcce1a64 deef7ca1 e12d8a87 e2d3a912 e477e194 e83b1784 ea02629b eb88183e ebfe715c ecb30446 ed021397 ed151b7f
edae55f7 f1e97374 f20861b8 f26b8cc0 f4848aa7 f77c9b76 f86d2ce9 f8a64aa9 f93da8f8 fa94f8bb fb205e8a fc62dc64
fe0a7a24 fe190526 fe3c76f4 fed7eafb
"""
_DREAMS = frozenset({"light sleep", "rem sleep", "deep sleep"})
"""Sections into which OpenClaw stages by itself what it may remember one day, from what stands elsewhere."""
_SHIPPED = frozenset(int(number, 16) for number in _NUMBERS.split())
"""Of the files that OpenClaw puts into a workspace (AGENTS.md, SOUL.md, TOOLS.md, …), in its versions so far."""
_FORM_LINES = frozenset(int(number, 16) for number in _FORMS.split())
"""Of the documents that HelloAGENTS begins with, in its versions so far, but for lines that somebody may mean."""


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
                _shipped(own, _SHIPPED if profile else _FORM_LINES)
                or _unfilled(own)
                or all(_BLANK.fullmatch(line) or _EMPTY_ROW.fullmatch(line) for line in own if line.strip())
            ):
                entry.status = Status.TEMPLATE
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
    if "{" not in text and "/" not in text:
        return False
    placed = sum(len(match) for match in _FORM.findall(text))
    return placed * 4 > len(text.strip())


def _shipped(lines: Sequence[str], stock: frozenset[int]) -> bool:
    known = total = 0
    for line in lines:
        bare = _SIGNS.sub(" ", line.lower()).strip()
        if len(bare) >= _SHORTEST:
            total += len(bare)
            known += len(bare) * (zlib.crc32(bare.encode("utf-8", "replace")) in stock)
    return known > _ENOUGH * total if total else False
