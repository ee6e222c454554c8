"""Symbolic moments: the formula, and expectation, bias and variance for every k where the formula
acts by action, else for small k.

Two derivations that share no code: symbols of one action with sums over all
(`altpg_verify.theory.proving.calculus`), and enumeration over rational functions
(`altpg_verify.symbolic`). Where both apply, `agreement` compares them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import sympy
from sympy import Expr

from altpg_verify.estimators import ARGUMENTS, Estimator
from altpg_verify.exact import expected_update, policy_gradient, variance
from altpg_verify.parameterisations import Parameterisation
from altpg_verify.rational_functions import RationalFunction
from altpg_verify.structure import acts_by_action

UNDECIDED = (ArithmeticError, AttributeError, TypeError, ValueError)
"""What a formula that is no rational function of its arguments, or no low polynomial in the reward,
raises on the way.
"""

SIZES = (2, 3)
"""Numbers of actions for which moments are also derived by enumeration."""


@dataclass(frozen=True)
class Moments:
    """Of one preference: expectation, bias and variance of the estimate, sympy expressions.

    The variance by enumeration is written in d_a = r_a - b.

    Args:
        expectation: E of the component.
        bias: that less the component of the policy gradient.
        variance: of the component.
    """

    expectation: Expr
    bias: Expr
    variance: Expr


def formula(estimator: Estimator) -> list[Expr]:
    """The formula as equations: of preference a where it acts by action, else of the first of
    three; [] if sympy can't run it.
    """
    if acts_by_action(estimator):
        from altpg_verify.theory.proving.calculus import estimate
        from altpg_verify.theory.proving.notation import a

        return [sympy.Eq(sympy.Symbol("ghat_a"), plain(estimate(estimator, a)), evaluate=False)]
    import numpy as np

    arguments = {}
    for name, meaning in ARGUMENTS.items():
        symbols = [sympy.Symbol(f"{name}_{a + 1}") for a in range(3)]
        arguments[name] = (
            np.array(symbols, dtype=object)
            if meaning.startswith("(k,)")
            else sympy.Symbol("R" if name == "r" else name)
        )
    try:
        components = list(estimator.at(arguments))
        return (
            [sympy.Eq(sympy.Symbol("ghat_1"), plain(sympy.sympify(components[0])), evaluate=False)]
            if len(components) == 3
            else []
        )
    except Exception:
        # a user's code may raise anything on symbols; then the source alone is shown
        return []


def plain(value: Any) -> Expr:
    """Decimal numbers as the fractions they print as."""
    return sympy.nsimplify(value, rational=True) if value.has(sympy.Float) else value


def for_every_k(estimator: Estimator) -> Moments | None:
    """Moments of preference a for every number of actions, or None where the formula has no such
    symbolic form.

    The component is split by whether a was taken: E[ĝ_a] = π_a E[ĝ_a | A = a] + Σ_c π_c E[ĝ_a | A =
    c] over the others, where only the moments of the reward depend on c.

    Args:
        estimator: one that acts on each action by itself.
    """
    if not acts_by_action(estimator):
        return None
    from altpg_verify.theory.proving.calculus import conditional, drawn, estimate
    from altpg_verify.theory.proving.notation import R, a, c, e, pi, r, r_pi, sigma, theta, total

    component = plain(estimate(estimator, a))

    def mean(expression: Expr) -> Expr:
        away, taken = expression.subs(e[a], 0), expression.subs(e[a], 1)
        result = pi[a] * (conditional(taken, a) - conditional(away, a))
        # of the sum over the drawn action only the moments of its reward depend on it
        for (first, noise), coefficient in sympy.Poly(
            conditional(away, drawn), r[drawn], sigma[drawn]
        ).terms():
            known = {(0, 0): sympy.Integer(1), (1, 0): r_pi}.get((first, noise))
            result += coefficient * (
                total(pi[c] * r[c] ** first * sigma[c] ** noise, c) if known is None else known
            )
        return result

    def square(expression: Expr, action: Expr) -> Expr:
        """E[expression² | A = action], written around the reward at which the estimate is 0 if it
        is linear in R.
        """
        linear = sympy.Poly(expression, R)
        if linear.degree() < 1:
            return sympy.factor(expression**2)
        slope, at_zero = linear.coeff_monomial(R), linear.coeff_monomial(1)
        centre = sympy.cancel(-at_zero / slope)
        if linear.degree() > 1 or centre.has(pi, theta):
            return sympy.factor(conditional(sympy.expand(expression**2), action))
        return sympy.factor(slope) ** 2 * ((r[action] - centre) ** 2 + sigma[action] ** 2)

    try:
        first = sympy.factor(sympy.expand(mean(component)))
        # E[ĝ²] = π_a E[ĝ² | a taken] + Σ_c π_c E[ĝ² | c] less the term c = a, as for the mean
        away, taken = component.subs(e[a], 0), component.subs(e[a], 1)
        of_all = square(away, drawn)
        factors = sympy.Mul.make_args(of_all)
        outside = sympy.Mul(*(one for one in factors if not one.has(drawn)))
        inside = sympy.Mul(*(one for one in factors if one.has(drawn)))
        spread = outside * (1 if inside == 1 else total(pi[c] * inside.subs(drawn, c), c))
        second = pi[a] * square(taken, a) - pi[a] * square(away, a) + spread
        # R is left where mean and variance of the reward don't say enough
        if R in first.free_symbols | second.free_symbols:
            return None
        return Moments(
            first,
            sympy.factor(sympy.expand(first - pi[a] * (r[a] - r_pi))),
            second - first**2 if second != first**2 else sympy.S.Zero,
        )
    except UNDECIDED:
        return None


def for_small_k(estimator: Estimator, policy: Parameterisation) -> dict[int, Moments]:
    """Moments by enumeration for each number of actions of `SIZES` for which the formula has
    them.
    """
    return {k: found for k in SIZES if (found := enumerated(estimator, k, policy)) is not None}


def enumerated(estimator: Estimator, k: int, policy: Parameterisation) -> Moments | None:
    """Moments of the first preference with k actions, by enumeration over rational functions; None
    if the formula is none.

    Args:
        estimator: any.
        k: the number of actions.
        policy: how preferences become π.
    """
    from altpg_verify.symbolic import generic

    try:
        case = generic(k, policy)
        mean = expected_update(estimator, case)[0]
        bias = mean - policy_gradient(case)[0]
        spread = readable(variance(estimator, case)[0], k, policy)
        return Moments(readable(mean, k, policy), readable(bias, k, policy), _centred(spread, k))
    except UNDECIDED:
        return None


def readable(entry: Expr, k: int, policy: Parameterisation) -> Expr:
    """A rational function in the symbols of the paper: π_1, r_1, σ_1, b; the last probability is
    written out where it is a factor.
    """
    if not isinstance(entry, RationalFunction):
        return sympy.nsimplify(entry, rational=True)
    letter = "pi" if policy.normalised else "theta"
    names: dict[Expr, Expr] = {}
    for a in range(1, k + 1):
        mean, sigma = sympy.Symbol(f"r_{a}"), sympy.Symbol(f"sigma_{a}")
        names |= {
            sympy.Symbol(f"p{a}"): sympy.Symbol(f"{letter}_{a}"),
            sympy.Symbol(f"r{a}"): mean,
            sympy.Symbol(f"m{a}_2"): mean**2 + sigma**2,
        }
    written = sympy.factor(entry.as_expr().subs(names, simultaneous=True))
    return _last_probability(written, k) if policy.normalised else written


def _last_probability(product: Expr, k: int) -> Expr:
    """The product with factors 1 - π_1 - ... written as π_k."""
    rest, last = 1 - sum(sympy.Symbol(f"pi_{a}") for a in range(1, k)), sympy.Symbol(f"pi_{k}")
    factors = []
    for factor in sympy.Mul.make_args(product):
        base, power = factor.as_base_exp()
        sign = 1 if base == rest else -1 if base == sympy.expand(-rest) else 0
        factors.append((sign * last) ** power if sign else factor)
    return sympy.Mul(*factors)


def _centred(product: Expr, k: int) -> Expr:
    """The same in d_a = r_a - b: shorter, where only rewards relative to the baseline matter."""
    b = sympy.Symbol("b")
    moved = {sympy.Symbol(f"r_{a}"): sympy.Symbol(f"d_{a}") + b for a in range(1, k + 1)}
    return _last_probability(sympy.factor(product.subs(moved, simultaneous=True)), k)


def agreement(general: Moments, estimator: Estimator, policy: Parameterisation) -> tuple[int, ...]:
    """The numbers of actions for which the symbolic moments, written out, are the enumerated
    rational functions.

    Args:
        general: the moments for every k.
        estimator, policy: what is enumerated.
    """
    agreed = []
    for k in SIZES:
        few = enumerated(estimator, k, policy)
        if few is not None and all(
            _same(written_out(one, k), other)
            for one, other in (
                (general.expectation, few.expectation),
                (general.bias, few.bias),
                (
                    general.variance,
                    few.variance.subs(
                        {
                            sympy.Symbol(f"d_{n}"): sympy.Symbol(f"r_{n}") - sympy.Symbol("b")
                            for n in range(1, k + 1)
                        }
                    ),
                ),
            )
        ):
            agreed.append(k)
    return tuple(agreed)


def written_out(expression: Expr, k: int) -> Expr:
    """The expression of preference a = 1 with sums and r_π written out for k actions, in the
    symbols of `readable`.
    """
    from altpg_verify.theory.proving.notation import a, pi, r, r_pi, sigma

    number = expression.replace(
        lambda one: isinstance(one, sympy.Sum),
        lambda one: sum(one.function.subs(one.variables[0], a0) for a0 in range(1, k + 1)),
    ).subs(a, 1)
    bases = {pi: "pi", r: "r", sigma: "sigma"}
    value = sum(sympy.Symbol(f"pi_{c}") * sympy.Symbol(f"r_{c}") for c in range(1, k + 1))
    return number.replace(
        lambda one: isinstance(one, sympy.Indexed) and one.base in bases,
        lambda one: sympy.Symbol(f"{bases[one.base]}_{one.indices[0]}"),
    ).subs(r_pi, value)


def _same(one: Expr, other: Expr) -> bool:
    """Equal as rational functions of free symbols; the last probability is 1 less the others."""
    probabilities = sorted(
        {s for s in one.free_symbols | other.free_symbols if s.name.startswith("pi_")}, key=str
    )
    difference = one - other
    if probabilities:
        k = max(int(s.name[3:]) for s in probabilities)
        difference = difference.subs(
            sympy.Symbol(f"pi_{k}"), 1 - sum(sympy.Symbol(f"pi_{a}") for a in range(1, k))
        )
    return bool(sympy.cancel(sympy.together(difference)) == 0)
