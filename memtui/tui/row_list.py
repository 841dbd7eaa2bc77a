"""The one virtual list: rows are drawn when they are seen, and read a screen ahead of the cursor.

- What a list holds besides memories, and what a painter knows when it draws one.
- `Marks`: what is selected, by key, kept while the list is filtered, sorted and read anew.
- `Ground`, `Scroller`: Textual's widgets without what every key would pay for, layouts of the whole screen.
- `Rows`: items are references, resolved by `fetch` on a reader's thread, or finished rows. The cursor stays on
  its item, by key, through refreshes and filters. A hundred thousand rows cost what one screen of them costs.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from textual.content import Content
from textual.geometry import Size
from textual.message import Message
from textual.reactive import Reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.widget import Widget

from memtui.core.locale import _
from memtui.tui import draw
from memtui.tui.draw import step
from memtui.tui.prose import wrap_pieces

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence

    from rich.style import Style
    from textual import events
    from textual.geometry import Region

    from memtui.tui.actions import Where
    from memtui.tui.draw import Look, Piece


SCREENS = 4
"""Screens of drawn rows that a list remembers."""


class Brush(NamedTuple):
    """What a painter knows besides the item."""

    width: int
    """Cells of a row."""
    above: Any = None
    """The item in the row above, where it is known: days are written once."""
    words: tuple[str, ...] = ()
    """What is searched for, lower case."""


class Fixed(NamedTuple):
    """A row that is no memory: a header, a gauge, a section."""

    key: Hashable
    left: tuple[Piece, ...]
    right: tuple[Piece, ...] = ()
    value: Any = None
    """What opening it means."""
    rest: bool = True
    """Whether the cursor may rest on it."""


class LoadedRow(NamedTuple):
    """A row that is there already, among others that are read when they are seen: the list treats it as what it holds,
    which has a key (or an id) of its own.
    """

    value: Any

    def __hash__(self) -> int:
        return id(self.value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, LoadedRow) and other.value is self.value


def find_resting_row(items: Sequence[Any], index: int, direction: int) -> int:
    """The row at `index`, or the nearest in `direction`, else the other way, where a cursor may rest."""
    for stride in (direction, -direction):
        at = index
        while 0 <= at < len(items):
            item = items[at]
            if not isinstance(item, Fixed) or item.rest:
                return at
            at += stride
    return index


def is_selectable(item: Any) -> bool:
    """Memories and candidates are selected; heads, numbers and what was learnt of them are not."""
    return getattr(item, "id", None) is not None


class Marks:
    """The selection of one list. A range that is being drawn follows the cursor until it is ended."""

    def __init__(self) -> None:
        self.items: dict[Hashable, Any] = {}
        self.anchor: int | None = None
        """Where the range began that is being drawn."""
        self._before: dict[Hashable, Any] = {}
        self._read: dict[Any, Any] = {}
        """What was read of the rows in a range, however many a list keeps."""
        self._unread: set[Any] = set()
        """Rows of the last range that are still being read: they are selected as they come."""

    def __contains__(self, key: Hashable) -> bool:
        return key in self.items

    def __bool__(self) -> bool:
        return bool(self.items)

    def __len__(self) -> int:
        return len(self.items)

    def toggle(self, key: Hashable, item: Any) -> None:
        """Select it, or not any more."""
        if key in self.items:
            del self.items[key]
        else:
            self.items[key] = item

    def begin(self, index: int) -> None:
        """Draw a range from here on; where one is drawn, end it."""
        if self.anchor is None:
            self.anchor, self._before = index, dict(self.items)
            self._read.clear()
        else:
            self.anchor = None

    def draw(self, rows: Rows, to: int) -> None:
        """What lies between where the range began and `to` is selected, besides what was before."""
        first, last = sorted((min(self.anchor or 0, len(rows.items) - 1), to))
        drawn: dict[Hashable, Any] = {}
        self._unread.clear()
        for index in range(first, last + 1):
            row = rows.items[index]
            item = rows.item(index)
            item = self._read.get(row) if item is None else item
            if item is None:
                self._unread.add(row)
            elif is_selectable(item):
                drawn[item.id] = item
        self.items = {**self._before, **drawn}
        rows.forget_strips()
        if self._unread:
            rows.want([rows.items[at] for at in range(first, last + 1) if rows.items[at] in self._unread])

    def fetched(self, known: Mapping[Any, Any]) -> bool:
        """Select what was read of a range; whether any of it was."""
        come = self._unread.intersection(known)
        self._unread -= come
        for row in come:
            if is_selectable(item := known[row]):
                self._read[row] = self.items[item.id] = item
        return bool(come)

    def clear(self) -> None:
        """Nothing is selected."""
        self.items.clear()
        self._unread.clear()
        self.anchor = None

    def keep(self, keys: Iterable[Hashable]) -> None:
        """Only these are still there to be selected."""
        there = set(keys)
        self.items = {key: item for key, item in self.items.items() if key in there}


class Ground(Widget):
    """What others stand on. Textual asks for all of its lines whenever one is painted: they are all the same."""

    def render_lines(self, crop: Region) -> list[Strip]:
        """Empty lines."""
        strip = Strip.blank(crop.width, self.rich_style)
        _base, background = self.background_colors
        for line_filter in self.get_line_filters():
            strip = strip.apply_filter(line_filter, background)
        return [strip] * crop.height


class Scroller(ScrollView, inherit_bindings=False):
    """As long as what it shows. Textual lays the whole screen out anew when that changes; here it is done where it
    makes a difference: when the widget is as high as its text, and when the scrollbar comes or goes.

    Its keys are the actions': Textual's own would scroll a list away from under its cursor.
    """

    virtual_size = Reactive(Size(0, 0))

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        self._base: Style | None = None
        self._strips: OrderedDict[Any, Any] = OrderedDict()
        """Lines as they were drawn, by whatever they were drawn for."""
        super().__init__(id=id, classes=classes)

    def notify_style_update(self) -> None:
        """Its colours may be others now: they are looked up once, not for every line."""
        super().notify_style_update()
        self._base = None
        self._strips.clear()

    @property
    def base(self) -> Style:
        """The style of an empty cell."""
        if self._base is None:
            self._base = self.rich_style
        return self._base

    def forget_strips(self) -> None:
        """Everything looks different now: another theme, other words."""
        self._strips.clear()
        self.refresh()

    def watch_virtual_size(self, size: Size) -> None:
        """The scrollbar follows at once."""
        if self.styles.auto_dimensions:
            self.refresh(layout=True)
        else:
            self._scroll_update(size)

    def entitle(self, title: str, below: str = "") -> None:
        """What the frame says. It is painted only where that changes, and all that it holds with it."""
        if title != str(self._border_title or ""):
            self.border_title = Content(title)
        if below != str(self._border_subtitle or ""):
            self.border_subtitle = Content(below)


BADGE = 2
"""Cells of a badge: the empty cell that rows begin with parts it from the text."""
NO_BADGE = " " * BADGE, ""

KEPT = 3000
"""Resolved items kept in memory."""


class Rows(Scroller, can_focus=True):
    """A list. `show` gives it items, `Moved` and `Opened` say what a person does with it."""

    ALLOW_SELECT = False

    @dataclass
    class Moved(Message):
        """The cursor stands on another item (None: still being read)."""

        rows: Rows
        item: Any

        @property
        def control(self) -> Rows:
            """For `@on` selectors."""
            return self.rows

    @dataclass
    class Opened(Message):
        """Clicked twice."""

        rows: Rows
        item: Any

        @property
        def control(self) -> Rows:
            """For `@on` selectors."""
            return self.rows

    def __init__(
        self,
        paint: Callable[[Any, Brush], list[list[draw.Piece]]],
        look: Callable[[], Look],
        *,
        tall: int = 1,
        want: Callable[[Rows, list[Any]], None] | None = None,
        id: str | None = None,
        classes: str | None = None,
    ) -> None:
        """`paint` draws an item as `tall` lines; `want` is asked for what is not read yet: `fetched` is its answer."""
        super().__init__(id=id, classes=classes)
        self._paint, self._look, self._want = paint, look, want
        self.tall = tall
        self.items: Sequence[Any] = ()
        self.cursor = 0
        self.words: tuple[str, ...] = ()
        self.empty: tuple[draw.Piece, ...] = ()
        """What stands where rows would, when there are none."""
        self.leads = False
        """The cursor is shown as if the list had the focus: a search box moves it."""
        self._known: OrderedDict[Any, Any] = OrderedDict()
        self._asked: set[Any] = set()
        self.touched = False
        """Whether anybody has moved the cursor yet."""
        self.held: Hashable = None
        """The key that the cursor holds on to."""
        self.marks = Marks()
        """What is selected."""
        self.badges: Mapping[str, draw.Piece] = {}
        """Whose a row is, two cells before it, by the path of its home; none where all are of one tool."""

    # -- what is shown ------------------------------------------------------------------------------------------

    def show(self, items: Sequence[Any], known: Mapping[Any, Any] | None = None, *, at: int | None = None) -> None:
        """Take new items. The cursor goes to `at`, else it stays where it was, by key, else by place."""
        if known is not None:
            self._known.clear()
            self._known.update(known)
        self._asked.clear()
        self._strips.clear()
        before, self.items = self.cursor, items
        top, in_sight = round(self.scroll_offset.y), self._in_sight
        to = self._place(self.held, before) if at is None else at
        self.cursor = find_resting_row(items, max(0, min(to, len(items) - 1)), 1)
        self.held = self.key(self.cursor)
        self.virtual_size = Size(0, len(items) * self.tall)
        if at is None and top:
            # Whoever has scrolled goes on seeing the same rows, whatever came above them.
            self.scroll_to(y=top + (self.cursor - before) * self.tall, animate=False)
        if at is not None or in_sight:
            self._reveal(force=True)
        self._prefetch()
        self.refresh()
        self.post_message(self.Moved(self, self.item(self.cursor)))

    def fetched(self, known: Mapping[Any, Any]) -> None:
        """References that were read. They are painted where they stand."""
        self._known.update(known)
        self._asked.difference_update(known)
        if self.marks.fetched(known):
            self.post_message(self.Moved(self, self.item(self.cursor)))
        while len(self._known) > KEPT:
            self._known.popitem(last=False)
        self._strips.clear()
        if self.held is None and self.items:
            self.held = self.key(self.cursor)
        self.refresh()
        if self.items and self.items[self.cursor] in known:
            self.post_message(self.Moved(self, self.item(self.cursor)))

    def list_known(self) -> Iterator[Any]:
        """The items that were read."""
        return iter(self._known.values())

    def want(self, missing: Sequence[Any]) -> None:
        """Have rows read that are not known yet."""
        if self._want is not None:
            self._asked.update(missing)
            self._want(self, list(missing))

    def release_marks(self) -> None:
        """Nothing is selected any more."""
        self.marks.clear()
        self.forget_strips()

    def item(self, index: int) -> Any:
        """The item at `index`, resolved; None where it is not read yet, or not there."""
        if not 0 <= index < len(self.items):
            return None
        item = self.items[index]
        if isinstance(item, LoadedRow):
            return item.value
        return self._known.get(item) if self._want is not None and not isinstance(item, Fixed) else item

    @property
    def current(self) -> Any:
        """What the cursor stands on, resolved."""
        return self.item(self.cursor)

    def key(self, index: int) -> Hashable:
        """What an item is known by across refreshes: a memory's id, a row's key."""
        item = self.item(index)
        if item is None:
            return None
        return getattr(item, "id", None) or getattr(item, "key", None)

    def _place(self, held: Hashable, before: int) -> int:
        if held is None:
            return before
        # Near where it was, then anywhere that is known without reading.
        near = (index for distance in range(64) for index in (before + distance, before - distance))
        everywhere = range(len(self.items) if len(self.items) <= KEPT else 0)
        return next((index for index in (*near, *everywhere) if self.key(index) == held), before)

    # -- moving -------------------------------------------------------------------------------------------------

    def move(self, where: Where) -> None:
        """Move the cursor."""
        page = max(1, self.scrollable_content_region.height // self.tall - 1)
        by = step(where, page, len(self.items))
        self.go(self.cursor + by, 1 if by > 0 else -1)

    def go(self, index: int, direction: int = 1) -> None:
        """Put the cursor at an index, or at the next row in `direction` where one may rest."""
        if not self.items:
            return
        index = find_resting_row(self.items, max(0, min(index, len(self.items) - 1)), direction)
        if index == self.cursor:
            self._reveal(force=index == 0 or index == find_resting_row(self.items, 0, 1))
            return
        old, self.cursor, self.touched = self.cursor, index, True
        self.held = self.key(index)
        if self.marks.anchor is not None:
            self.marks.draw(self, index)
        for changed in (old, index):
            self.refresh_lines(changed * self.tall, self.tall)
        self._reveal()
        self._prefetch()
        self.post_message(self.Moved(self, self.item(index)))

    @property
    def _in_sight(self) -> bool:
        """Whether the cursor is where it can be seen: the wheel may have left it behind."""
        from_top = self.cursor * self.tall - round(self.scroll_offset.y)
        return 0 <= from_top < max(1, self.scrollable_content_region.height)

    def _reveal(self, *, force: bool = False) -> None:
        height = self.scrollable_content_region.height
        if height <= 0:
            return
        top, y = round(self.scroll_offset.y), self.cursor * self.tall
        if force and find_resting_row(self.items, 0, 1) == self.cursor:
            y = 0
        if y < top:
            self.scroll_to(y=y, animate=False)
        elif y + self.tall > top + height:
            self.scroll_to(y=y + self.tall - height, animate=False)

    def reveal_below(self, many: int) -> None:
        """Have so many rows below the cursor in sight, too, as far as the cursor stays there."""
        height, y = self.scrollable_content_region.height, self.cursor * self.tall
        if y + (many + 1) * self.tall > round(self.scroll_offset.y) + height > 0:
            self.scroll_to(y=max(0, min(y, y + (many + 1) * self.tall - height)), animate=False)

    # -- drawing ------------------------------------------------------------------------------------------------

    def on_resize(self) -> None:
        """Rows are as wide as the list."""
        self._strips.clear()
        self._reveal()
        self._prefetch()

    def watch_has_focus(self, focused: bool) -> None:
        """The cursor row shows where keys go."""
        super().watch_has_focus(focused)
        self.refresh_lines(self.cursor * self.tall, self.tall)

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Whoever scrolls with the wheel must not outrun the reading."""
        super().watch_scroll_y(old_value, new_value)
        if round(old_value) != round(new_value):
            self._prefetch()

    def _prefetch(self) -> None:
        if self._want is None or not self.items:
            return
        height = max(8, self.scrollable_content_region.height // self.tall)
        top = round(self.scroll_offset.y) // self.tall
        around = range(max(0, top - height), min(len(self.items), top + 2 * height))
        items = [self.items[index] for index in around]
        missing = [item for item in items if item not in self._known and item not in self._asked]
        missing = [item for item in missing if not isinstance(item, (Fixed, LoadedRow))]
        # A handful at the far edge can wait until there are more, unless they are about to be seen.
        soon = items[top - around.start : top - around.start + height + 4]
        if len(missing) >= height // 2 or not set(missing).isdisjoint(soon):
            self.want(missing)

    def render_line(self, y: int) -> Strip:
        """One line of the screen."""
        cells = self.scrollable_content_region.width
        index, line = divmod(y + round(self.scroll_offset.y), self.tall)
        look, base = self._look(), self.base
        if not self.items:
            return self._draw_sentence(y, cells)
        if index >= len(self.items):
            return Strip.blank(cells, base)
        chosen = index == self.cursor
        focused = self.has_focus or self.leads
        key = (index, cells, chosen and (2 if focused else 1))
        lines: list[Strip] | None = self._strips.get(key)
        if lines is None:
            over = (look["cursor"] if focused else look["blurred"]) if chosen else None
            lines = [
                draw.strip([("▌" if chosen and focused else "▏" if chosen else " ", "gutter"), *pieces],
                           cells, look, base, over)
                for pieces in self._draw_item(index, cells - 1)
            ]  # fmt: skip
            self._strips[key] = lines
            # A strip of Textual's takes more memory than its text: a kilobyte for what may be asked of it.
            while len(self._strips) > SCREENS * max(self.size.height, 20):
                self._strips.popitem(last=False)
        return lines[line] if line < len(lines) else Strip.blank(cells, base)

    def _draw_sentence(self, y: int, cells: int) -> Strip:
        """A line of what stands where rows would."""
        lines = wrap_pieces(list(self.empty), max(2, cells - 4))
        at = y - (len(lines) < self.size.height)
        pieces = lines[at] if 0 <= at < len(lines) else ()
        return draw.strip([("  ", ""), *pieces], cells, self._look(), self.base)

    def _draw_item(self, index: int, cells: int) -> list[list[draw.Piece]]:
        item = self.item(index)
        if item is None:
            gone = self.items[index] in self._known
            return [[("  …" if not gone else "  " + _("(changed on disk)"), "faint")]]
        if isinstance(item, Fixed):
            return [draw.fit_row((), item.left, item.right, cells)]
        above = self.item(index - 1) if index else None
        room = cells - BADGE if self.badges else cells
        lines = self._paint(item, Brush(room, above, self.words))
        ticked = bool(self.marks.items) and self.key(index) in self.marks
        # In a window of a few columns there may be no first cell.
        if ticked and lines and lines[0] and lines[0][0][0].startswith((" ", "▸", "▾")):
            # Rows begin with a cell that is empty: there is room for the tick.
            (text, style), *rest = lines[0]
            lines = [[("✓", "accent"), (text[1:], style), *rest], *lines[1:]]
        if self.badges:
            badge = self.badges.get(getattr(item, "home", ""), NO_BADGE)
            lines = [[badge if not at else NO_BADGE, *line] for at, line in enumerate(lines)]
        return lines

    # -- the mouse ----------------------------------------------------------------------------------------------

    def on_click(self, event: events.Click) -> None:
        """Once: the cursor goes there. Twice: it is opened."""
        y = event.y - self.gutter.top
        index = (y + round(self.scroll_offset.y)) // self.tall
        if 0 <= index < len(self.items) and y >= 0:
            event.stop()
            self.go(index)
            if event.chain == 2 and self.cursor == index:
                self.post_message(self.Opened(self, self.current))
