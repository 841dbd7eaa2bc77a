"""Verbs on memories in a list: selecting, those that ask for a line of text, judging, moving and merging.

- Selecting: one and step down, from here to there, all that are listed or none.
- Verbs that ask for a line of text first: edit here, new, supersede, tags, expiry.
- What a person says of an experience, which counts in its effect (spec 002): it helped, it is wrong, it no
  longer fits.
- Verbs that put memories elsewhere, together or away: archive and restore, delete, move, merge, compare.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from memtui.core import clock
from memtui.core.edits import Draft
from memtui.core.errors import MemtuiError, RefusedError
from memtui.core.locale import _, _n
from memtui.core.model import MARKDOWN, Filter, Layer, Memory, Status
from memtui.core.startup import compile_pattern
from memtui.evolution import experiences
from memtui.formats.dates import extend_to_day_end
from memtui.layouts import can_take, load_layout, name_layout
from memtui.store import retention, verbs
from memtui.store.append import append
from memtui.store.standing import find_file_format
from memtui.team.offers import change_shared
from memtui.tui import candidate_rows, editing
from memtui.tui import draw as draw_module
from memtui.tui.choices import TypedChoice
from memtui.tui.row_list import Fixed, is_selectable
from memtui.tui.sheets import LookSheet, Prompt, refuse_empty

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from memtui.core.edits import Receipt
    from memtui.core.model import Home, HomeOrigin
    from memtui.evolution.audit import Verdicts
    from memtui.store.vault import Vault
    from memtui.tui.context import PaneContext
    from memtui.tui.draw import Piece
    from memtui.tui.mutations import Hand
    from memtui.tui.row_list import Rows

SELECTING_MOST = 10_000
"""More than these are not selected at once."""


def toggle(hand: Hand) -> None:
    """Select what the cursor is on, and step down; or take it out of the selection."""
    rows = hand.rows()
    if rows is None or not is_selectable(rows.current):
        return
    rows.marks.toggle(rows.key(rows.cursor), rows.current)
    rows.forget_strips()
    rows.move("down")
    _tell(hand, rows)


def draw(hand: Hand) -> None:
    """From here to where the cursor goes; again ends it."""
    rows = hand.rows()
    if rows is None:
        return
    rows.marks.begin(rows.cursor)
    if rows.marks.anchor is not None:
        rows.marks.draw(rows, rows.cursor)
    _tell(hand, rows)


def select_all_rows(hand: Hand) -> None:
    """All that are listed; again none."""
    rows = hand.rows()
    if rows is None:
        return
    context = hand.screen.context
    items = list(rows.items)[:SELECTING_MOST]
    known = [rows.item(index) for index in range(len(items))]
    missing = [items[index] for index, item in enumerate(known) if item is None]

    def job(_cancelled: Callable[[], bool]) -> Mapping[Any, Any]:
        return context.load(missing)

    def show(found: Mapping[Any, Any]) -> None:
        """Select them; where each of them was selected already, none."""
        made = (found.get(reference) if item is None else item for reference, item in zip(items, known, strict=True))
        all_of_them = {item.id: item for item in made if item is not None and is_selectable(item)}
        if all_of_them.keys() <= rows.marks.items.keys():
            rows.marks.clear()
        else:
            rows.marks.items.update(all_of_them)
        rows.forget_strips()
        _tell(hand, rows)

    if missing:
        context.reader.ask("select", job, show)
    else:
        show({})


def _tell(hand: Hand, rows: Rows) -> None:
    # The status line has the number as long as there is one.
    hand.screen.say("" if rows.marks else _("nothing is selected"))


_KIND = compile_pattern(r"\[(\w[\w-]{0,23})\]\s+")
_TAGS = compile_pattern(r"(?:\s+#[^\s#]+)+\s*\Z")


def ask(hand: Hand, sheet: Prompt, then: Callable[[str], None]) -> None:
    """Ask, and go on with what was typed; nothing happens where somebody would rather not."""

    def answered(text: str | None) -> None:
        if text is not None:
            then(text)

    hand.screen.app.push_screen(sheet, answered)


def place(hand: Hand, memory: Memory) -> str:
    """Where a memory stands, for a title."""
    return draw_module.clip_to_line(f"{memory.path}:{memory.start}")


def edit(hand: Hand) -> None:
    """One memory in the person's editor; of a colleague's, in one line, what its owner is asked for."""
    if not _ask_colleague(hand):
        editing.edit_entry(hand)


def edit_inline(hand: Hand) -> None:
    """The text of one memory, in one line."""
    memory = hand.screen.desk.memory()
    assert memory is not None
    if _ask_colleague(hand):
        return
    if "\n" in memory.text:
        hand.screen.say(_("It has several lines: your editor has it."))
        editing.edit_entry(hand)
        return

    def write(text: str) -> None:
        if text != memory.text:
            hand.write(lambda: verbs.edit(hand.vault, hand.fresh(memory), {"text": text}), typed=text)

    title = _("Edit") + " · " + place(hand, memory)
    ask(hand, Prompt(title, memory.text, check=refuse_empty, hint=_("Enter saves it.")), write)


def _ask_colleague(hand: Hand) -> bool:
    """Ask for another text of the memory here where a colleague shares it, and whether one does."""
    memory = hand.screen.desk.memory()
    home = hand.screen.context.home(memory.home) if memory is not None else None
    if memory is None or home is None or home.origin is None:
        return False
    ask_owner_for(hand, memory, home.origin)
    return True


class AskPrompt(Prompt):
    """Asks for another text of what is somebody else's."""

    KEYS: ClassVar[dict[str, str]] = {"item.open": "ask", "app.back": "cancel"}


def ask_owner_for(hand: Hand, memory: Memory, origin: HomeOrigin) -> None:
    """Another text of a memory that somebody else shares: its owner is asked, and decides in their Review; what is the
    team's own is written.
    """
    told: list[str] = []

    def job() -> None:
        told.append(change_shared(hand.vault, hand.fresh(memory), text))

    text = ""

    def write(typed: str) -> None:
        nonlocal text
        if typed != memory.text:
            text = typed
            hand.write(job, then=lambda: hand.screen.say(told[-1]), typed=typed)

    title = _("Ask {owner}").format(owner=origin.told) if origin.owner else _("Edit")
    title += " · " + place(hand, memory)
    offered = draw_module.offer_line(memory.text) if "\n" in memory.text else memory.text
    hint = _("Enter asks for this text; {owner} decides.").format(owner=origin.owner)
    if not origin.owner:
        hint = _("Enter writes it for everybody in the team “{team}”.").format(team=origin.team)
    ask(hand, (AskPrompt if origin.owner else Prompt)(title, offered, check=refuse_empty, hint=hint), write)


def supersede(hand: Hand) -> None:
    """The successor of a memory: the old text stays, marked."""
    memory = hand.screen.desk.memory()
    assert memory is not None
    offered = draw_module.offer_line(memory.text) if "\n" in memory.text else memory.text

    def wrong(text: str) -> str:
        return refuse_empty(text) or (_("This is the same text: write the new one.") if text == memory.text else "")

    def write(text: str) -> None:
        draft = Draft(text, memory.kind, tags=memory.tags, entities=memory.entities, confidence=memory.confidence)
        hand.write(lambda: verbs.supersede(hand.vault, hand.fresh(memory), draft), typed=text)

    title = _("New text (replaces {place})").format(place=place(hand, memory))
    hint = _("The old one stays, marked as replaced.")
    ask(hand, Prompt(title, offered, told=memory.text, hint=hint, check=wrong), write)


def tag(hand: Hand) -> None:
    """The tags of one memory; of several, tags that come (+) and go (-)."""
    memories = hand.selected()
    one = memories[0] if len(memories) == 1 else None

    def write(text: str) -> None:
        """Set the tags that were typed: of one memory all of them, of several those that come and go."""
        words = [word.replace("#", "") for word in re.split(r"[\s,，、]+", text)]
        gone = {word[1:] for word in words if word.startswith("-")}
        new = [word.lstrip("+") for word in words if word and not word.startswith("-")]

        def tagged(vault: Vault, memory: Memory) -> Receipt:
            had = () if one is not None else memory.tags
            tags = tuple(dict.fromkeys(name for name in (*had, *new) if name and name not in gone))
            return verbs.tag(vault, memory, tags)

        hand.write(hand.each(memories, tagged))

    if one is not None:
        sheet = Prompt(
            _("Tags") + " · " + place(hand, one),
            " ".join(one.tags),
            told=draw_module.clip_to_line(one.text),
            hint=_("Words with a space between; nothing removes all tags."),
        )
    else:
        sheet = Prompt(_n("Tags of {count} memory", "Tags of {count} memories", len(memories)),
                       hint=_("A word adds that tag to each; -word removes it."), check=refuse_empty)  # fmt: skip
    ask(hand, sheet, write)


def expire(hand: Hand) -> None:
    """Until when something holds."""
    memories = hand.selected()

    def write(text: str) -> None:
        at = parse_expiry(text)

        def expired(vault: Vault, memory: Memory) -> Receipt:
            return verbs.expire(vault, memory, at)

        hand.write(hand.each(memories, expired))

    def wrong(text: str) -> str:
        try:
            parse_expiry(text)
        except ValueError:
            return _("A date such as 2026-12-31, a time from now such as 30d or 2w, session, or never.")
        return ""

    first = memories[0]
    known = clock.format_day(first.expires) if len(memories) == 1 and first.expires is not None else ""
    title = _("Expiry") + (" · " + place(hand, first) if len(memories) == 1 else f" · {len(memories)}")
    hint = _("A date such as 2026-12-31, a time from now such as 30d or 2w, session, or never.")
    ask(hand, Prompt(title, known, told=draw_module.clip_to_line(first.text), hint=hint, check=wrong), write)


def parse_expiry(text: str) -> float | None:
    """The moment a person means; None: never. Raises ValueError."""
    plain = text.strip().lower()
    if plain in {"", "-"}:
        return None
    if retention.is_duration(plain):
        return retention.compute_expiry(plain, clock.now())
    moment = clock.parse(plain)
    if moment is None:
        raise ValueError(text)
    return extend_to_day_end(plain, moment)


def _refuse_new(homes: Sequence[Home]) -> str:
    """Why no home takes a note of a day, a profile or whatever was asked for, and what does work."""
    taking = [home for home in homes if home.writable and can_take(home, Layer.KNOWLEDGE, Draft(""))]
    if not taking:
        return _("No open home has a place for that: “make a home” in ^p begins one of your own.")
    tool = name_layout(taking[0].layout)
    return _("{tool} has no place for that. A fact can be written: 2, then o.").format(tool=tool)


def add_memory(hand: Hand) -> None:
    """A new memory: beside the one under the cursor, else where the layout puts such ones."""
    layer, memory = hand.screen.pane.layer_here(), hand.screen.desk.memory()

    def job(_cancelled: Callable[[], bool]) -> tuple[Home, str, Memory | None]:
        """The home, the place for a person, and what it stands beside. Raises RefusedError where no home takes it."""
        context = hand.screen.context
        home = context.home(memory.home) if memory is not None else None
        if home is None or not home.writable:
            homes = [home for home in context.vault.homes if not context.homes or str(home.path) in context.homes]
            taking = [home for home in homes if home.writable and can_take(home, layer, Draft(""))]
            taking.sort(key=lambda home: not home.current)
            if not taking:
                raise RefusedError(_refuse_new(homes))
            home = taking[0]
        elif (
            memory is not None
            and layer is not Layer.JOURNAL
            and _joins_others(home, memory, find_file_format(home, memory.path))
        ):
            return home, _format_place(memory.path, _name_section(memory)), memory
        target = load_layout(home.layout).target(home, layer, Draft(""), clock.now())
        return home, _format_place(target.path, target.section), None

    def show(found: tuple[Home, str, Memory | None]) -> None:
        """Ask for the text, saying where it will stand."""
        home, told, beside = found
        title = _("New in {home} · {place}").format(
            home=hand.screen.context.name(home), place=draw_module.clip_to_line(told)
        )
        hint = _("[decision] in front says what kind it is, #tag at the end tags it.")
        ask(hand, Prompt(title, check=refuse_empty, hint=hint), lambda text: add(hand, home, layer, beside, text))

    editing.read_for_window(hand, "place", job, show)


def _joins_others(home: Home, memory: Memory, form: str) -> bool:
    """Whether its file is one that many memories share, so that what is new goes beside it; no document of its own."""
    if form not in {"markdown", "facts"} or load_layout(home.layout).read_only(memory.path):
        return False
    return form == "facts" or bool(memory.heading) or memory.layer in {Layer.PROFILE, Layer.CORE}


def _format_place(path: str, section: str) -> str:
    return f"{path} § {section}" if section else path


def _name_section(memory: Memory) -> str:
    return memory.heading[-1] if memory.heading else ""


def add(hand: Hand, home: Home, layer: Layer, beside: Memory | None, text: str) -> None:
    """Write a new memory, beside another one of the same file where there is one."""
    draft = parse_draft(text)

    def job() -> Any:
        """Write it as its layer wants it. Raises MemtuiError where the journal says that already."""
        if layer is Layer.JOURNAL:
            written = append(hand.vault, home, draft)
            if written.receipt is None:
                raise MemtuiError(_("{path} says that already.").format(path=written.path))
            return written.receipt

        if beside is not None:
            under = draft._replace(section=_name_section(beside))
            return verbs.add(hand.vault, home, under, layer=beside.layer or layer, path=beside.path)
        return verbs.add(hand.vault, home, draft, layer=layer)

    hand.write(job, typed=text)


def parse_draft(text: str) -> Draft:
    """A draft of what was typed: '[kind] text #tag #tag'."""
    kind = _KIND.match(text)
    body = text[kind.end() :] if kind else text
    tags = _TAGS.search(body)
    named = tuple(tags[0].replace("#", " ").split()) if tags else ()
    return Draft(body[: tags.start()] if tags else body, kind[1].lower() if kind else "fact", tags=named)


def mark_helpful(hand: Hand) -> None:
    """It helped: no more needs to be said."""
    _judge(hand, "helpful", "", hand.selected())


def mark_wrong(hand: Hand) -> None:
    """It misled."""
    _ask(hand, "wrong", _("Wrong"))


def mark_stale(hand: Hand) -> None:
    """It was true once."""
    _ask(hand, "stale", _("No longer fits"))


def _ask(hand: Hand, verdict: Verdicts, title: str) -> None:
    memories = hand.selected()
    about = f"{title} · " + (place(hand, memories[0]) if len(memories) == 1 else str(len(memories)))
    told = "\n".join(draw_module.clip_to_line(memory.text) for memory in memories[:3])
    hint = _("Why? Enter alone gives no reason.")
    sheet = Prompt(about, told=told, hint=hint, placeholder=_("reason, or nothing"))
    # What is judged is what was asked about, wherever the list is by then.
    ask(hand, sheet, lambda reason: _judge(hand, verdict, reason, memories))


def _judge(hand: Hand, verdict: Verdicts, reason: str, memories: Sequence[Memory]) -> None:
    def one(vault: Vault, memory: Memory) -> Receipt:
        return experiences.append_verdict(vault, memory, verdict, reason)

    hand.write(hand.each(memories, one), then=hand.screen.pane.again)


NAMED_ONE_BY_ONE = 8
"""Memories that a question lists one by one."""
MOST = 400
"""Places that are offered."""


class Goal(NamedTuple):
    """Where something may go."""

    home: str
    path: str
    section: str


def archive(hand: Hand) -> None:
    """Archive; what is put away already is restored."""
    memories = hand.selected()
    back = all(memory.status not in {Status.ACTIVE, Status.CANDIDATE, Status.EXPIRED} for memory in memories)

    def one(vault: Vault, memory: Memory) -> Receipt:
        return (verbs.restore if back else verbs.archive)(vault, memory)

    hand.write(hand.each(memories, one))


def delete(hand: Hand) -> None:
    """Take the lines out of their files, when that is really meant."""
    memories = hand.selected()
    text = _n("{count} memory goes out of its file:", "{count} memories go out of their files:", len(memories))
    shown = memories if len(memories) <= NAMED_ONE_BY_ONE else memories[: NAMED_ONE_BY_ONE - 1]
    room = 200 if len(memories) == 1 else 70
    said = [draw_module.cut(draw_module.clip_to_line(memory.text), room) for memory in shown]
    if len(shown) < len(memories):
        said.append(_n("… and {count} more", "… and {count} more", len(memories) - len(shown)))
    text += "\n\n" + "\n".join(said) + "\n\n"
    if any(memory.reach > memory.end for memory in memories):
        text += _("What belongs to it goes, too.") + " "
    text += _("The trash keeps it, and u brings it back. d only archives.")

    def one(vault: Vault, memory: Memory) -> Receipt:
        return verbs.delete(vault, memory)

    hand.ask(_("Delete"), text, _("delete"), lambda: hand.write(hand.each(memories, one)))


def move(hand: Hand) -> None:
    """To another section, file or home."""
    memories = hand.selected()

    def go(goal: Goal) -> None:
        def one(vault: Vault, memory: Memory) -> Receipt:
            home = goal.home if goal.home != memory.home else ""
            path = goal.path if home or goal.path != memory.path else ""
            return verbs.move(vault, memory, home=home, path=path, section=goal.section)

        hand.write(hand.each(memories, one))

    first = memories[0]
    title = _("Move to") + " · " + draw_module.cut(draw_module.clip_to_line(first.text), 60)
    choose(hand, title, Goal(first.home, first.path, first.heading[-1] if first.heading else ""), go)


def choose(hand: Hand, title: str, here: Goal, then: Callable[[Goal], None]) -> None:
    """Let a place be chosen: the sections of this file first, then of this home, then of the others."""
    context = hand.screen.context

    def show(goals: list[Goal]) -> None:
        """Let one of these places be chosen, or a new section be named."""
        rows = [Fixed("new", ((" " + _("another section of this file …"), "accent"),), value="new")]
        rows += [Fixed(goal, _draw_goal(goal, here, context), value=goal) for goal in goals if goal != here]

        def chosen(value: Any) -> None:
            if value == "new":
                sheet = Prompt(
                    _("The name of the section"), check=refuse_empty, hint=draw_module.clip_to_line(here.path)
                )
                ask(hand, sheet, lambda name: then(here._replace(section=name.lstrip("# "))))
            elif isinstance(value, Goal):
                then(value)

        hint = _("enter moves it there · esc cancels")
        hand.screen.app.push_screen(TypedChoice(title, rows, context.look, hint=hint, at=min(1, len(rows) - 1)), chosen)

    editing.read_for_window(hand, "goals", lambda _cancelled: list_goals(context, here), show)


def list_goals(context: PaneContext, here: Goal) -> list[Goal]:
    """Every section of the files that keep memories, the nearest first. On a reader's thread."""
    layers = frozenset({Layer.PROFILE, Layer.CORE, Layer.KNOWLEDGE})
    found: list[Goal] = []
    for home, outline in context.vault.outlines(Filter(layers, statuses=frozenset())):
        if (
            home.writable
            and find_file_format(home, outline.path)
            and not load_layout(home.layout).read_only(outline.path)
        ):
            names = [name for name in outline.sections if outline.path.endswith(MARKDOWN)]
            found += [Goal(str(home.path), outline.path, name) for name in names or [""]]
    found.sort(key=lambda goal: (goal.home != here.home, goal.path != here.path))
    return found[:MOST]


def _draw_goal(goal: Goal, here: Goal, context: PaneContext) -> tuple[Piece, ...]:
    home = context.home(goal.home)
    whose = context.name(home) + "  " if home is not None and goal.home != here.home else ""
    section = f" § {draw_module.clip_to_line(goal.section)}" if goal.section else ""
    style = "" if goal.path == here.path else "dim"
    return ((" " + whose, "dim"), (draw_module.clip_to_line(goal.path), style), (section, "bold"))


def merge(hand: Hand) -> None:
    """One memory of several: the text is offered, the others are marked as replaced."""
    memories = hand.selected()
    if len(memories) < 2:
        hand.screen.say(_("Select two or more first: space."))
        return
    here = hand.screen.desk.memory()
    keep = here if here is not None and any(here.id == memory.id for memory in memories) else memories[0]
    others = [memory for memory in memories if memory.id != keep.id]

    def write(text: str) -> None:
        def job() -> Any:
            changed = "" if text == keep.text else text
            return verbs.merge(hand.vault, hand.fresh(keep), list(map(hand.fresh, others)), text=changed)

        hand.write(job, typed=text)

    told = "\n".join(f"- {draw_module.clip_to_line(memory.text)}" for memory in memories)
    title = _("Merge into") + " · " + place(hand, keep)
    hint = _n("{count} other is marked as replaced by it.", "{count} others are marked as replaced by it.", len(others))
    prompt = Prompt(title, draw_module.offer_line(keep.text), told=told, hint=hint, check=refuse_empty)

    def check() -> None:
        verbs.plan_merge(hand.vault, hand.fresh(keep), list(map(hand.fresh, others)))

    hand.write(check, then=lambda: ask(hand, prompt, write))


def diff(hand: Hand) -> None:
    """Two selected ones side by side; else a memory and what replaced it, or what it replaced."""
    memories = hand.selected()
    detail = hand.screen.pane.detail()
    chain = detail.chain if detail is not None else None
    if len(memories) >= 2:
        compare(hand, memories[0], memories[1])
    elif memories and chain is not None:
        old, new = (memories[0], chain.after[0]) if chain.after else (chain.before[0], memories[0])
        compare(hand, old, new)


def compare(hand: Hand, old: Memory, new: Memory) -> None:
    """The difference of two memories' texts, over the screen."""
    told = candidate_rows.diff_contents(
        old.text.encode("utf-8", "replace"), new.text.encode("utf-8", "replace"), old.path
    )

    def lines(cells: int) -> Sequence[list[Piece]]:
        same = [[(_("They say exactly the same."), "ok")]]
        return [
            [("- ", "bad"), (place(hand, old), "dim")],
            [("+ ", "ok"), (place(hand, new), "dim")],
            [],
            *(candidate_rows.draw_diff(told, cells) if told else same),
        ]

    hand.screen.app.push_screen(LookSheet(_("Compared"), lines))
