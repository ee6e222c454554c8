"""Appendices F to F.3: online actor-critic with linear function approximation."""

from __future__ import annotations

from functools import partial

from altpg_verify.ledger import Claim
from altpg_verify.theory.empirical import larger, read_as

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
_SWITCH = (
    "online actor-critic, tile coding, actions switched at half-time; 50 runs; mean return over the"
    " last 5000 steps"
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
