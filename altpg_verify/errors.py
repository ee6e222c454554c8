"""Errors a user can mend: one sentence that names the argument, what was wrong and what to do.

The command line prints the sentence and exits with code 2; nothing else raises these.
"""

from __future__ import annotations


class BadInput(ValueError):
    """Something the user gave can't be used; the message says what to change.

    A `ValueError`, so that callers who don't know this package catch it as one. The command line
    exits with code 2.
    """


class Missing(BadInput):
    """What was asked for has not been made, or was made by other code; the message says how to make
    it.
    """


class BadEstimator(BadInput):
    """An estimator broke its contract: shape, real finite numbers, no exception, known arguments.

    The message names the draw (action, reward and case) at which it did. That is no verdict:
    nothing was found out about the laws.
    """
