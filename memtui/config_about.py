"""What every setting means and which values fit it, section by section: what `memtui config` and the README show."""

from __future__ import annotations

from memtui.record import Any, NamedTuple


class About(NamedTuple):
    """What one setting means, and what fits it."""

    doc: str
    choices: tuple[str, ...] = ()
    low: float | None = None
    high: float | None = None
    default: Any = None
    """As `Config` has it."""


ABOUT: dict[str, dict[str, About]] = {
    "homes": {
        "paths": About(
            "More directories to open as homes, besides those that are found; '~' is expanded.",
        ),
        "exclude": About("Layouts or paths of homes to leave out, like 'codex' or '~/notes'."),
    },
    "search": {
        "mode": About(
            "auto: hybrid where there are vectors, else fts, else scan. hybrid: words and meaning; fts: words; vector: "
            "meaning; scan reads the files themselves.",
            choices=("auto", "hybrid", "fts", "vector", "scan"),
        ),
        "max_results": About(
            "Most hits of `memtui search`, where --max-results does not say.", low=1, high=1000
        ),
        "min_score": About("Hits below this score are left out; 0 keeps all.", low=0, high=1),
        "typing": About("Search at every key in the app; false waits for enter."),
        "fusion": About(
            "How words and meaning are put together: zscore weighs them by how well the words match (default); rrf by "
            "ranks, k = 60; weighted 0.7 meaning and 0.3 words.",
            choices=("zscore", "rrf", "weighted"),
        ),
        "neighbours": About(
            "Layers in which a line is also judged by the lines before and after it; take out those whose lines have "
            "nothing to do with each other.",
        ),
        "diversity": About(
            "0 keeps the order; up to 1, near-duplicates of a better hit come ever later (MMR).",
            low=0,
            high=1,
        ),
        "recency": About(
            "How much a new memory is raised, 0 to 1; 0: only where scores are equal. Profile, core and knowledge "
            "are exempt.",
            low=0,
            high=1,
        ),
        "recency_days": About("Days after which that boost is half.", low=0.1, high=10_000),
        "reranker": About(
            "A command that orders the best hits anew: it gets {query, texts} as JSON and answers a list of scores. "
            "Empty: none.",
        ),
    },
    "vector": {
        "backend": About(
            "What makes vectors: auto is e5 where memtui[vector] is installed; e5 (multilingual, local); onnx (a model "
            "directory of yours); endpoint (an OpenAI-compatible server); off.",
            choices=("auto", "off", "e5", "onnx", "endpoint"),
        ),
        "directory": About("For onnx: the directory with model.onnx and tokenizer.json."),
        "url": About(
            "For endpoint: where it is, up to /v1. Texts of your memories, secrets masked, are sent there."
        ),
        "model": About("For endpoint: the model's name."),
        "key": About("For endpoint: the environment variable that holds its key; empty: it needs none."),
        "background": About("Make missing vectors while the app is open; else `memtui index` makes them."),
    },
    "routing": {
        "enabled": About("Name the documents that trigger words and INDEX.md lead to, above the hits."),
        "triggers": About(
            "Triggers of your own: 'word|word: path', the path relative to its home, or absolute inside one."
        ),
    },
    "index": {
        "place": About(
            "Where indexes live: auto is the cache, or the place that a layout names inside its home; cache is always "
            "the cache; else a directory of yours.",
        ),
        "watch": About(
            "How changes on disk are noticed: auto uses the system's events, and polls where there are none; polling; "
            "off.",
            choices=("auto", "polling", "off"),
        ),
        "rescan_seconds": About(
            "Every so many seconds the disk is compared with the index, whatever the watcher said.",
            low=1,
            high=3600,
        ),
    },
    "ui": {
        "theme": About("A theme's name, as the theme picker lists them; empty follows the app's own."),
        "start": About(
            "The view that the app opens on.",
            choices=("home", "profile", "facts", "timeline", "evolution", "health"),
        ),
        "preview": About("Show the detail beside lists."),
    },
    "distill": {
        "enabled": About("Propose facts of the journals for core memory (MEMORY.md)."),
        "mode": About(
            "review waits for you to approve; auto writes what `memtui distill` chooses, append-only and undoable.",
            choices=("review", "auto"),
        ),
        "min_confidence": About("Facts below this confidence are not proposed.", low=0, high=1),
        "min_age_days": About("Facts younger than this are not proposed yet.", low=0, high=365),
        "max_items_per_run": About("Most facts that one run writes, or proposes at a time.", low=1, high=200),
        "keywords_rules": About(
            "Which section a fact goes to by the words in it: 'section: word|word', the first that fits. Sections are "
            "matched to a home's own headings by what they mean."
        ),
    },
    "budget": {
        "lines": About("Lines of a MEMORY.md that agents read.", low=1, high=100_000),
        "kilobytes": About("Kilobytes of a MEMORY.md that agents read.", low=1, high=10_000),
    },
    "project": {
        "key": About(
            "The project's key in shared homes (spec 001); empty: worked out from git or the directory."
        ),
        "aliases": About(
            "Other names that homes know this project by; 'shop: shop-api|github.com_me_shop' says whose they are."
        ),
        "groups": About("Projects that share rules (spec 002): 'shared-java: shop|billing'."),
    },
    "agents": {
        "home": About(
            "The home that agents' sessions and notes go to; empty: the current project's, else the agent's own, else "
            "memtui's.",
        ),
        "mode": About(
            "What sessions teach: review waits for you to approve; auto writes it, append-only and undoable.",
            choices=("review", "auto"),
        ),
        "bridge": About(
            "Tell Codex's memory what changed in the project's knowledge: one way, a file of its own."
        ),
    },
    "context": {
        "enabled": About("Give a session what is remembered when it starts."),
        "characters": About("Most characters that a session is given.", low=200, high=200_000),
        "tokens": About("Most tokens, estimated, that a session is given.", low=50, high=50_000),
        "summaries": About("Summaries of earlier sessions that a new one is given.", low=0, high=20),
        "off": About("Projects (keys or paths) whose sessions are given nothing."),
    },
    "capture": {
        "enabled": About("Write a summary of each session, and propose what it taught."),
        "extractor": About(
            "Who reads a session: auto is the model where [llm] names one, else rules; rules work offline.",
            choices=("auto", "rules", "model"),
        ),
        "keep": About(
            "Summaries that a home keeps; older ones go to the trash. 0: all.", low=0, high=100_000
        ),
        "daily": About("Note in the journal which files agents edit, by the minute."),
        "scratchpad": About("Keep the current task and the last five in scratchpad.md."),
        "notes": About("Most notes that one flush writes.", low=1, high=40),
        "flushes": About("Most flushes in one session.", low=0, high=1000),
        "least": About("Characters below which nothing is read for notes.", low=0, high=10_000),
        "tries": About("How often what failed is tried again.", low=1, high=20),
    },
    "evolution": {
        "half_life_days": About(
            "Days after which what an experience did counts half (spec 002).", low=0.1, high=10_000
        ),
        "weak": About("Below this effect an experience is proposed for the archive.", low=0, high=1),
        "strong": About("Above this effect an experience is shown first.", low=0, high=1),
        "window": About("Sessions that signals are counted over.", low=2, high=200),
        "high": About("In so many sessions of the window a signal is HIGH.", low=1, high=200),
        "critical": About("In so many it is CRITICAL.", low=1, high=200),
        "generation": About(
            "Whether skills are drafted from what comes back; CAPABILITY_GENERATION=false says no, too."
        ),
        "cooldown_hours": About("Hours from one drafted skill to the next.", low=0, high=10_000),
        "success": About(
            "Share of the last five sessions that must have gone well before a skill is drafted.",
            low=0,
            high=1,
        ),
        "skills": About(
            "The directory that approved skills are installed to; empty: the agent's own, as ~/.claude/skills."
        ),
    },
    "lifecycle": {
        "soon_days": About(
            "Memories that expire within so many days are shown as expiring.", low=0, high=3650
        ),
        "demote": About("Below this a short-term memory becomes transient (spec 003).", low=0, high=1),
        "remove": About("Below this it is put away, if it was rarely used.", low=0, high=1),
        "used": About("Used so often, it is not put away however faint it is.", low=0, high=100_000),
        "sessions_days": About(
            "Summaries of sessions older than that go to the trash at the weekly consolidation; 0 keeps them.",
            low=0,
            high=36_500,
        ),
        "daily_days": About(
            "Daily files older than that go to the trash at the weekly consolidation; 0 keeps them.",
            low=0,
            high=36_500,
        ),
        "attachments_days": About(
            "Attachments that nothing refers to are proposed for the trash after so many days; 0 keeps them.",
            low=0,
            high=36_500,
        ),
    },
    "consolidate": {
        "sections": About("Whether the sections of MEMORY.md and USER.md that memtui owns are made anew."),
        "facts": About(
            "Facts that are proposed of one project's sessions in a week; 0: none.", low=0, high=20
        ),
        "model": About(
            "Ask the model of [llm] for those facts, for drafts of skills, and which near memories say the same"
            " or cannot both hold, where there is one."
        ),
    },
    "hooks": {
        "rules": About("Give the project's rules with the first file that is read."),
        "gate": About(
            "deny stops the first edit until the project's rules were given; warn says so; off.",
            choices=("off", "warn", "deny"),
        ),
        "avoid": About("Check edited files against rules of what went wrong before (spec 002, tier 1)."),
        "meaning": About("Ask the model about them, too (tier 2); give the PostToolUse hook that much time."),
        "schema": About("Give planning sub-agents the database's schema index, where a home has one."),
        "route": About("Name the documents that a prompt's words lead to."),
    },
    "llm": {
        "command": About("A command that answers a prompt on stdin, like ['claude', '-p']; empty: none."),
        "url": About("An OpenAI-compatible endpoint, up to /v1. Sessions, secrets masked, are sent there."),
        "model": About("The endpoint's model."),
        "key": About("The environment variable that holds its key; empty: it needs none."),
        "seconds": About("Seconds to wait for an answer.", low=1, high=600),
    },
    "redact": {
        "patterns": About(
            "Regular expressions for secrets of your own, masked in whatever memtui writes; where one has a group, "
            "the first group."
        ),
    },
}
