"""What the estimator does, in words: every sentence read off a verdict, a gap or a fixed point."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from altpg_verify.dynamics import FixedPoint
from altpg_verify.estimators import Estimator
from altpg_verify.report.content import shown
from altpg_verify.report.markup import words
from altpg_verify.report.own.certificates import Certified
from altpg_verify.report.own.simplex_figures import still
from altpg_verify.report.own.standing import mark
from altpg_verify.report.own.statements import gap_formula
from altpg_verify.report.own.target import Subject
from altpg_verify.results import CheckResult, Report
from altpg_verify.verdicts import Verdict


def lead(subject: Subject, report: Report) -> list[str]:
    """What was checked, and whether anything needs action."""
    author = f" Its author says: “{report.description.rstrip('.')}”." if report.description else ""
    wrong = sum(not result.ok for result in report)
    marked = sum(result.ok and bool(result.expected_failure) for result in report)
    outcome = (
        f"{wrong} of them {'is' if wrong == 1 else 'are'} not as {'it' if wrong == 1 else 'they'}"
        " should be. Mend the formula, or mark what is meant to fail in its expected_failures,"
        " with the reason."
        if wrong
        else (
            "No law applies to it, so that nothing was decided."
            if not report.ok
            else "Nothing needs action: every requirement that applies holds"
            + (
                f", but for {marked} that {'is' if marked == 1 else 'are'} marked as meant to fail."
                if marked
                else "."
            )
        )
    )
    return [
        f"The estimator {subject.estimator.name} ({subject.origin}) asks for"
        f" {', '.join(subject.estimator.needs)} and was checked against {len(report.results)} laws,"
        f" for the {report.policy} policy.{author} {outcome}"
    ]


def findings(
    subject: Subject,
    report: Report,
    certified: Mapping[str, Certified],
    ends: Mapping[tuple[str, int], tuple[FixedPoint, ...]],
) -> list[dict[str, object]]:
    """What it is, in the order a reader asks."""
    found = [
        _finding("Bias", _bias(report, certified), report["unbiased"]),
        _finding("With b = v", _at_value(report), report["unbiased_at_value"]),
        _finding("Conservative", _conservative(report), report["conservative"]),
        _finding(
            "At the corners",
            _corners(report),
            report["vanishes_at_corner"],
            "quiet_at_corner",
            "keeps_noise_at_corner",
        ),
        _finding(
            "Preferences touched", _touched(report), report["touches_taken_action_only"], "zero_sum"
        ),
        _finding(
            "Fixed baselines",
            _baselines(report),
            report["optimistic_attracts"],
            "pessimistic_repels",
        ),
    ]
    flow = subject.flows()[subject.label]
    points = [
        f"b = {b:+d}: {_ends(flow, b, each)}"
        for (label, b), each in ends.items()
        if label == subject.label
    ]
    if points:
        text = (
            f"On the bandit r = (1, 2, 3) with the baseline held fixed. {shown('. '.join(points))}."
        )
        found.append(
            {
                "kind": "finding",
                "head": "Where training ends",
                "text": words(text),
                "claims": [],
                "verdict": "",
            }
        )
    found.append(
        _finding(
            "Saturated policies",
            _saturated(report["finite_when_saturated"]),
            report["finite_when_saturated"],
        )
    )
    return found


def learning(runs: list[Any]) -> list[dict[str, Any]]:
    """How it did on a few of the tasks, beside the others."""
    said = []
    for tasks, results, _ in runs:
        task = tasks[-2] if len(tasks) > 1 else tasks[0]
        outcomes = [
            f"{one.label} {one.fresh:.4g} ± {one.fresh_error:.2g}"
            for one in results
            if one.task == task.name
        ]
        if outcomes:
            where = {"step": "bandit", "episode": "chain"}[task.unit] if len(tasks) > 1 else ""
            said.append(
                f"{where.capitalize()}{', ' if where else ''}{task.name}: {', '.join(outcomes)}"
            )
    if not said:
        return []
    text = (
        "At the end of small simulations, each at its best stepsize, mean and standard error."
        f" {'. '.join(said)}."
    )
    return [
        {
            "kind": "finding",
            "head": "Learning",
            "text": words(shown(text)),
            "claims": [],
            "verdict": "",
        }
    ]


def _ends(flow: Estimator, b: int, points: tuple[FixedPoint, ...]) -> str:
    if points:
        return "; ".join(map(str, points))
    return "the expected update moves no policy at all" if still(flow, b) else "none was found"


def _finding(head: str, text: str, result: CheckResult, *more: str) -> dict[str, object]:
    return {
        "kind": "finding",
        "head": head,
        "text": words(shown(text)),
        "claims": [result.law, *more],
        "verdict": mark(result),
    }


def _bias(report: Report, certified: Mapping[str, Certified]) -> str:
    result = report["unbiased"]
    everywhere = certified.get("unbiased")
    if result.verdict.is_for:
        proof = (
            ", with a certificate for every number of actions"
            if everywhere is not None and everywhere.holds
            else ""
        )
        return (
            "It is unbiased: its expectation is the policy gradient for every policy, reward law"
            f" and baseline ({_how(result)}{proof})."
        )
    if result.verdict is not Verdict.REFUTED:
        return _open(result)
    gap = (
        f"its bias is {gap_formula(result.gap)}"
        if result.gap
        else (
            "its bias was not recognised as a short formula; the counterexample and the tables show"
            " its size"
        )
    )
    when = (
        f" It vanishes when {', or when '.join(result.holds_when)}."
        if result.holds_when
        else " No condition was found under which it vanishes."
    )
    return f"It is biased: {gap}.{when}"


def _at_value(report: Report) -> str:
    result, ascends = report["unbiased_at_value"], report["ascends"]
    if result.verdict.is_for:
        return (
            "With the value of the policy as its baseline its expectation is the policy gradient"
            f" ({_how(result)})."
        )
    if result.verdict is not Verdict.REFUTED:
        return _open(result)
    down = "it can point downhill"
    if ascends.verdict.is_for:
        down = (
            "it doesn't point downhill"
            if ascends.verdict is Verdict.PROVED
            else "no case was found in which it points downhill"
        )
    parallel = (
        "parallel to it" if report["right_direction"].verdict.is_for else "not even parallel to it"
    )
    undecided = ascends.verdict not in (Verdict.REFUTED,) and not ascends.verdict.is_for
    return (
        "Even with b = v its expectation is not the policy gradient; it is"
        f" {parallel}{'' if undecided else f', and {down}'}."
    )


def _conservative(report: Report) -> str:
    result = report["conservative"]
    if result.verdict.is_for:
        return (
            "Its expected update is a gradient field, modulo the shifts that leave softmax as it"
            f" is ({_how(result)})."
        )
    return (
        "Its expected update is not a gradient field: it is the gradient of no function."
        if result.verdict is Verdict.REFUTED
        else _open(result)
    )


def _corners(report: Report) -> str:
    zero, quiet, keeps = (
        report[name] for name in ("vanishes_at_corner", "quiet_at_corner", "keeps_noise_at_corner")
    )
    first = {
        True: "The expected update is zero at a corner of the simplex",
        False: "The expected update need not be zero at a corner",
    }
    if not zero.verdict.is_for and zero.verdict is not Verdict.REFUTED:
        return _open(zero)
    gap = (
        f" (it is {gap_formula(zero.gap)} there)"
        if zero.gap
        else f" ({_how(zero)})"
        if zero.verdict.is_for
        else ""
    )
    if quiet.verdict.is_for:
        noise = (
            f"the estimate has no variance there, so that noise can't help it out ({_how(quiet)})"
        )
    elif keeps.verdict.is_for:
        noise = (
            f"the reward noise of the taken action still moves its preference there ({_how(keeps)})"
        )
    else:
        noise = (
            f"its variance there is {gap_formula(quiet.gap)}"
            if quiet.gap
            else "it has some variance there"
        )
    return f"{first[zero.verdict.is_for]}{gap}; {noise}."


def _touched(report: Report) -> str:
    single, zero = report["touches_taken_action_only"], report["zero_sum"]
    if single.verdict is not Verdict.REFUTED and not single.verdict.is_for:
        return _open(single)
    moved = "It moves preferences of actions not taken, too"
    if single.verdict.is_for:
        moved = f"It moves the preference of the sampled action and no other ({_how(single)})"
    shift = (
        "; its entries sum to 0."
        if zero.verdict.is_for
        else "; part of a step shifts all preferences together, under which softmax is invariant."
    )
    return moved + (shift if zero.verdict.is_for or zero.verdict is Verdict.REFUTED else ".")


def _baselines(report: Report) -> str:
    attracts, repels = report["optimistic_attracts"], report["pessimistic_repels"]
    if Verdict.SKIPPED in (attracts.verdict, repels.verdict):
        return _open(attracts)
    one = "attracts" if attracts.verdict.is_for else "does not always attract"
    other = "repels" if repels.verdict.is_for else "does not always repel"
    return (
        f"A baseline above every reward {one} the policy, in KL divergence, to the point π* in"
        f" proportion to 1/(b − r) that attracts the alternate estimator ({_how(attracts)}); one"
        f" below every reward {other} it ({_how(repels)})."
    )


def _saturated(result: CheckResult) -> str:
    if result.verdict.is_for:
        return (
            "No overflow and no 0/0 in float64 for preferences as far apart as ±700"
            f" ({_how(result)})."
        )
    if result.verdict is Verdict.REFUTED and result.counterexample:
        return "In float64 it is not finite for some saturated policies."
    return _open(result)


def _how(result: CheckResult) -> str:
    if result.verdict is Verdict.PROVED:
        return f"proved for {result.evidence.partition(';')[0]}"
    return result.evidence or str(result.verdict).lower()


def _open(result: CheckResult) -> str:
    why = (result.reason or result.evidence).partition(": estimator")[0]
    return f"{'Does not apply' if result.verdict is Verdict.SKIPPED else 'Not decided'}: {why}."
