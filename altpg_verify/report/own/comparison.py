"""The estimator beside the regular and the alternate one: bias and total variance at the same
policies, exactly.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from altpg_verify.cases import Case
from altpg_verify.errors import BadEstimator
from altpg_verify.estimators import Estimator
from altpg_verify.exact import expected_update, policy_gradient, variance
from altpg_verify.facts import BASELINES
from altpg_verify.parameterisations import Parameterisation, softmax
from altpg_verify.report.own.simplex_figures import noisy
from altpg_verify.report.parts import Part, table

POLICIES = {
    "uniform": (Fraction(1, 3), Fraction(1, 3), Fraction(1, 3)),
    "best action favoured": (Fraction(1, 10), Fraction(1, 10), Fraction(4, 5)),
    "saturated on the worst": (Fraction(98, 100), Fraction(1, 100), Fraction(1, 100)),
}
"""Where they are compared: policies of the bandit r = (1, 2, 3)."""

BASELINE_NAMES = {BASELINES[0]: "+4", None: "v", BASELINES[1]: "−4"}


def rows(
    estimators: Mapping[str, Estimator], kind: Parameterisation = softmax
) -> list[dict[str, Any]]:
    """For each policy and baseline the length of the bias and the total variance of each estimator;
    None where it isn't defined.
    """
    return [
        {
            "policy": name,
            "pi": [str(p) for p in policy],
            "b": shown,
            "bias": _each(estimators, policy, b, kind, _bias),
            "variance": _each(estimators, policy, b, kind, _spread),
        }
        for name, policy in POLICIES.items()
        for b, shown in BASELINE_NAMES.items()
    ]


def compared(found: list[dict[str, Any]], what: str, estimators: Mapping[str, Estimator]) -> Part:
    """The rows as a table of the page.

    Args:
        found: one for each baseline and policy, as `rows` made them.
        what: "bias" or "variance".
        estimators: by label, the columns.
    """
    lines = [
        [row["policy"], row["b"], *(_shown(row[what][label]) for label in estimators)]
        for row in found
    ]
    return table(["policy", "b", *estimators], lines)


def _each(
    estimators: Mapping[str, Estimator], policy: Any, b: Any, kind: Parameterisation, measure: Any
) -> dict[str, float | None]:
    measured = {}
    for label, estimator in estimators.items():
        try:
            measured[label] = measure(estimator, noisy(policy, b, kind))
        except (BadEstimator, ArithmeticError, TypeError):
            measured[label] = None
    return measured


def _bias(estimator: Estimator, case: Case) -> float:
    entries = expected_update(estimator, case) - policy_gradient(case)
    return math.sqrt(float(sum(entry * entry for entry in entries)))


def _spread(estimator: Estimator, case: Case) -> float:
    return float(sum(variance(estimator, case)))


def _shown(value: float | None) -> str:
    return "undefined" if value is None else "0" if abs(value) < 1e-12 else f"{value:.4g}"
