"""A user's estimator as one formula in two distinguished actions and sums over all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sympy import Expr, Float, Integer, Poly, Symbol, nsimplify

from altpg_verify.errors import BadInput
from altpg_verify.estimators import Estimator
from altpg_verify.structure import acts_by_action
from altpg_verify.theory.proving.calculus import NotPolynomial, conditional, drawn, estimate
from altpg_verify.theory.proving.expression_trees import NotRational, Tree, tree
from altpg_verify.theory.proving.notation import R, a, b, c, e, pi, r, r_pi, sigma, total


class Formula:
    """One component of an estimator in the letters of the action a.

    Raises:
        BadInput: the formula mixes actions, uses θ, or is no polynomial in the reward or no
            rational function of the rest.

    Attributes:
        name: the estimator's name.
        tree: component a as a `Tree`, fit for a certificate.
        mean: E of component a over the drawn action and its reward, for every k.
    """

    def __init__(self, origin: str, estimator: Estimator):
        self.name = estimator.name
        if "theta" in estimator.needs:
            raise BadInput(
                f"{origin!r} uses theta itself, which is no rational function of e^theta; a"
                " certificate needs pi, e, r, b, q, v or h"
            )
        if not acts_by_action(estimator):
            raise BadInput(
                f"{origin!r} doesn't act on each action by itself (it mixes actions, compares or"
                " calls a numpy function), so it can't be certified for every k; try python -m"
                " altpg_verify check, which enumerates"
            )
        self._estimator = estimator
        try:
            self.tree: Tree = tree(self.of(a))
            self.mean = self._mean()
        except (NotPolynomial, NotRational) as error:
            raise BadInput(f"{origin!r} can't be certified: {error}") from error

    def of(self, action: Symbol) -> Expr:
        """Component `action`; decimal numbers are read as the fractions they print as.

        Args:
            action: a or c; the result is in the symbols of `notation`.
        """
        value = estimate(self._estimator, action)
        # 0.1 is read as 1/10, and not as the double next to it
        return nsimplify(value, rational=True) if value.has(Float) else value

    def _mean(self) -> Expr:
        """E of component a, with what doesn't depend on the drawn action taken out of the sum."""
        away, taken = self.of(a).subs(e[a], 0), self.of(a).subs(e[a], 1)
        # Σ_c π_c f(c) splits by powers of r_c and σ_c, as only those depend on the drawn action
        moments = Poly(conditional(away, drawn), r[drawn], sigma[drawn])
        result: Expr = pi[a] * (conditional(taken, a) - conditional(away, a))
        for (first, noise), coefficient in moments.terms():
            # Σ π = 1 and Σ π r = r_π have names already; other moments stay as sums
            plain = {(0, 0): Integer(1), (1, 0): r_pi}.get((first, noise))
            result += coefficient * (
                total(pi[c] * r[c] ** first * sigma[c] ** noise, c) if plain is None else plain
            )
        return result

    def at(
        self, weights: Sequence[Any], rewards: Sequence[Sequence[Any]], baseline: Any
    ) -> list[Expr]:
        """The expected update of a finite bandit, each reward one of equally likely outcomes.

        Args:
            weights: (k,) e^θ; rewards: for each action its outcomes.
            baseline: a number or symbol.

        Returns:
            (k,) E[ĝ_a], by enumeration of draws and outcomes.
        """
        policy = [one / sum(weights) for one in weights]
        means = [sum(one, start=Integer(0)) / len(one) for one in rewards]
        value = sum(p * mean for p, mean in zip(policy, means, strict=True))
        result = []
        for action in range(len(weights)):
            values = {pi[a]: policy[action], r[a]: means[action], r_pi: value, b: baseline}
            terms = [
                policy[other]
                * self.of(a).subs({**values, e[a]: int(other == action), R: outcome})
                / len(outcomes)
                for other, outcomes in enumerate(rewards)
                for outcome in outcomes
            ]
            result.append(sum(terms, start=Integer(0)))
        return result
