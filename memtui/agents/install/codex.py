"""Codex: hooks of its own, or a notifier chained before the one that is there; and the MCP server."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memtui.agents.install import codex_notify, codex_toml, hooks_file
from memtui.agents.install.events import groups
from memtui.agents.install.wiring import Piece, Wiring, read
from memtui.errors import MemtuiError
from memtui.locale import _

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from memtui.agents.install.wiring import Places


def wirings(places: Places, program: Sequence[str]) -> tuple[Wiring, ...]:
    """Every way to serve it here, what is done by default first."""
    project = places.project / ".codex"
    return (
        _hooks(places.codex, program, "user"),
        _hooks(project, program, "project", places.project),
        _notify(places.codex, program),
    )


def _hooks(folder: Path, program: Sequence[str], scope: str, inside: Path | None = None) -> Wiring:
    hooks, config = folder / "hooks.json", folder / "config.toml"
    wanted = groups("codex", program)

    def put(text: str) -> str:
        return codex_toml.with_server(codex_toml.hooks_on(text), program)

    def take(text: str) -> str:
        # Other hooks may live by the switch: it stays.
        return text if _notifies(config) else codex_toml.without_server(text)

    warnings = [
        _(
            "Codex runs no hook that you have not trusted: start it, look at them in /hooks, and trust them there."
        )
    ]
    if _off(config):
        warnings.append(_("Its hooks were switched off in config.toml, all of them: this switches them on."))
    if _notifies(config):
        warnings.append(_("The notifier stands, too: memtui uninstall codex --notify takes it back."))
    return Wiring(
        "codex",
        "hooks",
        scope,
        folder,
        (
            Piece(
                hooks,
                lambda old: hooks_file.put(old, wanted, str(hooks)),
                lambda old: hooks_file.take(old, str(hooks)),
                hooks_file.program,
                inside,
            ),
            Piece(
                config,
                lambda old: codex_toml.changed(old, str(config), put),
                lambda old: codex_toml.changed(old, str(config), take),
                lambda old: () if codex_notify.notifier(codex_toml.said(old)) else codex_toml.server(old),
                inside,
            ),
        ),
        warnings=tuple(warnings),
    )


def _notify(folder: Path, program: Sequence[str]) -> Wiring:
    config = folder / "config.toml"

    def put(text: str) -> str:
        return codex_toml.with_server(codex_notify.put(text, program), program)

    def take(text: str) -> str:
        text = codex_notify.take(text)
        return text if hooks_file.program(_held(folder / "hooks.json")) else codex_toml.without_server(text)

    return Wiring(
        "codex",
        "notify",
        "user",
        folder,
        (
            Piece(
                config,
                lambda old: codex_toml.changed(old, str(config), put),
                lambda old: codex_toml.changed(old, str(config), take),
                lambda old: codex_notify.notifier(codex_toml.said(old)),
            ),
        ),
        warnings=(
            _("A notifier only hears that a turn has ended: nothing is given to Codex at a session's start."),
        ),
    )


def _notifies(config: Path) -> bool:
    return bool(codex_notify.notifier(codex_toml.said(_held(config))))


def _off(config: Path) -> bool:
    features = codex_toml.said(_held(config)).get("features")
    return isinstance(features, dict) and features.get("hooks") is False


def _held(path: Path) -> bytes:
    try:
        return read(path)[1] or b""
    except MemtuiError:
        return b""
