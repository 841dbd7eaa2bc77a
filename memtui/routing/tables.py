"""INDEX.md (spec 000) -> rules: the words of its keyword tables lead to the documents of their rows. Pure.

A row counts where it has keywords, says what one needs to know (HelloAGENTS' 快速导航), or names a module; its
document is the path in it, else the module's own (`modules/<name>.md`, `areas/<name>/summary.md`). A list of links, as
in the MEMORY.md of Claude Code, is no keyword table: what stands there is found by searching.
"""

from __future__ import annotations

from memtui.parse import index_table
from memtui.record import TYPE_CHECKING
from memtui.routing.matching import LONGEST_TRIGGER
from memtui.routing.rule import MOST, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memtui.model import Entry
    from memtui.parse.source import Source

_NEEDS = frozenset(
    {"需要了解", "想了解", "需要", "触发词", "触发条件", "need to know", "when", "topic", "trigger"}
)
_MODULES = frozenset({"模块", "模块名", "模块名称", "module", "modules"})


def parsed(source: Source, name: str) -> list[Rule]:
    """The rules of an index file; `name` is how a person calls the file."""
    folder = source.path.rpartition("/")[0]
    above = folder.rpartition("/")[0]
    bases = tuple(dict.fromkeys(f"{place}/" if place else "" for place in (folder, above)))
    found: list[Rule] = []
    for entry in index_table.parse(source).entries:
        if len(found) >= MOST:
            break
        if entry.kind == "index" and entry.extra:
            found += _row(entry, f"{name}:{entry.start}", bases)
    return found


def _row(entry: Entry, source: str, bases: tuple[str, ...]) -> Iterator[Rule]:
    columns = {column.strip("* `").lower(): cell for column, cell in entry.extra.items()}
    words = [*entry.tags]
    for column, cell in columns.items():
        if column in _NEEDS and isinstance(cell, str):
            from memtui.routing.loader import triggers

            words += triggers(cell)
    module = next((cell for column, cell in columns.items() if column in _MODULES), "")
    module = module.strip("`* ") if isinstance(module, str) and "](" not in module else ""
    if module and "/" not in module:
        words.append(module)
    kept = tuple(dict.fromkeys(word for word in words if 0 < len(word) <= LONGEST_TRIGGER))
    targets = entry.links or ((f"{module}.md", module) if module else ())
    if kept and targets:
        if not entry.links:
            bases = tuple(
                f"{base}{inner}" for base in bases for inner in ("modules/", "wiki/modules/", "areas/", "")
            )
        yield Rule(kept, targets, source, False, bases, claims=bool(entry.links), layered=True)
