"""`memtui context`: what a session would be given at its start, and the switch for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from memtui.cli import render
from memtui.cli.opening import format_place, load_settings, open_vault, shorten_path
from memtui.cli.options import EVERYWHERE, Command, CommandOption
from memtui.core.errors import UsageError
from memtui.core.locale import _, _n
from memtui.evolution.effects import load_values
from memtui.sessions import jobs, rules
from memtui.sessions.central import load_central_start
from memtui.sessions.identify import find_current_session
from memtui.sessions.start import load_session_start

if TYPE_CHECKING:
    from memtui.core.config import Config
    from memtui.language.conversation import Session
    from memtui.sessions.packing import ContextItem, SessionContext

SOURCES = ("startup", "resume", "clear", "compact", "fork")


def run(
    *,
    session: str | None,
    source: str | None,
    characters: int | None,
    tokens: int | None,
    items: bool,
    off: bool,
    on: bool,
    project: bool,
    everywhere: bool,
    home: tuple[str, ...],
    as_json: bool,
) -> int:
    """Print exactly what an agent gets; 1 where that is nothing, with the reason."""
    config = load_settings(warn=not as_json)
    who = _choose_session(session, source, config)
    if off or on:
        if off and on:
            raise UsageError(_("Say --off or --on, not both."))
        if project and everywhere:
            raise UsageError(_("Say --project or --everywhere, not both."))
        return _switch(who, on, project, everywhere, named=session is not None, as_json=as_json)
    if project or everywhere:
        raise UsageError(_("--project and --everywhere go with --off or --on."))

    jobs.note_silent_session(who)
    context = config.context
    context = context._replace(
        characters=context.characters if characters is None else characters,
        tokens=context.tokens if tokens is None else tokens,
    )
    with open_vault(home, wait=False, config=config) as opened:
        if config.agents.remote:
            found, _problem = load_central_start(opened, who, config._replace(context=context), values=load_values)
        else:
            found = load_session_start(opened, who, config._replace(context=context), values=load_values)
        any_home = bool(opened.homes)
    if as_json:
        render.print_document(_answer(found, who))
    elif items:
        _print_table(found)
    elif found.text:
        render.print_line(render.make_safe_text(found.text))
    if not found.text and not as_json:
        render.print_remark(_explain_nothing(found, any_home, config, who))
    return 0 if found.text else 1


def _choose_session(id: str | None, source: str | None, config: Config) -> Session:
    """The session that is meant: the one that is going on here, or the one named."""
    found = find_current_session(config)
    if id is not None and id != found.id:
        # What is known of the session here is nothing about another one.
        found = found._replace(id=id, transcript="", sidechain=False, source="")
    return found if source is None else found._replace(source=source)


def _switch(who: Session, on: bool, project: bool, everywhere: bool, *, named: bool, as_json: bool) -> int:
    """Switch it, and say how it stands for this session now."""
    if everywhere:
        rules.switch_everywhere(on)
    elif project:
        rules.switch_project(who, on, load_settings(warn=False))
    elif named:
        rules.switch_session(who, on)
    else:
        raise UsageError(_("Say for what: --session ID, --project or --everywhere."))
    why = rules.explain_switch(who, load_settings(warn=False))
    if as_json:
        render.print_document({"on": not why, "session": who.id, "project": who.project, "reason": why or None})
    else:
        render.print_remark(why or _("Sessions here are given what is remembered."))
    return 0


def _explain_nothing(found: SessionContext, any_home: bool, config: Config, who: Session) -> str:
    if found.off:
        return found.off
    if config.agents.remote and not found.left:
        told = _("Neither this machine nor the central memory {host} remembers anything of {project} yet.")
        return told.format(host=urlsplit(config.agents.remote).netloc, project=who.name)
    if not any_home:
        return _("There is no memory home here: nothing is given.")
    if found.left:
        return _("Nothing of it fits: --items shows what, --characters and --tokens allow more.")
    return _("Nothing is remembered that a session would be given.")


def _print_table(found: SessionContext) -> None:
    """A row for each thing, with what it costs and why; then what was left out."""
    heads = (
        render.Column(_("layer"), render.BLUE),
        render.Column(_("kind")),
        render.Column(_("characters"), right=True),
        render.Column(_("tokens"), right=True),
        render.Column(_("where"), render.CYAN),
        render.Column(_("why"), render.DIM, grows=True),
    )
    render.print_table(heads, [_make_row(item) for item in found.items])
    if found.left:
        render.print_remark(_("Left out:"))
        render.print_table(heads, [_make_row(item) for item in found.left])
    if found.text:
        told = _n("{count} thing", "{count} things", len(found.items)).format(count=len(found.items))
        sizes = _("{things}: {characters} characters, about {tokens} tokens")
        render.print_remark(sizes.format(things=told, characters=f"{found.characters:,}", tokens=f"{found.tokens:,}"))


def _make_row(item: ContextItem) -> tuple[str, ...]:
    layer = item.layer.value if item.layer is not None else ""
    where = shorten_path(format_place(item.home, item.path, item.line)) if item.path else ""
    return layer, item.kind, f"{item.characters:,}", f"{item.tokens:,}", where, item.reason


def _answer(found: SessionContext, who: Session) -> dict[str, Any]:
    return {
        "text": found.text,
        "characters": found.characters,
        "tokens": found.tokens,
        "session": who.id,
        "source": who.source,
        "project": who.project,
        "off": found.off or None,
        "items": [_dump_item(item) for item in found.items],
        "left": [_dump_item(item) for item in found.left],
    }


def _dump_item(item: ContextItem) -> dict[str, Any]:
    return {**item._asdict(), "layer": item.layer.value if item.layer is not None else None}


COMMAND = Command(
    "context",
    "What a session would be given at its start: exactly that text, and with --items each thing with the reason for it."
    "\n\nNew sessions get your own files, core memory, the project's rules, the last summaries and the last days' "
    "facts; a resumed one its own summary and your own files. All of it is framed as data, within the budget of "
    "context.characters and context.tokens.",
    run,
    (),
    (
        CommandOption(("--session",), "The session with this id; else the one that is going on here.", metavar="ID"),
        CommandOption(("--source",), "How it begins.", choices=SOURCES, metavar="|".join(SOURCES)),
        CommandOption(("--characters",), "At most so many characters.", "int", least=1, metavar="N"),
        CommandOption(("--tokens",), "At most so many tokens, estimated.", "int", least=1, metavar="N"),
        CommandOption(("--items",), "A table of what is given and what is left out, and why.", "flag"),
        CommandOption(("--off",), "Give nothing from now on: with --session ID, --project or --everywhere.", "flag"),
        CommandOption(("--on",), "Take --off back.", "flag"),
        CommandOption(("--project",), "With --off or --on: the sessions of this project.", "flag"),
        CommandOption(("--everywhere",), "With --off or --on: all sessions.", "flag"),
        *EVERYWHERE,
    ),
    epilog="Exit status: 0 given, 1 nothing is given, 2 wrong use, 4 could not.",
)  # fmt: skip
