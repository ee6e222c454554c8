"""What must come out the same everywhere: run by itself in a setting, prints name -> digest as
JSON.

certificate  a proof for every k, as written to disk
formulas     the checks of two estimators: verdicts, counterexamples and gaps as text
cell         the arrays of an experiment, in their last bits
figure       an SVG of the report; named with the version of matplotlib, as only that gives the same
bytes
"""

from __future__ import annotations

import hashlib
import json
import sys
import tempfile
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path


def certificate() -> bytes:
    """The file of a proof."""
    from altpg_verify.theory.__main__ import main

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "proof.json"
        code = main(
            ["certify", "altpg_verify.estimators:regular", "--law", "unbiased", "--out", str(path)]
        )
        if code:
            raise RuntimeError(f"certify ended with {code}")
        return path.read_bytes()


def formulas() -> bytes:
    """Both estimators of the paper, checked against laws that one keeps and the other doesn't."""
    from altpg_verify import check_estimator
    from altpg_verify.estimators import alternate, regular

    reports = [
        check_estimator(each, only=["unbiased", "zero_sum"], on_fail="return")
        for each in (regular, alternate)
    ]
    return json.dumps([_timeless(report.as_dict()) for report in reports], sort_keys=True).encode()


def _timeless(value: object) -> object:
    if isinstance(value, dict):
        return {key: _timeless(inner) for key, inner in value.items() if key != "seconds"}
    return [_timeless(inner) for inner in value] if isinstance(value, list | tuple) else value


def cell() -> bytes:
    """The first cell of a quick sweep: compiled kernels, random streams, exponentials."""
    from altpg_verify.sim.experiments import work_for
    from altpg_verify.sim.sweep import timed

    work = work_for("quick", "corner_random_walk")[0]
    arrays = timed(work).arrays
    return b"".join(name.encode() + arrays[name].tobytes() for name in sorted(arrays))


def figure() -> bytes:
    """A picture of the report."""
    from altpg_verify.report.figures import draw
    from altpg_verify.sim.figures import FigureData, Panel, Series

    series = Series("alternate", (0.0, 1.0, 2.0), (0.5, 0.25, 1 / 3), (0.1, 0.1, 0.1))
    panel = Panel("a panel", "steps", "reward", series=(series,))
    return draw(FigureData("digest", "a figure", "A figure.", "A figure.", (panel,))).encode()


MAKERS: dict[str, Callable[[], bytes]] = {
    "certificate": certificate,
    "formulas": formulas,
    "cell": cell,
    "figure": figure,
}


def main(names: list[str]) -> None:
    """Print the digests of these, or of all."""
    out, sys.stdout = sys.stdout, sys.stderr
    made = {name: hashlib.sha256(MAKERS[name]()).hexdigest()[:16] for name in names or MAKERS}
    if "figure" in made:
        made[f"figure of matplotlib {version('matplotlib')}"] = made.pop("figure")
    print(json.dumps(made), file=out)


if __name__ == "__main__":
    main(sys.argv[1:])
