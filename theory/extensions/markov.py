"""The exact fixed point with a fixed value b in every state of a Markov decision process: a
baseline high enough makes it unique.

The expected REINFORCE update stays where π = Φ(π), Φ(π)(a|s) proportional to 1/(b - q_π(s, a)).
Policies are compared state by state, by the largest Σ_a |π(a|s) - π'(a|s)|.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from sympy import IndexedBase, symbols

from altpg_verify.judging import Finding, searched
from altpg_verify.ledger import evidence
from altpg_verify.theory.chain import fixed_point as chain
from altpg_verify.theory.proving.certificates import Given, Signs
from altpg_verify.theory.proving.notation import SIMPLEX, c, equation, j, pi, total
from altpg_verify.theory.proving.proof import Proof, derivation

q, gain, loss, over, under, delta, size, room = map(
    IndexedBase, ("q", "x", "y", "over", "under", "delta", "s", "room")
)
"""Action values of one state; the positive and negative parts of π - π'; distances from the largest
and smallest value; dq/(b - q).
"""
most, least, N, bound, slack, gamma, u, eta, m, e, w = symbols(
    "q_max q_min N B slack gamma u eta m e w"
)
ANY_MDP = (
    "every finite MDP with discount γ < 1 and bounded rewards, b in every state, every state"
    " visited; q_max and span bound the action values of all policies"
)


@derivation("mdp-fixed-point-unique-above")
def contraction() -> Proof:
    """|Φ(π) - Φ(π')| <= γ span/(2 (1 - γ) (b - q_max)) |π - π'|.

    In the maximum over states of the L1 distance of policies. Four steps, each sharp enough for the
    chain with b = 6.
    """
    proof = Proof(
        "if b > q_max + γ span(q)/(2 (1 - γ)) the map π ↦ 1/(b - q_π), normalised, is a"
        " contraction: exactly one policy is fixed, and the iteration finds it. For training: a"
        " very optimistic value can't lead to different ends from different starts of it",
        ANY_MDP,
    )
    proof.note(
        "1. One state: let x and y be the positive and negative parts of π - π', each with the sum"
        " ½ Σ |π - π'|."
    )
    proof.signs = Signs(nonnegative=(gain, loss, over, under))
    change = total((gain[c] - loss[c]) * q[c])
    # positive parts times their distance to the largest value, negative ones to the smallest
    witness = total(gain[c] * over[c]) + total(loss[c] * under[c])
    givens = [
        Given(over[j] - most + q[j], each=j, weight=gain[j]),
        Given(under[j] - q[j] + least, each=j, weight=loss[j]),
        total(gain[j], j) - total(loss[j], j),
    ]
    proof.at_least(
        "So Σ (π - π') q <= ½ span Σ |π - π'|.",
        (most - least) * total(gain[c]),
        change,
        witness,
        given=givens,
    )
    proof.note(
        "2. By Bellman's equation N = max |v - v'| is at most this bound plus γ N; with u = 1 - γ"
        " and slack = B - u N, B the bound,"
    )
    proof.signs = Signs(positive=(u,), nonnegative=(slack,))
    proof.at_least("N <= B/(1 - γ).", bound / u, N, slack / u, given=[slack - bound + u * N])
    proof.note("So q changes by at most γ B/(1 - γ).")
    proof.note(
        "3. Φ is the softmax of -log(b - q). A change dq moves these preferences by δ = dq/(b - q),"
        " at most η = max |dq|/(b - q_max),"
    )
    proof.note(
        "and the policy by π (δ - Σ π δ). Let m = Σ π |δ - Σ π δ|, the change that is to be"
        " bounded."
    )
    # Σ π δ, by which the softmax takes off a common shift
    mean = total(pi[j] * delta[j], j)
    proof.signs = Signs(nonnegative=(pi, room))
    proof.equal(
        "The variance of δ is",
        total(pi[c] * (delta[c] - mean) ** 2),
        total(pi[c] * delta[c] ** 2) - mean**2,
        given=[SIMPLEX],
    )
    each = Given(room[j] - eta**2 + delta[j] ** 2, each=j, weight=pi[j])
    variance = total(pi[c] * delta[c] ** 2) - mean**2
    proof.at_least(
        "at most η²,", eta**2, variance, total(pi[c] * room[c]) + mean**2, given=[each, SIMPLEX]
    )
    proof.note("and with s = |δ - Σ π δ|, whose mean is m,", equation(m, total(pi[c] * size[c])))
    squares = total(pi[c] * size[c] ** 2)
    witness = total(pi[c] * (size[c] - m) ** 2)
    proof.at_least(
        "its mean square is at least m²: m <= η.",
        squares,
        m**2,
        witness,
        given=[m - total(pi[j] * size[j], j), SIMPLEX],
    )
    proof.note(
        "4. Together Φ is Lipschitz with γ span/(2 (1 - γ) (b - q_max)). With e = b - q_max = γ"
        " span/(2 (1 - γ)) + w, w > 0,"
    )
    span = most - least
    proof.signs = Signs(positive=(u, e, w))
    return proof.greater(
        "this is below one.",
        1,
        gamma * span / (2 * u * e),
        w / e,
        given=[w - e + gamma * span / (2 * u)],
    )


HIGH = Fraction(6)
"""Above 5.5, where the chain's constant is one: q is between 0 and 1, γ = 0.9."""
LIPSCHITZ = chain.DISCOUNT / (2 * (1 - chain.DISCOUNT) * (HIGH - 1))


def improved(right: list[Fraction], baseline: Fraction) -> list[Fraction]:
    """Φ of a policy of the chain, exactly: P(right|s) in proportion to 1/(b - q).

    One application of Φ in fractions, by the exact values of the policy; (5,) probabilities of
    going right.
    """
    v = chain.value(right)
    left_values = [Fraction(0), *(chain.DISCOUNT * one for one in v[:-1])]
    right_values = [*(chain.DISCOUNT * one for one in v[1:]), Fraction(1)]
    return [
        (baseline - x) / (2 * baseline - x - y)
        for x, y in zip(left_values, right_values, strict=True)
    ]


def _distance(one: list[Fraction], other: list[Fraction]) -> Fraction:
    return 2 * max(abs(x - y) for x, y in zip(one, other, strict=True))


@evidence("mdp-fixed-point-unique-above", kind="enumeration")
def chain_contracts() -> Finding:
    """The Lipschitz bound on pairs of policies of the chain with b = 6, in fractions.

    A check on cases, 32 corner policies and all their pairs: the proof is `contraction`.
    """
    # 1/8 and 7/8 in every state: far apart, and easy fractions
    corners = [[Fraction(x, 8) for x in choice] for choice in product((1, 7), repeat=chain.STATES)]
    pairs = [(one, other) for one in corners for other in corners if one < other]

    def sides(pair: tuple[list[Fraction], list[Fraction]]) -> tuple[Fraction, Fraction]:
        return _distance(*(improved(policy, HIGH) for policy in pair)), LIPSCHITZ * _distance(*pair)

    return searched(
        f"|Φ(π) - Φ(π')| <= {LIPSCHITZ} |π - π'| with b = 6",
        pairs,
        sides,
        "<=",
        domain="the five-state chain, γ = 0.9, all pairs of policies with P(right|s) in {1/8, 7/8}",
    )


@derivation("chain-value-at-higher-baseline", kind="certificate")
def higher_baseline() -> Proof:
    """b = 10: one fixed point, and v(s₃) = 0.272394 there, below the 0.297641 of b = 4.

    The uniform policy's value is what it tends to for b → ∞, as at the bandit's π*.
    """
    boxes = chain.certificate(Fraction(10))
    low, high = map(Fraction, boxes.data["value"])
    proof = Proof(
        "with b = 10 the chain has one fixed point, with v(s₃) = 0.272394: more optimism ends"
        " closer to the uniform policy",
        "the five-state chain, γ = 0.9, b = 10 in every state, all policies, no cut of episodes",
        rigorous_on_domain=True,
    )
    proof.note(
        "Every fixed point solves π(right|s) = (q(s, left) - b)/(q(s, left) + q(s, right) - 2 b)."
    )
    return proof.attach(
        boxes,
        f"Exact interval arithmetic shows one solution, with v(s₃) in [{float(low):.10f},"
        f" {float(high):.10f}].",
        value_at_fixed_point=float((low + high) / 2),
    ).include(_rounds(low, high))


def _rounds(low: Fraction, high: Fraction) -> Proof:
    """The interval lies within half a unit of the sixth decimal, in integers."""
    from sympy import Integer

    top, bottom = 2 * 272394 + 1, 2 * 272394 - 1
    scale = 2 * 10**6
    # cross-multiplied: integers, so that nothing rounds
    above = top * high.denominator, scale * high.numerator
    below = scale * low.numerator, bottom * low.denominator
    proof = Proof("", "").greater(
        "The upper end rounds to 0.272394 (multiplied out),",
        Integer(above[0]),
        Integer(above[1]),
        above[0] - above[1],
    )
    return proof.greater(
        "and so does the lower one.", Integer(below[0]), Integer(below[1]), below[0] - below[1]
    )
