"""Token sequences of one to three tokens, all of whose groups are enumerated, and losses as
trainers write them.
"""

from __future__ import annotations

from fractions import Fraction

from altpg_verify.audit.environments import decisions
from altpg_verify.audit.episodes import Episode
from altpg_verify.audit.policies import sigmoid_policy
from altpg_verify.audit.spaces import Space


def _episode(states, actions, rewards):
    return Episode(Fraction(1), states, actions, tuple(Fraction(each) for each in rewards))


def ragged(size: int = 3, longest: int = 3) -> Space:
    """Groups of sequences: token 0 ends one, of up to `longest` tokens."""
    episodes = [
        _episode((*range(n),), (*[1] * (n - 1), 0), (*[0] * (n - 1), Fraction(n, 5)))
        for n in range(1, longest + 1)
    ]
    episodes.append(_episode((*range(longest),), (1,) * longest, (0,) * longest))
    return decisions(
        episodes, sigmoid_policy(longest), ["1/3", "2/3", "1/2"][:longest], name="ragged"
    ).group(size)
