"""A model in a directory that a person has: `model.onnx` and `tokenizer.json`, as hubs give them (bge, e5, MiniLM, …).

First the prefixes that some models want before a question and a passage, by the model's name. Then the `Card`:
which file it is, how tokens become a vector, the prefixes. `memtui.json` beside the model is a person's own
word on it; each key may be left out:

    {"name": "bge-small-zh", "file": "onnx/model.onnx", "pooling": "cls", "query": "…", "passage": "",
     "max_length": 512, "dimensions": 256}

`dimensions` keeps the first so many of a vector, for models that are made for it. Other values are read from
the files that sentence-transformers writes, or follow from the model's name.
"""

from __future__ import annotations

import json
import os
import re
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, NamedTuple

from memtui.core.errors import UnavailableError
from memtui.core.locale import _
from memtui.vectors.e5 import clean_model_input, explain_missing_packages, normalize_rows

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from memtui.core.config import VectorConfig
    from memtui.vectors.e5 import Embedder

_ENGLISH = "Represent this sentence for searching relevant passages: "

_TABLE = (
    (r"\be5\b(?!.*instruct)", "query: ", "passage: "),
    (r"\bbge\b.*\bzh\b", "为这个句子生成表示以用于检索相关文章：", ""),
    (r"\bbge\b.*\ben\b", _ENGLISH, ""),
    (r"\bnomic embed text\b", "search_query: ", "search_document: "),
    (r"\barctic embed\b.*\bv2\b", "query: ", ""),
    (r"\barctic embed\b|\bmxbai embed\b", _ENGLISH, ""),
)


def choose_prefixes(model: str) -> tuple[str, str]:
    """What stands before a question, and before a passage."""
    words = re.sub(r"[\W_]+", " ", model.lower())
    return next(((query, passage) for name, query, passage in _TABLE if re.search(name, words)), ("", ""))


OWN = "memtui.json"
POOLINGS = ("cls", "mean")

_MODELS = ("model.onnx", "onnx/model.onnx", "model_quantized.onnx", "onnx/model_quantized.onnx")
_TOKENIZERS = ("tokenizer.json", "onnx/tokenizer.json")
_TOLD = (
    OWN,
    "config.json",
    "1_Pooling/config.json",
    "config_sentence_transformers.json",
    "sentence_bert_config.json",
    "tokenizer_config.json",
)
_KEYS = {
    "name": str,
    "file": str,
    "pooling": str,
    "query": str,
    "passage": str,
    "max_length": int,
    "dimensions": int,
}
_LENGTH = 512
_LONGEST = 1 << 20
"""Tokens: a larger number is a mistake, and more than a tokenizer accepts."""
_MOST = 1 << 24
"""Bytes of a file that is read."""
_FROM_TWO = frozenset({"camembert", "mpnet", "roberta", "xlm-roberta"})
"""Model types whose positions are counted from after the padding's number."""
_FIRST_TOKEN = ("bge", "arctic-embed", "mxbai-embed")
"""Names of models whose first token stands for the text, where no file names the pooling."""


class Card(NamedTuple):
    """All that has to be known to use a model."""

    name: str
    model: str
    """The path of the ONNX file."""
    tokenizer: str
    """The path of the tokenizer's file."""
    pooling: str
    query: str
    passage: str
    max_length: int
    """Tokens, with those at both ends."""
    dimensions: int
    """As many of a vector are kept; 0: all."""
    pad: str
    """The token that fills shorter texts up; empty: nobody says."""
    first: int
    """The position of the first token, where the model takes positions as an input; -1: it counts from 0."""


def read(directory: str) -> Card:
    """The card of the model in a directory. Raises UnavailableError with a sentence what is missing or wrong."""
    if not os.path.isdir(directory):
        raise UnavailableError(_("there is no directory {path} (vector.directory)").format(path=directory))
    own = _read_own_settings(directory)
    model = _find_one_file(directory, (own["file"],) if own.get("file") else _MODELS, "model.onnx")
    tokenizer = _find_one_file(directory, _TOKENIZERS, "tokenizer.json")
    config = _read_optional_json(directory, "config.json")
    words = _read_optional_json(directory, "tokenizer_config.json")
    name = own.get("name") or _derive_model_name(directory)
    hints = own.get("name") or f"{name} {_find_text(config, '_name_or_path').rpartition('/')[2]}"
    said = _read_optional_json(directory, "config_sentence_transformers.json").get("prompts")
    prompts = said if isinstance(said, dict) else {}
    query, passage = choose_prefixes(hints)
    return Card(
        name=name,
        model=model,
        tokenizer=tokenizer,
        pooling=own.get("pooling") or _choose_pooling(directory, hints),
        query=own.get("query", _find_text(prompts, "query") or query),
        passage=own.get("passage", _find_text(prompts, "passage", "document") or passage),
        max_length=own.get("max_length") or _find_length(directory, config, words),
        dimensions=own.get("dimensions", 0),
        pad=_pad_card(words),
        first=_number(config, "pad_token_id", 1) + 1 if _find_text(config, "model_type") in _FROM_TWO else -1,
    )


def iterate_model_files(directory: str, card: Card) -> Iterator[tuple[str, int, int]]:
    """Every file that the vectors depend on: its name within the directory, its size, and when it was written."""
    for path in (
        card.model,
        f"{card.model}_data",
        f"{card.model}.data",
        card.tokenizer,
        *(os.path.join(directory, name) for name in _TOLD),
    ):
        try:
            state = os.stat(path)
        except OSError:
            continue
        yield os.path.relpath(path, directory), state.st_size, state.st_mtime_ns


def _find_one_file(directory: str, names: tuple[str, ...], what: str) -> str:
    for name in names:
        path = os.path.join(directory, name)
        if os.path.isfile(path):
            return path
    told = _("{path} has no {file}: give vector.directory a model's directory in ONNX form")
    raise UnavailableError(told.format(path=directory, file=names[0] if len(names) == 1 else what))


def _read_own_settings(directory: str) -> dict[str, Any]:
    """What the person wrote, checked: a slip in it must not pass for a worse model."""
    path = os.path.join(directory, OWN)
    try:
        own = _read_json_file(path)
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, RecursionError) as error:
        raise UnavailableError(_("{path} cannot be read as JSON: {error}").format(path=path, error=error)) from None
    if not isinstance(own, dict):
        raise UnavailableError(_("{path} is no JSON object").format(path=path))
    for key, value in own.items():
        kind = _KEYS.get(key)
        if kind is None:
            told = _("{path} has a key {key!r}; it may have {keys}")
            raise UnavailableError(told.format(path=path, key=key, keys=", ".join(_KEYS)))
        if type(value) is not kind or not _is_sound(value):
            told = _("{key} in {path} must be {kind}")
            wanted = _("a text") if kind is str else _("a whole number above 0")
            raise UnavailableError(told.format(key=key, path=path, kind=wanted))
    if own.get("pooling", "mean") not in POOLINGS:
        raise UnavailableError(_("pooling in {path} must be cls or mean").format(path=path))
    return own


def _read_json_file(path: str) -> Any:
    """What a file holds. A pipe is none: reading it would wait for whoever writes, for ever."""
    if os.path.exists(path) and not os.path.isfile(path):
        raise OSError(_("it is no file"))
    with open(path, encoding="utf-8-sig") as file:
        return json.loads(file.read(_MOST))


def _is_sound(value: object) -> bool:
    """A number that counts something, or a text that can be written."""
    if isinstance(value, int):
        return 1 <= value <= _LONGEST
    return str(value).encode("utf-8", "replace").decode("utf-8") == value


def _read_optional_json(directory: str, name: str) -> dict[str, Any]:
    try:
        told = _read_json_file(os.path.join(directory, name))
    except (OSError, ValueError, RecursionError):
        return {}
    return told if isinstance(told, dict) else {}


def _derive_model_name(directory: str) -> str:
    """By its directory, which in a hub's cache is two above."""
    above, name = os.path.split(os.path.abspath(directory))
    above, kind = os.path.split(above)
    return os.path.basename(above).rpartition("--")[2] if kind == "snapshots" else name


def _choose_pooling(directory: str, hints: str) -> str:
    told = _read_optional_json(directory, "1_Pooling/config.json")
    if not told:
        return "cls" if any(hint in hints.lower() for hint in _FIRST_TOKEN) else "mean"
    if told.get("pooling_mode_cls_token") or told.get("pooling_mode") == "cls":
        return "cls"
    if told.get("pooling_mode_mean_tokens") or told.get("pooling_mode") == "mean":
        return "mean"
    said = _("{path} wants a pooling that is neither cls nor mean; memtui knows no other")
    raise UnavailableError(said.format(path=os.path.join(directory, "1_Pooling", "config.json")))


def _find_length(directory: str, config: dict[str, Any], words: dict[str, Any]) -> int:
    """The least that any file says: some write a thousand digits for 'no bound'."""
    places = _number(config, "max_position_embeddings", 0)
    said = (
        _number(_read_optional_json(directory, "sentence_bert_config.json"), "max_seq_length", 0),
        _number(words, "model_max_length", 0),
        places - 2 if _find_text(config, "model_type") in _FROM_TWO else places,
    )
    return min((number for number in said if number > 0), default=_LENGTH)


def _pad_card(words: dict[str, Any]) -> str:
    pad = words.get("pad_token")
    return _find_text(pad, "content") if isinstance(pad, dict) else _find_text(words, "pad_token")


def _number(told: dict[str, Any], key: str, otherwise: int) -> int:
    value = told.get(key)
    return value if isinstance(value, int) else otherwise


def _find_text(told: dict[str, Any], *keys: str) -> str:
    return next((told[key] for key in keys if isinstance(told.get(key), str) and told[key]), "")


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
    if why := explain_missing_packages("numpy", "onnxruntime", "tokenizers"):
        return why
    try:
        read(_resolve_directory(settings))
    except UnavailableError as error:
        return str(error)
    return ""


def identify_model(settings: VectorConfig) -> str:
    """The model's name, and a hash over its files' names, sizes and times: cheap, and safe to the other side.

    A file written anew makes another model of it; a directory that is moved, or copied with its times, stays the same.
    """
    directory = _resolve_directory(settings)
    card = read(directory)
    state = repr(sorted(iterate_model_files(directory, card)))
    return f"onnx:{card.name}:{blake2b(state.encode('utf-8', 'replace'), digest_size=8).hexdigest()}"


def load(settings: VectorConfig) -> Embedder:
    """The model, opened and tried."""
    return Onnx(identify_model(settings), read(_resolve_directory(settings)))


class Onnx:
    """A model in this process. Its session and its tokenizer may be used by several threads at once."""

    batch = BATCH

    def __init__(self, name: str, card: Card) -> None:
        self.name = name
        self._card = card
        self._tokenizer = _load_tokenizer(card)
        self._pad = _pad(self._tokenizer, card)
        self._session = _load_session(card.model)
        self._inputs = {item.name: "int32" if "int32" in item.type else "int64" for item in self._session.get_inputs()}
        if strange := sorted(set(self._inputs) - _INPUTS):
            raise self._build_unusable_error(_("it asks for {inputs}").format(inputs=", ".join(strange)))
        outputs = [item.name for item in self._session.get_outputs()]
        self._output = next((known for known in (*_POOLED, *_TOKENS) if known in outputs), outputs[0])
        self.longest = min(LONGEST, card.max_length * _PER_TOKEN)
        self.dimensions = 0
        self.dimensions = self._run_model(["."]).shape[1]
        self.title = f"{card.name}, {self.dimensions} dimensions (onnxruntime)"

    def passages(self, texts: Sequence[str], *, soon: bool = False) -> NDArray[np.float32]:
        """See Embedder. `soon` changes nothing: a batch here takes less than a second."""
        import numpy as np

        rows = np.zeros((len(texts), self.dimensions), np.float32)
        # Texts of like length together: what fills the shorter ones up is work for nothing.
        order = sorted(range(len(texts)), key=lambda index: len(texts[index]))
        for start in range(0, len(order), BATCH):
            some = order[start : start + BATCH]
            rows[some] = self._run_model([self._card.passage + clean_model_input(texts[i], self.longest) for i in some])
        return rows

    def query(self, text: str) -> NDArray[np.float32]:
        """See Embedder."""
        vector: NDArray[np.float32] = self._run_model([self._card.query + clean_model_input(text, self.longest)])[0]
        return vector

    def close(self) -> None:
        """See Embedder."""

    def _run_model(self, texts: list[str]) -> NDArray[np.float32]:
        import numpy as np

        # One by one: the tokenizer's own threads, once used, complain on the screen at every later fork.
        try:
            ids = [self._tokenizer.encode(text).ids for text in texts]
        except Exception as error:  # the library raises nothing but Exception itself
            told = _("{path} cannot be read as a tokenizer: {why}")
            raise UnavailableError(told.format(path=self._card.tokenizer, why=_take_first_line(error))) from error
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
            "position_ids": self._compute_positions(mask),
        }
        try:
            answer = self._session.run(
                [self._output],
                {name: feeds[name].astype(kind, copy=False) for name, kind in self._inputs.items()},
            )[0]
        except Exception as error:  # onnxruntime's own errors have no other class in common
            raise self._build_unusable_error(str(error).strip().partition("\n")[0]) from error
        return normalize_rows(self._cut(self._pool_tokens(np.asarray(answer), mask)))

    def _pool_tokens(self, answer: Any, mask: NDArray[np.int64]) -> Any:
        """One row for a text: the model's own, or made of its tokens' rows."""
        import numpy as np

        if answer.ndim == 2 and len(answer) == len(mask):
            return answer.astype(np.float32, copy=False)
        if answer.ndim != 3 or answer.shape[:2] != mask.shape:
            raise self._build_unusable_error(_("its answer has the shape {shape}").format(shape=list(answer.shape)))
        answer = answer.astype(np.float32, copy=False)
        if self._card.pooling == "cls":
            return answer[:, 0]
        weights = mask.astype(np.float32)
        return np.einsum("nt,ntd->nd", weights, answer) / np.maximum(weights.sum(axis=1), 1)[:, None]

    def _cut(self, rows: Any) -> Any:
        wanted = self._card.dimensions or rows.shape[1]
        if wanted > rows.shape[1] or (self.dimensions and self.dimensions != wanted):
            told = _("its vectors have {there} dimensions, not {wanted}")
            raise self._build_unusable_error(told.format(there=rows.shape[1], wanted=self.dimensions or wanted))
        return rows[:, :wanted]

    def _compute_positions(self, mask: NDArray[np.int64]) -> NDArray[np.int64]:
        counted: NDArray[np.int64] = mask.cumsum(axis=1)
        if self._card.first < 0:
            return (counted - 1).clip(min=0)
        return counted * mask + (self._card.first - 1)

    def _build_unusable_error(self, why: str) -> UnavailableError:
        told = _("{path} is no model that memtui can use: {why}")
        return UnavailableError(told.format(path=self._card.model, why=why))


def _resolve_directory(settings: VectorConfig) -> str:
    return os.path.abspath(os.path.expanduser(settings.directory))


def _load_tokenizer(card: Card) -> Any:
    try:
        from tokenizers import Tokenizer

        tokenizer = Tokenizer.from_file(card.tokenizer)
        tokenizer.no_padding()
        tokenizer.enable_truncation(card.max_length)
    except Exception as error:  # the library raises nothing but Exception itself
        told = _("{path} cannot be read as a tokenizer: {why}")
        raise UnavailableError(told.format(path=card.tokenizer, why=_take_first_line(error))) from error
    return tokenizer


def _pad(tokenizer: Any, card: Card) -> int:
    known = (tokenizer.token_to_id(token) for token in (card.pad, "[PAD]", "<pad>") if token)
    return next((number for number in known if number is not None), 0)


def _load_session(path: str) -> Any:
    try:
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.log_severity_level = 4  # what it logs would go over the screen
        # Threads that spin where they wait keep the core from those that they wait for, beside any busy process.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        return onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    except Exception as error:  # onnxruntime's own errors have no other class in common
        told = _("{path} cannot be opened as an ONNX model: {why}")
        raise UnavailableError(told.format(path=path, why=_take_first_line(error))) from error


def _take_first_line(error: Exception) -> str:
    return str(error).strip().partition("\n")[0] or type(error).__name__
