"""Where training ends: the policy fixed points of the expected update θ ← θ + α E[ĝ] and what they
do to a policy nearby.

A policy is fixed when E[ĝ] moves all preferences by the same amount κ (softmax is shift-invariant);
the update itself need not be zero there. Fixed points are found in float64 by following the flow in
both directions and Newton's method, then, where the numbers are rational, recognised and verified
exactly. The baseline is frozen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from altpg_verify.cases import Case, Exact, bandit
from altpg_verify.estimators import Estimator
from altpg_verify.exact import expected_update, update_jacobian
from altpg_verify.number_types import Number
from altpg_verify.parameterisations import softmax

FLOW_STEPS = 150
"""Steps along the flow from one start; together they move a preference by at most 75."""

LONGEST_STEP = 0.5
"""The most that a preference moves in one step along the flow."""

INTERIOR = 1e-7
"""Probability of an action below which a fixed point isn't taken for an interior one."""

NEWTON_STEPS = 60
"""Steps of Newton's method, each of at most 1 in any preference."""

LARGEST_DENOMINATOR = 10_000
"""Up to this denominator, float64 probabilities are recognised as rational numbers."""

CORNER = 1 - 1e-6
"""Probability of an action from which on the flow has arrived at its corner."""

KINDS = ("attractor", "marginal", "saddle", "repeller")
"""What a fixed point can be to policies nearby, in the order of printing."""


@dataclass(frozen=True)
class FixedPoint:
    """A policy that the expected update leaves where it is.

    Its kind is that of θ ← θ + α E[ĝ] in a neighbourhood, read from the eigenvalues λ of the
    update's Jacobian there, without the shift of all preferences: attractor, if every Re λ < 0;
    repeller, if every Re λ > 0; saddle, if there are both; marginal, if one can't be told from
    zero. An attractor is one for steps with |1 + α λ| < 1.

    Args:
        pi: (k,) the policy; `Fraction`s if `exact`, else floats.
        kappa: the amount by which every preference moves there in a step of α = 1; 0 at a zero of
            the update.
        value: J at this policy.
        kind: "attractor", "repeller", "saddle" or "marginal", for small stepsizes.
        stepsize_limit: an attractor stays one, locally, for α below this; infinite for a corner.
        exact: `pi` is of `Fraction`s. An interior point was verified in rational arithmetic; a
            corner is exact as a policy, and was found to attract along the flow, in float64.
    """

    pi: tuple[Any, ...]
    kappa: Number
    value: Any
    kind: str
    stepsize_limit: float
    exact: bool

    def __str__(self) -> str:
        policy = "(" + ", ".join(str(p) if self.exact else f"{p:.6g}" for p in self.pi) + ")"
        value = (
            f"{self.value} = {float(self.value):.6g}"
            if self.exact and Fraction(self.value).denominator > 1
            else f"{float(self.value):.6g}"
        )
        bounded = self.kind == "attractor" and np.isfinite(self.stepsize_limit)
        limit = f", for α < {self.stepsize_limit:.4g}" if bounded else ""
        return f"{self.kind} π* = {policy}, J = {value}{limit}"


def fixed_points(
    estimator: Estimator, rewards: Sequence[Exact], b: Exact
) -> tuple[FixedPoint, ...]:
    """The interior policy fixed points, and the corners that attract, for a softmax policy on this
    bandit.

    At a fixed point E[ĝ]_a = κ for every action, which for the alternate estimator is the paper's
    equation π_a (r_a - b) = κ (lemma fixed_pt_biased_pg): with b beyond every reward π* ∝ 1/(r -
    b). Found by search, so the list may miss one; interior points are verified, exactly where they
    are rational, and a corner is listed where the flow from one of the starts arrives at it.

    Args:
        estimator: an ascent direction, as everywhere.
        rewards: (k,) what each action pays, deterministic.
        b: a fixed baseline.

    Returns:
        In the order of `KINDS`; of one kind, the highest value first.

    Raises:
        BadInput: fewer than two rewards.

    Examples:
        >>> from altpg_verify import alternate, fixed_points
        >>> for point in fixed_points(alternate, (1, 2, 3), b=4):
        ...     print(point)
        attractor π* = (2/11, 3/11, 6/11), J = 26/11 = 2.36364, for α < 3.667

        A pessimistic baseline makes a repeller of it, with attractors at the corners around it:

        >>> for point in fixed_points(alternate, (1, 2, 3), b=0):
        ...     print(point)
        attractor π* = (0, 0, 1), J = 3
        attractor π* = (0, 1, 0), J = 2
        attractor π* = (1, 0, 0), J = 1
        repeller π* = (6/11, 3/11, 2/11), J = 18/11 = 1.63636
    """
    k = len(rewards)
    uniform = bandit(rewards, [Fraction(1, k)] * k, b)
    starts = [np.zeros(k), *(2.0 * np.eye(k)[c] for c in range(k))]
    # by the rounded policy: several starts lead to the same point
    found: dict[tuple[float, ...], FixedPoint] = {}
    for start in starts:
        # backwards too: what repels is where the reversed flow ends
        for direction in (1.0, -1.0):
            point = _settle(estimator, uniform, start, direction)
            if point is not None:
                found.setdefault(tuple(np.round(np.array([float(p) for p in point.pi]), 6)), point)
    return tuple(
        sorted(found.values(), key=lambda point: (KINDS.index(point.kind), -float(point.value)))
    )


def _at(case: Case, theta: np.ndarray) -> Case:
    # less the largest, so that none overflows; shifts change no policy
    weights = np.exp(theta - theta.max())
    floats = case.as_float()
    return Case(tuple(weights / weights.sum()), floats.rewards, floats.b, softmax)


def _without_shift(update: np.ndarray) -> np.ndarray:
    entries = np.array([float(entry) for entry in update])
    return entries - entries.mean()


def _settle(
    estimator: Estimator, case: Case, start: np.ndarray, direction: float
) -> FixedPoint | None:
    """Follow the flow (or its reverse) from a start, then polish; None if it leads nowhere that is
    a fixed point.
    """
    theta = start.astype(float)
    length, before = LONGEST_STEP, np.zeros_like(theta)
    for _ in range(FLOW_STEPS):
        here = _at(case, theta)
        corner = int(np.argmax(here.pi))
        if float(here.pi[corner]) > CORNER:
            return _corner(estimator, case, corner) if direction > 0 else None
        push = direction * _without_shift(expected_update(estimator, here))
        size = np.abs(push).max()
        if size < 1e-13:
            break
        # only the direction counts, so that flat regions are crossed quickly; turning round means a
        # fixed point was passed
        length = length / 2 if push @ before < 0 else min(1.2 * length, LONGEST_STEP)
        theta, before = theta + push * (length / size), push
    polished = _newton(estimator, case, theta)
    if polished is None or float(min(_at(case, polished).pi)) < INTERIOR:
        return None
    return _interior(estimator, case, polished)


def _newton(estimator: Estimator, case: Case, theta: np.ndarray) -> np.ndarray | None:
    k = len(theta)
    for _ in range(NEWTON_STEPS):
        here = _at(case, theta)
        push = _without_shift(expected_update(estimator, here))
        # some thousand units in the last place, for rewards of the order of 1
        if np.abs(push).max() < 1e-12:
            return theta
        try:
            # shifts change no policy, so the slopes have no inverse: the added 1/k gives them one
            step = np.linalg.solve(_slopes(estimator, here) + np.ones((k, k)) / k, -push)
        except np.linalg.LinAlgError:
            return None
        if not np.all(np.isfinite(step)):
            return None
        theta = theta + step * min(1.0, 1.0 / max(np.abs(step).max(), 1e-300))
        # e^-30: on the way to a corner, which is no interior point
        if np.ptp(theta) > 30:
            return None
    return None


def _slopes(estimator: Estimator, here: Case) -> np.ndarray:
    """∂(update modulo shifts)/∂θ, float64, with the shift taken out on both sides."""
    matrix = update_jacobian(estimator, here).astype(float)
    k = matrix.shape[0]
    project = np.eye(k) - np.ones((k, k)) / k
    return project @ matrix @ project


def _interior(estimator: Estimator, case: Case, theta: np.ndarray) -> FixedPoint:
    here = _at(case, theta)
    # the shift direction itself has eigenvalue 0 and is no part of the dynamics: drop one zero
    eigenvalues = sorted(np.linalg.eigvals(_slopes(estimator, here)), key=abs)[1:]
    real = np.array([value.real for value in eigenvalues])
    scale = max(1e-12, max(abs(value) for value in eigenvalues) * 1e-9)
    kind = "marginal"
    if np.all(real < -scale):
        kind = "attractor"
    elif np.all(real > scale):
        kind = "repeller"
    elif np.any(real > scale):
        kind = "saddle"
    limit = (
        # |1 + α λ| < 1 for every eigenvalue λ of the Jacobian
        min(-2 * value.real / abs(value) ** 2 for value in eigenvalues)
        if kind == "attractor"
        else 0.0
    )
    # a guess at the exact point: it counts only if the exact update there moves nothing
    policy = [Fraction(float(p)).limit_denominator(LARGEST_DENOMINATOR) for p in here.pi]
    if sum(policy) == 1 and all(p > 0 for p in policy):
        rational = Case(tuple(policy), case.rewards, case.b, softmax)
        update = expected_update(estimator, rational)
        if all(isinstance(entry, int | Fraction) and entry == update[0] for entry in update):
            return FixedPoint(tuple(policy), update[0], rational.v, kind, limit, True)
    update = expected_update(estimator, here)
    return FixedPoint(
        tuple(float(p) for p in here.pi),
        float(np.mean([float(u) for u in update])),
        float(here.v),
        kind,
        limit,
        False,
    )


def _corner(estimator: Estimator, case: Case, corner: int) -> FixedPoint:
    pi = tuple(Fraction(int(a == corner)) for a in range(case.k))
    at_corner = Case(pi, case.rewards, case.b, softmax)
    return FixedPoint(
        pi,
        expected_update(estimator, at_corner)[corner],
        at_corner.v,
        "attractor",
        float("inf"),
        True,
    )
