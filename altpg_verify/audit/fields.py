"""The field an update follows: its exact expectation, covariance, Jacobian and curl, by enumerating every draw.

In float64 always; in exact numbers where the update and the policy allow it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from altpg_verify.audit.draws import Draw, drawn
from altpg_verify.audit.policies import Parameters
from altpg_verify.audit.spaces import Space
from altpg_verify.audit.tables import NotExact, Tables
from altpg_verify.audit.updates import Update, chosen
from altpg_verify.cases import vector
from altpg_verify.differences import jacobian
from altpg_verify.errors import BadEstimator, BadInput
from altpg_verify.rational_functions import NotRational

FLAT = 1e-9
"""Singular values below this belong to directions in which the policy doesn't change."""


@dataclass(frozen=True)
class Layout:
    """How groups of parameters lie in one flat vector.

    Args:
        groups: their names, in the order of the vector.
        shapes: the shape of each.
    """

    groups: tuple[str, ...]
    shapes: tuple[tuple[int, ...], ...]

    @classmethod
    def of(cls, groups: Sequence[str], parameters: Parameters) -> Layout:
        """The layout of some groups, shaped as they are in `parameters`."""
        return cls(tuple(groups), tuple(np.shape(parameters[name]) for name in groups))

    def flat(self, values: Mapping[str, Any]) -> np.ndarray:
        """One vector of all groups, in order; a missing group is zero."""
        parts = [
            np.asarray(values[name]).reshape(-1) if name in values else np.zeros(int(np.prod(shape)))
            for name, shape in zip(self.groups, self.shapes, strict=True)
        ]
        return np.concatenate(parts) if len(parts) > 1 else parts[0]

    def split(self, flat: np.ndarray) -> dict[str, np.ndarray]:
        """The groups of a flat vector."""
        out, start = {}, 0
        for name, shape in zip(self.groups, self.shapes, strict=True):
            size = int(np.prod(shape))
            out[name] = np.asarray(flat[start : start + size]).reshape(shape)
            start += size
        return out


@dataclass(frozen=True, eq=False)
class Moments:
    """The exact mean (n,) and covariance (n, n) of the update at one point.

    Args:
        weights: (draws,) the probability of each draw.
        vectors: (draws, n) the update on it.
    """

    weights: np.ndarray
    vectors: np.ndarray

    @cached_property
    def mean(self) -> np.ndarray:
        """(n,) E[g], an ascent direction."""
        return self.weights @ self.vectors

    @cached_property
    def covariance(self) -> np.ndarray:
        """(n, n) Cov[g] of the update on one draw."""
        centred = self.vectors - self.mean
        return (self.weights[:, None] * centred).T @ centred

    @property
    def draws(self) -> int:
        """How many draws they are made of."""
        return len(self.weights)

    @property
    def trace(self) -> float:
        """Total variance of one draw's update."""
        return float(np.trace(self.covariance))


def moments(
    update: Update, parameters: Parameters | None = None, *, held: Parameters | None = None, groups: Sequence[str] | None = None
) -> Moments:
    """E[g] and Cov[g] over every draw, float64.

    Args:
        parameters: the point; that of the space by default.
        held: where frozen quantities stand; the point itself by default.
        groups: which groups of parameters; those the verdict is about by default.
    """
    _refuse_random(update)
    point = parameters if parameters is not None else update.space.parameters
    layout = Layout.of(groups if groups is not None else update.judged, point)
    weights, draws = _listed(update, point, held)
    return Moments(weights, np.stack([layout.flat(update.at(point, draw)) for draw in draws]))


def expected(
    update: Update, parameters: Parameters | None = None, *, held: Parameters | None = None, groups: Sequence[str] | None = None
) -> np.ndarray:
    """(n,) E[g], flattened over the groups; ascent direction."""
    return moments(update, parameters, held=held, groups=groups).mean


def _listed(update: Update, point: Parameters, held: Parameters | None) -> tuple[np.ndarray, list[Draw]]:
    tables = Tables.at(update.space, point)
    stand = Tables.at(update.space, held) if held is not None and update.frozen else None
    weights: list[float] = []
    draws: list[Draw] = []
    for probability, draw in drawn(tables, stand, update.frozen):
        for share, filled in chosen(draw, update.choices):
            weights.append(float(probability * share))
            draws.append(filled)
    return np.array(weights), draws


def _refuse_random(update: Update) -> None:
    if update.random:
        raise BadInput(
            f"update {update.name!r} draws its own randomness from rng, which can't be enumerated; declare it as "
            "choices={name: [(value, probability), ...]}, or sample: audit(update, samples=N), or check --samples N"
        )


def exact_expected(update: Update, weights: Sequence[Any]) -> np.ndarray:
    """(n,) E[g] in exact numbers, from the policy's weights e^θ (Fractions, or rational functions).

    Raises:
        NotExact: the update or the policy can't be run on such numbers.
    """
    if not update.exact or update.random:
        raise NotExact(f"update {update.name!r} runs on floats only")
    space = update.space
    layout = Layout.of(update.judged, space.parameters)
    total: Any = 0
    try:
        for probability, draw in drawn(Tables.exact(space, weights)):
            for share, filled in chosen(draw, update.choices):
                found = layout.flat(update.at({}, filled))
                if any(isinstance(entry, float | np.floating) for entry in found):
                    raise NotExact(f"update {update.name!r} makes floats of exact numbers")
                total = total + probability * share * found
    except (BadEstimator, NotRational, TypeError) as error:
        raise NotExact(f"update {update.name!r} can't be run on exact numbers: {error}") from error
    return vector([entry + 0 * probability for entry in total])


def field_jacobian(update: Update, *, parameters: Parameters | None = None, moving: bool = False) -> tuple[np.ndarray, float]:
    """(n, n) ∂E[g]_i / ∂θ_j over the judged groups, and its estimated error; `moving` lets frozen quantities move, too."""
    point = parameters if parameters is not None else update.space.parameters
    layout = Layout.of(update.judged, point)

    def field(flat: np.ndarray) -> np.ndarray:
        there = {**point, **layout.split(flat)}
        return expected(update, there, held=there if moving else point)

    return jacobian(field, layout.flat(point))


@dataclass(frozen=True)
class Curl:
    """The largest |∂F_i/∂θ_j - ∂F_j/∂θ_i|: as it is, and without the directions the policy can't feel; with the error of both.

    Args:
        raw: the largest |∂Fᵢ/∂θⱼ - ∂Fⱼ/∂θᵢ|.
        gauge: the same without the directions that the policy can't feel (see `feeling`); this one decides.
        error: bound of the error of the numerical derivatives.
        jacobian: (n, n) ∂Fᵢ/∂θⱼ.
    """

    raw: float
    gauge: float
    error: float
    jacobian: np.ndarray

    @property
    def shown(self) -> tuple[float, float]:
        """Raw and gauge curl; 0 where it is no more than the error of the derivative."""
        noise = max(1e-10, 10 * self.error)
        return (self.raw if self.raw > noise else 0.0), (self.gauge if self.gauge > noise else 0.0)

    @property
    def conservative(self) -> bool:
        """A gradient, up to what the policy can't feel and to the error of the derivative."""
        return self.gauge <= max(1e-8 * min(1.0, float(np.abs(self.jacobian).max(initial=0.0))), 100 * self.error)


def curl(update: Update, *, parameters: Parameters | None = None, moving: bool = False) -> Curl:
    """How far the field is from being a gradient at a point."""
    slopes, error = field_jacobian(update, parameters=parameters, moving=moving)
    turning = slopes - slopes.T
    felt = feeling(update.space, update.judged)
    projected = felt @ turning @ felt
    return Curl(float(np.abs(turning).max(initial=0.0)), float(np.abs(projected).max(initial=0.0)), error, slopes)


def feeling(space: Space, groups: Sequence[str]) -> np.ndarray:
    """(n, n) projection that removes the directions along which the policy never changes (a constant added to a state's logits).

    Directions in groups the policy doesn't read are kept: they mean something else (a critic).
    """
    layout = Layout.of(groups, space.parameters)
    size = sum(int(np.prod(shape)) for shape in layout.shapes)
    read = [name for name in layout.groups if name in space.policy.shapes]
    rows = []
    for point in points(space, 3):
        scores = space.policy.scores(point)
        for s in range(space.states):
            for a in range(space.actions):
                rows.append(layout.flat({name: scores[name][s, a] for name in read}))
    unread = np.concatenate(
        [np.full(int(np.prod(shape)), name not in read) for name, shape in zip(layout.groups, layout.shapes, strict=True)]
    )
    stacked = np.vstack([np.array(rows, dtype=float), np.diag(unread.astype(float))])
    _, singular, directions = np.linalg.svd(stacked, full_matrices=True)
    rank = int((singular > FLAT).sum())
    silent = directions[rank:]
    return np.eye(size) - silent.T @ silent


def points(space: Space, count: int, *, spread: float = 0.7) -> list[Parameters]:
    """The point of the audit and others about it, always the same ones; groups the policy doesn't read move, too."""
    generator = np.random.default_rng(1)
    out: list[Parameters] = [space.parameters]
    while len(out) < count:
        out.append({name: values + spread * generator.standard_normal(np.shape(values)) for name, values in space.parameters.items()})
    return out
