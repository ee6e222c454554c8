"""Hypothesis strategies for policies, bandits, baselines and whole cases, in exact rationals.

All are built by construction, without filters, and shrink to the simplest case: two actions, the
uniform policy, rewards and baseline of zero.
"""

from __future__ import annotations

import functools
import math
from fractions import Fraction

from hypothesis import strategies as st

from altpg_verify.cases import Case, Outcome
from altpg_verify.errors import BadInput
from altpg_verify.parameterisations import Parameterisation, softmax


def numbers(*, max_abs: int = 6) -> st.SearchStrategy[Fraction]:
    """Small rationals; shrinks to 0.

    Numerators from -max_abs to max_abs over 1, 2 or 3, so that whole numbers come up most.
    """
    return _numbers(max_abs)


# Hypothesis examines a strategy when it is first drawn from, which takes longer than a draw
@functools.cache
def _numbers(max_abs: int) -> st.SearchStrategy[Fraction]:
    return st.builds(Fraction, st.integers(-max_abs, max_abs), st.sampled_from([1, 1, 2, 3]))


def policies(
    *, min_actions: int = 2, max_actions: int = 5
) -> st.SearchStrategy[tuple[Fraction, ...]]:
    """Full-support rational policies; shrinks to the uniform policy on `min_actions` actions.

    Each is n / Σn for whole weights n from 1 to 12, so that no probability is below 1/(1 + 12 (k -
    1)).

    Raises:
        BadInput: fewer than one action, or `max_actions` below `min_actions`.
    """
    _check_actions(min_actions, max_actions)

    def normalise(weights: list[int]) -> tuple[Fraction, ...]:
        total = sum(weights)
        return tuple(Fraction(weight, total) for weight in weights)

    return st.lists(st.integers(1, 12), min_size=min_actions, max_size=max_actions).map(normalise)


def coordinates(
    parameterisation: Parameterisation, *, min_actions: int = 2, max_actions: int = 5
) -> st.SearchStrategy[tuple[Fraction, ...]]:
    """Coordinates x of an interior policy; for softmax the policy itself, for escort non-zero
    preferences of either sign.

    Raises:
        BadInput: fewer than one action, or `max_actions` below `min_actions`.
    """
    if parameterisation.normalised:
        return policies(min_actions=min_actions, max_actions=max_actions)
    _check_actions(min_actions, max_actions)
    low = -4 if parameterisation.signed else 1
    # 0, where escort has no derivative, is left out without a filter: -4 to 0 become -5 to -1
    entries = st.integers(low, 4).map(lambda n: Fraction(n if n > 0 else n - 1))
    return st.lists(
        entries if parameterisation.signed else st.integers(1, 4).map(Fraction),
        min_size=min_actions,
        max_size=max_actions,
    ).map(tuple)


def corners(
    *, min_actions: int = 2, max_actions: int = 4
) -> st.SearchStrategy[tuple[Fraction, ...]]:
    """Policies that put all their mass on one action; shrinks to (1, 0).

    Softmax only approaches these; the paper's propositions on saturated policies
    (expectation_saturated_pg, variance_saturated_pg) are about them.

    Raises:
        BadInput: fewer than one action, or `max_actions` below `min_actions`.
    """
    _check_actions(min_actions, max_actions)
    return st.integers(min_actions, max_actions).flatmap(
        lambda k: st.integers(0, k - 1).map(
            lambda c: tuple(Fraction(int(a == c)) for a in range(k))
        )
    )


def fixed_reward() -> st.SearchStrategy[tuple[Outcome, ...]]:
    """The outcomes of an action that pays one reward for sure: ((reward, 1),); shrinks to 0."""
    return numbers().map(lambda reward: ((reward, Fraction(1)),))


def noisy_reward() -> st.SearchStrategy[tuple[Outcome, ...]]:
    """The outcomes of an action that pays either of two rewards that differ, with chances 1/4, 1/2
    or 3/4; shrinks to 0 or 1, evenly. Two outcomes suffice to tell E[R²] from E[R]².
    """

    def build(low: Fraction, width: int, chance: int) -> tuple[Outcome, ...]:
        return ((low, Fraction(chance, 4)), (low + width, Fraction(4 - chance, 4)))

    return st.builds(build, numbers(max_abs=4), st.integers(1, 4), st.sampled_from([2, 1, 3]))


def cases(
    parameterisation: Parameterisation = softmax,
    *,
    min_actions: int = 2,
    max_actions: int = 5,
    at_corner: bool = False,
    noisy: bool | None = None,
) -> st.SearchStrategy[Case]:
    """Whole cases: interior policy (or a corner), rewards with finite support, any baseline.

    Args:
        parameterisation: how coordinates become the policy.
        min_actions, max_actions: the range of k.
        at_corner: all mass on one action.
        noisy: True for noise on every reward, False for none, None for either.

    Raises:
        BadInput: fewer than one action, or `max_actions` below `min_actions`.

    Examples:
        >>> from hypothesis import given
        >>> from altpg_verify import expected_update, policy_gradient, regular
        >>> from altpg_verify.strategies import cases
        >>> @given(cases(max_actions=3))
        ... def test_unbiased(case):
        ...     assert all(expected_update(regular, case) == policy_gradient(case))
        >>> test_unbiased()
    """
    # sure rewards first: what is drawn shrinks towards the first of the two
    reward = (
        fixed_reward()
        if noisy is False
        else noisy_reward()
        if noisy
        else st.one_of(fixed_reward(), noisy_reward())
    )
    points = (
        corners(min_actions=min_actions, max_actions=max_actions)
        if at_corner
        else coordinates(parameterisation, min_actions=min_actions, max_actions=max_actions)
    )

    baseline = numbers()

    @st.composite
    def build(draw: st.DrawFn) -> Case:
        x = draw(points)
        rewards = tuple(draw(reward) for _ in x)
        return Case(x, rewards, draw(baseline), parameterisation)

    return build()


def biased_cases(
    parameterisation: Parameterisation = softmax, *, optimistic: bool, max_actions: int = 5
) -> st.SearchStrategy[Case]:
    """Cases with fixed rewards and a baseline above (optimistic) or below (pessimistic) all of
    them.

    These are the premises of the paper's theorem fixed_pt_biased_pg_attract_repulse. They are met
    by construction: the baseline is drawn first, then each reward at a distance of 1/3 to 6 from
    it.

    Raises:
        BadInput: `max_actions` below 2.
    """

    points, baseline = coordinates(parameterisation, max_actions=max_actions), numbers()
    distance = st.builds(Fraction, st.integers(1, 6), st.sampled_from([1, 1, 2, 3]))

    @st.composite
    def build(draw: st.DrawFn) -> Case:
        x, b = draw(points), draw(baseline)
        # rewards from the baseline, not the baseline from the rewards: nothing has to be rejected
        gaps = [draw(distance) for _ in x]
        rewards = tuple(((b - gap if optimistic else b + gap, Fraction(1)),) for gap in gaps)
        return Case(x, rewards, b, parameterisation)

    return build()


def saturated_floats(*, max_logit: float = 700.0, max_actions: int = 4) -> st.SearchStrategy[Case]:
    """float64 softmax cases with preferences as far apart as ±max_logit; shrinks towards
    (max_logit, -max_logit).

    At 700 e^θ is still finite (it overflows beyond 709) and a probability may underflow to zero:
    what a formula has to bear that divides by π or takes its logarithm.
    """

    @st.composite
    def build(draw: st.DrawFn) -> Case:
        k = draw(st.integers(2, max_actions))
        theta = [
            draw(st.sampled_from([max_logit, -max_logit, max_logit / 2, 0.0, -max_logit / 2]))
            for _ in range(k)
        ]
        # both ends in every case: the policy is saturated, whatever was drawn
        theta[0] = max_logit
        theta[-1] = -max_logit
        rewards = tuple(((float(draw(st.integers(-3, 3))), 1.0),) for _ in range(k))
        return Case(
            tuple(math.exp(value) for value in theta),
            rewards,
            float(draw(st.integers(-3, 3))),
            softmax,
        )

    return build()


def _check_actions(min_actions: int, max_actions: int) -> None:
    if min_actions < 1 or max_actions < min_actions:
        raise BadInput(
            f"min_actions={min_actions} and max_actions={max_actions}: need 1 <= min_actions <="
            " max_actions"
        )
