"""Text that nobody wrote by hand: what tools ship and programs note.

`mark_stock`: a workspace begins as its tool's templates, of which people edit some lines. Each entry is judged
by its own lines, so a person's own rule inside a shipped AGENTS.md is theirs. Of shipped text only a number for
each line is kept here, not the text.
"""

from __future__ import annotations

import zlib
from collections import Counter

from memtui.core.model import PERISHABLE, Level, Status
from memtui.core.startup import TYPE_CHECKING, compile_pattern
from memtui.formats.marks import split_cells

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memtui.core.model import Entry

_ENOUGH = 0.6
"""Of an entry's characters: what was edited a little is still the tool's."""
_SHORTEST = 3
_LABEL_AND_VALUE = 2
_SIGNS = compile_pattern(r"[\W_]+")
_BLANK = compile_pattern(
    r"[\s>*_`-]*(?:[*_`]*[^:：()（）\[\]<>]{1,40}[:：][*_`]*\s*)?"
    r"(?:\{[^{}\n:\"',=?()]{2,80}\}|[(（\[<][^()（）\[\]<>]{2,80}[)）\]>]|\[[A-Z][^()\[\]<>]{80,160}\]|_[^_\n]{2,80}_|…|\.\.\.|TODO|TBD|待填写|待补充|待定|[(（]?暂无[)）]?|无|[(（]无[)）])[\s*_`.。]*"
)
"""A form that nobody filled in: '(记录后端技术栈)', '**Name:** _(optional)_'."""
_BLANK_ENDS = frozenset("})）]>…OD写充定无")
_LONG = 240
"""What such a line ends in, and characters that none has."""
_EMPTY_ROW = compile_pattern(r"\|\s*(?:暂无|无|none|n/a|[(（](?:暂无|无|none)[)）])\s*\|.*", 2)
_FORM = compile_pattern(
    r"(?<!\$)\{[^{}\n:\"',=?()]{1,40}\}|P0/P1(?:/P2)?(?:/P3)?|✅\s?采纳\s?/\s?❌\s?废弃[^\n]{0,12}|\[(?:描述|名称|模块名|日期|说明|路径)\]|YYYY-MM-DD"
)
_FORM_SIGNS = ("P0/P1", "采纳", "YYYY", "[描述", "[名称", "[模块名", "[日期", "[说明", "[路径")
_NUMBERS = """
000531a4 001daa66 003ef6b3 008da7f4 00a09f5f 011ba68c 0148bc0e 022fcdb2 0268883b 02a0f827 039fa575 03b62cd5
05d7a861 060c839e 060ec45a 06dc42e2 06ea426b 071892a4 071b131d 07237a75 075b0cfb 079ceb10 07aa94b4 08862f8b
094229b5 096bda8b 09aba10e 09b9a32e 09e1fc24 0a303aeb 0a3b22bb 0a96fbb0 0b3a7e7a 0b89bacf 0c828b4d 0c86c932
0cee03c1 0d5ebffd 0e085e80 0e0f1ad4 0ea5dacb 0fc4cfc6 1029d164 105c0cca 1144418c 116e2df6 118f9ff1 126075b7
13fef6bb 144717a8 14f17396 15038ce3 155cf9a9 157ed573 15b3c5a1 163d5382 1677722f 178230d1 17f46009 183bb9b5
183bf531 18774a4f 18a81d7c 19180171 19266343 19d33688 1a2cdbde 1a5e23a4 1abca1cc 1b046abe 1b04ab18 1c43bb2e
1c4dec6e 1c99ed48 1cb895d9 1d42f9ee 1dd5ea32 1e1109ea 1e1df04a 1e24b154 1e40429f 1e80b052 1f0683c8 1f158982
1f688984 1f77054c 1f7dfd35 20007798 207a2ad2 20b7cb6f 21227f5b 21287563 21527fa2 21a16986 22e0f265 22f72be8
238742bc 245d7b25 24a16c40 258b1411 26434a57 2789319e 27b12aa1 2965553e 29886f4c 2a0578e7 2af2f1d9 2c2e0ec3
2c43d725 2c623003 2c7a879e 2c9d666b 2d754585 2e62ec7a 2eaf7e84 2ee685ea 2ef42ebc 2f320d2a 2f78f4b0 2f7e09a0
2ff4676c 3049b6aa 3057bcf5 306dcab3 31036d54 3191c7dd 322be3ca 3279821e 32a58542 32fe92e5 331844ca 3359b1b3
337c3356 3578e16b 35eec5b0 35fedb05 360a27a9 36aa7107 3701b297 371d6f6c 3797de0d 37a97380 385c604f 392dbedd
39d71013 39e4de1a 3a10b42f 3a8efa0d 3aa9e939 3b0d99e6 3b394edd 3b6aca10 3bcd4636 3c33d353 3c806da7 3cc86a24
3d09c8f9 3d6abeff 3d99a27a 3ea59f67 3ee3dbd9 3f105f86 3f611284 3fd91450 4000dd6c 4058a110 40a0fc0f 40ddd622
42054c01 424e0726 4303b8cc 44b62b64 4508c866 45121c50 455d3f18 4651d378 465b849a 46badd52 475926a7 4807d0cb
4855f542 48741bc2 49592512 49b78a4f 4a89e1eb 4aa2daf3 4bb66206 4bf0858b 4c09f669 4d17e363 4d1edbf3 4d848535
4d99ed3e 4e822f24 4e9c2eff 4efcc6fd 50c6f0db 50d2da55 5121adc6 517874ed 5179d6dd 518adb25 5191898c 51bc9a9f
51fa85ac 52059d8a 521980bc 522690b0 5278024a 5296b6d3 52a86926 52e8ff56 53087ed9 54be414f 54f643d7 55801359
55a2103f 55eba5b8 5633aa80 56499458 565249f2 56a52b3d 57d099a5 57d42066 5801b90b 5815e540 58565919 589c9451
58bfdc3e 59673c9d 59b5d9b0 5a19a6d5 5b4d7908 5b5c40fd 5b9d04be 5bee5578 5c195f14 5d1cde19 5d3acca3 5d52dfcc
5dacecc0 5dc1b733 5dfd03ef 5e237e06 5ec080c3 5ef85433 5fadf5e5 603a2df8 60690a36 60803fff 608dc84e 6099adca
60d5acbb 60fa3777 62046900 62751c0a 628c8cec 62a07bf6 62c4dcdb 63ce9c65 63d1cc3a 63f42a7f 642f7d39 648eb833
64b82680 64bad398 6535cc2c 65415eaa 6566248e 6597400b 659d7f0c 66f1659c 67205c24 675f5702 67abc52c 68844186
68fe737b 69d211c3 6a21d78a 6a87e88b 6aad0d63 6b072545 6b3263c7 6b5f276a 6b628bf6 6b9aaca9 6c1f19b1 6c7a4c07
6cd7bc31 6cef2544 6dd22830 6ddcc974 6df1c7b5 6e28d019 6e7c0c44 6e8a2ff3 6f59b84b 702315a4 708e8a12 70a8d248
70c1ae4c 713f4e49 717b472b 721317e2 72313aaf 7290e9ff 729e427b 732ecf4b 73c77a35 7643771b 76537033 768c2982
77ffdafe 7810e474 781ecf7f 79d2e67d 7a749f79 7b21b625 7b32d682 7bc1a3d0 7bd0ad45 7bdb0c27 7bdbf65d 7c29a722
7c4ea16f 7c4fa584 7c59c792 7cd0f0a4 7d298f0a 7e202c99 7e2aff4d 7e472290 7e4f527a 7ecedb83 7ee7a2b3 7f906f2c
7fdbc4d0 801da6d5 80d9b379 818a6fa1 81c4182d 81c7e9f4 821ceec1 82318168 8277469d 8281982f 828db40b 82a0a7c4
82a693e4 82b55f8c 82d1f101 84e42073 851d21e9 853feab4 8583161d 85b732d4 85d0d205 8611a95d 87308c7c 878657c4
878ba6f8 87b02b26 87c59bd4 880909c6 885603ab 88ba26cc 89a8652b 89addfb5 8a78c88a 8a7a6917 8a8efcfa 8bc81ee3
8c2271b4 8c4c9fb5 8cbb00f7 8cd75e60 8d2203bf 8e617fe6 8e9d3216 8ec6d510 8f044443 8f8a1c78 8fd90388 923c282f
92536415 926efd10 927223c7 93e28f99 94092c2a 946e5f21 94aac128 95090655 95bda5dc 9629e4dc 96685388 967ab748
96be88e3 970c0c46 97dbfad4 98476c9a 987bb6d0 988018fc 98e42d6b 991899ff 991efd94 99919337 9a171a1d 9a7e44c6
9b1a5337 9c06eae5 9c9ebc79 9cefb208 9d1dddd9 9d565d66 9f1d7908 9f3c6c57 9f63213a 9f97d083 a011d5d2 a07b11e1
a1982e42 a2940f8d a4d233f9 a4e0c2ca a500408a a51cf600 a5297a22 a53afe4f a59ffa44 a5e2a5d7 a5fcc2c2 a6b64fc4
a7169fcc a739f432 a744cb70 a7e6cfde a822dbda a850d80b a8748d45 a8b618df a9100546 a9b7be2a a9f0d0dc aa6dc7e2
aa75ce4c aacd6792 aafd544f ab13a441 ab462569 ab56fa52 abcbefc1 ac31c088 accf3ad4 ad45ee73 adb384d7 ae5d1f9f
b058134c b0741835 b07e4a1a b0b59210 b0d46d43 b0e04bca b0f26931 b116cf5e b152186c b1cb9c6a b1e07a2f b25704fc
b26414c3 b2a78715 b3d35401 b3fb89fb b4e0dbad b58c21cf b5dbc5c9 b64bf632 b66d4f70 b6b1485a b6da4ef1 b708c8a1
b75dc373 b774aa45 b7afe964 b862c90c b89889a6 b8c0d221 b90fe49d ba4ff91d bb54f575 bc3c841d bc68fae3 bc76a77c
bd2ad082 bd5f8e08 bd709603 bd70b88a bd975ec6 be0582dc bf0a3c24 bf81cb84 bfa27082 c0275de0 c06f06d2 c0b555e4
c0ca1128 c19e1b45 c1d2e148 c2157755 c2a0d14b c2b36660 c3b5ab67 c3e241b7 c4c76436 c4e66580 c4fb35fd c53e7034
c66ec441 c67bdc37 c6e2fc1e c6f2feea c728b7f1 c7eacb35 c88a30a8 c91c46c0 c93f9c0e c9a33406 c9d74d5d ca4bbcd3
cb6963ef cc01732c cdc457a5 cde0b918 ce463efc ce57d443 ce7e0ce0 cedb8c6a cf3a1ee4 cf414621 cffc700a d02d276a
d08582a4 d1a699ef d1ea344b d1ff4790 d284c613 d28b6810 d39994e1 d43952e0 d496f0d0 d4ab4bd8 d4c474ab d4d3bf61
d4daaec8 d509d4ef d50b1ecb d525dfe6 d5672983 d58097ec d59083c3 d607e4fa d60946d9 d68416b2 d75336ee d7622312
d7693259 d7836a6a d82195d6 d821f073 d8fd761b d94e1e4c d9736b7b d992f005 d9e26a75 d9e874c8 da028fca da448e39
dabfb6b6 daf5c733 db825f3f dc0d781d ddaf44b5 ddcfa077 def55577 dfe08726 dfe9ec2e e05a56f1 e0a97822 e0e8ab9d
e229e548 e25d857e e28ab426 e2f6804a e334b3b0 e3377a3d e3416ca1 e35e8450 e39302b1 e3e0ac27 e410c745 e4520413
e4528dbc e479445a e4933b30 e4a12c6b e53d5d2a e53fc870 e596f87c e61a853f e647a817 e6b9b855 e77e3d13 e8dd9e4a
e931daeb e99a552c ea427681 ea60c06f ea6d3435 eafa6e6f eafade77 eb3a6256 ecbe7976 ecc484b4 ecee1073 ed3ee2eb
eda1bff9 edcfd680 ee3c09f1 ee8dcc44 efee7883 f035d93c f0970a40 f0db5cb5 f114317f f147df4f f2013e12 f203beb6
f2240a83 f320336e f389911b f3b443b8 f3c27d9e f43360fe f50144ff f55ff246 f57b1982 f5c81522 f6056405 f61596c3
f6a76195 f6b90df5 f7529d14 f7eafb13 f7ed8223 f80652de f874ff34 f8b8efd5 f8c273fc f8f7001f f95a1c23 f9afba9d
fa3dacca fa6c1d69 fac151f6 fad90c9f faeec06c fbca6ac8 fbd3cb42 fc87b8d8 fc886c89 fcb244ca fd7af4b8 fdb028d7
fdbfdd6d fddef0dc fe2e7820 ff092229 ff9da170
"""
_FORMS = """
00084157 0012e065 003b8ff6 0103b96d 01202d18 02031edc 026b92a5 0330f346 03df1094 046291fa 06e037ca 0925c8cd
09b73a13 0a038fc4 0ae117d4 0bafbff0 0c685e3f 0d5d0feb 0da7d176 0e45d4f3 0f28f298 0f2febdd 0fa05cb6 1049f277
1084590c 10d4b718 11b42010 12e28780 1446de97 14e0b1ec 14fb32e0 15a670fd 16c5c133 16cd5442 1850fdb6 1936a108
1943214d 19ef45e3 1a8922fb 1bd73363 1ca70096 1d8ccb1a 1e0c00a5 1e2268ed 1eac44c6 1f3c953f 1fb64107 1fc014ce
20a21f8d 20df23ce 2185516e 221d8f5f 23524a17 2481a9f6 24c5543c 25c91921 26322b9b 26cff665 27d5c2d1 27ef1204
28b9b179 2a97083c 2b022558 2ba639b8 2be4d431 2d779937 2e14daed 2fe488ed 303e2627 30562f4b 30b35e02 3240d078
3315a6ba 33779136 347547f9 34d6cdd2 35c0044a 35dccb32 36612b8b 368cbb45 390375fc 3919fc4f 392e837b 39c51e25
3b48ace4 3b72caed 3b9beaac 3cac5ef3 3ccf61d0 3cedfa54 3dee5c46 3e3ce373 3eed1168 3f018754 3f0bb881 40de4f72
40e1b6cd 41d836a7 430aaf1e 434900c1 43e5dd0f 4401c4ef 44e08594 44ece42d 450f01ef 4534cd7d 45e9a186 46bfc740
47223e86 481bba73 491ce83c 49518dc8 49dd930e 4ae110a1 4e19aeac 4e7886da 4ed46c70 4f030c12 4fd48e09 512fc791
52f3555b 53446e3c 538c2017 53b11fd2 53bcbbc2 53dd3a8b 554c46d9 57991893 57ca3829 58c138f4 594bd474 59a93c7e
5ab84d5d 5baa7bf0 5c2d4b4e 5cba3f25 5dc9cc7a 5f97ada8 607be660 6090704f 61164526 61217c9f 612745bb 6242c060
63f48935 6679a727 66eba41f 696bee24 6ce554f9 6d6ce596 6dcd3496 6dd97664 6e3a78de 6f6ac41a 6fe0dad0 70dcb2f0
70f43b27 71460da8 7164e7fd 725d9d13 72731fe3 72a83b36 734c4919 7517b351 75492243 75665566 77527292 781aa113
78466d01 78520166 78fc9a7f 791a4118 79c0de13 7a841442 7b228d41 7c3d2242 7c5747c2 7d282df1 7e88eff4 7f0247f1
7f3ed9f4 7f6474da 80ad52d3 81454b0c 824a24fc 82adeaa8 82e1a450 835679d1 83763984 839489b6 8397cde0 854bd9aa
8581d765 860a2644 861bc0af 86391af1 8772b56a 885e486e 89cf1b53 8a91dc35 8b9a514e 8ba5b401 8d9da1aa 8d9de29f
8da680ae 8ddd2061 8fee3c08 909f3cd8 91231714 92891f9c 92d53909 92f536c3 93c7eac7 942273cc 959719e6 95adf0e6
96087673 9788cc54 97b93791 97d4d83d 97f60ad2 9971860b 9a46de7e 9a600b8e 9b0db7d9 9ba64902 9c70a52e 9fe96670
a0049600 a110ce6b a1368366 a1c27b97 a2949edc a45cf66e a59ba556 a63583b9 a7f99813 a8428b0f a93f6868 a98c5c71
a9ede178 ad082da9 ad6ef62f afa5addf afde429a b02e6f0f b0c1993f b16ce4ba b1d772e6 b26c8a97 b2d6bf54 b35c3dad
b593fe46 b5946c2b b68e4f14 bbcc3d53 be9a0d05 bee8d7f4 bf785fff bfb85529 c0569fe8 c07d6bf0 c1cc14e0 c22784d6
c27f0de2 c2f55016 c34c1933 c4e064e3 c5098c9f c5653f2c c5d47a50 c658c4e5 c6e2793b c7103fb7 c86577b1 c8c754b6
c9fa0186 cc2c6a13 cc37fca5 ccad4239 cdc77b7b cdf769f6 cff07182 cfff14ca d076038a d092f0cd d0b4a27f d166e9f0
d2cae6c3 d3e1f3d5 d53253fb d6aeca25 d76f0763 d7c09587 d9411b04 d9d34299 da0d9e51 da5dd56e da793788 dc0879f2
dc2eadae dd71fab8 dee942fd e2a8546d e375f853 e3b350b3 e3f05ca1 e407bf0d e45cc0a9 e4d65199 e553645d e5593f29
e6dd4df8 e7628683 eb83d7a3 ed1ae8ac eda50b56 ef3df8b9 ef81eba6 effacc50 f130c831 f1bd4585 f29c2ace f338a18e
f5129dfa f564a1c2 f65dadca f6a1f837 f7d0d213 f8922584 f8991455 fb0c6a7f fb183c61 fb69d7ff fcd02dba fceb20b1
fdc715ec fe4790cf ffb33b97
"""
_DREAMS = frozenset({"light sleep", "rem sleep", "deep sleep"})
"""Sections into which OpenClaw stages by itself what it may remember one day, from what stands elsewhere."""
_STAMPED = compile_pattern(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[\d.]*(?:Z|[+-]\d\d:?\d\d)?(?=\W|$)")
"""A heading as a program writes it; a person gives the day, and perhaps the hour."""
_FIELD = compile_pattern(r"[-*+]\s+[*`]*([A-Za-z][\w /.-]{0,30}?)[*`]*\s*:")
_OF_A_RUN = frozenset({
    "status", "result", "runtime", "request", "request_id", "run", "run_id", "job", "job_id", "exit_code", "duration",
    "elapsed", "confidence", "actor", "attempt", "attempts", "latency", "tokens", "cost", "error", "trace_id",
})  # fmt: skip
_RUN_FIELDS = 3
_OFTEN = 20
_SHIPPED = frozenset(int(number, 16) for number in _NUMBERS.split())
"""Of the files that OpenClaw, and the proactive-agent skill that many copy, put into a workspace (AGENTS.md, SOUL.md,
TOOLS.md, …), in their versions so far."""
_FORM_LINES = frozenset(int(number, 16) for number in _FORMS.split())
"""Of the documents that HelloAGENTS and code-memory begin with, in their versions so far, but for lines that somebody
may mean; and the heads of OpenClaw's .learnings."""


def mark_stock(entries: Sequence[Entry], lines: Sequence[str], *, profile: bool, rules: bool) -> None:
    """Give the entries that are nobody's words the status of a template, or of what a machine made. `profile`: a file
    of those that are shipped with text; `rules`: a project's, which hold though they were shipped to the letter."""
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
                (_is_shipped_text(own) if profile else not rules and _is_begun_form(own))
                or _has_placeholders(own)
                or all(map(_is_blank, own))
                or (len(own) == _LABEL_AND_VALUE and _BLANK.fullmatch(" ".join(map(str.strip, own))) is not None)
            ):
                entry.status = Status.TEMPLATE
    _mark_runs(entries, lines)
    if len(entries) > _OFTEN and not rules:
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
    if bare[0] == "|":
        return all(not cell or _BLANK.fullmatch(cell) for cell in split_cells(bare))
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


def _has_placeholders(lines: Sequence[str]) -> bool:
    """Whether a form's placeholders stand there still: '[ ] 1.1 在 {文件路径} 中…', 'P0/P1/P2/P3', '{R2|R3}'."""
    text = "\n".join(lines)
    if "{" not in text and not ("/" in text and any(map(text.__contains__, _FORM_SIGNS))):
        return False
    placed = sum(len(match) for match in _FORM.findall(text))
    return placed * 4 > len(text.strip())


def _is_begun_form(lines: Sequence[str]) -> bool:
    """Whether lines are those of a form, to the letter."""
    known = total = 0
    for line in lines:
        bare = line.strip()
        total += len(bare)
        known += len(bare) * (zlib.crc32(bare.encode("utf-8", "replace")) in _FORM_LINES)
    return known > _ENOUGH * total


def _is_shipped_text(lines: Sequence[str]) -> bool:
    known = total = 0
    for line in lines:
        bare = _SIGNS.sub(" ", line.lower()).strip()
        if len(bare) >= _SHORTEST:
            total += len(bare)
            same = zlib.crc32(bare.encode("utf-8", "replace")) in _SHIPPED
            known += len(bare) * (same and (line.isascii() or not _is_value_sign_only(line)))
    return known > _ENOUGH * total if total else False


def _is_value_sign_only(line: str) -> bool:
    """Whether a field's value is a sign alone, which is no letter: '**Emoji:** 🦉'."""
    value = line.rpartition(":")[2].strip("*_`。 \r") if ":" in line else ""
    return value[:1] > _PUNCTUATION and len(value) < _SHORTEST and not any(map(str.isalnum, value))


_PUNCTUATION = "\u22ff"
"""Up to here, and before the letters of Chinese, signs are dashes, arrows and the like."""
