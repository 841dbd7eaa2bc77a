"""What a rule found in a file, and how the agent that wrote it is told."""

from __future__ import annotations

from typing import NamedTuple

from memtui.locale import _, _n

MOST = 10
"""Findings that one answer names; the rest are counted."""

QUOTED = 120
"""Terminal cells of a quoted line."""

EXPLAINED = 400
"""Characters of a rule's message or example: what is longer was not written to be read here."""


class Finding(NamedTuple):
    """One place where a rule holds."""

    rule: str
    """The rule's id."""
    action: str
    """block: it is to be put right now; warn: it is worth a look."""
    message: str
    line: int
    """Counted from 1; 0: the file as a whole."""
    example: str = ""
    """How to do it instead; empty: the message says it."""
    text: str = ""
    """The line as it stands in the file: hostile, not yet fit for anybody's eyes."""


def told(findings: list[Finding]) -> str:
    """The findings for the agent, those that block first; at most ten. Empty where there are none."""
    if not findings:
        return ""
    count = sum(finding.action == "block" for finding in findings)
    head = _n("{count} thing in this file", "{count} things in this file", len(findings))
    head += " " + _("went wrong before (rules of memtui's avoidance gate).")
    if count:
        head += " " + _n("{count} must be put right now.", "{count} must be put right now.", count)
    lines = [head]
    ordered = sorted(findings, key=lambda finding: (finding.action != "block", finding.line))
    for finding in ordered[:MOST]:
        lines += _told(finding)
    if len(ordered) > MOST:
        lines.append(_("… and {count} more").format(count=len(ordered) - MOST))
    if count:
        lines.append(
            _(
                "Where a rule does not fit, tell the user why: they can switch it off in .memtui/avoid.toml "
                "(its id, enabled = false)."
            )
        )
    return "\n".join(lines)


def _told(finding: Finding) -> list[str]:
    from memtui.safety.safe_text import clip

    form = (
        _("- line {line}, fix ({rule}): {message}")
        if finding.action == "block"
        else _("- line {line}, look at ({rule}): {message}")
    )
    message = clip(finding.message.strip(), EXPLAINED)
    lines = [form.format(line=finding.line, rule=clip(finding.rule, 60), message=message)]
    quoted = quote(finding.text)
    if quoted:
        lines.append("    " + _("it says (data from the file): `{line}`").format(line=quoted))
    if finding.example:
        shown = finding.example.strip()[:EXPLAINED].split("\n")
        lines.append(
            "    " + _("instead:") + (" `" + clip(shown[0], QUOTED) + "`" if len(shown) == 1 else "")
        )
        if len(shown) > 1:
            lines += ["        " + clip(line, QUOTED) for line in shown]
    return lines


def quote(text: str) -> str:
    """One line of a file, fit to be quoted: short, visible, secrets masked; empty where it reads like an order."""
    from memtui.safety.injection import examine
    from memtui.safety.redact import redact
    from memtui.safety.safe_text import clip

    line = text.strip()[: 4 * QUOTED]
    if not line or examine(line).action != "none":
        return ""
    return clip(redact(line).text.replace("`", "'"), QUOTED)
