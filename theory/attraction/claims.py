"""Appendix B.3: the divergence from the fixed point after a step, and the pessimistic half of
theorem 1.
"""

from __future__ import annotations

from functools import partial

from altpg_verify.ledger import Claim

_claim = partial(Claim, section="B.3 Proofs: the alternate estimator utilizes its biasedness")
_BOTH = ("derivation", "enumeration")
_LOG = "log (sum_c pi_t (c) dot e^(pi_t (c) zeta(c)))"
_HARMONIC = "(sum_c 1 / zeta(c))^(-1)"
_ZETA = "$zeta(a) := alpha [r(a) - b]$, $alpha > 0$"
_PESSIMISTIC = "$b < r(a)$ for all actions; $pi_t != pi^*$ is a softmax policy; " + _ZETA

KL = (
    _claim(
        "mgf-bound",
        760,
        statement="If $l <= X <= u$, then $EE[e^X] <= e^((u - l)^2 \\/ 8 + EE[X])$.",
        kind="inequality",
        label="thm: upper_bound_mgf",
        required_evidence=("derivation", "enumeration"),
    ),
    _claim(
        "preference-update-with-zeta",
        773,
        statement=(
            "For each action, the preference would be updated using $theta^((t+1))_a ="
            " theta^((t))_a + pi_t (a) zeta(a)$."
        ),
        kind="dynamics",
        given=(_ZETA,),
        required_evidence=_BOTH,
        depends_on=("expected-alternate-with-baseline",),
    ),
    _claim(
        "next-policy",
        775,
        statement=(
            "$pi_(t+1) (a) = e^(theta^((t))_a + pi_t (a) zeta(a)) / (sum_c e^(theta^((t))_c + pi_t"
            " (c) zeta(c))) = (pi_t (a) dot e^(pi_t (a) zeta(a))) / (sum_c pi_t (c) dot e^(pi_t (c)"
            " zeta(c)))$"
        ),
        kind="dynamics",
        label="eq: pi_{t+1}",
        given=(_ZETA,),
        required_evidence=("derivation",),
        depends_on=("preference-update-with-zeta",),
    ),
    _claim(
        "kl-first-line",
        779,
        statement=(
            '$D_"KL" (pi^* || pi_(t+1)) = sum_a pi^*(a) log (pi^*(a)) / (pi_(t+1) (a)) = sum_a'
            " pi^*(a) log ((pi^*(a)) / (pi_t (a)) dot (sum_c pi_t (c) dot e^(pi_t (c) zeta(c))) /"
            " e^(pi_t (a) zeta(a)))$"
        ),
        kind="identity",
        required_evidence=("derivation",),
        depends_on=("next-policy",),
    ),
    _claim(
        "kl-second-line",
        780,
        statement=(
            '$D_"KL" (pi^* || pi_(t+1)) = sum_a pi^*(a) log (pi^*(a)) / (pi_t (a)) + '
            f"sum_a pi^*(a) {_LOG} - sum_a pi^*(a) pi_t (a) zeta(a)$"
        ),
        kind="identity",
        required_evidence=("derivation",),
        depends_on=("kl-first-line",),
    ),
    _claim(
        "kl-relation",
        781,
        statement=f'$D_"KL" (pi^* || pi_(t+1)) = D_"KL" (pi^* || pi_t) + {_LOG} - {_HARMONIC}$',
        kind="identity",
        label="eq: KL_relation",
        required_evidence=("derivation", "enumeration"),
        depends_on=("kl-second-line", "fixed-point-formula"),
    ),
    _claim(
        "pi-star-quoted",
        783,
        statement=(
            "The expression used in the last line: $pi^*(a) = 1 / (r(a) - b) (sum_(c in cal(A)) 1 /"
            " (r(c) - b))$."
        ),
        kind="fixed point",
        required_evidence=("enumeration",),
    ),
    _claim(
        "pi-star-quoted-corrected",
        783,
        statement=(
            "The expression used in the last line: $pi^*(a) = 1 / (r(a) - b) (sum_(c in cal(A)) 1 /"
            " (r(c) - b))^(-1)$."
        ),
        kind="fixed point",
        required_evidence=_BOTH,
        depends_on=("fixed-point-formula",),
        corrects="pi-star-quoted",
        adds="the inverse on the sum, as in the equation that the sentence refers to",
    ),
)

PESSIMISTIC = (
    _claim(
        "zeta-positive-if-pessimistic",
        785,
        statement="With $alpha > 0$ and $b < r(a)$, $zeta(a) > 0$ for all actions $a$.",
        kind="inequality",
        given=(_ZETA,),
        required_evidence=_BOTH,
    ),
    _claim(
        "cauchy-schwarz-pessimistic",
        787,
        statement=(
            "$(sum_c pi_t (c)^2 zeta(c)) (sum_c 1 / zeta(c)) > (sum_c pi_t (c) sqrt(zeta(c)) dot 1"
            " / sqrt(zeta(c)))^2 = 1$"
        ),
        kind="inequality",
        given=(_PESSIMISTIC,),
        required_evidence=_BOTH,
        depends_on=("zeta-positive-if-pessimistic", "equality-only-at-constant-ratio-corrected"),
    ),
    _claim(
        "second-moment-exceeds-harmonic",
        788,
        statement=f"$sum_c pi_t (c)^2 zeta(c) > {_HARMONIC}$",
        kind="inequality",
        given=(_PESSIMISTIC,),
        required_evidence=_BOTH,
        depends_on=("cauchy-schwarz-pessimistic",),
    ),
    _claim(
        "equality-only-at-constant-ratio",
        790,
        statement="For no constant $rho$ does $(pi_t (a)) / zeta(a) = rho$ for all actions $a$.",
        kind="inequality",
        given=(_PESSIMISTIC,),
        required_evidence=("enumeration",),
    ),
    _claim(
        "equality-only-at-constant-ratio-corrected",
        790,
        statement="For no constant $rho$ does $pi_t (a) zeta(a) = rho$ for all actions $a$.",
        kind="inequality",
        given=(_PESSIMISTIC,),
        required_evidence=_BOTH,
        depends_on=("fixed-point-formula",),
        corrects="equality-only-at-constant-ratio",
        adds=(
            "the product $pi_t (a) zeta(a)$ in the place of the ratio: that is when Cauchy-Schwarz"
            " is an equality"
        ),
    ),
    _claim(
        "constant-ratio-implies-fixed-point",
        790,
        statement=(
            "If $(pi_t (a)) / zeta(a) = rho$ for all actions $a$, it would imply that $pi_t ="
            " pi^*$."
        ),
        kind="fixed point",
        given=("$b < r(a)$ for all actions; $pi_t$ is a softmax policy; " + _ZETA,),
        required_evidence=("enumeration",),
    ),
    _claim(
        "constant-product-implies-fixed-point",
        790,
        statement=(
            "If $pi_t (a) zeta(a) = rho$ for all actions $a$, it would imply that $pi_t = pi^*$."
        ),
        kind="fixed point",
        given=("$b < r(a)$ for all actions; $pi_t$ is a softmax policy; " + _ZETA,),
        required_evidence=_BOTH,
        depends_on=("fixed-point-formula",),
        corrects="constant-ratio-implies-fixed-point",
        adds="the product $pi_t (a) zeta(a)$ in the place of the ratio",
    ),
    _claim(
        "jensen-step",
        792,
        statement=(
            f"${_LOG} > sum_c pi_t (c) log (e^(pi_t (c) zeta(c))) = sum_c pi_t (c)^2 zeta(c)$"
        ),
        kind="inequality",
        given=(_PESSIMISTIC,),
        required_evidence=_BOTH,
        depends_on=("equality-only-at-constant-ratio-corrected",),
    ),
    _claim(
        "log-term-exceeds-harmonic",
        792,
        statement=f"${_LOG} > sum_c pi_t (c)^2 zeta(c) > {_HARMONIC}$",
        kind="inequality",
        given=(_PESSIMISTIC,),
        required_evidence=_BOTH,
        depends_on=("jensen-step", "second-moment-exceeds-harmonic"),
    ),
)
