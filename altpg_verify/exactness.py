"""Whether a formula stays within exact numbers, and whether what it computes with them is
rounded.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from fractions import Fraction

import numpy as np

from altpg_verify.cases import Case
from altpg_verify.errors import BadEstimator
from altpg_verify.estimators import Estimator
from altpg_verify.exact import Raised, Undefined, ask, evaluate
from altpg_verify.number_types import Number
from altpg_verify.opaque_numbers import opaque
from altpg_verify.parameterisations import Parameterisation, softmax
from altpg_verify.symbolic import generic
from altpg_verify.wide import simple_cases

PROBED = 3
"""Cases on which it is asked whether a formula is exact."""


def is_exact(estimator: Estimator, parameterisation: Parameterisation = softmax) -> bool:
    """Whether the formula stays within exact rationals; if not, float64 is tried, and only then is
    it an error.

    Asked of a few simple cases with three actions: an exponential or a logarithm gives floats
    there.

    Raises:
        BadEstimator: it works on neither.
    """
    probe = [case for case in simple_cases(parameterisation, 60, 0) if case.k == 3][:PROBED]
    try:
        return all(is_rational(entry) for entry in _probed(estimator, probe))
    except BadEstimator as trouble:
        try:
            _probed(estimator, [case.as_float() for case in probe], Raised)
        except BadEstimator as error:
            # say what the float run said, unless only the exact one is telling
            raise error from trouble
        return False


def rounds(estimator: Estimator, parameterisation: Parameterisation) -> bool:
    """Whether the formula makes floats of its numbers: what it rounds then isn't exact, whatever
    its answer is made of.

    Found out on symbols, which refuse to be converted to floats and remember that they were asked.
    """
    # the preferences of a softmax policy are logarithms, which are floats
    if parameterisation.normalised and "theta" in estimator.needs:
        return True
    case = generic(3, parameterisation)
    with opaque() as refusals, suppress(BadEstimator, ArithmeticError):
        for action in range(case.k):
            ask(estimator, case, action, case.reward)
    return any("converts" in refusal for refusal in refusals)


def _probed(
    estimator: Estimator, probe: Sequence[Case], also: type[BadEstimator] = Undefined
) -> list[Number]:
    """All entries of the estimates on these cases; a point without a value is one of many, unless
    there are no others.

    Args:
        also: what else a point may raise.
    """
    found: list[Number] = []
    undefined: BadEstimator | None = None
    for case in probe:
        for _, action, reward in case.draws():
            try:
                found += list(evaluate(estimator, case, action, reward))
            except (Undefined, also) as error:
                undefined = undefined or error
    if not found and undefined is not None:
        raise undefined
    return found


def is_rational(entry: object) -> bool:
    """Whether an entry of an estimate is a whole number or a fraction, of any of the exact types;
    bools aren't.
    """
    return isinstance(entry, int | Fraction) and not isinstance(entry, bool | np.bool_)
