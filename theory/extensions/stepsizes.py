"""Stepsizes for theorem 1 that don't depend on the policy, and bandits on which the constant in
them can't be improved.
"""

from __future__ import annotations

from sympy import Symbol, symbols

from altpg_verify.theory.attraction.kl import divergence_change
from altpg_verify.theory.fixed_points.fixed_baseline import OPTIMISTIC_DOMAIN, dist
from altpg_verify.theory.proving.certificates import Signs
from altpg_verify.theory.proving.notation import (
    SIMPLEX,
    a,
    alpha,
    c,
    d,
    equation,
    j,
    pi,
    pi_star,
    total,
)
from altpg_verify.theory.proving.proof import Proof, derivation

K, rest, room, excess, most, v, s, eps, w = symbols("K rest room excess D v s epsilon w")
STAR = {pi_star: lambda action: K / dist[action]}
K_IS = K * total(1 / dist[j], j) - 1
"""Is zero: K = (Σ 1/(b - r))⁻¹ = |κ|."""


@derivation("uniform-stepsize-two-smallest-rewards")
def two_smallest_rewards() -> Proof:
    """8 A/ρ² >= 8/(d_a + d_c) for the two actions that attain the range ρ.

    The paper's bound (eq. upper_bound_alpha_fixed_pt_attractor) minimised over policies: the worst
    policy has its range on the two worst actions.
    """
    proof = Proof(
        "α < 8/(2 b - r(1) - r(2)) with the two smallest rewards makes every expected step descend"
        " in KL: one number that holds for every policy, from the paper's own bound. For training:"
        " compute it from b and the two worst rewards",
        OPTIMISTIC_DOMAIN + ", k >= 2, every interior policy other than π*",
    )
    proof.note(
        "The paper's bound is α < 8 A/ρ², with A the Cauchy-Schwarz difference, K = |κ| and ρ the"
        " range of π (b - r). Let d = b - r."
    )
    proof.signs = Signs(positive=(K, dist))
    # minus the entry of the update, without its common part
    pushed = dist[c] * (pi[c] - pi_star[c])
    squares = total(dist[c] * (pi[c] - pi_star[c]) ** 2)
    proof.equal(
        "A is a sum of squares,",
        total(pi[c] ** 2 * dist[c]) - K,
        squares,
        given=[SIMPLEX, K_IS],
        where=STAR,
    )
    proof.equal(
        "of u_c = π_c d_c - K over d_c,",
        squares,
        total((pi[c] * dist[c] - K) ** 2 / dist[c]),
        where=STAR,
    )
    proof.equal(
        "and ρ is the range of u as well:",
        pi[a] * dist[a] - pi[d] * dist[d],
        pushed.subs(c, a) - pushed.subs(c, d),
        where=STAR,
    )
    one, other = symbols("u_1 u_2")
    proof.note("Let a and d attain the range, u_1 and u_2, and rest >= 0 be the other squares.")
    proof.signs = Signs(positive=(dist,), nonnegative=(rest,))
    # completing the square: u_1²/d_a + u_2²/d_d is at least (u_1 - u_2)²/(d_a + d_d)
    witness = (dist[d] * one + dist[a] * other) ** 2 / (
        dist[a] * dist[d] * (dist[a] + dist[d])
    ) + rest
    least = (one - other) ** 2 / (dist[a] + dist[d])
    proof.at_least(
        "Then A >= ρ²/(d_a + d_d),", one**2 / dist[a] + other**2 / dist[d] + rest, least, witness
    )
    proof.signs = Signs(positive=(dist, most), nonnegative=(room,))
    gain = 8 * room / ((dist[a] + dist[d]) * most)
    return proof.at_least(
        "so 8 A/ρ² is at least 8 over the sum D of the two largest d.",
        8 / (dist[a] + dist[d]),
        8 / most,
        gain,
        given=[room - most + dist[a] + dist[d]],
    )


@derivation("uniform-stepsize-by-largest-gap")
def largest_gap() -> Proof:
    """Σ 1/(b - r) >= k/max (b - r).

    Weaker than Σ 1/(b − r) and simpler: only k and the smallest reward enter.
    """
    proof = Proof(
        "α <= k/max (b - r) is below Σ 1/(b - r), so every expected step descends in KL. For"
        " training: more actions allow larger stepsizes, a more optimistic baseline demands smaller"
        " ones",
        OPTIMISTIC_DOMAIN,
        Signs(positive=(dist, most), nonnegative=(excess,)),
    )
    proof.note(
        "Let D be the largest d = b - r, and excess = Σ (D - d_c)/d_c, which isn't negative."
    )
    return proof.at_least(
        "Then Σ 1/d exceeds k/D by excess/D.",
        total(1 / dist[j], j),
        total(1, j) / most,
        excess / most,
        given=[excess - total((most - dist[j]) / dist[j], j)],
    )


@derivation("uniform-stepsize-constant-sharp", kind="certificate")
def sharp() -> Proof:
    """k = 2, b - r = (1, ε): at α = s/|κ| with s > 1 a policy exists whose divergence grows.

    For each factor s > 1 a bandit on which s times the bound fails; two arms do, one of them close
    to b.
    """
    proof = divergence_change(
        "for every s > 1 the stepsize s Σ 1/(b - r) lets the divergence from π* grow on some"
        " bandit: the constant 1 in α <= Σ 1/(b - r) is the best one. Near-ties of the best reward"
        " with b are the bandits that need the small stepsize",
        "k = 2, every s > 1, the bandit and the policy given",
    )
    proof.given, proof.where = [], {}
    proof.note(
        "Put s = 1 + v with v > 0. The bandit has b - r = (1, ε), the policy π_1 = v/(2 s).",
        equation(eps, v**2 / (2 * (2 + v) ** 2)),
    )
    # everything in v > 0, so that signs can be read off
    at = {s: 1 + v, eps: v**2 / (2 * (2 + v) ** 2), w: (2 + v) / (2 * (1 + v))}
    proof.signs = Signs(positive=(v,))
    proof.equal("With w = π_2 the probabilities sum to one.", v / (2 * (1 + v)) + w, 1, where=at)
    proof.equal(
        "Here 1/|κ| = 1 + 1/ε; the stepsize is s times this, and α |κ| = s:",
        alpha * K,
        s,
        where={**at, alpha: s * (1 + 1 / eps), K: 1 / (1 + 1 / eps)},
    )
    exponent = Symbol("x")
    proof.note(
        "log Z - H = log Σ π e^x with x_2 = s - α ε w.",
        equation(exponent, s - s * (1 + 1 / eps) * eps * w),
    )
    value = w * (1 + s - s * (1 + 1 / eps) * eps * w)
    proof.greater(
        "By e^y >= 1 + y the term of action 2 alone is more than",
        value,
        1,
        v**2 / (8 * (1 + v)),
        where=at,
    )
    return proof.note("So the sum exceeds one, its logarithm zero: the divergence grows.")
