"""Check again two kinds of statements about an estimator's expected update, from its formula alone.

`holds`: on one exact bandit two numbers differ that would be equal if the estimator were unbiased
(E[g_a] and dJ/dtheta_a), or if its expected update f were a gradient (df_a/dtheta_c and
df_c/dtheta_a), or if f + h 1 were one for any function h, which moves no policy: the same summed
around three actions, where h cancels, df_a/dtheta_c + df_c/dtheta_d + df_d/dtheta_a and
df_c/dtheta_a + df_d/dtheta_c + ....

`attracts`: the expected update has a fixed point of the policy (all f_a equal) at given weights, or
exactly one within a radius of them, and d theta/dt = f is linearly stable there, up to the shift of
all theta that moves no policy: so every small enough stepsize goes there.

The formula is that of one component, a tree of ints, the names e[a] (1 if a was drawn), pi[a], r[a]
(mean reward), r_pi (the policy's value), R (the reward) and b, ["+", ...], ["*", ...] and ["^",
base, int]. Weights are proportional to the policy; a reward is a list of equally likely outcomes.
Draws are enumerated, derivatives are dual numbers; arithmetic is exact, or in balls (Arb) around a
radius.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from altpg_verify.theory.proving.cover_check import ball, number

PRECISION = 160
"""Bits of the balls."""


def statement(data: dict) -> str:
    """What an instance with these data says.

    Actions are counted from 1 in it.
    """
    around = _around(data["actions"])
    if data["law"] == "unbiased":
        left, right = f"E[ĝ_{around[0][0] + 1}]", f"∂J/∂θ_{around[0][0] + 1}"
    else:
        left, right = (
            " + ".join(f"∂f_{one + 1}/∂θ_{other + 1}" for one, other in pairs)
            for pairs in (around, [(y, x) for x, y in around])
        )
    words = f"{left} = {data['left']} differs from {right} = {data['right']}"
    meant = {
        "unbiased": "",
        "conservative": (
            ", f = E[ĝ]" + ", whatever multiple of 1 is added to it" * (len(around) > 2)
        ),
    }[data["law"]]
    return f"{words}{meant}, for ĝ_a = {shown(data['formula'])} at {_place(data)}"


def _around(actions: Sequence[int]) -> list[tuple[int, int]]:
    """The pair of two actions, or the three pairs around three."""
    if len(set(actions)) != len(actions) or any(
        type(action) is not int or action < 0 for action in actions
    ):
        raise ValueError("actions are told apart by their number")
    if len(actions) not in (1, 2, 3):
        raise ValueError("one, two or three actions")
    return list(zip(actions, [*actions[1:], actions[0]], strict=True))[
        : None if len(actions) == 3 else 1
    ]


def fixed_point_statement(data: dict) -> str:
    """What the certificate of an attracting fixed point with these data says.

    Weights are stated as they are in the data, not divided by their sum.
    """
    near = f", to within {data['radius']} in each weight," if "radius" in data else ""
    return (
        f"the expected update of ĝ_a = {shown(data['formula'])} has a fixed point{near} that"
        f" attracts, at {_place(data)}"
    )


def _place(data: dict) -> str:
    rewards = ", ".join(" or ".join(outcomes) for outcomes in data["rewards"])
    return (
        f"π in proportion to ({', '.join(data['weights'])}), rewards ({rewards}), b ="
        f" {data['baseline']}"
    )


def shown(tree: Any) -> str:
    """The formula as a reader writes it: sums in brackets, factors side by side."""
    if isinstance(tree, int | str):
        return str(tree)
    head, *parts = tree
    if head == "^":
        return f"{shown(parts[0])}^{parts[1]}"
    inner = [shown(part) for part in parts]
    return f"({' + '.join(inner)})" if head == "+" else " ".join(inner)


class Dual:
    """A number and its derivatives in every theta: forward-mode automatic differentiation.

    Sums, products and inverses are all that a formula needs.

    Attributes:
        value: an exact number.
        slopes: its derivative in each theta.
    """

    def __init__(self, value: Any, slopes: Sequence[Any]):
        self.value, self.slopes = value, slopes

    def __add__(self, other: "Dual") -> "Dual":
        return Dual(
            self.value + other.value,
            [x + y for x, y in zip(self.slopes, other.slopes, strict=True)],
        )

    def __mul__(self, other: "Dual") -> "Dual":
        slopes = [
            x * other.value + self.value * y for x, y in zip(self.slopes, other.slopes, strict=True)
        ]
        return Dual(self.value * other.value, slopes)

    def inverse(self) -> "Dual":
        """1 over it.

        d(1/x) = -dx / x².
        """
        return Dual(1 / self.value, [-x / (self.value * self.value) for x in self.slopes])


def expected_update(
    data: dict, weights: Sequence[Any], lift: Callable[[Fraction], Any]
) -> list[Dual]:
    """f_a = E[g_a] for every action, with its derivatives; numbers are made by `lift`.

    Every draw and every outcome is enumerated: f_a = Σ_A π_A Σ_R g_a(e_A, R) / #outcomes.

    Args:
        data: formula, rewards, baseline.
        weights: e^θ, one for each action, as exact numbers or balls.
        lift: makes such a number of a fraction.
    """
    k = len(weights)

    def constant(value: Fraction | int) -> Dual:
        return Dual(lift(Fraction(value)), [lift(Fraction(0))] * k)

    def total(terms: Sequence[Dual]) -> Dual:
        result = constant(0)
        for term in terms:
            result = result + term
        return result

    # x_a = e^θ_a is its own derivative in θ_a
    x = [
        Dual(weight, [weight if c == a else lift(Fraction(0)) for c in range(k)])
        for a, weight in enumerate(weights)
    ]
    scale = total(x).inverse()
    policy = [one * scale for one in x]
    outcomes = [[number(outcome) for outcome in one] for one in data["rewards"]]
    means = [sum(one, start=Fraction(0)) / len(one) for one in outcomes]
    value = total([p * constant(mean) for p, mean in zip(policy, means, strict=True)])

    def evaluated(tree: Any, symbols: dict[str, Dual]) -> Dual:
        if type(tree) is int:
            return constant(tree)
        if type(tree) is str:
            return symbols[tree]
        head, *parts = tree
        if head == "^":
            base, result = evaluated(parts[0], symbols), constant(1)
            # a file from anywhere must not keep the checker busy for ever
            if type(parts[1]) is not int or len(parts) != 2 or abs(parts[1]) > 32:
                raise ValueError("a power needs a small whole exponent")
            for _ in range(abs(parts[1])):
                result = result * base
            return result if parts[1] >= 0 else result.inverse()
        values = [evaluated(part, symbols) for part in parts]
        if head == "+":
            return total(values)
        if head != "*":
            raise ValueError(f"{head!r} is no operation")
        result = constant(1)
        for one in values:
            result = result * one
        return result

    update = []
    for a in range(k):
        known = {
            "pi[a]": policy[a],
            "r[a]": constant(means[a]),
            "r_pi": value,
            "b": constant(number(data["baseline"])),
        }
        terms = []
        for drawn in range(k):
            for outcome in outcomes[drawn]:
                symbols = {**known, "e[a]": constant(int(drawn == a)), "R": constant(outcome)}
                terms.append(
                    policy[drawn]
                    * constant(Fraction(1, len(outcomes[drawn])))
                    * evaluated(data["formula"], symbols)
                )
        update.append(total(terms))
    return update


def holds(data: dict) -> bool:
    """Whether the two numbers are as stated, and differ.

    Args:
        data: law, formula, weights, rewards, baseline, actions; left and right, the two numbers.
    """
    if set(data) != {
        "law",
        "formula",
        "weights",
        "rewards",
        "baseline",
        "actions",
        "left",
        "right",
    }:
        return False
    weights = [number(weight) for weight in data["weights"]]
    around = _around(data["actions"])
    left, right = number(data["left"]), number(data["right"])
    if min(weights) <= 0 or len(data["rewards"]) != len(weights):
        return False
    update = expected_update(data, weights, lambda exact: exact)
    if data["law"] == "conservative" and len(data["actions"]) > 1:
        found = (
            sum(update[one].slopes[other] for one, other in around),
            sum(update[other].slopes[one] for one, other in around),
        )
    elif data["law"] == "unbiased" and len(data["actions"]) == 1:
        (a,) = data["actions"]
        means = [sum(map(number, one), start=Fraction(0)) / len(one) for one in data["rewards"]]
        policy = [weight / sum(weights) for weight in weights]
        value = sum((p * mean for p, mean in zip(policy, means, strict=True)), start=Fraction(0))
        found = update[a].value, policy[a] * (means[a] - value)
    else:
        return False
    # both: as stated, or the words are false; different, or nothing is refuted
    return found == (left, right) and left != right


def attracts(data: dict) -> bool:
    """Whether there is a fixed point as stated, and it attracts.

    With a radius and an approximate inverse Jacobian in the data, by Krawczyk's test; else the
    weights themselves must be a fixed point.
    """
    weights = [number(weight) for weight in data["weights"]]
    if not 2 <= len(weights) <= 4 or len(data["rewards"]) != len(weights) or min(weights) <= 0:
        return False
    if set(data) == {"formula", "weights", "rewards", "baseline"}:
        return _attracts_exactly(data, weights)
    if set(data) == {"formula", "weights", "rewards", "baseline", "radius", "inverse"}:
        return _attracts_within(data, weights)
    return False


def _attracts_exactly(data: dict, weights: list[Fraction]) -> bool:
    update = expected_update(data, weights, lambda exact: exact)
    # a fixed point of the policy: all entries agree
    return all(one.value == update[-1].value for one in update) and stable(_between_actions(update))


def _attracts_within(data: dict, weights: list[Fraction]) -> bool:
    """Krawczyk's test with the last weight fixed at its value: the map sends the box into its
    inside, so it has one zero there.
    """
    import flint

    radius, inverse = (
        number(data["radius"]),
        [[number(one) for one in row] for row in data["inverse"]],
    )
    n = len(weights) - 1
    if not 0 < radius < min(weights) or len(inverse) != n or any(len(row) != n for row in inverse):
        return False
    before = flint.ctx.prec
    flint.ctx.prec = PRECISION
    try:
        # the expected update doesn't change with the scale of the weights, so that one is fixed
        box = [ball(weight - radius).union(ball(weight + radius)) for weight in weights[:-1]] + [
            ball(weights[-1])
        ]
        update, at_centre = (
            expected_update(data, box, ball),
            expected_update(data, [ball(one) for one in weights], ball),
        )
        slopes = [
            [one / weight for one, weight in zip(row, box, strict=False)]
            for row in _between_actions(update)
        ]
        values = [one.value - at_centre[-1].value for one in at_centre[:-1]]
        inside = []
        for i in range(n):
            # K(box) = m - Y f(m) + (1 - Y f'(box)) (box - m), with m the centre, Y the inverse that
            # is given
            moved = ball(weights[i]) - sum(ball(inverse[i][j]) * values[j] for j in range(n))
            for m in range(n):
                rest = ball(int(i == m)) - sum(ball(inverse[i][j]) * slopes[j][m] for j in range(n))
                moved += rest * (box[m] - ball(weights[m]))
            inside.append(
                # strictly inside: that also makes Y and f'(box) regular, and the zero the only one
                bool(moved > ball(weights[i] - radius)) and bool(moved < ball(weights[i] + radius))
            )
        return all(inside) and stable(_between_actions(update))
    finally:
        flint.ctx.prec = before


def _between_actions(update: list[Dual]) -> list[list[Any]]:
    """The Jacobian of f_i - f_k in theta_i - theta_k, k the last action."""
    last = update[-1]
    return [
        [x - y for x, y in zip(one.slopes[:-1], last.slopes[:-1], strict=True)]
        for one in update[:-1]
    ]


def stable(matrix: list[list[Any]]) -> bool:
    """Whether all eigenvalues of a matrix with 1 to 3 rows have a negative real part: Routh and
    Hurwitz.

    With characteristic polynomial λ³ + a λ² + b λ + c: a, b, c > 0 and a b > c; for one or two rows
    all coefficients positive. A matrix of balls is stable if all matrices in it are.
    """
    n = len(matrix)
    power, coefficients = matrix, []
    for step in range(1, n + 1):
        # Faddeev and Le Verrier: the characteristic polynomial without an eigenvalue
        trace = sum(power[i][i] for i in range(n))
        coefficients.append(-trace / step)
        shifted = [
            [power[i][j] + (coefficients[-1] if i == j else 0) for j in range(n)] for i in range(n)
        ]
        power = [
            [sum(matrix[i][m] * shifted[m][j] for m in range(n)) for j in range(n)]
            for i in range(n)
        ]
    conditions = [bool(one > 0) for one in coefficients]
    # for three rows signs of coefficients aren't enough: a b > c, too
    if n == 3:
        conditions.append(bool(coefficients[0] * coefficients[1] > coefficients[2]))
    return n in (1, 2, 3) and all(conditions)
