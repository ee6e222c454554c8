"""Numbers that can be had by three methods that share no code but the estimator's one definition,
and nothing that knows another method.

derived       theory's symbols: the expectation of the estimator's formula for every k, then the
numbers of the bandit put in enumerated    altpg_verify's list of every outcome, in fractions
simulated     sim's compiled agents: one step from the policy, many runs, divided by the stepsize;
or the last of many steps
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

REWARDS = (1, 2, 3)
WEIGHTS = (3, 1, 2)
"""The policy is π = (3, 1, 2)/6: nothing special about it."""

BASELINE, SIGMA = 4, 1
RUNS, STEPSIZE, SETTLING, LAST = 40_000, 0.5, 600, 100


@dataclass(frozen=True)
class Number:
    """One number, or one for each action, by three methods.

    Attributes:
        derived, enumerated: exact.
        simulated: (runs, entries), whose mean is the number.
        worth_finding: the smallest deviation that the simulation must be able to see.
    """

    name: str
    summary: str
    derived: Callable[[], list[Fraction]]
    enumerated: Callable[[], list[Fraction]]
    simulated: Callable[[], np.ndarray]
    worth_finding: float


def _in_numbers(expression: Callable[[Any], Any]) -> list[Fraction]:
    """A formula in symbols, for each action, at the bandit and the policy above."""
    from sympy import Integer, Rational, Sum

    from altpg_verify.theory.proving import notation

    pi, r, sigma = notation.pi, notation.r, notation.sigma
    out = []
    for a in range(len(REWARDS)):
        summed = expression(Integer(a)).replace(
            lambda one: isinstance(one, Sum),
            lambda one: sum(one.function.subs(one.variables[0], i) for i in range(len(REWARDS))),
        )
        values: dict[Any, Any] = {notation.b: BASELINE, notation.k: len(REWARDS)}
        for i, (reward, weight) in enumerate(zip(REWARDS, WEIGHTS, strict=True)):
            values |= {pi[i]: Rational(weight, sum(WEIGHTS)), r[i]: reward, sigma[i]: SIGMA}
        number = (
            summed.doit()
            .subs(notation.r_pi, sum(values[pi[i]] * REWARDS[i] for i in range(len(REWARDS))))
            .subs(values)
        )
        out.append(Fraction(int(number.p), int(number.q)))
    return out


def _derived_mean(letter: str) -> list[Fraction]:
    from altpg_verify.theory.proving import calculus

    return _in_numbers(lambda a: calculus.mean(getattr(calculus, letter)[a]))


def _derived_variance(letter: str) -> list[Fraction]:
    from altpg_verify.theory.proving import calculus

    return _in_numbers(
        lambda a: calculus.covariance(getattr(calculus, letter)[a], getattr(calculus, letter)[a])
    )


def _derived_gradient() -> list[Fraction]:
    """∂r_π/∂θ_a with softmax written out, differentiated by sympy, at θ = log weight."""
    from sympy import diff, exp, symbols

    theta = symbols("t0:3")
    value = sum(exp(t) * reward for t, reward in zip(theta, REWARDS, strict=True)) / sum(
        map(exp, theta)
    )
    at = {exp(t): weight for t, weight in zip(theta, WEIGHTS, strict=True)}
    found = [diff(value, t).subs(at) for t in theta]
    return [Fraction(int(number.p), int(number.q)) for number in found]


def _derived_drift() -> list[Fraction]:
    """(π - π*)·E[ĝ], the first derivative of KL(π*‖π) in the stepsize."""
    from altpg_verify.theory.attraction import three_arms

    star = three_arms.fixed_point(Fraction(BASELINE))
    policy = [Fraction(weight, sum(WEIGHTS)) for weight in WEIGHTS]
    return [
        sum(
            ((p - s) * g for p, s, g in zip(policy, star, _derived_mean("ghat_ALT"), strict=True)),
            Fraction(0),
        )
    ]


def _derived_value() -> list[Fraction]:
    from altpg_verify.theory.attraction import three_arms

    return [three_arms.value(Fraction(BASELINE))]


def _case() -> Any:
    from altpg_verify.cases import Case

    # a noise of two outcomes with the same variance: means and variances are all that these numbers
    # need
    noisy = tuple(
        ((Fraction(r - SIGMA), Fraction(1, 2)), (Fraction(r + SIGMA), Fraction(1, 2)))
        for r in REWARDS
    )
    return Case(
        tuple(Fraction(weight, sum(WEIGHTS)) for weight in WEIGHTS), noisy, Fraction(BASELINE)
    )


def _estimator(name: str) -> Any:
    from altpg_verify import estimators

    return getattr(estimators, name)


def _enumerated(quantity: str, estimator: str = "") -> list[Fraction]:
    from altpg_verify import exact

    function = getattr(exact, quantity)
    return list(function(_estimator(estimator), _case()) if estimator else function(_case()))


def _enumerated_points() -> Any:
    from altpg_verify import dynamics

    return dynamics.fixed_points(_estimator("alternate"), list(REWARDS), BASELINE)


def _enumerated_drift() -> list[Fraction]:
    (point,) = _enumerated_points()
    return [
        sum(
            (_case().pi - np.array(point.pi, dtype=object))
            * np.array(_enumerated("expected_update", "alternate"), dtype=object)
        )
    ]


def _enumerated_value() -> list[Fraction]:
    (point,) = _enumerated_points()
    return [Fraction(point.value)]


def _steps(estimator: str) -> np.ndarray:
    """(runs, k) the first step of independent agents over the stepsize."""
    from altpg_verify.sim import bandit

    start = tuple(np.log(WEIGHTS).tolist())
    agent = bandit.Bandit(
        tuple(map(float, REWARDS)),
        float(SIGMA),
        start,
        STEPSIZE,
        0.0,
        bandit.FIXED,
        float(BASELINE),
    )
    (found,) = bandit.simulate(
        _estimator(estimator), [agent], root=0, experiment="three roads", runs=RUNS, steps=1, last=1
    )
    return (found.theta - np.array(start)) / STEPSIZE


def _simulated_variance(estimator: str) -> np.ndarray:
    steps = _steps(estimator)
    return (steps - steps.mean(axis=0)) ** 2 * (RUNS / (RUNS - 1))


def _simulated_drift() -> np.ndarray:
    star = 1 / (BASELINE - np.array(REWARDS))
    policy = np.array(WEIGHTS) / sum(WEIGHTS)
    return _steps("alternate") @ (policy - star / star.sum())[:, None]


def _simulated_value() -> np.ndarray:
    """(runs, 1) the value over the last steps of agents that start at the uniform policy."""
    from altpg_verify.sim import bandit

    agent = bandit.Bandit(
        tuple(map(float, REWARDS)),
        float(SIGMA),
        (0.0, 0.0, 0.0),
        1 / 16,
        0.0,
        bandit.FIXED,
        float(BASELINE),
    )
    sizes: dict[str, Any] = {
        "root": 0,
        "experiment": "three roads",
        "runs": RUNS // 10,
        "steps": SETTLING,
        "last": LAST,
    }
    (found,) = bandit.simulate(_estimator("alternate"), [agent], **sizes)
    return found.mean[:, None]


NUMBERS = (
    Number(
        "expected-alternate",
        "E[ĝ_ALT] = π ∘ (r - b)",
        functools.partial(_derived_mean, "ghat_ALT"),
        functools.partial(_enumerated, "expected_update", "alternate"),
        functools.partial(_steps, "alternate"),
        0.1,
    ),
    Number(
        "regular-unbiased",
        "E[ĝ_REG] = ∇J",
        _derived_gradient,
        functools.partial(_enumerated, "expected_update", "regular"),
        functools.partial(_steps, "regular"),
        0.1,
    ),
    Number(
        "regular-mean",
        "E[ĝ_REG] as the gradient by differentiation of the value",
        functools.partial(_derived_mean, "ghat_REG"),
        functools.partial(_enumerated, "policy_gradient"),
        functools.partial(_steps, "regular"),
        0.1,
    ),
    *(
        Number(
            f"{estimator}-variance",
            f"V[ĝ_{subscript}]",
            functools.partial(_derived_variance, f"ghat_{subscript}"),
            functools.partial(_enumerated, "variance", estimator),
            functools.partial(_simulated_variance, estimator),
            0.3,
        )
        for estimator, subscript in (("alternate", "ALT"), ("regular", "REG"))
    ),
    Number(
        "divergence-drift",
        "d KL(π*‖π)/dα = (π - π*)·E[ĝ_ALT]",
        _derived_drift,
        _enumerated_drift,
        _simulated_drift,
        0.05,
    ),
    Number(
        "value-at-pi-star",
        "J(π*) = 26/11",
        _derived_value,
        _enumerated_value,
        _simulated_value,
        0.02,
    ),
)
