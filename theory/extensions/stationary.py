"""The spread of the policy around π* with a constant stepsize, a fixed baseline b > max r, and
sampled updates.
"""

from __future__ import annotations

from sympy import symbols

from altpg_verify.theory.attraction.mgf import two_points
from altpg_verify.theory.fixed_points.fixed_baseline import OPTIMISTIC, OPTIMISTIC_DOMAIN, dist
from altpg_verify.theory.proving.calculus import ON_POLICY
from altpg_verify.theory.proving.certificates import Signs
from altpg_verify.theory.proving.notation import (
    SIMPLEX,
    E,
    a,
    alpha,
    b,
    c,
    ghat_ALT,
    j,
    pi,
    pi_star,
    r,
    sigma,
    total,
)
from altpg_verify.theory.proving.proof import Proof, derivation

K, spread, noise, room, w, v, J = symbols("K spread noise room w v J")
STAR_SUM = total(pi_star[j], j) - 1
BALANCE = {**OPTIMISTIC, pi_star: lambda action: K / dist[action]}
SAMPLED = OPTIMISTIC_DOMAIN + ", every α > 0, every reward noise of finite variance"


@derivation("stationary-spread-bound")
def stationary_spread() -> Proof:
    """E ΔKL <= -α Σ d (π - π*)² + α²/8 Σ π (σ² + d²), and zero in the mean in a stationary law.

    A Lyapunov argument with D_KL(π*‖π): in a stationary law its mean change is zero, so the drift
    can't exceed what noise adds. Hoeffding's lemma bounds log(1 − π_c + π_c e^η) for every η.
    """
    proof = Proof(
        "in a stationary law E Σ (b - r) (π - π*)² <= (α/8) Σ π* (σ² + (b - r)²), at every"
        " stepsize: the policy stays within about √α of π*. For training: halve the stepsize to"
        " halve the variance",
        SAMPLED + "; a stationary law with integrable log-ratios",
    )
    proof.note(
        "A draw of action c and reward R adds η = α (R - b) to θ_c, and D_KL(π*‖π) changes by log(1"
        " - π_c + π_c e^η) - π*_c η."
    )
    two_points(
        proof.note(
            "The lemma of the paper's proof, with the weights Q = π_c and P = 1 - π_c, bounds the"
            " logarithm by π_c η + η²/8."
        )
    )
    proof.note("Given c, the means of η and η² are:")
    proof.where, proof.signs = ON_POLICY, Signs()
    proof.equal(
        "(over all c, the first)",
        total(E(ghat_ALT[c]) * (pi[c] - pi_star[c])),
        total(pi[c] * (r[c] - b) * (pi[c] - pi_star[c])),
    )
    second = sigma[a] ** 2 + (r[a] - b) ** 2
    proof.equal("and the second.", E(ghat_ALT[a] ** 2), pi[a] * second)
    proof.where, proof.signs = BALANCE, Signs(positive=(dist, K))
    # minus the mean change of D_KL over α, to first order
    drift = total(pi[c] * (b - r[c]) * (pi[c] - pi_star[c]))
    squares = total(dist[c] * (pi[c] - pi_star[c]) ** 2)
    proof.equal(
        "With K = |κ| and d = b - r the drift is a sum of squares.",
        drift,
        squares,
        given=[SIMPLEX, STAR_SUM],
    )
    proof.note(
        "So E ΔKL <= -α E Σ d (π - π*)² + (α²/8) Σ E[π_c] (σ_c² + d_c²); it is zero in a stationary"
        " law, where E[π] = π*."
    )
    proof.where, proof.signs = {}, Signs(positive=(alpha,), nonnegative=(room,))
    givens = [room - alpha**2 / 8 * noise + alpha * spread]
    return proof.at_least(
        "Divide by α: with spread and noise for the two sums,",
        alpha / 8 * noise,
        spread,
        room / alpha,
        given=givens,
    )


@derivation("linear-noise-variance")
def linear_noise_variance() -> Proof:
    """v = (1 - αK)² v + α² n has the solution v = α n/(K (2 - αK)), n = Σ π*³ (r - J)² (σ² +
    d²).

    A first-order autoregression around π*. Var J is the variance of the policy's value, in squared
    units of reward.
    """
    proof = Proof(
        "the update linearised at π* has Var J = α/(K (2 - αK)) Σ π*³ (r - J)² (σ² + (b - r)²): for"
        " small stepsizes the spread of J grows like √α, and it blows up at the stability"
        " threshold",
        SAMPLED
        + "; the linearisation at π*, α < 2/K with K = |κ|; exact for it, leading order in α for"
        " the update itself",
    )
    proof.note(
        "Let J be the value at π*. A change h of the preferences changes it by Σ π*_a (r_a - J)"
        " h_a, and a step has h = α ĝ."
    )
    proof.where = {**BALANCE, E: ON_POLICY[E]}
    proof.signs = Signs(positive=(dist, K))
    at_star = {pi: lambda action: K / dist[action]}
    meaning = {**BALANCE, **at_star}
    mean = total(pi[c] * (r[c] - J) * E(ghat_ALT[c]))
    value = J - total(pi_star[j] * r[j], j)
    proof.equal("At π* the mean change is zero,", mean, 0, given=[STAR_SUM, value], where=meaning)
    proof.equal(
        "the mean square of entry c of ĝ is",
        E(ghat_ALT[a] ** 2),
        pi[a] * (sigma[a] ** 2 + dist[a] ** 2),
        where={**ON_POLICY, **OPTIMISTIC},
    )
    proof.note(
        "and only one entry isn't zero. So the variance of the change is α² n with n = Σ π*³ (r -"
        " J)² (σ² + d²)."
    )
    proof.note(
        "Deviations shrink by the factor 1 - αK in every direction, so a stationary variance v"
        " solves v = (1 - αK)² v + α² n."
    )
    proof.where, proof.signs = {}, Signs(positive=(alpha, K, w))
    givens = [w - 2 + alpha * K, v - (1 - alpha * K) ** 2 * v - alpha**2 * noise]
    return proof.equal("With w = 2 - αK > 0,", v, alpha * noise / (K * w), given=givens)
