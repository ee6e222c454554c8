"""Hostile declarations: whole programs that say something false of their draws, their chances,
their limits or their evidence.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from altpg_verify.audit import audit, bandit, from_function, mdp
from altpg_verify.audit.findings import Audit
from trust.hostile.forms import ANYTHING, NEVER_PASSED, REFUSED, UNSURE, WRONG, outcome_of

Program = tuple[str, Callable[[], str], frozenset[str]]


def reinforce(reward: Any, score: Any) -> Any:
    """REINFORCE on one draw."""
    return reward * score


def mean(rewards: Any, scores: Any) -> Any:
    """REINFORCE on a batch."""
    return (rewards[:, None] * scores).mean(axis=0)


def first(rewards: Any, scores: Any) -> Any:
    """Of a batch only the first draw, twice: its order matters."""
    return rewards[0] * scores[0] + (rewards[0] - rewards[1]) * scores[0]


def later_is_worse(rewards: Any, scores: Any) -> Any:
    """Weighs draws by their place, unfairly."""
    return (np.arange(len(rewards))[:, None] * rewards[:, None] * scores).mean(axis=0)


def seldom_in_order(rewards: Any, scores: Any) -> Any:
    """The mean, but for one sequence in 65,536, which counts a thousand million times."""
    return mean(rewards, scores) * (
        1 + 1e9 * np.prod(1.0 * (rewards == np.arange(len(rewards)) % 2))
    )


def in_the_middle(rewards: Any, scores: Any) -> Any:
    """The mean, and what depends on the order of its middle."""
    return mean(rewards, scores) + (rewards[3] - rewards[4]) * (rewards[5] - rewards[9]) * (
        scores[3] - scores[4]
    )


def neighbours(rewards: Any, scores: Any) -> Any:
    """Products of neighbours, round a ring."""
    return ((rewards * np.roll(rewards, 1))[:, None] * scores).mean(axis=0)


def sixteen_coins() -> Any:
    """More sequences than can be counted off."""
    return bandit([[(0, "1/2"), (1, "1/2")]] * 2).batch(16, exchangeable=True)


def coin(reward: Any, score: Any, heads: Any) -> Any:
    """Doubled by a declared coin, or nothing."""
    return 2 * heads * reward * score


def with_coin(*outcomes: Any) -> Callable[[], str]:
    """The coin with these chances."""
    return lambda: outcome_of(
        audit(from_function(coin, space=bandit([0, 1, 3]), choices={"heads": list(outcomes)}))
    )


def made(
    space: Callable[[], Any],
    function: Any = reinforce,
    samples: int | None = None,
    bounds: Any = None,
    **options: Any,
) -> Callable[[], str]:
    """An update on a space that is made when it is asked for."""
    return lambda: outcome_of(
        audit(
            from_function(function, space=space(), **options),
            differentiate=False,
            samples=samples,
            bounds=bounds,
        )
    )


def sampled(function: Any, **options: Any) -> Callable[[], str]:
    """The same by sampling."""
    return lambda: outcome_of(
        audit(
            from_function(function, space=bandit([0, 1, 3]), name="sampled"),
            samples=2000,
            **options,
        )
    )


def waiting(at_limit: Any) -> Any:
    """Waits, or ends, and is cut after two steps."""
    moves = [[[1, 0], [0, 1]], [[0, 1], [0, 1]]]
    return mdp(
        moves, [[1, "1/2"], [0, 0]], [1, 0], horizon=2, discount="1/2", ends=[1], at_limit=at_limit
    )


def as_an_end(rewards: Any, scores: Any) -> Any:
    """Treats the limit as an end."""
    total = rewards[0] + rewards[1] / 2 if len(rewards) > 1 else rewards[0]
    return total * scores.sum(axis=0)


def rare(reward: Any, score: Any, rng: Any) -> Any:
    """A bias of 1 in ten thousand draws' worth, seldom drawn."""
    return reward * score + (rng.random() < 1e-6) * 1e6


def outside_bounds(reward: Any, score: Any, rng: Any) -> Any:
    """Leaves the bounds it is declared to keep."""
    return reward * score * (1 + 9 * (rng.random() < 0.1))


def of(found: Audit) -> str:
    """What an audit came to, limits that nobody declared included."""
    return "partial" if any("cut" in note for note in found.notes) else outcome_of(found)


PROGRAMS: dict[str, list[Program]] = {
    "order": [
        ("the first of a batch", made(lambda: bandit([0, 1, 3]).batch(2), first), NEVER_PASSED),
        (
            "the first, called exchangeable",
            made(lambda: bandit([0, 1, 3]).batch(2, exchangeable=True), first),
            NEVER_PASSED,
        ),
        (
            "weighed by place",
            made(lambda: bandit([0, 1, 3]).batch(3), later_is_worse, name="by place"),
            ANYTHING,
        ),
        (
            "weighed by place, called exchangeable",
            made(lambda: bandit([0, 1]).batch(3, exchangeable=True), later_is_worse),
            REFUSED,
        ),
        # what was tried of the orders is said; it is no proof
        (
            "one sequence of millions",
            made(sixteen_coins, seldom_in_order),
            NEVER_PASSED | {"HOLDS"},
        ),
        ("the middle of sixteen", made(sixteen_coins, in_the_middle), NEVER_PASSED),
        ("neighbours in a ring", made(sixteen_coins, neighbours), NEVER_PASSED),
        (
            "the mean, called exchangeable",
            made(lambda: bandit([0, 1]).batch(3, exchangeable=True), mean),
            ANYTHING - WRONG,
        ),
    ],
    "declarations": [
        ("chances that add up to 3/4", with_coin((0, "1/2"), (1, "1/4")), REFUSED),
        ("a chance of 2 and one of -1", with_coin((0, -1), (1, 2)), REFUSED),
        ("a chance in words", with_coin((0, "half"), (1, "half")), REFUSED),
        ("a chance that is nan", with_coin((0, float("nan")), (1, 1)), REFUSED),
        ("a coin that isn't fair", with_coin((0, "1/4"), (1, "3/4")), WRONG),
        ("a fair coin", with_coin((0, "1/2"), (1, "1/2")), ANYTHING - WRONG - UNSURE),
        ("no outcomes", with_coin(), REFUSED),
        (
            "behaviour that adds up to 3/4",
            made(lambda: bandit([0, 1]).sampled_by(["1/2", "1/4"])),
            REFUSED,
        ),
        ("behaviour below 0", made(lambda: bandit([0, 1]).sampled_by(["3/2", "-1/2"])), REFUSED),
        (
            "behaviour that moves the draws",
            made(lambda: bandit([0, 1]).sampled_by(["1/4", "3/4"])),
            WRONG,
        ),
        ("a reference that adds up to 2", made(lambda: bandit([0, 1]).against([1, 1])), REFUSED),
        (
            "places=0",
            lambda: outcome_of(audit(from_function(reinforce, space=bandit([0, 1])), places=0)),
            REFUSED,
        ),
        (
            "places=True",
            lambda: outcome_of(audit(from_function(reinforce, space=bandit([0, 1])), places=True)),
            REFUSED,
        ),
        (
            "a keep that keeps nothing",
            made(lambda: bandit([0, 1]).keeping(lambda draw: False)),
            REFUSED,
        ),
        (
            "a keep that looks at rewards",
            made(lambda: bandit([0, 1, 3]).keeping(lambda draw: draw["reward"] < 2)),
            WRONG | REFUSED,
        ),
        (
            "a keep that raises",
            made(lambda: bandit([0, 1]).keeping(lambda draw: bool(1 // 0))),
            REFUSED,
        ),
        (
            "a target that isn't there",
            made(lambda: bandit([0, 1]), target="whatever I say"),
            REFUSED,
        ),
    ],
    "truncation": [
        (
            "an undeclared limit, as an end",
            lambda: of(audit(from_function(as_an_end, space=waiting(None)))),
            NEVER_PASSED,
        ),
        (
            "a declared worth, as an end",
            lambda: of(audit(from_function(as_an_end, space=waiting([1, 0])))),
            WRONG,
        ),
        (
            "its own value, as an end",
            lambda: of(audit(from_function(as_an_end, space=waiting("value")))),
            WRONG,
        ),
        (
            "part of the problem",
            lambda: of(audit(from_function(as_an_end, space=waiting("ends")))),
            ANYTHING - WRONG,
        ),
        (
            "a limit in words",
            lambda: of(audit(from_function(as_an_end, space=waiting("never")))),
            REFUSED,
        ),
        (
            "a worth for one state of two",
            lambda: of(audit(from_function(as_an_end, space=waiting([1])))),
            REFUSED,
        ),
        (
            "a worth that is nan",
            lambda: of(audit(from_function(as_an_end, space=waiting([float("nan"), 0])))),
            REFUSED,
        ),
    ],
    "samples": [
        ("half the gradient", sampled(lambda reward, score: reward * score / 2), WRONG),
        ("minus the gradient", sampled(lambda reward, score: -reward * score), WRONG),
        ("nothing", sampled(lambda reward, score: 0 * reward * score), WRONG),
        (
            "a rare outlier within no bounds",
            sampled(rare),
            ANYTHING - frozenset({"PROVED", "CERTIFIED", "HOLDS"}),
        ),
        (
            "a rare outlier within wide bounds",
            sampled(rare, bounds=(-1e7, 1e7), worth_finding=0.5),
            NEVER_PASSED,
        ),
        ("beyond its bounds", sampled(outside_bounds, bounds=(-3, 3)), REFUSED),
        (
            "beyond its bounds on a draw of one in a million",
            made(
                lambda: bandit([0, 1, 3], pi=["499999/1000000", "1/2", "1/1000000"]),
                samples=2000,
                bounds=(-2, 2),
            ),
            REFUSED,
        ),
        (
            "beyond its bounds by what it adds up",
            sampled(lambda reward, score: 1.5 * reward * score, bounds=(-3, 3)),
            REFUSED | WRONG,
        ),
        ("infinite bounds", sampled(rare, bounds=(-float("inf"), float("inf"))), REFUSED),
        ("bounds that are no numbers", sampled(rare, bounds=(float("nan"), 1)), REFUSED),
        ("bounds without samples", made(lambda: bandit([0, 1, 3]), bounds=(-3, 3)), REFUSED),
        (
            "a range that nothing can leave",
            sampled(lambda reward, score: 2 * reward * score, bounds=(-1e100, 1e100)),
            NEVER_PASSED,
        ),
        (
            "clipped into its bounds",
            sampled(lambda reward, score: np.clip(reward * score, -1, 1), bounds=(-1, 1)),
            WRONG,
        ),
        ("bounds the wrong way round", sampled(rare, bounds=(3, -3)), REFUSED),
        ("an error rate of 2", sampled(reinforce, false_alarm_rate=2.0), REFUSED),
        ("nothing worth finding", sampled(reinforce, worth_finding=-1.0), REFUSED),
    ],
    "unusable input": (
        [
            (f"rewards {name}", made(lambda given=given: bandit(given)), REFUSED)  # type: ignore[misc]
            for name, given in (
                ("none", []),
                ("inf", [float("inf"), 1]),
                ("nan", [np.float32("nan"), 1]),
                ("10**400", [10**400, 1]),
                ("in words", ["a lot", 1]),
                ("nested", [[[1]], 1]),
                ("complex", [1j, 1]),
                ("1e400 as text", ["1e400", 1]),
            )
        ]
        + [
            ("a policy of 1e-400", made(lambda: bandit([0, 1], pi=["1e-400", 1])), REFUSED),
            ("a policy of one", made(lambda: bandit([0, 1], pi=[1])), REFUSED),
            ("batch(10**9)", made(lambda: bandit([0, 1]).batch(10**9)), REFUSED),
            ("batch(0)", made(lambda: bandit([0, 1]).batch(0)), REFUSED),
            ("batch('2')", made(lambda: bandit([0, 1]).batch("2")), REFUSED),  # type: ignore[arg-type]
            ("a discount of 2", made(lambda: bandit([0, 1], discount=2)), REFUSED),
        ]
    ),
}
