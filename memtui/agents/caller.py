"""Who calls a tool, which project the call is about, what it may touch, and how much it may write in a day.

- `check_identifier`, `check_relative_path`, `check_directory`: names and paths as agents give them. What could
  name anything but itself is refused first (T33); files are contained by whoever opens them.
- `spend_quota`: how much one session may write in a day (reliability §4), one byte a note in a file a session
  below the state directory.
- `place_call`: a parameter comes before --project, that before the environment, that before the client's roots,
  and last the server's own directory; the answer says which it was (`project_from`).
- `Caller`: the homes that are open for a call, and the one that it writes to.
"""

from __future__ import annotations

import hashlib
import os
import re
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

from memtui.agents.tool_schema import Of
from memtui.core import clock
from memtui.core.config import Config
from memtui.core.errors import MemtuiError, OutsideError, RefusedError, UsageError
from memtui.core.locale import _
from memtui.core.startup import compile_pattern
from memtui.fs.files import split_home_path
from memtui.fs.places import make_private_directory, state
from memtui.layouts import Recording, load_facts, load_layout
from memtui.layouts.discovery import discover_homes, list_homes_at
from memtui.store.vault import Vault
from memtui.team import attach_servers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from memtui.agents.tool_work import ToolWork
    from memtui.core.edits import Draft
    from memtui.core.model import Home, Layer
    from memtui.language.conversation import Session

LONGEST = 128
"""Characters of a session's id or a project's key."""

_ID = compile_pattern(r"[A-Za-z0-9._-]{1,128}")
_DEVICE = compile_pattern(r"(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(?:\..*)?", re.IGNORECASE)
_ENCODED = compile_pattern(r"%(?:2e|2f|5c|00)", re.IGNORECASE)
_UNFIT = compile_pattern(r"[\x00-\x1f\x7f\x80-\x9f]")
_ORIGIN = compile_pattern(r"(?:(?:https?|ssh|git)://|[\w.-]+@[\w.-]+:)[^\s\x00-\x1f\\]{1,400}")


def check_identifier(value: str, what: str) -> str:
    """An id that can be part of a file's name. Raises RefusedError; `what` names it for a person."""
    if _ID.fullmatch(value) and value.strip(".") and value[-1] != "." and not _DEVICE.fullmatch(value):
        return value
    raise RefusedError(
        _("{what} is to be letters, digits, dots, dashes and underscores, at most {most} of them.").format(
            what=what, most=LONGEST
        )
    )


def check_relative_path(path: str) -> str:
    """A path inside a home, '/'-separated. Raises OutsideError for one that could lead out of it, however disguised."""
    if path.startswith("~") or _ENCODED.search(path):
        raise OutsideError(_("{path!r} does not name a place inside the home").format(path=path[:200]))
    for part in split_home_path(path):
        if part[-1] in ". " or part[0] == " " or _DEVICE.fullmatch(part):
            raise OutsideError(_("{path!r} does not name a place inside the home").format(path=path[:200]))
    return path


def check_directory(value: str) -> str:
    """An absolute path of a directory that is there, links followed. Raises RefusedError."""
    parts = value.replace("\\", "/").split("/") if os.name == "nt" else value.split("/")
    if (
        not os.path.isabs(value)
        or ".." in parts
        or _UNFIT.search(value)
        or _ENCODED.search(value)
        or not os.path.isdir(value)
    ):
        raise RefusedError(_("{path!r} is no absolute path of a directory that is there.").format(path=value[:200]))
    return os.path.realpath(value)


MOST = {"note": 1000, "proposal": 100, "event": 500}
"""What a session writes -> how often in a day, at most."""


def spend_quota(session: str, what: str) -> str:
    """Count one more of it; why it is one too many, for whoever asked, or empty. Where none can be counted: empty."""
    today = clock.format_day(clock.now())
    folder = state() / "quota"
    name = f"{what}\0{session}".encode("utf-8", "surrogatepass")
    file = folder / today / hashlib.sha256(name).hexdigest()[:24]
    try:
        if not (folder / today).is_dir():
            make_private_directory(folder / today)
            _forget(folder, today)
        descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        try:
            os.write(descriptor, b".")
            count = os.fstat(descriptor).st_size
        finally:
            os.close(descriptor)
    except (OSError, MemtuiError):
        return ""
    if count <= MOST[what]:
        return ""
    return _("This session has written {count} today: that is enough.").format(count=MOST[what])


def _forget(folder: Path, today: str) -> None:
    with suppress(OSError):
        for day in os.listdir(folder):
            if day < today:
                for name in os.listdir(folder / day):
                    os.unlink(folder / day / name)
                os.rmdir(folder / day)


VARIABLES = ("MEMTUI_PROJECT", "CLAUDE_PROJECT_DIR")
"""Environment variables that name the project's directory, the first that is set."""


class CallPlace(NamedTuple):
    """Where a call belongs."""

    cwd: Path
    """The project's directory, or the one that stands for it."""
    key: str = ""
    """A project that homes know by this name; empty: the directory's own."""
    told: str = "cwd"
    """Who said so: parameter, --project, environment, roots, cwd."""


def take_project(
    caller: None,
    project: Annotated[
        str,
        Of(
            "The project that this is about: its absolute directory, its key, or its git origin. "
            "Else what the server was told when it was started.",
            most=4096,
        ),
    ] = "",
    cwd: Annotated[str, Of("The absolute directory that you work in, where it is not the server's.", most=4096)] = "",
) -> None:
    """What every tool takes besides its own parameters."""


def place_call(
    project: str = "",
    cwd: str = "",
    *,
    started: str = "",
    env: Mapping[str, str] | None = None,
    roots: Iterable[str] = (),
) -> CallPlace:
    """The place of a call that says `project` and `cwd`. `started` is the server's --project.

    Raises RefusedError for a directory that is none, or a key that could be a path.
    """
    env = os.environ if env is None else env
    if _ORIGIN.fullmatch(project):
        # What `git remote get-url origin` says: agents on other machines know their project by it.
        project = load_work().derive_address_key(project)
    key = "" if not project or os.path.isabs(project) else check_identifier(project, "'project'")
    if cwd:
        return CallPlace(Path(check_directory(cwd)), key, "parameter")
    if project and not key:
        return CallPlace(Path(check_directory(project)), "", "parameter")
    place = _locate_start(started, env, roots)
    return place._replace(key=key, told="parameter") if key else place


def _locate_start(started: str, env: Mapping[str, str], roots: Iterable[str]) -> CallPlace:
    if started:
        return CallPlace(Path(check_directory(os.path.realpath(os.path.expanduser(started)))), "", "--project")
    for name in VARIABLES:
        value = env.get(name, "").strip()
        if value and os.path.isdir(value):
            return CallPlace(Path(os.path.realpath(value)), "", "environment")
    for root in roots:
        if os.path.isdir(root):
            return CallPlace(Path(os.path.realpath(root)), "", "roots")
    try:
        return CallPlace(Path.cwd())
    except OSError:
        return CallPlace(Path.home())


def load_work() -> type[ToolWork]:
    """What tools call."""
    # A server starts with every session, and most of those call nothing.
    from memtui.agents.tool_work import ToolWork

    return ToolWork


def sort_by_project(homes: Sequence[Home], key: str) -> list[Home]:
    """The homes with those of the project of that name first, as the current ones. Raises UsageError."""
    wanted = key.casefold()
    fit = {home.path for home in homes if wanted in list_project_names(home)}
    if not fit:
        every = sorted({name for home in homes for name in list_project_names(home)})
        near = load_work().suggest_project(key, every)
        told = _("No home here knows the project '{key}'.").format(key=key)
        raise UsageError(f"{told} " + _("Did you mean '{word}'?").format(word=near) if near else told)
    marked = [home._replace(current=home.path in fit) for home in homes]
    return sorted(_keep_to_project(marked), key=lambda home: not home.current)


def _keep_to_project(homes: Iterable[Home]) -> list[Home]:
    """The homes without those that a tool keeps apart for other projects, where this one has its own (spec 001 §2.1).

    What another project decided is no answer to an agent that asks what was decided; a person finds it all.
    """
    found = list(homes)
    own = {home.layout for home in found if home.current and load_facts(home).keyed_place}
    return [home for home in found if home.current or home.layout not in own]


def list_project_names(home: Home) -> set[str]:
    """The names by which a home knows its project, folded: a directory's key (spec 001 §2.1) is one of them."""
    whole = [home.project, os.path.basename(home.project), home.label if home.project else ""]
    if os.path.isabs(home.project):
        whole.append(load_work().derive_project_key(Path(home.project), Config()))
    return {name.casefold() for name in whole if name}


def check_within(named: str, roots: Iterable[str | Path]) -> None:
    """Check that a directory lies in one of these: a server on a socket opens no others. Raises RefusedError.

    What holds the person's whole home is no project, whoever started a server there: nothing below it counts. And
    nobody is told which directories there are.
    """
    mine = Path(os.path.realpath(os.path.expanduser("~")))
    with suppress(RefusedError):
        found = Path(check_directory(named))
        for root in map(Path, roots):
            if found == root or (found.is_relative_to(root) and not mine.is_relative_to(root)):
                return
    raise RefusedError(_("{path} is none of this server's projects: name one by its key.").format(path=named[:200]))


PATIENCE = 10.0
"""Seconds that a tool waits for another writer: many agents may write at once, and nothing is lost."""


class Caller(NamedTuple):
    """Who calls, and where."""

    vault: Vault
    """Over the homes of the caller's project and user, or over those that the server was started with."""
    home: Home
    """Where notes go; memtui's own may not be there yet."""
    session: Session
    config: Config
    fresh: Callable[[], object]
    """Makes the indexes right with the disk: called before anything is looked for."""
    told: str = ""
    """Who said which project it is: see `CallPlace`."""
    fixed: bool = False
    """The homes were named by whoever started this: nothing else is read or written."""

    @property
    def who(self) -> str:
        """As the undo journal names it."""
        return self.session.who

    @contextmanager
    def own(self) -> Iterator[tuple[Vault, Home]]:
        """The vault and the home that this session's summary goes to, made where it is missing.

        Raises RefusedError for a sub-agent, ReadOnlyError where it cannot be made.
        """
        if self.session.sidechain:
            raise RefusedError(_("Sub-agents write no memories."))
        if self.home in self.vault.homes:
            yield self.vault, self.home
            return
        with Vault([load_work().make_home(self.home)], self.config) as mine:
            mine.current, mine.wait = False, PATIENCE
            yield mine, self.home

    @contextmanager
    def writing(self, layer: Layer, draft: Draft) -> Iterator[tuple[Vault, Home]]:
        """The vault and the home that such a memory goes to. Raises as `own`, and RefusedError where none takes it."""
        with self.own() as (vault, first):
            if not self.fixed:
                with load_work().open_taking_home(vault, first, layer, draft) as found:
                    yield found
                return
            fit = next(
                (home for home in vault.homes if home.writable and load_work().can_take(home, layer, draft)), None
            )
            if fit is None:
                raise RefusedError(_("No home that is open here takes such a memory."))
            yield vault, fit


def find_call_homes(
    place: CallPlace, session: Session, config: Config, named: Sequence[str] = (), *, every: bool = False
) -> list[Home]:
    """The homes for a call, the project's first; `every`: those of other projects, too.

    Raises UsageError for a name that is none.
    """
    if named:
        return list({home.path: home for path in named for home in list_homes_at(Path(path))}.values())
    homes = discover_homes(
        load_work().find_surroundings(session, config), map(Path, config.homes.paths), config.homes.exclude, shared=True
    )
    if not place.key or place.key.casefold() in {session.project.casefold(), session.name.casefold()}:
        return homes if every else _keep_to_project(homes)
    return sort_by_project(homes, place.key)


def identify_caller(place: CallPlace, config: Config, agent: str = "") -> Session:
    """Whose session it is, as far as anybody can tell (spec 000)."""
    return load_work().find_session(config, cwd=place.cwd, agent=agent)


def make_caller(
    vault: Vault, session: Session, place: CallPlace, fresh: Callable[[], object], named: Sequence[str] = ()
) -> Caller:
    """A caller over homes that are open."""
    vault.current, vault.wait = False, PATIENCE
    if place.key and place.told == "parameter":
        session = session._replace(project=place.key, name=place.key)
    if named:
        fit = (home for home in vault.homes if home.writable and isinstance(load_layout(home.layout), Recording))
        home = next(fit, vault.homes[0])
    else:
        home = load_work().choose_summary_home(vault.homes, session, vault.config)
    if not named:
        load_work().note_silent_session(session)
    return Caller(vault, home, session, vault.config, fresh, place.told, bool(named))


@contextmanager
def open_caller(place: CallPlace, config: Config, named: Sequence[str] = (), agent: str = "") -> Iterator[Caller]:
    """A caller for one call: `named` are homes that somebody chose; else those of its project and user."""
    session = identify_caller(place, config, agent)
    with Vault(find_call_homes(place, session, config, named), config) as vault:
        vault.settle()
        if not named:
            attach_servers(vault)
        yield make_caller(vault, session, place, vault.freshen, named)
