"""The manual: pages of Markdown that ship with the package, for `memtui help` and for `?` in the app.

A page is written text, in English here and in Chinese in `zh/`; the tables in it, between `<!-- name -->` and
`<!-- /name -->`, are made from the code, in both languages, by `python -m tests.readme`.

Floor: above core, beside safety and demo. Doors: `TOPICS`, `load_page`, `page_layout.lay_out`, `man_page.write_man`.
"""

from __future__ import annotations

import os
import re
from typing import NamedTuple

from memtui.core.locale import _, find_language

_FOLDER = os.path.dirname(__file__)
_MARKER = re.compile(r"^<!-- /?[a-z]+ -->\n", re.MULTILINE)


class Topic(NamedTuple):
    """One page."""

    name: str
    """What `memtui help` calls it, and its file without the ending."""
    about: str
    """What it answers, in one line: a source string."""


TOPICS: tuple[Topic, ...] = (
    Topic("start", "What memtui is, how to install it, and the first minute"),
    Topic("homes", "Which homes are found, and what counts as one memory"),
    Topic("team", "One memory on several machines, and a team's: what leaves, who may change what"),
    Topic("search", "What can be typed, how hits are ranked, search by meaning"),
    Topic("review", "The review queue: what is proposed, and what approving writes"),
    Topic("agents", "Hooks, the MCP server and its tools, session context"),
    Topic("evolution", "Effects, signals, skills, expiry and consolidation"),
    Topic("keys", "Every key of the app, and how to change one"),
    Topic("commands", "Every command with its options and exit statuses"),
    Topic("settings", "Every setting with its default"),
    Topic("python", "Using memtui as a library"),
    Topic("promises", "What memtui promises, and what it does not do yet"),
    Topic("evidence", "What was measured: search, learning, faults, speed"),
    Topic("words", "The words that memtui uses: a glossary"),
)
"""In the order in which they are listed."""


def find_topic(name: str) -> Topic | None:
    """The topic of that name, however it is capitalised; None where there is none."""
    return next((topic for topic in TOPICS if topic.name == name.lower()), None)


def locate_page(topic: Topic, language: str = "") -> str:
    """The path of a topic's file, in a language or in that of the reader."""
    language = language or find_language()
    return os.path.join(_FOLDER, *([] if language == "en" else [language]), f"{topic.name}.md")


def load_page(topic: Topic) -> str:
    """A topic's Markdown, without the markers around its tables. Raises OSError where the file is missing."""
    with open(locate_page(topic), encoding="utf-8") as file:
        return _MARKER.sub("", file.read())


def describe_topics() -> list[tuple[str, str]]:
    """Every topic's name, and what it answers in the reader's language."""
    return [(topic.name, _(topic.about)) for topic in TOPICS]
