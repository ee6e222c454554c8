"""Section 5: the regular and the alternate estimator for MDPs."""

from __future__ import annotations

from functools import partial

from altpg_verify.ledger import Claim

_BOTH = ("derivation", "enumeration")
_claim = partial(
    Claim, section="5 Alternate PG estimator for MDPs", kind="identity", required_evidence=_BOTH
)
_Q = "$bold(q)_pi (s, dot)$"
_PI = "$bold(pi)(dot | s)$ the softmax of $bold(theta)(s)$, " + _Q + " any vector of action values"
_EXPECTATION = "$EE$ sums over $nu_pi$, which need not sum to one, and over $pi$"
_NABLA = "nabla_bold(theta) bold(pi)(dot | s) bold(q)_pi (s, dot)"

REGULAR = (
    _claim(
        "policy-chain-rule",
        224,
        statement=(
            "$nabla_bold(w) bold(pi)(dot | s) = [nabla_bold(w) bold(theta)(s)] [nabla_bold(theta)"
            " bold(pi)(dot | s)]$"
        ),
        depends_on=("chain-rule",),
    ),
    _claim(
        "policy-gradient-in-vectors",
        227,
        statement=(
            "$nabla cal(J)_pi = sum_s nu_pi (s) sum_a nabla pi(a | s) q_pi (s, a) = "
            "sum_s nu_pi (s) nabla bold(pi)(dot | s) bold(q)_pi (s, dot)$"
        ),
        depends_on=("policy-gradient-theorem",),
    ),
    _claim(
        "policy-gradient-separated",
        228,
        statement=f"$nabla cal(J)_pi = sum_s nu_pi (s) [nabla_bold(w) bold(theta)(s)] {_NABLA}$",
        label="eq: explicit_pg_matrix_vec",
        depends_on=("policy-gradient-in-vectors", "policy-chain-rule"),
    ),
    _claim(
        "likelihood-gradient-by-jacobian",
        232,
        statement=(
            f'${_NABLA} = (bold(I) - bold(pi)(dot | s) bold(1)^top) "diag"(bold(pi)(dot | s))'
            " bold(q)_pi (s, dot)$"
        ),
        given=(_PI,),
        depends_on=("softmax-jacobian",),
    ),
    _claim(
        "likelihood-gradient-expanded",
        233,
        statement=(
            f'${_NABLA} = "diag"(bold(pi)(dot | s)) bold(q)_pi (s, dot) - '
            'bold(pi)(dot | s) bold(1)^top "diag"(bold(pi)(dot | s)) bold(q)_pi (s, dot)$'
        ),
        given=(_PI,),
        depends_on=("likelihood-gradient-by-jacobian",),
    ),
    _claim(
        "likelihood-gradient-elementwise",
        234,
        statement=(
            f"${_NABLA} = bold(pi)(dot | s) dot.o bold(q)_pi (s, dot) - bold(pi)(dot | s)"
            " bold(pi)(dot | s)^top bold(q)_pi (s, dot)$"
        ),
        label="eq: mdp_vector_grad_softmax_mid",
        given=(_PI,),
        depends_on=("likelihood-gradient-expanded",),
    ),
    _claim(
        "likelihood-gradient-swapped",
        235,
        statement=(
            f'${_NABLA} = "diag"(bold(q)_pi (s, dot)) bold(pi)(dot | s) - bold(pi)(dot | s)'
            " bold(q)_pi (s, dot)^top bold(pi)(dot | s)$"
        ),
        given=(_PI,),
        depends_on=("likelihood-gradient-elementwise",),
    ),
    _claim(
        "likelihood-gradient-factored",
        236,
        statement=(
            f'${_NABLA} = ["diag"(bold(q)_pi (s, dot)) - bold(pi)(dot | s) bold(q)_pi (s, dot)^top]'
            " bold(pi)(dot | s)$"
        ),
        given=(_PI,),
        depends_on=("likelihood-gradient-swapped",),
    ),
    _claim(
        "likelihood-gradient-as-score",
        237,
        statement=f"${_NABLA} = sum_a pi(a | s) q_pi (s, a) (bold(e)_A - bold(pi)(dot | s))$",
        label="eq: mdp_primary_vector_grad_softmax",
        given=(_PI, "$bold(e)_A$ is $bold(e)_a$, $a$ being what the sum runs over"),
        depends_on=("likelihood-gradient-factored",),
    ),
    _claim(
        "mdp-gradient-as-score-sum",
        241,
        statement=(
            "$nabla_bold(w) cal(J)_pi = sum_s nu_pi (s) sum_a pi(a | s) nabla_bold(w)"
            " bold(theta)(s) (bold(e)_A - bold(pi)(dot | s)) q_pi (s, a)$"
        ),
        given=("$bold(e)_A$ is $bold(e)_a$",),
        depends_on=("likelihood-gradient-as-score", "policy-gradient-separated"),
    ),
    _claim(
        "mdp-regular-estimator-unbiased",
        242,
        statement=(
            "$nabla_bold(w) cal(J)_pi = EE[(nabla_bold(w) [bold(theta)(S)]_A - sum_a pi(a | S)"
            " nabla_bold(w) [bold(theta)(S)]_a) h_pi (S, A)]$ with $h_pi (S, A) := q_pi (S, A) -"
            " v_pi (S)$"
        ),
        given=(_EXPECTATION,),
        depends_on=("mdp-gradient-as-score-sum",),
    ),
)

ALTERNATE = (
    _claim(
        "likelihood-gradient-as-difference",
        256,
        statement=(
            f'${_NABLA} = "diag"(bold(q)_pi (s, dot)) bold(pi)(dot | s) - bold(pi)(dot | s)^top'
            " bold(q)_pi (s, dot) bold(pi)(dot | s)$"
        ),
        given=(_PI,),
        depends_on=("likelihood-gradient-elementwise",),
    ),
    _claim(
        "likelihood-gradient-with-value",
        257,
        statement=(
            f'${_NABLA} = ["diag"(bold(q)_pi (s, dot)) - v_pi (s) bold(I)] bold(pi)(dot | s)$'
        ),
        given=(_PI, "$v_pi (s) = bold(pi)(dot | s)^top bold(q)_pi (s, dot)$"),
        depends_on=("likelihood-gradient-as-difference", "value-is-mean-action-value"),
    ),
    _claim(
        "likelihood-gradient-as-advantage",
        258,
        statement=f"${_NABLA} = sum_a pi(a | s) (q_pi (s, a) - v_pi (s)) bold(e)_A$",
        label="eq: mdp_alternate_vector_grad_softmax",
        given=(_PI, "$bold(e)_A$ is $bold(e)_a$"),
        depends_on=("likelihood-gradient-with-value",),
    ),
    _claim(
        "value-is-mean-action-value",
        260,
        statement=(
            "$v_pi (s) = sum_a pi(a | s) q_pi (s, a) = bold(pi)(dot | s)^top bold(q)_pi (s, dot)$"
        ),
    ),
    _claim(
        "mdp-gradient-as-advantage-sum",
        262,
        statement=(
            "$nabla_bold(w) cal(J)_pi = sum_s nu_pi (s) sum_a pi(a | s) nabla_bold(w)"
            " bold(theta)(s) bold(e)_A h_pi (S, A)$"
        ),
        given=("$bold(e)_A$, $S$ and $A$ are $bold(e)_a$, $s$ and $a$",),
        depends_on=("likelihood-gradient-as-advantage", "policy-gradient-separated"),
    ),
    _claim(
        "mdp-alternate-estimator-unbiased",
        263,
        statement="$nabla_bold(w) cal(J)_pi = EE[nabla_bold(w) [bold(theta)(S)]_A h_pi (S, A)]$",
        label="eq: mdp_alternate_stochastic_loss",
        given=(_EXPECTATION,),
        depends_on=("mdp-gradient-as-advantage-sum",),
    ),
    _claim(
        "alternate-drops-normalizer",
        265,
        statement=(
            "The alternate estimator is equivalent to the gradient of the softmax policy, if we"
            " drop the normalization constant; i.e. $nabla_bold(w) log e^([bold(theta)(S)]_A) / 1 ="
            " nabla_bold(w) [bold(theta)(S)]_A$."
        ),
        given=("the gradient of the policy's logarithm, as the formula says",),
        required_evidence=("derivation",),
    ),
    _claim(
        "mdp-estimators-equal-in-expectation",
        265,
        statement="The regular and the alternate PG estimators are equal in expectation.",
        depends_on=("mdp-regular-estimator-unbiased", "mdp-alternate-estimator-unbiased"),
    ),
    _claim(
        "mdp-estimators-differ-per-sample",
        265,
        statement=(
            'In general they are not equal for an arbitrary state-action pair: $bold(g)^"REG" (S,'
            ' A) != bold(g)^"ALT" (S, A)$.'
        ),
        given=("in general: not on every MDP, policy and pair",),
        required_evidence=("enumeration",),
    ),
)
