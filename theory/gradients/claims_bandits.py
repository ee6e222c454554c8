"""Section 2, the part on gradient bandits: the gradient in components and the regular estimator."""

from __future__ import annotations

from functools import partial

from altpg_verify.ledger import Claim

_claim = partial(Claim, section="2 Preliminaries")

GRADIENT_BANDITS = (
    _claim(
        "gradient-bandit-componentwise",
        102,
        statement="$[nabla_bold(theta) cal(J)_pi]_i = r(a_i) dot pi(a_i) dot (1 - pi(a_i))$",
        kind="identity",
        label="eq: gradient_bandit",
        given=("$pi$ is the softmax policy of the preferences $bold(theta)$",),
        required_evidence=("enumeration",),
    ),
    _claim(
        "gradient-bandit-componentwise-corrected",
        102,
        statement="$[nabla_bold(theta) cal(J)_pi]_i = pi(a_i) dot (r(a_i) - r_pi)$",
        kind="identity",
        given=("$pi$ is the softmax policy of the preferences $bold(theta)$",),
        required_evidence=("derivation", "enumeration"),
        depends_on=("softmax-jacobian",),
        corrects="gradient-bandit-componentwise",
        adds=(
            "all the other actions, whose probabilities move too: $pi(a_i) r(a_i) (1 - pi(a_i)) -"
            " pi(a_i) sum_(j != i) pi(a_j) r(a_j)$"
        ),
    ),
    _claim(
        "regular-scalar-form-unbiased",
        106,
        statement=(
            'The regular estimator $[hat(bold(g))^"REG" (A, R)]_a = (R - b) (II(A = a) - pi(a))$ is'
            " such that $nabla_bold(theta) cal(J)_pi = EE_(A tilde pi; R tilde p(dot|A))"
            ' [hat(bold(g))^"REG" (A, R)]$.'
        ),
        kind="identity",
        label="eq: regular_bandit_estimator_scalar",
        given=("$b$ is an estimate of $r_pi$ that doesn't depend on the sampled $A$ and $R$",),
        required_evidence=("derivation", "enumeration"),
        depends_on=("softmax-jacobian",),
    ),
)
