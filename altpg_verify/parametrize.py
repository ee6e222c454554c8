"""The pytest door: every law as a test of its own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from altpg_verify.checks import check_estimator
from altpg_verify.errors import BadInput
from altpg_verify.estimators import Estimator
from altpg_verify.laws import LAWS, Law
from altpg_verify.parameterisations import Parameterisation, softmax
from altpg_verify.results import CheckResult
from altpg_verify.stale_sources import refuse_stale
from altpg_verify.targets import update_type


@dataclass(frozen=True)
class Checker:
    """One law bound to one estimator's options: callable, so that pytest can run it as a test of
    its own.

    `parametrize_with_checks` makes one for each law, and its text is the law's name, for pytest's
    ids.

    Args:
        law: the one that is run.
        laws: all there are, so that what implies `law` is known.
        max_examples, seed, parameterisation, thorough: as for `check_estimator`.
    """

    law: Law
    laws: tuple[Law, ...] = LAWS
    max_examples: int = 100
    seed: int = 0
    parameterisation: Parameterisation = softmax
    thorough: bool = False

    def __call__(self, estimator: Estimator) -> CheckResult:
        """Run the law; raise `EstimatorCheckError` if the result isn't as it should be.

        Raises:
            BadInput: an option is unusable, or the code was edited since it was loaded.
            BadEstimator: the estimator broke its contract.
        """
        report = check_estimator(
            estimator,
            only=[self.law.name],
            laws=self.laws,
            max_examples=self.max_examples,
            seed=self.seed,
            parameterisation=self.parameterisation,
            thorough=self.thorough,
            facts=False,
        )
        return report[self.law.name]

    def __repr__(self) -> str:
        return self.law.name


def parametrize_with_checks(
    estimators: Sequence[Any],
    *,
    laws: tuple[Law, ...] = LAWS,
    max_examples: int = 100,
    seed: int = 0,
    parameterisation: Parameterisation = softmax,
    thorough: bool = False,
) -> Callable[[Any], Any]:
    """A pytest decorator: one test for each estimator and law, over `test(estimator, check)` that
    calls `check(estimator)`.

    An `audit.Update` among them gets one test, its audit.

    Args:
        estimators: `Estimator` and `Update` objects, what the decorators make.
        laws: tests to make for each estimator.
        max_examples, seed, parameterisation, thorough: as for `check_estimator`; audits have no use
        for them.

    Raises:
        BadInput: something else is among them, the message says how to wrap it; or the code that
            was loaded isn't what its file holds.

    Examples:
        >>> from altpg_verify import parametrize_with_checks, regular
        >>> @parametrize_with_checks([regular])
        ... def test_mine(estimator, check):
        ...     check(estimator)
        >>> test_mine.pytestmark[0].name
        'parametrize'
    """
    import pytest

    pairs: list[Any] = []
    updates = update_type()
    for candidate in estimators:
        refuse_stale(candidate)
        if isinstance(candidate, Estimator):
            checkers = [
                Checker(law, laws, max_examples, seed, parameterisation, thorough) for law in laws
            ]
            pairs += [
                pytest.param(candidate, check, id=f"{candidate.name}-{check!r}")
                for check in checkers
            ]
        elif updates and isinstance(candidate, updates):
            from altpg_verify.audit.checking import AuditChecker

            audit: Any = AuditChecker()
            pairs.append(pytest.param(candidate, audit, id=f"{candidate.name}-{audit!r}"))
        else:
            raise BadInput(
                "parametrize_with_checks needs estimators or updates, not"
                f" {type(candidate).__name__}; decorate the function with @estimator,"
                " @update(space=...) or @loss(space=...)"
            )
    return pytest.mark.parametrize(("estimator", "check"), pairs)
