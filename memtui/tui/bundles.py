"""What leaves the app as a file and what comes in from one: memories exported, imported into Review, the year's card.

Files are written into the directory that memtui was started in, beside those that are there already. What is imported
waits in Review of an open home: nothing is kept unasked, and one undo takes all of it back.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from memtui.core.errors import MemtuiError, RefusedError
from memtui.core.locale import _, _n
from memtui.lifecycle import bundle
from memtui.safety.sanitize import sanitize_text
from memtui.store.happenings import CARD, count_year, draw_card, list_facts, save_card
from memtui.store.project import find_own_home
from memtui.tui.choices import Choice
from memtui.tui.row_list import Fixed
from memtui.tui.sheets import Prompt

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from memtui.core.model import Filter, Home
    from memtui.lifecycle.bundle import ImportPlan
    from memtui.tui.mutations import Hand, HandScreen


class ImportPrompt(Prompt):
    """Asks what is imported."""

    KEYS: ClassVar[dict[str, str]] = {"item.open": "import", "app.back": "cancel"}


EXPORT = "memtui-export"
"""The stem of a file's name."""


def choose_free_name(stem: str, ending: str) -> str:
    """A path in the directory that memtui was started in, where nothing is yet."""
    names = (f"{stem}{f'-{number}' if number else ''}{ending}" for number in range(100))
    return os.path.abspath(next((name for name in names if not os.path.lexists(name)), stem + ending))


def save_year(hand: Hand) -> None:
    """A picture of the last year; it is said where."""
    screen = hand.screen
    light = not screen.app.current_theme.dark

    def save() -> str:
        counts = count_year(screen.context.vault)
        path = choose_free_name(*os.path.splitext(CARD))
        save_card(path, draw_card(counts, light=light))
        return " · ".join([_("saved {path}").format(path=path), *list_facts(counts)[:3]])

    _save(screen, save)


def export_memories(hand: Hand) -> None:
    """Ask for the form, then save what the homes that are shown hold."""
    screen = hand.screen
    forms = ((".json", _("one JSON bundle, which `memtui import` reads")), (".md", _("Markdown, for people")))
    rows = [
        Fixed(ending, ((f" {number} ", "accent"), (told, "")), value=ending)
        for number, (ending, told) in enumerate(forms, 1)
    ]
    asked = screen.context.scope()
    sheet = Choice(_("Export"), rows, screen.context.look, hint=_("enter saves it, secrets masked"))
    screen.app.push_screen(
        sheet, lambda ending: _save(screen, lambda: _export(screen, asked, ending)) if ending else None
    )


def _export(screen: HandScreen, asked: Filter, ending: str) -> str:
    """Save it, and say where and how much. On a reader's thread."""
    vault = screen.context.vault
    found = list(vault.memories(asked, "path"))
    if not found:
        raise RefusedError(_("There is nothing to export."))
    text = (
        "\n".join(bundle.render_markdown(found, vault.homes))
        if ending == ".md"
        else json.dumps(bundle.build_bundle(found, vault.homes), ensure_ascii=False, indent=2)
    )
    path = choose_free_name(EXPORT, ending)
    save_card(path, text + "\n")
    told = _n("{count:,} memory", "{count:,} memories", len(found)).format(count=len(found))
    return f"{_('saved {path}').format(path=path)} · {told}"


def _save(screen: HandScreen, save: Callable[[], str]) -> None:
    """Have a file saved on a reader's thread, and say what came of it."""

    def job(_cancelled: Callable[[], bool]) -> str:
        try:
            return save()
        except MemtuiError as error:
            return str(error)

    screen.reader.ask("save", job, lambda told: screen.say(sanitize_text(told)))


# -- in ---------------------------------------------------------------------------------------------------------------


def choose_goal(homes: Sequence[Home]) -> Home | None:
    """The open home that an import goes to: memtui's own, else the project's, else the first that may be written."""
    own = find_own_home().path
    open_ones = [home for home in homes if home.writable]
    return min(open_ones, key=lambda home: (home.path != own, not home.current), default=None)


def import_memories(hand: Hand) -> None:
    """Ask what from, say what would come of it, and have it wait in Review where that is wanted."""
    screen = hand.screen
    goal = choose_goal(screen.context.vault.homes)
    if goal is None:
        screen.say(_("No open home may be written. Make one: ^p, then make a home."))
        return
    hint = _("The home of any tool, its database, a bundle of `memtui export`, or a Markdown or JSON file.")

    def explain(text: str) -> str:
        return "" if text and os.path.exists(os.path.expanduser(text)) else _("There is no such file.")

    def answered(text: str | None) -> None:
        if text:
            screen.say(_("reading …"))
            screen.reader.ask("import", lambda _c: _plan(screen, text, goal), show, behind=True)

    def show(plan: ImportPlan | str) -> None:
        """Ask whether it is to wait, or say why nothing would."""
        if isinstance(plan, str):
            screen.say(plan)
            return
        screen.say("")
        screen.windows.ask(
            _("Import"),
            sanitize_text("\n\n".join(describe_plan(plan, screen.context.name(goal)))),
            _("import"),
            lambda: _carry_out(hand, plan),
        )

    sheet = ImportPrompt(_("Import from"), hint=hint, placeholder="~/.codex", check=explain)
    screen.app.push_screen(sheet, answered)


def _plan(screen: HandScreen, source: str, goal: Home) -> ImportPlan | str:
    """What would wait; a sentence where nothing would. On a reader's thread."""
    context = screen.context
    try:
        _kind, found = bundle.load_foreign(Path(source), context.config, context.scope()._replace(homes=frozenset()))
        plan = bundle.plan_import(found, context.vault, goal)
    except (MemtuiError, OSError) as error:
        return sanitize_text(str(error))
    return plan if plan.drafts else " · ".join([_("nothing new"), *_list_left(plan)])


def _list_left(plan: ImportPlan) -> list[str]:
    return [
        _n("{count:,} is left: {reason}", "{count:,} are left: {reason}", number).format(count=number, reason=reason)
        for reason, number in plan.left.most_common()
    ]


def describe_plan(plan: ImportPlan, home: str) -> list[str]:
    """How many would wait, what is left and why, and what to look at, in a sentence each."""
    count = len(plan.drafts)
    told = _n(
        "{count:,} memory would wait in Review for {home}", "{count:,} memories would wait in Review for {home}", count
    )
    out = [told.format(count=count, home=home), *_list_left(plan)]
    if plan.masked:
        told = _n("In {count:,} a secret is masked.", "In {count:,} secrets are masked.", plan.masked)
        out.append(told.format(count=plan.masked))
    if plan.orders:
        told = _n(
            "{count:,} reads like an order to agents: look at it before you approve.",
            "{count:,} read like orders to agents: look at them before you approve.",
            plan.orders,
        )
        out.append(told.format(count=plan.orders))
    return out


def _carry_out(hand: Hand, plan: ImportPlan) -> None:
    """Have it wait, and say so."""
    screen = hand.screen

    def done(count: int) -> None:
        told = _n("{count} memory imported into Review", "{count} memories imported into Review", count)
        screen.say(" · ".join([told.format(count=count) + " (5)", _("u undo")]))
        hand.written.append("")
        screen.context.waiting.again()
        hand.changed()

    hand.writer.write(lambda: bundle.carry_out(screen.context.vault, plan), done, lambda error: screen.say(str(error)))
