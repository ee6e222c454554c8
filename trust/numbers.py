"""Numbers of every size: each verdict is right or INCONCLUSIVE, never wrong; float paths are held
against exact ones.

Extreme logits, probabilities of 1e-300, rewards of 1e12 and 1e-12 and both together, equal rewards,
a baseline equal to a reward, denormals, minus zero, a million actions.
"""

from __future__ import annotations

import decimal
import math
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np

from altpg_verify.verdicts import Verdict
from trust.figures import Figure, Outcome, Part, Say

MANY = 10**6
CLOSE = 1e-12
"""Relative error of a probability, a few thousand roundings of float64; a sum of k terms may lose k
roundings.
"""


@dataclass(frozen=True)
class Told:
    """One verdict or number on one input: `how` is "right", "undecided" or "WRONG"."""

    road: str
    what: str
    how: str
    why: str = ""


# --- laws: a formula in float64 beside the same formula in fractions
# ---------------------------------------------------

_TINY, _HUGE = Fraction(1, 10**12), Fraction(10**12)
_LEAST = Fraction(1, 10**300)
_DENORMAL = Fraction(1, 10**310)


def law_cases() -> dict[str, Any]:
    """Exact cases with numbers of every size."""
    from altpg_verify.cases import Case

    half = (Fraction(1, 2), Fraction(1, 2))
    skewed = (Fraction(1, 6), Fraction(1, 3), Fraction(1, 2))

    def case(pi: Any, rewards: Any, b: Any) -> Case:
        return Case(
            tuple(map(Fraction, pi)),
            tuple(((Fraction(reward), Fraction(1)),) for reward in rewards),
            Fraction(b),
        )

    return {
        "rewards of 1e-12": case(skewed, (_TINY, 0, -_TINY), _TINY / 3),
        "rewards of 1e12": case(skewed, (_HUGE, 0, -_HUGE), _HUGE / 4),
        "rewards of 1e12 that differ by 1": case(skewed, (_HUGE, _HUGE + 1, _HUGE + 2), _HUGE),
        "rewards of 1e15 that differ by 1": case(
            half, (1000 * _HUGE, 1000 * _HUGE + 1), 1000 * _HUGE + Fraction(1, 4)
        ),
        "rewards of 1e12 and of 1e-12": case(skewed, (_HUGE, _TINY, 0), 1),
        "a probability of 1e-300": case((_LEAST, 1 - _LEAST), (1, 0), Fraction(1, 2)),
        "a probability of 1e-300, and the better action": case(
            (_LEAST, Fraction(1, 3), Fraction(2, 3) - _LEAST), (3, 2, 1), 4
        ),
        "a probability of 1e-17": case(
            (Fraction(1, 10**17), 1 - Fraction(1, 10**17)), (1, 0), Fraction(1, 2)
        ),
        "equal rewards": case(skewed, (5, 5, 5), 2),
        "equal rewards and the baseline": case(skewed, (5, 5, 5), 5),
        "equal rewards of 1e12": case(skewed, (_HUGE,) * 3, _HUGE / 3),
        "a baseline equal to a reward": case(skewed, (1, 2, 3), 2),
        "a baseline equal to the value": case(half, (1, 0), Fraction(1, 2)),
        "denormal rewards": case(half, (_DENORMAL, 0), 0),
        "denormal rewards, a baseline of 1": case(half, (_DENORMAL, 0), 1),
        "a corner": case((1, 0), (1, 0), Fraction(1, 2)),
        "a corner, its reward the baseline": case((0, 1), (1, _TINY), _TINY),
        "a baseline far above all": case(skewed, (1, 2, 3), _HUGE),
        "a baseline far below all": case(skewed, (1, 2, 3), -_HUGE),
    }


def _formulas() -> dict[str, Callable[..., Any]]:
    return {
        "regular": lambda pi, e, r, b: (r - b) * (e - pi),
        "alternate": lambda pi, e, r, b: (r - b) * e,
        "half-way": lambda pi, e, r, b: (r - b) * (e - pi / 2),
        "twice": lambda pi, e, r, b: 2 * (r - b) * (e - pi),
        "turned": lambda pi, e, r, b: (b - r) * (e - pi),
        "squared": lambda pi, e, r, b: (r - b) ** 2 * (e - pi),
    }


def laws(sample: bool) -> list[Told]:
    """Each formula on each case, every law: in float64 against fractions."""
    from altpg_verify.checks import check_estimator
    from altpg_verify.estimators import Estimator

    told = []
    cases = list(law_cases().items())
    for name, formula in _formulas().items():
        exact = Estimator(formula, name, ("pi", "e", "r", "b"))
        floats = Estimator(_in_floats(formula), f"{name}, float64", ("pi", "e", "r", "b"))
        for where, case in cases[::3] if sample else cases:
            found = [
                check_estimator(each, case=case, on_fail="return", facts=False).results
                for each in (exact, floats)
            ]
            for right, said in zip(*found, strict=True):
                told.append(_beside(f"{said.law} of {name}, {where}", right.verdict, said.verdict))
    return told


def _in_floats(formula: Callable[..., Any]) -> Callable[..., Any]:
    def rounded(pi: Any, e: Any, r: Any, b: Any) -> Any:
        # floats of the source are exact numbers; an exponential makes all of it float64,
        # derivatives carried along included
        return np.exp(0 * r) * formula(pi, e, r, b)

    return rounded


def _beside(what: str, right: Verdict, said: Verdict) -> Told:
    if right is said:
        return Told("laws", what, "right")
    if said is Verdict.INCONCLUSIVE:
        return Told("laws", what, "undecided")
    return Told("laws", what, "WRONG", f"{said} in float64, {right} in fractions")


# --- audits: updates whose kind is known by construction
# ---------------------------------------------------------------


def spaces() -> dict[str, tuple[Any, bool]]:
    """Bandits with numbers of every size, and whether every action pays the same."""
    from altpg_verify.audit import bandit

    least = f"1/{10**300}"
    return {
        "rewards of 1e-12": (bandit([_TINY, _TINY / 2, 0]), False),
        "rewards of 1e12": (bandit([_HUGE, _HUGE / 2, 0]), False),
        "rewards of 1e12 that differ by 1": (bandit([_HUGE, _HUGE + 1, _HUGE]), False),
        "rewards of 1e15 that differ by 1": (
            bandit([1000 * _HUGE, 1000 * _HUGE + 1, 1000 * _HUGE]),
            False,
        ),
        "rewards of 1e-300": (bandit([_LEAST, 0]), False),
        "denormal rewards": (bandit([_DENORMAL, 0]), False),
        "equal rewards": (bandit([5, 5, 5]), True),
        "equal rewards of 1e12": (bandit([_HUGE] * 3), True),
        "logits of ±1e4": (bandit([1, "1/2", 0], theta=[1e4, -1e4, 0]), False),
        "logits of ±700": (bandit([0, "1/2", 1], theta=[700, -700, 0]), False),
        "a logit of 40": (bandit([1, "1/2", 0], theta=[40, 0, 0]), False),
        "a logit of 12": (bandit(["1/2", 1, 0], theta=[12, 0, 0]), False),
        "logits of minus zero": (bandit([1, "1/2", 0], theta=[-0.0, 0.0, -0.0]), False),
        "a probability of 1e-300": (bandit([1, 0], pi=[least, f"{10**300 - 1}/{10**300}"]), False),
        "a probability of 1e-20": (
            bandit([1, "1/2", 0], pi=["1/2", f"{10**20 // 2 - 1}/{10**20}", f"1/{10**20}"]),
            False,
        ),
    }


def _one(factor: float) -> Callable[..., Any]:
    def update(actions: Any, rewards: Any, scores: Any) -> Any:
        return (factor * rewards[:, None] * scores).mean(axis=0)

    return update


def _leave_one_out(actions: Any, rewards: Any, scores: Any) -> Any:
    others = (rewards.sum() - rewards) / (len(rewards) - 1)
    return ((rewards - others)[:, None] * scores).mean(axis=0)


def _own_mean(actions: Any, rewards: Any, scores: Any) -> Any:
    return ((rewards - rewards.mean())[:, None] * scores).mean(axis=0)


def _float_update(update: Callable[..., Any]) -> Callable[..., Any]:
    def rounded(actions: Any, rewards: Any, scores: Any) -> Any:
        return update(actions, np.asarray(rewards, dtype=float), np.asarray(scores, dtype=float))

    return rounded


UPDATES: dict[str, tuple[Callable[..., Any], str]] = {
    "the likelihood ratio": (_one(1), "unbiased"),
    "twice the likelihood ratio": (_one(2), "scaled"),
    "the likelihood ratio downhill": (_one(-1), "reversed"),
    "leave one out": (_leave_one_out, "unbiased"),
    "own mean": (_own_mean, "scaled"),
}


def audits(sample: bool) -> list[Told]:
    """Each update on batches of two from each bandit, where it may run on fractions and where it
    can't.
    """
    from altpg_verify.audit import audit
    from altpg_verify.audit.updates import from_function

    told = []
    for where, (space, flat) in list(spaces().items())[:: 2 if sample else 1]:
        for name, (update, kind) in UPDATES.items():
            for way, function in (("", update), (", float64 only", _float_update(update))):
                found = audit(
                    from_function(function, space=space.batch(2), name=name), differentiate=False
                )
                right = "unbiased" if flat else kind
                how = (
                    "right"
                    if str(found.kind) == right
                    else "undecided"
                    if found.verdict is Verdict.INCONCLUSIVE
                    else "WRONG"
                )
                told.append(
                    Told(
                        "audits",
                        f"{name}{way}, {where}",
                        how,
                        "" if how == "right" else f"{found.kind}, and it is {right}",
                    )
                )
    return told


# --- policies: probabilities in float64 beside 60 digits
# ---------------------------------------------------------------


def logits(sample: bool) -> dict[str, np.ndarray]:
    """Preferences as far apart as they come, and as many."""
    many = 10_000 if sample else MANY
    spread = np.linspace(-30, 30, many)
    needle = np.zeros(many)
    needle[many // 2] = 14.0
    return {
        "±1e4": np.array([1e4, -1e4, 0.0, 9999.0]),
        "±700": np.array([700.0, -700.0, 0.0]),
        "all 1e4": np.full(5, 1e4),
        "all -1e4": np.full(5, -1e4),
        "denormals and minus zero": np.array([5e-324, -0.0, 0.0, -5e-324]),
        "a probability of 1e-300": np.array([0.0, -690.7]),
        f"{many:,} actions from -30 to 30": spread,
        f"{many:,} actions, one ahead": needle,
    }


def policies(sample: bool) -> list[Told]:
    """The policy as audits, simulations and their compiled kernels compute it."""
    from altpg_verify.audit.policies import softmax_policy
    from altpg_verify.sim.analysis import policies as analysed
    from altpg_verify.sim.bandit import softmax as kernel

    def compiled(theta: np.ndarray) -> np.ndarray:
        out = np.empty((len(theta), 1))
        kernel(np.ascontiguousarray(theta[:, None]), np.empty(1), np.empty(1), out)
        return out[:, 0]

    def audited(theta: np.ndarray) -> np.ndarray:
        return softmax_policy(1, len(theta)).table({"theta": theta})[0]

    told = []
    for name, theta in logits(sample).items():
        shown = sorted({0, 1, len(theta) // 3, len(theta) // 2, len(theta) - 1})
        right = _softmax(theta, shown)
        for road, softmax in (("audit", audited), ("analysis", analysed), ("kernel", compiled)):
            worst = max(_off(float(softmax(theta)[i]), right[i]) for i in shown)
            told.append(
                Told(
                    "policies",
                    f"{road}, {name}",
                    "right" if worst <= max(CLOSE, len(theta) * 2.0**-53) else "WRONG",
                    f"off by {worst:.2g}",
                )
            )
    return told


def _softmax(theta: np.ndarray, shown: list[int]) -> dict[int, Decimal]:
    """Some entries, in 60 digits; equal preferences are counted once."""
    with decimal.localcontext(decimal.Context(prec=60, Emin=-999_999, Emax=999_999)):
        if len(theta) > 10_000 and len(np.unique(theta)) == len(theta):
            # an evenly spaced row is a geometric series
            step = (Decimal(float(theta[-1])) - Decimal(float(theta[0]))) / (len(theta) - 1)
            total = (
                Decimal(float(theta[0])).exp() * ((step * len(theta)).exp() - 1) / (step.exp() - 1)
            )
        else:
            total = sum(
                (
                    Decimal(float(value)).exp() * int(times)
                    for value, times in zip(*np.unique(theta, return_counts=True), strict=True)
                ),
                Decimal(0),
            )
        return {i: Decimal(float(theta[i])).exp() / total for i in shown}


def _off(said: float, right: Decimal) -> float:
    """The relative error; a probability below the range of float64 may be 0."""
    if right < Decimal("1e-300"):
        return 0.0 if 0 <= said <= 1e-300 else math.inf
    return float(abs(Decimal(said) - right) / right)


# --- judges
# --------------------------------------------------------------------------------------------------


def judges(sample: bool) -> list[Told]:
    """Sampled means that aren't numbers, or have no error, decide nothing; tiny and huge ones are
    compared like others.
    """
    from altpg_verify.judging import compared, ordered

    told = []
    for mean, error in (
        (math.nan, 1.0),
        (math.inf, 1.0),
        (1.0, math.nan),
        (1.0, math.inf),
        (1.0, 0.0),
        (0.0, -1.0),
    ):
        found = compared(
            "trust",
            predicted=1.0,
            mean=mean,
            standard_error=error,
            false_alarm_rate=0.01,
            domain="",
        )
        told.append(
            Told(
                "judges",
                f"a mean of {mean} ± {error}",
                "right" if found.verdict is Verdict.INCONCLUSIVE else "WRONG",
                str(found.verdict),
            )
        )
    for size in (1e-300, 1e-12, 1.0, 1e12, 1e300):
        for off, right in ((0.5, Verdict.SUPPORTED), (9.0, Verdict.REFUTED)):
            found = compared(
                "trust",
                predicted=0.0,
                mean=off * size,
                standard_error=size,
                false_alarm_rate=0.01,
                domain="",
            )
            told.append(
                Told(
                    "judges",
                    f"{off} errors off at {size:g}",
                    "right" if found.verdict is right else "WRONG",
                    str(found.verdict),
                )
            )
            ahead = ordered(
                "trust", difference=9 * size, standard_error=size, false_alarm_rate=0.01, domain=""
            )
            told.append(
                Told(
                    "judges",
                    f"9 errors ahead at {size:g}",
                    "right" if ahead.verdict is Verdict.SUPPORTED else "WRONG",
                )
            )
    return told


ROADS: dict[str, Callable[[bool], list[Told]]] = {
    "laws": laws,
    "audits": audits,
    "policies": policies,
    "judges": judges,
}


def run(sample: bool, say: Say) -> Outcome:
    """All roads."""
    told: list[Told] = []
    with np.errstate(all="ignore"):
        for name, road in ROADS.items():
            told += road(sample)
            say(f"{name}: {dict(Counter(each.how for each in told if each.road == name))}")
    return outcome(told)


def outcome(told: list[Told]) -> Outcome:
    """The counts."""
    wrong = [each for each in told if each.how == "WRONG"]
    figures = [
        Figure("verdicts", len(told), "verdicts and probabilities at extreme numbers", at_least=100)
    ]
    figures += [
        Figure(
            f"wrong_{name}",
            sum(each.road == name for each in wrong),
            f"wrong ones among {sum(e.road == name for e in told)} of {name}",
            at_most=0,
        )
        for name in ROADS
    ]
    figures.append(
        Figure(
            "undecided",
            sum(each.how == "undecided" for each in told) / len(told),
            "share left undecided",
            at_most=0.25,
        )
    )
    return Outcome(
        tuple(figures),
        tuple(f"{each.what}: {each.why}" for each in wrong[:20]),
        {"undecided": [e.what for e in told if e.how == "undecided"]},
    )


PART = Part("numbers", "numbers of every size: right or INCONCLUSIVE", run)
