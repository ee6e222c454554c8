"""What a formula can become when it is multiplied out is told from its tree: never too little, and
enough for what the paper needs.
"""

from __future__ import annotations

import pytest

from altpg_verify.theory.proving import kernel
from altpg_verify.theory.proving.expansion_bound import _Sizes, is_too_much

LETTERS = ["+", "a", "b", "c"]
SUMS = ["*", *(["sum", "c", ["^", "x[c]", power]] for power in range(1, 9))]


def slope(body, times=1):
    for _ in range(times):
        body = ["D", "x[a]", body]
    return body


@pytest.mark.parametrize(
    "tree",
    [
        ["^", LETTERS, 4],
        ["*", LETTERS, ["+", "d", 1]],
        slope(["*", "x[a]", ["sum", "c", "x[c]"]]),
        slope(SUMS),
        slope(SUMS, 3),
        slope(["*", "x[a]", ["^", ["+", "x[a]", ["sum", "c", "x[c]"]], -1]]),
    ],
)
def test_a_formula_has_no_more_terms_than_it_is_told_to_have(tree):
    empty = dict.fromkeys(("given", "constant", "nonzero", "nonnegative"), ())
    check = kernel._Check(left=tree, relation="=", right=0, witness=0, positive=("x", "k"), **empty)
    assert 1 < len(check.value(tree, ())) <= _Sizes().terms(tree, 1)
    assert not is_too_much([tree])


@pytest.mark.parametrize(
    "tree",
    [
        ["^", ["^", LETTERS, 9], 9],
        # the base of a power of 0 is multiplied out all the same
        ["^", ["^", ["+", *"abcdefghij"], 12], 0],
        # each derivative has a term for each factor
        slope(SUMS, 8),
        # and what is divided by comes once more
        slope(["^", LETTERS, -2], 9),
    ],
)
def test_a_few_characters_that_ask_for_too_much(tree):
    assert is_too_much([tree])
