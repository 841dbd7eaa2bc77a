"""What `memtui team` shares, stops sharing, writes for the team and asks of colleagues; and `memtui sync`."""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memtui.cli import render
from memtui.cli.opening import ProgressBar, load_settings, shorten_path
from memtui.cli.options import JSON, Command, CommandOption, CommandVerb
from memtui.core import clock
from memtui.core.errors import ConflictError, RefusedError, UsageError
from memtui.core.locale import _, _n
from memtui.core.model import Problem
from memtui.fs.files import DEPTH, compute_etag, walk
from memtui.layouts import load_layout
from memtui.layouts.discovery import detect_surroundings, discover_homes, find_mirrors, list_homes_at
from memtui.store.vault import Vault
from memtui.team.exchange import Exchange, run_all, watch_all
from memtui.team.membership import Share, connect_member, find_membership, load_memberships, save_membership
from memtui.team.offers import change_shared, list_offers
from memtui.team.push import Pusher, change_team_file, name_home
from memtui.team.sharing import OFFERED, USUAL

if TYPE_CHECKING:
    from memtui.core.config import Config
    from memtui.core.model import Home
    from memtui.team.exchange import Exchanged
    from memtui.team.membership import Membership
    from memtui.team.push import Shown


_LISTED = 40
"""Files that are named one by one above the question whether to share them; `--dry-run` names all."""


def _check_layers(layers: tuple[str, ...], member: Membership) -> tuple[str, ...]:
    """The layers that are named, or the usual ones; UsageError for one that is not offered."""
    offered = [one.value for one in OFFERED[member.audience]]
    wrong = next((one for one in layers if one not in offered), None)
    if wrong:
        raise UsageError(
            _("{layer} is shared with nobody; one of: {layers}.").format(layer=wrong, layers=", ".join(offered))
            if member.audience == "team"
            else _("{layer} is not shared; one of: {layers}.").format(layer=wrong, layers=", ".join(offered))
        )
    return layers or tuple(one.value for one in USUAL)


def share_homes(
    words: tuple[str, ...], *, team: str, home: tuple[str, ...], layer: tuple[str, ...], dry_run: bool, yes: bool,
    as_json: bool, **given: Any,
) -> int:  # fmt: skip
    """Show what would leave of the homes and projects named, and share it where the person agrees."""
    member, config = find_membership(team), load_settings()
    layers = _check_layers(layer, member)
    wanted = list(_find_shares(words, home, layers, config))
    progress = ProgressBar(_("checking {label}"))
    pusher = Pusher(member._replace(shares=tuple(wanted)), config, progress.draw)
    try:
        files = [one for share in wanted for one in pusher.list_files(share)]
    finally:
        progress.done()
    # What was judged for the list is not judged again when it leaves.
    pusher.close()
    leaving = [one for one in files if not isinstance(one, Problem) and one.etag]
    if as_json and dry_run:
        render.print_document([_dump_shown(one) for one in files if not isinstance(one, Problem)])
        return 0 if leaving else 1
    if not as_json:
        # Nobody reads thousands of lines above a question.
        _print_files(files if dry_run or len(files) <= _LISTED else _fold_files(files))
    if not leaving and not dry_run:
        raise RefusedError(_("Nothing of that may leave: the list says why."))
    if dry_run:
        render.print_remark(_("A dry run: nothing was shared."))
        return 0 if leaving else 1
    if not yes and not _ask_to_share(member.team, wanted, leaving):
        return 3
    before = member
    kept = [one for one in member.shares if all((one.home, one.project) != (new.home, new.project) for new in wanted)]
    member = member._replace(shares=(*kept, *wanted))
    save_membership(member)
    done = exchange_now(member, config)
    if done.refused:
        # What nobody may send is not tried again with every exchange.
        member = before
        save_membership(before)
    if as_json:
        render.print_document({"shares": [one._asdict() for one in member.shares], **dump_exchanged(done)})
        return 4 if done.error else 0
    return print_exchanged(done)


def _ask_to_share(team: str, wanted: list[Share], leaving: list[Shown]) -> bool:
    """Ask; what is agreed to goes beyond the files that were listed, so that is said, too."""
    about = "; ".join(
        (_("{project} in {home}") if one.project else _("all of {home}")).format(
            project=one.project, home=shorten_path(one.home)
        )
        for one in wanted
    )
    render.print_remark(_("The team “{team}” will see: {what}").format(team=team, what=about))
    layers = ", ".join(wanted[0].layers)
    render.print_remark(_("What is written later in these layers follows by itself: {layers}.").format(layers=layers))
    question = _n(
        "Share this {count} file ({size:,} bytes)?", "Share these {count} files ({size:,} bytes)?", len(leaving)
    )
    if _ask(question.format(size=sum(one.size for one in leaving))):
        return True
    render.print_remark(_("Nothing was shared."))
    return False


def withdraw_homes(words: tuple[str, ...], *, team: str, home: tuple[str, ...], as_json: bool, **given: Any) -> int:
    """Stop sharing what is named, or all: the server holds nothing of it any more."""
    member, config = find_membership(team), load_settings()
    paths = {str(Path(one).expanduser().resolve()) for one in home}

    def named(share: Share) -> bool:
        names = {share.project or name_home(share).split(".")[0], Path(share.home).name}
        return (not words and not paths) or share.home in paths or not names.isdisjoint(words)

    left = tuple(share for share in member.shares if not named(share))
    if len(left) == len(member.shares):
        raise UsageError(_("Nothing of that is shared: `memtui team status` lists what is."))
    member = member._replace(shares=left)
    save_membership(member)
    done = exchange_now(member, config)
    if as_json:
        render.print_document({"shares": [one._asdict() for one in left], **dump_exchanged(done)})
    elif done.error:
        render.print_line(_("It is shared no more; what the server holds of it is removed at the next sync."))
        render.print_remark(done.error)
    else:
        count = done.pushed.gone
        render.print_line(
            _n("{count} file is removed from the server.", "{count} files are removed from the server.", count).format(
                count=count
            )
        )
    if not as_json:
        render.print_remark(_("Others may have read it, and kept what they read."))
    return 4 if done.error else 0


def _find_shares(
    words: tuple[str, ...], paths: tuple[str, ...], layers: tuple[str, ...], config: Config
) -> list[Share]:
    """The homes and projects that are named. Raises UsageError for a name that is none."""
    if paths:
        homes = [home for path in paths for home in list_homes_at(Path(path))]
    else:
        homes = discover_homes(detect_surroundings(), map(Path, config.homes.paths), config.homes.exclude)
    homes = [home for home in homes if home.origin is None and not home.layout.startswith("file:")]
    found: list[Share] = []
    if not words and paths:
        return [Share(str(home.path), home.layout, "", layers) for home in homes]
    for word in words:
        whole = [
            home
            for home in homes
            # A shell writes `~` out.
            if word in {home.label, home.path.name, Path(home.project or "/").name, str(home.path)}
        ]
        parts = [home for home in homes if home not in whole and word in _list_projects(home)]
        if not whole and not parts:
            raise UsageError(
                _("No home or project is called {name}; there are: {names}.").format(
                    name=word, names=_join_names(homes)
                )
            )
        found += [Share(str(home.path), home.layout, "", layers) for home in whole]
        found += [Share(str(home.path), home.layout, word, layers) for home in parts]
    if not found:
        told = _("Name the projects to share, like `memtui team share shop`, or homes with --home.")
        if homes:
            told += "\n" + _("Here are: {names}.").format(names=_join_names(homes))
        raise UsageError(told)
    return found


def _join_names(homes: list[Home]) -> str:
    return ", ".join(sorted({name for home in homes for name in _list_projects(home)}))


def _list_projects(home: Home) -> set[str]:
    """What a home, and the projects that it keeps apart, are called."""
    layout = load_layout(home.layout)
    names = {home.label}
    try:
        for file in walk(home.path, partial(layout.role, home.path), partial(layout.prune, home.path)):
            if not isinstance(file, Problem) and file.role.project:
                names.add(file.role.project)
    except OSError:
        pass
    return names


def write_team_file(words: tuple[str, ...], *, team: str, as_json: bool, **given: Any) -> int:
    """A file of the team's own home: HOME/PATH, its new text on stdin or in a file."""
    if len(words) not in {1, 2} or "/" not in words[0]:
        raise UsageError(_("Say `memtui team write HOME/PATH [FILE]`, like notes/MEMORY.md; the text comes on stdin."))
    member = find_membership(team)
    home, _slash, path = words[0].partition("/")
    name = home if home.count(".") > 1 else f"{home}.memtui.000000"
    body = sys.stdin.buffer.read() if len(words) == 1 or words[1] == "-" else Path(words[1]).read_bytes()
    exchange = Exchange(member, load_settings())
    try:
        # What it was made from is what the mirror shows: whoever wrote it last before that has been read.
        seen = member.mirror / "@" / name / path
        link = exchange.open()
        base = seen.read_bytes() if seen.is_file() else None
        expected = "" if base is None else compute_etag(base)
        etag = change_team_file(link, member.team, name, path, expected, body)
        exchange.run(push=False)
    except ConflictError as error:
        if as_json:
            render.print_document({"conflict": True, "kept": error.kept, "path": error.path})
        else:
            theirs = render.diff_files(error.theirs, error.mine, path)
            for line in render.paint_diff(theirs):
                render.print_line(line)
        exchange.run(push=False)
        raise
    finally:
        exchange.close()
    if as_json:
        render.print_document({"conflict": False, "home": name, "path": path, "etag": etag})
    else:
        render.print_line(_("{path} of {team} is written.").format(path=words[0], team=member.team))
    return 0


def offer_change(words: tuple[str, ...], *, team: str, as_json: bool, **given: Any) -> int:
    """Ask a colleague for another text of a memory of theirs; without one, what was asked, and what became of it."""
    if not words:
        member = find_membership(team)
        link = connect_member(member)
        try:
            found = list_offers(link, member)
        finally:
            link.close()
        if as_json:
            render.print_document(found)
        for one in () if as_json else found:
            place = render.make_safe_line(f"{one['to']}@{one['machine']} {one['path']}:{one['line']}")
            render.print_line(f"{one['state']:9} {clock.format_age(one['made']):>4}  {place}")
        return 0 if found else 1
    if len(words) != 2:
        raise UsageError(_("Say `memtui team offer ID TEXT`, with the id or PATH:LINE of what a colleague shares."))
    text = sys.stdin.read() if words[1] == "-" else words[1]
    with Vault(list(find_mirrors()), load_settings()) as vault:
        vault.settle()
        vault.freshen()
        memory = vault.memory(words[0])
        if memory is None:
            raise UsageError(_("No memory that a colleague shares is called {name}.").format(name=words[0]))
        told = change_shared(vault, memory, text)
    if as_json:
        render.print_document({"offered": True, "path": memory.path, "line": memory.start})
    else:
        render.print_line(told)
    return 0


def _fold_files(files: list[Shown | Problem]) -> list[Shown | Problem]:
    """The files that leave as they are, one row a folder; of the others, each."""
    plain = [one for one in files if not isinstance(one, Problem) and one.etag and not one.reason]
    plain = [one for one in plain if not (one.masked or one.dropped)]
    folders: dict[str, list[Shown]] = {}
    for depth in range(DEPTH, -1, -1):
        folders = {}
        for one in plain:
            folders.setdefault("/".join(one.path.split("/")[:-1][:depth]), []).append(one)
        if len(folders) <= _LISTED:
            break
    rows: list[Shown | Problem] = []
    for folder, inside in folders.items():
        told = _n("{count:,} file", "{count:,} files", len(inside)).format(count=len(inside))
        rows.append(
            inside[0]._replace(path=f"{folder}/" if folder else ".", size=sum(one.size for one in inside), reason=told)
        )
    names = {id(one) for one in plain}
    return rows + [one for one in files if id(one) not in names]


def _print_files(files: list[Shown | Problem]) -> None:
    rows = []
    for one in files:
        if isinstance(one, Problem):
            rows.append(("-", one.path, one.reason))
            continue
        told = [one.reason] if one.reason else []
        if one.masked:
            told.append(_n("{count} secret masked", "{count} secrets masked", one.masked).format(count=one.masked))
        if one.dropped:
            told.append(_n("{count} line left out", "{count} lines left out", one.dropped).format(count=one.dropped))
        rows.append((f"{one.size:,}" if one.etag else "-", one.path, "; ".join(told)))
    columns = [render.Column(_("BYTES"), right=True), render.Column(_("FILE"), grows=True), render.Column("")]
    render.print_table(columns, rows)


def _dump_shown(one: Shown) -> dict[str, Any]:
    return {
        "home": one.home, "path": one.path, "bytes": one.size, "leaves": bool(one.etag), "reason": one.reason,
        "masked": one.masked, "dropped": one.dropped,
    }  # fmt: skip


def _ask(question: str) -> bool:
    if not sys.stdin.isatty():
        raise UsageError(_("Nobody is there to answer: --yes shares it, --dry-run only shows it."))
    # What was typed before the list was there answers no question.
    if os.name == "posix":
        import termios

        with suppress(OSError, termios.error):
            termios.tcflush(sys.stdin, termios.TCIFLUSH)
    sys.stderr.write(f"{question} [y/N] ")
    sys.stderr.flush()
    return sys.stdin.readline().strip().lower() in {"y", "yes", "j", "是"}


def exchange_now(member: Membership, config: Config) -> Exchanged:
    """One exchange with one team, with a bar."""
    progress = ProgressBar(_("sharing {label}"))
    exchange = Exchange(member, config, progress.draw)
    try:
        return exchange.run()
    finally:
        exchange.close()
        progress.done()


def dump_exchanged(done: Exchanged) -> dict[str, Any]:
    """What came of it, for JSON."""
    sent, got = done.pushed, done.pulled
    return {
        "sent": sent.sent, "gone": sent.gone, "bytes": sent.bytes, "shared": sent.shared, "withheld": sent.withheld,
        "away": list(sent.away), "written": got.written, "removed": got.removed, "refused": got.refused,
        "rev": got.rev, "offered": done.offered, "error": done.error,
    }  # fmt: skip


def print_exchanged(done: Exchanged) -> int:
    """What came of it, for people; the exit status."""
    if done.error:
        render.print_remark(f"{done.team}: {done.error}")
        return 3 if done.refused else 4
    sent, got = done.pushed, done.pulled
    told = [
        form.format(count=count, bytes=sent.bytes)
        for count, form in (
            (sent.sent, _n("{count} file sent ({bytes:,} bytes)", "{count} files sent ({bytes:,} bytes)", sent.sent)),
            (sent.gone, _("{count} taken back")),
            (got.written, _("{count} received")),
            (got.removed, _("{count} of others gone")),
        )
        if count
    ]  # fmt: skip
    render.print_line(f"{done.team}: " + (", ".join(told) or _("nothing new on either side")))
    if done.offered:
        render.print_line(
            _n(
                "{count} change is asked of you: see Review.",
                "{count} changes are asked of you: see Review.",
                done.offered,
            ).format(count=done.offered)
        )
    for home in sent.away:
        render.print_remark(_("{home} could not be read whole: what it shares stays as it was.").format(home=home))
    return 0


VERBS = (
    CommandVerb(
        "share",
        "[PROJECT|HOME]…",
        "Share projects, or whole homes, with the team. Every file that would leave is shown first, with its bytes, "
        "the secrets masked in it and the private lines left out, and why the others stay; then you are asked.\n\n"
        "Without a name it says which there are. What is written there later, in the same layers, follows by itself.",
        ("--team", "--layer", "--home", "--dry-run", "--yes"),
        (
            "memtui team share",
            "memtui team share shop --dry-run",
            "memtui team share shop --layer knowledge --layer core",
            "memtui team share --home ~/.memtui --yes",
        ),
    ),
    CommandVerb(
        "unshare",
        "[PROJECT|HOME]…",
        "Stop sharing what is named, or everything. Its text is removed from the server and, with their next exchange, "
        "from the copies of the others; they may have read it, and kept what they read.",
        ("--team", "--home"),
        ("memtui team unshare shop", "memtui team unshare"),
    ),
    CommandVerb(
        "write",
        "HOME/PATH [FILE]",
        "Write a file of the team's own home, which belongs to nobody alone. The text comes from FILE or from stdin. "
        "Where somebody changed the file since your copy was fetched nothing is written: both texts are shown, and "
        "yours is kept.",
        ("--team",),
        ("memtui team write notes/MEMORY.md notes.md", "echo '- tea at four' | memtui team write notes/MEMORY.md"),
    ),
    CommandVerb(
        "offer",
        "[ID TEXT]",
        "Ask a colleague to change a memory of theirs: it waits in their Review with its exact difference. ID is what "
        "`memtui search --json` calls a hit, or PATH:LINE. Without words: what you asked for, and what became of it.",
        ("--team",),
        ('memtui team offer MEMORY.md:7 "tea is at five"', "memtui team offer"),
    ),
)


def run_sync(*, team: str, watch: bool, once: bool, as_json: bool) -> int:
    """Exchange with the teams, once or until somebody stops it."""
    config = load_settings()
    find_membership(team) if team else load_memberships() or find_membership()
    if watch and not once:
        stop = threading.Event()
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_given: stop.set())
        if not as_json:
            render.print_remark(_("Sends and fetches as things change; ctrl+c ends it."))
        watch_all(config, stop, partial(_tell, as_json=as_json), team)
        return 0
    found = run_all(config, team)
    if as_json:
        render.print_document([{"team": one.team, **dump_exchanged(one)} for one in found])
    else:
        for one in found:
            print_exchanged(one)
    return max((3 if one.refused else 4 if one.error else 0) for one in found)


def _tell(done: Exchanged, *, as_json: bool) -> None:
    if as_json:
        # A line an exchange: whoever reads it reads a stream.
        sys.stdout.write(json.dumps({"team": done.team, **dump_exchanged(done)}) + "\n")
    else:
        print_exchanged(done)
    sys.stdout.flush()


TEAM = CommandOption(("--team",), "The team, where this machine is in several.", default="", metavar="NAME")

SYNC = Command(
    "sync",
    "Send what you share and fetch what others share: once, or with --watch at every change on either side.",
    run_sync,
    (),
    (
        CommandOption(("--once",), "Once, which is what it does without --watch.", "flag"),
        CommandOption(("--watch",), "Until it is stopped; a server that is away is asked again.", "flag"),
        TEAM,
        JSON,
    ),
    epilog="Exit status: 0 done, 2 in no team, 3 refused, 4 the server is away.",
)
