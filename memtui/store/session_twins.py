"""Sessions that are kept twice, as a summary and as a transcript: whoever lists sessions shows each of them once."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from memtui.core.errors import StaleIndexError
from memtui.index.queries import list_session_entries
from memtui.layouts import load_layout
from memtui.store import session_ids
from memtui.store.reading import MemoryRef

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from memtui.core.model import Filter, Home, Memory
    from memtui.store.lookup import Listed


def is_readable_transcript(home: Home, path: str) -> bool:
    """Whether a file of this home is a transcript that can be read turn by turn."""
    role = load_layout(home.layout).role(home.path, path)
    return role is not None and role.parser.endswith("-transcript")


def list_session_names(session: str) -> tuple[str, ...]:
    """What a session is called: its id and, inside Codex's name of a rollout, the one that its transcript bears."""
    return tuple(name for name in dict.fromkeys((session, session_ids.extract_rollout_id(session))) if name)


def find_summarized_transcripts(vault: Listed, wanted: Filter) -> dict[MemoryRef, MemoryRef]:
    """Transcripts that pass the filter -> the summary of the same session that passes, too. No text is read."""
    numbers = {str(home.path): number for number, home in enumerate(vault.homes)}

    def sessions(*, transcribed: bool) -> Iterator[tuple[str, MemoryRef]]:
        for target in vault.targets(wanted):
            if target.index is not None:
                number = numbers[str(target.home.path)]
                with suppress(StaleIndexError):
                    for row, session, path in list_session_entries(target.index, wanted):
                        if is_readable_transcript(target.home, path) == transcribed:
                            yield session, MemoryRef(number, row)

    # Of tens of thousands of summaries only those are held that a transcript asks for.
    transcripts = list(sessions(transcribed=True))
    asked = {name for session, _ref in transcripts for name in list_session_names(session)}
    told: dict[str, MemoryRef] = {}
    for session, ref in sessions(transcribed=False) if asked else ():
        told.update((name, ref) for name in list_session_names(session) if name in asked and name not in told)
    return {
        ref: told[name]
        for session, ref in transcripts
        for name in list_session_names(session)[::-1]
        if name in told
    }


def drop_summarized_transcripts(
    memories: Iterable[Memory], home: Callable[[str], Home | None]
) -> list[Memory]:
    """The memories without the transcripts whose summary is among them. `home` knows a home by its path."""
    found = list(memories)
    transcripts, told = set[int](), set[str]()
    for number, one in enumerate(found):
        where = home(one.home) if one.kind == "session" else None
        if where is not None and is_readable_transcript(where, one.path):
            transcripts.add(number)
        elif where is not None:
            told.update(list_session_names(one.session))
    return [
        one
        for number, one in enumerate(found)
        if number not in transcripts or told.isdisjoint(list_session_names(one.session))
    ]
