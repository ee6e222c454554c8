"""Appendix B.1: Action-Select returns the action whose interval holds the key, by induction over
the tree.

For a sub-tree whose first action is preceded by the sum s, the key is x_0 - s, where x_0 is the key
at the root. Its root has the aggregate g, the sum over its left sub-tree, the value w = e^θ, and t
is the sum over its right sub-tree.
"""

from __future__ import annotations

from sympy import Integer, exp, symbols

from altpg_verify.theory.proving.certificates import Signs
from altpg_verify.theory.proving.notation import a, equation, j, softmax, theta, total
from altpg_verify.theory.proving.proof import Proof, derivation

TREES = "every sampling tree with correct aggregates, of every shape and size, every preferences"
before, end, aggregate, value, right, key, here, u, y = symbols("s z g w t x_0 x_z u y")


@derivation(
    "action-select-interval",
    "action-select-base-case",
    "action-select-left-case",
    "action-select-root-case",
    "action-select-right-case",
)
def interval() -> Proof:
    """s + g <= x < s + g + w at the node that is returned.

    Lemma tree_sampling_mid, line 599, and the cases of its induction, lines 602 to 606. Intervals
    are closed below and open above, so that each key belongs to exactly one action.
    """
    proof = Proof(
        "the action that is returned has Σ_{i<k} e^θ_i <= x < Σ_{i<=k} e^θ_i",
        TREES,
        Signs(positive=(value, y), nonnegative=(u,)),
        given=[here - key + before],
    )
    proof.note(
        "Let x_0 be the key at the root, and at a node s the sum over all actions before its"
        " sub-tree. The call has the key",
        equation(here, key - before),
    )
    proof.note(
        "and 0 <= x_z < g + w + t; at the root s = 0, and that is assumed. With gaps u >= 0 and y"
        " > 0:"
    )
    proof.note(
        "First condition: 0 <= x_z < g. The left sub-tree has the same s and the sum g, so the call"
        " has what it needs."
    )
    proof.note(
        "Second condition: x_z = g + u and x_z + y = g + w. The action has the interval from s + g,"
        " the sum before it, to s + g + w."
    )
    second = [here - aggregate - u]
    proof.at_least("The key is not below it", key, before + aggregate, u, given=second)
    proof.greater(
        "and below its end.",
        before + aggregate + value,
        key,
        y,
        given=[here + y - aggregate - value],
    )
    proof.note(
        "Else x_z = g + w + u, and x_z + y = g + w + t. The right sub-tree is preceded by s + g + w"
        " and has the sum t."
    )
    new = here - aggregate - value
    proof.equal("The new key is x less that sum,", new, key - (before + aggregate + value))
    proof.at_least("it is not negative", new, 0, u, given=[here - aggregate - value - u])
    proof.greater("and below t.", right, new, y, given=[here + y - aggregate - value - right])
    single = {aggregate: Integer(0), right: Integer(0)}
    text = (
        "In a tree of one node g = t = 0, so a key below the sum meets the second condition: it is"
        " below g + w,"
    )
    proof.greater(
        text, aggregate + value, here, y, given=[here + y - aggregate - value - right], where=single
    )
    proof.at_least("and not below g.", here, aggregate, u, given=[here - u], where=single)
    proof.note("An empty sub-tree has the sum zero, which no key is below, so it is never entered.")
    proof.note(
        "From l + 1 nodes a call goes to r - 1 or to l + 1 - r nodes, at most l, and one of the"
        " conditions holds at each node:"
    )
    return proof.note("after finitely many calls the second one does.")


@derivation("tree-sampling-is-softmax")
def sampling_is_softmax() -> Proof:
    """The interval's length over the whole is e^θ_a/Σ e^θ.

    Appendix B.1, line 610: inverse-transform sampling on cumulative sums in the order of the tree.
    """
    proof = Proof(
        "each action is returned with its softmax probability", TREES + "; x uniform on [0, Σ e^θ)"
    ).include(interval.proof())
    proof.note(
        "Exactly the keys of the interval from s to s + e^θ_a return a: the intervals of the"
        " actions don't overlap."
    )
    whole = total(exp(theta[j]), j)
    text = (
        "The probability is the length of the interval from s to its end z over that of all keys."
    )
    return proof.equal(
        text, (end - before) / whole, softmax(a), given=[end - before - exp(theta[a])]
    )


@derivation("tree-building-with-copied-lists")
def copied_lists() -> Proof:
    """C(2 n + 1) = 4 n + 2 C(n) for n = 2^m - 1 actions.

    Beyond line 511: copying sub-lists, as the printed slices do, makes building cost n log n, where
    passing ranges of indices costs n.
    """
    size, depth = symbols("T m")
    proof = Proof(
        "copying the sub-lists of both lists takes 2 (m - 2) 2^m + 4 entries",
        "n = 2^m - 1 actions, every m >= 1",
    )
    proof.note("Let T = 2^m. One action copies nothing, and with m = 1 the formula says so.")
    formula = 2 * (depth - 2) * size + 4
    proof.equal("For T = 2:", formula, 0, given=[depth - 1, size - 2])
    proof.note(
        "2 T - 1 actions have a head, and T - 1 actions on either side: both lists are copied but"
        " for the head, 4 (T - 1) entries,"
    )
    # two lists, 2 (T - 1) entries each, then both halves
    step = 4 * (size - 1) + 2 * formula
    return proof.equal("and both halves are built. So", step, 2 * (depth + 1 - 2) * (2 * size) + 4)
