"""The findings of the first page in plain words, and the chapters in their order.

Every sentence that says how something came out is chosen by the verdict in the ledger, and every number comes from the results.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from altpg_verify.ledger import Ledger
from altpg_verify.report.convergence import BANDIT, CHAIN, LONG, STATIONARY, bandit, chain
from altpg_verify.report.parts import Part, by_verdict, prose
from altpg_verify.report.summary import finding


def story(ledger: Ledger, results: Any, audits: list[Part]) -> dict[str, Any]:
    """What `document` takes beside the ledger: numbers, findings, chapters.

    Args:
        results: of `altpg_verify.sim.experiments.run_all`. audits: the chapter on audited libraries, see `altpg_verify.report.audited`.
    """
    from altpg_verify.report import figures, one_draw
    from altpg_verify.report.experiments import drawings, families
    from altpg_verify.report.machine_checked import machine_checked

    drawn = drawings(results, figures.picture)
    chapters = [
        {"title": "Where the biased bandit converges", "parts": bandit(ledger, drawn)},
        {"title": "Where the biased chain converges", "parts": chain(ledger, drawn)},
        {"title": "What one draw does to a policy", "parts": [*prose(_DRAWS), *one_draw.parts()]},
        *families(results, {name: parts for name, parts in drawn.items() if name not in (BANDIT, STATIONARY, CHAIN, LONG)}),
        {"title": "What public libraries estimate", "parts": audits},
        {"title": "Machine-checked theorems", "parts": machine_checked(ledger)},
    ]
    return {"numbers": numbers(ledger, results), "findings": findings(ledger), "chapters": chapters}


def numbers(ledger: Ledger, results: Any) -> list[Part]:
    """The rows of the first page: what the paper prints, what is exact, what the agents reach."""
    from altpg_verify.sim.experiments import bandit_fixed_baseline, chain_fixed_points

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
    from altpg_verify.sim.analysis import measured

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


_DRAWS = """
The estimators agree in expectation when the baseline is the value of the policy; they differ in what a single draw does. The figures show
it for every policy of a bandit with three actions, enumerated.
"""

_ACTOR_CRITICS = (
    (
        "mountaincar-alternate-superior",
        "On MountainCar whose actions are switched, alternate ends above regular, at the paper's scale.",
        "On MountainCar whose actions are switched, alternate doesn't end above regular.",
    ),
    (
        "alternate-not-worse-than-regular-entropy",
        "An entropy bonus doesn't take regular past alternate, with a bonus or without.",
        "With an entropy bonus regular ends above alternate, with a bonus or without.",
    ),
    (
        "realistic-alternate-solves-regular-fails",
        "On RealisticMountainCar regular fails, as the paper says.",
        "On RealisticMountainCar regular learns, too, at stepsizes that the paper's plot shows as failing.",
    ),
    (
        "tile-coder-decides-realistic",
        "That hangs on the tile coder, of which the text says little: with tiles that don't wrap around, regular ends much higher.",
        "That doesn't hang on the tile coder.",
    ),
)
