"""The findings in plain words, and the chapters on the two convergence values.

Every sentence that says how something came out is chosen by the verdict in the ledger, and every number comes from the results.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

from altpg_verify.ledger import Ledger
from altpg_verify.report.reading import paragraphs
from altpg_verify.report.summary import finding, text
from altpg_verify.verdicts import Verdict

Part = dict[str, Any]

BANDIT, STATIONARY = "bias_alternate_param_study", "stationary_mean"
CHAIN, LONG = "biased_pg_sensitivity", "chain_fixed_point"


def story(ledger: Ledger, results: Any, audits: Path) -> dict[str, Any]:
    """What `document` takes beside the ledger: numbers, findings, chapters.

    Args:
        results: of `sim.experiments.run_all`. audits: the table of audited libraries, see `altpg_verify.report.audited`.
    """
    from altpg_verify.report import figures, simplex
    from altpg_verify.report.audited import audited
    from altpg_verify.report.experiments import drawings, families
    from altpg_verify.report.machine_checked import machine_checked

    drawn = drawings(results, figures.picture)
    chapters = [
        {"title": "Where the biased bandit converges", "parts": bandit(ledger, drawn, simplex.picture())},
        {"title": "Where the biased chain converges", "parts": chain(ledger, drawn)},
        *families(results, {name: parts for name, parts in drawn.items() if name not in (BANDIT, STATIONARY, CHAIN, LONG)}),
        {"title": "What public libraries estimate", "parts": audited(audits)},
        {"title": "Machine-checked theorems", "parts": machine_checked(ledger)},
    ]
    return {"numbers": numbers(ledger, results), "findings": findings(ledger), "chapters": chapters}


def by_verdict(ledger: Ledger, claim: str, holds: str, fails: str) -> str:
    """The sentence that the verdict calls for; an undecided claim says so."""
    verdict = ledger[claim].verdict
    if verdict.is_for:
        return holds
    return fails if verdict is Verdict.REFUTED else f"This was not decided here ({str(verdict).lower()})."


def numbers(ledger: Ledger, results: Any) -> list[Part]:
    """The rows of the first page: what the paper prints, what is exact, what the agents reach."""
    from sim.experiments import bandit_fixed_baseline, chain_fixed_points

    optimistic = bandit_fixed_baseline.OPTIMISTIC
    exact = bandit_fixed_baseline.value_at_pi_star(optimistic)
    lemma = chain_fixed_points.value(chain_fixed_points.immediate_reward_point(optimistic))
    fixed = chain_fixed_points.value(chain_fixed_points.exact_point(optimistic))
    rows = (
        ("bandit", "2.36", f"{Fraction(exact).limit_denominator(100)} = {exact:.6f}", STATIONARY, "simulated-value-matches-2.36"),
        ("chain, immediate rewards", "0.28", f"{lemma:.6f}", "", "chain-policy-converges-to-lemma-point"),
        ("chain, action values", "–", f"{fixed:.6f}", LONG, "chain-agents-reach-exact-fixed-point"),
    )
    return [
        {
            "what": what,
            "printed": printed,
            "exact": value,
            "simulated": simulated(results, experiment) if experiment else "–",
            "claim": claim,
            "verdict": str(ledger[claim].verdict),
        }
        for what, printed, value, experiment, claim in rows
    ]


def simulated(results: Any, experiment: str) -> str:
    """Mean over all settings of an experiment, with its standard error."""
    from sim.analysis import measured

    mean = measured("", [record["mean"] for record in results.select(experiment)])
    return f"{mean.mean:.5f} ± {mean.standard_error:.5f}"


def findings(ledger: Ledger) -> list[Part]:
    """The findings of the first page."""
    return [
        finding(
            ledger,
            "The bandit",
            by_verdict(
                ledger,
                "simulated-value-matches-2.36",
                "The mean is 26/11 at every stepsize and start, as predicted. It must be: the stationary mean of the policy is π* whatever "
                "the stepsize. So the agreement doesn't show that single policies converge; their spread grows with the stepsize.",
                "The simulated mean differs from 26/11 by more than its error allows.",
            ),
            "simulated-value-matches-2.36",
            "stationary-mean-is-pi-star",
        ),
        finding(
            ledger, "The chain", _chain_finding(ledger), "chain-policy-converges-to-lemma-point", "chain-agents-reach-exact-fixed-point"
        ),
        finding(
            ledger,
            "The theorem",
            by_verdict(
                ledger,
                "optimistic-attracts-explicit-stepsize",
                "An optimistic baseline attracts with one explicit bound on the stepsize for all policies; the paper's bound depends on "
                "the policy.",
                "The explicit bound on the stepsize fails.",
            ),
            "optimistic-attracts-explicit-stepsize",
            "pessimistic-repels",
        ),
        finding(
            ledger,
            "The lemma",
            by_verdict(
                ledger,
                "lemma-case-3-zero-at-pi-star",
                "The expected update is zero at π*.",
                "At π* the expected update is not zero but the same number κ for every action: the policy stays, the preferences move.",
            ),
            "lemma-case-3-zero-at-pi-star",
            "lemma-case-3-policy-fixed-point",
        ),
        finding(
            ledger,
            "Actor-critics",
            " ".join(by_verdict(ledger, *sentence) for sentence in _ACTOR_CRITICS),
            *(claim for claim, _, _ in _ACTOR_CRITICS),
        ),
    ]


def _chain_finding(ledger: Ledger) -> str:
    return " ".join(
        (
            by_verdict(
                ledger,
                "chain-policy-converges-to-lemma-point",
                "The policy computed from immediate rewards is a fixed point of the expected update.",
                "The policy computed from immediate rewards, as in the paper, is no fixed point of REINFORCE, which weighs returns.",
            ),
            by_verdict(
                ledger,
                "chain-agents-reach-exact-fixed-point",
                "Long runs with small stepsizes reach the exact fixed point, 0.2976, not 0.2794.",
                "Long runs don't reach the value of the exact fixed point either.",
            ),
            by_verdict(
                ledger,
                "chain-simulated-value-matches-0.28",
                "The paper's 100 episodes, read off a plot, can't tell the two apart.",
                "The paper's own protocol contradicts 0.28, too.",
            ),
        )
    )


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
therefore can't tell whether policies settle. Their spread does.
"""

_CHAIN = """
Five states in a row, start in the middle; the only reward is 1 for leaving the last state to the right; discount 0.9, noise of standard
deviation 1, and the value estimate b = +4 in every state, never updated. The paper takes the bandit's fixed point state by state, with
the immediate rewards. But the REINFORCE update weighs returns, whose means are the action values of the very policy that is sought:
"""

_TWO = """
Both points and their values, each from its own short computation:
"""


_ACTOR_CRITICS = (
    (
        "mountaincar-alternate-superior",
        "On MountainCar whose actions are switched, alternate ends above regular, at the paper's scale.",
        "On MountainCar whose actions are switched, alternate doesn't end above regular.",
    ),
    (
        "alternate-not-worse-than-regular-entropy",
        "An entropy bonus doesn't take regular past alternate.",
        "With an entropy bonus regular ends above alternate without one.",
    ),
    (
        "realistic-alternate-solves-regular-fails",
        "On RealisticMountainCar regular fails, as the paper says.",
        "On RealisticMountainCar regular learns, too, at stepsizes that the paper's plot shows as failing.",
    ),
)

_OPTIMISTIC = (
    (
        "alternate-optimistic-converges-to-2.4",
        "After 1000 steps the value is about 2.4, as the paper says, at every stepsize that leaves time to settle.",
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
        "The paper says that the value goes to zero, which no policy of this bandit can have: the smallest reward is 1.",
    ),
    (
        "pessimistic-converges-to-nearest-corner",
        "From a saturated start the policy goes to the corner where it began, as the next paragraph of the paper says.",
        "From a saturated start the policy does not always go to the corner where it began.",
    ),
    (
        "pessimistic-value-independent-of-start",
        "The value is the same from every start.",
        "So the value is not the same from every start, as the paper has it: from the uniform one it is another.",
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
        "The policy from immediate rewards is no fixed point of the expected update: it pushes the actions of a state apart.",
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
        "With the paper's protocol the value is within 0.05 of 0.28, which is what can be read off a plot; so is 0.2976.",
        "With the paper's protocol the value is more than 0.05 away from 0.28.",
    ),
)

_REACHED = (
    (
        "chain-agents-reach-exact-fixed-point",
        "The agents settle within 0.002 of 0.2976, the exact fixed point, also those that start at the paper's point.",
        "The agents do not settle at the exact fixed point.",
    ),
    (
        "chain-exact-fixed-point-value",
        "That this point is the only one inside, with the value 0.297641, has a certificate.",
        "The exact fixed point has another value.",
    ),
)


def bandit(ledger: Ledger, drawn: Mapping[str, list[Part]], triangle: Part) -> list[Part]:
    """The chapter on the bandit with a fixed baseline."""
    from sim.experiments import bandit_fixed_baseline as experiment

    policy = ", ".join(str(Fraction(float(entry)).limit_denominator(100)) for entry in experiment.pi_star(experiment.OPTIMISTIC))
    value = Fraction(experiment.value_at_pi_star(experiment.OPTIMISTIC)).limit_denominator(100)
    return [
        *prose(_BANDIT),
        display("pi^*(a) = 1 / (r(a) - b) thin (sum_c 1 / (r(c) - b))^(-1)"),
        text(f"which for b = +4 is π* = ({policy}), of value {value} = {float(value):.4f}; the paper prints 2.36."),
        *drawn[BANDIT],
        answer(ledger, "The optimistic baseline", *_OPTIMISTIC),
        answer(ledger, "The pessimistic baseline", *_PESSIMISTIC),
        heading("Why 26/11 at every stepsize"),
        *prose(_WHY),
        display("sum_(t < T) EE[pi_t (a)] (r(a) - b) = frac(EE[theta_(a)^((T)) - theta_(a)^((0))], alpha)"),
        *prose(_BECAUSE),
        answer(ledger, "Seen and derived", *_MEAN),
        *drawn[STATIONARY],
        heading("The simplex"),
        triangle,
    ]


def chain(ledger: Ledger, drawn: Mapping[str, list[Part]]) -> list[Part]:
    """The chapter on the chain with a fixed value estimate."""
    from sim.experiments import chain_fixed_points as points

    b = 4.0
    lemma, exact = points.immediate_reward_point(b), points.exact_point(b)
    rows = [[f"probability of right in s{state + 1}", f"{lemma[state]:.6f}", f"{exact[state]:.6f}"] for state in range(points.STATES)]
    rows.append(["value v(s3)", f"{points.value(lemma):.6f}", f"{points.value(exact):.6f}"])
    return [
        *prose(_CHAIN),
        display("pi(a|s) = 1 / (q_pi (s, a) - b) thin (sum_c 1 / (q_pi (s, c) - b))^(-1)"),
        *prose(_TWO),
        {"kind": "table", "header": ["", "from immediate rewards", "exact fixed point"], "rows": rows},
        answer(ledger, "Which of them is a fixed point", *_POINTS),
        heading("The paper's own protocol"),
        *drawn[CHAIN],
        answer(ledger, "After 100 episodes", *_PROTOCOL),
        heading("Long runs with small stepsizes"),
        *drawn[LONG],
        answer(ledger, "Which point is reached", *_REACHED),
    ]


def answer(ledger: Ledger, head: str, *sentences: tuple[str, str, str]) -> Part:
    """A finding of several sentences. Args: sentences: claim, what to say if it holds, what if it is refuted."""
    said = " ".join(by_verdict(ledger, *sentence) for sentence in sentences)
    return finding(ledger, head, said, *(claim for claim, _, _ in sentences))


def heading(words: str) -> Part:
    return {"kind": "heading", "text": words}


def prose(block: str) -> list[Part]:
    return [text(paragraph) for paragraph in paragraphs(block)]


def display(source: str) -> Part:
    from altpg_verify.report.content import formula

    return {"kind": "formula", **formula(source)}
