"""The table of choices as a page: where the paper's text is silent or differs from its authors'
code, and what that changes.
"""

from __future__ import annotations

from pathlib import Path

KEPT = Path(__file__).parents[2] / "reports" / "paper-scale"


def page() -> str:
    """The table, its last column computed from the results that the repository keeps."""
    from altpg_verify.sim.choices import markdown
    from altpg_verify.sim.experiments import EXPERIMENTS
    from altpg_verify.sim.results import Results

    stored = [
        cell for experiment in EXPERIMENTS if experiment.stored for cell in experiment.work("paper")
    ]
    results = Results("paper", [], KEPT, stored=stored, kept=KEPT)
    return (
        "# Text, code and choices\n\nThe paper's text leaves choices open, and in places its"
        " authors' released code does other than it says. Where the text is silent the code decides"
        " here, then the text. Numbers are lines of the paper's source; the last column is computed"
        " from the results that are kept in `reports/paper-scale`.\n\n" + markdown(results)
    )
