"""Dynamics with a fixed baseline: linear stability at π*, the stationary mean of the sampled
update, the basins of the corners.
"""

from __future__ import annotations

from sympy import IndexedBase, Symbol, exp, symbols

from altpg_verify.theory.fixed_points.bias import falls
from altpg_verify.theory.fixed_points.fixed_baseline import (
    EITHER_SIDE,
    GROWTH,
    KAPPA,
    OPTIMISTIC_DOMAIN,
    dist,
    gap,
    growth,
    next_policy,
)
from altpg_verify.theory.proving.calculus import ON_POLICY, SOFTMAX
from altpg_verify.theory.proving.certificates import Given, Signs
from altpg_verify.theory.proving.notation import (
    E,
    Partial,
    a,
    alpha,
    b,
    c,
    equation,
    ghat_ALT,
    j,
    kappa,
    pi,
    pi_next,
    pi_star,
    r,
    theta,
    total,
)
from altpg_verify.theory.proving.proof import Proof, derivation

direction, average = IndexedBase("v"), IndexedBase("mu")
"""A change of the preferences, and E[π_a] in a stationary law."""
K, w, t, s, q = symbols("K w t s q")


@derivation("local-stability-threshold")
def local_stability() -> Proof:
    """The step's Jacobian at π* is I + ακ (I - 1 π*ᵀ).

    Beyond the paper's line 198, which shows descent for small α: how small is enough near π*. For r
    = (1, 2, 3) and b = 4, κ = −6/11 and 2/|κ| = 11/3.
    """
    proof = Proof(
        "the linearised step has the eigenvalue 1 - α|κ|, k - 1 times modulo the shift: stable"
        " exactly if α < 2/|κ|",
        OPTIMISTIC_DOMAIN + ", every k >= 2, α > 0",
        where=SOFTMAX,
    )
    step = alpha * pi[a] * (r[a] - b)
    proof.equal(
        "Derivative of the step of a in another preference,", Partial(step, theta[c]), -step * pi[c]
    )
    proof.equal("and in its own.", Partial(step, theta[a]), step * (1 - pi[a]))
    proof.note("At π* each π_a (r_a - b) is κ; so the Jacobian of θ + step is I + ακ (I - 1 π*ᵀ).")
    proof.where = {}
    # the Jacobian times v, with κ for each π_a (r_a - b)
    moved = direction[a] + alpha * kappa * (direction[a] - total(pi_star[c] * direction[c]))
    orthogonal = total(pi_star[c] * direction[c])
    proof.equal(
        "A direction v with Σ π* v = 0 is stretched by 1 + ακ:",
        moved,
        (1 + alpha * kappa) * direction[a],
        given=[orthogonal],
    )
    proof.note(
        "these directions have dimension k - 1. The remaining one, the shift of all θ, doesn't move"
        " the policy:"
    )
    shift = 1 + alpha * kappa * (1 - total(pi_star[c]))
    proof.equal("its eigenvalue is one.", shift, 1, given=[total(pi_star[c]) - 1])
    proof.note(
        "With an optimistic baseline κ = -K is negative. With w = 2 - αK,",
        equation(w, 2 - alpha * K),
    )
    proof.signs = Signs(positive=(alpha, K, w))
    proof.greater(
        "α < 2/K makes the eigenvalue smaller than one in size,",
        1,
        (1 - alpha * K) ** 2,
        alpha * K * w,
        given=[w - 2 + alpha * K],
    )
    proof.signs = Signs(positive=(alpha, K), nonnegative=(w,))
    return proof.at_least(
        "α >= 2/K doesn't.", (1 - alpha * K) ** 2, 1, alpha * K * w, given=[w - alpha * K + 2]
    )


@derivation("stationary-mean-is-pi-star")
def stationary_mean() -> Proof:
    """Σ_t E[π_t(a)] (r_a - b) telescopes; in a stationary law all E[π_a] (r_a - b) agree, so E[π] =
    π*.

    Beyond the paper's line 198: sampled updates never settle at π*, and their mean policy is π* all
    the same. A telescoping sum; no approximation for small α is needed.
    """
    start, now, after, so_far, later = symbols("Theta_0 Theta_T Theta_next S_T S_next")
    proof = Proof(
        "Σ_{t<T} E[π_t(a)] (r(a) - b) = E[θ_T(a) - θ_0(a)]/α for every T; a stationary law has E[π]"
        " = π*, whatever the stepsize",
        OPTIMISTIC_DOMAIN
        + ", every noise law, every α > 0; for the second part, a stationary law with integrable"
        " log-ratios",
        Signs(nonzero=(alpha, gap, kappa)),
        where=ON_POLICY,
    )
    proof.equal(
        "Given the policy, a step moves θ_a in the mean by α times",
        E(ghat_ALT[a]),
        pi[a] * (r[a] - b),
    )
    proof.note(
        "Induct on T: S_T is the sum before step T, Θ_T the mean preference, μ_a the mean"
        " probability; at T = 0 both sides are zero."
    )
    givens = [
        so_far - (now - start) / alpha,
        after - now - alpha * average[a] * (r[a] - b),
        later - so_far - average[a] * (r[a] - b),
    ]
    proof.equal("If it holds at T it holds after.", later, (after - start) / alpha, given=givens)
    proof.note(
        "In a stationary law the mean of θ_a - θ_c is constant, so the mean steps of any two"
        " actions agree: μ_a (r_a - b) = κ'."
    )
    proof.where = {**EITHER_SIDE, pi_star: lambda action: kappa / (r[action] - b)}
    common = Symbol("kappa'")
    each = Given(average[j] * (r[j] - b) - common, each=j, weight=1 / (r[j] - b))
    proof.equal(
        "The means of probabilities sum to one, so κ' is κ,",
        common,
        kappa,
        given=[each, KAPPA, total(average[j], j) - 1],
    )
    return proof.equal(
        "and μ is π*.",
        average[a],
        pi_star[a],
        given=[average[a] * (r[a] - b) - common, common - kappa],
    )


@derivation("exact-basins", kind="certificate")
def basins() -> Proof:
    """The leader of π (r - b) stays the leader, by a gap that never falls below a positive
    number.

    Beyond the paper's line 198: for b < max r, which the paper's optimistic and pessimistic cases
    leave out in part. The ratios to the leader fall at least geometrically; that this makes π_a → 1
    is said in words.
    """
    below = Symbol("h")
    proof = Proof(
        "with b < max r the expected update takes the policy to the corner of argmax π_0(a) (r(a) -"
        " b), for every α > 0",
        "every k, every r, every α > 0, an interior start with one largest π(a) (r(a) - b),"
        " positive; the limit itself is argued in words",
        Signs(positive=(pi, growth)),
        where={**ON_POLICY, **GROWTH, pi_next: next_policy},
    )
    lead, other = pi[a] * (r[a] - b), pi[c] * (r[c] - b)
    proof.note("Let a lead: π_a (r_a - b) is positive and exceeds π_c (r_c - b) for all c ≠ a.")
    quotient = pi[c] / pi[a] * exp(alpha * other) / exp(alpha * lead)
    proof.equal(
        "Each ratio to the leader is multiplied by e^(-α gap).", pi_next[c] / pi_next[a], quotient
    )
    proof.note(
        "By e^y > 1 for y = α gap > 0, e^(-α gap) = 1 - q with q > 0. All ratios shrink, so π_a"
        " grows, by s say.",
        equation(q, 1 - exp(-alpha * (lead - other))),
    )
    proof.where = {**EITHER_SIDE}
    proof.signs = Signs(positive=(gap, pi, t, s, q))
    proof.note(
        "Take an action c with r_c > b, the gap t = π_a (r_a - b) - π_c (r_c - b); after the step"
        " it is π_a + s times this."
    )
    after = (pi[a] + s) * ((r[a] - b) - pi[c] / pi[a] * (1 - q) * (r[c] - b))
    # growth of the leader times the old gap, and the loss of the follower
    witness = s * t / pi[a] + (pi[a] + s) * pi[c] / pi[a] * q * (r[c] - b)
    proof.greater("The gap grows.", after, t, witness, given=[t - lead + other])
    proof.note(
        "Take an action c with r_c <= b. The new gap is at least the leader's own value, which"
        " grows."
    )
    proof.signs = Signs(positive=(gap, pi, s), nonnegative=(below,))
    grown = (pi[a] + s) * (r[a] - b) + pi[c] * below
    proof.greater("With h = b - r_c >= 0,", grown, lead, s * (r[a] - b) + pi[c] * below)
    return proof.note(
        "So every gap stays above a positive number, every ratio to the leader falls at least"
        " geometrically, and π_a tends to one."
    )


def _flattens(summary: str, domain: str) -> Proof:
    """The log-ratio of c to any a falls if π_c (b - r_c) > π_a (b - r_a)."""
    proof = Proof(
        summary,
        domain,
        Signs(positive=(alpha, t)),
        given=[t - pi[c] * (b - r[c]) + pi[a] * (b - r[a])],
    )
    proof.note("Let t = π_c (b - r_c) - π_a (b - r_a) > 0.")
    steps = alpha * pi[a] * (r[a] - b), alpha * pi[c] * (r[c] - b)
    proof.greater("The preference of a rises against that of c.", *steps, alpha * t)
    proof.given, proof.signs = (), Signs(positive=(w, s))
    return falls(proof, c)


@derivation("optimistic-flattens-saturated-policy")
def flattens_saturated() -> Proof:
    """π_c falls if π_c (b - r_c) is the largest of all π (b - r).

    Section 3, line 200, corrected: which action loses probability under an optimistic baseline is
    decided by π (b − r), not by π alone.
    """
    return _flattens(
        "the most pushed action c, π(c) (b - r(c)) > π(a) (b - r(a)) for all a, loses probability",
        OPTIMISTIC_DOMAIN + ", k >= 2, α > 0",
    )


@derivation("optimistic-lowers-suboptimal-corner-action")
def flattens_corner() -> Proof:
    """Near the corner of c the condition holds, so π_c falls and every ratio π_a/π_c grows.

    Section 3, line 200, corrected: the source says so of a sub-optimal corner; near enough to any
    corner it holds, with the explicit bound on π_c.
    """
    most, under, rest = symbols("D under rest")
    proof = Proof(
        "near the corner of c, π(c) > D/(D + b - r(c)) with D = max (b - r), an optimistic baseline"
        " lowers π(c)",
        OPTIMISTIC_DOMAIN + ", k >= 2, α > 0",
        Signs(positive=(most, dist, t, pi), nonnegative=(rest, under)),
    )
    proof.note(
        "Near the corner of c let D be the largest b - r, and t = π_c (b - r_c) - (1 - π_c) D > 0,"
        " that is π_c > D/(D + b - r_c)."
    )
    givens = [
        t - pi[c] * dist[c] + (1 - pi[c]) * most,
        under - most + dist[a],
        rest - 1 + pi[c] + pi[a],
    ]
    proof.greater(
        "Then π_c (b - r_c) exceeds π_a (b - r_a) for every other a.",
        pi[c] * dist[c],
        pi[a] * dist[a],
        t + rest * most + pi[a] * under,
        given=givens,
    )
    return proof.include(_flattens("π(c) falls", OPTIMISTIC_DOMAIN))
