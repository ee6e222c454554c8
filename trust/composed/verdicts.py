"""The product's verdict on a plan or a formula beside the truth: agreed, or in which way not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from altpg_verify.audit import Audit, Kind
from altpg_verify.audit.expected_update import points
from altpg_verify.case_parsing import parse_case
from altpg_verify.results import CheckResult
from altpg_verify.verdicts import Verdict
from trust.composed import fast, fast_laws, oracle, oracle_laws
from trust.composed.formulas import Formula, formula
from trust.composed.plans import Plan, plan

RIGHT, FALSE_ALARM, MISS, OTHER, BY_CONSTRUCTION = (
    "right",
    "false alarm",
    "miss",
    "wrong kind or number",
    "oracle and construction differ",
)
WRONG = (FALSE_ALARM, MISS, OTHER, BY_CONSTRUCTION)
CLOSE = 1e-8

INSTANCES = 12
"""Instances of a law on which the slow oracle looks for a counterexample."""


@dataclass(frozen=True)
class Judged:
    """One verdict of the product, and how it stands.

    Attributes:
        name: which estimator, in words that replay it.
        said: what the product said.
        how: RIGHT or one of WRONG.
        remark: "undecided", "left open", "turns round elsewhere" where the verdict is right and
            says less than there is to say.
        why: for people, where it is wrong.
    """

    name: str
    said: str
    how: str
    remark: str = ""
    why: str = ""


def update_judged(index: int, audited: Callable[[Plan], Audit] = fast.audited) -> Judged:
    """Audit the plan of that number and compare with the oracle.

    Args:
        index: of the plan.
        audited: the verdict that is judged; the product's by default.
    """
    made = plan(index)
    found, true = audited(made), oracle.truth(made)
    how, remark, why = _compared(made, found, true)
    return Judged(f"update {index}", str(found.kind), how, remark, f"{why}; {made}" if why else "")


def _compared(made: Plan, found: Audit, true: oracle.Truth) -> tuple[str, str, str]:
    if made.known and made.known != true.kind:
        return (
            BY_CONSTRUCTION,
            "",
            (
                f"the slow oracle says {true.kind or 'something else'}, and by construction it is"
                f" {made.known}"
            ),
        )
    if found.kind is Kind.UNDECIDED:
        return RIGHT, "undecided", ""
    if (found.kind is Kind.UNBIASED) != found.verdict.is_for or (
        found.kind is not Kind.UNBIASED and found.verdict is not Verdict.REFUTED
    ):
        return OTHER, "", f"called {found.kind} with the verdict {found.verdict}"
    if found.kind is Kind.UNBIASED and true.kind != "unbiased":
        return MISS, "", f"called unbiased, and it is {true.kind or 'biased'}"
    if found.kind is not Kind.UNBIASED and true.kind == "unbiased":
        return FALSE_ALARM, "", f"called {found.kind}, and it is unbiased"
    remark, wrong = _kind(made, found, true)
    wrong = wrong or _numbers(found, true)
    return (OTHER, "", wrong) if wrong else (RIGHT, remark, "")


def _kind(made: Plan, found: Audit, true: oracle.Truth) -> tuple[str, str]:
    """(remark, what is wrong) of the kind."""
    said = str(found.kind)
    other = f"called {said}, and it is " + (
        true.kind or ("a gradient" if true.gradient_held else "not a gradient")
    )
    match found.kind:
        case Kind.SCALED | Kind.REVERSED:
            if true.turns:
                # said of the policies compared, and of no other
                return (
                    ("turns round elsewhere", "")
                    if _holds_where_compared(made, found.kind is Kind.SCALED)
                    else ("", other)
                )
            return "", "" if true.kind == said else other
        case Kind.OTHER_OBJECTIVE:
            return "", (
                "" if not true.kind and (true.gradient_held or true.gradient_moving) else other
            )
        case Kind.NOT_A_GRADIENT:
            return "", "" if not true.kind and not true.gradient_held else other
        case Kind.BIASED:
            # it may be a gradient, this verdict says, and it may be none on another piece of a
            # piecewise update
            return ("" if true.gradient_held else "left open"), "" if not true.kind else other
    return "", "" if true.kind == said else other


def _holds_where_compared(made: Plan, ahead: bool) -> bool:
    space = fast.composed(made).space
    places = [
        np.asarray(place["theta"]).reshape(len(made.pi), made.k).tolist()
        for place in points(space, 4)
    ]
    return all(
        factor is not None and (factor > 0) is ahead
        for place in places
        for factor in oracle.directions_at(made, place)
    )


def _numbers(found: Audit, true: oracle.Truth) -> str:
    """What is wrong with the factor, or with the two sides where those of the point are shown."""
    if found.scale is not None and not true.turns:
        if found.scale.constant != true.constant:
            return (
                "the factor is said to be"
                f" {'the same everywhere' if found.scale.constant else 'a varying one'}"
            )
        if found.scale.constant and true.factor is not None:
            said = float(next(iter(found.scale.factors.values())))
            if abs(said - float(true.factor)) > CLOSE * abs(said):
                return f"the factor is said to be {said}, and it is {float(true.factor)}"
    if any("at the point of the audit itself" in note for note in found.notes):
        return ""
    for name, side, truth in (
        ("expected update", found.expected, true.expected),
        ("gradient", found.gradient, true.gradient),
    ):
        size = max(1.0, *(abs(float(entry)) for entry in truth))
        if (
            max(abs(float(one) - float(other)) for one, other in zip(side, truth, strict=True))
            > CLOSE * size
        ):
            return f"the {name} is said to be {side}, and it is {[float(entry) for entry in truth]}"
    return ""


def laws_judged(
    index: int, checked: Callable[[Formula], tuple[CheckResult, ...]] = fast_laws.checked
) -> list[Judged]:
    """Check the formula of that number against its laws and compare: a counterexample must be one,
    and a law that holds must have none.
    """
    made = formula(index)
    return [_law_judged(made, result) for result in checked(made)]


def _law_judged(made: Formula, result: CheckResult) -> Judged:
    name, said = f"estimator {made.index}, {result.law}", str(result.verdict)
    tried = oracle_laws.instances(made, result.law, INSTANCES)
    if made.known_unbiased is not None and result.law == "unbiased":
        broken = any(oracle_laws.breaks(result.law, made, each) for each in tried)
        if broken is made.known_unbiased:
            return Judged(
                name,
                said,
                BY_CONSTRUCTION,
                "",
                f"by construction it is {'' if made.known_unbiased else 'not '}unbiased; {made}",
            )
    if result.verdict is Verdict.SKIPPED:
        return Judged(name, said, RIGHT, "skipped")
    if result.verdict is Verdict.REFUTED:
        assert result.counterexample is not None
        shown = parse_case(
            result.counterexample.replay.split('--case "')[1].rstrip('"'),
            f"escort:{made.power}" if made.power else "softmax",
        )
        right = oracle_laws.breaks(
            result.law, made, oracle_laws.Instance(shown.x, shown.rewards, shown.b)
        )
        return (
            Judged(name, said, RIGHT)
            if right
            else Judged(name, said, FALSE_ALARM, "", f"no counterexample: {shown}; {made}")
        )
    found = next((each for each in tried if oracle_laws.breaks(result.law, made, each)), None)
    if not result.verdict.is_for:
        return Judged(name, said, RIGHT, "undecided")
    return (
        Judged(name, said, RIGHT)
        if found is None
        else Judged(name, said, MISS, "", f"it fails at {found}; {made}")
    )
