"""P20: returns to go standardised within one episode.

Reported in alessiodm/drl-zh #5, pytorch/examples #590, keon/policy-gradient #5.
"""

import numpy as np

from altpg_verify.audit.fixtures import survival, three_arms, two_decisions
from altpg_verify.audit.function_updates import from_function
from tests.gallery.cases.p16_missing_discount import rewards_to_go

SPACE = two_decisions().having(ddof=0)


def weighted(weights, scores):
    return (np.asarray(weights)[:, None] * scores).sum(axis=0)


def centred(rewards, scores, discount):
    returns = np.array(rewards_to_go(rewards, discount))
    return weighted(returns - returns.mean(), scores)


def divided(rewards, scores, discount):
    """Divided by the standard deviation, not centred; nothing where all returns are equal."""
    returns = np.array(rewards_to_go(rewards, discount))
    std = returns.std()
    return weighted(returns / std if std > 0 else 0 * returns, scores)


def standardised(rewards, scores, discount, ddof):
    """(G - mean) / std; nothing where all returns are equal."""
    returns = np.array(rewards_to_go(rewards, discount))
    std = returns.std(ddof=ddof)
    return weighted((returns - returns.mean()) / std if std > 0 else 0 * returns, scores)


centred_only = from_function(centred, space=SPACE, name="centred_only")
divided_only = from_function(divided, space=SPACE, name="divided_only")
standardised_returns = from_function(standardised, space=SPACE, name="standardised_returns")
centred_survival = centred_only.on(survival())
standardised_bandit = standardised_returns.on(three_arms().having(ddof=0))
