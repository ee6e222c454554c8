"""A law judged on one instance by arithmetic of its own: outcomes walked through in 60-digit
decimals, derivatives as finite differences.
"""

from __future__ import annotations

import decimal
import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction

from trust.composed.formulas import Formula
from trust.composed.oracle import CONTEXT, SAME, STEP, decimal_of, same

Vector = list[Decimal]


@dataclass(frozen=True)
class Instance:
    """A policy by its weights x (softmax: π ∝ x; escort: π ∝ |x|^p), what each action pays, and a
    baseline.
    """

    x: tuple[Fraction, ...]
    rewards: tuple[tuple[tuple[Fraction, Fraction], ...], ...]
    b: Fraction


@dataclass(frozen=True)
class _There:
    """The instance in decimals, at preferences that may have been moved."""

    theta: Vector
    pi: Vector
    rewards: list[list[tuple[Decimal, Decimal]]]
    q: Vector
    v: Decimal
    b: Decimal


def breaks(law: str, made: Formula, instance: Instance) -> bool:
    """Whether the law fails on this instance, by arithmetic that shares nothing with the product.

    Args:
        law: its name.
        made: the formula.
        instance: policy, rewards and baseline, exact.
    """
    with decimal.localcontext(CONTEXT):
        return _LAWS[law](made, instance)


def instances(made: Formula, law: str, count: int) -> list[Instance]:
    """Random instances of the kind the law speaks of: corners for laws of corners, noise for laws
    of noise.

    Args:
        made: the formula, whose number is part of the seed.
        law: its name.
        count: of instances.
    """
    chance = random.Random(f"{made.index} {law}")
    out = []
    for _ in range(count):
        k = chance.randint(2, 4)
        if law in ("vanishes_at_corner", "quiet_at_corner"):
            corner = chance.randrange(k)
            x = tuple(Fraction(int(a == corner)) for a in range(k))
        elif made.power:
            x = tuple(
                Fraction(chance.choice([-3, -2, -1, 1, 2, 3, 4]), chance.choice([1, 2]))
                for _ in range(k)
            )
        else:
            x = tuple(Fraction(chance.randint(1, 9), chance.choice([1, 2, 3])) for _ in range(k))
        rewards = []
        for _ in range(k):
            low, share = (
                Fraction(chance.randint(-12, 12), chance.choice([1, 2, 5])),
                Fraction(chance.randint(1, 4), 5),
            )
            noisy = law == "quiet_at_corner" or chance.random() < 0.5
            rewards.append(
                ((low, share), (low + chance.randint(1, 5), 1 - share))
                if noisy
                else ((low, Fraction(1)),)
            )
        out.append(
            Instance(x, tuple(rewards), Fraction(chance.randint(-12, 12), chance.choice([1, 2, 5])))
        )
    return out


def _there(made: Formula, instance: Instance, moved: tuple[int, Decimal] | None = None) -> _There:
    if made.power:
        theta = [decimal_of(entry) for entry in instance.x]
        if moved:
            theta[moved[0]] += moved[1]
        weights = [abs(entry) ** made.power for entry in theta]
    else:
        # a weight of 0 has no preference; nothing is moved there, and no formula at a corner reads
        # θ
        theta = [decimal_of(entry).ln() if entry else Decimal(0) for entry in instance.x]
        weights = [decimal_of(entry) for entry in instance.x]
        if moved:
            theta[moved[0]] += moved[1]
            weights[moved[0]] *= moved[1].exp()
    pi = [weight / sum(weights) for weight in weights]
    rewards = [
        [(decimal_of(r), decimal_of(p)) for r, p in outcomes] for outcomes in instance.rewards
    ]
    q = [sum((r * p for r, p in outcomes), Decimal(0)) for outcomes in rewards]
    return _There(
        theta,
        pi,
        rewards,
        q,
        sum((p * mean for p, mean in zip(pi, q, strict=True)), Decimal(0)),
        decimal_of(instance.b),
    )


def _estimate(made: Formula, at: _There, action: int, reward: Decimal) -> Vector:
    out = [Decimal(0)] * len(at.pi)
    for coefficient, scalar, vector in made.terms:
        size = decimal_of(coefficient) * _scalar(scalar, at, action, reward)
        for c in range(len(out)):
            out[c] += size * _entry(vector, at, action, c)
    return out


def _scalar(name: str, at: _There, action: int, reward: Decimal) -> Decimal:
    gap = reward - at.b
    found = {
        "r - b": gap,
        "r": reward,
        "b": at.b,
        "1": Decimal(1),
        "r - v": reward - at.v,
        "v - b": at.v - at.b,
        "r b": reward * at.b,
        "(r - b)²": gap * gap,
        "π_A": at.pi[action],
        "(r - b) π_A": gap * at.pi[action],
        "clipped r - b": Decimal(1) if gap > 1 else Decimal(-1) if gap < -1 else gap,
        "|r - b|": gap if gap >= 0 else -gap,
        "r - mean q": reward - sum(at.q, Decimal(0)) / len(at.q),
    }
    return found[name]


def _entry(name: str, at: _There, action: int, c: int) -> Decimal:
    taken, p, k = Decimal(int(action == c)), at.pi[c], len(at.pi)
    if name == "e/π":
        return taken / p if taken else Decimal(0)
    if name in ("(e - π)/θ", "e/θ"):
        return (taken - p if name.startswith("(") else taken) / at.theta[c]
    found = {
        "e - π": taken - p,
        "e": taken,
        "π": p,
        "e - 1/k": taken - Decimal(1) / k,
        "π∘h": p * (at.q[c] - at.v),
        "q": at.q[c],
        "e∘π": taken * p,
        "e - π/2": taken - p / 2,
        "ones": Decimal(1),
    }
    return found[name]


def _outcomes(made: Formula, at: _There) -> list[tuple[Decimal, int, Vector]]:
    return [
        (at.pi[a] * share, a, _estimate(made, at, a, reward))
        for a in range(len(at.pi))
        if at.pi[a]
        for reward, share in at.rewards[a]
        if share
    ]


def _expected(made: Formula, at: _There) -> Vector:
    total = [Decimal(0)] * len(at.pi)
    for chance, _, estimate in _outcomes(made, at):
        total = [one + chance * other for one, other in zip(total, estimate, strict=True)]
    return total


def _gradient(made: Formula, instance: Instance) -> Vector:
    k = len(instance.x)
    return [
        (_there(made, instance, (c, STEP)).v - _there(made, instance, (c, -STEP)).v) / (2 * STEP)
        for c in range(k)
    ]


def _at_value(made: Formula, instance: Instance) -> tuple[_There, Vector]:
    at = _there(made, instance)
    return replace(at, b=at.v), _gradient(made, instance)


def _unshifted(made: Formula, vector: Vector) -> Vector:
    if made.power:
        return vector
    return [entry - sum(vector, Decimal(0)) / len(vector) for entry in vector]


def _unbiased(made: Formula, instance: Instance) -> bool:
    return not same(_expected(made, _there(made, instance)), _gradient(made, instance))


def _unbiased_at_value(made: Formula, instance: Instance) -> bool:
    at, gradient = _at_value(made, instance)
    return not same(_expected(made, at), gradient)


def _baseline(made: Formula, instance: Instance) -> bool:
    at = _there(made, instance)
    return not same(_expected(made, at), _expected(made, replace(at, b=Decimal(0))))


def _direction(made: Formula, instance: Instance) -> bool:
    at, gradient = _at_value(made, instance)
    one, other = _unshifted(made, _expected(made, at)), _unshifted(made, gradient)
    pairs = [(a, c) for a in range(len(one)) for c in range(a)]
    return not same([one[a] * other[c] for a, c in pairs], [one[c] * other[a] for a, c in pairs])


def _ascends(made: Formula, instance: Instance) -> bool:
    at, gradient = _at_value(made, instance)
    return sum(u * g for u, g in zip(_expected(made, at), gradient, strict=True)) < -SAME


def _translation(made: Formula, instance: Instance) -> bool:
    moved = replace(
        instance,
        b=instance.b + 1,
        rewards=tuple(tuple((r + 1, p) for r, p in each) for each in instance.rewards),
    )
    pairs = zip(
        _outcomes(made, _there(made, moved)), _outcomes(made, _there(made, instance)), strict=True
    )
    return any(not same(one[2], other[2]) for one, other in pairs)


def _relabel(made: Formula, instance: Instance) -> bool:
    k = len(instance.x)
    before = _expected(made, _there(made, instance))
    for order in ([*range(1, k), 0], [1, 0, *range(2, k)]):
        renamed = replace(
            instance,
            x=tuple(instance.x[a] for a in order),
            rewards=tuple(instance.rewards[a] for a in order),
        )
        if not same(_expected(made, _there(made, renamed)), [before[a] for a in order]):
            return True
    return False


def _zero_sum(made: Formula, instance: Instance) -> bool:
    return any(
        not same([sum(estimate, Decimal(0))], [Decimal(0)])
        for _, _, estimate in _outcomes(made, _there(made, instance))
    )


def _taken_only(made: Formula, instance: Instance) -> bool:
    outcomes = _outcomes(made, _there(made, instance))
    return any(
        abs(entry) > SAME
        for _, action, estimate in outcomes
        for c, entry in enumerate(estimate)
        if c != action
    )


def _vanishes(made: Formula, instance: Instance) -> bool:
    return any(abs(entry) > SAME for entry in _expected(made, _there(made, instance)))


def _quiet(made: Formula, instance: Instance) -> bool:
    at = _there(made, instance)
    mean = _expected(made, at)
    spread = [
        sum(chance * (estimate[c] - mean[c]) ** 2 for chance, _, estimate in _outcomes(made, at))
        for c in range(len(mean))
    ]
    return any(entry > SAME for entry in spread)


def _conservative(made: Formula, instance: Instance) -> bool:
    k = len(instance.x)
    columns = []
    for c in range(k):
        above, below = (
            _unshifted(made, _expected(made, _there(made, instance, (c, step))))
            for step in (STEP, -STEP)
        )
        columns.append(
            [(one - other) / (2 * STEP) for one, other in zip(above, below, strict=True)]
        )
    if not made.power:
        # the shift of the preferences is taken off the other side, too
        middle = [sum((column[i] for column in columns), Decimal(0)) / k for i in range(k)]
        columns = [
            [entry - mean for entry, mean in zip(column, middle, strict=True)] for column in columns
        ]
    pairs = [(a, c) for a in range(k) for c in range(a)]
    return not same([columns[c][a] for a, c in pairs], [columns[a][c] for a, c in pairs])


_LAWS: dict[str, Callable[[Formula, Instance], bool]] = {
    "unbiased": _unbiased,
    "unbiased_at_value": _unbiased_at_value,
    "baseline_invariant": _baseline,
    "right_direction": _direction,
    "ascends": _ascends,
    "translation_invariant": _translation,
    "relabel_equivariant": _relabel,
    "zero_sum": _zero_sum,
    "touches_taken_action_only": _taken_only,
    "vanishes_at_corner": _vanishes,
    "quiet_at_corner": _quiet,
    "conservative": _conservative,
}
