"""Two remarks on entropy: a bonus moves the optimum, and the bias of an optimistic baseline raises
the entropy of a policy.
"""

from __future__ import annotations

from sympy import IndexedBase, Rational, Symbol, symbols

from altpg_verify.theory.gradients.gradient import EVERY_BANDIT, EVERY_SOFTMAX
from altpg_verify.theory.proving.calculus import SOFTMAX
from altpg_verify.theory.proving.certificates import Signs
from altpg_verify.theory.proving.notation import (
    SIMPLEX,
    Partial,
    a,
    c,
    d,
    i,
    j,
    pi,
    r,
    theta,
    total,
)
from altpg_verify.theory.proving.proof import Proof, derivation

L = IndexedBase("L")
"""log π_a."""
tau, t, moved = symbols("tau t m")
bonus = IndexedBase("u")
"""What an explorative bonus adds to the rewards."""


def entropy_slope(action: Symbol) -> Symbol:
    """∂H/∂θ_a = -Σ_c ∂π_c/∂θ_a (log π_c + 1) = -π_a (L_a - Σ π L).

    In nats per unit of preference; L stands for log π, and the constant 1 drops out as Σ π = 1.
    """
    return -pi[action] * (L[action] - total(pi[i] * L[i], i))


def _slope_line(proof: Proof) -> Proof:
    """The slope of the entropy, from the Jacobian; (x log x)' = log x + 1 is a named fact."""
    proof.note(
        "Write L_a = log π_a. As (x log x)' = log x + 1, ∂H/∂θ_a = -Σ_c ∂π_c/∂θ_a (L_c + 1), with"
        " the softmax Jacobian."
    )
    proof.equal("On its diagonal,", Partial(pi[a], theta[a]), pi[a] * (1 - pi[a]), where=SOFTMAX)
    proof.equal("and off it.", Partial(pi[c], theta[a]), -pi[a] * pi[c], where=SOFTMAX)
    left = -pi[a] * (L[a] + 1) + pi[a] * total(pi[i] * (L[i] + 1), i)
    return proof.equal("So the slope of the entropy is", left, entropy_slope(a), given=[SIMPLEX])


@derivation("bonuses-change-the-optimum")
def bonus_moves_optimum() -> Proof:
    """At a stationary point of J + τ H, τ log(π_a/π_c) = r_a - r_c.

    The introduction's line 86: regularised objectives have other optima. π ∝ e^(r/τ) solves the
    condition, and a bonus in the reward is the same with two actions.
    """
    proof = _slope_line(
        Proof(
            "the optimum of J + τ H is the interior policy with τ log(π(a)/π(c)) = r(a) - r(c), for"
            " every τ > 0; and a bonus that makes up for the difference of two rewards moves the"
            " optimum from one to the other",
            EVERY_SOFTMAX,
            Signs(positive=(pi,)),
        )
    )
    proof.note(
        "At the boundary the slope of -x log x is infinite, so the maximum is interior, and"
        " stationary:"
    )
    zeros = [pi[x] * (r[x] - total(pi[j] * r[j], j)) + tau * entropy_slope(x) for x in (a, c)]
    proof.equal(
        "divide by the probabilities and subtract.", tau * (L[a] - L[c]), r[a] - r[c], given=zeros
    )
    proof.note(
        "Both probabilities are positive, while the optimum of J alone gives the worse action none."
    )
    proof.note(
        "A bonus u_a in the reward: let r_a > r_c and t = (r_c + u_c) - (r_a + u_a) > 0, as it can"
        " be. Shift m from a to c:"
    )
    proof.signs = Signs(positive=(t, moved))
    # the two terms of the objective that change
    with_bonus = [pi[x] * (r[x] + bonus[x]) for x in (a, c)]
    after = (pi[a] - moved) * (r[a] + bonus[a]) + (pi[c] + moved) * (r[c] + bonus[c])
    given = [t - r[c] - bonus[c] + r[a] + bonus[a]]
    proof.greater(
        "the objective with the bonus grows,", after, sum(with_bonus), moved * t, given=given
    )
    return proof.note(
        "so its optimum doesn't take a at all, which is the best action without the bonus."
    )


@derivation("optimistic-bias-increases-entropy")
def bias_raises_entropy() -> Proof:
    """dH/dt = (b - r_π) ½ Σ Σ π_a π_c (π_a - π_c) (log π_a - log π_c) > 0.

    The introduction's line 92, corrected: an optimistic bias raises entropy, a pessimistic one
    lowers it; the source speaks of the critic's bias in general.
    """
    proof = _slope_line(
        Proof(
            "along the bias (r_π - b) π of an optimistic baseline the entropy of a policy that"
            " isn't uniform grows",
            EVERY_BANDIT + ", b > r_π; to first order in the stepsize",
            Signs(positive=(t,)),
        )
    )
    proof.note(
        "The bias adds -t π_a to θ_a, with t = b - r_π > 0; the entropy changes by its derivative"
        " times that."
    )
    pairs = total(total(pi[c] * pi[d] * (pi[c] - pi[d]) * (L[c] - L[d]), d), c)
    # the slope of the entropy times the speed of each preference
    rate = total(-t * pi[j] * -pi[j] * (L[j] - total(pi[i] * L[i], i)), j)
    proof.equal(
        "That is a sum over pairs of actions.", rate, t * pairs * Rational(1, 2), given=[SIMPLEX]
    )
    return proof.note(
        "The logarithm grows, so no pair is negative, and a pair with different probabilities is"
        " positive."
    )
