"""What a person says of signals: seen to, left out of account, heeded again; a skill drafted; old sessions heard."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memtui.locale import _, _n
from memtui.safety.safe_text import safe_text
from memtui.tui import draw
from memtui.tui.asking import ask
from memtui.tui.learnt import Lesson
from memtui.tui.prompt import Prompt
from memtui.tui.verb_table import JUDGES

if TYPE_CHECKING:
    from collections.abc import Callable

    from memtui.curation.candidates import Candidate
    from memtui.evolution.events import PatternStatus
    from memtui.model import Home
    from memtui.tui.hand import Hand
    from memtui.tui.learnt import Problem
    from memtui.tui.panes.evolution import EvolutionView

SETTLES = frozenset({"resolve", "suppress", "draft"})


def why_not(view: EvolutionView, verb: str) -> str | None:
    """Why it cannot be said here, as a source string; None: ask as in any list."""
    if verb in SETTLES:
        return "" if view.problem() is not None else "There is no signal under the cursor."
    if verb == "backfill":
        unheard = sum(learnt.overview.unheard for learnt in view.found.homes)
        return "" if unheard else "Every session here has been analyzed already."
    if verb in JUDGES and isinstance(view.item, Lesson) and view.item.memory is None:
        return "What this refers to is nowhere to be found."
    return None


def do(view: EvolutionView, hand: Hand, verb: str) -> bool:
    """Say it; False where it means here what it means everywhere."""
    problem = view.problem()
    if verb == "backfill":
        backfill(view, hand)
    elif problem is None or verb not in SETTLES:
        return False
    elif verb == "draft":
        draft(view, hand, problem)
    else:
        settle(view, hand, problem, "addressed" if verb == "resolve" else "suppressed")
    return True


def settle(view: EvolutionView, hand: Hand, problem: Problem, status: PatternStatus) -> None:
    """Addressed or suppressed, with a reason if there is one; what is so already is heeded again."""
    from memtui.evolution import settling

    pattern, home = problem.pattern, problem.learnt.home

    def write(status: PatternStatus, reason: str = "") -> None:
        hand.write(lambda: settling.settle(hand.vault, home, pattern.key, status, reason), then=view.again)

    if pattern.status == status or (pattern.status == "suppressed" and status == "addressed"):
        write("active")
        return
    title = _("Resolved") if status == "addressed" else _("Ignore from now on")
    told = draw.one_line(pattern.key) + "\n" + settling.remark(pattern, status, hand.vault.config.evolution)
    hint = _("Why? Enter alone gives no reason.")
    sheet = Prompt(title, told=told.strip(), hint=hint, placeholder=_("reason, or nothing"))
    ask(hand, sheet, lambda reason: write(status, reason))


def draft(view: EvolutionView, hand: Hand, problem: Problem) -> None:
    """A skill against it, for Review; gates that are shut are named, and hold nobody up who asks for it."""
    from memtui.evolution.skills import capability

    home, key = problem.learnt.home, problem.pattern.key
    shut = [_(gate.title) for gate in problem.learnt.overview.gates if not gate.open]

    def job() -> Candidate:
        return capability.propose(hand.vault, home, key, force=True, who="person")

    def done(candidate: Candidate) -> None:
        name = candidate.draft.title if candidate.draft is not None else candidate.text
        shown = _("drafted {name}").format(name=draw.cut(draw.one_line(name), 40))
        said = [shown, _("5 shows it"), _("u undo")]
        if shut:
            gates = ", ".join(map(draw.one_line, shut))
            said.append(_n("gate still shut: ", "gates still shut: ", len(shut)) + gates)
        hand.screen.say(" · ".join(said))
        view.context.waiting.wanted = candidate.id
        view.context.waiting.again()
        view.again()

    hand.screen.say(_("drafting a skill …"))
    hand.writer.write(job, done, lambda error: hand.refuse(error, job=job))


def backfill(view: EvolutionView, hand: Hand) -> None:
    """Hear every session that stands in no log yet, home by home, while the screen goes on."""
    from memtui.evolution import backfill as hearing

    screen = hand.screen
    homes = [learnt.home for learnt in view.found.homes if learnt.overview.unheard]

    def tell(done: int, total: int) -> None:
        told = _("analyzed {done:,}/{total:,}").format(done=done, total=total)
        screen.reader.later(lambda: screen.say(told))

    def job(_cancelled: Callable[[], bool]) -> int:
        return sum(one(home) for home in homes)

    def one(home: Home) -> int:
        return hearing.backfill(hand.vault, home, progress=tell, who="person")

    def done(number: int) -> None:
        told = _n("analyzed {count} old session", "analyzed {count} old sessions", number)
        screen.say(" · ".join([safe_text(told), *([_("u undo")] if number else [])]))
        view.again()
        hand.changed()

    screen.say(_("listening to old sessions …"))
    screen.reader.ask("backfill", job, done)
