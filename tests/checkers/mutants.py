"""Wrong estimators, each with one fault, and the laws that must see it (and some that must not)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from altpg_verify.estimators import Estimator, alternate, estimator, regular


@dataclass(frozen=True)
class Mutant:
    """An estimator with a planted fault."""

    estimator: Estimator
    refuted_by: frozenset[str]
    innocent_of: frozenset[str] = frozenset()


@estimator
def wrong_sign(pi, e, r, b):
    """Descends."""
    return -(r - b) * (e - pi)


@estimator
def doubled(pi, e, r, b):
    """Twice the estimate."""
    return 2 * (r - b) * (e - pi)


@estimator
def mean_over_actions(pi, e, r, b):
    """A mean where a sum is meant: too short by the number of actions."""
    return (r - b) * (e - pi) / len(pi)


@estimator
def half_regular(pi, e, r, b):
    """Half-way between alternate and regular."""
    return (r - b) * (e - pi / 2)


@estimator
def detached_baseline(pi, e, r, b):
    """The baseline multiplies the policy instead of the sampled action."""
    return r * e - b * pi


@estimator
def baseline_sees_action(pi, e, r, q):
    """Subtracts the value of the taken action: nothing is left to learn from."""
    return (r - (q * e).sum()) * (e - pi)


@estimator
def weighted_twice(pi, e, r, b):
    """Multiplies by the policy although the sample is drawn from it already."""
    return (r - b) * pi * (e - pi)


@estimator
def first_action_favoured(pi, e, r, b):
    """An index slip: the step depends on the action's number."""
    return (r - b) * (e - pi) * (1 + np.arange(len(pi)))


@estimator
def naive_ratio(pi, e, r, b):
    """Right in exact arithmetic, 0/0 in float64 when the policy is saturated."""
    return (r - b) * (e / pi - 1) * pi


@estimator
def sees_preferences(theta, e, r, b):
    """Preferences where the policy is meant."""
    return (r - b) * (e - theta)


@estimator
def squared_advantage(pi, e, r, b):
    """Loses the sign of the advantage."""
    return (r - b) ** 2 * (e - pi)


@estimator
def clipped_reward(pi, e, r, b):
    """Clips the reward and forgets that it did."""
    return (np.clip(r, -1, 1) - b) * (e - pi)


@estimator
def uniform_centring(pi, e, r, b):
    """Centres with 1/k where π is meant."""
    return (r - b) * (len(pi) * e - 1) / len(pi)


@estimator
def flipped_alternate(e, r, b):
    """The alternate estimator with b - R."""
    return (b - r) * e


@estimator
def doubled_alternate(e, r, b):
    """The alternate estimator, twice as long."""
    return 2 * (r - b) * e


@estimator
def constant_drift(pi, e, r, b):
    """Adds a push that does not depend on anything."""
    return (r - b) * (e - pi) + e


@estimator
def leaky_alternate(pi, e, r, b):
    """Nearly the alternate estimator, but the other preferences move too."""
    return (r - b) * (e - pi / 100)


def _laws(*names: str) -> frozenset[str]:
    return frozenset(names)


MUTANTS = (
    Mutant(
        wrong_sign,
        _laws("unbiased", "unbiased_at_value", "ascends"),
        _laws("right_direction", "baseline_invariant", "zero_sum"),
    ),
    Mutant(
        doubled,
        _laws("unbiased", "unbiased_at_value"),
        _laws("right_direction", "ascends", "baseline_invariant", "conservative"),
    ),
    Mutant(
        mean_over_actions,
        _laws("unbiased", "unbiased_at_value"),
        _laws("right_direction", "ascends", "conservative"),
    ),
    Mutant(
        half_regular,
        _laws("unbiased", "baseline_invariant", "zero_sum", "vanishes_at_corner", "conservative"),
        _laws("unbiased_at_value", "right_direction"),
    ),
    Mutant(
        detached_baseline,
        _laws("unbiased", "translation_invariant", "zero_sum", "baseline_invariant"),
        _laws("unbiased_at_value"),
    ),
    Mutant(
        baseline_sees_action, _laws("unbiased", "unbiased_at_value"), _laws("ascends", "zero_sum")
    ),
    Mutant(
        weighted_twice,
        _laws("unbiased", "unbiased_at_value", "right_direction"),
        _laws("relabel_equivariant"),
    ),
    Mutant(
        first_action_favoured,
        _laws("unbiased", "relabel_equivariant", "right_direction"),
        _laws("translation_invariant"),
    ),
    Mutant(naive_ratio, _laws("finite_when_saturated"), _laws("unbiased", "zero_sum")),
    Mutant(
        sees_preferences,
        _laws("shift_invariant", "unbiased"),
        _laws("translation_invariant", "relabel_equivariant"),
    ),
    Mutant(
        squared_advantage,
        _laws("unbiased", "unbiased_at_value", "ascends"),
        _laws("translation_invariant", "zero_sum"),
    ),
    Mutant(
        clipped_reward,
        _laws("unbiased", "translation_invariant"),
        _laws("zero_sum", "baseline_invariant", "relabel_equivariant"),
    ),
    Mutant(
        uniform_centring,
        _laws("unbiased", "quiet_at_corner", "vanishes_at_corner"),
        _laws("zero_sum", "translation_invariant"),
    ),
    Mutant(
        flipped_alternate,
        _laws("ascends", "optimistic_attracts", "pessimistic_repels"),
        _laws("touches_taken_action_only"),
    ),
    Mutant(
        doubled_alternate,
        _laws("unbiased_at_value", "keeps_noise_at_corner", "quiet_at_corner"),
        _laws("touches_taken_action_only"),
    ),
    Mutant(
        constant_drift,
        _laws("unbiased", "unbiased_at_value", "zero_sum", "vanishes_at_corner"),
        _laws("baseline_invariant"),
    ),
    Mutant(
        leaky_alternate,
        _laws("touches_taken_action_only", "unbiased"),
        _laws("optimistic_attracts", "unbiased_at_value"),
    ),
    # the two estimators of the paper are each other's mutants for what tells them apart
    Mutant(alternate, _laws("quiet_at_corner", "conservative"), _laws("keeps_noise_at_corner")),
    Mutant(
        regular,
        _laws("keeps_noise_at_corner", "touches_taken_action_only", "optimistic_attracts"),
        _laws("quiet_at_corner"),
    ),
)
