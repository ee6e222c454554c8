"""Know whether a policy-gradient estimator is what it claims to be.

Table of contents, in reading order; every name is loaded when it is first used.

    estimators         what an estimator is; `regular`, `alternate`, `expected_gradient`,
                       `@estimator`
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
    audit              any loss, batch, trajectory or group estimator: what it follows, by exact
                       enumeration
    results            verdicts as data and as text
    ledger, ledger_building  claims and evidence, and the verdicts that follow
    judging            the judges; certificate_kinds, relations, finding_figures: what they accept,
                       compare and print
    report             ledger, figures, PDF and HTML (`python -m altpg_verify.report`)

Vocabulary. θ, action preferences (logits); π, policy; e, the one-hot sampled action; R, sampled
reward or return; b, baseline; q and v, values of actions and of the policy; ĝ, an estimate;
saturated, near a corner of the simplex; optimistic and pessimistic, a baseline above or below every
reward.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from altpg_verify.lazy import listed, load

if os.path.isfile(os.path.join(__path__[0], "sim")):
    # git wrote a text file, for want of symbolic links: the folders `sim` and `theory` are found
    # where they lie, beside this one
    __path__.append(os.path.dirname(os.path.abspath(__path__[0])))

if TYPE_CHECKING:
    # the same names once more, for type checkers and editors
    from altpg_verify.cases import Case as Case
    from altpg_verify.cases import bandit as bandit
    from altpg_verify.checks import check_estimator as check_estimator
    from altpg_verify.dynamics import fixed_points as fixed_points
    from altpg_verify.errors import BadEstimator as BadEstimator
    from altpg_verify.errors import BadInput as BadInput
    from altpg_verify.estimators import Estimator as Estimator
    from altpg_verify.estimators import alternate as alternate
    from altpg_verify.estimators import estimator as estimator
    from altpg_verify.estimators import expected_gradient as expected_gradient
    from altpg_verify.estimators import regular as regular
    from altpg_verify.exact import expected_update as expected_update
    from altpg_verify.exact import policy_gradient as policy_gradient
    from altpg_verify.judging import Finding as Finding
    from altpg_verify.law_domains import ANYWHERE as ANYWHERE
    from altpg_verify.law_domains import AT_VALUE as AT_VALUE
    from altpg_verify.laws import LAWS as LAWS
    from altpg_verify.laws import Law as Law
    from altpg_verify.ledger import Claim as Claim
    from altpg_verify.ledger import evidence as evidence
    from altpg_verify.parameterisations import Parameterisation as Parameterisation
    from altpg_verify.parameterisations import escort as escort
    from altpg_verify.parameterisations import softmax as softmax
    from altpg_verify.parametrize import parametrize_with_checks as parametrize_with_checks
    from altpg_verify.results import CheckResult as CheckResult
    from altpg_verify.results import EstimatorCheckError as EstimatorCheckError
    from altpg_verify.results import Report as Report
    from altpg_verify.verdicts import Verdict as Verdict

_HOMES = {
    "ANYWHERE": "law_domains",
    "AT_VALUE": "law_domains",
    "BadEstimator": "errors",
    "BadInput": "errors",
    "Case": "cases",
    "CheckResult": "results",
    "Claim": "ledger",
    "Estimator": "estimators",
    "EstimatorCheckError": "results",
    "Finding": "judging",
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
    "expected_update": "exact",
    "fixed_points": "dynamics",
    "parametrize_with_checks": "parametrize",
    "policy_gradient": "exact",
    "regular": "estimators",
    "softmax": "parameterisations",
}

__version__ = "0.1.0"
__all__ = sorted(_HOMES)


if not TYPE_CHECKING:
    # a name that isn't there is an error for type checkers, too
    def __getattr__(name: str) -> Any:
        return load(__name__, _HOMES, name)


def __dir__() -> list[str]:
    return listed(__name__, _HOMES)
