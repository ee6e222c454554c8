"""Confidence intervals for means of sampled numbers: by betting where their range is known, by the
normal limit where it isn't.

By betting (Waudby-Smith and Ramdas, "Estimating means of bounded random variables by betting", JRSS
B 2024, section 4): somebody who bets against "the mean is m" with stakes fixed before each number
is seen can't multiply a stake by 2/α but with a chance of α/2, if m is the mean (Ville's
inequality). The interval is what wasn't bet down. It holds at every sample size and for every
distribution in the range.
"""

from __future__ import annotations

import numpy as np

from altpg_verify.judging import normal_quantile

CAP = 0.75
"""The largest share of a stake that may be lost at once."""

HALVINGS = 60


def betting(values: np.ndarray, low: float, high: float, rate: float) -> tuple[float, float]:
    """An interval that holds the mean but with a chance of `rate`, whatever the distribution on
    [low, high].

    Args:
        values: (n,) independent, all of one distribution; in the order in which they were drawn.
        low, high: the range.
        rate: how often the interval may miss.
    """
    if high <= low:
        return low, high
    scaled = np.clip((values - low) / (high - low), 0.0, 1.0)
    lower = _bet_down(scaled, rate / 2)
    upper = 1 - _bet_down(1 - scaled, rate / 2)
    return low + lower * (high - low), low + upper * (high - low)


def _bet_down(x: np.ndarray, rate: float) -> float:
    """The largest m in [0, 1], but for rounding, such that bets on a mean above m multiplied the
    stake by 1/rate at some time.
    """
    count = len(x)
    numbers = np.arange(1, count + 1)
    # what is known before each number: a mean and a variance, each begun with one number that was
    # never drawn
    means = (0.5 + np.cumsum(x)) / (numbers + 1)
    squares = np.cumsum((x - means) ** 2)
    spread = np.concatenate([[0.25], (0.25 + squares[:-1]) / numbers[1:]])
    stakes = np.sqrt(2 * np.log(1 / rate) / (count * spread))

    def won(mean: float) -> bool:
        # falls as the mean grows, term by term, for stakes and for what caps them alike
        capital = np.cumsum(np.log1p(np.minimum(stakes, CAP / mean) * (x - mean)))
        return bool(capital.max() >= np.log(1 / rate))

    inside, outside = 0.0, 1.0
    for _ in range(HALVINGS):
        middle = (inside + outside) / 2
        if middle > 0 and won(middle):
            inside = middle
        else:
            outside = middle
    return inside


def normal(values: np.ndarray, rate: float) -> tuple[float, float]:
    """An interval that holds the mean but with a chance of about `rate`, if the sum of so many
    numbers is nearly normal.

    That is an assumption: finite variance, and no outcome so rare that the sample says nothing of
    it (see `unseen`).

    Args:
        values: (n,) independent, all of one distribution.
        rate: how often the interval may miss.
    """
    mean = float(values.mean())
    error = float(values.std(ddof=1)) / len(values) ** 0.5
    # the mean of so many equal numbers isn't theirs to the last bit
    reach = normal_quantile(1 - rate / 2) * error + 4 * np.finfo(float).eps * float(
        np.abs(values).max(initial=0.0)
    )
    return mean - reach, mean + reach


def unseen(draws: int, rate: float) -> float:
    """The largest chance of an outcome that so many draws may well have missed: with a chance above
    `rate`.
    """
    return float(-np.expm1(np.log(rate) / draws))
