"""Section 3 up to the complexity of a step: vector notation, both forms of the gradient, both
estimators.
"""

from __future__ import annotations

from functools import partial

from altpg_verify.ledger import Claim

_BOTH = ("derivation", "enumeration")
_claim = partial(
    Claim, section="3 Alternate gradient bandits", kind="identity", required_evidence=_BOTH
)

ALTERNATE_BANDITS = (
    _claim(
        "expectation-is-inner-product",
        122,
        statement="$cal(J)_pi equiv r_pi = EE_pi [R] = sum_a pi(a) r(a) = bold(pi)^top bold(r)$",
    ),
    _claim(
        "softmax-vector-form",
        122,
        statement=(
            "The softmax policy can be written as $bold(pi) = e^bold(theta) \\/ (bold(1)^top"
            " e^bold(theta))$ with $[e^bold(theta)]_a := e^(theta_a)$."
        ),
        required_evidence=("derivation",),
    ),
    _claim(
        "softmax-jacobian",
        122,
        statement=(
            '$nabla_bold(theta) bold(pi) = (bold(I) - bold(pi) bold(1)^top) "diag"(bold(pi))$'
        ),
    ),
    _claim(
        "gradient-as-jacobian-times-reward",
        125,
        statement=(
            "$nabla_bold(theta) cal(J) = nabla_bold(theta) (bold(pi)^top bold(r)) = "
            '(bold(I) - bold(pi) bold(1)^top) "diag"(bold(pi)) bold(r)$'
        ),
        depends_on=("softmax-jacobian", "expectation-is-inner-product"),
    ),
    _claim(
        "gradient-as-expected-score",
        126,
        statement="$nabla_bold(theta) cal(J) = EE_(A tilde pi) [r(A) (bold(e)_A - bold(pi))]$",
        depends_on=("gradient-as-jacobian-times-reward",),
    ),
    _claim(
        "gradient-as-regular-with-true-baseline",
        127,
        statement=(
            "$nabla_bold(theta) cal(J) = EE_(A tilde pi, R tilde p(dot|A)) [(R - r_pi) (bold(e)_A -"
            " bold(pi))]$"
        ),
        label="eq: regular_gradient_bandit",
        depends_on=("gradient-as-expected-score",),
    ),
    _claim(
        "regular-vector-form-agrees",
        131,
        statement=(
            'The approximate version, as given before in components, is $hat(bold(g))^"REG" (A, R)'
            " = (R - b) (bold(e)_A - bold(pi))$."
        ),
        label="eq: regular_gradient_bandit_with_baseline",
        given=('in components: $[hat(bold(g))^"REG" (A, R)]_a = (R - b) (II(A = a) - pi(a))$',),
    ),
    _claim(
        "regular-unbiased-any-baseline",
        133,
        statement=(
            'The regular estimator remains unbiased: $nabla cal(J) = EE[hat(bold(g))^"REG" (A,'
            " R)]$."
        ),
        given=("$b$ is any number that doesn't depend on the sampled $A$ and $R$",),
        depends_on=("gradient-as-expected-score",),
    ),
    _claim(
        "alternate-form-outer-product",
        137,
        statement=(
            '$nabla_bold(theta) cal(J) = (bold(I) - bold(pi) bold(1)^top) "diag"(bold(pi)) bold(r)'
            ' = ("diag"(bold(r)) - bold(pi) bold(r)^top) bold(pi)$'
        ),
        depends_on=("gradient-as-jacobian-times-reward",),
    ),
    _claim(
        "alternate-form-scalar-product",
        138,
        statement=(
            '$nabla_bold(theta) cal(J) = "diag"(bold(r)) bold(pi) - bold(pi)^top bold(r) bold(pi) ='
            ' ("diag"(bold(r)) - bold(pi)^top bold(r) bold(I)) bold(pi)$'
        ),
        depends_on=("alternate-form-outer-product",),
    ),
    _claim(
        "gradient-as-alternate-with-true-baseline",
        139,
        statement=(
            "$nabla_bold(theta) cal(J) = EE_(A tilde pi, R tilde p(dot|A)) [(R - r_pi) bold(e)_A]$"
        ),
        label="eq: alternate_stochastic_softmax_grad_vector",
        depends_on=("alternate-form-scalar-product",),
    ),
    _claim(
        "regular-updates-all-components",
        146,
        statement=(
            "At each time-step, the regular estimator updates all the components of the action"
            " preference vector $bold(theta)$."
        ),
        kind="algorithm",
        given=(
            (
                "to update a component is to compute its new value and write it, whether or not the"
                " value changes"
            ),
        ),
        required_evidence=("enumeration",),
    ),
    _claim(
        "alternate-updates-single-component",
        146,
        statement="The alternate estimator only updates a single component of $bold(theta)$.",
        kind="algorithm",
        given=(
            (
                "to update a component is to compute its new value and write it, whether or not the"
                " value changes"
            ),
        ),
        required_evidence=("enumeration",),
    ),
    _claim(
        "components-that-move",
        146,
        statement=(
            "The regular update changes every preference if $R != b$ and none if $R = b$; "
            "the alternate update changes exactly that of $A$ if $R != b$ and none if $R = b$."
        ),
        kind="algorithm",
        given=("$0 < pi(a) < 1$ for every action",),
        extension=True,
    ),
    _claim(
        "regular-step-costs-linear",
        146,
        statement=(
            "A gradient bandit algorithm employing the regular estimator will have a per-timestep"
            " computational complexity of $cal(O)(abs(cal(A)))$."
        ),
        kind="complexity",
        required_evidence=("execution",),
        depends_on=("regular-updates-all-components",),
    ),
    _claim(
        "alternate-step-costs-logarithmic",
        146,
        statement=(
            "Gradient bandits utilizing the alternate estimator can use a tree based sampling"
            " procedure to have a per-time-step complexity of $cal(O)(log abs(cal(A)))$."
        ),
        kind="complexity",
        given=(
            (
                "the total of all exponentiated preferences is stored and updated with each of"
                " them, as the range of the key needs it"
            ),
            (
                "counted on a tree that is laid out like a heap in an array and stores the total of"
                " each sub-tree"
            ),
        ),
        required_evidence=("execution",),
        depends_on=("alternate-updates-single-component",),
    ),
    _claim(
        "cost-difference-substantial",
        146,
        statement="When the action space is large, this difference becomes substantial.",
        kind="empirical",
        given=(
            (
                "quantity: seconds (or operations) of a step with each estimator for $abs(cal(A)) ="
                " 2^3, ..., 2^20$"
            ),
            "the tree is laid out like a heap in an array and stores the total of each sub-tree",
            (
                "supported by a ratio that grows with $abs(cal(A))$ and passes 10; refuted by a"
                " ratio that stays bounded"
            ),
        ),
        required_evidence=("execution",),
        depends_on=("regular-step-costs-linear", "alternate-step-costs-logarithmic"),
    ),
)
