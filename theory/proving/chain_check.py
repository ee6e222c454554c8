"""Check again, in exact rational interval arithmetic, that the chain's expected update has one
interior fixed point in a box, and attracts.

Standard library only, nothing shared with what produced the certificate. The chain: states 1 to 5,
terminal on both sides, reward 1 for leaving state 5 to the right, else 0. p_s is the probability of
right. Two maps are used, on boxes given by their ends:

    T_p(v)(s) = p_s q(s, right) + (1 - p_s) q(s, left)
        whose fixed point is v_p, for it contracts with the discount g
    F(p)(s)   = (q(s, left) - b) / (q(s, left) + q(s, right) - 2 b)
        the policy with pi(a|s) proportional to 1/(q(s, a) - b)

If T_p maps a box of values into itself for every p in a box of policies, then v_p is in it. In the
largest norm F is Lipschitz with g max_s |q(s, right) - q(s, left)| / ((1 - g) min_s |q(s, left) +
q(s, right) - 2 b|).
"""

from collections.abc import Sequence
from fractions import Fraction

Interval = tuple[Fraction, Fraction]
Box = list[Interval]


def holds(certificate: dict) -> bool:
    """Whether F has exactly one fixed point among all policies, in the inner box, with v_p(3) as
    stated.

    In steps: F maps every policy into the outer box, and is a contraction there; so there is one
    fixed point (Banach). F maps the inner box into itself, so the point lies there, and v_p(3) for
    it in the interval. With "attracts", also that the flow of the logits is stable at it.

    Args:
        certificate: discount, baseline; the boxes outer, outer_values, inner, inner_values, five
            intervals each; value, an interval; all numbers as text.
    """
    try:
        discount, baseline = Fraction(certificate["discount"]), Fraction(certificate["baseline"])
        outer, outer_values, inner, inner_values = (
            _box(certificate[name]) for name in ("outer", "outer_values", "inner", "inner_values")
        )
        (value,) = _box([certificate["value"]])
        everything, unit = [(Fraction(0), Fraction(1))] * 5, [(Fraction(0), Fraction(1))] * 5
        # a map that sends a box into itself has its fixed point there; a Lipschitz constant below
        # 1, only one
        steps = [
            0 < discount < 1 and (baseline < 0 or baseline > 1),
            _within(evaluated(everything, unit, discount), unit),
            _within(improved(unit, discount, baseline), outer),
            _within(evaluated(outer, outer_values, discount), outer_values),
            lipschitz(outer_values, discount, baseline) < 1,
            _within(evaluated(inner, inner_values, discount), inner_values),
            _within(improved(inner_values, discount, baseline), inner),
            _within(inner, outer),
            _within([inner_values[2]], [value]),
        ]
        return all(steps) and (
            not certificate.get("attracts")
            or attracts(inner, inner_values, _box(certificate["slopes"]), discount, baseline)
        )
    except (KeyError, TypeError, ValueError, ZeroDivisionError):
        return False


def _box(rows: Sequence[Sequence[str]]) -> Box:
    box = [(Fraction(low), Fraction(high)) for low, high in rows]
    if any(low > high for low, high in box):
        raise ValueError("an interval with its ends exchanged")
    return box


def _within(box: Box, other: Box) -> bool:
    return len(box) == len(other) and all(
        o[0] <= b[0] and b[1] <= o[1] for b, o in zip(box, other, strict=True)
    )


def actions(values: Box, discount: Fraction) -> tuple[Box, Box]:
    """q(s, left) = g v(s - 1) and q(s, right) = g v(s + 1) for values in the box, by states.

    Left of state 1 the value is 0; right of state 5 the reward 1 comes undiscounted.
    """
    end, goal = (Fraction(0), Fraction(0)), (Fraction(1), Fraction(1))
    moved = [(discount * low, discount * high) for low, high in values]
    return [end, *moved[:-1]], [*moved[1:], goal]


def evaluated(policy: Box, values: Box, discount: Fraction) -> Box:
    """T_p(v) for p and v in the boxes; T is linear in p, so its ends are at the ends of p.

    Args:
        policy: five intervals of p_s; values: five intervals of v(s).
    """
    left, right = actions(values, discount)
    return [
        (min(p * y[0] + (1 - p) * x[0] for p in ends), max(p * y[1] + (1 - p) * x[1] for p in ends))
        for ends, x, y in zip(policy, left, right, strict=True)
    ]


def improved(values: Box, discount: Fraction, baseline: Fraction) -> Box:
    """F for values in the box; F is monotone in each of the two q as long as b is outside of
    both.

    Each corner of the two intervals is tried, exactly; the result encloses F's values.
    """
    left, right = actions(values, discount)
    result = []
    for ends, others in zip(left, right, strict=True):
        # monotone in each argument, so the extremes are at the corners of the box
        corners = [(x - baseline) / (x + y - 2 * baseline) for x in ends for y in others]
        result.append((min(corners), max(corners)))
    return result


def lipschitz(values: Box, discount: Fraction, baseline: Fraction) -> Fraction:
    """An upper bound on the Lipschitz constant of F where the values are in the box.

    In the largest norm. v_p is Lipschitz in p with max |q(s, right) - q(s, left)| / (1 - g), q in v
    with g, and F in q with 1 / min |q(s, left) + q(s, right) - 2 b|, as 0 <= F <= 1.
    """
    left, right = actions(values, discount)
    spread = max(max(abs(y[1] - x[0]), abs(y[0] - x[1])) for x, y in zip(left, right, strict=True))
    # the smallest denominator, by which a change of q is amplified most
    scale = min(
        min(abs(x + y - 2 * baseline) for x in ends for y in others)
        for ends, others in zip(left, right, strict=True)
    )
    return discount * spread / ((1 - discount) * scale)


def attracts(policy: Box, values: Box, slopes: Box, discount: Fraction, baseline: Fraction) -> bool:
    """Whether the linearised flow of the logits at the fixed point is stable, by diagonal
    dominance.

    With l_s the logit of right, dl_s/dt = nu_s f_s, f_s = p_s (q(s, right) - b) - (1 - p_s) (q(s,
    left) - b), nu_s > 0. A bound u_s on sum_j dv(s)/dl_j solves u = g P u + w with w_s = p_s (1 -
    p_s) (q(s, right) - q(s, left)) >= 0; `slopes` encloses it. Row s of the Jacobian of f has p_s
    (1 - p_s) (q(s, left) + q(s, right) - 2 b) on the diagonal, and the rest sums to at most max u g
    in size.
    """
    left, right = actions(values, discount)
    # the bounds below need q(s, right) >= q(s, left)
    if any(y[0] < x[1] for x, y in zip(left, right, strict=True)):
        return False
    # concave in p, so least at an end
    weights = [min(p * (1 - p) for p in ends) for ends in policy]
    # p (1 - p) <= 1/4
    gains = [Fraction(1, 4) * (y[1] - x[0]) for x, y in zip(left, right, strict=True)]
    zero: Interval = (Fraction(0), Fraction(0))
    neighbours = list(zip([zero, *slopes[:-1]], [*slopes[1:], zero], strict=True))
    closed = all(
        discount * max(before[1], after[1]) + gain <= own[1]
        for (before, after), gain, own in zip(neighbours, gains, slopes, strict=True)
    )
    # every row of the Jacobian is diagonally dominant with a negative diagonal: stable by
    # Gershgorin
    rows = [
        weight * (2 * baseline - x[1] - y[1]) > discount * max(before[1], after[1])
        for weight, x, y, (before, after) in zip(weights, left, right, neighbours, strict=True)
    ]
    return closed and all(rows)
