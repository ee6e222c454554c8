"""The lemma on the moment generating function of a bounded variable (Hoeffding's), reduced to e^y
>= 1 + y and a square.
"""

from __future__ import annotations

from sympy import Rational, exp, log, symbols

from altpg_verify.theory.proving.certificates import Signs
from altpg_verify.theory.proving.notation import Partial, equation, h
from altpg_verify.theory.proving.proof import Proof, derivation

P, Q, X, low, high, s, s_low, s_high = symbols("P Q X l u s s_l s_u")
"""Weights of the two ends, a value of the variable, the two ends, φ' + Q, and the slack of e^y >= 1
+ y at the two ends.
"""


def chord(proof: Proof) -> Proof:
    """e^X <= P e^l + Q e^u for X = P l + Q u between l and u.

    The exponential is convex, so it lies below its chord; from e^y ≥ 1 + y at both ends.
    """
    proof.signs = Signs(positive=(P, Q), nonnegative=(s_low, s_high))
    proof.note(
        "Write a value between the ends as X = P l + Q u with P + Q = 1, and e^(l - X) = 1 + (l -"
        " X) + s_l, e^(u - X) = 1 + (u - X) + s_u."
    )
    proof.note("By the inequality e^y >= 1 + y neither s_l nor s_u is negative.")
    left = P * exp(low - X) + Q * exp(high - X)
    meaning = {exp: lambda y: 1 + y + (s_low if y.has(low) else s_high)}
    # the slacks of e^y >= 1 + y at both ends
    witness = P * s_low + Q * s_high
    return proof.at_least(
        "So e^X is at most P e^l + Q e^u.",
        left,
        1,
        witness,
        where=meaning,
        given=[P + Q - 1, P * low + Q * high - X],
    )


def two_points(proof: Proof) -> Proof:
    """φ(h) = log(P + Q e^h) - Q h <= h²/8.

    The standard proof of Hoeffding's lemma: φ(0) = φ′(0) = 0 and φ″ = s (1 − s) ≤ 1/4. The
    integration is the step that is taken in words.
    """
    proof.signs = Signs(positive=(P, Q))
    norm = P + Q * exp(h)
    proof.note(
        "In the mean X becomes E[X]: the bound is linear in it. With h = u - l, log(P e^l + Q e^u)"
        " - E[X] is φ(h) = log(P + Q e^h) - Q h:",
        log(norm) - Q * h,
    )
    proof.equal("as E[X] = l + Q h.", P * low + Q * high, low + Q * (high - low), given=[P + Q - 1])
    proof.note("φ(0) = 0. Its slope is φ'(h) = s - Q with", equation(s, Q * exp(h) / norm))
    proof.equal("by the chain rule for the logarithm.", Partial(norm, h) / norm, Q * exp(h) / norm)
    proof.equal(
        "The slope vanishes at h = 0, where e^h = 1.",
        Q * exp(h) / norm,
        Q,
        given=[P + Q - 1, exp(h) - 1],
    )
    proof.equal(
        "The second derivative is s (1 - s),",
        Partial(Q * exp(h) / norm, h),
        Q * exp(h) / norm * (1 - Q * exp(h) / norm),
    )
    proof.at_least("at most 1/4.", Rational(1, 4), s * (1 - s), (s - Rational(1, 2)) ** 2)
    return proof.note("Integrated twice, φ(h) <= h²/8.", h**2 / 8)


@derivation("mgf-bound")
def mgf_bound() -> Proof:
    """E[e^X] <= e^((u - l)²/8 + E[X]).

    Thm. upper_bound_mgf, line 760: Hoeffding's lemma, which the paper cites.
    """
    proof = Proof(
        "E[e^X] <= e^((u - l)²/8 + E[X]) for l <= X <= u",
        "every bounded random variable; e^y >= 1 + y; a function with φ(0) = φ'(0) = 0 and φ'' <="
        " 1/4 is at most h²/8",
    )
    return two_points(chord(proof))
