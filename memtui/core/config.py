"""The settings: one typed TOML file, with environment variables over it.

`Config` is an immutable tuple of sections, and `Config()` holds the defaults. `load` never raises for what a
person wrote: each fault becomes a sentence, and the default holds. What a setting means and which values it
accepts is declared in `config_keys`, which most commands never import.
"""

from __future__ import annotations

import os
import sys
from types import MappingProxyType

from memtui.core.locale import choose_language
from memtui.core.startup import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping


class HomesConfig(NamedTuple):
    """Which homes are opened, and what in them is passed over."""

    paths: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()


class SearchConfig(NamedTuple):
    """How searches answer where nothing else is asked for."""

    mode: str = "auto"
    max_results: int = 10
    min_score: float = 0.0
    typing: bool = True
    fusion: str = "zscore"
    neighbours: tuple[str, ...] = ("profile", "core", "knowledge", "session", "journal", "evolution")
    diversity: float = 0.0
    recency: float = 0.0
    recency_days: float = 30.0
    reranker: str = ""
    meaning_weight: float = 0.7


class VectorConfig(NamedTuple):
    """Finding by meaning: which model, and when its vectors are made."""

    backend: str = "auto"
    directory: str = ""
    url: str = ""
    model: str = ""
    key: str = "OPENAI_API_KEY"
    background: bool = True


class RoutingConfig(NamedTuple):
    """Words that lead to a document before anything is searched (spec 002 level one)."""

    enabled: bool = True
    triggers: tuple[str, ...] = ()


class IndexConfig(NamedTuple):
    """The derived index: deleting it loses nothing."""

    place: str = "auto"
    watch: str = "auto"
    rescan_seconds: float = 30.0


class UiConfig(NamedTuple):
    """The app."""

    theme: str = ""
    start: str = "home"
    preview: bool = True
    locale: str = "auto"
    symbols: str = "auto"


class DistillConfig(NamedTuple):
    """What of the journals is proposed for core memory (spec 004)."""

    enabled: bool = True
    mode: str = "review"
    min_confidence: float = 0.85
    min_age_days: float = 1.0
    max_items_per_run: int = 5
    keywords_rules: tuple[str, ...] = (
        (
            "项目规范: 原则|规范|规则|必须|不能|不要|不使用|禁止|不允许|约定"
            "|principle|convention|rule|guideline|must|never|always|do not|don't|forbidden"
        ),
        (
            "重要决策: 决定|决策|选择|使用|采用|方案|替代|而非|而不是|改为|改用|切换"
            "|decided|decision|chose|chosen|uses|using|adopted|replaces|instead of|switched to|migrated to"
        ),
    )


class BudgetConfig(NamedTuple):
    """How much of a MEMORY.md agents read."""

    lines: int = 200
    kilobytes: float = 25.0


class ProjectConfig(NamedTuple):
    """Which project this is, where directories and remotes do not say it."""

    key: str = ""
    aliases: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()


class AgentsConfig(NamedTuple):
    """Agents at work: where what they learn goes, and what is proposed or written."""

    home: str = ""
    mode: str = "review"
    bridge: bool = False
    remote: str = ""
    token_file: str = ""
    token_command: tuple[str, ...] = ()
    remote_seconds: float = 1.5
    collect: str = ""
    outbox: str = ""
    node: str = ""


class ContextConfig(NamedTuple):
    """What a session is given at its start (specs 000, 002, 003, 004)."""

    enabled: bool = True
    characters: int = 8000
    tokens: int = 2500
    summaries: int = 2
    team: bool = False
    off: tuple[str, ...] = ()


class TeamConfig(NamedTuple):
    """What others share with this machine."""

    copy_mb: int = 512


class CaptureConfig(NamedTuple):
    """What is written down of a session."""

    enabled: bool = True
    extractor: str = "auto"
    keep: int = 20
    daily: bool = True
    scratchpad: bool = True
    notes: int = 12
    flushes: int = 5
    least: int = 30
    tries: int = 3
    learn: bool = True


class EvolutionConfig(NamedTuple):
    """Learning from use (spec 002): effect of experiences, signals, capabilities."""

    half_life_days: float = 90.0
    weak: float = 0.3
    strong: float = 0.7
    window: int = 8
    high: int = 3
    critical: int = 5
    generation: bool = True
    cooldown_hours: float = 24.0
    success: float = 0.6
    skills: str = ""


class LifecycleConfig(NamedTuple):
    """How long memories stay (spec 003), and sessions and daily files (spec 002)."""

    soon_days: float = 7.0
    demote: float = 0.3
    remove: float = 0.1
    used: int = 3
    sessions_days: int = 30
    daily_days: int = 90
    attachments_days: int = 90


class ConsolidateConfig(NamedTuple):
    """What `memtui consolidate` does besides deduplication, decay and expiry."""

    sections: bool = True
    facts: int = 3
    model: bool = False


class HooksConfig(NamedTuple):
    """What the hooks do besides starting and ending sessions."""

    rules: bool = True
    gate: str = "deny"
    avoid: bool = True
    meaning: bool = False
    schema: bool = True
    route: bool = True


class LlmConfig(NamedTuple):
    """The model that may summarise sessions; none by default."""

    command: tuple[str, ...] = ()
    url: str = ""
    model: str = ""
    key: str = "OPENAI_API_KEY"
    seconds: float = 45.0


class RedactConfig(NamedTuple):
    """Which secrets are masked, besides those that memtui knows."""

    patterns: tuple[str, ...] = ()


class Config(NamedTuple):
    """All settings. Immutable; `Config()` is the defaults."""

    homes: HomesConfig = HomesConfig()
    search: SearchConfig = SearchConfig()
    vector: VectorConfig = VectorConfig()
    routing: RoutingConfig = RoutingConfig()
    index: IndexConfig = IndexConfig()  # type: ignore[assignment]  # nobody asks settings for a tuple's index()
    ui: UiConfig = UiConfig()
    distill: DistillConfig = DistillConfig()
    budget: BudgetConfig = BudgetConfig()
    project: ProjectConfig = ProjectConfig()
    agents: AgentsConfig = AgentsConfig()
    context: ContextConfig = ContextConfig()
    team: TeamConfig = TeamConfig()
    capture: CaptureConfig = CaptureConfig()
    hooks: HooksConfig = HooksConfig()
    evolution: EvolutionConfig = EvolutionConfig()
    lifecycle: LifecycleConfig = LifecycleConfig()
    consolidate: ConsolidateConfig = ConsolidateConfig()
    llm: LlmConfig = LlmConfig()
    redact: RedactConfig = RedactConfig()
    keymap: Mapping[str, str] = MappingProxyType({})
    """Keys of your own: the action's id -> the key, several with commas ('item.edit' -> 'e,f4')."""


def find_config_path(env: Mapping[str, str] | None = None) -> str:
    """Where the config stands: `MEMTUI_CONFIG`, else `memtui/config.toml` in the user's config directory."""
    env = os.environ if env is None else env
    if env.get("MEMTUI_CONFIG"):
        return os.path.expanduser(env["MEMTUI_CONFIG"])
    folder = env.get("XDG_CONFIG_HOME", "")
    if not os.path.isabs(folder):
        if sys.platform in {"win32", "darwin"}:
            import platformdirs

            return os.path.join(platformdirs.user_config_dir("memtui", appauthor=False), "config.toml")
        folder = os.path.join(env.get("HOME") or os.path.expanduser("~"), ".config")
    return os.path.join(folder, "memtui", "config.toml")


def load(path: str | os.PathLike[str] | None = None, env: Mapping[str, str] | None = None) -> tuple[Config, list[str]]:
    """The settings of the file at `path` (default: `find_config_path`), with `MEMTUI_<SECTION>_<KEY>` over them.

    And a sentence for everything in them that is not understood; a missing file is fine. Never raises.
    """
    env = os.environ if env is None else env
    path = os.fspath(path or find_config_path(env))
    config = Config()
    warnings: list[str] = []
    there, named = os.path.exists(path), any(_is_our_variable(variable) for variable in env)
    if not (there or named):
        return config, warnings
    # Mostly nobody has changed a setting.
    from memtui.core import config_keys

    if there:
        from memtui.core.config_file import read

        config = config_keys.merge_settings(config, read(path, warnings), warnings)
    if named:
        config = config_keys.merge_settings(config, config_keys.read_environment(env, Config(), warnings), warnings)
    choose_language(config.ui.locale, by="config")
    return config, warnings


def _is_our_variable(variable: str) -> bool:
    if variable.startswith("MEMTUI_"):
        return variable.split("_")[1].lower() in Config._fields
    # code-memory's own switches (spec 002).
    return variable in {"CLAUDE_SEMANTIC_LINT", "CLAUDE_AUTO_EXTRACT", "AUTO_EXTRACT"}
