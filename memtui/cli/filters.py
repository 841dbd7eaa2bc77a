"""The options that narrow a list or a search, and the Filter that they mean."""

from __future__ import annotations

from memtui.cli.grammar import Option
from memtui.errors import UsageError
from memtui.locale import _
from memtui.model import Filter, Layer, Status

LAYERS = tuple(layer.value for layer in Layer)
STATUSES = (*(status.value for status in Status), "all")

LAYER = Option(
    ("--layer",),
    f"Only this layer ({', '.join(LAYERS)}); may be repeated.",
    many=True,
    choices=LAYERS,
    metavar="LAYER",
)
NARROW = (
    Option(("--kind",), "Only this kind (pref, decision, fact, rule, todo, …); may be repeated.", many=True),
    Option(
        ("--status",),
        "Only this status (active, superseded, archived, deleted, expired, candidate), or all.",
        many=True,
        choices=STATUSES,
        metavar="STATUS",
    ),
    Option(("--since",), "Not older than this: 7d, 12h, yesterday, 2026-02-01.", metavar="WHEN"),
    Option(("--until",), "Not newer than this; a day counts to its end.", metavar="WHEN"),
    Option(
        ("--path",), "Only files whose path in the home begins so, or matches with * and ?.", metavar="PATH"
    ),
)


def narrowed(
    *,
    layers: tuple[str, ...] = (),
    kind: tuple[str, ...] = (),
    status: tuple[str, ...] = (),
    since: str | None = None,
    until: str | None = None,
    path: str | None = None,
) -> Filter:
    """The filter that the options mean. Raises UsageError for a time that is none, or an empty span."""
    begin = end = None
    if since or until:
        from memtui.cli.times import moment

        begin = moment(since) if since else None
        end = moment(until, end=True) if until else None
    if begin is not None and end is not None and begin >= end:
        raise UsageError(_("--since {since} is later than --until {until}.").format(since=since, until=until))
    if "all" in status:
        statuses: frozenset[Status] = frozenset()
    else:
        statuses = frozenset(map(Status, status)) or Filter().statuses
    return Filter(
        layers=frozenset(map(Layer, layers)),
        kinds=frozenset(word.lower() for word in kind),
        statuses=statuses,
        since=begin,
        until=end,
        path=path or "",
    )
