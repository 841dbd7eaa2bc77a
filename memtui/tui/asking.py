"""Verbs that ask for a line of text first: edit here, new, supersede, tags, expiry."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from memtui import clock
from memtui.edits import Draft
from memtui.errors import MemtuiError, RefusedError
from memtui.locale import _, _n
from memtui.model import Layer, Memory
from memtui.tui import draw
from memtui.tui.prompt import Prompt, needed

if TYPE_CHECKING:
    from collections.abc import Callable

    from memtui.edits import Receipt
    from memtui.model import Home
    from memtui.tui.hand import Hand
    from memtui.vault import Vault

_KIND = re.compile(r"\[(\w[\w-]{0,23})\]\s+")
_TAGS = re.compile(r"(?:\s+#[^\s#]+)+\s*\Z")


def ask(hand: Hand, sheet: Prompt, then: Callable[[str], None]) -> None:
    """Ask, and go on with what was typed; nothing happens where somebody would rather not."""

    def answered(text: str | None) -> None:
        if text is not None:
            then(text)

    hand.screen.app.push_screen(sheet, answered)


def place(hand: Hand, memory: Memory) -> str:
    """Where a memory stands, for a title."""
    return draw.one_line(f"{memory.path}:{memory.start}")


def inline(hand: Hand) -> None:
    """The text of one memory, in one line."""
    from memtui.curation import facts

    memory = hand.screen.desk.memory()
    assert memory is not None
    if "\n" in memory.text:
        from memtui.tui import editing

        hand.screen.say(_("It has several lines: your editor has it."))
        editing.entry(hand)
        return

    def write(text: str) -> None:
        if text != memory.text:
            hand.write(lambda: facts.edit(hand.vault, hand.fresh(memory), {"text": text}), typed=text)

    title = _("Edit") + " · " + place(hand, memory)
    ask(hand, Prompt(title, memory.text, check=needed, hint=_("Enter writes it.")), write)


def supersede(hand: Hand) -> None:
    """The successor of a memory: the old text stays, marked."""
    from memtui.curation import facts

    memory = hand.screen.desk.memory()
    assert memory is not None
    offered = draw.one_line(memory.text) if "\n" in memory.text else memory.text

    def wrong(text: str) -> str:
        return needed(text) or (_("Write what holds now.") if text == memory.text else "")

    def write(text: str) -> None:
        draft = Draft(
            text, memory.kind, tags=memory.tags, entities=memory.entities, confidence=memory.confidence
        )
        hand.write(lambda: facts.supersede(hand.vault, hand.fresh(memory), draft), typed=text)

    title = _("What replaces it") + " · " + place(hand, memory)
    hint = _("The old one stays, marked as replaced.")
    ask(hand, Prompt(title, offered, told=memory.text, hint=hint, check=wrong), write)


def tag(hand: Hand) -> None:
    """The tags of one memory; of several, tags that come (+) and go (-)."""
    from memtui.curation import facts

    memories = hand.selected()
    one = memories[0] if len(memories) == 1 else None

    def write(text: str) -> None:
        words = [word.replace("#", "") for word in re.split(r"[\s,，、]+", text)]
        gone = {word[1:] for word in words if word.startswith("-")}
        new = [word.lstrip("+") for word in words if word and not word.startswith("-")]

        def tagged(vault: Vault, memory: Memory) -> Receipt:
            had = () if one is not None else memory.tags
            tags = tuple(dict.fromkeys(name for name in (*had, *new) if name and name not in gone))
            return facts.tag(vault, memory, tags)

        hand.write(hand.each(memories, tagged))

    if one is not None:
        sheet = Prompt(_("Tags") + " · " + place(hand, one), " ".join(one.tags), told=draw.one_line(one.text),
                       hint=_("Words with a space between; nothing takes all tags away."))  # fmt: skip
    else:
        sheet = Prompt(_n("Tags of {count} memory", "Tags of {count} memories", len(memories)),
                       hint=_("A word adds that tag to each; -word takes it away."), check=needed)  # fmt: skip
    ask(hand, sheet, write)


def expire(hand: Hand) -> None:
    """Until when something holds."""
    from memtui.curation import facts

    memories = hand.selected()

    def write(text: str) -> None:
        at = until(text)

        def expired(vault: Vault, memory: Memory) -> Receipt:
            return facts.expire(vault, memory, at)

        hand.write(hand.each(memories, expired))

    def wrong(text: str) -> str:
        try:
            until(text)
        except ValueError:
            return _("A date such as 2026-12-31, a time from now such as 30d or 2w, session, or never.")
        return ""

    first = memories[0]
    known = clock.day(first.expires) if len(memories) == 1 and first.expires is not None else ""
    title = _("Holds until") + (" · " + place(hand, first) if len(memories) == 1 else f" · {len(memories)}")
    hint = _("A date such as 2026-12-31, a time from now such as 30d or 2w, session, or never.")
    ask(hand, Prompt(title, known, told=draw.one_line(first.text), hint=hint, check=wrong), write)


def until(text: str) -> float | None:
    """The moment a person means; None: never. Raises ValueError."""
    from memtui.curation import retention
    from memtui.parse.fields import through

    plain = text.strip().lower()
    if plain in {"", "-"}:
        return None
    if retention.known(plain):
        return retention.until(plain, clock.now())
    moment = clock.parse(plain)
    if moment is None:
        raise ValueError(text)
    return through(plain, moment)


def new(hand: Hand) -> None:
    """A new memory: beside the one under the cursor, else where the layout puts such ones."""
    layer, memory = hand.screen.pane.layer_here(), hand.screen.desk.memory()

    def job(_cancelled: Callable[[], bool]) -> tuple[Home, str, Memory | None]:
        from memtui.curation.destination import takes
        from memtui.curation.standing import form_of
        from memtui.layouts import layout

        context = hand.screen.context
        home = context.home(memory.home) if memory is not None else None
        if home is None or not home.writable:
            homes = [
                home for home in context.vault.homes if not context.homes or str(home.path) in context.homes
            ]
            taking = [home for home in homes if home.writable and takes(home, layer, Draft(""))]
            taking.sort(key=lambda home: not home.current)
            if not taking:
                raise RefusedError(_("No home that is open keeps such memories: `memtui init` makes one."))
            home = taking[0]
        elif (
            memory is not None
            and layer is not Layer.JOURNAL
            and _joins(home, memory, form_of(home, memory.path))
        ):
            return home, _placed(memory.path, _section(memory)), memory
        target = layout(home.layout).target(home, layer, Draft(""), clock.now())
        return home, _placed(target.path, target.section), None

    def show(found: tuple[Home, str, Memory | None]) -> None:
        home, told, beside = found
        title = _("New in {home} · {place}").format(
            home=hand.screen.context.name(home), place=draw.one_line(told)
        )
        hint = _("[decision] in front says what kind it is, #tag at the end tags it.")
        ask(hand, Prompt(title, check=needed, hint=hint), lambda text: add(hand, home, layer, beside, text))

    hand.screen.reader.ask("place", job, show)


def _joins(home: Home, memory: Memory, form: str) -> bool:
    """Whether its file is one that many memories share, so that what is new goes beside it; no document of its own."""
    from memtui.layouts import layout

    if form not in {"markdown", "facts"} or layout(home.layout).read_only(memory.path):
        return False
    return form == "facts" or bool(memory.heading) or memory.layer in {Layer.PROFILE, Layer.CORE}


def _placed(path: str, section: str) -> str:
    return f"{path} § {section}" if section else path


def _section(memory: Memory) -> str:
    return memory.heading[-1] if memory.heading else ""


def add(hand: Hand, home: Home, layer: Layer, beside: Memory | None, text: str) -> None:
    """Write a new memory, beside another one of the same file where there is one."""
    draft = drafted(text)

    def job() -> Any:
        if layer is Layer.JOURNAL:
            from memtui.curation.append import append

            written = append(hand.vault, home, draft)
            if written.receipt is None:
                raise MemtuiError(_("{path} says that already.").format(path=written.path))
            return written.receipt
        from memtui.curation import facts

        if beside is not None:
            under = draft._replace(section=_section(beside))
            return facts.add(hand.vault, home, under, layer=beside.layer or layer, path=beside.path)
        return facts.add(hand.vault, home, draft, layer=layer)

    hand.write(job, typed=text)


def drafted(text: str) -> Draft:
    """A draft of what was typed: '[kind] text #tag #tag'."""
    kind = _KIND.match(text)
    body = text[kind.end() :] if kind else text
    tags = _TAGS.search(body)
    named = tuple(tags[0].replace("#", " ").split()) if tags else ()
    return Draft(body[: tags.start()] if tags else body, kind[1].lower() if kind else "fact", tags=named)
