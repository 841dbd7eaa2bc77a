"""Names of sessions as files may have them, and the files in which agents keep their sessions.

- `fit`: a name safe for a file, whatever an agent, a hook or an attacker calls a session (T33). The canonical
  id is what spec 000 takes: the name of the agent's own file without its ending. For Codex that is the
  rollout's, with the id that its hooks tell at its end; without a rollout the hook's id stands by itself.
- What the head of a session's file tells, read without following links: where it began, and whether it is a
  sub-agent's.
- `TRACKS`: where agents keep the files of their sessions (spec 000). A path told from outside is taken only
  where it lies in one of these places and passes through no link.

Sessions that are kept twice, as a summary and as a transcript: whoever lists sessions shows each of them once.
"""

from __future__ import annotations

import json
import os
import re
import stat
import time
from contextlib import suppress
from pathlib import Path

from memtui.core.errors import StaleIndexError
from memtui.core.startup import TYPE_CHECKING, Any, NamedTuple, compile_pattern, sha256
from memtui.core.text import UUID
from memtui.fs.places import make_private_directory, state
from memtui.index.queries import list_session_entries
from memtui.layouts import load_layout
from memtui.layouts.tracks import CWD, LIVE_MARK, LIVE_STATES, TRACKS
from memtui.store.reading import MemoryRef

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from memtui.core.config import Config
    from memtui.core.model import Filter, Home, Memory
    from memtui.layouts.tracks import Track
    from memtui.store.reading import Listed


LONGEST = 128
SILENCE = 12 * 3600.0
"""Seconds after which a made-up id is not taken up again: whoever comes then is in another session."""

_FIT = compile_pattern(r"[A-Za-z0-9][A-Za-z0-9._-]{0,127}")
_UNFIT = compile_pattern(r"[^A-Za-z0-9_-]+")
_TAKEN = compile_pattern(r"(?:index|readme|con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\..*)?", re.IGNORECASE)
_NOBODY = frozenset({"default", "unknown", "none", "null", "undefined"})
_WHOLE = compile_pattern(UUID)
_ROLLOUT = compile_pattern(rf"rollout-\d{{4}}-\d\d-\d\dT\d\d-\d\d-\d\d-(?P<id>{UUID})")
_READ = 256 * 1024


def fit(value: Any) -> str:
    """Any value as an id: fit ones as they are, others changed and told apart by a digest; empty: there is none."""
    if isinstance(value, bool) or not isinstance(value, (str, int)):
        return ""
    text = str(value)[:65536].strip()
    if not text or text.casefold() in _NOBODY:
        return ""
    if _FIT.fullmatch(text) and text[-1] != "." and not _TAKEN.fullmatch(text):
        return text
    plain = _UNFIT.sub("-", text).strip("-_")[:64].rstrip("-_") or "session"
    digest = sha256(text.encode("utf-8", "surrogatepass"))[:12]
    return f"{plain}-{digest}"


def is_uuid(text: str) -> bool:
    """Whether it is one."""
    return _WHOLE.fullmatch(text) is not None


def extract_rollout_id(id: str) -> str:
    """The id that Codex's hooks tell, out of its rollout's name; empty for any other name."""
    match = _ROLLOUT.fullmatch(id)
    return match["id"] if match else ""


def name_session(session: str) -> str:
    """The name that a session goes by here, whichever of its names it was told by."""
    return extract_rollout_id(session) or session


def read_live_session_id(root: Path) -> str:
    """The id that an agent left in the project's live state, as spec 000 has it; the file that was written last."""
    found = (0.0, "")
    for name in LIVE_STATES:
        descriptor = -1
        with suppress(OSError, ValueError):
            flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
            descriptor = os.open(root / name, flags)
            match = LIVE_MARK.search(os.read(descriptor, _READ))
            own = fit(match[1].decode()) if match else ""
            if own:
                found = max(found, (os.fstat(descriptor).st_mtime, own))
        if descriptor >= 0:
            os.close(descriptor)
    return found[1]


def make_session_id(root: str) -> str:
    """An id of our own for whoever works in this directory, the same between calls while it is used.

    Two unknown programs that a person started from two shells have one each (spec 000: each session its own file).
    """
    import uuid

    digest = sha256(f"{root}{_find_program()}".encode("utf-8", "surrogatepass"))[:16]
    file = state() / "sessions" / digest
    new = str(uuid.uuid4())
    with suppress(OSError):
        make_private_directory(file.parent)
        kept = _read_kept(file)
        if kept:
            os.utime(file)
            return kept
        part = file.with_name(f"{digest}.{new}")
        with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as opened:
            opened.write(new.encode())
        try:
            # Of two that come at once, the first one's holds for both.
            os.link(part, file)
        except FileExistsError:
            new = _read_kept(file) or _replace_file(part, file, new)
        except OSError:
            os.replace(part, file)
        with suppress(OSError):
            os.unlink(part)
    return new


_SHELLS = frozenset({"sh", "bash", "zsh", "fish", "dash", "ksh", "tcsh", "csh", "nu", "pwsh", "xonsh"})
_ANCESTORS = 32


def _find_program() -> str:
    """What a person started, of all that led here: the program below their shell, or the shell where that is us.

    Whatever a program starts in between, it is the same one. Empty: no shell is above, or the system does not say.
    """
    below, above = "", os.getpid()
    for _step in range(_ANCESTORS):
        try:
            with open(f"/proc/{above}/stat", "rb") as file:
                fields = file.read(4096).rpartition(b")")[2].split()
            with open(f"/proc/{above}/cmdline", "rb") as file:
                argv = file.read(4096).split(b"\0")
        except OSError:
            return ""
        own = f"\0{above}:{fields[19].decode('ascii', 'replace')}"
        name = os.path.basename(argv[0].decode("utf-8", "replace")).lstrip("-")
        # A shell that a program runs a command with is told which.
        if name in _SHELLS and not any((part and not part.startswith(b"-")) or part == b"-c" for part in argv[1:]):
            return below or own
        below, above = own if above != os.getpid() else "", int(fields[1])
        if above <= 1:
            return ""
    return ""


def _replace_file(part: Path, file: Path, new: str) -> str:
    os.replace(part, file)
    return new


def _read_kept(file: Path) -> str:
    try:
        if time.time() - os.lstat(file).st_mtime > SILENCE:
            return ""
        text = file.read_bytes()[:64].decode("ascii", "replace")
    except OSError:
        return ""
    return text if is_uuid(text) else ""


_HEAD = 64 * 1024
_SUB = compile_pattern(rb'"source"\s*:\s*\{\s*"sub_?agent"', re.IGNORECASE)


def is_subagent_transcript(path: str) -> bool:
    """Whether it is a sub-agent's transcript, by its place or by what its head says."""
    name = os.path.basename(path)
    return name.startswith("agent-") or "subagents" in Path(path).parts or _SUB.search(_read_head(path)) is not None


def read_transcript_directory(path: str) -> str:
    """The directory that a transcript is about, as its head tells it; empty: it does not."""
    match = CWD.search(_read_head(path))
    with suppress(ValueError):
        told = json.loads(match[1]) if match else ""
        return told if isinstance(told, str) and "\0" not in told else ""
    return ""


def is_below_directory(path: str, root: str) -> bool:
    """Whether a path is the directory or below it, as it is spelt or with its links resolved."""
    if not path or not root:
        return False
    pairs = ((path, root), (os.path.realpath(path), os.path.realpath(root)))
    return any(one == other or one.startswith(os.path.join(other, "")) for one, other in pairs)


def read_json_id(path: str, key: str) -> str:
    """The id under a key of a small JSON file; empty: there is none."""
    with suppress(ValueError, RecursionError):
        said = json.loads(_read_head(path))
        return fit(said.get(key)) if isinstance(said, dict) else ""
    return ""


def _read_head(path: str) -> bytes:
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    with suppress(OSError, ValueError):
        descriptor = os.open(path, flags | getattr(os, "O_BINARY", 0))
        with os.fdopen(descriptor, "rb") as file:
            return file.read(_HEAD)
    return b""


class SessionPlace(NamedTuple):
    """The directories of whoever asks."""

    here: str
    """Where the agent works."""
    root: str
    """The checkout around it."""
    user: str


class FoundSession(NamedTuple):
    """A session's file."""

    track: Track
    path: str
    parts: tuple[str, ...]
    """Of its path below the agent's directory."""
    time: float
    """When it was last written."""

    @property
    def id(self) -> str:
        """As the agent's table says; empty: it holds none."""
        if self.track.key:
            return read_json_id(self.path, self.track.key)
        return fit(self.parts[self.track.part].removesuffix(".jsonl"))


def list_track_directories(track: Track, place: SessionPlace, env: Mapping[str, str]) -> list[str]:
    """The directories that hold it: the one that the environment names, else its own."""
    if track.home == ".":
        return list(dict.fromkeys((place.root, place.here)))
    named = env.get(track.variable, "").strip()
    default = os.path.join(place.user, track.home[2:])
    return [os.path.join(place.user, named[2:]) if named.startswith("~/") else named or default]


def resolve_transcript_path(path: object, place: SessionPlace, env: Mapping[str, str], config: Config) -> str:
    """A transcript's path as it may be opened; empty for what lies elsewhere or passes through a link.

    The file need not be there yet: agents write it when they have something to say.
    """
    if not isinstance(path, str) or not path.endswith(".jsonl") or len(path) > 4096 or "\0" in path:
        return ""
    path = os.path.join(place.user, path[2:]) if path.startswith("~/") else path
    if not os.path.isabs(path) or os.path.normpath(path) != path:
        return ""
    for root, inside in _list_places(place, env, config):
        real = os.path.realpath(root)
        for spelt in dict.fromkeys((root, real)):
            prefix = os.path.join(spelt, inside, "") if inside else os.path.join(spelt, "")
            if path.startswith(prefix) and _is_without_links(real, path[len(os.path.join(spelt, "")) :]):
                return os.path.join(real, path[len(os.path.join(spelt, "")) :])
    return ""


def infer_transcript_agent(path: str, place: SessionPlace, env: Mapping[str, str]) -> str:
    """Whose transcript it is, by where it lies; empty: nobody knows."""
    for track in TRACKS:
        for base in list_track_directories(track, place, env):
            for inside in track.inside:
                if path.startswith(os.path.join(os.path.realpath(os.path.join(base, inside)), "")):
                    return track.agent
    return ""


def _list_places(place: SessionPlace, env: Mapping[str, str], config: Config) -> Iterator[tuple[str, str]]:
    """Directories, resolved once, and what below them is looked at without following links."""
    for track in TRACKS:
        for base in list_track_directories(track, place, env):
            for inside in track.inside:
                # What a repository holds may be anything; what the user's own directory links to is the user's.
                yield (base, inside) if track.home == "." else (os.path.join(base, inside), "")
    for named in config.homes.paths:
        yield os.path.expanduser(named), ""


def _is_without_links(root: str, path: str) -> bool:
    """Whether a path below the root is made of directories and a file, none of them a link."""
    at = root
    parts = path.split(os.sep)
    for number, part in enumerate(parts):
        at = os.path.join(at, part)
        try:
            mode = os.lstat(at).st_mode
        except FileNotFoundError:
            return True
        except (OSError, ValueError):
            return False
        if not (stat.S_ISREG(mode) if number == len(parts) - 1 else stat.S_ISDIR(mode)):
            return False
    return True


def is_readable_transcript(home: Home, path: str) -> bool:
    """Whether a file of this home is a transcript that can be read turn by turn."""
    role = load_layout(home.layout).role(home.path, path)
    return role is not None and role.parser.endswith("-transcript")


def list_session_names(session: str) -> tuple[str, ...]:
    """What a session is called: its id and, inside Codex's name of a rollout, the one that its transcript bears."""
    return tuple(name for name in dict.fromkeys((session, extract_rollout_id(session))) if name)


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
        ref: told[name] for session, ref in transcripts for name in list_session_names(session)[::-1] if name in told
    }


def drop_summarized_transcripts(memories: Iterable[Memory], home: Callable[[str], Home | None]) -> list[Memory]:
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
