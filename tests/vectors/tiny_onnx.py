"""ONNX models of a few bytes, written without the library that usually does: a table of rows, one for each token."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from pathlib import Path

INT32, INT64, FLOAT = 6, 7, 1


def model(
    table: Sequence[Sequence[float]],
    *,
    inputs: Mapping[str, int] | None = None,
    output: str = "last_hidden_state",
    positions: Sequence[Sequence[float]] = (),
    pooled: bool = False,
    width: int = 0,
) -> bytes:
    """A model whose answer for a token is its row of the table, and the row of its position where there are any."""
    inputs = inputs or {"input_ids": INT64, "attention_mask": INT64}
    nodes = [_node("Gather", ["table", "input_ids"], "found")]
    weights = [_tensor("table", table)]
    last = "found"
    if positions:
        weights.append(_tensor("positions", positions))
        nodes += [
            _node("Gather", ["positions", "position_ids"], "placed"),
            _node("Add", [last, "placed"], "sum"),
        ]
        last = "sum"
    if pooled:
        axes = _bytes(5, _bytes(1, b"axes") + _number(8, 1) + _number(20, 7))
        keep = _bytes(5, _bytes(1, b"keepdims") + _number(3, 0) + _number(20, 2))
        nodes.append(_node("ReduceMean", [last], "mean", axes + keep))
        last = "mean"
    nodes.append(_node("Identity", [last], output))
    graph = b"".join(_bytes(1, node) for node in nodes) + _bytes(2, b"tiny")
    graph += b"".join(_bytes(5, weight) for weight in weights)
    graph += b"".join(_bytes(11, _value(name, kind, 2, width)) for name, kind in inputs.items())
    graph += _bytes(12, _value(output, FLOAT, 2 if pooled else 3, 0))
    return _number(1, 8) + _bytes(7, graph) + _bytes(8, _bytes(1, b"") + _number(2, 13))


def words(path: Path, vocabulary: Mapping[str, int]) -> None:
    """A tokenizer.json of these words, as BERT's are."""
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

    tokenizer = Tokenizer(models.WordPiece(dict(vocabulary), unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        special_tokens=[(token, vocabulary[token]) for token in ("[CLS]", "[SEP]")],
    )
    tokenizer.save(str(path))


def _node(kind: str, given: Sequence[str], made: str, attributes: bytes = b"") -> bytes:
    return (
        b"".join(_bytes(1, name.encode()) for name in given)
        + _bytes(2, made.encode())
        + _bytes(4, kind.encode())
        + attributes
    )


def _tensor(name: str, rows: Sequence[Sequence[float]]) -> bytes:
    raw = b"".join(struct.pack(f"<{len(row)}f", *row) for row in rows)
    return (
        _number(1, len(rows)) + _number(1, len(rows[0])) + _number(2, FLOAT) + _bytes(8, name.encode()) + _bytes(9, raw)
    )


def _value(name: str, kind: int, rank: int, width: int) -> bytes:
    dims = [_bytes(2, f"{name}{axis}".encode()) for axis in range(rank)]
    if width:
        dims[1] = _number(1, width)
    shape = b"".join(_bytes(1, dim) for dim in dims)
    return _bytes(1, name.encode()) + _bytes(2, _bytes(1, _number(1, kind) + _bytes(2, shape)))


def _bytes(field: int, value: bytes) -> bytes:
    return _varint(field << 3 | 2) + _varint(len(value)) + value


def _number(field: int, value: int) -> bytes:
    return _varint(field << 3) + _varint(value)


def _varint(value: int) -> bytes:
    made = bytearray()
    while value > 127:
        made.append(value & 127 | 128)
        value >>= 7
    return bytes([*made, value])
