"""Section 3, "Alternate estimator utilizes its biasedness": the bias, lemma 2.1 and theorem 1."""

from __future__ import annotations

from functools import partial

from altpg_verify.ledger import Claim

_claim = partial(Claim, section="3 Alternate estimator utilizes its biasedness")
_BOTH = ("derivation", "enumeration")
_EXPECTED = (
    '$bold(theta)^((t+1)) = bold(theta)^((t)) + alpha EE[hat(bold(g))^"ALT" (A, R)]$ with a fixed'
    " $b$ and $alpha > 0$"
)
_PI_STAR = "$pi^*(a) = 1 / (r(a) - b) (sum_(c in cal(A)) 1 / (r(c) - b))^(-1)$"

BIAS = (
    _claim(
        "biased-when-baseline-differs",
        187,
        statement=(
            "If $b != r_pi$, the alternate estimator becomes biased: $nabla_bold(theta) cal(J) !="
            ' EE[hat(bold(g))^"ALT" (A, R)]$.'
        ),
        kind="inequality",
        required_evidence=_BOTH,
        depends_on=("expected-alternate-with-baseline",),
    ),
    _claim(
        "expected-alternate-with-baseline",
        187,
        statement=(
            '$EE[hat(bold(g))^"ALT" (A, R)] = EE[(R - b) bold(e)_A] = bold(pi) dot.o (bold(r) - b'
            " bold(1))$"
        ),
        kind="identity",
        required_evidence=_BOTH,
    ),
    _claim(
        "biased-update-not-a-gradient",
        189,
        statement=(
            'The biased update $EE[hat(bold(g))^"ALT" (A, R)]$ is not the gradient of any function.'
        ),
        kind="identity",
        required_evidence=("enumeration",),
    ),
    _claim(
        "biased-update-not-a-gradient-corrected",
        189,
        statement=(
            'If two rewards differ, $EE[hat(bold(g))^"ALT" (A, R)]$ is not the gradient of any'
            " function of $bold(theta)$."
        ),
        kind="identity",
        required_evidence=_BOTH,
        depends_on=("mixed-partials-disagree-corrected",),
        corrects="biased-update-not-a-gradient",
        adds=(
            "two different rewards: if all are equal, $(r - b) log sum_a e^(theta_a)$ is a"
            " potential"
        ),
    ),
)

FIXED_POINTS = (
    _claim(
        "lemma-case-1-never-zero",
        194,
        statement=(
            "If there is an $n in {1, ..., k - 1}$ with $r_1 <= dots.c <= r_n < b < r_(n+1) <="
            ' dots.c <= r_k$, then $EE_pi [hat(bold(g))^"ALT" (A, R)]$ is never equal to zero.'
        ),
        kind="fixed point",
        label="thm: fixed_pt_biased_pg",
        required_evidence=_BOTH,
        depends_on=("expected-alternate-with-baseline",),
    ),
    _claim(
        "lemma-case-2-zero-on-face",
        194,
        statement=(
            'If $b = r(a)$ for at least one action, then $EE_pi [hat(bold(g))^"ALT" (A, R)] = 0$ at'
            " any point on the face of the simplex given by $sum_(a in cal(I)_b) pi(a) = 1$ with"
            " $cal(I)_b := {a | r(a) = b}$."
        ),
        kind="fixed point",
        label="thm: fixed_pt_biased_pg",
        required_evidence=_BOTH,
        depends_on=("expected-alternate-with-baseline",),
    ),
    _claim(
        "lemma-case-3-zero-at-pi-star",
        194,
        statement=(
            'If $b < r_1$ or $b > r_k$, then $EE_pi [hat(bold(g))^"ALT" (A, R)] = 0$ at the point'
            f" $pi^*$ given by {_PI_STAR}."
        ),
        kind="fixed point",
        label="thm: fixed_pt_biased_pg",
        required_evidence=("enumeration",),
    ),
    _claim(
        "lemma-case-3-policy-fixed-point",
        194,
        statement=(
            'If $b < r_1$ or $b > r_k$, then $EE_pi [hat(bold(g))^"ALT" (A, R)] = kappa bold(1)$'
            " with $kappa = (sum_c 1 / (r(c) - b))^(-1) != 0$ exactly at $pi^*$: there the policy"
            " stays and every preference moves by $alpha kappa$."
        ),
        kind="fixed point",
        required_evidence=_BOTH,
        depends_on=("fixed-point-equation", "kappa-formula"),
        corrects="lemma-case-3-zero-at-pi-star",
        adds=(
            "the constant vector $kappa bold(1)$ in place of zero: a fixed point of the policy, not"
            " a zero of the update"
        ),
    ),
    _claim(
        "pi-star-inside-simplex",
        194,
        statement=(
            f"If $b < r_1$ or $b > r_k$, the point {_PI_STAR} lies within the simplex boundary."
        ),
        kind="fixed point",
        label="thm: fixed_pt_biased_pg",
        given=("within: a probability vector, every entry positive",),
        required_evidence=_BOTH,
    ),
    _claim(
        "value-at-pi-star-harmonic",
        194,
        statement=(
            "$cal(J)_(pi^*) = b - k (sum_a 1 / (b - r(a)))^(-1)$, the baseline less the harmonic"
            " mean of $b - r(a)$"
        ),
        kind="identity",
        given=("$b > r_k$",),
        required_evidence=_BOTH,
        depends_on=("pi-star-inside-simplex",),
        extension=True,
    ),
)

ATTRACTION = (
    _claim(
        "pessimistic-repels",
        198,
        statement=(
            "If $pi_t != pi^*$ and $b < r_1$, then for any $alpha > 0$ the fixed point acts as a"
            ' repellor: $D_"KL" (pi^* || pi_(t+1)) > D_"KL" (pi^* || pi_t)$.'
        ),
        kind="dynamics",
        label="thm: fixed_pt_biased_pg_attract_repulse",
        given=(_EXPECTED,),
        required_evidence=("certificate", "enumeration"),
        depends_on=("kl-relation", "log-term-exceeds-harmonic"),
    ),
    _claim(
        "optimistic-attracts",
        198,
        statement=(
            "If $pi_t != pi^*$ and $b > r_k$, then given a sufficiently small positive stepsize"
            ' $alpha$ the fixed point acts as an attractor: $D_"KL" (pi^* || pi_(t+1)) < D_"KL"'
            " (pi^* || pi_t)$."
        ),
        kind="dynamics",
        label="thm: fixed_pt_biased_pg_attract_repulse",
        given=(_EXPECTED, "how small may depend on $pi_t$, as in the proof"),
        required_evidence=("certificate", "enumeration"),
        depends_on=("kl-relation", "stepsize-exists", "log-term-upper-bound"),
    ),
    _claim(
        "optimistic-attracts-explicit-stepsize",
        198,
        statement=(
            "If $pi_t != pi^*$, $b > r_k$ and $0 < alpha <= sum_a 1 / (b - r(a))$, then "
            '$D_"KL" (pi^* || pi_(t+1)) < D_"KL" (pi^* || pi_t)$: one bound for all policies.'
        ),
        kind="dynamics",
        given=(_EXPECTED,),
        required_evidence=("certificate", "enumeration"),
        depends_on=("kl-relation",),
        extension=True,
    ),
    _claim(
        "local-stability-threshold",
        198,
        statement=(
            "With $b > r_k$ the fixed point is linearly stable exactly if $alpha < 2 / abs(kappa)$:"
            " the linearized policy update has the eigenvalue $1 - alpha abs(kappa)$, $k - 1$"
            " times."
        ),
        kind="dynamics",
        given=(
            _EXPECTED,
            "$k >= 2$; stable: every eigenvalue on the simplex inside the unit circle",
        ),
        required_evidence=("derivation",),
        depends_on=("lemma-case-3-policy-fixed-point",),
        extension=True,
    ),
    _claim(
        "stationary-mean-is-pi-star",
        198,
        statement=(
            "With $b > r_k$, a stationary law of the stochastic alternate update has $EE[bold(pi)]"
            " = bold(pi)^*$ exactly, whatever the stepsize; for any horizon, $sum_(t < T) EE[pi_t"
            " (a)] (r(a) - b) = EE[theta_a^((T)) - theta_a^((0))] \\/ alpha$."
        ),
        kind="dynamics",
        given=(
            (
                "the sampled update with a fixed $b$; a stationary law of $pi$ with integrable"
                " log-ratios exists"
            ),
        ),
        required_evidence=("derivation",),
        depends_on=("expected-alternate-with-baseline", "kappa-formula"),
        extension=True,
    ),
    _claim(
        "exact-basins",
        198,
        statement=(
            'If $b < r_k$, the expected update brings the policy to the corner $op("argmax",'
            " limits: #true)_a pi_0 (a) (r(a) - b)$, for every $alpha > 0$."
        ),
        kind="dynamics",
        given=(_EXPECTED, "the maximum is attained once and is positive; $pi_0$ is interior"),
        required_evidence=("certificate",),
        depends_on=("expected-alternate-with-baseline",),
        extension=True,
    ),
)

CONSEQUENCES = (
    _claim(
        "optimistic-moves-to-more-uniform",
        200,
        statement=(
            "With an optimistically initialized baseline, the agent is updated towards a more"
            " uniform distribution $pi^*$."
        ),
        kind="dynamics",
        given=("more uniform than the agent's policy",),
        required_evidence=("enumeration",),
    ),
    _claim(
        "optimistic-flattens-saturated-policy",
        200,
        statement=(
            "With $b > r_k$, if $pi_t (c) (b - r(c)) > pi_t (a) (b - r(a))$ for all $a != c$, as"
            " near the corner of $c$, then $pi_(t+1) (c) < pi_t (c)$."
        ),
        kind="dynamics",
        given=(_EXPECTED, "$k >= 2$"),
        required_evidence=_BOTH,
        depends_on=("next-policy",),
        corrects="optimistic-moves-to-more-uniform",
        adds=(
            "a saturated policy to start from: from the uniform policy the step makes the policy"
            " less uniform"
        ),
    ),
    _claim(
        "pi-star-prefers-best-action",
        200,
        statement=(
            "For an optimistic baseline, $pi^*$ has a higher probability of picking the action with"
            " the maximum reward as compared to other actions."
        ),
        kind="inequality",
        given=("the action with the maximum reward is one, as the singular says",),
        required_evidence=_BOTH,
        depends_on=("pi-star-inside-simplex",),
    ),
    _claim(
        "optimistic-flattens-suboptimal-corner",
        200,
        statement=(
            "If the agent were stuck in a sub-optimal corner of the simplex, an optimistic baseline"
            " would make its policy more uniform and encourage exploration."
        ),
        kind="dynamics",
        given=(
            (
                "near the corner, since a softmax policy is never at it; more uniform: a smaller"
                " largest probability; any stepsize $alpha > 0$"
            ),
        ),
        required_evidence=("enumeration",),
    ),
    _claim(
        "optimistic-lowers-suboptimal-corner-action",
        200,
        statement=(
            "Near a sub-optimal corner of $c$, $pi(c) > D \\/ (D + b - r(c))$ with $D = max_a (b -"
            " r(a))$, an expected step with an optimistic baseline and any $alpha > 0$ lowers"
            " $pi(c)$ and raises every $pi(a) \\/ pi(c)$."
        ),
        kind="dynamics",
        given=("the expected update, any $alpha > 0$",),
        required_evidence=("derivation",),
        depends_on=("optimistic-flattens-saturated-policy",),
        corrects="optimistic-flattens-suboptimal-corner",
        adds=(
            "what falls is $pi(c)$: a large step overshoots, and the policy can be more saturated"
            " on another action than before"
        ),
    ),
    _claim(
        "pessimistic-can-saturate-wrongly",
        200,
        statement=(
            "With a pessimistically initialized baseline, the alternate estimator can pre-maturely"
            " saturate towards a sub-optimal corner."
        ),
        kind="dynamics",
        given=("footnote; there is a bandit and a starting policy for which it does",),
        required_evidence=("enumeration",),
        depends_on=("exact-basins",),
    ),
    _claim(
        "pi-star-differs-from-optimal",
        200,
        statement="$pi^*$ is different from the optimal policy.",
        kind="inequality",
        given=(
            (
                "the optimal policy is one, as the article says: two rewards differ and the best"
                " action is unique"
            ),
        ),
        required_evidence=_BOTH,
        depends_on=("pi-star-inside-simplex",),
    ),
    _claim(
        "alternate-asymptotically-unbiased",
        200,
        statement=(
            "As the agent learns and improves its baseline estimate, the alternate PG estimator"
            " becomes asymptotically unbiased."
        ),
        kind="dynamics",
        given=(
            (
                "asymptotically: as $b$ tends to $r_pi$; and for the running average of the"
                " article, $0 < beta < 2$, at a policy that no longer changes, in the mean over the"
                " draws that made the baseline"
            ),
        ),
        required_evidence=_BOTH,
        depends_on=("biased-when-baseline-differs",),
    ),
    _claim(
        "constant-step-baseline-keeps-bias",
        200,
        statement=(
            "With the running average of the article, a constant $beta$, the bias for the baseline"
            " at hand doesn't vanish: its mean square tends to $pi(a)^2 beta VV[R] \\/ (2 - beta)$."
        ),
        kind="identity",
        given=("a policy that no longer changes, $0 < beta < 2$, $VV[R] > 0$",),
        required_evidence=("derivation",),
        depends_on=("biased-when-baseline-differs",),
        extension=True,
    ),
    _claim(
        "alternate-still-reaches-optimum",
        200,
        statement="The agent with an alternate estimator can still reach the optimal policy.",
        kind="empirical",
        given=(
            (
                "quantity: mean reward in the last 50 of 1000 steps, learned baseline started at"
                " $+4$, $bold(r) = [1 space 2 space 3]^top$, noise 1, starts $(0, 0, 0)$ and $(10,"
                " 0, 0)$, best stepsizes of the sweep, 150 runs"
            ),
            "supported if its lower 99 % limit is above 2.9; refuted if the upper one is below",
        ),
        required_evidence=("simulation",),
        depends_on=("alternate-asymptotically-unbiased",),
    ),
)
