"""Proving a law for an estimator: both sides as rational functions, for k = 2, 3 and 4, and what
such a proof rests on.

A proof counts only if the formula that ran on symbols is the formula that runs on numbers: the same
instructions, and at random rational points the same values. Whatever it divides by must be seen
never to be zero where the law is stated; else it stands beside the verdict.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from fractions import Fraction
from random import Random

import numpy as np

from altpg_verify.cases import Case
from altpg_verify.divisions import dividing
from altpg_verify.errors import BadEstimator
from altpg_verify.estimators import Estimator
from altpg_verify.exact import Calls, Undefined, ask, evaluate, listening
from altpg_verify.laws import Law, is_own, law_named
from altpg_verify.number_types import Number
from altpg_verify.opaque_numbers import NotRational, OutOfBudget, budget
from altpg_verify.parameterisations import Parameterisation
from altpg_verify.rational_functions import RationalFunction, equal
from altpg_verify.symbolic import MAX_MOMENT, Key, SymbolicCase, generic, sharing
from altpg_verify.untrusted.calling import calling
from altpg_verify.untrusted.lines import LineCoverage
from altpg_verify.untrusted.type_queries import type_query

PROOF_ACTIONS = (2, 3, 4)
"""The numbers of actions for which a law is proved symbolically; `theory` proves the paper's claims
for every k.
"""

PROOF_BUDGET = 3e7
"""Pairs of terms that one proof may multiply, some ten seconds; counted, not timed, so that a
verdict doesn't depend on the machine.
"""

POINTS = 3
"""Random rational points, for each action, at which the symbolic estimate is compared with the
estimate of numbers.
"""

UNPROVABLE = (ArithmeticError, AttributeError, BadEstimator, TypeError, ValueError)
"""What a formula raises on symbols if it is no rational function of its arguments."""


@dataclass(frozen=True)
class Proof:
    """For which numbers of actions a law is proved, and under which conditions; or why it isn't.

    True as a truth value if something is proved.

    Args:
        actions: the numbers of actions; empty if nothing is proved.
        conditions: what must differ from zero, in print.
        why: the reason, if nothing is proved though a proof was tried; empty if the sides simply
            differ.
        roots: numbers at which a condition in one variable fails.
    """

    actions: tuple[int, ...] = ()
    conditions: tuple[str, ...] = ()
    why: str = ""
    roots: tuple[Fraction, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.actions)


PLAIN = 1e-6
"""How far plain floats may be from the symbols' values, as a share of the largest estimate at the
point: rounding, not another formula.
"""


class Prover:
    """Proves laws of one estimator; what they have in common is computed once.

    A law is proved for k actions if its two sides, computed with the formula run on symbols, are
    equal as rational functions of π, the moments of the rewards and b: it then holds for every
    policy, every reward law with these moments and every baseline at which no denominator vanishes.

    Args:
        estimator: whose laws.
        parameterisation: how preferences become the policy.
        exact: whether the formula stays within exact numbers.
    """

    def __init__(
        self, estimator: Estimator, parameterisation: Parameterisation, exact: bool
    ) -> None:
        self.estimator, self.parameterisation, self.exact = estimator, parameterisation, exact
        self._shared: dict[Key, SymbolicCase] = {}
        self._proofs: dict[int, tuple[Law, Proof]] = {}
        self._faithful: dict[int, str] = {}

    def proof(self, law: Law) -> Proof:
        """The proof of a law, or an empty one with its reason.

        Equations are proved directly. An inequality ">=" of `LAWS` counts as proved if the equation
        that implies it is, as E[ĝ]·∇J ≥ 0 follows from E[ĝ] = ∇J; strict inequalities never are,
        nor is one of a user's, whose `implied_by` nobody has proved.
        """
        # by identity: what a user calls by the name of one of `LAWS`, or equal to it, isn't it; and
        # kept beside the proof, so that no later law gets the same identity
        if id(law) not in self._proofs:
            self._proofs[id(law)] = law, self._prove(law)
        return self._proofs[id(law)][1]

    def _prove(self, law: Law) -> Proof:
        # a formula that asks of its numbers what they are may be another one on symbols
        telling = type_query(self.estimator.formula, numbers=True)
        if telling:
            return Proof(why=f"the formula {telling}")
        if law.domain.symbolic is not None and law.relation == "=":
            try:
                # all k within one block: the conditions of a proof are those of every number of
                # actions
                with sharing(self._shared), dividing() as conditions, budget(PROOF_BUDGET):
                    for k in PROOF_ACTIONS:
                        if not all(
                            self._equal(law, case)
                            for case in law.domain.symbolic(k, self.parameterisation)
                        ):
                            return Proof()
            except OutOfBudget as error:
                return Proof(why=str(error))
            except NotRational as error:
                return Proof(why=str(error))
            except Undefined:
                return Proof()
            except UNPROVABLE:
                # not a rational function of its arguments: nothing is proved, the search decides
                return Proof(why="the formula is no rational function of its arguments")
            # last, and only for what would be proved: it calls the formula many times
            why = next(filter(None, (self._unfaithful(k) for k in PROOF_ACTIONS)), "")
            return (
                Proof(why=why)
                if why
                else Proof(PROOF_ACTIONS, tuple(conditions), roots=conditions.roots())
            )
        # that an inequality follows from an equation is proved of this project's laws only
        if law.implied_by and law.relation == ">=" and is_own(law):
            return self.proof(law_named(law.implied_by))
        return Proof()

    def unreadable(self) -> str:
        """Why what follows from the formula's run on symbols doesn't hold of the formula, whatever
        law it is; empty if it does.
        """
        if telling := type_query(self.estimator.formula, numbers=True):
            return f"the formula {telling}"
        try:
            with sharing(self._shared), dividing() as conditions, budget(PROOF_BUDGET):
                for k in PROOF_ACTIONS:
                    case = generic(k, self.parameterisation)
                    for action in range(k):
                        evaluate(self.estimator, case, action, case.reward)
        except (OutOfBudget, NotRational) as error:
            return str(error)
        except UNPROVABLE:
            return "the formula is no rational function of its arguments"
        if conditions:
            return f"the formula divides by what may be 0: it has a value {conditions} only"
        return next(filter(None, map(self._unfaithful, PROOF_ACTIONS)), "")

    def _equal(self, law: Law, case: Case) -> bool:
        left, right = law.sides(self.estimator, case)
        return len(left) == len(right) and all(
            equal(one, two) for one, two in zip(left, right, strict=True)
        )

    @contextmanager
    def sharing(self) -> Iterator[None]:
        """Within the block, symbolic cases are those of the proofs, with all that was computed of
        them; the same budget of products applies.
        """
        with sharing(self._shared), budget(PROOF_BUDGET):
            yield

    def _unfaithful(self, k: int) -> str:
        """Why the symbolic run isn't the run on numbers; empty if it is."""
        if k not in self._faithful:
            self._faithful[k] = self._compare(k)
        return self._faithful[k]

    def _compare(self, k: int) -> str:
        with sharing(self._shared):
            symbolic = generic(k, self.parameterisation)
            # no seed of the user's: whether a proof counts must not depend on it
            random = Random(k)
            for action in range(k):
                compared = 0
                # equal values at a few points prove nothing of a branch that isn't taken there;
                # equal instructions do
                way = self._instructions(symbolic, action, symbolic.reward)
                estimate = evaluate(self.estimator, symbolic, action, symbolic.reward)
                # a formula may have no value at some points (0/0); others are tried in their place
                for _ in range(4 * POINTS):
                    case, values = _point(random, k, self.parameterisation)
                    reward = case.rewards[action][0][0]
                    shown = case if self.exact else case.as_float()
                    try:
                        found = ask(self.estimator, shown, action, shown.rewards[action][0][0])
                        expected = [_value(entry, {**values, "R": reward}) for entry in estimate]
                    except (BadEstimator, ZeroDivisionError):
                        continue
                    if not all(_agree(one, two) for one, two in zip(found, expected, strict=True)):
                        return (
                            "the formula's values on symbols aren't its values on numbers: it looks"
                            " at what its numbers are"
                        )
                    largest = self._largest(symbolic, {**values, "R": reward})
                    if not same_on_plain(
                        self.estimator,
                        shown,
                        action,
                        shown.rewards[action][0][0],
                        expected,
                        largest,
                    ):
                        return (
                            "the formula's values on symbols aren't its values on plain floats: it"
                            " looks at what its numbers are"
                        )
                    if self._instructions(shown, action, shown.rewards[action][0][0]) != way:
                        return "the formula goes another way on symbols than on numbers"
                    compared += 1
                    if compared == POINTS:
                        break
                if not compared:
                    return "the formula has no value at the points where it was to be compared"
        return ""

    def _largest(self, symbolic: SymbolicCase, values: dict[str, Fraction]) -> float:
        """The largest entry of the estimates of all actions at a point."""
        sizes = [0.0]
        for action in range(symbolic.k):
            with suppress(ZeroDivisionError):
                sizes += [
                    abs(float(_value(entry, values)))
                    for entry in evaluate(self.estimator, symbolic, action, symbolic.reward)
                ]
        return max(sizes)

    def _instructions(self, case: Case, action: int, reward: Number) -> object:
        seen = LineCoverage(self.estimator)
        with listening(Calls(coverage=seen, symbols=True)):
            ask(self.estimator, case, action, reward)
        return (seen._ran, seen._went)


def other_on_plain(estimator: Estimator, parameterisation: Parameterisation) -> bool:
    """Whether exact numbers get another answer than Python's and numpy's own floats, at a few
    points: then floats alone are training.

    An estimator can tell a `Fraction` from a float, by its type, and answer rightly only when it is
    checked. The points are the same in every run, for every seed.
    """
    random = Random(0)
    for k in PROOF_ACTIONS:
        for _ in range(POINTS):
            case, _ = _point(random, k, parameterisation)
            # one reward for each action: its first outcome
            asked = [(action, case.rewards[action][0][0]) for action in range(k)]
            try:
                expected = [ask(estimator, case, action, reward) for action, reward in asked]
                largest = max(abs(float(entry)) for answer in expected for entry in answer)
            except (BadEstimator, ArithmeticError, ValueError):
                continue
            if not all(
                same_on_plain(estimator, case, *one, list(answer), largest)
                for one, answer in zip(asked, expected, strict=True)
            ):
                return True
    return False


def same_on_plain(
    estimator: Estimator,
    case: Case,
    action: int,
    reward: Number,
    expected: Sequence[Number],
    largest: float,
) -> bool:
    """Whether Python's and numpy's own floats give the same, as they would in training; so too
    where these can't be run at all.

    Args:
        estimator: is called with the case's arguments as floats and float64 arrays.
        case: the policy, rewards and baseline.
        action, reward: the draw.
        expected: (k,) what the estimate is in exact numbers.
        largest: the largest entry of the estimates of all actions, of which `PLAIN` is a share.
    """
    given = case.arguments(action, reward)
    plain = {
        name: (
            np.array([float(entry) for entry in given[name]])
            if isinstance(given[name], np.ndarray)
            else float(given[name])
        )
        for name in estimator.needs
    }
    try:
        with np.errstate(all="ignore"), calling(f"estimator {estimator.name!r}"):
            found = np.asarray(estimator.at(plain), dtype=float).reshape(-1)
    except (BadEstimator, TypeError, ValueError):
        return True
    wanted = np.array([float(entry) for entry in expected])
    return found.shape == wanted.shape and bool((np.abs(found - wanted) <= PLAIN * largest).all())


def _point(
    random: Random, k: int, parameterisation: Parameterisation
) -> tuple[Case, dict[str, Fraction]]:
    """A case at random, and the same as values of the symbols."""
    weights = [Fraction(random.randint(1, 999)) for _ in range(k)]
    x = (
        tuple(weight / sum(weights) for weight in weights)
        if parameterisation.normalised
        else tuple(weights)
    )
    rewards = []
    values = {f"p{a + 1}": x[a] for a in range(k)}
    for a in range(k):
        chance = Fraction(random.randint(1, 9), 10)
        # two outcomes each: with one, E[R²] would be E[R]², and a formula could confuse them
        pair = [Fraction(random.randint(-999, 999), random.randint(1, 99)) for _ in range(2)]
        rewards.append(((pair[0], chance), (pair[1], 1 - chance)))
        for n in range(1, MAX_MOMENT + 1):
            values[f"m{a + 1}_{n}" if n > 1 else f"r{a + 1}"] = sum(
                (weight * reward**n for reward, weight in rewards[-1]), Fraction(0)
            )
    b = Fraction(random.randint(-999, 999), random.randint(1, 99))
    return Case(x, tuple(rewards), b, parameterisation), {**values, "b": b}


def _value(entry: Number, values: dict[str, Fraction]) -> Number:
    return entry.at(values) if isinstance(entry, RationalFunction) else entry


def _agree(found: Number, expected: Number) -> bool:
    # float64 carries some sixteen digits, of which a formula may lose ten to cancellation
    if isinstance(found, float | np.floating):
        return math.isclose(found, float(expected), rel_tol=1e-6, abs_tol=1e-300)
    return bool(found == expected)
