"""Fits the weights of `memtui/language/classify.py`: linear models by L-BFGS in numpy, a forest, a ranking."""

from __future__ import annotations

import json
import zlib
from array import array
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from scipy.optimize import minimize
from scipy.sparse import csr_matrix
from sklearn.ensemble import HistGradientBoostingClassifier

from memtui.language.classify import DEPTH

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

ROUNDS = 50
"""So many trees has each head."""
_REMEMBERED = 6
"""So many steps the curvature is taken from."""


class Fitted(NamedTuple):
    names: list[str]
    weights: Any
    """heads × features"""
    bias: Any


def make_matrix(rows: Sequence[Sequence[str]], places: Mapping[str, int]) -> Any:
    """One row a sentence, a 1 for each of its features that have a place."""
    indices: list[int] = []
    ends = [0]
    for features in rows:
        indices += sorted({places[one] for one in features if one in places})
        ends.append(len(indices))
    return csr_matrix(
        (np.ones(len(indices), np.float32), np.array(indices, np.int32), np.array(ends, np.int32)),
        shape=(len(rows), len(places)),
    )


def fit_one_of(matrix: Any, truth: Any, c: float, own: Any) -> tuple[Any, Any]:
    """Weights (features × heads) and biases of a model in which the heads share each row; `own` weighs the rows.

    `truth` is rows × heads, each row's sum 1.
    """
    truth = truth.astype(np.float32)
    own = own[:, None].astype(np.float32)

    def lose(scores: Any) -> tuple[float, Any]:
        scores = scores - scores.max(axis=1, keepdims=True)
        powers = np.exp(scores)
        whole = powers.sum(axis=1, keepdims=True)
        loss = -float((own * truth * (scores - np.log(whole))).sum())
        return loss, (powers / whole - truth) * own

    return _descend(matrix, truth.shape[1], c, lose)


def fit_each(matrix: Any, truth: Any, c: float, own: Any) -> tuple[Any, Any]:
    """The same of a model in which each head is right or wrong by itself; `truth` is rows × heads."""
    truth = truth.astype(np.float32)
    own = own[:, None].astype(np.float32)

    def lose(scores: Any) -> tuple[float, Any]:
        loss = float((own * (np.logaddexp(0, scores) - truth * scores)).sum())
        return loss, (1 / (1 + np.exp(-scores)) - truth) * own

    return _descend(matrix, truth.shape[1], c, lose)


def _descend(
    matrix: Any, heads: int, c: float, lose: Callable[[Any], tuple[float, Any]], most: int = 120
) -> tuple[Any, Any]:
    turned = matrix.T.tocsr()
    width = matrix.shape[1]

    def ask(at: Any) -> tuple[float, Any]:
        weights, bias = at[:-heads].reshape(width, heads), at[-heads:]
        loss, wrong = lose(matrix @ weights + bias)
        slope = np.concatenate([((turned @ wrong) * c + weights).ravel(), c * wrong.sum(axis=0)])
        return c * loss + 0.5 * float(at[:-heads] @ at[:-heads]), slope

    at = np.zeros(width * heads + heads, np.float32)
    value, slope = ask(at)
    past: list[tuple[Any, Any, float]] = []
    for _ in range(most):
        way, shares = slope.copy(), []
        for moved, turn, share in reversed(past):
            shares.append(share * float(moved @ way))
            way -= shares[-1] * turn
        if past:
            way *= float(past[-1][0] @ past[-1][1]) / float(past[-1][1] @ past[-1][1])
        else:
            way /= float(np.linalg.norm(slope)) or 1.0
        for (moved, turn, share), back in zip(past, reversed(shares), strict=True):
            way += moved * (back - share * float(turn @ way))
        step, down = 1.0, float(slope @ way)
        while True:
            there, there_slope = ask(at - step * way)
            if there <= value - 1e-4 * step * down or step < 1e-4:
                break
            step /= 2
        moved, turn = -step * way, there_slope - slope
        if (bend := float(moved @ turn)) > 1e-10:
            past = [*past[-_REMEMBERED + 1 :], (moved, turn, 1 / bend)]
        gained = (value - there) / max(1.0, abs(value))
        at, value, slope = at - step * way, there, there_slope
        if gained < 5e-5:
            break
    return at[:-heads].reshape(width, heads), at[-heads:]


Group = list[tuple[dict[str, float], bool]]
"""Things to choose from, by their features, each right or wrong."""


def fit_best(groups: Sequence[Group], c: float = 1.0) -> dict[str, float]:
    """Weights by which a right one of each group comes first."""
    names = sorted({name for group in groups for features, _right in group for name in features})
    rows = [np.array([[one.get(name, 0.0) for name in names] for one, _right in group]) for group in groups]
    truths = [np.array([float(right) for _features, right in group]) for group in groups]

    def lose(at: Any) -> tuple[float, Any]:
        loss, slope = 0.5 * float(at @ at) / c, at / c
        for row, truth in zip(rows, truths, strict=True):
            scores = row @ at
            powers = np.exp(scores - scores.max())
            powers /= powers.sum()
            right = float((powers * truth).sum()) + 1e-12
            loss -= float(np.log(right))
            slope = slope - row.T @ (powers * truth / right - powers)
        return loss, slope

    found = minimize(lose, np.zeros(len(names)), jac=True, method="L-BFGS-B").x
    return {name: round(float(value), 3) for name, value in zip(names, found, strict=True)}


def fit_forest(rows: Any, wanted: Any, heads: int, own: Any) -> tuple[bytes, list[float]]:
    """The trees of the second look, as `around.Forest` reads them, and what each head begins with."""
    model = HistGradientBoostingClassifier(
        max_iter=ROUNDS,
        learning_rate=0.1,
        max_depth=DEPTH,
        l2_regularization=5,
        min_samples_leaf=20,
        random_state=0,
    ).fit(rows, wanted, sample_weight=own)
    assert len(model.classes_) == heads
    trees = [_pack_tree(tree.nodes) for round_ in model._predictors for tree in round_]
    return b"".join(trees), [round(float(one), 4) for one in model._baseline_prediction.ravel()]


def _pack_tree(nodes: Any) -> bytes:
    """A tree that is whole to its depth; where it ended before, both ways say the same."""
    places, bounds, leaves = bytearray(2**DEPTH - 1), bytearray(2**DEPTH - 1), array("h", [0] * 2**DEPTH)

    def put(at: int, node: Any) -> None:
        if at >= len(places):
            leaves[at - len(places)] = round(max(-32.0, min(32.0, float(node["value"]))) * 1000)
            return
        if not node["is_leaf"]:
            places[at] = int(node["feature_idx"])
            bounds[at] = int(max(0, min(255, np.floor(node["num_threshold"]))))
        for side, child in enumerate(("left", "right")):
            put(2 * at + 1 + side, node if node["is_leaf"] else nodes[node[child]])

    put(0, nodes[0])
    return bytes(places) + bytes(bounds) + leaves.tobytes()


def pack(fitted: Fitted, more: Mapping[str, object], forest: bytes = b"") -> bytes:
    """As `classify.Model` reads it."""
    scales = np.maximum(np.abs(fitted.weights).max(axis=1), 1e-6) / 127
    whole = np.clip(np.round(fitted.weights / scales[:, None]), -127, 127).astype(int) + 128
    head = json.dumps(
        {
            "scales": [round(float(one), 7) for one in scales],
            "bias": [round(float(one), 4) for one in fitted.bias],
            "features": "\n".join(fitted.names),
            **more,
        },
        ensure_ascii=False,
    ).encode()
    body = b"".join(bytes(column) for column in whole.T.tolist())
    return zlib.compress(len(head).to_bytes(4, "little") + head + body + forest, 9)
