"""What waits for a person's decision: the types, the proposals that are kept, and the decisions.

- `Candidate`, `Queue`, `Finding`: some candidates are worked out whenever somebody looks (distilled,
  contradiction, duplicate, secret), others are kept until decided (proposed, quarantine). None changes anything
  by being there.
- Kept candidates: one file each below the state directory, made once and never changed, on the write path like
  everything else.
- `Decision`: appended records, so that nothing rejected is proposed again. A candidate's id names its home,
  origin and normalized text; with another text it is another candidate. The last record of an id holds.
  Rejections are in the state directory; approvals in the home's own evolution/decisions.jsonl where the layout
  has one (memtui), else beside the rejections.
"""

from __future__ import annotations

import hashlib
import json
import os
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

from memtui import formats as sources
from memtui.core import clock
from memtui.core.edits import Append, Draft, Edit, Piece
from memtui.core.errors import MemtuiError
from memtui.core.locale import _, _n
from memtui.core.model import Layer
from memtui.core.startup import compile_pattern, sha256
from memtui.formats import parse
from memtui.fs.files import read, sign_file
from memtui.fs.locks import hold_lock, lock_for
from memtui.fs.places import make_private_directory, state
from memtui.language.similarity import normalize_text
from memtui.layouts import load_facts, load_layout

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from memtui.core.edits import Target
    from memtui.core.model import Home

Origin = Literal[
    "quarantine", "secret", "asked", "proposed", "capability", "contradiction", "stale", "weak", "distilled",
    "duplicate", "attachment", "order",
]  # fmt: skip

ORIGINS: tuple[Origin, ...] = get_args(Origin)
"""In the order in which they are worth a person's time. An order never waits in Review: Health lists it; that it
was dismissed is written down."""
ARCHIVING: frozenset[Origin] = frozenset({"weak", "stale"})
"""Approved, the memories that they name are archived."""
SETTLING: frozenset[Origin] = frozenset({"contradiction", "duplicate", "secret", "attachment", *ARCHIVING})
"""They decide about what stands there already: approving writes no new text."""
ADDING: frozenset[Origin] = frozenset({"distilled", "proposed"})
"""Approved, they add a memory and touch nothing that is there: what 'all that are safe' takes."""

DUPLICATE, BUDGET, ORDER, SECRET = "near-duplicate", "budget", "instruction", "secret"
LOCKED, UNDATED, EITHER, FINAL = "read-only", "undated", "either-or", "final"
"""What a warning begins with, before its colon and the sentence for a person."""


_NAMED = compile_pattern(r"(?m)^name: *(\S.*)$")


IMPORTER = "import"
"""Who proposes what came from another tool."""


class CandidateSource(NamedTuple):
    """Where a candidate comes from."""

    home: str
    path: str
    line: int
    session: str = ""
    time: float | None = None


class Near(NamedTuple):
    """Something that says much the same and is kept already."""

    path: str
    line: int
    text: str
    likeness: float
    """0 to 1."""
    id: str
    """The memory's."""


class Candidate(NamedTuple):
    """Something that a person may approve or reject."""

    id: str
    """Stable as long as home, origin and text stay."""
    origin: Origin
    home: str
    text: str
    kind: str
    layer: Layer
    target: Target | None
    """Where it would be written, section and all; None: nowhere (`warnings` says why), or no new text is written."""
    score: float
    parts: tuple[tuple[str, str], ...] = ()
    """Name and value of what the score is made of, and why it is here: ('confidence', '.95')."""
    sources: tuple[CandidateSource, ...] = ()
    """Newest first."""
    seen: int = 1
    """On how many days it was said."""
    near: tuple[Near, ...] = ()
    """Nearest first."""
    warnings: tuple[str, ...] = ()
    """For a person; `review.queue.approve_all` leaves out what has one."""
    time: float | None = None
    """When it was last said, or proposed."""
    memories: tuple[str, ...] = ()
    """Ids of the memories concerned; of a contradiction the newer first, of a duplicate the one to keep."""
    who: str = ""
    """Who proposed it; empty: memtui itself."""
    reason: str = ""
    """Why it is here, in a sentence for a person; of a rejected one, why it was rejected."""
    draft: Draft | None = None
    """What would be written, before its format gives it its shape."""
    stored: str = ""
    """The path of its file below the state directory, where it is kept; else empty."""
    members: tuple[Candidate, ...] = ()
    """What is decided with it at once, each a candidate of its own: the lines of a passage that stands there twice."""

    @property
    def said(self) -> str:
        """What a list shows of it: a skill's name, not the head of its file."""
        named = _NAMED.search(self.text) if self.origin == "capability" else None
        return named[1] if named else self.text


def describe_part(name: str, value: str) -> tuple[str, str]:
    """A part's name and value in words; `parts` itself has the specification's, which programs read."""
    if name == "ok/failed":
        good, _slash, bad = value.partition("/")
        told = _n("failed in {bad} of {count} session", "failed in {bad} of {count} sessions", int(good) + int(bad))
        return _("outcome"), told.format(bad=bad)
    return _(_PARTS.get(name, name)), _(_TYPES.get(value, value)) if name == "type" else value


_PARTS = {
    "p": "success rate", "helpful/wrong": "marked helpful/wrong", "said": "mentioned", "age": "age", "keep": "stays",
    "other": "goes", "likeness": "likeness", "lines": "lines", "gone": "is no more", "says so": "says so",
    "made": "is there", "keyword": "keyword",
}  # fmt: skip
_TYPES = {"world": "fact", "opinion": "preference"}
"""Words for people (source strings)."""


class Finding(NamedTuple):
    """One thing that needs attention."""

    what: str
    """duplicate, contradiction, secret, quarantine, chain, order, budget, rule or trash."""
    home: str
    path: str
    line: int
    """0: the whole file, or no file."""
    text: str
    """What is wrong, in a sentence for a person."""
    remedy: str
    """The verb that mends it, for a person: 'approve it in Review (5)'."""
    serious: bool = False
    """Something is lost, leaks or misleads until it is mended."""
    candidate: str = ""
    """The id of the candidate in Review that settles it."""
    memory: str = ""
    """The id of the memory it is about."""
    dismissed_as: str = ""
    """The id under which a person may dismiss it, of its text; empty: it stays until it is mended."""


class Refused(NamedTuple):
    """A fact that was not proposed, and why."""

    text: str
    reason: str
    """A short sentence: 'confidence .80 < .85'."""
    home: str
    path: str
    line: int


class Queue(NamedTuple):
    """What waits, and what does not."""

    waiting: list[Candidate]
    """What waits for longest where it matters most: by `ORIGINS`, then by score."""
    refused: list[Refused]
    rejected: list[Candidate]
    """What a person rejected, or an approval that was taken away again; only where somebody asks."""


def compute_candidate_id(origin: str, home: str, text: str) -> str:
    """The id of a candidate: the same for the same text, however it is spaced or punctuated."""
    return hashlib.sha256(
        "\0".join((origin, home, normalize_text(text) or text)).encode("utf-8", "surrogatepass")
    ).hexdigest()[:16]


PROPOSED, QUARANTINED, SKILLS = "candidates", "quarantine", "capabilities"
MOST = 500
"""So many wait for one home; whoever proposes more is told to stop."""

_LARGEST = 256 * 1024


def put(home: Home, draft: Draft, who: str, layer: Layer, source: CandidateSource) -> tuple[Candidate, Edit]:
    """A proposal as a candidate, and the change that keeps it."""
    named = compute_candidate_id("proposed", str(home.path), draft.text)
    path = f"{PROPOSED}/{derive_candidate_folder(home)}/{named}.json"
    plain = {
        "id": named,
        "time": clock.now(),
        "home": str(home.path),
        "who": who,
        "layer": layer.value,
        "source": {"path": source.path, "line": source.line, "session": source.session},
        "draft": draft._asdict(),
    }
    data = json.dumps(plain, ensure_ascii=False, indent=1).encode("utf-8", "replace")
    return _parse_proposed(plain, home, path), Edit(str(state()), path, None, (Piece(0, 0, data),))


def list_waiting_candidates(home: Home) -> list[Candidate]:
    """What is kept for a home, oldest first. Files that cannot be read are passed over."""
    found = [
        _parse_asked(plain, home, path) if isinstance(plain.get("asked"), dict) else _parse_proposed(plain, home, path)
        for path in list_candidate_files(f"{PROPOSED}/{derive_candidate_folder(home)}")
        if (plain := load_candidate_record(path)) and plain.get("home") == str(home.path)
    ]
    for path in list_candidate_files(QUARANTINED):
        plain = load_candidate_record(path)
        if plain and plain.get("home") == str(home.path):
            found.append(_parse_quarantined(plain, home, path))
    found = [candidate for candidate in found if candidate.text.strip()]
    return sorted(found, key=lambda candidate: (candidate.time or 0.0, candidate.id))


def stamp_stored(home: Home) -> tuple[object, ...]:
    """Changes whenever something is put there or taken away."""
    kept = (f"{PROPOSED}/{derive_candidate_folder(home)}", f"{SKILLS}/{derive_candidate_folder(home)}", QUARANTINED)
    return tuple(tuple(list_candidate_files(path)) for path in kept)


def build_candidate_removal(candidate: Candidate) -> Edit | None:
    """The change that takes a decided candidate's file away; None: it has none any more."""
    if not candidate.stored:
        return None

    try:
        data = read(state(), candidate.stored, _LARGEST)[0]
    except FileNotFoundError:
        return None
    return Edit(str(state()), candidate.stored, data, (), remove=True)


def derive_candidate_folder(home: Home) -> str:
    """The name of the folder that what waits for a home is kept in."""
    # A path that no disk can have (half a character, in a list of homes that somebody wrote) has a folder, too.
    path = str(home.path).encode("utf-8", "surrogatepass")
    with suppress(UnicodeEncodeError):
        path = os.fsencode(home.path)
    return sha256(path)[:16]


def list_candidate_files(folder: str) -> list[str]:
    """What is kept in a folder of the state directory, as paths below that."""
    try:
        names = os.listdir(os.path.join(state(), *folder.split("/")))
    except OSError:
        return []
    return [f"{folder}/{name}" for name in sorted(names) if name.endswith(".json") and name[0] != "."]


def load_candidate_record(path: str) -> dict[str, Any]:
    """What is kept in one file; empty where it cannot be read, or names no home."""
    try:
        plain = json.loads(read(state(), path, _LARGEST)[0])
    except (MemtuiError, OSError, ValueError, RecursionError):
        return {}
    return plain if isinstance(plain, dict) and isinstance(plain.get("home"), str) else {}


def _parse_proposed(plain: Mapping[str, Any], home: Home, path: str) -> Candidate:
    said = plain.get("draft")
    draft = _draft(said if isinstance(said, dict) else {"text": plain.get("text", "")})
    where = plain.get("source")
    where = where if isinstance(where, dict) else {}
    return Candidate(
        compute_candidate_id("proposed", str(home.path), draft.text),
        "proposed",
        str(home.path),
        draft.text,
        draft.kind,
        Layer(plain["layer"]) if plain.get("layer") in set(Layer) else Layer.CORE,
        None,
        draft.confidence or 0.0,
        sources=_make_sources(
            home, str(where.get("path", "")), where.get("line"), str(where.get("session") or draft.source), plain
        ),
        time=_read_time(plain),
        who=str(plain.get("who", "")),
        draft=draft,
        stored=path,
    )


def _parse_asked(plain: Mapping[str, Any], home: Home, path: str) -> Candidate:
    """Lines of a file that a colleague asks to be others."""
    old, new = (str(plain["asked"].get(name, "")).splitlines() for name in ("old", "new"))
    # The lines around it only say where it is meant.
    text = "\n".join(line for line in new if line not in old) or "\n".join(new)
    made = _parse_proposed({**plain, "text": _read_member(text.strip().removeprefix("- "))}, home, path)
    told = _("{who} asks for this change").format(who=made.who)
    return made._replace(id=str(plain.get("id", "")), origin="asked", reason=told)


def _read_member(text: str) -> str:
    """What one line of a JSON file says, without its name and quotes; other lines as they are."""
    try:
        said = json.loads(f"{{{text.rstrip(',')}}}")
    except (ValueError, RecursionError):
        return text
    found = [value for value in said.values() if isinstance(value, str) and value.strip()]
    return " ".join(found) or text


def _parse_quarantined(plain: Mapping[str, Any], home: Home, path: str) -> Candidate:
    """Text that was on its way into a file: read as that file would be, so that approving it writes it anew."""
    target = str(plain.get("path", ""))
    text = str(plain.get("text", "")).strip()
    role = load_layout(home.layout).role(home.path, target) if target else None
    entries = (
        parse(sources.Source(target, role, text.encode("utf-8", "replace"))).entries if role and role.limit else []
    )
    draft = Draft(text)
    if entries:
        first = entries[0]
        said = "\n".join(entry.text for entry in entries)
        draft = Draft(said, first.kind, tags=first.tags, entities=first.entities, source=first.session or first.source)
    rules = plain.get("rules")
    told = ", ".join(map(str, rules)) if isinstance(rules, list) else ""
    # Whoever writes the same order twice has it put aside twice: the file tells them apart, not the text.
    return Candidate(
        compute_candidate_id("quarantine", str(home.path), f"{draft.text}\0{path}"),
        "quarantine",
        str(home.path),
        draft.text,
        draft.kind,
        role.layer if role else Layer.CORE,
        None,
        0.0,
        parts=(("rules", told),) if told else (),
        sources=_make_sources(home, target, 0, draft.source, plain),
        time=_read_time(plain),
        who=str(plain.get("who", "")),
        reason=_("quarantined as it was written: it reads like an order to agents"),
        draft=draft,
        stored=path,
    )


def _make_sources(
    home: Home, path: str, line: Any, session: str, plain: Mapping[str, Any]
) -> tuple[CandidateSource, ...]:
    if not path and not session:
        return ()
    return (CandidateSource(str(home.path), path, line if isinstance(line, int) else 0, session, _read_time(plain)),)


def _read_time(plain: Mapping[str, Any]) -> float | None:
    time = plain.get("time")
    return float(time) if isinstance(time, (int, float)) else None


def _draft(said: Mapping[str, Any]) -> Draft:
    """A draft as it was kept; what does not fit is left out."""
    texts = {
        name: said[name]
        for name in (
            "text",
            "kind",
            "section",
            "source",
            "evidence",
            "memory_type",
            "title",
            "key",
            "supersedes",
            "project",
        )
        if isinstance(said.get(name), str)
    }
    lists = {
        name: tuple(map(str, said[name])) for name in ("tags", "entities") if isinstance(said.get(name), (list, tuple))
    }
    numbers = {
        name: float(said[name])
        for name in ("confidence", "expires", "created")
        if isinstance(said.get(name), (int, float))
    }
    return Draft(**{"text": "", **texts, **lists, **numbers})


REJECTED = "review/rejected.jsonl"
APPROVED = "review/decisions.jsonl"
OWN = "evolution/decisions.jsonl"

_TEXT = 4000
"""Characters of a text that a record keeps."""


LASTING = frozenset({"asked", "distilled", "proposed", "quarantine"})
"""Origins of which an approval holds: what is settled in the files themselves shows there whether it still is."""


class Decision(NamedTuple):
    """What was decided last about one candidate."""

    id: str
    done: str
    """approved, rejected or reconsidered."""
    time: float | None
    who: str
    reason: str
    home: str
    origin: str
    text: str
    kind: str
    layer: Layer


def record(
    candidate: Candidate, done: str, home: Home | None, *, who: str, reason: str = "", written: str = ""
) -> Append:
    """The change that writes a decision down. `written` is the text that was approved, where it was edited first."""
    plain: dict[str, Any] = {
        "timestamp": clock.convert_to_local(clock.now()).isoformat(timespec="milliseconds"),
        "type": done,
        "id": candidate.id,
        "origin": candidate.origin,
        "home": candidate.home,
        "text": candidate.text[:_TEXT],
        "kind": candidate.kind,
        "layer": candidate.layer.value,
        "who": who,
        "reason": reason[:_TEXT],
        "written": written[:_TEXT] if written != candidate.text else "",
    }
    line = json.dumps({name: value for name, value in plain.items() if value != ""}, ensure_ascii=False)
    if done == "approved" and home is not None and load_facts(home).own:
        return Append(str(home.path), OWN, line)
    return Append(str(state()), APPROVED if done == "approved" else REJECTED, line)


@contextmanager
def hold_decision_lock() -> Iterator[None]:
    """One decision at a time, whichever process it is made in: who comes second sees what the first one decided."""
    make_private_directory(state())
    with hold_lock(lock_for(state(), f"{APPROVED}#alone")):
        yield


def load_decisions(homes: Iterable[Home]) -> dict[str, Decision]:
    """The last decision about each candidate, by its id."""
    found: dict[str, Decision] = {}
    for file in _list_log_files(homes):
        for decision in _read(file):
            known = found.get(decision.id)
            if known is None or (decision.time or 0.0) >= (known.time or 0.0):
                found[decision.id] = decision
    return found


def is_approved_text(home: Home, text: str) -> bool:
    """Whether a person approved just this text for this home."""
    said = normalize_text(text) or text
    return any(
        decision.done == "approved"
        and decision.who == "person"
        and decision.home == str(home.path)
        and (normalize_text(decision.text) or decision.text) == said
        for decision in load_decisions([home]).values()
    )


def stamp(homes: Iterable[Home]) -> tuple[object, ...]:
    """Changes whenever somebody decided something."""
    return tuple(map(sign_file, _list_log_files(homes)))


def _list_log_files(homes: Iterable[Home]) -> list[str]:
    own = [os.path.join(home.path, *OWN.split("/")) for home in homes if load_facts(home).own]
    return [*own, *(os.path.join(state(), *name.split("/")) for name in (APPROVED, REJECTED))]


def _read(file: str) -> list[Decision]:
    try:
        with open(file, encoding="utf-8", errors="replace") as lines:
            records = [_parse_line(line) for line in lines]
    except OSError:
        return []
    return [found for found in map(_parse_decision, records) if found is not None]


def _parse_line(line: str) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def _parse_decision(plain: Any) -> Decision | None:
    """What a line says; None for lines of other tools, which may use the same file."""
    if not isinstance(plain, dict) or plain.get("type") not in {"approved", "rejected", "reconsidered"}:
        return None
    said = {name: plain.get(name, "") for name in ("id", "type", "who", "reason", "home", "origin", "text", "kind")}
    if not all(isinstance(value, str) for value in said.values()) or not said["id"]:
        return None
    layer = plain.get("layer")
    return Decision(
        said["id"],
        said["type"],
        clock.parse(str(plain.get("timestamp", ""))),
        said["who"],
        said["reason"],
        said["home"],
        said["origin"],
        said["text"],
        said["kind"],
        Layer(layer) if layer in set(Layer) else Layer.CORE,
    )


def is_settled(candidate: Candidate, decided: Mapping[str, Decision]) -> bool:
    """Whether somebody decided it already, so that it does not wait."""
    if candidate.members:
        return all(is_settled(one, decided) for one in candidate.members)
    done = decided.get(candidate.id)
    return done is not None and (done.done == "rejected" or (done.done == "approved" and candidate.origin in LASTING))


def is_withdrawn(candidate: Candidate) -> bool:
    """Whether it was kept for itself and is kept no more: an undo took the proposal back."""
    return bool(candidate.stored) and not os.path.lexists(os.path.join(state(), *candidate.stored.split("/")))


def rank_urgency(candidate: Candidate) -> tuple[int, float]:
    """What a queue is sorted by: by origin, and what is said twice by how alike it is."""
    return (ORIGINS.index(candidate.origin), -candidate.score if candidate.origin == "duplicate" else 0.0)


def list_rejected(among: Iterable[Home]) -> list[Candidate]:
    """What was rejected in these homes, newest first, as far as it was written down."""
    among = list(among)
    return _list_rejected_among(load_decisions(among), {str(home.path) for home in among})


def _list_rejected_among(decided: Mapping[str, Decision], homes: set[str]) -> list[Candidate]:
    """What was rejected, newest first, as far as it was written down."""
    found = [done for done in decided.values() if done.done == "rejected" and done.home in homes]
    found.sort(key=lambda done: -(done.time or 0.0))
    return [
        Candidate(
            done.id,
            next((origin for origin in ORIGINS if origin == done.origin), "distilled"),
            done.home,
            done.text,
            done.kind or "note",
            done.layer,
            None,
            0.0,
            time=done.time,
            who=done.who,
            reason=done.reason,
            draft=Draft(done.text, done.kind or "note"),
        )
        for done in found
    ]
