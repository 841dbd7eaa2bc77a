"""The values that the other modules exchange: a session as it was recorded, and what is read out of it.

Session, Step and Conversation are the record; Learned, Extract and Signal are the results.

The shape of a language's data: `Language`, of which `en` and `zh` hold one each.
"""

from __future__ import annotations

import re

from memtui.core.startup import TYPE_CHECKING, NamedTuple, compile_pattern

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Literal

    from memtui.core.model import Turn

    Kind = Literal["pref", "decision", "rule", "lesson", "fact", "todo"]


class Session(NamedTuple):
    """Who is talking, where, and by which name its file is kept (spec 000)."""

    id: str
    """The agent's own id for it: letters, digits, dots, underscores, dashes; at most 128 of them."""
    agent: str
    """claude-code, codex, …; empty: nobody knows."""
    cwd: str
    """Absolute: where the agent works."""
    project: str
    """The project's key (spec 001 §2.1)."""
    name: str
    """What a person calls the project."""
    transcript: str = ""
    """Absolute path of what was recorded; empty: unknown."""
    sidechain: bool = False
    """A sub-agent's: it never writes (spec 000)."""
    source: str = ""
    """How it began: startup, resume, clear, compact, fork; empty: unknown."""
    how: str = ""
    """How it was recognised, for a person."""

    @property
    def who(self) -> str:
        """As the undo journal names it."""
        return f"agent:{self.agent or 'unknown'}"


class Step(NamedTuple):
    """A tool's call, and what came of it."""

    tool: str
    line: int
    """1-based, in the transcript."""
    time: float | None = None
    files: tuple[str, ...] = ()
    """Those it names, as it names them."""
    command: str = ""
    """What was run, for shells."""
    given: str = ""
    """Its input, shortened."""
    result: str = ""
    """What came back, shortened."""
    failed: bool = False
    writes: bool = False
    """Whether it changes its files."""


class Conversation(NamedTuple):
    """A session as it was recorded: its main thread, without what was rewound, thought, or said to sub-agents."""

    session: Session
    said: tuple[Turn, ...]
    """What the person and the agent said, and summaries of compactions (role summary), in order."""
    steps: tuple[Step, ...] = ()
    started: float | None = None
    ended: float | None = None
    skipped: int = 0
    """Lines that were truncated, malformed or no objects."""
    unknown: int = 0
    """Records of kinds nobody knows."""
    truncated: bool = False
    size: int = 0
    """Bytes of the transcript."""
    lines: int = 0

    @property
    def prompts(self) -> tuple[Turn, ...]:
        """What the person said."""
        return tuple(turn for turn in self.said if turn.role == "user")

    @property
    def changed(self) -> tuple[str, ...]:
        """The files that were written to, each once, in order."""
        return tuple(dict.fromkeys(file for step in self.steps if step.writes for file in step.files))


class Learned(NamedTuple):
    """One thing worth keeping beyond its session."""

    text: str
    """A sentence that stands by itself."""
    kind: Kind
    """lesson: an avoidance, something that went wrong and how to do it (spec 002)."""
    category: str = ""
    """The section of rules.md it belongs under (spec 002)."""
    line: int = 0
    """Where it was said, in the transcript; 0: unknown."""
    confidence: float = 0.8
    entities: tuple[str, ...] = ()
    asked: bool = False
    """The person said to remember it."""


class Extract(NamedTuple):
    """A session in short (spec 002's `summary`, spec 000's three parts, spec 003's episode)."""

    topic: str
    """One sentence."""
    done: tuple[str, ...] = ()
    points: tuple[str, ...] = ()
    """Key points."""
    decisions: tuple[str, ...] = ()
    todos: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    learned: tuple[Learned, ...] = ()
    goal: str = ""
    outcome: str = ""
    """success, partly, failed, unknown; with why, where it is known: 'failed: tests do not pass'."""
    tools: tuple[str, ...] = ()
    """Names of the tools that were used."""
    entities: tuple[str, ...] = ()
    project: str = ""
    """As the extractor recognised it; empty: the session's own."""
    by: Literal["rules", "model", "person", "agent"] = "rules"
    warning: str = ""
    """Why it is not the model's, which was to be asked, for a person."""


class SignalType(NamedTuple):
    """One of spec 002's types of signals: all that is so of it but its signs, which each language has."""

    name: str
    why: str
    """What it tells, for a person: translated when shown."""
    talk: float
    """How likely it must be to be heard in a talk, where much is said of trouble and little of it is one."""
    signed: float
    """The same where a sign tells of it."""
    skill: str
    """How the name of a skill against it begins."""
    english: tuple[str, str]
    """What such a skill calls it, and what it says to do first."""
    chinese: tuple[str, str]
    narrow: bool = False
    """It says what an error was, which then is not counted as one as well."""
    fault: bool = True
    """It is a fault of the work or of what the work needs: the same trouble may be told as another type of fault."""
    blocks: bool = False
    """A person who tells of it last says that the work is not done."""
    spoils: bool = False
    """A sentence that tells of it teaches something only where that is sure."""


SIGNAL_TYPES = (
    SignalType(
        "error", "something failed", 0.16, 0.1, "error-fix",
        ("errors", "Read the whole message and the first line of the trace that is the project's own."),
        ("错误", "先读完整的报错信息，并找到调用栈中属于本项目的第一行。"),
        blocks=True, spoils=True,
    ),
    SignalType(
        "correction", "the user corrected the agent", 0.18, 0.0, "correction",
        ("corrections by the user", "Say what you are about to do before you do it."),
        ("用户纠正", "动手之前先说明打算怎么做。"),
        fault=False,
    ),
    SignalType(
        "capability_gap", "it could not be done", 0.07, 0.001, "gap",
        ("missing capabilities", "Find out what is there before you plan around what is not."),
        ("能力缺口", "先弄清楚已有什么，再绕开没有的部分。"),
        fault=False, blocks=True,
    ),
    SignalType(
        "recurring_issue", "it has come back", 0.3, 0.02, "recurring-fix",
        ("trouble that comes back", "Look for the cause before the same fix is tried again."),
        ("反复出现的问题", "重复同样的修复之前，先找到原因。"),
        spoils=True,
    ),
    SignalType(
        "environment_issue", "something it needs was missing, wrong or did not run", 0.18, 0.01, "env-fix",
        ("environment trouble", "Check versions, variables, paths and running services."),
        ("环境问题", "先检查版本、环境变量、路径和正在运行的服务。"),
        narrow=True, blocks=True, spoils=True,
    ),
    SignalType(
        "dependency_issue", "a package was missing or did not fit", 0.15, 0.04, "dependency-fix",
        ("dependency trouble", "Compare the locked versions with those that are installed."),
        ("依赖问题", "对比锁定的版本与实际安装的版本。"),
        narrow=True, blocks=True,
    ),
    SignalType(
        "performance_issue", "it was slow, or used too much", 0.08, 0.02, "performance-fix",
        ("performance trouble", "Measure before anything is changed, and afterwards."),
        ("性能问题", "改动之前和之后都要测量。"),
        narrow=True, blocks=True, spoils=True,
    ),
    SignalType(
        "security_issue", "a way in, or a secret that got out", 0.13, 0.04, "security-fix",
        ("security trouble", "Find out what is exposed, and to whom, before anything is moved."),
        ("安全问题", "移动任何东西之前，先弄清楚暴露了什么、暴露给谁。"),
        narrow=True,
    ),
)  # fmt: skip
"""To add one, write its entry here and its signs (`en`, `zh`), and train the classifier anew."""
SIGNALS = tuple(one.name for one in SIGNAL_TYPES)
NARROW = frozenset(one.name for one in SIGNAL_TYPES if one.narrow)


class Signal(NamedTuple):
    """One sign of trouble in a session, and the line that it was heard in."""

    type: str
    """One of `SIGNALS`."""
    text: str
    """What was said, in one short line."""
    path: str = ""
    """Relative to the home where it stands in one, else the transcript's absolute path."""
    line: int = 0
    """1-based; 0: unknown."""
    about: str = ""
    """What it is about, the same for the same trouble in other words: 'econnrefused redis'; empty: nothing to name."""
    why: str = ""
    """What told it, for a person: 'a traceback', 'the user corrected the agent'."""


_NOT = compile_pattern(r"(?<=n)'(?=t\b)")
_APOSTROPHE = compile_pattern(r"(?<=[a-z])'(?=[a-z])")


def compile_words(source: str) -> re.Pattern[str]:
    """A pattern, whatever the case, and however an apostrophe is typed: dont, don’t. Compiled by its first use."""
    return compile_pattern(_APOSTROPHE.sub("['’]", _NOT.sub("['’]?", source)), re.IGNORECASE)


class Language(NamedTuple):
    """A language's vocabulary. Patterns see one sentence, at most `sentences.LONGEST` characters of it."""

    code: str
    script: re.Pattern[str] | None
    """Letters that show it; None: it is taken where no other language shows."""
    lead: re.Pattern[str]
    """Words at a sentence's beginning that say nothing."""
    tail: re.Pattern[str]
    """And at its end."""
    loose: re.Pattern[str]
    """It makes no sense without what was said before."""
    undoes: re.Pattern[str]
    """A person has something that was done taken back."""
    settles: re.Pattern[str]
    """An agent says outright that something was decided."""
    points: re.Pattern[str]
    """A word that points at what was said before: it, both, 这个."""
    plain: tuple[tuple[re.Pattern[str], str], ...]
    """How a sentence is put to stand by itself."""
    cues: tuple[tuple[str, re.Pattern[str]], ...]
    """Signs that the classifier weighs, by name."""
    outright: tuple[tuple[str, re.Pattern[str]], ...]
    """How a sentence begins that says what it is, whatever stands around it: 'never …', 'TODO: …', 决定用 …."""
    noted: tuple[tuple[str, re.Pattern[str]], ...]
    """How a line of somebody's notes begins that says what it is: 'The user prefers …', 用户决定 …; by kind."""
    doubt: re.Pattern[str]
    """It is considered, asked for, or only supposed."""
    narrates: re.Pattern[str]
    """An agent thinks aloud, or says what it does next."""
    passing: re.Pattern[str]
    """It holds for this once."""
    reported: re.Pattern[str]
    """Somebody else says it: a document, a log."""
    remember: re.Pattern[str]
    """Asked to be remembered: group `rest`, empty where it was said before."""
    remembered: re.Pattern[str]
    """Asked to be remembered, at its end."""
    retracts: re.Pattern[str]
    """What was said before no longer counts."""
    denied: re.Pattern[str]
    """Group 1: a name that is no longer wanted."""
    yes: re.Pattern[str]
    """An answer that agrees; what follows the match is added to it."""
    no: re.Pattern[str]
    both: re.Pattern[str]
    """An answer that takes all that was offered."""
    label: re.Pattern[str]
    """An answer that names an option by its label, group `label`, or its place, group `place`."""
    places: Mapping[str, int]
    """Words for labels and places, from 0; -1 is the last."""
    offers: re.Pattern[str]
    """Words before what is offered or asked to do; they are cut away."""
    either: re.Pattern[str]
    """Between alternatives."""
    rejects: re.Pattern[str]
    """Behind an alternative in an answer: it is the other one."""
    request: re.Pattern[str]
    """What stands before a wish."""
    moved: re.Pattern[str]
    """A new topic begins."""
    empty: re.Pattern[str]
    """A prompt that names no topic."""
    pleased: re.Pattern[str]
    fails: re.Pattern[str]
    """The person says that it does not work."""
    works: re.Pattern[str]
    """The person says that it does."""
    gave_up: re.Pattern[str]
    """The agent says that it could not."""
    put_off: re.Pattern[str]
    corrects: re.Pattern[str]
    """A person tells the agent that it was wrong, at a sentence's beginning."""
    complains: re.Pattern[str]
    """The agent did what was not wanted, wherever it is said."""
    cause: re.Pattern[str]
    """Why something went wrong, found out."""
    heads: tuple[tuple[str, re.Pattern[str]], ...]
    """Headings over lists, by what stands under them."""
    sections: tuple[tuple[str, re.Pattern[str]], ...]
    """Headings in an agent's report, by what it tells there."""
    tells: tuple[tuple[str, re.Pattern[str]], ...]
    """Signs in a report, by name, beside the `cues`."""
    categories: tuple[tuple[str, re.Pattern[str]], ...]
    """Sections of rules.md; the last fits all."""
    communication: str
    """The category of what is a preference, not a rule."""
    comma: str
    semicolon: str
    phrases: Mapping[str, str]
    """What the engine itself says."""
