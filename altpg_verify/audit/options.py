"""The keyword arguments that decorators and `check_update` hand on, spelled out for type checkers;
what they mean stands where they go.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from typing import Any, TypedDict


class UpdateOptions(TypedDict, total=False):
    """What may be declared of any update, besides `space` and `target`: by the decorators and by
    `from_function`, `from_estimator`, `from_torch` and `from_jax`.

    Attributes:
        name: what reports call it; by default the name of what is wrapped.
        frozen, groups, choices, intended: as for `Update`.
    """

    name: str | None
    frozen: Sequence[str]
    groups: Sequence[str]
    choices: Mapping[str, Sequence[tuple[Any, Any]]] | None
    intended: Mapping[str, str] | None


class LossOptions(UpdateOptions, total=False):
    """What may be declared of a loss as well.

    Attributes:
        modules, trained, seed: as for `from_torch`; JAX has no `modules`.
    """

    modules: Mapping[str, Any] | None
    trained: Sequence[str] | None
    seed: int | None


class AuditOptions(TypedDict, total=False):
    """Of `audit`, besides the update.

    Attributes:
        places, samples, false_alarm_rate, worth_finding, bounds, seed: as for `audit`.
        differentiate, ends, origin, budget, report, jobs, mend: as for `audit`.
    """

    places: int
    samples: int | None
    false_alarm_rate: float
    worth_finding: float | None
    bounds: tuple[float, float] | None
    seed: int
    differentiate: bool
    ends: bool
    origin: str
    budget: float | None
    report: Callable[[str], None] | None
    jobs: int | str | Executor | None
    mend: bool | float


def known(options: UpdateOptions, door: str) -> UpdateOptions:
    """The options, if they are those of an update.

    Args:
        door: the function that was called with them.

    Raises:
        TypeError: one isn't, as Python says it of a parameter that isn't there.
    """
    for name in options:
        if name not in UpdateOptions.__annotations__:
            raise TypeError(f"{door}() got an unexpected keyword argument {name!r}")
    return options
