"""Where the policy goes for a baseline between the two best rewards, and at the best reward itself:
the top of the phase portrait in b.
"""

from __future__ import annotations

from sympy import exp, symbols

from altpg_verify.theory.fixed_points.fixed_baseline import GROWTH, growth, next_policy
from altpg_verify.theory.proving.calculus import ON_POLICY
from altpg_verify.theory.proving.certificates import Signs
from altpg_verify.theory.proving.notation import a, alpha, b, c, equation, pi, pi_next, r
from altpg_verify.theory.proving.proof import Proof, derivation

below, s, t, z, y, slack, d, u, left = symbols("h s t z y slack d u w")
ANY_STEPSIZE = "every k, every α > 0, every interior start"


@derivation("baseline-below-best-reaches-optimum")
def reaches_optimum() -> Proof:
    """Only the best action has r > b, so every ratio to it falls by e^(-α π_0 (r - b)) or more at
    each step.

    The rate is at least α π_0(a) (r_a − b) a step. All other pushes are zero or downwards, so π_a
    only grows.
    """
    proof = Proof(
        "with b between the second best and the best reward the expected update reaches the optimum"
        " from every start, geometrically: the best fixed baseline is just below the best reward,"
        " and it needs no small stepsize",
        ANY_STEPSIZE + ", a unique best action a, r(c) <= b < r(a) for all other c",
        Signs(positive=(pi, growth)),
        where={**ON_POLICY, **GROWTH, pi_next: next_policy},
    )
    lead, other = pi[a] * (r[a] - b), pi[c] * (r[c] - b)
    quotient = pi[c] / pi[a] * exp(alpha * other) / exp(alpha * lead)
    proof.equal("The ratio of c to a after the step.", pi_next[c] / pi_next[a], quotient)
    proof.where = {}
    proof.signs = Signs(positive=(alpha, pi, t, s), nonnegative=(below,))
    proof.note("Let t = r_a - b > 0 and h = b - r_c >= 0.")
    givens = [t - r[a] + b, below - b + r[c]]
    proof.at_least(
        "Its logarithm falls by",
        alpha * lead - alpha * other,
        alpha * pi[a] * t,
        alpha * pi[c] * below,
        given=givens,
    )
    proof.note("or more. So all ratios to a fall, and π_a grows, by s > 0 say:")
    proof.greater(
        "the next fall is larger still.", alpha * (pi[a] + s) * t, alpha * pi[a] * t, alpha * s * t
    )
    return proof.note(
        "After n steps every ratio π_c/π_a has fallen by e^(-α n π_0(a) (r_a - b)) or more: π_a"
        " tends to one."
    )


@derivation("baseline-at-best-reward-is-critical")
def at_best_reward() -> Proof:
    """b = r_a: 1/z, with z = π_c/π_a, grows like the number of steps, neither slower nor faster.

    At b = max r the best action isn't pushed at all, and others are pushed down in proportion to
    their probability: 1/t decay, where a smaller b gives a geometric one.
    """
    proof = Proof(
        "at b = max r the policy still tends to the optimum, but 1 - π(a) only falls like 1/t: the"
        " baseline at which optimism starts to cost",
        ANY_STEPSIZE + ", a unique best action a, b = r(a)",
        Signs(positive=(pi, growth)),
        where={**ON_POLICY, **GROWTH, pi_next: next_policy},
    )
    quotient = pi[c] / pi[a] * exp(alpha * pi[c] * (r[c] - b)) / exp(alpha * pi[a] * (r[a] - b))
    proof.equal("The ratio of c to a after the step.", pi_next[c] / pi_next[a], quotient)
    proof.note(
        "The second exponential is one. Let d = b - r_c > 0 and z = π_c/π_a: the ratio becomes z"
        " e^(-α d π_c). All ratios fall."
    )
    proof.where = {}
    proof.signs = Signs(positive=(alpha, d, z, pi), nonnegative=(slack,))
    proof.note("By e^y = 1 + y + slack at y = α d π_c,", equation(y, alpha * d * pi[c]))
    grown = (1 + alpha * d * z * pi[a] + slack) / z
    proof.at_least(
        "1/z grows by α d π_a >= α d π_0(a) or more at each step,",
        grown,
        1 / z + alpha * d * pi[a],
        slack / z,
    )
    proof.signs = Signs(positive=(alpha, d, z, left), nonnegative=(slack, u))
    proof.note(
        "so z tends to zero like 1/t or faster. As π_c <= z, e^(-α d π_c) >= 1 - α d z; once w = 1"
        " - α d z > 0,"
    )
    proof.equal(
        "1/z grows at most by α d/w, a bounded amount:",
        1 / (z * left) - 1 / z,
        alpha * d / left,
        given=[left - 1 + alpha * d * z],
    )
    return proof.note("so z falls no faster than 1/t either.")
