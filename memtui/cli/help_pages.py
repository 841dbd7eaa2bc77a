"""`memtui help`: the pages of the manual, and what a command takes."""

from __future__ import annotations

from memtui.cli import COMMANDS, render, tree
from memtui.cli.options import EVERYWHERE, Argument, Command, CommandOption
from memtui.core.config_keys import suggest_name
from memtui.core.errors import UsageError
from memtui.core.locale import _
from memtui.manual import TOPICS, Topic, describe_topics, find_topic, load_page
from memtui.manual.man_page import write_man
from memtui.manual.page_layout import lay_out

_WIDEST = 100
"""Cells of a line that is easy to read, however wide the terminal is."""

_STYLES = {"head": render.BOLD, "bold": render.BOLD, "code": render.CYAN, "dim": render.DIM}


def run(topic: str | None, *, man: bool, home: tuple[str, ...], as_json: bool) -> int:
    """Show a page, or list them. A command that has no page shows its own help. 2 for a name that is neither."""
    del home  # every command takes it; a page does not depend on it
    tree.translate_click()
    if man:
        if topic is not None or as_json:
            raise UsageError(_("--man prints the whole manual; it takes no PAGE and no --json."))
        _print_man()
    elif topic is None:
        _list_topics(as_json)
    elif (found := find_topic(topic)) is not None:
        _show_page(found, as_json)
    elif (place := next((place for name, place, _help in COMMANDS if name == topic), None)) is not None:
        _show_command(topic, place, as_json)
    else:
        known = [*(found.name for found in TOPICS), *(name for name, _place, _help in COMMANDS)]
        message = _("There is no page '{topic}'.").format(topic=render.make_safe_line(topic))
        if near := suggest_name(topic.lower(), known):
            message += " " + _("Did you mean `memtui help {name}`?").format(name=near)
        raise UsageError(message + "\n" + _("`memtui help` lists them."))
    return 0


def _print_man() -> None:
    group = tree.group()
    about = (group.help or "").partition("\n")[0].rstrip(".。")
    usage = group.get_usage(tree.HelpContext(group, info_name="memtui"))
    lines = ["memtui" + line.partition("memtui")[2] for line in usage.splitlines()]
    render.print_line(write_man(about, lines).rstrip("\n"))


def _list_topics(as_json: bool) -> None:
    topics = describe_topics()
    if as_json:
        render.print_document({"topics": [{"topic": name, "about": about} for name, about in topics]})
        return
    render.print_table(
        [render.Column(_("page"), render.CYAN), render.Column(_("about"), grows=True)],
        topics,
    )
    render.print_remark(
        _("`memtui help PAGE` shows one; `memtui COMMAND --help` explains a command's options.")
    )


def _show_page(topic: Topic, as_json: bool) -> None:
    text = load_page(topic)
    width = render.count_columns()
    if as_json:
        render.print_document({"topic": topic.name, "about": _(topic.about), "text": text})
    elif width is None:
        render.print_line(text.rstrip("\n"))
    else:
        for line in lay_out(text, min(width, _WIDEST), ticks=not render.is_colour_wanted()):
            render.print_line("".join(render.paint(part, _STYLES.get(style, "")) for part, style in line))


def _show_command(name: str, place: str, as_json: bool) -> None:
    command = tree.load_click_command(place, name)
    text = command.get_help(tree.HelpContext(command, info_name=f"memtui {name}"))
    if as_json:
        render.print_document({"topic": name, "about": command.get_short_help_str(), "text": text})
    else:
        render.print_line(text)


COMMAND = Command(
    "help",
    "Show a page of the manual, or list the pages. In a pipe a page is plain Markdown.",
    run,
    (Argument("topic", metavar="[PAGE]"),),
    (
        CommandOption(("--man",), "Print the whole manual as a man page (roff) on stdout.", "flag"),
        *EVERYWHERE,
    ),
    epilog="Exit status: 0 done, 2 there is no such page.",
)
