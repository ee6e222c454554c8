"""Appendix B.3: the lemma on fixed points and its proof, case by case."""

from __future__ import annotations

from functools import partial

from altpg_verify.ledger import Claim

_BOTH = ("derivation", "enumeration")
_claim = partial(
    Claim,
    section="B.3 Proofs: the alternate estimator utilizes its biasedness",
    kind="fixed point",
    required_evidence=_BOTH,
)
_EQUATIONS = (
    "$pi(a) dot (r(a) - b) = kappa$ for all $a in cal(A)$, and $sum_(a in cal(A)) pi(a) = 1$"
)
_INTERIOR = "a softmax policy: every probability positive"

LEMMA = (
    _claim(
        "lemma-case-1-no-fixed-point",
        711,
        statement=(
            "If there is an $n in {1, ..., k - 1}$ with $r_1 <= dots.c <= r_n < b < r_(n+1) <="
            " dots.c <= r_k$, the biased update has no fixed point."
        ),
        label="thm: fixed_pt_biased_pg",
        given=(_INTERIOR, "fixed point: a policy that the update doesn't change"),
        depends_on=("case-1-no-kappa", "fixed-point-equation"),
    ),
    _claim(
        "corners-fixed-on-closed-simplex",
        711,
        statement=(
            "On the closed simplex, with $pi_(t+1) (a) prop pi_t (a) e^(alpha pi_t (a) (r(a) -"
            " b))$, every corner is a fixed point of the policy, whatever $b$."
        ),
        depends_on=("next-policy",),
        extension=True,
    ),
    _claim(
        "fixed-point-equation",
        716,
        statement=(
            "The policy stops changing if and only if, for each action, "
            "$g_a = 1 / alpha log (sum_b e^(theta_b + alpha g_b)) / (sum_b e^(theta_b)) =: kappa$."
        ),
        given=(
            (
                '$bold(theta)^"new" = bold(theta)^"old" + alpha bold(g)$, $bold(theta) ='
                ' bold(theta)^"old"$, $alpha > 0$'
            ),
        ),
        required_evidence=("derivation",),
    ),
    _claim(
        "fixed-point-constant-gradient",
        718,
        statement=(
            "At the fixed point of the gradient bandit update, each element of the expected"
            " gradient is equal to the constant $kappa$, independent of the action."
        ),
        depends_on=("fixed-point-equation",),
    ),
    _claim(
        "fixed-point-equations-linear",
        720,
        statement=(
            "We have the following system of $abs(cal(A)) + 1$ linear equations in $abs(cal(A)) +"
            f" 1$ variables: {_EQUATIONS}."
        ),
        label="eq: bised_pg_fixed_pt_eqn",
        given=("the variables are the $pi(a)$ and $kappa$; $b$ is fixed",),
        depends_on=("fixed-point-constant-gradient", "expected-alternate-with-baseline"),
    ),
    _claim(
        "case-1-signs",
        729,
        statement=(
            "There are two actions with $r(a_n) = r_n < b < r_(n+1) = r(a_(n+1))$, then $pi(a_n)"
            " dot (r(a_n) - b) < 0$ and $pi(a_(n+1)) dot (r(a_(n+1)) - b) > 0$."
        ),
        kind="inequality",
        given=("$b$ lies strictly between the expected rewards, equal to none", _INTERIOR),
    ),
    _claim(
        "case-1-no-kappa",
        731,
        statement=(
            f"Consequently, for no value of $kappa$ could the equations be satisfied: {_EQUATIONS}."
        ),
        given=("$b$ lies strictly between the expected rewards, equal to none",),
        depends_on=("fixed-point-equations-linear", "case-1-signs"),
    ),
    _claim(
        "case-2-kappa-zero",
        735,
        statement=(
            "If the expected reward of any action is equal to the baseline $b$, then $kappa = 0$."
        ),
        given=(_EQUATIONS,),
        depends_on=("fixed-point-equations-linear",),
    ),
    _claim(
        "case-2-face",
        737,
        statement=(
            "The fixed point solution corresponds to the face of the simplex where the expected"
            " reward of each of the actions is $b$: $sum_(a in cal(I)_b) pi(a) = 1$ with $cal(I)_b"
            " = {a | r(a) = b}$."
        ),
        label="eq: fixed_pt_biased_pg_set1",
        given=(_EQUATIONS, "$r(a) = b$ for at least one action; the closed simplex"),
        depends_on=("case-2-kappa-zero",),
    ),
    _claim(
        "case-3-policy-from-kappa",
        741,
        statement="$pi(a) = kappa / (r(a) - b)$ for all $a in cal(A)$",
        given=(_EQUATIONS, "$b > r(a)$ for all actions or $b < r(a)$ for all actions"),
        depends_on=("fixed-point-equations-linear",),
    ),
    _claim(
        "kappa-formula",
        743,
        statement=(
            "$sum_a pi(a) = 1 quad => quad sum_a kappa / (r(a) - b) = 1 quad => quad kappa = (sum_a"
            " 1 / (r(a) - b))^(-1)$"
        ),
        given=(_EQUATIONS, "$b > r(a)$ for all actions or $b < r(a)$ for all actions"),
        depends_on=("case-3-policy-from-kappa",),
    ),
    _claim(
        "fixed-point-formula",
        747,
        statement=(
            "The fixed point of the biased update is given by $pi(a) = 1 / (r(a) - b) (sum_(c in"
            " cal(A)) 1 / (r(c) - b))^(-1)$ for all actions $a in cal(A)$."
        ),
        label="eq: imp_fixed_point_solution_biased",
        given=("$b > r(a)$ for all actions or $b < r(a)$ for all actions",),
        depends_on=("case-3-policy-from-kappa", "kappa-formula"),
    ),
    _claim(
        "footnote-true-gradient-component",
        749,
        statement=(
            "For the true gradient bandit update, assuming a fixed point, $g_a = pi(a) dot (r(a) -"
            " b) = kappa$ for all $a in cal(A)$."
        ),
        given=("footnote; $bold(g) = nabla_bold(theta) cal(J)$",),
        required_evidence=("enumeration",),
    ),
    _claim(
        "footnote-true-gradient-component-corrected",
        749,
        statement=(
            "For the true gradient bandit update, assuming a fixed point, $g_a = pi(a) dot (r(a) -"
            " r_pi) = kappa$ for all $a in cal(A)$."
        ),
        depends_on=("gradient-is-pi-times-advantage", "fixed-point-constant-gradient"),
        corrects="footnote-true-gradient-component",
        adds="$r_pi$ in the place of $b$, as in the sum that follows it",
    ),
    _claim(
        "footnote-true-kappa-zero",
        751,
        statement=(
            "$sum_a pi(a) dot (r(a) - r_pi) = abs(cal(A)) kappa quad => quad sum_a pi(a) r(a) -"
            " r_pi sum_a pi(a) = abs(cal(A)) kappa quad => quad kappa = 0$: it is always zero for"
            " the true gradient bandit update."
        ),
        given=("footnote",),
        depends_on=("gradient-is-pi-times-advantage",),
    ),
)
