"""Purity established on many draws, as the tests of pure and impure programs ask for it."""

from __future__ import annotations

from fractions import Fraction

from altpg_verify.untrusted.purity import Purity, PurityEvidence

DRAWS = [(Fraction(r, 7), b) for r in range(-6, 7) for b in range(5)]


def establish(function, draws=DRAWS, **options) -> PurityEvidence:
    guard = Purity(function, "update 'mine'")
    answers = [function(*draw) for draw in draws]
    return guard.establish(lambda i: function(*draws[i]), answers, **options)
