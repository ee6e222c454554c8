"""The findings of the first page in plain words, and the chapters in their order.

Every sentence that says how something came out is chosen by the verdict in the ledger, and every
number comes from the results.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from altpg_verify.ledger import Ledger
from altpg_verify.report.convergence import BANDIT, CHAIN, LONG, STATIONARY, bandit, chain
from altpg_verify.report.parts import Part, by_verdict, prose
from altpg_verify.report.pictures import Drawn
from altpg_verify.report.summary import finding

if TYPE_CHECKING:
    from altpg_verify.sim.results import Results


def main_report(
    ledger: Ledger, results: Results, drawn: Drawn, audits: list[Part], trust: list[Part]
) -> dict[str, Any]:
    """What `document` takes beside the ledger: the first page's picture and numbers, findings,
    chapters.

    Args:
        results: of `altpg_verify.sim.experiments.run_all`. drawn: see `pictures`.
        audits, trust: the chapters on audited libraries and on how the verifier was
        validated.
    """
    from altpg_verify.report import headline
    from altpg_verify.report.experiments import beyond, by_figure
    from altpg_verify.report.machine_checked import machine_checked
    from altpg_verify.report.refuted import chapter as refuted
    from altpg_verify.report.theorem import theorem

    pictures = drawn["experiments"]
    others = {
        name: parts
        for name, parts in pictures.items()
        if name not in (BANDIT, STATIONARY, CHAIN, LONG)
    }
    chapters = [
        {
            "title": "Where the biased bandit converges (Figure 22)",
            "parts": bandit(ledger, pictures),
        },
        {"title": "Where the biased chain converges (Figure 34)", "parts": chain(ledger, pictures)},
        {"title": "The theorem, and what lies beyond it", "parts": theorem(ledger)},
        {"title": "What does not hold as printed", "parts": refuted(ledger)},
        {
            "title": "One draw of either estimator (Figures 11 to 14)",
            "parts": [*prose(_DRAWS), *drawn["variances"]],
        },
        {
            "title": "The paper's other experiments, by figure",
            "parts": by_figure(ledger, results, others),
        },
        {
            "title": "Experiments beyond the paper's figures",
            "parts": beyond(ledger, results, others),
        },
        drawn["choices"],
        {"title": "What public libraries estimate", "parts": audits},
        {"title": "Theorems checked by Coq", "parts": machine_checked(ledger)},
        {"title": "How the verifier was validated", "parts": trust},
    ]
    return {
        "picture": drawn["picture"],
        "numbers": headline.rows(ledger, results),
        "findings": findings(ledger),
        "chapters": chapters,
    }


def findings(ledger: Ledger) -> list[Part]:
    """The findings of the first page."""
    return [
        finding(
            ledger,
            "The bandit",
            by_verdict(
                ledger,
                "simulated-value-matches-2.36",
                "The mean is 26/11 at every stepsize and start, as predicted. It must be: the"
                " stationary mean of the policy is π* whatever the stepsize. So the agreement"
                " doesn't show that single policies converge; their spread grows with the"
                " stepsize.",
                "The simulated mean differs from 26/11 by more than its error allows.",
            ),
            "simulated-value-matches-2.36",
            "stationary-mean-is-pi-star",
        ),
        finding(
            ledger,
            "The chain",
            _chain_finding(ledger),
            "chain-policy-converges-to-lemma-point",
            "chain-agents-reach-exact-fixed-point",
            "chain-simulated-value-matches-0.28",
        ),
        finding(
            ledger,
            "The theorem",
            by_verdict(
                ledger,
                "optimistic-attracts-explicit-stepsize",
                "An optimistic baseline attracts with one explicit bound on the stepsize for all"
                " policies; the paper's bound depends on the policy.",
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
                "At π* the expected update is not zero but the same number κ for every action: the"
                " policy stays, the preferences move.",
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
                "The policy computed from immediate rewards is a fixed point of the expected"
                " update.",
                "The policy computed from immediate rewards, as in the paper, is no fixed point of"
                " REINFORCE, which weighs returns.",
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
                "The paper's 100 episodes, read off a plot, don't separate the two.",
                "The paper's own protocol contradicts 0.28, too.",
                "Whether the paper's 100 episodes confirm 0.28",
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
        (
            "On MountainCar whose actions are switched, alternate ends above regular, at the"
            " paper's scale."
        ),
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
        (
            "On RealisticMountainCar regular learns, too, at stepsizes that the paper's plot shows"
            " as failing."
        ),
    ),
    (
        "tile-coder-decides-realistic",
        (
            "That depends on the tile coder, of which the text says little: with tiles that don't"
            " wrap around, regular ends much higher."
        ),
        "That doesn't depend on the tile coder.",
    ),
)
