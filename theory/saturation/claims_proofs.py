"""Appendix B.2, "Proofs: the alternate estimator utilizes reward noise", line by line."""

from __future__ import annotations

from functools import partial

from altpg_verify.ledger import Claim

_BOTH = ("derivation", "enumeration")
_claim = partial(
    Claim,
    section="B.2 Proofs: the alternate estimator utilizes reward noise",
    kind="identity",
    required_evidence=_BOTH,
)
_SATURATED = "$sum_(a in cal(I)_c) pi(a) = 1$ with $cal(I)_c = {a | r(a) = c}$"
_CORNER = (
    "$bold(pi) = bold(e)_c$; $bold(x)^2 := bold(x) dot.o bold(x)$; the variance is elementwise"
)
_MOMENTS = "$r(a) = EE[R | a]$, $sigma(a)^2 = VV[R | a]$"

EXPECTATION = (
    _claim(
        "corner-alternate-variance-is-noise-variance",
        631,
        statement=(
            "At these corners, the variance of the alternate estimator is equal to the variance of"
            " the reward noise."
        ),
        given=("in the component of the corner's action; the others are zero",),
        depends_on=("corner-alternate-variance",),
    ),
    _claim(
        "constant-can-always-be-found",
        634,
        statement=(
            "We can always find such a $c$, with $cal(I)_c := {a | r(a) = c} != emptyset$, by"
            " choosing it to be equal to the expected reward of some action."
        ),
        given=(
            (
                "footnote; that the policy is saturated on $cal(I)_c$ is then an assumption on the"
                " policy"
            ),
        ),
        required_evidence=("derivation",),
    ),
    _claim(
        "gradient-is-pi-times-advantage",
        640,
        statement="$nabla_bold(theta) cal(J) = bold(pi) dot.o (bold(r) - r_pi bold(1))$",
        depends_on=("gradient-as-alternate-with-true-baseline",),
    ),
    _claim(
        "gradient-equations-linear",
        640,
        statement=(
            "$pi(a) dot (r(a) - r_pi) = 0$ for all $a in cal(A)$ and $sum_(a in cal(A)) pi(a) = 1$"
            " is a system of $abs(cal(A)) + 1$ linear equations in $abs(cal(A))$ variables."
        ),
        label="eq: expected_pg_fixed_pt_eqn",
        given=("the variables are the $pi(a)$, and $r_pi = sum_a pi(a) r(a)$",),
        required_evidence=("enumeration",),
    ),
    _claim(
        "gradient-equations-quadratic",
        640,
        statement=(
            "It is a system of $abs(cal(A))$ quadratic equations and one linear one in"
            " $abs(cal(A))$ variables."
        ),
        given=("the variables are the $pi(a)$, and $r_pi = sum_a pi(a) r(a)$",),
        required_evidence=("derivation",),
        corrects="gradient-equations-linear",
        adds="the degree: $r_pi$ is itself a linear function of the variables",
    ),
    _claim(
        "saturated-policy-zero-elsewhere",
        644,
        statement=(
            "For a policy satisfying $sum_(a in cal(I)_c) pi(a) = 1$, $pi(a) = 0$ for all $a in.not"
            " cal(I)_c$."
        ),
    ),
    _claim(
        "saturated-value-is-constant",
        644,
        statement="For such a policy, $r_pi = c = r(a)$ for all $a in cal(I)_c$.",
        given=(_SATURATED,),
        depends_on=("saturated-policy-zero-elsewhere",),
    ),
    _claim(
        "saturated-policy-solves-equations",
        644,
        statement=(
            "Consequently, this policy would also satisfy $pi(a) dot (r(a) - r_pi) = 0$ for all"
            " $a$, and thereby $nabla_bold(theta) cal(J) = bold(0)$."
        ),
        given=(_SATURATED,),
        depends_on=(
            "saturated-policy-zero-elsewhere",
            "saturated-value-is-constant",
            "gradient-is-pi-times-advantage",
        ),
    ),
    _claim(
        "gradient-zero-only-at-boundary",
        647,
        statement=(
            "The expected gradient bandit update $nabla_bold(theta) cal(J)_pi$ is zero only at the"
            " simplex boundary."
        ),
        required_evidence=("enumeration",),
    ),
    _claim(
        "gradient-zero-only-at-boundary-corrected",
        647,
        statement=(
            "If two rewards differ, $nabla_bold(theta) cal(J)_pi$ is zero only at the simplex"
            " boundary."
        ),
        depends_on=("gradient-is-pi-times-advantage",),
        corrects="gradient-zero-only-at-boundary",
        adds="two different rewards: with equal rewards the update is zero everywhere",
    ),
    _claim(
        "gradient-zero-on-equal-reward-faces",
        647,
        statement=(
            "It can be zero either at any one of the corners, or at a point on one of the faces of"
            " the simplex such that all the actions on that face have the same expected reward."
        ),
        given=("the whole simplex counts as a face",),
        depends_on=("gradient-is-pi-times-advantage",),
    ),
)

VARIANCE = (
    _claim(
        "corner-alternate-baseline-variance",
        650,
        statement=(
            "If $pi(c) = 1$ and $sigma(c)^2 != 0$, the variance of the alternate estimator (with or"
            ' without a baseline) is non-zero: $VV[bold(g)^"ALT" (A, R)] = VV[hat(bold(g))^"ALT"'
            " (A, R)] = sigma(c)^2 bold(e)_c$."
        ),
        label="thm: variance_saturated_pg",
        given=("the variance is elementwise",),
        depends_on=("corner-variance-at-eta-zero",),
    ),
    _claim(
        "mean-reward",
        655,
        statement="$EE[R] = sum_a pi(a) sum_x p(x | a) x = sum_a pi(a) r(a) = r_pi$",
    ),
    _claim(
        "second-moment-by-conditioning",
        656,
        statement=(
            "$EE[R^2] = EE_A [EE_R [R^2 | A]] = EE_A [VV[R | A] + EE[R | A]^2] = sum_a pi(a)"
            " (sigma(a)^2 + r(a)^2)$"
        ),
        given=(_MOMENTS,),
    ),
    _claim(
        "second-moment-as-inner-product",
        657,
        statement="$EE[R^2] = bold(pi)^top (bold(sigma)^2 + bold(r)^2)$",
        given=(_MOMENTS,),
        depends_on=("second-moment-by-conditioning",),
    ),
    _claim(
        "mean-basis-vector", 658, statement="$EE[bold(e)_A] = sum_a pi(a) bold(e)_a = bold(pi)$"
    ),
    _claim(
        "mean-basis-times-reward",
        659,
        statement=(
            "$EE[bold(e)_A R] = sum_a pi(a) bold(e)_a sum_x p(x | a) x = sum_a pi(a) bold(e)_a r(a)"
            " = bold(pi) dot.o bold(r)$"
        ),
    ),
    _claim(
        "mean-basis-times-squared-reward",
        660,
        statement=(
            "$EE[bold(e)_A R^2] = EE_A [bold(e)_A EE_R [R^2 | A]] = sum_a pi(a) bold(e)_a"
            " (sigma(a)^2 + r(a)^2) = bold(pi) dot.o (bold(sigma)^2 + bold(r)^2)$"
        ),
        given=(_MOMENTS,),
    ),
    _claim(
        "variance-drops-constant",
        665,
        statement=(
            "$VV[(bold(e)_A - bold(eta)) (R - b)] = VV[bold(e)_A R - bold(e)_A b - bold(eta) R +"
            " bold(eta) b] = VV[bold(e)_A R - bold(e)_A b - bold(eta) R]$"
        ),
        given=("$bold(eta)$ and $b$ don't depend on the action",),
    ),
    _claim(
        "variance-expansion-first-line",
        666,
        statement=(
            "$VV[bold(e)_A R - bold(e)_A b - bold(eta) R] = VV[bold(e)_A R] + VV[bold(e)_A b] +"
            ' VV[bold(eta) R] - 2 "Cov"(bold(e)_A R, bold(e)_A b) - 2 "Cov"(bold(e)_A b, bold(eta)'
            ' R) + 2 "Cov"(bold(e)_A b, bold(eta) R)$'
        ),
        given=(
            "$bold(eta)$ and $b$ don't depend on the action; elementwise variance and covariance",
        ),
        required_evidence=("enumeration",),
    ),
    _claim(
        "variance-expansion-first-line-corrected",
        666,
        statement=(
            "$VV[bold(e)_A R - bold(e)_A b - bold(eta) R] = VV[bold(e)_A R] + VV[bold(e)_A b] +"
            ' VV[bold(eta) R] - 2 "Cov"(bold(e)_A R, bold(e)_A b) - 2 "Cov"(bold(e)_A R, bold(eta)'
            ' R) + 2 "Cov"(bold(e)_A b, bold(eta) R)$'
        ),
        given=(
            "$bold(eta)$ and $b$ don't depend on the action; elementwise variance and covariance",
        ),
        corrects="variance-expansion-first-line",
        adds=(
            '$"Cov"(bold(e)_A R, bold(eta) R)$ in the place of the first $"Cov"(bold(e)_A b,'
            " bold(eta) R)$; as printed the last two terms cancel"
        ),
    ),
    _claim(
        "variance-expansion",
        667,
        statement=(
            "$VV[(bold(e)_A - bold(eta)) (R - b)] = VV[bold(e)_A R] + VV[bold(e)_A] b^2 + VV[R]"
            ' bold(eta)^2 - 2 "Cov"(bold(e)_A R, bold(e)_A) b - 2 "Cov"(bold(e)_A R, R) dot.o'
            ' bold(eta) + 2 "Cov"(bold(e)_A, R) dot.o bold(eta) b$'
        ),
        label="eq: gradient_bandit_estimators_variance_expression",
        given=(
            "$bold(eta)$ and $b$ don't depend on the action; elementwise variance and covariance",
        ),
        depends_on=("variance-drops-constant", "variance-expansion-first-line-corrected"),
    ),
    _claim(
        "corner-variance-terms",
        672,
        statement=(
            "At the corner, the expression of the line above is "
            "$bold(e)_c dot.o bold(sigma)^2 + bold(0) + sigma(c)^2 bold(eta)^2 - bold(0) "
            "- 2 bold(sigma) dot.o bold(e)_c dot.o bold(eta) + bold(0)$."
        ),
        given=(_CORNER,),
        required_evidence=("enumeration",),
    ),
    _claim(
        "corner-variance-terms-corrected",
        672,
        statement=(
            "At the corner, it is $bold(e)_c dot.o bold(sigma)^2 + bold(0) + sigma(c)^2 bold(eta)^2"
            " - bold(0) - 2 bold(sigma)^2 dot.o bold(e)_c dot.o bold(eta) + bold(0)$."
        ),
        given=(_CORNER,),
        depends_on=("variance-expansion",),
        corrects="corner-variance-terms",
        adds="the square on $bold(sigma)$ in the fifth term",
    ),
    _claim(
        "corner-variance-simplified",
        673,
        statement=(
            "At the corner, it is $sigma(c)^2 bold(e)_c + sigma(c)^2 bold(eta)^2 - 2 sigma(c)^2"
            " eta(c)^2 bold(e)_c$."
        ),
        given=(_CORNER,),
        required_evidence=("enumeration",),
    ),
    _claim(
        "corner-variance-simplified-corrected",
        673,
        statement=(
            "At the corner, it is $sigma(c)^2 bold(e)_c + sigma(c)^2 bold(eta)^2 - 2 sigma(c)^2"
            " eta(c) bold(e)_c$."
        ),
        given=(_CORNER,),
        depends_on=("corner-variance-terms-corrected",),
        corrects="corner-variance-simplified",
        adds="no square on $eta(c)$ in the last term; both agree where $eta(c)$ is 0 or 1",
    ),
    _claim(
        "corner-variance-at-eta-zero",
        673,
        statement=(
            "At the corner, it is $sigma(c)^2 bold(e)_c$ if $bold(eta) = bold(0)$ (i.e. for the"
            " alternate estimator)."
        ),
        given=(_CORNER,),
        depends_on=("corner-variance-simplified-corrected",),
    ),
    _claim(
        "corner-variance-at-eta-pi",
        674,
        statement=(
            "At the corner, it is $bold(0)$ if $bold(eta) = bold(pi) = bold(e)_c$ (i.e. for the"
            " regular estimator)."
        ),
        given=(_CORNER,),
        depends_on=("corner-variance-simplified-corrected",),
    ),
)
