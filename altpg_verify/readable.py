"""Whether a formula may be read off its run on symbols: a guard before anything is derived of it,
and no evidence for anything.
"""

from __future__ import annotations

from altpg_verify.checks import check_estimator
from altpg_verify.estimators import Estimator
from altpg_verify.exactness import is_exact
from altpg_verify.parameterisations import softmax
from altpg_verify.proving import Prover
from altpg_verify.untrusted.intact import intact


def unreadable(estimator: Estimator) -> str:
    """Why what is derived of a formula on symbols doesn't hold of the formula; empty if it does.

    It must answer the same when it is asked again, run the same instructions on symbols as on
    numbers and give the same values, and divide by nothing that may be 0.

    Raises:
        BadEstimator: it draws random numbers, remembers earlier calls, writes into its arguments,
            or raised.
    """
    # what it answers is of no interest here, only that it answers alike
    check_estimator(estimator, only=["unbiased"], facts=False, on_fail="return")
    with intact(f"estimator {estimator.name!r}"):
        return Prover(estimator, softmax, is_exact(estimator)).unreadable()
