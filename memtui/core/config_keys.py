"""Every setting: what it means, which values it accepts, and how to read and set it by its name.

`ABOUT` documents the settings section by section; their types and defaults are the fields of `config.Config`.
`parse_setting` and `check` convert and validate one value and raise UsageError with what would fit. `describe`,
`get` and `set` serve `memtui config` and the manual; `merge_settings` and `read_environment` serve
`config.load`. The file itself is written by `config_file`.
"""

from __future__ import annotations

from memtui.core.errors import UsageError
from memtui.core.locale import LANGUAGES, _
from memtui.core.startup import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping
    from typing import TypeVar


if TYPE_CHECKING:
    C = TypeVar("C", bound="tuple[Any, ...]")
    """The settings, `memtui.core.config.Config`: this is below it."""


KEYMAP_NAME = "keymap.<id>"
"""What keys of a person's own are called."""


class SettingAbout(NamedTuple):
    """What one setting means, and what fits it."""

    doc: str
    choices: tuple[str, ...] = ()
    low: float | None = None
    high: float | None = None
    default: Any = None
    """As `Config` has it."""


ABOUT: dict[str, dict[str, SettingAbout]] = {
    "homes": {
        "paths": SettingAbout("More directories to open as homes, besides those that are found; '~' is expanded."),
        "exclude": SettingAbout("Layouts or paths of homes to leave out, like 'codex' or '~/notes'."),
    },
    "search": {
        "mode": SettingAbout(
            "auto: hybrid where there are vectors, else fts, else scan. hybrid: words and meaning; fts: words; vector: "
            "meaning; scan reads the files themselves.",
            choices=("auto", "hybrid", "fts", "vector", "scan"),
        ),
        "max_results": SettingAbout(
            "Most hits of `memtui search`, where --max-results does not say.", low=1, high=1000
        ),
        "min_score": SettingAbout("Hits below this score are left out; 0 keeps all.", low=0, high=1),
        "typing": SettingAbout("Search at every key in the app; false waits for enter."),
        "fusion": SettingAbout(
            "How words and meaning are put together: zscore weighs them by how well the words match (default); rrf by "
            "ranks, k = 60; weighted by meaning_weight.",
            choices=("zscore", "rrf", "weighted"),
        ),
        "neighbours": SettingAbout(
            "Layers in which a line is also judged by the lines before and after it; take out those whose lines have "
            "nothing to do with each other."
        ),
        "diversity": SettingAbout(
            "0 keeps the order; up to 1, near-duplicates of a better hit come ever later (MMR).", low=0, high=1
        ),
        "recency": SettingAbout(
            "How much a new memory is raised, 0 to 1; 0: only where scores are equal. Profile, core and knowledge "
            "are exempt.",
            low=0,
            high=1,
        ),
        "recency_days": SettingAbout("Days after which that boost is half.", low=0.1, high=10_000),
        "reranker": SettingAbout(
            "A command that orders the best hits anew: it gets {query, texts} as JSON and answers a list of scores. "
            "Empty: none."
        ),
        "meaning_weight": SettingAbout(
            "What meaning weighs where fusion is weighted; words weigh the rest (spec 001: 0.7).", low=0, high=1
        ),
    },
    "vector": {
        "backend": SettingAbout(
            "What makes vectors: auto is e5 where memtui[vector] is installed; e5 (multilingual, local); onnx (a model "
            "directory of yours); endpoint (an OpenAI-compatible server); off.",
            choices=("auto", "off", "e5", "onnx", "endpoint"),
        ),
        "directory": SettingAbout("For onnx: the directory with model.onnx and tokenizer.json."),
        "url": SettingAbout(
            "For endpoint: where it is, up to /v1. Texts of your memories, secrets masked, are sent there."
        ),
        "model": SettingAbout("For endpoint: the model's name."),
        "key": SettingAbout("For endpoint: the environment variable that holds its key; empty: it needs none."),
        "background": SettingAbout("Make missing vectors while the app is open; else `memtui index` makes them."),
    },
    "routing": {
        "enabled": SettingAbout("Name the documents that trigger words and INDEX.md lead to, above the hits."),
        "triggers": SettingAbout(
            "Triggers of your own: 'word|word: path', the path relative to its home, or absolute inside one."
        ),
    },
    "index": {
        "place": SettingAbout(
            "Where indexes live: auto is the cache, or the place that a layout names inside its home; cache is always "
            "the cache; else a directory of yours."
        ),
        "watch": SettingAbout(
            "How changes on disk are noticed: auto uses the system's events, and polls where there are none; polling; "
            "off.",
            choices=("auto", "polling", "off"),
        ),
        "rescan_seconds": SettingAbout(
            "Every so many seconds the disk is compared with the index, whatever the watcher said.", low=1, high=3600
        ),
    },
    "ui": {
        "theme": SettingAbout("A theme's name, as the theme picker lists them; empty follows the app's own."),
        "start": SettingAbout(
            "The view that the app opens on.", choices=("home", "profile", "facts", "timeline", "evolution", "health")
        ),
        "preview": SettingAbout("Show the detail beside lists."),
        "locale": SettingAbout(
            "The language of the app, the commands and the manual; auto: as LANG and LC_ALL say. --lang overrides it.",
            choices=("auto", *LANGUAGES),
        ),
        "symbols": SettingAbout(
            "Signs and frames: ascii where a terminal or a font has no others; auto is unicode where the terminal's "
            "encoding has it.",
            choices=("auto", "unicode", "ascii"),
        ),
    },
    "distill": {
        "enabled": SettingAbout("Propose facts of the journals for core memory (MEMORY.md)."),
        "mode": SettingAbout(
            "review waits for you to approve; auto writes what `memtui distill` chooses, append-only and undoable.",
            choices=("review", "auto"),
        ),
        "min_confidence": SettingAbout("Facts below this confidence are not proposed.", low=0, high=1),
        "min_age_days": SettingAbout("Facts younger than this are not proposed yet.", low=0, high=365),
        "max_items_per_run": SettingAbout("Most facts that one run writes, or proposes at a time.", low=1, high=200),
        "keywords_rules": SettingAbout(
            "Which section a fact goes to by the words in it: 'section: word|word', the first that fits. Sections are "
            "matched to a home's own headings by what they mean."
        ),
    },
    "budget": {
        "lines": SettingAbout("Lines of a MEMORY.md that agents read.", low=1, high=100_000),
        "kilobytes": SettingAbout("Kilobytes of a MEMORY.md that agents read.", low=1, high=10_000),
    },
    "project": {
        "key": SettingAbout(
            "The project's key in shared homes (spec 001); empty: worked out from git or the directory."
        ),
        "aliases": SettingAbout(
            "Other names that homes know this project by; 'shop: shop-api|github.com_me_shop' says whose they are."
        ),
        "groups": SettingAbout("Projects that share rules (spec 002): 'shared-java: shop|billing'."),
    },
    "agents": {
        "home": SettingAbout(
            "The home that agents' sessions and notes go to; empty: the current project's, else the agent's own, else "
            "memtui's."
        ),
        "mode": SettingAbout(
            "What sessions teach: review waits for you to approve; auto writes it, append-only and undoable.",
            choices=("review", "auto"),
        ),
        "bridge": SettingAbout(
            "Tell Codex's memory what changed in the project's knowledge: one way, a file of its own."
        ),
        "remote": SettingAbout(
            "A central memory (`memtui mcp --http` behind your proxy), like https://memory.example.org: hooks send "
            "what sessions leave there, secrets masked, and start with what it knows. Empty: none."
        ),
        "token_file": SettingAbout("The file with the token for agents.remote; only you may be able to read it."),
        "token_command": SettingAbout(
            "A command that prints that token, like ['pass', 'show', 'memtui']; instead of the file."
        ),
        "remote_seconds": SettingAbout(
            "Seconds that a session's start waits for agents.remote before it takes what is here; agents give it 10.",
            low=0.1,
            high=30,
        ),
        "collect": SettingAbout(
            "A directory in which other nodes' memories are gathered (spec 001): they are collected from it when a "
            "session starts. Empty: by `memtui sessions collect` alone."
        ),
        "outbox": SettingAbout(
            "A directory that this node's summaries, daily files and MEMORY.md are put into for others to collect."
        ),
        "node": SettingAbout("What this node is called there; empty: the machine's name."),
    },
    "context": {
        "enabled": SettingAbout("Give a session what is remembered when it starts."),
        "characters": SettingAbout("Most characters that a session is given.", low=200, high=200_000),
        "tokens": SettingAbout("Most tokens, estimated, that a session is given.", low=50, high=50_000),
        "summaries": SettingAbout("Summaries of earlier sessions that a new one is given.", low=0, high=20),
        "team": SettingAbout(
            "Give a session what colleagues share of its project, too: last, with their names, and as data."
        ),
        "off": SettingAbout("Projects (keys or paths) whose sessions are given nothing."),
    },
    "team": {
        "copy_mb": SettingAbout(
            "A colleague's home of more megabytes is not copied to this machine: the team's server is asked when you "
            "search, and a file comes when you open it. 0: everything is copied.",
            low=0,
            high=1_000_000,
        )
    },
    "capture": {
        "enabled": SettingAbout("Write a summary of each session, and propose what it taught."),
        "extractor": SettingAbout(
            "Who reads a session: auto is the model where [llm] names one, else rules; rules work offline.",
            choices=("auto", "rules", "model"),
        ),
        "keep": SettingAbout("Summaries that a home keeps; older ones go to the trash. 0: all.", low=0, high=100_000),
        "daily": SettingAbout("Note in the journal which files agents edit, by the minute."),
        "scratchpad": SettingAbout("Keep the current task and the last five in scratchpad.md."),
        "notes": SettingAbout("Most notes that one flush writes.", low=1, high=40),
        "flushes": SettingAbout("Most flushes in one session.", low=0, high=1000),
        "least": SettingAbout(
            "Characters of a conversation below which nothing in it is read for notes.", low=0, high=10_000
        ),
        "tries": SettingAbout("How often what failed is tried again.", low=1, high=20),
        "learn": SettingAbout(
            "Take rules, lessons, preferences, decisions and facts out of a session, besides its summary; "
            "AUTO_EXTRACT=false says no, too."
        ),
    },
    "evolution": {
        "half_life_days": SettingAbout(
            "Days after which what an experience did counts half (spec 002).", low=0.1, high=10_000
        ),
        "weak": SettingAbout("Below this effect an experience is proposed for the archive.", low=0, high=1),
        "strong": SettingAbout("Above this effect an experience is shown first.", low=0, high=1),
        "window": SettingAbout("Sessions that signals are counted over.", low=2, high=200),
        "high": SettingAbout("In so many sessions of the window a signal is HIGH.", low=1, high=200),
        "critical": SettingAbout("In so many it is CRITICAL.", low=1, high=200),
        "generation": SettingAbout(
            "Whether skills are drafted from what comes back; CAPABILITY_GENERATION=false says no, too."
        ),
        "cooldown_hours": SettingAbout("Hours from one drafted skill to the next.", low=0, high=10_000),
        "success": SettingAbout(
            "Share of the last five sessions that must have gone well before a skill is drafted.", low=0, high=1
        ),
        "skills": SettingAbout(
            "The directory that approved skills are installed to; empty: the agent's own, as ~/.claude/skills."
        ),
    },
    "lifecycle": {
        "soon_days": SettingAbout("Memories that expire within so many days are shown as expiring.", low=0, high=3650),
        "demote": SettingAbout("Below this a short-term memory becomes transient (spec 003).", low=0, high=1),
        "remove": SettingAbout("Below this it is put away, if it was rarely used.", low=0, high=1),
        "used": SettingAbout("Used so often, it is not put away however faint it is.", low=0, high=100_000),
        "sessions_days": SettingAbout(
            "Summaries of sessions older than that go to the trash at the weekly consolidation; 0 keeps them.",
            low=0,
            high=36_500,
        ),
        "daily_days": SettingAbout(
            "Daily files older than that go to the trash at the weekly consolidation; 0 keeps them.", low=0, high=36_500
        ),
        "attachments_days": SettingAbout(
            "Attachments that nothing refers to are proposed for the trash after so many days; 0 keeps them.",
            low=0,
            high=36_500,
        ),
    },
    "consolidate": {
        "sections": SettingAbout("Whether the sections of MEMORY.md and USER.md that memtui owns are made anew."),
        "facts": SettingAbout("Facts that are proposed of one project's sessions in a week; 0: none.", low=0, high=20),
        "model": SettingAbout(
            "Ask the model of [llm] for those facts, for drafts of skills, and which near memories say the same"
            " or cannot both hold, where there is one."
        ),
    },
    "hooks": {
        "rules": SettingAbout("Give the project's rules with the first file that is read."),
        "gate": SettingAbout(
            "deny stops the first edit until the project's rules were given; warn says so; off.",
            choices=("off", "warn", "deny"),
        ),
        "avoid": SettingAbout("Check edited files against rules of what went wrong before (spec 002, tier 1)."),
        "meaning": SettingAbout(
            "Ask the model about them, too (tier 2); give the PostToolUse hook that much time. "
            "CLAUDE_SEMANTIC_LINT=true says so, too."
        ),
        "schema": SettingAbout("Give planning sub-agents the database's schema index, where a home has one."),
        "route": SettingAbout("Name the documents that a prompt's words lead to."),
    },
    "llm": {
        "command": SettingAbout("A command that answers a prompt on stdin, like ['claude', '-p']; empty: none."),
        "url": SettingAbout("An OpenAI-compatible endpoint, up to /v1. Sessions, secrets masked, are sent there."),
        "model": SettingAbout("The endpoint's model."),
        "key": SettingAbout("The environment variable that holds its key; empty: it needs none."),
        "seconds": SettingAbout("Seconds to wait for an answer.", low=1, high=600),
    },
    "redact": {
        "patterns": SettingAbout(
            "Regular expressions for secrets of your own, masked in whatever memtui writes; where one has a group, "
            "the first group."
        )
    },
}


WORDS: dict[type, str] = {
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    str: "text",
    tuple: "a list of texts",
}
"""The types of settings, for people."""

_SPOKEN = {"true": True, "yes": True, "on": True, "1": True, "false": False, "no": False, "off": False, "0": False}


def suggest_name(name: str, known: Iterable[str]) -> str:
    """The known name that was probably meant, or nothing."""
    import difflib

    found = difflib.get_close_matches(name.lower(), list(known), 1, 0.6)
    return found[0] if found else ""


def parse_setting(about: SettingAbout, text: str) -> Any:
    """Text from a command line or the environment as the setting's type; lists are separated by commas, or as in TOML.

    What does not fit comes back as it is, for `check` to say so.
    """
    text = text.strip()
    default: Any = about.default
    if isinstance(default, bool):
        return _SPOKEN.get(text.lower(), text)
    if isinstance(default, tuple):
        if text.startswith("["):
            return _parse_array(text)
        return tuple(part.strip() for part in text.split(",") if part.strip())
    try:
        return type(default)(text)
    except ValueError:
        return text


def _parse_array(text: str) -> Any:
    import tomllib

    try:
        return tomllib.loads(f"list = {text}")["list"]
    except ValueError:
        return text


def check_choice(key: str, value: str, choices: Collection[str]) -> None:
    """Raises UsageError, with what there is, for a value that is none of the choices."""
    if value in choices:
        return
    near = suggest_name(value, choices)
    raise UsageError(
        _("{key} must be one of {choices}, not {value!r}").format(key=key, choices=", ".join(choices), value=value)
        + (_("; did you mean {near}?").format(near=near) if near else "")
    )


def check(key: str, about: SettingAbout, value: Any) -> Any:
    """The value as the config keeps it. Raises UsageError, with what would fit, for one that does not."""
    default: Any = about.default
    if isinstance(default, tuple) and isinstance(value, list | tuple):
        if not all(isinstance(part, str) for part in value):
            raise UsageError(_("{key} must be a list of texts").format(key=key))
        return tuple(value)
    if isinstance(default, float) and type(value) is int:
        value = float(value)
    if type(value) is not type(default):
        raise UsageError(
            _("{key} must be {type}, not {value!r}").format(key=key, type=_(WORDS[type(default)]), value=value)
        )
    if about.choices:
        check_choice(key, value, about.choices)
    # 'not within' rather than 'outside': nan compares with nothing.
    if about.low is not None and about.high is not None and not about.low <= value <= about.high:
        raise UsageError(
            _("{key} must be from {low:g} to {high:g}, not {value}").format(
                key=key, low=about.low, high=about.high, value=value
            )
        )
    return value


def describe_key(section: str, name: str, defaults: object) -> SettingAbout | None:
    """What a setting means, its default with it; None: there is no such setting."""
    about = ABOUT.get(section, {}).get(name)
    return None if about is None else about._replace(default=getattr(getattr(defaults, section), name))


def find_declaration(key: str, defaults: object) -> SettingAbout | None:
    """The key's declaration; None for one of the keymap. Raises UsageError, with the nearest, for one that is none."""
    section, _dot, name = key.partition(".")
    if section == "keymap" and name:
        return None
    about = describe_key(section, name, defaults)
    if about is None:
        raise UsageError(_make_unknown_warning(key))
    return about


def _make_unknown_warning(key: str) -> str:
    near = suggest_name(key, [*(f"{section}.{name}" for section, keys in ABOUT.items() for name in keys), KEYMAP_NAME])
    hint = _("; did you mean {near}?").format(near=near) if near else _("; `memtui config` lists them")
    return _("{key} is not a setting").format(key=key) + hint


def merge_settings(config: C, values: Mapping[str, Any], warnings: list[str]) -> C:
    """The config with these values over its own; a sentence in `warnings` for each that does not fit."""
    now: Any = config
    defaults = type(config)()
    changed: dict[str, Any] = {}
    for section, given in values.items():
        if not isinstance(given, dict) or (section != "keymap" and section not in ABOUT):
            warnings.append(_make_unknown_warning(section))
        elif section == "keymap":
            changed["keymap"] = {**now.keymap, **_read_keymap(given, "", warnings)}
        else:
            good = {}
            for name, value in given.items():
                key = f"{section}.{name}"
                try:
                    about = find_declaration(key, defaults)
                    if about is not None:
                        good[name] = check(key, about, value)
                except UsageError as error:
                    warnings.append(str(error))
            changed[section] = getattr(now, section)._replace(**good)
    merged: C = now._replace(**changed)
    return merged


def _read_keymap(given: Mapping[str, Any], above: str, warnings: list[str]) -> dict[str, str]:
    """'item.edit = "e"' without quotes is a table in TOML: it means the same."""
    keys: dict[str, str] = {}
    for name, value in given.items():
        if isinstance(value, dict):
            keys |= _read_keymap(value, f"{above}{name}.", warnings)
        elif isinstance(value, str):
            keys[above + name] = value
        else:
            warnings.append(_("keymap.{name} must be text, not {value!r}").format(name=above + name, value=value))
    return keys


_THEIRS = {
    "CLAUDE_SEMANTIC_LINT": ("hooks", "meaning"),
    "CLAUDE_AUTO_EXTRACT": ("capture", "learn"),
    "AUTO_EXTRACT": ("capture", "learn"),
}
"""Variables of code-memory, and the settings that they mean here."""


def read_environment(env: Mapping[str, str], defaults: object, warnings: list[str]) -> dict[str, dict[str, Any]]:
    """What `MEMTUI_<SECTION>_<KEY>` say, by section and key; below them spec 002's own variables."""
    values: dict[str, dict[str, Any]] = {}
    for variable, (section, name) in _THEIRS.items():
        if env.get(variable, "").strip().lower() in {"true", "false"}:
            values.setdefault(section, {})[name] = env[variable].strip().lower() == "true"
    for variable, text in env.items():
        section, _line, name = variable.removeprefix("MEMTUI_").lower().partition("_")
        if not variable.startswith("MEMTUI_") or section not in ABOUT or not text:
            continue
        about = describe_key(section, name, defaults)
        if about is None:
            near = suggest_name(name, ABOUT[section])
            hint = _("; did you mean {near}?").format(near=f"MEMTUI_{section}_{near}".upper()) if near else ""
            warnings.append(_("{variable} is not a setting").format(variable=variable) + hint)
        else:
            values.setdefault(section, {})[name] = parse_setting(about, text)
    return values
