"""Appendices C.1 and C.2: the regular estimator again, and both estimators for PPO, REINFORCE,
online actor-critic and TRPO.
"""

from __future__ import annotations

from functools import partial

from altpg_verify.ledger import Claim

_remark = partial(
    Claim, section="C.1 Remark about the regular softmax PG estimator for MDPs", kind="identity"
)
_BOTH = ("derivation", "enumeration")
_claim = partial(
    Claim,
    section="C.2 Adapting the alternate estimator to various PG algorithms",
    kind="identity",
    required_evidence=_BOTH,
)
_OLD = 'nu_(pi_"old")'
_RATIO_SAMPLE = '(pi_bold(w) (A | S)) / (pi_"old" (A | S))'
_H = "tilde(h)"
_COND = (
    '$"cond"$ is true where $h > 0$ and the ratio is below $1 + epsilon$, or $h < 0$ and the ratio'
    " is above $1 - epsilon$"
)
_KINK = "no ratio is exactly $1 + epsilon$ or $1 - epsilon$, where the objective has a kink"
_TILDE = f'${_H} (s, a) := h_(pi_"old") (s, a) II("cond"(s, a))$'
_UNNORMALIZED = "expectations sum over $nu$, which need not sum to one"
_TRUE_VALUE = "$v_pi$ is the true value function; the episodes end with probability one"

REMARK = (
    _remark(
        "mdp-regular-is-familiar-estimator",
        911,
        statement='$bold(g)^"REG" (S, A) = nabla_bold(w) log pi(A | S) (q_pi (S, A) - v_pi (S))$',
        required_evidence=_BOTH,
        depends_on=("log-policy-gradient",),
    ),
    _remark(
        "log-policy-gradient-steps",
        915,
        statement=(
            "$nabla_bold(w) log pi(A | S) = nabla_bold(w) [bold(theta)(S)]_A - nabla_bold(w) log"
            " (sum_a e^([bold(theta)(S)]_a)) = nabla_bold(w) [bold(theta)(S)]_A - (sum_a"
            " e^([bold(theta)(S)]_a) nabla_bold(w) [bold(theta)(S)]_a) / (sum_b"
            " e^([bold(theta)(S)]_b))$"
        ),
        required_evidence=_BOTH,
    ),
    _remark(
        "log-policy-gradient",
        916,
        statement=(
            "$nabla_bold(w) log pi(A | S) = nabla_bold(w) [bold(theta)(S)]_A - sum_a pi(a | S)"
            " nabla_bold(w) [bold(theta)(S)]_a$"
        ),
        required_evidence=_BOTH,
        depends_on=("log-policy-gradient-steps",),
    ),
)

PPO = (
    _claim(
        "ppo-gradient-with-condition",
        930,
        statement=(
            f'$nabla_bold(w) cal(J)_"PPO" = sum_s {_OLD} (s) sum_a pi_"old" (a | s) dot'
            ' II("cond"(s, a)) (nabla_bold(w) pi_bold(w) (a | s)) / (pi_"old" (a | s))'
            ' h_(pi_"old") (s, a)$'
        ),
        given=(
            (
                f'$cal(J)_"PPO" := sum_s {_OLD} (s) sum_a pi_"old" (a | s) dot min(rho h,'
                ' "clip"[rho, 1 - epsilon, 1 + epsilon] h)$ with $rho = (pi_bold(w) (a | s)) /'
                ' (pi_"old" (a | s))$ and $h = h_(pi_"old") (s, a)$'
            ),
            _COND,
        ),
        required_evidence=("enumeration",),
    ),
    _claim(
        "ppo-gradient-away-from-kinks",
        930,
        statement="Where no ratio is exactly $1 + epsilon$ or $1 - epsilon$: "
        + f'$nabla_bold(w) cal(J)_"PPO" = sum_s {_OLD} (s) sum_a pi_"old" (a | s) dot II("cond"(s,'
        ' a)) (nabla_bold(w) pi_bold(w) (a | s)) / (pi_"old" (a | s)) h_(pi_"old") (s, a)$',
        given=(
            (
                f'$cal(J)_"PPO" := sum_s {_OLD} (s) sum_a pi_"old" (a | s) dot min(rho h,'
                ' "clip"[rho, 1 - epsilon, 1 + epsilon] h)$ with $rho = (pi_bold(w) (a | s)) /'
                ' (pi_"old" (a | s))$ and $h = h_(pi_"old") (s, a)$'
            ),
            _COND,
            _KINK,
        ),
        corrects="ppo-gradient-with-condition",
        adds=(
            "no ratio exactly $1 + epsilon$ or $1 - epsilon$: there the objective has a kink, and"
            " its slopes from the two sides differ"
        ),
    ),
    _claim(
        "ppo-gradient-simplified",
        931,
        statement=(
            f'$nabla_bold(w) cal(J)_"PPO" = sum_s {_OLD} (s) sum_a nabla_bold(w) pi_bold(w) (a | s)'
            ' h_(pi_"old") (s, a) II("cond"(s, a))$'
        ),
        label="eqn: ppo_grad",
        given=(_COND, _KINK),
        depends_on=("ppo-gradient-away-from-kinks",),
    ),
    _claim(
        "ppo-regular-estimator",
        939,
        statement=(
            f'$nabla_bold(w) cal(J)_"PPO" = EE_(S tilde {_OLD}; A tilde pi_"old") [nabla_bold(w)'
            f" log pi_bold(w) (A | S) {_RATIO_SAMPLE} {_H} (S, A)]$"
        ),
        given=(_TILDE, _KINK, _UNNORMALIZED),
        depends_on=("ppo-gradient-simplified",),
    ),
    _claim(
        "ppo-alternate-likelihood",
        943,
        statement=(
            f"$sum_a nabla_bold(w) pi_bold(w) (a | s) {_H} (s, a) = nabla_bold(w) bold(theta)(s)"
            f" sum_a pi_bold(w) (a | s) [{_H} (s, a) - sum_c pi_bold(w) (c | s) {_H} (s, c)]"
            " bold(e)_a$"
        ),
        given=(_TILDE,),
        depends_on=("likelihood-gradient-as-advantage",),
    ),
    _claim(
        "ppo-alternate-sum",
        948,
        statement=(
            f'$nabla_bold(w) cal(J)_"PPO" = sum_s {_OLD} (s) sum_a pi_"old" (a | s) nabla_bold(w)'
            f' [bold(theta)(s)]_a (pi_bold(w) (a | s)) / (pi_"old" (a | s)) [{_H} (s, a) - sum_c'
            f" pi_bold(w) (c | s) {_H} (s, c)]$"
        ),
        given=(_TILDE, _KINK),
        depends_on=("ppo-gradient-simplified", "ppo-alternate-likelihood"),
    ),
    _claim(
        "ppo-alternate-estimator",
        949,
        statement=(
            f'$nabla_bold(w) cal(J)_"PPO" = EE_(S tilde {_OLD}; A tilde pi_"old") [nabla_bold(w)'
            f" [bold(theta)(S)]_A {_RATIO_SAMPLE} ({_H} (S, A) - sum_c pi_bold(w) (c | S) {_H} (S,"
            " c))]$"
        ),
        given=(_TILDE, _KINK, _UNNORMALIZED),
        depends_on=("ppo-alternate-sum",),
    ),
)

ALGORITHMS = (
    _claim(
        "reinforce-regular-unbiased",
        957,
        statement=(
            "$nabla cal(J)_pi = EE_(H_oo tilde PP_pi) [sum_(t=0)^oo gamma^t nabla log pi(A_t | S_t)"
            " (G_t - v_pi (S_t))]$"
        ),
        given=(_TRUE_VALUE,),
        depends_on=("policy-gradient-as-expectation",),
    ),
    _claim(
        "reinforce-alternate-unbiased",
        961,
        statement=(
            "$nabla_bold(w) cal(J)_pi = EE_(H_oo tilde PP_pi) [sum_(t=0)^oo gamma^t nabla_bold(w)"
            " [bold(theta)(S_t)]_(A_t) (G_t - v_pi (S_t))]$"
        ),
        given=(_TRUE_VALUE,),
        depends_on=("mdp-alternate-estimator-unbiased",),
    ),
    _claim(
        "actor-critic-regular-unbiased",
        967,
        statement=(
            "$nabla cal(J)_pi prop EE_(S, K tilde d_pi; A tilde pi; S', R tilde p) [gamma^K nabla"
            " log pi(A | S) (R + gamma v_pi (S') - v_pi (S))]$"
        ),
        label="eq: regular_online_ac_estimator_app",
        given=(
            _TRUE_VALUE,
            "$d_pi (s, k) prop PP(S_k = s)$ over the states before the end of an episode",
        ),
        depends_on=("policy-gradient-as-expectation",),
    ),
    _claim(
        "actor-critic-alternate-unbiased",
        971,
        statement=(
            "$nabla_bold(w) cal(J)_pi prop EE_(S, K tilde d_pi; A tilde pi; S', R tilde p) [gamma^K"
            " nabla_bold(w) [bold(theta)(S)]_A (R + gamma v_pi (S') - v_pi (S))]$"
        ),
        label="eq: alternate_online_ac_estimator",
        given=(
            _TRUE_VALUE,
            "$d_pi (s, k) prop PP(S_k = s)$ over the states before the end of an episode",
        ),
        depends_on=("mdp-alternate-estimator-unbiased",),
    ),
    _claim(
        "trpo-regular-estimator",
        983,
        statement=(
            f'$nabla_bold(w) cal(J)_"TRPO" = EE_(S tilde {_OLD}; A tilde pi_"old") [nabla_bold(w)'
            f' log pi_bold(w) (A | S) {_RATIO_SAMPLE} q_(pi_"old") (S, A)]$'
        ),
        given=(
            f'$cal(J)_"TRPO" := sum_s {_OLD} (s) sum_a pi_bold(w) (a | s) q_(pi_"old") (s, a)$',
            _UNNORMALIZED,
        ),
    ),
    _claim(
        "trpo-alternate-estimator",
        987,
        statement=(
            f'$nabla_bold(w) cal(J)_"TRPO" = EE_(S tilde {_OLD}; A tilde pi_"old") [nabla_bold(w)'
            f' [bold(theta)(S)]_A {_RATIO_SAMPLE} (q_(pi_"old") (S, A) - sum_c pi_bold(w) (c | S)'
            ' q_(pi_"old") (S, c))]$'
        ),
        given=(_UNNORMALIZED,),
        depends_on=("trpo-regular-estimator", "likelihood-gradient-as-advantage"),
    ),
    _claim(
        "exact-expectation-keeps-unbiased",
        990,
        statement=(
            "If this expectation is calculated exactly, the alternate (TRPO or PPO) estimator will"
            " remain unbiased."
        ),
        given=("footnote; unbiased for the gradient of the surrogate objective",),
        depends_on=("trpo-alternate-estimator", "ppo-alternate-estimator"),
    ),
    _claim(
        "original-objective-as-double-sum",
        990,
        statement=(
            "The original PG objective is $cal(J)_pi := sum_s nu_(pi_bold(w)) (s) sum_a pi_bold(w)"
            " (a | s) q_(pi_bold(w)) (s, a)$."
        ),
        given=(
            (
                "footnote; $cal(J) = EE_pi [sum_(t=0)^(T-1) gamma^t R_(t+1)]$ and $nu_pi$ as in the"
                " preliminaries"
            ),
        ),
        required_evidence=("enumeration",),
    ),
    _claim(
        "original-objective-as-double-sum-corrected",
        990,
        statement=(
            "The original PG objective is $cal(J)_pi = sum_s nu_(pi_bold(w)) (s) sum_a pi_bold(w)"
            " (a | s) r(s, a)$."
        ),
        given=("$r(s, a) = EE[R | s, a]$ is the expected immediate reward",),
        corrects="original-objective-as-double-sum",
        adds=(
            "immediate rewards in the place of action values, which count each reward once for"
            " every step before it"
        ),
    ),
)
