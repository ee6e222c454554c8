"""The interactive simplex: the estimators' own formulas as JavaScript, and the form around the triangle."""

from __future__ import annotations

import json
from collections.abc import Sequence
from importlib import resources
from typing import Any

from altpg_verify.estimators import Estimator, alternate, expected_gradient, regular

ESTIMATORS = (regular, alternate, expected_gradient)
ACTIONS = 3


def asset(name: str) -> str:
    """A file of the page's own style or script."""
    return resources.files("altpg_verify.report.html").joinpath(name).read_text(encoding="utf-8")


def formula_in_javascript(estimator: Estimator) -> str:
    """`(pi, e, r, b, q, v, h) => [...]`, printed by sympy from what the estimator's formula returns on symbols. Sign: ascent."""
    import numpy as np
    from sympy import jscode, symbols

    def entries(name: str) -> Any:
        return np.array(symbols(f"{name}_:{ACTIONS}"), dtype=object)

    scalars = {name: symbols(name) for name in ("r", "b", "v")}
    vectors = {name: entries(name) for name in ("pi", "e", "q", "h")}
    estimate = estimator.at({**scalars, **vectors})
    code = ", ".join(str(jscode(entry)) for entry in estimate)
    for name in vectors:
        for index in range(ACTIONS):
            code = code.replace(f"{name}_{index}", f"{name}[{index}]")
    return f"(pi, e, r, b, q, v, h) => [{code}]"


def script(estimators: Sequence[Estimator] = ESTIMATORS) -> str:
    """The script of the simplex, with the table of estimators in front."""
    table = ",\n".join(f"  {json.dumps(one.name)}: {formula_in_javascript(one)}" for one in estimators)
    return f"const ESTIMATORS = {{\n{table}\n}};\n{asset('simplex.js')}"


def section(estimators: Sequence[Estimator] = ESTIMATORS) -> str:
    """The form and the empty triangle that the script fills."""
    choices = "".join(f'<option value="{one.name}">{one.name.replace("_", " ")}</option>' for one in estimators)
    rewards = "".join(
        f'<label>reward of action {action + 1}<input type="number" name="r{action}" value="{action + 1}" step="any" required></label>'
        for action in range(ACTIONS)
    )
    return f"""<section id="try" class="chapter"><h2>Try it: the policy simplex</h2>
<p>Each point of the triangle is a policy over three actions; a corner always takes one action. Arrows show where the expected update
moves the policy, on a square-root scale; their colour says where following it ends. The line is one run with sampled actions. Choose
where it starts with the list, or click in the triangle.</p>
<noscript><p class="note">This part needs JavaScript; everything else on the page does without.</p></noscript>
<div id="playground" class="playground">
<form class="controls">
<label>estimator<select name="estimator">{choices}</select></label>
{rewards}
<label>baseline b<input type="number" name="b" value="4" step="any" required></label>
<label>stepsize α<input type="number" name="alpha" value="0.1" step="any" min="0.001" max="10" required></label>
<label>start<select name="start"><option value="uniform">uniform</option><option value="0">near action 1</option>
<option value="1">near action 2</option><option value="2">near action 3</option>
<option value="chosen">chosen point</option></select></label>
<button type="button" name="again">another sample</button>
</form>
<div class="stage"><svg class="simplex" viewBox="-0.2 -0.1 1.4 1.08" role="img" aria-label="Policy simplex with arrows"></svg>
<dl class="facts" aria-live="polite"></dl></div>
</div>
</section>"""
