"""Expectation, variance and derivative for every number of actions, from the one definition of each
estimator.

The estimator's own function is called on the symbols of one action, with the letter e_a for "was a
the action taken?". An expectation then splits by that question:

    E[f] = Σ_c π_c E[f(e_a = 0) | A = c] + π_a (E[f(e_a = 1) | A = a] - E[f(e_a = 0) | A = a])

where f is a polynomial in the reward R, of which only the mean r_c and the variance σ_c² are known:
no law of the noise is assumed.
"""

from __future__ import annotations

from typing import Any

from sympy import Expr, Indexed, Integer, Poly, Symbol, expand, sympify

from altpg_verify.estimators import Estimator, alternate, regular
from altpg_verify.theory.proving.notation import (
    Cov,
    E,
    R,
    V,
    b,
    e,
    eta,
    g_ALT,
    g_REG,
    ghat,
    ghat_ALT,
    ghat_REG,
    mean_reward,
    pi,
    r,
    r_A,
    r_pi,
    sigma,
    softmax,
    theta,
    total,
)

drawn = Symbol("l")
"""The index of the sum over the action that is drawn; no formula has a free index of this name, so
it captures none.
"""


class NotPolynomial(TypeError):
    """No polynomial of degree at most 2 in the reward, so that means and variances don't determine
    the expectation.

    Also raised for an expression that asks about more than one action.
    """


def estimate(estimator: Estimator, action: Any, baseline: Any = b) -> Expr:
    """Component `action` of an estimate, in the symbols of `notation`.

    θ_a, π_a, e_a, R and b are symbols; q_a is r_a, v is r_π, and h their difference. The
    estimator's own function is called, so what is proved of the result is proved of the code.

    Examples:
        >>> from altpg_verify.theory.proving.notation import a
        >>> estimate(alternate, a)
        (R - b)*e[a]
    """
    value = r[action]
    return sympify(
        estimator(
            theta=theta[action],
            pi=pi[action],
            e=e[action],
            r=R,
            b=baseline,
            q=value,
            v=r_pi,
            h=value - r_pi,
        )
    )


ESTIMATES = {
    ghat_REG: lambda action: estimate(regular, action),
    ghat_ALT: lambda action: estimate(alternate, action),
    g_REG: lambda action: estimate(regular, action, r_pi),
    g_ALT: lambda action: estimate(alternate, action, r_pi),
    ghat: lambda action: (e[action] - eta[action]) * (R - b),
}
"""What the symbols of the estimates stand for."""


def written_out(expression: Any) -> Expr:
    """The expression with every estimate's letter replaced by its formula.

    What is left are letters of which the law is known: R, r(A), e_a, and those that a draw doesn't
    change.
    """
    return sympify(expression).replace(
        lambda one: isinstance(one, Indexed) and one.base in ESTIMATES,
        lambda one: ESTIMATES[one.base](one.indices[0]),
    )


def conditional(expression: Expr, action: Any) -> Expr:
    """E[expression | A = action].

    With E[R | A = a] = r_a and E[R² | A = a] = r_a² + σ_a²; r(A) becomes r_a.

    Raises:
        NotPolynomial: the expression is no polynomial in R of degree at most 2.
    """
    # r(A) is the mean of the drawn action, a number once A is given; R stays random
    given = expression.subs(r_A, r[action])
    # mean and variance decide its expectation only then
    polynomial = Poly(expand(given), R) if given.is_polynomial(R) else None
    if polynomial is None or polynomial.degree() > 2:
        raise NotPolynomial(f"{expression} is no polynomial of degree at most 2 in the reward")
    # E[R⁰], E[R], E[R²]: nothing else of the law of the reward is known
    moments = (Integer(1), r[action], sigma[action] ** 2 + r[action] ** 2)
    return sum(
        (coefficient * moments[power] for (power,), coefficient in polynomial.terms()),
        start=Integer(0),
    )


def mean(expression: Any) -> Expr:
    """E[expression], a function of R, of r(A) and of e_a for at most one action a.

    The sum runs over the action that is drawn, `drawn`, weighted with π; see above for how an
    indicator splits it.

    Raises:
        NotPolynomial: R occurs beyond the second power, or several actions' indicators occur.
    """
    written = written_out(expression)
    asked = {one.indices[0] for one in written.atoms(Indexed) if one.base == e}
    if len(asked) > 1:
        raise NotPolynomial(f"{expression} asks about more than one action")
    # no indicator: all draws alike, one sum over them
    if not asked:
        return total(pi[drawn] * conditional(written, drawn), drawn)
    (action,) = asked
    # the two values of the one indicator: all actions as if another was taken, and a correct term
    # for a
    away, taken = written.subs(e[action], 0), written.subs(e[action], 1)
    return total(pi[drawn] * conditional(away, drawn), drawn) + pi[action] * (
        conditional(taken, action) - conditional(away, action)
    )


def covariance(one: Any, other: Any) -> Expr:
    """Cov(X, Y) = E[XY] - E[X] E[Y], of two functions of the same draw.

    Entry by entry, as the paper takes it (appendix A.2).
    """
    return mean(written_out(one) * written_out(other)) - mean(one) * mean(other)


ON_POLICY = {
    r_pi: mean_reward(),
    E: mean,
    V: lambda one: covariance(one, one),
    Cov: covariance,
    **ESTIMATES,
}
"""Moments and r_π written out; π kept as a letter."""

SOFTMAX = {**ON_POLICY, pi: softmax}
"""Everything written out in θ, as derivatives need it."""
