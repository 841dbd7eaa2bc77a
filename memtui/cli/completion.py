"""`memtui completion`: the script that teaches a shell memtui's words."""

from __future__ import annotations

import os

from memtui.cli import output
from memtui.cli.grammar import EVERYWHERE, Argument, Command
from memtui.errors import UsageError
from memtui.locale import _

SHELLS = ("bash", "zsh", "fish")
PLACES = {
    "bash": "echo 'eval \"$(memtui completion bash)\"' >> ~/.bashrc",
    "zsh": "echo 'eval \"$(memtui completion zsh)\"' >> ~/.zshrc",
    "fish": "memtui completion fish > ~/.config/fish/completions/memtui.fish",
}


def run(shell: str | None, *, home: tuple[str, ...], as_json: bool) -> int:
    """Print the script for the shell named, else for the one in use."""
    del home  # every command takes it; a script does not depend on it
    import sys

    from click.shell_completion import get_completion_class

    from memtui.cli.tree import group

    shell = shell or os.path.basename(os.environ.get("SHELL", ""))
    kind = get_completion_class(shell)
    if kind is None or shell not in SHELLS:
        raise UsageError(_("Which shell? One of: {shells}.").format(shells=", ".join(SHELLS)))
    script = kind(group(), {}, "memtui", "_MEMTUI_COMPLETE").source()
    if as_json:
        output.document({"shell": shell, "script": script})
        return 0
    output.line(script)
    if sys.stdout.isatty():
        output.talk(_("To keep it: {command}").format(command=PLACES[shell]))
    return 0


COMMAND = Command(
    "completion",
    "Print the completion script for bash, zsh or fish (the shell in use unless one is named).\n\n"
    "\b\n" + "\n".join(PLACES.values()),
    run,
    (Argument("shell", choices=SHELLS, metavar="[bash|zsh|fish]"),),
    EVERYWHERE,
)
