"""The chapters of an estimator's own report: its formula, its moments, the simplex, beside its
peers, learning.
"""

from __future__ import annotations

import inspect
import math
import textwrap
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import sympy

from altpg_verify.dynamics import FixedPoint
from altpg_verify.estimators import Estimator
from altpg_verify.parameterisations import Parameterisation
from altpg_verify.report import figures
from altpg_verify.report.markup import sentence, words
from altpg_verify.report.own import comparison, learning, symbolic_moments
from altpg_verify.report.own.certificates import BANDIT, Certified
from altpg_verify.report.own.escort_flow import power
from altpg_verify.report.own.symbolic_moments import Moments
from altpg_verify.report.own.target import Subject
from altpg_verify.report.parts import Part, display, heading, table
from altpg_verify.report.summary import text
from altpg_verify.report.typst_math import UnprintableError
from altpg_verify.structure import acts_by_action

LONGEST = 420
"""Characters of a formula that is printed; longer ones stand in the JSON file."""

_NO_MOMENTS = (
    "The moments were not derived symbolically: the formula is no rational function of its"
    " arguments, or depends on the reward in a way that its mean and variance don't determine. The"
    " numbers in the tables and figures are enumerated."
)


_SYMBOL_MEANINGS = {
    "theta": "θ_a is the preference of action a",
    "pi": "π_a is the probability of action a under the policy",
    "e": "e_a is 1 if a was the action taken, else 0",
    "r": "R is the sampled reward",
    "b": "b is the baseline",
    "q": "r_a is the expected reward of action a",
    "v": "r_π is the value of the policy",
    "h": "r_a − r_π is the advantage of action a",
}


def written(subject: Subject) -> list[Part]:
    """The formula typeset, and the code that was run.

    Args:
        subject: whose formula; where it can't be run on symbols the code stands alone.
    """
    parts = [
        text(
            "The estimate of one draw, an ascent direction: training adds a positive multiple of it"
            " to the preferences."
        )
    ]
    equations = _displays(symbolic_moments.formula(subject.estimator))
    if equations:
        mixing = not acts_by_action(subject.estimator)
        parts += equations
        parts.append(
            text(
                "It mixes actions, so the first entry with three actions is shown."
                if mixing
                else (
                    "Here"
                    f" {'; '.join(meaning for name, meaning in _SYMBOL_MEANINGS.items() if name in subject.estimator.needs)}."
                )
            )
        )
    else:
        parts.append(text("It can't be run on symbols, so its code is shown instead."))
    try:
        code = textwrap.dedent(inspect.getsource(subject.estimator.formula)).rstrip()
    except (OSError, TypeError):
        return parts
    return [
        *parts,
        text("The very function that every check, proof and simulation of this report ran:"),
        {"kind": "code", "text": code},
    ]


def moments(
    subject: Subject,
    general: Moments | None,
    few: Mapping[int, Moments],
    certified: Mapping[str, Certified],
    why: str,
) -> list[Part]:
    """Expectation, bias and variance as formulas, for every k and for two and three actions.

    Args:
        subject: the estimator.
        general: for every number of actions, None if there is no such form.
        few: by number of actions.
        certified: certificates by law, of which that of the bias is shown.
        why: there are no certificates, if there are none.
    """
    estimator = subject.estimator
    parts: list[Part] = [heading("Expectation, bias and variance")]
    if general is not None:
        agreed = symbolic_moments.agreement(general, estimator, subject.policy)
        parts.append(
            text(
                "For every number of actions, for one action a: r_a and σ_a² are mean and variance"
                " of the reward of a, and r_π is the value of the policy. Expectation, bias and"
                " variance of the estimate for the preference θ_a are"
            )
        )
        parts += _named(general, "a")
        parts.append(
            text(
                "Enumeration over rational functions, which shares no code with this derivation,"
                f" gives the same three formulas for k = {' and '.join(map(str, agreed))}."
                if agreed
                else "Enumeration over rational functions did not confirm these formulas."
            )
        )
    if (bias := certified.get("bias")) is not None and bias.holds:
        parts.append(
            _finding(
                "Certificate",
                "That the bias is this for every number of actions has a certificate, bias.json,"
                " which a kernel of its own checks again.",
                bias,
            )
        )
    if why:
        parts.append(text(why))
    for k, found in few.items():
        parts += [
            heading(f"With {'two' if k == 2 else 'three'} actions"),
            text(_SYMBOLS if k == 2 else "Of the first preference, likewise:"),
        ]
        parts += _named(found, "1", spread=k == 2 and general is None)
        if k == 2 and general is None:
            parts.append(text("where d_i = r_i − b."))
    if general is None and not few:
        parts.append(text(_NO_MOMENTS))
    return parts


def points(ends: Mapping[tuple[str, int], tuple[FixedPoint, ...]]) -> list[Part]:
    """The fixed points of each estimator and baseline as a table: where, of which kind, and their
    value.

    Args:
        ends: (label, baseline) -> its fixed points.
    """
    rows = []
    for (label, b), found in ends.items():
        if not found:
            rows.append([label, f"{b:+d}", "none was found", "", "", ""])
        for one in found:
            policy = ", ".join(str(p) if one.exact else f"{p:.4f}" for p in one.pi)
            limit = (
                f"{one.stepsize_limit:.4g}"
                if one.kind == "attractor" and math.isfinite(one.stepsize_limit)
                else "–"
            )
            rows.append(
                [label, f"{b:+d}", f"({policy})", one.kind, f"{float(one.value):.4f}", limit]
            )
    header = [
        "estimator",
        "b",
        "fixed point",
        "for small stepsizes",
        "value",
        "attracts for α below",
    ]
    return [
        text(
            "The fixed points of the expected update on this bandit, fractions where they were"
            " verified exactly:"
        ),
        table(header, rows),
    ]


def attracting(certified: Mapping[str, Certified]) -> list[Part]:
    """What the certificate of an attracting fixed point says, or that none could be made.

    Args:
        certified: certificates by name; nothing is said without one called "attracts".
    """
    found = certified.get("attracts")
    if found is None:
        return []
    head = f"An attracting fixed point on {BANDIT}"
    if not found.holds:
        return [_finding(head, sentence(found.plainly), found)]
    exact = all(one.denominator < 10_000 for one in found.point)
    where = "exactly at" if exact else "near"
    policy = ", ".join(str(one) if exact else f"{float(one):.9g}" for one in found.point)
    return [
        _finding(
            head,
            f"The expected update has a fixed point {where} π = ({policy}) that attracts; the"
            " certificate is attracts.json.",
            found,
        )
    ]


def _finding(head: str, said: str, found: Certified) -> Part:
    return {
        "kind": "finding",
        "head": head,
        "text": words(said),
        "claims": [],
        "verdict": found.verdict,
    }


_SYMBOLS = (
    "Of the first preference, by enumeration; r_i and σ_i² are mean and variance of the reward of"
    " action i:"
)


def _named(found: Moments, index: str, *, spread: bool = True) -> list[Part]:
    estimate = sympy.Symbol(f"ghat_{index}")
    expectation, variance = sympy.Function("E"), sympy.Function("V")
    slope = sympy.Derivative(sympy.Symbol("J"), sympy.Symbol(f"theta_{index}"), evaluate=False)
    pairs = [
        (expectation(estimate), found.expectation),
        (expectation(estimate) - slope, found.bias),
    ]
    pairs += [(variance(estimate), found.variance)] if spread else []
    return _displays([sympy.Eq(*pair, evaluate=False) for pair in pairs])


def _displays(equations: list[Any]) -> list[Part]:
    parts = []
    for equation in equations:
        if len(str(equation)) > LONGEST:
            parts.append(
                text(
                    f"The formula for {equation.lhs} is too long for a page; it stands in the JSON"
                    " file."
                )
            )
            continue
        try:
            parts.append(display(equation))
        except UnprintableError:
            parts.append(text(f"In the notation of sympy: {equation.lhs} = {equation.rhs}"))
    return parts


def beside(
    found: list[dict[str, object]], estimators: Mapping[str, Estimator], kind: Parameterisation
) -> list[Part]:
    """Bias and variance at the same policies, each estimator in a column of its own.

    Args:
        found: rows of `comparison`.
        estimators: by label.
        kind: how preferences become π.
    """
    held = (
        "" if kind.normalised else f" The preferences are positive, with Σ θ_a^{power(kind)} = 1."
    )
    return [
        text(
            "Bandit r = (1, 2, 3) with reward noise of standard deviation 1, one more or one less"
            " with equal odds; everything is enumerated, nothing sampled. The baseline v is the"
            " value of the policy itself. The policies are the uniform one, (1/10, 1/10, 4/5), and"
            f" (98/100, 1/100, 1/100).{held}"
        ),
        text("Length of the bias, the Euclidean norm of E[ĝ] − ∇J:"),
        comparison.compared(found, "bias", estimators),
        text("Total variance, the sum of V[ĝ_a] over the preferences:"),
        comparison.compared(found, "variance", estimators),
    ]


TITLES = ("the three-armed bandit", "the five-state chain", "MountainCar with tile coding")
_PROTOCOL = (
    "Small runs of the paper's tasks, to see the estimator at work; the paper's own scale is"
    " larger. The compiled agents run the very estimator object that was checked. The stepsize is"
    " chosen on one set of runs and shown on fresh ones."
)


def learned(
    group: list[tuple[tuple[learning.Task, ...], list[learning.Learned], str]],
) -> list[Part]:
    """Learning curves and stepsizes of each task, or a sentence that says why there are none.

    Args:
        group: tasks of a figure, what was learned on them, and why not if nothing was.
    """
    parts = [text(_PROTOCOL)]
    for number, ((tasks, results, why), title) in enumerate(zip(group, TITLES, strict=True)):
        parts.append(heading(title[:1].upper() + title[1:]))
        if not results:
            parts.append(text(f"Not run: {why.rstrip('.')}."))
            continue
        lines = [
            [
                one.task,
                one.label,
                str(Fraction(one.best)),
                f"{one.fresh:.4g} ± {one.fresh_error:.2g}",
            ]
            for one in results
        ]
        parts.append(
            text(
                f"{tasks[0].what[:1].upper() + tasks[0].what[1:]} of fresh runs at the end, mean"
                " and standard error:"
            )
        )
        parts.append(table(["start and baseline", "estimator", "stepsize α", "at the end"], lines))
        parts += [
            figures.picture(one) for one in learning.figure(f"own-{number}", title, tasks, results)
        ]
    return parts
