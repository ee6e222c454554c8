"""What everything about a fixed baseline shares: the next policy, π*, κ, and r - b as a letter of
known sign.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sympy import Add, Expr, Indexed, IndexedBase, Integer, cancel, exp

from altpg_verify.theory.proving.calculus import ON_POLICY
from altpg_verify.theory.proving.expression_trees import Meaning, NotRational
from altpg_verify.theory.proving.notation import alpha, b, i, j, kappa, pi, pi_star, r, theta, total

EVERY_BASELINE = "every k, every r, every baseline b above all rewards or below all rewards"
OPTIMISTIC_DOMAIN = "every k, every r, every b > max r"
PESSIMISTIC_DOMAIN = "every k, every r, every b < min r"

gap = IndexedBase("gap")
"""r_a - b, not zero."""
dist = IndexedBase("Delta")
"""|r_a - b|, positive: b - r_a under an optimistic baseline, r_a - b under a pessimistic one."""
growth = IndexedBase("y")
"""e to the change of the preference of a, positive."""


def _baseline(letter: IndexedBase, sign: int) -> Meaning:
    """r_a - b is sign · letter_a wherever it stands, and r_a alone is b + sign · letter_a."""

    def difference(*terms: Any) -> Expr | None:
        for flip in (1, -1):
            rewards = [
                term
                for term in terms
                if isinstance(flip * term, Indexed) and (flip * term).base == r
            ]
            if len(terms) == 2 and len(rewards) == 1 and -flip * b in terms:
                return flip * sign * letter[(flip * rewards[0]).indices[0]]
        return None

    return {r: lambda action: b + sign * letter[action], Add: difference}


EITHER_SIDE: Meaning = {**ON_POLICY, **_baseline(gap, 1)}
OPTIMISTIC: Meaning = {**ON_POLICY, **_baseline(dist, -1)}
PESSIMISTIC: Meaning = {**ON_POLICY, **_baseline(dist, 1)}


def next_weight(action: Any) -> Expr:
    """π_a e^(α π_a (r_a - b)), the next policy up to its norm.

    (k,) before it is divided by its sum, for one step of size α along the expected alternate
    update.
    """
    return pi[action] * exp(alpha * pi[action] * (r[action] - b))


def next_policy(action: Any) -> Expr:
    """π_{t+1}(a) after one expected step.

    The step in θ is α π (r − b); adding to a preference multiplies its probability, before the
    norm.
    """
    return next_weight(action) / total(next_weight(j), j)


def indices(expression: Expr) -> set[Any]:
    """The indices of all symbols in the expression."""
    return {one.indices[0] for one in expression.atoms(Indexed)}


def grown_by(change: Callable[[Any], Expr]) -> Meaning:
    """e^(θ_a + n change(a)) as e^θ_a times the n-th power of the letter y_a.

    The kernel knows polynomials and not exponentials, so each e^(change) becomes one positive
    letter y_a of its own, and only whole powers of it may occur.

    Args:
        change: what a step adds to the preference of an action.
    Returns:
        A meaning of `exp` for `Proof.where`; it raises NotRational for an exponent that is no
            multiple
        of the change.
    """

    def letter(exponent: Expr) -> Expr:
        product: Expr = Integer(1)
        groups: dict[Any, Expr] = {}
        for term in Add.make_args(exponent):
            (action,) = indices(term)
            if term.as_coeff_Mul()[1] == theta[action]:
                product *= exp(term)
            else:
                groups[action] = groups.get(action, Integer(0)) + term
        for action, rest in groups.items():
            power = cancel(rest / change(action))
            if not isinstance(power, Integer):
                raise NotRational(f"{rest} is no multiple of {change(action)}")
            product *= growth[action] ** power
        return product

    return {exp: letter}


GROWTH = grown_by(lambda action: alpha * pi[action] * (r[action] - b))
"""Exponentials of one action's expected step, as symbols."""


def fixed_point(action: Any) -> Expr:
    """π*_a = 1/(r_a - b) (Σ_i 1/(r_i - b))⁻¹.

    The formula of lemma 2.1, case 3, as an expression: not the letter π*, which proofs use where
    only its equations matter.
    """
    return 1 / (r[action] - b) / total(1 / (r[i] - b), i)


AT_FIXED_POINT: Meaning = {pi_star: fixed_point}

KAPPA = kappa * total(1 / (r[j] - b), j) - 1
"""Is zero: κ = (Σ_c 1/(r_c - b))⁻¹."""
