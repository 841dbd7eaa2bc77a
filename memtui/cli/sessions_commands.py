"""`memtui profile`, `facts` and `sessions`: what each layer holds, as a list or one memory whole.

`sessions` also says which session this is, writes one down, and collects those of other nodes.
"""

from __future__ import annotations

import os
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from memtui.cli import documents, facts_commands, render
from memtui.cli.facts_commands import drain_spool
from memtui.cli.opening import format_place, load_settings, open_vault, shorten_path
from memtui.cli.options import (
    EVERYWHERE,
    NARROW,
    OPTIONS,
    PROFILE_VERBS,
    WRITING_VERBS,
    Argument,
    Command,
    CommandOption,
    build_filter,
)
from memtui.consolidation import worker
from memtui.consolidation.worker import capture_session
from memtui.core.errors import UsageError
from memtui.core.locale import _, _n
from memtui.core.model import Layer, Status
from memtui.layouts.discovery import discover_homes, open_home_at
from memtui.sessions import jobs
from memtui.sessions.collect import collect, name_node, publish, sync, why_not
from memtui.sessions.identify import find_current_session, find_named_session, list_id_forms
from memtui.store import project
from memtui.store.project import detect_session_surroundings, open_session_vault
from memtui.store.vault import Vault

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from memtui.core.config import Config
    from memtui.core.model import Filter, Memory
    from memtui.language.conversation import Session

LIMIT = 50
"""How many rows a list shows unless more are asked for."""


WHERE = 28
"""Cells of a file's name on a terminal: its end says more than its beginning."""


class LayerListing(NamedTuple):
    """What one command lists."""

    name: str
    layers: tuple[Layer, ...]
    writes: tuple[str, ...] = ()
    """Its verbs that change something."""
    heads_only: bool = False
    """List sessions by their heads; what was decided in them is shown with the session."""


def run_layers(
    shelf: LayerListing,
    verb: str | None,
    words: tuple[str, ...],
    *,
    limit: int,
    home: tuple[str, ...],
    as_json: bool,
    **said: Any,
) -> int:
    """List the layer's memories, show one, or do what a verb says; 1 where there is nothing."""
    narrow = {name: said.pop(name) for name in ("kind", "status", "since", "until", "path")}
    if verb in shelf.writes:
        said |= {"kind": narrow["kind"], "home": home, "as_json": as_json}
        return facts_commands.run(verb, words, shelf.layers[0], **said)
    stray = next((name for name, value in said.items() if value not in ("", None, (), False)), "")
    if stray:
        raise UsageError(_("--{name} belongs to a verb that writes.").format(name=stray.replace("_", "-")))
    which = words[0] if words else None
    if verb == "show" and not which:
        raise UsageError(_("Show which one? `memtui {name}` lists them with their ids.").format(name=shelf.name))
    if (verb != "show" and which) or len(words) > 1:
        raise UsageError(
            _("'{id}' is one word too many: `memtui {name} show {id}` shows it.").format(id=words[-1], name=shelf.name)
        )
    wanted = build_filter(layer=tuple(layer.value for layer in shelf.layers), **narrow)
    with open_vault(home) as opened:
        if verb == "show" and which:
            return documents.show(opened, which, as_json)
        return _list(shelf, opened, wanted, limit, as_json)


def _list(shelf: LayerListing, opened: Vault, wanted: Filter, limit: int, as_json: bool) -> int:
    found: Iterable[Memory] = opened.memories(wanted, "time")
    if shelf.heads_only and not wanted.kinds:
        found = (memory for memory in found if memory.layer is not Layer.SESSION or memory.kind == "session")
    shown = list(islice(found, limit + 1))
    more = len(shown) > limit
    del shown[limit:]
    if as_json:
        render.print_document({"memories": [documents.dump_memory(memory) for memory in shown], "more": more})
        return 0 if shown else 1
    if not shown:
        render.print_remark(
            _("Nothing here. `memtui homes` says what is open, `--status all` shows what no longer holds.")
        )
        return 1
    states = any(memory.status is not Status.ACTIVE for memory in shown)
    heads = [
        render.Column(_("when"), render.DIM),
        render.Column(_("kind"), render.GREEN),
        *([render.Column(_("status"), render.YELLOW)] if states else []),
        *([render.Column(_("sure"), right=True)] if any(m.confidence is not None for m in shown) else []),
        render.Column(_("id"), render.DIM),
        render.Column(_("memory"), grows=True),
        render.Column(_("where"), render.CYAN),
    ]
    sure = any(memory.confidence is not None for memory in shown)
    render.print_table(heads, [_make_row(memory, states, sure) for memory in shown])
    if more:
        render.print_remark(_("the newest {limit}; --limit shows more").format(limit=limit))
    return 0


def _make_row(memory: Memory, states: bool, sure: bool) -> list[str]:
    when = memory.updated if memory.updated is not None else memory.created
    text = f"{memory.title} — {memory.text}" if memory.title and memory.title not in memory.text else memory.text
    return [
        documents.format_when(when),
        memory.kind,
        *([memory.status.value] if states else []),
        *([_format_confidence(memory.confidence)] if sure else []),
        memory.id,
        text,
        _place(memory),
    ]


def _format_confidence(confidence: float | None) -> str:
    if confidence is None:
        return ""
    # A file may claim 1e308, which has as many digits as it says.
    return f"{confidence:.2f}" if abs(confidence) < 100 else f"{confidence:.1e}"


def _place(memory: Memory) -> str:
    if render.count_columns() is None:
        return format_place(memory.home, memory.path, memory.start)
    name = memory.path.rpartition("/")[2]
    if render.count_line_cells(name) > WHERE:
        name = render.ELLIPSIS + render.fit(name[::-1], WHERE)[:-1][::-1]
    return f"{name}:{memory.start}"


def _make_command(name: str, about: str, *layers: Layer, writes: tuple[str, ...] = ()) -> Command:
    verbs = ("list", "show", *writes)
    return Command(
        name,
        about,
        partial(run_layers, LayerListing(name, layers, writes)),
        (
            Argument("verb", choices=verbs, metavar=f"[{'|'.join(verbs)}]"),
            Argument(
                "words",
                many=True,
                metavar="[ID|TEXT]…" if writes else "[ID]",
                offers="offer_memories",
            ),
        ),
        (
            *NARROW,
            CommandOption(("--limit", "-n"), "How many at most, newest first.", "int", LIMIT, least=1, metavar="N"),
            *(OPTIONS if writes else ()),
            *EVERYWHERE,
        ),
        epilog="ID is the id in the list, the id its home gave it (fact-001), or PATH:LINE."
        + (" Exit status: 0 done, 1 nothing there, 2 wrong use, 3 refused, 4 could not." if writes else ""),
    )


PROFILE = _make_command(
    "profile",
    "What is remembered about you: your own files (L0), and MEMORY.md and its kin.",
    Layer.PROFILE,
    Layer.CORE,
    writes=PROFILE_VERBS,
)
FACTS = _make_command(
    "facts",
    "Facts, rules, summaries, patterns and topics (L1), newest first; and every verb that changes a memory.",
    Layer.KNOWLEDGE,
    writes=WRITING_VERBS,
)


SHELF = LayerListing("sessions", (Layer.SESSION, Layer.JOURNAL), heads_only=True)
VERBS = ("list", "show", "current", "capture", "retry", "collect", "publish", "bridge")
TRIGGERS = ("asked", "stage", "commit", "reset", "compaction", "end")
"""Moments at which a summary is written (spec 000)."""


def run(
    verb: str | None,
    words: tuple[str, ...],
    *,
    trigger: str | None,
    home: tuple[str, ...],
    as_json: bool,
    **narrow: Any,
) -> int:
    """List or show sessions, or do what a verb says."""
    if trigger is not None and verb != "capture":
        raise UsageError(_("--{name} belongs to `memtui sessions {verb}`.").format(name="trigger", verb="capture"))
    if verb not in VERBS[2:]:
        return run_layers(SHELF, verb, words, home=home, as_json=as_json, **narrow)
    narrow["limit"] = None if narrow["limit"] == LIMIT else narrow["limit"]
    stray = next((name for name, value in narrow.items() if value not in ("", None, (), False)), "")
    if stray:
        raise UsageError(_("--{name} belongs to `memtui sessions {verb}`.").format(name=stray, verb="list"))
    most = 0 if verb in {"bridge", "retry"} else 1
    if len(words) > most:
        raise UsageError(_("'{word}' is one word too many.").format(word=words[-1]))
    config = load_settings(warn=not as_json)
    if verb == "current":
        return _show_current(words[0] if words else "", config, as_json)
    if verb == "capture":
        return _capture(words[0] if words else "", trigger or "asked", config, as_json)
    if verb == "retry":
        return _retry(config, as_json)
    if verb == "collect":
        return _collect(words[0] if words else config.agents.collect, config, home, as_json)
    if verb == "publish":
        return _publish(words[0] if words else config.agents.outbox, config, home, as_json)
    return _bridge(config, home, as_json)


def _show_current(named: str, config: Config, as_json: bool) -> int:
    """Which session and project this is; with a name, whether that project is meant."""
    session = find_current_session(config)
    cwd = Path(session.cwd)
    key = project.resolve_project_key(named, cwd, config) if named else session.project
    meant = "" if key else project.suggest_project(named, _list_known_projects(config, session))
    if as_json:
        render.print_document(
            {
                **session._asdict(),
                "names": list(list_id_forms(session)),
                **({"named": named, "means": key or None, "did_you_mean": meant or None} if named else {}),
            }
        )
        return 0 if key else 1
    rows = [
        (_("session"), session.id),
        (_("agent"), session.agent or _("nobody knows")),
        (_("how"), session.how),
        (_("project"), session.name if session.name == session.project else f"{session.name} ({session.project})"),
        (_("directory"), shorten_path(session.cwd)),
        (_("transcript"), shorten_path(session.transcript) or _("none")),
    ]
    render.print_fields(rows)
    if named and key:
        render.print_remark(_("{name} is {key}.").format(name=named, key=key))
    elif named:
        render.print_remark(_("{name} is another project.").format(name=named) + _suggest_name(meant))
    return 0 if key else 1


def _suggest_name(meant: str) -> str:
    return " " + _("Did you mean {name}?").format(name=meant) if meant else ""


def _list_known_projects(config: Config, session: Session) -> list[str]:
    """The names of projects that there are memories of here."""
    homes = discover_homes(
        detect_session_surroundings(session, config), map(Path, config.homes.paths), config.homes.exclude
    )
    found = [session.name, session.project, *config.project.aliases]
    for home in homes:
        found += [os.path.basename(home.project.rstrip("/")), home.project if "/" not in home.project else ""]
        areas = home.path / "areas" / "projects"
        found += sorted(os.listdir(areas)) if areas.is_dir() else []
    return [name for name in dict.fromkeys(found) if name and ":" not in name]


def _capture(named: str, trigger: str, config: Config, as_json: bool) -> int:
    """Write the session down now: this one, or the one with this id."""
    done = capture_session(_find_session(named, config), config, trigger=trigger)
    if as_json:
        render.print_document(
            {
                "sentence": done.sentence,
                "path": done.path or None,
                "home": done.home or None,
                "written": done.written,
                "proposed": done.learned.proposed if done.learned else 0,
                "learned": done.learned.written if done.learned else 0,
                "noted": done.learned.noted if done.learned else 0,
                "failed": list(done.failed),
                "group": done.group or None,
            }
        )
    else:
        if done.path:
            render.print_line(render.paint(render.make_safe_line(os.path.join(done.home, done.path)), render.CYAN))
        render.print_remark(done.sentence)
        if done.written:
            render.print_remark(_("`memtui undo {id}` takes it back.").format(id=done.group))
    return 4 if done.failed else 0 if done.path else 1


def _retry(config: Config, as_json: bool) -> int:
    """Do now what was left to do, and what was given up."""
    jobs.requeue_jobs()
    before = len(jobs.list_jobs())
    # Hooks may have started a worker: it is waited for, as two at one session would write it down twice.
    worker.drain_alone(config, worker.PATIENCE)
    passed = worker.pass_on(config)
    left = jobs.list_jobs()
    if as_json:
        failed = [{"session": job.session.id, "kind": job.kind, "error": job.error} for job in left]
        told = {"sent": passed.sent, "waiting": passed.waiting} if config.agents.remote else {}
        render.print_document({"done": before - len(left), "failed": failed, **told})
    else:
        render.print_remark(_n("{count} job done", "{count} jobs done", before - len(left)))
        if passed.sent or passed.waiting:
            told_sent = _n("{count} record sent", "{count} records sent", passed.sent)
            told_rest = _n("{count} waits", "{count} wait", passed.waiting)
            render.print_remark("; ".join(filter(None, (told_sent, told_rest, passed.why))))
        for job in left:
            render.print_remark(f"{job.session.id or job.kind}: {job.error}")
    return 4 if left or passed.waiting else 0 if before or passed.sent else 1


def _find_session(named: str, config: Config) -> Session:
    """The session that a person names: an id, a beginning of one, or a transcript. Raises UsageError."""
    if not named:
        return find_current_session(config)
    session = find_named_session(named, config)
    if session is None:
        if os.path.isfile(os.path.expanduser(named)):
            raise UsageError(
                _("{path} lies outside of what agents keep: put it there, or its directory into homes.paths.").format(
                    path=named
                )
            )
        raise UsageError(
            _("There is no transcript of '{id}' here: name its file, or go to its project.").format(id=named)
        )
    return session


def _collect(directory: str, config: Config, home: Sequence[str], as_json: bool) -> int:
    """Copy the summaries of other nodes into the home that this project's sessions go to, or the one named."""
    if not directory:
        raise UsageError(_("Collect from where? `memtui sessions collect DIR`, or set agents.collect."))
    if len(home) > 1:
        raise UsageError(_("A memory goes to one home: name one with --home."))
    drain_spool(config)
    source = Path(directory).expanduser()
    if home:
        with Vault.open(list(home), config=config, wait=False) as vault:
            vault.current = False
            done = collect(vault, vault.homes[0], source)
    else:
        with open_session_vault(find_current_session(config), config) as (vault, place):
            done = collect(vault, place, source)
    if as_json:
        render.print_document(
            {
                "copied": list(done.copied),
                "same": done.same,
                "others": done.others,
                "kept": list(done.kept),
                "refused": [{"path": path, "reason": reason} for path, reason in done.refused],
                "receipts": [documents.dump_receipt(receipt) for receipt in done.receipts],
            }
        )
    else:
        documents.say(list(done.receipts))
        told = [_n("{count} file is new", "{count} files are new", len(done.copied))]
        told.append(_n("{count} was there", "{count} were there", done.same))
        if done.others:
            told.append(_n("{count} is another project's", "{count} are other projects'", done.others))
        if done.kept:
            told.append(_n("{count} was changed here and stays", "{count} were changed here and stay", len(done.kept)))
        render.print_remark("; ".join(told) + ".")
        for path, reason in done.refused:
            render.print_remark(_("not taken: {path}: {reason}").format(path=path, reason=reason))
    return 0 if done.copied or done.same or done.kept else 3 if done.refused else 1


def _publish(directory: str, config: Config, home: Sequence[str], as_json: bool) -> int:
    """Put this node's summaries, daily files and MEMORY.md where other nodes collect them."""
    if not directory:
        raise UsageError(_("Publish to where? `memtui sessions publish DIR`, or set agents.outbox."))
    if len(home) > 1:
        raise UsageError(_("Name one home with --home: one node has one."))
    if home:
        place = open_home_at(Path(home[0]))
    else:
        with open_session_vault(find_current_session(config), config) as (_vault, place):
            pass
    done = publish(place, Path(directory).expanduser(), config)
    if as_json:
        render.print_document({"written": list(done.written), "same": done.same, "node": name_node(config)})
    else:
        told = [_n("{count} file is new", "{count} files are new", len(done.written))]
        told.append(_n("{count} was there", "{count} were there", done.same))
        render.print_remark("; ".join(told) + ".")
    return 0 if done.written or done.same else 1


def _bridge(config: Config, home: Sequence[str], as_json: bool) -> int:
    """Tell Codex's memory what this project's knowledge base says."""
    why = why_not(config)
    receipt = None
    if not why:
        with open_vault(home, wait=False, config=config) as opened:
            receipt = sync(opened, config, cwd=Path.cwd())
    if as_json:
        told = documents.dump_receipt(receipt) if receipt is not None else None
        render.print_document({"written": receipt is not None, "reason": why or None, "receipt": told})
    elif receipt is not None:
        documents.say([receipt])
    else:
        render.print_remark(why or _("Codex was told that already."))
    return 3 if why else 0


COMMAND = Command(
    "sessions",
    "Sessions (L2) and journal notes, newest first. `show` gives a session with its turns.\n\n"
    "`current` says which session and project this is, and how that was recognised; with a NAME, whether that project "
    "is meant. `capture` writes a session's summary now: this one's, that of an ID, or of a transcript. `retry` does "
    "what hooks left to do and what failed. `collect` copies other nodes' summaries, daily files and MEMORY.md out of "
    "DIR (agents.collect), each with a line that says where it comes from; `publish` puts this node's own into DIR "
    "(agents.outbox). `bridge` tells Codex's memory what the project's knowledge base says, where "
    "agents.bridge is on.",
    run,
    (
        Argument("verb", choices=VERBS, metavar=f"[{'|'.join(VERBS)}]"),
        Argument("words", many=True, metavar="[ID|NAME|DIR]", offers="offer_memories"),
    ),
    (
        *NARROW,
        CommandOption(("--trigger",), "Why a summary is written, for the history.", choices=TRIGGERS, metavar="WHEN"),
        CommandOption(("--limit", "-n"), "How many at most, newest first.", "int", LIMIT, least=1, metavar="N"),
        *EVERYWHERE,
    ),
    epilog="ID is the id in the list, the id its home gave it, or PATH:LINE. "
    "Exit status: 0 done, 1 nothing there, 2 wrong use, 3 refused, 4 could not.",
)
