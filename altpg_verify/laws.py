"""The laws: each a small named value, a statement with two sides and how they are related. No
assertion inside.

One engine (`checks`) compares, proves, searches, shrinks and words every result. A law says what it
needs of a case through its domain, so the same law is tried on exact cases, on float64 cases and on
the one symbolic case that stands for all of them. A *requirement* is something every estimator of
the policy gradient should do; a *property* describes an estimator and counts against it only when
the estimator promises it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal

import numpy as np

from altpg_verify.cases import Case
from altpg_verify.estimators import Estimator
from altpg_verify.exact import (
    evaluate,
    expected_update,
    outcomes,
    policy_gradient,
    update_jacobian,
    variance,
    without_shift,
)
from altpg_verify.law_domains import (
    ANYWHERE,
    AT_VALUE,
    CORNERS,
    OPTIMISTIC,
    PESSIMISTIC,
    SATURATED,
    SHIFTS,
    Domain,
)
from altpg_verify.number_types import Number

Sides = tuple[list[Number], list[Number]]
Layout = Literal["actions", "draws", "draws x actions", "draws x other actions", "pairs", "scalar"]


@dataclass(frozen=True)
class Law:
    """A statement about an estimator in a case.

    It asserts nothing: `sides` computes what stands on the left and on the right, and the engine
    compares them under `relation`, entry by entry, in exact numbers, in float64 or over rational
    functions. So a law has to be computed from `Case` and the functions of `exact`
    (`expected_update`, `variance`, `policy_gradient`, ...), whose numbers may be of any of these
    sorts.

    Args:
        name: how it is selected, marked and reported.
        formula: the statement, in Unicode mathematics.
        summary: the same in one sentence.
        sides: (estimator, case) -> the two sides, equally long lists of numbers.
        domain: the cases it is stated for.
        relation: how the sides are related, one of "=", ">=", ">", "<=", "<"; it must hold for
            every pair of entries.
        required: whether every estimator of the policy gradient should satisfy it.
        layout: what the entries of a side are, for wording and for recognising the gap.
        implied_by: the name of a law that makes this one true. For an inequality of `LAWS` the
            proof of that law is its own. Of a user's law nobody has proved that the one follows
            from the other, and it changes no verdict.
        trivial: argument names; if the estimator asks for none of them, the law holds by
            construction. Said of laws of `LAWS` only; it changes no verdict.
        moves: by how much it moves the rewards, whatever their size.

    Examples:
        >>> from altpg_verify import LAWS
        >>> LAWS[0].name, LAWS[0].formula
        ('unbiased', 'E[ĝ] = ∇J')

        A law of one's own joins the others with `laws=(*LAWS, mine)`.

        >>> from altpg_verify import ANYWHERE, Law, check_estimator, expected_update, regular
        >>> mine = Law(
        ...     "sums_to_zero",
        ...     "Σₐ E[ĝ]ₐ = 0",
        ...     "the expected update doesn't shift all preferences together",
        ...     lambda est, case: ([expected_update(est, case).sum()], [0]),
        ...     ANYWHERE,
        ...     layout="scalar",
        ... )
        >>> report = check_estimator(regular, only=["sums_to_zero"], laws=(*LAWS, mine))
        >>> str(report["sums_to_zero"].verdict)
        'PROVED'
    """

    name: str
    formula: str
    summary: str
    sides: Callable[[Estimator, Case], Sides] = field(repr=False)
    domain: Domain = field(repr=False)
    relation: str = "="
    required: bool = True
    layout: Layout = "actions"
    implied_by: str = ""
    trivial: frozenset[str] = frozenset()
    moves: int = 0


def _zeros(entries: Sequence[object]) -> list[Number]:
    return [0] * len(entries)


def _flat(vectors: list[np.ndarray]) -> list[Number]:
    return [entry for one in vectors for entry in one]


def _unbiased(est: Estimator, case: Case) -> Sides:
    return list(expected_update(est, case)), list(policy_gradient(case))


def _baseline_invariant(est: Estimator, case: Case) -> Sides:
    return list(expected_update(est, case)), list(expected_update(est, case.without_baseline()))


def _changing_the_policy(case: Case, entries: np.ndarray) -> np.ndarray:
    """An update modulo a common shift: softmax is shift-invariant."""
    return without_shift(entries) if case.parameterisation.shift_invariant else entries


def _right_direction(est: Estimator, case: Case) -> Sides:
    update, gradient = (
        _changing_the_policy(case, expected_update(est, case)),
        _changing_the_policy(case, policy_gradient(case)),
    )
    # parallel without a division: all 2×2 minors vanish, which they do for a zero vector as well
    pairs = [(a, c) for a in range(case.k) for c in range(a + 1, case.k)]
    return [update[a] * gradient[c] for a, c in pairs], [update[c] * gradient[a] for a, c in pairs]


def _ascends(est: Estimator, case: Case) -> Sides:
    return [(expected_update(est, case) * policy_gradient(case)).sum()], [0]


def _translation_invariant(est: Estimator, case: Case) -> Sides:
    return _flat(outcomes(est, case.translated(1))), _flat(outcomes(est, case))


def _relabel_equivariant(est: Estimator, case: Case) -> Sides:
    left: list[Number] = []
    right: list[Number] = []
    update = expected_update(est, case)
    # a swap and a rotation generate every relabelling
    for order in ([1, 0, *range(2, case.k)], [*range(1, case.k), 0]):
        left += list(expected_update(est, case.relabelled(order)))
        right += [update[a] for a in order]
    return left, right


SHIFTED_BY = (2, Fraction(3, 5), 7, Fraction(1, 101), Fraction(12345, 12))
"""Factors of e^θ, whose logarithms are the shifts that are tried; no two of these have a common
period.
"""


def _shift_invariant(est: Estimator, case: Case) -> Sides:
    here = _flat(outcomes(est, case))
    shifts = SHIFTED_BY if "theta" in est.needs else SHIFTED_BY[:1]
    floats = any(isinstance(entry, float) for entry in case.x)
    moved = [
        _flat(outcomes(est, case.rescaled(float(factor) if floats else factor)))
        for factor in shifts
    ]
    return [entry for one in moved for entry in one], here * len(shifts)


def _zero_sum(est: Estimator, case: Case) -> Sides:
    sums = [estimate.sum() for estimate in outcomes(est, case)]
    return sums, _zeros(sums)


def _touches_taken_action_only(est: Estimator, case: Case) -> Sides:
    others = [
        entry
        for _, action, reward in case.draws()
        for a, entry in enumerate(evaluate(est, case, action, reward))
        if a != action
    ]
    return others, _zeros(others)


def _vanishes_at_corner(est: Estimator, case: Case) -> Sides:
    update = list(expected_update(est, case))
    return update, _zeros(update)


def _quiet_at_corner(est: Estimator, case: Case) -> Sides:
    spread = list(variance(est, case))
    return spread, _zeros(spread)


def _keeps_noise_at_corner(est: Estimator, case: Case) -> Sides:
    # π ∘ σ² is σ_c² e_c at the corner of action c
    return list(variance(est, case)), [
        probability * spread for probability, spread in zip(case.pi, case.sigma2, strict=True)
    ]


def _conservative(est: Estimator, case: Case) -> Sides:
    # on all of ℝᵏ a field is a gradient exactly if its Jacobian is symmetric
    jacobian = update_jacobian(est, case)
    curl = jacobian - jacobian.T
    curl = without_shift(curl) if case.parameterisation.shift_invariant else curl
    pairs = [curl[a, c] for a in range(case.k) for c in range(a + 1, case.k)]
    return pairs, _zeros(pairs)


def _finite_when_saturated(est: Estimator, case: Case) -> Sides:
    # infinities are what is counted here, so they are no breach of the contract
    estimates = case.outcomes(
        lambda action, reward: evaluate(est, case, action, reward, finite=False)
    )
    return [sum(not math.isfinite(entry) for entry in _flat(estimates))], [0]


def _towards_fixed_point(est: Estimator, case: Case) -> Sides:
    # d/dα KL(π* || π_α) at α = 0 is (π - π*)·E[ĝ]: exact, where the divergence itself has
    # logarithms
    weights = [1 / (reward - case.b) for reward in case.q]
    target = [weight / sum(weights) for weight in weights]
    update = expected_update(est, case)
    drift = sum(
        (probability - star) * g
        for probability, star, g in zip(case.pi, target, update, strict=True)
    )
    # the drift vanishes at π* with the square of the distance; their ratio keeps its sign and its
    # size next to it
    away = sum((probability - star) ** 2 for probability, star in zip(case.pi, target, strict=True))
    # at π* itself nothing is claimed
    return [drift / away] if away else [], [0] if away else []


LAWS: tuple[Law, ...] = (
    Law(
        "unbiased",
        "E[ĝ] = ∇J",
        "the expected update is the policy gradient, whatever the baseline",
        _unbiased,
        ANYWHERE,
    ),
    Law(
        "unbiased_at_value",
        "b = v  ⇒  E[ĝ] = ∇J",
        "with the value of the policy as the baseline, the expected update is the policy gradient",
        _unbiased,
        AT_VALUE,
        implied_by="unbiased",
    ),
    Law(
        "baseline_invariant",
        "E[ĝ] is the same for every b",
        "the baseline does not change the expected update",
        _baseline_invariant,
        ANYWHERE,
        implied_by="unbiased",
        trivial=frozenset({"b"}),
    ),
    Law(
        "right_direction",
        "b = v  ⇒  E[ĝ] ∥ ∇J",
        "with b = v, the expected update is parallel to the policy gradient, up to a shift of all"
        " preferences",
        _right_direction,
        AT_VALUE,
        layout="pairs",
        implied_by="unbiased_at_value",
    ),
    Law(
        "ascends",
        "b = v  ⇒  E[ĝ]·∇J ≥ 0",
        "with b = v, the expected update doesn't point downhill",
        _ascends,
        AT_VALUE,
        relation=">=",
        layout="scalar",
        implied_by="unbiased_at_value",
    ),
    Law(
        "translation_invariant",
        "ĝ(R + c, b + c) = ĝ(R, b)",
        "only rewards relative to the baseline matter",
        _translation_invariant,
        ANYWHERE,
        layout="draws x actions",
        moves=1,
    ),
    Law(
        "relabel_equivariant",
        "E[ĝ ∘ σ] = σ E[ĝ]",
        "renaming the actions renames the expected update and does nothing else",
        _relabel_equivariant,
        ANYWHERE,
        layout="pairs",
    ),
    Law(
        "shift_invariant",
        "ĝ(θ + c·1) = ĝ(θ)",
        "preferences that give the same policy give the same estimate",
        _shift_invariant,
        SHIFTS,
        layout="draws x actions",
        trivial=frozenset({"theta"}),
    ),
    Law(
        "zero_sum",
        "Σₐ ĝₐ = 0",
        "an estimate does not shift all preferences together (softmax is shift-invariant)",
        _zero_sum,
        SHIFTS,
        layout="draws",
    ),
    Law(
        "vanishes_at_corner",
        "π = e_c  ⇒  E[ĝ] = 0",
        "at a corner of the simplex the expected update is zero, like the policy gradient",
        _vanishes_at_corner,
        CORNERS,
    ),
    Law(
        "conservative",
        "∂E[ĝ]ₐ/∂θ_c = ∂E[ĝ]_c/∂θₐ, modulo shifts",
        "the expected update is a gradient field, up to a shift of all preferences",
        _conservative,
        ANYWHERE,
        layout="pairs",
    ),
    Law(
        "finite_when_saturated",
        "|θ| ≤ 700  ⇒  ĝ finite",
        "no overflow or 0/0 in float64 when the policy is saturated",
        _finite_when_saturated,
        SATURATED,
        layout="scalar",
    ),
    Law(
        "touches_taken_action_only",
        "e_a = 0  ⇒  ĝₐ = 0",
        "only the sampled action's preference moves, so that a step can cost O(log k)",
        _touches_taken_action_only,
        ANYWHERE,
        required=False,
        layout="draws x other actions",
    ),
    Law(
        "quiet_at_corner",
        "π = e_c  ⇒  V[ĝ] = 0",
        "at a corner the estimate has no variance, even with noisy rewards",
        _quiet_at_corner,
        CORNERS,
        required=False,
    ),
    Law(
        "keeps_noise_at_corner",
        "π = e_c  ⇒  V[ĝ] = σ_c² e_c",
        "at a corner the reward noise of the taken action still moves its preference",
        _keeps_noise_at_corner,
        CORNERS,
        required=False,
    ),
    Law(
        "optimistic_attracts",
        "b > max r  ⇒  d KL(π*‖π)/dα < 0,  π* ∝ 1/(b - r)",
        "with a fixed baseline above every reward, the expected update moves the policy towards π*",
        _towards_fixed_point,
        OPTIMISTIC,
        relation="<",
        required=False,
        layout="scalar",
    ),
    Law(
        "pessimistic_repels",
        "b < min r  ⇒  d KL(π*‖π)/dα > 0,  π* ∝ 1/(r - b)",
        "with a fixed baseline below every reward, the expected update moves the policy away"
        " from π*",
        _towards_fixed_point,
        PESSIMISTIC,
        relation=">",
        required=False,
        layout="scalar",
    ),
)
"""Every law, in reading order; a user passes `laws=(*LAWS, my_law)` to add one."""


def is_own(law: Law) -> bool:
    """Whether it is one of `LAWS` itself, of which what it says of itself is proved: a copy may say
    that it is equal to one.
    """
    return any(law is own for own in LAWS)


def law_named(name: str, laws: tuple[Law, ...] = LAWS) -> Law:
    """The law of that name.

    Args:
        name: as in `Law.name`, for example "unbiased".
        laws: where it is looked for; of two that have the name, the first.

    Raises:
        BadInput: no such law; the message lists them.
    """
    from altpg_verify.errors import BadInput

    for law in laws:
        if law.name == name:
            return law
    raise BadInput(f"law {name!r} is not known; choose from {', '.join(law.name for law in laws)}")
