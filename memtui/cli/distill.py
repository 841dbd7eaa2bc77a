"""`memtui distill`: what of the journals belongs in core memory (spec 004), shown first, written when asked to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memtui.cli import candidates, output, receipts
from memtui.cli.grammar import EVERYWHERE, Command, Option
from memtui.cli.opening import settings, vault
from memtui.cli.writing import DRY_RUN, drained
from memtui.errors import UnavailableError, UsageError
from memtui.locale import _, _n

if TYPE_CHECKING:
    from memtui.vault import Vault

SOME = 20
"""Facts that were not proposed, of which a person is told here why; all of them are in the document."""


def run(*, dry_run: bool, apply: bool, max_: int | None, home: tuple[str, ...], as_json: bool) -> int:
    """Show what would be proposed, or write it; 1 where there is nothing."""
    if dry_run and apply:
        raise UsageError(_("Either --dry-run or --apply."))
    config = settings()
    if not config.distill.enabled:
        if as_json:
            output.document({"status": "disabled", "candidates": [], "refused": [], "receipts": []})
        output.talk(
            _("Distillation is switched off: `memtui config set distill.enabled true` switches it on.")
        )
        return 0
    if max_ is not None:
        config = config._replace(distill=config.distill._replace(max_items_per_run=max_))
    writes = apply or (config.distill.mode == "auto" and not dry_run)
    if writes:
        drained(config)
    with vault(home, config=config) as opened:
        return _write(opened, as_json) if writes else _show(opened, as_json)


def _show(opened: Vault, as_json: bool) -> int:
    from memtui.cli.review import load_queue
    from memtui.curation import review

    queue = load_queue(opened)
    chosen = [one for one in queue.waiting if one.origin == "distilled"]
    refused = queue.refused
    shown = [(one, review.diff(opened, one)) for one in chosen]
    if as_json:
        output.document(
            {
                "status": "dry_run",
                "candidates": [candidates.plain(one) | {"diff": diff} for one, diff in shown],
                "refused": [candidates.refused(fact) for fact in refused],
                "receipts": [],
            }
        )
        return 0 if chosen else 1
    for one, diff in shown:
        candidates.page(one, diff)
        output.line()
    if refused:
        candidates.refusals(refused[:SOME])
    if len(refused) > SOME:
        output.talk(
            _("… and {more:,} more; `memtui review explain --refused` lists all").format(
                more=len(refused) - SOME
            )
        )
    told = _n("{count} fact would be proposed", "{count} facts would be proposed", len(chosen))
    rest = _n("{count} would not", "{count} would not", len(refused))
    output.talk(
        f"{told}, {rest}. " + _("Nothing was written; --apply writes, `memtui review` decides one by one.")
    )
    return 0 if chosen else 1


def _write(opened: Vault, as_json: bool) -> int:
    from memtui.curation import distillation

    done, left, refused = distillation.run(opened)
    written = [receipt for _one, receipt in done]
    if as_json:
        output.document(
            {
                "status": "applied",
                "receipts": [receipts.plain(receipt) for receipt in written],
                "waiting": [candidates.plain(one) | {"obstacle": str(error)} for one, error in left],
                "refused": [candidates.refused(fact) for fact in refused],
            }
        )
        receipts.notes(written)
    else:
        receipts.say(written)
        output.talk(_n("{count} fact was written.", "{count} facts were written.", len(done)))
    for one, error in left:
        output.talk(_("waits for you: {text} ({why})").format(text=one.text, why=error))
    if refused and not as_json and not done:
        output.talk(
            _n(
                "{count} fact was not proposed; `memtui review explain --refused` says why",
                "{count} facts were not proposed; `memtui review explain --refused` says why",
                len(refused),
            )
        )
    # What waits for a person is in order; what no disk would take is not.
    could_not = [error.exit_status for _one, error in left if isinstance(error, UnavailableError)]
    return max(could_not, default=0 if done or left else 1)


COMMAND = Command(
    "distill",
    "Facts of the journals that belong in core memory: which, into which section, with the difference; and of every "
    "other fact why not.\n\n"
    "Only shows, unless --apply is given or distill.mode is auto. Only appends, never what is there already, and never "
    "more than distill.max_items_per_run. What carries a warning waits for a person.",
    run,
    (),
    (
        DRY_RUN,
        Option(
            ("--apply",), "Write what is chosen, appended under its sections; one undo takes it back.", "flag"
        ),
        Option(
            ("--max",),
            "How many at most (config: distill.max_items_per_run).",
            "int",
            least=1,
            dest="max_",
            metavar="N",
        ),
        *EVERYWHERE,
    ),
    epilog="Exit status: 0 done (or switched off), 1 nothing to distill, 2 wrong use, 3 refused, 4 could not.",
)
