"""Which cards a person is shown first of all that wait. Pure.

Secrets come before all else, no origin and no document fills the queue, and of what one passage repeats of another the
first card tells.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from memtui.core.locale import _
from memtui.store.candidates import Candidate, CandidateSource, Refused, rank_urgency

if TYPE_CHECKING:
    from collections.abc import Iterable

MOST = 20
"""Cards that one checkout has at a time: whoever sees hundreds decides none."""
A_PLACE = 3
"""Cards about the same files: what is wrong with one document is seen by the first few."""
_BESIDE = 8
"""Lines within which two files repeat or deny one another as one passage does: its first card tells of all."""
_PASSAGE = 200
"""The same where they repeat one another line by line."""
COMPARED = frozenset({"duplicate", "contradiction"})
"""Origins that hold two memories against each other: each has one card at a time."""
_LEAST = 5
_GIVEN = frozenset({"proposed", "quarantine", "capability", "distilled"})
"""Origins of what is never put off: somebody proposed it, or `distill.max_items_per_run` bounds it."""


def choose_foremost(waiting: Iterable[Candidate], most: int) -> tuple[list[Candidate], list[Refused]]:
    """What is to be decided first, as much of it as a person goes through; of the rest it is said that it waits.

    What somebody proposed is never put off, and secrets come next. No origin fills the queue while others wait, and
    no document does."""
    ranked = sorted(waiting, key=lambda one: (*rank_urgency(one), -one.score))
    given = [one for one in ranked if one.origin in _GIVEN]
    room = max(most - len(given), _LEAST)
    kept: list[Candidate] = []
    later: list[Candidate] = []
    rest = [one for one in ranked if one.origin not in _GIVEN]
    for candidate in sorted(rest, key=lambda one: one.origin != "secret"):
        if (
            sum(one.origin == candidate.origin for one in kept) > room // 3
            or _is_crowded(candidate, kept)
            or _is_told(candidate, kept, _BESIDE)
        ):
            later.append(candidate)
        elif len(kept) < room:
            kept.append(candidate)
    # Where there is room, what one document repeats of another does not have to wait for other documents.
    for roomy, beside in ((False, _BESIDE), (False, 0), (True, 0)):
        for candidate in later:
            if (
                len(kept) < room
                and not _is_crowded(candidate, kept, roomy=roomy)
                and not _is_told(candidate, kept, beside)
            ):
                kept.append(candidate)
        later = [one for one in later if one not in kept]
    kept += given
    shown = set(map(id, kept))
    reason = _("it waits until the first {count} are decided").format(count=len(kept))
    more = [leave_out(candidate, reason) for candidate in ranked if id(candidate) not in shown]
    return [one for one in ranked if id(one) in shown], more


def _is_crowded(candidate: Candidate, kept: Iterable[Candidate], *, roomy: bool = False) -> bool:
    """Whether enough is said of its files already; each secret has to go, wherever it stands."""
    files = _list_files(candidate)
    free = candidate.origin == "secret" or (roomy and candidate.origin == "duplicate")
    return bool(files) and not free and sum(_list_files(one) == files for one in kept) >= A_PLACE


def _is_told(candidate: Candidate, kept: Iterable[Candidate], beside: int = 0) -> bool:
    """Whether one of its memories is on a card already; or lines `beside` it of both of its files."""
    places = _list_places(candidate) if candidate.origin in COMPARED else []
    for one in kept if places else ():
        theirs = _list_places(one) if one.origin == candidate.origin else []
        shared = set(places) & set(theirs)
        # A passage of which other cards tell a line or two is decided as far as it still holds.
        little = candidate.members and not beside and 2 * len(shared) < len(set(places))
        if (shared and not little) or (beside and _is_one_passage(places, theirs)):
            return True
        if beside and all(
            any(path == other and abs(line - at) <= beside for other, at in theirs) for path, line in places
        ):
            return True
    return False


def _is_one_passage(places: list[tuple[str, int]], others: list[tuple[str, int]]) -> bool:
    """Whether two lines stand as far apart as two others not far from them do: a passage that was copied as a whole."""
    if [path for path, _line in places[:2]] != [path for path, _line in others[:2]] or len(places) < 2:
        return False
    (_one, line), (_two, again) = places[:2]
    (_one, known), (_two, known_again) = others[:2]
    return line - again == known - known_again and abs(line - known) <= _PASSAGE


def _list_places(candidate: Candidate) -> list[tuple[str, int]]:
    places = [(source.path, source.line) for source in candidate.sources]
    return [*places, *((near.path, near.line) for near in candidate.near[:1])]


def _list_files(candidate: Candidate) -> frozenset[str]:
    return frozenset(source.path for source in candidate.sources)


def leave_out(candidate: Candidate, reason: str) -> Refused:
    """A candidate as something that was not proposed, with the reason."""
    first = candidate.sources[0] if candidate.sources else CandidateSource(candidate.home, "", 0)
    return Refused(candidate.text, reason, first.home, first.path, first.line)
