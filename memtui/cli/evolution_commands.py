"""`memtui evolution`: what comes back and what helps, how patterns stand, the report, and skills made of them.

The verbs on skills, patterns and experiences come first; the command itself, with its lists, stands below them.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from memtui.cli import documents, render, review_commands, sessions_commands
from memtui.cli.documents import make_jsonable
from memtui.cli.opening import ProgressBar, load_analyses, open_vault
from memtui.cli.options import DRY_RUN, EVERYWHERE, NARROW, Argument, Command, CommandOption
from memtui.core.errors import UnavailableError, UsageError
from memtui.core.locale import _, _n
from memtui.core.model import Layer
from memtui.evolution import audit, effects, experiences, overview, patterns, skill_proposals, skill_records
from memtui.evolution.sessions_read import backfill, list_unread_sessions

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from memtui.core.model import Home, Memory
    from memtui.evolution.audit import PatternStatus, Verdicts
    from memtui.evolution.effects import Overview, Pattern
    from memtui.store.vault import Vault


def draft(opened: Vault, home: Home, asked: EvolutionRequest) -> int:
    """A skill drafted from what comes back; it waits in Review."""
    key = find_pattern(load_home_overview(opened, home), asked.name).key if asked.name else ""
    made = skill_proposals.propose(opened, home, key, force=asked.force, who="person")
    if asked.as_json:
        render.print_document({"candidate": review_commands.dump_candidate(made)})
    else:
        review_commands.print_candidates([made])
        render.print_remark(_("It waits: `memtui review show {id}`.").format(id=made.id[: review_commands.SHOWN]))
    return 0


def list_made_skills(opened: Vault, home: Home, asked: EvolutionRequest) -> int:
    """Those that were installed."""
    found = skill_records.list_installed_skills(opened, home)
    if asked.as_json:
        render.print_document({"home": str(home.path), "skills": [make_jsonable(one._asdict()) for one in found]})
    elif found:
        render.print_table(
            [
                render.Column(_("skill"), render.BOLD),
                render.Column(_("from")),
                render.Column(_("where"), render.CYAN, grows=True),
            ],
            [[one.name, one.pattern, one.path] for one in found],
        )
    else:
        render.print_remark(_("No skill was made of a pattern yet."))
    return 0 if found else 1


def remove(opened: Vault, home: Home, asked: EvolutionRequest) -> int:
    """Take a skill away; its pattern is active again."""
    receipt = skill_records.remove(opened, home, asked.name, who="person", confirmed=asked.force)
    if asked.as_json:
        render.print_document({"removed": asked.name, "receipt": documents.dump_receipt(receipt)})
    else:
        documents.say([receipt])
    return 0


NEAR = 8
"""Patterns that are named where none was meant."""


def settle(status: PatternStatus, opened: Vault, home: Home, asked: EvolutionRequest) -> int:
    """A pattern stands so from now on."""
    one = find_pattern(load_home_overview(opened, home), asked.name)
    told = patterns.explain_settling(one, status, opened.config.evolution)
    receipt = patterns.settle(opened, home, one.key, status, asked.reason)
    if asked.as_json:
        render.print_document(
            {"pattern": one.key, "status": status, "remark": told or None, "receipt": documents.dump_receipt(receipt)}
        )
    else:
        documents.say([receipt])
        if told:
            render.print_remark(told)
    return 0


def find_pattern(found: Overview, name: str) -> Pattern:
    """The pattern that a person means: by its key, by what it is about, or by a beginning of either. Or UsageError."""
    every = (*found.patterns, *found.problems)
    exact = [one for one in every if name in {one.key, one.about}]
    near = exact or [one for one in every if one.key.startswith(name) or one.about.startswith(name)]
    near = near or [one for one in every if all(word in one.key for word in name.split())]
    if len(near) == 1 or (exact and len({one.key for one in exact}) == 1):
        return near[0]
    told = ", ".join(one.key for one in (near or every)[:NEAR])
    if not told:
        raise UsageError(_("No pattern is known here yet."))
    raise UsageError(
        (_("'{name}' may be several: {found}") if near else _("There is no pattern '{name}': {found}")).format(
            name=name[:80], found=told
        )
    )


def judge(verdict: Verdicts, opened: Vault, home: Home, asked: EvolutionRequest) -> int:
    """Somebody says what an experience is worth."""
    memory = _find_memory(opened, asked.name)
    receipt = experiences.append_verdict(opened, memory, verdict, asked.reason)
    if asked.as_json:
        render.print_document({"memory": memory.id, "verdict": verdict, "receipt": documents.dump_receipt(receipt)})
    else:
        documents.say([receipt])
    return 0


def _find_memory(opened: Vault, name: str) -> Memory:
    memory = opened.memory(name) or effects.find_experience(experiences.load_known_experiences(opened), name)
    if memory is None:
        raise UsageError(_("There is no memory '{id}': `memtui evolution effects` names some.").format(id=name[:80]))
    return memory


SHELF = sessions_commands.LayerListing("evolution", (Layer.EVOLUTION,))
SETTLES: Mapping[str, PatternStatus] = {"resolve": "addressed", "suppress": "suppressed", "reopen": "active"}
"""What a verb makes of a pattern (spec 002)."""
JUDGES: tuple[Verdicts, ...] = ("helpful", "wrong", "stale")


class EvolutionRequest(NamedTuple):
    """A verb's words and options."""

    words: tuple[str, ...]
    reason: str
    write: bool
    dry_run: bool
    force: bool
    limit: int
    as_json: bool

    @property
    def name(self) -> str:
        """The words as one."""
        return " ".join(self.words).strip()


def run(
    verb: str | None,
    words: tuple[str, ...],
    *,
    reason: str | None,
    write: bool,
    dry_run: bool,
    force: bool,
    limit: int,
    home: tuple[str, ...],
    as_json: bool,
    **narrow: Any,
) -> int:
    """List or show events, or do what a verb says; 1 where there is nothing."""
    asked = EvolutionRequest(words, reason or "", write, dry_run, force, limit, as_json)
    _check_fits(verb or "list", asked, narrow)
    if verb not in _DOES:
        return sessions_commands.run_layers(SHELF, verb, words, limit=limit, home=home, as_json=as_json, **narrow)
    with open_vault(home) as opened:
        chosen = _choose_home(opened)
        if len(opened.homes) > 1 and not as_json:
            render.print_remark(
                _("{home}, one of {count} homes; --home names another").format(
                    home=render.make_safe_line(chosen.label), count=len(opened.homes)
                )
            )
        return _DOES[verb](opened, chosen, asked)


def _check_fits(verb: str, asked: EvolutionRequest, narrow: dict[str, Any]) -> None:
    """Raises UsageError for what cannot be meant together."""
    for name, value, verbs in (
        ("reason", asked.reason, (*SETTLES, *JUDGES)),
        ("write", asked.write, ("report",)),
        ("dry-run", asked.dry_run, ("backfill",)),
        ("force", asked.force, ("skill", "remove")),
        ("limit", asked.limit != sessions_commands.LIMIT, ("list", "effects")),
    ):
        if value and verb not in verbs:
            raise UsageError(_("--{name} belongs to `memtui evolution {verb}`.").format(name=name, verb=verbs[0]))
    stray = next((name for name, value in narrow.items() if value not in ("", None, (), False)), "")
    if stray and verb not in {"list", "show"}:
        raise UsageError(_("--{name} belongs to `memtui evolution {verb}`.").format(name=stray, verb="list"))
    wants = verb in {*SETTLES, *JUDGES, "remove"}
    if wants and not asked.name:
        raise UsageError(_("Which one? `memtui evolution {verb} NAME`.").format(verb=verb))
    if verb in {"signals", "effects", "gates", "report", "backfill", "skills"} and asked.words:
        raise UsageError(_("'{word}' is one word too many.").format(word=asked.words[0]))


def _choose_home(opened: Vault) -> Home:
    """The home that most is known of: the first of those open that has most sessions."""
    if not opened.homes:
        raise UsageError(_("No home is open: `memtui homes` says what was found."))
    if len(opened.homes) == 1:
        return opened.homes[0]
    analyst = load_analyses(opened, "overview")

    def known(home: Home) -> int:
        learned = analyst.load_overview(home)
        return len(learned.overview.sessions) if learned is not None else 0

    return max(opened.homes, key=lambda home: (known(home), audit.has_log(home)))


def load_home_overview(opened: Vault, home: Home) -> Overview:
    """What this home has learnt from use, as it is now."""
    learned = load_analyses(opened, "overview").load_overview(home)
    if learned is None:
        raise UnavailableError(_("{home} cannot be read now.").format(home=home.label))
    return learned.overview


def _show_signals(opened: Vault, home: Home, asked: EvolutionRequest) -> int:
    found = load_home_overview(opened, home)
    if asked.as_json:
        render.print_document(documents.dump_signals(found))
    elif found.patterns:
        documents.say_signals(found)
    else:
        render.print_remark(
            _n("No signals in {count} session.", "No signals in {count} sessions.", len(found.sessions))
        )
    if found.unheard and not asked.as_json:
        told = _n("{count} session is not analyzed yet", "{count} sessions are not analyzed yet", found.unheard)
        render.print_remark(told + _(": `memtui evolution backfill` does that."))
    return 0 if found.patterns else 1


def _show_effects(opened: Vault, home: Home, asked: EvolutionRequest) -> int:
    found = load_home_overview(opened, home)
    if asked.as_json:
        render.print_document(documents.dump_effects(found))
    elif found.effects:
        documents.say_effects(found, asked.limit)
    else:
        render.print_remark(_("No use of an experience is noted here yet."))
    return 0 if found.effects else 1


def _show_gates(opened: Vault, home: Home, asked: EvolutionRequest) -> int:
    found = load_home_overview(opened, home)
    if asked.as_json:
        render.print_document(documents.dump_gates(found))
    else:
        documents.say_gates(found.gates)
    return 0 if all(gate.open for gate in found.gates) else 1


def _report(opened: Vault, home: Home, asked: EvolutionRequest) -> int:
    told = overview.render_report(load_home_overview(opened, home))
    receipt = overview.write(opened, home, who="person") if asked.write else None
    if asked.as_json:
        render.print_document({
            "home": str(home.path), "path": overview.PATH, "report": told,
            "receipt": documents.dump_receipt(receipt) if receipt is not None else None,
        })  # fmt: skip
    elif receipt is not None:
        documents.say([receipt])
    elif not asked.write:
        render.print_line(render.make_safe_text(told).rstrip("\n"))
    else:
        kept = audit.has_log(home)
        render.print_remark(
            _("The report says so already.") if kept else _("This home keeps no report: it is only shown.")
        )
        return 0 if kept else 3
    return 0


def _backfill(opened: Vault, home: Home, asked: EvolutionRequest) -> int:
    if asked.dry_run:
        waiting = list_unread_sessions(opened, home)
        if asked.as_json:
            render.print_document({"home": str(home.path), "sessions": [one.session for one in waiting], "heard": 0})
        else:
            for one in waiting:
                render.print_line(render.make_safe_line(one.session))
            render.print_remark(
                _n("{count} session would be analyzed", "{count} sessions would be analyzed", len(waiting))
            )
        return 0 if waiting else 1
    bar = ProgressBar(_("analyzing {label}"))
    try:
        done = backfill(opened, home, progress=partial(bar, home), who="person")
    finally:
        bar.done()
    if asked.as_json:
        render.print_document({"home": str(home.path), "heard": done})
    elif done:
        render.print_remark(_n("analyzed {count} past session.", "analyzed {count} past sessions.", done))
    else:
        render.print_remark(_("Every session has been analyzed already."))
    return 0 if done else 1


_DOES: dict[str, Callable[[Vault, Home, EvolutionRequest], int]] = {
    "signals": _show_signals,
    "effects": _show_effects,
    "gates": _show_gates,
    **{verb: partial(settle, status) for verb, status in SETTLES.items()},
    **{verb: partial(judge, verb) for verb in JUDGES},
    "report": _report,
    "backfill": _backfill,
    "skill": draft,
    "skills": list_made_skills,
    "remove": remove,
}
VERBS = ("list", "show", *_DOES)

COMMAND = Command(
    "evolution",
    "Learning from use (spec 002). `list` and `show` give audit events, reports and capabilities.\n\n"
    "`signals` shows what comes back from session to session, by type and by what it is about, with the lines it was "
    "found in. `resolve`, `suppress` and `reopen` say how a PATTERN stands. `effects` shows what experiences did; "
    "`helpful`, `wrong` and `stale` say what one is worth. `gates` shows what stands before a new skill, `skill` "
    "drafts one for Review, `skills` lists those installed, `remove` takes one away. `report` prints the report on "
    "signals, `backfill` analyzes past sessions.",
    run,
    (
        Argument("verb", choices=VERBS, metavar=f"[{'|'.join(VERBS)}]"),
        Argument("words", many=True, metavar="[ID|PATTERN|NAME]"),
    ),
    (
        *NARROW,
        CommandOption(("--reason",), "Why, for whoever looks later.", metavar="TEXT"),
        CommandOption(("--write",), "Write the report into the home.", "flag"),
        DRY_RUN,
        CommandOption(("--force",), "Draft a skill although a gate is shut, or remove one that was changed.", "flag"),
        CommandOption(("--limit", "-n"), "How many at most.", "int", sessions_commands.LIMIT, least=1, metavar="N"),
        *EVERYWHERE,
    ),
    epilog="PATTERN is a key as `signals` shows it (environment_issue, environment_issue:docker), or a beginning that "
    "no other has. Exit status: 0 done, 1 nothing there (gates: one is shut), 2 wrong use, 3 refused, 4 could not.",
)
