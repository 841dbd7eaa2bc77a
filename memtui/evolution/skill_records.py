"""Where skills are installed, what the generator records of them, and how they stand on disk (spec 002).

- `SkillPlace`: beside code-memory's skills, else where the agent of this user looks for them; with
  auto-capabilities.md, which the agent reads at every start and others write to as well: only our own lines
  change. A directory that is a link is refused.
- `Event`, `State`: capabilities.jsonl, the log, and generator_state.json, the cool-down. Both dialects of the
  log are read, the specification's (`timestamp`, `event_type`) and that of code-memory's scripts (`ts`, `type`,
  ids as cap_003); each home's own is written. Keys that are not ours stay.
- `list_installed_skills`, `remove`: what the log says of them, how they stand, and taking one away again.
"""

from __future__ import annotations

import json
import os
import re
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from memtui.core import clock
from memtui.core.edits import Append, Edit, Piece, diff_lines
from memtui.core.errors import MemtuiError, OutsideError, RefusedError, UnconfirmedError
from memtui.core.locale import _
from memtui.core.model import Home
from memtui.core.startup import compile_pattern
from memtui.evolution import audit
from memtui.evolution.audit import Settled
from memtui.formats.json_spans import BrokenJsonError, Decoder
from memtui.formats.records import find_first_text, fit_line, parse_moment, parse_number
from memtui.fs.files import compute_etag
from memtui.fs.folder import resolve_real_path
from memtui.layouts import Surroundings, load_facts
from memtui.layouts.plain import SKILL, SKILL_INDEX
from memtui.safety.sanitize import sanitize_text

if TYPE_CHECKING:
    from memtui.core.config import EvolutionConfig
    from memtui.core.edits import Change, Receipt
    from memtui.evolution.audit import PatternStatus
    from memtui.store.vault import Vault
    from memtui.store.writing import Writing

HEAD = (
    "# Auto capabilities\n\n"
    "Skills made from what came back in past sessions, each approved by the user."
    " Use one when its trigger words fit.\n\n"
)


class Anchor(NamedTuple):
    """A file by the nearest directory above it that is there, and the way down from that."""

    root: str
    path: str
    """'/'-separated."""

    @property
    def file(self) -> str:
        """The absolute path."""
        return os.path.join(self.root, *self.path.split("/"))

    @property
    def home(self) -> Home:
        """The directory as something that the vault writes to."""
        return Home(Path(self.root), "skills", "where skills are installed", Path(self.root).name)


class SkillPlace(NamedTuple):
    """Where the skills of a home go."""

    skills: Path
    """The directory that holds one directory for each skill."""
    listing: Path
    """auto-capabilities.md."""

    def skill(self, name: str) -> Anchor:
        """The file of a skill. Raises OutsideError where a link stands in the way."""
        return anchor_file(self.skills / name / SKILL, above=self.skills)

    @property
    def listed(self) -> Anchor:
        """The index. Raises OutsideError as `skill` does."""
        return anchor_file(self.listing, above=self.listing.parent)

    @property
    def homes(self) -> tuple[Home, ...]:
        """What must be open to be written to. Raises OutsideError as `skill` does."""
        return anchor_file(self.skills, above=self.skills).home, self.listed.home

    def taken(self) -> set[str]:
        """Names that something in the directory has, whatever it is, without regard to case."""
        with suppress(OSError):
            return {name.casefold() for name in os.listdir(self.skills)}
        return set()


def anchor_file(file: Path, *, above: Path) -> Anchor:
    """The file from the nearest directory over `above` that is there. Raises OutsideError for a link below that."""
    top = above.parent
    while not top.is_dir() and top != top.parent:
        top = top.parent
    root = resolve_real_path(top)
    parts = file.relative_to(top).parts
    for depth in range(1, len(parts) + 1):
        place = os.path.join(root, *parts[:depth])
        if os.path.islink(place):
            raise OutsideError(
                _(
                    "{path} is a link: skills are not installed through one. Name the real directory in "
                    "evolution.skills."
                ).format(path=place)
            )
    return Anchor(root, "/".join(parts))


def find_skill_place(home: Home, config: EvolutionConfig) -> SkillPlace:
    """Where skills go that come from this home's patterns: `evolution.skills`, else the agent's own directory."""
    claude, codex, user = _find_agent_directories()
    beside = load_facts(home).in_agent_directory
    if beside:
        claude = home.path.parent
    if config.skills:
        skills = Path(config.skills).expanduser()
        skills = skills if skills.is_absolute() else user / skills
    elif beside or claude.is_dir():
        skills = claude / "skills"
    elif codex.is_dir():
        skills = user / ".agents" / "skills"
    else:
        skills = home.path / "skills"
    loaded = beside or Path(os.path.normpath(skills)).parent == claude
    skills = Path(os.path.normpath(skills))
    return SkillPlace(skills, (claude / "rules" if loaded else skills.parent) / SKILL_INDEX)


def list_skill_directories(home: Home, config: EvolutionConfig) -> tuple[Path, ...]:
    """Every directory that a skill of this home may have been installed to, today's first."""
    claude, _codex, user = _find_agent_directories()
    own = home.path.parent if load_facts(home).in_agent_directory else home.path
    others = (own / "skills", claude / "skills", user / ".agents" / "skills")
    return tuple(dict.fromkeys((find_skill_place(home, config).skills, *others)))


def _find_agent_directories() -> tuple[Path, Path, Path]:
    """Claude Code's directory, Codex's, and the user's."""
    user = Path(os.environ.get("HOME") or os.path.expanduser("~"))
    around = Surroundings(user, user, os.environ)
    claude = around.variable("CLAUDE_CONFIG_DIR", user / ".claude")
    codex = around.variable("CODEX_HOME", user / ".codex")
    return user / claude, user / codex, user


# -- auto-capabilities.md ------------------------------------------------------------------------------------------


def _format_entry(name: str, description: str) -> str:
    """A skill's line."""
    return f"- **{name}**: {fit_line(sanitize_text(description, keep_newlines=False), 1100)}"


def list_indexed_skills(data: bytes) -> set[str]:
    """The skills that have a line."""
    return {found.decode("ascii") for found in re.findall(rb"(?m)^- \*\*([a-z0-9-]{1,64})\*\*:", data)}


def add_index_line(at: Anchor, base: bytes | None, name: str, description: str) -> Edit:
    """The change that lists a skill at the end."""
    said = _format_entry(name, description) + "\n"
    if base is None:
        return Edit(at.root, at.path, None, (Piece(0, 0, (HEAD + said).encode("utf-8", "replace")),))
    end = "\r\n" if b"\r\n" in base else "\n"
    healed = end if base and not base.endswith(b"\n") else ""
    new = (healed + said.replace("\n", end)).encode("utf-8", "replace")
    return Edit(at.root, at.path, base, (Piece(len(base), len(base), new),))


def remove_index_line(at: Anchor, base: bytes | None, name: str) -> Edit | None:
    """The change that takes its line out; the file with it where nothing but our head is left. None: it has none."""
    if base is None:
        return None
    start = re.search(rb"(?m)^- \*\*" + re.escape(name.encode()) + rb"\*\*:[^\n]*(?:\n|\Z)", base)
    if start is None:
        return None
    rest = base[: start.start()] + base[start.end() :]
    if rest.decode("utf-8", "replace").split() in ([], HEAD.split()):
        return Edit(at.root, at.path, base, (), remove=True)
    return Edit(at.root, at.path, base, (Piece(start.start(), start.end(), b""),))


LOG, STATE = "evolution/capabilities.jsonl", "evolution/generator_state.json"

_MADE = frozenset({"generation", "capabilitygenerated", "generated"})
_GONE = frozenset({"removal", "capabilityremoved", "removed"})
_ID = compile_pattern(r"cap_(\d{1,9})")
_INDENT = compile_pattern(r"\n([ \t]+)\S")


class Event(NamedTuple):
    """A skill was made, or taken away."""

    done: Literal["made", "gone"]
    name: str
    time: float | None
    path: str = ""
    """Of its SKILL.md, as it was written down."""
    pattern: str = ""
    type: str = ""
    many: int = 0
    """Sessions that had it."""
    digest: str = ""
    """Of the bytes that were installed; empty: nobody wrote it down."""


class State(NamedTuple):
    """When skills were made."""

    last: float | None = None
    """When the last one was."""
    generated: tuple[Event, ...] = ()
    """Those that are installed, as the state file lists them."""


def read(vault: Writing, home: Home) -> tuple[State, list[Event]]:
    """The state of a home and the events of its log, oldest first. What cannot be read is passed over."""
    root = str(home.path)
    if not home.path.is_dir():
        return State(), []
    events = parse_skill_log(vault.bytes_of(root, LOG) or b"")
    return state(vault.bytes_of(root, STATE) or b"", events), events


def parse_skill_log(data: bytes) -> list[Event]:
    """The log's bytes as events. Never raises."""
    return [found for raw in data.split(b"\n") if (found := _parse_event(_parse_object(raw))) is not None]


def state(data: bytes, events: list[Event]) -> State:
    """The state file's bytes; the newest event of the log stands in for a time that it does not tell. Never raises."""
    plain = _parse_object(data) or {}
    listed = plain.get("generated")
    generated = [
        Event(
            "made",
            find_first_text(one, "name", "capability_name"),
            parse_moment(one.get("generated_at")),
            find_first_text(one, "path", "output_path"),
            fit_line(one.get("pattern", "") or ""),
            digest=fit_line(one.get("digest", "") or ""),
        )
        for one in (listed if isinstance(listed, list) else ())
        if isinstance(one, dict)
    ]
    last = parse_moment(plain.get("last_generation_at"))
    if last is None:
        made = (event.time for event in events if event.done == "made" and event.time is not None)
        last = max(made, default=None)
    return State(last, tuple(one for one in generated if one.name))


def append_skill_event(vault: Writing, home: Home, event: Event) -> Append:
    """The change that writes an event down, in the dialect that the log is in."""
    root = str(home.path)
    data = vault.bytes_of(root, LOG) if home.path.is_dir() else None
    scripts = audit.is_script_dialect(data or b"", home)
    plain = _encode_scripted(event, data or b"") if scripts else _encode_specified(event)
    record = {name: value for name, value in plain.items() if value != ""}
    return Append(root, LOG, json.dumps(record, ensure_ascii=False))


def update_generator_state(vault: Writing, home: Home, event: Event) -> Edit | None:
    """The change that brings the state file up to date with an event; None: it says so already.

    Raises RefusedError where it cannot be read.
    """
    root = str(home.path)
    base = vault.bytes_of(root, STATE) if home.path.is_dir() else None
    plain = _parse_losslessly(base) if base and base.strip() else {}
    if plain is None or not isinstance(plain.get("generated", []), list):
        raise RefusedError(_("{path} cannot be read: mend it, or move it away.").format(path=str(home.path / STATE)))
    others = [one for one in plain.get("generated", []) if not _has_name(one, event.name)]
    if event.done == "gone":
        if base is None or len(others) == len(plain.get("generated", [])):
            return None
        wanted = plain | {"generated": others}
    else:
        entry = {"name": event.name, "path": event.path, "generated_at": _stamp(event.time)}
        entry |= {"pattern": event.pattern, "digest": event.digest}
        wanted = plain | {
            "last_generation_at": entry["generated_at"],
            "generation_count": int(parse_number(plain.get("generation_count")) or 0) + 1,
            "generated": [*others, entry],
        }
    new = _encode_like(wanted, base)
    return Edit(root, STATE, base, diff_lines(base or b"", new))


def append_skill_settling(
    vault: Writing, home: Home, pattern: str, status: PatternStatus, reason: str, who: str
) -> Append:
    """The change that says in the audit log how a pattern stands from now on."""
    said = audit.encode_settled(Settled(pattern, status, clock.now(), who, reason))
    return audit.build_log_append(vault, home, [said], who)


def _encode_like(plain: dict[str, Any], base: bytes | None) -> bytes:
    """JSON as the file has it: its indent, its line ends, its way with other letters than ASCII."""
    text = (base or b"").decode("utf-8", "replace")
    indented = _INDENT.search(text)
    indent = indented[1] if indented else None if text.strip() else 2
    said = json.dumps(plain, ensure_ascii="\\u" in text, indent=indent)
    if not text.strip() or text.endswith("\n"):
        said += "\n"
    said = ("\ufeff" if text.startswith("\ufeff") else "") + said
    return (said.replace("\n", "\r\n") if "\r\n" in text else said).encode("utf-8", "replace")


def _encode_specified(event: Event) -> dict[str, Any]:
    kind = "generation" if event.done == "made" else "removal"
    return {
        "timestamp": _stamp(event.time),
        "event_type": kind,
        "capability_name": event.name,
        "type": "Skill",
        "trigger": event.type,
        **({"pattern_count": event.many} if event.done == "made" else {}),
        "pattern": event.pattern,
        "path": event.path,
        "digest": event.digest,
    }


def _encode_scripted(event: Event, data: bytes) -> dict[str, Any]:
    made = event.done == "made"
    known = {event["name"]: event["id"] for event in _list_numbered(data)}
    last = max((int(found[1]) for named in known.values() if (found := _ID.fullmatch(named))), default=0)
    return {
        "type": "CapabilityGenerated" if made else "CapabilityRemoved",
        "ts": _stamp(event.time),
        "id": f"cap_{last + 1:03d}" if made else known.get(event.name, ""),
        "pattern_id": None,
        "output_path": event.path,
        "name": event.name,
        "status": "generated" if made else "removed",
        "trigger": event.type,
        "pattern": event.pattern,
        "digest": event.digest,
    }


def _list_numbered(data: bytes) -> list[dict[str, str]]:
    found = (_parse_object(raw) or {} for raw in data.split(b"\n"))
    return [{"name": fit_line(one.get("name", "")), "id": one["id"]} for one in found if isinstance(one.get("id"), str)]


def _parse_event(plain: dict[str, Any] | None) -> Event | None:
    if plain is None:
        return None
    kind = (find_first_text(plain, "event_type", "event") or find_first_text(plain, "type")).lower()
    name = find_first_text(plain, "capability_name", "name")
    if not name or kind not in _MADE | _GONE or find_first_text(plain, "status").lower() == "failed":
        return None
    time = next((found for key in ("timestamp", "ts") if (found := parse_moment(plain.get(key))) is not None), None)
    return Event(
        "made" if kind in _MADE else "gone",
        name,
        time,
        find_first_text(plain, "path", "output_path"),
        find_first_text(plain, "pattern", "trigger"),
        find_first_text(plain, "trigger"),
        int(parse_number(plain.get("pattern_count")) or 0),
        find_first_text(plain, "digest"),
    )


def _has_name(one: Any, name: str) -> bool:
    return isinstance(one, dict) and find_first_text(one, "name", "capability_name") == name


def _parse_object(data: bytes) -> dict[str, Any] | None:
    try:
        plain = json.loads(data.decode("utf-8", "replace").lstrip("\ufeff"))
    except (ValueError, RecursionError):
        return None
    return plain if isinstance(plain, dict) else None


def _parse_losslessly(data: bytes) -> dict[str, Any] | None:
    """JSON that can be written again with nothing lost: every byte is text, and no key stands twice."""
    decoder = Decoder()
    try:
        text = data.removeprefix(b"\xef\xbb\xbf").decode("utf-8").strip()
        plain, end = decoder.decode(text, 0)
    except (BrokenJsonError, ValueError, RecursionError):
        return None
    return plain if isinstance(plain, dict) and end == len(text) and not decoder.twice else None


def _stamp(time: float | None) -> str:
    stamp = clock.convert_to_local(clock.now() if time is None else time).replace(tzinfo=None)
    return stamp.isoformat(timespec="seconds")


_NAME = compile_pattern(r"[A-Za-z0-9][\w.-]{0,63}", re.ASCII)
"""Names that scripts gave as well: 'auto-environment_issue'."""


class Capability(NamedTuple):
    """One skill."""

    name: str
    path: str
    """Of its SKILL.md, absolute."""
    made: float | None
    pattern: str
    """The key of the pattern that it was made from."""
    there: bool
    changed: bool | None
    """Whether somebody has changed it since; None: it is gone, or nobody wrote down what it was."""


def list_installed_skills(vault: Vault, home: Home) -> list[Capability]:
    """Every skill that the log of this home says was made and not taken away, oldest first."""
    kept = audit.find_log_home(home)
    return [_load_capability(vault, kept, event) for event in _list_installed_events(vault, kept)]


def remove(vault: Vault, home: Home, name: str, *, who: str, confirmed: bool = False) -> Receipt:
    """Move a skill to the trash, take its line out of the index, and have its pattern active again: one write.

    Raises RefusedError for a skill that memtui did not make, UnconfirmedError where somebody has changed it since and
    nobody `confirmed` that this goes, too, and what `Vault.apply` does.
    """
    kept = audit.find_log_home(home)
    event = next((one for one in _list_installed_events(vault, kept) if one.name == name), None)
    if event is None:
        raise RefusedError(_("memtui made no skill {name} that is still there.").format(name=name))
    stands = _load_capability(vault, kept, event)
    if stands.there and stands.changed is not False and not confirmed:
        raise UnconfirmedError(
            _("{path} was changed since it was made. Say so, and it goes to the trash as it is.").format(
                path=stands.path
            )
        )
    place = find_skill_place(kept, vault.config.evolution)
    at = _anchor(kept, vault, event)
    wanted: list[Change] = []
    base = vault.bytes_of(at.root, at.path) if at is not None and stands.there else None
    if at is not None and base is not None:
        wanted.append(Edit(at.root, at.path, base, (), remove=True))
    index = place.listed
    line = remove_index_line(index, vault.bytes_of(index.root, index.path), name)
    gone = event._replace(done="gone", time=clock.now(), path=stands.path, many=0)
    state = update_generator_state(vault, kept, gone)
    wanted += [*([line] if line else []), append_skill_event(vault, kept, gone), *([state] if state else [])]
    if event.pattern:
        why = _("the skill {name} was removed").format(name=name)
        wanted.append(append_skill_settling(vault, kept, event.pattern, "active", why, who))
    pen = vault.beside([kept, index.home, *([at.home] if at is not None else [])])
    what = _("removed the skill {name}").format(name=name)
    receipt = pen.apply(wanted, verb="delete", who=who, what=what, confirmed=True)
    if at is not None and base is not None:
        # Nothing is in it any more, unless somebody put something beside the skill: then it stays.
        with suppress(OSError):
            os.rmdir(os.path.dirname(at.file))
    return receipt


def _list_installed_events(vault: Writing, kept: Home) -> list[Event]:
    state, events = read(vault, kept)
    found: dict[str, Event] = {}
    for event in events:
        found.pop(event.name, None)
        if event.done == "made":
            found[event.name] = event
    told = {event.name for event in events}
    for event in state.generated:
        if event.name not in told:
            found.setdefault(event.name, event)
    return [event for event in found.values() if _NAME.fullmatch(event.name)]


def _load_capability(vault: Writing, kept: Home, event: Event) -> Capability:
    at = _anchor(kept, vault, event)
    data: bytes | None = None
    if at is not None:
        with suppress(MemtuiError):
            data = vault.bytes_of(at.root, at.path)
    there = data is not None
    changed = compute_etag(data) != event.digest if data is not None and event.digest else None
    path = event.path if at is None else at.file
    return Capability(event.name, path, event.time, event.pattern.partition(" @")[0], there, changed)


def _anchor(kept: Home, vault: Writing, event: Event) -> Anchor | None:
    """Where the skill stands: only ever below a directory of skills, whatever the log says. None: nowhere we know."""
    folders = list_skill_directories(kept, vault.config.evolution)
    said = os.path.normpath(os.path.expanduser(event.path)) if event.path else ""
    for folder in folders:
        file = folder / event.name / SKILL
        with suppress(MemtuiError):
            if said and resolve_real_path(said) != resolve_real_path(file):
                continue
            return anchor_file(file, above=folder)
        return None
    return None
