"""Past the stability threshold: cycles, their means, and time averages of any orbit, for the
expected update with b > max r.
"""

from __future__ import annotations

from sympy import IndexedBase, Symbol, exp, symbols

from altpg_verify.theory.fixed_points.fixed_baseline import (
    EITHER_SIDE,
    KAPPA,
    OPTIMISTIC,
    OPTIMISTIC_DOMAIN,
    dist,
    gap,
)
from altpg_verify.theory.proving.certificates import Given, Signs
from altpg_verify.theory.proving.notation import (
    Partial,
    a,
    alpha,
    b,
    c,
    equation,
    h,
    j,
    kappa,
    pi,
    pi_next,
    pi_star,
    r,
    total,
)
from altpg_verify.theory.proving.proof import Proof, derivation

average, offset, error = IndexedBase("mu"), IndexedBase("y"), IndexedBase("delta")
"""A time average of π_a; π_a/π*_a - 1; how far μ_a (b - r_a) is from a common number."""
K, w, t, s, z, q, room, rest, over, A, D, T, f = symbols("K w t s z q room rest over A D T f")
ORBIT = "every k, every r, b above all rewards or below all, α > 0"


@derivation("cycle-mean-is-pi-star")
def cycle_mean() -> Proof:
    """Over a cycle all preferences move by the same amount, so the mean of π is π*.

    The argument of the stationary law in `attraction.dynamics`, for the deterministic update: what
    returns to its start has moved by zero.
    """
    proof = Proof(
        "the mean of π over any cycle is π*; a cycle of two satisfies π + π' = 2 π*. For training:"
        " the same averages don't mean that the policy settled, so look at the spread too",
        ORBIT + ", any cycle of interior policies",
        Signs(nonzero=(gap, kappa)),
        where={**EITHER_SIDE, pi_star: lambda action: kappa / (r[action] - b)},
    )
    common = Symbol("kappa'")
    proof.note(
        "After a cycle every log-ratio θ_a - θ_c is what it was, so the steps α π_t(a) (r_a - b)"
        " have the same mean for all a, α κ' say."
    )
    each = Given(average[j] * (r[j] - b) - common, each=j, weight=1 / (r[j] - b))
    proof.equal(
        "The means μ of probabilities sum to one, so κ' is κ,",
        common,
        kappa,
        given=[each, KAPPA, total(average[j], j) - 1],
    )
    proof.equal(
        "and μ is π*.",
        average[a],
        pi_star[a],
        given=[average[a] * (r[a] - b) - common, common - kappa],
    )
    return proof.equal(
        "With two policies in the cycle, μ = (π + π')/2.",
        pi_next[a],
        2 * pi_star[a] - pi[a],
        given=[
            average[a] - (pi[a] + pi_next[a]) / 2,
            average[a] * (r[a] - b) - common,
            common - kappa,
        ],
    )


def _no_cycle(proof: Proof) -> Proof:
    """In a cycle of two, G(y) = log((1 + y)/(1 - y)) - αK y is the same for all actions; with αK <=
    2 it is increasing.
    """
    plus, minus = symbols("plus minus")
    proof.note(
        "Let K = |κ| and π_a = π*_a (1 + y_a). In a cycle of two the other policy is π*_a (1 -"
        " y_a), so |y_a| < 1."
    )
    # π* = K/d, so π = K/d (1 + y)
    scaled = {pi: lambda action: K / dist[action] * (1 + offset[action])}
    proof.signs = Signs(positive=(alpha, K, dist))
    proof.equal(
        "The step pushes a down by",
        alpha * pi[a] * (b - r[a]),
        alpha * K * (1 + offset[a]),
        where={**OPTIMISTIC, **scaled},
    )
    proof.note(
        "log π_a changes by minus this and a common number: log((1 - y_a)/(1 + y_a)) + αK y_a is"
        " the same number for all actions."
    )
    proof.note(
        "Minus it is G(y_a) with G(y) = log((1 + y)/(1 - y)) - αK y, whose slope is 1/(1 + y) +"
        " 1/(1 - y) - αK."
    )
    proof.signs = Signs(positive=(plus, minus), nonnegative=(w,))
    # the derivative of G at t, with 1 + t and 1 - t as letters
    slope = 1 / plus + 1 / minus - alpha * K
    givens = [plus - 1 - t, minus - 1 + t, w - 2 + alpha * K]
    proof.at_least(
        "If w = 2 - αK >= 0 it is at least zero, and positive off y = 0.",
        slope,
        0,
        w + 2 * t**2 / (plus * minus),
        given=givens,
    )
    proof.note("So G is strictly increasing and all y_a are one number t.")
    proof.signs = Signs()
    return proof.equal(
        "As π and π* sum to one,", t, 0, given=[total(pi_star[j] * t, j), total(pi_star[j], j) - 1]
    )


@derivation("no-two-cycle-below-threshold")
def no_two_cycle() -> Proof:
    """αK <= 2 leaves no cycle of two.

    The threshold is the one of linear stability at π*; here it excludes cycles anywhere on the
    simplex.
    """
    proof = Proof(
        "with α <= 2/|κ| no two interior policies alternate. For training: a stepsize below 2/|κ|"
        " can't make the expected update flip back and forth for ever",
        OPTIMISTIC_DOMAIN + ", 0 < α <= 2/|κ|",
    )
    return _no_cycle(proof.include(cycle_mean.proof())).note("So π = π*, which is no cycle.")


@derivation("two-arms-attract-below-threshold")
def two_arms_attract() -> Proof:
    """k = 2: no cycle of two, so every orbit converges to a fixed point; the corners repel.

    One dimension is what makes this global: Coppel's theorem has no counterpart for k > 2.
    """
    proof = Proof(
        "with two actions and α <= 2/|κ| every orbit converges to π*: twice the stepsize that"
        " theorem 1's monotone descent allows",
        "k = 2, every r, every b > max r, 0 < α <= 2/|κ|, every interior start; Coppel's theorem is"
        " quoted",
    )
    _no_cycle(proof.include(cycle_mean.proof()))
    proof.note(
        "One probability in [0, 1] is mapped continuously into [0, 1]; 0 and 1 are fixed, and π* is"
        " the one fixed point inside."
    )
    proof.note(
        "Coppel (1955): if a continuous map of an interval has no cycle of two, every orbit"
        " converges to a fixed point."
    )
    proof.note("Near the corner of c, t = π_c (b - r_c) - π_a (b - r_a) is positive.")
    proof.signs = Signs(positive=(alpha, t))
    pushes = alpha * pi[a] * (r[a] - b), alpha * pi[c] * (r[c] - b)
    proof.greater(
        "There θ_a rises against θ_c,",
        *pushes,
        alpha * t,
        given=[t - pi[c] * (b - r[c]) + pi[a] * (b - r[a])],
    )
    return proof.note(
        "so an orbit from the inside moves away from each corner and can't converge to it: it"
        " converges to π*."
    )


@derivation("two-arms-cycle-above-threshold")
def two_arms_cycle() -> Proof:
    """k = 2, αK > 2: F(y) = G(y) + G(ρ y) falls from zero and ends at infinity, so it has a zero in
    (0, 1).

    Together with `two_arms_attract` it makes 2/|κ| the exact threshold for two arms.
    """
    rho = Symbol("rho")
    proof = Proof(
        "with two actions and α > 2/|κ| there is a cycle of two around π*: past the threshold the"
        " expected update can overshoot for ever",
        "k = 2, every r, every b > max r, α > 2/|κ|; the intermediate value theorem",
        Signs(positive=(w, rho)),
    )
    proof.note(
        "Let a and c be the actions, ρ = π*_a/π*_c <= 1, G(y) = log((1 + y)/(1 - y)) - αK y, an odd"
        " function, and y_a = y."
    )
    proof.equal(
        "Probabilities sum to one, so y_c is",
        offset[c],
        -rho * offset[a],
        given=[
            pi_star[a] * offset[a] + pi_star[c] * offset[c],
            rho * pi_star[c] - pi_star[a],
            pi_star[c] * z - 1,
        ],
    )
    proof.note(
        "π*(1 + y) and π*(1 - y) are exchanged by the step if G(y_a) = G(y_c), that is F(y) = G(y)"
        " + G(ρ y) = 0."
    )
    proof.note(
        "F(0) = 0, and the slope of G at 0 is 2 - αK. With w = αK - 2 > 0",
        equation(w, alpha * K - 2),
    )
    proof.greater(
        "F falls at first,",
        0,
        (1 + rho) * (2 - alpha * K),
        (1 + rho) * w,
        given=[w - alpha * K + 2],
    )
    return proof.note(
        "and F(y) tends to infinity as y tends to 1. So F has a zero between 0 and 1, a cycle of"
        " two."
    )


@derivation("time-average-is-pi-star")
def time_average() -> Proof:
    """The largest log-ratio grows at most like log T, so time averages tend to π* at the rate log
    T/T.

    No probability gets so small that its logarithm outgrows log T, as a preference falls in
    proportion to its probability; so the telescoped sums are O(log T).
    """
    log_ratio, first = symbols("Lambda_T Lambda_0")
    proof = Proof(
        "the time average of π tends to π* at the rate (log T)/T, for every α > 0: in cycles and in"
        " chaos too. For training: an average of J near its predicted value says nothing about"
        " whether the stepsize is small enough",
        OPTIMISTIC_DOMAIN + ", every α > 0, every start; D = max (b - r), A = α D",
    )
    proof.note(
        "Let M_t be the largest θ_a - θ_c at step t. Every preference falls, so the largest one"
        " doesn't rise."
    )
    proof.note(
        "Let c be lowest after the step and q = e^(-x), x being its distance to the largest before:"
        " π_c = q/(1 + rest), rest >= 0."
    )
    proof.signs = Signs(positive=(alpha, q, dist), nonnegative=(over, rest))
    # the two slacks: D - d_c, and 1 - 1/(1 + rest)
    witness = alpha * q * (over + dist[c] * rest / (1 + rest))
    proof.at_least(
        "It falls by at most A q.",
        alpha * D * q,
        alpha * dist[c] * q / (1 + rest),
        witness,
        given=[over - D + dist[c]],
        where=OPTIMISTIC,
    )
    proof.note("So M_(t+1) <= x + A e^(-x) for some x between 0 and M_t, a convex function of x:")
    proof.equal("the slope -e^(-x) of e^(-x) increases.", Partial(-exp(-h), h), exp(-h))
    proof.note(
        "Hence M_(t+1) <= max(A, M_t + A e^(-M_t)). By induction M_t <= L + log(1 + A t) with L ="
        " max(A, M_0), as follows."
    )
    proof.signs = Signs(positive=(A, z), nonnegative=(s, room, T))
    proof.note("Let z = A/(1 + A t) <= A; the induction needs z e^(-A) <= log(1 + z), for:")
    proof.equal(
        "The bound grows by log(1 + z).",
        1 + A * (T + 1),
        (1 + A * T) * (1 + z),
        given=[z * (1 + A * T) - A],
    )
    proof.at_least(
        "By e^A = 1 + A + s with s >= 0, e^(-A) <= 1/(1 + A);",
        1 / (1 + A),
        1 / (1 + A + s),
        s / ((1 + A) * (1 + A + s)),
    )
    proof.at_least(
        "with room = A - z >= 0,",
        z / (1 + z),
        z / (1 + A),
        z * room / ((1 + z) * (1 + A)),
        given=[room - A + z],
    )
    proof.equal(
        "and e^y >= 1 + y at y = -log(1 + z) gives log(1 + z) >=", 1 - 1 / (1 + z), z / (1 + z)
    )
    proof.signs = Signs(nonzero=(alpha, T, gap, kappa))
    proof.note(
        "Now let μ be the mean of π over T steps, and Λ_t = θ_a - θ_c at step t; |Λ_T - Λ_0| <= M_T"
        " + M_0."
    )
    difference = average[a] * (r[a] - b) - average[c] * (r[c] - b)
    # a sum over steps of α (μ_a (r_a - b) - μ_c (r_c - b)) is the change of the log-ratio
    telescoped = [log_ratio - first - alpha * T * difference]
    proof.equal(
        "The steps telescope:", difference, (log_ratio - first) / (alpha * T), given=telescoped
    )
    proof.note(
        "so μ_a (r_a - b) is a common number f up to errors δ_a of at most (2 L + log(1 + A"
        " T))/(α T)."
    )
    proof.where = {**EITHER_SIDE, pi_star: lambda action: kappa / (r[action] - b)}
    each = Given(average[j] * (r[j] - b) - f - error[j], each=j, weight=1 / (r[j] - b))
    # what the errors do to the sum of the probabilities
    tilt = total(error[j] / (r[j] - b), j)
    givens = [average[a] * (r[a] - b) - f - error[a], each, KAPPA, total(average[j], j) - 1]
    proof.equal(
        "So μ differs from π* by",
        average[a] - pi_star[a],
        (error[a] - kappa * tilt) / (r[a] - b),
        given=givens,
    )
    return proof.note("which tends to zero like (log T)/T.")
