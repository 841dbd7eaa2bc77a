"""A skill as agents read it: SKILL.md with the six portable keys of the Agent Skills convention, and no other.

What is written by memtui quotes every value as JSON, which is YAML, too: nothing in a text can end the block early.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, NamedTuple

from memtui.errors import RefusedError
from memtui.locale import _
from memtui.parse.frontmatter import closing, fields
from memtui.safety.injection import examine

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

KEYS = ("name", "description", "license", "compatibility", "metadata", "allowed-tools")
NAME, DESCRIPTION, COMPATIBILITY = 64, 1024, 500
"""Most characters of each."""
LONGEST = 32 * 1024
"""Characters of a whole skill."""

_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_LINE = re.compile(r"(?m)^name:.*$")
_SHORT = {
    "error": "error-fix", "correction": "correction", "capability_gap": "gap", "recurring_issue": "recurring-fix",
    "environment_issue": "env-fix", "dependency_issue": "dependency-fix", "performance_issue": "performance-fix",
    "security_issue": "security-fix",
}  # fmt: skip


class Skill(NamedTuple):
    """What a SKILL.md says."""

    name: str
    description: str
    text: str
    """All of it, the frontmatter, too."""


def fits(name: str) -> bool:
    """Whether a skill, and so its directory, may have this name."""
    return len(name) <= NAME and _NAME.fullmatch(name) is not None


def named(type: str, about: str, taken: Collection[str]) -> str:
    """A free name for what a pattern becomes: 'auto-env-fix', 'auto-env-fix-docker-daemon'."""
    told = re.findall(r"[a-z0-9]+", about.casefold())
    # Agents read names, too.
    told = told if examine(f"{about}\n{' '.join(told)}").action == "none" else []
    words = ["auto", *_SHORT.get(type, "fix").split("-"), *told]
    name = "-".join(dict.fromkeys(words))[:NAME].strip("-")
    return free(name, taken)


def free(name: str, taken: Collection[str]) -> str:
    """The name, or the first with a number behind it that nothing has."""
    found, number = name, 1
    while found in taken:
        number += 1
        found = f"{name[: NAME - len(str(number)) - 1].rstrip('-')}-{number}"
    return found


def written(name: str, description: str, metadata: Mapping[str, str], body: str) -> str:
    """A SKILL.md."""
    said = [
        "---",
        f"name: {name}",
        f"description: {json.dumps(description, ensure_ascii=False)}",
        f"metadata: {json.dumps(dict(metadata), ensure_ascii=False)}",
        "---",
        "",
        body.strip(),
    ]
    return "\n".join(said) + "\n"


def read(text: str) -> Skill:
    """A SKILL.md that somebody wrote or changed. Raises RefusedError with what is wrong with it."""
    if len(text) > LONGEST:
        raise RefusedError(_("A skill of {count:,} characters is too long.").format(count=len(text)))
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
    end = closing(lines, 0) if lines and lines[0].rstrip() == "---" else -1
    if end < 0:
        raise RefusedError(_("A skill begins with its name and description between two lines of '---'."))
    found = fields(lines[1:end])
    odd = sorted(set(found) - set(KEYS))
    if odd:
        raise RefusedError(
            _("Not every agent knows the key {key}: {keys} are portable.").format(
                key=odd[0], keys=", ".join(KEYS)
            )
        )
    name, description = found.get("name"), found.get("description")
    if not isinstance(name, str) or not fits(name):
        raise RefusedError(
            _("The name of a skill is made of a-z, 0-9 and single hyphens, {most} at most.").format(most=NAME)
        )
    if not isinstance(description, str) or not 0 < len(description.strip()) <= DESCRIPTION:
        raise RefusedError(
            _("The description says when to use the skill, in {most:,} characters at most.").format(
                most=DESCRIPTION
            )
        )
    if len(str(found.get("compatibility", ""))) > COMPATIBILITY:
        raise RefusedError(
            _("What a skill is compatible with is said in {most} characters at most.").format(
                most=COMPATIBILITY
            )
        )
    if not "".join(lines[end + 1 :]).strip():
        raise RefusedError(_("A skill says what to do below its frontmatter: this one says nothing."))
    return Skill(name, description.strip(), text if text.endswith("\n") else text + "\n")


def renamed(skill: Skill, name: str) -> Skill:
    """The same under another name."""
    return skill._replace(name=name, text=_LINE.sub(f"name: {name}", skill.text, count=1))
