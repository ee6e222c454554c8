"""Section 3, "Alternate estimator utilizes reward noise": the two propositions and what is said of
them.
"""

from __future__ import annotations

from functools import partial

from altpg_verify.ledger import Claim

_BOTH = ("derivation", "enumeration")
_claim = partial(
    Claim, section="3 Alternate estimator utilizes reward noise", required_evidence=_BOTH
)
_TRUE_BASELINE = (
    'the alternate estimator is $bold(g)^"ALT" = (R - r_pi) bold(e)_A$, which the text gives that'
    " name"
)

PROPOSITIONS = (
    _claim(
        "saturated-gradient-zero",
        168,
        statement=(
            "If $sum_(a in cal(I)_c) pi(a) = 1$ with $cal(I)_c := {a | r(a) = c}$, then"
            " $nabla_bold(theta) cal(J) = bold(0)$."
        ),
        kind="identity",
        label="thm: expectation_saturated_pg",
        given=("$cal(I)_c != emptyset$",),
        depends_on=(
            "gradient-is-pi-times-advantage",
            "saturated-policy-zero-elsewhere",
            "saturated-value-is-constant",
        ),
    ),
    _claim(
        "saturated-regular-zero",
        168,
        statement='Then $EE[bold(g)^"REG" (A, R)] = EE[hat(bold(g))^"REG" (A, R)] = bold(0)$.',
        kind="identity",
        label="thm: expectation_saturated_pg",
        given=("$sum_(a in cal(I)_c) pi(a) = 1$ with $cal(I)_c := {a | r(a) = c} != emptyset$",),
        depends_on=("saturated-gradient-zero", "regular-unbiased-any-baseline"),
    ),
    _claim(
        "saturated-alternate-zero",
        168,
        statement='Then $EE[bold(g)^"ALT" (A, R)] = bold(0)$.',
        kind="identity",
        label="thm: expectation_saturated_pg",
        given=("$sum_(a in cal(I)_c) pi(a) = 1$ with $cal(I)_c := {a | r(a) = c} != emptyset$",),
        depends_on=("saturated-gradient-zero", "gradient-as-alternate-with-true-baseline"),
    ),
    _claim(
        "corner-regular-variance-zero",
        172,
        statement=(
            'If $pi(c) = 1$, then $VV[bold(g)^"REG" (A)] = VV[hat(bold(g))^"REG" (A, R)] ='
            " bold(0)$."
        ),
        kind="identity",
        label="thm: variance_saturated_pg",
        given=("the variance is elementwise",),
        depends_on=("corner-variance-at-eta-pi",),
    ),
    _claim(
        "corner-alternate-variance",
        172,
        statement='If $pi(c) = 1$, then $VV[bold(g)^"ALT" (A, R)] = sigma(c)^2 bold(e)_c$.',
        kind="identity",
        label="thm: variance_saturated_pg",
        given=("the variance is elementwise", "$sigma(a)^2 := VV[R | A = a]$"),
        depends_on=("corner-variance-at-eta-zero",),
    ),
    _claim(
        "corner-alternate-variance-nonzero",
        172,
        statement="If $pi(c) = 1$, then the variance of the alternate PG estimator is non-zero.",
        kind="inequality",
        label="thm: variance_saturated_pg",
        given=("the variance is elementwise",),
        required_evidence=("enumeration",),
    ),
    _claim(
        "corner-alternate-variance-nonzero-corrected",
        172,
        statement=(
            "If $pi(c) = 1$ and $sigma(c)^2 != 0$, then the variance of the alternate PG estimator"
            " is non-zero."
        ),
        kind="inequality",
        given=("the variance is elementwise",),
        depends_on=("corner-alternate-variance",),
        corrects="corner-alternate-variance-nonzero",
        adds=(
            "the assumption $sigma(c)^2 != 0$, which the appendix's version of the proposition has"
        ),
    ),
    _claim(
        "propositions-need-boundary",
        175,
        statement=(
            "The example and the propositions require the policy to lie at the boundary of the"
            " probability simplex."
        ),
        kind="identity",
        given=(
            (
                "the two propositions' conditions are $sum_(a in cal(I)_c) pi(a) = 1$ for some $c$,"
                " and $pi(c) = 1$"
            ),
        ),
        required_evidence=("enumeration",),
    ),
    _claim(
        "propositions-need-boundary-corrected",
        175,
        statement=(
            "If the rewards are not all equal, the example and the propositions require the policy"
            " to lie at the boundary of the simplex."
        ),
        kind="identity",
        required_evidence=("derivation",),
        corrects="propositions-need-boundary",
        adds=(
            "two different rewards: with equal rewards every policy satisfies proposition 1's"
            " condition"
        ),
    ),
    _claim(
        "softmax-never-at-boundary",
        175,
        statement=(
            "To lie at the boundary is unsatisfiable for softmax policies, as this would require"
            " some of the action preferences to be infinitely large."
        ),
        kind="identity",
        given=("$k >= 2$", "infinitely large in magnitude"),
        required_evidence=("derivation",),
    ),
    _claim(
        "regular-expectation-vanishes-near-boundary",
        175,
        statement=(
            "For the regular estimator, the expected gradient vanishes in the proximity of the"
            " simplex boundary."
        ),
        kind="dynamics",
        required_evidence=("enumeration",),
    ),
    _claim(
        "regular-expectation-vanishes-near-corners",
        175,
        statement=(
            "For the regular estimator, the expected gradient vanishes in the proximity of the"
            " simplex corners."
        ),
        kind="dynamics",
        depends_on=("saturated-gradient-bound",),
        corrects="regular-expectation-vanishes-near-boundary",
        adds=(
            "corners in place of boundary: inside an edge between two actions of different reward"
            " the gradient is not small"
        ),
    ),
    _claim(
        "regular-variance-vanishes-near-boundary",
        175,
        statement=(
            "For the regular estimator, the variance vanishes in the proximity of the simplex"
            " boundary."
        ),
        kind="dynamics",
        required_evidence=("enumeration",),
    ),
    _claim(
        "regular-variance-vanishes-near-corners",
        175,
        statement=(
            "For the regular estimator, the variance vanishes in the proximity of the simplex"
            " corners."
        ),
        kind="dynamics",
        given=("the rewards have finite second moments",),
        depends_on=("variance-expansion",),
        corrects="regular-variance-vanishes-near-boundary",
        adds="corners in place of boundary: inside an edge the variance is not small",
    ),
    _claim(
        "alternate-variance-nonzero-near-boundary",
        175,
        statement=(
            "Whereas the alternate estimator will have non-zero variance in the proximity of the"
            " simplex boundary."
        ),
        kind="dynamics",
        given=(
            '$bold(g)^"ALT" = (R - r_pi) bold(e)_A$, which the text gives that name',
            "non-zero: it doesn't vanish in the proximity, as the regular one is said to do",
        ),
        required_evidence=("enumeration",),
    ),
    _claim(
        "noisy-alternate-variance-stays-near-boundary",
        175,
        statement=(
            "Near a boundary point whose actions have noisy rewards the variance of the alternate"
            " estimator stays away from zero."
        ),
        kind="dynamics",
        given=(
            _TRUE_BASELINE,
            "the rewards of the actions that have probability near the boundary point are noisy",
        ),
        depends_on=("variance-expansion",),
        corrects="alternate-variance-nonzero-near-boundary",
        adds="noisy rewards: without noise the variance vanishes near the corners",
    ),
    _claim(
        "batch-reduces-alternate-variance",
        175,
        statement="An increase in batch-size would reduce the variance of alternate.",
        kind="inequality",
        given=(
            (
                "footnote; the batch is an average of independent draws with one constant baseline;"
                " the variance of one draw, which is to be reduced, isn't zero"
            ),
        ),
    ),
    _claim(
        "bias-independent-of-batch-size",
        175,
        statement="The biasedness of the alternate estimator is independent of the batch-size.",
        kind="identity",
        given=(
            "footnote; the batch is an average of independent draws, with one constant baseline",
        ),
        depends_on=("expected-alternate-with-baseline",),
    ),
    _claim(
        "alternate-stochastic-update-larger",
        175,
        statement=(
            "The stochastic update for the alternate estimator is much higher than that for the"
            " regular estimator."
        ),
        kind="inequality",
        given=(
            (
                "near a corner, and for its own action, which such a policy nearly always draws, as"
                " in the figure the text points to"
            ),
        ),
    ),
)
