"""Appendix F: online actor-critic with linear function approximation."""

from __future__ import annotations

from functools import partial

from altpg_verify.ledger import Claim
from altpg_verify.theory.empirical import above, larger, read_as

_algorithm = partial(Claim, section="F Online actor-critic with linear function approximation")
_details = partial(Claim, section="F.1 Experimental details for linear function approximation")
_switched = partial(
    Claim,
    section="F.2 Non-stationary MountainCar and Acrobot",
    kind="empirical",
    required_evidence=("simulation",),
)
_entropy = partial(
    Claim,
    section=(
        "F.3 Online AC with entropy regularization and escort transform on non-stationary tasks"
    ),
    kind="empirical",
    required_evidence=("simulation",),
)
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
_SWITCH = (
    "online actor-critic, tile coding, actions switched at half-time; 50 runs; mean return over the"
    " last 5000 steps"
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

LINEAR_DETAILS = (
    _algorithm(
        "actor-critic-pseudocode",
        1389,
        statement=(
            'The pseudocode moves $bold(w)$ by $alpha dot hat(bold(g))^"OAC"$ with'
            ' $hat(bold(g))^"OAC" = I_gamma delta nabla_bold(w) log pi_bold(w) (A|S)$ and $delta ='
            " R + gamma hat(v)_bold(omega) (S') - hat(v)_bold(omega) (S)$, $I_gamma = gamma^k$ at"
            " step $k$, and $bold(omega)$ by $beta dot delta nabla_bold(omega) hat(v)_bold(omega)"
            " (S)$."
        ),
        kind="algorithm",
        label="alg: online_ac",
        required_evidence=("execution",),
        depends_on=("actor-critic-regular-unbiased",),
    ),
    _details(
        "thousand-steps-enough",
        1402,
        statement="1000 timesteps gave the agent enough time to encounter a true terminal state.",
        kind="empirical",
        given=(
            "footnote",
            read_as(
                "share of all runs at all stepsizes that reach a true end, each estimator on each"
                " task, uniform start, actions switched at half-time",
                "it is above 4/5",
            ),
        ),
        required_evidence=("simulation",),
    ),
    _details(
        "unsolved-values-diverge",
        1402,
        statement=(
            "With $gamma = 1$, for the agents that are unable to solve the task within 1000"
            " timesteps, the value function estimates will diverge to negative infinity."
        ),
        kind="dynamics",
        given=(
            (
                "footnote; the critic bootstraps at the cut, the reward is -1 at each step and no"
                " end is ever reached"
            ),
        ),
        required_evidence=("derivation",),
    ),
    _details(
        "acrobot-state",
        1411,
        statement=(
            "The state for Acrobot is $[cos(theta_1) space sin(theta_1) space cos(theta_2) space"
            " sin(theta_1) space dot(theta)_1 space dot(theta)_2]$."
        ),
        kind="algorithm",
        given=("a state tells any two positions of the double pendulum apart",),
        required_evidence=("enumeration",),
    ),
    _details(
        "acrobot-state-corrected",
        1411,
        statement=(
            "The state for Acrobot is $[cos(theta_1) space sin(theta_1) space cos(theta_2) space"
            " sin(theta_2) space dot(theta)_1 space dot(theta)_2]$."
        ),
        kind="algorithm",
        given=("a state tells any two positions of the double pendulum apart",),
        required_evidence=("enumeration",),
        corrects="acrobot-state",
        adds="$sin(theta_2)$ in the place of the second $sin(theta_1)$",
    ),
    _details(
        "tile-features-sum-to-one",
        1411,
        statement=(
            "With eight tilings and an always-on bias feature, the features are normalized by"
            " dividing them with nine, to have a unit sum."
        ),
        kind="number",
        required_evidence=("enumeration",),
    ),
)

SWITCHED = (
    _switched(
        "critic-above-minus-200",
        1425,
        statement=(
            "At $100k$ timesteps the critic would learn to predict a return that is greater than"
            " $-200$."
        ),
        given=(
            _SWITCH,
            read_as(
                "mean and median over runs at half-time, MountainCar, both estimators: return, and"
                " the critic's value of the start state",
                "all are above -200; undecided if mean and median differ",
            ),
        ),
    ),
    _switched(
        "alternate-less-sensitive-nonstationary",
        1434,
        statement=(
            "The alternate estimator is much less sensitive to the stepsizes and achieves a"
            " superior or competitive final performance, both before and after the non-stationarity"
            " was introduced."
        ),
        label="fig: linear_nonstationary_sensitivity",
        given=(
            _SWITCH,
            read_as(
                "alternate less regular, at half-time and at the end, both tasks: mean over all"
                " stepsizes, and at the best ones",
                "the first is above 100, the second above -50",
            ),
        ),
    ),
)

ENTROPY_ESCORT = (
    _entropy(
        "entropy-helps-alternate-slightly",
        1448,
        statement=(
            "Adding an entropy bonus to the alternate estimator improved its performance slightly"
            " for small values of $tau$."
        ),
        label="fig: entropy_sensitivity",
        given=(
            _SWITCH,
            read_as(
                "alternate with $tau = 0.1$ less without, mean over the stepsizes, both tasks",
                "it is above 0 on Acrobot and below 100 on both",
            ),
        ),
    ),
    _entropy(
        "large-tau-hurts-alternate",
        1448,
        statement=(
            "However, for larger values of $tau$, the performance of the alternate estimator"
            " dropped."
        ),
        given=(
            _SWITCH,
            larger(
                "alternate without a bonus",
                "with $tau = 0.7$ and with $tau = 0.9$, mean over the stepsizes, both tasks",
                50,
            ),
        ),
    ),
    _entropy(
        "entropy-helps-regular-sensitivity",
        1448,
        statement=(
            "Adding an entropy bonus to the regular estimator improved its sensitivity to the"
            " policy stepsize $alpha$ quite a lot."
        ),
        given=(
            _SWITCH,
            larger(
                "share of $alpha$ within 50 of the best, regular with its best $tau$",
                "regular with $tau = 0$, both tasks",
                "1/10",
            ),
        ),
    ),
    _entropy(
        "entropy-significantly-improves-regular",
        1448,
        statement=(
            "Entropy regularization also significantly improved the performance of the regular"
            " estimator after non-stationarity."
        ),
        given=(
            _SWITCH,
            larger(
                "regular with its best $tau$, mean over the stepsizes",
                "regular with $tau = 0$, both tasks",
                100,
            ),
        ),
    ),
    _entropy(
        "alternate-not-worse-than-regular-entropy",
        1448,
        statement=(
            "The alternate estimator remains superior (or competitive) to the regular estimator"
            " with entropy regularization."
        ),
        given=(
            _SWITCH,
            read_as(
                "alternate with its best $tau$, and without a bonus, in the mean over all"
                " stepsizes, both tasks",
                "each is above -850, an agent's that never learns and a tenth of the range, and at"
                " most 50 below regular with its best $tau$",
            ),
        ),
    ),
    _entropy(
        "regular-with-entropy-does-not-recover",
        1448,
        statement=(
            "The entropy bonus was not able to help the best performing regular estimator to"
            " recover from the non-stationarity."
        ),
        given=(
            _SWITCH,
            read_as(
                "regular with its best $tau$ at the stepsizes best at half-time: return before the"
                " switch, fall, part made up for",
                "above -400, above 100, below 1/2, on both tasks",
            ),
        ),
    ),
    _entropy(
        "escort-good-at-two-and-three",
        1457,
        statement=(
            "Escort worked really well for $p = 2$ and $p = 3$, with a very low sensitivity to both"
            " stepsizes."
        ),
        label="fig: escort_sensitivity",
        given=(
            _SWITCH,
            read_as(
                "share of stepsize pairs above -200, the paper's good, $p = 2$ and $p = 3$, both"
                " tasks",
                "it is above 1/2",
            ),
        ),
    ),
    _entropy(
        "escort-worse-at-one-and-ten",
        1457,
        statement="However, for $p = 1$ and $p = 10$, its performance was much worse.",
        given=(
            _SWITCH,
            larger(
                "mean over the stepsizes at $p = 2$ and at $p = 3$",
                "at $p = 1$ and at $p = 10$, both tasks",
                100,
            ),
        ),
    ),
    _entropy(
        "escort-best-better-on-acrobot",
        1457,
        statement=(
            "For the top performing choices of $p$, escort achieved a better performance on Acrobot"
            " as compared to the alternate estimator."
        ),
        given=(
            _SWITCH,
            larger(
                "escort at its best $p$", "alternate, Acrobot, each at its best final stepsizes"
            ),
        ),
    ),
    _entropy(
        "escort-best-does-not-recover",
        1457,
        statement=(
            "The best performing parameter setting (before the non-stationarity hit) for escort was"
            " not able to recover well from it."
        ),
        given=(
            _SWITCH,
            read_as(
                "escort with the parameters best at half-time: return before the switch, fall, part"
                " made up for at the end",
                "above -400, above 100, below 3/4, on both tasks",
            ),
        ),
    ),
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
