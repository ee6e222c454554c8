"""Appendix D.2: which estimator has the larger total variance on r = (0, 0, 1), with noise and
without, both with the true value.

Their means agree, so the variances differ as the mean squared norms do: alternate less regular is Σ
π_c m_c (2 π_c - S), where m_c = E[(R - r_π)² | A = c] and S = Σ π².
"""

from __future__ import annotations

from sympy import Expr, Rational, symbols

from altpg_verify.theory.gradients.gradient import EVERY_BANDIT
from altpg_verify.theory.proving.calculus import ON_POLICY
from altpg_verify.theory.proving.certificates import Signs
from altpg_verify.theory.proving.indicators import delta_c, indicating
from altpg_verify.theory.proving.notation import (
    SIMPLEX,
    V,
    c,
    equation,
    g_ALT,
    g_REG,
    j,
    pi,
    r,
    r_pi,
    sigma,
    total,
)
from altpg_verify.theory.proving.proof import Proof, derivation

S, Q, q, w, s = symbols("S Q q w s")
SQUARES = S - total(pi[j] ** 2, j)
"""Is zero."""
NAMES = [SIMPLEX, q + pi[c] - 1, SQUARES]


def _difference(summary: str, domain: str, noise: int) -> tuple[Proof, Expr]:
    """The general formula, and what it is for one reward of 1 and noise of this variance."""
    proof = Proof(summary, domain, where=ON_POLICY, given=[SIMPLEX, SQUARES])
    proof.note("Let S be the sum of the squared probabilities.", equation(S, total(pi[j] ** 2, j)))
    # traces of the covariance matrices
    apart = total(V(g_ALT[c]), c) - total(V(g_REG[c]), c)
    weighted = total(pi[j] * (sigma[j] ** 2 + (r[j] - r_pi) ** 2) * (2 * pi[j] - S), j)
    proof.equal("The sums of the elementwise variances differ by", apart, weighted)
    proof.note(
        "Now the reward of c is 1 and all others are 0, δ^c_j, so r_π is π_c. Let q = 1 - π_c, and"
        " Q >= 0 the rest of S."
    )
    proof.where, proof.given = indicating({delta_c: c}), NAMES
    value = total(pi[j] * delta_c[j], j)
    proof.equal("The value.", value, pi[c])
    closed = noise * S + 2 * pi[c] ** 2 * (S - pi[c] ** 2 + q**2) - pi[c] * q * S
    here = total(pi[j] * (noise + (delta_c[j] - pi[c]) ** 2) * (2 * pi[j] - S), j)
    proof.equal("So the difference is", here, closed)
    proof.where = {}
    return proof, closed


@derivation("alternate-noisier-with-noise")
def noisier() -> Proof:
    """S (1 - p q) + 2 p² (Q + q²) > 0.

    Appendix D.2, line 1141, the bandit with noise of variance one and the true value as the
    baseline. S = Σ π², p = π_c, q = 1 − p, Q = S − p²; the total variance is the trace of the
    covariance matrix.
    """
    proof, difference = _difference(
        "with noise of variance one the total variance of the alternate estimator is the larger one"
        " at every policy",
        EVERY_BANDIT
        + "; one action of reward 1, all others 0, as in r = (0, 0, 1); noise of variance one; 0 <"
        " π(c) < 1",
        1,
    )
    proof.signs = Signs(positive=(pi, q), nonnegative=(Q,))
    p = pi[c]
    # S (1 - p q) with S = p² + Q and 1 - p q = p² + p q + q², as p + q = 1
    witness = (p**2 + Q) * (p**2 + p * q + q**2) + 2 * p**2 * (Q + q**2)
    return proof.greater(
        "That is positive.", difference, 0, witness, given=[S - p**2 - Q, q + p - 1]
    )


@derivation("alternate-less-variance-near-optimum")
def less_near_optimum() -> Proof:
    """p q S - 2 p² (Q + q²) > 0 for p >= 9/10, as Q <= q².

    Appendix D.2, line 1141, corrected: without noise the alternate estimator has less variance near
    the optimum, not everywhere. 9/10 is a bound that makes the witness simple, not the best one.
    """
    proof, difference = _difference(
        "without noise the total variance of the alternate estimator is the smaller one if the best"
        " action has π(c) >= 9/10",
        EVERY_BANDIT
        + "; one action of reward 1, all others 0, as in r = (0, 0, 1); no noise; 9/10 <= π(c) < 1",
        0,
    )
    proof.note(
        "The other probabilities sum to q, so w = q² - Q isn't negative; and s = π_c - 9/10 isn't.",
        equation(w, q**2 - Q),
    )
    proof.signs = Signs(positive=(pi, q), nonnegative=(w, s))
    p = pi[c]
    witness = p * (q * (p * (Rational(1, 2) + 5 * s) + q**2) + w * (Rational(17, 10) + 3 * s))
    givens = [S - p**2 - Q, q + p - 1, w - q**2 + Q, s - p + Rational(9, 10)]
    return proof.greater("So it is negative.", 0, difference, witness, given=givens)
