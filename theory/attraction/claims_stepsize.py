"""Appendix B.3: the optimistic half of theorem 1 and the bound on its stepsize."""

from __future__ import annotations

from functools import partial

from altpg_verify.ledger import Claim

_claim = partial(Claim, section="B.3 Proofs: the alternate estimator utilizes its biasedness")
_BOTH = ("derivation", "enumeration")
_LOG = "log (sum_c pi_t (c) dot e^(pi_t (c) zeta(c)))"
_HARMONIC = "(sum_c 1 / zeta(c))^(-1)"
_ZETA = "$zeta(a) := alpha [r(a) - b]$, $alpha > 0$"
_OPTIMISTIC = "$b > r(a)$ for all actions; $pi_t != pi^*$ is a softmax policy; " + _ZETA
_SAME_POLICY = "$pi(c)$ is $pi_t (c)$"

OPTIMISTIC = (
    _claim(
        "zeta-negative-if-optimistic",
        799,
        statement=(
            "The assumptions $alpha > 0$ and $b > r(a)$ imply that $zeta(a) < 0$ for all actions"
            " $a$."
        ),
        kind="inequality",
        given=(_ZETA,),
        required_evidence=_BOTH,
    ),
    _claim(
        "bounded-variable-mean",
        799,
        statement=(
            "For $X(c) = pi_t (c) zeta(c)$ distributed according to $pi_t$, $EE[X] = sum_c pi(c)^2"
            " zeta(c)$."
        ),
        kind="identity",
        given=(_SAME_POLICY, "$PP(X = c)$ is the probability of the action $c$"),
        required_evidence=_BOTH,
    ),
    _claim(
        "bounded-variable-range",
        799,
        statement=(
            "$X$ is bounded between $l := alpha min_c pi_t (c) [r(c) - b]$ and $u := alpha max_c"
            " pi_t (c) [r(c) - b]$."
        ),
        kind="inequality",
        given=(_ZETA,),
        required_evidence=_BOTH,
    ),
    _claim(
        "log-term-upper-bound",
        801,
        statement=(
            "$log (sum_c pi_t (c) e^(pi_t (c) zeta(c))) <= (u - l)^2 / 8 + sum_c pi(c)^2 zeta(c)$"
        ),
        kind="inequality",
        label="eq: fixed_point_upper_bound_log",
        given=(_SAME_POLICY,),
        required_evidence=_BOTH,
        depends_on=("mgf-bound", "bounded-variable-mean", "bounded-variable-range"),
    ),
    _claim(
        "stepsize-exists",
        807,
        statement=(
            "There does exist an $alpha > 0$ such that $(u - l)^2 / 8 + sum_c pi(c)^2 zeta(c) <"
            f" {_HARMONIC}$."
        ),
        kind="inequality",
        label="eq: condition_alpha_biased_fixed_pt",
        given=(_SAME_POLICY, _OPTIMISTIC),
        required_evidence=_BOTH,
        depends_on=("cauchy-schwarz-optimistic", "stepsize-bound"),
    ),
    _claim(
        "cauchy-schwarz-optimistic",
        807,
        statement=f"For $zeta(c) < 0$, $sum_c pi_t (c)^2 zeta(c) < {_HARMONIC}$.",
        kind="inequality",
        given=(_OPTIMISTIC,),
        required_evidence=_BOTH,
        depends_on=("zeta-negative-if-optimistic",),
    ),
    _claim(
        "optimistic-descent-under-condition",
        809,
        statement=(
            "$log (sum_c pi_t (c) e^(pi_t (c) zeta(c))) <= (u - l)^2 / 8 + sum_c pi(c)^2 zeta(c) <"
            f' {_HARMONIC} quad => quad D_"KL" (pi^* || pi_(t+1)) < D_"KL" (pi^* || pi_t)$'
        ),
        kind="dynamics",
        given=(_SAME_POLICY, _OPTIMISTIC),
        required_evidence=("derivation",),
        depends_on=("kl-relation", "log-term-upper-bound"),
    ),
    _claim(
        "stepsize-bound",
        814,
        statement=(
            f"$(u - l)^2 / 8 + sum_c pi(c)^2 zeta(c) < {_HARMONIC}$ is satisfied by "
            "$alpha < 8 / (max_c pi_t (c) [r(c) - b] - min_d pi_t (d) [r(d) - b])^2 "
            "[(sum_c 1 / (r(c) - b))^(-1) - sum_c pi_t (c)^2 [r(c) - b]]$."
        ),
        kind="inequality",
        label="eq: upper_bound_alpha_fixed_pt_attractor",
        given=(_SAME_POLICY, _OPTIMISTIC),
        required_evidence=_BOTH,
        depends_on=("bounded-variable-range",),
    ),
    _claim(
        "stepsize-bound-depends",
        816,
        statement=(
            "This upper bound on $alpha$ depends on the policy at timestep $t$, the choice of the"
            " baseline, and also the complete bandit reward structure."
        ),
        kind="example",
        required_evidence=("enumeration",),
        depends_on=("stepsize-bound",),
    ),
    _claim(
        "stepsize-bound-not-tight",
        819,
        statement="The upper bound on the stepsize is not tight.",
        kind="example",
        given=(
            (
                "$bold(r) = [1 space 2 space 3]^top$, $bold(pi) = [0.2 space 0.1 space 0.7]^top$,"
                " an optimistic baseline, taken as $b = 4$"
            ),
            "not tight: the divergence still falls at some stepsize above the bound",
        ),
        required_evidence=("certificate",),
        depends_on=("stepsize-bound", "kl-relation"),
    ),
    _claim(
        "three-arm-descent-whole-sweep",
        819,
        statement=(
            'With $bold(r) = [1 space 2 space 3]^top$ and $b = 4$, $D_"KL" (pi^* || pi_(t+1)) <'
            ' D_"KL" (pi^* || pi_t)$ for every $pi_t != pi^*$ and every $0 < alpha <= 2$, all'
            " stepsizes of the paper's sweep."
        ),
        kind="dynamics",
        given=("the expected update",),
        required_evidence=("certificate",),
        depends_on=("kl-relation",),
        extension=True,
    ),
    _claim(
        "figure-bounds-bracket-log-term",
        823,
        statement=(
            f"${_LOG}$ has the lower bound $sum_c pi(c)^2 zeta(c)$ and the upper bound $(u - l)^2 /"
            " 8 + sum_c pi(c)^2 zeta(c)$."
        ),
        kind="inequality",
        label="fig: fixed_point_nature_proof",
        given=(
            _SAME_POLICY,
            (
                "$bold(r) = [1 space 2 space 3]^top$, $bold(pi) = [0.2 space 0.1 space 0.7]^top$,"
                " any $b$ and $alpha$"
            ),
        ),
        required_evidence=("derivation",),
        depends_on=("log-term-upper-bound",),
    ),
)
