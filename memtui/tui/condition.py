"""How a home stands, as a row and in full: what is indexed, how fresh, by what it is watched; and what it runs on."""

from __future__ import annotations

import platform
from typing import TYPE_CHECKING, Any

from memtui import __version__, clock
from memtui.locale import _
from memtui.tui import draw
from memtui.tui.fields import rule
from memtui.tui.headings import made
from memtui.tui.items import Fixed
from memtui.tui.prose import wrapped

if TYPE_CHECKING:
    from memtui.tui.draw import Piece
    from memtui.vault import HomeStatus, Vault


def standing(vault: Vault) -> list[HomeStatus]:
    """How the homes stand; and why nothing is found by meaning, also where nobody has looked yet."""
    from memtui.embedding import why_not

    why = why_not(vault.config.vector)
    return [
        status if status.vectors or status.model or status.vectors_why else status._replace(vectors_why=why)
        for status in vault.status()
    ]


def size(amount: int) -> str:
    """Bytes for a person."""
    value = float(amount)
    for unit in ("B", "KB", "MB"):
        if value < 1024:
            return f"{value:.0f} {unit}" if unit == "B" or value >= 10 else f"{value:.1f} {unit}"
        value /= 1024
    return f"{value:.1f} GB"


def home_row(status: HomeStatus) -> Fixed:
    """● shop  xinghebot   1,284 · fts · watching"""
    sign, style = ("✗", "bad") if status.away else ("◐", "warn") if _wanting(status) else ("●", "ok")
    return Fixed(
        ("home", str(status.home.path)),
        (
            (f" {sign} ", style),
            (draw.pad(draw.one_line(status.home.label), 24) + " ", ""),
            (draw.one_line(status.home.layout), "dim"),
        ),
        ((f" {_state(status)}", "dim"), (f" · ✗ {status.unparsed:,} " if status.problems else " ", "bad")),
        status,
    )


def _wanting(status: HomeStatus) -> bool:
    return bool(status.building or status.warning or status.problems)


def _state(status: HomeStatus) -> str:
    """How much there is, and how it is searched and watched; the reasons are beside the list."""
    if status.away:
        return _("not there")
    if status.building:
        far = _("{done:,} of {total:,} files").format(done=status.indexed, total=status.total)
        much = far if status.total else _("indexing …")
    else:
        much = f"{status.memories:,}"
    meaning = _("meaning {share}").format(share=share) if (share := made([status])) else ""
    return f"{much} · {meaning or status.backend} · {_watched(status)[0]}"


def _meaning(status: HomeStatus) -> str:
    """How much can be found by meaning; why not all, and what to do."""
    done, total = status.vectors, status.vectors_total
    if total and done >= total:
        return _("all {total:,} memories").format(total=total)
    far = _("{done:,} of {total:,} memories").format(done=done, total=total) if done else ""
    if status.embedding:
        why = _("more are on their way")
    else:
        why = status.vectors_why or (
            _("no vectors yet: `memtui index` makes them") if status.memories else ""
        )
    return " · ".join(filter(None, (far, why)))


def _watched(status: HomeStatus) -> tuple[str, str]:
    """How changes become known, and why not as they happen."""
    way, _colon, reason = status.watcher.partition(": ")
    return {"watching": _("watching"), "polling": _("polling")}.get(way, _("not watched")), reason


def told_home(status: HomeStatus, cells: int) -> list[list[Piece]]:
    """Everything about one home."""
    way, reason = _watched(status)
    rows: list[tuple[str, Any]] = [
        (_("layout"), status.home.layout),
        (_("because"), status.home.reason),
        (_("path"), str(status.home.path)),
        (_("project"), status.home.project),
        (_("files"), f"{status.files:,}"),
        (_("memories"), f"{status.memories:,}"),
        (_("searched by"), status.backend),
        (_("by meaning"), _meaning(status)),
        (_("model"), status.model),
        (_("fresh"), _fresh(status)),
        (_("watcher"), f"{way}: {reason}" if reason else way),
        (_("index"), status.index_path),
        (_("its size"), size(status.index_bytes) if status.index_bytes else ""),
        (_("writable"), _("yes") if status.home.writable else _("no")),
    ]
    lines: list[list[Piece]] = []
    if status.building:
        far = _("indexing {done:,} of {total:,} files").format(done=status.indexed, total=status.total)
        lines.append([(far if status.total else _("indexing …"), "warn")])
    if status.warning:
        lines += wrapped([("⚠ ", "warn"), (draw.one_line(status.warning), "warn")], cells, hang=2)
    for label, text in rows:
        if text:
            name = draw.pad(label, 12)
            lines += wrapped([(name, "dim"), (draw.one_line(str(text)), "")], cells, hang=12)
    if status.problems:
        lines += [[], rule(_("not understood"), cells)]
        for problem in status.problems[:50]:
            where = draw.one_line(f"{problem.path}:{problem.line}" if problem.line else problem.path)
            lines += wrapped(
                [("✗ ", "bad"), (where, ""), (f"  {draw.one_line(problem.reason)}", "dim")], cells, hang=2
            )
    return lines


def _fresh(status: HomeStatus) -> str:
    if status.away:
        return _("not there")
    if status.fresh_at is None:
        return _("not compared with the disk yet")
    return _("{age} ago").format(age=clock.ago(status.fresh_at) or "0s")


def versions() -> list[tuple[str, str]]:
    """What memtui runs with."""
    from importlib.metadata import PackageNotFoundError, version

    import apsw

    found = [("memtui", __version__), ("SQLite", apsw.sqlite_lib_version())]
    for name in ("textual", "watchdog"):
        try:
            found.append((name, version(name)))
        except PackageNotFoundError:
            found.append((name, _("not installed")))
    return [
        *found,
        ("Python", platform.python_version()),
        (_("system"), f"{platform.system()} {platform.release()}"),
    ]
