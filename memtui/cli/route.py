"""`memtui route`: the documents that words lead to, without a search; and the INDEX.md of memtui's own home."""

from __future__ import annotations

from memtui.cli import output, receipts
from memtui.cli.grammar import EVERYWHERE, Argument, Command, Option
from memtui.cli.opening import reference, settings, vault
from memtui.cli.writing import DRY_RUN
from memtui.errors import UsageError
from memtui.locale import _


def run(
    query: tuple[str, ...], *, regenerate: bool, dry_run: bool, home: tuple[str, ...], as_json: bool
) -> int:
    """Name the documents; 0 where there are any, else 1."""
    if regenerate:
        if query:
            raise UsageError(_("--regenerate takes no QUERY."))
        return _regenerated(dry_run, home, as_json)
    if not query or dry_run:
        raise UsageError(
            _("--dry-run belongs to --regenerate.") if query else _("What is it about? memtui route QUERY")
        )
    from memtui.routing import routes

    config = settings(warn=not as_json)
    with vault(home, wait=False, config=config) as opened:
        found = routes(opened, " ".join(query), config)
    if as_json:
        output.document({"routes": [route._asdict() for route in found]})
    else:
        for route in found:
            about = f"{route.trigger}  {route.source}"
            place = output.safe(reference(route.home, route.path))
            output.line(
                output.paint(place, output.CYAN) + "  " + output.paint(output.safe(about), output.DIM)
            )
        if not found:
            output.talk(
                _("No rule leads anywhere.") if config.routing.enabled else _("routing.enabled is off.")
            )
    return 0 if found else 1


def _regenerated(dry_run: bool, home: tuple[str, ...], as_json: bool) -> int:
    """Make INDEX.md anew in memtui's own homes; 1 where none of them needed it."""
    from memtui.curation.approving import difference
    from memtui.routing.documents import renewed

    with vault(home, wait=False) as opened:
        own = [one for one in opened.homes if one.layout == "memtui"]
        if not own:
            raise UsageError(_("INDEX.md is made in memtui's own home, and none is open here."))
        edits = [edit for one in own if one.writable and (edit := renewed(opened, one)) is not None]
        shown = difference(opened, edits)
        receipt = None
        if edits and not dry_run:
            what = _("made {path} anew from the documents").format(path=edits[0].path)
            receipt = opened.apply(edits, verb="index", what=what, confirmed=True)
    if as_json:
        written = None if receipt is None else receipts.plain(receipt)
        output.document({"dry_run": dry_run, "diff": shown, "receipt": written})
    elif receipt is not None:
        receipts.say([receipt])
    elif edits:
        from memtui.cli import diffs

        for line in diffs.painted(shown):
            output.line(line)
    if not edits:
        output.talk(_("INDEX.md is right as it is."))
    return 0 if edits else 1


COMMAND = Command(
    "route",
    "Name the documents that words lead to, without searching: by the trigger words of rules/memory-loader.md, by "
    "the keywords of INDEX.md, by routing.triggers of the config.\n\n"
    "--regenerate makes the INDEX.md of memtui's own home anew from the documents under areas/; what stands outside "
    "of its marks is kept. An approval that changes such a document does so by itself.",
    run,
    (Argument("query", many=True),),
    (
        Option(("--regenerate",), "Make the INDEX.md of memtui's own home anew.", "flag"),
        DRY_RUN,
        *EVERYWHERE,
    ),
    epilog="Exit status: 0 found or made, 1 nothing found or nothing to make, 2 wrong use, 3 refused, 4 could not.",
)
