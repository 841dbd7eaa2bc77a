"""Sessions that are kept twice, as a summary and as a transcript: whoever lists sessions shows each of them once."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from memtui.errors import StaleIndexError
from memtui.layouts import layout
from memtui.refs import Ref
from memtui.sessions import ids

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from memtui.model import Filter, Home, Memory
    from memtui.vault import Vault


def recorded(home: Home, path: str) -> bool:
    """Whether a file of this home is a transcript that can be read turn by turn."""
    role = layout(home.layout).role(home.path, path)
    return role is not None and role.parser.endswith("-transcript")


def names(session: str) -> tuple[str, ...]:
    """What a session is called: its id and, inside Codex's name of a rollout, the one that its transcript bears."""
    return tuple(name for name in dict.fromkeys((session, ids.inner(session))) if name)


def told_twice(vault: Vault, wanted: Filter) -> dict[Ref, Ref]:
    """Transcripts that pass the filter -> the summary of the same session that passes, too. No text is read."""
    from memtui.index.lists import born

    numbers = {str(home.path): number for number, home in enumerate(vault.homes)}

    def sessions(*, transcribed: bool) -> Iterator[tuple[str, Ref]]:
        for target in vault.targets(wanted):
            if target.index is not None:
                number = numbers[str(target.home.path)]
                with suppress(StaleIndexError):
                    for row, session, path in born(target.index, wanted):
                        if recorded(target.home, path) == transcribed:
                            yield session, Ref(number, row)

    # Of tens of thousands of summaries only those are held that a transcript asks for.
    transcripts = list(sessions(transcribed=True))
    asked = {name for session, _ref in transcripts for name in names(session)}
    told: dict[str, Ref] = {}
    for session, ref in sessions(transcribed=False) if asked else ():
        told.update((name, ref) for name in names(session) if name in asked and name not in told)
    return {ref: told[name] for session, ref in transcripts for name in names(session)[::-1] if name in told}


def once(memories: Iterable[Memory], home: Callable[[str], Home | None]) -> list[Memory]:
    """The memories without the transcripts whose summary is among them. `home` knows a home by its path."""
    found = list(memories)
    transcripts, told = set[int](), set[str]()
    for number, one in enumerate(found):
        where = home(one.home) if one.kind == "session" else None
        if where is not None and recorded(where, one.path):
            transcripts.add(number)
        elif where is not None:
            told.update(names(one.session))
    return [
        one
        for number, one in enumerate(found)
        if number not in transcripts or told.isdisjoint(names(one.session))
    ]
