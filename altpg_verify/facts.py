"""What is known of an estimator besides its verdicts: bias, variance at a corner, where training
ends.
"""

from __future__ import annotations

from collections.abc import Sequence

from altpg_verify.dynamics import fixed_points
from altpg_verify.errors import BadEstimator
from altpg_verify.estimators import Estimator
from altpg_verify.parameterisations import Parameterisation
from altpg_verify.results import CheckResult
from altpg_verify.verdicts import Verdict

FIXTURE = (1, 2, 3)
"""The paper's three-armed bandit, r = [1, 2, 3]."""

BASELINES = (4, -4)
"""The paper's optimistic and pessimistic baselines for it."""


def describe(
    estimator: Estimator, results: Sequence[CheckResult], parameterisation: Parameterisation
) -> tuple[tuple[str, str], ...]:
    """Pairs of name and sentence, in reading order; only what was decided.

    Bias and variance are read from the verdicts on `unbiased` and `quiet_at_corner`; where training
    ends is computed anew, on the paper's three-armed bandit with its optimistic and its pessimistic
    baseline.

    Args:
        estimator: what was checked.
        results: one for each law that was.
        parameterisation: fixed points are sought for softmax only.
    """
    by_law = {result.law: result for result in results}
    facts: list[tuple[str, str]] = []
    if "unbiased" in by_law:
        facts.append(("bias", _gap_or(by_law["unbiased"], "none, for every baseline")))
    if "quiet_at_corner" in by_law:
        facts.append(("variance at a corner", _gap_or(by_law["quiet_at_corner"], "zero")))
    if (
        "touches_taken_action_only" in by_law
        and by_law["touches_taken_action_only"].verdict is not Verdict.INCONCLUSIVE
    ):
        single = by_law["touches_taken_action_only"].verdict.is_for
        facts.append(
            (
                "preferences touched",
                "the sampled action's only" if single else "those of actions not taken, too",
            )
        )
    if parameterisation.normalised and {"unbiased", "optimistic_attracts"} <= by_law.keys():
        for b in BASELINES if "b" in estimator.needs else BASELINES[:1]:
            held = f", b = {b} held fixed" if "b" in estimator.needs else ""
            try:
                ends = fixed_points(estimator, FIXTURE, b)
                text = "; ".join(map(str, ends)) if ends else "no policy fixed point was found"
            except (BadEstimator, ArithmeticError) as error:
                text = f"not followed, since the formula doesn't run everywhere on the way: {error}"
            facts.append((f"r = {list(FIXTURE)}{held}", text))
    return tuple(facts)


def _gap_or(result: CheckResult, otherwise: str) -> str:
    if result.verdict.is_for:
        return f"{otherwise} ({str(result.verdict).lower()})"
    if result.gap:
        return result.gap
    return (
        f"not recognised as a short formula; see the counterexample {result.counterexample.case}"
        if result.counterexample
        else result.reason
    )
