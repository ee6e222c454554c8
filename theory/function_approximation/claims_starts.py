"""Appendices F.4 and F.5: saturated starts, and RealisticMountainCar."""

from __future__ import annotations

from functools import partial

from altpg_verify.ledger import Claim
from altpg_verify.theory.empirical import above, larger, read_as

_saturated = partial(
    Claim,
    section="F.4 Experiments with saturated linear softmax policies",
    kind="empirical",
    required_evidence=("simulation",),
)


_realistic = partial(
    Claim,
    section="F.5 Experiments on RealisticMountainCar",
    kind="empirical",
    required_evidence=("simulation",),
)


_STARTS = (
    "online actor-critic on Acrobot and MountainCar, 50 000 steps, 50 runs; do-nothing preference"
    " 0, 5, 10 or 100, critic from 0, +500, -500; mean return over the last 5000 steps, best"
    " stepsizes"
)


_REALISTIC = (
    "RealisticMountainCar, 100 000 steps, 50 runs, cut at 1000 steps, reward -1 a step; mean return"
    " over the last 5000 steps"
)


LINEAR_SATURATED = (
    _saturated(
        "linear-both-learn-from-uniform",
        1462,
        statement=(
            "Both the estimators were able to learn a good policy (a return of more than $-200$)."
        ),
        label="fig: linear_ac_mc_learning_curve",
        given=(
            _STARTS,
            above(
                "the worse of both, uniform start, critic from 0, on the worse of both tasks", -200
            ),
        ),
    ),
    _saturated(
        "linear-alternate-faster-from-uniform",
        1462,
        statement=(
            "Further, the alternate estimator learned faster as compared to the regular estimator."
        ),
        given=(
            _STARTS,
            larger(
                "mean return over all steps, alternate", "regular, uniform start, critic from 0"
            ),
        ),
    ),
    _saturated(
        "alternate-escapes-preference-100",
        1471,
        statement=(
            "The alternate estimator can effectively escape saturated policies, even with a high"
            ' policy saturation of $bold(theta)^"init" = [0 space 100 space 0]^top$.'
        ),
        label="fig: linear_ac_mc_stepsize_sensitivity",
        given=(_STARTS, above("alternate, do-nothing preference 100, critic from 0", -400)),
    ),
    _saturated(
        "alternate-superior-for-almost-all-starts",
        1480,
        statement=(
            "The alternate estimator had a lower parameter sensitivity and achieved a superior"
            " final performance for almost all the policy saturations and baseline initializations."
        ),
        given=(
            _STARTS,
            read_as(
                "share of the settings in which alternate is above regular, in the mean over all"
                " stepsizes and at the best",
                "both are above 4/5",
            ),
        ),
    ),
    _saturated(
        "regular-better-at-uniform-minus-500",
        1480,
        statement=(
            "Except for the (uniform policy and $b = -500$) case, where the regular estimator had a"
            " better performance."
        ),
        given=(
            _STARTS,
            read_as(
                "regular less alternate, uniform start, critic from -500, both tasks: the mean over"
                " all stepsizes, and at the best",
                "both are above 0; undecided if the readings differ",
            ),
        ),
    ),
    _saturated(
        "negative-start-hurts-alternate",
        1480,
        statement=(
            "As the baseline was initialized to more negative values, the performance of the"
            " alternate estimator became worse."
        ),
        given=(
            _STARTS,
            larger(
                "alternate, critic from 0",
                "alternate, critic from -500, mean over all stepsizes and policies, both tasks",
            ),
        ),
    ),
    _saturated(
        "regular-less-affected-by-critic-start",
        1480,
        statement="The baseline initialization affects the regular estimator much less.",
        given=(
            _STARTS,
            read_as(
                "range over the three critic starts, alternate less regular, mean over policies,"
                " both tasks: the mean over all stepsizes, and at the best",
                "all are above 50; undecided if the readings differ",
            ),
        ),
    ),
    _saturated(
        "linear-saturation-worsens-both",
        1480,
        statement=(
            "As the policy initialization became more saturated, the performance of both the"
            " methods worsened."
        ),
        given=(
            _STARTS,
            larger(
                "each from the uniform start",
                "the same from preference 100, mean over all stepsizes and critics, both tasks",
                50,
            ),
        ),
    ),
    _saturated(
        "alternate-poorer-at-small-critic-steps",
        1480,
        statement=(
            "The alternate estimator performed poorly for lower critic stepsizes than it did for"
            " higher critic stepsizes."
        ),
        given=(
            _STARTS,
            read_as(
                "the three larger $beta$ less the three smaller, mean over all $alpha$ and all"
                " starts, both tasks",
                "it is above 50 for alternate, and larger than for regular",
            ),
        ),
    ),
    _saturated(
        "saturated-return-below-minus-1000",
        1480,
        statement="A saturated policy gets a return of less than $-1000$.",
        kind="number",
        given=("return: as in the plots, of episodes cut after 1000 steps, reward -1 a step",),
        required_evidence=("enumeration",),
    ),
    _saturated(
        "saturated-return-is-minus-1000",
        1480,
        statement="A policy that doesn't reach the goal gets the return $-1000$.",
        kind="number",
        given=(
            (
                "episodes cut after 1000 steps, reward -1 a step; that saturated policies don't"
                " reach the goal is not shown here"
            ),
        ),
        required_evidence=("enumeration",),
        corrects="saturated-return-below-minus-1000",
        adds=(
            "equal in the place of less: no episode has more than 1000 steps; the value without the"
            " cut can be less"
        ),
    ),
    _saturated(
        "all-critic-starts-optimistic",
        1480,
        statement=(
            "The initializations ($0, +500$, and $-500$) are all effectively optimistic for a"
            " policy whose value is less than $-1000$."
        ),
        kind="number",
        given=(
            (
                "the value without the cut, towards which the critic bootstraps; that a saturated"
                " policy has such a value isn't shown here"
            ),
        ),
        required_evidence=("enumeration",),
    ),
)


REALISTIC = (
    _realistic(
        "realistic-regular-flat",
        1488,
        statement=(
            "The regular estimator achieved its best performance at a very high stepsize that"
            " almost instantaneously pushed the policy in a highly saturated sub-optimal region."
        ),
        label="fig: linear_realmc_learning_curve",
        given=(
            _REALISTIC,
            read_as(
                "regular at its best stepsizes, critic from 0: $alpha$, the mean policy entropy"
                " over the second 1000 steps, the return at the end, and how far it has moved since"
                " the second 1000 steps",
                "the first is above $2^5$, the second below 0.01, the third below -400, the fourth"
                " below 50",
            ),
        ),
    ),
    _realistic(
        "realistic-alternate-solves-regular-fails",
        1492,
        statement=(
            "The alternate estimator was effectively able to solve this task, whereas the regular"
            " estimator was unable to learn a good policy."
        ),
        given=(
            _REALISTIC,
            read_as(
                "both at their best stepsizes, critic from 0",
                "alternate is above -400 and regular below",
            ),
        ),
    ),
    _realistic(
        "tile-coder-decides-realistic",
        1492,
        statement=(
            "That regular fails on RealisticMountainCar depends on the tile coder: with offsets"
            " below one tile, and a last tile that takes in the rest, it ends much higher."
        ),
        given=(
            _REALISTIC,
            larger(
                "regular with the clamped coder",
                "with the wrapping one of the authors' code, best stepsizes",
                100,
            ),
        ),
        extension=True,
    ),
    _realistic(
        "maximum-possible-return",
        1492,
        statement=(
            "Most of the runs didn't learn (achieving the maximum possible return of $-1000$)."
        ),
        kind="number",
        given=(
            (
                "reward -1 a step, episodes cut at 1000 steps; other runs achieve a return of more"
                " than -200, as the sentence says"
            ),
        ),
        required_evidence=("enumeration",),
    ),
    _realistic(
        "minimum-possible-return",
        1492,
        statement=(
            "Most of the runs didn't learn (achieving the minimum possible return of $-1000$)."
        ),
        kind="number",
        given=("reward -1 a step, episodes cut at 1000 steps",),
        required_evidence=("enumeration",),
        corrects="maximum-possible-return",
        adds="minimum in the place of maximum",
    ),
    _realistic(
        "average-return-fits-most-failing",
        1492,
        statement="A net average return of about $-700$ means that most of the runs didn't learn.",
        kind="number",
        given=(
            "some runs between $-200$ and 0, the others at $-1000$, as the sentence says",
            (
                "arithmetic alone: what the average is, and that runs are of these two kinds, is"
                " for the experiments to say"
            ),
        ),
        required_evidence=("enumeration",),
    ),
    _realistic(
        "realistic-regular-runs-split",
        1492,
        statement=(
            "Some runs of the regular estimator resulted in a good policy (a return of more than"
            " $-200$), whereas most of them didn't learn (a return of $-1000$), giving it a net"
            " average return of about $-700$."
        ),
        given=(
            _REALISTIC,
            read_as(
                "regular at its best stepsizes: share of runs above $-200$, share at $-1000$, and"
                " mean",
                "the first is above 1/20, the second above 1/2, and the third within 50 of $-700$",
            ),
        ),
    ),
    _realistic(
        "realistic-regular-value-diverges",
        1492,
        statement="The value function of the regular estimator diverges to negative infinity.",
        given=(
            _REALISTIC,
            read_as(
                "mean critic value of the start state at half-time and at the end, regular; at the"
                " end, alternate",
                "the second is below -1000, the lowest return, and below the first, and the third"
                " isn't",
            ),
        ),
        depends_on=("unsolved-values-diverge",),
    ),
    _realistic(
        "realistic-alternate-wide-range",
        1494,
        statement="The alternate estimator learns a good policy for a large range of stepsizes.",
        label="fig: linear_realmc_stepsize_sensitivity",
        given=(
            _REALISTIC,
            read_as(
                "share of $alpha in {2^(-8), ..., 2^16}$ above -400, each with its best $beta$",
                "it is above 1/2 for alternate, and larger than for regular",
            ),
        ),
    ),
    _realistic(
        "realistic-plus-500-worse",
        1494,
        statement=(
            "The alternate estimator with a baseline initialization of $+500$ had a worse"
            " performance than $0$ and $-500$."
        ),
        given=(
            _REALISTIC,
            larger(
                "alternate from 0 and from -500", "alternate from +500, mean over all stepsizes"
            ),
        ),
    ),
)
