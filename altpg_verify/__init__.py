"""Know whether a policy-gradient estimator is what it claims to be.

Table of contents, in reading order; every name is loaded when it is first used.

    estimators         what an estimator is; `regular`, `alternate`, `expected_gradient`, `@estimator`
    parameterisations  softmax, escort, or your own
    cases              a policy, a bandit with finitely many outcomes, a baseline; in any numbers
    exact              expectation, variance, gradient, Jacobian by enumeration
    symbolic           the one case that stands for all with k actions
    strategies         Hypothesis strategies for all of these
    laws               each law once: a statement and its two sides
    checks             `check_estimator`: prove, search, shrink, recognise
    parametrize        `parametrize_with_checks`: each law as a test under pytest
    gaps               the formula of what separates two sides
    dynamics, facts    policy fixed points, attraction, the value converged to
    audit              anyone's loss, batch, trajectory or group estimator: what it follows, by exact enumeration
    results            verdicts as data and as text
    judging, ledger    claims, evidence, and the judges that compute a verdict
    report             the roof: ledger, figures and PDF (`python -m altpg_verify.report`)

Vocabulary. θ, action preferences (logits); π, policy; e, the one-hot sampled action; R, sampled reward or return; b, baseline;
q and v, values of actions and of the policy; ĝ, an estimate; saturated, near a corner of the simplex; optimistic and
pessimistic, a baseline above or below every reward.
"""

from __future__ import annotations

import os
from typing import Any

from altpg_verify.lazy import listed, load

if os.path.isfile(os.path.join(__path__[0], "sim")):
    # git wrote a text file, for want of symbolic links: the folders `sim` and `theory` are found where they lie, beside this one
    __path__.append(os.path.dirname(os.path.abspath(__path__[0])))

_HOMES = {
    "BadEstimator": "errors",
    "BadInput": "errors",
    "Case": "cases",
    "CheckResult": "results",
    "Claim": "ledger",
    "Estimator": "estimators",
    "EstimatorCheckError": "results",
    "LAWS": "laws",
    "Law": "laws",
    "Parameterisation": "parameterisations",
    "Report": "results",
    "Verdict": "verdicts",
    "alternate": "estimators",
    "bandit": "cases",
    "check_estimator": "checks",
    "escort": "parameterisations",
    "estimator": "estimators",
    "evidence": "ledger",
    "expected_gradient": "estimators",
    "fixed_points": "dynamics",
    "parametrize_with_checks": "parametrize",
    "regular": "estimators",
    "softmax": "parameterisations",
}

__version__ = "0.1.0"
__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:
    return load(__name__, _HOMES, name)


def __dir__() -> list[str]:
    return listed(__name__, _HOMES)
