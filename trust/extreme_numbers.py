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
from typing import Any

import numpy as np

from altpg_verify.verdicts import Verdict
from trust.extreme_inputs import UPDATES, float_update, formulas, law_cases, logits, spaces
from trust.figures import Figure, Outcome, Part, Say

CLOSE = 1e-12
"""Relative error of a probability, a few thousand roundings of float64; a sum of k terms may lose k
roundings.
"""


@dataclass(frozen=True)
class Judged:
    """One verdict or number on one input: `how` is "right", "undecided" or "WRONG"."""

    subject: str
    what: str
    how: str
    why: str = ""


def laws(sample: bool) -> list[Judged]:
    """Each formula on each case, every law: in float64 against fractions.

    Args:
        sample: every third case only.
    """
    from altpg_verify.checks import check_estimator
    from altpg_verify.estimators import Estimator

    judged = []
    cases = list(law_cases().items())
    for name, formula in formulas().items():
        exact = Estimator(formula, name, ("pi", "e", "r", "b"))
        floats = Estimator(_in_floats(formula), f"{name}, float64", ("pi", "e", "r", "b"))
        for where, case in cases[::3] if sample else cases:
            found = [
                check_estimator(each, case=case, on_fail="return", facts=False).results
                for each in (exact, floats)
            ]
            for right, said in zip(*found, strict=True):
                judged.append(
                    _beside(f"{said.law} of {name}, {where}", right.verdict, said.verdict)
                )
    return judged


def _in_floats(formula: Callable[..., Any]) -> Callable[..., Any]:
    def rounded(pi: Any, e: Any, r: Any, b: Any) -> Any:
        # floats of the source are exact numbers; an exponential makes all of it float64,
        # derivatives carried along included
        return np.exp(0 * r) * formula(pi, e, r, b)

    return rounded


def _beside(what: str, right: Verdict, said: Verdict) -> Judged:
    if right is said:
        return Judged("laws", what, "right")
    if said is Verdict.INCONCLUSIVE:
        return Judged("laws", what, "undecided")
    return Judged("laws", what, "WRONG", f"{said} in float64, {right} in fractions")


def audits(sample: bool) -> list[Judged]:
    """Each update on batches of two from each bandit, where it may run on fractions and where it
    can't.
    """
    from altpg_verify.audit import audit
    from altpg_verify.audit.function_updates import from_function

    judged = []
    for where, (space, flat) in list(spaces().items())[:: 2 if sample else 1]:
        for name, (update, kind) in UPDATES.items():
            for way, function in (("", update), (", float64 only", float_update(update))):
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
                judged.append(
                    Judged(
                        "audits",
                        f"{name}{way}, {where}",
                        how,
                        "" if how == "right" else f"{found.kind}, and it is {right}",
                    )
                )
    return judged


def policies(sample: bool) -> list[Judged]:
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

    judged = []
    for name, theta in logits(sample).items():
        shown = sorted({0, 1, len(theta) // 3, len(theta) // 2, len(theta) - 1})
        right = _softmax(theta, shown)
        for subject, softmax in (("audit", audited), ("analysis", analysed), ("kernel", compiled)):
            worst = max(_off(float(softmax(theta)[i]), right[i]) for i in shown)
            judged.append(
                Judged(
                    "policies",
                    f"{subject}, {name}",
                    "right" if worst <= max(CLOSE, len(theta) * 2.0**-53) else "WRONG",
                    f"off by {worst:.2g}",
                )
            )
    return judged


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


def judges(sample: bool) -> list[Judged]:
    """Sampled means that aren't numbers, or have no error, decide nothing; tiny and huge ones are
    compared like others.
    """
    from altpg_verify.judging import compared, ordered

    judged = []
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
        judged.append(
            Judged(
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
            judged.append(
                Judged(
                    "judges",
                    f"{off} errors off at {size:g}",
                    "right" if found.verdict is right else "WRONG",
                    str(found.verdict),
                )
            )
            ahead = ordered(
                "trust", difference=9 * size, standard_error=size, false_alarm_rate=0.01, domain=""
            )
            judged.append(
                Judged(
                    "judges",
                    f"9 errors ahead at {size:g}",
                    "right" if ahead.verdict is Verdict.SUPPORTED else "WRONG",
                )
            )
    return judged


SUBJECTS: dict[str, Callable[[bool], list[Judged]]] = {
    "laws": laws,
    "audits": audits,
    "policies": policies,
    "judges": judges,
}


def run(sample: bool, say: Say) -> Outcome:
    """All of them."""
    judged: list[Judged] = []
    with np.errstate(all="ignore"):
        for name, subject in SUBJECTS.items():
            judged += subject(sample)
            say(f"{name}: {dict(Counter(each.how for each in judged if each.subject == name))}")
    return outcome(judged)


def outcome(judged: list[Judged]) -> Outcome:
    """The counts."""
    wrong = [each for each in judged if each.how == "WRONG"]
    figures = [
        Figure(
            "verdicts", len(judged), "verdicts and probabilities at extreme numbers", at_least=100
        )
    ]
    figures += [
        Figure(
            f"wrong_{name}",
            sum(each.subject == name for each in wrong),
            f"wrong ones among {sum(e.subject == name for e in judged)} of {name}",
            at_most=0,
        )
        for name in SUBJECTS
    ]
    figures.append(
        Figure(
            "undecided",
            sum(each.how == "undecided" for each in judged) / len(judged),
            "share left undecided",
            at_most=0.25,
        )
    )
    return Outcome(
        tuple(figures),
        tuple(f"{each.what}: {each.why}" for each in wrong[:20]),
        {"undecided": [e.what for e in judged if e.how == "undecided"]},
    )


PART = Part("numbers", "numbers of every size: right or INCONCLUSIVE", run)
