"""Appendix C.3: softmax policies that are linear in the features."""

from __future__ import annotations

from functools import partial

from altpg_verify.ledger import Claim

_BOTH = ("derivation", "enumeration")
_claim = partial(
    Claim,
    section="C.3 Additional details for implementing online linear AC",
    kind="identity",
    required_evidence=_BOTH,
)
_LINEAR = "$[bold(theta)(s)]_a := bold(w)_a^top bold(x)(s)$"
_MATRIX = (
    "$[nabla_bold(W) lambda]_(i j) = (partial lambda) \\/ (partial w_(i j))$, one column for each"
    " action"
)

LINEAR = (
    _claim(
        "weight-gradient-by-columns",
        995,
        statement=(
            "$nabla_bold(W) lambda = [nabla_(bold(w)_1) lambda space nabla_(bold(w)_2) lambda space"
            " dots.c space nabla_(bold(w)_abs(cal(A))) lambda]$"
        ),
        given=(_MATRIX,),
        required_evidence=("derivation",),
    ),
    _claim(
        "preference-weight-gradient",
        999,
        statement=(
            "$nabla_(bold(w)_c) [bold(theta)(s)]_a = nabla_(bold(w)_c) (bold(w)_a^top bold(x)(s)) ="
            " II(c = a) bold(x)(s)$"
        ),
        label="eq: grad_w_theta_s_a",
        given=(_LINEAR,),
        depends_on=("dot-product-rule",),
    ),
    _claim(
        "linear-gradient-first-line",
        1003,
        statement=(
            "$nabla_(bold(w)_c) cal(J)_pi = sum_s nu_pi (s) [nabla_(bold(w)_c) bold(theta)(s)]"
            " bold(pi)(dot | s) dot.o (bold(q)_pi (s, dot) - v_pi (s) bold(1))$"
        ),
        given=(_LINEAR,),
        depends_on=("policy-gradient-separated", "likelihood-gradient-with-value"),
    ),
    _claim(
        "linear-gradient-second-line",
        1004,
        statement=(
            "$nabla_(bold(w)_c) cal(J)_pi = sum_s nu_pi (s) sum_a nabla_(bold(w)_c)"
            " [bold(theta)(s)]_a pi(a | s) (q_pi (s, a) - v_pi (s))$"
        ),
        given=(_LINEAR,),
        depends_on=("linear-gradient-first-line",),
    ),
    _claim(
        "linear-gradient-third-line",
        1005,
        statement=(
            "$nabla_(bold(w)_c) cal(J)_pi = sum_s nu_pi (s) sum_a II(c = a) bold(x)(s) pi(a | s)"
            " (q_pi (s, a) - v_pi (s))$"
        ),
        given=(_LINEAR,),
        depends_on=("linear-gradient-second-line", "preference-weight-gradient"),
    ),
    _claim(
        "linear-gradient-column",
        1006,
        statement=(
            "$nabla_(bold(w)_c) cal(J)_pi = sum_s nu_pi (s) bold(x)(s) pi(c | s) (q_pi (s, c) -"
            " v_pi (s))$"
        ),
        given=(_LINEAR,),
        depends_on=("linear-gradient-third-line",),
    ),
    _claim(
        "linear-gradient-matrix",
        1010,
        statement=(
            "$nabla_bold(W) cal(J)_pi = sum_s nu_pi (s) bold(x)(s) (bold(pi)_bold(w) (dot | s)"
            " dot.o (bold(q)_pi (s, dot) - v_pi (s) bold(1)))^top$"
        ),
        given=(_LINEAR, _MATRIX),
        depends_on=("linear-gradient-column", "weight-gradient-by-columns"),
    ),
    _claim(
        "linear-policy-chain-rule",
        1014,
        statement=(
            "$nabla_(bold(w)_c) pi(a|s) = [nabla_(bold(w)_c) bold(theta)(s)]"
            " [nabla_(bold(theta)(s)) pi(a|s)] = sum_d nabla_(bold(w)_c) [bold(theta)(s)]_d dot"
            " (partial pi(a|s)) / (partial [bold(theta)(s)]_d)$"
        ),
        given=(_LINEAR,),
        depends_on=("chain-rule",),
    ),
    _claim(
        "linear-policy-gradient",
        1015,
        statement=(
            "$nabla_(bold(w)_c) pi(a|s) = sum_d II(c = d) bold(x)(s) dot pi(a|s) [II(d = a) - pi(d"
            " | s)] = pi(a|s) bold(x)(s) [II(c = a) - pi(c | s)]$"
        ),
        given=(_LINEAR,),
        depends_on=("linear-policy-chain-rule", "preference-weight-gradient"),
    ),
    _claim(
        "linear-log-policy-column",
        1016,
        statement="$nabla_(bold(w)_c) log pi(a|s) = bold(x)(s) [II(c = a) - pi(c | s)]$",
        given=(_LINEAR,),
        depends_on=("linear-policy-gradient",),
    ),
    _claim(
        "linear-log-policy-matrix",
        1020,
        statement="$nabla_bold(W) log pi(a|s) = bold(x)(s) (bold(e)_a - bold(pi)(dot|s))^top$",
        label="eq: grad_W_log_pi",
        given=(_LINEAR, _MATRIX),
        depends_on=("linear-log-policy-column",),
    ),
    _claim(
        "linear-actor-critic-regular",
        1025,
        statement=(
            "$gamma^k nabla_bold(W) log pi(a | s) (r + gamma v_pi (s') - v_pi (s)) = "
            "gamma^k (r + gamma v_pi (s') - v_pi (s)) bold(x)(s) (bold(e)_a - bold(pi)(dot|s))^top$"
        ),
        given=(_LINEAR, _MATRIX),
        depends_on=("linear-log-policy-matrix",),
    ),
    _claim(
        "linear-preference-matrix",
        1029,
        statement="$nabla_bold(W) [bold(theta)(s)]_a = bold(x)(s) bold(e)_a^top$",
        given=(_LINEAR, _MATRIX),
        depends_on=("preference-weight-gradient",),
    ),
    _claim(
        "linear-actor-critic-alternate",
        1034,
        statement=(
            "$gamma^k nabla_bold(W) [bold(theta)(s)]_a (r + gamma v_pi (s') - v_pi (s)) = "
            "gamma^k (r + gamma v_pi (s') - v_pi (s)) bold(x)(s) bold(e)_a^top$"
        ),
        given=(_LINEAR, _MATRIX),
        depends_on=("linear-preference-matrix",),
    ),
)
