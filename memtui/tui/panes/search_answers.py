"""What Search answers, what stands beside it, and how the question is put: by words, meaning or both.

- `SearchMode`: how this session asks, and how the title says what answered.
- `Offer`: filters completed while they are typed, taken with the right arrow.
- Why a hit is there: what matched and what its strength is made of. Strength is a bar: a figure would be
  compared with figures of other queries, which mean something else.
- `HitGroups`: the hits of one document, folded into its best.
- `Answers`: hits for words, a list for filters alone.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from rich.cells import cell_len
from textual.suggester import Suggester

from memtui.core.locale import _, _n, format_share
from memtui.core.model import Filter, Hit, Layer
from memtui.search import group_hits
from memtui.search.inline import complete_query
from memtui.store.lookup import list_newest
from memtui.tui import draw
from memtui.tui.paint import STRENGTH
from memtui.tui.prose import draw_field_table, draw_rule, wrap_pieces

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence

    from memtui.core.config import SearchConfig
    from memtui.core.model import HomeStatus, Results
    from memtui.search.inline import TypedQuery
    from memtui.tui.context import PaneContext
    from memtui.tui.draw import Piece

FUSIONS = ("zscore", "rrf", "weighted")

_TOLD = {
    "fts": "asked by words only",
    "scan": "asked by words only, of the files themselves",
    "vector": "asked by meaning only",
    "zscore": "words and meaning, each as far as it stands out (zscore)",
    "rrf": "words and meaning by their places in both lists (rrf)",
    "weighted": "words and meaning by fixed weights (weighted)",
}
"""What is said when it is chosen (source strings)."""

_SHORT = {"fts": "words", "scan": "words without index", "vector": "the meaning", "hybrid": "words and meaning"}
"""What answered, as the title of the list says it."""


class SearchMode:
    """How the question is put. The config says how a session begins; what is chosen here ends with it."""

    def __init__(self, config: SearchConfig) -> None:
        self._usual = config
        self.mode = config.mode
        self.fusion = config.fusion
        self._full: Results | None = None
        """The last answer that was not the first half of one."""

    @property
    def put(self) -> tuple[str, str]:
        """Mode and fusion: the same question put otherwise is another."""
        return self.mode, self.fusion

    @property
    def at_once(self) -> bool:
        """Whether words may answer first: who asks for meaning only has no use for them."""
        return self.mode != "vector"

    def turn(self) -> str:
        """Take the next mode, and say it: both, words only, meaning only."""
        both = self._usual.mode if self._usual.mode not in {"fts", "vector"} else "auto"
        self.mode = _choose_next((both, "fts", "vector"), self.mode)
        self._full = None
        return _(_TOLD.get(self.mode, "asked by words and meaning"))

    def turn_fusion(self) -> str:
        """Take the next way of putting words and meaning together, and say it."""
        self.fusion = _choose_next(FUSIONS, self.fusion)
        if not self.fused:
            self.mode, self._full = "auto", None
        return _(_TOLD[self.fusion])

    @property
    def fused(self) -> bool:
        """Whether words and meaning are both asked, as far as there are vectors."""
        return self.mode in {"auto", "hybrid"}

    def heed(self, found: Results) -> None:
        """What answers in full: until the next one does, nothing else is said of it."""
        if not self.pending(found):
            self._full = found

    def pending(self, found: Results) -> bool:
        """Whether these are the words' answer, and the one with the meaning is still to come."""
        return found.bounded and self.fused

    def answered(self, found: Results) -> str:
        """words and meaning · the meaning only · words · meaning 812 of 3,204. What is on its way ends in dots."""
        if not self.pending(found):
            return self._name(found)
        if self._full is None:
            return _("words") + " …"
        return f"{self._name(self._full)} …" if self._full.model else _name_backend(found)

    @staticmethod
    def name_both() -> str:
        """How an answer by words and by meaning is called where there is nothing more to say of it."""
        return _(_SHORT["hybrid"])

    def warning(self, found: Results) -> str:
        """Why it may be incomplete; it does not come and go with every letter."""
        full = self._full if self.pending(found) else None
        return found.warning or (full.warning if full is not None else "")

    def _name(self, found: Results) -> str:
        name = _name_backend(found)
        if found.backend == self.mode and self.mode in {"fts", "vector"}:
            name = _("{name} only").format(name=name)
        if found.fusion and found.fusion != self._usual.fusion:
            name += f" ({found.fusion})"
        done, total = found.covered
        if done >= total:
            return name
        # What follows says how far the meaning has come.
        name = name.replace(_(_SHORT["hybrid"]), _(_SHORT["fts"]))
        share = format_share(done, total)
        told = _("{share} so far") if found.backend == "vector" else _("meaning {share}")
        return f"{name} · {told.format(share=share)}"


def _name_backend(found: Results) -> str:
    """What answered, in a stranger's words; of several homes perhaps in several ways."""
    return " + ".join(_(_SHORT.get(part, part)) for part in found.backend.split("+"))


def explain_missing_vectors(found: list[HomeStatus]) -> str:
    """Why nothing can be asked by meaning, and what to do; empty: it can."""
    if any(status.vectors for status in found):
        return ""
    if any(status.embedding for status in found):
        return _("no vectors yet: they are being made")
    why = next((status.vectors_why for status in found if status.vectors_why), "")
    return why or _("no vectors yet: `memtui index` makes them")


def _choose_next(names: tuple[str, ...], name: str) -> str:
    return names[(names.index(name) + 1) % len(names)] if name in names else names[0]


class Offer(Suggester):
    """What is there to be offered is asked for once, on a reader's thread, until the vault changes."""

    def __init__(self, context: PaneContext) -> None:
        super().__init__(use_cache=False, case_sensitive=True)
        self._context = context
        self._known: dict[str, Sequence[str]] = {}
        self._known_at = -1
        self._asked: asyncio.Future[Sequence[str] | None] | None = None

    async def get_suggestion(self, value: str) -> str | None:
        """The text with its last word completed."""
        if self._known_at != self._context.generation:
            self._known_at, self._known = self._context.generation, {}
        missing: list[str] = []

        def known(name: str) -> Sequence[str]:
            if name not in self._known:
                missing.append(name)
            return self._known.get(name, ())

        homes = self._context.vault.homes
        offered = complete_query(value, len(value), homes, known)
        if missing and (found := await self._ask(missing[0])) is not None:
            self._known[missing[0]] = found
            offered = complete_query(value, len(value), homes, known)
        return offered[0] if offered else None

    async def _ask(self, name: str) -> Sequence[str] | None:
        """What there is of that name; None where something else was asked for meanwhile."""
        if self._asked is not None and not self._asked.done():
            self._asked.set_result(None)
        answer: asyncio.Future[Sequence[str] | None] = asyncio.get_running_loop().create_future()
        self._asked = answer

        def show(found: Sequence[str]) -> None:
            if not answer.done():
                answer.set_result(found)

        self._context.reader.ask("offer", lambda _cancelled: self._context.vault.known(name), show)
        return await answer


FEW = 3
"""Documents whose lines are all shown at once: what would be a row or two is worth more unfolded."""


class HitGroups:
    """The hits as they are listed: the best of each document, and below it the others where it is unfolded."""

    def __init__(self) -> None:
        self.every: list[list[Hit]] = []
        self.documents: dict[Hashable, list[Hit]] = {}
        """Those of more than one hit."""
        self.unfolded: set[Hashable] = set()
        self.ranks: dict[Hashable, int] = {}
        self._turned: set[Hashable] = set()
        """What a person folded or unfolded, as long as the question is the same."""

    def take(self, found: Results, *, another: bool, listed: bool) -> bool:
        """Group an answer, `another` question's or a better one to the same; whether other rows come of it.

        `listed`: by time, as filters alone find them, where lines stay where they are.
        """
        before = self.every
        self.every = [[hit] for hit in found] if listed else group_hits(found)
        self.documents = {group[0].document: group for group in self.every if len(group) > 1}
        self.ranks = {hit.key: number for number, hit in enumerate(found, 1)}
        self._turned = set() if another else self._turned & self.documents.keys()
        few = self.documents if len(self.every) <= FEW else ()
        self.unfolded = set(few) ^ self._turned
        return before != self.every

    def list_rows(self) -> list[Hit]:
        """What stands in the list now."""
        rows: list[Hit] = []
        for group in self.every:
            rows += group if group[0].document in self.unfolded else group[:1]
        return rows

    def turn(self, hit: Hit, open: bool) -> Hit | None:
        """Fold or unfold the document of a hit, and name its best; None: there is nothing to fold."""
        group = self.documents.get(hit.document)
        if group is None or open == (hit.document in self.unfolded):
            return None
        self._turned ^= {hit.document}
        self.unfolded ^= {hit.document}
        return group[0]


class Facet(NamedTuple):
    """Something that some of the hits have in common, and the chip that narrows the search to them."""

    chip: str
    label: str
    number: int
    style: str = ""


def count_facets(found: Results, context: PaneContext) -> dict[str, list[Facet]]:
    """The sources, kinds and layers of the hits, the most frequent first; of each only where there are several."""
    homes = Counter(hit.home for hit in found)
    kinds, layers = Counter(hit.kind for hit in found), Counter(hit.layer.value for hit in found)
    labels = Counter(home.label for home in context.labels.values())
    sources = [
        Facet(_quote_chip("home", home.label if labels[home.label] == 1 else path), context.name(home), number)
        for path, number in homes.most_common()
        if (home := context.labels.get(path)) is not None
    ]
    groups = {
        _("source"): sources,
        _("kind"): [
            Facet(_quote_chip("kind", kind), draw.name_kind(kind), number, f"kind.{kind}")
            for kind, number in kinds.most_common()
        ],
        _("layer"): [Facet(f"layer:{layer}", _(layer), number) for layer, number in layers.most_common()],
    }
    return {name: facets for name, facets in groups.items() if len(facets) > 1}


def _quote_chip(name: str, value: str) -> str:
    return f'{name}:"{value}"' if any(char.isspace() for char in value) else f"{name}:{value}"


BAR = 10
"""Cells for what a strength is made of."""

_BACKENDS = {
    "fts": "the words, by the index (fts)",
    "scan": "the words, in the files themselves (scan)",
    "vector": "the meaning alone (vector)",
    "hybrid": "words and meaning (hybrid)",
    "server": "the team's server, by words",
}
_FUSIONS = {
    "zscore": "zscore: how much nearer it is than any memory, and how much of the question its words answer",
    "rrf": "rrf: its places in both lists, and nothing else",
    "weighted": "weighted: .3 of the score by words, .7 of that by meaning",
}


def draw_hit_reasons(hit: Hit) -> str:
    """██▊ · pytest, 偏好 · heading 偏好 · meaning no. 2: a line under the memory."""
    told = [draw.draw_bar(hit.score, STRENGTH).rstrip(), hit.why]
    if hit.parts.meaning_rank is not None:
        told.append(_("meaning no. {rank:,}").format(rank=hit.parts.meaning_rank))
    return " · ".join(filter(None, [*told, hit.parts.recalled]))


def draw_hit_explanation(hit: Hit, found: Results, typed: TypedQuery, place: str, cells: int) -> list[list[Piece]]:
    """Everything, at this width; `place` says which hit of how many it is."""
    rows = [
        *_draw_table(_list_reasons(hit, place), cells),
        [],
        *wrap_pieces(draw.mark_places(hit.snippet, hit.marks), cells),
        [],
        draw_rule(_("what answered"), cells),
        *_draw_table(_list_answered(found, typed), cells),
    ]
    if found.warning:
        rows += [[], *wrap_pieces([("⚠ ", "warn"), (draw.clip_to_line(found.warning), "warn")], cells, hang=2)]
    return rows


def _list_reasons(hit: Hit, place: str) -> list[tuple[str, str, str]]:
    parts = hit.parts
    rows = [
        (_("strength"), f"{_draw_share(hit.score)}  ({place})" if hit.score else "", "bold"),
        (_("matched"), hit.why, ""),
    ]
    if parts.words or parts.word_rank is not None:
        rows.append((_("by words"), _format_ranked(_draw_share(parts.words), parts.word_rank), ""))
    elif hit.score:
        rows.append((_("by words"), _("no word of it matches"), "dim"))
    if parts.neighbours:
        told = _("{bar}  the lines before and after").format(bar=_draw_share(parts.neighbours))
        rows.append((_("around it"), told, ""))
    if parts.meaning is not None:
        rows.append((_("by meaning"), _format_ranked(_draw_share(parts.meaning), parts.meaning_rank), ""))
    if parts.recency:
        rows.append((_("new"), _draw_share(parts.recency), ""))
    rows.append((_("recalled"), parts.recalled, ""))
    if not hit.score:
        rows.append((_("listed"), _("it passes the filters; newest first"), ""))
    return rows


def _draw_table(rows: list[tuple[str, str, str]], cells: int) -> list[list[Piece]]:
    told = [row for row in rows if row[1]]
    return draw_field_table(told, max(cell_len(label) for label, _text, _style in told), cells)


def _draw_share(share: float) -> str:
    return draw.draw_bar(share, BAR)


def _format_ranked(share: str, rank: int | None) -> str:
    return share if rank is None else f"{share}  " + _("no. {rank:,}").format(rank=rank)


def _list_answered(found: Results, typed: TypedQuery) -> list[tuple[str, str, str]]:
    done, total = found.covered
    return [
        (_("asked"), found.typed or typed.words, ""),
        (_("filters"), " ".join(typed.chips), "accent"),
        (_("searched"), " + ".join(_(_BACKENDS.get(name, name)) for name in found.backend.split("+"))
         if typed.words else "", ""),
        (_("fused"), _(_FUSIONS.get(found.fusion, found.fusion)) if found.fusion else "", ""),
        (_("model"), found.model, ""),
        (_("by meaning"), format_share(done, total) if total else "", ""),
        (_("found"), f"{found.total:,}" + ("+" if found.more else ""), ""),
        (_("left out"), describe_hidden(found), "warn"),
        *((_("rules") if not at else "", f"→ {route.command or route.path} · '{route.trigger}' ({route.source})", "")
          for at, route in enumerate(found.routes)),
    ]  # fmt: skip


def describe_hidden(found: Results) -> str:
    """12 more superseded, 3 expired."""
    told = [f"{count:,} {_(status.value)}" for status, count in found.hidden.items() if count]
    return _(", ").join(told)


MOST = 200
"""Hits that are shown."""
WIDE = 2000
"""Hits among which those are that Home counted."""

LITTLE = 3
"""Where no more than these are found, it is said what was not looked at."""


class SearchAnswer(NamedTuple):
    """What was found, and a sentence about it, or nothing."""

    found: Results
    remark: str = ""


class Answers:
    """Puts what is typed to the vault, on readers' threads."""

    def __init__(self, context: PaneContext) -> None:
        self._context = context
        self._conversations: tuple[object, bool] = (None, False)

    def __call__(
        self,
        typed: TypedQuery,
        put: tuple[str, str],
        cancelled: Callable[[], bool],
        refined: Callable[[Results], None] | None,
    ) -> SearchAnswer:
        """The best hits, or without words the newest memories that the filters let through. `put`: mode, fusion."""
        if not typed.words:
            return SearchAnswer(self._list_newest(typed))
        found = self._context.vault.find(
            typed.words,
            MOST,
            filter=typed.filter,
            mode=put[0],
            fusion=put[1],
            typing=True,
            cancelled=cancelled,
            refine=refined,
        )
        return SearchAnswer(found, self._explain_answer(typed, len(found)))

    def _list_newest(self, typed: TypedQuery) -> Results:
        asked, only = self._context.counted
        if not only or " ".join(typed.chips) != asked:
            return list_newest(self._context.vault, typed.filter, MOST)
        found = list_newest(self._context.vault, typed.filter, WIDE)
        found[:] = [hit for hit in found if hit.id in only]
        found.total = len(found)
        return found

    def nothing(self, typed: TypedQuery, answer: SearchAnswer) -> str:
        """Why there is no hit, and what would give some."""
        found = answer.found
        if not typed.words and not typed.chips:
            return _("Type to search every home. Chinese works down to one character.")
        if found.warning:
            return _("Nothing yet: {why}").format(why=found.warning)
        if found.suggestion:
            why = _("Nothing matches. Did you mean {query}? enter searches for it.").format(query=found.suggestion)
        elif found.hidden:
            if is_status_named(typed):
                why = _("Nothing with that status. Others match: {hidden} (status:all shows them).")
            else:
                why = _("Nothing that still holds. Hidden: {hidden} (. or status:all shows them).")
            why = why.format(hidden=describe_hidden(found))
        elif found.blocked:
            why = _("Nothing matches: {why}.").format(why=found.blocked)
        elif not typed.words:
            why = _("No memory passes these filters.")
        else:
            count = len(typed.filter.homes) or len(self._context.vault.homes)
            why = _n("Nothing matches, in {count} home.", "Nothing matches, in {count} homes.", count)
        return f"{why} {answer.remark}".rstrip()

    def _explain_answer(self, typed: TypedQuery, count: int) -> str:
        parts: list[str] = []
        if all(word.startswith("-") for word in typed.words.split()):
            parts.append(_("-word leaves out of what other words find; by itself it is looked for."))
        elif count <= LITTLE and self._has_conversations(typed.filter):
            parts.append(_("Of conversations, only titles and first prompts are searched; `memtui traces` finds more."))
        return " ".join(filter(None, parts))

    def _has_conversations(self, wanted: Filter) -> bool:
        """Whether there are conversations among what is searched."""
        if (wanted.layers and Layer.SESSION not in wanted.layers) or (wanted.kinds and "session" not in wanted.kinds):
            return False
        stamp = (self._context.stamp, wanted.homes)
        if self._conversations[0] != stamp:
            sessions = Filter(kinds=frozenset({"session"}), homes=wanted.homes, path="*.jsonl")
            self._conversations = stamp, bool(self._context.vault.ids(sessions, limit=1))
        return self._conversations[1]


def is_status_named(typed: TypedQuery) -> bool:
    """Whether the statuses are typed: then `.` changes nothing."""
    return any(chip.lower().startswith("status") for chip in typed.chips)
