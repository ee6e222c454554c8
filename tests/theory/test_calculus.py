"""The calculus of estimators against plain enumeration: explicit bandits, two-point noise, the
estimators called on Fractions.
"""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
import sympy

from altpg_verify.estimators import alternate, estimator, regular
from altpg_verify.theory.proving.calculus import ON_POLICY as WRITTEN_OUT
from altpg_verify.theory.proving.calculus import (
    NotPolynomial,
    conditional,
    covariance,
    estimate,
    mean,
)
from altpg_verify.theory.proving.expression_trees import NotRational, tree
from altpg_verify.theory.proving.notation import (
    Cov,
    E,
    R,
    V,
    a,
    b,
    c,
    e,
    g_ALT,
    g_REG,
    ghat,
    ghat_ALT,
    ghat_REG,
    pi,
    r,
    r_A,
)
from tests.theory.rationals import World


class Bandit:
    """k actions with rewards r ± σ, each sign with probability one half."""

    def __init__(self, k: int, seed: int):
        source = random.Random(seed)
        self.k = k
        weights = [Fraction(source.randint(1, 9)) for _ in range(k)]
        self.pi = [weight / sum(weights) for weight in weights]
        self.r = [Fraction(source.randint(-9, 9), source.randint(1, 5)) for _ in range(k)]
        self.sigma = [Fraction(source.randint(0, 5)) for _ in range(k)]
        self.eta = [Fraction(source.randint(-3, 3), 2) for _ in range(k)]
        self.b = Fraction(source.randint(-9, 9), 4)
        self.v = sum(p * reward for p, reward in zip(self.pi, self.r, strict=True))

    def mean(self, function) -> Fraction:
        """E[function(A, R)], one draw after another."""
        return sum(
            probability * Fraction(1, 2) * function(taken, reward + sign * noise)
            for taken, (probability, reward, noise) in enumerate(
                zip(self.pi, self.r, self.sigma, strict=True)
            )
            for sign in (1, -1)
        )

    def entry(self, function, baseline, action=0):
        """Component `action` of an estimator as a function of the draw."""
        return lambda taken, reward: function(
            pi=self.pi[action],
            e=Fraction(int(taken == action)),
            r=reward,
            b=baseline,
            theta=None,
            q=self.r[action],
            v=self.v,
            h=self.r[action] - self.v,
        )

    def world(self) -> World:
        world = World(self.k, 0)
        for name in ("pi", "r", "sigma", "eta"):
            world.symbols.update(
                {f"{name}[{action}]": value for action, value in enumerate(getattr(self, name))}
            )
        world.symbols["b"] = self.b
        return world


VARIABLES = {
    "R": (R, lambda bandit: lambda taken, reward: reward),
    "R squared": (R**2, lambda bandit: lambda taken, reward: reward**2),
    "r(A)": (r_A, lambda bandit: lambda taken, reward: bandit.r[taken]),
    "e": (e[a], lambda bandit: lambda taken, reward: Fraction(int(taken == 0))),
    "e R": (e[a] * R, lambda bandit: lambda taken, reward: reward * (taken == 0)),
    "e R²": (e[a] * R**2, lambda bandit: lambda taken, reward: reward**2 * (taken == 0)),
    "e of another action": (e[c] * R, lambda bandit: lambda taken, reward: reward * (taken == 1)),
    "regular": (ghat_REG[a], lambda bandit: bandit.entry(regular, bandit.b)),
    "alternate": (ghat_ALT[a], lambda bandit: bandit.entry(alternate, bandit.b)),
    "regular, true value": (g_REG[a], lambda bandit: bandit.entry(regular, bandit.v)),
    "alternate, true value": (g_ALT[a], lambda bandit: bandit.entry(alternate, bandit.v)),
    "any eta": (
        ghat[a],
        lambda bandit: lambda taken, reward: ((taken == 0) - bandit.eta[0]) * (reward - bandit.b),
    ),
    "any eta, another entry": (
        ghat[c],
        lambda bandit: lambda taken, reward: ((taken == 1) - bandit.eta[1]) * (reward - bandit.b),
    ),
}
SECOND = [name for name in VARIABLES if name not in ("R squared", "e R²")]
"""Those whose square is still of degree two in the reward."""


@pytest.mark.parametrize("k", range(2, 7))
@pytest.mark.parametrize("name", VARIABLES)
def test_mean(name, k):
    bandit = Bandit(k, seed=k)
    variable, enumerated = VARIABLES[name]
    assert bandit.world().value(tree(E(variable), WRITTEN_OUT)) == bandit.mean(enumerated(bandit))


@pytest.mark.parametrize("k", range(2, 7))
@pytest.mark.parametrize("name", SECOND)
def test_variance(name, k):
    bandit = Bandit(k, seed=10 * k)
    variable, enumerated = VARIABLES[name]
    draw = enumerated(bandit)
    expected = bandit.mean(lambda taken, reward: draw(taken, reward) ** 2) - bandit.mean(draw) ** 2
    assert bandit.world().value(tree(V(variable), WRITTEN_OUT)) == expected


@pytest.mark.parametrize("name", ["R", "e", "e R", "alternate", "any eta"])
def test_covariance_with_the_reward(name):
    bandit = Bandit(4, seed=3)
    variable, enumerated = VARIABLES[name]
    draw = enumerated(bandit)
    expected = bandit.mean(lambda taken, reward: draw(taken, reward) * reward) - bandit.mean(
        draw
    ) * bandit.mean(lambda taken, reward: reward)
    assert bandit.world().value(tree(Cov(variable, R), WRITTEN_OUT)) == expected


def test_any_estimator_of_the_documented_arguments():
    """The calculus asks nothing of an estimator but its formula."""

    @estimator
    def half_regular(pi, e, r, b):
        return (r - b) * (e - pi / 2)

    bandit = Bandit(3, seed=5)
    expected = bandit.mean(bandit.entry(half_regular, bandit.b))
    assert bandit.world().value(tree(mean(estimate(half_regular, a)), WRITTEN_OUT)) == expected


def test_the_sums_index_captures_no_letter():
    """V[ĝ_c] has η_c outside of its sums; an index c in them would change it."""
    text = str(tree(V(ghat[c]), WRITTEN_OUT))
    assert "'eta[c]'" in text
    assert "'sum', 'c'" not in text


@pytest.mark.parametrize("expression", [sympy.exp(R), R**3, abs(R), 1 / R])
def test_what_moments_do_not_determine_is_refused(expression):
    with pytest.raises(NotPolynomial, match="degree at most 2"):
        conditional(expression, c)


def test_two_actions_at_once_are_refused():
    with pytest.raises(NotPolynomial, match="more than one action"):
        covariance(e[a], e[c])


@pytest.mark.parametrize(
    "expression", [sympy.log(pi[a]), sympy.sqrt(b), sympy.exp(b), sympy.sin(r[a])]
)
def test_what_is_not_rational_needs_a_letter(expression):
    with pytest.raises(NotRational, match="no letter"):
        tree(expression)
