"""Every setting with its value and what it means, changed in the file that `memtui config` writes: `show_settings`.

What is written holds from the next start on: views, indexes and processes were made from the settings they began with.
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from rich.cells import cell_len
from textual.containers import Container
from textual.content import Content

from memtui.core import config_edit
from memtui.core.config import Config, find_config_path, load
from memtui.core.config_keys import check, find_declaration, parse_setting
from memtui.core.errors import UsageError
from memtui.core.locale import _
from memtui.tui import draw
from memtui.tui.actions import ACTIONS, make_bindings
from memtui.tui.choices import Choice
from memtui.tui.detail import Detail
from memtui.tui.prose import wrap_pieces
from memtui.tui.row_list import Fixed, Rows
from memtui.tui.sheets import Prompt, Sheet

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from textual.app import ComposeResult
    from textual.binding import BindingType

    from memtui.core.config_keys import SettingAbout
    from memtui.core.errors import MemtuiError
    from memtui.tui.draw import Piece
    from memtui.tui.mutations import Hand

LABEL = 12
"""Cells of a name in the text beside the list."""


class SettingRow(NamedTuple):
    """A setting as it stands."""

    key: config_edit.Key
    value: Any
    fixed_by: str
    """The environment variable that overrides the file; empty: none does."""

    @property
    def about(self) -> SettingAbout:
        """What fits it."""
        found = find_declaration(self.key.name, Config())
        assert found is not None
        return found


def list_settings() -> list[SettingRow]:
    """All but the keys, which the help lists. Reads the file: on a reader's or the writer's thread."""
    config = load()[0]
    found: list[SettingRow] = []
    for key in config_edit.describe():
        if key == config_edit.KEYMAP:
            continue
        variable = "MEMTUI_" + key.name.replace(".", "_").upper()
        found.append(SettingRow(key, config_edit.get(key.name, config), variable if variable in os.environ else ""))
    return found


def format_value(value: Any) -> str:
    """A value as one would type it; a list as the config file has it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple):
        return json.dumps(list(value), ensure_ascii=False)
    return f"{value:g}" if isinstance(value, float) else str(value)


def show_settings(hand: Hand) -> None:
    """Open the window, once the file is read."""

    def show(found: list[SettingRow]) -> None:
        hand.screen.app.push_screen(SettingsSheet(hand, found))

    hand.screen.reader.ask("settings", lambda _cancelled: list_settings(), show)


class SettingsSheet(Sheet[None]):
    """Settings on the left, what the one under the cursor means on the right."""

    HORIZONTAL_BREAKPOINTS = [(0, "-tiny"), (60, "-narrow"), (100, "-wide")]  # noqa: RUF012 - Textual declares it
    BINDINGS: ClassVar[list[BindingType]] = [
        *make_bindings(action for action in ACTIONS if action.id in {"edit.undo", "item.delete"})
    ]
    KEYS: ClassVar[dict[str, str]] = {
        "item.open": "change",
        "edit.undo": "undo",
        "item.delete": "default",
        "app.back": "close",
    }

    def __init__(self, hand: Hand, found: Sequence[SettingRow]) -> None:
        super().__init__()
        self._hand, self._found = hand, found
        self._before: list[tuple[str, Any]] = []
        """Of each change of this window: its setting, and the value that stood there."""

    def compose(self) -> ComposeResult:
        """List and detail."""
        with Container(classes="sheet wide transcript"):
            rows = Rows(lambda _item, _brush: [], self.main.context.look, id="turns")
            rows.border_title = Content(_("Settings"))
            yield rows
            yield Detail(self.main.context.look, id="turn")

    def on_mount(self) -> None:
        self._show()
        self.query_one("#turns", Rows).focus()

    def _show(self) -> None:
        rows = self.query_one("#turns", Rows)
        items: list[Fixed] = []
        section = ""
        for row in self._found:
            if row.key.name.partition(".")[0] != section:
                section = row.key.name.partition(".")[0]
                items.append(Fixed(("head", section), ((f" {section}", "head"),), rest=False))
            items.append(_draw_row(row, rows.size.width))
        rows.show(items)
        self.update_keys()

    def on_resize(self) -> None:
        """A wider list shows more of a long value."""
        self.call_after_refresh(self._show)

    @property
    def row(self) -> SettingRow | None:
        """What the cursor is on."""
        item = self.query_one("#turns", Rows).current
        return item.value if isinstance(item, Fixed) else None

    def on_rows_moved(self, event: Rows.Moved) -> None:
        """What it means."""
        event.stop()
        row = event.item.value if isinstance(event.item, Fixed) else None
        if row is not None:
            key = (row.key.name, row.value)
            self.query_one("#turn", Detail).show(lambda cells: draw_setting(row, cells), key=key, title=row.key.name)

    def does(self, id: str) -> bool:
        """There is something to take back once something was changed here."""
        return id != "edit.undo" or bool(self._before)

    def act(self, id: str) -> None:
        """Take back, or put the default."""
        row = self.row
        if id == "edit.undo":
            if self._before:
                name, value = self._before.pop()
                self._write(name, value)
        elif id == "item.delete":
            if row is not None:
                self._change(row, row.key.default)
        elif id == "app.back" and self.query_one("#turn", Detail).has_focus:
            self.query_one("#turns", Rows).focus()
        else:
            super().act(id)

    def open_item(self) -> None:
        """The other of two values, one of several, or what is typed."""
        row = self.row
        if row is None:
            return
        if isinstance(row.value, bool):
            self._change(row, not row.value)
        elif row.about.choices:
            choices = row.about.choices
            shown = [Fixed(name, ((f" {name}", ""),), value=name) for name in choices]
            at = choices.index(row.value) if row.value in choices else 0
            sheet = Choice(row.key.name, shown, self.main.context.look, hint=_("enter saves it"), at=at)
            self.app.push_screen(sheet, lambda name: self._change(row, name) if name is not None else None)
        else:
            prompt = Prompt(
                row.key.name,
                format_value(row.value),
                told=_(row.key.doc),
                hint=_("Enter saves it."),
                check=lambda text: _find_fault(row, text),
            )
            self.app.push_screen(prompt, lambda text: self._change(row, text) if text is not None else None)

    def _change(self, row: SettingRow, value: Any) -> None:
        if row.fixed_by:
            self._tell(_("{variable} is set and overrides the file.").format(variable=row.fixed_by))
            return
        if isinstance(value, str):
            value = check(row.key.name, row.about, parse_setting(row.about, value))
        if value != row.value:
            self._write(row.key.name, value, lambda: self._before.append((row.key.name, row.value)))

    def _write(self, name: str, value: Any, then: Callable[[], None] = lambda: None) -> None:
        def job() -> list[SettingRow]:
            config_edit.set(name, value)
            return list_settings()

        def done(found: list[SettingRow]) -> None:
            then()
            self._found = found
            told = _("{key} = {value}, from the next start on")
            self._tell(told.format(key=name, value=draw.cut(format_value(value), 40)))
            if self.stands:
                self._show()

        self._hand.writer.write(job, done, self._refuse)

    def _refuse(self, error: MemtuiError) -> None:
        self._tell(str(error))

    def _tell(self, sentence: str) -> None:
        if self.stands:
            self.query_one("#turns", Rows).border_subtitle = Content(draw.clip_to_line(sentence))
        self.main.say(draw.clip_to_line(sentence))


SPACED = 8
"""Cells of a row that are neither its name nor its value."""


def _find_fault(row: SettingRow, text: str) -> str:
    """What is wrong with what is typed; empty: it fits."""
    try:
        check(row.key.name, row.about, parse_setting(row.about, text))
    except UsageError as error:
        return str(error)
    return ""


def _draw_row(row: SettingRow, cells: int) -> Fixed:
    mark = "●" if row.value != row.key.default else " "
    name = row.key.name.partition(".")[2]
    value = draw.cut(draw.clip_to_line(format_value(row.value)), max(28, cells - cell_len(name) - SPACED)) or "–"
    return Fixed(
        ("setting", row.key.name),
        ((f" {mark} ", "accent"), (name, "")),
        ((f" {value} ", "dim" if mark == " " else "accent"),),
        value=row,
    )


def draw_setting(row: SettingRow, cells: int) -> list[list[Piece]]:
    """What it means, what it is and could be, and where that is written."""
    lines = [*wrap_pieces([(_(row.key.doc), "")], cells), []]
    for label, text in (
        (_("value"), format_value(row.value) or "–"),
        (_("default"), format_value(row.key.default) or "–"),
        (_("accepts"), row.key.type if row.about.choices else _(row.key.type)),
        (_("file"), find_config_path()),
    ):
        name = draw.pad(label, LABEL)
        lines += wrap_pieces([(name, "dim"), (draw.clip_to_line(text), "")], cells, hang=LABEL)
    if row.fixed_by:
        told = _("{variable} is set and overrides the file.").format(variable=row.fixed_by)
        lines += [[], *wrap_pieces([("⚠ ", "warn"), (told, "warn")], cells, hang=2)]
    told = _("What is changed here holds from the next start on.")
    return [*lines, [], *wrap_pieces([(told, "faint")], cells)]
