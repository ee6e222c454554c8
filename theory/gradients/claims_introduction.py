"""Sections 1 and 2: what the introduction states, the setting, and the policy gradient theorem."""

from __future__ import annotations

from functools import partial

from altpg_verify.ledger import Claim

_introduction = partial(Claim, section="1 Introduction")
_claim = partial(Claim, section="2 Preliminaries")
_BOTH = ("derivation", "enumeration")
_MDP = (
    "an episodic MDP with finitely many states and actions, whose episodes end with probability one"
)
_SUM = (
    "$EE_(nu_pi, pi) [f(S, A)]$ is $sum_s nu_pi (s) sum_a pi(a | s) f(s, a)$; $nu_pi$ need not sum"
    " to one"
)

INTRODUCTION = (
    _introduction(
        "saturated-agent-explores-nothing",
        82,
        statement="An agent with a saturated policy will not be able to explore other actions.",
        kind="inequality",
        given=("saturated: most of the mass on one action; a softmax policy",),
        required_evidence=("enumeration",),
    ),
    _introduction(
        "saturated-agent-explores-rarely",
        82,
        statement=(
            "An agent with a policy that is saturated on $c$ explores other actions only with the"
            " probability $1 - pi(c)$ in each step."
        ),
        kind="inequality",
        given=("a softmax policy: the probability is small, and it isn't zero",),
        required_evidence=("derivation", "enumeration"),
        corrects="saturated-agent-explores-nothing",
        adds=(
            "rarely in the place of never: a softmax policy takes every action with a positive"
            " probability"
        ),
    ),
    _introduction(
        "bonuses-change-the-optimum",
        86,
        statement=(
            "Entropic regularization and explorative bonuses introduce additional terms in the"
            " objective, and therefore the resulting optimal policy can be different from the"
            " original one."
        ),
        kind="inequality",
        given=(
            (
                "can: there is a bandit with a weight of the entropy, and one with a bonus for each"
                " action, for which it is"
            ),
        ),
        required_evidence=("derivation",),
    ),
    _introduction(
        "regular-estimator-small-at-saturation",
        90,
        statement=(
            "The regular estimator produces near zero gradients at saturation as both its"
            " expectation and variance, even with reward noise, are vanishingly small at those"
            " regions."
        ),
        kind="dynamics",
        given=("saturated: a high probability on sub-optimal actions, as the article defines it",),
        required_evidence=("enumeration",),
    ),
    _introduction(
        "regular-estimator-small-near-corners",
        90,
        statement=(
            "The regular estimator produces near zero gradients near the corners of the simplex, as"
            " both its expectation and variance, even with reward noise, are vanishingly small"
            " there."
        ),
        kind="dynamics",
        given=("saturated on one action",),
        required_evidence=_BOTH,
        depends_on=(
            "regular-expectation-vanishes-near-corners",
            "regular-variance-vanishes-near-corners",
        ),
        corrects="regular-estimator-small-at-saturation",
        adds=(
            "one action: on two sub-optimal actions of different reward, $bold(pi) = (1/2, 1/2, 0)$"
            " with $bold(r) = (0, 1, 2)$, the expected gradient is $(-1/4, 1/4, 0)$"
        ),
    ),
    _introduction(
        "critic-bias-increases-entropy",
        92,
        statement=(
            "The alternate estimator naturally utilizes the bias in the critic estimate to increase"
            " the policy's entropy."
        ),
        kind="dynamics",
        given=("the bias of any critic estimate $b != r_pi$, from a saturated policy",),
        required_evidence=("enumeration",),
    ),
    _introduction(
        "optimistic-bias-increases-entropy",
        92,
        statement=(
            "The alternate estimator naturally utilizes the bias in an optimistic critic estimate"
            " to increase a saturated policy's entropy."
        ),
        kind="dynamics",
        given=(
            (
                "$b > r_pi$; the bias alone, added to the preferences of a policy that is not"
                " uniform, any small stepsize"
            ),
        ),
        required_evidence=_BOTH,
        depends_on=("optimistic-bias-makes-policy-more-uniform",),
        corrects="critic-bias-increases-entropy",
        adds=(
            "an optimistic critic: the bias of a pessimistic one lowers the entropy, as a footnote"
            " of section 3 says"
        ),
    ),
)

POLICY_GRADIENT = (
    _claim(
        "policy-gradient-theorem",
        113,
        statement=(
            "$nabla cal(J) = sum_(s in cal(S)) nu_pi (s) sum_(a in cal(A)) nabla pi(a | s) q_pi"
            " (s, a)$"
        ),
        kind="identity",
        label="eq: pg_main",
        given=(_MDP, "$nu_pi (s) := sum_(k=0)^oo gamma^k PP(S_k = s)$"),
        required_evidence=_BOTH,
    ),
    _claim(
        "policy-gradient-as-expectation",
        117,
        statement="$nabla cal(J) = EE_(nu_pi, pi) [nabla log pi(A | S) (q_pi (S, A) - v_pi (S))]$",
        kind="identity",
        label="eq: pg_expectation",
        given=(_MDP, _SUM),
        required_evidence=_BOTH,
        depends_on=("policy-gradient-theorem",),
    ),
)
