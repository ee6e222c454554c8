"""The chapters on the paper's two numbers: where the alternate estimator converges with a fixed
baseline.

Every sentence that says how something came out is chosen by the verdict in the ledger, and every
number comes from the results.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from altpg_verify.ledger import Ledger
from altpg_verify.report.parts import Part, answer, display, heading, prose, table
from altpg_verify.report.summary import text

BANDIT, STATIONARY = "bias_alternate_param_study", "stationary_mean"
CHAIN, LONG = "biased_pg_sensitivity", "chain_fixed_point"

_BANDIT = """
A bandit with the rewards r = (1, 2, 3), noise of standard deviation 1, and a baseline b that is never updated. The expected update of the
alternate estimator has the fixed point
"""

_WHY = """
Why the mean agrees at every stepsize: each step adds α (R − b) to the preference of the action taken, so over T steps from any start
"""

_BECAUSE = """
In the stationary state all differences of preferences have constant mean, so the right side is the same for every action, and with it
the mean of π(a) (r(a) − b). Only π* has that property: the mean policy is π* exactly, for every stepsize, without any limit. The mean
therefore says nothing on whether policies settle. Their spread does.
"""

_CHAIN = """
Five states in a row, start in the middle; the only reward is 1 for leaving the last state to the right; discount 0.9, noise of standard
deviation 1, and the value estimate b = +4 in every state, never updated. The paper takes the bandit's fixed point state by state, with
the immediate rewards. But the REINFORCE update weighs returns, whose means are the action values of the very policy that is sought:
"""

_TWO = """
Both points and their values, each from its own short computation:
"""

_OPTIMISTIC = (
    (
        "alternate-optimistic-converges-to-2.4",
        (
            "After 1000 steps the value is about 2.4, as the paper says, at every stepsize that"
            " leaves time to settle."
        ),
        "After 1000 steps the value is not about 2.4.",
    ),
    (
        "optimistic-value-independent-of-start",
        "It is the same from every start.",
        "It depends on the start.",
    ),
)

_PESSIMISTIC = (
    (
        "alternate-pessimistic-converges-to-zero",
        "The value goes to zero.",
        (
            "The paper says that the value goes to zero, which no policy of this bandit can have:"
            " the smallest reward is 1."
        ),
    ),
    (
        "pessimistic-converges-to-nearest-corner",
        (
            "From a saturated start the policy goes to the corner where it began, as the next"
            " paragraph of the paper says."
        ),
        "From a saturated start the policy does not always go to the corner where it began.",
    ),
    (
        "pessimistic-value-independent-of-start",
        "The value is the same from every start.",
        (
            "So the value is not the same from every start, as the paper has it: from the uniform"
            " one it is another."
        ),
    ),
)

_MEAN = (
    (
        "simulated-value-matches-2.36",
        "Long runs at every stepsize and start have the mean 26/11 within their stated errors.",
        "Long runs have a mean other than 26/11.",
    ),
    (
        "stationary-mean-is-pi-star",
        "That the stationary mean is π* is derived for every number of actions.",
        "The stationary mean is not π*.",
    ),
)

_POINTS = (
    (
        "chain-policy-converges-to-lemma-point",
        "The policy from immediate rewards is a fixed point of the expected update.",
        (
            "The policy from immediate rewards is no fixed point of the expected update: it pushes"
            " the actions of a state apart."
        ),
    ),
    (
        "chain-policy-converges-to-action-value-point",
        "With the action values in the place of the rewards the lemma's formula is right.",
        "Neither is the one from action values.",
    ),
)

_PROTOCOL = (
    (
        "chain-simulated-value-matches-0.28",
        (
            "With the paper's protocol the value is within 0.05 of 0.28, which is what can be read"
            " off a plot; so is 0.2976."
        ),
        "With the paper's protocol the value is more than 0.05 away from 0.28.",
        "Whether the paper's 100 episodes confirm 0.28",
    ),
)

_REACHED = (
    (
        "chain-agents-reach-exact-fixed-point",
        (
            "The agents settle within 0.002 of 0.2976, the exact fixed point, also those that start"
            " at the paper's point."
        ),
        "The agents do not settle at the exact fixed point.",
    ),
    (
        "chain-exact-fixed-point-value",
        "That this point is the only one inside, with the value 0.297641, has a certificate.",
        "The exact fixed point has another value.",
    ),
)

_BOUNDS = (
    (
        "figure-bounds-bracket-log-term",
        "The log term lies between its two bounds, for every baseline and stepsize.",
        "The log term does not always lie between its two bounds.",
    ),
    (
        "stepsize-bound-not-tight",
        "The paper's bound on the stepsize is not tight: descent goes on beyond it.",
        "The paper's bound on the stepsize is tight.",
    ),
)


def bandit(ledger: Ledger, drawn: Mapping[str, list[Part]]) -> list[Part]:
    """The chapter on the bandit with a fixed baseline."""
    from altpg_verify.report import inequalities, simplex
    from altpg_verify.sim.experiments import bandit_fixed_baseline as experiment

    policy = ", ".join(
        str(Fraction(float(entry)).limit_denominator(100))
        for entry in experiment.pi_star(experiment.OPTIMISTIC)
    )
    value = Fraction(experiment.value_at_pi_star(experiment.OPTIMISTIC)).limit_denominator(100)
    return [
        *prose(_BANDIT),
        display("pi^*(a) = 1 / (r(a) - b) thin (sum_c 1 / (r(c) - b))^(-1)"),
        text(
            f"which for b = +4 is π* = ({policy}), of value {value} = {float(value):.4f}; the paper"
            " prints 2.36."
        ),
        *drawn[BANDIT],
        answer(ledger, "The optimistic baseline", *_OPTIMISTIC),
        answer(ledger, "The pessimistic baseline", *_PESSIMISTIC),
        heading("Why 26/11 at every stepsize"),
        *prose(_WHY),
        display(
            "sum_(t < T) EE[pi_t (a)] (r(a) - b) = frac(EE[theta_(a)^((T)) - theta_(a)^((0))],"
            " alpha)"
        ),
        *prose(_BECAUSE),
        answer(ledger, "Seen and derived", *_MEAN),
        *drawn[STATIONARY],
        heading("The simplex"),
        simplex.picture(),
        heading("The inequalities of the theorem"),
        inequalities.picture(),
        answer(ledger, "Bounds", *_BOUNDS),
    ]


def chain(ledger: Ledger, drawn: Mapping[str, list[Part]]) -> list[Part]:
    """The chapter on the chain with a fixed value estimate."""
    from altpg_verify.sim.experiments import chain_fixed_points as points

    b = 4.0
    lemma, exact = points.immediate_reward_point(b), points.exact_point(b)
    rows = [
        [f"probability of right in s{state + 1}", f"{lemma[state]:.6f}", f"{exact[state]:.6f}"]
        for state in range(points.STATES)
    ]
    rows.append(["value v(s3)", f"{points.value(lemma):.6f}", f"{points.value(exact):.6f}"])
    return [
        *prose(_CHAIN),
        display("pi(a|s) = 1 / (q_pi (s, a) - b) thin (sum_c 1 / (q_pi (s, c) - b))^(-1)"),
        *prose(_TWO),
        table(["", "from immediate rewards", "exact fixed point"], rows),
        answer(ledger, "Which of them is a fixed point", *_POINTS),
        heading("The paper's own protocol"),
        *drawn[CHAIN],
        answer(ledger, "After 100 episodes", *_PROTOCOL),
        heading("Long runs with small stepsizes"),
        *drawn[LONG],
        answer(ledger, "Which point is reached", *_REACHED),
    ]
