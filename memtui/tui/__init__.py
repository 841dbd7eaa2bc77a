"""The app for people, on Textual.

Floor: above agents, below cli. Doors: `app.run`, `actions.ACTIONS` (a verb), `panes.PANES` (a view).
`screen.MainScreen` holds the views, `mutations.Hand` writes, `executor` has the threads. The code below sets
what must stand before Textual is loaded.
"""

from __future__ import annotations

import gc
import os

# Loading a library makes a hundred thousand objects that all stay: looking for garbage among them again and again
# takes a tenth of the time until the first frame.
gc.set_threshold(50_000, 20, 50)

# A key that comes just behind a frame waits for the next one. Frames are drawn only where something changed, so that
# there are not more of them; Textual reads this once, and a program that is started from here has no use for it.
if "TEXTUAL_FPS" not in os.environ:
    os.environ["TEXTUAL_FPS"] = "120"
    import textual.constants  # noqa: F401

    del os.environ["TEXTUAL_FPS"]
