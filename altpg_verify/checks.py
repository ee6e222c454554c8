"""Checking an estimator against the laws: one function behind the prompt, pytest and the command
line.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Literal

from altpg_verify.cases import Case
from altpg_verify.collecting import older_objects_frozen
from altpg_verify.comparing_sides import LEFT_OUT
from altpg_verify.errors import BadEstimator, BadInput
from altpg_verify.estimators import Estimator
from altpg_verify.exact import Calls, ask, listening
from altpg_verify.law_engine import LawEngine
from altpg_verify.laws import LAWS, Law, law_named
from altpg_verify.parameterisations import Parameterisation, softmax
from altpg_verify.results import EstimatorCheckError, Report
from altpg_verify.sealing import remade, seal
from altpg_verify.stale_sources import refuse_stale
from altpg_verify.untrusted.conditions import Conditions
from altpg_verify.untrusted.intact import intact
from altpg_verify.untrusted.lines import LineCoverage
from altpg_verify.untrusted.purity import Purity
from altpg_verify.wide import RANGES

if TYPE_CHECKING:
    import numpy as np

EXAMPLES_AFTER_PROOF = 20
"""Exact cases tried after a proof, as an independent method for the same answer."""


ASKED_AGAIN = 12
"""One answer in so many is asked for again at the end."""

FEWEST_ASKED_AGAIN = 24
"""Answers asked for again at least, if there are so many."""

LOOKED_AT, LOOKED_AT_ONCE = 2_000, 50
"""Calls in which conditions are looked at, at most, and after how many it is asked whether all of
them went both ways.
"""

STRIDE = 7_919
"""A prime that few numbers of calls have as a factor."""


def check_estimator(
    estimator: Estimator,
    *,
    only: Sequence[str] | None = None,
    laws: tuple[Law, ...] = LAWS,
    max_examples: int = 100,
    seed: int = 0,
    on_fail: Literal["raise", "return"] = "raise",
    parameterisation: Parameterisation = softmax,
    case: Case | None = None,
    thorough: bool = False,
    facts: bool = True,
    origin: str = "",
    progress: Callable[[str], None] = lambda law: None,
) -> Report:
    """Check an estimator against the laws; all of them run, whatever the first ones say.

    For each law: a proof over rational functions for k = 2, 3 and 4 actions; a search for a
    counterexample in exact rationals (in float64, if the formula has no exact values); the smallest
    counterexample, the gap between the two sides as a formula, and conditions under which the law
    holds after all. Verdicts are the same whenever it is run again: none depends on the clock, and
    only the search on the seed.

    Args:
        estimator: made by `@estimator`.
        only: names of laws; all by default.
        laws: the laws to choose from; add your own with `(*LAWS, my_law)`.
        max_examples: exact cases to search for a counterexample where a law isn't proved.
        seed: of the search, which is otherwise deterministic.
        on_fail: "raise" (EstimatorCheckError with the whole report) or "return".
        parameterisation: how preferences become the policy.
        case: try just this case instead of proving and searching.
        thorough: search all `max_examples` cases even where a law is proved; else a few, as a
            cross-check.
        facts: also derive what is known of bias, fixed points and the value converged to.
        origin: "module:name" for the replay command.
        progress: is handed the name of each law before it is checked.

    Returns:
        The report, a result for each chosen law in the order of `laws` (or of `only`).

    Raises:
        BadInput: unknown law, unusable option, code that was edited since it was loaded;
            BadEstimator: the estimator broke its contract.
        EstimatorCheckError: a result isn't as it should be.

    Examples:
        >>> from altpg_verify import check_estimator, regular
        >>> report = check_estimator(regular, only=["unbiased"], max_examples=20)
        >>> report.ok, str(report["unbiased"].verdict)
        (True, 'PROVED')

        A counterexample is the smallest that was found, and the gap is what separates the sides.

        >>> from altpg_verify import estimator
        >>> @estimator
        ... def no_policy(r, e):
        ...     return r * e
        >>> result = check_estimator(no_policy, only=["unbiased"], on_fail="return")["unbiased"]
        >>> print(result.counterexample.case)
        π = (1/2, 1/2)   r = (0, 1)   b = 0
        >>> print(result.gap)
        v π   [proved for k = 2, 3, 4]
    """
    begin = time.perf_counter()
    if not isinstance(estimator, Estimator):
        raise BadInput(
            f"check_estimator needs an estimator, not {type(estimator).__name__}; decorate the"
            " function with @estimator"
        )
    if on_fail not in ("raise", "return"):
        raise BadInput(f"on_fail is {on_fail!r}; choose 'raise' or 'return'")
    if max_examples < 1:
        raise BadInput(f"max_examples is {max_examples}; give at least 1")
    for name in (*estimator.expected_failures, *estimator.promises):
        law_named(name, laws)
    chosen = laws if only is None else tuple(law_named(name, laws) for name in only)
    if only is None and len({law.name for law in laws}) < len(laws):
        raise BadInput("two laws have the same name; give each its own")
    # a proof and a search share no arithmetic: a few cases are enough to see one of them wrong
    after_proof = max_examples if thorough else min(EXAMPLES_AFTER_PROOF, max_examples)
    refuse_stale(estimator)
    pure = Purity(estimator, f"estimator {estimator.name!r}")
    coverage = LineCoverage(estimator)
    calls = Calls(coverage=coverage)
    with intact(f"estimator {estimator.name!r}"), listening(calls), older_objects_frozen():
        engine = LawEngine(
            estimator,
            max_examples,
            after_proof,
            seed,
            parameterisation,
            origin or _origin(estimator),
            calls,
        )
        _asked_again(pure, calls)
        results = tuple(engine.check(law, case, progress) for law in chosen)
    _asked_again(pure, calls)
    if not calls.answers and (
        errors := [error for each in engine.raised.values() for error in each]
    ):
        raise errors[0]
    # one case can't reach every line, and isn't asked to
    unrun = str(calls.unrun().also(*_one_way(coverage, calls))) if case is None else ""
    if unrun:
        results = tuple(
            remade(result, unreached=unrun) if result.verdict.is_for else result
            for result in results
        )
    found: tuple[tuple[str, str], ...] = ()
    if facts and case is None:
        from altpg_verify.facts import describe

        found = describe(estimator, results, parameterisation)
    searched = "" if case is not None else RANGES if engine.comparing.exact else RANGES + LEFT_OUT
    report = seal(
        Report(
            estimator.name,
            estimator.summary,
            parameterisation.name,
            results,
            found,
            time.perf_counter() - begin,
            searched,
        )
    )
    if on_fail == "raise" and not all(result.ok for result in results):
        raise EstimatorCheckError(report)
    return report


def _asked_again(pure: Purity, calls: Calls) -> None:
    """Refuse an estimator that doesn't answer the same when it is asked again, in another order and
    another state of chance.
    """

    def run(i: int) -> np.ndarray:
        estimator, case, action, reward = calls.asked[i]
        return ask(estimator, case, action, reward, finite=False)

    pure.establish(
        run, calls.answers, limit=max(FEWEST_ASKED_AGAIN, len(calls.answers) // ASKED_AGAIN)
    )


def _one_way(coverage: LineCoverage, calls: Calls) -> tuple[list[tuple[str, int, int, str]], str]:
    """Conditions that went one way only, though what they ask of varied; and among how many calls
    that is so, if not among all.
    """
    conditions = Conditions(coverage.roots)
    count = len(calls.asked)
    if not conditions.sites or not count:
        return [], ""
    # spread over all that was asked, which begins with what is simplest
    order = sorted(range(count), key=lambda i: i * STRIDE % count)[:LOOKED_AT]
    for start in range(0, len(order), LOOKED_AT_ONCE):
        with conditions, suppress(BadEstimator):
            for i in order[start : start + LOOKED_AT_ONCE]:
                ask(*calls.asked[i], finite=False)
        if not conditions.open:
            break
    return conditions.one_way(), "" if len(order) == count else f"in {len(order):,} calls"


def _origin(estimator: Estimator) -> str:
    return f"{estimator.formula.__module__}:{estimator.name}"
