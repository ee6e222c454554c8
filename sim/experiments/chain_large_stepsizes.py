"""REINFORCE on the chain with stepsizes up to 2¹⁴ (paper, appendix H, "a digressive remark")."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from altpg_verify.judging import Finding
from altpg_verify.ledger import evidence
from sim import analysis
from sim.analysis import difference, measured
from sim.experiment import Experiment
from sim.experiments.chain_panel import FRESH, STARTS, panel, run
from sim.figures import FigureData, Line, Panel, Series
from sim.results import Results

NAME = "tabular_00_v0_large"
POWERS = tuple(range(-6, 15, 2))
_FEW = (-6, -2, 2, 8)
_LARGEST: Mapping[str, Any] = {"alphas": [2.0 ** POWERS[-1]], "fresh": FRESH}
_RANGE = (0.0, 0.81)


def _cells(profile: str) -> list[Mapping[str, Any]]:
    alphas = [2.0**power for power in POWERS]
    some = [2.0**power for power in (_FEW if profile == "quick" else POWERS[:-1])]
    exact = [panel("expected_gradient", 1.0, start, "fixed", alphas=alphas) for start in STARTS]
    alternate = [panel("alternate", 1.0, 0.0, "learned", 4.0, alphas=some), panel("alternate", 1.0, 0.0, "learned", 4.0, **_LARGEST)]
    return [*exact, *alternate]


def _figures(results: Results) -> list[FigureData]:
    exact = tuple(
        analysis.sensitivity(f"θ = ({start:g}, 0)", results.one(NAME, estimator="expected_gradient", start=start)) for start in STARTS
    )
    parts = [analysis.best_beta("", record) for record in results.select(NAME, estimator="alternate")]
    joined = [tuple(value for part in parts for value in getattr(part, name) or ()) for name in ("x", "y", "standard_error")]
    alternate = (Series("alternate, b from +4, best β", *joined),)
    caption = (
        "REINFORCE on the chain with very large stepsizes: exact v(s3), averaged over the last 10 of 100 episodes. Left: the expected "
        "gradient from four starts. Right: alternate with values learned from +4, uniform start, 150 runs."
    )
    alt = "Two panels of v(s3) against stepsizes from 2⁻⁶ to 2¹⁴."
    line = (Line("0.81, the optimum", 0.81),)
    panels = (
        Panel("expected gradient", "stepsize α", "v(s3)", "log2", exact, line),
        Panel("alternate, uniform start", "stepsize α", "v(s3)", "log2", alternate, line),
    )
    return [FigureData(NAME, "Very large stepsizes", caption, alt, panels)]


TABULAR_LARGE = Experiment(
    NAME,
    "chain, stepsizes up to 2¹⁴",
    "figure tabular_00_v0_large",
    {
        "quick": "expected gradient at the paper's stepsizes, alternate at 5 of its 11; 150 runs of 100 episodes",
        "paper": "150 runs of 100 episodes at 11 stepsizes: the paper's own, for two of its agents",
    },
    _cells,
    run,
    _figures,
)


@evidence("large-stepsizes-chain", kind="simulation")
def still_learns(results: Results) -> Finding:
    item = analysis.at_best("alternate, b from +4", results.one(NAME, estimator="alternate", alphas=_LARGEST["alphas"]), _RANGE)
    says = "at α = 2¹⁴ alternate with values from +4 ends above 0.4 from the uniform start, at its best β"
    domain = f"chain, noise 1, γ = 0.9, 100 episodes, mean of the last 10; best of β = 1/16 ... 2 on 150 runs, {FRESH} fresh runs at it"
    return analysis.all_above(says, [item], 0.4, domain)


@evidence("larger-steps-faster-for-expected-gradient", kind="simulation")
def larger_is_faster(results: Results) -> Finding:
    gaps = []
    for start in STARTS:
        mean = results.one(NAME, estimator="expected_gradient", start=start)["mean"]
        for small, large in pairwise(range(0, len(POWERS), 2)):
            one, other = (measured(f"α = 2^{POWERS[i]}, θ = ({start:g}, 0)", [mean[i, 0]]) for i in (large, small))
            gaps.append(difference(f"{one.words} less {other.words}", one, other))
    lower, same = sum(gap.mean < 0 for gap in gaps), sum(gap.mean == 0 for gap in gaps)
    says = (
        "the expected gradient ends higher with each stepsize than with one 2⁴ times smaller, from each of the four starts "
        f"(lower in {lower} of {len(gaps)} pairs, the same to the last bit in {same})"
    )
    why = "a very large step can saturate a state at the worse action, from where a vanishing gradient leads back too slowly"
    domain = "chain, γ = 0.9, 100 episodes, α = 2^-6 ... 2^14; no chance in it"
    return analysis.explained(lambda says: analysis.all_above(says, gaps, 0.0, domain), says, why)
