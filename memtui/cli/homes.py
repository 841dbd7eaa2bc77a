"""`memtui homes`: what was found, which layout, why, how much."""

from __future__ import annotations

from memtui.cli import output
from memtui.cli.grammar import EVERYWHERE, Command
from memtui.cli.opening import short, vault
from memtui.locale import _


def run(*, home: tuple[str, ...], as_json: bool) -> int:
    """List the homes; 1 where there is none."""
    with vault(home) as opened:
        states = opened.status()
    if as_json:
        output.document(
            [
                {
                    "path": str(state.home.path),
                    "layout": state.home.layout,
                    "reason": state.home.reason,
                    "files": state.files,
                    "memories": state.memories,
                    "left_out": state.left_out,
                    "unparsed": state.unparsed,
                    "writable": state.home.writable,
                    "label": state.home.label,
                    "project": state.home.project,
                    "current": state.home.current,
                }
                for state in states
            ]
        )
        return 0 if states else 1
    if not states:
        output.talk(
            _(
                "No memory home was found for this directory or this user.\n"
                "Run memtui in a project where an agent has worked, name a directory (memtui PATH), "
                "or look at the demo (memtui --demo)."
            )
        )
        return 1
    heads = (
        output.Column("", output.GREEN),
        output.Column(_("home"), output.CYAN),
        output.Column(_("layout")),
        output.Column(_("memories"), right=True),
        output.Column(_("left out"), output.DIM, right=True),
        output.Column(_("files"), right=True),
        output.Column(_("unread"), output.YELLOW, right=True),
        output.Column(_("why"), output.DIM, grows=True),
    )
    output.table(
        heads,
        (
            (
                "●" if state.home.current else "",
                short(str(state.home.path)),
                state.home.layout,
                f"{state.memories:,}",
                f"{state.left_out:,}" if state.left_out else "",
                f"{state.files:,}",
                str(state.unparsed or ""),
                state.home.reason + ("" if state.home.writable else "; " + _("read only")),
            )
            for state in states
        ),
    )
    return 0


COMMAND = Command(
    "homes",
    "List the memory homes found for this directory and this user: where, which layout, and why.\n\n"
    "A dot marks the homes of the current project.",
    run,
    (),
    EVERYWHERE,
)
