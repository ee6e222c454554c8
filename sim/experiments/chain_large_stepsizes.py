"""REINFORCE on the chain with stepsizes up to 2¹⁴ (paper, appendix H, "a digressive remark")."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise, product
from typing import Any

from altpg_verify.judging import Finding
from altpg_verify.ledger import evidence
from altpg_verify.sim import analysis, best_stepsizes, captions
from altpg_verify.sim.analysis import less, measured
from altpg_verify.sim.experiment import Experiment
from altpg_verify.sim.experiments.chain_panel import FRESH, STARTS, panel, run
from altpg_verify.sim.figures import FigureData, Line, Series, stepsize_panel
from altpg_verify.sim.results import Record, Results

NAME = "tabular_00_v0_large"
POWERS = tuple(range(-6, 15, 2))
ESTIMATORS = ("alternate", "regular")
VALUES = (("true", 0.0), ("learned", 0.0), ("learned", 4.0), ("learned", -4.0))
"""The value estimates of the paper's rows, and where they start."""

_FEW = (-6, -2, 2, 8)
_LARGEST: Mapping[str, Any] = {"alphas": [2.0 ** POWERS[-1]], "fresh": FRESH}
_RANGE = (0.0, 0.81)


def _cells(profile: str) -> list[Mapping[str, Any]]:
    alphas = [2.0**power for power in POWERS]
    some = [2.0**power for power in (_FEW if profile == "quick" else POWERS[:-1])]
    exact = [panel("expected_gradient", 1.0, start, "fixed", alphas=alphas) for start in STARTS]
    # what findings are about: the largest stepsize by itself, and fresh runs
    judged = [
        ("alternate", 4.0, some, {}),
        *((estimator, 0.0, alphas[:-1], {"fresh": FRESH}) for estimator in ESTIMATORS),
    ]
    parts = [
        panel(estimator, 1.0, 0.0, "learned", b, **sizes)
        for estimator, b, most, fresh in judged
        for sizes in ({"alphas": most, **fresh}, _LARGEST)
    ]
    if profile == "quick":
        return [*exact, *parts]
    shown = [
        (estimator, *values, start)
        for values in VALUES
        for estimator in ESTIMATORS
        for start in STARTS
    ]
    apart = [(estimator, "learned", b, 0.0) for estimator, b, *_ in judged]
    rest = [
        panel(e, 1.0, start, baseline, b, alphas=alphas)
        for e, baseline, b, start in shown
        if (e, baseline, b, start) not in apart
    ]
    return [*exact, *parts, *rest]


def swept(results: Results, estimator: str) -> Record:
    """Values learned from 0 from the uniform start, at all stepsizes but the largest, and fresh
    runs at the best.

    Arrays are (alphas, betas, runs); the best stepsizes have `FRESH` fresh runs.
    """
    (record,) = (
        one
        for one in _of(results, estimator, "learned", 0.0, 0.0)
        if len(one.setting["alphas"]) > 1
    )
    return record


def at_largest(results: Results, estimator: str, b: float) -> Record:
    """Values learned from b from the uniform start, at the largest stepsize, and fresh runs at the
    best β.

    That stepsize is 2¹⁴; the record has one alpha, and `FRESH` fresh runs at its best β.
    """
    return results.one(
        NAME, estimator=estimator, baseline="learned", b=b, start=0.0, alphas=_LARGEST["alphas"]
    )


def _of(results: Results, estimator: str, baseline: str, b: float, start: float) -> list[Record]:
    """The sweep of one agent, in one record or two, or none if the profile leaves it out."""
    return results.select(NAME, estimator=estimator, baseline=baseline, b=b, start=start)


def _figures(results: Results) -> list[FigureData]:
    line = (Line("0.81, the optimum", 0.81),)
    exact = tuple(
        best_stepsizes.sensitivity(
            f"θ = ({start:g}, 0)", results.one(NAME, estimator="expected_gradient", start=start)
        )
        for start in STARTS
    )
    panels = [stepsize_panel("expected gradient", "v(s3)", exact, line)]
    for (baseline, b), start in product(VALUES, STARTS):
        found = {estimator: _of(results, estimator, baseline, b, start) for estimator in ESTIMATORS}
        series = tuple(
            _joined(estimator, records) for estimator, records in found.items() if records
        )
        if series:
            title = (
                "true v_π" if baseline == "true" else f"learned from {captions.signed(b)}, best β"
            )
            panels.append(stepsize_panel(f"{title}, θ = ({start:g}, 0)", "v(s3)", series, line))
    caption = (
        "REINFORCE on the chain with very large stepsizes: exact v(s3), averaged over the last 10"
        f" of 100 episodes, against the stepsize. Left the expected gradient from {len(STARTS)}"
        f" starts, then sampled agents; {captions.runs_each(results.select(NAME))}."
    )
    low, high = (
        captions.fraction(pick(x for panel in panels for one in panel.series for x in one.x))
        for pick in (min, max)
    )
    alt = (
        f"{'Three' if len(panels) == 3 else len(panels)} panels of v(s3) against stepsizes from"
        f" {low} to {high}."
    )
    return [FigureData(NAME, "Very large stepsizes", caption, alt, tuple(panels))]


def _joined(label: str, records: Sequence[Record]) -> Series:
    """One series of the sweeps of several cells."""
    parts = [best_stepsizes.best_beta("", record) for record in records]
    return Series(
        label,
        *(
            tuple(value for part in parts for value in getattr(part, name) or ())
            for name in ("x", "y", "standard_error")
        ),
    )


TABULAR_LARGE = Experiment(
    NAME,
    "chain, stepsizes up to 2¹⁴",
    "figure tabular_00_v0_large",
    {
        "quick": (
            "150 runs of 100 episodes, for four of the paper's agents, one of them at 5 of its 11"
            " stepsizes"
        ),
        "paper": "150 runs of 100 episodes at 11 stepsizes: the paper's own",
    },
    _cells,
    run,
    _figures,
)


@evidence("large-stepsizes-chain", kind="simulation")
def still_learns(results: Results) -> Finding:
    item = best_stepsizes.at_best(
        "alternate, b from +4", at_largest(results, "alternate", 4.0), _RANGE
    )
    summary = (
        "at α = 2¹⁴ alternate with values from +4 ends above 0.4 from the uniform start, at its"
        " best β"
    )
    domain = (
        "chain, noise 1, γ = 0.9, 100 episodes, mean of the last 10; best of β = 1/16 ... 2 on 150"
        f" runs, {FRESH} fresh runs at it"
    )
    return analysis.all_above(summary, [item], 0.4, domain)


@evidence("larger-steps-faster-for-expected-gradient", kind="simulation")
def larger_is_faster(results: Results) -> Finding:
    gaps = []
    for start in STARTS:
        mean = results.one(NAME, estimator="expected_gradient", start=start)["mean"]
        for small, large in pairwise(range(0, len(POWERS), 2)):
            one, other = (
                measured(f"α = 2^{POWERS[i]}, θ = ({start:g}, 0)", [mean[i, 0]])
                for i in (large, small)
            )
            gaps.append(less(one, other))
    lower, same = sum(gap.mean < 0 for gap in gaps), sum(gap.mean == 0 for gap in gaps)
    summary = (
        "the expected gradient ends higher with each stepsize than with one 2⁴ times smaller, from"
        f" each of the four starts (lower in {lower} of {len(gaps)} pairs, the same to the last bit"
        f" in {same})"
    )
    why = (
        "a very large step can saturate a state at the worse action, from where a vanishing"
        " gradient leads back too slowly"
    )
    domain = "chain, γ = 0.9, 100 episodes, α = 2^-6 ... 2^14; no chance in it"
    return analysis.explained(
        lambda summary: analysis.all_above(summary, gaps, 0.0, domain), summary, why
    )
