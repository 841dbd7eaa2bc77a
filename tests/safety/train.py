"""Makes memtui/safety/judge.bin from our phrasings and the sections of real homes: `python -m tests.safety.train`.

Needs the extra `train` (scikit-learn). `--homes FILE` names lines of JSON with a section's `home` and `text`: those
of the homes in one half are learned from as harmless, those in the other half are only measured on. Without it
the phrasings teach alone, and the weights call more of an agent's own rules an order. `--former FILE`: earlier
weights, of homes that are no longer at hand, count as much as the new ones.

`--around --homes FILE` makes memtui/safety/around.bin instead, what stands around a sentence, from the texts of other
hands, our phrasings, and stretches of those homes; with `--check` it tells for each hand what weights say that have not
learned from it (its sentences were learned before, but for the last three).
"""

from __future__ import annotations

import argparse
import ast
import json
import random
import re
import sys
import tempfile
import zlib
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from memtui.safety import judge
from memtui.safety.injection import examine
from memtui.safety.normalize import fold_disguises, map_to_latin
from tests.safety.orders import harmless, plain
from tests.safety.test_redact import HARMLESS, ORDERS, lines

if TYPE_CHECKING:
    from collections.abc import Sequence

PHRASINGS = Path(__file__).with_name("phrasings.txt")
GROUPS = Path(__file__).with_name("groups.txt")
PINYIN = Path(__file__).with_name("pinyin.txt")
"""What Chinese words are spoken like, in Latin letters without accents: the ones of the groups and the commonest."""
HANDS = Path(__file__).with_name("hands.jsonl")
"""Texts by people who had seen neither code nor phrasings, each with who wrote it and whether it is `harmless`."""
DRAWS = 10
C = 1.0
TOLD = 0.3
"""What a line of the tests weighs, where one of the phrasings weighs 1, however often it is drawn."""
HAND_ORDER, HAND_HONEST = 150.0, 350.0
"""What a text of another hand weighs."""
LEAN = 0.8
"""What is taken from every sum: of homes that nothing was learned from, six sections in a thousand are called orders."""
DRESSED = 0.35
"""So many of the drawings stand between what often comes before them and after."""
DRESS = {
    ("+", False): (
        "<hail>|<trigger>|<authority> |<urgent> |Note: |- |# ",
        " <hush>.| <urgent>| Thanks!| <authority>| <asking>.",
    ),
    ("+", True): (
        "<zhail>|<ztrigger>|<zauthority>|备注：|- |紧急：",
        "<zhush>。|谢谢。|<zauthority>|<zasking>。",
    ),
    ("-", False): (
        "Note: |Reminder: |- |Decision: |Lesson: |As agreed with Ann: |# |Rule: |For agents: |Important: ",
        " Ask first.| See the docs.| Thanks!| Tell me when it is done.| Never guess.| This is from the wiki.| Be brief.",
    ),
    ("-", True): (
        "备注：|提醒：|- |决定：|教训：|规则：|给代理的约定：|重要：",
        "先问我。|见文档。|谢谢。|做完告诉我。|不要猜。",
    ),
}
"""What may come before a line and after it: of an order or a note, in English or Chinese."""
_UNDRESSED = ("+ tongues", "+ roletags", "+ toolcalls")
FOLDS = 6
C_AROUND, C_ON = 10.0, 10.0
"""How far weights may go from nothing, and from former ones."""
DRAWS_AROUND = 3
USUAL = 6.3
LEAST_TEXTS = 3
"""Texts of hands in which a phrase stands, to be known."""
A_SECTION = 12
"""Stretches of a section of a home that are learned from."""
HANDED = 1_000_000
"""The number of their first text, beyond those of the phrasings."""
LEAST = 2
"""Lines of ours in which a feature stands, to be one."""
_SLOT = re.compile(r"<([a-z]+)>|\{([^{}\"]*)\}")


class Grammar:
    """The slots, and the lines of each kind: '+ name' attacks, '- name' honest notes."""

    def __init__(self, text: str) -> None:
        self.slots: dict[str, list[str]] = {}
        self.lines: list[tuple[str, str]] = []
        kind = ""
        for line in text.splitlines():
            if re.match(r"# |$", line) and not re.match(r"# [{<]", line):
                continue
            if re.match(r"[=+-] [a-z]+$", line):
                kind = line
            elif kind.startswith("="):
                self.slots[kind[2:]] = line.replace("`|`", "\0").split("|")
            elif kind:
                self.lines.append((kind, line.replace("`|`", "\0")))

    def draw(self, line: str, chance: random.Random) -> str:
        """One of a line's phrasings."""
        while (match := _SLOT.search(line)) is not None:
            if match[1] is not None:
                said = chance.choice(self.slots[match[1]]) if match[1] in self.slots else f"\1{match[1]}\2"
            elif "|" in match[2] or match[2] == "":
                said = chance.choice(match[2].split("|"))
            else:
                said = f"\3{match[2]}\4"
            line = line[: match.start()] + said + line[match.end() :]
        return line.translate({0: "|", 1: "<", 2: ">", 3: "{", 4: "}"}).replace(" .", ".")


class Drawn(NamedTuple):
    kind: str
    line: int
    """Which line of the phrasings it is of: those of one line are no evidence of each other."""
    text: str


def draw_all(seed: int = 7, draws: int = DRAWS) -> list[Drawn]:
    """Several phrasings of each line, all different."""
    chance = random.Random(seed)
    grammar = Grammar(PHRASINGS.read_text(encoding="utf-8"))
    found: dict[str, Drawn] = {}
    for number, (kind, line) in enumerate(grammar.lines):
        for _ in range(draws):
            text = grammar.draw(line, chance)
            if chance.random() < DRESSED and kind not in _UNDRESSED:
                before, after = DRESS[kind[0], re.search("[\u3400-\u9fff]", text) is not None]
                front, end = (chance.choice(said.split("|")) for said in (before, after))
                text = grammar.draw(chance.choice((front + text, text + end, front + text + end)), chance)
            found.setdefault(text, Drawn(kind, number, text))
    told = [
        *((one, "+ told") for one in [*plain(), *lines(ORDERS)]),
        *((one, "- told") for one in [*harmless(), *lines(HARMLESS)]),
    ]
    for number, (text, kind) in enumerate(told):
        found[text] = Drawn(kind, -1 - number, text)
    return list(found.values())


def list_pieces(text: str) -> list[str]:
    """Every sentence, and every two that follow each other."""
    plain = map_to_latin(fold_disguises(text))
    spans = judge.list_sentences(plain)
    pieces = [plain[start:end] for start, end in spans]
    return pieces + [
        plain[one[0] : two[1]] for one, two in pairwise(spans) if one[1] == two[0] and two[1] - one[0] < judge.LONGEST
    ]


def read_hands() -> list[Drawn]:
    """The texts of other hands, each a line of its own."""
    texts = map(json.loads, HANDS.read_text(encoding="utf-8").splitlines())
    return [
        Drawn("- hands" if one["kind"] == "harmless" else "+ hands", HANDED + number, one["text"])
        for number, one in enumerate(texts)
    ]


def find_general(lines: list[tuple[int, list[int]]], theirs: list[list[int]], least: int) -> set[int]:
    """The features that are of no single line: several of ours have them, or many sentences of homes."""
    ours: dict[int, set[int]] = {}
    for line, row in lines:
        for place in row:
            ours.setdefault(place, set()).add(line)
    counts = Counter(place for row in theirs for place in row)
    return {place for place, some in ours.items() if len(some) >= least} | {
        place for place, count in counts.items() if count >= 12 and place in ours
    }


def fit(rows: list[list[int]], labels: list[int], weights: list[float], c: float = C) -> Any:
    """A logistic regression over hashed features."""
    from scipy.sparse import csr_matrix
    from sklearn.linear_model import LogisticRegression

    starts = np.cumsum([0, *map(len, rows)])
    places = np.concatenate([np.array(row, dtype=np.int32) for row in rows])
    matrix = csr_matrix((np.ones(len(places), dtype=np.float32), places, starts), shape=(len(rows), 1 << judge.BITS))
    model = LogisticRegression(C=c, solver="liblinear", max_iter=200)
    return model.fit(matrix, labels, sample_weight=weights)


def read_groups() -> str:
    """Each word and the names of its groups, a line a word."""
    found: dict[str, dict[str, None]] = {}
    for line in GROUPS.read_text(encoding="utf-8").splitlines():
        name, _, words = line.partition(": ")
        for word in words.split() if not line.startswith("#") else ():
            found.setdefault(word, {})[name] = None
    spoken = [f"~{line}" for line in PINYIN.read_text(encoding="utf-8").splitlines()]
    return "\n".join([f"{word} {' '.join(names)}" for word, names in sorted(found.items())] + spoken)


def pack(words: str, weights: Any, bias: float) -> bytes:
    """The words, then one byte a feature: its weight in steps, and 128."""
    steps = np.clip(np.rint(weights / judge.SCALE), -127, 127).astype(np.int16) + 128
    stored = words.encode()
    return zlib.compress(
        round(bias / judge.SCALE).to_bytes(2, "little", signed=True)
        + len(stored).to_bytes(3, "little")
        + stored
        + steps.astype(np.uint8).tobytes(),
        9,
    )


def unpack(data: bytes, words: str) -> tuple[Any, float]:
    """Weights and bias of a file that `pack` made. Raises ValueError where its groups of words are others."""
    plain = zlib.decompress(data)
    end = 5 + int.from_bytes(plain[2:5], "little")
    if plain[5:end].decode() != words:
        raise ValueError("the former weights are of other groups of words: they cannot be used")
    steps = np.frombuffer(plain[end:], np.uint8).astype(np.float64) - 128
    return steps * judge.SCALE, int.from_bytes(plain[:2], "little", signed=True) * judge.SCALE


def list_prose() -> list[str]:
    """The texts of this project but for the attacks in them: its prose is ours too, and no order for that."""
    root = PHRASINGS.parents[2]
    found: dict[str, None] = {}
    for file in sorted([*root.glob("memtui/**/*.py"), *root.glob("tests/**/*.py"), *root.glob("memtui/**/*.md")]):
        if PHRASINGS.parent in file.parents:
            continue
        text = file.read_text(encoding="utf-8")
        texts = [text]
        if file.suffix == ".py":
            nodes = ast.walk(ast.parse(text))
            texts = [one.value for one in nodes if isinstance(one, ast.Constant) and isinstance(one.value, str)]
        found.update(dict.fromkeys(one for one in texts if 12 < len(one) < 20_000))
    return [one for one in found if examine(one).action == "none"]


class Text(NamedTuple):
    hand: str
    kind: str
    text: str
    """As it stands there."""
    places: list[int]


def read_kinds() -> list[Text]:
    """The texts of other hands, with what they are; and some of our phrasings, which are nobody's."""
    found = []
    for drawn in draw_all(draws=DRAWS_AROUND):
        places = sorted(judge.list_phrases(map_to_latin(fold_disguises(drawn.text))))
        found.append(Text("", "explicit" if drawn.kind[0] == "+" else "harmless", drawn.text, places))
    for one in map(json.loads, HANDS.read_text(encoding="utf-8").splitlines()):
        places = sorted(judge.list_phrases(map_to_latin(fold_disguises(one["text"]))))
        found.append(Text(one["hand"], one["kind"], one["text"], places))
    return found


def list_windows(homes: Path) -> list[list[int]]:
    """The phrases of some stretches of each section of the homes that are learned from."""
    chance = random.Random(1)
    found = []
    with homes.open(encoding="utf-8") as stored:
        for one in map(json.loads, stored):
            if is_learned(one["home"]):
                text = map_to_latin(fold_disguises(one["text"][:12_000]))
                windows = [*judge.list_windows(judge.list_units(text))]
                chance.shuffle(windows)
                found += [sorted(judge.list_phrases(text[start:end])) for start, end in windows[:A_SECTION]]
    return found


def fit_around(hands: Sequence[Text], homes: Sequence[list[int]], former: bytes = b"") -> bytes:
    """What a phrase weighs: of a text as many parts as it has known phrases, the rare ones more. Of a `former` file its
    weights are where it begins, and each step away from them costs: what they learned of homes long gone stays."""
    from scipy.sparse import csr_matrix, vstack

    def make_rows(texts: Sequence[list[int]]) -> Any:
        ends = np.cumsum([0, *map(len, texts)])
        places = np.concatenate([np.array(row, np.int32) for row in texts])
        return csr_matrix((np.ones(len(places), np.float32), places, ends), shape=(len(texts), 1 << judge.AROUND_BITS))

    rows = make_rows([one.places for one in hands])
    often = np.asarray(rows.sum(0)).ravel()
    before, bias = unpack_around(former) if former else (np.zeros(1 << judge.AROUND_BITS), 0.0)
    known = (often >= LEAST_TEXTS) | ~np.isnan(before)
    before = np.nan_to_num(before)
    rarity = np.where(known, np.log((1 + len(hands)) / (1 + often)) + 1, 0).astype(np.float32)
    rows = vstack([rows, make_rows(homes)]).tocsr() if homes else rows
    shares = 1 / np.sqrt(rows.dot(known.astype(np.float32)) + judge.FEW)
    rows = rows.multiply(shares[:, None]).tocsr()
    offset = rows.dot(before) + bias
    rows = rows.multiply(rarity / USUAL).tocsr()
    rows.eliminate_zeros()
    labels = np.array([int(one.kind != "harmless") for one in hands] + [0] * len(homes))
    own = np.array([1.0 if one.hand else 1 / DRAWS_AROUND for one in hands] + [1.0] * len(homes))
    steps, more = minimize_loss(rows, labels, own, offset, C_ON if former else C_AROUND)
    weights = before + steps * rarity / USUAL
    scale = float(np.abs(weights).max()) / 127
    packed = np.where(known, np.clip(np.rint(weights / scale), -127, 127) + 128, 0).astype(np.uint8)
    head = b"".join(round(one * 1e6).to_bytes(4, "little", signed=True) for one in (scale, bias + more))
    return zlib.compress(head + packed.tobytes(), 9)


def unpack_around(data: bytes) -> tuple[Any, float]:
    """Weights and bias of a file that `fit_around` made; no number: the phrase is not known."""
    raw = zlib.decompress(data)
    scale, bias = (int.from_bytes(raw[at : at + 4], "little", signed=True) / 1_000_000 for at in (0, 4))
    steps = np.frombuffer(raw[8:], np.uint8).astype(np.float64)
    return np.where(steps == 0, np.nan, (steps - 128) * scale), bias


def minimize_loss(rows: Any, labels: Any, own: Any, offset: Any, c: float) -> tuple[Any, float]:
    """A logistic regression over what is added to `offset`, and the sum that stands before it."""
    from scipy.optimize import minimize
    from scipy.special import expit

    sign = 2.0 * labels - 1

    def measure(given: Any) -> tuple[float, Any]:
        margins = sign * (rows.dot(given[:-1]) + given[-1] + offset)
        pull = -own * sign * expit(-margins) * c
        slope = np.append(rows.T.dot(pull), pull.sum()) + given
        return float((own * np.logaddexp(0, -margins)).sum() * c + given.dot(given) / 2), slope

    found = minimize(measure, np.zeros(rows.shape[1] + 1), jac=True, method="L-BFGS-B", options={"maxiter": 300}).x
    return found[:-1], float(found[-1])


def check_around(hands: Sequence[Text], homes: Sequence[list[int]]) -> None:
    """How many texts of each hand are called orders by weights that know nothing of that hand."""
    names = sorted({one.hand for one in hands} - {""})
    for at in range(FOLDS):
        out = names[at::FOLDS]
        with tempfile.NamedTemporaryFile() as stored:
            stored.write(fit_around([one for one in hands if one.hand not in out], homes))
            stored.flush()
            judge.AROUND = Path(stored.name)
            judge._load_around.cache_clear()
            for hand in out:
                counts: dict[str, list[bool]] = {}
                for one in hands:
                    if one.hand == hand:
                        counts.setdefault(one.kind, []).append(examine(one.text).action == "quarantine")
                print(hand, *(f"{kind} {sum(seen)}/{len(seen)}" for kind, seen in sorted(counts.items())), flush=True)


def is_learned(home: str) -> bool:
    """Whether the sections of a home are learned from, or measured on."""
    return zlib.crc32(home.encode()) % 2 == 0


def main() -> None:
    asked = argparse.ArgumentParser()
    asked.add_argument("--homes", type=Path)
    asked.add_argument("--most", type=int, default=24_000)
    asked.add_argument("--out", type=Path, default=judge.FILE)
    asked.add_argument("--former", type=Path)
    asked.add_argument("--without", default="")
    asked.add_argument("--orders", type=float, default=90.0)
    asked.add_argument("--ours", type=float, default=150.0)
    asked.add_argument("--theirs", type=float, default=5.0)
    asked.add_argument("--least", type=int, default=LEAST)
    asked.add_argument("--c", type=float, default=C)
    asked.add_argument("--around", action="store_true", help="what stands around a sentence: makes around.bin")
    asked.add_argument("--check", action="store_true", help="with --around: measures on hands that are left out")
    given = asked.parse_args()
    if given.around:
        hands, homes = read_kinds(), list_windows(given.homes) if given.homes else []
        if given.check:
            check_around(hands, homes)
        else:
            judge.AROUND.write_bytes(fit_around(hands, homes))
            print(judge.AROUND, judge.AROUND.stat().st_size, file=sys.stderr)
        return
    words = read_groups()
    former = unpack(given.former.read_bytes(), words) if given.former else None
    judge.FILE = given.out
    given.out.write_bytes(pack(words, np.zeros(1 << judge.BITS), 0.0))
    drawn = [one for one in [*draw_all(), *read_hands()] if one.kind != "+ " + given.without]
    sections: list[str] = []
    if given.homes:
        with given.homes.open(encoding="utf-8") as stored:
            for line in stored:
                one = json.loads(line)
                if is_learned(one["home"]):
                    sections.append(one["text"])
        random.Random(3).shuffle(sections)
    theirs = [
        row
        for text in [*sections[: given.most], *3 * list_prose()]
        for one in list_pieces(text)
        if (row := sorted(judge.describe(one)))
    ]
    ours: list[tuple[int, list[int]]] = []
    labels: list[int] = []
    for one in drawn:
        order = one.kind.startswith("+")
        for piece in [map_to_latin(fold_disguises(one.text))[: judge.LONGEST]] if order else list_pieces(one.text):
            if row := sorted(judge.describe(piece)):
                ours.append((one.line, row))
                labels.append(int(order))
    general = find_general(ours, theirs, given.least)
    rows = [[place for place in row if place in general] for row in [row for _line, row in ours] + theirs]
    print(
        sum(labels),
        "orders,",
        len(labels) - sum(labels),
        "honest,",
        len(theirs),
        "of homes;",
        len(general),
        "features",
        file=sys.stderr,
    )
    drawings = Counter(one.line for one in drawn)
    drawings.update(line for (line, _row), label in zip(ours, labels, strict=True) if line >= HANDED and not label)
    weights = [
        ((HAND_ORDER if label else HAND_HONEST) if line >= HANDED else given.orders if label else given.ours)
        / drawings[line]
        * (TOLD if line < 0 else 1.0)
        for (line, _row), label in zip(ours, labels, strict=True)
    ] + [given.theirs] * len(theirs)
    labels += [0] * len(theirs)
    model = fit(rows, labels, weights, given.c)
    learned, bias = model.coef_[0], float(model.intercept_[0]) - LEAN
    if former is not None:
        learned, bias = (learned + former[0]) / 2, (bias + former[1]) / 2
    given.out.write_bytes(pack(words, learned, bias))
    print(given.out, given.out.stat().st_size, file=sys.stderr)


if __name__ == "__main__":
    main()
