"""The cases that the claims are tried on: drawn once for each kind, edge cases first, shared by
every claim of that kind.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st

from altpg_verify.case_parsing import parse_case
from altpg_verify.cases import Case
from altpg_verify.search import sample
from altpg_verify.strategies import corners, numbers, policies

if TYPE_CHECKING:
    from hypothesis.strategies import DrawFn

MOST_CLOSED = 4
SMALLEST = 12
GAPS = (1, 2, 5, Fraction(1, 2), Fraction(1, 3), Fraction(1, 100))


@dataclass(frozen=True, eq=False)
class Domain:
    """Cases of one kind.

    Args:
        name: which cases, in words.
        draw: (number of draws, seed) -> cases, the smallest first.
    """

    name: str
    draw: Callable[[int, int], Iterable[Any]] = field(repr=False)

    def cases(self, max_examples: int, seed: int) -> tuple[Any, ...]:
        """The cases; drawn once, then shared."""
        return _drawn(self, max_examples, seed)

    def where(self, words: str, condition: Callable[[Any], bool]) -> Domain:
        """Those of the cases that satisfy the condition.

        Args:
            words: the condition, said after the domain's name.
            condition: of a case.
        """
        return Domain(
            f"{self.name}, {words}",
            lambda n, seed: [case for case in self.cases(n, seed) if condition(case)],
        )

    def each(self, words: str, expand: Callable[[Any], Iterable[Any]]) -> Domain:
        """Several cases from each.

        Args:
            words: what is done to the cases, said after the domain's name.
            expand: a case -> those it is replaced by.
        """
        return Domain(
            f"{self.name}, {words}",
            lambda n, seed: [one for case in self.cases(n, seed) for one in expand(case)],
        )

    def __add__(self, other: Domain) -> Domain:
        """Both, each with its smallest cases and every second of the others, so that a union costs
        no more than one kind.
        """
        kinds = (self, other)
        return Domain(
            f"{self.name}; {other.name}",
            lambda n, seed: [
                case
                for kind in kinds
                for case in (*kind.cases(n, seed)[:SMALLEST], *kind.cases(n, seed)[SMALLEST::2])
            ],
        )


@cache
def _drawn(domain: Domain, max_examples: int, seed: int) -> tuple[Any, ...]:
    return tuple(domain.draw(max_examples, seed))


def _sampled(name: str, strategy: Callable[[], Any], edges: Sequence[str] = ()) -> Domain:
    def draw(max_examples: int, seed: int) -> list[Case]:
        cases = [*map(parse_case, edges), *sample(strategy(), max_examples, seed)]
        return sorted(cases, key=lambda case: (case.k, len(str(case))))

    return Domain(name, draw)


Values = Callable[[Any, Sequence[Fraction]], tuple[list[Fraction], Fraction]]
"""(draw, policy) -> the mean rewards and the baseline."""


def _noise() -> Any:
    """Offsets of mean zero with their probabilities: none, or two that are not symmetric in
    general.
    """

    def spread(width: int, quarters: int) -> tuple[tuple[Fraction, Fraction], ...]:
        low = Fraction(quarters, 4)
        return ((-width * (1 - low), low), (width * low, 1 - low))

    return st.one_of(
        st.just(((Fraction(0), Fraction(1)),)),
        st.builds(spread, st.integers(1, 4), st.sampled_from([2, 1, 3])),
    )


def _bandits(policy: Any, values: Values) -> Any:
    noise = _noise()

    @st.composite
    def build(draw: DrawFn) -> Case:
        pi = draw(policy)
        means, b = values(draw, pi)
        return Case(
            pi,
            tuple(
                tuple((mean + offset, weight) for offset, weight in draw(noise)) for mean in means
            ),
            b,
        )

    return build()


def _interior() -> Any:
    """Any full-support policy, among them very unequal ones."""
    peaked = st.lists(st.integers(0, 9), min_size=2, max_size=5).map(
        lambda powers: _normalised([10**power for power in powers])
    )
    return st.one_of(policies(), peaked)


def _closed() -> Any:
    """Policies that may leave actions out."""
    weights = st.lists(st.integers(0, 4), min_size=2, max_size=MOST_CLOSED)
    return weights.map(lambda drawn: _normalised(drawn if any(drawn) else [1, *drawn[1:]]))


def _normalised(weights: Sequence[int]) -> tuple[Fraction, ...]:
    return tuple(Fraction(weight, sum(weights)) for weight in weights)


def _anywhere(draw: DrawFn, pi: Sequence[Fraction]) -> tuple[list[Fraction], Fraction]:
    means = [draw(numbers(max_abs=3)) for _ in pi]
    return means, draw(st.one_of(numbers(), st.sampled_from(means)))


def _one_reward(draw: DrawFn, pi: Sequence[Fraction]) -> tuple[list[Fraction], Fraction]:
    """All actions that the policy takes have one mean reward."""
    constant = draw(numbers(max_abs=3))
    return [constant if p else draw(numbers(max_abs=3)) for p in pi], draw(numbers())


# Hypothesis examines a strategy when it is first drawn from, which takes longer than a draw
_GAP, _SIDE = st.sampled_from(GAPS), st.sampled_from([1, -1])


def _gap(draw: Any) -> Fraction:
    return Fraction(draw(_GAP))


def _between(draw: DrawFn, pi: Sequence[Fraction]) -> tuple[list[Fraction], Fraction]:
    b = draw(numbers())
    # at least one reward on each side of the baseline
    signs = draw(st.permutations([1, -1, *(draw(_SIDE) for _ in pi[2:])]))
    return [b + side * _gap(draw) for side in signs], b


def _above(draw: DrawFn, pi: Sequence[Fraction]) -> tuple[list[Fraction], Fraction]:
    b = draw(numbers())
    return [b - _gap(draw) for _ in pi], b


def _turned_over(case: Case) -> Case:
    """Every reward and the baseline with the opposite sign."""
    rewards = tuple(
        tuple((-reward, weight) for reward, weight in outcomes) for outcomes in case.rewards
    )
    return Case(case.x, rewards, -case.b)


def interior(case: Case) -> bool:
    """Whether every action can be taken, as under a softmax policy with finite preferences."""
    return min(case.pi) > 0


def corner_of(case: Case) -> int:
    """The action that the policy takes most often: the only one at a corner."""
    return max(range(case.k), key=lambda a: case.pi[a])


def kappa(case: Case) -> Fraction:
    """κ = (Σ_a 1/(r(a) - b))⁻¹, the amount by which every preference moves at π*."""
    return 1 / (1 / (case.q - case.b)).sum()


def pi_star(case: Case) -> tuple[Fraction, ...]:
    """The policy π* of the lemma on fixed points: κ/(r(a) - b), for a baseline on one side of all
    mean rewards.
    """
    return tuple(kappa(case) / (case.q - case.b))


def at_pi_star(case: Case) -> Case:
    """The same bandit and baseline, with the policy pi*."""
    return Case(pi_star(case), case.rewards, case.b)


def away(case: Case) -> bool:
    """Whether the policy is not pi*."""
    return tuple(case.pi) != pi_star(case)


def unequal(case: Case) -> bool:
    """Whether two actions have different mean rewards."""
    return len(set(case.q)) > 1


ANYWHERE = _sampled(
    "interior policies, 2 to 5 actions, any rewards, noise and baseline",
    lambda: _bandits(_interior(), _anywhere),
    (
        "pi=1/2,1/2; r=0,0; b=0",
        "pi=1/2,1/2; r=0,0; b=1",
        "pi=1/2,1/2; r=0,1; b=1",
        "pi=1/3,2/3; r=1,0; b=1/3",
        "pi=999999/1000000,1/1000000; r=0,1; b=4",
        "pi=1/5,1/10,7/10; r=1,2,3; b=4",
        "pi=1/4,1/4,1/2; r=2,2,5; b=2",
        "pi=1/3,1/3,1/3; r=0@1/4|3@3/4,-1,7/2@1/2|-7/2@1/2; b=-4",
    ),
)
UNEQUAL = ANYWHERE.where("rewards not all equal", unequal)
OFF_VALUE = ANYWHERE.where("b different from the value", lambda case: case.b != case.v)

CLOSED = _sampled(
    "policies on the closed simplex, 2 to 4 actions, any rewards, noise and baseline",
    lambda: _bandits(_closed(), _anywhere),
    (
        "pi=1,0; r=0,1; b=0",
        "pi=0,1; r=0,0; b=1",
        "pi=1/2,1/2,0; r=1,1,2; b=1",
        "pi=1/2,0,1/2; r=1,3,2; b=0",
    ),
)
CORNERS = _sampled(
    "policies that always take one action, any rewards, noise and baseline",
    lambda: _bandits(corners(), _anywhere),
    ("pi=1,0; r=0,1; b=4", "pi=0,1; r=0,0@1/4|3@3/4; b=1", "pi=0,0,1; r=1,1,1@1/2|-2@1/2; b=-1/2"),
)
NOISY_CORNERS = CORNERS.where(
    "the taken action's reward noisy", lambda case: case.sigma2[corner_of(case)] != 0
)
FACES = _sampled(
    "policies saturated on actions of one reward, any noise and baseline",
    lambda: _bandits(_closed(), _one_reward),
    ("pi=1,0; r=0,1; b=0", "pi=1/2,1/2,0; r=2@1/2|0@1/2,1,5; b=3", "pi=1/2,1/2; r=1,1; b=0"),
)
BASELINE_FACES = FACES.each(
    "that reward as the baseline", lambda case: [case.with_baseline(case.q[corner_of(case)])]
)
AT_A_REWARD = CLOSED.each(
    "some action's reward as the baseline",
    lambda case: [case.with_baseline(case.q[len(str(case)) % case.k])],
)
BETWEEN_CLOSED = _sampled(
    "closed simplex, baselines between the rewards",
    lambda: _bandits(st.one_of(_closed(), _interior()), _between),
    ("pi=1,0; r=0,2; b=1", "pi=1/2,1/2; r=0,2; b=1", "pi=0,1/2,1/2; r=0,2,3; b=1"),
)
BETWEEN = BETWEEN_CLOSED.where("every action can be taken", interior)
OPTIMISTIC = _sampled(
    "interior policies, baselines above all rewards",
    lambda: _bandits(_interior(), _above),
    (
        "pi=1/2,1/2; r=0,0; b=1",
        "pi=1/5,1/10,7/10; r=1,2,3; b=4",
        "pi=9999/10000,1/10000; r=0,1; b=2",
        "pi=2/11,3/11,6/11; r=1,2,3; b=4",
    ),
)
PESSIMISTIC = Domain(
    "interior policies, baselines below all rewards",
    lambda max_examples, seed: map(_turned_over, OPTIMISTIC.cases(max_examples, seed)),
)
OUTSIDE = OPTIMISTIC + PESSIMISTIC
AT_PI_STAR = OUTSIDE.each("moved to the policy pi*", lambda case: [at_pi_star(case)])
OPTIMISTIC_AWAY = OPTIMISTIC.where("policy other than pi*", away)
PESSIMISTIC_AWAY = PESSIMISTIC.where("policy other than pi*", away)
ONE_BEST = OPTIMISTIC.where("one best action", lambda case: list(case.q).count(max(case.q)) == 1)
