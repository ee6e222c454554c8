"""Appendix E but its fixed values: REINFORCE on the five-state chain and on its four-action
variant.
"""

from __future__ import annotations

from functools import partial

from altpg_verify.ledger import Claim
from altpg_verify.theory.chain.claims import PROTOCOL
from altpg_verify.theory.empirical import larger, read_as

_CUT = "$gamma = 0.9$, episodes cut at 100 steps"

_details = partial(Claim, section="E.1 Experimental details")


_starts = partial(
    Claim,
    section=(
        "E.2 Performance of PG estimators against increasingly saturated policy initializations"
    ),
    kind="empirical",
    required_evidence=("simulation",),
)


_noised = partial(
    Claim,
    section="E.4 Effect of adding gradient noise to the estimators",
    kind="empirical",
    required_evidence=("simulation",),
)


_uniform = partial(
    Claim,
    section="E.5 A uniform policy initialization can be sub-optimal too",
    kind="empirical",
    required_evidence=("simulation",),
)


CHAIN_DETAILS = (
    _details(
        "reinforce-pseudocode",
        1260,
        statement=(
            'The pseudocode computes $hat(bold(g))^"REINF" = sum_(t=0)^(T-1) gamma^t (G_t -'
            " hat(v)_bold(omega) (S_t)) nabla_bold(w) log pi_bold(w) (A_t|S_t)$, adds $alpha$ times"
            " it to $bold(w)$, then moves the value of each visited state by $beta dot (G_t -"
            " hat(v)_bold(omega) (S_t))$."
        ),
        kind="algorithm",
        label="alg: reinforce",
        given=("$G_t$ is known where it is first used, three lines above its calculation",),
        required_evidence=("execution",),
        depends_on=("reinforce-regular-unbiased",),
    ),
    _details(
        "chain-three-steps",
        1272,
        statement="An optimal policy can solve the chain environment in three steps.",
        kind="number",
        given=("footnote; from $s_3$",),
        required_evidence=("enumeration",),
    ),
    _details(
        "million-step-episodes",
        1272,
        statement=(
            "These million timestep long episodes occurred when the policy learned to go right with"
            " a high probability in one state and left in the very next state."
        ),
        kind="empirical",
        given=(
            "footnote",
            read_as(
                "the policies of episodes of more than 10 000 steps",
                "two neighbouring states point at each other in all",
            ),
        ),
        required_evidence=("simulation",),
    ),
    _details(
        "hundredth-power-of-discount",
        1274,
        statement="$gamma^100 = 0.9^100 = 2.7 times 10^(-5)$",
        kind="number",
        label="footnote: timeout_rambling",
        given=("footnote; rounded to two digits",),
        required_evidence=("enumeration",),
    ),
    _details(
        "timeout-contribution-negligible",
        1274,
        statement=(
            '$gamma^100 v_pi (s_"timeout")$ is negligibly small compared to the returns observed in'
            " our experiments."
        ),
        kind="inequality",
        given=(
            (
                "footnote; expected values, against the scale of the plots, to which the text"
                " points: below a ten-thousandth of 0.81"
            ),
            (
                "against the return of a saturated agent, which is small itself, it needn't be: see"
                " the claim that follows"
            ),
            _CUT,
        ),
        required_evidence=("enumeration",),
    ),
    _details(
        "timeout-contribution-of-saturated-start",
        1274,
        statement=(
            "For a policy that goes right with the probability $1\\/21$, $gamma^100 v_pi"
            ' (s_"timeout")$ can exceed a hundredth of $v_pi (s_3)$.'
        ),
        kind="inequality",
        given=(
            '$s_"timeout" = s_5$; about the start $theta_mono("left") = 3$ of the experiments',
            _CUT,
        ),
        required_evidence=("enumeration",),
        extension=True,
    ),
    _details(
        "timeouts-decrease",
        1274,
        statement=(
            "The occurrence of the episodes being timed out decreases as the agent's policy"
            " improves."
        ),
        kind="empirical",
        given=(
            "footnote",
            "five-state chain, $gamma = 0.9$, noise 1, $alpha in {2^(-6), ..., 2^1}$",
            read_as(
                "half of the share of episodes cut in the first 10 of 100, less the share in the"
                " last 10, mean over the four starts: regular and alternate, values learned from 0,"
                " in the mean over all $alpha$; and expected PG at its best $alpha$",
                "all come to a better value and it is above 0; undecided if the readings differ",
            ),
        ),
        required_evidence=("simulation",),
    ),
    _details(
        "discount-caps-return",
        1276,
        statement=(
            'A discount factor caps the maximum return at the fixed value of $r_"max" / (1 -'
            " gamma)$."
        ),
        kind="inequality",
        given=('footnote; no reward exceeds $r_"max"$',),
        required_evidence=("enumeration",),
    ),
    _details(
        "discount-caps-nonnegative-rewards",
        1276,
        statement=(
            'If no reward exceeds $r_"max" >= 0$, a discount factor caps the maximum return at'
            ' $r_"max" / (1 - gamma)$.'
        ),
        kind="inequality",
        given=('footnote; no reward exceeds $r_"max" >= 0$',),
        required_evidence=("derivation", "enumeration"),
        corrects="discount-caps-return",
        adds=(
            '$r_"max" >= 0$: with a reward of $-1$ a step an episode of one step has the return'
            " $-1$, above $-1 / (1 - gamma)$"
        ),
    ),
)


CHAIN_STARTS = (
    _starts(
        "chain-learned-baseline-best-but-expected",
        1280,
        statement=(
            "Irrespective of the policy saturation, the alternate estimator with baseline is vastly"
            " superior to all the methods (except expected PG)."
        ),
        label="fig: multiple_bad_init_learning_curve",
        given=(
            PROTOCOL,
            larger(
                "alternate with learned values from 0",
                "each stochastic estimator, each of the starts 0, 1, 2, 3",
                0.1,
            ),
        ),
    ),
    _starts(
        "chain-saturation-worsens-all",
        1280,
        statement=(
            "As the initial policy is saturated more towards the left direction, performance of all"
            " the methods worsens."
        ),
        label="fig: multiple_bad_init_sensitivity",
        given=(
            PROTOCOL,
            larger(
                "each method from a less saturated start",
                "the same from the next, starts 0, 1, 2, 3",
            ),
        ),
    ),
    _starts(
        "chain-no-noise-alternate-drops",
        1297,
        statement=(
            "In absence of reward noise, the performance of the alternate estimator drops with"
            " saturated policy initialization."
        ),
        label="fig: multiple_bad_init_no_noise_sensitivity",
        given=(
            PROTOCOL,
            larger(
                "alternate with noise 1",
                'alternate with noise 0, start $theta_mono("left") = 3$, learned values from 0',
                "0.04",
            ),
        ),
    ),
    _starts(
        "return-noise-without-reward-noise",
        1297,
        statement=(
            "Even without reward noise, in MDPs the alternate estimator can utilize the noise in"
            " estimating the returns from Monte-Carlo sampling."
        ),
        kind="inequality",
        given=(
            (
                "can: at a corner of an MDP with random transitions and no noise in the rewards the"
                " alternate estimate has a positive variance, and the regular one has none"
            ),
            "on the chain, whose transitions are deterministic, at interior policies alone",
        ),
        required_evidence=("enumeration",),
    ),
    _starts(
        "chain-no-noise-true-value-better",
        1301,
        statement=(
            "Without reward noise, alternate with $v_pi$ performs better than alternate with a"
            " learned baseline."
        ),
        label="fig: multiple_bad_init_no_noise_learning_curve",
        given=(
            PROTOCOL,
            larger(
                "alternate with true values",
                'with learned values from 0, noise 0, start $theta_mono("left") = 3$',
            ),
        ),
    ),
)


GRADIENT_NOISE = (
    _noised(
        "chain-gradient-noise-little-help",
        1343,
        statement=(
            "The performance of the regular estimator with gradient noise was only slightly better"
            " than without gradient noise."
        ),
        label="fig: competitor_linear_chain_sensitivity",
        given=(
            PROTOCOL,
            read_as(
                "regular at its best noise of 0.1, 0.5, 1, 2 less without, start"
                ' $theta_mono("left") = 3$, mean over all stepsizes',
                "it is above 0, below a twentieth of 0.81, and below half of what regular has"
                " without; undecided if the readings differ",
            ),
        ),
    ),
    _noised(
        "chain-gradient-noise-alternate-superior",
        1343,
        statement=(
            "The alternate estimator had a superior final performance compared to the regular one"
            " for both the uniform and the saturated policy initialization."
        ),
        given=(PROTOCOL, larger("alternate", "regular, each at each noise, both starts")),
    ),
)


FOUR_ACTIONS = (
    _uniform(
        "four-action-alternate-poorer",
        1362,
        statement=(
            "In each case, the alternate estimator had a poorer performance as compared to the"
            " regular estimator."
        ),
        given=(
            "the four-action chain, uniform start, true values and learned ones from 0, +4, -4",
            larger(
                "regular",
                "alternate, in each of the four cases, last 10 of 100 and of 300 episodes",
            ),
        ),
    ),
    _uniform(
        "four-action-optimism-no-help",
        1362,
        statement=(
            "Even an optimistically initialized baseline could not improve the alternate"
            " estimator's performance."
        ),
        given=(
            "the four-action chain, uniform start",
            read_as(
                "alternate from $b = 0$, and alternate from $b = +4$ less that, 300 episodes",
                "the first is above 0.1, the second below 0.01",
            ),
        ),
    ),
    _uniform(
        "uniform-policy-explores-poorly",
        1362,
        statement=(
            "In this problem the uniform random policy will lead to a sub-optimal exploration."
        ),
        kind="inequality",
        given=("the probability to reach the rewarding end from $s_3$, four actions against two",),
        required_evidence=("enumeration",),
    ),
    _uniform(
        "maximum-return-number",
        1367,
        statement="The maximum return is $0.81$.",
        kind="number",
        label="fig: chain_messed_sensitivity",
        given=("from $s_3$ with $gamma = 0.9$",),
        required_evidence=("enumeration",),
    ),
    _uniform(
        "four-action-unsolved-after-300",
        1367,
        statement="Even after 300 episodes, the algorithms are not able to solve the task.",
        given=(
            "the four-action chain, uniform start",
            read_as(
                "each of the eight, last 10 of 300 episodes",
                "it is below 0.77, a twentieth below the maximum, and above 0.06, an agent's that"
                " has learned something",
            ),
        ),
    ),
    _uniform(
        "four-action-optimism-poorer-than-regular",
        1367,
        statement=(
            "Even with an optimistic baseline, the alternate estimator performs quite poorly as"
            " compared to the regular estimator."
        ),
        given=(
            "the four-action chain, uniform start",
            larger("regular from $b = +4$", "alternate from $b = +4$, 300 episodes", 0.05),
        ),
    ),
)
