"""A learned baseline: what the alternate estimator and the baseline conserve together, on every
path, and what follows at a corner.
"""

from __future__ import annotations

from sympy import symbols

from altpg_verify.theory.proving.calculus import ESTIMATES
from altpg_verify.theory.proving.certificates import Signs
from altpg_verify.theory.proving.notation import (
    R,
    alpha,
    b,
    c,
    e,
    equation,
    ghat_ALT,
    ghat_REG,
    j,
    pi,
    r,
    sigma,
    theta,
    total,
)
from altpg_verify.theory.proving.proof import Proof, derivation

beta, b_0, b_end, start, end, variance, w, gap, M, decay = symbols(
    "beta b_0 b_end theta_0 theta_end v w gap M D"
)
PATHWISE = "every k, every bandit, every reward that is drawn, every α and β > 0, every step"
ONE = total(e[j], j) - 1
"""Is zero: one action is taken."""
AFTER = beta * R + (1 - beta) * b
"""The baseline after the step."""


@derivation("learned-baseline-invariant")
def invariant() -> Proof:
    """Σ θ and b move by α (R - b) and β (R - b).

    An identity for each draw, so it holds for any noise and any order of actions. b ← b + β (R − b)
    must use the same b as the update of θ.
    """
    proof = Proof(
        "Σ θ - (α/β) b is the same at every step of every run of the alternate estimator with a"
        " learned baseline; the regular one keeps Σ θ instead. For an implementer: a test to the"
        " last digit that catches a wrong order of the two updates",
        PATHWISE,
        Signs(positive=(alpha, beta)),
        where=ESTIMATES,
    )
    proof.equal(
        "The preferences move together by", total(alpha * ghat_ALT[c]), alpha * (R - b), given=[ONE]
    )
    proof.equal("the baseline by", AFTER - b, beta * (R - b))
    # β times Σ θ and α times b move alike
    kept = total(theta[c]) - alpha / beta * b
    moved = total(theta[c] + alpha * ghat_ALT[c]) - alpha / beta * AFTER
    proof.equal("So the combination stays.", moved, kept, given=[ONE])
    proof.note("With the regular estimator Σ θ stays,")
    zeros = [ONE, total(pi[j], j) - 1]
    proof.equal("for its entries sum to zero,", total(alpha * ghat_REG[c]), 0, given=zeros)
    return proof.equal(
        "and the combination moves.",
        total(alpha * ghat_REG[c]) - alpha / beta * (AFTER - b),
        -alpha * (R - b),
        given=zeros,
    )


@derivation("optimism-budget")
def budget() -> Proof:
    """At a corner only θ_c moves: by (α/β)(r_c - b_0) until b has come to r_c.

    The invariant with one moving preference: what b loses, θ_c loses α/β times.
    """
    proof = Proof(
        "at the corner of c the learned baseline lowers θ(c) by (α/β) (b₀ - r(c)) while it settles,"
        " and by no more: the gap M that is left is M - (α/β) (b₀ - r(c)). For training: a slower"
        " critic or a more optimistic start buys the escape, at the rate α/β",
        PATHWISE + "; while only c is taken, without noise or in the mean",
        Signs(positive=(alpha, beta)),
        where=ESTIMATES,
    )
    proof.note("While only c is taken the invariant has the one preference θ_c in it:")
    proof.where = {}
    kept = [end - alpha / beta * b_end - start + alpha / beta * b_0]
    proof.equal("so θ_c moves by", end - start, -alpha / beta * (b_0 - b_end), given=kept)
    settled = [*kept, b_end - r[c], M - start, gap - end]
    proof.note("The mean of b tends to r_c, with errors that shrink by 1 - β at each step:")
    proof.equal(
        "for it solves this recursion.",
        beta * r[c] + (1 - beta) * b - r[c],
        (1 - beta) * (b - r[c]),
    )
    return proof.equal(
        "With the other preferences at zero, the gap from M is then",
        gap,
        M - alpha / beta * (b_0 - r[c]),
        given=settled,
    )


@derivation("corner-spread-with-learned-baseline")
def corner_spread() -> Proof:
    """b is a first-order autoregression from a fixed start, and θ_c follows it by the invariant.

    A learned baseline pulls back what noise has done: b follows the rewards, and θ_c follows b.
    """
    proof = Proof(
        "at a corner a learned baseline keeps the saturated preference within the standard"
        " deviation α σ/√(β (2 - β)) of its mean at every step, where the true r_π lets it walk as"
        " α σ √t. For training: noise alone doesn't undo saturation once the baseline is learned",
        "every k, every reward noise of variance σ², 0 < β < 2, while only c is taken; θ(c) and b"
        " start at fixed numbers",
        Signs(positive=(alpha, beta, w), nonnegative=(decay,)),
    )
    w_is = w - 2 + beta
    proof.note(
        "The starts are fixed, so b has the variance zero at first. b after the step is β R + (1 -"
        " β) b, with R independent of b,"
    )
    proof.note(
        "so its variance v becomes β² σ² + (1 - β)² v. Let D = (1 - β)^(2t) after t steps and w = 2"
        " - β > 0."
    )
    # the formula after t steps and after t + 1
    spread, after = (
        (beta * sigma[c] ** 2 / w) * (1 - factor) for factor in (decay, (1 - beta) ** 2 * decay)
    )
    proof.equal("At t = 0 this is zero:", spread, 0, given=[decay - 1])
    proof.equal(
        "and one step takes it to the next.",
        beta**2 * sigma[c] ** 2 + (1 - beta) ** 2 * spread,
        after,
        given=[w_is],
    )
    proof.note(
        "So it is the variance of b. By the invariant θ_c is (α/β) b and a constant.",
        equation(end, alpha / beta * b),
    )
    limit = alpha**2 * sigma[c] ** 2 / (beta * w)
    known = [variance - spread]
    proof.note("Let v be the variance of b.", equation(variance, spread))
    proof.equal(
        "The variance of θ_c is", (alpha / beta) ** 2 * variance, limit * (1 - decay), given=known
    )
    return proof.at_least(
        "at most", limit, (alpha / beta) ** 2 * variance, limit * decay, given=known
    )


@derivation("corner-spread-between-two-times")
def spread_between_times() -> Proof:
    """Var(b' - b) = 2 v (1 - (1 - β)^t) in the stationary law.

    For t ≫ 1/β it is twice the stationary variance, and for small t it grows like t: a random walk
    that is held back.
    """
    proof = Proof(
        "from one time to a time t steps later, both long after the start, the preference moves"
        " with the variance 2 (1 - (1 - β)^t) times α² σ²/(β (2 - β))",
        "every k, every reward noise of variance σ², 0 < β < 2, while only c is taken, in the"
        " stationary law of b",
        Signs(positive=(alpha, beta, w)),
    )
    proof.note("A stationary variance v solves v = β² σ² + (1 - β)² v.")
    proof.equal("With w = 2 - β > 0,", 1 - (1 - beta) ** 2, beta * w, given=[w - 2 + beta])
    recursion = [beta * w * variance - beta**2 * sigma[c] ** 2]
    proof.equal("so v is", variance, beta * sigma[c] ** 2 / w, given=recursion)
    proof.note(
        "With K = (1 - β)^t the covariance of b and of b at t steps later is K v, as each step"
        " keeps 1 - β of it."
    )
    moved = (alpha / beta) ** 2 * (variance - 2 * decay * variance + variance)
    return proof.equal(
        "So θ_c has moved with the variance",
        moved,
        2 * (1 - decay) * alpha**2 * sigma[c] ** 2 / (beta * w),
        given=recursion,
    )
