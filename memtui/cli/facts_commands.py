"""What `memtui facts add|edit|supersede|archive|…`, `memtui profile add|edit|init` and `memtui init` do.

First `show_changes`, the difference byte for byte that `--dry-run` shows; then `memtui init`, which makes a new
home or what one lacks of its skeleton and touches nothing that is there; then the verbs. They write to the home that
is named, else to the current project's, else to memtui's own.
"""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from memtui.cli import documents, render
from memtui.cli.opening import describe_home, load_settings, open_vault, resolve_home
from memtui.cli.options import DRY_RUN, EVERYWHERE, Argument, Command, CommandOption, parse_time
from memtui.core import clock
from memtui.core.edits import Append, Draft, Edit, RowEdit
from memtui.core.errors import MemtuiError, RefusedError, UsageError
from memtui.core.locale import _, _n
from memtui.core.model import Layer
from memtui.formats.dates import extend_to_day_end
from memtui.fs import displaced
from memtui.fs.write_journal import generate_record_id
from memtui.language.conversation import Session
from memtui.layouts import Founding, load_all_layouts, load_facts, load_layout
from memtui.layouts.discovery import build_labelled_home, detect_surroundings, discover_homes, open_home_at
from memtui.layouts.git import is_checkout
from memtui.layouts.roles import find_area
from memtui.sessions import rules
from memtui.store import project, retention, verbs
from memtui.store.append import drain
from memtui.store.lookup import is_memory_name
from memtui.store.project import choose_home, find_own_home, make_home
from memtui.store.staging import apply_each, rehearse_verb
from memtui.store.standing import reload_memory
from memtui.store.vault import Vault
from memtui.store.verbs import find_missing_skeleton, make

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from memtui.core.config import Config
    from memtui.core.edits import Change, Receipt
    from memtui.core.model import Home, Memory


def show_changes(opened: Vault, found: Sequence[tuple[tuple[Change, ...], Receipt | None, str]], as_json: bool) -> int:
    """Show what each write would change, or why it cannot be; 3 where one cannot."""
    told = [
        ("".join(_diff(opened, change) for change in changes), receipt.what if receipt else "", why)
        for changes, receipt, why in found
    ]
    if as_json:
        render.print_document(
            {
                "dry_run": True,
                "changes": [{"what": what, "diff": diff, "obstacle": why or None} for diff, what, why in told],
            }
        )
    for diff, what, why in told:
        if not as_json:
            for line in render.paint_diff(diff):
                render.print_line(line)
        render.print_remark(why or what)
    if not as_json:
        render.print_remark(_("Nothing was written."))
    return RefusedError.exit_status if any(why for _diff, _what, why in told) else 0


def _diff(opened: Vault, change: Change) -> str:
    """What one change would do, byte for byte."""
    if isinstance(change, Edit):
        return render.diff_files(change.base, None if change.remove else change.new, change.path)
    if isinstance(change, Append):
        base = opened.bytes_of(change.home, change.path)
        gap = b"" if not base or base.endswith(b"\n") else b"\n"
        head = b"" if base else change.header.encode()
        return render.diff_files(base, (base or b"") + gap + head + change.record.encode() + b"\n", change.path)
    return render.diff_files(
        _encode_row(change, change.before), _encode_row(change, change.after), f"{change.path}:{change.key}"
    )


def _encode_row(change: RowEdit, row: Any) -> bytes | None:
    if row is None:
        return None
    names = change.after if change.after is not None else row
    return "".join(f"{name}: {row[name]}\n" for name in sorted(row) if name in names).encode()


NAMES = [kind.name for kind in load_all_layouts() if kind.facts.skeleton]
"""The layouts that memtui makes homes of."""


def run_init(
    path: str | None, *, layout: str, profile: bool, dry_run: bool, home: tuple[str, ...], as_json: bool
) -> int:
    """Make what is missing, and say what that was; 1 where nothing is."""
    place = _place(path, layout, home, profile)
    lacks = find_missing_skeleton(place, profile=profile)
    receipt = None
    if not dry_run:
        with Vault([make_home(place)], load_settings()) as opened:
            receipt = make(opened, place, lacks)
    if as_json:
        render.print_document(
            {
                "home": str(place.path),
                "layout": place.layout,
                "dry_run": dry_run,
                "made": [*(f"{name}/" for name in lacks.folders), *(name for name, _text in lacks.files)],
                "receipt": None if receipt is None else documents.dump_receipt(receipt),
            }
        )
    elif dry_run:
        for name in lacks.folders:
            render.print_line(f"{name}/")
        for name, text in lacks.files:
            for line in render.paint_diff(render.diff_files(None, text.encode(), name)):
                render.print_line(line)
    else:
        for name in (*(f"{folder}/" for folder in lacks.folders), *(name for name, _text in lacks.files)):
            render.print_line(render.make_safe_line(os.path.join(str(place.path), *name.split("/"))))
    if not any(lacks):
        render.print_remark(_("{home} lacks nothing.").format(home=describe_home(place)))
        return 1
    if dry_run:
        render.print_remark(_("{home} would get this; nothing was written.").format(home=describe_home(place)))
    else:
        render.print_remark(_("made in {home}").format(home=describe_home(place)))
        if receipt is not None and not as_json:
            documents.print_undo([receipt])
    return 0


def _place(path: str | None, layout: str, home: tuple[str, ...], profile: bool) -> Home:
    """The home that is meant: the one at the path, else a new one there; without a path memtui's own."""
    if (path and home) or len(home) > 1:
        raise UsageError(_("One home at a time: `memtui init PATH`."))
    named = path or (home[0] if home else None)
    mine = find_own_home()
    if named is None and profile and not layout:
        # Where this project's tool keeps what the person wants of every agent (spec 000).
        homes = discover_homes(detect_surroundings(), (), load_settings().homes.exclude)
        own = choose_home(homes, Layer.PROFILE, Draft("-", "pref"))
        if load_facts(own).user_skeleton is not None:
            return own
    if named is None and layout and layout != mine.layout:
        kind = load_layout(layout)
        founded = kind.found_home(detect_surroundings()) if isinstance(kind, Founding) else None
        if founded is None:
            raise UsageError(_("Where? `memtui init PATH --layout {layout}`.").format(layout=layout))
        return founded
    real = mine.path if named is None else Path(os.path.realpath(Path(named).expanduser()))
    if real == mine.path and layout in {"", "memtui"}:
        return mine
    if real.is_dir() and any(real.iterdir()):
        there = open_home_at(real)
        if there.path == real and there.layout != "plain":
            if layout and there.layout != layout:
                raise UsageError(
                    _("{path} is a home already, of layout {layout}.").format(path=named, layout=there.layout)
                )
            return there
        if not layout:
            raise UsageError(_("{path} is not empty and no home yet: say --layout to make it one.").format(path=named))
    return build_labelled_home(real, layout or "memtui", "made by memtui init")._replace(writable=True)


COMMAND = Command(
    "init",
    "Make a new memory home at PATH (memtui's own without one), or what a home lacks of its skeleton.\n\n"
    "What is there is never touched. user/profile.md is made only with --profile: it is yours alone. Without a PATH "
    "--layout xinghebot makes this project's workspace, --layout helloagents your own ~/.helloagents with its profile, "
    "--layout code-memory ~/.claude/memory, --layout skillix .cursor/skills/memory-data in this project.",
    run_init,
    (Argument("path", metavar="[PATH]"),),
    (
        CommandOption(
            ("--layout",),
            f"{', '.join(NAMES[:-1])} or {NAMES[-1]}.",
            default="",
            choices=tuple(NAMES),
            metavar="LAYOUT",
        ),
        CommandOption(("--profile",), "Make user/profile.md, too.", "flag"),
        DRY_RUN,
        *EVERYWHERE,
    ),
    epilog="Exit status: 0 made, 1 nothing was missing, 2 wrong use, 3 refused, 4 could not.",
)


if TYPE_CHECKING:
    Deed = Callable[[Vault, Memory, str], Receipt]

_TEXTS = frozenset({"add", "edit", "supersede"})
_USAGE = {
    "supersede": "memtui facts supersede ID TEXT|ID",
    "merge": "memtui facts merge KEEP OTHER…",
    "edit": "memtui facts edit ID TEXT",
}


class FactsRequest(NamedTuple):
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
    asked = FactsRequest(verb, words, kinds[0].lower() if kinds else "", given.pop("home"), given.pop("as_json"), given)
    if asked.said["confidence"] is not None and not asked.said["confidence"] <= 1:
        raise UsageError(_("--confidence goes from 0 to 1."))
    if verb == "init":
        return _init(asked)
    if verb == "add":
        return _add(asked, Layer(asked.said["layer"]) if asked.said["layer"] else usual)
    if not words or (verb == "supersede" and len(words) < 2) or (verb == "merge" and len(words) < 2):
        raise UsageError(_("Which? {usage}").format(usage=_USAGE.get(verb, f"memtui facts {verb} ID…")))
    ids = words[:1] if verb in _TEXTS or verb == "merge" else words
    deed = _choose_deed(asked)
    there = [asked.said["to_home"]] if asked.home and asked.said["to_home"] else []
    with open_vault((*asked.home, *there)) as opened:
        drain_spool(opened.config)
        chosen = [_find_meant(opened, word) for word in dict.fromkeys(ids)]
        if asked.said["dry_run"]:
            return _show_what_would_be(opened, chosen, deed, asked.as_json)
        if verb == "delete" and not asked.said["yes"]:
            raise RefusedError(
                _n("{count} memory would go to the trash.", "{count} memories would go to the trash.", len(chosen))
                + " "
                + _("--yes does it, --dry-run shows it; `memtui facts archive` only puts away.")
            )
        return _do(opened, chosen, deed, asked.as_json)


def _choose_deed(asked: FactsRequest) -> Deed:
    """What is done with each memory that is named."""
    verb, said = asked.verb, asked.said
    if verb == "edit":
        changes = _read_changes(asked)
        return lambda opened, memory, group: verbs.edit(opened, memory, changes, group=group)
    if verb == "supersede":
        text = read_passage(asked.words[1:])

        def replace(opened: Vault, memory: Memory, group: str) -> Receipt:
            # One that is there already is meant by its id: nobody wants that id as a text.
            named = opened.memory(text) if is_memory_name(text) else None
            if named is not None and named.id != memory.id:
                return verbs.merge(opened, named, [memory], group=group)
            return verbs.supersede(opened, memory, _make_successor(asked, memory, text), group=group)

        return replace
    if verb == "merge":
        return lambda opened, memory, group: verbs.merge(
            opened, memory, [_find_meant(opened, word) for word in asked.words[1:]], said["text"], group=group
        )
    if verb == "move":
        goal = {"home": said["to_home"], "path": said["to_file"], "section": said["to_section"]}
        if not any(goal.values()):
            raise UsageError(_("Where to? --to-section, --to-file or --to-home says it."))
        return lambda opened, memory, group: verbs.move(
            opened, memory, **{**goal, "home": resolve_home(opened, goal["home"]) if goal["home"] else ""}, group=group
        )
    if verb == "tag":
        if not said["tag"] and not said["untag"]:
            raise UsageError(_("Which tags? --tag adds one, --untag takes one away."))
        return lambda opened, memory, group: verbs.tag(
            opened, memory, [*(t for t in memory.tags if t not in said["untag"]), *said["tag"]], group=group
        )
    if verb == "expire":
        if said["expires"] is None:
            raise UsageError(_("Until when? --expires 30d, --expires 2026-12-31, or --expires never."))
        at = parse_until(said["expires"])
        return lambda opened, memory, group: verbs.expire(opened, memory, at, group=group)
    plain = {"archive": verbs.archive, "restore": verbs.restore, "delete": verbs.delete}[verb]
    return lambda opened, memory, group: plain(opened, memory, group=group)


def _read_changes(asked: FactsRequest) -> dict[str, Any]:
    said = asked.said
    found: dict[str, Any] = {"text": read_passage(asked.words[1:])} if len(asked.words) > 1 else {}
    given = {
        "kind": asked.kind,
        "tags": tuple(said["tag"]),
        "confidence": said["confidence"],
        "evidence": said["evidence"],
    }
    found |= {field: value for field, value in given.items() if value not in ("", None, ())}
    if said["expires"] is not None:
        found["expires"] = parse_until(said["expires"])
    if not found:
        raise UsageError(_("What shall change? Write the new text, or --kind, --tag, --expires, --confidence."))
    return found


def _make_successor(asked: FactsRequest, memory: Memory, text: str) -> Draft:
    """What replaces a memory: of its kind and with its tags, unless somebody says otherwise."""
    draft = _draft(asked, text)
    return draft._replace(
        kind=asked.kind or memory.kind,
        tags=draft.tags or memory.tags,
        entities=memory.entities,
        confidence=memory.confidence if draft.confidence is None else draft.confidence,
    )


def _draft(asked: FactsRequest, text: str) -> Draft:
    said = asked.said
    tags = tuple(word.strip().lstrip("#") for word in said["tag"] if word.strip(" #"))
    return Draft(
        text,
        asked.kind or "fact",
        said["section"],
        tags,
        confidence=said["confidence"],
        expires=None if said["expires"] is None else parse_until(said["expires"], asked.kind or "fact", tags),
        evidence=said["evidence"],
        lasting=said["expires"] is not None,
    )


def parse_until(text: str, kind: str = "", tags: tuple[str, ...] = ()) -> float | None:
    """The moment until which something of that kind holds; None: for ever. Raises UsageError."""
    now, word = clock.now(), text.strip().lower()
    if word == "default":
        word = retention.choose_default_duration(kind, tags)
    if retention.is_duration(word):
        return retention.compute_expiry(word, now)
    return extend_to_day_end(text, parse_time(text))


def _find_meant(opened: Vault, word: str) -> Memory:
    """The one memory that a word names. Raises UsageError where it names none, or one in each of several files."""
    found = opened.memory(word)
    if found is None:
        raise UsageError(_("There is no memory '{id}': lists and `memtui search` name them.").format(id=word))
    if found.key == word:
        places = {(other.home, other.path): f"{other.path}:{other.start} ({other.id})" for other in opened.named(word)}
        if len(places) > 1:
            several = _("'{id}' is in several files; the longer id says which: {places}")
            raise UsageError(several.format(id=word, places=", ".join(places.values())))
    return found


# -- doing ------------------------------------------------------------------------------------------------------


def _add(asked: FactsRequest, layer: Layer) -> int:
    draft = _draft(asked, read_passage(asked.words))
    if layer is Layer.PROFILE and not asked.kind:
        # What people want of agents is most of a profile; --kind fact says what they are.
        draft = draft._replace(kind="pref")
    here = Path.cwd()
    known = is_checkout(here)
    draft = draft._replace(
        project=asked.said["project"] or (project.name(here, load_settings(warn=False)) if known else "")
    )

    def deed(opened: Vault, place: Home) -> Receipt:
        about = asked.said["project"]
        if not about and not find_area(place, draft.tags):
            # A tag that an area is called by says where it belongs; else it is about the project worked in.
            session = Session("", "", str(here), "", draft.project)
            about = rules.name_file_project([place], "", session) or draft.project
        written = draft._replace(project=about)
        return verbs.add(opened, place, written, layer=layer, path=asked.said["to_file"])

    with open_writer(asked.home, layer, draft) as (opened, place):
        opened.refresh()
        if asked.said["dry_run"]:
            changes, receipt = rehearse_verb(opened, lambda stage: deed(stage, place))
            return show_changes(opened, [(changes, receipt, "")], asked.as_json)
        receipt = deed(opened, place)
    if asked.as_json:
        render.print_document({"receipts": [documents.dump_receipt(receipt)], "failed": []})
        documents.print_remarks([receipt])
    else:
        documents.say([receipt])
        render.print_remark(_("in {home}").format(home=describe_home(place)))
    return 0


def _init(asked: FactsRequest) -> int:
    return run_init(
        asked.words[0] if asked.words else None,
        layout="",
        profile=True,
        dry_run=asked.said["dry_run"],
        home=asked.home,
        as_json=asked.as_json,
    )


def _do(opened: Vault, chosen: Sequence[Memory], deed: Deed, as_json: bool) -> int:
    """Do it with each, as one decision that is undone at once; what cannot be does not stop the others."""
    done: list[Receipt] = []
    failed: list[tuple[Memory, MemtuiError]] = []
    if len(chosen) == 1:
        done.append(deed(opened, chosen[0], ""))
    else:
        # The one before may have moved it down its file.
        done, failed = apply_each(
            opened, chosen, lambda stage, one: deed(stage, reload_memory(stage, one), ""), group=generate_record_id()
        )
    if as_json:
        render.print_document(
            {
                "receipts": [documents.dump_receipt(receipt) for receipt in done],
                "failed": [{"id": memory.id, "reason": str(error)} for memory, error in failed],
            }
        )
        documents.print_remarks(done)
    else:
        documents.say(done)
    for memory, error in failed:
        render.print_remark(f"{memory.key or memory.id}: {error}")
        documents.explain(error)
    return max((error.exit_status for _memory, error in failed), default=0)


def _show_what_would_be(opened: Vault, chosen: Sequence[Memory], deed: Deed, as_json: bool) -> int:
    found: list[tuple[tuple[Change, ...], Receipt | None, str]] = []
    for memory in chosen:
        try:
            found.append((*rehearse_verb(opened, lambda stage, one=memory: deed(stage, one, "")), ""))  # type: ignore[misc]
        except MemtuiError as error:
            found.append(((), None, str(error)))
    return show_changes(opened, found, as_json)


LARGEST = 1024 * 1024
"""Bytes that are taken from stdin."""


@contextmanager
def open_writer(home: Sequence[str], layer: Layer, draft: Draft) -> Iterator[tuple[Vault, Home]]:
    """The vault to write with, and the one home that a new memory goes to; memtui's own is made where it is missing.

    Nothing is indexed, neither first nor afterwards: a hook waits for this, and the next question looks anyway.
    """
    config = load_settings()
    drain_spool(config)
    if len(home) > 1:
        raise UsageError(_("A memory goes to one home: name one with --home."))
    mine = find_own_home()
    if home and Path(os.path.realpath(Path(home[0]).expanduser())) == mine.path:
        with Vault([make_home(mine)], config) as opened:
            opened.current = False
            yield opened, mine
        return
    with open_vault(home, wait=False, config=config) as opened:
        place = opened.homes[0] if home else choose_home(opened.homes, layer, draft)
        if place in opened.homes:
            yield opened, place
            return
    with Vault([make_home(place)], config) as opened:
        opened.current = False
        yield opened, place


def drain_spool(config: Config) -> None:
    """Write what waits from when a home was locked; say how much that was."""
    if not displaced.list_spooled_records():
        return
    count = drain(config)
    if count:
        render.print_remark(
            _n("{count} note that had waited is written.", "{count} notes that had waited are written.", count)
        )


def read_passage(words: Sequence[str]) -> str:
    """The words of the command line as one text, or stdin for a single '-'. Raises UsageError for what is no text."""
    if list(words) != ["-"]:
        found = " ".join(words)
        if any("\ud800" <= char <= "\udfff" for char in found):
            raise UsageError(_("The text is not UTF-8."))
    else:
        data = sys.stdin.buffer.read(LARGEST + 1)
        if len(data) > LARGEST:
            raise UsageError(_("That is more than {limit} at once.").format(limit="1 MB"))
        try:
            found = data.decode("utf-8-sig")
        except UnicodeDecodeError:
            raise UsageError(_("What came on stdin is not UTF-8.")) from None
    if not found.strip():
        raise UsageError(_("There is nothing to remember in an empty text."))
    return found.strip()
