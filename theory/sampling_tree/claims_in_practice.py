"""Beyond appendix B.1: the sampling tree in double precision, and the one of blocks that this
package offers.
"""

from __future__ import annotations

from functools import partial

from altpg_verify.ledger import Claim

_claim = partial(
    Claim,
    section="B.1 Per-timestep computational complexity",
    required_evidence=("execution",),
    extension=True,
)
_BLOCKS = (
    "the tree of blocks: eight sums a block, every block with a power of two of its own as the"
    " unit, sums added up anew after each update, always in the same order; $u = 2^(-53)$, $L$"
    " levels"
)

IN_PRACTICE = (
    _claim(
        "tree-in-doubles-goes-wrong",
        625,
        statement=(
            "In double precision the tree, also when corrected, samples another policy before long:"
            " with $bold(r) = (1, 2, 3)$ and the fixed baseline $b = 4$ its probabilities are more"
            " than 1 % off, in total variation, after at most $50 / (alpha K)$ steps, $K = (sum_a 1"
            " / (b - r(a)))^(-1) = 6 / 11$."
        ),
        kind="number",
        given=(
            "the alternate estimator, from the uniform policy, $alpha = 1 / 4, 1 / 2, 1, 2$",
            (
                "why: every preference falls by $alpha K$ a step on average, and with it the sum,"
                " while the rounding errors of the differences added to the aggregates stay as"
                " large as when the sum was largest"
            ),
        ),
        depends_on=("fix-upstream-difference-corrected",),
    ),
    _claim(
        "block-tree-visits",
        625,
        statement=(
            "A search and an update in the tree of blocks visit $ceil(log_8 abs(cal(A))) <="
            " ceil(log_2 (abs(cal(A)) + 1))$ blocks each."
        ),
        kind="complexity",
        given=(
            _BLOCKS,
            (
                "$abs(cal(A)) >= 2$; an update that moves a sum out of $(2^(-200), 2^200)$ also"
                " looks at the children of its blocks"
            ),
        ),
    ),
    _claim(
        "block-tree-no-drift",
        625,
        statement=(
            "After any number of updates the tree of blocks gives the same probabilities, to the"
            " last bit, as one that is built from the present preferences."
        ),
        kind="algorithm",
        given=(_BLOCKS,),
    ),
    _claim(
        "block-tree-every-key",
        625,
        statement=(
            "In the tree of blocks the keys that select an action are an interval, whose ends"
            " differ from the cumulative probabilities by at most $(16 L + 8) u$."
        ),
        kind="inequality",
        given=(
            _BLOCKS,
            (
                "preferences up to $2^30$ in size, however far apart; keys are the multiples of $u$"
                " in $[0, 1)$, one key allowed for"
            ),
        ),
    ),
)
