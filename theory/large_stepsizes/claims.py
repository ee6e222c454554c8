"""Appendix H: the digression on extremely large stepsizes."""

from __future__ import annotations

from functools import partial

from altpg_verify.ledger import Claim
from altpg_verify.theory.empirical import above, larger, read_as
from altpg_verify.theory.large_stepsizes.claims_neural import NEURAL_PROTOCOL

_remark = partial(
    Claim,
    section="H A digressive remark: softmax policies learn even with extremely large stepsizes",
)
_large = partial(_remark, kind="empirical", required_evidence=("simulation",))
_BOTH = ("derivation", "enumeration")
_CHAIN = (
    "five-state chain, $alpha in {2^(-6), 2^(-4), ..., 2^14}$, 150 runs, last 10 of 100 episodes"
)


NUMBERS = (
    _remark(
        "powers-of-two",
        1532,
        statement="$2^5 = 32$ and $2^16 = 65536$",
        kind="number",
        required_evidence=("enumeration",),
    ),
    _remark(
        "effective-stepsize-number",
        1532,
        statement=(
            "Taking into account the normalization factor, the effective stepsize is $2^16 \\/ 9 ="
            " 7282$."
        ),
        kind="number",
        given=("rounded to a whole number",),
        required_evidence=("enumeration",),
    ),
    _remark(
        "adam-default-stepsize",
        1532,
        statement=(
            "The default choice of the stepsize for training neural networks with the Adam"
            " optimizer (Kingma and Ba, 2014) is $0.0003$."
        ),
        kind="number",
        given=("the default that the cited article states, and that PyTorch has",),
        required_evidence=("enumeration",),
    ),
    _remark(
        "adam-default-stepsize-corrected",
        1532,
        statement=(
            "The default choice of the stepsize for training neural networks with the Adam"
            " optimizer (Kingma and Ba, 2014) is $0.001$."
        ),
        kind="number",
        given=("the default that the cited article states, and that PyTorch has",),
        required_evidence=("enumeration",),
        corrects="adam-default-stepsize",
        adds="the number: the cited article recommends 0.001",
    ),
    _large(
        "large-stepsizes-good-throughout",
        1532,
        statement=(
            "For Acrobot and MountainCar, for the stepsize range we tried (with the maximum value"
            " of $alpha$ being $2^5 = 32$), the alternate estimator had a good performance"
            " throughout."
        ),
        given=(
            (
                "online actor-critic, tile coding, 50 000 steps, 50 runs; uniform start, critic"
                " from 0; mean return over the last 5000 steps"
            ),
            read_as(
                "alternate at every $alpha$ with its best $beta$, on both tasks: all of the sweep;"
                " those from 2 to 32; and the mean over these, less its best",
                "all are above -200, the paper's good, and the last above -50; undecided if the"
                " readings differ",
            ),
        ),
    ),
    _large(
        "large-stepsizes-still-good",
        1532,
        statement=(
            "For RealisticMountainCar, with stepsizes as large as $2^16$, the alternate estimator"
            " still received a fairly high return."
        ),
        given=(
            "100 000 steps; slightly: a twentieth of the range of returns, much: a tenth",
            read_as(
                "alternate at $alpha = 2^16$ and its best $beta$",
                "it is at most 50 below alternate's best and more than 100 above regular's",
            ),
        ),
    ),
    _large(
        "large-stepsizes-chain",
        1532,
        statement=(
            "On the chain, the alternate estimator learns for extremely large values of the policy"
            " stepsize as well."
        ),
        label="fig: tabular_00_v0_large",
        given=(
            _CHAIN,
            above("alternate from $b = +4$ at $alpha = 2^14$, best $beta$, uniform start", 0.4),
        ),
    ),
)

EXPLANATIONS = (
    _remark(
        "softmax-of-any-preferences",
        1541,
        statement=(
            "The softmax function transforms any set of action preferences, however large, to a"
            " proper probability distribution."
        ),
        kind="identity",
        given=("finite preferences, real arithmetic",),
        required_evidence=("derivation",),
    ),
    _remark(
        "optimum-at-infinity",
        1541,
        statement=(
            "For softmax policies, the optimal point which maximizes the PG objective lies at"
            " infinity on the action preference landscape."
        ),
        kind="identity",
        required_evidence=("enumeration",),
    ),
    _remark(
        "optimum-at-infinity-unequal-values",
        1541,
        statement=(
            "If two actions differ in value in some visited state, the optimal point which"
            " maximizes the PG objective of softmax policies lies at infinity on the action"
            " preference landscape."
        ),
        kind="identity",
        given=("two actions differ in value in some visited state",),
        required_evidence=("derivation",),
        corrects="optimum-at-infinity",
        adds="two actions of different value: if all are equal, every finite point is optimal",
    ),
    _remark(
        "convex-large-step-can-worsen",
        1541,
        statement=(
            "For convex functions, an update step with a high stepsize, even in the correct"
            " direction, can make the function value worse than its present value."
        ),
        kind="example",
        required_evidence=("enumeration",),
    ),
    _remark(
        "larger-step-closer-to-optimum",
        1541,
        statement=(
            "In contrast, a larger stepsize with softmax functions will only drive the function"
            " value closer to the optimum at a faster rate."
        ),
        kind="dynamics",
        given=("the PG objective of a bandit, one step along its true gradient",),
        required_evidence=("enumeration",),
    ),
    _remark(
        "larger-step-closer-for-two-actions",
        1541,
        statement=(
            "With two actions, a larger stepsize along the true gradient brings the expected reward"
            " closer to the optimum."
        ),
        kind="dynamics",
        given=("the PG objective of a bandit, one step along its true gradient",),
        required_evidence=_BOTH,
        corrects="larger-step-closer-to-optimum",
        adds=(
            "two actions: with three, a large step saturates the action with the largest entry of"
            " the gradient, which need not be the best"
        ),
    ),
    _remark(
        "large-steps-no-concern",
        1541,
        statement=(
            "Therefore, as long as the update direction is correct, having large stepsizes should"
            " not be a concern for softmax policies."
        ),
        kind="dynamics",
        given=(
            (
                "a bandit's true gradient; a concern: the step leaves the best action with less"
                " probability than before"
            ),
        ),
        required_evidence=("enumeration",),
    ),
    _remark(
        "large-steps-never-lower-value",
        1541,
        statement=(
            "A step along the true gradient, however large, doesn't lower the expected reward of a"
            " bandit."
        ),
        kind="dynamics",
        given=("the PG objective of a bandit, one step along its true gradient",),
        required_evidence=_BOTH,
        corrects="large-steps-no-concern",
        adds=(
            "the expected reward after one step: with three actions a large step saturates the"
            " policy on an action that isn't the best"
        ),
    ),
    _remark(
        "logistic-is-softmax",
        1546,
        statement=(
            "The logistic function $y = e^x / (e^x + 1)$ is essentially equivalent (except for a"
            " translation along the $x$-axis) to the softmax function $pi(a) = e^(theta_a) /"
            " (e^(theta_a) + sum_(c != a) e^(theta_c))$."
        ),
        kind="identity",
        label="fig: softmax_optim",
        given=("as a function of $theta_a$, the other preferences fixed",),
        required_evidence=_BOTH,
    ),
    _remark(
        "logistic-increases-with-stepsize",
        1546,
        statement=(
            "In the case of a softmax function, the larger the stepsize, the more the function"
            " value increases with a single update step."
        ),
        kind="inequality",
        label="fig: softmax_optim",
        given=(
            "the probability of one action as a function of its own preference, as in the figure",
        ),
        required_evidence=_BOTH,
    ),
    _remark(
        "gradient-is-steepest",
        1550,
        statement=(
            "The expected gradient is the update direction that results in the fastest local"
            " improvement in the objective."
        ),
        kind="inequality",
        given=("among directions of the same Euclidean length",),
        required_evidence=("derivation", "enumeration"),
    ),
    _large(
        "larger-steps-faster-for-expected-gradient",
        1550,
        statement=(
            "A larger stepsize for the expected PG update resulted in a faster convergence and"
            " consequently a higher final return."
        ),
        given=(
            _CHAIN,
            larger("expected PG at $2^2$", "expected PG at $2^(-2)$, and so on in steps of $2^4$"),
        ),
    ),
    _remark(
        "bandit-optimum-is-global",
        1550,
        statement=(
            "For that bandit problem, there is only one optimum that is also globally optimal."
        ),
        kind="identity",
        given=(
            (
                "$bold(r) = [1 space 2 space 3]^top$; an optimum: a policy that no small change on"
                " the simplex improves"
            ),
        ),
        required_evidence=_BOTH,
    ),
    _remark(
        "regular-vanishes-at-saturation",
        1552,
        statement=(
            'Near the corners, $hat(bold(g))^"REG" (S, A) = (R - b) (bold(e)_A - bold(pi)) approx'
            " 0$, since $bold(e)_A approx bold(pi)$ with a high probability."
        ),
        kind="dynamics",
        given=(
            (
                "each entry is at most $abs(R - b) (1 - pi(A))$, and the corner's action has the"
                " probability $pi(A)$"
            ),
        ),
        required_evidence=_BOTH,
    ),
    _remark(
        "alternate-nonzero-at-any-saturation",
        1552,
        statement=(
            'For the alternate estimator $hat(bold(g))^"ALT" (S, A) = (R - b) bold(e)_A$,'
            " irrespective of the degree of policy saturation, the estimator remains non-zero."
        ),
        kind="inequality",
        given=("a draw with $R != b$",),
        required_evidence=_BOTH,
    ),
    _large(
        "generalization-hurts-at-large-stepsizes",
        1554,
        statement=(
            "With large stepsizes, the performance of the estimators, especially the regular"
            " version, becomes worse as we increase the generalization of the policies."
        ),
        given=(
            "chain (tabular), Acrobot and MountainCar (tile coding), DotReacher (neural)",
            read_as(
                "each estimator's loss at stepsizes equally far above its best, over its best"
                " return",
                "it grows in this order",
            ),
            (
                "the sweeps don't have such stepsizes, and the tasks differ in more than the"
                " generalization: told, not decided"
            ),
        ),
    ),
    _large(
        "neural-large-stepsizes-fail",
        1554,
        statement=(
            "With neural networks, none of the estimators performed well with large stepsizes."
        ),
        given=(
            NEURAL_PROTOCOL,
            read_as("both estimators at $alpha = 2^(-3)$", "both are below -5"),
        ),
    ),
)
