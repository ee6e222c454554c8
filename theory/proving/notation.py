"""The symbols of the paper as sympy objects, and the constructions they are used in: sums over all
actions, ∂/∂θ, E, V, Cov.

Sums run over a symbolic number of actions k; two different free indices (a, c) are two different
actions.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from sympy import (
    Derivative,
    Eq,
    Expr,
    Function,
    IndexedBase,
    Rational,
    Sum,
    Symbol,
    Tuple,
    exp,
    symbols,
)

k = Symbol("k")
a, c, d, j, i = symbols("a c d j i")
alpha, b, kappa = symbols("alpha b kappa")
r_pi = Symbol("r_pi")

theta = IndexedBase("theta")
pi = IndexedBase("pi")
pi_star = IndexedBase("pi^*")
pi_next = IndexedBase("pi^'")
"""The policy after one expected step."""
r = IndexedBase("r")
sigma = IndexedBase("sigma")
eta = IndexedBase("eta")
zeta = IndexedBase("zeta")

e = IndexedBase("e")
"""One-hot vector of the sampled action A: e_a is 1 if a was taken, else 0."""
R = Symbol("R")
"""The sampled reward."""
r_A = Symbol("r_A")
"""r(A), the mean reward of the sampled action."""
g_REG, g_ALT, ghat_REG, ghat_ALT, ghat = map(
    IndexedBase, ("g^REG", "g^ALT", "ghat^REG", "ghat^ALT", "ghat")
)
"""The estimates: with the true r_π subtracted, with a baseline b, and (e_A - η)(R - b) for any
η.
"""
E, V, Cov, KL = map(Function, ("E", "V", "Cov", "D_KL"))

h = Symbol("h")
"""A real variable that isn't a preference; ∂/∂h is taken like ∂/∂θ, with e^h as the letter."""

CONSTANTS = frozenset({"r", "b", "alpha", "sigma", "eta", "kappa", "P", "Q"})
"""Names that don't depend on θ or h; only these, θ, h and k may stand inside a derivative."""


def total(body: Any, index: Symbol = c) -> Expr:
    """Σ of `body` over all k actions; 0 for a body that is 0.

    Examples:
        >>> total(pi[c] * r[c])
        Sum(pi[c]*r[c], (c, 1, k))
    """
    return Sum(body, (index, 1, k)) if body != 0 else Sum(0, (index, 1, k)).doit()


class Partial(Derivative):
    """∂(body)/∂θ_a, left as it is: sympy's own class would set ∂π_a/∂θ_c to 0, for it doesn't know
    that π depends on θ.

    The kernel takes the derivative itself, so none is computed here.
    """

    def __new__(cls, body: Any, variable: Any) -> Partial:
        """The derivative of `body` in `variable`, unevaluated."""
        counted = variable if isinstance(variable, Tuple) else Tuple(variable, 1)
        return Expr.__new__(cls, body, counted)

    def doit(self, **hints: Any) -> Expr:
        """Itself: nothing is evaluated."""
        return self


def softmax(action: Any, index: Symbol = j) -> Expr:
    """π_a = e^θ_a / Σ_j e^θ_j.

    Written out in θ, as derivatives need it; the index of the sum must differ from the action's.
    """
    return exp(theta[action]) / total(exp(theta[index]), index)


def as_rational(number: Fraction) -> Rational:
    """The fraction as an exact number of sympy's."""
    return Rational(number.numerator, number.denominator)


def mean_reward() -> Expr:
    """r_π = Σ_i π_i r_i, the value of the policy, as a sum over all k actions."""
    return total(pi[i] * r[i], i)


def equation(left: Any, right: Any) -> Eq:
    """left = right, kept as written.

    sympy would make it True or False where it can tell.
    """
    return Eq(left, right, evaluate=False)


SIMPLEX = total(pi[c]) - 1
"""Is zero: the probabilities sum to one."""
