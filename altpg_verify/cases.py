"""A case: a policy, the rewards of a bandit with finitely many outcomes, and a baseline; any
numbers will do.

A bandit is the setting of the paper's section 3: in each step an action A ~ π is sampled, a reward
R ~ p(·|A) comes back, and J = E[R] = π·q is to be large. Rewards have finite support, so
expectations are exact sums even for estimators that aren't linear in the reward. Over `Fraction`s a
case is exact; over floats it is float64; the rational-function case of `symbolic` behaves the same
way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from typing import Any, TypeAlias, TypeVar

import numpy as np

from altpg_verify.errors import BadInput
from altpg_verify.exact_numbers import exactly
from altpg_verify.forward_mode import Dual, value_of
from altpg_verify.number_types import Number
from altpg_verify.parameterisations import Parameterisation, softmax
from altpg_verify.relations import show
from altpg_verify.untrusted.arguments import locked

T = TypeVar("T")

Exact: TypeAlias = str | float | Decimal | Fraction
"""What `Fraction` reads exactly."""

Outcome = tuple[Any, Any]
"""A reward and its probability."""


@dataclass(frozen=True)
class Case:
    """One policy, one bandit, one baseline.

    Frozen, and a cache of itself: what is computed of a case is computed once (`known`), so
    whatever changes a case makes a new one. `Fraction`s and ints are turned into numbers that stay
    exact beside floats.

    Args:
        x: (k,) coordinates of the policy; for softmax any positive multiple of π, zeros allowed on
            the boundary.
        rewards: for each action its outcomes, (reward, probability) pairs that sum to one.
        b: the baseline; a number, frozen (never differentiated).
        parameterisation: how preferences become the policy.

    Examples:
        >>> from altpg_verify import bandit
        >>> case = bandit([1, 0, 2], ["1/2", "1/4", "1/4"], b=1)
        >>> case.k, str(case.v)
        (3, '1')

        Noise is an outcome more: the second action pays 0 or 2, evenly.

        >>> from fractions import Fraction
        >>> from altpg_verify import Case
        >>> half = Fraction(1, 2)
        >>> noisy = Case((half, half), (((1, 1),), ((0, half), (2, half))), b=1)
        >>> [str(entry) for entry in noisy.q], [str(entry) for entry in noisy.sigma2]
        (['1', '1'], ['0', '1'])
    """

    x: tuple[Any, ...]
    rewards: tuple[tuple[Outcome, ...], ...]
    b: Any
    parameterisation: Parameterisation = softmax

    def __post_init__(self) -> None:
        """Make Fractions exact beside floats."""
        rewards = tuple(
            tuple((exactly(reward), exactly(weight)) for reward, weight in outcomes)
            for outcomes in self.rewards
        )
        for name, value in (
            ("x", tuple(map(exactly, self.x))),
            ("rewards", rewards),
            ("b", exactly(self.b)),
        ):
            object.__setattr__(self, name, value)

    @property
    def k(self) -> int:
        """The number of actions."""
        return len(self.x)

    @cached_property
    def known(self) -> dict[object, Any]:
        """What was computed of this case already, by whoever computed it.

        Keys say what it is (and of which estimator); nothing is ever taken out, since the case
        itself doesn't change.
        """
        return {}

    def _once(self, key: object, make: Callable[[], Case]) -> Case:
        if key not in self.known:
            self.known[key] = make()
        return self.known[key]

    @cached_property
    def pi(self) -> np.ndarray:
        """(k,) the policy π, in the numbers of `x`; for softmax it is x / Σx."""
        return vector(self.parameterisation.policy(self.x))

    @cached_property
    def q(self) -> np.ndarray:
        """(k,) the expected reward of each action, q_a = E[R | a]; r(a) in the paper."""
        return vector(
            [sum(weight * reward for reward, weight in outcomes) for outcomes in self.rewards]
        )

    @cached_property
    def sigma2(self) -> np.ndarray:
        """(k,) the reward variance of each action, σ_a² = E[R² | a] - q_a²."""
        squares = [
            sum(weight * reward * reward for reward, weight in outcomes)
            for outcomes in self.rewards
        ]
        return vector([square - mean * mean for square, mean in zip(squares, self.q, strict=True)])

    @cached_property
    def v(self) -> Any:
        """The value of the policy, J = r_π = π·q: the expected reward of one step."""
        return (self.pi * self.q).sum()

    @cached_property
    def theta(self) -> np.ndarray:
        """(k,) the action preferences; exact for escort, float64 (a logarithm) for softmax, -∞ for
        a probability of 0. For softmax they are those whose exponentials are `x`, one of many that
        give the same policy.
        """
        return vector(self.parameterisation.preferences(self.x))

    def one_hot(self, action: int) -> np.ndarray:
        """(k,) the basis vector e_a of the action, in numbers that keep an exact case exact."""
        # of the policy's own sort: a float would end the exactness of what it is multiplied with
        one, zero = (1.0, 0.0) if self.pi.dtype == float else (1, 0)
        return vector([one if a == action else zero for a in range(self.k)])

    def arguments(self, action: int, reward: Number) -> dict[str, Any]:
        """Everything an estimator may ask for, at one draw; θ is only computed when asked for.

        Args:
            action: the index of the sampled action, from 0.
            reward: what it paid.

        Returns:
            A mapping with the names of `ARGUMENTS`; its arrays can't be written to.
        """
        return _Arguments(self, action, reward)

    def draws(self) -> Iterator[tuple[Any, int, Any]]:
        """(probability, action, reward) of every outcome that can happen.

        The probabilities P(A) P(R | A) sum to one; outcomes of probability zero are left out, so
        that a formula isn't asked for what never happens, such as an action that a corner policy
        doesn't take.
        """
        for action in range(self.k):
            if value_of(self.pi[action]) == 0:
                continue
            for reward, weight in self.rewards[action]:
                if weight != 0:
                    yield self.pi[action] * weight, action, reward

    def expectation(self, function: Callable[[int, Number], Any]) -> Any:
        """Σ P(A) P(R | A) f(A, R), term by term.

        Args:
            function: (action, reward) -> a number or an array, of the same shape for each outcome.
        """
        return sum(weight * function(action, reward) for weight, action, reward in self.draws())

    def outcomes(self, function: Callable[[int, Number], T]) -> list[T]:
        """f(A, R) for every outcome that can happen, in the order of `draws`: by action, then by
        reward.
        """
        return [function(action, reward) for _, action, reward in self.draws()]

    def lifted(self) -> Case:
        """The same case with derivatives in θ carried along; the baseline stays frozen.

        Each coordinate becomes a `Dual`, x_a with its gradient dx_a/dθ, so that whatever is
        computed of the lifted case has its exact gradient in θ. Rewards and baseline are constants
        there, as in a loss whose baseline is detached.
        """
        return self._once("lifted", self._lifted)

    def _lifted(self) -> Case:
        slopes = self.parameterisation.slope(self.x)
        # 0 * slope is a zero of the slope's own sort: Fraction, float, ball or rational function
        dual = tuple(
            Dual(entry, [slope if a == c else 0 * slope for c in range(self.k)])
            for a, (entry, slope) in enumerate(zip(self.x, slopes, strict=True))
        )
        return replace(self, x=dual)

    def with_baseline(self, b: Number) -> Case:
        """The same policy and bandit with another baseline; nothing that was computed of this one
        is shared.
        """
        return replace(self, b=b)

    def without_baseline(self) -> Case:
        """The same case with b = 0, made once, so that what laws compute of it is shared."""
        return self._once("without_baseline", lambda: self.with_baseline(0 * self.b))

    def at_value(self) -> Case:
        """The same case with b = v, the baseline for which the alternate estimator is unbiased; v
        is a number here, so no derivative runs through it.
        """
        return self._once("at_value", lambda: replace(self, b=self.v))

    def translated(self, shift: Number) -> Case:
        """Every reward and the baseline moved by the same amount, which leaves R - b as it is."""
        return self._once(("translated", shift), lambda: self._translated(shift))

    def _translated(self, shift: Number) -> Case:
        moved = tuple(
            tuple((reward + shift, weight) for reward, weight in outcomes)
            for outcomes in self.rewards
        )
        return replace(self, rewards=moved, b=self.b + shift)

    def relabelled(self, order: Sequence[int]) -> Case:
        """The same case with action `order[i]` called i.

        Args:
            order: a permutation of the actions 0, ..., k-1.
        """
        return replace(
            self, x=tuple(self.x[a] for a in order), rewards=tuple(self.rewards[a] for a in order)
        )

    def rescaled(self, factor: Number) -> Case:
        """x multiplied by the factor: for softmax a shift of every preference by its logarithm,
        which changes no policy.
        """
        return replace(self, x=tuple(factor * entry for entry in self.x))

    def as_float(self) -> Case:
        """The same case in float64, made once; probabilities are rounded, and so sum to one only
        nearly.

        Raises:
            BadInput: a number is too large for float64.
        """
        return self._once("as_float", self._as_float)

    def _as_float(self) -> Case:
        try:
            return self._converted()
        except OverflowError:
            raise BadInput(
                "case: it has a number beyond float64, in which this formula is run; keep numbers"
                " below 1e308"
            ) from None

    def _converted(self) -> Case:
        rewards = tuple(
            tuple((float(reward), float(weight)) for reward, weight in outcomes)
            for outcomes in self.rewards
        )
        return replace(
            self, x=tuple(float(entry) for entry in self.x), rewards=rewards, b=float(self.b)
        )

    def describe(self) -> str:
        """The case as a reader writes it: π = (1/2, 1/2)   r = (0, 1)   b = 0. Rewards with noise
        are written reward@probability, separated by |.
        """
        policy = (
            f"π = {_tuple(self.pi)}"
            if self.parameterisation.normalised
            else f"θ = {_tuple(self.x)}   π = {_tuple(self.pi)}"
        )
        return (
            f"{policy}   r = ({', '.join(_outcomes_text(outcomes) for outcomes in self.rewards)})  "
            f" b = {self.b}"
        )

    def __str__(self) -> str:
        policy = (
            f"pi={_join(self.pi)}" if self.parameterisation.normalised else f"theta={_join(self.x)}"
        )
        return (
            f"{policy}; r={','.join(_outcomes_text(outcomes) for outcomes in self.rewards)};"
            f" b={self.b}"
        )


class _Arguments(dict[str, Any]):
    """The arguments of a draw, each computed when it is first looked up."""

    def __init__(self, case: Case, action: int, reward: Number) -> None:
        super().__init__(r=_handed(reward), b=_handed(case.b))
        self.case, self.action = case, action

    def __missing__(self, name: str) -> Any:
        case = self.case
        if name == "e":
            return locked(case.one_hot(self.action))
        key = ("argument", name)
        # all but the action are the same for each draw of a case
        if key not in case.known:
            case.known[key] = _handed(case.q - case.v if name == "h" else getattr(case, name))
        return case.known[key]


def _handed(value: Any) -> Any:
    """What a formula is given: exact numbers that stay exact beside floats, in arrays that can't be
    written to.
    """
    if isinstance(value, np.ndarray):
        return locked(vector([_handed(entry) for entry in value]))
    if isinstance(value, Dual):
        return Dual(exactly(value.value), [exactly(entry) for entry in value.gradient])
    return exactly(value)


def vector(entries: Sequence[object]) -> np.ndarray:
    """A (k,) array of any numbers: float64 if all are floats, else objects.

    numpy would turn a list of `Fraction`s into objects too, but a mixture of floats and ints into
    float64, and would look for a length in each entry.
    """
    if all(isinstance(entry, float) for entry in entries):
        return np.array(entries, dtype=float)
    # filled, not converted: np.array would take entries with a length for rows
    out = np.empty(len(entries), dtype=object)
    out[:] = entries
    return out


def bandit(
    rewards: Sequence[Exact],
    pi: Sequence[Exact],
    b: Exact,
    parameterisation: Parameterisation = softmax,
) -> Case:
    """An exact case with deterministic rewards, from anything `Fraction` reads ("1/3", 2, 0.5).

    A float is taken for the dyadic number that it is: 0.1 isn't 1/10, so write "1/10" or "0.1" in
    quotes. For rewards with noise make a `Case`, or read one from text with
    `case_parsing.parse_case`.

    Args:
        rewards: (k,) what each action pays.
        pi: (k,) the policy's coordinates: for softmax its probabilities, which sum to one; for
            escort its preferences.
        b: the baseline.
        parameterisation: how coordinates become a policy; softmax by default.

    Raises:
        BadInput: fewer than two actions, or a policy that isn't one; see `check_case`.

    Examples:
        >>> from altpg_verify import bandit
        >>> print(bandit([1, 0], ["1/2", "1/2"], b=0))
        pi=1/2,1/2; r=1,0; b=0
        >>> from altpg_verify import escort
        >>> [str(p) for p in bandit([1, 0], [2, 1], b=0, parameterisation=escort(2)).pi]
        ['4/5', '1/5']
    """
    return check_case(
        Case(
            tuple(Fraction(entry) for entry in pi),
            tuple(((Fraction(reward), Fraction(1)),) for reward in rewards),
            Fraction(b),
            parameterisation,
        )
    )


def check_case(case: Case) -> Case:
    """The case itself, if it is one.

    Probabilities must sum to one exactly, which floats rarely do. A `Case` that is made directly
    isn't checked.

    Raises:
        BadInput: fewer than two actions, a negative or ill-summing probability, or unequal lengths.
    """
    if case.k < 2:
        raise BadInput(
            f"the policy has {case.k} action; give at least 2, since with one action there is"
            " nothing to choose"
        )
    if len(case.rewards) != case.k:
        raise BadInput(
            f"the policy has {case.k} actions and r has {len(case.rewards)}; give one reward for"
            " each action"
        )
    if case.parameterisation.normalised:
        _check_distribution("pi", case.x)
    elif all(entry == 0 for entry in case.x):
        raise BadInput(
            "theta is zero for every action, where the escort policy is not defined; make one entry"
            " non-zero"
        )
    for action, outcomes in enumerate(case.rewards):
        _check_distribution(
            f"the reward distribution of action {action}", [weight for _, weight in outcomes]
        )
    return case


def _check_distribution(name: str, weights: Sequence[Number]) -> None:
    negative = [weight for weight in weights if weight < 0]
    if negative:
        raise BadInput(
            f"{name} has the negative probability {negative[0]}; probabilities are at least 0"
        )
    if sum(weights) != 1:
        raise BadInput(
            f"{name} sums to {sum(weights)}, not to 1; write exact fractions, e.g. pi=1/3,2/3"
        )


def _outcomes_text(outcomes: Sequence[Outcome]) -> str:
    if len(outcomes) == 1 and outcomes[0][1] == 1:
        return show(outcomes[0][0])
    return "|".join(f"{show(reward)}@{show(weight)}" for reward, weight in outcomes)


def _tuple(values: Iterable[object]) -> str:
    return "(" + ", ".join(show(value_of(value)) for value in values) + ")"


def _join(values: Iterable[object]) -> str:
    return ",".join(show(value_of(value)) for value in values)
