"""The interactive simplex: the estimators' own formulas as JavaScript, or their expected updates on
a grid, and the form around it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from importlib import resources
from typing import Any

from altpg_verify.estimators import Estimator, alternate, expected_gradient, regular

ESTIMATORS = {one.name: one for one in (regular, alternate, expected_gradient)}
"""The estimators of the report on the paper, by the names in the list."""
ACTIONS = 3


def asset(name: str) -> str:
    """A file of the page's own style or script."""
    return resources.files("altpg_verify.report.html").joinpath(name).read_text(encoding="utf-8")


SCALARS, VECTORS = ("r", "b", "v"), ("pi", "e", "q", "h", "theta")
"""What a formula may ask for, one number and one for each action."""


def symbolic_estimate(estimator: Estimator) -> list[Any]:
    """The entries of the estimate as sympy expressions in pi_0, e_0, ..., r, b, v: what its formula
    returns on symbols.
    """
    import numpy as np
    from sympy import symbols, sympify

    scalars = {name: symbols(name) for name in SCALARS}
    vectors = {name: np.array(symbols(f"{name}_:{ACTIONS}"), dtype=object) for name in VECTORS}
    return [sympify(entry) for entry in estimator.at({**scalars, **vectors})]


def formula_in_javascript(estimator: Estimator) -> str:
    """`(pi, e, r, b, q, v, h, theta) => [...]`, printed by sympy from what the estimator's formula
    returns on symbols. Sign: ascent.

    Raises:
        ValueError: it uses a function that JavaScript lacks.
    """
    from sympy import jscode

    code = ", ".join(str(jscode(entry)) for entry in symbolic_estimate(estimator))
    if "Not supported" in code:
        raise ValueError(f"{estimator.name} uses a function that JavaScript lacks")
    # sympy's symbols are flat; the script of the page has arrays
    for name in VECTORS:
        for index in range(ACTIONS):
            code = re.sub(rf"\b{name}_{index}\b", f"{name}[{index}]", code)
    return f"(pi, e, r, b, q, v, h, theta) => [{code}]"


@dataclass(frozen=True)
class Grid:
    """Expected updates that were computed beforehand, between which the page interpolates.

    Args:
        rewards: (3,) of the actions.
        divisions: of each side of the triangle; the policies are those of `report.simplex.grid`.
        updates: for each fixed baseline, or for None where there is none, (policies, 3) E[ĝ],
            ascent direction.
        quantity: what they are, in words.
    """

    rewards: Sequence[float]
    divisions: int
    updates: Mapping[float | None, Any]
    quantity: str = "expected update"

    def javascript(self) -> str:
        """An object as the script of the simplex reads it, with six digits."""
        grids = [
            {
                "b": b,
                "divisions": self.divisions,
                "scale": max(1e-9, max(abs(entry) for each in table for entry in each)),
                "updates": [[float(f"{entry:.6g}") for entry in each] for each in table],
            }
            for b, values in self.updates.items()
            # below a millionth of a millionth there is only rounding
            for table in [[[round(float(entry), 12) for entry in each] for each in values]]
        ]
        return json.dumps(
            {"rewards": list(map(float, self.rewards)), "quantity": self.quantity, "grids": grids},
            separators=(",", ":"),
        )


@dataclass(frozen=True)
class Playground:
    """The interactive simplex.

    Args:
        formulas: in JavaScript, by the names in the list: functions, or objects of `Grid`.
        first: the name that is chosen at first.
        note: what else is to be said below it.
    """

    formulas: Mapping[str, str]
    first: str
    note: str = ""

    def script(self) -> str:
        """The script, with the table of estimators in front."""
        table = ",\n".join(
            f"  {json.dumps(label)}: {formula}" for label, formula in self.formulas.items()
        )
        # "</script>" in a name would end the element that holds the script
        return f"const ESTIMATORS = {{\n{table}\n}};\n{asset('simplex.js')}".replace("</", "<\\/")

    def section(self) -> str:
        """The form and the empty triangle that the script fills."""
        return _section(
            list(self.formulas),
            self.first,
            self.note,
            sampled=any(code.startswith("(") for code in self.formulas.values()),
        )


def playground(estimators: Mapping[str, Estimator], first: str) -> Playground:
    """The simplex of these estimators, by the names in its list."""
    return Playground(
        {label: formula_in_javascript(one) for label, one in estimators.items()}, first
    )


def of_the_paper() -> Playground:
    """The simplex of the report on the paper."""
    return playground(ESTIMATORS, "alternate")


def _section(labels: Sequence[str], first: str, note: str, *, sampled: bool) -> str:
    choices = "".join(
        "<option"
        f' value="{escape(label)}"{" selected" if label == first else ""}>{escape(label.replace("_", " "))}</option>'
        for label in labels
    )
    rewards = "".join(
        _number(
            f"r{action}", f"reward of action {action + 1}", str(action + 1), "any", (-5, 5, 0.1)
        )
        for action in range(ACTIONS)
    )
    line = "The line is one run with sampled actions. " if sampled else ""
    also = f" {escape(note, quote=False)}" if note else ""
    return f"""<section id="try" class="chapter"><h2>The policy simplex</h2>
<div id="playground" class="playground">
<form class="controls" novalidate>
<label>estimator<select name="estimator">{choices}</select></label>
{rewards}
{_number("b", "baseline b", "4", "any", (-8, 8, 0.1))}
{_number("alpha", "stepsize α", "0.1", 'any" min="0.001" max="10', (0.05, 8, 0.05))}
<label>start<select name="start"><option value="uniform">uniform</option><option value="0">near action 1</option>
<option value="1">near action 2</option><option value="2">near action 3</option>
<option value="chosen">chosen point</option></select></label>
<button type="button" name="again">another sample</button>
</form>
<div class="stage"><svg class="simplex" viewBox="-0.2 -0.1 1.4 1.08" tabindex="0" role="group" aria-label="Policy simplex with arrows; arrow
keys move the start"></svg>
<dl class="facts" aria-live="polite"></dl></div>
</div>
<p class="small">Each point of the triangle is a policy over three actions; a corner always takes one action. Arrows show where the expected
update moves the policy, on a square-root scale; their colour says in which corner following it ends, black inside. {line}Choose
where it starts with the list, with a click in the triangle or with the arrow keys on it.{also}</p>
<noscript><p class="note">This part needs JavaScript; everything else on the page does without.</p></noscript>
</section>"""


def _number(
    name: str, summary: str, value: str, step: str, slider: tuple[float, float, float]
) -> str:
    """A number to type and a slider for it. Args: slider: its ends and its step."""
    low, high, by = slider
    return (
        f'<div class="quantity"><label for="number-{name}">{summary}</label><input type="range"'
        f' data-of="{name}" min="{low:g}" max="{high:g}" step="{by:g}" value="{value}"'
        f' aria-label="{summary}, slider"><input type="number" id="number-{name}" name="{name}"'
        f' value="{value}" step="{step}" required></div>'
    )
