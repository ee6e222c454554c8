"""Appendix G: neural policies on DotReacher."""

from __future__ import annotations

from functools import partial

from altpg_verify.ledger import Claim
from altpg_verify.theory.empirical import larger, read_as

_details = partial(Claim, section="G.1 Details about experiments with neural networks")


_switched = partial(
    Claim,
    section="G.2 Non-stationary DotReacher",
    kind="empirical",
    required_evidence=("simulation",),
)


_saturated = partial(
    Claim,
    section="G.3 Experiments with saturated neural policies on DotReacher",
    kind="empirical",
    required_evidence=("simulation",),
)


_DOTREACHER = (
    "DotReacher, online actor-critic with two networks, Adam, 50 runs; mean return over the last"
    " 2000 of 100 000 steps"
)


NEURAL_PROTOCOL = (
    "DotReacher, 50 000 steps, 50 runs; no-movement preference 0 to the highest, critic from 0,"
    " +25, -25; last 5000 steps"
)


NEURAL = (
    _details(
        "dotreacher-nine-actions",
        1507,
        statement=(
            "The agent has 9 different actions: eight corresponding to eight different directions"
            " and one for no movement."
        ),
        kind="number",
        required_evidence=("enumeration",),
    ),
    _switched(
        "dotreacher-alternate-competitive",
        1512,
        statement=(
            "The alternate estimator is still competitive or superior than the regular estimator."
        ),
        label="fig: neural_nonstationary_dotreacher_stepsize_sensitivity",
        given=(
            _DOTREACHER,
            read_as(
                "both at the stepsizes best at the end",
                "alternate is above -7.6, an agent's that never learns and a tenth of the range,"
                " and at most 0.5 below regular",
            ),
        ),
    ),
    _switched(
        "dotreacher-difference-less-pronounced",
        1512,
        statement=(
            "On DotReacher the difference is less pronounced than on the non-stationary Acrobot and"
            " MountainCar."
        ),
        given=(
            _DOTREACHER,
            read_as(
                "alternate less regular at the end, as a part of the range of returns, 10 and 1000:"
                " on each of both tasks, less that on DotReacher, for both sets of stepsizes",
                "all are above 0",
            ),
        ),
    ),
    _saturated(
        "neural-alternate-superior",
        1522,
        statement=(
            "The alternate estimator had a superior performance and exhibited less sensitivity to"
            " the stepsize $alpha$ as compared to the regular estimator."
        ),
        given=(
            NEURAL_PROTOCOL,
            larger(
                "mean over $alpha$ and $beta$, alternate",
                "regular, critic from 0, each saturated start",
            ),
        ),
    ),
    _saturated(
        "neural-low-saturation-regular-as-good",
        1522,
        statement=(
            "For lower amounts of policy saturation (preference 5 or 10), the regular estimator"
            " could learn policies almost as good as the alternate estimator."
        ),
        given=(
            NEURAL_PROTOCOL,
            read_as(
                "both at their best stepsizes, critic from 0",
                "alternate is above -1, the paper's good, and regular at most 0.5 below it",
            ),
        ),
    ),
    _saturated(
        "neural-high-saturation-alternate-only",
        1522,
        statement=(
            "For the highest saturation case, only the alternate estimator was able to escape the"
            " saturation and obtain high returns."
        ),
        given=(
            NEURAL_PROTOCOL,
            read_as(
                "both at their best stepsizes from the highest saturation, 20 in the authors' code:"
                " the mean over runs, and the median",
                "alternate is above -1 and regular below -2 by both; undecided if the readings"
                " differ",
            ),
        ),
    ),
    _saturated(
        "dotreacher-critic-starts",
        1522,
        statement=(
            "For this problem, $b = 0$ and $b = +25$ are optimistic, and $b = -25$ is pessimistic."
        ),
        kind="number",
        given=(
            (
                "reward $-0.01$ a step, episodes cut at 1000 steps, no discount: every return lies"
                " between $-10$ and 0"
            ),
        ),
        required_evidence=("enumeration",),
    ),
    _saturated(
        "neural-optimism-helps",
        1522,
        statement=(
            "An optimistic baseline initialization helped the alternate estimator achieve a good"
            " performance."
        ),
        given=(
            NEURAL_PROTOCOL,
            read_as(
                "alternate from 0 and from +25: at the best stepsizes from the highest saturation,"
                " mean and median over runs; and the mean over all stepsizes and saturations",
                "the first two are above -1, the third above that from -25; undecided if the"
                " readings differ",
            ),
        ),
    ),
    _saturated(
        "neural-pessimism-worse-than-regular",
        1522,
        statement=(
            "The pessimistic baseline initialization made the alternate estimator even worse than"
            " the regular estimator (except in the case of super high policy saturation)."
        ),
        given=(
            NEURAL_PROTOCOL,
            read_as(
                "regular less alternate, critic from -25, all but the highest saturation: the mean"
                " over all stepsizes, and at the best",
                "both are above 0; undecided if the readings differ",
            ),
        ),
    ),
    _saturated(
        "neural-alternate-better-for-almost-all",
        1527,
        statement=(
            "For almost all the settings, the alternate estimator performed better in recovering"
            " from saturated policies."
        ),
        label="fig: neural_dotreacher_stepsize_sensitivity",
        given=(
            NEURAL_PROTOCOL,
            read_as(
                "share of the saturated settings in which alternate is better, mean over all"
                " stepsizes",
                "it is above 4/5",
            ),
        ),
    ),
)
