"""A model directory that a person has: `model.onnx` and `tokenizer.json`, as hubs give them (bge, e5, MiniLM, …)."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from memtui.embedding.card import Card, marks, read
from memtui.embedding.ends import given, units
from memtui.embedding.extra import missing
from memtui.errors import UnavailableError
from memtui.locale import _

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from memtui.config import VectorConfig
    from memtui.embedding import Embedder

NAME = "onnx"
BATCH = 16
LONGEST = 4000
"""Characters at most, however long a text the model takes."""

_PER_TOKEN = 4
"""Characters of English in a token; other scripts have fewer, and the tokenizer cuts them."""

_POOLED = ("sentence_embedding",)
_TOKENS = ("last_hidden_state", "token_embeddings")
_INPUTS = frozenset({"input_ids", "attention_mask", "token_type_ids", "position_ids"})


def why_not(settings: VectorConfig) -> str:
    """Whether packages and files are here; the model itself is not opened."""
    if not settings.directory:
        return _("vector.directory is not set: it names the directory with model.onnx and tokenizer.json")
    if why := missing("numpy", "onnxruntime", "tokenizers"):
        return why
    try:
        read(_directory(settings))
    except UnavailableError as error:
        return str(error)
    return ""


def identity(settings: VectorConfig) -> str:
    """The model's name, and a hash over its files' names, sizes and times: cheap, and safe to the other side.

    A file written anew makes another model of it; a directory that is moved, or copied with its times, stays the same.
    """
    from hashlib import blake2b

    directory = _directory(settings)
    card = read(directory)
    state = repr(sorted(marks(directory, card)))
    return f"onnx:{card.name}:{blake2b(state.encode('utf-8', 'replace'), digest_size=8).hexdigest()}"


def load(settings: VectorConfig) -> Embedder:
    """The model, opened and tried."""
    return Onnx(identity(settings), read(_directory(settings)))


class Onnx:
    """A model in this process. Its session and its tokenizer may be used by several threads at once."""

    batch = BATCH

    def __init__(self, name: str, card: Card) -> None:
        self.name = name
        self._card = card
        self._tokenizer = _tokenizer(card)
        self._pad = _pad(self._tokenizer, card)
        self._session = _session(card.model)
        self._inputs = {
            item.name: "int32" if "int32" in item.type else "int64" for item in self._session.get_inputs()
        }
        if strange := sorted(set(self._inputs) - _INPUTS):
            raise self._wrong(_("it asks for {inputs}").format(inputs=", ".join(strange)))
        outputs = [item.name for item in self._session.get_outputs()]
        self._output = next((known for known in (*_POOLED, *_TOKENS) if known in outputs), outputs[0])
        self.longest = min(LONGEST, card.max_length * _PER_TOKEN)
        self.dimensions = 0
        self.dimensions = self._rows(["."]).shape[1]
        self.title = f"{card.name}, {self.dimensions} dimensions (onnxruntime)"

    def passages(self, texts: Sequence[str], *, soon: bool = False) -> NDArray[np.float32]:
        """See Embedder. `soon` changes nothing: a batch here takes less than a second."""
        import numpy as np

        rows = np.zeros((len(texts), self.dimensions), np.float32)
        # Texts of like length together: what fills the shorter ones up is work for nothing.
        order = sorted(range(len(texts)), key=lambda index: len(texts[index]))
        for start in range(0, len(order), BATCH):
            some = order[start : start + BATCH]
            rows[some] = self._rows([self._card.passage + given(texts[i], self.longest) for i in some])
        return rows

    def query(self, text: str) -> NDArray[np.float32]:
        """See Embedder."""
        vector: NDArray[np.float32] = self._rows([self._card.query + given(text, self.longest)])[0]
        return vector

    def close(self) -> None:
        """See Embedder."""

    def _rows(self, texts: list[str]) -> NDArray[np.float32]:
        import numpy as np

        # One by one: the tokenizer's own threads, once used, complain on the screen at every later fork.
        try:
            ids = [self._tokenizer.encode(text).ids for text in texts]
        except Exception as error:  # the library raises nothing but Exception itself
            told = _("{path} cannot be read as a tokenizer: {why}")
            raise UnavailableError(told.format(path=self._card.tokenizer, why=_first(error))) from error
        width = max(1, *(len(row) for row in ids))
        tokens = np.full((len(ids), width), self._pad, np.int64)
        mask = np.zeros_like(tokens)
        for row, known in enumerate(ids):
            tokens[row, : len(known)] = known
            mask[row, : len(known)] = 1
        feeds = {
            "input_ids": tokens,
            "attention_mask": mask,
            "token_type_ids": np.zeros_like(tokens),
            "position_ids": self._positions(mask),
        }
        try:
            answer = self._session.run(
                [self._output],
                {name: feeds[name].astype(kind, copy=False) for name, kind in self._inputs.items()},
            )[0]
        except Exception as error:  # onnxruntime's own errors have no other class in common
            raise self._wrong(str(error).strip().partition("\n")[0]) from error
        return units(self._cut(self._pooled(np.asarray(answer), mask)))

    def _pooled(self, answer: Any, mask: NDArray[np.int64]) -> Any:
        """One row for a text: the model's own, or made of its tokens' rows."""
        import numpy as np

        if answer.ndim == 2 and len(answer) == len(mask):
            return answer.astype(np.float32, copy=False)
        if answer.ndim != 3 or answer.shape[:2] != mask.shape:
            raise self._wrong(_("its answer has the shape {shape}").format(shape=list(answer.shape)))
        answer = answer.astype(np.float32, copy=False)
        if self._card.pooling == "cls":
            return answer[:, 0]
        weights = mask.astype(np.float32)
        return np.einsum("nt,ntd->nd", weights, answer) / np.maximum(weights.sum(axis=1), 1)[:, None]

    def _cut(self, rows: Any) -> Any:
        wanted = self._card.dimensions or rows.shape[1]
        if wanted > rows.shape[1] or (self.dimensions and self.dimensions != wanted):
            told = _("its vectors have {there} dimensions, not {wanted}")
            raise self._wrong(told.format(there=rows.shape[1], wanted=self.dimensions or wanted))
        return rows[:, :wanted]

    def _positions(self, mask: NDArray[np.int64]) -> NDArray[np.int64]:
        counted: NDArray[np.int64] = mask.cumsum(axis=1)
        if self._card.first < 0:
            return (counted - 1).clip(min=0)
        return counted * mask + (self._card.first - 1)

    def _wrong(self, why: str) -> UnavailableError:
        told = _("{path} is no model that memtui can use: {why}")
        return UnavailableError(told.format(path=self._card.model, why=why))


def _directory(settings: VectorConfig) -> str:
    return os.path.abspath(os.path.expanduser(settings.directory))


def _tokenizer(card: Card) -> Any:
    try:
        from tokenizers import Tokenizer

        tokenizer = Tokenizer.from_file(card.tokenizer)
        tokenizer.no_padding()
        tokenizer.enable_truncation(card.max_length)
    except Exception as error:  # the library raises nothing but Exception itself
        told = _("{path} cannot be read as a tokenizer: {why}")
        raise UnavailableError(told.format(path=card.tokenizer, why=_first(error))) from error
    return tokenizer


def _pad(tokenizer: Any, card: Card) -> int:
    known = (tokenizer.token_to_id(token) for token in (card.pad, "[PAD]", "<pad>") if token)
    return next((number for number in known if number is not None), 0)


def _session(path: str) -> Any:
    try:
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.log_severity_level = 4  # what it logs would go over the screen
        # Threads that spin where they wait keep the core from those that they wait for, beside any busy process.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        return onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    except Exception as error:  # onnxruntime's own errors have no other class in common
        told = _("{path} cannot be opened as an ONNX model: {why}")
        raise UnavailableError(told.format(path=path, why=_first(error))) from error


def _first(error: Exception) -> str:
    return str(error).strip().partition("\n")[0] or type(error).__name__
