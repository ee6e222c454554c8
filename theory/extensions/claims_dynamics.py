"""Beyond the paper: where training with a fixed or a learned baseline leads, and how fast."""

from __future__ import annotations

from functools import partial

from altpg_verify.theory.extensions.claims import OPTIMISTIC, beyond_the_paper

_EXPECTED = "the expected update with a fixed $b$ and $alpha > 0$; $pi_0$ is interior"
_KAPPA = "$abs(kappa) = (sum_a 1 / (b - r(a)))^(-1)$"
_SAMPLED = (
    "the sampled update with a fixed $b > r_k$; a stationary law of $pi$ with integrable log-ratios"
    " exists"
)

_dynamics = partial(
    beyond_the_paper,
    line=198,
    section="3 Alternate estimator utilizes its biasedness",
    kind="dynamics",
)


DYNAMICS = (
    _dynamics(
        "cycle-mean-is-pi-star",
        statement=(
            "The mean of the policy over any cycle of the expected update is $bold(pi)^*$; in a"
            " cycle of two, $pi + pi' = 2 pi^*$."
        ),
        given=(_EXPECTED, "$b > r_k$ or $b < r_1$"),
        required_evidence=("derivation", "simulation"),
        depends_on=("kappa-formula",),
    ),
    _dynamics(
        "no-two-cycle-below-threshold",
        statement=(
            "If $alpha <= 2 \\/ abs(kappa)$, the expected update has no cycle of two policies."
        ),
        given=(_EXPECTED, OPTIMISTIC, _KAPPA),
        required_evidence=("derivation",),
        depends_on=("cycle-mean-is-pi-star",),
    ),
    _dynamics(
        "two-arms-attract-below-threshold",
        statement=(
            "With two actions and $alpha <= 2 \\/ abs(kappa)$ the expected update converges to"
            " $pi^*$ from every start."
        ),
        given=(_EXPECTED, OPTIMISTIC, _KAPPA, "$k = 2$"),
        required_evidence=("derivation",),
        depends_on=("no-two-cycle-below-threshold",),
    ),
    _dynamics(
        "conjecture-attraction-below-threshold",
        statement=(
            "Conjecture: for every $k$ and $alpha < 2 \\/ abs(kappa)$ the expected update converges"
            " to $pi^*$ from every start. Proved for $alpha <= 1 \\/ abs(kappa)$, and for two"
            " actions."
        ),
        kind="empirical",
        given=(
            _EXPECTED,
            OPTIMISTIC,
            _KAPPA,
            "tried on random bandits and starts only; refuted if a start strays",
        ),
        required_evidence=("simulation",),
        depends_on=("optimistic-attracts-explicit-stepsize", "two-arms-attract-below-threshold"),
    ),
    _dynamics(
        "two-arms-cycle-above-threshold",
        statement=(
            "With two actions and $alpha > 2 \\/ abs(kappa)$ there is a cycle of two policies"
            " around $pi^*$."
        ),
        given=(_EXPECTED, OPTIMISTIC, _KAPPA, "$k = 2$"),
        required_evidence=("derivation",),
        depends_on=("cycle-mean-is-pi-star",),
    ),
    _dynamics(
        "time-average-is-pi-star",
        statement=(
            "For every $alpha > 0$ the time average of the policy converges to $bold(pi)^*$, at the"
            " rate $(log T) \\/ T$ or faster, whether or not the policy itself converges."
        ),
        given=(_EXPECTED, OPTIMISTIC),
        required_evidence=("derivation", "simulation"),
        depends_on=("kappa-formula",),
    ),
    _dynamics(
        "uniform-stepsize-two-smallest-rewards",
        statement=(
            "If $b > r_k$ and $0 < alpha < 8 \\/ (2 b - r_1 - r_2)$, every expected step off $pi^*$"
            " decreases the divergence."
        ),
        given=(_EXPECTED, "$r_1$ and $r_2$ are the two smallest rewards"),
        required_evidence=("derivation",),
        depends_on=("stepsize-bound", "optimistic-descent-under-condition"),
    ),
    _dynamics(
        "uniform-stepsize-by-largest-gap",
        statement=(
            "$k \\/ max_a (b - r(a)) <= sum_a 1 / (b - r(a))$: the stepsize $alpha <= k \\/ (b -"
            " r_1)$ suffices."
        ),
        kind="inequality",
        given=(OPTIMISTIC,),
        required_evidence=("derivation",),
        depends_on=("optimistic-attracts-explicit-stepsize",),
    ),
    _dynamics(
        "uniform-stepsize-constant-sharp",
        statement=(
            "For every $s > 1$ there are a bandit, $b > r_k$ and a policy for which the expected"
            " step with $alpha = s sum_a 1 / (b - r(a))$ increases the divergence from $pi^*$."
        ),
        given=(_EXPECTED,),
        required_evidence=("certificate",),
        depends_on=("kl-relation",),
    ),
    _dynamics(
        "baseline-below-best-reaches-optimum",
        statement=(
            "If $r_(k-1) <= b < r_k$, the expected update brings the policy to the best action from"
            " every start, geometrically, for every $alpha > 0$."
        ),
        given=(_EXPECTED, "rewards in increasing order, the best one attained once"),
        required_evidence=("derivation", "simulation"),
        depends_on=("expected-alternate-with-baseline",),
    ),
    _dynamics(
        "baseline-at-best-reward-is-critical",
        statement=(
            "If $b = r_k$, the policy tends to the best action, and $1 - pi_t (k)$ falls like"
            " $1\\/t$, no faster and no slower."
        ),
        given=(_EXPECTED, "the best reward attained once"),
        required_evidence=("derivation", "simulation"),
        depends_on=("expected-alternate-with-baseline",),
    ),
    _dynamics(
        "stationary-spread-bound",
        statement=(
            "In a stationary law $EE sum_a (b - r(a)) (pi(a) - pi^*(a))^2 <= alpha / 8 sum_a"
            " pi^*(a) (sigma(a)^2 + (b - r(a))^2)$, for every $alpha > 0$."
        ),
        kind="inequality",
        given=(_SAMPLED, "rewards of finite variance $sigma(a)^2$"),
        required_evidence=("derivation", "simulation"),
        depends_on=("stationary-mean-is-pi-star", "mgf-bound"),
    ),
    _dynamics(
        "linear-noise-variance",
        statement=(
            "The sampled update linearised at $pi^*$ has the stationary variance of $cal(J)$ $alpha"
            " / (abs(kappa) (2 - alpha abs(kappa))) sum_a pi^*(a)^3 (r(a) - cal(J)_(pi^*))^2"
            " (sigma(a)^2 + (b - r(a))^2)$."
        ),
        kind="identity",
        given=(OPTIMISTIC, _KAPPA, "$alpha < 2 \\/ abs(kappa)$"),
        required_evidence=("derivation",),
        depends_on=("local-stability-threshold",),
    ),
    _dynamics(
        "linear-noise-variance-fits-agents",
        statement=(
            "Agents with small stepsizes have the variance of $cal(J)$ that the linearised update"
            " predicts."
        ),
        kind="empirical",
        given=(
            (
                "$bold(r) = (0, 0.5, 1.2, 2)$, noise 0.5, $b = 2.25, 3, 5$, $alpha abs(kappa) ="
                " 1\\/64, 1\\/32$"
            ),
            (
                "supported if a 99 % interval is within 10 % of the prediction; refuted if it"
                " excludes that"
            ),
        ),
        required_evidence=("simulation",),
        depends_on=("linear-noise-variance",),
    ),
)
