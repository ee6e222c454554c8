"""Section 4: the bandit experiments of the main text."""

from __future__ import annotations

from functools import partial

from altpg_verify.ledger import Claim
from altpg_verify.theory.empirical import above, larger, read_as

_main = partial(
    Claim, section="4 Bandit experiments", kind="empirical", required_evidence=("simulation",)
)
_PROTOCOL = (
    "mean of $r_pi$ over the last 50 of 1000 steps, 150 runs, $alpha in {2^(-6), ..., 2^1}$, $beta"
    " in {2^(-4), ..., 2^0}$, each estimator at its best stepsizes"
)
R001 = (
    "$bold(r) = [0 space 0 space 1]^top$, noise 1, learned baseline started at 0, starts: uniform,"
    " $bold(theta) = (0, 0, 0)$, or saturated, $(10, 0, 0)$; " + _PROTOCOL
)
QUIET = (
    "$bold(r) = [0 space 0 space 1]^top$, noise 0, starts: uniform, $bold(theta) = (0, 0, 0)$, or"
    " saturated, $(10, 0, 0)$; " + _PROTOCOL
)
R123 = "$bold(r) = [1 space 2 space 3]^top$, noise 1, learned baseline started at $b$; " + _PROTOCOL

BANDIT_MAIN = (
    _main(
        "bandit-competitive-uniform",
        205,
        statement=(
            "The alternate estimator performs competitively with the regular estimator for uniform"
            " policy initialization."
        ),
        given=(
            R001,
            read_as(
                "alternate, and alternate less regular, uniform start, true and learned baseline",
                "the first is above 0.433, the uniform policy's and a tenth, the second above"
                " -0.05",
            ),
        ),
    ),
    _main(
        "bandit-superior-saturated",
        205,
        statement="It clearly outperforms it in the case of a saturated policy initialization.",
        given=(R001, larger("alternate", "regular, saturated start", 0.1)),
    ),
    _main(
        "bandit-saturated-alternate-learns",
        215,
        statement=(
            "For saturated policy initialization, the alternate estimators (both $r_pi$ and a"
            " learned $b$) learned good behaviors."
        ),
        label="fig: bandit_learning_curve",
        given=(R001, above("the worse of both alternate estimators, saturated start", 0.5)),
    ),
    _main(
        "bandit-saturated-others-fail",
        215,
        statement="The expected gradient and the regular estimators failed to learn anything.",
        given=(
            R001,
            read_as(
                "the three, and both alternate estimators in the same place, saturated start",
                "the first are below 0.05, and the others above 0.5",
            ),
        ),
    ),
    _main(
        "bandit-learned-baseline-faster",
        215,
        statement="Alternate with a learned baseline converged faster than alternate with $r_pi$.",
        given=(
            R001,
            larger(
                "mean of $r_pi$ over all 1000 steps, learned baseline",
                "true $r_pi$, saturated start",
            ),
        ),
    ),
    _main(
        "no-noise-uniform-similar",
        219,
        statement=(
            "Without reward noise, for uniform initialization, all the methods had a similar"
            " performance."
        ),
        given=(
            QUIET,
            read_as(
                "the five, uniform start",
                "any two differ by less than 0.05, and all are above 0.433, the uniform policy's"
                " and a tenth",
            ),
        ),
    ),
    _main(
        "no-noise-saturated-none-learns",
        219,
        statement=(
            "Without reward noise, for the saturated initializations, none of the methods were able"
            " to learn a good policy."
        ),
        given=(
            QUIET,
            read_as(
                "each of the five, from the saturated start, and from the uniform one",
                "the first is below 0.1, and the second above 0.433, the uniform policy's and a"
                " tenth",
            ),
        ),
    ),
    _main(
        "reward-noise-helps-alternate",
        219,
        statement=(
            "Reward noise helps the alternate estimator to escape the sub-optimal regions in the"
            " policy space."
        ),
        given=(
            R001,
            larger(
                "alternate with noise", "alternate without noise, saturated start, true $r_pi$", 0.1
            ),
        ),
        depends_on=("alternate-escapes-by-noise",),
    ),
    _main(
        "optimism-helps-alternate",
        221,
        statement=(
            "Optimistic initialization greatly helped the alternate estimator in escaping the"
            " saturated policy."
        ),
        given=(
            R123,
            larger("alternate with $b = +4$", "alternate with $b = 0$, start $(10, 0, 0)$", 0.5),
        ),
    ),
    _main(
        "pessimism-hurts-alternate",
        221,
        statement=(
            "A pessimistic initialization significantly hampered the performance of the alternate"
            " estimator, making it worse than the regular estimator even for the uniform policy"
            " case."
        ),
        given=(
            R123,
            read_as(
                "means over all stepsizes, uniform start: alternate from 0 less from -4, and"
                " regular less alternate from -4",
                "the first is above 0.2, the second above 0",
            ),
        ),
    ),
    _main(
        "baseline-start-matters-less-to-regular",
        221,
        statement=(
            "In contrast, the baseline initialization affected the regular estimator in a milder"
            " way."
        ),
        given=(
            R123,
            larger(
                "the range of the alternate estimator over $b = -4, 0, +4$",
                "that of the regular one, uniform and saturated starts",
            ),
        ),
    ),
)
