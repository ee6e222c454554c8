"""All that is drawn from the results, in pieces that several processes share: whoever is free takes
the next one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from multiprocessing.sharedctypes import Synchronized

    from altpg_verify.sim.results import Results

Drawn = Mapping[str, Any]
"""What is drawn from the results: `experiments` by name, the first page's `picture`, the chapter of
`choices`, `variances`.
"""

Piece = tuple[str, str]
"""One of `experiments` and its name, or another key of `Drawn` and nothing."""

_OTHERS = ("picture", "variances", "choices")

_SHARES = "linear_realmc_stepsize_sensitivity_clamped_tiles"
"""Needs what `choices` has judged, which takes seconds: whoever drew the one is likely to draw the
other.
"""


def pieces() -> tuple[Piece, ...]:
    """What there is to draw; what takes longest comes first."""
    from altpg_verify.sim.experiments import EXPERIMENTS

    rest = (experiment.name for experiment in EXPERIMENTS if experiment.name != _SHARES)
    return (
        *((name, "") for name in _OTHERS),
        ("experiments", _SHARES),
        *(("experiments", name) for name in rest),
    )


def taken(results: Results, count: Synchronized[int]) -> Iterator[tuple[Piece, Any]]:
    """Take pieces and draw them, until none is left.

    Several processes may do so at once, each with the same `count`.

    Args:
        results: of `altpg_verify.sim.experiments.run_all`.
        count: how many are taken so far: a `multiprocessing.Value` that all who draw share.
    """
    everything = pieces()
    while True:
        # taken before it is drawn, under the lock: no piece is drawn twice
        with count.get_lock():
            number, count.value = count.value, count.value + 1
        if number >= len(everything):
            return
        yield everything[number], drawn(everything[number], results)


def drawn(piece: Piece, results: Results) -> Any:
    """One piece."""
    from altpg_verify.report import figures, headline, variance_figures
    from altpg_verify.report.experiments import choices, drawing

    kind, name = piece
    if kind == "experiments":
        return drawing(name, results, figures.picture)
    if kind == "picture":
        return headline.picture(results)
    return choices(results) if kind == "choices" else variance_figures.parts()


def together(found: Mapping[Piece, Any]) -> Drawn:
    """All pieces as one mapping, the experiments in their order, whoever drew them."""
    from altpg_verify.sim.experiments import EXPERIMENTS

    named = (("experiments", experiment.name) for experiment in EXPERIMENTS)
    experiments = {piece[1]: found[piece] for piece in named if piece in found}
    return {
        "experiments": experiments,
        **{kind: content for (kind, name), content in found.items() if not name},
    }
