"""The cases of one check: drawn once, and shared by all laws, so that what is computed of them is
computed once.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from altpg_verify.cases import Case
from altpg_verify.law_domains import Domain
from altpg_verify.parameterisations import Parameterisation
from altpg_verify.search import sample
from altpg_verify.wide import constant_cases, simple_cases, wide_cases

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy


class Tried:
    """The cases of one run, drawn once and shared by all laws, so that what is computed of them is
    computed once.

    Laws with different domains share draws, too: a law of b = v takes the general cases and moves
    their baseline (`Domain.restrict`).

    Args:
        parameterisation: how preferences become the policy.
        seed: of all draws.
        numbers: the formula's own; kept as `constants`.

    Attributes:
        constants: the numbers that are looked at from both sides.
    """

    def __init__(
        self, parameterisation: Parameterisation, seed: int, numbers: Sequence[Fraction]
    ) -> None:
        self.parameterisation, self.seed, self.constants = parameterisation, seed, tuple(numbers)
        self._made: dict[object, list[Case]] = {}

    def look_at(self, roots: Sequence[Fraction]) -> None:
        """Count further numbers, where a denominator is zero, among the constants, so that the
        search looks at them and beside them.
        """
        new = [root for root in roots if root not in self.constants]
        self.constants += tuple(new)

    def _once(self, key: object, make: Callable[[], list[Case]]) -> list[Case]:
        if key not in self._made:
            self._made[key] = make()
        return self._made[key]

    def simple(self, domain: Domain, count: int) -> list[Case]:
        """Small numbers; as Hypothesis draws them where the domain has nothing but its strategy.

        Args:
            domain: of the law.
            count: of cases.
        """
        if domain.restrict is None:
            key = ("simple", domain.strategy, count)
            drawn = _drawn(domain.strategy, self.parameterisation, count, self.seed)
            return self._once(key, lambda: [replace(case) for case in drawn])
        cases = self._once(
            ("simple", count), lambda: simple_cases(self.parameterisation, count, self.seed)
        )
        return self._restricted(domain, ("simple", count), cases)

    def sampled(self, domain: Domain, count: int) -> list[Case]:
        """Others like them, on which gaps and conditions are recognised: drawn with the next seed,
        so that no condition is read from the cases by which the law was refuted.
        """
        drawn = _drawn(domain.strategy, self.parameterisation, count, self.seed + 1)
        return self._once(
            ("sampled", domain.strategy, count), lambda: [replace(case) for case in drawn]
        )

    def far(self, domain: Domain, count: int) -> list[Case]:
        """Large and tiny numbers, up to 10^9 and down to 10^-9, and policies as near to corners as
        10^-12.
        """
        cases = self._once(
            ("far", count), lambda: wide_cases(self.parameterisation, count, self.seed)
        )
        return self._restricted(domain, ("far", count), cases)

    def at_constants(self, domain: Domain, most: int) -> list[Case]:
        """The formula's own numbers and both sides of them, as rewards, baselines, probabilities,
        differences and products; none, if it has no unusual ones.
        """
        key = ("constants", self.constants, most)
        cases = self._once(
            key, lambda: constant_cases(self.parameterisation, self.constants, most, self.seed)
        )
        return self._restricted(domain, key, cases)

    def _restricted(self, domain: Domain, key: object, cases: list[Case]) -> list[Case]:
        restrict = domain.restrict
        assert restrict is not None
        return self._once((key, domain.restrict), lambda: [restrict(case) for case in cases])


@functools.lru_cache(maxsize=64)
def _drawn(
    strategy: Callable[[Parameterisation], SearchStrategy[Case]],
    parameterisation: Parameterisation,
    count: int,
    seed: int,
) -> tuple[Case, ...]:
    """Drawn once a process; copied by whoever computes anything of them."""
    return tuple(sample(strategy(parameterisation), count, seed))
