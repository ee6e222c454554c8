"""Certificates for a user's estimator: unbiasedness, the bias, conservativeness, and an attracting
fixed point on a named bandit.

A formula that acts on each action by itself is written with two distinguished actions and sums over
all, as the paper's own are; what is proved of it holds for every number of actions. What fails is
shown on the smallest exact bandit that was found. The formula must be a polynomial of degree at
most 2 in the reward and a rational function of everything else.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

from sympy import Expr, Integer, Rational, Symbol, exp, expand, factor, lambdify, symbols

from altpg_verify.certificate_kinds import certificate_kind
from altpg_verify.errors import BadInput
from altpg_verify.readable import unreadable
from altpg_verify.targets import estimators_at
from altpg_verify.theory.certify.simplex_cover import Bandit, parse_bandit
from altpg_verify.theory.certify.user_formula import Formula
from altpg_verify.theory.gradients.gradient import EVERY_BANDIT
from altpg_verify.theory.proving import instance_check
from altpg_verify.theory.proving.calculus import SOFTMAX
from altpg_verify.theory.proving.certificate_store import Storable, content, save
from altpg_verify.theory.proving.certificates import IdentityCertificate, certify
from altpg_verify.theory.proving.notation import E, Partial, a, c, pi, r, r_pi, theta


@certificate_kind
@dataclass(frozen=True)
class ExactInstance:
    """Two exact numbers that differ on one bandit, as `instance_check.holds` reads them.

    Args:
        data: the JSON object, with the estimator's formula as a tree.
    """

    data: Mapping[str, Any]

    def recheck(self) -> bool:
        """Whether `instance_check` computes two different numbers from the data alone."""
        return instance_check.holds(json.loads(json.dumps(self.data)))

    def __str__(self) -> str:
        return instance_check.statement(dict(self.data))


@certificate_kind
@dataclass(frozen=True)
class AttractingFixedPoint:
    """A fixed point of the expected update that attracts, as `instance_check.attracts` reads it.

    Args:
        data: the JSON object, with the estimator's formula as a tree.
    """

    data: Mapping[str, Any]

    def recheck(self) -> bool:
        """Whether `instance_check` finds that the data's point rests, and that its Jacobian
        attracts.
        """
        return instance_check.attracts(json.loads(json.dumps(self.data)))

    def __str__(self) -> str:
        return instance_check.fixed_point_statement(dict(self.data))


def certify_target(target: str, law: str, bandit: str | None, out: Path) -> tuple[bool, str]:
    """Certify a law of one estimator and write the certificate; whether the law holds, and words.

    A law that is false is refuted by an exact instance, which is written as well.

    Args:
        target: module:name or file.py:name.
        law: unbiased, bias, conservative or attracts; the last one needs a bandit.
        out: the file.

    Raises:
        BadInput: the target is no single estimator, or its formula can't be certified (see
            `Formula`).
    """
    found = estimators_at(target)
    if len(found) != 1:
        raise BadInput(f"{target!r} has {len(found)} estimators; name one of them as {found[0][0]}")
    ((origin, estimator),) = found
    if (law == "attracts") != (bandit is not None):
        raise BadInput(
            'certify: --law attracts needs a --bandit such as "r=1,2,3; b=4"'
            if bandit is None
            else f"certify: --law {law} takes no --bandit"
        )
    formula = Formula(origin, estimator)
    if why := unreadable(estimator):
        raise BadInput(f"{origin!r} can't be certified: {why}")
    if law == "attracts":
        return _attracts(formula, parse_bandit(bandit), out)
    words, proof, searches = {"unbiased": _unbiased, "bias": _bias, "conservative": _conservative}[
        law
    ](formula)
    # first the proof for every k; only if it fails, a search for an instance against the law
    if proof.recheck():
        return True, f"PROVED: {_saved(out, words, EVERY_BANDIT, proof)}"
    found_false = [
        next((instance for instance in search if instance.recheck()), None) for search in searches
    ]
    if instances := [instance for instance in found_false if instance is not None]:
        return (
            False,
            f"REFUTED: {_saved(out, f'{formula.name} is not {law}', 'exact bandits', *instances)}",
        )
    return (
        False,
        (
            f"INCONCLUSIVE: {formula.name}: {law} was neither proved nor refuted on the bandits"
            " tried; nothing was written"
        ),
    )


def _saved(out: Path, words: str, domain: str, *certificates: Storable) -> str:
    save(out, content(words, domain, certificates))
    return "; ".join(
        [words, *(str(one) for one in certificates if str(one) != words), f"written to {out}"]
    )


Decision = tuple[str, IdentityCertificate, Sequence[Iterator[ExactInstance]]]
"""What is to be proved in words, the proof as far as there is one, and searches for instances that
refute it, one certificate from each.
"""


def _unbiased(formula: Formula) -> Decision:
    words = (
        f"{formula.name} is unbiased, E[ĝ_a] = ∂J/∂θ_a, with ĝ_a = {formula.of(a)}, for every"
        " baseline and every k"
    )
    proof = certify(E(formula.of(a)), "=", Partial(r_pi, theta[a]), summary=words, where=SOFTMAX)
    return words, proof, [_instances(formula, "unbiased", _bias_at, (0,))]


def _bias(formula: Formula) -> Decision:
    # factored, so that a reader sees where it vanishes
    bias = factor(expand(formula.mean - pi[a] * (r[a] - r_pi)))
    words = (
        f"the bias of {formula.name} is E[ĝ_a] - ∂J/∂θ_a = {bias}, with ĝ_a = {formula.of(a)}, for"
        " every k"
    )
    return (
        words,
        certify(
            E(formula.of(a)) - Partial(r_pi, theta[a]), "=", bias, summary=words, where=SOFTMAX
        ),
        (),
    )


def _conservative(formula: Formula) -> Decision:
    words = (
        f"the expected update f = E[ĝ] of {formula.name} is a gradient in θ: ∂f_a/∂θ_c = ∂f_c/∂θ_a,"
        f" with ĝ_a = {formula.of(a)}, every k"
    )
    one, other = Partial(E(formula.of(a)), theta[c]), Partial(E(formula.of(c)), theta[a])
    searches = [
        _instances(formula, "conservative", _curl_at, (0, 1)),
        _instances(formula, "conservative", _loop_at, (0, 1, 2)),
    ]
    return words, certify(one, "=", other, summary=words, where=SOFTMAX), searches


Sides = Callable[[list[Expr], Sequence[Symbol], Sequence[Any]], tuple[Expr, Expr]]


def _bias_at(update: list[Expr], x: Sequence[Symbol], means: Sequence[Any]) -> tuple[Expr, Expr]:
    # J in the weights x = e^θ, so that ∂J/∂θ_a is x_a ∂J/∂x_a
    value = sum(one * mean for one, mean in zip(x, means, strict=True)) / sum(x)
    return update[0], x[0] * value.diff(x[0])


def _curl_at(update: list[Expr], x: Sequence[Symbol], means: Sequence[Any]) -> tuple[Expr, Expr]:
    return x[1] * update[0].diff(x[1]), x[0] * update[1].diff(x[0])


def _loop_at(update: list[Expr], x: Sequence[Symbol], means: Sequence[Any]) -> tuple[Expr, Expr]:
    """Around three actions, where a multiple of 1 that is added to the update cancels."""
    pairs = [(0, 1), (1, 2), (2, 0)]
    left, right = (
        sum(x[j] * update[i].diff(x[j]) for i, j in one)
        for one in (pairs, [(j, i) for i, j in pairs])
    )
    return left, right


def _instances(
    formula: Formula, law: str, sides: Sides, actions: Sequence[int]
) -> Iterator[ExactInstance]:
    """Small bandits on which the two sides differ, the smallest first; θ_a moves as e^θ_a
    ∂/∂e^θ_a.
    """
    # (0, 2) has the mean of (1,): what differs only there comes from the noise
    outcomes = [(0,), (1,), (2,), (0, 2)]
    for k in (2, 3):
        if k < len(actions):
            continue
        x = symbols(f"x:{k}")
        for rewards in product(outcomes, repeat=k):
            means = [Rational(sum(one), len(one)) for one in rewards]
            exact = [[Integer(one) for one in row] for row in rewards]
            for baseline in (0, 1, 3):
                left, right = sides(formula.at(x, exact, Integer(baseline)), x, means)
                # uniform first: a bias that vanishes there shows at the first policy that is not
                for weights in ((1,) * k, (1,) * (k - 1) + (2,), (2,) + (1,) * (k - 1)):
                    point = dict(zip(x, map(Integer, weights), strict=True))
                    one, other = left.subs(point), right.subs(point)
                    if one.is_Rational and other.is_Rational and one != other:
                        yield ExactInstance(
                            {
                                "law": law,
                                "formula": formula.tree,
                                "weights": list(map(str, weights)),
                                "rewards": [list(map(str, row)) for row in rewards],
                                "baseline": str(baseline),
                                "actions": list(actions),
                                "left": str(one),
                                "right": str(other),
                            }
                        )


def _attracts(formula: Formula, bandit: Bandit, out: Path) -> tuple[bool, str]:
    rewards = [[Rational(one.numerator, one.denominator)] for one in bandit.rewards]
    baseline = Rational(bandit.baseline.numerator, bandit.baseline.denominator)
    # candidates in floats; the certificate is checked without them
    roots = _zeros(formula, rewards, baseline)
    data = {
        "formula": formula.tree,
        "rewards": [[str(one)] for one in bandit.rewards],
        "baseline": str(bandit.baseline),
    }
    for weights, inverse in roots:
        for candidate in _certificates(data, weights, inverse):
            if candidate.recheck():
                return True, f"CERTIFIED: {_saved(out, str(candidate), str(bandit), candidate)}"
    if roots:
        shown = "; ".join(
            "(" + ", ".join(f"{one / sum(weights):.6g}" for one in weights) + ")"
            for weights, _ in roots
        )
        return (
            False,
            (
                f"INCONCLUSIVE: {formula.name} on {bandit}: of the fixed points found, π near"
                f" {shown}, none could be certified to attract"
            ),
        )
    return (
        False,
        f"INCONCLUSIVE: {formula.name} on {bandit}: no fixed point inside the simplex was found",
    )


def _zeros(
    formula: Formula, rewards: list[list[Any]], baseline: Any
) -> list[tuple[list[float], list[list[float]]]]:
    """Weights, the last being one, where all entries of the update agree, with an inverse Jacobian:
    Newton from a grid, in floats.
    """
    import numpy as np

    k = len(rewards)
    d = symbols(f"d:{k - 1}")
    update = formula.at([*map(exp, d), Integer(1)], rewards, baseline)
    between = [one - update[-1] for one in update[:-1]]
    value, slopes = (
        lambdify([d], between, "numpy"),
        lambdify([d], [[one.diff(other) for other in d] for one in between], "numpy"),
    )
    found: list[tuple[list[float], list[list[float]]]] = []
    for start in sorted(
        product((-2.0, 0.0, 2.0), repeat=k - 1), key=lambda one: sum(map(abs, one))
    ):
        point = np.array(start)
        with np.errstate(all="ignore"):
            for _ in range(60):
                try:
                    step = np.linalg.solve(
                        np.array(slopes(point), dtype=float), np.array(value(point), dtype=float)
                    )
                except np.linalg.LinAlgError:
                    break
                # at most 1 in a log-weight: far from a zero, Newton would jump out of range
                point = point - step * min(1.0, 1.0 / max(float(np.abs(step).max()), 1e-300))
                # weights beyond e^±12: too near to a corner to be told from it in float64
                if not np.all(np.abs(point) < 12):
                    break
                if np.abs(step).max() < 1e-14:
                    weights = np.exp(point)
                    if all(np.abs(weights - one[0][:-1]).max() > 1e-9 for one in found):
                        # in weights, not in their logarithms: the check works on the box of weights
                        inverse = np.linalg.inv(np.array(slopes(point), dtype=float) / weights)
                        found.append(([*map(float, weights), 1.0], inverse.tolist()))
                    break
    return found


def _certificates(
    data: Mapping[str, Any], weights: list[float], inverse: list[list[float]]
) -> Iterator[AttractingFixedPoint]:
    """The fixed point as a rational policy, if it is one; else within a radius."""
    # exactly if it is short: then the check needs no intervals
    rational = [Fraction(one).limit_denominator(10_000) for one in weights]
    yield AttractingFixedPoint({**data, "weights": list(map(str, rational))})
    # short decimals: the check's numbers grow with them
    centre = [str(Fraction(round(one * 10**15), 10**15)) for one in weights]
    rounded = [[str(Fraction(round(one * 10**6), 10**6)) for one in row] for row in inverse]
    yield AttractingFixedPoint(
        {**data, "weights": centre, "radius": str(Fraction(1, 10**9)), "inverse": rounded}
    )
