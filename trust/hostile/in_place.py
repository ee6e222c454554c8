"""Edits in place, by the judged code, of what the check works with: functions, laws, objectives,
verdicts, the space, the update.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from types import FunctionType
from typing import Any

import numpy as np

from altpg_verify import comparing_sides, law_engine
from altpg_verify.audit import agreement, audit, bandit, from_function
from altpg_verify.audit.kinds import Kind
from altpg_verify.audit.objectives import OBJECTIVES
from altpg_verify.checks import check_estimator
from altpg_verify.estimators import estimator
from altpg_verify.laws import law_named
from altpg_verify.verdicts import Verdict
from trust.hostile.forms import NEVER_PASSED, outcome_of

Edit = Callable[[Any], object]
"""Called with what is judged (an estimator or update), within its own call."""


def checked(edit: Edit) -> Callable[[], str]:
    """What a check says of an estimator that is twice what it claims, and edits."""

    def ask() -> str:
        own: list[Any] = []

        def mine(pi: Any, e: Any, r: Any, b: Any) -> Any:
            edit(own[0])
            return 2 * (r - b) * (e - pi)

        own.append(estimator(mine))
        (found,) = check_estimator(own[0], only=("unbiased",), on_fail="return", facts=False)
        return "partial" if found.verdict.is_for and not found.whole else found.verdict.value

    return ask


def audited(edit: Edit) -> Callable[[], str]:
    """What an audit says of an update that is twice what it claims, and edits."""

    def ask() -> str:
        own: list[Any] = []

        def mine(reward: Any, score: Any) -> Any:
            edit(own[0])
            return 2 * reward * score

        own.append(from_function(mine, space=bandit([1, 2, 4])))
        return outcome_of(audit(own[0], differentiate=False))

    return ask


def put(owner: Any, name: str, value: Any) -> Edit:
    """Sets an attribute, frozen or not."""
    return lambda own: object.__setattr__(owner, name, value)


def recoded(function: Any, code: Any) -> Edit:
    """Gives a function the code of another one."""
    return lambda own: setattr(function, "__code__", code.__code__)


def no_rewards(own: Any) -> None:
    """Takes the rewards out of the space."""
    for episode in own.space.episodes:
        object.__setattr__(episode, "rewards", (Fraction(0),) * len(episode.rewards))


def elsewhere(own: Any) -> None:
    """Moves the policy of the space to a corner."""
    for values in own.space.parameters.values():
        values[...] = 50.0 * np.arange(values.size).reshape(values.shape)


PROGRAMS = {
    "edits in place": [
        (
            "code of a comparison",
            checked(recoded(comparing_sides.Comparing.fails, lambda *given: False)),
            NEVER_PASSED,
        ),
        (
            "code of the search",
            checked(recoded(law_engine.LawEngine._search, lambda *given: (None, 500, 0))),
            NEVER_PASSED,
        ),
        (
            "the sides of a law",
            checked(put(law_named("unbiased"), "sides", lambda one, case: ([0], [0]))),
            NEVER_PASSED,
        ),
        (
            "the value of a verdict",
            checked(put(Verdict.REFUTED, "_value_", "PROVED")),
            NEVER_PASSED,
        ),
        ("the name of a verdict", checked(put(Verdict.REFUTED, "_name_", "PROVED")), NEVER_PASSED),
        ("the value of a kind", audited(put(Kind.SCALED, "_value_", "unbiased")), NEVER_PASSED),
        (
            "the gradient of the target",
            audited(put(OBJECTIVES["value"], "gradient", lambda *given: np.zeros(3))),
            NEVER_PASSED,
        ),
        (
            "code of an agreement",
            audited(
                recoded(
                    next(one for one in vars(agreement).values() if isinstance(one, FunctionType)),
                    lambda *given: True,
                )
            ),
            NEVER_PASSED,
        ),
        ("the rewards of the space", audited(no_rewards), NEVER_PASSED),
        ("the policy of the space", audited(elsewhere), NEVER_PASSED),
        (
            "the discount of the space",
            audited(lambda own: object.__setattr__(own.space, "discount", Fraction(0))),
            NEVER_PASSED,
        ),
        (
            "its own gradient",
            audited(lambda own: object.__setattr__(own, "gradient", lambda *given: {"theta": 0})),
            NEVER_PASSED,
        ),
        (
            "its own formula",
            checked(
                lambda own: object.__setattr__(
                    own, "formula", lambda pi, e, r, b: (r - b) * (e - pi)
                )
            ),
            NEVER_PASSED,
        ),
    ]
}
