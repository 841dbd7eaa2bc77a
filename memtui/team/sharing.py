"""What may leave this machine, and why not: pure functions over a file's name, role and bytes.

Nothing leaves but files of homes, projects and layers that a person named (`Share`). And whatever is named, some
things stay: the person's own files (L0), conversations, what was collected from other nodes, the evolution log, the
scratchpad, archives, skills, what is marked #private, and whole files that read like orders to agents. Secrets are
masked. A file that cannot be judged stays.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from memtui.core.locale import _
from memtui.core.model import JSON, Layer, Status
from memtui.layouts.roles import infer_path_status
from memtui.safety.injection import examine
from memtui.safety.privacy import drop_private, drop_private_records
from memtui.safety.redact import redact

if TYPE_CHECKING:
    import re
    from collections.abc import Sequence

    from memtui.core.model import Role
    from memtui.team.membership import Audience, Share

LARGEST = 4 << 20
"""Bytes of one file that are shared."""
NEVER = frozenset({Layer.PROFILE, Layer.JOURNAL, Layer.EVOLUTION})
"""Layers that no team is given."""
OFFERED: dict[Audience, tuple[Layer, ...]] = {
    "team": tuple(layer for layer in Layer if layer not in NEVER),
    "me": tuple(layer for layer in Layer if layer is not Layer.EVOLUTION),
}
"""Layers that may be named."""
USUAL = (Layer.CORE, Layer.KNOWLEDGE)
"""Those that are meant where none is named."""

_PERSONAL = frozenset({"user", "profile", "soul", "identity"})
_INTERNAL = frozenset({
    "trash", ".trash", "transcripts", "transcript", "traces", "trace", "evolution", "scratchpad", "candidates",
    "candidate", "quarantine", "rejected", "drafts", "undo", "private", "secrets", "logs",
})  # fmt: skip
_COLLECTED = "<!-- collected: etag="
"""How a copy ends that `sessions.collect` made of what another person's machine put out."""


class Outgoing(NamedTuple):
    """One file as others would see it, or why they do not."""

    body: bytes | None
    reason: str = ""
    """Why it stays, for a person."""
    masked: int = 0
    """Secrets that are masked in it."""
    dropped: int = 0
    """Lines that are left out of it."""


def explain_withheld(path: str, role: Role | None, share: Share, audience: Audience) -> str:
    """Why the file at `path` of a home stays here by its place and role; empty: it may leave, by those."""
    if role is None or not role.limit:
        return _("it is no file of memories")
    *folders, name = path.lower().split("/")
    stem = name.partition(".")[0]
    if role.parser.endswith("-transcript"):
        return _("conversations stay here")
    if role.layer is Layer.EVOLUTION or not _INTERNAL.isdisjoint((*folders, stem)):
        return _("it is nobody else's business")
    if role.kind == "todo" and stem == "scratchpad":
        return _("the scratchpad stays here")
    status = infer_path_status(path) if role.status is Status.ACTIVE else role.status
    if status is not Status.ACTIVE:
        return _("it holds no memories of now ({status})").format(status=status.value)
    personal = role.layer is Layer.PROFILE or not _PERSONAL.isdisjoint((*folders, stem))
    if personal and (audience == "team" or Layer.PROFILE not in share.layers):
        return _("it is about you")
    if audience == "team" and role.layer in NEVER:
        return _("daily notes stay here")
    if role.layer.value not in share.layers:
        return _("its layer ({layer}) is not shared").format(layer=role.layer.value)
    if share.project and role.project != share.project:
        return _("it is not of the project that is shared")
    return _("its name holds a secret") if redact(path).secrets else ""


def prepare_outgoing(path: str, data: bytes, patterns: Sequence[re.Pattern[str]] = ()) -> Outgoing:
    """The file as others may see it: what is private left out, secrets masked. `patterns` are the person's own.

    Its lines are those of the file, without those left out. Never raises.
    """
    if len(data) > LARGEST:
        return Outgoing(None, _("it is larger than {size} MB").format(size=LARGEST >> 20))
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return Outgoing(None, _("it is no text"))
    if "\0" in text:
        return Outgoing(None, _("it is no text"))
    if _COLLECTED in text:
        return Outgoing(None, _("it was collected from another node: that one shares it, or nobody"))
    kept: str | None
    if path.lower().endswith(JSON):
        kept = drop_private_records(text, lines=path.lower().endswith("l"))
    else:
        kept = drop_private(text)
    if kept is None or (not kept.strip() and text.strip()):
        return Outgoing(None, _("it is marked private"))
    if examine(kept).action == "quarantine":
        return Outgoing(None, _("it reads like an order to agents: see Review"))
    safe = redact(kept, patterns)
    return Outgoing(
        safe.text.encode(), masked=len(safe.secrets), dropped=len(text.splitlines()) - len(kept.splitlines())
    )
