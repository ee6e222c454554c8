"""The kernel accepts what is true and shown, and nothing else."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

from altpg_verify.theory.proving import chain_check, exponential_check, kernel

SUM_OF_X = ["sum", "j", "x[j]"]
ONE_MORE = ["+", 1, ["^", "s", 2]]
"""Several terms, manifestly positive."""

DIFFERENCE = ["+", "x[a]", ["*", -1, "x[c]"]]
"""Of any sign."""


def softmax(action: str) -> list:
    return ["*", f"x[{action}]", ["^", SUM_OF_X, -1]]


def certificate(left, right, relation="=", witness=0, given=(), **assumed):
    fields = {"positive": ["x"], "nonnegative": [], "nonzero": [], "constant": [], **assumed}
    return {
        "says": "",
        "left": left,
        "relation": relation,
        "right": right,
        "witness": witness,
        "given": list(given),
        **fields,
    }


def zero(tree, cofactor, each=""):
    return {"zero": tree, "cofactor": cofactor, "each": each}


TRUE = {
    "numbers": certificate(["+", 1, ["^", 2, -1]], ["*", 3, ["^", 2, -1]]),
    "square": certificate(
        ["^", ["+", "s", "t"], 2], ["+", ["^", "s", 2], ["*", 2, "s", "t"], ["^", "t", 2]]
    ),
    "probabilities sum to one": certificate(["sum", "c", softmax("c")], 1),
    "the number of actions": certificate(["sum", "c", 1], "k"),
    "a sum is linear": certificate(
        ["sum", "c", ["*", "t", "r[c]"]], ["*", "t", ["sum", "i", "r[i]"]]
    ),
    "the index is only a name": certificate(
        ["sum", "c", ["^", "r[c]", 2]], ["sum", "j", ["^", "r[j]", 2]]
    ),
    "a double sum": certificate(
        ["sum", "i", ["sum", "j", ["*", "r[i]", "s[j]"]]],
        ["*", ["sum", "i", "r[i]"], ["sum", "i", "s[i]"]],
    ),
    "slope of a preference": certificate(["D", "x[a]", "x[a]"], "x[a]"),
    "other preferences don't move": certificate(["D", "x[a]", "x[c]"], 0),
    "slope of a sum": certificate(
        ["D", "x[a]", ["sum", "j", ["*", "r[j]", ["^", "x[j]", 2]]]],
        ["*", 2, "r[a]", ["^", "x[a]", 2]],
        constant=["r"],
    ),
    "softmax Jacobian": certificate(
        ["D", "x[c]", softmax("a")], ["*", -1, softmax("a"), softmax("c")]
    ),
    "second derivative": certificate(
        ["D", "x[c]", ["D", "x[a]", softmax("a")]], ["D", "x[a]", ["D", "x[c]", softmax("a")]]
    ),
    "a square is not negative": certificate(["^", "s", 2], 0, ">=", ["^", "s", 2]),
    "a square of something not zero": certificate(
        ["^", "s", 2], 0, ">", ["^", "s", 2], nonzero=["s"]
    ),
    "a sum of positives": certificate(SUM_OF_X, 0, ">", SUM_OF_X),
    "the other sign": certificate(0, ["*", -1, "x[a]"], ">", "x[a]"),
    "division by negatives": certificate(
        ["*", -2, ["^", ["*", -1, "x[a]"], -1]], ["*", 2, ["^", "x[a]", -1]]
    ),
    "division by several terms": certificate(
        ["+", ["^", ONE_MORE, -1], ["^", ["+", 1, "x[a]"], -1]],
        ["*", ["+", ONE_MORE, 1, "x[a]"], ["^", ONE_MORE, -1], ["^", ["+", 1, "x[a]"], -1]],
    ),
    "division by several terms, that divide": certificate(
        ["^", ["+", 1, ["^", ONE_MORE, -1]], -1], ["*", ONE_MORE, ["^", ["+", ONE_MORE, 1], -1]]
    ),
    "division by a division by several terms": certificate(
        ["^", ["^", ONE_MORE, -2], -1], ["^", ONE_MORE, 2]
    ),
    "division by several terms, in a sum of what else there is": certificate(
        ["sum", "c", ["*", "r[c]", ["^", ONE_MORE, -1]]],
        ["*", ["sum", "c", "r[c]"], ["^", ONE_MORE, -1]],
    ),
    "slope of a division by several terms": certificate(
        ["D", "x[a]", ["^", ["+", 1, SUM_OF_X], -2]],
        ["*", -2, "x[a]", ["^", ["+", 1, SUM_OF_X], -3]],
    ),
    "a square of a product of what isn't zero": certificate(
        ["^", ["*", "s", "t"], 2], 0, ">", ["^", ["*", "s", "t"], 2], nonzero=["s", "t"]
    ),
    "a sum with one positive term": certificate(["^", ONE_MORE, -1], 0, ">", ["^", ONE_MORE, -1]),
    "a power of zero is one": certificate(["^", "s", 0], 1),
    "division in a sum by one term with its index": certificate(
        ["sum", "c", ["*", "x[c]", ["^", "x[c]", -1]]], "k"
    ),
    "the number of actions doesn't move": certificate(
        ["D", "x[a]", ["*", ["sum", "c", 1], "x[a]"]], ["*", "k", "x[a]"]
    ),
    "what is equal is at least": certificate(1, 1, ">="),
    "a product of what may be zero": certificate(
        ["*", "s", "t"], 0, ">=", ["*", "s", "t"], nonnegative=["s", "t"]
    ),
    "a square of a difference": certificate(["^", DIFFERENCE, 2], 0, ">=", ["^", DIFFERENCE, 2]),
    "an assumption": certificate("s", "t", given=[zero(["+", "s", ["*", -1, "t"]], 1)]),
    "an assumption on all actions": certificate(
        ["sum", "c", "r[c]"], ["*", "k", "t"], given=[zero(["+", "r[j]", ["*", -1, "t"]], 1, "j")]
    ),
}

FALSE = {
    "a wrong number": certificate(["+", 1, ["^", 2, -1]], ["*", 5, ["^", 2, -1]]),
    "a wrong sign": certificate(["D", "x[c]", softmax("a")], ["*", softmax("a"), softmax("c")]),
    "the product of sums isn't the sum of products": certificate(
        ["sum", "i", ["*", "r[i]", "s[i]"]], ["*", ["sum", "i", "r[i]"], ["sum", "i", "s[i]"]]
    ),
    "the dropped quotient rule": certificate(["D", "x[c]", softmax("a")], 0),
    "one is not the number of actions": certificate(["sum", "c", 1], 1),
    "no witness": certificate("x[a]", 0, ">"),
    "a witness of unknown sign": certificate("s", 0, ">=", "s"),
    "a square may be zero": certificate(["^", "s", 2], 0, ">", ["^", "s", 2]),
    "nonnegative is not positive": certificate("s", 0, ">", "s", nonnegative=["s"]),
    "a difference of positives": certificate(
        ["+", "x[a]", ["*", -1, "x[c]"]], 0, ">", ["+", "x[a]", ["*", -1, "x[c]"]]
    ),
    "a difference of positives may be negative": certificate(DIFFERENCE, 0, ">=", DIFFERENCE),
    "zero is not positive": certificate(1, 1, ">"),
    "a witness for an equality": certificate(["^", "s", 2], 0, "=", ["^", "s", 2]),
    "division by what may be zero": certificate(["*", "s", ["^", "s", -1]], 1),
    "division by a difference": certificate(
        ["*", ["+", "x[a]", -1], ["^", ["+", "x[a]", -1], -1]], 1
    ),
    "division in a sum by several terms with its index": certificate(
        ["sum", "c", ["^", ["+", 1, "x[c]"], -1]], ["*", "k", ["^", ["+", 1, "x[c]"], -1]]
    ),
    "division in two sums by several terms with an index of theirs": certificate(
        ["sum", "i", ["sum", "j", ["^", ["+", 1, "x[i]"], -1]]],
        ["*", "k", "k", ["^", ["+", 1, "x[i]"], -1]],
    ),
    "division by several terms, forgotten in a slope": certificate(
        ["D", "x[a]", ["^", ["+", 1, SUM_OF_X], -1]], 0
    ),
    "division by several terms, one of them not constant": certificate(
        ["D", "x[a]", ["^", ONE_MORE, -1]], 0
    ),
    "division by several terms, another power": certificate(
        ["^", ONE_MORE, -1], ["^", ONE_MORE, -2]
    ),
    "division by several terms that may cancel": certificate(
        ["*", ["+", "s", "t"], ["^", ["+", "s", "t"], -1]], 1, nonzero=["s", "t"]
    ),
    "division by a sum of what isn't zero": certificate(
        ["*", ["sum", "c", "r[c]"], ["^", ["sum", "c", "r[c]"], -1]], 1, nonzero=["r"]
    ),
    "division by zero": certificate(["*", 0, ["^", 0, -1]], 0),
    "a derivative of what isn't constant": certificate(["D", "x[a]", "pi[c]"], 0),
    "a derivative of what isn't constant, in a sum": certificate(
        ["D", "x[a]", ["sum", "c", "pi[c]"]], 0
    ),
    "a derivative inside a sum": certificate(["sum", "c", ["D", "x[a]", "x[c]"]], 0),
    "a derivative of an action's letter that isn't constant": certificate(["D", "x[a]", "k[a]"], 0),
    "a derivative of unknown sign": certificate(
        ["D", "x[c]", softmax("a")], 0, ">", ["D", "x[c]", softmax("a")], positive=["x", ""]
    ),
    "a derivative in half a name": certificate(["D", "x[a", "x[a]"], 0),
    "a derivative in something else": certificate(
        ["D", "b", ["*", "b", "b"]], ["*", 2, "b"], constant=["b"]
    ),
    "an index used twice": certificate(
        ["sum", "c", ["sum", "c", "r[c]"]], ["*", "k", ["sum", "c", "r[c]"]]
    ),
    "a sum with a part too many": certificate(
        ["*", -1, SUM_OF_X], 0, ">", ["sum", "c", ["*", -1, "x[c]"], -1]
    ),
    "a power with a part too many": certificate(["^", "s", 3], 0, ">=", ["^", "s", 2, 3]),
    "zero to the power zero is not zero": certificate(-1, 0, ">=", ["*", -1, ["^", 0, 0]]),
    "a name with two indices": certificate(["sum", "c", "P[a,c]"], ["*", "k", "P[a,c]"]),
    "a name with two brackets": certificate(["sum", "a", "P[a][c]"], ["*", "k", "P[a][c]"]),
    "a name like a summed one": certificate("r[.]", "r[.]"),
    "a cofactor that doesn't fit": certificate(
        "s", "t", given=[zero(["+", "s", ["*", -1, "t"]], 2)]
    ),
    "an assumption on one action used on all": certificate(
        ["sum", "c", "r[c]"], ["*", "k", "t"], given=[zero(["+", "r[j]", ["*", -1, "t"]], 1)]
    ),
    "an unknown relation": certificate(1, 2, "!="),
    "an unknown operation": certificate(["-", 1, 1], 0),
    "a fractional exponent": certificate(["^", "x[a]", 0.5], ["^", "x[a]", 0.5]),
    "a number that isn't exact": certificate(0.5, 0.5),
    "a truth value": certificate(True, 1),
    "an empty product": certificate(["*"], 1, ">", ["*"]),
    "a missing field": {"left": 1, "right": 1, "relation": "="},
    "no certificate": {},
}


@pytest.mark.parametrize("name", TRUE)
def test_accepts(name):
    assert kernel.holds(TRUE[name])


@pytest.mark.parametrize("name", FALSE)
def test_refuses(name):
    assert kernel.holds(FALSE[name]) is False


@pytest.mark.parametrize("module", [kernel, chain_check, exponential_check])
def test_checkers_import_the_standard_library_alone(module):
    tree = ast.parse(Path(module.__file__).read_text(encoding="utf-8"))
    imported = [
        alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.Import)
        for alias in node.names
    ]
    imported += [
        node.module
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.level == 0
    ]
    assert not [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.level]
    assert imported
    assert {name.partition(".")[0] for name in imported} <= sys.stdlib_module_names


def test_kernel_is_small():
    tree = ast.parse(Path(kernel.__file__).read_text(encoding="utf-8"))
    statements = [node for node in ast.walk(tree) if isinstance(node, ast.stmt)]
    documentation = [
        node
        for node in statements
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    ]
    assert len(statements) - len(documentation) <= 84
