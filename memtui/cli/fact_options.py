"""What `memtui facts` and `memtui profile` take besides a list's options, apart so that a list loads nothing more."""

from __future__ import annotations

from memtui.cli.filters import LAYERS
from memtui.cli.grammar import Option

VERBS = ("add", "edit", "supersede", "archive", "restore", "merge", "move", "tag", "expire", "delete")
PROFILE_VERBS = ("add", "edit", "init")

OPTIONS = (
    Option(("--section",), "The heading a new one goes under.", default="", metavar="NAME"),
    Option(
        ("--layer",), "The layer of a new one: core, knowledge or journal.", choices=LAYERS, metavar="LAYER"
    ),
    Option(("--tag", "-t"), "A tag that it gets; may be repeated.", many=True, metavar="TAG"),
    Option(("--untag",), "A tag that goes; may be repeated.", many=True, metavar="TAG"),
    Option(
        ("--expires",),
        "Until when it holds: 30d, 2026-12-31, never; session (2 hours), short_term (3 days), long_term (30 days); "
        "default: by its kind, a lesson a week.",
        metavar="WHEN",
    ),
    Option(("--confidence",), "How sure it is, 0 to 1.", "float", least=0, metavar="X"),
    Option(("--evidence",), "What it rests on.", default="", metavar="TEXT"),
    Option(("--text",), "What the one that is kept shall say; for merge.", default="", metavar="TEXT"),
    Option(("--to-section",), "Move it under this heading.", default="", metavar="NAME"),
    Option(("--to-file",), "Move it to this file of the home.", default="", metavar="PATH"),
    Option(("--to-home",), "Move it to this home.", "dir", default="", metavar="PATH"),
    Option(("--yes", "-y"), "Delete without a question.", "flag"),
    Option(("--dry-run",), "Show what would be written; write nothing.", "flag"),
)
