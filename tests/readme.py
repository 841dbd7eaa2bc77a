"""Write the tables of the manual's pages from the code: `python -m tests.readme`; with --check only compare."""

from __future__ import annotations

import json
import sys

from memtui.cli import COMMANDS
from memtui.cli.tree import load
from memtui.manual import TOPICS, locate_page


def commands() -> str:
    """Every command with its arguments and options."""
    rows = ["| command | what it does |", "|---|---|"]
    rows.append("| `memtui [PATH]…` | Open the app on these homes, or on every home found here. |")
    rows.append("| `memtui --demo [en|zh]` | Open it on the bundled demo homes, in English or in Chinese. |")
    for name, place, about in COMMANDS:
        command = load(place)
        words = [f"memtui {name}"]
        for argument in command.arguments:
            word = argument.metavar or argument.key.upper()
            words.append(word if word.startswith("[") or argument.required else f"[{word}]")
        options = [
            f"`{option.names[0]}`"
            for option in command.options
            if option.names[0] not in {"--home", "--json"}
        ]
        also = f" ({', '.join(options)})" if options else ""
        rows.append(f"| `{cell(' '.join(words))}` | {cell(about)}{also} |")
    return "\n".join(rows)


def keys() -> str:
    """Every action with its keys, by group."""
    from memtui.tui.actions import ACTIONS, GROUPS, SHOWN

    rows = ["| key | does | id |", "|---|---|---|"]
    for group in GROUPS:
        for action in (action for action in ACTIONS if action.group == group):
            pressed = " ".join(f"`{cell(SHOWN.get(key, key))}`" for key in action.keys) or "palette"
            rows.append(f"| {pressed} | {cell(action.help)} | `{action.id}` |")
    return "\n".join(rows)


def tools() -> str:
    """Every tool for agents, with its parameters."""
    from memtui.agents.tools import TOOLS

    rows = ["| tool | what it does |", "|---|---|"]
    for tool in TOOLS:
        given = ", ".join(tool.schema["properties"])
        told = tool.description.split("\n\n")[0]
        rows.append(f"| `{tool.name}` ({cell(given)}) | {cell(told)} |")
    return "\n".join(rows)


def config() -> str:
    """Every setting with its type, default and meaning."""
    from memtui.core.config_edit import describe

    rows = ["| key | type | default | meaning |", "|---|---|---|---|"]
    for item in describe():
        default = cell(json.dumps(item.default, ensure_ascii=False))
        rows.append(f"| `{item.name}` | {cell(item.type)} | `{default}` | {cell(item.doc)} |")
    return "\n".join(rows)


def faults() -> str:
    """How often each fault was made in the last full run, and how often something went wrong."""
    from tests.faults.__main__ import kept, table

    return table(kept())


def retrieval() -> str:
    """What the last full run of the measuring stick found."""
    from tests.retrieval.table import kept, table

    return table(kept())


def evolution() -> str:
    """What was learned of a made year the last time that was measured."""
    from tests.evolution.table import kept, table

    return table(kept())


def speed() -> str:
    """What everything cost the last time that was measured, with its goals."""
    from tests.speed.table import table

    return table()


def cell(text: str) -> str:
    """Text that stays inside one cell of a Markdown table."""
    return " ".join(text.replace("|", "\\|").split())


PAGES = {
    "agents": {"tools": tools},
    "commands": {"commands": commands},
    "keys": {"keys": keys},
    "settings": {"config": config},
    "evidence": {"retrieval": retrieval, "evolution": evolution, "faults": faults, "speed": speed},
}
"""By topic, what stands between which markers."""


def read_page(topic: str) -> str:
    """A page as it stands in the repository, markers included."""
    with open(find_page(topic), encoding="utf-8") as file:
        return file.read()


def find_page(topic: str) -> str:
    """The path of a topic's page."""
    return next(locate_page(known) for known in TOPICS if known.name == topic)


def fill_page(topic: str, text: str) -> str:
    """The page with every block between its markers as the code has it now."""
    for name, table in PAGES[topic].items():
        opening, closing = f"<!-- {name} -->\n", f"<!-- /{name} -->"
        assert text.count(opening) == text.count(closing) == 1, (
            f"{topic}.md needs one {opening.strip()} block"
        )
        before, _, rest = text.partition(opening)
        text = f"{before}{opening}{table()}\n{closing}{rest.partition(closing)[2]}"
    return text


def list_stale() -> dict[str, str]:
    """The pages that are not as the code has it now, by topic, as they would be."""
    filled = {topic: fill_page(topic, read_page(topic)) for topic in PAGES}
    return {topic: text for topic, text in filled.items() if text != read_page(topic)}


def write_pages() -> None:
    """Bring every page up to date."""
    for topic, text in list_stale().items():
        with open(find_page(topic), "w", encoding="utf-8", newline="\n") as file:
            file.write(text)


def main() -> int:
    """Write them, or with --check only compare: 1 where one is stale."""
    if "--check" not in sys.argv:
        write_pages()
        return 0
    stale = list_stale()
    for topic in stale:
        print(f"memtui/manual/{topic}.md is stale: run `python -m tests.readme`", file=sys.stderr)
    return int(bool(stale))


if __name__ == "__main__":
    sys.exit(main())
