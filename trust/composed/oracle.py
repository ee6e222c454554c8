"""A plan judged by a slow oracle: every draw walked through in 60-digit decimals,
derivatives as finite differences.

Nothing of the product is used: policy, probabilities, update, gradient of the value and curl are
all written again, number by number.
"""

from __future__ import annotations

import decimal
import random
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from itertools import product
from typing import Any

from trust.composed.plans import Plan

CONTEXT = decimal.Context(prec=60, Emax=999_999, Emin=-999_999)
STEP = Decimal("1e-18")
SAME = Decimal("1e-24")
"""Relative difference below which two numbers are the same: central differences err by about the
step squared.
"""

POINTS, CURLS = 10, 4
"""How many policies everything is compared at, and at how many of them the curl is taken."""

FAR = 40
"""How many policies farther away are searched for one at which the direction turns round."""

Matrix = list[list[Decimal]]


@dataclass(frozen=True)
class Truth:
    """What an update is.

    Attributes:
        kind: unbiased, zero, scaled, reversed; empty for anything else.
        turns: parallel to the gradient, but to and fro: ahead at some policies and back at others.
        gradient_held, gradient_moving: whether it is a gradient at all, with what is frozen held
            where one stands, and moving along.
        factor: how much longer than the gradient, at the first point; for scaled and reversed.
        constant: the same at every point and for every prompt.
        expected, gradient: at the first point, flattened.
    """

    kind: str
    turns: bool
    gradient_held: bool
    gradient_moving: bool
    factor: Decimal | None
    constant: bool
    expected: list[Decimal]
    gradient: list[Decimal]


def truth(plan: Plan) -> Truth:
    """Decide what it is, at policies of the oracle's own.

    The expected update and the gradient of the value are compared at `POINTS` policies, modulo
    shifts of all logits of a prompt; whether the update is a gradient at all is told from its curl.

    Args:
        plan: the update as data.
    """
    with decimal.localcontext(CONTEXT):
        return _truth(plan)


def _truth(plan: Plan) -> Truth:
    points = _points(plan)
    fields = [_field(plan, theta, theta) for theta in points]
    gradients = [_gradient(plan, theta) for theta in points]
    projected = [
        (_without_shift(field), _without_shift(gradient))
        for field, gradient in zip(fields, gradients, strict=True)
    ]
    kind, factor, constant = _kind(projected)
    turns = bool(factor) and not constant and (not kind or _turns_round(plan))
    if turns:
        kind = ""
    held = bool(kind) or all(_curl_free(plan, theta, theta) for theta in points[:CURLS])
    moving = (
        held
        if not plan.frozen or kind
        else all(_curl_free(plan, theta, None) for theta in points[:CURLS])
    )
    return Truth(kind, turns, held, moving, factor, constant, _flat(fields[0]), _flat(gradients[0]))


def _kind(projected: list[tuple[Matrix, Matrix]]) -> tuple[str, Decimal | None, bool]:
    if all(same(_flat(field), _flat(gradient)) for field, gradient in projected):
        return "unbiased", None, True
    if all(max(map(abs, _flat(field))) < SAME for field, _ in projected):
        return "zero", None, True
    factors = [factor for field, gradient in projected for factor in _factors(field, gradient)]
    known = [factor for factor in factors if factor is not None]
    if (
        factors
        and len(known) == len(factors)
        and (all(f > 0 for f in known) or all(f < 0 for f in known))
    ):
        constant = max(known) - min(known) <= SAME * max(map(abs, known))
        return ("scaled" if known[0] > 0 else "reversed"), known[0], constant
    return "", (known[0] if factors and len(known) == len(factors) else None), False


def _factors(field: Matrix, gradient: Matrix) -> list[Decimal | None]:
    """One for each prompt; none for a prompt in which there is nothing to learn and nothing is
    done.
    """
    return [
        _factor(row, other)
        for row, other in zip(field, gradient, strict=True)
        if max(map(abs, [*row, *other])) > SAME
    ]


def _turns_round(plan: Plan) -> bool:
    """Whether some policy farther away has a factor of each sign, or two policies have factors of
    unequal signs.
    """
    signs = set()
    for theta in _points(plan, FAR, spread=2):
        field, gradient = (
            _without_shift(_field(plan, theta, theta)),
            _without_shift(_gradient(plan, theta)),
        )
        signs |= {factor > 0 for factor in _factors(field, gradient) if factor}
        if len(signs) > 1:
            return True
    return False


def directions_at(plan: Plan, theta: list[list[float]]) -> list[Decimal | None]:
    """The factor of each prompt at a policy that somebody else chose.

    Args:
        plan: the update as data.
        theta: (prompts, actions) logits.

    Returns:
        None for a prompt in which the two aren't parallel.
    """
    with decimal.localcontext(CONTEXT):
        there = [[Decimal(entry) for entry in row] for row in theta]
        return _factors(
            _without_shift(_field(plan, there, there)), _without_shift(_gradient(plan, there))
        )


def _points(plan: Plan, count: int = POINTS, *, spread: float = 1.0) -> list[Matrix]:
    chance = random.Random(f"{plan.index} {spread}")
    first = [[decimal_of(entry).ln() for entry in row] for row in plan.pi]
    out = [first]
    while len(out) < count:
        out.append([[entry + Decimal(chance.gauss(0, spread)) for entry in row] for row in first])
    return out


def decimal_of(value: Fraction | int) -> Decimal:
    """The number in as many digits as the context has: 60 within this module."""
    return Decimal(Fraction(value).numerator) / Decimal(Fraction(value).denominator)


def _softmax(theta: Matrix) -> Matrix:
    out = []
    for row in theta:
        weights = [entry.exp() for entry in row]
        total = sum(weights)
        out.append([weight / total for weight in weights])
    return out


def _means(plan: Plan) -> Matrix:
    return [
        [sum((decimal_of(r) * decimal_of(p) for r, p in outcomes), Decimal(0)) for outcomes in row]
        for row in plan.rewards
    ]


def _values(plan: Plan, theta: Matrix) -> list[Decimal]:
    return [
        sum((p * q for p, q in zip(row, means, strict=True)), Decimal(0))
        for row, means in zip(_softmax(theta), _means(plan), strict=True)
    ]


def _gradient(plan: Plan, theta: Matrix) -> Matrix:
    """∇V by central differences; V is the mean over the prompts."""

    def value(moved: Matrix) -> Decimal:
        return sum(_values(plan, moved), Decimal(0)) / len(moved)

    return [
        [
            (value(_moved(theta, s, a, STEP)) - value(_moved(theta, s, a, -STEP))) / (2 * STEP)
            for a in range(plan.k)
        ]
        for s in range(len(theta))
    ]


def _moved(theta: Matrix, state: int, action: int, by: Decimal) -> Matrix:
    return [
        [entry + by if (s, a) == (state, action) else entry for a, entry in enumerate(row)]
        for s, row in enumerate(theta)
    ]


def _steps(plan: Plan) -> list[tuple[int, int, Decimal, Decimal]]:
    """(prompt, action, reward, chance of the reward) of every step that can be drawn."""
    return [
        (s, a, decimal_of(reward), decimal_of(chance))
        for s, row in enumerate(plan.rewards)
        for a, outcomes in enumerate(row)
        for reward, chance in outcomes
    ]


def _field(plan: Plan, theta: Matrix, held: Matrix) -> Matrix:
    """The expected update at theta; where the plan stops gradients, values are those of `held`."""
    policy = _softmax(theta)
    sampled = (
        policy if plan.mu is None else [[decimal_of(entry) for entry in row] for row in plan.mu]
    )
    values = _values(plan, held if plan.frozen else theta)
    prompts = len(theta)
    total = [[Decimal(0)] * plan.k for _ in theta]
    for draw in product(_steps(plan), repeat=plan.size):
        chance = Decimal(1)
        for s, a, _, share in draw:
            chance = chance * sampled[s][a] * share
        if plan.scheme == "group":
            if len({step[0] for step in draw}) > 1:
                continue
            chance = chance / prompts
        else:
            chance = chance / prompts**plan.size
        for s, row in enumerate(_one(plan, draw, policy, sampled, values)):
            for a, entry in enumerate(row):
                total[s][a] += chance * entry
    return total


def _one(
    plan: Plan, draw: tuple[Any, ...], policy: Matrix, sampled: Matrix, values: list[Decimal]
) -> Matrix:
    """The update on one draw."""
    size, k = plan.size, plan.k
    out = [[Decimal(0)] * k for _ in policy]
    signals = []
    for i, (s, a, reward, _) in enumerate(draw):
        if plan.signal == "r squared":
            signals.append(reward**2)
        elif plan.signal == "r less log-probability":
            signals.append(reward - policy[s][a].ln())
        elif plan.signal == "next r":
            signals.append(draw[(i + 1) % size][2])
        else:
            signals.append(reward)
    for i, (s, a, _, _) in enumerate(draw):
        others = [signal for j, signal in enumerate(signals) if j != i]
        if plan.baseline == "constant":
            base = decimal_of(plan.constant)
        elif plan.baseline == "mean":
            base = sum(signals) / size
        elif plan.baseline == "leave one out":
            base = sum(others) / (size - 1)
        elif plan.baseline == "largest other":
            base = max(others)
        elif plan.baseline == "value":
            base = values[s]
        else:
            base = Decimal(0)
        weight = signals[i] - base
        if plan.whitening == "std":
            weight = weight / (_std(signals) + Decimal("0.5"))
        elif plan.whitening == "std of others":
            weight = weight / (_std(others) + Decimal("0.5"))
        elif plan.whitening == "second moment":
            weight = weight / (1 + sum(x * x for x in signals) / size)
        if plan.clip is not None:
            weight = min(max(weight, -decimal_of(plan.clip)), decimal_of(plan.clip))
        if plan.ratio != "none":
            ratio = policy[s][a] / sampled[s][a]
            if plan.ratio == "clipped":
                ratio = min(max(ratio, Decimal("0.8")), Decimal("1.2"))
            elif plan.ratio == "truncated":
                ratio = min(ratio, Decimal(1))
            weight = weight * ratio
        weight = weight * decimal_of(plan.factor) / size
        for c in range(k):
            out[s][c] += weight * _towards(plan.direction, policy[s], a, c)
    for name, coefficient in plan.extra:
        _add(plan, out, name, decimal_of(coefficient), draw, policy)
    return out


def _std(numbers: list[Decimal]) -> Decimal:
    mean = sum(numbers, Decimal(0)) / len(numbers)
    return (sum(((x - mean) ** 2 for x in numbers), Decimal(0)) / len(numbers)).sqrt()


def _towards(name: str, policy: list[Decimal], action: int, entry: int) -> Decimal:
    taken = Decimal(1) if action == entry else Decimal(0)
    if name == "score":
        return taken - policy[entry]
    if name == "e":
        return taken
    if name == "e less half π":
        return taken - policy[entry] / 2
    if name == "e / π":
        return taken / policy[entry]
    if name == "e less 1/k":
        return taken - Decimal(1) / len(policy)
    following = Decimal(1) if (action + 1) % len(policy) == entry else Decimal(0)
    return following - policy[entry]


def _add(
    plan: Plan, out: Matrix, name: str, coefficient: Decimal, draw: tuple[Any, ...], policy: Matrix
) -> None:
    prompts, means = len(policy), _means(plan)
    if name == "score":
        for s, a, _, _ in draw:
            for c in range(plan.k):
                out[s][c] += coefficient * ((1 if a == c else 0) - policy[s][c]) / plan.size
        return
    for s, row in enumerate(policy):
        entropy = -sum(p * p.ln() for p in row)
        mean = sum(p * q for p, q in zip(row, means[s], strict=True))
        for c, p in enumerate(row):
            if name == "π":
                term = p
            elif name == "ones":
                term = Decimal(1)
            elif name == "entropy gradient":
                term = -p * (p.ln() + entropy) / prompts
            elif name == "q":
                term = means[s][c]
            else:
                term = p * (means[s][c] - mean) / prompts
            out[s][c] += coefficient * term


def _without_shift(field: Matrix) -> Matrix:
    """Without what moves all logits of a prompt together."""
    return [[entry - sum(row, Decimal(0)) / len(row) for entry in row] for row in field]


def _flat(matrix: Matrix) -> list[Decimal]:
    return [entry for row in matrix for entry in row]


def same(one: list[Decimal], other: list[Decimal]) -> bool:
    """Whether two vectors are the same, as far as differences of this step can tell: up to `SAME`
    of their largest entry, or of 1.
    """
    size = max([Decimal(1), *map(abs, [*one, *other])])
    return all(abs(a - b) <= SAME * size for a, b in zip(one, other, strict=True))


def _factor(field: list[Decimal], gradient: list[Decimal]) -> Decimal | None:
    length = sum((g * g for g in gradient), Decimal(0))
    if length < SAME:
        return None
    factor = sum((f * g for f, g in zip(field, gradient, strict=True)), Decimal(0)) / length
    return factor if same(field, [factor * g for g in gradient]) else None


def _curl_free(plan: Plan, theta: Matrix, held: Matrix | None) -> bool:
    """Whether the Jacobian of the field, modulo shifts that leave the policy unchanged, is
    symmetric.
    """
    cells = [(s, a) for s in range(len(theta)) for a in range(plan.k)]
    columns = []
    for s, a in cells:
        above, below = (
            _flat(_without_shift(_field(plan, there, held if held is not None else there)))
            for there in (_moved(theta, s, a, STEP), _moved(theta, s, a, -STEP))
        )
        columns.append(
            [(one - other) / (2 * STEP) for one, other in zip(above, below, strict=True)]
        )
    size = max(abs(entry) for column in columns for entry in column)
    gaps = [abs(columns[j][i] - columns[i][j]) for i in range(len(cells)) for j in range(i)]
    return max(gaps) <= SAME * max(size, Decimal(1))
