"""Write the tables of the manual's pages from the code: `python -m tests.readme`; with --check only compare.

Both languages: those of the Chinese pages are translated by the catalogue (`python -m tests.words` first), except
the tables of figures, which come as they were measured.
"""

from __future__ import annotations

import json
import sys

from memtui.cli import COMMANDS
from memtui.cli.tree import load
from memtui.core.locale import LANGUAGES, _, choose_language, find_language
from memtui.manual import TOPICS, locate_page

HEADS = {
    "command": "命令", "what it does": "作用", "key": "按键", "does": "作用", "id": "id", "tool": "工具",
    "type": "类型", "default": "默认值", "meaning": "含义", "palette": "命令面板",
    "Open the app on these homes, or on every home found here.": "打开界面，显示这些记忆库，或这里找到的所有记忆库。",
    "Open it on the bundled demo homes, in English or in Chinese.": "打开自带的演示记忆库，英文或中文。",
    "a list of texts": "文本列表", "true or false": "true 或 false",
}  # fmt: skip
"""What only these tables say, in Chinese."""


def say(text: str) -> str:
    """A text of the tables in the language that is chosen."""
    return text if find_language() == "en" else HEADS.get(text) or _(text)


def draw_head(*titles: str) -> list[str]:
    """The first two rows of a table."""
    return [f"| {' | '.join(map(say, titles))} |", "|---" * len(titles) + "|"]


def commands() -> str:
    """Every command with its arguments and options."""
    rows = draw_head("command", "what it does")
    opens = say("Open the app on these homes, or on every home found here.")
    rows.append(f"| `memtui [PATH]…` | {opens} |")
    shows = say("Open it on the bundled demo homes, in English or in Chinese.")
    rows.append(f"| `memtui --demo [en|zh]` | {shows} |")
    for name, place, about in COMMANDS:
        command = load(place)
        words = [f"memtui {name}"]
        for argument in command.arguments:
            word = argument.metavar or argument.key.upper()
            words.append(word if word.startswith("[") or argument.required else f"[{word}]")
        options = [f"`{option.names[0]}`" for option in command.options if option.names[0] not in {"--home", "--json"}]
        comma, bracket = (", ", " ({})") if find_language() == "en" else ("、", "（{}）")
        also = bracket.format(comma.join(options)) if options else ""
        rows.append(f"| `{cell(' '.join(words))}` | {cell(say(about))}{also} |")
    return "\n".join(rows)


def keys() -> str:
    """Every action with its keys, by group."""
    from memtui.tui.actions import ACTIONS, GROUPS, SHOWN

    rows = draw_head("key", "does", "id")
    for group in GROUPS:
        for action in (action for action in ACTIONS if action.group == group):
            pressed = " ".join(f"`{cell(SHOWN.get(key, key))}`" for key in action.keys) or say("palette")
            rows.append(f"| {pressed} | {cell(say(action.help))} | `{action.id}` |")
    return "\n".join(rows)


def tools() -> str:
    """Every tool for agents, with its parameters."""
    from memtui.agents.tools import TOOLS

    rows = draw_head("tool", "what it does")
    for tool in TOOLS:
        given = ", ".join(tool.schema["properties"])
        told = say(tool.description.split("\n\n")[0])
        named = f" ({cell(given)})" if find_language() == "en" else f"（{cell(given)}）"
        rows.append(f"| `{tool.name}`{named} | {cell(told)} |")
    return "\n".join(rows)


def config() -> str:
    """Every setting with its type, default and meaning."""
    from memtui.core.config_edit import describe

    rows = draw_head("key", "type", "default", "meaning")
    for item in describe():
        default = cell(json.dumps(item.default, ensure_ascii=False))
        rows.append(f"| `{item.name}` | {cell(say(item.type))} | `{default}` | {cell(say(item.doc))} |")
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


def read_page(topic: str, language: str = "en") -> str:
    """A page as it stands in the repository, markers included."""
    with open(find_page(topic, language), encoding="utf-8") as file:
        return file.read()


def find_page(topic: str, language: str = "en") -> str:
    """The path of a topic's page."""
    return next(locate_page(known, language) for known in TOPICS if known.name == topic)


def fill_page(topic: str, text: str, language: str = "en") -> str:
    """The page with every block between its markers as the code has it now."""
    choose_language(language)
    try:
        return _fill(topic, text)
    finally:
        choose_language("")


def _fill(topic: str, text: str) -> str:
    for name, table in PAGES[topic].items():
        opening, closing = f"<!-- {name} -->\n", f"<!-- /{name} -->"
        assert text.count(opening) == text.count(closing) == 1, f"{topic}.md needs one {opening.strip()} block"
        before, _, rest = text.partition(opening)
        text = f"{before}{opening}{table()}\n{closing}{rest.partition(closing)[2]}"
    return text


def list_stale() -> dict[str, str]:
    """The pages that are not as the code has it now, by their paths, as they would be."""
    pages = [(topic, language) for language in LANGUAGES for topic in PAGES]
    filled = {find_page(*page): fill_page(page[0], read_page(*page), page[1]) for page in pages}
    old = {find_page(*page): read_page(*page) for page in pages}
    return {path: text for path, text in filled.items() if text != old[path]}


def write_pages() -> None:
    """Bring every page up to date."""
    for path, text in list_stale().items():
        with open(path, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)


def main() -> int:
    """Write them, or with --check only compare: 1 where one is stale."""
    if "--check" not in sys.argv:
        write_pages()
        return 0
    stale = list_stale()
    for path in stale:
        print(f"{path} is stale: run `python -m tests.readme`", file=sys.stderr)
    return int(bool(stale))


if __name__ == "__main__":
    sys.exit(main())
