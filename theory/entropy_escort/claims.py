"""Appendices C.4 and C.5: the entropy-regularized gradient and the escort transform."""

from __future__ import annotations

from functools import partial

from altpg_verify.ledger import Claim

_BOTH = ("derivation", "enumeration")
_escort = partial(Claim, section="C.5 Escort transform", kind="identity", required_evidence=_BOTH)
_entropy = partial(
    Claim,
    section="C.4 Entropy regularized policy gradient",
    kind="identity",
    required_evidence=_BOTH,
)
_LINEAR = "$[bold(theta)(s)]_a := bold(w)_a^top bold(x)(s)$, a softmax policy"
_H = "$cal(H)_pi (s) = - sum_a pi(a|s) log pi(a|s)$"
_VALUES = (
    '$q^"ent"_pi$ and $v^"ent"_pi$ sum the rewards $R_(t+1) + tau cal(H)_pi (S_t)$, the first'
    " one's entropy included"
)
_POSITIVE = "every preference differs from zero"
_ESCORT = (
    "$pi(a|s) = abs(theta_a)^p \\/ sum_(a') abs(theta_(a'))^p$, $p >= 1$, not all preferences zero"
)
_BRACKET = (
    'II(a=d) op("sgn")(theta_a) dot abs(theta_a)^(p-1) - op("sgn")(theta_d) dot abs(theta_d)^(p-1)'
    " pi(a|s)"
)

ENTROPY = (
    _entropy(
        "entropy-objective-is-augmented-reward",
        1042,
        statement=(
            '$cal(J)^"ent" = EE[sum_(t=0)^(T-1) gamma^t (R_(t+1) + tau cal(H)_pi (S_t))]$ arises if'
            ' the agent uses the augmented reward $r^"ent" (R_(t+1), S_t) = R_(t+1) + tau cal(H)_pi'
            " (S_t)$."
        ),
    ),
    _entropy(
        "entropy-values-consistent",
        1045,
        statement='$v^"ent"_pi (s) = sum_a pi(a|s) q^"ent"_pi (s, a)$',
        given=(_VALUES,),
    ),
    _entropy(
        "entropy-policy-gradient",
        1050,
        statement=(
            '$nabla cal(J)^"ent" = sum_s nu_pi (s) sum_a pi(a|s) [nabla log pi(a | s) (q^"ent"_pi'
            ' (s, a) - v^"ent"_pi (s)) + tau nabla cal(H)_pi (s)]$'
        ),
        given=(_VALUES, _H),
        depends_on=("policy-gradient-theorem", "entropy-values-consistent"),
    ),
    _entropy(
        "entropy-gradient-product-rule",
        1055,
        statement=(
            "$nabla_bold(W) cal(H)_pi (s) = - sum_a nabla_bold(W) pi(a|s) log pi(a|s) - sum_a"
            " pi(a|s) nabla_bold(W) log pi(a|s)$, and the second sum is zero"
        ),
        given=(_H,),
    ),
    _entropy(
        "entropy-gradient-score",
        1056,
        statement=(
            "$nabla_bold(W) cal(H)_pi (s) = - sum_a pi(a|s) nabla_bold(W) log pi(a|s) log pi(a|s) ="
            " - bold(x)(s) sum_a (bold(e)_a - bold(pi)(dot|s))^top pi(a|s) log pi(a|s)$"
        ),
        given=(_H, _LINEAR),
        depends_on=("entropy-gradient-product-rule", "linear-log-policy-matrix"),
    ),
    _entropy(
        "entropy-gradient-split",
        1057,
        statement=(
            "$nabla_bold(W) cal(H)_pi (s) = - bold(x)(s) [sum_a bold(e)_a pi(a|s) log pi(a|s) - "
            "bold(pi)(dot|s) sum_a pi(a|s) log pi(a|s)]^top$"
        ),
        given=(_H, _LINEAR),
        depends_on=("entropy-gradient-score",),
    ),
    _entropy(
        "entropy-gradient-final",
        1058,
        statement=(
            "$nabla_bold(W) cal(H)_pi (s) = - bold(x)(s) [bold(pi)(dot|s) dot.o log bold(pi)(dot|s)"
            " + cal(H)_pi (s) bold(pi)(dot|s)]^top$"
        ),
        given=(_H, _LINEAR),
        depends_on=("entropy-gradient-split",),
    ),
)

ESCORT = (
    _escort(
        "escort-escapes-fast",
        1063,
        statement=(
            "The escort transform is theoretically guaranteed to escape policy saturation at a fast"
            " rate."
        ),
        kind="dynamics",
        given=(
            (
                "escape: leave the neighbourhood of the corner along the gradient of the expected"
                " reward"
            ),
        ),
        required_evidence=("enumeration",),
    ),
    _escort(
        "escort-escapes-from-nonzero-preferences",
        1063,
        statement=(
            "From preferences $(M, 1, 1)$ the gradient flow of the escort transform leaves"
            " saturation in a time that is a polynomial in $M$."
        ),
        kind="dynamics",
        given=(
            (
                "along the gradient flow of the expected reward; the best action's preference is at"
                " least one; fast: not exponential in $M$"
            ),
            (
                "the time depends on the scale of the preferences: the same policy from preferences"
                " $s$ times as large takes $s^2$ times as long"
            ),
        ),
        required_evidence=("derivation",),
        corrects="escort-escapes-fast",
        adds=(
            "preferences of at least one in size, and the time as a function of their gap: from"
            " $(10, 0, 0)$ with $p >= 2$ the gradient is zero, and the escort policy never moves"
        ),
    ),
    _escort(
        "escort-approaches-greedy",
        1067,
        statement="As $p -> oo$, an escort policy would approach the greedy policy.",
        kind="dynamics",
        given=(_ESCORT, "greedy for $abs(theta)$, with one largest entry"),
    ),
    _escort(
        "escort-not-all-zero",
        1067,
        statement=(
            "The action preferences for the escort transform cannot all simultaneously be equal to"
            " zero."
        ),
        given=("the quotient would be zero over zero",),
        required_evidence=("derivation",),
    ),
    _escort(
        "escort-derivative-quotient",
        1069,
        statement=(
            "$partial / (partial theta_d) abs(theta_a)^p / (sum_(a') abs(theta_(a'))^p) = (II(a=d)"
            " op(\"sgn\")(theta_a) dot p abs(theta_a)^(p-1) sum_(a') abs(theta_(a'))^p -"
            ' op("sgn")(theta_d) dot p abs(theta_d)^(p-1) abs(theta_a)^p) / (sum_(a\')'
            " abs(theta_(a'))^p)^2$"
        ),
        given=(_ESCORT,),
        required_evidence=("enumeration",),
    ),
    _escort(
        "escort-derivative-quotient-corrected",
        1069,
        statement=(
            "If $p > 1$ or $theta_d != 0$, $partial / (partial theta_d) abs(theta_a)^p / (sum_(a')"
            " abs(theta_(a'))^p) = (II(a=d) op(\"sgn\")(theta_a) dot p abs(theta_a)^(p-1) sum_(a')"
            ' abs(theta_(a\'))^p - op("sgn")(theta_d) dot p abs(theta_d)^(p-1) abs(theta_a)^p) /'
            " (sum_(a') abs(theta_(a'))^p)^2$."
        ),
        given=(_ESCORT,),
        corrects="escort-derivative-quotient",
        adds=(
            "$p > 1$ or $theta_d != 0$: for $p = 1$ the policy has a kink where a preference is"
            " zero"
        ),
    ),
    _escort(
        "escort-derivative",
        1070,
        statement=(
            f"$partial / (partial theta_d) pi(a|s) = p / (sum_(a') abs(theta_(a'))^p) [{_BRACKET}]$"
        ),
        given=(_ESCORT,),
        required_evidence=("enumeration",),
    ),
    _escort(
        "escort-derivative-corrected",
        1070,
        statement=(
            "If $p > 1$ or $theta_d != 0$, $partial / (partial theta_d) pi(a|s) = p / (sum_(a')"
            f" abs(theta_(a'))^p) [{_BRACKET}]$."
        ),
        given=(_ESCORT,),
        depends_on=("escort-derivative-quotient-corrected",),
        corrects="escort-derivative",
        adds=(
            "$p > 1$ or $theta_d != 0$: for $p = 1$ the policy has a kink where a preference is"
            " zero"
        ),
    ),
    _escort(
        "escort-weight-chain-rule",
        1075,
        statement=(
            "$nabla_(bold(w)_c) pi(a|s) = sum_d nabla_(bold(w)_c) theta_d dot (partial pi(a|s)) /"
            " (partial theta_d) = sum_d II(c = d) bold(x)(s) dot p / (sum_(a') abs(theta_(a'))^p)"
            f" [{_BRACKET}]$"
        ),
        given=(_ESCORT, _POSITIVE),
        depends_on=("escort-derivative-corrected", "preference-weight-gradient"),
    ),
    _escort(
        "escort-weight-gradient",
        1076,
        statement=(
            "$nabla_(bold(w)_c) pi(a|s) = (p dot bold(x)(s)) / (sum_(a') abs(theta_(a'))^p)"
            ' [II(a=c) op("sgn")(theta_a) dot abs(theta_a)^(p-1) - op("sgn")(theta_c) dot'
            " abs(theta_c)^(p-1) pi(a|s)]$"
        ),
        given=(_ESCORT, _POSITIVE),
        depends_on=("escort-weight-chain-rule",),
    ),
    _escort(
        "escort-log-gradient-first",
        1077,
        statement=(
            '$nabla_(bold(w)_c) log pi(a|s) = p dot bold(x)(s) [II(a=c) op("sgn")(theta_a) dot'
            ' abs(theta_a)^(p-1) / abs(theta_a)^p - op("sgn")(theta_c) dot abs(theta_c)^(p-1)'
            " (pi(a|s)) / abs(theta_a)^p]$"
        ),
        given=(_ESCORT, _POSITIVE),
        depends_on=("escort-weight-gradient",),
    ),
    _escort(
        "escort-log-gradient-column",
        1078,
        statement=(
            "$nabla_(bold(w)_c) log pi(a|s) = p dot bold(x)(s) [II(a=c) / theta_a - "
            "(op(\"sgn\")(theta_c) dot abs(theta_c)^(p-1)) / (sum_(a') abs(theta_(a'))^p)]$"
        ),
        given=(_ESCORT, _POSITIVE),
        depends_on=("escort-log-gradient-first",),
    ),
    _escort(
        "escort-log-gradient-matrix",
        1082,
        statement=(
            "$nabla_bold(W) log pi(a|s) = p dot bold(x)(s) [bold(e)_a / [bold(theta)(s)]_a -"
            ' (op("sgn")(bold(theta)(s)) dot.o abs(bold(theta)(s))^(p-1)) / (sum_(a\')'
            " abs([bold(theta)(s)]_(a'))^p)]^top$"
        ),
        label="eq: grad_W_log_pi_escort",
        given=(_ESCORT, _POSITIVE),
        depends_on=("escort-log-gradient-column",),
    ),
)
