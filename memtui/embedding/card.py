"""What is known of a model in a directory: which file it is, how words become a vector, what it wants said before.

`memtui.json` beside the model is a person's own word on it; each of its keys may be left out:

    {"name": "bge-small-zh", "file": "onnx/model.onnx", "pooling": "cls", "query": "…", "passage": "",
     "max_length": 512, "dimensions": 256}

`dimensions` keeps the first so many of a vector, for models that are made for it. What it leaves out is read from the
files that sentence-transformers writes, and else follows from the model's name.
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any, NamedTuple

from memtui.embedding.prefixes import prefixes
from memtui.errors import UnavailableError
from memtui.locale import _

if TYPE_CHECKING:
    from collections.abc import Iterator

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
"""Tokens: more is a slip, and more than a tokenizer can be told."""
_MOST = 1 << 24
"""Bytes of a file that is read."""
_FROM_TWO = frozenset({"camembert", "mpnet", "roberta", "xlm-roberta"})
"""Model types whose positions are counted from after the padding's number."""
_FIRST_TOKEN = ("bge", "arctic-embed", "mxbai-embed")
"""Names of models whose first token stands for the text, where no file says so."""


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
    """The position of the first token, where the model is told positions; -1: it counts from 0."""


def read(directory: str) -> Card:
    """The card of the model in a directory. Raises UnavailableError with a sentence what is missing or wrong."""
    if not os.path.isdir(directory):
        raise UnavailableError(_("there is no directory {path} (vector.directory)").format(path=directory))
    own = _own(directory)
    model = _one(directory, (own["file"],) if own.get("file") else _MODELS, "model.onnx")
    tokenizer = _one(directory, _TOKENIZERS, "tokenizer.json")
    config = _told(directory, "config.json")
    words = _told(directory, "tokenizer_config.json")
    name = own.get("name") or _called(directory)
    hints = own.get("name") or f"{name} {_text(config, '_name_or_path').rpartition('/')[2]}"
    said = _told(directory, "config_sentence_transformers.json").get("prompts")
    prompts = said if isinstance(said, dict) else {}
    query, passage = prefixes(hints)
    return Card(
        name=name,
        model=model,
        tokenizer=tokenizer,
        pooling=own.get("pooling") or _pooling(directory, hints),
        query=own.get("query", _text(prompts, "query") or query),
        passage=own.get("passage", _text(prompts, "passage", "document") or passage),
        max_length=own.get("max_length") or _length(directory, config, words),
        dimensions=own.get("dimensions", 0),
        pad=_pad(words),
        first=_number(config, "pad_token_id", 1) + 1 if _text(config, "model_type") in _FROM_TWO else -1,
    )


def marks(directory: str, card: Card) -> Iterator[tuple[str, int, int]]:
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


def _one(directory: str, names: tuple[str, ...], what: str) -> str:
    for name in names:
        path = os.path.join(directory, name)
        if os.path.isfile(path):
            return path
    told = _("{path} has no {file}: give vector.directory a model's directory in ONNX form")
    raise UnavailableError(told.format(path=directory, file=names[0] if len(names) == 1 else what))


def _own(directory: str) -> dict[str, Any]:
    """What the person wrote, checked: a slip in it must not pass for a worse model."""
    path = os.path.join(directory, OWN)
    try:
        own = _json(path)
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, RecursionError) as error:
        raise UnavailableError(
            _("{path} cannot be read as JSON: {error}").format(path=path, error=error)
        ) from None
    if not isinstance(own, dict):
        raise UnavailableError(_("{path} is no JSON object").format(path=path))
    for key, value in own.items():
        kind = _KEYS.get(key)
        if kind is None:
            told = _("{path} has a key {key!r}; it may have {keys}")
            raise UnavailableError(told.format(path=path, key=key, keys=", ".join(_KEYS)))
        if type(value) is not kind or not _sound(value):
            told = _("{key} in {path} must be {kind}")
            wanted = _("a text") if kind is str else _("a whole number above 0")
            raise UnavailableError(told.format(key=key, path=path, kind=wanted))
    if own.get("pooling", "mean") not in POOLINGS:
        raise UnavailableError(_("pooling in {path} must be cls or mean").format(path=path))
    return own


def _json(path: str) -> Any:
    """What a file holds. A pipe is none: reading it would wait for whoever writes, for ever."""
    if os.path.exists(path) and not os.path.isfile(path):
        raise OSError(_("it is no file"))
    with open(path, encoding="utf-8-sig") as file:
        return json.loads(file.read(_MOST))


def _sound(value: object) -> bool:
    """A number that counts something, or a text that can be written."""
    if isinstance(value, int):
        return 1 <= value <= _LONGEST
    return str(value).encode("utf-8", "replace").decode("utf-8") == value


def _told(directory: str, name: str) -> dict[str, Any]:
    try:
        told = _json(os.path.join(directory, name))
    except (OSError, ValueError, RecursionError):
        return {}
    return told if isinstance(told, dict) else {}


def _called(directory: str) -> str:
    """By its directory, which in a hub's cache is two above."""
    above, name = os.path.split(os.path.abspath(directory))
    above, kind = os.path.split(above)
    return os.path.basename(above).rpartition("--")[2] if kind == "snapshots" else name


def _pooling(directory: str, hints: str) -> str:
    told = _told(directory, "1_Pooling/config.json")
    if not told:
        return "cls" if any(hint in hints.lower() for hint in _FIRST_TOKEN) else "mean"
    if told.get("pooling_mode_cls_token") or told.get("pooling_mode") == "cls":
        return "cls"
    if told.get("pooling_mode_mean_tokens") or told.get("pooling_mode") == "mean":
        return "mean"
    said = _("{path} wants a pooling that is neither cls nor mean; memtui knows no other")
    raise UnavailableError(said.format(path=os.path.join(directory, "1_Pooling", "config.json")))


def _length(directory: str, config: dict[str, Any], words: dict[str, Any]) -> int:
    """The least that any file says: some write a thousand digits for 'no bound'."""
    places = _number(config, "max_position_embeddings", 0)
    said = (
        _number(_told(directory, "sentence_bert_config.json"), "max_seq_length", 0),
        _number(words, "model_max_length", 0),
        places - 2 if _text(config, "model_type") in _FROM_TWO else places,
    )
    return min((number for number in said if number > 0), default=_LENGTH)


def _pad(words: dict[str, Any]) -> str:
    pad = words.get("pad_token")
    return _text(pad, "content") if isinstance(pad, dict) else _text(words, "pad_token")


def _number(told: dict[str, Any], key: str, otherwise: int) -> int:
    value = told.get(key)
    return value if isinstance(value, int) else otherwise


def _text(told: dict[str, Any], *keys: str) -> str:
    return next((told[key] for key in keys if isinstance(told.get(key), str) and told[key]), "")
