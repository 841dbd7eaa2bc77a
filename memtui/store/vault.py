"""The vault: the homes opened together and their indexes, behind the one class that every front door uses.

`Vault.find`, `memories`, `get`, `refresh` and `subscribe` are the public Python API; the app and the commands
are built on the same methods. Any method may be called from any thread.
"""

from __future__ import annotations

import os
import threading
import time
from array import array
from collections import Counter
from contextlib import suppress
from operator import itemgetter
from pathlib import Path

from memtui.core.config import Config
from memtui.core.errors import MemtuiError, UsageError
from memtui.core.locale import _
from memtui.core.model import Filter, Home, HomeStatus, Layer, Level, Memory, Order, Status
from memtui.core.startup import TYPE_CHECKING, compile_pattern
from memtui.index.connections import HomesLook
from memtui.index.lease import Request
from memtui.layouts.discovery import detect_surroundings, discover_homes, find_mirrors, open_named_homes
from memtui.store.find import Finder, load_lookups
from memtui.store.home import OpenHome, Subscribers
from memtui.store.reading import Excerpt, MemoryRef, Refs
from memtui.store.writing import Writing

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

    from memtui.core.model import Hit, HomeProgress, Transcript
    from memtui.fs.places import Place
    from memtui.index.filters import Outline, Trace, Traces
    from memtui.layouts import Surroundings
    from memtui.search.candidate import Elsewhere
    from memtui.search.texts import SearchTarget
    from memtui.search.transcript_search import Conversations
    from memtui.search.vector_jobs import Filled
    from memtui.store.live import Live
    from memtui.store.lookup import Chain
    from memtui.vectors.e5 import Embedder

__all__ = ["Excerpt", "HomeStatus", "MemoryRef", "Vault"]


_ID = compile_pattern(r"[0-9a-f]{16}")

FEW = 48
"""Missing vectors that a search makes by itself."""

PATIENCE = 1.0
"""Seconds that it takes for them."""

AGAIN = 60.0
"""Seconds until a search tries again where it could not make them."""


class Vault(Finder, Writing):
    """The homes opened together. Use it as a context manager, or call `close`."""

    def __init__(self, homes: Sequence[Home], config: Config | None = None) -> None:
        super().__init__(homes, config)
        self._shelves = [OpenHome(home, self.config.index.place, self.config.vector) for home in homes]
        self._subscribers = Subscribers()
        self._lives: list[Live] = []
        self._left_out: frozenset[str] | None = None
        """Where what others share is open, too: the layouts and paths that nobody wants to see."""
        self._admitting = threading.Lock()
        self.beyond: Elsewhere | None = None
        """Who is asked for what others share and this machine does not copy."""
        self._look: tuple[list[OpenHome], HomesLook] = [], HomesLook([])

    @classmethod
    def open(
        cls,
        paths: Iterable[str | Path] | None = None,
        *,
        around: Surroundings | None = None,
        config: Config | None = None,
        watch: bool = False,
        wait: bool = True,
        progress: Callable[[Home, int, int], None] | None = None,
        shared: bool = False,
    ) -> Vault:
        """Open the homes at `paths`, or every home found for this directory and this user; `shared`: and what others
        share with this machine.

        `wait` brings the indexes up to date first (progress: home, files done, files in all); else, as for the app,
        they are opened as they stand. `watch` keeps them current in the background.
        Raises UsageError for a path where nothing is.
        """
        config = config or Config()
        if paths is None:
            known = [name for name in (config.project.key, *config.project.aliases) if name]
            around = (around or detect_surroundings())._replace(keys=tuple(known))
            homes = discover_homes(around, map(Path, config.homes.paths), config.homes.exclude, shared=shared)
        else:
            homes = open_named_homes(map(Path, paths), config.homes.exclude)
        vault = cls(homes, config)
        if shared and paths is None:
            vault._left_out = frozenset(config.homes.exclude)
        vault.current = watch or wait
        vault.settle()
        if watch:
            vault.watch()
        elif wait:
            vault.freshen(progress)
        return vault

    def close(self) -> None:
        """Stop watching and let go of the indexes. Twice is once."""
        with self._admitting:
            self._left_out = None
        for live in self._lives:
            live.stop()
        self._lives.clear()
        self._look[1].close()
        self.overtaken(ending=True)
        if self.beyond is not None:
            self.beyond.close()
        for shelf in self._shelves:
            shelf.close()

    # -- what is there ------------------------------------------------------------------------------------------

    @property
    def homes(self) -> tuple[Home, ...]:
        """The homes that are open, the current project's first."""
        return tuple(shelf.home for shelf in self._shelves)

    @property
    def follows_teams(self) -> bool:
        """Whether what others share with this machine is open, too, or would be."""
        return self._left_out is not None

    @property
    def own_homes(self) -> tuple[Home, ...]:
        """Those of the person: what others share is read, and nothing is learned, proposed or told from it."""
        return tuple(home for home in self.homes if home.origin is None)

    @property
    def generation(self) -> int:
        """Grows whenever any index changed; compare it to know whether what you hold is still current."""
        return sum(shelf.generation for shelf in self._shelves)

    def mark(self, home: Home) -> tuple[str, int] | None:
        """Names a home's index as it is now, for every process alike; None until it holds all of the home."""
        shelf = self._find_shelf(str(home.path))
        return None if shelf is None else shelf.mark()

    def place(self, home: Home) -> Place:
        """Where a home's index is, and what is derived from it. Raises UsageError for a home that is not open."""
        shelf = self._find_shelf(str(home.path))
        if shelf is None:
            raise UsageError(_("{path} is not open").format(path=home.path))
        return shelf.place

    @property
    def max_results(self) -> int:
        """How many hits to show where nobody says: what the one home's own config wants, else what ours does."""
        return self.config.search.max_results

    def status(self) -> list[HomeStatus]:
        """How each home stands: what is indexed, how fresh, by what it is watched, what could not be read."""
        # The app shows its first frame before it is asked what there is a model for.
        return [shelf.status(ask=self.current) for shelf in self._shelves]

    def progress(self) -> list[HomeProgress]:
        """How far each home's index has come: what of `status` costs least."""
        return [shelf.progress() for shelf in self._shelves]

    def counts(self, filter: Filter | None = None) -> Counter[tuple[str, Layer, str, Status]]:
        """How many memories, by (home, layer, kind, status); only homes, layers and kinds of a filter are heeded."""
        wanted = filter or Filter(statuses=frozenset())
        counter: Counter[tuple[str, Layer, str, Status]] = Counter()
        for _home, shelf in self._choose_shelves(wanted):
            for (layer, kind, status), number in shelf.counts().items():
                if (not wanted.layers or layer in wanted.layers) and (not wanted.kinds or kind in wanted.kinds):
                    counter[str(shelf.home.path), layer, kind, status] = number
        return counter

    def layer_marks(self, layers: Iterable[Layer]) -> tuple[object, ...]:
        """Equal as long as nothing of these layers changed in any home: what was made of them is still right."""
        return tuple(shelf.layer_marks(layers) for shelf in self._shelves)

    def known(self, name: str) -> list[str]:
        """The kinds ('kind', the commonest first), tags ('tag') or directories ('path') that there are."""
        if name == "kind":
            kinds: Counter[str] = Counter()
            for (_, _, kind, _), number in self.counts().items():
                kinds[kind] += number
            return [kind for kind, _ in kinds.most_common()]
        return sorted({one for shelf in self._shelves for one in shelf.known(name)})

    def ids(self, filter: Filter | None = None, order: Order = "recent", *, limit: int | None = None) -> Refs:
        """References to every memory that passes, in order, or to the first `limit`. Cheap: no text is read."""
        wanted = filter or Filter()
        chosen = list(self._choose_shelves(wanted))
        if len(chosen) == 1 or order == "path":
            parts = [Refs.of_home(number, shelf.ids(wanted, order, limit)) for number, shelf in chosen]
            return Refs.joined(parts)[:limit]
        merged = [
            (key, number, turn, row)
            for number, shelf in chosen
            for turn, (key, row) in enumerate(shelf.keyed(wanted, order, limit))
        ]
        merged.sort(key=itemgetter(0, 1, 2))
        del merged[limit if limit is not None else len(merged) :]
        return Refs(array("H", [item[1] for item in merged]), array("q", [item[3] for item in merged]))

    def timed(self, filter: Filter | None = None) -> Iterator[tuple[float, MemoryRef]]:
        """When each memory that passes was made or last changed, and its reference; each home's newest first. No text
        is read.
        """
        wanted = filter or Filter()
        for number, shelf in self._choose_shelves(wanted):
            for key, row in shelf.keyed(wanted, "time"):
                yield -float(key), MemoryRef(number, row)

    def outlines(self, filter: Filter | None = None) -> list[tuple[Home, Outline]]:
        """The files of the memories that pass, home by home: what each holds under which heading. No text is read."""
        wanted = filter or Filter()
        return [(shelf.home, found) for _, shelf in self._choose_shelves(wanted) for found in shelf.outlines(wanted)]

    def list_changed(self, filter: Filter, since: float, limit: int) -> list[tuple[str, str]]:
        """The homes and paths of the files with memories that pass which were written since a moment, the newest first.
        No text is read.
        """
        found = [
            (-moment, str(shelf.home.path), path)
            for _, shelf in self._choose_shelves(filter)
            for moment, path in shelf.list_changed(filter, since, limit)
        ]
        return [(home, path) for _moment, home, path in sorted(found)[:limit]]

    def load(self, refs: Iterable[MemoryRef]) -> list[Memory | None]:
        """The memories behind the references, text and all; None where the file has moved on since."""
        wanted = list(refs)
        found: dict[MemoryRef, Memory] = {}
        for number in {ref.home for ref in wanted}:
            rows = [ref.row for ref in wanted if ref.home == number]
            found.update((MemoryRef(number, row), memory) for row, memory in self._shelves[number].load(rows).items())
        return [found.get(ref) for ref in wanted]

    def places(self, refs: Iterable[MemoryRef]) -> list[tuple[str, str]]:
        """The homes and paths of the files that the references stand in, each once. No text is read."""
        wanted = list(refs)
        paths = {
            number: self._shelves[number].paths([ref.row for ref in wanted if ref.home == number])
            for number in {ref.home for ref in wanted}
        }
        found = ((str(self._shelves[home].home.path), paths[home][row]) for home, row in wanted if row in paths[home])
        return list(dict.fromkeys(found))

    def memories(self, filter: Filter | None = None, order: Order = "recent") -> Iterator[Memory]:
        """Every memory that passes the filter, newest first unless another order is asked for."""
        refs = self.ids(filter, order)
        for start in range(0, len(refs), 256):
            yield from (memory for memory in self.load(refs[start : start + 256]) if memory is not None)

    def at(self, home: str, path: str, line: int) -> Memory | None:
        """The memory that stands at this line of this file."""
        shelf = self._find_shelf(home)
        return None if shelf is None else shelf.at(path, line)

    def parts(self, memory: Memory) -> list[Memory]:
        """What stands within a memory, by line: a topic's items, what a label introduces."""
        shelf = self._find_shelf(memory.home)
        return [] if shelf is None or memory.last == memory.end else shelf.parts(memory)

    def owner(self, memory: Memory) -> Memory | None:
        """The memory that this one is a part of; itself where it is none."""
        shelf = self._find_shelf(memory.home)
        return memory if memory.level is Level.MEMORY or shelf is None else shelf.owner(memory)

    def of(self, hit: Hit) -> Memory | None:
        """The memory that a hit shows, also where several stand on its lines."""
        if hit.id:
            return self.memory(hit.id)
        shelf = self._find_shelf(hit.home)
        with suppress(MemtuiError):
            return None if shelf is None else shelf.on(hit.path, hit.start_line, hit.end_line, hit.turn)
        return None

    def identify(self, hits: list[Hit]) -> None:
        """Give the hits the ids of the memories that they show; of what has moved on since the id stays empty."""
        for number, hit in enumerate(hits):
            shelf = self._find_shelf(hit.home)
            name = hit.id or ("" if shelf is None else shelf.id_on(hit.path, hit.start_line, hit.end_line))
            memory = None if name else self.of(hit)
            hits[number] = hit._replace(id=memory.id if memory else name)

    def memory(self, id: str) -> Memory | None:
        """A memory by its id, by the key its home gave it (fact-001), or by `path:line`.

        An id from before memtui itself wrote its lines anew still leads to it.
        """
        found = next((found for shelf in self._shelves if (found := shelf.memory(id)) is not None), None)
        if found is not None or not _ID.fullmatch(id):
            return found
        for shelf in self._shelves:
            for path in shelf.list_named_files(id):
                line = load_lookups().find_rewritten_line(self, str(shelf.home.path), path, id)
                there = shelf.at(path, line) if line else None
                # Of several records on one line nobody can tell which it was.
                if there is not None and shelf.memory(f"{there.id[:16]}-1") is None:
                    return there
        return None

    def named(self, key: str) -> list[Memory]:
        """Every memory with this id of its home's own, which means something in its file only."""
        return [found for shelf in self._shelves for found in shelf.named(key)]

    def chain(self, memory: Memory) -> Chain:
        """What superseded what, both ways, whether or not a filter would show it."""
        return load_lookups().follow(memory, self._find_shelf(memory.home), self._shelves)

    def bring(self, home: str, path: str) -> bool:
        """Have a file here that only a team's server has so far; whether it came. Raises as `Elsewhere.bring` does."""
        full = os.path.join(home, *path.split("/"))
        if self.beyond is None or os.path.lexists(full) or not self.beyond.bring(home, path):
            return False
        self.admit_shared()
        self.refresh([full])
        return True

    # -- reading ------------------------------------------------------------------------------------

    def get(self, path: str, from_: int = 1, lines: int = 50, home: str | None = None) -> Excerpt:
        """Some lines of one file, its path relative to its home (spec 001 §5.2). A missing file gives empty text.

        Without `home`, the first home that has such a file. Raises OutsideError for a path that leaves it.
        """
        if from_ < 1 or lines < 0:
            raise UsageError(_("lines are counted from 1, and their number cannot be negative"))
        for shelf in self._shelves:
            if home is None or home == str(shelf.home.path):
                text = shelf.text(path)
                if text is not None:
                    return Excerpt.cut(path, text, from_, lines)
        return Excerpt(path, from_, 0, "", 0)

    def text(self, home: str, path: str) -> str:
        """A whole file as its lines are counted; databases as their text view. Empty when it is gone."""
        shelf = self._find_shelf(home)
        return "" if shelf is None else shelf.text(path) or ""

    def turns(self, memory: Memory) -> Transcript | None:
        """The turns of a session whose transcript memtui can read; None for any other memory."""
        shelf = self._find_shelf(memory.home)
        return None if shelf is None else shelf.turns(memory.path)

    # -- conversations ------------------------------------------------------------------------------------------

    @property
    def _conversations(self) -> Conversations:
        from memtui.search.transcript_search import Conversations

        return Conversations((shelf.home, shelf.place) for shelf in self._shelves)

    def traces(
        self,
        keyword: str,
        *,
        session: str = "",
        role: Collection[str] = (),
        days_back: float | None = 7,
        limit: int = 10,
        budget: float | None = 30.0,
        progress: Callable[[Home, int, int], None] | None = None,
        cancelled: Callable[[], bool] | None = None,
    ) -> Traces:
        """The steps of conversations that hold the words, best first: turns, tools' calls and results, secrets masked.

        Conversations of the last `days_back` days (None or 0: all) are taken into an index of their own first, those
        that are not in it yet, for `budget` seconds at most (None: as long as it takes); `progress` gets the home,
        bytes done and bytes in all. `session`: only sessions whose id begins so, else no more than three of one.
        `role`: user, assistant, thinking, tool_call, tool_result, summary, system.
        """
        return self._conversations.search(
            keyword, session=session, role=role, days_back=days_back, limit=limit, budget=budget,
            progress=progress, cancelled=cancelled,
        )  # fmt: skip

    def unfolded(self, path: str, line: int, limit: int = 10) -> list[Trace]:
        """A conversation's steps, whole, from a trace's place on; none where no home has such a transcript."""
        return self._conversations.unfold(path, line, limit)

    def untold(self) -> list[Home]:
        """Homes with conversations that were never taken in: the first question takes longer, and reads them."""
        return self._conversations.list_untold()

    # -- meaning ------------------------------------------------------------------------------------------------

    def catch_up(self, homes: frozenset[str], *, begin: bool) -> None:
        """Make the few vectors that were missed since the last time, so that what was just saved is found by meaning.

        `begin`: also in a home that has none at all, if it is small.
        """
        until = time.monotonic() + PATIENCE
        for shelf in self._shelves:
            meaning = shelf.meaning
            if (homes and str(shelf.home.path) not in homes) or meaning.making is not None:
                continue
            vectors = meaning.vectors()
            missing = sum(shelf.counts(parts=True).values()) - (vectors.count if vectors else 0)
            if not 0 < missing <= FEW or (vectors is None and not begin) or meaning.why:
                continue
            if time.monotonic() >= meaning.again:
                found = meaning.fill(cancelled=lambda: time.monotonic() > until, soon=True)
                meaning.again = time.monotonic() + AGAIN if found.why else 0.0

    def near(
        self, home: Home, rows: Sequence[int], groups: Sequence[int], least: float
    ) -> list[tuple[int, int, float]]:
        """Which of a home's memories, by the rows of their references, mean nearly the same: see `Vectors.near`."""
        shelf = self._find_shelf(str(home.path))
        return [] if shelf is None else shelf.meaning.near(rows, groups, least)

    def vectors_stamp(self, home: Home) -> object:
        """Is another whenever a home has other vectors; None: it has none."""
        shelf = self._find_shelf(str(home.path))
        vectors = None if shelf is None else shelf.meaning.vectors()
        return None if vectors is None else (vectors.generation, vectors.count)

    def embed(
        self,
        home: str | None = None,
        *,
        progress: Callable[[Home, int, int], None] | None = None,
        cancelled: Callable[[], bool] | None = None,
        embedder: Embedder | None = None,
    ) -> list[Filled]:
        """Make the vectors that are missing, here and now: of one home, or of all; what became of each.

        `progress` gets the home, memories done and in all. An `embedder` takes the place of the config's.
        """
        return [
            shelf.meaning.fill(progress, cancelled, embedder)
            for shelf in self._shelves
            if home is None or home == str(shelf.home.path)
        ]

    # -- keeping current ----------------------------------------------------------------------------------------

    def refresh(
        self, paths: Iterable[str] | None = None, *, progress: Callable[[Home, int, int], None] | None = None
    ) -> int:
        """Make the indexes right with the disk, now, and answer the generation. `paths` are absolute; None: all."""
        for shelf in self._shelves:
            inside = None if paths is None else shelf.inside(paths)
            if inside is None or inside:
                shelf.sync(inside, progress)
        self.announce()
        return self.generation

    def freshen(self, progress: Callable[[Home, int, int], None] | None = None, *, briefly: bool = False) -> int:
        """As `refresh`; of a home that another process keeps current only what that one names is looked at.

        `briefly`: a home with thousands of files to be read is left as it stands, its files are counted.
        """
        for shelf in self._shelves:
            shelf.freshen(progress, briefly=briefly)
        self.announce()
        return self.generation

    def begin_look(self, progress: Callable[[Home, int, int], None] | None = None) -> None:
        """Find out whether the indexes are right with the disk, as far as that can be done beside what follows.

        What is asked until `confirm` is asked of the indexes as they stand: ask it again where `confirm` says so.
        """
        self.current = True
        requests = [Request(shelf.place) for shelf in self._shelves]
        left = [
            shelf for shelf, request in zip(self._shelves, requests, strict=True) if not shelf.leased(request, progress)
        ]
        self._look = left, HomesLook([shelf.looked_at for shelf in left])
        if not all(shelf.whole for shelf in left):
            # To search the files themselves, and then the index, would be to wait twice.
            self._look[1].close()
            self._look = [], HomesLook([])
            for shelf in left:
                shelf.sync(None, progress)

    def confirm(self, progress: Callable[[Home, int, int], None] | None = None) -> bool:
        """Whether the indexes were right since `begin_look`; where they were not, they are now."""
        left, look = self._look
        self._look = [], HomesLook([])
        if look.same():
            return True
        for shelf in left:
            shelf.sync(None, progress)
        self.announce()
        return False

    def rebuild(self, home: str | None = None, *, progress: Callable[[Home, int, int], None] | None = None) -> None:
        """Throw the derived index away and build it anew, beside the old one until it is whole."""
        for shelf in self._shelves:
            if home is None or home == str(shelf.home.path):
                shelf.rebuild(progress)
        self.announce()

    def _refresh_known(self, paths: Sequence[str]) -> None:
        """Have the indexes look at these absolute paths."""
        if self.current:
            with suppress(MemtuiError):
                self.refresh(paths)

    def watch(self) -> None:
        """Keep the indexes current in the background from now on."""
        from memtui.store.live import Live

        if not self._lives:
            self._lives.append(Live(self._shelves, self.announce, self.config))
            self._lives[0].start()

    def poke(self) -> None:
        """Look at the disk soon, without waiting for it: after a focus change, an editor, a long sleep."""
        for live in self._lives:
            live.poke()

    def admit_shared(self) -> list[Home]:
        """Open what others began to share since, where that is open, too; the homes that are new.

        Asked now and then by what runs long. They come last, so that every reference stays what it is.
        """
        with self._admitting:
            if self._left_out is None:
                return []
            held = {home.path for home in self.homes}
            new = [
                home
                for home in find_mirrors()
                if home.path not in held and self._left_out.isdisjoint((home.layout, str(home.path)))
            ]
            if new:
                shelves = [OpenHome(home, self.config.index.place, self.config.vector) for home in new]
                self._shelves = [*self._shelves, *shelves]
                if self._lives:
                    self._lives.append(type(self._lives[0])(shelves, self.announce, self.config))
                    self._lives[-1].start()
        return new

    def subscribe(self, callback: Callable[[int], None]) -> Callable[[], None]:
        """Have `callback(generation)` called from a worker thread after every change; call the answer to stop."""
        return self._subscribers.add(callback)

    def announce(self) -> None:
        """Tell the subscribers, if anything changed since they were last told."""
        self._subscribers.tell(self.generation)

    def targets(self, wanted: Filter) -> list[SearchTarget]:
        """The homes that a filter lets through, as a search needs them, for the calling thread."""
        return [shelf.target() for _, shelf in self._choose_shelves(wanted)]

    def _choose_shelves(self, filter: Filter) -> Iterator[tuple[int, OpenHome]]:
        for number, shelf in enumerate(self._shelves):
            if not filter.homes or str(shelf.home.path) in filter.homes:
                yield number, shelf

    def _find_shelf(self, home: str) -> OpenHome | None:
        return next((shelf for shelf in self._shelves if str(shelf.home.path) == home), None)
