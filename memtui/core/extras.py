"""How what an extra brings gets into this very installation: memtui may have an environment of its own, and its name
need not be known to a package index.
"""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

from memtui.core.startup import compile_pattern

_NAMED = compile_pattern(r"\s*([A-Za-z0-9][\w.-]*)\s*([^;\[]*)")


def name_install_command(*packages: str) -> str:
    """The command for a shell that installs these packages where memtui looks for them, in versions that fit it."""
    from importlib.util import find_spec

    wanted = [_add_version(package) for package in packages]
    if "pipx" in Path(sys.prefix).parts:
        return shlex.join(["pipx", "inject", "memtui", *wanted])
    if find_spec("pip") is None:
        return shlex.join(["uv", "pip", "install", "--python", sys.executable, *wanted])
    return shlex.join([sys.executable, "-m", "pip", "install", *wanted])


def _add_version(package: str) -> str:
    """The package as memtui's own metadata asks for it."""
    from importlib.metadata import PackageNotFoundError, requires

    try:
        needed = requires("memtui") or []
    except PackageNotFoundError:
        needed = []
    named = (match for line in needed if (match := _NAMED.match(line)) is not None)
    versions = {match[1].lower(): match[2].strip().strip("()") for match in named}
    return package + versions.get(package.lower(), "")
