"""What `memtui facts add|edit|supersede|archive|…` and `memtui profile add|edit|init` do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from memtui.cli import output, receipts
from memtui.cli.dry_run import shown
from memtui.cli.opening import vault
from memtui.cli.writing import drained, passage, root, where, writer
from memtui.edits import Draft
from memtui.errors import MemtuiError, RefusedError, UsageError
from memtui.locale import _, _n
from memtui.model import Layer

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from memtui.edits import Change, Receipt
    from memtui.model import Home, Memory
    from memtui.vault import Vault

    Deed = Callable[[Vault, Memory, str], Receipt]

_TEXTS = frozenset({"add", "edit", "supersede"})
_USAGE = {
    "supersede": "memtui facts supersede ID TEXT",
    "merge": "memtui facts merge KEEP OTHER…",
    "edit": "memtui facts edit ID TEXT",
}


class Asked(NamedTuple):
    """What the command line asks for."""

    verb: str
    words: tuple[str, ...]
    kind: str
    home: tuple[str, ...]
    as_json: bool
    said: dict[str, Any]


def run(verb: str, words: tuple[str, ...], usual: Layer, /, **given: Any) -> int:
    """Do what the verb says; `usual` is the layer of a new memory where nobody says."""
    kinds = given.pop("kind")
    if len(kinds) > 1:
        raise UsageError(_("A memory is of one kind."))
    asked = Asked(
        verb, words, kinds[0].lower() if kinds else "", given.pop("home"), given.pop("as_json"), given
    )
    if asked.said["confidence"] is not None and not asked.said["confidence"] <= 1:
        raise UsageError(_("--confidence goes from 0 to 1."))
    if verb == "init":
        return _init(asked)
    if verb == "add":
        return _add(asked, Layer(asked.said["layer"]) if asked.said["layer"] else usual)
    if not words or (verb == "supersede" and len(words) < 2) or (verb == "merge" and len(words) < 2):
        raise UsageError(_("Which? {usage}").format(usage=_USAGE.get(verb, f"memtui facts {verb} ID…")))
    ids = words[:1] if verb in _TEXTS or verb == "merge" else words
    deed = _deed(asked)
    there = [asked.said["to_home"]] if asked.home and asked.said["to_home"] else []
    with vault((*asked.home, *there)) as opened:
        drained(opened.config)
        chosen = [_meant(opened, word) for word in dict.fromkeys(ids)]
        if asked.said["dry_run"]:
            return _would(opened, chosen, deed, asked.as_json)
        if verb == "delete" and not asked.said["yes"]:
            raise RefusedError(
                _n(
                    "{count} memory would go to the trash.",
                    "{count} memories would go to the trash.",
                    len(chosen),
                )
                + " "
                + _("--yes does it, --dry-run shows it; `memtui facts archive` only puts away.")
            )
        return _do(opened, chosen, deed, asked.as_json)


def _deed(asked: Asked) -> Deed:
    """What is done with each memory that is named."""
    from memtui.curation import facts

    verb, said = asked.verb, asked.said
    if verb == "edit":
        changes = _changes(asked)
        return lambda opened, memory, group: facts.edit(opened, memory, changes, group=group)
    if verb == "supersede":
        text = passage(asked.words[1:])
        return lambda opened, memory, group: facts.supersede(
            opened, memory, _successor(asked, memory, text), group=group
        )
    if verb == "merge":
        return lambda opened, memory, group: facts.merge(
            opened, memory, [_meant(opened, word) for word in asked.words[1:]], said["text"], group=group
        )
    if verb == "move":
        goal = {"home": said["to_home"], "path": said["to_file"], "section": said["to_section"]}
        if not any(goal.values()):
            raise UsageError(_("Where to? --to-section, --to-file or --to-home says it."))
        return lambda opened, memory, group: facts.move(
            opened,
            memory,
            **{**goal, "home": root(opened, goal["home"]) if goal["home"] else ""},
            group=group,
        )
    if verb == "tag":
        if not said["tag"] and not said["untag"]:
            raise UsageError(_("Which tags? --tag adds one, --untag takes one away."))
        return lambda opened, memory, group: facts.tag(
            opened, memory, [*(t for t in memory.tags if t not in said["untag"]), *said["tag"]], group=group
        )
    if verb == "expire":
        if said["expires"] is None:
            raise UsageError(_("Until when? --expires 30d, --expires 2026-12-31, or --expires never."))
        at = until(said["expires"])
        return lambda opened, memory, group: facts.expire(opened, memory, at, group=group)
    plain = {"archive": facts.archive, "restore": facts.restore, "delete": facts.delete}[verb]
    return lambda opened, memory, group: plain(opened, memory, group=group)


def _changes(asked: Asked) -> dict[str, Any]:
    said = asked.said
    found: dict[str, Any] = {"text": passage(asked.words[1:])} if len(asked.words) > 1 else {}
    given = {
        "kind": asked.kind,
        "tags": tuple(said["tag"]),
        "confidence": said["confidence"],
        "evidence": said["evidence"],
    }
    found |= {field: value for field, value in given.items() if value not in ("", None, ())}
    if said["expires"] is not None:
        found["expires"] = until(said["expires"])
    if not found:
        raise UsageError(
            _("What shall change? Write the new text, or --kind, --tag, --expires, --confidence.")
        )
    return found


def _successor(asked: Asked, memory: Memory, text: str) -> Draft:
    """What replaces a memory: of its kind and with its tags, unless somebody says otherwise."""
    draft = _draft(asked, text)
    return draft._replace(
        kind=asked.kind or memory.kind,
        tags=draft.tags or memory.tags,
        entities=memory.entities,
        confidence=memory.confidence if draft.confidence is None else draft.confidence,
    )


def _draft(asked: Asked, text: str) -> Draft:
    said = asked.said
    tags = tuple(word.strip().lstrip("#") for word in said["tag"] if word.strip(" #"))
    return Draft(
        text,
        asked.kind or "fact",
        said["section"],
        tags,
        confidence=said["confidence"],
        expires=None if said["expires"] is None else until(said["expires"], asked.kind or "fact", tags),
        evidence=said["evidence"],
    )


def until(text: str, kind: str = "", tags: tuple[str, ...] = ()) -> float | None:
    """The moment until which something of that kind holds; None: for ever. Raises UsageError."""
    from memtui import clock
    from memtui.cli.times import moment
    from memtui.curation import retention
    from memtui.parse.fields import through

    now, word = clock.now(), text.strip().lower()
    if word == "default":
        word = retention.usual(kind, tags)
    if retention.known(word):
        return retention.until(word, now)
    return through(text, moment(text))


def _meant(opened: Vault, word: str) -> Memory:
    """The one memory that a word names. Raises UsageError where it names none, or one in each of several files."""
    found = opened.memory(word)
    if found is None:
        raise UsageError(_("There is no memory '{id}'.").format(id=word))
    if found.key == word:
        places = {
            (other.home, other.path): f"{other.path}:{other.start} ({other.id})"
            for other in opened.named(word)
        }
        if len(places) > 1:
            several = _("'{id}' is in several files; the longer id says which: {places}")
            raise UsageError(several.format(id=word, places=", ".join(places.values())))
    return found


# -- doing ------------------------------------------------------------------------------------------------------


def _add(asked: Asked, layer: Layer) -> int:
    draft = _draft(asked, passage(asked.words))

    def deed(opened: Vault, place: Home) -> Receipt:
        from memtui.curation import facts

        return facts.add(opened, place, draft, layer=layer, path=asked.said["to_file"])

    with writer(asked.home, layer, draft) as (opened, place):
        opened.refresh()
        if asked.said["dry_run"]:
            from memtui.curation.staging import rehearsed

            changes, receipt = rehearsed(opened, lambda stage: deed(stage, place))
            return shown(opened, [(changes, receipt, "")], asked.as_json)
        receipt = deed(opened, place)
    if asked.as_json:
        output.document({"receipts": [receipts.plain(receipt)], "failed": []})
        receipts.notes([receipt])
    else:
        receipts.say([receipt])
        output.talk(_("in {home}").format(home=where(place)))
    return 0


def _init(asked: Asked) -> int:
    from memtui.cli.init import run as made

    return made(
        asked.words[0] if asked.words else None,
        layout="",
        profile=True,
        dry_run=asked.said["dry_run"],
        home=asked.home,
        as_json=asked.as_json,
    )


def _do(opened: Vault, chosen: Sequence[Memory], deed: Deed, as_json: bool) -> int:
    """Do it with each, as one decision that is undone at once; what cannot be does not stop the others."""
    from memtui.curation.staging import apply_each
    from memtui.curation.standing import again
    from memtui.disk.journal import new_id

    done: list[Receipt] = []
    failed: list[tuple[Memory, MemtuiError]] = []
    if len(chosen) == 1:
        done.append(deed(opened, chosen[0], ""))
    else:
        # The one before may have moved it down its file.
        done, failed = apply_each(
            opened, chosen, lambda stage, one: deed(stage, again(stage, one), ""), group=new_id()
        )
    if as_json:
        output.document(
            {
                "receipts": [receipts.plain(receipt) for receipt in done],
                "failed": [{"id": memory.id, "reason": str(error)} for memory, error in failed],
            }
        )
        receipts.notes(done)
    else:
        receipts.say(done)
    for memory, error in failed:
        output.talk(f"{memory.key or memory.id}: {error}")
        receipts.explain(error)
    return max((error.exit_status for _memory, error in failed), default=0)


def _would(opened: Vault, chosen: Sequence[Memory], deed: Deed, as_json: bool) -> int:
    from memtui.curation.staging import rehearsed

    found: list[tuple[tuple[Change, ...], Receipt | None, str]] = []
    for memory in chosen:
        try:
            found.append((*rehearsed(opened, lambda stage, one=memory: deed(stage, one, "")), ""))  # type: ignore[misc]
        except MemtuiError as error:
            found.append(((), None, str(error)))
    return shown(opened, found, as_json)
