"""The app for people, on Textual."""

from __future__ import annotations

import gc

# Loading a library makes a hundred thousand objects that all stay: looking for garbage among them again and again
# takes a tenth of the time until the first frame.
gc.set_threshold(50_000, 20, 50)
