"""Appendix E.3, "Fixed value function estimate": REINFORCE on the five-state chain with a value
that is never updated.
"""

from __future__ import annotations

from functools import partial

from altpg_verify.ledger import Claim

_claim = partial(
    Claim, section="E.3 Optimistic and pessimistic value estimates: fixed value function"
)
_CHAIN = (
    "five states, start $s_3$, reward 1 only for leaving $s_5$ to the right, noise 1, $gamma ="
    " 0.9$, $b = +4$ in every state"
)
_PROTOCOL = (
    "150 runs of 100 episodes of at most 100 steps, stepsizes $2^(-6), ..., 2^1$, mean over the"
    " last 10 episodes"
)

FIXED_BASELINE_CHAIN = (
    _claim(
        "fixed-value-biases-alternate",
        1330,
        statement="Fixing the value function estimate made the alternate estimator biased.",
        kind="inequality",
        given=(_CHAIN,),
        required_evidence=("enumeration",),
    ),
    _claim(
        "fixed-value-keeps-regular-unbiased",
        1330,
        statement="Fixing the value function estimate didn't make the regular estimator biased.",
        kind="identity",
        given=(_CHAIN, "up to the cut of episodes at 100 steps"),
        required_evidence=("derivation", "enumeration"),
    ),
    _claim(
        "chain-policy-converges-to-lemma-point",
        1330,
        statement=(
            "The policy (for the optimistic case) converges to the fixed point $pi^*(a) = 1 / (r(a)"
            " - b) (sum_c 1 / (r(c) - b))^(-1)$ given by the lemma, computed separately for each"
            " state."
        ),
        kind="fixed point",
        given=(
            _CHAIN,
            "$r(a)$ is the immediate reward in the state, as the numbers that follow show",
        ),
        required_evidence=("enumeration",),
    ),
    _claim(
        "chain-policy-converges-to-action-value-point",
        1330,
        statement=(
            "A fixed point of the expected update solves $pi(a | s) = 1 / (q_pi (s, a) - b) (sum_c"
            " 1 / (q_pi (s, c) - b))^(-1)$ in every visited state."
        ),
        kind="fixed point",
        given=(_CHAIN, "the expected REINFORCE update, without the cut of episodes"),
        required_evidence=("derivation", "enumeration"),
        depends_on=("fixed-point-constant-gradient",),
        corrects="chain-policy-converges-to-lemma-point",
        adds=(
            "the action values $q_pi (s, a)$, which depend on the policy, in the place of the"
            " immediate rewards"
        ),
    ),
    _claim(
        "chain-uniform-states-number",
        1330,
        statement=(
            '$pi(mono("left") | s) = pi(mono("right") | s) = 0.5$ for $s in {s_1, s_2, s_3, s_4}$'
        ),
        kind="number",
        given=("the lemma's formula with the immediate rewards, $b = +4$",),
        required_evidence=("enumeration",),
        depends_on=("fixed-point-formula",),
    ),
    _claim(
        "chain-last-state-number",
        1330,
        statement='$pi(mono("left") | s_5) = 0.43$ and $pi(mono("right") | s_5) = 0.57$',
        kind="number",
        given=(
            "the lemma's formula with the immediate rewards, $b = +4$; rounded to two decimals",
        ),
        required_evidence=("enumeration",),
        depends_on=("fixed-point-formula",),
    ),
    _claim(
        "chain-value-number",
        1330,
        statement="$cal(J)_(pi^*) = v_(pi^*) (s_3) = 0.28$",
        kind="number",
        given=(_CHAIN, "the policy of the two claims above; rounded to two decimals"),
        required_evidence=("enumeration",),
        depends_on=("chain-uniform-states-number", "chain-last-state-number"),
    ),
    _claim(
        "chain-exact-fixed-point-value",
        1330,
        statement=(
            "The exact fixed point of the expected REINFORCE update is unique and has $v(s_3) ="
            " 0.297641$."
        ),
        kind="number",
        given=(_CHAIN, "interior policies; without the cut of episodes; rounded to six decimals"),
        required_evidence=("certificate",),
        depends_on=("chain-policy-converges-to-action-value-point",),
        extension=True,
    ),
    _claim(
        "chain-agents-reach-exact-fixed-point",
        1330,
        statement=(
            "Alternate REINFORCE agents with small stepsizes reach $v(s_3) = 0.297641$ "
            "rather than 0.279447, the value at the paper's policy."
        ),
        kind="empirical",
        given=(
            _CHAIN,
            (
                "started at the paper's policy, run until stationary; the mean of the exact $v_pi"
                " (s_3)$"
            ),
            (
                "supported if its 99 % interval is within 0.002 of 0.297641 and excludes 0.279447;"
                " refuted if it excludes the former by more"
            ),
        ),
        required_evidence=("simulation",),
        depends_on=("chain-exact-fixed-point-value",),
        extension=True,
    ),
    _claim(
        "chain-simulated-value-matches-0.28",
        1330,
        statement=(
            "0.28 approximately matches the value where the policy for the optimistic fixed"
            " baseline actually converged to; therefore, our prediction matches with the actual"
            " results."
        ),
        kind="empirical",
        given=(
            _CHAIN,
            _PROTOCOL,
            (
                "approximately: less than a twentieth of 0.81, the range of values, above 0.28, and"
                " nearer to it than to the uniform policy's 0.258; within 0.02, the uniform"
                " policy's distance; nearer to the lemma's point, 0.2794, than to the exact one,"
                " 0.2976"
            ),
            (
                "supported or refuted if all these are, at a 1 % error rate; undecided if the"
                " readings differ"
            ),
        ),
        required_evidence=("simulation",),
        depends_on=("chain-value-number",),
    ),
    _claim(
        "theorem-may-hold-for-mdps",
        1330,
        statement=(
            "This suggests that the theorem on the nature of the fixed point might also hold for"
            " MDPs."
        ),
        kind="dynamics",
        given=(
            (
                "read as: the expected update of the chain with a fixed optimistic value has one"
                " attracting interior fixed point"
            ),
            (
                "attracting: nearby policies, in the limit of small stepsizes, as the theorem asks"
                " for sufficiently small ones; at $alpha = 0.545$ it no longer does"
            ),
            "checked on this chain; a suggestion for MDPs in general can't be settled by it",
        ),
        required_evidence=("certificate",),
        depends_on=("chain-exact-fixed-point-value",),
    ),
    _claim(
        "chain-fixed-point-unstable-at-large-steps",
        1330,
        statement=(
            "With $alpha = 0.545$, $0.6$ or $0.7$ the expected update of the chain with $b = 4$"
            " repels nearby policies from its fixed point."
        ),
        kind="dynamics",
        given=(
            _CHAIN,
            (
                "one step of the expected REINFORCE update, no cut of episodes; in some direction,"
                " to first order"
            ),
        ),
        required_evidence=("enumeration",),
        depends_on=("chain-exact-fixed-point-value",),
        extension=True,
    ),
    _claim(
        "chain-pessimistic-goes-left",
        1330,
        statement=(
            "For a pessimistic baseline, the policy converged to the nearest corner for each state"
            " (in this case action left)."
        ),
        kind="empirical",
        given=(
            "$b = -4$ in every state",
            _PROTOCOL,
            (
                "quantity: share of runs with more than 0.99 of the mass on left in $s_3$ at the"
                " end, for every start of the sweep"
            ),
            (
                "supported if the lower 99 % limit is above 0.95 for every start and the best"
                " stepsize; refuted if an upper one is below"
            ),
        ),
        required_evidence=("simulation",),
    ),
    _claim(
        "chain-pessimistic-zero-return",
        1330,
        statement="For a pessimistic baseline the policy obtained zero return.",
        kind="empirical",
        given=(
            "$b = -4$ in every state",
            _PROTOCOL,
            "within 0.02 of 0 for every start; refuted if outside at a 1 % error rate",
        ),
        required_evidence=("simulation",),
        depends_on=("chain-pessimistic-goes-left",),
    ),
    _claim(
        "chain-all-left-value-zero",
        1330,
        statement="A policy that goes left in every state has the expected return zero.",
        kind="number",
        given=(_CHAIN,),
        required_evidence=("enumeration",),
        extension=True,
    ),
)
