"""Vectors beside a home's index: derived, one set for each model; deleting them loses nothing but time.

There are two files. The rows (`vector_store`): every vector that was ever made, appended, by the hash of its
text, so that a rebuilt index or a memory that moved needs no model. The table (`entries`): which row each entry
of one index file has and the products of neighbours, replaced in one step.

Floor: above index, below search. Doors: `open_vectors` (loads no model) and `models` (makes vectors out of
texts).
"""

from __future__ import annotations

from memtui.core.startup import TYPE_CHECKING
from memtui.vectors.vector_files import derive_vector_names

if TYPE_CHECKING:
    from pathlib import Path

    from memtui.fs.places import Place
    from memtui.vectors.reader import Scores as Scores
    from memtui.vectors.reader import Vectors as Vectors


def find_placed_file(place: Place, model: str) -> Path:
    """The file that says which vectors this model made for which entries; it may not be there."""
    return derive_vector_names(place, model).placed


def open_vectors(place: Place, index_file: Path, model: str) -> Vectors | None:
    """The vectors that this model made for the entries of this index file; None: there are none that can be used.

    `model` as `Embedder.name`. Close them in the end.
    """
    if not find_placed_file(place, model).is_file():
        # Without vectors nobody waits for numpy.
        return None
    try:
        from memtui.vectors.reader import open_vector_file
    except ImportError:
        return None
    return open_vector_file(place, index_file, model)
