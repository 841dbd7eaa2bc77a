"""Labelled conversations: one line a sentence, `SPEAKER LABEL| sentence => completed sentence`.

`@ id=… outcome=…` begins a talk. SPEAKER: U the person, A the agent, T a tool, W files that are written. Labels, joined
by `+`: decision, rule, preference, lesson, fact, open, done, detail (true, and nobody misses it), undone, retract,
trouble:<type>, pasted, offer, question, hypothetical, sarcasm, thanks, err (a tool's failure), `-`. A `!` behind a
label: it no longer holds at the end of the talk.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from memtui.core.model import Turn
from memtui.language.conversation import Conversation, Session, Step

if TYPE_CHECKING:
    from collections.abc import Iterable

HERE = Path(__file__).with_name("talks")
ROLES = {"U": "user", "A": "assistant", "T": "tool"}

_HEAD = re.compile(r"@\s*id=(\S+)(?:\s+outcome=(\S+))?")
_LINE = re.compile(r"([UATW])\s+(\S+)\|\s?(.*?)(?:\s+=>\s+(.*))?$")
_COMMAND = re.compile(
    r"\$ |(?:\./|sudo |(?:npx|npm|pnpm|yarn|bun|node|pytest|python3?|uv|pip3?|ruff|mypy|cargo|go|dune|terraform|git|gh"
    r"|docker|docker-compose|kubectl|helm|idf\.py|make|cmake|ninja|mvn|gradle|\./gradlew|dotnet|swift|xcodebuild|flutter|mix|rspec|rake"
    r"|bundle|php|composer|curl|wget|ssh|psql|mysql|redis-cli|ansible-playbook|systemctl|ls|cat|grep|rg|find|sed|rm|mv|cp|tox"
    r"|jest|vitest|tsc|eslint|playwright|sbt|stack|cabal|zig|latexmk|pdflatex|quarto|Rscript|julia|adb) (?=[\w./:@-]))"
)
_BROKEN = frozenset({"err", "trouble:error", "trouble:dependency", "trouble:environment"})


class Line(NamedTuple):
    """One labelled sentence."""

    speaker: str
    labels: tuple[str, ...]
    holds: bool
    text: str
    full: str
    """The completed sentence; the sentence itself where none is given."""
    number: int
    """1-based, within the talk: the line of the transcript."""


class Talk(NamedTuple):
    id: str
    outcome: str
    lines: tuple[Line, ...]
    chinese: bool


def parse(text: str) -> list[Talk]:
    """All talks of one file."""
    talks: list[Talk] = []
    head: tuple[str, str] | None = None
    lines: list[Line] = []

    def close() -> None:
        if head and lines:
            wide = sum(len(re.findall("[\u3400-\u9fff]", line.text)) > 2 for line in lines if line.speaker != "T")
            talks.append(Talk(head[0], head[1].split("|")[0], tuple(lines), wide * 2 > len(lines)))

    for row in text.splitlines():
        begun = _HEAD.match(row)
        if begun:
            close()
            head, lines = (begun[1], begun[2] or ""), []
            continue
        found = _LINE.match(row)
        if not found:
            continue
        labels = found[2]
        names = tuple(label.rstrip("!") for label in labels.split("+"))
        lines.append(Line(found[1], names, "!" not in labels, found[3], found[4] or found[3], len(lines) + 1))
    close()
    return talks


def read(paths: Iterable[str | Path]) -> list[Talk]:
    """The talks of files, and of all `.txt` files of folders."""
    found: list[Talk] = []
    for path in map(Path, paths):
        files = sorted(path.glob("*.txt")) if path.is_dir() else [path]
        for file in files:
            found += parse(file.read_text("utf-8"))
    return found


def conversation(talk: Talk) -> Conversation:
    """The talk as it is recorded: what one says in a row is one turn, a tool's lines are a step and its result."""
    said: list[Turn] = []
    steps: list[Step] = []
    before = ""
    for line in talk.lines:
        if line.speaker == "W":
            files = tuple(name.strip() for name in line.text.split(","))
            steps.append(Step("Edit", line.number, files=files, writes=True))
        elif line.speaker == "T":
            if before != "T" or _COMMAND.match(line.text):
                command = _COMMAND.match(line.text) is not None
                steps.append(
                    Step(
                        "Bash",
                        line.number,
                        command=line.text.removeprefix("$ ") if command else "./run",
                        result="" if command else line.text,
                    )
                )
            else:
                steps[-1] = steps[-1]._replace(result=f"{steps[-1].result}\n{line.text}".lstrip("\n"))
            if _BROKEN.intersection(line.labels):
                steps[-1] = steps[-1]._replace(failed=True)
        elif before == line.speaker:
            said[-1] = said[-1]._replace(text=f"{said[-1].text}\n{line.text}")
        else:
            said.append(Turn(ROLES[line.speaker], line.text, None, line.number))
        before = line.speaker
    session = Session(talk.id, "claude-code", "/home/ann/shop", "shop", "shop")
    return Conversation(session, tuple(said), tuple(steps), size=1, lines=len(talk.lines))
