"""The picture and the table of the first page: what the paper claims for two agents, and what they
do.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from altpg_verify.ledger import Ledger
from altpg_verify.report.parts import Part, figure_part

STATIONARY, LONG = "stationary_mean", "chain_fixed_point"
"""The experiments whose means stand on the first page."""

HEAD = (
    "Fixed baseline b = +4",
    "claimed",
    "simulated ± standard error",
    "standard errors apart",
    "the claim",
)

if TYPE_CHECKING:
    from altpg_verify.sim.results import Results


def rows(ledger: Ledger, results: Results) -> list[dict[str, str]]:
    """The table: what is claimed, what was simulated, and how many standard errors lie between.

    Args:
        ledger: has the verdicts of the three claims.
        results: of the simulations.
    """
    from altpg_verify.sim.experiments import bandit_fixed_baseline, chain_fixed_points

    b = bandit_fixed_baseline.OPTIMISTIC
    bandit = bandit_fixed_baseline.value_at_pi_star(b)
    lemma, fixed = (
        chain_fixed_points.value(point(b))
        for point in (chain_fixed_points.immediate_reward_point, chain_fixed_points.exact_point)
    )
    return [
        _row(
            ledger,
            results,
            "bandit: the stationary mean of J",
            f"2.36, which is {Fraction(bandit).limit_denominator(100)}",
            bandit,
            STATIONARY,
            "simulated-value-matches-2.36",
        ),
        _row(
            ledger, results, "chain: the fixed point from immediate rewards, as printed", f"0.28, which is {lemma:.4f}", lemma, LONG,
            "chain-policy-converges-to-lemma-point",
        ),
        _row(
            ledger, results, "chain: the fixed point from action values, ours", f"{fixed:.6f}", fixed, LONG,
            "chain-agents-reach-exact-fixed-point",
        ),
    ]  # fmt: skip


def _row(
    ledger: Ledger,
    results: Results,
    what: str,
    claimed: str,
    value: float,
    experiment: str,
    claim: str,
) -> dict[str, str]:
    mean, error = simulated(results, experiment)
    return {
        "what": what,
        "claimed": claimed,
        "simulated": f"{mean:.5f} ± {error:.5f}",
        "apart": f"{abs(mean - value) / error:.1f}",
        "claim": claim,
        "verdict": str(ledger[claim].verdict),
    }


def simulated(results: Results, experiment: str) -> tuple[float, float]:
    """Mean over all settings of an experiment, each with the same weight, and its standard error.

    The agents of `LONG` lie off their fixed point by a bias in proportion to the stepsize; the mean
    takes those of the smallest one.

    Args:
        results: of the simulations.
        experiment: `STATIONARY` or `LONG`.
    """
    from altpg_verify.sim.analysis import measured

    records = results.select(experiment)
    if experiment == LONG:
        smallest = min(record.setting["alpha"] for record in records)
        records = [record for record in records if record.setting["alpha"] == smallest]
    mean = measured("", [record["mean"] for record in records])
    return mean.mean, mean.standard_error


def picture(results: Results) -> Part:
    """Both agents beside what was claimed: the bandit's mean against 26/11, the chain's against
    0.2976 and 0.2794.
    """
    from altpg_verify.report.figures import draw
    from altpg_verify.sim.experiments import experiment_named
    from altpg_verify.sim.figures import FigureData, Line, Panel

    (left, _), (_, right) = (
        experiment_named(name).figures(results)[0].panels for name in (STATIONARY, LONG)
    )
    panels = (
        Panel(
            "bandit",
            left.xlabel,
            "stationary mean of J",
            left.xscale,
            left.series,
            (Line("26/11, exact", left.lines[0].y),),
        ),
        Panel(
            "chain",
            right.xlabel,
            right.ylabel,
            right.xscale,
            right.series,
            tuple(
                Line(
                    f"{line.y:.4f}, {'from action values' if 'exact' in line.label else 'claimed'}",
                    line.y,
                )
                for line in right.lines
            ),
        ),
    )
    caption = (
        "The alternate estimator with a baseline fixed at +4, by stepsize; bars: two standard"
        " errors to each side. Left: on the bandit the mean value agrees with the paper's. Right:"
        " on the chain it settles at another point than the paper's."
    )
    sentences = " ".join(
        f"{panel.title}: "
        + ", ".join(
            f"{series.label} {min(series.y):.4f} to {max(series.y):.4f}" for series in panel.series
        )
        + "."
        for panel in panels
    )
    alt = f"Two panels of means against the stepsize, with the claimed values as lines. {sentences}"
    return figure_part(
        "headline",
        caption,
        alt,
        draw(FigureData("headline", "", caption, alt, panels), own=True, tall=1.4),
    )
