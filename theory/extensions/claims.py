"""Beyond the paper: what follows for training, each statement a claim of its own, at the place in
the paper that it continues.

What is only believed is worded as a conjecture and rests on simulation alone.
"""

from __future__ import annotations

from functools import partial

from altpg_verify.ledger import Claim

beyond_the_paper = partial(Claim, extension=True)
_saturation = partial(
    beyond_the_paper,
    line=166,
    section="3 Alternate estimator utilizes reward noise",
    kind="identity",
)
_remark = partial(
    beyond_the_paper,
    line=829,
    section="B.3 Proofs: the alternate estimator utilizes its biasedness",
)
_chain = partial(
    beyond_the_paper,
    line=1330,
    section="E.3 Optimistic and pessimistic value estimates: fixed value function",
)

OPTIMISTIC = "$b > r_k$"
_LEARNED = "the baseline is learned: $b <- b + beta (R - b)$ after each step, with the same reward"
_FLOW = "the expected update with a fixed $b > r_k$ as a flow, the limit of many small steps"

LEARNED_BASELINE = (
    _saturation(
        "learned-baseline-invariant",
        statement=(
            "The alternate estimator with a learned baseline conserves $sum_a theta_a - alpha /"
            " beta b$ exactly, at every step of every run; the regular one conserves $sum_a"
            " theta_a$ instead."
        ),
        given=(_LEARNED,),
        required_evidence=("derivation", "simulation"),
    ),
    _saturation(
        "optimism-budget",
        statement=(
            "A policy saturated on $c$, its preference $M$ above the others, is left with the gap"
            " $M - alpha / beta (b_0 - r(c))$ when the learned baseline has settled: optimism is a"
            " budget, spent once."
        ),
        given=(_LEARNED, "only $c$ is taken until then; in the mean over the noise"),
        required_evidence=("derivation",),
        depends_on=("learned-baseline-invariant",),
    ),
    _saturation(
        "optimism-budget-predicts-escape",
        statement=(
            "Saturated agents escape if the budget $alpha / beta (b_0 - r(c))$ exceeds the gap $M$"
            " and don't if it falls short by more than the steps can make up for."
        ),
        kind="empirical",
        given=(
            _LEARNED,
            (
                "$bold(r) = (0.2, 0, 1)$, noise 0.5, $M = 8$, $alpha = 1\\/4$, 600 steps; escaped:"
                " $pi(c) < 1\\/2$ at the end"
            ),
            (
                "supported if more than 95 % escape where the budget exceeds $M$ by 1 and fewer"
                " than 5 % where it falls short of $M$ by 6.5; refuted if a 99 % interval says"
                " otherwise"
            ),
        ),
        required_evidence=("simulation",),
        depends_on=("optimism-budget",),
    ),
    _saturation(
        "corner-spread-with-learned-baseline",
        statement=(
            "At a corner a learned baseline keeps the saturated preference within the standard"
            " deviation $alpha sigma \\/ sqrt(beta (2 - beta))$ of its mean at every step: there is"
            " no random walk."
        ),
        given=(
            _LEARNED,
            (
                "only the saturated action is taken, noise of variance $sigma^2$, $0 < beta < 2$;"
                " $theta(c)$ and $b$ start at fixed numbers"
            ),
        ),
        required_evidence=("derivation", "simulation"),
        depends_on=("learned-baseline-invariant",),
    ),
    _saturation(
        "corner-spread-between-two-times",
        statement=(
            "Between two times far apart, both long after the start, the saturated preference moves"
            " with $sqrt(2)$ times that standard deviation."
        ),
        given=(
            _LEARNED,
            (
                "only the saturated action is taken, noise of variance $sigma^2$, $0 < beta < 2$,"
                " $b$ in its stationary law; $t$ steps apart the variance is $2 (1 - (1 - beta)^t)$"
                " times that one's square"
            ),
        ),
        required_evidence=("derivation",),
        depends_on=("learned-baseline-invariant",),
    ),
)

VARIANCE_GAP = (
    beyond_the_paper(
        "variance-gap-of-estimators",
        175,
        "3 Alternate estimator utilizes reward noise",
        statement=(
            '$sum_a VV[bold(g)^"ALT"_a] - sum_a VV[bold(g)^"REG"_a] = sigma^2 sum_c pi(c)^2 + 2'
            " sum_c pi(c)^2 h(c)^2 - sum_c pi(c)^2 sum_c pi(c) h(c)^2$ with $h = r - r_pi$"
        ),
        kind="identity",
        given=("the baseline is $r_pi$; one noise variance $sigma^2$ for all actions",),
        required_evidence=("derivation",),
    ),
)

UNIFORM_BIAS = (
    beyond_the_paper(
        "bias-harmless-at-uniform-policy",
        189,
        "3 Alternate estimator utilizes its biasedness",
        statement=(
            "At the uniform policy the biased and the true expected update give the same next"
            " policy, whatever the baseline."
        ),
        kind="identity",
        required_evidence=("derivation",),
        depends_on=("expected-alternate-with-baseline",),
    ),
)

COST_OF_OPTIMISM = (
    beyond_the_paper(
        "value-at-pi-star-falls-with-baseline",
        194,
        "3 Alternate estimator utilizes its biasedness",
        statement=(
            "$cal(J)_(pi^*)$ decreases as the baseline $b > r_k$ increases, if two rewards differ."
        ),
        kind="inequality",
        given=(OPTIMISTIC,),
        required_evidence=("derivation", "simulation"),
        depends_on=("value-at-pi-star-harmonic",),
    ),
    beyond_the_paper(
        "value-at-pi-star-between-mean-and-best",
        194,
        "3 Alternate estimator utilizes its biasedness",
        statement=(
            "$1 / k sum_a r(a) <= cal(J)_(pi^*)$, the limit for $b -> infinity$, and $cal(J)_(pi^*)"
            " -> r_k$ for $b -> r_k$."
        ),
        kind="inequality",
        given=(OPTIMISTIC,),
        required_evidence=("derivation",),
        depends_on=("value-at-pi-star-harmonic",),
    ),
)


ESCAPE = (
    _remark(
        "escape-time-alternate-envelopes",
        statement=(
            "From the logit $l_0$ of $pi(c)$ down to $l_1$ the biased update needs a time between"
            " $(l_0 - l_1 + e^(-l_1) - e^(-l_0)) / d$ and $(l_1 - l_0) / d' + (1 / d + 1 / d')"
            " log((d e^(l_0) - d') / (d e^(l_1) - d'))$: linear in the gap."
        ),
        kind="inequality",
        given=(_FLOW, "$d = b - r(c)$, $d' = max_(a != c) (b - r(a))$, $e^(l_1) > d' \\/ d$"),
        required_evidence=("derivation", "simulation"),
        depends_on=("biased-update-escapes-faster",),
    ),
    _remark(
        "escape-time-gradient-two-arms",
        statement=(
            "With two actions the true gradient needs exactly the time $(l_0 + sinh l_0) \\/ (r_2 -"
            " r_1)$ from the logit $l_0$ of the worse action to even odds: exponential in the gap."
        ),
        kind="identity",
        given=("the flow of $nabla_bold(theta) cal(J)$", "$k = 2$"),
        required_evidence=("derivation", "simulation"),
        depends_on=("true-gradient-slow-when-saturated",),
    ),
)

MARKOV = (
    _chain(
        "mdp-fixed-point-unique-above",
        statement=(
            '$b > q_"max" + gamma / (2 (1 - gamma)) (q_"max" - q_"min")$ makes the fixed point of'
            " the expected REINFORCE update unique, in every finite MDP; for the chain, $b > 5.5$."
        ),
        kind="fixed point",
        given=(
            (
                "one fixed $b$ in every state; all action values of all policies are between"
                ' $q_"min"$ and $q_"max"$'
            ),
        ),
        required_evidence=("derivation", "enumeration"),
        depends_on=("chain-policy-converges-to-action-value-point",),
    ),
    _chain(
        "chain-value-at-higher-baseline",
        statement=(
            "With $b = 10$ in every state of the chain the fixed point is unique and has $v(s_3) ="
            " 0.272394$."
        ),
        kind="number",
        given=("interior policies; without the cut of episodes; rounded to six decimals",),
        required_evidence=("certificate",),
        depends_on=("chain-policy-converges-to-action-value-point",),
    ),
    _chain(
        "chain-agents-follow-baseline-sweep",
        statement=(
            "Alternate REINFORCE agents with other fixed baselines reach the exact fixed point that"
            " belongs to each of them."
        ),
        kind="empirical",
        given=(
            (
                "the five-state chain, $gamma = 0.9$, noise 1, $b = 2, 6, 10$ in every state, small"
                " stepsizes, run until stationary"
            ),
            (
                "supported if a 99 % interval of $v_pi (s_3)$ is within 0.005 of the exact value"
                " for each $b$; refuted if it excludes that"
            ),
        ),
        required_evidence=("simulation",),
        depends_on=("chain-policy-converges-to-action-value-point",),
    ),
    _chain(
        "conjecture-mdp-attraction",
        statement=(
            "Conjecture: in every finite MDP with a fixed $b$ above all action values the expected"
            " REINFORCE update with small stepsizes converges to one policy from every start."
        ),
        kind="empirical",
        given=("tried on random MDPs and starts only; refuted if two starts part",),
        required_evidence=("simulation",),
        depends_on=("mdp-fixed-point-unique-above",),
    ),
)
