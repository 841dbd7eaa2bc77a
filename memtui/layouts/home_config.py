"""A home's own config file, read as that home's defaults and never written.

Spec 001 §8 (xinghebot: `memory` in config.json); spec 004 (skillix: `distill` and the decay window in
config.json). A setting that the person changed in memtui's own config holds before the home's.

Of spec 001's keys four are not obeyed, for these reasons. `redaction.enabled: false`: §4.2 itself demands masking
where writing is automatic. `index_history_jsonl`: §8 fixes it at false. `sqlite_vec_extension_path`: memtui loads no
native code that a file in a repository names; vectors are compared by §2.2's way B. `embeddings` count only in the
person's own ~/.xinghebot/config.json: a repository's must not say which server memories are sent to. Its `db_path`
counts inside of the repository and of the home, as its root_dir does.
"""

from __future__ import annotations

import json
import os

from memtui.core.config import Config, SearchConfig, VectorConfig
from memtui.core.locale import _
from memtui.core.startup import TYPE_CHECKING, Any, compile_pattern
from memtui.layouts import load_facts, load_layout

if TYPE_CHECKING:
    from collections.abc import Iterable

    from memtui.core.model import Home

LARGEST = 256 * 1024
"""Bytes of a config file that are read; nobody writes more by hand."""

_DISTILL: dict[str, tuple[type, ...]] = {
    "enabled": (bool,),
    "min_confidence": (float, int),
    "min_age_days": (float, int),
    "max_items_per_run": (int,),
}
_LOAD: dict[str, tuple[float, float]] = {
    "load_days_full": (0, 3650),
    "load_days_partial": (0, 3650),
    "load_days_max": (0, 3650),
    "partial_per_day": (0, 1000),
    "facts_limit": (0, 1000),
    "important_confidence": (0, 1),
}
"""The decay window's keys, and the smallest and the largest value that makes sense."""
_MEMORY: dict[str, tuple[type, ...]] = {
    "enabled": (bool,),
    "backend": (str,),
    "db_path": (str,),
    "fts_enabled": (bool,),
    "vector_enabled": (bool,),
    "hybrid_vector_weight": (float, int),
    "hybrid_text_weight": (float, int),
    "embeddings": (dict,),
    "auto_flush_on_compaction": (bool,),
    "auto_capture_on_new_session": (bool,),
    "require_user_confirmation": (bool,),
    "max_results": (int,),
    "redaction": (dict,),
}
"""Spec 001's, besides those that say where the home is, which its layout reads."""


def read_home_defaults(layout: str, path: str | os.PathLike[str], beside: str = "") -> dict[str, Any]:
    """The keys of the config.json that belongs to the home at `path`, as far as memtui obeys them and their type fits.

    `memory`: spec 001's keys, from the nearest config.json with such a section at or above the home, else from the
    person's own, and over them those of `beside`, the config.json of the project (`Home.config`); what either switches
    off is off, and `db_path` is absolute. `distill`: its
    keys as our settings name them; whether memtui writes by itself only the person says. `load`: the decay window
    (spec 004), wherever in the file its keys stand. Empty values are left out. Raises only KeyError, for a layout that
    there is not.
    """
    wanted = load_layout(layout).facts.config
    folder = os.path.abspath(os.fspath(path))
    if "memory" in wanted:
        # memory/ < <project_key>/ < workspace/ < .xinghebot/, or .multi_agent/memory/ in a project.
        places = [folder]
        while len(places) < 4:
            places.append(os.path.dirname(places[-1]))
        places.append(os.path.join(os.path.expanduser("~"), ".xinghebot"))
        above: dict[str, Any] = {}
        for at in places:
            section = read_config_file(os.path.join(at, "config.json")).get("memory")
            if isinstance(section, dict):
                above = _check_types(section, at, folder)
                break
        section = read_config_file(beside).get("memory") if beside else None
        nearer = _check_types(section, os.path.dirname(beside), folder) if isinstance(section, dict) else {}
        found = {**above, **nearer}
        if False in (above.get("enabled"), nearer.get("enabled")):
            found["enabled"] = False
        return found
    if "load" in wanted:
        own = read_home_config(folder)
        section = own.get("distill") if "distill" in wanted else None
        found = {"distill": _distill(section) if isinstance(section, dict) else {}, "load": _load(own)}
        return {key: value for key, value in found.items() if value}
    return {}


def read_home_config(path: str | os.PathLike[str]) -> dict[str, Any]:
    """The whole config.json that stands in the home at `path`; empty where there is none. Never raises."""
    return read_config_file(os.path.join(os.fspath(path), "config.json"))


def _load(own: dict[str, Any]) -> dict[str, Any]:
    """The decay window: its keys stand at the top or in a section of their own."""
    found: dict[str, Any] = {}
    for section in (own, *(value for value in own.values() if isinstance(value, dict))):
        for key, (least, most) in _LOAD.items():
            value: Any = section.get(key)
            fits = type(value) is int or (type(value) is float and key == "important_confidence")
            if fits and least <= value <= most:
                found.setdefault(key, value)
    return found


def _distill(given: dict[str, Any]) -> dict[str, Any]:
    """What of a `distill` section fits our settings."""
    found = {key: given[key] for key, kinds in _DISTILL.items() if type(given.get(key)) in kinds}
    if not 0 <= found.get("min_confidence", 0) <= 1:
        del found["min_confidence"]
    if not 0 <= found.get("min_age_days", 0) <= 365:
        del found["min_age_days"]
    if not 1 <= found.get("max_items_per_run", 1) <= 200:
        del found["max_items_per_run"]
    rules = given.get("keywords_rules")
    if isinstance(rules, dict):
        lines = [
            f"{section}: {'|'.join(word for word in words if isinstance(word, str))}"
            for section, words in rules.items()
            if isinstance(words, list)
        ]
        if lines:
            found["keywords_rules"] = tuple(lines)
    return found


def _check_types(given: dict[str, Any], base: str, home: str) -> dict[str, Any]:
    """What of a `memory` section is of the right type, and may be said by a file in the directory `base`."""
    found = {key: given[key] for key, kinds in _MEMORY.items() if type(given.get(key)) in kinds and given[key] != ""}
    if "max_results" in found:
        # XingheBot's own code takes none or less for its default.
        found["max_results"] = min(found["max_results"], 1000)
        found = {key: value for key, value in found.items() if key != "max_results" or value > 0}
    if "db_path" in found:
        found["db_path"] = os.path.normpath(os.path.join(base, os.path.expanduser(found["db_path"])))
    if os.path.basename(base) == ".xinghebot":
        return found
    found.pop("embeddings", None)
    if not any(_is_inside(found.get("db_path", ""), around) for around in (base, home)):
        found.pop("db_path", None)
    return found


def _is_inside(path: str, folder: str) -> bool:
    return os.path.realpath(path).startswith(os.path.join(os.path.realpath(folder), ""))


_COMMENT = compile_pattern(r'("(?:[^"\\\n]|\\.)*"?)|//[^\n]*|/\*(?s:.*?)(?:\*/|\Z)')
_TRAILING = compile_pattern(r'("(?:[^"\\\n]|\\.)*"?)|,(?=\s*[}\]])')


def read_config_file(path: str | os.PathLike[str]) -> dict[str, Any]:
    """The JSON object in a config file; empty where there is none or it is no such file. Never raises.

    Spec 001 §8 shows its config with comments and people copy it as it stands: what they switch off is to be off.
    """
    try:
        # O_NONBLOCK: something may have put a FIFO there, and opening one waits for its writer.
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    except (OSError, ValueError):
        return {}
    try:
        text = os.read(handle, LARGEST).decode("utf-8-sig")
        try:
            value = json.loads(text)
        except ValueError:
            value = json.loads(_TRAILING.sub(r"\1", _COMMENT.sub(r"\1", text)))
    except (OSError, ValueError, RecursionError):
        return {}
    finally:
        os.close(handle)
    return value if isinstance(value, dict) else {}


def is_switched_off(home: Home) -> bool:
    """Whether the home's own tool has its memory off: by a file beside it (spec 004), or its config (spec 001)."""
    return bool(explain_switched_off(home))


def explain_switched_off(home: Home) -> str:
    """By what the home is switched off, for whoever asked; empty: it is not."""
    facts = load_facts(home)
    if facts.off_switch and (home.path.parent / facts.off_switch).exists():
        return "memory_disabled"
    if read_memory_section(home).get("enabled") is False:
        return _("memory_disabled: memory.enabled is false in the home's config.json")
    return ""


def read_memory_section(home: Home) -> dict[str, Any]:
    """What the home's own tool is told in `memory` of its config.json; empty for tools that have none."""
    if "memory" not in load_facts(home).config:
        return {}
    return read_home_defaults(home.layout, home.path, home.config)


def merge_home_config(config: Config, homes: Iterable[Home]) -> Config:
    """The settings with what the current project's own config wants where the person has not said otherwise."""
    given = list(homes)
    ruling = (home for home in given if home.current or len(given) == 1)
    wanted = next(filter(None, map(read_memory_section, ruling)), None)
    if not wanted:
        return config
    search, plain = config.search, SearchConfig()
    if search.mode == plain.mode:
        search = search._replace(mode=_choose_mode(wanted))
    if search.max_results == plain.max_results and "max_results" in wanted:
        search = search._replace(max_results=wanted["max_results"])
    weight = _choose_weight(wanted)
    if search.fusion == plain.fusion and weight is not None:
        search = search._replace(fusion="weighted", meaning_weight=weight)
    redaction = wanted.get("redaction", {}).get("patterns")
    patterns = (
        [_broaden(one) for one in redaction if isinstance(one, str) and one] if isinstance(redaction, list) else []
    )
    redact = config.redact._replace(patterns=tuple(dict.fromkeys((*config.redact.patterns, *patterns))))
    vector = config.vector
    if vector == VectorConfig():
        vector = _build_vector_config(vector, wanted.get("embeddings", {}))
    return config._replace(search=search, redact=redact, vector=vector)


_MODES = {"scan": "scan", "sqlite_fts": "fts", "sqlite_hybrid": "auto"}
_PLAIN = compile_pattern(r"[\w -]+")


def _choose_mode(wanted: dict[str, Any]) -> str:
    """How it is searched: by the backend, less what is switched off."""
    mode = _MODES.get(wanted.get("backend", ""), "auto")
    if mode == "scan":
        return mode
    words, meaning = wanted.get("fts_enabled", True), wanted.get("vector_enabled", True)
    if not words:
        return "vector" if meaning and mode == "auto" else "scan"
    if meaning and "backend" in wanted and mode == "auto" and _names_server(wanted):
        # Who names a server for it wants meaning from the first search on (spec 001 §5.1).
        return "hybrid"
    return mode if meaning else "fts"


def _names_server(wanted: dict[str, Any]) -> bool:
    plain = VectorConfig()
    return _build_vector_config(plain, wanted.get("embeddings", {})) != plain


def _choose_weight(wanted: dict[str, Any]) -> float | None:
    """What meaning weighs, of 1; None: nobody says."""
    named = [wanted.get(key) for key in ("hybrid_vector_weight", "hybrid_text_weight")]
    if named == [None, None]:
        return None
    meaning, words = (default if one is None else max(0.0, one) for one, default in zip(named, (0.7, 0.3), strict=True))
    return meaning / (meaning + words) if meaning + words > 0 else None


def _broaden(pattern: str) -> str:
    """A pattern as spec 001 means it: the beginning, or the name, of a secret stands for all of it.

    'sk-' is no part of 'task-list': it begins a word, and something like a secret follows.
    """
    if not _PLAIN.fullmatch(pattern):
        return pattern
    if pattern.startswith("-----BEGIN"):
        # The first line of a block, and what can stand in one, however short that is and whether it ends or not.
        return r"-----BEGIN[ A-Z0-9]{1,60}-----[\sA-Za-z0-9+/=:,-]{0,4000}"
    word = r"(?<![A-Za-z0-9])" if pattern[0].isalnum() else ""
    return rf"{word}{pattern}[:=： \"']{{0,3}}(?=[^\s\d]{{0,30}}\d)[^\s\"'，。；、,;]{{2,200}}"


def _build_vector_config(plain: VectorConfig, given: dict[str, Any]) -> VectorConfig:
    """The server that makes vectors, where the person's own file names one."""
    told = {key: given.get(key) for key in ("base_url", "model", "api_key")}
    url, model, key = (value if isinstance(value, str) else "" for value in told.values())
    if not url or not model:
        return plain
    return plain._replace(backend="endpoint", url=url, model=model, key=f"={key}" if key else "")
