"""What `--dry-run` shows: the difference that each change would make, byte for byte, and what stands in its way."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memtui.cli import diffs, output
from memtui.edits import Append, Edit, RowEdit
from memtui.errors import RefusedError
from memtui.locale import _

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memtui.edits import Change, Receipt
    from memtui.vault import Vault


def shown(
    opened: Vault, found: Sequence[tuple[tuple[Change, ...], Receipt | None, str]], as_json: bool
) -> int:
    """Show what each write would change, or why it cannot be; 3 where one cannot."""
    told = [
        ("".join(_diff(opened, change) for change in changes), receipt.what if receipt else "", why)
        for changes, receipt, why in found
    ]
    if as_json:
        output.document(
            {
                "dry_run": True,
                "changes": [
                    {"what": what, "diff": diff, "obstacle": why or None} for diff, what, why in told
                ],
            }
        )
    for diff, what, why in told:
        if not as_json:
            for line in diffs.painted(diff):
                output.line(line)
        output.talk(why or what)
    if not as_json:
        output.talk(_("Nothing was written."))
    return RefusedError.exit_status if any(why for _diff, _what, why in told) else 0


def _diff(opened: Vault, change: Change) -> str:
    """What one change would do, byte for byte."""
    if isinstance(change, Edit):
        return diffs.unified(change.base, None if change.remove else change.new, change.path)
    if isinstance(change, Append):
        base = opened.bytes_of(change.home, change.path)
        gap = b"" if not base or base.endswith(b"\n") else b"\n"
        head = b"" if base else change.header.encode()
        return diffs.unified(base, (base or b"") + gap + head + change.record.encode() + b"\n", change.path)
    return diffs.unified(
        _row(change, change.before), _row(change, change.after), f"{change.path}:{change.key}"
    )


def _row(change: RowEdit, row: Any) -> bytes | None:
    if row is None:
        return None
    names = change.after if change.after is not None else row
    return "".join(f"{name}: {row[name]}\n" for name in sorted(row) if name in names).encode()
