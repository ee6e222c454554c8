"""Policies that come close to a corner or a face: a distance epsilon and what a statement says of
it, not a vague limit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction

from altpg_verify.cases import Case
from altpg_verify.report.evidence.domains import CLOSED, CORNERS, NOISY_CORNERS, Domain

DISTANCES = (Fraction(1, 10), Fraction(1, 1000), Fraction(1, 10**6), Fraction(1, 10**12))


@dataclass(frozen=True)
class Near:
    """An interior policy with all but epsilon of its mass on the actions that a boundary policy
    takes.

    Args:
        case: the interior policy with its bandit and baseline.
        limit: (k,) the boundary policy that it comes from.
        epsilon: the mass on the other actions.
    """

    case: Case
    limit: tuple[Fraction, ...]
    epsilon: Fraction

    @property
    def inside(self) -> list[int]:
        """The actions of the boundary policy; only one near a corner."""
        return [a for a, p in enumerate(self.limit) if p]

    @property
    def corner(self) -> int:
        """The action of the corner."""
        (action,) = self.inside
        return action

    @property
    def spread(self) -> Fraction:
        """The largest mean reward less the smallest."""
        return max(self.case.q) - min(self.case.q)

    def described(self) -> dict[str, object]:
        """The instance as a reader wants it."""
        return {"case": str(self.case), "epsilon": self.epsilon}


def _approach(case: Case) -> Iterable[Near]:
    limit = tuple(case.pi)
    others = [a for a, p in enumerate(limit) if not p]
    # unequal shares, so that no formula agrees by symmetry
    shares = {
        a: Fraction(position + 1, len(others) * (len(others) + 1) // 2)
        for position, a in enumerate(others)
    }
    for epsilon in DISTANCES:
        policy = tuple((1 - epsilon) * p if p else epsilon * shares[a] for a, p in enumerate(limit))
        yield Near(Case(policy, case.rewards, case.b), limit, epsilon)


def _near(boundary: Domain, name: str, kept: Callable[[Case], bool] = lambda case: True) -> Domain:
    def draw(max_examples: int, seed: int) -> list[Near]:
        limits = [
            case for case in boundary.cases(max_examples, seed) if min(case.pi) == 0 and kept(case)
        ]
        # every distance is a case of its own
        return [near for case in limits[:: len(DISTANCES)] for near in _approach(case)]

    return Domain(f"{name}, all but 1/10, ..., 10^-12 of the mass", draw)


NEAR_CORNERS = _near(CORNERS, "interior policies near a corner")
NEAR_NOISY_BOUNDARY = _near(
    NOISY_CORNERS + CLOSED,
    "interior policies near a corner or face whose actions have noisy rewards",
    lambda case: all(variance for variance, p in zip(case.sigma2, case.pi, strict=True) if p),
)
